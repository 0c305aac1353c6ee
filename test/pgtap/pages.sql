-- The parents of a page first, and what belongs to them afterwards: the same rows, in the same order, with the same
-- errors, under every kind of plan; and for each query how many of its pages have their parents first.
\ir oracle.psql
\ir unnest.psql
\ir leaked.psql
\ir pages.psql

SELECT pg_temp.plan_most(4226);

CREATE TABLE f (id int PRIMARY KEY, title text NOT NULL, rating int, lang int, code text, pos int8, doc json,
	made timestamptz DEFAULT '2024-03-10 07:30+00');
INSERT INTO f SELECT i, 'film ' || lpad((i * 7 % 151)::text, 3, '0'), i * 11 % 151, nullif(i % 5, 4), chr(96 + i % 7),
	i % 3, json_build_object('i', i) FROM generate_series(1, 150) i;
CREATE TABLE c (id int PRIMARY KEY, fid int, v int);
INSERT INTO c SELECT i, 1 + i * 13 % 130, i % 4 FROM generate_series(1, 300) i;
CREATE INDEX ON c (fid);
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, i * 17 % 300, 'w' || i FROM generate_series(1, 400) i;
-- What is looked up
CREATE TABLE l (id int PRIMARY KEY, name text);
INSERT INTO l VALUES (0, 'none'), (1, 'one'), (2, 'two'), (9, 'nine');
CREATE TABLE two (a int, b int8, name text, PRIMARY KEY (a, b));
INSERT INTO two SELECT i / 3, i % 3, 'two ' || i FROM generate_series(0, 8) i;
CREATE TABLE coded (code text UNIQUE, name text);
INSERT INTO coded SELECT chr(97 + i), 'code ' || i FROM generate_series(0, 3) i;
INSERT INTO coded VALUES (NULL, 'no code'), (NULL, 'no other');
CREATE TABLE parted (id int PRIMARY KEY, name text) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (2);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (2) TO (MAXVALUE);
INSERT INTO parted SELECT * FROM l;
CREATE TABLE heir (id int PRIMARY KEY, name text);
CREATE TABLE heir_child () INHERITS (heir);
INSERT INTO heir SELECT * FROM l;
INSERT INTO heir_child VALUES (1, 'a second one');
-- Where clocks are put forward by an hour, two times without a zone are one with it.
SET LOCAL timezone = 'America/New_York';
CREATE TABLE clock (at timestamp PRIMARY KEY, name text);
INSERT INTO clock VALUES ('2024-03-10 02:30', 'skipped'), ('2024-03-10 03:30', 'after it');
-- Unique keys that are none
CREATE TABLE partial (id int, name text);
CREATE UNIQUE INDEX ON partial (id) WHERE name <> 'other';
INSERT INTO partial VALUES (1, 'one'), (1, 'other'), (2, 'two');
CREATE TABLE expressed (id int, name text);
CREATE UNIQUE INDEX ON expressed ((id + length(name)));
INSERT INTO expressed VALUES (1, 'one'), (1, 'other'), (2, 'two');
CREATE TABLE deferred (id int UNIQUE DEFERRABLE INITIALLY DEFERRED, name text);
INSERT INTO deferred SELECT * FROM l;
CREATE TABLE kept (pid int, v int);
INSERT INTO kept SELECT i % 40, i FROM generate_series(1, 80) i;
CREATE VIEW page AS SELECT id, title, rating FROM f ORDER BY rating LIMIT 12;
CREATE VIEW summed AS SELECT f.id, f.rating, x.s FROM f LEFT JOIN LATERAL (SELECT sum(v) s FROM c WHERE fid = f.id) x
	ON true ORDER BY f.rating LIMIT 6;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM f WHERE rating > 3;
CREATE VIEW first_five AS SELECT f.id, json_build_object('t', title) d FROM f ORDER BY rating LIMIT 5;
ANALYZE;

/*
 * What is beside a page
 */

-- What gives exactly one row is late however it is joined, what gives at most one on the right of a left join.
CREATE TABLE items (item text, one_row boolean);
INSERT INTO items VALUES
	('SELECT json_agg(c ORDER BY id) a FROM c WHERE fid = f.id', true),
	('SELECT count(*) a FROM c WHERE fid = f.id', true),
	('SELECT coalesce(jsonb_agg(y), ''[]'') a FROM (SELECT v FROM c WHERE fid = f.id ORDER BY id LIMIT 2) y', true),
	('SELECT y.a FROM (SELECT sum(v) a FROM c WHERE fid = f.id) y', true),
	('SELECT json_agg(y.n ORDER BY c.id) a FROM c LEFT JOIN LATERAL (SELECT count(*) n FROM g WHERE cid = c.id) y ON true
		WHERE fid = f.id', true),
	('WITH w AS (SELECT v FROM c WHERE fid = f.id) SELECT max(v) a FROM w', true),
	('SELECT f.title || ''!'' a', true),
	('SELECT x.n a, y.n FROM (SELECT count(*) n FROM c WHERE fid = f.id) x CROSS JOIN
		(SELECT count(*) n FROM l) y', true),
	('SELECT count(*) a FROM c WHERE fid = f.id HAVING count(*) > 2', false),
	('SELECT v a FROM c WHERE fid = f.id ORDER BY id DESC LIMIT 1', false),
	('SELECT v a FROM c WHERE fid = f.id ORDER BY id FETCH FIRST ROW ONLY', false),
	('SELECT v a FROM c WHERE fid = f.id ORDER BY id LIMIT 1 OFFSET 1', false),
	('SELECT v a FROM c WHERE fid = f.id LIMIT 0', false),
	('SELECT count(*) a FROM c WHERE fid = f.id GROUP BY fid LIMIT 1', false),
	('SELECT name a FROM l WHERE id = f.lang', false),
	('SELECT name a FROM l WHERE f.lang = id AND name <> ''one''', false),
	('SELECT row_to_json(l) a FROM l WHERE id = f.lang LIMIT 1 OFFSET 0', false),
	('SELECT row_to_json((SELECT e FROM (SELECT l.name, l.id) e)) a FROM l WHERE l.id = f.lang LIMIT 1', false),
	('SELECT name a FROM l WHERE id = f.pos', false),
	('SELECT name a FROM two WHERE a = f.lang AND b = f.pos', false),
	('SELECT name a FROM two WHERE b = f.pos AND (name <> '''' AND f.lang = a)', false),
	('SELECT name a FROM coded WHERE code = f.code', false),
	('SELECT name a FROM clock WHERE at = f.made::timestamp ORDER BY name', false),
	('SELECT name a FROM parted WHERE id = f.lang', false),
	('SELECT name a FROM ONLY heir WHERE id = f.lang', false),
	('SELECT DISTINCT name a FROM l WHERE id = f.lang', false),
	('SELECT 10 / (id - 9) a FROM l WHERE id = f.lang AND 10 / (id - 9) < 9 LIMIT 1', false),
	('SELECT y.name a FROM (SELECT * FROM l WHERE id = f.lang) y', false),
	('SELECT two.name a, l.name FROM l JOIN two ON true WHERE l.id = f.lang AND two.a = f.lang AND two.b = 1', false);
SELECT pg_temp.paged(1, format('SELECT f.id, x.a, f.title FROM f %s ORDER BY f.rating LIMIT 7',
	format(beside, item)))
FROM items, (VALUES (true, 'LEFT JOIN LATERAL (%s) x ON true'), (false, 'CROSS JOIN LATERAL (%s) x'),
	(false, 'JOIN LATERAL (%s) x ON true'), (false, ', LATERAL (%s) x')) j(outer_join, beside)
WHERE one_row OR outer_join;
SELECT pg_temp.paged(0, format('SELECT f.id, x.a FROM f %s ORDER BY f.rating LIMIT 7', format(beside, item)))
FROM items, (VALUES ('CROSS JOIN LATERAL (%s) x'), (', LATERAL (%s) x')) j(beside) WHERE NOT one_row;

-- The same of what acceleration has put in the place of PostgreSQL's functions
SELECT pg_temp.paged(1, format('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT %s FROM (SELECT json_agg(v
	ORDER BY id) vs, count(*) n FROM c WHERE fid = f.id) y) x ON true ORDER BY f.rating LIMIT 7', value),
	'{jsonrow.accelerate, on}')
FROM unnest(ARRAY['row_to_json(y) a', 'json_build_object(''vs'', y.vs, ''n'', n) a']) value;

-- A test of what is late, beside what could raise an error
SELECT pg_temp.paged(1, 'SELECT f.id, a.n, CASE WHEN a.n IS NULL THEN 0 ELSE 10 / (a.n + 1) END AS x FROM f LEFT
	JOIN LATERAL
	(SELECT count(*) AS n FROM c WHERE fid = f.id) a ON true ORDER BY f.title LIMIT 20');

-- What may give more rows, and what must be computed for all of them, is not.
SELECT pg_temp.paged(0, format('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (%s) x ON true
	ORDER BY f.rating, x.a LIMIT 7',
	item))
FROM items WHERE item !~ 'json';
SELECT pg_temp.paged(0, format('SELECT f.id, f.title, x.a FROM f LEFT JOIN LATERAL (%s) x(a)
	ON true ORDER BY f.rating %s',
	item, 'LIMIT 7'))
FROM unnest(ARRAY['SELECT v a FROM c WHERE fid = f.id AND id < 150',
	'SELECT v a FROM c WHERE fid = f.id ORDER BY id LIMIT 2',
	'SELECT v a FROM c WHERE fid = f.id ORDER BY id LIMIT (SELECT 1)',
	'SELECT v a FROM c WHERE fid = f.id ORDER BY id FETCH FIRST 1 ROW WITH TIES',
	'SELECT v a FROM c WHERE fid = f.id ORDER BY id LIMIT 1 FOR UPDATE',
	'SELECT generate_series(1, 2) a FROM l WHERE id = f.lang',
	'SELECT count(*) * generate_series(1, 2) a FROM c WHERE fid = f.id',
	'SELECT count(*) a FROM c WHERE fid = f.id GROUP BY v', 'SELECT count(*) a FROM c WHERE fid = f.id GROUP BY ()',
	'SELECT count(*) a FROM c WHERE fid = f.id GROUP BY ROLLUP (v)',
	'SELECT count(*) a FROM c WHERE fid = f.id UNION ALL SELECT 1', 'VALUES (f.id), (2)',
	'SELECT name a FROM partial WHERE id = f.lang', 'SELECT name a FROM expressed WHERE id = f.lang',
	'SELECT name a FROM deferred WHERE id = f.lang', 'SELECT name a FROM heir WHERE id = f.lang',
	'SELECT name a FROM l WHERE id IS NOT DISTINCT FROM f.lang', 'SELECT name a FROM l WHERE id >= f.lang AND id < 2',
	'SELECT name a FROM l WHERE id = f.lang OR id = 9', 'SELECT name a FROM l WHERE id IN (f.lang, 9)',
	'SELECT name a FROM l WHERE NOT id <> f.lang', 'SELECT name a FROM two WHERE a = f.lang AND b < 1',
	'SELECT name a FROM two WHERE a = f.lang AND b = a', 'SELECT name a FROM l WHERE id = id',
	'SELECT name a FROM clock WHERE at = f.made ORDER BY name', 'SELECT DISTINCT name a FROM clock WHERE f.made = at',
	'SELECT name a FROM coded WHERE code = f.code COLLATE "POSIX"', 'SELECT name a FROM coded WHERE code IS NULL',
	'SELECT l.name a FROM l, two WHERE l.id = f.lang AND two.b = 1',
	'SELECT l.name a FROM l LEFT JOIN two ON two.a = l.id WHERE l.id = f.lang',
	-- may be joined, which computes it for all rows: that must not raise an error
	'SELECT 10 / (id - 9) a FROM l WHERE id = f.lang', 'SELECT name a FROM l WHERE id = f.lang AND 10 / (id - 9) < 9',
	'SELECT x.n + y.n a FROM (SELECT count(*) n FROM c WHERE fid = f.id) x CROSS JOIN (SELECT count(*) n FROM l) y',
	'SELECT json_agg(json_build_array(f, v)) a FROM c WHERE fid = f.id',
	'SELECT count(*) a FROM c WHERE fid = f.id AND f IS NOT NULL']) item;
SELECT pg_temp.paged(0, format('SELECT f.id, f.title, x.a FROM %s ORDER BY f.rating, f.id LIMIT 7', sources))
FROM unnest(ARRAY[
	'f JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON x.a > 2',
	'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON x.a > 2',
	'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON f.id > 20',
	'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON false',
	'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true JOIN l ON l.id = x.a',
	'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true LEFT JOIN l ON l.id = x.a',
	'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true, generate_series(1, x.a) y',
	'f CROSS JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x, LATERAL (SELECT id FROM c WHERE v = x.a) y',
	'f, LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x WHERE x.a > 2',
	'f, LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x WHERE EXISTS (SELECT FROM l WHERE id = x.a)',
	'(f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true) RIGHT JOIN l ON l.id = f.id',
	'(f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true) FULL JOIN l ON l.id = f.id',
	'l LEFT JOIN (f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true) ON l.id = f.id',
	'l LEFT JOIN (f CROSS JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x) ON l.id = f.id',
	'l LEFT JOIN (SELECT 1 AS one) AS o ON false, LATERAL (SELECT name a FROM two WHERE a = l.id LIMIT 2) x, f'
	]) sources;

-- Other joins, and several of these beside and upon one another
SELECT pg_temp.paged(pages, format('SELECT %s ORDER BY f.rating, f.id LIMIT 7', query)) FROM (VALUES
	(1, 'f.id, x.a FROM l RIGHT JOIN f ON l.id = f.lang LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true'),
	(1, 'f.id, l.id, x.a FROM f FULL JOIN l ON l.id = f.lang LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true'),
	(1, 'f.id, l.name, x.a FROM f LEFT JOIN l ON l.id = f.lang, LATERAL (SELECT count(*) a FROM c WHERE fid = l.id) x'),
	(1, 'f.id, l.name, x.a FROM f JOIN (l CROSS JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = l.id) x)
		ON l.id = f.lang'),
	(1, 'id, f.title, x.a FROM f JOIN l USING (id) LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true'),
	(1, 'id, f.title, x.a FROM f LEFT JOIN l USING (id) LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true'),
	(0, 'id, f.title, x.a FROM f FULL JOIN l USING (id) LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = id) x
		ON true'),
	(1, 'f.title, x.a FROM f NATURAL LEFT JOIN l LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true'),
	(1, 'f.id, x.a, y.b FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) b FROM c WHERE fid = f.id) y ON true'),
	(1, 'f.id, x.a, y.b FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		LEFT JOIN LATERAL (SELECT name b FROM l WHERE id = x.a) y ON true'),
	(0, 'f.id, x.a, y.b, z.b FROM f, LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x, LATERAL (SELECT x.a + 1 b) y,
		LATERAL (SELECT count(*) b FROM c WHERE v = y.b) z'),
	(1, 'f.id, y.n, x.a FROM f LEFT JOIN (SELECT fid, count(*) n FROM c GROUP BY fid) y ON y.fid = f.id
		LEFT JOIN LATERAL (SELECT name a FROM l WHERE id = y.n) x ON true'),
	(1, 'f.id, x.a, y.b FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		JOIN LATERAL (SELECT id b FROM l WHERE id <= f.pos) y ON y.b = 1'),
	(1, 'f.id, x FROM f LEFT JOIN LATERAL (SELECT count(*) a, max(v) b FROM c WHERE fid = f.id) x ON true'),
	(1, 'f.id, row_to_json(x), x IS NULL, x.b IS NULL FROM f LEFT JOIN LATERAL (SELECT id a, name b FROM l
		WHERE id = f.lang) x ON true'),
	(1, 'f, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true'),
	(1, 'row_to_json(f), f.id + x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true'),
	(0, 'json_build_array(f, x.a) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true'),
	(1, 'j.id, j.a FROM (f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true) AS j
		JOIN f ON f.id = j.id'),
	(1, 'f.id, x.a, f.tableoid::regclass, f.ctid IS NULL FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE
		fid = f.id AND f.xmin IS NOT NULL) x ON true')) q(pages, query);

-- A constructor that is ours needs no collation, though what it is given has one.
SELECT pg_temp.paged(1, 'SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT row_to_json(t.*) a FROM (SELECT name FROM l
	WHERE id = f.lang LIMIT 1) t) x ON true ORDER BY f.rating LIMIT 5', '{jsonrow.accelerate, on}');

/*
 * The query with LIMIT
 */

-- What it may have
SELECT pg_temp.paged(pages, format('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c
	WHERE fid = f.id) x ON true %s', clauses),
	-- Joins would lose the order of rows that nobody asks for; so would two processes.
	CASE WHEN clauses ~ 'ORDER' THEN '{}' ELSE '{jsonrow.unnest_above_cost, 1e30, max_parallel_workers, 0}' END::text[])
FROM (VALUES
	(1, 'WHERE f.lang > 0 AND f.id IN (SELECT fid FROM c) ORDER BY f.rating LIMIT 5'),
	(1, 'ORDER BY f.rating DESC NULLS LAST, f.id LIMIT 5 OFFSET 3'), (1, 'ORDER BY f.code, f.id DESC LIMIT 9'),
	(1, 'ORDER BY f.rating OFFSET 140'), (1, 'ORDER BY f.rating LIMIT ALL OFFSET 145'),
	(1, 'ORDER BY f.rating LIMIT NULL OFFSET 145'), (1, 'ORDER BY f.rating LIMIT 5 OFFSET NULL'),
	(1, 'ORDER BY f.rating LIMIT 0'), (1, 'ORDER BY f.rating LIMIT 5 OFFSET 0'),
	(1, 'ORDER BY f.rating FETCH FIRST 5 ROWS ONLY'), (1, 'ORDER BY f.rating LIMIT ''5'''),
	(1, 'ORDER BY f.rating OFFSET 2 FETCH FIRST ROW ONLY'), (1, 'OFFSET 140'),
	(1, 'ORDER BY (SELECT count(*) FROM l WHERE id < f.rating), f.id LIMIT 5'), (1, 'ORDER BY 1 LIMIT 5 OFFSET 1'),
	(1, 'ORDER BY upper(f.title) LIMIT 5'), (1, 'ORDER BY f.title COLLATE "C" LIMIT 5'),
	(1, 'ORDER BY f.title USING > LIMIT 5'), (1, 'ORDER BY f.id % 10, lower(f.title) LIMIT 5'),
	-- keys that an index on the first one would leave to be computed for a few rows, and could fail for others
	(0, 'ORDER BY f.id % 10, f.doc ->> ''i'' LIMIT 5'), (0, 'ORDER BY f.rating, 10 / (f.id - 170) LIMIT 5'),
	(0, 'ORDER BY f.rating, f.code IS NULL, repeat(f.title, 1) LIMIT 5'),
	(1, 'ORDER BY f.rating LIMIT -1'), (1, 'ORDER BY f.rating LIMIT 5 OFFSET -1'),
	(0, 'ORDER BY f.rating LIMIT ALL'), (0, 'ORDER BY f.rating OFFSET 0'), (0, 'ORDER BY f.rating
		LIMIT NULL OFFSET NULL'),
	(0, 'ORDER BY f.rating LIMIT NULL OFFSET 0'), (0, 'ORDER BY f.rating'), (0, 'LIMIT 5'), (0, 'LIMIT 5 OFFSET 0'),
	(0, 'ORDER BY x.a::text, f.id LIMIT 5'), (0, 'WHERE x.a IS NOT NULL ORDER BY f.rating LIMIT 5'),
	(0, 'ORDER BY f.rating FETCH FIRST 5 ROWS WITH TIES'), (0, 'ORDER BY f.rating LIMIT 5 FOR UPDATE OF f'),
	(0, 'ORDER BY f.rating LIMIT 5 FOR KEY SHARE OF f')) q(pages, clauses);
-- ... of which the limit is not known: costs decide
SELECT pg_temp.same(format('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c
	WHERE fid = f.id) x ON true ORDER BY f.rating %s', clauses))
FROM unnest(ARRAY['LIMIT (SELECT 5)', 'LIMIT 3 + 4', 'LIMIT 5 OFFSET
	(SELECT 2)', 'LIMIT 2000', 'LIMIT 1001 OFFSET 120',
	'LIMIT (SELECT -1)', 'LIMIT (SELECT NULL::int8)', 'LIMIT 1 / (SELECT 0)', 'LIMIT 3.6', 'OFFSET 1 / 0']) clauses;

-- What it must not have
SELECT pg_temp.paged(0, format('SELECT %s LIMIT 6', query)) FROM unnest(ARRAY[
	'count(*), sum(x.a) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true ORDER BY 1',
	'f.lang, sum(x.a) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		GROUP BY 1 ORDER BY 1',
	'f.lang FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true GROUP BY f.lang
		HAVING max(x.a) > 1 ORDER BY 1',
	'f.lang, sum(x.a) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		GROUP BY ROLLUP (1) ORDER BY 1, 2',
	'DISTINCT f.lang, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true ORDER BY 1, 2',
	'DISTINCT ON (f.lang) f.lang, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY f.lang, f.rating',
	'f.id, x.a, rank() OVER (ORDER BY f.title) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true ORDER BY f.rating',
	'f.id, sum(x.a) OVER (ORDER BY f.id) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true ORDER BY f.rating',
	'f.id, x.a, generate_series(1, 2) s FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true ORDER BY f.rating, s',
	'f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		UNION ALL SELECT id, 1 FROM l
		ORDER BY 1, 2',
	'f.id, x.a, random() < 2 FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY f.rating',
	'f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id AND random() < 2) x ON true
		ORDER BY f.rating',
	'f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true WHERE random() < 2
		ORDER BY f.rating',
	'x.a FROM (SELECT count(*) a FROM c) x ORDER BY 1', 'x.a, y.b FROM (SELECT 1 a) x, (SELECT max(v) b
		FROM c) y ORDER BY 1'
	]) query;
-- Of windows, a count of all rows, which are the same with what is beside them and without it
SELECT pg_temp.paged(pages, format('SELECT f.id, %s, x.a FROM f LEFT JOIN LATERAL
	(SELECT json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true %s', counts, clauses)) FROM (VALUES
	(1, 'count(*) OVER () n', ''), (0, 'count(f.lang) OVER (ROWS UNBOUNDED PRECEDING) n', ''),
	(1, 'count(f.lang) OVER w, count(*) OVER w m', 'WINDOW w AS ()'), (1, 'f.lang', 'WINDOW w AS ()'),
	(1, '(count(*) OVER ())::int', ''), (1, '10 / count(*) OVER ()', 'WHERE f.lang > 0'),
	(1, 'json_build_object(''n'', count(*) OVER ())', 'WHERE f.id < 0'), (0, 'count(*) OVER () - f.id n', ''),
	(1, '(SELECT count(*) OVER () FROM l LIMIT 1)', ''),
	(0, 'count(x.a) OVER ()', ''), (0, 'count(*) OVER () + json_array_length(x.a)', ''),
	(0, 'count(*) OVER (PARTITION BY f.lang)', ''), (0, 'count(*) OVER (ORDER BY f.id)', ''),
	(0, 'count(*) OVER (ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)', ''), (0, 'sum(f.id) OVER ()', ''),
	(0, 'row_number() OVER ()', ''), (0, 'count(*) OVER (), max(f.id) OVER ()', ''),
	(0, 'count(*) FILTER (WHERE f.id > 9) OVER ()', ''),
	(1, 'count(10 / (f.id - 170)) OVER ()', ''), (0, '(count(*) OVER () - f.id)::int', '')) w(pages, counts, end_),
	LATERAL (SELECT end_ || ' ORDER BY f.rating, f.id LIMIT 5 OFFSET 3' AS clauses) e;
-- ... by which rows may be sorted; and read by others
SELECT pg_temp.paged(pages, query) FROM (VALUES
	(1, 'SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY count(*) OVER (), f.rating LIMIT 5'),
	(1, 'SELECT json_agg(q) FROM (SELECT f.id, count(*) OVER () n, x.a FROM f LEFT JOIN LATERAL
		(SELECT count(*) a FROM c WHERE fid = f.id) x ON true ORDER BY f.rating LIMIT 5) q'),
	(1, 'SELECT f.id, count(*) OVER (), (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id) FROM f
		ORDER BY f.rating OFFSET 120'),
	(1, 'SELECT id, (SELECT json_agg(q) FROM (SELECT c.id, count(*) OVER () n, x.a FROM c LEFT JOIN LATERAL
		(SELECT count(*) a FROM g WHERE cid = c.id) x ON true WHERE c.fid = f.id ORDER BY c.v, c.id LIMIT 1) q) FROM f
		ORDER BY id')) q(pages, query);
SELECT pg_temp.same('SELECT q.*, l.name FROM (SELECT f.id, f.lang, count(*) OVER () n, x.a FROM f LEFT JOIN LATERAL
	(SELECT count(*) a FROM c WHERE fid = f.id) x ON true ORDER BY f.rating LIMIT 5) q LEFT JOIN l ON l.id = q.lang
	ORDER BY q.id');
SELECT pg_temp.paged(0, 'WITH RECURSIVE w AS (SELECT f.id, x.a, 1 AS n FROM f LEFT JOIN LATERAL
	(SELECT count(*) a FROM c
	WHERE fid = f.id) x ON true WHERE f.id < 4 UNION ALL SELECT w.id + 1, w.a, n + 1 FROM w WHERE n < 3)
	SELECT * FROM w ORDER BY id, n LIMIT 5');
SELECT pg_temp.paged(0, 'WITH RECURSIVE w AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM w WHERE n < 9)
	SELECT w.n, x.a FROM w LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = w.n) x ON true
		ORDER BY n DESC LIMIT 5');

-- The select list
SELECT pg_temp.paged(pages, format('SELECT %s', query)) FROM (VALUES
	(1, 'json_build_object(''t'', title) FROM f ORDER BY rating LIMIT 5'),
	(1, 'id, to_jsonb(title) FROM f ORDER BY rating LIMIT 5'),
	(1, 'row_to_json((SELECT e FROM (SELECT f.title, f.id) e)) FROM f ORDER BY rating LIMIT 5'),
	(1, 'title, row_to_json(ROW(title, id)) FROM f ORDER BY rating LIMIT 5'),
	(0, 'row_to_json(f) FROM f ORDER BY rating LIMIT 5'), (0, 'json_build_object(''f'', f) FROM f
		ORDER BY rating LIMIT 5'),
	(0, 'id, (SELECT string_agg(f::text || v, '''') FROM c WHERE fid = f.id) FROM f ORDER BY rating LIMIT 5 OFFSET 3'),
	(0, 'json_build_object(''t'', title)::text FROM f ORDER BY 1 LIMIT 5'),
	(1, 'id, (SELECT count(*) FROM c WHERE fid = f.id) FROM f ORDER BY rating LIMIT 5 OFFSET 3'),
	(1, 'id, (SELECT count(*) FROM c WHERE fid = f.id) FROM f ORDER BY rating OFFSET 140'),
	(1, 'id, ARRAY(SELECT v FROM c WHERE fid = f.id ORDER BY id) FROM f ORDER BY rating LIMIT 5 OFFSET 3'),
	(1, 'id, EXISTS (SELECT FROM c WHERE fid = f.id) e, id IN (SELECT v FROM c) FROM f ORDER BY rating LIMIT 5 OFFSET 3'),
	(0, 'id, (SELECT count(*) FROM c WHERE fid = f.id) FROM f ORDER BY rating LIMIT 5'),
	(0, 'id, (SELECT count(*) FROM c WHERE fid = f.id) n FROM f ORDER BY n, id LIMIT 5 OFFSET 3'),
	(1, 'id, (SELECT count(*) FROM c WHERE fid = f.id) n, (SELECT max(v) FROM c WHERE fid = f.id) FROM f ORDER BY n, id
		LIMIT 5 OFFSET 3'),
	(0, 'id, title, upper(title) FROM f ORDER BY rating LIMIT 5 OFFSET 120'),
	(0, 'id, rating * 2 FROM f ORDER BY rating LIMIT 5 OFFSET 120'),
	(0, 'id, rating * 2 FROM f ORDER BY rating LIMIT 5 OFFSET 20'), (0, 'id, length(title) FROM f ORDER BY rating LIMIT 5
		OFFSET 120'), (0, 'id, title FROM f ORDER BY rating LIMIT 5 OFFSET 120'),
	(0, 'id, now() IS NULL, 7 FROM f ORDER BY rating LIMIT 5 OFFSET 120'),
	(1, 'id, json_build_object(''x'', x.a, ''t'', title) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true ORDER BY rating LIMIT 5'),
	(1, 'f.id, coalesce(x.a, 0), x.a, x.a FROM f LEFT JOIN LATERAL (SELECT max(v) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 5'),
	(1, 'f.id, CASE WHEN rating > 3 THEN x.a END FROM f LEFT JOIN LATERAL (SELECT max(v) a FROM c WHERE fid = f.id) x ON
		true ORDER BY rating LIMIT 5')) q(pages, query);

-- What is made, is made for the page's rows.
CREATE FUNCTION pg_temp.made(query text, unnest text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	SET LOCAL jsonrow.unnest_above_cost = 1e9;
	SET LOCAL enable_memoize = off;
	EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT json) ' || query INTO plan;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = (SELECT sum((scan ->> 'Actual Loops')::numeric) FROM jsonb_path_query(
		plan::jsonb, 'strict $.** ? (@."Relation Name" == "c" || @."Relation Name" == "l")') scan)::text;
EXCEPTION WHEN SQLSTATE 'TDONE' THEN
	RETURN SQLERRM;
END $$;
CREATE TABLE counted (n numeric, query text);
INSERT INTO counted VALUES
	(5.0, 'SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 5'),
	(10, 'SELECT f.id, x.a, y.b FROM f LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c
		WHERE fid = f.id) x ON true,
		LATERAL (SELECT max(v) b FROM c WHERE fid = f.id) y ORDER BY rating LIMIT 5'),
	(3, 'SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT name a FROM l WHERE id = f.lang LIMIT 1) x ON true
		WHERE lang > 0 ORDER BY rating LIMIT 3 OFFSET 20'),
	(5, 'SELECT f.id, (SELECT count(*) FROM c WHERE fid = f.id) FROM f ORDER BY rating LIMIT 5 OFFSET 100'),
	(4, 'SELECT json_agg(z) FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true ORDER BY rating LIMIT 4) z'),
	(4, 'WITH z AS (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true ORDER BY rating LIMIT 4) SELECT json_agg(z) FROM z'),
	(6, 'SELECT id, s FROM summed'),
	(7, 'SELECT l.id, z.* FROM summed z JOIN l ON z.id > l.id ORDER BY 1, 2'),
	(7, 'SELECT l.id, z.* FROM summed z FULL JOIN l ON z.id = l.id ORDER BY 1, 2'),
	(12, 'SELECT y.id, z.id, y.s, z.s FROM summed y, summed z ORDER BY 1, 2'),
	(25, 'SELECT y.id, y.n, x.a FROM (SELECT f.id, f.rating, x.n FROM f LEFT JOIN LATERAL (SELECT count(*) n FROM c
		WHERE fid = f.id) x ON true ORDER BY rating LIMIT 20) y LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c
		WHERE fid = y.id) x ON true ORDER BY y.id LIMIT 5'),
	(10, 'SELECT y.id, y.n, x.a FROM (SELECT f.id, x.n FROM f LEFT JOIN LATERAL (SELECT count(*) n FROM c
		WHERE fid = f.id) x ON true ORDER BY rating LIMIT 20) y LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c
		WHERE fid = y.id) x ON true LIMIT 5'),
	(3, 'SELECT page.id, x.a FROM page LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = page.id) x ON true
		ORDER BY page.title LIMIT 3');
SELECT is(pg_temp.made(query, 'on'), n, 'made so often: ' || pg_temp.name_of(query)) FROM counted;
SELECT cmp_ok(pg_temp.made(query, 'off'), '>', n, 'made more often as written: ' || pg_temp.name_of(query))
	FROM counted;
SELECT pg_temp.same(query) FROM counted;

/*
 * Where pages are
 */
SELECT 'SELECT f.id, f.title, x.a FROM f LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x
	ON true ORDER BY rating LIMIT 6' AS page \gset
SELECT pg_temp.paged(pages, replace(query, '{page}', :'page')) FROM (VALUES
	(1, 'SELECT * FROM ({page}) z'), (1, 'SELECT z.id FROM ({page}) z WHERE z.a IS NOT NULL'),
	(1, 'SELECT * FROM ({page}) z WHERE z.id > 20'), (1, 'SELECT * FROM ({page}) z ORDER BY z.id'),
	(1, 'SELECT z.id FROM ({page}) z LIMIT 2'), (1, 'SELECT count(*) FROM ({page}) z'),
	(1, 'SELECT json_agg(z) FROM ({page}) z'), (1, 'SELECT json_agg(z ORDER BY z.id) FROM ({page}) z'),
	(1, 'SELECT coalesce(json_agg(z.title), ''[]'') FROM ({page}) z'),
	(1, 'SELECT array_agg(z.id), string_agg(z.title, '','') FROM ({page}) z WHERE z.a::text <> ''[1]'''),
	(1, 'SELECT json_agg(z) FROM (SELECT y.id, y.a FROM ({page}) y) z'),
	(1, 'SELECT row_to_json(z) FROM ({page}) z'), (1, 'SELECT z FROM ({page}) z'),
	(1, 'SELECT l.id, z.id, z.a FROM l LEFT JOIN ({page}) z ON z.id = l.id ORDER BY 1, 2'),
	(1, 'SELECT l.id, (SELECT json_agg(z) FROM ({page}) z WHERE z.id > l.id) FROM l ORDER BY 1'),
	(1, 'SELECT l.id, ARRAY(SELECT z.id FROM ({page}) z WHERE z.id > l.id) FROM l ORDER BY 1'),
	(2, 'SELECT id FROM ({page}) y UNION SELECT id FROM ({page}) z ORDER BY id'),
	(2, 'SELECT id FROM ({page}) y EXCEPT SELECT 310 FROM ({page}) z ORDER BY id'),
	(1, 'WITH w AS ({page}) SELECT * FROM w'), (1, 'WITH w AS MATERIALIZED ({page}) SELECT * FROM w'),
	(1, 'WITH w AS ({page}) SELECT json_agg(w) FROM w'), (1, 'WITH w AS ({page}) SELECT w.id FROM w WHERE id > 3'),
	(1, 'WITH w AS ({page}) SELECT (SELECT count(*) FROM w), (SELECT json_agg(w) FROM w)'),
	(2, 'WITH w AS NOT MATERIALIZED ({page}) SELECT (SELECT count(*) FROM w), (SELECT json_agg(w) FROM w)'),
	(1, 'WITH w AS ({page}) SELECT a.id, b.id FROM w a JOIN w b ON a.id < b.id ORDER BY 1, 2'),
	(1, 'WITH w AS ({page}), v AS (SELECT * FROM w WHERE id > 3) SELECT json_agg(v) FROM v'),
	(0, 'SELECT id FROM l WHERE EXISTS ({page}) ORDER BY 1'),
	(0, 'SELECT id FROM l WHERE id IN (SELECT z.id FROM ({page}) z) ORDER BY 1'),
	-- of each row: within laterals, subqueries, and with CTEs of the query around
	(1, 'SELECT l.id, (SELECT json_agg(z) FROM (SELECT f.title, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id AND v <= l.id) x ON true WHERE lang = l.id ORDER BY rating LIMIT 2) z) FROM l ORDER BY 1'),
	(1, 'SELECT l.id, y.j FROM l LEFT JOIN LATERAL (SELECT json_agg(z) j FROM (SELECT f.title, x.a FROM f LEFT JOIN
		LATERAL (SELECT count(*) a FROM c WHERE fid = f.id AND v <= l.id) x ON true WHERE lang = l.id ORDER BY rating
		LIMIT 2) z) y ON true ORDER BY 1'),
	(2, 'SELECT l.id, y.j FROM l LEFT JOIN LATERAL (SELECT json_agg(z) j FROM (SELECT f.title, x.a FROM f LEFT JOIN
		LATERAL (SELECT count(*) a FROM c WHERE fid = f.id AND v <= l.id) x ON true WHERE lang = l.id ORDER BY rating
		LIMIT 2) z) y ON true ORDER BY name LIMIT 3'),
	(2, 'SELECT f.id, y.j FROM f LEFT JOIN LATERAL (SELECT json_agg(z) j FROM (SELECT c.id, x.w FROM c LEFT JOIN LATERAL
		(SELECT json_agg(w ORDER BY id) w FROM g WHERE cid = c.id) x ON true WHERE fid = f.id ORDER BY v, id LIMIT 2) z) y
		ON true ORDER BY rating LIMIT 4'),
	(1, 'WITH w AS (SELECT * FROM c WHERE v > 1) SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT json_agg(w ORDER BY id)
		a FROM w WHERE fid = f.id) x ON true ORDER BY rating LIMIT 5'),
	(1, 'WITH w AS (SELECT * FROM c WHERE v > 1), u AS (SELECT * FROM f WHERE rating > 9) SELECT u.id, x.a,
		(SELECT count(*) FROM w) FROM u LEFT JOIN LATERAL (WITH w AS (SELECT * FROM w WHERE v < 3) SELECT count(*) a FROM w
		WHERE fid = u.id) x ON true ORDER BY rating LIMIT 5 OFFSET 1'),
	(1, 'WITH w AS (SELECT * FROM c WHERE v > 1) SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true WHERE f.id IN (SELECT fid FROM w) ORDER BY rating LIMIT 5'),
	(1, 'WITH w AS (SELECT min(id) n FROM l) SELECT (SELECT json_agg(z) FROM (SELECT f.id, x.a FROM f LEFT JOIN
		LATERAL (SELECT count(*) +
		(SELECT n FROM w) a FROM c WHERE fid = f.id) x ON true WHERE id > (SELECT n FROM w) ORDER BY rating LIMIT 3) z)'),
	-- views
	(1, 'SELECT * FROM summed'), (1, 'SELECT json_agg(summed) FROM summed WHERE s > 2'),
	(1, 'SELECT * FROM first_five'), (1, 'SELECT d FROM first_five WHERE id > 20'),
	(0, 'SELECT b.id, x.a FROM barrier b LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = b.id) x ON true
		ORDER BY b.rating LIMIT 3'),
	(0, 'SELECT f.id, b.rating FROM f LEFT JOIN LATERAL (SELECT rating FROM barrier WHERE id = f.id) b ON true
		ORDER BY f.title LIMIT 3'),
	-- what else the parents may be
	(0, 'SELECT t.id, x.a FROM f t TABLESAMPLE BERNOULLI (40) REPEATABLE (5) LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = t.id) x ON true ORDER BY rating LIMIT 5'),
	(1, 'SELECT t.id, t.name, x.a FROM parted t LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = t.id) x ON true
		ORDER BY name LIMIT 3'),
	(1, 'SELECT t.tableoid::regclass, t.name, x.a FROM heir t LEFT JOIN LATERAL (SELECT count(*) a
		FROM c WHERE fid = t.id)
		x ON true ORDER BY name LIMIT 4'),
	(1, 'SELECT i, x.a FROM generate_series(1, 40) i LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = i) x ON true
		ORDER BY i % 7, i LIMIT 6'),
	(1, 'SELECT z.n, x.a FROM (VALUES (3, ''b''), (1, ''a''), (2, ''c'')) z(i, n) LEFT JOIN LATERAL (SELECT count(*) a
		FROM c WHERE fid = i) x ON true ORDER BY n LIMIT 2'),
	(1, 'SELECT z.*, x.a FROM (SELECT fid, count(*) n FROM c GROUP BY fid) z LEFT JOIN LATERAL (SELECT title a FROM f
		WHERE id = z.fid) x ON true ORDER BY n DESC, fid LIMIT 5'),
	(1, 'SELECT r.i, x.a FROM json_to_recordset(''[{"i": 5}, {"i": 3}]'') r(i int) LEFT JOIN LATERAL (SELECT count(*) a
		FROM c WHERE fid = i) x ON true ORDER BY i LIMIT 1')) q(pages, query);

-- What shows how PostgreSQL reads what is around a page stays, for the plan of it may change.
SELECT pg_temp.paged(0, replace(query, '{page}', :'page')) FROM (VALUES
	('SELECT json_agg(z) FROM (SELECT y.name, f.id, x.a FROM (SELECT * FROM l ORDER BY name) y JOIN f ON f.lang = y.id
		LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true OFFSET 3) z'),
	('({page}) UNION ALL ({page})'), ('SELECT * FROM (({page}) UNION ALL ({page})) z ORDER BY z.id'),
	('SELECT row_number() OVER () n, z.* FROM ({page}) z'),
	('SELECT json_agg(json_build_array(z.id, l.id)) FROM ({page}) z JOIN l ON z.id > l.id'),
	('SELECT lang, string_agg(z.title, '','') FROM ({page}) z JOIN f USING (id) GROUP BY lang ORDER BY lang')) q(query);

-- Conditions from above stay out, as LIMIT kept them out.
SELECT matches(pg_temp.plan_of(query), '^Subquery Scan on z\n *Filter', 'conditions stay above: ' || query)
FROM (SELECT set_config('jsonrow.unnest', 'on', true)) s, (VALUES
	('SELECT * FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		OFFSET 140) z WHERE z.id > 20'),
	('SELECT * FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 6) z WHERE z.a > 1'),
	('SELECT * FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT name a FROM l WHERE id = f.lang) x ON true
		OFFSET 140) z WHERE z.a > ''''')) q(query);
SET LOCAL jsonrow.unnest = off;

-- Statements that store, and those that do more than read
CREATE TABLE stored (id int, title text, a json);
SELECT is(pg_temp.rows(statement, '{jsonrow.unnest, on}'), pg_temp.rows(statement, '{jsonrow.unnest, off}'),
	pg_temp.name_of(statement))
FROM (SELECT replace(s, '{page}', :'page') FROM unnest(ARRAY[
	'INSERT INTO stored {page} RETURNING *', 'WITH i AS (INSERT INTO stored {page} RETURNING *) SELECT * FROM i',
	'WITH w AS ({page}) INSERT INTO stored SELECT * FROM w RETURNING *',
	'UPDATE f SET title = z.a::text FROM ({page}) z WHERE z.id = f.id RETURNING f.id, f.title',
	'DELETE FROM g WHERE id IN (SELECT z.id FROM ({page}) z) RETURNING *',
	'WITH d AS (DELETE FROM g WHERE id < 9 RETURNING cid) SELECT z.*, (SELECT count(*) FROM d) FROM ({page}) z']) s)
	q(statement);
SELECT is(pg_temp.rows('SELECT * FROM made', '{jsonrow.unnest, on}', format('CREATE %s made AS %s', kind, :'page')),
	pg_temp.rows('SELECT * FROM made', '{jsonrow.unnest, off}', format('CREATE %s made AS %s', kind, :'page')),
	'CREATE ' || kind) FROM unnest('{TABLE,VIEW,MATERIALIZED VIEW}'::text[]) kind;
SELECT is(pg_temp.parents_first('CREATE TABLE made AS ' || :'page'), 1::bigint, 'CREATE TABLE AS: its parents first');

/*
 * Limits that are parameters
 */
CREATE TABLE executions (head text, call text, custom text, generic text);
INSERT INTO executions SELECT head || ' AS SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT json_agg(v
	ORDER BY id) a FROM c
	WHERE fid = f.id) x ON true ' || tail, call, custom, generic FROM (VALUES
	('(int8)', 'ORDER BY rating LIMIT $1', '(5)', '1', '1'), ('(int8)', 'ORDER BY rating OFFSET $1', '(148)', '1', '1'),
	('(int8, int8)', 'ORDER BY rating LIMIT $1 OFFSET $2', '(5, 3)', '1', '1'),
	('(int8, int8)', 'ORDER BY rating LIMIT $1 OFFSET $2', '(5, NULL)', '1', '1'),
	('(int8, int8)', 'ORDER BY rating LIMIT $1 OFFSET $2', '(NULL, 0)', '0', '1'),
	('(int8, int8)', 'ORDER BY rating LIMIT $1 OFFSET $2', '(NULL, 148)', '1', '1'),
	('(int8, int8)', 'ORDER BY rating LIMIT $1 OFFSET $2', '(-1, 0)', '1', '1'),
	('(int8, int8)', 'ORDER BY rating LIMIT $1 OFFSET $2', '(5, -1)', '1', '1'),
	('(int8, int8)', 'ORDER BY rating LIMIT $1 OFFSET $2', '(0, 0)', '1', '1'),
	('(int8, int8)', 'WHERE f.id > $2 ORDER BY rating + $2 LIMIT $1', '(4, 1)', '1', '1'),
	('(int)', 'ORDER BY rating LIMIT $1', '(5)', '1', '1'),
	('(text)', 'ORDER BY rating LIMIT $1::text::float8', '(''5'')', '1', '1'),
	('(text)', 'ORDER BY rating LIMIT $1::int8', '(''five'')', '22P02', '1')) e(head, tail, call, custom, generic);
INSERT INTO executions VALUES
	('(int8) AS SELECT json_agg(z) FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT name a FROM l WHERE id = f.lang
		LIMIT $1) x ON true ORDER BY rating LIMIT 5) z', '(1)', '1', '1'),
	('(int8) AS SELECT json_agg(z) FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT v a FROM c WHERE fid = f.id
		ORDER BY id LIMIT $1) x ON true ORDER BY rating LIMIT 5) z', '(1)', '1', '0'),
	('(int8) AS SELECT json_agg(z) FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT v a FROM c WHERE fid = f.id
		ORDER BY id LIMIT $1) x ON true ORDER BY rating, f.id, x.a LIMIT 5) z', '(2)', '0', '0');
CREATE FUNCTION pg_temp.executed(e executions, mode text, unnest text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.rows('EXECUTE statement_of_page' || e.call, ARRAY['plan_cache_mode', mode, 'jsonrow.unnest', unnest],
		'DEALLOCATE ALL; PREPARE statement_of_page' || e.head) $$;
SELECT is(pg_temp.executed(e, mode, 'on'), pg_temp.executed(e, mode, 'off'), mode || ' ' || pg_temp.name_of(head ||
	call))
FROM executions e, unnest('{force_custom_plan,force_generic_plan,auto}'::text[]) mode;
CREATE FUNCTION pg_temp.executed_pages(e executions, mode text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'DEALLOCATE ALL; PREPARE statement_of_page' || e.head;
	RETURN pg_temp.parents_first('EXECUTE statement_of_page' || e.call, ARRAY['plan_cache_mode', mode]);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.executed_pages(e, 'force_custom_plan'), custom, 'pages of the custom plan: '
	|| pg_temp.name_of(head || call)) FROM executions e;
SELECT is(pg_temp.executed_pages(e, 'force_generic_plan'), generic, 'pages of the generic plan: '
	|| pg_temp.name_of(head || call)) FROM executions e;
RESET plan_cache_mode;
-- The setting makes plans anew.
PREPARE kept_plan AS SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
	ORDER BY rating LIMIT 5;
SELECT is(pg_temp.parents_first('EXECUTE kept_plan'), 1::bigint, 'a prepared statement follows the setting');
CREATE FUNCTION pg_temp.in_plpgsql(n int8) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	one record;
BEGIN
	FOR one IN SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
			ORDER BY rating LIMIT n LOOP
		RETURN NEXT one::text;
	END LOOP;
END $$;
SELECT pg_temp.same('SELECT * FROM pg_temp.in_plpgsql(4)');
CREATE FUNCTION pg_temp.in_sql(n int8) RETURNS TABLE (id int, a int8) LANGUAGE sql STABLE AS $$
	SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
	ORDER BY rating LIMIT n $$;
SELECT pg_temp.same('SELECT * FROM pg_temp.in_sql(4)');

/*
 * Cursors
 */
CREATE TABLE cursors (pages int, kind text);
INSERT INTO cursors VALUES (0, 'CURSOR'), (0, 'SCROLL CURSOR'), (0, 'NO SCROLL CURSOR'), (0, 'CURSOR WITH HOLD'),
	(0, 'SCROLL CURSOR WITH HOLD'), (0, 'NO SCROLL CURSOR WITH HOLD'), (0, 'INSENSITIVE CURSOR'),
	(0, 'INSENSITIVE NO SCROLL CURSOR'), (0, 'BINARY CURSOR'), (0, 'BINARY NO SCROLL CURSOR');
CREATE FUNCTION pg_temp.fetched(kind text, query text, unnest text, fetches text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := '';
	step text;
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	EXECUTE format('DECLARE cursor_of_page %s FOR %s', kind, query);
	FOREACH step IN ARRAY fetches LOOP
		result := result || pg_temp.rows(step || ' cursor_of_page', '{}') || E'\n';
	END LOOP;
	EXECUTE 'CLOSE cursor_of_page';
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN concat_ws(E'\n', result, SQLSTATE, SQLERRM);
END $$;
SELECT is(pg_temp.fetched(kind, query, 'on', fetches), pg_temp.fetched(kind, query, 'off', fetches),
	format('%s, %s: %s', kind, fetches, pg_temp.name_of(query)))
FROM cursors, (VALUES (:'page'), (replace(:'page', 'LEFT JOIN', 'JOIN')),
	('SELECT id, json_build_array(title) FROM f ORDER BY id LIMIT 6'),
	('SELECT id, (SELECT count(*) FROM c WHERE fid = f.id) FROM f OFFSET 146')) q(query), (VALUES
	('{FETCH 2 FROM,FETCH ALL FROM}'::text[]), ('{FETCH FORWARD 3 FROM,MOVE 1 FROM,FETCH 1 FROM}'),
	('{FETCH 4 FROM,FETCH BACKWARD 2 FROM,FETCH ALL FROM,FETCH FIRST FROM}'), ('{FETCH ABSOLUTE -1 FROM}')) s(fetches)
WHERE kind !~ 'BINARY';
SELECT is(pg_temp.parents_first(format('DECLARE cursor_of_page %s FOR %s', kind,
	replace(:'page', 'LEFT JOIN', 'JOIN'))), pages::bigint, 'pages with their parents first: ' || kind) FROM cursors;
-- ... through which a row is updated
CREATE FUNCTION pg_temp.updated(unnest text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	EXECUTE 'DECLARE cursor_of_page NO SCROLL CURSOR FOR ' || query;
	EXECUTE 'MOVE NEXT FROM cursor_of_page';
	EXECUTE 'UPDATE f SET title = ''updated'' WHERE CURRENT OF cursor_of_page RETURNING id' INTO result;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT is(pg_temp.updated('on', query), pg_temp.updated('off', query), 'WHERE CURRENT OF: ' || pg_temp.name_of(query))
FROM (VALUES (:'page'), ('SELECT id, json_build_array(title) FROM f ORDER BY id LIMIT 6'),
	('SELECT id, (SELECT count(*) FROM c WHERE fid = f.id) FROM f ORDER BY id OFFSET 146'),
	('SELECT f.id FROM f LEFT JOIN LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x ON true ORDER BY f.id LIMIT 6'),
	('SELECT f.id FROM f LEFT JOIN LATERAL (SELECT name FROM l WHERE id = f.lang LIMIT 1) x ON true'),
	('SELECT f.id FROM f LEFT JOIN LATERAL (SELECT name FROM l WHERE id = f.lang) x ON true ORDER BY f.id LIMIT 6
		OFFSET 1'),
	('SELECT f.id, CASE WHEN false THEN x.name END FROM f LEFT JOIN LATERAL (SELECT name FROM l WHERE id = f.lang) x
		ON true ORDER BY f.id LIMIT 6 OFFSET 1'),
	('SELECT z.id FROM (SELECT f.id, x.name FROM f LEFT JOIN LATERAL (SELECT name FROM l WHERE id = f.lang) x ON true
		ORDER BY f.id LIMIT 6 OFFSET 1) z'),
	('SELECT f.id FROM f LEFT JOIN LATERAL (SELECT name, (SELECT json_agg(n) FROM c WHERE fid = l.id) FROM l
		WHERE id = f.lang) x ON true ORDER BY f.id LIMIT 6'),
	('SELECT f.id, x.n, CASE WHEN false THEN l.name END FROM f CROSS JOIN LATERAL (SELECT f.pos + 1 n, f.lang) x
		LEFT JOIN LATERAL (SELECT name FROM l WHERE id = x.lang) l ON true ORDER BY f.id LIMIT 6')) q(query);

/*
 * Errors: there are none that were not there, and those of values that are never returned are gone.
 */
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT sum(10 / v) a FROM c WHERE fid = f.id) x ON true ORDER BY rating
		LIMIT 70'),
	('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		WHERE 10 / (id - 70) > -99
		ORDER BY rating LIMIT 5'),
	('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY 10 / (id - 70), rating LIMIT 5'),
	('SELECT f.id, x.a, 10 / (id - 70) FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY 3, rating LIMIT 5'),
	('SELECT z.id, 10 / (z.a - 2) FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true ORDER BY rating LIMIT 5) z'),
	('SELECT z.id FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 5) z WHERE 10 / (z.a - 2) < 99'),
	('SELECT z.id FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 5) z WHERE 10 / (z.id - 70) < 99'),
	('SELECT l.id, z.d FROM l LEFT JOIN (SELECT y.id, 10 / (y.a - 2) d FROM (SELECT f.id, x.a FROM f LEFT JOIN LATERAL
		(SELECT count(*) a FROM c WHERE fid = f.id) x ON true ORDER BY rating LIMIT 5) y) z ON z.id = l.id ORDER BY 1'),
	('SELECT z.id FROM (SELECT f.id, (SELECT v FROM c WHERE fid = f.id) FROM f ORDER BY id LIMIT 5 OFFSET 8) z'),
	('SELECT json_build_object(nullif(f.code, ''b''), 1) FROM f ORDER BY code, id LIMIT 60')) q(query);
SELECT pg_temp.paged(1, query) FROM (VALUES
	('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT 10 / (f.rating) a) x ON true WHERE rating > 0
		ORDER BY rating LIMIT 5')
	) q(query);
-- What stays is not read in another way if its conditions could raise an error, or tell what they see, for other rows.
SELECT pg_temp.paged(pages, format('SELECT f.id, x.a FROM %s ORDER BY f.rating LIMIT 5 OFFSET 2', rows)) FROM (VALUES
	(0, 'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true WHERE 10 / (id - 170) < 9'),
	(0, 'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true WHERE repeat(title, 1) <> '''''),
	(0, 'f JOIN l ON l.id = f.lang AND 10 / (f.id - 170) < 9 LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true'),
	(0, 'f LEFT JOIN l ON l.id = f.lang AND 10 / (f.id - 170) < 9 LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true'),
	(0, '(SELECT * FROM f WHERE 10 / (id - 170) < 9) f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true'),
	(0, 'f CROSS JOIN (SELECT 10 / count(*) a FROM c WHERE v = 1) x'),
	(0, 'f CROSS JOIN (SELECT count(*) a FROM c WHERE v = 1) x'),
	(1, 'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true WHERE lang < 3 AND title LIKE ''f%''
		AND code IN (''a'', ''b'') AND (pos > 0 OR lower(title) <> '''') AND f.id IN (SELECT fid FROM c)'),
	-- A comparison of rows is as safe as those of its columns.
	(1, 'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true WHERE (rating, f.id, title) >
		(4, 20, ''x'')'),
	(0, 'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true WHERE (rating, 10 / (f.id - 170)) >
		(4, 20)'),
	(0, 'f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true WHERE (rating, ARRAY[f.id]) >
		(4, ARRAY[20])')) q(pages, rows);
-- ... nor is what refers to no parent computed if there are none.
SELECT pg_temp.same('SELECT f.id, l.a, x.a FROM f CROSS JOIN (SELECT 10 / count(*) a FROM c WHERE v = 99) l CROSS JOIN
	LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x LIMIT (SELECT 0) OFFSET 5');
-- What the parents' columns stand for is not computed for more rows, nor where it is used under a condition.
SELECT pg_temp.paged(1, 'SELECT s.id, CASE WHEN s.x <> 0 THEN json_build_object(''g'', s.g) END FROM (SELECT id,
	rating, pos x, 10 / pos AS g FROM f) s ORDER BY s.rating LIMIT 20');
SELECT pg_temp.paged(pages, query) FROM (VALUES
	(0, 'SELECT s.id, x.a FROM (SELECT id, rating, pos x, 10 / pos AS g FROM f) s LEFT JOIN LATERAL (SELECT json_agg(s.g +
		v ORDER BY id) a FROM c WHERE fid = s.id AND s.x <> 0) x ON true ORDER BY s.rating LIMIT 20'),
	(0, 'SELECT d.id, json_build_object(''d'', d.d -> ''t'' -> d.id::int) FROM (SELECT id, json_build_object(''t'',
		nullif(title, '''')::json) d FROM f WHERE id < 0) d ORDER BY d.id LIMIT 5')) q(pages, query);
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT s.id, coalesce(x.a, s.g) FROM (SELECT id, rating, 10 / (rating - 140) AS g FROM f OFFSET 0) s LEFT
		JOIN LATERAL
		(SELECT max(v) a FROM c WHERE fid = s.id) x ON true ORDER BY s.rating LIMIT 20')) q(query);
-- What costs much is computed after sorting, if it is run for each row, and LIMIT says that not all are wanted.
CREATE FUNCTION pg_temp.replaced(f) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 10 / ($1.id - 170)';
CREATE FUNCTION pg_temp.run(f) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 10 / ($1.id - 170); END';
CREATE FUNCTION pg_temp.known(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION pg_temp.cheap(f, int) RETURNS int LANGUAGE plpgsql IMMUTABLE COST 1 AS 'BEGIN RETURN 1; END';
SELECT pg_temp.paged(pages, format('SELECT f.id, x.a, %s FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid =
	f.id) x ON true ORDER BY f.rating %s', value, cut)) FROM (VALUES
	(1, 'pg_temp.run(f)', 'LIMIT 5'), (0, 'pg_temp.run(f) + 1', 'LIMIT 5'), (0, 'pg_temp.replaced(f)', 'LIMIT 5'),
	(0, 'pg_temp.run(f)', 'OFFSET 145'), (0, 'pg_temp.cheap(f, pg_temp.known(1))', 'LIMIT 5'),
	(0, 'pg_temp.cheap(f, 1) + pg_temp.known(1)', 'LIMIT 5'),
	(0, 'CASE WHEN true THEN pg_temp.cheap(f, 1) ELSE pg_temp.run(f) END', 'LIMIT 5')) q(pages, value, cut);
-- A query around a page may join its rows in another way, because they cost less: that must not raise an error.
SELECT pg_temp.paged(pages, replace(query, '{page}', :'page')) FROM (VALUES
	(1, 'SELECT z.id, z.a, c.id FROM ({page}) z JOIN c ON c.fid = z.id ORDER BY 1, 3'),
	(0, 'SELECT z.id, z.a, c.id FROM ({page}) z JOIN c ON c.fid = z.id AND 10 / (c.id - 310) < 9 ORDER BY 1, 3'),
	(0, 'SELECT z.id, z.a, c.id FROM ({page}) z, (SELECT * FROM c WHERE 10 / (id - 310) < 9) c WHERE c.fid = z.id
		ORDER BY 1, 3'),
	(0, 'SELECT count(y.id) FROM (SELECT z.id FROM ({page}) z) y JOIN c ON c.fid = y.id AND 10 / (c.id - 310) < 9'),
	(0, 'WITH w AS ({page}) SELECT w.id FROM w JOIN c ON c.fid = w.id AND 10 / (c.id - 310) < 9 ORDER BY 1'),
	(1, 'SELECT z.id FROM ({page}) z WHERE 10 / (z.id - 310) < 9'),
	(0, '(SELECT z.id FROM ({page}) z) UNION SELECT 10 / (id - 310) FROM c ORDER BY 1 LIMIT 3')) q(pages, query);
-- As written, an error; now what the other query gives, where that value is not computed
CREATE TABLE cut (query text, other text);
INSERT INTO cut SELECT replace(query, '{rows}', 'f'), replace(query, '{rows}', '(SELECT *
	FROM f WHERE rating <= 50) f')
FROM (VALUES
	('SELECT f.id, x.a FROM {rows} LEFT JOIN LATERAL (SELECT 10 / (f.rating - 100) a) x ON true ORDER BY rating LIMIT 5'),
	('SELECT f.id, x.a FROM {rows} LEFT JOIN LATERAL (SELECT sum(10 / (f.rating - 100)) a FROM c WHERE fid = f.id
		OR f.rating = 100) x ON true ORDER BY rating LIMIT 5'),
	('SELECT f.id, x.a FROM {rows} CROSS JOIN LATERAL (SELECT json_agg(f.title::int) a FROM l WHERE f.rating = 100) x
		ORDER BY rating LIMIT 5'),
	('SELECT json_agg(z) FROM (SELECT f.id, json_build_object(nullif(f.rating, 100), 1) FROM {rows}
		ORDER BY rating LIMIT 5) z'),
	('SELECT z.id, z.a FROM (SELECT f.id, x.a FROM {rows} LEFT JOIN LATERAL (SELECT ln(100 - f.rating) a) x ON true
		ORDER BY rating LIMIT 5) z WHERE z.id > 0')) q(query);
INSERT INTO cut VALUES ('SELECT f.id, (SELECT v FROM c WHERE f.rating = 1) FROM f ORDER BY rating LIMIT 5 OFFSET 2',
	'SELECT f.id, NULL::int AS v FROM f ORDER BY rating LIMIT 5 OFFSET 2');
SELECT matches(pg_temp.rows(query, '{jsonrow.unnest, off}'), '^\w{5}\n', 'an error: ' || pg_temp.name_of(query))
	FROM cut;
SELECT is(pg_temp.rows(query, '{jsonrow.unnest, on}'), pg_temp.rows(other, '{jsonrow.unnest, off}'),
	'none: ' || pg_temp.name_of(query)) FROM cut;

/*
 * Who may see what
 */
CREATE TABLE owned (id int, owner text, rank int);
INSERT INTO owned SELECT i, CASE WHEN i % 2 = 0 THEN 'reader' ELSE 'other' END, i * 7 % 30
	FROM generate_series(1, 30) i;
CREATE TABLE guarded (pid int, v int);
INSERT INTO guarded SELECT i, CASE WHEN i % 3 = 0 THEN 4700 ELSE 10 END + i FROM generate_series(1, 30) i;
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON owned USING (owner = 'reader');
CREATE POLICY readers ON guarded USING (v < 4700 AND pid IN (SELECT id FROM owned));
CREATE ROLE jsonrow_pages_reader;
CREATE ROLE jsonrow_pages_owner;
CREATE VIEW owners_page AS SELECT f.id, x.n FROM f LEFT JOIN LATERAL (SELECT count(*) n FROM c
	WHERE fid = f.id) x ON true
	ORDER BY rating LIMIT 5;
CREATE VIEW seen AS SELECT o.id, o.rank, x.s FROM owned o LEFT JOIN LATERAL (SELECT sum(v) s
	FROM guarded WHERE pid = o.id) x
	ON true ORDER BY rank LIMIT 8;
CREATE VIEW seen_behind WITH (security_barrier) AS SELECT o.id, x.s FROM owned o LEFT JOIN LATERAL (SELECT sum(v) s
	FROM guarded WHERE pid = o.id) x ON true WHERE o.id > 4 ORDER BY rank LIMIT 8;
CREATE VIEW seen_invoked WITH (security_invoker) AS SELECT * FROM seen;
CREATE VIEW invoked WITH (security_invoker) AS SELECT o.id, x.s FROM owned o LEFT JOIN LATERAL (SELECT sum(v) s
	FROM guarded WHERE pid = o.id) x ON true ORDER BY rank LIMIT 8;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_pages_reader, jsonrow_pages_owner;
GRANT SELECT ON f, c, owned, guarded TO jsonrow_pages_owner;
ALTER VIEW owners_page OWNER TO jsonrow_pages_owner;
ALTER VIEW seen OWNER TO jsonrow_pages_owner;
GRANT SELECT (id, title, rating) ON f TO jsonrow_pages_reader;
GRANT SELECT ON c, owned, guarded, owners_page, seen, seen_behind, seen_invoked, invoked TO jsonrow_pages_reader;
CREATE FUNCTION pg_temp.leaky(int8) RETURNS boolean STABLE COST 0.1
	LANGUAGE plpgsql AS 'BEGIN RETURN pg_temp.leak($1); END';
SELECT pg_temp.paged(pages, query, '{role, jsonrow_pages_reader}') FROM (VALUES
	(1, 'SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true ORDER BY rating
		LIMIT 5'),
	(1, 'SELECT f.id, x.a FROM c LEFT JOIN LATERAL (SELECT title a, id FROM f WHERE id = c.fid) f ON true
		LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true ORDER BY c.v, c.id LIMIT 5'),
	(1, 'SELECT * FROM owners_page'), (1, 'SELECT json_agg(o) FROM owners_page o WHERE n > 1'),
	(1, 'SELECT * FROM seen'), (1, 'SELECT * FROM seen_behind'), (1, 'SELECT * FROM seen_invoked'),
	(1, 'SELECT * FROM invoked'), (1, 'SELECT * FROM seen WHERE s > 12 ORDER BY id'),
	(1, 'SELECT o.id, x.s FROM owned o LEFT JOIN LATERAL (SELECT sum(v) s FROM guarded WHERE pid = o.id) x ON true
		ORDER BY rank LIMIT 6'),
	(1, 'SELECT o.id, (SELECT sum(v) FROM guarded WHERE pid = o.id) s FROM owned o ORDER BY rank LIMIT 6 OFFSET 4'))
	q(pages, query);
SELECT is(pg_temp.answers(query, '{role, jsonrow_pages_reader, jsonrow.unnest, on}'),
	pg_temp.answers(query, '{role, jsonrow_pages_reader, jsonrow.unnest, off}'), 'who may not: ' ||
		pg_temp.name_of(query))
FROM (VALUES
	('SELECT f.id, f.lang, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x
		ON true ORDER BY rating
		LIMIT 5'),
	('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id AND v = f.lang) x ON true
		ORDER BY rating LIMIT 5'),
	('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY lang LIMIT 5'),
	('SELECT f, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 5'),
	('SELECT f.id, json_build_array(f.code) FROM f ORDER BY rating LIMIT 5'),
	('SELECT f.id, (SELECT count(*) FROM l WHERE l.id = f.id) FROM f ORDER BY rating LIMIT 5 OFFSET 4'),
	('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT name a FROM l WHERE l.id = f.id) x ON true
		ORDER BY rating LIMIT 5'),
	('SELECT f.id, x.a FROM f LEFT JOIN l ON l.id = f.id LEFT JOIN LATERAL (SELECT count(*) a FROM c
		WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 5'),
	('SELECT * FROM summed')) q(query);
SELECT matches(pg_temp.rows('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id AND
	v = f.lang) x ON true ORDER BY rating LIMIT 5', '{role, jsonrow_pages_reader, jsonrow.unnest, on}'),
	'^42501.*permission denied', 'there is something that the role may not read');

-- Pages of what subqueries and views make, which PostgreSQL pulls up.
CREATE VIEW films AS SELECT f.id, f.title, f.rating, f.lang, (SELECT count(*) FROM c WHERE fid = f.id) n, x.a FROM f
	LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true;
CREATE VIEW films_invoked WITH (security_invoker) AS SELECT * FROM films;
CREATE VIEW films_behind WITH (security_barrier) AS SELECT * FROM films WHERE rating > 20;
CREATE VIEW films_owned AS SELECT films.*, rating + 1 AS next FROM films;
GRANT SELECT (id, title, rating, n) ON films TO jsonrow_pages_reader;
GRANT SELECT ON films_invoked, films_behind, films_owned TO jsonrow_pages_reader;
ALTER VIEW films_owned OWNER TO jsonrow_pages_owner;
SELECT pg_temp.paged(1, query) FROM (VALUES
	('SELECT * FROM films ORDER BY rating LIMIT 5 OFFSET 2'), ('SELECT a, title FROM films ORDER BY n DESC, id LIMIT 7'),
	('SELECT m.d FROM (SELECT json_build_object(''id'', f.id, ''a'', x.a) d, f.rating FROM f LEFT JOIN LATERAL
		(SELECT json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true) m ORDER BY m.rating LIMIT 5'),
	('SELECT s.d, s.d::text = (SELECT s.d::text) FROM (SELECT (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id) d,
		rating FROM f WHERE id < 100) s ORDER BY s.rating LIMIT 5 OFFSET 3'),
	('SELECT l.id, (SELECT json_agg(o) FROM (SELECT m.d FROM (SELECT x.a || l.name d, f.rating FROM (SELECT * FROM f
		WHERE f.lang = l.id) f LEFT JOIN LATERAL (SELECT string_agg(v::text, '','' ORDER BY id) a FROM c
		WHERE fid = f.id) x ON true) m ORDER BY m.rating LIMIT 3) o) FROM l ORDER BY 1')) q(query);
SELECT pg_temp.same(query) FROM (VALUES
	-- of EXISTS with what it reads, PostgreSQL could make a join
	('SELECT f.id, json_build_object(''a'', id) FROM f WHERE EXISTS (SELECT FROM (SELECT * FROM c WHERE c.fid = f.id
		AND 10 / (4 - v - c.fid / 130) > 0) s LIMIT 1) ORDER BY id'),
	('SELECT * FROM films_invoked ORDER BY rating LIMIT 5'), ('SELECT * FROM films_behind ORDER BY rating LIMIT 5'),
	('SELECT * FROM films_owned ORDER BY next LIMIT 5'), ('SELECT f FROM films f ORDER BY rating LIMIT 5'),
	('SELECT f.a, random() < 2 FROM films f ORDER BY rating LIMIT 5'),
	('SELECT s.d FROM (SELECT f.id, generate_series(1, 2) d FROM f) s ORDER BY s.id LIMIT 5'),
	('SELECT DISTINCT ON (rating) * FROM (SELECT title, rating FROM films) s ORDER BY rating LIMIT 5')) q(query);
SELECT is(pg_temp.answers(query, '{role, jsonrow_pages_reader, jsonrow.unnest, on}'),
	pg_temp.answers(query, '{role, jsonrow_pages_reader, jsonrow.unnest, off}'), 'through views: ' || query)
FROM unnest('{films,films_invoked,films_behind,films_owned}'::text[]) view,
	unnest('{*,"title,n",a,lang,id}'::text[]) columns,
	format('SELECT %s FROM %s ORDER BY rating, id LIMIT 5', columns, view) query;
PREPARE films_page AS SELECT title, a FROM films ORDER BY rating LIMIT 3;
SELECT pg_temp.parents_first('EXECUTE films_page', '{}');
CREATE OR REPLACE VIEW films AS SELECT f.id, f.title, f.rating, f.lang, (SELECT count(*) FROM c WHERE fid = f.id) n,
	x.a FROM f LEFT JOIN LATERAL (SELECT json_agg(v + 1 ORDER BY id) a FROM c WHERE fid = f.id) x ON true;
SELECT is(pg_temp.rows('EXECUTE films_page', '{jsonrow.unnest, on}'),
	pg_temp.rows('SELECT title, a FROM films ORDER BY rating LIMIT 3', '{jsonrow.unnest, off}'), 'a view is replaced');

-- Functions that tell what they see: nothing that they did not see before
SELECT ok(pg_temp.leaked(query, setting || '{role, jsonrow_pages_reader}') <@
		pg_temp.leaked(query, setting || '{role, jsonrow_pages_reader, jsonrow.unnest, off}'),
	'sees no more: ' || pg_temp.name_of(query) || ' with ' || setting::text)
FROM ways, (VALUES
	('SELECT * FROM seen WHERE pg_temp.leak(s)'), ('SELECT id FROM seen_behind WHERE pg_temp.leak(s)'),
	('SELECT id FROM invoked WHERE pg_temp.leak(s) AND id > 10'), ('SELECT id, pg_temp.leak(s) FROM seen WHERE s > 12'),
	('SELECT o.id, pg_temp.leak(x.s) FROM owned o LEFT JOIN LATERAL (SELECT sum(v) s FROM guarded
		WHERE pid = o.id) x ON true
		ORDER BY rank LIMIT 6'),
	('SELECT o.id, x.s FROM owned o LEFT JOIN LATERAL (SELECT sum(v) s FROM guarded
		WHERE pid = o.id AND pg_temp.leak(v)) x
		ON true ORDER BY rank LIMIT 6'),
	('SELECT o.id, (SELECT sum(v) FROM guarded WHERE pid = o.id AND pg_temp.leak(v)) FROM owned o
		ORDER BY rank LIMIT 6 OFFSET 2'),
	('SELECT o.id, x.v FROM owned o LEFT JOIN LATERAL (SELECT v FROM guarded WHERE pid = o.id
		AND pg_temp.leak(v) LIMIT 1) x
		ON true ORDER BY rank LIMIT 6'),
	('SELECT f.id, o.rank FROM f LEFT JOIN LATERAL (SELECT rank FROM owned WHERE id = f.id
		AND pg_temp.leak(rank) LIMIT 1) o
		ON true ORDER BY rating LIMIT 6'),
	('SELECT f.id, o.s FROM f JOIN seen o ON o.id = f.id AND pg_temp.leak(o.s)')) q(query);
SELECT is(pg_temp.leaked('SELECT * FROM seen WHERE pg_temp.leak(s)', '{role, jsonrow_pages_reader, jsonrow.unnest,
	on}'),
	pg_temp.leaked('SELECT * FROM seen WHERE pg_temp.leak(s)', '{role, jsonrow_pages_reader}'), 'there is something to
		see');

-- Where ORDER BY leaves ties, others of equal standing may be taken; they are still sorted, and as many.
SELECT is(pg_temp.outcome('SELECT count(*), array_agg(lang) FROM (' || query || ') z', '{jsonrow.unnest, on}'),
	pg_temp.outcome('SELECT count(*), array_agg(lang) FROM (' || query || ') z', '{jsonrow.unnest, off}'), query)
FROM (VALUES ('SELECT f.lang, f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY lang LIMIT 40'),
	('SELECT f.lang, f.id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY lang DESC NULLS LAST LIMIT 40 OFFSET 10')) q(query);

-- A look-up becomes a join where many rows look something up at once: in a collection, if that is one, too.
CREATE FUNCTION pg_temp.limits(query text, settings text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	FOR i IN 1 .. cardinality(settings) BY 2 LOOP
		PERFORM set_config(settings[i], settings[i + 1], true);
	END LOOP;
	EXECUTE 'EXPLAIN (COSTS OFF, FORMAT json) ' || query INTO plan;
	RETURN (SELECT count(*) FROM jsonb_path_query(plan::jsonb, 'strict $.**?(@."Node Type" == "Limit")'));
END $$;
CREATE TABLE looked_up (query text);
INSERT INTO looked_up SELECT format('SELECT f.id, x.d FROM f LEFT JOIN LATERAL (SELECT
	json_agg(json_build_object(''v'', c.v, ''l'', %s) ORDER BY c.id) d FROM c
	LEFT JOIN LATERAL (SELECT %s LIMIT 1%s) y ON true WHERE c.fid = f.id) x ON true ORDER BY f.id',
	coalesce(shown, 'y.d'), split_part(look_up, ' ...', 1), split_part(look_up, ' ...', 2))
FROM (VALUES
	('json_build_object(''n'', name, ''none'', NULL) d FROM l WHERE id = c.v', NULL),
	('jsonb_build_object(''n'', name) d FROM two WHERE a = c.v AND b = 1', NULL),
	('upper(name) d FROM l WHERE id = c.v AND name <> ''one''', NULL),
	('to_jsonb(l) d FROM l WHERE id = c.v', NULL), ('row_to_json(l) d FROM l WHERE c.v = id', NULL),
	('row_to_json((SELECT e FROM (SELECT l.name, l.id) e)) d FROM l WHERE id = c.v', NULL),
	('json_build_object(''n'', name) d FROM l WHERE id = c.v', 'row_to_json((SELECT e FROM (SELECT y.d AS deeper) e))'),
	('json_build_object(''n'', name) d, json_build_array(id) e FROM l WHERE id = c.v', 'json_build_array(y.d, y.e)'),
	('row_to_json(t.*) d FROM (SELECT id, name FROM l WHERE id = c.v ...) t', NULL),
	('row_to_json((SELECT e FROM (SELECT t.name AS n) e)) d FROM (SELECT * FROM l WHERE id = c.v ...) t', NULL),
	('json_build_array(s) d FROM (SELECT t.name FROM (SELECT * FROM l WHERE id = c.v ...) t) s', NULL),
	('json_build_object(''n'', name) d FROM l WHERE id = c.v', 'json_build_array(y.d, y.d)'),
	('json_build_object(''n'', name) d FROM l WHERE id = c.v', 'row_to_json(y)'),
	('json_build_object(''n'', name) d FROM l WHERE id = c.v', 'json_build_array(y.d, y)'),
	('json_build_object(''n'', name, ''v'', c.v) d FROM l WHERE id = c.v', NULL)) q(look_up, shown);
SELECT pg_temp.same(query) FROM looked_up;
SELECT is(pg_temp.limits(query, '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 1e30}'), 1::bigint,
	'for each row of another query: ' || pg_temp.name_of(query)) FROM looked_up;
SELECT is(pg_temp.limits(query, '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 0}'), 0::bigint,
	'at once: ' || pg_temp.name_of(query)) FROM looked_up;
SELECT is(pg_temp.limits(query, '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 1e30}'), limits, 'limits: ' || query)
FROM (VALUES
	(0::bigint, 'SELECT c.id, y.d FROM c LEFT JOIN LATERAL (SELECT json_build_object(''n'', name) d
		FROM l WHERE id = c.v LIMIT 1) y ON true'),
	(1, 'SELECT c.id, y.d FROM c LEFT JOIN LATERAL (SELECT json_build_object(''n'', name) d
		FROM l WHERE id = c.v LIMIT 1) y ON true WHERE c.id = 7'),
	(2, 'SELECT c.id, 10 / (c.id - 200), y.d FROM c LEFT JOIN LATERAL (SELECT json_build_object(''n'', name) d
		FROM l WHERE id = c.v LIMIT 1) y ON true LIMIT 10'),
	(2, 'SELECT c.id, y.d FROM (SELECT * FROM c ORDER BY id LIMIT 20) c LEFT JOIN LATERAL (SELECT json_build_object(''n'',
		name) d FROM l WHERE id = c.v LIMIT 1) y ON true'),
	(2, 'SELECT c.id, y.d FROM (SELECT * FROM c ORDER BY id LIMIT 2000) c LEFT JOIN LATERAL (SELECT
		json_build_object(''n'', name) d FROM l WHERE id = c.v LIMIT 1) y ON true ORDER BY c.id'),
	-- a value that is the same for all rows, which parallel workers would have before they read any
	(0, 'SELECT sum(CASE WHEN c.id > 1e6 THEN (SELECT count(*) FROM l) ELSE 1 END), count(y.d) FROM c LEFT JOIN
	LATERAL (SELECT
		json_build_object(''n'', name) d FROM l WHERE id = c.v LIMIT 1) y ON true'),
	(1, 'SELECT sum(CASE WHEN c.id > 1e6 THEN (SELECT 1 / (count(*) - count(*)) FROM l) ELSE 1 END), count(y.d) FROM c
		LEFT JOIN LATERAL (SELECT json_build_object(''n'', name) d FROM l WHERE id = c.v LIMIT 1) y ON true')) q(limits,
	query);

/*
 * A nested loop that remembers what it found for equal values (Memoize) does not always notice that they are not the
 * same, and are selected.  That is PostgreSQL's own fault, so a LIMIT that keeps it away stays.
 */
CREATE TABLE grade (rating numeric PRIMARY KEY, name text, word text COLLATE "C" UNIQUE);
INSERT INTO grade SELECT i, 'grade ' || i, 'w' || i FROM generate_series(1, 3000) i;
CREATE TABLE graded AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN (i % 5)::numeric(4, 2) ELSE i % 5 END AS rating,
	'W' || i % 5 AS upper, 'w' || i % 5 AS word FROM generate_series(1, 3000) i;
ANALYZE grade, graded;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SELECT pg_temp.same(query) FROM (SELECT format('SELECT g.id, x.j FROM graded g LEFT JOIN LATERAL (SELECT %s LIMIT 1) x
	ON true ORDER BY g.id', look_up) FROM (VALUES
	('json_build_array(name, g.rating) j FROM grade WHERE rating = g.rating'),
	('y.j FROM (SELECT json_build_array(name, g.rating) j FROM grade WHERE rating = g.rating) y'),
	('json_build_array(name, (SELECT g.rating)) j FROM grade WHERE rating = g.rating'),
	('json_build_array(name, g.word) j FROM grade WHERE word = g.word'),
	('json_build_array(name, g.upper) j FROM grade WHERE word = lower(g.upper)')) q(look_up)) q(query);
RESET enable_hashjoin;
RESET enable_mergejoin;

-- What PostgreSQL can plan is not too deep for us.
SET LOCAL max_stack_depth = '250kB';
SELECT pg_temp.same(format('SELECT id, (SELECT json_agg(%s%s%s ORDER BY id) FROM c WHERE fid = f.id) FROM f
	ORDER BY id', repeat(before, times), 'v', repeat(after, times)))
FROM (VALUES ('CASE WHEN id > 0 THEN ', ' END', 500), ('coalesce(', ', 0)', 480), ('(SELECT ', ')', 230))
	q(before, after, times);
RESET max_stack_depth;

-- A sort key that an index may have, so that PostgreSQL computes it for the first rows only: where the table stands
-- in what it pulls up, or in a join that is an outer join in name only, and where only a partition has the index.
CREATE FUNCTION limited(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN $1; END';
CREATE TABLE sorted (id int PRIMARY KEY, x int, z int, pad text);
INSERT INTO sorted SELECT i, i * 7 % 997, i % 500, repeat('y', 60) FROM generate_series(1, 5000) i;
CREATE INDEX ON sorted (limited(x));
CREATE INDEX ON sorted ((limited(x) + z));
CREATE TABLE sorted_parts (LIKE sorted) PARTITION BY RANGE (id);
CREATE TABLE sorted_part PARTITION OF sorted_parts FOR VALUES FROM (0) TO (100000);
INSERT INTO sorted_parts SELECT * FROM sorted;
CREATE INDEX ON sorted_part (limited(x));
CREATE FUNCTION sorted_of(int) RETURNS SETOF sorted STABLE LANGUAGE sql AS 'SELECT * FROM sorted WHERE z = $1';
CREATE TABLE slow AS SELECT i AS id, i % 200 AS fid FROM generate_series(1, 4000) i;
CREATE INDEX ON slow (fid);
ANALYZE sorted, sorted_parts, slow;
CREATE OR REPLACE FUNCTION limited(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF $1 > 600 THEN
		RAISE 'too large';
	END IF;
	RETURN $1;
END $$;
SELECT pg_temp.paged(0, format('%s LEFT JOIN LATERAL (SELECT json_agg(a.id ORDER BY a.id) d FROM slow a JOIN slow b
	ON b.fid = a.id JOIN slow c ON c.fid = b.id + 1 WHERE a.fid = q.id) x ON true WHERE q.z = 4 ORDER BY limited(q.x)%s
	LIMIT 5', query, sum)) FROM (VALUES ('SELECT q.id, x.d FROM sorted q', ''),
	('SELECT q.id, x.d FROM sorted q CROSS JOIN LATERAL (SELECT q.z AS y) s', ' + s.y'),
	('SELECT q.id, x.d FROM sorted q JOIN sorted s ON s.id = q.id', ' + s.z'),
	('SELECT q.id, x.d FROM (SELECT * FROM sorted) q', ''),
	('WITH q AS (SELECT * FROM sorted) SELECT q.id, x.d FROM q', ''), ('SELECT q.id, x.d FROM sorted_parts q', ''),
	('SELECT q.id, x.d FROM sorted_of(4) q', ''), ('SELECT q.id, x.d FROM f LEFT JOIN sorted q USING (id)', ''),
	('SELECT q.id, x.d FROM (f LEFT JOIN sorted s USING (id)) q', '')) v(query, sum);

-- ... and what gives the order of an operator's results; and keys that PostgreSQL need not compare, of rows in order
CREATE TABLE placed AS SELECT *, NULL::point AS at, '{}'::json AS doc FROM sorted;
CREATE INDEX ON placed (z);
ANALYZE placed;
SELECT pg_temp.paged(1, 'SELECT s.id, x.n FROM placed s LEFT JOIN LATERAL (SELECT count(*) n FROM slow
	WHERE fid = s.id) x ON true ORDER BY s.at <-> point ''(0,0)'', s.id LIMIT 5');
CREATE INDEX ON placed USING gist (at);
-- In a plan that sorts only groups of rows, pages stay.
SET LOCAL enable_incremental_sort = off;
SELECT pg_temp.paged(pages, format('SELECT s.id, x.n FROM placed s LEFT JOIN LATERAL (SELECT count(*) n FROM slow
	WHERE fid = s.id) x ON true WHERE s.id < 3000 ORDER BY %s LIMIT 5', sort))
FROM (VALUES (0, 's.at <-> point ''(0,0)'', s.id'), (0, 's.z, ROW(s.doc)'), (1, 's.x, s.z, s.id'),
	(1, 's.z, s.pad, s.id'), (1, 's.z, ARRAY[s.x, s.id]'), (1, 's.z, ARRAY[s.pad], s.id'),
	(0, 's.z, int4range(s.id, s.id)'), (1, 'sqrt(s.id), s.id'), (1, 's.z, s.id USING >')) v(pages, sort);
RESET enable_incremental_sort;
-- Workers sort before they join, so fewer values are computed: in what PostgreSQL pulls up.
SET LOCAL parallel_setup_cost = 12000;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = '300kB';
SET LOCAL enable_mergejoin = off;
SELECT pg_temp.paged(0, format('%s SELECT f.id, 10 / (f.z - 10) q, p.* FROM sorted f JOIN %s w ON w.id = f.id
	CROSS JOIN LATERAL (SELECT g.id gid, x.n FROM f g LEFT JOIN LATERAL (SELECT count(*) n FROM c WHERE fid = g.id) x
		ON true WHERE g.id <> f.id AND g.lang = 2 ORDER BY g.rating, g.id LIMIT 2) p ORDER BY f.x LIMIT 5',
	with_query, item))
FROM (VALUES ('WITH w AS (SELECT * FROM sorted)', ''), ('', '(SELECT * FROM sorted)')) v(with_query, item);
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET enable_mergejoin;

-- A column that is used twice at each level is not expanded: this would take minutes, and all memory.
SELECT pg_temp.same(format('SELECT y.id FROM (%sSELECT id, v AS r FROM c%s) y
	WHERE y.r = (SELECT v FROM c WHERE id = y.id) ORDER BY id LIMIT 5',
	repeat('SELECT id, greatest(r, r) AS r FROM (', 40), repeat(') s ORDER BY id', 40)));
SELECT pg_temp.same(format('SELECT id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id),
	%snow() > ''2020-01-01''%s
	FROM f ORDER BY rating, id LIMIT 5',
	repeat('CASE WHEN ', 40), repeat(' THEN true ELSE false END', 40)));

-- Of a constant in a subquery that it pulls up, PostgreSQL knows while it plans what need not be computed.
SELECT pg_temp.paged(pages, query) FROM (VALUES
	(0, 'SELECT json_build_object(''a'', 10 / pos + z) FROM (SELECT id, pos, NULL::int8 z FROM f) q
		ORDER BY id LIMIT 5'),
	(0, 'SELECT json_build_object(''a'', 10 / pos > 0 OR z + 1 = 2) FROM (SELECT id, pos, z FROM (SELECT *, 1 AS z FROM f)
		y) q ORDER BY id LIMIT 5'),
	(0, 'SELECT json_build_object(''a'', 10 / pos > 0 OR z = 1) FROM f, (VALUES (1)) y(z) ORDER BY id LIMIT 5'),
	(0, 'SELECT q.id, x.n FROM (SELECT *, NULL::int8 z FROM f) q LEFT JOIN LATERAL (SELECT sum(10 / v + q.z) n FROM c
		WHERE fid = q.id) x ON true ORDER BY rating LIMIT 5'),
	(0, 'SELECT json_build_object(''a'', 10 / pos > 0 AND title IS NULL) FROM f ORDER BY id LIMIT 5'),
	(1, 'SELECT json_build_object(''a'', pos, ''z'', z) FROM (SELECT id, pos, NULL::int8 z FROM f) q, (VALUES (1)) one
		ORDER BY id LIMIT 5'),
	(1, 'SELECT json_build_object(''a'', 10 / (pos + 1)) FROM (SELECT id, pos, NULL::int8 z FROM f) q, (VALUES (1)) one
		ORDER BY id LIMIT 5'))
	q(pages, query);

-- An argument's default may be volatile, though the function is not.
CREATE SEQUENCE numbers;
CREATE FUNCTION pg_temp.numbered(int, int8 DEFAULT nextval('numbers')) RETURNS int8 LANGUAGE plpgsql STABLE AS
	'BEGIN RETURN $2; END';
CREATE FUNCTION pg_temp.steady(int, int8 DEFAULT 7) RETURNS int8 LANGUAGE plpgsql STABLE AS 'BEGIN RETURN $2; END';
SELECT is(pg_temp.parents_first(format('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT max(%s) a FROM c
	WHERE fid = f.id) x ON true ORDER BY rating LIMIT 5', call)), pages::bigint, 'parents first: ' || call)
FROM (VALUES (1, 'pg_temp.steady(v)'), (0, 'pg_temp.numbered(v)'), (1, 'pg_temp.numbered(v, 1)'),
	(0, 'pg_temp.steady(v, pg_temp.numbered(v))')) q(pages, call);

-- Planning calls the functions of users as often as it did.
CREATE FUNCTION pg_temp.counted(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('counted.n', (current_setting('counted.n')::int + 1)::text, true);
	RETURN $1;
END $$;
CREATE FUNCTION pg_temp.calls(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	PERFORM set_config('counted.n', '0', true), set_config('jsonrow.unnest', unnest, true);
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP END LOOP;
	RETURN current_setting('counted.n');
END $$;
SELECT is(pg_temp.calls(query, 'on'), pg_temp.calls(query, 'off'), 'calls while planning: ' || pg_temp.name_of(query))
FROM (VALUES ('SELECT pg_temp.counted(1), x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c
	WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT 5'),
	('SELECT id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		WHERE id > pg_temp.counted(1) ORDER BY rating LIMIT 5'),
	('SELECT id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id AND v > pg_temp.counted(2)) x
		ON true ORDER BY rating LIMIT 2000'),
	('SELECT id, x.a FROM f LEFT JOIN LATERAL (SELECT count(*) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating LIMIT pg_temp.counted(2)')) q(query);
-- A user's aggregate counts as immutable, whatever computes it: it is computed as often. PostgreSQL 19 knows of a
-- column that it is NOT NULL.
CREATE FUNCTION pg_temp.step(state int, v int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.counted(v);
	RETURN current_setting('counted.n')::int;
END $$;
CREATE AGGREGATE pg_temp.steps(int) (SFUNC = pg_temp.step, STYPE = int, INITCOND = '0');
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on, counted.n, 0}'),
	pg_temp.outcome(query, '{jsonrow.unnest, off, counted.n, 0}'), pg_temp.name_of(query))
FROM (VALUES ('SELECT f.id, x.a FROM f LEFT JOIN LATERAL (SELECT pg_temp.steps(v) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating, f.id LIMIT 5'),
	('SELECT f.id, (SELECT pg_temp.steps(v) FROM c WHERE fid = f.id) a FROM f ORDER BY rating, f.id LIMIT 5 OFFSET 7'),
	('SELECT f.id, coalesce(f.id, 10 / 0) q, x.a FROM f LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c
		WHERE fid = f.id) x ON true ORDER BY rating, f.id LIMIT 5'),
	('SELECT f.id, CASE WHEN k.k IS NULL THEN 10 / 0 ELSE 1 END q, x.a FROM f CROSS JOIN LATERAL (SELECT f.id AS k) k
		LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true
		ORDER BY rating, f.id LIMIT 5')) q(query);

SELECT * FROM finish();
ROLLBACK;
