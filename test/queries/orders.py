"""Orders that things in FROM have, and what shows them: rows as they come, aggregates without an order of their own.

A page is a subquery, a CTE or a view that is sorted by what makes its rows unique, whatever it is made of, and
may be cut.  n is a Nested of nested.py.
"""
from families import Member
from grammar import Query

# Equal values of these print the same, whichever of them a group shows.
GROUPABLE = {"int", "mood", "boolean", "uuid"}
GROUPED = {"v", "p", "e", "b", "id"}
CUTS = [(7, ""), (5, " LIMIT 6"), (3, " LIMIT 3"), (1, " OFFSET 0"), (1, " LIMIT ALL"), (1, " OFFSET 1"),
        (1, " LIMIT NULL"), (1, " LIMIT 4 OFFSET 1"), (1, " FETCH FIRST 5 ROWS ONLY"),
        (1, " FETCH FIRST 4 ROWS WITH TIES"), (1, " LIMIT (SELECT 4)"), (0.5, " LIMIT '5'"),
        (0.5, " LIMIT NULL OFFSET 2"), (0.15, " LIMIT '-1'"), (0.15, " OFFSET -1")]


class Body:
    """A query without its order, unless it has one already: ids are the names of what makes its rows unique,
    values its collections."""

    is_sorted = False

    def __init__(self, text, members, ids, orders=(), values=()):
        self.text, self.members, self.ids, self.orders, self.values = text, members, ids, list(orders), list(values)


def base(n):
    return n.table(n.rng.choice(["few", "some", "some", "many", "many", "part", "heir", "v", "large", "lost"]))


def tied(n, part, outer):
    """Conditions, without subqueries: a semi-join might bring another order"""
    conditions = n.conditions([part], outer) + [c for c in n.maybe_filter([part]) if "SELECT" not in c]
    return n.where(conditions)


def some_columns(n, part):
    return [part.members[0]] + [m for m in part.members[1:] if n.chance(0.75)]


def sortable(n, part, members):
    """Names to sort by before the unique ones"""
    names = [m.name for m in members if m.family not in ("json", "row") and m.type != "json"]
    return ["%s%s" % (n.rng.choice(names), n.rng.choice(["", " DESC"]))] if names and n.chance(0.6) else []


def plain(n, depth, outer):
    part = base(n)
    members = some_columns(n, part)
    text = "SELECT %s FROM %s%s" % (", ".join(part.column(m) for m in members), part.text, tied(n, part, outer))
    return Body(text, members, ["id"], sortable(n, part, members))


def grouped(n, depth, outer):
    """What is greatest of what is unique is unique."""
    part = base(n)
    keys = [m for m in part.members if m.name in GROUPED and m.family in GROUPABLE and m.name != "id"][:2]
    keys = keys[:n.rng.choice([1, 2, 2])] or part.members[:1]
    names = ", ".join(part.column(k) for k in keys)
    text = "SELECT max(%s.id) AS id, %s, count(*) AS n0 FROM %s%s GROUP BY %s%s" % (
        part.alias, ", ".join("%s AS %s" % (part.column(k), "i0" if k.name == "id" else k.name) for k in keys),
        part.text, tied(n, part, outer), names, n.rng.choice(["", "", " HAVING count(*) > 0"]))
    members = [Member("id", "int8", "int")] + [Member("i0" if k.name == "id" else k.name, k.type, k.family)
                                               for k in keys] + [Member("n0", "int8", "int")]
    return Body(text, members, ["id"], n.rng.choice([["n0 DESC"], ["%s DESC" % members[1].name], []]))


def distinct(n, depth, outer):
    part = base(n)
    members = [m for m in part.members if m.name in GROUPED and m.family in GROUPABLE][:3]
    is_unique = n.chance(0.5) or len(members) < 2
    if not is_unique:
        members = [Member("id", members[1].type, members[1].family)] + members[2:]
    columns = [part.column(m) for m in part.members if m.name in GROUPED and m.family in GROUPABLE][:3]
    columns = columns if is_unique else [columns[1] + " AS id"] + columns[2:]
    text = "SELECT DISTINCT %s FROM %s%s" % (", ".join(columns), part.text, tied(n, part, outer))
    return Body(text, members, ["id"] if is_unique else [m.name for m in members])


def distinct_on(n, depth, outer):
    part = base(n)
    members = some_columns(n, part)
    key = n.rng.choice([m for m in members if m.name in GROUPED and m.family in GROUPABLE])
    text = "SELECT DISTINCT ON (%s) %s FROM %s%s" % (
        part.column(key), ", ".join(part.column(m) for m in members), part.text, tied(n, part, outer))
    return Body(text, members, ["id"], [key.name + n.rng.choice(["", " DESC", " DESC NULLS LAST"])])


def windowed(n, depth, outer):
    part = base(n)
    members = some_columns(n, part)
    by = "%s.t, %s.id" % (part.alias, part.alias) if n.has(part, "t") else "%s.id DESC" % part.alias
    call = n.rng.choice(["row_number()", "count(*)", "sum(%s.id)" % part.alias])
    text = "SELECT %s, %s OVER (ORDER BY %s) AS n0 FROM %s%s" % (
        ", ".join(part.column(m) for m in members), call, by, part.text, tied(n, part, outer))
    return Body(text, members + [Member("n0", "int8", "int")], ["id"], n.rng.choice([["n0 DESC"], ["n0"], []]))


def united(n, depth, outer):
    parts = [base(n), base(n)]
    texts = []
    for part in parts:
        second = "p" if n.has(part, "p") else "id"
        texts.append("SELECT {a}.id::int8 AS id, {a}.{s}::int8 AS p FROM {t}{w}".format(
            a=part.alias, s=second, t=part.text, w=tied(n, part, outer)))
    link = n.rng.choice([" UNION ", " UNION ALL ", " UNION ALL ", " INTERSECT ", " EXCEPT "])
    return Body(link.join(texts), [Member("id", "int8", "int"), Member("p", "int8", "int")], ["id", "p"],
                n.rng.choice([[], ["p DESC"]]))


def gathered(n, depth, outer):
    """A collection below the order: in the select list, or beside"""
    part = base(n)
    members = some_columns(n, part)
    names = ", ".join(part.column(m) for m in members)
    query, columns = n.collection(depth + 1, [part])
    if n.chance(0.5):
        text = "SELECT %s, (%s) AS made FROM %s%s" % (names, query, part.text, tied(n, part, outer))
    else:
        a = n.g.alias("l")
        text = "SELECT %s, %s.g0 AS made FROM %s%s%s" % (names, a, part.text, n.lateral_join(query, a),
                                                      tied(n, part, outer))
    type_ = columns[0][1]
    orders = ["made DESC"] if type_ in ("int8", "boolean") and n.chance(0.5) else sortable(n, part, members)
    return Body(text, members, ["id"], orders, [("made", type_)])


def again(n, depth, outer):
    """A page of a page, which may keep the order that the inner one has"""
    inner = page(n, depth + 1, outer)
    members = [m for m in inner.members if m.name == "id" or n.chance(0.8)]
    names = [inner.column(m) for m in members] + [i for i in inner.ids if i.split(".")[1] not in
                                                  [m.name for m in members]]
    where = n.rng.choice(["", "", " WHERE %s.id > 1" % inner.alias])
    text = "SELECT %s FROM %s%s" % (", ".join(names), inner.text, where)
    body = Body(text, members, [i.split(".")[1] for i in inner.ids])
    body.is_sorted = n.chance(0.6)
    return body


def page(n, depth, outer=(), ctes=None):
    """A Part that is sorted.  A CTE is added to the list, if there is one."""
    views = [r for r in n.relations if r.is_sorted]
    if views and not outer and n.chance(0.12):
        view = n.rng.choice(views)
        a = n.g.alias("v")
        return n.part("%s %s" % (view.name, a), a, view.members, is_sorted=True)
    kind = n.g.pick((5, plain), (2.5, grouped), (1.5, distinct), (1.5, distinct_on), (1.5, windowed), (1.5, united),
                    (2.5 * (depth < 3), gathered), (2 * (depth < 3), again))
    body = kind(n, depth, outer)
    order = body.orders + [i + n.rng.choice(["", " DESC", " DESC", " NULLS FIRST", " DESC NULLS LAST"])
                           for i in body.ids]
    text, cut = body.text, n.g.pick(*CUTS)
    if not body.is_sorted:
        text += " ORDER BY " + ", ".join(order)
    text += cut if not body.is_sorted or "TIES" not in cut else ""
    a = n.g.alias("x")
    ids = ["%s.%s" % (a, i) for i in body.ids]
    if ctes is not None and n.chance(0.45):
        name = n.g.alias("page")
        ctes.append("%s AS %s(%s)" % (name, n.rng.choice(["", "", "MATERIALIZED ", "NOT MATERIALIZED "]), text))
        text = "%s %s" % (name, a)
    else:
        text = "(%s) %s" % (text, a)
    part = n.part(text, a, body.members, ids, is_sorted=True)
    part.values = [("%s.%s" % (a, v), t) for v, t in body.values]
    return part


# What shows the order

def shown(n, part, targets):
    """Aggregates of a page that ask for no order"""
    every = "json_build_array(%s)" % ", ".join(targets)
    ids = ", ".join(part.ids)
    choices = [(5, "json_agg(%s)" % every), (2, "jsonb_agg(%s)" % every), (2, "array_agg((%s)::text)" % every),
               (2, "string_agg((%s)::text, ',')" % every), (1, "jsonrow_agg_json(%s, %s)" % (
                   "ARRAY[%s]" % ", ".join("'n%d'" % i for i in range(len(targets))), ", ".join(targets))),
               (1, "json_agg((SELECT _e FROM (SELECT %s) AS _e))" % ", ".join(
                   "%s AS f%d" % (t, i) for i, t in enumerate(targets)))]
    calls = [n.g.pick(*choices)]
    if n.has(part, "x"):
        calls += n.rng.sample(["sum(%s.x)" % part.alias, "avg(%s.x)" % part.alias], 1)
    if n.chance(0.3):
        calls.append("json_agg(json_build_array(%s))" % ids)
    if n.chance(0.1):
        calls.append("array_agg((%s)::text) FILTER (WHERE %s IS NOT NULL)" % (targets[-1], part.ids[0]))
    return calls


def rows_of(targets):
    return ", ".join("%s AS o%d" % (t, i) for i, t in enumerate(targets))


def random(n):
    """A query that shows the order of a page, with collections above it"""
    ctes = []
    part = page(n, 0, (), ctes)
    text, values = part.text, part.values
    for _ in range(n.rng.choice([0, 0, 1, 1, 2])):
        text, values = n.with_lateral(1, text, [part], values)
    targets = part.ids + [v for v, _ in values]
    if not values or n.chance(0.5):
        targets.append(n.scalar(1, [part]))
    if n.chance(0.4):
        targets.append(part.column(n.rng.choice(part.members)))
    conditions = [c for c in n.maybe_filter([part]) if "SELECT" not in c] if n.chance(0.5) else []
    where = n.where(conditions)
    head = "WITH %s " % ", ".join(ctes) if ctes else ""
    kind = n.g.pick((6, "shown"), (4, "rows"), (1, "groups"), (1, "numbered"), (1, "cut"), (2, "above"), (2, "later"))
    rows = "SELECT %s FROM %s%s" % (rows_of(targets), text, where)
    made = "SELECT %s FROM %s%s" % (rows_of(shown(n, part, targets)), text, where)
    if kind == "shown":
        made += n.rng.choice(["", "", "", " HAVING count(*) > 0", " HAVING json_agg(%s) IS NOT NULL" % part.ids[0]])
    elif kind == "rows":
        made = rows
    elif kind == "groups":
        made = "SELECT count(*) AS n, %s FROM %s%s GROUP BY %s.id %% 2 ORDER BY %s.id %% 2" % (
            rows_of(shown(n, part, targets)), text, where, part.alias, part.alias)
    elif kind == "numbered":
        made = rows.replace("SELECT ", "SELECT row_number() OVER () AS n, ", 1)
    elif kind == "cut":
        made = n.rng.choice(["%s LIMIT 3", "SELECT json_agg(z) FROM (%s LIMIT 4) z", "SELECT * FROM (%s) z LIMIT 3",
                             "SELECT * FROM (%s) z OFFSET 2"]) % rows
    elif kind == "above":
        made = n.rng.choice(["SELECT json_agg(z) FROM (%s) z", "SELECT array_agg(z::text) FROM (%s) z",
                             "SELECT string_agg(z.o0::text, ',') FROM (%s) z", "SELECT * FROM (%s OFFSET 0) z",
                             "SELECT array_agg(z.o0) FROM (%s) z WHERE z.o0 > 1"]) % rows
    else:
        more = ", %s.x AS x" % part.alias if n.has(part, "x") else ", 1.5::float8 AS x"
        ctes.append("later AS %s(%s)" % (n.rng.choice(["", "MATERIALIZED "]), rows.replace(" FROM " + text,
                                                                                        more + " FROM " + text, 1)))
        head = "WITH %s " % ", ".join(ctes)
        made = n.rng.choice(["SELECT sum(later.x), json_agg(later.o0), count(*) FROM later",
                             "SELECT avg(later.x), array_agg(later::text) FROM later", "SELECT * FROM later",
                             "SELECT json_agg(later) FROM later"])
    return Query(head + made, [("o0", "value")], "order " + kind)
