-- What is to be equal wherever stored.sql's database arrives: rows, plans, and how it is all written down.  It changes
-- nothing.
\ir rows.sql
\echo Plans: accelerated, unnested, and an index that calls our function
EXPLAIN (VERBOSE, COSTS OFF) TABLE nested;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM report WHERE title_of(doc) = 'film 1';
SELECT id FROM report WHERE title_of(doc) = 'film 1' ORDER BY id;
RESET enable_seqscan;
\echo As written
SELECT c.oid::regclass, pg_get_viewdef(c.oid) FROM pg_class c
WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace ORDER BY relname;
SELECT pg_get_functiondef(oid) FROM pg_proc
WHERE oid IN ('title_of'::regproc, 'films'::regproc, 'nested_json'::regproc) ORDER BY proname;
SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname;
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND contype = 'c' ORDER BY conname;
SELECT attname, format_type(atttypid, atttypmod), attstorage, pg_get_expr(adbin, adrelid) FROM pg_attribute
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = 'report'::regclass AND attnum > 0 ORDER BY attnum;
\echo The extensions, and all their members
SELECT extname, extversion, extnamespace::regnamespace FROM pg_extension WHERE extname ^@ 'jsonrow' ORDER BY extname;
SELECT count(*), md5(string_agg(i.identity, ',' ORDER BY i.type, i.identity)) FROM pg_depend d JOIN pg_extension e
	ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e',
	pg_identify_object(d.classid, d.objid, 0) i
WHERE extname ^@ 'jsonrow';
SELECT has_function_privilege('pg_monitor', 'jsonrow_stream(text)', 'execute'),
	has_function_privilege('pg_monitor', 'jsonrow_stream_lines(text)', 'execute');
SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY setting;
