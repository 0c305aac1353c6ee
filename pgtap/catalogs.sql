-- The laws over every table and view of the system catalogs.
\ir oracle.psql

SELECT plan(2 * count(*)::int)
FROM pg_class WHERE relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
	AND relkind IN ('r', 'v');

SELECT is(pg_temp.check_relation(oid::regclass::text), NULL, oid::regclass::text)
FROM pg_class WHERE relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
	AND relkind IN ('r', 'v')
ORDER BY oid::regclass::text;

SELECT is(pg_temp.check_recordset(oid::regclass::text), NULL, oid::regclass::text || ' as a set of rows')
FROM pg_class WHERE relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
	AND relkind IN ('r', 'v')
ORDER BY oid::regclass::text;

SELECT * FROM finish();
ROLLBACK;
