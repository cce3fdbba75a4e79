"""What a model does by eye: take refs and cells out of the lines that the tools answer with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from deskhand.types.errors import DeskhandError

_WINDOW = re.compile(r"^(?:started|attached|s\d+) .*?\b(w\d+) ", re.MULTILINE)
_ROW = re.compile(r"^ *(\d+)\*? (.*)$")
_CELL = re.compile(r'"(?:[^"\\]|\\.)*"(?:\+\d+)?|[^,]+|(?<=,)(?=,|$)|^(?=,)')


def window_ref(text: str) -> str:
    """The ref of the window that a view is of."""
    if (found := _WINDOW.search(text)) is None:
        raise _missing("a window", text)
    return found[1]


def element_ref(text: str, role: str, name: str = "") -> str:
    """The ref of the first element of this role (and name) in a view, whether it has a line or is an item of one."""
    called = rf" {re.escape(json.dumps(name, ensure_ascii=False))}" if name else r"\b"
    if (found := re.search(rf"\b(r\d+) {role}{called}", text)) is None:
        raise _missing(f'{role} "{name}"', text)
    return found[1]


def grid_rows(text: str) -> dict[int, list[str]]:
    """The rows of the first grid in a view, by their number; a cell that holds nothing is an empty string."""
    rows: dict[int, list[str]] = {}
    inside = False
    for line in text.splitlines():
        row = _ROW.match(line)
        if inside and row is None:
            break
        if inside and row is not None:
            rows[int(row[1])] = [_cell(cell) for cell in _CELL.findall(row[2])]
        inside = inside or line.lstrip().startswith("# ")
    return rows


def named_rows(rows: Mapping[int, list[str]]) -> dict[str, list[str]]:
    """The same rows by what their first cell says."""
    return {cells[0]: cells for cells in rows.values() if cells}


def _cell(said: str) -> str:
    return str(json.loads(said)) if said.startswith('"') else said


def _missing(what: str, text: str) -> DeskhandError:
    first = text.partition("\n")[0]
    return DeskhandError("not_found", f"the agent does not see {what} in the view that begins: {first}")
