// Every example of the README is run, or compiled.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {after, test} from 'node:test';
import ts from 'typescript';
import {client} from './database.mjs';

const readme = readFileSync('README.md', 'utf8');
const blocks = [...readme.matchAll(/^```(js|ts)\n([^]*?)^```/gm)].map(([, language, code], i) =>
	({language, code, line: readme.slice(0, readme.indexOf(code)).split('\n').length, name: `readme${i}`}));
const dir = mkdtempSync('readme-');
after(() => rmSync(dir, {recursive: true}));

writeFileSync(`${dir}/setup.mjs`, `
import {integer, pgTable, text} from 'drizzle-orm/pg-core';
import pg from 'pg';
globalThis.client = new pg.Client();
await client.connect();
globalThis.pool = new pg.Pool();
globalThis.film = pgTable('film', {id: integer(), title: text()});
globalThis.actor = pgTable('actor', {filmId: integer('film_id'), name: text()});
`);

const printed = {};
for (const {language, code, line, name} of blocks) {
	if (language === 'js') {
		test(`README, line ${line}: runs`, () => {
			writeFileSync(`${dir}/${name}.mjs`, `import './setup.mjs';\n${code}\nprocess.exit();\n`);
			printed[line] = execFileSync(process.execPath, [`${dir}/${name}.mjs`], {encoding: 'utf8'});
			if (code.includes('console.log')) assert.notEqual(printed[line], '');
		});
	}
}
test('README: the examples print what they say', async () => {
	assert.equal((await client.query('DELETE FROM film WHERE id > 2')).rowCount, 2);	// what they insert
	assert.equal(Object.values(printed).join('').replaceAll(/\s+/g, ' '),
		`Hurt [ { day: '2024-05-01', price: 1.5 }, { day: '2024-05-02', price: 2 } ] 2 Float64Array(2) [ 1.5, 2 ] ` +
		`[ { id: 7, day: 2024-05-01T00:00:00.000Z, price: '0.10' } ] Alien Brazil Alien Brazil Alien Hurt Hurt `);
});

test('README: the first example runs', async () => {
	const [{code}] = blocks;
	const {outputText} = ts.transpileModule(code, {compilerOptions: {module: 'esnext', target: 'es2022'}});
	writeFileSync(`${dir}/first.mjs`, outputText);
	const {films} = await import(`../${dir}/first.mjs`);
	assert.deepEqual(await films(client),
		[{title: 'Alien', actors: [{name: 'Hurt'}, {name: 'Weaver'}]}, {title: 'Brazil', actors: []}]);
});

const TYPES = `
import pg from 'pg';
import postgres from 'postgres';
import {eq} from 'drizzle-orm';
import {drizzle} from 'drizzle-orm/node-postgres';
import {integer, pgTable, text} from 'drizzle-orm/pg-core';
import {Kysely, PostgresDialect} from 'kysely';
import {batches, columns, decode, documents, DocumentError, encode, EndedEarlyError, isDocument, lazy, parse,
	parseJson, rows, type Doc, type Place} from 'jsonrow';
import {rowsFrom as fromDrizzle} from 'jsonrow/drizzle';
import {inSchema, JsonrowPlugin, rowsFrom} from 'jsonrow/kysely';
import {withDocuments} from 'jsonrow/pg';
import {withDocuments as types} from 'jsonrow/postgres';

interface Film { id: number; title: string | null; actors: {name: string}[] }
declare const doc: Doc<Film>;
export const all: Film[] = decode(doc, {inPlace: true});
export const same: Film[] = decode<Film>(JSON.parse('{}'));
export const row: Film | undefined = lazy(doc).at(-1);
export const literal: Record<string, unknown>[] = decode(
	{cols: ['a', {b: ['c']}, {d: [['e']]}], rows: [[1, [2], null], null]});
for (const film of lazy(doc)) film.actors[0]?.name.length;
export const titles: readonly (string | null)[] = columns(doc).title;
export const ids = columns(doc, {typed: true}).id.length;
export const back: Doc<Film> = encode(all, {cols: ['id']});
export const any: number = parseJson('1', {types: {numeric: (cell: string) => new Date(cell), int8: false}});
export async function stream(body: ReadableStream<Uint8Array>, source: AsyncIterable<Buffer>): Promise<string | null> {
	for await (const film of rows<Film>(body, {form: 'lines'})) return film.title;
	for await (const batch of batches<Film>(source)) return batch[0]!.title;
	return null;
}
const value: unknown = 1;
if (isDocument(value)) decode(value);
// @ts-expect-error no such member
decode(doc)[0]!.name;
// @ts-expect-error rows of another type
export const wrong: {x: 1}[] = decode(doc);
// @ts-expect-error not a name
decode({cols: [1], rows: []});
// @ts-expect-error not a form
rows('', {form: 'row'});
// @ts-expect-error text is parsed first
decode('');

export const pool = new pg.Pool({types: withDocuments(pg.types, {types: {int8: String}})});
export const sql = postgres({types: types()});
interface Database { film: {id: number; title: string}; actor: {film_id: number; name: string; born: Date | null} }
const db = new Kysely<Database>({dialect: new PostgresDialect({pool}), plugins: [new JsonrowPlugin()]});
export const born: Promise<{list: {born: string | null}[]}[]> = db.selectFrom('film').select(eb =>
	inSchema('ext').rowsFrom(eb.selectFrom('actor').select('born')).as('list')).execute();
// @ts-expect-error in JSON it is a string
export const date: Promise<{list: {born: Date | null}[]}[]> = born;
export const named: {films: Film[]; n: number}[] = documents([{films: all, n: 1}], 'films');
declare const results: {films: Doc<Film> | null; n: number; any: any}[];
export const made: {films: Film[] | null; n: number}[] = documents(results, 'films');
export const anything: string = documents(results, 'any')[0]!.any.any;
// @ts-expect-error no such column
documents([{films: all}], 'film');
// @ts-expect-error not exported
export type {row as symbolOfDoc} from 'jsonrow';
export const same2: Place = new DocumentError('x');
export const place = (error: DocumentError | EndedEarlyError): [number | undefined, string | undefined, string] =>
	[error.row, error.column, error.reason];
export const films: Promise<{title: string; actors: {name: string}[]}[]> = db.selectFrom('film').select(eb => [
	'title', rowsFrom(eb.selectFrom('actor').select('name').whereRef('actor.film_id', '=', 'film.id')).as('actors'),
]).execute();
const film = pgTable('film', {id: integer(), title: text()});
const actor = pgTable('actor', {filmId: integer('film_id'), name: text().notNull()});
const other = drizzle(pool);
const actors = fromDrizzle(other.select({name: actor.name}).from(actor).where(eq(actor.filmId, film.id)));
export const more: Promise<{title: string | null; actors: {name: string}[]}[]> = other
	.select({title: film.title, actors}).from(film).then(list => list);
`;

test("TypeScript, --strict, of both module systems: the README's examples and all functions", () => {
	const sources = [...blocks.filter(({language}) => language === 'ts'), {code: TYPES, name: 'types'}];
	assert.equal(sources.length, 3);
	const files = sources.flatMap(({code, name}) => ['mts', 'cts'].map(extension => {
		writeFileSync(`${dir}/${name}.${extension}`, code);
		return `${dir}/${name}.${extension}`;
	}));
	try {
		execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--strict', '--noEmit',
			'--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022,dom',
			'--module', 'node16', '--types', 'node', '--skipLibCheck', ...files], {encoding: 'utf8'});
	} catch (error) {
		assert.fail(error.stdout);
	}
});
