"""Nested collections as tools write them, under total orders; n is what makes the rest, a Nested of nested.py.

How the tools write stands in test/statements/tools.txt.
"""
from grammar import Query
from shapes import TOOLS, Level, Unsupported, Writer, usual

def level(n, tool, parent, depth, kind="array"):
    """Of a tool's statement: what belongs to a row of the parent, sorted by what is unique"""
    part = n.table(n.rng.choice(["many", "some", "few", "part", "v"]))
    condition = n.equality([part], [parent]) if parent else None
    if kind == "one":
        keys = [m for m in parent.members if m.family == "int"]
        condition = "%s.id = %s" % (part.alias, parent.column(n.rng.choice(keys)))
    # Of json, jsonb may raise an error, and groups cannot be made.
    without_json = not tool.takes_queries or tool.pieces.get("type") == ["jsonb"] and n.chance(0.8)
    members = [m for m in part.members[1:] if m.type != "json" or not without_json]
    members = part.members[:1] + n.rng.sample(members, min(4, n.rng.randrange(len(members) + 1)))
    limit = n.rng.choice([1, 2, 3, 20, 1000]) if n.chance(n.paged) and tool.uses(kind, "limit") else None
    made = Level(columns=[(m.name, part.column(m)) for m in members], one=kind == "one", unique="id", tool=tool,
                 order=[("id", part.alias + ".id", n.rng.choice(["", "", " DESC"]))], limit=limit,
                 source=part.text, row=part.alias, condition=condition, label=n.g.alias("e"))
    made.below = below(n, tool, part, depth)
    return made


def below(n, tool, part, depth):
    """(name, level) of what a row has"""
    result = []
    if not tool.takes_queries and not depth:
        result.append(("x0", level(n, tool, part, 1)))
        result[0][1].holes.update(limit=None)
    if not tool.takes_queries:
        return result
    for i in range(2):
        if depth < 4 and n.chance((1, 0.55, 0.4, 0.3)[depth]):
            kind = "one" if tool.has("one") and n.chance(n.looked_up) else "array"
            other = n.rng.choice(MIXED) if kind == "array" and n.chance(n.mixed) else tool
            result.append(("x%d" % i, level(n, other, part, depth + 1, kind)))
    return result


# Those whose collections stay more often than not
STAYING = ("Supabase", "Hasura 3", "jOOQ, multisetAgg", "Django")
NESTING = [tool for tool in TOOLS.values() if tool.has("value")]
MIXED = [tool for tool in NESTING if tool.has("result")]


def random(n):
    tool = n.g.pick(*((1 if tool.name in STAYING else 3, tool) for tool in NESTING))
    # How many of the things that keep collections as they are
    n.paged, n.looked_up, n.mixed = (n.rng.choice([0, 0, 0, 0, most]) for most in (0.2, 0.4, 0.3))
    made = level(n, tool, None, 0, "outermost")
    try:
        text = Writer(lambda alternatives: usual(n, alternatives, 0.93)).write(tool, made)
    except Unsupported:
        return random(n)
    columns = ["id", "rest"] if tool.sends_rows else ["data"]
    return Query(text, [(c, "value") for c in columns], tool.name)
