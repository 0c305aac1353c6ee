\set QUIET on
\pset footer off
\pset null '-'
SET client_min_messages = warning;
CREATE EXTENSION jsonrow;
LOAD 'jsonrow';
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- The median times of two statements, which take turns, in milliseconds, and whether they give the same result.
-- For a single statement: without and with the settings.
CREATE TABLE comparison (what text, theirs float8, ours float8, same boolean);
CREATE PROCEDURE compare(what text, theirs text, ours text DEFAULT NULL, rounds int DEFAULT 7) LANGUAGE plpgsql AS $$
DECLARE
	statements text[] := ARRAY[theirs, coalesce(ours, theirs)];
	taken float8[] := '{}';
	answers text[] := '{NULL,NULL}';
	started timestamptz;
	answer text;
BEGIN
	FOR round IN 0 .. rounds LOOP
		FOR i IN 1 .. 2 LOOP
			PERFORM set_config('jsonrow.' || setting, (ours IS NULL AND i = 2)::text, true)
			FROM unnest('{accelerate,unnest}'::text[]) setting;
			IF round = 0 THEN
				EXECUTE statements[i] INTO answer;
				answers[i] := md5(answer);
			ELSE
				started := clock_timestamp();
				EXECUTE format('SELECT pg_column_size((%s))', statements[i]);
				taken := taken || ARRAY[ARRAY[i, extract(epoch FROM clock_timestamp() - started) * 1000]];
			END IF;
		END LOOP;
	END LOOP;
	INSERT INTO comparison
	SELECT compare.what, median[1], median[2], answers[1] = answers[2]
	FROM (SELECT array_agg(ms ORDER BY i) AS median FROM (
		SELECT taken[n][1] AS i, percentile_cont(0.5) WITHIN GROUP (ORDER BY taken[n][2]) AS ms
		FROM generate_subscripts(taken, 1) n GROUP BY 1) m) m;
END $$;

-- A substitute for a database of some size: the system catalogs, ten times over
CREATE TABLE columns AS
SELECT attrelid::int AS table_id, attnum AS number, attname::text AS name, format_type(atttypid, atttypmod) AS type,
	   attnotnull AS required, attlen AS length
FROM pg_attribute, generate_series(1, 10);
CREATE TABLE tables AS SELECT oid::int AS id, relname::text AS name, relkind::text AS kind FROM pg_class;
CREATE INDEX ON columns (table_id);
ANALYZE columns, tables;
SELECT count(*) AS rows FROM columns \gset

\echo
\echo '== 1. Unchanged queries: jsonrow.accelerate and jsonrow.unnest off, then on (':rows' rows)'
\echo
CALL compare('jsonb_agg(jsonb_build_object(''name'', name, ...))',
	'SELECT jsonb_agg(jsonb_build_object(''table_id'', table_id, ''number'', number, ''name'', name, ''type'', type,
	''required'', required, ''length'', length)) FROM columns');
CALL compare('json_agg(c)', 'SELECT json_agg(c) FROM columns c');
CALL compare('tables with their columns, nested',
	'SELECT json_agg(json_build_object(''name'', name, ''columns'', (
		SELECT json_agg(json_build_object(''name'', c.name, ''type'', type) ORDER BY number, c.name)
		FROM columns c WHERE table_id = t.id)) ORDER BY id) FROM tables t');
SELECT what AS query, round(theirs::numeric, 1) AS "off, ms", round(ours::numeric, 1) AS "on, ms",
	   round((theirs / ours)::numeric, 1) AS "times faster", same AS "same bytes"
FROM comparison ORDER BY theirs / ours DESC;
TRUNCATE comparison;

\echo '== 2. A document: the names once, then the rows by position'
\echo
\echo '    SELECT jsonrow_agg_json(c) FROM columns c;    -- or jsonrow_agg(c), as jsonb'
\echo
\pset tuples_only on
\pset format unaligned
SELECT left(jsonrow_agg_json(c)::text, 200) || ' ...' FROM columns c;
CALL compare('jsonb_agg(jsonb_build_object(...))',
	'SELECT jsonb_agg(jsonb_build_object(''table_id'', table_id, ''number'', number, ''name'', name, ''type'', type,
	''required'', required, ''length'', length)) FROM columns',
	'SELECT jsonrow_agg(c) FROM columns c');
CALL compare('json_agg(c)', 'SELECT json_agg(c) FROM columns c', 'SELECT jsonrow_agg_json(c) FROM columns c');
\pset tuples_only off
\pset format aligned
\echo
SELECT what AS "compared with", round(theirs::numeric, 1) AS "theirs, ms", round(ours::numeric, 1) AS "jsonrow, ms",
	   round((theirs / ours)::numeric, 1) AS "times faster"
FROM comparison ORDER BY theirs / ours DESC;
SELECT octet_length(json_agg(c)::text) AS "json_agg(c), bytes",
	   octet_length(jsonrow_agg_json(c)::text) AS "jsonrow, bytes",
	   round(octet_length(json_agg(c)::text)::numeric / octet_length(jsonrow_agg_json(c)::text), 1) AS "times smaller"
FROM columns c;
TRUNCATE comparison;

\echo '== 3. Nested documents: schemas with their tables with their columns, one header for each level'
\echo
\echo '    SELECT jsonrow_agg_json(s.*) FROM (SELECT nspname AS schema, ('
\echo '        SELECT jsonrow_agg_json(t.*) FROM (SELECT relname AS table, ('
\echo '            SELECT jsonrow_agg_json(c.*) FROM (SELECT attname AS column, ... FROM pg_attribute ...) c'
\echo '        ) AS columns FROM pg_class ...) t) AS tables FROM pg_namespace) s;'
\echo
CREATE FUNCTION with_jsonrow() RETURNS jsonrow_json STABLE BEGIN ATOMIC
	SELECT jsonrow_agg_json(s.*) FROM (SELECT nspname AS schema, (
		SELECT jsonrow_agg_json(t.*) FROM (SELECT relname AS table, relkind AS kind, (
			SELECT jsonrow_agg_json(c.*) FROM (
				SELECT attname AS column, format_type(atttypid, atttypmod) AS type, attnotnull AS not_null
				FROM pg_attribute WHERE attrelid = r.oid AND attnum > 0 ORDER BY attnum) c) AS columns
			FROM pg_class r WHERE relnamespace = n.oid ORDER BY relname) t) AS tables
		FROM pg_namespace n ORDER BY nspname) s;
END;
CREATE FUNCTION with_json_agg() RETURNS json STABLE BEGIN ATOMIC
	SELECT json_agg(json_build_object('schema', nspname, 'tables', (
		SELECT json_agg(json_build_object('table', relname, 'kind', relkind, 'columns', (
			SELECT json_agg(json_build_object('column', attname, 'type', format_type(atttypid, atttypmod),
				'not_null', attnotnull) ORDER BY attnum)
			FROM pg_attribute WHERE attrelid = r.oid AND attnum > 0)) ORDER BY relname)
		FROM pg_class r WHERE relnamespace = n.oid)) ORDER BY nspname)
	FROM pg_namespace n;
END;
\pset tuples_only on
\pset format unaligned
SELECT left(with_jsonrow()::text, 300) || ' ...';
CALL compare('json_agg', 'SELECT with_json_agg()', 'SELECT with_jsonrow()');
\pset tuples_only off
\pset format aligned
\echo
SELECT octet_length(with_json_agg()::text) AS "json_agg, bytes",
	   octet_length(with_jsonrow()::text) AS "jsonrow, bytes",
	   round(octet_length(with_json_agg()::text)::numeric / octet_length(with_jsonrow()::text), 1) AS "times smaller",
	   round(theirs::numeric, 1) AS "json_agg, ms", round(ours::numeric, 1) AS "jsonrow, ms",
	   round((theirs / ours)::numeric, 1) AS "times faster"
FROM comparison;
TRUNCATE comparison;
\echo '(Most of the time is for finding the rows in the catalogs.)'

\echo
\echo '== 4. Results of any size, in pieces of 64 kB'
\echo
\echo '    SELECT jsonrow_stream(''TABLE columns'');'
\echo '    COPY columns TO STDOUT (FORMAT jsonrow, FORM lines);'
\echo
SELECT count(*) AS pieces, max(octet_length(piece)) AS "largest, bytes",
	   string_agg(piece, '' ORDER BY number) = (SELECT jsonrow_agg_json(c)::text FROM columns c)
		   AS "together the aggregate's document"
FROM jsonrow_stream('TABLE columns') WITH ORDINALITY p(piece, number);
CREATE PROCEDURE compare_copies() LANGUAGE plpgsql AS $$
DECLARE
	statement text;
	started timestamptz;
	taken float8[] := '{}';
	options text[] := ARRAY['FORMAT csv', 'FORMAT text', 'FORMAT jsonrow'];
BEGIN
	FOR round IN 1 .. 7 LOOP
		FOR i IN 1 .. 3 LOOP
			started := clock_timestamp();
			EXECUTE format('COPY columns TO %L (%s)', '/dev/null', options[i]);
			taken := taken || ARRAY[ARRAY[i, extract(epoch FROM clock_timestamp() - started) * 1000]];
		END LOOP;
	END LOOP;
	INSERT INTO comparison (what, theirs)
	SELECT options[taken[n][1]], percentile_cont(0.5) WITHIN GROUP (ORDER BY taken[n][2])
	FROM generate_subscripts(taken, 1) n GROUP BY 1;
END $$;
CALL compare_copies();
SELECT 'COPY, ' || t.what AS "compared with", round(t.theirs::numeric, 1) AS "theirs, ms",
	   round(o.theirs::numeric, 1) AS "FORMAT jsonrow, ms", round((t.theirs / o.theirs)::numeric, 1) AS "times faster"
FROM comparison t, comparison o WHERE t.what <> 'FORMAT jsonrow' AND o.what = 'FORMAT jsonrow'
ORDER BY t.theirs DESC;
TRUNCATE comparison;

\echo '== 5. Cells of a large document that is stored uncompressed'
\echo
\echo '    SELECT jsonrow_get_text(doc, n, ''name'') FROM stored, ...;'
\echo
CREATE TABLE stored (doc jsonrow, objects jsonb);
ALTER TABLE stored ALTER doc SET STORAGE EXTERNAL, ALTER objects SET STORAGE EXTERNAL;
INSERT INTO stored SELECT jsonrow_agg(c), jsonb_agg(c) FROM columns c, generate_series(1, 10);
CALL compare('objects -> n ->> ''name''',
	'SELECT string_agg(objects -> n * 100 ->> ''name'', '' '') FROM stored, generate_series(1, 50) n',
	'SELECT string_agg(jsonrow_get_text(doc, n * 100, ''name''), '' '') FROM stored, generate_series(1, 50) n');
SELECT what AS "compared with", pg_size_pretty(pg_column_size(doc)::bigint) AS "document",
	   round(theirs::numeric * 1000 / 50) AS "theirs, us per cell",
	   round(ours::numeric * 1000 / 50, 1) AS "jsonrow, us per cell",
	   round(theirs / ours) AS "times faster", same AS "same cells"
FROM comparison, stored;
