"""What can be wrong with what is read, and where."""
from __future__ import annotations

from typing import Optional


class _Placed(Exception):
    """An error with its place: row, from 0; column, its name, within nested
    rows as in "actors[2].name"; offset, in characters.  None: not known."""

    what = ""

    def __init__(self, reason: str, row: Optional[int] = None, column: Optional[str] = None,
                 offset: Optional[int] = None):
        super().__init__(reason, row, column, offset)   # so that it can be pickled
        self.reason, self.row, self.column, self.offset = reason, row, column, offset

    def __str__(self) -> str:
        places = (("row", self.row), ("column", self.column), ("character", self.offset))
        place = ", ".join(f"{name} {value}" for name, value in places if value is not None)
        return f"{self.what}: {self.reason}" + (f" ({place})" if place else "")


class DocumentError(_Placed, ValueError):
    """The value is not a jsonrow document: it is not JSON, a member is missing,
    a row has not the header's width, or it has no column that the class needs."""

    what = "not a jsonrow document"


class EndedEarlyError(_Placed, EOFError):
    """The stream ended before its end was read: the query failed, or the
    connection was lost.  row is the number of whole rows."""

    what = "the jsonrow stream ended early"
