'use strict';
const {parse, parseJson} = require('./index.cjs');

/**
 * For the option `types` of a client of postgres.js of which each json or jsonb value is a document: objects arrive.
 * With the option `any`: of what has the form of a document objects, of other JSON its value.
 */
function withDocuments({any = false, ...options} = {}) {
	const parser = any ? parseJson : parse;
	const read = text => parser(text, options);
	return {json: {to: 114, from: [114, 3802], serialize: value => JSON.stringify(value), parse: read}};
}

module.exports = {withDocuments};
