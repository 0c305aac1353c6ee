"""SQLAlchemy, with three drivers"""
import asyncio
import os
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Optional

import pytest
from examples import by_tool
from jsonrow.sqlalchemy import Functions, Jsonrow, functions, nested, reflect
from sqlalchemy import DDL, Column, MetaData, Table, create_engine, func, select, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Film(Base):
    __tablename__ = "film"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]


class Actor(Base):
    __tablename__ = "actor"
    id: Mapped[int] = mapped_column(primary_key=True)
    film_id: Mapped[int]
    name: Mapped[str]


class Report(Base):
    __tablename__ = "report"
    id: Mapped[int] = mapped_column(primary_key=True)
    doc: Mapped[Optional[list[Any]]] = mapped_column(Jsonrow)
    text: Mapped[Optional[list[Any]]] = mapped_column(Jsonrow(text=True))


@dataclass
class Name:
    name: str


ACTORS = select(Actor.name).where(Actor.film_id == Film.id).order_by(Actor.name).correlate(Film)
ROWS = [{"id": 1, "title": "Alien", "actors": [{"name": "Hurt"}, {"name": "Weaver"}]},
        {"id": 2, "title": "Brazil", "actors": []}]


def url(driver: str) -> str:
    user, database, port = (os.environ[name] for name in ("PGUSER", "PGDATABASE", "PGPORT"))
    return f"postgresql+{driver}://{user}@/{database}?host={urllib.parse.quote(os.environ['PGHOST'])}&port={port}"


@pytest.fixture(params=["psycopg", "psycopg2"])
def engine(request: Any) -> Iterator[Any]:
    engine = create_engine(url(request.param))
    Base.metadata.tables["report"].create(engine)
    yield engine
    Base.metadata.tables["report"].drop(engine)
    engine.dispose()


QUERIES = [
    (select(Film.id, Film.title, nested(ACTORS).label("actors")).order_by(Film.id),
     [tuple(row.values()) for row in ROWS]),
    (select(nested(select(Film.id, Film.title, nested(ACTORS).label("actors")).order_by(Film.id))), [(ROWS,)]),
    (select(nested(ACTORS, Name)).where(Film.id == 1), [([Name("Hurt"), Name("Weaver")],)]),
    (select(functions.jsonrow_agg(ACTORS.correlate(None).subquery().table_valued())).where(text("true")),
     [([{"name": "Hurt"}, {"name": "Weaver"}],)]),
    (select(functions.jsonrow_objects_agg(select(Film.title).order_by(Film.id).subquery().table_valued())),
     [([{"title": "Alien"}, {"title": "Brazil"}],)]),
    (select(functions.jsoncol_agg_json(select(Film.title).where(Film.id > 5).subquery().table_valued())), [([],)]),
]


@pytest.mark.parametrize("number", range(len(QUERIES)))
def test_queries(engine: Any, number: int) -> None:
    query, expected = QUERIES[number]
    with Session(engine) as session:
        assert [tuple(row) for row in session.execute(query)] == expected


def test_nothing_is_registered() -> None:
    assert type(func.jsonrow_agg(1).type).__name__ == "NullType"


def test_another_schema(engine: Any) -> None:
    metadata = MetaData()
    with engine.begin() as connection:
        connection.execute(text('CREATE SCHEMA "My ""Ext"; ALTER EXTENSION jsonrow SET SCHEMA "My ""Ext"'))
    try:
        with engine.begin() as connection:
            other = 'My "Ext'
            rows = select(Film.title).order_by(Film.id)
            query = select(nested(rows, schema=other), Functions(other).jsonrow_agg(rows.subquery().table_valued()))
            titles = [{"title": "Alien"}, {"title": "Brazil"}]
            assert connection.execute(query).all() == [(titles, titles)]
            made = Table("elsewhere", metadata, Column("doc", Jsonrow(schema=other)))
            metadata.create_all(connection)
            connection.execute(made.insert().values(doc=titles))
            reflected = MetaData()
            reflect(reflected, schema=other)
            found = Table("elsewhere", reflected, autoload_with=connection)
            assert isinstance(found.c.doc.type, Jsonrow) and found.c.doc.type.schema == other
            assert connection.execute(select(found.c.doc)).all() == [(titles,)]
            metadata.drop_all(connection)
    finally:
        with engine.begin() as connection:
            connection.execute(text('ALTER EXTENSION jsonrow SET SCHEMA public; DROP SCHEMA "My ""Ext"'))


def test_by_tool(engine: Any) -> None:
    with Session(engine) as session:
        space: dict[str, Any] = {"session": session, "select": select, "Film": Film, "Actor": Actor}
        exec(by_tool("SQLAlchemy"), space)
        assert space["films"] == [(row["title"], row["actors"]) for row in ROWS]


def test_json_of_sqlalchemy_is_accelerated(engine: Any) -> None:
    query = select(func.json_agg(ACTORS.correlate(None).subquery().table_valued()))
    with engine.connect() as connection:
        connection.execute(text("LOAD 'jsonrow'"))
        connection.execute(text("SET jsonrow.accelerate = on"))
        plan = "\n".join(connection.scalars(text(f"EXPLAIN (VERBOSE) {query.compile(engine)}")))
    assert plan.count("json_agg(") == plan.count("jsonrow_core_json_agg(") > 0


def test_column(engine: Any) -> None:
    with Session(engine) as session:
        session.add(Report(id=1, doc=[{"a": 1}, {"a": 2}], text={"cols": ["x"], "rows": [[1]]}))
        session.add(Report(id=2))
        session.commit()
        assert session.execute(select(Report.doc, Report.text).order_by(Report.id)).all() == [
            ([{"a": 1}, {"a": 2}], [{"x": 1}]), (None, None)]
        stored = session.scalar(text("SELECT doc::text FROM report WHERE id = 1"))
        assert stored == '{"cols": ["a"], "rows": [[1], [2]]}'
        assert session.scalar(select(Report.id).where(Report.doc == [{"a": 1}, {"a": 2}])) == 1


def test_reflection(engine: Any) -> None:
    metadata = MetaData()
    reflect(metadata)
    reflect(metadata)
    report = Table("report", metadata, autoload_with=engine)
    assert isinstance(report.c.doc.type, Jsonrow) and not report.c.doc.type.text and report.c.text.type.text
    with engine.begin() as connection:
        connection.execute(report.insert().values(id=3, doc={"cols": ["y"], "rows": [[2]]}, text=[{"z": None}]))
        assert connection.execute(select(report.c.doc, report.c.text)).all() == [([{"y": 2}], [{"z": None}])]
        report.drop(connection)
        report.create(connection)   # its columns are of the domains again
        domains = text("SELECT string_agg(domain_name, ' ' ORDER BY 1) FROM information_schema.columns "
                       "WHERE table_name = 'report' AND domain_name LIKE 'jsonrow%'")
        assert connection.scalar(domains) == "jsonrow jsonrow_json"


def test_asyncpg() -> None:
    async def run() -> None:
        engine = create_async_engine(url("asyncpg"))
        async with engine.begin() as connection:
            for query, expected in QUERIES:
                assert [tuple(row) for row in await connection.execute(query)] == expected
            await connection.execute(DDL("CREATE TEMP TABLE report (id int, doc jsonrow, text jsonrow_json)"))
            await connection.execute(Base.metadata.tables["report"].insert().values(
                id=1, doc=[{"a": 1}], text={"cols": ["x"], "rows": [[1]]}))
            assert (await connection.execute(select(Report.doc, Report.text))).all() == [([{"a": 1}], [{"x": 1}])]
        await engine.dispose()
    asyncio.run(run())
