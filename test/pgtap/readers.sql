-- Cells, rows and columns read out of documents, however they are stored;
-- documents as sets of rows.
\ir oracle.psql

SELECT pg_temp.plan_most(890);

--
-- law 4: documents of all sizes, all storages, both orientations
--
CREATE TABLE made (n int, kind text, doc jsonb);
INSERT INTO made SELECT n, 'flat', jsonrow_agg('{id,name,price,flag,id,note}', i, 'name ' || i, i * 1.25, i % 2 = 0,
	-i, CASE WHEN i % 3 = 0 THEN 'note ' || i END)
FROM unnest(ARRAY[0, 1, 2, 31, 32, 33, 34, 64, 65, 100, 1000, 20000]) n LEFT JOIN
	LATERAL generate_series(1, n) i ON true WHERE i IS NOT NULL GROUP BY n;
INSERT INTO made SELECT 0, 'flat', '{"cols": ["a"], "rows": []}';
INSERT INTO made SELECT 3000, 'nested', jsonrow_agg('{id,d,p}', i, (SELECT jsonrow_agg('{n,t}', n, repeat('x', n))
	FROM generate_series(1, i % 5) n HAVING i % 7 > 0), CASE WHEN i % 2 = 0 THEN s END)
FROM generate_series(1, 3000) i, LATERAL (SELECT i AS x, 'y' AS y) s;
INSERT INTO made SELECT 50, 'large rows', jsonrow_agg('{id,t,u}', i,
	(SELECT string_agg(md5((i * 1000 + j)::text), '') FROM generate_series(1, 300) j), i)
FROM generate_series(1, 50) i;
INSERT INTO made SELECT 500, 'wide', jsonrow_agg(w) FROM (SELECT i AS c1, i AS c2, i AS c3, 'x' || i AS c4, i AS c5,
	i AS c6, i AS c7, i AS c8, NULL::int AS c9, i AS c10, i AS c11, i AS c12, i AS c13, i AS c14, i AS c15,
	i AS c16, i AS c17, i AS c18, i AS c19, i AS c20, i AS c21, i AS c22, i AS c23, i AS c24,
	i AS c25, i AS c26, i AS c27, i AS c28, i AS c29, i AS c30, i AS c31, i AS c32, i AS c33, i AS c34, 'last '
		|| i AS c35 FROM generate_series(1, 500) i) w;
INSERT INTO made SELECT 400, 'long header', jsonrow_agg(ARRAY[repeat('a', 3000), repeat('b', 3000), 'c'], i, 'b'
	|| i, i * 2) FROM generate_series(1, 400) i;
INSERT INTO made SELECT 60, '300 columns', jsonb_build_object('cols', (SELECT jsonb_agg('c' || c)
	FROM generate_series(1, 300) c), 'rows', (SELECT jsonb_agg((SELECT jsonb_agg(md5((c * r)::text))
	FROM generate_series(1, 300) c WHERE r > 0)) FROM generate_series(1, 60) r));
INSERT INTO made SELECT 5000, 'over 256 kB', jsonrow_agg('{id,name,x,y}', i, 'name ' || i,
	repeat(chr(97 + i % 26), 60), i * 1.5) FROM generate_series(1, 5000) i;
INSERT INTO made SELECT n, 'rows over 256 kB', jsonrow_agg('{id,long,t,longer,last}', i, (SELECT jsonb_agg(j % 7)
	FROM generate_series(1, 100000 / n) j), 't' || i, repeat(md5(i::text), 30000 / n), i)
FROM unnest(ARRAY[1, 6]) n, generate_series(1, n) i GROUP BY n;
INSERT INTO made SELECT 3, 'null rows', '{"cols": ["a", {"d": [["b"]]}], "rows": [null, [1, [[2]]], null], '
	'"types": [1]}';
INSERT INTO made SELECT 0, 'no columns', '{"cols": [], "rows": [[], null]}';
INSERT INTO made SELECT n, kind || ', by column', jsonrow_to_columns(doc) FROM made
WHERE kind NOT IN ('null rows', 'no columns');
CREATE TABLE kept (external jsonb, pglz jsonb, lz4 jsonb, main jsonb);
ALTER TABLE kept ALTER external SET STORAGE EXTERNAL, ALTER pglz SET COMPRESSION pglz, ALTER main SET STORAGE MAIN;
DO $$
BEGIN
	ALTER TABLE kept ALTER lz4 SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN	-- built without; then it is pglz once more
END $$;
CREATE FUNCTION pg_temp.read_all(d jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	storage text;
	problem text;
	result text := '';
BEGIN
	TRUNCATE kept;
	INSERT INTO kept VALUES (d || '{}', d || '{}', d || '{}', d || '{}');
	FOREACH storage IN ARRAY ARRAY['(SELECT external AS doc FROM kept) s', '(SELECT pglz AS doc FROM kept) s',
		'(SELECT lz4 AS doc FROM kept) s', '(SELECT main AS doc FROM kept) s',
		'(SELECT external || ''{}'' AS doc FROM kept OFFSET 0) s'] LOOP
		problem := pg_temp.check_readers(storage);
		IF problem IS NOT NULL THEN
			result := result || storage || ': ' || problem;
		END IF;
	END LOOP;
	RETURN nullif(result, '');
END $$;
SELECT is(pg_temp.read_all(doc), NULL, format('%s rows, %s', n, kind)) FROM made WHERE n < 20000;

-- by name: the first of equal names; what isn't there
SELECT is(jsonrow_get(doc, 0, name)::text, expected, format('%s of %s', name, doc))
FROM (VALUES ('{"cols":["a","b","a",""],"rows":[[1,2,3,4]]}'::jsonb, 'a', '1'),
	('{"cols":["a","b","a",""],"rows":[[1,2,3,4]]}', 'b', '2'), ('{"cols":["a","b","a",""],"rows":[[1,2,3,4]]}', '',
	'4'), ('{"cols":["a","b","a",""],"rows":[[1,2,3,4]]}', 'c', NULL),
	('{"cols":["x",{"a":["b"]}],"vals":[[1],[[2]]]}', 'a', '[2]'), ('{"cols":[{"d":[["a"]]}],"rows":[[[[1],[2]]]]}',
		'd', '[[1], [2]]'), ('{"cols":[{"d":[["a"]]}],"rows":[[[[1],[2]]]]}', 'a', NULL)) v(doc, name, expected);
SELECT is(jsonrow_get_text(doc, 0, 'a'), expected, 'text of ' || doc::text)
FROM (VALUES ('{"cols":["a"],"rows":[["x\"y"]]}'::jsonb, 'x"y'), ('{"cols":["a"],"rows":[[null]]}', NULL),
	('{"cols":["a"],"rows":[[1.50]]}', '1.50'), ('{"cols":["a"],"rows":[[true]]}', 'true'),
	('{"cols":["a"],"rows":[[[1,{"k":"v"}]]]}', '[1, {"k": "v"}]'), ('{"cols":["a"],"rows":[null]}', NULL)) v(doc,
	expected);
SELECT is(jsonrow_object('{"cols":["id",{"d":[["n",{"e":[["m"]]}]]},{"p":["x"]},"id"],"rows":[[1,[[2,[[3]]],[4,'
	'null]],[5],6]]}', 0)::text, '{"d": [{"e": [{"m": 3}], "n": 2}, {"e": null, "n": 4}], "p": {"x": 5}, "id": 6}',
	'names at every depth');

-- found
SELECT is(jsonrow_find(d, 'a', value), expected, format('find %s, %s', value, CASE WHEN d ? 'vals' THEN 'by column'
	ELSE 'by row' END))
FROM (SELECT '{"cols":["b","a","a"],"rows":[[0,1,9],[0,"1",9],[0,1.0,9],[0,null,9],[0,true,9],[0,[1,{"k":[2.0]}],'
	'9],[0,{},9],[0,"x",9],[0,[],9]]}'::jsonb AS doc) s, LATERAL (VALUES (doc), (jsonrow_to_columns(doc))) v(d),
	(VALUES ('1'::jsonb, 0), ('1.00', 0), ('"1"', 1), ('null', 3), ('true', 4), ('false', NULL),
		('[1, {"k": [2]}]', 5), ('{}', 6), ('"x"', 7), ('"X"', NULL), ('9', NULL), ('[1]', NULL),
	('[]', 8)) q(value, expected);
SELECT is(count(*) FILTER (WHERE (jsonrow_find(jsonb_build_object('cols', '{a}'::text[], 'rows',
	jsonb_build_array(jsonb_build_array(x))), 'a', y) IS NOT NULL) IS DISTINCT FROM (x = y))::int, 0,
	'numbers are found as = has it')
FROM (SELECT to_jsonb(n::numeric) AS x, to_jsonb(m::numeric) AS y
	FROM unnest(ARRAY['0', '0.00', '-0', '1', '1.0', '1.00000', '-1', '-1.0', '9999', '10000', '1e4', '100000000',
	'1e8', '0.0001', '0.00010', '1e-4', '0.1', '0.10', '0.01', '12345.6789', '12345.67890', '-12345.6789',
	'1e300', '1e-300', '1.0' || repeat('0', 100), '1.' || repeat('0', 99) || '1', '123456789012345678901234567890',
	'123456789012345678901234567890.0', '123456789012345678901234567891']) n,
	unnest(ARRAY['0', '0.000', '1', '1.00', '-1', '9999', '10000', '1e8', '0.0001', '0.1', '0.10', '0.01',
		'12345.6789', '1e300', '1e-300', '1.' || repeat('0', 99) || '1', '123456789012345678901234567890.00']) m) v;
SELECT is(jsonrow_find('{"cols":["a"],"rows":[null,[null]]}', 'a', 'null'), 1, 'a row that is null has no cell');
SELECT is(jsonrow_find('{"cols":["a"],"rows":[[1]]}', 'b', '1'), NULL, 'no such column');
SELECT is(jsonrow_find(doc, 'name', '"name 777"'), 776, 'in 1,000 rows') FROM made WHERE n = 1000;

-- NULL
SELECT is(ROW(jsonrow_get(NULL, 0, 'a'), jsonrow_get('{}', NULL, 0), jsonrow_get_text(NULL, 0, 0),
	jsonrow_row(NULL, 0), jsonrow_object(NULL, 0), jsonrow_col(NULL, 'a'), jsonrow_cols(NULL), jsonrow_count(NULL),
	jsonrow_find(NULL, 'a', '1'))::text, '(,,,,,,,,)', 'NULL gives NULL');
SELECT is(count(*)::int, 0, 'jsonrow_each of NULL has no rows') FROM jsonrow_each(NULL);
SELECT is(count(*)::int, 0, 'jsonrow_populate_recordset of NULL has no rows')
FROM jsonrow_populate_recordset(NULL::made, NULL);

-- where values come from: subqueries, PL/pgSQL, after VACUUM FULL's kind of rewrite, read-only
CREATE TABLE large AS SELECT doc FROM made WHERE n = 20000 AND kind = 'flat';
ALTER TABLE large ALTER doc SET STORAGE EXTERNAL;
UPDATE large SET doc = doc || '{}';
SELECT is((SELECT jsonrow_get(doc, 10000, 'name') FROM (SELECT doc FROM large OFFSET 0) s), '"name 10001"',
	'out of a subquery');
CREATE FUNCTION pg_temp.in_plpgsql() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	d jsonb := (SELECT doc FROM large);
	result text := '';
BEGIN
	FOR i IN 0 .. 2 LOOP
		result := result || jsonrow_get_text(d, i * 1000, 'name') || ' ';
	END LOOP;
	RETURN result;
END $$;
SELECT is(pg_temp.in_plpgsql(), 'name 1 name 1001 name 2001 ', 'out of a variable');
ALTER TABLE large ALTER doc TYPE jsonb USING doc;
CREATE INDEX ON large ((jsonrow_count(doc)));
CLUSTER large USING large_jsonrow_count_idx;
SELECT is(jsonrow_get_text(doc, -1, 'name'), 'name 20000', 'after the table was rewritten') FROM large;

-- few buffers, however large the document is
CREATE TABLE sized (n int, doc jsonb, col jsonb);
ALTER TABLE sized ALTER doc SET STORAGE EXTERNAL, ALTER col SET STORAGE EXTERNAL;
INSERT INTO sized SELECT n, doc || '{}', jsonrow_to_columns(doc) || '{}' FROM unnest(ARRAY[1000, 100000]) n,
	LATERAL (SELECT jsonrow_agg('{id,name,x}', i, 'name ' || i, i * 1.5) AS doc FROM generate_series(1, n) i) s;
CREATE FUNCTION pg_temp.buffers(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
	RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::int + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::int;
END $$;
SELECT pg_temp.buffers(format('SELECT %s FROM sized WHERE n = %s', call, n))
FROM (VALUES ('jsonrow_get(doc, 0, 1)')) c(call), unnest(ARRAY[1000, 100000]) n \g /dev/null
SELECT cmp_ok(pg_temp.buffers(format('SELECT %s FROM sized WHERE n = 100000',
	call)) - pg_temp.buffers('SELECT n FROM sized WHERE n = 100000'), '<', 30, 'buffers of ' || call)
FROM unnest(ARRAY['jsonrow_get(doc, 50000, ''name'')', 'jsonrow_get(doc, -1, 0)',
	'jsonrow_get(col, 50000, ''name'')', 'jsonrow_row(doc, 33333)', 'jsonrow_count(doc)', 'jsonrow_cols(col)',
	'jsonrow_object(doc, 77777)']) call;

-- a compressed value is fetched only as far as the cell
CREATE TABLE compressed (doc jsonb COMPRESSION pglz);
INSERT INTO compressed SELECT jsonrow_agg('{id,long,last}', 1, (SELECT jsonb_agg(j % 1000)
	FROM generate_series(1, 1000000) j), 'z');
SELECT pg_temp.buffers('SELECT jsonrow_get(doc, 0, 0) FROM compressed') \g /dev/null
SELECT cmp_ok(pg_temp.buffers('SELECT jsonrow_get(doc, 0, ''last'') FROM compressed'), '>', 100,
	'all of a compressed value');
SELECT cmp_ok(pg_temp.buffers('SELECT jsonrow_get(doc, 0, ''id'') FROM compressed'), '<', 15,
	'the beginning of a compressed value');

--
-- sets of rows
--
CREATE TYPE pair AS (x int, y text);
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN required AS text NOT NULL;
SELECT is(array_agg(format('%s|%s', row, value)), ARRAY['0|[1, "x"]', '1|null', '2|[null, {"k": [1]}]'],
	'rows of jsonrow_each')
FROM jsonrow_each('{"cols":["a","b"],"rows":[[1,"x"],null,[null,{"k":[1]}]]}');
SELECT is(array_agg(format('%s|%s', row, value)), ARRAY['0|[1, "x"]', '1|[2, null]'],
	'rows of jsonrow_each, by column')
FROM jsonrow_each('{"cols":["a","b"],"vals":[[1,2],["x",null]]}');
SELECT is(count(*)::int, 10, 'LIMIT on each in a SELECT list') FROM (SELECT (jsonrow_each(doc)).row FROM made
	WHERE n = 20000 AND kind = 'flat' LIMIT 10) s;
SELECT is(array_agg(r::text), ARRAY['(x,1,)', '(,,)', '(3,,)'], 'to_recordset, by name')
FROM jsonrow_to_recordset('{"cols":["a","b","a"],"rows":[[1,"x",9],null,[null,3,9]]}') r(b text, a int, missing date);
SELECT is(array_agg(r::text), ARRAY['(7,y)', '(7,)'], 'what is missing comes from the base')
FROM jsonrow_populate_recordset(ROW(7, 'base')::pair, '{"cols":["y"],"rows":[["y"],[null]]}') r;
SELECT is(array_agg(r::text), ARRAY['(1,"(2,b)","{""(3,c)"",NULL}","{{1,2},{3,NULL}}")'], 'composites and arrays')
FROM jsonrow_to_recordset('{"cols":["i",{"p":["y","x"]},"pp","aa"],"rows":[[1,["b",2],[{"x":3,"y":"c"},null],[[1,'
	'2],[3,null]]]]}') r(i int, p pair, pp pair[], aa int[]);
SELECT is(array_agg(r::text), ARRAY['("[{""e"": [{""m"": 2}], ""n"": 1}]","{""cols"": [""n"", {""e"": [[""m""]]}], '
	'""rows"": [[1, [[2]]]]}")'], 'a nested document as what its column is')
FROM jsonrow_to_recordset('{"cols":[{"d":[["n",{"e":[["m"]]}]]},{"e":[["n",{"e":[["m"]]}]]}],"rows":[[[[1,[[2]]]],'
	'[[1,[[2]]]]]]}') r(d json, e jsonrow);
SELECT is(array_agg(r::text), ARRAY['("{""(1,a)"",NULL,""(2,)""}")', '({})', '()'],
	'a nested document as an array of composites')
FROM jsonrow_to_recordset('{"cols":[{"d":[["y","x"]]}],"rows":[[[["a",1],null,[null,2]]],[[]],[null]]}') r(d pair[]);
SELECT is(array_agg(r::text), ARRAY['("(1,a)")', '()'], 'a nested row as a composite')
FROM jsonrow_to_recordset('{"cols":[{"d":["y","x"]}],"rows":[[["a",1]],[null]]}') r(d pair);
SELECT is((r).d::jsonb, '[{"e": [{"m": 2}], "n": 1}]', 'a nested document as an array of objects')
FROM jsonrow_to_recordset('{"cols":[{"d":[["n",{"e":[["m"]]}]]}],"rows":[[[[1,[[2]]]]]]}') r(d jsonb);

-- numbers as PostgreSQL reads their text
CREATE TABLE numbers (n numeric);
INSERT INTO numbers SELECT x::numeric FROM unnest(ARRAY['0', '1', '-1', '9999', '10000', '10001', '32767', '32768',
	'-32768', '-32769', '2147483647', '2147483648', '-2147483648', '-2147483649', '9223372036854775807',
	'9223372036854775808', '-9223372036854775808', '-9223372036854775809', '1e30', '1.0', '1.5', '0.1', '0.0001',
	'0.00001', '123456.789', '0.30000000000000004', '4503599627370495.5', '9007199254740993', '9007199254740992',
	'1e22', '1e-22', '1e-23', '5e-324', '1e308', '1e400', '-0.0', '100000000', '123456789012345678901234567890',
	'1e16', '99990000']) x;
INSERT INTO numbers SELECT unnest(ARRAY['1844674407370956.1234', '1844.6800000000000000', '3689.40000000000000000',
	'0.18450000000000000000', '18.446744073709551617', '9007199254740993.0', '900719925474099.30',
	'0.000000000000000000012345'])::numeric;
INSERT INTO numbers SELECT (k * 18446744073709551616 / 10 ^ n + d)::numeric FROM generate_series(1, 4) k,
	generate_series(10, 22) n, unnest(ARRAY[-0.001, 0, 0.0001, 0.01]) d;
INSERT INTO numbers SELECT round((k * 18446744073709551616 / 10 ^ n)::numeric, n) FROM generate_series(1, 4) k,
	generate_series(1, 22) n;
INSERT INTO numbers SELECT (random() * 10 ^ (i % 40 - 20))::numeric FROM generate_series(1, 2000) i;
INSERT INTO numbers SELECT (i * 37 / 1000.0)::numeric(20, 3) FROM generate_series(-1000, 1000) i;
DELETE FROM numbers WHERE NOT pg_temp.chosen(n::text);
CREATE FUNCTION pg_temp.read_number(n numeric, t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	ours text;
	theirs text;
BEGIN
	BEGIN
		EXECUTE format('SELECT x::text FROM jsonrow_to_recordset(jsonb_build_object(''cols'', ''["x"]''::jsonb, '
			'''rows'', jsonb_build_array(jsonb_build_array($1)))) r(x %s)', t) INTO ours USING n;
	EXCEPTION WHEN OTHERS THEN
		ours := SQLERRM;
	END;
	BEGIN
		EXECUTE format('SELECT x::text FROM jsonb_to_recordset(jsonb_build_array(jsonb_build_object(''x'', $1))) '
			'r(x %s)', t) INTO theirs USING n;
	EXCEPTION WHEN OTHERS THEN
		theirs := SQLERRM;
	END;
	RETURN CASE WHEN ours IS DISTINCT FROM pg_temp.known(theirs) THEN format('%s: %s, not %s; ', n, ours, theirs) END;
END $$;
SELECT is((SELECT string_agg(pg_temp.read_number(n, t), '') FROM numbers), NULL, 'numbers as ' || t)
FROM unnest(ARRAY['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'numeric(10,2)', 'text', 'varchar(5)',
	'bool', 'jsonb', 'json', 'positive']) t;

-- dates and times as PostgreSQL reads their text
CREATE TABLE texts AS SELECT unnest(ARRAY['2020-01-01', '2020-02-29', '2021-02-29', '0001-01-01', '9999-12-31',
	'10000-01-01', '0000-01-01', '2020-1-1', '2020-13-01', '2020-00-10', '2020-01-32', '20200101', '2020-01-01 BC',
	'infinity', '-infinity', 'today', '2020-01-01T00:00:00', '2020-01-01T23:59:59.999999', '2020-01-01T23:59:60',
	'2020-01-01T24:00:00', '2020-01-01T12:34',
	'2020-01-01T12:34:56.7', '2020-01-01T12:34:56.1234567', '2020-01-01T12:34:56.', '2020-01-01 12:34:56',
	'2020-01-01T12:34:56Z', '2020-01-01T12:34:56+00', '2020-01-01T12:34:56+00:00', '2020-01-01T12:34:56.5-08:00',
	'2020-01-01T12:34:56+05:30', '2020-01-01T12:34:56+05:53:28', '2020-01-01T12:34:56+15:59',
	'2020-01-01T12:34:56+16:00', '2020-01-01T12:34:56-15:59', '2020-01-01T12:34:56+1',
	'2020-01-01T12:34:56 Europe/Berlin', '1900-03-01T00:00:00+00:00', '0001-01-01T00:00:00-15:00',
	'9999-12-31T23:59:59+00:00', '2020-01-01x', ' 2020-01-01']) AS t;
SET LOCAL TimeZone = 'Europe/Berlin';
CREATE FUNCTION pg_temp.read_text(t text, type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT x::text FROM jsonrow_to_recordset(jsonb_build_object(''cols'', ''["x"]''::jsonb, '
		'''rows'', jsonb_build_array(jsonb_build_array($1)))) r(x %s)', type) INTO result USING t;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
CREATE FUNCTION pg_temp.cast_text(t text, type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT (%L::%s)::text', t, type) INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT is(pg_temp.read_text(t, type), pg_temp.cast_text(t, type), format('%s as %s', t, type))
FROM texts, unnest(ARRAY['date', 'timestamp', 'timestamptz', 'timestamp(0)', 'timestamptz(3)']) type;
SELECT is(string_agg(pg_temp.read_text(to_jsonb(x) #>> '{}', 'timestamptz'), ','), string_agg(x::text, ','),
	'a thousand times of timestamptz') FROM (SELECT timestamptz '1950-01-01' + i * interval '37 days 5 hours '
		'17.123457 seconds' AS x
FROM generate_series(1, 1000) i) s;
SET LOCAL TimeZone = 'UTC';

-- cells that don't fit give the errors that PostgreSQL gives
CREATE TABLE unfit (cell jsonb, type text);
INSERT INTO unfit SELECT c::jsonb, t FROM unnest(ARRAY['null', 'true', '1', '1.5', '-1', '"1"', '"x"', '""',
	'"(1,a)"', '"{1,2}"', '[]', '[1]', '["a","b"]', '[[1],[2]]', '[[1],[2,3]]', '[1,[2]]', '{}', '{"x":1}',
	'{"x":"y"}', '"2020-01-01"', '"infinity"', '1e20', '[[[[[[[1]]]]]]]']) c,
	unnest(ARRAY['bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'numeric(3,1)', 'text',
	'varchar(2)', 'char(3)', 'date', 'timestamptz', 'int[]', 'text[]', 'pair', 'pair[]', 'json', 'jsonb',
	'positive', 'required', 'bytea', 'int4range']) t;
CREATE FUNCTION pg_temp.read_cell(cell jsonb, t text, call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT x::text FROM %s r(x %s)', call, t) INTO result USING cell;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.read_cell(cell, type, 'jsonrow_to_recordset(jsonb_build_object(''cols'', ''["x"]''::jsonb, '
	'''rows'', jsonb_build_array(jsonb_build_array($1))))'),
	pg_temp.read_cell(cell, type, 'jsonb_to_recordset(jsonb_build_array(jsonb_build_object(''x'', $1)))'),
		format('%s as %s', cell, type)) FROM unfit WHERE NOT (type = 'pair[]' AND cell::text LIKE '[[[[[[[%');

SELECT throws_ok($$SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[1],[]]}') r(a int)$$, '22023',
	'jsonb value is not a jsonrow document', 'a record of a row that is too short');
SELECT throws_ok($$SELECT jsonrow_populate_recordset(1, '{"cols":[],"rows":[]}')$$, '42804',
	'first argument of jsonrow_populate_recordset must be a row type', 'no row type');
SELECT throws_ok($$SELECT * FROM jsonrow_populate_recordset(ROW('a', 'b'), '{"cols":["a"],"rows":[[1]]}') r(a int8,
	b int8)$$, '42804', NULL, 'a base that is not what the definition list says');
SELECT is(array_agg(r::text), ARRAY['(x,2)'], 'a record as base') FROM jsonrow_populate_recordset(ROW('a'::text, 2),
	'{"cols":["f1"],"rows":[["x"]]}') r(f1 text, f2 int);
CREATE TABLE strict (a required, b int);
SELECT throws_ok(format('INSERT INTO strict SELECT * FROM jsonrow_populate_recordset(NULL::strict, %L)', doc),
	'23502', NULL, 'no NULL for a domain without: ' || doc)
FROM unnest(ARRAY['{"cols":["a","b"],"rows":[null]}', '{"cols":["a","b"],"rows":[[null,1]]}',
	'{"cols":["a","b"],"vals":[[null],[1]]}', '{"cols":["b"],"rows":[[1]]}', '{"cols":["b"],"rows":[null]}']) doc;
CREATE DOMAIN my_doc AS jsonrow;
CREATE DOMAIN my_doc_json AS jsonrow_json;
SELECT is(array_agg(r::text), ARRAY['("{""cols"": [""a""], ""rows"": [[1]]}","{""cols"":[""b""],""rows"":[[2]]}")'],
	'domains over the domains') FROM jsonrow_to_recordset('{"cols":[{"d":[["a"]]},{"e":[["b"]]}],"rows":[[[[1]],'
	'[[2]]]]}') r(d my_doc, e my_doc_json);
SELECT throws_ok($$SELECT jsonrow_col('{"cols":["a","b"],"vals":[[1],[1,2]]}', 1)$$, '22023',
	'jsonb value is not a jsonrow document', 'a column of a document whose vectors differ');
SELECT lives_ok($$SELECT CASE WHEN false THEN (SELECT count(*) FROM jsonrow_each('{}')) END$$,
	'what is not run is not read');
SELECT throws_ok($$SELECT jsonrow_populate_recordset(NULL::record, '{"cols":[],"rows":[]}')$$, '0A000',
	'could not determine row type for result of jsonrow_populate_recordset', 'no row type known');

-- what the planner knows of the number of rows
PREPARE join_rows(jsonb) AS SELECT * FROM jsonrow_to_recordset($1) r(id int) JOIN pg_class c ON c.oid = r.id;
CREATE FUNCTION pg_temp.estimate(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
SELECT is(pg_temp.estimate(format('SELECT * FROM %s', format(call, doc))), n, format('%s rows of %s', n, call))
FROM (SELECT n, doc FROM made WHERE n IN (33, 1000) AND kind LIKE 'flat%') m,
	unnest(ARRAY['jsonrow_each(%L)', 'jsonrow_to_recordset(%L) r(id int)',
	'jsonrow_populate_recordset(NULL::pair, %L)']) call;
SELECT is(pg_temp.estimate(format('SELECT * FROM jsonrow_each(%L)', doc)), 100,
	'estimated rows of what is no document: '
	|| doc) FROM unnest(ARRAY['{}', '[]', '{"cols":["a"],"vals":[1]}']) doc;
SELECT is(pg_temp.estimate('SELECT * FROM (SELECT doc FROM made LIMIT 1) s, jsonrow_each(doc)'), 100,
	'a guess where nothing is known');
CREATE TABLE keyed AS SELECT i AS id FROM generate_series(1, 100000) i;
CREATE INDEX ON keyed (id);
ANALYZE keyed;
SELECT matches(pg_temp.plan_of(format('SELECT * FROM keyed JOIN jsonrow_to_recordset(%L) r(id int) USING (id)',
	doc)), plan, format('a join with %s rows', n))
FROM (SELECT n, doc FROM made WHERE kind = 'flat') m JOIN (VALUES (2, 'Nested Loop'), (20000, 'Hash Join')) v(n,
	plan) USING (n);

-- bulk insert, and ids from a document
CREATE TABLE target (id int PRIMARY KEY, name text, price numeric(10, 2), at timestamptz, tags text[]);
INSERT INTO target SELECT i, 'name ' || i, i * 1.5, now() + i * interval '1 min', ARRAY['a', i::text]
FROM generate_series(1, 1000) i;
CREATE TABLE copy_of (LIKE target);
INSERT INTO copy_of SELECT p.* FROM (SELECT jsonrow_agg(t) AS doc FROM target t) s,
	jsonrow_populate_recordset(NULL::copy_of, doc) p;
SELECT is((SELECT array_agg(c::text ORDER BY id) FROM copy_of c), (SELECT array_agg(t::text ORDER BY id)
	FROM target t), 'bulk insert from a document');
SELECT is(count(*)::int, 500, 'WHERE id IN the ids of a document') FROM target
WHERE id IN (SELECT id FROM (SELECT jsonrow_agg('{id}', i * 2) AS doc FROM generate_series(1, 5000) i) s,
	jsonrow_to_recordset(doc) r(id int));

SELECT * FROM finish();
ROLLBACK;
