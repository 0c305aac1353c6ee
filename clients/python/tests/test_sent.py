"""What jsonrow.accelerate sends is what PostgreSQL sends without it, as the drivers receive it."""
import asyncio
import tempfile
from typing import Any

import asyncpg
import psycopg
import psycopg2
import psycopg2.extensions
import pytest
from psycopg.pq import Format, Trace

RESULTS = {
    "sizes": r"""SELECT n, doc, doc::json, doc -> 'list' FROM unnest('{0,1,2,31,32,33,1000,20000}'::int[]) n,
        LATERAL (SELECT jsonb_build_object('n', n, 'text', repeat(E'a "quoted" é\n\x01', n), 'none', NULL, 'list',
            (SELECT jsonb_agg(i * 1.50) FROM generate_series(1, n) i)) AS doc) d""",
    "types": """SELECT '1.50'::jsonb, '"x"'::jsonb, 'null'::jsonb, NULL::jsonb, 'true'::jsonb, '{}'::jsonb,
        '[]'::jsonb, ' { "a" : 1 } '::json, 7, '{"cols":[],"rows":[]}'::jsonrow""",
    "catalog": "SELECT to_jsonb(c), row_to_json(c) FROM pg_type c ORDER BY oid",
    "aggregates": "SELECT jsonb_agg(c ORDER BY oid), json_agg(c ORDER BY oid) FROM pg_type c",
}
LOAD = "SELECT jsonrow_is_valid('1'::jsonb)"


@pytest.mark.parametrize("what", RESULTS)
@pytest.mark.parametrize("format", [Format.TEXT, Format.BINARY])
def test_libpq(what: str, format: Format) -> None:
    """The bytes, and libpq's trace of all messages"""
    found = []
    with psycopg.connect() as connection:
        connection.execute(LOAD)
        for mode in ("off", "on"):
            connection.execute(f"SET jsonrow.accelerate = {mode}")  # type: ignore[arg-type]
            with tempfile.TemporaryFile() as trace:
                connection.pgconn.trace(trace.fileno())
                connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
                result = connection.pgconn.exec_params(RESULTS[what].encode(), [], result_format=format)
                connection.pgconn.untrace()
                trace.seek(0)
                rows = [[result.get_value(i, j) for j in range(result.nfields)] for i in range(result.ntuples)]
                found.append((rows, trace.read()))
    assert found[0][0] and b"DataRow" in found[0][1]
    assert found[1] == found[0]


@pytest.mark.parametrize("what", RESULTS)
@pytest.mark.parametrize("binary", [False, True])
def test_psycopg(what: str, binary: bool) -> None:
    """Prepared statements, and cursors, which PostgreSQL sends itself"""
    found: list[Any] = []
    with psycopg.connect(prepare_threshold=0) as connection:
        connection.execute(LOAD)
        for mode in ("off", "on"):
            connection.execute(f"SET jsonrow.accelerate = {mode}")  # type: ignore[arg-type]
            rows = connection.execute(RESULTS[what], binary=binary).fetchall()  # type: ignore[arg-type]
            with connection.cursor("c", binary=binary) as cursor:
                cursor.execute(RESULTS[what])  # type: ignore[arg-type]
                assert cursor.fetchall() == rows
            found.append(rows)
    assert found[0]
    assert found[1] == found[0]


@pytest.mark.parametrize("what", RESULTS)
def test_psycopg2(what: str) -> None:
    found = []
    connection = psycopg2.connect("")
    raw = psycopg2.extensions.new_type((114, 3802), "RAW", lambda value, cursor: value)
    psycopg2.extensions.register_type(raw, connection)
    with connection.cursor() as cursor:
        cursor.execute(LOAD)
        for mode in ("off", "on"):
            cursor.execute(f"SET jsonrow.accelerate = {mode}")
            cursor.execute(RESULTS[what])
            found.append(cursor.fetchall())
    connection.close()
    assert found[0]
    assert found[1] == found[0]


@pytest.mark.parametrize("what", RESULTS)
def test_asyncpg(what: str) -> None:
    """Binary, all rows and some at a time"""
    async def run() -> None:
        found = []
        connection = await asyncpg.connect()
        try:
            await connection.execute(LOAD)
            for mode in ("off", "on"):
                await connection.execute(f"SET jsonrow.accelerate = {mode}")
                rows = [tuple(row) for row in await connection.fetch(RESULTS[what])]
                async with connection.transaction():
                    assert [tuple(row) async for row in connection.cursor(RESULTS[what], prefetch=3)] == rows
                found.append(rows)
        finally:
            await connection.close()
        assert found[0]
        assert found[1] == found[0]
    asyncio.run(run())
