// The examples of doc/tools.md as TypeScript against the libraries; and what
// these send by themselves is accelerated as that page says.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {PrismaPg} from '@prisma/adapter-pg';
import {PrismaClient} from '@prisma/client';
import {relations} from 'drizzle-orm';
import {drizzle} from 'drizzle-orm/node-postgres';
import {integer, pgTable, text} from 'drizzle-orm/pg-core';
import {Kysely, PostgresDialect} from 'kysely';
import {jsonArrayFrom} from 'kysely/helpers/postgres';
import pg from 'pg';
import {client} from './database.mjs';

const FILMS = [{title: 'Alien', actors: [{name: 'Hurt'}, {name: 'Weaver'}]}, {title: 'Brazil', actors: []}];

// What stands before an example, and what it gives
const TOOLS = {
	Prisma: {
		before: `
			import {PrismaPg} from '@prisma/adapter-pg';
			import {PrismaClient} from '@prisma/client';
			const prisma = new PrismaClient({adapter: new PrismaPg({})});`,
		result: 'list', type: '{id: number; title: string}[]',
		expected: [{id: 1, title: 'Alien'}, {id: 2, title: 'Brazil'}]},
	Drizzle: {
		before: `
			import {eq} from 'drizzle-orm';
			import {drizzle} from 'drizzle-orm/node-postgres';
			import {integer, pgTable, text} from 'drizzle-orm/pg-core';
			import pg from 'pg';
			const film = pgTable('film', {id: integer(), title: text()});
			const actor = pgTable('actor', {filmId: integer('film_id'), name: text().notNull()});
			const db = drizzle(new pg.Pool());`,
		result: 'films', type: '{title: string | null; actors: {name: string}[]}[]', expected: FILMS},
	Kysely: {
		before: `
			import {Kysely, PostgresDialect} from 'kysely';
			import pg from 'pg';
			interface Database { film: {id: number; title: string}; actor: {film_id: number; name: string} }`,
		result: 'films', type: '{title: string; actors: {name: string}[]}[]', expected: FILMS},
};

const page = readFileSync('tools.md', 'utf8');
const dir = mkdtempSync('tools-');
after(() => rmSync(dir, {recursive: true}));

for (const [tool, {before, result, type}] of Object.entries(TOOLS)) {
	const [, example] = page.match(new RegExp(`^## ${tool}\n(?:(?!^#)[^])*?^\`\`\`ts\n([^]*?)^\`\`\``, 'm'));
	writeFileSync(`${dir}/${tool}.mts`, `${before}\n${example}
		const typed: ${type} = ${result};
		console.log(JSON.stringify(typed));
		process.exit();`);
}

test('By tool: the examples are TypeScript, --strict', () => {
	try {
		execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--strict', '--target', 'es2022',
			'--module', 'node16', '--types', 'node', '--skipLibCheck',
			...Object.keys(TOOLS).map(tool => `${dir}/${tool}.mts`)]);
	} catch (error) {
		assert.fail(String(error.stdout));
	}
});

for (const [tool, {expected}] of Object.entries(TOOLS)) {
	test(`By tool: the example of ${tool} runs`, () => {
		assert.deepEqual(JSON.parse(execFileSync(process.execPath, [`${dir}/${tool}.mjs`])), expected);
	});
}

async function isAccelerated(sql, values) {
	await client.query(`LOAD 'jsonrow'; SET jsonrow.accelerate = on`);
	const {rows} = await client.query({text: `EXPLAIN (VERBOSE, COSTS OFF) ${sql}`, values, rowMode: 'array'});
	await client.query('RESET jsonrow.accelerate');
	const plan = rows.join('\n');
	assert.match(plan, /jsonrow_core_/);
	assert.doesNotMatch(plan, /\b(?:jsonb?_|row_to_json|to_json|array_to_json)\w*\(/);
}

test("By tool: relationLoadStrategy: 'join' of Prisma is one query, and accelerated", async () => {
	const prisma = new PrismaClient({adapter: new PrismaPg({}), log: [{emit: 'event', level: 'query'}]});
	const sent = [];
	prisma.$on('query', event => sent.push(event));
	const films = await prisma.film.findMany({
		relationLoadStrategy: 'join', orderBy: {id: 'asc'},
		include: {actors: {orderBy: {name: 'asc'}, select: {name: true}}}});
	await prisma.$disconnect();
	assert.deepEqual(films, FILMS.map((film, i) => ({id: i + 1, ...film})));
	assert.equal(sent.length, 1);
	await isAccelerated(sent[0].query, JSON.parse(sent[0].params));
});

test('By tool: relational queries of Drizzle are accelerated', async () => {
	const film = pgTable('film', {id: integer(), title: text()});
	const actor = pgTable('actor', {filmId: integer('film_id'), name: text()});
	const schema = {film, actor, ofFilm: relations(film, ({many}) => ({actors: many(actor)})),
		ofActor: relations(actor, ({one}) => ({film: one(film, {fields: [actor.filmId], references: [film.id]})}))};
	const {sql, params} = drizzle(new pg.Pool(), {schema}).query.film.findMany({with: {actors: true}}).toSQL();
	await isAccelerated(sql, params);
});

test('By tool: jsonArrayFrom of Kysely is accelerated', async () => {
	const {sql, parameters} = new Kysely({dialect: new PostgresDialect({pool: new pg.Pool()})}).selectFrom('film')
		.select(eb => ['title', jsonArrayFrom(
			eb.selectFrom('actor').select('name').whereRef('actor.film_id', '=', 'film.id').orderBy('name'))
			.as('actors')]).compile();
	await isAccelerated(sql, parameters);
});
