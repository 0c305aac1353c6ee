"""msgspec structs and pydantic models: libraries that check each value.

msgspec reads a row straight into a struct with array_like=True whose fields are
the document's columns, in their order.  For any other struct such a one is
made, a twin, and from its instances those of the struct.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from json import dumps, loads as parse_json
from typing import Any, Optional, get_type_hints

from . import _decode
from ._cells import elements, is_optional, to_bytes, without_none
from ._errors import DocumentError
from ._plan import COMPOSITE, PLAIN, Column, Level, columns_of, inner_class


def is_struct(into: Any) -> bool:
    return hasattr(into, "__struct_config__")


@lru_cache(maxsize=256)
def adapter(model: Any) -> Any:
    from pydantic import TypeAdapter
    return TypeAdapter(list[Optional[model]])


def validate(rows: list[Any], model: Any) -> list[Any]:
    return adapter(model).validate_python(rows)  # type: ignore[no-any-return]


class Twin:
    """The struct that msgspec is to read rows of a header into, and the source
    of an expression that makes the wanted one of it, of a variable r."""

    def __init__(self, cols: Any, types: Any, struct: Any, names: dict[str, Any]):
        self.names, self.struct = names, struct
        columns = columns_of(cols, types)
        self.fields = self.wanted(columns)
        self.optional: Any = None       # what a cell may be: annotations
        hints = get_type_hints(struct, include_extras=True)
        annotations: list[Any] = []
        arguments: list[str] = []
        last = {column.name: i for i, column in enumerate(columns)}
        straight = struct.__struct_config__.array_like and struct.__struct_config__.tag is None \
            and [column.name for column in columns] == list(struct.__struct_encode_fields__)
        for i, column in enumerate(columns):
            if last[column.name] != i or column.name not in self.fields:
                annotations.append(Any)
                continue
            field = self.fields[column.name]
            annotation, made = self.field(column, hints[field], f"r.c{i}")
            annotations.append(annotation)
            arguments.append(f"{field}={made}")
            straight = straight and annotation is hints[field]
        self.expression: Optional[str] = None
        self.type = struct
        if not straight:
            from msgspec import defstruct
            self.type = defstruct(struct.__name__, [(f"c{i}", a) for i, a in enumerate(annotations)], array_like=True,
                                  forbid_unknown_fields=True)
            self.expression = f"{self.name(struct)}({', '.join(arguments)})"

    def wanted(self, columns: list[Column]) -> dict[str, str]:
        """The struct's fields by the columns' names"""
        from msgspec.structs import fields
        all_fields = fields(self.struct)
        names = {column.name for column in columns}
        missing = [field.encode_name for field in all_fields if field.required and field.encode_name not in names]
        if missing and columns:     # without any, the header is not known
            raise DocumentError(f"it has no column {', '.join(map(repr, missing))}, "
                                f"which {self.struct.__name__} needs")
        return {field.encode_name: field.name for field in all_fields}

    def name(self, value: Any) -> str:
        name = f"x{len(self.names)}"
        self.names[name] = value
        return name

    def field(self, column: Column, hint: Any, cell: str) -> tuple[Any, str]:
        """An annotation for the twin, and what becomes of its value"""
        plain, nullable = without_none(hint), is_optional(hint)
        many = elements(plain)
        if column.cols == []:   # null, or no rows
            return Any, f"None if {cell} is None else tuple({cell})" if many and many[0] is tuple else cell
        if column.kind == PLAIN:
            if plain is not bytes:
                return hint, cell
            made = f"{self.name(checked_bytes)}({cell})"
            return (Optional[str], f"None if {cell} is None else {made}") if nullable else (str, made)
        inner = without_none(many[1]) if many else plain
        if not is_struct(inner):
            return self.other(column, plain, nullable, cell)
        twin = Twin(column.cols, column.type, inner, self.names)
        if twin.expression is None:
            return hint, cell
        if column.kind == COMPOSITE:
            annotation, made = twin.type, f"(lambda r: {twin.expression})({cell})"
        else:
            kind, element = many or (list, inner)
            annotation = list[Optional[twin.type] if is_optional(element) else twin.type]  # type: ignore[misc]
            one = f"None if r is None else {twin.expression}" if is_optional(element) else twin.expression
            made = f"{kind.__name__}([{one} for r in {cell}])"
        return (Optional[annotation], f"None if {cell} is None else {made}") if nullable else (annotation, made)

    def other(self, column: Column, hint: Any, nullable: bool, cell: str) -> tuple[Any, str]:
        """The same of what is nested, but in no struct"""
        level = Level(column.cols, column.type, inner_class(hint, self.struct), False)
        if column.kind == COMPOSITE:
            return Any, f"{self.name(level.row)}({cell})"
        kind = (elements(hint) or (list,))[0].__name__
        made = f"{kind}(map({self.name(level.row)}, {cell}))"
        if elements(hint) is not None and not nullable:
            return list[Any], made
        return Optional[list[Any]], f"None if {cell} is None else {made}"


def checked_bytes(cell: str) -> bytes:
    from msgspec import ValidationError
    try:
        return to_bytes(cell)
    except ValueError as error:
        raise ValidationError("Expected `bytes`, as \\x and hexadecimal digits") from error


class StructPlan:
    def __init__(self, cols: Any, types: Any, struct: Any):
        import msgspec
        names: dict[str, Any] = {}
        twin = Twin(cols, types, struct, names)
        self.strict = types is None
        self.rows = list[Optional[twin.type]]  # type: ignore[name-defined]
        # Members that it has not are passed over.
        document = msgspec.defstruct("Document", [("rows", self.rows)])
        self.read: Callable[[Any], Any] = msgspec.json.Decoder(document, strict=self.strict).decode
        self.finish: Optional[Callable[[Any], list[Any]]] = None
        if twin.expression is not None:
            exec(f"def finish(rows):\n    for i, r in enumerate(rows):\n"
                 f"        if r is not None: rows[i] = {twin.expression}\n    return rows", names)
            self.finish = names["finish"]


@lru_cache(maxsize=256)
def struct_plan(header: str, struct: Any) -> StructPlan:
    cols, types = parse_json(header)
    return StructPlan(cols, types, struct)


def decode_structs(doc: Any, struct: Any, loads: Any) -> list[Any]:
    import msgspec
    try:
        return structs_of(doc, struct, loads)
    except (msgspec.DecodeError, UnicodeDecodeError, DocumentError):
        _decode.decode(doc, list)   # says where, if it is no document
        raise


def structs_of(doc: Any, struct: Any, loads: Any) -> list[Any]:
    import msgspec
    plan: Optional[StructPlan] = None
    rows: Optional[list[Any]] = None
    head = head_of(doc) if isinstance(doc, (str, bytes)) and loads is None else None
    if head is not None:
        plan = struct_plan(dumps(head), struct)
        try:
            rows = plan.read(doc).rows
        except msgspec.ValidationError:
            if plan.strict is False:
                raise
    if plan is None or rows is None:    # by column; or the types come last
        parsed, _ = _decode.parse(doc, loads or msgspec.json.decode)
        plan = struct_plan(dumps([parsed["cols"], parsed.get("types")]), struct)
        rows = msgspec.convert(_decode.rows_of(parsed), plan.rows, strict=plan.strict)
    return rows if plan.finish is None else plan.finish(rows)


def head_of(doc: Any) -> Optional[tuple[Any, Any]]:
    """cols and types; most often they are in the first bytes"""
    text = doc if isinstance(doc, str) else doc[:16384].decode(errors="ignore")
    head = _decode.read_head(text)
    if head is None and text is not doc:
        head = _decode.read_head(_decode.text_of(doc))
    return None if head is None else head[:2]
