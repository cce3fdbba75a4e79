"""Every id in a ``proves`` marker stands in the docs, and every test that the docs name is there and carries its id."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
PAGES = (DOCS / "capabilities.md", DOCS / "known-faults.md")
_HEADING = re.compile(r"## (report-\d+|[A-G]\d+)")
_NAMED = re.compile(r"- `([\w/.]+::\w+)`")


def marked() -> Mapping[str, set[str]]:
    """Each id with the tests that carry it, by themselves or through their module."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        shared = {name for statement in tree.body for name in _module_ids(statement)}
        for each in tree.body:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test_"):
                own = {name for decorator in each.decorator_list for name in _ids(decorator)}
                for name in own | shared:
                    found[name].add(f"{file.relative_to(TESTS)}::{each.name}")
    return found


def _module_ids(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Assign) and any(getattr(to, "id", "") == "pytestmark" for to in statement.targets):
        yield from _ids(statement.value)


def _ids(part: ast.AST) -> Iterator[str]:
    for node in ast.walk(part):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "proves":
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))


def claimed() -> Mapping[str, set[str]]:
    """Each id that has a heading in the docs, with the tests named below it."""
    found: dict[str, set[str]] = {}
    for page in PAGES:
        names: set[str] = set()
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                heading = _HEADING.fullmatch(line)
                names = found.setdefault(heading[1], set()) if heading else set()
            elif named := _NAMED.fullmatch(line):
                names.add(named[1])
    return found


def test_every_id_in_a_marker_stands_in_the_docs() -> None:
    assert set(marked()) - set(claimed()) == set()


def test_every_id_in_the_docs_has_a_test_that_carries_it() -> None:
    carriers = marked()
    wrong = {name: tests - carriers.get(name, set()) for name, tests in claimed().items()}
    assert {name: tests for name, tests in wrong.items() if tests} == {}
    assert [name for name, tests in claimed().items() if not tests] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_not_there_yet_is_not_claimed(page: Path) -> None:
    left = page.read_text(encoding="utf-8").rpartition("## Not")[2]
    prefix = "report-" if page.stem == "known-faults" else ""
    names = {prefix + name for name in re.findall(r"\b[A-G]?\d+\b", left)}
    assert names
    assert names & set(claimed()) == set()


def test_every_report_and_capability_is_either_claimed_or_named_as_not_there_yet() -> None:
    text = PAGES[1].read_text(encoding="utf-8").rpartition("## Not")[2]
    left = {f"report-{number}" for number in re.findall(r"\d+", text)}
    assert left | {name for name in claimed() if name.startswith("report-")} == {f"report-{n}" for n in range(1, 41)}
