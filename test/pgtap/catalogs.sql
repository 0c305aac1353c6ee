-- The laws over the rows of every table and view of the system catalogs.
-- (Over rows that they could have, for many have none: recordsets.sql)
\ir oracle.psql

SELECT no_plan();

CREATE TEMPORARY TABLE relation AS
SELECT oid::regclass::text AS name
FROM pg_class WHERE relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
	AND relkind IN ('r', 'v');
SELECT cmp_ok(count(*), '>', 190::bigint, 'number of relations') FROM relation;
SELECT is(pg_temp.check_relation(name), NULL, name) FROM relation ORDER BY name;
SELECT is(pg_temp.check_stream_of(name), NULL, 'streamed: ' || name) FROM relation ORDER BY name;
SELECT is(pg_temp.check_typed(name, 40), NULL, name || ' with types and strings') FROM relation ORDER BY name;

\set at_least 625
\ir finish.psql
ROLLBACK;
