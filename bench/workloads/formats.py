"""Object, row and column formats of the same rows, from the database to the client's objects.

After "Efficient JSON Data formats for Node.js" (Christiaan Pretorius): 10,000,
100,000 and 1,000,000 rows of six columns.  And what a client takes to make
objects of them, flat and of three levels, by each of its decoders.
"""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from charts import bars
from measure import measure, progress, results_directory, take_turns
from measured import Measured
from report import number, ratio
from workloads import _films, _jmh
from workloads._libraries import pip
from workloads._six_columns import ARRAYS, JSONROW, NAMES, OBJECTS, prepare

TITLE = 'Formats: objects, rows and columns, made by the database and made into objects by clients'
NEEDS = _jmh.NEEDS | {'nodejs': 'node', 'python3-pip': '/usr/lib/python3/dist-packages/pip', 'golang-go': 'go', 'cargo': 'cargo'}
SOURCES = ('bench/decode/*', 'bench/decode/*/*', 'doc/format.md', 'clients/*/*', 'clients/*/src/**/*', 'clients/*/lib/**/*')

NODE_FORMATS = ['objects: Node.js', 'rows: Node.js', 'columns: Node.js']
# KiB, ms to parse, ms to create, of objects, rows, columns, as Pretorius published them
PRETORIUS = {'10000': ((1190, 565, 487), (8, 5, 3), (7, 3, 1)), '100000': ((11316, 5750, 4969), (84, 55, 27), (47, 26, 15)),
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

# Makes the documents of Pretorius, as he does; times JSON.stringify, and JSON.parse of what it gives.
MAKE = '''const fs = require('fs'), [n, rounds, ...files] = process.argv.slice(2), count = Number(n);
const cells = i => ['test', 1, 'SELECT', 'SELECT * from mydata', i, i % 1000], names = NAMES;
const rows = Array.from({ length: count }, (_, i) => cells(i + 1));
const documents = [
  () => ({ data: rows.map(row => ({ user: row[0], sessionId: row[1], command: row[2], statement: row[3], transactionId: row[4], time: row[5] })) }),
  () => ({ data: rows, meta: names }),
  () => ({ data: names.map((_, c) => rows.map(row => row[c])), meta: names })];
const time = work => {
  const started = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - started) / 1e6;
};
const values = documents.map(make => make()), texts = values.map(value => JSON.stringify(value)), result = values.map(() => ({ create: [], parse: [] }));
texts.forEach((text, d) => fs.writeFileSync(files[d], text));
for (let i = 0; i < Number(rounds); i++)
  for (const d in values) {
    result[d].create.push(time(() => JSON.stringify(values[d])));
    result[d].parse.push(time(() => JSON.parse(texts[d])));
  }
console.log(JSON.stringify(result));'''.replace('NAMES', json.dumps(NAMES))

top = pathlib.Path(__file__).parent.parent.parent
decode = top / 'bench' / 'decode'
BASELINE = 'objects of json_agg'
CLIENT = "jsonrow, the client's decode"
# What is made of the documents 'objects', 'rows' and 'columns', and how
EVERYWHERE = {BASELINE: ('objects', 'parse'), 'jsonrow, cells by position': ('rows', 'parse'), 'jsonrow, decoder of doc/format.md': ('rows', 'expand')}
BY_COLUMN = {'jsonrow, columns': ('columns', 'parse')}
# To be kept, against the baseline: Node.js 0.6 flat, 1.2 nested, 0.9 one by one; Python 0.5 into structs, 1.2 into dicts
OF_CLIENT = {
    'js': {CLIENT: ('rows', 'client'), "jsonrow, the client's rows one by one": ('rows', 'client, lazily')},
    'python': {CLIENT: ('rows', 'client')},
    'java': {CLIENT: ('rows', 'client'), "records of jsonrow, by the client": ('rows', "client's records")},
}
STRUCTS = {'structs of objects of json_agg': ('objects', 'structs of objects'), 'structs of jsonrow, array_like': ('rows', 'structs of rows')}
CLIENT_STRUCTS = {'structs of jsonrow, by the client': ('rows', "client's structs")}
# With programs of their own: bench/decode/go, bench/decode/rust
COMPILED = {BASELINE: ('objects', 'parse'), CLIENT: ('rows', 'client'), 'structs of objects of json_agg': ('objects', 'structs of objects'), **CLIENT_STRUCTS}
RECORDS = {'records of objects of json_agg': ('objects', 'records of objects')}
CHECKED = ('expand', 'client', "client's records", "client's structs", 'structs of rows')
LANGUAGES = {'node': 'Node.js', 'python': 'Python msgspec', 'java': 'Java Jackson', 'go': 'Go encoding/json', 'rust': 'Rust serde_json'}      # for the summary and the charts
ROWS, FILMS, TIMES = 16_000, 1000, 31
NO_CLIENT = '''class Client {
    static Decode.Maker maps(Object mapper) { throw new UnsupportedOperationException(); }
    static Decode.Maker records(Object mapper, String shape) { throw new UnsupportedOperationException(); }
}'''


def has_client(language):
    return (top / 'clients' / language).exists()


def python_path():
    """The libraries, and the client's sources"""
    return os.pathsep.join(map(str, (pip('python_decode', 'orjson', 'msgspec'), top / 'clients/python/src')))


def python(*args):
    return subprocess.check_output([sys.executable, *map(str, args)], text=True,
                                   env=os.environ | {'PYTHONPATH': python_path()}).strip()


def versions():
    said = python('-c', 'import orjson, msgspec; print(orjson.__version__, msgspec.__version__)').split()
    return {'Node.js': subprocess.check_output(['node', '--version'], text=True).strip(), 'Python': sys.version.split()[0],
            'orjson': said[0], 'msgspec': said[1],
            'Rust': subprocess.check_output(['rustc', '--version'], text=True).split()[1],
            'Go': subprocess.check_output(['go', 'version'], text=True).split()[2],
            **{what: version for what, version in _jmh.versions().items() if what in ('Java', 'Jackson')}}


def node(script, *args):
    return json.loads(subprocess.check_output(['node', '--max-old-space-size=8192', '-', *map(str, args)], input=script, text=True))


def save(call, path):
    with open(path, 'w') as out:
        subprocess.run(['psql', '-XqAt', '-c', call], stdout=out, check=True)


def one_size(n, quick):
    """How long each document takes to be made, its bytes, and how long Node.js takes to parse its own"""
    prepare('t', n)
    taken = measure({name: f'SELECT pg_column_size({call}) FROM t;' for name, call in DATABASE.items()}, 3 if quick else 5, 3)
    result = {name: {'create': ms} for name, ms in taken.items()}
    with tempfile.TemporaryDirectory() as directory:
        paths = {name: pathlib.Path(directory) / f'{i}.json' for i, name in enumerate([*DATABASE, *NODE_FORMATS])}
        for name, call in DATABASE.items():
            save(f'SELECT {call} FROM t', paths[name])
        made = node(MAKE, n, max(5, 300_000 // n), *(paths[name] for name in NODE_FORMATS))
        for name, times in zip(NODE_FORMATS, made):
            result[name] = {what: Measured(ms) for what, ms in times.items()}
        for name, path in paths.items():
            result[name] |= {'bytes': path.stat().st_size, 'gzip': len(gzip.compress(path.read_bytes(), 6))}
            progress()
    return result


def block(language):
    """The first code of a language in doc/format.md: its decoder"""
    return re.search(rf'^```{language}\n(.*?)^```', (top / 'doc/format.md').read_text(), re.M | re.S)[1]


def contenders(shape, directory):
    """{language and library: {name: (document, how, command)}}; the file, times, and one to check with come after the command"""
    def ways(language, *more):
        known = [EVERYWHERE, BY_COLUMN if shape == 'flat' else {}, OF_CLIENT[language] if has_client(language) else {}, *more]
        return {name: way for these in known for name, way in these.items()}
    result = {'Node.js': {name: (document, how, ['node', decode / 'decode.mjs', how]) for name, (document, how) in ways('js').items()}}
    for library in ('json', 'json, gc off', 'orjson', 'msgspec'):
        structs = [STRUCTS, CLIENT_STRUCTS if has_client('python') else {}] if library == 'msgspec' else []
        result[f'Python {library}'] = {name: (document, how, [sys.executable, decode / 'decode.py', library, how, shape])
                                       for name, (document, how) in ways('python', *structs).items()}
    java = ['java', '-Xmx4g', '-cp', f'{_jmh.jar()}:{directory}', 'Decode']
    result['Java Jackson'] = {name: (document, how, [*java, how, shape]) for name, (document, how) in ways('java', RECORDS).items()}
    if has_client('go'):
        result['Go encoding/json'] = {name: (document, how, [directory / 'go', how, shape]) for name, (document, how) in COMPILED.items()}
    if has_client('rust'):
        program = rust_target() / 'release' / 'decode'
        result['Rust serde_json'] = {name: (document, how, [program, how, shape]) for name, (document, how) in COMPILED.items()}
    return result


def compile_java(directory):
    """What times Jackson, with the client's sources if there are any"""
    (directory / 'Jsonrow.java').write_text(block('java'))
    sources = [directory / 'Jsonrow.java', decode / 'Decode.java', decode / 'Records.java']
    if has_client('java'):
        sources += [decode / 'Client.java', *(top / 'clients/java/src/main/java/io/github/jsonrow').glob('*.java')]
    else:
        (directory / 'Client.java').write_text(NO_CLIENT)
        sources.append(directory / 'Client.java')
    subprocess.run(['javac', '-nowarn', '-cp', _jmh.jar(), '-d', directory, *sources], check=True)


def compile_go(directory):
    """What times encoding/json and the client: the CPU, for the garbage collector has threads of its own"""
    if has_client('go'):
        subprocess.run(['go', 'build', '-o', directory / 'go', '.'], cwd=decode / 'go', check=True,
                       env=os.environ | {'GOCACHE': str(results_directory() / 'go'), 'GOWORK': 'off', 'GOFLAGS': '-buildvcs=false'})


def rust_target():
    return results_directory() / 'rust'


def compile_rust():
    if has_client('rust'):
        subprocess.run(['cargo', 'build', '-q', '--release', '--locked'], cwd=decode / 'rust', check=True,
                       env=os.environ | {'CARGO_TARGET_DIR': str(rust_target())})


def decoded(shape, calls, quick):
    """{library: {contender: milliseconds}}: objects, or what they are here, of bytes in memory"""
    environment = os.environ | {'PYTHONPATH': python_path(), 'CLIENT': str(top / 'clients/js')}
    result = {}
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        compile_java(directory)
        compile_go(directory)
        compile_rust()
        for document, call in calls.items():
            save(call, directory / f'{document}.json')

        def run(contender, times, *check):
            document, _, command = contender
            environment['EXPAND'] = block('js' if command[0] == 'node' else 'python')
            return float(subprocess.check_output([*map(str, [*command, directory / f'{document}.json', times, *check])], env=environment))
        for library, ways in contenders(shape, directory).items():
            for document, how, command in ways.values():
                if how in CHECKED:
                    run((document, how, command), 1, directory / 'objects.json')
            result[library] = take_turns(ways, lambda contender: run(contender, TIMES), 3 if quick else 5)
            progress()
    return result


def decode_flat(quick):
    prepare('t', ROWS)
    return decoded('flat', {'objects': 'SELECT json_agg(t) FROM t', 'rows': 'SELECT jsonrow_agg_json(t) FROM t', 'columns': 'SELECT jsoncol_agg_json(t) FROM t'}, quick)


def decode_nested(quick):
    """The objects of each level by json_agg, and one document of ours"""
    _films.prepare(FILMS)
    collections = {'objects': r"coalesce(json_agg(\1), '[]')", 'rows': r'jsonrow_agg_json(\1)'}
    return decoded('nested', {document: re.sub(r'DOCUMENT\((.)\)', collection, f'SELECT DOCUMENT(t) FROM ({_films.NESTED}) t')
                              for document, collection in collections.items()}, quick)


def parts(quick):
    return {str(n): lambda n=n: one_size(n, quick) for n in ([10_000, 100_000] if quick else [10_000, 100_000, 1_000_000])} | {
        'decode, flat': lambda: decode_flat(quick), 'decode, nested': lambda: decode_nested(quick)}


def main_ratios(data):
    n, formats = [(int(n), formats) for n, formats in data.items() if n.isdigit()][-1]
    result = {f'bytes of {n:,} rows of six columns: `json_agg(t)`': formats['objects: json_agg(t)']['bytes'] / formats[OURS]['bytes']}
    for shape in ('flat', 'nested'):
        for library in LANGUAGES.values():
            ways = data[f'decode, {shape}'].get(library, {})
            if CLIENT in ways:
                result[f"into objects in {library}, {shape}: what `json_agg` gives, against a document and the client's decode"] = ways[BASELINE] / ways[CLIENT]
    return result


def value(values, what):
    return f'{values[what] / 1024:,.0f}' if what in ('bytes', 'gzip') else number(values[what])


def report_sizes(out, sizes):
    columns = {'create': 'ms', 'bytes': 'KiB', 'gzip': 'KiB'}
    for n, formats in sizes.items():
        ours = formats[OURS]
        out.text(f'{int(n):,} rows; ratios to jsonrow_agg_json:')
        out.table(['', *columns, *[f'{what}, {unit}' for what, unit in columns.items()]], [
            [name, *[ratio(values[what], ours[what]) for what in columns], *[value(values, what) for what in columns]] for name, values in formats.items()], 4)
    last = max(sizes, key=int)
    out.chart('create', 'Time to make each format, and its size', bars(
        f'{int(last):,} rows of six columns as one document, the time to make it and its size: shorter is better', {
        'to make: ms': {name: values['create'] for name, values in sizes[last].items()},
        'size: MiB': {name: values['bytes'] / 1048576 for name, values in sizes[last].items()},
        'after gzip: MiB': {name: values['gzip'] / 1048576 for name, values in sizes[last].items()}}, note=NOTE))


def report_pretorius(out, sizes):
    out.text('The table of Pretorius, objects / rows / columns, and the same here:')

    def three(values):
        return ' / '.join(f'{value:,.0f}' if value >= 10 else f'{value:.2g}' for value in values)
    body = []
    for n, formats in sizes.items():
        bytes_, parsed, created = PRETORIUS[n]
        for what, published, key, scale in (('KiB', bytes_, 'bytes', 1024), ('parse, ms', parsed, 'parse', 1), ('create, ms', created, 'create', 1)):
            here = [formats[name][key] / scale for name in NODE_FORMATS]
            body.append([f'{int(n):,} rows: {what}', ratio(published[0], published[2]), ratio(here[0], here[2]), three(published), three(here)])
    out.table(['', 'objects / columns, as published', 'here', 'as published: objects / rows / columns', 'here'], body, 3)


def like(name):
    """What a way is compared with: the parse of the objects of json_agg into the same kind of values, if there is one"""
    return next((baseline for kind in (STRUCTS, RECORDS) for baseline in kind if name.split()[0] == baseline.split()[0]), BASELINE)


def to_like(ways, name):
    return ratio(ways.get(name), ways[like(name)])


STRUCTS_OF_CLIENT, RECORDS_OF_CLIENT = 'structs of jsonrow, by the client', 'records of jsonrow, by the client'
# What doc/tools.md shows, and of each language its README: {language: {what is made: (a library's name, a way)}}
SHARED = {
    'JavaScript': {'`parse`': ('Node.js', CLIENT), 'columns': ('Node.js', 'jsonrow, columns')},
    'Python': {'`json`, dicts': ('Python json', CLIENT), '`orjson`, dicts': ('Python orjson', CLIENT), '`msgspec`, dicts': ('Python msgspec', CLIENT),
               '`msgspec`, structs': ('Python msgspec', STRUCTS_OF_CLIENT)},
    'Java': {'Jackson, maps': ('Java Jackson', CLIENT), 'Jackson, records': ('Java Jackson', RECORDS_OF_CLIENT)},
    'Go': {'structs': ('Go encoding/json', STRUCTS_OF_CLIENT), '`map[string]any`': ('Go encoding/json', CLIENT)},
    'Rust': {'structs': ('Rust serde_json', STRUCTS_OF_CLIENT), '`serde_json::Map`': ('Rust serde_json', CLIENT)},
}


def share_tables(out, flat, nested):
    """One of all languages, and one of each"""
    header = ['to the same kind of values from json_agg', 'flat', 'three levels']
    rows = {language: [[what, to_like(flat[library], way), to_like(nested[library], way)] for what, (library, way) in ways.items() if library in nested]
            for language, ways in SHARED.items()}
    out.shared_table('decode', header, [[f'{language}, {what}', *ratios] for language, of in rows.items() for what, *ratios in of])
    for language, of in rows.items():
        if of:
            out.shared_table(f'decode in {language}', header, of)


def report_decoding(out, flat, nested):
    out.heading('Into objects')
    out.text(f'''From the bytes in memory to values: {ROWS:,} rows of six columns, and {FILMS:,} films with their actors and the awards of these, three levels.
        Ratios to the parse of the objects that `json_agg` makes, by the same library and into the same kind of values: structs to structs, records to records, all else to
        dicts, maps or objects. The decoders of doc/format.md are written to be read; the clients' are in
        `clients/`. By position and in columns the client has other values than objects.''')
    share_tables(out, flat, nested)
    for library, ways in nested.items():
        out.table([library, 'flat', 'three levels', 'flat, ms', 'three levels, ms'], [
            [name, *[to_like(of[library], name) for of in (flat, nested)], *[number(of[library].get(name)) for of in (flat, nested)]]
            for name in dict.fromkeys([*flat[library], *ways])], 3)
    for name, library in LANGUAGES.items():
        if library not in nested:
            continue
        out.chart(f'decode-{name}', f'Time to make objects, {library}', bars(f'From the bytes of JSON to values in {library}: shorter is better', {
            f'{ROWS:,} rows: ms': flat[library], f'{FILMS:,} films, three levels: ms': nested[library]},
            note='By position, in columns and as structs the client has other values than objects.'))


def report(data, out):
    out.text('''The six columns of Pretorius. To create is the time in the server, the result not sent, or of `JSON.stringify` where Node.js makes it from what it
        has in memory. Bytes are of the JSON text; gzip at level 6. The documents of Node.js are his: his `data` and `meta` are our `rows` or `vals` and `cols`.
        The columns made by `json_agg` of each have no names in them.''')
    sizes = {n: formats for n, formats in data.items() if n.isdigit()}
    report_sizes(out, sizes)
    report_pretorius(out, sizes)
    report_decoding(out, data['decode, flat'], data['decode, nested'])
    out.text('''Python's garbage collector walks a million lists again and again, but not dicts of plain values: there rows gain little over objects
        while they are parsed, unless it is switched off (`gc.disable()`) for that time.''')
    out.statements({name: f'SELECT {call} FROM t' for name, call in DATABASE.items()})
