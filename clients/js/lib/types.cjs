'use strict';
// What cells become by the type of their column, where a document tells types.

/** A value of another form than expected stays what it is. */
const attempt = make => cell => {
	try {
		return make(cell);
	} catch {
		return cell;
	}
};

function toDate(cell) {
	const date = new Date(cell);
	return Number.isNaN(date.getTime()) ? cell : date;
}

function toBytes(cell) {
	if (!/^\\x([0-9a-f]{2})*$/.test(cell)) return cell;
	const bytes = new Uint8Array(cell.length / 2 - 1);
	for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(cell.slice(2 * i + 2, 2 * i + 4), 16);
	return bytes;
}

/** What is not named here stays as JSON has it. */
const DEFAULT_TYPES = Object.freeze({
	int8: attempt(BigInt),
	numeric: String,
	float4: Number,
	float8: Number,
	oid: Number,
	timestamptz: toDate,
	bytea: toBytes,
});

/** What makes a value of a cell of this type, which may be null; null if the cell stays what it is. */
function converterOf(type, types) {
	if (type === null) return null;
	const name = type === 'oidvector' ? 'oid' : type.split(/[ ([]/, 1)[0];
	const given = Object.hasOwn(types, name) ? types[name] : undefined;
	const make = given === undefined && Object.hasOwn(DEFAULT_TYPES, name) ? DEFAULT_TYPES[name] : given;
	if (typeof make !== 'function') return null;
	const one = cell => cell === null ? null : make(cell);
	if (!type.endsWith('[]') && type !== 'oidvector') return one;
	const each = cell => Array.isArray(cell) ? cell.map(each) : one(cell);
	return each;
}

module.exports = {DEFAULT_TYPES, converterOf};
