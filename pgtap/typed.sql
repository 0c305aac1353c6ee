-- Documents that tell the types of their columns, and have strings for numbers that clients
-- would round: jsonrow.header, jsonrow.big_numbers.
\ir oracle.psql

SELECT no_plan();

CREATE TEMPORARY TABLE relation AS
SELECT oid::regclass::text AS name
FROM pg_class WHERE relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
	AND relkind IN ('r', 'v');
SELECT is(pg_temp.check_typed(name, 40), NULL, name || ' with types and strings') FROM relation ORDER BY name;

SELECT * FROM finish();
ROLLBACK;
