'use strict';
const {decode, parse, parseJson, isDocument, lazy, columns} = require('../lib/decode.cjs');
const {documents} = require('../lib/documents.cjs');
const {encode} = require('../lib/encode.cjs');
const {rows, batches} = require('../lib/stream.cjs');
const {DocumentError, EndedEarlyError} = require('../lib/errors.cjs');

module.exports = {decode, parse, parseJson, isDocument, lazy, columns, documents, encode, rows, batches,
	DocumentError, EndedEarlyError};
