#!/usr/bin/env python3
"""Times the aggregates against PostgreSQL's own and against COPY, side by side.

JIT is off, for its compilation would hide what is measured.
"""
from measure import arguments, measure, peak_memory, psql, report


def columns(table):
    return psql(f"SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute "
                f"WHERE attrelid = '{table}'::regclass AND attnum > 0").split(', ')


def queries(table):
    """What to measure of one table: names of the contenders, and their SQL."""
    cols = columns(table)
    values = ', '.join(cols)
    names = 'ARRAY[' + ', '.join("'" + c.strip('"') + "'" for c in cols) + ']'
    pairs = ', '.join("'" + c.strip('"') + "', " + c for c in cols)

    def size(expr):
        return f'SELECT pg_column_size({expr}) FROM {table};'
    result = {
        'COPY to text': f"COPY {table} TO '/dev/null';",
        'jsonrow_agg_json(names, ...)': size(f'jsonrow_agg_json({names}, {values})'),
        'jsonrow_agg_json(t)': size(f'jsonrow_agg_json({table})'),
        'json_agg(json_build_array(...))': size(f'json_agg(json_build_array({values}))'),
        'json_agg(t)': size(f'json_agg({table})'),
        'jsoncol_agg_json(names, ...)': size(f'jsoncol_agg_json({names}, {values})'),
        'jsonrow_agg(names, ...)': size(f'jsonrow_agg({names}, {values})'),
        'jsonrow_agg(t)': size(f'jsonrow_agg({table})'),
        'jsonb_agg(jsonb_build_array(...))': size(f'jsonb_agg(jsonb_build_array({values}))'),
        'jsonb_agg(t)': size(f'jsonb_agg({table})'),
        'jsoncol_agg(names, ...)': size(f'jsoncol_agg({names}, {values})'),
    }
    if len(cols) <= 50:
        result['json_agg(json_build_object(...))'] = size(f'json_agg(json_build_object({pairs}))')
    return result


def multiset():
    def per_parent(expr):
        return (f'SELECT count(doc) FROM (SELECT (SELECT {expr} FROM child WHERE number <> parent.id) AS doc '
                f'FROM parent OFFSET 0) s;')
    return {
        'no document at all: count(name)': per_parent('count(name)'),
        'jsonrow_agg_json(names, ...)': per_parent("jsonrow_agg_json('{number,name}', number, name)"),
        'json_agg(json_build_array(...))': per_parent('json_agg(json_build_array(number, name))'),
        'json_agg(json_build_object(...))': per_parent("json_agg(json_build_object('number', number, 'name', name))"),
        'jsonrow_agg(names, ...)': per_parent("jsonrow_agg('{number,name}', number, name)"),
        'jsonb_agg(jsonb_build_array(...))': per_parent('jsonb_agg(jsonb_build_array(number, name))'),
        'jsonb_agg(jsonb_build_object(...))': per_parent("jsonb_agg(jsonb_build_object('number', number, 'name', name))"),
    }


def main():
    args = arguments(__doc__)

    print(psql('SELECT version()'))
    print('Times are medians; columns are how many times longer than ours.')
    for table in ('mixed', 'six_columns', 'wide', 'floats', 'quotes', 'nulls'):
        rows, ncols = psql(f'SELECT count(*) FROM {table}'), len(columns(table))
        report(f'{table}: {rows} rows of {ncols} columns', measure(queries(table), args.rounds, args.runs))
    report('MULTISET: 10,000 correlated subqueries of 10 rows x 2 columns', measure(multiset(), args.rounds, args.runs))

    psql('CREATE TABLE IF NOT EXISTS memory AS SELECT m.* FROM mixed m, generate_series(1, 5)')
    print('\nPeak memory, as a multiple of the result\'s size\n')
    cols = columns('memory')
    values, names = ', '.join(cols), 'ARRAY[' + ', '.join(f"'{c}'" for c in cols) + ']'
    for expr in (f'jsonrow_agg_json({names}, {values})', f'jsonrow_agg({names}, {values})',
                 f'jsoncol_agg_json({names}, {values})', f'jsoncol_agg({names}, {values})',
                 'json_agg(memory)', 'jsonb_agg(memory)'):
        print(f'{expr.split("(")[0]:20} {peak_memory(expr, "memory"):5.2f}')


if __name__ == '__main__':
    main()
