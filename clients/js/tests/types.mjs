import assert from 'node:assert/strict';
import test from 'node:test';
import {columns, decode, lazy, parse} from 'jsonrow';
import {client, text} from './database.mjs';

await client.query(`SET jsonrow.header = types; SET jsonrow.big_numbers = string; SET timezone = 'UTC'`);
const typed = await text('SELECT jsonrow_agg_json(k.*) FROM kinds k');
const byColumn = await text('SELECT jsoncol_agg_json(k.*) FROM kinds k');
const jsonb = await text('SELECT jsonrow_agg(k.*) FROM kinds k');
const nested = await text(`SELECT jsonrow_agg_json(o.*) FROM (SELECT 1::int8 AS id,
	(SELECT jsonrow_agg_json(k.*) FROM (SELECT big, at FROM kinds ORDER BY id) k) AS list,
	(SELECT q FROM (SELECT big, bytes FROM kinds WHERE id = 1) q) AS one) o`);
await client.query('RESET ALL');

const ROWS = [
	{id: 1, big: 9007199254740993n, price: '0.10000', at: new Date('2024-05-01T10:00:00.5Z'),
		bytes: Uint8Array.of(0, 255, 16), list: [[1n, null], [9007199254740995n, 4n]], flag: true, f: NaN, label: 'é',
		tree: [{a: '1'}], day: '2024-05-01', oid: 4000000000},
	{id: 2, big: -1n, price: 'NaN', at: 'infinity', bytes: Uint8Array.of(), list: [], flag: false, f: -Infinity,
		label: '', tree: null, day: '-infinity', oid: 0},
	{id: null, big: null, price: null, at: null, bytes: null, list: null, flag: null, f: null, label: null, tree: null,
		day: null, oid: null},
	{id: 4, big: 4n, price: '123456789.12345', at: '0044-03-15T00:00:00+00:00 BC', bytes: Uint8Array.of(127), list: [4n],
		flag: null, f: 1e300, label: '"', tree: 7, day: '0044-03-15 BC', oid: 7},
];

for (const [name, doc] of Object.entries({'JSON text': typed, 'by column': byColumn, jsonb})) {
	test(`types: ${name}`, () => {
		assert.deepEqual(parse(doc), ROWS);
		assert.deepEqual(decode(JSON.parse(doc), {compile: false}), ROWS);
		assert.deepEqual([...lazy(JSON.parse(doc))], ROWS);
		const of = columns(JSON.parse(doc));
		for (const column of Object.keys(of)) assert.deepEqual(of[column], ROWS.map(row => row[column]));
	});
}

test('types: nested', () => {
	const [one, , , four] = ROWS;
	const list = ROWS.filter(row => row.id !== null).map(({big, at}) => ({big, at}));
	const expected = [{id: 1n, list: [...list, {big: null, at: null}], one: {big: one.big, bytes: one.bytes}}];
	assert.equal(four.big, list[2].big);
	for (const compile of [true, false]) assert.deepEqual(decode(JSON.parse(nested), {compile}), expected);
	assert.deepEqual(columns(JSON.parse(nested)).list, [expected[0].list]);
});

class Decimal {
	constructor(text) { this.text = text; }
}

test('types: by constructors and functions that are given', () => {
	const types = {numeric: cell => new Decimal(cell), int8: false, date: cell => `on ${cell}`};
	const [row] = parse(typed, {types});
	const {price, big, day, oid} = row;
	assert.deepEqual([price, big, day, oid], [new Decimal('0.10000'), '9007199254740993', 'on 2024-05-01', 4000000000]);
	assert.deepEqual(row.list, [['1', null], ['9007199254740995', '4']]);
	assert.throws(() => parse(typed, {types: {numeric() { throw new Error('mine'); }}}), {message: 'mine'});
});

test('types: not wanted', () => {
	const {cols, rows} = JSON.parse(typed);
	assert.deepEqual(parse(typed, {types: false}), decode({cols, rows}));
	assert.deepEqual(columns(JSON.parse(typed), {types: false}).big, rows.map(row => row[1]));
});

test('types: those that are not known or of another form leave the cells', () => {
	const rows = [['1', '[2]', 'x'], [{}, true, ['3']]], cols = ['a', 'b', 'c'];
	const given = [null, 7, 'int8', {}, [], ['int8'], ['int8', 'int8', 'int8', 'int8'], [1, {}, [1]],
		[{a: ['int8']}, null, 'app.int8']];
	const plain = decode({cols, rows});
	for (const types of given) assert.deepEqual(decode({cols, types, rows}), plain, JSON.stringify(types));
	const types = ['constructor', 'toString[]', '__proto__'];
	assert.deepEqual(decode({cols, types, rows}), plain);
	assert.deepEqual(decode({cols, types: ['int8', 'bytea', 'timestamptz'], rows}),
		[{a: 1n, b: '[2]', c: 'x'}, {a: {}, b: true, c: new Date(['3'])}]);
});
