"""SQLite's JSON1 against PostgreSQL, embedded against client and server.

After "Experiment 065: JSON1 bulk shapes re-evaluation" (resqlite): 100, 1,000
and 10,000 rows of id, name, value, score as one JSON text, made by
json_group_array(json_object(...)) or by a serializer of the application's own.
"""
import json
import re
import sqlite3
import statistics
import subprocess
import time

from charts import bars
from measure import latency, psql
from workloads._tables import number, table

TITLE = "SQLite's JSON1: rows of four columns as one JSON text"

SEED = {100: (0.07, 0.105), 1000: (0.425, 0.455), 10_000: (4.33, 4.31)}   # ms: own serializer, JSON1 of objects
ROWS = (100, 1000, 10_000)
SQLITE = {
    'SQLite json_group_array(json_object)': "SELECT json_group_array(json_object('id', id, 'name', name, 'value', value, 'score', score)) FROM items WHERE id <= {n}",
    'SQLite json_group_array(json_array)': 'SELECT json_group_array(json_array(id, name, value, score)) FROM items WHERE id <= {n}',
}
POSTGRESQL = {
    'json_agg(json_build_object)': "json_agg(json_build_object('id', id, 'name', name, 'value', value, 'score', score))",
    'json_agg(json_build_array)': 'json_agg(json_build_array(id, name, value, score))',
    'jsonrow_agg_json': "jsonrow_agg_json('{{id,name,value,score}}', id, name, value, score)",
    'no JSON: count': 'count(name)',
}


def rows():
    return [(i, f'item {i}', i * 1.25, i % 100 / 7) for i in range(1, max(ROWS) + 1)]


def sqlite_times(rounds):
    db = sqlite3.connect(':memory:')
    db.execute('CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, value REAL, score REAL)')
    db.executemany('INSERT INTO items VALUES (?, ?, ?, ?)', rows())

    def own_serializer(n):
        return json.dumps([{'id': a, 'name': b, 'value': c, 'score': d} for a, b, c, d in
                           db.execute('SELECT id, name, value, score FROM items WHERE id <= ?', (n,))], separators=(',', ':'))
    result = {}
    for n in ROWS:
        calls = {name: (lambda sql=sql: db.execute(sql.format(n=n)).fetchone()[0]) for name, sql in SQLITE.items()}
        calls['SQLite rows, json.dumps in Python'] = lambda: own_serializer(n)
        times = {name: [] for name in calls}
        for _ in range(rounds * 10):
            for name, call in calls.items():
                started = time.perf_counter()
                call()
                times[name].append((time.perf_counter() - started) * 1000)
        for name in calls:
            result.setdefault(name, {})[n] = statistics.median(times[name])
    return result


def server_time(sql, rounds):
    """What the server says it took: of EXPLAIN ANALYZE, without clocks in the plan."""
    plans = psql(f'EXPLAIN (ANALYZE, TIMING OFF) {sql};\n' * rounds * 5)
    return statistics.median(map(float, re.findall(r'Execution Time: ([\d.]+)', plans)))


def postgresql_times(rounds):
    psql('DROP TABLE IF EXISTS items; CREATE TABLE items (id int PRIMARY KEY, name text, value float8, score float8)')
    subprocess.run(['psql', '-Xq', '-c', 'COPY items FROM STDIN'], text=True, check=True,
                   input=''.join('\t'.join(map(str, row)) + '\n' for row in rows()))
    psql('ANALYZE items')
    result = {}
    for n in ROWS:
        for name, call in POSTGRESQL.items():
            sql = f'SELECT {call.format()} FROM items WHERE id <= {n}'
            result.setdefault(name, {})[n] = {'client': latency(sql + ';', rounds * 30), 'server': server_time(sql, rounds)}
    return result


def measure(quick):
    rounds = 3 if quick else 10
    return {'sqlite': sqlite_times(rounds), 'postgresql': postgresql_times(rounds), 'version': sqlite3.sqlite_version}


def report(data):
    ours = data['postgresql']['jsonrow_agg_json']
    lines = [f'SQLite {data["version"]} runs within the client (Python\'s sqlite3); PostgreSQL answers over a Unix socket, so its time is told twice: '
             'as the client sees it (a prepared pgbench client, the result fetched), and as the server does (`EXPLAIN ANALYZE`). '
             'Ratios: how many times longer than jsonrow_agg_json as the client sees it.', '']
    body = []
    for name, times in data['sqlite'].items():
        body.append([name] + [f'{times[n] / ours[n]["client"]:.2f}' for n in map(str, ROWS)] + [number(times[n]) for n in map(str, ROWS)])
    for name, times in data['postgresql'].items():
        body.append([name] + [f'{times[n]["client"] / ours[n]["client"]:.2f}' for n in map(str, ROWS)]
                    + [f'{number(times[n]["client"])} ({number(times[n]["server"])})' for n in map(str, ROWS)])
    lines += table(['', *[f'ratio, {n:,} rows' for n in ROWS], *[f'ms (server), {n:,} rows' for n in ROWS]], body)
    lines += ['The seed\'s own figures, on its machine (Dart over FFI), in ms:', '']
    lines += table(['', *[f'{n:,} rows' for n in ROWS]], [['its own serializer', *[SEED[n][0] for n in ROWS]], ['JSON1 of objects', *[SEED[n][1] for n in ROWS]]])
    return lines


def charts(data):
    groups = {}
    for n in map(str, ROWS):
        groups[f'{int(n):,} rows'] = {name: times[n] / int(n) * 1000 for name, times in data['sqlite'].items()} | \
            {name: times[n]['client'] / int(n) * 1000 for name, times in data['postgresql'].items() if not name.startswith('no')}
    return {'time': bars('Rows of four columns as one JSON text, as the client sees it', 'microseconds per row', groups)}
