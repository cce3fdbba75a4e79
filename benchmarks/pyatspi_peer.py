"""Run by the system's python: what a competent user of pyatspi would write, timed where it runs.

One JSON command a line on stdin, one JSON answer a line on stdout. Times are of the work alone: starting, importing,
finding the window and printing are not counted. pyatspi caches as it does by default.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pyatspi

SPEAK_BY_NAME = {
    "label", "menu", "menu item", "check menu item", "radio menu item", "push button", "toggle button", "button",
    "check box", "radio button", "page tab", "link", "heading", "tool tip", "separator",
}  # fmt: skip
HAVE_NUMBERS = {"slider", "spin button", "scroll bar", "progress bar", "level bar"}
TAKE_LABELS = {"text", "entry", "password text", "combo box", "spin button", "slider", "list box", "list", "text box"}
TABLES = {"table", "tree table", "tree"}
MANY = 400
HEAD = 2000


class Windows:
    """Finds windows, and keeps the elements last seen so that acting on them costs no search."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], Any] = {}

    def find(self, title: str) -> tuple[Any, bool]:
        """The window with this title, and whether its toolkit is GTK4 (which tells VISIBLE only)."""
        for application in pyatspi.Registry.getDesktop(0):
            for window in application or ():
                if window is not None and window.name == title:
                    gtk4 = application.toolkitName == "GTK" and application.toolkitVersion.startswith("4")
                    return window, gtk4
        raise LookupError(title)

    def walk(self, title: str) -> dict[str, Any]:
        """Everything that shows in a window, each element with all that deskhand reads of it."""
        window, gtk4 = self.find(title)
        started = time.perf_counter()
        found = list(shown(window, gtk4))
        seconds = time.perf_counter() - started
        self.seen = {(node["role"], node["name"]): element for element, node in found}
        self.seen |= {(node["role"], ""): element for element, node in reversed(found)}  # the first of its role
        return {"seconds": seconds, "nodes": [node for _, node in found]}

    def act(self, title: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
        """Each step done, then the window read again: that is how its effect is known."""
        window, gtk4 = self.find(title)
        started = time.perf_counter()
        for step in steps:
            element = self.seen[step["role"], step["name"]]
            do(element, step)
            until_true(partial(holds, element, step))
            list(shown(window, gtk4))
        return {"seconds": time.perf_counter() - started}


def shown(root: Any, gtk4: bool) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The showing elements below a window, parents first; what does not show is left with all that is below it."""
    shows = pyatspi.STATE_VISIBLE if gtk4 else pyatspi.STATE_SHOWING
    frame = pyatspi.WINDOW_COORDS if gtk4 else pyatspi.DESKTOP_COORDS
    waiting = [root]
    while waiting:
        element = waiting.pop()
        states = element.getState()
        if element is not root and not states.contains(shows):
            continue
        node, inside = described(element, states, frame, shows)
        yield element, node
        waiting += reversed(inside)


def described(element: Any, states: Any, frame: int, shows: int) -> tuple[dict[str, Any], list[Any]]:
    """Its attributes, and its children."""
    role, interfaces = element.getRoleName(), element.get_interfaces()
    node = {
        "key": f"{element.app.bus_name}{element.path}", "role": role, "name": element.name,
        "description": element.description, "states": [int(state) for state in states.getStates()],
        "interfaces": list(interfaces), "bounds": None, "text": None, "value": None, "label": None,
    }  # fmt: skip
    if "Component" in interfaces:
        box = element.queryComponent().getExtents(frame)
        node["bounds"] = (box.x, box.y, box.width, box.height)
    if "Text" in interfaces and role != "password text" and not (node["name"] and role in SPEAK_BY_NAME):
        text = element.queryText()
        node["text"] = text.getText(0, min(text.characterCount, HEAD))
    if "Value" in interfaces and role in HAVE_NUMBERS:
        value = element.queryValue()
        node["value"] = (value.currentValue, value.minimumValue, value.maximumValue)
    if role in TAKE_LABELS and (not node["name"] or role == "combo box"):
        node["label"] = label(element)
    if "Table" in interfaces and role in TABLES:
        node["cells"] = list(cells(element, shows)) if element.childCount <= MANY else []
        return node, [child for child in headers(element)]
    many = element.childCount > MANY
    return node, [] if many else [child for child in element if child is not None]


def cells(table: Any, shows: int) -> Iterator[tuple[str, bool]]:
    """Text and selection of the cells that show and say something: all that deskhand reads of a table's cells."""
    for child in table:
        states = child.getState()
        if not states.contains(shows):
            continue
        if "cell" not in child.getRoleName():
            yield from cells(child, shows)
            continue
        said = spoken(child)
        if said:
            yield said, bool(states.contains(pyatspi.STATE_SELECTED))


def spoken(cell: Any) -> str:
    """Its text, else its name, else what several renderers of one cell say together."""
    if "Text" in cell.get_interfaces():
        return str(cell.queryText().getText(0, -1))
    return str(cell.name) or " ".join(dict.fromkeys(said for part in cell if (said := spoken(part))))


def headers(table: Any) -> list[Any]:
    """The column headers that are elements of their own."""
    asked = table.queryTable()
    found = [asked.getColumnHeader(column) for column in range(min(asked.nColumns, 60))]
    return [head for head in found if head is not None and head.getRoleName() == "table column header"]


def label(element: Any) -> str | None:
    """The name of what labels it."""
    for relation in element.getRelationSet():
        if relation.getRelationType() == pyatspi.RELATION_LABELLED_BY:
            return str(relation.getTarget(0).name)
    return None


def do(element: Any, step: dict[str, Any]) -> None:
    """Press it, or write in it."""
    if step["do"] == "set":
        element.queryEditableText().setTextContents(step["value"])
    elif step["do"] == "number":
        element.queryValue().currentValue = step["value"]
    else:
        element.queryAction().doAction(0)


def holds(element: Any, step: dict[str, Any]) -> bool:
    """Whether it is as the step wanted it."""
    if step["do"] == "set":
        return bool(element.queryText().getText(0, -1) == step["value"])
    if step["do"] == "number":
        return bool(element.queryValue().currentValue == step["value"])
    if step["do"] == "press":
        return True  # what comes of it, the walk tells
    checked = bool(element.getState().contains(pyatspi.STATE_CHECKED))
    return checked is (step["do"] == "check")


def until_true(condition: Callable[[], bool], seconds: float = 2.0) -> None:
    """Ask until it holds."""
    ends = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > ends:
            raise TimeoutError("the step had no effect")


def main() -> None:
    """Answer commands until stdin ends."""
    windows = Windows()
    for line in sys.stdin:
        command = json.loads(line)
        op = command.pop("op")
        with contextlib.redirect_stdout(sys.stderr):
            answer = getattr(windows, op)(**command)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
