"""Run by the system's python with pyatspi: what shows in an application, walked without any of deskhand's code.

Prints one JSON object per element that shows: key, role, name, text, bounds, interactive. Elements count as showing by
SHOWING, below a GTK4 window by VISIBLE, and when no ancestor clips them away. A sheet's cells are left out: they are
compared by address elsewhere.
"""

import contextlib
import json
import sys
from typing import Any

import pyatspi

Box = tuple[int, int, int, int] | None

INTERACTIVE = {
    "push button", "toggle button", "check box", "radio button", "menu", "menu item", "check menu item",
    "radio menu item", "text", "entry", "password text", "spin button", "slider", "combo box", "page tab",
    "list item", "link", "table column header", "button", "text box", "switch", "scroll bar", "tree item",
}  # fmt: skip
POPPING = {"menu", "combo box", "frame", "dialog", "window", "file chooser", "alert"}
MANY = 400


def main(wanted: str, title: str, pages: bool) -> None:
    desktop = pyatspi.Registry.getDesktop(0)
    for application in desktop:
        if application is None or application.name != wanted:
            continue
        gtk4 = application.toolkitName == "GTK" and application.toolkitVersion.startswith("4")
        for window in application:
            if window.name == title:
                walk(window, None, gtk4, set(), [], pages)


def walk(node: Any, clip: Box, gtk4: bool, seen: set[str], path: list[str], pages: bool = False) -> None:  # noqa: PLR0917
    """``pages``: inside of a web page also what is laid out but scrolled away."""
    key = f"{node.app.bus_name}{node.path}"
    if key in seen:
        return
    seen.add(key)
    states = node.getState()
    whole = pages and "document web" in path
    if path and not states.contains(pyatspi.STATE_VISIBLE if gtk4 or whole else pyatspi.STATE_SHOWING):
        return
    bounds = extents(node, gtk4)
    seen_part = intersect(bounds, clip)
    role = node.getRoleName()
    if seen_part is not None and seen_part[2] > 0 and seen_part[3] > 0:  # what has no bounds is not drawn
        tell(node, key, states, seen_part, path)
    inner = (
        None
        if (role in POPPING or whole or (pages and role == "document web")) and path
        else clip
        if bounds is None or role == "page tab"
        else seen_part
    )
    if node.childCount <= MANY:
        for child in node:
            if child is not None:
                walk(child, inner, gtk4, seen, [*path, role], pages)


def tell(node: Any, key: str, states: Any, bounds: Box, path: list[str]) -> None:
    role = node.getRoleName()
    text = None
    with contextlib.suppress(NotImplementedError):
        text = node.queryText().getText(0, -1)
    usable = any(states.contains(s) for s in (pyatspi.STATE_FOCUSABLE, pyatspi.STATE_SELECTABLE)) or actions(node)
    said = {"key": key, "role": role, "name": node.name, "text": text, "bounds": bounds, "path": path}
    print(json.dumps({**said, "interactive": role in INTERACTIVE and bool(usable)}))


def actions(node: Any) -> int:
    try:
        return int(node.queryAction().nActions)
    except NotImplementedError:
        return 0


def extents(node: Any, gtk4: bool) -> Box:
    try:
        box = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS if gtk4 else pyatspi.DESKTOP_COORDS)
    except NotImplementedError:
        return None
    return None if box.width < 0 or box.height < 0 else (box.x, box.y, box.width, box.height)


def intersect(box: Box, clip: Box) -> Box:
    if box is None or clip is None:
        return box
    left, top = max(box[0], clip[0]), max(box[1], clip[1])
    right, bottom = min(box[0] + box[2], clip[0] + clip[2]), min(box[1] + box[3], clip[1] + clip[3])
    return (left, top, max(0, right - left), max(0, bottom - top))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], "pages" in sys.argv[3:])
