#!/usr/bin/python3
"""Random queries, each run as it is and with settings that must not change its answer.

Works on the server that the PG* variables name, as a superuser, in databases of
its own, which it drops at the end.  See README.md, and --help.
"""
import argparse
import collections
import os
import random
import re
import signal
import sys
import time
from itertools import islice

import psycopg2
import psycopg2.extensions

import answers
import families
import grammar
import intake
import nested
import pages
import programs
import protocol
import reduce
import relations
import shapes
from answers import TIMEOUT, compared, difference, error_of
from database import Database
from programs import ROLE

# The fuzzer's module: one of its functions shows the bytes of a value.
MODULE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fuzz", "fuzz.so")
DATABASE = "jsonrow_same_%d" % os.getpid()

QUERIES_PER_WORLD = 120
PRINTED_PER_KIND = 1
# So many are run through the protocol's messages, the others by psycopg2.
SHARE_OF_MESSAGES = 0.7

# Settings that change plans or how values are printed: some for each query, for both runs
SETTINGS = [
    ("extra_float_digits", ["0", "-3", "3"]), ("DateStyle", ["German", "SQL, DMY", "Postgres"]),
    ("IntervalStyle", ["iso_8601", "sql_standard"]),
    ("TimeZone", ["America/St_Johns", "Asia/Kathmandu"]), ("bytea_output", ["escape"]), ("xmloption", ["document"]),
    ("enable_hashagg", ["off"]), ("enable_sort", ["off"]), ("enable_nestloop", ["off"]), ("enable_hashjoin", ["off"]),
    ("enable_mergejoin", ["off"]), ("enable_material", ["off"]), ("enable_memoize", ["off"]),
    ("enable_seqscan", ["off"]),
    ("enable_partitionwise_join", ["on"]), ("enable_partitionwise_aggregate", ["on"]), ("from_collapse_limit", ["1"]),
    ("join_collapse_limit", ["1"]), ("work_mem", ["64kB"]),
    ("plan_cache_mode", ["force_generic_plan", "force_custom_plan"]),
    ("constraint_exclusion", ["on"]), ("geqo_threshold", ["2"]), ("cursor_tuple_fraction", ["1"]),
    ("lc_monetary", ["C"]),
    ("row_security", ["on"]), ("jit", ["off"]), ("role", [ROLE, ROLE]), ("quote_all_identifiers", ["on"]),
    ("array_nulls", ["on"]),
    ("FORCE_PARALLEL", ["on", "regress"]), ("search_path", ["w"]),
]

# For nested queries, with the others: how little it takes that groups spill, and that workers take part
NESTED_SETTINGS = [(n, ["off"]) for n in ("enable_hashagg", "enable_sort", "enable_nestloop", "enable_hashjoin",
                                          "enable_mergejoin", "enable_indexscan", "enable_bitmapscan")] + [
    ("work_mem", ["64kB"]), ("parallel_setup_cost", ["0"]), ("parallel_tuple_cost", ["0"]),
    ("min_parallel_table_scan_size", ["0"]), ("FORCE_PARALLEL", ["on"]), ("hash_mem_multiplier", ["1"]),
    ("jsonrow.accelerate", ["on", "on"]), ("role", [ROLE])]

# What leaves the planner little choice
PLAIN_PLANS = [["enable_" + n for n in names.split()] + ["join_collapse_limit", "from_collapse_limit"] for names in (
    "hashjoin mergejoin hashagg memoize material indexscan bitmapscan indexonlyscan",
    "hashjoin mergejoin sort memoize material indexscan bitmapscan indexonlyscan",
    "nestloop mergejoin hashagg memoize material indexscan bitmapscan indexonlyscan",
    "hashjoin nestloop hashagg memoize material indexscan bitmapscan indexonlyscan")]

# What else may decide for which rows a condition of a query is evaluated
OTHER_PLANS = PLAIN_PLANS + [["enable_seqscan"], ["enable_seqscan", "enable_nestloop"], ["enable_nestloop"],
                             ["enable_hashjoin", "enable_mergejoin"]]

MAKE_BYTES = "CREATE FUNCTION public.fuzz_bytes(jsonb) RETURNS bytea AS '%s', 'fuzz_raw' LANGUAGE C STRICT"

SESSION = ("LOAD 'jsonrow'; SET jit = off; SET search_path = w, public; SET client_min_messages = notice;"
           "SET statement_timeout = '2s'; SET max_parallel_workers_per_gather = 2")

UNNEST = "jsonrow.unnest=on, jsonrow.unnest_above_cost=0"

# With --twins, instead of settings: PostgreSQL's functions under the names of ours
TWINS = re.compile(r"\b(?=jsonb?_(agg|object_agg|agg_strict|build_array|build_object)\((?!\))"
                   r"|(row_to_json|to_jsonb?|array_to_json)\()", re.I)
TWIN_PREFIX = "jsonrow_core_"


def grants(setup):
    """What lets the role read all that the statements of a setup make"""
    schemas = "w, pg_temp" if any("CREATE TEMP TABLE" in s for _, s in setup) else "w"
    return "; ".join(["GRANT ALL ON SCHEMA w, public TO " + ROLE] + [
        "GRANT ALL ON ALL %s IN SCHEMA %s TO %s" % (what, schemas, ROLE) for what in ("TABLES", "SEQUENCES")])


def parse_settings(text):
    return [tuple(part.strip().split("=", 1)) for part in text.split(",")]


class Server:
    """One database, where programs are run and rolled back."""

    def __init__(self, name, tested, twins):
        self.tested, self.twins = tested, twins
        self.way = self.client = None   # of protocol.py
        self.db = Database(300)
        # With its callback there is no COPY; here statement_timeout takes care of what takes too long.
        psycopg2.extensions.set_wait_callback(None)
        self.db.run("CREATE DATABASE %s TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'" % name)
        self.name = name
        self.connect()
        self.version = self.connection.server_version
        parallel = "force_parallel_mode" if self.version < 160000 else "debug_parallel_query"
        self.db.run("CREATE EXTENSION jsonrow; CREATE SCHEMA w;" + SESSION)
        self.settings = [(parallel if n == "FORCE_PARALLEL" else n, v) for n, v in SETTINGS]
        self.nested_settings = [(parallel if n == "FORCE_PARALLEL" else n, v) for n, v in NESTED_SETTINGS]

    def connect(self):
        self.db.connect(self.name)
        self.connection = self.db.connection
        self.notices = self.connection.notices = answers.Notices()
        raw = psycopg2.extensions.new_type(tuple(psycopg2.extensions.string_types), "RAW", lambda value, cursor: value)
        psycopg2.extensions.register_type(raw, self.connection)

    def renew(self):
        """New sessions: what an old one has cached makes each of its statements slower with assertions."""
        self.connection.close()
        self.connect()
        self.db.run(SESSION)
        if self.client:
            self.client.close()
            self.listen(self.anew)

    def on(self):
        return "".join("SET LOCAL %s = %s;" % s for s in self.tested)

    def off(self):
        return "".join("SET LOCAL %s = DEFAULT;" % n for n, _ in self.tested)

    def start(self, settings, with_tested, before=""):
        return "BEGIN; %s SELECT setseed(0.5), setval('counter', 1, false); %s %s" % (
            before, "".join("SET LOCAL %s = '%s';" % s for s in settings), self.on() if with_tested else "")

    def answer(self, program, settings, with_tested, setup=()):
        """What each statement gives: a list of tuples, up to the first error."""
        results = []
        with self.cursor(program) as cursor:
            before = "".join(s + ";" for _, s in setup)
            if not any(n == "counter" for n, _ in setup) and setup:
                before += "CREATE SEQUENCE IF NOT EXISTS counter;"
            self.notices.clear()
            try:
                cursor.execute(self.start(settings, with_tested, before))
                for statement in program:
                    if statement in ("@on", "@off"):
                        if with_tested and self.tested:
                            cursor.execute(self.on() if statement == "@on" else self.off())
                        continue
                    if with_tested and self.twins:
                        statement = TWINS.sub(TWIN_PREFIX, statement)
                    results.append(self.result(cursor, statement))
            except psycopg2.Error as error:
                if cursor.connection.closed:
                    raise
                diag = error.diag
                # psycopg2's own error, of an empty statement, has no code
                results.append(("error", error.pgcode or "", diag.message_primary or str(error),
                                diag.severity, diag.message_detail,
                                diag.message_hint, re.findall("^JSON data.*", diag.context or "", re.M)))
            cursor.execute("ROLLBACK")
            cursor.execute("DEALLOCATE ALL")
            # Not before: psycopg2 hands out what came during a COPY with the next statement.
            results += self.notices.entries(len(program) == 1)
        return self.without_prefix(results) if self.twins else results

    def listen(self, anew=False):
        """Another session, which sees the messages"""
        try:
            self.client = protocol.Client(self.connection, self.name, self.connection.notices)
            self.anew = anew
            self.client.execute(SESSION)
        except (protocol.Unsupported, OSError) as error:
            print("without messages of the protocol: %s" % error)

    def cursor(self, program):
        if self.client:
            self.client.way = self.way
            # Several statements may create what they read.
            self.client.anew = self.anew or len(program) > 1
        return self.client if self.client and self.way else self.connection.cursor()

    def without_prefix(self, value):
        """Names of columns, definitions of views"""
        if isinstance(value, tuple):
            return tuple(self.without_prefix(v) for v in value)
        if isinstance(value, list):
            return [self.without_prefix(v) for v in value]
        return value.replace(TWIN_PREFIX, "") if isinstance(value, str) else value

    def result(self, cursor, statement):
        if statement.startswith("COPY"):
            text = Text()
            cursor.copy_expert(statement, text)
            return ("copy", "".join(text.parts))
        if cursor is self.client:
            return cursor.ask(statement)
        cursor.execute(statement)
        if not cursor.description:
            return (cursor.statusmessage,)
        return (cursor.statusmessage, tuple((c.name, c.type_code) for c in cursor.description),
                tuple(cursor.fetchall()))

    def plan(self, text, settings, with_tested):
        """EXPLAIN VERBOSE of it, or nothing"""
        self.plan_error = None
        with self.connection.cursor() as cursor:
            try:
                cursor.execute(self.start(settings, with_tested))
                cursor.execute("EXPLAIN (VERBOSE, COSTS OFF) " + (TWINS.sub(TWIN_PREFIX, text) if self.twins
                                                                  and with_tested else text))
                return "\n".join(r[0] for r in cursor.fetchall())
            except psycopg2.Error as error:
                self.plan_error = "%s: %s" % (error.pgcode, error.diag.message_primary)
                return ""
            finally:
                cursor.execute("ROLLBACK")


class Text:
    """What COPY writes to"""

    def __init__(self):
        self.parts = []

    def write(self, data):
        self.parts.append(data if isinstance(data, str) else data.decode())


def nodes_of(plan):
    """The kinds of a plan's nodes, but those of subqueries that are rows and no more"""
    nodes = re.findall(r"^ *(?:->  )?([A-Z][A-Za-z ]+?)(?= on | using |$)", plan, re.M)
    return sorted(n for n in nodes if n not in ("Result", "Subquery Scan", "Gather"))


JOINS = r"(Nested Loop|Hash|Merge)( \w+)? Join|Nested Loop|Subquery Scan on \"?parents"


def pages_in(plan):
    """How many LIMITs are below a join, or what else reads parents"""
    above, found = [], 0    # the nodes around, by indentation
    for line in plan.splitlines():
        node = re.match(r"( *)(?:->  |(?=(?:SubPlan|InitPlan|CTE) )|(?=\w.*$(?<!:)))([A-Z].*)", line)
        if not node or above and "->" not in line and not re.match(r" *(SubPlan|InitPlan|CTE) ", line):
            continue
        indent, name = len(node.group(1)), node.group(2)
        above = [a for a in above if a[0] < indent]
        others = [a for _, a in above if not re.match(r"Hash$|Sort|Incremental|Material|Gather|Result|Memoize", a)]
        found += name.startswith("Limit") and bool(others) and bool(re.match(JOINS, others[-1]))
        above.append((indent, name))
    return found


class Same:
    def __init__(self, options):
        self.options = options
        self.tested = [] if options.twins else parse_settings(options.settings or (
            UNNEST if options.nested else "jsonrow.accelerate=on"))
        self.changed = "unnested" if options.nested else "accelerated"
        self.server = Server(DATABASE, self.tested, options.twins)
        self.server.listen()
        self.version = self.server.version
        self.reducing = None
        self.kinds = collections.Counter()
        self.counts = collections.Counter()
        self.shapes = collections.defaultdict(collections.Counter)
        self.functions = collections.Counter()
        self.ways = collections.defaultdict(collections.Counter)
        self.errors = collections.Counter()
        self.saved = 0
        self.has_bytes = os.path.exists(options.module)
        self.prepare()

    def prepare(self):
        """Types and functions that are there in all worlds; what this server has none of is left away."""
        db = self.server.db
        if self.has_bytes:
            db.run(MAKE_BYTES % self.options.module)
        self.fixed = list(relations.FIXED)
        for _, statement in relations.FIXED:
            db.run(statement)
        self.types = []
        for name, statement in families.OPTIONAL if self.options.nested else []:
            try:
                db.run(statement)
                self.fixed.append((name, statement))
                self.types.append(name)
            except psycopg2.Error:
                pass   # this server has no ICU, or no contrib
        db.run("DO $$BEGIN CREATE ROLE %s; EXCEPTION WHEN duplicate_object THEN NULL; END$$" % ROLE)
        if db.value("SELECT count(*) FROM pg_available_extensions WHERE name = 'hstore'") != "0":
            db.run("CREATE EXTENSION hstore SCHEMA public")
        self.types += [t for t in relations.VALUES if self.has_type(t)]
        self.installed = self.options.twins or db.value("SELECT count(*) FROM pg_settings WHERE name = '%s'" %
                                                        self.tested[0][0]) != "0"

    def has_type(self, name):
        """hstore and xml need not be there."""
        try:
            self.server.db.value("SELECT (%s)::%s" % (relations.VALUES[name][0].replace("%d", "1"), name))
            return True
        except psycopg2.Error:
            return False

    def finish(self):
        for server, name in ((self.server, DATABASE), (self.reducing, DATABASE + "_r")):
            if server:
                server.db.connect(os.environ.get("PGDATABASE", "postgres"))
                server.db.run("DROP DATABASE %s WITH (FORCE)" % name)
        try:
            self.server.db.run("DROP ROLE %s" % ROLE)
        except psycopg2.Error:
            pass   # another run needs it

    # One generation of relations

    def world(self, number):
        rng = random.Random("%d world %d" % (self.options.seed, number))
        kind = families.Families if self.options.nested else relations.World
        world = kind(rng, number, self.version, self.types)
        for _, statement in world.statements:
            self.server.db.run(statement)
        self.server.db.run(grants(world.statements))
        return world

    def run(self):
        done = number = 0
        start = time.monotonic()
        while done < self.options.count:
            world = self.world(number)
            for i in range(min(QUERIES_PER_WORLD, self.options.count - done)):
                done += 1
                if self.options.only is None or self.options.only == done:
                    self.one(world, done)
            self.server.db.run(world.drop())
            self.server.renew()
            number += 1
            self.counts["seconds"] = time.monotonic() - start

    def settings(self, rng):
        known = self.server.nested_settings * 2 if self.options.nested and rng.random() < 0.7 else self.server.settings
        chosen = rng.sample(known, rng.choice([0, 0, 1, 2, 4]))
        return [(n, rng.choice(v)) for n, v in chosen if n != "role" or rng.random() < 0.7]

    def one(self, world, number):
        """Make the query of this number and run it."""
        rng = random.Random("%d query %d" % (self.options.seed, number))
        g = grammar.Grammar(world, rng)
        g.shapes = shapes
        settings = self.settings(rng)
        self.server.way = None
        query, way, statements = (self.nested if self.options.nested else self.any)(g, rng, settings)
        self.server.way = self.way_of_messages(world, number, statements)
        if self.server.way:
            way = self.server.way.name
        try:
            self.compare(world, number, query, way, statements, settings)
        except psycopg2.extensions.QueryCanceledError:
            # On a busy machine even a ROLLBACK may take too long.
            self.server.db.run("ROLLBACK")
            self.counts["slow"] += 1
        except (psycopg2.OperationalError, psycopg2.InterfaceError) as error:
            print("FAILED query %d of seed %d: CRASH: %s\n%s" % (number, self.options.seed, error, query.text),
                  flush=True)
            for setting in settings:
                print("-- %s = %s" % setting)
            raise SystemExit(1)

    def way_of_messages(self, world, number, statements):
        """For a part of the queries, how they are sent by protocol.py; the other session sees no temporary tables."""
        rng = random.Random("%d messages %d" % (self.options.seed, number))
        if any(s.startswith("COPY") for s in statements) or rng.random() > SHARE_OF_MESSAGES:
            return None
        if not self.server.client or self.options.twins or any(
                "CREATE TEMP" in s for _, s in relations.needed(world.statements, " ".join(statements))):
            return None
        return protocol.random_way(rng)

    def any(self, g, rng, settings):
        """(query, way to run it, statements)"""
        if rng.random() < 0.06:
            statements = programs.Writes(g).random()
            query, way = grammar.Query(statements[0], [], "write"), "write"
        elif self.options.intake or rng.random() < 0.1:
            query = intake.query(g)
            way, statements = programs.Programs(rng, self.version, self.has_bytes).random(query)
        else:
            query = shapes.random(g, 0, [], False) if rng.random() < 0.55 else g.select(0, [])
            way, statements = programs.Programs(rng, self.version, self.has_bytes).random(query)
            if rng.random() < 0.4:
                changed = programs.mutated(query.text, rng)
                if changed != query.text and self.is_sound(changed, settings):
                    query = grammar.Query(changed, query.columns, query.shape)
                    way, statements = programs.Programs(rng, self.version, self.has_bytes).random(query)
        return query, way, statements

    def nested(self, g, rng, settings):
        """The same of a nested query, which is under a total order; more settings may be tested."""
        make = nested.Nested(g)
        self.server.tested = list(self.tested)
        if ("jsonrow.accelerate", "on") not in settings and rng.random() < 0.3:
            self.server.tested.append(("jsonrow.accelerate", "on"))
        if rng.random() < 0.05:
            statements = make.writes()
            return grammar.Query(statements[0], [], "writes"), "write", statements
        query = pages.random(make) if self.options.pages else make.random()
        if query.shape.startswith("page") and rng.random() < 0.08:
            settings[:] = [s for s in settings if s[0] != "role"]
            return query, "some columns", pages.of_columns(make, query.text)
        if rng.random() < 0.2 and pages.AS_IT_IS not in query.text:
            changed = programs.mutated(query.text, rng, nested.MUTATIONS)
            if changed != query.text and self.is_sound(changed, settings):
                query = grammar.Query(changed, query.columns, query.shape)
        if make.needs_role and not any(n == "role" for n, _ in settings):
            settings.append(("role", ROLE))
        ways = programs.Programs(rng, self.version, self.has_bytes)
        if query.shape.startswith("page") and rng.random() < 0.08:
            way, statements = "cursor", ways.cursor(query.text)
        else:
            way, statements = ways.random(query)
        # the column that refers to others has another name here
        return query, way, [re.sub(r"\bref\b", "p", s) for s in statements]

    def is_sound(self, text, settings):
        answer = error_of(self.server.answer([text], settings, False))
        return not answer or not answer[1].startswith("42")

    def compare(self, world, number, query, way, statements, settings):
        off = self.server.answer(statements, settings, False)
        if error_of(off) and error_of(off)[1] == TIMEOUT:
            self.counts["slow"] += 1
            return
        on = self.server.answer(statements, settings, True)
        self.count(query, way, settings, off)
        kind = difference(off, on)
        if not kind and not error_of(off):
            kind = self.check_explain(statements, settings)
        if not kind:
            return
        again = self.server.answer(statements, settings, False)
        lasting = difference(again, self.server.answer(statements, settings, True)) == kind
        if again != off or not lasting and not kind.startswith("EXPLAIN"):
            self.counts["unstable"] += 1
            if self.options.verbose:
                print("-- UNSTABLE %d: %s" % (number, query.text))
            return
        if kind.startswith("EXPLAIN"):
            return self.failure(world, number, query, "explain", ["EXPLAIN (VERBOSE) " + statements[0]], settings,
                                kind, off, on)
        find = self.nested_excuse if self.options.nested else self.excuse
        excuse = find(query, statements, settings, kind, off, on)
        if excuse:
            self.counts[excuse] += 1
            if self.options.verbose:
                print("-- %s %d: %s: %s" % (excuse.upper(), number, kind, query.shape))
            return
        self.failure(world, number, query, way, statements, settings, kind, off, on)

    def excuse(self, query, statements, settings, kind, *_):
        """What a difference is counted as that is none"""
        if kind == answers.RESULT and "fuzz_bytes" in statements[0]:
            statements = [query.text]   # bytes do not show that it is only another order
            kind = difference(*(self.server.answer(statements, settings, on) for on in (False, True)))
            if not kind:
                return None
        if kind.startswith("no error") and self.is_cut(statements, settings) or self.is_spilled(statements, settings):
            return "excused"
        excusable = kind == answers.ORDER and not self.options.strict
        return "reordered" if excusable and self.has_other_plan(statements, query.text, settings) else None

    def nested_excuse(self, query, statements, settings, kind, off, on):
        """The same for nested queries: their orders are total, but for what they do in another order."""
        if kind.startswith(("another error", "another detail")) and error_of(on)[1] != "XX000":
            return "excused"   # of several errors in a query, any may come first
        if kind.startswith("an error 42501") and self.is_unneeded(error_of(on)[2], query.text, settings):
            return "excused"
        if (kind.startswith("no error") or kind == answers.LEAK) and self.is_cut(statements, settings):
            return "excused"
        if self.is_plans_choice(self.server, statements, settings, kind, off, on):
            return "reordered" if kind in (answers.ORDER, answers.RESULT) else "excused"
        return None

    def is_unneeded(self, message, text, settings):
        """PostgreSQL does not check the privileges on what it knows that it will not read, such as "permission denied
        for table T" tells of; a table that only a view names is another matter."""
        name = message.split()[-1]
        return name in text and name not in self.server.plan(text, settings, False)

    def is_plans_choice(self, server, statements, settings, kind, off, on, setup=()):
        """Other plans of PostgreSQL do the same: it joins in another order, say, and so evaluates a condition
        for rows that another one would have removed."""
        if kind == answers.FOLDED:
            return False
        others = [off] + [server.answer(statements, self.plain(plain, settings), False, setup)
                          for plain in OTHER_PLANS]
        others.append(server.answer(statements, settings + [("work_mem", "1GB")], False, setup))
        return answers.is_as_well(kind, on, others)

    def plain(self, names, settings):
        fixed = settings + [(n, "1" if n.endswith("limit") else "off") for n in names]
        return fixed + [("enable_presorted_aggregate", "off")] * (self.version >= 160000)

    def check_explain(self, statements, settings):
        """EXPLAIN VERBOSE fails if a plan's names are not in order."""
        for statement in statements[:1]:
            self.server.plan(statement, settings, True)
            error = self.server.plan_error
            if error:
                self.server.plan(statement, settings, False)
                if error != self.server.plan_error:
                    return "EXPLAIN fails: " + error
        return None

    def is_spilled(self, statements, settings):
        """Where no order is asked for, that of groups depends on how much memory they take."""
        enough = settings + [("work_mem", "1GB")]
        return not difference(self.server.answer(statements, enough, False),
                              self.server.answer(statements, enough, True))

    def has_other_plan(self, statements, text, settings):
        """Where no order is asked for, it is that of the plan, and plans depend
        on what expressions cost: there is one kind of plan where both agree."""
        agreed = False
        for plain in PLAIN_PLANS:
            fixed = self.plain(plain, settings)
            same = [nodes_of(self.server.plan(s, fixed, False)) == nodes_of(self.server.plan(s, fixed, True))
                    for s in [text] + statements]
            if all(same):
                agreed = True
                if difference(self.server.answer(statements, fixed, False),
                              self.server.answer(statements, fixed, True)):
                    return False
        return agreed

    def is_cut(self, statements, settings):
        """An error may be missing if a LIMIT cuts off the value; without the LIMIT it must be there."""
        cut = r" (LIMIT|OFFSET) ('?\d+'?(::text::double precision)?|\$\d+|\(SELECT \d+\))" \
            r"| FETCH (FIRST|NEXT) \w+ ROWS? (ONLY|WITH TIES)"
        if not any(re.search(cut, s, re.I) for s in statements):
            return False
        whole = [re.sub(cut, "", s, flags=re.I) for s in statements]
        kind = difference(self.server.answer(whole, settings, False), self.server.answer(whole, settings, True))
        return not kind or self.options.nested and kind.startswith(("another error", "another detail"))

    # What was run, so that a generator that tests nothing is noticed

    def count(self, query, way, settings, off):
        error = error_of(off)
        self.counts["queries"] += 1
        self.counts["errors"] += bool(error)
        self.counts["empty"] += not error and len(list(islice(re.finditer(r"\w+", str([r[2] for r in off if len(r) > 2])), 8))) < 8
        self.ways[way]["queries"] += 1
        self.ways[way]["errors"] += bool(error)
        self.shapes[query.shape]["queries"] += 1
        self.shapes[query.shape]["errors"] += bool(error)
        if error:
            self.errors["%s %s" % (error[1], re.sub(r'"[^"]*"|\d+', "_", error[2]))] += 1
            if self.options.verbose and error[1].startswith("42"):
                print("-- %s: %s\n%s;" % (way, error[1:3], query.text))
        if self.options.nested:
            return self.count_unnested(query, way, settings)
        plan = self.server.plan(query.text, settings, True) if self.installed else ""
        found = set(re.findall(r"(jsonrow_core_\w+|jsonrow_\w+)\(((?:\()?'\{.*?\}'::text\[\])?", plan))
        # of these, a constant array is an argument like any other
        found = {(name, names if re.search("agg(_row_to_json|_build_object)?$|core_(row_to_json|to_jsonb)$", name)
                  else "") for name, names in found}
        rules = {name + ("(names)" if names else "") for name, names in found if name not in query.text or names}
        self.functions.update(rules)
        if rules:
            without = self.server.plan(query.text, settings, False)
            if plan.count("::jsonb") < without.count("::jsonb"):
                self.functions["json to jsonb: a cast less"] += 1
            if len(re.findall(r"NULL::jsonb?", plan)) > len(re.findall(r"NULL::jsonb?", without)):
                self.functions["pulled up out of a subquery"] += 1
            self.count_changed(query, way)

    def count_changed(self, query, way):
        for counter in (self.counts, self.shapes[query.shape], self.ways[way]):
            counter[self.changed] += 1

    def count_unnested(self, query, way, settings):
        """Has it another plan?  How many collections have become joins, and how many subplans are left?"""
        unnest = [s for s in self.server.tested if s[0] != "jsonrow.accelerate"]
        accelerated = settings + [s for s in self.server.tested if s not in unnest]
        plans = [self.server.plan(query.text, accelerated + more, False) for more in ([], unnest)]
        before, after = (len(re.findall(r"^ *SubPlan ", plan, re.M)) for plan in plans)
        if pages_in(plans[1]) > pages_in(plans[0]):
            for counter in (self.counts, self.shapes[query.shape], self.ways[way]):
                counter["parents first"] += 1
        self.functions["subplans as written"] += before
        self.functions["subplans unnested"] += after
        if plans[0] != plans[1]:
            self.count_changed(query, way)
            self.functions["plans that are joins"] += 1
            self.functions["plans that are joins and have subplans, too"] += after > 0

    def report(self):
        for title, table in (("shape", self.shapes), ("way", self.ways)):
            columns = ["queries", self.changed] + ["parents first"] * self.options.nested + ["errors"]
            print("%-26s" % title + "".join("%14s" % c for c in columns))
            for name, row in sorted(table.items()):
                print("%-26s" % name + "".join("%14d" % row[c] for c in columns))
        for name, n in sorted(self.functions.items()):
            print("%6d %s%s" % (n, "" if self.options.nested else "plans: ", name))
        for name, n in self.errors.most_common(None if self.options.verbose else 8):
            print("%6d errors: %s" % (n, name))
        for (kind, what), n in self.kinds.most_common():
            print("%6d FAILED: %s: %s" % (n, kind, what))
        print("seed %d: %d queries in %d s, %d %s, %d with errors, %d nearly empty, %d excused,"
              " %d reordered, %d unstable, %d slow,"
              " %d failures" % (
            self.options.seed, self.counts["queries"], self.counts["seconds"], self.counts[self.changed], self.changed,
                  self.counts["errors"],
            self.counts["empty"], self.counts["excused"], self.counts["reordered"], self.counts["unstable"],
                  self.counts["slow"], sum(self.kinds.values())))

    def problems(self):
        """Why the run is worth nothing, if it is."""
        if self.counts["queries"] < 100:
            return
        most = 2 if self.options.intake else 4   # a document that is damaged is an error
        if self.counts["errors"] * most > self.counts["queries"]:
            yield "more than one in %d of the queries ends in an error" % most
        least = 16 if self.options.nested else 2   # most of what is nested must be left as it is
        if self.installed and self.counts[self.changed] * least < self.counts["queries"]:
            yield "less than one in %d of the queries is %s" % (least, self.changed)

    # Failures

    def failure(self, world, number, query, way, statements, settings, kind, off, on):
        wrong, right = error_of(on), error_of(off)
        message = re.sub(r"\d+", "0", (wrong or right or ("", "", ""))[2])
        key = (kind, message if "error" in kind and message else query.shape)
        self.kinds[key] += 1
        if self.options.verbose:
            print("-- FAILED %d: %s: %s" % (number, *key))
        if self.kinds[key] > PRINTED_PER_KIND or sum(self.kinds.values()) > self.options.max_failures:
            return
        print("FAILED query %d of seed %d: %s" % (number, self.options.seed, kind), flush=True)
        setup = self.fixed + world.statements
        if self.options.reduce:
            setup, statements, settings = self.reduce(setup, query, statements, settings, kind)
        else:
            setup = relations.needed(setup, " ".join(statements))
        script = self.script(setup, statements, settings, number, kind)
        print(script, flush=True)
        if self.options.save:
            self.saved += 1
            name = re.sub(r"\W+", "-", kind + " " + query.shape)
            with open(os.path.join(self.options.save, "%d-%d-%s.sql" % (self.options.seed, number, name)),
                      "w") as file:
                file.write(script)

    def reduce(self, setup, query, statements, settings, kind):
        if not self.reducing:
            self.reducing = Server(DATABASE + "_r", self.tested, self.options.twins)
            self.reducing.db.run("DROP SCHEMA w; CREATE SCHEMA w")
            if self.has_bytes:
                self.reducing.db.run(MAKE_BYTES % self.options.module)
            if "hstore" in self.types:
                self.reducing.db.run("CREATE EXTENSION hstore SCHEMA public")
            self.reducing.listen(anew=True)
        self.reducing.way = self.server.way
        server = self.reducing
        server.tested = self.server.tested
        candidates = [[query.text], statements] if query.columns else [statements]

        def fails(setup, program, settings):
            if self.options.nested and kind in (answers.ORDER, answers.RESULT) and not answers.keeps_orders(
                    candidates, program):
                return False
            setup = setup + [(ROLE, grants(setup))]
            off = server.answer(program, settings, False, setup)
            on = server.answer(program, settings, True, setup)
            if difference(off, on) != kind or server.answer(program, settings, False, setup) != off:
                return False
            return not (self.options.nested and self.is_plans_choice(server, program, settings, kind, off, on, setup))

        return reduce.Reducer(fails, relations.needed, self.options.reduce).reduce(setup, candidates, settings)

    def script(self, setup, statements, settings, number, kind):
        lines = ["-- %s: seed %d, query %d, PostgreSQL %d" % (kind, self.options.seed, number, self.version // 10000),
                 "CREATE EXTENSION IF NOT EXISTS jsonrow; LOAD 'jsonrow';",
                 "CREATE SCHEMA w; SET search_path = w, public;"]
        if self.server.way:
            lines.insert(1, "-- by " + protocol.description_of(self.server.way))
        if any("hstore" in s for _, s in setup):
            lines.append("CREATE EXTENSION IF NOT EXISTS hstore SCHEMA public;")
        if any("fuzz_bytes" in s for s in statements):
            lines.append(MAKE_BYTES % self.options.module + ";")
        lines += [s + ";" for _, s in setup]
        lines += ["BEGIN;"]
        if any(n == "role" for n, _ in settings):
            lines.append("CREATE ROLE %s; %s;" % (ROLE, grants(setup)))
        lines += ["SET LOCAL %s = '%s';" % s for s in settings]
        for with_tested in (False, True):
            lines += ["SAVEPOINT s;", "-- " + ("with" if with_tested else "without")]
            if with_tested:
                lines.append(self.server.on())
            for statement in statements:
                if statement.startswith("@"):
                    statement = (self.server.on() if statement == "@on"
                                 else self.server.off()).rstrip(";") if with_tested else ""
                if with_tested and self.server.twins:
                    statement = TWINS.sub(TWIN_PREFIX, statement)
                lines.append(statement + ";" if statement else "")
            lines += ["ROLLBACK TO s; DEALLOCATE ALL;"]
        lines += [self.server.on(), "EXPLAIN (VERBOSE, COSTS OFF) %s;" % statements[0], "ROLLBACK;",
                  "DROP SCHEMA w CASCADE;"]
        return "\n".join(line for line in lines if line) + "\n"


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, help="repeat what this seed does")
    parser.add_argument("--count", type=int, default=1000, help="how many queries (1000)")
    parser.add_argument("--only", type=int, metavar="N", help="of these only the N-th")
    parser.add_argument("--nested", action="store_true", help="nested queries, and settings that make joins of them")
    parser.add_argument("--pages", action="store_true", help="of these, only pages")
    parser.add_argument("--intake", action="store_true", help="only queries that make rows of JSON (intake.py)")
    parser.add_argument("--settings", help="what must make no difference (jsonrow.accelerate=on, or with --nested"
                        " jsonrow.unnest=on, jsonrow.unnest_above_cost=0)")
    parser.add_argument("--strict", action="store_true", help="not even the order may differ that is nobody's wish")
    parser.add_argument("--twins", action="store_true", help="instead of settings, call our functions by name")
    parser.add_argument("--reduce", type=float, default=40, metavar="SECONDS",
                        help="how long a failure is made smaller (40; 0 for not at all)")
    parser.add_argument("--max-failures", type=int, default=30, help="so many are printed (30)")
    parser.add_argument("--save", metavar="DIRECTORY", help="write each failure there as a script")
    parser.add_argument("--verbose", action="store_true", help="tell of all errors")
    parser.add_argument("--module", default=MODULE, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1000000)
    options.nested = options.nested or options.pages
    return options


def main():
    options = parse_options()
    # In the background of a shell it would be ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("random queries with --seed %d" % options.seed, flush=True)
    same = Same(options)
    try:
        same.run()
    except KeyboardInterrupt:
        print("stopped", flush=True)
    finally:
        same.finish()
    same.report()
    problems = list(same.problems())
    for problem in problems:
        print("FAILED: " + problem)
    return 1 if problems or same.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
