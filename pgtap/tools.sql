-- The statements that tools send, in the shapes of their newest releases: with
-- acceleration on they give the same bytes, and their plans have our functions.
\ir oracle.psql

SELECT no_plan();
-- The settings are there when the library is loaded.
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null
SELECT current_setting('server_version_num')::int >= 160000 AS has_sql_json \gset

-- Nothing refers to anything by a foreign key: some joins find nothing.
CREATE TYPE rating AS ENUM ('G', 'PG-13', 'it''s "R"');
CREATE TABLE language (language_id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE film (film_id int PRIMARY KEY, title text NOT NULL, description text, year int2, rate numeric(5,2),
	length float8, score real, rating rating, features text[], active boolean, updated timestamptz, released date,
	starts time, runs interval, isbn bigint, code char(4), slug varchar(20), uid uuid, cover bytea, extra jsonb, raw json,
	place point, "disc ""no""" int, language_id int);
CREATE TABLE actor (actor_id int PRIMARY KEY, first_name text, last_name varchar(40), born date, net numeric,
	links jsonb, alive boolean);
CREATE TABLE film_actor (film_id int, actor_id int, part text, PRIMARY KEY (film_id, actor_id));
CREATE TABLE award (award_id int PRIMARY KEY, actor_id int, year int, prize text, money numeric(12,2));
CREATE TABLE category (category_id int PRIMARY KEY, name text);
CREATE TABLE film_category (film_id int, category_id int, PRIMARY KEY (film_id, category_id));
CREATE TABLE review (review_id int PRIMARY KEY, film_id int, stars int, body text, payload json);

INSERT INTO language VALUES (1, 'English'), (2, 'Fran' || chr(231) || 'ais'), (3, E'Latin "\\"\t/');
INSERT INTO film
SELECT i, CASE i % 4 WHEN 0 THEN 'Film ' || i WHEN 1 THEN format('the "%s" \ one', i) WHEN 2 THEN E'a\nb\tc\u0001' || i
		ELSE chr(8364) || chr(128512) || i END,
	CASE WHEN i % 3 > 0 THEN repeat('x"y', i % 60) END, CASE WHEN i % 5 > 0 THEN 1950 + i END,
	CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 'NaN' ELSE i / 8.0 END,
	CASE i % 6 WHEN 1 THEN NULL WHEN 2 THEN 'Infinity' WHEN 3 THEN -0.0 ELSE i * 1e17 / 3 END, i / 3.0,
	(enum_range(NULL::rating))[nullif(i % 4, 0)],
	CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN '{}' ELSE ARRAY['a "' || i, NULL, 'b'] END, nullif(i % 3, 2)::boolean,
	CASE WHEN i % 7 > 0 THEN timestamptz '2020-02-29 12:34:56.789+00' + i * interval '1 day 1.25 s' END,
	CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'infinity' WHEN 2 THEN '0044-03-15 BC' ELSE date '1999-12-31' + i END,
	CASE WHEN i % 3 > 0 THEN time '10:20:30.5' END, CASE WHEN i % 4 > 0 THEN i * interval '1 month -2 days 3 min' END,
	9007199254740993 + i, CASE WHEN i % 3 > 0 THEN 'c' || i END, CASE WHEN i % 4 > 0 THEN 'slug-' || i END,
	CASE WHEN i % 2 > 0 THEN md5(i::text)::uuid END, CASE WHEN i % 3 > 0 THEN decode(md5(i::text), 'hex') END,
	CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'null' WHEN 2 THEN '{"b": [1, {"a": null}], "aa": 1.50}' ELSE to_jsonb(i) END,
	CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '{"z" : 1,  "a":[ 1,2 ], "z": "twice"}' ELSE to_json('t"' || i) END,
	CASE WHEN i % 3 > 0 THEN point(i, -i / 4.0) END, nullif(i % 3, 0),
	CASE i % 7 WHEN 0 THEN 99 ELSE nullif(i % 4, 0) END
FROM generate_series(1, 30) i;
INSERT INTO actor
SELECT i, CASE WHEN i % 4 > 0 THEN 'First "' || i || '"' END, 'Last ' || i,
	CASE WHEN i % 3 > 0 THEN date '1960-01-01' + i * 99 END,
	CASE WHEN i % 5 > 0 THEN i * 1000.50 END, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '[]' ELSE '{"web": "x"}' END::jsonb,
	nullif(i % 3, 0) = 1
FROM generate_series(1, 20) i;
-- Every fifth film has no actors, every third actor no awards.
INSERT INTO film_actor SELECT f, (f * 7 + k * 3) % 20 + 1, CASE WHEN k % 2 > 0 THEN 'part "' || k || '"' END
FROM generate_series(1, 30) f, generate_series(0, 3) k WHERE f % 5 > 0 AND k <= f % 4;
INSERT INTO film_actor VALUES (3, 1000, NULL), (5, 1001, 'nobody''s'), (1002, 3, 'in no film');
INSERT INTO award SELECT a * 10 + k, a, 1990 + k, CASE WHEN k > 0 THEN 'Prize ' || k END, k * 0.50
FROM generate_series(1, 20) a, generate_series(0, 3) k WHERE a % 3 > 0 AND k <= a % 4;
INSERT INTO award VALUES (1000, 1000, 2000, 'nobody''s', 1), (1001, NULL, NULL, NULL, NULL);
INSERT INTO category SELECT i, CASE WHEN i % 4 > 0 THEN 'Category ' || i END FROM generate_series(1, 6) i;
INSERT INTO film_category SELECT f, (f + k * 2) % 6 + 1 FROM generate_series(1, 30) f, generate_series(0, 2) k
WHERE f % 4 > 0 AND k <= f % 3;
INSERT INTO film_category VALUES (1, 1000), (4, 1000), (6, 1001);
INSERT INTO review SELECT i, i % 30 + 1, nullif(i % 6, 0), 'body ' || i,
	CASE WHEN i % 3 > 0 THEN '{"b" : 1, "a": "\u0041", "b": 2}' END::json FROM generate_series(1, 25) i;
-- More fields than the arguments of one constructor
SELECT format('CREATE TABLE wide (id int PRIMARY KEY, %s)', string_agg(format('c%s %s', i,
	(ARRAY['int', 'text', 'numeric', 'jsonb'])[i % 4 + 1]), ', ')) FROM generate_series(1, 59) i \gexec
SELECT format('INSERT INTO wide SELECT i, %s FROM generate_series(1, 5) i', string_agg(
	CASE i % 4 WHEN 0 THEN 'i' WHEN 1 THEN '''t"'' || i' WHEN 2 THEN 'nullif(i, 3) / 4.0' ELSE 'to_jsonb(i)' END, ', '))
FROM generate_series(1, 59) i \gexec
ANALYZE;

-- PostGIS's functions of this name, as far as these statements go
CREATE FUNCTION st_asgeojson(place point, digits int DEFAULT 9, options int DEFAULT 8) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	RETURN format('{"type":"Point","coordinates":[%s,%s]}', place[0], place[1]);
END $$;
CREATE FUNCTION st_asgeojson(feature record) RETURNS text LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
	RETURN format('{"type": "Feature", "geometry": %s, "properties": %s}',
		coalesce(st_asgeojson(feature.place), 'null'), to_jsonb(feature) - 'place');
END $$;
CREATE FUNCTION films_of(y int) RETURNS SETOF film LANGUAGE sql STABLE AS $$ SELECT * FROM film WHERE year > y $$;
CREATE FUNCTION title_of(film int) RETURNS text LANGUAGE sql STABLE AS $$ SELECT title FROM film WHERE film_id = $1 $$;
CREATE FUNCTION titles_of(y int) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN QUERY SELECT title FROM film WHERE year > y ORDER BY film_id;
END $$;

/*
 * A statement that a tool sends, its parameters, and the functions of JSON
 * that its plan has with acceleration: those that are given the names of
 * columns end with "[]".  What is not there must not be in the plan either.
 */
CREATE TABLE sent (id int GENERATED ALWAYS AS IDENTITY, tool text, what text, functions text, sql text,
	parameters text DEFAULT '');

-- PostgREST (and with it Supabase): rows as text, what is embedded as jsonb made of text
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('PostgREST', 'rows of a table', 'jsonrow_core_json_agg[]', '', $$
WITH pgrst_source AS ( SELECT "film"."film_id", "film"."title", "film"."rate", "film"."raw", "film"."disc ""no""",
  "film"."features" FROM "film" )
SELECT null::bigint AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total,
  coalesce(json_agg(_postgrest_t), '[]') AS body,
  nullif(current_setting('response.headers', true), '') AS response_headers,
  nullif(current_setting('response.status', true), '') AS response_status, '' AS response_inserted
FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'all columns, filtered, a page, with the exact count', 'jsonrow_core_json_agg[]',
 '''1955'', ''{G,PG-13}'', ''15'', ''2''', $$
WITH pgrst_source AS ( SELECT "film".* FROM "film" WHERE "film"."year" >= $1 AND "film"."rating" = ANY ($2)
  ORDER BY "film"."year" DESC NULLS LAST LIMIT $3 OFFSET $4 ),
pgrst_source_count AS (SELECT 1 FROM "film" WHERE "film"."year" >= $1 AND "film"."rating" = ANY ($2))
SELECT (SELECT pg_catalog.count(*) FROM pgrst_source_count) AS total_result_set,
  pg_catalog.count(_postgrest_t) AS page_total, coalesce(json_agg(_postgrest_t), '[]') AS body
FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'one object', 'jsonrow_core_json_agg[]', '''7''', $$
WITH pgrst_source AS ( SELECT "film".* FROM "film" WHERE "film"."film_id" = $1 )
SELECT pg_catalog.count(_postgrest_t) AS page_total, coalesce(json_agg(_postgrest_t)->0, 'null') AS body
FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'without nulls', 'jsonrow_core_json_agg[]', '', $$
WITH pgrst_source AS ( SELECT "film".* FROM "film" )
SELECT coalesce(json_strip_nulls(json_agg(_postgrest_t)), '[]') AS body FROM ( SELECT * FROM pgrst_source )
  _postgrest_t$$),
('PostgREST', 'one to many', 'jsonrow_core_json_agg[], jsonrow_core_jsonb_agg[]', '', $$
WITH pgrst_source AS ( SELECT "actor"."actor_id", "actor"."last_name", "actor"."born",
  COALESCE( "actor_awards_1"."actor_awards_1", '[]') AS "awards" FROM "actor"
  LEFT JOIN LATERAL ( SELECT json_agg("actor_awards_1")::jsonb AS "actor_awards_1" FROM (
    SELECT "awards_1"."year", "awards_1"."prize", "awards_1"."money" FROM "award" AS "awards_1"
    WHERE "awards_1"."actor_id" = "actor"."actor_id" ORDER BY "awards_1"."year" DESC ) AS "actor_awards_1" )
  AS "actor_awards_1" ON TRUE )
SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'one to many, only where there are some', 'jsonrow_core_json_agg[], jsonrow_core_jsonb_agg[]', '', $$
WITH pgrst_source AS ( SELECT "actor".*, COALESCE( "actor_award_1"."actor_award_1", '[]') AS "award" FROM "actor"
  INNER JOIN LATERAL ( SELECT json_agg("actor_award_1")::jsonb AS "actor_award_1" FROM (
    SELECT "award_1".* FROM "award" AS "award_1" WHERE "award_1"."actor_id" = "actor"."actor_id" ) AS "actor_award_1" )
  AS "actor_award_1" ON "actor_award_1" IS NOT NULL )
SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
-- A row that the join may not have found: it is NULL as a whole.
('PostgREST', 'to one', 'jsonrow_core_json_agg[], jsonrow_core_to_jsonb', '', $$
WITH pgrst_source AS ( SELECT "film"."title", "film"."raw", row_to_json("film_language_1".*)::jsonb AS "language"
  FROM "film" LEFT JOIN LATERAL ( SELECT "language_1"."name", "language_1"."language_id" FROM "language" AS
  "language_1" WHERE "language_1"."language_id" = "film"."language_id" ) AS "film_language_1" ON TRUE )
SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'many to many, three levels, and to one',
 'jsonrow_core_json_agg[], jsonrow_core_jsonb_agg[], jsonrow_core_to_jsonb', '''20'', ''0''', $$
WITH pgrst_source AS ( SELECT "film"."film_id", "film"."title", "film"."extra",
  COALESCE( "film_actors_1"."film_actors_1", '[]') AS "actors",
  COALESCE( "film_category_1"."film_category_1", '[]') AS "category",
  row_to_json("film_language_1".*)::jsonb AS "language"
  FROM "film" LEFT JOIN LATERAL ( SELECT json_agg("film_actors_1")::jsonb AS "film_actors_1" FROM (
    SELECT "actors_1"."first_name", "actors_1"."net", "actors_1"."links",
      COALESCE( "actor_award_2"."actor_award_2", '[]') AS "award"
    FROM "actor" AS "actors_1", "film_actor" LEFT JOIN LATERAL ( SELECT json_agg("actor_award_2")::jsonb
      AS "actor_award_2" FROM ( SELECT "award_2"."year", "award_2"."prize" FROM "award" AS "award_2"
        WHERE "award_2"."actor_id" = "film_actor"."actor_id" ) AS "actor_award_2" ) AS "actor_award_2" ON TRUE
    WHERE "film_actor"."actor_id" = "actors_1"."actor_id" AND "film_actor"."film_id" = "film"."film_id"
    ORDER BY "actors_1"."last_name" ASC ) AS "film_actors_1" ) AS "film_actors_1" ON TRUE
  LEFT JOIN LATERAL ( SELECT json_agg("film_category_1")::jsonb AS "film_category_1" FROM (
    SELECT "category_1"."name" FROM "category" AS "category_1", "film_category"
    WHERE "film_category"."category_id" = "category_1"."category_id" AND "film_category"."film_id" = "film"."film_id" )
    AS "film_category_1" ) AS "film_category_1" ON TRUE
  LEFT JOIN LATERAL ( SELECT "language_1".* FROM "language" AS "language_1"
    WHERE "language_1"."language_id" = "film"."language_id" ) AS "film_language_1" ON TRUE
  ORDER BY "film"."film_id" LIMIT $1 OFFSET $2 )
SELECT null::bigint AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total,
  coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
-- A json column is read as text and made jsonb: equal keys, escapes and errors are the cast's.
('PostgREST', 'json in what is embedded', 'jsonrow_core_json_agg[]', '', $$
WITH pgrst_source AS ( SELECT "film"."title", COALESCE( "film_review_1"."film_review_1", '[]') AS "review" FROM "film"
  LEFT JOIN LATERAL ( SELECT json_agg("film_review_1")::jsonb AS "film_review_1" FROM ( SELECT "review_1".*
    FROM "review" AS "review_1" WHERE "review_1"."film_id" = "film"."film_id" ) AS "film_review_1" )
  AS "film_review_1" ON TRUE )
SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'many spread into columns of arrays', 'jsonrow_core_json_agg[], jsonrow_core_jsonb_agg', '', $$
WITH pgrst_source AS ( SELECT "actor"."last_name", "actor_award_1"."years", "actor_award_1"."prizes" FROM "actor"
  LEFT JOIN LATERAL ( SELECT json_agg("actor_award_1")::jsonb AS "actor_award_1",
    COALESCE(json_agg("actor_award_1"."years" ORDER BY "actor_award_1"."years"),'[]')::jsonb AS "years",
    COALESCE(json_agg("actor_award_1"."prize" ORDER BY "actor_award_1"."years"),'[]')::jsonb AS "prizes"
    FROM ( SELECT "award_1"."year" AS "years", "award_1"."prize" FROM "award" AS "award_1"
      WHERE "award_1"."actor_id" = "actor"."actor_id" ) AS "actor_award_1" ) AS "actor_award_1" ON TRUE )
SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'aggregates', 'jsonrow_core_json_agg[]', '', $$
WITH pgrst_source AS ( SELECT "film"."rating", COUNT("film"."film_id") AS "n", CAST( AVG("film"."rate") AS text ) AS
  "avg" FROM "film" GROUP BY "film"."rating" )
SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$),
('PostgREST', 'a function''s scalar', 'jsonrow_core_json_agg', '''4''', $$
WITH pgrst_source AS (SELECT "pgrst_call"."pgrst_scalar" FROM (SELECT "title_of"("film" := $1::int) pgrst_scalar)
  pgrst_call) SELECT 1 AS page_total, coalesce(json_agg(_postgrest_t.pgrst_scalar)->0, 'null') AS body
FROM (SELECT "title_of".* FROM "pgrst_source" AS "title_of") _postgrest_t$$),
('PostgREST', 'a function''s scalars', 'jsonrow_core_json_agg', '''1960''', $$
WITH pgrst_source AS (SELECT pgrst_call.pgrst_scalar FROM (SELECT "titles_of"("y" := $1::int) pgrst_scalar) pgrst_call)
SELECT pg_catalog.count(_postgrest_t) AS page_total, coalesce(json_agg(_postgrest_t.pgrst_scalar), '[]') AS body
FROM (SELECT "titles_of".* FROM "pgrst_source" AS "titles_of") _postgrest_t$$),
('PostgREST', 'a function''s rows', 'jsonrow_core_json_agg[]', '''1960''', $$
WITH pgrst_source AS (SELECT "pgrst_call".* FROM "films_of"("y" := $1::int) pgrst_call)
SELECT pg_catalog.count(_postgrest_t) AS page_total, coalesce(json_agg(_postgrest_t), '[]') AS body
FROM (SELECT "films_of".* FROM "pgrst_source" AS "films_of") _postgrest_t$$),
('PostgREST', 'an insertion that returns', 'jsonrow_core_json_agg[], jsonrow_core_row_to_json[]',
 '''[{"review_id": 100, "film_id": 2, "stars": 3}, {"review_id": 101, "film_id": 3}]''', $$
WITH pgrst_source AS (INSERT INTO "review"("film_id", "review_id", "stars") SELECT "pgrst_body"."film_id",
  "pgrst_body"."review_id", "pgrst_body"."stars" FROM (SELECT $1::json AS json_data) pgrst_payload,
  LATERAL (SELECT "film_id", "review_id", "stars" FROM json_to_recordset(pgrst_payload.json_data)
    AS _("film_id" integer, "review_id" integer, "stars" integer) ) pgrst_body
  RETURNING "review"."film_id", "review"."review_id", "review"."stars")
SELECT '' AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total,
  CASE WHEN pg_catalog.count(_postgrest_t) > 0 THEN coalesce((
    WITH data AS (SELECT row_to_json(_) AS row FROM pgrst_source AS _ LIMIT 1)
    SELECT array_agg(json_data.key || '=' || coalesce('eq.' || json_data.value, 'is.null'))
    FROM data CROSS JOIN json_each_text(data.row) AS json_data WHERE json_data.key IN ('review_id')), array[]::text[])
    ELSE array[]::text[] END AS header, coalesce(json_agg(_postgrest_t), '[]') AS body
FROM (SELECT "review"."film_id", "review"."stars" FROM "pgrst_source" AS "review") _postgrest_t$$),
('PostgREST', 'GeoJSON', 'jsonrow_core_json_agg, jsonrow_core_json_build_object', '', $$
WITH pgrst_source AS ( SELECT "film"."film_id", "film"."place" FROM "film" )
SELECT json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(_postgrest_t)::json),
  '[]')) AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t$$);

-- pg_graphql: objects by key, cursors, pages; more than fifty fields in pieces
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('pg_graphql', 'a connection with edges, pages, and a relation',
 'jsonrow_core_jsonb_agg[], jsonrow_core_jsonb_build_array, jsonrow_core_jsonb_build_object, jsonrow_core_to_jsonb',
 '''1900'', ''10''', $$
(with __records as (
    select "b0"."film_id", "b0"."title", "b0"."rate", "b0"."updated", "b0"."language_id" from "film" "b0"
    where true and true and ("b0"."film_id" < $1::integer) and true order by "b0"."film_id" asc nulls last limit $2
    offset 0),
  __total_count(___total_count) as (select count(*) from "film" "b0" where true and ("b0"."film_id" < $1::integer)),
  __has_next_page(___has_next_page) as (with page_plus_1 as (select 1 from "film" "b0" where true
      order by "b0"."film_id" asc nulls last limit ($2 + 1) offset (0)) select count(*) > $2 from page_plus_1),
  __has_previous_page(___has_previous_page) as (select null),
  __has_records(has_records) as (select exists(select 1 from __records)),
  __aggregates(agg_result) as (select jsonb_build_object('count', count(*), 'sum', jsonb_build_object('rate',
  sum("b0"."rate"))) from "film" "b0" where true),
  __base_object as (select jsonb_build_object(
      'pageInfo', jsonb_build_object('hasNextPage', coalesce(bool_and(__has_next_page.___has_next_page), false),
        'startCursor', case when __has_records.has_records then
        (array_agg(translate(encode(convert_to(jsonb_build_array(
          to_jsonb("b0"."film_id"))::text, 'utf-8'), 'base64'), E'\n', '') order by "b0"."film_id" asc nulls last))[1]
          else null end), 'totalCount', coalesce(__total_count.___total_count, 0),
      'edges', coalesce(jsonb_agg(jsonb_build_object(
        'cursor', translate(encode(convert_to(jsonb_build_array(to_jsonb("b0"."film_id"))::text, 'utf-8'), 'base64'),
        E'\n', ''),
        'node', jsonb_build_object('filmId', "b0"."film_id", 'title', "b0"."title", 'rate', ("b0"."rate")::text,
          '__typename', 'Film', 'language', (select jsonb_build_object('name', "b1"."name") from "language" as "b1"
            where "b0"."language_id" = "b1"."language_id")))
        order by "b0"."film_id" asc nulls last) filter (where "b0"."film_id" is not null), jsonb_build_array())) as obj
    from __total_count cross join __has_next_page cross join __has_previous_page cross join __has_records
      left join __records "b0" on true
    group by __total_count.___total_count, __has_next_page.___has_next_page, __has_previous_page.___has_previous_page,
      __has_records.has_records)
  select coalesce(__base_object.obj, '{}'::jsonb) || jsonb_build_object('aggregate', coalesce(__aggregates.agg_result,
  '{}'::jsonb)) from (select 1) as __dummy_for_left_join left join __base_object on true cross join __aggregates)$$),
('pg_graphql', 'connections in connections',
 'jsonrow_core_jsonb_agg[], jsonrow_core_jsonb_build_object', '', $$
select jsonb_build_object('edges', coalesce(jsonb_agg(jsonb_build_object('node', jsonb_build_object('lastName',
  "b0"."last_name", 'links', "b0"."links" #>> '{}', 'awards', (
    with __records as (select "b1"."award_id", "b1"."prize" from "award" "b1" where true and "b1"."actor_id" =
    "b0"."actor_id" order by "b1"."award_id" asc nulls last limit 30 offset 0),
    __base_object as (select jsonb_build_object('edges', coalesce(jsonb_agg(jsonb_build_object('node',
    jsonb_build_object(
      'prize', "b1"."prize")) order by "b1"."award_id" asc nulls last) filter (where "b1"."award_id" is not null),
      jsonb_build_array())) as obj from (select 1) x left join __records "b1" on true)
    select coalesce(__base_object.obj, '{}'::jsonb) from (select 1) as __dummy_for_left_join
      left join __base_object on true)))
  order by "b0"."actor_id" asc nulls last) filter (where "b0"."actor_id" is not null), jsonb_build_array())) as obj
from "actor" "b0"$$),
('pg_graphql', 'a mutation',
  'jsonrow_core_jsonb_agg[], jsonrow_core_jsonb_build_object',
 '''100'', ''Mystery''', $$
with affected as (insert into "category"("category_id", "name") values ($1::integer, $2::text)
  returning "category_id", "name")
select jsonb_build_object('affectedCount', count(*), 'records', coalesce(jsonb_agg(jsonb_build_object(
  'categoryId', "b0"."category_id", 'name', "b0"."name")), jsonb_build_array())) from affected as "b0"$$);
INSERT INTO sent (tool, what, functions, sql)
SELECT 'pg_graphql', 'more than fifty fields', 'jsonrow_core_jsonb_agg[]', format(
	'select coalesce(jsonb_agg(jsonb_build_object(%s) || jsonb_build_object(%s) order by "b0"."id" asc nulls last) '
	'filter (where "b0"."id" is not null), jsonb_build_array()) from "wide" "b0"',
	string_agg(field, ', ') FILTER (WHERE i <= 50), string_agg(field, ', ') FILTER (WHERE i > 50))
FROM (SELECT i, format('%L, "b0"."c%s"', 'field' || i, i) AS field FROM generate_series(1, 59) i) f;

-- Hasura 2: rows with names by a subquery, aggregated one subquery above
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Hasura 2', 'rows of a table', 'jsonrow_core_json_agg_row_to_json[]', '', $$
SELECT coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT row_to_json((SELECT "_e" FROM (SELECT
  "_root.base"."film_id" AS "film_id", "_root.base"."title" AS "title", "_root.base"."rate" AS "rate",
  "_root.base"."extra"
  AS "extra", "_root.base"."raw" AS "raw", ("_root.base"."isbn")::text AS "isbn") AS "_e" ) ) AS "root"
  FROM (SELECT * FROM "film" WHERE ('true') ) AS "_root.base" ) AS "_root"$$),
('Hasura 2', 'a page, ordered', 'jsonrow_core_json_agg_row_to_json[]', '''1955'', 12', $$
SELECT coalesce(json_agg("root" ORDER BY "root.pg.year" DESC NULLS FIRST, "root.pg.film_id" ASC NULLS LAST), '[]' ) AS
  "root"
FROM (SELECT row_to_json((SELECT "_e" FROM (SELECT "_root.base"."title" AS "title", "_root.base"."year" AS "y") AS
  "_e" ) )
  AS "root", "_root.base"."year" AS "root.pg.year", "_root.base"."film_id" AS "root.pg.film_id" FROM (SELECT * FROM
  "film"
  WHERE (("film"."year") > (($1)::smallint)) ORDER BY "year" DESC NULLS FIRST, "film_id" ASC NULLS LAST LIMIT $2 ) AS
  "_root.base" ORDER BY "root.pg.year" DESC NULLS FIRST, "root.pg.film_id" ASC NULLS LAST ) AS "_root"$$),
('Hasura 2', 'one row by its key', 'jsonrow_core_json_agg_row_to_json[]', '3', $$
SELECT coalesce((json_agg("root" ) -> 0), 'null' ) AS "root" FROM (SELECT row_to_json((SELECT "_e" FROM (SELECT
  "_root.base"."film_id" AS "film_id", "_root.base"."cover" AS "cover") AS "_e" ) ) AS "root" FROM (SELECT * FROM
  "film" WHERE (("film"."film_id") = (($1)::integer)) ) AS "_root.base" ) AS "_root"$$),
('Hasura 2', 'many to many, to one, three levels', 'jsonrow_core_json_agg_row_to_json[], jsonrow_core_row_to_json[]',
  '20', $$
SELECT coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT row_to_json((SELECT "_12_e" FROM (SELECT
  "_0_root.base"."film_id" AS "film_id", "_0_root.base"."title" AS "title", "_3_root.or.language"."language" AS
  "language", "_11_root.ar.root.film_actors"."film_actors" AS "film_actors" ) AS "_12_e" ) ) AS "root"
  FROM (SELECT * FROM "film" WHERE ('true') LIMIT $1 ) AS "_0_root.base"
  LEFT OUTER JOIN LATERAL (SELECT row_to_json((SELECT "_2_e" FROM (SELECT "_1_root.or.language.base"."name" AS "name" )
    AS "_2_e" ) ) AS "language" FROM (SELECT * FROM "language" WHERE (("_0_root.base"."language_id") = ("language_id"))
      LIMIT 1 ) AS "_1_root.or.language.base" ) AS "_3_root.or.language" ON ('true')
  LEFT OUTER JOIN LATERAL (SELECT coalesce(json_agg("film_actors" ), '[]' ) AS "film_actors" FROM (SELECT
  row_to_json((SELECT
    "_9_e" FROM (SELECT "_8_or.actor"."actor" AS "actor", "_4_base"."part" AS "part" ) AS "_9_e" ) ) AS "film_actors"
    FROM (SELECT * FROM "film_actor" WHERE (("_0_root.base"."film_id") = ("film_id")) ) AS "_4_base"
    LEFT OUTER JOIN LATERAL (SELECT row_to_json((SELECT "_7_e" FROM (SELECT "_5_base"."last_name" AS "last_name",
      "_6_ar.awards"."awards" AS "awards" ) AS "_7_e" ) ) AS "actor" FROM (SELECT * FROM "actor"
      WHERE (("_4_base"."actor_id") = ("actor_id")) LIMIT 1 ) AS "_5_base"
      LEFT OUTER JOIN LATERAL (SELECT coalesce(json_agg("awards" ), '[]' ) AS "awards" FROM (SELECT
      row_to_json((SELECT "_e"
        FROM (SELECT "_base"."year" AS "year", "_base"."prize" AS "prize" ) AS "_e" ) ) AS "awards" FROM (SELECT *
        FROM "award" WHERE (("_5_base"."actor_id") = ("actor_id")) ORDER BY "year" ASC NULLS LAST ) AS "_base" ) AS
        "_x" )
      AS "_6_ar.awards" ON ('true') ) AS "_8_or.actor" ON ('true') ) AS "_10_y" ) AS "_11_root.ar.root.film_actors" ON
      ('true') ) AS "_13_root"$$),
-- Since 2.45 a relation that must be there is joined.
('Hasura 2', 'to one, joined', 'jsonrow_core_json_agg_row_to_json[], jsonrow_core_row_to_json[]', '', $$
SELECT coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT row_to_json((SELECT "_3_e" FROM (SELECT
  "_0_root.base"."prize" AS "prize", "_2_or.actor"."actor" AS "actor" ) AS "_3_e" ) ) AS "root"
  FROM (SELECT * FROM "award" WHERE ('true') ) AS "_0_root.base" INNER JOIN (SELECT row_to_json((SELECT "_1_e" FROM
  (SELECT "_base"."last_name" AS "last_name" ) AS "_1_e" ) ) AS "actor", "_base"."actor_id" AS "actor_id"
    FROM (SELECT * FROM "actor" WHERE ('true') ) AS "_base" ) AS "_2_or.actor"
  ON (("_0_root.base"."actor_id") = ("_2_or.actor"."actor_id")) ) AS "_4_root"$$),
('Hasura 2', 'an aggregate with its nodes',
 'jsonrow_core_json_agg_row_to_json[], jsonrow_core_json_build_object', '', $$
SELECT json_build_object('aggregate', json_build_object('count', COUNT(*), 'max', json_build_object('rate',
  MAX("rate")) ), 'nodes', coalesce(json_agg("nodes" ), '[]' ) ) AS "root" FROM (SELECT "_root.base"."rate" AS "rate",
    row_to_json((SELECT "_e" FROM (SELECT "_root.base"."title" AS "title" ) AS "_e" ) ) AS "nodes"
    FROM (SELECT * FROM "film" WHERE ('true') ) AS "_root.base" ) AS "_root"$$),
('Hasura 2', 'names of more than 63 letters', 'jsonrow_core_json_agg_build_object[]', '', $$
SELECT coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT json_build_object('title', "_root.base"."title",
  'a_very_long_name_that_somebody_has_given_to_a_field_of_their_very_own_schema', "_root.base"."year" ) AS "root"
  FROM (SELECT * FROM "film" WHERE ('true') ) AS "_root.base" ) AS "_root"$$),
('Hasura 2', 'a mutation', 'jsonrow_core_json_agg_row_to_json[], jsonrow_core_json_build_object', '''Mystery'', 100',
  $$
WITH "category__mutation_result_alias" AS (INSERT INTO "category" ("name", "category_id") VALUES (($1)::text,
  ($2)::integer) RETURNING *, CASE WHEN 'true' THEN NULL ELSE 'false' END AS "check__constraint"),
"category__all_columns_alias" AS (SELECT "category_id", "name" FROM "category__mutation_result_alias" )
SELECT json_build_object('affected_rows', (SELECT COUNT(*) FROM "category__all_columns_alias" ), 'returning', (SELECT
  coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT row_to_json((SELECT "_e" FROM (SELECT "_root.base"."name"
  AS "name" )
    AS "_e" ) ) AS "root" FROM (SELECT * FROM "category__all_columns_alias" WHERE ('true') ) AS "_root.base" ) AS
    "_root" ) ) AS "result"$$),
('Hasura 2', 'a subscription of many',
 'jsonrow_core_json_agg_row_to_json[], jsonrow_core_json_build_object, jsonrow_core_to_json',
 '''{7f8e62c1-7d9b-4b0c-9f5a-7f7a5b0f3a01}'', ''{"{\"cursor\": {\"id\": 3}}"}''', $$
SELECT "_subs"."result_id", "_fld_resp"."root" AS "result", "_fld_resp"."cursor" AS "cursor"
FROM UNNEST(($1)::uuid[], ($2)::json[]) AS "_subs"("result_id", "result_vars") LEFT OUTER JOIN LATERAL
  (SELECT json_build_object('film_stream', "film_stream"."root" ) AS "root", to_json("film_stream"."cursor" ) AS
  "cursor" FROM (SELECT coalesce(json_agg("root" ORDER BY "root.pg.film_id" ASC ), '[]' ) AS "root",
      json_build_object('film_id', (MAX("root.pg.film_id" ))::text ) AS "cursor" FROM (SELECT row_to_json((SELECT
      "_1_e" FROM (SELECT "_0_root.base"."film_id" AS "id" ) AS "_1_e" ) ) AS "root", "_0_root.base"."film_id" AS
      "root.pg.film_id"
      FROM (SELECT * FROM "film" WHERE (("film"."film_id") > ((("_subs"."result_vars"#>>ARRAY['cursor',
      'id']))::integer))
        ORDER BY "film_id" ASC LIMIT 4 ) AS "_0_root.base" ORDER BY "root.pg.film_id" ASC ) AS "_2_root" ) AS
        "film_stream" ) AS "_fld_resp" ON ('true')$$);

-- Hasura 3 (its connector of PostgreSQL): whole rows of subqueries
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Hasura 3', 'rows of a table', 'jsonrow_core_json_agg_row_to_json[]', '10', $$
SELECT coalesce(json_agg(row_to_json("%2_universe")), '[]') AS "universe" FROM (SELECT * FROM (
  SELECT coalesce(json_agg(row_to_json("%3_rows")), '[]') AS "rows" FROM (SELECT "%0_film"."title" AS "title",
    "%0_film"."raw" AS "raw", "%0_film"."rate" AS "rate" FROM "film" AS "%0_film" LIMIT $1) AS "%3_rows") AS "%3_rows")
  AS "%2_universe"$$),
('Hasura 3', 'many to many, three levels', 'jsonrow_core_json_agg_row_to_json[], jsonrow_core_row_to_json[]', '', $$
SELECT coalesce(json_agg(row_to_json("%15_universe")), '[]') AS "universe" FROM (SELECT * FROM (
  SELECT coalesce(json_agg(row_to_json("%16_rows")), '[]') AS "rows" FROM (
    SELECT "%2_film"."title" AS "title", "%3_RELATIONSHIP_parts"."parts" AS "parts" FROM "film" AS "%2_film"
    LEFT OUTER JOIN LATERAL (SELECT row_to_json("%3_RELATIONSHIP_parts") AS "parts" FROM (SELECT * FROM (
      SELECT coalesce(json_agg(row_to_json("%13_rows")), '[]') AS "rows" FROM (
        SELECT "%6_film_actor"."part" AS "part", "%7_RELATIONSHIP_actor"."actor" AS "actor"
        FROM "film_actor" AS "%6_film_actor" LEFT OUTER JOIN LATERAL (
          SELECT row_to_json("%7_RELATIONSHIP_actor") AS "actor" FROM (SELECT * FROM (
            SELECT coalesce(json_agg(row_to_json("%11_rows")), '[]') AS "rows" FROM (SELECT "%10_actor"."last_name" AS
            "name"
              FROM "actor" AS "%10_actor" WHERE ("%6_film_actor"."actor_id" = "%10_actor"."actor_id")) AS "%11_rows")
              AS "%11_rows") AS "%7_RELATIONSHIP_actor") AS "%7_RELATIONSHIP_actor" ON ('true')
        WHERE ("%2_film"."film_id" = "%6_film_actor"."film_id")) AS "%13_rows") AS "%13_rows"
      CROSS JOIN (SELECT coalesce(row_to_json("%4_aggregates"), '[]') AS "aggregates" FROM (SELECT COUNT(*) AS
      "how_many" FROM "film_actor" AS "%6_film_actor" WHERE ("%2_film"."film_id" = "%6_film_actor"."film_id")) AS
        "%4_aggregates") AS "%4_aggregates") AS "%3_RELATIONSHIP_parts") AS "%3_RELATIONSHIP_parts" ON ('true')
    ORDER BY "%2_film"."film_id" ASC) AS "%16_rows") AS "%16_rows") AS "%15_universe"$$),
('Hasura 3', 'many sets of variables', 'jsonrow_core_json_agg_row_to_json[]',
 '''[{"%variable_order": 2, "%variables": {"y": 1955}}, {"%variable_order": 1, "%variables": {"y": 3000}}]'', ''y''',
 $$
SELECT coalesce(json_agg("%8_universe_agg"."universe"), '[]') AS "universe" FROM (SELECT row_to_json("%5_universe") AS
  "universe"
  FROM jsonb_to_recordset($1) AS "%0_%variables_table"("%variable_order" int, "%variables" jsonb) CROSS JOIN LATERAL (
    SELECT * FROM (SELECT coalesce(json_agg(row_to_json("%6_rows")), '[]') AS "rows" FROM (SELECT "%1_film"."title" AS
    "title" FROM "film" AS "%1_film" WHERE "%1_film"."year" = cast((("%0_%variables_table"."%variables" -> $2)
        #>> cast(ARRAY [] as text[])) as int4)) AS "%6_rows") AS "%6_rows") AS "%5_universe"
  ORDER BY "%0_%variables_table"."%variable_order" ASC) AS "%8_universe_agg"$$),
('Hasura 3', 'a mutation',
  'jsonrow_core_json_agg_row_to_json[], jsonrow_core_json_build_object, jsonrow_core_row_to_json[]',
 '''Mystery'', ''procedure''', $$
WITH "%0_generated_mutation" AS (INSERT INTO "category"("category_id", "name") VALUES (276, cast($1 as
  "pg_catalog"."varchar")), (277, cast(null as "pg_catalog"."varchar")) RETURNING *, false AS "%check__constraint")
SELECT (SELECT json_build_object('result', row_to_json("%5_universe"), 'type', $2::text) AS "universe" FROM (SELECT *
  FROM ( SELECT coalesce(json_agg(row_to_json("%6_returning")), '[]') AS "returning" FROM (
      SELECT "%2_category"."category_id" AS "id", "%2_category"."name" AS "name" FROM (SELECT "%1_category".*
      FROM "%0_generated_mutation" AS "%1_category") AS "%2_category") AS "%6_returning") AS "%6_returning" CROSS JOIN
      ( SELECT COUNT(*) AS "affected_rows" FROM (SELECT "%3_category".* FROM "%0_generated_mutation" AS "%3_category")
      AS "%4_category") AS "%7_aggregates") AS "%5_universe") AS "%results",
  (SELECT coalesce(bool_and("%8_c"."%check__constraint"), true) FROM "%0_generated_mutation" AS "%8_c") AS
  "%check__constraint"$$);

-- Prisma: objects by key, two subqueries below their aggregate
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Prisma', 'one to many, ordered, a page of each', 'jsonrow_core_jsonb_agg[]', '2, 10, 0', $$
SELECT "t1"."actor_id", "t1"."last_name", "Actor_awards"."__prisma_data__" AS "awards" FROM "actor" AS "t1"
LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (
  SELECT "t4"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT('year', "t3"."year", 'prize', "t3"."prize", 'money',
  "t3"."money")
    AS "__prisma_data__", "t3"."year" FROM (SELECT "t2".* FROM "award" AS "t2" WHERE "t1"."actor_id" = "t2"."actor_id"
    /* root select */) AS "t3" /* inner select */) AS "t4" ORDER BY "t4"."year" DESC LIMIT $1 /* middle select */) AS
    "t5" /* outer select */) AS "Actor_awards" ON true ORDER BY "t1"."actor_id" ASC LIMIT $2 OFFSET $3$$),
('Prisma', 'to one', 'jsonrow_core_jsonb_build_object', '', $$
SELECT "t1"."film_id", "t1"."title", "Film_language"."__prisma_data__" AS "language" FROM "film" AS "t1"
LEFT JOIN LATERAL (SELECT JSONB_BUILD_OBJECT('language_id', "t2"."language_id", 'name', "t2"."name") AS
  "__prisma_data__"
  FROM (SELECT "t2".* FROM "language" AS "t2" WHERE "t1"."language_id" = "t2"."language_id" LIMIT 1 /* root select */)
  AS "t2") AS "Film_language" ON true ORDER BY "t1"."film_id" ASC$$),
-- What the join has not found would be a NULL in the array: the column comes from the outer join's other side.
('Prisma', 'many to many', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object', '', $$
SELECT "t1"."film_id", "Film_categories_m2m"."__prisma_data__" AS "categories" FROM "film" AS "t1"
LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (
  SELECT "t3"."__prisma_data__" FROM "film_category" AS "t2" LEFT JOIN LATERAL (SELECT JSONB_BUILD_OBJECT('name',
  "t6"."name") AS "__prisma_data__", "t6"."category_id" FROM (SELECT "t5".* FROM "category" AS "t5"
      WHERE "t2"."category_id" = "t5"."category_id" /* root select */) AS "t6") AS "t3" ON true
  WHERE "t2"."film_id" = "t1"."film_id" ORDER BY "t3"."category_id" ASC /* inner */) AS "t4" /* outer */)
  AS "Film_categories_m2m" ON true ORDER BY "t1"."film_id" ASC$$),
('Prisma', 'three levels, to one between them', 'jsonrow_core_jsonb_agg[], jsonrow_core_jsonb_build_object',
  '''1955'', 0', $$
SELECT "t1"."film_id", "t1"."title", "t1"."updated", "Film_parts"."__prisma_data__" AS "parts" FROM "film" AS "t1"
LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (
  SELECT "t4"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT('part', "t3"."part", 'actor',
  "Part_actor"."__prisma_data__")
    AS "__prisma_data__", "t3"."actor_id" FROM (SELECT "t2".* FROM "film_actor" AS "t2" WHERE "t1"."film_id" =
    "t2"."film_id") AS "t3"
    LEFT JOIN LATERAL (SELECT JSONB_BUILD_OBJECT('last_name', "t5"."last_name", 'links', "t5"."links",
        'awards', "Actor_awards"."__prisma_data__") AS "__prisma_data__" FROM (SELECT "t5".* FROM "actor" AS "t5"
        WHERE "t3"."actor_id" = "t5"."actor_id" LIMIT 1) AS "t5"
      LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (
        SELECT "t9"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT('year', "t8"."year") AS "__prisma_data__" FROM (
          SELECT "t7".* FROM "award" AS "t7" WHERE "t5"."actor_id" = "t7"."actor_id") AS "t8") AS "t9") AS "t10")
      AS "Actor_awards" ON true) AS "Part_actor" ON true) AS "t4") AS "t11") AS "Film_parts" ON true
WHERE "t1"."year" > $1 ORDER BY "t1"."film_id" ASC OFFSET $2$$),
('Prisma', 'one to many, large numbers, only some',
 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object', '''1953''', $$
SELECT "t1"."name", "Language_films"."__prisma_data__" AS "films" FROM "language" AS "t1" LEFT JOIN LATERAL (
  SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (SELECT "t4"."__prisma_data__" FROM (
    SELECT JSONB_BUILD_OBJECT('isbn', "t3"."isbn"::text, 'title', "t3"."title", 'extra', "t3"."extra", 'cover',
    "t3"."cover",
      'rating', "t3"."rating", 'features', "t3"."features", 'rate', "t3"."rate", 'length', "t3"."length", 'raw',
      "t3"."raw") AS "__prisma_data__", "t3"."year" FROM (SELECT "t2".* FROM "film" AS "t2" WHERE "t1"."language_id" =
      "t2"."language_id")
      AS "t3") AS "t4" WHERE "t4"."year" > $1) AS "t5") AS "Language_films" ON true ORDER BY "t1"."language_id"$$),
-- The count looks at the same column, which therefore stays.
('Prisma', 'one to many with their number', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object', '', $$
SELECT "t1"."last_name", "Actor_awards"."__prisma_data__" AS "awards",
  JSONB_BUILD_OBJECT('awards', COALESCE("Actor_awards"."_aggr_count_awards", 0)) AS "_count" FROM "actor" AS "t1"
LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__",
    COUNT("__prisma_data__") AS "_aggr_count_awards" FROM (SELECT "t4"."__prisma_data__" FROM (
      SELECT JSONB_BUILD_OBJECT('year', "t3"."year") AS "__prisma_data__" FROM (SELECT "t2".* FROM "award" AS "t2"
        WHERE "t1"."actor_id" = "t2"."actor_id") AS "t3") AS "t4") AS "t5") AS "Actor_awards" ON true
ORDER BY "t1"."actor_id" ASC$$),
('Prisma', 'one to many, distinct', 'jsonrow_core_jsonb_agg[]', '', $$
SELECT "t1"."last_name", "Actor_awards"."__prisma_data__" AS "awards" FROM "actor" AS "t1" LEFT JOIN LATERAL (
  SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (SELECT DISTINCT ON ("t4"."prize")
    "t4"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT('year', "t3"."year") AS "__prisma_data__", "t3"."prize"
      FROM (SELECT "t2".* FROM "award" AS "t2" WHERE "t1"."actor_id" = "t2"."actor_id") AS "t3") AS "t4"
    ORDER BY "t4"."prize" ASC) AS "t5") AS "Actor_awards" ON true ORDER BY "t1"."actor_id" ASC$$);
INSERT INTO sent (tool, what, functions, sql)
SELECT 'Prisma', 'more than fifty fields', 'jsonrow_core_jsonb_agg[]', format(
	'SELECT COALESCE(JSONB_AGG("__prisma_data__"), ''[]'') AS "__prisma_data__" FROM ('
	'SELECT "t4"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT(%s) || JSONB_BUILD_OBJECT(%s) AS "__prisma_data__", '
	'"t3"."id" FROM (SELECT "t2".* FROM "wide" AS "t2") AS "t3") AS "t4" ORDER BY "t4"."id" ASC) AS "t5"',
	string_agg(field, ', ') FILTER (WHERE i <= 50), string_agg(field, ', ') FILTER (WHERE i > 50))
FROM (SELECT i, format('%L, "t3"."c%s"', 'c' || i, i) AS field FROM generate_series(1, 59) i) f;

-- Drizzle before 1.0: rows as arrays, the outermost ones as rows
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Drizzle 0.4x', 'one to many', 'jsonrow_core_json_agg_build_array', '', $$
select "actor"."actor_id", "actor"."last_name", "actor_awards"."data" as "awards" from "actor" "actor" left join
  lateral (
  select coalesce(json_agg(json_build_array("actor_awards"."award_id", "actor_awards"."year", "actor_awards"."prize",
    "actor_awards"."money")), '[]'::json) as "data" from "award" "actor_awards"
  where "actor_awards"."actor_id" = "actor"."actor_id") "actor_awards" on true order by "actor"."actor_id"$$),
('Drizzle 0.4x', 'one to many, ordered, a page of each', 'jsonrow_core_json_agg_build_array', '2, ''1953'', 10', $$
select "language"."name", "language_films"."data" as "films" from "language" "language" left join lateral (
  select coalesce(json_agg(json_build_array("language_films"."title", "language_films"."raw", "language_films"."extra",
    "language_films"."updated", "language_films"."rate") order by "language_films"."year" desc), '[]'::json) as "data"
    from ( select * from "film" "language_films" where ("language_films"."language_id" = "language"."language_id"
      and "language_films"."year" > $2) order by "language_films"."year" desc limit $1) "language_films")
      "language_films" on true order by "language"."language_id" limit $3$$),
('Drizzle 0.4x', 'to one', 'jsonrow_core_json_build_array', '1', $$
select "film"."title", "film_language"."data" as "language" from "film" "film" left join lateral (
  select json_build_array("film_language"."language_id", "film_language"."name") as "data" from (
    select * from "language" "film_language" where "film_language"."language_id" = "film"."language_id" limit $1)
  "film_language") "film_language" on true order by "film"."film_id"$$),
('Drizzle 0.4x', 'many to many, three levels', 'jsonrow_core_json_agg_build_array, jsonrow_core_json_build_array',
  '1', $$
select "film"."film_id", "film"."title", "film_parts"."data" as "parts" from "film" "film" left join lateral (
  select coalesce(json_agg(json_build_array("film_parts"."part", "film_parts_actor"."data")), '[]'::json) as "data"
  from "film_actor" "film_parts" left join lateral (
    select json_build_array("film_parts_actor"."first_name", "film_parts_actor"."born",
    "film_parts_actor_awards"."data") as "data"
    from (select * from "actor" "film_parts_actor" where "film_parts_actor"."actor_id" = "film_parts"."actor_id" limit
    $1) "film_parts_actor" left join lateral (
      select coalesce(json_agg(json_build_array("film_parts_actor_awards"."year", "film_parts_actor_awards"."prize")),
        '[]'::json) as "data" from "award" "film_parts_actor_awards"
      where "film_parts_actor_awards"."actor_id" = "film_parts_actor"."actor_id") "film_parts_actor_awards" on true)
    "film_parts_actor" on true where "film_parts"."film_id" = "film"."film_id") "film_parts" on true
order by "film"."film_id"$$);

-- Drizzle 1.0
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Drizzle 1.0', 'one to many', 'jsonrow_core_json_agg_row_to_json[]', '3', $$
select "d0"."actor_id" as "actorId", "d0"."last_name" as "lastName", "awards"."r" as "awards" from "actor" as "d0"
left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."year" as "year",
  "d1"."prize" as "prize", "d1"."money"::text as "money" from "award" as "d1" where "d0"."actor_id" = "d1"."actor_id"
  order by "d1"."year" desc limit $1) as "t") as "awards" on true order by "d0"."actor_id"$$),
('Drizzle 1.0', 'to one', 'jsonrow_core_row_to_json[]', '1', $$
select "d0"."title" as "title", "language"."r" as "language" from "film" as "d0" left join lateral(
  select row_to_json("t".*) "r" from (select "d1"."name" as "name" from "language" as "d1"
  where "d0"."language_id" = "d1"."language_id" limit $1) as "t") as "language" on true order by "d0"."film_id"$$),
('Drizzle 1.0', 'many to many, three levels', 'jsonrow_core_json_agg_row_to_json[]', '', $$
select "d0"."title" as "title", encode("d0"."cover", 'base64') as "cover", "actors"."r" as "actors" from "film" as "d0"
left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."first_name" as
  "firstName", "d1"."links" as "links", "awards"."r" as "awards" from "actor" as "d1" inner join "film_actor" as "tr0"
  on "tr0"."actor_id" = "d1"."actor_id" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r"
  from ( select "d2"."year" as "year", "d2"."prize" as "prize" from "award" as "d2" where "d1"."actor_id" =
    "d2"."actor_id") as "t")
  as "awards" on true where "d0"."film_id" = "tr0"."film_id") as "t") as "actors" on true order by "d0"."film_id"$$);

-- Kysely's helpers for PostgreSQL
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Kysely', 'one to many', 'jsonrow_core_json_agg[]', '''1990''', $$
select "actor_id", "last_name", (select coalesce(json_agg(agg), '[]') from (select "award"."year", "award"."prize"
  from "award"
  where "award"."actor_id" = "actor"."actor_id" and "award"."year" > $1 order by "award"."year") as agg) as "awards"
from "actor" order by "actor_id"$$),
('Kysely', 'to one', 'jsonrow_core_row_to_json[]', '', $$
select "title", (select to_json(obj) from (select "language"."name", "language"."language_id" as "id" from "language"
  where "language"."language_id" = "film"."language_id") as obj) as "language" from "film" order by "film_id"$$),
('Kysely', 'many to many, three levels, all columns', 'jsonrow_core_json_agg[]', '', $$
select "film".*, (select coalesce(json_agg(agg), '[]') from (select "actor".*, (select coalesce(json_agg(agg), '[]')
  from ( select * from "award" where "award"."actor_id" = "actor"."actor_id" order by "year") as agg) as "awards"
  from "actor" inner join "film_actor" on "film_actor"."actor_id" = "actor"."actor_id"
  where "film_actor"."film_id" = "film"."film_id" order by "actor"."last_name") as agg) as "actors"
from "film" order by "film_id"$$),
('Kysely', 'an object by its keys', 'jsonrow_core_json_build_object', '', $$
select json_build_object('first', "first_name", 'last', "last_name", 'full', "first_name" || ' ' || "last_name") as
  "name" from "actor" order by "actor_id"$$);

-- jOOQ: MULTISET, MULTISET_AGG
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('jOOQ', 'multiset, three levels', 'jsonrow_core_jsonb_agg_build_array', '''1952''', $$
select "film"."title", (select coalesce(jsonb_agg(jsonb_build_array("v0", "v1", "v2")), jsonb_build_array()) from (
  select "actor"."first_name" as "v0", "actor"."net" as "v1", (select coalesce(jsonb_agg(jsonb_build_array("v0",
  "v1")), jsonb_build_array()) from (select "award"."year" as "v0", "award"."prize" as "v1" from "award"
    where "award"."actor_id" = "actor"."actor_id" order by "award"."year" desc) as "t") as "v2" from "film_actor"
    join "actor" on "film_actor"."actor_id" = "actor"."actor_id" where "film_actor"."film_id" = "film"."film_id"
    order by "actor"."last_name") as "t") as "actors", (select coalesce(jsonb_agg(jsonb_build_array("v0")),
    jsonb_build_array())
  from (select "category"."name" as "v0" from "film_category" join "category" using ("category_id")
    where "film_category"."film_id" = "film"."film_id") as "t") as "categories"
from "film" where "film"."year" > $1 order by "film"."film_id"$$),
('jOOQ', 'multiset as json', 'jsonrow_core_json_agg_build_array', '', $$
select "language"."name", (select coalesce(json_agg(json_build_array("v0", "v1", "v2", "v3", "v4", "v5")),
  json_build_array())
  from (select "film"."title" as "v0", "film"."raw" as "v1", "film"."length" as "v2", "film"."cover" as "v3",
    "film"."runs" as "v4", "film"."features" as "v5" from "film" where "film"."language_id" = "language"."language_id")
  as "t") as "films" from "language" order by "language"."language_id"$$),
('jOOQ', 'multiset that is compared', 'jsonrow_core_jsonb_agg_build_array', '', $$
select "actor"."last_name" from "actor" where (select coalesce(jsonb_agg(jsonb_build_array("v0") order by "t"."v0"),
    jsonb_build_array()) from (select "award"."year" as "v0" from "award" where "award"."actor_id" =
    "actor"."actor_id")
    as "t") = (select coalesce(jsonb_agg(jsonb_build_array("v0") order by "t"."v0"), jsonb_build_array())
  from (select "award"."year" as "v0" from "award" where "award"."actor_id" = 1) as "t") order by
  "actor"."actor_id"$$),
('jOOQ', 'multisetAgg', 'jsonrow_core_jsonb_agg_build_array', '', $$
select "film"."title", jsonb_agg(jsonb_build_array("actor"."first_name", "actor"."last_name", "actor"."links",
  "film_actor"."part")) as "actors" from "film" join "film_actor" on "film_actor"."film_id" = "film"."film_id"
  join "actor" on "actor"."actor_id" = "film_actor"."actor_id" group by "film"."film_id", "film"."title"
order by "film"."film_id"$$),
('jOOQ', 'multisetAgg, ordered and filtered', 'jsonrow_core_jsonb_agg_build_array', '', $$
select "film"."title", jsonb_agg(jsonb_build_array("actor"."actor_id", "actor"."born") order by "actor"."last_name")
  filter (where "actor"."alive") as "alive" from "film" join "film_actor" on "film_actor"."film_id" = "film"."film_id"
  join "actor" on "actor"."actor_id" = "film_actor"."actor_id" group by "film"."film_id", "film"."title"
order by "film"."film_id"$$),
('jOOQ', 'multiset of rows in rows', 'jsonrow_core_jsonb_agg_build_array, jsonrow_core_jsonb_build_array', '', $$
select (select coalesce(jsonb_agg(jsonb_build_array("v0", "v1")), jsonb_build_array()) from (select "film"."title" as
  "v0", jsonb_build_array("language"."language_id", "language"."name") as "v1" from "film" left outer join "language"
  on "film"."language_id" = "language"."language_id" order by "film"."film_id") as "t") as "films"$$);

-- Zapatos: objects put together by ||, keys as parameters
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Zapatos', 'rows of a table', 'jsonrow_core_jsonb_agg, jsonrow_core_to_jsonb[]', '3', $$
SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT to_jsonb("film".*) AS result FROM "film"
  WHERE ("film_id" > $1) ORDER BY "title" ASC) AS "sq_film"$$),
('Zapatos', 'some columns, a page', 'jsonrow_core_jsonb_agg[]', '''film_id'', ''title'', ''rate'', 12, 2', $$
SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT jsonb_build_object($1::text, "film_id", $2::text,
  "title", $3::text, "rate") AS result FROM "film" ORDER BY "film_id" ASC LIMIT $4 OFFSET $5) AS "sq_film"$$),
('Zapatos', 'one row with extras', 'jsonrow_core_jsonb_build_object, jsonrow_core_to_jsonb[]',
  '''upper'', ''twice'', 4, 1', $$
SELECT to_jsonb("film".*) || jsonb_build_object($1::text, upper("title"), $2::text, "film_id" * 2) AS result FROM
  "film" WHERE ("film_id" = $3) LIMIT $4$$),
('Zapatos', 'one to many', 'jsonrow_core_jsonb_agg[]', '''awards''', $$
SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT to_jsonb("actor".*) || jsonb_build_object($1::text,
  "lateral_awards".result) AS result FROM "actor" LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(result), '[]') AS result
    FROM (SELECT to_jsonb("award".*) AS result FROM "award" WHERE ("actor_id" = "actor"."actor_id") ORDER BY "year"
    DESC)
    AS "sq_award") AS "lateral_awards" ON true ORDER BY "last_name" ASC) AS "sq_actor"$$),
-- A json column may raise an error when it becomes jsonb, before those of the other object: || stays.
('Zapatos', 'one to many, to one, json on the left of ||',
 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object, jsonrow_core_to_jsonb[]',
  '''awards'', ''language'', 1, 9', $$
SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT to_jsonb("film".*) || jsonb_build_object(
    $1::text, "lateral_reviews".result, $2::text, "lateral_language".result) AS result FROM "film"
  LEFT JOIN LATERAL (SELECT to_jsonb("language".*) AS result FROM "language"
    WHERE ("language_id" = "film"."language_id") LIMIT $3) AS "lateral_language" ON true
  LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT to_jsonb("review".*) AS result
    FROM "review" WHERE ("film_id" = "film"."film_id") ORDER BY "review_id" ASC) AS "sq_review") AS "lateral_reviews"
    ON true LIMIT $4) AS "sq_film"$$),
('Zapatos', 'many to many passed through, three levels', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_agg[]',
 '''film_id'', ''actors'', ''last_name'', ''awards'', ''year''', $$
SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT jsonb_build_object($1::text, "film_id") ||
  jsonb_build_object( $2::text, "lateral_actors".result) AS result FROM "film"
  LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT "lateral_passthru".result AS
  result FROM "film_actor" LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT
    jsonb_build_object(
        $3::text, "last_name") || jsonb_build_object($4::text, "lateral_awards".result) AS result FROM "actor"
      LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT jsonb_build_object($5::text,
      "year") AS result FROM "award" WHERE ("actor_id" = "actor"."actor_id") ORDER BY "year" DESC) AS "sq_award")
        AS "lateral_awards" ON true WHERE ("actor_id" = "film_actor"."actor_id")) AS "sq_actor") AS "lateral_passthru"
        ON true
    WHERE ("film_id" = "film"."film_id")) AS "sq_film_actor") AS "lateral_actors" ON true ORDER BY "film_id") AS
    "sq_film"$$),
('Zapatos', 'an insertion', 'jsonrow_core_to_jsonb', '100, ''Mystery''', $$
INSERT INTO "category" ("category_id", "name") VALUES ($1, $2) RETURNING to_jsonb("category".*) AS result$$),
('Zapatos', 'an insertion or update', 'jsonrow_core_jsonb_build_object, jsonrow_core_to_jsonb', '3, ''Mystery''', $$
INSERT INTO "category" ("category_id", "name") VALUES ($1, $2), (200, $2) ON CONFLICT ("category_id") DO UPDATE
SET ("category_id", "name") = ROW(EXCLUDED."category_id", EXCLUDED."name") RETURNING to_jsonb("category".*)
|| jsonb_build_object('$action', CASE xmax WHEN 0 THEN 'INSERT' ELSE 'UPDATE' END) AS result$$),
('Zapatos', 'an update', 'jsonrow_core_jsonb_build_object', '''title'', 5, ''film_id'', ''title''', $$
UPDATE "film" SET ("title") = ROW($1) WHERE ("film_id" <= $2)
RETURNING jsonb_build_object($3::text, "film_id", $4::text, "title") AS result$$),
('Zapatos', 'a deletion', 'jsonrow_core_to_jsonb', '1990', $$
DELETE FROM "award" WHERE ("year" = $1) RETURNING to_jsonb("award".*) AS result$$);

-- Django: JSONBAgg, JSONObject, ArraySubquery
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Django', 'one to many', 'jsonrow_core_jsonb_agg[]', '', $$
SELECT "actor"."actor_id", "actor"."last_name", COALESCE(JSONB_AGG(JSONB_BUILD_OBJECT(('year')::text, "award"."year",
  ('prize')::text, "award"."prize") ORDER BY "award"."year" DESC) FILTER (WHERE "award"."award_id" IS NOT NULL),
  '[]'::jsonb) AS "awards" FROM "actor" LEFT OUTER JOIN "award" ON ("actor"."actor_id" = "award"."actor_id")
GROUP BY "actor"."actor_id" ORDER BY "actor"."actor_id" ASC$$),
('Django', 'an array of objects', 'jsonrow_core_jsonb_build_object', '', $$
SELECT "film"."title", ARRAY(SELECT JSONB_BUILD_OBJECT(('name')::text, U0."name", ('id')::text, U0."category_id") AS
  "json" FROM "category" U0 INNER JOIN "film_category" U1 ON (U0."category_id" = U1."category_id")
  WHERE U1."film_id" = ("film"."film_id") ORDER BY U0."name") AS "categories" FROM "film" ORDER BY "film"."film_id"
  ASC$$),
('Django', 'an object of values', 'jsonrow_core_jsonb_build_object', '', $$
SELECT JSONB_BUILD_OBJECT(('title')::text, "film"."title", ('lang')::text, JSONB_BUILD_OBJECT(('name')::text,
  "language"."name")) AS "json_object" FROM "film" LEFT OUTER JOIN "language"
ON ("film"."language_id" = "language"."language_id") ORDER BY "film"."film_id" ASC$$),
('Django', 'keys as parameters', 'jsonrow_core_jsonb_agg[]', '''year'', ''prize''', $$
SELECT "award"."actor_id", JSONB_AGG(JSONB_BUILD_OBJECT(($1)::text, "award"."year", ($2)::text, "award"."prize")
  ORDER BY "award"."year") AS "awards" FROM "award" GROUP BY "award"."actor_id" ORDER BY "award"."actor_id" ASC$$),
('Django', 'values of one column', 'jsonrow_core_jsonb_agg', '', $$
SELECT "film"."year", JSONB_AGG("film"."title" ORDER BY "film"."title") AS "titles" FROM "film" GROUP BY "film"."year"
ORDER BY "film"."year"$$);
\if :has_sql_json
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('Django', 'one to many, since PostgreSQL 16', 'jsonrow_core_jsonb_agg[]', '', $$
SELECT "actor"."actor_id", JSONB_AGG(JSON_OBJECT((('year')::text) VALUE "award"."year", (('prize')::text) VALUE
  "award"."prize" RETURNING JSONB) ORDER BY "award"."year") AS "awards" FROM "actor" INNER JOIN "award"
ON ("actor"."actor_id" = "award"."actor_id") GROUP BY "actor"."actor_id" ORDER BY "actor"."actor_id" ASC$$),
('Django', 'an array of objects, since PostgreSQL 16', 'jsonrow_core_jsonb_build_object', '', $$
SELECT "film"."title", ARRAY(SELECT JSON_OBJECT((('name')::text) VALUE U0."name" RETURNING JSONB) AS "json"
  FROM "category" U0 INNER JOIN "film_category" U1 ON (U0."category_id" = U1."category_id")
  WHERE U1."film_id" = ("film"."film_id") ORDER BY U0."name") AS "categories" FROM "film" ORDER BY "film"."film_id"
  ASC$$),
('by hand', 'the standard''s constructors, since PostgreSQL 16', 'jsonrow_core_json_agg_build_object[]', '', $$
SELECT JSON_ARRAYAGG(JSON_OBJECT('title' : title, 'raw' : raw, 'rate' : rate) ORDER BY film_id NULL ON NULL) FROM
  film$$);
\endif

-- SQLAlchemy, Rails, and by hand; what is DISTINCT stays with PostgreSQL
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('SQLAlchemy', 'objects, keys as literals', 'jsonrow_core_json_agg_build_object[]', '', $$
SELECT film.film_id, coalesce((SELECT json_agg(json_build_object('last_name', actor.last_name, 'part',
  film_actor.part)) AS json_agg_1
  FROM actor JOIN film_actor ON actor.actor_id = film_actor.actor_id WHERE film_actor.film_id = film.film_id),
  '[]'::json) AS actors FROM film ORDER BY film.film_id$$),
('SQLAlchemy', 'objects, keys as parameters', 'jsonrow_core_json_agg_build_object[]', '''id'', ''title'', ''raw''', $$
SELECT json_agg(json_build_object($1::VARCHAR, film.film_id, $2::VARCHAR, film.title, $3::VARCHAR, film.raw)) AS
  json_agg_1 FROM film$$),
('SQLAlchemy', 'rows of a subquery', 'jsonrow_core_json_agg_row_to_json[]', '', $$
SELECT json_agg(row_to_json(anon_1)) AS json_agg_1 FROM (SELECT film.film_id AS film_id, film.cover AS cover, film.at
  AS at FROM (SELECT film_id, cover, starts AS at FROM film) film) AS anon_1$$),
('Rails', 'rows of a query', 'jsonrow_core_json_agg[]', '', $$
SELECT coalesce(json_agg(t), '[]') FROM (SELECT "film".* FROM "film" ORDER BY "film"."title" ASC) t$$),
('Rails', 'an array of objects', 'jsonrow_core_array_to_json, jsonrow_core_row_to_json[]', '', $$
SELECT array_to_json(array_agg(row_to_json(t))) FROM (SELECT film_id, title, raw FROM film ORDER BY film_id) t$$),
('by hand', 'an array of rows', 'jsonrow_core_array_to_json', '', $$
SELECT array_to_json(array_agg(t)) FROM (SELECT film_id, title, rate FROM film ORDER BY film_id) t$$),
('by hand', 'a table''s rows', 'jsonrow_core_json_agg[], jsonrow_core_jsonb_agg[]', '', $$
SELECT json_agg(film), jsonb_agg(film ORDER BY film.title) AS b, json_agg(film.*) FILTER (WHERE active) AS c FROM
  film$$),
('by hand', 'rows of a grouped join', 'json_agg, jsonrow_core_json_agg, jsonrow_core_jsonb_agg[]', '', $$
SELECT f.title, json_agg(a ORDER BY a.actor_id) FILTER (WHERE a.actor_id IS NOT NULL) AS actors, json_agg(DISTINCT
  a.last_name::text)
  AS names, jsonb_agg(f) AS films FROM film f LEFT JOIN film_actor fa USING (film_id) LEFT JOIN actor a USING
  (actor_id) GROUP BY f.film_id ORDER BY f.film_id$$),
('by hand', 'objects of objects', 'jsonrow_core_json_agg_build_object[], jsonrow_core_json_build_object', '', $$
SELECT json_agg(json_build_object('id', f.film_id, 'language', json_build_object('id', l.language_id, 'name', l.name),
  'actors', (SELECT json_agg(json_build_object('name', a.last_name)) FROM film_actor fa JOIN actor a USING (actor_id)
    WHERE fa.film_id = f.film_id)) ORDER BY f.film_id) FROM film f JOIN language l USING (language_id)$$),
('by hand', 'objects with keys from the data', 'jsonrow_core_json_object_agg, jsonrow_core_jsonb_object_agg', '', $$
SELECT json_object_agg(film_id, title) AS a, jsonb_object_agg(title, rate) AS b FROM film$$),
('by hand', 'each row', 'jsonrow_core_row_to_json, jsonrow_core_row_to_json[], jsonrow_core_to_jsonb[]', '', $$
SELECT row_to_json(film) AS a, row_to_json(film, true) AS b, to_json(film) AS c, to_jsonb(film) AS d FROM film ORDER
  BY film_id$$),
('by hand', 'values', 'jsonrow_core_to_json, jsonrow_core_to_jsonb', '', $$
SELECT to_json(title) AS a, to_jsonb(updated) AS b, to_json(features) AS c, to_jsonb(raw) AS d FROM film ORDER BY
  film_id$$),
('by hand', 'a common table expression and a pretty printer', 'jsonrow_core_jsonb_agg[]', '', $$
WITH best AS (SELECT title, rate FROM film WHERE rate > 1 ORDER BY rate DESC LIMIT 5)
SELECT jsonb_pretty(jsonb_agg(best)), jsonb_agg(best) -> 0 ->> 'title' AS first FROM best$$),
('by hand', 'a function of the same kind', 'jsonrow_core_json_agg[]', '1960', $$
SELECT json_agg(f) FROM films_of($1) f$$);

-- PostGIS
INSERT INTO sent (tool, what, functions, parameters, sql) VALUES
('PostGIS', 'a collection of features',
 'jsonrow_core_jsonb_agg[], jsonrow_core_jsonb_build_object, jsonrow_core_to_jsonb[]', '', $$
SELECT jsonb_build_object('type', 'FeatureCollection', 'features', jsonb_agg(features.feature)) AS collection FROM (
  SELECT jsonb_build_object('type', 'Feature', 'id', film_id, 'geometry', ST_AsGeoJSON(place)::jsonb,
    'properties', to_jsonb(inputs) - 'film_id' - 'place') AS feature
  FROM (SELECT film_id, place, title, rate FROM film ORDER BY film_id) inputs) features$$),
('PostGIS', 'a collection of features as text', 'jsonrow_core_json_agg, jsonrow_core_json_build_object', '', $$
SELECT json_build_object('type', 'FeatureCollection', 'features', json_agg(ST_AsGeoJSON(t.*)::json)) AS collection
FROM (SELECT film_id, title, place FROM film WHERE place IS NOT NULL ORDER BY film_id) AS t(id, name, place)$$),
('PostGIS', 'features with a lateral row of properties',
 'jsonrow_core_array_to_json, jsonrow_core_row_to_json[]', '', $$
SELECT row_to_json(fc) AS collection FROM (SELECT 'FeatureCollection' AS type, array_to_json(array_agg(f)) AS features
  FROM (
  SELECT 'Feature' AS type, ST_AsGeoJSON(lg.place)::json AS geometry, row_to_json((SELECT l FROM (SELECT film_id,
  title) AS l)) AS properties FROM film AS lg ORDER BY film_id) AS f) AS fc$$);

-- Since 16 rows may be sorted below an aggregate: one with ORDER BY and FILTER stays over one value.
UPDATE sent SET functions = new_functions
FROM (VALUES ('pg_graphql', 'a connection with edges, pages, and a relation', 'jsonrow_core_jsonb_agg, '
		'jsonrow_core_jsonb_build_array, jsonrow_core_jsonb_build_object, jsonrow_core_to_jsonb'),
	('pg_graphql', 'connections in connections', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object'),
	('pg_graphql', 'more than fifty fields', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object'),
	('jOOQ', 'multisetAgg, ordered and filtered', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_array'),
	('Django', 'one to many', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object'))
	since_16(of_tool, about, new_functions)
WHERE tool = of_tool AND what = about AND current_setting('server_version_num')::int >= 160000;

-- The same as views, as far as they are queries without parameters
CREATE TEMPORARY TABLE viewed AS
SELECT tool, what, functions, sql, id FROM sent
WHERE parameters = '' AND sql !~* '\m(insert into|update|delete from)\M';
SELECT format('CREATE TEMPORARY VIEW view_%s AS %s', id, sql) FROM viewed ORDER BY id \gexec
INSERT INTO sent (tool, what, functions, sql)
SELECT tool, what || ', as a view', functions, format('SELECT * FROM view_%s', id) FROM viewed ORDER BY id;

SELECT format('PREPARE sent_%s AS %s', id, sql) FROM sent ORDER BY id \gexec

CREATE FUNCTION pg_temp.call_of(statement sent) RETURNS text LANGUAGE sql AS $$
	SELECT format('EXECUTE sent_%s', statement.id)
		|| CASE WHEN statement.parameters <> '' THEN format('(%s)', statement.parameters) ELSE '' END $$;

-- The rows that a statement gives, as text; what it changes is undone.
CREATE FUNCTION pg_temp.rows_of_statement(statement sent, accelerate text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	result text[] := '{}';
	one record;
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	FOR one IN EXECUTE pg_temp.call_of(statement) LOOP
		result := result || one::text;
	END LOOP;
	RAISE SQLSTATE 'UNDO0';
EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
	RETURN result;
END $$;

-- The number of rows that a query gives which are not stored with the same bytes.
CREATE FUNCTION pg_temp.stored_otherwise(statement sent) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	EXECUTE 'CREATE TEMPORARY TABLE plain AS ' || pg_temp.call_of(statement);
	PERFORM set_config('jsonrow.accelerate', 'on', true);
	EXECUTE 'CREATE TEMPORARY TABLE accelerated AS ' || pg_temp.call_of(statement);
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	SELECT count(*) INTO STRICT result FROM plain FULL JOIN accelerated
		ON plain.ctid = accelerated.ctid
	WHERE record_image_eq(plain.*, accelerated.*) IS NOT TRUE;
	DROP TABLE plain, accelerated;
	RETURN result;
END $$;

-- What is wrong with a statement's answer?  NULL if nothing.
CREATE FUNCTION pg_temp.difference(statement sent) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plain CONSTANT text[] NOT NULL := pg_temp.rows_of_statement(statement, 'off');
	accelerated CONSTANT text[] NOT NULL := pg_temp.rows_of_statement(statement, 'on');
	changes CONSTANT boolean NOT NULL := statement.sql ~* '\m(insert into|update|delete from)\M';
BEGIN
	RETURN concat_ws('; ',
		(SELECT format(E'row %s is\n%s\ninstead of\n%s', n, a, p) FROM unnest(plain, accelerated) WITH ORDINALITY u(p, a, n)
			WHERE p IS DISTINCT FROM a LIMIT 1),
		CASE WHEN NOT changes AND pg_temp.stored_otherwise(statement) > 0 THEN 'stored with other bytes' END);
END $$;

-- PostgreSQL's functions of JSON in an accelerated plan, and ours; those that
-- are given the names of columns end with "[]".  Those without arguments are
-- left as they are.
CREATE FUNCTION pg_temp.functions_of(statement sent) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	PERFORM set_config('jsonrow.accelerate', 'on', true);
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || pg_temp.call_of(statement) LOOP
		plan := plan || line;
	END LOOP;
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	RETURN string_agg(DISTINCT f[1] || CASE WHEN f[2] <> '' THEN '[]' ELSE '' END, ', ')
	FROM regexp_matches(plan, '\m((?:jsonrow_core_)?(?:jsonb?_(?:agg|object_agg|build_object|build_array)\w*|row_to_json|'
		'to_jsonb?|array_to_json|JSON_ARRAYAGG|JSON_OBJECTAGG|JSON_ARRAY|JSON_OBJECT))\((?!\))(E?''\{)?', 'g') f;
END $$;

-- Parameters are known to the planner, as they are when a driver sends a statement for the first time.
SET LOCAL plan_cache_mode = force_custom_plan;
-- An oracle must say something: there is an answer, with more than empty arrays.
SELECT alike(array_to_string(pg_temp.rows_of_statement(s, 'off'), ' '), '%"_%', format('%s, %s: an answer', tool,
  what))
FROM sent s ORDER BY id;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same', tool, what)) FROM sent s ORDER BY id;
SELECT is(pg_temp.functions_of(s), functions, format('%s, %s: the plan', tool, what)) FROM sent s ORDER BY id;

-- What depends on settings
SET LOCAL DateStyle = 'SQL, DMY';
SET LOCAL IntervalStyle = 'iso_8601';
SET LOCAL TimeZone = 'Asia/Kathmandu';
SET LOCAL bytea_output = 'escape';
SET LOCAL extra_float_digits = -3;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same with other settings', tool, what))
FROM sent s ORDER BY id;
SET LOCAL DateStyle = 'ISO, MDY';
SET LOCAL IntervalStyle = 'postgres';
SET LOCAL TimeZone = 'UTC';
SET LOCAL bytea_output = 'hex';
SET LOCAL extra_float_digits = 1;

-- A plan for any parameters: keys that are parameters are not known.
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same by a generic plan', tool, what))
FROM sent s WHERE parameters <> '' ORDER BY id;
SELECT is(pg_temp.functions_of(s), generic.functions, format('%s, %s: the generic plan', tool, what))
FROM sent s JOIN (VALUES ('Zapatos', 'some columns, a page',
  'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object'),
	('Django', 'keys as parameters', 'jsonrow_core_jsonb_agg, jsonrow_core_jsonb_build_object'),
	('SQLAlchemy', 'objects, keys as parameters', 'jsonrow_core_json_agg, jsonrow_core_json_build_object'))
	generic(tool, what, functions) USING (tool, what) ORDER BY id;
RESET plan_cache_mode;

-- Nothing to aggregate
TRUNCATE language, film, actor, film_actor, award, category, film_category, review, wide;
SELECT is(nullif(pg_temp.difference(s), ''), NULL, format('%s, %s: the same of empty tables', tool, what))
FROM sent s ORDER BY id;

SELECT * FROM finish();
ROLLBACK;
