"""Nested containers: the ways to one key, by its level and by the size of what is beside it.

After "Understanding JSONB Performance": one short key beside one long one,
under objects nested ever deeper.
"""
from charts import grid, lines
from measure import accesses
from report import size
from workloads._jsonb import ACCELERATED, STORAGES, accelerated, curves, table_of

TITLE = 'JSONB access: one key of nested containers, by size and level'

OPERATORS = ('->', '#>', 'subscripting', 'jsonpath')
NESTED, PATH, FLAT = 'jsonrow_get, document as deep', 'jsonrow_path, document as deep', 'jsonrow_get, flat document'

ACCELERATES = ('->', '#>', 'subscripting')      # these
ON = [ACCELERATED.format(name) for name in ACCELERATES]

NOTE = 'Level: of the object in which the key is, under others. A document as deep has its rows nested likewise.'
NOTE_OF_FLAT = f'{NOTE} A flat one has the key as a column.'


def expressions(level):
    path = ['obj'] * level + ['key']
    inner = f" #> '{{{','.join(['0'] * level)}}}'" if level else ''
    return {
        '->': ('doc' + ''.join(f" -> '{key}'" for key in path), 'objects'),
        '#>': (f"doc #> '{{{','.join(path)}}}'", 'objects'),
        'subscripting': ('doc' + ''.join(f"['{key}']" for key in path), 'objects'),
        'jsonpath': (f"jsonb_path_query_first(doc, '$.{'.'.join(path)}')", 'objects'),
        NESTED: (f"jsonrow_get(doc, 0, '{path[0]}'){inner}", 'nested'),
        PATH: (f"doc #> (jsonrow_path(doc, 0, '{path[0]}') || '{{{','.join(['0'] * level)}}}')", 'nested'),
        FLAT: ("jsonrow_get(doc, 0, 'key')", 'flat')}


def prepare(long, level, storage):
    string = f"repeat('a', {long})"
    table_of('objects', 'doc jsonb', f"""SELECT (repeat('{{"obj": ', {level})
        || jsonb_build_object('key', {level}, 'long_str', {string}) || repeat('}}', {level}))::jsonb""", storage)
    table_of('nested', 'doc jsonb', f"""SELECT ('{{"cols":[' || repeat('{{"obj":[', {level}) || '"key","long_str"' || repeat(']}}', {level}) || '],"rows":['
        || repeat('[', {level + 1}) || {level} || ',"' || {string} || '"' || repeat(']', {level + 1}) || ']}}')::jsonb::jsonrow""", storage)
    table_of('flat', 'doc jsonb', f"SELECT jsonrow_agg('{{key,long_str}}', {level}, {string})", storage)


def matrix(storage, quick):
    result = {}
    for long in (100, 10_000, 1_000_000) if quick else (10, 100, 1000, 10_000, 100_000, 1_000_000):
        for level in (0, 1, 3, 9):
            prepare(long, level, storage)
            rounds, ways = 3 if quick else 5, expressions(level)
            result.setdefault(level, {})[long] = accesses(ways, rounds) | accelerated(
                {name: ways[name][0] for name in ACCELERATES}, 'objects', storage, long + 100, rounds)
    return result


def parts(quick):
    return {name: lambda storage=storage: matrix(storage, quick) for name, storage in STORAGES.items()}


def map_of(levels, names):
    return {(int(long), int(level)): {name: values[name] for name in names} for level, sizes in levels.items() for long, values in sizes.items()}


def report_claims(out, levels):
    """What the talk concludes, and what is found here."""
    small, large = min(levels['0'], key=int), max(levels['0'], key=int)
    deepest = max(levels, key=int)

    def against(name, level):
        ratios = [levels[level][long][name] / levels[level][long]['#>'] for long in (small, large)]
        return f'level {level}: {ratios[0]:.2g} and {ratios[1]:.2g}'
    out.text(f'''What the talk concludes, and what is found here: the time as a multiple of that of `#>`, beside a string
        of {size(int(small))} and of {size(int(large))}, compressed as there.''')
    out.table(['the talk', 'here'], [
        ['`->` is good for the root level, and for the first level of small values', f'{against("->", "0")}; {against("->", "1")}'],
        ['a chain of `->` copies at each level, and becomes the slowest', against('->', deepest)],
        ['subscripting is faster than `#>` below level 7', f'{against("subscripting", "1")}; {against("subscripting", deepest)}'],
        ['jsonpath is the slowest, unless the value is large', f'{against("jsonpath", "0")}; {against("jsonpath", deepest)}']])


def report_storage(out, storage, levels):
    shown = {f'level {level}': sizes for level, sizes in levels.items()}
    beside, all_names = 'bytes of the long string beside it', [*expressions(0), *ON]

    out.text(f'{storage.capitalize()}, by the level of nesting and the bytes of the long string:')
    out.contest('level, bytes', 'us', {f'{level}, {int(long):,}': values for level, sizes in levels.items() for long, values in sizes.items()}, FLAT)
    out.chart(f'time-{storage}', 'Time of access by size, a panel for each level', lines(
        f'One short key, {storage}: time of one access, lower is better', beside, 'microseconds',
        {level: curves(sizes) for level, sizes in shown.items()}, across=2, note=NOTE_OF_FLAT))
    out.chart(f'best-{storage}', 'The fastest way, by size and level', grid(
        f'The fastest way to a key, by level and size, {storage}', beside, 'level of nesting', 'us',
        {"of PostgreSQL's own": map_of(levels, OPERATORS), 'of all (a flat document has no levels)': map_of(levels, all_names)},
        all_names, note=f'{NOTE_OF_FLAT} us: microseconds.'))


def report_nesting(out, storage, levels):
    to_root = {name: {f'level {level}': [(int(long), values[name] / levels['0'][long][name]) for long, values in sizes.items()]
                      for level, sizes in levels.items() if level != '0'} for name in (*OPERATORS, NESTED, PATH, ON[0])}
    out.chart(f'root-{storage}', 'Slowdown relative to level 0, by operator', lines(
        f'What nesting costs: times as long as the same way at level 0, {storage}', 'bytes of the long string beside it', 'times as long as at level 0',
        to_root, across=3, one='level 0',
        note=f'jsonrow_get at level 0 reads no more than the beginning; deeper it copies all that is nested there. {NOTE}'))


def report(data, out):
    out.text(f'''Microseconds of one access, of as many in one statement as take 20 ms, by every operator, beside a document that is nested
        as deep (`{NESTED}`: the outermost cell by its name, then `#>` by position, as it must be if the cell is wanted for more;
        `{PATH}`: `#>` by the path, which leaves the cell where it is) and one that is flat. Stored as PostgreSQL does by itself
        (EXTENDED, as in the talk: compressed over 2 kB, and this string is of one letter, so that it compresses a hundredfold),
        and uncompressed (EXTERNAL). With `jsonrow.accelerate`, what was read of a value is kept until the query ends, so there each
        access is to another copy, which is read once.''')
    report_claims(out, data['compressed'])
    for storage, levels in data.items():
        report_storage(out, storage, levels)
    report_nesting(out, 'compressed', data['compressed'])
    out.statements({name: f'SELECT {expr} FROM {source}' for name, (expr, source) in expressions(3).items()})
