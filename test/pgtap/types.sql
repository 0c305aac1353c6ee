-- Every type, with generated content and at its boundaries, under the settings
-- that change how PostgreSQL itself prints it.
\ir oracle.psql

SELECT pg_temp.plan_most(199);

-- Not every PostgreSQL comes with it.
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'hstore') AS has_hstore \gset
\if :has_hstore
	CREATE EXTENSION IF NOT EXISTS hstore;
\endif
SELECT setseed(0.42);

-- A relation is checked while a setting has each of some values.
CREATE FUNCTION pg_temp.check_with(relation text, setting text, VARIADIC vals text[])
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	before CONSTANT text := current_setting(setting);
	val text;
BEGIN
	FOREACH val IN ARRAY vals LOOP
		CONTINUE WHEN NOT pg_temp.chosen(concat_ws(' ', relation, setting, val));
		PERFORM set_config(setting, val, true);
		RETURN NEXT is(pg_temp.check_relation(relation), NULL, format('%s, %s = %s', relation, setting, val));
	END LOOP;
	PERFORM set_config(setting, before, true);
END $$;

--
-- numbers
--
CREATE TABLE integers (i2 int2, i4 int4, i8 int8, o oid);
INSERT INTO integers
SELECT random() * 65535 - 32768, (random() - 0.5) * power(10, i % 9),
	   (random() - 0.5) * power(10::float8, i % 18), (random() * 1e9)::int8
FROM generate_series(1, 3000 / :one_in) i;
INSERT INTO integers
SELECT s * least(v, 32767), s * least(v, 2147483647), s * v, least(v, 2147483647)
FROM unnest(ARRAY[1, -1]) s,
	 unnest(ARRAY[0, 1, 9, 10, 99, 9999, 10000, 10001, 99999999, 100000000, 100000001, 120000,
		32767, 2147483647, 999999999999, 1000000000000, 1000000010000, 9999999999999999,
		10000000000000000, 10000000000000001, 9223372036854775807]) v;
INSERT INTO integers
VALUES (-32768, -2147483648, -9223372036854775808, 4294967295), (NULL, NULL, NULL, NULL);
SELECT is(pg_temp.check_relation('integers'), NULL, 'integers');

CREATE TABLE floats (f8 float8, f4 float4, cents float8);
INSERT INTO floats
SELECT f, CASE WHEN abs(f) BETWEEN 1e-30 AND 1e30 THEN f END, round(f::numeric, 2)
FROM (SELECT (random() - 0.5) * power(10::float8, (random() * 260 - 130)::int)
	FROM generate_series(1, 3000 / :one_in)) r(f);
INSERT INTO floats
SELECT s * m * power(10::float8, e), s * m * power(10::float8, e), s * e
FROM generate_series(-20, 20) e, unnest(ARRAY[1, 1.5, 9.9999, 1.25, 1234.5678]) m, unnest(ARRAY[1, -1]) s;
INSERT INTO floats(f8)
SELECT unnest('{NaN,Infinity,-Infinity,0,-0,4.9e-324,-4.9e-324,2.2250738585072014e-308,
	1.7976931348623157e308,-1.7976931348623157e308,1e308,1e-308,1e15,1e16,123456789012345680,
	1e22,1e23,0.1,0.2,0.3,0.0001,0.00001,100,1e100,16777216,9007199254740993,1e2}'::float8[]);
-- Where an exponent begins, where integers end, halfway between two decimals, at powers of two
INSERT INTO floats(f8)
SELECT s * unnest('{999999999999999,999999999999999.9,1e14,9.99999999999999e14,123456789012345.6,0.00099999,
	0.000123456789,0.00009999,99999999999999.99,1125899906842624.2,1125899906842624.8,2251799813685248.5,
	4503599627370497.5,9007199254740991,9007199254740992,9007199254740994,18014398509481988,9223372036854775807,
	1152921504606847000,2.2250738585072011e-308,2.2250738585072009e-308,4.4501477170144023e-308,9.5367431640625e-7,
	0.0009765625,0.5,0.25,2e-44,1e21,12345678901234567000,8e252,1e-130,1234567.875}'::float8[])
FROM unnest(ARRAY[1, -1]) s;
INSERT INTO floats(f4)
SELECT unnest('{NaN,Infinity,-Infinity,0,-0,1.4e-45,3.4028235e38,1e38,1e6,1e-38,16777216}'::float4[]);
INSERT INTO floats(f4)
SELECT s * unnest('{999999,999999.94,99999.99,100000,1000000.06,123456.7,0.0001,0.00009999,0.00012345,16777215,
	16777218,8388607.5,33554432,1.1754944e-38,1.1754942e-38,2.3509887e-38,
	9.536743e-7,0.5,0.25,524288.5,1e10,3e-45}'::float4[])
FROM unnest(ARRAY[1, -1]) s;
SELECT pg_temp.check_with('floats', 'extra_float_digits', '1', '3', '0', '-3', '-15');

-- The same floats within arrays and composites
CREATE TYPE measured AS (f8 float8, f4 float4, more float8[]);
CREATE TABLE measurements AS
SELECT f8s, f4s, ROW(f8s[1], f4s[1], f8s)::measured AS one,
	   ARRAY[ROW(f8s[2], f4s[2], NULL)::measured, ROW(NULL, f4s[3], ARRAY[f8s[4], NULL])::measured] AS several
FROM (SELECT array_agg(f8) AS f8s, array_agg(f4) AS f4s
	  FROM (SELECT f8, f4, row_number() OVER () - 1 AS i FROM floats) f
	  WHERE i >= 2700 / :one_in GROUP BY i / 16) f;
SELECT pg_temp.check_with('measurements', 'extra_float_digits',
	VARIADIC ARRAY(SELECT i::text FROM generate_series(-15, 3) i));

CREATE TABLE numerics (n numeric, fixed numeric(1000, 5));
INSERT INTO numerics
SELECT n, n FROM (SELECT (random() - 0.5)::numeric(30, 20) * power(10::numeric, (random() * 60 - 30)::int)
				  FROM generate_series(1, 3000 / :one_in)) r(n);
INSERT INTO numerics
SELECT s * (d || repeat('0', z))::numeric * ('1e-' || e)::numeric
FROM unnest(ARRAY['1', '12', '123', '1234', '12345', '99999999']) d, generate_series(0, 9) z,
	 unnest(ARRAY[0, 1, 2, 3, 4, 5, 9]) e, unnest(ARRAY[1, -1]) s;
INSERT INTO numerics
SELECT unnest(ARRAY['NaN', 'Infinity', '-Infinity', '0', '-0', '0.0', '0.00000000', '1.10',
	'1.1000000000000000000000000', '1e-63', '1e-64', '1e-65', '1e-1000', '1.5e-16382', '1e252', '1e255',
	'1e256', '1e259', '9e1000', '1e131071', '0.0001', '0.00010000', '10000', '1e4', '-1e-7',
	repeat('9', 1000), repeat('1234567890', 100) || '.' || repeat('0987654321', 100),
	'0.' || repeat('0', 70) || '1', '1.' || repeat('0', 63), '1.' || repeat('0', 64)]::numeric[]);
SELECT is(pg_temp.check_relation('numerics'), NULL, 'numerics');

--
-- strings
--
CREATE DOMAIN short_text AS varchar(20);
CREATE TABLE strings AS
SELECT repeat('x', n) AS plain, repeat('é', n) AS accents, repeat('"', n) AS quotes,
	   repeat(E'a"\\\n', n) AS mixed, left(repeat('x', n), 20)::short_text AS domain,
	   left(repeat('yz', n), 30)::char(40) AS padded, left(repeat('n', n), 70)::name AS name,
	   left(repeat('c', n), 1)::"char" AS c
FROM unnest(ARRAY[NULL, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 125, 126, 127, 128,
	129, 255, 256, 2000, 4095, 4096, 4097, 8192, 300000]) n
WHERE n IS NULL OR n < 100000 OR :one_in = 1;
SELECT is(pg_temp.check_relation('strings'), NULL, 'strings of every length');

CREATE TABLE escapes AS
SELECT overlay(repeat('é€x😀', 4) placing chr(c) from p for 1) AS inside,
	   repeat('z', p) || chr(c) AS at_end, chr(c) || repeat('z', p) AS at_start
FROM generate_series(1, 18) p, generate_series(1, 128) c WHERE pg_temp.chosen(p || ' ' || c);
SELECT is(pg_temp.check_relation('escapes'), NULL, 'each character to escape at every position');

CREATE TABLE mixtures AS
SELECT (SELECT string_agg(CASE (random() * 6)::int
			WHEN 0 THEN '"' WHEN 1 THEN E'\\' WHEN 2 THEN chr(1 + (random() * 31)::int)
			WHEN 3 THEN chr(160 + (random() * 5000)::int) WHEN 4 THEN '😀'
			ELSE chr(32 + (random() * 94)::int) END, '')
		FROM generate_series(1, i % 200)) AS t
FROM generate_series(1, 3000 / :one_in) i;
SELECT is(pg_temp.check_relation('mixtures'), NULL, 'random mixtures of all kinds of characters');

CREATE TABLE toasted (t text, j jsonb, n numeric, a text[]);
ALTER TABLE toasted ALTER t SET STORAGE EXTERNAL;
INSERT INTO toasted
SELECT repeat(md5(i::text), 200 * i), jsonb_build_object('k', repeat(md5(i::text), 300)),
	   repeat('12345', 1000 * i)::numeric, array_fill(md5(i::text), ARRAY[300])
FROM generate_series(1, 5) i;
SELECT is(pg_temp.check_relation('toasted'), NULL, 'compressed and out-of-line values');

--
-- dates and times
--
CREATE TABLE times (ts timestamp, tz timestamptz, d date, t time, ttz timetz, i interval);
INSERT INTO times
SELECT ts, ts AT TIME ZONE 'UTC', ts, ts, ts AT TIME ZONE 'UTC',
	   make_interval(days => (random() * 1000 - 500)::int, secs => random() * 1e6)
FROM (SELECT timestamp '1850-01-01' + random() * interval '350 years'
	  FROM generate_series(1, 3000 / :one_in)
	  UNION ALL	-- fractions of a second, on both sides of the epoch
	  SELECT timestamp '2000-01-01' + i * interval '1 microsecond'
	  FROM unnest(ARRAY[0, 1, 9, 10, 100, 1000, 10000, 100000, 999999, 1000000, 59999999, 60000000,
			86399999999, -1, -86400000000, -86400000001]) i
	  UNION ALL	-- both changes of summer time
	  SELECT d + i * interval '10 minutes'
	  FROM generate_series(0, 20) i, unnest(ARRAY['2024-03-31 00:30', '2024-10-27 00:30']::timestamp[]) d
	  UNION ALL
	  SELECT timestamp '2020-01-01' + i * interval '13 hours' FROM generate_series(0, 1500 / :one_in) i
	  UNION ALL
	  SELECT unnest('{0001-01-01,0001-01-01 00:00:00.000001,9999-12-31 23:59:59.999999,10000-01-01,
		294276-12-31 23:59:59.999999,0001-12-31 23:59:59 BC,0044-03-15 BC,4713-01-01 00:00:00 BC,
		1582-10-15,1900-02-28,1900-03-01,2000-02-29,2100-02-28 23:59:59.9}'::timestamp[])) r(ts);
INSERT INTO times(ts, d, tz)
VALUES ('infinity', 'infinity', 'infinity'), ('-infinity', '-infinity', '-infinity'),
	   (NULL, '5874897-12-31', NULL), (NULL, '4713-01-01 BC', NULL);
INSERT INTO times(i)
SELECT unnest('{1 year 2 mons 3 days 04:05:06.789,-1 year 2 mons -3 days 04:05:06.789,0,
	170000000 years,-00:00:00.000001}'::interval[]);
SELECT pg_temp.check_with('times', 'TimeZone', 'UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata',
	'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu', 'Africa/Monrovia', 'Pacific/Apia',
	'Europe/Dublin', 'Africa/Casablanca', 'Antarctica/Troll', 'America/Caracas',
	'EST5EDT', 'Asia/Tehran', 'Pacific/Kiritimati', 'Europe/Amsterdam', 'America/Sao_Paulo', 'Asia/Pyongyang');
SET LOCAL TimeZone = 'Europe/Berlin';
SELECT pg_temp.check_with('times', 'IntervalStyle', 'postgres', 'postgres_verbose', 'sql_standard', 'iso_8601');
SELECT pg_temp.check_with('times', 'DateStyle', 'German', 'SQL, DMY', 'Postgres, MDY');
-- the last transition in a zone's table, after which its rule goes on
SET LOCAL TimeZone = 'America/New_York';
SELECT is(jsonrow_array_agg(tz ORDER BY i), jsonb_agg(jsonb_build_array(tz) ORDER BY i), 'after the last transition')
FROM unnest('{2769-11-02 06:00+00,2888-11-05 00:48:32+00,3169-11-02 06:00+00,3200-07-01 00:00+00}'::timestamptz[])
	WITH ORDINALITY last(tz, i);
SET LOCAL TimeZone = 'UTC';

-- a zone per row, taken while the query runs
CREATE TABLE zones AS
SELECT tz, CASE row_number() OVER () % 2 WHEN 0 THEN 'Asia/Tokyo' ELSE 'America/Lima' END AS zone FROM times;
SELECT is(jsonrow_array_agg(set_config('TimeZone', zone, true), tz),
		  jsonb_agg(jsonb_build_array(set_config('TimeZone', zone, true), tz)),
		  'a time zone that changes within the query')
FROM zones;
SET LOCAL TimeZone = 'UTC';

--
-- documents
--
CREATE TABLE jsons (j json, b jsonb);
INSERT INTO jsons
SELECT j::json, j::jsonb
FROM unnest(ARRAY['null', 'true', 'false', '0', '-0', '1e5', '1.50', '12345678901234567890123456789.5', '"x"', '""',
	'"quoted \" \\ \/ \b\f\n\r\t \u00e9 \ud83d\ude00"', '[]', '{}', '[[]]', '[{}]', '{"a": {}}', '  [ 1 , 2 ]  ',
	'{"b": 1, "a": [1, "2", null, true, false, {"c": 1.5}], "": 0}', '{"a": 1, "a": 2}', '[1, [2, [3, [4, [5]]]]]',
	repeat('[', 100) || repeat(']', 100)]) j;
INSERT INTO jsons
SELECT to_json(c), to_jsonb(c) FROM pg_class c;
INSERT INTO jsons
SELECT json_agg(i), jsonb_agg(i) FROM generate_series(1, 100) i, unnest(ARRAY[1, 31, 32, 33, 64, 65]) n WHERE i <= n
GROUP BY n;
INSERT INTO jsons VALUES (NULL, NULL);
SELECT is(pg_temp.check_relation('jsons'), NULL, 'json and jsonb');

\if :has_hstore
	CREATE TABLE hstores AS
	SELECT hstore('k' || i, CASE WHEN i % 2 = 0 THEN 'v"' END) || hstore(c) AS h
	FROM pg_am c, generate_series(1, 10) i;
	SELECT is(pg_temp.check_relation('hstores'), NULL, 'hstore, through its cast');
\else
	SELECT skip('this server has no hstore', 4);
\endif

--
-- arrays, ranges, and what only has an output function
--
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN positives AS positive[];
CREATE TABLE arrays AS
SELECT ARRAY[i, NULL, -i] AS ints, ARRAY['a"' || i, NULL, ''] AS texts, '{}'::int[] AS empty,
	   ARRAY[[[i, 2], [3, NULL]], [[5, 6], [7, 8]]] AS cube, ARRAY[i * 0.5, 'NaN'] AS floats,
	   ARRAY[true, NULL, false] AS bools, ARRAY[i]::positives AS positives, ARRAY[now(), 'infinity'] AS stamps,
	   ARRAY['{"a": 1}', '"s"']::jsonb[] AS jsonbs, ARRAY['{"a": 1}', '[ ]']::json[] AS jsons,
	   ARRAY[int4range(1, i)] AS ranges, ('[5:6]={1,' || i || '}')::int[] AS bounds,
	   (i || ' 7')::int2vector AS vector, array_fill(i, ARRAY[100]) AS long,
	   ARRAY[md5(i::text)::uuid] AS uuids, ARRAY['2000-01-01'::date + i] AS dates, ARRAY['x'::name] AS names
FROM generate_series(1, 100 / :one_in) i;
INSERT INTO arrays(ints) VALUES (NULL);
SELECT is(pg_temp.check_relation('arrays'), NULL, 'arrays');

CREATE TYPE mood AS ENUM ('sad', 'ok "quoted"', 'héhé');
CREATE TABLE misc AS
SELECT i % 3 = 0 AS b, md5(i::text)::uuid AS u, (enum_range(NULL::mood))[i % 3 + 1] AS m,
	   decode(md5(i::text), 'hex') AS bytes, ('10.0.0.' || i % 256)::inet AS ip, point(i, -i) AS p,
	   int4range(i, i + 5) AS r, tstzrange(to_timestamp(i), NULL) AS tr,
	   int4multirange(int4range(i, i + 2), int4range(i + 5, i + 9)) AS mr, i::bit(8) AS bits,
	   to_tsvector('simple', 'w' || i) AS v, 'a & b'::tsquery AS q, '08:00:2b:01:02:03'::macaddr AS mac,
	   i::money AS cash, ('0/' || i)::pg_lsn AS lsn, 'pg_class'::regclass AS rc, i::positive AS d
FROM generate_series(1, 300 / :one_in) i;
INSERT INTO misc(b) VALUES (NULL);
SELECT pg_temp.check_with('misc', 'bytea_output', 'hex', 'escape');

--
-- composites
--
CREATE TYPE inner_type AS (a int, "b ""q" text, c numeric);
CREATE DOMAIN inner_domain AS inner_type;
CREATE TYPE outer_type AS (x inner_type, y inner_type[], z float8);
CREATE TABLE composites AS
SELECT i AS id, ROW(i, 'b' || i, i * 1.5)::inner_type AS one,
	   CASE WHEN i % 3 > 0 THEN ROW(i, NULL, 0)::inner_type END AS maybe, ROW(NULL, NULL, NULL)::inner_type AS nulls,
	   ROW(i, 'd', 1)::inner_domain AS domain,
	   ROW(ROW(i, 'x', 2)::inner_type, ARRAY[ROW(1, '"', 3)::inner_type, NULL], i)::outer_type AS two,
	   ARRAY[ROW(i, 'e', 4)::inner_type] AS many, '{}'::inner_type[] AS none
FROM generate_series(1, 100) i;
INSERT INTO composites(id) VALUES (0);
SELECT is(pg_temp.check_relation('composites'), NULL, 'composites in composites');
SELECT is((jsonrow_agg(c) -> 'cols')::text,
	'["id", {"one": ["a", "b \"q", "c"]}, {"maybe": ["a", "b \"q", "c"]}, {"nulls": ["a", "b \"q", "c"]}, '
		'{"domain": ["a", "b \"q", "c"]}, {"two": [{"x": ["a", "b \"q", "c"]}, "y", "z"]}, "many", "none"]',
	'composites have their names in the header, arrays of them do not')
FROM composites c;
SELECT is(jsonrow_array_agg(one, maybe, two, many), jsonb_agg(jsonb_build_array(one, maybe, two, many)),
	'composites are objects where there is no header')
FROM composites;
SELECT ok(record_image_eq(ROW(jsonrow_array_agg(one, maybe, two, many)),
	ROW(jsonb_agg(jsonb_build_array(one, maybe, two, many)))),
	'composites are objects where there is no header, to the byte')
FROM composites;
SELECT is(jsonrow_array_agg_json(one, two)::text,
		  '[' || string_agg('[' || to_json(one) || ',' || to_json(two) || ']', ',') || ']',
		'composites are objects where there is no header, in JSON text')
FROM composites WHERE id > 0;

-- columns dropped and added, in rows from before and after
ALTER TABLE composites DROP nulls, ADD extra text DEFAULT 'later';
CREATE TABLE altered (a int, b text, c timestamptz DEFAULT now(), d composites);
INSERT INTO altered SELECT i, 'b' || i, now(), c FROM generate_series(1, 5) i, composites c WHERE c.id = i;
ALTER TABLE altered DROP b, ADD e int DEFAULT 7, ADD f text;
INSERT INTO altered SELECT i, now(), c, i, 'f' FROM generate_series(6, 9) i, composites c WHERE c.id = i;
SELECT is(pg_temp.check_relation('altered'), NULL, 'dropped and added columns');
ALTER TABLE altered DROP a, DROP c, DROP d, DROP e, DROP f;
SELECT is(jsonrow_agg(t)::text, '{"cols": [], "rows": [[], [], [], [], [], [], [], [], []]}',
	'a table without columns')
FROM altered t;

-- the widest table there can be, and the strides of 32 JEntries
CREATE FUNCTION pg_temp.wide(n int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE wide_%s (%s)', n,
		(SELECT string_agg(format('c%s %s', c, (ARRAY['int', 'text', 'bool'])[c % 3 + 1]), ',')
			FROM generate_series(1, n) c));
	EXECUTE format('INSERT INTO wide_%s SELECT %s FROM generate_series(1, 40) i', n,
		(SELECT string_agg(CASE c % 3 WHEN 0 THEN 'i' WHEN 1 THEN '''t''||i' ELSE 'i % 2 = 0' END, ',')
			FROM generate_series(1, n) c));
	RETURN pg_temp.check_relation('wide_' || n);
END $$;
SELECT is(pg_temp.wide(n), NULL, n || ' columns') FROM unnest(ARRAY[1, 31, 32, 33, 64, 65, 98, 99, 1600]) n
WHERE n < 1600 OR :one_in = 1;

CREATE FUNCTION pg_temp.tall(n int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE tall_%s AS SELECT i, CASE WHEN i %% 3 > 0 THEN repeat(''x'', i %% 7) END AS x '
		'FROM generate_series(1, %s) i', n, n);
	RETURN pg_temp.check_relation('tall_' || n);
END $$;
SELECT is(pg_temp.tall(n), NULL, n || ' rows') FROM unnest(ARRAY[0, 1, 31, 32, 33, 64, 65, 1000, 10000]) n
WHERE n < 10000 OR :one_in = 1;

-- in pieces
SELECT is(pg_temp.check_stream(format('SELECT * FROM %I', relname)), NULL, 'streamed: ' || relname)
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'jsonrow_test'::regnamespace
	AND pg_temp.chosen('streamed ' || relname) ORDER BY relname;

-- the way back
SELECT is(CASE relname WHEN 'tall_0' THEN pg_temp.check_filled(relname)
		ELSE pg_temp.check_rows(relname, relname) END,
	-- PostgreSQL does not read an hstore from JSON either: only the errors have been compared.
	CASE relname WHEN 'hstores' THEN 'the oracle reads nothing' END, relname || ' as a set of rows')
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'jsonrow_test'::regnamespace
	AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped)
	AND pg_temp.chosen('rows ' || relname)
ORDER BY relname;

-- with the types in the header, and with strings for numbers
SELECT is(pg_temp.check_typed(relname, 100000), CASE relname WHEN 'hstores' THEN 'the oracle reads nothing' END,
	relname || ' with types and strings')
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'jsonrow_test'::regnamespace
	AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped)
	AND pg_temp.chosen('typed ' || relname)
ORDER BY relname;

-- large JSON text, which is converted in pieces
CREATE TABLE large_json AS
SELECT 'rows' AS what, (SELECT json_agg(x) FROM (SELECT i, 'text "' || i || '"' AS t, NULL::int AS n,
	i % 2 = 0 AS b, i * 1.5 AS f FROM generate_series(1, 20000 / :one_in) i) x) AS j
UNION ALL SELECT 'large elements', (SELECT json_agg(CASE i % 3 WHEN 0 THEN to_json(repeat('x' || i, 200000)) WHEN 1
	THEN to_json(i)
	ELSE (SELECT json_agg(k) FROM generate_series(1, i * 10000 / :one_in) k) END) FROM generate_series(1, 12) i)
UNION ALL SELECT 'an object', (SELECT json_object_agg('k' || i % 20000 || CASE WHEN i % 7 = 0 THEN 'é"\' ELSE ''
	END, row_to_json(ROW(i, 'x')))
	FROM generate_series(1, 40000 / :one_in) i)
UNION ALL SELECT 'keys that come again', ('{"\u0061":1,"a":2,"b":' || (SELECT json_agg(i)
	FROM generate_series(1, 100000 / :one_in) i)
	|| ', "a" : {"z":[ ]} ,"\u0062":[ 1 , ' || repeat('[1,2,3], ', 50000) || ' {}],"":{}, "":[]}')::json
UNION ALL SELECT 'deep', (repeat('[1,{"a":', 12) || (SELECT json_agg(i) FROM generate_series(1, 100000 / :one_in) i)
	|| repeat('}]', 12))::json
UNION ALL SELECT 'strings', (SELECT json_agg(repeat(chr(233) || E'\n\t"\\', i))
	FROM generate_series(1, 600 / :one_in) i)
UNION ALL SELECT 'white space', ('  [  1 , ' || repeat(' ', 400000) || ' 2 , {  "x" : [ ] } ]  ')::json
UNION ALL SELECT 'one string', to_json(repeat('x', 400000))
UNION ALL SELECT 'a document', (SELECT jsonrow_agg_json('{a,b,c}', i, 'x' || i, i * 1.25)
	FROM generate_series(1, 30000 / :one_in) i);
SELECT ok(pg_temp.same(jsonrow_array_agg(j), jsonb_build_array(jsonb_build_array(j::jsonb))), 'large JSON text: '
	|| what) FROM large_json GROUP BY what, j::jsonb;
SELECT ok(pg_temp.same(jsonrow_agg('{d}', j::jsonrow_json), jsonrow_agg('{d}', j::jsonb::jsonrow)),
	'a large nested document') FROM large_json WHERE what = 'a document';
SELECT throws_ok($$SELECT jsonrow_array_agg(('[' || repeat('1,', 200000) || '"\u0000"]')::json)$$, '22P05', NULL,
	'a character that jsonb cannot hold, in large JSON text');

SELECT * FROM finish();
ROLLBACK;
