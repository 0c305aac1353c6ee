"""Nested collections of a video shop in the words of tools: all films, a page, a few rentals of each customer.

Films have copies, copies are rented by customers, rentals are paid for: as many of each as in Sakila, the sample
database of MySQL.  test/statements has how the tools write.  CPU time of one backend, in turns, the result sent; every
answer is compared first, in any order where none is asked for.
"""
import json

from measure import psql
from report import number, ratio
from workloads._modes import BEFORE, contest
from workloads._tools import TOOLS, Level, Writer

TITLE = 'Nested collections of a video shop, in the words of tools: `jsonrow.unnest`'

SOURCES = ('test/statements/*',)
MODES = {'PostgreSQL': 'SET jsonrow.accelerate = off; SET jsonrow.unnest = off;', 'accelerate': 'SET jsonrow.accelerate = on; SET jsonrow.unnest = off;',
         'unnest': 'SET jsonrow.accelerate = on; SET jsonrow.unnest = on;'}
COLLECTING = ('PostgREST', 'Supabase', 'pg_graphql', 'Hasura 2', 'Prisma', 'Drizzle 1.0', 'Kysely', 'jOOQ')
LIMITING = tuple(name for name in COLLECTING if name != 'Supabase')
INDEXES = 'CREATE INDEX ON inventory (film_id); CREATE INDEX ON rental (inventory_id); CREATE INDEX ON rental (customer_id, at); CREATE INDEX ON payment (rental_id);'


def shop(films, indexes=''):
    copies, rentals, customers = films * 458 // 100, films * 16, films * 6 // 10
    psql(f"""
        DROP TABLE IF EXISTS film, inventory, rental, payment, customer;
        CREATE TABLE film AS SELECT i AS film_id, 'Title of number ' || i * 7919 % {films} AS title, 2006 AS year FROM generate_series(1, {films}) i;
        CREATE TABLE inventory AS SELECT i AS inventory_id, i * 7919 % {films} + 1 AS film_id, i % 2 + 1 AS store_id FROM generate_series(1, {copies}) i;
        CREATE TABLE rental AS SELECT i AS rental_id, i * 7919 % {copies} + 1 AS inventory_id, i * 104729::bigint % {customers} + 1 AS customer_id,
            timestamp '2005-05-24' + i * 7919 % {rentals} * interval '17 min' AS at FROM generate_series(1, {rentals}) i;
        CREATE TABLE payment AS SELECT i AS payment_id, i * 7919 % {rentals} + 1 AS rental_id, (i % 12)::numeric + 0.99 AS amount FROM generate_series(1, {rentals}) i;
        CREATE TABLE customer AS SELECT i AS customer_id, 'Customer of number ' || i AS name FROM generate_series(1, {customers}) i;
        {''.join(f'ALTER TABLE {table} ADD PRIMARY KEY ({table}_id);' for table in ('film', 'inventory', 'rental', 'payment', 'customer'))} {indexes}""")
    psql('VACUUM ANALYZE film, inventory, rental, payment, customer')


def films(**page):
    """With their copies, the rentals of these, the payments of those"""
    payments = Level('payment', 'payment_id amount', on='rental_id')
    rentals = Level('rental', 'rental_id at', on='inventory_id', below={'payments': payments})
    copies = Level('inventory', 'inventory_id store_id', on='film_id', below={'rentals': rentals})
    return Level('film', 'film_id title year', below={'copies': copies}, **page)


def page():
    return films(order='title', limit=20)


def latest(count):
    """Customers with their last rentals"""
    return Level('customer', 'customer_id name', below={
        'rentals': Level('rental', 'rental_id inventory_id at', on='customer_id', order='at DESC', limit=count)})


def written(tools, level, *arguments):
    """{tool: statement}"""
    return {name: Writer().write(TOOLS[name], level(*arguments)) for name in tools}


def in_any_order(value):
    """Arrays sorted: nobody asked for an order"""
    if isinstance(value, dict):
        return {key: in_any_order(of) for key, of in value.items()}
    return sorted(map(in_any_order, value), key=json.dumps) if isinstance(value, list) else value


def answer(sql, settings):
    return in_any_order(json.loads(psql(f'{BEFORE}{settings} SELECT json_agg(q) FROM ({sql}) q;')))


# Films, indexes, tools, what they ask for.  Without indexes PostgreSQL takes 27 times as long for three times the films.
CASES = {
    'all 1,000 films, with copies, their rentals and payments': (1000, INDEXES, COLLECTING, films),
    '20 of 1,000 films': (1000, INDEXES, COLLECTING, page),
    '20 of 300 films, no index on a foreign key': (300, '', COLLECTING, page),
    'all 600 customers, with their last rental': (1000, INDEXES, LIMITING, latest, 1),
    'all 600 customers, with their last 5 rentals': (1000, INDEXES, LIMITING, latest, 5),
    'the last rental, no index on a foreign key': (1000, '', LIMITING, latest, 1),
    'the last 5 rentals, no index on a foreign key': (1000, '', LIMITING, latest, 5),
}


def measured(quick, count, indexes, *statements):
    shop(300 if quick else count, indexes)
    return contest(written(*statements), MODES, answer, 3 if quick else 5)


def parts(quick):
    return {name: lambda case=case: measured(quick, *case) for name, case in CASES.items()}


def main_ratios(data):
    return {f'{case}, as PostgreSQL computes them, against `jsonrow.unnest`: PostgREST': tools['PostgREST']['PostgreSQL'] / tools['PostgREST']['unnest'] for case, tools in data.items()}


def report(data, out):
    out.text('''A thousand films have 4,580 copies, which 600 customers have rented 16,000 times, and paid for each time. As PostgreSQL computes them, with
        `jsonrow.accelerate`, and with `jsonrow.unnest` as well. The answers are the same, but for the order where
        none is asked for, which is checked first. CPU time of the backend, the result sent.''')
    for case, tools in data.items():
        out.text(f'{case[0].upper()}{case[1:]}:')
        out.table(['', 'PostgreSQL / unnest', 'accelerate / unnest', *[f'{mode}, ms' for mode in MODES]], [
            [name, ratio(of['PostgreSQL'], of['unnest']), ratio(of['accelerate'], of['unnest']), *map(number, of.values())] for name, of in tools.items()], 3)
    out.statements({f'{case}: {name}': sql for case, (_, _, _, *level) in CASES.items() for name, sql in written(('PostgREST',), *level).items()})
