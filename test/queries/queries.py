"""Random queries with the extension's aggregates, against PostgreSQL's own functions."""
import psycopg2

# Values of each type, NULL comes by itself.  %d is the row's number.
VALUES = {
    "int2": ["%d", "-32768", "32767"],
    "int4": ["%d", "-2147483648", "0"],
    "int8": ["%d", "9223372036854775807", "-9223372036854775808"],
    "float4": ["%d.5", "'NaN'", "'-Infinity'", "1e-40", "'-0'"],
    "float8": ["%d / 7.0", "'NaN'", "'Infinity'", "1e300", "5e-324", "'-0'"],
    "numeric": ["%d.10", "'NaN'", "'-Infinity'", "1e400", "1e-400", "-0.000", "12345678901234567890.1234567890"],
    "numeric(10,2)": ["%d", "-99999999.99", "0.01"],
    "boolean": ["true", "false"],
    "text": ["'row %d'", "''", "E'\\u0001\\t\\n\"\\\\'", "'\u00e9\u20ac\U0001f600'", "repeat('x', 3000)", "'null'"],
    "varchar(5)": ["'%d'", "'a\"b'"],
    "char(4)": ["'%d'", "''"],
    "name": ["'n%d'"],
    '"char"': ["'x'"],
    "bytea": ["'\\xdeadbeef'", "''"],
    "date": ["'2000-01-01'::date + %d", "'infinity'", "'0044-03-15 BC'", "'5874897-12-31'"],
    "time": ["'12:34:56.789'", "'24:00'"],
    "timetz": ["'12:34:56+05:30'"],
    "timestamp": ["'2001-02-03 04:05:06.07'::timestamp + '%d h'", "'-infinity'", "'0044-03-15 01:02:03 BC'"],
    "timestamptz": ["'2001-02-03 04:05:06.07+00'::timestamptz + '%d d'", "'infinity'", "'1800-01-01'"],
    "interval": ["'%d h'", "'-1 y 2 mon -3 d'"],
    "uuid": ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"],
    "inet": ["'10.0.0.1/8'", "'::1'"],
    "macaddr": ["'08:00:2b:01:02:03'"],
    "money": ["%d"],
    "oid": ["%d", "4294967295"],
    "regclass": ["'pg_class'"],
    "xid": ["'%d'"],
    "pg_lsn": ["'16/B374D848'"],
    "bit(3)": ["B'101'"],
    "point": ["'(1,%d)'"],
    "tsvector": ["'a:1 b:2'"],
    "json": ["'{\"b\": %d, \"a\":1, \"a\":[ ]}'", "' null'", "'\"\\u00e9\"'", "'[1, {}]'"],
    "jsonb": ["'{\"b\": %d, \"a\": [1, null]}'", "'null'", "'[]'", "'1.50'", "'\"text\"'", "'{\"cols\":[\"a\"],\"rows\":[[1]]}'"],
    "jsonpath": ["'$.a'"],
    "int4range": ["'[1,%d9]'", "'empty'"],
    "int4multirange": ["'{[1,3),[5,8)}'"],
    "int4[]": ["'{1,%d,NULL}'", "'{}'", "'{{1,2},{3,4}}'", "'[2:3]={1,2}'"],
    "text[]": ["'{a,\"b c\",NULL}'"],
    "jsonb[]": ["ARRAY['{\"x\": %d}', NULL]::jsonb[]"],
    "timestamptz[]": ["'{2000-01-01,infinity}'"],
    "mood": ["'ok'"],
    "mood[]": ["'{sad,NULL}'"],
    "positive": ["1 + %d"],
    "short": ["'s%d'"],
    "point2": ["ROW(%d, 'p')", "ROW(NULL, NULL)"],
    "named_point": ["ROW(%d, 'p')::point2"],
    "point2[]": ["ARRAY[ROW(%d, 'p'), NULL]::point2[]"],
    "holder": ["ROW(%d, ROW(1, 'y'), ARRAY[ROW(2, 'z')]::point2[], NULL)", "ROW(NULL, NULL, NULL, ROW(1, 'd'))"],
    "deep": ["ROW('t', ROW(%d, NULL, NULL, NULL), ARRAY[ROW(1, NULL, NULL, NULL)]::holder[])"],
    "nothing": ["ROW()"],
}

NAMES = ["a", "b", "c", "d", "e", "f", '"A b"', '"q""q"', '"\u00e9"', '""""', '"order"', '"%"']
TABLES = 12


def unquoted(name):
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def literal(text):
    return "'%s'" % text.replace("'", "''")


class Table:
    """A table of random columns and rows; k counts the rows, g has few values."""

    def __init__(self, name, rng):
        self.name = name
        names = rng.sample(NAMES, rng.randrange(1, 8))
        self.columns = [(n, rng.choice(list(VALUES))) for n in names]
        self.nrows = rng.choice([0, 1, 2, 5, 33, 70, 200])
        self.dropped = rng.random() < 0.3
        self.rng = rng

    def cell(self, column_type, row):
        if self.rng.random() < 0.15:
            return "NULL"
        value = self.rng.choice(VALUES[column_type])
        return "(%s)::%s" % (value % row if "%d" in value else value, column_type)

    def create(self, db):
        columns = ["k int", "g int"] + ["dropped text"] * self.dropped + ["%s %s" % c for c in self.columns]
        db.run("CREATE TABLE %s (%s)" % (self.name, ", ".join(columns)))
        rows = [[str(row), str(row % 4)] + ["'x'"] * self.dropped + [self.cell(t, row) for _, t in self.columns] for row in range(self.nrows)]
        if rows:
            db.run("INSERT INTO %s VALUES %s" % (self.name, ", ".join("(%s)" % ", ".join(r) for r in rows)))
        if self.dropped:
            db.run("ALTER TABLE %s DROP dropped" % self.name)
        db.run("ALTER TABLE %s SET (parallel_workers = 2); ANALYZE %s" % (self.name, self.name))

    def names(self):
        return ["k", "g"] + [n for n, _ in self.columns]


class Source:
    """The FROM clause of a query, in our words and in PostgreSQL's."""

    def __init__(self, tables, rng, depth=0):
        self.rng, self.table = rng, rng.choice(tables)
        self.alias = "s%d" % depth
        self.nested = []
        inner = self.alias + "t"
        columns = rng.sample(self.table.names(), rng.randrange(1, len(self.table.names()) + 1))
        self.columns = ["k", "g"] + [c for c in columns if c not in ("k", "g")]
        ours, theirs = [[inner + "." + c for c in self.columns] for _ in range(2)]
        if depth < 2 and rng.random() < (0.5 if depth == 0 else 0.3):
            self.nest(tables, depth, inner, ours, theirs)
        where = rng.choice(["", "", " WHERE %s.k %% 3 > 0" % inner, " WHERE %s.k < 0" % inner])
        tail = rng.choice(["", " ORDER BY %s.k DESC" % inner, " OFFSET 1", " LIMIT 40"])
        self.marked, self.theirs = ["(SELECT %s FROM %s %s%s%s) %s" % (", ".join(c), self.table.name, inner, where, tail, self.alias)
                                  for c in (ours, theirs)]
        self.null_rows = depth == 0 and rng.random() < 0.1
        if self.null_rows:
            join = "generate_series(0, 5) n LEFT JOIN %s ON %s.k = n"
            self.marked, self.theirs = join % (self.marked, self.alias), join % (self.theirs, self.alias)
        self.ours, self.ours_json = self.marked.replace("@", ""), self.marked.replace("@", "_json")

    def nest(self, tables, depth, outer, ours, theirs):
        """A nested document as a column, by a correlated subquery or a lateral join's."""
        source = Source(tables, self.rng, depth + 1)
        alias = source.alias
        # at @, the name of a _json twin goes on
        aggregate = self.rng.choice(["jsonrow_agg@(%s)", "jsonrow_agg@(%s)", "jsoncol_agg@(%s)"]) % alias
        condition = self.rng.choice(["WHERE {a}.g = {o}.g", "WHERE {a}.k < {o}.k AND {a}.k < 9", "WHERE {a}.k < {o}.g HAVING {o}.k % 5 > 0"])
        condition = condition.format(a=alias, o=outer)
        name = self.rng.choice(['"nested"', '"k"', '"N d"'] if depth else ['"nested"', '"N d"'])
        self.nested.append(name)
        self.columns.append(name)
        ours.append("(SELECT %s FROM %s %s) AS %s" % (aggregate, source.marked, condition, name))
        theirs.append("(SELECT coalesce(jsonb_agg(%s), '[]') FROM %s %s) AS %s" % (alias, source.theirs, condition, name))

    def plain(self):
        """Columns whose cells are the same in a row as in an object."""
        return [c for c in self.columns if c not in self.nested]


class Queries:
    def __init__(self, run, rng):
        self.run, self.rng, self.db = run, rng, run.db
        self.count = self.errors = self.nulls = 0
        self.generation = 0

    # What is compared: two queries for one value, ours and PostgreSQL's.

    def modified(self, source, argument, sorted_below):
        """ORDER BY, DISTINCT inside the call, FILTER and the like behind it.

        A sort below leaves rows of the same key in an order of its own, so
        there an order must be asked for.
        """
        s = source.alias
        inside = self.rng.choice(["%s", "%s"] * (not sorted_below) + ["%s ORDER BY " + s + ".g, " + s + ".k", "%s ORDER BY " + s + ".k DESC NULLS FIRST"])
        if argument == s and self.rng.random() < 0.1:
            inside = "DISTINCT %s"
        behind = self.rng.choice(["", "", "", " FILTER (WHERE %s.k %% 2 = 0)" % s, " FILTER (WHERE false)"])
        return lambda a: (inside % a, behind)

    def wrapped(self, s, expression, text, wrapper):
        """The aggregate in a plain, grouped or window query."""
        if wrapper == "group":
            return "SELECT jsonb_agg(w ORDER BY g) FROM (SELECT %s.g, %s AS w FROM %s GROUP BY 1) q" % (s, expression % "", text)
        if wrapper == "sets":
            return "SELECT jsonb_agg(w ORDER BY g, w) FROM (SELECT %s.g, %s AS w FROM %s GROUP BY GROUPING SETS ((1), ())) q" % (s, expression % "", text)
        if wrapper == "window":
            over = " OVER (PARTITION BY %s.g ORDER BY %s.k ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)" % (s, s)
            return "SELECT jsonb_agg(w ORDER BY k) FROM (SELECT %s.k, %s AS w FROM %s) q" % (s, expression % over, text)
        return "SELECT %s FROM %s" % (expression % "", text)

    def pair(self, source, ours, theirs, argument, their_argument, texts=None):
        """Queries of both sides; ours and theirs are calls, with {} and {over} where their arguments and what follows go."""
        wrapper = self.rng.choice(["", "", "", "group", "sets", "window"])
        modified = self.modified(source, argument, wrapper in ("group", "sets"))
        if wrapper == "window":
            modified = lambda a: (a, "")
        result = []
        texts = texts or (source.ours_json if "_json" in ours else source.ours, source.theirs)
        for text, expression, a in zip(texts, (ours, theirs), (argument, their_argument)):
            inside, behind = modified(a)
            call = expression.replace("%", "%%").replace("{}", inside.replace("%", "%%")).replace("{over}", behind.replace("%", "%%") + "%s")
            result.append(self.wrapped(source.alias, call, text, wrapper))
        return result

    def law_1(self, source):
        agg = self.rng.choice(["jsonrow_agg", "jsonrow_agg"] + ["jsoncol_agg"] * (not source.null_rows))
        twin, cast = self.rng.choice([("", ""), ("", ""), ("_json", "::jsonb")])
        call, argument = "%s%s({}){over}%s" % (agg, twin, cast), source.alias
        if self.rng.random() < 0.4 and not source.null_rows:
            names = ", ".join(literal(unquoted(c)) for c in source.columns)
            call = call.replace("{}", "ARRAY[%s], {}" % names)
            argument = ", ".join("%s.%s" % (source.alias, c) for c in source.columns)
        return self.pair(source, "jsonrow_to_objects(%s)" % call, "coalesce(jsonb_agg({}){over}, '[]')", argument, source.alias)

    def law_2(self, source):
        columns = ", ".join("%s.%s" % (source.alias, c) for c in (source.plain() or ["k"]))
        return self.pair(source, "jsonrow_array_agg({}){over}", "coalesce(jsonb_agg({}){over}, '[]')", columns, "jsonb_build_array(%s)" % columns)

    def law_3(self, source):
        """Twins, of the same rows: our own text against our own jsonb."""
        agg = self.rng.choice(["jsonrow_agg", "jsoncol_agg", "jsonrow_array_agg"])
        return self.pair(source, agg + "_json({}){over}::jsonb", agg + "({}){over}", source.alias, source.alias,
                         (source.ours if agg == "jsonrow_array_agg" else source.ours_json, source.ours))

    def document(self, source):
        agg = self.rng.choice(["jsonrow_agg", "jsoncol_agg"])
        return "(SELECT %s(%s)::jsonb AS doc FROM %s) d" % (agg, source.alias, source.ours)

    def law_4(self, source):
        r, c = self.rng.choice([0, 1, 2, 31, 32, 33, -1, -2, 500]), self.rng.choice(source.columns)
        key = self.rng.choice([str(self.rng.randrange(-len(source.columns), len(source.columns))), literal(unquoted(c))])
        left, right = self.rng.choice([
            ("jsonrow_get(doc, {r}, {k})", "doc #> jsonrow_path(doc, {r}, {k})"),
            ("to_jsonb(jsonrow_get_text(doc, {r}, {k}))", "to_jsonb(doc #>> jsonrow_path(doc, {r}, {k}))"),
            ("jsonrow_row(doc, {r})", "jsonrow_to_rows(doc) -> 'rows' -> {r}"),
            ("jsonrow_object(doc, {r})", "jsonrow_to_objects(doc) -> {r}"),
            ("jsonrow_to_objects(jsonrow_slice(doc, 1, 34)) -> {r}", "CASE WHEN {r} BETWEEN 0 AND 33 THEN jsonrow_to_objects(doc) -> ({r} + 1)"
             " ELSE jsonrow_to_objects(jsonrow_slice(doc, 1, 34)) -> {r} END"),
            ("jsonrow_set(doc, {r}, {k}, 'null')", "coalesce(jsonb_set(doc, jsonrow_path(doc, {r}, {k}), 'null'), doc)"),
            ("jsonb_agg(doc->'cols'->0) FILTER (WHERE jsonrow_find(doc, 'k', jsonrow_get(doc, {r}, 'k')) >= 0)",
             "jsonb_agg(doc->'cols'->0) FILTER (WHERE jsonrow_get(doc, {r}, 'k') IS NOT NULL)"),
        ])
        if r < 0 and "BETWEEN" in right:
            r = 3
        document = self.document(source)
        return ["SELECT %s FROM %s" % (e.format(r=r, k=key), document) for e in (left, right)]

    def law_5(self, source):
        document = self.document(source)
        size = self.rng.choice([1, 300, 2000])
        return ["SELECT %s FROM %s" % (e, document) for e in self.rng.choice([
            ("(SELECT jsonrow_concat_agg(h.doc ORDER BY first_row)::jsonb FROM jsonrow_chunks(d.doc, %d) h)" % size, "doc"),
            ("jsonrow_to_rows(jsonrow_to_columns(jsonrow_to_rows(doc)))", "jsonrow_to_rows(jsonrow_to_columns(doc))"),
            ("jsonrow_concat(jsonrow_slice(doc, 0, 5), jsonrow_slice(doc, 5, 1000))", "doc"),
            ("to_jsonb(jsonrow_count(doc))", "to_jsonb(jsonb_array_length(jsonrow_to_objects(doc)))"),
            ("to_jsonb(jsonrow_is_valid(doc))", "to_jsonb(true)"),
        ])]

    def law_6(self, source):
        table = source.table
        agg = self.rng.choice(["jsonrow_agg", "jsoncol_agg"])
        rows = "SELECT jsonb_agg(p::text) FROM %s_populate_recordset(null::%s, (SELECT %s FROM %s t)) p"
        if self.rng.random() < 0.5:
            return rows % ("jsonrow", table.name, agg + "(t)", table.name), rows % ("jsonb", table.name, "coalesce(jsonb_agg(t), '[]')", table.name)
        types = dict(zip(table.names(), ["int", "int"] + [t for _, t in table.columns]))
        columns = self.rng.sample(list(types), self.rng.randrange(1, len(types) + 1)) + ["unknown"]
        types["unknown"] = "text"
        definition = ", ".join("%s %s" % (c, types[c] if self.rng.random() < 0.8 else self.rng.choice(["jsonb", "json"])) for c in columns)
        rows = "SELECT jsonb_agg(p::text) FROM %s_to_recordset((SELECT %s FROM %s t)) p(%s)"
        return rows % ("jsonrow", agg + "(t)", table.name, definition), rows % ("jsonb", "coalesce(jsonb_agg(t), '[]')", table.name, definition)

    def law_6_nested(self, source):
        """Nested documents as columns of a recordset: objects again, as PostgreSQL reads them of objects."""
        definition = ", ".join(["k int"] + ["%s %s" % (n, self.rng.choice(["jsonb", "json", "text"])) for n in source.nested if n != '"k"'])
        agg = self.rng.choice(["jsonrow_agg", "jsoncol_agg"])
        # PostgreSQL refuses a null among the objects.
        rows = "SELECT jsonb_agg(p::text) FROM %%s_to_recordset((SELECT %%s FROM %%s WHERE %s.k >= 0)) p(%%s)" % source.alias
        return (rows % ("jsonrow", "%s(%s)" % (agg, source.alias), source.ours, definition),
                rows % ("jsonb", "coalesce(jsonb_agg(%s), '[]')" % source.alias, source.theirs, definition))

    def settings(self):
        """Plans of all kinds.  A parallel plan's rows come in any order, so they are sorted."""
        parallel = self.rng.random() < 0.25
        for name, value in [("max_parallel_workers_per_gather", 2 if parallel else 0), ("parallel_setup_cost", 0), ("parallel_tuple_cost", 0),
                            ("min_parallel_table_scan_size", 0), ("enable_hashagg", self.rng.choice(["on", "off"])),
                            ("enable_partitionwise_aggregate", "on"), ("work_mem", self.rng.choice(["64kB", "64MB"])),
                            ("plan_cache_mode", "auto"), ("enable_sort", self.rng.choice(["on", "on", "off"])),
                            ("jsonrow.header", self.rng.choice(["names", "types"])), ("jsonrow.big_numbers", "number")]:
            self.db.run("SET %s = '%s'" % (name, value))
        return parallel

    def parallel_law(self, tables):
        """Partial states, shipped from workers and combined, against a plain aggregate."""
        table = self.rng.choice(tables)
        agg = self.rng.choice(["jsonrow_agg(t)", "jsoncol_agg(t)", "jsonrow_agg_json(t)::jsonb", "jsoncol_agg_json(t)::jsonb",
                               "jsonrow_agg(ARRAY['k', 'g'], k, g)", "jsonrow_concat_agg(t.one)"])
        source = table.name + " t"
        rows = "(SELECT * FROM %s) t" % table.name
        theirs = "jsonb_agg(t ORDER BY k)"
        if "ARRAY" in agg:
            theirs = "jsonb_agg(jsonb_build_object('k', k, 'g', g) ORDER BY k)"
        if "concat" in agg:
            source = "(SELECT (SELECT jsonrow_agg(i) FROM (SELECT o.*) i) AS one FROM %s o) t" % table.name
        ours = "SELECT jsonb_agg(o ORDER BY (o->>'k')::int) FROM (SELECT jsonrow_to_objects(%s) AS d FROM %s) q, jsonb_array_elements(d) o" % (agg, source)
        return ours, "SELECT %s FROM %s" % (theirs, rows)

    # The comparison

    def answer(self, query):
        """(SQLSTATE or None, the bytes, the text)"""
        try:
            value = self.db.value("SELECT fuzz_bytes(x) FROM (%s) q(x)" % query)
            return None, None if value is None else bytes(value)
        except psycopg2.Error as error:
            if self.db.connection.closed or not error.pgcode:
                raise
            return error.pgcode, str(error).strip()

    def show(self, query):
        try:
            return str(self.db.value("SELECT x::text FROM (%s) q(x)" % query))[:400]
        except psycopg2.Error as error:
            return str(error).strip()[:400]

    def compare(self, law, ours, theirs):
        self.count += 1
        try:
            got, want = self.answer(ours), self.answer(theirs)
        except (psycopg2.OperationalError, psycopg2.InterfaceError) as error:
            self.run.crashed("queries", law, error, lambda round: ours)
            return
        self.errors += bool(want[0] or got[0])
        self.nulls += want == (None, None)
        if (got[0] or "")[:2] == "XX":
            self.run.failure("queries", law, "%s: %s" % got, ours)
        elif got[0] != want[0] if got[0] or want[0] else got != want:
            self.run.failure("queries", law, "differs" if not got[0] or not want[0] else "another error",
                             "%s\n  AGAINST %s\n  GIVES   %s\n  AGAINST %s" % (ours, theirs, self.show(ours), self.show(theirs)))

    def make_tables(self):
        self.generation += 1
        tables = [Table("t%d_%d" % (self.generation, i), self.rng) for i in range(TABLES)]
        for table in tables:
            table.create(self.db)
        return tables

    def generation_of_queries(self, tables):
        for _ in range(250):
            if self.run.is_over():
                return
            if self.settings():
                self.compare("parallel", *self.parallel_law(tables))
                continue
            source = Source(tables, self.rng)
            law = self.rng.choice([self.law_1] * 4 + [self.law_2] * 3 + [self.law_3] * 2 + [self.law_4, self.law_5, self.law_6, self.law_6, self.law_6_nested])
            self.compare(law.__name__, *law(source))

    def fuzz(self):
        while not self.run.is_over():
            tables = self.make_tables()
            self.generation_of_queries(tables)
            for table in tables:
                self.db.run("DROP TABLE " + table.name)
            self.run.round_done()
        return "%d queries (%d of them errors, %d NULL)" % (self.count, self.errors, self.nulls)
