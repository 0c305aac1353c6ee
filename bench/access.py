#!/usr/bin/env python3
"""Times the reading of one cell against PostgreSQL's own ways to it, by the
size of the document, by storage, and by the row's place.

A time is that of one access, in microseconds, among many in one statement.
The last columns are ratios: how many times longer the best of PostgreSQL's
own takes than jsonrow_get, and how many times longer #> does.  With --plot
FILE, the times of the middle row are drawn, too (needs matplotlib).
"""
from measure import accesses, argument_parser, buffers, psql

METHODS = {
    'jsonrow_get': "jsonrow_get(doc, {row}, 'name')",
    '->': "doc -> 'rows' -> {row} -> 1",
    '#>': "doc #> '{{rows,{row},1}}'",
    'subscript': "doc['rows'][{row}][1]",
    'jsonpath': "jsonb_path_query_first(doc, '$.rows[{row}][1]')",
}


def one(storage, n, size, place, row, args):
    methods = {name: expr.format(row=row) for name, expr in METHODS.items()}
    if size > 50_000_000:       # PostgreSQL's own take seconds there
        methods = {name: expr for name, expr in methods.items() if name in ('jsonrow_get', '#>')}
    source = f'(SELECT doc FROM {storage} WHERE n = {n}) s'
    us = accesses({name: (expr, source) for name, expr in methods.items()}, args.rounds)
    read = {name: buffers(f'SELECT {methods[name]} FROM {storage} WHERE n = {n}') - buffers(f'SELECT n FROM {storage} WHERE n = {n}')
            for name in ('jsonrow_get', '#>')}
    best = min(t for name, t in us.items() if name != 'jsonrow_get')
    print(f'{size:>11}  {place:6}' + ''.join(f'{us[name]:11.2f}' if name in us else f'{"":11}' for name in METHODS) +
          f'{best / us["jsonrow_get"]:10.1f}{us["#>"] / us["jsonrow_get"]:10.1f}'
          f'{read["jsonrow_get"]:9}{read["#>"]:9}', flush=True)
    return us


def plot(file, curves):
    from charts import lines
    lines('One cell of the middle row', 'bytes of the document', 'microseconds', {
        storage: {name: [(size, us[name]) for size, us in points if name in us] for name in METHODS}
        for storage, points in curves.items()}).savefig(file)


def main():
    parser = argument_parser(__doc__)
    parser.add_argument('--plot', metavar='FILE', help='draw the times to this file')
    args = parser.parse_args()
    print(psql('SELECT version()'))
    curves = {}
    for storage in ('external', 'pglz', 'lz4', 'inline'):
        if psql(f"SELECT to_regclass('{storage}') IS NULL") == 't':
            print(f'\n{storage}: not supported by this server')
            continue
        print(f'\n{storage}: microseconds per access, and ratios\n')
        print(f'{"bytes":>11}  {"row":6}' + ''.join(f'{name:>11}' for name in METHODS) +
              f'{"best/ours":>10}{"#>/ours":>10}{"buffers":>9}{"of #>":>9}')
        for line in psql(f"SELECT n, pg_column_size(doc || '{{}}') FROM {storage} ORDER BY n").splitlines():
            n, size = map(int, line.split('|'))
            places = {'first': 0, 'middle': n // 2, 'last': n - 1} if n > 1 else {'first': 0}
            for place, row in places.items():
                us = one(storage, n, size, place, row, args)
                if place == 'middle' or n == 1:
                    curves.setdefault(storage, []).append((size, us))
    if args.plot:
        plot(args.plot, curves)


if __name__ == '__main__':
    main()
