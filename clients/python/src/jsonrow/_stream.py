"""Rows of a stream, as its pieces come."""
from __future__ import annotations

import codecs
import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, Generic, Optional, TypeVar, overload

from . import _models, _objects
from ._decode import read_head
from ._errors import DocumentError, EndedEarlyError
from ._plan import DECODERS, Plan, has_decimals, has_numeric, is_model, plan_for

T = TypeVar("T")
Piece = Any     # str, bytes, or a row of a cursor, whose first column is one

_end = re.compile(r"\s*\]\s*\}\s*\Z")
_empty = re.compile(r'"rows"\s*:\s*\[\s*\]\s*\}\s*\Z')
_array_end = re.compile(r"\s*\]\s*\Z")
_empty_array = re.compile(r"\A\s*\[\s*\]\s*\Z")
_first_object = re.compile(r"\s*\[\s*(?=[{n])")
_string = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)', re.S)
_separator = re.compile(r"\s*,\s*")


class Reader(Generic[T]):
    """What both readers have.  feed gives the rows that are whole by now; close
    gives the last ones, and raises an error if the stream was cut off."""

    def __init__(self, into: Any = dict):
        self.into = into
        self.plan: Optional[Plan] = None
        self.cols: Any = None
        self.types: Any = None
        self.waiting: list[str] = []    # pieces that end within a row
        self.ended = False
        self.lacks = "its end is missing"
        self.count = 0                  # of rows
        self.length = 0                 # of the text
        self.utf8 = codecs.getincrementaldecoder("utf-8")()

    def feed(self, piece: Piece) -> list[T]:
        """Takes the next piece; gives the rows that are whole by it."""
        if isinstance(piece, Mapping):      # as with dict_row
            piece = next(iter(piece.values()))
        elif not isinstance(piece, (str, bytes, bytearray, memoryview)):
            piece = piece[0]
        try:
            text = piece if isinstance(piece, str) else self.utf8.decode(bytes(piece))
        except UnicodeDecodeError as error:
            raise DocumentError("the bytes are not UTF-8", self.count) from error
        self.length += len(text)
        self.waiting.append(text)
        return self.made(self.take()) if self.has_rows(text) else []

    def close(self) -> list[T]:
        """After the last piece: gives the rows that are left.  EndedEarlyError if some are missing"""
        rows = self.rest()
        self.check()
        return rows

    def rest(self) -> list[T]:
        """The rows of what waits, if no more pieces come"""
        return self.made(self.take(last=True))

    def check(self) -> None:
        if not self.ended:
            raise EndedEarlyError(self.lacks, self.count, offset=self.length)

    def has_rows(self, piece: str) -> bool:
        """Is it worth a look at what waits?"""
        raise NotImplementedError

    def take(self, last: bool = False) -> list[Any]:
        """The whole rows of what waits"""
        raise NotImplementedError

    def begin(self, cols: Any, types: Any) -> Plan:
        self.cols, self.types = cols, types
        if _models.is_struct(self.into):
            self.plan = plan_for(cols, None, list, False)
        else:
            self.plan = plan_for(cols, types, self.into, has_numeric(types) or has_decimals(self.into))
        return self.plan

    def made(self, rows: list[Any]) -> list[Any]:
        if rows and _models.is_struct(self.into):
            return _models.decode_structs({"cols": self.cols, "types": self.types, "rows": rows}, self.into, None)
        return _models.validate(rows, self.into) if rows and is_model(self.into) else rows


class ArrayReader(Reader[T]):
    """What follows a beginning, until the text matches the end"""

    waits = 0       # how much text
    enough = 0      # for a look: a row may be longer than many pieces
    begun = False
    separated = False   # the comma before the next row was read
    empty, end = _empty, _end

    def has_rows(self, piece: str) -> bool:
        self.waits += len(piece)
        return self.waits >= self.enough

    def take(self, last: bool = False) -> list[Any]:
        rows: list[Any] = []
        text = "".join(self.waiting)
        at = self.next_row(text)
        if at is None and not self.begun:
            self.ended = self.empty.search(text) is not None
            self.wait_for_more(text, rows)
            return rows
        if at is None:
            at = 0
        else:
            at, self.begun = self.scan(text, at, rows), True
            self.separated = not rows or text[:at].rstrip(" \t\r\n").endswith(",")
        self.count += len(rows)
        self.ended = not self.separated and self.end.match(text, at) is not None
        if last and not self.ended and text[at:].strip() != "]" and has_end(text[at:]):
            raise DocumentError("a row is not JSON, or something follows the last", self.count)
        self.wait_for_more(text[at:], rows)
        return rows

    def next_row(self, text: str) -> Optional[int]:
        """Where it begins, if it is there"""
        if not self.begun:
            return self.first_row(text)
        if self.separated:
            return len(text) - len(text.lstrip(" \t\r\n"))
        found = _separator.match(text)
        return found.end() if found else None

    def first_row(self, text: str) -> Optional[int]:
        raise NotImplementedError

    def scan(self, text: str, at: int, rows: list[Any]) -> int:
        """Adds the whole rows to the list, and tells where they end."""
        raise NotImplementedError

    def wait_for_more(self, text: str, rows: list[Any]) -> None:
        self.waiting, self.waits = [text], len(text)
        self.enough = 0 if rows else 2 * len(text)


class DocumentReader(ArrayReader[T]):
    """Of jsonrow_stream, and of any document by row that begins with its header"""

    def first_row(self, text: str) -> Optional[int]:
        head = read_head(text)
        if head is None:
            begin = re.sub(r"\s", "", text[:64])[:8]
            if not '{"cols":'.startswith(begin):
                raise DocumentError("it does not begin with a header")
            return None
        cols, types, at = head
        self.begin(cols, types)
        return at

    def scan(self, text: str, at: int, rows: list[Any]) -> int:
        assert self.plan is not None
        return self.plan.scan(text, at, rows, self.count)


class ObjectReader(ArrayReader[T]):
    """Of jsonrow_stream_objects, and of any array of objects"""

    empty, end = _empty_array, _array_end

    def first_row(self, text: str) -> Optional[int]:
        begin = text.lstrip()[:1]
        found = _first_object.match(text)
        if begin not in ("", "[") or found is None and text.lstrip()[1:].lstrip()[:1] not in ("", "]"):
            raise DocumentError("it is not an array of objects")
        return None if found is None else found.end()

    def scan(self, text: str, at: int, rows: list[Any]) -> int:
        return _objects.scan(text, at, rows, self.count, _objects.is_exact(self.into))

    def made(self, rows: list[Any]) -> list[Any]:
        return _objects.made(rows, self.into, self.count - len(rows))


def has_end(text: str) -> bool:
    """Is there, behind rows, the bracket that closes them?"""
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", _string.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth < 0:
            return True
    return False


class LineReader(Reader[T]):
    """Of jsonrow_stream_lines and COPY ... (FORM lines)"""

    has_total = False

    def has_rows(self, piece: str) -> bool:
        return "\n" in piece

    def lines(self, last: bool) -> list[str]:
        whole, _, rest = ("".join(self.waiting) + "\n" * last).rpartition("\n")
        self.waiting = [rest]
        return [line for line in whole.split("\n") if line and not line.isspace()]

    def take(self, last: bool = False) -> list[Any]:
        lines = self.lines(last)
        try:
            if lines and self.plan is None:
                self.begin_with(lines.pop(0))
            if lines and self.has_total:
                raise DocumentError("lines follow the last one", self.count)
            if lines and lines[-1].lstrip().startswith("{"):
                self.end_with(json.loads(lines.pop()), len(lines))
        except json.JSONDecodeError as error:
            return self.broken(lines, last, error)
        if not lines or self.plan is None:
            return []
        rows = self.values(lines, last, self.plan.decoder)
        self.count += len(rows)
        return self.plan.fill(rows, self.count - len(rows))

    def values(self, lines: list[str], last: bool, decoder: json.JSONDecoder) -> list[Any]:
        """In JSON a line feed is between tokens only: lines are elements."""
        try:
            values = decoder.decode("[" + ",".join(lines) + "]")
        except json.JSONDecodeError as error:
            return self.broken(lines, last, error)
        if len(values) != len(lines):
            raise DocumentError("a line is not one row", self.count + self.whole(lines))
        return values  # type: ignore[no-any-return]

    def broken(self, lines: list[str], last: bool, error: json.JSONDecodeError) -> list[Any]:
        """Without a line feed, the last line was not sent as a whole."""
        if not last:
            raise DocumentError(f"a line is not JSON: {error}", self.count + self.whole(lines)) from error
        self.lacks, self.ended = "its last line is not whole", False
        return []

    @staticmethod
    def whole(lines: list[str]) -> int:
        """How many lines are JSON, from the first on"""
        for i, line in enumerate(lines):
            try:
                json.loads(line)
            except json.JSONDecodeError:
                return i
        return len(lines)

    def begin_with(self, line: str) -> None:
        header = json.loads(line) if line.lstrip().startswith("{") else None
        if not isinstance(header, dict) or "cols" not in header:
            raise DocumentError("the first line is not its header")
        self.begin(header["cols"], header.get("types"))

    def end_with(self, trailer: Any, before: int) -> None:
        self.has_total = True
        told, found = trailer.get("rows"), self.count + before
        if not isinstance(told, int) or told < found:
            raise DocumentError(f"its last line tells {told!r} rows, not {found}", found)
        self.ended = told == found
        self.lacks = f"it had {told} rows"


class ObjectLineReader(LineReader[T]):
    """Of jsonrow_stream_object_lines, and of other NDJSON.  It has no end that
    could be missing: only that of the source tells that these are all rows."""

    def __init__(self, into: Any = dict):
        super().__init__(into)
        self.ended = True

    def take(self, last: bool = False) -> list[Any]:
        decoder = DECODERS[_objects.is_exact(self.into)]
        objects = _objects.checked(self.values(self.lines(last), last, decoder), self.count)
        self.count += len(objects)
        return objects

    def made(self, rows: list[Any]) -> list[Any]:
        return _objects.made(rows, self.into, self.count - len(rows))


@overload
def iter_rows(pieces: Iterable[Piece], into: type[dict[str, Any]] = ...) -> Iterator[dict[str, Any]]: ...
@overload
def iter_rows(pieces: Iterable[Piece], into: type[T]) -> Iterator[T]: ...
def iter_rows(pieces: Iterable[Piece], into: Any = dict) -> Iterator[Any]:
    """The rows of jsonrow_stream, one by one.  pieces: text or bytes, cut
    anywhere; or a cursor, of whose rows the first column counts."""
    return objects(DocumentReader(into), pieces)


@overload
def iter_lines(pieces: Iterable[Piece], into: type[dict[str, Any]] = ...) -> Iterator[dict[str, Any]]: ...
@overload
def iter_lines(pieces: Iterable[Piece], into: type[T]) -> Iterator[T]: ...
def iter_lines(pieces: Iterable[Piece], into: Any = dict) -> Iterator[Any]:
    """The same of jsonrow_stream_lines, and of files of such lines"""
    return objects(LineReader(into), pieces)


@overload
def aiter_rows(pieces: AsyncIterable[Piece], into: type[dict[str, Any]] = ...) -> AsyncIterator[dict[str, Any]]: ...
@overload
def aiter_rows(pieces: AsyncIterable[Piece], into: type[T]) -> AsyncIterator[T]: ...
def aiter_rows(pieces: AsyncIterable[Piece], into: Any = dict) -> AsyncIterator[Any]:
    """The same of asynchronous sources"""
    return async_objects(DocumentReader(into), pieces)


@overload
def aiter_lines(pieces: AsyncIterable[Piece], into: type[dict[str, Any]] = ...) -> AsyncIterator[dict[str, Any]]: ...
@overload
def aiter_lines(pieces: AsyncIterable[Piece], into: type[T]) -> AsyncIterator[T]: ...
def aiter_lines(pieces: AsyncIterable[Piece], into: Any = dict) -> AsyncIterator[Any]:
    """The same of asynchronous sources"""
    return async_objects(LineReader(into), pieces)


@overload
def iter_objects(
    pieces: Iterable[Piece], into: type[dict[str, Any]] = ...) -> Iterator[dict[str, Any]]: ...
@overload
def iter_objects(pieces: Iterable[Piece], into: type[T]) -> Iterator[T]: ...
def iter_objects(pieces: Iterable[Piece], into: Any = dict) -> Iterator[Any]:
    """The same of jsonrow_stream_objects, and of any array of objects"""
    return objects(ObjectReader(into), pieces)


@overload
def aiter_objects(
    pieces: AsyncIterable[Piece], into: type[dict[str, Any]] = ...) -> AsyncIterator[dict[str, Any]]: ...
@overload
def aiter_objects(pieces: AsyncIterable[Piece], into: type[T]) -> AsyncIterator[T]: ...
def aiter_objects(pieces: AsyncIterable[Piece], into: Any = dict) -> AsyncIterator[Any]:
    """The same of asynchronous sources"""
    return async_objects(ObjectReader(into), pieces)


@overload
def iter_object_lines(
    pieces: Iterable[Piece], into: type[dict[str, Any]] = ...) -> Iterator[dict[str, Any]]: ...
@overload
def iter_object_lines(pieces: Iterable[Piece], into: type[T]) -> Iterator[T]: ...
def iter_object_lines(pieces: Iterable[Piece], into: Any = dict) -> Iterator[Any]:
    """The same of jsonrow_stream_object_lines, and of other NDJSON"""
    return objects(ObjectLineReader(into), pieces)


@overload
def aiter_object_lines(
    pieces: AsyncIterable[Piece], into: type[dict[str, Any]] = ...) -> AsyncIterator[dict[str, Any]]: ...
@overload
def aiter_object_lines(pieces: AsyncIterable[Piece], into: type[T]) -> AsyncIterator[T]: ...
def aiter_object_lines(pieces: AsyncIterable[Piece], into: Any = dict) -> AsyncIterator[Any]:
    """The same of asynchronous sources"""
    return async_objects(ObjectLineReader(into), pieces)


def objects(reader: Reader[Any], pieces: Iterable[Piece]) -> Iterator[Any]:
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.rest()
    reader.check()


async def async_objects(reader: Reader[Any], pieces: AsyncIterable[Piece]) -> AsyncIterator[Any]:
    async for piece in pieces:
        for row in reader.feed(piece):
            yield row
    for row in reader.rest():
        yield row
    reader.check()
