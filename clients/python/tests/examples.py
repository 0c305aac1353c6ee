"""The README's examples, and those of doc/tools.md"""
import ast
import re
from pathlib import Path
from typing import Any

README = Path(__file__).parent.parent / "README.md"
TOOLS = Path(__file__).parent.parent / "tools.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)


def by_tool(tool: str) -> str:
    """The only example of a tool"""
    _, section = TOOLS.read_text(encoding="utf-8").split(f"\n## {tool}\n")
    (example,) = re.findall(r"^```python\n(.*?)^```", re.split("\n##", section)[0], re.M | re.S)
    return str(example)


def run(example: str, namespace: dict[str, Any]) -> int:
    """Runs it.  Below an expression may stand, as a comment, what it gives:
    that is compared, and counted."""
    lines = example.splitlines()
    shown = 0
    for statement in ast.parse(example).body:
        below = lines[statement.end_lineno] if statement.end_lineno and statement.end_lineno < len(lines) else ""
        if isinstance(statement, ast.Expr) and below.startswith("# "):
            value = eval(compile(ast.Expression(statement.value), "README.md", "eval"), namespace)
            assert repr(value) == below.removeprefix("# ")
            shown += 1
        else:
            exec(compile(ast.Module([statement], []), "README.md", "exec"), namespace)
    assert shown == example.count("\n# ")
    return shown
