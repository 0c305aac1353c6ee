-- Media types for PostgREST: documents, and lines.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE SCHEMA jsonrow_postgrest;
CREATE EXTENSION jsonrow_postgrest SCHEMA jsonrow_postgrest;
SET search_path = jsonrow_postgrest, public;

CREATE TEMP VIEW film AS
SELECT * FROM (VALUES (1, 'Metropolis', 1927), (2, E'M\n', 1931), (3, NULL, NULL)) f(id, title, year);

-- A table, a page, no rows
SELECT "application/vnd.jsonrow+json"(f) FROM film f;
SELECT "application/vnd.jsonrow+json"(f) FROM (SELECT title FROM film ORDER BY id OFFSET 2) f;
SELECT "application/vnd.jsonrow+json"(f) FROM film f WHERE false;
\pset format unaligned
SELECT jsonrow_ndjson(f) FROM film f;
SELECT jsonrow_ndjson(f) FROM (SELECT title FROM film ORDER BY id OFFSET 2) f;
SELECT jsonrow_ndjson(f) = '' AS nothing FROM film f WHERE false;

-- Values that are no rows
SELECT jsonrow_ndjson(title) FROM film;
SELECT "application/vnd.jsonrow+json"(id) FROM film;
SELECT "application/vnd.jsonrow+json"('{"cols":["a"],"rows":[[1]]}'::json);
SELECT "application/vnd.jsonrow+json"('{"a":1}'::json);
\pset format aligned

RESET search_path;
DROP VIEW film;
DROP EXTENSION jsonrow_postgrest;
DROP SCHEMA jsonrow_postgrest;
