-- The aggregates by example.  The laws are tested by pgtap/.
CREATE EXTENSION jsonrow;

CREATE TYPE address AS (street text, zip int);
CREATE TABLE film (id int, title text, price numeric(5, 2), released date, studio address);
INSERT INTO film VALUES
	(1, 'One "quoted"', 1.50, '2001-02-03', ('Main St', 12345)),
	(2, NULL, 20, NULL, NULL);
CREATE TABLE actor (film_id int, name text);
INSERT INTO actor VALUES (1, 'Ann'), (1, 'Bob');

-- both forms, both formats
SELECT jsonrow_agg(f) FROM film f;
SELECT jsonrow_agg_json(f) FROM film f;
SELECT jsonrow_agg(ARRAY['id', 'name'], id, title) FROM film;
SELECT jsonrow_agg_json(ARRAY['id', 'name'], id, title ORDER BY id DESC) FROM film;

-- the bare array of rows
SELECT jsonrow_array_agg(id, title, price), jsonrow_array_agg_json(id, title, price) FROM film;
SELECT jsonrow_array_agg(f) FROM film f;

-- a nested document: its header moves out
SELECT jsonrow_agg_json(f) FROM (
	SELECT title, (SELECT jsonrow_agg_json(a) FROM (SELECT name FROM actor WHERE film_id = id) a) AS actors
	FROM film) f;

-- by column
SELECT jsoncol_agg(f) FROM film f;
SELECT jsoncol_agg_json(ARRAY['id', 'name'], id, title) FROM film;

-- documents turned, put together, taken apart, edited
CREATE TABLE doc AS SELECT jsonrow_agg(ARRAY['id', 'name'], id, title) AS doc FROM film;
SELECT jsonrow_to_objects(doc) FROM doc;
SELECT jsonrow_from_objects('[{"id": 1, "name": "x"}, {"id": 2, "price": 1.5}, null]');
SELECT jsonrow_to_columns(doc), jsonrow_to_rows(jsonrow_to_columns(doc)) FROM doc;
SELECT jsonrow_concat(doc, doc), jsonrow_concat_agg(doc) FROM doc GROUP BY doc;
SELECT jsonrow_slice(doc, 1, 10) FROM doc;
SELECT c.* FROM doc, jsonrow_chunks(doc, 80) c;
SELECT jsonrow_set(doc, 0, 'name', '"new"'), jsonrow_set(doc, -1, 1, '"new"') FROM doc;
SELECT jsonrow_append(doc, '[3, "three"]'), jsonrow_delete(doc, 0) FROM doc;
SELECT jsonrow_path(doc, 1, 'name'), jsonrow_path(jsonrow_to_columns(doc), 1, 1), doc #>> jsonrow_path(doc, 0, 'name') FROM doc;

-- no rows
SELECT jsonrow_agg(f), jsonrow_agg_json(ARRAY['a'], id), jsonrow_array_agg(id) FROM film f WHERE false;

-- the domains
SELECT pg_typeof(jsonrow_agg(f)), pg_typeof(jsonrow_agg_json(f)) FROM film f;
SELECT '{"cols":["a"],"rows":[[1,2]]}'::jsonrow;
SELECT jsonrow_is_valid('{"cols":["a"],"rows":[[1]]}'::jsonb), jsonrow_is_valid('[]'::json);

-- errors
SELECT jsonrow_agg(ARRAY['a', 'b'], id) FROM film;
SELECT jsonrow_agg(ARRAY['a', NULL], id, id) FROM film;
SELECT jsonrow_agg('{d}', d::jsonrow) FROM (VALUES ('{"cols":["a"],"rows":[]}'), ('{"cols":["b"],"rows":[]}')) v(d);
SELECT jsonrow_agg('{x}', repeat('x', 1000000)) FROM generate_series(1, 300);
SELECT jsonrow_to_objects('{"cols":["a","b"],"rows":[[1,2],[3]]}');
SELECT jsonrow_to_rows('{"cols":["a","b"],"vals":[[1],[]]}');
SELECT jsonrow_from_objects('[1]');
SELECT jsonrow_concat('{"cols":["a"],"rows":[]}', '{"cols":["a"],"vals":[[]]}');
SELECT jsonrow_append(doc, '[3]') FROM doc;

-- everything of ours is stated and commented on
SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e'
JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'jsonrow'
WHERE p.proparallel <> 's' OR obj_description(p.oid, 'pg_proc') IS NULL;

DROP TABLE doc;

-- anybody who may create in a database may create it, in any schema
CREATE ROLE regress_jsonrow;
SELECT format('GRANT CREATE ON DATABASE %I TO regress_jsonrow', current_database()) \gexec
DROP EXTENSION jsonrow;
SET ROLE regress_jsonrow;
CREATE SCHEMA elsewhere;
CREATE EXTENSION jsonrow SCHEMA elsewhere;
SELECT elsewhere.jsonrow_agg(s) FROM (SELECT (SELECT elsewhere.jsonrow_agg('{n}', n)) AS d FROM generate_series(1, 2) n) s;
RESET ROLE;
CREATE SCHEMA moved;
ALTER EXTENSION jsonrow SET SCHEMA moved;
SELECT moved.jsonrow_agg(s) FROM (SELECT (SELECT moved.jsonrow_agg('{n}', n)) AS d FROM generate_series(1, 2) n) s;
DROP EXTENSION jsonrow;
DROP SCHEMA elsewhere, moved;
SELECT format('REVOKE CREATE ON DATABASE %I FROM regress_jsonrow', current_database()) \gexec
DROP ROLE regress_jsonrow;
DROP TABLE film, actor;
DROP TYPE address;
