"""For Django: a field, the aggregates, and a subquery of rows.

    Film.objects.values("year").annotate(films=JsonrowAgg("title", "rating", order_by="title"))
    Film.objects.annotate(actors=JsonrowSubquery(Actor.objects.filter(film=OuterRef("pk")).values("name")))
"""
from __future__ import annotations

import json
from typing import Any, Optional

from django.db.models import Aggregate, F, JSONField, Subquery, Value
from django.db.models.fields.json import KeyTransform

from ._decode import decode
from ._encode import dumps, encode

Ordered: Any = Aggregate
if not hasattr(Aggregate, "allow_order_by"):    # before Django 6.0
    from django.contrib.postgres.aggregates.mixins import OrderableAggMixin

    class Ordered5(OrderableAggMixin, Aggregate):
        template = "%(function)s(%(expressions)s %(order_by)s)"

    Ordered = Ordered5

__all__ = ["JsonrowAgg", "JsonrowField", "JsonrowSubquery", "ObjectsAgg"]


def qualified(name: str, schema: Optional[str]) -> str:
    """With the extension's schema, where that is not in the search_path"""
    if schema is None:
        return name
    quoted = schema.replace('"', '""').replace("%", "%%")
    return f'"{quoted}".{name}'


class RowsEncoder(json.JSONEncoder):
    """What json.dumps(value, cls=RowsEncoder) gives is a document."""

    def encode(self, o: Any) -> str:
        if isinstance(o, (list, tuple)):
            try:
                return encode(o)
            except TypeError:       # what a condition compares a part of a document with
                return dumps(o)
        return dumps(o)


class JsonrowField(JSONField):
    """A column of type jsonrow.  A value is read as a list of objects of the
    class into.  Such a list can be written, and a document as a dict."""

    description = "Rows, as a document of jsonrow"

    def __init__(self, *args: Any, into: Any = dict, schema: Optional[str] = None, **kwargs: Any):
        kwargs.setdefault("encoder", RowsEncoder)
        self.into = into
        self.schema = schema
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        if kwargs.get("encoder") is RowsEncoder:
            del kwargs["encoder"]
        if self.into is not dict:
            kwargs["into"] = self.into
        if self.schema is not None:
            kwargs["schema"] = self.schema
        return name, path, args, kwargs

    def db_type(self, connection: Any) -> str:
        return qualified("jsonrow", self.schema)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None or isinstance(expression, KeyTransform):
            return super().from_db_value(value, expression, connection)
        return decode(value, self.into)


def array_literal(names: list[str]) -> str:
    quoted = (name.replace("\\", "\\\\").replace('"', '\\"') for name in names)
    return "{" + ",".join(f'"{name}"' for name in quoted) + "}"


class RowsAgg(Ordered):
    """An aggregate of rows, whose columns are fields, by their names, and
    expressions, by keyword; of objects of the class into"""

    allow_order_by = True

    def __init__(self, *names: str, into: Any = dict, filter: Any = None, order_by: Any = (),
                 schema: Optional[str] = None, **expressions: Any):
        values = {**{name: F(name) for name in names}, **expressions}
        super().__init__(Value(array_literal(list(values))), *values.values(), filter=filter, order_by=order_by,
                         output_field=self.field(into, schema))
        self.extra["function"] = qualified(self.function, schema)

    def field(self, into: Any, schema: Optional[str]) -> Any:
        return JsonrowField(into=into, schema=schema)

    @property
    def empty_result_set_value(self) -> Any:
        return []


class JsonrowAgg(RowsAgg):
    """The rows of a group; nested in another document, its header moves to the outer one."""

    function = "jsonrow_agg_json"


class ObjectsAgg(RowsAgg):
    """The same rows as JSON objects"""

    function = "jsonrow_objects_agg"

    def field(self, into: Any, schema: Optional[str]) -> Any:
        if into is not dict:
            raise TypeError("objects are read as dicts")
        return JSONField()


class JsonrowSubquery(Subquery):
    """The rows of a queryset as one value"""

    template = "(SELECT %(function)s(jsonrow_rows.*) FROM (%(subquery)s) jsonrow_rows)"

    def __init__(self, queryset: Any, into: Any = dict, schema: Optional[str] = None, **extra: Any):
        extra["function"] = qualified("jsonrow_agg_json", schema)
        super().__init__(queryset, output_field=JsonrowField(into=into, schema=schema), **extra)
