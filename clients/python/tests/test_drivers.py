"""psycopg, psycopg2 and asyncpg: documents in results become rows by a line or two"""
import asyncio
import functools
import json
from dataclasses import dataclass
from typing import Any

import asyncpg
import jsonrow
import psycopg
import psycopg2
import psycopg2.extras
import pytest
from jsonrow.psycopg import documents
from psycopg.rows import dict_row
from psycopg.types.json import set_json_loads

QUERY = "SELECT jsonrow_agg_json(f.*), jsonrow_agg(f.*), '{\"a\":1}'::json FROM film f WHERE id = 1"
ROW = {"id": 1, "title": "Alien", "year": 1979, "rating": 8.5}


@dataclass
class Film:
    id: int
    title: str


@pytest.mark.parametrize("binary", [False, True])
def test_psycopg_by_column(binary: bool) -> None:
    """What is a document, the query's author says; what only looks like one is none"""
    films = documents(dict_row, text=Film, doc=dict, no=dict)
    query = """SELECT jsonrow_agg_json(f.*) AS text, jsonrow_agg(f.*) AS doc, NULL::jsonrow AS no, 7 AS n,
        '{"cols":["a"],"rows":[]}'::json AS other FROM film f WHERE id = 1"""
    with psycopg.connect() as connection:
        with connection.cursor(row_factory=films, binary=binary) as cursor:
            cursor.execute("SET LOCAL work_mem = '4MB'")
            assert cursor.execute(query).fetchall() == [
                {"text": [Film(1, "Alien")], "doc": [ROW], "no": None, "n": 7, "other": {"cols": ["a"], "rows": []}}]
        tuples = documents(doc=dict)
        with connection.cursor(row_factory=tuples, binary=binary) as cursor:
            assert cursor.execute("SELECT jsonrow_agg(f) AS doc, 1 FROM film f WHERE id = 1").fetchone() == ([ROW], 1)
            with pytest.raises(jsonrow.DocumentError):
                cursor.execute("SELECT '[]'::json AS doc").fetchone()
            with pytest.raises(LookupError, match="no column 'doc'"):
                cursor.execute("SELECT 1 AS other").fetchone()


@pytest.mark.parametrize("binary", [False, True])
def test_psycopg(binary: bool) -> None:
    with psycopg.connect() as connection:
        parsed = connection.execute(QUERY, binary=binary).fetchone()
        assert parsed and jsonrow.decode(parsed[0]) == jsonrow.decode(parsed[1]) == [ROW]
        set_json_loads(jsonrow.loads, connection)
        assert connection.execute(QUERY, binary=binary).fetchone() == ([ROW], [ROW], {"a": 1})
        set_json_loads(functools.partial(jsonrow.loads, into=Film), connection)
        films = [Film(1, "Alien")]
        assert connection.execute(QUERY, binary=binary).fetchone() == (films, films, {"a": 1})


def test_psycopg_insert() -> None:
    with psycopg.connect() as connection:
        sql = "INSERT INTO film SELECT * FROM jsonrow_populate_recordset(NULL::film, %s::jsonb) RETURNING title"
        assert connection.execute(sql, [jsonrow.encode([{"id": 9, "title": "Élan"}])]).fetchall() == [("Élan",)]
        connection.rollback()


def test_psycopg2() -> None:
    connection = psycopg2.connect("")
    try:
        psycopg2.extras.register_default_json(connection, loads=jsonrow.loads)
        psycopg2.extras.register_default_jsonb(connection, loads=jsonrow.loads)
        with connection.cursor() as cursor:
            cursor.execute(QUERY)
            assert cursor.fetchone() == ([ROW], [ROW], {"a": 1})
        with connection.cursor("pieces") as cursor:
            query = "SELECT title FROM film WHERE id < $1 ORDER BY id"
            cursor.execute("SELECT jsonrow_stream_lines(%s, %s)", (query, 9))
            assert list(jsonrow.iter_lines(cursor)) == [{"title": "Alien"}, {"title": "Brazil"}]
    finally:
        connection.close()


def test_asyncpg() -> None:
    async def run() -> None:
        connection = await asyncpg.connect()
        try:
            text = await connection.fetchrow(QUERY)
            assert jsonrow.decode(text[0]) == jsonrow.decode(text[1]) == [ROW]
            for name in ("json", "jsonb"):
                await connection.set_type_codec(name, schema="pg_catalog", encoder=json.dumps, decoder=jsonrow.loads)
            assert tuple(await connection.fetchrow(QUERY)) == ([ROW], [ROW], {"a": 1})
            async with connection.transaction():
                query = "SELECT title FROM film WHERE id < $1 ORDER BY id"
                cursor = connection.cursor("SELECT jsonrow_stream($1, $2::int)", query, 9, prefetch=16)
                assert [row async for row in jsonrow.aiter_rows(cursor)] == [{"title": "Alien"}, {"title": "Brazil"}]
        finally:
            await connection.close()
    asyncio.run(run())


def test_asyncpg_insert() -> None:
    async def run() -> Any:
        connection = await asyncpg.connect()
        transaction = connection.transaction()
        await transaction.start()
        try:
            return await connection.fetchval(
                "INSERT INTO film SELECT * FROM jsonrow_populate_recordset(NULL::film, $1::jsonb) RETURNING title",
                jsonrow.encode([{"id": 9, "title": "Élan"}]))
        finally:
            await transaction.rollback()
            await connection.close()
    assert asyncio.run(run()) == "Élan"
