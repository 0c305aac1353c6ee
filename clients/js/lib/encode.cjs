'use strict';
// Objects into a document, for jsonrow_populate_recordset and its kin.

/** A document of the objects. Keys that an object lacks are null. */
function encode(objects, options = {}) {
	const rows = [...objects];
	const cols = options.cols ? [...options.cols] : keysOf(rows);
	return {cols, rows: rows.map(row => row === null ? null : cols.map(name => ownCell(row, name)))};
}

/** In the order in which they first appear */
function keysOf(objects) {
	const keys = new Set();
	for (const object of objects) {
		if (object === null) continue;
		for (const key of Object.keys(object)) keys.add(key);
	}
	return [...keys];
}

const ownCell = (object, name) => Object.hasOwn(object, name) ? cellOf(object[name]) : null;

/** What JSON.stringify would refuse, leave out or garble, as PostgreSQL reads it */
function cellOf(value) {
	switch (typeof value) {
	case 'undefined': return null;
	case 'bigint': return String(value);
	case 'number': return Number.isFinite(value) ? value : String(value);
	case 'object': return value === null ? null : cellOfObject(value);
	default: return value;
	}
}

function cellOfObject(value) {
	if (value instanceof Uint8Array) return `\\x${Array.from(value, hexOf).join('')}`;
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : dateText(value);
	if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, cellOf);
	if (typeof value.toJSON === 'function') return value.toJSON();
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cellOf(member)]));
}

const hexOf = byte => byte.toString(16).padStart(2, '0');

/** PostgreSQL reads years of more than four digits without a sign, and before the year 1 as those before Christ. */
function dateText(date) {
	const [, year, rest] = /^([+-]?\d+)(-.*)$/.exec(date.toISOString());
	const digits = String(year > 0 ? Number(year) : 1 - year).padStart(4, '0');
	return digits + rest + (year > 0 ? '' : ' BC');
}

module.exports = {encode};
