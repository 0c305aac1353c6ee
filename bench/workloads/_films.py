"""Films with actors and categories: data, and the queries that tools send.

Deterministic: film i has 3 + i % 8 actors and 1 + i % 3 categories, and every
actor i % 5 awards; there are twice as many actors as films.  The queries have the shape that each tool gives them; that
a tool fetches the outermost rows as rows, not as a document, is left out.
PostgREST has made what is nested jsonb, out of text, since 2023.
"""
from measure import psql

OURS = 'jsonrow_agg_json'


def prepare(films):
    psql(f"""
        DROP TABLE IF EXISTS film, actor, film_actor, category, film_category, award;
        CREATE TABLE film AS SELECT i AS film_id, 'Film number ' || i AS title, 1950 + i % 75 AS year, (i % 40 + 60)::numeric / 10 AS rating FROM generate_series(1, {films}) i;
        CREATE TABLE actor AS SELECT i AS actor_id, 'First' || i % 50 AS first_name, 'Last' || i AS last_name FROM generate_series(1, {2 * films}) i;
        CREATE TABLE film_actor AS SELECT film_id, (film_id * 7 + k * 13) % {2 * films} + 1 AS actor_id FROM film, generate_series(1, 10) k WHERE k <= 3 + film_id % 8;
        CREATE TABLE category AS SELECT i AS category_id, 'Category ' || i AS name FROM generate_series(1, 20) i;
        CREATE TABLE film_category AS SELECT film_id, (film_id + k * 5) % 20 + 1 AS category_id FROM film, generate_series(1, 3) k WHERE k <= 1 + film_id % 3;
        CREATE TABLE award AS SELECT actor_id, 1990 + k * 3 AS year, 'Prize ' || k AS prize FROM actor, generate_series(1, 4) k WHERE k <= actor_id % 5;
        ALTER TABLE film ADD PRIMARY KEY (film_id); ALTER TABLE actor ADD PRIMARY KEY (actor_id); ALTER TABLE category ADD PRIMARY KEY (category_id);
        CREATE INDEX ON film_actor (film_id, actor_id); CREATE INDEX ON film_category (film_id, category_id); CREATE INDEX ON award (actor_id);""")
    for table in ('film', 'actor', 'film_actor', 'category', 'film_category', 'award'):
        psql(f'VACUUM ANALYZE {table}')


# AGGREGATE and CHOSEN are replaced.  Correlated subqueries; so are jOOQ's.
JSONROW = """
SELECT AGGREGATE('{film_id,title,year,rating,actors,categories}', f.film_id, f.title, f.year, f.rating,
  (SELECT AGGREGATE('{first_name,last_name,awards}', a.first_name, a.last_name,
     (SELECT AGGREGATE('{year,prize}', w.year, w.prize) FROM award w WHERE w.actor_id = a.actor_id))
   FROM film_actor fa JOIN actor a USING (actor_id) WHERE fa.film_id = f.film_id),
  (SELECT AGGREGATE('{name}', c.name) FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id))
FROM film f WHERE CHOSEN"""

JOOQ = """
SELECT coalesce(jsonb_agg(jsonb_build_array(v0, v1, v2, v3, v4, v5)), jsonb_build_array()) FROM (
  SELECT f.film_id AS v0, f.title AS v1, f.year AS v2, f.rating AS v3,
    (SELECT coalesce(jsonb_agg(jsonb_build_array(v0, v1, v2)), jsonb_build_array()) FROM (
       SELECT a.first_name AS v0, a.last_name AS v1,
         (SELECT coalesce(jsonb_agg(jsonb_build_array(v0, v1)), jsonb_build_array()) FROM (
            SELECT w.year AS v0, w.prize AS v1 FROM award w WHERE w.actor_id = a.actor_id) t) AS v2
       FROM film_actor fa JOIN actor a USING (actor_id) WHERE fa.film_id = f.film_id) t) AS v4,
    (SELECT coalesce(jsonb_agg(jsonb_build_array(v0)), jsonb_build_array()) FROM (
       SELECT c.name AS v0 FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id) t) AS v5
  FROM film f WHERE CHOSEN) t"""

DRIZZLE = """
SELECT coalesce(json_agg(json_build_array(f.film_id, f.title, f.year, f.rating, actors.data, categories.data)), '[]'::json) FROM film f
  LEFT JOIN LATERAL (SELECT coalesce(json_agg(json_build_array(a.first_name, a.last_name, awards.data)), '[]'::json) AS data
     FROM film_actor fa JOIN actor a USING (actor_id)
     LEFT JOIN LATERAL (SELECT coalesce(json_agg(json_build_array(w.year, w.prize)), '[]'::json) AS data
        FROM award w WHERE w.actor_id = a.actor_id) awards ON true
     WHERE fa.film_id = f.film_id) actors ON true
  LEFT JOIN LATERAL (SELECT coalesce(json_agg(json_build_array(c.name)), '[]'::json) AS data
     FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id) categories ON true
WHERE CHOSEN"""

PRISMA = """
SELECT coalesce(jsonb_agg(data), '[]') FROM (
  SELECT jsonb_build_object('film_id', f.film_id, 'title', f.title, 'year', f.year, 'rating', f.rating, 'actors', actors.data, 'categories', categories.data) AS data
  FROM film f
  LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(data), '[]') AS data FROM (
     SELECT jsonb_build_object('first_name', a.first_name, 'last_name', a.last_name, 'awards', awards.data) AS data
     FROM film_actor fa JOIN actor a USING (actor_id)
     LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(data), '[]') AS data FROM (
        SELECT jsonb_build_object('year', w.year, 'prize', w.prize) AS data FROM award w WHERE w.actor_id = a.actor_id) t) awards ON true
     WHERE fa.film_id = f.film_id) t) actors ON true
  LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(data), '[]') AS data FROM (
     SELECT jsonb_build_object('name', c.name) AS data
     FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id) t) categories ON true
  WHERE CHOSEN) t"""

POSTGREST = """
SELECT coalesce(json_agg(t), '[]') FROM (
  SELECT f.film_id, f.title, f.year, f.rating, coalesce(actors.data, '[]') AS actors, coalesce(categories.data, '[]') AS categories FROM film f
  LEFT JOIN LATERAL (SELECT json_agg(r)::jsonb AS data FROM (
     SELECT a.first_name, a.last_name, coalesce(awards.data, '[]') AS awards FROM film_actor fa JOIN actor a USING (actor_id)
     LEFT JOIN LATERAL (SELECT json_agg(r)::jsonb AS data FROM (
        SELECT w.year, w.prize FROM award w WHERE w.actor_id = a.actor_id) r) awards ON true
     WHERE fa.film_id = f.film_id) r) actors ON true
  LEFT JOIN LATERAL (SELECT json_agg(r)::jsonb AS data FROM (
     SELECT c.name FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id) r) categories ON true
  WHERE CHOSEN) t"""

# DOCUMENT makes a collection of the rows of r, and of w within.
NESTED = """SELECT f.film_id, f.title, f.year, f.rating,
  (SELECT DOCUMENT(r) FROM (SELECT a.first_name, a.last_name,
      (SELECT DOCUMENT(w) FROM (SELECT year, prize FROM award WHERE award.actor_id = a.actor_id) w) AS awards
    FROM film_actor fa JOIN actor a USING (actor_id) WHERE fa.film_id = f.film_id) r) AS actors
FROM film f"""

# What the executor takes for the same rows
COUNT = """
SELECT count((SELECT count((SELECT count(w.prize) FROM award w WHERE w.actor_id = a.actor_id))
              FROM film_actor fa JOIN actor a USING (actor_id) WHERE fa.film_id = f.film_id)),
       count((SELECT count(c.name) FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id))
FROM film f WHERE CHOSEN"""

FLOOR = 'floor: count, no JSON'
QUERIES = {
    'jsonrow_agg_json': JSONROW.replace('AGGREGATE', 'jsonrow_agg_json'),
    'jsonrow_agg': JSONROW.replace('AGGREGATE', 'jsonrow_agg'),
    'jsonb_agg of arrays (jOOQ)': JOOQ,
    'json_agg of arrays (Drizzle)': DRIZZLE,
    'jsonb_agg of objects (Prisma)': PRISMA,
    'json_agg of rows (PostgREST)': POSTGREST,
    FLOOR: COUNT,
}


def queries(where):
    return {name: sql.replace('CHOSEN', where) for name, sql in QUERIES.items()}


def check(queries):
    """The same data in all: as much text of arrays, and of objects."""
    doc, json, jooq, drizzle, prisma, postgrest = (f'({queries[name]})::jsonb' for name in ('jsonrow_agg', 'jsonrow_agg_json', *list(queries)[2:-1]))
    arrays, objects = ([f"({doc}) -> 'rows'", f"({json}) -> 'rows'", jooq, drizzle], [f'jsonrow_to_objects({doc})', prisma, postgrest])
    for same in (arrays, objects):
        lengths = psql('SELECT ' + ', '.join(f'length(({sql})::text)' for sql in same)).split('|')
        if len(set(lengths)) != 1:
            raise AssertionError(f'the queries give different data: {lengths}')


def size(sql):
    """Bytes of the document as text, or none if it makes none."""
    if 'json' not in sql:
        return None
    return int(psql(f'SELECT octet_length(doc::text) FROM ({sql}) q(doc)'))
