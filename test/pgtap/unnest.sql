-- Nested collections with jsonrow.unnest off and on: the same rows, the same errors; and how many of
-- them became joins.  Much of this is what must be left as it is.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(1624);

CREATE TABLE p (id int, k8 bigint, kt text, kn numeric, kf float8, kd date, name text);
INSERT INTO p SELECT i, i % 5, 't' || i % 4, i % 3 + CASE WHEN i % 2 = 0 THEN 0.0 ELSE 0.00 END,
	CASE i % 4 WHEN 0 THEN '-0'::float8 WHEN 1 THEN 'NaN'::float8 ELSE i % 3 END, DATE '2026-01-01' + i % 3, 'p' || i
FROM generate_series(1, 12) i;
INSERT INTO p VALUES (NULL, NULL, NULL, NULL, NULL, NULL, 'none'), (1, 1, 't1', 1, 0, '2026-01-01', 'twice');
CREATE TABLE c (id int PRIMARY KEY, pid int, k4 int, kt text, kn numeric, kf float8, kts timestamp, v int,
	s text, j json);
INSERT INTO c SELECT i, nullif(i % 9, 0), i % 5, 't' || i % 6, (i % 3)::numeric(10,2),
	CASE i % 4 WHEN 0 THEN 0 WHEN 1 THEN 'NaN'::float8 ELSE i % 3 END, timestamp '2026-01-01' + i % 4 * interval '1
	day',
	i % 4, 's"' || i, '{"a" : 1}'
FROM generate_series(1, 40) i;
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, nullif(i * 7 % 45, 3), 'w' || i FROM generate_series(1, 60) i;
CREATE TABLE nobody (pid int, v int);
CREATE TYPE holder AS (d jsonrow);
CREATE TABLE documents (pid int, names text[], d jsonrow, r holder);
INSERT INTO documents SELECT 1, '{a}', d, ROW(d)::holder FROM (SELECT jsonrow_agg('{a}', 1)) x(d);
INSERT INTO documents SELECT 200, '{a,b}', d, ROW(d)::holder FROM (SELECT jsonrow_agg('{b}', 2)) x(d);
INSERT INTO documents SELECT 200, NULL, d, ROW(d)::holder FROM (SELECT jsonrow_agg('{c}', 3)) x(d);
CREATE VIEW cv AS SELECT id, pid, s FROM c WHERE v <> 2;
CREATE VIEW barrier WITH (security_barrier) AS SELECT id, pid, s FROM c;
CREATE TYPE pair AS (a int, b int);
CREATE TYPE mood AS ENUM ('fine', 'bad');
CREATE DOMAIN small AS int CHECK (VALUE < 1000);
CREATE TABLE parted (id int, pid int) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (20);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (20) TO (99);
INSERT INTO parted SELECT id, pid FROM c;
CREATE TABLE base (id int, pid int, s text);
CREATE TABLE heir (more int) INHERITS (base);
INSERT INTO heir SELECT id, pid, s, 1 FROM c;
INSERT INTO base VALUES (99, 2, 'base');
CREATE MATERIALIZED VIEW stored AS SELECT * FROM c;
CREATE TABLE priced (pid int, price numeric(10,2), amount numeric);
INSERT INTO priced SELECT pid, id + 0.5, id FROM c;
INSERT INTO priced SELECT 200, 1.25, 9e131071 FROM generate_series(1, 20);
CREATE SEQUENCE numbers;
CREATE AGGREGATE sum_of(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0');
CREATE FUNCTION quiet(int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 > 1';
CREATE FUNCTION noisy(int) RETURNS int LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN $1; END';
ANALYZE;

-- Where it is right: in a target list
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonb_agg(s ORDER BY id) FROM c WHERE p.id = pid)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT coalesce(json_agg(json_build_object('s', s, 'v', v) ORDER BY id), '[]')
	FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id), 1 FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT count(v) + 10 * count(*) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT CASE WHEN count(*) > 2 THEN max(s) ELSE min(s)
	END FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT 10 / count(*) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT array_agg(v ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT string_agg(s, ',' ORDER BY id) FILTER (WHERE v = 1)
	FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
-- Of equal values, DISTINCT leaves any one: so they must be the same.
SELECT pg_temp.test(joins, format('SELECT name, (SELECT %s FROM c WHERE pid = p.id) FROM p ORDER BY name', made)) FROM
	(VALUES (1, 'jsonb_agg(DISTINCT jsonb_build_object(''v'', v, ''t'', kt, ''a'', jsonb_build_array(true, kts, 1.0)))'),
	(1, 'json_agg(DISTINCT to_jsonb(v))'),
	(0, 'jsonb_agg(DISTINCT jsonb_build_object(''n'', kn))'),
	(0, 'jsonb_agg(DISTINCT jsonb_build_object(''n'', ARRAY[kn]))'),
	(0, 'jsonb_agg(DISTINCT jsonb_build_object(''c'', c))'),
	(0, 'jsonb_agg(DISTINCT jsonb_build_object(VARIADIC ARRAY[s, kt]))'),
	(0, 'jsonb_agg(DISTINCT jsonb_build_object(s, v, kt, id))'),
	(0, 'jsonb_agg(DISTINCT to_jsonb(kf))')) q(joins, made);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(DISTINCT v::text) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT row_to_json(x) FROM (SELECT 1 AS a) x), (SELECT bool_and(v > 0) FROM c
	WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT sum(v) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT avg(price) + sum(price) FROM priced WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name FROM p ORDER BY (SELECT count(*) FROM c WHERE pid = p.id), name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(v ORDER BY v) FROM nobody WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id)
	FROM c WHERE pid = p.id AND v <> 1 AND s IS NOT NULL)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND k4 = p.k8)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(w ORDER BY g.id) FROM c JOIN g ON g.cid = c.id WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(w ORDER BY g.id) FROM c JOIN g ON g.cid = c.id AND c.pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(w ORDER BY c.id, g.id) FROM c LEFT JOIN g ON g.cid = c.id
	WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT count(g.id) FROM c FULL JOIN g ON g.cid = c.id WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM cv WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY v DESC,
	id) x)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(x) FROM (SELECT s, v FROM c WHERE pid = p.id ORDER BY id) x)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(row_to_json(x)) FROM (SELECT * FROM (SELECT s AS "S", v FROM c
	WHERE pid = p.id ORDER BY v NULLS FIRST, id DESC) y) x) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(x.*) FROM cv x WHERE x.pid = p.id AND x.id < 10)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(2, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id),
	(SELECT count(*) FROM c WHERE k4 = p.k8) FROM p ORDER BY name$$);
SELECT pg_temp.test(2, $$SELECT name, (SELECT json_agg(json_build_array(s, (SELECT json_agg(w ORDER BY id) FROM g
	WHERE cid = c.id)) ORDER BY id) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(2, $$SELECT json_agg(json_build_array(name, (SELECT json_agg(s ORDER BY id)
	FROM c WHERE pid = p.id),
	(SELECT min(v) FROM c WHERE pid = p.id)) ORDER BY name) FROM p$$);
SELECT pg_temp.test(1, $$SELECT p.k8, json_agg((SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id) ORDER BY name)
	FROM p GROUP BY p.k8 ORDER BY p.k8$$);
SELECT pg_temp.test(1, $$SELECT count(*) FILTER (WHERE (SELECT count(*) FROM c WHERE pid = p.id) > 3) FROM p$$);
SELECT pg_temp.test(0, $$SELECT x.* FROM (SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) AS n FROM p)
	x WHERE n > 1
	ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT p.name, q.id, (SELECT json_agg(s ORDER BY c.id) FROM c WHERE pid = q.id)
	FROM p LEFT JOIN g q ON q.id = p.id AND q.id > 3 ORDER BY p.name$$);
SELECT pg_temp.test(1, $$WITH w AS (SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p) SELECT * FROM w
	ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT * FROM (SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p UNION ALL
	SELECT w, NULL FROM g) u ORDER BY 1, 2$$);

-- Our own: documents keep their headers where there are no rows
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonrow_agg_json(x.*) FROM (SELECT s,
	v FROM c WHERE pid = p.id ORDER BY id) x)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(2, $$SELECT jsonrow_agg('{name,cs}', name, (SELECT jsonrow_agg('{s,gs}', s, (SELECT
	jsonrow_agg('{w}', w ORDER BY id) FROM g WHERE cid = c.id) ORDER BY id) FROM c WHERE pid = p.id) ORDER BY name)
	FROM p$$);
SELECT pg_temp.test(2, $$SELECT jsonrow_agg_json('{name,cs}', name, (SELECT jsonrow_agg_json('{s,gs}', s, (SELECT
	jsonrow_agg_json('{w}', w ORDER BY id) FROM g WHERE cid = c.id) ORDER BY id) FROM c WHERE pid = p.id) ORDER BY
	name)
	FROM p WHERE id IS NULL$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsoncol_agg_json('{s}', s ORDER BY id) FROM c WHERE pid = p.id),
	(SELECT 1) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonrow_array_agg(s, v ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonrow_objects_agg_json('{s}', s ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);

-- LATERAL
SELECT pg_temp.test(1, $$SELECT name, x.d FROM p LEFT JOIN LATERAL (SELECT coalesce(json_agg(s ORDER BY id), '[]') AS d
	FROM c WHERE pid = p.id) x ON true ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, x.* FROM p CROSS JOIN LATERAL (SELECT json_agg(s ORDER BY id), count(*) FROM c
	WHERE pid = p.id) x ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, x.n FROM p, LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id)
	x WHERE x.n > 0
	ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, row_to_json(x) FROM p JOIN LATERAL (SELECT json_agg(s ORDER BY id) AS a,
	max(v) AS b
	FROM c WHERE pid = p.id) x ON true ORDER BY name$$);
SELECT pg_temp.test(2, $$SELECT json_agg(json_build_array(name, x.d) ORDER BY name) FROM p LEFT JOIN LATERAL (
	SELECT coalesce(json_agg(json_build_array(s, y.d) ORDER BY c.id), '[]') AS d FROM c LEFT JOIN LATERAL (
		SELECT json_agg(w ORDER BY id) AS d FROM g WHERE cid = c.id) y ON true WHERE pid = p.id) x ON true$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT x.n) FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c
	WHERE pid = p.id) x ON true ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT coalesce(json_agg(r ORDER BY r.name)::jsonb, '[]') FROM (SELECT name, x.d FROM p
	LEFT JOIN LATERAL (SELECT json_agg(y)::jsonb AS d FROM (SELECT s, v FROM c WHERE pid = p.id ORDER BY id) y) x
	ON true) r$$);

SELECT pg_temp.test(0, $$SELECT name, x.n FROM p JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x
	ON x.n > 4 OR p.k8 = 1 ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, x FROM p JOIN LATERAL (SELECT json_agg(s ORDER BY id), max(v) FROM c
	WHERE pid = p.id) x ON x IS NOT NULL WHERE p.id < 7 ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, x.n, g.w FROM p JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x
	ON x.n > 0 LEFT JOIN g ON g.id = p.id AND x.n = 5 ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, x.n, y.w FROM p JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x
	ON 10 / x.n > 2 JOIN g y ON y.id = p.id WHERE x.n > 0 AND p.id < 9 ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, n FROM p JOIN LATERAL (SELECT count(*) AS n, max(v) AS id FROM c
	WHERE pid = p.id) x
	USING (id) ORDER BY name$$);

-- Several in one list, and such as refer to another thing in FROM than what they are joined to
SELECT pg_temp.test(2, $$SELECT name, x.n, y.n FROM p, LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x,
	LATERAL (SELECT json_agg(w ORDER BY id) AS n FROM g WHERE cid = p.id) y ORDER BY name$$);
SELECT pg_temp.test(3, $$SELECT q.name, x.n, y.n, z.n FROM p q, LATERAL (SELECT count(*) AS n FROM c WHERE pid =
	q.id) x,
	g, LATERAL (SELECT json_agg(w ORDER BY id) AS n FROM g WHERE cid = q.id) y, LATERAL (SELECT max(s) n FROM c
	WHERE c.id = g.cid) z WHERE g.id = q.id ORDER BY q.name$$);
SELECT pg_temp.test(1, $$SELECT p.name, g.w, x.n FROM p, g LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) AS n
	FROM c
	WHERE pid = p.id) x ON true WHERE g.id = p.id ORDER BY p.name$$);
SELECT pg_temp.test(1, $$SELECT p.name, g.w, x.n FROM p CROSS JOIN (g CROSS JOIN LATERAL (SELECT json_agg(s ORDER
	BY id) AS n
	FROM c WHERE pid = p.id) x) WHERE g.id = p.id ORDER BY p.name$$);
SELECT pg_temp.test(1, $$SELECT p.name, x.n, y.n FROM p, LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x,
	LATERAL (SELECT count(*) AS n FROM g WHERE g.id = x.n) y ORDER BY p.name$$);
SELECT pg_temp.test(0, $$SELECT p.name, g.w, x.n FROM p LEFT JOIN (g LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY
	id) AS n
	FROM c WHERE pid = g.id) x ON true) ON g.id = p.id ORDER BY p.name$$);

-- What a row of the collection is given by a unique key is one value at most.
SELECT pg_temp.test(1, format($$SELECT name, (SELECT json_agg(json_build_array(c.id, (SELECT %s)) ORDER BY c.id) FROM c
	WHERE pid = p.id) FROM p ORDER BY name$$, look_up))
FROM unnest(ARRAY['to_json(g) FROM g WHERE g.id = c.v', 'w FROM g WHERE g.id = c.v AND w <> ''w2''',
	'json_build_object(''w'', g.w) FROM g WHERE g.id = c.k4 LIMIT 1', 'x.w FROM (SELECT * FROM g WHERE id = c.v) x',
	'g.w FROM g WHERE g.cid <= c.id AND c.ctid > ''(0,0)'' ORDER BY g.id LIMIT 1']) look_up;
SELECT pg_temp.test(0, format($$SELECT name, (SELECT json_agg(json_build_array(c.id, (SELECT %s)) ORDER BY c.id) FROM c
	WHERE pid = p.id) FROM p WHERE p.id > 100 ORDER BY name$$, look_up))
FROM unnest(ARRAY['w FROM g WHERE g.cid = c.id', 'w FROM g WHERE g.id >= c.v',
	'10 / (g.id - 5) FROM g WHERE g.id = c.v',
	'w FROM g, p AS p2 WHERE g.id = c.v']) look_up;

-- What is made of aggregates is computed above the join, for the rows for which it was: it may raise an error.
SELECT pg_temp.test(1, format($$SELECT name, (SELECT %s FROM c WHERE pid = p.id) FROM p ORDER BY name$$, made))
FROM unnest(ARRAY['sum(v)::int', 'round(avg(v), 2)', 'count(v) + 1', 'to_jsonb(array_agg(v ORDER BY id))',
	'100 / (count(*) - 5)', '(count(*) - 1)::text::small', '(string_agg(s, '','' ORDER BY id)::int)',
	'array_to_json(array_agg(s ORDER BY id))', 'json_agg(j ORDER BY id)::jsonb']) made;
SELECT pg_temp.test(1, format($$SELECT name, x.n FROM p LEFT JOIN LATERAL (SELECT %s AS n FROM c WHERE pid = p.id)
	x ON true
	ORDER BY name$$, made)) FROM unnest(ARRAY['sum(v)::int', '100 / (count(*) - 5)']) made;
SELECT pg_temp.test(1, $$SELECT sum((SELECT 100 / (count(*) - 5) FROM c WHERE pid = p.id)) FROM p$$);
-- ... which a subquery might not compute, a condition could see, and FILTER keeps from being computed
SELECT pg_temp.test(0, $$SELECT name, (SELECT max(x.n + v) FROM nobody) FROM p LEFT JOIN LATERAL (SELECT 100 /
	(count(*) - 5) AS n
	FROM c WHERE pid = p.id) x ON true ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT max(z.n + v) FROM nobody) FROM (SELECT name, x.n FROM p LEFT JOIN LATERAL
	(SELECT
	100 / (count(*) - 5) AS n FROM c WHERE pid = p.id) x ON true) z ORDER BY name$$);
SELECT pg_temp.test(joins, format('SELECT name, %s FROM p ORDER BY name', format(value,
	'(SELECT count(*) FROM c WHERE pid = p.id)', '(SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id)')))
FROM (VALUES (1, 'CASE %s WHEN 3 THEN name WHEN 4 THEN ''four'' END'),
	(1, 'CASE WHEN %s > 3 THEN name ELSE ''few'' END'),
	(2, 'CASE WHEN %s > 3 THEN name END, %s'), (1, 'NULLIF(%s, 0)'),
	(1, 'NULLIF(0, %s)'), (1, '%s IS DISTINCT FROM 3'),
	(1, 'CASE WHEN %s > 3 THEN %s END'), (0, 'CASE WHEN name > ''t'' THEN %s END'), (0, 'CASE name WHEN ''t1'' THEN 1
	WHEN ''t2'' THEN 2 ELSE %s END'), (0, 'CASE WHEN name > ''t2'' THEN 1 WHEN %s > 3 THEN 2 END'))
	q(joins, value);
SELECT pg_temp.test(0, $$SELECT name, CASE WHEN name > 'p' THEN x.n END FROM p LEFT JOIN LATERAL (SELECT
	100 / (count(*) - 5) AS n FROM c WHERE pid = p.id) x ON true ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT sum(x.n) FILTER (WHERE name < 'p') FROM p LEFT JOIN LATERAL (SELECT
	100 / (count(*) - 5) AS n FROM c WHERE pid = p.id) x ON true$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT sum(100 / (v - 3)) FROM c WHERE pid = p.id AND v < 3) FROM p ORDER BY
	name$$);

-- No limit, though there is one
SELECT pg_temp.test(1, format($$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id)
	FROM p ORDER BY name %s$$, clause))
FROM unnest('{LIMIT ALL,OFFSET 0,LIMIT NULL OFFSET NULL}'::text[]) clause;
-- A limit, of which the parents come first: see unnest_batches.sql
SELECT pg_temp.test(1, format($$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id)
	FROM p ORDER BY name %s$$, clause))
FROM unnest('{LIMIT 100,LIMIT 0,LIMIT 1 OFFSET 0,OFFSET 1,OFFSET (SELECT 0)}'::text[]) clause;

-- Joins beside joins
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(w ORDER BY g.id) FROM c LEFT JOIN g ON g.cid = c.id
	WHERE g.cid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT x.n, count(*), min(p.id) FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c
	WHERE pid = p.id) x ON true GROUP BY x.n HAVING x.n <> 4 ORDER BY x.n$$);
SELECT pg_temp.test(1, $$SELECT x.n, y.n FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c
	WHERE pid = p.id) x ON true
	LEFT JOIN LATERAL (SELECT count(*) AS n FROM g WHERE g.id = x.n) y ON true ORDER BY p.name$$);
SELECT pg_temp.test(2, $$SELECT p.k8, (SELECT sum(x.n) FROM c LEFT JOIN LATERAL (SELECT count(*) AS n FROM g
	WHERE cid = c.id) x ON true WHERE pid = p.id AND c.v > 0) FROM p ORDER BY p.name$$);
SELECT pg_temp.test(0, $$SELECT p.name, x.a, g.w FROM p LEFT JOIN LATERAL (SELECT json_agg(s ORDER BY id) AS a FROM c
	WHERE pid = p.id) x ON true LEFT JOIN g ON g.id = p.id WHERE x.a::text <> '[1]' ORDER BY p.name, g.id$$);
SELECT pg_temp.test(1, $$SELECT p.name, (SELECT string_agg(s, ',' ORDER BY id) FROM c WHERE pid = p.id) AS a FROM p
	ORDER BY a NULLS FIRST, p.name$$);

-- Whole rows that a join makes NULL
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_build_array(count(v), json_agg(v ORDER BY c.id)) FROM c LEFT JOIN
	(SELECT id, s FROM c) v ON v.id = c.k4 WHERE c.pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT json_agg(json_build_array(x.name, v, (SELECT count(*) FROM c WHERE pid = x.id))
	ORDER BY x.name) FROM p x LEFT JOIN (SELECT * FROM nobody) v ON v.pid = x.id$$);

-- The order that a subquery of FROM asks for, around what becomes a join
SELECT pg_temp.test(1, $$SELECT json_agg(json_build_array(x.name, (SELECT count(*) FROM c WHERE pid = x.id)))
	FROM (SELECT * FROM p ORDER BY name DESC) x$$);
SELECT pg_temp.test(1, $$SELECT json_agg(json_build_array(x, y.n)) FROM (SELECT * FROM p ORDER BY name DESC) x
	LEFT JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = x.id) y ON true$$);
SELECT pg_temp.test(1, $$SELECT x.name, (SELECT count(*) FROM c WHERE pid = x.id)
	FROM (SELECT * FROM p ORDER BY name) x$$);
SELECT pg_temp.test(1, $$SELECT json_agg(z) FROM (SELECT x.name, (SELECT count(*) FROM c WHERE pid = x.id) AS n
	FROM (SELECT * FROM p ORDER BY name) x) z$$);

-- Keys of other kinds
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE k4 = p.k8) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE kt = p.kt) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE kn = p.kn) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE kf = p.kf) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE kn = p.kf) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE kts = p.kd) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE kt COLLATE "C" = p.kt) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE ROW(pid, v)::pair = ROW(p.id,
	1)::pair)
	FROM p ORDER BY name$$);

-- What stays: other subqueries
SELECT pg_temp.test(0, $$SELECT name, (SELECT s FROM c WHERE c.id = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s)
	FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id LIMIT 2) x)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id LIMIT 0)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s) FROM (SELECT DISTINCT s FROM c WHERE pid = p.id)
	x WHERE s > 's"3'
	HAVING count(*) = 1) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT max(s) FROM (SELECT DISTINCT s FROM c WHERE pid = p.id) x) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT max(s) FROM c WHERE pid = p.id GROUP BY () HAVING count(*) > 1)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT max(s) FROM c WHERE pid = p.id GROUP BY s IS NULL) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) OVER () FROM c WHERE pid = p.id LIMIT 1)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT sum(count(*)) OVER () FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM (SELECT 1 FROM c WHERE pid = p.id UNION ALL SELECT 1 FROM g
	WHERE cid = p.id) x) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM (SELECT 1 FROM c WHERE pid = p.id FOR UPDATE) x) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (WITH w AS (SELECT * FROM c) SELECT count(*) FROM w WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(1, $$WITH w AS (SELECT * FROM c) SELECT name, (SELECT count(*) FROM w WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid < p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid IS NOT DISTINCT FROM p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = ANY (ARRAY[p.id])) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id + 1)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id OR v = 1)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s || p.name ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND v > p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(g.id) FROM c LEFT JOIN g ON g.cid = p.id WHERE c.v = 1) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM generate_series(1, 3) i WHERE i = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM barrier WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c TABLESAMPLE system (100) WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT max(name), (SELECT count(*) + max(p.id) FROM c WHERE pid = 1) FROM p$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT (SELECT count(c.v)) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id AND v = (SELECT max(v) FROM c d
	WHERE d.pid = p.id)) FROM p ORDER BY name$$);

-- ... aggregates that depend on what nobody orders, or may fail
SELECT pg_temp.test(0, $$SELECT name, (SELECT sum(kf) FROM c WHERE pid = p.id AND kf = 1) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT avg(kf) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_object_agg(s, v ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT array_agg(ARRAY[v] ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY v) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);

-- ... what could raise an error for a row that no parent reaches
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(1 / (id - 9) ORDER BY id) FROM c WHERE pid = p.id) FROM p
	WHERE name < 'p3' ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id AND 1 / (id - 9) = 0)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND s LIKE 'x\') FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s::int ORDER BY id) FROM c WHERE pid = p.id)
	FROM p WHERE false$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(id::small ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT jsonb_agg(j ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(j ORDER BY id) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(c ORDER BY id) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(row_to_json(x) ORDER BY id) FROM (SELECT id, j AS "J" FROM c
	WHERE pid = p.id) x) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT jsonb_agg(c ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonb_agg(jsonb_build_object('s', s) || to_jsonb(x) ORDER BY id)
	FROM (SELECT id, pid, s, v FROM c) x WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT jsonb_agg(jsonb_build_object(s, v) ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, x.n FROM p LEFT JOIN LATERAL (SELECT 1 / (count(*) - 4)
	AS n FROM c WHERE pid = p.id) x
	ON true ORDER BY name$$);

SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(c.id ORDER BY ROW(j), c.id) FROM c WHERE id = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(x) FROM (SELECT c.id FROM c WHERE id = p.id ORDER BY ROW(j)) x)
	FROM p ORDER BY name$$);

-- ... a sum of numerics, which is too large
SELECT pg_temp.test(0, format($$SELECT name, (SELECT %s(amount) FROM priced WHERE pid = p.id) FROM p
	ORDER BY name$$, f))
FROM unnest('{sum,avg}'::text[]) f;
SELECT matches(pg_temp.outcome('SELECT sum(amount) FROM priced', '{}'), 'overflow', 'there are such');

-- ... documents that were stored, with different headers, in values and in rows; and names that are no constant
SELECT pg_temp.test(0, format($$SELECT name, (SELECT %s FROM (SELECT d FROM documents WHERE pid = p.id) x)
	FROM p ORDER BY name$$, made))
FROM unnest(ARRAY['jsonrow_agg(x)', 'jsonrow_agg_json(x)', 'jsoncol_agg(x)', $$jsonrow_agg('{d}', x.d)$$,
	$$jsonrow_agg('{d}', ROW(x.d))$$, $$jsonrow_agg('{d}', coalesce(x.d, x.d))$$, $$jsonrow_agg('{x}', x)$$]) made;
SELECT pg_temp.test(0, $$SELECT name, (SELECT jsonrow_agg(x) FROM documents x WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT jsonrow_agg('{r}', r) FROM documents WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT jsonrow_agg('{r}', (SELECT r FROM (SELECT x.d AS a) r)) FROM documents x
	WHERE pid = p.id) FROM p ORDER BY name$$);
ALTER TABLE documents ADD plain pair DEFAULT ROW(1, 2);
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonrow_agg('{r}', plain) FROM documents WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(x) FROM (SELECT d FROM documents WHERE pid = p.id) x)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonrow_agg('{d}', x.d::jsonb) FROM (SELECT d FROM documents
	WHERE pid = p.id) x) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, format($$SELECT name, (SELECT %s FROM documents WHERE pid = p.id) FROM p ORDER BY name$$, made))
FROM unnest(ARRAY['jsonrow_agg(names, pid)', 'jsoncol_agg_json(names, pid)', 'jsonrow_objects_agg(names, pid)',
	$$jsonrow_agg('{a,NULL}', pid, pid)$$, $$jsonrow_agg('{a,b}', pid)$$, 'jsonrow_agg(NULL::text[], pid)',
	$$jsonrow_agg('{a}', VARIADIC names)$$]) made;
SELECT matches(pg_temp.outcome($$SELECT jsonrow_agg(names, pid) FROM documents$$, '{}'),
	'column names', 'they differ');

-- ... volatile functions on either side
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(noisy(v)) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, noisy(1), (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);

-- ... queries around them that take some rows, lock, change or group them
SELECT pg_temp.test(1, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY name LIMIT 5$$);
SELECT pg_temp.test(1, $$SELECT * FROM (SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p) x ORDER BY name
	OFFSET 1$$);
-- Several aggregates over rows in one order, as PostgREST spreads them; LIMIT takes rows in it.
SELECT pg_temp.test(joins, format($$SELECT p.id, r.* FROM p LEFT JOIN LATERAL (SELECT %s FROM (SELECT id, s, v FROM c
	WHERE pid = p.id ORDER BY %s) y) r ON true ORDER BY p.id$$, aggregates, sorting)) FROM (VALUES
	(1, 'json_agg(y.s) a, json_agg(y.v) b', 's, id'),
	(1, 'json_agg(y.s), array_agg(y.id), string_agg(y.s, '','')', 'id DESC'),
	(1, 'json_agg(y.s) a, json_agg(y.id ORDER BY y.v) b, json_agg(y.v) c, count(*) n', 'v NULLS FIRST, id'),
	(1, 'json_agg(y) FILTER (WHERE y.v > 2) a, coalesce(json_agg(y.id), ''[]'') b', 'id'),
	(1, 'json_agg(y.s) a, json_agg(y.v) b', 'id LIMIT 3'), (1, 'json_agg(y.s) a, json_agg(y.v) b', 'v, id DESC LIMIT 3'),
	(0, 'json_agg(y.s) a, json_agg(y.v) b', 'v LIMIT 3')) q(joins, aggregates, sorting);
-- A unique key leaves no ties, if it is not NULL.
CREATE TABLE keyed (id int UNIQUE, no int NOT NULL UNIQUE, pid int);
SELECT pg_temp.test(joins, format($$SELECT p.id, r.* FROM p LEFT JOIN LATERAL (SELECT json_agg(y.id),
	json_agg(y.no) FROM (SELECT id, no FROM keyed WHERE pid = p.id ORDER BY %s LIMIT 3) y) r ON true
	ORDER BY p.id$$, sorting)) FROM (VALUES (1, 'no DESC'), (1, 'id, no'), (0, 'id'), (0, 'no + 0'),
	(0, 'no::bigint')) q(joins, sorting);
SELECT pg_temp.test(1, $$SELECT p.id, r.a, r.b FROM p LEFT JOIN LATERAL (SELECT json_agg(x.s) a, json_agg(x.v) b FROM
	(SELECT y.s, y.v FROM (SELECT s, v FROM c WHERE pid = p.id ORDER BY s DESC, v, id) y) x) r ON true ORDER BY p.id$$);
-- What is equal in that order is in the same place of each.
SET LOCAL jsonrow.unnest = on;
CREATE TABLE pairs AS SELECT r.a, r.b FROM p LEFT JOIN LATERAL (SELECT json_agg(y.id) a, json_agg(y.v) b
	FROM (SELECT id, v FROM c WHERE pid = p.id ORDER BY v % 2) y) r ON true;
RESET jsonrow.unnest;
SELECT is_empty($$SELECT FROM pairs r, json_array_elements_text(r.a) WITH ORDINALITY a(id, i),
	json_array_elements_text(r.b) WITH ORDINALITY b(v, i), c WHERE b.i = a.i AND c.id = a.id::int
	AND c.v <> b.v::int$$, 'aggregates sorted alike');
SELECT pg_temp.test(0, $$SELECT DISTINCT (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY 1$$);
SELECT pg_temp.test(0, $$SELECT DISTINCT ON (name) name, (SELECT count(*) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT (SELECT count(*) FROM c WHERE pid = p.id) AS n, count(*)
	FROM p GROUP BY n ORDER BY n$$);
SELECT pg_temp.test(1, $$SELECT id, (SELECT count(*) FROM c WHERE pid = p.id) FROM p GROUP BY id ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT id, (SELECT count(*) FROM c WHERE pid = p.id) FROM p GROUP BY GROUPING SETS ((id), ())
	ORDER BY id$$);
SELECT pg_temp.test(0, $$SELECT generate_series(1, 2), (SELECT count(*) FROM c WHERE pid = p.id),
	name FROM p ORDER BY 3, 1$$);
SELECT pg_temp.test(0, $$SELECT name, row_number() OVER (ORDER BY name), (SELECT count(*) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT sum(kf), count((SELECT count(*) FROM c WHERE pid = p.id)) FROM p WHERE kf = 1$$);
SELECT pg_temp.test(0, $$SELECT name FROM p WHERE (SELECT count(*) FROM c WHERE pid = p.id) > 3 ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT p.name, x.n FROM g LEFT JOIN (p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c
	WHERE pid = p.id) x ON true) ON p.id = g.id ORDER BY g.id, p.name$$);
SELECT pg_temp.test(0, $$SELECT p.name, x.n FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x
	ON x.n > 3 ORDER BY p.name$$);
SELECT is(pg_temp.groupings($$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p FOR UPDATE$$, 'on'), 0,
	'rows that are locked');
SELECT is(pg_temp.groupings($$UPDATE p SET name = (SELECT max(s) FROM c WHERE pid = p.id)$$, 'on'), 0, 'UPDATE');
SELECT is(pg_temp.groupings($$DELETE FROM p WHERE id = 3 RETURNING (SELECT max(s) FROM c WHERE pid = p.id)$$, 'on'), 0,
	'DELETE');
SELECT is(pg_temp.groupings($$INSERT INTO p (name) SELECT (SELECT max(s) FROM c WHERE pid = p.id) FROM p$$, 'on'), 0,
	'INSERT');

-- Each reason once more, by name: within
SELECT pg_temp.test(0, $$SELECT name, (SELECT DISTINCT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id OFFSET 1) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id ORDER BY 1 FETCH FIRST ROW WITH TIES)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s) FROM (SELECT s FROM c WHERE pid = p.id
	ORDER BY id OFFSET 1) x)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY v
	FETCH FIRST 1 ROWS WITH TIES) x WHERE s IS NULL) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s) FROM (SELECT DISTINCT ON (v) s FROM c WHERE pid = p.id
	ORDER BY v, id) x) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT count(*) FROM (SELECT v FROM c
	WHERE pid = p.id GROUP BY v HAVING count(*) > 1)
	x) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT sum(n) FROM (SELECT row_number() OVER (ORDER BY id) AS n FROM c
	WHERE pid = p.id) x) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, format($$SELECT name, (SELECT count(*) FROM (SELECT id FROM c
	WHERE pid = p.id %s SELECT id FROM c
	WHERE v = 1) x) FROM p ORDER BY name$$, operation))
FROM unnest('{UNION,INTERSECT,EXCEPT ALL}'::text[]) operation;
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id UNION SELECT 1 LIMIT 1) IS NULL FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, format($$SELECT name, (SELECT count(*) FROM (SELECT 1 FROM c WHERE pid = p.id FOR %s) x) FROM p
	ORDER BY name$$, lock)) FROM unnest('{UPDATE SKIP LOCKED,NO KEY UPDATE,SHARE,KEY SHARE NOWAIT}'::text[]) lock;
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(DISTINCT v) FROM c
	WHERE pid = p.id GROUP BY GROUPING SETS (())) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) + 0 * sum(generate_series) FROM c, generate_series(1, v)
	WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(e) FROM (SELECT unnest(ARRAY[v, id]) AS e FROM c
	WHERE pid = p.id) x)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM ROWS FROM (generate_series(1, 3)) WITH ORDINALITY i(a, b)
	WHERE a = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM jsonb_to_recordset('[{"i": 1}]') AS x(i int)
	WHERE i = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (WITH RECURSIVE w AS (SELECT id, pid FROM c UNION SELECT id, pid FROM w) SELECT
	count(*) FROM w WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT mode() WITHIN GROUP (ORDER BY s) FROM c WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT sum_of(v) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(name || s ORDER BY id) FROM c WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY p.id, id) FROM c WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FILTER (WHERE v > p.id) FROM c WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(ROW(p, v)) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(g.id) FROM g RIGHT JOIN c ON g.cid = p.id WHERE c.v = 1) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(g.id) FROM c FULL JOIN (SELECT * FROM g WHERE cid = p.id) g
	ON g.cid = c.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(x.id) FROM c LEFT JOIN (SELECT * FROM g WHERE cid = p.id) x ON true
	WHERE v = 1) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg((SELECT count(*) FROM g WHERE g.cid = p.id)
	ORDER BY c.id) FROM c
	WHERE c.pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id AND EXISTS (SELECT FROM g WHERE
	g.cid = p.id)) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, ARRAY(SELECT s FROM c WHERE pid = p.id
	ORDER BY id), EXISTS (SELECT count(*) FROM c
	WHERE pid = p.id), 1 IN (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);

-- ... that may raise
SELECT pg_temp.test(0, format($$SELECT name, (SELECT json_agg(%s ORDER BY id) FROM c
	WHERE pid = p.id AND id <> 9) FROM p
	WHERE name < 'p3' ORDER BY name$$, expr))
FROM unnest(ARRAY['(CASE id WHEN 9 THEN s ELSE ''2020-01-01'' END)::date', 'substr(s, 1, 9 - id)', 's ~ s',
	'j -> ''a''', 'ln(id - 9)', 'v::small', '(ARRAY[1])[10 / (id - 9)]',
	'chr(id - 9)', 'CASE WHEN v = 9 THEN 1 / (v - v) ELSE v END', 'noisy(v)', 'id << v', 'repeat(s, 2)',
	'(SELECT g.id FROM g WHERE g.cid = c.id)', 'ROW(id, CASE id WHEN 9 THEN s ELSE ''1'' END)::pair',
	'current_setting(CASE id WHEN 9 THEN s ELSE ''work_mem'' END)']) expr;
SELECT pg_temp.test(0, format($$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id AND %s) FROM p
	ORDER BY name$$, expr))
FROM unnest(ARRAY['s::int = 1', 's ~ s', 'quiet(v)', '(j ->> ''a'')::int = 1', 's SIMILAR TO s',
	'v = (SELECT g.id FROM g WHERE g.cid = c.id)']) expr;
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c JOIN g ON 1 / (g.id - 7) = c.v WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c LEFT JOIN (SELECT id, 1 / (id - 7) AS q FROM g) g
	ON g.id = c.id WHERE pid = p.id AND q IS NULL) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(s ORDER BY 1 / (id - 9)) FROM c WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FILTER (WHERE 1 / (id - 9) = 0) FROM c WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT sum(i) FROM (SELECT interval '178000000 years' AS i, pid FROM c) x WHERE
	pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT string_agg(s, NULL ORDER BY id) || json_object_agg(nullif(s, 's"9'), v
	ORDER BY id) FROM c WHERE pid = p.id) FROM p ORDER BY name$$);

-- ... and around
SELECT pg_temp.test(0, format($$SELECT %s, (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY 1, 2$$, expr))
FROM unnest('{noisy(p.id),clock_timestamp() IS NULL,nextval(''numbers'') IS NULL}'::text[]) expr;
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p WHERE noisy(id) > 3
	ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY name
	FETCH FIRST 3 ROWS WITH TIES$$);
SELECT pg_temp.test(0, $$SELECT max(name), (SELECT count(*) FROM c WHERE pid = 1 AND k4 = max(p.id)) FROM p$$);
SELECT pg_temp.test(0, $$SELECT k8, (SELECT count(*) FROM c WHERE pid = k8) FROM p GROUP BY ROLLUP (k8)
	ORDER BY 1, 2$$);
SELECT pg_temp.test(0, $$SELECT k8, (SELECT count(*) FROM c WHERE pid = k8) FROM p GROUP BY k8 HAVING count(*) > 1
	ORDER BY 1, 2$$);
SELECT pg_temp.test(0, $$SELECT unnest(ARRAY[id, id]), x.n FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c
	WHERE pid = p.id) x ON true ORDER BY 1, 2$$);
SELECT pg_temp.test(0, $$SELECT DISTINCT x.n FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x
	ON true ORDER BY 1$$);
SELECT pg_temp.test(0, $$SELECT name, lag(x.n) OVER (ORDER BY name)
	FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c
	WHERE pid = p.id) x ON true ORDER BY 1$$);
SELECT pg_temp.test(0, $$SELECT p.name, x.n FROM p RIGHT JOIN LATERAL (SELECT count(*) AS n FROM c) x ON true
	ORDER BY p.name$$);
SELECT is(pg_temp.groupings(query, 'on'), 0, 'stays: ' || regexp_replace(query, '\s+', ' ', 'g'))
FROM unnest(ARRAY[
	'SELECT (SELECT count(*) FROM c WHERE pid = p.id) FROM p FOR SHARE OF p',
	'SELECT x.n FROM p LEFT JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = p.id) x ON true FOR UPDATE OF p',
	'UPDATE p SET k8 = x.n FROM g LEFT JOIN LATERAL (SELECT count(*) AS n FROM c WHERE pid = g.id) x ON true
		WHERE g.id = p.id',
	'UPDATE p SET id = 1 RETURNING (SELECT count(*) FROM c WHERE pid = p.id)',
	'DELETE FROM p USING (SELECT g.id, (SELECT count(*) FROM c WHERE pid = g.id) AS n FROM g LIMIT 3) x
	WHERE x.id = p.id',
	'INSERT INTO p (id) VALUES (1) RETURNING (SELECT count(*) FROM c WHERE pid = p.id)',
	'INSERT INTO c (id) SELECT id FROM p ON CONFLICT (id) DO UPDATE SET v = (SELECT count(*) FROM c d
	WHERE d.pid = c.id)',
	'MERGE INTO p USING g ON g.id = p.id WHEN MATCHED THEN UPDATE SET k8 = (SELECT count(*) FROM c WHERE c.pid =
	g.id)',
	'MERGE INTO p USING (SELECT g.id, (SELECT count(*) FROM c WHERE c.pid = g.id) AS n FROM g) s ON s.id = p.id
		WHEN MATCHED THEN UPDATE SET k8 = s.n WHEN NOT MATCHED THEN DO NOTHING',
	'WITH w AS (INSERT INTO g VALUES (1000) RETURNING id) SELECT name, (SELECT count(*) FROM c WHERE pid = p.id)
	FROM p',
	'WITH w AS (DELETE FROM c RETURNING *) SELECT name, (SELECT count(*) FROM w WHERE pid = p.id) FROM p',
	'SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) FROM p TABLESAMPLE system (50) LIMIT 3',
	'VALUES ((SELECT count(*) FROM c WHERE pid = 1))']) query;
-- What is written by them is what it was.
CREATE TABLE copied AS SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id) FROM p;

-- ... and rows that a policy hides
CREATE TABLE secret (id int, pid int, s text);
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY some_rows ON secret USING (id > 1);
INSERT INTO secret VALUES (1, 1, 'hidden'), (2, 1, 'seen');
CREATE ROLE jsonrow_unnest_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_unnest_reader;
GRANT SELECT ON p, secret TO jsonrow_unnest_reader;
SELECT pg_temp.test(1, $$SELECT name, (SELECT count(*) FROM secret WHERE pid = p.id) FROM p ORDER BY name$$);
CREATE FUNCTION allowed(int) RETURNS boolean STABLE COST 0.0001 LANGUAGE plpgsql AS $$ BEGIN
	PERFORM set_config('leak.seen', current_setting('leak.seen', true) || ' ' || $1, true); RETURN $1 > 1; END $$;
CREATE FUNCTION uid() RETURNS int STABLE LANGUAGE sql AS $$
	SELECT nullif(current_setting('test.uid', true), '')::int $$;
CREATE FUNCTION pg_temp.seen(settings text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('leak.seen', '', true);
	result := pg_temp.outcome('SELECT json_agg(q ORDER BY q.id) FROM (SELECT id, (SELECT bool_and(allowed(s.id))
		FROM secret s WHERE pid = p.id) FROM p) q', settings::text[]);
	RETURN result || current_setting('leak.seen');
END $$;
GRANT EXECUTE ON FUNCTION allowed(int), uid() TO PUBLIC;
INSERT INTO secret SELECT i, i % 3, 's' || i FROM generate_series(3, 20) i;
SET LOCAL test.uid = 4;
-- A policy that compares rows with what is the same for all comes first.  One that could fail keeps the collection.
SELECT format($$ALTER POLICY some_rows ON secret USING (%s); SET LOCAL ROLE jsonrow_unnest_reader;
	SELECT pg_temp.test(%s, 'SELECT name, (SELECT count(*) FROM secret WHERE pid = p.id) FROM p ORDER BY name');
	SELECT pg_temp.test(%s, 'SELECT name, (SELECT json_agg(s ORDER BY id) FROM secret WHERE pid = p.id) FROM p
		ORDER BY name');
	SELECT is(pg_temp.seen('{jsonrow.unnest, on}'), pg_temp.seen('{jsonrow.unnest, off}'), 'what a function sees: %s');
	RESET ROLE;$$, policy, joins, joins, replace(policy, '''', '')) FROM (VALUES
	(1, 'true'), (1, 'id > 1'), (1, 'id >= current_setting(''test.uid'')::int'), (1, 'id >= (SELECT uid())'),
	(1, 'pid IN (SELECT p.id FROM p WHERE id > 1)'), (0, 'allowed(id)'), (0, '10 / (id - 3) > 0'),
	(0, 'EXISTS (SELECT FROM p WHERE p.id = pid AND 10 / p.id > 0)')) q(joins, policy) \gexec
ALTER POLICY some_rows ON secret USING (id > 1);

-- ... and tables that may not be read, of which nothing is used.  PostgreSQL leaves out a left join, since 16 with its
-- checks; but no inner join.  Under a constant condition it leaves out a subquery in FROM, but none in the select
-- list.
CREATE VIEW g_of_owner AS SELECT * FROM g;
CREATE VIEW unreadable AS SELECT * FROM p;
GRANT SELECT ON g_of_owner TO jsonrow_unnest_reader;
GRANT SELECT (id) ON c TO jsonrow_unnest_reader;
SET LOCAL ROLE jsonrow_unnest_reader;
SELECT matches(pg_temp.outcome(query, settings::text[]), expected, 'privileges, ' || settings || ' ' || query)
FROM (VALUES
	('SELECT p.id FROM p CROSS JOIN LATERAL (SELECT count(*) FROM g WHERE g.id = p.id) x', 'denied for table g'),
	('SELECT p.id FROM p, LATERAL (SELECT count(*) FROM g WHERE g.id = p.id) x', 'denied for table g'),
	('SELECT p.id FROM p JOIN LATERAL (SELECT count(*) FROM p q, (SELECT * FROM (SELECT id FROM g) g LIMIT 5) g
		WHERE q.id = p.id) x ON true', 'denied for table g'),
	('SELECT id FROM (SELECT p.id, x.n FROM p, LATERAL (SELECT count(*) n FROM g WHERE g.id = p.id) x) y',
		'denied for table g'),
	('SELECT p.id FROM p, LATERAL (SELECT count(*) FROM unreadable u WHERE u.id = p.id) x', 'denied for view unreadable'),
	('SELECT p.id FROM p, LATERAL (SELECT count(*) FROM c WHERE c.pid = p.id) x', 'denied for table c'),
	('SELECT p.id FROM p, LATERAL (SELECT count(*) FROM c WHERE c.id = p.id) x', '^{'),
	('SELECT p.id FROM p, LATERAL (SELECT count(*) FROM g_of_owner g WHERE g.id = p.id) x', '^{'),
	('SELECT p.id FROM p, LATERAL (SELECT count(*) FROM secret WHERE pid = p.id) x', '^{')
	) q(query, expected),
	unnest('{"{jsonrow.unnest, off}", "{jsonrow.unnest, on}"}'::text[]) settings;
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'privileges: ' || query)
FROM (SELECT format('SELECT p.id FROM p %s LATERAL (SELECT count(*) FROM %s) x ON true%s', kind, item, clause) AS query
	FROM unnest('{LEFT JOIN,JOIN}'::text[]) kind, unnest('{"", " WHERE false"}'::text[]) clause, unnest(ARRAY[
	'g WHERE g.id = p.id', 'c WHERE c.id = p.id AND EXISTS (SELECT 1 FROM g WHERE g.id = c.id)',
	'c WHERE c.id = p.id AND c.id IN (SELECT id FROM g)', 'c WHERE c.id = p.id AND c.id < (SELECT max(id) FROM g)',
	'(SELECT id FROM c WHERE id IN (SELECT id FROM g)) c WHERE c.id = p.id',
	'c LEFT JOIN (SELECT id FROM g) g ON g.id = c.id WHERE c.id = p.id',
	'(SELECT id FROM g) g FULL JOIN (SELECT id FROM c) c ON g.id = c.id WHERE c.id = p.id',
	'(SELECT id FROM g UNION ALL SELECT id FROM c) u WHERE u.id = p.id']) item
	UNION ALL SELECT format('SELECT p.id, (SELECT count(*) FROM %s) FROM p WHERE false', item)
	FROM unnest(ARRAY['g WHERE g.id = p.id', 'c WHERE c.id = p.id AND EXISTS (SELECT FROM g WHERE g.id = c.id)']) item) q;
RESET ROLE;

SET LOCAL ROLE jsonrow_unnest_reader;
SELECT pg_temp.test(1, $$SELECT s, (SELECT json_agg(name ORDER BY name) FROM p WHERE p.id = secret.pid) FROM secret
	ORDER BY s$$);
RESET ROLE;

-- Beside them it is right.
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id), now() IS NULL FROM p
	ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT j.name, (SELECT json_agg(s ORDER BY c.id) FROM c WHERE pid = j.id) FROM
	(p JOIN (SELECT id AS gid FROM g) g ON g.gid = p.id) AS j ORDER BY j.name$$);
SELECT pg_temp.test(1, $$SELECT j.name, (SELECT json_agg(s ORDER BY c.id) FROM c WHERE pid = j.id) FROM
	((p LEFT JOIN LATERAL (SELECT count(*) AS n FROM g WHERE cid = p.id) b ON true) JOIN (SELECT id AS gid FROM g) d
	ON d.gid = p.id) AS j WHERE j IS NOT NULL ORDER BY j.name$$);
SELECT pg_temp.test(1, $$SELECT name, id, (SELECT json_agg(s ORDER BY c.id) FROM c WHERE pid = p.id) FROM p FULL JOIN g
	USING (id) ORDER BY id, name$$);
SELECT pg_temp.test(1, $$SELECT name, g.id, (SELECT json_agg(s ORDER BY c.id) FROM c WHERE pid = p.id)
	FROM g LEFT JOIN p
	USING (id) ORDER BY g.id, name$$);
SELECT pg_temp.test(2, $$SELECT name, (SELECT json_agg(tableoid::regclass::text || s ORDER BY id) FROM c
	WHERE pid = p.id
	AND ctid IS NOT NULL) IS NULL, (SELECT count(*) FROM parted WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM base WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(1, $$SELECT name, (SELECT json_agg(s ORDER BY id) FROM stored WHERE pid = p.id) FROM p
	ORDER BY name$$);
SELECT pg_temp.test(2, $$SELECT name, (SELECT json_agg(w ORDER BY c.id) FROM c, LATERAL (SELECT * FROM g
	WHERE cid = c.id
	ORDER BY id LIMIT 1) x WHERE pid = p.id) FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT b.s, (SELECT json_agg(w ORDER BY g.id) FROM g WHERE cid = b.id)
	FROM barrier b ORDER BY b.s$$);

-- Conditions on what a collection gives, which the planner may evaluate before it joins: for rows that no parent
-- reaches (here the sum of 99's is 0), or that row-level security hides
CREATE TABLE orphan (id int, pid int, v int, arr int[], a text COLLATE "C", b text COLLATE "POSIX");
INSERT INTO orphan SELECT i, i % 7, i, '{1}', 'x', 'y' FROM generate_series(1, 20) i;
INSERT INTO orphan VALUES (100, 99, 5, '{1}', NULL, 'y'), (101, 99, -5, '{1,2}', 'x', 'y');
CREATE VIEW summed AS SELECT p.id, (SELECT sum(v) FROM orphan WHERE pid = p.id) AS s FROM p;
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, $$SELECT p.id, x.s FROM p LEFT JOIN LATERAL (SELECT sum(v) AS s FROM orphan WHERE pid = p.id) x ON true
		WHERE 10 / x.s > -100 ORDER BY 1$$),
	(0, $$SELECT * FROM (SELECT p.id, (SELECT sum(v) FROM orphan WHERE pid = p.id) AS s FROM p) q
		WHERE 10 / q.s > -100 ORDER BY 1$$),
	(0, $$SELECT * FROM summed WHERE 10 / s > -100 ORDER BY 1$$),
	(0, $$SELECT * FROM (SELECT id, 10 / s AS d FROM summed) q WHERE d > 0 ORDER BY 1$$),
	(0, $$SELECT summed.id FROM summed JOIN g ON g.id = 18 / summed.s ORDER BY 1$$),
	(0, $$SELECT s, count(*) FROM summed GROUP BY s HAVING 10 / s < 100 ORDER BY 1$$),
	(0, $$WITH q AS (SELECT * FROM summed) SELECT * FROM q WHERE 10 / s > -100 ORDER BY 1$$),
	(1, $$SELECT * FROM summed UNION ALL SELECT * FROM (SELECT * FROM summed) q WHERE 10 / s > -100 ORDER BY 1$$),
	(0, $$SELECT p.id FROM p WHERE p.id IN (SELECT 10 / s FROM summed) ORDER BY 1$$),
	(0, $$SELECT p.id FROM p WHERE EXISTS (SELECT FROM summed WHERE 10 / s > p.id) ORDER BY 1$$),
	(0, $$SELECT summed.id, f FROM summed, LATERAL generate_series(1, 10 / s) f ORDER BY 1, 2$$),
	(0, $$SELECT * FROM summed WHERE quiet(s::int) ORDER BY 1$$),
	(0, $$SELECT name, (SELECT count(*) FROM orphan WHERE v = k) FROM (SELECT name, id, 1 / id AS k FROM p) s
		WHERE id > 0 ORDER BY 1$$),
	(0, $$SELECT * FROM summed WHERE s > 0 ORDER BY 1$$),
	(1, $$SELECT id, s FROM summed ORDER BY s, id$$),
	(1, $$WITH q AS (SELECT * FROM summed) SELECT json_agg(q ORDER BY id) FROM q$$),
	(0, $$SELECT name, (SELECT json_agg(ARRAY(SELECT arr FROM orphan o WHERE o.pid = orphan.pid)) FROM orphan
		WHERE pid = p.id) FROM p ORDER BY name$$),
	(0, $$SELECT name, (SELECT count(*) FROM orphan WHERE pid = p.id AND coalesce(a, b) = 'x' AND id < 50)
		FROM p ORDER BY name$$),
	(0, $$SELECT name, (SELECT json_agg(DISTINCT m) FROM (VALUES (1, 1.0), (1, 1.00)) v(pid, m) WHERE pid = p.id)
		FROM p ORDER BY name$$)) t(joins, query);
-- an empty document tells of whole rows in it what it told before
SELECT pg_temp.test(1, $$SELECT name, (SELECT jsonrow_agg((SELECT e FROM (SELECT q AS f) e) ORDER BY q.id)
	FROM (SELECT id, pid, s FROM c WHERE pid = p.id ORDER BY id) q) FROM p ORDER BY name$$);
-- a key that can only be hashed, with an aggregate that sorts
CREATE TABLE hashed AS SELECT id, pid::text::xid AS x FROM c;
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(hashed.id ORDER BY hashed.id) FROM hashed
	WHERE x = p.id::text::xid)
	FROM p ORDER BY name$$);
-- a list of which something later looks at the collection, and one that is joined by columns of a join
SELECT pg_temp.test(0, $$SELECT p.id, x.n, z.g FROM p, LATERAL (SELECT count(*) AS n FROM c WHERE c.pid = p.id) x,
	(p p2 LEFT JOIN LATERAL (SELECT x.n + p2.id AS g OFFSET 0) z ON true) FULL JOIN (VALUES (1), (7)) v(v) ON v.v =
	p2.id
	ORDER BY 1, 2, 3$$);
SELECT pg_temp.test(1, $$SELECT id, x.n, (SELECT count(*) FROM c WHERE c.pid = p.id) FROM p
	FULL JOIN g w USING (id), LATERAL (SELECT count(*) AS n FROM c WHERE c.pid = p.id) x ORDER BY 1$$);

-- Row-level security of the parents hides their children from conditions of the query, too.
CREATE TABLE owned (id int, owner text);
CREATE TABLE kept (pid int, v int);
INSERT INTO owned VALUES (1, 'reader'), (2, 'other'), (3, 'reader');
INSERT INTO kept VALUES (1, 1), (2, 4711), (3, 11), (4, 4712);
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
ALTER TABLE owned FORCE ROW LEVEL SECURITY;
CREATE POLICY readers ON owned USING (owner = 'reader');
CREATE VIEW seen AS SELECT owned.id, (SELECT sum(v) FROM kept WHERE pid = owned.id) AS s FROM owned;
ALTER VIEW seen OWNER TO jsonrow_unnest_reader;
GRANT SELECT ON owned, kept, seen TO jsonrow_unnest_reader;
CREATE FUNCTION pg_temp.leak(s bigint) RETURNS boolean STABLE STRICT COST 0.1 LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('leak.seen', current_setting('leak.seen', true) || ' ' || s, true);
	RETURN true;
END $$;
SET LOCAL ROLE jsonrow_unnest_reader;
SET LOCAL leak.seen = '';
SET LOCAL jsonrow.unnest = on;
SELECT is((SELECT count(*) FROM seen WHERE pg_temp.leak(s)), 2::bigint, 'rows that row-level security leaves');
SELECT is((SELECT array_agg(s ORDER BY s)
	FROM unnest(string_to_array(trim(current_setting('leak.seen')), ' ')::int[]) s),
	'{1,11}', 'a condition sees nothing of what row-level security hides');
SET LOCAL jsonrow.unnest = off;
RESET ROLE;

-- Who may not call what joins need has subqueries.
REVOKE EXECUTE ON FUNCTION pg_is_other_temp_schema(oid), int4eq(int, int) FROM PUBLIC;
SELECT pg_temp.test(0, $$SELECT name, (SELECT jsonrow_agg_json('{id}', id ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
SELECT pg_temp.test(0, $$SELECT name, (SELECT json_agg(id ORDER BY id) FROM c WHERE pid = p.id)
	FROM p ORDER BY name$$);
GRANT EXECUTE ON FUNCTION pg_is_other_temp_schema(oid), int4eq(int, int) TO PUBLIC;

-- Cursors: back, and updated where they are
SET LOCAL jsonrow.unnest = on;
DECLARE at CURSOR FOR SELECT id, (SELECT count(*) FROM c WHERE pid = p.id) FROM p;
MOVE 2 FROM at;
SELECT lives_ok('MOVE BACKWARD 1 FROM at', 'a cursor goes back');
SELECT lives_ok($$UPDATE p SET name = name WHERE CURRENT OF at$$, 'a row is updated where a cursor is');
CLOSE at;
SET LOCAL jsonrow.unnest = off;

-- Planning: nested documents are planned once more at each level, up to a point.
CREATE FUNCTION pg_temp.levels(n int) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('(SELECT jsonrow_agg(''{id,d}'', c%s.id, ', i), '' ORDER BY i) || '1' ||
		string_agg(format(') FROM c c%s WHERE c%1$s.pid = c%s.id)', i, i - 1), '' ORDER BY i DESC)
	FROM generate_series(1, n) i $$;
CREATE FUNCTION pg_temp.plan_lines(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	line text;
	n bigint := 0;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		n := n + 1;
	END LOOP;
	RETURN n;
END $$;
SET LOCAL jsonrow.unnest = on;
SELECT cmp_ok(pg_temp.plan_lines(format('SELECT %s FROM c c0', pg_temp.levels(10))), '<', 700::bigint,
	'the plan of ten levels of documents');
SELECT cmp_ok(pg_temp.plan_lines(format('SELECT %s FROM p',
	(SELECT string_agg('(SELECT count(*) FROM c WHERE pid = p.id)', ', ') FROM generate_series(1, 40)))),
	'<', 500::bigint,
	'the plan of forty collections beside each other');
SET LOCAL jsonrow.unnest = off;

-- A cast that comes later: its function must not be called for a row that no parent reaches.
CREATE TABLE moods (pid int, m mood);
INSERT INTO moods VALUES (1, 'fine'), (200, 'bad');
CREATE FUNCTION as_json(mood) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
	IF $1 = 'bad' THEN
		RAISE 'bad';
	END IF;
	RETURN '"well"';
END $$;
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE moods AS SELECT name, (SELECT json_agg(m)::text FROM moods WHERE pid = p.id) AS m FROM p;
SELECT is(pg_temp.groupings('EXECUTE moods', 'on'), 1, 'joins: a prepared statement');
SET LOCAL jsonrow.unnest = on;
EXECUTE moods \g /dev/null
CREATE CAST (mood AS json) WITH FUNCTION as_json(mood);
SELECT lives_ok('EXECUTE moods', 'a cast created after it was planned');
DROP CAST (mood AS json);
SET LOCAL jsonrow.unnest = off;
RESET plan_cache_mode;

-- The choice: not for a few rows that have an index, but for many; and not below the threshold
SET LOCAL jsonrow.unnest_above_cost = DEFAULT;
CREATE TABLE many AS SELECT i AS id, i % 5000 AS pid, 'child ' || i AS s FROM generate_series(1, 50000) i;
CREATE INDEX ON many (pid);
CREATE TABLE parents AS SELECT i AS id, i % 50 AS w FROM generate_series(0, 4999) i;
ALTER TABLE parents ADD PRIMARY KEY (id);
ANALYZE many, parents;
SELECT is(pg_temp.groupings(format('SELECT id, (SELECT json_agg(s) FROM many WHERE pid = parents.id) FROM parents
	WHERE id < %s', n), 'on'), joins, format('%s parents: %s joins', n, joins))
FROM (VALUES (10, 0), (100, 0), (5000, 1)) v(n, joins);
-- Of what stands beside it, few rows are expected, and kept in memory: that is not all that the query costs.
CREATE TABLE rare AS SELECT i AS id, (i < 1000)::int AS v FROM generate_series(0, 4999) i;
ANALYZE rare;
SELECT is(pg_temp.groupings('SELECT parents.id, k.id, (SELECT json_agg(s) FROM many WHERE pid = parents.id) FROM
	parents
	LEFT JOIN rare k ON k.id = parents.w AND k.v > 1 ORDER BY parents.id', 'on'), 1, 'beside what is kept');
-- A LIMIT for each parent that cuts nothing is as good as none; one that cuts leaves the walk down an index. Of what
-- is joined, statistics tell how many rows belong to each.
CREATE TABLE names AS SELECT i AS id, 'name ' || i AS name FROM generate_series(0, 49999) i;
ALTER TABLE names ADD PRIMARY KEY (id);
CREATE TABLE nicknames AS SELECT i % 500 AS name, 'nick ' || i AS nick FROM generate_series(0, 49999) i;
CREATE INDEX ON nicknames (name);
CREATE TABLE few AS SELECT id, pid, s FROM many WHERE id < 15000;
CREATE INDEX ON few (pid);
ANALYZE names, nicknames, few;
CREATE FUNCTION pg_temp.first_rows(source text, count int) RETURNS int LANGUAGE sql AS $$
	SELECT pg_temp.groupings(format('SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM %s LIMIT %s) x) FROM parents',
		source, count), 'on')
$$;
SELECT is(pg_temp.first_rows(source, count), joins, format('LIMIT %s of %s', count, source))
FROM (VALUES ('few WHERE pid = parents.id', 1000, 1), ('few WHERE pid = parents.id', 1, 0),
	('many JOIN names ON names.id = length(many.s) WHERE many.pid = parents.id', 1000, 1),
	('many JOIN nicknames n ON n.name = many.pid WHERE many.pid = parents.id', 2000, 1),
	('many JOIN nicknames n ON n.name = many.pid WHERE many.pid = parents.id', 500, 0)) v(source, count, joins);
INSERT INTO few SELECT 50000 + i, 7, 'child' FROM generate_series(1, 5000) i;
ANALYZE few;
SELECT is(pg_temp.first_rows('few WHERE pid = parents.id', 1000), 0, 'one parent has many more');
DROP INDEX many_pid_idx;
SELECT is(pg_temp.groupings('SELECT id, (SELECT json_agg(s) FROM many WHERE pid = parents.id) FROM parents
	WHERE id < 100', 'on'), 1, '100 parents, but no index');
SET LOCAL jsonrow.unnest_above_cost = 1e12;
SELECT is(pg_temp.groupings('SELECT id, (SELECT json_agg(s) FROM many WHERE pid = parents.id) FROM parents', 'on'), 0,
	'below the threshold nothing is tried');

SELECT * FROM finish();
ROLLBACK;
