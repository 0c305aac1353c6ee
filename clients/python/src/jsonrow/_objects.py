"""Rows that come as objects, with their names: into the classes that documents
are read into."""
from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from itertools import groupby
from json import JSONDecodeError
from typing import Any, Optional

from . import _models
from ._cells import elements, without_none
from ._errors import DocumentError
from ._plan import DECODERS, fields_of, has_decimals, has_fields, is_model, plan_for

_separator = re.compile(r"\s*,\s*")


def is_exact(into: Any) -> bool:
    """Are numbers with a fraction to be parsed as Decimals? What is checked by a library is made of floats."""
    return not is_model(into) and not _models.is_struct(into) and has_decimals(into)


def scan(text: str, at: int, objects: list[Any], first: int, exact: bool) -> int:
    """Adds the objects that begin here to the list; tells where the last whole one ends."""
    parse = DECODERS[exact].raw_decode
    while True:
        try:
            value, end = parse(text, at)
        except JSONDecodeError:
            return at
        objects += checked([value], first + len(objects))
        found = _separator.match(text, end)
        if found is None:
            return end
        at = found.end()


def checked(values: list[Any], first: int) -> list[Any]:
    for i, value in enumerate(values):
        if value is not None and not isinstance(value, dict):
            raise DocumentError("a row is not an object", first + i)
    return values


def made(objects: list[Any], into: Any, first: int) -> list[Any]:
    """Instances of the class.  Objects with the same keys have one header."""
    if into is dict:
        return objects
    if is_model(into):
        return _models.validate(objects, into)
    result: list[Any] = []
    for keys, run in groupby(objects, keys_of):
        values = list(run)
        result += values if keys is None else made_of(values, list(keys), into, first + len(result))
    return result


def keys_of(value: Optional[dict[str, Any]]) -> Optional[tuple[str, ...]]:
    return None if value is None else tuple(value)


def made_of(objects: list[Any], names: list[str], into: Any, first: int) -> list[Any]:
    columns = [Column(name, objects, nested_class(into, name)) for name in names]
    rows = []
    for i, value in enumerate(objects):
        try:
            rows.append([column.cell(value[column.name]) for column in columns])
        except DocumentError as error:
            raise DocumentError(error.reason, first + i) from None
    cols = [column.header for column in columns]
    if _models.is_struct(into):
        return _models.decode_structs({"cols": cols, "rows": rows}, into, None)
    return plan_for(cols, None, into, is_exact(into)).fill(rows, first)


class Column:
    """What a member is in a header.  It is nested only if the class says so: what
    else is an object or an array is a value of json."""

    def __init__(self, name: str, objects: list[Any], nested: Any):
        self.name, self.header = name, typing.cast(Any, name)
        self.columns: Optional[list[Column]] = None
        self.many = False
        if nested is None:
            return
        self.many, inner = nested
        inside = list(values_in([value[name] for value in objects]))
        if not inside:
            return      # null, or no rows: a plain cell is the same
        self.columns = [Column(key, [value for value in inside if key in value], nested_class(inner, key))
                        for key in inside[0]]
        header = [column.header for column in self.columns]
        self.header = {name: [header] if self.many else header}

    def cell(self, value: Any) -> Any:
        if self.columns is None or value is None:
            return value
        if not self.many:
            return self.row(value)
        if not isinstance(value, list):
            raise DocumentError(f"{self.name} is not an array of objects")
        return [self.row(one) for one in value]

    def row(self, value: Any) -> Any:
        assert self.columns is not None
        if value is None:
            return None
        if not isinstance(value, dict) or list(value) != [column.name for column in self.columns]:
            raise DocumentError(f"in {self.name}, an object has not the keys of the first")
        return [column.cell(value[column.name]) for column in self.columns]


def values_in(cells: list[Any]) -> Iterator[dict[str, Any]]:
    for cell in cells:
        for value in cell if isinstance(cell, list) else [cell]:
            if isinstance(value, dict):
                yield value


def nested_class(into: Any, name: str) -> Optional[tuple[bool, Any]]:
    """(Is it a list of them?, the class) if the member is read into one"""
    hint = fields_in(into).get(name)
    many = elements(hint)
    inner = without_none(many[1]) if many else hint
    return (many is not None, inner) if fields_in(inner) else None


def fields_in(into: Any) -> dict[str, Any]:
    """Of what a class is made of; none if it is not one of objects"""
    if _models.is_struct(into):
        hints = typing.get_type_hints(into)
        names = zip(into.__struct_encode_fields__, into.__struct_fields__)
        return {encoded: without_none(hints[name]) for encoded, name in names}
    if not has_fields(into):
        return {}
    return {name: hint for name, (hint, _) in (fields_of(into) or {}).items()}
