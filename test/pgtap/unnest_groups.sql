-- Where a collection is restricted to the keys of its parents, with jsonrow.unnest off and on: before it is
-- grouped, or only what large groups aggregate.  The same rows, the same errors; and nothing is made of what
-- belongs to nobody.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(467);

CREATE TABLE p (id int PRIMARY KEY, name text, big bigint, code text);
INSERT INTO p SELECT i, 'p' || i, i, 'code ' || i FROM generate_series(1, 300) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int, s text, code text);
INSERT INTO c SELECT i, 1 + i * 13 % 310, i % 4, 's' || i, 'code ' || 1 + i * 13 % 310 FROM generate_series(1, 3000) i;
INSERT INTO c SELECT 3000 + i, NULL, 0, 'nobody''s', NULL FROM generate_series(1, 100) i;
CREATE TABLE g (id int PRIMARY KEY, cid int, w text, t timestamptz);
INSERT INTO g SELECT i, i * 17 % 3200, 'w' || i, '2020-01-01' FROM generate_series(1, 6000) i;
CREATE INDEX ON g (cid);
CREATE INDEX ON c (pid);
CREATE TABLE l (id int PRIMARY KEY, name text);
INSERT INTO l SELECT i, 'l' || i FROM generate_series(0, 6) i;
-- Documents of 1 MB: more than jsonb may hold, but few bytes as they are stored; some belong to a parent
CREATE TABLE large (pid int, s text);
INSERT INTO large SELECT 1 + i % 300, 's' || i FROM generate_series(1, 4000) i;
INSERT INTO large SELECT -1, repeat('x', 1000000) FROM generate_series(1, 300) i;
INSERT INTO large SELECT 7, repeat(i::text, 30000) FROM generate_series(1, 50) i;
ANALYZE;

/*
 * Which plan: in how many aggregates, and is the restriction there to be carried out?
 */

CREATE FUNCTION pg_temp.late(query text, OUT late int, OUT carried_out int) LANGUAGE plpgsql AS $$
DECLARE
	plan CONSTANT jsonb := pg_temp.executed(query, 'on');
BEGIN
	late := (SELECT count(*) FROM jsonb_path_query(plan, 'strict $.** ? (exists (@."Group Key")).Output[*]
		? (@ like_regex "jsonrow_is_small_group.*hashed SubPlan")'));
	carried_out := (SELECT count(*) FROM jsonb_path_query(plan, 'strict $.** ? (@."Parent Relationship" == "SubPlan" &&
		@."Actual Loops" > 0)'));
END $$;
CREATE FUNCTION pg_temp.groups(joins int, late int, carried_out int, query text) RETURNS SETOF text LANGUAGE plpgsql
AS $$
BEGIN
	RETURN QUERY SELECT pg_temp.test(joins, query);
	RETURN NEXT is(pg_temp.late(query), (late, carried_out), 'late, carried out: ' ||
		left(regexp_replace(query, '\s+', ' ', 'g'), 200));
END $$;

-- All parents; two aggregates would look up keys by themselves
SELECT pg_temp.groups(1, late, 0, format('SELECT id, (SELECT %s FROM c WHERE pid = p.id) FROM p ORDER BY id', made))
FROM (VALUES (1, 'json_agg(s ORDER BY id)'), (0, 'jsonb_agg(c ORDER BY id)'), (1, 'array_agg(v ORDER BY id)'),
	(1, 'string_agg(s, '','' ORDER BY s)'), (1, 'jsonrow_agg(''{v,s}'', v, s ORDER BY id)'),
	(1, 'json_agg(s ORDER BY id) FILTER (WHERE v > 1)'), (1, 'coalesce(json_agg(DISTINCT v), ''[]'')'),
	(0, 'jsonb_build_object(''a'', json_agg(s ORDER BY id), ''b'', array_agg(v ORDER BY id), ''n'', count(*))'),
	(0, 'count(*)'), (0, 'sum(v)')) q(late, made);
-- Keys: of other types, compared by their bytes; and of which equal ones may have others
SELECT pg_temp.groups(1, 1, 0, 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.big) FROM p ORDER BY
	id');
SELECT pg_temp.groups(1, 1, 0, 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE code = p.code) FROM p ORDER BY
	id');
-- ... and the other way round, which has to be turned for a hash table
SELECT pg_temp.groups(1, 1, 0, format('SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE %s) FROM p ORDER BY id',
	condition))
FROM unnest(ARRAY['p.id = c.pid', 'p.big = c.pid', 'p.code = c.code']) condition;
SELECT pg_temp.groups(1, 1, 0, 'SELECT id, (SELECT json_agg(json_build_object(''s'', s) ORDER BY id) FROM c
	WHERE pid = p.id) FROM p ORDER BY id');
-- ... by two: they are restricted first
SELECT pg_temp.groups(1, 0, 0, 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE code = p.code AND pid = p.id)
	FROM p ORDER BY id');
-- Two levels, each looked up; of both, groups are made of all rows
SELECT pg_temp.groups(2, 2, 0, 'SELECT id, (SELECT json_agg(x) FROM (SELECT s, l.name, (SELECT jsonb_agg(w ORDER BY id)
	FROM g WHERE cid = c.id) AS ws FROM c JOIN l ON l.id = c.v WHERE pid = p.id ORDER BY c.id) x) FROM p ORDER BY id');
SELECT pg_temp.groups(2, 2, 0, 'SELECT json_agg(z) FROM (SELECT p.*, q.d FROM p LEFT JOIN LATERAL (SELECT
	coalesce(jsonb_agg(jsonb_build_object(''s'', s, ''ws'', r.d) ORDER BY c.id), ''[]'') d FROM c LEFT JOIN LATERAL
	(SELECT
	jsonb_agg(w ORDER BY id) d FROM g WHERE cid = c.id) r ON true WHERE pid = p.id) q ON true ORDER BY p.id) z');
-- The first rows of each
SELECT pg_temp.groups(1, 1, 0, 'SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id LIMIT
	3) x)
	FROM p ORDER BY id');
-- Of the rows of a subquery, or a view
CREATE VIEW all_p AS SELECT id, name FROM p;
SELECT pg_temp.groups(1, 1, 0, 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = q.id) FROM all_p q ORDER
	BY id');
-- ... joined to others, so that there are as many as one of the tables has
SELECT pg_temp.groups(1, late, 0, format('SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = q.id) FROM %s
	ORDER BY id', parents))
FROM (VALUES (1, 'p q JOIN (SELECT pid FROM c) d ON d.pid = q.id'), (0, 'p q CROSS JOIN (SELECT name AS n FROM l) l'),
	(0, 'p q JOIN (SELECT pid FROM c) d ON d.pid = q.id JOIN (SELECT pid FROM c WHERE id < 1000) e ON e.pid = q.id'),
	(0, 'p q JOIN (SELECT pid FROM c) d ON d.pid = q.id JOIN (SELECT pid FROM c) e ON e.pid = q.id')) q(late, parents);
-- Few parents, as far as can be told: these are looked for first
SELECT pg_temp.groups(1, 0, 0, format('SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = q.id) FROM %s
	ORDER BY id',
	parents))
FROM (VALUES ('p q WHERE id < 10'), ('p q WHERE name > ''p2'''), ('(SELECT * FROM p WHERE big < 100) q'),
	('(SELECT * FROM p LIMIT 20) q'), ('p q JOIN (SELECT id AS lid FROM l) l ON lid = q.id'),
	('p q JOIN l USING (id)'), ('p q WHERE name IS NULL')) q(parents);
-- Pages on which most, or all, of the rows could be, and others; and what WITH makes once
SELECT pg_temp.groups(1, late, 0, format('SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = q.id) FROM %s q
	ORDER BY id', parents))
FROM (VALUES (1, '(SELECT * FROM p LIMIT 1000 OFFSET 0)'), (1, '(SELECT * FROM p ORDER BY name LIMIT 240)'),
	(0, '(SELECT * FROM p ORDER BY name LIMIT 239)'), (0, '(SELECT * FROM p ORDER BY name LIMIT 1000 OFFSET 1)'),
	(0, '(SELECT * FROM p WHERE name > ''p2'' LIMIT 1000)'),
	(1, '(SELECT p.* FROM p JOIN (SELECT pid FROM c) d ON d.pid = p.id ORDER BY p.id LIMIT 3000)'),
	(0, '(SELECT p.* FROM p JOIN (SELECT pid FROM c) d ON d.pid = p.id ORDER BY p.id LIMIT 1000)')) q(late, parents);
SELECT pg_temp.groups(1, 1, 0, format('WITH q AS MATERIALIZED (%s) SELECT id, (SELECT json_agg(s ORDER BY id) FROM c
	WHERE pid = q.id) FROM q ORDER BY id', parents))
FROM unnest('{SELECT * FROM p,SELECT * FROM p LIMIT 500}'::text[]) parents;
-- ... but not joins of that, of which PostgreSQL expects any number of rows
SELECT pg_temp.groups(1, 0, 0, 'WITH o AS MATERIALIZED (SELECT * FROM p), q AS MATERIALIZED (SELECT o.* FROM o
	JOIN o r ON r.id = o.id) SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = q.id) FROM q ORDER BY id');
-- ... as API servers send them, with a LIMIT per parent, too
SELECT pg_temp.groups(2, 2, 0, format('WITH q AS (SELECT p.id, p.name, a.d FROM p LEFT JOIN LATERAL (SELECT
	json_agg(x)::jsonb d FROM (SELECT c.s, b.d FROM c LEFT JOIN LATERAL (SELECT json_agg(y)::jsonb d FROM (SELECT w FROM g
	WHERE cid = c.id ORDER BY id %s) y) b ON true WHERE pid = p.id ORDER BY c.id %1$s) x) a ON true ORDER BY p.id %1$s)
	SELECT coalesce(json_agg(z), ''[]'') FROM (SELECT * FROM q) z', cut))
FROM unnest('{"",LIMIT 1000 OFFSET 0}'::text[]) cut;
CREATE TABLE none (id int PRIMARY KEY);
SELECT pg_temp.groups(1, 0, 0, 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = none.id) FROM none');
-- Keys that are longer than those that refer to them, and rows of tables that inherit, would not be in a hash table
CREATE TABLE long AS SELECT i AS id, CASE WHEN i % 10 = 0 THEN 'code ' || i ELSE repeat(md5(i::text), 8) END AS code
	FROM generate_series(1, 3000) i;
CREATE TABLE above (LIKE p INCLUDING ALL);
INSERT INTO above SELECT * FROM p;
CREATE TABLE below () INHERITS (above);
INSERT INTO below SELECT 1000 + id, name, big, code FROM p;
ANALYZE long, above, below;
SET LOCAL work_mem = '256kB';
SELECT pg_temp.groups(1, 0, 0, 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE c.code = q.code) FROM long q
	ORDER BY id');
RESET work_mem;
SELECT pg_temp.groups(1, late, 0, format('SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE c.pid = q.id) FROM %s
	q
	ORDER BY id', parents)) FROM (VALUES (0, 'above'), (1, 'ONLY above')) q(late, parents);
-- What only the rows of parents may be computed of
SELECT pg_temp.groups(1, 0, 0, 'SELECT json_agg(z) FROM (SELECT id, (SELECT json_agg(1 / (c.id - 4000) ORDER BY id)
	FROM c
	WHERE pid = p.id) FROM p ORDER BY id) z');

/*
 * What belongs to nobody
 */

-- 300 MB, of which the first are read, and whether anybody wants them is found out once; 1.5 MB that somebody wants
SELECT pg_temp.groups(1, 1, 1, 'SELECT id, (SELECT jsonb_agg(s) FROM large WHERE pid = p.id) IS NULL FROM p ORDER BY
	id');
SELECT throws_ok('SELECT jsonb_agg(s) FROM large WHERE pid = -1', '54000', NULL, 'that would be too large');
SELECT pg_temp.groups(1, 1, 1, 'SELECT id, md5((SELECT string_agg(s, '','' ORDER BY s) FROM large WHERE pid = p.id))
	FROM p
	ORDER BY id');
-- Numbers that are much longer as text than as they are stored, and jsonb, which may have them
CREATE TABLE numbers (id int, pid int, n numeric, j jsonb, t text[]);
INSERT INTO numbers SELECT i, 1 + i % 300, i, jsonb_build_array(i), ARRAY['a', i::text]
	FROM generate_series(1, 3000) i;
INSERT INTO numbers SELECT 3000 + i, -1, 1e131071, jsonb_build_array(1e131071), NULL FROM generate_series(1, 130) i;
ANALYZE numbers;
SELECT pg_temp.groups(1, late, carried_out, format('SELECT id, (SELECT %s FROM numbers WHERE pid = p.id) FROM p
	ORDER BY id', made))
FROM (VALUES (1, 1, 'json_agg(n ORDER BY id)'), (1, 1, 'json_agg(json_build_array(n, n, n) ORDER BY id)'),
	(0, 0, 'json_agg(j ORDER BY id)'), (1, 1, 'jsonb_agg(j ORDER BY id)'), (1, 1, 'jsonb_agg(j || j ORDER BY id)'),
	(0, 0, 'jsonb_agg(j::text ORDER BY id)'), (0, 0, 'jsonb_agg(numbers ORDER BY id)'),
	(1, 1, 'json_agg(t ORDER BY id)'), (1, 1, 'json_agg(lower(n::text) ORDER BY id)'),
	(1, 1, 'json_agg(json_build_array(json_build_array(json_build_array(t)::text)::text) ORDER BY id)'),
	(0, 0, 'json_agg(json_build_array(json_build_array(json_build_array(t)::text)::text)::text ORDER BY id)'))
	q(late, carried_out, made);
-- As many values as no function takes
SELECT format('CREATE TABLE wide AS SELECT pid, %s FROM c', string_agg('s AS s' || i, ', '))
FROM generate_series(1, 120) i \gexec
ANALYZE wide;
SELECT pg_temp.groups(1, 0, 0, 'SELECT id, (SELECT json_agg(x) FROM (SELECT * FROM wide WHERE pid = p.id ORDER BY s1)
	x)
	FROM p ORDER BY id');
-- A key that has many of the rows
INSERT INTO c SELECT 5000 + i, -1, 0, 'nobody''s', 'none' FROM generate_series(1, 1000) i;
ANALYZE c;
SELECT pg_temp.groups(1, 0, 0, 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id) FROM p ORDER BY
	id');
-- ... that it did not have when the table was analyzed
INSERT INTO g SELECT 10000 + i, -1, 'nobody''s', now() FROM generate_series(1, 1000) i;
SELECT pg_temp.groups(1, 1, 1, 'SELECT id, (SELECT json_agg(w ORDER BY id) FROM g WHERE cid = c.id) FROM c ORDER BY
	id');
-- Parents whose keys would not fit into work_mem
SET LOCAL work_mem = '64kB';
SELECT pg_temp.groups(1, 0, 0, 'SELECT id, (SELECT json_agg(w ORDER BY id) FROM g WHERE cid = c.id) FROM c ORDER BY
	id');
RESET work_mem;

/*
 * jsonrow_is_small_group
 */

SELECT results_eq($$SELECT key, count(*)::int, count(*) FILTER (WHERE jsonrow_is_small_group(65536, 1024, key))::int
	FROM (SELECT i / 100 AS key FROM generate_series(0, 199) i) q GROUP BY key ORDER BY key$$,
	'VALUES (0, 100, 64), (1, 100, 64)', '64 kB of each group');
SELECT results_eq($$SELECT key, count(*) FILTER (WHERE jsonrow_is_small_group(65536, 0, key, value))::int
	FROM (SELECT nullif(i / 100, 1) AS key, repeat('x', 6553 - 4) AS value FROM generate_series(0, 199) i) q
	GROUP BY key ORDER BY key$$, 'VALUES (0, 10), (NULL, 10)', 'values count, as they are when they are read');
SELECT results_eq($$SELECT count(*) FILTER (WHERE jsonrow_is_small_group(0, NULL, key, NULL::text))::int
	FROM (SELECT 'k' || i / 100 AS key FROM generate_series(0, 199) i) q$$, 'VALUES (200)', 'NULL counts nothing');
SELECT results_eq($$SELECT key, count(*) FILTER (WHERE jsonrow_is_small_group(most, 1, key))::int
	FROM (SELECT i / 100 AS key, nullif(i / 100, 2) * 7 AS most FROM generate_series(0, 299) i) q
	GROUP BY key ORDER BY key$$, 'VALUES (0, 0), (1, 7), (2, 0)', 'so many rows; of NULL, none');

SELECT * FROM finish();
ROLLBACK;
