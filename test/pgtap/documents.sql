-- Documents as a whole: turned, put together, taken apart, edited.  The laws
-- over all kinds of tables are in catalogs.sql and types.sql, over nested
-- documents in nested.sql: check_document of oracle.psql.
\ir oracle.psql

SELECT plan(738);

-- documents of every length, of cells of every alignment, with duplicate names
CREATE TABLE lengths AS SELECT n, jsonrow_agg(ARRAY['a', 'bb', 'a', '', 'ccc'], i, repeat('x', i % 7),
	CASE WHEN i % 3 > 0 THEN i % 2 = 0 END, CASE WHEN i % 5 > 0 THEN 'y' END, CASE WHEN i % 2 > 0
	THEN i * 1.5 END) AS doc
FROM unnest(ARRAY[1, 2, 3, 31, 32, 33, 63, 64, 65, 100, 1000]) n, LATERAL (SELECT generate_series(1, n)) s(i)
GROUP BY n;
SELECT is(pg_temp.check_document(doc), NULL, 'a document of ' || n || ' rows') FROM lengths ORDER BY n;
SELECT is(pg_temp.check_document(jsonrow_to_columns(doc)), NULL, 'a document of ' || n || ' rows by column')
FROM lengths ORDER BY n;
SELECT is(pg_temp.check_document(doc), NULL, 'a document: ' || doc::text)
FROM (VALUES ('{"cols":[],"rows":[]}'::jsonb), ('{"cols":["a"],"rows":[]}'), ('{"cols":["a","b"],"vals":[[],[]]}'),
	('{"cols":[],"vals":[]}'), ('{"cols":["a"],"rows":[null]}'),
	('{"cols":["a"],"rows":[null,[1],null]}'), ('{"cols":["a"],"rows":[[null]]}'), ('{"cols":[],"rows":[[],null]}'),
	('{"cols":["a"],"vals":[[null]]}'),
	('{"cols":["a","a","b","a"],"rows":[[1,2,3,4],["x","y","z",null]]}'),
	('{"cols":["a",{"a":["b"]},"b",{"a":[["c"]]}],"rows":[[1,[2],3,[[4]]],[1,null,null,null]]}'),
	('{"cols":[{"d":[["x",{"e":[["y",{"f":[["z"]]}]]}]]}],"rows":[[null],[[]],[[["x",null]]],[[["x",[]]]],[[["x",'
		'[["y",null]]]]],[[["x",[["y",[["z"],[1]]],["w",[]]]],null]]]}'),
	('{"cols":[{"d":[["x",{"e":[["y",{"f":[["z"]]}]]}]]}],"vals":[[null,[],[["x",null]],[["x",[]]],[["x",[["y",'
		'null]]]],[["x",[["y",[["z"],[1]]],["w",[]]]],null]]]}'),
	('{"cols":["a",{"d":[[]]},{"r":[]}],"rows":[[1,[],null],[2,null,null],[3,[null],[]]]}'),
	('{"cols":["a","b"],"rows":[[1,2]],"types":["int4",{"x":null}]}'),
	('{"cols":["a","b"],"vals":[[1,2],["x","y"]],"types":"none"}'), ('{"cols":["a"],"vals":[["x"]],"types":1.5}'),
	('{"cols":["a"],"rows":[["x"]],"types":null}'), ('{"cols":[],"rows":[],"types":[]}'),
	('{"cols":[],"vals":[],"types":[]}'), ('{"cols":[],"rows":[null],"types":[]}'),
	('{"cols":[],"rows":[[],null],"types":[]}')) v(doc);

-- to objects and back
SELECT is(jsonrow_to_objects('{"cols":["b","a","b"],"rows":[[1,2,3],null]}')::text, '[{"a": 2, "b": 3}, null]',
	'of columns of the same name, the last counts');
SELECT is(jsonrow_from_objects(objects)::text, doc, 'from objects: ' || objects::text)
FROM (VALUES ('[]'::jsonb, '{"cols": [], "rows": []}'), ('[{}]', '{"cols": [], "rows": [[]]}'),
	('[null, {}]', '{"cols": [], "rows": [null, []]}'),
	('[{"b": 1, "a": 2}]', '{"cols": ["a", "b"], "rows": [[2, 1]]}'),
	('[{"long": 1}, {"a": 2}]', '{"cols": ["long", "a"], "rows": [[1, null], [null, 2]]}'),
	('[{"a": 1}, {"b": 2, "a": null}, null, {"c": [1], "b": {"x": 1}}]',
		'{"cols": ["a", "b", "c"], "rows": [[1, null, null], [null, 2, null], null, [null, {"x": 1}, '
		'[1]]]}')) v(objects, doc);
SELECT throws_ok(format('SELECT jsonrow_from_objects(%L)', j), '22023',
	'argument of jsonrow_from_objects must be an array of objects', 'no objects: ' || j)
FROM unnest(ARRAY['{}', '1', '"x"', 'null', '[1]', '[[]]', '[{}, "x"]', '[{"a": 1}, [1]]']) j;
SELECT is(jsonb_array_length(jsonrow_from_objects(jsonb_agg(jsonb_build_object('k' || i % 1000, i))) -> 'cols'),
	1000, 'a thousand different keys') FROM generate_series(1, 3000) i;
SELECT is(jsonrow_to_objects(jsonrow_from_objects(objects)), objects, 'objects of the same keys come back')
FROM (SELECT jsonb_agg(jsonb_build_object('k', i, 'other', jsonb_build_array(i), 'long', repeat('x', i % 3), 'n',
	NULL))
	AS objects FROM generate_series(1, 100) i) s;

-- put together
SELECT is(jsonrow_concat(a, b)::text, result, format('concatenated: %s and %s', a, b))
FROM (VALUES ('{"cols":["a"],"rows":[[1]]}'::jsonb, '{"cols":["a"],"rows":[[2],null]}'::jsonb,
	'{"cols": ["a"], "rows": [[1], [2], null]}'),
	('{"cols":["a","b"],"vals":[["x"],["y"]]}', '{"cols":["a","b"],"vals":[[1],[null]]}',
		'{"cols": ["a", "b"], "vals": [["x", 1], ["y", null]]}'),
	('{"cols":[],"rows":[]}', '{"cols":["a"],"vals":[[1]]}', '{"cols": ["a"], "vals": [[1]]}'),
	('{"cols":["a"],"vals":[[1]]}', '{"cols":[],"rows":[]}', '{"cols": ["a"], "vals": [[1]]}'),
	('{"cols":[],"rows":[null]}', '{"cols":["a"],"rows":[[1]]}', '{"cols": ["a"], "rows": [null, [1]]}'),
	('{"cols":[],"rows":[]}', '{"cols":[],"rows":[]}', '{"cols": [], "rows": []}'),
	('{"cols":[],"vals":[]}', '{"cols":[],"vals":[]}', '{"cols": [], "vals": []}'),
	('{"cols":["a",{"d":[[]]}],"rows":[[1,null]]}',
		'{"cols":["a",{"d":[["x",{"e":[[]]}]]}],"rows":[[2,[["y",null]]]]}',
	'{"cols": ["a", {"d": [["x", {"e": [[]]}]]}], "rows": [[1, null], [2, [["y", null]]]]}'),
	('{"cols":[],"rows":[],"types":[]}', '{"cols":[],"rows":[]}', '{"cols": [], "rows": [], "types": []}'),
	('{"cols":[],"rows":[]}', '{"cols":[],"rows":[],"types":[]}', '{"cols": [], "rows": [], "types": []}'),
	('{"cols":[],"rows":[],"types":[]}', '{"cols":[],"rows":[[]]}', '{"cols": [], "rows": [[]]}'),
	('{"cols":[],"rows":[[]],"types":[]}', '{"cols":[],"rows":[null]}',
		'{"cols": [], "rows": [[], null], "types": []}'),
	('{"cols":[],"rows":[[]],"types":[]}', '{"cols":[],"rows":[[]]}', '{"cols": [], "rows": [[], []]}'),
	('{"cols":[],"rows":[null],"types":[]}', '{"cols":["a"],"rows":[]}', '{"cols": ["a"], "rows": [null]}'),
	('{"cols":[],"rows":[],"types":[1]}', '{"cols":[],"rows":[],"types":[1]}',
		'{"cols": [], "rows": [], "types": [1]}'), ('{"cols":[{"r":[]}],"rows":[[null]]}',
	'{"cols":[{"r":["x"]}],"rows":[[[1]]]}', '{"cols": [{"r": ["x"]}], "rows": [[null], [[1]]]}'),
	('{"cols":["a"],"rows":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[2]],"types":["int4"]}',
		'{"cols": ["a"], "rows": [[1], [2]], "types": ["int4"]}')) v(a, b, result);
-- Stored documents are fetched for the function alone, and changed where they are.
CREATE TABLE kept (doc jsonb);
INSERT INTO kept SELECT jsonrow_agg('{id,t}', i, repeat('x', 40) || i)::jsonb || types
FROM generate_series(1, 300) i, (VALUES ('{}'::jsonb), ('{"types":["int4","text"]}'), ('{"types":"none"}'),
	('{"types":1.5}'), ('{"types":null}')) v(types) GROUP BY types;
SELECT ok(pg_temp.same(edited, expected), format('%s of a stored document, types: %s', call, doc -> 'types'))
FROM kept, LATERAL (VALUES
	('jsonrow_set', jsonrow_set(doc, 7, 't', '"y"')::jsonb, jsonb_set(doc, '{rows,7,1}', '"y"')),
	('jsonrow_set of more', jsonrow_set(doc, 7, 't', to_jsonb(repeat('y', 50000)))::jsonb,
		jsonb_set(doc, '{rows,7,1}', to_jsonb(repeat('y', 50000)))),
	('jsonrow_set of a number', jsonrow_set(doc, 7, 't', '1.25')::jsonb, jsonb_set(doc, '{rows,7,1}', '1.25')),
	('jsonrow_set of the last', jsonrow_set(doc, -1, 't', '"yz"')::jsonb, jsonb_set(doc, '{rows,-1,1}', '"yz"')),
	('jsonrow_delete', jsonrow_delete(doc, 7), doc #- '{rows,7}'),
	('jsonrow_append', jsonrow_append(doc, '[0,null]'), jsonb_insert(doc, '{rows,-1}', '[0,null]', true)),
	('jsonrow_slice', jsonrow_slice(doc, 1, 300), doc #- '{rows,0}')) c(call, edited, expected);
SELECT is((jsonrow_set(doc, 7, 't', '"y"')::jsonb ? 'types')::int, (doc ? 'types')::int, 'the member types is kept')
FROM kept;

-- An array of the same elements as a document's is none.
SELECT ok(NOT jsonrow_is_valid(doc), 'an array: ' || doc::text)
FROM unnest(ARRAY['["cols","rows",["a"],[[1]]]', '["cols","vals",["a"],[[1]]]']::jsonb[]) doc;

SELECT throws_ok(format('SELECT jsonrow_concat(%L, %L)', a, b), '42804', message,
	format('not concatenated: %s and %s', a, b))
FROM (VALUES ('{"cols":["a"],"rows":[]}', '{"cols":["b"],"rows":[]}', 'documents differ in their columns'),
	('{"cols":["a"],"rows":[]}', '{"cols":["a","b"],"rows":[]}', 'documents differ in their columns'),
	('{"cols":["a"],"rows":[]}', '{"cols":[{"a":["b"]}],"rows":[]}', 'documents differ in their columns'),
	('{"cols":[{"a":[["b"]]}],"rows":[]}', '{"cols":[{"a":[["c"]]}],"rows":[]}',
		'documents differ in their columns'),
	('{"cols":[{"r":[]}],"rows":[[[]]]}', '{"cols":[{"r":["x"]}],"rows":[[[1]]]}',
		'documents differ in their columns'), ('{"cols":[{"r":["x"]}],"vals":[[[1]]]}',
	'{"cols":[{"r":[]}],"vals":[[[]]]}', 'documents differ in their columns'),
	('{"cols":[{"a":[["b",{"c":[[]]}]]}],"rows":[[[[1,[[]]]]]]}',
		'{"cols":[{"a":[["b",{"c":[["x"]]}]]}],"rows":[[[[1,[[2]]]]]]}', 'documents differ in their columns'),
	('{"cols":["a"],"rows":[]}', '{"cols":["a"],"vals":[[]]}', 'documents differ in orientation'),
	('{"cols":["a"],"rows":[],"types":[1]}', '{"cols":["a"],"rows":[],"types":[2]}',
		'documents differ in member "types"'),
	('{"cols":["a"],"rows":[],"types":[1]}', '{"cols":["a"],"rows":[]}', 'documents differ in member "types"'),
	('{"cols":["a"],"rows":[]}', '{"cols":["a"],"rows":[],"types":[1]}', 'documents differ in member "types"')) v(a,
	b, message);
SELECT is(jsonrow_concat_agg(d::jsonrow ORDER BY d)::text, '{"cols": ["a"], "rows": [[1], [2]]}',
	'NULL is passed over')
FROM (VALUES ('{"cols":["a"],"rows":[[1]]}'), (NULL), ('{"cols":["a"],"rows":[[2]]}')) v(d);
SELECT is(jsonrow_concat_agg(NULL)::text, '{"cols": [], "rows": []}', 'nothing to put together');
SELECT is(jsonrow_concat_agg(d)::text, '{"cols": ["id", "name"], "rows": []}',
	'nothing to put together, but the plan tells the columns')
FROM (SELECT jsonrow_agg('{id,name}', i, 'x') AS d FROM generate_series(1, 0) i GROUP BY i) s;
SELECT is(jsonrow_concat_agg(d)::text, '{"cols": ["id", "name"], "vals": [[], []]}',
	'nothing to put together, but the plan tells the orientation')
FROM (SELECT jsoncol_agg('{id,name}', i, 'x') AS d FROM generate_series(1, 0) i GROUP BY i) s;
SELECT throws_ok($$SELECT jsonrow_concat_agg('{"cols":["a"]}'::jsonb)$$, '23514', NULL, 'no document to put together');
CREATE TABLE pieces AS SELECT g, jsonrow_agg('{i,t,d}', i, 'text ' || i, (SELECT jsonrow_agg('{n}', n)
	FROM generate_series(1, i % 3) n) ORDER BY i) AS doc
FROM (SELECT i % 1000 AS g, i FROM generate_series(0, 9999) i) s GROUP BY g;
SELECT is(jsonrow_concat_agg(doc ORDER BY g), (SELECT jsonrow_agg('{i,t,d}', i, 'text ' || i,
	(SELECT jsonrow_agg('{n}', n) FROM generate_series(1, i % 3) n) ORDER BY i % 1000, i)
FROM generate_series(0, 9999) i), 'a thousand documents put together') FROM pieces;
SELECT is(jsonrow_concat_agg(jsonrow_to_columns(doc) ORDER BY g),
	jsonrow_to_columns(jsonrow_concat_agg(doc ORDER BY g)), 'a thousand documents put together, by column')
	FROM pieces;
SELECT is(jsonb_array_length(doc -> 'rows'), (10 * g)::int, 'in a window, ' || g)
FROM (SELECT row_number() OVER w AS g, jsonrow_concat_agg(doc) OVER w AS doc FROM pieces WINDOW w AS (ORDER BY g)) s
WHERE g IN (1, 2, 50);

-- ... in parallel
ALTER TABLE pieces ADD col jsonrow, ADD typed jsonrow, ADD odd jsonrow DEFAULT '{"cols":[],"rows":[],"types":{}}',
	ADD none jsonrow DEFAULT '{"cols":[],"rows":[],"types":[]}',
	ADD empty jsonrow DEFAULT '{"cols":[],"rows":[[]],"types":[]}';
UPDATE pieces SET col = jsonrow_to_columns(doc), typed = jsonrow_to_columns(doc)
	|| '{"types":["int4",null,{"d":"x"}]}';
ANALYZE pieces;
\ir parallel.psql
SELECT matches(pg_temp.plan_of('SELECT jsonrow_concat_agg(doc) FROM pieces'),
	'Finalize Aggregate.*Gather.*Partial Aggregate', 'a parallel plan');
CREATE TABLE parallel AS SELECT jsonrow_concat_agg(doc)::jsonb AS a, jsonrow_concat_agg(col)::jsonb AS b,
	jsonrow_concat_agg(typed)::jsonb AS c, jsonrow_concat_agg(doc) FILTER (WHERE g = 500)::jsonb AS d,
	jsonrow_concat_agg(doc) FILTER (WHERE false)::jsonb AS e,
	jsonrow_concat_agg(odd)::jsonb AS f, jsonrow_concat_agg(none)::jsonb AS g,
	jsonrow_concat_agg(empty) FILTER (WHERE g = 500)::jsonb AS h FROM pieces;
SELECT throws_ok('SELECT jsonrow_concat_agg(CASE WHEN g < 900 THEN doc ELSE col END) FROM pieces', '42804',
	'documents differ in orientation', 'in parallel: orientations that differ');
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT is(pg_temp.sorted(a), (SELECT pg_temp.sorted(jsonrow_concat_agg(doc)) FROM pieces), 'parallel = serial')
FROM parallel;
SELECT is(pg_temp.sorted(b), pg_temp.sorted(a), 'parallel = serial, by column') FROM parallel;
SELECT is(pg_temp.sorted(c), pg_temp.sorted(a) || '{"types":["int4",null,{"d":"x"}]}',
	'parallel = serial, with a member types')
FROM parallel;
SELECT is(d, (SELECT doc::jsonb FROM pieces WHERE g = 500), 'parallel = serial, one document') FROM parallel;
SELECT is(e::text, '{"cols": [], "rows": []}', 'parallel = serial, no document') FROM parallel;
SELECT is(f::text, '{"cols": [], "rows": [], "types": {}}', 'parallel = serial, types that are not understood')
FROM parallel;
SELECT is(g::text, '{"cols": [], "rows": [], "types": []}', 'parallel = serial, types of no columns') FROM parallel;
SELECT is(h::text, '{"cols": [], "rows": [[]], "types": []}', 'parallel = serial, types of no columns, with a row')
FROM parallel;
SELECT ok(pg_temp.is_canonical(a) AND pg_temp.is_canonical(b) AND pg_temp.is_canonical(c),
	'documents put together in parallel are as PostgreSQL builds them') FROM parallel;

-- taken apart
SELECT is(jsonrow_slice('{"cols":["a"],"rows":[[0],[1],[2],[3],[4]]}', first, count) -> 'rows', result::jsonb,
	format('%s rows from %s', count, first))
FROM (VALUES (0, 2, '[[0],[1]]'), (3, 5, '[[3],[4]]'), (5, 1, '[]'), (9, 9, '[]'), (0, 0, '[]'), (-2, 1, '[[3]]'),
	(-2, 9, '[[3],[4]]'), (-5, 2, '[[0],[1]]'), (-7, 3, '[[0]]'), (-9, 2, '[]'),
	(2147483647, 2147483647, '[]'), (-2147483648, 2147483647, '[[0],[1],[2],[3]]'),
	(1, 2147483647, '[[1],[2],[3],[4]]')) v(first, count, result);
SELECT throws_ok($$SELECT jsonrow_slice('{"cols":[],"rows":[]}', 0, -1)$$, '22023',
	'number of rows must not be negative', 'a negative number of rows');
SELECT throws_ok($$SELECT jsonrow_chunks('{"cols":[],"rows":[]}', 0)$$, '22023', 'chunk size must be positive',
	'a chunk of nothing');
SELECT is(array_agg(format('%s: %s', first_row, doc)), ARRAY['0: {"cols": ["a"], "rows": []}'],
	'no rows are one chunk') FROM jsonrow_chunks('{"cols":["a"],"rows":[]}', 1);
SELECT is(array_agg(first_row), ARRAY[0, 1, 2], 'rows too large are chunks by themselves')
FROM jsonrow_chunks('{"cols":["a"],"rows":[["xxxxxxxx"],["y"],["z"]]}', 1);
SELECT is((SELECT count(*) FROM jsonrow_chunks(d, pg_column_size(d) - less))::int, 1 + less,
	'a limit that the document just ' || CASE less WHEN 0 THEN 'meets' ELSE 'exceeds' END)
FROM generate_series(0, 1) less, (SELECT doc || '{}' AS d FROM lengths UNION ALL SELECT jsonrow_to_columns(doc)
	|| '{}' FROM lengths WHERE n BETWEEN 2 AND 999 OFFSET 0) s
WHERE jsonb_array_length(coalesce(d -> 'rows', d -> 'vals' -> 0)) > 1;

-- chunks of 2000 bytes stay inline, whatever the cells
CREATE TABLE chunked (id int, first_row int, doc jsonrow);
INSERT INTO chunked SELECT 1, c.* FROM (SELECT jsonrow_agg('{id,name,price,tags}', i, 'name of ' || i, i * 1.25,
	ARRAY['x', md5(i::text)]) AS doc FROM generate_series(1, 5000) i) s, jsonrow_chunks(doc, 2000) c;
INSERT INTO chunked SELECT 2, c.* FROM (SELECT jsoncol_agg('{id,name,price,tags}', i, 'name of ' || i, i * 1.25,
	ARRAY['x', md5(i::text)]) AS doc FROM generate_series(1, 5000) i) s, jsonrow_chunks(doc, 2000) c;
SELECT cmp_ok(max(pg_column_size(doc)), '<=', 2000, 'no chunk is larger than 2000 bytes') FROM chunked GROUP BY id
	ORDER BY id;
SELECT cmp_ok(min(pg_column_size(doc)) FILTER (WHERE first_row < 4900), '>', 1800,
	'no chunk but the last is much smaller than 2000 bytes') FROM chunked
GROUP BY id ORDER BY id;
SELECT is(pg_relation_size(reltoastrelid), 0::bigint, 'no chunk of 2000 bytes is out of line') FROM pg_class
WHERE oid = 'chunked'::regclass;
SELECT is((SELECT jsonrow_concat_agg(doc ORDER BY first_row) FROM chunked WHERE id = 1),
	(SELECT jsonrow_agg('{id,name,price,tags}', i, 'name of ' || i, i * 1.25, ARRAY['x', md5(i::text)])
	FROM generate_series(1, 5000) i), 'chunks of 2000 bytes hold all rows');
SELECT is(jsonrow_to_rows((SELECT jsonrow_concat_agg(doc ORDER BY first_row) FROM chunked WHERE id = 2)),
	(SELECT jsonrow_concat_agg(doc ORDER BY first_row) FROM chunked WHERE id = 1),
	'chunks of 2000 bytes hold all rows, by column');

-- edited: by name, out of range, what does not fit
SELECT is(jsonrow_set('{"cols":["a","b","a"],"rows":[[1,2,3],null]}', r, c, '"x"') -> 'rows', result::jsonb,
	format('set %s %s', r, c))
FROM (VALUES (0, 'a', '[["x",2,3],null]'), (0, 'b', '[[1,"x",3],null]'), (-2, 'b', '[[1,"x",3],null]'),
	(1, 'a', '[[1,2,3],null]'), (2, 'a', '[[1,2,3],null]'), (-3, 'a', '[[1,2,3],null]'), (0, 'z', '[[1,2,3],null]'),
	(0, '', '[[1,2,3],null]')) v(r, c, result);
SELECT is(jsonrow_set('{"cols":["a","b"],"vals":[[1,2],[3,4]]}', r, c, '"x"') -> 'vals', result::jsonb,
	format('set %s %s by column', r, c))
FROM (VALUES (0, 0, '[["x",2],[3,4]]'), (1, -1, '[[1,2],[3,"x"]]'), (2, 0, '[[1,2],[3,4]]'),
	(0, 2, '[[1,2],[3,4]]'), (0, -3, '[[1,2],[3,4]]'), (2147483647, 2147483647, '[[1,2],[3,4]]'),
	(-2147483648, -2147483648, '[[1,2],[3,4]]')) v(r, c, result);
SELECT is(jsonrow_delete('{"cols":["a"],"rows":[[1],[2]]}', r) -> 'rows', result::jsonb, 'delete ' || r)
FROM (VALUES (0, '[[2]]'), (-1, '[[1]]'), (2, '[[1],[2]]'), (-3, '[[1],[2]]')) v(r, result);
SELECT is(jsonrow_append('{"cols":["a","b"],"vals":[[1],[2]]}', 'null')::text,
	'{"cols": ["a", "b"], "vals": [[1, null], [2, null]]}', 'append null by column');
SELECT is(jsonrow_append('{"cols":["a","b"],"rows":[]}', 'null')::text, '{"cols": ["a", "b"], "rows": [null]}',
	'append null');
SELECT throws_ok(format('SELECT jsonrow_append(%L, %L)', doc, r), '22023', 'row does not fit the document',
	format('append %s to %s', r, doc))
FROM unnest(ARRAY['{"cols":["a","b"],"rows":[]}', '{"cols":["a","b"],"vals":[[],[]]}']) doc,
	unnest(ARRAY['[]', '[1]', '[1,2,3]', '1', '"x"', '{}', '{"a":1,"b":2}']) r;
SELECT throws_ok(format('SELECT jsonrow_append(%L, %L)', doc, r), '22023', 'value does not fit column "d"',
	format('append %s to %s', r, doc))
FROM unnest(ARRAY['{"cols":["a",{"d":[["x"]]}],"rows":[]}', '{"cols":["a",{"d":[["x"]]}],"vals":[[],[]]}',
	'{"cols":["a",{"d":["x"]}],"rows":[]}']) doc, unnest(ARRAY['[1,2]', '[1,[2,3]]', '[1,[[2,3]]]', '[1,{}]',
	'[1,"null"]']) r
WHERE NOT (doc LIKE '%["x"]}%' AND doc NOT LIKE '%[["x"]]%' AND r = '[1,[[2,3]]]');
SELECT throws_ok(format('SELECT jsonrow_set(%L, 0, 0, %L)', '{"cols":[{"d":[["x"]]}],"rows":[[null]]}', v), '22023',
	'value does not fit column "d"', 'set a nested cell to ' || v) FROM unnest(ARRAY['1', '[1]', '[[1,2]]', '{}']) v;
SELECT is(jsonrow_set('{"cols":[{"d":[["x"]]}],"rows":[[null]]}', 0, 'd', '[[1],null]')::text,
	'{"cols": [{"d": [["x"]]}], "rows": [[[[1], null]]]}', 'set a nested cell to rows');
SELECT is(jsonrow_path(doc, r, c), path::text[], format('path of %s %s', r, c))
FROM (VALUES ('{"cols":["a","b"],"rows":[[1,2],[3,4]]}'::jsonb, 1, 'b', '{rows,1,1}'),
	('{"cols":["a","b"],"rows":[[1,2],[3,4]]}', -2, 'a', '{rows,0,0}'), ('{"cols":["a","b"],"vals":[[1,3],[2,4]]}',
	1, 'a', '{vals,0,1}'),
	('{"cols":["a","b"],"rows":[[1,2],[3,4]]}', 2, 'a', NULL), ('{"cols":["a","b"],"rows":[[1,2],[3,4]]}', -3, 'a',
		NULL), ('{"cols":["a","b"],"rows":[[1,2],[3,4]]}', 0, 'c', NULL),
	('{"cols":["b",{"a":["b"]},"a"],"rows":[[1,[2],3]]}', 0, 'a', '{rows,0,1}')) v(doc, r, c, path);
SELECT is(ROW(jsonrow_set(NULL, 0, 0, '1'), jsonrow_set('{"cols":[],"rows":[]}', 0, 0, NULL),
	jsonrow_append(NULL, '[]'), jsonrow_delete(NULL, 0), jsonrow_slice(NULL, 0, 0),
	jsonrow_concat(NULL, '{"cols":[],"rows":[]}'), jsonrow_to_rows(NULL), jsonrow_to_columns(NULL),
	jsonrow_to_objects(NULL), jsonrow_from_objects(NULL), jsonrow_path(NULL, 0, 0))::text, '(,,,,,,,,,,)',
	'NULL gives NULL');

-- in place, if it was fetched; the stored document itself stays as it is
CREATE TABLE stored (how text, doc jsonb, col jsonb);
INSERT INTO stored SELECT how, doc, jsonrow_to_columns(doc) FROM unnest(ARRAY['external', 'compressed']) how,
	(SELECT jsonrow_agg('{id,name,d}', i, repeat('x', i % 9), (SELECT jsonrow_agg('{n,t}', n, 't' || n)
	FROM generate_series(1, i % 4) n)) AS doc FROM generate_series(1, 3000) i) s;
ALTER TABLE stored ALTER doc SET STORAGE EXTERNAL, ALTER col SET STORAGE EXTERNAL;
UPDATE stored SET doc = doc || '{}', col = col || '{}' WHERE how = 'external';
SELECT cmp_ok(pg_column_size(doc), CASE how WHEN 'external' THEN '>' ELSE '<' END, 100000,
	'size of a document, stored ' || how) FROM stored;
SELECT is(pg_temp.check_document(doc), NULL, 'a document in memory') FROM (SELECT doc || '{}' AS doc FROM stored
	WHERE how = 'external' OFFSET 0) s;
CREATE FUNCTION pg_temp.edits(col text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	edit text;
	fetched boolean;
BEGIN
	FOREACH edit IN ARRAY ARRAY['jsonrow_set(%1$s, 1500, ''name'', ''"abc"'')',
		'jsonrow_set(%1$s, 0, ''name'', to_jsonb(repeat(''long'', 5000)))', 'jsonrow_set(%1$s, -1, 0, ''1e100'')',
		'jsonrow_set(%1$s, 1503, ''d'', ''null'')',
		'jsonrow_set(%1$s, 4, ''d'', ''[[1,"x"],[2,"y"],[3,"z"],[4,"w"]]'')',
		'jsonrow_append(%1$s, ''[1,"x",null]'')', 'jsonrow_append(%1$s, ''null'')', 'jsonrow_delete(%1$s, 0)',
		'jsonrow_delete(%1$s, 1500)', 'jsonrow_delete(%1$s, -1)', 'jsonrow_slice(%1$s, 0, 10)',
		'jsonrow_slice(%1$s, 1000, 1000)', 'jsonrow_slice(%1$s, 2999, 5)', 'jsonrow_slice(%1$s, 0, 5000)'] LOOP
		EXECUTE format('SELECT bool_and(pg_temp.same(%s, %s)) FROM stored', format(edit, col),
			format(edit, '(' || col || ' || ''{}'')')) INTO fetched;
		RETURN NEXT ok(fetched, 'fetched: ' || format(edit, col));
	END LOOP;
	EXECUTE format('SELECT count(DISTINCT %s) = 1 AND bool_and(pg_temp.is_canonical(%1$s)) FROM stored', col)
		INTO fetched;
	RETURN NEXT ok(fetched, col || ' is as it was');
END $$;
SELECT pg_temp.edits(c) FROM unnest(ARRAY['doc', 'col']) c;

-- no document
CREATE TABLE bad (doc jsonb);
INSERT INTO bad VALUES ('null'), ('1'), ('"x"'), ('[]'), ('{}'), ('{"cols":["a"]}'), ('{"rows":[]}'),
	('{"Cols":["a"],"rows":[]}'), ('{"cols":["a"],"row":[]}'), ('{"cols":["a"],"rows":[],"vals":[[]]}'),
	('{"cols":["a"],"rows":[],"x":1}'),
	('{"cols":"a","rows":[]}'), ('{"cols":1,"rows":[]}'), ('{"cols":null,"rows":[]}'),
	('{"cols":{"a":1},"rows":[]}'), ('{"cols":[1],"rows":[]}'), ('{"cols":[null],"rows":[[1]]}'),
	('{"cols":[["a"]],"rows":[]}'), ('{"cols":[{}],"rows":[]}'), ('{"cols":[{"a":1}],"rows":[]}'),
	('{"cols":[{"a":["b"],"c":["d"]}],"rows":[]}'),
	('{"cols":["a"],"rows":1}'), ('{"cols":["a"],"rows":{}}'), ('{"cols":["a"],"rows":[1]}'),
	('{"cols":["a"],"rows":[{}]}'), ('{"cols":["a"],"rows":["x"]}'), ('{"cols":["a"],"rows":[[]]}'),
	('{"cols":["a"],"rows":[[1],[1,2]]}'), ('{"cols":["a","b"],"rows":[[1,2],null,[1]]}'),
	('{"cols":[],"rows":[[1]]}'),
	('{"cols":["a"],"vals":1}'), ('{"cols":["a"],"vals":[]}'), ('{"cols":["a"],"vals":[1]}'),
	('{"cols":["a"],"vals":[null]}'), ('{"cols":["a"],"vals":[{}]}'), ('{"cols":["a","b"],"vals":[[1],[1,2]]}'),
	('{"cols":["a"],"vals":[[1],[2]]}'), ('{"cols":[],"vals":[[]]}');
CREATE TABLE calls (call text);
INSERT INTO calls VALUES ('jsonrow_to_rows(%L)'), ('jsonrow_to_columns(%L)'), ('jsonrow_to_objects(%L)'),
	('jsonrow_concat(%1$L, %1$L)'), ('jsonrow_set(%L, 0, 0, ''1'')'), ('jsonrow_set(%L, 0, ''a'', ''1'')'),
	('jsonrow_append(%L, ''[1]'')'), ('jsonrow_delete(%L, 0)'), ('jsonrow_slice(%L, 0, 1)'),
	('jsonrow_chunks(%L, 100)');
SELECT throws_ok('SELECT ' || format(call, doc), '22023', 'jsonb value is not a jsonrow document',
	format(call, doc)) FROM bad, calls;
SELECT throws_ok(format('SELECT jsonrow_path(%L, 0, 0)', doc), '22023', 'jsonb value is not a jsonrow document',
	'path in ' || doc::text) FROM bad WHERE doc::text !~ '"rows": \[[^]]'
	AND doc <> '{"cols":["a","b"],"vals":[[1],[1,2]]}';
SELECT throws_ok(format('SELECT %s(%L)', f, doc), '22023', 'jsonb value is not a jsonrow document',
	format('%s of what is nested in %s', f, doc))
FROM unnest(ARRAY['{"cols":[{"a":["x"]}],"rows":[[1]]}', '{"cols":[{"a":["x"]}],"rows":[[[1,2]]]}',
	'{"cols":[{"a":["x"]}],"rows":[[{}]]}', '{"cols":[{"a":[["x"]]}],"rows":[[1]]}',
	'{"cols":[{"a":[["x"]]}],"rows":[[[1]]]}', '{"cols":[{"a":[["x"]]}],"rows":[[[[1,2]]]]}',
	'{"cols":[{"a":[["x"]]}],"rows":[[{}]]}',
	'{"cols":[{"a":[]}],"rows":[[[1]]]}', '{"cols":[{"a":["x"]}],"vals":[[1]]}',
	'{"cols":[{"a":[["x"]]}],"vals":[[[1]]]}']) doc, unnest(ARRAY['jsonrow_to_objects', 'turn']) function(name),
		LATERAL (SELECT CASE WHEN name <> 'turn' THEN name WHEN doc LIKE '%vals%' THEN 'jsonrow_to_rows'
		ELSE 'jsonrow_to_columns' END AS f) g;

SELECT * FROM finish();
ROLLBACK;
