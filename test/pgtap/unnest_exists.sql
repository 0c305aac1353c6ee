-- Conditions that a collection is not NULL, as those of PostgREST's !inner: they ask whether it has rows.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(771);

CREATE TABLE p (id int PRIMARY KEY, k int, name text);
INSERT INTO p SELECT i, nullif(i % 9, 0), 'p' || i % 50 FROM generate_series(1, 100) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, k int, v int, s text, f float8);
-- Nobody has more of them than the parent that nobody has.
INSERT INTO c SELECT i, 1 + i * 13 % 70, i % 9, i % 4, 's' || i, i / 7.0 FROM generate_series(1, 200) i;
INSERT INTO c SELECT 1000 + i, CASE i % 3 WHEN 0 THEN -1 WHEN 1 THEN NULL ELSE 200 END, 0, 0 FROM
	generate_series(1, 300) i;
CREATE TABLE g (id int PRIMARY KEY, cid int, v int);
INSERT INTO g SELECT i, 1 + i * 17 % 150, 1 + i % 5 FROM generate_series(1, 200) i;
CREATE TABLE floats AS SELECT i AS id, i * 7919 % 1000 AS uid, (i * 7919 % 1013) * 0.1 + 1e9 * (i % 7 - 3)::float8
	AS fl
FROM generate_series(1, 20000) i;
CREATE INDEX ON floats (uid);
CREATE TABLE few AS SELECT i * 17 % 900 AS pid, 1 AS x FROM generate_series(1, 8) i;
ANALYZE;

-- p with a collection, and what is asked of it
CREATE FUNCTION pg_temp.inner(rows text, tail text DEFAULT '', value text DEFAULT 'json_agg(x)')
RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT p.id, p.name, a.d FROM p JOIN LATERAL (SELECT %s d FROM (%s) x) a ON a.d IS NOT NULL %s',
	value,
		rows, coalesce(nullif(tail, ''), 'ORDER BY p.id')) $$;
CREATE TEMP VIEW rows AS SELECT 'SELECT c.id, v FROM c WHERE c.pid = p.id ORDER BY c.id'::text AS of_c;

-- All of them, and pages
SELECT pg_temp.test(1, pg_temp.inner(of_c, tail)) FROM rows, unnest(ARRAY['', 'WHERE p.k > 3 ORDER BY p.id',
	'ORDER BY p.name, p.id LIMIT 7', 'ORDER BY p.name, p.id LIMIT 7 OFFSET 9', 'WHERE p.k = 3 ORDER BY p.id DESC LIMIT
	5',
	'WHERE a.d IS NOT NULL ORDER BY p.id', 'ORDER BY p.id LIMIT 1000 OFFSET 0']) tail;
-- ... as arrays, as jsonb, and of what is not NULL only if a value is not
SELECT pg_temp.test(joins, pg_temp.inner(of_c, tail, value))
FROM rows, unnest(ARRAY['', 'ORDER BY p.name, p.id LIMIT 7']) tail,
	(VALUES (1, 'json_agg(x)::jsonb'), (1, 'jsonb_agg(x)'), (1, 'array_agg(x.v)'), (1, 'json_agg(x.v)::text'),
		(0, 'string_agg(nullif(x.v, 1)::text, '','')'), (0, 'json_agg(x) FILTER (WHERE x.v = 1)'), (0, 'max(nullif(x.v,
	1))'),
		(0, 'nullif(json_agg(x)::text, ''[]'')'), (0, 'CASE WHEN count(*) > 2 THEN json_agg(x) END')) q(joins, value);
-- ... where it is left-joined, and asked for afterwards; or not all by itself
SELECT pg_temp.test(joins, format('SELECT p.id, a.d FROM p %s JOIN LATERAL (SELECT json_agg(x) d FROM (%s) x) a ON
	%s
	WHERE %s ORDER BY p.name, p.id %s', kind, of_c, quals, condition, page))
FROM rows, unnest(ARRAY['', 'LIMIT 5']) page, (VALUES (1, 'LEFT', 'true', 'a.d IS NOT NULL'),
	(1, 'LEFT', 'true', 'a.d IS NOT NULL AND p.k > 2'), (1, 'INNER', 'a.d IS NOT NULL AND p.k > 2', 'a.d IS NOT NULL'),
	(0, 'LEFT', 'a.d IS NOT NULL', 'true'), (0, 'LEFT', 'p.k > 5', 'a.d IS NOT NULL'), (1, 'INNER', 'true', 'a.d IS
	NULL'), (1, 'LEFT', 'true', 'a.d IS NULL AND p.k > 2'), (0, 'LEFT', 'a.d IS NULL', 'true'),
	(0, 'INNER', 'a.d IS NOT NULL', 'a.d IS NULL'),
	(0, 'INNER', 'a.d IS NOT NULL OR p.k > 5', 'true'), (0, 'INNER', 'NOT a.d IS NULL', 'true'),
	(0, 'INNER', '(a IS NOT NULL)', 'true')) q(joins, kind, quals, condition);
-- ... and of those that have nothing, as PostgREST asks by is.null
CREATE FUNCTION pg_temp.none(rows text, tail text DEFAULT '', value text DEFAULT 'json_agg(x)')
RETURNS text LANGUAGE sql AS $$ SELECT replace(pg_temp.inner(rows, tail, value), 'IS NOT NULL', 'IS NULL') $$;
SELECT pg_temp.test(1, pg_temp.none(of_c, tail)) FROM rows, unnest(ARRAY['', 'WHERE p.k > 3 ORDER BY p.id',
	'ORDER BY p.name, p.id LIMIT 7', 'ORDER BY p.name, p.id LIMIT 7 OFFSET 9',
	'WHERE a.d IS NOT NULL ORDER BY p.id']) tail;
SELECT pg_temp.test(joins, pg_temp.none(of_c, tail, value))
FROM rows, unnest(ARRAY['', 'ORDER BY p.name, p.id LIMIT 7']) tail,
	(VALUES (1, 'json_agg(x)::jsonb'), (1, 'array_agg(x.v)'), (0, 'max(nullif(x.v, 1))'),
		(0, 'json_agg(x) FILTER (WHERE x.v = 1)')) q(joins, value);
SELECT pg_temp.test(1, pg_temp.none('SELECT c.id FROM c JOIN g ON g.cid = c.id WHERE c.pid = p.id AND g.v > 2
	LIMIT ' || most)) FROM unnest('{3,1000}'::text[]) most;
SELECT pg_temp.test(0, pg_temp.none('SELECT id FROM c WHERE pid = p.id LIMIT 0'));
SELECT pg_temp.test(0, pg_temp.none('SELECT id FROM c WHERE pid = p.id AND 10 / v > 2 ORDER BY id', 'WHERE p.id IN
	(4, 8)'));
SELECT pg_temp.test(0, pg_temp.none(of_c, 'WHERE p.k > 3 AND 10 / (p.k - 3) > 1 ORDER BY p.id')) FROM rows;
SELECT pg_temp.test(0, format('SELECT json_agg(q ORDER BY q.id) FROM (SELECT p.id%s FROM p JOIN LATERAL (SELECT
	json_agg(10 / v) d FROM c WHERE pid = p.id) a ON a.d IS NULL) q', used)) FROM unnest(ARRAY['', ', a.d']) used;
-- ... where another join makes it NULL
SELECT pg_temp.test(0, format('SELECT q.id, p.id AS pid, a.d::text FROM p q %s JOIN (p JOIN LATERAL (SELECT
	json_agg(x) d FROM (%s) x) a
	ON a.d IS NOT NULL) ON p.id = q.k ORDER BY q.id, p.id', kind, of_c)) FROM rows, unnest(ARRAY['LEFT', 'FULL']) kind;
SELECT pg_temp.test(0, format('SELECT q.id, p.id AS pid, a.d::text FROM p q LEFT JOIN (p JOIN LATERAL (SELECT
	json_agg(x) d FROM (%s) x) a
	ON true) ON p.id = q.k WHERE a.d IS NOT NULL ORDER BY q.id, p.id', of_c)) FROM rows;

-- Which rows of the collection there are
SELECT pg_temp.test(joins, pg_temp.inner(rows, tail)) FROM unnest(ARRAY['', 'ORDER BY p.name, p.id LIMIT 7']) tail,
	(VALUES
	(1, 'SELECT * FROM c WHERE pid = p.id AND v = 1 ORDER BY id'),
	(1, 'SELECT * FROM c WHERE pid = p.id AND c.k = p.k ORDER BY id'),
	(1, 'SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT 1000 OFFSET 0'),
	(2, 'SELECT c.id, y.w FROM c LEFT JOIN LATERAL (SELECT json_agg(g.v ORDER BY g.id) w FROM g WHERE cid = c.id) y
		ON true WHERE pid = p.id ORDER BY c.id LIMIT 1000 OFFSET 0'),
	(2, 'SELECT c.id, y.w FROM c LEFT JOIN LATERAL (SELECT json_agg(z) w FROM (SELECT * FROM g WHERE cid = c.id ORDER BY
		v, id LIMIT 2) z) y ON true WHERE pid = p.id ORDER BY c.v, c.id LIMIT 3'),
	(1, 'SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT 1'),
	(0, 'SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT 0'),
	(0, 'SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT 2 OFFSET 2'),
	(0, 'SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT NULL'),
	(0, 'SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT (SELECT 3 - count(*) FROM p)'),
	(0, 'SELECT x.id FROM (SELECT * FROM c WHERE v > 0 OFFSET 0) x WHERE x.pid = p.id ORDER BY id'),
	(0, 'SELECT x.id FROM (SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT 3) x WHERE v = 1 ORDER BY id'),
	(0, 'SELECT count(*) FROM c WHERE pid = p.id GROUP BY v ORDER BY 1'),
	(0, 'SELECT DISTINCT v FROM c WHERE pid = p.id ORDER BY 1'),
	(0, 'SELECT v FROM c WHERE pid = p.id UNION SELECT 1 FROM g WHERE cid = p.id ORDER BY 1'),
	(0, 'SELECT generate_series(1, v) FROM c WHERE pid = p.id'),
	(1, 'SELECT c.id, g.v FROM c JOIN g ON g.cid = c.id WHERE pid = p.id ORDER BY c.id, g.id'),
	(1, 'SELECT c.id, g.v FROM c LEFT JOIN g ON g.cid = c.id WHERE pid = p.id ORDER BY c.id, g.id'),
	(1, 'SELECT c.id, g.v FROM c LEFT JOIN g ON g.cid = c.id WHERE pid = p.id AND g.v > 2 ORDER BY c.id, g.id'),
	(1, 'SELECT c.id FROM c WHERE pid = p.id AND EXISTS (SELECT FROM g WHERE cid = c.id) ORDER BY c.id'),
	(1, 'SELECT c.id FROM c WHERE pid >= p.id ORDER BY c.id')) q(joins, rows);

-- ... if these need not be the same whenever they are read
SELECT pg_temp.test(0, pg_temp.inner(rows, tail)) FROM unnest(ARRAY['', 'ORDER BY p.name, p.id LIMIT 7']) tail, (VALUES
	('SELECT x.id FROM (SELECT DISTINCT ON (pid) * FROM c WHERE pid = p.id ORDER BY pid, id) x WHERE v > 0'),
	('SELECT x.id FROM (SELECT * FROM c WHERE pid = p.id LIMIT 2) x WHERE v > 1 ORDER BY id'),
	('SELECT x.id FROM (SELECT *, row_number() OVER () n FROM c WHERE pid = p.id) x WHERE n > 1 ORDER BY id'),
	('SELECT id FROM c WHERE pid = p.id AND v > (SELECT g.v FROM g LIMIT 1) ORDER BY id')) q(rows);

-- Nested, and beside one another
SELECT pg_temp.test(2, pg_temp.inner('SELECT c.id, b.d FROM c JOIN LATERAL (SELECT json_agg(y) d FROM (SELECT id, v
	FROM g
	WHERE cid = c.id ORDER BY id) y) b ON b.d IS NOT NULL WHERE pid = p.id ORDER BY c.id' || page, tail))
FROM unnest(ARRAY['', 'ORDER BY p.name, p.id LIMIT 7']) tail, unnest(ARRAY['', ' LIMIT 1000 OFFSET 0', ' LIMIT 2'])
	page;
SELECT pg_temp.test(2, pg_temp.inner('SELECT c.id, b.d FROM c LEFT JOIN LATERAL (SELECT json_agg(y) d FROM (SELECT
	id, v FROM g
	WHERE cid = c.id ORDER BY id) y) b ON true WHERE pid = p.id ORDER BY c.id', tail))
FROM unnest(ARRAY['', 'ORDER BY p.name, p.id LIMIT 7']) tail;
SELECT pg_temp.test(2, format('SELECT p.id, a.d, b.d e FROM p JOIN LATERAL (SELECT json_agg(x) d FROM (%s) x) a ON
	a.d IS NOT NULL
	%s JOIN LATERAL (SELECT json_agg(g.id ORDER BY g.id) d FROM g WHERE cid = p.id AND v > 2) b ON %s ORDER BY p.name,
	p.id %s', of_c,
	kind, quals, page)) FROM rows, unnest(ARRAY['', 'LIMIT 5']) page,
	(VALUES ('LEFT', 'true'), ('INNER', 'true'), ('INNER', 'b.d IS NOT NULL')) q(kind, quals);
SELECT pg_temp.test(1, format('WITH s AS (SELECT p.id, p.name, a.d FROM p JOIN LATERAL (SELECT json_agg(x)::jsonb d
	FROM (%s) x) a
	ON a.d IS NOT NULL WHERE p.k > 1 ORDER BY p.name, p.id %s) SELECT count(*), coalesce(json_agg(s), ''[]'')::text
	FROM
	(SELECT * FROM s) s', of_c, page)) FROM rows, unnest(ARRAY['', 'LIMIT 5', 'LIMIT 1000 OFFSET 0']) page;

-- Of a view, and of a subquery
CREATE VIEW some_p AS SELECT id, name, k FROM p WHERE k > 1;
CREATE VIEW some_c AS SELECT c.id, c.pid, c.v, lower(s) AS s FROM c WHERE v > 0;
SELECT pg_temp.test(joins, format('SELECT p.id, p.k, a.d FROM %s JOIN LATERAL (SELECT json_agg(x) d FROM (SELECT
	c.id, s FROM some_c c
	WHERE c.pid = p.%s ORDER BY c.id) x) a ON a.d IS NOT NULL ORDER BY p.name, p.id %s', parents, key, page))
FROM unnest(ARRAY['', 'LIMIT 5']) page, (VALUES (1, 'some_p p', 'id'), (0, '(SELECT *, 10 / (k - 1) AS q FROM p
	WHERE k > 1) p', 'q'),
	(1, '(SELECT * FROM p WHERE k < 7) p', 'id'), (1, '(SELECT * FROM p ORDER BY id DESC LIMIT 40) p', 'id'))
	q(joins, parents, key);

-- Errors for rows that are not reached: what is asked of these stays, or is asked in the same order.
SELECT pg_temp.test(0, pg_temp.inner('SELECT id FROM c WHERE pid = p.id AND 10 / v > 2 ORDER BY id', 'WHERE p.id IN
	(4, 8)'));
SELECT pg_temp.test(0, pg_temp.inner(of_c, 'WHERE p.k > 3 AND 10 / (p.k - 3) > 1 ORDER BY p.id')) FROM rows;
SELECT pg_temp.test(0, format('SELECT p.id, a.d FROM (SELECT *, 10 / (id - 1) AS x FROM p) p JOIN LATERAL (SELECT
	json_agg(c.id ORDER BY id)
	d FROM c WHERE pid = p.x) a ON a.d IS NOT NULL WHERE p.id > 1 ORDER BY p.id'));
-- ... of values, too: nobody might use the collection otherwise, and one beside it might be computed first.
SELECT pg_temp.test(0, format('SELECT json_agg(q ORDER BY q.id) FROM (SELECT p.id%s FROM p JOIN LATERAL (SELECT
	json_agg(10 / v%s) d
	FROM c WHERE pid = p.id%s) a ON a.d IS NOT NULL) q', used, sorted, condition))
FROM unnest(ARRAY['', ', a.d']) used, unnest(ARRAY['', ' ORDER BY 5 / (v - 2)']) sorted,
	unnest(ARRAY['', ' AND v > 2']) condition;
SELECT pg_temp.test(0, format('SELECT json_agg(q ORDER BY q.id) FROM (SELECT p.id, a.d, b.e FROM p JOIN LATERAL
	(SELECT json_agg(v
	ORDER BY id) d FROM c WHERE pid = p.id AND v > 0) a ON a.d IS NOT NULL CROSS JOIN LATERAL (SELECT sum(10 / (p.id -
	71 + g.v - g.v)) e
	FROM g WHERE %s) b) q', condition)) FROM unnest(ARRAY['cid = p.id', 'true', 'cid >= p.id']) condition;
-- ... of what LIMIT takes in no order, or of rows that are equal in it
SELECT pg_temp.test(joins, format('SELECT json_agg(q ORDER BY q.id) FROM (SELECT p.id, %s x, z.d FROM p JOIN
	LATERAL (SELECT json_agg(c.id
	ORDER BY c.id) d FROM c WHERE c.pid = p.id) z ON z.d IS NOT NULL %s LIMIT 50) q', value, sort))
FROM (VALUES (0, '10 / (p.id - 69)', 'ORDER BY p.k'), (0, '10 / (p.id - 69)', 'WHERE p.id < 70'), (1, 'p.name',
	'ORDER BY p.id'))
	q(joins, value, sort);
SELECT pg_temp.test(0, 'SELECT json_agg(10 / (q.id - 69) ORDER BY q.id) FROM (SELECT p.id, z.d FROM p JOIN LATERAL
	(SELECT
	json_agg(c.id ORDER BY c.id) d FROM c WHERE c.pid = p.id) z ON z.d IS NOT NULL ORDER BY p.k LIMIT 50) q');
-- Conditions of other queries keep their order.
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{}'), 'conditions elsewhere')
FROM (VALUES ('SELECT (SELECT json_agg(p.id ORDER BY p.id) FROM p JOIN LATERAL (SELECT count(*) n FROM c WHERE pid
	= p.id) b
	ON p.k + 0 <> 3 JOIN g ON 10 / (p.k - 3) > 1 AND g.id = 1), (SELECT json_agg(s.id ORDER BY s.id) FROM (SELECT
	g.id, z.d
	FROM g, LATERAL (SELECT json_agg(c.id ORDER BY c.id) d FROM c WHERE c.pid = g.id) z WHERE z.d IS NOT NULL) s)'))
	q(query);

-- Sums of floats depend on the order in which rows are read.
SELECT pg_temp.test(0, format('SELECT sum(f), json_agg(d::text ORDER BY d::text) FROM (SELECT q.f, a.d FROM c q
	JOIN LATERAL
	(SELECT json_agg(g.id ORDER BY g.id) d FROM g WHERE cid = q.id) a ON a.d IS NOT NULL) q'));
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{}'), 'sums of floats')
FROM (SELECT format('SELECT (%s), (SELECT json_agg(s ORDER BY s.id) FROM (SELECT id, (SELECT count(*) FROM c WHERE
	pid = p.id) FROM p) s)',
	sum) FROM (VALUES ('SELECT sum(f.fl) FROM floats f JOIN LATERAL (SELECT json_agg(a.x) d FROM few a WHERE a.pid =
	f.uid) z
	ON z.d IS NOT NULL'), ('SELECT sum(q.fl) FROM (SELECT f.fl, z.d FROM floats f JOIN LATERAL (SELECT json_agg(a.x) d
	FROM few a
	WHERE a.pid = f.uid) z ON z.d IS NOT NULL) q')) q(sum)) q(query);
-- An order that FROM has
SELECT pg_temp.test(joins, format('SELECT json_agg(q) FROM (SELECT p.id, a.d FROM (SELECT * FROM p ORDER BY name,
	id LIMIT 50) p
	JOIN LATERAL (SELECT json_agg(c.id ORDER BY id) d FROM c WHERE pid = p.id) a ON a.d IS NOT NULL %s) q', sort))
FROM (VALUES (0, ''), (1, 'ORDER BY p.id')) q(joins, sort);
-- PostgREST reads settings beside the aggregates: what its only row has in any case depends on no rows.  What is made
-- of the aggregates, does.
SELECT pg_temp.test(joins, format('WITH source AS (SELECT p.id, a.d FROM p JOIN LATERAL (SELECT json_agg(c.id
	ORDER BY id) d FROM c WHERE pid = p.id) a ON a.d IS NOT NULL ORDER BY name, p.id LIMIT 20)
	SELECT count(s) n, json_agg(s) AS body, %s AS headers FROM (SELECT * FROM source) s', headers))
FROM (VALUES (1, $$nullif(current_setting('response.headers', true), '')$$), (1, $$current_setting('datestyle')$$),
	(0, '10 / count(*)')) q(joins, headers);
SELECT * FROM finish();
ROLLBACK;
