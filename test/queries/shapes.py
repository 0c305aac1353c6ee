"""The queries that tools send, with random relations, columns, nesting and variations.

Each shape makes a Query of one column and mostly one row.  How tools write stands in test/statements/tools.txt;
beside that here is what people write by hand.
"""
import os
import re
import sys

from grammar import Query
from queries import literal
from relations import NOT_SORTABLE

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "statements"))
from statements import TOOLS, Level, Unsupported, Writer


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


# Subqueries that people, and layers above a tool, put around another one
AGAIN = [("*", ""), ("*", " OFFSET 0"), ("*", " LIMIT 3"), ("*", " WHERE true"), ("*, counted() AS c", ""),
         ("*, 1 AS one", ""), ("*", " ORDER BY 1")]


def usual(g, alternatives, often=0.7):
    return alternatives[0] if g.chance(often) else g.rng.choice(alternatives)


def level(g, tool, depth, outer, kind="array"):
    """Of a tool's statement: rows of a random relation, tied to an outer one, with what is below them"""
    item, condition = linked(g, depth, outer)
    extra = " AND " + g.condition([item], 3) if g.chance(0.2) else ""
    columns = [(n, value(g, item, n)) for n, t in some_columns(g, item) if tool.takes_queries or t not in NOT_SORTABLE]
    columns = columns or [("id", item.column("id"))]
    sorts = [("id", item.column("id"), g.rng.choice(["", " DESC"]))] if g.chance(0.6) else []
    if sorts and g.chance(0.2):
        sorts.insert(0, ("ref", item.column("ref"), ""))
    limit, offset = g.rng.choice([(3, 0), (2, 1), (20, 0), (1, 0), ("NULL", 0), (1000, 0)]) if (
        g.chance(0.4) and tool.uses(kind, "limit")) else (None, None)
    made = Level(columns=columns, order=sorts, limit=limit, offset=offset, one=kind == "one", unique="id", tool=tool,
                 source=item.text, row=item.alias, label=g.alias("e"),
                 condition=condition + extra if outer or extra else None, below=below(g, tool, depth, item, kind))
    made.fields_of_object = g.rng.choice([50, 50, 50, 1, 3, 100])
    return made


def below(g, tool, depth, item, kind):
    """(name, level) of what a row has: of the same tool, of another one, or any query"""
    is_bare = kind == "outermost" and tool.sends_rows	# without them there is no JSON
    if depth >= 3 or not tool.has("value") or not is_bare and not g.chance((0.7, 0.45, 0.3)[depth]):
        return []
    result = []
    for _ in range(g.rng.choice([1, 1, 2]) if tool.takes_queries else 1):
        if not tool.takes_queries:
            child = level(g, tool, 3, [item])
            child.holes.update(limit=None)
        elif g.chance(0.2):
            query = g.rng.choice(SINGLE)(g, depth + 1, [item])
            child = Level(query=(query.text, query.columns[0][0]), label=g.alias("e"), row=g.alias("e"))
        else:
            one = tool.has("one") and g.chance(0.25)
            child = level(g, tool, depth + 1, [item], "one" if one else "array")
            if one and g.chance(0.7) and tool.uses("one", "limit"):
                child.holes.update(limit=1, offset=0)
        names = [n for n, _ in item.columns] + [n for n, _ in result]
        name = g.odd_name()
        while name in names and g.chance(0.9):	# seldom twice
            name = g.odd_name() + g.rng.choice("123")
        result.append((name, child))
    return result


def again(g, text):
    """One of the subqueries in FROM in another one"""
    places = [m.end() for m in re.finditer(r"\bFROM \((?=\s*SELECT\b)", text, re.I)]
    if not places:
        return text
    start = end = g.rng.choice(places)
    open_ones = 1
    while open_ones and end < len(text):
        open_ones += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    what, tail = g.rng.choice(AGAIN)
    return "%sSELECT %s FROM (%s) AS again%s%s" % (text[:start], what, text[start:end - 1], tail, text[end - 1:])


def of_tool(tool):
    """A shape: its outermost statement, or a collection"""
    def shape(g, depth, outer):
        kind = "array" if tool.has("result") and (outer or depth or g.chance(0.3)) else "outermost"
        made = level(g, tool, depth, outer, kind)
        made.holes["alias"] = g.alias("e")
        text = Writer(lambda alternatives: usual(g, alternatives)).write(tool, made, kind)
        text = again(g, text) if g.chance(0.12) else text
        if kind == "array":
            name = re.sub('"(.*)"', r"\1", tool.pieces["result"][0].replace("{name}", "root").replace(
                "{alias}", made.holes["alias"]))
            return Query(text, [(name, tool.pieces["type"][0])])
        return Query(text, [("rows", "any")] * (2 if tool.sends_rows else 1))
    shape.__name__ = tool.name
    return shape


def by_hand(g, depth, outer):
    """SQLAlchemy, Rails, people"""
    item, condition = linked(g, depth, outer)
    a = item.alias
    where = where_of(g, item, condition, depth)
    pairs = ", ".join("%s, %s" % (literal(n), value(g, item, n)) for n, _ in some_columns(g, item))
    pairs = pairs or "'none', 0"
    b = g.rng.choice(["", "b"])
    text, type_ = g.rng.choice([
        ("SELECT json%s_agg(%s) AS j FROM %s%s" % (b, a, item.text, where), "json" + b),
        ("SELECT json%s_agg(%s.*) AS j FROM %s%s" % (b, a, item.text, where), "json" + b),
        ("SELECT json%s_agg(json_build_object(%s)) AS j FROM %s%s" % (b, pairs, item.text, where), "json" + b),
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


# What PostGIS's users write is made by collection.
MADE = [of_tool(tool) for tool in TOOLS.values() if tool.name != "PostGIS"]
SINGLE = [shape for shape in MADE if TOOLS[shape.__name__].has("result")] + [by_hand, collection]
SHAPES = MADE + [by_hand, collection]


def random(g, depth, outer, single):
    query = None
    while not query:
        shape = g.rng.choice(SINGLE if single or outer or depth else SHAPES)
        try:
            query = shape(g, depth, outer)
        except Unsupported:
            pass
    query.shape = shape.__name__
    return query
