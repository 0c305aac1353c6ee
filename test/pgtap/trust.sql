-- What was made by others: values that break the rules, damaged ones, and
-- names that only look like ours.
\ir oracle.psql

SELECT plan(455);

CREATE FUNCTION pg_temp.state_of(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

--
-- What returns a jsonrow returns a document: it is refused, or it is one.
--
CREATE TABLE unfit AS SELECT doc::jsonb FROM unnest(ARRAY[
	'{"cols":[{"a":["x"]}],"rows":[[5]]}', '{"cols":[{"a":["x"]}],"rows":[[[1,2]]]}',
	'{"cols":[{"a":["x"]}],"rows":[null,[{}]]}',
	'{"cols":[{"a":[["x"]]}],"rows":[[5]]}', '{"cols":[{"a":[["x"]]}],"rows":[[[5]]]}',
	'{"cols":[{"a":[["x"]]}],"rows":[[[[1,2]]]]}',
	'{"cols":["k",{"a":[["x",{"b":[["y"]]}]]}],"rows":[[1,[]],[2,[[1,[]],[2,[[1,2]]]]]]}',
	'{"cols":[{"a":[]}],"rows":[[[1]]]}',
	'{"cols":["k",{"a":["x"]}],"vals":[[1],[5]]}', '{"cols":["k",{"a":[["x"]]}],"vals":[[1],[[[1,2]]]]}',
	'{"cols":["k",{"a":["x"]}],"vals":[[1,2,3],[null,[1],[1,2]]]}',
	'{"cols":["k",{"a":["x"]}],"rows":[[1,[2]]],"types":[1],"x":1}']) doc;
SELECT ok(NOT jsonrow_is_valid(doc), 'not valid: ' || doc::text) FROM unfit;
CREATE FUNCTION pg_temp.calls_of(f pg_proc) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT format(CASE WHEN f.proretset THEN 'SELECT count(d) FROM %s(%s) c(n, d)' ELSE 'SELECT %s(%s)' END,
		f.oid::regproc,
		string_agg(CASE WHEN a.type = 'jsonb'::regtype AND i = 1 THEN '%1$L::jsonb'
			WHEN a.type = 'jsonb'::regtype AND f.proname = 'jsonrow_append' THEN '''null'''
			WHEN a.type = 'jsonb'::regtype THEN '%1$L::jsonb' WHEN a.type IN ('int'::regtype, 'bigint'::regtype) THEN number
			WHEN a.type = 'text'::regtype THEN '''k''' END, ', ' ORDER BY i))
	FROM unnest(ARRAY['0', '1', '-1', '7']) number, unnest(f.proargtypes::oid[]) WITH ORDINALITY a(type, i)
	GROUP BY number $$;
CREATE TABLE calls AS
SELECT DISTINCT p.proname, call FROM pg_proc p, pg_temp.calls_of(p) call
WHERE pronamespace = :'jsonrow_schema'::regnamespace AND proname ~ '^jsonrow_' AND prokind = 'f'
	AND 'jsonb'::regtype = proargtypes[0] AND proname <> 'jsonrow_from_objects'
	AND (prorettype = 'jsonrow'::regtype OR 'jsonrow'::regtype = ANY (proallargtypes));
SELECT set_eq('SELECT proname::text FROM calls', ARRAY['jsonrow_append', 'jsonrow_chunks', 'jsonrow_concat',
	'jsonrow_delete',
	'jsonrow_set', 'jsonrow_slice', 'jsonrow_to_columns', 'jsonrow_to_rows'],
	'functions that return a document of another');
SELECT is(pg_temp.state_of(format(call, doc)), '22023', format(call, doc)) FROM calls, unfit
WHERE proname <> 'jsonrow_slice';
SELECT is(pg_temp.state_of(format('SELECT jsonrow_slice(%L, 0, 9)', doc)), '22023', 'a slice with all rows: '
	|| doc::text) FROM unfit;
SELECT ok(jsonrow_is_valid(jsonrow_slice('{"cols":["k",{"a":["x"]}],"rows":[[1,[2]],[3,4],[5,null]]}', first, 1)),
	'a slice of rows that fit, ' || first)
FROM unnest(ARRAY[0, 2]) first;
SELECT throws_ok('SELECT jsonrow_slice(''{"cols":["k",{"a":["x"]}],"rows":[[1,[2]],[3,4],[5,null]]}'', 1, 1)',
	'22023', NULL, 'a slice of a row that does not fit');
SELECT is(pg_temp.state_of(format('SELECT jsonrow_concat(''{"cols":[{"a":["x"]}],"rows":[]}'', %L)', doc)), '22023',
	'concatenated with ' || doc::text) FROM unfit;
-- ... however it is stored
CREATE TABLE unfit_stored (doc jsonb);
ALTER TABLE unfit_stored ALTER doc SET STORAGE EXTERNAL;
INSERT INTO unfit_stored SELECT jsonb_build_object('cols', '["k",{"a":["x"]}]'::jsonb, 'rows',
	jsonb_agg(jsonb_build_array(i, CASE WHEN i < 500 THEN '[1]' ELSE '1' END::jsonb)))
FROM generate_series(1, 500) i;
SELECT throws_ok(replace(call, '%1$L::jsonb', 'doc') || CASE WHEN call LIKE '%FROM%' THEN ', unfit_stored'
	ELSE ' FROM unfit_stored' END, '22023')
FROM calls WHERE call NOT LIKE '%FROM%' AND proname <> 'jsonrow_slice';

--
-- Names that hold a zero byte, which no text can: they are copied as bytes.
--
CREATE CAST (jsonb AS bytea) WITHOUT FUNCTION;
CREATE CAST (bytea AS jsonb) WITHOUT FUNCTION;
CREATE TABLE zero AS
SELECT overlay(doc::bytea PLACING '\x00' FROM position('nnn'::bytea IN doc::bytea) + 1)::jsonb AS doc
FROM (SELECT jsonrow_agg(ARRAY[repeat('n', 3000), 'b'], 1, 2)::jsonb AS doc) s;
SELECT is((jsonrow_concat(doc, jsonrow_slice(doc, 0, 0)))::jsonb::bytea, doc::bytea,
	'names with a zero byte, concatenated') FROM zero;
SELECT is((SELECT jsonrow_concat_agg(doc)::jsonb::bytea FROM zero), doc::bytea,
	'names with a zero byte, aggregated') FROM zero;

--
-- Members that are not sorted, so that types stand before the rows: none is overwritten when rows are added.
--
CREATE TABLE unsorted (doc jsonb COMPRESSION pglz);
INSERT INTO unsorted SELECT overlay(overlay(overlay(doc::bytea PLACING '\x050000' FROM 5) PLACING '\x040000' FROM 13)
	PLACING 'typescolsrows'::bytea FROM 29)::jsonb
FROM (SELECT jsonb_build_object('cols', '["int4"]'::jsonb, 'rows', '["a"]'::jsonb, 'types',
	(SELECT jsonb_agg(jsonb_build_array(i)) FROM generate_series(1, 3000) i)) AS doc) s;
SELECT is(jsonrow_count(jsonrow_append(doc, '[7]')), 3001, 'a row is added to members that are not sorted')
FROM unsorted;

--
-- The domains are known by what they are, not by their names.
--
CREATE TABLE nested AS SELECT '{"cols":["n"],"rows":[[1]]}'::jsonrow AS d,
	'{"cols":["n"],"rows":[[1]]}'::jsonrow_json AS j;
ALTER DOMAIN jsonrow RENAME TO jsonrow_of_old;
ALTER DOMAIN jsonrow_json RENAME TO jsonrow_json_of_old;
CREATE DOMAIN :jsonrow_schema.jsonrow AS int;
CREATE DOMAIN :jsonrow_schema.jsonrow_json AS int;
SELECT is(jsonrow_agg('{a,b}', 7::jsonrow, 8::jsonrow_json)::text, '{"cols": ["a", "b"], "rows": [[7, 8]]}',
	'domains of the same names');
SELECT is(jsonrow_agg_json('{a,b}', 7::jsonrow, 8::jsonrow_json)::text, '{"cols":["a","b"],"rows":[[7,8]]}',
	'domains of the same names, as JSON text');
SELECT is(jsonrow_agg(n)::text, '{"cols": [{"d": [["n"]]}, {"j": [["n"]]}], "rows": [[[[1]], [[1]]]]}',
	'our domains, renamed') FROM nested n;
SELECT results_eq($$SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[7]]}') r(a jsonrow)$$,
	'SELECT 7::jsonrow', 'records with a domain of the same name');
DROP DOMAIN :jsonrow_schema.jsonrow, :jsonrow_schema.jsonrow_json;
ALTER DOMAIN jsonrow_of_old RENAME TO jsonrow;
ALTER DOMAIN jsonrow_json_of_old RENAME TO jsonrow_json;
SELECT is(jsonrow_agg(n)::text, '{"cols": [{"d": [["n"]]}, {"j": [["n"]]}], "rows": [[[[1]], [[1]]]]}',
	'our domains, renamed again') FROM nested n;

-- ... nor by belonging to the extension, whose owner may add others
CREATE DOMAIN evil AS jsonb;
CREATE DOMAIN evil_json AS json;
ALTER EXTENSION jsonrow ADD DOMAIN evil;
ALTER EXTENSION jsonrow ADD DOMAIN evil_json;
SELECT is(jsonrow_agg('{d,e}', '{"cols":["a"],"rows":[5]}'::evil, '[1]'::evil_json)::text,
	'{"cols": ["d", "e"], "rows": [[{"cols": ["a"], "rows": [5]}, [1]]]}', 'a domain that was added to the extension');
SELECT is((SELECT jsonrow_agg(n)::text FROM nested n),
	'{"cols": [{"d": [["n"]]}, {"j": [["n"]]}], "rows": [[[[1]], [[1]]]]}',
	'our domains beside one that was added to the extension');
ALTER EXTENSION jsonrow DROP DOMAIN evil;
ALTER EXTENSION jsonrow DROP DOMAIN evil_json;

--
-- So are the aggregates: anybody may create one of the same name.
--
CREATE FUNCTION pg_temp.empty_doc(jsonrow, VARIADIC int[]) RETURNS jsonrow LANGUAGE sql AS $$
	SELECT '{"cols":[],"rows":[]}'::jsonrow $$;
CREATE FUNCTION pg_temp.empty_doc(jsonrow) RETURNS jsonrow LANGUAGE sql AS $$
	SELECT '{"cols":[],"rows":[]}'::jsonrow $$;
CREATE AGGREGATE jsonrow_agg(VARIADIC int[]) (SFUNC = pg_temp.empty_doc, STYPE = jsonrow);
CREATE AGGREGATE jsonrow_concat_agg(*) (SFUNC = pg_temp.empty_doc, STYPE = jsonrow);
SELECT is((SELECT jsonrow_agg(x) FROM (SELECT (SELECT jsonrow_agg(12345678, 2)) AS d WHERE false) x)::text,
	'{"cols": [{"d": [[]]}], "rows": []}',
	'an aggregate of our name, over integers');
SELECT is((SELECT jsonrow_agg(x) FROM (SELECT (SELECT jsonrow_concat_agg(*)) AS d WHERE false) x)::text,
	'{"cols": [{"d": [[]]}], "rows": []}', 'an aggregate of our name, over nothing');

--
-- JSON text
--
SELECT is(jsonrow_is_valid(doc::json), expected, doc)
FROM (VALUES ('{"\u0000":1}', false), ('{"cols":[],"rows":[],"\u0000":1}', false),
	('{"\u0063ols":[],"r\u006fws":[]}', true),
	('{"\u0063\u006F\u006c\u0073":[],"vals":[]}', true), ('{"\u0063ol":[],"rows":[]}', false),
	('{"c\nls":[],"rows":[]}', false),
	('{"cols":[],"rows":[],"\u0074ypes":"\u0000"}', true), ('{"cols":["\u0000"],"rows":[[1]]}', true),
	('{"colss":[],"rows":[]}', false),
	('{"\u0063olss":[],"rows":[]}', false), ('{"cols":[],"row\u0073":[],"\u0076als":[]}', false),
	('{"\ud83d\ude00":[],"rows":[]}', false)) v(doc, expected);

-- A nested document of no columns, with rows, says so; then one of a column differs.
SELECT throws_ok(format('SELECT %s FROM unnest(ARRAY[%L,%L]::%s[]) d', call, a, b, type), '42804',
	'columns of nested document "d" differ from those of earlier rows', call || ' ' || type)
FROM (VALUES ('{"cols":[{"a":[[]]}],"rows":[[[[]]]]}', '{"cols":[{"a":[["x"]]}],"rows":[[[[1]]]]}'),
	('{"cols":[{"a":[[]]}],"vals":[[null,[[],null]]]}', '{"cols":[{"a":[["x"]]}],"vals":[[[[1]]]]}'),
	('{"cols":[{"a":[]}],"rows":[null,[null],[[]]]}', '{"cols":[{"a":["x"]}],"rows":[[[1]]]}')) v(a, b),
	unnest(ARRAY['jsonrow_agg(''{d}'', d)', 'jsonrow_agg_json(''{d}'', d)', 'jsoncol_agg_json(''{d}'', d)']) call,
		unnest(ARRAY['jsonrow', 'jsonrow_json']) type;
SELECT is((SELECT jsonrow_agg_json('{d}', d) FROM unnest(ARRAY['{"cols":[{"a":[[]]}],"rows":[[null],[[]]]}',
	'{"cols":[{"a":[["x"]]}],"rows":[[[[1]]]]}']::jsonrow_json[]) d)::text,
	'{"cols":[{"d":[[{"a":[["x"]]}]]}],"rows":[[[[null],[[]]]],[[[[[1]]]]]]}',
	'a nested document without rows does not tell its columns');

--
-- A nested column as a type that knows nothing of rows by position: what
-- PostgreSQL makes of the objects
--
SELECT is(pg_temp.rows_or_state(format('SELECT * FROM jsonrow_to_recordset(%L) r(%s)', doc, cols)),
	pg_temp.rows_or_state(format('SELECT * FROM jsonb_to_recordset(jsonrow_to_objects(%L)) r(%s)', doc, cols)),
		format('%s as %s', doc, cols))
FROM unnest(ARRAY['{"cols":[{"b":["x","y"]}],"rows":[[[2,{"k":1}]],[null]]}',
	'{"cols":[{"b":[["x","y"]]}],"rows":[[[[2,null],[3,[4]]]],[[]],[null]]}',
	'{"cols":[{"b":[["x","y"]]}],"vals":[[[[2,null],null],[],null]]}',
	'{"cols":[{"b":[[{"x":["z"]}]]}],"rows":[[[[[1]],[null]]]]}']) doc,
	unnest(ARRAY['b text', 'b varchar', 'b varchar(40)', 'b varchar(4)', 'b char(3)', 'b name', 'b bytea', 'b int',
		'b bool', 'b numeric', 'b float8', 'b date', 'b uuid',
		'b text[]', 'b varchar[]', 'b int[]', 'b json[]', 'b jsonb[]', 'b jsonb', 'b json', 'b text[][]',
		'b jsonrow[]', 'b int4range', 'b jsonpath']) cols;

SELECT throws_ok(format('SELECT * FROM jsonrow_to_recordset(''{"cols":[{"a":[["x"]]}],"rows":[[5]]}'') r(a %s)',
	type), '22023', NULL, 'no rows as ' || type)
FROM unnest(ARRAY['jsonrow', 'jsonrow_json', 'jsonb', 'text']) type;

-- A composite in a row starts from the one that base has there.
CREATE TYPE ct AS (a int, b text);
CREATE DOMAIN ct_domain AS ct;
CREATE TYPE wt AS (k int, c ct, d ct_domain, w ct[]);
SELECT is(pg_temp.rows_or_state(format('SELECT (p).* FROM jsonrow_populate_recordset(%s, %L) p', base, doc)),
	pg_temp.rows_or_state(format('SELECT (p).* FROM jsonb_populate_recordset(%s, jsonrow_to_objects(%L)) p', base,
		doc)), format('%s, %s', base, doc))
FROM unnest(ARRAY['NULL::wt', 'ROW(9, ROW(1, ''z''), ROW(2, ''y''), ARRAY[ROW(3, ''x'')::ct])::wt',
	'ROW(9, NULL, NULL, NULL)::wt']) base,
	unnest(ARRAY['{"cols":["c"],"rows":[[{"a":7}],[null],[{"b":null}],[{}]]}',
		'{"cols":[{"c":["a"]}],"rows":[[[7]],[null],[[null]]]}',
		'{"cols":["d","w"],"rows":[[{"a":7},[{"b":"q"},null]],[null,null]]}',
		'{"cols":[{"d":["b"]},{"w":[["a"]]}],"rows":[[["q"],[[1],null]]]}',
		'{"cols":["k","c"],"vals":[[1,2],[{"a":7},{"a":8,"b":"q"}]]}']) doc;

-- Types of types of types: what is planned is what comes, not what could.
CREATE TYPE t0 AS (a int, b int);
SELECT format('CREATE TYPE t%s AS (a t%s, b t%2$s)', i, i - 1) FROM generate_series(1, 14) i \gexec
CREATE TYPE measured AS ENUM ('total');
CREATE FUNCTION bytes_to_json(measured) RETURNS json LANGUAGE sql AS $$ SELECT to_json(sum(total_bytes))
FROM pg_backend_memory_contexts $$;
CREATE CAST (measured AS json) WITH FUNCTION bytes_to_json(measured);
SELECT cmp_ok((SELECT jsonrow_agg(s) #>> '{rows,0,1}'
	FROM (SELECT ROW(NULL, NULL)::t14 AS v, 'total'::measured AS b) s)::numeric, '<', 60000000::numeric,
	'32,768 attributes within others: memory');

SELECT * FROM finish();
ROLLBACK;
