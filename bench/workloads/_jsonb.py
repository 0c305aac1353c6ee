"""What the workloads after "Understanding JSONB Performance" share.

That is the talk of Oleg Bartunov and Nikita Glukhov at PGConf NYC 2021.  Its
graphs carry no figures in the published text, so that those few are told which
its words give, and its graphs are drawn, but for those that tell the same once
more as ratios.
"""
from measure import latency, progress, psql, read_once
from measured import Measured

STORAGES = {'compressed': 'EXTENDED', 'uncompressed': 'EXTERNAL'}      # what PostgreSQL does by itself, and not


def table_of(name, columns, query, storage='EXTENDED'):
    """A table made by the query, whose jsonb columns are so stored."""
    alter = ''.join(f'ALTER TABLE {name} ALTER {column.split()[0]} SET STORAGE {storage};' for column in columns.split(', ') if column.split()[1] in ('jsonb', 'text'))
    psql(f'DROP TABLE IF EXISTS {name}; CREATE TABLE {name} ({columns}); {alter} INSERT INTO {name} {query}')
    psql(f'VACUUM ANALYZE {name}')


# What PostgreSQL's operators are beside themselves with jsonrow.accelerate
ACCELERATED = '{} with jsonrow.accelerate'

COPIED = 20_000_000     # bytes, uncompressed


def accelerated(expressions, source, storage, size, rounds):
    """
    {name with jsonrow.accelerate: microseconds} of {name: expression} over the column doc of the only row of the source.
    That keeps what it has read of a value until the query ends, so each is evaluated once for each of several copies.
    """
    copies = min(max(COPIED // size, 20), 2000)
    table_of('copies', 'doc jsonb', f'SELECT doc FROM {source}, generate_series(1, {copies})', storage)
    return read_once({ACCELERATED.format(name): ('on', expr, 'copies') for name, expr in expressions.items()}, rounds)


def random_string():
    """A function that makes text of a length, always the same, which does not compress to speak of."""
    psql("""CREATE OR REPLACE FUNCTION random_string(length int) RETURNS text LANGUAGE sql AS $$
        SELECT left(string_agg(translate(encode(sha256(i::text::bytea), 'base64'), E'+/=\\n', ''), ''), length) FROM generate_series(1, length / 40 + 1) i $$""")


def update(statements, times, rounds=5):
    """
    {name: UPDATE}: milliseconds and bytes of WAL of one, in turns; a first one
    of each is not measured.  Of the WAL the least counts: the first change to a
    page after a checkpoint logs the whole page.
    """
    for sql in statements.values():
        psql(sql)
    result = {name: {'ms': [], 'wal': []} for name in statements}
    for _ in range(rounds):
        for name, sql in statements.items():
            before = psql('SELECT pg_current_wal_insert_lsn()')
            result[name]['ms'].append(latency(sql + ';', times))
            result[name]['wal'].append(float(psql(f"SELECT (pg_current_wal_insert_lsn() - '{before}') / {times}")))
        progress()
    return {name: {'ms': Measured(one['ms']), 'wal': min(one['wal'])} for name, one in result.items()}


def curves(sizes):
    """{size: {name: value}} as lines: {name: [(size, value), ...]}"""
    names = list(dict.fromkeys(name for values in sizes.values() for name in values))
    return {name: [(int(size), values[name]) for size, values in sizes.items() if name in values] for name in names}


def of(sizes, what):
    """One of the things measured of each."""
    return {size: {name: one[what] for name, one in values.items()} for size, values in sizes.items()}
