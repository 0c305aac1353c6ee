-- Nested collections as joins: what PostgreSQL estimates of these joins.  A join of which it expects a few rows, and
-- gets many, is made by a nested loop: 25 million rows were read that way for 100,000 parents in a CTE.
\ir oracle.psql

SELECT plan(74);
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null

CREATE TABLE parent (id int PRIMARY KEY, name text, kind int);
INSERT INTO parent SELECT i, 'parent ' || i * 7919 % 10007, i % 50 FROM generate_series(1, 4000) i;
CREATE TABLE child (id int, pid int, name text, v int);		-- a fifth of them belongs to nobody
INSERT INTO child SELECT i, CASE WHEN i % 5 = 0 THEN -1 ELSE 1 + i % 4000 END, 'child ' || i, i % 7
FROM generate_series(1, 40000) i;
CREATE TABLE grand (id int, cid int, w int);
INSERT INTO grand SELECT i, 1 + i % 40000, i % 11 FROM generate_series(1, 80000) i;
CREATE TABLE owned (id int, pid int REFERENCES parent, v int);
INSERT INTO owned SELECT i, 1 + i % 4000, i % 5 FROM generate_series(1, 20000) i;
CREATE TABLE few (pid int, v int);							-- few parents have any
INSERT INTO few SELECT 1 + i % 40, i FROM generate_series(1, 4000) i;
CREATE TABLE pair (a int, b int, v int);
INSERT INTO pair SELECT i % 100, i / 100 % 100, i FROM generate_series(1, 30000) i;
CREATE TABLE couple (id int, a int, b int);
INSERT INTO couple SELECT i, i % 100, i / 100 FROM generate_series(1, 5000) i;
ANALYZE parent, child, grand, owned, few, pair, couple;

CREATE TABLE query (joins int, query text);
INSERT INTO query VALUES
	(1, 'SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id) FROM parent'),
	(1, 'SELECT id, (SELECT json_agg(name ORDER BY v) FROM child WHERE pid = parent.id) FROM parent ORDER BY name'),
	(1, 'SELECT id, (SELECT count(*) FROM child WHERE pid = parent.id) FROM parent'),
	(1, 'SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id) FROM parent WHERE kind = 7'),
	(1, 'SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id AND v = 3) FROM parent WHERE kind < 7'),
	(1, 'SELECT id, (SELECT json_agg(v) FROM owned WHERE pid = parent.id) FROM parent'),
	(1, 'SELECT id, (SELECT json_agg(v) FROM owned WHERE pid = parent.id) FROM parent WHERE kind < 25'),
	(1, 'SELECT id, (SELECT json_agg(v) FROM few WHERE pid = parent.id) FROM parent'),
	(2, 'SELECT id, (SELECT json_agg(json_build_array(name, (SELECT json_agg(w) FROM grand WHERE cid = child.id)))
		FROM child WHERE pid = parent.id) FROM parent'),
	(2, 'SELECT id, (SELECT json_agg(json_build_array(name, (SELECT json_agg(w) FROM grand WHERE cid = child.id)))
		FROM child WHERE pid = parent.id) FROM parent WHERE kind = 7'),
	(2, 'SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id), (SELECT sum(v) FROM owned
		WHERE pid = parent.id) FROM parent'),
	(1, 'SELECT id, ARRAY(SELECT name FROM child WHERE pid = parent.id) FROM parent WHERE kind < 10'),
	(1, 'SELECT id, a, b, (SELECT json_agg(v) FROM pair WHERE pair.a = couple.a AND pair.b = couple.b) FROM couple'),
	(1, 'SELECT id, (SELECT json_agg(x) FROM (SELECT name FROM child WHERE pid = parent.id ORDER BY v LIMIT 5) x)
		FROM parent'),
	-- The parents in a CTE, of whose values PostgreSQL 15 and 16 know nothing
	(1, 'WITH p AS (SELECT id FROM parent WHERE kind < 25) SELECT id, (SELECT json_agg(name) FROM child WHERE pid = p.id)
		FROM p'),
	(1, 'WITH p AS MATERIALIZED (SELECT id FROM parent WHERE kind < 25) SELECT id, (SELECT json_agg(name) FROM child
		WHERE pid = p.id) FROM p'),
	(1, 'SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id) FROM parent ORDER BY name LIMIT 20'),
	(1, 'SELECT id, (SELECT json_agg(name) FROM child WHERE pid = parent.id) FROM parent ORDER BY name LIMIT 1000'),
	(1, 'SELECT id, (SELECT json_agg(v) FROM few WHERE pid = parent.id) FROM parent ORDER BY name LIMIT 3000'),
	(2, 'SELECT id, (SELECT json_agg(json_build_array(name, (SELECT json_agg(w) FROM grand WHERE cid = child.id)))
		FROM child WHERE pid = parent.id) FROM parent ORDER BY name LIMIT 20'),
	(2, 'SELECT id, (SELECT json_agg(json_build_array(name, (SELECT json_agg(w) FROM grand WHERE cid = child.id)))
		FROM child WHERE pid = parent.id) FROM parent ORDER BY name LIMIT 1000'),
	(1, 'SELECT id, (SELECT json_agg(x) FROM (SELECT name FROM child WHERE pid = parent.id ORDER BY v LIMIT 5) x)
		FROM parent ORDER BY name LIMIT 50'),
	(2, 'SELECT id, (SELECT json_agg(x) FROM (SELECT name, (SELECT json_agg(y) FROM (SELECT w FROM grand
		WHERE cid = child.id LIMIT 1000 OFFSET 0) y) FROM child WHERE pid = parent.id LIMIT 1000 OFFSET 0) x)
		FROM parent LIMIT 1000 OFFSET 0');

-- The joins of which PostgreSQL expects more than three times as many rows as there are, or as few, if these are not
-- few themselves.  (Groups of a restricted collection it expects as many as it does rows, without us, too.)
CREATE FUNCTION pg_temp.misjudged(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) ' || query INTO plan;
	RETURN QUERY
	WITH RECURSIVE node(node) AS (
		SELECT plan -> 0 -> 'Plan' UNION ALL SELECT jsonb_array_elements(node -> 'Plans') FROM node
	), joined AS (
		SELECT node ->> 'Node Type' AS type, (node ->> 'Plan Rows')::numeric AS expected,
			(node ->> 'Actual Rows')::numeric AS seen, (node ->> 'Actual Loops')::numeric AS loops
		FROM node WHERE node ? 'Join Type'
	)
	SELECT format('%s: %s rows expected, %s seen', type, expected, seen) FROM joined
	WHERE loops > 0 AND greatest(expected, seen) > 3 * least(expected, seen) + 50;
END $$;

SET LOCAL jsonrow.unnest = on;
SET LOCAL jsonrow.unnest_above_cost = 0;
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT is(pg_temp.groups_of(query), joins, 'joins: ' || query) FROM query
WHERE query NOT LIKE '%LIMIT 5)%';		-- of which the groups have a window below
SELECT is_empty(format('SELECT pg_temp.misjudged(%L)', query), 'rows of joins: ' || query) FROM query;
SELECT isnt(pg_temp.groups_of(query), 0, 'joins: ' || query) FROM query WHERE query LIKE '%LIMIT 5)%';
SET LOCAL jsonrow.accelerate = on;
SELECT is_empty(format('SELECT pg_temp.misjudged(%L)', query), 'rows of joins, accelerated: ' || query) FROM query;

-- What is chosen by costs, where indexes find what belongs to each row
CREATE INDEX ON child (pid);
CREATE INDEX ON grand (cid);
CREATE INDEX ON parent (kind);
CREATE TABLE most (id int PRIMARY KEY, kind int);
INSERT INTO most SELECT i, i % 5 FROM generate_series(1, 20000) i;
CREATE TABLE one AS SELECT i AS id, i AS most FROM generate_series(1, 18000) i;
CREATE INDEX ON one (most);
ANALYZE;
CREATE TABLE fresh AS SELECT i AS id, i % 3 AS kind FROM generate_series(1, 900) i;
CREATE TABLE fresh_child AS SELECT i AS id, i % 900 AS pid, i % 7 AS v FROM generate_series(1, 9000) i;
RESET jsonrow.unnest_above_cost;
SELECT is(pg_temp.groups_of(query), joins, 'chosen: ' || query) FROM (VALUES
	-- a hash table of many groups, for few parents
	(0, 'SELECT id, (SELECT count(*) FROM one WHERE most = m.id) FROM most m WHERE kind = 0 ORDER BY id'),
	(1, 'SELECT id, (SELECT count(*) FROM one WHERE most = m.id) FROM most m ORDER BY id'),
	-- EXISTS, which is hashed if it is asked of many rows
	(1, 'SELECT id, (SELECT json_agg(json_build_object(''n'', name, ''g'', EXISTS (SELECT FROM grand WHERE
		cid = child.id AND w = 3)) ORDER BY id) FROM child WHERE pid = parent.id) FROM parent ORDER BY id'),
	-- tables that were never analyzed, of which PostgreSQL expects a few rows
	(1, 'SELECT id, (SELECT json_agg(v ORDER BY id) FROM fresh_child WHERE pid = f.id) FROM fresh f WHERE kind = 1'),
	-- the first rows, in an order that no index has
	(2, 'SELECT id, (SELECT row_to_json(x) FROM (SELECT name, v FROM child WHERE pid = parent.id ORDER BY v, id
		LIMIT 1) x), (SELECT count(*) FROM owned WHERE pid = parent.id) FROM parent ORDER BY id')) q(joins, query);

SELECT * FROM finish();
ROLLBACK;
