"""What tools send, unchanged: PostgreSQL's own functions, and with jsonrow.accelerate.

CPU time of one backend, in turns, beside what finding the rows takes.
"""
import os

from charts import bars
from measure import backend_cpu, latency, one_core, progress, psql, take_turns
from report import number, ratio
from workloads._planning import planning
from workloads import _modes, _tools
from workloads._tools import FLAT_FLOOR, prepare
from workloads.aggregate import MIXED, create

TITLE = 'Acceleration: the queries of tools, unchanged'

SOURCES = ('test/statements/*',)
FLOOR = 'floor: count, no JSON'
MAIN = ('PostgREST', 'Prisma', 'Drizzle 1.0', 'jOOQ')
HEADLINED = {'PostgREST': 'PostgREST', 'Hasura 2': 'Hasura', 'Prisma': 'Prisma', 'Drizzle 1.0': 'Drizzle', 'jOOQ': 'jOOQ', 'Django, JSONBAgg': 'Django'}
SHARED = {tool: tool for tool in ('PostgREST', 'pg_graphql', 'Hasura 2', 'Prisma', 'Drizzle 0.4x', 'Drizzle 1.0', 'Kysely', 'jOOQ', 'Zapatos')} \
    | {'Django, JSONBAgg': 'Django', 'SQLAlchemy': 'SQLAlchemy', 'by hand': '`json_agg(json_build_object(...))`'}
LOADED = "SELECT jsonrow_is_valid(jsonb '{}') \\g /dev/null\n"
MODES = {'off': 'SET jsonrow.accelerate = off;', 'on': 'SET jsonrow.accelerate = on;'}
SENT = {
    'all rows of seven columns, as jsonb': 'SELECT jsonb_agg(t) FROM mixed t',
    'all rows of seven columns, as json': 'SELECT json_agg(t) FROM mixed t',
    'stored documents of 30 kB': 'SELECT doc FROM documents',
    'stored documents of 100 bytes': 'SELECT doc FROM small',
    'one stored document of 100 bytes': 'SELECT doc FROM small WHERE id = 5',
}
NOTHING = {
    'a row by its key': 'SELECT * FROM parent WHERE parent_id = 7',
    'a join, grouped': 'SELECT p.title, count(*), max(i.price) FROM parent p JOIN item i USING (parent_id) WHERE p.released > \'2000-01-01\' GROUP BY p.parent_id',
    'a count': 'SELECT count(*) FROM item',
}


def answer(sql, mode):
    return psql(f'{LOADED}{MODES[mode]} SELECT md5(string_agg(q::text, chr(10))) FROM ({sql}) q;')


def accelerated(sql):
    """Whether anything is: what we don't see into is sent on as it is."""
    return 'jsonrow_core' in psql(f'{LOADED}{MODES["on"]} EXPLAIN (VERBOSE, COSTS OFF) {sql};')


def check(queries):
    for name, sql in queries.items():
        if answer(sql, 'on') != answer(sql, 'off'):
            raise AssertionError(f'the query of {name} gives something else when accelerated')


def contest(queries, floor, rounds, checked=True):
    """{tool: {'off', 'on': ms, 'accelerated': boolean}}, and the floor's"""
    if checked:
        check(queries)
    contenders = {(name, mode): (setting, sql) for name, sql in queries.items() for mode, setting in MODES.items()}
    contenders[FLOOR, 'off'] = MODES['off'], floor
    times = backend_cpu(contenders, rounds, LOADED, floor=(FLOOR, 'off'))
    result = {name: {mode: times[name, mode] for mode in MODES} | {'accelerated': accelerated(sql)} for name, sql in queries.items()}
    return result | {FLOOR: {'off': times[FLOOR, 'off']}}


def flat(quick):
    """Made, and made and sent to the client"""
    prepare(1, 20_000 if quick else 100_000)
    rounds = 3 if quick else 7
    made = {name: f'SELECT pg_column_size(document) FROM ({sql}) q(document)' for name, sql in _tools.flat().items()}
    return {'made': contest(made, FLAT_FLOOR, rounds), 'sent': contest(_tools.flat(), FLAT_FLOOR, rounds, checked=False)}


def sent(quick):
    """{what: {mode: ms}}: documents that are sent, some of which only had to be read"""
    create('mixed', MIXED.format(rows=20_000 if quick else 100_000))
    create('documents', """SELECT i AS id, (SELECT jsonb_agg(jsonb_build_object('id', j, 'name', 'name ' || md5((i * j)::text), 'amount', j * 1.25,
        'tags', jsonb_build_array('a', 'b', j), 'ok', j % 2 = 0)) FROM generate_series(1, 250) j) AS doc FROM generate_series(1, 300) i""")
    create('small', """SELECT i AS id, jsonb_build_object('id', i, 'name', 'name ' || i, 'amount', i * 1.25, 'ok', true, 'note', 'about a hundred bytes of JSON') AS doc
        FROM generate_series(1, 10000) i""")
    psql('CREATE INDEX ON small (id)')
    return _modes.contest(SENT, MODES, lambda sql, settings: psql(f'{LOADED}{settings} {sql};'), 5 if quick else 15, LOADED, least=20)


def nested(quick):
    prepare(2000 if quick else 10_000, 10)
    return contest(_tools.nested(), _tools.nested_floor(), 3 if quick else 7)


def page(quick):
    prepare(2000 if quick else 10_000, 10)
    return contest(_tools.nested(limit=100), _tools.nested_floor(limit=100), 21 if quick else 101)


def latencies(queries, rounds, runs):
    """{name: {mode: microseconds}}, of pgbench's round trips, in turns"""
    options = os.environ.get('PGOPTIONS', '')

    def once(contender):
        sql, mode = contender
        os.environ['PGOPTIONS'] = f'{options} -c session_preload_libraries=jsonrow -c jsonrow.accelerate={mode}'
        return latency(sql + ';', runs) * 1000
    times = take_turns({(name, mode): (sql, mode) for name, sql in queries.items() for mode in MODES}, once, rounds)
    progress()
    os.environ['PGOPTIONS'] = options
    return {name: {mode: times[name, mode] for mode in MODES} for name in queries}


def small(quick):
    """Ten rows that match, and statements that match nothing"""
    prepare(1, 10)
    ten = _tools.flat() | {f'{name}, nested': sql for name, sql in _tools.nested().items()}
    check(ten)
    with one_core():
        return {what: {'planning': planning(queries, MODES, 5 if quick else 15, LOADED), 'latency': latencies(queries, 3 if quick else 7, 200)}
                for what, queries in {'ten': ten, 'nothing': NOTHING}.items()}


def parts(quick):
    return {'flat': lambda: flat(quick), 'sent': lambda: sent(quick), 'nested': lambda: nested(quick), 'page': lambda: page(quick), 'small': lambda: small(quick)}


def tools_table(of, out):
    floor = of[FLOOR]['off']
    out.table(['', 'off / on', 'off / floor', 'on / floor', 'off, ms', 'on, ms'], [
        [name if one['accelerated'] else f'{name} (as it was)', ratio(one['off'], one['on']), ratio(one['off'], floor), ratio(one['on'], floor),
         number(one['off']), number(one['on'])] for name, one in of.items() if name != FLOOR] + [[FLOOR, '', '', '', number(floor), '']], 4)


def bars_of(of, names):
    """Two for each; blanks tell the second ones apart."""
    result = {}
    for name in names:
        result[name] = of[name]['off']
        if 'on' in of[name]:
            result[' ' * names.index(name) + '+ jsonrow.accelerate'] = of[name]['on']
    return result


def main_ratios(data):
    return {f'{what}, unchanged, against accelerated: {name}': of[name]['off'] / of[name]['on']
            for what, of in (('all rows of a table', data['flat']['sent']), ('rows with ten each', data['nested'])) for name in MAIN if name in of}


def gain(of, name):
    return of[name]['off'] / of[name]['on']


def headlines(data):
    def gains(of):
        return [gain(of, name) for name in HEADLINED]
    return [(f'100,000 rows as one JSON array, made and sent: {", ".join(HEADLINED.values())}', gains(data['flat']['sent'])),
            ('10,000 parents with ten children each: the same tools', gains(data['nested'])),
            ('a page of 100 such parents', gains(data['page']))]


def shared_tables(data, out):
    columns = {'100,000 rows of five columns, made': data['flat']['made'], 'the same, at the client': data['flat']['sent'],
               '10,000 parents with ten children each, at the client': data['nested'], 'a page of 100 such parents, at the client': data['page']}
    out.text('How many times less CPU time what tools send takes:')
    out.shared_table('tools', ['', *columns], [[label, *(number(gain(of, tool)) for of in columns.values())] for tool, label in SHARED.items()])
    out.text('And what is stored, and only read and sent:')
    out.shared_table('sent', ['', 'times less CPU time'], [[what, number(gain(data['sent'], what))] for what in SENT if 'stored' in what])


def report(data, out):
    out.text(f'''The statements that tools send, nothing changed in them, with `jsonrow.accelerate` off and on: CPU time of the backend. Sending the
        result is part of it, but for the first table, in which `pg_column_size` is around the document. The answers are the same, byte for byte; that is checked first. `{FLOOR}` finds the same rows. jOOQ, Prisma, PostGraphile, Drizzle, Kysely,
        Django and SQLAlchemy fetch the outermost rows as rows, the others one document.''')
    shared_tables(data, out)
    tables = {'All rows of a table of five columns as one collection, made': data['flat']['made'], 'The same, sent to the client': data['flat']['sent'],
              'Each parent with its ten items': data['nested'], 'A page of 100 parents with ten items each': data['page']}
    for heading, of in tables.items():
        out.text(f'{heading}:')
        tools_table(of, out)
    out.text('What is sent to the client, JSON that is made and JSON that is only read:')
    out.table(['', 'off / on', 'off, ms', 'on, ms'], [[what, ratio(one['off'], one['on']), number(one['off']), number(one['on'])] for what, one in data['sent'].items()])
    everywhere = [name for name in data['flat']['sent'] if name in data['nested']]
    out.chart('time', 'Queries of tools as they are, and accelerated', bars(
        'Queries that tools send, as they are (grey) and accelerated (red): shorter is better', {
            f'{heading}: ms': bars_of(of, everywhere) for of, heading in (
                (data['flat']['sent'], 'one collection'), (data['nested'], 'rows with ten each'), (data['page'], 'a page of 100'))},
        floor=FLOOR, note='CPU time of the backend. The same queries, the same bytes. The floor finds the same rows in PostgreSQL and makes no JSON of them.'))
    out.heading('What it costs')
    out.text('Planning, and the round trip of pgbench, client and server on one core, of ten rows and of statements in which nothing is to be accelerated:')
    for what, of in data['small'].items():
        out.table(['ten rows' if what == 'ten' else 'nothing to accelerate', 'planning: on - off, us', 'round trip: on / off', 'planning: off, us', 'planning: on, us',
                   'round trip: off, us', 'round trip: on, us'], [
            [name, number(plan['on'] - plan['off']), ratio(of['latency'][name]['on'], of['latency'][name]['off']), number(plan['off']), number(plan['on']),
             number(of['latency'][name]['off']), number(of['latency'][name]['on'])] for name, plan in of['planning'].items()], 3)
    out.statements(_tools.flat() | {f'{name}, nested': sql for name, sql in _tools.nested(limit=100).items()})
