-- Documents edited and cut.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;
\pset null <NULL>

CREATE TEMP TABLE docs (id int, doc jsonb);
INSERT INTO docs VALUES
	(1, '{"cols": ["a", "b", {"n": [["x"]]}], "rows": [[1, "one", [[10]]], null, [3, null, null]]}'),
	(2, '{"cols": ["a", "b", {"n": [["x"]]}], "vals": [[1, null, 3], ["one", null, null], [[[10]], null, null]]}');

-- one cell replaced
SELECT id, jsonrow_set(doc, 0, 'b', '"new"'), jsonrow_set(doc, -1, 0, '{"k": [1]}') FROM docs;
SELECT id, jsonrow_set(doc, 0, 'n', '[[1], null]'), jsonrow_set(doc, 0, 2, 'null') FROM docs;
SELECT id, jsonrow_set(doc, 3, 'a', '0') = doc AS no_row,
	jsonrow_set(doc, 0, 'z', '0') = doc AS no_column, jsonrow_set(doc, 0, -4, '0') = doc AS neither FROM docs;
SELECT jsonrow_set(doc, 1, 'a', '0') = doc AS null_row FROM docs WHERE id = 1;
SELECT jsonrow_set(NULL, 0, 'a', '0'), jsonrow_set(doc, NULL, 'a', '0'),
	jsonrow_set(doc, 0, NULL::text, '0'), jsonrow_set(doc, 0, 'a', NULL),
	jsonrow_set(doc, 0, NULL::int, '0') FROM docs WHERE id = 1;

-- one row more, one less
SELECT id, jsonrow_append(doc, '[4, "four", [[40], [41]]]') FROM docs;
SELECT id, jsonrow_append(doc, 'null') FROM docs;
SELECT id, jsonrow_delete(doc, 0), jsonrow_delete(doc, -1) FROM docs;
SELECT id, jsonrow_delete(doc, 3) = doc AS no_row, jsonrow_delete(doc, -4) = doc AS nor_this FROM docs;
SELECT jsonrow_append(NULL, '[]'), jsonrow_append(doc, NULL), jsonrow_delete(NULL, 0),
	jsonrow_delete(doc, NULL) FROM docs WHERE id = 1;

-- some rows
SELECT id, jsonrow_slice(doc, 1, 1), jsonrow_slice(doc, -1, 9) FROM docs;
SELECT id, jsonrow_slice(doc, 3, 1), jsonrow_slice(doc, 0, 0), jsonrow_slice(doc, -5, 3) FROM docs;
SELECT jsonrow_slice(NULL, 0, 1), jsonrow_slice(doc, NULL, 1), jsonrow_slice(doc, 0, NULL) FROM docs
WHERE id = 1;

-- pieces
SELECT c.first_row, pg_column_size(c.doc || '{}') <= 100 AS fits, c.doc
FROM jsonrow_chunks('{"cols":["a"],"rows":[["ten bytes."],["ten bytes."],["ten bytes."],["ten bytes."]]}', 100) c;
SELECT c.* FROM jsonrow_chunks('{"cols":["a"],"vals":[["longer than the limit","b"]]}', 1) c;
SELECT c.* FROM jsonrow_chunks('{"cols":["a"],"rows":[]}', 100) c;
SELECT count(*) FROM jsonrow_chunks(NULL, 100);
SELECT count(*) FROM docs, jsonrow_chunks(doc, NULL);

-- what they return is a jsonrow
SELECT pg_typeof(jsonrow_set(doc, 0, 0, '1')), pg_typeof(jsonrow_append(doc, 'null')),
	pg_typeof(jsonrow_delete(doc, 0)), pg_typeof(jsonrow_slice(doc, 0, 1)) FROM docs WHERE id = 1;

-- what does not fit
SELECT jsonrow_set(doc, 0, 'n', '5') FROM docs WHERE id = 1;
SELECT jsonrow_set(doc, 0, 'n', '[[1, 2]]') FROM docs WHERE id = 2;
SELECT jsonrow_set('{"cols":[{"r":["x","y"]}],"rows":[[null]]}', 0, 'r', '[1]');
SELECT jsonrow_append(doc, '[1, 2]') FROM docs WHERE id = 1;
SELECT jsonrow_append(doc, '{}') FROM docs WHERE id = 2;
SELECT jsonrow_append(doc, '[1, 2, 3]') FROM docs WHERE id = 1;
SELECT jsonrow_slice(doc, 0, -1) FROM docs WHERE id = 1;
SELECT jsonrow_chunks(doc, 0) FROM docs WHERE id = 1;
SELECT jsonrow_chunks(doc, -1) FROM docs WHERE id = 1;

-- no document
SELECT jsonrow_set('{"cols":["a"],"rows":[[1,2]]}', 0, 0, '1');
SELECT jsonrow_append('{"cols":["a"],"rows":5}', '[1]');
SELECT jsonrow_delete('{"cols":["a"],"vals":[[1],[2]]}', 0);
SELECT jsonrow_slice('{"cols":[{"n":["x"]}],"rows":[[5]]}', 0, 1);
SELECT jsonrow_chunks('[]', 10);
