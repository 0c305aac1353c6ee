"""Rows into a document: for jsonrow_populate_recordset, and jsonrow columns."""
from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from itertools import chain
from typing import Any, Optional
from uuid import UUID


def encode(rows: Iterable[Any], cols: Optional[Sequence[str]] = None) -> str:
    """A document of dicts, dataclasses, structs, models or namedtuples; or,
    with the columns' names, of any sequences.

    Of dicts, the columns are the keys of all; what one lacks is null.  What is
    within a cell stays what it is: lists of dicts become arrays of objects.
    """
    rows = list(rows)
    if cols is None:
        dicts = [None if row is None else to_dict(row) for row in rows]
        cols = tuple(dict.fromkeys(chain.from_iterable(row for row in dicts if row is not None)))
        if not all(isinstance(name, str) for name in cols):
            raise TypeError("a column's name is not a string")
        # dict.get for those in another order, or with keys missing
        cells = [None if row is None else
                 list(row.values()) if tuple(row) == cols else list(map(row.get, cols)) for row in dicts]
    else:
        cells = [None if row is None else list(row) for row in rows]
        if any(row is not None and len(row) != len(cols) for row in cells):
            raise ValueError(f"a row has not {len(cols)} cells")
    return dumps({"cols": list(cols), "rows": cells})


def to_dict(row: Any) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if dataclasses.is_dataclass(row) and not isinstance(row, type):
        return {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    if hasattr(row, "__struct_encode_fields__"):
        names = zip(row.__struct_encode_fields__, row.__struct_fields__)
        return {name: getattr(row, field) for name, field in names}
    if hasattr(row, "model_dump"):
        return row.model_dump(by_alias=True)  # type: ignore[no-any-return]
    if hasattr(row, "_asdict"):
        return row._asdict()  # type: ignore[no-any-return]
    raise TypeError(f"cannot encode what is of type {type(row).__name__}")


def dumps(value: Any) -> str:
    """JSON text of any value, such as PostgreSQL reads it"""
    try:
        return write(value)
    except ValueError:      # NaN or infinity, for which JSON has only strings
        return write(without_nan(value))


def write(value: Any) -> str:
    return json.dumps(value, default=to_json, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def to_json(value: Any) -> Any:
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (Decimal, UUID)):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "\\x" + bytes(value).hex()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, timedelta):
        return f"{value.days} days {value.seconds}.{value.microseconds:06} seconds"
    return to_dict(value)


def without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {key: without_nan(element) for key, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(element) for element in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return without_nan(to_json(value))
