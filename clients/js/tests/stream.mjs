import assert from 'node:assert/strict';
import {Readable} from 'node:stream';
import test from 'node:test';
import QueryStream from 'pg-query-stream';
import postgres from 'postgres';
import {batches, DocumentError, EndedEarlyError, rows} from 'jsonrow';
import {client, text} from './database.mjs';

const QUERY = `SELECT i AS id, CASE WHEN i % 3 > 0 THEN 'tëxt "],[" \\ ' || repeat('x', i % 300) END AS label,
	'[[1], {"rows": [2]}]'::json AS tree,
	(SELECT jsonrow_agg_json(a.*) FROM (SELECT j AS k, '}' AS l FROM generate_series(1, i % 4) j) a) AS list
	FROM generate_series(1, 2000) i`;
const objects = JSON.parse(await text(`SELECT jsonrow_objects_agg_json(q.*) FROM (${QUERY}) q`));
const FORMS = {rows: 'jsonrow_stream', lines: 'jsonrow_stream_lines', objects: 'jsonrow_stream_objects',
	object_lines: 'jsonrow_stream_object_lines'};
const pieces = {};
for (const [form, name] of Object.entries(FORMS)) {
	pieces[form] = (await client.query({text: `SELECT ${name}($1)`, values: [QUERY], rowMode: 'array'})).rows.flat();
}

const all = async (source, options) => {
	const list = [];
	for await (const row of rows(source, options)) list.push(row);
	return list;
};
/** The bytes in pieces of a length, which cut characters, too */
function* cut(bytes, length) {
	for (let i = 0; i < bytes.length; i += length) yield bytes.subarray(i, i + length);
}

for (const [form, list] of Object.entries(pieces)) {
	const whole = list.join('');

	test(`${form}: the test has many pieces`, () => assert.ok(list.length > 3));
	test(`${form}: pieces`, async () => assert.deepEqual(await all(list), objects));
	test(`${form}: the whole as a string`, async () => assert.deepEqual(await all(whole), objects));
	test(`${form}: the form is told`, async () => assert.deepEqual(await all(list, {form}), objects));
	test(`${form}: without eval`, async () => assert.deepEqual(await all(list, {compile: false}), objects));
	test(`${form}: bytes in pieces of any length`, async () => {
		for (const length of [11, 1000, 65536]) assert.deepEqual(await all(cut(Buffer.from(whole), length)), objects);
	});
	test(`${form}: a stream of Node.js`, async () =>
		assert.deepEqual(await all(Readable.from(cut(Buffer.from(whole), 5000))), objects));
	test(`${form}: a web stream`, async () =>
		assert.deepEqual(await all(new Response(whole).body), objects));
	test(`${form}: a web stream that is not iterable`, async () => {
		const {body} = new Response(whole);
		assert.deepEqual(await all({getReader: () => body.getReader()}), objects);
	});
	test(`${form}: batches`, async () => {
		const found = [];
		for await (const batch of batches(list)) found.push(batch);
		assert.deepEqual(found.flat(), objects);
		assert.ok(found.length > 3 && found.every(batch => batch.length > 0));
	});
	test(`${form}: pg-query-stream`, async () => {
		const query = new QueryStream(`SELECT ${FORMS[form]}($1)`, [QUERY], {batchSize: 2});
		assert.deepEqual(await all(client.query(query)), objects);
	});
	test(`${form}: a loop that is left ends the query`, async () => {
		const endless = `SELECT generate_series(1, 1000000000) AS i`;
		const query = new QueryStream(`SELECT ${FORMS[form]}($1)`, [endless], {batchSize: 2});
		for await (const row of rows(client.query(query))) {
			if (row.i === 20000) break;
		}
		assert.equal(await text('SELECT 1'), '1');
	});
	test(`${form}: no rows`, async () => {
		const {rows: found} = await client.query(`SELECT ${FORMS[form]}('SELECT 1 AS a WHERE false') AS piece`);
		assert.deepEqual(await all(found, {form}), []);
		if (found.length > 0) assert.deepEqual(await all(found), []);
	});
	test(`${form}: nulls and strange names`, async () => {
		const query = `SELECT NULL AS "__proto__", 1 AS "rows", '"rows":[' AS "cols" UNION ALL SELECT 2, 3, ']}'`;
		const {rows: found} = await client.query(`SELECT ${FORMS[form]}($1) AS piece`, [query]);
		const expected = JSON.parse(await text(`SELECT jsonrow_objects_agg_json(q.*) FROM (${query}) q`));
		assert.deepEqual(await all(found), expected);
		assert.deepEqual(await all([...found.map(row => row.piece).join('')]), expected);
	});
	if (form !== 'object_lines') {
		test(`${form}: cut off`, async () => {
			const short = form === 'lines' ? list.join('').replace(/\{"rows".*\n$/, '') : whole.slice(0, -1);
			const ends = [short.length, whole.indexOf('tëxt') + 2, 8].map(length => short.slice(0, length));
			for (const part of ends) {
				const found = [];
				await assert.rejects(async () => { for await (const row of rows([part])) found.push(row); }, error =>
					error instanceof EndedEarlyError && error.row === found.length && error.offset === part.length);
				assert.deepEqual(found, objects.slice(0, found.length));
			}
			await assert.rejects(all(list.slice(0, -1)), EndedEarlyError);
			await assert.rejects(all([]), EndedEarlyError);
		});
	}
}

test('rows: text that PostgreSQL made of jsonb, all in one or letter by letter', async () => {
	const {rows: docs} = await client.query(
		`SELECT doc::text AS doc, jsonrow_to_objects(doc) AS objects FROM docs WHERE doc ? 'rows'`);
	for (const {doc, objects: expected} of docs) {
		assert.deepEqual(await all(doc), expected);
		assert.deepEqual(await all([...doc]), expected);
	}
});

test('lines: a count that is not that of the rows', async () => {
	await assert.rejects(all('{"cols":["a"]}\n[1]\n{"rows":2}\n'), {name: 'EndedEarlyError', row: 1,
		message: 'the jsonrow stream ended early: it had 2 rows (row 1, character 30)'});
	await assert.rejects(all('{"cols":["a"]}\n[1]\n{"rows":1}\n[2]\n'), {name: 'DocumentError', row: 1});
});

test('lines: lines without anything, as programs add, and a last one without an end', async () => {
	assert.deepEqual(await all('{"cols":["a"]}\n[1]\n\n[2]\r\n\n{"rows":2}'), [{a: 1}, {a: 2}]);
	assert.deepEqual(await all('{"a":1}\n\n{"a":2}'), [{a: 1}, {a: 2}]);
});

test('lines: what is none', async () => {
	const broken = {name: 'DocumentError', message: /the text is not JSON.*\(row 1\)$/};
	await assert.rejects(all('{"cols":["a"]}\n[1]\n[1\n2]\n{"rows":1}\n'), broken);
	await assert.rejects(all(['{"cols":["a"]}\n', '[1]\n[1\n']), broken);
	await assert.rejects(all('{"cols":["a"]\n[1]\n', {form: 'lines'}), {name: 'DocumentError', row: undefined});
	await assert.rejects(all('{"cols":["a"]}\n[1]\n5\n'), {name: 'DocumentError', message: /neither a row nor the last/});
	await assert.rejects(all('[1]\n', {form: 'lines'}), {name: 'DocumentError', message: /first line is no header/});
	await assert.rejects(all('{"rows":0}\n', {form: 'lines'}), {name: 'DocumentError', message: /first line is no/});
	await assert.rejects(all('{"cols":["a"],"vals":[[1]]}'), {name: 'DocumentError', message: /both "rows" and "vals"/});
	await assert.rejects(all('{"a":1}\n{"a":'), {name: 'EndedEarlyError', row: 1});
	await assert.rejects(all('{"a":1}\n{"a":\n{"a":2}'), broken);
});

test('rows that are none tell where', async () => {
	const second = {name: 'DocumentError', row: 1, column: 'b'};
	await assert.rejects(all('{"cols":[{"b":[["c"]]}]}\n[[]]\n[1]\n{"rows":2}'), second);
	await assert.rejects(all(['{"cols":[{"b":[["c"]]}],"rows":[', '[[]]', ',[1]', ',[null]]}']), second);
	await assert.rejects(all('{"cols":["b","c"],"rows":[[1]]}'), {name: 'DocumentError', row: 0});
});

test('what follows a document or an array is an error', async () => {
	await assert.rejects(all('{"cols":["a"],"rows":[[1]]}x'), DocumentError);
	await assert.rejects(all('{"cols":["a"],"rows":[[1]],"x"}'), DocumentError);
	await assert.rejects(all('[{"a":1}]]'), DocumentError);
});

test('lines: types', async () => {
	const source = '{"cols":["a"],"types":["int8"]}\n["9007199254740993"]\n{"rows":1}\n';
	assert.deepEqual(await all(source), [{a: 9007199254740993n}]);
	assert.deepEqual(await all(source, {types: {int8: String}}), [{a: '9007199254740993'}]);
});

test('sources that give something else', async () => {
	for (const source of [[5], [{}], [{a: 1, b: 2}], [null]]) await assert.rejects(all(source), TypeError);
	for (const source of [5, null, {}]) await assert.rejects(all(source), TypeError);
	await assert.rejects(all('[]', {form: 'x'}), {name: 'TypeError', message: 'there is no form "x"'});
	await assert.rejects(all([Uint8Array.of(0x5b, 0xff)]), DocumentError);
});

test('postgres.js: a cursor', async () => {
	const sql = postgres({max: 1});
	try {
		assert.deepEqual(await all(sql`SELECT jsonrow_stream_lines(${QUERY}::text)`.cursor(16)), objects);
		assert.deepEqual(await all(sql`SELECT jsonrow_stream(${QUERY}::text)`.cursor(1)), objects);
	} finally {
		await sql.end();
	}
});
