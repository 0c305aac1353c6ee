-- The statements that tools send, in the shapes of their newest releases: with
-- acceleration on they give the same bytes, and their plans have our functions.
\ir oracle.psql

SELECT no_plan();
-- The settings are there when the library is loaded.
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null
\ir statements.psql

-- The same as views, as far as they are queries without parameters
CREATE TEMPORARY TABLE viewed AS
SELECT tool, what, functions, sql, id FROM sent
WHERE parameters = '' AND sql !~* '\m(insert into|update|delete from)\M';
SELECT format('CREATE TEMPORARY VIEW view_%s AS %s', id, sql) FROM viewed ORDER BY id \gexec
INSERT INTO sent (tool, what, functions, sql)
SELECT tool, what || ', as a view', functions, format('SELECT * FROM view_%s', id) FROM viewed ORDER BY id;

SELECT format('PREPARE sent_%s AS %s', id, sql) FROM sent ORDER BY id \gexec

-- The rows that a statement gives, as text; what it changes is undone.
CREATE FUNCTION pg_temp.rows_of_statement(statement sent, accelerate text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	result text[] := '{}';
	one record;
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	FOR one IN EXECUTE pg_temp.call_of(statement) LOOP
		result := result || one::text;
	END LOOP;
	RAISE SQLSTATE 'UNDO0';
EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
	RETURN result;
END $$;

-- The number of rows that a query gives which are not stored with the same bytes.
CREATE FUNCTION pg_temp.stored_otherwise(statement sent) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	EXECUTE 'CREATE TEMPORARY TABLE plain AS ' || pg_temp.call_of(statement);
	PERFORM set_config('jsonrow.accelerate', 'on', true);
	EXECUTE 'CREATE TEMPORARY TABLE accelerated AS ' || pg_temp.call_of(statement);
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	SELECT count(*) INTO STRICT result FROM plain FULL JOIN accelerated
		ON plain.ctid = accelerated.ctid
	WHERE record_image_eq(plain.*, accelerated.*) IS NOT TRUE;
	DROP TABLE plain, accelerated;
	RETURN result;
END $$;

-- What is wrong with a statement's answer?  NULL if nothing.
CREATE FUNCTION pg_temp.difference(statement sent) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plain CONSTANT text[] NOT NULL := pg_temp.rows_of_statement(statement, 'off');
	accelerated CONSTANT text[] NOT NULL := pg_temp.rows_of_statement(statement, 'on');
	changes CONSTANT boolean NOT NULL := statement.sql ~* '\m(insert into|update|delete from)\M';
BEGIN
	RETURN concat_ws('; ',
		(SELECT format(E'row %s is\n%s\ninstead of\n%s', n, a, p) FROM unnest(plain, accelerated) WITH ORDINALITY u(p, a, n)
			WHERE p IS DISTINCT FROM a LIMIT 1),
		CASE WHEN NOT changes AND pg_temp.stored_otherwise(statement) > 0 THEN 'stored with other bytes' END);
END $$;

-- PostgreSQL's functions of JSON in an accelerated plan, and ours; those that
-- are given the names of columns end with "[]".  Those without arguments are
-- left as they are.
CREATE FUNCTION pg_temp.functions_of(statement sent) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	PERFORM set_config('jsonrow.accelerate', 'on', true);
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || pg_temp.call_of(statement) LOOP
		plan := plan || line;
	END LOOP;
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	RETURN string_agg(DISTINCT f[1] || CASE WHEN f[2] <> '' THEN '[]' ELSE '' END, ', ')
	FROM regexp_matches(plan, '\m((?:jsonrow_core_)?(?:jsonb?_(?:agg|object_agg|build_object|build_array)\w*|row_to_json|'
		'to_jsonb?(?:_text)?|array_to_json|JSON_ARRAYAGG|JSON_OBJECTAGG|JSON_ARRAY|JSON_OBJECT))\((?!\))(E?''\{)?',
		'g') f;
END $$;

-- Parameters are known to the planner, as they are when a driver sends a statement for the first time.
SET LOCAL plan_cache_mode = force_custom_plan;
-- An oracle must say something: there is an answer, with more than empty arrays.
SELECT alike(array_to_string(pg_temp.rows_of_statement(s, 'off'), ' '), '%"_%', format('%s, %s: an answer', tool,
  what))
FROM sent s WHERE pg_temp.chosen('answer ' || id) ORDER BY id;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same', tool, what))
FROM sent s WHERE pg_temp.chosen('same ' || id) ORDER BY id;
SELECT is(pg_temp.functions_of(s), functions, format('%s, %s: the plan', tool, what))
FROM sent s WHERE pg_temp.chosen('plan ' || id) ORDER BY id;

-- What depends on settings
SET LOCAL DateStyle = 'SQL, DMY';
SET LOCAL IntervalStyle = 'iso_8601';
SET LOCAL TimeZone = 'Asia/Kathmandu';
SET LOCAL bytea_output = 'escape';
SET LOCAL extra_float_digits = -3;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same with other settings', tool, what))
FROM sent s WHERE pg_temp.chosen('settings ' || id) ORDER BY id;
SET LOCAL DateStyle = 'ISO, MDY';
SET LOCAL IntervalStyle = 'postgres';
SET LOCAL TimeZone = 'UTC';
SET LOCAL bytea_output = 'hex';
SET LOCAL extra_float_digits = 1;

-- A plan for any parameters: keys that are parameters are not known.
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same by a generic plan', tool, what))
FROM sent s WHERE parameters <> '' AND pg_temp.chosen('generic ' || id) ORDER BY id;
SELECT is(pg_temp.functions_of(s), generic.functions, format('%s, %s: the generic plan', tool, what))
FROM sent s JOIN (VALUES ('Zapatos', 'some columns, a page',
  'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object'),
	('Django', 'keys as parameters', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object'),
	('SQLAlchemy', 'objects, keys as parameters', 'jsonrow_core_json_agg, jsonrow_core_json_build_object'))
	generic(tool, what, functions) USING (tool, what) ORDER BY id;
RESET plan_cache_mode;

-- Nothing to aggregate
TRUNCATE language, film, actor, film_actor, award, category, film_category, review, wide;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same of empty tables', tool, what))
FROM sent s WHERE pg_temp.chosen('empty ' || id) ORDER BY id;

\set at_least 1485
\ir finish.psql
ROLLBACK;
