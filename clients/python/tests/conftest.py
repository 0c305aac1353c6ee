"""The server that PGHOST etc. name; and results as TAP, in the file that $TAP names."""
import json
import os
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest


class Tap:
    def __init__(self, path: str) -> None:
        self.file = open(path, "w", encoding="utf-8")
        self.count = 0

    def pytest_collection_finish(self, session: Any) -> None:
        print(f"1..{len(session.items)}", file=self.file)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when != "call" and report.passed:
            return
        if report.when == "teardown":
            print(f"# {report.nodeid}: failed afterwards", file=self.file)
            return
        self.count += 1
        name = report.nodeid.removeprefix("tests/").replace("#", "")
        print("ok" if report.passed else "not ok", self.count, "-", name, file=self.file, flush=True)
        if report.failed:
            print(*("# " + line for line in report.longreprtext.splitlines()), sep="\n", file=self.file, flush=True)


def pytest_configure(config: Any) -> None:
    if "TAP" in os.environ:
        config.pluginmanager.register(Tap(os.environ["TAP"]))


@pytest.fixture(scope="session", autouse=True)
def extension() -> None:
    with psycopg.connect(autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS jsonrow")
        connection.execute("""
            CREATE TABLE film (id int PRIMARY KEY, title text NOT NULL, year int, rating numeric(3,1));
            CREATE TABLE actor (id int PRIMARY KEY, film_id int REFERENCES film, name text NOT NULL);
            INSERT INTO film VALUES (1, 'Alien', 1979, 8.5), (2, 'Brazil', 1985, NULL);
            INSERT INTO actor VALUES (1, 1, 'Weaver'), (2, 1, 'Hurt')""")


class Database:
    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def execute(self, sql: str, *parameters: Any) -> None:
        self.connection.execute(sql, parameters or None)

    def text(self, sql: str, *parameters: Any) -> Any:
        """The only value of a query, as text"""
        row = self.connection.execute(f"SELECT v::text FROM ({sql}) q(v)", parameters or None).fetchone()
        return row[0]

    def value(self, sql: str, *parameters: Any) -> Any:
        return json.loads(self.text(sql, *parameters))


@pytest.fixture
def db() -> Iterator[Database]:
    with psycopg.connect(autocommit=True) as connection:
        yield Database(connection)
