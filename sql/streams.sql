-- Rows to a client in pieces, in memory that does not grow.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE TEMP TABLE film (id int, title text, year int);
CREATE TEMP TABLE actor (film_id int, name text);
INSERT INTO film VALUES (1, 'Alien', 1979), (2, 'Brazil', 1985), (3, NULL, NULL);
INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt');

-- the four forms
SELECT jsonrow_stream('TABLE film');
SELECT jsonrow_stream_lines('TABLE film');
SELECT jsonrow_stream_objects('TABLE film');
SELECT jsonrow_stream_object_lines('TABLE film');

-- no rows
SELECT jsonrow_stream('SELECT * FROM film WHERE false');
SELECT jsonrow_stream_lines('SELECT * FROM film WHERE false');
SELECT jsonrow_stream_objects('SELECT * FROM film WHERE false');
SELECT jsonrow_stream_object_lines('SELECT * FROM film WHERE false');

-- pieces of about 64 kB, which end between rows
SELECT octet_length(piece) > 65535 AS full, left(piece, 20) AS first, right(piece, 10) AS last
FROM (SELECT jsonrow_stream('SELECT i, repeat(''x'', 1000) AS x FROM generate_series(1, 150) i') AS piece) s;

-- parameters are bound; literals of no type are text
SELECT jsonrow_stream('SELECT * FROM film WHERE id > $1 AND title LIKE $2', 1, 'B%');
SELECT jsonrow_stream('SELECT $1 AS a, $2 AS b', VARIADIC ARRAY[1, NULL]);
SELECT jsonrow_stream('SELECT $1 AS a', VARIADIC NULL::int[]);
SELECT jsonrow_stream('SELECT $2', 1);

-- nested documents
SELECT jsonrow_stream('SELECT title, (SELECT jsonrow_agg(a) FROM (SELECT name FROM actor WHERE film_id = id
	ORDER BY name) a) AS actors FROM film ORDER BY id');
SELECT jsonrow_stream_object_lines('SELECT title, (SELECT jsonrow_agg(a) FROM (SELECT name FROM actor
	WHERE film_id = id ORDER BY name) a) AS actors FROM film ORDER BY id');
SELECT count(*) FROM (SELECT jsonrow_stream('SELECT CASE WHEN i > 15000 THEN ''{"cols":["a"],"rows":[]}'' END
	::jsonrow AS d FROM generate_series(1, 20000) i')) s;

-- what a cursor has left
BEGIN;
DECLARE films CURSOR FOR SELECT * FROM film ORDER BY id;
FETCH 1 FROM films;
SELECT jsonrow_stream('films'::refcursor);
SELECT jsonrow_stream_object_lines('films'::refcursor);
COMMIT;
SELECT jsonrow_stream('films'::refcursor);

-- only what returns rows and changes nothing
SELECT jsonrow_stream('DELETE FROM film RETURNING *');
SELECT jsonrow_stream('WITH gone AS (DELETE FROM film RETURNING *) SELECT * FROM gone');
SELECT jsonrow_stream('SELECT * FROM film FOR UPDATE');
SELECT jsonrow_stream('EXPLAIN SELECT 1');
SELECT jsonrow_stream('SELECT 1; DROP TABLE film');
SELECT jsonrow_stream('');

-- errors of the query
SELECT jsonrow_stream('SELECT nothing FROM film');
SELECT jsonrow_stream('SELECT FROM WHERE');
SELECT jsonrow_stream('SELECT 1 / (id - 2) FROM film');

-- COPY, once the library is loaded; a document of one line has no line feed at its end
COPY film TO STDOUT (FORMAT jsonrow);
\echo
COPY film (title, id) TO STDOUT (FORMAT jsonrow, FORM lines);
COPY (SELECT * FROM film WHERE id < 3) TO STDOUT (FORMAT jsonrow, FORM objects);
\echo
COPY (DELETE FROM film WHERE id < 3 RETURNING id) TO STDOUT (FORMAT jsonrow, FORM object_lines);
COPY film TO STDOUT (FORMAT jsonrow, FORM columns);
COPY film TO STDOUT (FORMAT jsonrow, DELIMITER ',');
COPY film TO STDOUT (FORMAT csv, FORM lines);
COPY film FROM STDIN (FORMAT jsonrow);
