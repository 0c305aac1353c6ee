-- Types in the header, and numbers as strings.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;
SET timezone = 'UTC';
SET datestyle = 'ISO';

CREATE DOMAIN pg_temp.id AS int8 CHECK (VALUE > 0);
CREATE TYPE pg_temp.mood AS ENUM ('so');
CREATE TYPE pg_temp.pair AS (a pg_temp.id, b varchar(5));
CREATE TEMPORARY TABLE item (id pg_temp.id, price numeric(10,2), at timestamptz(0), tags text[], mood pg_temp.mood,
	pair pg_temp.pair, pairs pg_temp.pair[]);
INSERT INTO item VALUES (9007199254740993, 0.1, '2024-05-01 12:00+00', '{a,NULL}', 'so', (1, 'x'),
	ARRAY[(2, 'y')]::pg_temp.pair[]);

SET jsonrow.header = types;
SELECT jsonrow_agg_json(item) FROM item;
SELECT jsonrow_agg(item) FROM item;
SELECT jsoncol_agg_json('{id,price}', id, price) FROM item;
SELECT jsoncol_agg('{id,price}', id, price) FROM item;
SELECT jsonrow_agg_json('{id,price}', id, price) FROM item WHERE id = 1;

SET jsonrow.big_numbers = string;
SELECT jsonrow_agg_json(item) FROM item;
SELECT jsonrow_agg('{id,price,nan,ids}', id, price, 'NaN'::numeric, ARRAY[id, NULL]) FROM item;
SELECT jsonrow_agg_json('{id,price,tags}', 9007199254740993, 0.10::numeric(10,2), ARRAY['a', 'b']);
SELECT * FROM jsonrow_populate_recordset(NULL::item, (SELECT jsonrow_agg(item) FROM item));
SELECT jsonrow_get(doc, 0, 'id'), jsonrow_get_text(doc, 0, 'id'), jsonrow_find(doc, 'id', '"9007199254740993"'),
	jsonrow_find(doc, 'id', '9007199254740993') FROM (SELECT jsonrow_agg('{id}', id) AS doc FROM item) d;

-- nested: each level's types are in the outer document's
SELECT jsonrow_agg_json(o) FROM (
	SELECT 7 AS no, (SELECT jsonrow_agg_json(l) FROM (SELECT id, tags FROM item) l) AS lines,
		(SELECT jsonrow_agg(l) FROM (SELECT mood FROM item WHERE id = 1) l) AS none) o;
SELECT d.lines FROM jsonrow_to_recordset((SELECT jsonrow_agg(l)
	FROM (SELECT jsonrow_agg('{id}', id) AS lines FROM item) l)) d(lines jsonrow);

-- what is kept
SELECT jsonrow_to_columns(doc), jsonrow_slice(doc, 1, 5), jsonrow_append(doc, '["2"]'), jsonrow_set(doc, 0, 0, 'null'),
	jsonrow_delete(doc, 0), jsonrow_to_objects(doc), jsonrow_from_objects(jsonrow_to_objects(doc))
FROM (SELECT jsonrow_agg('{id}', id) AS doc FROM item) d \gx
SELECT jsonrow_concat(a::jsonb, b::jsonb)
FROM (VALUES ('{"cols":["a"],"rows":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[2]],"types":["int4"]}'),
	('{"cols":["a"],"rows":[[1]],"types":["varchar(20)"]}', '{"cols":["a"],"rows":[[2]],"types":["varchar(30)"]}'),
	('{"cols":["a"],"rows":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[2]],"types":["int8"]}'),
	('{"cols":["a"],"rows":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[2]]}')) v(a, b);
\set SHOW_CONTEXT never
SELECT jsonrow_concat('{"cols":["a"],"rows":[[1]],"types":1}', '{"cols":["a"],"rows":[[2]],"types":["int4"]}');

-- what promises PostgreSQL's bytes
SELECT jsonrow_array_agg(id, price), jsonrow_objects_agg('{id,price}', id, price), jsonrow_core_to_json(id)
FROM item GROUP BY id;

SET jsonrow.header = other;
SET jsonrow.big_numbers = on;
RESET jsonrow.header;
RESET jsonrow.big_numbers;
SELECT jsonrow_agg_json('{id,price}', id, price) FROM item;
