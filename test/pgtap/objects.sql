-- Rows as objects: what jsonrow_objects_agg does with names, nested documents
-- and errors.  (Its law over all relations and types is in check_core; what it
-- meets in the executor in executor.sql.)
\ir oracle.psql

SELECT plan(36);

CREATE TABLE author (id int, name text);
CREATE TABLE book (author_id int, title text, pages int);
INSERT INTO author VALUES (1, 'Ann'), (2, 'Bo "B"'), (3, NULL);
INSERT INTO book VALUES (1, 'A', 10), (1, 'B', NULL), (2, 'C\', 30);

-- No rows
SELECT is(jsonrow_objects_agg(author)::text, '[]', 'no rows') FROM author WHERE false;
SELECT is(jsonrow_objects_agg_json('{a}', id)::text, '[]', 'no rows, names form, JSON text') FROM author WHERE false;
SELECT is(jsonrow_objects_agg(NULL::author)::text, '[null]', 'a NULL record');
SELECT is(jsonrow_objects_agg_json(a)::text, '[{"id":1,"name":"Ann"},null]', 'NULL records of an outer join')
FROM (VALUES (1), (9)) v(n) LEFT JOIN author a ON id = n;

-- Names: jsonb sorts them by length, and keeps the last of equal ones.
SELECT is(jsonrow_objects_agg('{long,b,a,"",b}', 1, 2, 3, 4, 5)::text, '[{"": 4, "a": 3, "b": 5, "long": 1}]',
	'keys in the order of jsonb');
SELECT is(jsonrow_objects_agg_json('{long,b,a,"",b}', 1, 2, 3, 4, 5)::text,
	'[{"long":1,"b":2,"a":3,"":4,"b":5}]', 'keys in the order of the columns');
SELECT is(jsonrow_objects_agg_json(ARRAY[E'q"\\\n', repeat('k', 40)], 1, 2)::text,
	format('[{"q\"\\\n":1,"%s":2}]', repeat('k', 40)), 'keys that need escapes, and long ones');
SELECT is(jsonrow_objects_agg(s), jsonb_agg(s), 'columns of the same name')
FROM (SELECT 1 AS x, 'two' AS x, 3 AS y, NULL AS x) s;
SELECT is(jsonrow_objects_agg('{a,b}', VARIADIC ARRAY[1, NULL])::text, '[{"a": 1, "b": null}]', 'a VARIADIC array');
SELECT is(jsonrow_objects_agg(ARRAY['n' || id, 'x'], id, name)::text,
	'[{"x": "Ann", "n1": 1}, {"x": "Bo \"B\"", "n2": 2}, {"x": null, "n3": 3}]', 'names that change from row to row')
FROM author;
SELECT is(jsonrow_objects_agg_json(r)::text, '[{"f1":1},{"f1":2,"f2":"x"}]', 'records of different types')
FROM (SELECT CASE i WHEN 1 THEN ROW(1) ELSE ROW(2, 'x'::text) END AS r FROM generate_series(1, 2) i) s;

-- Composites are objects at every depth, documents arrays of objects.
CREATE TYPE inner_row AS (b int, a text);
CREATE TYPE outer_row AS (x inner_row, many inner_row[]);
SELECT is(jsonrow_objects_agg(s), jsonb_agg(s), 'composites')
FROM (SELECT i, ROW(ROW(i, 'q'), ARRAY[ROW(1, NULL), NULL]::inner_row[])::outer_row AS o FROM generate_series(1,
	3) i) s;
SELECT is(jsonrow_objects_agg(s)::text,
	'[{"id": 1, "books": [{"pages": 10, "title": "A"}, {"pages": null, "title": "B"}]}, '
	'{"id": 2, "books": [{"pages": 30, "title": "C\\"}]}, {"id": 3, "books": []}]', 'nested documents')
FROM (SELECT id, (SELECT jsonrow_agg(b) FROM (SELECT title, pages
	FROM book WHERE author_id = id) b) AS books FROM author ORDER BY id) s;
CREATE FUNCTION pg_temp.nested(agg text, inner_agg text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT %s(s)::text FROM (SELECT id, (SELECT %s(b) FROM (SELECT title, pages, '
		'ROW(1, title)::inner_row AS o FROM book WHERE author_id = id) b) AS books FROM author ORDER BY '
		'id) s', agg, inner_agg) INTO result;
	RETURN result;
END $$;
SELECT is(pg_temp.nested('jsonrow_objects_agg', inner_agg), pg_temp.nested('jsonb_agg', 'jsonrow_objects_agg'),
	'documents of ' || inner_agg || ' as objects')
FROM unnest(ARRAY['jsonrow_agg', 'jsoncol_agg', 'jsonrow_agg_json', 'jsoncol_agg_json']) inner_agg;
SELECT is(pg_temp.nested('jsonrow_objects_agg_json', inner_agg)::jsonb::text, pg_temp.nested('jsonb_agg',
	'jsonrow_objects_agg'), 'documents of ' || inner_agg || ' as objects, JSON text')
FROM unnest(ARRAY['jsonrow_agg', 'jsoncol_agg', 'jsonrow_agg_json', 'jsoncol_agg_json']) inner_agg;
SELECT is(jsonrow_objects_agg_json('{d}', d)::text,
	'[{"d":[{"a":1.50,"b":[{"\u0000":[1, 2]},null]},null]}]', 'JSON text stays as it is within a document')
FROM (SELECT '{"cols": ["a", {"b": [["\u0000"]]}], "rows": [[1.50, [[[1, 2]], null]], null]}'::jsonrow_json AS d) s;
SELECT is(jsonrow_objects_agg(s), jsonrow_to_objects(jsonrow_agg(s)), 'a document that coalesce hides')
FROM (SELECT id, coalesce((SELECT jsonrow_agg(b) FROM book b WHERE author_id = id), '[]') AS books FROM author) s;
SELECT is(jsonrow_objects_agg(s), jsonrow_to_objects(jsonrow_agg(s)), 'three levels')
FROM (SELECT id, (SELECT jsonrow_agg(b) FROM (SELECT title, (SELECT jsonrow_agg(c) FROM book c WHERE c.pages > b.pages)
	AS longer FROM book b WHERE author_id = id) b) AS books FROM author) s;
SELECT is(jsonrow_objects_agg(ARRAY['d'], ARRAY['{"cols":[],"rows":[]}'::jsonrow])::text,
	'[{"d": [{"cols": [], "rows": []}]}]', 'documents in an array stay documents');

-- What is wrong
SELECT throws_ok($$SELECT jsonrow_objects_agg('{a}', 1, 2)$$, '22023',
	pg_temp.count_error(1, 2), 'too few names');
SELECT throws_ok($$SELECT jsonrow_objects_agg('{a,NULL}', 1, 2)$$, '22004', 'name of column 2 must not be null',
	'a NULL name');
SELECT throws_ok($$SELECT jsonrow_objects_agg(NULL, 1)$$, '22004', 'column names must not be null', 'NULL for names');
SELECT throws_ok($$SELECT jsonrow_objects_agg('{a}', '"\u0000"'::json)$$, '22P05', NULL, 'a zero byte in jsonb');
SELECT is(jsonrow_objects_agg_json('{a}', '"\u0000"'::json)::text, '[{"a":"\u0000"}]', 'a zero byte in JSON text');
SELECT throws_ok($$SELECT jsonrow_objects_agg('{x}', repeat('x', 270000000))$$, '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', 'too large for jsonb');

-- The first of several errors is the first column's, as PostgreSQL has it, not the first key's.
CREATE TYPE ranged AS RANGE (subtype = float8);
CREATE FUNCTION ranged_json(ranged) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RAISE 'range %', $1; END $$;
CREATE CAST (ranged AS json) WITH FUNCTION ranged_json(ranged);
SELECT throws_ok($$SELECT jsonb_agg(s) FROM (SELECT '[1,2]'::ranged AS zz, '[3,4]'::ranged AS a) s$$, 'P0001',
	'range [1,2]', 'PostgreSQL writes the first column first');
SELECT throws_ok($$SELECT jsonrow_objects_agg(s) FROM (SELECT '[1,2]'::ranged AS zz, '[3,4]'::ranged AS a) s$$,
	'P0001',
	'range [1,2]', 'so do we');
SELECT throws_ok($$SELECT jsonrow_objects_agg('{a,a}', '[1,2]'::ranged, 3)$$, 'P0001', 'range [1,2]',
	'a value whose name comes again is computed, too');
CREATE TYPE mood AS ENUM ('sad', 'fine');
CREATE FUNCTION mood_json(mood) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RAISE 'mood %', $1; END $$;
CREATE CAST (mood AS json) WITH FUNCTION mood_json(mood);
SELECT throws_ok($$SELECT jsonrow_objects_agg('{zz,a}', 'sad'::mood, 'fine'::mood)$$, 'P0001', 'mood sad',
	'the same of an enum with a cast to json');
SELECT is(jsonrow_objects_agg(s), jsonb_agg(s), 'json columns whose keys are sorted otherwise')
FROM (SELECT i AS n, ('{"k":' || i || '}')::json AS zz, to_json(i) AS b, '[1, {}]'::json AS aa, 'x' AS b
	FROM generate_series(1, 40) i) s;

SELECT * FROM finish();
ROLLBACK;
