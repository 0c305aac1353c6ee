"""What a cell becomes by its type: the table in doc/format.md, "Types"."""
from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Optional
from uuid import UUID

Convert = Callable[[Any], Any]

# What a cell that cannot be converted raises.  It stays what it is then.
ERRORS = (TypeError, ValueError, ArithmeticError)


def to_bytes(cell: str) -> bytes:
    if not cell.startswith("\\x"):
        raise ValueError("not the hexadecimal form")
    return bytes.fromhex(cell[2:])


def to_decimal(cell: Any) -> Decimal:
    """Of a float, what it is printed as: the parser has rounded it already."""
    return Decimal(str(cell) if isinstance(cell, float) else cell)


def to_floats(cell: Any) -> Any:
    """The parser was told to make decimals of all numbers with a fraction."""
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, list):
        return [to_floats(element) for element in cell]
    if isinstance(cell, dict):
        return {key: to_floats(value) for key, value in cell.items()}
    return cell


CONVERTERS: dict[str, Convert] = {
    "int8": int, "oid": int, "float4": float, "float8": float, "numeric": to_decimal, "uuid": UUID,
    "date": date.fromisoformat, "time": time.fromisoformat, "timestamp": datetime.fromisoformat,
    "timestamptz": datetime.fromisoformat, "bytea": to_bytes,
}
AS_PARSED = {"bool", "int2", "int4", "text", "varchar", "bpchar", "name", "char", "timetz", "interval", "inet", "cidr",
             "xml", "int2vector"}
# For a document without types: what the class that it is decoded into says
BY_ANNOTATION: dict[Any, str] = {
    Decimal: "numeric", UUID: "uuid", date: "date", time: "time", datetime: "timestamp", bytes: "bytea"}


def base(type_: str) -> str:
    """The name of a type without its modifier, and without the brackets of an array."""
    return re.split(r"[ (\[]", type_)[0]


def is_array(type_: str) -> bool:
    return type_.endswith("[]") or type_ == "oidvector"


def converter(type_: Optional[str], exact: bool) -> Optional[Convert]:
    """None where the cell is right as it was parsed.  exact: numbers with a
    fraction were parsed as Decimal."""
    name = "oid" if type_ == "oidvector" else None if type_ is None else base(type_)
    convert = CONVERTERS.get(name or "")
    if convert is None:
        return to_floats if exact and name not in AS_PARSED else None
    return for_arrays(convert) if type_ is not None and is_array(type_) else convert


def for_arrays(convert: Convert) -> Convert:
    def to_list(cell: Any) -> Any:
        if cell is None:
            return None
        if isinstance(cell, list):
            return [to_list(element) for element in cell]
        try:
            return convert(cell)
        except ERRORS:
            return cell
    return to_list


def or_as_it_is(convert: Convert, cell: Any) -> Any:
    try:
        return convert(cell)
    except ERRORS:
        return cell
