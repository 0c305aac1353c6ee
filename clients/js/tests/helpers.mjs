import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {after, test} from 'node:test';
import {and, asc, eq, sql as dsql} from 'drizzle-orm';
import {drizzle} from 'drizzle-orm/node-postgres';
import {integer, numeric, pgTable, text, timestamp} from 'drizzle-orm/pg-core';
import {Kysely, PostgresDialect} from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import {decode, encode} from 'jsonrow';
import {rowsFrom as drizzleRowsFrom} from 'jsonrow/drizzle';
import {rowsFrom} from 'jsonrow/kysely';
import {withDocuments} from 'jsonrow/pg';
import {withDocuments as withDocumentsOfPostgres} from 'jsonrow/postgres';

const require = createRequire(import.meta.url);
const pool = new pg.Pool({types: withDocuments(pg.types)});
const plainPool = new pg.Pool();
const sql = postgres({max: 1, types: withDocumentsOfPostgres()});
after(() => Promise.all([pool.end(), plainPool.end(), sql.end()]));

const FILMS = [{id: 1, title: 'Alien'}, {id: 2, title: 'Brazil'}];

const MANY = `SELECT jsonrow_agg_json(f.*) AS text, jsonrow_agg(f.*) AS jsonb, jsoncol_agg(f.*) AS col,
	json_agg(f.*) AS plain, '{"cols": 1}'::jsonb AS other, 7 AS n, NULL::jsonrow AS nothing FROM film f`;
const MADE = {text: FILMS, jsonb: FILMS, col: FILMS, plain: FILMS, other: {cols: 1}, n: 7, nothing: null};

test('pg: json and jsonb documents are objects, all else is as before', async () => {
	assert.deepEqual((await pool.query(MANY)).rows, [MADE]);
});

test('pg: options', async () => {
	const client = new pg.Client({types: withDocuments(pg.types, {types: {int4: String}})});
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

test('postgres.js: json and jsonb documents are objects, all else is as before', async () => {
	assert.deepEqual([...await sql.unsafe(MANY)], [MADE]);
});

test('postgres.js: encode', async () => {
	const found = await sql`SELECT * FROM jsonrow_populate_recordset(NULL::film, ${encode(FILMS)}::jsonb)`;
	assert.deepEqual([...found], FILMS);
});

const AWARDS = [{year: 1986}, {year: 1988}];

test('Kysely: nested rows', async () => {
	const db = new Kysely({dialect: new PostgresDialect({pool})});
	const awards = eb => eb.selectFrom('award').whereRef('award.actor', '=', 'actor.name').orderBy('year').select('year');
	const actors = eb => eb.selectFrom('actor').whereRef('actor.film_id', '=', 'film.id').where('name', '<>', 'x')
		.orderBy('name').select(e => ['name', rowsFrom(awards(e)).as('awards')]);
	const query = db.selectFrom('film').orderBy('id').select(eb => ['title', rowsFrom(actors(eb)).as('actors')]);
	assert.deepEqual(await query.execute(), [
		{title: 'Alien', actors: [{name: 'Hurt', awards: []}, {name: 'Weaver', awards: AWARDS}]},
		{title: 'Brazil', actors: []}]);
	assert.equal(require('jsonrow/kysely').rowsFrom(db.selectFrom('film').select('id')).compile(db).sql,
		'(select jsonrow_agg_json(agg.*) from (select "id" from "film") as agg)');
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
