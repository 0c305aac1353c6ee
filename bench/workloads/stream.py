"""Large results on their way to the client: time, CPU, the first byte, memory.

The client of the first parts reads and throws away, so that it takes as good as
nothing.  The last part has those that people use.
"""
import os
import subprocess
import sys
import time

from charts import bars
from measure import literal, progress, psql
from measured import Measured
from report import number, ratio
from workloads import _films
from workloads._libraries import npm, npm_version, pip
from workloads._wire import connection, fetch, peak

TITLE = 'Streams: large results on their way to the client'
NEEDS = {'nodejs': 'node', 'npm': 'npm', 'python3-pip': '/usr/lib/python3/dist-packages/pip', 'python3-psycopg2': '/usr/lib/python3/dist-packages/psycopg2'}

SETTINGS = {'session_preload_libraries': 'jsonrow', 'jit': 'off', 'max_parallel_workers_per_gather': 0}
OURS = 'jsonrow_stream'
COLUMNS = ('id', 'big', 'name', 'price', 'measure', 'at', 'ok')
BATCH = 1000
CURSOR = f'cursor, {BATCH:,} row_to_json'
KEYSET = f'json_agg of {BATCH:,}, by key'
FORMATS = ('text', 'csv', 'json')       # json since 19
FORMS = ('rows', 'lines', 'objects', 'object_lines')


def prepare(rows):
    """The table of mixed columns of the workload aggregate, with a key"""
    psql(f"""DROP TABLE IF EXISTS mixed; CREATE TABLE mixed AS
        SELECT i AS id, i::bigint * 1000000007 AS big, 'name of item ' || i AS name, (i % 1000000)::numeric / 100 AS price,
               sin(i) AS measure, timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok
        FROM generate_series(1, {rows}) i;
        ALTER TABLE mixed ADD PRIMARY KEY (id)""")
    psql('VACUUM ANALYZE mixed')


def copies(source, known):
    return {f'COPY, FORMAT {name}': ([], [f'COPY {source} TO STDOUT (FORMAT {name})']) for name in known}


def formats():
    """PostgreSQL's own that this server knows"""
    return FORMATS if int(psql('SHOW server_version_num')) >= 190000 else FORMATS[:2]


def of_ours(source, query):
    """The streams of a query, and COPY's of the same"""
    result = {f'COPY, FORMAT jsonrow, FORM {form}': ([], [f"COPY {source} TO STDOUT (FORMAT jsonrow, FORM {form})"]) for form in FORMS}
    return result | {name: ([], [f'SELECT {name}({literal(query)})']) for name in (OURS, 'jsonrow_stream_objects')}


def cursor(query, rows):
    """The rows of a query, as many at a time as people fetch"""
    return ['BEGIN', f'DECLARE c NO SCROLL CURSOR FOR {query}'], [f'FETCH {BATCH} FROM c'] * -(-rows // BATCH) + ['COMMIT']


def of_flat(rows, known):
    """{name: (what must be said before, statements)}"""
    names, values = ','.join(COLUMNS), ', '.join(COLUMNS)
    return copies('mixed', known) | of_ours('mixed', 'TABLE mixed') | {
        'jsonrow_agg_json(names, ...)': ([], [f"SELECT jsonrow_agg_json('{{{names}}}', {values}) FROM mixed"]),
        'jsonrow_agg_json(t)': ([], ['SELECT jsonrow_agg_json(mixed) FROM mixed']),
        'jsonrow_objects_agg_json(t)': ([], ['SELECT jsonrow_objects_agg_json(mixed) FROM mixed']),
        'json_agg(t)': ([], ['SELECT json_agg(mixed) FROM mixed']),
        CURSOR: cursor('SELECT row_to_json(mixed) FROM mixed', rows),
        KEYSET: ([], [f'SELECT json_agg(b) FROM (SELECT * FROM mixed WHERE id > {first} ORDER BY id LIMIT {BATCH}) b' for first in range(0, rows, BATCH)]),
    }


def of_nested(films):
    """Nested collections as each side would make them"""
    theirs, ours = (_films.NESTED.replace('DOCUMENT', name) for name in ('json_agg', 'jsonrow_agg_json'))
    return copies(f'({theirs})', formats()) | of_ours(f'({ours})', ours) | {
        'jsonrow_agg_json(t)': ([], [f'SELECT jsonrow_agg_json(t) FROM ({ours}) t']),
        'json_agg(t)': ([], [f'SELECT json_agg(t) FROM ({theirs}) t']),
        CURSOR: cursor(f'SELECT row_to_json(t) FROM ({theirs}) t', films),
        KEYSET: ([], [f'SELECT json_agg(t) FROM ({theirs} WHERE film_id > {first} ORDER BY film_id LIMIT {BATCH}) t' for first in range(0, films, BATCH)]),
    }


def check(query):
    """The pieces, put together, are what the aggregates make."""
    for stream, aggregate in ((OURS, 'jsonrow_agg_json'), ('jsonrow_stream_objects', 'jsonrow_objects_agg_json')):
        if psql(f"SELECT (SELECT string_agg(p, '') FROM {stream}({literal(query)}) p) = (SELECT {aggregate}(q)::text FROM ({query}) q)") != 't':
            raise AssertionError(f'the pieces of {stream} are not what {aggregate} makes')


def contest(contenders, rounds):
    """{name: {'cpu', 'all', 'first': milliseconds, 'bytes', 'peak': bytes}}, in turns, each in a session of its own"""
    taken = {name: [] for name in contenders}
    for i in range(rounds + 1):
        for name, (before, statements) in contenders.items():
            with connection(SETTINGS) as session:
                session.ask('SELECT count(*) FROM pg_class')
                one = fetch(session, before, statements)
            if i:       # the first time is to warm up
                taken[name].append(one)
        progress()
    return {name: {what: Measured([one[what] for one in runs]) for what in runs[0]} | {'peak': peak(SETTINGS, *contenders[name])}
            for name, runs in taken.items()}


def flat(rows, quick):
    prepare(rows)
    check('TABLE mixed')
    return contest(of_flat(rows, formats()), 3 if quick else 7 if rows < 1_000_000 else 5)


def nested(films, quick):
    _films.prepare(films)
    check(_films.NESTED.replace('DOCUMENT', 'jsonrow_agg_json'))
    return contest(of_nested(films), 3 if quick else 7)


# Clients.  Each reads all, keeps nothing, and prints its VmHWM in kB.  The rows of a stream are pieces of 64 kB: it fetches few at a time.
PIECES = 16
PSQL = {
    'psql': 'SELECT;',
    'psql, FETCH_COUNT': f'\\set FETCH_COUNT {PIECES}\nSELECT;',
    'psql, \\copy': '\\copy (COPY) to /dev/null with (format jsonrow)',
}
PSYCOPG = '''import sys
MODULE
connection = psycopg.connect("")
cursor = connection.cursor(CURSOR)
READ
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")))'''
PSYCOPG2 = 'import psycopg2 as psycopg'
PSYCOPG3 = 'import psycopg'
READ = 'cursor.execute(sys.argv[1])\nfor row in cursor: pass'
PYTHON = {
    'psycopg2': (PSYCOPG2, '', READ),
    'psycopg2, named cursor': (PSYCOPG2, '"c"', f'cursor.itersize = {PIECES}\n{READ}'),
    'psycopg2, copy_expert': (PSYCOPG2, '', 'cursor.copy_expert(sys.argv[2], open("/dev/null", "wb"))'),
    'psycopg 3': (PSYCOPG3, '', READ),
    'psycopg 3, named cursor': (PSYCOPG3, '"c"', f'cursor.itersize = {PIECES}\n{READ}'),
    'psycopg 3, stream': (PSYCOPG3, '', 'for row in cursor.stream(sys.argv[1]): pass'),
    'psycopg 3, copy': (PSYCOPG3, '', 'with cursor.copy(sys.argv[2]) as copy:\n    for data in copy: pass'),
}
NODE = '''const { Client } = require('pg');
(async () => {
  const [query, copy] = process.argv.slice(2);
  const client = new Client({ host: process.env.PGHOST, database: process.env.PGDATABASE });
  await client.connect();
  READ
  await client.end();
  console.log(require('fs').readFileSync('/proc/self/status', 'utf8').match(/^VmHWM.*/m)[0]);
})();'''
JAVASCRIPT = {
    'node pg': 'await client.query(query);',
    'node pg-query-stream': f"for await (const row of client.query(new (require('pg-query-stream'))(query, [], {{ batchSize: {PIECES}, highWaterMark: {PIECES} }})));",
    'node pg-copy-streams': "for await (const data of client.query(require('pg-copy-streams').to(copy)));",
}
NPM = ('pg@~8.12', 'pg-query-stream@~4.6', 'pg-copy-streams@~6.0')


def packages():
    return npm('node_streams', *NPM), pip('python_streams', 'psycopg[binary]>=3.1,<3.3')


def commands(query):
    """{client: (command, its standard input)}"""
    select, copy = f'SELECT jsonrow_stream({literal(query)})', f'COPY ({query}) TO STDOUT (FORMAT jsonrow)'
    result = {name: (['psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null'],
                     script.replace('SELECT', select).replace('COPY', query) + '\n\\! grep VmHWM /proc/$PPID/status\n') for name, script in PSQL.items()}
    for name, (module, name_of_cursor, read) in PYTHON.items():
        script = PSYCOPG.replace('MODULE', module).replace('CURSOR', name_of_cursor).replace('READ', read)
        result[name] = [sys.executable, '-c', script, select, copy], ''
    for name, read in JAVASCRIPT.items():
        result[name] = ['node', '--max-old-space-size=8192', '-', select, copy], NODE.replace('READ', read)
    return result


def clients(quick):
    """{client: {'peak': bytes, 's': seconds}}, and how much was sent"""
    rows, times = (100_000, 10) if quick else (1_000_000, 4)
    prepare(rows)
    query = f'SELECT mixed.* FROM mixed, generate_series(1, {times})'
    with connection(SETTINGS) as session:
        size = fetch(session, [], [f'SELECT jsonrow_stream({literal(query)})'])['bytes']
    node, python = packages()
    environment = os.environ | {'PGOPTIONS': ' '.join(f'-c {name}={value}' for name, value in SETTINGS.items()), 'PYTHONPATH': str(python)}
    result = {}
    for name, (command, script) in commands(query).items():
        started = time.time()
        printed = subprocess.run(command, input=script, text=True, check=True, stdout=subprocess.PIPE, cwd=node, env=environment).stdout
        result[name] = {'peak': int(printed.split('VmHWM:')[1].split()[0]) * 1024, 's': time.time() - started}
        progress()
    return {'bytes': size, 'clients': result}


def versions():
    node, python = packages()
    psycopg = subprocess.check_output([sys.executable, '-c', 'import psycopg; print(psycopg.__version__)'], text=True, env=os.environ | {'PYTHONPATH': str(python)})
    psycopg2 = subprocess.check_output([sys.executable, '-c', 'import psycopg2; print(psycopg2.__version__.split()[0])'], text=True)
    return {'Node.js': subprocess.check_output(['node', '--version'], text=True).strip(), 'psycopg2': psycopg2.strip(), 'psycopg': psycopg.strip(),
            'psql': subprocess.check_output(['psql', '--version'], text=True).split()[2]} | {
                package.split('@')[0]: npm_version(node, package.split('@')[0]) for package in NPM}


def parts(quick):
    return {f'{rows:,} rows': lambda rows=rows: flat(rows, quick) for rows in ((100_000,) if quick else (100_000, 1_000_000))} | {
        'nested': lambda: nested(1000 if quick else 10_000, quick), 'clients': lambda: clients(quick)}


# What doc/streams.md shows
SHARED = (OURS, 'COPY, FORMAT jsonrow, FORM rows', 'jsonrow_stream_objects', 'COPY, FORMAT text', 'COPY, FORMAT csv', 'jsonrow_agg_json(names, ...)', 'json_agg(t)', CURSOR, KEYSET)


def shared_table(of, out):
    out.shared_table('streams', ['', 'CPU, ms', 'first byte, ms', 'memory, MB'], [
        [name, number(of[name]['cpu']), number(of[name]['first']), number(of[name]['peak'] / 1e6)] for name in SHARED])


def contest_table(of, out):
    ours = of[OURS]
    out.table(['', 'CPU', 'time', 'CPU, ms', 'time, ms', 'first byte, ms', 'memory of the backend, MB', 'MB sent'], [
        [name, ratio(one['cpu'], ours['cpu']), ratio(one['all'], ours['all']), number(one['cpu']), number(one['all']), number(one['first']),
         number(one['peak'] / 1e6), number(one['bytes'] / 1e6)] for name, one in of.items()], 3)


def main_ratios(data):
    part, of = [(part, of) for part, of in data.items() if part.endswith(' rows')][-1]
    return {f'CPU to send {part} of seven columns: `{name}`': of[name]['cpu'] / of[OURS]['cpu'] for name in ('COPY, FORMAT text', 'json_agg(t)')}


def report(data, out):
    out.text(f'''The rows of a table of seven mixed columns, sent by one backend without parallel workers to a client that throws them away; ratios to
        `{OURS}`. The time ends with the last byte. The memory is the backend's own, at its peak. `{CURSOR}` fetches so many rows at a time from a cursor, each as JSON;
        `{KEYSET}` asks for the next ones by the last one's key, as one value.''')
    tables = {part: of for part, of in data.items() if part not in ('nested', 'clients')}
    shared_table(list(tables.values())[-1], out)
    for part, of in tables.items():
        out.text(f'{part}:')
        contest_table(of, out)
    out.text('Films with their actors, and the awards of these; nested by `jsonrow_agg_json` in ours, by `json_agg` in the others. Finding the rows is most of the work:')
    contest_table(data['nested'], out)
    part, of = list(tables.items())[-1]
    out.chart('time', 'Large results: CPU, first byte, memory', bars(
        f'{part} of seven columns on their way to the client: shorter is better', {
            'CPU of the backend: ms': {name: one['cpu'] for name, one in of.items()},
            'first byte: ms': {name: one['first'] for name, one in of.items()},
            'memory of the backend: MB': {name: one['peak'] / 1e6 for name, one in of.items()}},
        note='One backend, no parallel workers; the client throws the rows away. t is the whole row. What makes one value must have all of it before it sends the first byte.'))
    measured = data['clients']
    out.text(f'''What a client needs for a stream of {measured["bytes"] / 1e6:,.0f} MB, if it keeps nothing. Cursors and `FETCH_COUNT` fetch {PIECES} pieces
        at a time, of 64 kB each:''')
    out.shared_table('stream clients', ['client', 'memory of the client, MB', 'seconds'], [
        [name, number(one['peak'] / 1e6), number(one['s'])] for name, one in measured['clients'].items()])
    out.statements({name: ';\n'.join(before + statements[:1]) for name, (before, statements) in of_flat(BATCH, FORMATS).items() if name in of}
                   | {'nested': _films.NESTED.replace('DOCUMENT', 'jsonrow_agg_json')})
