"""Typed headers"""
import json
import math
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import jsonrow
import pytest

ZONE = timezone(timedelta(hours=2))
COLUMNS: dict[str, tuple[str, Any]] = {
    "b": ("true", True),
    "i2": ("7::int2", 7),
    "i4": ("-7::int4", -7),
    "i8": ("9007199254740993::int8", 9007199254740993),
    "n": ("0.10::numeric(10,2)", Decimal("0.10")),
    "digits": ("1234567890123456789012345.123456789::numeric", Decimal("1234567890123456789012345.123456789")),
    "whole": ("12345678901234567890123::numeric", Decimal("12345678901234567890123")),
    "n_inf": ("'-Infinity'::numeric", Decimal("-Infinity")),
    "f4": ("0.1::float4", 0.1),
    "f8": ("1e-7::float8", 1e-7),
    "f_whole": ("3::float8", 3.0),
    "f_inf": ("'-Infinity'::float8", -math.inf),
    "o": ("4000000000::oid", 4000000000),
    "t": ("'1'::text", "1"),
    "v": ("'2024-05-01'::varchar(20)", "2024-05-01"),
    "c": ("'a'::char(3)", "a  "),
    "u": ("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")),
    "by": ("'\\x00ff'::bytea", b"\x00\xff"),
    "d": ("'2024-05-01'::date", date(2024, 5, 1)),
    "d_inf": ("'infinity'::date", "infinity"),
    "d_bc": ("'0044-03-15 BC'::date", "0044-03-15 BC"),
    "d_far": ("'20240-05-01'::date", "20240-05-01"),
    "ti": ("'12:00:00.5'::time", time(12, 0, 0, 500000)),
    "ts": ("'2024-05-01 12:00:00.123456'::timestamp(6)", datetime(2024, 5, 1, 12, 0, 0, 123456)),
    "ts_far": ("'12024-05-01 12:00'::timestamp", "12024-05-01T12:00:00"),
    "ts_bc": ("'0044-03-15 12:00 BC'::timestamp", "0044-03-15T12:00:00 BC"),
    "tz": ("'2024-05-01 12:00+02'::timestamptz", datetime(2024, 5, 1, 12, tzinfo=ZONE)),
    "tz_inf": ("'-infinity'::timestamptz", "-infinity"),
    "iv": ("'1 day'::interval", "1 day"),
    "timetz": ("'12:00+02'::timetz", "12:00:00+02"),
    "range": ("int4range(1, 3)", "[1,3)"),
    "inet": ("'10.0.0.1'::inet", "10.0.0.1"),
    "j": ("'{\"a\": [1.5, 2], \"b\": 9007199254740993}'::jsonb", {"a": [1.5, 2], "b": 9007199254740993}),
    "js": ("'[1.0, \"2\"]'::json", [1.0, "2"]),
    "texts": ("ARRAY['1', NULL]", ["1", None]),
    "dates": ("ARRAY['2024-05-01', 'infinity', NULL]::date[]", [date(2024, 5, 1), "infinity", None]),
    "numbers": ("ARRAY[[1.50, 2], [3, NULL]]", [[Decimal("1.50"), Decimal(2)], [Decimal(3), None]]),
    "floats": ("ARRAY[1, 'NaN'::float8]", None),
    "bigs": ("ARRAY[9007199254740993]", [9007199254740993]),
    "oids": ("'1 2'::oidvector", [1, 2]),
    "nothing": ("NULL::date", None),
    "record": ("ROW(1.5::numeric, date '2024-05-01', NULL::uuid)",
               {"f1": Decimal("1.5"), "f2": date(2024, 5, 1), "f3": None}),
}


@pytest.fixture
def typed(db: Any, request: Any) -> Any:
    db.execute("SELECT jsonrow_is_valid('1'::jsonb)")
    db.execute("SET jsonrow.header = types")
    db.execute("SET timezone = 'Africa/Harare'")
    return db


SELECT = "SELECT " + ", ".join(f'{sql} AS "{name}"' for name, (sql, _) in COLUMNS.items())


@pytest.mark.parametrize("numbers", ["number", "string"])
@pytest.mark.parametrize("aggregate", ["jsonrow_agg", "jsonrow_agg_json", "jsoncol_agg", "jsoncol_agg_json"])
def test_every_type(typed: Any, aggregate: str, numbers: str) -> None:
    typed.execute(f"SET jsonrow.big_numbers = {numbers}")
    text = typed.text(f"SELECT {aggregate}(t.*) FROM ({SELECT}) t")
    outer = typed.text(f"SELECT {aggregate}(o.*) FROM (SELECT (SELECT {aggregate}(t.*) FROM ({SELECT}) t) AS inner) o")
    (row,), (nested,) = jsonrow.decode(text), jsonrow.decode(outer)
    for cells in (row, nested["inner"][0]):
        first, second = cells.pop("floats")
        assert first == 1.0 and math.isnan(second)
        for name, (_, expected) in COLUMNS.items():
            if name != "floats":
                assert cells[name] == expected, name
                assert kinds(cells[name]) == kinds(expected), name


def kinds(value: Any) -> Any:
    return [kinds(element) for element in value] if isinstance(value, list) else type(value)


def test_parsed_documents_keep_what_the_parser_has_left(typed: Any) -> None:
    sql = "SELECT 0.1::numeric AS n, 9007199254740993 AS i, date '2024-05-01' AS d"
    doc = json.loads(typed.text(f"SELECT jsonrow_agg(t) FROM ({sql}) t"))
    assert jsonrow.decode(doc) == [{"n": Decimal("0.1"), "i": 9007199254740993, "d": date(2024, 5, 1)}]


def test_dates_and_times_of_all_years(typed: Any) -> None:
    """Python has the years 1 to 9999; all else stays text."""
    rows = jsonrow.decode(typed.text("""
        SELECT jsonrow_agg(r) FROM (
            SELECT t::date AS d, t, t AT TIME ZONE 'UTC' AS tz, t::time AS ti,
                extract(year FROM t)::int AS year, extract(month FROM t)::int AS month,
                extract(second FROM t) AS second
            FROM (SELECT timestamp '4000-01-01 BC' + i * interval '211 days 5:01:01.25' AS t
                FROM generate_series(0, 30000, 7) i UNION ALL
                SELECT timestamp '200000-01-01' + i * interval '400 days' FROM generate_series(0, 1000) i) s) r"""))
    assert len(rows) > 5000
    for row in rows:
        if 0 < row["year"] < 10000:
            assert row["d"] == row["t"].date() and row["ti"] == row["t"].time()
            assert (row["t"].year, row["t"].month) == (row["year"], row["month"])
            assert row["t"].second + Decimal(row["t"].microsecond) / 1000000 == row["second"]
            assert 1 < row["year"] and row["tz"].astimezone(timezone.utc).replace(tzinfo=None) == row["t"]
        else:
            assert isinstance(row["d"], str) and isinstance(row["t"], str) and isinstance(row["tz"], str)


def test_bytea_in_the_other_form(typed: Any) -> None:
    typed.execute("SET bytea_output = escape")
    assert jsonrow.decode(typed.text("SELECT jsonrow_agg(t) FROM (SELECT 'abcd'::bytea AS b) t")) == [{"b": "abcd"}]


@pytest.mark.parametrize("types", [
    "7", "[]", '["int8"]', '["int8", "date", 1]', '[{"a": 1}, 7]', '[null, {"b": ["date", "x"]}]'])
def test_types_that_do_not_fit_are_passed_over(types: str) -> None:
    rows = '[["x", [["2024"]]]]'
    expected = [{"a": "x", "b": [{"c": "2024"}]}]
    assert jsonrow.decode('{"cols":["a",{"b":[["c"]]}],"types":%s,"rows":%s}' % (types, rows)) == expected
    assert jsonrow.decode('{"cols":["a",{"b":[["c"]]}],"rows":%s,"types":%s}' % (rows, types)) == expected
