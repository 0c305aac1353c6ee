-- Streams in sessions of their own: cursors that outlive their transaction, a
-- session that is ended, what a server says when all is over.  In a database of
-- their own, which is made and removed outside of the transaction here.
\set suffix streams
\ir own_database.psql

SELECT plan(14);

\ir connect.psql
SELECT dblink_connect('other', :'conninfo') \g /dev/null
CREATE FUNCTION pg_temp.ask(query text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(answer, '') FROM dblink('other', query) q(answer text) $$;
CREATE FUNCTION pg_temp.fails(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.ask(query);
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT pg_temp.run('other', 'SET client_min_messages = error', 'CREATE EXTENSION jsonrow') \g /dev/null

--
-- WITH HOLD
--
\set held 'SELECT i, repeat(\'x\', 40) AS x, NULL::jsonrow AS d, ROW(i) AS r FROM generate_series(1, 5000) i'
SELECT pg_temp.run('other', 'BEGIN', 'DECLARE held SCROLL CURSOR WITH HOLD FOR ' || :'held', 'COMMIT') \g /dev/null
SELECT is(md5(pg_temp.ask('SELECT jsonrow_stream(''held''::refcursor)')),
	md5(array_to_string(pg_temp.pieces('', :'held'), '')), 'a held cursor after its transaction');
SELECT pg_temp.run('other', 'MOVE ABSOLUTE 0 FROM held') \g /dev/null
SELECT is(md5(pg_temp.ask('SELECT jsonrow_stream_objects(''held''::refcursor)')),
	md5(array_to_string(pg_temp.pieces('_objects', :'held'), '')), 'a held cursor that is moved back');
SELECT pg_temp.run('other', 'MOVE ABSOLUTE 4999 FROM held') \g /dev/null
SELECT is(pg_temp.ask('SELECT jsonrow_stream_lines(''held''::refcursor)'),
	format(E'{"cols":["i","x",{"d":[[]]},{"r":["f1"]}]}\n[5000,"%s",null,[5000]]\n{"rows":1}\n', repeat('x', 40)),
	'the last row of a held cursor');
SELECT is(pg_temp.ask('SELECT jsonrow_stream(''held''::refcursor)'),
	'{"cols":["i","x",{"d":[[]]},{"r":[]}],"rows":[]}', 'the end of a held cursor, of which no query tells any more');
SELECT pg_temp.run('other', 'CLOSE held') \g /dev/null
SELECT is(pg_temp.fails('SELECT jsonrow_stream(''held''::refcursor)'), '34000 cursor "held" does not exist',
	'a held cursor that is closed');
SELECT pg_temp.run('other', 'BEGIN', 'DECLARE plain CURSOR FOR SELECT 1', 'COMMIT') \g /dev/null
SELECT is(pg_temp.fails('SELECT jsonrow_stream(''plain''::refcursor)'), '34000 cursor "plain" does not exist',
	'a cursor that is not held');

-- A held cursor over a stream is run to its end when its transaction ends.
SELECT pg_temp.run('other', 'BEGIN', format('DECLARE pieces CURSOR WITH HOLD FOR SELECT jsonrow_stream(%L)',
	:'held')) \g /dev/null
SELECT pg_temp.ask('FETCH 1 FROM pieces') AS first \gset
SELECT pg_temp.run('other', 'COMMIT') \g /dev/null
SELECT is(md5(:'first' || pg_temp.ask('FETCH ALL FROM pieces')), md5(array_to_string(pg_temp.pieces('', :'held'), '')),
	'a held cursor over a stream');
SELECT is(pg_temp.ask('SELECT string_agg(name, '' '') FROM pg_cursors WHERE is_holdable'), 'pieces',
	'is the only one there');
SELECT pg_temp.run('other', 'CLOSE pieces') \g /dev/null

-- In a procedure that commits between the pieces
SELECT pg_temp.run('other', $it$CREATE PROCEDURE commits(query text, INOUT result text) LANGUAGE plpgsql AS $$
	DECLARE
		piece text;
	BEGIN
		result := '';
		FOR piece IN SELECT jsonrow_stream(query) LOOP
			result := result || piece;
			COMMIT;
		END LOOP;
	END $$ $it$) \g /dev/null
SELECT is(md5(pg_temp.ask(format('CALL commits(%L, NULL)', :'held'))), md5(array_to_string(pg_temp.pieces('',
	:'held'), '')),
	'a loop that commits at each piece');

-- Another session inserts meanwhile.
SELECT pg_temp.run('other', 'CREATE TABLE t AS SELECT i, repeat(''x'', 100) AS x
	FROM generate_series(1, 5000) i') \g /dev/null
SELECT dblink_connect('writer', :'conninfo') \g /dev/null
SELECT pg_temp.run('other', 'BEGIN', 'DECLARE pieces CURSOR FOR SELECT jsonrow_stream_lines(''TABLE t'')') \g /dev/null
SELECT pg_temp.ask('FETCH 1 FROM pieces') AS first \gset
SELECT dblink_exec('writer', 'INSERT INTO t SELECT 0, i FROM generate_series(1, 1000) i'),
	dblink_exec('writer', 'DELETE FROM t WHERE i > 2500'), dblink_exec('writer', 'VACUUM t') \g /dev/null
SELECT is(right(pg_temp.ask('FETCH ALL FROM pieces'), 15), E'\n{"rows":5000}\n',
	'what others do meanwhile is not seen');
SELECT pg_temp.run('other', 'COMMIT') \g /dev/null
SELECT is(right(pg_temp.ask('SELECT jsonrow_stream_lines(''TABLE t'')'), 15), E'\n{"rows":3500}\n', 'but afterwards');

--
-- a client that leaves
--
CREATE FUNCTION pg_temp.others() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	result int;
BEGIN
	FOR i IN 1 .. 100 LOOP
		PERFORM pg_stat_clear_snapshot();
		SELECT count(*) INTO result FROM pg_stat_activity WHERE query ~ 'stream_that_goes_on' AND pid <> pg_backend_pid();
		EXIT WHEN result = 0;
		PERFORM pg_sleep(0.05);
	END LOOP;
	RETURN result;
END $$;
\set endless 'SELECT /* stream_that_goes_on */ jsonrow_stream(\'SELECT generate_series(1, 10000000000) AS i\')'
SELECT dblink_send_query('writer', :'endless'), pg_sleep(0.2), dblink_disconnect('writer') \g /dev/null
SELECT is(pg_temp.others(), 0, 'a stream whose client disconnects ends');
SELECT dblink_connect('writer', :'conninfo') \g /dev/null
SELECT pid FROM dblink('writer', 'SELECT pg_backend_pid()') q(pid int) \gset
SELECT dblink_send_query('writer', 'SELECT /* stream_that_goes_on */ count(p) FROM (SELECT jsonrow_stream(
	''SELECT generate_series(1, 10000000000) AS i'')
		AS p OFFSET 0) s'), pg_sleep(0.2), pg_terminate_backend(:pid) \g /dev/null
SELECT is(pg_temp.others(), 0, 'a stream whose session is terminated ends');
SELECT dblink_disconnect('writer') \g /dev/null

--
-- Nothing is left open, and no warning given, however a stream ends.
--
\set script `mktemp`
SELECT $it$
	SET client_min_messages = warning;
	CREATE TABLE said (n int);
	BEGIN;
	DECLARE pieces CURSOR FOR SELECT jsonrow_stream('SELECT t.* FROM t, generate_series(1, 9)');
	SAVEPOINT a; MOVE 1 FROM pieces; ROLLBACK TO a; MOVE 1 FROM pieces; RELEASE a; MOVE 3 FROM pieces; SAVEPOINT b;
	MOVE 1 FROM pieces; COMMIT;
	BEGIN;
	DECLARE pieces CURSOR FOR SELECT jsonrow_stream_lines('SELECT 1 / (3000 - i), repeat(''x'', 100) AS x FROM '
		'generate_series(1, 5000) i'), jsonrow_stream('TABLE t');
	MOVE 1 FROM pieces; SAVEPOINT a; MOVE ALL FROM pieces; ROLLBACK TO a; MOVE 1 FROM pieces; ROLLBACK;
	BEGIN;
	DECLARE c CURSOR FOR TABLE t;
	SELECT count(*) FROM (SELECT jsonrow_stream('c'::refcursor) LIMIT 2) s;
	SAVEPOINT a; SELECT count(*) FROM (SELECT jsonrow_stream('c'::refcursor) LIMIT 1) s; ROLLBACK TO a; FETCH 0 FROM c;
	COMMIT;
	SELECT count(*) FROM (SELECT jsonrow_stream('TABLE t') LIMIT 1) s;
	SELECT count(*) FROM t a, LATERAL (SELECT jsonrow_stream('TABLE t') LIMIT 1) s WHERE i < 3;
	DO $do$ BEGIN
		FOR k IN 1 .. 3 LOOP
			BEGIN
				PERFORM jsonrow_stream('SELECT 1 / (3000 - i), repeat(''x'', 100) AS x FROM generate_series(1, 5000) i');
			EXCEPTION WHEN division_by_zero THEN NULL; END;
		END LOOP; END $do$;
	SET statement_timeout = 100;
	SELECT jsonrow_stream('SELECT pg_sleep(0.01) FROM generate_series(1, 1000)');
	COPY (SELECT jsonrow_stream('SELECT pg_sleep(0.01) FROM generate_series(1, 1000)')) TO STDOUT;
	RESET statement_timeout;
	SELECT 'open: ' || count(*) FROM pg_cursors WHERE name <> '';
	SELECT 'locks: ' || count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 't'::regclass;
$it$ \g :script
\set wanted '(ERROR|WARNING|FATAL|PANIC):.*|^(open|locks).*'
\set said `psql -X -q -A -t -d :'conninfo' -f :'script' 2>&1 | grep -Eo :'wanted'; rm :'script'`
SELECT is(:'said'::text, concat_ws(E'\n', 'ERROR:  division by zero', 'ERROR:  portal "pieces" cannot be run',
	'ERROR:  canceling statement due to statement timeout', 'ERROR:  canceling statement due to statement timeout',
	'open: 0', 'locks: 0'), 'what a session says: the errors that were to be, and no warning');

SELECT dblink_disconnect('other') \g /dev/null
SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"database" WITH (FORCE);
