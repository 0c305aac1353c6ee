-- Every table and view of the system catalogs: the laws over rows that it could
-- have, and its documents as sets of rows.
\ir oracle.psql

SELECT no_plan();

-- Values of types that have no input come with these.
CREATE TABLE with_statistics AS SELECT i AS a, i % 10 AS b, i % 10 AS c FROM generate_series(1, 1000) i;
CREATE STATISTICS every_kind ON a, b, c, (a + b) FROM with_statistics;
ANALYZE with_statistics;

\ir relations.psql
SELECT is(pg_temp.check_filled(name), NULL, name || ', rows that it could have') FROM relation ORDER BY name;
SELECT pg_temp.test_rows(name) FROM relation ORDER BY name;

\set at_least 417
\ir finish.psql
ROLLBACK;
