"""Documents made here, read by PostgreSQL"""
import enum
import json
import math
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import jsonrow
import msgspec
import pydantic
import pytest


@dataclass
class Film:
    id: int
    title: str


class FilmTuple(NamedTuple):
    id: int
    title: str


class FilmStruct(msgspec.Struct, rename={"number": "id"}):
    number: int
    title: str


class FilmModel(pydantic.BaseModel):
    number: int = pydantic.Field(alias="id")
    title: str


class Colour(enum.Enum):
    RED = "red"


FILMS = [Film(1, "Alien"), FilmTuple(1, "Alien"), FilmStruct(1, "Alien"), FilmModel(id=1, title="Alien"),
         {"id": 1, "title": "Alien"}]


@pytest.mark.parametrize("film", FILMS, ids=lambda film: type(film).__name__)
def test_rows_of_each_kind(db: Any, film: Any) -> None:
    doc = jsonrow.encode([film, None])
    assert doc == '{"cols":["id","title"],"rows":[[1,"Alien"],null]}'
    assert db.value("SELECT jsonrow_to_objects(%s::jsonb)", doc) == [{"id": 1, "title": "Alien"}, None]


def test_cells_by_position() -> None:
    rows = [(1, "a"), None, [2, None]]
    assert jsonrow.encode(rows, ["x", "y"]) == '{"cols":["x","y"],"rows":[[1,"a"],null,[2,null]]}'
    assert jsonrow.encode([], ["x"]) == '{"cols":["x"],"rows":[]}'
    assert jsonrow.encode([]) == '{"cols":[],"rows":[]}'
    with pytest.raises(ValueError, match="has not 2 cells"):
        jsonrow.encode([(1,)], ["x", "y"])


def test_keys_that_differ(db: Any) -> None:
    rows = [{"a": 1, "b": 2}, {"b": 3, "a": 4}, {"c": 5}, None, {}]
    assert jsonrow.encode(rows) == \
        '{"cols":["a","b","c"],"rows":[[1,2,null],[4,3,null],[null,null,5],null,[null,null,null]]}'
    with pytest.raises(TypeError):
        jsonrow.encode([{1: 2}])
    with pytest.raises(TypeError):
        jsonrow.encode([7])
    with pytest.raises(TypeError, match="cannot encode what is of type object"):
        jsonrow.encode([{"a": object()}])


def test_values_of_every_type_arrive(db: Any) -> None:
    db.execute("""CREATE TEMP TABLE v (i int8, n numeric, f float8, b bool, t text, d date, ts timestamp,
        tz timestamptz, ti time, u uuid, by bytea, c text, j jsonb, fs film[], a float8[], x text, iv interval[])""")
    row = {"i": 2**60, "n": Decimal("0.10"), "f": math.nan, "b": True, "t": "é\u2028\"\\\n", "d": date(2024, 5, 1),
           "ts": datetime(2024, 5, 1, 12, 0, 0, 5), "tz": datetime(2024, 5, 1, 12, tzinfo=timezone.utc),
           "ti": time(12, 30), "u": UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), "by": b"\x00\xff", "c": Colour.RED,
           "j": {"a": [1, {"b": None}]}, "fs": [Film(1, "Alien")], "a": [1.5, math.inf, -math.inf], "x": None,
           "iv": [timedelta(3, 4, 5), timedelta(seconds=-0.5), timedelta(microseconds=1)]}
    doc = jsonrow.encode([row])
    db.execute("INSERT INTO v SELECT * FROM jsonrow_populate_recordset(NULL::v, %s::jsonb)", doc)
    sql = "SELECT i, n, f, b, t, d, ts, tz, ti, u, by, c, j, (fs[1]).title, a, x, iv FROM v"
    found = db.connection.execute(sql).fetchone()
    assert math.isnan(found[2])
    assert found[:2] + found[3:] == (
        row["i"], row["n"], True, row["t"], row["d"], row["ts"], row["tz"], row["ti"], row["u"], b"\x00\xff",
        "red", {"a": [1, {"b": None}]}, "Alien", [1.5, math.inf, -math.inf], None, row["iv"])


def test_what_was_decoded_is_encoded(db: Any) -> None:
    db.execute("SELECT jsonrow_is_valid('1'::jsonb)")
    db.execute("SET jsonrow.header = types")
    for sql in ("SELECT jsonrow_agg(f) FROM film f",
                """SELECT jsonrow_agg(t) FROM (
                    SELECT id, (SELECT jsonrow_agg(a) FROM actor a WHERE film_id = f.id) FROM film f) t"""):
        objects = db.value(f"SELECT jsonrow_to_objects(d) FROM ({sql}) q(d)")
        again = db.value("SELECT jsonrow_to_objects(%s::jsonb)", jsonrow.encode(jsonrow.decode(db.text(sql))))
        assert json.dumps(again).replace('"8.5"', "8.5") == json.dumps(objects)
