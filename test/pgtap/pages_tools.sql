-- What tools send with LIMIT, with jsonrow.unnest off and on: the same, and in which of their pages the parents come
-- first.
\ir oracle.psql

SELECT no_plan();
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null
\ir statements.psql
\ir pages.psql
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL jit = off;
-- Where nobody asks for an order, what belongs to a row keeps that of its table, as a scan of it for each row does.
SET LOCAL enable_sort = off;
DELETE FROM sent WHERE sql !~* '\m(limit|offset|fetch first)\M';
SELECT format('PREPARE sent_%s AS %s', id, sql) FROM sent ORDER BY id \gexec

CREATE TABLE results AS SELECT s AS statement, tool, what, mode, accelerate, pg_temp.rows(pg_temp.call_of(s), ARRAY[
	'plan_cache_mode', mode, 'jsonrow.unnest', 'off']) AS expected
FROM sent s, unnest('{force_custom_plan,force_generic_plan}'::text[]) mode, unnest('{off,on}'::text[]) accelerate
WHERE pg_temp.chosen(concat_ws(' ', id, mode, accelerate));
SELECT is(pg_temp.rows(pg_temp.call_of(statement), ARRAY['plan_cache_mode', mode, 'jsonrow.accelerate', accelerate,
		'jsonrow.unnest', 'on']), expected, format('%s, %s: the same, %s, jsonrow.accelerate = %s', tool, what, mode,
		accelerate))
FROM results;

/*
 * In how many of a statement's pages the parents come first, by a custom plan and by a generic one; of others in
 * none: their
 * collections are above the limit already, or PostgreSQL itself computes them after it.  Look-ups by a key whose
 * limit is known
 * have none any more, which counts as one page less.
 */
-- NULL: a limit that is not known, where releases differ in costs
CREATE TABLE expected (tool text, what text, custom int, generic int);
INSERT INTO expected VALUES
	('PostgREST', 'one to many, a page', 1, 1),
	('Supabase', 'one to many, a page', 1, 1),
	('Hasura 3', 'one to many, a page', 1, 1),
	('Prisma', 'one to many, a page', 1, 1),
	('Prisma', 'one to many, a page of each', 1, NULL),
	('Drizzle 0.4x', 'one to many, a page', 1, 1),
	('Drizzle 1.0', 'one to many, a page', 1, 1),
	('Zapatos', 'one to many, a page', 1, 1),
	('Zapatos', 'one to many, a page of each', 1, NULL),
	('Django', 'one to many, a page of each', 1, NULL),
	('Zapatos', 'to one', -1, -1),
	('Supabase', 'many to many, three levels', 1, 1),
	('Zapatos', 'some columns, a page', 1, NULL);
SELECT is((SELECT count(*) FROM sent JOIN expected USING (tool, what)), (SELECT count(*)
	FROM expected), 'all are sent');
SELECT is(pg_temp.parents_first(pg_temp.call_of(s), ARRAY['plan_cache_mode', mode]), CASE mode WHEN 'force_custom_plan'
	THEN coalesce(custom, 0) ELSE coalesce(generic, 0) END::bigint, format('%s, %s: pages, %s', s.tool, s.what, mode))
FROM sent s LEFT JOIN expected USING (tool, what), unnest('{force_custom_plan,force_generic_plan}'::text[]) mode
WHERE (mode = 'force_custom_plan' OR expected.tool IS NULL OR generic IS NOT NULL)
	AND pg_temp.chosen(concat_ws(' ', 'pages', id, mode)) ORDER BY id, mode;

\set at_least 320
\ir finish.psql
ROLLBACK;
