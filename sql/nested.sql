-- Documents and composites within documents: their headers move out.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE TYPE pg_temp.address AS (street text, zip int);
CREATE TEMP TABLE film (id int, title text, studio pg_temp.address);
CREATE TEMP TABLE actor (film_id int, name text);
INSERT INTO film VALUES (1, 'Alien', ('Main St', 12345)), (2, 'Brazil', NULL);
INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt');

-- a composite is one row
SELECT jsonrow_agg(f), jsonrow_agg_json(f) FROM film f;
SELECT jsonrow_agg('{id,r}', id, ROW(id, title)) FROM film;

-- a document is an array of rows; there may be none
SELECT jsonrow_agg(f) FROM (
	SELECT title, (SELECT jsonrow_agg(a) FROM (SELECT name FROM actor WHERE film_id = id
	ORDER BY name) a) AS actors FROM film) f;
SELECT jsonrow_agg_json(f) FROM (
	SELECT title, (SELECT jsonrow_agg_json(a) FROM (SELECT name FROM actor WHERE film_id = id
	ORDER BY name) a) AS actors FROM film) f;
SELECT jsonrow_agg_json(f) FROM (
	SELECT title, (SELECT jsonrow_agg(a) FROM (SELECT name FROM actor WHERE film_id = id
	ORDER BY name) a) AS actors FROM film) f;

-- three levels, in which only the plan knows the innermost header
SELECT jsonrow_agg(f) FROM (
	SELECT title, (SELECT jsonrow_agg(a) FROM (
		SELECT name, (SELECT jsonrow_agg('{x,y}', 1, 2) WHERE false) AS inner FROM actor
	WHERE film_id = id) a) AS actors FROM film WHERE id = 2) f;

-- a nested document that is NULL, and one whose header is not known
SELECT jsonrow_agg('{d}', d) FROM unnest(ARRAY[NULL, '{"cols":["a"],"rows":[[1]]}']::jsonrow[]) d;
SELECT jsonrow_agg('{d}', NULL::jsonrow), jsonrow_agg_json('{d}', NULL::jsonrow_json);

-- cast to jsonb it is a plain value
SELECT jsonrow_agg('{d}', d::jsonb), jsonrow_agg_json('{d}', d::json)
FROM (VALUES ('{"cols":["a"],"rows":[[1]]}'::jsonrow_json)) v(d);

-- columns that differ
SELECT jsonrow_agg('{d}', d) FROM unnest(ARRAY['{"cols":["a"],"rows":[]}',
	'{"cols":["b"],"rows":[]}']::jsonrow[]) d;
SELECT jsonrow_agg_json('{d}', d)
FROM unnest(ARRAY['{"cols":["a"],"rows":[]}', '{"cols":["a","b"],"rows":[]}']::jsonrow_json[]) d;
SELECT jsonrow_agg('{r}', r) FROM (VALUES (ROW(1, 2)), (ROW(1, 2, 3))) v(r);
SELECT jsoncol_agg_json('{r}', r) FROM (VALUES (ROW(1, 2)), (ROW(1, 2, 3))) v(r);
