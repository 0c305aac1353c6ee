"""Time per cell against the number of rows, of columns, of parallel workers."""
from charts import lines
from measure import latency, measure as measure_all, psql
from workloads._tables import number, table

TITLE = 'Scaling: time per cell'

NAMES = "ARRAY['user', 'sessionId', 'command', 'statement', 'transactionId', 'time']"
VALUES = 'a, b, c, d, e, f'
AGGREGATES = {
    'jsonrow_agg_json': f'jsonrow_agg_json({NAMES}, {VALUES})',
    'jsonrow_agg': f'jsonrow_agg({NAMES}, {VALUES})',
    'jsoncol_agg_json': f'jsoncol_agg_json({NAMES}, {VALUES})',
    'json_agg(json_build_array)': f'json_agg(json_build_array({VALUES}))',
    'json_agg(json_build_object)': 'json_agg(json_build_object(\'user\', a, \'sessionId\', b, \'command\', c, \'statement\', d, \'transactionId\', e, \'time\', f))',
    'jsonb_agg(jsonb_build_array)': f'jsonb_agg(jsonb_build_array({VALUES}))',
}
MOST_ROWS_OF_JSONB = 1_000_000      # jsonb_agg needs nine times its result's memory


def prepare(rows):
    if psql("SELECT to_regclass('scaling') IS NOT NULL") == 't' and int(psql('SELECT count(*) FROM scaling')) >= rows:
        return
    psql(f"""DROP TABLE IF EXISTS scaling;
        CREATE TABLE scaling AS SELECT 'test'::text AS a, 1 AS b, 'SELECT'::text AS c, 'SELECT * from mydata'::text AS d, i AS e, i % 1000 AS f
        FROM generate_series(1, {rows}) i; VACUUM ANALYZE scaling""")


def by_rows(sizes, rounds):
    result = {name: [] for name in AGGREGATES}
    for n in sizes:
        statements = {name: f'SELECT pg_column_size({call}) FROM (SELECT * FROM scaling LIMIT {n}) s;' for name, call in AGGREGATES.items()
                      if n <= MOST_ROWS_OF_JSONB or not name.startswith('jsonb_agg')}
        for name, ms in measure_all(statements, rounds, max(1, min(200, 100_000 // n)) + (n < 1_000_000)).items():
            result[name].append((n, ms * 1e6 / n / 6))
    return result


def by_columns(widths, rounds):
    result = {name: [] for name in ('jsonrow_agg_json(t)', 'jsonrow_agg(t)', 'jsoncol_agg(t)', 'json_agg(t)', 'jsonb_agg(t)')}
    for width in widths:
        rows = 200_000 // width
        columns = ', '.join(f"i + {i} AS c{i}" if i % 2 else f"'text ' || i + {i} AS c{i}" for i in range(width))
        psql(f'DROP TABLE IF EXISTS t; CREATE TABLE t AS SELECT {columns} FROM generate_series(1, {rows}) i; VACUUM ANALYZE t')
        statements = {name: f'SELECT pg_column_size({name}) FROM t;' for name in result}
        for name, ms in measure_all(statements, rounds, 3).items():
            result[name].append((width, ms * 1e6 / rows / width))
    return result


def by_workers(rows, rounds):
    """A filter that costs something, so that workers have work to share."""
    result = {}
    for name in ('jsonrow_agg_json', 'jsonrow_agg', 'json_agg(json_build_array)'):
        for workers in (0, 1, 2):
            psql(f'ALTER DATABASE postgres SET max_parallel_workers_per_gather = {workers}')
            sql = f"SELECT pg_column_size({AGGREGATES[name]}) FROM scaling WHERE md5(e::text) < '4' AND e <= {rows};"
            result.setdefault(name, []).append((workers, latency(sql, rounds * 2)))
    psql('ALTER DATABASE postgres RESET max_parallel_workers_per_gather')
    return result


def measure(quick):
    sizes = [10, 100, 1000, 10_000, 100_000] + ([] if quick else [1_000_000, 3_000_000])
    prepare(max(sizes))
    rounds = 2 if quick else 3
    return {'rows': by_rows(sizes, rounds), 'columns': by_columns([1, 3, 10, 30, 100, 200], rounds),
            'workers': by_workers(max(sizes), rounds)}


def matrix(series, unit):
    points = [x for x, _ in max(series.values(), key=len)]
    return table([unit] + [f'{x:,}' for x in points],
                 [[name] + [number(y) for _, y in values] + [''] * (len(points) - len(values)) for name, values in series.items()])


def report(data):
    return (['Nanoseconds per cell, by rows of six columns (statement and parsing included, which is what small results cost):', '']
            + matrix(data['rows'], 'rows')
            + ['Nanoseconds per cell, by columns, of 200,000 cells:', ''] + matrix(data['columns'], 'columns')
            + ['Milliseconds by parallel workers, where a filter is most of the work. (PostgreSQL 15 has no parallel `json_agg`; the planner decides whether ours pays.)', '']
            + matrix(data['workers'], 'workers'))


def charts(data):
    return {'rows': lines('Time per cell, six columns', 'rows', 'nanoseconds per cell', data['rows']),
            'columns': lines('Time per cell, 200,000 cells', 'columns', 'nanoseconds per cell', data['columns'])}
