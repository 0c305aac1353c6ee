"""Rows of a stream, as its pieces come."""
from __future__ import annotations

import codecs
import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Generic, Optional, TypeVar, overload

from . import _models
from ._decode import read_head
from ._plan import DocumentError, Plan, has_numeric, plan_for

T = TypeVar("T")
Piece = Any     # str, bytes, or a row of a cursor, whose first column is one

_end = re.compile(r"\s*\]\s*\}\s*\Z")
_empty = re.compile(r'"rows"\s*:\s*\[\s*\]\s*\}\s*\Z')
_separator = re.compile(r"\s*,\s*")


class Reader(Generic[T]):
    """What both readers have.  feed gives the rows that are whole by now; close
    gives the last ones, and raises an error if the stream was cut off."""

    def __init__(self, into: Any = dict):
        self.checked = _models.is_struct(into) or _models.is_model(into)
        self.into = into
        self.plan: Optional[Plan] = None
        self.cols: Any = None
        self.types: Any = None
        self.waiting: list[str] = []    # pieces that end within a row
        self.ended = False
        self.utf8 = codecs.getincrementaldecoder("utf-8")()

    def feed(self, piece: Piece) -> list[T]:
        if not isinstance(piece, (str, bytes, bytearray, memoryview)):
            piece = piece[0]
        text = piece if isinstance(piece, str) else self.utf8.decode(bytes(piece))
        self.waiting.append(text)
        return self.made(self.take()) if self.has_rows(text) else []

    def close(self) -> list[T]:
        rows = self.made(self.take(last=True))
        if not self.ended:
            raise EOFError("the stream was cut off")
        return rows

    def has_rows(self, piece: str) -> bool:
        """Is it worth a look at what waits?"""
        raise NotImplementedError

    def take(self, last: bool = False) -> list[Any]:
        """The whole rows of what waits"""
        raise NotImplementedError

    def begin(self, cols: Any, types: Any) -> Plan:
        self.cols, self.types = cols, types
        if self.checked:
            self.plan = plan_for(cols, None, list, False)
        else:
            self.plan = plan_for(cols, types, self.into, has_numeric(types))
        return self.plan

    def made(self, rows: list[Any]) -> list[Any]:
        if not self.checked or not rows:
            return rows
        return _models.decode_checked({"cols": self.cols, "types": self.types, "rows": rows}, self.into)


class DocumentReader(Reader[T]):
    """Of jsonrow_stream, and of any document by row that begins with its header"""

    length = 0      # of what waits
    enough = 0      # for a look: a row may be longer than many pieces

    def has_rows(self, piece: str) -> bool:
        self.length += len(piece)
        return self.length >= self.enough

    def take(self, last: bool = False) -> list[Any]:
        rows: list[Any] = []
        text, plan = "".join(self.waiting), self.plan
        if plan is None:
            head = read_head(text)
            if head is None:
                self.check_beginning(text)
                self.ended = _empty.search(text) is not None
                self.wait_for_more(text, rows)
                return rows
            cols, types, at = head
            plan = self.begin(cols, types)
        else:
            found = _separator.match(text)
            at = found.end() if found else 0
        at = plan.scan(text, at, rows)
        self.ended = _end.match(text, at) is not None
        self.wait_for_more(text[at:], rows)
        return rows

    def wait_for_more(self, text: str, rows: list[Any]) -> None:
        self.waiting, self.length = [text], len(text)
        self.enough = 0 if rows else 2 * len(text)

    def check_beginning(self, text: str) -> None:
        begin = re.sub(r"\s", "", text[:64])[:8]
        if not '{"cols":'.startswith(begin):
            raise DocumentError("not the stream of a jsonrow document: it does not begin with a header")


class LineReader(Reader[T]):
    """Of jsonrow_stream_lines and COPY ... (FORM lines)"""

    count = 0       # of rows

    def has_rows(self, piece: str) -> bool:
        return "\n" in piece

    def take(self, last: bool = False) -> list[Any]:
        whole, _, rest = ("".join(self.waiting) + "\n" * last).rpartition("\n")
        self.waiting = [rest]
        lines = [line for line in whole.split("\n") if line and not line.isspace()]
        try:
            if lines and self.plan is None:
                self.begin_with(lines.pop(0))
            if lines and lines[-1].lstrip().startswith("{"):
                self.end_with(json.loads(lines.pop()), len(lines))
            if not lines or self.plan is None:
                return []
            # In JSON a line feed is between tokens only: lines are elements.
            rows = json.loads("[" + ",".join(lines) + "]", parse_float=self.plan.parse_float)
        except json.JSONDecodeError:
            if last:
                raise EOFError("the stream was cut off") from None
            raise
        self.count += len(rows)
        return self.plan.fill(rows)

    def begin_with(self, line: str) -> None:
        header = json.loads(line) if line.lstrip().startswith("{") else None
        if not isinstance(header, dict) or "cols" not in header:
            raise DocumentError("not the lines of a jsonrow document: the first one is not its header")
        self.begin(header["cols"], header.get("types"))

    def end_with(self, trailer: Any, before: int) -> None:
        if trailer.get("rows") != self.count + before:
            raise EOFError(f"the stream was cut off: {self.count + before} rows of {trailer.get('rows')}")
        self.ended = True


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
    return async_objects(DocumentReader(into), pieces)


@overload
def aiter_lines(pieces: AsyncIterable[Piece], into: type[dict[str, Any]] = ...) -> AsyncIterator[dict[str, Any]]: ...
@overload
def aiter_lines(pieces: AsyncIterable[Piece], into: type[T]) -> AsyncIterator[T]: ...
def aiter_lines(pieces: AsyncIterable[Piece], into: Any = dict) -> AsyncIterator[Any]:
    return async_objects(LineReader(into), pieces)


def objects(reader: Reader[Any], pieces: Iterable[Piece]) -> Iterator[Any]:
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.close()


async def async_objects(reader: Reader[Any], pieces: AsyncIterable[Piece]) -> AsyncIterator[Any]:
    async for piece in pieces:
        for row in reader.feed(piece):
            yield row
    for row in reader.close():
        yield row
