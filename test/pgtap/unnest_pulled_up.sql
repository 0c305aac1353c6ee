-- PostgreSQL pulls up subqueries before it plans.  So it knows their constants, and computes what they compute only
-- where that is used, or for each use.  jsonrow.unnest takes away what keeps it from that (ORDER BY, LIMIT, an outer
-- join, aggregates), or brings it.  No error is new, none is missing.
\ir oracle.psql
\ir unnest.psql

SELECT no_plan();

CREATE TABLE p (id int PRIMARY KEY, rid int);
INSERT INTO p SELECT i, i FROM generate_series(1, 40) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int);
INSERT INTO c SELECT i, 1 + i % 40, i % 5 FROM generate_series(1, 200) i;
CREATE TABLE g (id int PRIMARY KEY, n text);
INSERT INTO g SELECT i, 'g' || i FROM generate_series(1, 50) i;
CREATE TABLE fp (id float8 PRIMARY KEY);
INSERT INTO fp VALUES (0), (1), (2);
CREATE TABLE fc (id int, pid float8, v int);
INSERT INTO fc VALUES (1, '-0', 1), (2, '-0', 2), (3, 0, 3), (4, 0, 4), (5, 1, 5);
ANALYZE;

-- What is used is constant, or computed, in a query of one row that is made one with the query around it
-- (chains.c), ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT o.id, (SELECT 10/q.z + q.n FROM (SELECT count(*) n, o.z AS z FROM c WHERE pid = o.id) q),
		(SELECT json_agg(v ORDER BY id) FROM c WHERE pid = o.id) FROM (SELECT id, 0 AS z FROM p WHERE id <
		0) o'),
	(0, 'SELECT o.id, (SELECT q.s + q.z FROM (SELECT 10/(count(*)-5) AS s, o.z AS z FROM c WHERE pid = o.id)
		q), (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = o.id) FROM (SELECT id, NULL::int AS z FROM p)
		o'),
	(0, 'SELECT 1 k, o.id, (SELECT CASE WHEN q.n > 100 THEN q.z END FROM (SELECT count(*) n, o.z FROM c
		WHERE pid = o.id) q), NULL::json FROM (SELECT id, 10/(id-5) AS z FROM p) o UNION ALL SELECT 2, p.id,
		NULL, (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM p'),
	(0, 'SELECT o.id, 10/q.z, q.n FROM (SELECT id, 0 AS z FROM p WHERE id < 0) o LEFT JOIN LATERAL (SELECT
		count(*) n, o.z AS z FROM c WHERE pid = o.id) q ON true')) q(joins, query);
-- ... in what is joined to one row, ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT p.id, (SELECT jsonb_agg(10/r.z) FILTER (WHERE r.id IS NOT NULL) FROM (SELECT 1) one LEFT
		JOIN (SELECT c.id, 0 AS z FROM c WHERE pid = p.id) r ON true), (SELECT json_agg(v ORDER BY id) FROM
		c WHERE pid = p.id) FROM p WHERE p.id<0'),
	(0, 'SELECT p.id, (SELECT jsonb_agg(r.id/0 + r.z) FILTER (WHERE r.id IS NOT NULL) FROM (SELECT 1) one
		LEFT JOIN (SELECT c.id, NULL::int AS z FROM c WHERE pid = p.id) r ON true), (SELECT json_agg(v ORDER
		BY id) FROM c WHERE pid = p.id) FROM p'),
	(0, 'SELECT p.id, (SELECT jsonb_agg(CASE WHEN r.v > 100 THEN r.z END) FILTER (WHERE r.id IS NOT NULL)
		FROM (SELECT 1) one LEFT JOIN (SELECT c.id, v, coalesce(10/v,1) AS z FROM c WHERE pid = p.id) r ON
		true), (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM p')) q(joins, query);
-- ... in a look-up beside what is looked up, ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT p.id, (SELECT json_build_object(''a'', 10/d.z, ''c'', (SELECT json_agg(v ORDER BY id) FROM c
		WHERE pid = g.id)) FROM g CROSS JOIN (SELECT 0 AS z, id FROM g WHERE id = 3 LIMIT 1) d WHERE g.id =
		p.rid LIMIT 1), (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM p WHERE p.id<0'),
	(0, 'SELECT p.id, (SELECT json_build_object(''a'', g.id/0 + d.z, ''c'', (SELECT json_agg(v ORDER BY id)
		FROM c WHERE pid = g.id)) FROM g CROSS JOIN (SELECT NULL::int AS z, id FROM g WHERE id = 3 LIMIT 1)
		d WHERE g.id = p.rid LIMIT 1), (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM p'),
	(0, 'SELECT p.id, 10/d.z FROM p CROSS JOIN LATERAL (SELECT 0 AS z, n FROM g WHERE id = p.rid LIMIT 1) d
		WHERE p.id<0'),
	(0, 'SELECT p.id, 10/d.z FROM p LEFT JOIN LATERAL (SELECT 0 AS z, n FROM g WHERE id = p.rid LIMIT 1) d
		ON true WHERE p.id<0')) q(joins, query);
-- ... where rows are sorted above what was sorted, ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT json_agg(j) FROM (SELECT (SELECT json_agg(10/x.z) FROM (SELECT 0 AS z, v, id FROM c WHERE
		pid = p.id ORDER BY v) x) j FROM p WHERE id<0) q'),
	(0, 'SELECT json_agg(j) FROM (SELECT (SELECT json_agg(x.id/0 + x.z) FROM (SELECT NULL::int AS z, v, id
		FROM c WHERE pid = p.id ORDER BY v) x) j FROM p) q'),
	(0, 'SELECT x.id, q.j FROM (SELECT id, 0 AS z FROM p WHERE id < 0 ORDER BY rid) x LEFT JOIN LATERAL
		(SELECT json_agg(c.v + 10/x.z) j FROM c WHERE pid = x.id) q ON true'),
	(0, 'SELECT json_agg(json_build_object(''i'', x.id, ''j'', q.j, ''k'', 10/x.z)) FROM (SELECT id, 0 AS z
		FROM p WHERE id < 0 ORDER BY rid) x LEFT JOIN LATERAL (SELECT json_agg(c.v) j FROM c WHERE pid =
		x.id) q ON true'),
	(0, 'SELECT json_agg(json_build_object(''i'', x.id, ''j'', q.j)) FROM (SELECT id, 0 AS z FROM p WHERE id
		< 0 ORDER BY rid) x LEFT JOIN LATERAL (SELECT json_agg(c.v/x.z) j FROM c WHERE pid = x.id) q ON
		true'),
	(0, 'SELECT json_agg(json_build_array(10/q.z, (SELECT count(*) FROM c WHERE pid = q.id))) FROM (SELECT
		id, 0 AS z FROM p WHERE id<0 ORDER BY rid) q'),
	(0, 'SELECT json_agg(j) FROM (SELECT (SELECT json_agg(CASE WHEN x.v > 100 THEN x.z END) FROM (SELECT
		10/v AS z, v, id FROM c WHERE pid = p.id ORDER BY v) x) j FROM p) q'),
	(0, 'SELECT json_agg(q.j) FROM (SELECT (SELECT jsonb_agg(x.z) FILTER (WHERE x.n IS NOT NULL) FROM
		(SELECT 10/v AS z, nullif(v,0) n FROM c WHERE pid = p.id ORDER BY v) x) j FROM p) q')) q(joins, query);
-- ... where the query with the joins is no longer pulled up, because it is sorted or reads what is
-- materialized, ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT q.id/0 + q.z, q.j FROM (SELECT x.id, NULL::int AS z, (SELECT json_agg(v ORDER BY c.id) FROM
		c WHERE pid = x.id) j FROM (SELECT id FROM p ORDER BY rid LIMIT 20) x) q ORDER BY q.id'),
	(0, 'SELECT json_agg(json_build_array(q.id, CASE WHEN q.id>100 THEN q.y END, q.j) ORDER BY q.id) FROM
		(SELECT x.id, 10/(x.id-13) AS y, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM
		(SELECT id FROM p ORDER BY rid LIMIT 20) x) q'),
	(0, 'SELECT json_agg(json_build_array(CASE WHEN q.id>100 THEN q.y END, q.j)) FROM (SELECT x.id,
		10/(x.id-13) AS y, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM
		p ORDER BY rid) x) q'),
	(0, 'SELECT CASE WHEN q.z THEN 1/0 END, q.j FROM (SELECT x.id, false AS z, (SELECT json_agg(v ORDER BY
		c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM p ORDER BY rid LIMIT 20) x) q ORDER BY q.id'),
	(0, 'SELECT q.id/0 + q.z, q.j FROM (SELECT x.id, (NULL::int + 1) AS z, (SELECT json_agg(v ORDER BY c.id)
		FROM c WHERE pid = x.id) j FROM (SELECT id FROM p ORDER BY rid LIMIT 20) x) q ORDER BY q.id'),
	(0, 'SELECT q.id/0 + q.z, q.j FROM (SELECT q.id, q.z, q.j FROM (SELECT x.id, NULL::int AS z, (SELECT
		json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM p ORDER BY rid LIMIT 20)
		x) q) q'),
	(0, 'SELECT json_agg(q.j), json_agg(q.y) FILTER (WHERE q.n IS NOT NULL) FROM (SELECT x.id, x.n,
		10/(x.id-13) AS y, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id,
		nullif(id,13) n FROM p ORDER BY rid LIMIT 20) x) q'),
	(0, 'SELECT q.id/0 + q.z, json_agg(q.j) FROM (SELECT x.id, NULL::int AS z, (SELECT json_agg(v ORDER BY
		c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM p OFFSET 0) x) q GROUP BY q.id, q.z'),
	(0, 'SELECT q.id/0 + q.z, json_agg(q.j) FROM (SELECT x.id, NULL::int AS z, (SELECT json_agg(v ORDER BY c.id) FROM
		c WHERE pid = x.id) j FROM (SELECT id FROM p OFFSET 0) x) q GROUP BY 1'),
	(0, 'SELECT CASE WHEN q.id > 100 THEN q.y END, json_agg(q.j) FROM (SELECT x.id, 10/(x.id-13) AS y, (SELECT
		json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM p OFFSET 0) x) q GROUP BY 1'))
	q(joins, query);
-- ... or because it aggregates what it looks up
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT p.id, CASE WHEN p.id>100 THEN q.y END, q.j, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE
		pid = p.id) FROM p LEFT JOIN LATERAL (SELECT 10/(g.id-7) AS y, (SELECT json_agg(v ORDER BY c.id)
		FROM c WHERE pid = g.id) j FROM g WHERE g.id = p.rid) q ON true ORDER BY 1'),
	(0, 'SELECT p.id, p.id/0 + q.z, q.j FROM p CROSS JOIN LATERAL (SELECT NULL::int AS z, (SELECT json_agg(v
		ORDER BY c.id) FROM c WHERE pid = g.id) j FROM g WHERE g.id = p.rid) q'),
	(0, 'SELECT p.id, coalesce(q.z, 1/0), q.j FROM p CROSS JOIN LATERAL (SELECT 1 AS z, (SELECT json_agg(v
		ORDER BY c.id) FROM c WHERE pid = g.id) j FROM g WHERE g.id = p.rid) q')) q(joins, query);
-- A strict expression over NULL is NULL, wherever it comes from, ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT p.id, (p.id/0 > 1) = q.z, q.j FROM p LEFT JOIN LATERAL (SELECT g.id > NULL::int AS z, (SELECT
		json_agg(v ORDER BY c.id) FROM c WHERE pid = g.id) j FROM g WHERE g.id = p.rid) q ON true ORDER BY p.rid
		LIMIT 5'),
	(0, 'SELECT p.id, (p.id/0 > 1) = q.z, q.n FROM p LEFT JOIN LATERAL (SELECT g.id > NULL::int AS z, n FROM g WHERE
		g.id = p.rid LIMIT 1) q ON true'),
	(0, 'SELECT p.id, (p.id/0 > 1) = q.z, r.j FROM p LEFT JOIN LATERAL (SELECT g.id > NULL::int AS z FROM g WHERE
		g.id = p.rid) q ON true LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) j FROM c WHERE pid = p.id) r ON true
		ORDER BY p.rid LIMIT 5'),
	(0, 'SELECT p.id, p.id/0 + q.z, q.j FROM p CROSS JOIN LATERAL (SELECT x.*, (SELECT json_agg(v ORDER BY c.id) FROM c
		WHERE pid = x.id) j FROM (SELECT NULL::int AS z, g.id FROM g WHERE g.id = p.rid) x) q'),
	(0, 'SELECT p.id, (SELECT jsonb_agg(r.y) FILTER (WHERE r.w IS NOT NULL) FROM (SELECT 1) one LEFT JOIN (SELECT
		10/v AS y, nullif(c.v, 0) AS w FROM c WHERE pid = p.id) r ON true), (SELECT json_agg(v ORDER BY id) FROM c
		WHERE pid = p.id) FROM p')) q(joins, query);
-- PostgreSQL may read a subquery in WHERE first, and then nothing else.
CREATE TABLE b (id int PRIMARY KEY, n text);
INSERT INTO b SELECT i, 'a' FROM generate_series(1, 5000) i;
ANALYZE b;
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT x.id, x.y, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id, 10/(id-13) AS y
		FROM p OFFSET 0) x WHERE x.id IN (SELECT b.id FROM b WHERE length(n) <> 1)'),
	(0, 'SELECT x.id, x.y, (SELECT n FROM g WHERE id = x.id) FROM (SELECT id, 10/(id-13) AS y FROM p OFFSET 0) x WHERE
		x.id IN (SELECT b.id FROM b WHERE length(n) <> 1)'),
	(0, 'SELECT x.id, x.y, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id, 10/(id-13) AS y
		FROM p OFFSET 0) x WHERE (SELECT count(*) FROM b WHERE length(n) <> 1) > 0'),
	(1, 'SELECT x.id, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM p OFFSET 0) x
		WHERE x.id IN (SELECT b.id FROM b)')) q(joins, query);
-- What a query within passes on, is computed for its rows only.
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT json_agg(json_build_array(o.id, (SELECT json_agg(json_build_array(g.n, o.y)) FROM g WHERE g.id = o.id
		AND g.n <> ''g5''), o.n) ORDER BY o.id) FROM (SELECT x.id, 10/(x.id-5) AS y, (SELECT count(*) FROM c WHERE
		pid = x.id) n FROM (SELECT id FROM p ORDER BY rid LIMIT 20) x) o'),
	(0, 'SELECT json_agg(json_build_array(ARRAY(SELECT o.y FROM g WHERE g.id = o.id AND g.n <> ''g5''), o.n)) FROM
		(SELECT x.id, 10/(x.id-5) AS y, (SELECT count(*) FROM c WHERE pid = x.id) n FROM (SELECT id FROM p ORDER BY rid
		LIMIT 20) x) o'),
	(1, 'SELECT json_agg(json_build_array(o.id, o.y, o.n)) FROM (SELECT x.id, 10/(x.id+5) AS y,
		(SELECT count(*) FROM c WHERE pid = x.id) n FROM (SELECT id FROM p ORDER BY rid LIMIT 20) x) o')) q(joins, query);
-- What a row is made of is known, too, ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT json_agg(json_build_array(10/(q.r).id, (SELECT count(*) FROM c WHERE pid = q.id))) FROM (SELECT id,
		ROW(0, rid)::p AS r FROM p WHERE id<0 ORDER BY rid) q'),
	(0, 'SELECT q.id/0 + (q.r).id, q.j FROM (SELECT x.id, ROW(NULL, x.id)::p AS r, (SELECT json_agg(v ORDER BY c.id)
		FROM c WHERE pid = x.id) j FROM (SELECT id FROM p ORDER BY rid LIMIT 20) x) q ORDER BY q.id')) q(joins, query);
-- ... and the value of a subquery, ...
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT 10/o.z, o.j FROM (SELECT p.id, (SELECT q.z FROM (SELECT count(*), 0 AS z FROM c WHERE pid = p.id) q)
		AS z, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = p.id) j FROM p WHERE id < 0) o'),
	(0, 'SELECT o.id, o.n, o.id/0 + o.t FROM (SELECT p.id, (SELECT count(*) + NULL FROM c WHERE pid = p.id) t, (SELECT
		count(*) FROM c WHERE pid = p.id) n FROM p) o'),
	(0, 'SELECT q.id, CASE WHEN q.r IS NULL THEN 1/0 END, q.j FROM (SELECT x.id, ROW(id, 0)::p AS r, (SELECT
		json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM p ORDER BY rid LIMIT 20) x) q ORDER
		BY q.id'),
	(0, 'SELECT 10/q.z, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = q.id) FROM (SELECT id, rid AS z FROM p
		WHERE id < 0 UNION ALL SELECT id, 0 FROM p WHERE id < 0 ORDER BY 2 LIMIT 20) q ORDER BY q.id'),
	(0, 'SELECT q.id, ARRAY(SELECT v FROM c WHERE pid = q.id ORDER BY v LIMIT q.id/0 + q.z), q.j FROM (SELECT x.id,
		NULL::int AS z, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id) j FROM (SELECT id FROM p ORDER BY rid
		LIMIT 20) x) q'),
	(1, 'SELECT json_agg(q) FROM (SELECT p.id, (SELECT json_agg(10/(v+1) ORDER BY id) FROM c WHERE pid = p.id) FROM p
		WHERE p.rid > (SELECT 0)) q')) q(joins, query);
-- ... and so is a parameter.
PREPARE given(int) AS SELECT p.id, p.id/0 + q.z, (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = q.id) FROM p JOIN
	(SELECT id, $1 AS z FROM p) q USING (id) ORDER BY p.rid LIMIT 5;
SELECT pg_temp.test(0, 'EXECUTE given(NULL)');
-- Nor does a page keep what is joined to each of its rows from that.
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT p.id, coalesce(q.z, 1/0), q.j FROM p CROSS JOIN LATERAL (SELECT 1 AS z, (SELECT json_agg(v
		ORDER BY c.id) FROM c WHERE pid = x.r) j FROM (SELECT p.rid AS r) x) q ORDER BY p.rid LIMIT 5')) q(joins, query);
-- Where nothing could raise an error, constants do not matter.
SELECT pg_temp.test(joins, query) FROM (VALUES
	(1, 'WITH x AS (SELECT 7 AS rid) SELECT p.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM p, x
		WHERE p.rid = x.rid'),
	(1, 'SELECT q.id, q.z IS NULL, (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = q.id) FROM (SELECT id, 1 AS z FROM p
		ORDER BY id) q')) q(joins, query);
-- Conditions above a LIMIT may tell equal keys apart: PostgreSQL evaluates those on a key before it numbers
-- rows.
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT p.id, (SELECT json_agg(x.v ORDER BY x.v) FROM (SELECT * FROM fc WHERE pid = p.id ORDER BY v
		LIMIT 2) x WHERE x.pid::text = ''0'') FROM fp p ORDER BY 1')) q(joins, query);

-- What is computed once, though it is used more than once, stays so.
SELECT pg_temp.test(2, 'SELECT p.id, (SELECT json_agg(json_build_array(y.e, y.e, y.e)) FROM (SELECT x.id,
	(SELECT count(*) FROM c a WHERE a.id > x.v) e FROM c x WHERE x.pid = p.id ORDER BY x.v, x.id) y) FROM p ORDER BY 1');
SELECT alike(pg_temp.executed('SELECT p.id, (SELECT json_agg(json_build_array(y.e, y.e, y.e)) FROM (SELECT x.id,
	(SELECT count(*) FROM c a WHERE a.id > x.v) e FROM c x WHERE x.pid = p.id ORDER BY x.v, x.id) y) FROM p ORDER BY 1',
	'on')::text, '%Subquery Scan%', 'computed once');

-- Collections in subqueries and views that are filtered, or joined to something, are those of the query around them
-- (merge.c), ...
CREATE VIEW with_cs AS SELECT p.id, rid, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = p.id) AS cs FROM p;
CREATE VIEW with_n AS SELECT p.id, rid, x.n FROM p LEFT JOIN LATERAL (SELECT count(*) n FROM c WHERE pid = p.id) x
	ON true WHERE p.id > 3;
SELECT pg_temp.test(joins, query) FROM (VALUES
	(1, 'SELECT * FROM with_cs WHERE rid > 7 ORDER BY id'),
	(1, 'SELECT w.id, w.cs, g.n FROM with_cs w JOIN g ON g.id = w.rid AND g.n < ''g3'' ORDER BY w.id DESC'),
	(1, 'SELECT w.id, w.cs, g.n FROM g JOIN with_cs w USING (id) ORDER BY id'),
	(1, 'SELECT w.id, w.n, g.n FROM with_n w LEFT JOIN g ON g.id = w.rid AND g.id < 9 ORDER BY w.id'),
	(2, 'SELECT w.id, w.cs, n.n FROM with_n n, with_cs w WHERE w.rid = n.id ORDER BY w.id'),
	(2, 'SELECT w.id, w.cs, (SELECT count(*) FROM c WHERE pid = w.id) FROM with_cs w WHERE w.rid IN (SELECT id FROM g)
		ORDER BY w.id'),
	(1, 'WITH w AS (SELECT * FROM with_cs) SELECT id, cs FROM w WHERE id < 20 ORDER BY id'),
	(2, 'SELECT x.id, (SELECT json_agg(w.cs ORDER BY w.id) FROM with_cs w WHERE w.rid = x.id) FROM g x ORDER BY x.id'),
	(1, 'SELECT id, cs, z FROM (SELECT *, 1 AS z FROM with_cs) w WHERE rid > 7 AND z = 1 ORDER BY id'),
	-- ... also on a page, ...
	(1, 'SELECT id, cs FROM with_cs WHERE rid > 7 ORDER BY rid LIMIT 5'),
	-- ... but not the row as a whole, what is NULL where it belongs to no row, or what a condition asks for.
	(0, 'SELECT json_agg(w ORDER BY id) FROM with_cs w WHERE rid > 7'),
	(0, 'SELECT g.id, w.cs FROM g LEFT JOIN with_cs w ON w.id = g.id ORDER BY g.id'),
	(0, 'SELECT id, cs FROM with_cs WHERE cs IS NOT NULL AND cs::text <> '''' ORDER BY id'),
	(0, 'SELECT id, cs FROM (SELECT *, random() r FROM with_cs) w WHERE rid > 7 ORDER BY id')) q(joins, query);
-- Conditions keep their order, where that matters, ...
SELECT pg_temp.test(0, query) FROM (VALUES
	('SELECT s.id FROM (SELECT id, rid FROM p WHERE rid * 1 <> 6) s JOIN g ON g.id = s.id AND 10 / (s.rid - 6) < 1
		ORDER BY 1 LIMIT 30'),
	('SELECT s.id, (SELECT count(*) FROM c WHERE pid = s.id) FROM (SELECT id, rid, (SELECT max(v) FROM c WHERE pid = p.id)
		FROM p WHERE rid <> 6) s JOIN g ON g.id = s.id AND 10 / (s.rid - 6) < 1 ORDER BY 1'),
	('SELECT s.id FROM (SELECT id FROM p WHERE (SELECT min(id) FROM g)::int * 0 <> 0) s JOIN (SELECT id FROM g WHERE
		10 / ((SELECT min(id) FROM g) - 1) > 1) t ON t.id = s.id ORDER BY 1 LIMIT 30'),
	-- ... those with IN and EXISTS are joins as before, and functions in FROM are not folded.
	('SELECT s.id FROM (SELECT id, 1 AS z FROM p) s WHERE s.z IN (SELECT 1 / (4 - v) FROM c) ORDER BY 1 LIMIT 30'),
	('SELECT s.id, s.cs, l.k FROM (SELECT id, rid, (SELECT count(*) FROM c WHERE pid = p.id) cs FROM p WHERE rid <> 6) s,
		LATERAL (SELECT g.id k FROM g WHERE 10 / (s.rid - 6) < 1 AND g.id = s.id) l ORDER BY 1'),
	('SELECT s.id, 1 / f FROM (SELECT id, 0 AS z FROM p WHERE id < 0) s, LATERAL abs(s.z) f ORDER BY 1 LIMIT 30'))
	q(query);
CREATE SEQUENCE calls;
CREATE FUNCTION pg_temp.noisy() RETURNS boolean LANGUAGE plpgsql AS $$BEGIN RETURN nextval('calls') > 0; END$$;
SELECT is(count(*), 200::bigint, 'a volatile condition: rows') FROM (SELECT s.id, c.id FROM (SELECT id FROM p WHERE
	pg_temp.noisy()) s JOIN c ON c.pid = s.id ORDER BY 1, 2 LIMIT 1000) q;
SELECT last_value AS before FROM calls \gset
SET LOCAL jsonrow.unnest = on;
SELECT is(count(*), 200::bigint, 'the same') FROM (SELECT s.id, c.id FROM (SELECT id FROM p WHERE pg_temp.noisy()) s
	JOIN c ON c.pid = s.id ORDER BY 1, 2 LIMIT 1000) q;
SET LOCAL jsonrow.unnest = off;
SELECT is(last_value, 2 * :before::bigint, 'as many calls') FROM calls;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM with_cs;
SELECT pg_temp.test(0, 'SELECT id, cs FROM barrier WHERE rid > 7 ORDER BY id');
-- Who may read a view need not be allowed to read its tables, and the other way round.
CREATE ROLE reader_of_views;
GRANT SELECT ON with_cs TO reader_of_views;
SELECT format('GRANT USAGE ON SCHEMA %I TO reader_of_views', current_schema) \gexec
SET LOCAL ROLE reader_of_views;
SET LOCAL jsonrow.unnest = on;
SET LOCAL jsonrow.unnest_above_cost = 0;
SELECT is(count(cs), 33::bigint, 'a view') FROM with_cs WHERE rid > 7;
SELECT throws_ok('SELECT id, n FROM with_n WHERE rid > 7', '42501', 'permission denied for view with_n');
RESET ROLE;
GRANT SELECT ON p, c TO reader_of_views;
SET LOCAL ROLE reader_of_views;
SELECT throws_ok('SELECT id, n FROM with_n WHERE rid > 7', '42501', 'permission denied for view with_n');
SELECT throws_ok('SELECT s.id FROM (SELECT id FROM p WHERE id > (SELECT 1 / 0)) s WHERE 1 > 2 ORDER BY 1 LIMIT 3',
	'22012', 'division by zero');
SELECT throws_ok('SELECT s.id FROM (SELECT id FROM p WHERE 1 > 2) s WHERE 1 / 0 > 1 ORDER BY 1 LIMIT 3', '22012',
	'division by zero');
-- Of several tables, the same one is told; and what is not planned as it is written is not looked at.
SELECT throws_ok(query, '42501', 'permission denied for table ' || told) FROM (VALUES
	('SELECT s.id FROM (SELECT id FROM g) s WHERE EXISTS (SELECT FROM fp WHERE id = s.id) ORDER BY 1 LIMIT 3', 'fp'),
	('SELECT s.id FROM (SELECT id, 1 AS z FROM p) s WHERE s.z > 1 AND s.z IN (SELECT id FROM g) ORDER BY 1 LIMIT 3', 'g'),
	('SELECT s.id FROM (SELECT id FROM p WHERE id > (SELECT count(*) FROM g)) s WHERE 1 > 2 ORDER BY 1 LIMIT 3', 'g'),
	('SELECT s.id FROM (SELECT x.id FROM g x, p) s JOIN (SELECT id FROM fp) t ON t.id = s.id LIMIT 1', 'g'))
	q(query, told);
RESET ROLE;

-- What stands in a subquery without FROM is computed in its place, unless it refers to no row or to what is volatile.
SELECT pg_temp.test(joins, query) FROM (VALUES
	(1, 'SELECT id, (SELECT coalesce((SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id), ''[]'')) FROM p
		ORDER BY id'),
	(2, 'SELECT id, (SELECT json_build_object(''a'', (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id), ''n'',
		(SELECT (SELECT count(*) FROM c WHERE pid = p.id)))) FROM p ORDER BY id'),
	(1, 'SELECT id, (WITH l AS (SELECT * FROM c WHERE pid = p.id ORDER BY id), a AS (SELECT json_agg(l.v) AS d FROM l)
		SELECT json_build_object(''data'', coalesce((SELECT a.d FROM a), ''[]''))) FROM p ORDER BY id'),
	(1, 'SELECT id, (SELECT ARRAY(SELECT v FROM c WHERE pid = p.id ORDER BY id)) FROM p ORDER BY id'),
	(0, 'SELECT id, (SELECT random() > 2 AND (SELECT count(*) FROM c WHERE pid = p.id) > 1) FROM p ORDER BY id'),
	(0, 'SELECT (SELECT json_agg(p.id ORDER BY p.id)) FROM p'),
	(0, 'SELECT id, (SELECT (SELECT count(*) FROM c WHERE pid = p.id) WHERE p.id > 3) FROM p ORDER BY id'),
	-- FILTER may be WHERE, if it is that of all aggregates and cannot fail.
	(1, 'SELECT id, (SELECT json_agg(v ORDER BY id) FILTER (WHERE pid = p.id) FROM c) FROM p ORDER BY id'),
	(1, 'SELECT id, (SELECT json_build_array(sum(v) FILTER (WHERE pid = p.id), count(*) FILTER (WHERE pid = p.id)) FROM c
		WHERE v > 1) FROM p ORDER BY id'),
	(1, 'SELECT id, (SELECT json_build_array(sum(v) FILTER (WHERE pid = p.id), count(*)) FROM c) FROM p ORDER BY id'),
	(0, 'SELECT id, (SELECT count(*) FILTER (WHERE 10 / (v - 7) = p.id AND pid = p.id) FROM c) FROM p ORDER BY id'))
	q(joins, query);

SELECT * FROM finish();
ROLLBACK;
