-- Stored documents that another session changes while they are read, with jsonrow.accelerate on: a row
-- that is locked is read anew (EvalPlanQual), a cursor keeps what its snapshot sees.
\set suffix stored_sessions
\ir own_database.psql

SELECT plan(7);

\ir connect.psql
SELECT dblink_connect('reader', :'conninfo'), dblink_connect('writer', :'conninfo') \g /dev/null
SELECT pg_temp.run('writer', 'SET client_min_messages = error', 'CREATE EXTENSION IF NOT EXISTS jsonrow',
	'CREATE TABLE stored (id int PRIMARY KEY, d jsonb, e jsonb)',
	'ALTER TABLE stored ALTER e SET STORAGE EXTERNAL',
	$$INSERT INTO stored SELECT i, d, d FROM (SELECT i, jsonb_build_object('a', 'old ' || i, 'zz',
		'old last ' || i, 'list',
		(SELECT jsonb_agg(md5(i::text || x)) FROM generate_series(1, 3000) x)) AS d
	FROM generate_series(1, 5) i) s$$) \g /dev/null
SELECT pg_temp.run('reader', 'LOAD ''jsonrow''', 'SET jsonrow.accelerate = on') \g /dev/null
SELECT matches((SELECT string_agg(line, ' ') FROM dblink('reader', $$EXPLAIN VERBOSE UPDATE stored SET d = d
	WHERE d ->> 'a' LIKE 'old%' RETURNING d ->> 'zz'$$) q(line text)), 'jsonrow_core_get_text.*jsonrow_core_get_text',
	'the reader reads by our functions');

-- A cursor's snapshot
SELECT pg_temp.run('reader', 'BEGIN', $$DECLARE c SCROLL CURSOR FOR SELECT concat(d ->> 'a', ',', d ->> 'zz', ',',
	e ->> 'a', ',', e ->> 'zz') FROM stored ORDER BY id$$) \g /dev/null
SELECT is((SELECT answer FROM dblink('reader', 'FETCH 1 FROM c') q(answer text)),
	'old 1,old last 1,old 1,old last 1', 'the first row of a cursor');
SELECT pg_temp.run('writer', $$UPDATE stored SET d = d || jsonb_build_object('a', 'new ' || id, 'zz',
	'new last ' || id),
	e = e || jsonb_build_object('a', 'new ' || id, 'zz', 'new last ' || id)$$, 'VACUUM stored') \g /dev/null
SELECT is((SELECT string_agg(answer, ' ') FROM dblink('reader', 'FETCH ALL FROM c') q(answer text)),
	'old 2,old last 2,old 2,old last 2 old 3,old last 3,old 3,old last 3 old 4,old last 4,old 4,old last 4 '
	'old 5,old last 5,old 5,old last 5', 'its other rows, after they have been replaced');
SELECT is((SELECT answer FROM dblink('reader', 'FETCH ABSOLUTE 1 FROM c') q(answer text)),
	'old 1,old last 1,old 1,old last 1', 'the first one again');
SELECT pg_temp.run('reader', 'COMMIT') \g /dev/null

CREATE PROCEDURE pg_temp.wait() LANGUAGE plpgsql AS $$ BEGIN
	FOR i IN 1 .. 1000 LOOP
		EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted);
		PERFORM pg_sleep(0.01);
	END LOOP;
END $$;
-- The reader waits for a row that the writer has changed, and then evaluates its condition for the new version.
SELECT pg_temp.run('writer', 'BEGIN', $$UPDATE stored SET d = d || '{"a":"newest","zz":"newest last"}',
	e = e || '{"a":"newest e"}' WHERE id = 3$$) \g /dev/null
SELECT dblink_send_query('reader', $$UPDATE stored SET d = d || '{"read":true}' WHERE d ->> 'a' LIKE 'new%'
	AND e ->> 'a' LIKE 'new%' AND id IN (2, 3)
	RETURNING concat(id, ',', d ->> 'a', ',', d ->> 'zz', ',', e ->> 'a', ',',
	d ->> 'read')$$) \g /dev/null
CALL pg_temp.wait();
SELECT pg_temp.run('writer', 'COMMIT') \g /dev/null
SELECT is((SELECT string_agg(answer, ' ' ORDER BY answer) FROM dblink_get_result('reader') q(answer text)),
	'2,new 2,new last 2,new 2,true 3,newest,newest last,newest e,true', 'a row is read as it is when it is locked');
SELECT * FROM dblink_get_result('reader') q(answer text) \g /dev/null

-- The same by ON CONFLICT, and by MERGE
SELECT pg_temp.run('writer', 'BEGIN', $$UPDATE stored SET d = d || '{"a":"latest","zz":"latest last"}',
	e = e || '{"a":"latest e"}' WHERE id IN (4, 5)$$) \g /dev/null
SELECT dblink_send_query('reader', $$INSERT INTO stored AS s VALUES (4, '{}', '{}') ON CONFLICT (id) DO UPDATE
	SET d = s.d || jsonb_build_object('was', s.d ->> 'a', 'e', s.e ->> 'a', 'new', excluded.d ->> 'a')
	WHERE s.d ->> 'zz' LIKE 'latest%' AND s.e ->> 'zz' IS NOT NULL
	RETURNING concat(d ->> 'was', ',', d ->> 'e', ',', d ->> 'zz', ',', e ->> 'a')$$) \g /dev/null
CALL pg_temp.wait();
SELECT pg_temp.run('writer', 'COMMIT') \g /dev/null
SELECT is((SELECT string_agg(answer, ' ') FROM dblink_get_result('reader') q(answer text)),
	'latest,latest e,latest last,latest e', 'ON CONFLICT sees the row that it locks');
SELECT * FROM dblink_get_result('reader') q(answer text) \g /dev/null
SELECT pg_temp.run('writer', 'BEGIN', $$UPDATE stored SET d = d || '{"a":"last 5"}', e = e || '{"a":"last e"}'
	WHERE id = 5$$) \g /dev/null
SELECT dblink_send_query('reader', $$MERGE INTO stored s USING (VALUES (5)) v(id)
	ON s.id = v.id AND s.d ->> 'zz' LIKE 'latest%'
	WHEN MATCHED AND s.e ->> 'a' LIKE 'la%' THEN
		UPDATE SET d = s.d || jsonb_build_object('was', s.d ->> 'a', 'e', s.e ->> 'a')
	WHEN NOT MATCHED THEN INSERT VALUES (6, '{}')$$) \g /dev/null
CALL pg_temp.wait();
SELECT pg_temp.run('writer', 'COMMIT') \g /dev/null
SELECT * FROM dblink_get_result('reader') q(answer text) \g /dev/null
SELECT * FROM dblink_get_result('reader') q(answer text) \g /dev/null
SELECT is((SELECT answer FROM dblink('reader', $$SELECT concat(d ->> 'was', ',', d ->> 'e') FROM stored
	WHERE id = 5$$) q(answer text)), 'last 5,last e', 'and so does MERGE');
SELECT dblink_disconnect('reader'), dblink_disconnect('writer') \g /dev/null

SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"database" WITH (FORCE);
