"""Nested collections as tools write them, under total orders; n is what makes the rest, a Nested of nested.py.

Each function gives the text of a query of one column and one row, over what belongs to a row of the parent.
"""
from grammar import Query


def child_of(n, parent):
    """(what is in FROM, a condition)"""
    child = n.table(n.rng.choice(["many", "some", "few", "part", "v"]))
    return child, n.where([n.equality([child], [parent])] if parent else [])


def columns_of(n, part, most=4):
    return [part.members[0]] + n.rng.sample(part.members[1:], min(most, n.rng.randrange(len(part.members))))


def children(n, part, depth, tool):
    """Queries over what belongs to a row, each with a number"""
    for i in range(2):
        if depth < 4 and n.chance((1, 0.55, 0.4, 0.3)[depth]):
            yield i, tool(n, part, depth + 1)


def jooq(n, parent, depth):
    part, where = child_of(n, parent)
    fields = [part.column(m) for m in columns_of(n, part)]
    fields += ["(%s)" % text for _, text in children(n, part, depth, jooq)]
    names = ['"v%d"' % i for i in range(len(fields))]
    inner = "select %s from %s%s" % (", ".join("%s as %s" % pair for pair in zip(fields, names)), part.text, where)
    values = ", ".join('"t".' + name for name in names)
    return 'select coalesce(json_agg(json_build_array(%s) order by "t"."v0"), json_build_array()) from (%s) as "t"' % (
        values, inner)


def drizzle(n, parent, depth):
    part, where = child_of(n, parent)
    values, joins = [part.column(m) for m in columns_of(n, part)], ""
    for _, text in children(n, part, depth, drizzle):
        a = n.g.alias("d")
        joins += ' left join lateral (%s) "%s" on true' % (text, a)
        values.append('"%s"."data"' % a)
    source, order = "%s%s" % (part.text, joins) + where, " order by %s.id" % part.alias
    if depth and n.chance(0.4):
        source, order = "(select * from %s%s%s) %s%s" % (part.text, where, order, part.alias, joins), ""
    return "select coalesce(json_agg(json_build_array(%s)%s), '[]'::json) as \"data\" from %s" % (
        ", ".join(values), order, source)


def prisma(n, parent, depth):
    part, where = child_of(n, parent)
    fields, joins = ["'%s', %s.%s" % (m.name, part.alias, m.name) for m in columns_of(n, part)], ""
    for i, text in children(n, part, depth, prisma):
        a = n.g.alias("r")
        joins += ' LEFT JOIN LATERAL (%s) AS "%s" ON TRUE' % (text, a)
        fields.append("'x%d', \"%s\".\"__prisma_data__\"" % (i, a))
    root = "(SELECT * FROM %s%s /* root */) AS %s" % (part.text, where, part.alias)
    inner = 'SELECT JSONB_BUILD_OBJECT(%s) AS "__prisma_data__", %s.id FROM %s%s' % (
        ", ".join(fields), part.alias, root, joins)
    return ('SELECT COALESCE(JSONB_AGG("__prisma_data__"), \'[]\') AS "__prisma_data__" FROM'
            ' (SELECT t3."__prisma_data__" FROM (%s) AS t3 ORDER BY t3.id) AS t4' % inner)


def postgrest(n, parent, depth):
    part, where = child_of(n, parent)
    fields, joins = [part.column(m) for m in columns_of(n, part)], ""
    for i, text in children(n, part, depth, postgrest):
        a = n.g.alias("e")
        joins += " LEFT JOIN LATERAL (%s) AS %s ON TRUE" % (text, a)
        fields.append("COALESCE(%s.body, '[]') AS x%d" % (a, i))
    source = "SELECT %s FROM %s%s%s ORDER BY %s.id" % (", ".join(fields), part.text, joins, where, part.alias)
    if not depth:
        return ("WITH pgrst_source AS (%s) SELECT coalesce(json_agg(_postgrest_t), '[]') AS body FROM"
                " (SELECT * FROM pgrst_source) _postgrest_t" % source)
    a = n.g.alias("p")
    return "SELECT json_agg(%s)%s AS body FROM (%s) AS %s" % (a, n.rng.choice(["", "::jsonb"]), source, a)


def kysely(n, parent, depth):
    part, where = child_of(n, parent)
    fields = [part.column(m) for m in columns_of(n, part)]
    fields += ["(%s) as x%d" % (text, i) for i, text in children(n, part, depth, kysely)]
    return "select coalesce(json_agg(agg), '[]') from (select %s from %s%s order by %s.id) as agg" % (
        ", ".join(fields), part.text, where, part.alias)


def hasura(n, parent, depth):
    part, where = child_of(n, parent)
    fields, joins = ["%s AS %s" % (part.column(m), m.name) for m in columns_of(n, part)], ""
    for i, text in children(n, part, depth, hasura):
        a = n.g.alias("_h")
        joins += " LEFT OUTER JOIN LATERAL (%s) AS %s ON ('true')" % (text, a)
        fields.append("%s.root AS x%d" % (a, i))
    base = "(SELECT * FROM %s%s) AS %s" % (part.text, where, part.alias)
    inner = "SELECT row_to_json((SELECT _e FROM (SELECT %s) AS _e)) AS root, %s.id FROM %s%s" % (
        ", ".join(fields), part.alias, base, joins)
    return ("SELECT coalesce(json_agg(s.root ORDER BY s.id ASC NULLS LAST), '[]') AS root FROM"
            " (%s ORDER BY %s.id ASC NULLS LAST) AS s" % (inner, part.alias))


def zapatos(n, parent, depth):
    part, where = child_of(n, parent)
    call, joins, more = "to_jsonb(%s.*)" % part.alias, "", []
    for i, text in children(n, part, depth, zapatos):
        a = n.g.alias("z")
        joins += " LEFT JOIN LATERAL (%s) AS %s ON true" % (text, a)
        more.append("'x%d'::text, %s.result" % (i, a))
    if more:
        call += " || jsonb_build_object(%s)" % ", ".join(more)
    inner = "SELECT %s AS result FROM %s%s%s ORDER BY %s.id" % (call, part.text, joins, where, part.alias)
    return "SELECT coalesce(jsonb_agg(result), '[]') AS result FROM (%s) AS sq" % inner


def django(n, parent, depth):
    part, where = child_of(n, parent)
    fields = ["('%s')::text, %s" % (m.name, part.column(m)) for m in columns_of(n, part)]
    fields += ["('x%d')::text, (%s)" % (i, text) for i, text in children(n, part, depth, django)]
    return "SELECT JSONB_AGG(JSONB_BUILD_OBJECT(%s) ORDER BY %s.id) AS a FROM %s%s" % (
        ", ".join(fields), part.alias, part.text, where)


def random(n):
    tool = n.rng.choice([jooq, drizzle, prisma, postgrest, kysely, hasura, zapatos, django])
    return Query(tool(n, None, 0), [("data", "jsonb" if tool in (prisma, zapatos, django) else "json")], tool.__name__)
