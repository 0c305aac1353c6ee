"""TOAST: the step at 2 kB, keys of large values, and what updates write.

After "Understanding JSONB Performance": "the curse of TOAST", the
"motivational example", and "JSONB partial update: the problem".
"""
from charts import bars, lines
from measure import accesses, buffers, latency, measure, progress, psql
from measured import Measured
from report import number, ratio
from workloads._jsonb import ACCELERATED, accelerated, curves, table_of

TITLE = 'TOAST: the step at 2 kB, keys of large values, and updates'

OURS = 'jsonrow_get'
ZEROS = '(SELECT jsonb_agg(0) FROM generate_series(1, {}))'
READS = {'->': "SELECT count(doc -> 'id') FROM objects", OURS: "SELECT count(jsonrow_get(doc, 0, 'id')) FROM rows"}
ON = ACCELERATED.format('->')


def of_id_and_zeros(rows, zeros, fewer=0):
    """jsonb of an id and an array; the same as documents of one row, of some zeros fewer."""
    table_of('objects', 'doc jsonb', f"SELECT jsonb_build_object('id', i, 'foo', {ZEROS.format(zeros)}) FROM generate_series(1, {rows}) i", 'EXTERNAL')
    table_of('rows', 'doc jsonb', f"SELECT jsonrow_agg('{{id,foo}}', i, {ZEROS.format(zeros - fewer)}) FROM generate_series(1, {rows}) i GROUP BY i", 'EXTERNAL')


def curse(quick):
    """10,000 values just under 2 kB, a document of three zeros fewer; a small update takes them over it."""
    def read(table):
        name, sql = next((name, sql) for name, sql in READS.items() if sql.endswith(table))
        return name, {'ms': Measured([latency(sql + ';', 5) for _ in range(5)]), 'buffers': buffers(sql),
                      'bytes': float(psql(f'SELECT avg(pg_column_size(doc)) FROM {table}'))}
    of_id_and_zeros(10_000, 1960 // 12, fewer=3)
    before = dict(map(read, ('objects', 'rows')))
    psql("UPDATE objects SET doc = doc || '{\"bar\": \"baz\"}'")
    psql("UPDATE rows SET doc = jsonrow_set(doc, 0, 'foo', jsonrow_get(doc, 0, 'foo') || '[\"bar\", \"baz\"]')")
    for table in ('objects', 'rows'):
        psql(f'VACUUM FULL {table}')
        psql(f'VACUUM ANALYZE {table}')
    return {'before': before, 'after': dict(map(read, ('objects', 'rows')))}


def step(quick):
    result = {}
    rows = 5000 if quick else 10_000
    for zeros in range(130, 220, 20 if quick else 10):
        of_id_and_zeros(rows, zeros)
        size = round(float(psql("SELECT avg(pg_column_size(doc || '{}')) FROM objects")))
        times = measure({name: sql + ';' for name, sql in READS.items()} | {ON: f"LOAD 'jsonrow'; SET jsonrow.accelerate = on; {READS['->']};"}, 5, 3)
        result[size] = {name: ms * 1000 / rows for name, ms in times.items()}
    return result


KEYS = {'key1': 'i', 'key2': ZEROS.format('pow(10, 1 + 5.0 * i / 100.0)::int'), 'key3': 'i', 'key4': ZEROS.format('pow(10, 5.0 * i / 100.0)::int')}
TABLES = {'->': 'objects', '->, uncompressed': 'objects_uncompressed', OURS: 'rows', 'jsonrow_get, uncompressed': 'rows_uncompressed'}
HEADINGS = {'key1': 'key1: a number, in front', 'key2': 'key2: an array, most of the value',
            'key3': 'key3: a number, behind key2', 'key4': 'key4: an array, a tenth of key2'}


def keys(quick):
    """Two short keys and two long ones, of 130 B to 13 MB, which compress fiftyfold."""
    source = f'generate_series({20 if quick else 4}, 100, {20 if quick else 8}) i'
    pairs = ', '.join(f"'{key}', {value}" for key, value in KEYS.items())
    for suffix, storage in (('', 'EXTENDED'), ('_uncompressed', 'EXTERNAL')):
        table_of('objects' + suffix, 'id int, doc jsonb', f'SELECT i, jsonb_build_object({pairs}) FROM {source}', storage)
        table_of('rows' + suffix, 'id int, doc jsonb',
                 f"SELECT i, jsonrow_agg('{{{','.join(KEYS)}}}', {', '.join(KEYS.values())}) FROM {source} GROUP BY i", storage)
    result = {key: {} for key in KEYS}
    for line in psql("SELECT id, pg_column_size(doc || '{}') FROM objects ORDER BY id").splitlines():
        i, raw = line.split('|')
        for key in KEYS:
            result[key][raw] = accesses({
                name: (f"doc -> '{key}'" if name.startswith('->') else f"jsonrow_get(doc, 0, '{key}')", f'(SELECT doc FROM {table} WHERE id = {i}) s')
                for name, table in TABLES.items()}, 5)
        for name, storage in (('->', 'EXTENDED'), ('->, uncompressed', 'EXTERNAL')):
            for key in KEYS:
                result[key][raw] |= accelerated({name: f"doc -> '{key}'"}, f'(SELECT doc FROM {TABLES[name]} WHERE id = {i}) s', storage, int(raw), 5)
    return result


UPDATES = {
    'a plain column': ('objects', 'UPDATE objects SET id = id + 1'),
    "doc - '1'": ('objects', "UPDATE objects SET doc = doc - 'KEY'"),
    'jsonrow_delete': ('rows', 'UPDATE rows SET doc = jsonrow_delete(doc, 0)'),
    'jsonrow_delete, in chunks': ('chunks', 'UPDATE chunks SET doc = jsonrow_delete(doc, 0) WHERE first_row = 0'),
}


def partial(quick):
    """Objects of 1,000 keys; one key is taken out of each."""
    rows = 500 if quick else 5000
    ids, keys = f'generate_series(1, {rows}) i', 'generate_series(1, 1000) j'
    table_of('objects', 'id int, doc jsonb', f'SELECT i, (SELECT jsonb_object_agg(j, j) FROM {keys}) FROM {ids}')
    table_of('rows', 'id int, doc jsonb', f"SELECT i, (SELECT jsonrow_agg('{{key,value}}', j::text, j) FROM {keys}) FROM {ids}")
    table_of('chunks', 'id int, first_row int, doc jsonb', 'SELECT id, c.* FROM rows, jsonrow_chunks(doc, 1900) c')
    psql('CREATE INDEX ON chunks (first_row); ANALYZE chunks')

    def sizes(table):
        return [int(size) for size in psql(f"SELECT pg_relation_size(oid), pg_relation_size(reltoastrelid) FROM pg_class WHERE relname = '{table}'").split('|')]
    result = {name: {'rows': rows, 'ms': [], 'wal': []} for name in UPDATES}
    for key in range(1, 4):     # another one in each round
        for name, (table, sql) in UPDATES.items():
            before, wal = sizes(table), psql('SELECT pg_current_wal_insert_lsn()')
            result[name]['ms'].append(latency(sql.replace('KEY', str(key)) + ';', 1))
            result[name]['wal'].append(float(psql(f"SELECT pg_current_wal_insert_lsn() - '{wal}'")))
            if key == 1:
                result[name] |= {'before': before, 'after': sizes(table)}
        progress()
    return {name: one | {'ms': Measured(one['ms']), 'wal': Measured(one['wal'])} for name, one in result.items()}


def parts(quick):
    return {'curse': lambda: curse(quick), 'step': lambda: step(quick), 'keys': lambda: keys(quick), 'partial update': lambda: partial(quick)}


def report_step(out, curse, sizes):
    out.heading('The step at 2 kB')
    out.text('''10,000 values just under 2 kB, and the same after an update that takes them over it: they move into the TOAST table, and each
        access must look them up there. That is so for documents, too; they cannot help it, and their header brings them there 40 bytes
        earlier: here they have three zeros fewer.''')
    before, after = curse['before'], curse['after']
    measured = {'-> in the talk': ({'ms': 6.583, 'buffers': 2500}, {'ms': 66.889, 'buffers': 30064}), **{name: (before[name], after[name]) for name in before}}
    out.table(['', 'time after / before', 'buffers after / before', 'ms', 'buffers'], [
        [name, ratio(late['ms'], early['ms']), ratio(late['buffers'], early['buffers']), f'{number(early["ms"])} to {number(late["ms"])}',
         f'{early["buffers"]:,} to {late["buffers"]:,}'] for name, (early, late) in measured.items()], 3)
    out.text('Microseconds per row of a sequential scan, by the bytes of the value (uncompressed):')
    out.contest('bytes', 'us', sizes, OURS)
    out.chart('step', 'Time per row around 2 kB', lines(
        'The step at 2 kB, where values leave the row: one short key of each, lower is better', 'bytes of the value', 'microseconds per row',
        {'': curves(sizes)}, ('linear', 'linear'), note='''-> on an object of jsonb, as PostgreSQL reads it and with jsonrow.accelerate; jsonrow_get on a document of one row; all stored
        uncompressed. Over 2 kB the value is in the TOAST table, and is looked up there.'''))


def report_keys(out, by):
    out.heading('Keys of large values')
    out.text('''The talk's objects of 130 B to 13 MB, `key1` and `key3` short, `key2` and `key4` long arrays of zeros, compressed; and documents of
        one row. The talk: access time grows with the value, whichever key is read. So it does for a compressed document up to 256 kB; of a
        larger one no more is decompressed than is needed, which is little for what comes first, and of an uncompressed one no more is
        fetched. A long cell must be copied in any case. With `jsonrow.accelerate`, `->` is the same statement; as it keeps what it
        has read until the query ends, each value there is another copy and read once.''')
    for key, sizes in by.items():
        out.text(f'{key}, by the bytes of the value before compression:')
        out.contest('bytes', 'us', sizes, OURS)
    title, ways = 'One of four keys of a large value: lower is better', '-> on an object of jsonb, jsonrow_get on a document of one row.'
    out.chart('keys', 'Access time of short and long keys, by size', lines(
        title, 'bytes of the value before compression', 'microseconds', {HEADINGS[key]: curves(sizes) for key, sizes in by.items()}, across=2,
        note='Compressed by pglz, but where it says uncompressed. With jsonrow.accelerate, each value is read once. ' + ways))


def report_partial(out, updates):
    plain = updates['a plain column']
    rows = plain['rows']
    out.heading('Partial update')
    out.text(f'''Objects of 1,000 keys in {rows:,} rows (the talk: 10,000), about 19 kB each, 6 kB compressed. One key is taken out of each.
        Whatever changes in a TOASTed value, all of it is written anew. Documents cannot change that; `jsonrow_chunks` can: pieces that stay
        in their rows, of which an update writes one. They take more space, for what stays in its row is not compressed.''')

    def mb(sizes):
        return ' + '.join(f'{size / 1048576:,.1f}' for size in sizes)
    out.table(['', 'time / a plain column', 'WAL / a plain column', 'ms', 'WAL bytes per value', 'table + TOAST, MB: before', 'after'], [
        ['the talk: a plain column', '1', '1', '42', '150', '0.5 + 78', '1.0 + 78'],
        ["the talk: doc - '1'", ratio(12316, 42), ratio(130, 1.489), '12,316', '13,000', '1.0 + 78', '1.5 + 156'],
        *[[name, ratio(one['ms'], plain['ms']), ratio(one['wal'], plain['wal']), number(one['ms']), f'{one["wal"] / rows:,.0f}',
           mb(one['before']), mb(one['after'])] for name, one in updates.items()]], 3)
    out.chart('partial', 'Time and WAL of a small change to a TOASTed value', bars(
        'One of 1,000 keys, or rows, deleted of each value, of 19 kB: shorter is better', {
            'microseconds per value': {name: one['ms'] * 1000 / rows for name, one in updates.items()},
            'bytes of WAL per value': {name: one['wal'] / rows for name, one in updates.items()}},
        note='''A plain column: an int beside the value, for comparison. doc - '1' deletes a key of jsonb. In chunks: the document cut by
        jsonrow_chunks into pieces that stay in their rows, of which one is changed. Values are stored compressed, of 6 kB.'''))


def report(data, out):
    report_step(out, data['curse'], data['step'])
    report_keys(out, data['keys'])
    report_partial(out, data['partial update'])
    out.statements(READS | {name: sql.replace('KEY', '1') for name, (_, sql) in UPDATES.items()}
                   | {'-> of a large value': "SELECT doc -> 'key1' FROM objects", 'jsonrow_get of a large value': "SELECT jsonrow_get(doc, 0, 'key1') FROM rows"})
