'use strict';
// What a document is: its members, its header, and the columns that these tell.

const {DocumentError} = require('./errors.cjs');

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why the value is no document, or null if it is one. Rows and cells are not looked at. */
function whyNot(value) {
	if (!isObject(value)) return 'it is not an object';
	if (!Array.isArray(value.cols)) return 'it has no array "cols"';
	const {rows, vals} = value;
	if (rows !== undefined && vals !== undefined) return 'it has both "rows" and "vals"';
	if (!Array.isArray(rows) && !Array.isArray(vals)) return 'it has no array "rows" or "vals"';
	for (const key of Object.keys(value)) {
		if (key !== 'cols' && key !== 'rows' && key !== 'vals' && key !== 'types') return `it has a member "${key}"`;
	}
	return null;
}

function checkDocument(value) {
	const why = whyNot(value);
	if (why !== null) throw new DocumentError(why);
}

/** The columns of a HEADER: {name, index, type} and, if nested, {columns, isList}. */
function readHeader(cols, types) {
	const known = Array.isArray(types) && types.length === cols.length;
	return cols.map((entry, index) => {
		const type = known ? types[index] : null;
		if (typeof entry === 'string') return {name: entry, index, type: typeof type === 'string' ? type : null};
		const [name, header] = onlyMember(entry);
		const isList = Array.isArray(header[0]);
		if (isList && header.length !== 1) throw new DocumentError('a nested header has more than one element');
		const inner = isObject(type) ? Object.values(type)[0] : null;
		return {name, index, type: null, isList, columns: readHeader(isList ? header[0] : header, inner)};
	});
}

function onlyMember(entry) {
	const members = isObject(entry) ? Object.entries(entry) : [];
	if (members.length !== 1 || !Array.isArray(members[0][1])) {
		throw new DocumentError('a name in "cols" is neither a string nor an object of one header');
	}
	return members[0];
}

/** The columns that count: of equal names the last one, in the place of the first. */
function lastOfEachName(columns) {
	return [...new Map(columns.map(column => [column.name, column])).values()];
}

module.exports = {whyNot, checkDocument, readHeader, lastOfEachName};
