"""Decodes the documents of jsonrow, a PostgreSQL extension, and makes them.

    decode(doc)             a list of dicts; decode(doc, into=Film): of dataclasses,
                            namedtuples, msgspec structs or pydantic models
    columns(doc)            the columns, each with its name and its cells
    to_pandas, to_polars, to_arrow      a data frame or table
    iter_rows, iter_lines   the rows of a stream, as its pieces come
    iter_objects, iter_object_lines     the same of streams of objects
    loads(text)             in the place of json.loads, for drivers
    encode(rows)            a document, for jsonrow_populate_recordset

jsonrow.sqlalchemy and jsonrow.django have a column type and the aggregates.
"""
from ._decode import columns, decode, loads
from ._encode import encode
from ._errors import DocumentError, EndedEarlyError
from ._frames import to_arrow, to_pandas, to_polars
from ._stream import (
    DocumentReader, LineReader, ObjectLineReader, ObjectReader, aiter_lines, aiter_object_lines, aiter_objects,
    aiter_rows, iter_lines, iter_object_lines, iter_objects, iter_rows)

__all__ = [
    "DocumentError", "DocumentReader", "EndedEarlyError", "LineReader", "ObjectLineReader", "ObjectReader",
    "aiter_lines", "aiter_object_lines", "aiter_objects", "aiter_rows", "columns", "decode", "encode", "iter_lines",
    "iter_object_lines", "iter_objects", "iter_rows", "loads", "to_arrow", "to_pandas", "to_polars",
]
