-- Items of FROM that are values, and what stands beside a collection's aggregates, with jsonrow.unnest off and
-- on: the same rows, the same errors; and how many collections became joins.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(477);

CREATE TABLE p (id int PRIMARY KEY, k int, name text NOT NULL);
INSERT INTO p SELECT i, nullif(i % 5, 3), 'p' || i FROM generate_series(1, 40) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int, s text);
INSERT INTO c SELECT i, nullif(i * 7 % 53, 9), nullif(i % 6, 2), 's' || i FROM generate_series(1, 300) i;
CREATE TABLE one (n int PRIMARY KEY);
INSERT INTO one VALUES (1);
CREATE VIEW total AS SELECT count(*) AS n FROM c;
CREATE FUNCTION noisy(i int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN i; END $$;
ANALYZE;

-- Is it the same, in several ways; and how many collections are joined?
CREATE FUNCTION pg_temp.test_values(joins int, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	name CONSTANT text := left(regexp_replace(query, '\s+', ' ', 'g'), 200);
	off CONSTANT text := pg_temp.outcome(query, '{jsonrow.unnest, off, jsonrow.accelerate, off}');
	settings text;
	joined bigint;
BEGIN
	FOREACH settings IN ARRAY ARRAY['{jsonrow.unnest, on}', '{jsonrow.unnest, on, jsonrow.accelerate, on}',
		'{jsonrow.unnest, on, enable_hashagg, off, enable_hashjoin, off}'] LOOP
		RETURN NEXT is(pg_temp.outcome(query, settings::text[]), off, 'same: ' || settings || ' ' || name);
	END LOOP;
	PERFORM set_config('jsonrow.unnest', 'on', true);
	SELECT count(*) INTO joined FROM jsonrow_explain(query) WHERE what = 'collection' AND outcome = 'joined';
	PERFORM set_config('jsonrow.unnest', 'off', true);
	RETURN NEXT is(joined, coalesce(joins, joined), 'joins: ' || name);
END $$;

/*
 * pg_graphql's connections: what is made of rows r, and more items of FROM before these
 */
CREATE FUNCTION pg_temp.connection(made text, grouped text DEFAULT 't.n, h.e', more text DEFAULT '', of text DEFAULT
	'pid = p.id', total text DEFAULT 'SELECT count(*) FROM c WHERE pid = p.id', rows text DEFAULT 'r')
RETURNS text LANGUAGE sql AS $$
	SELECT format('(WITH r AS (SELECT * FROM c WHERE %s ORDER BY id LIMIT 4 OFFSET 0), t(n) AS (%s), '
		'h(e) AS (SELECT EXISTS (SELECT 1 FROM r)), o AS (SELECT %s AS j FROM t CROSS JOIN h %s
		LEFT JOIN %s ON true %s) '
		'SELECT coalesce(o.j::text, ''none'') FROM (SELECT 1) d LEFT JOIN o ON true
		CROSS JOIN (SELECT NULL::jsonb) a)',
		of, total, made, more, rows, 'GROUP BY ' || nullif(grouped, '')) $$;
-- The usual array
CREATE FUNCTION pg_temp.edges() RETURNS text LANGUAGE sql AS $$
	SELECT 'coalesce(jsonb_agg(r.s ORDER BY r.id) FILTER (WHERE r.id IS NOT NULL), ''[]'')' $$;

-- By themselves, and beside another collection
SELECT pg_temp.test_values(CASE beside WHEN '' THEN joins END, format('SELECT id, %s%s FROM p ORDER BY id', beside,
	pg_temp.connection(format(made, pg_temp.edges())))) FROM (VALUES
	(1, '%s'), (2, 'jsonb_build_object(''edges'', %s, ''n'', t.n)'), (2, 'jsonb_build_array(coalesce(t.n, 0), %s)'),
	(1, 'jsonb_build_array(t.n)'), (0, 'jsonb_build_array()'), (1, 't.n'), (1, 'count(*)'), (1,
		'jsonb_build_array(%s, 1)'),
	-- Whether there are rows is known of these; the last one, of several.
	(1, 'jsonb_build_array(%s, CASE WHEN h.e THEN (array_agg(r.v ORDER BY r.id DESC))[1] END)'),
	(1, 'jsonb_build_array(%s, CASE WHEN h.e THEN (array_agg(r.v ORDER BY r.id))[1] ELSE NULL END,
		CASE WHEN h.e THEN (array_agg(r.s ORDER BY r.v, r.id))[2] END, count(*))'),
	(1, 'CASE WHEN h.e THEN (array_agg(r.s ORDER BY r.id DESC))[1] END'),
	-- Others stay.
	(0, 'jsonb_build_array(%s, CASE WHEN h.e THEN (array_agg(r.v ORDER BY r.id DESC))[1] ELSE 0 END)'),
	(0, 'jsonb_build_array(%s, CASE WHEN NOT h.e THEN (array_agg(r.v ORDER BY r.id DESC))[1] END)'),
	(0, 'jsonb_build_array(%s, CASE WHEN h.e THEN (array_agg(r.v) FILTER (WHERE r.v > 2))[1] END)'),
	(0, 'jsonb_build_array(%s, CASE WHEN h.e THEN (array_agg(r.v ORDER BY r.id))[(SELECT n FROM one)] END)'),
	(0, 'jsonb_build_array(%s, CASE WHEN h.e THEN count(r.v) END)'),
	(0, 'jsonb_build_array(%s, CASE WHEN h.e THEN (array_agg(12 / (r.v - 4) ORDER BY r.id))[1] END)'),
	(0, 'jsonb_build_array(%s, h.e)'),
	(0, 'jsonb_build_array(%s, (SELECT t.n + 1))'), (0, 'jsonb_build_array(%s, t.n, t.n)'), (0,
		'jsonb_build_array(%s, sum(t.n))'),
	(0, 'jsonb_build_array(%s, CASE WHEN count(*) > 2 THEN t.n END)'),
	(0, 'jsonb_build_array(jsonb_agg(r.s ORDER BY r.id))'), (0, 'jsonb_build_array(%s, count(r.v))'),
	(0, 'jsonb_build_array(t.n, max(r.v))'), (0, 'jsonb_build_array(%s, bool_and(h.e ORDER BY 12 / (r.v - 4)))'))
	q(joins, made), unnest(ARRAY['', '(SELECT count(*) FROM c o WHERE o.pid = p.id), ']) beside;
-- Values of other kinds, and more of them
SELECT pg_temp.test_values(joins, format('SELECT id, %s FROM p ORDER
	BY id', pg_temp.connection('jsonb_build_array(' ||
	pg_temp.edges() || made || ')', grouped, more))) FROM (VALUES
	(2, ', m.n', 't.n, h.e, m.n', 'CROSS JOIN (SELECT count(*) > 3 AS n FROM (SELECT 1 FROM c
		WHERE pid = p.id ORDER BY id
		LIMIT 5 OFFSET 0) x) m'),
	(2, ', bool_and(m.n), coalesce(bool_or(b.n), true)', 't.n, h.e, m.n, b.n',
		'CROSS JOIN (SELECT count(*) > 3 AS n FROM c
		WHERE pid = p.id) m CROSS JOIN (SELECT NULL::bool AS n) b'),
	(1, '', 't.n, h.e, m.n', 'CROSS JOIN (SELECT max(id) AS n FROM c WHERE pid = p.id) m'),
	(0, ', m.n', 't.n, h.e, m.n', 'CROSS JOIN (SELECT 7 AS n) m'), (0, ', m.n', 't.n, h.e, m.n',
		'LEFT JOIN (SELECT 7 AS n) m ON true'),
	(0, ', min(t.n)', '', ''), (1, '', '', 'CROSS JOIN (SELECT 7 AS n) m'),
	-- Not one row, or one that may raise an error, is volatile, a view, or lateral; or of two columns, or joined
	-- under a condition.
	(0, '', 't.n, h.e, m.n', 'CROSS JOIN (SELECT n FROM one) m'), (0, '', 't.n, h.e, m.n',
		'CROSS JOIN (SELECT 7 AS n WHERE p.k > 1) m'),
	(0, '', 't.n, h.e, m.n', 'CROSS JOIN (SELECT 12 / count(*) AS n FROM c WHERE pid = p.id) m'),
	(0, '', 't.n, h.e, m.n', 'CROSS JOIN (SELECT noisy(1) AS n) m'), (0, '', 't.n, h.e, m.n', 'CROSS JOIN total m'),
	(0, '', 't.n, h.e, m.n', 'CROSS JOIN LATERAL (SELECT t.n + 1 AS n) m'),
	(0, '', 't.n, h.e, m.n', 'CROSS JOIN (SELECT 1 AS n, 2 AS o) m'), (0, '', 't.n, h.e, m.n',
		'JOIN (SELECT 1 AS n) m ON m.n = t.n'),
	(0, '', 't.n, h.e, m.n', 'LEFT JOIN (SELECT 1 AS n) m ON m.n = t.n'), (0, '', 't.n, h.e, r.v', ''), (0, '',
		't.n, h.e, r.id', ''),
	(0, '', 't.n + 0, h.e', ''),
	(0, '', 't.n, h.e, m.n', 'CROSS JOIN (SELECT ROW(max(id), ''{}''::json) AS n FROM c) m'),
	(0, '', 't.n, h.e HAVING count(*) > 1', ''), (0, '', 'ROLLUP (t.n, h.e)', ''),
	(0, '', 't.n, h.e ORDER BY t.n', ''), (0, '', 't.n, h.e LIMIT 1', '')) q(joins, made, grouped, more);
-- Rows that are something else; and a table that nothing but a value reads
SELECT pg_temp.test_values(joins, format('SELECT id, %s FROM p ORDER
	BY id', pg_temp.connection(pg_temp.edges(), total =>
	total, of => of, rows => rows))) FROM (VALUES
	(1, 'SELECT count(*) FROM c WHERE pid = p.id AND v > 1', 'pid = p.id AND v > 1', 'r'),
	(1, 'SELECT count(*) FROM c', 'pid = p.id', 'r'), (0, 'SELECT count(*) FROM one', 'pid = p.id', 'r'),
	(0, 'SELECT count(*) FROM c WHERE 12 / v > 1', 'pid = p.id', 'r'), (0, 'SELECT count(*) FROM c',
		'12 / v > 1 AND pid = p.id', 'r'),
	(0, 'SELECT count(*) FROM c', 'pid = p.id', 'LATERAL (SELECT * FROM r
		WHERE r.v < t.n) r')) q(joins, total, of, rows);
-- One within another; at the top; and without an array, or with another one, above
SELECT pg_temp.test_values(joins, format(query, pg_temp.connection('jsonb_build_object(''e'', ' || pg_temp.edges() ||
	', ''n'', t.n)'))) FROM (VALUES (2, 'SELECT jsonb_agg(jsonb_build_object(''id'', id, ''c'', %s) ORDER BY id)
		FROM p'),
	(2, 'SELECT jsonb_agg(x ORDER BY x.id) FROM (SELECT id, %s FROM p ORDER BY k NULLS LAST, id LIMIT 20) x'),
	(2, 'WITH q AS (SELECT * FROM p ORDER BY k, id LIMIT 30), t(n) AS (SELECT count(*)
		FROM p), h(e) AS (SELECT EXISTS (SELECT
		1 FROM q)), o AS (SELECT jsonb_build_object(''n'', t.n, ''end'', CASE WHEN h.e THEN (array_agg(p.id ORDER
		BY p.id
		DESC))[1] END, ''e'', jsonb_agg(%s ORDER BY p.name) FILTER (WHERE p.id IS NOT NULL)) j FROM t CROSS JOIN h
		LEFT JOIN
		q p ON true GROUP BY t.n, h.e) SELECT coalesce(o.j, ''{}'') || jsonb_build_object(''a'', a.x)
		FROM (SELECT 1) d LEFT
		JOIN o ON true CROSS JOIN (SELECT count(*) FROM p) a(x)')) q(joins, query);

-- WITH queries that nobody reads, or no longer, are gone while others are looked at.
SELECT pg_temp.test_values(1, format(query, 'SELECT id, (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER
	BY id')) FROM (VALUES ('WITH o AS (SELECT t.n FROM (SELECT 1 AS n) t CROSS JOIN (SELECT 2 AS e) h) %s'),
	('WITH r AS (SELECT * FROM c), o AS (SELECT t.n FROM (SELECT 1 AS n) t CROSS JOIN (SELECT 2 AS e) h
		LEFT JOIN r ON true GROUP BY t.n, h.e) %s'),
	('WITH q AS (SELECT * FROM p), r AS (SELECT * FROM q), o AS (SELECT t.n FROM (SELECT 1 AS n) t CROSS JOIN
		(SELECT EXISTS (SELECT 1 FROM r) AS e) h LEFT JOIN r ON true GROUP BY t.n, h.e) %s')) q(query);
-- GROUP BY keeps PostgreSQL from pulling up, and so from computing less, or more, of it.
SELECT pg_temp.test_values(NULL, 'SELECT (SELECT json_agg((SELECT count(*) FROM c WHERE pid = p.id) ORDER BY id)
	FROM p), ' || query) FROM (VALUES
	('(SELECT CASE WHEN current_date < date ''2000-01-01'' THEN o.bad END FROM (SELECT 10 / (t.n - 300) AS bad FROM
		(SELECT count(*) AS n FROM c) t CROSS JOIN (SELECT 1 AS e) h GROUP BY t.n, h.e) o)'),
	('(SELECT CASE WHEN o.n > 100000 THEN 10 / o.z ELSE 0 END FROM (SELECT 0 AS z, t.n FROM (SELECT count(*) AS n FROM
		c) t CROSS JOIN (SELECT 1 AS e) h GROUP BY t.n, h.e) o)'),
	('(WITH r AS (SELECT * FROM c WHERE pid < 3) SELECT CASE WHEN o.j IS NULL THEN 10 / o.z ELSE 0 END FROM (SELECT
		0 AS z, jsonb_agg(r.s) FILTER (WHERE r.id IS NOT NULL) AS j FROM (SELECT 1 AS n) t CROSS JOIN (SELECT EXISTS
		(SELECT 1 FROM r) AS e) h LEFT JOIN r ON true GROUP BY t.n, h.e) o)'),
	('(SELECT min(x.id) FROM (WITH r AS (SELECT 1) SELECT c.id, o.n FROM c CROSS JOIN (SELECT t.n FROM (SELECT
		count(*) AS n FROM c) t CROSS JOIN (SELECT 1 AS e) h) o WHERE 12 / (c.v - 4) < 100) x)')) q(query);
-- ... and asks who may compare what rows are grouped by.
CREATE ROLE jsonrow_plain;
GRANT SELECT ON p, c TO jsonrow_plain;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_plain;
REVOKE EXECUTE ON FUNCTION date_eq(date, date) FROM PUBLIC;
SET LOCAL ROLE jsonrow_plain;
SELECT pg_temp.test_values(NULL, 'SELECT id, (SELECT count(*) FROM c WHERE pid = p.id), (SELECT
	jsonb_build_object(''n'', t.n, ''x'', jsonb_agg(r.s ORDER BY r.id) FILTER (WHERE r.id IS NOT NULL)) FROM (SELECT
	count(*) AS n FROM c WHERE pid = p.id) t CROSS JOIN (SELECT date ''2026-11-29'' AS k) h
	LEFT JOIN (SELECT * FROM c WHERE v = 1) r ON true GROUP BY t.n, h.k) FROM p WHERE id < 3');
RESET ROLE;
GRANT EXECUTE ON FUNCTION date_eq(date, date) TO PUBLIC;

/*
 * What stands beside the aggregates
 */

SELECT pg_temp.test(joins, format('SELECT name, (SELECT %s FROM c WHERE pid = p.id) FROM p ORDER BY name', made))
	FROM
	(VALUES (1, 'count(*) + p.id'), (1, 'json_build_object(''id'', p.id, ''n'', count(*))'), (1, 'max(v) > p.k'),
	(1, 'coalesce(max(v), p.k)'), (1, 'p.name || count(*)'), (1, '12 / (p.k + count(*) - 2)'), (1,
		'ARRAY[p.k, min(v)]'),
	(2, 'json_build_array(json_agg(s ORDER BY id), (SELECT count(*) FROM c o WHERE o.pid = p.id))'),
	(2, 'json_build_array(p.k, json_agg(s ORDER BY id), (SELECT json_agg(s ORDER BY v, id) FROM c o
		WHERE o.pid = p.id))'),
	(3, 'json_build_array(count(*), (SELECT json_build_array(max(v), p.k, (SELECT min(v) FROM c o
		WHERE o.pid = p.id)) FROM c o
		WHERE o.pid = p.id))'),
	(1, 'coalesce(max(v), (SELECT count(*) FROM c o WHERE o.pid = p.id))'),
	(1, 'CASE WHEN count(*) > p.k THEN (SELECT count(*) FROM c o WHERE o.pid = p.id) END'),
	(1, 'json_build_array(count(*), (SELECT max(o.v) FROM c o WHERE o.pid > p.id))'),
	(0, 'json_build_array(count(*), (SELECT count(*) FROM c o WHERE o.pid = p.id AND 12 / o.v > 1))'),
	(1, 'json_build_array(p, count(*))'), (0, 'sum(v + p.k)')) q(joins, made);
SELECT pg_temp.test(joins, format('SELECT k, (SELECT %s FROM c WHERE pid = p.k) FROM p GROUP BY k ORDER
	BY k', made)) FROM
	(VALUES (1, 'count(*) + p.k'), (0, 'count(*) + count(p.id)')) q(joins, made);
-- Further out, and in FROM
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT id, (SELECT json_agg((SELECT count(*) + p.k FROM c o WHERE o.pid = c.v) ORDER BY id) FROM c
		WHERE pid = p.id)
		FROM p ORDER BY id'),
	(0, 'SELECT id, x.* FROM p CROSS JOIN LATERAL (SELECT count(*) + p.k AS n FROM c WHERE pid = p.id) x ORDER
		BY id'))
	q(joins, query);

SELECT * FROM finish();
ROLLBACK;
