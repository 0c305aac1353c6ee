"""Pages as tools ask for them: as they are written, and with jsonrow.unnest, which computes for a page what is
beside it.

CPU time of one backend, in turns, the result sent; every answer is compared first.
"""
from charts import bars
from measure import backend_cpu, psql
from report import number, ratio
from workloads._modes import BEFORE, LEAST, contest
from workloads._planning import planning

TITLE = 'Pages: the parents first, `jsonrow.unnest`'

MODES = {'written': 'SET jsonrow.unnest = off; SET jsonrow.accelerate = off;', 'late': 'SET jsonrow.unnest = on; SET jsonrow.accelerate = off;',
         'both': 'SET jsonrow.unnest = on; SET jsonrow.accelerate = on;'}
MADE = {'auto': 'auto', 'custom': 'force_custom_plan', 'generic': 'force_generic_plan'}


def films(count):
    """With five actors and two awards each; the column by which they are sorted has no index"""
    psql(f"""
        DROP TABLE IF EXISTS film, actor, award, director;
        CREATE TABLE director AS SELECT i AS id, 'Director of number ' || i AS name FROM generate_series(1, 100) i;
        CREATE TABLE film AS SELECT i AS id, 'Title of number ' || i AS title, i * 7919::bigint % 10007 AS rating, 1 + i % 100 AS director_id, repeat('x', 80) AS description
            FROM generate_series(1, {count}) i;
        CREATE TABLE actor AS SELECT i AS id, 1 + i % {count} AS film_id, 'Name of number ' || i AS name FROM generate_series(1, {5 * count}) i;
        CREATE TABLE award AS SELECT i AS id, 1 + i % {count} AS film_id, 1950 + i % 70 AS year FROM generate_series(1, {2 * count}) i;
        ALTER TABLE director ADD PRIMARY KEY (id); ALTER TABLE film ADD PRIMARY KEY (id);
        ALTER TABLE actor ADD PRIMARY KEY (id); ALTER TABLE award ADD PRIMARY KEY (id);
        CREATE INDEX ON actor (film_id); CREATE INDEX ON award (film_id);""")
    psql('VACUUM ANALYZE film, actor, award, director')


def shop(count, orders, items):
    """Customers with so many orders of so many items each; each order has a receipt of its own"""
    psql(f"""
        DROP TABLE IF EXISTS customer, orders, item, receipt;
        CREATE TABLE customer AS SELECT i AS id, 'Customer of number ' || i AS name, i * 7919::bigint % 10007 AS since FROM generate_series(1, {count}) i;
        CREATE TABLE orders AS SELECT i AS id, 1 + i % {count} AS customer_id, date '2020-01-01' + i % 1000 AS placed FROM generate_series(1, {orders * count}) i;
        CREATE TABLE receipt AS SELECT id, 'Receipt of number ' || id AS number FROM orders;
        CREATE TABLE item AS SELECT i AS id, 1 + i % {orders * count} AS order_id, 'Product ' || i % 500 AS product, i % 10 AS quantity FROM generate_series(1, {orders * items * count}) i;
        ALTER TABLE customer ADD PRIMARY KEY (id); ALTER TABLE orders ADD PRIMARY KEY (id); ALTER TABLE item ADD PRIMARY KEY (id); ALTER TABLE receipt ADD PRIMARY KEY (id);
        CREATE INDEX ON orders (customer_id); CREATE INDEX ON item (order_id);""")
    psql('VACUUM ANALYZE customer, orders, item, receipt')


BODY = """SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t"""
POSTGREST = f"""WITH pgrst_source AS ( SELECT "film"."id", "film"."title", row_to_json("film_director_1".*)::jsonb AS "director",
  COALESCE("film_actors_1"."film_actors_1", '[]') AS "actors", COALESCE("film_awards_1"."film_awards_1", '[]') AS "awards" FROM "film"
  LEFT JOIN LATERAL ( SELECT "director_1"."name" FROM "director" AS "director_1" WHERE "director_1"."id" = "film"."director_id" LIMIT 1 OFFSET 0 ) AS "film_director_1" ON TRUE
  LEFT JOIN LATERAL ( SELECT json_agg("film_actors_1")::jsonb AS "film_actors_1" FROM ( SELECT "actor_1"."id", "actor_1"."name" FROM "actor" AS "actor_1"
    WHERE "actor_1"."film_id" = "film"."id" ORDER BY "actor_1"."id" ) AS "film_actors_1" ) AS "film_actors_1" ON TRUE
  LEFT JOIN LATERAL ( SELECT json_agg("film_awards_1")::jsonb AS "film_awards_1" FROM ( SELECT "award_1"."year" FROM "award" AS "award_1"
    WHERE "award_1"."film_id" = "film"."id" ORDER BY "award_1"."id" ) AS "film_awards_1" ) AS "film_awards_1" ON TRUE
  ORDER BY "film"."rating" ASC, "film"."id" ASC PAGE ) {BODY}"""
DRIZZLE = """select "d0"."id" as "id", "d0"."title" as "title", "director"."r" as "director", "actors"."r" as "actors", "awards"."r" as "awards" from "film" as "d0"
  left join lateral (select row_to_json("t".*) "r" from (select "d1"."name" as "name" from "director" as "d1" where "d0"."director_id" = "d1"."id" limit 1) as "t") as "director" on true
  left join lateral (select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id", "d1"."name" as "name" from "actor" as "d1"
    where "d0"."id" = "d1"."film_id" order by "d1"."id") as "t") as "actors" on true
  left join lateral (select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."year" as "year" from "award" as "d1"
    where "d0"."id" = "d1"."film_id" order by "d1"."id") as "t") as "awards" on true
  order by "d0"."rating" asc, "d0"."id" asc PAGE"""


def prisma_children(table, columns):
    pairs = ', '.join(f"""'{name}', "t3"."{name}\"""" for name in columns)
    return f"""(SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (SELECT "t4"."__prisma_data__" FROM (
    SELECT JSONB_BUILD_OBJECT({pairs}) AS "__prisma_data__", "t3"."id" FROM (SELECT "t2".* FROM "{table}" AS "t2" WHERE "t1"."id" = "t2"."film_id" /* root select */) AS "t3" /* inner select */) AS "t4"
    ORDER BY "t4"."id" ASC /* middle select */) AS "t5" /* outer select */)"""


PRISMA = f"""SELECT "t1"."id", "t1"."title", "film_director"."__prisma_data__" AS "director", "film_actors"."__prisma_data__" AS "actors",
  "film_awards"."__prisma_data__" AS "awards" FROM "film" AS "t1"
  LEFT JOIN LATERAL (SELECT JSONB_BUILD_OBJECT('name', "t2"."name") AS "__prisma_data__" FROM (SELECT "t2".* FROM "director" AS "t2" WHERE "t1"."director_id" = "t2"."id" LIMIT 1 /* root select */) AS "t2") AS "film_director" ON true
  LEFT JOIN LATERAL {prisma_children('actor', ['id', 'name'])} AS "film_actors" ON true
  LEFT JOIN LATERAL {prisma_children('award', ['year'])} AS "film_awards" ON true
  ORDER BY "t1"."rating" ASC, "t1"."id" ASC PAGE"""


def hasura_children(table, column, number):
    return f"""(SELECT coalesce(json_agg("{table}" ORDER BY "root.ar.pg.id" ASC NULLS LAST), '[]' ) AS "{table}" FROM (SELECT row_to_json((SELECT "_{number}_e" FROM (SELECT
    "_{number}_base"."{column}" AS "{column}" ) AS "_{number}_e" ) ) AS "{table}", "_{number}_base"."id" AS "root.ar.pg.id" FROM (SELECT * FROM "{table}"
    WHERE (("_0_root.base"."id") = ("film_id")) ORDER BY "id" ASC NULLS LAST ) AS "_{number}_base" ORDER BY "root.ar.pg.id" ASC NULLS LAST ) AS "_{number}_x" )"""


# By the name of the director: so the limit stands above what is joined.
HASURA = f"""SELECT coalesce(json_agg("root" ORDER BY "root.or.director.pg.name" ASC NULLS LAST, "root.pg.id" ASC NULLS LAST), '[]' ) AS "root" FROM (
  SELECT row_to_json((SELECT "_e" FROM (SELECT "_0_root.base"."title" AS "title", "_2_ar"."actor" AS "actors", "_4_ar"."award" AS "awards" ) AS "_e" ) ) AS "root",
    "_0_root.base"."id" AS "root.pg.id", "_1_or"."name" AS "root.or.director.pg.name" FROM (SELECT * FROM "film" WHERE ('true') ) AS "_0_root.base"
  LEFT OUTER JOIN LATERAL (SELECT "_or_base"."name" AS "name" FROM (SELECT * FROM "director" WHERE (("_0_root.base"."director_id") = ("id")) LIMIT 1 ) AS "_or_base" ) AS "_1_or" ON ('true')
  LEFT OUTER JOIN LATERAL {hasura_children('actor', 'name', 2)} AS "_2_ar" ON ('true')
  LEFT OUTER JOIN LATERAL {hasura_children('award', 'year', 4)} AS "_4_ar" ON ('true')
  ORDER BY "root.or.director.pg.name" ASC NULLS LAST, "root.pg.id" ASC NULLS LAST PAGE ) AS "_5_root\""""
PAGES = {'PostgREST': POSTGREST, 'Drizzle 1.0': DRIZZLE, 'Prisma': PRISMA, 'Hasura 2, by a relationship': HASURA}

SHOP = f"""WITH pgrst_source AS ( SELECT "customer"."id", "customer"."name", COALESCE("customer_orders_1"."customer_orders_1", '[]') AS "orders" FROM "customer"
  LEFT JOIN LATERAL ( SELECT json_agg("customer_orders_1")::jsonb AS "customer_orders_1" FROM ( SELECT "orders_1"."id", "orders_1"."placed", COALESCE("orders_items_2"."orders_items_2", '[]') AS "items"
    FROM "orders" AS "orders_1" LEFT JOIN LATERAL ( SELECT json_agg("orders_items_2")::jsonb AS "orders_items_2" FROM ( SELECT "item_2"."product", "item_2"."quantity" FROM "item" AS "item_2"
      WHERE "item_2"."order_id" = "orders_1"."id" ORDER BY "item_2"."id" ) AS "orders_items_2" ) AS "orders_items_2" ON TRUE
    WHERE "orders_1"."customer_id" = "customer"."id" ORDER BY "orders_1"."id" ) AS "customer_orders_1" ) AS "customer_orders_1" ON TRUE
  ORDER BY "customer"."since" ASC, "customer"."id" ASC LIMIT 20 OFFSET 0 ) {BODY}"""

TO_ONE = {
    'Drizzle 1.0': """select json_agg(row_to_json(q)) from (select "d0"."id", "d0"."placed", "customer"."r" as "customer" from "orders" as "d0" left join lateral (
  select row_to_json("t".*) "r" from (select "d1"."name" as "name", "d1"."since" as "since" from "customer" as "d1" where "d0"."customer_id" = "d1"."id" limit 1) as "t") as "customer" on true) q""",
    'Hasura 2': """SELECT coalesce(json_agg("root"), '[]') AS "root" FROM (SELECT row_to_json((SELECT "_e" FROM (SELECT "_0"."id" AS "id", "_1"."customer" AS "customer") AS "_e")) AS "root"
  FROM (SELECT * FROM "orders" WHERE ('true')) AS "_0" LEFT OUTER JOIN LATERAL (SELECT row_to_json((SELECT "_2_e" FROM (SELECT "_2"."name" AS "name") AS "_2_e")) AS "customer"
  FROM (SELECT * FROM "customer" WHERE (("_0"."customer_id") = ("id")) LIMIT 1) AS "_2") AS "_1" ON ('true')) AS "_3\"""",
    'columns, each another one': """SELECT o.id, r.number FROM orders o LEFT JOIN LATERAL (SELECT number FROM receipt WHERE id = o.id LIMIT 1) r ON true""",
    'columns': """SELECT o.id, c.name, c.since FROM orders o LEFT JOIN LATERAL (SELECT name, since FROM customer WHERE id = o.customer_id LIMIT 1) c ON true""",
}

NOTHING = {
    'gains nothing: by a key, no collections': 'SELECT id, title, rating FROM film ORDER BY id LIMIT 20',
    'gains nothing: by a key, a collection in the select list': 'SELECT id, (SELECT json_agg(name) FROM actor WHERE film_id = film.id) FROM film ORDER BY id LIMIT 20',
    'gains nothing: a join, sorted': 'SELECT f.id, d.name FROM film f JOIN director d ON d.id = f.director_id WHERE f.rating > 5 ORDER BY f.id LIMIT 20 OFFSET 20',
    'matches nothing': 'SELECT * FROM film WHERE id = 7',
    'matches nothing: a join, grouped': 'SELECT d.name, count(*) FROM film f JOIN director d ON d.id = f.director_id GROUP BY d.name',
}
SPLIT = {f'split: {name}': sql.replace('PAGE', 'LIMIT 20') for name, sql in PAGES.items()}


def answer(sql, settings):
    return psql(f'{BEFORE}{settings} SELECT md5(string_agg(q::text, chr(10))) FROM ({sql}) q;')


def pages(quick, page):
    films(2000 if quick else 10_000)
    return contest({name: sql.replace('PAGE', page) for name, sql in PAGES.items()}, MODES, answer, 3 if quick else 7)


def shops(quick):
    shop(*((500, 8, 4) if quick else (5000, 16, 8)))
    return contest({'PostgREST: customers, orders, items': SHOP}, MODES, answer, 3)


def prepared(quick):
    """By an index, planned once: PostgreSQL stops when it has the page"""
    films(2000 if quick else 10_000)
    psql('CREATE INDEX ON film (rating, id)')
    queries = {f'{name}, {mode}': sql.replace('PAGE', 'LIMIT $1') for name, sql in PAGES.items() if 'Hasura' not in name for mode in ('auto', 'custom', 'generic')}
    statements = {name: f'page_{i}' for i, name in enumerate(queries)}
    before = BEFORE + ''.join(f'PREPARE {statements[name]}(int8) AS {sql};\n' for name, sql in queries.items())
    plans = {name: f"SET plan_cache_mode = {MADE[name.rsplit(', ', 1)[1]]};" for name in queries}
    times = backend_cpu({(name, mode): (plans[name] + setting, f'EXECUTE {statements[name]}(20)') for name in queries for mode, setting in MODES.items()},
                        5 if quick else 15, before, LEAST)
    return {name: {mode: times[name, mode] for mode in MODES} for name in queries}


def to_one(quick):
    shop(700 if quick else 6875, 8, 1)
    return contest(TO_ONE, MODES, answer, 3 if quick else 7)


def planned(quick):
    films(2000 if quick else 10_000)
    return planning(NOTHING | SPLIT, MODES, 5 if quick else 15, BEFORE)


def parts(quick):
    return {'page': lambda: pages(quick, 'LIMIT 20'), 'deep': lambda: pages(quick, 'LIMIT 20 OFFSET 1000'), 'shop': lambda: shops(quick),
            'index': lambda: prepared(quick), 'to one': lambda: to_one(quick), 'planning': lambda: planned(quick)}


HEADINGS = {
    'page': 'Of 10,000 films the 20 of the lowest rating, with director, actors and awards; no index on the rating',
    'deep': 'The same with OFFSET 1000', 'shop': 'Of 5,000 customers 20, with 16 orders of eight items each; no index on what they are sorted by',
    'index': 'The page by an index, prepared: as PostgreSQL chooses (auto), with a custom plan each time, and with a generic one; PostgreSQL stops by itself when it has the page',
    'to one': 'Of each of 55,000 orders the customer, looked up by the key with LIMIT 1, or its receipt; no page',
}


def main_ratios(data):
    return {f'a page of 20 of 10,000, as written, against the parents first: {name}': of['written'] / of['late'] for name, of in data['page'].items()} \
        | {f'a page of a shop, as written, against the parents first: {name}': of['written'] / of['late'] for name, of in data['shop'].items()}


def gain(one):
    return one['written'] / one['late']


def headlines(data):
    return [('20 of 10,000 parents by `ORDER BY ... LIMIT`, without an index for that: PostgREST, Drizzle',
             [gain(data['page'][name]) for name in ('PostgREST', 'Drizzle 1.0')])]


def shared_table(data, out):
    indexed = [gain(one) for name, one in data['index'].items() if name.startswith('PostgREST')]
    (shop,) = data['shop'].values()
    out.shared_table('pages', ['a page of 20', 'times less CPU time'], [
        *[[f'of 10,000 films, each with its director, five actors and two awards: {name}', number(gain(one))] for name, one in data['page'].items()],
        ['of 5,000 customers with 16 orders of eight items each: PostgREST', number(gain(shop))],
        ['of 10,000 films by an index, prepared, where PostgreSQL stops by itself: PostgREST', f'{number(min(indexed))} to {number(max(indexed))}']])


def report(data, out):
    out.text('''As written, what is joined beside a page is computed for all rows, which are then sorted and cut. With `jsonrow.unnest` the rows of the page come first (`late`); with `jsonrow.accelerate` as well, their JSON is ours (`both`).
        The statements are those of tools;
        the answers are the same, byte for byte, which is checked first. CPU time of the backend, the result sent.''')
    shared_table(data, out)
    for part, heading in HEADINGS.items():
        out.text(f'{heading}:')
        out.table(['', 'written / late', 'written / both', 'written, ms', 'late, ms', 'both, ms'], [
            [name, ratio(of['written'], of['late']), ratio(of['written'], of['both']), *map(number, of.values())] for name, of in data[part].items()])
    out.chart('time', 'Pages as they are written, and the parents first', bars(
        'A page of 20: as it is written (grey), the parents first (red): shorter is better', {
            f'{heading}: ms': {key: value for i, (name, of) in enumerate(data[part].items()) for key, value in ((name, of['written']), (' ' * i + '+ jsonrow.unnest', of['late']))}
            for part, heading in (('page', 'of 10,000 films'), ('shop', 'of 5,000 customers'))},
        note='CPU time of the backend. The same statements, the same bytes.'))
    out.heading('Planning')
    out.table(['', 'late - written, us', 'late / written', 'written, us', 'late, us'], [
        [name, number(us['late'] - us['written']), ratio(us['late'], us['written']), number(us['written']), number(us['late'])] for name, us in data['planning'].items()])
    out.statements({name: sql.replace('PAGE', 'LIMIT 20') for name, sql in PAGES.items()} | {'shop': SHOP} | {f'to one: {name}': sql for name, sql in TO_ONE.items()})
