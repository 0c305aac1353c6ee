"""Calls of every function of the extension, made up from the catalog."""
import documents

COMPOSITES = ["flat", "narrow", "holder", "deep", "documents", "texts", "times", "nothing"]
SCALARS = ["integer", "bigint", "boolean", "numeric", "text", "name", "timestamptz", "mood"]
ARRAYS = ["text_array", "integer_array", "jsonb_array", "flat_array"]
DOCUMENTS = ["jsonb", "json", "jsonrow", "jsonrow_json"]

# Which pools serve a parameter of a type; those named twice more often.
POOLS = {
    "jsonb": ["jsonb", "jsonb", "near", "external", "compressed"],
    "json": ["json", "near_json"],
    "jsonrow": ["jsonrow"],
    "jsonrow_json": ["jsonrow_json"],
    "text[]": ["text_array"],
    "timestamp with time zone": ["timestamptz"],
    "double precision": ["float8"],
    "record": COMPOSITES,
    "anyelement": COMPOSITES * 2 + SCALARS + DOCUMENTS,
    "anyarray": ARRAYS,
    '"any"': COMPOSITES + DOCUMENTS * 3 + SCALARS + ARRAYS,
}
for name in ["integer", "bigint", "boolean", "numeric", "text", "name", "refcursor"]:
    POOLS[name] = [name]

COLUMN_TYPES = ["int", "text", "numeric", "jsonb", "json", "jsonrow", "jsonrow_json", "point2", "point2[]", "holder",
                "flat[]", "positive", "short", "text[]", "varchar(3)", "timestamptz", "named_point", "mood", "documents"]

# Types that only the executor can pass
INTERNAL = {"internal", "cstring", "trigger", "event_trigger", "index_am_handler"}

FUNCTIONS = """
    SELECT p.oid::regprocedure::text, quote_ident(proname), prokind, proretset, provariadic::regtype::text,
        ARRAY(SELECT format_type(t, NULL) FROM unnest(proargtypes::oid[]) WITH ORDINALITY u(t, i) ORDER BY i),
        format_type(prorettype, NULL), prorettype = 'record'::regtype AND proallargtypes IS NULL
    FROM pg_depend d JOIN pg_proc p ON p.oid = objid
    WHERE classid = 'pg_proc'::regclass AND refclassid = 'pg_extension'::regclass AND deptype = 'e'
        AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'jsonrow')
    ORDER BY 1"""


# Where values of any type become JSON text or a bare array, PostgreSQL's own
# jsonb_out and to_jsonb do what they do for it: they trust what is stored, and
# crash by themselves over damage.
POLYMORPHIC = {"record", "anyelement", "anyarray", '"any"'}
PRINTED = {"json", "jsonrow_json", "text", "jsonb"}
TRUSTED = {"jsonb", "jsonrow", "documents", "near", "external", "compressed"}


class Function:
    def __init__(self, row):
        (self.signature, self.name, self.kind, self.is_set, self.variadic, self.types, self.result,
         self.wants_columns) = row

    def callable(self):
        """Aggregates' own functions and the planner's are called through these."""
        return not INTERNAL & set(self.types + [self.result])

    def is_question(self):
        """Whoever asks whether a value is a document wants an answer, not an error."""
        return self.result == "boolean"

    def trusts(self):
        return bool(POLYMORPHIC & set(self.types)) and self.result in PRINTED

    def problem(self):
        unknown = [t for t in self.types if t not in POOLS]
        if unknown:
            return "the fuzzer has no values of type " + unknown[0]
        if self.kind not in "fa":
            return "the fuzzer does not know how to call it"


def functions(db):
    return [Function(row) for row in db.rows(FUNCTIONS)]


class Statement:
    """A statement being made up, and the pools its parameters come from."""

    def __init__(self, function, rng, sink, small):
        self.function, self.rng, self.sink, self.small = function, rng, sink, small
        self.pools = []

    def choose(self, type_name):
        # What is sound can only be wrong by what it says, and the large say much the same.
        if type_name == "jsonb" and self.sink == "fuzz_check" and self.rng.random() < 0.8:
            return "near"
        return self.rng.choice(POOLS[type_name])

    def parameter(self, pool):
        if self.function.trusts() and pool in TRUSTED:
            return self.add("good_" + (pool if pool in ("jsonrow", "documents") else "jsonb"))
        first = not any(p.startswith("p_small") for p in self.pools)
        if self.small and first and pool in ("jsonb", "near", "external", "compressed"):
            pool = "small"
        elif self.small and first and pool in ("json", "near_json", "jsonrow", "jsonrow_json"):
            pool = "small_" + pool.replace("near_", "")
        return self.add(("stored_" if pool in ("external", "compressed") else "p_") + pool)

    def add(self, pool):
        self.pools.append(pool)
        return "$%d" % len(self.pools)

    def columns(self):
        """A column definition list for what returns records."""
        names = self.rng.sample(["a", "b", "c", "d", "x", "unknown"], self.rng.randrange(1, 5))
        return "(%s)" % ", ".join("%s %s" % (n, self.rng.choice(COLUMN_TYPES)) for n in names)

    def variadic(self):
        """The pools of a VARIADIC "any"'s values, and the word before."""
        if self.rng.random() < 0.15:
            return [self.rng.choice(ARRAYS)], "VARIADIC "
        return [self.choose('"any"') for _ in range(self.rng.randrange(1, 4))], ""

    def of_function(self):
        pools, prefix = [self.choose(t) for t in self.function.types], ""
        if self.function.variadic == '"any"':
            more, prefix = self.variadic()
            pools = pools[:-1] + more
        arguments = [self.parameter(p) for p in pools]
        arguments[-1:] = [prefix + a for a in arguments[-1:]]
        call = "%s(%s)" % (self.function.name, ", ".join(arguments))
        if self.function.wants_columns:
            return "SELECT count(%s(r)) FROM %s r%s" % (self.sink, call, self.columns())
        if self.function.is_set and self.rng.random() < 0.7:
            return "SELECT count(%s(r)) FROM %s r" % (self.sink, call)
        return "SELECT %s(r) FROM (SELECT %s AS r OFFSET 0) s" % (self.sink, call)

    def cells(self):
        """Of an aggregate: the pools of its columns, what precedes them, the word before the last."""
        if self.function.variadic != '"any"':
            return [self.choose(t) for t in self.function.types], "", ""
        pools, prefix = self.variadic()
        if len(self.function.types) == 1:
            return pools, "", prefix
        names = ", ".join("'%s'" % "abcd"[i] for i in range(len(pools)))
        if self.rng.random() < 0.2:
            return pools, self.parameter("text_array") + ", ", prefix
        return pools, "ARRAY[%s], " % names, prefix

    def of_aggregate(self):
        pools, names, prefix = self.cells()
        values = ["(%s)" % ", ".join([str(i)] + [self.parameter(p) for p in pools]) for i in range(self.rng.randrange(1, 4))]
        columns = ["c%d" % i for i in range(len(pools))]
        arguments = ", ".join(columns[:-1] + [prefix + c for c in columns[-1:]])
        tail = self.rng.choice(["", "", " GROUP BY o % 2"])
        over = self.rng.choice(["", " OVER (ORDER BY o)"]) if not tail else ""
        inside = " ORDER BY o DESC" if not over and self.rng.random() < 0.2 else ""
        return "SELECT %s(%s(%s%s%s)%s) FROM (VALUES %s) t(%s)%s" % (
            self.sink, self.function.name, names, arguments, inside, over, ", ".join(values), ", ".join(["o"] + columns), tail)

    def text(self):
        return self.of_aggregate() if self.function.kind == "a" else self.of_function()


class Calls:
    """Batches of calls of one function after the other, again and again."""

    def __init__(self, run, rng, damage):
        self.run, self.rng, self.damage = run, rng, damage
        self.part = "values" if damage else "calls"
        self.sink = "fuzz_sink" if damage else "fuzz_check"
        self.count = 0
        self.called = set()

    def batch(self, function, small):
        statement = Statement(function, self.rng, self.sink, small)
        text = statement.text()
        seed = self.rng.getrandbits(40)
        arguments = (text, statement.pools, seed, self.damage, small)
        self.count += self.run.batch(
            self.part, function.signature, "SELECT fuzz_calls(%s, %s, %s, %s, %s, %s, %s, %s)",
            arguments + (2000 if small else 150, self.run.max_seconds, function.is_question() and not self.damage),
            lambda round: self.run.db.value("SELECT fuzz_statement(%s, %s, %s, %s, %s, %s)", *arguments, round))
        self.called.add(function.signature)

    def cycle(self, known):
        self.run.choose_settings(self.rng)
        documents.fill_again(self.run.db, self.rng, self.damage)
        known = known[:]
        self.rng.shuffle(known)
        for function in known:
            for _ in range(3 if function.kind == "a" else 5):
                if self.run.is_over():
                    return
                self.batch(function, False)
            if self.damage and not self.run.is_over():
                self.batch(function, True)

    def fuzz(self):
        known = [f for f in functions(self.run.db) if f.callable()]
        for function in known:
            if function.problem():
                self.run.failure(self.part, function.signature, function.problem(), "")
        known = [f for f in known if not f.problem()]
        while not self.run.is_over():
            self.cycle(known)
            self.run.round_done()
        missed = len(known) - len(self.called)
        return "%d %scalls of %d functions" % (self.count, "damaged " if self.damage else "", len(self.called)) + (
            " (no time for %d more)" % missed if missed else "")
