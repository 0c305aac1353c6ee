import assert from 'node:assert/strict';
import test from 'node:test';
import {decode, encode} from 'jsonrow';
import {client} from './database.mjs';

const recordset = async (type, doc) =>
	(await client.query(`SELECT * FROM jsonrow_populate_recordset(NULL::${type}, $1::jsonb)`, [doc])).rows;

test('encode: keys in the order in which they first appear; what is missing is null', () => {
	assert.deepEqual(encode([{b: 1, a: undefined}, null, {a: 2, c: 3}]),
		{cols: ['b', 'a', 'c'], rows: [[1, null, null], null, [null, 2, 3]]});
	assert.deepEqual(encode([]), {cols: [], rows: []});
	assert.deepEqual(encode(new Set([{a: 1}])), {cols: ['a'], rows: [[1]]});
	assert.deepEqual(encode([{a: 1, b: 2}], {cols: ['b', 'toString']}), {cols: ['b', 'toString'], rows: [[2, null]]});
});

test('encode, decode', () => {
	const rows = [{a: 1, b: [{c: 2}], ...JSON.parse('{"__proto__": 3}')}, null];
	assert.deepEqual(decode(encode(rows)), rows);
});

test('encode: all kinds of values arrive', async () => {
	const row = {id: 1, big: 9007199254740993n, price: '0.10000', at: new Date('2024-05-01T10:00:00.5Z'),
		bytes: Uint8Array.of(0, 255, 16), list: [1n, null, 9007199254740995n], flag: true, f: NaN, label: 'é"\\',
		tree: {a: [1, {b: 2n}]}};
	const [found] = await recordset('kinds', encode([row]));
	assert.deepEqual(found, {...row, big: '9007199254740993', bytes: Buffer.from(row.bytes),
		list: ['1', null, '9007199254740995'], tree: {a: [1, {b: '2'}]}, day: null, oid: null});
	const infinite = await recordset('kinds', encode([{f: -Infinity}, {f: Infinity}, {f: -0}, {}]));
	assert.deepEqual(infinite.map(({f}) => f), [-Infinity, Infinity, 0, null]);
});

test('encode: dates of all years', async () => {
	const dates = ['-000043-03-15T12:00:00.000Z', '0000-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z',
		'+012345-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'].map(text => new Date(text));
	const {rows} = await client.query({rowMode: 'array', values: [encode(dates.map(at => ({at})))],
		text: `SELECT extract(epoch FROM at)::float8 * 1000 FROM jsonrow_populate_recordset(NULL::kinds, $1::jsonb)`});
	assert.deepEqual(rows.flat(), dates.map(Number));
	assert.deepEqual(encode([{at: new Date(NaN)}]).rows, [[null]]);
});

test('encode: typed arrays, and objects that know their JSON', () => {
	const object = {a: Int32Array.of(1, 2), b: Float64Array.of(NaN), c: {toJSON: () => 'c'}, d: BigInt64Array.of(3n)};
	assert.deepEqual(encode([object]).rows, [[[1, 2], ['NaN'], 'c', ['3']]]);
});
