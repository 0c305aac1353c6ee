-- Reading by pieces what others change, from a snapshot, read-only, and after
-- VACUUM FULL: in sessions of their own, over dblink, and in a database of
-- their own, which is made and removed outside of the transaction here.
\set suffix sessions
\ir own_database.psql

SELECT plan(20);

\ir connect.psql
SELECT dblink_connect('reader', :'conninfo'), dblink_connect('writer', :'conninfo') \g /dev/null
CREATE FUNCTION pg_temp.ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT answer
FROM dblink('reader', query) q(answer text) $$;
CREATE FUNCTION pg_temp.cells() RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ask($q$SELECT concat_ws(' ', jsonrow_get_text(doc, 0, 't'), jsonrow_get_text(doc, 5000, 't'),
		jsonrow_get_text(doc, -1, 't'), jsonrow_get_text(col, 5000, 't'), jsonrow_count(doc))
	FROM stored$q$) $$;

SELECT pg_temp.run('writer', 'SET client_min_messages = error', 'CREATE EXTENSION IF NOT EXISTS jsonrow',
	'CREATE TABLE stored (doc jsonb, col jsonb)',
	'ALTER TABLE stored ALTER doc SET STORAGE EXTERNAL, ALTER col SET STORAGE EXTERNAL',
	$$INSERT INTO stored SELECT doc, jsonrow_to_columns(doc)
	FROM (SELECT jsonrow_agg('{i,t}', i, 'old ' || i) AS doc FROM generate_series(1, 10000) i) s$$) \g /dev/null
SELECT is(pg_temp.cells(), 'old 1 old 5001 old 10000 old 5001 10000', 'cells as written by another session');

SELECT pg_temp.run('reader', 'BEGIN TRANSACTION READ ONLY') \g /dev/null
SELECT is(pg_temp.cells(), 'old 1 old 5001 old 10000 old 5001 10000', 'cells in a read-only transaction');
SELECT pg_temp.run('reader', 'COMMIT', 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ') \g /dev/null
SELECT is(pg_temp.cells(), 'old 1 old 5001 old 10000 old 5001 10000', 'cells in a snapshot');
SELECT pg_temp.run('writer', $$UPDATE stored SET doc = n, col = jsonrow_to_columns(n)
	FROM (SELECT jsonrow_agg('{i,t}', i, 'new ' || i) AS n FROM generate_series(1, 20000) i) s$$,
	'VACUUM stored') \g /dev/null
SELECT is(pg_temp.cells(), 'old 1 old 5001 old 10000 old 5001 10000',
	'the snapshot keeps what another transaction has replaced');
SELECT pg_temp.run('reader', 'COMMIT') \g /dev/null
SELECT is(pg_temp.cells(), 'new 1 new 5001 new 20000 new 5001 20000', 'a new snapshot has the new cells');
SELECT pg_temp.run('writer', 'VACUUM FULL stored') \g /dev/null
SELECT is(pg_temp.cells(), 'new 1 new 5001 new 20000 new 5001 20000', 'cells after VACUUM FULL');
SELECT pg_temp.run('reader', $it$DO $do$
	DECLARE d jsonb; r text;
	BEGIN
		SELECT doc INTO d FROM stored;
		DELETE FROM stored;
		COMMIT;
		r := jsonrow_get_text(d, 7000, 't');
		IF r IS DISTINCT FROM 'new 7001' THEN RAISE 'not %', r; END IF;
	END $do$ $it$) \g /dev/null
SELECT is(pg_temp.ask('SELECT count(*)::text FROM stored'), '0', 'a variable outlives its row');
SELECT pg_temp.run('writer', 'DROP TABLE stored') \g /dev/null

-- A unique key that is younger than a snapshot, which sees values twice: a page has no more rows than its LIMIT.
CREATE FUNCTION pg_temp.page() RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ask($q$SELECT string_agg(id || coalesce(name, ''), ' ') FROM (SELECT f.id, x.name FROM films f
		LEFT JOIN LATERAL (SELECT name FROM names WHERE id = f.id ORDER BY name) x ON true ORDER BY f.id LIMIT 3) z$q$) $$;
SELECT pg_temp.run('writer', 'CREATE TABLE films AS SELECT id FROM generate_series(1, 4) id',
	$$CREATE TABLE names AS SELECT * FROM (VALUES (1, 'a'), (1, 'b'), (2, 'c')) v(id, name)$$) \g /dev/null
SELECT pg_temp.run('reader', 'SET jsonrow.unnest = on', 'BEGIN ISOLATION LEVEL REPEATABLE READ'),
	pg_temp.ask('SELECT count(*)::text FROM films') \g /dev/null
SELECT pg_temp.run('writer', $$DELETE FROM names WHERE name = 'b'$$, 'CREATE UNIQUE INDEX ON names (id)') \g /dev/null
SELECT is(pg_temp.page(), '1a 1b 2c', 'a look-up by a key that is younger than the snapshot');
SELECT pg_temp.run('reader', 'COMMIT') \g /dev/null
SELECT is(pg_temp.page(), '1a 2c 3', 'and by a later one');
-- ... which is that of a cursor, whose query calls a stable function
SELECT pg_temp.run('writer', 'DROP INDEX names_id_idx', $$INSERT INTO names VALUES (1, 'b')$$, $it$
	CREATE FUNCTION page() RETURNS text STABLE LANGUAGE plpgsql AS $$
	BEGIN
		RETURN string_agg(id || coalesce(name, ''), ' ') FROM (SELECT f.id, x.name FROM films f
			LEFT JOIN LATERAL (SELECT name FROM names WHERE id = f.id ORDER BY name) x ON true ORDER BY f.id LIMIT 3) z;
	END $$ $it$) \g /dev/null
SELECT pg_temp.run('reader', 'BEGIN', 'DECLARE page CURSOR FOR SELECT page() FROM generate_series(1, 2)') \g /dev/null
SELECT pg_temp.run('writer', $$DELETE FROM names WHERE name = 'b'$$, 'CREATE UNIQUE INDEX ON names (id)') \g /dev/null
SELECT is(pg_temp.ask('FETCH page'), '1a 1b 2c', 'a look-up by a key that is younger than the snapshot of a cursor');
SELECT pg_temp.run('reader', 'COMMIT', 'RESET jsonrow.unnest') \g /dev/null

-- NOT NULL that is younger than a snapshot, which sees NULL: a filter that asks for it leaves something out.
CREATE FUNCTION pg_temp.kept(unnest text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ask(format('SELECT set_config(''jsonrow.unnest'', %L, false)', unnest));
	SELECT pg_temp.ask($q$SELECT json_agg((SELECT count(*) FROM films WHERE id = k.film) ORDER BY k.film)
		FILTER (WHERE k.id IS NOT NULL)::text FROM kept k$q$) $$;
SELECT pg_temp.run('writer', 'CREATE TABLE kept AS SELECT * FROM (VALUES (1, 1), (NULL, 2)) v(id, film)'),
	pg_temp.run('reader', 'SET jsonrow.unnest_above_cost = 0', 'BEGIN ISOLATION LEVEL REPEATABLE READ'),
	pg_temp.ask('SELECT count(*)::text FROM films') \g /dev/null
SELECT pg_temp.run('writer', 'DELETE FROM kept WHERE id IS NULL',
	'ALTER TABLE kept ALTER id SET NOT NULL') \g /dev/null
SELECT is(pg_temp.kept('on'), pg_temp.kept('off'), 'a filter on a column that is NOT NULL since');
SELECT pg_temp.run('reader', 'COMMIT') \g /dev/null

-- A partition that is younger than a snapshot, which sees a row of it that has been deleted: a key is there twice, and
-- NULL in a column that is never NULL (compiled, PostgreSQL shows it as 0).
CREATE FUNCTION pg_temp.of_parts(unnest text, query text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ask(format('SELECT set_config(''jsonrow.unnest'', %L, false)', unnest));
	SELECT pg_temp.ask(format('SELECT string_agg(z::text, '' '' ORDER BY z::text) FROM (%s) z', query)) $$;
SELECT pg_temp.run('writer',
	'CREATE TABLE part (id int NOT NULL UNIQUE, f int, n int NOT NULL) PARTITION BY RANGE (id)',
	'CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (100)',
	'CREATE TABLE part_2 (id int NOT NULL, f int, n int)',
	'INSERT INTO part SELECT i, i, 10 * i FROM generate_series(1, 5) i', 'INSERT INTO part_2 VALUES (3, 3, NULL)'),
	pg_temp.run('reader', 'SET jit = off', 'BEGIN ISOLATION LEVEL REPEATABLE READ'),
	pg_temp.ask('SELECT count(*)::text FROM films') \g /dev/null
SELECT pg_temp.run('writer', 'DELETE FROM part_2', 'ALTER TABLE part_2 ALTER n SET NOT NULL',
	'ALTER TABLE part ATTACH PARTITION part_2 FOR VALUES FROM (100) TO (200)') \g /dev/null
SELECT is(pg_temp.of_parts('on', query), pg_temp.of_parts('off', query), 'a partition attached since: ' || query)
FROM unnest(ARRAY['SELECT f.id, (SELECT f FROM part WHERE id = f.id AND f > 0) FROM films f',
	'SELECT f.id, (SELECT json_agg(n ORDER BY id) FILTER (WHERE n IS NOT NULL) FROM part p WHERE p.f = f.id) FROM films f'
	]) query;
SELECT pg_temp.run('reader', 'COMMIT', 'RESET jit', 'RESET jsonrow.unnest_above_cost', 'RESET jsonrow.unnest')
	\g /dev/null

-- A table that changes while its foreign keys are looked at: the first one is not validated.
CREATE FUNCTION pg_temp.waits() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. 600 LOOP
		EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'pg_constraint'::regclass AND database =
			(SELECT oid FROM pg_database WHERE datname LIKE '%\_sessions' AND datname <> current_database()));
		PERFORM pg_sleep(0.05);
	END LOOP;
END $$;
SELECT pg_temp.run('writer', 'CREATE TABLE parent (id int PRIMARY KEY, name text)',
	'CREATE TABLE child (id int PRIMARY KEY, pid int NOT NULL, s text)',
	'INSERT INTO parent SELECT generate_series(1, 3)',
	$$INSERT INTO child SELECT i, 1 + i % 2, 's' || i FROM generate_series(1, 5) i$$,
	'ALTER TABLE child ADD CONSTRAINT a FOREIGN KEY (pid) REFERENCES parent NOT VALID',
	'ALTER TABLE child ADD CONSTRAINT b FOREIGN KEY (pid) REFERENCES parent', 'ANALYZE parent', 'ANALYZE child'),
	pg_temp.run('reader', 'SET jsonrow.unnest_above_cost = 0', 'SET jsonrow.unnest = off'),
	-- PostgreSQL keeps the list of them, but looks at none.
	pg_temp.ask('SELECT count(*)::text FROM parent p JOIN child c ON c.pid = p.id'),
	pg_temp.run('reader', 'SET jsonrow.unnest = on'),
	pg_temp.run('writer', 'BEGIN', 'LOCK pg_catalog.pg_constraint', 'CREATE INDEX ON child (pid)'),
	dblink_send_query('reader', $$SELECT string_agg(q::text, ' ') FROM (SELECT p.id, (SELECT json_agg(c.s ORDER BY c.id)
		FROM child c WHERE c.pid = p.id) FROM parent p ORDER BY p.id) q$$),
	pg_temp.waits(), pg_temp.run('writer', 'COMMIT') \g /dev/null
SELECT is(answer, '(1,"[""s2"", ""s4""]") (2,"[""s1"", ""s3"", ""s5""]") (3,)', 'foreign keys of a table that changes')
FROM dblink_get_result('reader') q(answer text);
SELECT count(*) FROM dblink_get_result('reader') q(answer text) \g /dev/null
SELECT pg_temp.run('reader', 'RESET jsonrow.unnest_above_cost', 'RESET jsonrow.unnest') \g /dev/null

-- A type that another session alters while parallel workers aggregate its
-- values, which are good for both versions.
SELECT pg_temp.run('writer', 'CREATE EXTENSION dblink', 'CREATE TYPE ct AS (a int, b text)',
	'CREATE TABLE p AS SELECT i FROM generate_series(1, 20000) i', 'ANALYZE p',
	format($f$CREATE FUNCTION alter_elsewhere(i int) RETURNS bool LANGUAGE plpgsql PARALLEL SAFE AS $$
		BEGIN
			IF i IN (5000, 10000, 15000) THEN
				PERFORM dblink_exec(%L, 'ALTER TYPE ct ALTER ATTRIBUTE b TYPE ' || CASE i WHEN 10000 THEN 'text'
					ELSE 'int8' END);
			END IF;
			RETURN true;
		END $$ $f$, :'conninfo')) \g /dev/null
SELECT pg_temp.run('reader', 'SET parallel_setup_cost = 0', 'SET parallel_tuple_cost = 0',
	'SET min_parallel_table_scan_size = 0', 'SET max_parallel_workers_per_gather = 2') \g /dev/null
CREATE TABLE call AS SELECT unnest(ARRAY['jsonrow_agg(''(1,7)''::text::ct)',
	'jsonrow_agg_json(''(1,7)''::text::ct)::jsonb', 'jsonrow_agg(''{c}'', ''(1,7)''::text::ct)']) AS call;
SELECT matches((SELECT string_agg(line, ' ') FROM dblink('reader',
	format('EXPLAIN SELECT %s FROM p WHERE alter_elsewhere(i)', call)) q(line text)), 'Partial Aggregate',
	'parallel: ' || call) FROM call;
-- (A value that was made just before is refused, in the words of the release.)
SELECT matches(pg_temp.rows_or_state(format('SELECT pg_temp.ask(%L)', format($q$SELECT count(*) || ' '
	|| bool_and(row::text ~ '[[]1, "?7"?[]]')
	FROM jsonb_array_elements((SELECT %s FROM p WHERE alter_elsewhere(i)) -> 'rows') row$q$, call))),
		'20000 true|^(22P07|42804)$', 'a type altered by another session: ' || call) FROM call;
SELECT dblink_disconnect('reader'), dblink_disconnect('writer') \g /dev/null

SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"database" WITH (FORCE);
