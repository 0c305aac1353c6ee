#!/usr/bin/python3
"""Random readers of stored JSON, each run with jsonrow.accelerate off and on: the same rows, or the same error.

Works on the server that the PG* variables name, as a superuser, in a database of
its own, which it drops at the end.  A failure is printed as a script.

    test/queries/readers.py [--count 1000] [--seed 123]
"""
import argparse
import json
import random
import re
import sys
import time

import psycopg2

DATABASE = 'jsonrow_readers'
KEYS = ['', 'a', 'b', 'e', 'zz', '0', '1', '-1', 'é', 'a b', 'q"', 'key', 'name', 'a rather long key that is hardly ever there']
STORAGES = ['PLAIN', 'MAIN', 'EXTENDED', 'EXTERNAL']
PLANS = ['enable_hashjoin', 'enable_mergejoin', 'enable_nestloop', 'enable_hashagg', 'enable_sort', 'enable_material', 'enable_memoize',
         'enable_seqscan', 'enable_indexscan', 'enable_bitmapscan']


def scalar(r):
    return r.choice([None, True, False, 0, -1, 1.5, 10 ** 30, '', 'x', 'é€𝄞', 'a"b\\c', '\n', r.randrange(1000)])


def words(r, size):
    return ''.join(r.choice(['the same words ', '%x ' % r.getrandbits(64)]) for _ in range(size // 16 + 1))


def document(r, size, depth):
    """Of about so many bytes"""
    if depth == 0 or r.random() < 0.1:
        return scalar(r) if size < 100 or r.random() < 0.5 else words(r, size)
    count = r.choice([0, 1, 2, 3, 5, 9, 31, 32, 33, 40, 70])
    parts = [document(r, size // max(count, 1), depth - 1) for _ in range(count)]
    if r.random() < 0.3:
        return parts
    names = KEYS + ['k%02d' % i for i in range(70)]
    return dict(zip(r.sample(names, count), parts))


def step(r, alias, kind):
    """An operator, and what comes after it: a constant, or computed"""
    if kind == 'path':
        path = ','.join('"%s"' % r.choice(KEYS + ['2', '31', '32', '-2', 'NULL']).replace('"', '\\"') for _ in range(r.randrange(4)))
        return "'{%s}'::text[]" % path if r.random() < 0.8 else f"ARRAY[{alias}.k, 'a']"
    if kind == 'key':
        return r.choice(["'%s'" % r.choice(KEYS), "'k%02d'" % r.randrange(70), f'{alias}.k', f"({alias}.d ->> 'name')", 'NULL::text'])
    return r.choice([str(r.randrange(-3, 4)), str(r.choice([31, 32, 33, -33, 1000])), f'{alias}.n'])


def reader(r, alias):
    column = r.choice('dddej')
    result = f'{alias}.{column}'
    if column != 'j' and r.random() < 0.1:
        subscripts = ["'a'", "'e'", '0', '-1', "'k03'"] + r.choice([[], [f'{alias}.k', f'{alias}.n', f'{alias}.n - 1', f'{alias}.n::text', f"{alias}.d ->> 'name'"]])
        result += ''.join('[%s]' % r.choice(subscripts) for _ in range(r.randrange(1, 4)))
    steps = r.choice([1, 1, 1, 2, 2, 3, 4])
    for i in range(steps):
        kind = r.choice(['key', 'key', 'position', 'path'])
        operator = ('#>' if kind == 'path' else '->') + ('>' if i == steps - 1 and r.random() < 0.7 else '')
        result = f"{result} {operator} {step(r, alias, kind)}"
    return f'({result})::text'


def condition(r, alias):
    return f"{reader(r, alias)} {r.choice(['IS NOT NULL', 'IS NULL', '> $$b$$', '<> $$x$$'])}"


def query(r):
    """Several readers, often of the same column, in one of several shapes; rows are ordered, so that they can be compared."""
    x = ', '.join(reader(r, 'x') for _ in range(r.randrange(1, 7)))
    where = ' AND '.join(condition(r, 'x') for _ in range(r.randrange(3))) or 'true'
    table = r.choice(['t', 't', '(SELECT * FROM t ORDER BY n, id OFFSET 0)', '(SELECT id, n, k, lag(d) OVER (ORDER BY id) AS d, e, j FROM t)'])
    return r.choice([
        f'SELECT x.id, {x} FROM {table} x WHERE {where} ORDER BY x.id',
        f'SELECT count(*), max({reader(r, "x")}), string_agg({reader(r, "x")}, $$,$$ ORDER BY id) FROM {table} x WHERE {where} GROUP BY n ORDER BY n',
        f'SELECT x.id, y.id, {x}, {reader(r, "y")} FROM {table} x JOIN t y ON {reader(r, "x")} = {reader(r, "y")} AND {condition(r, "y")} ORDER BY 1, 2',
        f'SELECT x.id, {x}, (SELECT {reader(r, "x")} || y.k FROM t y WHERE y.id = x.n AND {condition(r, "y")}) FROM {table} x ORDER BY 1',
        f'SELECT DISTINCT {x} FROM {table} x WHERE {where} ORDER BY 1',
        f'SELECT x.id, l.*, {x} FROM {table} x, LATERAL (SELECT {reader(r, "x")}, {reader(r, "y")} FROM t y WHERE y.n = x.n ORDER BY y.id LIMIT 2) l ORDER BY 1, 2, 3',
        f'SELECT x.id, {x}, ({reader(r, "x")})::int FROM {table} x ORDER BY 1',
        f'WITH u AS (UPDATE t x SET d = x.e, e = x.d WHERE {where} RETURNING x.id, {x}) SELECT * FROM u ORDER BY 1',
    ])


class Readers:
    def __init__(self):
        self.admin = psycopg2.connect(dbname='postgres')
        self.admin.autocommit = True
        self.run(self.admin, f'DROP DATABASE IF EXISTS {DATABASE}', f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8'")
        self.connection = psycopg2.connect(dbname=DATABASE)
        self.connection.autocommit = True
        self.run(self.connection, 'CREATE EXTENSION jsonrow', "LOAD 'jsonrow'", "SET statement_timeout = '20s'")

    @staticmethod
    def run(connection, *statements):
        with connection.cursor() as cursor:
            for sql in statements:
                cursor.execute(sql)

    def make_world(self, r):
        """A table of random documents, each column in a storage of its own"""
        self.world = ['DROP TABLE IF EXISTS t', 'CREATE TABLE t (id int PRIMARY KEY, n int, k text, d jsonb, e jsonb, j json)']
        lz4 = self.answer("SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'", [])
        for column in 'dej':
            self.world.append(f'ALTER TABLE t ALTER {column} SET STORAGE {r.choice(STORAGES[1:])}')
            if 'True' in lz4 and r.random() < 0.4:
                self.world.append(f'ALTER TABLE t ALTER {column} SET COMPRESSION lz4')
        self.world.append(f'ALTER TABLE t SET (toast_tuple_target = {r.choice([128, 2040, 8000])})')
        for i in range(r.choice([5, 20, 40])):
            values = [json.dumps(document(r, r.choice([50, 500, 5000, 40000, 300000]), r.choice([0, 1, 2, 3]))) for _ in 'dej']
            texts = ', '.join('NULL' if r.random() < 0.05 else "'" + text.replace("'", "''") + "'" for text in values)
            key = r.choice(KEYS).replace("'", "''")
            self.world.append(f"INSERT INTO t VALUES ({i}, {i % 5}, '{key}', {texts})")
        self.world.append('ANALYZE t')
        self.run(self.connection, *self.world)

    def answer(self, sql, settings):
        """Its rows or its error; nothing is changed."""
        with self.connection.cursor() as cursor:
            try:
                cursor.execute('BEGIN;' + ''.join(f'SET LOCAL {setting};' for setting in settings) + sql)
                return str(cursor.fetchall())
            except psycopg2.Error as error:
                return f'{error.pgcode} {error.diag.message_primary} {error.diag.message_detail}'
            finally:
                cursor.execute('ROLLBACK')

    def answers(self, sql, settings):
        return [self.answer(sql, settings + [f'jsonrow.accelerate = {value}']) for value in ('off', 'on')]

    def same(self, sql, settings):
        off, on = self.answers(sql, settings)
        # Which of several errors parallel workers raise first is chance.
        if off != on and '[' not in off[:1] + on[:1]:
            off, on = self.answers(sql, settings + ['max_parallel_workers_per_gather = 0'])
        if '57014' in (off[:5], on[:5]):
            return True
        if off != on:
            print(';\n'.join(self.world + settings), sql, f'-- off: {off[:2000]}', f'-- on: {on[:2000]}', sep=';\n')
        return off == on

    def is_ours(self, sql):
        return re.search('jsonrow_core_(get|subscript)', self.answer('EXPLAIN (VERBOSE) ' + sql, ['jsonrow.accelerate = on'])) is not None

    def close(self):
        self.connection.close()
        self.run(self.admin, f'DROP DATABASE {DATABASE}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=int(time.time()))
    arguments = parser.parse_args()
    start, r, readers, failed, ours = time.time(), random.Random(arguments.seed), Readers(), 0, 0
    print(f'seed {arguments.seed}', flush=True)
    for i in range(arguments.count):
        if i % 50 == 0:
            readers.make_world(r)
        sql = query(r)
        settings = [f'{name} = off' for name in PLANS if r.random() < 0.15] + r.choice(
            [[], [], ['work_mem = 64'], ['parallel_setup_cost = 0', 'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0']])
        failed += not readers.same(sql, settings)
        ours += readers.is_ours(sql)
    readers.close()
    print(f'seed {arguments.seed}: {arguments.count} queries in {time.time() - start:.0f} s, {ours} of them read by ours, {failed} failures')
    sys.exit(failed > 0 or ours < arguments.count * 0.7)


if __name__ == '__main__':
    main()
