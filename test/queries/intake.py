"""Queries that make rows of JSON: json_to_recordset and its kin, with random and damaged documents.

The documents are made for the columns that they are read into, mostly: keys that are missing, twice there, escaped
or of another case, values of other kinds, \\u that stands for nothing, texts that types refuse.
"""
import json

from grammar import Query
from queries import literal
from relations import quoted

# What a value of a type may look like in JSON, most of it sound.
NUMBERS = ["0", "1", "-1", "-0", "12", "127", "32767", "32768", "-32768", "2147483647", "2147483648", "-2147483648",
           "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1.0", "1.50", "-0.0", "0.1", "1e2",
           "1E-3", "1e400", "-1e-400", "123456789012345678901234567890", "0.30000000000000004", "16777217",
           "9007199254740993", "9007199254740992.5", "3.4028235e38", "0.000001", "12345678.12345678", "99999.995",
           "1.7976931348623157e308", "4.9e-324", "100000000000000000000000", "0.00001234", "123456.789e-3"]
TEXTS = ["", "x", " 1", "1 ", "007", "+1", "0x1A", "1_000", "NaN", "-Infinity", "true", "f", "yes", "ok", "sad", "null", "a b",
         "2020-01-02", "2020-1-2", "2020-01-02 03:04:05", "2020-01-02T03:04:05.678901+05:30", "2020-01-02T03:04:05Z",
         "2020-01-02 03:04:05.5-08", "2020-02-30", "infinity", "0001-01-01T00:00:00", "10:20:30", "10000-01-01",
         "12345678-1234-1234-1234-123456789abc", "12345678-1234-1234-1234-123456789ABC", "{12345678123412341234123456789abc}",
         "12345678-1234-1234-1234-123456789abg", "{1,2}", "{a,NULL}", "{{1},{2}}", "(1,x)", "(0,never)", "never", "1.50", "1e3", ".5",
         "5.", "--1", "-", "é€😀", "tab\there", "q\"q\\", "\x7f", "x" * 30, "1 day", "\\x00ff", "[1,2]", '{"k":1}', "10.0.0.1"]
# As they are written, with escapes
STRINGS = [r'"\u00e9"', r'"a\/b\n\"\\"', r'"\u0031"', r'"\ud83d\ude00"', r'"\u007f"', r'"tru\u0065"', r'"\u0041\t"']
WRONG = [r'"\u0000"', r'"\ud800"', r'"\ude00"', r'"\ud800\ud800"', r'"\ud83dx"', r'"x\u0000y"']

TYPES = ["int2", "int4", "int8", "float4", "float8", "numeric", "numeric(10,2)", "numeric(5,5)", "numeric(3,-1)", "text", "varchar",
         "varchar(3)", "char(4)", "boolean", "timestamptz", "timestamp", "timestamptz(0)", "date", "time", "interval", "uuid",
         "json", "jsonb", "bytea", "oid", "name", "inet", "mood", "positive", "short", "shorter", "text_json", "tree_json",
         "pair", "pair_domain", "ints", "twice", "holder", "nothing", "int4[]", "text[]", "numeric[]", "jsonb[]", "pair[]", "ints[]",
         "positive[]", "mood[]", "timestamptz[]", "int2vector", "tsvector", "point", "int4range", "regtype", "\"char\"", "bit(3)"]
NAMES = ["a", "b", "c", "A", "a b", 'q"q', "é€", "id", "n", "x" * 63, "value", "key", "back\\slash", "tab\there", ""]
ROW_TYPES = ["pair", "pair_domain", "holder", "papers", "twice", "nothing"]
FIELDS = {"pair": [("x", "int4"), ("y", "text")], "pair_domain": [("x", "int4"), ("y", "text")], "twice": [("n", "int4")], "nothing": [],
          "papers": [("j", "json"), ("b", "jsonb"), ("t", "twice")],
          "holder": [("p", "pair"), ('Odd "name', "numeric"), ("a", "pair[]"), ("m", "mood"), ("d", "pair_domain")]}


class Documents:
    def __init__(self, rng):
        self.rng = rng
        self.damage = rng.random() < 0.15

    def chance(self, p):
        return self.rng.random() < p

    def string(self, text):
        """With some of its characters as escapes"""
        plain = json.dumps(text, ensure_ascii=self.chance(0.2))
        return plain.replace("a", "\\u0061") if self.chance(0.05) else plain

    def scalar(self):
        pool = self.rng.random()
        if self.damage and pool < 0.04:
            return self.rng.choice(WRONG)
        if pool < 0.35:
            return self.rng.choice(NUMBERS)
        if pool < 0.8:
            return self.string(self.rng.choice(TEXTS))
        return self.rng.choice(STRINGS + ["true", "false", "null", "null"])

    def anything(self, depth=0):
        pool = self.rng.random()
        if depth > 3 or pool < 0.6:
            return self.scalar()
        if pool < 0.8:
            return self.listed([self.anything(depth + 1) for _ in range(self.rng.choice([0, 1, 2, 3]))])
        return self.object([(self.rng.choice(NAMES), self.anything(depth + 1)) for _ in range(self.rng.choice([0, 1, 2, 3]))])

    def space(self):
        return self.rng.choice([" ", "\n", "\t ", "\r\n"]) if self.chance(0.05) else ""

    def listed(self, parts):
        return "[" + ",".join(self.space() + p + self.space() for p in parts) + "]"

    def object(self, members):
        return "{" + ",".join(self.space() + self.string(k) + self.space() + ":" + self.space() + v for k, v in members) + self.space() + "}"

    def fitting(self, typ, depth=0):
        """What the type may well accept"""
        if self.chance(0.05):
            return "null"
        if self.chance(0.03 if depth == 0 else 0.01):
            return self.anything()
        base = typ.split("(")[0]
        if typ.endswith("[]") or typ == "ints":
            element = typ[:-2] if typ.endswith("[]") else "int4"
            shape = self.rng.random()
            if shape < 0.15:
                return self.listed([self.listed([self.fitting(element, 1) for _ in range(2)]) for _ in range(self.rng.choice([1, 2]))])
            return '"{}"' if shape < 0.2 else self.listed([self.fitting(element, 1) for _ in range(self.rng.choice([0, 1, 2, 4]))])
        if base in FIELDS:
            return self.row(FIELDS[base])
        choices = {"int2": NUMBERS[:6], "int4": NUMBERS[:10], "oid": NUMBERS[:2] + ["12"], "positive": ["1", "12"], "int8": NUMBERS[:13],
                   "float4": ["1.5", "-0.0", "16777217", "0.1", "1e2", "3.4028235e38"], "float8": [n for n in NUMBERS if "400" not in n],
                   "numeric": [n for n in NUMBERS if typ == "numeric" or len(n) < 4], "boolean": ["true", "false", '"t"'],
                   "mood": ['"ok"', '"sad"'], "timestamptz": ['"%s"' % t for t in TEXTS if t.startswith("2020-01-02")],
                   "uuid": ['"12345678-1234-1234-1234-123456789abc"', '"12345678-1234-1234-1234-123456789ABC"'],
                   "interval": ['"1 day"'], "time": ['"10:20:30"'], "inet": ['"10.0.0.1"'], "int4range": ['"[1,2)"'], "bit": ['"101"'],
                   "int2vector": ['"1 2"'], "point": ['"(1,2)"'], "regtype": ['"int4"'], "bytea": ['"\\\\x00ff"']}
        choices["timestamp"] = choices["date"] = choices["timestamptz"]
        if base in choices:
            found = self.rng.choice(choices[base])
            return '"%s"' % found if self.chance(0.05) and found[0] not in '"[' else found
        return self.anything() if base in ("json", "jsonb", "text_json", "tree_json", "text") else self.string(
            self.rng.choice(["", "x", "ok", "1", "q\"q\\", "é€"]))

    def row(self, fields):
        """An object for these fields: in order, mostly"""
        members = [(n, self.fitting(t)) for n, t in fields if not self.chance(0.08)]
        if self.chance(0.1):
            members += [(n, self.fitting(t)) for n, t in fields[:1]]
        if self.chance(0.15):
            members.insert(self.rng.randrange(len(members) + 1), (self.rng.choice(NAMES + ["y" * 64, "x" * 64]), self.anything()))
        if self.chance(0.1):
            self.rng.shuffle(members)
        return self.object(members)

    def rows(self, fields):
        rows = [self.row(fields) for _ in range(self.rng.choice([0, 1, 2, 3, 40]))]
        if self.chance(0.03):
            rows.insert(self.rng.randrange(len(rows) + 1), self.anything())
        return self.listed(rows) if not self.chance(0.03) else self.anything()


def document(g, text, jsonb):
    """The document as a query may have it; jsonb refuses some that json does not."""
    typ = "jsonb" if jsonb else "json"
    return g.rng.choice(["%s::%s", "%s::%s", "(SELECT %s::%s)", "nullif(%s, '-')::%s"]) % (literal(text), typ)


def fields_of(g):
    names = g.rng.sample(NAMES[:-1], g.rng.choice([1, 2, 3, 5]))
    return [(n, g.rng.choice(TYPES[:24] if g.chance(0.5) else TYPES)) for n in names]


def cut(g):
    return g.rng.choice(["", "", "", " LIMIT 2", " OFFSET 1", " ORDER BY 1::text"])


def recordset(g):
    """FROM json_to_recordset(...) AS x(a int, ...), alone, numbered, beside others"""
    jsonb = g.chance(0.5)
    fields = fields_of(g)
    docs = Documents(g.rng)
    many = g.chance(0.8)
    text = docs.rows(fields) if many else docs.row(fields) if g.chance(0.9) else docs.anything()
    call = "json%s_to_record%s(%s)" % ("b" * jsonb, "set" * many, document(g, text, jsonb))
    columns = ", ".join("%s %s" % (quoted(n), t) for n, t in fields)
    if g.chance(0.15):
        source = "ROWS FROM (%s AS (%s), generate_series(1, 3))%s AS x" % (call, columns, g.rng.choice(["", " WITH ORDINALITY"]))
    else:
        source = "%s AS x(%s)" % (call, columns)
    if g.chance(0.2):
        source = "generate_series(1, 2) AS s, LATERAL " + source if g.chance(0.5) else source + " CROSS JOIN (VALUES (1), (2)) AS v(i)"
    return "SELECT %s FROM %s%s" % (g.rng.choice(["*", "x.*", "x", "count(*)"]), source, cut(g))


def populated(g):
    """json_populate_record and ..._recordset, with a base or without, in FROM or in the select list"""
    jsonb = g.chance(0.5)
    many = g.chance(0.6)
    typ = g.rng.choice(ROW_TYPES)
    docs = Documents(g.rng)
    text = docs.rows(FIELDS[typ]) if many else docs.row(FIELDS[typ]) if g.chance(0.9) else docs.anything()
    base = g.rng.choice(["NULL::%s" % typ, "NULL::%s" % typ, "ROW(%s)::%s" % (", ".join(["NULL"] * len(FIELDS[typ])), typ), "ROW(1, 'base')",
                         "NULL::record", "ROW(1, 'base')::pair", "1"])
    if base == "ROW(1, 'base')" or base == "NULL::record":
        call = "json%s_populate_record%s(%s, %s)" % ("b" * jsonb, "set" * many, base, document(g, text, jsonb))
        return "SELECT * FROM %s AS x(f1 int, f2 text)" % call if g.chance(0.8) else "SELECT " + call
    call = "json%s_populate_record%s(%s, %s)" % ("b" * jsonb, "set" * many, base, document(g, text, jsonb))
    return g.rng.choice(["SELECT * FROM %s", "SELECT %s", "SELECT (%s).*", "SELECT x FROM %s x", "SELECT s, %s FROM generate_series(1, 2) s"]) % call + cut(g)


def parts(g):
    """Elements, members and keys"""
    jsonb = g.chance(0.5)
    docs = Documents(g.rng)
    name = "json%s_%s" % ("b" * jsonb, g.rng.choice(["array_elements", "array_elements_text", "each", "each_text", "object_keys"]))
    size = g.rng.choice([0, 1, 3, 50])
    text = docs.anything() if g.chance(0.1) else docs.listed([docs.anything() for _ in range(size)]) if "array" in name else docs.object(
        [(g.rng.choice(NAMES), docs.anything()) for _ in range(size)])
    call = "%s(%s)" % (name, document(g, text, jsonb))
    return g.rng.choice(["SELECT * FROM %s", "SELECT %s", "SELECT * FROM %s WITH ORDINALITY", "SELECT x, pg_typeof(x) FROM %s x",
                         "SELECT s, %s FROM generate_series(1, 3) s", "SELECT (%s)::text", "SELECT count(*) FROM %s x",
                         "SELECT DISTINCT %s::text COLLATE \"C\" AS t ORDER BY t", "SELECT * FROM generate_series(1, 2) s LEFT JOIN LATERAL %s x ON s = 1",
                         "SELECT * FROM ROWS FROM (%s, generate_series(1, 4)) x", "SELECT EXISTS (SELECT 1 FROM %s)",
                         "SELECT s, (SELECT string_agg(x::text, '|') FROM %s x WHERE s > 1) FROM generate_series(1, 2) s"]) % call + cut(g)


def by_column(g):
    """Over documents in a table's rows, one after another"""
    docs = Documents(g.rng)
    fields = fields_of(g)[:3]
    jsonb = g.chance(0.5)
    rows = ", ".join("(%d, %s)" % (i, document(g, docs.rows(fields), jsonb) if g.chance(0.9) else "NULL") for i in range(3))
    j = "json" + "b" * jsonb
    function = g.rng.choice(["%s_to_recordset(d) AS x(%s)" % (j, ", ".join("%s %s" % (quoted(n), t) for n, t in fields)), j + "_array_elements(d) AS x",
                             j + "_array_elements(d) AS x(o), " + j + "_each(CASE WHEN " + j + "_typeof(o) = 'object' THEN o END) AS y"])
    return "SELECT * FROM (VALUES %s) t(id, d)%s %s%s" % (rows, g.rng.choice([",", " CROSS JOIN LATERAL"]), function, cut(g))


def query(g):
    make = g.rng.choice([recordset, recordset, populated, parts, parts, by_column])
    return Query(make(g), [], "intake " + make.__name__)
