-- What jsonrow.unnest must not change, under every kind of join: the order that is asked for anywhere, errors, what a
-- function sees, how much memory it takes, and what other extensions hear of.
\ir oracle.psql
\ir unnest.psql
\ir leaked.psql

SELECT pg_temp.plan_most(1837);

CREATE TABLE p (id int PRIMARY KEY, name text, f float8);
INSERT INTO p SELECT i, 'p' || lpad((i * 7 % 40)::text, 2, '0'), i / 7.0::float8 FROM generate_series(1, 40) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int, arr int[], o jsonb);
INSERT INTO c SELECT i, 1 + i * 11 % 40, i % 5, '{1}', '"key"' FROM generate_series(1, 200) i;
-- Nobody's: what raises an error, if it is computed for them
INSERT INTO c VALUES (1000, -1, 0, '{1,2}', '{}'), (1001, -1, 0, NULL, '[]'), (1002, 0, -5, '{1,2}', '{}'),
	(1003, 0, 5, '{1,2}', '{}'), (1004, NULL, 0, '{1,2}', '{}');
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, i * 13 % 200, 'w' || i FROM generate_series(1, 300) i;
CREATE TABLE few (id int);
INSERT INTO few VALUES (1), (2);
CREATE VIEW page AS SELECT id, name FROM p ORDER BY name DESC LIMIT 15;
CREATE VIEW summed AS SELECT p.id, (SELECT sum(v) FROM c WHERE pid = p.id) AS s FROM p;
ANALYZE;

-- A query gives the same under each of these, unnested or not.
CREATE TABLE ways (setting text[]);
INSERT INTO ways SELECT ('{jsonrow.unnest, on, ' || s || '}')::text[] FROM unnest(ARRAY[
	'jsonrow.accelerate, on', 'enable_hashjoin, off, enable_mergejoin, off', 'enable_hashjoin, off, enable_nestloop, off',
	'enable_mergejoin, off, enable_nestloop, off', 'enable_hashagg, off', 'work_mem, 64kB',
	'max_parallel_workers_per_gather, 2, parallel_setup_cost, 0, parallel_tuple_cost, 0, min_parallel_table_scan_size, 0',
	'enable_indexscan, off, enable_bitmapscan, off', 'enable_sort, off', 'join_collapse_limit, 1']) s;

-- With and without the same settings but ours; an order that is asked for must not depend on them.
CREATE FUNCTION pg_temp.same(query text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT is(pg_temp.outcome(query, setting), pg_temp.outcome(query, setting || '{jsonrow.unnest, off}'),
		left(regexp_replace(query, '\s+', ' ', 'g'), 160) || ' with ' || setting::text)
	FROM ways WHERE pg_temp.chosen(query || setting::text) $$;

-- Orders: those of items of FROM, in every kind of item, where the array shows it
CREATE TABLE items (item text);
INSERT INTO items VALUES
	('(SELECT * FROM p ORDER BY name DESC LIMIT 15)'), ('(SELECT * FROM p ORDER BY name DESC OFFSET 0)'),
	('(SELECT * FROM p ORDER BY name DESC LIMIT ALL)'), ('(SELECT * FROM p ORDER BY name DESC)'),
	('(SELECT DISTINCT id, name FROM p ORDER BY name DESC)'),
	('(SELECT DISTINCT ON (name) id, name FROM p ORDER BY name DESC, id)'),
	('(SELECT id, name FROM p GROUP BY id, name ORDER BY name DESC)'),
	('(SELECT id, name, row_number() OVER (ORDER BY name) FROM p ORDER BY name DESC)'),
	('(SELECT id, name FROM p UNION ALL SELECT id, ''u'' || name FROM p ORDER BY name DESC)'),
	('(SELECT id, name FROM p EXCEPT SELECT 3, ''x'' ORDER BY name DESC)'),
	('(SELECT * FROM (SELECT * FROM p ORDER BY name DESC LIMIT 12) y)'),
	('(SELECT y.* FROM (SELECT * FROM p ORDER BY name DESC) y LEFT JOIN few ON few.id = y.id)'),
	('(VALUES (5, ''a''), (3, ''b''), (9, ''c''), (1, ''d''))'), ('page');
SELECT pg_temp.same(format(query, item)) FROM items, (VALUES
	('SELECT json_agg(json_build_array(x.name, (SELECT count(*) FROM c WHERE pid = x.id))) FROM %s x(id, name)'),
	('SELECT json_agg(json_build_array(x.name, y.n)) FROM %s x(id, name)
		CROSS JOIN LATERAL (SELECT count(*) n FROM c WHERE pid = x.id) y'),
	('SELECT json_agg(json_build_array(x.name, y.n)) FROM %s x(id, name),
		LATERAL (SELECT count(*) n FROM c WHERE pid = x.id) y'),
	('SELECT x.name, y.n FROM %s x(id, name) LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) n FROM c
		WHERE pid = x.id) y ON true'),
	('WITH x(id, name) AS (SELECT * FROM %s y) SELECT json_agg(json_build_array(name,
		(SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = x.id))) FROM x'),
	('WITH x AS MATERIALIZED (SELECT * FROM %s y(id, name)) SELECT string_agg(name || (SELECT count(*) FROM c
		WHERE pid = x.id)::text, '','') FROM x')) q(query);

-- ... above and below the collection, and on the children's side
SELECT pg_temp.same(query) FROM (VALUES
	('WITH page AS (SELECT * FROM p ORDER BY name DESC LIMIT 6)
		SELECT json_agg(json_build_array(name, (SELECT count(*) FROM c WHERE pid = page.id))) FROM page'),
	('SELECT id, (SELECT json_agg(json_build_array(v, n)) FROM (SELECT pid, v, count(*) n FROM c GROUP BY pid, v
		ORDER BY n DESC, v DESC) x WHERE x.pid = p.id) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(v) FROM (SELECT DISTINCT pid, v FROM c ORDER BY v DESC) x WHERE x.pid = p.id)
		FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(x.id) FROM (SELECT * FROM c ORDER BY id DESC LIMIT 90) x WHERE x.pid = p.id)
		FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(x.id) FROM (SELECT * FROM c WHERE pid = p.id ORDER BY id DESC OFFSET 0) x)
		FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(x.id) FROM (SELECT * FROM c ORDER BY id DESC) x JOIN few ON few.id = x.v
		WHERE x.pid = p.id) FROM p ORDER BY id'),
	-- ... which orders what the sort above leaves: a child with several of these
	('SELECT id, (SELECT json_agg(z) FROM (SELECT u.id FROM c LEFT JOIN LATERAL (SELECT id FROM p y WHERE y.id >= c.v
		ORDER BY y.id DESC) u ON true WHERE c.pid = p.id ORDER BY c.id DESC) z) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(u.id ORDER BY c.id DESC) FROM c CROSS JOIN LATERAL (SELECT id FROM p y
		WHERE y.id >= c.v ORDER BY y.id DESC) u WHERE c.pid = p.id) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(z) FROM (SELECT u.id FROM c LEFT JOIN LATERAL (SELECT id FROM p y WHERE y.id >= c.v
		ORDER BY y.id DESC LIMIT 1) u ON true WHERE c.pid = p.id ORDER BY c.id DESC) z) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(-c.id ORDER BY c.id) FROM c WHERE c.pid = p.id) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(z.id ORDER BY z.cid DESC) FROM (SELECT c.id AS cid, u.id FROM c CROSS JOIN LATERAL
		(SELECT id FROM p y WHERE y.id >= c.v ORDER BY y.id DESC) u WHERE c.pid = p.id) z) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(q) FROM (SELECT z.id FROM (SELECT c.id AS cid, c.pid, u.id FROM c CROSS JOIN LATERAL
		(SELECT id FROM p y WHERE y.id >= c.v ORDER BY y.id DESC) u) z WHERE z.pid = p.id ORDER BY z.cid DESC) q)
		FROM p ORDER BY id'),
	-- ... or where the sort above is a part of the one below
	('SELECT id, (SELECT json_agg(z.id ORDER BY z.v) FROM (SELECT * FROM c ORDER BY v, id DESC) z WHERE z.pid = p.id)
		FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(z.id) FROM (SELECT * FROM (SELECT * FROM c ORDER BY v, id DESC) w WHERE pid = p.id
		ORDER BY v LIMIT 3) z) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(z ORDER BY z.v) FROM (SELECT v, x.id FROM (SELECT * FROM c ORDER BY v, id DESC) x
		WHERE pid = p.id ORDER BY v) z) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(z.id ORDER BY z.v DESC) FROM (SELECT * FROM c ORDER BY v DESC, id DESC OFFSET 1) z
		WHERE z.pid = p.id) FROM p ORDER BY id'),
	('SELECT json_agg(json_build_array(x.id, (SELECT count(*) FROM c WHERE pid = x.id)) ORDER BY k)
		FROM (SELECT id, id % 3 AS k FROM p ORDER BY k, name DESC) x'),
	('SELECT json_agg(x.id ORDER BY k), (SELECT count(*) FROM c WHERE pid = k)
		FROM (SELECT id, id % 3 AS k FROM p ORDER BY k, name DESC) x GROUP BY k ORDER BY k'),
	('SELECT x.id, y.n FROM (SELECT id, id % 3 AS k FROM p ORDER BY k, name DESC) x, LATERAL (SELECT count(*) n FROM c
		WHERE pid = x.id) y ORDER BY k'),
	('SELECT x.id, (SELECT sum(v) FROM c WHERE pid = x.id) FROM (SELECT * FROM (SELECT id, id % 3 AS k, name FROM p
		ORDER BY k, name DESC) y ORDER BY k LIMIT 9) x'),
	('SELECT json_agg(z ORDER BY z.id) FROM (SELECT id, (SELECT json_agg(y) FROM (SELECT c.id, (SELECT count(*) FROM g
		WHERE cid = c.id) FROM c WHERE pid = p.id ORDER BY v DESC, c.id DESC) y) FROM p) z'),
	('SELECT name, array_agg(n) FROM (SELECT name, (SELECT count(*) FROM c WHERE pid = p.id) n FROM p
		ORDER BY id DESC) x
		GROUP BY name ORDER BY name'),
	('SELECT json_agg(json_build_array(x.i, (SELECT count(*) FROM c WHERE pid = x.i)))
		FROM generate_series(20, 1, -1) x(i)'),
	('SELECT json_agg(json_build_array(x.i, (SELECT count(*) FROM c WHERE pid = x.i)))
		FROM unnest(ARRAY[7, 3, 9, 1]) WITH ORDINALITY x(i, o)'),
	('WITH w AS MATERIALIZED (SELECT f, (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY name)
		SELECT sum(f) FROM w'),
	('WITH w AS MATERIALIZED (SELECT f, (SELECT count(*) FROM c WHERE pid = p.id) FROM p) SELECT (SELECT sum(f)
		FROM w)'),
	('SELECT sum(f) FROM (SELECT f, (SELECT count(*) FROM c WHERE pid = p.id) n FROM p ORDER BY name) x'),
	('SELECT v, (SELECT count(*) FROM c WHERE pid = x.v) FROM (SELECT v FROM c ORDER BY id) x GROUP BY v ORDER BY v'),
	('SELECT v, count((SELECT count(*) FROM g WHERE cid = x.v)) FROM (SELECT v FROM c ORDER BY id) x GROUP BY v
		ORDER BY v'))
	q(query);

-- ... where the order depends on how something is joined, which costs decide
SELECT is(pg_temp.groupings(query, 'on'), 0, 'stays: ' || query) FROM (VALUES
	('SELECT json_agg(z) FROM (SELECT x.name, c.id, (SELECT count(*) FROM g WHERE cid = c.id) n
		FROM (SELECT * FROM p ORDER BY name) x JOIN c ON c.pid = x.id) z'),
	('SELECT json_agg(json_build_array(x.name, z)) FROM (SELECT * FROM p ORDER BY name DESC) x LEFT JOIN (SELECT c.pid,
		(SELECT count(*) FROM g WHERE cid = c.id) n FROM c WHERE id < 30) z ON z.pid = x.id')) q(query);

-- What a third hostile reading found.  A level where nothing is joined, after all, keeps its order, and what it
-- computes.
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT (SELECT sum((SELECT count(*) FROM c WHERE pid = x.id)) FROM (SELECT id FROM p ORDER BY 10 / (id - 5)) x),
		(SELECT json_agg((SELECT count(*) FROM c WHERE pid = y.id) ORDER BY id) FROM p y)'),
	('SELECT (SELECT json_agg(json_build_array(CASE WHEN x.id <> 5 THEN x.q END, (SELECT count(*) FROM c
		WHERE pid = x.id)) ORDER BY x.id) FROM (SELECT id, 10 / (id - 5) q FROM p ORDER BY id) x),
		(SELECT json_agg((SELECT count(*) FROM c WHERE pid = y.id) ORDER BY id) FROM p y)'),
	-- No order is lost on its way to an aggregate in a subquery, nor is there a column too many.
	('SELECT json_agg((SELECT count(*) FROM c WHERE pid = x.id) ORDER BY k), (SELECT json_agg(x.id ORDER BY x.k))
		FROM (SELECT id, id % 3 AS k FROM p ORDER BY k, name DESC) x'),
	('SELECT ' || repeat('x.id, ', 1663) || '(SELECT json_agg(c.id ORDER BY id) FROM c WHERE pid = x.id)
		FROM (SELECT * FROM p ORDER BY f, name DESC) x')) q(query);
-- Numbering rows compares them also in the order of what is read; and what is left out of the parents may raise an
-- error.
REVOKE EXECUTE ON FUNCTION date_eq(date, date) FROM PUBLIC;
SELECT is(pg_temp.groupings(query, 'on'), 0, 'stays: ' || query) FROM (VALUES
	('SELECT id, (SELECT json_agg(z) FROM (SELECT y.id FROM (SELECT *, date ''2026-01-01'' + v AS d FROM c
		ORDER BY v, d DESC, id) y WHERE pid = p.id ORDER BY v LIMIT 3) z) FROM p'),
	('SELECT p.id, t.x, (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id)
		FROM p LEFT JOIN LATERAL (SELECT 10 / v x FROM c t WHERE t.id = p.id) t ON true')) q(query);
SELECT pg_temp.test(0, 'SELECT id, (SELECT json_build_object(''a'', json_agg(x.id), ''b'', json_agg(x.v)) FROM
	(SELECT c.id, v
	FROM c WHERE pid = p.id ORDER BY date ''2026-01-01'' + v) x) FROM p WHERE id < 0');
GRANT EXECUTE ON FUNCTION date_eq(date, date) TO PUBLIC;

-- A sort whose comparison is an error is not left out, nor the order of a row that is looked up.
CREATE TABLE collated (id int PRIMARY KEY, a text COLLATE "C", b text COLLATE "POSIX");
INSERT INTO collated SELECT i, 'a', 'b' FROM generate_series(1, 40) i;
ANALYZE collated;
SELECT pg_temp.test(0, query) FROM unnest(ARRAY[
	'SELECT sum((SELECT count(*) FROM c WHERE pid = s.id)) FROM (SELECT id FROM p ORDER BY (to_json(name), id)) s',
	'SELECT count((SELECT json_agg(v ORDER BY id) FROM c WHERE pid = s.id)) FROM (SELECT id FROM p
		ORDER BY (to_json(name), id)) s',
	'SELECT sum((SELECT count(*) FROM c WHERE pid = s.id)) FROM (SELECT id FROM (SELECT id, coalesce(a, b) AS ab
		FROM collated) t ORDER BY ab) s',
	'SELECT p.id, (SELECT json_build_object(''x'', t.id, ''cs'', (SELECT json_agg(v ORDER BY id) FROM c
		WHERE c.pid = t.id))
		FROM (SELECT id, coalesce(a, b) AS ab FROM collated) t WHERE t.id = p.id ORDER BY t.ab LIMIT 1)
		FROM p']) query;

-- Planning adds the defaults of arguments; a query for texts may be deeper than the stack.
CREATE FUNCTION with_default(a int, b int DEFAULT 10 / current_setting('my.zero')::int) RETURNS int
	LANGUAGE plpgsql STABLE LEAKPROOF AS 'BEGIN RETURN a; END';
SET LOCAL my.zero = '0';
CREATE TABLE sought (pid int, v tsvector, q tsquery);
INSERT INTO sought SELECT i, 'a', 'a' FROM generate_series(1, 40) i;
ANALYZE sought;
SELECT pg_temp.test(0, 'SELECT id, (SELECT count(with_default(v)) FROM c WHERE pid = p.id AND v > 100) FROM p
	ORDER BY id');
SELECT pg_temp.test(0, 'SELECT id, (SELECT count(*) FROM sought WHERE pid = p.id AND v @@ q) FROM p ORDER BY id');
SELECT pg_temp.test(1, 'SELECT id, (SELECT count(*) FROM sought WHERE pid = p.id AND v @@ ''a'') FROM p ORDER BY id');
-- A recursive query that nothing refers to is never planned, though it refers to itself.
SELECT pg_temp.same($$SELECT (SELECT json_agg(x ORDER BY x.id) FROM (SELECT p.id, (SELECT count(*) FROM c
	WHERE pid = p.id) FROM p) x),
	(SELECT json_agg(y ORDER BY y.id) FROM (SELECT p.id, (WITH RECURSIVE un AS (SELECT 1/0 AS z UNION ALL SELECT z FROM un
		WHERE z < 3), r AS (SELECT c.id, c.v FROM c WHERE c.pid = p.id ORDER BY c.id LIMIT 30)
	SELECT o.d FROM (SELECT jsonb_build_object('n', t.n, 'e', coalesce(jsonb_agg(jsonb_build_object('v', r.v))
			FILTER (WHERE r.id IS NOT NULL), '[]')) AS d
		FROM (SELECT count(*) AS n FROM c WHERE c.pid = p.id) t CROSS JOIN (SELECT EXISTS (SELECT 1 FROM r) AS e) h
		LEFT JOIN r ON true GROUP BY t.n, h.e) o) FROM p WHERE id < 3) y)$$);
-- A condition that is computed of what is on the left of a join stays one of what is around.
SELECT pg_temp.test(0, 'SELECT p.id, t.w, (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM few JOIN p
	ON p.id = few.id
	LEFT JOIN (SELECT id AS w FROM few) t ON 12 / (p.id - 40) < 1 ORDER BY 1, 2');
CREATE TABLE timed AS SELECT i % 40 AS pid, '2026-01-01'::timestamptz + i * interval '1 h' AS at
	FROM generate_series(1, 90) i;
ANALYZE timed;
-- Zones of times may be printed, and what is beside a NULL is not computed if PostgreSQL knows it.
SELECT pg_temp.test(1, 'SELECT id, (SELECT json_agg(to_char(at, ''YYYY-MM-DD"T"HH24:MI:SS.USTZH:TZM'') ORDER BY at)
	FROM timed
	WHERE pid = p.id) FROM p ORDER BY id');
SELECT pg_temp.same(query) FROM unnest(ARRAY['SELECT array_to_json(q.z, 10 / (q.id - 5) > 0), (SELECT json_agg(v
	ORDER BY c.id) FROM c
	WHERE pid = q.id) FROM (SELECT id, NULL::int[] AS z FROM p ORDER BY id) q']) query;

-- Errors: none that is none as it is written, above the collection and within it
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT few.id, q.d FROM few LEFT JOIN (SELECT id, coalesce(10 / s, 0) d FROM summed WHERE s > -100) q
		ON q.id = few.id'),
	('SELECT few.id, q.d FROM few LEFT JOIN (SELECT id, 10 / s d FROM summed) q ON q.id = few.id AND q.d > -100'),
	('SELECT sum(10 / s) FROM summed WHERE s > 0'),
	('SELECT id, sum(10 / s) FROM summed JOIN few USING (id) WHERE s > 0 GROUP BY id ORDER BY 1'),
	('SELECT id, (SELECT json_agg(ARRAY[arr, ''{7}'']) FROM c WHERE pid = p.id) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(json_build_object(o, 1)) FROM c WHERE pid = p.id) FROM p ORDER BY id'),
	('SELECT id, (SELECT json_agg(json_build_object(''{}''::json, 1)) FROM c WHERE pid = p.id AND v > 100)
		FROM p ORDER BY id'),
	('SELECT id, (SELECT count(*) FROM c WHERE pid = p.id AND v > 100 AND EXISTS (SELECT FROM g LIMIT ''-1''))
		FROM p ORDER BY id'),
	('SELECT id, (SELECT count(*) FROM (SELECT * FROM c WHERE v IN (SELECT id FROM g LIMIT 0 OFFSET ''-1'')) x
		WHERE pid = p.id AND v > 100) FROM p ORDER BY id'),
	('SELECT id, CASE WHEN id > 0 THEN 1 END, (SELECT sum(v) FROM c WHERE pid = p.id) FROM p WHERE id > 5
		ORDER BY id'),
	('SELECT id, CASE WHEN id < 0 THEN (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = p.id - 1) END FROM p'),
	('SELECT json_agg(x.s) FROM (SELECT 10 / id AS k, id FROM (SELECT id - 1 AS id FROM p) y WHERE id <> 0) z,
		LATERAL (SELECT sum(v) s FROM c WHERE pid = z.k) x'),
	('SELECT id, ARRAY[(SELECT array_agg(v) FROM c WHERE pid = p.id)] FROM p ORDER BY id'))
	q(query);
-- ... with acceleration alone, before a sort
CREATE TABLE ragged (id int, a int[]);
INSERT INTO ragged VALUES (1, '{1}'), (2, '{1,2}');
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{}'), query)
FROM (VALUES ('SELECT json_build_array(ARRAY[a, ''{7}'']) FROM ragged ORDER BY id LIMIT 1'),
	('SELECT json_agg(x.j) FROM (SELECT row_to_json(ROW(ARRAY[a, ''{7}''])) j FROM ragged ORDER BY id LIMIT 1) x'))
	q(query);

-- Joins that are named, whose columns are keys; the collections beside one another
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT j.id, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = j.id) FROM (p LEFT JOIN LATERAL
		(SELECT count(*) n FROM g WHERE cid = p.id) x ON true) AS j ORDER BY j.id'),
	('SELECT id, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = id), x.n FROM p LEFT JOIN few USING (id)
		LEFT JOIN LATERAL (SELECT json_agg(w ORDER BY g.id) n FROM g WHERE cid = p.id) x ON true ORDER BY id'),
	('SELECT few.id, (SELECT json_agg(g.w ORDER BY g.id) FROM c LEFT JOIN g ON g.id = c.v WHERE g.id = few.id) FROM few
		ORDER BY 1'),
	('SELECT id, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = p.id AND v = few.id), few.id FROM p FULL JOIN few
		USING (id) ORDER BY id'),
	('SELECT p.id, x.a, y.a, z.n FROM p JOIN LATERAL (SELECT json_agg(v ORDER BY c.id) a FROM c WHERE pid = p.id) x
		ON p.id > 3 CROSS JOIN LATERAL (SELECT json_agg(w ORDER BY g.id) a FROM g WHERE cid = p.id) y,
		LATERAL (SELECT count(*) n FROM c WHERE pid = p.id) z ORDER BY p.id'),
	('WITH w AS (SELECT id FROM p WHERE id < 9), u AS (SELECT id FROM w), m AS MATERIALIZED (SELECT * FROM p LIMIT 20)
		SELECT (SELECT json_agg((SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = u.id) ORDER BY id) FROM u),
		(SELECT json_agg((SELECT json_agg(json_build_array(v, (SELECT json_agg(w ORDER BY g.id) FROM g
			WHERE cid = c.id)) ORDER BY c.id) FROM c WHERE pid = m.id) ORDER BY id) FROM m WHERE id > 2)')) q(query);

-- What a leaky function sees: not what row-level security hides, nor what is nobody's
CREATE TABLE owned (id int, owner text);
CREATE TABLE kept (pid int, v int);
INSERT INTO owned VALUES (1, 'reader'), (2, 'other'), (3, 'reader');
INSERT INTO kept VALUES (1, 1), (2, 4711), (3, 11), (4, 4712);
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
ALTER TABLE owned FORCE ROW LEVEL SECURITY;
CREATE POLICY readers ON owned USING (owner = 'reader');
CREATE ROLE jsonrow_same_reader;
CREATE VIEW seen AS SELECT owned.id, (SELECT sum(v) FROM kept WHERE pid = owned.id) AS s FROM owned;
ALTER VIEW seen OWNER TO jsonrow_same_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_same_reader;
GRANT SELECT ON owned, kept, seen, few, p TO jsonrow_same_reader;
SELECT ok(pg_temp.leaked(query, setting || '{role, jsonrow_same_reader}') <@
		pg_temp.leaked(query, setting || '{role, jsonrow_same_reader, jsonrow.unnest, off}'),
	'sees no more: ' || query || ' with ' || setting::text)
FROM ways, (VALUES
	('SELECT few.id, q.d FROM few LEFT JOIN (SELECT id, coalesce(pg_temp.leak(s), false) d FROM seen WHERE s > -100) q
		ON q.id = few.id'),
	('SELECT * FROM seen WHERE pg_temp.leak(s)'),
	('SELECT * FROM seen WHERE s > 0 AND pg_temp.leak(s)'),
	('SELECT id, pg_temp.leak(s) FROM seen WHERE s > 0'),
	('SELECT few.id FROM few JOIN seen ON seen.id = few.id AND pg_temp.leak(s)'),
	('SELECT id, count(*) FROM seen GROUP BY id, s HAVING pg_temp.leak(s)'),
	('SELECT max(s) FILTER (WHERE pg_temp.leak(s)) FROM seen WHERE s > 0'),
	('SELECT id, pg_temp.leak((SELECT sum(v) FROM kept WHERE pid = owned.id)) FROM owned'),
	('SELECT owned.id, pg_temp.leak(x.s) FROM owned LEFT JOIN LATERAL (SELECT sum(v) s FROM kept
		WHERE pid = owned.id) x
		ON true'),
	('SELECT owned.id FROM owned, LATERAL (SELECT sum(v) s FROM kept WHERE pid = owned.id) x WHERE pg_temp.leak(x.s)'),
	('SELECT owned.id, (SELECT json_agg(pg_temp.leak(v)) FROM kept WHERE pid = owned.id) FROM owned'))
	q(query);
SELECT is(pg_temp.leaked('SELECT pg_temp.leak(v) FROM kept', '{}'), '{1,11,4711,4712}', 'there is something to see');

-- Size: what is nobody's is not grouped
CREATE TABLE sizes (pid int, s text);
INSERT INTO sizes SELECT CASE WHEN i <= 40 THEN i ELSE -1 END, repeat('x', 1000) FROM generate_series(1, 20000) i;
ANALYZE sizes;
CREATE FUNCTION pg_temp.rows_grouped(query text) RETURNS numeric LANGUAGE sql AS $$
	SELECT max((rows #>> '{}')::numeric) FROM jsonb_path_query(pg_temp.executed(query, 'on'),
		'strict $.** ? (exists (@."Group Key")).Plans[*]."Actual Rows"') rows $$;
SELECT cmp_ok(pg_temp.rows_grouped('SELECT id, ' || made || ' FROM p ORDER BY id'), '<=', most::numeric,
	'only parents'' rows are grouped: ' || made)
FROM (VALUES (200, '(SELECT json_agg(s) FROM sizes WHERE pid = p.id)'),
	(200, '(SELECT jsonb_agg(x) FROM (SELECT s FROM sizes WHERE pid = p.id ORDER BY s) x)'),
	(200, '(SELECT array_agg(s) FROM sizes WHERE pid = p.id)'),
	-- ... but all of c, for most of it has parents
	((SELECT count(*) FROM c), '(SELECT json_agg((SELECT json_agg(t.v) FROM c t WHERE t.pid = sizes.pid)) FROM sizes
		WHERE pid = p.id)')) q(most, made);
-- ... also if one of the parents is not wanted
INSERT INTO p VALUES (-1, 'nobody', 0);
SELECT cmp_ok(pg_temp.rows_grouped(query), '<=', 40::numeric, query) FROM (VALUES
	('SELECT id, (SELECT json_agg(s) FROM sizes WHERE pid = p.id) FROM p WHERE id > 0 ORDER BY id'),
	('SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(s) a FROM sizes WHERE pid = p.id) x ON true
		WHERE p.name <> ''nobody'' ORDER BY p.id'),
	('WITH w AS MATERIALIZED (SELECT * FROM p WHERE id > 0) SELECT id, (SELECT json_agg(s) FROM sizes WHERE pid = w.id)
		FROM w ORDER BY id')) q(query);
SELECT is(pg_temp.groupings(query, 'on'), 0, 'stays: ' || query) FROM (VALUES
	('SELECT * FROM (SELECT id, (SELECT json_agg(s) FROM sizes WHERE pid = p.id) FROM p OFFSET 0) x WHERE id > 0'),
	('SELECT * FROM few LEFT JOIN (SELECT id, (SELECT json_agg(s) FROM sizes WHERE pid = p.id) FROM p) x USING (id)'),
	('SELECT id, CASE WHEN id > 0 THEN (SELECT json_agg(s) FROM sizes WHERE pid = p.id) END FROM p'),
	('SELECT id, coalesce(json ''[]'', (SELECT json_agg(s) FROM sizes WHERE pid = p.id)) FROM p'),
	('SELECT EXISTS (SELECT id, (SELECT json_agg(s) FROM sizes WHERE pid = p.id) FROM p)'),
	('SELECT few.id, (SELECT json_agg((SELECT json_agg(s) FROM sizes WHERE pid = p.id)) FROM p WHERE p.id > few.id)
		FROM few')) q(query);
DELETE FROM p WHERE id = -1;

-- What a hostile reading found: each stays as it is, for the reason that is named.
CREATE TABLE c7 (pid int, k int, v int);
CREATE TABLE numerics (id int, x numeric);
SELECT is(pg_temp.groupings(query, 'on') - pg_temp.groupings(query, 'off'), 0, 'stays: ' || why || ': ' || query)
FROM (VALUES
	('a CTE is read in VALUES, under a condition', 'WITH w AS NOT MATERIALIZED (SELECT id, (SELECT sum(v) FROM c WHERE
		pid = p.id) s FROM p) SELECT w.*, x FROM w LEFT JOIN (VALUES ((SELECT count(*) FROM w
		WHERE 10 / s > 0)), (0)) y(x)
		ON true'),
	('a CTE is read in LIMIT, under a condition', 'WITH w AS NOT MATERIALIZED (SELECT id, (SELECT sum(v) FROM c WHERE
		pid = p.id) s FROM p) SELECT w.* FROM w LEFT JOIN (SELECT 1 FROM few LIMIT (SELECT count(*) FROM w WHERE
		10 / s > 0)) y ON true'),
	('LIMIT in a function in FROM', 'SELECT i, (SELECT json_agg(v) FROM c WHERE pid = i) FROM generate_series(1,
		(SELECT id FROM few LIMIT 1)) i ORDER BY i'),
	('rows are locked in a condition', 'SELECT id, (SELECT count(*) FROM c WHERE pid = p.id) FROM p
		WHERE id IN (SELECT pid FROM c FOR UPDATE)'),
	('a CTE in a condition would be materialized', 'WITH w AS (SELECT id, 1 / (id - 1) z FROM p) SELECT id, (SELECT
		json_agg(v) FROM c WHERE pid = p.id) FROM p WHERE id IN (SELECT id FROM w)'),
	('HAVING becomes WHERE', 'SELECT id, json_agg((SELECT json_agg(s) FROM sizes WHERE pid = p.id)) FROM p GROUP BY id
		HAVING id > 0'),
	('HAVING becomes WHERE, above', 'SELECT x.id, json_agg(x.j) FROM (SELECT id, (SELECT json_agg(s) FROM sizes
		WHERE pid = p.id) j FROM p) x GROUP BY x.id HAVING x.id > 0'),
	('used in CASE, above', 'SELECT id, CASE WHEN id > 0 THEN j END FROM (SELECT id, (SELECT json_agg(s) FROM sizes
		WHERE pid = p.id) j FROM p) x'),
	('used in coalesce, above', 'SELECT coalesce(json ''[]'', j) FROM (SELECT id, (SELECT json_agg(s) FROM sizes
		WHERE pid = p.id) j FROM p) x'),
	('used in AND, above', 'SELECT id, id > 0 AND j::text > '''' FROM (SELECT id, (SELECT json_agg(s) FROM sizes
		WHERE pid = p.id) j FROM p) x'),
	('used in a subquery, above', 'SELECT id, (SELECT j WHERE id > 0) FROM (SELECT id, (SELECT json_agg(s) FROM sizes
		WHERE pid = p.id) j FROM p) x'),
	('used beside FILTER, above', 'SELECT json_agg(j) FILTER (WHERE id > 0) FROM (SELECT id, (SELECT json_agg(s)
		FROM sizes WHERE pid = p.id) j FROM p) x'),
	('what it reads is grouped', 'SELECT id, (SELECT json_agg(a) FROM (SELECT pid, json_agg(s) a FROM sizes
		GROUP BY pid) x WHERE x.pid = few.id) FROM few'),
	('what it joins is grouped', 'SELECT id, (SELECT json_agg(x.a) FROM c JOIN (SELECT pid, json_agg(s) a FROM sizes
		GROUP BY pid) x ON x.pid = c.pid
		WHERE c.pid = few.id) FROM few'),
	('what it reads has a collection, and is sorted', 'SELECT id, (SELECT json_agg(j ORDER BY v) FROM (SELECT pid, v,
		(SELECT json_agg(s) FROM sizes WHERE sizes.pid = c7.k) j FROM c7 ORDER BY v) x WHERE x.pid = few.id)
		FROM few'),
	('a condition within gathers rows', 'SELECT id, (SELECT json_agg(v) FROM c7 WHERE pid = few.id AND (SELECT
		json_agg(s)::text FROM sizes WHERE sizes.pid = c7.k) <> '''') FROM few'),
	('an aggregate within a subquery sees the order', 'SELECT json_agg((SELECT count(*) FROM c WHERE pid = x.id)
		ORDER BY x.id), (SELECT string_agg(x.name, '','')) FROM (SELECT * FROM p ORDER BY name DESC) x'),
	('a sum of floats within a subquery', 'SELECT json_agg((SELECT count(*) FROM c WHERE pid = p.id)),
		(SELECT sum(p.f))
		FROM p'),
	('what it reads groups in an order', 'SELECT id, (SELECT max(a) FROM (SELECT pid, string_agg(id::text, '','') a
		FROM (SELECT * FROM c ORDER BY id) y GROUP BY pid) x WHERE x.pid = few.id) FROM few'),
	('the parents are grouped in an order', 'SELECT z.k, z.a, (SELECT count(*) FROM c WHERE pid = z.k)
		FROM (SELECT v AS k, string_agg(id::text, '','') a FROM (SELECT * FROM c ORDER BY id) y GROUP BY v) z
		ORDER BY z.a'),
	('arms of UNION ALL have an order', 'SELECT json_agg(x) FROM ((SELECT id, (SELECT count(*) FROM c WHERE pid = p.id)
		FROM p ORDER BY name) UNION ALL (SELECT id, 1 FROM few ORDER BY id)) x'),
	('arrays in one order belong together, above', 'SELECT array_agg(x.id), json_agg(x.name ORDER BY x.name),
		array_agg((SELECT count(*) FROM c WHERE pid = x.id)) FROM (SELECT * FROM p ORDER BY name) x'),
	('one of several equal values is shown', 'SELECT x, sum((SELECT count(*) FROM c WHERE pid = numerics.id))
		FROM numerics GROUP BY x'),
	('one of several equal values is shown, above', 'SELECT x, count(n) FROM (SELECT x, (SELECT count(*) FROM c
		WHERE pid = numerics.id) n FROM numerics) y GROUP BY x')) q(why, query);

-- ... and a second one
CREATE TABLE fk_parent (id int PRIMARY KEY);
CREATE TABLE fk_child (pid int NOT NULL REFERENCES fk_parent, v int);
CREATE TABLE fk_deferred (pid int NOT NULL REFERENCES fk_parent DEFERRABLE, v int);
CREATE TABLE fk_partitioned (id int PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE fk_partition PARTITION OF fk_partitioned FOR VALUES FROM (0) TO (10);
CREATE TABLE fk_to_partitioned (pid int NOT NULL REFERENCES fk_partitioned, v int);
CREATE MATERIALIZED VIEW empty_view AS SELECT 1 AS pid, 2 AS v WITH NO DATA;
SELECT is(pg_temp.groupings(query, 'on') - pg_temp.groupings(query, 'off'), 0, 'stays: ' || why || ': ' || query)
FROM (VALUES
	('a condition of the parents may raise', 'SELECT p.id, (SELECT json_agg(v) FROM c WHERE pid = p.id) FROM few JOIN p
		USING (id) WHERE 10 / p.f > 1'),
	('a condition of the parents may leak', 'SELECT p.id, (SELECT json_agg(v) FROM c WHERE pid = p.id) FROM few JOIN p
		USING (id) WHERE pg_temp.leak(p.id)'),
	('what it joins is grouped, though a foreign key leads to the parents', 'SELECT id, (SELECT json_agg(x.a)
		FROM fk_child JOIN (SELECT pid, json_agg(s) a FROM sizes GROUP BY pid) x USING (pid)
		WHERE fk_child.pid = fk_parent.id) FROM fk_parent'),
	('an array in a condition', 'SELECT id, (SELECT json_agg(v) FROM c7 WHERE pid = few.id AND ARRAY(SELECT s
		FROM sizes
		WHERE sizes.pid = c7.k) IS NOT NULL) FROM few'),
	('used after LATERAL', 'SELECT x.id, y.j FROM (SELECT id, (SELECT json_agg(s) FROM sizes WHERE pid = p.id) j
		FROM p) x
		LEFT JOIN LATERAL (SELECT x.j, few.id FROM few WHERE few.id = x.id) y ON true'),
	('used in a condition on a row', 'SELECT id, ROW(nullif(id, 1), (SELECT json_agg(s) FROM sizes WHERE pid = p.id))
		IS NOT NULL FROM p'),
	('what it reads shows one of equal values', 'SELECT id, (SELECT json_agg(x.x) FROM (SELECT id, x FROM numerics
		GROUP BY id, x) x WHERE x.id = few.id) FROM few'),
	('what it reads leaves one of equal values', 'SELECT id, (SELECT max(x.f::text) FROM (SELECT DISTINCT id, f
		FROM p) x
		WHERE x.id = few.id) FROM few'),
	('a view that is not populated', 'SELECT id, (SELECT json_agg(v) FROM empty_view WHERE pid = few.id) FROM few'))
	q(why, query);
CREATE FUNCTION pg_temp.is_restricted(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	SET LOCAL jsonrow.unnest = on;
	EXECUTE 'EXPLAIN (COSTS OFF, VERBOSE, FORMAT json) ' || query INTO plan;
	SET LOCAL jsonrow.unnest = off;
	RETURN plan::text ~ '"Join Type": "(Semi|Inner)"' OR plan::text ~ '"Alias": "fk_\w+_1"';
END $$;
CREATE TABLE restrictions (restricted boolean, query text);
INSERT INTO restrictions VALUES
	(false, 'SELECT id, (SELECT json_agg(v) FROM fk_child WHERE pid = fk_parent.id) FROM fk_parent'),
	(true, 'SELECT id, (SELECT json_agg(v) FROM fk_child WHERE pid = fk_parent.id) FROM fk_parent WHERE id > 3'),
	(true, 'SELECT id, (SELECT json_agg(v) FROM fk_deferred WHERE pid = fk_parent.id) FROM fk_parent'),
	(true, 'SELECT id, (SELECT json_agg(v) FROM fk_to_partitioned WHERE pid = fk_partition.id) FROM fk_partition'),
	(true, 'SELECT id, (SELECT json_agg(v) FROM c WHERE pid = fk_parent.id) FROM fk_parent');
SELECT is(pg_temp.groupings(query, 'on'), 1, 'joins: ' || query) FROM restrictions;
SELECT is(pg_temp.is_restricted(query), restricted,
	CASE WHEN restricted THEN '' ELSE 'not ' END || 'restricted: ' || query) FROM restrictions;

-- A policy takes what comes first: the rows around the collection cannot be read twice.
CREATE FUNCTION pg_temp.groupings_of_reader(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	result int;
BEGIN
	PERFORM set_config('role', 'jsonrow_same_reader', true);
	result := pg_temp.groupings(query, 'on');
	PERFORM set_config('role', 'none', true);
	RETURN result;
END $$;
CREATE TABLE first_owned (id int);
CREATE TABLE all_owned (id int);
ALTER TABLE first_owned ENABLE ROW LEVEL SECURITY;
ALTER TABLE all_owned ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON first_owned USING (id IN (SELECT pid FROM c LIMIT 5));
CREATE POLICY readers ON all_owned USING (id IN (SELECT pid FROM c));
GRANT SELECT ON c, first_owned, all_owned TO jsonrow_same_reader;
SELECT is(pg_temp.groupings_of_reader(format('SELECT id, (SELECT json_agg(v) FROM kept WHERE pid = x.id) FROM %I x',
	parents)), joins, 'joins to what a policy shows: ' || parents)
FROM (VALUES (1, 'first_owned'), (1, 'all_owned')) q(joins, parents);

-- A partition on a foreign server that need not be asked
SELECT count(*) > 0 AS has_fdw FROM pg_available_extensions WHERE name = 'postgres_fdw' \gset
\if :has_fdw
	CREATE EXTENSION postgres_fdw;
	CREATE SERVER nowhere FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '/nowhere', dbname 'none');
	CREATE USER MAPPING FOR CURRENT_USER SERVER nowhere;
	CREATE TABLE parted (pid int, v int) PARTITION BY RANGE (pid);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (100);
	CREATE FOREIGN TABLE parted_2 PARTITION OF parted FOR VALUES FROM (100) TO (200) SERVER nowhere;
	INSERT INTO parted SELECT i, i FROM generate_series(1, 20) i;
	SELECT pg_temp.same('SELECT id, (SELECT json_agg(v) FROM parted WHERE pid = few.id) FROM few ORDER BY id');
\else
	SELECT skip('this server has no postgres_fdw', 10);
\endif

-- Planning runs the functions of users as often as it did, and calls other hooks once.
CREATE FUNCTION pg_temp.counted(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('counted.n', (current_setting('counted.n')::int + 1)::text, true);
	RETURN $1;
END $$;
CREATE FUNCTION pg_temp.inlined(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT pg_temp.counted(3) + $1';
CREATE FUNCTION pg_temp.completed(int, int DEFAULT pg_temp.counted(1)) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
	'BEGIN RETURN $1; END';
-- Estimates ask the operator about common values.
CREATE FUNCTION pg_temp.is_counted(int, int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS
	'BEGIN RETURN pg_temp.counted($1) = $2; END';
CREATE OPERATOR === (FUNCTION = pg_temp.is_counted, LEFTARG = int, RIGHTARG = int, RESTRICT = eqsel);
CREATE FUNCTION pg_temp.calls(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	PERFORM set_config('counted.n', '0', true), set_config('jsonrow.unnest', unnest, true);
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP END LOOP;
	PERFORM set_config('jsonrow.unnest', 'off', true);
	RETURN current_setting('counted.n');
END $$;
SELECT is(pg_temp.calls(query, 'on'), pg_temp.calls(query, 'off'), 'calls while planning: ' || query) FROM (VALUES
	('SELECT pg_temp.counted(1), (SELECT json_agg(v) FROM c WHERE pid = p.id) FROM p'),
	('SELECT id, (SELECT json_agg(v) FROM c WHERE pid = p.id) FROM p WHERE id > pg_temp.counted(1)'),
	('SELECT pg_temp.inlined(id), (SELECT json_agg(v) FROM c WHERE pid = p.id) FROM p'),
	('SELECT id, (SELECT json_agg(v) FROM c WHERE pid = p.id AND v > pg_temp.counted(2)) FROM p'),
	('SELECT pg_temp.completed(id), (SELECT count(*) FROM c WHERE pid = p.id) FROM p'),
	('SELECT id, (SELECT count(*) FROM g WHERE cid = c.id) FROM c WHERE v === 3')) q(query);
SELECT cmp_ok(pg_temp.calls(query, 'off')::int, '>', 0, 'planning calls it: ' || query) FROM (VALUES
	('SELECT pg_temp.completed(id) FROM p'), ('SELECT id FROM c WHERE v === 3')) q(query);

-- Planning takes no longer the more ways lead from one query to another.
CREATE FUNCTION pg_temp.seconds_to_plan(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	before CONSTANT numeric := pg_temp.cpu_seconds();
	line text;
BEGIN
	SET LOCAL jsonrow.unnest = on;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP END LOOP;
	SET LOCAL jsonrow.unnest = off;
	RETURN pg_temp.cpu_seconds() - before;
END $$;
SELECT cmp_ok(coalesce(pg_temp.seconds_to_plan(query), 0), '<', 1.0, 'time to plan ' || left(query, 80)) FROM (VALUES
	('WITH w0 AS (SELECT id, (SELECT json_agg(v) FROM c WHERE pid = p.id) FROM p WHERE id < 0)' || (SELECT string_agg(
		format(', w%s AS (SELECT * FROM w%s UNION ALL SELECT * FROM w%2$s)', i, i - 1), '' ORDER BY i)
		FROM generate_series(1, 28) i) || ' SELECT * FROM w28'),
	('SELECT y.j::jsonb, x.n FROM ' || repeat('(SELECT id, coalesce(j, j) AS j FROM ', 26)
		|| '(SELECT id, json_build_object(''id'', id) AS j FROM p OFFSET 0) y' || repeat(' OFFSET 0) y', 26)
		|| ' LEFT JOIN LATERAL (SELECT count(*) n FROM c WHERE pid = y.id) x ON true ORDER BY y.id LIMIT 5')) q(query);

-- A column that nobody uses is computed in a CTE that is materialized, but not in a subquery.
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = q.id) FROM (SELECT id, 10 / (id - 7) AS w FROM p
		ORDER BY name, id LIMIT 30) q ORDER BY q.id'),
	('SELECT a FROM (SELECT q.id, q.w, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = q.id) a FROM (SELECT id,
		10 / (id - 7) AS w FROM p ORDER BY name, id LIMIT 30) q) z ORDER BY id')) q(query);

-- ... nor is it if what uses it is nothing in the end.
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT CASE WHEN false THEN q.w END, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = q.id) FROM (SELECT id,
		10 / (id - 7) AS w FROM p ORDER BY name, id LIMIT 30) q ORDER BY q.id'),
	('SELECT q.w + NULL::int, (SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = q.id) FROM (SELECT id,
		10 / (id - 7) AS w FROM p ORDER BY name, id LIMIT 30) q ORDER BY q.id')) q(query);

-- What is made of a value that PostgreSQL knows while it plans, it computes for no row; what a subquery that
-- aggregates gives, it does not know.
SELECT pg_temp.same(query) FROM (VALUES
	('SELECT 1 / y.z, y.n FROM p LEFT JOIN LATERAL (SELECT count(*) n, 0 AS z FROM c WHERE pid = p.id) y ON true
		WHERE p.id > 100'),
	('SELECT (SELECT 1 / r.z + r.n FROM (SELECT count(*) n, 0 AS z FROM c WHERE pid = p.id) r) FROM p
		WHERE p.id > 100'),
	('SELECT p.id, (SELECT json_build_object(''n'', r.n, ''q'', CASE WHEN r.n < 0 THEN 1 / r.z END)
		FROM (SELECT count(*) n, 0 AS z FROM c WHERE pid = p.id) r) FROM p ORDER BY id'),
	('SELECT 1 / (SELECT coalesce(0, count(*)) FROM c WHERE pid = p.id) FROM p WHERE p.id > 100'),
	('SELECT 1 / (SELECT CASE 1 WHEN 1 THEN 0 ELSE count(*) END FROM c WHERE pid = p.id) FROM p WHERE p.id > 100'),
	('SELECT 1 / coalesce((SELECT count(*) + NULL FROM c WHERE pid = p.id), 0) FROM p WHERE p.id > 100'),
	('SELECT 1 / (SELECT (count(*) > 0 AND false)::int FROM c WHERE pid = p.id) FROM p WHERE p.id > 100')) q(query);

-- A collection that does not read its parents once more may still let PostgreSQL read these in another way: in the
-- order of the keys, instead of by an index.
CREATE TABLE found (id int PRIMARY KEY, f int, y int);
INSERT INTO found SELECT i, i % 100, (i % 100 = 7)::int FROM generate_series(1, 2000) i;
CREATE INDEX ON found ((f + 0 + 0));
CREATE TABLE belongs AS SELECT i AS pid FROM generate_series(1, 5000) i;
CREATE INDEX ON belongs (pid);
ANALYZE found, belongs;
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}' || s), pg_temp.outcome(query, '{jsonrow.unnest, off}' || s),
	query) FROM (VALUES
	('SELECT sum((SELECT count(*) FROM belongs WHERE pid = p.id)) FROM found p WHERE 10 / y > 0 AND f + 0 + 0 = 7'),
	('SELECT sum(n) FROM found p LEFT JOIN LATERAL (SELECT count(*) n FROM belongs WHERE pid = p.id) x ON true
		WHERE 10 / y > 0 AND f + 0 + 0 = 7')) q(query),
	CAST('{enable_hashjoin, off, enable_nestloop, off, enable_sort, off}' AS text[]) s;

-- HAVING with an aggregate of the select list computes it once.
CREATE FUNCTION pg_temp.aggregates_of(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF, FORMAT json) ' || query INTO plan;
	RETURN (SELECT count(DISTINCT m[1]) FROM regexp_matches(plan::text, '(\w*(?:jsonb?_agg|count)\w*)\(', 'g') m);
END $$;
SET LOCAL jsonrow.accelerate = on;
SELECT is(pg_temp.aggregates_of(query), n::bigint, 'aggregates in the plan: ' || query) FROM (VALUES
	(1, 'SELECT pid, json_agg(c) FROM c GROUP BY pid HAVING json_agg(c) IS NOT NULL'),
	(1, 'SELECT pid, json_agg(v) FROM c GROUP BY pid HAVING length(json_agg(v)::text) > 5'),
	(1, 'SELECT pid, jsonb_agg(jsonb_build_object(''v'', v)) FROM c GROUP BY pid
		HAVING jsonb_agg(jsonb_build_object(''v'', v)) <> ''[]'''),
	(2, 'SELECT pid, json_agg(v) FROM c GROUP BY pid HAVING count(*) > 1')) q(n, query);
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'),
	pg_temp.outcome(query, '{jsonrow.accelerate, off}'), query)
FROM (VALUES
	('SELECT pid, json_agg(c ORDER BY id) FROM c GROUP BY pid HAVING json_agg(c ORDER BY id)::text ~ ''3''
		ORDER BY pid'),
	('SELECT pid, json_agg(v ORDER BY id)::jsonb FROM c GROUP BY pid HAVING json_agg(v ORDER BY id)::jsonb @> ''[3]''
		ORDER BY pid')) q(query);
SET LOCAL jsonrow.accelerate = off;

-- What is made of the only row of a subquery: volatile functions are called as often, what is under a condition is
-- computed in any case where it is, and conditions keep their order.
CREATE SEQUENCE numbers;
CREATE FUNCTION pg_temp.with_numbers(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM setval('numbers', 1, false);
	RETURN pg_temp.outcome(query, ARRAY['jsonrow.unnest', unnest]) || ' ' || (SELECT last_value FROM numbers);
END $$;
CREATE TABLE holders (id int PRIMARY KEY, z int);
INSERT INTO holders SELECT i, i % 7 FROM generate_series(1, 60) i;
CREATE TABLE held (id int PRIMARY KEY, pid int, v int);
INSERT INTO held SELECT i, 1 + i % 59, i % 3 FROM generate_series(1, 600) i;
ANALYZE holders, held;
SELECT is(pg_temp.with_numbers(query, 'on'), pg_temp.with_numbers(query, 'off'), query) FROM (VALUES
	('SELECT json_agg(r), jsonb_agg(r) FROM (SELECT max(nextval(''numbers'')) m FROM holders WHERE z >=
		(SELECT 0)) r'),
	('SELECT json_agg(r.m), jsonb_agg(r.m) FROM (SELECT max(nextval(''numbers'')) m FROM holders
		WHERE z >= (SELECT 0)) r'),
	('SELECT json_agg(r.m) FROM (SELECT count(*) m, max(nextval(''numbers'')) n FROM holders WHERE z >=
		(SELECT 0)) r'),
	('SELECT s.id, (SELECT CASE WHEN s.z <> 0 THEN json_agg(r.q) END FROM (SELECT s.q, count(*) FROM held
		WHERE pid = s.id) r) FROM (SELECT id, z, 10 / z q FROM holders) s ORDER BY 1'),
	('SELECT s.id, (SELECT coalesce(to_json(nullif(s.z, 0)), json_agg(r)) FROM (SELECT s.q, count(*) FROM held
		WHERE pid = s.id) r) FROM (SELECT id, z, 10 / z q FROM holders) s ORDER BY 1'),
	('SELECT id FROM holders p WHERE 10 / ((SELECT json_agg(r) FROM (SELECT count(*) n FROM held WHERE pid = p.id) r)
		-> 0 ->> ''n'')::int >= 0 AND (SELECT count(*)+0-0+0-0+0-0+0-0 FROM held WHERE pid = p.id) > 0 ORDER BY 1'),
	('SELECT id FROM (SELECT id, (SELECT json_agg(r) FROM (SELECT count(*) n FROM held WHERE pid = p.id) r) d
		FROM holders p) s WHERE 10 / (d -> 0 ->> ''n'')::int >= 0
		AND (SELECT count(*)+0-0+0-0+0-0+0-0 FROM held WHERE pid = s.id) > 0 ORDER BY 1'),
	('SELECT (SELECT json_agg((SELECT json_agg(v ORDER BY c.id) FROM c WHERE pid = p.id) ORDER BY p.id) FROM p),
		(SELECT json_agg(s.id ORDER BY s.id) FROM (SELECT p.id, p.z, ARRAY(SELECT v FROM held WHERE pid = p.id) arr
		FROM holders p) s WHERE 10 / (SELECT count(*) FROM held WHERE pid = s.id) >= 0 AND cardinality(arr) > 0)'))
	q(query);

-- Aggregates that differ until whole rows are taken apart, and what others are over no rows
SELECT pg_temp.test(1, format('SELECT id, (SELECT json_build_array(json_agg(x ORDER BY x.f1), json_agg(row(x.f1, x.f2)
	ORDER BY x.f1), %s) FROM (SELECT id f1, v f2 FROM c WHERE pid = p.id AND v = 1) x) FROM p ORDER BY id', value))
FROM unnest(ARRAY['jsonrow_agg(x ORDER BY x.f1)', 'count(*), jsonrow_agg(x ORDER BY x.f1)',
	'jsonrow_agg(x ORDER BY x.f1), count(*)']) value;
-- Of equal values, those of a column of so many digits are the same, others are not.
CREATE TABLE prices (pid int, exact numeric(12, 2), x numeric);
INSERT INTO prices SELECT 1 + i % 40, i % 3, CASE i % 2 WHEN 0 THEN 1.0 ELSE 1.00 END FROM generate_series(1, 200) i;
ANALYZE prices;
SELECT pg_temp.test(joins, format('SELECT id, (SELECT %s FROM prices WHERE pid = p.id) FROM p ORDER BY id', value))
FROM (VALUES (1, 'max(exact)'), (1, 'json_build_array(min(exact), count(DISTINCT exact))'), (0, 'max(x)'),
	(0, 'max(exact + x)')) q(joins, value);
-- ... nor is what PL/pgSQL says of a record's field: it is that of what the record held before.
CREATE TABLE alike AS SELECT i AS id, 1 + i % 3 AS pid, 1::numeric(5, 2) AS x FROM generate_series(1, 30) i;
CREATE FUNCTION pg_temp.least_of() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	SELECT 1::numeric(5, 2) AS x INTO r;
	FOR i IN 1 .. 2 LOOP
		RETURN QUERY SELECT (SELECT json_build_array(min(CASE WHEN id % 2 = 0 THEN r.x ELSE x END), json_agg(1))
		FROM alike
			WHERE pid = p.id)::text FROM p WHERE id < 4 ORDER BY id;
		SELECT 1::numeric(5, 1) AS x INTO r;
	END LOOP;
END $$;
ANALYZE alike;
SELECT is(pg_temp.outcome('SELECT pg_temp.least_of()', '{jsonrow.unnest, on}'),
	pg_temp.outcome('SELECT pg_temp.least_of()', '{jsonrow.unnest, off}'), 'a variable with more digits than it had');
-- Keys of objects must be such as are never NULL.
CREATE TABLE titles (pid int, lang text NOT NULL, old text, title text, PRIMARY KEY (pid, lang));
INSERT INTO titles SELECT 1 + i / 5 * 3 % 40, 'l' || i % 5, nullif(i % 7, 3), 't' || i FROM generate_series(1, 60) i
ON CONFLICT DO NOTHING;
ANALYZE titles;
SELECT pg_temp.test(joins, format('SELECT id, (SELECT %s FROM titles WHERE pid = p.id) FROM p WHERE id < 30
	ORDER BY id', value)) FROM (VALUES (1, 'json_object_agg(lang, title ORDER BY lang)'),
	(0, 'json_object_agg(old, title ORDER BY lang)'),
	(1, 'coalesce(jsonb_object_agg(lang, jsonb_build_array(old, title)), ''{}'')'),
	(0, 'jsonb_object_agg(lang, title) FILTER (WHERE nullif(lang, ''l1'')::int IS NULL)'),
	(0, 'jsonb_object_agg(lang || old, title)'), (0, 'jsonb_object_agg(pid, title)'),
	(0, 'jsonb_object_agg(lang::regtype, title) FILTER (WHERE lang = ''text'')')) q(joins, value);
SELECT pg_temp.test(0, 'SELECT json_object_agg(name, (SELECT jsonb_object_agg(lang, title) FROM titles WHERE
	pid = p.id) ORDER BY id) FROM p');
-- Joins make rows of no more columns than there may be.
SELECT format('CREATE TABLE wide (id int PRIMARY KEY, pid int, %s)', string_agg('c' || i || ' int', ',')) AS wide,
	string_agg('w.c' || i, ',') AS columns, string_agg('max(w.c' || i || ')', ',') AS aggregates
FROM generate_series(1, 600) i \gset
:wide;
INSERT INTO wide (id, pid, c1, c600) SELECT i, i % 60, i, -i FROM generate_series(1, 200) i;
SELECT pg_temp.test(2, format('SELECT id, %s FROM p ORDER BY id', string_agg(format('(SELECT ARRAY[%s] FROM wide w
	WHERE w.pid = p.id AND w.c1 > %s)', :'aggregates', n), ', '))) FROM generate_series(1, 4) n;
SELECT pg_temp.test(0, format('SELECT id, %s FROM p ORDER BY id', string_agg(format('(SELECT ARRAY[%s] FROM wide w
	WHERE w.id = p.id + %s)', :'columns', n), ', '))) FROM generate_series(1, 4) n;
-- Nothing is selected.
SELECT pg_temp.test(1, format('SELECT p.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id) FROM p, (%s) q
	ORDER BY 1', item)) FROM unnest('{SELECT FROM c HAVING true,SELECT FROM c WHERE id = 1 GROUP BY id,
	SELECT FROM c WHERE id = 1 GROUP BY ()}'::text[]) item;
-- A WITH query of the same name further out, which has fewer columns
SELECT pg_temp.test(1, 'WITH c AS MATERIALIZED (SELECT 1 AS z) SELECT q.* FROM (WITH c AS MATERIALIZED (SELECT id, v,
	pid FROM held) SELECT id, (SELECT json_agg(x ORDER BY x.id) FROM (SELECT c.id FROM c WHERE c.pid = p.id) x)
	FROM holders p) q ORDER BY q.id');

SELECT * FROM finish();
ROLLBACK;
