"""The functions over whole documents against PostgreSQL's own: editors, recordsets, converters."""
from charts import lines
from measure import measure, psql
from report import number, ratio
from workloads._jsonb import curves

TITLE = "Whole documents: editors, recordsets and converters"

ROWS = 10_000
RECORDS = 100_000
CELL = "4000, 'name', '\"another name\"'"
ROW = "'[1, \"x\", 2.5, null, true, \"n\", 1.5]'"
IN_MEMORY = "(SELECT doc || '{}' AS doc, col || '{}' AS col FROM edited_external OFFSET 0) s, generate_series(1, 20)"
STORED = {'uncompressed': 'edited_external', 'compressed': 'edited', 'in memory': IN_MEMORY}
ORIENTATIONS = {'row-oriented': 'doc', 'column-oriented': 'col'}


def editors(table, doc):
    calls = {
        'jsonrow_set': f'jsonrow_set({doc}, {CELL})',
        'jsonrow_append': f'jsonrow_append({doc}, {ROW})',
        'jsonrow_delete': f'jsonrow_delete({doc}, 4000)',
        'jsonb_set(doc, jsonrow_path(...), v)':
            f"jsonb_set({doc}, jsonrow_path({doc}, 4000, 'name'), '\"another name\"')",
    }
    if doc == 'doc':
        calls['jsonb_insert(doc, end, row)'] = f"jsonb_insert(doc, '{{rows,-1}}', {ROW}, true)"
        calls['doc #- row'] = "doc #- '{rows,4000}'"
    return {name: f'SELECT sum(pg_column_size({call})) FROM {table};' for name, call in calls.items()}


def prepare_edited():
    """A document of about 1 MB, in both orientations: compressed, and as it is"""
    psql(f"""DROP TABLE IF EXISTS edited, edited_external;
        CREATE TABLE edited AS
        SELECT jsonrow_agg('{{id,name,price,at,ok,note,measure}}', i, 'name ' || i, (i * 1.25)::numeric(10, 2),
            timestamp '2020-01-01' + i * interval '1 min', i % 2 = 0, CASE WHEN i % 3 = 0 THEN 'note ' || i END,
            i * 0.1::float8) AS doc
        FROM generate_series(1, {ROWS}) i;
        ALTER TABLE edited ADD col jsonrow;
        UPDATE edited SET col = jsonrow_to_columns(doc);
        CREATE TABLE edited_external (doc jsonb, col jsonb);
        ALTER TABLE edited_external ALTER doc SET STORAGE EXTERNAL, ALTER col SET STORAGE EXTERNAL;
        INSERT INTO edited_external SELECT doc || '{{}}', col || '{{}}' FROM edited""")
    psql('VACUUM ANALYZE edited, edited_external')


def edit(storage, quick):
    prepare_edited()
    return {what: measure(editors(STORED[storage], doc), 3 if quick else 5, 5) for what, doc in ORIENTATIONS.items()}


RECORDSETS = {name: f'SELECT count(p) FROM parameter, {call} p;' for name, call in {
    'jsonrow_populate_recordset': 'jsonrow_populate_recordset(NULL::record_item, doc)',
    'jsonb_populate_recordset': 'jsonb_populate_recordset(NULL::record_item, objects)',
    'unnest of an array per column': 'unnest(ids, bigs, names, prices, measures, ats, oks)',
}.items()}


def records(quick):
    """A bulk insert's parameter: as a document, as objects, as an array per column"""
    psql(f"""DROP TABLE IF EXISTS record_item, parameter;
        CREATE TABLE record_item (id int, big bigint, name text, price numeric, measure float8, at timestamptz,
            ok boolean);
        CREATE TABLE parameter AS
        SELECT jsonrow_agg(i) AS doc, jsonb_agg(i) AS objects, array_agg(id) AS ids, array_agg(big) AS bigs,
            array_agg(name) AS names, array_agg(price) AS prices, array_agg(measure) AS measures, array_agg(at) AS ats,
            array_agg(ok) AS oks
        FROM (SELECT i::int AS id, i * 1000000007 AS big, 'name of item ' || i AS name, i::numeric / 100 AS price,
                sin(i) AS measure, timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok
            FROM generate_series(1::bigint, {RECORDS}) i) i""")
    psql('VACUUM ANALYZE parameter')
    return measure(RECORDSETS, 3 if quick else 5, 5)


CONVERTERS = {
    'jsonrow_to_columns': 'jsonrow_to_columns(doc)',
    'jsonrow_to_rows': 'jsonrow_to_rows(col)',
    'jsonrow_to_objects': 'jsonrow_to_objects(short)',
    'jsonrow_from_objects': 'jsonrow_from_objects(objects)',
    'jsonrow_concat': 'jsonrow_concat(doc, short)',
    'jsonrow_slice': 'jsonrow_slice(doc, 1, 2000000)',
    'jsonrow_append': 'jsonrow_append(doc, \'[1, "x"]\')',
    'jsonrow_set': "jsonrow_set(doc, 1, 1, '1')",
}


def growth(quick):
    """{rows: {converter: microseconds per row}}"""
    sizes = (1000, 10_000, 100_000) if quick else (10_000, 100_000, 1_000_000)
    columns = ('doc', 'col', 'short', 'objects')
    psql(f"""DROP TABLE IF EXISTS scaled; CREATE TABLE scaled (n int, {', '.join(f'{c} jsonb' for c in columns)});
        ALTER TABLE scaled {', '.join(f'ALTER {c} SET STORAGE EXTERNAL' for c in columns)};
        INSERT INTO scaled
        SELECT n, doc, jsonrow_to_columns(doc), doc, jsonrow_to_objects(doc)
        FROM unnest(ARRAY{list(sizes)}) n,
            LATERAL (SELECT jsonrow_agg('{{id,name}}', i, 'name ' || i) AS doc FROM generate_series(1, n) i) s""")
    psql('VACUUM ANALYZE scaled')
    result = {n: {} for n in sizes}
    for name, call in CONVERTERS.items():
        times = measure({n: f'SELECT pg_column_size({call}) FROM scaled WHERE n = {n};' for n in sizes},
                        3 if quick else 5, 3)
        for n, ms in times.items():
            result[n][name] = ms * 1000 / n
    return result


def parts(quick):
    return {storage: lambda storage=storage: edit(storage, quick) for storage in STORED} | {
        'records': lambda: records(quick), 'growth': lambda: growth(quick)}


def table(out, ms):
    """How many times as long as each of ours"""
    ours = [name for name in ms if name.startswith('jsonrow_')]
    out.table(['', *[f'/ {name}' for name in ours], 'ms'],
              [[name, *[ratio(one, ms[our]) for our in ours], number(one)] for name, one in ms.items()], 1 + len(ours))


def report(data, out):
    out.heading('Editors')
    out.text(f'''A document of {ROWS:,} rows of seven columns, about 1 MB, with one cell replaced, one row
        appended, one deleted. Stored uncompressed and compressed; and kept in memory, and edited twenty times.
        How many times as long as each of ours:''')
    for storage in STORED:
        for orientation, ms in data[storage].items():
            out.text(f'{storage}, {orientation}:')
            table(out, ms)
    out.heading('Recordsets')
    out.text(f'{RECORDS:,} rows of seven columns, from a parameter to records:')
    table(out, data['records'])
    out.heading('Converters')
    growth = data['growth']
    sizes = list(growth)
    out.text('''Microseconds per row of two columns: it should stay what it is when the number of rows grows.
        Few rows cost what a statement costs.''')
    steps = list(zip(sizes, sizes[1:]))
    out.table(['', *[f'{int(n):,} rows' for n in sizes], *[f'{int(b):,} / {int(a):,}' for a, b in steps]], [
        [name, *[number(growth[n][name]) for n in sizes], *[ratio(growth[b][name], growth[a][name]) for a, b in steps]]
        for name in CONVERTERS])
    out.chart('growth', 'Time per row, by rows', lines(
        'Time per row of a document of two columns: a level line is best', 'rows', 'microseconds per row',
        {'': curves(growth)}))
    out.statements(editors(STORED['uncompressed'], 'doc') | RECORDSETS | {
        f'{name}, converted': f'SELECT pg_column_size({call}) FROM scaled' for name, call in CONVERTERS.items()})
