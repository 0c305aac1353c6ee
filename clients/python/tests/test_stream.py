"""Streams, cut anywhere"""
import asyncio
import dataclasses
import io
import json
from collections.abc import AsyncIterator
from datetime import date
from decimal import Decimal
from typing import Any, Optional

import jsonrow
import msgspec
import psycopg
import pydantic
import pytest

QUERY = """SELECT i, 'é\u2028"' || i AS text, CASE WHEN i % 3 > 0 THEN i / 7.0 END AS n, date '2024-05-01' + i AS d,
    '{"a": [1, "]}"]}'::json AS j,
    (SELECT jsonrow_agg_json(a) FROM (SELECT k, k::text AS t FROM generate_series(1, i % 4) k) a) AS inner
    FROM generate_series(1, $1) i"""


def pieces(db: Any, function: str, count: int) -> list[str]:
    return [piece for piece, in db.connection.execute(f"SELECT {function}(%s, %s)", (QUERY, count)).fetchall()]


@pytest.fixture(params=["names", "types"])
def both(db: Any, request: Any) -> Any:
    db.execute("SELECT jsonrow_is_valid('1'::jsonb)")
    db.execute(f"SET jsonrow.header = {request.param}")
    return db


READERS: list[Any] = [("jsonrow_stream", jsonrow.iter_rows), ("jsonrow_stream_lines", jsonrow.iter_lines)]


@pytest.mark.parametrize("function, read", READERS)
@pytest.mark.parametrize("count", [0, 1, 3, 2000])
def test_pieces_of_any_size(both: Any, function: str, read: Any, count: int) -> None:
    expected = jsonrow.decode("".join(pieces(both, "jsonrow_stream", count)))
    assert len(expected) == count
    made = pieces(both, function, count)
    text = "".join(made)
    assert list(read(made)) == expected
    assert list(read([(piece,) for piece in made])) == expected
    assert list(read([{"piece": piece} for piece in made])) == expected
    data = text.encode()
    for size in (1, 2, 7, 1000, 65536, 10**7):
        if size * 3000 > len(text):
            assert list(read(text[i:i + size] for i in range(0, len(text), size))) == expected, size
            assert list(read(data[i:i + size] for i in range(0, len(data), size))) == expected, size


def test_a_file_of_lines(db: Any) -> None:
    text = "".join(pieces(db, "jsonrow_stream_lines", 20))
    rows = list(jsonrow.iter_lines(io.StringIO(text.replace("\n", "\n\n"), newline="\n")))
    assert len(rows) == 20 and rows[4]["text"] == 'é\u2028"5'
    assert rows == list(jsonrow.iter_lines(io.BytesIO(text.encode())))
    assert rows == list(jsonrow.iter_lines([text.removesuffix("\n")]))
    assert rows == list(jsonrow.iter_lines([text.replace("\n", "\r\n")]))


def test_rows_come_with_their_piece(db: Any) -> None:
    reader: Any
    for make, function in ((jsonrow.DocumentReader, "jsonrow_stream"), (jsonrow.LineReader, "jsonrow_stream_lines")):
        reader = make()
        made = pieces(db, function, 3000)
        assert len(made) > 2
        counts = [len(reader.feed(piece)) for piece in made]
        assert min(counts[:-1]) > 100 and sum(counts) == 3000 and reader.close() == []


@pytest.mark.parametrize("function, read", READERS)
def test_streams_that_are_cut_off(db: Any, function: str, read: Any) -> None:
    text = "".join(pieces(db, function, 5)).rstrip("\n")
    for end in range(len(text)):
        found = []
        with pytest.raises(jsonrow.EndedEarlyError) as caught:
            for row in read([text[:end]]):
                found.append(row)
        assert isinstance(caught.value, EOFError) and (caught.value.row, caught.value.offset) == (len(found), end)
    assert len(list(read([text]))) == 5


def test_rows_before_an_error_are_given(db: Any) -> None:
    rows = jsonrow.iter_lines(['{"cols":["a"]}\n[1]\n[2]\n', '[3]\n{"rows":2}\n'])
    assert [next(rows), next(rows)] == [{"a": 1}, {"a": 2}]
    with pytest.raises(jsonrow.DocumentError, match="its last line tells 2 rows, not 3"):
        next(rows)
    rows = jsonrow.iter_lines(['{"cols":["a"]}\n[1]\n', '[3]\n{"rows":3}\n'])
    assert [next(rows), next(rows)] == [{"a": 1}, {"a": 3}]
    with pytest.raises(jsonrow.EndedEarlyError, match="it had 3 rows .row 2, "):
        next(rows)
    for broken in ("1]", "[2", '{"rows":'):
        with pytest.raises(jsonrow.DocumentError, match="a line is not JSON.*[(]row 1[)]$"):
            list(jsonrow.iter_lines(['{"cols":["a"]}\n[1]\n', broken + "\n", '[3]\n{"rows":3}\n']))
    for lines in ('[1]\n[1],[2]\n', '[1]\n{"rows":1}\n[2]\n{"rows":2}\n', '[1]\n[2,3]\n[4]\n{"rows":3}\n'):
        with pytest.raises(jsonrow.DocumentError) as caught:
            list(jsonrow.iter_lines(['{"cols":["a"]}\n', *lines.splitlines(keepends=True)]))
        assert caught.value.row == 1
    for tail in ("[1],]}", "[1][2]]}", "[1],,[2]]}", "[1]]}x", '[1]],"x"', "[1],7]}", "[1],[2,3]]}", "[1],[}]}"):
        with pytest.raises(jsonrow.DocumentError) as caught:
            list(jsonrow.iter_rows(['{"cols":["a"],"rows":[', tail]))
        assert caught.value.row == 1, tail
    with pytest.raises(jsonrow.DocumentError, match="UTF-8"):
        list(jsonrow.iter_lines([b'{"cols":["\xff"]}']))


OBJECTS: list[Any] = [("jsonrow_stream_objects", jsonrow.iter_objects),
                      ("jsonrow_stream_object_lines", jsonrow.iter_object_lines)]


@pytest.mark.parametrize("function, read", OBJECTS)
@pytest.mark.parametrize("count", [0, 1, 3, 2000])
def test_objects_in_pieces_of_any_size(db: Any, function: str, read: Any, count: int) -> None:
    expected = jsonrow.decode("".join(pieces(db, "jsonrow_stream", count)))
    made = pieces(db, function, count)
    text = "".join(made)
    assert len(expected) == count and list(read(made)) == expected
    data = text.encode()
    for size in (1, 2, 7, 1000, 65536, 10**7):
        if size * 3000 > len(text):
            assert list(read(text[i:i + size] for i in range(0, len(text), size))) == expected, size
            assert list(read(data[i:i + size] for i in range(0, len(data), size))) == expected, size


@pytest.mark.parametrize("function, read", OBJECTS)
def test_objects_that_are_cut_off(db: Any, function: str, read: Any) -> None:
    text = "".join(pieces(db, function, 5)).rstrip("\n")
    whole = [end for end in range(len(text)) if text[:end].strip() == "" or text[end] == "\n" or text[end - 1] == "\n"]
    for end in range(len(text)):
        if function == "jsonrow_stream_object_lines" and end in whole:
            assert len(list(read([text[:end]]))) == text[:end + 1].count("\n")
            continue
        found = []
        with pytest.raises(jsonrow.EndedEarlyError) as caught:
            for row in read([text[:end]]):
                found.append(row)
        assert (caught.value.row, caught.value.offset) == (len(found), end)
    assert len(list(read([text]))) == 5


def test_objects_of_classes(db: Any) -> None:
    @dataclasses.dataclass
    class Inner:
        k: int
        t: str

    @dataclasses.dataclass
    class Outer:
        i: int
        inner: list[Inner]
        d: date
        j: Any = None

    for function, read in OBJECTS:
        rows = list(read(pieces(db, function, 2000), Outer))
        assert len(rows) == 2000
        assert rows[4] == Outer(5, [Inner(1, "1")], date(2024, 5, 6), {"a": [1, "]}"]})
        assert rows[3].inner == []
        for into in (Row, Model):
            made = list(read(pieces(db, function, 2000), into))
            assert isinstance(made[4], into) and (made[4].d, made[4].inner[0].t) == (date(2024, 5, 6), "1")
        assert [row.i for row in read(pieces(db, function, 3), tuple)] == [1, 2, 3]


def test_objects_that_do_not_fit() -> None:
    Film = dataclasses.make_dataclass("Film", [("title", str), ("year", Optional[int], None)])
    rows = list(jsonrow.iter_objects(['[{"title": "a"}, {"title": "b", "year": 2}, null]'], Film))
    assert rows == [Film("a"), Film("b", 2), None]
    with pytest.raises(jsonrow.DocumentError, match="no column 'title'"):
        list(jsonrow.iter_object_lines(['{"year": 1}\n'], Film))
    List = dataclasses.make_dataclass("List", [("films", list[Film])])  # type: ignore[valid-type]
    for films in ('[{"year": 1, "title": "a"}, {"title": "b"}]', '[{"title": "a"}, 1]'):
        with pytest.raises(jsonrow.DocumentError, match="in films, an object has not the keys.*row 1"):
            list(jsonrow.iter_objects(['[{"films": []}, {"films": %s}]' % films], List))
    for text in ("[1]", '[{"a": 1}, 2]', '[{"a": 1}]]', '[{"a": 1}]x', '[{"a": 1}{"a": 2}]', '[{"a": 1},,{}]',
                 '{"a": 1}', "x", "[x]"):
        with pytest.raises(jsonrow.DocumentError):
            list(jsonrow.iter_objects([text]))
    for text in ("[1]\n", '{"a": 1}, {"a": 2}\n', '{"a": 1}\n{"a"\n{"a": 2}\n', "x\n"):
        with pytest.raises(jsonrow.DocumentError):
            list(jsonrow.iter_object_lines([text]))
    assert list(jsonrow.iter_objects(['[{"a": 1}', " ", ",", " ", '{"a": 2} ', "] "])) == [{"a": 1}, {"a": 2}]
    assert list(jsonrow.iter_objects(["[ ]"])) == list(jsonrow.iter_object_lines([])) == []


@pytest.mark.parametrize("text", ["x", '{"a":1}\n', "[1]\n", '{"rows":[]}'])
def test_what_is_no_stream(text: str) -> None:
    for read in (jsonrow.iter_rows, jsonrow.iter_lines):
        with pytest.raises(jsonrow.DocumentError):
            list(read([text]))


class K(msgspec.Struct):
    k: int
    t: str


class Row(msgspec.Struct):
    i: int
    d: date
    n: Optional[Decimal]
    inner: list[K]


class KModel(pydantic.BaseModel):
    k: int
    t: str


class Model(pydantic.BaseModel):
    i: int
    d: date
    n: Decimal | None
    inner: list[KModel]


@pytest.mark.parametrize("into", [Row, Model])
def test_structs_and_models(both: Any, into: Any) -> None:
    expected = jsonrow.decode("".join(pieces(both, "jsonrow_stream", 2000)), into)
    for read, function in ((jsonrow.iter_rows, "jsonrow_stream"), (jsonrow.iter_lines, "jsonrow_stream_lines")):
        rows = list(read(pieces(both, function, 2000), into))
        assert [(row.i, row.d, row.inner) for row in rows] == [(row.i, row.d, row.inner) for row in expected]
        assert isinstance(rows[0], into)


def test_copy(db: Any) -> None:
    db.execute("SELECT jsonrow_is_valid('1'::jsonb)")
    for form, read in (("rows", jsonrow.iter_rows), ("lines", jsonrow.iter_lines)):
        with db.connection.cursor().copy(f"COPY film TO STDOUT (FORMAT jsonrow, FORM '{form}')") as copy:
            assert [row["title"] for row in read(copy)] == ["Alien", "Brazil"]


def test_named_cursor() -> None:
    with psycopg.connect() as connection, connection.cursor("pieces") as cursor:
        cursor.itersize = 2
        cursor.execute("SELECT jsonrow_stream_lines(%s, %s)", (QUERY, 3000))
        assert [row["i"] for row in jsonrow.iter_lines(cursor)] == list(range(1, 3001))


def test_asynchronously(db: Any) -> None:
    async def rows(read: Any, made: list[str]) -> list[Any]:
        async def source() -> AsyncIterator[str]:
            for piece in made:
                yield piece
        return [row async for row in read(source())]

    expected = jsonrow.decode("".join(pieces(db, "jsonrow_stream", 2000)))
    assert asyncio.run(rows(jsonrow.aiter_rows, pieces(db, "jsonrow_stream", 2000))) == expected
    assert asyncio.run(rows(jsonrow.aiter_lines, pieces(db, "jsonrow_stream_lines", 2000))) == expected
    assert asyncio.run(rows(jsonrow.aiter_objects, pieces(db, "jsonrow_stream_objects", 2000))) == expected
    assert asyncio.run(rows(jsonrow.aiter_object_lines, pieces(db, "jsonrow_stream_object_lines", 2000))) == expected
    with pytest.raises(EOFError):
        asyncio.run(rows(jsonrow.aiter_objects, ['[{"a": 1},']))
    with pytest.raises(EOFError):
        asyncio.run(rows(jsonrow.aiter_lines, ['{"cols":["a"]}\n[1]\n']))


def test_a_row_of_many_pieces() -> None:
    text = json.dumps({"cols": ["a", "b"], "rows": [["x" * 1000000, 1], ["y" * 1000000, 2]]})
    rows = list(jsonrow.iter_rows(text[i:i + 100] for i in range(0, len(text), 100)))
    assert [(len(row["a"]), row["b"]) for row in rows] == [(1000000, 1), (1000000, 2)]
