-- jsonrow_agg and jsonrow_agg_json: rows into a row-oriented document.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE TEMP TABLE film (id int, title text, price numeric(5, 2), released date);
INSERT INTO film VALUES
	(1, 'One "quoted"', 1.50, '2001-02-03'),
	(2, NULL, 20, NULL),
	(3, E'tab\tstop', NULL, 'infinity');

-- record form: names from the row type
SELECT jsonrow_agg(f) FROM film f;
SELECT jsonrow_agg_json(f) FROM film f;
SELECT jsonrow_agg(f) FROM (SELECT id, title AS "Name ""of"" it" FROM film) f;
SELECT jsonrow_agg(v) FROM (VALUES (1, 'a'), (2, 'b')) v(n, t);
SELECT jsonrow_agg(ROW(id, title)) FROM film;

-- names form
SELECT jsonrow_agg(ARRAY['id', 'name'], id, title) FROM film;
SELECT jsonrow_agg_json('{id,name}', id, title) FROM film;
SELECT jsonrow_agg('{a,a,""}', id, id + 1, 'x') FROM film;
SELECT jsonrow_agg('{a,b}', VARIADIC ARRAY[id, id * 10]) FROM film;
SELECT jsonrow_agg('{}', VARIADIC '{}'::int[]) FROM film;
SELECT jsonrow_agg(ARRAY['n' || (id - id)], id) FROM film;

-- of which type they are
SELECT pg_typeof(jsonrow_agg(f)), pg_typeof(jsonrow_agg_json(f)) FROM film f;

-- ORDER BY, DISTINCT, FILTER, GROUP BY
SELECT jsonrow_agg('{id}', id ORDER BY id DESC) FROM film;
SELECT jsonrow_agg(DISTINCT '{odd}', id % 2 = 1) FROM film;
SELECT jsonrow_agg_json('{id}', id) FILTER (WHERE title IS NOT NULL) FROM film;
SELECT title IS NULL AS unnamed, jsonrow_agg('{id}', id ORDER BY id) FROM film GROUP BY 1 ORDER BY 1;
SELECT id, jsonrow_agg_json('{n}', n ORDER BY n) FROM film, generate_series(1, id) n GROUP BY ROLLUP (id)
ORDER BY id;

-- NULL: a row, a value, a name's place
SELECT jsonrow_agg(f), jsonrow_agg_json(f) FROM (VALUES (NULL::film), ((1, 'a', NULL, NULL)::film)) v(f);
SELECT jsonrow_agg('{a,b}', NULL, NULL::text) FROM film WHERE id = 1;

-- no rows: the header is there
SELECT jsonrow_agg(f), jsonrow_agg_json(f) FROM film f WHERE false;
SELECT jsonrow_agg('{id,name}', id, title), jsonrow_agg_json('{id,name}', id, title) FROM film WHERE false;
SELECT jsonrow_agg(ARRAY['n' || id::text], id) FROM film WHERE false;
SELECT jsonrow_agg(r) FROM (SELECT ROW(1, 2) AS r WHERE false) s;

-- errors
SELECT jsonrow_agg('{a,b}', id) FROM film;
SELECT jsonrow_agg('{a}', id, title) FROM film;
SELECT jsonrow_agg_json('{a}', id, title) FROM film;
SELECT jsonrow_agg(ARRAY['a', NULL], id, id) FROM film;
SELECT jsonrow_agg_json(ARRAY[NULL, 'b'], id, id) FROM film;
SELECT jsonrow_agg(NULL::text[], id) FROM film;
SELECT jsonrow_agg_json(NULL::text[], id) FROM film;
SELECT jsonrow_agg(ARRAY['n' || id], id) FROM film;
SELECT jsonrow_agg_json(ARRAY['n' || id], id) FROM film;
SELECT jsonrow_agg(r) FROM (VALUES (ROW(1, 2)), (ROW(1, 2, 3))) v(r);
SELECT jsonrow_agg_json(r) FROM (VALUES (ROW(1, 2)), (ROW(1, 2, 3))) v(r);
