"""What the benchmarks share: contenders take turns, and ratios are reported.

Every statement is one pgbench script; the scripts of a table take turns, and
what is reported is the ratio of their latencies.  What takes less than a
statement is timed on the server, many at once.  All of them are Measured: the
median of the rounds, which knows its spread.  Peak memory is the resident set
of a backend's own (without shared buffers) while it makes one document, above
that of an idle one.
"""
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measured import Measured

STEADY = 0.03       # a median that may be off by more is worth another round
patience = 10       # seconds that a contest may take, for more rounds than it must have


def results_directory():
    """Where scripts/bench keeps what it measured, and the libraries that it needed for it."""
    return pathlib.Path(os.environ['RESULTS'])


def psql(sql):
    return subprocess.run(['psql', '-XqAt', '-v', 'ON_ERROR_STOP=1'], input='SET client_min_messages = warning;' + sql, check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def buffers(sql):
    """How many buffers a statement reads"""
    plan = json.loads(psql(f'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}'))[0]['Plan']
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']


def postmaster():
    """The pid of the server's first process"""
    return int(open(psql('SHOW data_directory') + '/postmaster.pid').readline())


@contextlib.contextmanager
def one_core():
    """
    Client and server on one core, as they take turns anyway: wherever else the
    kernel puts them, waking each other costs what ten rows cost, or nothing.
    """
    processes = (0, postmaster())
    cores = os.sched_getaffinity(0)
    try:
        for pid in processes:
            os.sched_setaffinity(pid, {min(cores)})
        yield
    finally:
        for pid in processes:
            os.sched_setaffinity(pid, cores)


def pgbench(*options):
    """What it prints; what it complains of is the error."""
    run = subprocess.run(['pgbench', '-n', *map(str, options)], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return run.stdout


def latency(sql, runs):
    """Median latency in ms of one pgbench call."""
    with tempfile.NamedTemporaryFile('w', suffix='.sql') as script, tempfile.TemporaryDirectory() as logs:
        script.write(sql)
        script.flush()
        pgbench('-t', runs, '-f', script.name, '-l', '--log-prefix', logs + '/l')
        times = [int(line.split()[2]) / 1000 for name in os.listdir(logs) for line in open(logs + '/' + name)]
    return statistics.median(times)


def take_turns(contenders, once, rounds, floor=None):
    """
    {name: Measured} of what once(contender) gives, in turns.  There are more
    rounds than asked for while a median is not steady, or one lies below the
    floor, which only noise can do, and as long as that does not take too long.
    """
    taken, started = {name: [] for name in contenders}, time.time()
    while True:
        for name, contender in contenders.items():
            taken[name].append(once(contender))
        result = {name: Measured(values) for name, values in taken.items()}
        steady = all(one.error() <= STEADY for one in result.values()) and (not floor or min(result, key=result.get) == floor)
        if len(taken[name]) >= rounds and (steady or time.time() - started > patience):
            return result


def measure(contenders, rounds, runs, floor=None):
    """{name: milliseconds} of {name: SQL}: pgbench's latencies"""
    result = take_turns(contenders, lambda sql: latency(sql, runs), rounds, floor)
    progress()
    return result


# Evaluates the expression for each row of the source, so many times over that
# it takes about 20 ms: how often that is, and microseconds of one evaluation.
ACCESS = """CREATE FUNCTION pg_temp.access(expr text, source text, times bigint) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz := clock_timestamp();
    evaluated bigint;
BEGIN
    EXECUTE format('SELECT count(*), count(%s) FROM %s, generate_series(1, %s)', expr, source, times) INTO evaluated;
    RETURN extract(epoch FROM clock_timestamp() - started) * 1e6 / evaluated;
END $$;
CREATE FUNCTION pg_temp.enough(expr text, source text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    times bigint := 1;
    started timestamptz;
    us float8;
BEGIN
    LOOP
        started := clock_timestamp();
        PERFORM pg_temp.access(expr, source, times);
        us := extract(epoch FROM clock_timestamp() - started) * 1e6;
        EXIT WHEN us >= 18000 OR times >= 10000000;
        times := greatest(times * 2, least(times * 20, (times * 22000 / us)::bigint));
    END LOOP;
    RETURN times;
END $$;"""


def literal(sql):
    return "'" + sql.replace("'", "''") + "'"


def accesses(contenders, rounds):
    """{name: (expression, source)}: microseconds of one evaluation each, in one session, in turns."""
    with session() as ask:
        ask(f'{ACCESS}\nSELECT true;')
        calls = {name: f'{literal(expr)}, {literal(source)}' for name, (expr, source) in contenders.items()}
        turns = {name: f'SELECT pg_temp.access({call}, {int(ask(f"SELECT pg_temp.enough({call});"))});' for name, call in calls.items()}
        result = take_turns(turns, lambda sql: float(ask(sql)), rounds)
    progress()
    return result


# Evaluates the expression once for each row of the table, in as many statements as
# take about 20 ms: what one has kept of a stored value, the next does not find.
READ_ONCE = """CREATE FUNCTION pg_temp.read_once(setting text, expr text, source text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz;
    evaluated bigint := 0;
    of_one bigint;
    us float8;
BEGIN
    PERFORM set_config('jsonrow.accelerate', setting, false);
    EXECUTE format('PREPARE read AS SELECT count(*), count(%s) FROM %s', expr, source);
    EXECUTE 'EXECUTE read' INTO of_one;
    started := clock_timestamp();
    LOOP
        EXECUTE 'EXECUTE read' INTO of_one;
        evaluated := evaluated + of_one;
        us := extract(epoch FROM clock_timestamp() - started) * 1e6;
        EXIT WHEN us >= 20000;
    END LOOP;
    DEALLOCATE read;
    RETURN us / evaluated;
END $$;"""


def read_once(contenders, rounds):
    """{name: (off or on, expression, table)}: microseconds of one evaluation with jsonrow.accelerate so, each of another row, in turns"""
    with session() as ask:
        ask(f"LOAD 'jsonrow';\n{READ_ONCE}\nSELECT true;")
        result = take_turns({name: f'SELECT pg_temp.read_once({", ".join(map(literal, one))});' for name, one in contenders.items()},
                            lambda sql: float(ask(sql)), rounds)
    progress()
    return result


def progress():
    print('.', end='', file=sys.stderr, flush=True)


def resident(pid):
    """Anonymous memory of a process in bytes, now."""
    for line in open(f'/proc/{pid}/status'):
        if line.startswith('RssAnon:'):
            return int(line.split()[1]) * 1024
    return 0


@contextlib.contextmanager
def session():
    """A backend that is asked for one value at a time"""
    psql = subprocess.Popen(['psql', '-XqAt', '-v', 'ON_ERROR_STOP=1'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(sql):
        psql.stdin.write(sql + '\n')
        return psql.stdout.readline().strip()
    try:
        yield ask
    finally:
        psql.stdin.close()
        psql.wait()


def peak_memory(expr, table):
    """Peak resident memory over an idle backend's, as a multiple of the result."""
    with session() as ask:
        pid = ask('SET jit = off; SELECT pg_backend_pid();')
        ask(f'SELECT count(*) FROM {table};')
        idle, peak, done = resident(pid), 0, threading.Event()

        def watch():
            nonlocal peak
            while not done.is_set():
                peak = max(peak, resident(pid))
                time.sleep(0.0005)
        watcher = threading.Thread(target=watch)
        watcher.start()
        size = int(ask(f'SELECT pg_column_size({expr}) FROM {table};'))
        done.set()
        watcher.join()
    return (peak - idle) / size


def cpu_of(pid):
    """Nanoseconds that a backend has run. It may have answered and be at work still; what the kernel counts is complete when it sleeps."""
    while open(f'/proc/{pid}/stat').read().rpartition(')')[2].split()[0] == 'R':
        time.sleep(0.0001)
    return int(open(f'/proc/{pid}/schedstat').read().split()[0])


def backend_cpu(contenders, rounds, before='', least=0, floor=None):
    """
    {name: (settings, sql)}: milliseconds of the backend's CPU for each statement, its result sent, in one session, in turns.
    In a turn a statement is repeated until it has run for so many milliseconds: the first one finds the processor's caches as others left them.
    """
    with session() as ask:
        pid = ask(f'SET jit = off;\n{before}SELECT pg_backend_pid();')

        def run(sql):
            started = cpu_of(pid)
            if ask(f'\\o /dev/null\n{sql};\n\\o\n\\echo done') != 'done':
                raise RuntimeError(f'this cannot be run: {sql}')
            return (cpu_of(pid) - started) / 1e6

        def once(contender):
            settings, sql = contender
            ask(f'{settings}\n\\echo set')
            taken = [run(sql)]
            while sum(taken) < least:
                taken.append(run(sql))
            return statistics.median(taken)
        for contender in contenders.values():       # to warm up
            once(contender)
        result = take_turns(contenders, once, rounds, floor)
    progress()
    return result


def server_cpu():
    """CPU seconds of all processes of the server so far; those that ended count for their parent."""
    first = postmaster()
    ticks = 0
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            fields = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
        except OSError:
            continue
        if int(pid) == first:
            ticks += sum(map(int, fields[11:15]))
        elif int(fields[1]) == first:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf('SC_CLK_TCK')
