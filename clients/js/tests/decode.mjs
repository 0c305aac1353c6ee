import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';
import test from 'node:test';
import {columns, decode, DocumentError, isDocument, lazy, parse, parseJson} from 'jsonrow';
import {client} from './database.mjs';

const {rows: docs} = await client.query({rowMode: 'array', types: {getTypeParser: () => String},
	text: 'SELECT name, doc, doc::text::json, jsonrow_to_objects(doc) FROM docs ORDER BY name'});

const WAYS = {
	decode: text => decode(JSON.parse(text)),
	'decode in place': text => decode(JSON.parse(text), {inPlace: true}),
	'decode without eval': text => decode(JSON.parse(text), {compile: false}),
	'decode in place without eval': text => decode(JSON.parse(text), {compile: false, inPlace: true}),
	parse: text => parse(text),
	parseJson: text => parseJson(text),
	lazy: text => [...lazy(JSON.parse(text))],
	'lazy without eval': text => [...lazy(JSON.parse(text), {compile: false})],
};
for (const [way, objectsOf] of Object.entries(WAYS)) {
	for (const [name, doc, , objects] of docs) {
		test(`${way}: ${name}`, () => assert.deepEqual(objectsOf(doc), JSON.parse(objects)));
	}
}

test('decode and lazy leave the document as it is', () => {
	for (const [, text] of docs) {
		const doc = JSON.parse(text);
		decode(doc);
		decode(doc, {compile: false});
		Array.from(lazy(doc));
		columns(doc, {typed: true});
		assert.deepEqual(doc, JSON.parse(text));
	}
});

test('objects are plain, with keys in the order of the columns', () => {
	const [object] = decode({cols: ['b', 'a', {d: [['z', 'y']]}], rows: [[1, 2, [[3, 4]]]]});
	assert.equal(Object.getPrototypeOf(object), Object.prototype);
	assert.equal(JSON.stringify(object), '{"b":1,"a":2,"d":[{"z":3,"y":4}]}');
	assert.equal(JSON.stringify(decode({cols: ['b', 'a'], rows: [[1, 2]]}, {compile: false})), '[{"b":1,"a":2}]');
});

test('a name "__proto__" is a member, and no prototype', () => {
	for (const compile of [true, false]) {
		const [object] = decode({cols: ['__proto__', 'a'], rows: [[{polluted: 1}, 2]]}, {compile});
		assert.deepEqual(Object.keys(object), ['__proto__', 'a']);
		assert.equal(object.polluted, undefined);
		assert.equal(Object.getPrototypeOf(object), Object.prototype);
	}
	assert.deepEqual(Object.keys(columns({cols: ['__proto__'], rows: [[1]]})), ['__proto__']);
});

test('lazy: length, at, and rows counted from the end', () => {
	for (const doc of [{cols: ['a'], rows: [[1], null, [3]]}, {cols: ['a'], vals: [[1, null, 3]]}]) {
		const rows = lazy(doc);
		assert.equal(rows.length, 3);
		assert.deepEqual([rows.at(0), rows.at(-1)], [{a: 1}, {a: 3}]);
		assert.deepEqual([rows.at(3), rows.at(-4), rows.at(NaN)], [undefined, undefined, undefined]);
		assert.deepEqual([...rows], decode(doc));
		assert.deepEqual([...rows], [...rows]);
	}
});

test('columns are those of the objects', () => {
	for (const [name, text, , objects] of docs) {
		const of = columns(JSON.parse(text)), rows = JSON.parse(objects);
		for (const key of Object.keys(of)) {
			const expected = rows.map(row => row === null ? null : row[key]);
			if (name.startsWith('names of') && key === '__proto__') continue;	// row[key] is what the key means
			assert.deepEqual(of[key], expected, `${key} of ${name}`);
		}
	}
});

test('columns of numbers are typed arrays', () => {
	const of = columns({cols: ['n', 's', 'null', 'none'], rows: [[1, 'a', null, 1], [2.5, 'b', 2, 'x']]}, {typed: true});
	assert.deepEqual(of, {n: Float64Array.of(1, 2.5), s: ['a', 'b'], null: [null, 2], none: [1, 'x']});
	const types = ['int2', 'int4', 'int8', 'float4', 'float8', 'oid'];
	assert.deepEqual(columns({cols: types, types, vals: [[1], [2], ['3'], [4.5], ['NaN'], ['6']]}, {typed: true}), {
		int2: Int16Array.of(1), int4: Int32Array.of(2), int8: BigInt64Array.of(3n), float4: Float32Array.of(4.5),
		float8: Float64Array.of(NaN), oid: Float64Array.of(6)});
	assert.deepEqual(columns({cols: types, types, vals: [[], [], [], [], [], []]}, {typed: true}).int2, []);
});

const NO_DOCUMENTS = {
	'it is not an object': [null, 1, 'x', [], undefined],
	'it has no array "cols"': [{}, {cols: 1, rows: []}],
	'it has no array "rows" or "vals"': [{cols: []}, {cols: [], rows: {}}],
	'it has both "rows" and "vals"': [{cols: [], rows: [], vals: []}],
	'it has a member "x"': [{cols: [], rows: [], x: 1}],
	'a name in "cols" is neither a string nor an object of one header':
		[[1], [{}], [{a: []}, {a: 1}], [{a: [], b: []}]].map(cols => ({cols, rows: []})),
	'a nested header has more than one element': [{cols: [{a: [['x'], 'y']}], rows: []}],
	'"vals" and "cols" differ in length': [{cols: ['a'], vals: []}],
	'"vals" has an element that is not an array': [{cols: ['a'], vals: [1]}],
	'the arrays in "vals" differ in length': [{cols: ['a', 'b'], vals: [[1], []]}],
};
for (const [why, values] of Object.entries(NO_DOCUMENTS)) {
	test(`no document: ${why}`, () => {
		for (const value of values) {
			for (const call of [decode, lazy, columns]) {
				assert.throws(() => call(value), error => error instanceof DocumentError
					&& error.name === 'DocumentError' && error.message === `not a jsonrow document: ${why}`);
			}
		}
	});
}

const FAULTS = {
	'a row has 1 cells, the header 2 names (row 1)': {cols: ['a', 'b'], rows: [[1, 2], [1], [1, 2]]},
	'a row has 3 cells, the header 2 names (row 0)': {cols: ['a', 'b'], rows: [[1, 2, 3]]},
	'a row is not an array (row 1)': {cols: ['a'], rows: [null, {a: 1}]},
	'a nested document is not an array of rows (row 0, column b)': {cols: ['a', {b: [['c']]}], rows: [[1, 7]]},
	'a row has 0 cells, the header 1 names (row 1, column b[2])': {cols: ['a', {b: [['c']]}],
		rows: [[1, []], [1, [[2], null, []]]]},
	'a row has 2 cells, the header 1 names (row 2, column b[1].d)': {cols: ['a', {b: [['c', {d: ['e']}]]}],
		rows: [[1, []], null, [2, [[3, [4]], [5, [6, 7]]]]]},
	'a row has 2 cells, the header 1 names (row 1, column b)': {cols: ['a', {b: ['c']}], vals: [[1, 2], [[3], [4, 5]]]},
};
for (const [why, doc] of Object.entries(FAULTS)) {
	test(`no document: ${why}`, () => {
		const [, row, column] = /row (\d+)(?:, column (.*))?\)$/.exec(why);
		const expected = {name: 'DocumentError', message: `not a jsonrow document: ${why}`, row: Number(row), column};
		const copy = () => structuredClone(doc);
		for (const compile of [true, false]) {
			assert.throws(() => decode(copy(), {compile}), expected);
			assert.throws(() => decode(copy(), {compile, inPlace: true}), expected);
			assert.throws(() => lazy(copy(), {compile}).at(Number(row)), expected);
			assert.throws(() => columns(copy(), {compile}), expected);
		}
		assert.throws(() => parse(JSON.stringify(doc)), expected);
	});
}

test('parse: what is no JSON is no document', () => assert.throws(() => parse('{"cols":['),
	error => error instanceof DocumentError && error.cause instanceof SyntaxError));

test('parseJson gives other JSON as it is', () => {
	for (const text of ['1', 'null', '[]', '{"cols":1}', '{"cols":[],"rows":[],"x":1}']) {
		assert.deepEqual(parseJson(text), JSON.parse(text));
		assert.equal(isDocument(JSON.parse(text)), false);
	}
	assert.equal(isDocument({cols: [], rows: []}), true);
});

test('headers of great depth', () => {
	let cols = ['a'], row = [1], object = {a: 1};
	for (let i = 0; i < 500; i++) [cols, row, object] = [[{d: [cols]}], [[row]], {d: [object]}];
	for (const compile of [true, false]) assert.deepEqual(decode({cols, rows: [row]}, {compile}), [object]);
});

test('more headers than are kept', () => {
	for (let i = 0; i < 1200; i++) assert.deepEqual(decode({cols: [`c${i}`], rows: [[i]]}), [{[`c${i}`]: i}]);
});

test('the same objects where code must not be made of strings', () => {
	const jsonrow = createRequire(import.meta.url).resolve('jsonrow');
	const script = `
		const {decode, lazy, parse} = require(process.argv[1]);
		let forbidden = false;
		try { new Function(''); } catch { forbidden = true; }
		const docs = JSON.parse(require('fs').readFileSync(0));
		const objectsOf = doc => [parse(doc), decode(JSON.parse(doc)), [...lazy(JSON.parse(doc))]];
		console.log(JSON.stringify([forbidden, docs.map(objectsOf)]));`;
	const [forbidden, answers] = JSON.parse(execFileSync(process.execPath,
		['--disallow-code-generation-from-strings', '-e', script, jsonrow],
		{input: JSON.stringify(docs.map(([, doc]) => doc)), maxBuffer: 1e8}));
	assert.equal(forbidden, true);
	docs.forEach(([name, , , objects], i) => {
		for (const answer of answers[i]) assert.deepEqual(answer, JSON.parse(objects), name);
	});
});
