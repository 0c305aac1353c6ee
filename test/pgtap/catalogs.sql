-- The laws over the rows of every table and view of the system catalogs.
-- (Over rows that they could have, for many have none: recordsets.sql)
\ir oracle.psql

SELECT no_plan();

\ir relations.psql
-- Thousands of rows of functions are long, but show little.
SELECT is(pg_temp.check_relation(name, 2000), NULL, name) FROM relation ORDER BY name;
SELECT is(pg_temp.check_stream_of(name), NULL, 'streamed: ' || name) FROM relation ORDER BY name;
SELECT is(pg_temp.check_typed(name, 40), NULL, name || ' with types and strings') FROM relation ORDER BY name;

\set at_least 625
\ir finish.psql
ROLLBACK;
