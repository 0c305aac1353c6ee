"""For psycopg 3: rows of which some columns are documents.

    connection.cursor(row_factory=documents(dict_row, films=Film))
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from psycopg.rows import BaseRowFactory, Row, RowMaker, TupleRow, tuple_row

from ._decode import decode

__all__ = ["documents"]


@overload
def documents(**columns: type[Any]) -> BaseRowFactory[TupleRow]: ...
@overload
def documents(base: BaseRowFactory[Row], /, **columns: type[Any]) -> BaseRowFactory[Row]: ...
def documents(base: BaseRowFactory[Any] = tuple_row, /, **columns: type[Any]) -> BaseRowFactory[Any]:
    """A row factory: rows as base makes them, with lists of objects in the place of
    the documents in these columns.  columns: by name, what becomes of a row,
    such as a class, or dict.  What is no document there is an error."""
    def factory(cursor: Any) -> RowMaker[Any]:
        make = base(cursor)
        names = [column.name for column in cursor.description or ()]
        if not names:       # a statement without a result
            return make
        missing = [name for name in columns if name not in names]
        if missing:
            raise LookupError(f"the result has no column {', '.join(map(repr, missing))}")
        wanted = [(i, columns[name]) for i, name in enumerate(names) if name in columns]

        def row(values: Sequence[Any]) -> Any:
            cells = list(values)
            for i, into in wanted:
                if cells[i] is not None:
                    cells[i] = decode(cells[i], into)
            return make(cells)
        return row
    return factory
