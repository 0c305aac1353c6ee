"""Data frames and tables, with the types of the columns"""
import math
from datetime import date, datetime, time, timezone
from decimal import Decimal
from typing import Any

import jsonrow
import pandas
import polars
import pyarrow
import pytest

SQL = """SELECT aggregate(t.*) FROM (SELECT 7::int2 AS i2, 7 AS i4, 9007199254740993 AS i8, 1.5::float4 AS f4,
    0.1::float8 AS f8, true AS b, 'x'::text AS t, 'y'::varchar(3) AS v, 0.10::numeric(10,2) AS n,
    1.25::numeric AS free, date '2024-05-01' AS d, timestamp '2024-05-01 12:00:00.5' AS ts,
    timestamptz '2024-05-01 12:00+02' AS tz, time '12:30' AS ti,
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS u, '\\x00ff'::bytea AS by, '{"a": [1]}'::jsonb AS j,
    ARRAY[1, 2] AS a, ARRAY[date '2024-05-01'] AS da, 5::oid AS o, '1 day'::interval AS iv,
    (SELECT jsonrow_agg(k.*) FROM (SELECT 1 AS x, date '2024-05-02' AS y) k) AS inner
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL::numeric(10,2),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL::jsonrow WHERE nulls) t"""


@pytest.fixture(params=["jsonrow_agg", "jsoncol_agg_json"])
def document(db: Any, request: Any) -> Any:
    db.execute("SELECT jsonrow_is_valid('1'::jsonb)")
    db.execute("SET jsonrow.header = types")
    sql = SQL.replace("aggregate", request.param)
    return lambda nulls: db.text(sql.replace("nulls", str(nulls)).replace("%", "%%"))


NOON = datetime(2024, 5, 1, 10, tzinfo=timezone.utc)
VALUES = {"i2": 7, "i4": 7, "i8": 9007199254740993, "f4": 1.5, "f8": 0.1, "b": True, "t": "x", "v": "y",
          "n": Decimal("0.10"), "free": Decimal("1.25"), "d": date(2024, 5, 1),
          "ts": datetime(2024, 5, 1, 12, 0, 0, 500000), "tz": NOON,
          "ti": time(12, 30), "u": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "by": b"\x00\xff", "j": '{"a": [1]}',
          "a": [1, 2], "da": [date(2024, 5, 1)], "o": 5, "iv": "1 day", "inner": [{"x": 1, "y": date(2024, 5, 2)}]}


def test_polars(document: Any) -> None:
    frame = jsonrow.to_polars(document(True))
    assert dict(frame.schema) == {
        "i2": polars.Int16, "i4": polars.Int32, "i8": polars.Int64, "f4": polars.Float32, "f8": polars.Float64,
        "b": polars.Boolean, "t": polars.String, "v": polars.String, "n": polars.Decimal(10, 2),
        "free": polars.Decimal(38, 2), "d": polars.Date, "ts": polars.Datetime("us"),
        "tz": polars.Datetime("us", "UTC"), "ti": polars.Time,
        "u": polars.String, "by": polars.Binary, "j": polars.String, "a": polars.List(polars.Int64),
        "da": polars.List(polars.Date),
        "o": polars.UInt32, "iv": polars.String,
        "inner": polars.List(polars.Struct({"x": polars.Int32, "y": polars.Date}))}
    assert frame.rows(named=True) == [VALUES, dict.fromkeys(VALUES)]


def test_arrow(document: Any) -> None:
    table = jsonrow.to_arrow(document(True))
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {
        "i2": "int16", "i4": "int32", "i8": "int64", "f4": "float", "f8": "double", "b": "bool", "t": "string",
        "v": "string", "n": "decimal128(10, 2)", "free": "decimal128(3, 2)", "d": "date32[day]", "ts": "timestamp[us]",
        "tz": "timestamp[us, tz=UTC]", "ti": "time64[us]", "u": "string", "by": "binary", "j": "string",
        "a": "list<item: int64>", "da": "list<item: date32[day]>", "o": "uint32", "iv": "string",
        "inner": "list<item: struct<x: int32, y: date32[day]>>"}
    assert table.to_pylist() == [VALUES, dict.fromkeys(VALUES)]


def test_pandas(document: Any) -> None:
    frame = jsonrow.to_pandas(document(True))
    types = {name: str(dtype) for name, dtype in frame.dtypes.items()}
    assert types == {
        "i2": "Int16", "i4": "Int32", "i8": "Int64", "f4": "Float32", "f8": "Float64", "b": "boolean", "t": types["t"],
        "v": types["t"], "n": "object", "free": "object", "d": "datetime64[us]", "ts": "datetime64[us]",
        "tz": "datetime64[us, UTC]", "ti": "object", "u": "object", "by": "object", "j": "object", "a": "object",
        "da": "object", "o": "UInt32", "iv": types["t"], "inner": "object"}
    assert types["t"] in ("string", "str")
    first, second = frame.to_dict("records")
    assert first["i8"] == 9007199254740993 and first["n"] == Decimal("0.10")
    assert first["d"] == pandas.Timestamp("2024-05-01")
    assert first["tz"] == pandas.Timestamp(NOON) and first["ti"] == time(12, 30) and first["inner"] == VALUES["inner"]
    assert first["j"] == {"a": [1]} and first["by"] == b"\x00\xff" and first["a"] == [1, 2]
    assert frame.loc[1, [name for name in types if name != "inner"]].isna().all() and second["inner"] is None
    assert str(jsonrow.to_pandas(document(False)).dtypes["f8"]) == "float64"


def test_without_types(db: Any) -> None:
    for aggregate in ("jsonrow_agg", "jsoncol_agg"):
        doc = db.text(f"SELECT {aggregate}(f ORDER BY id) FROM film f")
        assert jsonrow.to_polars(doc).equals(jsonrow.to_polars(doc.encode()))
        assert jsonrow.to_polars(doc).rows() == [(1, "Alien", 1979, 8.5), (2, "Brazil", 1985, None)]
        assert jsonrow.to_arrow(doc).to_pydict() == {
            "id": [1, 2], "title": ["Alien", "Brazil"], "year": [1979, 1985], "rating": [8.5, None]}
        frame = jsonrow.to_pandas(doc)
        assert frame["year"].sum() == 3964
        assert str(frame.dtypes["id"]) == "int64" and str(frame.dtypes["rating"]) == "float64"


STRANGE = """{"cols":["d","n","i","f","x","x"],"types":["date","numeric(5,2)","int4","float8",null,"int4"],
    "rows":[["infinity","NaN",1,"NaN",{"a":1},1],["2024-05-01","0.10",null,1.5,[2],2],null]}"""


def test_values_that_no_column_can_hold() -> None:
    frame = jsonrow.to_polars(STRANGE)
    assert frame["d"].to_list() == ["infinity", "2024-05-01", None] and frame["n"].to_list() == ["NaN", "0.10", None]
    assert frame["x"].to_list() == [1, 2, None]     # the last one of the name
    table = jsonrow.to_arrow(STRANGE)
    assert table.column(0).to_pylist() == ["infinity", "2024-05-01", None]
    assert table.column_names == ["d", "n", "i", "f", "x", "x"]
    assert table.column(1).to_pylist() == ["NaN", "0.10", None]
    assert math.isnan(table.column(3).to_pylist()[0])
    assert table.column(4).to_pylist() == ['{"a": 1}', "[2]", None]
    pandas_frame = jsonrow.to_pandas(STRANGE)
    assert list(pandas_frame.columns) == ["d", "n", "i", "f", "x", "x"]
    assert pandas_frame["d"].tolist()[:2] == ["infinity", date(2024, 5, 1)]


def test_no_rows_have_types_too(db: Any) -> None:
    db.execute("SELECT jsonrow_is_valid('1'::jsonb)")
    db.execute("SET jsonrow.header = types")
    doc = db.text("SELECT jsonrow_agg(f) FROM film f WHERE false")
    assert jsonrow.to_polars(doc).schema == jsonrow.to_polars(db.text("SELECT jsonrow_agg(f) FROM film f")).schema
    types = [str(field.type) for field in jsonrow.to_arrow(doc).schema]
    assert types == ["int32", "string", "int32", "decimal128(3, 1)"]
    assert str(jsonrow.to_pandas(doc).dtypes["id"]) == "Int32"
    assert jsonrow.to_pandas('{"cols":["a"],"rows":[]}').columns.tolist() == ["a"]
    assert pyarrow.Table.equals(jsonrow.to_arrow('{"cols":[],"rows":[]}'), pyarrow.table({}))
