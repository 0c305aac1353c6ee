"""JSON into rows, unchanged: PostgreSQL's own functions, and with jsonrow.accelerate.

CPU time of one backend, in turns, beside what reading as many rows from a table takes.
"""
import os

from charts import bars
from measure import backend_cpu, latency, one_core, progress, psql, take_turns
from report import number, ratio

TITLE = 'Taking in: JSON into rows, unchanged'

FLOOR = 'floor: the rows of a table'
LOADED = "SELECT jsonrow_is_valid(jsonb '{}') \\g /dev/null\n"
MODES = {'off': 'SET jsonrow.accelerate = off;', 'on': 'SET jsonrow.accelerate = on;'}
MAIN = ('json_to_recordset', 'jsonb_to_recordset', 'json_array_elements')
SHARED = (*MAIN, 'jsonb_array_elements')

COLUMNS = 'id int, name text, price numeric(10,2), at timestamptz, ok boolean, rate float8, qty int'
COUNTS = ', '.join(f'count({column.split()[0]})' for column in COLUMNS.split(', '))
NAMES = ', '.join(column.split()[0] for column in COLUMNS.split(', '))
READ = {
    'json_to_recordset': f'SELECT {COUNTS} FROM docs, json_to_recordset(j) AS r({COLUMNS})',
    'json_to_recordset, two columns of seven': 'SELECT count(id), count(qty) FROM docs, json_to_recordset(j) AS r(id int, qty int)',
    'jsonb_to_recordset': f'SELECT {COUNTS} FROM docs, jsonb_to_recordset(b) AS r({COLUMNS})',
    'json_populate_recordset': f'SELECT {COUNTS} FROM docs, json_populate_recordset(NULL::incoming, j)',
    'jsonb_populate_recordset': f'SELECT {COUNTS} FROM docs, jsonb_populate_recordset(NULL::incoming, b)',
    'json_array_elements': 'SELECT count(e) FROM docs, json_array_elements(j) e',
    'jsonb_array_elements': 'SELECT count(e) FROM docs, jsonb_array_elements(b) e',
    'json_array_elements_text': 'SELECT count(e) FROM docs, json_array_elements_text(j) e',
    'jsonb_array_elements, select list': 'SELECT count(e) FROM (SELECT jsonb_array_elements(b) AS e FROM docs) s',
    'json_each_text': 'SELECT count(e.value) FROM docs, json_array_elements(j) o, json_each_text(o) e',
    'jsonb_each': 'SELECT count(e.value) FROM docs, jsonb_array_elements(b) o, jsonb_each(o) e',
    'json_to_record': 'SELECT count(id), count(name) FROM docs, json_array_elements(j) o, json_to_record(o) AS r(id int, name text)',
    'jsonb_object_keys': 'SELECT count(k) FROM docs, jsonb_array_elements(b) o, jsonb_object_keys(o) k',
    'jsonb_array_elements, LIMIT 10': 'SELECT e FROM docs, jsonb_array_elements(b) e LIMIT 10',
}
POSTGREST = f"""WITH pgrst_source AS (INSERT INTO "incoming"({NAMES}) SELECT pgrst_body.* FROM (SELECT j AS json_data FROM docs) pgrst_payload,
  LATERAL (SELECT CASE WHEN json_typeof(pgrst_payload.json_data) = 'array' THEN pgrst_payload.json_data
    ELSE json_build_array(pgrst_payload.json_data) END AS val) pgrst_uniform_json,
  LATERAL (SELECT {NAMES} FROM json_to_recordset(pgrst_uniform_json.val) AS _({COLUMNS})) pgrst_body RETURNING 1)
SELECT pg_catalog.count(*) FROM pgrst_source"""
WRITE = {
    'PostgREST, insert': POSTGREST,
    'Drizzle, INSERT ... SELECT': f'INSERT INTO incoming SELECT {NAMES} FROM docs, jsonb_to_recordset(b) AS r({COLUMNS})',
    'Hasura, populate': f'INSERT INTO incoming SELECT r.* FROM docs, json_populate_recordset(NULL::incoming, j) r',
}
FLOOR_SQL = f'SELECT {COUNTS} FROM source'


def prepare(rows):
    psql(f"""
        DROP TABLE IF EXISTS source, docs, incoming;
        CREATE TABLE incoming (id int PRIMARY KEY, name text, price numeric(10,2), at timestamptz, ok boolean, rate float8, qty int);
        CREATE TABLE source AS SELECT i AS id, 'name of item ' || i AS name, ((i % 1000000)::numeric / 100)::numeric(10,2) AS price,
            timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok, i * 1.25::float8 AS rate, i % 100 AS qty
            FROM generate_series(1, {rows}) i;
        CREATE TABLE docs (j json, b jsonb);
        ALTER TABLE docs ALTER j SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
        INSERT INTO docs SELECT json_agg(s), jsonb_agg(s) FROM source s;""")
    psql('VACUUM ANALYZE source, docs')


def answer(sql, mode):
    return psql(f'{LOADED}{MODES[mode]} SELECT md5(string_agg(q::text, chr(10))) FROM ({sql}) q;')


def check():
    for name, sql in READ.items():
        if answer(sql, 'on') != answer(sql, 'off'):
            raise AssertionError(f'{name} gives something else when accelerated')
        if 'jsonrow_core' not in psql(f'{LOADED}{MODES["on"]} EXPLAIN (VERBOSE, COSTS OFF) {sql};'):
            raise AssertionError(f'{name} is not accelerated')


def contest(queries, before, rounds):
    """{name: {'off', 'on': ms}}, and the floor's"""
    contenders = {(name, mode): (setting + before, sql) for name, sql in queries.items() for mode, setting in MODES.items()}
    contenders[FLOOR, 'off'] = MODES['off'], FLOOR_SQL
    times = backend_cpu(contenders, rounds, LOADED, floor=None)
    return {name: {mode: times[name, mode] for mode in MODES} for name in queries} | {FLOOR: {'off': times[FLOOR, 'off']}}


def read(quick):
    prepare(20_000 if quick else 100_000)
    check()
    return contest(READ, '', 3 if quick else 7)


def write(quick):
    prepare(20_000 if quick else 100_000)
    return contest(WRITE, ' TRUNCATE incoming;', 3 if quick else 7)


def small(quick):
    """Round trips of ten rows"""
    prepare(10)
    options = os.environ.get('PGOPTIONS', '')

    def once(contender):
        sql, mode = contender
        os.environ['PGOPTIONS'] = f'{options} -c session_preload_libraries=jsonrow -c jsonrow.accelerate={mode}'
        return latency(sql + ';', 200) * 1000
    with one_core():
        times = take_turns({(name, mode): (sql, mode) for name, sql in READ.items() for mode in MODES}, once, 3 if quick else 7)
    progress()
    os.environ['PGOPTIONS'] = options
    return {name: {mode: times[name, mode] for mode in MODES} for name in READ}


def parts(quick):
    return {'read': lambda: read(quick), 'write': lambda: write(quick), 'small': lambda: small(quick)}


def table(of, what, unit, out):
    out.table([what, 'off / on', f'off, {unit}', f'on, {unit}'], [
        [name, ratio(one['off'], one['on']) if 'on' in one else '', number(one['off']), number(one.get('on'))] for name, one in of.items()], 2)


def main_ratios(data):
    result = {f'JSON into 100,000 rows, unchanged, against accelerated: {name}': data['read'][name]['off'] / data['read'][name]['on'] for name in MAIN}
    insert = data['write']['PostgREST, insert']
    return result | {"PostgREST's insert of 100,000 rows, unchanged, against accelerated": insert['off'] / insert['on']}


def gain(one):
    return one['off'] / one['on']


def headlines(data):
    return [("JSON into 100,000 rows: `json_to_recordset`, `jsonb_to_recordset`, PostgREST's whole insert",
             [gain(one) for one in (data['read']['json_to_recordset'], data['read']['jsonb_to_recordset'], data['write']['PostgREST, insert'])])]


def report(data, out):
    out.text('''JSON that becomes 100,000 rows of seven columns, by PostgreSQL's own functions, with `jsonrow.accelerate` off and on: CPU time of the backend. The
        answers are the same; that is checked first. The documents are stored out of line, uncompressed.''')
    shared = {name: data['read'][name] for name in SHARED} | {'PostgREST, insert into a table with a primary key': data['write']['PostgREST, insert']}
    out.shared_table('intake', ['', 'times less CPU time'], [[name, number(gain(one))] for name, one in shared.items()])
    table(data['read'], 'read', 'ms', out)
    out.text('Written to a table with a primary key:')
    table(data['write'], 'written', 'ms', out)
    shown = {name: {'off': data['read'][name]['off'], '+ jsonrow.accelerate': data['read'][name]['on']} for name in MAIN}
    out.chart('time', 'JSON into rows', bars('JSON into 100,000 rows, as they are and accelerated: shorter is better', {
        f'{name}: ms': times for name, times in shown.items()}, note='CPU time of the backend.'))
    out.text('The round trip of pgbench, client and server on one core, of ten rows:')
    table(data['small'], 'ten rows', 'us', out)
    out.statements(READ | WRITE)
