'use strict';
// What can be wrong with what is read, and where.

/** "at row 2, column actors[0].name", as far as it is known */
function placeText({row, column, offset}) {
	const parts = [];
	if (row !== undefined) parts.push(`row ${row}`);
	if (column !== undefined) parts.push(`column ${column}`);
	if (offset !== undefined) parts.push(`character ${offset}`);
	return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

class PlacedError extends Error {
	constructor(what, reason, place, options) {
		super(`${what}: ${reason}${placeText(place)}`, options);
		this.reason = reason;
		this.row = place.row;
		this.column = place.column;
		this.offset = place.offset;
	}
}

/** What was read is not a document of jsonrow: it is no JSON, lacks a member, or a row has not the header's width. */
class DocumentError extends PlacedError {
	constructor(reason, place = {}, options = undefined) {
		super('not a jsonrow document', reason, place, options);
	}
}

/** The stream ended before its end was read: the query failed, or the connection was lost. */
class EndedEarlyError extends PlacedError {
	constructor(reason, place = {}, options = undefined) {
		super('the jsonrow stream ended early', reason, place, options);
	}
}

for (const error of [DocumentError, EndedEarlyError]) {
	Object.defineProperty(error.prototype, 'name', {value: error.name, configurable: true, writable: true});
}

/** JSON of text that is to be a document, or a part of one */
function parseText(text, place) {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new DocumentError(`the text is not JSON: ${cause.message}`, place, {cause});
	}
}

module.exports = {DocumentError, EndedEarlyError, parseText};
