'use strict';
// Rows of a result, of which some columns are documents.

const {decode, parse} = require('./decode.cjs');
const {DocumentError} = require('./errors.cjs');

/** The rows themselves, with objects in the place of documents in the columns that are named. */
function documents(rows, ...names) {
	rows.forEach((row, i) => names.forEach(name => {
		if (!Object.hasOwn(row, name)) throw new TypeError(`the result has no column "${name}"`);
		row[name] = objectsOf(row[name], {}, i, name);
	}));
	return rows;
}

/** As drivers give it: text, or parsed */
function objectsOf(value, options, row, column) {
	if (value === null || Array.isArray(value) && value.every(isRow)) return value;
	try {
		return typeof value === 'string' ? parse(value, options) : decode(value, {...options, inPlace: true});
	} catch (cause) {
		if (!(cause instanceof DocumentError)) throw cause;
		throw new DocumentError(cause.reason, {row, column}, {cause});
	}
}

/** A driver's hook may have made objects of it. */
const isRow = value => value === null || typeof value === 'object';

module.exports = {documents, objectsOf};
