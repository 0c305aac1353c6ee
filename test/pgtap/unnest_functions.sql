-- Functions in SQL in FROM: PostgREST's computed relationships and calls, of which PostgreSQL makes subqueries.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(222);

CREATE TABLE p (id int PRIMARY KEY, gone int, k int, name text);
INSERT INTO p SELECT i, 0, nullif(i % 9, 0), 'p' || i FROM generate_series(1, 60) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int, s text);
INSERT INTO c SELECT i, nullif(1 + i * 13 % 70, 5), i % 4, 's' || i FROM generate_series(1, 200) i;
INSERT INTO c SELECT 1000 + i, -1, 0 FROM generate_series(1, 300) i;
CREATE FUNCTION c_of(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id';
ALTER TABLE p DROP gone;
CREATE FUNCTION parent_of(c) RETURNS SETOF p STABLE ROWS 1 LANGUAGE sql AS 'SELECT * FROM p WHERE id = $1.pid';
CREATE FUNCTION of_group(n int) RETURNS SETOF p STABLE LANGUAGE sql AS 'SELECT * FROM p WHERE k = n';
CREATE FUNCTION c_of_id(int) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1';
CREATE FUNCTION in_order(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id
	ORDER BY s DESC';
CREATE FUNCTION first_of(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id
	ORDER BY id LIMIT 2';
CREATE FUNCTION pairs_of(p) RETURNS TABLE (a int, b text) STABLE LANGUAGE sql AS 'SELECT v, s FROM c WHERE pid
	= $1.id';
CREATE FUNCTION records_of(p) RETURNS SETOF record STABLE LANGUAGE sql AS 'SELECT v, s FROM c WHERE pid = $1.id';
CREATE FUNCTION numbers_of(p) RETURNS SETOF int STABLE LANGUAGE sql AS 'SELECT v FROM c WHERE pid = $1.id';
CREATE FUNCTION through(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT x.* FROM c_of($1) x WHERE x.v > 1';
CREATE FUNCTION atomic(p) RETURNS SETOF c STABLE LANGUAGE sql BEGIN ATOMIC SELECT * FROM c WHERE pid = $1.id; END;
CREATE FUNCTION nested() RETURNS TABLE (id int, a json) STABLE LANGUAGE sql AS
	'SELECT p.id, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.id) FROM p';
CREATE FUNCTION strict(p) RETURNS SETOF c STABLE STRICT LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id';
CREATE FUNCTION volatile(p) RETURNS SETOF c LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id';
CREATE FUNCTION definer(p) RETURNS SETOF c STABLE SECURITY DEFINER LANGUAGE sql AS 'SELECT * FROM c WHERE pid =
	$1.id';
CREATE FUNCTION with_setting(p) RETURNS SETOF c STABLE LANGUAGE sql SET work_mem = '1MB' AS
	'SELECT * FROM c WHERE pid = $1.id';
ANALYZE;

CREATE FUNCTION pg_temp.of(joins int, value text, VARIADIC calls text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.test(joins, format('SELECT p.id, (SELECT json_agg(%s) FROM %s) FROM p ORDER BY p.id', value, call))
	FROM unnest(calls) call $$;

-- Computed relationships, and what they are made of
SELECT pg_temp.of(1, 'r ORDER BY r.id', 'c_of(p) r', 'c_of(p.*) AS r(id, b)', 'c_of_id(p.id) r', 'c_of_id(p.k) r',
	'through(p) r',
	'atomic(p) r', 'in_order(p) r', 'first_of(p) r', 'c_of(p) r WHERE r.v > 1', 'c_of(p) r JOIN c x ON x.id = r.id',
	'ROWS FROM (c_of(p)) r');
SELECT pg_temp.of(1, 'r ORDER BY r.a, r.b', 'pairs_of(p) r', 'records_of(p) AS r(a int, b text)');
SELECT pg_temp.of(1, 'r ORDER BY r', 'numbers_of(p) r');
SELECT pg_temp.of(0, 'r ORDER BY r.id', 'strict(p) r', 'volatile(p) r', 'definer(p) r', 'with_setting(p) r',
	'c_of(p) WITH ORDINALITY r', 'ROWS FROM (c_of(p), numbers_of(p)) r', 'c_of_id((SELECT p.id)) r');
SELECT pg_temp.test(1, 'SELECT p.id, (SELECT json_agg(r.s) FROM in_order(p) r) FROM p ORDER BY p.id');
SELECT pg_temp.test(1, 'SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(x) a FROM (SELECT r.s, o.o
	FROM
	c_of(p) r LEFT JOIN LATERAL (SELECT row_to_json(o) o FROM (SELECT name FROM parent_of(r)) o) o ON true
		ORDER BY r.id)
	x) x ON true ORDER BY p.id');
SELECT pg_temp.test(1, 'SELECT p.id, x.a FROM p LEFT JOIN LATERAL (SELECT json_agg(x) a FROM (SELECT s FROM
	c_of(p) ORDER BY s)
	x) x ON true ORDER BY p.name LIMIT 20');
-- A row of a function whose type has lost a column stays whole.
SELECT pg_temp.test(0, 'SELECT p.id, (SELECT json_agg(json_build_object(''s'', r.s, ''n'', (SELECT count(*)
	FROM c_of(o)))
	ORDER BY r.id) FROM c_of(p) r, parent_of(r) o) FROM p ORDER BY p.id');
-- Calls, with what is embedded
SELECT pg_temp.test(1, format('SELECT s.id, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = s.id) FROM %s s
	ORDER BY s.id', call)) FROM unnest('{of_group(3),of_group(n => 1 + 2)}'::text[]) call;
SELECT pg_temp.test(1, $$WITH pgrst_source AS (SELECT pgrst_call.* FROM of_group("n" := '3'::int) pgrst_call)
	SELECT null::bigint AS total_result_set, count(_postgrest_t) AS page_total, coalesce(json_agg(_postgrest_t),
	'[]') FROM
	(SELECT p.*, coalesce(c_1.c_1, '[]') AS c FROM pgrst_source AS p LEFT JOIN LATERAL
		(SELECT json_agg(c_1) AS c_1 FROM
	(SELECT c.s FROM c WHERE c.pid = p.id ORDER BY c.id) c_1) c_1 ON true ORDER BY p.id) _postgrest_t$$);
SELECT pg_temp.test(1, 'SELECT * FROM nested() ORDER BY id');
SELECT pg_temp.test(1, 'SELECT coalesce(json_agg(x ORDER BY x.id), ''[]'') FROM nested() x');

-- Errors are PostgreSQL's.
CREATE TABLE dropped AS SELECT * FROM c;
CREATE FUNCTION of_dropped(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM dropped WHERE pid = $1.id';
DROP TABLE dropped;
CREATE FUNCTION endless(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id';
CREATE OR REPLACE FUNCTION endless(p) RETURNS SETOF c STABLE LANGUAGE sql AS
	'SELECT * FROM c WHERE pid = $1.id UNION ALL SELECT * FROM endless($1)';
SET LOCAL max_stack_depth = '100kB';
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'error: ' || call)
FROM unnest('{of_dropped(p),endless(p),c_of_id(1 / (p.id - p.id)),c_of_id(1 / 0)}'::text[]) call,
	format('SELECT p.id, (SELECT json_agg(r.s ORDER BY r.id) FROM %s r) FROM p ORDER BY p.id', call) query;
RESET max_stack_depth;
SELECT pg_temp.test(0, 'WITH unread AS (SELECT * FROM of_dropped(NULL)) SELECT p.id, (SELECT json_agg(s ORDER
	BY id) FROM c
	WHERE pid = p.id) FROM p ORDER BY p.id');

-- What PostgreSQL finds out while it plans, or before it knows a body, it still does.
CREATE FUNCTION counted(n int) RETURNS TABLE (v int, c bigint) STABLE LANGUAGE sql AS 'SELECT 1, 1::bigint';
CREATE OR REPLACE FUNCTION counted(n int) RETURNS TABLE (v int, c bigint) STABLE LANGUAGE sql AS
	'SELECT n, CASE WHEN n > 0 THEN (SELECT sum(c) FROM counted(n - 1)) ELSE 1 END::bigint';
CREATE FUNCTION below(n int) RETURNS TABLE (v int) STABLE LANGUAGE sql AS 'SELECT 1';
CREATE OR REPLACE FUNCTION below(n int) RETURNS TABLE (v int) STABLE LANGUAGE sql AS
	'SELECT n UNION SELECT v FROM below(n - 1) WHERE n > 0';
CREATE TABLE hidden (id int);
CREATE FUNCTION of_hidden() RETURNS SETOF int STABLE LANGUAGE sql AS 'SELECT id FROM hidden';
CREATE FUNCTION locks() RETURNS SETOF p STABLE LANGUAGE sql AS 'SELECT * FROM p FOR UPDATE';
CREATE TABLE nobody (id int, k int);
CREATE FUNCTION nobodys(int) RETURNS SETOF nobody STABLE LANGUAGE sql AS 'SELECT * FROM nobody WHERE k = $1';
CREATE VIEW view_of_p AS SELECT p.id, (SELECT 1 / (p.id - p.id)) AS x FROM p;
CREATE FUNCTION c_of_view(view_of_p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id';
CREATE FUNCTION only_one(bigint) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1';
CREATE SEQUENCE numbers;
CREATE FUNCTION counts() RETURNS TABLE (id int, n bigint) STABLE LANGUAGE sql AS 'SELECT id,
	nextval(''numbers'') FROM p';
CREATE FUNCTION plain() RETURNS SETOF p VOLATILE LANGUAGE plpgsql AS 'BEGIN RETURN QUERY SELECT * FROM p; END';
CREATE TABLE groups AS SELECT * FROM p WHERE id < 4;
CREATE FUNCTION c_of_group(groups) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id';
CREATE FUNCTION totals() RETURNS TABLE (m text, n bigint) STABLE LANGUAGE sql AS
	'SELECT max(name), (SELECT count(*) FROM c_of_group(g) r) FROM groups g GROUP BY GROUPING SETS ((g), ())';
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'), query)
FROM unnest(ARRAY['SELECT * FROM counted(3)', 'SELECT * FROM below(3) ORDER BY 1',
	'SELECT coalesce(1, (SELECT count(*) FROM of_dropped(NULL)))',
	'SELECT CASE WHEN false THEN (SELECT count(*) FROM of_dropped(NULL)) END',
	'SELECT * FROM (SELECT count(*) FROM of_dropped(NULL)) s WHERE false',
	'SELECT * FROM (SELECT count(*) FROM of_dropped(NULL)) s WHERE 1 = 0',
	'SELECT count(*) FROM (SELECT id, (SELECT count(*) FROM of_dropped(p)) FROM p) s',
	'SELECT count(*) FROM p LEFT JOIN (SELECT count(*) FROM of_dropped(NULL)) s ON true',
	'SELECT * FROM (SELECT count(*) n FROM of_dropped(NULL)) s WHERE s.n = NULL',
	'SELECT n FROM (SELECT count(*) n FROM of_dropped(NULL)) s GROUP BY n HAVING false',
	'SELECT only_one((SELECT count(*) FROM of_dropped(NULL)))',
	'SELECT NULL::bigint + (SELECT count(*) FROM of_dropped(NULL))',
	'SELECT (SELECT count(*) FROM c_of_view(v)) FROM view_of_p v', 'SELECT * FROM totals() ORDER BY 1, 2',
	'SELECT max(name), (SELECT count(*) FROM c_of_group(g) r) FROM groups g GROUP BY GROUPING SETS ((g), ()) ORDER
	BY 1, 2',
	'WITH x AS (SELECT f FROM of_group(3) f) UPDATE p SET name = ''new'' FROM of_group(3) f WHERE f.id = p.id
	RETURNING p.id, f',
	'SELECT z.id, (SELECT json_agg(r.s ORDER BY r.id) FROM c_of(z) r) FROM plain() z ORDER BY 1',
	'SELECT (SELECT count(*) FROM nobodys(s.x)) FROM (SELECT (SELECT 1 / (p.id - p.id)) AS x FROM p) s',
	'SELECT p.id, f FROM p, of_group(3) f WHERE f.id = p.id FOR UPDATE OF p']) query;
SELECT ok(pg_temp.executed('WITH w AS (SELECT * FROM ' || call || ') SELECT id FROM w WHERE id = 5',
	'on')::text !~ 'CTE Scan',
	'WITH: ' || call) FROM unnest('{locks(),counts()}'::text[]) call;
-- A plan that is kept depends on the function, on who plans, and on policies.
SET LOCAL jsonrow.unnest = on;
PREPARE kept AS SELECT p.id, (SELECT json_agg(r.s ORDER BY r.id) FROM c_of(p) r) FROM p ORDER BY p.id;
SELECT pg_temp.outcome('EXECUTE kept', '{jsonrow.unnest, on}') \g /dev/null
CREATE OR REPLACE FUNCTION c_of(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id
	AND v = 1';
SELECT is(pg_temp.outcome('EXECUTE kept', '{jsonrow.unnest, on}'),
	pg_temp.outcome('EXECUTE kept', '{jsonrow.unnest, off}'), 'the function was replaced');
CREATE ROLE jsonrow_functions_reader;
CREATE ROLE jsonrow_functions_other;
GRANT SELECT ON ALL TABLES IN SCHEMA jsonrow_test TO jsonrow_functions_reader, jsonrow_functions_other;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_functions_reader, jsonrow_functions_other;
ALTER TABLE c ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON c TO jsonrow_functions_reader USING (id % 2 = 1);
CREATE POLICY even ON c TO jsonrow_functions_other USING (id % 2 = 0);
CREATE FUNCTION all_c() RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c';
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE all_rows AS SELECT * FROM all_c() ORDER BY id;
SELECT pg_temp.outcome('EXECUTE all_rows', '{jsonrow.unnest, on}') \g /dev/null
CREATE FUNCTION pg_temp.as_role(role text, query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('role', role, true);
	result := pg_temp.outcome(query, ARRAY['jsonrow.unnest', unnest]);
	PERFORM set_config('role', 'none', true);
	RETURN result;
END $$;
SELECT is(pg_temp.as_role(role, query, 'on'), pg_temp.as_role(role, query, 'off'), format('%s: %s', role, query))
FROM unnest('{jsonrow_functions_reader,jsonrow_functions_other,jsonrow_functions_reader}'::text[]) role,
	unnest(ARRAY['EXECUTE kept', 'EXECUTE all_rows', 'SELECT p.id, (SELECT json_agg(r.s ORDER BY r.id) FROM
	c_of(p) r) FROM p ORDER BY
	p.id']) query;
REVOKE EXECUTE ON FUNCTION c_of FROM PUBLIC;
SELECT is(pg_temp.as_role('jsonrow_functions_other', query, 'on'), pg_temp.as_role('jsonrow_functions_other',
	query, 'off'),
	'EXECUTE is revoked: ' || query)
FROM unnest(ARRAY['EXECUTE kept', 'SELECT p.id, (SELECT json_agg(r.s ORDER BY r.id) FROM c_of(p) r) FROM p
	ORDER BY p.id']) query;

-- The row of a function that gives the first one has the function's type, also where it is named otherwise.
CREATE FUNCTION last_of(p) RETURNS SETOF c STABLE LANGUAGE sql AS 'SELECT * FROM c WHERE pid = $1.id
	ORDER BY v DESC, id LIMIT 1';
SELECT pg_temp.test(0, format('SELECT p.id, %s FROM p LEFT JOIN LATERAL last_of(p) AS r%s ON true
	ORDER BY p.id', value, names))
FROM unnest('{row_to_json(r),pg_typeof(r),r}'::text[]) value, unnest(ARRAY['', '(i)']) names;

-- What is never planned is left to PostgreSQL: through views and WITH, under conditions, where joins are left out.
CREATE TABLE gone (id int, pid int);
CREATE FUNCTION of_gone(int) RETURNS TABLE (id int) STABLE LANGUAGE sql AS 'SELECT id FROM gone WHERE pid = $1';
CREATE FUNCTION fine(int) RETURNS TABLE (id int) STABLE LANGUAGE sql AS 'SELECT id FROM p WHERE id = $1';
CREATE VIEW v1 AS SELECT id, (SELECT count(*) FROM of_gone(p.id)) AS n FROM p;
CREATE VIEW v2 AS SELECT * FROM v1;
CREATE VIEW w1 AS SELECT p.id, s.n FROM p LEFT JOIN (SELECT count(*) AS n FROM of_gone(1)) s ON true;
DROP TABLE gone;
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'), query)
FROM unnest(ARRAY['SELECT id FROM v2 ORDER BY id', 'SELECT id FROM w1 ORDER BY id', 'SELECT id, n FROM v2 ORDER BY id',
	'WITH x AS (SELECT id, (SELECT count(*) FROM of_gone(p.id)) AS n FROM p) SELECT id FROM x ORDER BY id',
	'WITH x AS (SELECT * FROM of_gone(1)) SELECT CASE WHEN false THEN (SELECT count(*) FROM x) END FROM p',
	'SELECT CASE WHEN false THEN x.n END FROM (SELECT (SELECT count(*) FROM of_gone(p.id)) AS n FROM p) x',
	'SELECT NULL::bigint + x.n FROM (SELECT (SELECT count(*) FROM of_gone(p.id)) AS n FROM p) x',
	'SELECT CASE WHEN false THEN x.n END FROM (SELECT (SELECT count(*) FROM fine(p.id)) + 10 / 0 AS n
		FROM p) x']) query;

SELECT * FROM finish();
ROLLBACK;
