"""Into dicts, against what jsonrow_to_objects gives in PostgreSQL"""
import gc
import json
import pickle
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Optional

import jsonrow
import msgspec
import orjson
import pytest
from jsonrow import _decode

NESTED = """(SELECT n.nspname, n.oid::int8, (
    SELECT jsonrow_agg(t) FROM (
        SELECT relname, reltuples, (SELECT jsonrow_agg(a) FROM (
            SELECT attname, attnum, attnotnull FROM pg_attribute WHERE attrelid = c.oid AND attnum < 4) a) AS columns
        FROM pg_class c WHERE relnamespace = n.oid AND oid::int8 % 7 = 0) t) AS tables
    FROM pg_namespace n)"""
TWINS = '{"cols":["a",{"b":["c","c"]},"a"],"rows":[[1,[2,3],4],[5,null,6]]}'
DOCUMENTS = {
    "flat": "SELECT jsonrow_agg(t) FROM (SELECT oid::int, typname, typlen, typbyval FROM pg_type) t",
    "three levels": f"SELECT jsonrow_agg(t) FROM {NESTED} t",
    "composites": """SELECT jsonrow_agg(t) FROM (
        SELECT i, CASE WHEN i <> 2 THEN f END AS f, ROW(i, ROW('x', i)) AS r
        FROM generate_series(1, 3) i, (SELECT id, title FROM film) f) t""",
    "null rows": "SELECT jsonrow_agg(a) FROM film f LEFT JOIN actor a ON a.film_id = f.id",
    "null rows within": """SELECT jsonrow_agg(t) FROM (SELECT title, (
        SELECT jsonrow_agg(a) FROM (VALUES (1), (2)) v(i) LEFT JOIN actor a ON a.id = v.i AND a.film_id = f.id)
        FROM film f) t""",
    "no rows": "SELECT jsonrow_agg(t) FROM film t WHERE false",
    "no rows within": """SELECT jsonrow_agg(t) FROM (
        SELECT 1 AS a, (SELECT jsonrow_agg(f) FROM film f WHERE false) AS b) t""",
    "no columns": "SELECT '{\"cols\":[],\"rows\":[[],null,[]]}'::jsonrow",
    "a header not known": """SELECT
        '{"cols":["a",{"b":[[]]},{"c":[]}],"rows":[[1,[],null],[2,null,null]]}'::jsonrow""",
    "names that repeat": f"SELECT '{TWINS}'::jsonrow",
    "strange names": """SELECT jsonrow_agg(
        '{"",__proto__,constructor,a''b,"x\\"y","\\\\","z {0} {}","é\u2028\U0001f600"}',
        i, i, i, i, i, i, i, i) FROM generate_series(1, 3) i""",
    "unicode": "SELECT jsonrow_agg(t) FROM (SELECT i, chr(i) AS c FROM generate_series(1, 3000) i) t",
    "json cells": """SELECT jsonrow_agg(t) FROM (VALUES
        (1, '{"cols":["x"],"rows":[[1]]}'::jsonb), (2, '[1, 2.50, {"a": null}]'),
        (3, 'null'), (4, NULL)) t(i, j)""",
    "arrays": """SELECT jsonrow_agg(t) FROM (
        SELECT ARRAY[f, f] AS fs, ARRAY[1.5, NULL] AS ns, ARRAY[ARRAY['a']] AS ts FROM film f) t""",
    "whole documents in a cell": """SELECT jsonrow_agg(t) FROM (
        SELECT id, (SELECT jsonrow_agg(a) FROM actor a)::jsonb AS plain FROM film) t""",
    "many columns": "SELECT jsonrow_agg(s) FROM pg_settings s",
    "by column": "SELECT jsoncol_agg(f) FROM film f",
    "by column, nested": f"SELECT jsoncol_agg(t) FROM {NESTED} t",
    "by column, no rows": "SELECT jsoncol_agg(f) FROM film f WHERE false",
    "by column, null rows": "SELECT jsoncol_agg(a) FROM film f LEFT JOIN actor a ON a.film_id = f.id",
}


@pytest.mark.parametrize("sql", DOCUMENTS.values(), ids=DOCUMENTS)
@pytest.mark.parametrize("header", ["names", "types"])
@pytest.mark.parametrize("at_once", [None, 1, 100])
def test_dicts(db: Any, monkeypatch: pytest.MonkeyPatch, at_once: Optional[int], sql: str, header: str) -> None:
    if at_once:     # as of long text, whose pieces have many rows
        monkeypatch.setattr(_decode, "PIECE", at_once)
        monkeypatch.setattr(_decode, "LONG", 0)
    db.execute("SELECT jsonrow_is_valid('1'::jsonb)")   # loads the library
    db.execute(f"SET jsonrow.header = {header}")
    stored = db.text(sql)
    objects = db.value(f"SELECT jsonrow_to_objects(doc) FROM ({sql}) q(doc)")
    parsed = json.loads(stored)
    for text in (stored, json.dumps(parsed, separators=(",", ":")), json.dumps(parsed, indent=1, ensure_ascii=False)):
        if header == "types":
            assert plain(jsonrow.decode(text)) == plain(objects)
            continue
        assert jsonrow.decode(text) == objects
        assert jsonrow.decode(text.encode()) == objects
        assert jsonrow.decode(memoryview(text.encode())) == objects
        assert jsonrow.decode(text, loads=orjson.loads) == objects
        assert jsonrow.decode(text, loads=msgspec.json.decode) == objects
    parsed.pop("types", None)
    before = json.dumps(parsed)
    assert jsonrow.decode(parsed) == objects
    assert json.dumps(parsed) == before     # it is the caller's


def plain(value: Any) -> Any:
    """With floats for all numbers"""
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {key: plain(element) for key, element in value.items()}
    return float(value) if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool) else value


def test_text_of_the_json_aggregates(db: Any) -> None:
    text = db.text(f"SELECT jsonrow_agg_json(t) FROM {NESTED.replace('jsonrow_agg', 'jsonrow_agg_json')} t")
    assert text.startswith('{"cols":["nspname"')
    assert jsonrow.decode(text) == db.value(f"SELECT jsonrow_to_objects(jsonrow_agg(t)) FROM {NESTED} t")


LONG = [(i, [["],[", "x]"], [i, '"'], []][i % 3], f"{i}],[") for i in range(5000)]


@pytest.mark.parametrize("parser", [None, json.loads, orjson.loads, msgspec.json.decode])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_long_text_is_parsed_by_pieces(parser: Any, separators: Any) -> None:
    parsed: list[Any] = []

    def loads(text: Any) -> Any:
        parsed.append(text)
        return parser(text)
    for names, rows in [
            (["a", "b", "c"], LONG), (["a", "b"], [(a, c) for a, b, c in LONG]), (["a", {"b": [["x"]]}, "c"], [
                (a, [[i] for i in b], c) for a, b, c in LONG]),
            (["a", "b", {"c": [["x", {"y": ["z"]}]]}], [(a, b, [[1, [c]], [2, [b]]] * (a % 7)) for a, b, c in LONG])]:
        doc = json.dumps({"cols": names, "rows": rows}, separators=separators)
        expected = jsonrow.decode(json.loads(doc))
        for text in (doc, doc.encode(), f"{doc}\n"):
            assert jsonrow.decode(text, loads=parser and loads) == expected
    assert parser is None or max(map(len, parsed[-3:])) < len(doc)


def test_the_place_of_an_error_in_a_later_piece() -> None:
    for parser in (None, orjson.loads):
        with pytest.raises(jsonrow.DocumentError) as caught:
            jsonrow.decode(json.dumps({"cols": ["a"], "rows": [*[[i] for i in range(9000)], []]}), loads=parser)
        assert caught.value.row == 9000
        with pytest.raises(jsonrow.DocumentError, match="the text is not JSON"):
            jsonrow.decode(json.dumps({"cols": ["a"], "rows": [[i] for i in range(9000)]})[:-3] + "]}", loads=parser)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_paused_only(enabled: bool) -> None:
    @dataclass
    class Row:
        a: int

        def __post_init__(self) -> None:
            assert not gc.isenabled()
            if self.a < 0:
                raise KeyError
    if not enabled:
        gc.disable()
    try:
        assert jsonrow.decode(json.dumps({"cols": ["a"], "rows": [[1]] * 9000}), Row)[-1].a == 1
        assert gc.isenabled() == enabled
        with pytest.raises(KeyError):
            jsonrow.decode(json.dumps({"cols": ["a"], "rows": [[-1]] * 9000}), Row)
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


@pytest.mark.parametrize("members", [
    '"rows": [[1, [[2]]]], "cols": ["a", {"b": [["c"]]}]',
    ' "types" : 7,"cols": ["a", {"b": [["c"]]}], "rows": [[1, [[2]]]]',
    '"co\\u006cs": ["a", {"b": [["c"]]}], "rows": [[1, [[2]]]]',
    '"cols": ["a", {"b": [["c"]]}], "vals": [[1], [[[2]]]]',
    '"cols": ["a", {"b": [["c"]]}], "rows": [[1, [[2]]]], "types": ["x", {"b": ["int4", "y"]}]'])
def test_members_in_any_order(members: str) -> None:
    assert jsonrow.decode("{" + members + "}") == [{"a": 1, "b": [{"c": 2}]}]


def test_the_row_after_a_null_row_and_others_of_each_kind() -> None:
    doc = '{"cols":["a",{"b":[["c"]]}],"rows":[null,[1,null],null , [2,[null,[3]]],[4,[]]]}'
    objects = [None, {"a": 1, "b": None}, None, {"a": 2, "b": [None, {"c": 3}]}, {"a": 4, "b": []}]
    assert jsonrow.decode(doc) == jsonrow.decode(json.loads(doc)) == objects


@pytest.mark.parametrize("doc", [
    "[]", "1", "null", "{}", '{"cols":["a"]}', '{"cols":["a"],"rows":[],"vals":[[]]}',
    '{"cols":["a"],"rows":[],"x":1}',
    '{"cols":1,"rows":[]}', '{"cols":[1],"rows":[]}', '{"cols":[{"a":1}],"rows":[]}', '{"cols":[{}],"rows":[]}',
    '{"cols":[{"a":[["b"],["c"]]}],"rows":[]}', '{"cols":["a"],"rows":1}', '{"cols":["a"],"vals":1}',
    '{"cols":["a"],"vals":[]}', '{"cols":["a","b"],"vals":[[1],[1,2]]}', '{"cols":["a"],"rows":[[1,2]]}',
    '{"cols":["a"],"rows":[[]]}', '{"cols":["a"],"rows":[7]}', '{"cols":[{"a":[["b"]]}],"rows":[[7]]}',
    '{"cols":[{"a":[["b"]]}],"rows":[[[[1,2]]]]}', '{"cols":[{"a":["b"]}],"rows":[[[1,2]]]}'])
def test_what_is_no_document(doc: str) -> None:
    with pytest.raises(jsonrow.DocumentError, match="^not a jsonrow document: "):
        jsonrow.decode(doc)
    with pytest.raises(jsonrow.DocumentError):
        jsonrow.decode(json.loads(doc))


@pytest.mark.parametrize("text", ["", "{", '{"cols":["a"],"rows":[[1]]', '{"cols":[{"a":[["b"]]}],"rows":[[[[1]]],',
                                  '{"cols":[{"a":[["b"]]}],"rows":[[[[1]]]]} x'])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(jsonrow.DocumentError, match="the text is not JSON") as caught:
        jsonrow.decode(text)
    assert isinstance(caught.value.__cause__, json.JSONDecodeError)
    assert caught.value.offset == caught.value.__cause__.pos
    for loads in (orjson.loads, msgspec.json.decode):
        with pytest.raises(jsonrow.DocumentError, match="the text is not JSON"):
            jsonrow.decode(text, loads=loads)
    with pytest.raises(jsonrow.DocumentError, match="the text is not JSON"):
        jsonrow.decode(text, msgspec.defstruct("A", ["a"]))


@pytest.mark.parametrize("doc", [b'{"cols":["a"],"rows":[["\xff"]]}', b'{"cols":["\xff"],"rows":[[1]]}', b"\xff"])
def test_what_is_no_utf8(doc: bytes) -> None:
    for into in (dict, msgspec.defstruct("A", ["a"])):
        with pytest.raises(jsonrow.DocumentError, match="the bytes are not UTF-8"):
            jsonrow.decode(doc, into)
    with pytest.raises(jsonrow.DocumentError, match="the bytes are not UTF-8"):
        jsonrow.columns(doc)


PLACES = [
    ('{"cols":["a","b"],"rows":[[1,2],[1],[1,2]]}', "a row has 1 cells, the header 2 names", 1, None),
    ('{"cols":["a"],"rows":[null,7]}', "a row is not an array", 1, None),
    ('{"cols":["a",{"b":[["c"]]}],"rows":[[1,7]]}', "a nested document is not an array of rows", 0, "b"),
    ('{"cols":["a",{"b":[["c"]]}],"rows":[[1,[]],[1,[[2],null,[]]]]}',
     "a row has 0 cells, the header 1 names", 1, "b[2]"),
    ('{"cols":["a",{"b":[["c",{"d":["e"]}]]}],"rows":[[1,[]],null,[2,[[3,[4]],[5,[6,7]]]]]}',
     "a row has 2 cells, the header 1 names", 2, "b[1].d"),
    ('{"cols":["a",{"b":["c"]}],"vals":[[1,2],[[3],[4,5]]]}', "a row has 2 cells, the header 1 names", 1, "b")]


@pytest.mark.parametrize("doc, reason, row, column", PLACES)
def test_where_an_error_is(doc: str, reason: str, row: int, column: Any) -> None:
    struct = msgspec.defstruct("A", [("a", Any, None), ("b", Any, None)])
    for call in (jsonrow.decode, jsonrow.columns, lambda doc: jsonrow.decode(json.loads(doc)),
                 lambda doc: jsonrow.decode(doc, tuple), lambda doc: jsonrow.decode(doc, struct)):
        with pytest.raises(jsonrow.DocumentError) as caught:
            call(doc)
        error = pickle.loads(pickle.dumps(caught.value))
        assert (error.reason, error.row, error.column) == (reason, row, column)
        place = f"row {row}" + (f", column {column}" if column else "")
        assert str(error) == f"not a jsonrow document: {reason} ({place})"


def test_loads_is_for_any_json() -> None:
    assert jsonrow.loads('{"cols":["a"],"rows":[[1]]}') == jsonrow.loads(b'{"cols":["a"],"rows":[[1]]}') == [{"a": 1}]
    for text in ('{"a":1}', '[1]', '{"cols":1}', '"cols"', '{"cols":["a"],"rows":7}'):
        assert jsonrow.loads(text) == jsonrow.loads(text.encode()) == json.loads(text)


def test_columns() -> None:
    head = '{"cols":["a",{"b":[["c"]]},"a"],"types":["date",{"b":["int8"]},null],'
    doc = head + '"rows":[["2024-05-01",[["7"]],1],null]}'
    expected = [("a", [date(2024, 5, 1), None]), ("b", [[{"c": 7}], None]), ("a", [1, None])]
    assert jsonrow.columns(doc) == expected
    vals = head + '"vals":[["2024-05-01",null],[[["7"]],null],[1,null]]}'
    assert jsonrow.columns(vals) == expected
    assert jsonrow.columns('{"cols":["a","b"],"rows":[]}') == [("a", []), ("b", [])]
    with pytest.raises(jsonrow.DocumentError):
        jsonrow.columns('{"cols":["a"],"rows":[[1],[1,2]]}')


def test_many_headers_do_not_pile_up() -> None:
    for i in range(600):
        assert jsonrow.decode({"cols": [f"c{i}"], "rows": [[i]]}) == [{f"c{i}": i}]
