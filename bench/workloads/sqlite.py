"""SQLite's JSON1 against a serializer written by hand, and PostgreSQL beside them.

After "Experiment 065: JSON1 bulk shapes re-evaluation" (resqlite): 100, 1,000
and 10,000 rows of id, name, value, score as one JSON text.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from charts import bars
from measure import measure, one_core, psql
from measured import Measured
from report import number, ratio

TITLE = "SQLite's JSON1: rows of four columns as one JSON text"
NEEDS = {'libsqlite3-dev': '/usr/include/sqlite3.h'}

ROWS = (100, 1000, 10_000)
# ms, in the middle of what the three published runs gave
PUBLISHED = {'objects, serialized by hand': (0.07, 0.425, 4.33), 'json_group_array(json_object)': (0.105, 0.455, 4.31)}
FLOOR = 'floor: count, no JSON'
POSTGRESQL = {
    'jsonrow_agg_json': "jsonrow_agg_json('{id,name,value,score}', id, name, value, score)",
    'jsonrow_agg': "jsonrow_agg('{id,name,value,score}', id, name, value, score)",
    'json_agg(json_build_array)': 'json_agg(json_build_array(id, name, value, score))',
    'json_agg(json_build_object)': "json_agg(json_build_object('id', id, 'name', name, 'value', value, 'score', score))",
    FLOOR: 'count(name)',
}
OURS = 'jsonrow_agg_json'
source = pathlib.Path(__file__).parent.parent / 'sqlite' / 'items.c'


def versions():
    header = pathlib.Path(NEEDS['libsqlite3-dev']).read_text()
    return {'SQLite': re.search(r'#define SQLITE_VERSION\s+"(.*)"', header)[1]}


def compiled(directory):
    def config(what):
        return subprocess.check_output([os.environ['PG_CONFIG'], what], text=True).strip()
    program = pathlib.Path(directory) / 'items'
    subprocess.run(['gcc', '-O2', '-I' + config('--includedir-server'), source, '-o', program, '-L' + config('--pkglibdir'),
                    '-lpgcommon', '-lpgport', '-lsqlite3', '-lm'], check=True)
    return program


def embedded(rounds):
    result = {}
    with tempfile.TemporaryDirectory() as directory:
        program = compiled(directory)
        by_hand, objects, arrays = map(json.loads, subprocess.check_output([program, '1000'], text=True).splitlines())
        if not [row['id'] for row in by_hand] == [row['id'] for row in objects] == [row[0] for row in arrays] == list(range(1, 1001)):
            raise AssertionError('the rows differ')
        for n in ROWS:
            taken = {}
            for _ in range(rounds):
                for line in subprocess.check_output([program, str(n), str(max(5, 20_000 // n))], text=True).splitlines():
                    name, us = line.split('\t')
                    taken.setdefault(name, []).append(float(us) / 1000)
            for name, ms in taken.items():
                result.setdefault(name, {})[n] = Measured(ms)
    return result


def server_times(statements, times):
    """What the server says it took: of EXPLAIN ANALYZE, without clocks in the plan; in turns."""
    plans = psql(''.join(f'EXPLAIN (ANALYZE, TIMING OFF) {sql};\n' for sql in statements.values()) * times)
    taken = [float(ms) for ms in re.findall(r'Execution Time: ([\d.]+)', plans)]
    return {name: Measured(taken[i::len(statements)]) for i, name in enumerate(statements)}


def client_and_server(rounds):
    psql(f"""DROP TABLE IF EXISTS items; CREATE TABLE items (id int PRIMARY KEY, name text, value float8, score float8);
        INSERT INTO items SELECT i, 'item ' || i, i * 1.25, i % 100 / 7.0 FROM generate_series(1, {max(ROWS)}) i; VACUUM ANALYZE items""")
    result = {name: {} for name in POSTGRESQL}
    for n in ROWS:
        statements = {name: f'SELECT {call} FROM items WHERE id <= {n}' for name, call in POSTGRESQL.items()}
        with one_core():
            client = measure({name: sql + ';' for name, sql in statements.items()}, rounds, 20, FLOOR)
            server = server_times(statements, rounds * 10)
        for name in statements:
            result[name][n] = {'client': client[name], 'server': server[name]}
    return result


def parts(quick):
    rounds = 3 if quick else 10
    return {'sqlite': lambda: embedded(rounds), 'postgresql': lambda: client_and_server(rounds)}


def report(data, out):
    sqlite, postgresql = data['sqlite'], data['postgresql']
    ours = {n: postgresql[OURS][n]['client'] for n in map(str, ROWS)}
    out.text('''SQLite runs within the client, a program in C; PostgreSQL answers over a Unix socket, so its time is told twice: as the client
        sees it (pgbench, the text fetched), and as the server does (`EXPLAIN ANALYZE`). What is between them is the round trip,
        parsing and planning, the transfer, and, of jsonb, turning it into text. SQLite does not pay it; a client that asks for few rows should know.
        resqlite serialized rows to bytes in C, with Ryu, and called it from Dart; here both are in C, so nothing stands between,
        and the serializer by hand wins by more than there. JSON1 prints numbers with 15 digits.''')
    body = [[f'SQLite, {name}', *[ratio(times[n], ours[n]) for n in ours], *[number(times[n]) for n in ours]] for name, times in sqlite.items()]
    body += [[f'PostgreSQL, {name}', *[ratio(times[n]['client'], ours[n]) for n in ours],
              *[f'{number(times[n]["client"])} ({number(times[n]["server"])})' for n in ours]] for name, times in postgresql.items()]
    out.table(['', *[f'{int(n):,} rows: times as long as {OURS}' for n in ours], *[f'{int(n):,} rows: ms (in the server)' for n in ours]], body, 1 + len(ours))
    out.text('What is gained over JSON1 of objects by a serializer of one\'s own, and over `json_agg` of objects by ours:')
    by_hand, json1 = PUBLISHED
    built_in = 'json_agg(json_build_object)'
    out.table(['', *[f'{n:,} rows' for n in ROWS]], [
        ['SQLite, serialized by hand: as published', *[ratio(PUBLISHED[json1][i], PUBLISHED[by_hand][i]) for i in range(len(ROWS))]],
        ['SQLite, serialized by hand: here', *[ratio(sqlite[json1][n], sqlite[by_hand][n]) for n in ours]],
        [f'PostgreSQL, {OURS}, as the client sees it', *[ratio(postgresql[built_in][n]['client'], ours[n]) for n in ours]],
        [f'PostgreSQL, {OURS}, in the server', *[ratio(postgresql[built_in][n]['server'], postgresql[OURS][n]['server']) for n in ours]],
        ['as published, ms: by hand / JSON1', *[f'{PUBLISHED[by_hand][i]} / {PUBLISHED[json1][i]}' for i in range(len(ROWS))]]])
    out.chart('time', 'Time of rows as one JSON text, SQLite and PostgreSQL', bars(
        'Rows of (id, name, value, score) as one JSON text: shorter is better', {
            f'{int(n):,} rows: milliseconds': {f'SQLite in process: {name}': times[n] for name, times in sqlite.items()}
            | {f'PostgreSQL: {name}': times[n]['client'] for name, times in postgresql.items() if not name.startswith('floor')} for n in ours},
        note='As the client sees it. In process: no round trip, no transfer. By hand: a serializer in C that steps through the rows. PostgreSQL: over a Unix socket.'))
    out.statements({name: f'SELECT {call} FROM items WHERE id <= {max(ROWS)}' for name, call in POSTGRESQL.items()})
