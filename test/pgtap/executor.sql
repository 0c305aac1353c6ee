-- What an aggregate meets in PostgreSQL's executor; always against the same
-- query with PostgreSQL's own aggregate.
\ir oracle.psql

SELECT plan(176);

CREATE TABLE t AS SELECT i AS id, i % 7 AS g, 'name ' || i AS name, CASE WHEN i % 5 > 0 THEN i * 0.5 END AS x
FROM generate_series(1, 500) i;
ANALYZE t;

-- A query with AGG{values}{options} is run with our aggregates and with
-- PostgreSQL's own.
CREATE FUNCTION pg_temp.agrees(query text, description text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	oracle text := pg_temp.oracle_answer(query, 'jsonb_agg(jsonb_build_array(\1) \2)', description);
BEGIN
	RETURN NEXT is(pg_temp.answer(query, 'jsonrow_array_agg(\1 \2)'), oracle, description);
	IF query !~ 'OVER|FILTER' THEN
		RETURN NEXT is(pg_temp.answer(query, 'jsonrow_array_agg_json(\1 \2)::jsonb'), oracle, description
			|| ', JSON text');
	END IF;
	RETURN NEXT is(pg_temp.answer(query, 'jsonrow_core_jsonb_agg_build_array(\1 \2)'), oracle, description
		|| ', as jsonb_agg over values');
	IF query !~ 'OVER|FILTER' THEN
		RETURN NEXT is(pg_temp.answer(query, 'jsonrow_core_json_agg_build_array(\1 \2)::text'),
			pg_temp.oracle_answer(query, 'json_agg(json_build_array(\1) \2)::text', description), description
			|| ', as json_agg over values');
		RETURN NEXT is(pg_temp.answer(query, 'jsonrow_core_json_agg(ROW(\1) \2)::text'),
			pg_temp.oracle_answer(query, 'json_agg(ROW(\1) \2)::text', description), description || ', as json_agg');
	END IF;
	oracle := pg_temp.oracle_answer(query, 'jsonb_agg(ROW(\1) \2)', description);
	RETURN NEXT is(pg_temp.answer(query, 'jsonrow_objects_agg(ROW(\1) \2)'), oracle, description || ', objects');
	RETURN NEXT is(pg_temp.answer(query, 'jsonrow_core_jsonb_agg(ROW(\1) \2)'), oracle, description
		|| ', as jsonb_agg');
END $$;

SELECT pg_temp.agrees('SELECT AGG{id, name, x}{} FROM t', 'all rows');
SELECT pg_temp.agrees('SELECT AGG{id, name, x}{ORDER BY id DESC} FROM t', 'ORDER BY inside');
SELECT is((SELECT jsonrow_array_agg(DISTINCT g, x) FROM t), (SELECT jsonb_agg(jsonb_build_array(g, x))
	FROM (SELECT DISTINCT g, x FROM t ORDER BY g, x) s), 'DISTINCT');
SELECT is((SELECT jsonrow_agg(DISTINCT s) FROM (SELECT g, x FROM t) s) -> 'rows',
	(SELECT jsonb_agg(jsonb_build_array(g, x)) FROM (SELECT DISTINCT g, x FROM t ORDER BY g, x) s),
	'DISTINCT records');
SELECT is((SELECT jsonrow_agg(DISTINCT '{g}', g) FROM t)::text,
	'{"cols": ["g"], "rows": [[0], [1], [2], [3], [4], [5], [6]]}', 'DISTINCT in the names form');
SELECT pg_temp.agrees('SELECT coalesce(AGG{id, name}{} FILTER (WHERE id % 3 = 0), ''[]'') FROM t', 'FILTER');
SELECT pg_temp.agrees('SELECT g, AGG{id, name}{} FROM t GROUP BY g ORDER BY g', 'GROUP BY, hashed');
SELECT pg_temp.agrees('SELECT g, id % 2, AGG{id, name}{} FROM t GROUP BY GROUPING SETS ((g), (id % 2), (g, id % '
	'2), ()) ORDER BY 1, 2, 3', 'GROUPING SETS');
SELECT pg_temp.agrees('SELECT g, AGG{id}{}, AGG{name, x}{}, count(*) FROM t GROUP BY ROLLUP (g) ORDER BY g',
	'several aggregates, ROLLUP');
SET LOCAL enable_hashagg = off;
SELECT pg_temp.agrees('SELECT g, AGG{id, name}{} FROM t GROUP BY g ORDER BY g', 'GROUP BY, sorted');
SELECT pg_temp.agrees('SELECT g, AGG{id, name}{} FROM t GROUP BY CUBE (g, x) ORDER BY g, x, 2', 'CUBE, sorted');
RESET enable_hashagg;
SELECT pg_temp.agrees('SELECT id, AGG{id, name}{} OVER (PARTITION BY g ORDER BY id) FROM t', 'OVER, growing');
SELECT pg_temp.agrees('SELECT id, AGG{id, name}{} OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 3 FOLLOWING) FROM '
	't', 'OVER, moving');
SELECT pg_temp.agrees('SELECT id, AGG{id, name}{} OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 3 FOLLOWING '
	'EXCLUDE CURRENT ROW) FROM t', 'OVER, moving, EXCLUDE');
SELECT pg_temp.agrees('SELECT id, AGG{id, repeat(name, 200)}{} OVER (ORDER BY id ROWS BETWEEN 20 PRECEDING AND '
	'CURRENT ROW) FROM t WHERE id < 60', 'OVER, documents too large to be copied lightly');
SELECT pg_temp.agrees('SELECT id, (SELECT AGG{i.id, i.name}{} FROM t i WHERE i.g = t.g AND i.id < t.id + 20) FROM '
	't', 'correlated');
SELECT pg_temp.agrees('SELECT t.id, l.doc FROM t, LATERAL (SELECT coalesce(AGG{i.id, t.name}{}, ''[]'') AS doc '
	'FROM t i WHERE i.id < t.g) l', 'LATERAL');
SELECT pg_temp.agrees('SELECT (SELECT AGG{i.id, t.id}{}) FROM t, t i WHERE t.id < 10',
	'an aggregate of the outer query');
SELECT pg_temp.agrees('SELECT AGG{id}{} FROM t HAVING count(*) > 1000', 'HAVING that nobody passes');

-- a hash table that is scanned twice finishes each state twice
SELECT is(count(DISTINCT doc::text)::int, 7, 'a rescanned hash table')
FROM (SELECT 1 FROM generate_series(1, 3)) a, LATERAL (SELECT g, jsonrow_agg('{i,n}', id, repeat(name, 100)) AS doc
	FROM t GROUP BY g OFFSET 0) b;

-- very many groups, in memory and spilled
CREATE TABLE many AS SELECT i % (100000 / :one_in) AS g, i FROM generate_series(1, 300000 / :one_in) i;
ANALYZE many;
CREATE FUNCTION pg_temp.many_groups() RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', count(*), sum((doc -> 'rows' -> 0 ->> 1)::int), sum((doc -> 'rows' -> 2 ->> 1)::int))
	FROM (SELECT g, jsonrow_agg('{g,i}', g, i ORDER BY i) AS doc FROM many GROUP BY g) s;
$$;
CREATE FUNCTION pg_temp.many_groups_hashed() RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', count(*), sum(jsonb_array_length(doc -> 'rows')),
					 (SELECT sum((r ->> 1)::bigint) FROM jsonb_array_elements(jsonb_agg(doc -> 'rows' -> 0)) r) > 0)
	FROM (SELECT g, jsonrow_agg(m) AS doc FROM many m GROUP BY g) s;
$$;
SELECT 100000 / :one_in AS n \gset
SELECT is(pg_temp.many_groups(), format('%s %s %s', n, n * (n + 1) / 2, n * (n + 1) / 2 + 2 * n * n),
	'100,000 groups, each sorted') FROM (SELECT :n::bigint AS n) s;
SELECT is(pg_temp.many_groups_hashed(), format('%s %s t', :n, 3 * :n), '100,000 groups, hashed');
SELECT set_config('work_mem', 1000 / :one_in || 'kB', true) \g /dev/null
SELECT is(pg_temp.many_groups_hashed(), format('%s %s t', :n, 3 * :n), '100,000 groups, hashed and spilled');
RESET work_mem;

-- parallel: the plan, and the answer
CREATE TYPE pair AS (x int, y text);
CREATE TABLE p AS SELECT i AS id, i % 10 AS g, CASE WHEN i % 3 > 0 THEN 'text ' || i END AS name,
	ROW(i, 'c')::pair AS pair, CASE WHEN i % 4 = 0 THEN '{"cols":["n"],"rows":[[1]]}'::jsonrow END AS doc,
	CASE WHEN i % 8 = 0 THEN '{"cols":["n"],"rows":[[1]]}'::jsonrow_json END AS json_doc
FROM generate_series(1, 30000) i;
ANALYZE p;
\ir parallel.psql
SELECT matches(pg_temp.plan_of('SELECT jsonrow_agg(p) FROM p'), 'Finalize Aggregate.*Gather.*Partial Aggregate',
	'a parallel plan');
CREATE TABLE parallel AS
SELECT jsonrow_agg(p)::jsonb AS a, jsonrow_agg_json(p)::jsonb AS b, jsonrow_agg('{id,n,p}', id, name,
	pair)::jsonb AS c,
	   jsonrow_array_agg(id, name, pair) AS d, jsonrow_agg(p) FILTER (WHERE id = 17)::jsonb AS e, jsonrow_agg(p)
		FILTER (WHERE false)::jsonb AS f FROM p;
SELECT matches(pg_temp.plan_of('SELECT g, jsonrow_agg(p) FROM p GROUP BY g'),
	'Finalize .*Aggregate.*Gather.*Partial', 'a parallel plan in groups');
CREATE TABLE parallel_groups AS SELECT g, jsonrow_agg(p)::jsonb AS a, jsonrow_agg_json(p)::jsonb AS b
FROM p GROUP BY g;
SET LOCAL max_parallel_workers_per_gather = 0;
CREATE TABLE serial AS
SELECT jsonrow_agg(p)::jsonb AS a, jsonrow_agg_json(p)::jsonb AS b, jsonrow_agg('{id,n,p}', id, name,
	pair)::jsonb AS c,
	   jsonrow_array_agg(id, name, pair) AS d, jsonrow_agg(p) FILTER (WHERE id = 17)::jsonb AS e, jsonrow_agg(p)
		FILTER (WHERE false)::jsonb AS f FROM p;
SELECT ok(s IS NOT NULL AND jsonb_array_length(a -> 'rows') = 30000 AND jsonb_array_length(d) = 30000,
	'the serial results are there') FROM serial s;
SELECT is(pg_temp.sorted(l.a), pg_temp.sorted(s.a), 'parallel = serial, jsonb') FROM parallel l, serial s;
SELECT is(pg_temp.sorted(l.b), pg_temp.sorted(s.a), 'parallel = serial, JSON text') FROM parallel l, serial s;
SELECT is(pg_temp.sorted(l.c), pg_temp.sorted(s.c), 'parallel = serial, names form') FROM parallel l, serial s;
SELECT is((SELECT jsonb_agg(r ORDER BY r) FROM jsonb_array_elements(l.d) r), (SELECT jsonb_agg(r ORDER BY r)
	FROM jsonb_array_elements(s.d) r), 'parallel = serial, bare array') FROM parallel l, serial s;
SELECT is(l.e, s.e, 'parallel = serial, one row') FROM parallel l, serial s;
SELECT is(l.f, s.f, 'parallel = serial, no row') FROM parallel l, serial s;
SELECT ok(pg_temp.is_canonical(a) AND pg_temp.is_canonical(c) AND pg_temp.is_canonical(d),
	'the combined document is as PostgreSQL builds it') FROM parallel;
SELECT is(pg_temp.sorted(l.a), (SELECT pg_temp.sorted(jsonrow_agg(p)) FROM p WHERE g = l.g),
	'parallel = serial, group ' || g) FROM parallel_groups l;
SELECT is(pg_temp.sorted(l.b), pg_temp.sorted(l.a), 'parallel, JSON text, group ' || g) FROM parallel_groups l;
SELECT is(count(*)::int, 10, 'parallel: number of groups') FROM parallel_groups;

-- eager aggregation, below a join, which is since 19: never ours, for a state holds all rows
SET LOCAL max_parallel_workers_per_gather = 0;
CREATE TABLE parent AS SELECT i AS id, i % 10 AS g FROM generate_series(1, 1000) i;
CREATE TABLE child AS SELECT i % 1000 + 1 AS parent_id, i AS n FROM generate_series(1, 100000) i;
ANALYZE parent, child;
CREATE FUNCTION pg_temp.below_join(call text) RETURNS bool LANGUAGE sql AS $$
	SELECT pg_temp.plan_of(format('SELECT g, %s FROM parent JOIN child ON id = parent_id GROUP BY g',
		call)) ~ 'Join.*Partial' $$;
CREATE FUNCTION pg_temp.check_eager(call text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('enable_eager_aggregate', true) IS NULL THEN
		RETURN NEXT skip('no eager aggregation: ' || call, 1);
	ELSE
		RETURN NEXT is(pg_temp.below_join(call), call ~ '^sum', 'eager aggregation: ' || call);
	END IF;
END $$;
SELECT set_config('enable_eager_aggregate', 'on', true) WHERE current_setting('enable_eager_aggregate',
	true) IS NOT NULL \g /dev/null
SELECT pg_temp.check_eager(call)
FROM unnest(ARRAY['sum(n)', 'jsonrow_agg(child)', 'jsonrow_agg(''{n}'', n)', 'jsonrow_agg_json(child)',
	'jsonrow_agg_json(''{n}'', n)', 'jsoncol_agg(child)', 'jsoncol_agg(''{n}'', n)',
	'jsoncol_agg_json(child)', 'jsoncol_agg_json(''{n}'', n)', 'jsonrow_array_agg(n, n)',
	'jsonrow_array_agg_json(n, n)', 'jsonrow_objects_agg(child)', 'jsonrow_objects_agg_json(''{n}'', n)',
	'jsonrow_core_json_agg(n)', 'jsonrow_core_jsonb_agg(''{n}'', n)',
	'jsonrow_concat_agg(jsonb_build_object(''cols'', ''[]'', ''rows'', ''[]''))']) call;
SET LOCAL max_parallel_workers_per_gather = 2;

-- objects from parallel workers
SELECT matches(pg_temp.plan_of('SELECT jsonrow_objects_agg(child) FROM child'), 'Gather.*Partial Aggregate',
	'objects, a parallel plan');
SELECT is((SELECT jsonb_agg(r ORDER BY r) FROM jsonb_array_elements(objects) r),
	(SELECT jsonb_agg(to_jsonb(c) ORDER BY to_jsonb(c)) FROM child c), 'objects, parallel')
FROM (SELECT jsonrow_objects_agg(child) AS objects FROM child) s;
SELECT is((SELECT jsonb_agg(r ORDER BY r) FROM jsonb_array_elements(objects::jsonb) r),
	(SELECT jsonb_agg(to_jsonb(c) ORDER BY to_jsonb(c)) FROM child c), 'objects, parallel, JSON text')
FROM (SELECT jsonrow_objects_agg_json('{parent_id,n}', parent_id, n) AS objects FROM child) s;
SELECT doesnt_match(pg_temp.plan_of(format('SELECT %s FROM child', call)), 'Partial',
	'no workers, as with the original: ' || call)
FROM unnest(ARRAY['json_agg(child)', 'jsonrow_core_json_agg(child)', 'jsonrow_core_jsonb_agg(''{n}'', n)',
	'jsonrow_core_json_object_agg(n, n)']) call;

-- partition-wise
CREATE TABLE parted (id int, g int, name text) PARTITION BY LIST (g);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT i, i % 2 + 1, 'n' || i FROM generate_series(1, 1000) i;
ANALYZE parted;
SET LOCAL enable_partitionwise_aggregate = on;
SELECT matches(pg_temp.plan_of('SELECT jsonrow_agg(parted) FROM parted'),
	'Finalize Aggregate.*Append.*Partial Aggregate.*Partial Aggregate', 'a partition-wise plan');
SELECT is((SELECT jsonb_agg(r ORDER BY r) FROM jsonb_array_elements(jsonrow_objects_agg(parted)) r),
	jsonb_agg(to_jsonb(parted) ORDER BY to_jsonb(parted)), 'partition-wise, objects') FROM parted;
SELECT is((SELECT pg_temp.sorted(jsonrow_agg(parted)) FROM parted),
	(SELECT jsonb_build_object('cols', '["id", "g", "name"]'::jsonb, 'rows', jsonb_agg(r ORDER BY r)) FROM parted p,
		jsonb_build_array(id, g, name) r), 'partition-wise');
SELECT is(array_agg(pg_temp.sorted(doc) ORDER BY g), (SELECT array_agg(doc ORDER BY g)
	FROM (SELECT g, jsonb_build_object('cols', '["id", "g", "name"]'::jsonb, 'rows', jsonb_agg(r ORDER BY r)) AS doc
	FROM parted p, jsonb_build_array(id, g, name) r GROUP BY g) o), 'partition-wise in groups')
FROM (SELECT g, jsonrow_agg(parted) AS doc FROM parted GROUP BY g) s;

-- PL/pgSQL, cursors, prepared statements
CREATE FUNCTION pg_temp.in_plpgsql() RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	doc jsonrow;
	result jsonb := '[]';
	c CURSOR FOR SELECT jsonrow_agg(t) AS doc FROM t WHERE id < 20 GROUP BY g ORDER BY g;
BEGIN
	FOR r IN c LOOP
		doc := r.doc;
		result := result || jsonb_build_array(doc::jsonb);
	END LOOP;
	RETURN result;
END $$;
SELECT is(pg_temp.in_plpgsql(), jsonb_agg(doc::jsonb ORDER BY g), 'a cursor in PL/pgSQL')
FROM (SELECT g, jsonrow_agg(t) AS doc FROM t WHERE id < 20 GROUP BY g) s;

DECLARE scroll SCROLL CURSOR WITH HOLD FOR SELECT g, jsonrow_agg('{i,n}', id, repeat(name, 100)) AS doc
FROM t GROUP BY g ORDER BY g;
FETCH NEXT FROM scroll \gset first_
MOVE LAST FROM scroll;
FETCH ABSOLUTE 1 FROM scroll \gset again_
SELECT is(:'again_doc'::jsonb, :'first_doc'::jsonb, 'a cursor that goes back');
CLOSE scroll;

CREATE TABLE changing (a int, b text);
INSERT INTO changing VALUES (1, 'x');
PREPARE whole AS SELECT jsonrow_agg(changing)::text AS doc FROM changing;
PREPARE named(text[]) AS SELECT jsonrow_agg($1, a)::text AS doc FROM changing;
EXECUTE whole \gset before_
SELECT is(:'before_doc'::text, '{"cols": ["a", "b"], "rows": [[1, "x"]]}', 'a prepared statement');
ALTER TABLE changing ADD c date DEFAULT '2000-01-01', DROP a;
ALTER TABLE changing RENAME b TO a;
EXECUTE whole \gset after_
SELECT is(:'after_doc'::text, '{"cols": ["a", "c"], "rows": [["x", "2000-01-01"]]}',
	'a prepared statement after ALTER TABLE');
EXECUTE named('{k}') \gset named_
SELECT is(:'named_doc'::text, '{"cols": ["k"], "rows": [["x"]]}', 'names from a parameter');
EXECUTE named('{l}') \gset named_
SELECT is(:'named_doc'::text, '{"cols": ["l"], "rows": [["x"]]}', 'other names from a parameter');

-- names that come from the rows
SELECT is((SELECT jsonb_agg(doc ORDER BY g) FROM (SELECT g, jsonrow_agg(ARRAY['g' || g, 'x'], g, id) AS doc FROM t
	WHERE id < 15 GROUP BY g) s),
	(SELECT jsonb_agg(jsonb_build_object('cols', jsonb_build_array('g' || g, 'x'), 'rows', rows) ORDER BY g)
	 FROM (SELECT g, jsonb_agg(jsonb_build_array(g, id)) AS rows FROM t WHERE id < 15 GROUP BY g) o),
		'names of the group');
SELECT throws_ok('SELECT jsonrow_agg(ARRAY[''g'' || id], id) FROM t', '42804',
	'columns differ from those of earlier rows', 'names that change within a document');

-- records whose type changes from row to row
CREATE FUNCTION pg_temp.either(b boolean) RETURNS record LANGUAGE plpgsql AS $$
BEGIN
	IF b THEN RETURN ROW(1, 'x'::text); END IF;
	RETURN ROW(1.5, true);
END $$;
SELECT is(jsonrow_agg(pg_temp.either(i % 2 = 0))::text,
	'{"cols": ["f1", "f2"], "rows": [[1.5, true], [1, "x"], [1.5, true], [1, "x"]]}', 'records of changing type')
FROM generate_series(1, 4) i;
SELECT is(jsonrow_agg('{a,r}', i, pg_temp.either(i % 2 = 0))::text,
	'{"cols": ["a", {"r": ["f1", "f2"]}], "rows": [[1, [1.5, true]], [2, [1, "x"]]]}',
	'records of changing type in a column')
FROM generate_series(1, 2) i;
SELECT throws_ok($$SELECT jsonrow_agg(r) FROM (SELECT CASE i WHEN 1 THEN ROW(1) ELSE ROW(1, 2) END AS r
	FROM generate_series(1, 2) i) s$$,
	'42804', 'columns differ from those of earlier rows', 'records of different width');

-- VARIADIC arrays
SELECT is(jsonrow_array_agg(VARIADIC a), jsonb_agg(jsonb_build_array(VARIADIC a)), 'VARIADIC arrays of any length')
FROM (VALUES ('{1,2}'::int[]), ('{}'), (NULL), ('{3,NULL,4,5,6,7,8}'), ('{{1,2},{3,4}}')) v(a);
SELECT is(jsonrow_agg('{a,b}', VARIADIC ARRAY['x', i::text])::text,
	'{"cols": ["a", "b"], "rows": [["x", "1"], ["x", "2"]]}', 'VARIADIC in the names form')
FROM generate_series(1, 2) i;
SELECT is(jsonrow_array_agg('lit', NULL, 1)::text, '[["lit", null, 1]]', 'literals of no type yet');

SELECT * FROM finish();
ROLLBACK;
