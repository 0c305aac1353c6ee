"""Object, row and column formats of the same rows, from the database to Node.js.

After "Efficient JSON Data formats for Node.js" (Christiaan Pretorius): 10,000,
100,000 and 1,000,000 rows of six columns.
"""
import gzip
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from charts import bars
from measure import measure as measure_all, psql
from workloads._tables import number, table

NEEDS = {'nodejs': 'node', 'default-jdk-headless': 'javac', 'libjackson2-databind-java': None, 'python3-pip': None}
TITLE = 'Formats in Node.js, Python and Java: six columns as objects, by row, by column'

# KiB, ms to parse, ms to create, for objects, rows, columns
SEED = {10_000: ((1190, 565, 487), (8, 5, 3), (7, 3, 1)), 100_000: ((11316, 5750, 4969), (84, 55, 27), (47, 26, 15)),
        1_000_000: ((120613, 58485, 50672), (1075, 616, 388), (750, 342, 266))}
COLUMNS = '"user", "sessionId", command, statement, "transactionId", time'
NAMES = "'{user,sessionId,command,statement,transactionId,time}'"
FORMATS = {
    'objects: json_agg(json_build_object)': 'json_agg(json_build_object(\'user\', "user", \'sessionId\', "sessionId", \'command\', command, \'statement\', statement, \'transactionId\', "transactionId", \'time\', time))',
    'objects: json_agg(t)': 'json_agg(t)',
    'rows: json_agg(json_build_array)': f'json_agg(json_build_array({COLUMNS}))',
    'rows: jsonrow_agg_json': f'jsonrow_agg_json({NAMES}, {COLUMNS})',
    'columns: jsoncol_agg_json': f'jsoncol_agg_json({NAMES}, {COLUMNS})',
}
OURS = 'rows: jsonrow_agg_json'
PARSED = [name for name in FORMATS if name != 'objects: json_agg(t)']

NODE = '''const text = require('fs').readFileSync(process.argv[2], 'utf8'), times = [];
for (let i = 0; i < Number(process.argv[3]); i++) {
  const started = process.hrtime.bigint();
  JSON.parse(text);
  times.push(Number(process.hrtime.bigint() - started) / 1e6);
}
console.log(times.sort((a, b) => a - b)[times.length >> 1]);'''
JAVA = '''import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.*;
import java.util.*;
class Parse {
    public static void main(String[] args) throws Exception {
        String text = Files.readString(Path.of(args[0]));
        ObjectMapper mapper = new ObjectMapper();
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            long started = System.nanoTime();
            mapper.readValue(text, Object.class);
            times.add(System.nanoTime() - started);
        }
        Collections.sort(times);
        System.out.println(times.get(times.size() / 2) / 1e6);
    }
}'''


def results_directory():
    return pathlib.Path(os.environ['RESULTS'])


def python_parser(module):
    def parse(path, times):
        text = path.read_bytes()
        taken = []
        for _ in range(times):
            started = time.perf_counter()
            module.loads(text)
            taken.append((time.perf_counter() - started) * 1000)
        return statistics.median(taken)
    return parse


def parsers(directory):
    """By name, a function of a file and of how often to parse it; only of what is installed."""
    result = {'Python json': python_parser(json)}
    packages = results_directory() / 'python'
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', '--upgrade', '--target', packages, 'orjson'], check=False)
    sys.path.append(str(packages))
    try:
        import orjson
        result['Python orjson'] = python_parser(orjson)
    except ImportError:
        print('no orjson to be had', file=sys.stderr)
    if shutil.which('node'):
        (directory / 'parse.js').write_text(NODE)
        result['Node JSON.parse'] = lambda path, times: float(subprocess.check_output(
            ['node', '--max-old-space-size=8192', directory / 'parse.js', path, str(times)]))
    jars = [f'/usr/share/java/jackson-{part}.jar' for part in ('core', 'annotations', 'databind')]
    if shutil.which('javac') and all(map(os.path.exists, jars)):
        (directory / 'Parse.java').write_text(JAVA)
        subprocess.run(['javac', '-cp', ':'.join(jars), '-d', directory, directory / 'Parse.java'], check=True)
        result['Java Jackson'] = lambda path, times: float(subprocess.check_output(
            ['java', '-Xmx8g', '-cp', ':'.join(jars) + f':{directory}', 'Parse', path, str(times)]))
    return result


def prepare(rows):
    psql(f"""DROP TABLE IF EXISTS formats; CREATE TABLE formats AS
        SELECT 'test'::text AS "user", 1 AS "sessionId", 'SELECT'::text AS command, 'SELECT * from mydata'::text AS statement, i AS "transactionId", i % 1000 AS time
        FROM generate_series(1, {rows}) i; VACUUM ANALYZE formats""")


def one_size(n, rounds, directory, parse_by):
    source = f'(SELECT * FROM formats LIMIT {n}) t'
    created = measure_all({name: f'SELECT pg_column_size({call}) FROM {source};' for name, call in FORMATS.items()}, rounds, 3 if n < 1_000_000 else 1)
    result = {name: {'create': ms} for name, ms in created.items()}
    paths = {}
    for name in PARSED:
        path = paths[name] = directory / f'{n}-{len(paths)}.json'
        with open(path, 'w') as out:
            subprocess.run(['psql', '-XqAt'], input=f'SELECT {FORMATS[name]} FROM {source};', stdout=out, text=True, check=True)
        text = path.read_bytes()
        result[name] |= {'bytes': len(text), 'gzip': len(gzip.compress(text, 6))}
    # the formats take turns
    for parser, parse in parse_by.items():
        times = {name: [] for name in PARSED}
        for _ in range(rounds):
            for name in PARSED:
                times[name].append(parse(paths[name], max(3, 300_000 // n)))
        for name in PARSED:
            result[name][parser] = statistics.median(times[name])
    return result


def measure(quick):
    sizes = [10_000, 100_000] if quick else [10_000, 100_000, 1_000_000]
    prepare(max(sizes))
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        parse_by = parsers(directory)
        return {n: one_size(n, 2 if quick else 3, directory, parse_by) for n in sizes}


def report(data):
    lines = ['Ratios: how many times as much, or as long, as jsonrow_agg_json; in brackets the value. '
             'To create is the time in the server, the result not sent.', '']
    for n, formats in data.items():
        ours = formats[OURS]
        measures = [m for m in ours if m != 'create']

        def cell(values, what):
            if what not in values:
                return ''
            shown = f'{values[what] / 1024:,.0f} KiB' if what in ('bytes', 'gzip') else f'{number(values[what])} ms'
            return f'{values[what] / ours[what]:.2f} ({shown})'
        lines += [f'{int(n):,} rows:', ''] + table(['', 'create', *measures], [[name, *[cell(values, what) for what in ['create', *measures]]] for name, values in formats.items()])
    lines += ["The seed's own figures, created and parsed in Node.js alone, in KiB and ms:", ''] + table(
        ['rows', 'KiB of objects, rows, columns', 'parse', 'create'], [[f'{n:,}', *[' / '.join(map(str, part)) for part in parts]] for n, parts in SEED.items()])
    return lines


def charts(data):
    last = data[max(data, key=int)]
    return {'parse': bars(f'Parsing {int(max(data, key=int)):,} rows', 'milliseconds', {
        parser: {name: values[parser] for name, values in last.items() if parser in values} for parser in last[OURS] if parser not in ('create', 'bytes', 'gzip')}),
        'create': bars('Creating them in the database', 'microseconds per row', {
            f'{int(n):,} rows': {name: values['create'] * 1000 / int(n) for name, values in formats.items()} for n, formats in data.items()})}
