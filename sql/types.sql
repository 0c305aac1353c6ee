-- Cells: what to_jsonb and to_json give.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;
SET timezone = 'UTC';

CREATE TYPE pg_temp.mood AS ENUM ('so', 'so "so"');
CREATE DOMAIN pg_temp.positive AS int CHECK (VALUE > 0);
CREATE TYPE pg_temp.pair AS (a int, b text);

SELECT jsonrow_agg_json(s) FROM (SELECT true AS yes, 1::int2 AS i2, -2147483648 AS i4,
	9223372036854775807 AS i8, 4294967295::oid AS oid) s;
SELECT jsonrow_agg_json(s) FROM (SELECT 1.5::float4 AS f4, 1e300::float8 AS f8, 'NaN'::float8 AS nan,
	'-Infinity'::float8 AS inf, 0.1 AS num, 'NaN'::numeric AS nnan) s;
SELECT jsonrow_agg_json(s) FROM (SELECT E'"\\\b\f\n\r\t\x01\x7f/'::text AS t, 'v'::varchar AS v,
	'c'::char(3) AS c, 'n'::name AS n, ''::text AS empty) s;
SELECT jsonrow_agg_json(s) FROM (SELECT date '2001-02-03' AS d,
	timestamp '2001-02-03 04:05:06.789' AS ts, timestamptz '2001-02-03 04:05:06+02' AS tz,
	time '04:05' AS t, interval '1 day' AS i) s;
SELECT jsonrow_agg_json(s) FROM (SELECT date '-infinity' AS d, timestamp 'infinity' AS ts,
	date '0044-03-15 BC' AS ides) s;
SELECT jsonrow_agg_json(s) FROM (SELECT '00112233-4455-6677-8899-aabbccddeeff'::uuid AS u,
	'\x00ff'::bytea AS b, 'so "so"'::pg_temp.mood AS e, 7::pg_temp.positive AS d, int4range(1, 5) AS r) s;
SELECT jsonrow_agg_json(s) FROM (SELECT ARRAY[1, NULL, 3] AS a, '{{1,2},{3,4}}'::int[] AS aa,
	'{}'::text[] AS none, ARRAY[(1, 'x')::pg_temp.pair] AS pairs) s;
SELECT jsonrow_agg_json(s) FROM (SELECT '{"b": 1,  "a": 2}'::json AS j, '{"b": 1,  "a": 2}'::jsonb AS jb,
	'null'::jsonb AS jnull) s;
SELECT jsonrow_agg(s) FROM (SELECT 1.5::float4 AS f4, 1e30::float8 AS f8, -2.5e-20::float8 AS small,
	123456.789 AS num, 0.00 AS zero, -1::int2 AS i2, 9223372036854775807 AS i8, true AS yes, date '2001-02-03' AS d) s;
SELECT jsonrow_agg(s) FROM (SELECT '{"b": 1,  "a": 2}'::json AS j, '{"b": 1,  "a": 2}'::jsonb AS jb,
	1.50 AS n, 'NaN'::float8 AS nan, ARRAY['x', NULL] AS a) s;

-- a cast to json counts
CREATE TYPE pg_temp.celsius AS ENUM ('cold', 'hot');
CREATE FUNCTION pg_temp.to_json(pg_temp.celsius) RETURNS json LANGUAGE sql IMMUTABLE
AS $$ SELECT json_build_object('is', $1::text) $$;
CREATE CAST (pg_temp.celsius AS json) WITH FUNCTION pg_temp.to_json(pg_temp.celsius);
SELECT jsonrow_agg('{t}', 'hot'::pg_temp.celsius), jsonrow_agg_json('{t}', 'hot'::pg_temp.celsius);
DROP CAST (pg_temp.celsius AS json);

-- what json may hold and jsonb may not
\set SHOW_CONTEXT never
SELECT jsonrow_agg('{j}', '"\u0000"'::json);
SELECT jsonrow_agg_json('{j}', '"\u0000"'::json);
