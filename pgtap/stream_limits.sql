-- Streams: memory that does not grow, and how soon one ends that is cancelled; in
-- sessions of their own, in a database of their own, as in stream_sessions.sql.
\set QUIET 1
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT left(current_database(), 40) || '_limits' AS database \gset
DROP DATABASE IF EXISTS :"database";
CREATE DATABASE :"database" TEMPLATE template0;

\ir oracle.psql

SELECT no_plan();

\ir connect.psql
SELECT format('host=%s port=%s dbname=%L %s', :'host', :'port', :'database', :'user_option') AS conninfo \gset
CREATE FUNCTION pg_temp.run(session text, VARIADIC statements text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. cardinality(statements) LOOP
		PERFORM dblink_exec(session, statements[i]);
	END LOOP;
END $$;
SELECT dblink_connect('other', :'conninfo') \g /dev/null
SELECT pg_temp.run('other', 'SET client_min_messages = error', 'CREATE EXTENSION jsonrow') \g /dev/null

--
-- 20,000,000 rows, in a new session each
--
CREATE FUNCTION pg_temp.has_proc() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RETURN pg_read_file('/proc/self/status') ~ 'VmHWM:';
EXCEPTION WHEN OTHERS THEN
	RETURN false;
END $$;
-- The peak of a session's resident memory in MB, when it has run a statement.  (LLVM alone takes more than is allowed.)
CREATE FUNCTION pg_temp.peak(conninfo text, statement text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	result int;
BEGIN
	PERFORM dblink_connect('peak', conninfo);
	PERFORM pg_temp.run('peak', 'SET jit = off', 'LOAD ''jsonrow''', statement);
	SELECT kb / 1024 INTO result FROM dblink('peak',
		$q$SELECT substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s*(\d+)')::int$q$) q(kb int);
	PERFORM dblink_disconnect('peak');
	RETURN result;
END $$;
CREATE FUNCTION pg_temp.test_peak(conninfo text, statement text, name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF NOT pg_temp.has_proc() THEN
		RETURN skip('there is no /proc: ' || name, 1);
	END IF;
	RETURN cmp_ok(pg_temp.peak(conninfo, statement), '<', 30, 'MB resident: ' || name);
END $$;
\set rows 'SELECT generate_series(1, 20000000) AS id, \'a text\' AS t'
SELECT pg_temp.test_peak(:'conninfo', format($it$DO $$
DECLARE
	piece text;
	len bigint := 0;
BEGIN
	FOR piece IN SELECT jsonrow_stream(%L) LOOP
		len := len + length(piece);
	END LOOP;
	IF len <> (20000000 * 17::bigint) - 1 + 168888897 - 4 + 24 THEN RAISE 'not %% but %%', 1, len; END IF;
END $$ $it$, :'rows'), '20,000,000 rows in a loop');
