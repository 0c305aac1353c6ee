'use strict';
// How rows of one header become objects: made once per header, then kept. The
// code is generated, an object literal per level, which is what V8 is fastest
// at; where that is forbidden (a Content-Security-Policy without 'unsafe-eval',
// node --disallow-code-generation-from-strings), closures do the same.
//
// The last argument of a plan's functions tells, if it is true, that what they
// are given is to stay as it is. If not, the objects take the places of the rows,
// which spares the garbage collector the most work.

const {readHeader, lastOfEachName} = require('./document.cjs');
const {DocumentError} = require('./errors.cjs');
const {converterOf} = require('./types.cjs');

/**
 * A row or a nested cell that is not what the header says. It is looked for only then: to know the place all
 * the time would make everything slower by a sixth.
 */
class Fault {
	constructor(reason, value, path, isList) {
		this.reason = reason;
		this.value = value;
		this.path = path;	// the columns from the outermost to that of the value
		this.isList = isList;	// not one of the rows in it is wrong, but the cell itself
	}

	/** Of cells whose column this is: the indexes of the rows on the way to the value; null if it is not in it */
	indexesIn(cell, depth) {
		const {isList} = this.path[depth], last = depth === this.path.length - 1;
		if (!isList || last && this.isList) return last && cell === this.value ? [] : this.indexesBelow(cell, depth + 1);
		return Array.isArray(cell) ? this.indexesAmong(cell, depth + 1) : null;
	}

	/** Of a row */
	indexesBelow(row, depth) {
		if (depth === this.path.length) return row === this.value ? [] : null;
		return Array.isArray(row) ? this.indexesIn(row[this.path[depth].index], depth) : null;
	}

	/** Of rows, of which those that are objects have been made */
	indexesAmong(rows, depth) {
		for (let i = 0; i < rows.length; i++) {
			const inner = this.indexesBelow(rows[i], depth);
			if (inner !== null) return [i, ...inner];
		}
		return null;
	}

	toError([row, ...inner]) {
		const names = this.path.map(({name, isList}) =>
			isList && inner.length > 0 ? `${name}[${inner.shift()}]` : name);
		const column = names.length > 0 ? names.join('.') : undefined;
		return new DocumentError(this.reason, {row, column});
	}
}

const widthFault = (cells, width) => Array.isArray(cells) ?
	`a row has ${cells.length} cells, the header ${width} names` : 'a row is not an array';

/** Throws the error of a row, or of a cell that is to be a list of rows. */
function failRow(cells, width, path) {
	throw new Fault(widthFault(cells, width), cells, path, false);
}
function failList(cell, path) {
	throw new Fault('a nested document is not an array of rows', cell, path, true);
}

/** What is thrown; `indexes` tells of a fault in which rows it is. Errors of others stay as they are. */
const placed = (error, indexes) => error instanceof Fault ? error.toError(indexes(error)) : error;

/** {row, rows, val, vals}: functions of one row, of all, and the same by column */
function makePlan(cols, types, options) {
	const known = options.types === false ? null : types;
	const columns = readHeader(cols, known);
	addConverters(columns, options.types || {});
	return withErrors(options.compile !== false && mayCompile() ? compile(columns) : interpret(columns));
}

/** The last argument is the index of the first row, for errors. */
function withErrors({row, rows, val, vals}) {
	const inVectors = (vectors, i, fault) => fault.indexesIn(vectors[fault.path[0].index][i], 0);
	return {
		row(cells, fresh, index) {
			try {
				return row(cells, fresh);
			} catch (error) {
				throw placed(error, fault => [index, ...fault.indexesBelow(cells, 0)]);
			}
		},
		rows(list, fresh, first = 0) {
			try {
				return rows(list, fresh);
			} catch (error) {
				throw placed(error, fault => {
					const [row, ...inner] = fault.indexesAmong(list, 0);
					return [first + row, ...inner];
				});
			}
		},
		val(vectors, i, fresh) {
			try {
				return val(vectors, i, fresh);
			} catch (error) {
				throw placed(error, fault => [i, ...inVectors(vectors, i, fault)]);
			}
		},
		vals(vectors, fresh) {
			try {
				return vals(vectors, fresh);
			} catch (error) {
				throw placed(error, fault => {
					let i = 0, inner;
					while ((inner = inVectors(vectors, i, fault)) === null) i++;
					return [i, ...inner];
				});
			}
		},
	};
}

function addConverters(columns, types) {
	for (const column of columns) {
		if (column.columns) addConverters(column.columns, types);
		else column.convert = converterOf(column.type, types);
	}
}

let allowed;
function mayCompile() {
	if (allowed === undefined) {
		try {
			allowed = new Function('return true')();
		} catch {
			allowed = false;
		}
	}
	return allowed;
}

/** A key in a literal. "__proto__" would set the prototype, but for the brackets. */
const keyOf = name => name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);

function compile(columns) {
	const converters = [], functions = [], paths = [];

	const valueOf = (column, cell, path) => {
		if (column.columns) {
			return `${addLevel(column.columns, [...path, column])}${column.isList ? 's' : ''}(${cell}, fresh)`;
		}
		return column.convert ? `convert[${converters.push(column.convert) - 1}](${cell})` : cell;
	};
	const literal = (columns, cellOf, path) =>
		`{${lastOfEachName(columns).map(c => `${keyOf(c.name)}: ${valueOf(c, cellOf(c.index), path)}`).join(', ')}}`;
	const addLevel = (columns, path) => {
		const at = paths.push(path) - 1, name = `row${at}`, width = columns.length;
		functions.push(`
function ${name}(cells, fresh) {
	if (cells === null) return null;
	if (!isArray(cells) || cells.length !== ${width}) failRow(cells, ${width}, paths[${at}]);
	return ${literal(columns, index => `cells[${index}]`, path)};
}
function ${name}s(rows, fresh) {
	if (rows === null) return null;
	if (!isArray(rows)) failList(rows, paths[${at}]);
	const n = rows.length, objects = fresh ? new Array(n) : rows;
	for (let i = 0; i < n; i++) objects[i] = ${name}(rows[i], fresh);
	return objects;
}`);
		return name;
	};

	const outermost = addLevel(columns, []);
	functions.push(`
function val(vectors, i, fresh) {
	return ${literal(columns, index => `vectors[${index}][i]`, [])};
}
function vals(vectors, fresh) {
	if (vectors.length === 0) return [];
	const [${columns.map(c => `v${c.index}`).join(', ')}] = vectors;
	const n = v0.length, objects = fresh ? new Array(n) : v0;
	for (let i = 0; i < n; i++) objects[i] = ${literal(columns, index => `v${index}[i]`, [])};
	return objects;
}`);
	const source = `'use strict';${functions.join('')}\nreturn {row: ${outermost}, rows: ${outermost}s, val, vals};`;
	return new Function('convert', 'paths', 'isArray', 'failRow', 'failList', source)(
		converters, paths, Array.isArray, failRow, failList);
}

function interpret(columns) {
	const {row, rows} = interpretLevel(columns, []);
	const val = (vectors, i, fresh) => row(vectors.map(vector => vector[i]), fresh);
	const vals = (vectors, fresh) => {
		if (vectors.length === 0) return [];
		const n = vectors[0].length, objects = fresh ? new Array(n) : vectors[0];
		for (let i = 0; i < n; i++) objects[i] = val(vectors, i, fresh);
		return objects;
	};
	return {row, rows, val, vals};
}

function interpretLevel(columns, path) {
	const members = lastOfEachName(columns).map(column => ({...column, make: makerOf(column, path)}));
	const row = (cells, fresh) => {
		if (cells === null) return null;
		if (!Array.isArray(cells) || cells.length !== columns.length) failRow(cells, columns.length, path);
		const object = {};
		for (const {name, index, make} of members) {
			const value = make === null ? cells[index] : make(cells[index], fresh);
			if (name === '__proto__') setOwn(object, name, value);
			else object[name] = value;
		}
		return object;
	};
	const rows = (list, fresh) => {
		if (list === null) return null;
		if (!Array.isArray(list)) failList(list, path);
		const n = list.length, objects = fresh ? new Array(n) : list;
		for (let i = 0; i < n; i++) objects[i] = row(list[i], fresh);
		return objects;
	};
	return {row, rows};
}

function makerOf(column, path) {
	if (!column.columns) return column.convert;
	const {row, rows} = interpretLevel(column.columns, [...path, column]);
	return column.isList ? rows : row;
}

function setOwn(object, name, value) {
	Object.defineProperty(object, name, {value, writable: true, enumerable: true, configurable: true});
}

// Plans are kept by what made them. A program has few headers; one that makes up
// names as it goes must not fill the memory.
const MOST_PLANS = 1000;
const byTypes = new WeakMap();
const NO_TYPES = {};

function planOf(doc, options) {
	const owner = options.types || NO_TYPES;
	let plans = byTypes.get(owner);
	if (plans === undefined) byTypes.set(owner, plans = new Map());
	let key = JSON.stringify(doc.types === undefined || options.types === false ? doc.cols : [doc.cols, doc.types]);
	if (options.types === false) key += 'untyped';
	if (options.compile === false) key += 'not compiled';
	let plan = plans.get(key);
	if (plan === undefined) {
		plan = makePlan(doc.cols, doc.types, options);
		if (plans.size >= MOST_PLANS) plans.delete(plans.keys().next().value);
		plans.set(key, plan);
	}
	return plan;
}

module.exports = {planOf, setOwn, widthFault};
