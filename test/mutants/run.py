#!/usr/bin/python3
"""Runs the tests against mutants of src/; see README.md.  Called by scripts/mutate
in the staged copy of the checkout, with a server that loads the extension from
--library."""
import argparse
import concurrent.futures
import difflib
import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutants

# Tests that take more seconds than this wait until all mutants have met the others.
SLOW = 10
# How long the fuzzer looks for a difference in what has survived all tests
FUZZ_SECONDS = 20
REGRESS = "contrib_regression"
HERE = os.path.dirname(os.path.abspath(__file__))

# What tests are nearest to a source file: the first that matches, of (pattern
# of the source, patterns of the tests).  What is not there is passed over.
NEAREST = [
    (r"format/json_(scan|to_jsonb|text)", r"edges|limits|types|documents|trust"),
    (r"format/(numeric|datetime|value|text)", r"edges|types"),
    (r"format/bytes", r"edges|readers|sessions|columns"),
    (r"format/", r"edges|documents|types|trust|limits"),
    (r"header_types|type_names|write/settings", r"typed"),
    (r"document/", r"nested|documents|hidden|trust|errors|empty"),
    (r"write/parallel_cost", r"parallel_cost"),
    (r"write/lines_agg", r"postgrest"),
    (r"write/(aggregate|state|concat)", r"executor|edges|empty|sharding|errors"),
    (r"write/(query_header|row_plan|column_plan|describe)", r"empty|hidden|altered|nested"),
    (r"write/", r"nested|columns|types|executor"),
    (r"read/", r"recordsets|readers|columns|errors|trust"),
    (r"change/", r"documents|errors|columns|nested"),
]


class Psql:
    """One test file, running in a database."""

    def __init__(self, path, database):
        self.started = time.monotonic()
        self.path = path
        self.failure = None     # why it failed, as soon as that is known
        self.planned = None
        self.passed = 0
        self.expected = None
        if path.startswith("sql/"):
            self.expected = sorted(glob.glob("expected/%s*.out" % os.path.basename(path)[:-4]))
            command = ["sh", "-c", 'exec psql -X -a -q "$1" <"$2"', "sh", database, path]
        else:
            command = ["stdbuf", "-oL", "psql", "-X", "-q", "-A", "-t", "-P", "pager=off",
                       "-v", "ON_ERROR_STOP=1", "-f", path, database]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if self.expected else subprocess.DEVNULL,
            text=True, errors="replace", env=dict(os.environ, **self.environment()))
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def environment(self):
        if not self.expected:
            return {}
        return {"PGTZ": "PST8PDT", "PGDATESTYLE": "Postgres, MDY", "LC_MESSAGES": "C",
                "PGOPTIONS": "-c intervalstyle=postgres_verbose -c client_min_messages=notice"}

    def read(self):
        if self.expected:
            output = self.process.stdout.read()
            if not any(open(e).read() == output for e in self.expected):
                self.failure = "output differs"
        else:
            for line in self.process.stdout:
                if line.startswith("not ok"):
                    self.failure = line.strip()[:100]
                    break
                if line.startswith("ok "):
                    self.passed += 1
                elif re.match(r"1\.\.\d+$", line):
                    self.planned = int(line[3:])
            if self.failure:
                self.process.stdout.close()
        status = self.process.wait()
        if self.failure is None and status != 0:
            self.failure = "psql ends with %d after %d tests" % (status, self.passed)
        if self.failure is None and not self.expected and self.planned != self.passed:
            self.failure = "%s tests planned, %d passed" % (self.planned, self.passed)

    def seconds(self):
        return time.monotonic() - self.started

    def running(self):
        return self.thread.is_alive()

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()


class Server:
    def __init__(self, jobs):
        # pg_regress's first, because the name is in what is expected.
        self.databases = [REGRESS] + ["mutate_%d" % i for i in range(1, jobs)]
        self.psql("CREATE DATABASE mutate_template")
        self.psql("CREATE EXTENSION pgtap", "mutate_template")

    def psql(self, statement, database="postgres"):
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, database],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return done.stdout

    def clean(self):
        """Databases as new, nobody in them."""
        self.wait()
        others = "SELECT %s FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        for attempt in range(40):
            left = self.psql(others % "pid").split()
            if not left:
                break
            if attempt == 0:
                self.psql(others % "CASE WHEN pid <> pg_backend_pid() THEN pg_terminate_backend(pid) END")
            elif attempt >= 20:
                # It does not answer to interrupts.
                for pid in left:
                    try:
                        os.kill(int(pid), signal.SIGKILL)
                    except OSError:
                        pass
                self.wait()
            time.sleep(0.05)
        for database in self.databases:
            self.psql("DROP DATABASE IF EXISTS %s" % database)
            self.psql("CREATE DATABASE %s TEMPLATE mutate_template" % database)
        for role in self.psql("SELECT rolname FROM pg_roles WHERE rolname LIKE 'regress%'").split():
            self.psql("DROP ROLE %s" % role)

    def wait(self):
        """After a crash the server starts anew by itself."""
        for _ in range(600):
            try:
                self.psql("SELECT 1")
                return
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                problem = error
                time.sleep(0.1)
        sys.exit("mutate: the server does not come back: %s" % problem)


class Builder:
    """Compiles a mutant in a copy of the sources, and links it with the other objects."""

    def __init__(self, jobs):
        def config(option):
            command = [os.environ["PG_CONFIG"], option]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

        self.jobs = jobs
        self.home = tempfile.mkdtemp(prefix="mutants.", dir="..")
        self.compiler = shlex.split(config("--cc"))
        # -Werror for what would be a mistake in the mutant itself.  Without -g
        # and assertions, equal objects are equal programs.
        self.flags = (["-I" + config("--includedir-server"), "-D_GNU_SOURCE", "-Isrc", "-O1", "-fPIC", "-w",
                       "-fwrapv", "-fno-strict-aliasing", "-fexcess-precision=standard", "-fvisibility=hidden",
                       "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
                       "-Werror=implicit-function-declaration", "-MMD"]
                      + [f for f in shlex.split(config("--cppflags")) if f.startswith(("-I", "-D"))])
        self.base = os.path.join(self.home, "base")
        shutil.copytree("src", os.path.join(self.base, "src"))
        self.sources = sorted(glob.glob("src/**/*.c", recursive=True))
        self.headers = sorted(glob.glob("src/**/*.h", recursive=True))
        if not self.compile(self.base, self.sources):
            sys.exit("mutate: the sources do not compile")
        self.users = {}         # of a file: the sources that include it
        for source in self.sources:
            with open(os.path.join(self.base, source[:-2] + ".d")) as file:
                for name in file.read().replace("\\\n", " ").split():
                    self.users.setdefault(os.path.normpath(name), set()).add(source)

    def compile(self, home, sources):
        def one(source):
            command = self.compiler + self.flags + ["-c", source, "-o", source[:-2] + ".o"]
            return subprocess.run(command, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).returncode == 0

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return all(pool.map(one, sources))

    def link(self, home, changed, library):
        objects = [os.path.join(home if s in changed else self.base, s[:-2] + ".o") for s in self.sources]
        subprocess.run(self.compiler + ["-shared", "-o", library] + objects, check=True)

    def build(self, mutant):
        """A library; None if it doesn't compile, "" if it's the same program."""
        home = tempfile.mkdtemp(dir=self.home)
        try:
            shutil.copytree("src", os.path.join(home, "src"), ignore=shutil.ignore_patterns("*.o", "*.d"))
            path = os.path.join(home, mutant.path)
            with open(path) as file:
                lines = file.read().split("\n")
            assert lines[mutant.line - 1] == mutant.old
            lines[mutant.line - 1] = mutant.new
            with open(path, "w") as file:
                file.write("\n".join(lines))
            changed = self.users.get(mutant.path, set())
            if not self.compile(home, sorted(changed)):
                return None
            changed = {s for s in changed if self.differs(home, s)}
            if not changed:
                return ""
            library = home + ".so"
            self.link(home, changed, library)
            return library
        finally:
            shutil.rmtree(home)

    def differs(self, home, source):
        name = source[:-2] + ".o"
        with open(os.path.join(home, name), "rb") as a, open(os.path.join(self.base, name), "rb") as b:
            return a.read() != b.read()


class Tests:
    def __init__(self, server, files, fuzz):
        self.server = server
        self.files = files
        self.fuzz = fuzz
        self.cost = {}          # seconds of the unmutated
        self.kills = {}         # (source, test): number

    def measure(self, patience):
        self.server.clean()
        self.patience = patience
        failed = self.run(self.files, measure=True)
        if failed:
            sys.exit("mutate: the unmutated fails: %s: %s" % failed)

    def order(self, source):
        """The tests for a source's mutants, the nearest first, then the quickest."""
        near = next((tests for pattern, tests in NEAREST if re.search(pattern, source)), "$^")

        def rank(name):
            cost = self.cost[name]
            nearest = re.search(near, name) is not None
            return cost / (1 + self.kills.get((source, name), 0)) / (4 if nearest else 1)

        return sorted(self.files, key=rank)

    def run(self, names, measure=False):
        """(test, why) of the first that fails, or None."""
        waiting = list(names)
        free = list(self.server.databases)
        running = {}
        failed = None
        try:
            while (waiting or running) and not failed:
                for database in free[:]:
                    name = next((n for n in waiting if database == REGRESS or not n.startswith("sql/")), None)
                    if name:
                        waiting.remove(name)
                        free.remove(database)
                        running[Psql(name, database)] = database
                time.sleep(0.01)
                for test in list(running):
                    if test.failure or not test.running():
                        free.append(running.pop(test))
                        if test.failure:
                            failed = failed or (test.path, test.failure)
                        elif measure:
                            self.cost[test.path] = test.seconds()
                        test.stop()
                    elif measure and test.seconds() > self.patience:
                        # It is not wanted, and needn't end.
                        self.files.remove(test.path)
                        test.stop()
                        self.server.psql("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                                         "WHERE datname = '%s'" % running[test])
                        free.append(running.pop(test))
                    elif not measure and test.seconds() > 4 * self.cost[test.path] + 10:
                        failed = failed or (test.path, "timeout")
        finally:
            for test in running:
                test.stop()
        return failed

    def run_fuzz(self):
        """What the fuzzer says in some seconds; its seed is always the same."""
        command = ["/usr/bin/python3", "test/fuzz/run.py", "--seed", "1", "--seconds", str(self.fuzz)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.fuzz * 5 + 60)
        except subprocess.TimeoutExpired:
            return ("fuzz", "timeout")
        return ("fuzz", "fails") if done.returncode != 0 else None


class Report:
    """What became of the mutants, per directory of the sources."""

    WORDS = {"killed": "killed", "survived": "survived", "equivalent": "known to be equivalent",
             "not compiled": "did not compile", "same": "gave the same program"}

    def __init__(self, equivalent):
        self.equivalent = equivalent
        self.rooms = {}
        self.survivors = []

    def count(self, mutant, what):
        for room in (os.path.dirname(mutant.path), "all"):
            self.rooms.setdefault(room, dict.fromkeys(self.WORDS, 0))[what] += 1

    def add(self, mutant, killed, seconds):
        what = "killed" if killed else "equivalent" if mutant.key() in self.equivalent else "survived"
        self.count(mutant, what)
        if what == "survived":
            self.survivors.append(mutant)
        self.tell(what, mutant, killed, seconds)

    def tell(self, what, mutant, killed, seconds):
        """One line, and the change if nothing has noticed it yet."""
        print("%-10s %s:%d (%s) %.0f s%s" % (what, mutant.path, mutant.line, mutant.kind, seconds,
                                            "  %s: %s" % killed if killed else ""), flush=True)
        if not killed:
            print("-%s\n+%s" % (mutant.old, mutant.new), flush=True)

    def tested(self):
        room = self.rooms.get("all", dict.fromkeys(self.WORDS, 0))
        return room["killed"] + room["survived"]

    def print(self, file):
        for mutant in self.survivors:
            print("\n%s:%d: survived (%s)" % (mutant.path, mutant.line, mutant.kind), file=file)
            print("-%s\n+%s" % (mutant.old, mutant.new), file=file)
        print(file=file)
        for room, counts in sorted(self.rooms.items(), key=lambda r: (r[0] == "all", r[0])):
            print("%-13s %3d mutants, %s" % (room, counts["killed"] + counts["survived"], ", ".join(
                "%d %s" % (counts[what], words) for what, words in self.WORDS.items())), file=file)


def read_equivalent():
    with open(os.path.join(HERE, "equivalent.txt")) as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--files", default="")
    parser.add_argument("--tests", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--report")
    parser.add_argument("--library", required=True)
    options = parser.parse_args()

    builder = Builder(options.jobs)
    files = [f for f in builder.sources + builder.headers if re.search(options.files, f)]
    server = Server(options.jobs)
    names = [t for t in sorted(glob.glob("sql/*.sql") + glob.glob("test/pgtap/*.sql")) if re.search(options.tests, t)]
    tests = Tests(server, names, FUZZ_SECONDS)
    report = Report(read_equivalent())

    def install(library):
        os.chmod(library, 0o755)
        shutil.copy(library, options.library + ".new")
        os.rename(options.library + ".new", options.library)

    unmutated = os.path.join(builder.home, "unmutated.so")
    builder.link(builder.base, set(builder.sources), unmutated)
    install(unmutated)
    tests.measure(SLOW if options.quick else 3600)
    print("the unmutated passes: " + ", ".join(
        "%s %.1f s" % (t, tests.cost[t]) for t in sorted(tests.files, key=tests.cost.get)), flush=True)

    def verdict(mutant, library, slow):
        install(library)
        server.clean()
        failed = tests.run([t for t in tests.order(mutant.path) if (tests.cost[t] > SLOW) == slow])
        if failed:
            key = (mutant.path, failed[0])
            tests.kills[key] = tests.kills.get(key, 0) + 1
        elif slow:
            failed = tests.run_fuzz()
        return failed

    again = []
    candidates = mutants.generate(".", files, options.seed)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        # The next is compiled while one is tested.
        queue = [(m, pool.submit(builder.build, m)) for m in candidates[:2]]
        rest = iter(candidates[2:])
        while queue and report.tested() + len(again) < options.count:
            mutant, future = queue.pop(0)
            following = next(rest, None)
            if following:
                queue.append((following, pool.submit(builder.build, following)))
            library = future.result()
            if not library:
                report.count(mutant, "not compiled" if library is None else "same")
                continue
            started = time.monotonic()
            killed = verdict(mutant, library, False)
            if killed or options.quick or mutant.key() in report.equivalent:
                report.add(mutant, killed, time.monotonic() - started)
                os.unlink(library)
            else:
                report.tell("later", mutant, None, time.monotonic() - started)
                again.append((mutant, library))
        for _, future in queue:
            future.cancel()
    for mutant, library in again:
        started = time.monotonic()
        report.add(mutant, verdict(mutant, library, True), time.monotonic() - started)
    report.print(sys.stdout)
    if options.report:
        with open(options.report, "w") as file:
            report.print(file)


if __name__ == "__main__":
    main()
