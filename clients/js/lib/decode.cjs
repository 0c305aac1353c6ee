'use strict';
// Documents into objects, all at once, one by one, or column by column.

const {whyNot, checkDocument, readHeader, lastOfEachName} = require('./document.cjs');
const {DocumentError, parseText} = require('./errors.cjs');
const {planOf, setOwn, widthFault} = require('./plan.cjs');
const {converterOf} = require('./types.cjs');

/** The rows as objects. */
function decode(doc, options = {}) {
	checkDocument(doc);
	return objectsOf(doc, options, !options.inPlace);
}

function objectsOf(doc, options, fresh) {
	const plan = planOf(doc, options);
	if (doc.rows) return plan.rows(doc.rows, fresh);
	checkVectors(doc);
	return plan.vals(doc.vals, fresh);
}

function checkVectors({cols, vals}) {
	if (vals.length !== cols.length) throw new DocumentError('"vals" and "cols" differ in length');
	for (const vector of vals) {
		if (!Array.isArray(vector)) throw new DocumentError('"vals" has an element that is not an array');
		if (vector.length !== vals[0].length) throw new DocumentError('the arrays in "vals" differ in length');
	}
}

/** The rows of a document in JSON text, as objects. */
function parse(text, options = {}) {
	const doc = parseText(text);
	checkDocument(doc);
	return objectsOf(doc, options, false);
}

/** Any JSON text: of a document the rows as objects, of all else the value. */
function parseJson(text, options = {}) {
	const value = JSON.parse(text);
	return whyNot(value) === null ? objectsOf(value, options, false) : value;
}

const isDocument = value => whyNot(value) === null;

/** The rows, each made an object when it is asked for, and again when it is asked for again. */
class LazyRows {
	#plan;
	#doc;

	constructor(doc, options) {
		checkDocument(doc);
		if (doc.vals) checkVectors(doc);
		this.#plan = planOf(doc, options);
		this.#doc = doc;
		this.length = doc.rows ? doc.rows.length : doc.vals.length && doc.vals[0].length;
	}

	/** A row, counted from the end if the index is negative; undefined if there is none. */
	at(index) {
		const i = index < 0 ? this.length + index : index;
		if (!(i >= 0 && i < this.length)) return undefined;
		return this.#doc.rows ? this.#plan.row(this.#doc.rows[i], true, i) : this.#plan.val(this.#doc.vals, i, true);
	}

	[Symbol.iterator]() {
		return new LazyIterator(this, this.length);
	}
}

/** By hand: a generator takes half as long again for each row. */
class LazyIterator {
	#rows;
	#next = 0;
	#end;

	constructor(rows, end) {
		this.#rows = rows;
		this.#end = end;
	}

	next() {
		if (this.#next >= this.#end) return {done: true, value: undefined};
		return {done: false, value: this.#rows.at(this.#next++)};
	}

	[Symbol.iterator]() {
		return this;
	}
}

const lazy = (doc, options = {}) => new LazyRows(doc, options);

// Of these types, all values fit. Where no type is told, numbers are doubles.
const ARRAYS = {int2: Int16Array, int4: Int32Array, int8: BigInt64Array, float4: Float32Array, float8: Float64Array};

/** An array of values per column, by name. */
function columns(doc, options = {}) {
	checkDocument(doc);
	if (doc.vals) checkVectors(doc);
	const result = {};
	if (doc.rows) doc.rows.forEach((row, i) => checkWidth(row, i, doc.cols.length));
	for (const column of lastOfEachName(readHeader(doc.cols, options.types === false ? null : doc.types))) {
		const cells = doc.vals ? doc.vals[column.index] : doc.rows.map(row => row === null ? null : row[column.index]);
		const values = valuesOf(cells, column, doc, options);
		setOwn(result, column.name, options.typed ? typedArray(values, column.type) : values);
	}
	return result;
}

function checkWidth(row, i, width) {
	if (row !== null && (!Array.isArray(row) || row.length !== width)) {
		throw new DocumentError(widthFault(row, width), {row: i});
	}
}

function valuesOf(cells, column, doc, options) {
	if (column.columns) {
		const types = Array.isArray(doc.types) ? [doc.types[column.index]] : undefined;
		const plan = planOf({cols: [doc.cols[column.index]], types}, options);
		return cells.map((cell, i) => plan.row([cell], true, i)[column.name]);
	}
	const convert = converterOf(column.type, options.types || {});
	return convert === null ? cells : cells.map(convert);
}

/** Of numbers alone, a typed array. Null is none, so a column with a null stays an array. */
function typedArray(values, type) {
	const kind = values.length === 0 ? 'undefined' : typeof values[0];
	if ((kind !== 'number' && kind !== 'bigint') || values.some(value => typeof value !== kind)) return values;
	const TypedArray = Object.hasOwn(ARRAYS, type) ? ARRAYS[type] : kind === 'bigint' ? BigInt64Array : Float64Array;
	return (TypedArray === BigInt64Array) === (kind === 'bigint') ? TypedArray.from(values) : values;
}

module.exports = {decode, parse, parseJson, isDocument, lazy, LazyRows, columns};
