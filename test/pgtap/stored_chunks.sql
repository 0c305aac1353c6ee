-- Chunks of values in TOAST tables, which are looked for where they should be if values were inserted one
-- by one: wherever they are, whoever moves them or deletes them in the meantime, what is read is the same.  In other
-- sessions, because only what has been committed is taken without the index.
\set suffix stored_chunks
\ir own_database.psql

SELECT plan(31);

\ir connect.psql
SELECT dblink_connect('reader', :'conninfo'), dblink_connect('writer', :'conninfo') \g /dev/null
SELECT pg_temp.run('writer', 'SET client_min_messages = error', 'CREATE EXTENSION IF NOT EXISTS jsonrow',
	$$CREATE FUNCTION document(i int, size int) RETURNS jsonb LANGUAGE sql AS '
		SELECT jsonb_object_agg(''k'' || to_char(k, ''FM00''), v) FROM (SELECT k,
			left(string_agg(md5(i::text || k || j), ''''), CASE WHEN k % 2 = 1 THEN 9 ELSE size / 20 END) AS v
		FROM generate_series(0, 39) k, generate_series(1, size / 600) j GROUP BY k) s'$$,
	$$CREATE FUNCTION scans(of regclass) RETURNS bigint LANGUAGE sql AS '
		SELECT pg_stat_get_xact_numscans(indexrelid) FROM pg_index
		WHERE indrelid = (SELECT reltoastrelid FROM pg_class WHERE oid = of)'$$,
	$$CREATE PROCEDURE make(name text) LANGUAGE plpgsql AS '
	BEGIN
		EXECUTE format(''CREATE TABLE %I (id int PRIMARY KEY, d jsonb, e jsonb)'', name);
		EXECUTE format(''ALTER TABLE %I ALTER d SET STORAGE EXTERNAL, ALTER e SET STORAGE EXTERNAL'', name);
	END'$$) \g /dev/null
SELECT pg_temp.run('writer', VARIADIC array_agg(format('CALL make(%L)', name) ORDER BY name))
FROM unnest('{in_order,two,holes,sizes,updated,mixed,rewritten,killed}'::text[]) name \g /dev/null
SELECT pg_temp.run('writer',
	'INSERT INTO in_order SELECT i, document(i, 54000) FROM generate_series(1, 30) i',
	'INSERT INTO two SELECT i, document(i, 54000), document(-i, 40000) FROM generate_series(1, 30) i',
	'INSERT INTO sizes SELECT i, document(i, 33000 + i * 311), document(i, 1000 + i * 731)
		FROM generate_series(1, 60) i',
	'INSERT INTO mixed SELECT i, document(i, 36000 + i * 97) FROM generate_series(1, 30) i',
	'INSERT INTO rewritten SELECT i, document(i, 54000) FROM generate_series(1, 30) i',
	'INSERT INTO killed SELECT i, document(i, 54000) FROM generate_series(1, 4) i',
	-- What was there leaves holes, into which others are put, piece by piece.
	'INSERT INTO holes SELECT i, document(i, 36000 + i * 97) FROM generate_series(1, 40) i',
	'DELETE FROM holes WHERE id % 3 > 0', 'VACUUM holes',
	'INSERT INTO holes SELECT i, document(i, 60000) FROM generate_series(41, 70) i',
	'INSERT INTO updated SELECT i, document(i, 54000), document(-i, 54000) FROM generate_series(1, 20) i',
	$$UPDATE updated SET d = d || '{"k01": "new"}' WHERE id % 2 = 0$$,
	'UPDATE updated SET e = d, d = e WHERE id % 5 = 0',
	'VACUUM ANALYZE in_order, two, holes, sizes, rewritten') \g /dev/null
SELECT pg_temp.run('reader', 'LOAD ''jsonrow''') \g /dev/null

-- What a query gives in a session, with the setting off or on; its error, if there is one
CREATE FUNCTION pg_temp.ask(query text, accelerate text DEFAULT 'on') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dblink_exec('reader', 'SET jsonrow.accelerate = ' || accelerate);
	RETURN (SELECT string_agg(answer, E'\n') FROM dblink('reader', query) q(answer text));
EXCEPTION WHEN data_corrupted THEN
	RETURN regexp_replace(SQLERRM, 'toast value \d+ in \w+', 'toast value');
END $$;
CREATE FUNCTION pg_temp.same(query text) RETURNS text LANGUAGE sql AS $$
	SELECT is(pg_temp.ask(query), pg_temp.ask(query, 'off'), left(regexp_replace(query, '\s+', ' ', 'g'), 200)) $$;
CREATE FUNCTION pg_temp.scans(query text, of text, accelerate text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	before bigint;
	result bigint;
BEGIN
	PERFORM dblink_exec('reader', 'BEGIN');
	before := pg_temp.ask(format('SELECT scans(%L)::text', of));
	PERFORM pg_temp.ask(query, accelerate);
	result := pg_temp.ask(format('SELECT scans(%L)::text', of))::bigint - before;
	PERFORM dblink_exec('reader', 'COMMIT');
	RETURN result;
END $$;

-- Wherever they are; read twice, because what was guessed last tells what is guessed next
SELECT pg_temp.same(format($$SELECT concat_ws(',', id, d ->> 'k00' = e ->> 'k00', d ->> 'k01', d ->> 'k17',
	d ->> 'k39', md5(d ->> 'k20'), e ->> 'k03', e ->> 'k39', d -> 'nothing') FROM %I ORDER BY %s$$, name, sort))
FROM unnest('{in_order,two,holes,sizes,updated,mixed}'::text[]) name,
	unnest('{id,"md5(id::text)","id DESC"}'::text[]) sort;

-- The index is not needed where values come one after another.
SELECT is(pg_temp.scans($$SELECT count(d ->> 'k39')::text FROM in_order$$, 'in_order', 'off'), 30::bigint,
	'PostgreSQL looks up each value in the index');
SELECT cmp_ok(pg_temp.scans($$SELECT count(d ->> 'k39')::text FROM in_order$$, 'in_order', 'on'), '<', 8::bigint,
	'we, hardly any');
SELECT is(pg_temp.ask($$SELECT count(d ->> 'k39')::text FROM in_order$$), '30', 'and find all');
-- What the session itself has inserted, and what it has deleted, is looked up.
SELECT pg_temp.run('reader', 'BEGIN', 'CALL make(''own'')', 'INSERT INTO own SELECT i, document(i, 54000)
	FROM generate_series(1, 5) i') \g /dev/null
SELECT pg_temp.same($$SELECT concat_ws(',', id, d ->> 'k01', d ->> 'k39') FROM own ORDER BY id$$);
SELECT cmp_ok(pg_temp.ask($$SELECT scans('own')::text$$)::bigint, '>', 14::bigint, 'by the index');
SELECT pg_temp.run('reader', 'ROLLBACK') \g /dev/null

-- Rows that others delete, move and reindex between two rows of a cursor
SELECT pg_temp.run('reader', 'SET jsonrow.accelerate = on', 'BEGIN',
	$$DECLARE c SCROLL CURSOR FOR SELECT concat_ws(',', id, d ->> 'k01', d ->> 'k39') FROM rewritten ORDER BY id$$)
\g /dev/null
CREATE TEMP TABLE expected AS SELECT answer FROM dblink('writer',
	$$SELECT concat_ws(',', id, d ->> 'k01', d ->> 'k39') FROM rewritten ORDER BY id$$) q(answer text);
CREATE TEMP TABLE found (answer text);
CREATE FUNCTION pg_temp.fetch() RETURNS void LANGUAGE sql AS $$
	INSERT INTO found SELECT answer FROM dblink('reader', 'FETCH 5 FROM c') q(answer text) $$;
SELECT pg_temp.fetch() \g /dev/null
SELECT answer AS toast FROM dblink('writer', $$SELECT reltoastrelid::regclass::text FROM pg_class
	WHERE oid = 'rewritten'::regclass$$) q(answer text) \gset
SELECT pg_temp.run('writer', 'REINDEX TABLE ' || :'toast') \g /dev/null
SELECT pg_temp.fetch() \g /dev/null
SELECT pg_temp.run('writer', 'DELETE FROM rewritten WHERE id % 2 = 0') \g /dev/null
SELECT pg_temp.fetch() \g /dev/null
SELECT pg_temp.run('writer', 'VACUUM rewritten') \g /dev/null
SELECT pg_temp.fetch() \g /dev/null
SELECT pg_temp.run('writer', 'VACUUM FULL ' || :'toast') \g /dev/null
SELECT pg_temp.fetch(), pg_temp.fetch() \g /dev/null
SELECT results_eq('SELECT answer COLLATE "C" FROM found', 'SELECT answer COLLATE "C" FROM expected',
	'a cursor keeps what its snapshot sees');
SELECT pg_temp.run('reader', 'COMMIT') \g /dev/null
SELECT pg_temp.run('writer', 'VACUUM FULL rewritten', 'TRUNCATE holes', 'VACUUM holes') \g /dev/null
SELECT pg_temp.same($$SELECT concat_ws(',', id, d ->> 'k01', d ->> 'k39') FROM rewritten ORDER BY id$$);
SELECT pg_temp.same($$SELECT concat_ws(',', id, d ->> 'k01', d ->> 'k39') FROM holes ORDER BY id$$);
-- A table that is shorter than it was
SELECT pg_temp.run('writer', 'DELETE FROM in_order WHERE id > 3', 'VACUUM in_order') \g /dev/null
SELECT pg_temp.same($$SELECT concat_ws(',', id, d ->> 'k01', d ->> 'k39') FROM in_order ORDER BY id$$);

-- A chunk that is missing is an error, if it is needed.
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_surgery') AS surgery \gset
\if :surgery
SELECT pg_temp.run('writer', 'CREATE EXTENSION pg_surgery', $$DO '
DECLARE
	toast regclass = (SELECT reltoastrelid FROM pg_class WHERE oid = ''killed''::regclass);
	place tid;
BEGIN
	EXECUTE format(''SELECT max(ctid) FROM %s WHERE chunk_seq = 13'', toast) INTO place;
	PERFORM heap_force_kill(toast, ARRAY[place]);
END'$$) \g /dev/null
SELECT pg_temp.same($$SELECT concat_ws(',', id, d ->> 'k01', d ->> 'k20') FROM killed WHERE id < 4 ORDER BY id$$);
SELECT is(pg_temp.ask($$SELECT md5(d ->> 'k20') FROM killed WHERE id = 4$$),
	'unexpected chunk number 14 (expected 13) for toast value',
	'of a member over four chunks');
SELECT is(pg_temp.ask($$SELECT d ->> 'k19' FROM killed WHERE id = 4$$), 'missing chunk number 13 for toast value',
	'of a short one');
SELECT isnt(pg_temp.ask($$SELECT d ->> 'k39' FROM killed WHERE id = 4$$), NULL, 'but others are there');
\else
SELECT skip('without pg_surgery', 4);
\endif
SELECT dblink_disconnect('reader'), dblink_disconnect('writer') \g /dev/null

SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"database" WITH (FORCE);
