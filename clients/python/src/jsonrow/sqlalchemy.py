"""For SQLAlchemy 2: the column type, the aggregates, and reflection.

    class Report(Base):
        doc: Mapped[list[dict]] = mapped_column(Jsonrow)

    select(Film.title, nested(select(Actor.name).where(Actor.film_id == Film.id).correlate(Film)))
"""
from __future__ import annotations

from typing import Any, Callable, Optional

from sqlalchemy import MetaData, ScalarSelect, Select, event, select
from sqlalchemy.dialects.postgresql import DOMAIN, JSON, JSONB
from sqlalchemy.sql.functions import GenericFunction, func
from sqlalchemy.types import UserDefinedType

from ._decode import decode
from ._encode import dumps, encode

__all__ = ["Jsonrow", "nested", "reflect"]


class Jsonrow(UserDefinedType[Any]):
    """A column of type jsonrow, or jsonrow_json (text=True).

    A value is read as a list of objects of the class into.  Such a list can be
    written, and a document, as a dict or text.
    """

    cache_ok = True
    render_bind_cast = True

    def __init__(self, into: Any = dict, text: bool = False):
        self.into = into
        self.text = text

    def get_col_spec(self, **_: Any) -> str:
        return "jsonrow_json" if self.text else "jsonrow"

    def bind_processor(self, dialect: Any) -> Callable[[Any], Optional[str]]:
        return to_text

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        into = self.into
        return lambda value: None if value is None else decode(value, into)


def to_text(value: Any) -> Optional[str]:
    if value is None or isinstance(value, str):
        return value
    return dumps(value) if isinstance(value, dict) else encode(value)


class jsonrow_agg(GenericFunction[Any]):
    type = Jsonrow()
    inherit_cache = True


class jsonrow_agg_json(GenericFunction[Any]):
    type = Jsonrow(text=True)
    inherit_cache = True


class jsoncol_agg(GenericFunction[Any]):
    type = Jsonrow()
    inherit_cache = True


class jsoncol_agg_json(GenericFunction[Any]):
    type = Jsonrow(text=True)
    inherit_cache = True


class jsonrow_concat_agg(GenericFunction[Any]):
    type = Jsonrow()
    inherit_cache = True


class jsonrow_objects_agg(GenericFunction[Any]):
    type = JSONB()
    inherit_cache = True


class jsonrow_objects_agg_json(GenericFunction[Any]):
    type = JSON()
    inherit_cache = True


def nested(statement: Select[Any], into: Any = dict) -> ScalarSelect[Any]:
    """The rows of a query as one value: a document, which is read as a list of
    objects.  In another query, say what it is correlated to (Select.correlate)."""
    rows = statement.subquery()
    return select(func.jsonrow_agg_json(rows.table_valued(), type_=Jsonrow(into, text=True))).scalar_subquery()


def reflect(metadata: MetaData) -> None:
    """Tables reflected into this MetaData have Jsonrow where SQLAlchemy itself
    finds a DOMAIN, to which no dict can be bound."""
    if not event.contains(metadata, "column_reflect", column_reflect):
        event.listen(metadata, "column_reflect", column_reflect)


def column_reflect(inspector: Any, table: Any, column: Any) -> None:
    type_ = column["type"]
    if isinstance(type_, DOMAIN) and type_.name in ("jsonrow", "jsonrow_json"):
        column["type"] = Jsonrow(text=type_.name == "jsonrow_json")
