-- jsoncol_agg and jsoncol_agg_json: rows into a column-oriented document.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE TEMP TABLE film (id int, title text, price numeric(5, 2));
INSERT INTO film VALUES (1, 'One "quoted"', 1.50), (2, NULL, 20), (3, 'three', NULL);

SELECT jsoncol_agg(f) FROM film f;
SELECT jsoncol_agg_json(f) FROM film f;
SELECT jsoncol_agg('{id,name}', id, title) FROM film;
SELECT jsoncol_agg_json('{id,name}', id, title ORDER BY id DESC) FROM film;
SELECT id % 2 AS odd, jsoncol_agg('{id}', id ORDER BY id), jsoncol_agg_json('{id}', id ORDER BY id)
FROM film GROUP BY 1 ORDER BY 1;
SELECT pg_typeof(jsoncol_agg(f)), pg_typeof(jsoncol_agg_json(f)) FROM film f;

-- a NULL record is a null in each vector
SELECT jsoncol_agg(f), jsoncol_agg_json(f) FROM (VALUES (NULL::film), ((1, 'a', NULL)::film)) v(f);

-- no rows, no columns
SELECT jsoncol_agg(f), jsoncol_agg_json(f) FROM film f WHERE false;
SELECT jsoncol_agg('{a}', id), jsoncol_agg_json('{a}', id) FROM film f WHERE false;
SELECT jsoncol_agg(s), jsoncol_agg_json(s) FROM (SELECT FROM film) s;

-- nested: a document of either orientation becomes rows
SELECT jsoncol_agg(s) FROM (SELECT id, (SELECT jsoncol_agg('{n}', n) FROM generate_series(1, id) n) AS ns
	FROM film) s;
SELECT jsonrow_agg_json(s) FROM (SELECT id, (SELECT jsoncol_agg_json('{n}', n)
	FROM generate_series(1, id) n) AS ns FROM film) s;

-- errors
SELECT jsoncol_agg('{a,b}', id) FROM film;
SELECT jsoncol_agg_json('{a,b}', id) FROM film;
SELECT jsoncol_agg(ARRAY[NULL], id) FROM film;
SELECT jsoncol_agg_json(NULL::text[], id) FROM film;
SELECT jsoncol_agg(ARRAY['n' || id], id) FROM film;
SELECT jsoncol_agg_json(ARRAY['n' || id], id) FROM film;
