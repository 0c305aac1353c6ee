-- Queries in PostgreSQL's words with jsonrow.accelerate off and on: the same rows, the same
-- errors; and which functions run.  Much of this is what must be left as it is.
\ir oracle.psql

SELECT no_plan();

-- Since 16 rows may be sorted before they come to an aggregate.
SELECT CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'true' ELSE 'false' END AS presorts \gset

CREATE FUNCTION pg_temp.verbose_plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
		plan := plan || line || E'\n';
	END LOOP;
	RETURN plan;
END $$;

-- The JSON functions in a plan, jsonrow_core_ as an asterisk, those over a row's names with [].
CREATE FUNCTION pg_temp.functions_of(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT string_agg(DISTINCT call, ' ' ORDER BY call) FROM (
		SELECT replace(m[1], 'jsonrow_core_', '*') || CASE WHEN m[2] <> '' THEN '[]' ELSE '' END COLLATE "C" AS call
		FROM regexp_matches(pg_temp.verbose_plan_of(query),
			$re$\m((?:json(?:row|col)_\w*|jsonb?_(?:agg|object_agg|build)\w*|row_to_json|$re$
			|| $re$to_jsonb?(?:_text)?|array_to_json)(?=\())\(('\{[^']*\}'::text\[\])?$re$, 'g') m) s);
END $$;

-- Is it the same, and done by these?
CREATE FUNCTION pg_temp.test(functions text, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	name CONSTANT text := left(regexp_replace(query, '\s+', ' ', 'g'), 200);
BEGIN
	RETURN NEXT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'),
		pg_temp.outcome(query, '{jsonrow.accelerate, off}'), 'same: ' || name);
	PERFORM set_config('jsonrow.accelerate', 'on', true);
	RETURN NEXT is(pg_temp.functions_of(query), functions, 'functions: ' || name);
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	RETURN NEXT ok(coalesce(pg_temp.functions_of(query), '') !~ '\*', 'off: ' || name);
END $$;

CREATE TABLE t (a int, b text, dropped int, "C d" timestamptz, f float8, n numeric(10,2), ar int[]);
ALTER TABLE t DROP dropped;
INSERT INTO t SELECT i % 4, CASE WHEN i % 3 = 0 THEN NULL ELSE 'x"\u0000\' || i END,
	'2020-01-01'::timestamptz + i * '1 h'::interval, i / 3.0, i * 1.50, ARRAY[i, NULL] FROM generate_series(1, 7) i;
INSERT INTO t VALUES (-1, E'\u0001\t', 'infinity', 'NaN', 'NaN', '{}'), (-2, '', '-infinity', -0.0, 0, NULL),
	(NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE u (id int PRIMARY KEY, a int, x json, y jsonb);
INSERT INTO u VALUES (1, 1, '{"k" : 1,"k":2}', '{"z":1,"aa":2}'), (2, 9, NULL, 'null'), (3, 2, '"\u0000"', '[1.0]');
CREATE TABLE part (a int, b text, c int) PARTITION BY LIST (a);
CREATE TABLE part1 (c int, b text, a int);
ALTER TABLE part ATTACH PARTITION part1 FOR VALUES IN (1);
CREATE TABLE part2 (dropped int, a int, b text, c int);
ALTER TABLE part2 DROP dropped;
ALTER TABLE part ATTACH PARTITION part2 FOR VALUES IN (2);
INSERT INTO part SELECT 1 + i % 2, i, i FROM generate_series(1, 6) i;
CREATE TABLE parent (a int, b text);
CREATE TABLE child (c int) INHERITS (parent);
INSERT INTO parent VALUES (1, 'p');
INSERT INTO child VALUES (2, 'c', 3);
CREATE TABLE nothing ();
INSERT INTO nothing DEFAULT VALUES;
CREATE VIEW v AS SELECT a AS va, b AS vb FROM t;
CREATE VIEW barrier WITH (security_barrier) AS SELECT jsonb_build_object('a', a) AS o FROM t;
CREATE VIEW objects AS SELECT jsonb_build_object('a', a, 'b', b) AS o, a, b FROM t;
CREATE TYPE ct AS (p int, q text);
CREATE TYPE cj AS (p int, q json);
CREATE DOMAIN ct_domain AS ct;
CREATE CAST (ct AS json) WITH FUNCTION pg_catalog.row_to_json(record);
CREATE DOMAIN json_domain AS json;
CREATE TYPE mood AS ENUM ('fine', 'bad');
CREATE FUNCTION ts() RETURNS SETOF t LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT * FROM t; END $$;
CREATE FUNCTION cts() RETURNS SETOF ct LANGUAGE plpgsql AS $$
BEGIN RETURN QUERY VALUES (NULL::int, NULL::text), (1, 'x'); END $$;
CREATE FUNCTION dom() RETURNS ct_domain LANGUAGE plpgsql AS $$ BEGIN RETURN '(1,x)'; END $$;
CREATE FUNCTION cjs() RETURNS SETOF cj LANGUAGE sql AS $$ SELECT 1, '{"b":1,  "a": 2}'::json $$;
CREATE TABLE kept (a text, r jsonb);
CREATE TYPE marked AS ENUM ('1', '2');
CREATE FUNCTION json_of(marked) RETURNS json LANGUAGE sql AS $$ SELECT '{"b":1,  "a": 2}'::json $$;
CREATE CAST (marked AS json) WITH FUNCTION json_of(marked);
CREATE FUNCTION records() RETURNS SETOF record LANGUAGE sql AS 'SELECT a, b FROM t';
DO $$ BEGIN
	EXECUTE (SELECT format('CREATE TABLE wide98 AS SELECT %s', string_agg(format('%s AS c%1$s', i), ', '))
		FROM generate_series(1, 98) i);
	EXECUTE 'CREATE TABLE wide99 AS SELECT w.*, 0 AS one_more FROM wide98 w';
END $$;

-- Rows, 1a
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(t) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(t) FROM t$$);
SELECT pg_temp.test(CASE WHEN :presorts THEN '*json_agg' ELSE '*json_agg[]' END,
	$$SELECT json_agg(t ORDER BY a DESC, b, n) FILTER (WHERE a > 1) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(t ORDER BY b, n DESC NULLS LAST) FROM t GROUP BY a >
	1 ORDER BY 1$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT coalesce(jsonb_agg(x), '[]') FROM (SELECT a, b FROM t ORDER BY
	a, n) x$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(t) FROM t WHERE false$$);
SELECT pg_temp.test('*json_agg_row_to_json[]', $$SELECT json_agg(row_to_json(t)), json_agg(to_json(t)) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(to_jsonb(t)) FROM t$$);
SELECT pg_temp.test('*json_agg *row_to_json *to_jsonb_text[]', $$SELECT json_agg(to_jsonb(t)),
	json_agg(row_to_json(t, true)) FROM t$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x.*) FROM t x$$);
SELECT pg_temp.test('*json_agg *jsonb_agg *to_jsonb', $$SELECT json_agg(part ORDER BY b),
	jsonb_agg(row_to_json(part) ORDER BY b) FROM part$$);
SELECT pg_temp.test('*json_agg', $$SELECT a, json_agg(part ORDER BY b) FROM part GROUP BY a ORDER BY a$$);
SELECT pg_temp.test('*json_agg *json_agg[]', $$SELECT json_agg(parent ORDER BY parent.a), json_agg(x ORDER BY x.a)
	FROM parent, LATERAL (SELECT parent.*) x$$);
SELECT pg_temp.test('*json_agg *jsonb_agg', $$SELECT json_agg(nothing), jsonb_agg(nothing) FROM nothing$$);
SELECT pg_temp.test('*json_agg[]', $$WITH w AS (UPDATE u SET a = a + 1 RETURNING id, a) SELECT json_agg(w
	ORDER BY id) FROM w$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x) FROM (SELECT DISTINCT a FROM t) x GROUP BY x.a ORDER
	BY x.a$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT (SELECT json_agg(x) FROM (SELECT t.a, u.id FROM u ORDER BY id)
	x) FROM t ORDER BY t.a, t.n$$);

-- Names: the type's, if it has one, else the alias's
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x) FROM t x(k, l)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x) FROM (SELECT * FROM t) x(k, l)$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', $$SELECT json_agg(v), jsonb_agg(v) FROM v$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(vv) FROM v vv(k)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(z) FROM ts() z(k)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(f) FROM cts() f(k)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(f) FROM dom() f(k)$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', $$SELECT json_agg(f), jsonb_agg(f) FROM records() f(q int, r
	text)$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(f) FROM generate_series(1, 3) f$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(f) FROM generate_series(1, 3) WITH ORDINALITY f$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(f) FROM ROWS FROM (generate_series(1, 3), cts()) f(x, y)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x ORDER BY x.k) FROM (VALUES (1, 2), (0, NULL)) x(k, l)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x) FROM (SELECT a AS k, b AS k FROM t) x$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(x) FROM (SELECT a AS k, b AS k FROM t) x$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x) FROM (SELECT 'a' AS k, NULL AS l) x$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x) FROM (SELECT a FROM t UNION ALL SELECT id FROM u) x$$);
SELECT pg_temp.test('*json_agg[]', $$WITH c AS MATERIALIZED (SELECT a, b FROM t) SELECT json_agg(c) FROM c$$);
SELECT pg_temp.test('*json_agg[] *json_build_array *to_json', $$WITH RECURSIVE c(n, m) AS (SELECT 1,
	to_json(1)::text UNION ALL SELECT n + 1, json_build_array(n)::text FROM c WHERE n < 3) SELECT json_agg(c)
	FROM c$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(x.x) FROM (SELECT 1 AS x) x$$);

-- ROW()
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', $$SELECT json_agg(ROW(a, b)), json_agg(ROW(a, 'x')),
	jsonb_agg(ROW(NULL, a)) FROM t$$);
SELECT pg_temp.test('*json_agg *json_agg[]', $$SELECT json_agg(ROW(a, b)::ct), json_agg(ROW(a,
	b)::ct_domain) FROM t$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(ROW(a, b, NULL, f, n, ar)::t) FROM t$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(ROW()) FROM t$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(ROW(ROW(a), ARRAY[ROW(b)])) FROM t$$);

-- Rows that may be NULL
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(u) FROM t LEFT JOIN u USING (a)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(t) FROM t LEFT JOIN u USING (a)$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(t) FROM t RIGHT JOIN u USING (a)$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(u) FROM t RIGHT JOIN u USING (a)$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(u), json_agg(t) FROM u FULL JOIN t USING (a)$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(x) FROM u LEFT JOIN (t x JOIN t z USING (n)) ON x.a = u.a$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(x) FROM u LEFT JOIN LATERAL (SELECT t.b FROM t WHERE t.a
	= u.a) x ON true$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(x) FROM u LEFT JOIN LATERAL (SELECT u.id) x ON u.id > 1$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(u) FROM t LEFT JOIN u USING (a) WHERE u.id > 0$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(j) FROM (t JOIN u USING (a)) j$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(j) FROM (t LEFT JOIN u USING (a)) j$$);
SELECT pg_temp.test('*json_agg *jsonb_agg *row_to_json', $$SELECT jsonb_agg(s.t), json_agg(row_to_json(s.t))
	FROM (SELECT t FROM t OFFSET 0) s$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(NULL::t), json_agg(row_to_json(NULL::ct)) FROM t$$);

-- More columns than arguments
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(w) FROM wide98 w$$);
SELECT pg_temp.test('*json_agg *jsonb_agg *row_to_json *to_jsonb', $$SELECT json_agg(w),
	jsonb_agg(to_jsonb(w)), row_to_json(min(w::text)::wide99) FROM wide99 w$$);

-- Constructors, 1b
SELECT pg_temp.test('*json_agg_build_array', $$SELECT json_agg(json_build_array(a, b)) FROM t$$);
SELECT pg_temp.test('*json_agg_build_array', $$SELECT json_agg(json_build_array(a, b, 'lit', NULL) ORDER BY
	a DESC, n) FROM t$$);
SELECT pg_temp.test('*jsonb_agg_build_array', $$SELECT jsonb_agg(jsonb_build_array(a, t, ar)) FROM t$$);
SELECT pg_temp.test('*json_agg_build_object[]', $$SELECT json_agg(json_build_object('x', a, 'x', b, 'lit',
	'lit', 'n', NULL) ORDER BY a DESC, n) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(jsonb_build_object('x', a, ('y')::text, b,
	'zz'::varchar, n, 'x', f)) FROM t$$);
SELECT pg_temp.test('*json_build_array *jsonb_agg[] *jsonb_build_array', $$SELECT
	jsonb_agg(jsonb_build_object('x', a, 'y', json_build_array(b, jsonb_build_array(a)))) FROM t$$);
SELECT pg_temp.test('*json_agg_build_object[] *jsonb_agg[]', $$SELECT jsonb_agg(jsonb_build_object('é"\',
	a)), json_agg(json_build_object('é"\', a)), json_agg(json_build_object('', a)) FROM t$$);
SELECT pg_temp.test('*json_agg *json_build_object', $$SELECT json_agg(json_build_object(b, a)) FROM t WHERE
	b IS NOT NULL$$);
SELECT pg_temp.test('*json_agg *json_build_object', $$SELECT json_agg(json_build_object(b, a)) FROM t$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(jsonb_build_object(b, a)) FROM t$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(jsonb_build_object(NULL, a)) FROM t$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(jsonb_build_object('a', 1, 'b')) FROM t$$);
SELECT pg_temp.test('*json_agg *json_build_object', $$SELECT json_agg(json_build_object('a', 1, 'b')) FROM t$$);
SELECT pg_temp.test('*json_agg *json_build_object', $$SELECT json_agg(json_build_object('a'::name, 1)),
	json_agg(json_build_object('a'::char(3), 1)), json_agg(json_build_object(1, 1)) FROM t$$);
SELECT pg_temp.test('*json_agg *jsonb_agg json_build_array jsonb_build_object', $$SELECT
	json_agg(json_build_array()), jsonb_agg(jsonb_build_object()) FROM t$$);
SELECT pg_temp.test('*json_agg *json_build_array *json_build_object', $$SELECT
	json_agg(json_build_array(VARIADIC ARRAY[a, a])), json_build_object(VARIADIC ARRAY['a', 'b']) FROM t GROUP
	BY a ORDER BY a$$);
SELECT pg_temp.test('*json_agg *jsonb_agg *jsonb_build_object *row_to_json[] *to_jsonb', $$SELECT
	json_agg(jsonb_build_object('a', a)), jsonb_agg(to_jsonb(a)), json_agg(row_to_json(t)::text) FROM t$$);
SELECT pg_temp.test('*json_agg *json_agg_build_array', $$SELECT json_agg(json_build_array(random() < 2)),
	json_agg(random() < 2) FROM t$$);

-- A row that is written as a subquery, 1c
SELECT pg_temp.test('*json_agg_row_to_json[]', $$SELECT json_agg(row_to_json((SELECT e FROM (SELECT a AS x,
	b AS y, t.n) e))) FROM t$$);
SELECT pg_temp.test('*row_to_json[]', $$SELECT row_to_json((SELECT e FROM (SELECT a AS x, b AS y, t.n) AS
	e)) FROM t$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg((SELECT e FROM (SELECT a AS x, b AS y, t.n) e) ORDER BY
	a DESC, n) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(to_jsonb((SELECT e FROM (SELECT a, b AS a) e))) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT a AS x, random() < 2 AS y)
	e)) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT 1 AS x) e)) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT a AS x LIMIT 1) e)) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT a AS x WHERE a > 1) e)) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT a AS x) e WHERE a > 1)) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT a AS x UNION ALL SELECT 1
	WHERE false) e)) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT a, generate_series(1, 1))
	e)) FROM t$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT max(a) AS x, count(*) AS c)
	e)) FROM t GROUP BY b ORDER BY b$$);
SELECT pg_temp.test('*json_agg[] *row_to_json[]', $$SELECT row_to_json((SELECT e FROM (SELECT a AS x,
	(SELECT json_agg(u) FROM u WHERE u.a = t.a AND u.id < (SELECT t.a + 5)) AS y) e)) FROM t$$);
SELECT pg_temp.test('*json_agg_row_to_json[]', $$SELECT (SELECT json_agg(row_to_json((SELECT e FROM (SELECT
	t.a AS x, u.id) e))) FROM u) FROM t$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg((SELECT u FROM u WHERE u.a = t.a)) FROM t$$);

-- Through subqueries, 1d
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object('a', a, 'b', b) AS
	d FROM t ORDER BY a, n LIMIT 5) s$$);
SELECT pg_temp.test(CASE WHEN :presorts THEN '*jsonb_agg *jsonb_build_object' ELSE '*jsonb_agg[]' END,
	$$SELECT jsonb_agg(d ORDER BY q DESC, m) FILTER (WHERE q > 1) FROM
	(SELECT jsonb_build_object('a', a, 'b', b) AS d, n AS m, a AS q FROM t ORDER BY a, b, a + 1 LIMIT 5) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT coalesce(jsonb_agg(d), '[]') FROM (SELECT d FROM (SELECT d, a,
	n FROM (SELECT jsonb_build_object('a', a, 'l', (SELECT coalesce(jsonb_agg(q), '[]') FROM (SELECT q FROM
	(SELECT jsonb_build_object('id', u.id) AS q, u.id FROM u WHERE u.a = t1.a) y ORDER BY y.id DESC LIMIT 1) z))
	AS d, t1.a, t1.n FROM (SELECT * FROM t) t1) t2 ORDER BY t2.a, t2.n LIMIT 5) t3) t4$$);
SELECT pg_temp.test('*json_agg_row_to_json[]', $$SELECT coalesce(json_agg("root"), '[]') FROM (SELECT
	row_to_json((SELECT "_e" FROM (SELECT "_b".a AS a, "_b".b AS "B", "_l"."x" AS x) AS "_e")) AS "root" FROM
	(SELECT * FROM t ORDER BY a, n LIMIT 7) AS "_b" LEFT OUTER JOIN LATERAL (SELECT json_agg("root") AS x FROM
	(SELECT row_to_json((SELECT "_e" FROM (SELECT u.id AS id) AS "_e")) AS "root" FROM u WHERE u.a = "_b".a
	ORDER BY id) AS "_i") AS "_l" ON ('true') LIMIT 6) AS "_root"$$);
SELECT pg_temp.test('*json_agg_build_array *jsonb_agg[]', $$SELECT jsonb_agg(d), json_agg(e) FROM (SELECT
	jsonb_build_object('a', a) AS d, json_build_array(a, b) AS e FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d) FROM (SELECT DISTINCT ON (a)
	jsonb_build_object('a', a, 'b', b) AS d, a FROM t ORDER BY a, n) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object('a', a, 'n',
	count(*)) AS d FROM t GROUP BY a ORDER BY count(*) DESC, a) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object('n', count(*),
	's', sum(a)) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(o) FROM (SELECT o FROM objects ORDER BY a, b) s$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(r) FROM (SELECT t AS r FROM t OFFSET 0) s$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(r) FROM (SELECT ROW(a, b) AS r FROM t OFFSET 0) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d ORDER BY u.id, n) FROM u JOIN (SELECT
	jsonb_build_object('a', a) AS d, a, n FROM t) s USING (a) WHERE u.id > 0$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d ORDER BY id, g) FROM generate_series(1, 2) g,
	LATERAL (SELECT jsonb_build_object('x', g, 'id', id) AS d, id FROM u) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT x, (SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object('x', x,
	'a', a) AS d FROM t ORDER BY a, n LIMIT 2) s) FROM generate_series(1, 3) x$$);
SELECT pg_temp.test('*jsonb_agg[]', $$WITH c AS (SELECT jsonb_agg(d) AS x FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t ORDER BY a) s) SELECT * FROM c$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object('a', a) ||
	jsonb_build_object('c', a) AS d FROM t FOR UPDATE) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object('a', a, 'r',
	row_number() OVER (ORDER BY a, n)) AS d FROM t) s$$);

-- Entries that somebody else wants, too
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d), count(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d), jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t) s WHERE d <> '{}'$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t) s HAVING count(d) > 0$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FILTER (WHERE d <> '{}') FROM
	(SELECT jsonb_build_object('a', a) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d ORDER BY d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_build_object jsonb_agg', $$SELECT jsonb_agg(DISTINCT d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t ORDER BY d) s$$);
SELECT pg_temp.test('*jsonb_agg jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t ORDER BY jsonb_build_object('a', a)) s$$);
SELECT pg_temp.test('*jsonb_agg jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT DISTINCT
	jsonb_build_object('a', a) AS d FROM t ORDER BY 1) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT d, jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t) s GROUP BY d ORDER BY d$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(s.d), json_agg(s) FROM
	(SELECT jsonb_build_object('a', a) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object json_agg', $$SELECT jsonb_agg(s.d), (SELECT
	json_agg(s.d) FROM u LIMIT 1) FROM (SELECT jsonb_build_object('a', a) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(s.d) FROM (SELECT
	jsonb_build_object('a', id) AS d FROM u) s, LATERAL (SELECT s.d) l$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(j.d) FROM (u JOIN (SELECT jsonb_build_object('a', a)
	AS d, a FROM t) s USING (a)) j$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(s.d), json_agg(j) FROM
	u JOIN (SELECT jsonb_build_object('a', a) AS d, a FROM t) s USING (a), LATERAL (SELECT s.*) j$$);

-- Entries that cannot give way
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t UNION ALL SELECT '{"x":1}') s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', generate_series(1, 2)) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d, generate_series(1, 2) FROM t) s$$);
SELECT pg_temp.test('*json_agg *json_build_array', $$SELECT json_agg(d) FROM (SELECT
	json_build_array(random() < 2) AS d FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM u LEFT JOIN (SELECT
	jsonb_build_object('a', a) AS d, a FROM t) s USING (a)$$);
-- A row below an outer join: the function of its values would be computed for rows that are joined to nothing.
CREATE TYPE fussy AS ENUM ('good', 'bad');
CREATE FUNCTION pg_temp.fuss(fussy) RETURNS json IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
	IF $1 = 'bad' THEN RAISE 'bad'; END IF; RETURN to_json($1::text); END $$;
CREATE CAST (fussy AS json) WITH FUNCTION pg_temp.fuss(fussy);
CREATE TABLE fusses AS SELECT i AS a, CASE WHEN i > 2 AND i < 9 THEN 'bad' ELSE 'good' END::fussy AS x
FROM generate_series(1, 9) i;
SELECT pg_temp.test(functions, 'SELECT u.id, x.j FROM u ' || join_) FROM (VALUES
	('*row_to_json', 'LEFT JOIN (SELECT a, row_to_json(f) j FROM fusses f) x USING (a)'),
	('*to_jsonb', 'LEFT JOIN (SELECT a, to_jsonb(f) j FROM fusses f) x USING (a)'),
	('*row_to_json', 'LEFT JOIN (SELECT * FROM (SELECT a, row_to_json(f) j FROM fusses f) y) x USING (a)'),
	('*row_to_json', 'LEFT JOIN (SELECT r.a, row_to_json(r) j FROM (SELECT a, min(x) x FROM fusses
		GROUP BY a) r) x USING (a)'),
	('*row_to_json', 'JOIN (SELECT p.id, x.j FROM u p LEFT JOIN (SELECT a, row_to_json(f) j FROM fusses f) x USING (a)) x
		USING (id)'),
	-- ... as where PostgreSQL takes it apart itself, or there is nothing that is joined to nothing
	('*row_to_json[]', 'JOIN (SELECT a, row_to_json(t) j FROM t) x USING (a)'),
	('*row_to_json[]', 'LEFT JOIN (SELECT r.a, row_to_json(r) j FROM (SELECT a, b FROM t) r) x USING (a)'),
	('*row_to_json[]', 'LEFT JOIN LATERAL (SELECT row_to_json(t) j FROM t WHERE t.a = u.a LIMIT 1) x ON true'),
	('*row_to_json[]', 'LEFT JOIN LATERAL (SELECT row_to_json(r) j FROM (SELECT a, b FROM t WHERE t.a = u.a
		LIMIT 1) r) x ON true')) q(functions, join_);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$WITH c AS MATERIALIZED (SELECT
	jsonb_build_object('a', a) AS d FROM t) SELECT jsonb_agg(d) FROM c$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a + 1) AS d FROM t GROUP BY a + 1 ORDER BY a + 1) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('r', ROW(a, b)) AS d FROM t GROUP BY ROW(a, b) ORDER BY ROW(a, b)) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('t', t) AS d FROM t GROUP BY t.* ORDER BY t.*) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t GROUP BY ROLLUP (a) ORDER BY a) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT
	json_build_object('a', a)::jsonb AS d FROM t GROUP BY a ORDER BY a) s$$);
SELECT pg_temp.test('*json_agg *jsonb_build_object', $$SELECT json_agg(d) FROM (SELECT
	jsonb_build_object('a', a) AS d FROM t ORDER BY a) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(o) FROM barrier$$);

-- Objects joined, 1e
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(jsonb_build_object('a', a) || jsonb_build_object('b',
	b, 'a', n) || to_jsonb(t)) FROM t$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_agg[]', $$SELECT jsonb_agg(r ORDER BY r2) FROM (SELECT to_jsonb(t) ||
	jsonb_build_object('more', (SELECT jsonb_agg(u.id) FROM u WHERE u.a = t.a)) AS r, n AS r2 FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_array *jsonb_build_object', $$SELECT
	jsonb_agg(jsonb_build_object('a', a) || jsonb_build_array(1)) FROM t$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(jsonb_build_object('a', a) || y) FROM u$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(jsonb_build_object('a', y) || jsonb_build_object('x',
	x)) FROM u$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(jsonb_build_object('a', x) ||
	jsonb_build_object('x', y)) FROM u WHERE id < 3$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(jsonb_build_object('a', x) ||
	jsonb_build_object('x', 1 / (id - 3))) FROM u$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object *to_jsonb', $$SELECT jsonb_agg(to_jsonb(u) ||
	jsonb_build_object('x', y)) FROM t LEFT JOIN u USING (a)$$);

-- Text that is parsed again, 2
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_agg(t)::jsonb FROM t WHERE b NOT LIKE '%u0000%'$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_agg(t)::jsonb FROM t$$);
-- What is wanted as text, too, is computed once.
SELECT pg_temp.test('*json_agg[]', 'SELECT ' || query) FROM unnest(ARRAY[
	'json_agg(t)::jsonb FROM t HAVING json_array_length(json_agg(t)) > 1',
	'json_agg(t)::jsonb FROM t HAVING json_agg(t)::jsonb <> ''[]''',
	'coalesce(json_agg(t), ''[]'')::jsonb FROM t HAVING json_agg(t)::text <> ''''',
	'json_agg(t)::jsonb, json_agg(t) ->> 0 FROM t', 'json_agg(t)::text, json_agg(t)::jsonb FROM t',
	'a, json_agg(t)::jsonb FROM t GROUP BY ROLLUP (a) HAVING json_array_length(json_agg(t)) > 0 ORDER BY 1']) query;
SELECT pg_temp.test('*json_agg *jsonb_agg[]',
	$$SELECT json_agg(t)::jsonb FROM t HAVING json_array_length(json_agg(a)) > 1$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_agg(t)::jsonb, coalesce(json_agg(t), '[]')::jsonb FROM t$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(u)::jsonb FROM u$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_agg(u)::jsonb FROM (SELECT id, y FROM u) u$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_agg[] *to_jsonb', $$SELECT json_agg(row_to_json(t))::jsonb,
	json_agg(to_json(t.a))::jsonb FROM t$$);
SELECT pg_temp.test('*jsonb_build_array *jsonb_build_object *to_jsonb *to_jsonb[]', $$SELECT
	row_to_json(t)::jsonb, to_json(t)::jsonb, to_json(a)::jsonb, json_build_object('a', a, 't', t)::jsonb,
	json_build_array('a', b, ROW(a))::jsonb FROM t$$);
SELECT pg_temp.test('*json_build_object', $$SELECT json_build_object('a', a, b, n)::jsonb FROM t WHERE b IS
	NOT NULL$$);
SELECT pg_temp.test('*json_build_object', $$SELECT json_build_object(b, n)::jsonb FROM t$$);
SELECT pg_temp.test('*json_build_object', $$SELECT json_build_object('a', x)::jsonb FROM u$$);
SELECT pg_temp.test('*json_build_object', $$SELECT json_build_object('a', 1 / (id - 3), 'x', x)::jsonb FROM u$$);
SELECT pg_temp.test('*jsonb_build_array *jsonb_build_object', $$SELECT json_build_object('y', y, 'z',
	json_build_array(id))::jsonb FROM u$$);
SELECT pg_temp.test('*json_build_array', $$SELECT json_build_array(x::json_domain)::jsonb FROM u WHERE id < 3$$);
SELECT pg_temp.test('*json_build_array *jsonb_build_array', $$SELECT json_build_array(ROW(id,
	x)::cj)::jsonb, json_build_array(ROW(id, id)::ct)::jsonb FROM u WHERE id < 3$$);
SELECT pg_temp.test('*json_build_array *jsonb_build_array', $$SELECT json_build_array(ARRAY[x])::jsonb,
	json_build_array(ARRAY[y])::jsonb FROM u WHERE id < 3$$);
SELECT pg_temp.test('*jsonb_build_array', $$SELECT json_build_array('fine'::mood, ARRAY['bad'::mood],
	int4range(1, 2), '\x00'::bytea)::jsonb$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT coalesce(json_agg(t), '[]')::jsonb FROM t WHERE false$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT coalesce(json_agg(t), '[ ]')::jsonb, coalesce(json_agg(t),
	'"\u0000"')::jsonb FROM t WHERE a > 1$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT coalesce(json_agg(json_build_object('k', a, 'k', b)),
	'[]')::jsonb FROM t$$);
SELECT pg_temp.test('*jsonb_agg[] *jsonb_agg_build_array *to_jsonb', $$SELECT jsonb_agg(row_to_json(t)),
	jsonb_agg(json_build_object('a', a)), jsonb_agg(json_build_array(a, to_json(b))) FROM t$$);
SELECT pg_temp.test('*json_agg[] *json_build_array', $$SELECT json_agg(z)::jsonb FROM (SELECT a,
	json_build_array(a) AS j FROM t) z$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_agg(z)::jsonb FROM (SELECT a, ROW(a, b)::ct AS j FROM t) z$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(z)::jsonb FROM (SELECT a, ROW(a, NULL)::cj AS j FROM t) z$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(z)::jsonb FROM (SELECT a, ROW(a, b) AS j FROM t) z$$);
SELECT pg_temp.test('*jsonb_agg *to_jsonb', $$SELECT json_agg(s)::jsonb, json_agg(row_to_json(s.*))::jsonb
	FROM t LEFT JOIN (SELECT id, a, y FROM u) s USING (a)$$);
SELECT pg_temp.test('*jsonb_agg', $$SELECT json_agg(b)::jsonb, json_agg(id ORDER BY id
	DESC)::jsonb, json_agg(y ORDER BY id)::jsonb FROM t, (SELECT id, y FROM u) u$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(x ORDER BY id)::jsonb FROM u WHERE id < 3$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_agg(ROW(a, b))::jsonb FROM t$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg('x'::"char")::jsonb FROM t$$);
SELECT pg_temp.test('row_to_json', $$SELECT row_to_json(t)::jsonb FROM t ORDER BY row_to_json(t)::jsonb$$);
SELECT pg_temp.test('row_to_json', $$SELECT row_to_json(t)::jsonb FROM t GROUP BY t.*, row_to_json(t)::jsonb
	ORDER BY 1$$);
SELECT pg_temp.test('*json_agg *jsonb_agg', $$SELECT json_agg(a)::jsonb::text, json_agg(n)::text::jsonb FROM t$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[] *to_jsonb_text', $$SELECT coalesce(json_agg(_p), '[]') FROM (SELECT
	t.a, coalesce(r.r, '[]') AS rs, row_to_json(o.*)::jsonb AS o FROM t LEFT JOIN LATERAL (SELECT
	json_agg(r)::jsonb AS r FROM (SELECT u.id, u.y FROM u WHERE u.a = t.a) AS r) AS r ON true LEFT JOIN LATERAL
	(SELECT u.id FROM u WHERE u.a = t.a) o ON true ORDER BY t.a, t.n LIMIT 10) _p$$);

-- jsonb that is only embedded in JSON text, as text: wherever its column goes,
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[]', format($$SELECT json_agg(p) FROM (SELECT t.a, %s AS d FROM t
	LEFT JOIN LATERAL (SELECT jsonb_agg(s) AS r FROM (SELECT id, u.a, y FROM u WHERE u.a >= t.a) s) s ON true) p$$,
	value))
FROM unnest(ARRAY['r', 'coalesce(r, ''[]'')', 'coalesce(NULL, r, ''{"b":1, "a":[1.0]}'')', 'coalesce(r,
	coalesce(r, NULL))']) value;
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[]', $$WITH c AS (SELECT a, jsonb_agg(s) AS r FROM (SELECT a, n, f
	FROM t) s GROUP BY a), d AS MATERIALIZED (SELECT a, coalesce(r, '[]') AS r FROM c ORDER BY a), e AS (SELECT * FROM d)
	SELECT json_agg(x), count(x), json_agg(y) FROM (SELECT * FROM e) x, d y$$);
SELECT pg_temp.test('*json_build_array *json_build_object *jsonb_agg_text *row_to_json[] *to_jsonb_text',
	$$SELECT json_build_object('r', r, 'o', o), json_build_array(r, 1, o), row_to_json((SELECT e FROM (SELECT r, o) e))
	FROM (SELECT jsonb_agg(a) AS r, to_jsonb(ROW(b, f)) AS o FROM t GROUP BY b, f) s$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[]', $$SELECT json_agg(p) FROM (SELECT t.a, s.r FROM t JOIN LATERAL
	(SELECT jsonb_agg(s) AS r FROM (SELECT id FROM u WHERE u.a = t.a) s) s ON s.r IS NOT NULL WHERE s.r IS NOT NULL)
	p$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[]', $$SELECT json_agg(j) FROM ((SELECT jsonb_agg(t) AS r FROM t) a
	LEFT JOIN (SELECT jsonb_agg(t) AS q, 1 AS one FROM t) b ON one = 1 CROSS JOIN (VALUES (1), (2)) v(n)) j$$);
-- within one another, and rows that are not taken apart,
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[] *to_jsonb_text *to_jsonb_text[]', $$SELECT json_agg(p) FROM
	(SELECT t.a, to_jsonb(s) AS s, to_jsonb(t) AS t FROM t LEFT JOIN (SELECT id, u.a, o.o FROM u LEFT JOIN LATERAL
	(SELECT jsonb_agg(i) AS o FROM (SELECT b, to_jsonb(b) AS d FROM t WHERE t.a = u.a) i) o ON true) s ON s.a = t.a) p$$);
SELECT pg_temp.test('*json_agg *jsonb_agg_text *to_jsonb_text', $$SELECT json_agg(d), (SELECT json_agg(r) FROM (SELECT
	jsonb_agg(w) AS r FROM wide99 w) s) FROM (SELECT to_jsonb(w) AS d FROM wide99 w) s$$);
-- names twice, of any length, with escapes; no names, nothing
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[]', $$SELECT json_agg(p) FROM (SELECT jsonb_agg(s) AS r FROM (SELECT
	a AS k, b AS "K""\\", f AS k, n AS " ", ar AS "Ä" FROM t) s) p$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text', $$SELECT json_agg(p) FROM (SELECT jsonb_agg(n) AS r FROM nothing
	n) p$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[]', $$SELECT json_agg(p) FROM (SELECT jsonb_agg(t) AS r FROM t WHERE
	false) p$$);
-- errors, and what is written in the order of the columns because it might raise one
SELECT pg_temp.test('*json_agg[] *jsonb_agg_text[]', $$SELECT json_agg(p) FROM (SELECT jsonb_agg(s) AS r FROM (SELECT
	1 / a AS bbb, sqrt(a) AS aa FROM t) s) p$$);
SELECT pg_temp.test('*json_agg[] *to_jsonb_text[]', $$SELECT json_agg(p) FROM (SELECT to_jsonb((SELECT e FROM (SELECT
	ar AS bb, ARRAY[b] AS a, (a, b)::ct AS a) e)) AS r FROM t) p$$);
-- nor where a join could be made in another way for what costs less, and read what raises an error,
SELECT pg_temp.test('*json_agg[] *jsonb_agg', $$SELECT json_agg(p) FROM (SELECT s.r, s.a FROM
	(SELECT a, jsonb_agg(x) AS r FROM
	(SELECT a, b FROM t) x GROUP BY a) s JOIN u ON jsonb_array_length(s.r) = u.id) p$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(s.j) FROM
	(SELECT a, jsonb_build_object('k', b) AS j FROM t
	WHERE 10 / a > -100 ORDER BY a) s JOIN u ON u.id = s.a$$);
-- also of what is a value of it; or where somebody stops, who reads it.
SELECT pg_temp.test('*json_build_object *jsonb_agg', $$SELECT jsonb_agg(s.j) FROM (SELECT a,
	(SELECT jsonb_agg(json_build_object('k', w.x)::jsonb) FROM
	(VALUES (t.b)) w(x)) AS j FROM t WHERE 10 / a > -100 ORDER BY a) s JOIN u ON u.id = s.a$$);
SELECT pg_temp.test('*json_build_object *jsonb_agg', $$SELECT s.j, 10 / s.a AS z FROM
	(SELECT a, jsonb_agg(json_build_object('k', b)::jsonb) AS j FROM t GROUP BY a) s
	ORDER BY s.a LIMIT 2$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT s.j, s.a AS z FROM
	(SELECT a, jsonb_agg(json_build_object('k', b)::jsonb) AS j FROM t GROUP BY a) s
	ORDER BY s.a LIMIT 2$$);
-- A subquery with LIMIT costs little: then what is computed beside it is computed before rows are sorted.
CREATE TABLE stopping AS SELECT generate_series(1, 10000) AS id;
ANALYZE stopping;
SELECT pg_temp.test('*json_build_object *jsonb_build_array', $$SELECT a,
	jsonb_build_array(10 / a, json_build_object('b', a)::jsonb,
	(SELECT x.id FROM stopping x WHERE x.id <> t.a LIMIT 1)) FROM t ORDER BY b LIMIT 5$$);
-- not if anything else looks at it,
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', format($$SELECT json_agg(p) FROM (SELECT s.r, s.a%s FROM (SELECT a,
	jsonb_agg(x) AS r FROM (SELECT a, b FROM t) x GROUP BY a) s %s) p$$, value, clause))
FROM (VALUES (', r - 0 AS e', ''), (', pg_typeof(r) AS e', ''), (', pg_column_size(r) AS e', ''), (', r = ''[]'' AS e',
	''), (', (SELECT r) AS e', ''), (', array_agg(s.r) OVER () AS e', ''), ('', 'WHERE r <> ''[]'''), ('', 'ORDER BY r'),
	('', 'GROUP BY s.r, s.a'),
	('', ', LATERAL jsonb_path_query(s.r, ''$'') q'), ('', ', LATERAL (SELECT r AS q FROM u) q'),
	(', CASE WHEN s.a > 0 THEN r END AS e', ''), (', nullif(r, ''[]'') AS e', ''),
	('', 'WHERE s::text <> '''''), ('', 'UNION SELECT NULL, 1'), ('', 'UNION ALL SELECT ''[]'', 1')) c(value, clause);
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', $$WITH c AS (SELECT jsonb_agg(t) AS r FROM t) SELECT (SELECT
	json_agg(c) FROM c), (SELECT r FROM c)$$);
SELECT pg_temp.test('*json_agg *jsonb_agg[] json_agg', $$SELECT json_agg(r ORDER BY r), json_agg(DISTINCT r) FROM
	(SELECT jsonb_agg(t) AS r FROM t) s$$);
SELECT pg_temp.test('*json_object_agg *jsonb_agg[]', $$SELECT json_object_agg('k', r) FROM (SELECT jsonb_agg(t) AS r
	FROM t) s$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(p) FROM (SELECT jsonb_agg(t) AS r FROM t) p$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT r FROM (SELECT jsonb_agg(t) AS r FROM t) p$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', $$INSERT INTO kept SELECT (SELECT json_agg(s)::text FROM (SELECT a
	FROM t) s), r FROM (SELECT jsonb_agg(t) AS r FROM t) p RETURNING *$$);
-- an aggregate that something else looks at is computed once,
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', format($$SELECT json_agg(p) FROM (SELECT jsonb_agg(t) AS r%s FROM t
	GROUP BY a %s) p$$, value, clause))
FROM (VALUES ('', 'HAVING jsonb_agg(t) IS NOT NULL'), ('', 'ORDER BY jsonb_agg(t)'), (', jsonb_agg(t) - 0 AS q', ''),
	(', coalesce(jsonb_agg(t), ''[]'') AS q', 'HAVING jsonb_agg(t) <> ''[]''')) c(value, clause);
SELECT pg_temp.test('*json_agg[] *jsonb_agg[] *jsonb_agg_text[]', $$SELECT json_agg(p) FROM (SELECT jsonb_agg(t) AS r,
	jsonb_agg(t ORDER BY n) AS q FROM t HAVING jsonb_agg(t) <> '[]') p$$);
-- nor where a type's text is another as jsonb
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', format($$SELECT json_agg(p) FROM (SELECT jsonb_agg(s) AS r FROM
	(SELECT %s AS v FROM u WHERE id < 3) s) p$$, value))
FROM unnest(ARRAY['x', 'x::json_domain', 'ARRAY[x]', '(1, x)::cj', 'ARRAY[(1, x)::cj]', '''x''::"char"',
	'id::text::marked']) value;
SELECT pg_temp.test('*json_agg[] *to_jsonb_text *to_jsonb_text[]', $$SELECT json_agg(p) FROM (SELECT to_jsonb((1,
	'q')::ct) AS r, to_jsonb(y) AS y, to_jsonb(ARRAY[y]) AS z FROM u) p$$);
SELECT pg_temp.test('*json_agg[] *to_jsonb *to_jsonb[]', $$SELECT json_agg(p) FROM (SELECT to_jsonb(c) AS r,
	to_jsonb(x) AS x FROM u, cjs() c WHERE id = 1) p$$);

-- By themselves, 3
SELECT pg_temp.test('*json_build_object *row_to_json *row_to_json[] *to_jsonb[]', $$SELECT row_to_json(t),
	to_jsonb(t), to_json(t), json_build_object('a', a), row_to_json(t, true) FROM t$$);
SELECT pg_temp.test('*jsonb_build_array *jsonb_build_object *to_json', $$SELECT jsonb_build_array(a, t,
	ARRAY[t]), jsonb_build_object(a + 3, b), to_json(ARRAY[b]) FROM t WHERE a IS NOT NULL$$);
SELECT pg_temp.test('*array_to_json', $$SELECT array_to_json(array_agg(t)), array_to_json(array_agg(a),
	true) FROM t$$);
SELECT pg_temp.test('*json_build_object', $$SELECT array_agg(json_build_object('a', a) ORDER BY a) FROM t$$);
SELECT pg_temp.test('*jsonb_build_object', $$SELECT ARRAY(SELECT jsonb_build_object('a', a) FROM t ORDER BY
	a, n)$$);
SELECT pg_temp.test(NULL, $$SELECT to_jsonb(NULL::t), row_to_json(NULL), to_json(NULL::int)$$);
SELECT pg_temp.test('*json_object_agg *jsonb_object_agg', $$SELECT json_object_agg(a, b),
	jsonb_object_agg(a, t) FROM t WHERE a IS NOT NULL$$);
SELECT pg_temp.test('*json_object_agg', $$SELECT json_object_agg(b, a) FROM t$$);
SELECT pg_temp.test('*jsonb_object_agg', $$SELECT jsonb_object_agg(b, a) FROM t$$);
SELECT pg_temp.test('*json_object_agg', $$SELECT json_object_agg(a, b ORDER BY n) FILTER (WHERE a > 0) FROM t$$);
SELECT pg_temp.test('*json_agg *jsonb_agg', $$SELECT json_agg(a), json_agg(b), jsonb_agg(ar), jsonb_agg(n),
	json_agg(t.ctid IS NULL) FROM t$$);
SELECT pg_temp.test('*json_agg *jsonb_agg', $$SELECT json_agg(x), jsonb_agg(y), jsonb_agg(x) FROM u WHERE id < 3$$);
SELECT pg_temp.test('*jsonb_agg', $$SELECT jsonb_agg(x) FROM u$$);
SELECT pg_temp.test('*to_jsonb[]', $$SELECT row_number() OVER (ORDER BY a, n), to_jsonb(t) FROM t$$);
SELECT pg_temp.test('*json_build_array *to_jsonb', $$SELECT CASE WHEN a > 1 THEN json_build_array(a) END,
	coalesce(to_jsonb(b), '[]') FROM t$$);
SELECT pg_temp.test('*json_agg[] *json_array_elements', $$SELECT json_array_elements(json_agg(t)) FROM t$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(c) FROM pg_statistic c$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', $$SELECT json_agg(c), jsonb_agg(c) FROM pg_proc c WHERE oid
	< 16384$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(c) FROM pg_type c WHERE oid < 16384$$);

-- An aggregate in HAVING is that of the select list.
SELECT pg_temp.test('*json_agg', $$SELECT id FROM u WHERE EXISTS (SELECT json_agg(a) FROM t HAVING
	json_agg(a) IS NOT NULL)$$);

-- Where they are left as they are
SELECT pg_temp.test('*to_jsonb[] to_jsonb', $$SELECT to_jsonb(t) FROM t WHERE to_jsonb(t) IS NOT NULL$$);
SELECT pg_temp.test('to_jsonb', $$SELECT j FROM (SELECT to_jsonb(a) j FROM t WHERE to_jsonb(a) = '1') s
	WHERE j <> '2'$$);
SELECT pg_temp.test('jsonb_build_array', $$SELECT u.id FROM u JOIN t ON jsonb_build_array(u.a) =
	jsonb_build_array(t.a) ORDER BY 1$$);
SELECT pg_temp.test('to_jsonb', $$SELECT a FROM t ORDER BY to_jsonb(a), n$$);
SELECT pg_temp.test('json_build_array to_jsonb', $$SELECT to_jsonb(t), json_build_array(a) FROM t ORDER BY
	to_jsonb(t)$$);
SELECT pg_temp.test('jsonb_build_object', $$SELECT jsonb_build_object('a', a), count(*) FROM t GROUP BY
	jsonb_build_object('a', a) ORDER BY 1$$);
SELECT pg_temp.test('*jsonb_build_object', $$SELECT jsonb_build_object('a', a), count(*) FROM t GROUP BY a
	ORDER BY a$$);
SELECT pg_temp.test('jsonb_build_object', $$SELECT DISTINCT jsonb_build_object('a', a) FROM t ORDER BY 1$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json(ROW(a, b)) FROM t GROUP BY ROW(a, b) ORDER BY ROW(a, b)$$);
SELECT pg_temp.test('*row_to_json', $$SELECT a, row_to_json(t) FROM t GROUP BY a, t.* ORDER BY t.*$$);
SELECT pg_temp.test('json_agg json_build_array jsonb_agg', $$SELECT json_agg(a) OVER (ORDER BY a, n),
	jsonb_agg(json_build_array(a)) OVER () FROM t$$);
SELECT pg_temp.test('*to_jsonb jsonb_agg', $$SELECT jsonb_agg(DISTINCT a), jsonb_agg(DISTINCT to_jsonb(a))
	FROM t$$);
SELECT pg_temp.test('*json_agg *json_agg[]', $$SELECT json_agg(a), json_agg(t), grouping(a) FROM t GROUP BY
	ROLLUP (a) ORDER BY a$$);
SELECT pg_temp.test('json_agg', $$SELECT (SELECT json_agg(t.b) FROM u LIMIT 1) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT (SELECT jsonb_agg(jsonb_build_object('a', t.a, 'id', u.id))
	FROM u) FROM t$$);
SELECT pg_temp.test('*json_agg_build_array json_build_array', $$SELECT json_agg(json_build_array(a) ORDER BY
	json_build_array(a)::text) FROM t$$);
SELECT pg_temp.test('*jsonb_build_array', $$SELECT jsonb_build_array(1) UNION SELECT jsonb_build_array(a)
	FROM t ORDER BY 1$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(t) FROM t TABLESAMPLE BERNOULLI (100)$$);
SELECT pg_temp.test('*json_build_object *to_jsonb[]', $$SELECT json_build_object('a', a) ->> 'a',
	max(to_jsonb(t)::text) FROM t GROUP BY a ORDER BY a$$);

-- Statements that change something
SELECT pg_temp.test('*json_agg[] *row_to_json *to_jsonb', $$INSERT INTO u (id, x) SELECT 7, json_agg(t) FROM
	t RETURNING to_jsonb(u), row_to_json(u)$$);
SELECT pg_temp.test(NULL, $$INSERT INTO u (id, y) VALUES (7, jsonb_build_array(1)), (8,
	jsonb_build_array(2)) RETURNING *$$);
SELECT pg_temp.test('*json_build_array', $$INSERT INTO u (id, a) VALUES (1, 3) ON CONFLICT (id) DO UPDATE
	SET y = jsonb_build_object('e', excluded.a, 'o', u.a, 'w', to_jsonb(excluded)) RETURNING u,
	json_build_array(u)$$);
SELECT pg_temp.test('*json_build_array *to_json *to_jsonb', $$UPDATE u SET y = to_jsonb(u), x =
	json_build_array(id, a) RETURNING *, to_json(u)$$);
SELECT pg_temp.test('*json_agg[] *jsonb_agg[]', $$UPDATE u SET (x, y) = (SELECT json_agg(t), jsonb_agg(t)
	FROM t WHERE t.a = u.a) RETURNING *$$);
SELECT pg_temp.test('*jsonb_build_object *row_to_json', $$DELETE FROM u RETURNING row_to_json(u),
	jsonb_build_object('id', id)$$);
SELECT pg_temp.test('*json_agg[] *to_jsonb[]', $$SELECT * FROM (SELECT json_agg(c) FROM (SELECT id,
	to_jsonb(u) AS j FROM u WHERE id < 3 FOR UPDATE) c) s$$);

-- A cast that a user made of a constructor
SELECT pg_temp.test('*json_agg_row_to_json[]', $$SELECT ROW(1, 'a')::ct::json, json_agg(ROW(a, b)::ct::json)
	FROM t GROUP BY a ORDER BY a$$);
SELECT pg_temp.test('*jsonb_build_array', $$SELECT json_build_array(ROW(a, b)::ct)::jsonb FROM t$$);

-- Our own aggregates
SELECT pg_temp.test('jsoncol_agg[] jsoncol_agg_json[] jsonrow_agg[] jsonrow_agg_json[]', $$SELECT
	jsonrow_agg(t), jsonrow_agg_json(t), jsoncol_agg(t), jsoncol_agg_json(t) FROM t$$);
SELECT pg_temp.test('jsonrow_objects_agg[] jsonrow_objects_agg_json[]', $$SELECT jsonrow_objects_agg(t),
	jsonrow_objects_agg_json(t ORDER BY a, n) FROM t$$);
SELECT pg_temp.test('jsoncol_agg_json[] jsonrow_agg[] jsonrow_objects_agg[]', $$SELECT jsonrow_agg(t),
	jsoncol_agg_json(t), jsonrow_objects_agg(t) FROM t WHERE false$$);
SELECT pg_temp.test('jsoncol_agg jsonrow_agg jsonrow_agg[] jsonrow_agg_json jsonrow_objects_agg_json[]', $$SELECT
	jsonrow_agg(x), jsonrow_agg_json(x), jsoncol_agg(x), jsonrow_objects_agg_json(x) FROM (SELECT a, (SELECT
	jsonrow_agg(u) FROM u WHERE u.a = t.a AND u.id < 3) AS n FROM t) x$$);
SELECT pg_temp.test('jsonrow_agg jsonrow_objects_agg', $$SELECT jsonrow_agg(u), jsonrow_objects_agg(u) FROM
	t LEFT JOIN u ON u.a = t.a AND u.id < 3$$);
SELECT pg_temp.test('jsonrow_agg', $$SELECT jsonrow_agg(x.r) FROM (SELECT t AS r FROM t OFFSET 0) x$$);
SELECT pg_temp.test('jsonrow_agg jsonrow_array_agg', $$SELECT jsonrow_agg(w), jsonrow_array_agg(w) FROM wide99 w$$);
SELECT pg_temp.test('jsonrow_agg[] jsonrow_array_agg', $$SELECT jsonrow_agg('{a}', a), jsonrow_array_agg(a,
	b) FROM t$$);
SELECT pg_temp.test('jsonrow_agg[] jsonrow_agg_json[] jsonrow_objects_agg[]', $$SELECT jsonrow_agg(x),
	jsonrow_agg_json(x), jsonrow_objects_agg(x) FROM (SELECT a, coalesce((SELECT jsonrow_agg_json(u) FROM u
	WHERE u.a = t.a AND id < 3), '[]') AS n FROM t) x$$);
SELECT pg_temp.test('jsoncol_agg', $$SELECT jsoncol_agg(x) FROM (SELECT a, ROW(a, b) AS r, ROW(1, 'x')::ct
	AS c FROM t) x WHERE false$$);
SELECT pg_temp.test('jsonrow_agg[]', $$SELECT jsonrow_agg(ROW(a, 'x', NULL)) FROM t$$);

SELECT current_setting('server_version_num')::int >= 160000 AS has_constructors,
	current_setting('server_version_num')::int >= 180000 AS has_old \gset
\if :has_constructors
SELECT pg_temp.test('*json_agg *json_agg[] *json_agg_strict *jsonb_agg_strict', $$SELECT json_arrayagg(t
	ORDER BY b), json_arrayagg(b), json_arrayagg(b NULL ON NULL), json_arrayagg(b RETURNING jsonb),
	json_arrayagg(a RETURNING text) FROM t$$);
SELECT pg_temp.test('*json_agg_build_object[] *json_agg_strict', $$SELECT json_arrayagg(json_object('a': a,
	'b': b)), json_arrayagg(json_array(a, b)), json_arrayagg(json_build_object('a', b)) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_arrayagg(json_build_object('a', b) RETURNING jsonb) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT json_arrayagg(t RETURNING jsonb) FILTER (WHERE a > 0) FROM t$$);
SELECT pg_temp.test(NULL, $$SELECT json_arrayagg(a) OVER (ORDER BY a, n) FROM t$$);
SELECT pg_temp.test('*json_object_agg', $$SELECT json_objectagg(b: a), json_objectagg(b: a WITH UNIQUE) FROM
	t WHERE b IS NOT NULL$$);
SELECT pg_temp.test('*jsonb_object_agg', $$SELECT json_objectagg(b: a RETURNING jsonb), json_objectagg(b: a
	ABSENT ON NULL) FROM t WHERE b IS NOT NULL$$);
SELECT pg_temp.test('*json_object_agg', $$SELECT json_objectagg(b: a) FROM t$$);
SELECT pg_temp.test('*json_build_array *json_build_object', $$SELECT json_object('a': a, 'b': t),
	json_array(a, b NULL ON NULL) FROM t$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(json_object((('k')::text) VALUE a, 'l' VALUE b
	RETURNING jsonb)) FROM t$$);
SELECT pg_temp.test(NULL, $$SELECT json_object(b: a), json_object('a': a ABSENT ON NULL), json_array(a, b),
	json_object('a': a WITH UNIQUE KEYS), json_object('a': a RETURNING text), json_array() FROM t
	WHERE b IS NOT NULL$$);
-- Group keys: what HAVING and window functions have of them must still be that.
SELECT pg_temp.test('*json_agg', $$SELECT count(*), json_agg(b ORDER BY b) FROM t
	GROUP BY ROLLUP (json_object('a': a RETURNING jsonb)) HAVING json_object('a': a RETURNING jsonb) IS NULL$$);
SELECT pg_temp.test('*json_agg', $$SELECT json_array(a NULL ON NULL RETURNING jsonb) AS j,
	lag(json_array(a NULL ON NULL RETURNING jsonb)) OVER (ORDER BY count(*)), count(*), json_agg(b ORDER BY b)
	FROM t GROUP BY CUBE (1, b) ORDER BY 3, 1, 2$$);
SELECT pg_temp.test('*jsonb_agg_strict', $$SELECT json_arrayagg(b)::jsonb, json_arrayagg(n RETURNING
	json)::jsonb FROM t$$);
-- The select list of a subquery may become a condition, for which there is an index.
CREATE TABLE indexed AS SELECT i AS a FROM generate_series(1, 1000) i;
CREATE INDEX ON indexed (json_object('a': a RETURNING jsonb));
ANALYZE indexed;
SELECT pg_temp.test(NULL, $$SELECT a, j FROM (SELECT a, json_object('a': a RETURNING jsonb) AS j FROM indexed) x
	WHERE j = '{"a": 7}'$$);
SET LOCAL jsonrow.accelerate = on;
SELECT matches(pg_temp.plan_of($$SELECT a, j FROM (SELECT a, json_object('a': a RETURNING jsonb) AS j FROM indexed) x
	WHERE j = '{"a": 7}'$$), 'Index Scan', 'an expression index still fits');
SET LOCAL jsonrow.accelerate = off;
\endif
\if :has_old
CREATE TABLE generated (a int, g int GENERATED ALWAYS AS (a * 10) VIRTUAL);
INSERT INTO generated VALUES (1), (NULL);
SELECT pg_temp.test('*row_to_json *to_jsonb', $$INSERT INTO u (id, a) VALUES (5, 6) RETURNING
	row_to_json(old), row_to_json(new), to_jsonb(u)$$);
SELECT pg_temp.test('*json_build_object *row_to_json *to_jsonb', $$UPDATE u SET a = 7 RETURNING
	row_to_json(old), json_build_object('o', old.a, 'n', new.a), to_jsonb(u)$$);
SELECT pg_temp.test('*row_to_json', $$DELETE FROM u RETURNING row_to_json(old), row_to_json(new)$$);
SELECT pg_temp.test('*json_agg *jsonb_agg *to_jsonb', $$SELECT json_agg(g), jsonb_agg(to_jsonb(g)) FROM
	generated g$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(x) FROM json_table('[1, 2]'::jsonb, '$[*]' COLUMNS (c
	int PATH '$', n FOR ORDINALITY)) x$$);
\endif

-- What other sessions, and other users, do to a plan that is kept
SET LOCAL jsonrow.accelerate = on;
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE rows AS SELECT json_agg(t) FROM t;
PREPARE of_function AS SELECT json_agg(f) FROM cts() f;
PREPARE of_row AS SELECT json_agg(ROW(1, 'x')::ct);
PREPARE key(text) AS SELECT jsonb_agg(jsonb_build_object($1, a)) FROM t;
CREATE FUNCTION pg_temp.prepared(statement text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.functions_of('EXECUTE ' || statement) $$;
CREATE FUNCTION pg_temp.executed(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'EXECUTE ' || statement INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN concat_ws(' ', SQLSTATE, SQLERRM);
END $$;
-- What an expression gives after some statements, which are then undone
CREATE FUNCTION pg_temp.after(expression text, VARIADIC statements text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	statement text;
	result text;
BEGIN
	FOREACH statement IN ARRAY statements LOOP
		EXECUTE statement;
	END LOOP;
	EXECUTE 'SELECT ' || expression INTO result;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = result;
EXCEPTION WHEN SQLSTATE 'TDONE' THEN
	RETURN SQLERRM;
END $$;
SELECT is(pg_temp.prepared('rows'), '*json_agg[]', 'a prepared statement');
SELECT is(pg_temp.executed('rows'), (SELECT json_agg(t)::text FROM t), 'its result');
SET LOCAL jsonrow.accelerate = off;
SELECT is(pg_temp.prepared('rows'), 'json_agg', 'the setting switched off after it was planned');
SELECT is(pg_temp.after($$pg_temp.prepared('rows')$$, 'SET LOCAL jsonrow.accelerate = on'), '*json_agg[]',
	'switched on again');
SELECT is(pg_temp.prepared('rows'), 'json_agg', 'switched on, and rolled back');
SET LOCAL jsonrow.accelerate = on;
SELECT is(pg_temp.prepared('key(''k'')'), '*jsonb_agg *jsonb_build_object', 'a key that a generic plan does not know');
SET LOCAL plan_cache_mode = force_custom_plan;
SELECT is(pg_temp.prepared('key(''k'')'), '*jsonb_agg[]', 'a key that a custom plan knows');
SELECT is(pg_temp.executed('key(''k'')'), (SELECT jsonb_agg(jsonb_build_object('k', a))::text FROM t), 'its result');
SELECT is(pg_temp.executed('key(''l'')'), (SELECT jsonb_agg(jsonb_build_object('l', a))::text FROM t), 'another key');
SELECT matches(pg_temp.executed('key(NULL)'), '^22023 argument 1: key must not be null', 'a key that is NULL');
SET LOCAL plan_cache_mode = force_generic_plan;

SELECT matches(pg_temp.after($$pg_temp.executed('rows')$$, 'ALTER TABLE t RENAME b TO renamed',
	'ALTER TABLE t ADD added int DEFAULT 5'), '"renamed":.*"added":5', 'an altered table');
SELECT is(pg_temp.executed('of_function') || pg_temp.executed('of_row'),
	'[{"p":null,"q":null}, ' || E'\n' || ' {"p":1,"q":"x"}][{"p":1,"q":"x"}]', 'rows of a composite type');
SELECT is(pg_temp.after($$pg_temp.executed('of_function') || pg_temp.executed('of_row')$$,
	'ALTER TYPE ct RENAME ATTRIBUTE q TO renamed'),
	'[{"p":null,"renamed":null}, ' || E'\n' || ' {"p":1,"renamed":"x"}][{"p":1,"renamed":"x"}]',
	'an attribute renamed after they were planned');
SELECT is(pg_temp.after($$pg_temp.executed('of_row')$$, 'ALTER TYPE ct ADD ATTRIBUTE r int'),
	'[{"p":1,"q":"x","r":null}]', 'an attribute added');

CREATE ROLE jsonrow_someone;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_someone;
GRANT SELECT ON t TO jsonrow_someone;
SELECT is(pg_temp.after($$pg_temp.functions_of('SELECT json_agg(t) FROM t') || pg_temp.executed('rows')$$,
	'SET LOCAL ROLE jsonrow_someone'), '*json_agg[]' || (SELECT json_agg(t)::text FROM t), 'another user has ours');
SELECT is(pg_temp.after($$pg_temp.prepared('rows')$$,
	'REVOKE EXECUTE ON FUNCTION pg_catalog.json_agg(anyelement) FROM PUBLIC'), 'json_agg',
	'PostgreSQL''s function revoked after it was planned');
SELECT is(pg_temp.after($$pg_temp.executed('rows')$$,
	'REVOKE EXECUTE ON FUNCTION pg_catalog.json_agg(anyelement) FROM PUBLIC', 'SET LOCAL ROLE jsonrow_someone'),
	'42501 permission denied for aggregate json_agg', 'and so it is refused');
SELECT is(pg_temp.after($$pg_temp.functions_of('SELECT json_agg(row_to_json(t)) FROM t')$$,
	'REVOKE EXECUTE ON FUNCTION pg_catalog.row_to_json(record) FROM PUBLIC'), '*json_agg row_to_json',
	'a revoked constructor stays where it is');
SELECT is(pg_temp.after($$pg_temp.functions_of('SELECT jsonb_agg(to_jsonb(t) || jsonb_build_object(''a'', 1)) FROM t')
	$$,
	'REVOKE EXECUTE ON FUNCTION pg_catalog.jsonb_concat(jsonb, jsonb) FROM PUBLIC'),
	'*jsonb_agg *jsonb_build_object *to_jsonb[]', 'a revoked operator stays where it is');
SELECT is(pg_temp.after($$pg_temp.functions_of('SELECT json_agg(a)::jsonb FROM t')$$,
	'REVOKE EXECUTE ON FUNCTION pg_catalog.jsonb_agg(anyelement) FROM PUBLIC'),
	'*json_agg', 'a cast stays if jsonb_agg is revoked');
PREPARE again AS SELECT json_agg(t) FROM t;
SELECT is(pg_temp.prepared('again'), '*json_agg[]', 'granted again');
SELECT is(pg_temp.after($$pg_temp.prepared('again')$$,
	'REVOKE EXECUTE ON FUNCTION jsonrow_core_json_agg(text[], VARIADIC "any") FROM PUBLIC'), '*json_agg',
	'ours revoked after it was planned: the next best one');
SELECT is(pg_temp.after($$pg_temp.functions_of('SELECT json_agg(t) FROM t')$$,
	'REVOKE EXECUTE ON FUNCTION jsonrow_core_json_agg(text[], VARIADIC "any") FROM PUBLIC',
	'REVOKE EXECUTE ON FUNCTION jsonrow_core_json_agg(anyelement) FROM PUBLIC'), 'json_agg',
	'the next best one revoked, too');
SELECT is(pg_temp.after($$pg_temp.functions_of('SELECT json_agg(t) FROM t')$$,
	'REVOKE EXECUTE ON FUNCTION jsonrow_core_json_agg_named_transfn(internal, text[], VARIADIC "any") FROM PUBLIC'),
	'*json_agg', 'a part of ours revoked');

-- A cast to json that comes and goes.  Its result is valid as json, but not as jsonb.  json_agg(x)::jsonb
-- parses that when all rows have come, and computing the last of them raises another error.
CREATE TYPE weather AS ENUM ('rain', 'sun');
CREATE FUNCTION as_json(weather) RETURNS json LANGUAGE sql AS $$ SELECT '"\u0000"'::json $$;
CREATE TABLE days AS SELECT i, 'sun'::weather AS w FROM generate_series(1, 3) i;
\set new_cast 'CREATE CAST (weather AS json) WITH FUNCTION as_json(weather)'
PREPARE days(int) AS SELECT (json_agg(w))::jsonb FROM days WHERE 1 / ($1 - i) IS NOT NULL;
SELECT is(pg_temp.prepared('days(4)') || pg_temp.executed('days(4)'), '*jsonb_agg["sun", "sun", "sun"]',
	'there is no cast to json yet');
SELECT is(pg_temp.after($$pg_temp.prepared('days(4)')$$, :'new_cast'),
	'*json_agg', 'a cast created after it was planned');
SELECT is(pg_temp.after(format('pg_temp.executed(%L)', call), :'new_cast'),
	pg_temp.after(format('pg_temp.executed(%L)', call), 'SET LOCAL jsonrow.accelerate = off', :'new_cast'),
	'the same error of ' || call) FROM unnest(ARRAY['days(3)', 'days(4)']) call;
SELECT is(pg_temp.after($$pg_temp.prepared('days(4)')$$, :'new_cast',
	'EXPLAIN EXECUTE days(4)', 'DROP CAST (weather AS json)'), '*jsonb_agg', 'a cast dropped after it was planned');
SELECT is(pg_temp.executed('days(4)'), '["sun", "sun", "sun"]', 'that it was created is rolled back');

-- Whose names they are does not count.
CREATE SCHEMA decoy;
CREATE FUNCTION decoy.jsonrow_core_to_jsonb(anyelement) RETURNS jsonb LANGUAGE sql AS 'SELECT ''"decoy"''::jsonb';
CREATE FUNCTION decoy.json_build_array(VARIADIC "any") RETURNS json LANGUAGE internal AS 'json_build_array';
SELECT set_config('search_path', 'decoy, pg_catalog, ' || current_setting('search_path'), true) \g /dev/null
SELECT is((SELECT to_jsonb(1)), '1', 'a function of the same name is not ours');
SELECT is(pg_temp.functions_of('SELECT json_agg(t) FROM t'), '*json_agg[]', 'another search_path');
SELECT is(pg_temp.functions_of('SELECT json_build_array(a) FROM t'), 'json_build_array',
	'a function of the same name is not PostgreSQL''s');
DROP SCHEMA decoy CASCADE;
SELECT set_config('search_path', replace(current_setting('search_path'), 'decoy, pg_catalog, ', ''), true) \g /dev/null
SELECT is(pg_temp.after('to_jsonb(a) FROM t WHERE a = 1 LIMIT 1',
	'ALTER FUNCTION jsonrow_core_to_jsonb(anyelement) RENAME TO renamed_by_somebody'), '1', 'ours renamed');

-- Views, functions, cursors
CREATE VIEW stored AS SELECT json_agg(t) AS j, row_to_json(min(t::text)::t) AS r FROM t;
SELECT unalike(pg_get_viewdef('stored'::regclass), '%jsonrow%', 'a view has the functions that were written');
SELECT is(pg_temp.functions_of('SELECT * FROM stored'), '*json_agg[] *row_to_json', 'a view runs ours');
CREATE FUNCTION in_sql() RETURNS SETOF json LANGUAGE sql AS $$
	SELECT json_agg(t) FROM t UNION ALL SELECT json_agg(u) FROM u $$;
CREATE FUNCTION in_plpgsql() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c CURSOR FOR SELECT json_build_object('a', a, 'b', b) AS o FROM t ORDER BY a, n;
	result text := json_build_array(1, 'x');
BEGIN
	FOR r IN c LOOP
		result := result || r.o || to_jsonb(r);
	END LOOP;
	RETURN result || (SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object(result, a) AS d FROM t ORDER BY n) s);
END $$;
CREATE TEMPORARY TABLE outcomes (accelerate text, outcome text);
INSERT INTO outcomes SELECT 'on', in_plpgsql() || (SELECT string_agg(f::text, ';') FROM in_sql() f);
DECLARE fetched SCROLL CURSOR FOR SELECT to_jsonb(t) FROM t ORDER BY a, n;
FETCH ABSOLUTE 3 FROM fetched \gset
SELECT is(:'to_jsonb', (SELECT to_jsonb(t)::text FROM t ORDER BY a, n OFFSET 2 LIMIT 1), 'a cursor');
SET LOCAL jsonrow.accelerate = off;
INSERT INTO outcomes SELECT 'off', in_plpgsql() || (SELECT string_agg(f::text, ';') FROM in_sql() f);
SELECT is(max(outcome), min(outcome), 'functions') FROM outcomes;
SET LOCAL jsonrow.accelerate = on;
CREATE TABLE made AS SELECT json_agg(t) AS j, jsonb_agg(t) AS b FROM t;
SELECT is(pg_typeof(j) || ' ' || pg_typeof(b), 'json jsonb', 'the types of columns') FROM made;
CREATE FUNCTION merged(accelerate text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	MERGE INTO u USING (SELECT DISTINCT ON (a) * FROM t ORDER BY a, n) t ON t.a = u.a AND u.id < 3
	WHEN MATCHED THEN UPDATE SET y = jsonb_build_object('t', t, 'a', u.a, 'u', to_jsonb(u))
	WHEN NOT MATCHED AND t.a IS NOT NULL THEN INSERT (id, y) VALUES (t.a + 20, to_jsonb(t));
	RAISE SQLSTATE 'TDONE' USING MESSAGE = (SELECT string_agg(u::text, ';' ORDER BY id) FROM u);
EXCEPTION WHEN SQLSTATE 'TDONE' THEN
	RETURN SQLERRM;
END $$;
SELECT is(merged('on'), merged('off'), 'MERGE');
CREATE FUNCTION outlives_table(accelerate text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	made text;
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	CREATE TEMPORARY TABLE short_lived (id int, j json);
	ALTER TABLE short_lived ALTER j SET STORAGE EXTERNAL;
	INSERT INTO short_lived VALUES (1, to_json(repeat('x', 10000)));
	SELECT coalesce(row_to_json(u), s.j)::text INTO made FROM short_lived s LEFT JOIN u ON u.id = s.id - 100;
	DROP TABLE short_lived;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = made;
EXCEPTION WHEN SQLSTATE 'TDONE' THEN
	RETURN SQLERRM;
END $$;
SELECT is(outlives_table('on'), outlives_table('off'), 'text of a stored json is more than a pointer to it');

-- Without the extension there is nothing to put in their places.
SELECT is(pg_temp.after($$pg_temp.prepared('again') || pg_temp.executed('again')$$,
	'DROP EXTENSION jsonrow CASCADE'), 'json_agg' || (SELECT json_agg(t)::text FROM t),
	'the extension dropped after it was planned');
SELECT is(pg_temp.after($$pg_temp.functions_of('SELECT json_agg(t) FROM t')$$, 'DROP EXTENSION jsonrow CASCADE',
	'CREATE EXTENSION jsonrow'), '*json_agg[]', 'the extension created again');
SELECT is(pg_temp.functions_of('SELECT json_agg(t) FROM t'), '*json_agg[]', 'that it was dropped is rolled back');
SELECT is(pg_temp.after($$pg_temp.prepared('again') || pg_temp.executed('again')$$, 'DROP EXTENSION jsonrow CASCADE',
	'EXECUTE again', 'CREATE EXTENSION jsonrow'), '*json_agg[]' || (SELECT json_agg(t)::text FROM t),
	'a statement planned before the extension was created');
CREATE FUNCTION in_expression() RETURNS json LANGUAGE plpgsql AS 'BEGIN RETURN to_json(1); END';
SELECT is(pg_temp.after(
	$$coalesce(pg_stat_get_xact_function_calls('jsonrow_core_to_json(anyelement)'::regprocedure), 0)$$,
	'SET LOCAL track_functions = ''all''', 'DROP EXTENSION jsonrow CASCADE', 'SELECT in_expression()',
	'CREATE EXTENSION jsonrow', 'SELECT in_expression()'), '1',
	'an expression of a function planned before the extension was created');
SELECT is(pg_temp.after('to_json(a) FROM t WHERE a = 1 LIMIT 1',
	'ALTER EXTENSION jsonrow DROP FUNCTION jsonrow_core_to_json(anyelement)'), '1', 'ours does not belong to it');

-- A table somewhere else: whoever plans that may know json_agg.
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'file_fdw') AS has_fdw \gset
\if :has_fdw
CREATE EXTENSION file_fdw;
CREATE SERVER jsonrow_elsewhere FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE elsewhere (a int) SERVER jsonrow_elsewhere OPTIONS (filename '/dev/null');
SELECT is(pg_temp.functions_of('SELECT json_agg(e) FROM elsewhere e'), 'json_agg', 'a foreign table');
SELECT is(pg_temp.functions_of('SELECT json_agg(t) FROM t WHERE EXISTS (SELECT FROM elsewhere e WHERE e.a = t.a)'),
	'json_agg', 'a foreign table in a subquery');
\else
SELECT skip('no file_fdw here', 2);
\endif

-- Whole catalogs: each type that PostgreSQL uses itself
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'),
	pg_temp.outcome(query, '{jsonrow.accelerate, off}'), 'same: ' || relname)
FROM pg_class, format('SELECT json_agg(c), jsonb_agg(c), json_agg(s), json_agg(row_to_json(c)), json_agg(c)::jsonb,
	jsonb_agg(to_jsonb(c) || jsonb_build_object(''s'', s)), jsonrow_objects_agg(c)
	FROM pg_catalog.%1$I c, LATERAL (SELECT c.*, c.tableoid) s WHERE c.ctid < ''(2,1)''', relname) query
WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r';

-- To the planner all costs the same.
CREATE FUNCTION pg_temp.cost_of(query text, setting text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('jsonrow.accelerate', setting, true);
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	RETURN plan -> 0 -> 'Plan' ->> 'Total Cost';
END $$;
CREATE TABLE costly AS SELECT i AS a, i * 2 AS b, 'c' || i AS c FROM generate_series(1, 10000) i;
ANALYZE costly;
SELECT is(pg_temp.cost_of(query, 'on'), pg_temp.cost_of(query, 'off'), 'costs the same: ' || query)
FROM unnest(ARRAY['SELECT json_agg(t) FROM costly t', 'SELECT jsonb_agg(a) FROM costly',
	'SELECT json_agg(json_build_object(''a'', a, ''c'', c)) FROM costly',
	'SELECT json_agg(json_build_array(a, c)) FROM costly', 'SELECT json_agg(row_to_json(t)) FROM costly t',
	'SELECT jsonb_agg(jsonb_build_object(''a'', a, ''c'', c)) FROM costly',
	'SELECT jsonb_agg(jsonb_build_array(a, c)) FROM costly',
	'SELECT jsonb_build_object(''a'', a), to_json(c) FROM costly',
	'SELECT b % 7, json_agg(json_build_object(''a'', a)) FROM costly GROUP BY b % 7']) query;

-- What was wrong once: errors for rows that LIMIT cuts, and other errors first
CREATE TABLE cut AS SELECT i AS id, 'x' || i AS t FROM generate_series(1, 7) i;
CREATE TABLE pieces AS SELECT i AS id, i % 7 + 1 AS cut_id FROM generate_series(1, 20) i;
SELECT pg_temp.test('*json_agg *row_to_json', $$SELECT json_agg(root) FROM (SELECT row_to_json((SELECT _e FROM
	(SELECT c.t, 1 / (c.id - 3) AS x, (SELECT array_agg(p.id) FROM pieces p WHERE p.cut_id = c.id) AS q) AS _e)) AS root,
	c.id AS o FROM cut c ORDER BY c.id LIMIT 2) AS s$$);
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object', $$SELECT jsonb_agg(d) FROM (SELECT s.d FROM (SELECT
	jsonb_build_object('t', c.t, 'x', 1 / (c.id - 3), 'q', (SELECT array_agg(p.id) FROM pieces p WHERE p.cut_id = c.id))
	AS d, c.id AS o FROM cut c ORDER BY c.id DESC) s LIMIT 3) r$$);
SELECT pg_temp.test('*jsonb_agg[]', $$SELECT jsonb_agg(d) FROM (SELECT s.d FROM (SELECT
	jsonb_build_object('t', c.t, 'q', (SELECT array_agg(p.id) FROM pieces p WHERE p.cut_id = c.id))
	AS d, c.id AS o FROM cut c ORDER BY c.id DESC) s LIMIT 3) r$$);
CREATE TABLE spoilt (id int, j json);
INSERT INTO spoilt VALUES (2, '1e200000'), (1, '"\u0000"');
SELECT pg_temp.test('*jsonb_agg *jsonb_build_object',
	$$SELECT jsonb_agg(jsonb_build_object('j', j) ORDER BY id) FROM spoilt$$);
SELECT pg_temp.test('*json_agg_build_object[]',
	$$SELECT json_agg(json_build_object('j', j) ORDER BY id) FROM spoilt$$);
-- ... rows in another order: sorted before they come, since 16
SELECT pg_temp.test(CASE WHEN :presorts THEN '*json_agg *json_build_array' ELSE '*json_agg *json_agg_build_array' END,
	$$SELECT json_agg(x),
	json_agg(json_build_array(x) ORDER BY x) FILTER (WHERE x > 2) FROM (VALUES (3), (1), (5), (2), (4)) v(x)$$);
-- ... and all columns read from an index
CREATE TABLE linked (a int, b int, PRIMARY KEY (b, a));
INSERT INTO linked SELECT i * 7 % 1000, i * 3 % 500 FROM generate_series(1, 1000) i;
ANALYZE linked;
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(linked) FROM linked$$);
CREATE TABLE linked_parent (a int, dropped int, b int);
ALTER TABLE linked_parent DROP dropped;
CREATE TABLE linked_child (c int, b int, a int);
ALTER TABLE linked_child INHERIT linked_parent;
CREATE INDEX ON linked_child (b) INCLUDE (a);
INSERT INTO linked_child SELECT 0, b, a FROM linked;
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(linked_parent) FROM linked_parent WHERE b < 9$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(linked_parent) FROM ONLY linked_parent WHERE b < 9$$);
ALTER TABLE linked_parent ADD d int;
-- ... which nobody looks at
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(linked_parent) FROM linked_parent WHERE b < 9$$);
CREATE TABLE linked_parts (a int, b int) PARTITION BY LIST (b);
SELECT format('CREATE TABLE linked_part_%s PARTITION OF linked_parts FOR VALUES IN (%1$s)', i)
FROM generate_series(1, 3) i \gexec
INSERT INTO linked_parts SELECT a, b FROM linked WHERE b BETWEEN 1 AND 3;
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(linked_parts) FROM linked_parts$$);
CREATE INDEX ON linked_part_3 (b, a);
SELECT pg_temp.test('*json_agg', $$SELECT json_agg(linked_parts) FROM linked_parts WHERE b >= 3$$);
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(linked_part_1) FROM linked_part_1$$);
-- an index has at most 32 columns
SELECT format('CREATE TABLE linked_wide (%s) PARTITION BY LIST (c1)', string_agg(format('c%s int', i), ', '))
FROM generate_series(1, 33) i \gexec
CREATE TABLE linked_wide_1 PARTITION OF linked_wide DEFAULT;
INSERT INTO linked_wide SELECT i FROM generate_series(1, 3) i;
SELECT pg_temp.test('*json_agg[]', $$SELECT json_agg(linked_wide) FROM linked_wide$$);

-- ... other numbers, where an argument's default is volatile, though the function is not
SET LOCAL numbers.last = 0;
CREATE FUNCTION pg_temp.next_number() RETURNS int LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	PERFORM set_config('numbers.last', (current_setting('numbers.last')::int + 1)::text, true);
	RETURN current_setting('numbers.last');
END $$;
CREATE FUNCTION pg_temp.numbered(int, int DEFAULT pg_temp.next_number()) RETURNS int LANGUAGE plpgsql STABLE AS
	'BEGIN RETURN $2; END';
SELECT pg_temp.test('*json_agg *json_build_object', $$SELECT json_agg(z.j), array_agg(z.k) FROM (SELECT
	json_build_object('a', pg_temp.numbered(x)) j, pg_temp.numbered(x) k FROM generate_series(1, 3) x OFFSET 0) z$$);
SELECT pg_temp.test('*row_to_json', $$SELECT row_to_json((SELECT e FROM (SELECT pg_temp.numbered(x) AS n, x) e))
	FROM (VALUES (1, 'c'), (2, 'b'), (3, 'a')) v(x, y) ORDER BY y$$);
SELECT pg_temp.test('*row_to_json[]', $$SELECT row_to_json((SELECT e FROM (SELECT pg_temp.numbered(x, 1) AS n, x) e))
	FROM (VALUES (1, 'c'), (2, 'b'), (3, 'a')) v(x, y) ORDER BY y$$);

-- ... another header of a document
SELECT pg_temp.test('jsonrow_agg jsonrow_agg[]', $$SELECT jsonrow_agg((SELECT e FROM (SELECT t.a, (SELECT coalesce(
	jsonrow_agg('{id}', u.id), '[]') FROM u WHERE u.id < t.a) AS n) e) ORDER BY a, n) FROM t$$);
SELECT pg_temp.test('jsonrow_agg', $$SELECT jsonrow_agg(x) FROM (SELECT a, jsonrow_agg('{p,q}', a, b) d FROM t
	GROUP BY a) x WHERE false$$);
SELECT pg_temp.test('jsonrow_agg', $$SELECT jsonrow_agg(o) FROM (SELECT ROW(a, b) AS o FROM t ORDER BY a LIMIT 2) s
	WHERE false$$);

-- A sort is not passed where a volatile function may change a setting for each row.
SELECT pg_temp.test('*json_agg *json_build_object', $$SELECT json_agg(json_build_object('z', set_config('timezone',
	('{Asia/Kolkata,UTC}'::text[])[a % 2 + 1], true), 'ts', timestamptz '2020-07-01 00:00+00') ORDER BY a)
	FROM t$$);
SELECT pg_temp.test('*json_agg *json_build_object', $$SELECT json_agg(x.d) FROM (
	SELECT json_build_object('ts', ts, 'n', n) d FROM (
		SELECT timestamptz '2020-07-01 00:00+00' + a * interval '1 h' AS ts, set_config('timezone',
			('{Asia/Kolkata,UTC}'::text[])[a % 2 + 1], true) AS n FROM t ORDER BY a) y
	ORDER BY n DESC, ts) x$$);

-- ... nor are values printed after it that were printed before
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{jsonrow.accelerate, off}'),
	query) FROM unnest(ARRAY[
	$$SELECT json_build_object(interval '1 day', n), set_config('intervalstyle', 'iso_8601', true)
		FROM generate_series(1, 2) n$$,
	$$SELECT jsonb_build_object(ts, n, 'k', n), set_config('timezone', 'Asia/Kolkata', true)
		FROM generate_series(1, 2) n, (VALUES (timestamptz '2020-07-01 00:00+00')) v(ts)$$,
	$$SELECT jsonb_build_object(timestamptz '2020-07-01 00:00+00', n), set_config('timezone', 'Asia/Kolkata', true)
		FROM generate_series(1, 2) n$$,
	$$SELECT json_build_object(1.50, n, 'k'::name, n, true, n, 7, n) FROM generate_series(1, 2) n$$,
	$$SELECT jsonb_agg(jsonb_build_object('i', iv) || jsonb_build_object('s',
		set_config('intervalstyle', 'iso_8601', true))) FROM (VALUES (interval '1 day')) v(iv)$$,
	$$SELECT json_agg(s.x) FROM (SELECT json_build_object('i', iv) AS x, set_config('intervalstyle',
		CASE n WHEN 1 THEN 'iso_8601' ELSE 'postgres' END, true) AS c
		FROM (VALUES (1, interval '1 day'), (2, interval '1 day')) v(n, iv)) s$$,
	$$SELECT json_agg(x) FROM (SELECT json_build_object('i', iv) AS x, n FROM (VALUES (1, interval '1 day'),
		(2, interval '1 day')) v(n, iv) OFFSET 0) s WHERE set_config('intervalstyle', 'iso_8601', true) IS NOT NULL$$])
	query;
-- Of several grouping sets, a value is made once.
CREATE SEQUENCE calls;
CREATE TYPE called AS ENUM ('x');
CREATE FUNCTION called_as_json(called) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
	RETURN to_json(nextval('calls'));
END $$;
CREATE CAST (called AS json) WITH FUNCTION called_as_json(called);
CREATE FUNCTION pg_temp.calls_of(query text, setting text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM setval('calls', 1, false), set_config('jsonrow.accelerate', setting, true);
	EXECUTE format('SELECT string_agg(q::text, '' '') FROM (%s) q', query) INTO result;
	RETURN result || ' ' || (SELECT last_value FROM calls);
END $$;
SELECT is(pg_temp.calls_of(query, 'on'), pg_temp.calls_of(query, 'off'), query) FROM unnest(ARRAY[
	$$SELECT g, json_agg(json_build_object('v', v)) FROM (VALUES (1, 'x'::called), (2, 'x'::called)) t(g, v)
		GROUP BY ROLLUP (g) ORDER BY g$$,
	$$SELECT g, jsonb_agg(to_jsonb(t)) FROM (VALUES (1, 'x'::called), (2, 'x'::called)) t(g, v)
		GROUP BY GROUPING SETS ((g), ()) ORDER BY g$$,
	$$SELECT g, json_agg(t) FROM (VALUES (1, 'x'::called), (2, 'x'::called)) t(g, v) GROUP BY CUBE (g) ORDER BY g$$])
	query;
-- Text of over 256 kB is read in pieces: the same errors, of what no key has in the end, too, and as in the whole.
SELECT is(pg_temp.outcome_with_context(query, 'on'), pg_temp.outcome_with_context(query, 'off'), query)
FROM (SELECT format('SELECT md5((%s)::text) FROM (SELECT replace(%L, ''pad'', repeat(''x'', 300000))::json
	AS d OFFSET 0) s', made, doc) FROM unnest(ARRAY['jsonb_build_object(''d'', d)', 'jsonb_build_array(d, d)',
	'SELECT x.a -> ''k'' FROM json_to_record(json_build_object(''a'', d)) AS x(a jsonb)']) made,
	unnest(ARRAY['{"a": "\u0000", "a": 1, "p": "pad"}', '{"a": 1e999999, "a": 1, "p": "pad"}',
	'{"a": 2, "a": 1, "p": "pad"}',
	'{"bb": 1e999999, "a": "\u0000", "p": "pad"}', E'{"p": "pad",\n"b": 1,\n"a": "\\u0000"}',
	E'["pad", 1,\n"\\u0000"]',
	'[["pad"], {"k": ["pad", "\ud800"], "k": 1}]', '{"p": "pad", "q": 1}']) doc) q(query);

-- A view keeps its columns where rows are locked, updated or deleted: PostgreSQL carries its whole row, as one of the
-- view's type, beside those.
CREATE TABLE film (id int PRIMARY KEY, doc json);
INSERT INTO film SELECT i FROM generate_series(1, 9) i;
CREATE TABLE scene (id int, film int, length interval);
INSERT INTO scene SELECT i, i % 7, i * interval '1 min' FROM generate_series(1, 30) i;
CREATE VIEW scenes AS SELECT film, jsonb_agg(to_jsonb(scene) ORDER BY id) AS d FROM scene GROUP BY film;
CREATE VIEW lengths AS SELECT id, film, json_build_object('l', length) AS d FROM scene ORDER BY id OFFSET 0;
CREATE VIEW plain AS SELECT id, film, json_build_object('l', length) AS d FROM scene;
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{}'), query)
FROM (VALUES
	('SELECT f.id, json_build_object(''d'', v.d) FROM film f JOIN scenes v ON v.film = f.id ORDER BY 1
		FOR UPDATE OF f'),
	('SELECT s.* FROM film f, LATERAL (SELECT json_build_object(''d'', v.d) FROM (SELECT * FROM scenes) v
		WHERE v.film = f.id) s ORDER BY s::text FOR SHARE OF f'),
	('SELECT json_agg(s.d) FROM (SELECT v.d FROM lengths v, film f WHERE f.id = v.film ORDER BY v.id
		FOR UPDATE OF f) s'),
	('SELECT json_agg(s.d ORDER BY s.id) FROM (SELECT v.id, v.d FROM plain v, film f WHERE f.id = v.film
		FOR UPDATE OF f) s'),
	('UPDATE film f SET doc = json_build_object(''d'', v.d) FROM scenes v WHERE v.film = f.id RETURNING f.id,
		f.doc::text, row_to_json(v)'),
	('WITH gone AS (DELETE FROM film f USING scenes v WHERE v.film = f.id RETURNING f.id, json_build_object(''d'', v.d))
		SELECT json_agg(g ORDER BY g.id) FROM gone g'),
	('DELETE FROM film f WHERE EXISTS (SELECT FROM scenes v WHERE v.film = f.id) RETURNING id'),
	('UPDATE film f SET doc = s.d FROM (SELECT json_agg(v.d) d, film FROM (SELECT * FROM plain ORDER BY id) v
		GROUP BY film) s WHERE s.film = f.id RETURNING id, doc::text')) q(query);

-- A join has at most 1664 columns: not all rows are taken apart.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_nestloop = off;
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{}'), 'many wide rows')
FROM (SELECT format('SELECT %s FROM wide98 w0 %s GROUP BY w0.c1', string_agg(format('json_agg(w%s)', i), ', '),
	string_agg(format('JOIN wide98 w%s ON w%1$s.c1 = w0.c1', i), ' ') FILTER (WHERE i > 0))
	FROM generate_series(0, 17) i) q(query);
SET LOCAL enable_hashjoin = on;
SET LOCAL enable_nestloop = on;

-- What costs less in our words decides neither what PostgreSQL computes before it sorts, nor which condition comes
-- first.
CREATE TABLE costs (id int, pid int, v int);
INSERT INTO costs SELECT i, i % 75, CASE WHEN i % 75 > 60 THEN 0 ELSE 2 END FROM generate_series(1, 300) i;
CREATE TABLE parents (id int);
INSERT INTO parents SELECT generate_series(1, 60);
ANALYZE costs, parents;
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{}'), query)
FROM (SELECT format(query, CASE WHEN query ~ '%s' THEN repeat('+0', n) END) FROM generate_series(0, 6, 2) n, (VALUES
	('SELECT 10 / v + length(json_build_object(''a'', id)::jsonb::text)%s FROM costs ORDER BY pid, id LIMIT 5'),
	('SELECT (10 / v)::text || json_build_object(''a'', id%s)::text FROM costs ORDER BY pid, id LIMIT 5'),
	('SELECT jsonb_build_array(row_to_json(row(id))::jsonb, 10 / v, id%s) FROM costs ORDER BY pid, id LIMIT 5'),
	('SELECT (10 / v)::text || row_to_json((SELECT r FROM (SELECT id%s) r))::text FROM costs ORDER BY pid, id LIMIT 5'),
	('SELECT pid, 10 / min(v) + length(json_agg(id)::jsonb::text)%s FROM costs GROUP BY pid ORDER BY pid + 0 LIMIT 5'),
	('SELECT (10 / v) + length(d::text)%s FROM (SELECT id, pid, v, json_build_object(''a'', id)::jsonb d FROM costs) s
		ORDER BY pid, id LIMIT 5'),
	('SELECT id FROM (SELECT id, v, json_build_object(''a'', 10 / v)::jsonb d FROM costs) s
		WHERE d ->> ''a'' <> ''x'' AND v%s > 0 ORDER BY 1'),
	('SELECT id FROM (SELECT id, v, json_build_object(''a'', 10 / v)::text d FROM costs) s
		WHERE d <> ''x'' AND v%s > 0 ORDER BY 1'),
	('SELECT id FROM (SELECT id, v, row_to_json((SELECT r FROM (SELECT 10 / v q) r))::text d FROM costs) s
		WHERE d <> ''x'' AND v%s > 0 ORDER BY 1'),
	('WITH s AS (SELECT id, v, json_build_object(''a'', 10 / v)::jsonb::text d FROM costs)
		SELECT id FROM s WHERE d <> ''x'' AND v%s > 0 ORDER BY 1'),
	('SELECT id FROM parents p WHERE 10 / json_array_length((SELECT coalesce(json_agg((SELECT r FROM (SELECT v, id) r)),
		''[]'') FROM costs WHERE pid = p.id)) >= 0 AND (SELECT count(v%s) FROM costs WHERE pid = p.id) > 0 ORDER BY 1'),
	('SELECT id FROM (SELECT id, (SELECT coalesce(jsonb_agg(jsonb_build_object(''a'', v)
		|| jsonb_build_object(''b'', id)), ''[]'') FROM costs WHERE pid = p.id) d
		FROM parents p) s WHERE 10 / jsonb_array_length(d) >= 0
		AND (SELECT count(v%s) FROM costs WHERE pid = s.id) > 0 ORDER BY 1')) q(query)) q(query);
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{}'), query)
FROM (VALUES
	('SELECT s.x FROM (SELECT id, pid, 10 / v + length(json_build_object(''a'', id)::jsonb::text)+0+0+0 x FROM costs) s
		ORDER BY pid, id LIMIT 5'),
	('SELECT id FROM parents WHERE (id || ''x'', id) IN (SELECT json_build_object(''a'', 10 / v)::jsonb::text, v+0+0+0+0
		FROM costs)'),
	('SELECT 10 / v + length((SELECT json_build_object(''a'', x)::jsonb::text FROM (VALUES (id)) v(x))) FROM costs
		ORDER BY pid, id LIMIT 5'),
	('SELECT row(10 / v+0+0, (SELECT json_build_object(''a'', x)::jsonb FROM abs(id) x)) FROM costs
		ORDER BY pid, id LIMIT 5'),
	('SELECT id FROM (SELECT id, v, json_build_object(''a'', 10 / v)::text d FROM costs ORDER BY id) s
		WHERE d <> ''x'' AND v+0+0+0 > 0 ORDER BY 1'),
	('WITH s AS (SELECT id, v, json_build_object(''a'', 10 / v)::jsonb::text j FROM costs)
		SELECT (SELECT count(*) FROM s WHERE j <> ''x'' AND v+0+0+0+0+0 > 0)'),
	('SELECT id FROM (SELECT * FROM parents p WHERE 10 / jsonb_array_length((SELECT coalesce(jsonb_agg(jsonb_build_object(
		''a'', v) || jsonb_build_object(''b'', id)), ''[]'') FROM costs WHERE pid = p.id)) >= 0) s
		WHERE (SELECT count(v+0-0) FROM costs WHERE pid = s.id) > 0 ORDER BY 1')) q(query);
-- Elsewhere it may cost less.
SELECT pg_temp.test('*jsonb_build_object', 'SELECT s.id, s.d FROM (SELECT id, v, json_build_object(''a'', v)::jsonb d
	FROM costs) s WHERE 10 / (id + 1) >= 0 AND v + 0 > 0 ORDER BY 1');
SELECT pg_temp.test('*jsonb_build_object', 'SELECT s.id, s.d FROM (SELECT id, v, json_build_object(''a'', v)::jsonb d
	FROM costs) s WHERE d <> ''1'' ORDER BY 1, v');
-- ... but not where it decides which rows are read for a LIMIT, under a condition that could fail
SELECT pg_temp.test('*json_build_object', 'SELECT s.id, s.d FROM (SELECT id, v, json_build_object(''a'', v)::jsonb d
	FROM costs) s WHERE d <> ''1'' ORDER BY 1, v LIMIT 7');
SELECT pg_temp.test('*jsonb_agg[]', 'SELECT s.id, s.d FROM (SELECT id, (SELECT json_agg(c)::jsonb FROM costs c WHERE
	pid = p.id) d FROM parents p) s WHERE 10 / id >= 0 AND id + 0 > 0 ORDER BY 1');

-- What is passed up takes the place of its constructor, and of a sort key that is the same: a sort carries
-- nothing twice.
SET LOCAL jsonrow.accelerate = on;
SELECT is(substring(pg_temp.verbose_plan_of(format('SELECT json_agg(j) FROM (SELECT json_build_object(''id'', id,
	''v'', v) AS j FROM costs ORDER BY %s LIMIT 10) x', by)) FROM 'Sort\n *Output: ([^\n]*)'), outputs, 'by ' || by)
FROM (VALUES ('v', 'costs.id, costs.v'), ('v, id DESC', 'costs.id, costs.v'), ('id', 'costs.id, costs.v'),
	('v, pid', 'costs.id, costs.v, costs.pid')) q(by, outputs);
SELECT pg_temp.test('*json_agg_build_object[]', format('SELECT json_agg(j) FROM (SELECT %s json_build_object(''id'',
	id, ''v'', v, ''again'', v) AS j FROM costs %s ORDER BY v, id LIMIT 10) x', before, after)) FROM (VALUES ('', ''),
	('DISTINCT ON (v, id)', ''), ('', 'GROUP BY v, id'), ('', 'GROUP BY id, v, pid HAVING count(*) > 0')) q(before,
	after);
SELECT pg_temp.test('*json_agg json_build_object', 'SELECT json_agg(j) FROM (SELECT json_build_object() AS j FROM costs
	ORDER BY id LIMIT 10) x');

\set at_least 1100
\ir finish.psql
ROLLBACK;
