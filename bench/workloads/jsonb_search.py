"""Search in an array: jsonb's containment and jsonpath, SQL, and jsonrow_find.

After "Understanding JSONB Performance": arrays of 1 to 100,000 numbers; the
first is searched for, and one that is not there.
"""
from charts import lines
from measure import accesses
from workloads._jsonb import STORAGES, curves, table_of

TITLE = 'JSONB search: an element of an array, by its length'

SEARCHED = {'the first element': 0, 'no element': -1}
OURS = 'jsonrow_find'
EXISTS = 'EXISTS jsonb_array_elements'
NOTE = '''jsonrow_find searches the one column of a document, row-oriented or by column; the others an array of jsonb, the EXISTS by a subquery over its elements
    (EXISTS -> i: by their numbers).'''


def expressions(value):
    return {
        '@>': (f"doc @> '{value}'", 'arrays'),
        '@@': (f"doc @@ '$[*] == {value}'", 'arrays'),
        '@?': (f"doc @? '$[*] ? (@ == {value})'", 'arrays'),
        EXISTS: (f"EXISTS (SELECT FROM jsonb_array_elements(doc) e WHERE e = '{value}')", 'arrays'),
        'EXISTS -> i': (f"EXISTS (SELECT FROM jsonb_path_query_first(doc, '$') doc2, generate_series(0, jsonb_array_length(doc2) - 1) i WHERE doc2 -> i = '{value}')", 'arrays'),
        OURS: (f"jsonrow_find(doc, 'i', '{value}')", 'rows'),
        'jsonrow_find, by column': (f"jsonrow_find(doc, 'i', '{value}')", 'vectors')}


def one_storage(storage, quick):
    result = {what: {} for what in SEARCHED}
    for n in (10, 1000, 100_000) if quick else (1, 10, 100, 1000, 10_000, 100_000):
        series = f'generate_series(0, {n - 1}) i'
        for name, aggregate in (('arrays', 'jsonb_agg(i)'), ('rows', "jsonrow_agg('{i}', i)"), ('vectors', "jsoncol_agg('{i}', i)")):
            table_of(name, 'doc jsonb', f'SELECT {aggregate} FROM {series}', storage)
        for what, value in SEARCHED.items():
            result[what][n] = accesses(expressions(value), 3 if quick else 5)
    return result


def parts(quick):
    return {name: lambda storage=storage: one_storage(storage, quick) for name, storage in STORAGES.items()}


def report_claims(out, first, none):
    """What the talk concludes, and what is found here."""
    largest = max(none, key=int)

    def fastest(sizes):
        own = [{name: us for name, us in values.items() if not name.startswith('jsonrow')} for values in sizes.values()]
        return sum(min(values, key=values.get) == '@>' for values in own)

    def slower(sizes, name, than):
        return f'{sizes[largest][name] / sizes[largest][than]:.2f} times as long as `{than}`'
    out.text(f'What the talk concludes, and what is found here, compressed as there; times at {int(largest):,} elements:')
    out.table(['the talk', 'here'], [
        ['`@>` is the fastest in all cases', f"for the first element, among PostgreSQL's own, at {fastest(first)} of {len(first)} lengths; for none, at {fastest(none)}"],
        ['SQL EXISTS is the slowest', f'none found: {slower(none, EXISTS, "@>")}'],
        ['`@@` is faster than `@?` when all must be looked at', f'none found: `@?` takes {slower(none, "@?", "@@")}'],
        ['`@?` is faster than `@@` when the element is found early', f'first found: `@@` takes {slower(first, "@@", "@?")}']])


def report_storage(out, storage, searches):
    for what, sizes in searches.items():
        out.text(f'{storage.capitalize()}, {what}, by the number of elements:')
        out.contest('elements', 'us', sizes, OURS)
    out.chart(f'time-{storage}', 'Time of a search by the length of the array', lines(
        f'Search in an array of numbers, {storage}: lower is better', 'elements', 'microseconds',
        {f'for {what}': curves(sizes) for what, sizes in searches.items()}, note=NOTE))


def main_ratios(data):
    n, values = list(data['compressed']['no element'].items())[-1]
    return {f'a search in vain among {int(n):,} numbers: `@>`': values['@>'] / values[OURS]}


def report(data, out):
    out.text('''Microseconds of one search. `jsonrow_find` gives the row's number, the others whether there is such an element.
        A row of one number takes an array around it, so that a row-oriented document is about twice as large as the array;
        by column it is as large.''')
    report_claims(out, *data['compressed'].values())
    for storage, searches in data.items():
        report_storage(out, storage, searches)
    out.statements({name: f'SELECT {expr} FROM {source}' for name, (expr, source) in expressions(-1).items()})
