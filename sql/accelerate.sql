-- PostgreSQL's own JSON functions in a query that nobody has changed
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

LOAD 'jsonrow';
CREATE TABLE film (id int, title text);
CREATE TABLE actor (film_id int, name text);
INSERT INTO film VALUES (1, 'Alien'), (2, 'Brazil');
INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt');

SHOW jsonrow.accelerate;
EXPLAIN (VERBOSE, COSTS OFF) SELECT json_agg(a) FROM (SELECT name FROM actor) a;
SELECT json_agg(a) FROM (SELECT name FROM actor) a;
SET jsonrow.accelerate = on;
EXPLAIN (VERBOSE, COSTS OFF) SELECT json_agg(a) FROM (SELECT name FROM actor) a;
SELECT json_agg(a) FROM (SELECT name FROM actor) a;

-- one query of each kind
CREATE FUNCTION shown(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
		IF line ~ '^ *Output:.*json' THEN
			RETURN NEXT regexp_replace(trim(line), 'OVER.*', 'OVER');	-- more of it in some releases
		END IF;
	END LOOP;
END $$;
SELECT shown('SELECT coalesce(json_agg(json_build_object(''id'', id, ''t'', title) ORDER BY id), ''[]'') FROM film');
SELECT shown('SELECT jsonb_agg(d) FROM (SELECT jsonb_build_object(''t'', title) d FROM film ORDER BY id LIMIT 1) s');
SELECT shown('SELECT json_agg(row_to_json((SELECT e FROM (SELECT film.title AS t) e))) FROM film');
SELECT shown('SELECT json_agg(film)::jsonb FROM film');
SELECT shown('SELECT jsonb_agg(to_jsonb(film) || jsonb_build_object(''n'', 1)) FROM film');
SELECT shown('SELECT jsonb_build_object(''id'', id), row_to_json(film) FROM film');
SELECT shown('SELECT json_object_agg(id, title) FROM film');
SELECT shown('SELECT jsonrow_agg(film) FROM film');
-- what is left alone
SELECT shown('SELECT json_agg(film) OVER () FROM film');
SELECT shown('SELECT jsonb_agg(DISTINCT title) FROM film');
SELECT shown('SELECT json_agg(film) FROM actor LEFT JOIN film ON id = film_id');

RESET jsonrow.accelerate;
DROP FUNCTION shown(text);
DROP TABLE film, actor;
