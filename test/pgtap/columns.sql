-- Column orientation: what an aggregate meets in the executor, against the
-- row-oriented aggregates, which have tests of their own.
\ir oracle.psql

SELECT plan(71);

CREATE TABLE t AS SELECT i AS id, i % 7 AS g, CASE WHEN i % 3 > 0 THEN 'name ' || i END AS name, i * 0.5 AS x
FROM generate_series(1, 500) i;
ANALYZE t;

-- A query with AGG{values}{clauses} is run with both.
CREATE FUNCTION pg_temp.agrees(query text, description text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	oracle text := pg_temp.oracle_answer(query, 'jsonrow_to_columns(jsonrow_agg(\1) \2)', description);
BEGIN
	RETURN NEXT is(pg_temp.answer(query, '(jsoncol_agg(\1) \2)'), oracle, description);
	IF query !~ 'AGG.*AGG' THEN	-- as jsonb, a nested one would be any value
		RETURN NEXT is(pg_temp.answer(query, '(jsoncol_agg_json(\1) \2)::jsonb'), oracle, description
			|| ', JSON text');
	END IF;
END $$;

SELECT pg_temp.agrees('SELECT AGG{t}{} FROM t', 'the record form');
SELECT pg_temp.agrees('SELECT AGG{''{i,n,x}'', id, name, x}{} FROM t', 'the names form');
SELECT pg_temp.agrees('SELECT AGG{''{a,a,a}'', id, name, x}{} FROM t', 'one name for all');
SELECT pg_temp.agrees('SELECT AGG{''{i,n}'', id, name ORDER BY id DESC}{} FROM t', 'ORDER BY inside');
SELECT pg_temp.agrees('SELECT AGG{DISTINCT ''{g}'', g}{} FROM t', 'DISTINCT');
SELECT pg_temp.agrees('SELECT AGG{''{i}'', id}{FILTER (WHERE id % 3 = 0)} FROM t', 'FILTER');
SELECT pg_temp.agrees('SELECT AGG{t}{FILTER (WHERE false)} FROM t', 'FILTER that lets nothing pass');
SELECT pg_temp.agrees('SELECT g, AGG{''{i,n}'', id, name}{} FROM t GROUP BY g ORDER BY g', 'GROUP BY');
SELECT pg_temp.agrees('SELECT g, id % 2, AGG{t}{} FROM t GROUP BY GROUPING SETS ((g), (id % 2), ()) ORDER BY 1, 2',
	'GROUPING SETS');
SELECT pg_temp.agrees('SELECT id, AGG{t}{OVER (PARTITION BY g ORDER BY id)} FROM t', 'OVER, growing');
SELECT pg_temp.agrees('SELECT id, AGG{''{i,n}'', id, name}{OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 3 '
	'FOLLOWING)} FROM t', 'OVER, moving');
SELECT pg_temp.agrees('SELECT id, AGG{''{i,n}'', id, repeat(name, 200)}{OVER (ORDER BY id ROWS BETWEEN 20 '
	'PRECEDING AND CURRENT ROW)} FROM t WHERE id < 60', 'OVER, documents too large to be copied lightly');
SELECT pg_temp.agrees('SELECT id, (SELECT AGG{i}{} FROM t i WHERE i.g = t.g AND i.id < t.id + 20) FROM t',
	'correlated');
SELECT pg_temp.agrees('SELECT AGG{s}{} FROM (SELECT id, (SELECT AGG{i}{} FROM t i WHERE i.id < t.id % 4) AS d FROM '
	't) s', 'nested in itself');
SELECT is(count(DISTINCT doc::text)::int, 7, 'a rescanned hash table')
FROM (SELECT 1 FROM generate_series(1, 3)) a, LATERAL (SELECT g, jsoncol_agg('{i,n}', id, repeat(name, 100)) AS doc
	FROM t GROUP BY g OFFSET 0) b;

-- records that are NULL, first, last or all; rows of no columns
CREATE TYPE pair AS (id int, name text);
CREATE VIEW some_null AS SELECT CASE WHEN i = 2 THEN ROW(1, 'x')::pair END AS r FROM generate_series(1, 3) i;
SELECT is(jsoncol_agg(r)::text, '{"cols": ["id", "name"], "vals": [[null, 1, null], [null, "x", null]]}',
	'NULL records') FROM some_null;
SELECT is(jsoncol_agg_json(r)::text, '{"cols":["id","name"],"vals":[[null,1,null],[null,"x",null]]}',
	'NULL records, as JSON text') FROM some_null;
SELECT is(jsoncol_agg(NULL::t)::text, '{"cols": ["id", "g", "name", "x"], "vals": [[null, null], [null, null], '
	'[null, null], [null, null]]}', 'none but NULL records') FROM generate_series(1, 2);
SELECT is(jsoncol_agg_json(NULL::t)::text, '{"cols":["id","g","name","x"],"vals":[[null,null],[null,null],[null,'
	'null],[null,null]]}', 'none but NULL records, as JSON text') FROM generate_series(1, 2);
CREATE TABLE zero ();
INSERT INTO zero DEFAULT VALUES;
SELECT is(jsoncol_agg(zero)::text, '{"cols": [], "vals": []}', 'no columns') FROM zero;

-- parallel: the plan, and the answer
CREATE TABLE p AS SELECT i AS id, i % 10 AS g, CASE WHEN i % 3 > 0 THEN 'text ' || i END AS name,
	(CASE WHEN i % 4 = 0 THEN '{"cols":["n"],"vals":[[1]]}' END)::jsonrow AS doc
FROM generate_series(1, 30000) i;
ANALYZE p;
\ir parallel.psql
SELECT matches(pg_temp.plan_of('SELECT jsoncol_agg(p) FROM p'), 'Finalize Aggregate.*Gather.*Partial Aggregate',
	'a parallel plan');
CREATE TABLE parallel AS
SELECT jsoncol_agg(p)::jsonb AS a, jsoncol_agg_json(p)::jsonb AS b, jsoncol_agg('{id,n,d}', id, name, doc)::jsonb AS c,
	   jsoncol_agg(p) FILTER (WHERE id = 17)::jsonb AS d, jsoncol_agg(p) FILTER (WHERE false)::jsonb AS e,
	   jsoncol_agg(CASE WHEN id = 20000 THEN p END)::jsonb AS f, jsoncol_agg_json(CASE WHEN id = 20000
		THEN p END)::jsonb AS g FROM p;
CREATE TABLE parallel_groups AS SELECT g, jsoncol_agg(p)::jsonb AS a, jsoncol_agg_json(p)::jsonb AS b
FROM p GROUP BY g;
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT ok(pg_temp.is_canonical(a) AND pg_temp.is_canonical(c) AND pg_temp.is_canonical(f),
	'the combined document is as PostgreSQL builds it') FROM parallel;
SELECT is(pg_temp.sorted(a), (SELECT pg_temp.sorted(jsonrow_agg(p)) FROM p), 'parallel = serial') FROM parallel;
SELECT is(pg_temp.sorted(b), pg_temp.sorted(a), 'parallel = serial, JSON text') FROM parallel;
SELECT is(pg_temp.sorted(c), (SELECT pg_temp.sorted(jsonrow_agg('{id,n,d}', id, name, doc)) FROM p),
	'parallel = serial, names form') FROM parallel;
SELECT is(d, (SELECT jsoncol_agg(p) FROM p WHERE id = 17)::jsonb, 'parallel = serial, one row') FROM parallel;
SELECT is(e::text, '{"cols": ["id", "g", "name", {"doc": [[]]}], "vals": [[], [], [], []]}',
	'parallel = serial, no row')
FROM parallel;
SELECT is(pg_temp.sorted(f), (SELECT pg_temp.sorted(jsoncol_agg(CASE WHEN id = 20000 THEN p END)) FROM p),
	'parallel = serial, mostly NULL records') FROM parallel;
SELECT is(pg_temp.sorted(g), pg_temp.sorted(f), 'parallel = serial, mostly NULL records, JSON text') FROM parallel;
SELECT is(pg_temp.sorted(l.a), (SELECT pg_temp.sorted(jsonrow_agg(p)) FROM p WHERE g = l.g),
	'parallel = serial, group ' || g) FROM parallel_groups l;
SELECT is(pg_temp.sorted(l.b), pg_temp.sorted(l.a), 'parallel, JSON text, group ' || g) FROM parallel_groups l;
SELECT is(count(*)::int, 10, 'parallel: number of groups') FROM parallel_groups;

-- the same errors and limits
SELECT throws_ok($$SELECT jsoncol_agg('{a,b}', 1)$$, '22023',
	pg_temp.count_error(2, 1), 'more names than values');
SELECT throws_ok($$SELECT jsoncol_agg('{a,NULL}', 1, 2)$$, '22004', 'name of column 2 must not be null',
	'a NULL name');
SELECT throws_ok($$SELECT jsoncol_agg(ARRAY['g' || id], id) FROM t$$, '42804',
	'columns differ from those of earlier rows', 'names that change');
SELECT throws_ok($$SELECT jsoncol_agg('{d}', d::jsonrow)
	FROM (VALUES ('{"cols":["a"],"rows":[]}'), ('{"cols":["b"],"vals":[[]]}')) v(d)$$,
	'42804', 'columns of nested document "d" differ from those of earlier rows', 'nested documents that differ');
SELECT throws_ok($$SELECT jsoncol_agg('{i,x}', i, repeat('x', 1000000)) FROM generate_series(1, 300) i$$, '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'over 256 MB of jsonb');
SELECT throws_ok($$SELECT jsoncol_agg('{x,y,z}', repeat('x', 1000000), repeat('y', 1000000), repeat('z', 1000000))
	FROM generate_series(1, 100)$$, '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes',
	'over 256 MB of jsonb in three columns together');
SELECT is(octet_length(jsoncol_agg_json('{x,y}', repeat('x', 1000000), 1)::text),
	octet_length('{"cols":["x","y"],"vals":[[],[]]}') + 300 * 1000002 + 300 + 2 * 299, '300 MB of JSON text by column')
FROM generate_series(1, 300);
SELECT throws_ok($$SELECT jsoncol_agg_json('{x,y}', repeat('x', 1000000), repeat('y', 1000000))
	FROM generate_series(1, 550)$$, '54000', NULL, 'over 1 GB of JSON text');

SELECT * FROM finish();
ROLLBACK;
