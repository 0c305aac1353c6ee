"""Object, row and column formats of the same rows, from the database to the client.

After "Efficient JSON Data formats for Node.js" (Christiaan Pretorius): 10,000,
100,000 and 1,000,000 rows of six columns.
"""
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from charts import bars
from measure import measure, progress
from report import number, ratio
from workloads import _jmh
from workloads._libraries import pip
from workloads._six_columns import ARRAYS, JSONROW, NAMES, OBJECTS, prepare

TITLE = 'Formats: six columns as objects, by row, by column; made by Node.js and by the database, parsed by Node.js, Python and Java'
NEEDS = _jmh.NEEDS | {'nodejs': 'node', 'python3-pip': '/usr/lib/python3/dist-packages/pip'}

NODE_FORMATS = ['objects: Node.js', 'rows: Node.js', 'columns: Node.js']
# KiB, ms to parse, ms to create, of objects, rows, columns
SEED = {'10000': ((1190, 565, 487), (8, 5, 3), (7, 3, 1)), '100000': ((11316, 5750, 4969), (84, 55, 27), (47, 26, 15)),
        '1000000': ((120613, 58485, 50672), (1075, 616, 388), (750, 342, 266))}
DATABASE = {
    'rows: jsonrow_agg_json': JSONROW['jsonrow_agg_json'],
    'columns: jsoncol_agg_json': JSONROW['jsoncol_agg_json'],
    'objects: json_agg(json_build_object)': OBJECTS,
    'objects: json_agg(t)': 'json_agg(t)',
    'rows: json_agg(json_build_array)': ARRAYS,
    'columns: a json_agg of each': 'json_build_array(' + ', '.join(f'json_agg("{name}")' for name in NAMES) + ')',
}
OURS = 'rows: jsonrow_agg_json'
NOTE = '''Objects: the names in each; rows and columns: arrays, the names once. Node.js: JSON.stringify of what it has in memory;
    the others are aggregates of PostgreSQL, made from a table and not sent. Columns are other values to the client than rows are.'''

# Makes the documents of the seed, as it does, and times JSON.stringify.
MAKE = '''const fs = require('fs'), [n, rounds, ...files] = process.argv.slice(2), count = Number(n);
const cells = i => ['test', 1, 'SELECT', 'SELECT * from mydata', i, i % 1000], names = NAMES;
const rows = Array.from({ length: count }, (_, i) => cells(i + 1));
const documents = [
  () => ({ data: rows.map(row => ({ user: row[0], sessionId: row[1], command: row[2], statement: row[3], transactionId: row[4], time: row[5] })) }),
  () => ({ data: rows, meta: names }),
  () => ({ data: names.map((_, c) => rows.map(row => row[c])), meta: names })];
console.log(JSON.stringify(documents.map((make, d) => {
  const document = make(), times = [];
  for (let i = 0; i < Number(rounds); i++) {
    const started = process.hrtime.bigint();
    const text = JSON.stringify(document);
    times.push(Number(process.hrtime.bigint() - started) / 1e6);
    if (i === 0) fs.writeFileSync(files[d], text);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
})));'''.replace('NAMES', json.dumps(NAMES))
PARSE = '''const zipped = process.argv[4] === 'gzip', bytes = require('fs').readFileSync(process.argv[2]), zlib = require('zlib'), times = [];
for (let i = 0; i < Number(process.argv[3]); i++) {
  const started = process.hrtime.bigint();
  JSON.parse((zipped ? zlib.gunzipSync(bytes) : bytes).toString());
  times.push(Number(process.hrtime.bigint() - started) / 1e6);
}
console.log(times.sort((a, b) => a - b)[times.length >> 1]);'''
PYTHON = '''import gc, statistics, sys, time
from MODULE import loads
if len(sys.argv) > 3:
    gc.disable()
text, times = open(sys.argv[1], 'rb').read(), []
for _ in range(int(sys.argv[2])):
    started = time.perf_counter()
    loads(text)
    times.append((time.perf_counter() - started) * 1000)
print(statistics.median(times))'''
PARSERS = ('Node.js JSON.parse', 'Node.js gunzip, JSON.parse', 'Python json', 'Python json, gc off', 'Python orjson', 'Java Jackson')


def python(script, *args):
    packages = pip('python', 'orjson')
    return subprocess.check_output([sys.executable, '-c', script, *map(str, args)], text=True, env=os.environ | {'PYTHONPATH': str(packages)}).strip()


def versions():
    return {'Node.js': subprocess.check_output(['node', '--version'], text=True).strip(), 'Python': sys.version.split()[0],
            'orjson': python('import orjson; print(orjson.__version__)'),
            **{what: version for what, version in _jmh.versions().items() if what in ('Java', 'Jackson')}}


def node(script, *args):
    return json.loads(subprocess.check_output(['node', '--max-old-space-size=8192', '-', *map(str, args)], input=script, text=True))


def parse(parser, path, zipped, times):
    """Milliseconds from the bytes to the values."""
    if parser == 'Node.js JSON.parse':
        return node(PARSE, path, times)
    if parser == 'Node.js gunzip, JSON.parse':
        return node(PARSE, zipped, times, 'gzip')
    if parser == 'Java Jackson':
        return float(subprocess.check_output(['java', '-Xmx8g', '-cp', _jmh.jar(), 'bench.Parse', path, str(times)]))
    module = 'orjson' if parser == 'Python orjson' else 'json'
    return float(python(PYTHON.replace('MODULE', module), path, times, *(['gc off'] if 'gc off' in parser else [])))


def create(n, rounds, paths):
    """The documents as files; milliseconds that each took to make."""
    prepare('t', n)
    taken = measure({name: f'SELECT pg_column_size({call}) FROM t;' for name, call in DATABASE.items()}, rounds + 2, 3)
    for name, call in DATABASE.items():
        with open(paths[name], 'w') as out:
            subprocess.run(['psql', '-XqAt', '-c', f'SELECT {call} FROM t'], stdout=out, check=True)
    made = node(MAKE, n, max(3, 300_000 // n), *(paths[name] for name in NODE_FORMATS))
    return taken | dict(zip(NODE_FORMATS, made))


def one_size(n, quick):
    rounds, names = 2 if quick else 3, list(DATABASE) + NODE_FORMATS
    with tempfile.TemporaryDirectory() as directory:
        paths = {name: pathlib.Path(directory) / f'{i}.json' for i, name in enumerate(names)}
        result = {name: {'create': ms} for name, ms in create(n, rounds, paths).items()}
        for name, path in paths.items():
            zipped = gzip.compress(path.read_bytes(), 6)
            path.with_suffix('.gz').write_bytes(zipped)
            result[name] |= {'bytes': path.stat().st_size, 'gzip': len(zipped)}
        for parser in PARSERS:
            taken = {name: [] for name in names}
            for _ in range(rounds):
                for name, path in paths.items():
                    taken[name].append(parse(parser, path, path.with_suffix('.gz'), max(3, 300_000 // n)))
            for name in names:
                result[name][parser] = statistics.median(taken[name])
            progress()
    return result


def parts(quick):
    return {str(n): lambda n=n: one_size(n, quick) for n in ([10_000, 100_000] if quick else [10_000, 100_000, 1_000_000])}


def unit(what):
    return 'KiB' if what in ('bytes', 'gzip') else 'ms'


def value(values, what):
    return f'{values[what] / 1024:,.0f}' if unit(what) == 'KiB' else number(values[what])


def report(data, out):
    out.text('''The seed's six columns. To create is the time in the server, the result not sent, or of `JSON.stringify` where Node.js makes it from what it
        has in memory. Bytes are of the JSON text; gzip at level 6. To parse starts from the bytes in memory. The documents of Node.js are the seed's:
        its `data` and `meta` are our `rows` or `vals` and `cols`. The columns made by `json_agg` of each have no names in them.
        Python's garbage collector walks a million lists again and again, but not dicts of plain values: there rows gain nothing over objects
        while they are parsed, unless it is switched off (`gc.disable()`) for that time.''')
    for n, formats in data.items():
        ours = formats[OURS]
        out.text(f'{int(n):,} rows; ratios to jsonrow_agg_json:')
        out.table(['', *ours], [[name, *[ratio(values[what], ours[what]) for what in ours]] for name, values in formats.items()])
        out.table(['', *[f'{what}, {unit(what)}' for what in ours]], [[name, *[value(values, what) for what in ours]] for name, values in formats.items()])
    out.text('The seed\'s table, objects / rows / columns, and the same here:')

    def three(values):
        return ' / '.join(f'{value:,.0f}' if value >= 10 else f'{value:.2g}' for value in values)
    body = []
    for n, formats in data.items():
        bytes_, parsed, created = SEED[n]
        for what, seed, key, scale in (('KiB', bytes_, 'bytes', 1024), ('parse, ms', parsed, 'Node.js JSON.parse', 1), ('create, ms', created, 'create', 1)):
            here = [formats[name][key] / scale for name in NODE_FORMATS]
            database = [formats[name][key] / scale for name in ('objects: json_agg(json_build_object)', 'rows: jsonrow_agg_json', 'columns: jsoncol_agg_json')]
            body.append([f'{int(n):,} rows: {what}', *[ratio(values[0], values[2]) for values in (seed, here, database)], three(seed), three(here), three(database)])
    out.table(['', 'objects / columns: seed', 'Node.js here', 'database', 'seed', 'Node.js here', 'database: json_build_object, jsonrow, jsoncol'], body)
    last = max(data, key=int)
    out.chart('parse', 'Time to parse each format, by parser', bars(f'Parsing {int(last):,} rows of six columns: shorter is better', {
        f'{parser}: ms': {name: values[parser] for name, values in data[last].items()} for parser in PARSERS}, across=3, note=NOTE))
    out.chart('create', 'Time to make each format, and its size', bars(
        f'{int(last):,} rows of six columns as one document, the time to make it and its size: shorter is better', {
        'to make: ms': {name: values['create'] for name, values in data[last].items()},
        'size: MiB': {name: values['bytes'] / 1048576 for name, values in data[last].items()},
        'after gzip: MiB': {name: values['gzip'] / 1048576 for name, values in data[last].items()}}, note=NOTE))
    out.statements({name: f'SELECT {call} FROM t' for name, call in DATABASE.items()})
