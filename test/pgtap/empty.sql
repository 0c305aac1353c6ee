-- No rows give a document with its header, wherever the plan tells it.
\ir oracle.psql

SELECT plan(220);

CREATE TYPE pair AS (x int, y text);
CREATE TABLE t (id int, name text, p pair);
CREATE TABLE child (tid int, note text, doc jsonrow);
CREATE VIEW v AS SELECT id AS v_id, upper(name) AS v_name FROM t;
CREATE FUNCTION pg_temp.out_params(OUT a int, OUT b text) RETURNS SETOF record LANGUAGE sql AS $$ SELECT 1, 'b'
WHERE false $$;
CREATE FUNCTION pg_temp.returns_table() RETURNS TABLE (c int, d text) LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$;

CREATE FUNCTION pg_temp.no_vectors(cols jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('cols', cols, 'vals', coalesce(jsonb_agg('[]'::jsonb), '[]'))
	FROM jsonb_array_elements(cols) $$;
CREATE FUNCTION pg_temp.header_is(query text, cols text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	doc jsonb;
BEGIN
	EXECUTE query INTO doc;
	RETURN NEXT is(doc, jsonb_build_object('cols', cols::jsonb, 'rows', '[]'::jsonb), query);
	EXECUTE replace(query, 'jsonrow_agg(', 'jsonrow_agg_json(') INTO doc;
	RETURN NEXT is(doc, jsonb_build_object('cols', cols::jsonb, 'rows', '[]'::jsonb), query || ' as JSON text');
	EXECUTE replace(query, 'jsonrow_agg(', 'jsoncol_agg(') INTO doc;
	RETURN NEXT is(doc, pg_temp.no_vectors(cols::jsonb), query || ' by column');
	EXECUTE replace(query, 'jsonrow_agg(', 'jsoncol_agg_json(') INTO doc;
	RETURN NEXT is(doc, pg_temp.no_vectors(cols::jsonb), query || ' by column, as JSON text');
END $$;

-- row types
SELECT pg_temp.header_is('SELECT jsonrow_agg(t) FROM t', '["id", "name", {"p": ["x", "y"]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(t) FROM t WHERE false', '["id", "name", {"p": ["x", "y"]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(p) FROM t', '["x", "y"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(v) FROM v', '["v_id", "v_name"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(c) FROM child c', '["tid", "note", {"doc": [[]]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(ROW(1, name)::pair) FROM t', '["x", "y"]');

-- subqueries, pulled up or not
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a, name AS "b c" FROM t) s', '["a", "b c"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a, name AS b FROM t OFFSET 0) s', '["a", "b"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a, p AS b FROM t OFFSET 0) s',
	'["a", {"b": ["x", "y"]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a FROM t OFFSET 0) s(renamed)', '["renamed"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a, id + 1 AS a FROM t OFFSET 0) s', '["a", "a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a FROM t OFFSET 0) s WHERE false', '["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT name, count(*) AS n FROM t GROUP BY name) s',
	'["name", "n"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s ORDER BY a) FROM (SELECT id AS a FROM t OFFSET 0) s', '["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(DISTINCT s) FROM (SELECT id AS a FROM t OFFSET 0) s', '["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a FROM t UNION ALL SELECT v_id FROM v) s', '["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT id AS a FROM t UNION SELECT v_id FROM v) s', '["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT * FROM (SELECT id AS a FROM t OFFSET 0) i OFFSET 0) s',
	'["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s.r) FROM (SELECT i AS r FROM (SELECT id AS a FROM t OFFSET 0) i '
	'OFFSET 0) s', '["a"]');

-- CTEs, VALUES, functions, joins
SELECT pg_temp.header_is('WITH s AS (SELECT id AS a, p AS b FROM t) SELECT jsonrow_agg(s) FROM s',
	'["a", {"b": ["x", "y"]}]');
SELECT pg_temp.header_is('WITH s AS MATERIALIZED (SELECT id AS a, p AS b FROM t) SELECT jsonrow_agg(s) FROM s',
	'["a", {"b": ["x", "y"]}]');
SELECT pg_temp.header_is('WITH RECURSIVE s AS (SELECT id AS a FROM t UNION ALL SELECT a + 1 FROM s WHERE a < 3) '
	'SELECT jsonrow_agg(s) FROM s', '["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (VALUES (1, ''a''), (2, ''b'')) s(k, l) WHERE k > 5',
	'["k", "l"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (VALUES (1)) s WHERE false', '["column1"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM pg_temp.out_params() f', '["a", "b"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM pg_temp.returns_table() f', '["c", "d"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM pg_temp.returns_table() WITH ORDINALITY f',
	'["c", "d", "ordinality"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM jsonb_to_recordset(''[]'') f(m int, n text)', '["m", "n"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(j) FROM (t JOIN child ON tid = id) j',
	'["id", "name", {"p": ["x", "y"]}, "tid", "note", {"doc": [[]]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(j) FROM (t LEFT JOIN v ON v_id = id) j',
	'["id", "name", {"p": ["x", "y"]}, "v_id", "v_name"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM t LEFT JOIN (SELECT note AS a FROM child OFFSET 0) s ON true',
	'["a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(ROW(id, name)) FROM t', '["f1", "f2"]');

SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM jsonb_to_recordset(''[]'') f(m int, n pair)',
	'["m", {"n": ["x", "y"]}]');
CREATE FUNCTION pg_temp.out_pair(OUT a int, OUT p pair) RETURNS SETOF record
	LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$;
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM pg_temp.out_pair() f', '["a", {"p": ["x", "y"]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM ROWS FROM (generate_series(1, 0), pg_temp.out_pair()) WITH '
	'ORDINALITY f(g)', '["g", "a", {"p": ["x", "y"]}, "ordinality"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (VALUES (1, ROW(1, ''y'')::pair)) s(k, l) WHERE k > 5',
	'["k", {"l": ["x", "y"]}]');
CREATE TABLE dropped (a int, b int, c pair);
ALTER TABLE dropped DROP b;
CREATE FUNCTION pg_temp.returns_dropped() RETURNS SETOF dropped LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$;
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM pg_temp.returns_dropped() WITH ORDINALITY f',
	'["a", {"c": ["x", "y"]}, "ordinality"]');
CREATE TABLE seen (doc jsonb);
CREATE FUNCTION pg_temp.see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT
	INTO seen SELECT jsonrow_agg(new_rows) FROM new_rows; RETURN NULL; END $$;
CREATE TRIGGER see AFTER UPDATE ON dropped REFERENCING NEW TABLE AS new_rows
	FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.see();
UPDATE dropped SET a = 1;
SELECT is(doc, '{"cols": ["a", {"c": ["x", "y"]}], "rows": []}', 'a transition table') FROM seen;

-- the names form
SELECT pg_temp.header_is('SELECT jsonrow_agg(ARRAY[''a'', ''a''], id, name) FROM t', '["a", "a"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(''{a,b}'', id, p) FROM t', '["a", {"b": ["x", "y"]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(''{a,b}'', VARIADIC ARRAY[id, 1]) FROM t', '["a", "b"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(''{a,b}'', VARIADIC ARRAY[p, p]) FROM t',
	'[{"a": ["x", "y"]}, {"b": ["x", "y"]}]');
SELECT is((SELECT jsonrow_agg(ARRAY['a', 'b'], id, name) FILTER (WHERE false) FROM generate_series(1, 3) id,
	(SELECT 'x') n(name)),
	'{"cols": ["a", "b"], "rows": []}', 'a FILTER that passes nothing');

-- groups
SELECT is((SELECT jsonrow_agg(s) FROM (SELECT id AS a FROM t) s GROUP BY GROUPING SETS (())),
	'{"cols": ["a"], "rows": []}', 'GROUPING SETS (())');
SELECT is((SELECT array_agg(doc ORDER BY g)::text FROM (SELECT g, jsonrow_agg(s) FILTER (WHERE g = 2) AS doc
	FROM (SELECT g, 'x' AS b FROM generate_series(1, 2) g) s GROUP BY g) d),
	(ARRAY['{"cols": ["g", "b"], "rows": []}', '{"cols": ["g", "b"], "rows": [[2, "x"]]}']::jsonrow[])::text,
	'a FILTER in groups');

-- windows: an empty frame
SELECT is(array_agg(doc::text)::text, ARRAY['{"cols": ["g", "b"], "rows": []}',
	'{"cols": ["g", "b"], "rows": [[1, "x"]]}']::text, 'an empty frame')
FROM (SELECT jsonrow_agg(s) OVER (ORDER BY g ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) AS doc
	  FROM (SELECT g, 'x' AS b FROM generate_series(1, 2) g) s) w;
SELECT is((array_agg(doc::text))[1], '{"cols": ["k"], "rows": []}', 'an empty frame, names form')
FROM (SELECT jsonrow_agg(ARRAY['k'], g) OVER (ORDER BY g ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) AS doc
	  FROM generate_series(1, 2) g) w;

SELECT is(ARRAY[doc::text, rec::text]::text, ARRAY['{"cols": ["k"], "rows": []}',
	'{"cols": ["k", {"r": ["f1", "f2"]}], "rows": []}']::text, 'two window functions')
FROM (SELECT jsonrow_agg(ARRAY['k'], g) FILTER (WHERE g > 8) OVER (ORDER BY g) AS doc,
			 jsonrow_agg(ARRAY['k', 'r'], g, ROW(g, 1)) FILTER (WHERE g > 8) OVER (ORDER BY g) AS rec
	  FROM generate_series(1, 1) g) w;

-- nested documents: the header of the inner query, at every depth
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM (SELECT name, (SELECT jsonrow_agg(c) FROM (SELECT note FROM '
	'child WHERE tid = t.id) c) AS notes FROM t) f',
	'["name", {"notes": [["note"]]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM (SELECT name, (SELECT jsonrow_agg(c) FROM (SELECT note FROM '
	'child WHERE tid = t.id) c) AS notes FROM t OFFSET 0) f',
	'["name", {"notes": [["note"]]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(ARRAY[''n'', ''c''], name, (SELECT jsonrow_agg(ARRAY[''k''], note) '
	'FROM child WHERE tid = t.id)) FROM t',
	'["n", {"c": [["k"]]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(ARRAY[''n'', ''c''], name, (SELECT jsonrow_agg(c) FROM child c)) FROM t',
	'["n", {"c": [["tid", "note", {"doc": [[]]}]]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM (SELECT name, l.* FROM t, LATERAL (SELECT jsonrow_agg(c) AS '
	'notes FROM child c WHERE tid = t.id) l) f',
	'["name", {"notes": [["tid", "note", {"doc": [[]]}]]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(f) FROM (SELECT name, coalesce(notes, notes) AS notes FROM t LEFT '
	'JOIN (SELECT tid, jsonrow_agg(ARRAY[''k''], note) AS notes FROM child GROUP BY tid) c ON tid = id) f',
	'["name", {"notes": [["k"]]}]');

-- what a subquery for each row is given, which is not all of the row
SELECT pg_temp.header_is('SELECT jsonrow_agg((SELECT e FROM (SELECT q AS whole, q.b) e)) FROM (SELECT id AS a, '
	'name AS b FROM t ORDER BY id) q', '[{"whole": ["a", "b"]}, "b"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg((SELECT e FROM (SELECT q.notes, (SELECT i FROM (SELECT q AS twice) i) '
	'AS deep) e)) FROM (SELECT id, (SELECT jsonrow_agg(c) FROM (SELECT note FROM child WHERE tid = t.id) c) AS notes '
	'FROM t ORDER BY id) q', '[{"notes": [["note"]]}, {"deep": [{"twice": ["id", {"notes": [["note"]]}]}]}]');
SELECT pg_temp.header_is('SELECT jsonrow_agg((SELECT e FROM (SELECT q.notes) e)) FROM (SELECT id, coalesce((SELECT '
	'jsonrow_agg(c) FROM (SELECT note FROM child WHERE tid = t.id) c), ''[]'') AS notes FROM t ORDER BY id) q',
	'[{"notes": [["note"]]}]');

-- rows that are all NULL know their columns too
SELECT is(jsonrow_agg(NULL::pair)::text, '{"cols": ["x", "y"], "rows": [null, null]}', 'NULL records')
FROM generate_series(1, 2);
SELECT is(jsonrow_agg(s)::text, '{"cols": ["a"], "rows": [null]}', 'a row of an outer join')
FROM (SELECT) one LEFT JOIN (SELECT id AS a FROM t OFFSET 0) s ON true;

-- parallel, above partial aggregates
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
CREATE TABLE big AS SELECT i AS a, 'b' || i AS b FROM generate_series(1, 20000) i;
ANALYZE big;
SELECT pg_temp.header_is('SELECT jsonrow_agg(s) FROM (SELECT a AS k, b AS l FROM big) s WHERE k + 0 < 0',
	'["k", "l"]');
SELECT pg_temp.header_is('SELECT jsonrow_agg(''{k,l}'', a, b) FROM big WHERE a + 0 < 0', '["k", "l"]');
SELECT matches(pg_temp.plan_of('SELECT jsonrow_agg(big) FROM big WHERE a + 0 < 0'), 'Finalize.*Partial',
	'the plan of parallel aggregates of no rows');

-- the bare array
SELECT is(jsonrow_array_agg(id, name)::text, '[]', 'jsonrow_array_agg') FROM t;
SELECT is(jsonrow_array_agg_json(t)::text, '[]', 'jsonrow_array_agg_json') FROM t;

SELECT * FROM finish();
ROLLBACK;
