-- The data of bench/aggregate, deterministic.  Sizes: :rows of the mixed
-- tables, :six_columns_rows of six_columns.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
SELECT setseed(0.5) AS seeded \gset

-- seven columns of mixed types
CREATE TABLE mixed AS
SELECT i AS id, i::bigint * 1000000007 AS big, 'name of item ' || i AS name, (i % 1000000)::numeric / 100 AS price,
	   sin(i) AS measure, timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok
FROM generate_series(1, :rows) i;

-- what the mixed table is not: wide, all floats, quotes in long text, NULLs
CREATE FUNCTION pg_temp.columns(n int, template text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(replace(template, '$', c::text), ', ') FROM generate_series(1, n) c $$;
SELECT format('CREATE TABLE wide AS SELECT %s FROM generate_series(1, %s) i', pg_temp.columns(40, '(i + $) AS a$, ''t'' || i AS b$'), :rows / 10) \gexec
SELECT format('CREATE TABLE floats AS SELECT %s FROM generate_series(1, %s) i', pg_temp.columns(8, '(random() * i) AS f$'), :rows) \gexec
CREATE TABLE quotes AS
SELECT i AS id, repeat('he said "hello" \ and left, ', 20) AS text FROM generate_series(1, :rows / 2) i;
SELECT format('CREATE TABLE nulls AS SELECT i AS id, %s FROM generate_series(1, %s) i', pg_temp.columns(12, 'CASE WHEN i % 12 = $ % 12 THEN i END AS n$'), :rows) \gexec

-- the table of "Efficient JSON Data formats for Node.js" (Christiaan Pretorius)
CREATE TABLE six_columns AS
SELECT 'test'::text AS "user", 1 AS "sessionId", 'SELECT'::text AS command, 'SELECT * from mydata'::text AS statement,
	   i AS "transactionId", i % 1000 AS time
FROM generate_series(1, :six_columns_rows) i;

-- one MULTISET of ten rows and two columns for each of many rows
CREATE TABLE parent AS SELECT i AS id FROM generate_series(1, 10000) i;
CREATE TABLE child AS SELECT i AS number, 'name ' || i AS name FROM generate_series(1, 10) i;
VACUUM ANALYZE;
