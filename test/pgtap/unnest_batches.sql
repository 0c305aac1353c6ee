-- Collections of a page, computed for all of its rows at once, with jsonrow.unnest off and on: the same rows, in the
-- same order, with the same errors; how many of them became joins, and how often their tables are read.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(1633);

CREATE TABLE p (id int PRIMARY KEY, k int, name text, rank int);
INSERT INTO p SELECT i, i % 9, 'p' || i, i * 37 % 101 FROM generate_series(1, 100) i;
INSERT INTO p VALUES (101, NULL, 'none', 200), (102, 1, NULL, NULL);
CREATE TABLE c (id int PRIMARY KEY, pid int, v int, s text);
INSERT INTO c SELECT i, nullif(1 + i * 13 % 110, 7), i % 4, 's' || i FROM generate_series(1, 300) i;
INSERT INTO c SELECT 1000 + i, -1, 0, 'nobody''s' FROM generate_series(1, 50) i;
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, i * 17 % 320, 'w' || i FROM generate_series(1, 500) i;
CREATE TABLE l (id int PRIMARY KEY, name text);
INSERT INTO l SELECT i, 'l' || i FROM generate_series(0, 6) i;
CREATE VIEW page AS SELECT id, k, name FROM p ORDER BY rank, id LIMIT 12;
ANALYZE;

/*
 * Pages
 */

-- How often is each row of these tables read, off and on?
CREATE FUNCTION pg_temp.scans(query text, unnest text) RETURNS bigint LANGUAGE sql AS $$
	SELECT sum((scan ->> 'Actual Loops')::bigint) FROM jsonb_path_query(pg_temp.executed(query, unnest),
		'strict $.** ? (@."Relation Name" == "c" || @."Relation Name" == "g")') scan $$;
-- A page, whose parents are read once; and so often its collections' tables are.
CREATE FUNCTION pg_temp.page(joins int, scans int, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT pg_temp.test(joins, query);
	RETURN NEXT is(pg_temp.scans(query, 'on'), scans::bigint, 'scans: ' || left(regexp_replace(query, '\s+', ' ',
	'g'), 200));
END $$;

SELECT pg_temp.page(1, 1, $$SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c
	WHERE pid = p.id) x ON true ORDER BY rank, p.id LIMIT 12$$);
SELECT pg_temp.page(2, 2, $$SELECT p.id, x.*, y.n FROM p LEFT JOIN LATERAL (SELECT json_agg(c ORDER BY id) a,
	max(v) FROM c
	WHERE pid = p.id) x ON true CROSS JOIN LATERAL (SELECT count(*) n FROM g WHERE cid = p.id) y
	ORDER BY rank DESC NULLS LAST, p.id LIMIT 20 OFFSET 3$$);
SELECT pg_temp.page(1, 1, $$SELECT name, (SELECT jsonb_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM p
	ORDER BY rank, id LIMIT 9$$);
-- ... without its order, for nobody asks for one
SELECT pg_temp.page(1, 1, $$SELECT jsonb_agg(z ORDER BY id) FROM (SELECT id, (SELECT jsonb_agg(v ORDER BY id) FROM c
	WHERE pid = p.id) FROM p WHERE id < 6 LIMIT 9) z$$);
SELECT pg_temp.page(1, 1, $$SELECT json_agg(z) FROM (SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT
	json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x ON true ORDER BY rank, p.id LIMIT 12) z$$);
-- Sorted by a collection, which is computed for all rows; what else there is, for the page
SELECT pg_temp.page(joins, scans, format('SELECT p.id, %s FROM p LEFT JOIN LATERAL (SELECT count(*) n, max(v) m,
	json_agg(v ORDER BY id) a FROM c WHERE pid = p.id) x ON true ORDER BY %s LIMIT 12 OFFSET 2', targets, sorts))
FROM (VALUES (1, 1, 'x.n', 'x.n DESC, p.id'), (1, 1, 'x.a', 'x.n, p.id'), 
	(1, 1, 'x.m', 'x.m DESC NULLS LAST, x.n, p.id'), 
	(2, 2, '(SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id)', 'x.n, p.id'),
	(2, 2, '(SELECT json_agg(w ORDER BY id) FROM g WHERE cid = p.k), x.n', 'x.n DESC, p.id'),
	(1, 1, 'x.n::text', 'x.n, p.id')) q(joins, scans, targets, sorts);
SELECT pg_temp.page(joins, scans, format('SELECT id, (SELECT %s FROM c WHERE pid = p.id) z, (SELECT json_agg(w
	ORDER BY id) FROM g
	WHERE cid = p.id) FROM p %s ORDER BY z DESC NULLS LAST, id LIMIT 9', value, condition))
FROM (VALUES (2, 2, 'count(*)', ''), (2, 2, 'max(s)', 'WHERE k > 2'), (2, 2, 'jsonb_agg(v ORDER BY id)', ''))
	q(joins, scans, value, condition);
SELECT pg_temp.page(1, 1, $$SELECT json_agg(z) FROM (SELECT id, (SELECT sum(v) FROM c WHERE pid = p.id) n FROM p
	ORDER BY n, id LIMIT 9) z$$);
SELECT pg_temp.page(1, 1, $$WITH z AS (SELECT id, (SELECT sum(v) FROM c WHERE pid = p.id) n FROM p
	ORDER BY n, id LIMIT 9) SELECT count(*), json_agg(z ORDER BY id) FROM z$$);
-- ... which the query around it, that has become another one by then, sorts again
SELECT pg_temp.test(1, $$SELECT json_agg((SELECT count(v) FROM c WHERE pid = z.k)) FROM (SELECT q.id, q.k FROM (SELECT
	p.id, p.k FROM p LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = p.k) x ON false
	ORDER BY name, id LIMIT 9) q ORDER BY id) z$$);
SET LOCAL jsonrow.unnest = on;
SELECT isnt_empty($$SELECT * FROM jsonrow_explain('SELECT json_agg((SELECT count(v) FROM c WHERE pid = z.id)) FROM
	(SELECT q.id FROM (SELECT id, name FROM p ORDER BY name, id LIMIT 9) q ORDER BY id) z')$$,
	'... and so it is explained');
RESET jsonrow.unnest;
SELECT pg_temp.test(0, query) FROM (VALUES
	-- Rows that are equal in it, and of which others raise an error
	('SELECT count(*) FROM (SELECT p.id, (SELECT count(*) FROM c WHERE pid = p.id) n FROM p ORDER BY n LIMIT 9) q
		LEFT JOIN (SELECT count(*) n FROM l) l ON 10 / (q.id - 50) > 0'),
	('SELECT p.id, 10 / (p.id - 50), x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c WHERE pid = p.id) x ON true
		ORDER BY x.n LIMIT 9'),
	('SELECT p.id, (SELECT 10 / (p.id - 50) FROM l WHERE l.id = 1), x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c
		WHERE pid = p.id) x ON true ORDER BY x.n LIMIT 9'),
	('SELECT p.id, (SELECT sum(10 / c.v) FROM c WHERE c.pid = p.id), x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n
	FROM c
		WHERE pid = p.id) x ON true ORDER BY x.n LIMIT 9'),
	('SELECT id FROM p ORDER BY 10 / (1 + (SELECT count(*) FROM c WHERE pid = p.id)), id LIMIT 9'),
	('SELECT z.id, 10 / (z.id - 50) FROM (SELECT p.id, x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c
		WHERE pid = p.id) x ON true ORDER BY x.n LIMIT 9) z ORDER BY z.id')) q(query);
-- ... but not if there may be others before it, or rows that have the same, or an error
SELECT pg_temp.test(0, format('SELECT p.id, x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n, sum(10 / v) m FROM c
	WHERE pid = p.id
	AND v > 0) x ON true %s', tail)) FROM unnest(ARRAY['ORDER BY p.id, x.n LIMIT 9', 'ORDER BY x.m, p.id LIMIT 9',
	'ORDER BY x.n FETCH FIRST 9 ROWS WITH TIES', 'WHERE x.n > 2 ORDER BY x.n, p.id LIMIT 9', 'LIMIT 200 OFFSET 1']) tail;
SELECT pg_temp.test(0, $$SELECT DISTINCT ON (x.n) x.n, p.id FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c
	WHERE pid = p.id) x ON true ORDER BY x.n, p.id LIMIT 9$$);
SELECT pg_temp.test(0, $$SELECT x.n, count(*) FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c WHERE pid = p.id)
	x ON true
	GROUP BY x.n ORDER BY x.n LIMIT 3$$);
SELECT pg_temp.test(1, $$SELECT p.id, (SELECT json_agg(z) FROM (SELECT c.id, (SELECT count(*) FROM g WHERE cid =
	c.id) n FROM c
	WHERE pid >= p.id ORDER BY n, c.id LIMIT 3) z) FROM p ORDER BY p.id$$);
-- Levels: the children of the page are read again for what belongs to them.
SELECT pg_temp.page(2, 3, $$SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(json_build_array(s, y.b)
	ORDER BY c.id) a FROM c LEFT JOIN LATERAL (SELECT json_agg(w ORDER BY id) b FROM g WHERE cid = c.id) y ON true
	WHERE pid = p.id) x ON true ORDER BY rank, p.id LIMIT 12$$);
SELECT pg_temp.page(2, 3, $$SELECT id, (SELECT json_agg(json_build_object('s', s, 'g', (SELECT json_agg(w ORDER BY id)
	FROM g WHERE cid = c.id)) ORDER BY c.id) FROM c WHERE pid = p.id) FROM p ORDER BY rank, p.id LIMIT 12$$);
-- Its FROM and WHERE may hold what could raise an error: they are computed once, as they were.
SELECT pg_temp.page(1, 1, $$SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c
	WHERE pid = p.id) x ON true WHERE p.id IN (SELECT max(id) FROM p GROUP BY k) ORDER BY rank, p.id LIMIT 12$$);
SELECT pg_temp.page(2, 3, $$SELECT q.id, (SELECT json_agg(json_build_object('s', s, 'g', (SELECT json_agg(w ORDER
	BY id)
	FROM g WHERE cid = c.id)) ORDER BY c.id) FROM c WHERE pid = q.id) FROM (SELECT id, rank FROM p WHERE 100 / id > 1
	ORDER BY rank, id LIMIT 12) q ORDER BY rank, id$$);
-- The limit below the collections already: in FROM, in a view, in WITH
SELECT pg_temp.page(1, 1, $$SELECT q.id, q.name, x.a FROM (SELECT * FROM p ORDER BY rank, id LIMIT 12) q LEFT JOIN
	LATERAL
	(SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = q.id) x ON true ORDER BY q.id$$);
SELECT pg_temp.page(1, 1, $$SELECT json_agg(json_build_array(q.id, x.a)) FROM (SELECT * FROM p ORDER BY rank, id
	LIMIT 12) q
	LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = q.id) x ON true$$);
SELECT pg_temp.page(1, 1, $$SELECT q.id, q, x.a FROM (SELECT id FROM p ORDER BY rank, id LIMIT 12 OFFSET 2) q LEFT
	JOIN LATERAL
	(SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = q.id) x ON true$$);
SELECT pg_temp.page(1, 1, $$WITH q AS (SELECT * FROM p ORDER BY rank, id LIMIT 12) SELECT
	jsonb_agg(jsonb_build_object('id', id,
	'a', (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = q.id)) ORDER BY id) FROM q$$);
SELECT pg_temp.page(1, 1, $$WITH parents AS (SELECT 3 AS n) SELECT p.id, x.a, n FROM p LEFT JOIN LATERAL (SELECT
	json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x ON true CROSS JOIN parents ORDER BY rank, p.id LIMIT 12$$);
SELECT pg_temp.page(1, 1, $$WITH w AS MATERIALIZED (SELECT * FROM p WHERE k > 2) SELECT w.id, x.a FROM w LEFT JOIN
	LATERAL
	(SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = w.id) x ON true ORDER BY rank, w.id LIMIT 12$$);
SELECT pg_temp.test(0, $$SELECT q.id, x.a FROM page q LEFT JOIN LATERAL
	(SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = q.id) x ON true ORDER BY q.id$$);
-- A page of a page, which wants not all rows of that; what is beside is joined, looked up, referred to
SELECT pg_temp.page(1, 13, $$SELECT z.id, z.a, (SELECT count(*) FROM g WHERE cid = z.id) FROM (SELECT p.id, rank,
	x.a FROM p
	LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x ON true
	ORDER BY rank, p.id LIMIT 12) z ORDER BY z.id LIMIT 5$$);
SELECT pg_temp.page(1, 1, $$SELECT p.id, l.name, x.a FROM p LEFT JOIN l ON l.id = p.k LEFT JOIN LATERAL (SELECT
	json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x ON true ORDER BY rank, p.id LIMIT 12$$);
SELECT pg_temp.page(1, 1, $$SELECT p.id, y.name, x.a FROM p LEFT JOIN LATERAL (SELECT name FROM l WHERE id = p.k
	LIMIT 1) y
	ON true LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x ON true
	ORDER BY rank, p.id LIMIT 12$$);
-- What a left join has beside the collections is left out where the rows around them are read once more: a
-- look-up that
-- counts what belongs to it, as Prisma's _count, and whatever else could not be read twice, or raise errors
SELECT pg_temp.page(4, 2, $$SELECT p.id, y.o, x.a, z.n FROM p LEFT JOIN LATERAL (SELECT json_build_object('name',
	q.name, 'n', r.n) o FROM (SELECT * FROM l WHERE l.id = p.k LIMIT 1) q LEFT JOIN LATERAL (SELECT count(*) n FROM l m
	WHERE m.id < q.id) r ON true) y ON true LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE
	pid = p.id) x ON true LEFT JOIN LATERAL (SELECT count(*) n FROM g WHERE cid = p.id) z ON true
	ORDER BY rank, p.id LIMIT 12$$);
SELECT pg_temp.test(1, format($$SELECT p.id, y.o, x.a FROM p LEFT JOIN LATERAL (%s) y ON true LEFT JOIN
	LATERAL (SELECT
	json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x ON true ORDER BY p.id, y.o::text$$, item)) FROM unnest(ARRAY[
	'SELECT l.name o FROM l WHERE l.id >= p.k AND p.ctid > ''(0,0)'' ORDER BY l.id LIMIT 1',
	'SELECT DISTINCT v o FROM c e WHERE e.pid = p.id',
	'SELECT row_number() OVER (ORDER BY e.id) o FROM c e WHERE e.pid = p.id', 'SELECT 12 / (l.id + 1) o FROM l WHERE
	l.id = p.k OFFSET 0', 'SELECT count(*) o FROM c e WHERE e.pid = p.id GROUP BY e.v']) item;
-- ... and what belongs to that
SELECT pg_temp.test(1, $$SELECT p.id, y.id, z.name, x.a FROM p LEFT JOIN LATERAL (SELECT id FROM l WHERE l.id >= p.k
	ORDER BY id LIMIT 1) y ON true LEFT JOIN LATERAL (SELECT name FROM l WHERE l.id >= y.id ORDER BY id DESC LIMIT 1) z
	ON true LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x ON true ORDER BY p.id$$);
-- ... beside several tables only if it could not raise errors in another order of joins
SELECT pg_temp.test(joins, format($$SELECT p.id, y.o, x.a FROM p JOIN l ON l.id = p.k LEFT JOIN LATERAL (SELECT %s o
	FROM l m WHERE m.id >= p.k ORDER BY m.id LIMIT 1) y ON true LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a
	FROM c WHERE pid = p.id) x ON true ORDER BY p.id$$, made)) FROM (VALUES (2, 'm.name'), (0, '12 / (p.k + 1)'))
	q(joins, made);
SELECT pg_temp.test(joins, format($$SELECT p.id, y.o, x.a FROM p LEFT JOIN LATERAL (SELECT 12 / (p.k + 1) o FROM l m
	WHERE m.id >= p.k ORDER BY m.id LIMIT 1) y ON true LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE
	pid = p.id) x ON true WHERE %s ORDER BY p.id$$, condition)) FROM (VALUES (1, 'p.k > 2'),
	(0, 'EXISTS (SELECT FROM l WHERE l.id = p.k)')) q(joins, condition);
SELECT pg_temp.test(joins, format($$SELECT p.id, y.id, x.a FROM p CROSS JOIN LATERAL (SELECT id FROM l WHERE
	l.id >= p.k ORDER BY id LIMIT %s) y LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) x
	ON true ORDER BY p.id, y.id$$, n)) FROM (VALUES (0, 2), (2, 1)) q(joins, n);
-- If a condition is of it, rows are read once; it is not if the key is of it, or if it decides which rows there are.
SELECT pg_temp.test(joins, format($$SELECT p.id, y.id, x.a FROM p %s LATERAL (SELECT id FROM l WHERE l.id >=
	p.k ORDER BY id
	LIMIT 1) y %s LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = %s) x ON true %s ORDER BY
	p.id$$, VARIADIC parts)) FROM (VALUES (1, '{LEFT JOIN,ON true,p.id,WHERE y.id > 2}'::text[]),
	(0, '{LEFT JOIN,ON true,y.id,""}'), (0, '{JOIN,ON y.id > 1,p.id,""}')) q(joins, parts);
SELECT pg_temp.page(1, 1, $$SELECT p.id, x.a || 'x', x FROM p LEFT JOIN LATERAL (SELECT string_agg(s, ',' ORDER BY
	id) a FROM c
	WHERE pid = p.id) x ON true ORDER BY rank, p.id LIMIT 12$$);
-- Rows that a limit may not choose, or in another order
-- One that begins a join in the list cannot be taken out of it, but one on its right can.
SELECT pg_temp.test(1, $$SELECT p.id, x.n, y.a FROM p, LATERAL (SELECT count(*) n FROM c WHERE pid = p.id) x
	LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE pid = p.id) y ON true ORDER BY p.id$$);
SELECT pg_temp.test(0, $$SELECT z.id FROM (SELECT p.id, x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c
	WHERE pid = p.id) x ON true ORDER BY rank, p.id LIMIT 12) z WHERE z.n > 2 ORDER BY 1$$);
SELECT pg_temp.test(0, $$SELECT p.id, x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c WHERE pid = p.id) x ON
	true
	ORDER BY rank FETCH FIRST 12 ROWS WITH TIES$$);
SELECT pg_temp.test(2, $$SELECT k, (SELECT json_agg(z) FROM (SELECT p.id, (SELECT count(*) FROM c WHERE pid = p.id)
	FROM p
	WHERE p.k = q.k ORDER BY rank, id LIMIT 3) z) FROM p q ORDER BY q.id LIMIT 4$$);
SELECT pg_temp.test(joins, format($$SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c
	WHERE pid = p.id) x ON true ORDER BY rank, p.id %s$$, clause))
FROM (VALUES (1, 'LIMIT 0'), (1, 'LIMIT 5000'), (1, 'OFFSET 95'), (1, 'LIMIT (SELECT 7)'), (1, 'LIMIT -1'),
	(1, 'LIMIT 4 OFFSET -1'), (1, 'FETCH FIRST ROW ONLY'), (1, 'LIMIT 1.5')) q(joins, clause);
-- Costs: with an index, twenty walks down it are as good, and the page stays as it is.
CREATE INDEX c_of ON c (pid);
SET LOCAL jsonrow.unnest_above_cost = 1;
SET LOCAL enable_seqscan = off;
SELECT is(pg_temp.groupings($$SELECT p.id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id) FROM p
	ORDER BY rank, id LIMIT 3$$, 'on'), 0, 'a page with an index');
RESET enable_seqscan;
DROP INDEX c_of;
SELECT is(pg_temp.groupings($$SELECT p.id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id) FROM p
	ORDER BY rank, id LIMIT 20$$, 'on'), 1, 'a page without');
SET LOCAL jsonrow.unnest_above_cost = 0;
-- Limits that are parameters, in any plan
PREPARE page_of(int8, int8) AS SELECT p.id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id) FROM p
	ORDER BY rank, id LIMIT $1 OFFSET $2;
CREATE FUNCTION pg_temp.executed(call text, mode text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := '';
	one record;
BEGIN
	PERFORM set_config('plan_cache_mode', mode, true), set_config('jsonrow.unnest', unnest, true);
	FOR one IN EXECUTE 'EXECUTE page_of' || call LOOP
		result := result || one::text || E'\n';
	END LOOP;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || SQLERRM;
END $$;
SELECT is(pg_temp.executed(call, mode, 'on'), pg_temp.executed(call, mode, 'off'), mode || ' ' || call)
FROM unnest('{"(5, 3)","(0, 0)","(NULL, 90)","(7, NULL)","(-1, 0)"}'::text[]) call,
	unnest('{force_custom_plan,force_generic_plan}'::text[]) mode;
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT is(pg_temp.groupings('EXECUTE page_of(5, 3)', 'on'), 1, 'a generic plan');
RESET plan_cache_mode;

/*
 * The first rows of each parent
 */

SELECT pg_temp.test(1, format($$SELECT id, (SELECT json_agg(x) FROM (SELECT s, v FROM c WHERE pid = p.id ORDER BY
	%s %s) x)
	FROM p ORDER BY id$$, keys, clause))
FROM unnest('{"v, id","id DESC","s COLLATE \"C\" DESC, id","v NULLS FIRST, s, id"}'::text[]) keys,
	unnest('{LIMIT 1,LIMIT 2,LIMIT 30,LIMIT 1000 OFFSET 0,LIMIT 2 OFFSET 1,OFFSET 2,LIMIT 0,FETCH FIRST ROW ONLY,
		LIMIT 9223372036854775807 OFFSET 1}'::text[]) clause;
SELECT pg_temp.test(1, format($$SELECT p.id, x.a FROM p %s LATERAL (SELECT
	coalesce(jsonb_agg(jsonb_build_object('s', y.s)
	ORDER BY y.id), '[]') a FROM (SELECT * FROM c WHERE c.pid = p.id AND v > 0 ORDER BY id LIMIT 2) y) x %s ORDER
	BY p.id$$,
	j[1], j[2])) FROM unnest(ARRAY['{LEFT JOIN,ON true}', '{CROSS JOIN,""}', '{JOIN,ON true}', '{",",""}']) i,
	LATERAL (
	SELECT i::text[]) k(j);
-- No order, where all are taken; aggregates that see none; the aggregate's own order
SELECT pg_temp.test(1, format($$SELECT id, (SELECT %s FROM (SELECT * FROM c WHERE pid = p.id LIMIT 1000 OFFSET 0)
	x) FROM p
	ORDER BY id$$, made)) FROM unnest(ARRAY['json_agg(s ORDER BY id)', 'count(*)', 'max(v)', 'array_agg(id ORDER BY
	s)',
	'jsonb_agg(x ORDER BY id)', 'json_agg(row_to_json(x) ORDER BY v, id)', 'jsonrow_agg(x ORDER BY id)']) made;
SELECT pg_temp.test(1, $$SELECT id, (SELECT count(v) FROM (SELECT v FROM c WHERE pid = p.id LIMIT 2) x) FROM p
	ORDER BY id$$);
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(x.s ORDER BY x.id DESC) FROM (SELECT * FROM c WHERE pid = p.id
	ORDER BY v, id LIMIT 2) x) FROM p ORDER BY id$$);
-- Whole rows of what got columns; sort keys that are not returned
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(json_build_array(x, row_to_json(x)))
	FROM (SELECT s
	FROM c WHERE pid = p.id ORDER BY v, id DESC LIMIT 2) x) FROM p ORDER BY id$$);
-- A limit below, between and above other subqueries, joins and conditions
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(y) FROM (SELECT x.s FROM (SELECT * FROM c WHERE pid = p.id
	ORDER BY v, id
	LIMIT 3) x WHERE x.v <> 1) y) FROM p ORDER BY id$$);
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(y ORDER BY id) FROM (SELECT x.id, x.s FROM (SELECT * FROM c
	WHERE pid = p.id
	ORDER BY v, id LIMIT 3) x ORDER BY s DESC, id LIMIT 2) y) FROM p ORDER BY id$$);
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(x ORDER BY x.id) FROM (SELECT c.id, s, w FROM c JOIN g ON
	g.cid = c.id
	WHERE pid = p.id ORDER BY g.id DESC LIMIT 2) x) FROM p ORDER BY id$$);
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(x ORDER BY x.id, g.id) FROM (SELECT * FROM c WHERE pid = p.id
	ORDER BY id DESC LIMIT 2) x LEFT JOIN g ON g.cid = x.id) FROM p ORDER BY id$$);
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(x ORDER BY x.id) FROM (SELECT * FROM c WHERE pid = p.id AND v
	= p.k
	ORDER BY id DESC LIMIT 2) x) FROM p ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x ORDER BY x.id) FROM (SELECT * FROM c WHERE pid = p.id
	ORDER BY id DESC LIMIT 2) x WHERE x.v = p.k) FROM p ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x.id ORDER BY x.id, y.id) FROM (SELECT * FROM c WHERE pid = p.id
	ORDER BY id DESC LIMIT 2) x, (SELECT * FROM g WHERE cid = p.k ORDER BY id DESC LIMIT 1) y) FROM p ORDER BY id$$);
-- A limit that does not depend on the parent
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(x ORDER BY x.id) FROM (SELECT * FROM c ORDER BY v, id LIMIT 40) x
	JOIN c d ON d.id = x.id WHERE d.pid = p.id) FROM p ORDER BY id$$);
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_agg(x ORDER BY x.id) FROM (SELECT * FROM c ORDER BY v, id LIMIT 40) x
	WHERE x.pid = p.id) FROM p ORDER BY id$$);
-- Collections of collections, with limits, as PostgREST with db-max-rows and others send them
SELECT pg_temp.test(2, format($$SELECT coalesce(json_agg(z), '[]') FROM (SELECT p.id, coalesce(x.x, '[]') AS cs
	FROM p LEFT JOIN
	LATERAL (SELECT json_agg(x)::jsonb AS x FROM (SELECT c.s, coalesce(y.y, '[]') AS gs FROM c LEFT JOIN LATERAL
	(SELECT
	json_agg(y)::jsonb AS y FROM (SELECT w FROM g WHERE g.cid = c.id ORDER BY g.id %s) AS y) AS y ON true
	WHERE c.pid = p.id ORDER BY c.id %1$s) AS x) AS x ON true ORDER BY p.id %1$s) z$$, clause))
FROM unnest('{LIMIT 1000 OFFSET 0,LIMIT 2,LIMIT 1 OFFSET 1,""}'::text[]) clause;
SELECT pg_temp.test(2, $$SELECT id, (SELECT json_agg(x) FROM (SELECT s, (SELECT json_agg(y) FROM (SELECT w FROM g
	WHERE cid = c.id
	ORDER BY id LIMIT 1) y) AS gs FROM c WHERE pid = p.id ORDER BY id LIMIT 2) x) FROM p ORDER BY rank, id LIMIT 20$$);
-- ... with what is looked up beside
SELECT pg_temp.test(1, $$SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(y) a FROM (SELECT c.s, m.name
	FROM c LEFT JOIN
	LATERAL (SELECT name FROM l WHERE l.id = c.v LIMIT 1) m ON true WHERE c.pid = p.id ORDER BY c.id LIMIT 3) y) x
	ON true
	ORDER BY p.id$$);
-- What stays: counts that are not known or are an error, ties, an order from further within, windows of its own
SELECT pg_temp.test(0, format($$SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id
	%s) x) FROM p
	ORDER BY id$$, clause))
FROM unnest('{LIMIT NULL,LIMIT -1,OFFSET -1,LIMIT (SELECT 2),LIMIT 4 / 2,LIMIT 2 OFFSET NULL,FETCH FIRST 2 ROWS
	WITH TIES,
	LIMIT p.k,LIMIT 1 FOR UPDATE}'::text[]) clause
WHERE clause <> 'LIMIT p.k';
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM (SELECT * FROM c WHERE pid = p.id ORDER
	BY id) y
	LIMIT 2) x) FROM p ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x) FROM (SELECT row_number() OVER (ORDER BY id) FROM c WHERE
	pid = p.id
	LIMIT 2) x) FROM p ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x) FROM (SELECT DISTINCT v FROM c WHERE pid = p.id ORDER BY v
	LIMIT 2) x) FROM p
	ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x) FROM (SELECT 1 / (v - 3) FROM c WHERE pid = p.id ORDER BY v
	DESC LIMIT 2) x)
	FROM p WHERE id < 3 ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x) FROM (SELECT v FROM c WHERE pid = p.id AND 1 / (v - 4) < 9
	ORDER BY v DESC LIMIT 2) x) FROM p ORDER BY id$$);
-- Limits that are parameters: a generic plan does not know them.
DEALLOCATE page_of;
PREPARE page_of(int8, int8) AS SELECT p.id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id
	LIMIT $1 OFFSET $2) x) FROM p ORDER BY id;
SELECT is(pg_temp.executed(call, mode, 'on'), pg_temp.executed(call, mode, 'off'), mode || ' of each ' || call)
FROM unnest('{"(2, 1)","(0, 0)","(NULL, 1)","(7, NULL)","(-1, 0)","(1, -1)"}'::text[]) call,
	unnest('{force_custom_plan,force_generic_plan}'::text[]) mode;
SET LOCAL plan_cache_mode = force_custom_plan;
SELECT is(pg_temp.groupings(format('EXECUTE page_of(%s)', call), 'on'), joins, 'a custom plan of ' || call)
FROM (VALUES (1, '2, 1'), (1, '0, 0'), (0, 'NULL, 0'), (0, '-1, 0')) q(joins, call);
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT is(pg_temp.groupings('EXECUTE page_of(5, 3)', 'on'), 0, 'a generic plan of limits within');
RESET plan_cache_mode;
-- ... or texts, of digits, that are cast to a number; others may be none, or a number of their own
DEALLOCATE page_of;
CREATE FUNCTION pg_temp.limited(type text, value text, mode text DEFAULT 'force_custom_plan') RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	call CONSTANT text := format('(%L)', value);
BEGIN
	EXECUTE format('PREPARE page_of(text) AS SELECT p.id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id
		ORDER BY id LIMIT $1::%s) x) FROM p ORDER BY id', type);
	RETURN NEXT is(pg_temp.executed(call, mode, 'on'), pg_temp.executed(call, mode, 'off'),
		format('the same: %s::%s', value, type));
	PERFORM set_config('plan_cache_mode', mode, true);
	RETURN NEXT is(pg_temp.groupings('EXECUTE page_of' || call, 'on'),
		coalesce(value ~ '^[0-9]{1,9}$' AND mode = 'force_custom_plan', false)::int, format('joins: %s::%s', value, type));
	DEALLOCATE page_of;
END $$;
SELECT pg_temp.limited(type, value) FROM unnest('{float8,int8,int4,numeric}'::text[]) type,
	unnest(ARRAY['2', '0', '007', '123456789', '1234567890']) value;
SELECT pg_temp.limited('float8', value) FROM unnest('{2.5,1e1," 2",NULL}'::text[]) value;
SELECT pg_temp.limited('float8', '2', 'force_generic_plan');
RESET plan_cache_mode;
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'the same error: ' || value) FROM unnest('{x,"",-1,NaN,1e30}'::text[]) value, format('SELECT id, (SELECT json_agg(x)
	FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id LIMIT %L::text::float8) x) FROM p', value) query;
-- No function takes the place of LIMIT that not everybody may call.
REVOKE EXECUTE ON FUNCTION pg_catalog.row_number() FROM PUBLIC;
SELECT pg_temp.test(0, $$SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id LIMIT 1)
	x) FROM p
	ORDER BY id$$);
GRANT EXECUTE ON FUNCTION pg_catalog.row_number() TO PUBLIC;
-- Sorting does not look up the equality of what it sorts by, numbering does.
REVOKE EXECUTE ON FUNCTION pg_catalog.texteq(text, text) FROM PUBLIC;
SELECT pg_temp.test(joins, format($$SELECT id, (SELECT json_agg(x) FROM (SELECT v FROM c WHERE pid = p.id ORDER BY %s
	LIMIT 1) x) FROM p ORDER BY id$$, keys)) FROM (VALUES (0, 'v, s'), (1, 'v, id')) q(joins, keys);
GRANT EXECUTE ON FUNCTION pg_catalog.texteq(text, text) TO PUBLIC;
-- Costs: few parents with an index on key and order stay, many without one do not.
CREATE INDEX c_first ON c (pid, id);
SET LOCAL jsonrow.unnest_above_cost = 1;
SELECT is(pg_temp.groupings($$SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id
	LIMIT 1) x)
	FROM p WHERE id < 5$$, 'on'), 0, 'first rows by an index');
DROP INDEX c_first;
CREATE TABLE many AS SELECT id FROM generate_series(1, 2000) id;
ANALYZE many;
SELECT is(pg_temp.groupings($$SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = many.id ORDER BY id
	LIMIT 1) x)
	FROM many$$, 'on'), 1, 'first rows without');
-- ... even if these are only some times cheaper, for nothing but the whole table has the rows of each
CREATE TABLE lent AS SELECT i AS id, i % 60 + 1 AS pid, now() + i * interval '17 min' AS at, repeat('x', 20) AS note
FROM generate_series(1, 1600) i;
CREATE TABLE sixty (id int PRIMARY KEY);
INSERT INTO sixty SELECT generate_series(1, 60);
ANALYZE lent, sixty;
RESET jsonrow.unnest_above_cost;
SELECT is(pg_temp.groupings($$SELECT id, (SELECT json_agg(x) FROM (SELECT id, at FROM lent WHERE pid = p.id ORDER BY at
	DESC LIMIT 3) x) FROM sixty p$$, 'on'), 1, 'first rows of a table');
-- ... or with one on the order alone, which is read from its end until there are enough
CREATE TABLE posts AS SELECT i AS id, i * 7919 % 600 AS pid, repeat('x', 600) AS s FROM generate_series(1, 6000) i;
CREATE UNIQUE INDEX ON posts (id);
ANALYZE posts;
SELECT is(pg_temp.groupings($$SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM posts WHERE pid = many.id
	ORDER BY id DESC LIMIT 1) x) FROM many WHERE id < 600$$, 'on'), 1, 'first rows by an index on their order');
SET LOCAL jsonrow.unnest_above_cost = 0;

-- Long lists of values
SELECT pg_temp.test(1, format('SELECT p.id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND s %s (%s))
	FROM p WHERE id IN (%s) ORDER BY id', operator, string_agg(quote_literal(i), ', '),
	string_agg(coalesce(i::text, 'NULL'), ', '))) FROM unnest('{IN, NOT IN}'::text[]) operator,
	(SELECT generate_series(1, 60) UNION ALL SELECT NULL) l(i) GROUP BY operator;
SELECT pg_temp.test(0, format('SELECT p.id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND (false AND
	v = ANY (ARRAY[''{1,2}''::int[], ''{1}''%s]))) FROM p ORDER BY id', repeat(', ''{1}''', 30)));

/*
 * Other ways to write collections
 */

-- Arrays, of types that have one; their elements in order, NULL, too; empty ones
SELECT pg_temp.test(1, format($$SELECT id, ARRAY(SELECT %s FROM c WHERE pid = p.id ORDER BY v, id) FROM p ORDER BY
	id$$, made))
FROM unnest(ARRAY['s', 'nullif(v, 1)', 'json_build_object(''s'', s)', 's::varchar(3)', 's COLLATE "C"', 'c',
	'json_build_array(v, NULL)', 'v = 1', 'jsonb_build_object(''v'', v)']) made WHERE made <> 's::varchar(3)';
SELECT pg_temp.test(1, format($$SELECT id, %s FROM p ORDER BY id$$, made)) FROM unnest(ARRAY[
	'array_to_json(ARRAY(SELECT s FROM c WHERE pid = p.id ORDER BY id))',
	'cardinality(ARRAY(SELECT s FROM c WHERE pid = p.id))', 'ARRAY(SELECT s FROM c WHERE pid = p.id ORDER BY id
	LIMIT 2)::text',
	'ARRAY(SELECT s FROM c WHERE pid = p.id ORDER BY id DESC OFFSET 1)', 'to_jsonb(ARRAY(SELECT c FROM c WHERE pid
	= p.id
	ORDER BY id))', 'ARRAY(SELECT x.s FROM (SELECT * FROM c WHERE pid = p.id ORDER BY v, id LIMIT 2) x)']) made;
SELECT pg_temp.test(2, $$SELECT id, ARRAY(SELECT json_build_object('s', s, 'g', ARRAY(SELECT w FROM g WHERE cid =
	c.id ORDER BY id))
	FROM c WHERE pid = p.id ORDER BY id) FROM p ORDER BY rank, id LIMIT 20$$);
SELECT pg_temp.test(0, format($$SELECT id, ARRAY(SELECT %s) FROM p ORDER BY id$$, made)) FROM unnest(ARRAY[
	'ARRAY[[v]] FROM c WHERE pid = p.id ORDER BY id', 'DISTINCT v FROM c WHERE pid = p.id ORDER BY v LIMIT 2', 'p.id',
	'count(*) FROM c WHERE pid = p.id GROUP BY ROLLUP (v) ORDER BY v', 's FROM c WHERE v = 9 ORDER BY id',
	's FROM c WHERE pid = p.id UNION SELECT ''x'' ORDER BY 1']) made;
-- Arrays of arrays, of as many values as are written; PostGraphile's
SELECT pg_temp.test(1, format('SELECT id, %s FROM p ORDER BY id', made)) FROM unnest(ARRAY[
	'ARRAY(SELECT ARRAY[s, v::text] FROM c WHERE pid = p.id ORDER BY id)',
	'ARRAY(SELECT ARRAY[s, v::text, NULL]::text[] FROM c WHERE pid = p.id ORDER BY v DESC, id LIMIT 3)::text',
	'ARRAY(SELECT ARRAY[id] FROM c WHERE pid = p.id ORDER BY s, id)',
	'ARRAY(SELECT ARRAY[s::varchar, v::text] FROM c WHERE pid = p.id ORDER BY id)',
	'ARRAY(SELECT ARRAY[v, id]::bigint[] FROM c WHERE pid = p.id ORDER BY v, id OFFSET 1)',
	'cardinality(ARRAY(SELECT ARRAY[v, id] FROM c WHERE pid = p.id))',
	'(SELECT array_agg(ARRAY[v] ORDER BY id) FILTER (WHERE v > 1) FROM c WHERE pid = p.id)']) made;
SELECT pg_temp.test(2, $$SELECT p.id::text, ARRAY(SELECT ARRAY[(c.v)::text, (ARRAY(SELECT ARRAY[(g.id)::text,
	(g.w)::text]::text[] FROM g WHERE g.cid = c.id ORDER BY g.id LIMIT 2))::text]::text[] FROM c WHERE c.pid = p.id
	ORDER BY c.id DESC)::text FROM p ORDER BY p.id LIMIT 30$$);
-- Of what aggregates give, which is one row
SELECT pg_temp.test(1, format('SELECT id, ARRAY(SELECT %s FROM c WHERE pid = p.id) FROM p ORDER BY id', made))
FROM unnest(ARRAY['count(*)', 'max(s)', 'ARRAY[count(*)::text, (coalesce(sum(v), ''0''))::text, max(s)]::text[]',
	'json_build_object(''n'', count(*))']) made;
SELECT pg_temp.test(0, format('SELECT id, ARRAY(SELECT %s FROM c WHERE pid = p.id) FROM p ORDER BY id', made))
FROM unnest(ARRAY['array_agg(s ORDER BY id)', 'CASE WHEN count(*) > 2 THEN ARRAY[max(s)] END']) made;
-- Others may not fit together, or not be made of any row; or are sorted by.
SELECT pg_temp.test(0, format('SELECT id, ARRAY(SELECT %s) FROM p ORDER BY id', made)) FROM unnest(ARRAY[
	'ARRAY[]::text[] FROM c WHERE pid = p.id', 'string_to_array(s, ''1'') FROM c WHERE pid = p.id AND v > 5',
	'ARRAY[[s], [s]] FROM c WHERE pid = p.id ORDER BY id', 'ARRAY[s] a FROM c WHERE pid = p.id ORDER BY a, id',
	'CASE WHEN v < 99 THEN ARRAY[s] END FROM c WHERE pid = p.id ORDER BY id',
	'ARRAY[10 / (id - 1000)] FROM c WHERE pid = p.id ORDER BY id',
	format('ARRAY[%s s] FROM c WHERE pid = p.id ORDER BY id', repeat('s, ', 1640))]) made;
REVOKE EXECUTE ON FUNCTION pg_catalog.array_agg(anyarray) FROM PUBLIC;
SELECT pg_temp.test(0, 'SELECT id, ARRAY(SELECT ARRAY[s] FROM c WHERE pid = p.id ORDER BY id) FROM p ORDER BY id');
GRANT EXECUTE ON FUNCTION pg_catalog.array_agg(anyarray) TO PUBLIC;
SELECT pg_temp.test(0, $$SELECT id FROM p WHERE cardinality(ARRAY(SELECT s FROM c WHERE pid = p.id)) > 2 ORDER BY
	id$$);
SELECT pg_temp.test(0, $$SELECT ARRAY(SELECT s FROM c WHERE pid = p.id ORDER BY id) a, count(*) FROM p GROUP BY a
	ORDER BY a$$);
-- No aggregate takes their place that not everybody may call.
REVOKE EXECUTE ON FUNCTION pg_catalog.array_agg(anynonarray) FROM PUBLIC;
SELECT pg_temp.test(0, $$SELECT id, ARRAY(SELECT s FROM c WHERE pid = p.id ORDER BY id) FROM p ORDER BY id$$);
GRANT EXECUTE ON FUNCTION pg_catalog.array_agg(anynonarray) TO PUBLIC;
-- Types that clients are told, also of those that have a length
CREATE TABLE measured (id int, pid int, short varchar(5), price numeric(5,2));
INSERT INTO measured SELECT i, i % 40, 'x' || i, i / 4.0 FROM generate_series(1, 90) i;
SELECT pg_temp.test(2, $$SELECT id, ARRAY(SELECT short FROM measured WHERE pid = p.id ORDER BY id), ARRAY(SELECT
	price FROM measured
	WHERE pid = p.id ORDER BY id) FROM p ORDER BY id$$);
CREATE FUNCTION pg_temp.types_of(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	EXECUTE 'CREATE TABLE made AS ' || query;
	PERFORM set_config('jsonrow.unnest', 'off', true);
	RETURN (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attcollation, ', ' ORDER
	BY attnum)
		FROM pg_attribute WHERE attrelid = 'made'::regclass AND attnum > 0);
END $$;
SELECT pg_temp.types_of($$SELECT ARRAY(SELECT short FROM measured WHERE pid = p.id) a, ARRAY(SELECT price
	FROM measured
	WHERE pid = p.id) b FROM p$$, 'off') AS types \gset
DROP TABLE made;
SELECT is(pg_temp.types_of($$SELECT ARRAY(SELECT short FROM measured WHERE pid = p.id) a, ARRAY(SELECT price FROM
	measured
	WHERE pid = p.id) b FROM p$$, 'on'), :'types'::text, 'types of arrays');
SELECT matches(:'types'::text, 'varying.5.\[\] .*numeric.5,2.\[\]', 'lengths of their elements');
-- HAVING without GROUP BY: NULL where it is not true, which is not what is made of no rows
SELECT pg_temp.test(1, format($$SELECT id, (SELECT %s FROM c WHERE pid = p.id HAVING %s) FROM p ORDER BY id$$, made,
	condition)) FROM unnest(ARRAY['json_agg(s ORDER BY id)', 'count(*)', '1', 'coalesce(sum(v), 7)',
	'jsonrow_agg(''{s}'', s ORDER BY id)', 'max(s) COLLATE "C"']) made,
	unnest(ARRAY['count(*) > 2', 'json_agg(s ORDER BY id) IS NOT NULL', 'count(*) = 0', 'min(v) = 1', 'max(v) > 9',
	'count(*) > 2 AND 6 / (count(*) - 2) > 1', 'count(*) > 0 OR NULL']) condition;
SELECT pg_temp.test(1, $$SELECT id, (SELECT 6 / (count(*) - 2) FROM c WHERE pid = p.id HAVING count(*) > 2) FROM p
	ORDER BY id$$);
SELECT pg_temp.test(joins, format($$SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id %s) FROM p ORDER
	BY id$$, clause)) FROM (VALUES (1, 'HAVING count(*) > p.k'), (0, 'HAVING p.k > 2'),
	(0, 'HAVING count(*) > 2 AND (p.k = 1 AND count(*) < 1000)'),
	(0, 'HAVING (SELECT count(*) FROM g WHERE cid = p.id) > 1 AND count(*) > 1'), (0, 'GROUP BY pid HAVING count(*) > 1'),
	(0, 'HAVING count(*) > 2 LIMIT 0')) q(joins, clause);
SELECT pg_temp.test(0, $$SELECT p.id, x.a FROM p CROSS JOIN LATERAL (SELECT json_agg(s ORDER BY id) a FROM c WHERE
	pid = p.id HAVING count(*) > 2) x ORDER BY p.id$$);
-- ... of one that stays beside one that does not: where its condition is on no aggregate, that is asked before them
SELECT pg_temp.test(1, format($$SELECT id, (SELECT count(*) FROM g WHERE cid = p.id), (SELECT sum(10 / v) FROM c WHERE
	pid = p.id HAVING %s) FROM p ORDER BY id$$, condition)) FROM unnest(ARRAY['p.k > 99', 'now() < ''2000-01-01''',
	'count(*) > 0 AND p.id < 0']) condition;
-- ... with the length that clients are told
DROP TABLE made;
SELECT is(pg_temp.types_of($$SELECT (SELECT max(short)::varchar(5) FROM measured WHERE pid = p.id HAVING count(*) > 1)
	a FROM p$$, 'on'), 'a character varying(5) ' || (SELECT oid FROM pg_collation WHERE collname = 'default'),
	'types of what has HAVING');
-- The one row of another query, made into something
SELECT pg_temp.test(1, format($$SELECT id, (SELECT %s FROM (SELECT json_agg(s ORDER BY id) a, count(*) n FROM c
	WHERE pid = p.id) r)
	FROM p ORDER BY id$$, made)) FROM unnest(ARRAY['a', 'row_to_json(r)', 'json_build_object(''a'', a, ''m'', n +
	1)', 'r::text',
	'json_build_array(n, n, p.k, p.name)', '100 / (n - 3)', 'coalesce(a, ''[]'')', 'CASE WHEN n > 3 THEN a END'])
	made WHERE made !~ 'p\.';
-- ... whose columns are computed in any case, though one is used only under a condition
SELECT pg_temp.test(0, format($$SELECT id, (SELECT %s FROM (SELECT count(*) n, 10 / count(*) a FROM c WHERE
	pid = p.id) r) FROM p ORDER BY id$$, made)) FROM unnest(ARRAY['CASE WHEN n > 0 THEN a END', 'coalesce(n, a)',
	'n > 0 AND a > 1', 'CASE WHEN n > 0 THEN row_to_json(r) END']) made;
SELECT pg_temp.test(2, $$SELECT p.id, x.j FROM p LEFT JOIN LATERAL (SELECT row_to_json(q) j FROM (SELECT *
	FROM (SELECT
	coalesce(json_agg(row_to_json(r) ORDER BY r.id), '[]') AS rows FROM (SELECT c.id, s, y.j FROM c LEFT JOIN
	LATERAL (SELECT
	row_to_json(q) j FROM (SELECT * FROM (SELECT coalesce(json_agg(row_to_json(r) ORDER BY r.id), '[]') AS rows
	FROM (SELECT id, w
	FROM g WHERE cid = c.id) r) a) q) y ON true WHERE pid = p.id) r) a) q) x ON true ORDER BY p.id$$);
SELECT pg_temp.test(0, format($$SELECT id, (SELECT a FROM (SELECT count(*) a FROM c WHERE pid = p.id) r %s) FROM p
	ORDER BY id$$,
	clause)) FROM unnest('{WHERE a > 1,LIMIT 0,OFFSET 1,GROUP BY a}'::text[]) clause;
-- ... of a view, which others may not read, even by a plan that somebody made who may
CREATE ROLE jsonrow_batches_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_batches_reader;
GRANT SELECT ON p, c TO jsonrow_batches_reader;
CREATE VIEW one_row AS SELECT r.n FROM (SELECT sum(v) n FROM c) r;
CREATE FUNCTION pg_temp.as_reader(call text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	EXECUTE call;
	SET LOCAL ROLE jsonrow_batches_reader;
	EXECUTE call;
	RESET ROLE;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE of_view AS SELECT id, (SELECT n FROM one_row), (SELECT count(*) FROM c WHERE pid = p.id) FROM p;
PREPARE of_no_view AS SELECT id, (SELECT n FROM (SELECT r.n FROM (SELECT sum(v) n FROM c) r) q),
	(SELECT count(*) FROM c WHERE pid = p.id) FROM p;
SELECT is(pg_temp.as_reader('EXECUTE ' || call, unnest), result, call || ' by somebody else, ' || unnest)
FROM (VALUES ('of_view', 'permission denied for view one_row'), ('of_no_view', 'done')) q(call, result),
	unnest('{off,on}'::text[]) unnest;
RESET plan_cache_mode;
SELECT pg_temp.test(1, $$SELECT id, (SELECT n FROM one_row), (SELECT count(*) FROM c WHERE pid = p.id) FROM p
	ORDER BY id$$);
-- Collections over WITH queries
SELECT pg_temp.test(1, format($$WITH w AS %s (SELECT * FROM c WHERE v > 0) SELECT id, (SELECT json_agg(s ORDER BY
	id) FROM w
	WHERE pid = p.id) FROM p ORDER BY id$$, kind)) FROM unnest('{MATERIALIZED,NOT MATERIALIZED,""}'::text[]) kind;
SELECT pg_temp.test(2, $$WITH w AS (SELECT * FROM c WHERE v > 0) SELECT id, (SELECT json_agg(json_build_object('s',
	s, 'n', (SELECT
	count(*) FROM w x WHERE x.v = w.v)) ORDER BY id) FROM w WHERE pid = p.id) FROM p ORDER BY id$$);
SELECT pg_temp.test(0, $$WITH w AS (SELECT *, 1 / (v - 1) FROM c WHERE v > 1) SELECT id, (SELECT json_agg(s ORDER
	BY id) FROM w
	WHERE pid = p.id) FROM p ORDER BY id$$);
SELECT pg_temp.test(0, $$WITH w AS (SELECT pid, json_agg(s ORDER BY id) a FROM c GROUP BY pid) SELECT id, (SELECT
	json_agg(a) FROM w
	WHERE pid = p.id) FROM p ORDER BY id$$);
SELECT pg_temp.test(joins, format($$WITH w AS %s (SELECT pid, json_agg(s ORDER BY id) a FROM c GROUP BY pid), x AS NOT
	MATERIALIZED (SELECT * FROM w) SELECT id, (SELECT json_agg(a) FROM x WHERE pid = p.id), (SELECT count(*) FROM w),
	(SELECT count(*) FROM x) FROM p ORDER BY id$$, kind))
FROM (VALUES (0, 'NOT MATERIALIZED'), (0, 'MATERIALIZED')) v(joins, kind);
-- IN may become a join, so that it gathers only what has the parents' keys.
SELECT pg_temp.test(joins, format($$SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND v %s) FROM p
	ORDER BY id$$, condition))
FROM (VALUES (0, 'IN (SELECT v FROM c GROUP BY v HAVING json_agg(s) IS NOT NULL)'),
	(1, 'IN (SELECT v FROM c GROUP BY v HAVING count(*) > 2)'),
	(1, '< (SELECT length(json_agg(s ORDER BY id)::text) FROM c)')) v(joins, condition);
-- What nobody uses of a page is not computed, as in a subquery.
CREATE TABLE unused AS SELECT format('SELECT q.id, (SELECT string_agg(s, '''' ORDER BY id) FROM c WHERE pid = q.id)
	FROM (SELECT %s ORDER BY id LIMIT 9) q ORDER BY id', page) AS query
FROM (VALUES ('id, (SELECT json_agg(v) FROM c WHERE pid = p.id) AS unused FROM p'),
	('id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(v) a FROM c WHERE pid = p.id) x ON true')) v(page);
SELECT pg_temp.test(1, query) FROM unused;
PREPARE of_join AS SELECT z.id, j, (SELECT string_agg(s, '' ORDER BY id) FROM c WHERE pid = z.id) FROM g z,
	((SELECT id, name FROM p WHERE id < 6 OFFSET 0) q JOIN (SELECT id AS gid, w FROM g) h ON gid = q.id) AS j
	ORDER BY 1, 2;
SELECT pg_temp.test(1, 'EXECUTE of_join');
SET LOCAL jsonrow.unnest = on;
SELECT unalike(pg_temp.plan_of(query), '%json_agg%', 'unused: ' || query) FROM unused;
SET LOCAL jsonrow.unnest = off;

SELECT * FROM finish();
ROLLBACK;
