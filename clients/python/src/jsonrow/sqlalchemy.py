"""For SQLAlchemy 2: the column type, the aggregates, and reflection.

    class Report(Base):
        doc: Mapped[list[dict]] = mapped_column(Jsonrow)

    select(Film.title, nested(select(Actor.name).where(Actor.film_id == Film.id).correlate(Film)))
"""
from __future__ import annotations

from typing import Any, Callable, Optional

from sqlalchemy import MetaData, ScalarSelect, Select, event, select
from sqlalchemy.dialects.postgresql import DOMAIN, JSON, JSONB
from sqlalchemy.sql.elements import quoted_name
from sqlalchemy.sql.functions import Function, func
from sqlalchemy.types import UserDefinedType

from ._decode import decode
from ._encode import dumps, encode

__all__ = ["Functions", "Jsonrow", "functions", "nested", "reflect"]


class Jsonrow(UserDefinedType[Any]):
    """A column of type jsonrow, or jsonrow_json (text=True).

    A value is read as a list of objects of the class into.  Such a list can be
    written, and a document, as a dict or text.  schema: that of the extension,
    where it is not in the search_path.
    """

    cache_ok = True
    render_bind_cast = True

    def __init__(self, into: Any = dict, text: bool = False, schema: Optional[str] = None):
        self.into = into
        self.text = text
        self.schema = schema

    def get_col_spec(self, **_: Any) -> str:
        name = "jsonrow_json" if self.text else "jsonrow"
        return name if self.schema is None else quoted(self.schema) + "." + name

    def bind_processor(self, dialect: Any) -> Callable[[Any], Optional[str]]:
        return to_text

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        into = self.into
        return lambda value: None if value is None else decode(value, into)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def to_text(value: Any) -> Optional[str]:
    if value is None or isinstance(value, str):
        return value
    return dumps(value) if isinstance(value, dict) else encode(value)


class Functions:
    """The aggregates, whose results have their types: functions.jsonrow_agg(...) is what
    func.jsonrow_agg(...) is, but for the type.  schema: that of the extension,
    where it is not in the search_path.  into: the class of the rows."""

    def __init__(self, schema: Optional[str] = None):
        self.schema = schema

    def jsonrow_agg(self, *arguments: Any, into: Any = dict) -> Function[Any]:
        """Rows as a document of type jsonrow"""
        return self.call("jsonrow_agg", arguments, Jsonrow(into, schema=self.schema))

    def jsonrow_agg_json(self, *arguments: Any, into: Any = dict) -> Function[Any]:
        """Rows as a document of type jsonrow_json"""
        return self.call("jsonrow_agg_json", arguments, Jsonrow(into, text=True, schema=self.schema))

    def jsoncol_agg(self, *arguments: Any, into: Any = dict) -> Function[Any]:
        """Columns as a document of type jsonrow"""
        return self.call("jsoncol_agg", arguments, Jsonrow(into, schema=self.schema))

    def jsoncol_agg_json(self, *arguments: Any, into: Any = dict) -> Function[Any]:
        """Columns as a document of type jsonrow_json"""
        return self.call("jsoncol_agg_json", arguments, Jsonrow(into, text=True, schema=self.schema))

    def jsonrow_concat_agg(self, *arguments: Any, into: Any = dict) -> Function[Any]:
        """The rows of documents as one document"""
        return self.call("jsonrow_concat_agg", arguments, Jsonrow(into, schema=self.schema))

    def jsonrow_objects_agg(self, *arguments: Any) -> Function[Any]:
        """Rows as objects, in jsonb"""
        return self.call("jsonrow_objects_agg", arguments, JSONB())

    def jsonrow_objects_agg_json(self, *arguments: Any) -> Function[Any]:
        """Rows as objects, in json"""
        return self.call("jsonrow_objects_agg_json", arguments, JSON())

    def call(self, name: str, arguments: tuple[Any, ...], type_: Any) -> Function[Any]:
        maker = func if self.schema is None else getattr(func, str(quoted_name(self.schema, True)))
        return getattr(maker, name)(*arguments, type_=type_)  # type: ignore[no-any-return]


functions = Functions()


def nested(statement: Select[Any], into: Any = dict, schema: Optional[str] = None) -> ScalarSelect[Any]:
    """The rows of a query as one value: a document, which is read as a list of
    objects.  In another query, say what it is correlated to (Select.correlate).
    schema: that of the extension, where it is not in the search_path."""
    rows = statement.subquery()
    return select(Functions(schema).jsonrow_agg_json(rows.table_valued(), into=into)).scalar_subquery()


SCHEMA = "jsonrow: the extension's schema"      # in MetaData.info


def reflect(metadata: MetaData, schema: Optional[str] = None) -> None:
    """Tables reflected into this MetaData have Jsonrow where SQLAlchemy itself
    finds a DOMAIN, to which no dict can be bound.  schema: that of the extension,
    where it is not in the search_path."""
    metadata.info[SCHEMA] = schema
    if not event.contains(metadata, "column_reflect", column_reflect):
        event.listen(metadata, "column_reflect", column_reflect)


def column_reflect(inspector: Any, table: Any, column: Any) -> None:
    type_ = column["type"]
    if isinstance(type_, DOMAIN) and type_.name in ("jsonrow", "jsonrow_json"):
        schema = table.metadata.info.get(SCHEMA)
        column["type"] = Jsonrow(text=type_.name == "jsonrow_json", schema=schema)
