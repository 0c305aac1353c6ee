"""The queries that tools send, with random relations, columns, nesting and variations.

Each function makes a Query of one column and mostly one row.  How these tools
write was read in their sources; PostgREST, pg_graphql, Hasura, Prisma, Drizzle,
Kysely, jOOQ, Zapatos, Django, and what people write by hand.
"""
from grammar import Query
from queries import literal
from relations import quoted


def some_columns(g, item, most=5):
    columns = item.usable()
    if len(columns) > 90 and g.chance(0.15):
        # about as many as a call can have
        return columns[:g.rng.choice([48, 49, 50, 51, 97, 98, 99])]
    return g.rng.sample(columns, min(len(columns), g.rng.randrange(1, most + 1))) if columns else []


def linked(g, depth, outer):
    """(item, condition that ties it to an outer level)"""
    item = g.relation_item(linked=True)
    parents = [i for i in outer if "id" in [n for n, _ in i.usable()]]
    if not parents:
        return item, "true"
    return item, "%s = %s.id" % (item.column("ref"), g.rng.choice(parents).alias)


def where_of(g, item, condition, depth):
    extra = " AND " + g.condition([item], 3) if g.chance(0.2) else ""
    return " WHERE %s%s" % (condition, extra) if condition != "true" or extra else ""


def paging(g, item, often=0.6):
    order = " ORDER BY %s%s" % (item.column("id"), g.rng.choice([" ASC", " DESC", ""])) if g.chance(often) else ""
    return order + (g.rng.choice([" LIMIT 3", " LIMIT 2 OFFSET 1", " OFFSET 0", " LIMIT 20", " LIMIT 1",
                                  " LIMIT ALL"]) if g.chance(0.4) else "")


def value(g, item, column):
    """A column as a tool names it, now and then something else of the row, or what raises an error for a row"""
    if g.chance(0.03):
        return "1 / (%s - %d)" % (item.column("id"), g.rng.randrange(3, 20))
    return g.leaf([item], 4)[0] if g.chance(0.08) else item.column(column)


def nested(g, depth, item, shape):
    """Subqueries over children, of the same tool or of another one"""
    if depth >= 3 or not g.chance((0.7, 0.45, 0.3)[depth]):
        return []
    shapes = [shape if g.chance(0.8) else None for _ in range(g.rng.choice([1, 1, 2]))]
    return [(s or g.rng.choice(SINGLE))(g, depth + 1, [item]) for s in shapes]


def postgrest(g, depth, outer):
    """WITH pgrst_source AS (...) SELECT ... coalesce(json_agg(_postgrest_t), '[]') ...; embeds by lateral joins"""
    item, condition = linked(g, depth, outer)
    targets = [item.alias + ".*"] if g.chance(0.2) else [item.column(n) for n, _ in some_columns(g, item)]
    joins = ""
    for child in nested(g, depth, item, None):
        a = g.alias("e")
        joins += " LEFT JOIN LATERAL (%s) AS %s ON TRUE" % (embed(g, depth + 1, [item], a, child), a)
        column = g.rng.choice(["COALESCE({a}.{a}, '[]')", "{a}.{a}", "row_to_json({a}.*)::jsonb"])
        targets.append("%s AS %s" % (column.format(a=a), quoted(g.odd_name())))
    source = "SELECT %s FROM %s%s%s%s" % (", ".join(targets) or "1", item.text, joins,
                                          where_of(g, item, condition, depth), paging(g, item))
    body = g.pick((6, "coalesce(json_agg(_postgrest_t), '[]')"), (1, "coalesce(json_agg(_postgrest_t)->0, 'null')"),
                  (1, "coalesce((json_agg(_postgrest_t)->0)::text, 'null')"),
                  (2, "coalesce(json_agg(_postgrest_t), '[]')::character varying"))
    if outer or g.chance(0.3):
        return Query("SELECT %s AS body FROM (%s) _postgrest_t" % (body.replace("::character varying", ""), source),
                     [("body", "json")])
    return Query("WITH pgrst_source AS (%s) SELECT %s AS body FROM (SELECT * FROM pgrst_source) _postgrest_t" %
                 (source, body), [("body", "json")])


def embed(g, depth, outer, a, other):
    """What PostgREST has in a lateral join: the rows of a to-many, or the row of a to-one"""
    if g.chance(0.15):
        return "SELECT (%s) AS %s" % (other.text, a)
    item, condition = linked(g, depth, outer)
    targets = ", ".join(item.column(n) for n, _ in some_columns(g, item)) or "1"
    inner = "SELECT %s FROM %s%s%s" % (targets, item.text, where_of(g, item, condition, depth), paging(g, item))
    if depth < 3 and g.chance(0.4):
        b = g.alias("e")
        inner = "SELECT %s, COALESCE(%s.%s, '[]') AS more FROM %s LEFT JOIN LATERAL (%s) AS %s ON TRUE%s" % (
            targets, b, b, item.text, embed(g, depth + 1, [item], b, other), b, where_of(g, item, condition, depth))
    call = g.pick((6, "json_agg({a})::jsonb"), (2, "row_to_json({a}.*)::jsonb"), (1, "json_agg({a})"),
                  (1, "jsonb_agg({a})"))
    return "SELECT %s AS %s FROM (%s) AS %s" % (call.format(a=a), a, inner, a)


def pg_graphql(g, depth, outer):
    item, condition = linked(g, depth, outer)
    def one_object():
        fields = ["%s, %s" % (g.key([item]) if g.chance(0.05) else literal(n) + "::text" * g.chance(0.5),
                              value(g, item, n))
                  for n, _ in some_columns(g, item)]
        fields += ["%s, (%s)" % (literal(g.odd_name()), q.text) for q in nested(g, depth, item, pg_graphql)]
        return "jsonb_build_object(%s)" % ", ".join(fields)
    node = " || ".join(one_object() for _ in range(g.rng.choice([1, 1, 2, 3])))
    edge = "jsonb_build_object('cursor', encode(%s::text::bytea, 'base64'), 'node', %s)" % (item.column("id"),
        node) if g.chance(0.3) else node
    order = " ORDER BY %s ASC NULLS LAST, %s DESC" % (item.column("ref"), item.column("id")) if g.chance(0.7) else ""
    where = " FILTER (WHERE %s)" % g.pick((5, item.column("id") + " IS NOT NULL"),
                                          (1, "not %s.id = any('{1}')" % item.alias)) if g.chance(0.7) else ""
    agg = "coalesce(jsonb_agg(%s%s)%s, jsonb_build_array())" % (edge, order, where)
    if g.chance(0.3):
        agg = "jsonb_build_object('edges', %s, 'pageInfo', jsonb_build_object('hasNextPage', count(*) > 2))" % agg
    source = "%s" % item.text
    if g.chance(0.4):
        source = "(SELECT * FROM %s%s%s) %s" % (item.text, where_of(g, item, condition, depth), paging(g, item, 1),
                                                item.alias)
        condition = "true"
    return Query("SELECT %s AS d FROM %s%s" % (agg, source, where_of(g, item, condition, depth)), [("d", "jsonb")])


def hasura2(g, depth, outer):
    item, condition = linked(g, depth, outer)
    fields = ["%s AS %s" % (value(g, item, n), quoted(n)) for n, _ in some_columns(g, item)]
    joins = ""
    for child in nested(g, depth, item, hasura2):
        a = g.alias("_or")
        joins += " LEFT OUTER JOIN LATERAL (%s) AS \"%s\" ON ('true')" % (child.text, a)
        fields.append('"%s".%s AS %s' % (a, quoted(child.columns[0][0]), quoted(g.odd_name())))
    e = '"_e"'
    root = "row_to_json((SELECT %s FROM (SELECT %s) AS %s))" % (e, ", ".join(fields) or "1 AS one", e)
    sorted_outside = g.chance(0.4)
    inner = "SELECT %s AS root%s FROM (SELECT * FROM %s%s%s) AS %s%s" % (
        root, ", %s AS pg_id" % item.column("id") if sorted_outside else "", item.text,
        where_of(g, item, condition, depth), paging(g, item, 0.3),
        item.alias, joins)
    tail = g.pick((5, ""), (2, " ORDER BY %s ASC NULLS LAST" % item.column("id")), (1, " LIMIT 3"),
                  (1, " ORDER BY %s LIMIT 2" % item.column("id")),
                  (2, " ORDER BY %s DESC LIMIT 2" % item.column("id")))
    agg = "json_agg(\"_s\".root%s)" % (" ORDER BY pg_id ASC NULLS LAST" if sorted_outside else "")
    outermost = g.pick((8, "coalesce(%s, '[]')" % agg), (1, "coalesce(%s -> 0, 'null')" % agg),
                       (1, "coalesce((json_agg(\"_s\".root) -> 0), 'null')"),
                       (1, "jsonb_agg(\"_s\".root)"))
    return Query("SELECT %s AS root FROM (%s%s) AS \"_s\"" % (outermost, inner, tail),
                 [("root", "jsonb" if "jsonb" in outermost else "json")])


def hasura3(g, depth, outer):
    item, condition = linked(g, depth, outer)
    fields = ["%s AS %s" % (value(g, item, n), quoted(n)) for n, _ in some_columns(g, item)]
    joins = ""
    for child in nested(g, depth, item, hasura3):
        a = g.alias("r")
        joins += " LEFT OUTER JOIN LATERAL (%s) AS %s ON ('true')" % (child.text, a)
        fields.append("%s.%s AS %s" % (a, quoted(child.columns[0][0]), quoted(g.odd_name())))
    rows = "SELECT %s FROM %s%s%s%s" % (", ".join(fields) or "1", item.text, joins,
                                        where_of(g, item, condition, depth), paging(g, item))
    agg = 'coalesce(json_agg(row_to_json("rows")), \'[]\')'
    if g.chance(0.4):
        return Query('SELECT json_build_object(\'rows\', %s) AS "universe" FROM (SELECT * FROM (%s) AS "r0") AS "rows"'
                     % (agg, rows),
                     [("universe", "json")])
    return Query('SELECT %s AS "list" FROM (%s) AS "rows"' % (agg, rows), [("list", "json")])


def prisma(g, depth, outer):
    item, condition = linked(g, depth, outer)
    t, p = item.alias, '"__prisma_data__"'
    fields = ["%s, %s" % (literal(n), value(g, item, n)) for n, _ in some_columns(g, item)]
    joins = ""
    for child in nested(g, depth, item, prisma):
        if g.chance(0.3):
            fields.append("%s, (%s)" % (literal(g.odd_name()), child.text))
            continue
        a = g.alias("p")
        joins += " LEFT JOIN LATERAL (%s) AS %s ON true" % (child.text, a)
        fields.append("%s, %s.%s" % (literal(g.odd_name()), a, quoted(child.columns[0][0])))
    call = "JSONB_BUILD_OBJECT(%s)" % ", ".join(fields)
    if g.chance(0.15):
        call += " || JSONB_BUILD_OBJECT(%s)" % ", ".join(fields[:2])
    sort = ", %s.id" % t if g.chance(0.6) else ""
    text = "SELECT %s AS %s%s FROM (SELECT * FROM %s%s) AS %s%s" % (call, p, sort, item.text,
                                                                    where_of(g, item, condition, depth), t, joins)
    for level in range(g.rng.choice([1, 1, 2, 0, 3])):
        a = g.alias("l")
        keep = "%s.%s" % (a, p) + (", %s.id" % a if sort else "")
        extra = g.pick((12, ""), (0.6, ", %s.%s AS again" % (a, p)), (0.3, ", counted() AS c"))
        where = g.pick((10, ""), (0.6, " WHERE %s.%s IS NOT NULL" % (a, p)),
                       (1, " WHERE %s.id > 0" % a if sort else ""))
        order = " ORDER BY %s.id %s" % (a, g.rng.choice(["ASC", "DESC"])) if sort and g.chance(0.7) else ""
        order = " ORDER BY %s.%s" % (a, p) if g.chance(0.03) else order
        text = "SELECT %s%s FROM (%s) AS %s%s%s%s" % (keep, extra, text, a, where, order,
                                                      g.rng.choice(["", "", " LIMIT 3", " OFFSET 1"]))
    a = g.alias("l")
    more = g.pick((12, ""), (0.5, ", count(%s)" % p), (0.5, ", JSONB_AGG(%s)" % p))
    agg = "COALESCE(%s(%s.%s%s), '[]')" % (g.pick((9, "JSONB_AGG"), (1, "JSON_AGG")), a, p,
                                           " ORDER BY %s.id" % a if sort and g.chance(0.1) else "")
    return Query("SELECT %s AS %s%s FROM (%s) AS %s" % (agg, p, more if not outer else "", text, a),
                 [("__prisma_data__", "jsonb" if "JSONB_AGG" in agg else "json")] + [("m", "jsonb")] * bool(more
                     and not outer))


def drizzle04(g, depth, outer):
    item, condition = linked(g, depth, outer)
    values = [value(g, item, n) for n, _ in some_columns(g, item)]
    joins = ""
    for child in nested(g, depth, item, drizzle04):
        a = g.alias("d")
        joins += " left join lateral (%s) %s on true" % (child.text, a)
        values.append("%s.%s" % (a, quoted(child.columns[0][0])))
    call = "json_build_array(%s)" % ", ".join(values)
    if g.chance(0.75):
        order = " order by %s" % item.column("id") if g.chance(0.5) else ""
        call = "coalesce(json_agg(%s%s), '[]'::json)" % (call, order)
        tail = ""
    else:
        tail = " limit 1"
    source = "(select * from %s%s%s) %s" % (item.text, where_of(g, item, condition, depth), paging(g, item),
                                            item.alias)
    return Query('select %s as "data" from %s%s%s' % (call, source, joins, tail), [("data", "json")])


def drizzle1(g, depth, outer):
    item, condition = linked(g, depth, outer)
    fields = ["%s as %s" % (value(g, item, n), quoted(n)) for n, _ in some_columns(g, item)]
    joins = ""
    for child in nested(g, depth, item, drizzle1):
        a = g.alias("d")
        joins += " left join lateral (%s) as %s on true" % (child.text, a)
        fields.append("%s.%s as %s" % (a, quoted(child.columns[0][0]), quoted(g.odd_name())))
    inner = "select %s from %s%s%s%s" % (", ".join(fields) or "1", item.text, joins,
                                         where_of(g, item, condition, depth), paging(g, item))
    call = g.pick((6, "coalesce(json_agg(row_to_json(\"t\".*)), '[]')"), (2, 'row_to_json("t".*)'))
    return Query('select %s as "r" from (%s) as "t"%s' % (call, inner, " limit 1" if call.startswith("row") else ""),
                 [("r", "json")])


def kysely(g, depth, outer):
    item, condition = linked(g, depth, outer)
    fields = ["%s as %s" % (value(g, item, n), quoted(n)) for n, _ in some_columns(g, item)]
    fields += ["(%s) as %s" % (q.text, quoted(g.odd_name())) for q in nested(g, depth, item, kysely)]
    inner = "select %s from %s%s%s" % (", ".join(fields) or "1", item.text, where_of(g, item, condition, depth),
                                       paging(g, item))
    if g.chance(0.25):
        return Query("select to_json(obj) as obj from (%s) as obj%s" % (inner, " limit 1"), [("obj", "json")])
    if g.chance(0.1):
        return Query("select json_build_object(%s) as obj from %s limit 1" % (
            ", ".join("'%s', %s" % (i, f.rpartition(" as ")[0]) for i, f in enumerate(fields)), item.text),
                     [("obj", "json")])
    return Query("select coalesce(json_agg(agg), '[]') as agg from (%s) as agg" % inner, [("agg", "json")])


def jooq(g, depth, outer):
    item, condition = linked(g, depth, outer)
    values = [value(g, item, n) for n, _ in some_columns(g, item)] + ["(%s)" % q.text for q in nested(g, depth, item,
        jooq)]
    values = values or ["1"]
    b = g.rng.choice(["b", "b", ""])
    names = ['"v%d"' % i for i in range(len(values))]
    if g.chance(0.3) and not outer:
        build = "json%s_build_array(%s)" % (b, ", ".join(values))
        return Query("select %s, json%s_agg(%s) as m from %s%s group by %s order by 1" % (
            item.column("ref"), b, build, item.text, where_of(g, item, condition, depth), item.column("ref")),
                     [("ref", "int4"), ("m", "json" + b)])
    build = "json%s_build_array(%s)" % (b, ", ".join(names))
    if g.chance(0.2):
        build = "json%s_build_object(%s)" % (b, ", ".join("'v%d', %s" % (i, n) for i, n in enumerate(names)))
    inner = ", ".join("%s as %s" % pair for pair in zip(values, names))
    order = g.pick((4, ""), (1, ' order by %s nulls last' % "t.sort"))
    sort = ", %s as sort" % item.column("id") if order else ""
    return Query('select coalesce(json%s_agg(%s%s), json%s_build_array()) as m from (select %s%s from %s%s%s) as t' % (
        b, build, order, b, inner, sort, item.text, where_of(g, item, condition, depth), paging(g, item, 0.3)),
                 [("m", "json" + b)])


def zapatos(g, depth, outer):
    item, condition = linked(g, depth, outer)
    columns = some_columns(g, item)
    call = g.pick((3, "to_jsonb(%s.*)" % item.alias),
                  (5, "jsonb_build_object(%s)" % ", ".join("%s::text, %s" % (literal(n), value(g, item, n))
                                                           for n, _ in columns)))
    joins, extras = "", []
    for child in nested(g, depth, item, zapatos):
        a = g.alias("lateral_")
        joins += " LEFT JOIN LATERAL (%s) AS %s ON true" % (child.text, quoted(a))
        extras.append("%s::text, %s.%s" % (literal(g.odd_name()), quoted(a), quoted(child.columns[0][0])))
    if extras or g.chance(0.3):
        call += " || jsonb_build_object(%s)" % ", ".join(extras)
    inner = "SELECT %s AS result FROM %s%s%s%s" % (call, item.text, joins, where_of(g, item, condition, depth),
                                                   paging(g, item))
    if g.chance(0.2):
        return Query(inner if " LIMIT" in inner[-20:] else inner + " LIMIT 1", [("result", "jsonb")])
    return Query("SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (%s) AS sq_%s" % (inner, item.alias),
                 [("result", "jsonb")])


def django(g, depth, outer):
    item, condition = linked(g, depth, outer)
    fields = ["(%s)::text, %s" % (literal(n), value(g, item, n)) for n, _ in some_columns(g, item)]
    fields += ["(%s)::text, (%s)" % (literal(g.odd_name()), q.text) for q in nested(g, depth, item, django)]
    call = "JSONB_BUILD_OBJECT(%s)" % ", ".join(fields)
    if g.chance(0.3) and not outer:
        return Query("SELECT %s, ARRAY(SELECT %s AS j FROM %s) AS a FROM %s LIMIT 5" % (
            item.column("id"), call.replace(item.alias + ".", "u."), item.text.replace(" AS " + item.alias, " AS u"),
            item.text),
            [("id", "int4"), ("a", "array")])
    order = " ORDER BY %s" % item.column("id") if g.chance(0.7) else ""
    return Query("SELECT JSONB_AGG(%s%s)%s AS a FROM %s%s" % (
        call, order, " FILTER (WHERE %s)" % g.condition([item]) if g.chance(0.2) else "", item.text,
        where_of(g, item, condition, depth)), [("a", "jsonb")])


def by_hand(g, depth, outer):
    """SQLAlchemy, Rails, people"""
    item, condition = linked(g, depth, outer)
    a = item.alias
    where = where_of(g, item, condition, depth)
    pairs = ", ".join("%s, %s" % (literal(n), value(g, item, n)) for n, _ in some_columns(g, item))
    children = "".join(", %s, (%s)" % (literal(g.odd_name()), q.text) for q in nested(g, depth, item, by_hand))
    pairs = pairs + children if pairs else "'none', 0" + children
    columns = ", ".join(item.column(n) for n, _ in some_columns(g, item)) or "1"
    b = g.rng.choice(["", "b"])
    text, type_ = g.rng.choice([
        ("SELECT json%s_agg(%s) AS j FROM %s%s" % (b, a, item.text, where), "json" + b),
        ("SELECT json%s_agg(%s.*) AS j FROM %s%s" % (b, a, item.text, where), "json" + b),
        ("SELECT json%s_agg(json_build_object(%s)) AS j FROM %s%s" % (b, pairs, item.text, where), "json" + b),
        ("SELECT json%s_agg(jsonb_build_object(%s) ORDER BY %s) AS j FROM %s%s" % (b, pairs, item.column("id"),
            item.text, where), "json" + b),
        ("SELECT array_to_json(array_agg(t)) AS j FROM (SELECT %s FROM %s%s) t" % (columns, item.text, where), "json"),
        ("SELECT array_to_json(array_agg(row_to_json(t))) AS j FROM (SELECT %s FROM %s%s) t" % (columns, item.text,
            where), "json"),
        ("SELECT json_agg(t)::jsonb AS j FROM (SELECT %s FROM %s%s) t" % (columns, item.text, where), "jsonb"),
        ("SELECT to_jsonb(array_agg(t)) AS j FROM (SELECT %s FROM %s%s) t" % (columns, item.text, where), "jsonb"),
        ("SELECT json_object_agg(%s, row_to_json(%s)) AS j FROM %s%s" % ("coalesce(%s, 0)" % item.column("id"), a,
            item.text, where), "json"),
        ("SELECT jsonrow_objects_agg(%s) AS j FROM %s%s" % (a, item.text, where), "jsonb"),
        ("SELECT jsonrow_objects_agg_json(%s) AS j FROM %s%s" % (a, item.text, where), "json"),
        ("SELECT %s(%s)::jsonb AS j FROM %s%s" %
         (g.rng.choice(["jsonrow_agg", "jsonrow_agg_json", "jsoncol_agg", "jsoncol_agg_json"]), a,
                                                 item.text, where), "jsonb"),
    ])
    return Query(text, [("j", type_)])


def collection(g, depth, outer):
    """GeoJSON, as people who use PostGIS write it"""
    item, condition = linked(g, depth, outer)
    found = g.column([item], ("json", "jsonb", "point"))
    point = "'{\"type\" : \"Point\", \"coordinates\": [1.50,2]}'::text::jsonb"
    geometry = "to_jsonb(%s)" % found[0] if found else point
    properties = g.pick((4, "to_jsonb(%s) - 'ref'" % item.alias), (3, "to_jsonb(%s.*)" % item.alias),
                        (2, "jsonb_build_object('id', %s)" % item.column("id")),
                        (1, "json_build_object('id', %s)" % item.column("id")))
    feature = "jsonb_build_object('type', 'Feature', 'geometry', %s, 'properties', %s)" % (geometry, properties)
    inner = "SELECT %s AS feature FROM (SELECT * FROM %s%s%s) %s" % (feature, item.text,
                                                                     where_of(g, item, condition, depth),
                                                                     paging(g, item), item.alias)
    b = g.rng.choice(["b", "b", ""])
    return Query("SELECT json%s_build_object('type', 'FeatureCollection', 'features', %s) AS c FROM (%s) features" % (
        b, g.rng.choice(["json%s_agg(feature)" % b, "json%s_agg(features.feature)" % b,
                         "coalesce(json%s_agg(feature), '[]')" % b]), inner),
        [("c", "json" + b)])


SINGLE = [postgrest, pg_graphql, hasura2, hasura3, prisma, drizzle04, drizzle1, kysely, jooq, zapatos, django, by_hand,
          collection]


def random(g, depth, outer, single):
    shape = g.rng.choice(SINGLE)
    # grouped queries have more than one row and column: not as a value
    query = shape(g, depth, outer)
    if single and len(query.columns) > 1:
        query = Query("SELECT to_jsonb(z) AS z FROM (%s) z LIMIT 1" % query.text, [("z", "jsonb")])
    query.shape = shape.__name__
    return query
