"""Documents into data frames.  The libraries are imported when they are used.

With a typed header each column gets the type that corresponds; otherwise, and
where values don't fit ("infinity" for a date), the library infers one from the
values.
"""
from __future__ import annotations

import re
from decimal import Decimal
from json import dumps
from typing import TYPE_CHECKING, Any, Callable, Optional

from ._cells import base, is_array
from ._decode import Document, Parser, typed_columns
from ._plan import COMPOSITE, PLAIN, Column, columns_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

TEXT = {"text", "varchar", "bpchar", "name", "char", "uuid", "timetz", "interval", "inet", "cidr", "macaddr", "xml"}


def to_pandas(doc: Document, *, loads: Optional[Parser] = None) -> pandas.DataFrame:
    """A DataFrame.  Integers and booleans are of the nullable types.  numeric,
    uuid, bytea, time and nested columns hold Python objects."""
    import pandas as pd
    types = {"int2": "Int16", "int4": "Int32", "int8": "Int64", "oid": "UInt32", "float4": "Float32",
             "float8": "Float64", "bool": "boolean", **dict.fromkeys(TEXT - {"uuid"}, "string")}

    def series(column: Column, cells: list[Any]) -> Any:
        type_ = plain_type(column)
        if column.kind != PLAIN or type_ is None or is_array(type_):
            return pd.Series(cells, dtype=None if column.kind == PLAIN and type_ is None else object)
        try:
            if base(type_) in ("date", "timestamp", "timestamptz"):
                if any(isinstance(cell, str) for cell in cells):
                    return pd.Series(cells, dtype=object)
                zone = {"utc": True} if base(type_) == "timestamptz" else {}
                return pd.Series(pd.to_datetime(pd.Series(cells, dtype=object), **zone)).dt.as_unit("us")
            if base(type_) in ("float4", "float8"):     # NaN is not null
                return pd.Series(cells, dtype=types[base(type_)].lower() if None not in cells else types[base(type_)])
            return pd.Series(cells, dtype=types.get(base(type_), object))
        except (TypeError, ValueError, OverflowError):
            return pd.Series(cells, dtype=object)

    columns = typed_columns(doc, loads)
    frame = pd.DataFrame({i: series(column, cells) for i, (column, cells) in enumerate(columns)})
    return frame.set_axis([column.name for column, _ in columns], axis=1)


def to_polars(doc: Document, *, loads: Optional[Parser] = None) -> polars.DataFrame:
    """A DataFrame.  Nested columns are structs and lists of them.  Of columns
    of the same name the last counts, for polars has one of each name only."""
    import polars as pl

    class Types(Library):
        simple = {"int2": pl.Int16, "int4": pl.Int32, "int8": pl.Int64, "oid": pl.UInt32, "float4": pl.Float32,
                  "float8": pl.Float64, "bool": pl.Boolean, "date": pl.Date, "time": pl.Time, "bytea": pl.Binary,
                  "timestamp": pl.Datetime("us"), "timestamptz": pl.Datetime("us", "UTC"),
                  **dict.fromkeys(TEXT, pl.String)}
        list_of = pl.List

        def struct(self, fields: dict[str, Any]) -> Any:
            return pl.Struct([pl.Field(name, type_) for name, type_ in fields.items()])

        def decimal(self, precision: int, scale: int) -> Any:
            return pl.Decimal(precision, scale) if precision <= 38 else None

    types, series = Types(), {}
    for column, cells in typed_columns(doc, loads):
        cells = as_text(column, cells)
        type_ = types.of(column)
        try:
            series[column.name] = pl.Series(column.name, cells, dtype=type_)
        except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
            series[column.name] = pl.Series(column.name, printed(cells), dtype=pl.String)
    return pl.DataFrame(list(series.values()))


def to_arrow(doc: Document, *, loads: Optional[Parser] = None) -> pyarrow.Table:
    """A Table.  Nested columns are structs and lists of them."""
    import pyarrow as pa

    class Types(Library):
        simple = {"int2": pa.int16(), "int4": pa.int32(), "int8": pa.int64(), "oid": pa.uint32(),
                  "float4": pa.float32(), "float8": pa.float64(), "bool": pa.bool_(), "date": pa.date32(),
                  "time": pa.time64("us"), "bytea": pa.binary(), "timestamp": pa.timestamp("us"),
                  "timestamptz": pa.timestamp("us", "UTC"), **dict.fromkeys(TEXT, pa.string())}
        list_of = staticmethod(pa.list_)

        def struct(self, fields: dict[str, Any]) -> Any:
            return pa.struct(list(fields.items()))

        def decimal(self, precision: int, scale: int) -> Any:
            return pa.decimal128(precision, scale) if precision <= 38 else \
                pa.decimal256(precision, scale) if precision <= 76 else None

    types, arrays, names = Types(), [], []
    for column, cells in typed_columns(doc, loads):
        cells = as_text(column, cells)
        try:
            array = pa.array(cells, type=types.of(column))
        except (TypeError, ValueError, OverflowError, pa.ArrowException):
            array = pa.array(printed(cells), type=pa.string())
        arrays.append(array)
        names.append(column.name)
    return pa.Table.from_arrays(arrays, names=names)


class Library:
    """The types of a library that has lists and structs.  None: to be inferred"""

    simple: dict[str, Any]
    list_of: Callable[[Any], Any]

    def struct(self, fields: dict[str, Any]) -> Any:
        raise NotImplementedError

    def decimal(self, precision: int, scale: int) -> Any:
        raise NotImplementedError

    def of(self, column: Column) -> Any:
        if column.kind == PLAIN:
            return self.plain(column.type)
        fields = {inner.name: self.of(inner) for inner in columns_of(column.cols, column.type)}
        if not fields or None in fields.values():
            return None
        struct = self.struct(fields)
        return struct if column.kind == COMPOSITE else self.list_of(struct)

    def plain(self, type_: Optional[str]) -> Any:
        if type_ is None or type_ == "oidvector":
            return None
        if type_.endswith("[]"):
            return None     # of how many dimensions, the values tell
        modifier = re.fullmatch(r"numeric\((\d+),(\d+)\)", type_)
        return self.decimal(int(modifier[1]), int(modifier[2])) if modifier else self.simple.get(base(type_))


def plain_type(column: Column) -> Optional[str]:
    return column.type if column.kind == PLAIN else None


def as_text(column: Column, cells: list[Any]) -> list[Any]:
    """The text of cells that the libraries have no type for: those of json are
    not of one kind, and no decimal is NaN."""
    type_ = plain_type(column) or ""
    if base(type_) in ("json", "jsonb", "uuid"):
        return printed(cells)
    if base(type_) == "numeric" and any(isinstance(cell, Decimal) and not cell.is_finite() for cell in cells):
        return printed(cells)
    return cells


def printed(cells: list[Any]) -> list[Optional[str]]:
    return [cell if cell is None or isinstance(cell, str) else
            dumps(cell, default=str, ensure_ascii=False) if isinstance(cell, (list, dict)) else str(cell)
            for cell in cells]
