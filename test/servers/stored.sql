-- A database with everything of ours that can be stored: documents in columns, views, functions, indexes,
-- constraints, defaults, privileges and settings.  Made with jsonrow.accelerate and jsonrow.unnest on.
\set QUIET on
CREATE EXTENSION jsonrow;
CREATE SCHEMA api;
CREATE EXTENSION jsonrow_postgrest SCHEMA api;
SELECT format('ALTER DATABASE %I SET %s = %s', current_database(), name, value) FROM (VALUES
	('session_preload_libraries', 'jsonrow'), ('jsonrow.accelerate', 'on'), ('jsonrow.unnest', 'on'),
	('jsonrow.unnest_above_cost', '0'), ('max_parallel_workers_per_gather', '0')) s(name, value) \gexec
\connect

CREATE TABLE film (
	id int PRIMARY KEY, title text, length numeric, rating float8, shown timestamptz, tags text[], raw json);
INSERT INTO film SELECT i, 'film ' || i, i / 7.0, i / 3.0::float8, timestamptz '2000-01-01' + i * interval '1 day 1 s',
	ARRAY['a', i::text], json_build_object('i', i) FROM generate_series(1, 300) i;
CREATE TABLE actor (film_id int REFERENCES film, name text);
CREATE INDEX ON actor (film_id);
INSERT INTO actor SELECT 1 + i % 250, 'actor ' || i FROM generate_series(1, 900) i;

CREATE FUNCTION title_of(doc jsonrow) RETURNS text LANGUAGE sql IMMUTABLE
	BEGIN ATOMIC SELECT jsonrow_get_text(doc, 0, 'title'); END;
CREATE FUNCTION films(wanted int) RETURNS jsonrow LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT jsonrow_agg(f.* ORDER BY id) FROM film f WHERE id <= wanted);
END $$;
CREATE FUNCTION nested_json() RETURNS json LANGUAGE sql STABLE BEGIN ATOMIC
	SELECT json_agg(json_build_object('t', title, 'n', (SELECT json_agg(name ORDER BY name) FROM actor
		WHERE film_id = film.id)) ORDER BY id) FROM film;
END;
CREATE VIEW nested AS SELECT json_agg(json_build_object('title', title, 'actors', (
	SELECT json_agg(a ORDER BY name) FROM (SELECT name FROM actor WHERE film_id = film.id) a)) ORDER BY id) AS films
FROM film;
CREATE VIEW listing AS SELECT jsonrow_agg_json(f.* ORDER BY id) AS doc FROM (SELECT id, title, (
	SELECT jsonrow_agg_json(a.* ORDER BY name) FROM (SELECT name FROM actor WHERE film_id = film.id) a) AS actors
FROM film) f;
CREATE MATERIALIZED VIEW kept AS SELECT jsonrow_agg(f.* ORDER BY id) AS rows, jsoncol_agg(f.* ORDER BY id) AS columns,
	api."application/vnd.jsonrow+json"(f ORDER BY id) AS served FROM film f;

CREATE DOMAIN small_document AS jsonrow CHECK (jsonrow_count(VALUE) < 100);
CREATE TYPE pair AS (a jsonrow, b jsonrow_json);
CREATE TABLE report (
	id int PRIMARY KEY,
	doc jsonrow DEFAULT '{"cols": ["title"], "rows": []}',
	columns jsonrow,
	text_doc jsonrow_json,
	small small_document,
	paired pair,
	list jsonrow[],
	title text GENERATED ALWAYS AS (jsonrow_get_text(doc, 0, 'title')) STORED,
	CONSTRAINT some_columns CHECK (cardinality(jsonrow_cols(doc)) > 0));
ALTER TABLE report ALTER doc SET STORAGE EXTERNAL;
INSERT INTO report
SELECT n, films(n), jsonrow_to_columns(films(n)), films(n)::json::jsonrow_json, films(least(n, 99)),
	ROW(films(n), films(n)::json)::pair, ARRAY[films(1), films(n)]
FROM unnest(ARRAY[0, 1, 10, 300]) n;
INSERT INTO report (id) VALUES (1000);
INSERT INTO report (id, doc) VALUES (1001, NULL);
CREATE INDEX ON report USING gin ((doc::jsonb));
CREATE INDEX ON report (title_of(doc));
CREATE INDEX ON report (jsonrow_get_text(doc, 1, 'title')) WHERE jsonrow_is_valid(doc::jsonb);
CREATE STATISTICS report_stored ON jsonrow_count(doc), jsonrow_count(columns) FROM report;
CREATE RULE listed AS ON INSERT TO listing DO INSTEAD
	INSERT INTO report (id, doc) VALUES (2000, new.doc::text::jsonrow);
REVOKE EXECUTE ON FUNCTION jsonrow_stream(text) FROM PUBLIC;
ANALYZE film, actor, report;
