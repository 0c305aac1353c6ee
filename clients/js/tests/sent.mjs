// What jsonrow.accelerate sends is what PostgreSQL sends without it, as node-postgres and postgres.js receive it.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import pg from 'pg';
import postgres from 'postgres';

const RESULTS = {
	sizes: `SELECT n, doc, doc::json AS json, doc -> 'list' AS list FROM unnest('{0,1,2,31,32,33,1000,20000}'::int[]) n,
		LATERAL (SELECT jsonb_build_object('n', n, 'text', repeat(E'a "quoted" é\\n\\x01', n), 'none', NULL, 'list',
			(SELECT jsonb_agg(i * 1.50) FROM generate_series(1, n) i)) AS doc) d`,
	types: `SELECT '1.50'::jsonb AS number, '"x"'::jsonb AS string, 'null'::jsonb AS "null", NULL::jsonb AS none,
		'true'::jsonb AS flag, '{}'::jsonb AS object, '[]'::jsonb AS array, ' { "a" : 1 } '::json AS json, 7 AS n,
		'{"cols":[],"rows":[]}'::jsonrow AS doc`,
	catalog: 'SELECT to_jsonb(c) AS jsonb, row_to_json(c) AS json FROM pg_class c ORDER BY oid',
	aggregates: 'SELECT jsonb_agg(c ORDER BY oid) AS jsonb, json_agg(c ORDER BY oid) AS json FROM pg_class c',
};
const RAW = {rowMode: 'array', types: {getTypeParser: () => value => value}};
const EXTENDED = {...RAW, values: [], queryMode: 'extended'};

const client = new pg.Client();
await client.connect();
const sql = postgres({max: 1, fetch_types: false, types: {
	text: {from: [114, 3802], parse: value => value, to: 25, serialize: String}}});
after(() => Promise.all([client.end(), sql.end()]));
await client.query("SELECT jsonrow_is_valid('1'::jsonb)");
await sql.unsafe("SELECT jsonrow_is_valid('1'::jsonb)");

const ways = {
	'pg, simple': text => client.query({...RAW, text}),
	'pg, extended': text => client.query({...EXTENDED, text}),
	'pg, prepared': text => client.query({...RAW, text, name: text.slice(0, 60)}),
	'pg, binary': text => client.query({...EXTENDED, text, binary: true}),
	'pg, some rows at a time': text => client.query({...EXTENDED, text, rows: 2}),
};

for (const [what, text] of Object.entries(RESULTS)) {
	for (const [way, ask] of Object.entries(ways)) {
		test(`sent: ${what}, ${way}`, async () => {
			const [off, on] = [[], []];
			for (const [mode, found] of Object.entries({off, on})) {
				await client.query(`SET jsonrow.accelerate = ${mode}`);
				const {rows, fields} = await ask(text);
				found.push(rows, fields.map(({name, dataTypeID, format}) => [name, dataTypeID, format]));
			}
			assert.ok(off[0].length > 0);
			assert.deepEqual(on, off);
		});
	}
	for (const [way, prepare] of [['simple', false], ['prepared', true]]) {
		test(`sent: ${what}, postgres.js, ${way}`, async () => {
			const found = [];
			for (const mode of ['off', 'on']) {
				await sql.unsafe(`SET jsonrow.accelerate = ${mode}`);
				found.push([...await sql.unsafe(text, [], {prepare}).raw()]);
			}
			assert.ok(found[0].length > 0);
			assert.deepEqual(found[1], found[0]);
		});
	}
}
