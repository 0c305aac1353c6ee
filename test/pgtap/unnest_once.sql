-- Rows that cannot be read twice: they are read once, and then what belongs to them.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(391);

CREATE TABLE p (id int PRIMARY KEY, k int, x int, name text, born timestamp, doc jsonb, tags int[]);
INSERT INTO p SELECT i, nullif(i % 9, 0), 1 + i % 7, 'p' || i % 11, '2024-01-01'::timestamp + i * interval '7 hours',
	jsonb_build_object('v', i % 5), ARRAY[i % 4, i] FROM generate_series(1, 60) i;
CREATE TABLE zero AS SELECT id, k, x - 3 AS x FROM p;
CREATE INDEX ON zero (x);
CREATE TABLE c (id int PRIMARY KEY, pid int, k int, v int, s text);
INSERT INTO c SELECT i, nullif(1 + i * 13 % 70, 5), i % 9, i % 4, 's' || i FROM generate_series(1, 200) i;
INSERT INTO c SELECT 1000 + i, -1, 0, 0 FROM generate_series(1, 300) i;
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, 1 + i * 7 % 210, 'w' || i FROM generate_series(1, 300) i;
CREATE VIEW barrier WITH (security_barrier) AS SELECT id, k, name FROM p WHERE k > 2;
CREATE FUNCTION halves(n int) RETURNS SETOF p LANGUAGE sql STABLE AS 'SELECT * FROM p WHERE id <= n / 2';
CREATE FUNCTION first_of(n int) RETURNS SETOF p LANGUAGE plpgsql STABLE AS 'BEGIN RETURN QUERY SELECT * FROM p
	WHERE id <= n; END';
CREATE FUNCTION is_liked(p) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN RETURN $1.id % 3 = 1; END';
ANALYZE;

CREATE FUNCTION pg_temp.of(joins int, VARIADIC parents text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	parent text;
BEGIN
	FOREACH parent IN ARRAY parents LOOP
		RETURN QUERY SELECT pg_temp.test(joins, format('SELECT json_agg(r ORDER BY id) FROM (SELECT p.id, (SELECT
			json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.id) FROM %s) r', parent));
		RETURN QUERY SELECT pg_temp.test(joins, format('SELECT json_agg(r ORDER BY id) FROM (SELECT p.id, q.a FROM (SELECT *
			FROM %s) p LEFT JOIN LATERAL (SELECT coalesce(json_agg(r), ''[]'') a FROM (SELECT c.s FROM c WHERE c.pid = p.id
			ORDER BY c.id) r) q ON true) r', parent));
	END LOOP;
END $$;

-- One condition that could raise an error
SELECT pg_temp.of(1, 'p WHERE 10 / x > 3', 'p WHERE born::date = ''2024-01-05''', 'p WHERE (doc->>''v'')::int > 2',
	'p WHERE date_trunc(''month'', born) = ''2024-01-01''', 'p WHERE to_tsvector(''simple'',
	name) @@ to_tsquery(''p3'')',
	'p WHERE is_liked(p)', 'p WHERE 10 / x > 3 OR k = 4', 'zero p WHERE 10 / x > 2', 'zero p WHERE 10 / (x + 3) > 2');
-- It is evaluated in one order only: of two conditions, or of several tables, PostgreSQL may choose.
SELECT pg_temp.of(0, 'p WHERE 10 / x > 3 AND k > 2', 'p WHERE 10 / x > 3 AND (doc->>''v'')::int > 2',
	'p JOIN (SELECT pid FROM c) q ON q.pid = p.id WHERE 10 / x > 3');
-- Who gets the rows may stop, unless all are sorted before.
SELECT pg_temp.test(joins, format('SELECT p.id, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.id) FROM p
	WHERE 10 / x > 3 %s', sorting)) FROM (VALUES (0, ''), (0, 'ORDER BY p.id'), (1, 'ORDER BY p.name, p.id'),
	(0, 'ORDER BY p.x, p.id')) q(joins, sorting);
-- Other rows that are computed once
SELECT pg_temp.of(1, '(SELECT DISTINCT k AS id FROM p) p', '(SELECT k AS id, count(*) FROM p GROUP BY k) p',
	'(SELECT k AS id FROM p UNION SELECT x FROM p) p',
	'(SELECT max(id) AS id FROM p GROUP BY k HAVING count(*) > 5) p',
	'(SELECT id, row_number() OVER (ORDER BY id) FROM p) p', 'barrier p', 'halves(40) p',
	'p TABLESAMPLE bernoulli (100)',
	'p WHERE id IN (SELECT pid FROM c LIMIT 500)', 'p WHERE id = ANY (ARRAY(SELECT generate_series(1, 9)))');
-- What is computed where it is read, or has an order
SELECT pg_temp.of(0, '(SELECT 10 / x AS id FROM p WHERE k = 3) p', 'first_of(20) p',
	'(VALUES (1), (3), (99), (NULL)) p(id)',
	'(SELECT DISTINCT ON (k) k, id FROM p ORDER BY k, id) p', '(SELECT k AS id FROM p EXCEPT SELECT 3) p');
SELECT pg_temp.test(1, $$WITH w AS (SELECT id, 1 / (id - 1) z FROM p) SELECT json_agg(r ORDER BY id) FROM (SELECT id,
	(SELECT json_agg(s ORDER BY id) FROM c WHERE pid = w.id) FROM w) r$$);
SELECT pg_temp.test(0, $$WITH RECURSIVE w AS (SELECT 1 AS id UNION ALL SELECT id + 2 FROM w WHERE id < 20)
	SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = w.id) FROM w ORDER BY id$$);
-- As tools write it: conditions of a resource, and what it embeds
SELECT pg_temp.test(2, $$WITH pgrst_source AS (SELECT p.id, p.name, coalesce(c_1.c_1,
	'[]') AS c FROM p LEFT JOIN LATERAL
	(SELECT json_agg(c_1) AS c_1 FROM (SELECT c.id, c.s, coalesce(g_1.g_1, '[]') AS g FROM c LEFT JOIN LATERAL (SELECT
	json_agg(g_1) AS g_1 FROM (SELECT g.w FROM g WHERE g.cid = c.id ORDER BY g.id) g_1) g_1 ON true WHERE c.pid = p.id
	ORDER BY c.id) c_1) c_1 ON true WHERE to_tsvector(p.name) @@ to_tsquery('p3') ORDER BY p.id)
	SELECT null::bigint AS total_result_set, count(_postgrest_t) AS page_total, coalesce(json_agg(_postgrest_t), '[]')
	FROM (SELECT * FROM pgrst_source) _postgrest_t$$);
SELECT pg_temp.test(1, $$SELECT coalesce(json_agg(r ORDER BY r.id), '[]') FROM (SELECT p.id,
	(SELECT json_agg(c.s ORDER BY c.id)
	FROM c WHERE c.pid = p.id) a FROM p WHERE 10 / x > 3) r$$);
SELECT pg_temp.test(1, $$SELECT json_agg(json_build_object('id', p.id, 'a',
	(SELECT json_agg(c.s ORDER BY c.id) FROM c
	WHERE c.pid = p.id)) ORDER BY p.id) FROM p WHERE 10 / x > 3$$);
SELECT pg_temp.test(2, $$SELECT p.id, q.a, (SELECT count(*) FROM c WHERE c.pid = p.id), p.name || 'x',
	10 / p.x FROM p
	LEFT JOIN LATERAL (SELECT json_agg(c.s ORDER BY c.id) a FROM c WHERE c.pid = p.id) q ON true WHERE 10 / x > 3
	ORDER BY p.name, p.id$$);

-- Groups, and rows that have window functions
SELECT pg_temp.test(1, $$SELECT p.id, p.name, count(*), (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid
	= p.id)
	FROM p JOIN zero z ON z.k = p.k GROUP BY p.id ORDER BY p.id$$);
SELECT pg_temp.test(1, $$SELECT p.k, sum(p.x), (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.k)
	FROM p GROUP BY p.k HAVING count(*) > 5 ORDER BY count(*), p.k$$);
SELECT pg_temp.test(1, $$SELECT (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.k) FROM p GROUP BY
	p.k ORDER BY p.k$$);
SELECT pg_temp.test(0, $$SELECT p.id, row_number() OVER (ORDER BY id DESC),
	(SELECT json_agg(c.s ORDER BY c.id) FROM c
	WHERE c.pid = p.id) FROM p ORDER BY id$$);
SELECT pg_temp.test(1, $$SELECT p.id, count(*) OVER (), (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid
	= p.id)
	FROM p ORDER BY id$$);
SELECT pg_temp.test(2, $$SELECT p.k, p.x, min(p.id), (SELECT count(*) FROM c WHERE c.pid = p.k),
	(SELECT json_agg(c.s ORDER BY
	c.id) FROM c WHERE c.pid = p.x) FROM p GROUP BY p.k, p.x ORDER BY p.k, p.x$$);
-- What belongs to no group by itself
SELECT pg_temp.test(0, $$SELECT p.k, count(*) + (SELECT count(*) FROM c WHERE c.pid = p.k) FROM p GROUP BY p.k
	ORDER BY p.k$$);
SELECT pg_temp.test(0, $$SELECT p.k, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = count(p.id)) FROM
	p GROUP BY p.k
	ORDER BY p.k$$);
SELECT pg_temp.test(0, $$SELECT p.k, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.k) FROM p GROUP
	BY CUBE (p.k)
	ORDER BY p.k$$);
SELECT pg_temp.test(0, $$SELECT DISTINCT p.k, (SELECT count(*) FROM c WHERE c.pid = p.k) FROM p ORDER BY p.k$$);
-- Left joins that PostgreSQL leaves out, because nobody needs them
CREATE TABLE z AS SELECT i AS id, i % 3 AS x, -i AS y FROM generate_series(1, 20) i;
CREATE MATERIALIZED VIEW unfilled AS TABLE c WITH NO DATA;
SELECT pg_temp.test(0, format('SELECT count(a) FROM (SELECT z.id, %s, (SELECT json_agg(c.s) FROM c
	WHERE c.pid = z.id) a
	FROM %s) t', VARIADIC parts)) FROM (VALUES
	('{max(q.v) m,z LEFT JOIN (SELECT max(v) v FROM c) q ON 10 / z.x > 2 GROUP BY z.id}'::text[]),
	('{q.v,"(SELECT DISTINCT id, x FROM z) z LEFT JOIN (SELECT max(v) v FROM c) q ON 10 / z.x > 2"}'),
	('{max(q.v) m,z LEFT JOIN LATERAL (SELECT count(*) v FROM unfilled u WHERE u.pid = z.x) q ON true GROUP BY z.id}'),
	('{z.v,"(SELECT z.id, q.v FROM z LEFT JOIN (SELECT max(v) v FROM c) q ON
	10 / z.x > 2 ORDER BY z.y LIMIT 200) z"}'))
	q(parts);
-- What is divided stays a fence.
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'), 'a fence')
FROM (VALUES ($$SELECT (SELECT json_agg(CASE WHEN r.k <> 3 THEN r.a END) FROM (SELECT p.k,
	json_build_array(10 / (p.k - 3), (SELECT count(*) FROM c WHERE c.pid = p.k AND c.v <= p.k))::text a FROM p
	GROUP BY p.k) r) IS NULL,
	(SELECT json_agg(s) FROM (SELECT (SELECT json_agg(c.s) FROM c WHERE c.pid = p.id) b FROM p) s) IS NULL$$)) q(query);
-- There are not too many columns.
SELECT pg_temp.test(0, format('SELECT %s, json_build_array((SELECT json_agg(c.s) FROM c WHERE c.pid = p.id), k, x,
	id) FROM p
	JOIN (SELECT v, pid FROM c) d ON d.pid = p.id GROUP BY p.id', string_agg('max(v)', ', ')))
FROM generate_series(1, 1600);
-- An order that is asked for further in
SELECT pg_temp.test(0, $$SELECT p.id, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.id) FROM
	(SELECT DISTINCT k AS id
	FROM p ORDER BY 1) p$$);
SELECT pg_temp.test(0, $$SELECT p.i, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.i)
	FROM generate_series(9, 1, -1) p(i)$$);

SELECT * FROM finish();
ROLLBACK;
