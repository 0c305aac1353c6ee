-- Documents turned, put together, made of objects and turned into them.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;
\pset null <NULL>

CREATE TEMP TABLE docs (id int, doc jsonrow);
INSERT INTO docs VALUES
	(1, '{"cols": ["a", {"r": ["x", "y"]}, {"n": [["z"]]}], "rows": [[1, [5, "y"], [[10], [11]]], [2, null, null]]}'),
	(2, '{"cols": ["a", {"r": ["x", "y"]}, {"n": [["z"]]}], "rows": []}');

SELECT id, jsonrow_to_columns(doc) FROM docs;
SELECT id, jsonrow_to_rows(jsonrow_to_columns(doc)) = doc AS turned_back,
	jsonrow_to_rows(doc) = doc AS unchanged FROM docs;
SELECT jsonrow_to_columns('{"cols":["a","b"],"rows":[[1,2],null]}'), jsonrow_to_columns(NULL),
	jsonrow_to_rows(NULL);
SELECT id, jsonrow_to_objects(doc), jsonrow_to_objects(jsonrow_to_columns(doc)) FROM docs;
SELECT jsonrow_to_objects('{"cols":["b","a","b"],"rows":[[1,2,3],null]}'), jsonrow_to_objects(NULL);
SELECT jsonrow_from_objects('[{"id": 1, "name": "x"}, {"id": 2, "price": 1.5}, null, {}]');
SELECT jsonrow_from_objects('[]'), jsonrow_from_objects('[{"a": {"b": [1]}}]'), jsonrow_from_objects(NULL);

-- put together
SELECT jsonrow_concat('{"cols":["a"],"rows":[[1]]}', '{"cols":["a"],"rows":[[2],null]}');
SELECT jsonrow_concat('{"cols":["a"],"vals":[[1]]}', '{"cols":["a"],"vals":[["x"]]}');
SELECT jsonrow_concat(NULL, '{"cols":[],"rows":[]}'), jsonrow_concat('{"cols":[],"rows":[]}', NULL);
SELECT jsonrow_concat_agg(doc ORDER BY id), pg_typeof(jsonrow_concat_agg(doc)) FROM docs;
SELECT jsonrow_concat_agg(d) FROM (VALUES ('{"cols":["a"],"rows":[[1]]}'::jsonrow), (NULL),
	('{"cols":["a"],"rows":[[2]]}')) v(d);
SELECT jsonrow_concat_agg(doc) FROM docs WHERE false;
SELECT jsonrow_concat_agg(NULL);

-- errors
\set VERBOSITY terse
SELECT jsonrow_concat('{"cols":["a"],"rows":[]}', '{"cols":["b"],"rows":[]}');
SELECT jsonrow_concat_agg(d) FROM (VALUES ('{"cols":["a"],"rows":[]}'::jsonrow),
	('{"cols":["a","b"],"rows":[]}')) v(d);
\set VERBOSITY default
SELECT jsonrow_from_objects('[1]');
SELECT jsonrow_from_objects('{"a": 1}');
SELECT jsonrow_to_objects('{"cols":["a","b"],"rows":[[1,2],[3]]}');
SELECT jsonrow_to_objects('{"cols":[{"n":[["x"]]}],"rows":[[5]]}');
SELECT jsonrow_to_rows('{"cols":["a","b"],"vals":[[1],[]]}');
SELECT jsonrow_to_columns('{"cols":["a","b"],"vals":[[1]]}');
SELECT jsonrow_concat('1', '{"cols":["b"],"rows":[]}');
SELECT jsonrow_concat('{"cols":["b"],"rows":[]}', '{"cols":["b"],"rows":[1]}');
