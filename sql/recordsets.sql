-- Documents as sets of rows.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;
\pset null <NULL>

CREATE TYPE pg_temp.pair AS (x int, y text);
CREATE TEMP TABLE film (id int, title text, price numeric(5, 2), tags text[]);
CREATE TEMP TABLE docs (id int, doc jsonb);
INSERT INTO docs VALUES
	(1, '{"cols": ["id", "title", {"p": ["x", "y"]}, {"n": [["x", "y"]]}],
		"rows": [[1, "one", [5, "y"], [[1, "a"], [2, "b"]]], null, [3, null, null, []]]}'),
	(2, '{"cols": ["id", "title", {"p": ["x", "y"]}, {"n": [["x", "y"]]}],
		"vals": [[1, null, 3], ["one", null, null], [[5, "y"], null, null], [[[1, "a"], [2, "b"]], null, []]]}');

SELECT id, e.* FROM docs, jsonrow_each(doc) e ORDER BY id, "row";
SELECT count(*) FROM jsonrow_each('{"cols":["a"],"rows":[]}');
SELECT count(*) FROM jsonrow_each(NULL);

-- by a column definition list: found by name, in any order
SELECT d.id, r.* FROM docs d, jsonrow_to_recordset(doc) r(title text, id int8, missing date)
ORDER BY d.id, r.id;
SELECT d.id, r.* FROM docs d, jsonrow_to_recordset(doc) r(p pg_temp.pair, n pg_temp.pair[]) ORDER BY d.id, r;
SELECT d.id, r.* FROM docs d, jsonrow_to_recordset(doc) r(p text, n jsonb) ORDER BY d.id, r;
SELECT d.id, r.* FROM docs d, jsonrow_to_recordset(doc) r(n jsonrow) ORDER BY d.id, r;
SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[[1,null]],[[[1,2],[3,4]]],[[]],["{5,6}"],[null]]}')
	r(a int[]);
SELECT * FROM jsonrow_to_recordset('{"cols":["d","t"],"rows":[["2021-02-03","2021-02-03T04:05:06.5"]]}')
	r(d date, t timestamp);
SELECT count(*) FROM jsonrow_to_recordset(NULL) r(a int);

-- as values of a row type; what is missing is base's
SELECT d.id, r.* FROM docs d, jsonrow_populate_recordset(NULL::film, doc) r ORDER BY d.id, r.id;
SELECT r.* FROM jsonrow_populate_recordset(ROW(0, 'none', 9.99, '{x}')::film,
	'{"cols":["title","id"],"rows":[["a",1],[null,2],null]}') r;
INSERT INTO film SELECT * FROM jsonrow_populate_recordset(NULL::film,
	'{"cols":["id","title","price","tags"],"rows":[[1,"a",1.5,["x","y"]]]}');
SELECT * FROM film;
SELECT count(*) FROM jsonrow_populate_recordset(NULL::film, NULL);

-- errors
SELECT * FROM jsonrow_each('{"cols":["a"]}');
SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[["x"]]}') r(a int);
SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[5]]}') r(a int[]);
SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[[[1],[2,3]]]]}') r(a int[]);
SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[[[1],2]]]}') r(a int[]);
SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[[[[[[[[1]]]]]]]]]}') r(a int[]);
SELECT * FROM jsonrow_to_recordset('{"cols":["a"],"rows":[[5]]}') r(a pg_temp.pair);
SELECT * FROM jsonrow_to_recordset('{"cols":[{"a":["x"]}],"rows":[[[1,2]]]}') r(a pg_temp.pair);
SELECT * FROM jsonrow_to_recordset('1') r(a int);
SELECT jsonrow_to_recordset('{"cols":["a"],"rows":[[5]]}');
SELECT jsonrow_populate_recordset(NULL::record, '{"cols":["a"],"rows":[[5]]}');
SELECT * FROM jsonrow_populate_recordset(1, '{"cols":["a"],"rows":[[5]]}');
SELECT * FROM jsonrow_populate_recordset(NULL::film, '{"cols":["price"],"rows":[[12345]]}');
SELECT * FROM jsonrow_populate_recordset(NULL::film, '[]');
