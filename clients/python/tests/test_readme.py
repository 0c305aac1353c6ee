"""The examples of the README give what stands below them; and the package is whole."""
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import psycopg
import pytest
from examples import blocks, run



@pytest.fixture(scope="module")
def namespace() -> Any:
    """Tables of the README's own; PGOPTIONS for all connections of its examples"""
    with psycopg.connect(autocommit=True) as connection:
        connection.execute("CREATE SCHEMA readme")
        connection.execute("SET search_path = readme, public")
        connection.execute("".join(blocks("sql")))
    os.environ["PGOPTIONS"] = "-c search_path=readme,public"
    space: dict[str, Any] = {"__name__": "readme"}
    sys.modules["readme"] = type(sys)("readme")
    yield space
    space["connection"].close()
    space["engine"].dispose()
    del os.environ["PGOPTIONS"]
    with psycopg.connect(autocommit=True) as connection:
        connection.execute("DROP SCHEMA readme CASCADE")


EXAMPLES = [block for block in blocks("python") if "jsonrow.django" not in block]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(1, len(EXAMPLES) + 1))
def test_example(namespace: Any, example: str) -> None:
    assert run(example, namespace) or "SET jsonrow" in example


def test_extras_are_what_is_tested() -> None:
    """Of each library the extra wants at least the release that the tests do"""
    top = Path(__file__).parent.parent
    extras = tomllib.loads((top / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    tested = dict(re.findall(r"^([a-z]+)(?:\[\w+\])?>=([\d.]+)", (top / "tests/requirements.txt").read_text(), re.M))
    for wanted in sum(extras.values(), []):
        name, least = wanted.split(">=")
        assert tested[name] == least
    readme = (top / "README.md").read_text()
    assert all(f"`{name}`" in readme for name in extras)


def test_what_is_imported_when() -> None:
    """None of the libraries, until it is used"""
    code = "import sys, jsonrow; print(*{name.split('.')[0] for name in sys.modules})"
    imported = set(subprocess.check_output([sys.executable, "-c", code], text=True).split())
    assert "jsonrow" in imported and not imported & {
        "pandas", "polars", "pyarrow", "numpy", "msgspec", "pydantic", "sqlalchemy", "django", "psycopg", "orjson"}


def test_mypy_strict(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text("""
import dataclasses
import io
from typing import Any, Iterator, NamedTuple, Optional, TypedDict
import jsonrow
import psycopg
from jsonrow.psycopg import documents
from psycopg.rows import class_row, dict_row

@dataclasses.dataclass
class Film:
    title: str

class FilmDict(TypedDict):
    title: str

class FilmTuple(NamedTuple):
    title: str

films: list[Film] = jsonrow.decode("", Film)
dicts: list[dict[str, Any]] = jsonrow.decode(b"")
more: Iterator[Film] = jsonrow.iter_lines(io.StringIO(), Film)
rows: Iterator[dict[str, Any]] = jsonrow.iter_rows([])
wrong: list[int] = jsonrow.decode("", Film)  # type: ignore[arg-type, assignment]
typed: list[FilmDict] = jsonrow.decode("", FilmDict)
named: str = jsonrow.decode("", FilmTuple)[0].title

def fetch(connection: psycopg.Connection[Any]) -> Optional[dict[str, Any]]:
    with connection.cursor(row_factory=documents(films=FilmDict)) as cursor:
        row: Optional[tuple[Any, ...]] = cursor.fetchone()
    with connection.cursor(row_factory=documents(class_row(Film), title=Film)) as cursor2:
        film: Optional[Film] = cursor2.fetchone()
    return connection.cursor(row_factory=documents(dict_row, films=Film)).fetchone()

async def afetch(connection: psycopg.AsyncConnection[Any]) -> Optional[dict[str, Any]]:
    return await connection.cursor(row_factory=documents(dict_row, films=Film)).fetchone()
""")
    top = Path(__file__).parent.parent
    package = os.path.dirname(__import__("jsonrow").__file__)
    assert os.path.exists(os.path.join(package, "py.typed"))
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", top / "pyproject.toml", package, sample],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_bench(tmp_path: Path) -> None:
    doc, objects = tmp_path / "doc", tmp_path / "objects"
    doc.write_text('{"cols":["a",{"b":[["c"]]}],"rows":[[1,[["x"]]],[2,[]]]}')
    objects.write_text('[{"a":1,"b":[{"c":"x"}]},{"a":2,"b":[]}]')
    script = Path(__file__).parent.parent / "bench.py"
    times = json.loads(subprocess.check_output([sys.executable, script, doc, objects, "2"]))
    assert {"json: objects", "json: dicts", "msgspec: structs, array_like", "orjson: dicts"} < set(times)
    assert all(time > 0 for time in times.values())
