"""Statements as tools send them, of one collection and of collections in rows.

FLAT: all items as one collection.  NESTED: parents, each with its items; tools
that aggregate the outermost rows do so, the others fetch them as rows.  PAGE in
a statement is replaced by what limits the parents.
"""
from measure import psql


def prepare(parents, items):
    """So many parents with so many items each"""
    psql(f"""
        DROP TABLE IF EXISTS item, parent;
        CREATE TABLE parent AS SELECT i AS parent_id, 'Title of number ' || i AS title, date '1990-01-01' + i AS released, i * 1.25::float8 AS rate
            FROM generate_series(1, {parents}) i;
        CREATE TABLE item AS SELECT i AS item_id, (i - 1) / {items} + 1 AS parent_id, 'name of item ' || i AS name, (i % 1000000)::numeric / 100 AS price,
            timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok FROM generate_series(1, {parents * items}) i;
        ALTER TABLE parent ADD PRIMARY KEY (parent_id);
        CREATE INDEX ON item (parent_id);""")
    psql('VACUUM ANALYZE parent, item')


POSTGREST = """SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM ( SELECT * FROM pgrst_source ) _postgrest_t"""
HASURA = """SELECT coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT row_to_json((SELECT "_e" FROM (SELECT ITEMS ) AS "_e" ) ) AS "root"
  FROM (SELECT * FROM "item" WHERE (CONDITION) ) AS "_root.base" ) AS "_root\""""
HASURA_ITEMS = ', '.join(f'"_root.base"."{name}" AS "{name}"' for name in ('item_id', 'name', 'price', 'at', 'ok'))
PRISMA = """SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (SELECT "t4"."__prisma_data__" FROM (
  SELECT JSONB_BUILD_OBJECT('item_id', "t3"."item_id", 'name', "t3"."name", 'price', "t3"."price", 'at', "t3"."at", 'ok', "t3"."ok") AS "__prisma_data__"
  FROM (SELECT "t2".* FROM "item" AS "t2" WHERE CONDITION) AS "t3") AS "t4") AS "t5\""""
DRIZZLE_ARRAYS = """select coalesce(json_agg(json_build_array("i"."item_id", "i"."name", "i"."price", "i"."at", "i"."ok")), '[]'::json) as "data"
  from "item" "i" where CONDITION"""
DRIZZLE_ROWS = """select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (
  select "d1"."item_id" as "itemId", "d1"."name" as "name", "d1"."price" as "price", "d1"."at" as "at", "d1"."ok" as "ok"
  from "item" as "d1" where CONDITION) as "t\""""
KYSELY = """select coalesce(json_agg(agg), '[]') from (select "item_id", "name", "price", "at", "ok" from "item" where CONDITION) as agg"""
JOOQ = """select coalesce(jsonb_agg(jsonb_build_array("v0", "v1", "v2", "v3", "v4")), jsonb_build_array()) from (
  select "item"."item_id" as "v0", "item"."name" as "v1", "item"."price" as "v2", "item"."at" as "v3", "item"."ok" as "v4" from "item" where CONDITION) as "t\""""
ZAPATOS = """SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT jsonb_build_object('item_id'::text, "item_id", 'name'::text, "name",
  'price'::text, "price", 'at'::text, "at", 'ok'::text, "ok") AS result FROM "item" WHERE CONDITION) AS "sq_item\""""
OBJECTS = "'item_id', i.item_id, 'name', i.name, 'price', i.price, 'at', i.at, 'ok', i.ok"
KEYS = OBJECTS.replace("'item_id'", "('item_id')::text").replace("'name'", "('name')::text").replace("'price'", "('price')::text") \
    .replace("'at'", "('at')::text").replace("'ok'", "('ok')::text")
GRAPHQL = f"""coalesce(jsonb_agg(jsonb_build_object('node', jsonb_build_object({OBJECTS})) order by i.item_id asc nulls last)
  filter (where i.item_id is not null), jsonb_build_array())"""

FLAT = {
    'PostgREST': f"""WITH pgrst_source AS ( SELECT "item"."item_id", "item"."name", "item"."price", "item"."at", "item"."ok" FROM "item" )
{POSTGREST}""",
    'pg_graphql': f"select jsonb_build_object('edges', {GRAPHQL}) from item i",
    'Hasura 2': HASURA.replace('ITEMS', HASURA_ITEMS).replace('CONDITION', "'true'"),
    'Hasura 3': """SELECT coalesce(json_agg(row_to_json("%3_rows")), '[]') AS "rows" FROM (
  SELECT "%0".item_id AS "itemId", "%0".name AS "name", "%0".price AS "price", "%0".at AS "at", "%0".ok AS "ok" FROM "item" AS "%0") AS "%3_rows\"""",
    'Prisma': PRISMA.replace('CONDITION', 'true'),
    'Drizzle 0.4x': DRIZZLE_ARRAYS.replace('CONDITION', 'true'),
    'Drizzle 1.0': DRIZZLE_ROWS.replace('CONDITION', 'true'),
    'Kysely': KYSELY.replace('CONDITION', 'true'),
    'jOOQ': JOOQ.replace('CONDITION', 'true'),
    'Zapatos': ZAPATOS.replace('CONDITION', 'true'),
    'Django': f'SELECT JSONB_AGG(JSONB_BUILD_OBJECT({KEYS}) ORDER BY i.item_id) FROM item i',
    'json_agg(t)': 'SELECT json_agg(item) FROM item',
    'array_to_json(array_agg(t))': 'SELECT array_to_json(array_agg(item)) FROM item',
    'json_agg(json_build_object)': f'SELECT json_agg(json_build_object({OBJECTS})) FROM item i',
    'FeatureCollection': """SELECT jsonb_build_object('type', 'FeatureCollection', 'features', jsonb_agg(f.feature)) FROM (
  SELECT jsonb_build_object('type', 'Feature', 'id', i.item_id, 'properties', to_jsonb(i) - 'item_id') AS feature FROM item i) f""",
}
FLAT_FLOOR = 'SELECT count(ok) FROM item'

NESTED = {
    'PostgREST': f"""WITH pgrst_source AS ( SELECT "parent"."parent_id", "parent"."title", "parent"."released", "parent"."rate",
  COALESCE( "items_1"."items_1", '[]') AS "items" FROM "parent" LEFT JOIN LATERAL ( SELECT json_agg("items_1")::jsonb AS "items_1" FROM (
    SELECT "i"."item_id", "i"."name", "i"."price", "i"."at", "i"."ok" FROM "item" AS "i" WHERE "i"."parent_id" = "parent"."parent_id" ) AS "items_1" )
  AS "items_1" ON TRUE PAGE )
{POSTGREST}""",
    'pg_graphql': f"""select jsonb_build_object('edges', coalesce(jsonb_agg(jsonb_build_object('node', jsonb_build_object('parentId', p.parent_id,
  'title', p.title, 'released', p.released, 'rate', p.rate, 'items', (select jsonb_build_object('edges', {GRAPHQL}) from item i
  where i.parent_id = p.parent_id))) order by p.parent_id asc nulls last), jsonb_build_array())) from (select * from parent PAGE) p""",
    'Hasura 2': f"""SELECT coalesce(json_agg("root" ), '[]' ) AS "root" FROM (SELECT row_to_json((SELECT "_e" FROM (SELECT "p.base"."parent_id" AS "parent_id",
  "p.base"."title" AS "title", "p.base"."released" AS "released", "p.base"."rate" AS "rate", "items"."root" AS "items" ) AS "_e" ) ) AS "root"
  FROM (SELECT * FROM "parent" WHERE ('true') PAGE ) AS "p.base" LEFT OUTER JOIN LATERAL (
{HASURA.replace('ITEMS', HASURA_ITEMS).replace('CONDITION', '("p.base"."parent_id") = ("parent_id")')}) AS "items" ON ('true') ) AS "_p\"""",
    'Hasura 3': """SELECT coalesce(json_agg(row_to_json("%9_rows")), '[]') AS "rows" FROM (
  SELECT "%0".parent_id AS "parentId", "%0".title AS "title", "%0".released AS "released", "%0".rate AS "rate", "%1"."items" AS "items" FROM "parent" AS "%0"
  LEFT OUTER JOIN LATERAL (SELECT row_to_json("%1") AS "items" FROM (SELECT * FROM (SELECT coalesce(json_agg(row_to_json("%3_rows")), '[]') AS "rows" FROM (
    SELECT "%2".item_id AS "itemId", "%2".name AS "name", "%2".price AS "price", "%2".at AS "at", "%2".ok AS "ok" FROM "item" AS "%2"
    WHERE ("%0".parent_id = "%2".parent_id)) AS "%3_rows") AS "%3_rows") AS "%1") AS "%1" ON ('true') PAGE) AS "%9_rows\"""",
    'Prisma': f"""SELECT "t1"."parent_id", "t1"."title", "t1"."released", "t1"."rate", "Parent_items"."__prisma_data__" AS "items" FROM "parent" AS "t1"
LEFT JOIN LATERAL ({PRISMA.replace('CONDITION', '"t1"."parent_id" = "t2"."parent_id"')}) AS "Parent_items" ON true PAGE""",
    'Drizzle 0.4x': f"""select "p"."parent_id", "p"."title", "p"."released", "p"."rate", "p_items"."data" as "items" from "parent" "p"
left join lateral ({DRIZZLE_ARRAYS.replace('CONDITION', '"i"."parent_id" = "p"."parent_id"')}) "p_items" on true PAGE""",
    'Drizzle 1.0': f"""select "d0"."parent_id" as "parentId", "d0"."title" as "title", "d0"."released", "d0"."rate", "items"."r" as "items" from "parent" as "d0"
left join lateral({DRIZZLE_ROWS.replace('CONDITION', '"d0"."parent_id" = "d1"."parent_id"')}) as "items" on true PAGE""",
    'Kysely': f"""select "parent_id", "title", "released", "rate", ({KYSELY.replace('CONDITION', '"item"."parent_id" = "parent"."parent_id"')}) as "items"
from "parent" PAGE""",
    'jOOQ': f"""select "parent"."parent_id", "parent"."title", "parent"."released", "parent"."rate",
({JOOQ.replace('CONDITION', '"item"."parent_id" = "parent"."parent_id"')}) as "items" from "parent" PAGE""",
    'jOOQ, multisetAgg': """select "parent"."parent_id", "parent"."title", "parent"."released", "parent"."rate", jsonb_agg(jsonb_build_array("item"."item_id",
  "item"."name", "item"."price", "item"."at", "item"."ok")) as "items" from (select * from "parent" PAGE) as "parent"
  join "item" on "item"."parent_id" = "parent"."parent_id" group by "parent"."parent_id", "parent"."title", "parent"."released", "parent"."rate\"""",
    'Zapatos': f"""SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (SELECT to_jsonb("parent".*) || jsonb_build_object('items'::text, "lateral_items".result)
  AS result FROM "parent" LEFT JOIN LATERAL ({ZAPATOS.replace('CONDITION', '("parent_id" = "parent"."parent_id")')}) AS "lateral_items" ON true PAGE)
  AS "sq_parent\"""",
    'Django': f"""SELECT p.parent_id, p.title, p.released, p.rate, ARRAY(SELECT JSONB_BUILD_OBJECT({KEYS}) AS "json" FROM item i
WHERE i.parent_id = (p.parent_id)) AS items FROM parent p PAGE""",
    'json_agg(json_build_object)': f"""SELECT json_agg(json_build_object('parent_id', p.parent_id, 'title', p.title, 'released', p.released, 'rate', p.rate, 'items',
  (SELECT json_agg(json_build_object({OBJECTS})) FROM item i WHERE i.parent_id = p.parent_id))) FROM (SELECT * FROM parent PAGE) p""",
}
NESTED_FLOOR = """SELECT count(p.rate), sum(l.n) FROM (SELECT * FROM parent PAGE) p
LEFT JOIN LATERAL (SELECT count(i.ok) AS n FROM item i WHERE i.parent_id = p.parent_id) l ON true"""
