'use strict';
const {parseJson} = require('./index.cjs');

/** For the option `types` of postgres.js, with which documents arrive as objects. */
function withDocuments(options) {
	const parse = text => parseJson(text, options);
	return {json: {to: 114, from: [114, 3802], serialize: value => JSON.stringify(value), parse}};
}

module.exports = {withDocuments};
