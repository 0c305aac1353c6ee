import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {after, test} from 'node:test';
import {and, asc, eq, sql as dsql} from 'drizzle-orm';
import {drizzle} from 'drizzle-orm/node-postgres';
import {integer, numeric, pgTable, text, timestamp} from 'drizzle-orm/pg-core';
import {CamelCasePlugin, Kysely, PostgresDialect, sql as ksql} from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import {decode, documents, DocumentError, encode} from 'jsonrow';
import {inSchema as drizzleInSchema, rowsFrom as drizzleRowsFrom} from 'jsonrow/drizzle';
import {inSchema, JsonrowPlugin, rowsFrom} from 'jsonrow/kysely';
import {withDocuments} from 'jsonrow/pg';
import {withDocuments as withDocumentsOfPostgres} from 'jsonrow/postgres';

const require = createRequire(import.meta.url);
const pool = new pg.Pool({types: withDocuments(pg.types, {any: true})});
const plainPool = new pg.Pool();
const sql = postgres({max: 1, types: withDocumentsOfPostgres({any: true})});
const plainSql = postgres({max: 1});
after(() => Promise.all([pool.end(), plainPool.end(), sql.end(), plainSql.end()]));

const FILMS = [{id: 1, title: 'Alien'}, {id: 2, title: 'Brazil'}];

const MANY = `SELECT jsonrow_agg_json(f.*) AS text, jsonrow_agg(f.*) AS jsonb, jsoncol_agg(f.*) AS col,
	json_agg(f.*) AS plain, '{"cols": 1}'::jsonb AS other, 7 AS n, NULL::jsonrow AS nothing FROM film f`;
const MADE = {text: FILMS, jsonb: FILMS, col: FILMS, plain: FILMS, other: {cols: 1}, n: 7, nothing: null};

const DOCUMENTS = 'SELECT jsonrow_agg_json(f.*) AS text, jsonrow_agg(f.*) AS jsonb, ' +
	'NULL::jsonrow AS nothing, 7 AS n FROM film f';
const READ = {text: FILMS, jsonb: FILMS, nothing: null, n: 7};
const LOOKALIKE = `SELECT '{"cols": ["a"], "rows": [[1]]}'::jsonb AS other`;

test('pg: documents are what a query says is one', async () => {
	const types = withDocuments(pg.types);
	assert.deepEqual((await plainPool.query({text: DOCUMENTS, types})).rows, [READ]);
	await assert.rejects(plainPool.query({text: MANY, types}), DocumentError);
	assert.deepEqual((await plainPool.query(LOOKALIKE)).rows, [{other: {cols: ['a'], rows: [[1]]}}]);
});

test('documents: columns of a result, by name', async () => {
	assert.deepEqual(documents((await plainPool.query(MANY)).rows, 'text', 'jsonb', 'col', 'nothing'), [MADE]);
	assert.deepEqual([...documents(await plainSql.unsafe(MANY), 'text', 'jsonb', 'col', 'nothing')], [MADE]);
	assert.deepEqual(documents((await pool.query(MANY)).rows, 'text'), [MADE]);
	const texts = [{doc: '{"cols":["a"],"rows":[[1]]}'}, {doc: '{"cols":["a"],"rows":[[1,2]]}'}];
	assert.throws(() => documents(texts, 'doc'), {name: 'DocumentError', row: 1, column: 'doc',
		reason: 'a row has 2 cells, the header 1 names'});
	assert.throws(() => documents([{a: {b: 1}}], 'a'), {name: 'DocumentError', row: 0, column: 'a'});
	assert.throws(() => documents([{a: [1]}], 'a'), DocumentError);
	assert.throws(() => documents([{a: null}], 'b'), {name: 'TypeError', message: 'the result has no column "b"'});
});

test('pg, any: json and jsonb documents are objects, all else is as before', async () => {
	assert.deepEqual((await pool.query(MANY)).rows, [MADE]);
});

test('pg: options', async () => {
	const client = new pg.Client({types: withDocuments(pg.types, {any: true, types: {int4: String}})});
	await client.connect();
	await client.query(`SELECT jsonrow_is_valid('1'::json); SET jsonrow.header = types`);
	const {rows: [{doc}]} = await client.query('SELECT jsonrow_agg(f.*) AS doc FROM film f');
	await client.end();
	assert.deepEqual(doc[0], {id: '1', title: 'Alien'});
});

test('pg: encode', async () => {
	const {rows} = await pool.query('SELECT * FROM jsonrow_populate_recordset(NULL::film, $1::jsonb)', [encode(FILMS)]);
	assert.deepEqual(rows, FILMS);
});

test('postgres.js, any: json and jsonb documents are objects, all else is as before', async () => {
	assert.deepEqual([...await sql.unsafe(MANY)], [MADE]);
});

test('postgres.js: encode', async () => {
	const found = await sql`SELECT * FROM jsonrow_populate_recordset(NULL::film, ${encode(FILMS)}::jsonb)`;
	assert.deepEqual([...found], FILMS);
});

const AWARDS = [{year: 1986}, {year: 1988}];

const dialect = new PostgresDialect({pool: plainPool});
const plugins = [new JsonrowPlugin()];

test('Kysely: nested rows', async () => {
	const db = new Kysely({dialect, plugins});
	const awards = eb => eb.selectFrom('award').whereRef('award.actor', '=', 'actor.name').orderBy('year').select('year');
	const actors = eb => eb.selectFrom('actor').whereRef('actor.film_id', '=', 'film.id').where('name', '<>', 'x')
		.orderBy('name').select(e => ['name', rowsFrom(awards(e)).as('awards')]);
	const query = db.selectFrom('film').orderBy('id').select(eb => ['title', rowsFrom(actors(eb)).as('actors')]);
	assert.deepEqual(await query.execute(), [
		{title: 'Alien', actors: [{name: 'Hurt', awards: []}, {name: 'Weaver', awards: AWARDS}]},
		{title: 'Brazil', actors: []}]);
	assert.equal(require('jsonrow/kysely').rowsFrom(db.selectFrom('film').select('id')).compile(db).sql,
		'(select "jsonrow_agg_json"(agg.*) from (select "id" from "film") as agg)');
});

test('Kysely: only what the statement selects by rowsFrom is read', async () => {
	const db = new Kysely({dialect, plugins});
	const films = eb => rowsFrom(eb.selectFrom('film').select('id').orderBy('id')).as('films');
	const made = [{id: 1}, {id: 2}];
	const like = ksql`'{"cols": ["a"], "rows": [[1]]}'::jsonb`.as('other');
	const [row] = await db.selectNoFrom(eb => [films(eb), like, ksql`NULL::jsonrow`.as('nothing')]).execute();
	assert.deepEqual(row, {films: made, other: {cols: ['a'], rows: [[1]]}, nothing: null});
	const insert = db.insertInto('film').values({id: 7, title: 'x'}).returning(eb => ['id', films(eb)]);
	assert.deepEqual(await insert.execute(), [{id: 7, films: made}]);
	await db.deleteFrom('film').where('id', '=', 7).execute();
	const named = new Kysely({dialect, plugins: [new JsonrowPlugin({columns: ['films']})]});
	const cte = named.with('one', qb => qb.selectNoFrom(films)).selectFrom('one').selectAll();
	assert.deepEqual(await cte.execute(), [{films: made}]);
	const typed = db.selectNoFrom(eb => rowsFrom(eb.selectFrom('actor').select('born').orderBy('born')).as('list'));
	await assert.rejects(named.selectNoFrom(ksql`'{"a": 1}'::json`.as('films')).execute(), DocumentError);
	assert.deepEqual(await typed.execute(), [{list: [{born: '1949-10-08T12:00:00+00:00'}, {born: null}]}]);
});

test('Kysely: with names in camelCase', async () => {
	for (const both of [[...plugins, new CamelCasePlugin()], [new CamelCasePlugin(), ...plugins]]) {
		const db = new Kysely({dialect, plugins: both});
		const query = db.selectNoFrom(eb => rowsFrom(eb.selectFrom('film').select('id').orderBy('id')).as('allFilms'));
		assert.deepEqual(await query.execute(), [{allFilms: [{id: 1}, {id: 2}]}]);
	}
});

test('Kysely and Drizzle: an extension in another schema', async () => {
	await plainPool.query('CREATE SCHEMA "Ext"; ALTER EXTENSION jsonrow SET SCHEMA "Ext"');
	try {
		const db = new Kysely({dialect, plugins});
		const films = inSchema('Ext').rowsFrom(db.selectFrom('film').select('id').orderBy('id'));
		assert.deepEqual(await db.selectNoFrom(films.as('films')).execute(), [{films: [{id: 1}, {id: 2}]}]);
		const other = drizzle(plainPool);
		const query = drizzleInSchema('Ext').rowsFrom(other.select().from(film).orderBy(film.id));
		assert.deepEqual(await other.select({films: query}).from(dsql`(select 1) one`), [{films: FILMS}]);
	} finally {
		await plainPool.query('ALTER EXTENSION jsonrow SET SCHEMA public; DROP SCHEMA "Ext"');
	}
});

const film = pgTable('film', {id: integer(), title: text()});
const actor = pgTable('actor', {filmId: integer('film_id'), name: text(), born: timestamp({withTimezone: true}),
	fee: numeric()});
const award = pgTable('award', {actor: text(), year: integer(), at: timestamp()});

for (const [name, from] of Object.entries({plainPool, pool})) {
	test(`Drizzle: nested rows, ${name}`, async () => {
		const db = drizzle(from);
		const awards = db.select({inYear: award.year, at: award.at})
			.from(award).where(eq(award.actor, actor.name)).orderBy(asc(award.year));
		const actors = db.select({fullName: actor.name, born: actor.born, fee: actor.fee, awards: drizzleRowsFrom(awards),
			shout: dsql`upper(${actor.name})`.as('other')})
			.from(actor).where(and(eq(actor.filmId, film.id), dsql`${actor.name} <> ${'x'}`)).orderBy(asc(actor.name));
		assert.deepEqual(await db.select({title: film.title, actors: drizzleRowsFrom(actors)}).from(film).orderBy(film.id), [
			{title: 'Alien', actors: [{fullName: 'Hurt', born: null, fee: null, awards: [], shout: 'HURT'},
				{fullName: 'Weaver', born: new Date('1949-10-08T12:00:00Z'), fee: '10.5', shout: 'WEAVER', awards: [
					{inYear: 1986, at: new Date('1987-03-30T20:00:00Z')}, {inYear: 1988, at: null}]}]},
			{title: 'Brazil', actors: []}]);
	});
}

test('Drizzle: a whole table, and what has no names', async () => {
	const db = drizzle(plainPool);
	const films = drizzleRowsFrom(db.select().from(film).orderBy(film.id));
	assert.deepEqual(await db.select({films}).from(dsql`(select 1) one`), [{films: FILMS}]);
	const join = db.select().from(film).innerJoin(actor, eq(film.id, actor.filmId));
	assert.throws(() => drizzleRowsFrom(join), /select columns/);
	assert.equal(typeof require('jsonrow/drizzle').rowsFrom, 'function');
});

test('without helpers: documents as values', async () => {
	const {rows: [{doc}]} = await plainPool.query('SELECT jsonrow_agg(f.*) AS doc FROM film f');
	assert.deepEqual(decode(doc), FILMS);
});
