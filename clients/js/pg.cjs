'use strict';
const {parseJson} = require('./index.cjs');

const JSON_OIDS = [114, 3802];	// json and jsonb, as which also our domains come

/** The `types` of a Client or Pool of node-postgres with which documents arrive as objects. */
function withDocuments(types, options) {
	const parse = text => parseJson(text, options);
	return {
		getTypeParser: (oid, format) =>
			JSON_OIDS.includes(oid) && format !== 'binary' ? parse : types.getTypeParser(oid, format),
	};
}

module.exports = {withDocuments};
