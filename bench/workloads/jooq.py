"""JSON arrays against JSON objects: jOOQ's benchmark, on H2 and on PostgreSQL.

After "Consider using JSON arrays instead of JSON objects for serialisation"
(Lukas Eder): 10 and 10,000 rows of a number and a string, fetched over JDBC
and parsed into records, by JMH.
"""
from charts import bars
from measure import one_core, psql
from report import number, ratio
from workloads import _jmh

TITLE = "jOOQ's benchmark: rows of (int, varchar), fetched and parsed into records"
NEEDS = _jmh.NEEDS

OURS = 'jsonrow_agg_json'
POSTGRESQL = {
    'jsonrow_agg_json': "jsonrow_agg_json('{number_column,string_column}', number_column, string_column)",
    'jsonrow_array_agg_json': 'jsonrow_array_agg_json(number_column, string_column)',
    'jsonrow_agg': "jsonrow_agg('{number_column,string_column}', number_column, string_column)",
    'jsonrow_array_agg': 'jsonrow_array_agg(number_column, string_column)',
    'json_agg(json_build_array)': 'json_agg(json_build_array(number_column, string_column))',
    'json_agg(json_build_object)': "json_agg(json_build_object('number_column', number_column, 'string_column', string_column))",
    'jsonb_agg(jsonb_build_array)': 'jsonb_agg(jsonb_build_array(number_column, string_column))',
    'jsonb_agg(jsonb_build_object)': "jsonb_agg(jsonb_build_object('number_column', number_column, 'string_column', string_column))",
}
H2 = {
    'H2 in process: json_arrayagg(json_array)': 'JSON_ARRAYAGG(JSON_ARRAY(number_column, string_column))',
    'H2 in process: json_arrayagg(json_object)': "JSON_ARRAYAGG(JSON_OBJECT(KEY 'number_column' VALUE number_column, KEY 'string_column' VALUE string_column))",
}
# operations per second; by rows: arrays, objects
PUBLISHED = {'H2': {'10': (1005894, 809580), '10000': (2933, 1644)}, 'PostgreSQL, json': {'10': (1589, 1387), '10000': (123, 72)}}
PAIRS = {
    'H2': tuple(H2),
    'PostgreSQL, json': ('json_agg(json_build_array)', 'json_agg(json_build_object)'),
    'PostgreSQL, jsonb': ('jsonb_agg(jsonb_build_array)', 'jsonb_agg(jsonb_build_object)'),
    'jsonrow, json': ('jsonrow_agg_json', 'json_agg(json_build_object)'),
    'jsonrow, jsonb': ('jsonrow_agg', 'jsonb_agg(jsonb_build_object)'),
}
TABLE = 'CREATE TABLE t (number_column int, string_column varchar(100))'
versions = _jmh.versions


def statements(calls):
    return {name: f'SELECT {call} FROM t' for name, call in calls.items()}


def one_size(n, quick):
    psql(f'DROP TABLE IF EXISTS t; {TABLE}; INSERT INTO t SELECT i, i FROM generate_series(1, {n}) i; VACUUM ANALYZE t')
    with one_core():
        embedded = _jmh.run('pairs', 'jdbc:h2:mem:', statements(H2), [TABLE, f'INSERT INTO t SELECT x, x FROM SYSTEM_RANGE(1, {n})'], quick)
        return _jmh.run('pairs', _jmh.url(), statements(POSTGRESQL), quick=quick) | embedded


def parts(quick):
    return {str(n): lambda n=n: one_size(n, quick) for n in (10, 10_000)}


def main_ratios(data):
    n, queries = list(data.items())[-1]
    return {f"jOOQ's benchmark, {int(n):,} rows: `{name}`": queries[OURS]['ops'] / queries[name]['ops']
            for name in ('json_agg(json_build_array)', 'json_agg(json_build_object)')}


def report(data, out):
    def rows(n):
        return f'{int(n):,} rows'
    out.text('''The whole way is measured: query, transfer, and the parse into records by Jackson's streaming parser (Eder took
        jOOQ's, and says that it matters little). H2 runs within the client, in memory: ten rows cost it no round trip, which is most of
        what they cost a server. The statements are prepared.
        Client and server are kept on one core: otherwise ten rows take twice as long, or not, by where the kernel has put them. The JVM's own threads must share that core.''')
    out.table(['', *[f'{rows(n)}: slower than {OURS} by' for n in data], *[f'{rows(n)}: operations per second' for n in data]],
              [[name, *[ratio(data[n][OURS]['ops'], data[n][name]['ops']) for n in data],
                *[number(data[n][name]['ops']) for n in data]] for name in next(iter(data.values()))], 1 + len(data))
    out.text('What arrays gain over objects:')
    body = []
    for what, (array, objects) in PAIRS.items():
        published = PUBLISHED.get(what, {})
        body.append([what, *[cell for n in data for cell in (
            ratio(*published[n]) if n in published else '', ratio(data[n][array]['ops'], data[n][objects]['ops']), ' / '.join(f'{ops:,}' for ops in published.get(n, ())))]])
    out.table(['', *[cell for n in data for cell in (f'{rows(n)}: as published', f'{rows(n)}: here', f'{rows(n)}: as published, operations per second')]], body)
    out.chart('time', 'Time to fetch and parse, by query', bars('Rows of (int, varchar) fetched over JDBC and parsed into records: shorter is better', {
        f'{rows(n)}: {unit}': {name: per / one['ops'] for name, one in data[n].items()} for n, (unit, per) in zip(data, (('microseconds', 1e6), ('milliseconds', 1e3)))},
        note='''Those of jsonrow and of json_agg and jsonb_agg come from PostgreSQL over a loopback connection, whose round trip is most of ten rows' time;
        H2 runs within the client. jsonrow_array_agg is without the header of names; _json gives text, the others jsonb.'''))
    out.statements(statements(POSTGRESQL) | statements(H2))
