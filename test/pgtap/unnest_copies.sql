-- What changes in a copy of a statement, for other collections that become joins, may stay: it gives the same, and
-- raises the same errors.  Nor do costs, which change a little, decide about errors.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(325);
RESET jsonrow.unnest_above_cost;

CREATE TABLE p (id int PRIMARY KEY, x int, y int);
INSERT INTO p SELECT i, i % 5, i % 7 FROM generate_series(1, 200) i;
CREATE TABLE c (id int PRIMARY KEY, pid int);
INSERT INTO c SELECT i, i % 250 FROM generate_series(1, 2000) i;
-- Only the row of which no p is has a pattern that is none.
CREATE TABLE d (id int PRIMARY KEY, pid int, v int, name text, pat text);
INSERT INTO d SELECT i, 1 + i % 20, i, 'abc', 'q%' FROM generate_series(1, 2000) i;
UPDATE d SET pat = 'ab\', pid = 0, v = 0 WHERE id = 1000;
CREATE INDEX ON d (pid);
CREATE INDEX ON d (v);
CREATE TABLE s (id int PRIMARY KEY, name text, pat text);
INSERT INTO s VALUES (1, 'a', 'q'), (2, 'b', 'q'), (3, 'c', 'q'), (1000, 'abc', 'ab\');
CREATE TABLE f (id int PRIMARY KEY, y int);
INSERT INTO f SELECT i, CASE WHEN i > 10 THEN 0 ELSE 5 END FROM generate_series(1, 5000) i;
CREATE TABLE a (fid int, v int);
INSERT INTO a SELECT 1 + i % 5, i FROM generate_series(1, 20) i;
CREATE TABLE floats (pid int, f float8);
INSERT INTO floats SELECT i % 100, f FROM generate_series(1, 5000) i, unnest('{1e20,-1e20,1}'::float8[]) f;
CREATE INDEX ON floats (pid, f);
CREATE TABLE scales (id int PRIMARY KEY, n numeric);
INSERT INTO scales VALUES (1, 7), (2, 5.00), (3, 5.0);
INSERT INTO scales SELECT i, 10 + i FROM generate_series(4, 2000) i;
CREATE INDEX ON scales (n);
CREATE TABLE big (pid int, v int, t text);
INSERT INTO big SELECT i, 1, repeat('x', 4000) FROM generate_series(1, 50) i;
CREATE TABLE empty (pid int, v int);
ANALYZE;

CREATE FUNCTION pg_temp.alike(names text, VARIADIC queries text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	query text;
	settings text;
BEGIN
	FOREACH query IN ARRAY queries LOOP
		FOREACH settings IN ARRAY ARRAY['{jsonrow.unnest, on}', '{jsonrow.accelerate, on}',
			'{jsonrow.unnest, on, jsonrow.accelerate, on}', '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 0}'] LOOP
			RETURN NEXT is(pg_temp.outcome(query, settings::text[]),
				pg_temp.outcome(query, '{jsonrow.unnest, off, jsonrow.accelerate, off}'),
				format('%s: %s %s', names, settings, left(regexp_replace(query, '\s+', ' ', 'g'), 150)));
		END LOOP;
	END LOOP;
END $$;
-- Beside a collection that becomes a join
CREATE FUNCTION pg_temp.beside(names text, VARIADIC subqueries text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.alike(names, format('SELECT p.id, (%s), (SELECT count(*) FROM c WHERE pid = p.id) FROM p ORDER BY
		p.id', subquery)) FROM unnest(subqueries) subquery $$;
CREATE FUNCTION pg_temp.apart(names text, VARIADIC subqueries text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.alike(names, format('SELECT %s, (SELECT json_agg((SELECT count(*) FROM c WHERE pid = p.id)) FROM p)
		IS NULL', subquery)) FROM unnest(subqueries) subquery $$;

SELECT pg_temp.beside('a LIMIT that keeps conditions out',
	'SELECT (SELECT json_agg(id) FROM c WHERE pid = y.id) FROM (SELECT * FROM s WHERE s.id = p.id LIMIT 1) y
		WHERE y.name NOT LIKE y.pat',
	'SELECT (SELECT json_agg(id) FROM c WHERE pid = y.id) FROM (SELECT * FROM s WHERE s.id = p.id OFFSET 0) y
		WHERE y.name NOT LIKE y.pat',
	'SELECT (SELECT json_agg(id) FROM c WHERE pid = s.id) FROM s WHERE name NOT LIKE pat AND s.id = p.id LIMIT 1');
SELECT pg_temp.beside('the first row of an index',
	'WITH w AS (SELECT * FROM d WHERE pid = p.id) SELECT min(v) FROM w WHERE name NOT LIKE pat',
	'SELECT min(v) FILTER (WHERE d.id IS NOT NULL) FROM d WHERE name NOT LIKE pat AND d.pid = p.id',
	'SELECT max(v) FILTER (WHERE d.id IS NOT NULL) FROM d WHERE name NOT LIKE pat AND d.pid = p.id');
SELECT pg_temp.apart('the first row of an index', '(SELECT min(n) FILTER (WHERE id IS NOT NULL) FROM scales)',
	'(SELECT min(v) FILTER (WHERE id IS NOT NULL) FROM d WHERE name NOT LIKE pat AND id < 900)');
SELECT pg_temp.beside('a left join that nobody needs',
	'SELECT count(*) FROM (SELECT 1) one LEFT JOIN (SELECT * FROM s WHERE s.id = p.id AND name NOT LIKE pat) x
		ON true',
	'SELECT p.id FROM (SELECT 1) one LEFT JOIN (SELECT count(*) n FROM s, a WHERE name NOT LIKE pat AND s.id > p.id) o
		ON true');
SELECT pg_temp.beside('a filter that an index finds',
	'SELECT count(*) FILTER (WHERE d.pid = p.id) FROM d WHERE name NOT LIKE pat',
	'SELECT sum(f) FILTER (WHERE floats.pid = p.id) FROM floats');
SELECT pg_temp.apart('WITH that keeps a subquery apart',
	'(SELECT json_agg(w.id) FROM a JOIN (WITH w AS (SELECT * FROM d WHERE name NOT LIKE pat) SELECT * FROM w) w
		ON w.id = a.fid)');
SELECT pg_temp.apart('WITH that keeps a subquery apart',
	'(SELECT min(w.n) FROM (WITH w AS (SELECT * FROM scales) SELECT * FROM w) w)');
SELECT pg_temp.apart('a first row that nobody needs',
	'(SELECT count(*) FROM p LEFT JOIN LATERAL (SELECT name FROM d WHERE d.v < p.id AND name NOT LIKE pat ORDER BY
		d.id LIMIT 1) q ON true)',
	'(SELECT count(*) FROM p LEFT JOIN LATERAL (SELECT name FROM d WHERE d.v < p.id ORDER BY 10 / (d.v - 3),
		d.id LIMIT
		1) q ON true)');
SELECT pg_temp.apart('conditions beside a question whether there is something',
	'(SELECT count(*) FROM f JOIN LATERAL (SELECT json_agg(v) j FROM a WHERE fid = f.id) q ON q.j IS NOT NULL
		AND 10 / f.y > 0)',
	'ARRAY(SELECT f.id FROM f JOIN LATERAL (SELECT json_agg(v) j FROM a WHERE fid = f.id) q ON q.j IS NOT NULL
		GROUP BY
		f.id, f.y HAVING 10 / f.y > 0 ORDER BY 1)');
SELECT pg_temp.beside('a subquery without FROM, by itself', 'CASE WHEN p.x > 9 THEN 10 / (SELECT coalesce(0,
		p.y)) END',
	'10 / p.x + (SELECT p.y + NULL::int)', '(SELECT ROW(p.y, 10 / p.x)) IS NULL');
SELECT pg_temp.apart('a subquery without FROM, by itself', '(SELECT json_agg(q.a) FROM (SELECT (SELECT 10 / p.x) +
	(SELECT p.y) + (SELECT p.id) a FROM p ORDER BY p.y, p.id LIMIT 3) q)');
SELECT pg_temp.alike('how a value is stored', 'SELECT p.id, pg_column_size(s.t), pg_column_compression(s.t)
		FROM p LEFT JOIN
	LATERAL (SELECT t FROM big WHERE big.pid = p.id ORDER BY v LIMIT 1) s ON true ORDER BY p.id OFFSET 0');
-- HAVING becomes WHERE.
SET LOCAL enable_hashjoin = off;
CREATE TABLE hf AS SELECT i AS id, i AS k FROM generate_series(1, 1000) i;
CREATE TABLE hg AS SELECT i AS id, CASE WHEN i > 320 THEN 0 ELSE 1 END AS y FROM generate_series(1, 1000) i;
CREATE TABLE hd (id int PRIMARY KEY, name text);
INSERT INTO hd SELECT i, 'n' || i FROM generate_series(1, 1000) i;
ANALYZE hf, hg, hd;
SELECT pg_temp.alike('HAVING', 'SELECT f.id, g.y, max(l.name) FROM hf f JOIN hg g ON g.id = f.k LEFT JOIN
		LATERAL (SELECT
	name FROM hd d WHERE d.id = f.k LIMIT 1) l ON true WHERE f.id <= 320 GROUP BY f.id, g.y HAVING 10 / g.y > -100
	ORDER BY 1');
RESET enable_hashjoin;

/*
 * What costs more than ten operators is computed after a sort, for the rows that LIMIT leaves.
 */
SELECT pg_temp.alike('a subquery of no pages',
	'SELECT p.id, json_build_object(''a'', 10 / p.x, ''c'', (SELECT json_agg(json_build_object(''v'',
		z.v))::jsonb FROM
		empty z WHERE z.pid = p.id)) FROM p WHERE id < 31 ORDER BY y, id LIMIT 3',
	'SELECT p.id, 10 / p.x + json_array_length((SELECT json_agg(row_to_json((SELECT r FROM (SELECT z.v AS a) r))) FROM
		empty z WHERE z.pid = p.id)) FROM p WHERE id < 31 ORDER BY y, id LIMIT 3',
	'SELECT p.id, 10 / p.x + json_array_length((SELECT json_agg(r.n) FROM (SELECT count(*) n FROM empty WHERE
		pid = p.id)
		r)) FROM p WHERE id < 31 ORDER BY y, id LIMIT 3');
-- Which rows are read for a LIMIT
CREATE TABLE h AS SELECT i AS id, 1 AS z, i * 7919 % 10007 AS o, repeat('x', 200) AS p FROM generate_series(1, 200) i;
UPDATE h SET z = 0 WHERE o = (SELECT max(o) FROM h);
CREATE TABLE h2 AS SELECT * FROM h;
CREATE INDEX ON h2 (o);
CREATE TABLE g AS SELECT i / 10 AS k, CASE WHEN i < 10000 THEN 1 ELSE 0 END AS z, i AS id FROM
		generate_series(1, 10000) i;
CREATE INDEX ON g (k);
ANALYZE h2, g;
SELECT pg_temp.alike('rows that are not read',
	'SELECT json_array_length(json_agg(r)) FROM (SELECT row_to_json((SELECT e FROM (SELECT h2.id AS a) e)) r
		FROM h2 WHERE
		10 / z > 0 ORDER BY o LIMIT 20) s',
	'SELECT json_array_length(json_agg(r)) FROM (SELECT json_build_object(''a'', id)::text r FROM h2 WHERE 10 /
		z > 0 ORDER
		BY o LIMIT 20) s');
SELECT pg_temp.alike('rows that are not read', format('SELECT count(j) FROM (SELECT k,
		jsonb_agg(jsonb_build_object(''a'',
	k) || jsonb_build_object(''b'', id)) j FROM g WHERE 10 / z > 0 GROUP BY k LIMIT %s) s', n))
FROM generate_series(660, 740, 5) n;

SELECT pg_temp.alike('rows that are not read', format('SELECT count(j) FROM (SELECT k, jsonb_agg((SELECT
	json_build_object(''a'', g.id)::jsonb)) j FROM g WHERE 10 / z > 0 GROUP BY k LIMIT %s) s', n))
FROM generate_series(400, 900, 50) n;
SELECT pg_temp.alike('rows that are not read', 'SELECT 10 = ANY (SELECT jsonb_array_length(j) FROM (SELECT k,
	jsonb_agg(jsonb_build_object(''a'', k) || jsonb_build_object(''b'', id)) j FROM g WHERE 10 / z > 0 GROUP BY
		k) s)');

SELECT pg_temp.alike('rows that are not read', format('SELECT count(j) FROM (SELECT j FROM (SELECT k,
	jsonb_agg(jsonb_build_object(''a'', k) || jsonb_build_object(''b'', id)) j FROM g WHERE 10 / z > 0 GROUP BY k) q
	LIMIT %s) s', n))
FROM generate_series(660, 740, 20) n;
-- Before a sort further out
SELECT pg_temp.alike('a subquery of no pages',
	'SELECT * FROM (SELECT id, y, 10 / x + json_array_length((SELECT json_agg(row_to_json((SELECT r FROM
		(SELECT z.v AS a)
		r))) FROM empty z WHERE pid = p.id)) FROM p WHERE id < 31) q ORDER BY y, id LIMIT 3',
	'WITH q AS (SELECT id, x, y, (SELECT json_agg(row_to_json((SELECT r FROM (SELECT z.v AS a) r))) FROM empty z WHERE
		pid = p.id) j FROM p WHERE id < 31) SELECT id, 10 / x + json_array_length(j) FROM q ORDER BY y, id LIMIT 3',
	'SELECT * FROM (SELECT id, y, 10 / x + json_array_length((SELECT json_agg(n) FROM (SELECT count(*) n FROM
		empty WHERE
		pid = p.id) r)) FROM p WHERE id < 31) q ORDER BY y, id LIMIT 3');
SELECT pg_temp.beside('a left join that nobody needs',
	'SELECT CASE WHEN false THEN o.n END FROM (SELECT 1) one LEFT JOIN (SELECT count(*) n FROM s, a WHERE name NOT LIKE
		pat AND s.id > p.id) o ON true',
	'SELECT coalesce(1::bigint, o.n) FROM (SELECT 1) one LEFT JOIN (SELECT count(*) n FROM s, a WHERE name NOT LIKE
		pat AND s.id > p.id) o ON true');
SELECT pg_temp.apart('WITH that keeps a subquery apart',
	'(SELECT json_agg(w.id) FROM a JOIN (WITH w AS (SELECT * FROM d) SELECT * FROM w) w ON w.id = a.fid WHERE
		w.name NOT LIKE w.pat)',
	'(SELECT max(w.v) FROM (WITH w AS (SELECT * FROM d) SELECT * FROM w) w WHERE w.name NOT LIKE w.pat)',
	'(WITH w AS (SELECT * FROM d) SELECT 1 FROM w WHERE name NOT LIKE pat HAVING max(v) > 3)');
CREATE FUNCTION f4(c bool, a text, j int) RETURNS int LANGUAGE sql STABLE AS
	'SELECT CASE WHEN c THEN j + length(a) + length(a) ELSE 0 END';
SELECT pg_temp.alike('arguments of a function', 'SELECT p.id, (SELECT count(*) FROM c WHERE pid = p.id),
		f4(p.id > 1000,
	(SELECT p.x::text || ''x''), 1 / (p.id - 1)) FROM p');

/*
 * What a function's body does with its arguments: it takes the place of a call only if they are cheap.
 */
CREATE FUNCTION f2(c bool, j json) RETURNS json LANGUAGE sql STABLE AS
	'SELECT CASE WHEN c THEN j ELSE coalesce(NULL, CASE WHEN c THEN j END) END';
CREATE FUNCTION f3(c bool, j jsonb) RETURNS jsonb LANGUAGE sql STABLE AS
	'SELECT CASE WHEN c THEN j ELSE coalesce(NULL, CASE WHEN c THEN j END) END';
SELECT pg_temp.alike('arguments of a function',
	'SELECT f2(id > 1000, row_to_json((SELECT e FROM (SELECT 1 / (p.id - 1) AS a) e))) FROM p',
	'SELECT json_agg(f2(id > 1000, row_to_json((SELECT e FROM (SELECT 1 / (p.id - 1) AS a) e)))) FROM p',
	'SELECT f2(id > 1000, j) FROM (SELECT id, row_to_json((SELECT e FROM (SELECT 1 / (p.id - 1) AS a) e)) j
		FROM p) q',
	'SELECT f3(id > 1000, (json_build_object(''a'', 1 / (id - 1), ''b'', id + 1 + 1 + 1 + 1 + 1 + 1 +
		1))::jsonb) FROM p');

/*
 * What stands in a condition, too, or in GROUP BY
 */
CREATE TYPE ct AS (a int);
CREATE TABLE x AS SELECT json_build_object('a', i) AS d FROM unnest('{1,1,2}'::int[]) i;
CREATE TABLE y AS SELECT i AS id, json_build_object('a', i % 2) AS d FROM generate_series(1, 30) i;
SELECT pg_temp.alike('a call in GROUP BY', 'SELECT (json_populate_record(NULL::ct, d)).a, count(*) FROM x GROUP
		BY ROLLUP
	((json_populate_record(NULL::ct, d)).a) HAVING (json_populate_record(NULL::ct, d)).a IS NULL AND count(*) > 0',
	'SELECT sum((json_populate_record(NULL::ct, d)).a) OVER () FROM x GROUP BY ROLLUP
		((json_populate_record(NULL::ct, d)).a)');
SELECT pg_temp.alike('a call in a condition', 'SELECT j FROM (SELECT to_json(x)::text j FROM p WHERE
		to_json(x)::text = ''1'' AND
	1 / (y - 1) > 5) s WHERE j = ''2''',
	'SELECT id FROM y WHERE (json_populate_record(NULL::ct, d)).a = 1 ORDER BY (json_populate_record(NULL::ct,
		d)).a LIMIT 5');

-- A table in parts, with more columns than an index may have
SELECT format('CREATE TABLE %s (k int, %s) PARTITION BY RANGE (k)', name, string_agg('c' || i || ' int', ', '))
FROM generate_series(1, 33) i, unnest('{pa,pb}'::text[]) name GROUP BY name \gexec
SELECT format('CREATE TABLE %1$s_%2$s PARTITION OF %1$s FOR VALUES FROM (%3$s) TO (%4$s)', name, n, n * 100, n
		* 100 + 100)
FROM unnest('{pa,pb}'::text[]) name, generate_series(0, 1) n \gexec
INSERT INTO pa (k, c1) SELECT i, i FROM generate_series(0, 199) i;
INSERT INTO pb (k, c1) SELECT i, i FROM generate_series(0, 199) i;
ANALYZE pa, pb;
SET LOCAL enable_partitionwise_join = on;
SELECT pg_temp.alike('partition by partition', 'SELECT json_agg(pa) FROM pa JOIN pb USING (k)');

-- A key that is computed while planning, by a function that the user may not call
CREATE ROLE jsonrow_copies_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_copies_reader;
GRANT SELECT ON p TO jsonrow_copies_reader;
SET LOCAL enable_partitionwise_join = off;
SAVEPOINT before;
REVOKE EXECUTE ON FUNCTION pg_catalog.textcat(text, text) FROM PUBLIC;
SET LOCAL ROLE jsonrow_copies_reader;
SELECT set_config('jsonrow.accelerate', 'on', true) \g /dev/null
SELECT set_config('test.state', 'none', false) \g /dev/null
DO $$ BEGIN
	PERFORM json_agg(json_build_object('a'||'b', id)) FROM p;
EXCEPTION WHEN insufficient_privilege THEN
	PERFORM set_config('test.state', 'not allowed', false);
END $$;
RESET ROLE;
GRANT EXECUTE ON FUNCTION pg_catalog.textcat(text, text) TO PUBLIC;
SELECT is(current_setting('test.state'), 'not allowed', 'a key that is computed while planning');

SELECT * FROM finish();
ROLLBACK;
