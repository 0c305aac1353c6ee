"""What is done with a query: run as it is, prepared, in a function, stored, as a part of INSERT and the like.

A program is a list of statements; "@on" and "@off" among them switch the
settings that are tested, where they are tested at all.
"""
import re

from queries import literal

# Some queries run as this one.
ROLE = "jsonrow_same_role"

# Textual mutations: one of the places is changed.  What PostgreSQL does not
# understand afterwards is run unchanged.
MUTATIONS = [
    (r"\bjson_agg\(", "jsonb_agg("), (r"\bjsonb_agg\(", "json_agg("),
    (r"\bjson(b?)_agg\((?!DISTINCT)", r"json\1_agg(DISTINCT "),
    (r"\brow_to_json\(", "to_json("), (r"\brow_to_json\(", "to_jsonb("), (r"\bto_jsonb\(", "to_json("),
    (r"::jsonb", "::json"),
    (r"::json\b", "::jsonb"), (r"::jsonb?\b", ""), (r"\bLEFT( OUTER)? JOIN", "FULL JOIN"),
    (r"\bLEFT( OUTER)? JOIN", "RIGHT JOIN"),
    (r"\bLEFT( OUTER)? JOIN", "JOIN"), (r"(?<! LEFT)(?<! RIGHT)(?<! FULL)(?<! CROSS) JOIN", " LEFT JOIN"),
    (r"\bSELECT (?!DISTINCT)", "SELECT DISTINCT "),
    (r" ORDER BY [\w.\"]+( ASC| DESC)?", ""), (r" LIMIT \d+", ""), (r" WHERE ", " WHERE NOT "),
    (r"(\w+)\.id\b", r"\1.ref"),
    (r"(\w+)\.ref\b", r"\1.id"), (r"'\[\]'", "'{}'"), (r"'\[\]'", "NULL"), (r"\bcoalesce\(", "nullif("),
    (r" ON (true|TRUE)\b", " ON false"),
    (r"json(b?)_build_array\(", r"json\1_build_object("), (r"\bjsonb_build_object\(", "json_build_object("),
    (r"\bjson_build_object\(", "jsonb_build_object("), (r"\bjson_build_array\(", "jsonb_build_array("),
    (r"\(SELECT \* FROM", "(SELECT *, 1 AS one FROM"),
    (r"\bFROM \(SELECT ", "FROM (SELECT ALL "), (r"\bAS MATERIALIZED ", "AS "), (r"\bLIMIT ", "OFFSET "),
    (r"(\w+) AS (\w+)(?= FROM)", r"\1 AS \2, \1 AS twice"),
    (r"\((\w+)\)(?= FROM)", r"((SELECT \1))"), (r"\((\w+)\.\*\)", r"(ROW(\1.*))"),
    (r" FROM (\w+) AS (\w+)", r" FROM \1 AS \2 TABLESAMPLE SYSTEM (100)"),
    (r"\)(?= AS \w+ FROM)", ") FILTER (WHERE true)"), (r"jsonb?_agg\((?=[^()]*\))", r"array_agg("),
    (r"'(\w+)', ", r"'\1', NULL, 'a', "),
    (r"\bAS (\w+)$", r"AS \1 FETCH FIRST 1 ROW WITH TIES"), (r"\bjson_agg\(", "jsonrow_agg_json("),
    (r"\bjsonb_agg\(", "jsonrow_objects_agg("),
]



def mutated(text, rng, mutations=None):
    for _ in range(rng.choice([1, 1, 2, 3])):
        pattern, replacement = rng.choice(mutations or MUTATIONS)
        places = list(re.finditer(pattern, text))
        if places:
            place = rng.choice(places)
            text = text[:place.start()] + place.expand(replacement) + text[place.end():]
    return text


def parametrized(text, rng):
    """(text with $1 etc. instead of some constants, their types, their values)"""
    places = [(m.start(), m.end(), "text", literal(m.group(1) if m.group(1) is not None else m.group(2)))
              for m in re.finditer(r"\('((?:[^']|'')*)'\)::text|'((?:[^']|'')*)'::text", text)
              if "''" not in m.group()]
    places += [(m.start(1), m.end(1), "int", m.group(1)) for m in re.finditer(r"(?:LIMIT|OFFSET|>|% 2 =) (\d+)", text)]
    chosen = sorted(rng.sample(places, min(len(places), rng.randrange(0, 6))), reverse=True)
    for n, (start, end, _, _) in enumerate(chosen, 1):
        text = text[:start] + "$%d" % n + text[end:]
    return text, [t for _, _, t, _ in chosen], [v for _, _, _, v in chosen]


class Programs:
    """The ways to run a query; each gives statements."""

    def __init__(self, rng, version, has_bytes):
        self.rng, self.version, self.has_bytes = rng, version, has_bytes

    def random(self, query):
        """(name of the way, statements)"""
        ways = [(12, self.plain), (3, self.prepared), (1, self.cursor), (1, self.table), (1, self.view),
                (1, self.insert), (1, self.sql_function),
                (1, self.plpgsql), (0.7, self.loop), (1, self.wrapped), (0.7, self.copied), (0.5, self.explain_free),
                (0.7, self.altered), (0.5, self.revoked), (0.2, self.dropped)]
        if self.has_bytes and len(query.columns) == 1 and query.columns[0][1] == "jsonb":
            ways.append((8, self.bytes))
        way = self.rng.choices([w for _, w in ways], [n for n, _ in ways])[0]
        return way.__name__, way(query.text)

    def plain(self, text):
        return [text]

    def bytes(self, text):
        """Not what a jsonb prints but what it is"""
        return ["SELECT public.fuzz_bytes(x) FROM (%s) z(x)" % text]

    def prepared(self, text):
        text, types, values = parametrized(text, self.rng)
        head = "PREPARE p%s AS %s" % ("(%s)" % ", ".join(types) if types else "", text)
        execute = "EXECUTE p%s" % ("(%s)" % ", ".join(values) if values else "")
        mode = "SET LOCAL plan_cache_mode = %s" % self.rng.choice(["auto", "force_generic_plan", "force_custom_plan"])
        others = [self.rng.choice(["NULL", v, "'other'" if t == "text" else "1"]) for t, v in zip(types, values)]
        other = "EXECUTE p%s" % ("(%s)" % ", ".join(others) if values else "")
        runs = self.rng.choice([[execute], [execute] * 2, [execute, other, execute], [other, execute] * 6,
                                [execute] * 7, [execute, "@off", execute, "@on", execute],
                                [execute] * 6 + ["@off", execute, "@on", execute]])
        return [mode, head] + runs

    def cursor(self, text):
        kind = self.rng.choice(["", "NO SCROLL ", "INSENSITIVE ", "SCROLL "])
        hold = self.rng.choice(["", "", " WITH HOLD"])
        fetches = self.rng.choice([["FETCH 2 FROM c", "FETCH ALL FROM c"], ["FETCH ALL FROM c"],
                                   ["FETCH 1 FROM c", "@off", "FETCH 1 FROM c", "@on"],
                                   ["MOVE 1 FROM c", "FETCH ALL FROM c"]])
        if kind == "SCROLL ":
            fetches = fetches + ["FETCH BACKWARD ALL FROM c"]
        return ["DECLARE c %sCURSOR%s FOR %s" % (kind, hold, text)] + fetches

    def table(self, text):
        return [self.rng.choice(["CREATE TEMP TABLE stored AS %s", "CREATE TEMP TABLE stored ON COMMIT DROP AS %s"]) %
                text, "SELECT * FROM stored",
                "SELECT attname, atttypid::regtype FROM pg_attribute"
                " WHERE attrelid = 'stored'::regclass AND attnum > 0 ORDER BY attnum"]

    def view(self, text):
        """A view must not store what took another function's place."""
        use = self.rng.choice(["SELECT * FROM seen", "SELECT json_agg(seen) FROM seen",
                               "SELECT jsonb_agg(to_jsonb(s)) FROM seen s"])
        kind = self.rng.choice(["VIEW", "VIEW", "MATERIALIZED VIEW"])
        return ["CREATE %s seen AS %s" % (kind, text), use, "SELECT pg_get_viewdef('seen'::regclass)", "@off", use,
                "@on", use]

    def insert(self, text):
        returning = self.rng.choice(["*", "row_to_json(sink), to_jsonb(sink.*)",
                                     "json_build_array(sink), (SELECT json_agg(p) FROM pairs(2) p)"])
        return ["CREATE TEMP TABLE sink AS %s WITH NO DATA" % text, "INSERT INTO sink %s RETURNING %s" %
                (text, returning),
                self.rng.choice(["SELECT * FROM sink",
                                 "WITH d AS (DELETE FROM sink RETURNING *) SELECT json_agg(d) FROM d"])]

    def sql_function(self, text):
        body = "SELECT array_agg(z::text) FROM (%s) z" % text
        form = self.rng.choice(["AS $f$%s$f$", "BEGIN ATOMIC %s; END"])
        kind = self.rng.choice(["STABLE", "VOLATILE"])
        # pg_temp is not where a function is looked for without saying so
        return ["CREATE FUNCTION f() RETURNS text[] LANGUAGE sql %s %s" % (kind, form % body), "SELECT f()",
                "SELECT f() FROM generate_series(1, 2)", "SELECT pg_get_functiondef('f'::regproc)"]

    def plpgsql(self, text):
        text, types, values = parametrized(text, self.rng)
        body = "BEGIN RETURN (SELECT array_agg(z::text) FROM (%s) z); END" % text
        call = "SELECT f(%s)" % ", ".join(values)
        return ["CREATE FUNCTION f(%s) RETURNS text[] LANGUAGE plpgsql AS $f$%s$f$" % (", ".join(types), body),
                call, call, "@off", call, "@on", call]

    def loop(self, text):
        query = self.rng.choice(["%s", "EXECUTE $q$%s$q$"]) % text
        return ["CREATE FUNCTION f() RETURNS SETOF text LANGUAGE plpgsql AS"
                " $f$DECLARE r record; BEGIN FOR r IN %s LOOP RETURN NEXT r::text;"
                " END LOOP; END$f$" % query, "SELECT * FROM f()"]

    def wrapped(self, text):
        return [self.rng.choice(["SELECT * FROM (%s) z", "SELECT json_agg(z) FROM (%s) z",
                                 "SELECT ARRAY(SELECT z::text FROM (%s) z)",
                                 "SELECT EXISTS (%s)", "SELECT count(z) FROM (%s) z",
                                 "SELECT to_jsonb(z) FROM (%s) z LIMIT 2",
                                 "WITH w AS (%s) SELECT jsonb_agg(w), json_agg(to_json(w)) FROM w",
                                 "SELECT jsonb_agg(z)::text FROM (%s) z GROUP BY z::text ORDER BY z::text",
                                 "SELECT z FROM (%s) z ORDER BY z::text",
                                 "SELECT md5(string_agg(z::text, '')) FROM (%s) z"]) % text]

    def copied(self, text):
        """To a table's column of text: COPY plans its query itself"""
        return ["COPY (%s) TO STDOUT" % text]

    def altered(self, text):
        """What a prepared plan knew of has changed."""
        names = re.findall(r"(?:FROM|JOIN|from|join) (\w+\d+_\d+) ", text) or ["t0_0"]
        kind, name = "TABLE", self.rng.choice(names)
        if name.startswith("v"):
            kind = "VIEW"
        changes = ["ALTER TYPE pair RENAME ATTRIBUTE x TO renamed", "ALTER TYPE pair RENAME ATTRIBUTE y TO renamed",
                   "ALTER %s %s RENAME COLUMN ref TO renamed" % (kind, name),
                   "ALTER TABLE %s ADD more_of_it int DEFAULT 1" % name,
                   "ALTER TABLE %s DROP ref CASCADE" % name,
                   "CREATE CAST (mood AS json) WITH FUNCTION mood_json(mood)",
                   "DROP CAST (twice AS json)", "ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'"]
        change = self.rng.choice(changes)
        head = ["CREATE FUNCTION mood_json(v mood) RETURNS json IMMUTABLE LANGUAGE sql AS $f$SELECT json '[ 0]'$f$"]
        head *= "mood_json" in change
        mode = "SET LOCAL plan_cache_mode = %s" % self.rng.choice(["auto", "force_generic_plan"])
        return [mode, "PREPARE p AS " + text, "EXECUTE p"] + head + [change, "EXECUTE p"]

    def revoked(self, text):
        """Who may not call a function may not call it by another name."""
        names = r"\b(?:jsonb?_(?:agg|object_agg|build_object|build_array)|row_to_json|to_jsonb?|array_to_json)(?=\()"
        found = re.findall(names, text, re.I)
        function = self.rng.choice(found or ["json_agg"]).lower()
        which = "= '%s'" % function
        if self.rng.random() < 0.3:
            which = "LIKE 'jsonrow_core%%%s%%'" % self.rng.choice([function, ""])
        revoke = ("DO $f$DECLARE f text; BEGIN FOR f IN SELECT oid::regprocedure FROM pg_proc WHERE proname %s"
                  " LOOP EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || f || ' FROM PUBLIC'; END LOOP; END$f$" % which)
        role = "SET LOCAL ROLE %s" % ROLE
        if self.rng.random() < 0.5:
            return [revoke, role, text]
        return ["PREPARE p AS " + text, "EXECUTE p", revoke, role, "EXECUTE p"]

    def dropped(self, text):
        """The extension may go, and be somewhere else."""
        change = self.rng.choice(["DROP EXTENSION jsonrow CASCADE", "ALTER EXTENSION jsonrow SET SCHEMA w"])
        return ["PREPARE p AS " + text, "EXECUTE p", change, "EXECUTE p", text, "SELECT json_agg(p) FROM pairs(2) p"]

    def explain_free(self, text):
        """The setting is switched between parse and use, in one session"""
        return [text, "@off", text, "@on", text]


class Writes:
    """Statements that write, and say in JSON what they wrote"""

    def __init__(self, grammar):
        self.g, self.rng = grammar, grammar.rng

    def random(self):
        g = self.g
        r = self.rng.choice([r for r in g.world.relations if re.match("t|part|parent|single", r.name) and not r.nasty])
        item = g.relation_of(r)
        targets = ", ".join("%s AS %s" % (g.json([item], 1)[0], n) for n in ["j", "k"][:self.rng.choice([1, 2])])
        where = " WHERE %s" % g.condition([item]) if g.chance(0.5) else ""
        kind = self.rng.choice(["update", "delete", "insert", "merge", "cte", "from", "set"])
        name, alias = item.text.split(" AS ")
        if kind == "update":
            return ["UPDATE %s AS %s SET ref = ref + 1%s RETURNING %s" % (name, alias, where, targets),
                    "SELECT json_agg(t ORDER BY t::text) FROM %s t" % name]
        if kind == "delete":
            return ["DELETE FROM %s AS %s%s RETURNING %s" % (name, alias, where, targets)]
        if kind == "insert":
            inner = g.select(1, [], "aggregates", 1)
            return ["INSERT INTO %s AS %s (id, ref) SELECT 100, length((%s)::text) RETURNING %s" % (name, alias,
                inner.text, targets)]
        if kind == "from":
            other = g.subquery_item(1, [], False)
            return ["UPDATE %s AS %s SET ref = 7 FROM %s%s RETURNING %s" % (
                name, alias, other.text, where or " WHERE true",
                ", ".join(g.json([item, other], 1)[0] for _ in range(2)))]
        if kind == "cte":
            write = self.rng.choice(["DELETE FROM %s AS %s", "UPDATE %s AS %s SET ref = 1"]) % (name, alias)
            return ["WITH w AS (%s%s RETURNING %s) SELECT json_agg(w), jsonb_agg(w.*) FROM w" % (write, where,
                targets)]
        if kind == "set":
            column = [n for n, t in r.columns if t in ("json", "jsonb")]
            if column:
                inner = g.select(1, [item], "aggregates", 1)
                return ["UPDATE %s AS %s SET %s = to_json((%s))%s" % (name, alias,
                                                                      '"%s"' % column[0].replace('"', '""'),
                                                                      inner.text, where),
                        "SELECT json_agg(t ORDER BY t::text) FROM %s t" % name]
        source = g.subquery(1, [], single=True)
        returning = " RETURNING merge_action(), %s" % targets if g.version >= 170000 else ""
        return ["MERGE INTO %s AS %s USING (SELECT 1 AS one, z FROM (%s) AS z(z)) m ON %s.id = one"
                " WHEN MATCHED THEN UPDATE SET ref = length(z::text)"
                " WHEN NOT MATCHED THEN INSERT (id, ref) VALUES (200, length(json_build_array(z)::text))%s" % (
                    name, alias, source.text, alias, returning), "SELECT json_agg(t ORDER BY t::text) FROM %s t" %
                name]
