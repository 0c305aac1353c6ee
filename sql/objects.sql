-- rows as objects
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE TABLE film (id int, title text);
CREATE TABLE actor (film_id int, name text);
INSERT INTO film VALUES (1, 'Alien'), (2, 'Brazil');
INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt');

SELECT jsonrow_objects_agg(film), jsonrow_objects_agg_json(film) FROM film;
SELECT jsonrow_objects_agg('{title,no}', title, id), jsonrow_objects_agg_json('{title,no}', title, id) FROM film;
SELECT jsonrow_objects_agg(film), jsonrow_objects_agg_json('{id}', id) FROM film WHERE false;

-- nested documents become arrays of objects
SELECT jsonrow_objects_agg_json(f.*) FROM (
	SELECT title, (
		SELECT jsonrow_agg_json(a.*) FROM (
			SELECT name FROM actor WHERE film_id = film.id) a) AS actors
	FROM film) f;
SELECT jsonrow_objects_agg(f.*) FROM (
	SELECT title, (
		SELECT jsonrow_agg(a.*) FROM (
			SELECT name FROM actor WHERE film_id = film.id) a) AS actors
	FROM film) f;

-- errors
SELECT jsonrow_objects_agg('{a}', 1, 2);
SELECT jsonrow_objects_agg('{a,NULL}', 1, 2);

-- PostgreSQL's own functions, as ours
SELECT jsonrow_core_json_agg(film), jsonrow_core_jsonb_agg(film) FROM film;
SELECT jsonrow_core_json_agg('{title}', title), jsonrow_core_jsonb_agg('{title}', title) FROM film;
SELECT jsonrow_core_json_agg_row_to_json('{title}', title) FROM film;
SELECT jsonrow_core_json_agg_build_object('{title}', title) FROM film;
SELECT jsonrow_core_json_agg_build_array(id, title), jsonrow_core_jsonb_agg_build_array(id, title) FROM film;
SELECT jsonrow_core_json_object_agg(id, title), jsonrow_core_jsonb_object_agg(id, title) FROM film;
SELECT jsonrow_core_json_build_object('id', id, 'title', title), jsonrow_core_jsonb_build_object('id', id,
	'title', title)
FROM film;
SELECT jsonrow_core_json_build_array(id, title), jsonrow_core_jsonb_build_array(id, title) FROM film;
SELECT jsonrow_core_row_to_json(film), jsonrow_core_row_to_json(film, true), jsonrow_core_to_jsonb(film) FROM film;
SELECT jsonrow_core_row_to_json('{a,b}', 1, 2), jsonrow_core_to_jsonb('{a,b}', 1, 2);
SELECT jsonrow_core_array_to_json('{{1,2},{3,4}}'::int[], true), jsonrow_core_to_json('a "b"'::text);
SELECT jsonrow_core_json_build_object('a');

-- and those from JSON to rows
SELECT * FROM jsonrow_core_json_to_recordset('[{"id":1,"tags":["x",null]},{"id":null}]') r(id int, tags text[]);
SELECT * FROM jsonrow_core_jsonb_to_recordset('[{"id":"x"}]') r(id int);
SELECT * FROM jsonrow_core_json_to_record('{"id":1,"title":"\u0041"}') r(id int, title text);
SELECT * FROM jsonrow_core_jsonb_to_record('[]') r(id int);
SELECT jsonrow_core_json_populate_record(f, '{"title":"Solaris"}') FROM film f;
SELECT jsonrow_core_jsonb_populate_recordset(NULL::film, '[{"id":7},{"title":"Stalker"}]');
SELECT jsonrow_core_json_array_elements('[1, "a", [2]]'), jsonrow_core_jsonb_array_elements_text('["a", null]');
SELECT * FROM jsonrow_core_jsonb_array_elements('{}');
SELECT * FROM jsonrow_core_json_each('{"a": 1, "a": "b"}'), jsonrow_core_jsonb_each_text('{"b": null}') t;
SELECT jsonrow_core_json_object_keys('{"b": 1, "a": 2}'), jsonrow_core_jsonb_object_keys('{"b": 1, "a": 2}');

DROP TABLE film, actor;
