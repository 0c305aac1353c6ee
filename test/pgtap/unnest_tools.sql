-- What tools send, with jsonrow.unnest off and on: the same, and which of its nested collections become joins.
\ir oracle.psql

SELECT no_plan();
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null
\ir statements.psql

SET LOCAL jsonrow.unnest_above_cost = 0;
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL jit = off;
-- Parameters are known to the planner, as they are when a driver sends a statement for the first time.
SET LOCAL plan_cache_mode = force_custom_plan;
-- Where nobody asks for an order, what belongs to a row keeps that of its table, as a scan of it for each row does.
SET LOCAL enable_sort = off;

-- The same without what is in the way
INSERT INTO sent (tool, what, functions, parameters, sql)
SELECT tool, what || ', without json', functions, parameters, replace(sql, old, new)
FROM sent JOIN (VALUES ('Prisma', 'one to many, large numbers, only some', '"t3"."raw"', '"t3"."isbn"'),
	('PostgREST', 'json in what is embedded', '"review_1".*', '"review_1"."body"'))
	c(tool, what, old, new) USING (tool, what);

-- One more of Hasura's: nested aggregates
INSERT INTO sent (tool, what, sql) VALUES
('Hasura 2', 'one to many, ordered, with an aggregate', $$
SELECT coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT row_to_json((SELECT "_6_e" FROM (SELECT
  "_0_root.base"."last_name" AS "last_name", "_2_ar.awards"."awards" AS "awards", "_5_ar.awards_aggregate".
  "awards_aggregate" AS "awards_aggregate" ) AS "_6_e" ) ) AS "root" FROM (SELECT * FROM "actor" WHERE ('true') )
  AS "_0_root.base" LEFT OUTER JOIN LATERAL (SELECT coalesce(json_agg("awards" ORDER BY "root.ar.pg.year" DESC NULLS
  FIRST), '[]' ) AS "awards" FROM (SELECT row_to_json((SELECT "_1_e" FROM (SELECT "_base"."prize" AS "prize",
  "_base"."money" AS "money" ) AS "_1_e" ) ) AS "awards", "_base"."year" AS "root.ar.pg.year" FROM (SELECT * FROM
  "award" WHERE (("_0_root.base"."actor_id") = ("actor_id")) ORDER BY "year" DESC NULLS FIRST ) AS "_base"
  ORDER BY "root.ar.pg.year" DESC NULLS FIRST ) AS "_x" ) AS "_2_ar.awards" ON ('true')
  LEFT OUTER JOIN LATERAL (SELECT json_build_object('aggregate', json_build_object('count', COUNT(*) ), 'nodes',
  coalesce(json_agg("nodes" ), '[]' ) ) AS "awards_aggregate" FROM (SELECT row_to_json((SELECT "_4_e" FROM (SELECT
  "_3_base"."year" AS "year" ) AS "_4_e" ) ) AS "nodes" FROM (SELECT * FROM "award" WHERE
  (("_0_root.base"."actor_id") = ("actor_id")) ) AS "_3_base" ) AS "_y" ) AS "_5_ar.awards_aggregate" ON ('true') )
  AS "_root"$$);

-- One more of Prisma's: _count beside collections, of the row and of what is looked up for it
INSERT INTO sent (tool, what, sql) VALUES
('Prisma', 'numbers of what belongs to a row, and to what it refers to', $$
SELECT "t0"."title", "Film_language"."__prisma_data__" AS "language", "Film_parts"."__prisma_data__" AS "parts",
  JSONB_BUILD_OBJECT('parts', COALESCE("aggr_count_Film_parts"."_aggr_count_parts", 0)) AS "_count" FROM "film" AS "t0"
LEFT JOIN LATERAL (SELECT JSONB_BUILD_OBJECT('name', "t2"."name", '_count', JSONB_BUILD_OBJECT('films',
    COALESCE("aggr_count_Language_films"."_aggr_count_films", 0))) AS "__prisma_data__" FROM (SELECT "t1".* FROM
    "language" AS "t1" WHERE "t0"."language_id" = "t1"."language_id" LIMIT 1) AS "t2" LEFT JOIN LATERAL (SELECT
    COUNT(*) AS "_aggr_count_films" FROM "film" AS "t3" WHERE "t2"."language_id" = "t3"."language_id") AS
    "aggr_count_Language_films" ON true) AS "Film_language" ON true
LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (
    SELECT "t6"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT('actorId', "t5"."actor_id", 'part', "t5"."part") AS
      "__prisma_data__", "t5"."actor_id" FROM (SELECT "t4".* FROM "film_actor" AS "t4" WHERE "t0"."film_id" =
      "t4"."film_id" /* root select */) AS "t5" /* inner select */) AS "t6" ORDER BY "t6"."actor_id" ASC /* middle
      select */) AS "t7" /* outer select */) AS "Film_parts" ON true
LEFT JOIN LATERAL (SELECT COUNT(*) AS "_aggr_count_parts" FROM "film_actor" AS "t8" WHERE "t0"."film_id" =
    "t8"."film_id") AS "aggr_count_Film_parts" ON true ORDER BY "t0"."film_id" ASC$$);

/*
 * How many of a statement's collections become joins; how many stay, and why.
 * in_any_order: what has no order there comes from several tables.
 */
CREATE TABLE nested (tool text, what text, joined int, stay int, why text, in_any_order boolean DEFAULT false,
	PRIMARY KEY (tool, what));
INSERT INTO nested (tool, what, joined, stay, why)
SELECT w.tool, w.what, joined, stay, why FROM written w JOIN (VALUES
	('(?!Hasura 3|jOOQ, multisetAgg).*', 'one to many|one to many, a page', 1, 0, NULL),
	('(?!Hasura 3).*', 'one to many, a page of each', 1, 0, NULL),
	('.*', 'many to many, three levels', 2, 0, NULL),
	('(?!Hasura 3|Supabase).*', 'three levels, to one between them', 3, 0, NULL),
	('Supabase', 'three levels, to one between them', 0, 2, 'json that becomes jsonb may raise an error, under a LIMIT'),
	-- All of them aggregate once more outside.
	('Hasura 3', 'one to many|one to many, a page|one to many, a page of each|to one', 1, 1, NULL),
	('Hasura 3', 'three levels, to one between them', 3, 1, NULL))
	e(tools, whats, joined, stay, why) ON w.tool ~ ('^(' || tools || ')$') AND w.what ~ ('^(' || whats || ')$');
INSERT INTO nested (tool, what, joined, stay, why) VALUES
('PostgREST', 'one to many, only where there are some', 1, 0, NULL),
('PostgREST', 'one to many, only where there are none', 0, 0, NULL),
('Prisma', 'many to many', 1, 0, NULL),
('Prisma', 'one to many, large numbers, only some', 0, 1, 'json that becomes jsonb may raise an error'),
('Prisma', 'one to many, large numbers, only some, without json', 1, 0, NULL),
('Prisma', 'one to many with their number', 1, 0, NULL),
('Prisma', 'one to many, distinct', 0, 1, 'DISTINCT ON within'),
('Prisma', 'numbers of what belongs to a row, and to what it refers to', 4, 0, NULL),
('Zero', 'columns as it reads them, a page of each', 1, 0, NULL),
('Kysely', 'many to many, three levels, all columns', 2, 0, NULL),
('jOOQ', 'multiset that is compared', 0, 1, 'in WHERE'),
('Zapatos', 'one to many, to one, json on the left of ||', 0, 1, 'json that becomes jsonb may raise an error');
INSERT INTO nested (tool, what, joined, stay, why, in_any_order) VALUES
('PostgREST', 'json in what is embedded', 1, 0, NULL, true),
('PostgREST', 'json in what is embedded, without json', 1, 0, NULL, true),
('Hasura 2', 'one to many, ordered, with an aggregate', 2, 0, NULL, true),
('PostgREST', 'many spread into columns of arrays', 1, 0, NULL, true),
('Zapatos', 'many to many passed through, three levels', 3, 0, NULL, true),
('by hand', 'objects of objects', 1, 0, NULL, true);

SELECT format('PREPARE sent_%s AS %s', id, sql) FROM sent ORDER BY id \gexec

-- A plan without the subqueries that are run only where a group has more rows than its LIMIT takes
CREATE FUNCTION pg_temp.expected(plan text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	lines CONSTANT text[] := string_to_array(plan, E'\n');
	result text[] := '{}';
	left_out int;
BEGIN
	FOR i IN 1 .. cardinality(lines) LOOP
		CONTINUE WHEN length(substring(lines[i] FROM '^ *')) > left_out;
		left_out := CASE WHEN lines[i] ~ '^ *SubPlan' AND array_to_string(lines[i + 1:i + 3], ' ') ~
			'NOT pg_is_other_temp_schema' THEN length(substring(lines[i] FROM '^ *')) END;
		CONTINUE WHEN left_out IS NOT NULL;
		result := result || lines[i];
	END LOOP;
	RETURN array_to_string(result, E'\n');
END $$;
CREATE FUNCTION pg_temp.plan(statement sent, unnest text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	RETURN pg_temp.expected(pg_temp.plan_of(pg_temp.call_of(statement)));
END $$;

-- How many of a plan's aggregates are over groups, how many not?  What is at the top, or runs once, is not nested.
CREATE FUNCTION pg_temp.grouped(statement sent, unnest text) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	RETURN pg_temp.groups_of(pg_temp.call_of(statement));
END $$;
-- As it is written, but not what pg_graphql groups by values of one row: that is no group where something is joined.
CREATE FUNCTION pg_temp.groups_written(statement sent) RETURNS int LANGUAGE sql AS $$
	SELECT pg_temp.grouped(statement, 'off') - (SELECT count(*)::int FROM regexp_matches(statement.sql,
		'group by __total_count', 'g')) $$;
CREATE FUNCTION pg_temp.ungrouped(plan text) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM regexp_matches(regexp_replace(plan, '^(Nested Loop\n *-> *)?Aggregate( *\n *-> *Aggregate)?|'
		'InitPlan [^\n]*\n *-> *Aggregate', '', 'g'), 'Aggregate *\n(?! *Group Key)', 'g') $$;

-- Arrays of rows, sorted
CREATE FUNCTION pg_temp.in_order(doc jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE jsonb_typeof(doc)
		WHEN 'object' THEN (SELECT jsonb_object_agg(key, pg_temp.in_order(value)) FROM jsonb_each(doc))
		WHEN 'array' THEN (SELECT jsonb_agg(e ORDER BY CASE WHEN jsonb_typeof(e) IN ('object', 'array') THEN e END, i)
			FROM jsonb_array_elements(doc) WITH ORDINALITY a(raw, i), LATERAL (SELECT pg_temp.in_order(raw)) o(e))
		ELSE doc END;
END $$;

-- The rows that a statement gives; what it changes is undone.
CREATE FUNCTION pg_temp.rows_of_statement(statement sent, unnest text, accelerate text, in_any_order boolean)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	result text[] := '{}';
	one record;
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true), set_config('jsonrow.accelerate', accelerate, true);
	FOR one IN EXECUTE pg_temp.call_of(statement) LOOP
		result := result || CASE WHEN in_any_order THEN pg_temp.in_order(to_jsonb(one))::text ELSE one::text END;
	END LOOP;
	RAISE SQLSTATE 'UNDO0';
EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
	RETURN result;
END $$;

SELECT is((SELECT count(*) FROM sent JOIN nested USING (tool, what)), (SELECT count(*) FROM nested), 'all are sent');
SELECT is(pg_temp.rows_of_statement(s, 'on', accelerate, coalesce(in_any_order, false)),
	pg_temp.known(pg_temp.rows_of_statement(s, 'off', 'off', coalesce(in_any_order, false))),
	format('%s, %s: the same, jsonrow.accelerate = %s', s.tool, s.what, accelerate))
FROM sent s LEFT JOIN nested USING (tool, what), unnest(ARRAY['off', 'on']) accelerate
WHERE pg_temp.chosen(accelerate || id) ORDER BY id;
SELECT is(format('%s joined, %s not', pg_temp.grouped(s, 'on') - pg_temp.groups_written(s),
		pg_temp.ungrouped(plan)),
	format('%s joined, %s not', joined, stay), format('%s, %s: %s', tool, what, coalesce(why, 'joins')))
FROM sent s JOIN nested USING (tool, what), LATERAL (SELECT pg_temp.plan(s, 'on') OFFSET 0) p(plan)
WHERE pg_temp.chosen('plan ' || id) ORDER BY id;
-- A join has no subquery for each row.
SELECT unalike(pg_temp.plan(s, 'on'), '%SubPlan%->  Aggregate%', format('%s, %s: no subquery for each row', tool,
	what)) FROM sent s JOIN nested USING (tool, what) WHERE stay = 0 AND pg_temp.chosen('each ' || id) ORDER BY id;
-- (Of a page, the parents come first: see pages.sql.)
SELECT CASE WHEN sql ~* 'limit' THEN
		ok(pg_temp.grouped(s, 'on') IN (pg_temp.grouped(s, 'off'), pg_temp.groups_written(s)),
		format('%s, %s: nothing is joined', tool, what))
	WHEN what = 'to one' AND tool ~ '^(pg_graphql|Kysely|SQLAlchemy|by hand.*)$' THEN
		is(pg_temp.plan(s, 'off') LIKE '%SubPlan%' AND pg_temp.plan(s, 'on') NOT LIKE '%SubPlan%', true,
			format('%s, %s: a join instead of a look-up for each row', tool, what))
	ELSE is(pg_temp.plan(s, 'on'), pg_temp.plan(s, 'off'), format('%s, %s: nothing is nested', tool, what)) END
FROM sent s WHERE NOT EXISTS (SELECT FROM nested n WHERE n.tool = s.tool AND n.what = s.what)
	AND pg_temp.chosen('nothing ' || id) ORDER BY id;

-- A plan for any parameters: a key, or an offset, that is one is not known.
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT is(pg_temp.rows_of_statement(s, 'on', 'off', coalesce(in_any_order, false)),
	pg_temp.rows_of_statement(s, 'off', 'off', coalesce(in_any_order, false)),
	format('%s, %s: the same by a generic plan', s.tool, s.what))
FROM sent s LEFT JOIN nested USING (tool, what)
WHERE parameters <> '' AND pg_temp.chosen('generic ' || id) ORDER BY id;
SELECT is(pg_temp.grouped(s, 'on'), generic.joined,
	format('%s, %s: the generic plan', tool, what))
FROM sent s JOIN (VALUES ('Prisma', 'one to many, large numbers, only some, without json', 1),
	('Zapatos', 'many to many passed through, three levels', 0)) generic(tool, what, joined) USING (tool, what);
SET LOCAL plan_cache_mode = force_custom_plan;

-- Nothing to aggregate
TRUNCATE language, film, actor, film_actor, award, category, film_category, review, wide;
INSERT INTO film (film_id, title, year) VALUES (1, 'nobody''s', 2000);
INSERT INTO actor (actor_id) VALUES (1);
INSERT INTO language VALUES (1, 'nobody''s');
SELECT is(pg_temp.rows_of_statement(s, 'on', 'off', false), pg_temp.rows_of_statement(s, 'off', 'off', false),
	format('%s, %s: the same where nothing belongs to a row', tool, what))
FROM sent s JOIN nested USING (tool, what) WHERE pg_temp.chosen('empty ' || id) ORDER BY id;

\set at_least 731
\ir finish.psql
ROLLBACK;
