"""How rows become objects: a function that is compiled once for a header.

A level is one HEADER: the outermost one, or that of a nested column.  From the
levels Python source is made that takes a row's cells apart and makes an object
of them, in one expression.  Rows that it cannot take (null rows, "infinity" for
a date, wrong widths) raise an error within it, and go the slow way, by
Level.row, one by one.
"""
from __future__ import annotations

import dataclasses
import re
import types as python_types
import typing
from collections import namedtuple
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from json import JSONDecodeError, JSONDecoder, dumps, loads
from typing import Any, Optional, Union

from ._cells import BY_ANNOTATION, ERRORS, Convert, converter, or_as_it_is
from ._errors import DocumentError

PLAIN, COMPOSITE, NESTED = "plain", "composite", "nested"


@dataclasses.dataclass
class Column:
    name: str
    kind: str
    type: Any               # as the document tells it
    cols: Any = None        # of a nested column


def columns_of(cols: Any, types: Any) -> list[Column]:
    """A HEADER, with its TYPES where they fit."""
    if not isinstance(cols, list):
        raise DocumentError('"cols" is not an array')
    if not isinstance(types, list) or len(types) != len(cols):
        types = [None] * len(cols)
    return [column_of(name, type_) for name, type_ in zip(cols, types)]


def column_of(name: Any, type_: Any) -> Column:
    if isinstance(name, str):
        return Column(name, PLAIN, type_ if isinstance(type_, str) else None)
    if not isinstance(name, dict) or len(name) != 1:
        raise DocumentError(f"{name!r} is no column's name")
    (key, inner), = name.items()
    if isinstance(type_, dict) and len(type_) == 1:
        type_, = type_.values()
    if not isinstance(inner, list):
        raise DocumentError(f"the header of column {key!r} is not an array")
    if inner and isinstance(inner[0], list):
        if len(inner) > 1:
            raise DocumentError(f"column {key!r} has two headers")
        return Column(key, NESTED, type_, inner[0])
    return Column(key, COMPOSITE, type_, inner)


class Level:
    """One HEADER, and what becomes of its rows."""

    def __init__(self, cols: Any, types: Any, into: Any, exact: bool):
        self.columns = columns_of(cols, types)
        self.into = into
        self.fields = fields_of(into)
        self.make: Callable[..., Any] = dict
        self.names: list[str] = [column.name for column in self.columns]
        if into is tuple:
            self.make = namedtuple("Row", self.names, rename=True)  # type: ignore[misc]
        elif self.fields is not None:
            self.make = into
            self.check_fields()
        self.children: list[Optional[Level]] = []
        self.converters: list[Optional[Convert]] = []
        for column in self.columns:
            hint = self.fields[column.name][0] if self.fields and column.name in self.fields else None
            self.children.append(None if column.kind == PLAIN else
                                 Level(column.cols, column.type, inner_class(hint, into), exact))
            self.converters.append(None if column.kind != PLAIN else
                                   converter(column.type or BY_ANNOTATION.get(hint), exact))
        # A name that comes again counts, as in PostgreSQL's to_jsonb.
        self.last = {name: i for i, name in enumerate(self.names)}

    def check_fields(self) -> None:
        assert self.fields is not None
        missing = [name for name, (_, needed) in self.fields.items() if needed and name not in self.names]
        if missing and self.columns:    # without any, its header is not known
            raise DocumentError(f"it has no column {', '.join(map(repr, missing))}, "
                                f"which {self.into.__name__} needs")

    def is_nested(self) -> bool:
        return any(column.kind != PLAIN for column in self.columns)

    def chosen(self) -> list[tuple[str, int]]:
        """The columns that the object has, by name"""
        return [(name, i) for name, i in self.last.items() if self.fields is None or name in self.fields]

    def row(self, cells: Any, index: Optional[int] = None, column: Optional[str] = None) -> Any:
        """The slow way, for any row; with its place, for errors"""
        if cells is None:
            return None
        if not isinstance(cells, (list, tuple)):
            raise DocumentError("a row is not an array", index, column)
        if len(cells) != len(self.columns):
            raise DocumentError(f"a row has {len(cells)} cells, the header {len(self.columns)} names", index, column)
        values = [self.cell(i, cell, index, column) for i, cell in enumerate(cells)]
        if self.into is list:
            return values
        if self.into is tuple:
            return self.make(*values)
        return self.make(**{name: values[i] for name, i in self.chosen()})

    def cell(self, i: int, cell: Any, index: Optional[int] = None, outer: Optional[str] = None) -> Any:
        child, convert = self.children[i], self.converters[i]
        if cell is None:
            return None
        if child is None:
            return cell if convert is None else or_as_it_is(convert, cell)
        column = self.names[i] if outer is None else f"{outer}.{self.names[i]}"
        if self.columns[i].kind == COMPOSITE:
            return child.row(cell, index, column)
        if not isinstance(cell, list):
            raise DocumentError("a nested document is not an array of rows", index, column)
        return [child.row(cells, index, f"{column}[{n}]") for n, cells in enumerate(cell)]


def fields_of(into: Any) -> Optional[dict[str, tuple[Any, bool]]]:
    """(annotation, whether it must be given) of what a class is made of; None
    for dict, tuple and list"""
    if into in (dict, tuple, list):
        return None
    hints = {name: without_none(hint) for name, hint in typing.get_type_hints(into).items()}
    if dataclasses.is_dataclass(into):
        missing = dataclasses.MISSING
        return {field.name: (hints.get(field.name), field.default is missing and field.default_factory is missing)
                for field in dataclasses.fields(into) if field.init}
    if hasattr(into, "_field_defaults"):
        return {name: (hints.get(name), name not in into._field_defaults) for name in into._fields}
    raise TypeError(f"cannot decode into {into!r}")


def without_none(hint: Any) -> Any:
    if typing.get_origin(hint) in (Union, python_types.UnionType):
        others = [choice for choice in typing.get_args(hint) if choice is not type(None)]
        return without_none(others[0]) if len(others) == 1 else hint
    return hint


def inner_class(hint: Any, outer: Any) -> Any:
    """What a nested column of a class is: Actor, for list[Actor] or Actor"""
    if outer in (dict, tuple, list):
        return outer
    if typing.get_origin(hint) in (list, Sequence):
        hint = without_none(typing.get_args(hint)[0])
    if isinstance(hint, type) and (dataclasses.is_dataclass(hint) or hasattr(hint, "_fields")):
        return hint
    return hint if hint in (tuple, list) else dict


class Source:
    """Python source of a level and those in it.  Names out of a document stand
    in it as literals only, as repr writes them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.globals: dict[str, Any] = {"ERRORS": ERRORS, "JSONDecodeError": JSONDecodeError,
                                        "separator": re.compile(r"[ \t\n\r]*,[ \t\n\r]*").match}
        self.count = 0

    def name(self, value: Any) -> str:
        self.count += 1
        name = f"x{self.count}"
        self.globals[name] = value
        return name

    def object(self, level: Level) -> str:
        """The expression that makes an object of the cells c0, c1, ..."""
        values = [self.cell(level, i) for i in range(len(level.columns))]
        if level.into is dict:
            return "{" + ", ".join(f"{name!r}: {values[i]}" for name, i in level.chosen()) + "}"
        if level.into is list:
            return "[" + ", ".join(values) + "]"
        make = self.name(level.make)
        if level.into is tuple:
            return f"{make}({', '.join(values)})"
        return f"{make}({', '.join(f'{name}={values[i]}' for name, i in level.chosen())})"

    def cell(self, level: Level, i: int) -> str:
        child, convert = level.children[i], level.converters[i]
        function = None
        if child is not None:
            function = self.function(child, level.columns[i].kind)
        elif convert is not None:
            function = self.name(convert)
        return f"c{i}" if function is None else f"None if c{i} is None else {function}(c{i})"

    def function(self, level: Level, kind: str) -> str:
        made, cells = self.object(level), unpacked(level)
        name = self.name(None)
        if kind == NESTED:
            self.lines += [f"def {name}(rows):", f"    return [{made} for {cells} in rows]"]
        else:
            self.lines += [f"def {name}(row):", f"    {cells} = row", f"    return {made}"]
        return name


def unpacked(level: Level) -> str:
    return "(" + "".join(f"c{i}, " for i in range(len(level.columns))) + ")"


# fill puts objects in the place of rows: what a row took is free for the next
# ones, and there is less for the garbage collector to walk.  scan parses row by
# row, for the same reason; it gives the place after the last row that is whole.
TEMPLATE = """
def fill(rows, first=0):
    numbered = enumerate(rows)
    while True:
        try:
            for i, CELLS in numbered:
                rows[i] = OBJECT
            return rows
        except ERRORS:
            rows[i] = slow(rows[i], first + i)

def scan(text, at, objects, first=0):
    add = objects.append
    while True:
        try:
            while True:
                row, end = parse(text, at)
                CELLS = row
                add(OBJECT)
                at = end
                next = text[at:at + 2]
                if next == ",[":
                    at += 1
                else:
                    found = separator(text, at)
                    if found is None:
                        return at
                    at = found.end()
        except JSONDecodeError:
            return at
        except ERRORS:
            add(slow(row, first + len(objects)))
            found = separator(text, end)
            if found is None:
                return end
            at = found.end()
"""


class Plan:
    """The compiled functions for one header and one kind of object."""

    def __init__(self, cols: Any, types: Any, into: Any, exact: bool):
        self.level = Level(cols, types, into, exact)
        source = Source()
        self.parse_float = Decimal if exact else None
        decoder = JSONDecoder(parse_float=self.parse_float)
        source.globals.update(parse=decoder.raw_decode, slow=self.level.row)
        text = TEMPLATE.replace("OBJECT", source.object(self.level)).replace("CELLS", unpacked(self.level))
        exec("\n".join(source.lines) + text, source.globals)
        self.fill: Callable[..., list[Any]] = source.globals["fill"]
        self.scan: Callable[..., int] = source.globals["scan"]


@lru_cache(maxsize=256)
def cached_plan(header: str, into: Any, exact: bool) -> Plan:
    cols, types = loads(header)
    return Plan(cols, types, into, exact)


def plan_for(cols: Any, types: Any, into: Any, exact: bool) -> Plan:
    try:
        return cached_plan(dumps([cols, types]), into, exact)
    except RecursionError:
        raise DocumentError("the document's header is nested too deeply for Python") from None


def has_numeric(types: Any) -> bool:
    """Does any column hold values of numeric, at any depth?"""
    return '"numeric' in dumps(types)
