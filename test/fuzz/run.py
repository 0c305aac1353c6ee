#!/usr/bin/python3
"""Fuzzes the extension jsonrow on the server that the PG* variables name.

Makes a database of its own there, as a superuser, and drops it at the end.
See README.md, and --help.
"""
import argparse
import os
import random
import re
import sys
import time

import psycopg2

import calls
import documents
import states

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "queries"))
import queries
from database import Database

DATABASE = "jsonrow_fuzz_%d" % os.getpid()

# What part of the time each takes
SHARES = {"values": 0.4, "states": 0.15, "calls": 0.2, "queries": 0.25}

# Internal errors that are nobody's fault, as (part, regular expression of the
# message, why).  They are few; each must say why it cannot be avoided.
ALLOWED = []

# How many failures of one kind are printed, and how much of a statement
PRINTED_PER_KIND = 2
PRINTED_LENGTH = 1500


class Run:
    """What the parts share: time, the database, what failed."""

    def __init__(self, options):
        self.options = options
        self.max_seconds = options.max_seconds
        self.module = os.path.abspath(options.module)
        self.kinds = {}
        self.failures = 0

    def start(self, seconds):
        self.end = time.monotonic() + seconds
        self.rounds_left = self.options.rounds

    def is_over(self):
        return self.rounds_left == 0 if self.options.rounds else time.monotonic() > self.end

    def round_done(self):
        self.rounds_left -= 1

    def prepare(self):
        self.db = Database(max(120, 20 * self.max_seconds))
        self.db.run("CREATE DATABASE " + DATABASE)
        self.db.connect(DATABASE)
        with open(os.path.join(HERE, "fuzz.sql")) as file:
            self.db.run(file.read().replace("MODULE", self.module))
        documents.fill_once(self.db)

    def choose_settings(self, rng):
        """How documents are written, for a round."""
        self.db.settings = "SET jsonrow.header = %s; SET jsonrow.big_numbers = %s; " % (
            rng.choice(["names", "types"]), rng.choice(["number", "string"]))
        self.db.run(self.db.settings)

    def finish(self):
        if self.options.keep:
            return print("the database is kept: " + DATABASE)
        self.db.run("SELECT fuzz_forget()")
        self.db.connect(os.environ.get("PGDATABASE", "postgres"))
        self.db.run("DROP DATABASE %s WITH (FORCE)" % DATABASE)

    def failure(self, part, what, message, statement):
        if any(part == p and re.search(r, message) for p, r, why in ALLOWED):
            return
        self.failures += 1
        statement = self.db.settings + statement
        kind = (part, what, re.sub(r"\d+", "0", message))
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self.kinds[kind] > PRINTED_PER_KIND:
            return
        print("FAILED %s: %s: %s" % (part, what, message))
        if self.options.statements:
            with open(self.options.statements, "a") as file:
                print("-- %s: %s: %s\n%s;\n" % (part, what, message.replace("\n", " "), statement), file=file)
        if len(statement) > PRINTED_LENGTH:
            statement = statement[:PRINTED_LENGTH] + " ... (%d characters; --statements FILE keeps all)" % len(statement)
        print("    " + statement, flush=True)

    def crashed(self, part, what, error, statement_of_round):
        """Tell which round it was, once the server has recovered."""
        for _ in range(60):
            time.sleep(1)
            try:
                # It may take the server a moment to notice.
                self.db.connect(DATABASE)
                time.sleep(1)
                progress = bytes(self.db.value("SELECT pg_read_binary_file('fuzz.' || oid) FROM pg_database WHERE datname = current_database()"))
                round = int.from_bytes(progress, sys.byteorder)
                statement = statement_of_round(round)
                break
            except (psycopg2.OperationalError, psycopg2.InterfaceError):
                continue
        else:
            raise SystemExit("the server does not come back")
        self.failure(part, what, "CRASH, round %d: %s" % (round, str(error).strip().split("\n")[0]), statement)
        return round + 1

    def batch(self, part, what, query, arguments, statement_of_round):
        """Run one of the module's loops; returns how many rounds it made."""
        try:
            count = self.db.value(query, *arguments)
        except psycopg2.OperationalError as error:
            if self.db.connection.closed:
                return self.crashed(part, what, error, statement_of_round)
            self.failure(part, what, str(error).strip(), query % tuple(map(repr, arguments)))
            return 0
        except psycopg2.InterfaceError as error:
            return self.crashed(part, what, error, statement_of_round)
        except psycopg2.Error as error:
            self.failure(part, what, "%s: %s" % (error.pgcode, str(error).strip()), query % tuple(map(repr, arguments)))
            return 0
        for notice in self.db.notices():
            found = re.search(r"fuzz: (.*)\n(?:DETAIL:  (.*))?", notice)
            if found:
                self.failure(part, what, found.group(1), found.group(2) or "")
        return count


def parts_of(run, names, seed):
    """Each part has its own random numbers: the same whatever other parts run."""
    make = {"values": lambda rng: calls.Calls(run, rng, True), "calls": lambda rng: calls.Calls(run, rng, False),
            "states": lambda rng: states.States(run, rng), "queries": lambda rng: queries.Queries(run, rng)}
    for name in names:
        yield name, make[name](random.Random("%d %s" % (seed, name)))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--rounds", type=int, default=0, help="so many rounds of each part instead: the same seed repeats them exactly")
    parser.add_argument("--seed", type=int, help="repeat what this seed does")
    parser.add_argument("--only", choices=list(SHARES), help="one part only")
    parser.add_argument("--max-seconds", type=float, default=5, help="what takes longer has failed (5)")
    parser.add_argument("--keep", action="store_true", help="keep the database, to repeat there what failed")
    parser.add_argument("--statements", metavar="FILE", help="append failed statements to this file, at full length")
    parser.add_argument("--module", default=os.path.join(HERE, "fuzz.so"), help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse_options()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1000000)
    names = [options.only] if options.only else list(SHARES)
    print("fuzzing with --seed %d" % seed, flush=True)
    run = Run(options)
    run.prepare()
    counts = []
    for name, part in parts_of(run, names, seed):
        run.start(options.seconds * SHARES[name] / sum(SHARES[n] for n in names))
        counts.append(part.fuzz())
        print(counts[-1], flush=True)
    run.finish()
    for (part, what, message), count in sorted(run.kinds.items()):
        print("%6d x %s: %s: %s" % (count, part, what, message))
    print("seed %d: %s, %d failures" % (seed, ", ".join(counts), run.failures))
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
