"""Nested queries: collections of what belongs to a row, under total orders, over the relations of families.py.

What comes of them depends on nothing but the data, so that any plan must give the same bytes: each
aggregate that depends on an order has one by a unique key, or its rows come from a subquery that has
it, and so does the query.
"""
import leaks
import nested_tools
import orders
import pages
from families import Member
from grammar import Query

ORDERED = {"text", "date", "int", "number", "mood"}		# with min and max that show which value it was
OPERATORS = ["<", "<=", "<>", "IS NOT DISTINCT FROM", "IS DISTINCT FROM"]


class Part:
    """Something in FROM: ids are what makes its rows unique, and members its columns; rows are what can
    be named as a whole row.  values are columns of collections: (text, type)."""

    relation, is_sorted = None, False

    def __init__(self, text, alias, members, ids=None, row=True):
        self.text, self.alias, self.members = text, alias, members
        self.ids = [alias + ".id"] if ids is None else ids
        self.row = row
        self.values = []

    def column(self, member):
        return "%s.%s" % (self.alias, member.name)


class Nested:
    """Makes queries; g is a Grammar, for its random numbers and names."""

    def __init__(self, g):
        self.g, self.rng = g, g.rng
        self.relations = g.world.relations
        # How many of the things that stay as they are
        self.odd = self.rng.choice([0, 0, 0, 0.02, 0.08])
        self.raising = self.rng.choice([0, 0, 0, 0.03])
        self.leaking = self.rng.choice([0, 0, 0, 0.03])
        self.needs_role = False		# to be run as the role that policies are for
        self.above = []		# what is in FROM of the queries around, the outermost first

    def chance(self, probability):
        return self.rng.random() < probability

    def is_odd(self, times=1):
        return self.chance(self.odd * times)

    # What is in FROM

    def table(self, name=None):
        kinds = ["few", "some", "many", "many", "empty", "part", "heir", "v", "v", "large", "secret", "lost"]
        kind = name or self.rng.choice(kinds)
        found = [r for r in self.relations if r.name.startswith(kind)] or self.relations[:5]
        r = self.rng.choice(found)
        a = self.g.alias(self.rng.choice("abct"))
        only = "ONLY " if self.chance(0.02) else ""
        part = self.part("%s%s %s%s" % (only, r.name, "AS " * self.chance(0.5), a), a, r.members)
        part.relation, part.is_sorted = r.name, r.is_sorted
        return part

    @staticmethod
    def part(text, alias, members, ids=None, is_sorted=False):
        part = Part(text, alias, members, ids)
        part.is_sorted = is_sorted
        return part

    def pair(self, inner, outer):
        """Two columns that can be compared, or None"""
        choices = [(i, m, o, n) for i in inner for m in i.members for o in outer for n in o.members
                   if m.family == n.family and m.type != "json"]
        usual = [c for c in choices if (c[1].name, c[3].name) in (("p", "id"), ("k", "k"), ("l", "l"), ("m", "m"))]
        many = [c for c in choices if c[1].name in "pklm" and c[3].name in "idpklm"]
        pool = usual if usual and self.chance(0.75) else many if many and self.chance(0.7) else choices
        return self.rng.choice(pool) if pool else None

    def equality(self, inner, outer):
        """A condition that ties them"""
        found = self.pair(inner, outer)
        if not found:
            return "true"
        i, m, o, n = found
        left, right = i.column(m), o.column(n)
        if self.is_odd():
            return "%s %s %s" % (left, self.rng.choice(OPERATORS), right)
        if self.is_odd():
            return self.rng.choice(["%s = ANY (ARRAY[%s])", "%s IN (%s, NULL)", "ROW(%s) = ROW(%s)",
                                    "(%s = %s OR false)", "NOT (%s <> %s)", "(%s = %s) IS TRUE"]) % (left, right)
        if m.family == "int" and self.is_odd():
            return self.rng.choice(["%s + 0 = %s", "%s = %s + 0", "%s = %s::int8", "%s::numeric = %s",
                                    "%s::float8 = %s"]) % (left, right)
        if "text" in m.family and self.is_odd():
            return self.rng.choice(['%s = %s COLLATE "C"', "%s LIKE %s", "lower(%s) = %s", "%s::varchar = %s",
                                    '%s COLLATE "POSIX" = %s']) % (left, right)
        return "%s = %s" % ((left, right) if self.chance(0.6) else (right, left))

    def conditions(self, inner, outer):
        found = [self.equality(inner, outer)] if outer else []
        while outer and self.chance(0.25):
            found.append(self.equality(inner, outer))
        return found

    def filter(self, parts):
        part = self.rng.choice(parts)
        if self.chance(self.raising):
            return self.raiser(part) + " IS NOT NULL"
        if self.chance(self.leaking):
            return leaks.condition(self, part)
        names = {m.name for m in part.members}
        choices = ["%s.id > 1", "%s.id <> 3", "%s.id IN (1, 2, 3, 4, 5)"]
        choices += ["%s.v > 0", "%s.v IS NOT NULL"] * ("v" in names)
        choices += ["%s.t <> ''", "%s.t LIKE '%%%%1%%%%'"] * ("t" in names)
        choices += ["%s.n > 0"] * ("n" in names) + ["%s.b"] * ("b" in names)
        choices += ["%s.e = 'ok'"] * ("e" in names) + ["%s.d < '2020-01-01'"] * ("d" in names)
        other = self.rng.choice(self.relations[:6]).name
        choices += ["EXISTS (SELECT FROM " + other + " z WHERE z.p = %s.id)",
                    "%s.id IN (SELECT z.p FROM " + other + " z)"]
        return (self.rng.choice(choices) % part.alias).replace("%%", "%")

    def raiser(self, part):
        """What raises an error for some row"""
        choices = ["6 / %s.v", "%s.t::int", "(%s.v + 2147483640)", "sqrt(%s.v)", "substr(%s.t, 1, %s.v)",
                   "('x' LIKE %s.t)", "%s.t::json", "chr(%s.v)", "repeat(%s.t, %s.v)", "(%s.t || '!')::date",
                   "ln(%s.id - 3)", "regexp_replace(%s.t, %s.t, '')", "jsonb_build_object(%s.t, 1)",
                   "(%s.id::int2 * 32760::int2)", "%s.id::text::mood", "(SELECT z.v FROM few z WHERE z.p = %s.id)"]
        text = self.rng.choice(choices)
        text = text.replace("few", self.relations[0].name)
        names = {m.name for m in part.members}
        if ".v" in text and "v" not in names or ".t" in text and "t" not in names:
            text = "10 / (%s.id - 4)"
        return text.replace("%s", part.alias)

    def source(self, depth, outer, tie=True):
        """(text of FROM, parts, conditions, is it sorted below)"""
        kind = self.g.pick((10, "table"), (4, "joined"), (4, "sorted"), (2, "deep"), (1.5, "left"), (1, "lateral"),
                           (3 * (depth < 3), "page"), (1.5, "grouped"), (self.odd * 10, "odd"))
        return getattr(self, kind + "_source")(depth, outer if tie else [])

    def table_source(self, depth, outer):
        part = self.table()
        return part.text, [part], self.conditions([part], outer), False

    def joined_source(self, depth, outer):
        one, two = self.table(), self.table()
        parts = [one, two]
        tie = self.equality([two], [one])
        if self.chance(0.3):
            return "%s, %s" % (one.text, two.text), parts, [tie] + self.conditions(parts, outer), False
        on = [tie]
        where = self.conditions(parts, outer)
        if where and self.chance(0.3):
            on.append(where.pop())
        return "%s JOIN %s ON %s" % (one.text, two.text, " AND ".join(on)), parts, where, False

    def left_source(self, depth, outer):
        one, two = self.table(), self.table()
        on = [self.equality([two], [one])]
        join = self.g.pick((10, "LEFT"), (self.odd * 20, "RIGHT"), (self.odd * 20, "FULL"))
        if outer and self.is_odd(2):
            on.append(self.equality([two], outer))
        where = self.conditions([one] if join == "LEFT" and not self.is_odd(2) else [one, two], outer)
        if join == "FULL":
            on = ["%s.id = %s.id" % (one.alias, two.alias)]
        return "%s %s JOIN %s ON %s" % (one.text, join, two.text, " AND ".join(on)), [one, two], where, False

    def subquery(self, text, parts, where, order):
        a = self.g.alias("q")
        part = parts[0]
        members = [part.members[0]] + [m for m in part.members[1:] if self.chance(0.75)]
        names = ", ".join(part.column(m) for m in members)
        if len(parts) == 1 and len(part.ids) == 1 and self.chance(0.4):
            names = "*"
        if names == "*":
            members = part.members
        ids = [a + ".id"]
        others = part.ids[1:] + [i for p in parts[1:] for i in p.ids]
        for i, other in enumerate(others):
            names += ", %s AS id%d" % (other, i)
        ids += ["%s.id%d" % (a, i) for i in range(len(others))]
        text = "SELECT %s FROM %s%s%s" % (names, text, self.where(where), order)
        return Part("(%s) %s%s" % (text, "AS " * self.chance(0.5), a), a, members, ids)

    def sorted_source(self, depth, outer):
        text, parts, where, _ = self.rng.choice([self.table_source, self.table_source, self.joined_source])(depth, [])
        inside = self.conditions(parts, outer) if self.chance(0.7) else []
        order = " ORDER BY " + self.order(parts)
        if self.is_odd():
            order += self.rng.choice([" LIMIT 3", " OFFSET 1", " LIMIT 2 OFFSET 1", " FOR UPDATE"])
        part = self.subquery(text, parts, where + inside + self.maybe_filter(parts), order)
        return part.text, [part], self.conditions([part], outer) if not inside else [], "LIMIT" not in order

    def deep_source(self, depth, outer):
        text, parts, where, is_sorted = self.sorted_source(depth, outer)
        part = self.subquery(text, parts, where, " ORDER BY " + self.order(parts) if self.chance(0.3) else "")
        return part.text, [part], self.conditions([part], outer) if self.chance(0.1) else [], is_sorted

    def lateral_source(self, depth, outer):
        part = self.table()
        where = self.conditions([part], outer)
        text = part.text
        for _ in range(self.rng.choice([1, 1, 2])):
            text, part.values = self.with_lateral(depth, text, [part], part.values)
        return text, [part], where, False

    def page_source(self, depth, outer):
        """Sorted, grouped, cut; tied to the row outside, where it can still become a join, or within"""
        is_within = self.chance(0.3)
        part = orders.page(self, depth + 1, outer if is_within else ())
        text = part.text
        if self.chance(0.2):
            text, part.values = self.with_lateral(depth + 1, text, [part], part.values)
        return text, [part], [] if is_within else self.conditions([part], outer), True

    def grouped_source(self, depth, outer):
        """Groups of what belongs to the row outside, or its values without duplicates"""
        source = self.rng.choice([self.table_source, self.table_source, self.joined_source, self.sorted_source])
        text, parts, where, is_sorted = source(depth, outer)
        a = self.g.alias("u")
        columns = [(p.column(m), m) for p in parts for m in p.members if m.family not in ("json", "row") and m.type != "json"]
        columns = self.rng.sample(columns, min(len(columns), self.rng.choice([1, 1, 2, 3])))
        members = [Member("u%d" % i, m.type, m.family) for i, (_, m) in enumerate(columns)]
        keys = ["%s AS u%d" % (c, i) for i, (c, _) in enumerate(columns)]
        where = self.where(where + self.maybe_filter(parts))
        names = [m.name for m in members]
        if self.chance(0.4):
            query = "SELECT DISTINCT %s FROM %s%s" % (", ".join(keys), text, where)
        else:
            values = [self.counted(parts) for _ in range(self.rng.choice([0, 1, 1, 2]))]
            keys += ["%s AS w%d" % (v, i) for i, (v, _, _) in enumerate(values)]
            members += [Member("w%d" % i, type_, family) for i, (_, type_, family) in enumerate(values)]
            query = "SELECT %s FROM %s%s GROUP BY %s" % (", ".join(keys), text, where, ", ".join(c for c, _ in columns))
            if self.chance(0.2):
                query += " HAVING " + self.rng.choice(["count(*) > 1", "%s IS NOT NULL" % columns[0][0], "max(%s) > 2" % parts[0].ids[0]])
        is_sorted = self.chance(0.5)
        if is_sorted:
            query += " ORDER BY " + ", ".join(self.rng.sample(names, len(names)))
            if self.chance(0.3):
                query += self.rng.choice([" LIMIT 2", " LIMIT 1 OFFSET 1", " LIMIT 1000 OFFSET 0", " OFFSET 1"])
        part = Part("(%s) %s" % (query, a), a, members, ["%s.%s" % (a, n) for n in names])
        return part.text, [part], [], is_sorted

    def counted(self, parts):
        """An aggregate of which the order of the rows does not decide: (text, type, family)"""
        part = self.rng.choice(parts)
        if self.chance(0.25):
            ids = ", ".join(p.ids[0] for p in parts)
            return "string_agg(%s::text, ',' ORDER BY %s)" % (part.ids[0], ids), "text", "text"
        return self.rng.choice([("count(*)", "int8"), ("count(*) FILTER (WHERE %s.id > 2)" % part.alias, "int8"),
                                ("count(DISTINCT %s.p)" % part.alias, "int8"), ("min(%s.id)" % part.alias, "int8"),
                                ("max(%s.id)" % part.alias, "int8")]) + ("int",)

    def odd_source(self, depth, outer):
        part = self.table()
        a = self.g.alias("o")
        tie = self.conditions([part], outer)
        other = self.table()
        text = self.rng.choice([
            "(SELECT DISTINCT ON ({0}.id) {0}.* FROM {1}{2} ORDER BY {0}.id)",
            "(SELECT {0}.*, count(*) OVER (ORDER BY {0}.id) AS w FROM {1}{2})",
            "(SELECT {0}.* FROM {1}{2} LIMIT 4000)", "(WITH c AS (SELECT * FROM {1}{2}) SELECT * FROM c)",
            "(SELECT {0}.* FROM {1}{2} OFFSET 0)",
            "(SELECT {0}.id, {0}.p FROM {1}{2} GROUP BY 1, 2)"])
        members = part.members[:2] if "GROUP" in text else part.members
        below = self.chance(0.6)
        made = Part(text.format(part.alias, part.text, self.where(tie if below else [])) + " " + a, a, members)
        return made.text, [made], [] if below else self.conditions([made], outer), False

    def maybe_filter(self, parts):
        return [self.filter(parts)] if self.chance(0.25) else []

    @staticmethod
    def where(conditions):
        conditions = [c for c in conditions if c != "true"]
        return " WHERE " + " AND ".join(conditions) if conditions else ""

    def order(self, parts):
        """A total one"""
        ids = [i for p in parts for i in p.ids]
        down = self.rng.choice(["", "", " DESC", " NULLS FIRST", " DESC NULLS LAST"])
        first = []
        if self.chance(0.2):
            part = self.rng.choice(parts)
            member = self.rng.choice(part.members)
            if member.family not in ("json", "row") and member.type != "json":
                first = [part.column(member) + self.rng.choice(["", " DESC"])]
        if self.is_odd(0.5) and parts[0].row:
            first = [parts[0].alias]
        return ", ".join(first + [i + down for i in ids])

    # Collections

    def value(self, depth, parts):
        """Something of a row: a column, mostly"""
        part = self.rng.choice(parts)
        if self.chance(self.raising):
            return self.raiser(part)
        if self.chance(self.leaking):
            return leaks.shown(self, part)
        if self.chance(0.003):
            return "folded(1)"
        if part.values and self.chance(0.5):
            return self.rng.choice(part.values)[0]
        column = part.column(self.rng.choice(part.members))
        number = "%s.v" % part.alias if self.has(part, "v") else "%s.id" % part.alias
        return self.g.pick((20, lambda: column), (1, lambda: column + "::text"),
                           (1, lambda: "coalesce(%s, 0)" % number),
                           (1, lambda: "CASE WHEN %s THEN %s END" % (self.filter([part]), column)),
                           (1, lambda: "%s IS NULL" % column), (1, lambda: "ARRAY[%s]" % column),
                           (1, lambda: "ROW(%s, 1)" % column), (0.7, lambda: "'k'::text"),
                           (1, lambda: self.whole(part)), (0.5, lambda: "to_json(%s)" % column),
                           (0.5, lambda: "upper(%s.t)" % part.alias if self.has(part, "t") else column),
                           (self.odd * 10, lambda: self.volatile(part)))()

    @staticmethod
    def has(part, name):
        return any(m.name == name for m in part.members)

    def volatile(self, part):
        return self.rng.choice(["random() < 2", "noisy(%s.id)", "clock_timestamp() > '2000-01-01'"]).replace(
            "%s", part.alias)

    def whole(self, part):
        return self.rng.choice(["{0}", "row_to_json({0})", "to_jsonb({0})", "row_to_json({0}.*)", "to_json({0})"]
                               ).format(part.alias)

    def children(self, depth, parts):
        """Scalar subqueries"""
        if depth >= 4 or not self.chance((0.75, 0.5, 0.35, 0.2)[depth]):
            return []
        return [self.scalar(depth + 1, parts) for _ in range(self.rng.choice([1, 1, 2, 3]))]

    def element(self, depth, parts):
        """An argument of an aggregate that makes JSON"""
        part = self.rng.choice(parts)
        children = self.children(depth, parts)
        values = [self.value(depth, parts) for _ in range(self.rng.choice([1, 2, 3]))] + children
        values += [v for p in parts for v, _ in p.values]
        pairs = ", ".join("'%s', %s" % ("abcdefgh"[i % 8] + str(i // 8), v) for i, v in enumerate(values))
        b = self.rng.choice(["", "b"])
        fields = ", ".join("%s AS f%d" % (v, i) for i, v in enumerate(values))
        choices = [(4, "json%s_build_object(%s)" % (b, pairs)), (3, "json%s_build_array(%s)" % (b, ", ".join(values))),
                   (1.5, "row_to_json((SELECT _e FROM (SELECT %s) AS _e))" % fields),
                   (0.7, "(SELECT _e FROM (SELECT %s) AS _e)" % fields)]
        if not children:
            choices += [(3, self.whole(part)), (2, values[0]), (1, "to_jsonb(%s) || jsonb_build_object(%s)" % (
                part.alias, pairs))]
        return self.g.pick(*choices)

    def aggregate(self, depth, parts, order):
        """(text, type) of one call; order is what an aggregate needs that depends on one"""
        part = self.rng.choice(parts)
        mark = " FILTER (WHERE %s)" % self.filter(parts) if self.chance(0.12) else ""
        b = self.rng.choice(["", "b"])
        a, own = part.alias, self.ours(depth, parts)
        simple = [m for m in part.members if m.family in ORDERED and m.name in "vtde"] or part.members[:1]
        column = part.column(self.rng.choice(simple))
        kind = self.g.pick((12, "json"), (4, "ours"), (3, "count"), (2.5, "least"), (1.5, "bool"), (2, "array"),
                           (1, "string"), (2, "sum"), (0.7, "distinct"), (self.odd * 15, "odd"))
        number = "%s.v" % a if self.has(part, "v") else "%s.id" % a
        floats = [a + ".x::float8"] * (2 * self.has(part, "x") and not order)	# of which the order changes the sum
        if not order and kind in ("distinct", "odd"):
            kind = "count"		# for since 16 all aggregates get their rows in the order of one of them
        if kind == "json":
            text, type_ = "json%s_agg(%s%s)" % (b, self.element(depth, parts), order), "json" + b
        elif kind == "ours":
            text, type_ = own[0] % order, own[1]
        elif kind == "count":
            text, type_ = self.rng.choice(["count(*)", "count(%s)" % column, "count(%s)" % a,
                                           "count(%s%s)" % ("DISTINCT " if order else "", column)]), "int8"
        elif kind == "least":
            text, type_ = "%s(%s)" % (self.rng.choice(["min", "max"]), column), "value"
        elif kind == "bool":
            name = self.rng.choice(["bool_and", "bool_or", "every"])
            text, type_ = "%s(%s)" % (name, self.filter([part])), "boolean"
        elif kind == "array":
            text, type_ = "array_agg(%s%s)" % (self.rng.choice([a, column, self.value(depth, parts)]), order), "array"
        elif kind == "string":
            value = self.rng.choice([column, self.value(4, parts)])
            text, type_ = "string_agg(%s::text, ','%s)" % (value, order), "text"
        elif kind == "sum":
            text, type_ = "%s(%s)" % (self.rng.choice(["sum", "avg"]), self.rng.choice(
                [number, a + ".id", a + ".n" if self.has(part, "n") else number, number + "::numeric"] + floats)
            ), "number"
        elif kind == "distinct":
            text, type_ = self.rng.choice([
                ("json%s_agg(DISTINCT %s)" % (b, number), "json" + b),
                ("array_agg(DISTINCT %s ORDER BY %s DESC)" % (number, number), "array"),
                ("string_agg(DISTINCT %s::text, '' ORDER BY %s::text)" % (number, number), "text")])
        else:
            text, type_ = self.rng.choice([
                ("json%s_object_agg(%s.id, %s%s)" % (b, a, self.value(depth, parts), order), "json" + b),
                ("sum(%s::float8%s)" % (number, order), "number"), ("stddev(%s)" % number, "number"),
                ("percentile_disc(0.5) WITHIN GROUP (ORDER BY %s)" % number, "value"),
                ("mode() WITHIN GROUP (ORDER BY %s)" % number, "value"), ("bit_and(%s)" % number, "value"),
                ("array_agg(ARRAY[%s]%s)" % (number, order), "array"),
                ("rank(2) WITHIN GROUP (ORDER BY %s)" % number, "int8"),
                ("max(ROW(%s, 1)::pair::text)" % number, "text"), ("sum(%s * interval '1 day')" % number, "value"),
                ("any_value(1)" if self.g.version >= 160000 else "count(1)", "value")])
        return text + mark, type_

    def ours(self, depth, parts):
        """(text with a place for an order, type)"""
        part = self.rng.choice([p for p in parts if p.row] or parts)
        a = part.alias
        values = [self.value(depth, parts) for _ in range(self.rng.choice([1, 2, 3]))] + self.children(depth, parts)
        columns = ", ".join(part.column(m) for m in self.rng.choices(part.members, k=2))
        names = "ARRAY[%s]" % ", ".join("'n%d'" % i for i in range(len(values)))
        name = self.rng.choice(["jsonrow_agg", "jsoncol_agg", "jsonrow_objects_agg", "jsonrow_array_agg"])
        name += self.rng.choice(["", "_json"])
        type_ = "json" if name.endswith("_json") else "jsonb"
        every = ", ".join(values).replace("%", "%%")
        if "array" in name:
            return "%s(%s%%s)" % (name, every), type_
        fields = ", ".join("%s AS f%d" % (v, i) for i, v in enumerate(values)).replace("%", "%%")
        argument = self.g.pick((3, a), (3, "%s, %s" % (names, every)),
                               (1, "(SELECT _e FROM (SELECT %s) AS _e)" % fields), (1, "ROW(%s)" % columns))
        return "%s(%s%%s)" % (name, argument), type_

    def around(self, text, type_):
        """What a query makes of an aggregate"""
        if not self.chance(0.55):
            return text, type_
        if type_ in ("json", "jsonb"):
            # ours have types of their own
            cast = "::" + type_ if "jsonrow_" in text[:8] or "jsoncol_" in text[:8] else ""
            inner = "(%s)%s" % (text, cast) if cast else text
            choices = [(8, ("coalesce(%%s, '[]'::%s)" % type_, type_)), (4, ("coalesce(%s, '[]')", type_)),
                       (2, ("(%s)::jsonb", "jsonb")), (1, ("(%s)::text", "text")),
                       (1, ("to_json%s(%%s)" % type_[4:], type_)),
                       (2, ("%s_build_object('list', %%s)" % type_, type_)), (1, ("(%s) -> 0", type_)),
                       (1, ("CASE WHEN count(*) > 1 THEN %s END", type_)), (0.7, ("nullif((%s)::text, '[]')", "text")),
                       (0.7, ("coalesce(%%s, %s_build_array())" % type_, type_)),
                       (0.7, ("json%s_array_length(%%s)" % type_[4:], "value")), (0.7, ("(%s)::text::jsonb", "jsonb")),
                       (0.2, ("json%s_build_array(count(*), %%s, 1 / (count(*) - 2))" % type_[4:], type_))]
            wrapper, result = self.g.pick(*choices)
            return wrapper.replace("%s", inner), result
        if type_ == "int8":
            return self.rng.choice([text + " > 1", "(%s)::int" % text, "coalesce(%s, -1)" % text, "%s + 1" % text,
                                    "nullif(%s, 0)" % text, "to_json(%s)" % text]
                                   + ["12 / (%s)" % text, "dropped(%s, 1)" % text] * self.chance(0.1)), "value"
        if type_ == "array":
            wrapper = self.rng.choice(["array_to_json(%s)", "to_jsonb(%s)", "cardinality(%s)", "%s IS NULL"])
            return wrapper % text, "value"
        if type_ == "number":
            return self.rng.choice(["coalesce(%s, 0)", "(%s)::text", "round(%s)"]) % text, "value"
        wrapper = self.rng.choice(["coalesce((%s)::text, 'none')", "to_jsonb(%s)", "%s IS NOT NULL", "(%s)::text"])
        return wrapper % text, "value"

    def collection(self, depth, outer, columns=1):
        """SELECT ... of one row; (text, [(name, type)])"""
        if self.chance(0.08):
            return self.first_row(depth, outer, columns)
        if outer and depth < 3 and self.chance(0.08):
            return self.one_with_collections(depth, outer, columns)
        text, parts, where, is_sorted = self.source(depth, outer)
        if outer and self.is_odd():
            where = where + [self.equality(parts, outer)]
        where = where + self.maybe_filter(parts)
        # what PostgreSQL makes semi-joins of may leave another order
        is_sorted = is_sorted and not any("SELECT" in w for w in where) and self.chance(0.6)
        order = "" if is_sorted else " ORDER BY " + self.order(parts)
        self.above.append(outer)
        made = [self.around(*self.aggregate(depth, parts, order)) for _ in range(columns)]
        self.above.pop()
        if outer and self.is_odd():
            o = self.rng.choice(outer)
            made[0] = self.rng.choice([
                "json_build_object('o', %s, 'l', %s)" % (o.ids[0], made[0][0]),
                "json_agg(json_build_array(%s, %s)%s)" % (o.ids[0], parts[0].ids[0], order)]), "json"
        elif self.chance(0.06):
            made[0] = "json_build_object('first', %s, 'second', %s)" % (
                made[0][0], self.around(*self.aggregate(depth, parts, order))[0]), "json"
        elif self.chance(0.04):
            other = self.scalar(4, [])
            made[0] = "json_build_array(%s, %s)" % (made[0][0], other), "json"
        names = ["g%d" % i for i in range(columns)]
        tail = " HAVING %s" % self.having(made, parts) if self.chance(0.04) else ""
        if self.is_odd():
            tail = self.rng.choice([" LIMIT 1", " OFFSET 0", " HAVING count(*) > 1", " GROUP BY ()", " ORDER BY 1",
                                    " LIMIT 0", " GROUP BY GROUPING SETS ((), ())", " HAVING true"])
        if "SETS" in tail:
            tail += " LIMIT 1"
        distinct = "DISTINCT " if self.is_odd(0.3) and made[0][1] == "int8" else ""
        targets = ", ".join("%s AS %s" % (x, n) for (x, _), n in zip(made, names))
        query = "SELECT %s%s FROM %s%s%s" % (distinct, targets, text, self.where(where), tail)
        if self.is_odd():
            query = "WITH w AS (SELECT 1 AS one) " + query
        if self.chance(0.03):
            query = "WITH w AS (%s) SELECT %s FROM %s" % (query, ", ".join("w.%s" % n for n in names), self.rng.choice(
                ["w", "(SELECT 1) o LEFT JOIN w ON true"]))
        if self.chance(0.04):
            return self.one_row_in_an_array(query, names, " LIMIT" in tail)
        return query, [(n, t) for n, (_, t) in zip(names, made)]

    def first_row(self, depth, outer, columns):
        """The first row of what belongs to the row outside"""
        text, parts, where, _ = self.source(depth, outer)
        values = [self.element(depth, parts) if self.chance(0.3) else self.value(depth, parts) for _ in range(columns)]
        names = ["g%d" % i for i in range(columns)]
        cut = self.rng.choice([" LIMIT 1"] * 5 + [" LIMIT 1 OFFSET 1", " FETCH FIRST ROW ONLY", " LIMIT 1 OFFSET 0",
                                                  " LIMIT 0"])
        return "SELECT %s FROM %s%s ORDER BY %s%s" % (
            ", ".join("%s AS %s" % v for v in zip(values, names)), text, self.where(where + self.maybe_filter(parts)),
            self.order(parts), cut), [(n, "value") for n in names]

    def found_by_key(self, outer):
        """A table, and a condition that finds one row of it, if that is unique"""
        inner = self.table(self.rng.choice(["some", "many", "few", "part", "heir", "secret"]))
        o = self.rng.choice(outer)
        key = self.rng.choice([o.column(m) for m in o.members if m.family == "int"] or o.ids)
        return inner, "%s.id = %s" % (inner.alias, key)

    def one_with_collections(self, depth, outer, columns):
        """One row by its key, with what belongs to it"""
        inner, condition = self.found_by_key(outer)
        text, where = inner.text, [condition] + self.maybe_filter([inner])
        cut = self.rng.choice(["", "", " LIMIT 1", " LIMIT 1000 OFFSET 0", " ORDER BY %s.id LIMIT 1" % inner.alias, " LIMIT 0"])
        if self.chance(0.4):
            text, where = "(SELECT %s.* FROM %s%s%s) %s" % (inner.alias, text, self.where(where), cut, inner.alias), []
        values = [self.element(min(depth + 1, 3), [inner]) if self.chance(0.4) else self.value(depth, [inner])
                  for _ in range(columns)]
        for i in range(self.rng.choice([0, 1, 1, 2])):
            a = self.g.alias("l")
            query, made = self.collection(depth + 1, [inner] + outer * self.chance(0.2))
            text += self.rng.choice([" LEFT JOIN LATERAL (%s) %s ON true", " CROSS JOIN LATERAL (%s) %s"]) % (query, a)
            values[self.rng.randrange(columns)] = self.rng.choice(["%s", "%s", "json_build_object('c', %s)", "coalesce(%s, NULL)"]
                                                                  ) % ("%s.%s" % (a, made[0][0]))
        names = ["g%d" % i for i in range(columns)]
        return "SELECT %s FROM %s%s%s" % (", ".join("%s AS %s" % v for v in zip(values, names)), text, self.where(where),
                                          cut), [(n, "value") for n in names]

    def one_row_in_an_array(self, query, names, is_cut):
        type_ = self.rng.choice(["json", "jsonb"])
        cut = "" if is_cut else self.rng.choice(["", "", " LIMIT 1000 OFFSET 0", " LIMIT 1", " LIMIT 0", " OFFSET 1"])
        targets = ", ".join(
            self.rng.choice(["{0}_agg(w)", "{0}_agg(w.{1})", "coalesce({0}_agg(w), '[]')"]).format(type_, n) + " AS " + n
            for n in names)
        return "SELECT %s FROM (%s%s) w" % (targets, query, cut), [(n, type_) for n in names]

    def having(self, made, parts):
        """With the same aggregate as before, or with another"""
        return self.rng.choice(["(%s) IS NOT NULL" % self.rng.choice(made)[0], "count(*) > 0",
                                "max(%s) > 1" % parts[0].column(parts[0].members[0]), "count(*) = count(*)"])

    def scalar(self, depth, outer):
        if self.above and self.chance(0.08):
            outer = outer + self.rng.choice(self.above)
        if outer and self.is_odd():
            o = self.rng.choice(outer)
            inner = self.table()
            return self.rng.choice([
                "(SELECT json_agg({i}.id ORDER BY {i}.id) FROM {t} WHERE {c} GROUP BY {i}.p ORDER BY {i}.p LIMIT 1)",
                "(SELECT json_agg(x ORDER BY x) FROM generate_series(1, {o}) x)", "(SELECT {o})",
                "ARRAY(SELECT {i}.id FROM {t} WHERE {c} ORDER BY {i}.id)", "EXISTS (SELECT 1 FROM {t} WHERE {c})",
                "(SELECT {i}.id FROM {t} WHERE {c} ORDER BY {i}.id LIMIT 1)",
                "{o} IN (SELECT {i}.p FROM {t} WHERE {c})",
                "(SELECT max(max) FROM (SELECT max({i}.id) FROM {t} WHERE {c}) z)",
                "(SELECT count(*) FROM (SELECT {i}.id FROM {t} WHERE {c} UNION ALL SELECT 1) z)",
                "(SELECT json_agg({o}) FROM {t} WHERE {c})",
                "(SELECT sum(count) FROM (SELECT count(*) FROM {t} WHERE {c} GROUP BY {i}.p) z)"]).format(
                    i=inner.alias, t=inner.text, o=o.ids[0], c=self.equality([inner], outer))
        if outer and depth < 2 and self.chance(0.15):
            return "(%s)" % pages.page_of_each(self, depth, outer)[0]
        if outer and self.chance(0.1):
            return self.look_up(outer)
        if outer and self.chance(0.06):
            inner = self.table()
            element = "ARRAY[%s, %s]::text[]" % (self.value(4, [inner]), self.value(4, [inner])) if self.chance(
                0.3) else self.element(3, [inner])
            return "ARRAY(SELECT %s FROM %s%s ORDER BY %s.id%s)" % (
                element, inner.text, self.where([self.equality([inner], outer)]), inner.alias,
                self.rng.choice(["", "", " LIMIT 2", " LIMIT 1 OFFSET 1"]))
        if outer and self.chance(0.03):
            inner = self.table()
            return "chosen((SELECT json_agg(10 / (%s.id - 2)) FROM %s WHERE %s), %s > 6)" % (
                inner.alias, inner.text, self.equality([inner], outer), self.rng.choice(self.rng.choice(outer).ids))
        return "(%s)" % self.collection(depth, outer)[0]

    def look_up(self, outer):
        """One row by its key, and what is made of it"""
        inner, condition = self.found_by_key(outer)
        where = [condition] + self.maybe_filter([inner])
        value = self.rng.choice([self.element(3, [inner]), self.value(4, [inner]), self.value(4, [inner, self.rng.choice(outer)])])
        if self.chance(0.3):
            value = self.rng.choice(["%s", "json_build_array(%s, {0}.id)", "to_json(%s)", "CASE WHEN {0}.id > 2 THEN %s END"]
                                    ).format(inner.alias) % self.look_up([inner] + outer * self.chance(0.3))
        tail = self.rng.choice(["", "", "", " LIMIT 1", " ORDER BY %s.id LIMIT 1" % inner.alias, " LIMIT 0"])
        if self.chance(0.3):
            return "(SELECT %s FROM (SELECT %s.id, %s AS v FROM %s%s%s) z%s)" % (
                self.rng.choice(["to_json(z)", "to_json(z)", "z.v", "json_build_array(z.v, z)"]), inner.alias, value,
                inner.text, self.where(where), tail, self.rng.choice(["", "", " WHERE z.v IS NOT NULL", " ORDER BY z.id"]))
        return "(SELECT %s FROM %s%s%s)" % (value, inner.text, self.where(where), tail)

    # The query around

    def with_lateral(self, depth, text, parts, values):
        """FROM with one more collection, (text, values)"""
        a = self.g.alias("l")
        outer = parts
        query, columns = self.collection(depth + 1, outer, self.rng.choice([1, 1, 1, 2, 3]))
        renamed = ""
        if self.chance(0.1):
            renamed = "(%s)" % ", ".join("r%d" % i for i in range(len(columns)))
            columns = [("r%d" % i, t) for i, (_, t) in enumerate(columns)]
        join = self.g.pick((6, " LEFT JOIN LATERAL ({q}) {a} ON true"), (2, " CROSS JOIN LATERAL ({q}) {a}"),
                           (2, " JOIN LATERAL ({q}) {a} ON true"), (2.5, ", LATERAL ({q}) {a}"),
                           (self.odd * 5, " LEFT JOIN LATERAL ({q}) {a} ON {c}"),
                           (self.odd * 5, " JOIN LATERAL ({q}) {a} ON {c}"))
        if "FULL" in text or "RIGHT" in text:
            join = " LEFT JOIN LATERAL ({q}) {a} ON true"
        text += join.format(q=query, a="AS " * self.chance(0.5) + a + renamed, c=self.filter(parts))
        made = [("%s.%s" % (a, n), t) for n, t in columns]
        made = [(self.used(v, t), "value") if self.chance(0.3) else (v, t) for v, t in made]
        if self.chance(0.15):
            made.append((self.rng.choice(["row_to_json(%s)", "to_jsonb(%s.*)", "%s", "(%s IS NULL)"]) % a, "value"))
        return text, values + made

    def lateral_join(self, query, alias):
        """Of what gives one row"""
        return self.rng.choice([" LEFT JOIN LATERAL (%s) %s ON true", " CROSS JOIN LATERAL (%s) %s",
                                " JOIN LATERAL (%s) %s ON true", ", LATERAL (%s) %s"]) % (query, alias)

    def used(self, value, type_):
        if type_ == "json":
            return "coalesce(%s, '[]'::json)" % value
        if type_ == "jsonb":
            return "coalesce(%s, '[]'::jsonb)" % value
        return self.rng.choice(["coalesce(%s::text, '-')", "%s IS NULL"]) % value

    def outer_from(self):
        """(text, parts)"""
        if self.chance(0.08):
            part = orders.page(self, 1)
            return part.text, [part]
        one = self.table(self.rng.choice(["few", "some", "some", "part", "heir", "v", "many", "empty", "secret",
                                          "large"]))
        if self.chance(0.12):
            order = self.rng.choice(["", " ORDER BY %s.id" % one.alias])
            part = self.subquery(one.text, [one], self.maybe_filter([one]), order)
            return part.text, [part]
        if self.chance(0.7):
            return one.text, [one]
        two = self.table(self.rng.choice(["few", "some", "v"]))
        tie = self.equality([two], [one])
        join = self.g.pick((4, "LEFT JOIN"), (3, "JOIN"), (1.5, "RIGHT JOIN"), (1, "FULL JOIN"), (1, ","))
        if join == ",":
            return "%s, %s" % (one.text, two.text), [one, two]
        if join == "FULL JOIN":
            tie = "%s.id = %s.id" % (one.alias, two.alias)
        if self.chance(0.15):
            inner, two.values = self.with_lateral(1, two.text, [two], [])
            if inner.startswith(two.text + ","):
                inner = two.text + " CROSS JOIN" + inner[len(two.text) + 1:]
            return "%s %s (%s) ON %s" % (one.text, join, inner, tie), [one, two]
        return "%s %s %s ON %s" % (one.text, join, two.text, tie), [one, two]

    def rows(self):
        text, parts = self.outer_from()
        values = [v for p in parts for v in p.values]
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            text, values = self.with_lateral(0, text, parts, values)
        if self.chance(0.15):
            text, parts = self.joined_after(text, parts, values)
        targets = [i for p in parts for i in p.ids] + [v for v, _ in values]
        targets += [self.value(4, parts) for _ in range(self.rng.choice([0, 1]))]
        count = self.rng.choice([1, 1, 2, 3]) if not values else self.rng.choice([0, 0, 1])
        targets += [self.scalar(0, parts) for _ in range(count)]
        if self.chance(0.1) and count:
            targets[-1] = self.rng.choice(["json_build_object('x', %s)", "coalesce((%s)::text, 'no')", "ROW(1, %s)",
                                           "CASE WHEN {0}.id > 2 THEN %s END".format(parts[0].alias)]) % targets[-1]
        where = self.maybe_filter(parts)
        if values and self.is_odd(2):
            where.append("%s IS NOT NULL" % self.rng.choice(values)[0])
        if self.is_odd():
            where.append(self.scalar(1, parts) + " IS NOT NULL")
        order = " ORDER BY " + self.order(parts)
        head, tail = self.odd_ends(targets, parts)
        names = ", ".join("%s AS o%d" % (x, i) for i, x in enumerate(targets))
        return Query("%sSELECT %s%s FROM %s%s%s%s" % (*head, names, text, self.where(where), order, tail),
                     [("o%d" % i, "value") for i in range(len(targets))], "rows")

    def joined_after(self, text, parts, values):
        """With one more table, maybe by what a collection gave"""
        other = self.table(self.rng.choice(["few", "some", "v"]))
        numbers = [v for v, t in values if t == "int8"]
        tie = self.equality([other], parts)
        if numbers and self.chance(0.5):
            tie = "%s.id = %s" % (other.alias, self.rng.choice(numbers))
        join = self.g.pick((4, "LEFT JOIN"), (3, "JOIN"), (1, "RIGHT JOIN"))
        if ", LATERAL" in text and join == "RIGHT JOIN":
            join = "LEFT JOIN"
        if self.chance(0.2):
            # after a comma a condition sees only what comes after it
            return "%s, %s" % (text, other.text), parts + [other]
        if ", " in text and " JOIN" not in text.split(", ")[-1]:
            return "%s CROSS JOIN %s" % (text, other.text), parts + [other]
        return "%s %s %s ON %s" % (text, join, other.text, tie), parts + [other]

    def odd_ends(self, targets, parts):
        """What may stand around, now and then: ((WITH, DISTINCT), LIMIT and the like)"""
        head, tail = ["", ""], ""
        if self.is_odd(2):
            tail = self.rng.choice([" LIMIT 3", " OFFSET 1", " LIMIT 4 OFFSET 1", " FETCH FIRST 2 ROWS ONLY",
                                    " FOR UPDATE", " FOR SHARE OF %s" % parts[0].alias])
        elif self.is_odd():
            head[1] = "DISTINCT ON (%s) " % ", ".join(i for p in parts for i in p.ids)
        if self.is_odd():
            targets.append(self.rng.choice(["generate_series(1, 2)", "row_number() OVER (ORDER BY %s)" % ", ".join(
                i for p in parts for i in p.ids), "random() < 2", "counted() > 0", "noisy(1)", "now() IS NULL",
                "sum(1) OVER ()"]))
        if self.is_odd():
            head[0] = "WITH w AS (SELECT 1 AS one) "
        return head, tail

    def aggregated(self):
        text, parts = self.outer_from()
        values = [v for p in parts for v in p.values]
        for _ in range(self.rng.choice([0, 0, 1])):
            text, values = self.with_lateral(0, text, parts, values)
        parts[0].values = values
        order = " ORDER BY " + self.order(parts)
        made = [self.around(*self.aggregate(0, parts, order)) for _ in range(self.rng.choice([1, 1, 2]))]
        group, targets = "", []
        if self.chance(0.3):
            part = parts[0]
            key = self.rng.choice([m for m in part.members if m.name in "vpid"] or part.members[:1])
            targets = [part.column(key)]
            plain = [v for v, t in values if t in ("int8", "jsonb", "text", "boolean")]
            if plain and self.chance(0.4):
                targets = [self.rng.choice(plain)]
            group = " GROUP BY %s" % targets[0]
            if self.is_odd(2):
                group = self.rng.choice([" GROUP BY ROLLUP (%s)", " GROUP BY GROUPING SETS ((%s), ())"]) % targets[0]
            if self.is_odd():
                group += " HAVING count(*) > 1"
            group += " ORDER BY " + targets[0]
        if self.is_odd():
            targets.append(self.scalar(1, []))
        elif self.is_odd():
            other = self.table("few")
            targets.append("(SELECT sum(%s.id) FROM %s WHERE %s)" % (parts[0].alias, other.text,
                                                                    self.equality([other], parts)))
        elif self.is_odd() and group:
            targets.append("(SELECT count(*) FROM %s z WHERE z.p = %s)" % (self.relations[1].name, targets[0]))
        if group and self.chance(0.3):
            group += " HAVING %s" % self.having(made, parts) if " ORDER BY" not in group else ""
        targets += [t for t, _ in made]
        names = ", ".join("%s AS o%d" % (x, i) for i, x in enumerate(targets))
        only = made[0][1] if len(targets) == 1 else "value"
        return Query("SELECT %s FROM %s%s%s" % (names, text, self.where(self.maybe_filter(parts)), group),
                     [("o%d" % i, only) for i in range(len(targets))], "aggregated")

    def around_query(self):
        """A query as it may stand in another"""
        query = self.rng.choice([self.rows, self.aggregated, self.tool])()
        numbers = [n for n, t in query.columns if t in ("int4", "int8")]
        if numbers and self.chance(0.5):
            condition = self.rng.choice(["10 / z.%s > -100", "z.%s > 1", "(z.%s::text || '0')::int2 > 0",
                                         "EXISTS (SELECT WHERE 7 / z.%s > 0)", "z.%s IN (SELECT 1 UNION SELECT 2)"])
            return Query("SELECT * FROM (%s) z WHERE %s" % (query.text, condition % self.rng.choice(numbers)),
                         [("z", "value")], "watched " + query.shape)
        text = self.rng.choice(["WITH w AS {0}(%s) SELECT * FROM w".format(self.rng.choice(["", "MATERIALIZED "])),
                                "SELECT * FROM (%s) z", "SELECT z FROM (%s) z", "SELECT to_jsonb(z) AS z FROM (%s) z",
                                "SELECT count(z) FROM (%s) z", "(%s) UNION ALL (%s)", "SELECT EXISTS (%s)",
                                "SELECT a.* FROM (%s) a, (VALUES (1)) b", "SELECT ARRAY(SELECT z::text FROM (%s) z)"])
        return Query(text.replace("%s", query.text), [("z", "value")], "around " + query.shape)

    def writes(self):
        """A list of statements"""
        found = [r for r in self.relations if r.name.startswith(("few", "some", "part", "heir"))]
        r = self.rng.choice(found)
        part = Part(r.name, "u", r.members)
        one = self.scalar(1, [part])
        after = "SELECT * FROM %s ORDER BY id" % r.name
        text = self.rng.choice([
            "UPDATE {r} u SET t = left(({c})::text, 9) RETURNING u.id, {c} AS c",
            "DELETE FROM {r} u WHERE ({c}) IS NULL", "DELETE FROM {r} u RETURNING u.id, {c} AS c",
            "INSERT INTO {r} (id, t) SELECT u.id + 100, left(({c})::text, 15) FROM {r} u ORDER BY u.id"
            " RETURNING id, t",
            "WITH d AS (DELETE FROM {r} WHERE id > 3 RETURNING id) SELECT u.id, {c} AS c FROM {r} u ORDER BY u.id",
            "WITH d AS (UPDATE {r} u SET t = ({c})::text RETURNING u.id, t) SELECT * FROM d ORDER BY 1",
            "UPDATE {r} SET t = z.c::text FROM (SELECT u.id, {c} AS c FROM {r} u) z WHERE z.id = {r}.id",
            "MERGE INTO {r} w USING (SELECT u.id, {c} AS c FROM {r} u) z ON z.id = w.id"
            " WHEN MATCHED THEN UPDATE SET t = z.c::text",
            "CREATE TEMP TABLE made AS SELECT u.id, {c} AS c FROM {r} u ORDER BY u.id"]).format(r=r.name, c=one)
        if text.startswith("DELETE") and "RETURNING" not in text or text.startswith(("UPDATE", "MERGE")):
            return [text, after]
        return [text, "SELECT * FROM made"] if text.startswith("CREATE") else [text]

    def random(self):
        return self.g.pick((6, self.rows), (3, self.aggregated), (4, self.tool), (2, self.around_query),
                           (5, self.ordered), (5, self.leaked), (7, self.paged))()

    def paged(self):
        return pages.random(self)

    def ordered(self):
        return orders.random(self)

    def leaked(self):
        return leaks.random(self)

    def tool(self):
        return nested_tools.random(self)


# Changes of a query's text that leave its order total
MUTATIONS = [
    (r"\bLEFT( OUTER)? JOIN", "JOIN"), (r"\bLEFT JOIN (?!LATERAL)", "RIGHT JOIN "),
    (r"\bLEFT JOIN (?!LATERAL)", "FULL JOIN "), (r"(?<!LEFT)(?<!RIGHT)(?<!FULL)(?<!CROSS) JOIN", " LEFT JOIN"),
    (r" WHERE ", " WHERE NOT "), (r" ON (true|TRUE)\b", " ON false"), (r"\bjsonb?_agg\((?!DISTINCT)", "jsonb_agg("),
    (r"\bjsonb?_agg\((?!DISTINCT)", "json_agg("), (r"\bjsonb?_agg\(", "array_agg("), (r"(\w+)\.p\b", r"\1.k"),
    (r"(\w+)\.k\b", r"\1.p"), (r"(\w+)\.id = ", r"\1.p = "), (r" = (\w+)\.id\b", r" = \1.p"),
    (r" = (?=\w+\.\w+)", " < "), (r" = (?=\w+\.\w+)", " IS NOT DISTINCT FROM "), (r" AND ", " OR "),
    (r"'\[\]'", "NULL"), (r"\bcoalesce\(", "nullif("), (r"\bcount\(", "sum("), (r"\bmin\(", "max("),
    (r"(\w+\.\w+)(?=[,)])", r"\1::text"), (r"(\w+\.\w+)(?=[,)])", r"(SELECT \1)"),
    (r"\(select ", "(select 1 as one, "), (r"\((SELECT|select) ", r"(\1 ALL "),
    (r"(\w+) (\w+)(?= WHERE)", r"\1 \2 TABLESAMPLE SYSTEM (100)"), (r" AND .*? = \w+\.\w+", ""),
]
