"""What raises an error or tells what it sees, in every position above and within a collection.

The tables lost and kept of families.py have rows that no parent reaches (their keys are -1, 0, NULL and 9999;
of kept also the even ones, whose parents a policy hides): with these, whatever is computed raises an error, and
what is shown was never to be seen.  n is a Nested of nested.py.
"""
from grammar import Query

# Cheap, so that they come first among conditions.
LEAKY = """CREATE FUNCTION {0}(anyelement) RETURNS {1} {2} COST 0.0001 PARALLEL SAFE LANGUAGE plpgsql
    AS $$BEGIN RAISE NOTICE 'leaked %', $1; RETURN {3}; END$$"""
FUNCTIONS = [
    ("leak", LEAKY.format("leak", "anyelement", "IMMUTABLE", "$1")),
    ("leak_strict", LEAKY.format("leak_strict", "anyelement", "STABLE STRICT", "$1")),
    ("leaking", LEAKY.format("leaking", "boolean", "STABLE", "true")),
    # is called while planning, for its arguments are constants
    ("folded", """CREATE FUNCTION folded(int) RETURNS int IMMUTABLE LANGUAGE plpgsql
    AS $$BEGIN RAISE NOTICE 'folded %', $1; RETURN $1; END$$"""),
]

# Over a row {c} of lost or kept: an error for those that no parent reaches, and only for them
ROW_RAISERS = [
    "10 / {c}.v", "mod(7, {c}.v)", "{c}.t::int", "{c}.t::json", "ARRAY[{c}.a, '{{7,8}}']",
    "ARRAY[{c}.a, ARRAY[7, 8]]", "ln({c}.n)", "chr({c}.v)", "substr('abc', 1, {c}.v - 1)", "{c}.v::positive",
    "make_date(2000, {c}.v, 1)", "json_build_object(nullif({c}.v, 0), 1)",
    "jsonb_build_object(nullif({c}.v, 0), 1)", "('2000-01-0' || {c}.v)::date",
    "width_bucket(1, 0, {c}.v, 2)", "({c}.t || '1')::numeric", "CASE WHEN {c}.id > 0 THEN 10 / {c}.v END",
    "json_build_array(ROW(10 / {c}.v))", "(SELECT 10 / {c}.v)", "coalesce(10 / {c}.v, 0)",
    "COALESCE(ARRAY[{c}.a, '{{7,8}}'], NULL)"]

# An error for every row, where all that there are belong to nobody
SURE_RAISERS = [
    "json_build_object('{{\"a\":1}}'::json, {c}.v)", "json_build_object(ARRAY[1], {c}.v)",
    "jsonb_build_object(ROW(1), {c}.v)", "json_build_object({c}.a, 1)", "jsonb_build_object('{{}}'::jsonb, 1)",
    "(SELECT {z}.id FROM {few} {z} LIMIT '-1')", "(SELECT {z}.id FROM {few} {z} ORDER BY 1 LIMIT 1 OFFSET '-1')",
    "(SELECT {z}.id FROM {few} {z})", "ARRAY[{c}.a, '{{1,2,3}}']", "ARRAY['{{1}}', {c}.a, '{{1,2,3}}']"]

ROW_LEAKS = ["leak({c}.v)", "leak({c}.id)", "leak_strict({c}.t)", "leaking({c}.id)", "coalesce(leak({c}.id), 0)",
             "json_build_array(leak({c}.v))", "CASE WHEN leaking({c}.id) THEN {c}.v END", "leak({c}.a)"]

# Over aggregates of such rows
GROUP_RAISERS = ["10 / sum({c}.v)", "max({c}.t)::int", "ln(min({c}.n))", "chr(max({c}.v))", "10 / nullif(count(*), 0)",
                 "ARRAY[max({c}.a), '{{7,8}}']", "leak(max({c}.id))", "leak_strict(sum({c}.v))", "leaking(count(*))",
                 "coalesce(10 / max({c}.v), 0)", "json_build_object(nullif(sum({c}.v), 0), 1)", "folded(3) + count(*)",
                 "coalesce(leaking(min({c}.id)), false)", "json_agg(leak({c}.id) ORDER BY {c}.id)"]

# Over what a collection gave
LOOKS = [
    "10 / {s}", "coalesce(10 / {s}, 0)", "CASE WHEN 10 / {s} > 1 THEN 1 ELSE 2 END", "json_build_array(10 / {s})",
    "ln({s})", "chr({s}::int + 0)", "(10 / {s} IS NULL)", "least(10 / {s}, 3)", "ARRAY[10 / {s}, 1]",
    "ROW(1 / {s}, 2)",
    "leak({s})", "coalesce(leak({s}), 0)", "leaking({s})", "coalesce(leaking({s}), false)", "leak_strict({s})",
    "coalesce(leak_strict({s}), -5)", "json_build_object('s', leak({s}))", "CASE WHEN leaking({s}) THEN {s} END",
    "leak({s}::text)", "(leak({s}) IS NULL)", "to_json(leak({s}))", "(SELECT leak({s}))", "leak(ROW({s}, 1))",
    "folded(2) + {s}", "(SELECT folded(4))"]
GUARDS = ["{s} > -100", "{s} > -100", "{s} <> -7", "{s} IS NOT NULL", "{s} <= 100000", "{s} = {s}", "{s} > 0",
          "{s} IS DISTINCT FROM -1", "{s} IN (1, 2, 3, 4711, 4712)", "({s} > 1 OR {s} < 7)",
          "{s} > -100 AND {s} < 1e9"]

PARENTS = ["few", "some", "some", "many", "secret", "secret", "secret", "empty", "part", "heir"]


def row_raiser(n, part, is_sure=False):
    """Of a row of lost or kept"""
    pool = n.g.pick((3, ROW_RAISERS), (2, ROW_LEAKS), (3 * is_sure, SURE_RAISERS))
    return n.rng.choice(pool).format(c=part.alias, few=n.relations[0].name, z=n.g.alias("z"))


def shown(n, part):
    """A leak of a column, for any row"""
    member = n.rng.choice([m for m in part.members if m.family in ("int", "text", "number")] or part.members[:1])
    return n.rng.choice(["leak(%s)", "leak_strict(%s)", "coalesce(leak(%s), NULL)"]) % part.column(member)


def condition(n, part):
    return "leaking(%s)" % part.column(n.rng.choice(part.members[:2]))


def children(n, parent):
    """(part, conditions, belongs all of it to nobody): of lost, or, for parents that a policy hides, of kept"""
    part = n.table("kept" if "secret" in parent.text and n.chance(0.8) else "lost")
    where = ["%s.p = %s.id" % (part.alias, parent.alias)]
    is_sure = n.chance(0.35)
    if is_sure:
        where.append(part.alias + n.rng.choice([".v = 0", ".t = 'bad'", ".id > 4000"]))
    n.rng.shuffle(where)
    return part, where, is_sure


def collection(n, parent):
    """A collection of such rows, with what raises an error or leaks at some place in it"""
    part, where, is_sure = children(n, parent)
    raiser = row_raiser(n, part, is_sure)
    order = " ORDER BY %s.id" % part.alias
    source, tail = part.text, ""
    place = n.rng.choice(["argument", "argument", "argument", "filter", "order", "where", "above", "having", "below",
                          "beside", "joined"])
    target = "json_agg(%s.id%s)" % (part.alias, order)
    if place == "argument":
        target = n.rng.choice(["json_agg(%s{o})", "array_agg((%s)::text{o})", "jsonb_agg(json_build_array(%s){o})",
                               "count(%s)", "max((%s)::text)", "json_agg(json_build_object('a', %s){o})",
                               "string_agg((%s)::text, ','{o})", "jsonrow_agg_json(ARRAY['a'], %s{o})",
                               "json_object_agg('k', %s{o})", "count(DISTINCT (%s)::text)"]
                              ).replace("%s", raiser).replace("{o}", order)
    elif place == "filter":
        target = n.rng.choice(["count(*)", target]) + " FILTER (WHERE (%s)::text <> '')" % raiser
    elif place == "order":
        target = "json_agg(%s.id ORDER BY (%s)::text, %s.id)" % (part.alias, raiser, part.alias)
    elif place == "where":
        where.append("(%s) IS NOT NULL" % raiser)
    elif place in ("above", "having"):
        above = n.rng.choice(GROUP_RAISERS).format(c=part.alias)
        target, tail = (above, "") if place == "above" else (target, " HAVING (%s) IS NOT NULL" % above)
    elif place == "below":
        inner = n.g.alias("i")
        text = row_raiser(n, n.part("", inner, part.members), is_sure)
        source = "(SELECT %s.*, %s AS e FROM %s %s%s) %s" % (inner, text, part.relation, inner, n.rng.choice(
            ["", " ORDER BY %s.id" % inner, " OFFSET 0", " WHERE (%s) IS NOT NULL" % text]), part.alias)
        target = n.rng.choice(["json_agg(%s.e%s)", "json_agg(%s%s)"]) % (part.alias, order)
    elif place == "beside":
        source += n.rng.choice([" LEFT JOIN LATERAL (SELECT %s AS e) y ON true", ", LATERAL (SELECT %s AS e) y",
                                " CROSS JOIN LATERAL (SELECT %s AS e OFFSET 0) y"]) % raiser
        target = "json_agg(y.e%s)" % order
    else:
        other = n.table("few")
        source += " %s JOIN %s ON %s.id = %s.id AND (%s) IS NOT NULL" % (
            n.rng.choice(["LEFT", "INNER"]), other.text, other.alias, part.alias, raiser)
        target = "count(%s.id)" % other.alias
    return "SELECT %s AS s FROM %s%s%s" % (target, source, n.where(where), tail)


def parent_table(n):
    """Of those with policies, most are looked at by the role that they are for."""
    part = n.table(n.rng.choice(PARENTS))
    if "secret" in part.text and n.chance(0.9):
        n.needs_role = True
    return part


def lost(n):
    """Collections that raise errors for nobody's rows"""
    parent = parent_table(n)
    targets, text = [parent.alias + ".id"], parent.text
    for _ in range(n.rng.choice([1, 1, 2])):
        inner = collection(n, parent)
        if n.chance(0.6):
            targets.append("(%s)" % inner)
        else:
            a = n.g.alias("l")
            text += n.lateral_join(inner, a)
            targets.append(a + ".s")
    if n.chance(0.3):
        return Query("SELECT json_agg(json_build_array(%s) ORDER BY %s.id) AS o0 FROM %s%s" % (
            ", ".join(targets), parent.alias, text, n.where(n.maybe_filter([parent]))), [("o0", "json")], "lost")
    names = ", ".join("%s AS o%d" % (t, i) for i, t in enumerate(targets))
    return Query("SELECT %s FROM %s%s ORDER BY 1" % (names, text, n.where(n.maybe_filter([parent]))),
                 [("o%d" % i, "value") for i in range(len(targets))], "lost")


# What looks at a collection's value

def counted(n, parent):
    """A number of each group"""
    part, where, _ = children(n, parent)
    where = where[:1] if n.chance(0.7) else where
    if not any(".p = " in w for w in where):
        where = ["%s.p = %s.id" % (part.alias, parent.alias)]
    call = n.rng.choice(["sum({c}.v)", "sum({c}.v)", "sum({c}.id)", "min({c}.v)", "max({c}.id)", "count(*)",
                         "max({c}.v)", "coalesce(sum({c}.v), 1)", "sum({c}.n::numeric(10,2))"]).format(c=part.alias)
    return "SELECT %s AS s FROM %s%s" % (call, part.text, n.where(where))


def looked_source(n):
    """(WITH, text of FROM, its columns id, p and s)"""
    kind = n.g.pick((6, "subquery"), (3, "view"), (3, "cte"), (3, "lateral"))
    views = [r for r in n.relations if r.name.startswith("vs")]
    if kind == "view" and views:
        view, a = n.rng.choice(views), n.g.alias("z")
        n.needs_role = n.needs_role or n.chance(0.8)
        return "", "%s %s" % (view.name, a), a + ".id", a + ".p", a + ".s"
    parent, a = parent_table(n), n.g.alias("z")
    if kind == "lateral":
        return ("", parent.text + n.lateral_join(counted(n, parent), a), parent.alias + ".id", parent.alias + ".p",
                a + ".s")
    text = "SELECT {0}.id, {0}.p, ({1}) AS s FROM {2}{3}".format(
        parent.alias, counted(n, parent), parent.text, n.where(n.maybe_filter([parent])))
    if n.chance(0.25):
        text = "SELECT * FROM (%s) y%s" % (text, n.rng.choice(["", " OFFSET 0", " WHERE y.s > -100", " WHERE y.id < 7",
                                                               " ORDER BY y.id", " ORDER BY y.id DESC LIMIT 5"]))
    if kind == "cte":
        name = n.g.alias("w")
        head = "WITH %s AS %s(%s) " % (name, n.rng.choice(["", "", "MATERIALIZED "]), text)
        return head, "%s %s" % (name, a), a + ".id", a + ".p", a + ".s"
    return "", "(%s) %s" % (text, a), a + ".id", a + ".p", a + ".s"


def nullable(n, source, id_, look, guards):
    """The look is below an outer join."""
    other, q = parent_table(n), n.g.alias("q")
    inner = "(SELECT %s AS id, %s AS d FROM %s%s) %s" % (id_, look, source, n.where(guards), q)
    join = n.g.pick((8, "{o} LEFT JOIN {i} ON {q}.id = {a}.id"), (2, "{i} RIGHT JOIN {o} ON {q}.id = {a}.id"),
                    (2, "{o} FULL JOIN {i} ON {q}.id = {a}.id"), (1, "{o} JOIN {i} ON {q}.id = {a}.id"),
                    (1, "{o} LEFT JOIN {i} ON {q}.id = {a}.id AND {q}.d IS NOT NULL"))
    d = n.rng.choice(["{q}.d", "{q}.d", "coalesce({q}.d::text, '-')", "{q}"]).format(q=q)
    return "SELECT {a}.id, {q}.id AS q, {d} AS d FROM {j} ORDER BY 1, 2".format(
        a=other.alias, q=q, d=d, j=join.format(o=other.text, i=inner, q=q, a=other.alias))


def on(n, source, id_, look, guards):
    other = parent_table(n)
    join = n.rng.choice(["JOIN", "LEFT JOIN"])
    conditions = ["%s.id = %s" % (other.alias, id_), "(%s) IS NOT NULL" % look] + guards
    if " JOIN " in source or "," in source.split("(")[0]:
        source = "(%s)" % source if ", LATERAL" not in source else source.replace(", LATERAL", " CROSS JOIN LATERAL")
        source = source if source.startswith("(") else "(%s)" % source
    return "SELECT %s.id, %s AS z FROM %s %s %s ON %s ORDER BY 1, 2" % (
        other.alias, id_, other.text, join, source, " AND ".join(conditions))


def within(n, source, id_, p, look, guards):
    """In what stands in another query: a scalar, EXISTS, a lateral, a collection of collections"""
    other = parent_table(n)
    is_scalar = n.chance(0.5)
    tied = n.where(["%s = %s.id" % (id_ if is_scalar else p, other.alias)] + guards)
    tied_and = tied + " AND "
    one, many = "(SELECT {l} FROM {s}{t})", "(SELECT json_agg({l} ORDER BY {i}) FROM {s}{t})"
    kind = n.rng.choice([one if is_scalar else many, "EXISTS (SELECT FROM {s}{a}({l}) IS NOT NULL)",
                         "(SELECT count({l}) FROM {s}{t})",
                         "(SELECT json_agg(json_build_array({i}, {l}) ORDER BY {i}) FROM {s}{t})"])
    inner = kind.format(l=look, i=id_, s=source, t=tied, a=tied_and)
    if n.chance(0.3):
        return "SELECT %s.id, y.e FROM %s%s ORDER BY 1" % (other.alias, other.text,
                                                            n.lateral_join("SELECT %s AS e" % inner, "y"))
    return "SELECT %s.id, %s AS e FROM %s ORDER BY 1" % (other.alias, inner, other.text)


def looks(n):
    """Something that raises or leaks looks at a collection's value, at any place"""
    head, source, id_, p, s = looked_source(n)
    look = n.rng.choice(LOOKS).format(s=s)
    guards = [n.rng.choice(GUARDS).format(s=s) for _ in range(n.rng.choice([0, 1, 1, 1, 2]))]
    where, more = n.where(guards), n.where(guards + ["(%s) IS NOT NULL" % look])
    place = n.g.pick((6, "nullable"), (2, "select"), (3, "where"), (2, "on"), (2, "within"), (1, "order"),
                     (1, "group"), (1, "having"), (2, "argument"), (1, "filter"), (1, "distinct"), (1, "window"),
                     (1, "limit"))
    if place == "nullable":
        text = nullable(n, source, id_, look, guards)
    elif place == "on":
        text = on(n, source, id_, look, guards)
    elif place == "within":
        text = within(n, source, id_, p, look, guards)
    else:
        text = {
            "select": "SELECT {i} AS id, {l} AS d FROM {f}{w} ORDER BY 1",
            "where": "SELECT {i} AS id, {s} AS d FROM {f}{m} ORDER BY 1",
            "order": "SELECT {i} AS id FROM {f}{w} ORDER BY ({l})::text, 1",
            "group": "SELECT ({l})::text AS d, count(*) FROM {f}{w} GROUP BY 1 ORDER BY 1",
            "having": "SELECT {p} AS p, max({s}) AS s FROM {f}{w} GROUP BY 1 HAVING ({h}) IS NOT NULL ORDER BY 1",
            "argument": "SELECT json_agg({l} ORDER BY {i}) AS d, count({s}) FROM {f}{w}",
            "filter": "SELECT count(*) FILTER (WHERE ({l}) IS NOT NULL) AS d, max({s}) FROM {f}{w}",
            "distinct": "SELECT DISTINCT ({l})::text AS d FROM {f}{w} ORDER BY 1",
            "window": "SELECT {i} AS id, count({l}) OVER (ORDER BY {i}) AS d FROM {f}{w} ORDER BY 1",
            "limit": "SELECT {i} AS id, {l} AS d FROM {f}{w} ORDER BY 1 LIMIT 3"}[place].format(
                i=id_, l=look, f=source, w=where, m=more, s=s, p=p, h=look.replace(s, "max(%s)" % s))
    if n.chance(0.15):
        text = "SELECT %s FROM (%s) b" % (n.rng.choice(["json_agg(b)", "b.*", "count(b)"]), text)
    return Query(head + text, [("id", "value"), ("d", "value")], "looks " + place)


def cut(n):
    """Over the rows that a LIMIT leaves: an error for those that it cuts off is one that nobody was to see."""
    part, x = n.table("lost"), n.g.alias("x")
    page = "SELECT * FROM %s%s ORDER BY %s.id LIMIT %d" % (
        part.text, n.rng.choice(["", "", " WHERE %s.p > 0" % part.alias]), part.alias, n.rng.choice([3, 5, 8]))
    source, head = "(%s) %s" % (page, x), ""
    if n.chance(0.3):
        head, source = "WITH page AS (%s) " % page, "page %s" % x
    elif n.chance(0.3):
        source = "(SELECT * FROM %s y OFFSET 0) %s" % (source[:source.rindex(")") + 1], x)
    raiser = row_raiser(n, n.part("", x, part.members))
    target = n.rng.choice([
        "json_agg(json_build_array({x}.id, {r}))", "json_agg(json_build_object('e', {r}) ORDER BY {x}.id DESC)",
        "jsonb_agg(jsonb_build_object('id', {x}.id, 'e', {r}))", "json_build_object('e', {r})",
        "row_to_json((SELECT _e FROM (SELECT {x}.id, {r} AS e) _e))", "{x}.id, {r}",
        "json_agg((SELECT _e FROM (SELECT {x}.id, {r} AS e) _e) ORDER BY {x}.v, {x}.id)"]).format(x=x, r=raiser)
    order = "" if "agg" in target else n.rng.choice(["", " ORDER BY {0}.id DESC", " ORDER BY {0}.v, {0}.id"]).format(x)
    text = "SELECT %s AS d FROM %s%s" % (target, source, order)
    if n.chance(0.4) and not head:
        parent = parent_table(n)
        text = "SELECT %s.id, (%s) AS d FROM %s ORDER BY 1" % (
            parent.alias, "SELECT json_agg(json_build_array(%s.id, %s)) FROM %s WHERE %s.p = %s.id" % (
                x, raiser, source, x, parent.alias), parent.text)
    return Query(head + text, [("d", "value")], "cut")


def random(n):
    return n.g.pick((3, lost), (5, looks), (1, cut))(n)
