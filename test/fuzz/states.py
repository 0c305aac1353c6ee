"""Serialized states of the aggregates, damaged, and put together all the same."""
import calls
import documents

AGGREGATES = """
    SELECT a.aggfnoid::regprocedure::text, a.aggtransfn::regproc::text, aggtransspace,
        ARRAY(SELECT format_type(t, NULL) FROM unnest(proargtypes::oid[]) WITH ORDINALITY u(t, i) ORDER BY i),
        provariadic <> 0
    FROM pg_aggregate a JOIN pg_proc p ON p.oid = aggfnoid JOIN pg_depend d ON objid = p.oid AND classid = 'pg_proc'::regclass
    WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass AND aggserialfn <> 0
        AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'jsonrow')
    ORDER BY 1"""

# Rows for states small enough to be damaged at every byte.
ROWS = ["SELECT v FROM p_flat", "SELECT v FROM p_holder", "SELECT v FROM p_deep LIMIT 1", "SELECT v FROM p_narrow",
        "SELECT v FROM p_nothing", "SELECT NULL::flat AS v", "SELECT v FROM p_documents WHERE v IS NULL",
        "SELECT v FROM (SELECT v FROM p_flat) s, generate_series(1, 12)"]
DOCUMENT = "SELECT v FROM (SELECT v FROM p_small_jsonrow OFFSET %d LIMIT 1) s, generate_series(1, 2)"
SLICE = 500
SLICES = 24


class States:
    def __init__(self, run, rng):
        self.run, self.rng = run, rng
        self.count = 0

    def create(self):
        """For each aggregate one that does the same, but ends in fuzz_states; its name and inputs."""
        db = self.run.db
        for number, (signature, transition, space, types, variadic) in enumerate(db.rows(AGGREGATES)):
            arguments = ", ".join(types[:-1] + ["VARIADIC " * variadic + types[-1]])
            db.run("CREATE OR REPLACE FUNCTION fuzz_states(internal, %s) RETURNS bigint AS '%s' LANGUAGE C" % (arguments, self.run.module))
            db.run("CREATE AGGREGATE states_%d(%s) (SFUNC = %s, STYPE = internal, SSPACE = %d, FINALFUNC = fuzz_states, FINALFUNC_EXTRA)"
                   % (number, arguments, transition, space))
            yield signature, "states_%d" % number, types

    def inputs(self, name, types):
        document = [DOCUMENT % i for i in range(self.run.db.value("SELECT count(*) FROM p_small_jsonrow"))]
        if types == ["jsonrow"]:
            return ["SELECT %s(v) FROM (%s) s" % (name, d) for d in document]
        if types == ["record"]:
            nested = ["SELECT s AS v FROM (%s) s" % d for d in document]
            return ["SELECT %s(v) FROM (%s) s" % (name, r) for r in ROWS + nested]
        names = "ARRAY['a', 'b'], " if len(types) > 1 else ""
        return ["SELECT %s(%sv, 'text') FROM (%s) s" % (name, names, r) for r in ROWS + document + ["SELECT v::json::jsonrow_json FROM p_small_jsonrow LIMIT 1"]]

    def slice(self, signature, statement, number):
        seed = self.rng.getrandbits(40)
        self.run.db.run("SELECT fuzz_target(%s, %s, %s, %s, %s)", signature, seed, number * SLICE, SLICE, self.run.max_seconds)
        repeat = "SELECT fuzz_target('%s', %d, %%d, 1, 5); %s" % (signature, seed, statement)
        self.count += self.run.batch("states", signature, statement, (), lambda round: repeat % round)

    def fuzz(self):
        documents.fill_again(self.run.db, self.rng, False)
        aggregates = list(self.create())
        work = [(signature, statement, number) for signature, name, types in aggregates
                for statement in self.inputs(name, types) for number in range(SLICES)]
        while not self.run.is_over():
            self.run.choose_settings(self.rng)
            for item in self.rng.sample(work, 50):
                if self.run.is_over():
                    break
                self.slice(*item)
            self.run.round_done()
        return "%d damaged states of %d aggregates" % (self.count, len(aggregates))
