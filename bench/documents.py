#!/usr/bin/env python3
"""Times the functions over whole documents against PostgreSQL's own, side by side.

A document of about 1 MB is stored uncompressed (SET STORAGE EXTERNAL) and
compressed, and once kept in memory and edited twenty times; it is edited in
both orientations.  Then the rows of a bulk insert are made of a parameter.
Last, the converters at 10,000, 100,000 and 1,000,000 rows: the time per row
should stay what it is.
"""
from measure import arguments, measure, psql, report

CELL = "4000, 'name', '\"another name\"'"
ROW = "'[1, \"x\", 2.5, null, true, \"n\", 1.5]'"
STORED = {'external': 'external', 'compressed': 'compressed', 'in memory': '(SELECT doc || \'{}\' AS doc, col || \'{}\' AS col FROM external OFFSET 0) s, generate_series(1, 20)'}


def editors(table, doc):
    def size(expr):
        return f'SELECT sum(pg_column_size({expr})) FROM {table};'
    result = {
        'jsonrow_set': size(f'jsonrow_set({doc}, {CELL})'),
        'jsonb_set(doc, jsonrow_path(...), v)': size(f"jsonb_set({doc}, jsonrow_path({doc}, 4000, 'name'), '\"another name\"')"),
        'jsonrow_append': size(f'jsonrow_append({doc}, {ROW})'),
        'jsonrow_delete': size(f'jsonrow_delete({doc}, 4000)'),
    }
    if doc == 'doc':
        result['jsonb_insert(doc, end, row)'] = size(f"jsonb_insert(doc, '{{rows,-1}}', {ROW}, true)")
        result['doc #- row'] = size("doc #- '{rows,4000}'")
    return result


RECORDS = {
    'jsonrow_populate_recordset': 'SELECT count(p) FROM parameter, jsonrow_populate_recordset(NULL::item, doc) p;',
    'jsonb_populate_recordset': 'SELECT count(p) FROM parameter, jsonb_populate_recordset(NULL::item, objects) p;',
    'unnest of an array per column': 'SELECT count(p) FROM parameter, unnest(ids, bigs, names, prices, measures, ats, oks) p;',
}

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


def scaling(args):
    print('\nConverters: microseconds per row\n')
    sizes = (10000, 100000, 1000000)
    print(f'{"":22}' + ''.join(f'{n:>10}' for n in sizes) + '  10x rows take')
    for name, call in CONVERTERS.items():
        times = measure({n: f'SELECT pg_column_size({call}) FROM scaled WHERE n = {n};' for n in sizes}, args.rounds, 3)
        per_row = [times[n] * 1000 / n for n in sizes]
        print(f'{name:22}' + ''.join(f'{us:10.3f}' for us in per_row) +
              '  ' + ', '.join(f'{times[b] / times[a]:.1f}x' for a, b in zip(sizes, sizes[1:])))


def main():
    args = arguments(__doc__)
    print(psql('SELECT version()'))
    print('Times are medians; columns are how many times longer than ours.')
    for storage, table in STORED.items():
        report(f'{storage}, row-oriented', measure(editors(table, 'doc'), args.rounds, args.runs))
        report(f'{storage}, column-oriented', measure(editors(table, 'col'), args.rounds, args.runs))
    report('100,000 rows of 7 columns, as records', measure(RECORDS, args.rounds, args.runs))
    scaling(args)


if __name__ == '__main__':
    main()
