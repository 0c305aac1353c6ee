"""Films with actors and categories: data, and the queries that tools emit.

Deterministic: film i has 3 + i % 8 actors and 1 + i % 3 categories, and every
actor some awards.
"""
from measure import psql

OURS = 'jsonrow_agg_json'


def prepare(films):
    if psql("SELECT to_regclass('film') IS NOT NULL") == 't' and int(psql('SELECT count(*) FROM film')) == films:
        return
    psql(f"""
        DROP TABLE IF EXISTS film, actor, film_actor, category, film_category, award;
        CREATE TABLE film AS SELECT i AS film_id, 'Film number ' || i AS title, 1950 + i % 75 AS year, (i % 40 + 60)::numeric / 10 AS rating FROM generate_series(1, {films}) i;
        CREATE TABLE actor AS SELECT i AS actor_id, 'First' || i % 50 AS first_name, 'Last' || i AS last_name FROM generate_series(1, 500) i;
        CREATE TABLE film_actor AS SELECT film_id, (film_id * 7 + k * 13) % 500 + 1 AS actor_id FROM film, generate_series(1, 10) k WHERE k <= 3 + film_id % 8;
        CREATE TABLE category AS SELECT i AS category_id, 'Category ' || i AS name FROM generate_series(1, 20) i;
        CREATE TABLE film_category AS SELECT film_id, (film_id + k * 5) % 20 + 1 AS category_id FROM film, generate_series(1, 3) k WHERE k <= 1 + film_id % 3;
        CREATE TABLE award AS SELECT actor_id, 1990 + k * 3 AS year, 'Prize ' || k AS prize FROM actor, generate_series(1, 4) k WHERE k <= actor_id % 5;
        ALTER TABLE film ADD PRIMARY KEY (film_id); ALTER TABLE actor ADD PRIMARY KEY (actor_id); ALTER TABLE category ADD PRIMARY KEY (category_id);
        CREATE INDEX ON film_actor (film_id, actor_id); CREATE INDEX ON film_category (film_id, category_id); CREATE INDEX ON award (actor_id);
        VACUUM ANALYZE film; VACUUM ANALYZE actor; VACUUM ANALYZE film_actor; VACUUM ANALYZE category; VACUUM ANALYZE film_category; VACUUM ANALYZE award;""")


def correlated(outer, actors, awards, categories, where):
    """The aggregate of each level is given by its call; levels are correlated subqueries."""
    of_awards = f'(SELECT {awards} FROM award w WHERE w.actor_id = a.actor_id)'
    of_actors = f'(SELECT {actors.format(of_awards)} FROM film_actor fa JOIN actor a USING (actor_id) WHERE fa.film_id = f.film_id)'
    of_categories = f'(SELECT {categories} FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id)'
    return f'SELECT {outer.format(of_actors, of_categories)} FROM film f WHERE {where}'


def ours(aggregate, where):
    return correlated(aggregate + "('{{id,title,year,rating,actors,categories}}', film_id, title, year, rating, {}, {})",
                      aggregate + "('{{first_name,last_name,awards}}', first_name, last_name, {})",
                      aggregate + "('{year,prize}', w.year, prize)", aggregate + "('{name}', c.name)", where)


def arrays(prefix, where):
    def agg(values):
        return f"coalesce({prefix}_agg({prefix}_build_array({values})), '[]')"
    return correlated(agg('film_id, title, year, rating, {}, {}'), agg('first_name, last_name, {}'), agg('w.year, prize'), agg('c.name'), where)


def objects(prefix, where):
    def agg(pairs):
        return f"coalesce({prefix}_agg({prefix}_build_object({pairs})), '[]')"
    return correlated(agg("'id', film_id, 'title', title, 'year', year, 'rating', rating, 'actors', {}, 'categories', {}"),
                      agg("'first_name', first_name, 'last_name', last_name, 'awards', {}"),
                      agg("'year', w.year, 'prize', prize"), agg("'name', c.name"), where)


def lateral_rows(where):
    return f"""SELECT coalesce(json_agg(t), '[]') FROM (
        SELECT f.film_id AS id, title, year, rating, actors.rows AS actors, categories.rows AS categories FROM film f
        LEFT JOIN LATERAL (SELECT coalesce(json_agg(r), '[]') AS rows FROM (SELECT first_name, last_name, awards.rows AS awards
            FROM film_actor fa JOIN actor a USING (actor_id)
            LEFT JOIN LATERAL (SELECT coalesce(json_agg(w), '[]') AS rows FROM (SELECT year, prize FROM award WHERE actor_id = a.actor_id) w) awards ON true
            WHERE fa.film_id = f.film_id) r) actors ON true
        LEFT JOIN LATERAL (SELECT coalesce(json_agg(r), '[]') AS rows FROM (SELECT c.name FROM film_category fc JOIN category c USING (category_id) WHERE fc.film_id = f.film_id) r) categories ON true
        WHERE {where}) t"""


def queries(where):
    """What is emitted today, by tool, and what we would have emitted."""
    return {
        OURS: ours('jsonrow_agg_json', where),
        'jsonrow_agg': ours('jsonrow_agg', where),
        'jsonb_agg of arrays (jOOQ)': arrays('jsonb', where),
        'json_agg of arrays (Drizzle)': arrays('json', where),
        'jsonb_agg of objects (Prisma)': objects('jsonb', where),
        'json_agg of rows, lateral (PostgREST)': lateral_rows(where),
    }
