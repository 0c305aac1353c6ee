"""Time per cell against the number of rows, of columns, of parallel workers."""
from charts import above_floor, lines
from measure import measure, one_core, psql
from report import number, ratio
from workloads._jsonb import curves, of
from workloads._six_columns import ARRAYS, JSONB_ARRAYS, JSONROW, NAMES, OBJECTS, prepare

TITLE = 'Scaling: time per cell, by rows, columns and workers'

AGGREGATES = JSONROW | {
    'json_agg(json_build_array)': ARRAYS,
    'json_agg(json_build_object)': OBJECTS,
    'jsonb_agg(jsonb_build_array)': JSONB_ARRAYS,
}
FLOOR = 'floor: count, no JSON'
OURS = 'jsonrow_agg_json'
ROWS_OF_WORKERS = {True: 100_000, False: 500_000}


def by_rows(quick):
    sizes = [10, 100, 1000, 10_000, 100_000] + ([] if quick else [1_000_000])
    prepare('scaling', max(sizes))
    result = {}
    for n in sizes:
        statements = {name: f'SELECT pg_column_size({call}) FROM (SELECT * FROM scaling LIMIT {n}) s;' for name, call in AGGREGATES.items()}
        statements[FLOOR] = f'SELECT count("user") FROM (SELECT * FROM scaling LIMIT {n}) s;'
        with one_core():
            times = measure(statements, 3 if quick else 5, 100 if n <= 1000 else 5 if n <= 100_000 else 3, FLOOR)
        result[n] = {name: ms * 1e6 / n / len(NAMES) for name, ms in times.items()}
    return result


def by_columns(quick):
    result = {}
    for width in (1, 3, 10, 30, 100, 200):
        rows = (100_000 if quick else 500_000) // width
        columns = ', '.join(f'i + {i} AS c{i}' if i % 2 else f"'text ' || i + {i} AS c{i}" for i in range(width))
        psql(f'DROP TABLE IF EXISTS t; CREATE TABLE t AS SELECT {columns} FROM generate_series(1, {rows}) i; VACUUM ANALYZE t')
        names = ('jsonrow_agg_json(t)', 'jsonrow_agg(t)', 'jsoncol_agg_json(t)', 'jsoncol_agg(t)', 'json_agg(t)', 'jsonb_agg(t)')
        times = measure({name: f'SELECT pg_column_size({name}) FROM t;' for name in names}, 3 if quick else 5, 3)
        result[width] = {name: ms * 1e6 / rows / width for name, ms in times.items()}
    return result


def by_workers(quick):
    """All of a table's rows, and those that a costly filter leaves; the planner decides whether workers pay."""
    rows = ROWS_OF_WORKERS[quick]
    prepare('scaling', rows)
    result = {}
    for what, where in (('all rows', ''), ('a costly filter', " WHERE sha256(\"transactionId\"::text::bytea) < '\\x10'")):
        cells = int(psql(f'SELECT count(*) FROM scaling{where}')) * len(NAMES)
        statements = {name: f'SELECT pg_column_size({AGGREGATES[name]}) FROM scaling{where};'
                      for name in ('jsonrow_agg_json', 'jsonrow_agg', 'json_agg(json_build_array)', 'jsonb_agg(jsonb_build_array)')}
        for workers in (0, 1, 2):
            setting = f'SET max_parallel_workers_per_gather = {workers};'
            times = measure({name: setting + sql for name, sql in statements.items()}, 3 if quick else 5, 3)
            result.setdefault(what, {})[workers] = {
                name: {'ns': ms * 1e6 / cells, 'parallel': 'Gather' in psql(f'{setting} EXPLAIN {statements[name]}')} for name, ms in times.items()}
    return result


def parts(quick):
    return {'rows': lambda: by_rows(quick), 'columns': lambda: by_columns(quick), 'workers': lambda: by_workers(quick)}


def faster(serial, one):
    return f'{ratio(serial["ns"], one["ns"])} ({number(one["ns"])}{", parallel" if one["parallel"] else ""})'


def main_ratios(data):
    last = list(data['rows'].values())[-1]
    rows = f'{int(list(data["rows"])[-1]):,} rows of six columns'
    return {f'{rows}, as text: `{name}`': last[name] / last[OURS] for name in ('json_agg(json_build_array)', 'json_agg(json_build_object)')} | {
        f'{rows}, as jsonb: `{name}`': last[name] / last['jsonrow_agg'] for name in ('jsonb_agg(jsonb_build_array)',)}


def report(data, out):
    unit = 'nanoseconds per cell'
    out.text(f'''Nanoseconds per cell, by rows of six columns. A statement has a price, whatever it does (`{FLOOR}`); it is what small results cost.''')
    out.contest('rows', 'ns', data['rows'], OURS)
    out.chart('rows', 'Time per cell by rows', lines(
        'Time to make one cell of a document of six columns, by its rows: lower is better', 'rows', unit, {'': above_floor(curves(data['rows']), FLOOR)},
        note='The floor is a statement over the same rows that makes no JSON: few rows cost what a statement costs.'))
    out.text('Nanoseconds per cell, by columns, of as many cells each time, half of them text:')
    out.contest('columns', 'ns', data['columns'], OURS + '(t)')
    out.chart('columns', 'Time per cell by columns', lines(
        'Time to make one cell of a document of a given number of cells, by its columns: lower is better', 'columns', unit, {'': curves(data['columns'])},
        note='The more columns the fewer rows. t is the whole row, half of its columns text, half int.'))
    workers = data['workers']
    out.text('''Nanoseconds per cell, by the parallel workers that are allowed: all rows of a table, where making the document is all the work and partial results
        must be sent to the leader; and where a costly filter keeps a sixteenth of them. The planner decides whether workers pay; in brackets the nanoseconds, and
        whether it used them. PostgreSQL's own aggregates have no partial form, so that only the filter can run in parallel.''')
    for what, by in workers.items():
        out.text(f'{what[0].upper()}{what[1:]}; times as fast as without workers:')
        out.table(['', *[f'{n} workers' for n in by]], [
            [name, *[faster(by['0'][name], times[name]) for times in by.values()]] for name in by['0']])
    out.chart('workers', 'Time per cell by parallel workers', lines(
        'Time per cell by the parallel workers allowed: lower is better', 'parallel workers', unit,
        {what: curves(of(by, 'ns')) for what, by in workers.items()}, ('linear', 'log'),
        note='''The planner decides whether it uses them. The filter keeps a sixteenth of the rows, and the cells are those of these.
        PostgreSQL's own aggregates cannot be parallel.'''))
    out.statements({name: f'SELECT pg_column_size({call}) FROM scaling' for name, call in AGGREGATES.items()})
