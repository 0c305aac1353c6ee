-- Nested collections as joins take no more memory than their results and work_mem, and what belongs to nobody takes
-- none: a session that reads them with jsonrow.unnest has no higher peak than one that reads them as written, but for
-- twice work_mem.  In a database of their own, with sessions of their own.
\set suffix unnest
\ir own_database.psql

SELECT plan(12);

\ir connect.psql
\ir peak.psql
SELECT dblink_connect('other', :'conninfo') \g /dev/null
SELECT pg_temp.run('other', 'SET client_min_messages = error', 'CREATE EXTENSION jsonrow',
	'CREATE TABLE parent AS SELECT i AS id FROM generate_series(1, 10000) i',
	'CREATE TABLE child AS SELECT i AS id, 1 + i % 10000 AS pid, ''name of child '' || i AS name
		FROM generate_series(1, 1000000) i',
	'CREATE INDEX ON child (pid)',
	'CREATE TABLE orphan AS SELECT i AS id, CASE WHEN i <= 280000 THEN -1 ELSE i % 10000 END AS pid,
		''name of orphan '' || i AS name FROM generate_series(1, 285000) i', 'CREATE INDEX ON orphan (pid)',
	'CREATE TABLE grown AS SELECT * FROM child WHERE id <= 10000', 'CREATE INDEX ON grown (pid)',
	'ANALYZE parent, child, orphan, grown',
	'INSERT INTO grown SELECT 2000000 + i, 7, ''name of another '' || i FROM generate_series(1, 300000) i') \g /dev/null

CREATE TABLE query (name text, query text);
INSERT INTO query VALUES
	('280,000 rows belong to nobody', 'SELECT id, (SELECT json_agg(name) FROM orphan WHERE pid = parent.id) FROM parent'),
	('nor to their groups', 'SELECT id, (SELECT json_agg(g) FROM (SELECT length(name) AS k, json_agg(name) FROM orphan
		WHERE pid = parent.id GROUP BY 1) g) FROM parent'),
	('1,000,000 children', 'SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id) FROM parent'),
	('1,000,000 children, in one document',
		'SELECT json_agg(p) FROM (SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id) FROM parent) p'),
	('1,000,000 children, the first five of each parent', 'SELECT id, (SELECT json_agg(x) FROM (SELECT name FROM child
		WHERE pid = parent.id ORDER BY id LIMIT 5) x) FROM parent'),
	('a parent of 300,000, of which statistics do not know', 'SELECT id, (SELECT json_agg(x) FROM (SELECT name FROM grown
		WHERE pid = parent.id ORDER BY id LIMIT 1000) x) FROM parent');

-- First, all that is in shared buffers is read: it counts, too.
CREATE FUNCTION pg_temp.peak_of(conninfo text, query text, unnest text) RETURNS int LANGUAGE sql AS $$
	SELECT pg_temp.peak(conninfo, 'SET jsonrow.unnest_above_cost = 0', 'SET max_parallel_workers_per_gather = 0',
		'SET work_mem = ''4MB''', 'SET jsonrow.unnest = ' || unnest,
		'COPY orphan TO ''/dev/null''', 'COPY child TO ''/dev/null''', 'COPY grown TO ''/dev/null''',
		format('COPY (%s) TO ''/dev/null''', query)) $$;
SELECT alike((SELECT string_agg(line, E'\n') FROM dblink('other', 'SELECT * FROM jsonrow_explain('
	|| quote_literal(query) || ') AS e') q(place text, what text, outcome text, reason text),
	LATERAL concat_ws('|', what, outcome) line), '%collection|joined%', name)
FROM query, LATERAL (SELECT pg_temp.run('other', 'SET jsonrow.unnest = on', 'SET jsonrow.unnest_above_cost = 0')) q;
SELECT CASE WHEN pg_temp.has_proc() THEN
	cmp_ok(pg_temp.peak_of(:'conninfo', query, 'on'), '<=', pg_temp.peak_of(:'conninfo', query, 'off') + 8,
		'MB: ' || name)
	ELSE skip('its memory is not shown: ' || name, 1) END FROM query;

SELECT dblink_disconnect('other') \g /dev/null
SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"database" WITH (FORCE);
