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
const {converterOf} = require('./types.cjs');

/** {row, rows, val, vals}: functions of one row, of all, and the same by column */
function makePlan(cols, types, options) {
	const known = options.types === false ? null : types;
	const columns = readHeader(cols, known);
	addConverters(columns, options.types || {});
	return options.compile !== false && mayCompile() ? compile(columns) : interpret(columns);
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
	const converters = [], functions = [];

	const valueOf = (column, cell) => {
		if (column.columns) return `${addLevel(column.columns)}${column.isList ? 's' : ''}(${cell}, fresh)`;
		return column.convert ? `convert[${converters.push(column.convert) - 1}](${cell})` : cell;
	};
	const literal = (columns, cellOf) =>
		`{${lastOfEachName(columns).map(c => `${keyOf(c.name)}: ${valueOf(c, cellOf(c.index))}`).join(', ')}}`;
	let levels = 0;
	const addLevel = columns => {
		const name = `row${levels++}`;
		functions.push(`
function ${name}(cells, fresh) {
	return cells === null ? null : ${literal(columns, index => `cells[${index}]`)};
}
function ${name}s(rows, fresh) {
	if (rows === null) return null;
	const n = rows.length, objects = fresh ? new Array(n) : rows;
	for (let i = 0; i < n; i++) objects[i] = ${name}(rows[i], fresh);
	return objects;
}`);
		return name;
	};

	const outermost = addLevel(columns);
	functions.push(`
function val(vectors, i, fresh) {
	return ${literal(columns, index => `vectors[${index}][i]`)};
}
function vals(vectors, fresh) {
	if (vectors.length === 0) return [];
	const [${columns.map(c => `v${c.index}`).join(', ')}] = vectors;
	const n = v0.length, objects = fresh ? new Array(n) : v0;
	for (let i = 0; i < n; i++) objects[i] = ${literal(columns, index => `v${index}[i]`)};
	return objects;
}`);
	const source = `'use strict';${functions.join('')}\nreturn {row: ${outermost}, rows: ${outermost}s, val, vals};`;
	return new Function('convert', source)(converters);
}

function interpret(columns) {
	const {row, rows} = interpretLevel(columns);
	const val = (vectors, i, fresh) => row(vectors.map(vector => vector[i]), fresh);
	const vals = (vectors, fresh) => {
		if (vectors.length === 0) return [];
		const n = vectors[0].length, objects = fresh ? new Array(n) : vectors[0];
		for (let i = 0; i < n; i++) objects[i] = val(vectors, i, fresh);
		return objects;
	};
	return {row, rows, val, vals};
}

function interpretLevel(columns) {
	const members = lastOfEachName(columns).map(column => ({...column, make: makerOf(column)}));
	const row = (cells, fresh) => {
		if (cells === null) return null;
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
		const n = list.length, objects = fresh ? new Array(n) : list;
		for (let i = 0; i < n; i++) objects[i] = row(list[i], fresh);
		return objects;
	};
	return {row, rows};
}

function makerOf(column) {
	if (!column.columns) return column.convert;
	const {row, rows} = interpretLevel(column.columns);
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

module.exports = {planOf, setOwn};
