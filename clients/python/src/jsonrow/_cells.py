"""What a cell becomes by its type: the table in doc/format.md, "Types".  Or, in a
document without types, by the annotation of a class."""
from __future__ import annotations

import re
import types as python_types
import typing
from collections.abc import Callable, Collection, Iterable, MutableSequence, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Optional, Union
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


def to_float(cell: Any) -> Any:
    """Of text such as "NaN", and where the parser made decimals"""
    return float(cell) if isinstance(cell, (str, Decimal)) else cell


def to_int(cell: Any) -> Any:
    """With jsonrow.big_numbers, an int8 is text."""
    return int(cell) if isinstance(cell, str) else cell


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
BY_ANNOTATION: dict[Any, Optional[Convert]] = {
    int: to_int, float: to_float, Decimal: to_decimal, UUID: UUID, date: date.fromisoformat,
    time: time.fromisoformat, datetime: datetime.fromisoformat, bytes: to_bytes, str: None, bool: None}
LISTS = (list, Sequence, MutableSequence, Collection, Iterable)     # What is a list, too


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


def is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (Union, python_types.UnionType)


def without_none(hint: Any) -> Any:
    """What is annotated, if it is not None"""
    if typing.get_origin(hint) is typing.Annotated:
        return without_none(typing.get_args(hint)[0])
    if is_union(hint):
        others = [choice for choice in typing.get_args(hint) if choice is not type(None)]
        return without_none(others[0]) if len(others) == 1 else hint
    return hint


def is_optional(hint: Any) -> bool:
    if typing.get_origin(hint) is typing.Annotated:
        return is_optional(typing.get_args(hint)[0])
    return is_union(hint) and type(None) in typing.get_args(hint)


def elements(hint: Any) -> Optional[tuple[type, Any]]:
    """Of what lists, or tuples of any length, consist: (list, Actor) for list[Actor]"""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple, arguments[0]
    return (list, arguments[0]) if origin in LISTS else None


def annotated(hint: Any, exact: bool) -> Optional[Convert]:
    """The same as converter, by the annotation"""
    hint = without_none(hint)
    inner = elements(hint)
    if inner is not None:
        convert = annotated(inner[1], exact)
        return None if convert is None else for_arrays(convert)
    try:
        return BY_ANNOTATION[hint]
    except (KeyError, TypeError):       # not known, or not hashable
        return to_floats if exact else None


def for_tuples(convert: Optional[Convert]) -> Convert:
    def to_tuple(cell: Any) -> Any:
        made = cell if convert is None else convert(cell)
        return tuple(made) if isinstance(made, list) else made
    return to_tuple


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
