-- jsonrow_array_agg and jsonrow_array_agg_json: rows without a header.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE TEMP TABLE film (id int, title text, price numeric(5, 2));
INSERT INTO film VALUES (1, 'One "quoted"', 1.50), (2, NULL, 20);

SELECT jsonrow_array_agg(id, title, price), jsonrow_array_agg_json(id, title, price) FROM film;
SELECT jsonrow_array_agg(id, title) = jsonb_agg(jsonb_build_array(id, title)) AS same FROM film;
SELECT jsonrow_array_agg(id), jsonrow_array_agg_json(title) FROM film;
SELECT jsonrow_array_agg(id, 'x' ORDER BY id DESC), jsonrow_array_agg_json(DISTINCT 1) FROM film;
SELECT jsonrow_array_agg(VARIADIC ARRAY[id, 7]), jsonrow_array_agg_json(VARIADIC ARRAY[]::int[]) FROM film;
SELECT pg_typeof(jsonrow_array_agg(id)), pg_typeof(jsonrow_array_agg_json(id)) FROM film;

-- a single composite is spread, others are objects
SELECT jsonrow_array_agg(f), jsonrow_array_agg_json(f) FROM film f;
SELECT jsonrow_array_agg(f, 1), jsonrow_array_agg_json(f, 1) FROM film f WHERE id = 1;

-- a document within keeps its header
SELECT jsonrow_array_agg(d), jsonrow_array_agg(d, 1) FROM (SELECT jsonrow_agg('{id}', id) AS d FROM film) s;

-- NULL, and no rows
SELECT jsonrow_array_agg(NULL), jsonrow_array_agg_json(NULL::int, NULL), jsonrow_array_agg(NULL::film);
SELECT jsonrow_array_agg(id), jsonrow_array_agg_json(f) FROM film f WHERE false;
