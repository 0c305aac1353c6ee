"""JSONB, documents and relational tables: whole values, keys, array members; read and updated.

After "Understanding JSONB Performance": "JSONB vs Relational".  All is stored
uncompressed (EXTERNAL), as there.
"""
from charts import lines
from measure import accesses, psql
from workloads._jsonb import curves, of, random_string, table_of, update

TITLE = 'JSONB against relational tables: whole values, keys, array members'

OURS = 'jsonrow'
ROUNDS = 5
CHUNKS = 'jsonrow, in chunks'
PATH = 'jsonb_set at jsonrow_path'
RELATIONAL = 'a relational table'


def prepare_arrays(length, width):
    """Arrays of (id, val): as jsonb, as documents by row, and as rows of a table, which has a thousand at least."""
    random_string()
    ids, elements, value = f'generate_series(1, {max(10, 1000 // length)}) n', f'generate_series(0, {length - 1}) i', f'random_string({width} + 0 * i)'
    table_of('objects', 'id int, doc jsonb', f"SELECT n, (SELECT jsonb_agg(jsonb_build_object('id', i, 'val', {value})) FROM {elements}) FROM {ids}", 'EXTERNAL')
    table_of('rows', 'id int, doc jsonb', f"SELECT n, (SELECT jsonrow_agg('{{id,val}}', i, {value}) FROM {elements}) FROM {ids}", 'EXTERNAL')
    table_of('elements', 'id int, idx int, val text', f'SELECT n, i, {value} FROM {ids}, {elements}', 'EXTERNAL')
    psql('CREATE INDEX ON elements (id, idx); CREATE INDEX ON objects (id); CREATE INDEX ON rows (id)')


def joined(aggregate):
    return f'(SELECT {aggregate} FROM elements e WHERE e.id = o.id)', '(SELECT id FROM objects) o'


def as_text(expr, source):
    return f'octet_length(textsend({expr}::text))', source


WHOLE = {
    OURS: as_text('doc', 'rows'),
    'jsonb': as_text('doc', 'objects'),
    'join, array_agg as text': as_text(*joined('array_agg(val)')),
    'join, array_agg binary': (f'octet_length(array_send({joined("array_agg(val)")[0]}))', joined('')[1]),
    'join, jsonb_agg': as_text(*joined("jsonb_agg(jsonb_build_object('id', idx, 'val', val))")),
    'join, jsonrow_agg_json': as_text(*joined("jsonrow_agg_json('{id,val}', idx, val)")),
}


def whole(quick):
    result = {}
    for width in (10, 1000):
        for length in (1, 30, 1000) if quick else (1, 10, 100, 1000):
            prepare_arrays(length, width)
            result.setdefault(width, {})[length] = accesses(WHOLE, ROUNDS)
    return result


def prepare_keys(exponent):
    """Ten keys, of 10^exponent characters, a third of it, and so on down to none; gives the size, and these lengths."""
    random_string()
    lengths = [int(10 ** (exponent - k / 2)) for k in range(10)]
    names, values = [f'key{k}' for k in range(1, 11)], [f'random_string({length} + 0 * n)' for length in lengths]
    pairs = ', '.join(f"'{name}', jsonb_build_array({value})" for name, value in zip(names, values))
    source = 'FROM generate_series(0, 9) n'
    table_of('objects', 'id int, doc jsonb', f'SELECT n, jsonb_build_object({pairs}) {source}', 'EXTERNAL')
    table_of('rows', 'id int, doc jsonb', f"SELECT n, jsonrow_agg('{{{','.join(names)}}}', {', '.join(values)}) {source} GROUP BY n", 'EXTERNAL')
    table_of('relational', ', '.join(['id int', *(f'{name} text' for name in names)]), f'SELECT n, {", ".join(values)} {source}', 'EXTERNAL')
    psql('CREATE INDEX ON objects (id); CREATE INDEX ON rows (id); CREATE INDEX ON relational (id)')
    return int(psql("SELECT pg_column_size(doc || '{}') FROM objects LIMIT 1")), lengths


HEADINGS = {1: 'key 1, the longest', 5: 'key 5, a hundredth of key 1', 10: 'key 10, the shortest'}


def new_value(length):
    return f"to_jsonb(lpad((random() * 1e9)::int::text, {length}, 'x'))"


def keys(quick):
    result = {'access': {}, 'update': {}}
    for exponent in (2, 4, 6) if quick else (2, 3, 4, 5, 6):
        size, lengths = prepare_keys(exponent)
        for k in HEADINGS:
            result['access'].setdefault(HEADINGS[k], {})[size] = accesses({
                OURS: (f"textsend(jsonrow_get_text(doc, 0, 'key{k}'))", 'rows'),
                'jsonb': (f"textsend(doc #>> '{{key{k},0}}')", 'objects'),
                RELATIONAL: (f'textsend(key{k})', 'relational')}, ROUNDS)
            value = new_value(lengths[k - 1])
            result['update'].setdefault(HEADINGS[k], {})[size] = update({
                OURS: f"UPDATE rows SET doc = jsonrow_set(doc, 0, 'key{k}', {value}) WHERE id = 5",
                'jsonb': f"UPDATE objects SET doc = jsonb_set(doc, '{{key{k},0}}', {value}) WHERE id = 5",
                RELATIONAL: f"UPDATE relational SET key{k} = {value} #>> '{{}}' WHERE id = 5"}, 5 if quick else 20)
    return result


def member_access(at):
    return {
        OURS: (f"textsend(jsonrow_get_text(doc, {at}, 'val'))", 'rows'),
        'jsonb': (f"textsend(doc #>> ARRAY['{at}', 'val'])", 'objects'),
        RELATIONAL: (f'textsend((SELECT val FROM elements e WHERE e.id = o.id AND idx = {at}))', '(SELECT id FROM objects) o')}


def member_update(at):
    value = new_value(100)
    return {
        OURS: f"UPDATE rows SET doc = jsonrow_set(doc, {at}, 'val', {value}) WHERE id = 5",
        CHUNKS: f"UPDATE chunks SET doc = jsonrow_set(doc, {at} - first_row, 'val', {value}) "
                              f'WHERE id = 5 AND first_row = (SELECT max(first_row) FROM chunks WHERE id = 5 AND first_row <= {at})',
        'jsonb': f"UPDATE objects SET doc = jsonb_set(doc, ARRAY['{at}', 'val'], {value}) WHERE id = 5",
        PATH: f"UPDATE rows SET doc = jsonb_set(doc, jsonrow_path(doc, {at}, 'val'), {value}) WHERE id = 5",
        RELATIONAL: f"UPDATE elements SET val = {value} #>> '{{}}' WHERE id = 5 AND idx = {at}"}


def members(quick):
    """The first, the middle and the last of members of 100 characters each."""
    result = {'access': {}, 'update': {}}
    for n in (10, 100, 1000) if quick else (1, 10, 100, 1000, 10_000):
        prepare_arrays(n, 100)
        psql('DROP TABLE IF EXISTS chunks; CREATE TABLE chunks AS SELECT id, c.* FROM rows, jsonrow_chunks(doc, 1900) c; CREATE INDEX ON chunks (id, first_row)')
        psql('VACUUM ANALYZE chunks')
        for place, at in (('first member', 0), ('middle member', n // 2), ('last member', n - 1)):
            result['access'].setdefault(place, {})[n] = accesses(member_access(at), ROUNDS)
            result['update'].setdefault(place, {})[n] = update(member_update(at), 5 if quick else 20)
    return result


def parts(quick):
    return {'whole': lambda: whole(quick), 'keys': lambda: keys(quick), 'members': lambda: members(quick)}


def report_access_and_update(out, name, of_what, data, xlabel, across, notes):
    """Access, update and WAL; notes: {contender: what it is}"""
    for what, unit, title, places in (
            ('access', 'us', f'Reading {of_what}', data['access']),
            ('update', 'ms', f'Updating {of_what}', {place: of(sizes, 'ms') for place, sizes in data['update'].items()}),
            ('wal', 'bytes', f'WAL written by updating {of_what}', {place: of(sizes, 'wal') for place, sizes in data['update'].items()})):
        out.text(f'{title}, by the {xlabel}:')
        for place, sizes in places.items():
            out.contest(f'{place}, {xlabel}', unit, sizes, OURS)
        long_unit = {'us': 'microseconds', 'ms': 'milliseconds'}.get(unit, unit)
        drawn = next(iter(next(iter(places.values())).values()))
        note = ' '.join(f'{contender}: {words}.' for contender, words in notes.items() if contender in drawn)
        out.chart(f'{name}-{what}', title, lines(
            f'{title}: lower is better', xlabel, long_unit, {place: curves(sizes) for place, sizes in places.items()}, across=across,
            note=f'{note} All stored uncompressed.'))


def main_ratios(data):
    place, sizes = list(data['members']['access'].items())[-1]
    n, values = list(sizes.items())[-1]
    return {f'{place} of {int(n):,} read from a stored array: `#>>` of jsonb': values['jsonb'] / values[OURS]}


def report(data, out):
    out.heading('Whole values')
    out.text('''An array of (id, val), stored as jsonb, as a document, and as rows of a table that must be joined and aggregated; as text, or in the binary format.
        Microseconds per array, by the number of its elements. (The talk's third form of each, ubjson, belongs to a patch.)''')
    for width, lengths in data['whole'].items():
        out.text(f'Values of {int(width):,} characters:')
        out.contest('elements', 'us', lengths, OURS)
    out.chart('whole', 'A whole array, by its length, a panel for each width', lines(
        'A whole array of (id, val), stored or joined: lower is better', 'elements of the array', 'microseconds', {
        f'values of {int(width):,} characters': curves(lengths) for width, lengths in data['whole'].items()}, across=2,
        note='jsonb and jsonrow are stored; what is joined is aggregated from the rows of a table.'))
    out.heading('Keys')
    out.text('Ten keys, each a third of the one before it in length: objects of arrays of one string, documents of one row, and a table with a column for each.')
    report_access_and_update(out, 'keys', 'one of ten keys', data['keys'], 'bytes of the object', None,
                             {'jsonb': 'an object of ten keys', OURS: 'a document of one row', RELATIONAL: 'a column for each'})
    out.heading('Array members')
    out.text('''Arrays of (id, val), of 100 characters each. Updates: `jsonb_set`, `jsonrow_set` in a whole document, and in one of the
        chunks that `jsonrow_chunks` makes. A value out of line is always written whole, so that only chunks and tables write little.''')
    report_access_and_update(out, 'members', 'one array member', data['members'], 'members of the array', None,
                             {'jsonb': 'an array of objects', OURS: 'a document of as many rows', RELATIONAL: 'a row for each member',
                              CHUNKS: 'a document cut by jsonrow_chunks into pieces that stay in their rows',
                              PATH: 'the same document'})
    out.text('''The talk's last parts measure patches to PostgreSQL ("shared TOAST", "sliced detoast") and MongoDB. The patches are in no
        released PostgreSQL, and MongoDB's server is in none of the archives that this benchmark installs from, so that neither is measured
        here. What the patches were to reach by a new storage (access to an array member that does not grow with the array) `jsonrow_get`
        does with the storage there is; see the charts of access.''')
    out.statements({name: f'SELECT {expr} FROM {source}' for name, (expr, source) in (WHOLE | member_access(500)).items()} | member_update(500))
