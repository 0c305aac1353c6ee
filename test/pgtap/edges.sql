-- Where a comparison, a sign or a limit in the sources decides: quick tests of
-- what scripts/mutate found to be noticed by slow ones only, or by none.
\ir oracle.psql

SELECT plan(911);

-- Numbers, in jsonb and as text: the groups of four digits of a numeric, its
-- long form, and what floats print as
CREATE TABLE numbers AS SELECT n::numeric AS n, -n::numeric AS m
FROM regexp_split_to_table('0 0.00 0.0 1 10 999 1000 9999 10000 12345678 0.1 0.01 0.0001 0.00001 1.50 10000.0001
	1e63 1e300 1e-70 123456789012345678901234567890.123456789012345678901234567890
	1.0000000000000000000000000000000000000000000000 NaN Infinity', '\s+') n;
SELECT is(pg_temp.check_relation('numbers'), NULL, 'numerics of all lengths, and their negatives');
CREATE TABLE floats AS SELECT f::float8 AS f, -f::float8 AS g, f::float4 AS h
FROM regexp_split_to_table('0 1 0.5 10 1234.5 12345 1e14 1e15 123456789012345 1.5e16 1e20 3e38 1e-4 1.25e-5 1e-6
	1.234567e-7 1e-37 0.1 0.123456 99999.99 0.12345678901234568 33.333333333333336 NaN Infinity', '\s+') f;
SELECT is(pg_temp.check_relation('floats'), NULL, 'floats with and without an exponent');
CREATE TABLE doubles AS SELECT f::float8 AS f, -f::float8 AS g
FROM regexp_split_to_table('1e100 2.5e99 1.7976931348623157e308 1.5e-300 5e-324 1.2345e-100', '\s+') f;
SELECT is(pg_temp.check_relation('doubles'), NULL, 'floats with an exponent of three digits');
SET LOCAL extra_float_digits = 0;
SELECT is(pg_temp.check_relation('floats'), NULL, 'floats where extra_float_digits is 0');
SET LOCAL extra_float_digits = 1;

-- ... and the way back
CREATE FUNCTION pg_temp.read_as(type text, cell text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT is(pg_temp.rows_or_state(format('SELECT * FROM jsonrow_to_recordset(%L) r(a %s)',
			format('{"cols":["a"],"rows":[[%s]]}', cell), type)),
		pg_temp.rows_or_state(format('SELECT * FROM jsonb_to_recordset(%L) r(a %s)', format('[{"a":%s}]', cell), type)),
		format('%s as %s', cell, type)) $$;
SELECT pg_temp.read_as(type, cell)
FROM unnest(ARRAY['int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'numeric', 'numeric(4,1)']) type,
	regexp_split_to_table('0 1 -1 10000 32767 32768 -32768 -32769 2147483647 2147483648 -2147483648 -2147483649
		9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 99999999999999999999
		1.5 -0.25 0.1 1.0 123.456 1234567890.12345 0.30000000000000004 9007199254740993 100000000000000000000.5
		1e22 1e23 1e-22 1e-23', '\s+') cell;
SELECT pg_temp.read_as(type, format('"%s"', cell))
FROM unnest(ARRAY['date', 'timestamp', 'timestamptz']) type,
	regexp_split_to_table('2021-03-04 0001-01-01 9999-12-31 10000-01-01 2021-02-29 2020-02-29 2021-13-01 2021-00-10
		2021-01-00 2021-3-4 1999-12-31T23:59:59 2021-03-04T05:06:07.1 2021-03-04T05:06:07.000001
		2021-03-04T05:06:07.1234567 2021-03-04T05:06:07. 2021-03-04T24:00:00 2021-03-04T23:60:00
		2021-03-04T05:06:07+05 2021-03-04T05:06:07-05:30 2021-03-04T05:06:07+15:59 2021-03-04T05:06:07+16
		2021-03-04T05:06:07+05:30:10 2021-03-04T05:06:07Z infinity', '\s+') cell;
SELECT pg_temp.read_as('date', cell)
FROM unnest(ARRAY['""', '" 2021-03-04"', '"2021-03-04 "', 'null', '20210304']) cell;

-- Arrays of several dimensions, and what is none
SELECT pg_temp.read_as('int[]', cell)
FROM regexp_split_to_table('[] [[]] [[],[]] [1] [null] [[1,2],[3,4]] [[[1],[2]],[[3],[4]]] [[1,2],[3]] [[1],2] [1,[2]]
	[[],1] [1,[]] [[[[[[1]]]]]] [[1,2],[3,4],[5,6]] "{1,2}" {} 5 null', '\s+') cell;

-- At the second at which the offset of the time zone changes, and around it
SET LOCAL TimeZone = 'America/New_York';
CREATE TABLE changes AS SELECT t::timestamptz + d * interval '1 microsecond' AS t
FROM regexp_split_to_table('2021-03-14T07:00:00Z 2021-11-07T06:00:00Z 1883-11-18T17:00:00Z 1883-11-18T17:03:58Z
	1960-04-24T07:00:00Z 1969-12-31T23:59:59Z 1970-01-01T00:00:00Z 1999-12-31T23:59:59Z 2000-01-01T00:00:00Z
	2100-07-01T00:00:00Z', '\s+') t, unnest(ARRAY[-1000000, -1, 0, 1, 1000000]) d;
SELECT is(pg_temp.check_relation('changes'), NULL, 'when summer time begins and ends');
CREATE TABLE borders AS SELECT (day || time || era)::timestamptz AS t, (day || time || era)::timestamp AS l,
	(day || era)::date AS d
FROM (VALUES ('infinity', '', ''), ('-infinity', '', ''), ('0001-01-01', ' 00:00:00', ''),
	('9999-12-31', ' 23:59:59.999999', ''), ('10000-01-01', ' 00:00:00', ''),
	('0001-12-31', ' 23:59:59', ' BC'), ('294276-12-31', ' 11:59:59.999999', ''),
	('4713-11-25', ' 00:00:00', ' BC')) v(day, time, era);
INSERT INTO borders (d) VALUES ('5874897-12-31'), ('4714-11-24 BC');
SELECT is(pg_temp.check_relation('borders'), NULL, 'the first and last dates there are');
-- The offset changes at the beginning and the end of Ramadan, of 30 days: a span of
-- the cache of offsets, of 48, may hold both.
SET LOCAL TimeZone = 'Africa/Casablanca';
CREATE TABLE ramadan AS SELECT timestamptz '2035-01-01 12:00:00+00' - d * interval '1 day' AS t
FROM generate_series(0, 6000) d;
SELECT is(jsonrow_array_agg(t), jsonb_agg(jsonb_build_array(t)), 'two changes of the offset within one span')
FROM ramadan;
SET LOCAL TimeZone = 'Asia/Kolkata';
SELECT is(pg_temp.check_relation('borders'), NULL, 'the first and last dates, east of Greenwich');
SET LOCAL TimeZone = 'UTC';

-- Whole numbers at the ends of their types
CREATE TABLE whole AS SELECT a::int2, b::int4, c::int8, d::oid
FROM (VALUES (0, 0, 0, 0::int8), (32767, 2147483647, 9223372036854775807, 4294967295),
	(-32768, -2147483648, -9223372036854775808, 2147483648), (9, 9999, 99999999, 9), (10, 10000, 100000000, 10),
	(-1, -10, -9999999999999999, 1)) v(a, b, c, d);
SELECT is(pg_temp.check_relation('whole'), NULL, 'whole numbers at the ends of their types');

-- Texts of every length, with what must be escaped at every place
CREATE TABLE texts AS
SELECT overlay(left('abcdefghijklmnopqrstuvwxyz', len) PLACING c FROM at) AS t FROM generate_series(0, 26) len,
	LATERAL generate_series(1, greatest(len, 1)) at, unnest(ARRAY['', '"', E'\\', E'\n', E'\x01', E'\x7f', 'é']) c;
SELECT is(pg_temp.check_relation('texts'), NULL, 'texts of every length, escapes at every place');

-- Longer ones, with few or many such characters in each sixteen bytes
CREATE TABLE chunks AS
SELECT (SELECT string_agg(CASE WHEN places >> p % 16 & 1 = 1 THEN c ELSE chr(97 + p % 26) END, '' ORDER BY p)
	FROM generate_series(1, 31 + places % 35) p) AS t
FROM generate_series(0, 65535, 37) places, unnest(ARRAY['"', E'\\', E'\x1f', E'\x7f']) c;
SELECT is(pg_temp.check_relation('chunks'), NULL, 'texts with escapes at several places');

-- JSON text in a column, larger than the pieces in which it becomes jsonb
CREATE TABLE large (j json);
INSERT INTO large
SELECT format('{"a\u0062\"c": %s, "plain": %1$s, "": {"x": %1$s}, "plain": [%1$s, 1.50, {}, []]}', x)::json
FROM to_json(repeat('x', 300000)) x;
INSERT INTO large SELECT json_agg(json_build_object('k' || i % 7, repeat('"', 1000), 'n', i))
FROM generate_series(1, 1000) i;
SELECT is((SELECT jsonb_agg(r -> 0) FROM jsonb_array_elements(jsonrow_array_agg(j)) r), jsonb_agg(j::jsonb),
	'json of several pieces') FROM large;
SELECT ok(pg_temp.is_canonical(jsonrow_array_agg(j)), 'json of several pieces, as PostgreSQL builds it') FROM large;

-- Partial states that no worker has sent: of partitions, in one process
CREATE TABLE parted (id int, g int, name text) PARTITION BY LIST (g);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT i, 1 + i % 2, 'name ' || i FROM generate_series(1, 100) i;
ANALYZE parted;
SET LOCAL enable_partitionwise_aggregate = on;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL max_parallel_workers_per_gather = 0;
CREATE FUNCTION pg_temp.by_partition(call text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	query CONSTANT text := format('SELECT %s FROM parted', call);
	whole jsonb;
	parts jsonb;
BEGIN
	RETURN NEXT matches(pg_temp.plan_of(query), 'Finalize Aggregate.*Append.*Partial Aggregate.*Partial Aggregate',
		'partial states: ' || call);
	EXECUTE query INTO parts;
	PERFORM set_config('enable_partitionwise_aggregate', 'off', true);
	EXECUTE query INTO whole;
	PERFORM set_config('enable_partitionwise_aggregate', 'on', true);
	RETURN NEXT ok(pg_temp.same(parts, whole), 'partial states give the same: ' || call);
END $$;
SELECT pg_temp.by_partition(call)
FROM unnest(ARRAY['jsonrow_agg(''{id,name}'', id, name)', 'jsonrow_agg_json(''{id,name}'', id, name)',
	'jsonrow_agg(parted)', 'jsonrow_agg_json(parted)', 'jsoncol_agg(parted)', 'jsoncol_agg_json(parted)',
	'jsonrow_array_agg(id, name)', 'jsonrow_array_agg_json(id, name)', 'jsonrow_agg_json(''{r}'', ROW(id, name))']) call;
-- ... of which some do not know what is nested in them
CREATE TABLE nested_in (g int, doc text);
INSERT INTO nested_in VALUES (1, NULL), (2, '{"cols":[],"rows":[]}'), (3, '{"cols":["a"],"rows":[[1]]}'),
	(4, '{"cols":["a"],"vals":[[1,2]]}'), (5, '{"cols":[{"n":[[]]}],"rows":[[null],[[]]]}'),
	(6, '{"cols":[{"n":[["x"]]}],"rows":[[[[1],null]]]}'), (7, '{"cols":[{"r":[]}],"rows":[[null]]}'),
	(8, '{"cols":[{"r":["x"]}],"rows":[[[1]],[null]]}');
SELECT pg_temp.by_partition(format('%s(''{id,d}'', id, CASE g WHEN 1 THEN %s ELSE %s END::%s)', f, a, b, type))
FROM (SELECT a.g AS n, quote_nullable(a.doc) AS a, quote_nullable(b.doc) AS b FROM nested_in a, nested_in b
		WHERE a.g = b.g OR a.g < 3 OR b.g < 3 OR (a.g - 1) / 2 = (b.g - 1) / 2) s,
	(VALUES ('jsonrow_agg', 'jsonrow'), ('jsonrow_agg_json', 'jsonrow_json'), ('jsoncol_agg', 'jsonrow'),
		('jsoncol_agg_json', 'jsonrow_json'), ('jsonrow_agg', 'jsonrow_json'), ('jsonrow_agg_json', 'jsonrow')) v(f, type);

-- JSON text to its last byte, which casts to text, jsonb and back do not show
CREATE FUNCTION pg_temp.is_exact(doc json) RETURNS boolean LANGUAGE sql AS $$
	SELECT record_image_eq(ROW(doc), ROW(doc::text::json)) $$;
SELECT ok(pg_temp.is_exact(row) AND pg_temp.is_exact(named) AND pg_temp.is_exact(col) AND pg_temp.is_exact(rows)
	AND pg_temp.is_exact(nested), format('JSON text ends where it should: %s rows', n))
FROM (SELECT n, jsonrow_agg_json(r)::json AS row, jsonrow_agg_json('{i,t}', i, t)::json AS named,
		jsoncol_agg_json(r)::json AS col, jsonrow_array_agg_json(i, t) AS rows,
		jsonrow_agg_json('{d}', CASE WHEN i > 1 THEN d END::jsonrow_json)::json AS nested
	FROM unnest(ARRAY[1, 2, 33, 1000]) n, LATERAL (SELECT i, 'text ' || i AS t FROM generate_series(1, n) i) r,
		LATERAL (SELECT jsonrow_agg_json('{i}', i) AS d FROM generate_series(1, i % 3) i) nested
	GROUP BY n) s ORDER BY n;
SELECT ok(pg_temp.is_exact(jsonrow_agg_json('{i}', i)) AND pg_temp.is_exact(jsonrow_agg_json(g))
	AND pg_temp.is_exact(jsoncol_agg_json('{i}', i)) AND pg_temp.is_exact(jsonrow_array_agg_json(i)),
	'JSON text ends where it should: no rows')
FROM (SELECT i FROM generate_series(1, 0) i) g;
SELECT ok(bool_and(pg_temp.is_exact(doc)), 'JSON text ends where it should: over windows')
FROM (SELECT jsonrow_agg_json('{i}', i) OVER (ORDER BY i ROWS 3 PRECEDING) AS doc FROM generate_series(1, 10) i) s;

-- Cells of a compressed document of more than 256 kB, of which no more is
-- decompressed than must be
CREATE TABLE packed AS
SELECT jsonrow_agg('{i,t}', i, repeat('x', 60) || i)::jsonb AS doc,
	jsoncol_agg('{i,t}', i, repeat('x', 60) || i)::jsonb AS col
FROM generate_series(1, 8000) i;
SELECT ok(pg_column_size(doc) < 256000 AND pg_column_size(doc || '{}') > 512000, 'compressed') FROM packed;
SELECT is(ARRAY[jsonrow_get(p.doc, r, 1), jsonrow_get(p.col, r, 1), jsonrow_row(p.doc, r), jsonrow_row(p.col, r)],
	ARRAY[cells -> 1, cells -> 1, cells, cells], 'cells and row of a compressed document: ' || r)
FROM packed p, unnest(ARRAY[0, 1, 31, 500, 1000, 1999, 2000, 4000, 7999]) r,
	LATERAL (SELECT p.doc -> 'rows' -> r) c(cells);
SELECT is(jsonrow_find(doc, 't', to_jsonb(repeat('x', 60) || r)), r - 1, 'row found in a compressed document: ' || r)
FROM packed, unnest(ARRAY[1, 1000, 4000, 8000]) r;

-- A value equals another as in jsonb.
CREATE TABLE equals (v jsonb);
INSERT INTO equals VALUES ('null'), ('true'), ('false'), ('1'), ('1.0'), ('-1'), ('10'), ('0'), ('0.00'), ('1e400'),
	('-1e400'), ('"1"'), ('""'), ('"a"'), ('"ab"'), ('[]'), ('{}'), ('[1]'), ('[1.00]'), ('[2]'), ('[1, 2]'), ('[[1]]'),
	('[[2]]'), ('[null]'), ('[""]'), ('{"a": 1}'), ('{"a": 2}'), ('{"b": 1}'), ('{"a": 1, "b": 2}'), ('{"a": [1]}'),
	('[{"a": 1}]'), ('[[1], [2]]');
CREATE FUNCTION pg_temp.is_found(a jsonb, b jsonb) RETURNS boolean LANGUAGE sql AS $$
	SELECT jsonrow_find(jsonrow_agg('{c}', a), 'c', b) IS NOT NULL $$;
SELECT is(array_agg(format('%s, %s', a.v, b.v)) FILTER (WHERE pg_temp.is_found(a.v, b.v) <> (a.v = b.v)), NULL,
	'found is what is equal')
FROM equals a, equals b;

-- What is nested is checked, wherever the column is.
SELECT is(pg_temp.rows_or_state(format('SELECT %s(%L)', f, doc)), '22023', format('%s of %s', f, doc))
FROM unnest(ARRAY['{"cols":[{"a":["x"]},"k"],"rows":[[5,1]]}', '{"cols":["k",{"a":["x"]}],"rows":[[1,5]]}',
		'{"cols":[{"a":[["x"]]},{"b":["y"]},"k"],"rows":[[[[1]],[1,2],3]]}',
		'{"cols":[{"a":["x"]},"k"],"vals":[[5],[1]]}']) doc,
	unnest(ARRAY['jsonrow_to_rows', 'jsonrow_to_columns', 'jsonrow_to_objects']) f;

-- Many headers of one nested column, that differ in white space
SELECT is(jsonrow_agg_json('{d}', d::jsonrow_json)::jsonb,
	'{"cols": [{"d": [["a", "b"]]}], "rows": [[[[1, 2]]], [[[1, 2]]], [[[1, 2]]], [[[1, 2]]], [[[1, 2]]], [[[1, 2]]]]}',
	'headers that differ in white space')
FROM unnest(ARRAY['["a","b"]', '["a", "b"]', '[ "a","b"]', '["a","b" ]', '["\u0061","b"]', '["a","\u0062"]']) cols,
	format('{"cols":%s,"rows":[[1,2]]}', cols) d;

-- Documents that CASE or coalesce may replace: hoisted only if all rows come from there
SELECT is(jsonrow_agg('{d}', coalesce((SELECT jsonrow_agg('{n}', n) FROM generate_series(1, 2) n), '[]'))::text,
	'{"cols": [{"d": [["n"]]}], "rows": [[[[1], [2]]]]}', 'a coalesce is the only value');
SELECT is(jsonrow_agg_json('{d}', coalesce((SELECT jsonrow_agg_json('{n}', n) FROM generate_series(1, 2) n),
		'[]'))::text,
	'{"cols":[{"d":[["n"]]}],"rows":[[[[1],[2]]]]}', 'a coalesce is the only value, as JSON text');
CREATE FUNCTION pg_temp.with_others(source text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	got text;
BEGIN
	EXECUTE format('SELECT jsonrow_agg(''{d}'', d) FROM (%s) s', source) INTO got;
	RETURN NEXT is(got, '{"cols": ["d"], "rows": [[null], [{"cols": ["n"], "rows": [[1], [2]]}], [[1]]]}', source);
END $$;
SELECT pg_temp.with_others(format('%s UNION ALL SELECT ''[1]''::jsonb', source))
FROM unnest(ARRAY['SELECT %s AS d FROM generate_series(1, 2) i',
		'SELECT * FROM (SELECT %s AS d FROM generate_series(1, 2) i OFFSET 0) x',
		'SELECT * FROM (SELECT * FROM (SELECT %s AS d FROM generate_series(1, 2) i OFFSET 0) x OFFSET 0) y']) shape,
	format(shape, 'CASE WHEN i > 1 THEN (SELECT jsonrow_agg(''{n}'', n) FROM generate_series(1, i) n) END') source;

-- What is no document, too large to be stored in a row, as it is and compressed
CREATE TABLE strangers (doc jsonb);
ALTER TABLE strangers ALTER doc SET STORAGE EXTERNAL;
INSERT INTO strangers SELECT format(f, to_jsonb(repeat('x', 10000)))::jsonb
FROM unnest(ARRAY['{"cols": %s, "rows": []}', '{"cols": [], "rows": %s}', '{"cols": %s, "vals": []}',
	'{"cols": {"a": %s}, "rows": []}',
	'{"cols": ["a"], "rows": {"b": %s}}', '{"cols": ["a"], "types": %s}', '[%s]', '{"a": %s}', '{"cols": [%s]}', '%s',
	'{"cols": ["a"], "rows": [[1, %s]]}', '{"cols": ["a"], "rows": [[1, 2]], "types": %s}']) f;
INSERT INTO strangers SELECT jsonb_build_object('cols', '1'::jsonb, 'rows', jsonb_agg(i))
FROM generate_series(1, 30000) i;
SELECT throws_ok(format('SELECT jsonrow_get(doc, 0, 0) FROM strangers WHERE doc = %L', doc), '22023', NULL,
	'a stranger of ' || pg_column_size(doc) || ' bytes, ' || left(doc::text, 20)) FROM strangers;

-- Damaged values: each byte at the beginning of a document replaced
CREATE CAST (jsonb AS bytea) WITHOUT FUNCTION;
CREATE CAST (bytea AS jsonb) WITHOUT FUNCTION;
CREATE FUNCTION pg_temp.state_of(call text, doc jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(%s)', call) USING doc;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT is(array_agg(DISTINCT state) FILTER (WHERE state NOT IN ('no error', '22023', 'XX001')), NULL,
	'damaged: ' || call)
FROM unnest(ARRAY['{"cols":["a","b"],"rows":[[1,"x"],[2.5,null]]}',
		'{"cols":["a",{"n":["b"]}],"vals":[[1],[[true]]]}']::jsonb[]) doc,
	unnest(ARRAY['jsonrow_is_valid($1)', 'jsonrow_get($1, 0, 1)', 'jsonrow_get($1, -1, ''a'')', 'jsonrow_to_objects($1)',
		'jsonrow_slice($1, 0, 1)', 'jsonrow_cols($1)', 'jsonrow_row($1, 0)', 'jsonrow_to_columns($1)']) call,
	generate_series(0, octet_length(doc::bytea) - 1) at, unnest(ARRAY[0, 1, 80, 128, 255]) byte,
	LATERAL (SELECT pg_temp.state_of(call, set_byte(doc::bytea, at, byte)::jsonb) AS state) s
GROUP BY call ORDER BY call;

-- A state that two aggregates share is finished twice.
CREATE AGGREGATE twin(text[], VARIADIC "any") (SFUNC = jsonrow_agg_transfn, STYPE = internal,
	FINALFUNC = jsonrow_agg_finalfn, FINALFUNC_EXTRA, COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn, DESERIALFUNC = jsonrow_agg_deserialfn);
CREATE AGGREGATE twin_json(text[], VARIADIC "any") (SFUNC = jsonrow_agg_json_transfn, STYPE = internal,
	FINALFUNC = jsonrow_agg_json_finalfn, FINALFUNC_EXTRA, COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn, DESERIALFUNC = jsonrow_agg_deserialfn);
CREATE AGGREGATE twin_col(text[], VARIADIC "any") (SFUNC = jsoncol_agg_transfn, STYPE = internal,
	FINALFUNC = jsoncol_agg_finalfn, FINALFUNC_EXTRA, COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn, DESERIALFUNC = jsonrow_agg_deserialfn);
SELECT ok(record_image_eq(ROW(a::jsonb, b::json, c::jsonb), ROW(d::jsonb, e::json, f::jsonb)) AND jsonrow_is_valid(a)
	AND jsonrow_is_valid(b) AND jsonrow_is_valid(c), format('finished twice: %s rows', n))
FROM (SELECT n, jsonrow_agg('{i,t}', i, t) AS a, twin('{i,t}', i, t) AS d, jsonrow_agg_json('{i,t}', i, t) AS b,
		twin_json('{i,t}', i, t) AS e, jsoncol_agg('{i,t}', i, t) AS c, twin_col('{i,t}', i, t) AS f
	FROM unnest(ARRAY[1, 100, 5000]) n, LATERAL (SELECT i, 'text ' || i AS t FROM generate_series(1, n) i) r
	GROUP BY n) s ORDER BY n;
DROP AGGREGATE twin(text[], VARIADIC "any"), twin_json(text[], VARIADIC "any"), twin_col(text[], VARIADIC "any");

-- Whoever may create in a database may create the extension there, in any schema.
CREATE ROLE jsonrow_test_user;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_test_user;	-- pgTAP may be there
SELECT format('GRANT CREATE ON DATABASE %I TO jsonrow_test_user', current_database()) \gexec
DROP EXTENSION jsonrow CASCADE;
SET LOCAL ROLE jsonrow_test_user;
CREATE SCHEMA jsonrow_test_elsewhere;
CREATE EXTENSION jsonrow SCHEMA jsonrow_test_elsewhere;
SELECT jsonrow_test_elsewhere.jsonrow_agg(s) AS created
FROM (SELECT jsonrow_test_elsewhere.jsonrow_agg('{n}', n) AS d FROM generate_series(1, 2) n) s \gset
RESET ROLE;
SELECT is(:'created'::text, '{"cols": [{"d": [["n"]]}], "rows": [[[[1], [2]]]]}',
	'created by a user, in a schema of his own');
CREATE SCHEMA jsonrow_test_moved;
ALTER EXTENSION jsonrow SET SCHEMA jsonrow_test_moved;
SELECT is(jsonrow_test_moved.jsonrow_agg(s)::text, '{"cols": [{"d": [["n"]]}], "rows": [[[[1], [2]]]]}',
	'moved to another schema')
FROM (SELECT jsonrow_test_moved.jsonrow_agg('{n}', n) AS d FROM generate_series(1, 2) n) s;

SELECT * FROM finish();
ROLLBACK;
