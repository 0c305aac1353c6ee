"""Statements as tools send them, of one collection and of collections in rows: test/statements has how they write.

flat: all items as one collection.  nested: parents, each with its items, all of them or a page; tools that aggregate
the outermost rows do so, the others fetch them as rows.
"""
import pathlib
import sys

from measure import psql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'test' / 'statements'))
from statements import TOOLS, Level, Unsupported, Writer


def prepare(parents, items):
    """So many parents with so many items each"""
    psql(f"""
        DROP TABLE IF EXISTS item, parent;
        CREATE TABLE parent AS SELECT i AS parent_id, 'Title of number ' || i AS title, date '1990-01-01' + i AS released, i * 1.25::float8 AS rate
            FROM generate_series(1, {parents}) i;
        CREATE TABLE item AS SELECT i AS item_id, (i - 1) / {items} + 1 AS parent_id, 'name of item ' || i AS name, (i % 1000000)::numeric / 100 AS price,
            timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok FROM generate_series(1, {parents * items}) i;
        ALTER TABLE parent ADD PRIMARY KEY (parent_id);
        CREATE INDEX ON item (parent_id);""")
    psql('VACUUM ANALYZE parent, item')


def items(**more):
    return Level('item', 'item_id name price at ok', **more)


def flat():
    """{tool: statement}"""
    return {tool.name: Writer().write(tool, items(), 'array' if tool.sends_rows else 'outermost') for tool in TOOLS.values() if tool.has('result')
            and tool.name not in LIMITED}


def nested(order='', limit=None):
    """{tool: statement}: of all parents, or of a page of them, ordered by columns of their own, where the tool puts it"""
    result = {}
    for tool in TOOLS.values():
        try:
            result[tool.name] = Writer().write(tool, Level('parent', 'parent_id title released rate', order=order, limit=limit,
                                                           below={'items': items(on='parent_id')}))
        except Unsupported:
            pass
    return result


# Not all items of a table, but at most a thousand
LIMITED = ('Supabase',)
FLAT_FLOOR = 'SELECT count(ok) FROM item'


def nested_floor(order='', limit=None):
    page = f"{f' ORDER BY {order}' if order else ''}{f' LIMIT {limit}' if limit else ''}"
    return f"""SELECT count(p.rate), sum(l.n) FROM (SELECT * FROM parent{page}) p
LEFT JOIN LATERAL (SELECT count(i.ok) AS n FROM item i WHERE i.parent_id = p.parent_id) l ON true"""
