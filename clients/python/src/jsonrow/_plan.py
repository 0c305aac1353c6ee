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
import typing
from collections import namedtuple
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from json import JSONDecodeError, JSONDecoder, dumps, loads
from typing import Any, Optional

from ._cells import (
    ERRORS, Convert, annotated, converter, elements, for_tuples, is_union, or_as_it_is, to_float, to_int, without_none)
from ._errors import DocumentError

PLAIN, COMPOSITE, NESTED = "plain", "composite", "nested"
DECODERS = {exact: JSONDecoder(parse_float=Decimal if exact else None) for exact in (False, True)}


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
            if not typing.is_typeddict(into) and not is_model(into):
                self.make = into
            self.check_fields()
        self.children: list[Optional[Level]] = []
        self.converters: list[Optional[Convert]] = []
        self.lists: list[type] = []     # of nested columns: tuple or list
        for column in self.columns:
            hint = self.fields[column.name][0] if self.fields and column.name in self.fields else None
            self.lists.append((elements(hint) or (list,))[0])
            child, convert = None, None
            if column.kind != PLAIN:
                child = Level(column.cols, column.type, inner_class(hint, into), exact)
            else:
                convert = converter(column.type, exact) if column.type else annotated(hint, exact)
                convert = for_tuples(convert) if self.lists[-1] is tuple else convert
            self.children.append(child)
            self.converters.append(convert)
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

    def brackets(self) -> int:
        """How many close a row, if there are rows within its last cell"""
        if not self.columns or self.columns[-1].kind == PLAIN:
            return 1
        child = self.children[-1]
        assert child is not None
        return child.brackets() + (2 if self.columns[-1].kind == NESTED else 1)

    def chosen(self) -> list[tuple[str, int]]:
        """The columns that the object has, by name"""
        fields = None if is_model(self.into) else self.fields   # A model knows what is too much.
        return [(name, i) for name, i in self.last.items() if fields is None or name in fields]

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
        return self.lists[i](child.row(cells, index, f"{column}[{n}]") for n, cells in enumerate(cell))


def fields_of(into: Any) -> Optional[dict[str, tuple[Any, bool]]]:
    """(annotation, whether it must be given) of what a class is made of; None
    for dict, tuple and list"""
    if into in (dict, tuple, list):
        return None
    if is_model(into):      # which checks by itself what is missing
        return {name: (without_none(field.annotation), False) for known, field in into.model_fields.items()
                for name in names_of(known, field) if isinstance(name, str)}
    hints = {name: without_none(hint) for name, hint in typing.get_type_hints(into).items()}
    if dataclasses.is_dataclass(into):
        missing = dataclasses.MISSING
        return {field.name: (hints.get(field.name), field.default is missing and field.default_factory is missing)
                for field in dataclasses.fields(into) if field.init}
    if hasattr(into, "_field_defaults"):
        return {name: (hints.get(name), name not in into._field_defaults) for name in into._fields}
    if typing.is_typeddict(into):
        return {name: (hint, name in into.__required_keys__) for name, hint in hints.items()}
    raise TypeError(f"cannot decode into {into!r}")


def names_of(known: str, field: Any) -> list[Any]:
    """Those under which a model takes a field"""
    return [known, field.alias, field.validation_alias, *getattr(field.validation_alias, "choices", [])]


def is_model(into: Any) -> bool:
    return hasattr(into, "model_validate")


def has_fields(hint: Any) -> bool:
    return isinstance(hint, type) and (
        dataclasses.is_dataclass(hint) or hasattr(hint, "_fields") or typing.is_typeddict(hint))


def inner_class(hint: Any, outer: Any) -> Any:
    """What a nested column of a class is: Actor, for list[Actor] or Actor"""
    if outer in (dict, tuple, list):
        return outer
    inner = elements(hint)
    if inner is not None:
        hint = without_none(inner[1])
    if has_fields(hint) or hint in (tuple, list) or is_model(hint) and is_model(outer):
        return hint
    kind = typing.get_origin(hint) or hint
    if isinstance(kind, type) and hint is not Any and not is_union(hint) and not issubclass(dict, kind):
        raise TypeError(f"cannot decode into {hint!r}, within {outer!r}")
    return dict


@lru_cache(maxsize=256)
def has_decimals(into: Any) -> bool:
    """Is there a Decimal in the class, or in one within it? Then a parser must not make floats."""
    seen: set[Any] = set()

    def mentions(hint: Any) -> bool:
        if typing.get_origin(hint) is not None:
            return any(mentions(argument) for argument in typing.get_args(hint))
        if hint is Decimal or not isinstance(hint, type) or hint in seen:
            return hint is Decimal
        seen.add(hint)
        return (has_fields(hint) or is_model(hint)) and \
            any(mentions(inner) for inner, _ in (fields_of(hint) or {}).values())
    return mentions(into)


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
        if level.into is list:
            return "[" + ", ".join(values) + "]"
        if level.make is dict:
            return "{" + ", ".join(f"{name!r}: {values[i]}" for name, i in level.chosen()) + "}"
        make = self.name(level.make)
        if level.into is tuple:
            return f"{make}({', '.join(values)})"
        return f"{make}({', '.join(f'{name}={values[i]}' for name, i in level.chosen())})"

    def cell(self, level: Level, i: int) -> str:
        child, convert = level.children[i], level.converters[i]
        function = None
        if convert is to_int or convert is to_float:    # most often, there is nothing to do
            kind = "int" if convert is to_int else "float"
            return f"c{i} if c{i}.__class__ is {kind} else {self.name(convert)}(c{i})"
        if child is not None:
            function = self.function(child, level.columns[i].kind, level.lists[i])
        elif convert is not None:
            function = self.name(convert)
        return f"c{i}" if function is None else f"None if c{i} is None else {function}(c{i})"

    def function(self, level: Level, kind: str, many: type) -> str:
        made, cells = self.object(level), unpacked(level)
        name = self.name(None)
        if kind == NESTED:
            made = f"[{made} for {cells} in rows]"
            self.lines += [f"def {name}(rows):", f"    return {made if many is list else f'tuple({made})'}"]
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
        self.decoder = DECODERS[exact]
        source.globals.update(parse=self.decoder.raw_decode, slow=self.level.row)
        text = TEMPLATE.replace("OBJECT", source.object(self.level)).replace("CELLS", unpacked(self.level))
        exec("\n".join(source.lines) + text, source.globals)
        self.fill: Callable[..., list[Any]] = source.globals["fill"]
        self.scan: Callable[..., int] = source.globals["scan"]
        # A regular expression of where rows end that others follow; none if nested rows end like them
        brackets = self.level.brackets()
        ambiguous = brackets == 1 and self.level.is_nested()
        self.row_end = None if ambiguous else r"\]{%d}(?=, ?\[)" % brackets


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
