-- A query around what jsonrow.unnest changes: PostgreSQL carries it out in the way that is cheapest then, which may be
-- another one, at default costs.  That gives no other rows and no new errors.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(165);

CREATE TABLE film (id int PRIMARY KEY, rating int);
INSERT INTO film SELECT i, i % 17 FROM generate_series(1, 1000) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int);
INSERT INTO c SELECT i, i % 1000 + 1, i % 4 FROM generate_series(1, 5000) i;
CREATE INDEX ON c (pid);
-- Rows in no order of theirs.  Of the last 50 of 200 groups some value cannot be divided by,
CREATE TABLE tails AS SELECT i % 200 AS k, CASE WHEN i % 200 > 150 THEN 0 ELSE 1 END AS y
FROM generate_series(1, 60000) i ORDER BY md5(i::text);
CREATE INDEX ON tails (k);
-- ... of rows of another kind,
CREATE TABLE kinds AS SELECT i % 200 AS k, CASE WHEN i > 59000 THEN 0 ELSE 1 END AS y,
	CASE WHEN i > 59000 THEN 'b' ELSE 'a' END AS kind FROM generate_series(1, 60000) i ORDER BY md5(i::text);
CREATE INDEX ON kinds (lower(kind), k);
-- ... or of rows that few ask for
CREATE TABLE asked AS SELECT i % 100000 AS k, CASE WHEN i % 100000 > 50000 THEN 0 ELSE 1 END AS y
FROM generate_series(1, 200000) i;
CREATE INDEX ON asked (k);
CREATE TABLE ends AS SELECT i AS k, CASE WHEN i > 30000 THEN 0 ELSE 1 END AS y
FROM generate_series(1, 60000) i ORDER BY md5(i::text);
CREATE INDEX ON ends (k);
CREATE TABLE few AS SELECT i AS k FROM generate_series(-99, 200) i;
CREATE INDEX ON few (k);
-- Groups whose sum, and whose key, depend on which row is read first
CREATE TABLE sums AS SELECT (i % 200)::float8 AS k, i * 7919 % 60013 AS w, (i % 7 - 3.3) * 10 ^ (i % 19) AS y
FROM generate_series(1, 60000) i;
CREATE INDEX ON sums (k, w, y);
CREATE TABLE equals AS SELECT CASE i % 3 WHEN 0 THEN (i % 200)::numeric WHEN 1 THEN (i % 200)::numeric(10, 1) ELSE
	(i % 200)::numeric(10, 2) END AS k, i * 7919 % 60013 AS w FROM generate_series(1, 60000) i;
CREATE INDEX ON equals (k, w);
-- What is looked up by two columns, not analyzed
CREATE TABLE looked (a int, b int, v int, UNIQUE (a, b));
-- An order of varchar that only an index of text has
CREATE TABLE named (id int, name varchar, y int, pad text);
ALTER TABLE named ALTER pad SET STORAGE PLAIN;
INSERT INTO named SELECT i, to_char(i, 'FM00000'), CASE WHEN i > 800 THEN 0 ELSE 1 END, repeat('x', 5000)
FROM generate_series(1, 1000) i ORDER BY md5(i::text);
CREATE INDEX ON named ((name::text));
CREATE FUNCTION kinds_of() RETURNS SETOF kinds STABLE LANGUAGE sql AS $$
	SELECT * FROM kinds WHERE 10 / y <> 7 AND lower(kind) = 'a' $$;
ANALYZE film, c, tails, kinds, asked, ends, few, sums, equals, named;
INSERT INTO looked SELECT i, i, i FROM generate_series(1, 1000) i;

-- The first films before what a row has, with children
CREATE FUNCTION pg_temp.first_films(value text, rows int) RETURNS text LANGUAGE sql AS $$
	SELECT format('(SELECT jsonb_agg(x) FROM (SELECT f.id, a.cs FROM film f LEFT JOIN LATERAL (SELECT json_agg(c.v
		ORDER BY c.id) AS cs FROM c WHERE c.pid = f.id) a ON true WHERE f.id < %s ORDER BY f.rating, f.id
		LIMIT %s) x)', value, rows) $$;
CREATE FUNCTION pg_temp.children(key text) RETURNS text LANGUAGE sql AS $$
	SELECT format('(SELECT json_agg(c.v ORDER BY c.id) FROM c WHERE c.pid = %s)', key) $$;

SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'another way: ' || query)
FROM (SELECT format(q, pg_temp.first_films('s.k', 5), pg_temp.children('s.k')) AS query FROM (VALUES
	-- An item that groups: by hash, or in the order of an index, which stops, or need not ask a condition
	('SELECT s.k, s.n, %1$s FROM (SELECT k, sum(10 / y) n FROM tails GROUP BY k LIMIT 120) s ORDER BY s.k'),
	('SELECT s.k, s.n, %1$s FROM (SELECT k, count(*) n FROM tails WHERE 10 / y <> 7 GROUP BY k LIMIT 120) s
		ORDER BY s.k'),
	('SELECT s.k, s.n, %2$s FROM (SELECT k, sum(10 / y) n FROM tails GROUP BY k LIMIT 120) s ORDER BY s.k'),
	('SELECT s.k, %1$s FROM (SELECT k, count(*) n FROM kinds WHERE 10 / y <> 7 AND lower(kind) = ''a'' GROUP BY k
		OFFSET 0) s ORDER BY s.k'),
	('SELECT s.k, %2$s FROM (SELECT k, count(*) n FROM kinds WHERE 10 / y <> 7 AND lower(kind) = ''a'' GROUP BY k
		OFFSET 0) s ORDER BY s.k'),
	('SELECT s.k, %1$s FROM kinds_of() s ORDER BY s.k LIMIT 100'),
	('SELECT s.k, %1$s FROM few s WHERE k > 0 UNION ALL (SELECT k, NULL FROM tails WHERE 10 / y <> 7 GROUP BY k
		LIMIT 120) ORDER BY 1'),
	-- ... and which values it shows
	('SELECT s.k, s.n, %1$s FROM (SELECT k, sum(y) n FROM sums GROUP BY k) s ORDER BY s.k'),
	('SELECT s.k, %1$s FROM (SELECT k FROM sums GROUP BY k HAVING sum(y)::text ~ ''[13579]$|[13579]e'') s ORDER BY s.k'),
	('SELECT s.k, s.n, %1$s FROM (SELECT k, count(*) n FROM equals GROUP BY k) s ORDER BY s.k'),
	('SELECT s.k, s.n, a.j FROM (SELECT k, count(*) n FROM equals GROUP BY k) s LEFT JOIN LATERAL (SELECT %2$s j) a
		ON true ORDER BY s.n, s.k LIMIT 20'),
	-- A set operation stops where its left side ends, in PostgreSQL 18
	('SELECT s.k, %1$s FROM (SELECT k FROM few WHERE k < 101 EXCEPT SELECT k FROM ends WHERE 10 / y <> 7) s
		ORDER BY s.k'),
	-- EXISTS reads all rows once, if many are expected to ask
	('SELECT s.k, (SELECT count(*) FROM c WHERE c.pid = s.k), EXISTS (SELECT 1 FROM asked a WHERE a.k = s.k AND
		10 / a.y > 1) FROM generate_series(1, 100) s(k) ORDER BY 1'),
	('SELECT s.k, (SELECT count(*) FROM c WHERE c.pid = s.k AND c.v = s.j), EXISTS (SELECT 1 FROM asked a
		WHERE a.k = s.k AND 10 / a.y > 1) FROM generate_series(1, 300) WITH ORDINALITY s(k, j) ORDER BY 1'),
	('SELECT s.k, l.v, EXISTS (SELECT 1 FROM asked a WHERE a.k = s.k AND 10 / a.y > 1) FROM few s LEFT JOIN LATERAL
		(SELECT v FROM looked WHERE a = s.k AND b = s.k LIMIT 1) l ON true ORDER BY 1')) f(q)) f;
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'an index of an expression')
FROM format('SELECT s.id, 10 / s.y, %s FROM named s ORDER BY s.name LIMIT 700', pg_temp.first_films('s.id', 2)) query;

-- PostgreSQL 18 computes some columns when it reads a table; below an outer join, for all rows that it reads.
SELECT current_setting('server_version_num')::int >= 180000 AS has_virtual \gset
\if :has_virtual
CREATE TABLE parents AS SELECT i * 20 AS id FROM generate_series(1, 2000) i;
CREATE UNIQUE INDEX ON parents (id);
CREATE TABLE computed (k int, a int, pad text, b int GENERATED ALWAYS AS (coalesce(10 / a, 0)) VIRTUAL);
ALTER TABLE computed ALTER pad SET STORAGE PLAIN;
INSERT INTO computed (k, a, pad) SELECT i, CASE WHEN i > 50000 THEN 0 ELSE 1 END, repeat('x', 90)
FROM generate_series(1, 60000) i ORDER BY md5(i::text);
CREATE INDEX ON computed (k);
ANALYZE parents, computed;
\endif
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'computed: ' || query) FROM (VALUES (pg_temp.first_films('p.id', 2)), (pg_temp.children('p.id'))) v(value),
	format('SELECT p.id, g.b, %s FROM parents p LEFT JOIN computed g ON g.k = p.id ORDER BY p.id', value) query
WHERE :'has_virtual';
SELECT skip(2) WHERE NOT :'has_virtual';

-- Such items remain where each way is the same.
SELECT pg_temp.test(1, format('SELECT s.k, s.n, %s FROM %s ORDER BY s.k', pg_temp.children('s.k'), item))
FROM unnest(ARRAY['(SELECT k, k AS n FROM tails ORDER BY k, y LIMIT 1000) s',
	'(SELECT k, y AS n FROM tails WHERE y = 1 AND k < 100 ORDER BY k, y LIMIT 1000) s']) item;
-- Something beside the parents that refers to none of them, and is computed if there are any
SELECT pg_temp.test(0, 'SELECT f.id, z.x, (SELECT count(*) FROM c WHERE c.pid = f.rating) FROM film f, (SELECT 10 /
	count(*) x
	FROM looked) z WHERE length(f.id::text) > 5 ORDER BY f.id');
SELECT pg_temp.test(1, 'SELECT f.id, z.x, (SELECT count(*) FROM c WHERE c.pid = f.rating) FROM film f, (SELECT
	count(*) x
	FROM looked) z ORDER BY f.id');
SELECT pg_temp.test(joins, format('SELECT q.id, z.x, q.n FROM (SELECT id, (SELECT count(*) FROM c WHERE c.pid =
	f.rating) n FROM film f
	WHERE length(id::text) > 5) q CROSS JOIN (SELECT %s x FROM looked) z ORDER BY q.id', value))
FROM (VALUES (0, '10 / count(*)'), (1, 'count(*)')) q(joins, value);
-- ... also if what it refers to is a constant
SELECT pg_temp.test(0, 'SELECT q.id, z.x, q.n FROM (SELECT id, 1 AS o, (SELECT count(*) FROM c WHERE c.pid =
	f.rating) n
	FROM film f WHERE length(id::text) > 5) q CROSS JOIN LATERAL (SELECT 10 / count(*) x FROM looked WHERE a = q.o
	AND b >= 10 / q.o) z ORDER BY q.id');
SELECT pg_temp.test(0, 'SELECT f.id, z.x, (SELECT count(*) FROM c WHERE c.pid = f.rating) FROM (SELECT *, 1 AS o
	FROM film) f
	CROSS JOIN LATERAL (SELECT 10 / count(*) x FROM looked WHERE a < f.o) z WHERE length(f.id::text) > 5 ORDER BY f.id');
-- ... and one that does, but not to what drops some of them
SELECT pg_temp.test(joins, format('SELECT json_agg(q ORDER BY q.id) FROM (SELECT f.id, z.x, (SELECT sum(v) FROM c
	WHERE c.pid = f.id)
	FROM film f CROSS JOIN LATERAL (SELECT sum(10 / (v + 1 + f.rating)) x FROM c WHERE c.pid = f.id) z %s) q', joined))
FROM (VALUES (0, 'JOIN few y ON y.k = f.rating'), (1, '')) q(joins, joined);
SELECT pg_temp.test(joins, format('SELECT json_agg(q ORDER BY q.id) FROM (SELECT f.id, z.x, (SELECT sum(v) FROM c
	WHERE c.pid = f.id) FROM (SELECT f.* FROM film f %s) f CROSS JOIN LATERAL (SELECT sum(10 / (v + 1 + f.rating)) x
	FROM c
	WHERE c.pid = f.id) z) q', joined))
FROM (VALUES (0, 'JOIN few y ON y.k = f.rating'), (1, '')) q(joins, joined);
SELECT pg_temp.test(joins, format('SELECT json_agg(r ORDER BY r.id) FROM (SELECT q.id, q.n, z.x FROM (SELECT f.id,
	f.rating,
	(SELECT sum(v) FROM c WHERE c.pid = f.id) n FROM film f %s) q CROSS JOIN LATERAL (SELECT sum(10 / (v + 1 +
	q.rating)) x FROM c
	WHERE c.pid = q.id) z) r', joined))
FROM (VALUES (0, 'JOIN few y ON y.k = f.rating'), (0, 'WHERE f.rating IN (SELECT k FROM few)'), (1, '')) q(joins,
	joined);
-- A value that is the same for all rows: a parallel plan would have it before it reads any.
SELECT pg_temp.test(joins, format('SELECT sum(CASE WHEN f.rating > 1000 THEN (SELECT %s FROM looked) ELSE f.rating
	END),
	max((SELECT count(*) FROM c WHERE c.pid = f.id)) FROM film f', value))
FROM (VALUES (0, '10 / count(*)'), (1, 'count(*)')) q(joins, value);
-- ... also if it refers to a row only as it is written
SELECT pg_temp.test(joins, format('SELECT sum(CASE WHEN f.rating > 1000 THEN (SELECT %s) ELSE f.rating END),
	max((SELECT count(*) FROM c WHERE c.pid = f.id)) FROM (SELECT *, 1 AS o FROM film) f', value))
FROM (VALUES (0, '10 / t.y FROM tails t WHERE f.id = 1 OR true LIMIT 1'), (0, 'max(10 / t.y) FROM tails t WHERE t.k
	= f.o'),
	(0, 'max(10 / t.y) FROM tails t WHERE t.k = f.rating AND t.y = NULL'), (0, 'max(10 / t.y) FROM tails t WHERE t.k =
	f.rating AND false'),
	(0, 'max(10 / s.y) FROM (SELECT y, k, 5 AS five FROM tails) s WHERE s.k = f.rating AND s.five = 6'),
	(0, 'max(10 / t.y) FROM tails t WHERE t.k = f.rating AND coalesce(5, t.y) = 6'),
	(0, 'max(10 / t.y) FROM tails t WHERE t.k = f.rating AND t.y = nullif(1, 1)'),
	(0, 'max(10 / t.y) FROM tails t WHERE t.k = f.rating AND CASE WHEN 1 = 2 THEN t.y ELSE 5 END = 6'),
	(1, 'max(10 / t.y) FROM tails t WHERE t.k = f.rating AND t.y > 0'),
	(0, 'max(10 / s.y) FROM (SELECT y, f.id FROM tails) s'), (1, 'max(10 / t.y) FROM tails t WHERE t.k = f.rating'))
	q(joins, value);
SELECT pg_temp.test(joins, format('SELECT f.rating, max((SELECT count(*) FROM c WHERE c.pid = f.id)) FROM film f
	GROUP BY f.rating, CASE WHEN f.rating > 1000 THEN (SELECT %s FROM looked) END ORDER BY 1', value))
FROM (VALUES (0, '10 / count(*)'), (1, 'count(*)')) q(joins, value);
SELECT pg_temp.test(1, 'SELECT (SELECT 10 / (1 + count(*)) FROM looked), (SELECT json_agg(q ORDER BY q.id) FROM
	(SELECT f.id,
	(SELECT count(*) FROM c WHERE c.pid = f.id) FROM film f) q)');
-- What is marked leakproof, but overflows
CREATE TABLE shapes AS SELECT -i AS pid, '<(0,0),1e200>'::circle AS a, '[(0,0),(1.7e308,1.7e308)]'::lseg AS b
FROM generate_series(1, 500) i;
SELECT pg_temp.test(0, format('SELECT id, (SELECT count(%s) FROM shapes WHERE pid = id) FROM film ORDER BY id', value))
FROM unnest('{a = a,a < a,b < b,b >= b}'::text[]) value;
-- PostgreSQL 19 may compute parts of what is grouped before it joins, so for rows that the join drops.
SELECT pg_temp.test_parts(1, 'SELECT f.rating, sum(10 / t.y), sum((SELECT count(*) FROM c WHERE c.pid = t.k)) FROM
	tails t JOIN film f ON f.id = t.k
	WHERE f.id <= 150 GROUP BY f.rating ORDER BY 1');
SELECT * FROM finish();
ROLLBACK;
