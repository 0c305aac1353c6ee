-- Cells, rows and columns out of a document of either orientation.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;
\pset null <NULL>

CREATE TEMP TABLE docs (id int, doc jsonb);
INSERT INTO docs VALUES
	(1, '{"cols": ["a", "b", "a", {"n": [["x"]]}],
		"rows": [[1, "one", 1.5, [[10], [11]]], null, [3, null, {"k": 1}, null]]}'),
	(2, '{"cols": ["a", "b", "a", {"n": [["x"]]}],
		"vals": [[1, null, 3], ["one", null, null], [1.5, null, {"k": 1}], [[[10], [11]], null, null]]}');

-- a cell, by name and by number, from the front and from the end
SELECT id, jsonrow_get(doc, 0, 'b'), jsonrow_get(doc, 0, 'a'), jsonrow_get(doc, 0, 2),
	jsonrow_get(doc, -1, -2), jsonrow_get(doc, 0, 'n') FROM docs;
SELECT id, jsonrow_get_text(doc, 0, 'b'), jsonrow_get_text(doc, 0, 2), jsonrow_get_text(doc, -1, -2),
	jsonrow_get_text(doc, 2, 'b') FROM docs;
-- a null, and what is not there
SELECT id, jsonrow_get(doc, 2, 'b'), jsonrow_get(doc, 1, 'a'), jsonrow_get(doc, 3, 'a'),
	jsonrow_get(doc, -4, 0), jsonrow_get(doc, 0, 'z'), jsonrow_get(doc, 0, 4), jsonrow_get(doc, 0, -5)
FROM docs;
SELECT id, jsonrow_get_text(doc, 1, 'a'), jsonrow_get_text(doc, 3, 'a'), jsonrow_get_text(doc, 0, 'z'),
	jsonrow_get_text(doc, 0, 9) FROM docs;
SELECT jsonrow_get(NULL, 0, 'a'), jsonrow_get(doc, NULL, 'a'), jsonrow_get(doc, 0, NULL::text),
	jsonrow_get(doc, 0, NULL::int), jsonrow_get_text(NULL, 0, 0), jsonrow_get_text(doc, 0, NULL::text)
FROM docs WHERE id = 1;

-- a row
SELECT id, jsonrow_row(doc, 0), jsonrow_row(doc, 1), jsonrow_row(doc, -1), jsonrow_row(doc, 3) FROM docs;
SELECT id, jsonrow_object(doc, 0), jsonrow_object(doc, 1), jsonrow_object(doc, -1),
	jsonrow_object(doc, -4) FROM docs;
SELECT jsonrow_row(NULL, 0), jsonrow_row(doc, NULL), jsonrow_object(NULL, 0), jsonrow_object(doc, NULL)
FROM docs WHERE id = 1;

-- a column
SELECT id, jsonrow_col(doc, 'b'), jsonrow_col(doc, 'a'), jsonrow_col(doc, 2), jsonrow_col(doc, -1) FROM docs;
SELECT id, jsonrow_col(doc, 'z'), jsonrow_col(doc, 4), jsonrow_col(doc, NULL::text), jsonrow_col(NULL, 0)
FROM docs;

-- names and number
SELECT id, jsonrow_cols(doc), jsonrow_count(doc) FROM docs;
SELECT jsonrow_cols(d), jsonrow_count(d) FROM (VALUES ('{"cols":[],"rows":[]}'::jsonb),
	('{"cols":[],"rows":[[],[]]}'), ('{"cols":["a"],"vals":[[]]}'), ('{"cols":[],"vals":[]}'), (NULL)) v(d);

-- the first row whose cell equals the value
SELECT id, jsonrow_find(doc, 'a', '3'), jsonrow_find(doc, 'b', '"one"'), jsonrow_find(doc, 'b', 'null'),
	jsonrow_find(doc, 'a', '4'), jsonrow_find(doc, 'z', '1'), jsonrow_find(doc, 'a', '1.00'),
	jsonrow_find(doc, 'n', '[[10],[11]]') FROM docs;
SELECT jsonrow_find(NULL, 'a', '1'), jsonrow_find(doc, NULL, '1'), jsonrow_find(doc, 'a', NULL) FROM docs
WHERE id = 1;

-- the path of a cell
SELECT id, jsonrow_path(doc, 0, 'b'), jsonrow_path(doc, -1, -1),
	doc #>> jsonrow_path(doc, 0, 'b') AS cell FROM docs;
SELECT id, jsonrow_path(doc, 3, 'b'), jsonrow_path(doc, 0, 'z'), jsonrow_path(doc, 0, 4),
	jsonrow_path(doc, 0, NULL::int), jsonrow_path(NULL, 0, 0) FROM docs;
SELECT doc[p[1]][p[2]][p[3]] FROM (SELECT doc, jsonrow_path(doc, 0, 'b') AS p FROM docs) s;

-- no document
SELECT jsonrow_get('1', 0, 0);
SELECT jsonrow_get('{"cols":["a"]}', 0, 'a');
SELECT jsonrow_get_text('[]', 0, 'a');
SELECT jsonrow_row('{"rows":[]}', 0);
SELECT jsonrow_object('{"cols":["a"],"rows":[[1,2]]}', 0);
SELECT jsonrow_col('{"cols":["a"],"rows":[[1],[]]}', 0);
SELECT jsonrow_cols('{"cols":[1],"rows":[]}');
SELECT jsonrow_count('{"cols":["a"],"rows":[],"x":1}');
SELECT jsonrow_find('{"cols":["a"],"rows":{}}', 'a', '1');
SELECT jsonrow_path('{"cols":{},"rows":[]}', 0, 0);

-- PostgreSQL's own operators, as ours
CREATE TEMP TABLE stored AS SELECT '{"a":{"b":[1,"x",null]},"n":null}'::jsonb AS d, '{"a" : 1, "a" : [2]}'::json AS j;
SELECT jsonrow_core_get(d, 'a', 'b', -2), jsonrow_core_get_text(d, 'a', 'b', 1),
	jsonrow_core_get(d, '{a,b,0}'::text[]), jsonrow_core_get_text(d, 'n'),
	jsonrow_core_get(d, 'a', 3), jsonrow_core_get(d, NULL::text)
FROM stored;
SELECT jsonrow_core_get(j, 'a'), jsonrow_core_get_text(j, 'a', 0), jsonrow_core_get(j, '{a,1}'::text[]) FROM stored;
SELECT jsonrow_core_get('5'::jsonb, 0), jsonrow_core_get('5'::jsonb, '{}'::text[]),
	jsonrow_core_get('5'::jsonb, '{0}'::text[]);
SELECT jsonrow_core_get(d, 1.5) FROM stored;
SELECT jsonrow_core_subscript(d, 'a', 'b', i), jsonrow_core_subscript(d, 'n', i), jsonrow_core_subscript(d, i, 'a'),
	jsonrow_core_subscript('{"1":"x","-2":"y"}', i), jsonrow_core_subscript('["x","y"]', i::text)
FROM stored, generate_series(-2, 1) i;
SELECT jsonrow_core_subscript(d, NULL::int), jsonrow_core_subscript('"x"', 0) FROM stored;
SELECT jsonrow_core_subscript(d, '{a}'::text[]) FROM stored;
