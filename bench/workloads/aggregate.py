"""The aggregates against PostgreSQL's own and against COPY: tables of several kinds, small groups, peak memory."""
from charts import bars
from measure import measure, peak_memory, progress, psql
from report import number, ratio
from workloads._six_columns import prepare as prepare_six_columns

TITLE = "The aggregates, compared with PostgreSQL's own"

MIXED = """SELECT i AS id, i::bigint * 1000000007 AS big, 'name of item ' || i AS name,
    (i % 1000000)::numeric / 100 AS price, sin(i) AS measure,
    timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok
    FROM generate_series(1, {rows}) i"""


def repeated(columns, template):
    return ', '.join(template.replace('$', str(c)) for c in range(1, columns + 1))


WIDE = repeated(40, "(i + $) AS a$, 't' || i AS b$")
FLOATS = repeated(8, '(random() * i) AS f$')
NULLS = repeated(12, 'CASE WHEN i % 12 = $ % 12 THEN i END AS n$')

# {table: (what it has, how many rows compared with the first, its SQL)}
TABLES = {
    'mixed': ('seven columns of mixed types', 1, MIXED),
    'wide': ('80 columns, half of them text', 0.1,
             f'SELECT {WIDE} FROM generate_series(1, {{rows}}) i'),
    'floats': ('eight random floats', 1, f'SELECT {FLOATS} FROM generate_series(1, {{rows}}) i'),
    'quotes': ('long text with quotes and backslashes', 0.5,
               "SELECT i AS id, repeat('he said \"hello\" \\ and left, ', 20) AS text "
               'FROM generate_series(1, {rows}) i'),
    'nulls': ('twelve columns, one of them not NULL', 1,
              f'SELECT i AS id, {NULLS} FROM generate_series(1, {{rows}}) i'),
}
SIX_COLUMNS = 'the six columns of "Efficient JSON Data formats for Node.js"'
GROUPS = 10_000
OURS = ('jsonrow_agg_json', 'jsonrow_agg', 'jsoncol_agg_json', 'jsoncol_agg')
MEMORY = (*[f'{name}(names, ...)' for name in OURS], 'json_agg(t)', 'jsonb_agg(t)')


def create(table, sql):
    psql(f'DROP TABLE IF EXISTS {table}; SELECT setseed(0.5); CREATE TABLE {table} AS {sql}')
    psql(f'VACUUM ANALYZE {table}')


def columns(table):
    return psql(f"SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute "
                f"WHERE attrelid = '{table}'::regclass AND attnum > 0").split(', ')


def calls(table):
    """{contender: its call}"""
    cols = columns(table)
    values = ', '.join(cols)
    names = 'ARRAY[' + ', '.join("'" + c.strip('"') + "'" for c in cols) + ']'
    result = {f'{name}(names, ...)': f'{name}({names}, {values})' for name in OURS}
    result |= {f'{name}(t)': f'{name}({table})' for name in (*OURS[:2], 'json_agg', 'jsonb_agg')}
    result |= {f'{kind}_agg({kind}_build_array(...))': f'{kind}_agg({kind}_build_array({values}))'
               for kind in ('json', 'jsonb')}
    if len(cols) <= 50:     # a function has at most 100 arguments
        pairs = ', '.join("'" + c.strip('"') + "', " + c for c in cols)
        result['json_agg(json_build_object(...))'] = f'json_agg(json_build_object({pairs}))'
    return result


def contest(table, rows, quick):
    statements = {name: f'SELECT pg_column_size({call}) FROM {table};' for name, call in calls(table).items()}
    statements['COPY to text'] = f"COPY {table} TO '/dev/null';"
    return {'rows': rows, 'ms': measure(statements, 3 if quick else 5, 5)}


def of_table(table, quick):
    rows = int((20_000 if quick else 100_000) * TABLES[table][1])
    create(table, TABLES[table][2].format(rows=rows))
    return contest(table, rows, quick)


def of_six_columns(quick):
    rows = 100_000 if quick else 1_000_000
    prepare_six_columns('six_columns', rows)
    return contest('six_columns', rows, quick)


PER_PARENT = {
    'floor: count, no JSON': 'count(name)',
    'jsonrow_agg_json(names, ...)': "jsonrow_agg_json('{number,name}', number, name)",
    'jsonrow_agg(names, ...)': "jsonrow_agg('{number,name}', number, name)",
    'json_agg(json_build_array(...))': 'json_agg(json_build_array(number, name))',
    'json_agg(json_build_object(...))': "json_agg(json_build_object('number', number, 'name', name))",
    'jsonb_agg(jsonb_build_array(...))': 'jsonb_agg(jsonb_build_array(number, name))',
    'jsonb_agg(jsonb_build_object(...))': "jsonb_agg(jsonb_build_object('number', number, 'name', name))",
}


def small_groups(quick):
    create('parent', f'SELECT i AS id FROM generate_series(1, {GROUPS}) i')
    create('child', "SELECT i AS number, 'name ' || i AS name FROM generate_series(1, 10) i")
    of_each = '(SELECT {} FROM child WHERE number <> parent.id)'
    return measure({name: f'SELECT count(doc) FROM (SELECT {of_each.format(call)} AS doc FROM parent OFFSET 0) s;'
                    for name, call in PER_PARENT.items()}, 3 if quick else 5, 5)


def memory(quick):
    create('memory', MIXED.format(rows=100_000 if quick else 500_000))
    result = {}
    for name in MEMORY:
        result[name] = peak_memory(calls('memory')[name], 'memory')
        progress()
    return result


def parts(quick):
    tables = {table: lambda table=table: of_table(table, quick) for table in TABLES}
    return tables | {'six columns': lambda: of_six_columns(quick), 'small groups': lambda: small_groups(quick),
                     'memory': lambda: memory(quick)}


def main_ratios(data):
    mixed = data['mixed']['ms']
    what = f'{data["mixed"]["rows"]:,} rows of seven columns of mixed types'
    return {f'{what}: `json_agg(t)`': mixed['json_agg(t)'] / mixed['jsonrow_agg_json(t)'],
            f'{what}: `jsonb_agg(t)`': mixed['jsonb_agg(t)'] / mixed['jsonrow_agg(t)']}


def table(out, ms):
    """How many times as long as each of ours"""
    ours = [name for name in ms if name.startswith(('jsonrow_', 'jsoncol_'))]
    out.table(['', *[f'/ {name}' for name in ours], 'ms'],
              [[name, *[ratio(one, ms[our]) for our in ours], number(one)] for name, one in ms.items()], 1 + len(ours))


def report(data, out):
    out.text('''One document of all rows of a table, its size only: how many times as long as each of ours.
        `names, ...` stands for an array of the columns' names, and the columns; `t` for the whole row.''')
    what = {name: told for name, (told, _, _) in TABLES.items()} | {'six columns': SIX_COLUMNS}
    for name, told in what.items():
        out.text(f'{data[name]["rows"]:,} rows, {told}:')
        table(out, data[name]['ms'])
    out.chart('time', 'Time to make one document of a table', bars(
        'One document of all rows of a table: shorter is better',
        {f'{name}, us per row': {one: ms * 1000 / data[name]['rows'] for one, ms in data[name]['ms'].items()}
         for name in what}, across=3,
        note='names, ...: the names of the columns, and the columns. t: the whole row. COPY writes to /dev/null.'))
    out.text(f'A document of ten rows and two columns, for each of {GROUPS:,} rows, by a correlated subquery:')
    table(out, data['small groups'])
    out.text('''Peak memory of the backend while it makes one document of seven columns of mixed types, as a
        multiple of the document's size:''')
    out.table(['', 'times the size'], [[name, number(times)] for name, times in data['memory'].items()])
