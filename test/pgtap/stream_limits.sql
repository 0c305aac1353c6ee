-- Streams: memory that does not grow, and how soon one ends that is cancelled; in
-- sessions of their own, in a database of their own, as in stream_sessions.sql.
\set suffix limits
\ir own_database.psql

SELECT plan(20);

\ir connect.psql
\ir peak.psql
SELECT dblink_connect('other', :'conninfo') \g /dev/null
SELECT pg_temp.run('other', 'SET client_min_messages = error', 'CREATE EXTENSION jsonrow') \g /dev/null

--
-- 20,000,000 rows, in a new session each
--
CREATE FUNCTION pg_temp.test_peak(conninfo text, name text,
	VARIADIC statements text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF NOT pg_temp.has_proc() THEN
		RETURN skip('its memory is not shown: ' || name, 1);
	END IF;
	RETURN cmp_ok(pg_temp.peak(conninfo, VARIADIC statements), '<', 30, 'MB resident: ' || name);
END $$;
\set rows 'SELECT generate_series(1, 20000000) AS id, \'a text\' AS t'
SELECT pg_temp.test_peak(:'conninfo', '20,000,000 rows in a loop', format($it$DO $$
	DECLARE
		piece text;
		len bigint := 0;
	BEGIN
		FOR piece IN SELECT jsonrow_stream(%L) LOOP
			len := len + length(piece);
		END LOOP;
		IF len <> 388888925 THEN RAISE 'the pieces have %% characters', len; END IF;
	END $$ $it$, :'rows'));
SELECT pg_temp.test_peak(:'conninfo', '20,000,000 rows of a cursor', 'BEGIN', 'DECLARE rows CURSOR FOR ' || :'rows',
	'DECLARE pieces CURSOR FOR SELECT jsonrow_stream_lines(''rows''::refcursor)', 'MOVE ALL FROM pieces', 'COMMIT');
SELECT pg_temp.test_peak(:'conninfo', '20,000,000 rows of COPY',
	format('COPY (%s) TO ''/dev/null'' (FORMAT jsonrow, FORM objects)', :'rows'));
-- Long rows take their length, and give it back.
SELECT pg_temp.test_peak(:'conninfo', 'rows of 2 MB now and then', 'BEGIN', 'DECLARE pieces CURSOR FOR SELECT '
	'jsonrow_stream(''SELECT repeat(''''x'''', CASE i % 1000 WHEN 0 THEN 2000000 ELSE 9 END) '
	'FROM (SELECT generate_series(1, 100000) AS i) s'')', 'MOVE ALL FROM pieces', 'COMMIT');

--
-- cancelled
--
-- How a query ends that is cancelled, and how long its session works after that.
CREATE FUNCTION pg_temp.cancelled(conninfo text, query text, OUT state text, OUT seconds numeric) LANGUAGE plpgsql
	AS $$
DECLARE
	pid int;
	before numeric;
BEGIN
	PERFORM dblink_connect('cancelled', conninfo);
	SELECT q.pid INTO pid FROM dblink('cancelled', 'SELECT pg_backend_pid()') q(pid int);
	PERFORM dblink_exec('cancelled', 'LOAD ''jsonrow''');
	PERFORM dblink_send_query('cancelled', query);
	-- As long as it is idle, it would not hear.
	FOR i IN 1 .. 1000 LOOP
		PERFORM pg_stat_clear_snapshot();
		EXIT WHEN EXISTS (SELECT FROM pg_stat_get_activity(pid) a WHERE a.state = 'active');
		PERFORM pg_sleep(0.01);
	END LOOP;
	PERFORM pg_sleep(0.2), pg_cancel_backend(pid);
	before := pg_temp.cpu_seconds(pid);
	BEGIN
		PERFORM * FROM dblink_get_result('cancelled') q(r text);
		state := 'finished';
	EXCEPTION WHEN query_canceled OR OTHERS THEN
		state := SQLSTATE;
	END;
	seconds := pg_temp.cpu_seconds(pid) - before;
	PERFORM dblink_disconnect('cancelled');
END $$;
\set endless 'SELECT generate_series(1, 10000000000) AS i, \'a text\' AS t'
CREATE TABLE ended AS
SELECT query, e.*
FROM (SELECT format(query, :'endless') AS query FROM unnest(ARRAY[
		'SELECT count(p) FROM (SELECT jsonrow_stream(%L) AS p OFFSET 0) s',
		'SELECT count(p) FROM (SELECT jsonrow_stream_object_lines(%L) AS p OFFSET 0) s',
		'SELECT count(p) FROM jsonrow_stream_lines(%L) p',
		'COPY (%s) TO ''/dev/null'' (FORMAT jsonrow)',
		'COPY (%s) TO ''/dev/null'' (FORMAT jsonrow, FORM lines, ENCODING ''LATIN1'')',
		'SELECT count(p) FROM (SELECT jsonrow_stream(''SELECT 1 FROM generate_series(1, 1000000) a, '
			'generate_series(1, 10000) b WHERE a + b < 0'') AS p OFFSET 0) s']) query) q,
	LATERAL pg_temp.cancelled(:'conninfo', query) e;
SELECT is(state, '57014', 'cancelled: ' || query) FROM ended;
SELECT pg_temp.takes_less(seconds, 1.0, 'within a second: ' || query) FROM ended;
CREATE FUNCTION pg_temp.timed_out(query text, OUT state text, OUT seconds numeric) LANGUAGE plpgsql AS $$
DECLARE
	before CONSTANT numeric := pg_temp.cpu_seconds();
BEGIN
	BEGIN
		EXECUTE query;
		state := 'finished';
	EXCEPTION WHEN query_canceled THEN
		state := SQLSTATE;
	END;
	seconds := pg_temp.cpu_seconds() - before;
END $$;
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null
CREATE TABLE timed_out (what text, state text, seconds numeric);
SET LOCAL statement_timeout = '200ms';	-- of each statement
SELECT format('INSERT INTO timed_out SELECT %L, t.* FROM pg_temp.timed_out(%L) t', what, query) FROM (VALUES
	('a stream', format('SELECT count(p) FROM (SELECT jsonrow_stream_objects(%L) AS p OFFSET 0) s', :'endless')),
	('COPY', format('COPY (%s) TO ''/dev/null'' (FORMAT jsonrow)', :'endless'))) q(what, query) \gexec
SET LOCAL statement_timeout = 0;
SELECT is(state, '57014', 'statement_timeout ends ' || what) FROM timed_out;
SELECT pg_temp.takes_less(seconds, 1.0, 'statement_timeout ends in time ' || what) FROM timed_out;

SELECT dblink_disconnect('other') \g /dev/null
SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"database" WITH (FORCE);
