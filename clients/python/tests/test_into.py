"""Objects of classes"""
import dataclasses
import json
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Iterable, NamedTuple, NotRequired, Optional, Sequence, TypedDict
from uuid import UUID

import jsonrow
import msgspec
import orjson
import pydantic
import pytest

ROWS = '{"cols":["title",{"actors":[["name",{"prize":["year"]}]]},"rating"],' \
    '"rows":[["Alien",[["Weaver",[1986]],["Hurt",null]],8.5],["Brazil",[],null]]}'
ID = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
TYPED = """{"cols":["id","price","day","bytes","key",{"lines":[["no","at"]]}],
    "types":["int8","numeric(10,2)","date","bytea","uuid",{"lines":["int8","date"]}],
    "rows":[["9007199254740993","0.10","2024-05-01","\\\\x00ff","%s",[["1","2024-05-02"]]]]}""" % ID


@dataclass
class Prize:
    year: int


@dataclass
class Actor:
    name: str
    prize: Optional[Prize]


@dataclass(frozen=True)
class Film:
    title: str
    actors: list[Actor]
    rating: float | None = None
    seen: bool = False
    marks: list[int] = field(default_factory=list, init=False)


class PrizeTuple(NamedTuple):
    year: int


class ActorTuple(NamedTuple):
    name: str
    prize: PrizeTuple | None


class FilmTuple(NamedTuple):
    title: str
    actors: list[ActorTuple]
    rating: float | None
    seen: bool = False


class PrizeDict(TypedDict):
    year: int


class ActorDict(TypedDict):
    name: str
    prize: PrizeDict | None


class FilmDict(TypedDict):
    title: str
    actors: list[ActorDict]
    rating: float | None
    seen: NotRequired[bool]


class PrizeStruct(msgspec.Struct):
    year: int


class ActorStruct(msgspec.Struct):
    name: str
    prize: PrizeStruct | None


class FilmStruct(msgspec.Struct, rename={"stars": "rating"}):
    actors: list[ActorStruct]
    title: str
    stars: float | None
    seen: bool = False


class PrizeArray(msgspec.Struct, array_like=True):
    year: int


class ActorArray(msgspec.Struct, array_like=True):
    name: str
    prize: PrizeArray | None


class FilmArray(msgspec.Struct, array_like=True):
    title: str
    actors: list[ActorArray]
    rating: float | None


class FilmTurned(msgspec.Struct, array_like=True):
    rating: float | None
    title: str
    actors: list[ActorStruct]


class PrizeModel(pydantic.BaseModel):
    year: int


class ActorModel(pydantic.BaseModel):
    name: str
    prize: PrizeModel | None


class FilmModel(pydantic.BaseModel):
    title: str
    actors: list[ActorModel]
    stars: float | None = pydantic.Field(alias="rating")
    seen: bool = False


P1, P2 = Prize(1986), PrizeTuple(1986)
EXPECTED: dict[Any, Any] = {
    Film: [Film("Alien", [Actor("Weaver", P1), Actor("Hurt", None)], 8.5), Film("Brazil", [], None)],
    FilmTuple: [FilmTuple("Alien", [ActorTuple("Weaver", P2), ActorTuple("Hurt", None)], 8.5),
                FilmTuple("Brazil", [], None)],
    FilmDict: [FilmDict(title="Alien", actors=[{"name": "Weaver", "prize": {"year": 1986}},
                                               {"name": "Hurt", "prize": None}], rating=8.5),
               FilmDict(title="Brazil", actors=[], rating=None)],
    FilmStruct: [FilmStruct([ActorStruct("Weaver", PrizeStruct(1986)), ActorStruct("Hurt", None)], "Alien", 8.5),
                 FilmStruct([], "Brazil", None)],
    FilmArray: [FilmArray("Alien", [ActorArray("Weaver", PrizeArray(1986)), ActorArray("Hurt", None)], 8.5),
                FilmArray("Brazil", [], None)],
    FilmTurned: [FilmTurned(8.5, "Alien", [ActorStruct("Weaver", PrizeStruct(1986)), ActorStruct("Hurt", None)]),
                 FilmTurned(None, "Brazil", [])],
    FilmModel: [FilmModel(title="Alien", rating=8.5, actors=[ActorModel(name="Weaver", prize=PrizeModel(year=1986)),
                                                             ActorModel(name="Hurt", prize=None)]),
                FilmModel(title="Brazil", actors=[], rating=None)],
}


def by_column(text: str) -> str:
    doc = json.loads(text)
    return json.dumps({"cols": doc["cols"], "vals": list(zip(*doc["rows"]))})


@pytest.mark.parametrize("into", EXPECTED, ids=lambda into: into.__name__)
@pytest.mark.parametrize("form", [str, str.encode, json.loads, by_column, lambda text: json.dumps(json.loads(text)),
                                  lambda text: text.replace('"rows"', '"types":[1],"rows"'),
                                  lambda text: text[:-1] + ',"types":["text",{"actors":["text",null]},"numeric"]}'],
                         ids=["text", "bytes", "parsed", "by column", "spaces", "bad types", "types last"])
def test_classes(into: Any, form: Any) -> None:
    doc = form(ROWS)
    assert jsonrow.decode(doc, into) == EXPECTED[into]
    assert type(jsonrow.decode(doc, into)[0]) is (dict if into is FilmDict else into)
    if isinstance(doc, (str, bytes)):
        assert jsonrow.decode(doc, into, loads=orjson.loads) == EXPECTED[into]


@pytest.mark.parametrize("into", EXPECTED, ids=lambda into: into.__name__)
def test_null_rows_and_no_rows(into: Any) -> None:
    null = ROWS.replace('"rows":[', '"rows":[null,')
    assert jsonrow.decode(null, into) == [None, *EXPECTED[into]]
    assert jsonrow.decode('{"cols":["title",{"actors":[["name",{"prize":[]}]]},"rating"],"rows":[]}', into) == []


@pytest.mark.parametrize("into", EXPECTED, ids=lambda into: into.__name__)
def test_a_column_that_is_missing(into: Any) -> None:
    with pytest.raises(ValueError, match="title"):
        jsonrow.decode('{"cols":[{"actors":[["name",{"prize":["year"]}]]},"rating"],"rows":[[[],1]]}', into)
    with pytest.raises(ValueError, match="name"):
        jsonrow.decode('{"cols":["title",{"actors":[["no"]]},"rating"],"rows":[["a",[[1]],1]]}', into)


@pytest.mark.parametrize("into", EXPECTED, ids=lambda into: into.__name__)
def test_a_column_that_is_not_wanted(into: Any) -> None:
    doc = ROWS.replace('["title",', '["more","title",').replace('["Alien",', '[{"a":1},"Alien",')
    doc = doc.replace('["Brazil",', '[2,"Brazil",')
    assert jsonrow.decode(doc, into) == EXPECTED[into]


def test_tuples() -> None:
    alien, brazil = jsonrow.decode(ROWS, tuple)
    assert alien.title == "Alien" and alien.actors[0].prize == (1986,) and brazil == ("Brazil", [], None)
    assert jsonrow.decode('{"cols":["a","a","class",""],"rows":[[1,2,3,4]]}', tuple) == [(1, 2, 3, 4)]
    assert jsonrow.decode(ROWS, list) == [["Alien", [["Weaver", [1986]], ["Hurt", None]], 8.5], ["Brazil", [], None]]


@dataclass
class Line:
    no: int
    at: date


@dataclass
class Order:
    id: int
    price: Decimal
    day: date
    bytes: bytes
    key: UUID
    lines: list[Line]


class LineStruct(msgspec.Struct):
    no: int
    at: date


class OrderStruct(msgspec.Struct):
    id: int
    price: Decimal
    day: date
    bytes: bytes
    key: UUID
    lines: list[LineStruct]


class LineModel(pydantic.BaseModel):
    no: int
    at: date


class OrderModel(pydantic.BaseModel):
    id: int
    price: Decimal
    day: date
    bytes: bytes
    key: UUID
    lines: list[LineModel]


VALUES = {"id": 9007199254740993, "price": Decimal("0.10"), "day": date(2024, 5, 1), "bytes": b"\x00\xff",
          "key": UUID(ID)}


@pytest.mark.parametrize("into, line", [(Order, Line), (OrderStruct, LineStruct), (OrderModel, LineModel)])
@pytest.mark.parametrize("form", [str, json.loads, lambda text: json.dumps({"rows": 0, **json.loads(text)})])
def test_typed_headers(into: Any, line: Any, form: Any) -> None:
    expected = into(**VALUES, lines=[line(no=1, at=date(2024, 5, 2))])
    (made,) = jsonrow.decode(form(TYPED), into)
    assert made == expected and str(made.price) == "0.10"


@pytest.mark.parametrize("into", [Order, OrderStruct, OrderModel])
def test_annotations_tell_what_the_header_does_not(into: Any) -> None:
    doc = json.loads(TYPED)
    del doc["types"]
    doc["rows"][0][0], doc["rows"][0][5] = 7, []
    for price in ("0.10", "12345678901234567890.123456789"):
        text = json.dumps(doc).replace('"0.10"', price)
        (made,) = jsonrow.decode(text, into)
        assert made == into(**{**VALUES, "id": 7, "price": Decimal(price)}, lines=[])
        assert str(made.price) == price
    if into is not OrderStruct:
        (made,) = jsonrow.iter_rows([text], into)
        assert str(made.price) == price and made.bytes == b"\x00\xff"


@dataclass
class Many:
    ids: list[int]
    days: tuple[date, ...]
    prices: Sequence[list[Decimal | None]]
    big: int
    rate: float
    other: Any
    flags: Annotated[Optional[tuple[bool, ...]], "unhashable", []]


def test_annotations_of_what_is_in_lists_and_text() -> None:
    """As without types but with jsonrow.big_numbers"""
    cells = [["1", "2"], ["2024-05-01", "infinity"], [["0.10", None], []], "9007199254740993", "NaN",
             {"a": [0.5]}, [True]]
    doc = {"cols": ["ids", "days", "prices", "big", "rate", "other", "flags"], "rows": [cells]}
    for form in (doc, json.dumps(doc)):
        (made,) = jsonrow.decode(form, Many)    # type: ignore[arg-type]
        assert repr(made) == repr(Many([1, 2], (date(2024, 5, 1), "infinity"),  # type: ignore[arg-type]
                                       [[Decimal("0.10"), None], []], 9007199254740993, float("nan"),
                                       {"a": [0.5]}, (True,)))
    cells[3:5], cells[6] = [7, 1.5], None
    assert repr(jsonrow.decode(json.dumps(doc), Many)[0]).endswith("big=7, rate=1.5, other={'a': [0.5]}, flags=None)")


class Holder(msgspec.Struct):
    actors: tuple[ActorStruct, ...]
    more: Annotated[list[ActorStruct], msgspec.Meta(max_length=9)]
    tuples: Optional[tuple[ActorTuple, ...]] = None
    prize: Prize | None = None


@dataclass
class Lists:
    actors: tuple[Actor, ...]
    more: Iterable[Actor]
    tuples: Optional[tuple[ActorTuple, ...]] = None
    prize: Prize | None = None


@pytest.mark.parametrize("into, inner", [(Holder, ActorStruct), (Lists, Actor)])
def test_lists_of_other_kinds(into: Any, inner: Any) -> None:
    head = '["name",{"prize":[]}]'
    doc = '{"cols":[{"actors":[%s]},{"more":[%s]},{"tuples":[%s]},{"prize":["year"]}],"rows":[' % (head, head, head)
    doc += '[[["x",null]],[["y",null]],[["z",null]],[1986]],[[],[],null,null]]}'
    expected = [into((inner("x", None),), [inner("y", None)], (ActorTuple("z", None),), Prize(1986)),
                into((), [], None, None)]
    for form in (doc, doc.encode(), json.loads(doc), doc.replace("],", " ], ")):
        assert jsonrow.decode(form, into) == expected
    assert list(jsonrow.iter_rows([doc], into)) == expected
    wrong = doc.replace('[["z",null]]', "7")
    with pytest.raises(jsonrow.DocumentError, match="row 0, column tuples"):
        jsonrow.decode(wrong, into)
    objects = '[{"actors": [{"name": "x", "prize": null}], "more": [], "tuples": null, "prize": null}]'
    if into is Lists:
        assert list(jsonrow.iter_objects([objects], into)) == [Lists((Actor("x", None),), [])]


def test_numbers_of_objects_are_exact() -> None:
    Price = dataclasses.make_dataclass("Price", [("price", Decimal), ("other", Any)])
    text = '[{"price": 12345678901234567890.10, "other": 0.5}]'
    for rows in (jsonrow.iter_objects([text], Price), jsonrow.iter_object_lines([text[1:-1]], Price)):
        assert list(rows) == [Price(Decimal("12345678901234567890.10"), 0.5)]


class Alias(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    data: bytes = pydantic.Field(validation_alias=pydantic.AliasChoices("bytes", "raw"))
    price: Annotated[Decimal, pydantic.Field(max_digits=40)]


def test_models_by_their_aliases() -> None:
    doc = '{"cols":["raw","price","more"],"rows":[["\\\\x00ff",1234567890123456789.10,0.5]]}'
    (made,) = jsonrow.decode(doc, Alias)
    assert (made.data, str(made.price), made.more) == (b"\x00\xff", "1234567890123456789.10", 0.5)


def test_libraries_check_values() -> None:
    doc = '{"cols":["year"],"rows":[["x"]]}'
    for into in (PrizeStruct, PrizeArray):
        with pytest.raises(msgspec.ValidationError):
            jsonrow.decode(doc, into)
    with pytest.raises(pydantic.ValidationError):
        jsonrow.decode(doc, PrizeModel)


def test_bytes_of_structs() -> None:
    Both = msgspec.defstruct("Both", [("a", bytes), ("b", Optional[bytes])])
    doc = '{"cols":["a","b"],"rows":[[%s,%s]]}'
    assert jsonrow.decode(doc % (r'"\\x00ff"', "null"), Both) == [Both(b"\x00\xff", None)]
    for cells in (("null", "null"), ('"abcd"', "null"), (r'"\\x0"', "null"), (r'"\\x00"', "7")):
        with pytest.raises(msgspec.ValidationError):
            jsonrow.decode(doc % cells, Both)


def test_structs_of_strange_kinds() -> None:
    class Tagged(msgspec.Struct, array_like=True, tag=True):
        a: int

    class Loose(msgspec.Struct):
        a: Any
        b: list[dict[str, Any]]
        c: dict[str, Any] | None = None

    assert jsonrow.decode('{"cols":["a"],"rows":[[1],[2]]}', Tagged) == [Tagged(1), Tagged(2)]
    doc = '{"cols":["a",{"b":[["x"]]},{"c":["y"]},"a"],"rows":[[1,[[2]],[3],4],[1,[],null,5]]}'
    assert jsonrow.decode(doc, Loose) == [
        Loose(4, [{"x": 2}], {"y": 3}), Loose(5, [], None)]


def test_what_cannot_be_decoded_into() -> None:
    for into in (int, object):
        with pytest.raises(TypeError, match="cannot decode into"):
            jsonrow.decode(ROWS, into)
    for inner in (int, set[Actor], list[int], ActorStruct, list[ActorModel]):
        into = dataclasses.make_dataclass("Film", [("actors", inner)])
        with pytest.raises(TypeError, match="cannot decode into .*within"):
            jsonrow.decode(ROWS, into)
    for inner in (Any, object, dict[str, Any], list[dict[str, Any]], list[Any], list, tuple, list[Actor] | None,
                  list[Actor] | dict[str, Any]):
        into = dataclasses.make_dataclass("Film", [("actors", inner)])
        assert jsonrow.decode(ROWS, into)[1] == into([])
