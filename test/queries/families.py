"""Random parents and children for nested queries: keys of all kinds, NULL and duplicate ones, orphans.

A world like that of relations.py, but its tables have the same columns, with other types: id, which
is unique; p, which refers to any table's id; k, l and m, keys of a family each; and values, of which
some raise errors where they are computed with.
"""
import re

import leaks
import relations
from relations import Relation

# Types that have operators for each other, and values that are equal in one and not in another
FAMILIES = {
    "int": (["int4", "int8", "int2", "positive", "int4"], ["1", "2", "2", "3", "4"]),
    "numeric": (["numeric", "numeric", "numeric(6,2)"], ["1", "1.0", "1.00", "2.5", "'NaN'", "100"]),
    "float": (["float8", "float4"], ["0", "'-0'", "'NaN'", "1.5", "'Infinity'"]),
    "text": (["text", "varchar", "text", "short"], ["'a'", "'A'", "'b'", "'a '", "''", "'\u00e9'", "'e\u0301'"]),
    "padded": (["bpchar", "char(4)"], ["'a'", "'a '", "'A'", "'b'", "''"]),
    "name": (["name", "text", "name"], ["'a'", "'A'", "'b'"]),
    "plain text": (['text COLLATE "C"'], ["'a'", "'A'", "'b'", "'a '"]),
    "blind text": (["text COLLATE blind", "varchar COLLATE blind"], ["'a'", "'A'", "'b'", "'\u00e9'", "'\u00c9'"]),
    "citext": (["citext"], ["'a'", "'A'", "'b'", "'B'"]),
    "uuid": (["uuid"], ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "'00000000-0000-0000-0000-000000000000'"]),
    "date": (["date", "timestamp", "timestamptz"], ["'2000-01-01'", "'2000-01-02'", "'infinity'"]),
    "mood": (["mood"], ["'ok'", "'sad'"]),
    "boolean": (["boolean"], ["true", "false"]),
    "interval": (["interval"], ["'1 day'", "'24:00'", "'30 days'", "'1 month'"]),
    "array": (["int[]", "ints"], ["'{1,2}'", "'{}'", "'{NULL}'", "'[0:1]={1,2}'"]),
    "row": (["pair"], ["ROW(1, 'a')", "ROW(NULL, NULL)", "ROW(1, NULL)"]),
    "bytea": (["bytea"], [r"'\x00'", r"'\x01ff'"]),
    "jsonb": (["jsonb"], ["'1.0'", "'1'", "'{\"a\":1,\"b\":2}'", "'null'"]),
    "inet": (["inet", "cidr"], ["'10.0.0.0/8'", "'10.1.0.0/16'"]),
    "range": (["int4range"], ["'[1,3)'", "'[1,2]'", "'empty'"]),
    "bit": (["varbit"], ["B'10'", "B'1'"]),
    "money": (["money"], ["1", "2"]),
    "time": (["time", "timetz"], ["'10:00'", "'24:00'"]),
    "oid": (["oid", "regtype"], ["23", "25"]),
}
FREQUENT = ["int", "int", "text", "numeric", "date", "blind text", "uuid", "mood"]

# What is there besides relations.FIXED, if the server has it
OPTIONAL = [
    ("blind", "CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"),
    ("citext", "CREATE EXTENSION citext SCHEMA public"),
] + leaks.FUNCTIONS

# Values that go into JSON: a family each, so that a condition or an order may be over them
VALUES = [("v", "int4", "int"), ("t", "text", "text"), ("n", "numeric", "number"), ("x", "float8", "float"),
          ("b", "boolean", "boolean"), ("d", "date", "date"), ("j", "jsonb", "jsonb"), ("s", "json", "json"),
          ("r", "pair", "row"), ("a", "int[]", "array"), ("e", "mood", "mood")]
CELLS = {
    "v": ["0", "1", "2", "3", "7", "-1"], "t": ["'1'", "'22'", "'q\"'", "''", "'[1]'", "'{}'", "'%\\'", "'a%'"],
    "n": ["1.50", "-0.10", "1e20", "'NaN'", "0"], "x": ["1.5", "0.1", "1e100", "-1e100", "1e-7"],
    "b": ["true", "false"], "d": ["'2000-01-01'", "'1999-12-31'", "'infinity'"],
    "j": ["'{\"b\":1,\"a\":[2]}'", "'[1, 2]'", "'\"x\"'", "'null'"],
    "s": ["'{\"b\" : 1, \"a\":2, \"b\":3}'", "'[ ]'", r"""'"\u0000"'""", "'1e5'"],
    "r": ["ROW(1, 'y\"')", "ROW(NULL, NULL)"], "a": ["'{1,NULL}'", "'{}'"], "e": ["'sad'", "'ok'"],
}


class Member:
    """A column: its type and the family of those that can be compared with it."""

    def __init__(self, name, type_, family):
        self.name, self.type, self.family = name, type_, family


class Families(relations.World):
    def __init__(self, rng, number, version, types):
        self.rng, self.number, self.version, self.types = rng, number, version, types
        self.statements, self.relations = [], []
        known = [f for f in FAMILIES if all(word in types for word in ("blind", "citext") if word in f)]
        self.families = [rng.choice([f for f in FREQUENT if f in known] if rng.random() < 0.5 else known)
                         for _ in range(3)]
        for kind, rows in (("few", 3), ("some", 6), ("some", 9), ("many", 14), ("many", 20), ("empty", 0),
                           ("part", 9), ("heir", 8), ("secret", 8)):
            self.family_table(self.name(kind), kind, rows)
        if rng.random() < 0.3:
            self.large(self.name("large"))
        for name in ("lost", "kept"):
            self.lost(self.name(name))
        for _ in range(6):
            self.family_view(self.name("v"))
        for parent, child in (("some", "lost"), ("secret", "kept"), ("secret", "kept")):
            self.summed_view(self.name("vs"), parent, child)

    def members(self):
        ints = FAMILIES["int"][0][:3]
        result = [Member("id", self.rng.choice(ints), "int"), Member("p", self.rng.choice(ints), "int")]
        for name, family in zip("klm", self.families):
            type_ = self.rng.choice(FAMILIES[family][0])
            result.append(Member(name, type_, family))
        chosen = VALUES[:2] + self.rng.sample(VALUES[2:], 3)
        return result + [Member(*v) for v in chosen]

    def family_cell(self, member, row):
        if member.name == "id":
            return str(row)
        if self.rng.random() < 0.12:
            return "NULL"
        if member.name == "p":
            return str(self.rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 7, 20]))
        values = CELLS[member.name] if member.name in CELLS else FAMILIES[member.family][1]
        type_ = re.sub(r" COLLATE .*", "", member.type)
        return "(%s)::%s" % (self.rng.choice([v for v in values if not self.raises(v)]), type_)

    def raises(self, value):
        """Such values are in few tables, for they end a query."""
        return "u0000" in value and self.rng.random() < 0.9

    def family_rows(self, name, members, numbers):
        rows = ["(%s)" % ", ".join(self.family_cell(m, i) for m in members) for i in numbers]
        if rows:
            self.add(name, "INSERT INTO %s (%s) VALUES\n    %s" % (name, ", ".join(m.name for m in members),
                                                                   ",\n    ".join(rows)))

    def family_table(self, name, kind, rows):
        members = self.members()
        definition = ["%s %s" % (m.name, m.type) for m in members]
        if self.rng.random() < 0.2:
            definition.insert(self.rng.randrange(len(definition) + 1), "dropped text")
        columns = ", ".join(definition)
        if kind == "part":
            self.add(name, "CREATE TABLE %s (%s) PARTITION BY RANGE (id)" % (name, columns))
            self.add(name, "CREATE TABLE %s_1 PARTITION OF %s FOR VALUES FROM (MINVALUE) TO (4)" % (name, name))
            self.add(name, "CREATE TABLE %s_2 PARTITION OF %s FOR VALUES FROM (4) TO (MAXVALUE)" % (name, name))
        else:
            self.add(name, "CREATE TABLE %s (%s)" % (name, columns))
        numbers = self.rng.sample(range(1, rows + 3), rows)
        if kind == "heir":
            self.add(name, "CREATE TABLE %s_child (more text) INHERITS (%s)" % (name, name))
            self.family_rows(name + "_child", members, numbers[:3])
            numbers = numbers[3:]
        self.family_rows(name, members, numbers)
        if len(definition) > len(members):
            self.add(name, "ALTER TABLE %s DROP dropped" % name)
        if self.version >= 180000 and self.rng.random() < 0.06:
            self.add(name, "ALTER TABLE %s ADD w int GENERATED ALWAYS AS (10 / v) VIRTUAL" % name)
            members.append(Member("w", "int4", "int"))
        self.indexes(name, kind)
        self.add_family(name, members)

    def indexes(self, name, kind):
        if kind == "secret":
            self.add(name, "ALTER TABLE %s ENABLE ROW LEVEL SECURITY" % name)
            self.odd_policy(name)
        elif kind != "heir" and self.rng.random() < 0.6:
            self.add(name, "ALTER TABLE %s ADD PRIMARY KEY (id)" % name)
        if self.rng.random() < 0.4:
            self.add(name, "CREATE INDEX ON %s (p)" % name)
        if self.rng.random() < 0.7:
            self.add(name, "ANALYZE %s" % name)

    def odd_policy(self, name):
        """Only rows with odd numbers are to be seen: in words that could raise an error, or such as services write"""
        self.add(name, "CREATE TABLE %s_odds AS SELECT i AS n, 1 AS usr FROM generate_series(1, 41, 2) i" % name)
        self.add(name, "CREATE FUNCTION %s_uid() RETURNS int STABLE LANGUAGE sql AS $$"
                 "SELECT coalesce(nullif(current_setting('w.uid', true), ''), '1')::int$$" % name)
        self.add(name, "CREATE POLICY odd ON {0} USING ({1})".format(name, self.rng.choice([
            "id % 2 = 1", "id IN (SELECT n FROM {0}_odds WHERE usr = {0}_uid())",
            "EXISTS (SELECT FROM {0}_odds o WHERE o.n = {0}.id AND o.usr = (SELECT {0}_uid()))",
            "id IN (SELECT n FROM {0}_odds) AND {0}_uid() = 1"])).format(name))

    def lost(self, name):
        """Children of which some belong to nobody, and raise errors where the others raise none: see leaks.py.
        Of kept, those of even keys do so, too: a policy hides their parents."""
        self.add(name, "CREATE TABLE %s (id int, p %s, v int, t text, a int[], n numeric, x float8)" % (
            name, self.rng.choice(["int4", "int8"])))
        keys = [self.rng.choice([1, 1, 2, 3, 3, 4, 5, 6, 7]) for _ in range(12)]
        nobody = ["-1", "0", "NULL", "9999"]
        keys += nobody + self.rng.choices(nobody, k=self.rng.choice([1, 6, 20]))
        rows = []
        for i, key in enumerate(keys):
            is_lost = isinstance(key, str) or name.startswith("kept") and key % 2 == 0
            values = [4700 + i, key, 0, "'bad'", "'{7}'", 0] if is_lost else [
                i + 1, key, self.rng.choice([1, 2, 3]), self.rng.choice(["'1'", "'22'"]), "'{1,2}'",
                self.rng.choice(["1.5", "2"])]
            rows.append("(%s)" % ", ".join(str(v) for v in values + [self.rng.choice(CELLS["x"])]))
        self.rng.shuffle(rows)
        self.add(name, "INSERT INTO %s VALUES\n    %s" % (name, ",\n    ".join(rows)))
        self.indexes(name, "lost")
        self.add_family(name, [Member("id", "int4", "int"), Member("p", "int4", "int"), Member("v", "int4", "int"),
                               Member("t", "text", "text"), Member("a", "int[]", "array"),
                               Member("n", "numeric", "number"), Member("x", "float8", "float")])

    def summed_view(self, name, parent, child):
        """With a number of each group, under the policies that are for who asks"""
        base, other = (self.rng.choice([r for r in self.relations if r.name.startswith(n)]) for n in (parent, child))
        call = self.rng.choice(["sum(u.v)", "sum(u.v)", "max(u.id)", "min(u.v)", "count(*)"])
        self.add(name, "CREATE VIEW %s WITH (security_invoker%s) AS SELECT t.id, t.p,"
                 " (SELECT %s FROM %s u WHERE u.p = t.id) AS s FROM %s t%s" % (
                     name, self.rng.choice(["", "", "", ", security_barrier"]), call, other.name, base.name,
                     self.rng.choice(["", "", " ORDER BY t.id DESC"])))
        self.add_family(name, base.members[:2] + [Member("s", "int8", "int")])

    def large(self, name):
        """Groups that do not fit into little memory"""
        family = self.rng.choice(["int4", "int8"])
        self.add(name, "CREATE TABLE %s (id int, p %s, v int, t text)" % (name, family))
        self.add(name, "INSERT INTO %s SELECT i, i %% 7, i %% 5, repeat('x', 50 + i %% 90) || i"
                 " FROM generate_series(1, 800) i" % name)
        self.add(name, "ANALYZE %s" % name)
        self.add_family(name, [Member("id", "int4", "int"), Member("p", family, "int"), Member("v", "int4", "int"),
                               Member("t", "text", "text")])

    def add_family(self, name, members, is_sorted=False):
        relation = Relation(name, [(m.name, m.type) for m in members], name)
        relation.members, relation.is_sorted = members, is_sorted
        self.relations.append(relation)

    def family_view(self, name):
        """Its id is unique, too."""
        base, other = (self.rng.choice([r for r in self.relations if not r.name.startswith("v")]) for _ in "ab")
        members = [base.members[0]] + [m for m in base.members[1:] if self.rng.random() < 0.8]
        source = ", ".join("t.%s" % m.name for m in members)
        kind = self.rng.choice(["plain", "sorted", "barrier", "joined", "nested", "materialized", "layers",
                                "paged", "first"])
        if kind == "materialized":
            members = [m for m in members if m.name != "w"]     # it may raise, when the view is made
            source = ", ".join("t.%s" % m.name for m in members)
        tail = {"sorted": " ORDER BY t.id", "paged": " ORDER BY t.id DESC LIMIT 6",
                "first": " ORDER BY t.%s, t.id DESC OFFSET 0" % members[0].name, "barrier": " WHERE t.id > 2",
                "joined": " JOIN %s u ON u.id = t.v" % other.name, "layers": " WHERE t.id > 1"}.get(kind, "")
        table = "(SELECT * FROM %s WHERE v IS NOT NULL)" % base.name if kind == "layers" else base.name
        if kind == "nested":
            source += ", (SELECT count(*) FROM %s u WHERE u.p = t.id) AS c" % other.name
            members = members + [Member("c", "int8", "int")]
        self.add(name, "CREATE %sVIEW %s%s AS SELECT %s FROM %s t%s" % (
            "MATERIALIZED " * (kind == "materialized"), name, " WITH (security_barrier)" * (kind == "barrier"),
            source, table, tail))
        self.add_family(name, members, kind in ("sorted", "paged", "first"))
