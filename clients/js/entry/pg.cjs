'use strict';
const {parse, parseJson} = require('./index.cjs');

const JSON_OIDS = [114, 3802];	// json and jsonb, as which PostgreSQL also sends our domains

/**
 * The `types` of a query of node-postgres of which each json or jsonb value is a document: objects arrive. With the
 * option `any`, also for a Client or Pool: of what has the form of a document objects, of other JSON its value.
 */
function withDocuments(types, {any = false, ...options} = {}) {
	const parser = any ? parseJson : parse;
	const read = text => parser(text, options);
	return {
		getTypeParser: (oid, format) =>
			JSON_OIDS.includes(oid) && format !== 'binary' ? read : types.getTypeParser(oid, format),
	};
}

module.exports = {withDocuments};
