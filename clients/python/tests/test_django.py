"""Django's ORM"""
import os
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import django
import pytest
from examples import blocks, by_tool, run
from django.conf import settings

APP = types.ModuleType("films")
APP.__path__ = [os.path.dirname(__file__)]
sys.modules["films"] = APP
settings.configure(INSTALLED_APPS=["films"], DATABASES={"default": {
    "ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"], "HOST": os.environ["PGHOST"],
    "PORT": os.environ["PGPORT"], "USER": os.environ["PGUSER"]}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()

from django.contrib.postgres.aggregates import JSONBAgg  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.models import F, OuterRef, Q, Value  # noqa: E402
from django.db.models.functions import JSONObject  # noqa: E402
from jsonrow.django import JsonrowAgg, JsonrowField, JsonrowSubquery, ObjectsAgg  # noqa: E402


class Film(models.Model):
    title = models.TextField()
    year = models.IntegerField()

    class Meta:
        app_label = "films"
        db_table = "film"


class Actor(models.Model):
    film = models.ForeignKey(Film, models.CASCADE)
    name = models.TextField()

    class Meta:
        app_label = "films"
        db_table = "actor"


@dataclass
class Item:
    a: int


class Stored(models.Model):
    doc = JsonrowField(null=True)
    items = JsonrowField(into=Item, null=True)

    class Meta:
        app_label = "films"
        db_table = "django_stored"


ACTORS = Actor.objects.filter(film=OuterRef("pk")).order_by("name").values("name")
NAMES = [{"name": "Hurt"}, {"name": "Weaver"}]


@pytest.fixture(scope="module", autouse=True)
def report() -> Iterator[None]:
    with connection.schema_editor() as editor:
        editor.create_model(Stored)
    yield
    with connection.schema_editor() as editor:
        editor.delete_model(Stored)
    connection.close()


def test_aggregates() -> None:
    films = Film.objects.filter(id__lt=3)
    assert films.aggregate(rows=JsonrowAgg("title", "year", order_by="-year")) == {
        "rows": [{"title": "Brazil", "year": 1985}, {"title": "Alien", "year": 1979}]}
    assert films.aggregate(rows=ObjectsAgg("title", next=F("year") + 1, filter=Q(year__gt=1980))) == {
        "rows": [{"title": "Brazil", "next": 1986}]}
    strange = {'a "b", {c}\\': Value(1), "": F("title")}
    assert films.aggregate(rows=JsonrowAgg(**strange, order_by=["title", "-id"])) == {
        "rows": [{'a "b", {c}\\': 1, "": "Alien"}, {'a "b", {c}\\': 1, "": "Brazil"}]}
    for aggregate in (JsonrowAgg("title"), ObjectsAgg("title")):
        assert films.filter(year=1).aggregate(rows=aggregate) == films.none().aggregate(rows=aggregate) == {"rows": []}


def test_groups() -> None:
    rows = Actor.objects.values("film__title").annotate(actors=JsonrowAgg("name", "film__year", order_by="name"))
    assert list(rows.order_by("film__title")) == [{"film__title": "Alien", "actors": [
        {"name": "Hurt", "film__year": 1979}, {"name": "Weaver", "film__year": 1979}]}]
    ids = JsonrowAgg(a=F("actor__id"), order_by="actor__id", into=Item)
    (film,) = Film.objects.annotate(ids=ids).filter(title="Alien")
    assert film.ids == [Item(1), Item(2)]
    (row,) = Actor.objects.values("film_id").annotate(actors=JsonrowAgg(a=F("id"), order_by="id", into=Item))
    assert row == {"film_id": 1, "actors": [Item(1), Item(2)]}


def test_subquery() -> None:
    films = Film.objects.annotate(actors=JsonrowSubquery(ACTORS)).order_by("id")
    assert [(film.title, film.actors) for film in films] == [("Alien", NAMES), ("Brazil", [])]


def test_nested() -> None:
    expected = {"rows": [{"title": "Alien", "actors": NAMES}, {"title": "Brazil", "actors": []}]}
    for aggregate in (JsonrowAgg, ObjectsAgg):
        rows = Film.objects.aggregate(rows=aggregate("title", actors=JsonrowSubquery(ACTORS), order_by="id"))
        assert rows == expected


def test_field() -> None:
    rows = [{"a": 1, "d": date(2024, 5, 1)}, {"a": Decimal("0.10")}]
    made = Stored.objects.create(doc=rows, items={"cols": ["a"], "rows": [[1]]})
    made.full_clean()
    made.refresh_from_db()
    assert made.doc == [{"a": 1, "d": "2024-05-01"}, {"a": "0.10", "d": None}] and made.items == [Item(1)]
    made.doc = None
    made.save()
    made.refresh_from_db()
    assert made.doc is None and Stored.objects.filter(doc__isnull=True).count() == 1
    assert Stored.objects.filter(items__cols=["a"]).count() == Stored.objects.filter(items__rows__0__0=1).count() == 1
    assert list(Stored.objects.values_list("items__cols", flat=True)) == [["a"]]
    with connection.cursor() as cursor:
        cursor.execute("SELECT domain_name FROM information_schema.columns "
                       "WHERE table_name = 'django_stored' AND column_name = 'doc'")
        assert cursor.fetchall() == [("jsonrow",)]


def test_another_schema() -> None:
    with connection.cursor() as cursor:
        cursor.execute('CREATE SCHEMA "My %% ""Ext"; ALTER EXTENSION jsonrow SET SCHEMA "My %% ""Ext"', [])
    try:
        other = 'My % "Ext'
        alien = Film.objects.filter(id=1).aggregate(rows=JsonrowAgg("title", schema=other))
        assert alien == {"rows": [{"title": "Alien"}]}
        films = Film.objects.annotate(actors=JsonrowSubquery(ACTORS, schema=other)).order_by("id")
        assert [film.actors for film in films] == [NAMES, []]
        assert JsonrowField(schema=other).db_type(connection) == '"My %% ""Ext".jsonrow'
        assert JsonrowField(schema=other).deconstruct()[3] == {"schema": other}
    finally:
        with connection.cursor() as cursor:
            cursor.execute('ALTER EXTENSION jsonrow SET SCHEMA public; DROP SCHEMA "My %% ""Ext"', [])


def test_migrations() -> None:
    field: Any = Stored._meta.get_field("items")
    assert field.deconstruct()[1:] == ("jsonrow.django.JsonrowField", [], {"null": True, "into": Item})
    assert Stored._meta.get_field("doc").deconstruct()[3] == {"null": True}
    assert field.clone().into is Item


def test_readme() -> None:
    (example,) = [block for block in blocks("python") if "jsonrow.django" in block]
    assert run(example, {"__name__": "films.models", "Film": Film, "Actor": Actor}) == 2


def test_by_tool() -> None:
    space: dict[str, Any] = {"Film": Film, "Actor": Actor, "OuterRef": OuterRef}
    exec(by_tool("Django"), space)
    assert [(film.title, film.actors) for film in space["films"].order_by("id")] == [("Alien", NAMES), ("Brazil", [])]


def test_json_of_django_is_accelerated() -> None:
    films = Film.objects.annotate(actors=JSONBAgg(JSONObject(name="actor__name")))
    with connection.cursor() as cursor:
        cursor.execute("LOAD 'jsonrow'")
        cursor.execute("SET jsonrow.accelerate = on")
        plan = films.explain(verbose=True)
        cursor.execute("RESET jsonrow.accelerate")
    assert "jsonrow_core_jsonb_agg(" in plan
    assert not re.search(r"(?<!jsonrow_core_)jsonb_(agg|build_object)\(", plan, re.I)
