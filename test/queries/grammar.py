"""Random queries that make JSON, over the relations of a world.

A Query is SQL text and its columns as (name, type); a name that is there twice
can only be reached by a whole row.
"""
from relations import NOT_SORTABLE, quoted
from queries import literal

KEYS = ["a", "b", "id", "key", "k", "A b", 'q"q', "\u00e9", "__proto__", " ", "x" * 70, "it's", "type"]
JSON_TYPES = ("json", "jsonb")


class Query:
    def __init__(self, text, columns, shape="grammar"):
        self.text, self.columns, self.shape = text, columns, shape


class Item:
    """Something in FROM, or a join that has an alias: what its text gives can be named by the alias."""

    def __init__(self, text, alias, columns, row_type=None, scalar=False):
        self.text, self.alias, self.columns, self.row_type = text, alias, columns, row_type
        # the alias is no row but a function's value
        self.scalar = scalar

    def usable(self):
        names = [n for n, _ in self.columns]
        return [(n, t) for n, t in self.columns if names.count(n) == 1]

    def column(self, name):
        return "%s.%s" % (self.alias, quoted(name))


class Grammar:
    def __init__(self, world, rng):
        self.world, self.rng, self.version = world, rng, world.version
        self.aliases = 0
        self.ctes = []

    # Small things

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, *choices):
        """Of (weight, choice)"""
        return self.rng.choices([c for _, c in choices], [w for w, _ in choices])[0]

    def alias(self, prefix="s"):
        self.aliases += 1
        return "%s%d" % (prefix, self.aliases)

    def odd_name(self):
        return self.rng.choice(KEYS[:6] if self.chance(0.8) else KEYS) or "z"

    def key(self, items):
        k = literal(self.rng.choice(KEYS[:6] if self.chance(0.8) else KEYS))
        return self.pick((20, k), (6, "(%s)::text" % k), (4, k + "::text"), (1, k + "::varchar"),
                         (1, "(%s)::name" % k), (0.5, k + "::bpchar"),
                         (0.5, k + "::varchar(1)"), (0.3, "NULL"), (0.3, "NULL::text"), (0.7, k + " || 'x'"),
                         (0.7, "concat(%s, 1)" % k),
                         (0.5, "1"), (0.3, "true"), (0.7, "%s::text" % self.integer(items)),
                         (0.3, k + " COLLATE \"C\""))

    def column(self, items, wanted=None):
        """Of the level itself, mostly, or of an outer one: (text, type) or None."""
        choices = [(i, c) for i in items for c in i.usable() if wanted is None or c[1] in wanted]
        if not choices:
            return None
        item, (name, type_) = self.rng.choice(choices)
        return item.column(name), type_

    def integer(self, items):
        found = self.column(items, ("int4",))
        return found[0] if found and self.chance(0.9) else str(self.rng.randrange(1, 5))

    def condition(self, items, depth=3):
        n = self.integer(items)
        any_column = self.column(items) or ("1", "int4")
        return self.pick((6, n + " > 1"), (6, n + " % 2 = 0"), (4, any_column[0] + " IS NOT NULL"), (0.7, "false"),
                         (2, "true"),
                         (2, "%s IS NOT NULL" % self.rng.choice(items).alias if items else "true"),
                         (1, "EXISTS (%s)" % self.select(depth, items).text if depth < 3 else "true"))

    # Values

    def leaf(self, items, depth):
        kind = self.pick((60, "column"), (5, "constant"), (0.9, "error"), (3, "case"), (3, "text"), (12, "json"),
                         (2.5, "array"), (7, "row"),
                         (0.6, "volatile"), (3, "sublink"), (2, "inside"))
        column = self.column(items) or ("1.50", "numeric")
        if kind == "column":
            return column
        if kind == "constant":
            return self.rng.choice([("'k\"'::text", "text"), ("1", "int4"), ("-0.10", "numeric"),
                                    ("NULL::int", "int4"), ("true", "boolean"),
                                    ("'{\"b\" : 1, \"a\":[ ]}'::json", "json"),
                                    ("'{\"b\":1,\"a\":[]}'::jsonb", "jsonb"),
                                    ("'2000-01-01'::date", "date"), ("current_setting('TimeZone')", "text"),
                                    self.system_column(items), ("'v'::varchar", "varchar")])
        if kind == "error":
            return "1 / (%s - 2)" % self.integer(items), "int4"
        if kind == "case":
            return "CASE WHEN %s THEN %s END" % (self.condition(items), column[0]), column[1]
        if kind == "text":
            return column[0] + "::text", "text"
        if kind == "array":
            return self.array(items, depth), "array"
        if kind == "row":
            return self.row(items, depth), "row"
        if kind == "volatile":
            return self.rng.choice([("counted()", "int8"), ("noisy(%s)" % self.integer(items), "int4"),
                                    ("random()::numeric(3,2)", "numeric")])
        if kind == "inside":
            found = self.column(items, ("pair",))
            if found:
                return "(%s).y" % found[0], "text"
        if kind == "sublink" and depth < 3:
            return self.sublink(items, depth)
        return self.json(items, depth + 1)

    def system_column(self, items):
        tables = [i for i in items if i.row_type and not i.row_type.startswith("v")]
        return (self.rng.choice(tables).alias + ".tableoid::regclass", "regclass") if tables else ("2", "int4")

    def sublink(self, items, depth):
        query = self.subquery(depth + 1, items, single=True)
        return "(%s)" % query.text, query.columns[0][1]

    def array(self, items, depth):
        if depth < 3 and self.chance(0.6):
            query = self.subquery(depth + 1, items, single=True)
            if query.columns[0][1] not in ("array", "xml"):
                return "ARRAY(%s)" % query.text
        column = self.column(items) or ("1", "int4")
        return self.rng.choice(["ARRAY[%s]" % column[0], "ARRAY[%s, NULL]" % column[0], "'{}'::int[]",
                                "ARRAY[[1,2],[3,%s]]" % self.integer(items),
                                "ARRAY[ROW(1, %s)]" % column[0]])

    def whole_row(self, items):
        rows = [i for i in items if not i.scalar]
        return self.rng.choice(rows).alias if rows else "ROW(1)"

    def starred(self, items):
        row = self.whole_row(items)
        return row if row == "ROW(1)" else row + ".*"

    def row(self, items, depth):
        """Something composite"""
        kind = self.pick((12, "whole"), (0.5, "cast"), (3, "row"), (1, "typed"), (3, "fields"), (1, "column"),
                         (0.7, "null"), (0.7, "function"))
        if kind == "row":
            return "ROW(%s)" % ", ".join(self.leaf(items, depth + 1)[0] for _ in range(self.rng.randrange(0, 4)))
        if kind == "cast":
            parents = [i for i in items if (i.row_type or "").endswith("_child")]
            if parents:
                return "%s::%s" % (parents[0].alias, parents[0].row_type[:-len("_child")])
        if kind == "typed":
            return "ROW(%s, %s)::%s" % (self.integer(items), self.rng.choice(["'t'", "NULL"]),
                                        self.rng.choice(["pair", "pair", "pair_domain"]))
        if kind == "fields":
            return self.fields(items, depth)
        if kind == "column":
            found = self.column(items, ("pair", "holder", "papers", "twice", "pair_domain", "nothing"))
            if found:
                return found[0]
        if kind == "null":
            return "NULL::%s" % self.rng.choice(["pair", "holder", self.world.relations[0].name])
        if kind == "function":
            return "one_pair(%s)" % self.integer(items)
        return self.whole_row(items)

    def targets(self, items, depth, count=None):
        """(text, columns) of a list of values with names"""
        count = count or self.rng.choice([1, 2, 2, 3, 5])
        leaves = [self.leaf(items, depth + 1) for _ in range(count)]
        names = [self.odd_name() if self.chance(0.3) else "f%d" % i for i in range(count)]
        text = ", ".join("%s AS %s" % (x, quoted(n)) for (x, _), n in zip(leaves, names))
        return text, [(n, t) for n, (_, t) in zip(names, leaves)]

    def fields(self, items, depth):
        """Hasura's way to name a row's fields"""
        a = self.pick((6, '"_e"'), (3, "_r"), (1, "e"))
        text, columns = self.targets(items, depth)
        what = self.pick((20, a), (2, "%s.*" % a if len(columns) == 1 else a), (1, "%s AS y" % a))
        tail = self.pick((20, ""), (1, " WHERE true"), (0.5, " WHERE false"), (1, " LIMIT 1"), (1, " ORDER BY 1"))
        below = self.pick((20, ""), (1, " FROM (SELECT 1) z"), (0.5, " WHERE %s" % self.condition(items)),
                          (0.5, " LIMIT 1"))
        if columns[0][1] in NOT_SORTABLE | {"row", "array"}:
            tail = tail.replace(" ORDER BY 1", "")
        return "(SELECT %s FROM (SELECT %s%s) AS %s%s)" % (what, text, below, a, tail)

    # JSON

    def pairs(self, items, depth, count=None):
        count = self.rng.choice([0, 1, 2, 2, 3, 5]) if count is None else count
        return ", ".join("%s, %s" % (self.key(items), self.leaf(items, depth + 1)[0]) for _ in range(count))

    def build(self, items, depth, b):
        """json_build_..., jsonb_build_..."""
        kind = self.pick((8, "object"), (5, "array"), (0.5, "variadic"),
                         (0.7, "standard" if self.version >= 160000 else "array"))
        if kind == "object":
            return "json%s_build_object(%s)" % (b, self.pairs(items, depth))
        if kind == "array":
            leaves = [self.leaf(items, depth + 1)[0] for _ in range(self.rng.choice([0, 1, 2, 3, 5]))]
            return "json%s_build_array(%s)" % (b, ", ".join(leaves + ["'unknown'"] * self.chance(0.1)))
        if kind == "variadic":
            column = (self.column(items, ("text", "int4", "json", "jsonb")) or ("1", "int4"))[0]
            return "json%s_build_%s(VARIADIC ARRAY[%s::text, 'x'])" % (b, self.rng.choice(["array", "object"]), column)
        return self.standard(items, depth, b)

    def standard(self, items, depth, b):
        """SQL/JSON's constructors, of 16 and later"""
        nulls = self.pick((6, ""), (2, " NULL ON NULL"), (2, " ABSENT ON NULL"))
        unique = self.pick((6, ""), (1, " WITH UNIQUE"))
        returning = " RETURNING jsonb" if b else self.pick((6, ""), (1, " RETURNING json"), (0.5, " RETURNING text"))
        if self.chance(0.5):
            fields = ", ".join("'%s' VALUE %s%s" % (self.rng.choice("abc"), self.leaf(items, depth + 1)[0],
                                                    " FORMAT JSON" if self.chance(0.03) else "")
                               for _ in range(self.rng.choice([0, 1, 2, 3])))
            text = "JSON_OBJECT(%s%s%s)" % (fields, (nulls + unique) if fields else "", returning)
        else:
            values = ", ".join(self.leaf(items, depth + 1)[0] for _ in range(self.rng.choice([0, 1, 2, 3])))
            text = "JSON_ARRAY(%s%s%s)" % (values, nulls if values else "", returning)
        return "%s::json" % text if "text" in returning else text

    def json(self, items, depth):
        """Of one row: (text, type)"""
        b = self.rng.choice(["", "b"])
        starred = lambda: self.starred(items)
        text, type_ = self.pick(
            (10, lambda: (self.build(items, depth, b), "json" + b)),
            (5, lambda: ("row_to_json(%s)" % self.row(items, depth), "json")),
            (5, lambda: ("row_to_json(%s)" % starred(), "json")),
            (1, lambda: ("row_to_json(%s, %s)" % (self.row(items, depth), self.rng.choice(["true", "false", "NULL"])),
                         "json")),
            (4, lambda: ("to_json%s(%s)" % (b, self.row(items, depth)), "json" + b)),
            (4, lambda: ("to_json%s(%s)" % (b, self.leaf(items, depth + 1)[0]), "json" + b)),
            (2, lambda: ("array_to_json(%s%s)" % (self.array(items, depth), self.rng.choice(["", "", ", true"])),
                         "json")),
            (4, lambda: ("%s || %s" % (self.jsonb_object(items, depth), self.jsonb_object(items, depth)), "jsonb")),
            (1, lambda: ("json_strip_nulls(%s)" % self.json_only(items, depth, ""), "json")),
            (1, lambda: ("jsonb_set(%s, '{a}', '1')" % self.jsonb_object(items, depth), "jsonb")))()
        cast = self.pick((14, ""), (3, "jsonb"), (1, "json"), (0.5, "text"))
        return ("(%s)::%s" % (text, cast), cast) if cast else ("(%s)" % text if " || " in text else text, type_)

    def json_only(self, items, depth, b):
        return "(%s)::json%s" % (self.json(items, depth + 1)[0], b)

    def jsonb_object(self, items, depth):
        return self.pick((8, lambda: "jsonb_build_object(%s)" % self.pairs(items, depth)),
                         (4, lambda: "to_jsonb(%s)" % self.row(items, depth)),
                         (0.5, lambda: "'{\"c\":1}'::jsonb"), (0.3, lambda: "NULL::jsonb"),
                         (0.5, lambda: "jsonb_build_array(1)"))()

    # Aggregates

    def order_by(self, items):
        sortable = [c for c in (self.column(items) for _ in range(self.rng.choice([1, 1, 2])))
                    if c and c[1] not in NOT_SORTABLE | {"row", "array"}]
        extra = [(self.integer(items), "int4")]
        return ", ".join(c + self.rng.choice(["", " DESC", " NULLS FIRST", " DESC NULLS LAST"])
                         for c, _ in sortable + extra)

    def argument(self, items, depth, b):
        return self.pick((8, lambda: self.row(items, depth)), (3, lambda: self.starred(items)),
                         (5, lambda: "row_to_json(%s)" % self.row(items, depth)),
                         (2, lambda: "to_json%s(%s)" % (b, self.row(items, depth))),
                         (8, lambda: self.build(items, depth, b)), (3, lambda: self.leaf(items, depth)[0]),
                         (2, lambda: "%s || %s" % (self.jsonb_object(items, depth), self.jsonb_object(items, depth))),
                         (2, lambda: self.json(items, depth)[0]))()

    def call(self, items, depth, b):
        """(call without what follows its parenthesis, type)"""
        order = " ORDER BY " + self.order_by(items) if self.chance(0.35) else ""
        kind = self.pick((20, "agg"), (1.5, "object"), (1, "distinct"), (1, "array"), (0.7, "standard"),
                         (0.3, "other"))
        if kind == "object":
            key = self.pick((4, self.integer(items) + "::text"), (3, "coalesce(%s, 0)" % self.integer(items)),
                            (1, "'k'"))
            return "json%s_object_agg(%s, %s%s)" % (b, key, self.leaf(items, depth + 1)[0], order), "json" + b
        if kind == "distinct":
            return "json%s_agg(DISTINCT %s)" % (b, self.jsonb_object(items, depth)), "json" + b
        if kind == "array":
            element = self.pick((3, self.whole_row(items)), (1, self.leaf(items, depth + 1)[0]))
            return "array_to_json(array_agg(%s%s))" % (element, order), "json"
        if kind == "other":
            return "string_agg(%s::text, ','%s)" % (self.json(items, depth)[0], order), "text"
        if kind == "standard" and self.version >= 160000:
            return self.standard_call(items, depth, b, order)
        strict = "_strict" if self.version >= 160000 and self.chance(0.05) else ""
        return "json%s_agg%s(%s%s)" % (b, strict, self.argument(items, depth, b), order), "json" + b

    def standard_call(self, items, depth, b, order):
        nulls = self.pick((6, ""), (2, " NULL ON NULL"), (2, " ABSENT ON NULL"))
        returning = " RETURNING jsonb" if b else ""
        if self.chance(0.3):
            unique = self.pick((6, ""), (1, " WITH UNIQUE"))
            return "JSON_OBJECTAGG(coalesce(%s, 0) : %s%s%s%s)" % (self.integer(items), self.leaf(items, depth + 1)[0],
                                                                   nulls, unique, returning), "json" + b
        return "JSON_ARRAYAGG(%s%s%s%s)" % (self.argument(items, depth, b), order, nulls, returning), "json" + b

    def aggregate(self, items, depth):
        b = self.rng.choice(["", "b"])
        text, type_ = self.call(items, depth, b)
        if self.chance(0.15) and not text.startswith("array_to_json"):
            text += " FILTER (WHERE %s)" % self.condition(items)
        return self.wrapped(text, type_)

    def wrapped(self, text, type_):
        """What tools put around an aggregate"""
        if type_ == "text":
            return text, type_
        b = type_[4:]
        wrappers = [(8, ("%s", type_)), (5, ("coalesce(%s, '[]')", type_)),
                    (2, ("coalesce(%%s, '[]'::%s)" % type_, type_)),
                    (2, ("coalesce(%%s, json%s_build_array())" % b, type_)), (4, ("(%s)::jsonb", "jsonb")),
                    (1, ("(%s)::text", "text")),
                    (1, ("(%s)::json", "json")), (1, ("(%s)::jsonb::text", "text")),
                    (1, ("json%s_build_object('list', %%s)" % b, type_)),
                    (0.7, ("coalesce((%s)::jsonb, '[]')", "jsonb")), (0.7, ("(coalesce(%s, '[]'))::jsonb", "jsonb")),
                    (0.7, ("json%s_array_length(%%s)" % b, "int4")), (0.5, ("to_jsonb(%s)", "jsonb")),
                    (0.3, ("(%s) -> 0", type_))]
        wrapper, type_ = self.pick(*wrappers)
        return wrapper % text, type_

    # FROM

    def relation_item(self, linked=False):
        relations = self.world.relations
        if linked:
            relations = [r for r in relations if {"id", "ref"} <= {n for n, _ in r.columns}]
        r = self.rng.choice(relations)
        if (r.nasty or r.name.startswith("empty") or r.name.endswith("_5")) and self.chance(0.7):
            r = self.rng.choice(relations)
        return self.relation_of(r, not linked)

    def relation_of(self, r, varied=False):
        alias = self.alias(self.rng.choice(["s", "a", "t"]))
        renamed = ""
        columns = r.columns
        if varied and self.chance(0.08):
            columns = [("r%d" % i, t) if i < 2 else (n, t) for i, (n, t) in enumerate(columns)]
            renamed = "(%s)" % ", ".join(quoted(n) for n, _ in columns[:2])
        only = "ONLY " if varied and self.chance(0.05) else ""
        return Item("%s%s AS %s%s" % (only, r.name, alias, renamed), alias, columns, r.row_type)

    def function_item(self, items):
        n, a = self.integer(items) if self.chance(0.3) else str(self.rng.randrange(1, 4)), self.alias("f")
        pair = [("x", "int4"), ("y", "text")]
        text, columns = self.rng.choice([
            ("pairs(%s) AS %s" % (n, a), pair),
            ("pairs(%s) AS %s(p, q)" % (n, a), [("p", "int4"), ("q", "text")]),
            ("pairs(%s) WITH ORDINALITY AS %s" % (n, a), pair + [("ordinality", "int8")]),
            ("records(%s) AS %s(x int, \"Y y\" text)" % (n, a), [("x", "int4"), ("Y y", "text")]),
            ("named(%s) AS %s" % (n, a), [("A a", "int4"), ("j", "json")]),
            ("named(%s) AS %s(r)" % (n, a), [("r", "int4"), ("j", "json")]),
            ("generate_series(1, %s) AS %s" % (n, a), [(a, "int4")]),
            ("generate_series(1, %s) WITH ORDINALITY AS %s(i, o)" % (n, a), [("i", "int4"), ("o", "int8")]),
            ("ROWS FROM (generate_series(1, %s), pairs(2)) AS %s(i, x, y)" % (n, a), [("i", "int4")] + pair),
            ("ROWS FROM (pairs(%s), records(3) AS (u int, v text)) WITH ORDINALITY AS %s" % (n, a),
             pair + [("u", "int4"), ("v", "text"), ("ordinality", "int8")]),
            ("unnest(ARRAY[ROW(%s, 'u'), NULL]::pair[]) AS %s" % (n, a), pair),
            ("one_pair(%s) AS %s" % (n, a), pair),
            ("jsonb_to_recordset('[{\"a\":1,\"b\":{\"c\":2}},{}]') AS %s(a int, b json)" % a,
             [("a", "int4"), ("b", "json")]),
            ("jsonb_each('{\"a\":1,\"b\":[2]}') AS %s" % a, [("key", "text"), ("value", "jsonb")]),
            ("json_array_elements(objects(%s)) AS %s" % (n, a), [("value", "json")]),
        ])
        return Item(text, a, columns, scalar=columns == [(a, "int4")] or columns == [("value", "json")])

    def values_item(self):
        a = self.alias("v")
        rows = ", ".join("(%d, %s, %s)" % (i, self.rng.choice(["'v'", "NULL"]),
                                           self.rng.choice(["'[ 1 ]'::json", "NULL"])) for i in range(1, 4))
        return Item("(VALUES %s) AS %s(n, t, j)" % (rows, a), a, [("n", "int4"), ("t", "text"), ("j", "json")])

    def subquery_item(self, depth, items, lateral):
        query = self.subquery(depth + 1, items if lateral else [])
        a = self.alias("q")
        columns, renamed = query.columns, ""
        if self.chance(0.1):
            columns = [("Z z" if i == 0 else n, t) for i, (n, t) in enumerate(columns)]
            renamed = '("Z z")'
        return Item("%s(%s) AS %s%s" % ("LATERAL " if lateral else "", query.text, a, renamed), a, columns)

    def item(self, depth, items, lateral):
        if depth < 3 and self.chance(0.35):
            return self.subquery_item(depth, items, lateral and self.chance(0.8))
        if self.ctes and self.chance(0.3):
            name, columns = self.rng.choice(self.ctes)
            a = self.alias("c")
            return Item("%s AS %s" % (name, a), a, columns)
        return self.pick((10, self.relation_item), (2, lambda: self.function_item(items if lateral else [])),
                         (1, self.values_item))()

    def from_clause(self, depth, outer):
        """(text, items)"""
        first = self.item(depth, outer, False)
        text, items = first.text, [first]
        for _ in range(self.pick((6, 0), (4, 1), (1, 2))):
            join = self.pick((5, "LEFT JOIN"), (3, "JOIN"), (1, "RIGHT JOIN"), (1, "FULL JOIN"),
                             (2, "LEFT JOIN LATERAL"), (1, "CROSS JOIN LATERAL"),
                             (0.5, ","))
            other = self.item(depth, items + outer, "LATERAL" in join)
            if other.text.startswith(("LATERAL", "(")) or " AS f" in other.text:
                join = join.replace(" LATERAL", "") if not other.text.startswith("(") else join
            else:
                join = join.replace(" LATERAL", "")
            names = [n for i in items for n, _ in i.columns]
            once = names.count("id") == 1 and ("id", "int4") in other.usable()
            if once and "CROSS" not in join and join != "," and self.chance(0.06):
                text += " %s %s USING (id)%s" % (join, other.text, " AS " + self.alias("u") if self.chance(0.3)
                                                 else "")
                items.append(other)
                continue
            condition = self.pick((6, "%s = %s" % (self.integer(items), self.integer([other]))), (3, "true"),
                                  (0.5, "false"))
            text += " %s %s" % (join, other.text) if "CROSS" in join or join == "," else " %s %s ON %s" % (join,
                other.text, condition)
            items.append(other)
        if len(items) > 1 and "," not in text.split("(")[0] and self.chance(0.08):
            a = self.alias("j")
            columns = [c for i in items for c in i.columns]
            return "(%s) AS %s" % (text, a), [Item("", a, columns)]
        return text, items

    # SELECT

    def subquery(self, depth, outer, single=False):
        """Any query of one level below: of one column, if a value is wanted, which then has one row."""
        if single:
            return self.select(depth, outer, "aggregates", 1) if self.chance(0.6) else self.shape(depth, outer, True)
        return self.shape(depth, outer, False) if self.chance(0.25) else self.select(depth, outer)

    def shape(self, depth, outer, single):
        return self.shapes.random(self, depth, outer, single)

    def select(self, depth, outer, kind=None, width=None):
        self.ctes, kept = list(self.ctes), self.ctes
        kind = kind or self.pick((6, "rows"), (4, "aggregates"), (2, "groups"), (0.5, "windows"), (0.5, "sets"),
                                 (0.3, "recursive"), (0.3, "srf"), (0.2, "outer"), (2.5, "layers"))
        head = self.with_clause(depth) if depth < 2 and kind != "recursive" and self.chance(0.1) else ""
        query = getattr(self, kind)(depth, outer, width)
        self.ctes = kept
        return Query(head + query.text, query.columns)

    def with_clause(self, depth):
        name = self.alias("cte")
        query = self.subquery(depth + 1, [])
        if len({n for n, _ in query.columns}) < len(query.columns):
            return ""
        self.ctes.append((name, query.columns))
        return "WITH %s AS %s(%s) " % (name, self.rng.choice(["", "MATERIALIZED ", "NOT MATERIALIZED "]), query.text)

    def where(self, items, outer, depth):
        conditions = [self.condition(items, depth)] if self.chance(0.3) else []
        if outer and self.chance(0.6):
            conditions.append("%s = %s" % (self.integer(items), self.integer(outer)))
        return " WHERE " + " AND ".join(conditions) if conditions else ""

    def tail(self, columns, items, plain):
        """ORDER BY, LIMIT and what else comes at the end"""
        text = ""
        sortable = [str(i) for i, (_, t) in enumerate(columns, 1) if t not in NOT_SORTABLE | {"row", "array"}]
        if self.chance(0.35):
            by = self.integer(items) if plain and self.chance(0.6) else self.rng.choice(sortable
                or ["1"]) if sortable else ""
            text += " ORDER BY %s%s" % (by,
                                        self.rng.choice(["", " DESC", " NULLS FIRST"])) if by and not by.isdigit(
                                            ) or by in sortable else ""
        if self.chance(0.2):
            text += self.rng.choice([" LIMIT 3", " LIMIT 10", " OFFSET 1", " LIMIT 2 OFFSET 1", " LIMIT 4",
                                     " FETCH FIRST 2 ROWS ONLY"])
        return text

    def rows(self, depth, outer, width):
        text, items = self.from_clause(depth, outer)
        everything = items + (outer if self.chance(0.3) else [])
        if self.chance(0.2) and not width:
            targets, columns = "*", [c for i in items for c in i.columns]
            if len(items) == 1 and items[0].alias.startswith("j"):
                columns = items[0].columns
        else:
            targets, columns = self.targets(everything, depth, width)
        distinct = ""
        if self.chance(0.06) and all(t not in NOT_SORTABLE | {"row", "array"} for _, t in columns):
            distinct = "DISTINCT "
        tail = self.tail(columns, items, not distinct)
        if not distinct and self.chance(0.03) and not tail.startswith(" ORDER"):
            distinct = "DISTINCT ON (%s) " % self.integer(items)
        locked = self.chance(0.04) and not distinct and len(items) == 1 and items[0].row_type
        return Query("SELECT %s%s FROM %s%s%s%s" % (distinct, targets, text, self.where(items, outer, depth), tail,
                                                   " FOR %s" % self.rng.choice(["UPDATE", "SHARE"]) if locked else ""),
                     columns)

    def aggregates(self, depth, outer, width):
        text, items = self.from_clause(depth, outer)
        leaves = [self.aggregate(items, depth) for _ in range(width or self.rng.choice([1, 1, 2]))]
        if not width and self.chance(0.2):
            leaves.append(("count(*)", "int8"))
        columns = [("g%d" % i, t) for i, (_, t) in enumerate(leaves)]
        having = " HAVING count(*) > %d" % self.rng.randrange(3) if self.chance(0.06) else ""
        targets = ", ".join("%s AS %s" % (x, n) for (x, _), (n, _) in zip(leaves, columns))
        return Query("SELECT %s FROM %s%s%s" % (targets, text, self.where(items, outer, depth), having), columns)

    def groups(self, depth, outer, width):
        text, items = self.from_clause(depth, outer)
        key = self.pick((6, (self.integer(items) + " % 3", "int4")), (4, (self.integer(items), "int4")),
                        (1, ("to_jsonb(%s)" % self.whole_row(items), "jsonb")),
                        (1, ("jsonb_build_object('k', %s)" % self.integer(items), "jsonb")),
                        (0.4, (self.whole_row(items), "row")))
        if key[0].isdigit():
            key = ("%s + 0" % key[0], "int4")
        if self.chance(0.1):
            key = ("ROW(%s, %s)" % (self.integer(items), key[0]), "row")
        by = self.pick((10, "GROUP BY %s"), (1, "GROUP BY ROLLUP (%s)"), (1, "GROUP BY GROUPING SETS ((%s), ())"),
                       (0.5, "GROUP BY CUBE (%s)")) % key[0]
        leaves = [key] * self.chance(0.7) + [self.aggregate(items, depth) for _ in range(self.rng.choice([1, 1, 2]))]
        if self.chance(0.2):
            leaves.append(("json_build_array(%s, %s)" % (key[0], self.aggregate(items, depth)[0]), "json"))
        if self.chance(0.3):
            leaves.append(self.of_key(key))
        columns = [("g%d" % i, t) for i, (_, t) in enumerate(leaves)]
        if self.chance(0.1):
            by += " HAVING %s" % self.rng.choice(["count(*) > 1", "json_array_length(json_agg(%s)) > 1" %
                                                  self.whole_row(items)])
        if self.chance(0.5) and key[1] != "row":
            by += " ORDER BY %s" % key[0]
        targets = ", ".join("%s AS %s" % (x, n) for (x, _), (n, _) in zip(leaves, columns))
        return Query("SELECT %s FROM %s%s %s" % (targets, text, self.where(items, outer, depth), by), columns)

    def of_key(self, key):
        """JSON of what rows are grouped by"""
        b = self.rng.choice(["", "b"])
        row = key[0] if key[1] == "row" and self.chance(0.8) else "ROW(%s, 1)" % key[0]
        return self.rng.choice([("json%s_build_object('k', %s)" % (b, key[0]), "json" + b),
                                ("row_to_json(%s)" % row, "json"),
                                ("to_json%s(%s)" % (b, row), "json" + b), ("to_json%s(%s)" % (b, key[0]), "json" + b),
                                ("json%s_build_array(%s, count(*))" % (b, row), "json" + b)])

    def layers(self, depth, outer, width):
        """An aggregate of what is made some subqueries below, with all that may stand between"""
        b = self.rng.choice(["", "b"])
        text = self.bottom(depth, outer, b)
        for _ in range(self.pick((3, 0), (4, 1), (2, 2), (1, 3))):
            source, a = self.layer_source(depth, text)
            extra = self.pick((14, ""), (1, ", %s.j AS again" % a), (1, ", %s.k AS again" % a),
                              (0.5, ", counted() AS c"), (0.7, ", to_jsonb(%s) AS whole" % a))
            where = self.pick((8, ""), (2, " WHERE %s.k > 1" % a), (1, " WHERE %s.j IS NOT NULL" % a),
                              (0.5, " WHERE %s IS NOT NULL" % a))
            text = "SELECT %s%s.j AS j, %s.k AS k%s FROM %s%s%s" % (self.pick((14, ""), (0.5, "DISTINCT ")), a, a,
                                                                    extra, source, where, self.layer_tail(a))
        source, a = self.layer_source(depth, text)
        element = self.pick((14, "%s.j" % a), (1, a), (1, "to_jsonb(%s.j)" % a), (1, "row_to_json(%s)" % a),
                            (1, "jsonb_build_array(%s.j)" % a))
        call = "%s(%s%s)%s" % (self.pick((9, "json%s_agg" % b), (2, "json_agg"), (2, "jsonb_agg"), (0.5, "array_agg")),
                               element,
                               self.pick((3, ""), (2, " ORDER BY %s.k" % a),
                                         (1, " ORDER BY %s.k DESC, %s.j::text" % (a, a))),
                               self.pick((6, ""), (1, " FILTER (WHERE %s.k > 2)" % a),
                                         (0.5, " FILTER (WHERE %s.j IS NOT NULL)" % a)))
        call = "(%s)::text" % call if call.startswith("array_agg") else self.wrapped(call,
            "jsonb" if call.startswith("jsonb") else "json")[0]
        more = "" if width else self.pick((8, ""), (1, ", count(%s.j)" % a), (1, ", jsonb_agg(%s.j)" % a),
                                          (1, ", max(%s.k)" % a), (0.7, ", json_agg(%s)" % a))
        group = "" if width else self.pick((8, ""), (1, " GROUP BY %s.k %% 2" % a), (0.5, " GROUP BY %s.j::text" % a))
        return Query("SELECT %s AS j%s FROM %s%s" % (call, more + " AS m" * bool(more), source, group),
                     [("j", "jsonb")] + [("m", "jsonb")] * bool(more))

    def bottom(self, depth, outer, b):
        """SELECT ... AS j, ... AS k"""
        text, items = self.from_clause(depth + 1, outer)
        where = self.where(items, outer, depth + 1)
        # a.* alone is not a row here
        j, k = self.argument(items, depth + 1, b), self.integer(items)
        if j.endswith(".*"):
            j = j[:-2]
        kind = self.pick((10, "plain"), (2, "grouped"), (1, "aggregate"), (0.5, "window"), (0.5, "set"), (0.3, "srf"))
        if kind == "grouped":
            k += " + 0"
            j = self.pick((3, lambda: self.of_key((k, "int4"))[0]),
                          (2, lambda: "json%s_build_array(%s, %s)" % (b, k, self.call(items, depth + 1, b)[0])),
                          (1, lambda: "json%s_build_object('k', %s)" % (b, self.aggregate(items, depth + 1)[0])))()
            where += " GROUP BY " + k
        if kind == "aggregate":
            j, k = "json%s_build_object('l', %s)" % (b, self.call(items, depth + 1, b)[0]), "count(*)"
        if kind == "window":
            j = "json%s_build_array(row_number() OVER (ORDER BY %s), %s)" % (b, k, k)
        if kind == "srf":
            j = "json%s_build_array(%s, generate_series(1, 2))" % (b, k)
        select = "SELECT %s AS j, %s AS k FROM %s%s" % (j, k, text, where)
        if kind == "set":
            return "%s UNION ALL %s" % (select, select)
        return select + (self.pick((4, ""), (2, " ORDER BY 2"), (2, " ORDER BY 2 LIMIT 3"), (1, " LIMIT 3"),
                                   (0.5, " OFFSET 1"), (0.3, " FOR UPDATE"))
                         if kind == "plain" else "")

    def layer_source(self, depth, text):
        """The query below, maybe joined with something"""
        a = self.alias("l")
        below = "(%s) AS %s%s" % (text, a, self.pick((12, ""), (1, "(j, k)")))
        if self.chance(0.75):
            return below, a
        other = self.relation_item(linked=True)
        condition = "%s = %s.k" % (other.column("id"), a)
        return self.rng.choice(["{b} LEFT JOIN {o} ON {c}", "{o} LEFT JOIN {b} ON {c}", "{b} JOIN {o} ON {c}",
                                "{b} RIGHT JOIN {o} ON {c}",
                                "{b} FULL JOIN {o} ON {c}", "{o} CROSS JOIN {b}"]).format(b=below, o=other.text,
                                    c=condition), a

    def layer_tail(self, a):
        return self.pick((5, ""), (3, " ORDER BY %s.k" % a), (2, " ORDER BY %s.k DESC LIMIT 3" % a), (1, " LIMIT 3"),
                         (1, " OFFSET 1"),
                         (0.3, " ORDER BY %s.j::text" % a), (0.3, " GROUP BY 1, 2"))

    def windows(self, depth, outer, width):
        text, items = self.from_clause(depth, outer)
        b = self.rng.choice(["", "b"])
        over = "(%s%s)" % (self.pick((1, ""), (1, "PARTITION BY %s %% 2 " % self.integer(items))),
                           self.pick((1, ""), (2, "ORDER BY %s" % self.integer(items)),
                                     (1, "ORDER BY %s ROWS 1 PRECEDING" % self.integer(items))))
        leaves = [("json%s_agg(%s) OVER %s" % (b, self.argument(items, depth, b), over), "json" + b),
                  ("row_number() OVER %s" % over, "int8"), self.json(items, depth)]
        columns = [("w%d" % i, t) for i, (_, t) in enumerate(leaves)]
        targets = ", ".join("%s AS %s" % (x, n) for (x, _), (n, _) in zip(leaves, columns))
        return Query("SELECT %s FROM %s%s" % (targets, text, self.where(items, outer, depth)), columns)

    def sets(self, depth, outer, width):
        text, items = self.from_clause(depth, outer)
        leaves = [self.json(items, depth) for _ in range(width or self.rng.choice([1, 2]))]
        operator = self.rng.choice(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT"])
        if operator != "UNION ALL":
            leaves = [("(%s)::jsonb" % x, "jsonb") for x, _ in leaves]
        columns = [("u%d" % i, t) for i, (_, t) in enumerate(leaves)]
        targets = ", ".join("%s AS %s" % (x, n) for (x, _), (n, _) in zip(leaves, columns))
        half = "SELECT %s FROM %s" % (targets, text)
        return Query("(%s%s) %s %s%s" % (half, self.where(items, outer, depth), operator, half,
                                         self.where(items, outer, depth)), columns)

    def recursive(self, depth, outer, width):
        r = self.alias("r")
        step = self.rng.choice(["jsonb_build_array(n, j)", "to_jsonb(%s)" % r, "jsonb_build_object('n', n, 'j', j)"])
        text = "WITH RECURSIVE %s AS (SELECT 1 AS n, %s AS j UNION %s SELECT n + 1, %s FROM %s WHERE n < 4) " % (
            r, self.json_only([], depth, "b"), self.rng.choice(["ALL", ""]), step, r)
        return Query(text + "SELECT json_agg(%s ORDER BY n) AS j FROM %s" %
                     (self.rng.choice([r, "j", "to_jsonb(%s)" % r]), r), [("j", "json")])

    def outer(self, depth, outer, width):
        """Aggregates that belong to the level above where they stand"""
        text, items = self.from_clause(depth, outer)
        other = self.relation_item()
        b = self.rng.choice(["", "b"])
        call = "json%s_agg(%s)" % (b, self.pick((1, self.whole_row(items)), (2, self.build(items, 9, b)),
                                                (1, self.integer(items) + " + 0")))
        extra = self.pick((2, ""), (1, ", json_agg(%s) AS k" % self.whole_row(items)))
        return Query("SELECT (SELECT %s FROM %s LIMIT 1) AS j%s FROM %s%s" % (call, other.text, extra, text,
            self.where(items, outer, depth)),
                     [("j", "json" + b)] + [("k", "json")] * bool(extra))

    def srf(self, depth, outer, width):
        """Functions that return sets, in a list of targets or an argument"""
        text, items = self.from_clause(depth, outer)
        value = self.rng.choice(["json_build_array(generate_series(1, 2), %s)" % self.integer(items),
                                 "row_to_json(pairs(2))",
                                 "jsonb_build_object('a', unnest(ARRAY[1, 2]))", "to_json(generate_series(1, %s))" %
                                 self.integer(items)])
        inner = "SELECT %s AS j, %s AS k FROM %s%s" % (value, self.json(items, depth)[0], text,
                                                       self.where(items, outer, depth))
        return Query("SELECT json_agg(%s) AS j FROM (%s) z" % (self.rng.choice(["j", "z", "k"]), inner),
                     [("j", "json")])
