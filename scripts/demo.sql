\pset footer off
\pset format unaligned
\pset tuples_only on
\pset null '-'
SET client_min_messages = warning;
CREATE EXTENSION jsonrow;
LOAD 'jsonrow';

\echo
\echo '== A query as it is, with jsonrow.accelerate off and on (the median of seven runs each, in turn)'
\echo
\echo '    SELECT json_agg(a) FROM pg_attribute a;'
\echo
CREATE TABLE accelerated (setting text, answer text, ms float8);
DO $$
DECLARE
	setting text;
	started timestamptz;
	answer text;
BEGIN
	FOR i IN 0 .. 7 LOOP
		FOREACH setting IN ARRAY ARRAY['off', 'on'] LOOP
			PERFORM set_config('jsonrow.accelerate', setting, false);
			started := clock_timestamp();
			EXECUTE 'SELECT json_agg(a) FROM pg_attribute a' INTO answer;
			IF i > 0 THEN
				INSERT INTO accelerated VALUES (setting, md5(answer),
					extract(epoch FROM clock_timestamp() - started) * 1000);
			END IF;
		END LOOP;
	END LOOP;
END $$;
RESET jsonrow.accelerate;
\pset format aligned
\pset tuples_only off
SELECT setting AS "jsonrow.accelerate", round((percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::numeric, 1) AS ms,
	min(answer) AS "md5 of the answer"
FROM accelerated GROUP BY setting ORDER BY setting;
\pset format unaligned
\pset tuples_only on

\echo
\echo '== A first document: names once, then rows by position'
\echo
\echo '    SELECT jsonrow_agg_json(ARRAY[''name'', ''handler''], amname, amhandler) FROM pg_am;'
\echo
SELECT jsonrow_agg_json(ARRAY['name', 'handler'], amname, amhandler) FROM pg_am;

\echo
\echo '== Schemas with their tables with their columns, three levels in one document'
\echo
\echo '    SELECT jsonrow_agg_json(ARRAY[''schema'', ''tables''], nspname, ('
\echo '        SELECT jsonrow_agg_json(ARRAY[''table'', ''kind'', ''columns''], relname, relkind, ('
\echo -n '            SELECT jsonrow_agg_json(ARRAY[''column'', ''type'', ''not_null''], attname, '
\echo 'format_type(atttypid, atttypmod), attnotnull) ...'
\echo
CREATE FUNCTION with_jsonrow() RETURNS jsonrow_json STABLE BEGIN ATOMIC
	SELECT jsonrow_agg_json(ARRAY['schema', 'tables'], nspname, (
		SELECT jsonrow_agg_json(ARRAY['table', 'kind', 'columns'], relname, relkind, (
			SELECT jsonrow_agg_json(ARRAY['column', 'type', 'not_null'],
				attname, format_type(atttypid, atttypmod), attnotnull ORDER BY attnum)
			FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) ORDER BY relname)
		FROM pg_class c WHERE relnamespace = n.oid) ORDER BY nspname)
	FROM pg_namespace n;
END;
SELECT left(with_jsonrow()::text, 300) || ' ...';

CREATE FUNCTION with_json_agg() RETURNS json STABLE BEGIN ATOMIC
	SELECT json_agg(json_build_object('schema', nspname, 'tables', (
		SELECT json_agg(json_build_object('table', relname, 'kind', relkind, 'columns', (
			SELECT json_agg(json_build_object('column', attname, 'type', format_type(atttypid, atttypmod),
				'not_null', attnotnull) ORDER BY attnum)
			FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)) ORDER BY relname)
		FROM pg_class c WHERE relnamespace = n.oid)) ORDER BY nspname)
	FROM pg_namespace n;
END;
\echo
\echo '== What json_agg and json_build_object give'
SELECT left(with_json_agg()::text, 300) || ' ...';

-- The median of eleven runs each, in turn.
CREATE TABLE run (what text, ms float8);
DO $$
DECLARE
	what text;
	started timestamptz;
BEGIN
	FOR i IN 0 .. 11 LOOP
		FOREACH what IN ARRAY ARRAY['with_jsonrow', 'with_json_agg', 'big_jsonrow', 'big_json_agg_rows'] LOOP
			started := clock_timestamp();
			CASE what
			WHEN 'with_jsonrow' THEN PERFORM octet_length(with_jsonrow()::text);
			WHEN 'with_json_agg' THEN PERFORM octet_length(with_json_agg()::text);
			WHEN 'big_jsonrow' THEN PERFORM pg_column_size(jsonrow_agg_json(a)) FROM pg_attribute a, generate_series(1, 10);
			WHEN 'big_json_agg_rows' THEN PERFORM pg_column_size(json_agg(a)) FROM pg_attribute a, generate_series(1, 10);
			END CASE;
			IF i > 0 THEN
				INSERT INTO run VALUES (what, extract(epoch FROM clock_timestamp() - started) * 1000);
			END IF;
		END LOOP;
	END LOOP;
END $$;
CREATE VIEW median AS SELECT what, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS ms FROM run GROUP BY what;

\pset format aligned
\pset tuples_only off
\echo
\echo '== Bytes and time of that document (most of the time is for the catalog queries)'
SELECT a.bytes AS "jsonrow, bytes", b.bytes AS "json_agg, bytes", round(b.bytes / a.bytes, 1) AS "times smaller",
	   round(m.ms::numeric, 1) AS "jsonrow, ms", round(n.ms::numeric, 1) AS "json_agg, ms",
	   round((n.ms / m.ms)::numeric, 1) AS "times faster"
FROM (SELECT octet_length(with_jsonrow()::text)::numeric) a(bytes),
	 (SELECT octet_length(with_json_agg()::text)::numeric) b(bytes), median m, median n
WHERE m.what = 'with_jsonrow' AND n.what = 'with_json_agg';

\echo '== Bytes and time of one flat document: all columns of pg_attribute, ten times over'
SELECT a.bytes AS "jsonrow_agg_json(t), bytes", b.bytes AS "json_agg(t), bytes",
	   round(b.bytes / a.bytes, 1) AS "times smaller",
	   round(m.ms::numeric, 1) AS "jsonrow, ms", round(n.ms::numeric, 1) AS "json_agg, ms",
	   round((n.ms / m.ms)::numeric, 1) AS "times faster"
FROM (SELECT octet_length(jsonrow_agg_json(a)::text)::numeric FROM pg_attribute a, generate_series(1, 10)) a(bytes),
	 (SELECT octet_length(json_agg(a)::text)::numeric FROM pg_attribute a, generate_series(1, 10)) b(bytes),
	 median m, median n
WHERE m.what = 'big_jsonrow' AND n.what = 'big_json_agg_rows';

\echo '== Reading it: a document is plain jsonb to every operator, and knows its schema'
CREATE TABLE stored AS SELECT with_jsonrow()::jsonb::jsonrow AS doc;
SELECT doc -> 'cols' AS "header, at every depth" FROM stored;
SELECT doc #>> '{rows,0,0}' AS "first schema", jsonb_array_length(doc -> 'rows') AS schemas,
	   jsonb_array_length(doc #> '{rows,0,1}') AS "its tables", doc #>> '{rows,0,1,0,0}' AS "first of them",
	   jsonrow_is_valid(doc) AS valid
FROM stored;

\echo '== The same document by column, as objects, and edited'
\pset format unaligned
\pset tuples_only on
\echo
\echo -n '    SELECT jsonrow_to_columns(doc), jsonrow_to_objects(doc), '
\echo 'jsonrow_set(doc, 0, ''schema'', ''"renamed"'') FROM stored;'
\echo
SELECT left(jsonrow_to_columns(doc)::text, 200) || ' ...' FROM stored;
SELECT left(jsonrow_to_objects(doc)::text, 200) || ' ...' FROM stored;
SELECT left(jsonrow_set(doc, 0, 'schema', '"renamed"')::text, 200) || ' ...' FROM stored;
\pset format aligned
\pset tuples_only off

\echo
\echo '== Cut into pieces that stay out of TOAST, and put together again'
\echo
\echo '    CREATE TABLE chunks AS SELECT c.* FROM flat, jsonrow_chunks(doc, 2000) c;'
\echo '    SELECT jsonrow_concat_agg(doc ORDER BY first_row) FROM chunks;'
\echo
CREATE TABLE flat AS
SELECT jsonrow_agg(ARRAY['name', 'type', 'of'],
	attname, format_type(atttypid, atttypmod), attrelid::regclass::text) AS doc
FROM pg_attribute;
CREATE TABLE chunks AS SELECT c.* FROM flat, jsonrow_chunks(doc, 2000) c;
SELECT jsonb_array_length(flat.doc -> 'rows') AS rows, count(*) AS chunks,
	   max(pg_column_size(c.doc)) AS "largest, bytes",
	   jsonrow_concat_agg(c.doc ORDER BY first_row) = flat.doc AS "the same together"
FROM flat, chunks c GROUP BY flat.doc;

\echo '== Results of any size, in pieces of 64 kB: put together they are the aggregate''s document'
\echo
\echo '    SELECT jsonrow_stream(''TABLE pg_attribute'');'
\echo
SELECT count(*) AS pieces, max(octet_length(piece)) AS "largest, bytes",
	   string_agg(piece, '' ORDER BY number) = (SELECT jsonrow_agg_json(a)::text FROM pg_attribute a)
		   AS "the same together"
FROM jsonrow_stream('TABLE pg_attribute') WITH ORDINALITY p(piece, number);

\echo '    COPY (SELECT amname, amhandler FROM pg_am) TO STDOUT (FORMAT jsonrow, FORM lines);'
\echo
COPY (SELECT amname, amhandler FROM pg_am) TO STDOUT (FORMAT jsonrow, FORM lines);
