-- Bad input, limits, cancelled queries, memory.
\ir oracle.psql

SELECT plan(151);

--
-- names
--
SELECT throws_ok($$SELECT jsonrow_agg('{a,b}', 1)$$, '22023',
	pg_temp.count_error(2, 1), 'more names than values');
SELECT throws_ok($$SELECT jsonrow_agg_json('{a}', 1, 2)$$, '22023',
	pg_temp.count_error(1, 2), 'more values than names');
SELECT throws_ok($$SELECT jsonrow_agg('{}', 1)$$, '22023',
	pg_temp.count_error(0, 1), 'no names');
SELECT throws_ok($$SELECT jsonrow_agg('{a,NULL}', 1, 2)$$, '22004', 'name of column 2 must not be null',
	'a NULL name');
SELECT throws_ok($$SELECT jsonrow_agg(NULL::text[], 1)$$, '22004', 'column names must not be null', 'NULL names');
SELECT throws_ok($$SELECT jsonrow_agg('{a,b}', VARIADIC ARRAY[1, 2, 3])$$, '22023',
	pg_temp.count_error(2, 3), 'a VARIADIC array of another length');
SELECT throws_ok($$SELECT jsonrow_agg('{a,b}', VARIADIC a) FROM (VALUES ('{1,2}'::int[]), ('{1}')) v(a)$$, '22023',
	pg_temp.count_error(2, 1),
	'a VARIADIC array of another length in a later row');
SELECT is(jsonrow_agg(ARRAY['', 'a"b\', 'é😀', 'a'], 1, 2, 3, 4)::text,
	'{"cols": ["", "a\"b\\", "é😀", "a"], "rows": [[1, 2, 3, 4]]}',
	'names that are empty, hold quotes or are not ASCII');

--
-- not a document, though its type says so: only by force
--
CREATE CAST (jsonb AS bytea) WITHOUT FUNCTION;
CREATE CAST (bytea AS jsonb) WITHOUT FUNCTION;
ALTER DOMAIN jsonrow DROP CONSTRAINT jsonrow_check;
SELECT throws_ok($$SELECT jsonrow_agg('{d}', '{"rows":[]}'::jsonrow)$$, '22023',
	'jsonb value is not a jsonrow document', 'a nested document without cols');
SELECT throws_ok($$SELECT jsonrow_agg_json('{d}', '[1]'::jsonrow)$$, '22023',
	'jsonb value is not a jsonrow document', 'a nested document that is no object');
SELECT throws_ok($$SELECT jsonrow_agg('{d}', '{"cols":[1],"rows":[]}'::jsonrow)$$, '22023',
	'jsonb value is not a jsonrow document', 'a nested document with a number as name');
SELECT throws_ok($$SELECT jsonrow_agg('{d}', '"x"'::jsonrow)$$, '22023', 'jsonb value is not a jsonrow document',
	'a nested document that is a scalar');

-- damaged values: an error or a wrong value, never a crash
CREATE FUNCTION pg_temp.damage(doc jsonb, statement text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	b int;
	bytes bytea := doc::bytea;
	failures int := 0;
BEGIN
	FOR i IN 0 .. length(bytes) - 1 LOOP
		FOR b IN SELECT unnest(ARRAY[0, 1, 127, 128, 255, get_byte(bytes, i) # 16, get_byte(bytes, i) # 64]) LOOP
			BEGIN
				EXECUTE statement USING set_byte(bytes, i, b)::jsonb;
			EXCEPTION WHEN data_corrupted OR invalid_parameter_value OR program_limit_exceeded OR datatype_mismatch
				THEN
				failures := failures + 1;
			END;
		END LOOP;
	END LOOP;
	RETURN failures;
END $$;
SELECT cmp_ok(pg_temp.damage('{"cols":["a",{"b":["c"]},{"d":[["e"]]}],"rows":[[1,["x"],[[1.5],[null]]],[true,null,'
	'null]]}',
	'SELECT jsonrow_agg(''{d}'', $1::jsonrow)'), '>', 100, 'damaged nested documents');
SELECT cmp_ok(pg_temp.damage('{"cols":["a",{"b":["c"]},{"d":[["e"]]}],"rows":[[1,["x"],[[1.5],[null]]],[true,null,'
	'null]]}',
	'SELECT jsonrow_agg_json(''{d}'', $1::jsonrow)'), '>', 100, 'damaged nested documents, as JSON text');
SELECT cmp_ok(pg_temp.damage('{"a":[1,"x",{"b":[true,null,-1.5e10]}],"long":"text"}',
	'SELECT jsonrow_array_agg_json($1)'), '>', 50, 'damaged jsonb, as JSON text');
SELECT cmp_ok(pg_temp.damage('{"cols":["a",{"b":["c"]},{"d":[["e"]]}],"rows":[[1,["x"],[[1.5],[null]]],[true,null,'
	'null]]}',
	'SELECT jsonrow_is_valid($1)'), '>', 50, 'damaged jsonb, validated');
SELECT lives_ok($$SELECT pg_temp.damage('{"a":[1,"x",{"b":[true,null,-1.5e10]}],"long":"text"}',
	'SELECT jsonrow_array_agg($1)')$$, 'damaged jsonb is spliced as it is');
SELECT lives_ok($$SELECT pg_temp.damage('1.5', 'SELECT jsonrow_array_agg($1), jsonrow_array_agg_json($1)')$$,
	'damaged scalars');

CREATE TABLE damaged (doc jsonb);
INSERT INTO damaged VALUES ('{"cols":["a",{"b":["c"]},{"d":[["e"]]}],"rows":[[1,["x"],[[1.5],[null]]],[true,null,'
	'null]]}'), ('{"cols":["a",{"b":["c"]},{"d":[["e"]]}],"vals":[[1,true],[["x"],null],[[[1.5],[null]],null]],'
	'"types":[1]}');
SELECT cmp_ok(pg_temp.damage(doc, 'SELECT ' || call), '>', 50, 'damaged: ' || call)
FROM damaged, unnest(ARRAY['jsonrow_to_objects($1)', 'jsonrow_to_rows($1)', 'jsonrow_to_columns($1)',
	'jsonrow_concat($1, $1)', 'jsonrow_set($1, 0, 0, ''"y"'')', 'jsonrow_set($1, 1, ''d'', ''null'')',
	'jsonrow_append($1, ''[2,["y"],[]]'')', 'jsonrow_delete($1, 0)',
	'jsonrow_slice($1, 1, 1)', 'jsonrow_chunks($1, 100)', 'jsonrow_path($1, 1, ''d'')',
	'jsonrow_agg(''{d}'', $1::jsonrow)', 'jsonrow_agg_json(''{d}'', $1::jsonrow)',
	'jsonrow_concat_agg($1::jsonrow)']) call;
SELECT cmp_ok(pg_temp.damage(doc, 'SELECT ' || call), '>', 20, 'damaged: ' || call)
FROM damaged, unnest(ARRAY['jsonrow_get($1, 0, ''d'')', 'jsonrow_get($1, -1, 0)', 'jsonrow_get_text($1, 0, 1)',
	'jsonrow_row($1, 0)', 'jsonrow_object($1, 0)', 'jsonrow_col($1, ''b'')', 'jsonrow_cols($1)',
	'jsonrow_count($1)', 'jsonrow_find($1, ''d'', ''[[1.5],[null]]'')', 'jsonrow_each($1)',
	'r FROM jsonrow_to_recordset($1) r(a jsonb, b text, d json)', 'jsonrow_path($1, 0, 1)']) call;
SELECT cmp_ok(pg_temp.damage('[{"a":1,"b":"x"},{"a":[2],"b":null,"cc":1.5},null]',
	'SELECT jsonrow_from_objects($1)'), '>', 50, 'damaged: jsonrow_from_objects');
-- ... where a second entry holds an offset
CREATE TABLE offsets AS SELECT jsoncol_agg('{a,b}', lpad(i::text, 20, '0'), i)::jsonb AS doc
FROM generate_series(1, 100) i;
CREATE FUNCTION pg_temp.damage_offset(statement text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	bytes bytea := (SELECT doc::bytea FROM offsets);
	-- the 33rd entry of the first vector, whose header word is that of 100 elements
	entry int := position('\x64000040'::bytea IN bytes) - 1 + 4 + 32 * 4;
	failures int := 0;
BEGIN
	FOR i IN 0 .. 3000 LOOP
		BEGIN
			EXECUTE statement USING set_byte(set_byte(bytes, entry, i & 255), entry + 1, i >> 8)::jsonb;
		EXCEPTION WHEN data_corrupted THEN
			failures := failures + 1;
		END;
	END LOOP;
	RETURN failures;
END $$;
SELECT cmp_ok(pg_temp.damage_offset('SELECT ' || call), '>', 1000, 'a damaged offset: ' || call)
FROM unnest(ARRAY['jsonrow_slice($1, 40, 30)', 'jsonrow_delete($1, 50)', 'jsonrow_set($1, 50, 0, ''1'')',
	'jsonrow_append($1, ''[1,2]'')', 'jsonrow_chunks($1, 500)', 'jsonrow_to_rows($1)', 'jsonrow_concat($1, $1)']) call;
-- ... where it is edited in place
CREATE TABLE fetched (doc jsonb);
ALTER TABLE fetched ALTER doc SET STORAGE EXTERNAL;
INSERT INTO fetched SELECT jsonrow_agg('{i,t}', i, 'text ' || i) FROM generate_series(1, 100) i;
CREATE FUNCTION pg_temp.damage_fetched(statement text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	bytes bytea := (SELECT doc::bytea FROM fetched LIMIT 1);
	failures int := 0;
BEGIN
	FOR i IN 0 .. 460 LOOP
		UPDATE fetched SET doc = set_byte(bytes, i, get_byte(bytes, i) # (16 + i % 5 * 17))::jsonb;
		BEGIN
			EXECUTE statement;
		EXCEPTION WHEN data_corrupted OR invalid_parameter_value OR program_limit_exceeded OR datatype_mismatch THEN
			failures := failures + 1;
		END;
	END LOOP;
	UPDATE fetched SET doc = bytes::jsonb;
	RETURN failures;
END $$;
SELECT cmp_ok(pg_temp.damage_fetched('SELECT ' || call || ' FROM fetched'), '>', 100, 'damaged and fetched: ' || call)
FROM unnest(ARRAY['jsonrow_set(doc, 50, 0, ''"y"'')', 'jsonrow_append(doc, ''[2,["y"]]'')',
	'jsonrow_delete(doc, 0)', 'jsonrow_slice(doc, 10, 10)']) call;

-- ... where it is read by pieces, or decompressed in part
CREATE TABLE pieces (external jsonb, pglz jsonb);
ALTER TABLE pieces ALTER external SET STORAGE EXTERNAL, ALTER pglz SET COMPRESSION pglz;
CREATE TABLE whole AS SELECT doc::bytea AS bytes FROM (SELECT jsonrow_agg('{i,t,d}', i, 'text ' || i,
	(SELECT jsonrow_agg('{n}', n) FROM generate_series(1, i % 3) n))::jsonb AS doc FROM generate_series(1, 2000) i) s
UNION ALL SELECT doc::bytea FROM (SELECT jsoncol_agg('{i,t,d}', i, 'text ' || i, (SELECT jsonrow_agg('{n}', n)
	FROM generate_series(1, i % 3) n))::jsonb AS doc FROM generate_series(1, 2000) i) s;
CREATE FUNCTION pg_temp.damage_pieces(call text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	b bytea;
	i int;
	storage text;
	failures int := 0;
BEGIN
	FOR b IN SELECT bytes FROM whole LOOP
		FOR k IN 0 .. 150 LOOP
			-- the beginning, and places all over the value
			i := CASE WHEN k < 100 THEN k ELSE (k::bigint * 7919 * 13 % length(b))::int END;
			b := set_byte(b, i, get_byte(b, i) # (1 + k * 37 % 255));
			TRUNCATE pieces;
			INSERT INTO pieces VALUES (b::jsonb, b::jsonb);
			b := set_byte(b, i, get_byte(b, i) # (1 + k * 37 % 255));
			FOREACH storage IN ARRAY ARRAY['external', 'pglz'] LOOP
				BEGIN
					EXECUTE format('SELECT ' || call || ' FROM pieces', storage);
				EXCEPTION WHEN data_corrupted OR invalid_parameter_value OR program_limit_exceeded THEN
					failures := failures + 1;
				END;
			END LOOP;
		END LOOP;
	END LOOP;
	RETURN failures;
END $$;
SELECT cmp_ok(pg_temp.damage_pieces(call), '>', 20, 'damaged and read by pieces: ' || call)
FROM unnest(ARRAY['jsonrow_get(%I, 0, ''t''), jsonrow_get(%1$I, 1000, 2), jsonrow_get_text(%1$I, -1, 0)',
	'jsonrow_row(%I, 1234), jsonrow_object(%1$I, 1233)',
	'jsonrow_count(%I), jsonrow_cols(%1$I), jsonrow_path(%1$I, 5, 1)',
	'jsonrow_col(%I, 1), jsonrow_find(%1$I, ''i'', ''1999'')', '(SELECT count(*) FROM jsonrow_each(%I))']) call;

--
-- limits
--
SELECT pg_temp.raises(format('SELECT %s FROM generate_series(1, 300)', call), '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', NULL,
	'Use the aggregate''s _json form, or smaller batches of rows.', 'over 256 MB of jsonb: ' || call)
FROM unnest(ARRAY['jsonrow_agg(''{x}'', repeat(''x'', 1000000))', 'jsoncol_agg(''{x}'', repeat(''x'', 1000000))',
	'jsonrow_array_agg(repeat(''x'', 1000000))']) call;
SELECT throws_ok($$SELECT jsonrow_array_agg(repeat('x', 270000000))$$, '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'over 256 MB of jsonb in one value');
-- Its text is much shorter than jsonb would be; a text that might be of a larger one is checked.
SELECT throws_ok($$SELECT octet_length(jsonrow_core_to_jsonb_text(array_fill(0, ARRAY[22500000]))::text)$$, '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'text of over 256 MB of jsonb');
SELECT throws_ok($$SELECT octet_length(jsonrow_core_jsonb_agg_text(a)::text)
	FROM (SELECT array_fill(0, ARRAY[230000]) AS a FROM generate_series(1, 100)) s$$, '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'text of over 256 MB, aggregated');
SELECT is(octet_length(jsonrow_core_jsonb_agg_text(repeat('x', 1000000))::text), 200 * 1000004,
	'text of 200 MB of jsonb')
FROM generate_series(1, 200);
SELECT is(octet_length(jsonrow_agg_json('{x}', repeat('x', 1000000))::text), 24 + 300 * 1000004 + 299,
	'300 MB of JSON text')
FROM generate_series(1, 300);
SELECT throws_ok($$SELECT jsonrow_agg_json('{x}', repeat('x', 1000000)) FROM generate_series(1, 1100)$$, '54000',
	NULL, 'over 1 GB of JSON text');
-- 200 MB each, so that nothing but the result is too large
CREATE TABLE huge AS SELECT jsonrow_agg('{x,y}', repeat('x', 1000000), 1) AS doc FROM generate_series(1, 200);
CREATE TABLE keys AS SELECT jsonrow_agg(ARRAY[repeat('k', 2000)], 1) AS doc FROM generate_series(1, 200000);
SELECT throws_ok('SELECT ' || replace(call, '$1', 'doc') || ' FROM huge', '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'over 256 MB: ' || call)
FROM unnest(ARRAY['jsonrow_concat($1, $1)', 'jsonrow_concat(jsonrow_to_columns($1), jsonrow_to_columns($1))',
	'jsonrow_append($1, jsonb_build_array(repeat(''x'', 100000000), 1))',
	'jsonrow_set($1, 0, 0, to_jsonb(repeat(''x'', 100000000)))',
	'jsonrow_set(jsonrow_to_columns($1), 0, 0, to_jsonb(repeat(''x'', 100000000)))',
	'jsonrow_append(jsonrow_to_columns($1), jsonb_build_array(repeat(''x'', 100000000), 1))']) call;
SELECT throws_ok('SELECT jsonrow_concat_agg(doc) FROM huge, generate_series(1, 2)', '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'over 256 MB: jsonrow_concat_agg');
SELECT throws_ok('SELECT jsonrow_to_objects(doc) FROM keys', '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'over 256 MB: jsonrow_to_objects');
SELECT throws_ok($$SELECT jsonrow_from_objects(jsonb_agg(jsonb_build_object(i, i)))
	FROM generate_series(1, 20000) i$$, '54000', 'total size of jsonb array elements exceeds the maximum of '
	'268435455 bytes', 'over 256 MB: jsonrow_from_objects');
DROP TABLE huge, keys;

--
-- cancelled queries
--
-- A query ends by the statement's timeout, or with "finished"; and what it took of the processor.
CREATE FUNCTION pg_temp.ending(query text, OUT state text, OUT seconds numeric) LANGUAGE plpgsql AS $$
DECLARE
	before CONSTANT numeric := pg_temp.cpu_seconds();
BEGIN
	BEGIN
		EXECUTE query;
		state := 'finished';
	EXCEPTION WHEN query_canceled THEN
		state := SQLSTATE;
	END;
	seconds := pg_temp.cpu_seconds() - before;
END $$;
CREATE TABLE large AS SELECT jsonrow_agg('{i,t}', i, 'text ' || i) AS doc FROM generate_series(1, 3000000) i;
CREATE TABLE wide_object AS SELECT jsonb_build_array(jsonb_object_agg('c' || i, i)) AS doc
FROM generate_series(1, 1000000) i;
SELECT format('CREATE TABLE wide (%s)', string_agg(format('c%s int', i), ', ')) FROM generate_series(1, 1600) i \gexec
INSERT INTO wide (c1) VALUES (1);
SELECT throws_ok('SELECT jsoncol_agg(CASE WHEN i = 60000 THEN wide END) FROM wide, generate_series(1, 60000) i',
	'54000', 'total size of jsonb array elements exceeds the maximum of 268435455 bytes',
	'more NULL records than fit');
CREATE TABLE calls AS SELECT unnest(ARRAY['jsonrow_agg(''{i,t}'', i, ''text '' || i) FROM generate_series(1, '
	'100000000) i',
	'jsonrow_agg_json(''{d}'', doc) FROM large, generate_series(1, 3)', 'jsonrow_to_objects(doc) FROM large',
	'jsonrow_to_columns(doc) FROM large', 'jsonrow_to_rows(jsonrow_to_columns(doc)) FROM large',
	'jsonrow_from_objects(jsonrow_to_objects(doc)) FROM large', 'jsonrow_set(doc, 0, 0, ''1'') FROM large',
	'jsonrow_concat_agg(doc) FROM large', 'count(*) FROM large, jsonrow_chunks(doc, 100)',
	'jsoncol_agg(''{i,t}'', i, ''text '' || i) FROM generate_series(1, 100000000) i',
	'jsonrow_from_objects(doc) FROM wide_object', 'jsonrow_to_objects(jsonrow_from_objects(doc)) FROM wide_object',
	'jsoncol_agg(CASE WHEN i = 40000 THEN wide END) FROM wide, generate_series(1, 40000) i',
	'jsoncol_agg_json(NULL::wide) FROM generate_series(1, 100000) i']) AS call;
CREATE TABLE ended (call text, state text, seconds numeric);
-- A server that is looked at (valgrind) takes longer until it runs the call at all.
SELECT set_config('statement_timeout', (50 * current_setting('test.one_in')::int)::text, true);
SELECT format('INSERT INTO ended SELECT %L, e.* FROM pg_temp.ending(%L) e', call, 'SELECT ' || call) FROM calls \gexec
SET LOCAL statement_timeout = 0;
SELECT is(state, '57014', 'cancelled: ' || call) FROM ended;
SELECT is(count(*), (SELECT count(*) FROM calls), 'each call has ended') FROM ended;
SELECT pg_temp.takes_less(seconds, 1.5, 'cancelled in time: ' || call) FROM ended WHERE call ~ '^jsonrow_agg_json';
SELECT pg_temp.takes_less(avg(seconds), 1.0, 'cancelled within a second on the average') FROM ended;
SELECT is(jsonrow_agg('{a}', 1)::text, '{"cols": ["a"], "rows": [[1]]}',
	'the session goes on after the cancelled queries');
DROP TABLE large;

--
-- memory: nothing is left behind per row, whatever the type
--

-- Both queries write the same bytes, so at the last row both have allocated
-- the same, but for what the first one's values have left behind.
CREATE FUNCTION pg_temp.allocated() RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT sum(total_bytes) FROM pg_backend_memory_contexts WHERE name NOT LIKE 'Cache%' $$;
CREATE TYPE pair AS (x int, y text);
CREATE TYPE mood AS ENUM ('sad', 'ok');
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'hstore') AS has_hstore \gset
\if :has_hstore
	CREATE EXTENSION IF NOT EXISTS hstore;
	\set hstore 'hstore(\'k\', i::text)'
\else
	\set hstore 'NULL::int'
\endif
CREATE TABLE leaks AS
SELECT i, 'text ' || i AS t, i * 1.5 AS n, now() AS tz, ROW(i, 'y')::pair AS p, ARRAY[i, 2] AS a,
	ARRAY[ROW(i, 'y')::pair] AS ap,
	   to_json(i) AS j, jsonb_build_object('k', i) AS b, :hstore AS h, 'sad'::mood AS m,
		int4range(1, i) AS r,
	   repeat('long', 2000) AS l
FROM generate_series(1, 20000) i;
CREATE FUNCTION pg_temp.leaked(col text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	doc jsonb;
	used bigint[];
	bytes bigint;
	result text := '';
BEGIN
	FOREACH doc IN ARRAY ARRAY['["jsonrow_array_agg", "to_jsonb"]',
		'["jsonrow_array_agg_json", "to_json"]']::jsonb[] LOOP
		FOR k IN 1 .. 2 LOOP
			EXECUTE format('SELECT (%s(%s, CASE WHEN i = 20000 THEN 1000000000 + pg_temp.allocated() END)::jsonb '
				'-> -1 ->> 1)::bigint FROM leaks',
				doc ->> 0, CASE k WHEN 1 THEN format('%s(%I)', doc ->> 1, col) ELSE quote_ident(col) END) INTO bytes;
			used[k] := bytes;
		END LOOP;
		IF (used[2] - used[1] <= 150000) IS NOT TRUE THEN
			result := result || format('%s: %s bytes ', doc ->> 0, used[2] - used[1]);
		END IF;
	END LOOP;
	RETURN result;
END $$;
SELECT pg_temp.leaked('i') AS warmed_up \gset
SELECT is(pg_temp.leaked(attname), '', 'memory per row of type ' || format_type(atttypid, atttypmod))
FROM pg_attribute WHERE attrelid = 'leaks'::regclass AND attnum > 0 ORDER BY attnum;
CREATE FUNCTION pg_temp.used_by(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE 'SELECT (doc::jsonb -> ''rows'' -> -1 ->> 1)::bigint FROM (' || query || ') q(doc)' INTO result;
	RETURN result;
END $$;
CREATE TABLE docs AS
SELECT i, jsonb_build_object('cols', CASE WHEN i % 3 > 0 THEN '["a"]' ELSE '[]' END::jsonb, 'rows',
	CASE WHEN i % 3 > 0 THEN '[[1]]' ELSE '[]' END::jsonb) AS d FROM generate_series(1, 20000) i;
SELECT cmp_ok(pg_temp.used_by(format('SELECT %s(''{d,u}'', d::jsonrow, CASE WHEN i = 20000 THEN 1000000000 + '
	'pg_temp.allocated() END) FROM docs', f)) -
			  pg_temp.used_by(format('SELECT %s(''{d,u}'', d -> ''rows'', CASE WHEN i = 20000 THEN 1000000000 + '
				'pg_temp.allocated() END) FROM docs', f)),
			  '<', 100000::bigint, 'memory per nested document, ' || f)
FROM unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json']) f;
-- headers that are another in each group
SET LOCAL enable_hashagg = off;
SELECT cmp_ok(max(used) - min(used), '<', 300000::bigint, 'memory per group of its own names')
FROM (SELECT (doc -> 'rows' -> 0 ->> 1)::bigint AS used
	  FROM (SELECT jsonrow_agg(ARRAY['k' || i, 'u'], i, CASE WHEN i IN (1000, 20000)
		THEN 1000000000 + pg_temp.allocated() END) AS doc
			FROM leaks GROUP BY i ORDER BY i) g) s;

--
-- A header of many levels is read once per level.
--
SET LOCAL max_stack_depth = '6MB';
CREATE TABLE deep AS
SELECT format('{"cols":%s["x"]%s,"rows":[]}', repeat('["' || repeat('n', 1000) || '",{"a":', 3000),
	repeat('}]', 3000)) AS doc;
SELECT coalesce(pg_temp.cpu_seconds()::text, 'NULL') AS before \gset
SELECT ok(jsonrow_is_valid(doc::json), '3,000 levels of JSON text') FROM deep;
SELECT ok(jsonrow_is_valid(doc::jsonb), '3,000 levels of jsonb') FROM deep;
SELECT is(jsonrow_count(jsonrow_concat(doc::jsonb, doc::jsonb)), 0, '3,000 levels put together') FROM deep;
SELECT lives_ok($$SELECT jsonrow_agg_json('{d}', doc::jsonrow_json)
	FROM (SELECT replace(doc, '["x"]', '[[]]')::json AS doc FROM deep, generate_series(1, 3)) s$$,
	'3,000 levels in a nested document, the last not known');
SELECT pg_temp.takes_less(pg_temp.cpu_seconds() - :before, 3, '3,000 levels are read once each');

--
-- Columns and attributes find one another in one pass.
--
CREATE TABLE wide_header AS SELECT jsonb_build_object('cols', jsonb_agg('n' || i), 'rows', '[]'::jsonb) AS doc
FROM generate_series(1, 500000) i;
SELECT coalesce(pg_temp.cpu_seconds()::text, 'NULL') AS before \gset
SELECT lives_ok((SELECT format('SELECT * FROM wide_header, jsonrow_to_recordset(doc) r(%s)',
	string_agg(format('a%s int', i), ',')) FROM generate_series(1, 1500) i),
	'1,500 columns of 500,000');
SELECT pg_temp.takes_less(pg_temp.cpu_seconds() - :before, 3, '1,500 columns are found in one pass');
SELECT format('CREATE TYPE many AS (%s)', string_agg(format('a%s int', i), ',')) FROM generate_series(1, 400) i \gexec
CREATE TABLE composites AS
SELECT jsonb_build_object('cols', '["m"]'::jsonb, 'rows', jsonb_agg(jsonb_build_array(o))) AS doc
FROM (SELECT jsonb_object_agg('a' || i, i) AS o FROM generate_series(1, 400) i) s, generate_series(1, 2000 / :one_in);
SELECT coalesce(pg_temp.cpu_seconds()::text, 'NULL') AS before \gset
SELECT is((SELECT sum((m).a7 + (m).a400) FROM composites, jsonrow_to_recordset(doc) r(m many)),
	2000 / :one_in * 407::bigint, '2,000 composites of 400 attributes');
SELECT pg_temp.takes_less(pg_temp.cpu_seconds() - :before, 3, 'their attributes are found in one pass');

-- More values that could be made as text than are looked at
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{jsonrow.accelerate, off}'),
	'1,200 columns of jsonb')
FROM (SELECT format('SELECT json_agg(q.x), json_agg(r.c1), json_agg(s.c600) FROM (SELECT jsonb_agg(a + b)::text AS x
	FROM generate_series(1, 2) a, generate_series(1, 2) b) q, (SELECT %1$s FROM generate_series(1, 2) c) r,
	(SELECT %1$s FROM generate_series(1, 2) c) s', string_agg(format('to_jsonb(c) AS c%s', i), ', '))
	FROM generate_series(1, 600) i) q(query);

SELECT ok(NOT jsonrow_is_valid(('{"' || repeat('\u0063', 50000000) || '":1}')::json),
	'a key that jsonb could not hold');

SELECT * FROM finish();
ROLLBACK;
