"""JSON arrays against JSON objects: jOOQ's benchmark, on H2 and on PostgreSQL.

After "Consider using JSON arrays instead of JSON objects for serialisation"
(Lukas Eder): 10 and 10,000 rows of a number and a string, fetched over JDBC
and parsed into records, by JMH.
"""
from charts import bars
from measure import psql
from workloads import _jmh
from workloads._tables import number, table

TITLE = "jOOQ's benchmark: rows of (int, varchar), fetched and parsed into records"
NEEDS = {'maven': 'mvn', 'default-jdk-headless': 'javac'}

SIZES = (10, 10_000)
OURS = 'jsonrow_agg_json'
SEED = {('H2', 10): (1005894, 809580), ('PostgreSQL', 10): (1589, 1387), ('H2', 10_000): (2933, 1644), ('PostgreSQL', 10_000): (123, 72)}
POSTGRESQL = {
    'json_agg(json_build_object)': "json_agg(json_build_object('id', id, 'name', name))",
    'json_agg(json_build_array)': 'json_agg(json_build_array(id, name))',
    'jsonb_agg(jsonb_build_object)': "jsonb_agg(jsonb_build_object('id', id, 'name', name))",
    'jsonb_agg(jsonb_build_array)': 'jsonb_agg(jsonb_build_array(id, name))',
    'jsonrow_array_agg_json': 'jsonrow_array_agg_json(id, name)',
    'jsonrow_array_agg': 'jsonrow_array_agg(id, name)',
    'jsonrow_agg_json': "jsonrow_agg_json('{id,name}', id, name)",
    'jsonrow_agg': "jsonrow_agg('{id,name}', id, name)",
}
H2 = {
    'H2 json_arrayagg(json_object)': "JSON_ARRAYAGG(JSON_OBJECT(KEY 'id' VALUE id, KEY 'name' VALUE name))",
    'H2 json_arrayagg(json_array)': 'JSON_ARRAYAGG(JSON_ARRAY(id, name))',
}


def measure(quick):
    result = {}
    for n in SIZES:
        psql(f"DROP TABLE IF EXISTS jooq; CREATE TABLE jooq AS SELECT i AS id, ('name ' || i)::varchar AS name FROM generate_series(1, {n}) i; VACUUM ANALYZE jooq")
        result[n] = _jmh.run('pairs', _jmh.url(), {name: f'SELECT {call} FROM jooq' for name, call in POSTGRESQL.items()}, quick=quick)
        setup = ['CREATE TABLE jooq (id INT, name VARCHAR)', f"INSERT INTO jooq SELECT x, 'name ' || x FROM SYSTEM_RANGE(1, {n})"]
        result[n] |= _jmh.run('pairs', 'jdbc:h2:mem:', {name: f'SELECT {call} FROM jooq' for name, call in H2.items()}, setup, quick)
    return result


def report(data):
    sizes = list(data)
    rows = [[name] + [f'{data[n][OURS]["ops"] / data[n][name]["ops"]:.2f}' for n in sizes]
            + [number(data[n][name]['ops']) + (f' ± {number(data[n][name]["error"])}' if data[n][name]['error'] else '') for n in sizes] for name in data[sizes[0]]]
    seed = [[f'{system}, {n:,} rows', f'{arrays / objects:.2f}', f'{arrays:,}', f'{objects:,}'] for (system, n), (arrays, objects) in SEED.items()]
    return ['Parsed with Jackson\'s streaming parser. Ratio: how many times slower than `jsonrow_agg_json`. '
            'H2 runs within the client, in memory: ten rows there cost no round trip.', ''] + table(
        ['', *[f'ratio, {int(n):,} rows' for n in sizes], *[f'operations per second, {int(n):,} rows' for n in sizes]], rows) + [
        "The seed's own figures, in operations per second:", ''] + table(['', 'arrays over objects', 'arrays', 'objects'], seed)


def charts(data):
    return {'time': bars('Rows of (int, varchar) fetched and parsed into records', 'microseconds per row', {
        f'{int(n):,} rows': {name: 1e6 / one['ops'] / int(n) for name, one in data[n].items()} for n in data})}
