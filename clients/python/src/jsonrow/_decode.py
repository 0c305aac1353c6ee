"""Documents into lists of objects."""
from __future__ import annotations

import codecs
import gc
import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Optional, TypeVar, Union, overload

from . import _models
from ._errors import DocumentError
from ._plan import Column, Level, Plan, has_decimals, has_numeric, is_model, plan_for

T = TypeVar("T")
Parser = Callable[[Union[str, bytes]], Any]
Document = Union[str, bytes, bytearray, memoryview, dict[str, Any]]

# Of text, bytes or characters: what is parsed at once stays in a processor's cache
PIECE, LONG = 16384, 32768
_decoder = json.JSONDecoder()
_cols = re.compile(r'\s*\{\s*"cols"\s*:\s*')
_member = re.compile(r'\s*,\s*"(types|rows)"\s*:\s*')
_first_row = re.compile(r'\[\s*(?=[\[n])')
_end = re.compile(r'\s*\]\s*\}\s*')


@overload
def decode(
    doc: Document, into: type[dict[str, Any]] = ..., *, loads: Optional[Parser] = ...) -> list[dict[str, Any]]: ...
@overload
def decode(doc: Document, into: type[T], *, loads: Optional[Parser] = ...) -> list[T]: ...
def decode(doc: Document, into: Any = dict, *, loads: Optional[Parser] = None) -> Any:
    """The rows of a document, text or parsed, as objects.

    into: dict; tuple, which gives namedtuples; a dataclass, a NamedTuple, a
    TypedDict, a msgspec.Struct or a pydantic model.  Columns are found by name,
    nested ones too.  A row that is null as a whole is None.
    loads: another parser than json.loads, such as orjson.loads.
    """
    if isinstance(doc, (bytearray, memoryview)):
        doc = bytes(doc)
    if not isinstance(doc, (str, bytes)) or len(doc) < LONG or not gc.isenabled():
        return decode_by(doc, into, loads)
    # It would walk what is made again and again, although nothing of it is garbage.
    gc.disable()
    try:
        return decode_by(doc, into, loads)
    finally:
        gc.enable()


def decode_by(doc: Any, into: Any, loads: Optional[Parser]) -> list[Any]:
    if _models.is_struct(into):
        return _models.decode_structs(doc, into, loads)
    rows = decode_plain(doc, into, loads)
    return _models.validate(rows, into) if is_model(into) else rows


def decode_plain(doc: Any, into: Any, loads: Optional[Parser]) -> list[Any]:
    """By this module itself: of a model, what it is to check"""
    if isinstance(doc, bytes) and loads is None:
        doc = text_of(doc)
    if isinstance(doc, (str, bytes)):
        objects = decode_text(doc, into, loads)
        if objects is not None:
            return objects
    parsed, exact = parse(doc, loads, exact=has_decimals(into))
    plan = plan_for(parsed["cols"], parsed.get("types"), into, exact)
    return plan.fill(rows_of(parsed, copy=parsed is doc))


def text_of(doc: bytes) -> str:
    try:
        return doc.decode()
    except UnicodeDecodeError as error:
        raise DocumentError("the bytes are not UTF-8") from error


def loads(text: Union[str, bytes], into: Any = dict) -> Any:
    """For drivers, in the place of json.loads: of a document its rows, of any
    other JSON what json.loads gives"""
    start = text[:64] if isinstance(text, str) else text[:64].decode(errors="ignore")
    if _cols.match(start):
        try:
            return decode(text, into)
        except DocumentError:
            pass
    return json.loads(text)


def decode_text(text: Any, into: Any, loads: Optional[Parser]) -> Optional[list[Any]]:
    """Text that begins with its header, some rows at a time: what was parsed of one piece is free for
    the next, and near.  None of any other text, of short text, and of what is wrong: it is to be
    parsed as a whole."""
    if len(text) < LONG and loads is not None:
        return None
    head = read_head(text) if isinstance(text, str) else read_head_of_bytes(text)
    if head is None:
        return None
    cols, types, at = head
    plan = plan_for(cols, types, into, loads is None and (has_numeric(types) or has_decimals(into)))
    if loads is None and plan.level.is_nested():
        objects: list[Any] = []
        end = _end.match(text, plan.scan(text, at, objects))
        return objects if end is not None and end.end() == len(text) else None
    if plan.row_end is None or len(text) < LONG:
        return None
    return by_pieces(text, at, plan, loads or plan.decoder.decode)


def by_pieces(text: Any, at: int, plan: Plan, parse: Callable[[Any], Any]) -> Optional[list[Any]]:
    """What ends like a row, but within one, is no JSON when it is parsed: the piece is made longer then."""
    text = text.rstrip()
    begin, end, tail, search = ("[", "]", "]}", re.compile(plan.row_end or "").search) if isinstance(text, str) else (
        b"[", b"]", b"]}", re.compile((plan.row_end or "").encode()).search)
    if not text.endswith(tail):
        return None
    objects: list[Any] = []
    enough = PIECE
    while True:
        found = search(text, at + enough)
        try:
            rows = parse(begin + text[at:found.end() if found else -2] + end)
        except Exception:       # of any parser
            if found is None:
                return None
            enough *= 2
            continue
        objects += plan.fill(rows, len(objects))
        if found is None:
            return objects
        at, enough = text.index(begin, found.end()), PIECE


def read_head(text: str) -> Optional[tuple[list[Any], Any, int]]:
    """cols, types and where the first row begins, of text that begins with
    them; None of any other, and if there is no row"""
    found, types = _cols.match(text), None
    if found is None:
        return None
    try:
        cols, at = _decoder.raw_decode(text, found.end())
        found = _member.match(text, at)
        if found is not None and found[1] == "types":
            types, at = _decoder.raw_decode(text, found.end())
            found = _member.match(text, at)
    except json.JSONDecodeError:
        return None
    if found is None or found[1] != "rows" or not isinstance(cols, list):
        return None
    found = _first_row.match(text, found.end())
    return None if found is None else (cols, types, found.end())


def read_head_of_bytes(text: bytes) -> Optional[tuple[list[Any], Any, int]]:
    """The same, if it is in the first ones"""
    try:
        first, _ = codecs.utf_8_decode(text[:PIECE], "strict", False)
    except UnicodeDecodeError:
        return None
    head = read_head(first)
    return None if head is None else (*head[:2], len(first[:head[2]].encode()))


def parse(doc: Any, loads: Optional[Parser] = None, exact: bool = False) -> tuple[dict[str, Any], bool]:
    """The document as a dict, and whether numbers with a fraction are Decimals,
    as they are if a column or the caller wants such."""
    if not isinstance(doc, (str, bytes)):
        exact = False
    else:
        text = doc if loads is not None or isinstance(doc, str) else text_of(doc)
        try:
            exact = loads is None and (exact or '"numeric' in text and '"types"' in text)
            doc = loads(text) if loads is not None else json.loads(text, parse_float=Decimal if exact else None)
        except Exception as error:
            if not isinstance(error, ValueError) and loads is None:     # RecursionError, for one
                raise
            raise DocumentError(f"the text is not JSON: {error}", offset=getattr(error, "pos", None)) from error
    check_members(doc)
    return doc, exact


def check_members(doc: Any) -> None:
    if not isinstance(doc, dict):
        raise DocumentError("it is not an object")
    if "cols" not in doc:
        raise DocumentError('it has no "cols"')
    if ("rows" in doc) == ("vals" in doc):
        raise DocumentError('it has to have either "rows" or "vals"')
    if len(doc) != 2 + ("types" in doc):
        raise DocumentError("it has a member of another name")
    if not isinstance(doc["rows" if "rows" in doc else "vals"], list):
        raise DocumentError('"rows" or "vals" is not an array')


def rows_of(doc: dict[str, Any], copy: bool = False) -> list[Any]:
    """A list that may be written to"""
    if "rows" in doc:
        return list(doc["rows"]) if copy else doc["rows"]
    try:
        if len(doc["vals"]) != len(doc["cols"]):
            raise ValueError
        return list(zip(*doc["vals"], strict=True))
    except (TypeError, ValueError):
        raise DocumentError('"vals" has not one array per column, all of one length') from None


def columns(doc: Document, *, loads: Optional[Parser] = None) -> list[tuple[str, list[Any]]]:
    """The columns of a document, each with its name and its cells"""
    return [(column.name, cells) for column, cells in typed_columns(doc, loads)]


def typed_columns(doc: Document, loads: Optional[Parser] = None) -> list[tuple[Column, list[Any]]]:
    parsed, exact = parse(bytes(doc) if isinstance(doc, (bytearray, memoryview)) else doc, loads)
    level = Level(parsed["cols"], parsed.get("types"), dict, exact)
    if "rows" in parsed:
        nulls = [None] * len(level.columns)
        rows = [nulls if row is None else row for row in parsed["rows"]]
        try:
            vectors = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in level.columns]
        except (TypeError, ValueError):
            vectors = []
        if len(vectors) != len(level.columns):
            for i, row in enumerate(rows):
                level.row(row, i)
    else:
        rows_of(parsed)
        vectors = parsed["vals"]
    return [(column, [level.cell(i, cell, n) for n, cell in enumerate(vector)]
             if level.children[i] or level.converters[i] else vector)
            for i, (column, vector) in enumerate(zip(level.columns, vectors))]
