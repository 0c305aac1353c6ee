"""Pages: queries with LIMIT or OFFSET at any level, and what only the rows of a page need.

What is beside a page gives one row for each of its rows (collections, what is looked up, constants), or, now and
then, does not; it is referred to by expressions, other things beside, conditions and sort keys.  Pages are read by
queries that pass their rows, gather, filter, look at, join or cut them.  Each order is by what makes rows unique.  n
is a Nested of nested.py.
"""
import re

import leaks
import orders
from grammar import Query
from programs import ROLE

CUTS = [(6, " LIMIT 3"), (3, " LIMIT 5"), (3, " LIMIT 3 OFFSET 2"), (2, " OFFSET 2"), (2, " LIMIT 4 OFFSET 0"),
        (1, " LIMIT 0"), (1, " LIMIT ALL OFFSET 1"), (1, " FETCH FIRST 3 ROWS ONLY"), (1, " LIMIT (SELECT 4)"),
        (1, " LIMIT 2000 OFFSET 1"), (0.7, " LIMIT '5'"), (0.5, " LIMIT NULL OFFSET 2"), (0.5, " OFFSET 0"),
        (0.5, " FETCH FIRST 4 ROWS WITH TIES"), (0.3, " LIMIT 1 + 2"), (0.3, " OFFSET 150"), (0.15, " LIMIT '-1'"),
        (0.15, " OFFSET -1"), (0.15, " LIMIT (SELECT NULL::int8)")]
JOINS = [(5, " LEFT JOIN LATERAL ({q}) {a} ON true"), (2, " CROSS JOIN LATERAL ({q}) {a}"),
         (1.5, " JOIN LATERAL ({q}) {a} ON true"), (2.5, ", LATERAL ({q}) {a}"),
         (0.4, " LEFT JOIN LATERAL ({q}) {a} ON {c}"), (0.4, " JOIN LATERAL ({q}) {a} ON {c}")]
SAMPLES = [" TABLESAMPLE BERNOULLI (70) REPEATABLE (7)", " TABLESAMPLE SYSTEM (100) REPEATABLE (1)"]


# What rows a page has

def computed(n, outer):
    """With a column that raises an error for nobody's rows, and is used for the others only"""
    inner, a = n.table(n.rng.choice(["lost", "kept"])), n.g.alias("y")
    text = "SELECT {0}.*, {1} AS e FROM {2}{3}".format(inner.alias, leaks.row_raiser(n, inner), inner.text, n.where(
        [n.equality([inner], outer)] if outer else []))
    part = n.part("(%s%s) %s" % (text, n.rng.choice(["", "", "", " OFFSET 0"]), a), a, inner.members)
    part.values = [("CASE WHEN {0}.{1} THEN {2} END".format(a, n.rng.choice(["id < 4000", "v <> 0"]), n.rng.choice(
        ["json_build_array({0}.e)", "({0}.e)::text", "json_build_object('e', {0}.e, 't', {0}.t)"]).format(a)), "value")]
    return part.text, [part], n.maybe_filter([part])


def parents(n, outer):
    """(text of FROM, parts, conditions)"""
    kind = n.g.pick((5, "joined"), (3, "table"), (1, "sample"), (1.5, "lost"), (1, "named"), (1.5, "tied"),
                    (1, "computed"))
    if kind == "computed":
        return computed(n, outer)
    if kind == "joined" and not outer:
        text, parts = n.outer_from()
        return text, parts, n.maybe_filter(parts)
    names = {"sample": ["some", "many", "part", "heir", "large"], "lost": ["lost", "kept", "secret", "vs"]}
    part = n.table(n.rng.choice(names.get(kind, ["few", "some", "many", "part", "heir", "v", "secret", "large"])))
    if "secret" in part.text or "kept" in part.text or "vs" in part.text:
        n.needs_role = n.needs_role or n.chance(0.8)
    if kind == "sample":
        part.text += n.rng.choice(SAMPLES)
    where = n.maybe_filter([part])
    if outer and n.chance(0.8):
        where.append(n.equality([part], outer))
    if kind == "named":
        other = n.table("few")
        return ("{0} {1} {2} USING (id)".format(part.text, n.rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]),
                                              other.text), [part, other], where)
    return part.text, [part], where


# What stands beside

# In the text of a query: another condition would give several rows beside one, in any order.
AS_IT_IS = " /* as it is */"


def looked_up(n, parts):
    """One row or none, known by a unique key or by LIMIT"""
    other, part = n.table(n.rng.choice(["few", "some", "many", "part", "v", "heir", "secret"])), n.rng.choice(parts)
    key = part.column(n.rng.choice([m for m in part.members if m.family == "int"] or part.members[:1]))
    where = ["%s.id = %s" % (other.alias, key)] if n.chance(0.7) else n.conditions([other], parts)
    fields = ", ".join("%s AS f%d" % (other.column(m), i) for i, m in enumerate(n.rng.choices(other.members, k=2)))
    made, names = n.g.pick((3, (fields, ["f0", "f1"])), (5, (None, ["f0"])))
    made = made or n.g.pick((2, "row_to_json((SELECT _e FROM (SELECT %s) AS _e)) AS f0" % fields),
                            (2, "json_build_object('x', %s, 'y', %s) AS f0" % tuple(
                                other.column(m) for m in n.rng.choices(other.members, k=2))),
                            (1, "row_to_json(%s) AS f0" % other.alias), (0.5, "%s AS f0" % n.value(4, [other])))
    is_unique = "%s.id" % other.alias in where[0].split(" = ")[:1]
    tail = n.rng.choice([" LIMIT 1", " LIMIT 1", " LIMIT 1 OFFSET 0", AS_IT_IS, " LIMIT 3" + AS_IT_IS] if is_unique else [
        " ORDER BY %s.id LIMIT 1" % other.alias, " ORDER BY %s.id DESC LIMIT 1 OFFSET 0" % other.alias,
        " ORDER BY %s.id LIMIT 1 OFFSET 1" % other.alias, " ORDER BY %s.id FETCH FIRST 1 ROW WITH TIES" % other.alias])
    if n.is_odd():
        tail = tail.replace(" LIMIT", " FOR SHARE LIMIT")
    return "SELECT %s FROM %s%s%s" % (made, other.text, n.where(where), tail), [(f, "value") for f in names]


def constant(n, parts):
    """Always one row"""
    value = n.value(4, parts)
    return n.rng.choice(["SELECT %s AS f0", "SELECT x.f0 FROM (SELECT %s AS f0) x", "SELECT %s AS f0 LIMIT 1",
                         "SELECT max(x.f0) AS f0 FROM (SELECT (%s)::text AS f0) x", "SELECT %s AS f0 OFFSET 0"]
                        ) % value, [("f0", "value")]


def page_of_each(n, depth, parts):
    text = page(n, depth + 1, parts)
    return n.rng.choice(["SELECT json_agg(y) AS f0 FROM (%s) y", "SELECT json_agg(y.o0) AS f0 FROM (%s) y",
                         "SELECT coalesce(jsonb_agg(to_jsonb(y)), '[]') AS f0 FROM (%s) y"]) % text, [("f0", "value")]


def of_another(n, values):
    """What refers to something else that is beside"""
    value, type_ = n.rng.choice(values)
    if type_ == "int8" and n.chance(0.6):
        inner = n.table("some")
        return "SELECT count(*) AS f0 FROM %s WHERE %s.p <= %s" % (inner.text, inner.alias, value), [("f0", "int8")]
    return n.rng.choice(["SELECT (%s)::text AS f0", "SELECT json_build_array(%s) AS f0",
                         "SELECT json_agg(y) AS f0 FROM (SELECT %s AS a) y"]) % value, [("f0", "value")]


def beside(n, depth, text, parts, values):
    """FROM with one thing more, (text, values)"""
    kind = n.g.pick((5, "collection"), (4, "looked up"), (1, "constant"), (1.5 * (depth < 2), "page"),
                    (2 * bool(values), "another"))
    if kind == "collection":
        query, columns = n.collection(depth + 2, parts)
    elif kind == "looked up":
        query, columns = looked_up(n, parts)
    elif kind == "constant":
        query, columns = constant(n, parts)
    elif kind == "page":
        query, columns = page_of_each(n, depth, parts)
    else:
        query, columns = of_another(n, values)
    a = n.g.alias("l")
    join = n.g.pick(*JOINS)
    if "{c}" in join and "," in re.sub(r"\([^()]*\)", "", text):
        join = JOINS[0][1]      # after a comma a condition sees only what comes after it
    return text + join.format(q=query, a=a, c=n.filter(parts)), values + [("%s.%s" % (a, f), t) for f, t in columns]


# What is selected

def raising(n, parts, values):
    """Something that raises an error or tells what it sees, for some rows"""
    lost = [p for p in parts if re.match(r"(lost|kept)", p.text)]
    numbers = [v for v, t in values if t in ("int8", "number")]
    if lost and n.chance(0.7):
        return leaks.row_raiser(n, n.rng.choice(lost))
    if numbers and n.chance(0.7):
        return n.rng.choice(leaks.LOOKS).format(s=n.rng.choice(numbers))
    if n.chance(0.5):
        return leaks.shown(n, n.rng.choice(parts))
    return n.raiser(n.rng.choice(parts))


def expressions(n, depth, parts, values):
    """Of the select list, besides columns"""
    made = [v if n.chance(0.8) else n.used(v, t) for v, t in values]
    for _ in range(n.rng.choice([0, 1, 1, 2])):
        made.append(n.g.pick((3, lambda: n.scalar(depth + 1, parts)), (2, lambda: n.element(3, parts)),
                             (2, lambda: n.value(4, parts)), (1, lambda: n.whole(n.rng.choice(parts))),
                             (0.7, lambda: "ARRAY(%s)" % "SELECT y.o0 FROM (%s) y" % page(n, depth + 1, parts)
                              if depth < 2 else n.value(4, parts)),
                             (0.3, lambda: "upper(%s::text)" % n.value(4, parts)))())
    if values and n.chance(0.2):
        made.append("json_build_object('v', %s, 'w', %s)" % (n.rng.choice(values)[0], parts[0].column(
            n.rng.choice(parts[0].members))))
    if n.chance(0.25):
        made.append(raising(n, parts, values))
    return made


def counted(n, parts, values):
    """How many rows there are without LIMIT, or something similar"""
    column = n.rng.choice([v[0] for v in values] + [parts[0].column(n.rng.choice(parts[0].members))] * 2)
    return n.rng.choice(["count(*) OVER ()", "count(*) OVER ()", "(count(*) OVER ())::int", "count(%s) OVER ()" % column,
                         "json_build_object('n', count(*) OVER (), 'v', %s)" % column,
                         "10 / count(*) OVER ()", "count(*) OVER (ORDER BY %s)" % parts[0].ids[0]])


def sort_keys(n, parts, values, targets):
    keys = n.order(parts)
    numbers = [v for v, t in values if t == "int8"]
    if numbers and n.chance(0.12):
        keys = "%s DESC, %s" % (n.rng.choice(numbers), keys)
    elif n.chance(0.05):
        keys = "(%s)::text, %s" % (n.rng.choice(targets), keys)
    return " ORDER BY " + keys


def page(n, depth, outer=()):
    """A query whose first column is o0"""
    if n.chance(0.1) and depth:
        part = orders.page(n, depth + 1, outer)
        text, parts, where = part.text, [part], []
    else:
        text, parts, where = parents(n, outer)
    values = [v for p in parts for v in p.values]
    for _ in range(n.rng.choice([0, 1, 1, 2, 3] if not depth else [0, 1, 1])):
        text, values = beside(n, depth, text, parts, values)
    ids = [i for p in parts for i in p.ids]
    targets = ids + expressions(n, depth, parts, values)
    if n.chance(0.3):
        targets.append(parts[0].column(n.rng.choice(parts[0].members)))
    if n.chance(0.12):
        targets.append(counted(n, parts, values))
    if values and n.chance(0.08):
        where.append("%s IS NOT NULL" % n.rng.choice(values)[0])
    if n.chance(0.05):
        where.append("(%s) IS NOT NULL" % raising(n, parts, values))
    head, tail = ("", "") if depth else n.odd_ends(targets, parts)[0]
    if n.is_odd():
        tail += n.rng.choice(["DISTINCT ON (%s) " % ", ".join(ids), ""])
    order = sort_keys(n, parts, values, targets)
    if "DISTINCT ON" in tail:
        order = " ORDER BY " + ", ".join(ids)
    names = ", ".join("%s AS o%d" % (t, i) for i, t in enumerate(targets))
    return "%sSELECT %s%s FROM %s%s%s%s" % (head, tail, names, text, n.where(where), order, n.g.pick(*CUTS))


GATHERED = ["json_agg({v} ORDER BY {i})", "count({k})", "max({k})", "10 / count({k})", "string_agg(({v})::text, '' ORDER BY {i})",
            "coalesce(json_agg(json_build_object('v', {v}) ORDER BY {i}) FILTER (WHERE {k} IS NOT NULL), '[]')"]


def grouped(n, outer=()):
    """A page whose rows are grouped with what is left-joined to them, or that joins one of many groups to each"""
    part, child = (n.table(n.rng.choice(["few", "some", "many", "part", "v", "heir", "secret", "lost"])) for _ in range(2))
    found = n.pair([child], [part])
    if not found:
        return page(n, 0, outer)
    _, inner, _, member = found
    column = part.column(n.rng.choice([m for m in part.members if m.family in ("int", "text")] or part.members[:1]))
    made = n.rng.choice(GATHERED).format(v=n.value(4, [child]), i=", ".join(child.ids), k=child.ids[0])
    tie = "%s = %s" % (child.column(inner), part.column(member))
    where = n.where(n.maybe_filter([part]) + ([n.equality([part], outer)] if outer else []))
    tail = " ORDER BY %s%s" % (", ".join(n.rng.choice([[column], []]) + part.ids), n.g.pick(*CUTS))
    if n.chance(0.6):
        if n.chance(0.2):
            tie += " AND " + n.filter([child])
        return "SELECT %s AS o0, %s AS o1, %s AS o2 FROM %s LEFT JOIN %s ON %s%s GROUP BY %s%s" % (
            part.ids[0], column, made, part.text, child.text, tie, where, ", ".join(part.ids + [column]), tail)
    groups = "SELECT %s AS k, %s AS o FROM %s%s GROUP BY 1" % (
        child.column(inner), made, child.text, n.where(n.maybe_filter([child])))
    return "SELECT %s AS o0, %s AS o1, g.o AS o2 FROM %s LEFT JOIN (%s) g ON g.k = %s%s%s" % (
        part.ids[0], column, part.text, groups, part.column(member), where, tail)


# What reads pages

def gathered(n, text):
    return n.rng.choice(["SELECT json_agg(z) AS o0 FROM (%s) z", "SELECT coalesce(json_agg(z), '[]') AS o0 FROM (%s) z",
                         "SELECT count(z), json_agg(z.o0) AS o0 FROM (%s) z",
                         "WITH src AS (%s) SELECT coalesce(json_agg(z), '[]') AS o0 FROM (SELECT * FROM src) z",
                         "SELECT json_agg(z.o0) FILTER (WHERE z.o0 > 1) AS o0 FROM (%s) z",
                         "SELECT jsonb_agg(to_jsonb(z)) AS o0 FROM (SELECT * FROM (%s) y) z",
                         "SELECT array_agg(z::text) AS o0 FROM (%s) z",
                         "SELECT json_agg(z ORDER BY z.o0 DESC) AS o0 FROM (%s) z"]) % text


def looked_at(n, text):
    """Conditions and expressions above, which may raise errors and leak"""
    last = "z.o%d" % (len(re.findall(r" AS o\d+", text.split(" FROM ")[0])) and n.rng.choice([0, 0, 1]))
    if last == "z.o1" and " AS o1" not in text:
        last = "z.o0"
    look = n.rng.choice(leaks.LOOKS + ["leaking({s})", "leak({s}::text)"]).format(s=last)
    return n.rng.choice(["SELECT * FROM (%s) z WHERE ({l}) IS NOT NULL", "SELECT z.o0, {l} AS d FROM (%s) z",
                         "SELECT * FROM (%s) z WHERE z.o0 > 2", "SELECT z.*, {l} AS d FROM (%s) z WHERE z.o0 < 6",
                         "SELECT z.o0 FROM (%s) z ORDER BY ({l})::text, 1 LIMIT 2",
                         "SELECT z.o0 FROM (%s) z WHERE z::text <> '' AND ({l}) IS NOT NULL"]
                        ).replace("{l}", look.replace("%", "%%")) % text


def joined(n, text):
    other = n.table(n.rng.choice(["few", "some", "secret"]))
    return n.rng.choice([
        "SELECT {a}.id AS o0, z FROM {t} LEFT JOIN (%s) z ON z.o0 = {a}.id ORDER BY {a}.id, z.*::text",
        "SELECT {a}.id AS o0, z.o0 AS b FROM (%s) z JOIN {t} ON z.o0 = {a}.p ORDER BY {a}.id, z::text",
        "SELECT {a}.id AS o0 FROM {t} WHERE {a}.id IN (SELECT z.o0 FROM (%s) z) ORDER BY 1",
        "SELECT {a}.id AS o0, EXISTS (SELECT FROM (%s) z WHERE z.o0 > {a}.id) FROM {t} ORDER BY 1",
        "SELECT {a}.id AS o0, (SELECT json_agg(z) FROM (%s) z WHERE z.o0 = {a}.p) FROM {t} ORDER BY 1 LIMIT 4",
        "SELECT {a}.id AS o0, y.j FROM {t} LEFT JOIN (SELECT json_agg(z) AS j FROM (%s) z) y ON true ORDER BY 1"
        ]).format(a=other.alias, t=other.text) % text


def several(n, text):
    """A CTE, read once or more often; arms of UNION; a page of a page"""
    kind = n.rng.choice(["", "", "MATERIALIZED ", "NOT MATERIALIZED "])
    return n.rng.choice([
        "WITH w AS " + kind + "(%s) SELECT * FROM w", "WITH w AS " + kind + "(%s) SELECT json_agg(w) AS o0 FROM w",
        "WITH w AS " + kind + "(%s) SELECT (SELECT count(*) FROM w) AS n, (SELECT json_agg(w) FROM w) AS o0",
        "WITH w AS " + kind + "(%s) SELECT a.o0, b.o0 AS o1 FROM w a JOIN w b ON b.o0 = a.o0 ORDER BY a::text, b::text",
        "SELECT * FROM (%s) z LIMIT 2", "SELECT z.o0, json_build_array(z.o0) AS j FROM (%s) z OFFSET 1",
        "(SELECT z::text AS o0 FROM (%s) z) UNION ALL (SELECT z::text FROM (" + page(n, 1).replace("%", "%%") + ") z)",
        "SELECT row_to_json(z) AS o0 FROM (%s) z", "SELECT row_number() OVER () AS n, z.* FROM (%s) z",
        "SELECT z.o0 %% 2 AS g, json_agg(z.o0) AS o0 FROM (%s) z GROUP BY 1 ORDER BY 1"]) % text


def within(n, _):
    """A page of each row of another query"""
    other = n.table(n.rng.choice(["few", "some", "secret"]))
    text = grouped(n, [other]) if n.chance(0.2) else page(n, 1, [other])
    inner = n.rng.choice(["SELECT json_agg(z) AS j FROM (%s) z", "SELECT array_agg(z::text) AS j FROM (%s) z"]) % text
    if n.chance(0.5):
        return "SELECT %s.id AS o0, (%s) AS o1 FROM %s ORDER BY 1%s" % (other.alias, inner, other.text,
                                                                 n.rng.choice(["", " LIMIT 2"]))
    return "SELECT %s.id AS o0, y.j AS o1 FROM %s LEFT JOIN LATERAL (%s) y ON true ORDER BY 1%s" % (
        other.alias, other.text, inner, n.rng.choice(["", " LIMIT 2"]))


def random(n):
    kind, read = n.g.pick((6, ("plain", lambda n, text: text)), (4, ("gathered", gathered)), (3, ("looked at", looked_at)),
                          (2, ("joined", joined)), (3, ("several", several)), (2, ("within", within)))
    return Query(read(n, grouped(n) if n.chance(0.2) else page(n, 0)), [("o0", "value"), ("o1", "value")], "page " + kind)


# Ways to run them

def of_columns(n, text):
    """Run by a role that may read some columns of one of the relations"""
    relations = {r.name: r for r in n.relations if re.search(r"\b%s\b" % r.name, text)}
    if not relations:
        return [text]
    relation = relations[n.rng.choice(sorted(relations))]
    names = [m.name for m in relation.members]
    some = n.rng.sample(names, max(1, len(names) - n.rng.choice([1, 1, 2])))
    return ["REVOKE ALL ON %s FROM %s" % (relation.name, ROLE),
            "GRANT SELECT (%s) ON %s TO %s" % (", ".join(some), relation.name, ROLE), "SET LOCAL ROLE " + ROLE, text]
