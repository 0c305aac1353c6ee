"""One cell out of documents of 200 bytes to 100 MB, by every way there is and from every storage."""
from charts import lines
from measure import accesses, buffers, psql
from report import number, ratio

TITLE = 'One cell of a document, by its size, storage and place'

OURS = 'jsonrow_get'
METHODS = {
    OURS: "jsonrow_get(doc, {row}, 'name')",
    '->': "doc -> 'rows' -> {row} -> 1",
    '#>': "doc #> '{{rows,{row},1}}'",
    'subscript': "doc['rows'][{row}][1]",
    'jsonpath': "jsonb_path_query_first(doc, '$.rows[{row}][1]')",
}
HUGE = 50_000_000       # bytes, of which PostgreSQL's own take seconds

# {storage: (attributes of the column, the most rows)}
STORAGES = {
    'external': ('STORAGE EXTERNAL', 1_000_000),
    'pglz': ('COMPRESSION pglz', 100_000),
    'lz4': ('COMPRESSION lz4', 100_000),
    'inline': ('STORAGE PLAIN', 50),
}


def is_supported(storage):
    choices = psql("SELECT enumvals FROM pg_settings WHERE name = 'default_toast_compression'")
    return storage != 'lz4' or 'lz4' in choices


def prepare(storage, rows):
    """Documents of 1, 10, 100, ... rows of about 100 bytes"""
    attribute, most = STORAGES[storage]
    sizes = [10 ** i for i in range(7) if 10 ** i <= min(rows, most)]
    psql(f"""DROP TABLE IF EXISTS {storage}; CREATE TABLE {storage} (n int, doc jsonb);
        ALTER TABLE {storage} ALTER doc SET {attribute};
        INSERT INTO {storage}
        SELECT n, (SELECT jsonrow_agg('{{id,name,price,at,ok,note,measure}}', i, 'name ' || i,
                (i * 1.25)::numeric(10, 2), timestamp '2020-01-01' + i * interval '1 min', i % 2 = 0,
                CASE WHEN i % 3 = 0 THEN 'note ' || i END, i * 0.1::float8)
            FROM generate_series(1, n) i) FROM unnest(ARRAY{sizes}) n""")
    psql(f'VACUUM ANALYZE {storage}')


def one(storage, n, size, row):
    methods = {name: expr.format(row=row) for name, expr in METHODS.items() if size <= HUGE or name in (OURS, '#>')}
    source = f'{storage} WHERE n = {n}'
    nothing = buffers(f'SELECT n FROM {source}')
    return {'us': accesses({name: (expr, f'(SELECT doc FROM {source}) s') for name, expr in methods.items()}, 5),
            'buffers': {name: buffers(f'SELECT {methods[name]} FROM {source}') - nothing for name in (OURS, '#>')}}


def stored(storage, quick):
    """[{bytes, row, us, buffers}], or nothing if this server has no such storage"""
    if not is_supported(storage):
        return []
    prepare(storage, 10_000 if quick else 1_000_000)
    result = []
    for line in psql(f"SELECT n, pg_column_size(doc || '{{}}') FROM {storage} ORDER BY n").splitlines():
        n, size = map(int, line.split('|'))
        for place, row in ({'first': 0, 'middle': n // 2, 'last': n - 1} if n > 1 else {'only': 0}).items():
            result.append({'bytes': size, 'row': place} | one(storage, n, size, row))
    return result


def parts(quick):
    return {storage: lambda storage=storage: stored(storage, quick) for storage in STORAGES}


def best(us):
    return min(time for name, time in us.items() if name != OURS)


def main_ratios(data):
    last = [found for found in data['external'] if found['row'] == 'middle'][-1]
    what = f"one cell of a document of {last['bytes'] / 1e6:.3g} MB, uncompressed: `#>`"
    return {what: last['us']['#>'] / last['us'][OURS]}


def row_of(found):
    us, read = found['us'], found['buffers']
    return [f"{found['bytes']:,}, {found['row']}", ratio(best(us), us[OURS]), ratio(us['#>'], us[OURS]),
            read[OURS], read['#>'], *[number(us.get(name)) for name in METHODS]]


def report(data, out):
    out.text('''Microseconds of one access, among many in one statement, to a cell of a stored document, in the
        first, the middle and the last row. Ratios are to `jsonrow_get`. Buffers are those that one access
        reads. From documents of more than 50 MB only `#>` is measured of PostgreSQL's own.''')
    curves = {}
    for storage, found in data.items():
        out.heading(storage)
        if not found:
            out.text('This server has no such compression.')
            continue
        header = ['bytes, row', 'the best of PostgreSQL', '#>', 'buffers', 'of #>']
        out.table(header + [f'{name}, us' for name in METHODS], [row_of(each) for each in found], len(header))
        middle = [(each['bytes'], each['us']) for each in found if each['row'] in ('middle', 'only')]
        curves[storage] = {name: [(size, us[name]) for size, us in middle if name in us] for name in METHODS}
    out.chart('time', 'Time of one access, by the size of the document', lines(
        'One cell of the middle row: lower is better', 'bytes of the document', 'microseconds', curves, across=2,
        note='External: uncompressed, out of line. Inline: in the row, uncompressed.'))
    out.statements({name: f'SELECT {expr.format(row=5000)} FROM external' for name, expr in METHODS.items()})
