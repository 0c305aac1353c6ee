-- jsonrow_postgrest, as PostgREST sees it: what it reads of the catalogs, the statements that it
-- sends for a media type (releases 12 to 16), and as whom.
\ir oracle.psql

SELECT plan(80);

CREATE SCHEMA jsonrow_api;
CREATE EXTENSION jsonrow_postgrest SCHEMA jsonrow_api;

--
-- What is where
--

-- The handlers that PostgREST finds: first aggregates over a relation's rows, or over anyelement, then functions
-- that return a media type themselves, which answer for themselves alone.
CREATE VIEW pg_temp.media_type AS
SELECT oid, typname, typnamespace FROM pg_type
WHERE typbasetype <> 0 AND typname ~* '^[A-Za-z0-9.-]+/[A-Za-z0-9.\+-]+$';
CREATE VIEW pg_temp.handler AS
SELECT p.pronamespace::regnamespace AS schema, p.proname AS name, a.typname AS target, m.typname AS media_type
FROM pg_temp.media_type m JOIN pg_proc p ON prorettype = m.oid JOIN pg_aggregate ON aggfnoid = p.oid
	JOIN pg_type a ON a.oid = proargtypes[0]
WHERE pronargs = 1 AND (a.typname = 'anyelement' OR a.oid IN (SELECT reltype FROM pg_class WHERE relkind IN
	('v', 'r', 'm', 'f', 'p')))
UNION
SELECT m.typnamespace::regnamespace, m.typname, p.oid::regproc::text, m.typname
FROM pg_temp.media_type m JOIN pg_proc p ON prorettype = m.oid
WHERE NOT proretset AND prokind = 'f' AND p.pronamespace = 'jsonrow_api'::regnamespace;

SELECT set_eq($$SELECT name, target, media_type FROM pg_temp.handler WHERE schema = 'jsonrow_api'::regnamespace$$,
	$$VALUES ('application/vnd.jsonrow+json'::name, 'anyelement'::text, 'application/vnd.jsonrow+json'::name),
		('jsonrow_ndjson', 'anyelement', 'application/x-ndjson')$$,
	'both media types have a handler for the rows of anything');
SELECT set_eq($$SELECT pg_describe_object(classid, objid, 0) FROM pg_depend
	WHERE refclassid = 'pg_namespace'::regclass AND refobjid = 'jsonrow_api'::regnamespace
		AND classid <> ALL ('{pg_extension,pg_rewrite}'::regclass[])$$,
	$$VALUES ('type jsonrow_api."application/vnd.jsonrow+json"'),
		('function jsonrow_api."application/vnd.jsonrow+json"(anyelement)'),
		('type jsonrow_api."application/x-ndjson"'), ('function jsonrow_api.jsonrow_ndjson(anyelement)')$$,
	'nothing else is in the exposed schema');
SELECT set_eq(format($$SELECT proname::text FROM pg_proc p JOIN pg_depend ON objid = p.oid
		JOIN pg_extension e ON refobjid = e.oid WHERE classid = 'pg_proc'::regclass AND deptype = 'e'
		AND extname = 'jsonrow_postgrest' AND pronamespace = %L::regnamespace$$, :'jsonrow_schema'),
	$$VALUES ('jsonrow_media_transfn'), ('jsonrow_media_finalfn'), ('jsonrow_ndjson_transfn'),
		('jsonrow_ndjson_finalfn')$$, 'the functions behind it are where those of jsonrow are');
-- It asks for results in binary form: that of jsonb begins with the number of its version.
CREATE FUNCTION pg_temp.send_function(type regtype) RETURNS regproc LANGUAGE sql AS $$
	SELECT CASE typtype WHEN 'd' THEN pg_temp.send_function(typbasetype) ELSE typsend END FROM pg_type WHERE oid = type
$$;
SELECT set_eq($$SELECT typname, pg_temp.send_function(oid) FROM pg_temp.media_type$$,
	$$VALUES ('application/vnd.jsonrow+json'::name, 'json_send'::regproc), ('application/x-ndjson', 'textsend')$$,
	'the binary form of an answer is its text');
SELECT throws_ok('ALTER EXTENSION jsonrow_postgrest SET SCHEMA public', '0A000',
	'extension "jsonrow_postgrest" does not support SET SCHEMA', 'it is not moved, for it is in two schemas');
SELECT throws_ok('DROP EXTENSION jsonrow', '2BP01', NULL, 'it keeps jsonrow');

--
-- Statements
--

CREATE TABLE jsonrow_api.studio (id int PRIMARY KEY, name text, founded date);
CREATE TABLE jsonrow_api.film (id int PRIMARY KEY, title text, rate numeric(5,2), features text[], extra jsonb,
	raw json, "disc ""no""" int, studio int REFERENCES jsonrow_api.studio, released timestamptz);
CREATE TABLE jsonrow_api.actor (id int PRIMARY KEY, film int REFERENCES jsonrow_api.film, name text);
CREATE VIEW jsonrow_api.good AS SELECT id, title, rate FROM jsonrow_api.film WHERE rate > 3;
INSERT INTO jsonrow_api.studio SELECT i, 'Studio "' || i || '"', date '1900-01-01' + i FROM generate_series(1, 3) i;
INSERT INTO jsonrow_api.film
SELECT i, CASE i % 3 WHEN 0 THEN 'Film ' || i WHEN 1 THEN E'two\nlines\r' || i END, i / 4.0,
	ARRAY['a', NULL, 'b"' || i], CASE WHEN i % 4 > 0 THEN jsonb_build_object('i', i, 'a', '[1, {"x": null}]'::jsonb) END,
	CASE i % 3 WHEN 0 THEN E'{"z" :\n 1,\r\n"a":[ 1,2 ], "z": "\\n"}' WHEN 1 THEN E'\n[\n]\n' END::json, -i,
	nullif(i % 4, 0), timestamptz '2024-02-29 12:34:56.789+00' + i * interval '1 day'
FROM generate_series(1, 40) i;
INSERT INTO jsonrow_api.actor SELECT i, i % 35 + 1, 'Actor ' || i FROM generate_series(1, 90) i;
CREATE FUNCTION jsonrow_api.films_of(who int) RETURNS SETOF jsonrow_api.film LANGUAGE sql STABLE AS
	'SELECT * FROM jsonrow_api.film WHERE studio = who';
CREATE FUNCTION jsonrow_api.film_of(which int) RETURNS jsonrow_api.film LANGUAGE sql STABLE AS
	'SELECT * FROM jsonrow_api.film WHERE id = which';
CREATE FUNCTION jsonrow_api.columns_of(which int) RETURNS TABLE (a int, b text) LANGUAGE sql STABLE AS
	'SELECT id, title FROM jsonrow_api.film WHERE id <= which';
CREATE FUNCTION jsonrow_api.numbers() RETURNS SETOF int LANGUAGE sql AS 'SELECT generate_series(1, 3)';


CREATE TABLE sent (what text, sql text);
INSERT INTO sent VALUES
('rows of a table', $$
WITH pgrst_source AS ( SELECT "jsonrow_api"."film".* FROM "jsonrow_api"."film" )
SELECT null::bigint AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, %s AS body,
  nullif(current_setting('response.headers', true), '') AS response_headers,
  nullif(current_setting('response.status', true), '') AS response_status, '' AS response_inserted
FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('columns, filtered, a page, with the exact count', $$
WITH pgrst_source AS ( SELECT "jsonrow_api"."film"."title", "jsonrow_api"."film"."rate" AS "stars",
  "jsonrow_api"."film"."disc ""no""", "jsonrow_api"."film"."raw" FROM "jsonrow_api"."film"
  WHERE "jsonrow_api"."film"."id" > '7' ORDER BY "jsonrow_api"."film"."rate" DESC LIMIT '5' OFFSET '2' ),
pgrst_source_count AS (SELECT 1 FROM "jsonrow_api"."film" WHERE "jsonrow_api"."film"."id" > '7')
SELECT (SELECT pg_catalog.count(*) FROM pgrst_source_count) AS total_result_set,
  pg_catalog.count(_postgrest_t) AS page_total, %s AS body
FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('a view', $$
WITH pgrst_source AS ( SELECT "jsonrow_api"."good".* FROM "jsonrow_api"."good" )
SELECT pg_catalog.count(_postgrest_t) AS page_total, %s AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('an aggregate of the table', $$
WITH pgrst_source AS ( SELECT "jsonrow_api"."film"."studio", avg("jsonrow_api"."film"."rate") AS "avg"
  FROM "jsonrow_api"."film" GROUP BY "jsonrow_api"."film"."studio" )
SELECT pg_catalog.count(_postgrest_t) AS page_total, %s AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('embedded, to many and to one', $$
WITH pgrst_source AS ( SELECT "jsonrow_api"."film"."title", COALESCE( "film_actor_1"."film_actor_1", '[]') AS "actor",
  row_to_json("film_studio_1".*)::jsonb AS "studio" FROM "jsonrow_api"."film"
  LEFT JOIN LATERAL ( SELECT json_agg("film_actor_1")::jsonb AS "film_actor_1" FROM (SELECT "actor_1".*
    FROM "jsonrow_api"."actor" AS "actor_1" WHERE "actor_1"."film" = "jsonrow_api"."film"."id" ) AS "film_actor_1" )
  AS "film_actor_1" ON TRUE
  LEFT JOIN LATERAL ( SELECT "studio_1"."name", "studio_1"."founded" FROM "jsonrow_api"."studio" AS "studio_1"
    WHERE "studio_1"."id" = "jsonrow_api"."film"."studio" ) AS "film_studio_1" ON TRUE )
SELECT pg_catalog.count(_postgrest_t) AS page_total, %s AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('no rows', $$
WITH pgrst_source AS ( SELECT "jsonrow_api"."film".* FROM "jsonrow_api"."film"
  WHERE "jsonrow_api"."film"."id" = '-1' )
SELECT pg_catalog.count(_postgrest_t) AS page_total, %s AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('rows of no columns', $$
WITH pgrst_source AS ( SELECT FROM "jsonrow_api"."film" )
SELECT pg_catalog.count(_postgrest_t) AS page_total, %s AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('inserted rows', $$
WITH pgrst_source AS (INSERT INTO "jsonrow_api"."studio"("id", "name") SELECT "pgrst_body"."id", "pgrst_body"."name"
  FROM (SELECT '[{"id": 8, "name": "new"}, {"id": 9, "name": "newer"}]'::json AS json_data) pgrst_payload,
  LATERAL (SELECT "id", "name" FROM json_to_recordset(pgrst_payload.json_data) AS _("id" integer, "name" text) )
  pgrst_body RETURNING "jsonrow_api"."studio"."id", "jsonrow_api"."studio"."name", "jsonrow_api"."studio"."founded")
SELECT '' AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, array[]::text[] AS header, %s AS body
FROM (SELECT "studio".* FROM "pgrst_source" AS "studio" ) _postgrest_t$$),
('a function that returns rows of a table', $$
WITH pgrst_source AS (SELECT "pgrst_call".* FROM "jsonrow_api"."films_of"("who" := '2'::integer) pgrst_call)
SELECT null::bigint AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, %s AS body
FROM (SELECT "films_of".* FROM "pgrst_source" AS "films_of" ) _postgrest_t$$),
('a function that returns rows of its own', $$
WITH pgrst_source AS (SELECT "pgrst_call".* FROM "jsonrow_api"."columns_of"("which" := '5'::integer) pgrst_call)
SELECT null::bigint AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, %s AS body
FROM (SELECT "columns_of".* FROM "pgrst_source" AS "columns_of" ) _postgrest_t$$),
('a function that returns one row', $$
WITH pgrst_source AS (SELECT "pgrst_call".* FROM "jsonrow_api"."film_of"("which" := '4'::integer) pgrst_call)
SELECT null::bigint AS total_result_set, 1 AS page_total, %s AS body
FROM (SELECT "film_of".* FROM "pgrst_source" AS "film_of" ) _postgrest_t$$),
('a function that returns several scalars', $$
WITH pgrst_source AS (SELECT pgrst_call.pgrst_scalar FROM (SELECT "jsonrow_api"."numbers"() pgrst_scalar) pgrst_call)
SELECT null::bigint AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, %s AS body
FROM (SELECT "numbers".* FROM "pgrst_source" AS "numbers" ) _postgrest_t$$);

\set document 'jsonrow_api."application/vnd.jsonrow+json"(_postgrest_t)'
\set lines 'jsonrow_api.jsonrow_ndjson(_postgrest_t)'
\set json 'coalesce(json_agg(_postgrest_t), ''[]'')'

-- The body, with the search_path that PostgREST sets: what is exposed, and public.  What it changes is undone.
CREATE FUNCTION pg_temp.body(sent text, handler text) RETURNS text LANGUAGE plpgsql
SET search_path = jsonrow_api, public AS $$
DECLARE
	answer record;
BEGIN
	BEGIN
		EXECUTE format(sent, handler || '::text') INTO STRICT answer;
		RAISE SQLSTATE 'YY000';
	EXCEPTION WHEN SQLSTATE 'YY000' THEN
		RETURN answer.body;
	END;
END $$;
-- Each of an array's elements, as PostgreSQL printed it, but in one line
CREATE FUNCTION pg_temp.in_lines(elements json) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(translate(value::text, E'\n\r', '  ') || E'\n', '' ORDER BY ordinality), '')
	FROM json_array_elements(elements) WITH ORDINALITY
$$;

SELECT is(jsonrow_to_objects(pg_temp.body(sql, :'document')::jsonb), pg_temp.body(sql, :'json')::jsonb,
	what || ': a document') FROM sent;
SELECT is(pg_temp.body(sql, :'lines'), pg_temp.in_lines(pg_temp.body(sql, :'json')::json), what || ': lines')
FROM sent;

SELECT is(pg_temp.body(sql, :'document'), 
	'{"cols":["id","title","rate","features","extra","raw","disc \"no\"","studio","released"],"rows":[]}',
	 'a document of no rows has its columns') FROM sent WHERE what = 'no rows';
SELECT is(pg_temp.body(sql, :'lines'), '', 'no rows are no lines') FROM sent WHERE what = 'no rows';
SELECT matches(pg_temp.body(sql, :'document'), '^\{"cols":\["title","actor","studio"\],"rows":\[\[.*\]\]\}$',
	'what is embedded is what PostgREST makes of it: values in cells') FROM sent WHERE what LIKE 'embedded%';
-- application/vnd.pgrst.plan; for="application/vnd.jsonrow+json"
CREATE FUNCTION pg_temp.plan(sent text, handler text) RETURNS json LANGUAGE plpgsql
SET search_path = jsonrow_api, public AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || format(sent, handler) INTO plan;
	RETURN plan;
END $$;
SELECT is(pg_temp.plan(sql, :'document') -> 0 -> 'Plan' ->> 'Node Type', 'Aggregate', 'a plan can be asked for')
FROM sent WHERE what = 'a view';

CREATE FUNCTION pg_temp.bodies(document text, lines text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(pg_temp.body(sql, document) || pg_temp.body(sql, lines), '' ORDER BY what) FROM sent
$$;
SELECT pg_temp.bodies(:'document', :'lines') AS unaccelerated \gset
SET LOCAL jsonrow.accelerate = on;
SELECT is(pg_temp.bodies(:'document', :'lines'), :'unaccelerated', 'the same with jsonrow.accelerate');
SET LOCAL jsonrow.accelerate = off;

-- Release 12.0 casts the row to its table, even for a handler of anything.
SELECT is(pg_temp.body(sql, replace(:'document', '_t)', '_t::"jsonrow_api"."film")')),
	pg_temp.body(sql, :'document'), 'a row that is cast to its table') FROM sent WHERE what = 'rows of a table';
SELECT is(pg_temp.body(sql, replace(:'lines', '_t)', '_t::"jsonrow_api"."film")')),
	pg_temp.body(sql, :'lines'), '... in lines') FROM sent WHERE what = 'rows of a table';

--
-- Functions that return a single value
--
CREATE FUNCTION pg_temp.value(returned text, handler text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.body(format('WITH pgrst_source AS (
		SELECT pgrst_call.pgrst_scalar FROM (SELECT %s pgrst_scalar) pgrst_call)
		SELECT null::bigint AS total_result_set, 1 AS page_total, %%s AS body
		FROM (SELECT "f".* FROM "pgrst_source" AS "f" ) _postgrest_t', returned),
		replace(handler, '_postgrest_t', '_postgrest_t.pgrst_scalar'))
$$;
CREATE FUNCTION jsonrow_api.as_json() RETURNS jsonrow_json LANGUAGE sql STABLE
	RETURN (SELECT jsonrow_agg_json(s) FROM jsonrow_api.studio s);
CREATE FUNCTION jsonrow_api.as_jsonb() RETURNS jsonrow LANGUAGE sql STABLE
	RETURN (SELECT jsonrow_agg(s) FROM jsonrow_api.studio s);
CREATE FUNCTION jsonrow_api.as_media() RETURNS jsonrow_api."application/vnd.jsonrow+json" LANGUAGE sql STABLE
	RETURN (SELECT jsonrow_agg_json(s) FROM jsonrow_api.studio s);
SELECT is(pg_temp.value(returned, :'document')::jsonb, (SELECT jsonrow_agg(s)::jsonb FROM jsonrow_api.studio s),
	'a document is the answer as it is: ' || returned)
FROM unnest('{jsonrow_api.as_json(),jsonrow_api.as_jsonb(),jsonrow_api.as_media()}'::text[]) returned;
SELECT is(pg_temp.value(returned, :'lines'), wanted || E'\n', 'any value is a line: ' || returned)
FROM (VALUES ('42', '42'), ('''a "b''::text || chr(10)', '"a \"b\n"'), ('NULL::text', 'null'),
	('''{1,NULL}''::int[]', '[1,null]'), ('''{"a":	1}''::jsonb', '{"a": 1}'), ('E''[1,\n2]''::json', '[1, 2]'),
	('date ''2024-02-29''', '"2024-02-29"')) v(returned, wanted);
SELECT is((pg_temp.value('"jsonrow_api"."as_jsonb"()', :'lines'))::jsonb, (SELECT jsonrow_agg(s)::jsonb
	FROM jsonrow_api.studio s), 'a document is a line');
SELECT throws_ok(format('SELECT pg_temp.value(%L, %L)', value, :'document'), '42804',
	'cannot make a document from values of type ' || type, type || ' is no row')
FROM (VALUES ('42', 'integer'), ('true', 'boolean'), ('''{1}''::int[]', 'integer[]')) v(value, type);
SELECT throws_ok(format('SELECT pg_temp.value(%L, %L)', '''{"a": 1}''::jsonb', :'document'), '23514', NULL,
	'a value that is no document is refused');
-- One that returns a media type answers for itself.
SELECT set_eq($$SELECT target, media_type FROM pg_temp.handler WHERE target <> 'anyelement'$$,
	$$VALUES ('jsonrow_api.as_media'::text, 'application/vnd.jsonrow+json'::name)$$,
	'a function that returns a media type');

--
-- As whom
--
CREATE ROLE jsonrow_test_anon;
GRANT USAGE ON SCHEMA jsonrow_api TO jsonrow_test_anon;
GRANT SELECT ON jsonrow_api.actor TO jsonrow_test_anon;
ALTER TABLE jsonrow_api.actor ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON jsonrow_api.actor TO jsonrow_test_anon
	USING (id <= (current_setting('request.jwt.claims')::json ->> 'id')::int);
-- PostgREST sets role, claims and search_path in one statement before.
CREATE FUNCTION pg_temp.anonymous(relation text, handler text, id int DEFAULT 2) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('role', 'jsonrow_test_anon', true),
		set_config('request.jwt.claims', json_build_object('id', id)::text, true);
	EXECUTE format('WITH pgrst_source AS ( SELECT "jsonrow_api".%1$I.* FROM "jsonrow_api".%1$I )
		SELECT %2$s AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t', relation, handler) INTO STRICT result;
	PERFORM set_config('role', 'none', true);
	RETURN result;
END $$;
SELECT is(has_schema_privilege('jsonrow_test_anon', :'jsonrow_schema', 'USAGE'), false,
	'jsonrow itself need not be within reach') WHERE :'jsonrow_schema' = 'jsonrow_test';
SELECT is(jsonrow_to_objects(pg_temp.anonymous('actor', :'document')::jsonb),
	(SELECT jsonb_agg(a) FROM jsonrow_api.actor a WHERE id <= 2), 'row security holds for documents');
SELECT is(pg_temp.anonymous('actor', :'lines'), 
	(SELECT string_agg(row_to_json(a) || E'\n', '') FROM jsonrow_api.actor a WHERE id <= 2), '... and for lines');
SELECT is(pg_temp.anonymous('actor', :'document', 0), '{"cols":["id","film","name"],"rows":[]}',
	'a document of no row that may be seen');
SELECT is(pg_temp.anonymous('actor', :'lines', 0), '', '... no lines');
SELECT throws_ok(format('SELECT pg_temp.anonymous(''film'', %L)', handler), '42501',
	'permission denied for table film', 'a table without a privilege: ' || handler)
FROM (VALUES (:'document'), (:'lines')) v(handler);

-- What PUBLIC may not call is granted by its name alone.
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA jsonrow_api FROM PUBLIC;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA :"jsonrow_schema" FROM PUBLIC;
SELECT throws_ok(format('SELECT pg_temp.anonymous(''actor'', %L)', handler), '42501', NULL,
	'no privilege on the aggregate: ' || handler) FROM (VALUES (:'document'), (:'lines')) v(handler);
GRANT EXECUTE ON FUNCTION jsonrow_api."application/vnd.jsonrow+json"(anyelement),
	jsonrow_api.jsonrow_ndjson(anyelement) TO jsonrow_test_anon;
SELECT is(jsonrow_count(pg_temp.anonymous('actor', :'document')::jsonb), 2, 'privilege on the aggregate of documents');
SELECT is(pg_temp.anonymous('actor', :'lines', 0), '', '... of lines');

--
-- The aggregates
--
SELECT is((SELECT jsonrow_api.jsonrow_ndjson(r)::text FROM (SELECT id, d FROM (SELECT film AS id, jsonrow_agg(a) AS d
		FROM jsonrow_api.actor a GROUP BY film) s ORDER BY id) r),
	(SELECT string_agg(l, '') FROM jsonrow_stream_object_lines('SELECT film AS id, jsonrow_agg(a) AS d
		FROM jsonrow_api.actor a GROUP BY film ORDER BY 1') l),
	'lines: nested documents are arrays of objects, as in a stream');
SELECT is(jsonrow_api.jsonrow_ndjson(r)::text, E'null\n{"a":1}\nnull\n', 'lines: rows that are NULL')
FROM (VALUES (NULL), (1), (NULL)) v(a), LATERAL (SELECT CASE WHEN a IS NOT NULL THEN s END AS r FROM (SELECT a) s) x;
SELECT results_eq(format($$SELECT jsonrow_api.jsonrow_ndjson(a) OVER w::text
		FROM jsonrow_api.actor a WINDOW w AS (ORDER BY id %s) ORDER BY id$$, frame),
	format($$SELECT string_agg(row_to_json(a) || E'\n', '') OVER w
		FROM jsonrow_api.actor a WINDOW w AS (ORDER BY id %s) ORDER BY id$$, frame), 'lines: in a window, ' || frame)
FROM unnest('{ROWS UNBOUNDED PRECEDING,ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING,ROWS 2 PRECEDING,
	ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING}'::text[]) frame;
SELECT results_eq($$SELECT lag(l, 3) OVER (ORDER BY id)::text
		FROM (SELECT id, jsonrow_api.jsonrow_ndjson(a) OVER (ORDER BY id) AS l FROM jsonrow_api.actor a) s$$,
	$$SELECT lag(l, 3) OVER (ORDER BY id)
		FROM (SELECT id, string_agg(row_to_json(a) || E'\n', '') OVER (ORDER BY id) AS l FROM jsonrow_api.actor a) s$$,
	'lines: in a window, of which another keeps rows');
SELECT results_eq($$SELECT film, jsonrow_api.jsonrow_ndjson(a ORDER BY id)::text
		FROM jsonrow_api.actor a GROUP BY film ORDER BY 1$$,
	$$SELECT film, string_agg(row_to_json(a) || E'\n', '' ORDER BY id)
		FROM jsonrow_api.actor a GROUP BY film ORDER BY 1$$,
	'lines: in groups');
SELECT results_eq($$SELECT jsonrow_api.jsonrow_ndjson(id ORDER BY id)::text
		FROM jsonrow_api.actor GROUP BY GROUPING SETS (film, ()) ORDER BY 1$$,
	$$SELECT string_agg(id || E'\n', '' ORDER BY id)
		FROM jsonrow_api.actor GROUP BY GROUPING SETS (film, ()) ORDER BY 1$$,
	'lines: in grouping sets, of numbers');
SELECT is(md5(jsonrow_api.jsonrow_ndjson(r)), md5(string_agg(row_to_json(r) || E'\n', '')), 'lines: of many rows')
FROM (SELECT i, repeat('x', i % 500) AS t FROM generate_series(1, 20000) i) r;
SELECT is((jsonrow_api.jsonrow_ndjson(NULL::int) FILTER (WHERE false))::text, '', 'lines: of no values');
SELECT throws_ok($$SELECT jsonrow_api.jsonrow_ndjson(repeat('x', 400000000)) FROM generate_series(1, 3)$$, '54000',
	'JSON document exceeds the maximum of 1073741822 bytes', 'lines: over 1 GB');
SET LOCAL jsonrow.header = types;
SELECT is(jsonrow_api."application/vnd.jsonrow+json"(s)::jsonb, jsonrow_agg(s)::jsonb, 'a document with types')
FROM jsonrow_api.studio s;
RESET jsonrow.header;

CREATE TABLE jsonrow_api.big AS SELECT i AS id, 'name ' || i AS name FROM generate_series(1, 20000) i;
ANALYZE jsonrow_api.big;
\ir parallel.psql
CREATE FUNCTION pg_temp.partial(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || statement INTO plan;
	RETURN plan::text LIKE '%"Partial Mode": "Partial"%';
END $$;
SELECT ok(pg_temp.partial($$SELECT jsonrow_api."application/vnd.jsonrow+json"(b) FROM jsonrow_api.big b$$),
	'a document is made in parallel');
SELECT is((SELECT jsonb_agg(o ORDER BY o -> 'id') FROM jsonb_array_elements(jsonrow_to_objects(
		(SELECT jsonrow_api."application/vnd.jsonrow+json"(b)::jsonb FROM jsonrow_api.big b))) o),
	(SELECT jsonb_agg(b ORDER BY id) FROM jsonrow_api.big b), '... of the same rows');
SELECT ok(NOT pg_temp.partial($$SELECT jsonrow_api.jsonrow_ndjson(b) FROM jsonrow_api.big b$$), 'lines are not');

SELECT * FROM finish();
ROLLBACK;
