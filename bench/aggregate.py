#!/usr/bin/env python3
"""Times the aggregates against PostgreSQL's own and against COPY, side by side.

Every statement of a table is one pgbench script; the scripts of a table take
turns, and what is reported is the ratio of their median latencies.  JIT is
off, for its compilation would hide what is measured.  Peak memory is the
resident set of a backend's own (without shared buffers) while it makes one
document, above that of an idle one.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time


def psql(sql):
    return subprocess.run(['psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-c', sql], check=True,
                          capture_output=True, text=True).stdout.strip()


def columns(table):
    return psql(f"SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute "
                f"WHERE attrelid = '{table}'::regclass AND attnum > 0").split(', ')


def queries(table):
    """What to measure of one table: names of the contenders, and their SQL."""
    cols = columns(table)
    values = ', '.join(cols)
    names = 'ARRAY[' + ', '.join("'" + c.strip('"') + "'" for c in cols) + ']'
    pairs = ', '.join("'" + c.strip('"') + "', " + c for c in cols)

    def size(expr):
        return f'SELECT pg_column_size({expr}) FROM {table};'
    result = {
        'COPY to text': f"COPY {table} TO '/dev/null';",
        'jsonrow_agg_json(names, ...)': size(f'jsonrow_agg_json({names}, {values})'),
        'jsonrow_agg_json(t)': size(f'jsonrow_agg_json({table})'),
        'json_agg(json_build_array(...))': size(f'json_agg(json_build_array({values}))'),
        'json_agg(t)': size(f'json_agg({table})'),
        'jsonrow_agg(names, ...)': size(f'jsonrow_agg({names}, {values})'),
        'jsonrow_agg(t)': size(f'jsonrow_agg({table})'),
        'jsonb_agg(jsonb_build_array(...))': size(f'jsonb_agg(jsonb_build_array({values}))'),
        'jsonb_agg(t)': size(f'jsonb_agg({table})'),
    }
    if len(cols) <= 50:
        result['json_agg(json_build_object(...))'] = size(f'json_agg(json_build_object({pairs}))')
    return result


def multiset():
    def per_parent(expr):
        return (f'SELECT count(doc) FROM (SELECT (SELECT {expr} FROM child WHERE number <> parent.id) AS doc '
                f'FROM parent OFFSET 0) s;')
    return {
        'no document at all: count(name)': per_parent('count(name)'),
        'jsonrow_agg_json(names, ...)': per_parent("jsonrow_agg_json('{number,name}', number, name)"),
        'json_agg(json_build_array(...))': per_parent('json_agg(json_build_array(number, name))'),
        'json_agg(json_build_object(...))': per_parent("json_agg(json_build_object('number', number, 'name', name))"),
        'jsonrow_agg(names, ...)': per_parent("jsonrow_agg('{number,name}', number, name)"),
        'jsonb_agg(jsonb_build_array(...))': per_parent('jsonb_agg(jsonb_build_array(number, name))'),
        'jsonb_agg(jsonb_build_object(...))': per_parent("jsonb_agg(jsonb_build_object('number', number, 'name', name))"),
    }


def latency(sql, runs):
    """Median latency in ms of one pgbench call."""
    with tempfile.NamedTemporaryFile('w', suffix='.sql') as script, tempfile.TemporaryDirectory() as logs:
        script.write(sql)
        script.flush()
        subprocess.run(['pgbench', '-n', '-t', str(runs), '-f', script.name, '-l', '--log-prefix', logs + '/l'],
                       check=True, capture_output=True)
        times = [int(line.split()[2]) / 1000 for name in os.listdir(logs) for line in open(logs + '/' + name)]
    return statistics.median(times)


def measure(contenders, rounds, runs):
    times = {name: [] for name in contenders}
    for i in range(rounds):
        for name, sql in contenders.items():
            times[name].append(latency(sql, runs))
            print('.', end='', file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {name: statistics.median(t) for name, t in times.items()}


def resident(pid):
    """Anonymous memory of a process in bytes, now."""
    for line in open(f'/proc/{pid}/status'):
        if line.startswith('RssAnon:'):
            return int(line.split()[1]) * 1024
    return 0


def peak_memory(expr):
    """Peak resident memory over an idle backend's, as a multiple of the result."""
    session = subprocess.Popen(['psql', '-XqAt'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(sql):
        session.stdin.write(sql + '\n')
        return session.stdout.readline().strip()
    pid = ask('SET jit = off; SELECT pg_backend_pid();')
    ask('SELECT count(*) FROM mixed;')
    idle, peak, done = resident(pid), 0, threading.Event()

    def watch():
        nonlocal peak
        while not done.is_set():
            peak = max(peak, resident(pid))
            time.sleep(0.0005)
    watcher = threading.Thread(target=watch)
    watcher.start()
    size = int(ask(f'SELECT pg_column_size({expr}) FROM memory;'))
    done.set()
    watcher.join()
    session.stdin.close()
    session.wait()
    return (peak - idle) / size


def report(title, times):
    ours = [n for n in times if n.startswith('jsonrow')]
    width = max(map(len, times))
    print(f'\n{title}\n')
    print(f'{"":{width}}  {"ms":>8}' + ''.join(f'  {"/ " + n:>{len(n) + 2}}' for n in ours))
    for name, ms in times.items():
        print(f'{name:{width}}  {ms:8.2f}' + ''.join(f'  {ms / times[n]:{len(n) + 2}.2f}' for n in ours))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=5, help='how often the contenders take turns')
    parser.add_argument('--runs', type=int, default=5, help='executions in a turn')
    args = parser.parse_args()

    print(psql('SELECT version()'))
    print('Times are medians; columns are how many times longer than ours.')
    for table in ('mixed', 'seed', 'wide', 'floats', 'quotes', 'nulls'):
        rows, ncols = psql(f'SELECT count(*) FROM {table}'), len(columns(table))
        report(f'{table}: {rows} rows of {ncols} columns', measure(queries(table), args.rounds, args.runs))
    report('MULTISET: 10,000 correlated subqueries of 10 rows x 2 columns', measure(multiset(), args.rounds, args.runs))

    psql('CREATE TABLE IF NOT EXISTS memory AS SELECT m.* FROM mixed m, generate_series(1, 5)')
    print('\nPeak memory, as a multiple of the result\'s size\n')
    cols = columns('memory')
    values, names = ', '.join(cols), 'ARRAY[' + ', '.join(f"'{c}'" for c in cols) + ']'
    for expr in (f'jsonrow_agg_json({names}, {values})', f'jsonrow_agg({names}, {values})',
                 'json_agg(memory)', 'jsonb_agg(memory)'):
        print(f'{expr.split("(")[0]:20} {peak_memory(expr):5.2f}')


if __name__ == '__main__':
    main()
