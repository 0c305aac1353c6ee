-- Collections with WITH queries and filters, as pg_graphql writes them, with jsonrow.unnest off and on: the same rows,
-- the same errors; and how many of them became joins.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(421);

-- Films, of which some have no language, or one without words
CREATE TABLE film (id int PRIMARY KEY, lang int, title text);
INSERT INTO film SELECT i, nullif(i % 12, 5), 'f' || i FROM generate_series(1, 50) i;
CREATE TABLE land (id int PRIMARY KEY, name text);
INSERT INTO land SELECT i, 'n' || i FROM generate_series(0, 5) i WHERE i <> 1;
CREATE TABLE word (id int PRIMARY KEY, lang int, w text, n int);
INSERT INTO word SELECT i, i * 7 % 19, nullif('w' || i, 'w30'), i % 5 FROM generate_series(1, 90) i
WHERE i * 7 % 19 <> 4;
CREATE TABLE lang_of (film int NOT NULL, part int, lang int);
INSERT INTO lang_of SELECT id, part, lang + part FROM film, generate_series(1, 2) part;
CREATE TABLE of_all (LIKE lang_of INCLUDING CONSTRAINTS);
CREATE TABLE heir () INHERITS (of_all);
CREATE VIEW one AS SELECT 1 AS one;
ANALYZE;

/*
 * WITH
 */

-- What is used once, wherever it is read
SELECT pg_temp.test(1, format('SELECT id, (%s) FROM film ORDER BY id', query)) FROM unnest(ARRAY[
	'WITH x AS (SELECT * FROM word WHERE lang = film.lang) SELECT json_agg(w ORDER BY id) FROM x',
	'WITH x AS (SELECT * FROM word) SELECT json_agg(w ORDER BY id) FROM x WHERE lang = film.lang',
	'WITH x AS NOT MATERIALIZED (SELECT * FROM word) SELECT json_agg(w ORDER BY id) FROM x WHERE lang = film.lang',
	'WITH x(a, b, c) AS (SELECT id, lang, w FROM word), y AS (SELECT * FROM x WHERE b = film.lang ORDER BY a DESC
	LIMIT 3) SELECT json_agg(y) FROM y',
	'WITH x AS (SELECT * FROM word WHERE lang = film.lang) SELECT json_agg(y ORDER BY y.id) FROM (WITH z AS (SELECT *
	FROM x WHERE n > 1) SELECT id, w FROM z) y',
	'WITH x AS (SELECT json_agg(w ORDER BY id) j FROM word WHERE lang = film.lang) SELECT coalesce(j, ''[]'') FROM x',
	'WITH x AS (SELECT * FROM word WHERE lang = film.lang), x2 AS (SELECT w, id FROM x) SELECT json_agg(w ORDER BY id)
	FROM (WITH x AS (SELECT * FROM x2) SELECT * FROM x) q']) query;
-- What is used twice, materialized, recursive, or not used at all, stays; and what could raise an error.
SELECT pg_temp.test(0, format('SELECT id, (%s) FROM film ORDER BY id', query)) FROM unnest(ARRAY[
	'WITH x AS MATERIALIZED (SELECT * FROM word) SELECT json_agg(w ORDER BY id) FROM x WHERE lang = film.lang',
	'WITH x AS (SELECT * FROM word WHERE lang = film.lang) SELECT json_agg(x.w ORDER BY x.id) FROM x JOIN x y USING (id)',
	'WITH y AS (SELECT 1 / (id - 9) FROM word), x AS (SELECT * FROM word) SELECT json_agg(w ORDER BY id) FROM x
	WHERE lang = film.lang',
	'WITH x AS (SELECT 10 / (id - 90) a, lang FROM word) SELECT json_agg(a ORDER BY a) FROM x WHERE lang = film.lang',
	'WITH RECURSIVE x(i) AS (SELECT film.lang UNION ALL SELECT i + 1 FROM x WHERE i < 3) SELECT json_agg(i ORDER BY i)
	FROM x']) query;

/*
 * What is left-joined to one row
 */

-- Filters leave out the row that is there without it.
SELECT pg_temp.test(1, format('SELECT id, (WITH r AS (SELECT * FROM word WHERE lang = film.lang ORDER BY n, id LIMIT
	4), o AS (SELECT %s j FROM (SELECT 1) d LEFT JOIN r ON true) SELECT coalesce(o.j::text, ''none'') FROM (SELECT 1) d
	LEFT JOIN o ON true) FROM film ORDER BY id', made)) FROM unnest(ARRAY[
	'jsonb_agg(r.w ORDER BY r.n, r.id) FILTER (WHERE r.id IS NOT NULL)', 'count(*)', 'count(*) > 2',
	'json_build_object(''more'', count(*) > 2, ''n'', count(*) FILTER (WHERE r.id IS NOT NULL), ''e'',
	coalesce(json_agg(r.w ORDER BY r.n, r.id) FILTER (WHERE r.w IS NOT NULL), json_build_array()))',
	'max(r.w) FILTER (WHERE r.n IS NOT NULL)']) made;
-- Others do not; and the one row may be read, or be none.
SELECT pg_temp.test(0, format('SELECT id, (WITH r AS (SELECT * FROM word WHERE lang = film.lang ORDER BY n, id LIMIT
	4), o AS (SELECT %s j FROM %s) SELECT coalesce(o.j::text, ''none'') FROM (SELECT 1) d LEFT JOIN o ON true) FROM film
	ORDER BY id', made, source)) FROM (VALUES
	('jsonb_agg(r.w ORDER BY r.n, r.id)', '(SELECT 1 one) d LEFT JOIN r ON true'),
	('count(r.id)', '(SELECT 1 one) d LEFT JOIN r ON true'),
	('jsonb_agg(r.w ORDER BY r.n, r.id) FILTER (WHERE r.id IS NULL)', '(SELECT 1 one) d LEFT JOIN r ON true'),
	('jsonb_agg(r.w ORDER BY r.n, r.id) FILTER (WHERE r.id > 0)', '(SELECT 1 one) d LEFT JOIN r ON true'),
	('jsonb_agg(r.w ORDER BY r.n, r.id) FILTER (WHERE r IS NOT NULL)', '(SELECT 1 one) d LEFT JOIN r ON true'),
	('jsonb_agg(r.w ORDER BY r.n, r.id) FILTER (WHERE d.one IS NOT NULL)', '(SELECT 1 one) d LEFT JOIN r ON true'),
	('count(*)', '(SELECT 1 one) d LEFT JOIN r ON r.n = 1'), ('count(*)', '(SELECT 1 one) d FULL JOIN r ON true'),
	('count(*)', '(SELECT 1 one) d LEFT JOIN r ON true WHERE n IS NULL'),
	('count(*)', '(SELECT 1 LIMIT 0) d LEFT JOIN r ON true'), ('count(*)', 'one d LEFT JOIN r ON true'),
	('count(*)', '(SELECT 1 FROM land WHERE id = 9) d LEFT JOIN r ON true'),
	('sum(d.one)', '(SELECT 1 one) d LEFT JOIN r ON true')) q(made, source);
-- A subquery in its conditions is read once, whatever is made of the row.
SELECT pg_temp.test(1, $$SELECT id, (SELECT json_build_object('n', r.n, 'w', r.w) FROM (SELECT count(*) n, json_agg(w
	ORDER BY id) w FROM word WHERE lang = film.lang AND n IN (SELECT id FROM land)) r) FROM film ORDER BY id$$);
-- One within another, under filters that leave nothing out; what is used twice would be computed twice.
SELECT pg_temp.test(joins, format('SELECT jsonb_agg(jsonb_build_object(''id'', f.id, ''l'', (WITH r AS (SELECT l.* FROM
	lang_of l WHERE true AND l.film = f.id ORDER BY l.part LIMIT 30 OFFSET 0), o AS (SELECT
	jsonb_build_object(''edges'', coalesce(jsonb_agg(jsonb_build_object(''part'', r.part, ''w'',
	(WITH s AS (SELECT w.* FROM word w WHERE w.lang = r.lang
	ORDER BY w.id LIMIT 30), p AS (SELECT coalesce(jsonb_agg(s.w ORDER BY s.id) FILTER (WHERE s.id IS NOT NULL),
	jsonb_build_array()) j FROM (SELECT 1) d LEFT JOIN s ON true) SELECT coalesce(p.j, ''{}'') FROM (SELECT 1) d
	LEFT JOIN p ON true)) ORDER BY r.part) FILTER (WHERE r.film IS NOT NULL), jsonb_build_array())) j FROM (SELECT 1) d
	LEFT JOIN r ON true) SELECT %s FROM (SELECT 1) d LEFT JOIN o ON true)) ORDER BY f.id) FILTER (WHERE f.id IS NOT NULL)
	FROM film f', made)) FROM (VALUES (2, 'coalesce(o.j, ''{}'')'), (0, 'coalesce(o.j, o.j)')) q(joins, made);

/*
 * Filters
 */

-- One stays where a column may be NULL, as one or by a join, or where it asks for something else.
SELECT pg_temp.test(joins, format('SELECT json_agg(json_build_object(''p'', f.part, ''w'', (SELECT json_agg(w ORDER BY
	id) FROM word WHERE lang = f.lang)) ORDER BY f.film, f.part) FILTER (WHERE %s) FROM %s', filter, source)) FROM (VALUES
	(1, 'f.film IS NOT NULL', 'lang_of f'), (0, 'f.lang IS NOT NULL', 'lang_of f'), (0, 'f.film IS NULL', 'lang_of f'),
	(0, 'f IS NOT NULL', 'lang_of f'), (0, 'f.film > 0', 'lang_of f'), (0, 'f.film IS NOT NULL', 'of_all f'),
	(1, 'f.film IS NOT NULL', 'ONLY of_all f'), (0, 'f.ctid IS NOT NULL', 'lang_of f'),
	(1, 'f.film IS NOT NULL', '(SELECT * FROM lang_of ORDER BY film, part LIMIT 9) f'),
	(0, 'f.film IS NOT NULL', '(SELECT film + 0 AS film, part, lang FROM lang_of) f'),
	(0, 'f.film IS NOT NULL', 'land n LEFT JOIN lang_of f ON f.film = n.id'),
	(1, 'f.film IS NOT NULL', 'lang_of f LEFT JOIN land n ON f.film = n.id')) q(joins, filter, source);

/*
 * The one row of a subquery, in an array: PostgREST's comments(count)
 */

SELECT pg_temp.test(joins, format('SELECT f.id, x.d FROM film f LEFT JOIN LATERAL (SELECT %s AS d FROM (SELECT %s
	FROM word WHERE lang = f.lang %s) r) x ON true ORDER BY f.id', value, selected, cut))
FROM (VALUES
	(1, 'json_agg(r)', 'count(*)', ''), (1, 'json_agg(r)::jsonb', 'count(*) AS n, max(n) AS m', ''),
	(1, 'coalesce(jsonb_agg(r), ''[]'')', 'count(w)', ''), (1, 'jsonb_agg(r.n)', 'sum(n) AS n', ''),
	(0, 'json_agg(row_to_json(r))', 'json_agg(w ORDER BY id) AS w', ''), (0, 'json_agg(NULL::int)', 'count(*)', ''),
	(1, 'json_build_object(''a'', json_agg(r), ''b'', jsonb_agg(r))', 'count(*) AS n', ''),
	(1, 'json_agg(r)', 'count(*)', 'LIMIT 1000 OFFSET 0'), (1, 'json_agg(r)', 'count(*)', 'LIMIT 1'),
	(1, 'json_agg(r)', 'count(*)', 'LIMIT NULL'), (1, 'json_agg(r)', 'count(*)', 'LIMIT ALL OFFSET NULL'),
	(0, 'json_agg(r)', 'count(*)', 'LIMIT 0'), (0, 'json_agg(r)', 'count(*)', 'LIMIT 5 OFFSET 1'),
	(1, 'json_agg(r)', 'count(*)', 'GROUP BY n ORDER BY n'), (0, 'json_agg(r)', 'count(*)', 'HAVING count(*) > 1'),
	(0, 'json_agg(r) FILTER (WHERE r.n > 1)', 'count(*) AS n', ''),
	(0, 'json_agg(r ORDER BY n)', 'count(*) AS n', ''),
	(0, 'json_agg(DISTINCT r.n::text)', 'count(*) AS n', ''), (0, 'count(r)', 'count(*) AS n', ''),
	(0, 'json_agg(10 / r.n)', 'count(*) AS n', ''), (0, 'json_agg(r)', '10 / count(*) AS n', 'AND w <> ''''')
	) q(joins, value, selected, cut);
-- What a condition around it would keep from being computed, if the query that aggregates were none; and privileges
SELECT pg_temp.test(0, query) FROM unnest(ARRAY[
	'SELECT f.id, CASE WHEN f.id < 0 THEN q.x END FROM film f, LATERAL (SELECT json_agg(10 / r.n) x FROM
		(SELECT count(*) n FROM word WHERE lang = -f.lang) r) q',
	'SELECT f.id, (SELECT json_agg(q.x) FROM (SELECT 10 / count(*) AS x, count(*) AS n FROM word WHERE lang = -f.lang
		LIMIT 1) q WHERE q.n > 0) FROM film f',
	'SELECT f.id FROM film f, LATERAL (SELECT json_agg(r.n) a, json_agg(r.x) b FROM (SELECT count(*) n, 10 / count(*) x
		FROM word WHERE lang = -f.lang) r) q WHERE a::text <> ''[0]'' AND (b IS NULL OR f.id > 0)']) query;
CREATE ROLE jsonrow_with_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_with_reader;
GRANT SELECT ON film, word TO jsonrow_with_reader;
REVOKE EXECUTE ON FUNCTION json_agg(anyelement) FROM PUBLIC;
SET LOCAL ROLE jsonrow_with_reader;
SELECT matches(pg_temp.outcome('SELECT f.id, (SELECT json_agg(r) FROM (SELECT count(*) FROM word WHERE lang = f.lang)
	r) FROM film f', '{jsonrow.unnest, on}'), 'permission denied for aggregate json_agg');
RESET ROLE;
GRANT EXECUTE ON FUNCTION json_agg(anyelement) TO PUBLIC;
-- A cut that is a parameter
SET LOCAL plan_cache_mode = force_custom_plan;
PREPARE counts(bigint) AS SELECT f.id, (SELECT json_agg(r) FROM (SELECT count(*) FROM word WHERE lang = f.lang
	LIMIT $1) r) FROM film f ORDER BY f.id;
SELECT pg_temp.test(joins, format('EXECUTE counts(%s)', cut)) FROM (VALUES (1, '3'), (0, '0'), (1, 'NULL'))
	q(joins, cut);
SELECT is(pg_temp.outcome('EXECUTE counts(-1)', '{jsonrow.unnest, on}'),
	pg_temp.outcome('EXECUTE counts(-1)', '{jsonrow.unnest, off}'), 'a negative LIMIT');
-- What is made of the one row may raise an error, and is computed once, in any case; an aggregate may be that of
-- another query.
CREATE TABLE said (lang int, j json);
INSERT INTO said VALUES (3, '"\u0000"'), (4, '1');
ANALYZE said;
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, 'SELECT f.id, CASE WHEN f.id < 0 THEN q.x END FROM film f, LATERAL (SELECT jsonb_agg(r.j) AS x FROM (
		SELECT json_agg(j) AS j FROM said WHERE lang = f.lang) r) q ORDER BY f.id'),
	(0, 'SELECT f.id, coalesce(f.id::text, q.x::text) FROM film f, LATERAL (SELECT jsonb_agg(r) AS x FROM (
		SELECT json_agg(j) AS j FROM said WHERE lang = f.lang LIMIT 1) r) q ORDER BY f.id'),
	(0, 'SELECT f.lang, (SELECT json_agg(r.n)::text || count(f.id)::text FROM (SELECT count(*) AS n FROM word
		WHERE lang = f.lang) r) FROM film f GROUP BY f.lang ORDER BY f.lang'),
	(0, 'SELECT f.id, q.x -> 0, q.x -> 1, q.x FROM film f, LATERAL (SELECT jsonb_agg(r.n) AS x FROM (SELECT count(*) AS n
		FROM word WHERE lang = f.lang) r) q ORDER BY f.id'),
	(0, 'SELECT f.id, q.x -> ''a'', q.x -> ''b'' FROM film f, LATERAL (SELECT
		jsonb_build_object(''a'', jsonb_agg(w ORDER BY id)) AS x FROM word WHERE lang = f.lang) q ORDER BY f.id'),
	(1, 'SELECT f.id, q.x -> ''a'' FROM film f, LATERAL (SELECT jsonb_build_object(''a'', jsonb_agg(w ORDER BY id)) AS x
		FROM word WHERE lang = f.lang) q ORDER BY f.id'),
	(1, 'SELECT f.id, q.x -> 0, q.x -> 1, q.n, q.n FROM film f, LATERAL (SELECT coalesce(jsonb_agg(w ORDER BY id), ''[]'')
		AS x, count(*)::int AS n FROM word WHERE lang = f.lang) q ORDER BY f.id')) q(joins, query);

-- A subquery beside the aggregates that reads what WITH computes once: it is computed above the join, one level
-- further out; another WITH may have a query of the same name there.
SELECT pg_temp.test(1, format('WITH x AS MATERIALIZED (SELECT id AS top FROM word) SELECT f.id, %s
	FROM film f ORDER BY f.id', made)) FROM unnest(ARRAY[
	'(SELECT json_build_object(''a'', json_agg(w ORDER BY id), ''m'', (SELECT max(top) FROM x)) FROM word
		WHERE lang = f.lang)',
	'(SELECT coalesce(json_agg(w ORDER BY id), (SELECT json_agg(top ORDER BY top) FROM x)) FROM word
		WHERE lang = f.lang)',
	'(SELECT CASE WHEN EXISTS (SELECT FROM x) THEN json_agg(w ORDER BY id) END FROM word WHERE lang = f.lang)',
	'(SELECT json_agg(w ORDER BY id) FROM word WHERE lang = f.lang HAVING count(*) < (SELECT max(top) FROM x))',
	'(SELECT json_agg(w ORDER BY id) FROM word WHERE lang = f.lang AND id < (SELECT max(top) FROM x))']) made;
SELECT pg_temp.test(1, 'WITH x AS MATERIALIZED (SELECT id AS top FROM word) SELECT f.id, q.j FROM film f
	LEFT JOIN LATERAL (SELECT json_build_object(''a'', json_agg(w ORDER BY id), ''m'', (SELECT max(top) FROM x
	WHERE top > (SELECT min(top) FROM x))) AS j FROM word WHERE lang = f.lang) q ON true ORDER BY f.id');
SELECT pg_temp.test(1, 'WITH x AS MATERIALIZED (SELECT -1 AS top) SELECT q.*, (SELECT max(top) FROM x) AS o FROM (
	WITH x AS MATERIALIZED (SELECT id AS top FROM word) SELECT f.id, (SELECT json_build_object(''a'',
	json_agg(w ORDER BY id), ''m'', (SELECT max(top) FROM x)) FROM word WHERE lang = f.lang) AS j FROM film f) q
	ORDER BY id');
SELECT pg_temp.test(2, 'WITH x AS MATERIALIZED (SELECT id AS top FROM word) SELECT f.id, (SELECT json_agg((SELECT
	json_build_object(''a'', json_agg(w ORDER BY id), ''m'', (SELECT max(top) FROM x)) FROM word WHERE lang = g.lang)
	ORDER BY g.id) FROM film g WHERE g.lang = f.lang) FROM film f ORDER BY f.id');

-- A query that becomes that of its only row has the same number.
CREATE FUNCTION pg_temp.number_of(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	PERFORM set_config('compute_query_id', 'on', true), set_config('jsonrow.unnest', unnest, true);
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE) ' || query LOOP
		IF line LIKE 'Query Identifier%' THEN
			RETURN line;
		END IF;
	END LOOP;
END $$;
SELECT is(pg_temp.number_of(query, 'on'), pg_temp.number_of(query, 'off'), query) FROM unnest(ARRAY[
	'SELECT json_agg(r) FROM (SELECT count(*) FROM word WHERE n > (SELECT avg(n) FROM word)) r',
	'SELECT json_agg(r) FROM (SELECT count(*) FROM word WHERE n > (SELECT avg(n) FROM word) LIMIT 1000 OFFSET 0) r'])
	query;

-- EXPLAIN knows JSON_ARRAYAGG and its kind only around an aggregate.
SELECT current_setting('server_version_num')::int >= 160000 AS has_constructors \gset
\if :has_constructors
SELECT pg_temp.test(1, query) FROM (SELECT format('SELECT id, (SELECT %s FROM word WHERE lang = film.lang) FROM film
	ORDER BY id', made) FROM unnest(ARRAY['JSON_ARRAYAGG(w ORDER BY id)', 'JSON_ARRAYAGG(w ORDER BY id RETURNING text)',
	'JSON_ARRAYAGG(w ORDER BY id RETURNING varchar(20))', 'JSON_ARRAYAGG(w ORDER BY id RETURNING jsonb)',
	'JSON_ARRAYAGG(n ORDER BY id NULL ON NULL RETURNING text)']) made) q(query);
SET LOCAL jsonrow.unnest = on;
SELECT lives_ok('EXPLAIN (VERBOSE) ' || format('SELECT id, (SELECT %s FROM (SELECT * FROM word
	WHERE lang = film.lang %s) x) FROM film', made, cut), made || ' ' || cut) FROM unnest(ARRAY[
	'JSON_ARRAYAGG(w ORDER BY id)', 'JSON_ARRAYAGG(w ORDER BY id RETURNING text)',
	'JSON_ARRAYAGG(w ORDER BY id RETURNING varchar(20))']) made,
	unnest(ARRAY['', 'ORDER BY id LIMIT 1000']) cut;
RESET jsonrow.unnest;
\else
SELECT skip('JSON_ARRAYAGG came with 16', 36);
\endif
SELECT * FROM finish();
ROLLBACK;
