"""Random relations for random queries: types, tables, views and functions.

All of it is SQL, in the schema w, as a list of statements that each say which
object they are about: so a query that failed can be printed with just those it
needs.
"""
import re

from queries import VALUES as BASE_VALUES
from queries import literal

# What is there in each world.  (name, statement); the name is what a query must
# contain to need it, and what belongs to another object has that one's name.
FIXED = [
    ("mood", """CREATE TYPE mood AS ENUM ('sad', 'ok', 'ha"ppy')"""),
    ("positive", "CREATE DOMAIN positive AS int CHECK (VALUE > 0)"),
    ("short", "CREATE DOMAIN short AS varchar(20) CHECK (VALUE <> 'never')"),
    ("shorter", "CREATE DOMAIN shorter AS short"),
    ("text_json", "CREATE DOMAIN text_json AS json"),
    ("tree_json", "CREATE DOMAIN tree_json AS jsonb"),
    ("pair", "CREATE TYPE pair AS (x int, y text)"),
    ("pair_domain", "CREATE DOMAIN pair_domain AS pair CHECK ((VALUE).y <> 'never')"),
    ("ints", "CREATE DOMAIN ints AS int[]"),
    ("twice", "CREATE TYPE twice AS (n int)"),
    ("twice", """CREATE FUNCTION twice_json(v twice) RETURNS json IMMUTABLE LANGUAGE sql
    AS $$SELECT ('{"twice" : ' || (v).n || ', "twice": [ 2 ]}')::json$$"""),
    ("twice", "CREATE CAST (twice AS json) WITH FUNCTION twice_json(twice)"),
    ("spoken", "CREATE TYPE spoken AS ENUM ('low', 'loud', 'broken')"),
    ("spoken", r"""CREATE FUNCTION spoken_json(v spoken) RETURNS json IMMUTABLE LANGUAGE sql
    AS $$SELECT CASE v WHEN 'broken' THEN json '"\u0000"' ELSE json '"said \u00e9"' END$$"""),
    ("spoken", "CREATE CAST (spoken AS json) WITH FUNCTION spoken_json(spoken) AS ASSIGNMENT"),
    ("holder", 'CREATE TYPE holder AS (p pair, "Odd ""name" numeric, a pair[], m mood, d pair_domain)'),
    ("papers", "CREATE TYPE papers AS (j json, b jsonb, t twice)"),
    ("nothing", "CREATE TYPE nothing AS ()"),
    ("counter", "CREATE SEQUENCE counter"),
    ("counted", "CREATE FUNCTION counted() RETURNS bigint VOLATILE LANGUAGE sql AS $$SELECT nextval('counter')$$"),
    ("noisy", """CREATE FUNCTION noisy(anyelement) RETURNS anyelement VOLATILE LANGUAGE plpgsql
    AS $$BEGIN RAISE NOTICE 'noisy %', $1; RETURN $1; END$$"""),
    ("chosen", """CREATE FUNCTION chosen(v anyelement, b bool) RETURNS anyelement IMMUTABLE LANGUAGE sql
        AS $$SELECT CASE WHEN b THEN v END$$"""),
    ("dropped", "CREATE FUNCTION dropped(v bigint, b int) RETURNS int IMMUTABLE LANGUAGE sql AS $$SELECT b$$"),
    ("pairs", """CREATE FUNCTION pairs(n int) RETURNS SETOF pair STABLE LANGUAGE sql
    AS $$SELECT i, 'p' || i FROM generate_series(1, n) i$$"""),
    ("records", """CREATE FUNCTION records(n int) RETURNS SETOF record STABLE LANGUAGE plpgsql
    AS $$BEGIN RETURN QUERY SELECT i, 'r' || i FROM generate_series(1, n) i; END$$"""),
    ("named", """CREATE FUNCTION named(n int, OUT "A a" int, OUT j json) RETURNS SETOF record STABLE LANGUAGE sql
    AS $$SELECT i, ('{"b" : ' || i || ', "a":[ ]}')::json FROM generate_series(1, n) i$$"""),
    ("one_pair", "CREATE FUNCTION one_pair(n int) RETURNS pair IMMUTABLE LANGUAGE sql AS $$SELECT n, 'one'$$"),
    ("objects", """CREATE FUNCTION objects(n int) RETURNS json STABLE LANGUAGE sql
    AS $$SELECT json_agg(json_build_object('i', i)) FROM generate_series(1, n) i$$"""),
    ("objects_later", """CREATE FUNCTION objects_later(n int) RETURNS jsonb STABLE LANGUAGE plpgsql
    AS $$BEGIN RETURN (SELECT jsonb_agg(to_jsonb(p)) FROM pairs(n) p); END$$"""),
]

# Values of each type, NULL comes by itself.  %d is the row's number.
OWN_VALUES = {
    "mood": ["'ok'", "'ha\"ppy'"],
    "positive": ["1 + %d"],
    "short": ["'s%d'", "''"],
    "shorter": ["'t%d'"],
    "text_json": ["'{\"b\" : %d, \"a\":1}'"],
    "tree_json": ["'{\"b\" : %d, \"a\":1}'"],
    "pair": ["ROW(%d, 'p\"')", "ROW(NULL, NULL)"],
    "pair_domain": ["ROW(%d, 'p')::pair"],
    "pair[]": ["ARRAY[ROW(%d, 'p'), NULL]::pair[]", "'{}'"],
    "ints": ["ARRAY[%d, NULL]"],
    "ints[]": ["ARRAY['{1,2}', NULL]::ints[]"],
    "twice": ["ROW(%d)"],
    "twice[]": ["ARRAY[ROW(%d), NULL]::twice[]"],
    "spoken": ["'low'", "'loud'"],
    "holder": ["ROW(ROW(%d, 'q'), -0.10, ARRAY[ROW(1, NULL)]::pair[], 'sad', ROW(2, 'd'))",
               "ROW(NULL, NULL, NULL, NULL, NULL)"],
    "papers": ["ROW('{\"z\" : 1, \"a\": [ ], \"z\":2}', '{\"y\": %d}', ROW(3))"],
    "papers[]": ["ARRAY[ROW('[ 1 ]', NULL, NULL)]::papers[]"],
    "nothing": ["ROW()"],
    "json[]": ["ARRAY['{\"z\" : 1, \"a\": [ ], \"z\":2}', NULL]::json[]"],
    "xml": ["'<a b=\"%d\">&amp;</a>'"],
    "varchar": ["'v%d'"],
    "bpchar": ["'v%d  '"],
    "varbit": ["B'10'"],
    "cidr": ["'10.0.0.0/8'"],
    "numrange": ["'[1.5,%d9)'"],
    "tstzrange": ["'[2000-01-01,infinity)'"],
    "daterange[]": ["ARRAY['[2000-01-01,2000-02-01)', 'empty']::daterange[]"],
    "tsquery": ["'a & b'"],
    "tid": ["'(0,%d)'"],
    "regtype": ["'int4'"],
    "float8[]": ["'{1.5,NaN,-0,1e-7,123456789012345680000}'"],
    "numeric[]": ["'{1.50,NaN,1e20}'"],
    "boolean[]": ["'{t,f,NULL}'"],
    "hstore": ["'a=>%d, b=>NULL'"],
}

# Sound values that a cast or a limit refuses: in few tables, for they end a query.
NASTY_VALUES = {
    "json": [r"""'"\u0000"'""", r"""'{"a":"\ud800"}'""", "'1e200000'"],
    "spoken": ["'broken'"],
    "int4": ["0"],
    "json[]": [r"""ARRAY['"\u0000"']::json[]"""],
    "text": ["'{'", "''"],
}

FAVOURITES = ["int4", "text", "numeric", "boolean", "timestamptz", "json", "jsonb", "float8", "pair", "uuid", "int8",
              "date"]
NOT_SORTABLE = {"json", "xml", "point", "text_json", "papers", "papers[]", "json[]", "jsonpath", "xid"}
COLUMN_NAMES = ["a", "b", "c", "d", "e", "f", "A b", 'q"q', "\u00e9\u20ac", "order", "%", "__proto__", "x" * 63,
                "tab\there", "it's", "id", "{}", " ",
                "back\\slash", "json_agg", "n1"]


def make_values():
    """Of all types but those that fuzz.sql makes"""
    made = {"point2", "named_point", "point2[]", "holder", "deep", "nothing", "mood", "mood[]", "positive", "short"}
    values = {t: v for t, v in BASE_VALUES.items() if t not in made}
    values.update(OWN_VALUES)
    values["json"] = values["json"] + [r"""'{"z" : 1, "a": [ ], "z":2.50, "\u00e9":"\/"}'""", "E'\\n[1 ,\\t2 ]'",
                                       "' \"\\u0041\" '"]
    values["text"] = values["text"] + ["repeat(chr(233) || '\"', 1500)", "E'\\x7f\\u2028</script>'"]
    return values


VALUES = make_values()


def quoted(name):
    return name if re.fullmatch("[a-z_][a-z0-9_]*", name) and name not in ("order",
        "user") else '"%s"' % name.replace('"', '""')


class Relation:
    """What can stand in FROM: columns are (name, type), row_type is that of a whole row, or None for a record."""

    def __init__(self, name, columns, row_type=None, nasty=False):
        self.name, self.columns, self.row_type, self.nasty = name, columns, row_type, nasty


class World:
    """Relations of a generation; statements is [(name, SQL)]."""

    def __init__(self, rng, number, version, types):
        self.rng, self.number, self.version = rng, number, version
        self.types = types
        self.statements = []
        self.relations = []
        self.role_statements = []
        for i in range(5):
            self.table(self.name("t"), rng.choice([2, 3, 5, 8]), rng.choice([1, 3, 5, 8]))
        self.table(self.name("t"), rng.choice([70, 150]), 3)
        self.table(self.name("empty"), 0, 4)
        self.table(self.name("single"), 1, 4)
        self.table(self.name("tmp"), 3, 3, "TEMP ")
        self.wide(self.name("wide"))
        self.partitioned(self.name("part"))
        self.inherited(self.name("parent"))
        self.secured(self.name("secret"))
        for _ in range(4):
            self.view(self.name("v"))

    def name(self, prefix):
        return "%s%d_%d" % (prefix, self.number, len(self.relations))

    def add(self, name, statement):
        self.statements.append((name, statement))

    # Tables

    def random_type(self):
        if self.rng.random() < 0.55:
            return self.rng.choice(FAVOURITES)
        return self.rng.choice(self.types)

    def random_columns(self, count):
        names = self.rng.sample(COLUMN_NAMES[:6] if self.rng.random() < 0.3 and count < 6 else COLUMN_NAMES, count)
        return [(n, self.random_type()) for n in names if n != "id"]

    def cell(self, column_type, row, nasty):
        if self.rng.random() < 0.15:
            return "NULL"
        values = VALUES[column_type]
        if nasty and column_type in NASTY_VALUES and self.rng.random() < 0.3:
            values = NASTY_VALUES[column_type]
        value = self.rng.choice(values)
        return "(%s)::%s" % (value.replace("%d", str(row)), column_type)

    def insert(self, name, columns, count, nasty=False, target=None, first=1):
        """Most rows one by one, so that they can be left away one by one."""
        rows = ["(%s)" % ", ".join([str(r), str(self.rng.randrange(1, 4)) if self.rng.random() < 0.9 else "NULL"]
                                   + [self.cell(t, r, nasty) for _, t in columns])
                for r in range(first, first + count)]
        names = ", ".join(["id", "ref"] + [quoted(n) for n, _ in columns])
        for i in range(0, len(rows), 50):
            self.add(name, "INSERT INTO %s (%s) VALUES\n    %s" % (target or name, names,
                                                                   ",\n    ".join(rows[i:i + 50])))

    def table(self, name, count, width, kind=""):
        columns = self.random_columns(width)
        nasty = self.rng.random() < 0.12
        definition = ["id int", "ref int"] + ["%s %s" % (quoted(n), t) for n, t in columns]
        dropped = self.rng.random() < 0.3
        if dropped:
            definition.insert(self.rng.randrange(len(definition) + 1), "dropped text")
        if self.rng.random() < 0.3:
            definition.append("computed int GENERATED ALWAYS AS (id * 2) STORED")
        self.add(name, "CREATE %sTABLE %s (%s)" % (kind, name, ", ".join(definition)))
        self.insert(name, columns, count, nasty)
        all_columns = [("id", "int4"), ("ref", "int4")] + columns
        if dropped:
            self.add(name, "ALTER TABLE %s DROP dropped" % name)
        if "computed" in definition[-1]:
            all_columns.append(("computed", "int4"))
        if self.rng.random() < 0.2:
            self.add(name, "ALTER TABLE %s ADD added text DEFAULT 'new'" % name)
            all_columns.append(("added", "text"))
        if self.version >= 180000 and self.rng.random() < 0.2:
            self.add(name, "ALTER TABLE %s ADD seeming int GENERATED ALWAYS AS (id + 1) VIRTUAL" % name)
            all_columns.append(("seeming", "int4"))
        self.finish_table(name, all_columns, nasty)

    def finish_table(self, name, columns, nasty=False):
        if self.rng.random() < 0.5:
            self.add(name, "CREATE INDEX ON %s (ref)" % name)
        if self.rng.random() < 0.3:
            self.add(name, "ALTER TABLE %s ADD PRIMARY KEY (id)" % name)
        self.add(name, "ANALYZE %s" % name)
        self.relations.append(Relation(name, columns, name, nasty))

    def wide(self, name):
        """Around the number of values that a call can have"""
        columns = [("c%d" % i, "int4") for i in range(self.rng.choice([95, 96, 97, 98, 108]))]
        self.add(name, "CREATE TABLE %s (id int, ref int, %s)" % (name, ", ".join("%s int" % n for n, _ in columns)))
        self.add(name, "INSERT INTO %s SELECT %s FROM generate_series(1, 3) i" %
                 (name, ", ".join(["i"] * (len(columns) + 2))))
        self.finish_table(name, [("id", "int4"), ("ref", "int4")] + columns)

    def partitioned(self, name):
        """A partition with another order of columns, and one with a dropped one"""
        columns = self.random_columns(3)
        definition = ["%s %s" % (quoted(n), t) for n, t in columns]
        self.add(name, "CREATE TABLE %s (id int, ref int, %s) PARTITION BY RANGE (id)" % (name, ", ".join(definition)))
        self.add(name, "CREATE TABLE %s_1 PARTITION OF %s FOR VALUES FROM (MINVALUE) TO (3)" % (name, name))
        self.add(name, "CREATE TABLE %s_2 (%s, gone int, ref int, id int)" % (name, ", ".join(definition)))
        self.add(name, "ALTER TABLE %s_2 DROP gone" % name)
        self.add(name, "ALTER TABLE %s ATTACH PARTITION %s_2 FOR VALUES FROM (3) TO (MAXVALUE)" % (name, name))
        self.insert(name, columns, 6)
        self.finish_table(name, [("id", "int4"), ("ref", "int4")] + columns)

    def inherited(self, name):
        columns = self.random_columns(3)
        self.add(name, "CREATE TABLE %s (%s)" %
                 (name, ", ".join(["id int", "ref int"] + ["%s %s" % (quoted(n), t) for n, t in columns])))
        self.add(name, "CREATE TABLE %s_child (more text) INHERITS (%s)" % (name, name))
        self.insert(name, columns, 2)
        self.insert(name, columns, 2, target=name + "_child", first=3)
        self.finish_table(name, [("id", "int4"), ("ref", "int4")] + columns)
        self.finish_table(name + "_child", [("id", "int4"), ("ref", "int4")] + columns + [("more", "text")])

    def secured(self, name):
        """Row level security: it is for the role that some queries run as"""
        columns = self.random_columns(3)
        self.add(name, "CREATE TABLE %s (%s)" %
                 (name, ", ".join(["id int", "ref int"] + ["%s %s" % (quoted(n), t) for n, t in columns])))
        self.insert(name, columns, 5)
        self.add(name, "ALTER TABLE %s ENABLE ROW LEVEL SECURITY" % name)
        self.add(name, "CREATE POLICY p ON %s USING (id %% 2 = 1 AND EXISTS (SELECT json_agg(1)))" % name)
        self.finish_table(name, [("id", "int4"), ("ref", "int4")] + columns)

    # Views

    def view(self, name):
        linked = [("id", "int4"), ("ref", "int4")]
        base = self.rng.choice([r for r in self.relations if not r.name.startswith("tmp")
                                and set(linked) <= set(r.columns)])
        others = [c for c in base.columns if c not in linked]
        columns = linked * (self.rng.random() < 0.8) + self.rng.sample(others, min(len(others), 4))
        columns = columns or linked
        source = ", ".join("t.%s" % quoted(n) for n, _ in columns)
        kind = self.rng.choice(["plain", "barrier", "nested", "agg", "materialized", "renamed"])
        options = " WITH (security_barrier)" if kind == "barrier" else ""
        where = " WHERE t.id > 1" if kind == "barrier" else ""
        head = "CREATE %sVIEW %s" % ("MATERIALIZED " if kind == "materialized" else "", name)
        if kind == "nested":
            columns = columns + [("nested of " + name, "json"), ("tree of " + name, "jsonb")]
            source += ", (SELECT json_agg(u) FROM %s u WHERE u.ref = t.id), to_jsonb(t.*)" % self.rng.choice(
                self.relations[:5]).name
        if kind == "agg":
            columns = [("ref", "int4"), ("list", "json"), ("tree", "jsonb")]
            source = "t.ref, json_agg(t), jsonb_agg(jsonb_build_object('id', t.id, 'r', t.ref))"
            where = " GROUP BY t.ref"
        if kind == "renamed":
            columns = [("n%d" % i, t) for i, (_, t) in enumerate(columns)]
        names = ", ".join(quoted(n) for n, _ in columns)
        self.add(name, "%s (%s)%s AS SELECT %s FROM %s t%s" % (head, names, options, source, base.name, where))
        self.relations.append(Relation(name, columns, name, base.nasty))

    def drop(self):
        """Views fall with their tables."""
        made = [(re.match(r"CREATE (TEMP |MATERIALIZED )?(TABLE|VIEW)", s), n) for n, s in self.statements]
        return "".join("DROP %s%s IF EXISTS %s CASCADE;" % (m.group(1) if m.group(1) == "MATERIALIZED " else "",
                                                            m.group(2), n)
                       for m, n in reversed(made) if m)


def needed(statements, text):
    """Those of the statements that the text needs, by the names in them."""
    wanted = set()
    texts = [text]
    while texts:
        words = set(re.findall(r"\w+", texts.pop()))
        # what is named with a suffix is a part of the relation
        words |= {re.sub("_(child|[12]|json)$", "", w) for w in words}
        for name in {n for n, _ in statements} & words - wanted:
            wanted.add(name)
            texts += [s for n, s in statements if n == name]
    return [(n, s) for n, s in statements if n in wanted]


def row_of(columns):
    return "ARRAY[%s]" % ", ".join(literal(n) for n, _ in columns)
