"""JSONB access paths and TOAST, and documents beside them.

After "Understanding JSONB Performance" (Oleg Bartunov, Nikita Glukhov, PGConf
NYC 2021).  All is stored uncompressed (SET STORAGE EXTERNAL), as there, so that
no compression is measured.
"""
from charts import bars, lines
from measure import latency, psql
from workloads._tables import number, table

TITLE = 'JSONB access: nesting, search, TOAST, updates, whole documents, array members'


def per_access(expr, source, most=20_000):
    """Microseconds of one evaluation, of about 20 ms of them."""
    for count in (1, 20, 400, 8000):
        ms = latency(f'SELECT count({expr}) FROM {source}, generate_series(1, {count});', 3)
        if ms > 10:
            break
    count = max(2, min(most, int(count * 20 / ms)))
    return latency(f'SELECT count({expr}) FROM {source}, generate_series(1, {count});', 5) * 1000 / count


def table_of(name, column, expr, series):
    psql(f'DROP TABLE IF EXISTS {name}; CREATE TABLE {name} (n int, doc jsonb); ALTER TABLE {name} ALTER doc SET STORAGE EXTERNAL; '
         f'INSERT INTO {name} SELECT {column}, {expr} FROM {series}; VACUUM ANALYZE {name}')


def nesting(quick):
    """One short key beside one long one, under objects nested ever deeper."""
    result = {}
    for size in (10, 10_000, 1_000_000) if quick else (10, 1000, 10_000, 100_000, 1_000_000):
        table_of('nesting', 'level', f"(repeat('{{\"obj\": ', level) || jsonb_build_object('key', level, 'long_str', repeat('a', {size})) || repeat('}}', level))::jsonb", 'generate_series(0, 9) level')
        table_of('flat', '0', f"jsonrow_agg('{{key,long_str}}', 1, repeat('a', {size}))", 'generate_series(1, 1)')
        for level in (0, 1, 3, 9) if quick else (0, 1, 2, 3, 5, 7, 9):
            source = f'(SELECT doc FROM nesting WHERE n = {level}) s'
            path = ['obj'] * level + ['key']
            result.setdefault(size, {})[level] = {
                '->': per_access('doc' + ''.join(f" -> '{key}'" for key in path), source),
                '#>': per_access(f"doc #> '{{{','.join(path)}}}'", source),
                'subscripting': per_access('doc' + ''.join(f"['{key}']" for key in path), source),
                'jsonpath': per_access(f"jsonb_path_query_first(doc, '$.{'.'.join(path)}')", source),
                'jsonrow_get': per_access("jsonrow_get(doc, 0, 'key')", 'flat')}
    return result


def search(quick):
    result = {}
    for size in (10, 1000, 100_000) if quick else (1, 10, 100, 1000, 10_000, 100_000, 1_000_000):
        table_of('search', '0', f'(SELECT jsonb_agg(i) FROM generate_series(0, {size - 1}) i)', 'generate_series(1, 1)')
        table_of('rows', '0', f"(SELECT jsonrow_agg('{{i}}', i) FROM generate_series(0, {size - 1}) i)", 'generate_series(1, 1)')
        table_of('vector', '0', f"(SELECT jsoncol_agg('{{i}}', i) FROM generate_series(0, {size - 1}) i)", 'generate_series(1, 1)')
        for what, value in (('first element', 0), ('no element', -1)):
            result.setdefault(what, {})[size] = {
                '@>': per_access(f"nullif(doc @> '{value}', NULL)", 'search'),
                '@@': per_access(f"nullif(doc @@ '$[*] == {value}', NULL)", 'search'),
                '@?': per_access(f"nullif(doc @? '$[*] ? (@ == {value})', NULL)", 'search'),
                'EXISTS jsonb_array_elements': per_access(f"nullif(EXISTS (SELECT FROM jsonb_array_elements(doc) e WHERE e = '{value}'), NULL)", 'search'),
                'jsonrow_find': per_access(f"coalesce(jsonrow_find(doc, 'i', '{value}'), -1)", 'rows'),
                'jsonrow_find, by column': per_access(f"coalesce(jsonrow_find(doc, 'i', '{value}'), -1)", 'vector')}
    return result


def toast_step(quick):
    """10,000 rows of one id beside an array that grows over 2 kB."""
    result = {'->': [], 'jsonrow_get': []}
    rows = 2000 if quick else 10_000
    for zeros in range(130, 220, 20):
        table_of('step', 'i', f"jsonb_build_object('id', i, 'foo', (SELECT jsonb_agg(0) FROM generate_series(1, {zeros}) WHERE i > 0))", f'generate_series(1, {rows}) i')
        size = int(psql('SELECT avg(pg_column_size(doc))::int FROM step'))
        result['->'].append((size, latency("SELECT count(doc -> 'id') FROM step;", 5) * 1000 / rows))
        table_of('step', 'i', f"jsonrow_agg('{{id,foo}}', i, (SELECT jsonb_agg(0) FROM generate_series(1, {zeros}) WHERE i > 0))", f'generate_series(1, {rows}) i GROUP BY i')
        size = int(psql('SELECT avg(pg_column_size(doc))::int FROM step'))
        result['jsonrow_get'].append((size, latency("SELECT count(jsonrow_get(doc, 0, 'id')) FROM step;", 5) * 1000 / rows))
    return result


def keys(quick):
    """An object of ten keys whose values are shorter and shorter; the shortest and the longest are read."""
    result = {}
    for exponent in (2, 4, 6) if quick else (2, 3, 4, 5, 6):
        values = [max(1, int(10 ** (exponent - k / 2))) for k in range(10)]
        table_of('object', '0', 'jsonb_build_object(' + ', '.join(f"'key{k + 1}', jsonb_build_array(repeat('x', {length}))" for k, length in enumerate(values)) + ')', 'generate_series(1, 1)')
        table_of('columns', '0', "jsonrow_agg('{" + ','.join(f'key{k + 1}' for k in range(10)) + "}', " + ', '.join(f"jsonb_build_array(repeat('x', {length}))" for length in values) + ')', 'generate_series(1, 1)')
        psql('DROP TABLE IF EXISTS relational; CREATE TABLE relational AS SELECT ' + ', '.join(f"repeat('x', {length}) AS key{k + 1}" for k, length in enumerate(values)))
        size = int(psql('SELECT pg_column_size(doc) FROM object'))
        for k in (1, 5, 10):
            result.setdefault(f'key {k}', {})[size] = {
                '#>>': per_access(f"doc #>> '{{key{k},0}}'", 'object'),
                'jsonrow_get_text': per_access(f"jsonrow_get_text(doc, 0, 'key{k}')", 'columns'),
                'a column of its own': per_access(f'key{k} || NULL::text IS NULL', 'relational')}
    return result


def wal_and_time(statement, times):
    before = psql('CHECKPOINT; SELECT pg_current_wal_insert_lsn()')
    ms = latency(statement + ';', times)
    return {'ms': ms, 'wal': int(psql(f"SELECT (pg_current_wal_insert_lsn() - '{before}') / {times}").split('.')[0])}


def update(quick):
    result = {}
    for size in (10, 1000, 10_000):
        table_of('objects', '0', f"(SELECT jsonb_agg(jsonb_build_object('id', i, 'val', 'value ' || i)) FROM generate_series(1, {size}) i)", 'generate_series(1, 1)')
        table_of('rows', '0', f"(SELECT jsonrow_agg('{{id,val}}', i, 'value ' || i) FROM generate_series(1, {size}) i)", 'generate_series(1, 1)')
        psql('DROP TABLE IF EXISTS chunks; CREATE TABLE chunks AS SELECT c.* FROM rows, jsonrow_chunks(doc, 1900) c; CREATE INDEX ON chunks (first_row)')
        psql(f"DROP TABLE IF EXISTS elements; CREATE TABLE elements AS SELECT i AS id, 'value ' || i AS val FROM generate_series(1, {size}) i; CREATE INDEX ON elements (id)")
        at = size // 2
        times = 5 if quick else 20
        result[size] = {
            'jsonb_set, objects': wal_and_time(f"UPDATE objects SET doc = jsonb_set(doc, '{{{at},val}}', to_jsonb('v ' || random()))", times),
            'jsonb_set(jsonrow_path)': wal_and_time(f"UPDATE rows SET doc = jsonb_set(doc, jsonrow_path(doc, {at}, 'val'), to_jsonb('v ' || random()))", times),
            'jsonrow_set': wal_and_time(f"UPDATE rows SET doc = jsonrow_set(doc, {at}, 'val', to_jsonb('v ' || random()))", times),
            'jsonrow_set in jsonrow_chunks': wal_and_time(f"UPDATE chunks SET doc = jsonrow_set(doc, {at} - first_row, 'val', to_jsonb('v ' || random())) WHERE first_row = (SELECT max(first_row) FROM chunks WHERE first_row <= {at})", times),
            'a row of a table': wal_and_time(f"UPDATE elements SET val = 'v ' || random() WHERE id = {at}", times)}
    return result


def whole(quick):
    psql("""DROP TABLE IF EXISTS arrays, elems; CREATE TABLE arrays (id int, n int, jb jsonb, doc jsonb);
        ALTER TABLE arrays ALTER jb SET STORAGE EXTERNAL, ALTER doc SET STORAGE EXTERNAL;
        CREATE TABLE elems AS SELECT n * 100 + id AS id, idx, md5(idx::text) AS val FROM unnest(ARRAY[1, 10, 100, 1000]) n, generate_series(0, 49) id, generate_series(0, n - 1) idx;
        CREATE INDEX ON elems (id, idx); ANALYZE elems;
        INSERT INTO arrays SELECT n * 100 + id, n, (SELECT jsonb_agg(jsonb_build_object('id', idx, 'val', val)) FROM elems e WHERE e.id = n * 100 + i.id),
            (SELECT jsonrow_agg('{id,val}', idx, val) FROM elems e WHERE e.id = n * 100 + i.id) FROM unnest(ARRAY[1, 10, 100, 1000]) n, generate_series(0, 49) i(id)""")
    psql('VACUUM ANALYZE arrays')
    result = {}
    for n in (1, 10, 100, 1000):
        def ms(expr):
            return latency(f'SELECT sum(length({expr})) FROM arrays a WHERE n = {n};', 10) * 1000 / 50
        result[n] = {
            'jsonb, stored': ms('jb::text'), 'jsonrow, stored': ms('doc::text'),
            'join, array_agg': ms('(SELECT array_agg(val) FROM elems e WHERE e.id = a.id)::text'),
            'join, jsonb_agg': ms("(SELECT jsonb_agg(jsonb_build_object('id', idx, 'val', val)) FROM elems e WHERE e.id = a.id)::text"),
            'join, jsonrow_agg_json': ms("(SELECT jsonrow_agg_json('{id,val}', idx, val) FROM elems e WHERE e.id = a.id)::text")}
    return result


def member(quick):
    result = {}
    for n in (10, 1000, 100_000) if quick else (10, 100, 1000, 10_000, 100_000):
        table_of('objects', '0', f"(SELECT jsonb_agg(jsonb_build_object('id', i, 'val', 'value ' || i)) FROM generate_series(1, {n}) i)", 'generate_series(1, 1)')
        table_of('rows', '0', f"(SELECT jsonrow_agg('{{id,val}}', i, 'value ' || i) FROM generate_series(1, {n}) i)", 'generate_series(1, 1)')
        psql(f"DROP TABLE IF EXISTS elements; CREATE TABLE elements AS SELECT i AS id, 'value ' || i AS val FROM generate_series(0, {n - 1}) i; CREATE UNIQUE INDEX ON elements (id)")
        psql('VACUUM ANALYZE elements')
        for place, at in (('first', 0), ('middle', n // 2), ('last', n - 1)):
            result.setdefault(place, {})[n] = {
                '#>>': per_access(f"doc #>> '{{{at},val}}'", 'objects'),
                'jsonrow_get_text': per_access(f"jsonrow_get_text(doc, {at}, 'val')", 'rows'),
                'a row of a table': per_access(f'(SELECT val FROM elements WHERE id = {at} + 0 * g.n)', '(SELECT n FROM objects) g')}
    return result


def measure(quick):
    return {name: part(quick) for name, part in (('nesting', nesting), ('search', search), ('toast', toast_step), ('keys', keys),
                                                 ('update', update), ('whole', whole), ('member', member))}


def by_size(sizes, ours, unit='us'):
    """Sizes down, contenders across: ratios to ours first, then the values."""
    names = list(next(iter(sizes.values())))
    return table(['', *[f'{name} / {ours}' for name in names if name != ours], *[f'{name}, {unit}' for name in names]],
                 [[f'{int(size):,}', *[f'{values[name] / values[ours]:.2f}' for name in names if name != ours], *[number(values[name]) for name in names]] for size, values in sizes.items()])


def report(data):
    out = ['The seed shows graphs without figures; the same are drawn here. Microseconds per access, of many in one statement.', '']
    for size, levels in data['nesting'].items():
        out += [f'One short key under nested objects, beside a string of {int(size):,} bytes, by level (a document has no levels to cross):', ''] + by_size(levels, 'jsonrow_get')
    for what, sizes in data['search'].items():
        out += [f'Search in an array for {what}, by its length:', ''] + by_size(sizes, 'jsonrow_find')
    out += ['The step at 2 kB, microseconds per row of a sequential scan:', ''] + table(
        ['', *[f'about {size:,} bytes' for size, _ in data['toast']['->']]], [[name, *[number(us) for _, us in points]] for name, points in data['toast'].items()])
    for what, sizes in data['keys'].items():
        out += [f'Ten keys, each a third of the one before; {what}, by the bytes of all:', ''] + by_size(sizes, 'jsonrow_get_text')
    for size, ways in data['update'].items():
        ours = ways['jsonrow_set']
        out += [f'Update of one cell in the middle of {int(size):,} rows of (id, val):', ''] + table(
            ['', 'time / jsonrow_set', 'WAL / jsonrow_set', 'ms', 'WAL bytes'],
            [[name, f'{one["ms"] / ours["ms"]:.2f}', f'{one["wal"] / max(1, ours["wal"]):.2f}', number(one['ms']), f'{one["wal"]:,}'] for name, one in ways.items()])
    out += ['A whole array of (id, val) as text, by its length, microseconds per array:', ''] + by_size(data['whole'], 'join, jsonrow_agg_json')
    for place, sizes in data['member'].items():
        out += [f'The {place} member of an array, by its length:', ''] + by_size(sizes, 'jsonrow_get_text')
    return out


def curves(sizes):
    return {name: [(int(size), values[name]) for size, values in sizes.items()] for name in next(iter(sizes.values()))}


def charts(data):
    largest = data['nesting'][max(data['nesting'], key=int)]
    result = {'nesting': lines(f'A short key beside {int(max(data["nesting"], key=int)):,} bytes', 'level', 'microseconds', curves(largest), log=False),
              'toast': lines('The step at 2 kB', 'bytes of the value', 'microseconds per row', data['toast'], log=False),
              'whole': lines('A whole array as text', 'elements', 'microseconds', curves(data['whole'])),
              'update': bars('Update of one cell: WAL', 'bytes', {f'{int(size):,} rows': {name: one['wal'] for name, one in ways.items()} for size, ways in data['update'].items()})}
    result |= {f'search-{what.split()[0]}': lines(f'Search for {what}', 'elements', 'microseconds', curves(sizes)) for what, sizes in data['search'].items()}
    result |= {f'{what.replace(" ", "-")}': lines(f'Ten keys, {what}', 'bytes of the value', 'microseconds', curves(sizes)) for what, sizes in data['keys'].items()}
    return result | {f'member-{place}': lines(f'The {place} member of an array', 'elements', 'microseconds', curves(sizes)) for place, sizes in data['member'].items()}
