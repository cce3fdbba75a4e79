"""What a step changes, as it can be looked at again and put back: the ground of ``on_failure: undo``."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deskhand.desktop.act.cells import is_sheet_cell
from deskhand.desktop.act.evidence import switch
from deskhand.desktop.act.levels import is_open, said
from deskhand.desktop.act.prose import is_prose
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.semantics import roles
from deskhand.desktop.targets import Resolved, parse_place
from deskhand.platforms.base import ReadLimits
from deskhand.types.nodes import Ability, Node, State
from deskhand.types.steps import Step

Look = Callable[[], Awaitable[Any]]
Back = Callable[[Any, Any], "list[Step] | str"]
"""From what was before and what was after the step: the steps that put it back, or why none does."""
UNKNOWN = "its effect is not known to be reversible"
_SWITCHES = frozenset({"checkbox", "toggle", "switch", "menuitemcheckbox"})
_CHOSEN = frozenset(
    {"listitem", "option", "tab", "treeitem", "row", "radio", "menuitem", "menuitemcheckbox", "menuitemradio"}
)
_ROWS_MOST = 500
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
_SPOKEN_FOR = ("=", "'")
"""What a cell's text begins with only where it was put in with more than its characters."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that a step changes. ``words`` name what it is of; ``look`` gives a value that can be compared."""

    words: str
    look: Look
    back: Back


def aspect_of(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    """What the step changes; why it cannot be put back where that is so."""
    make = _ASPECTS.get(step.do)
    return make(scene, step, target) if make is not None else UNKNOWN


def _written(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    """set, append, type: a text, a number, a cell, a switch, a choice."""
    if target is None:
        return "where it was typed is not known"
    node = target.node
    if node.has(State.PROTECTED):
        return "a secret is not read, so it cannot be put back"
    if is_sheet_cell(target):
        return _cell(scene, target)
    if node.role in (*_SWITCHES, "radio"):
        return _switched(scene, step, target)
    if node.role == "combobox" and not node.has(State.EDITABLE):
        return _chosen(scene, step, target)
    if node.role in roles.NUMERIC and node.can(Ability.VALUE):
        return _number(scene, target)
    if node.role == "terminal" or not node.has(State.EDITABLE) or node.text is None:
        return UNKNOWN
    if is_prose(node) and any(char in str(step.value) for char in "\n\t"):
        return "its line breaks and tabs may have changed other paragraphs"
    if step.do == "type" and not node.has(State.MULTILINE) and any(char in str(step.value) for char in "\n\t"):
        return "its line breaks and tabs are keys that may do more than write"
    return Aspect(target.words, lambda: _text(scene, target.node.key), _set_back(target.ref))


async def _text(scene: Scene, key: str) -> str | None:
    node = await scene.again(key)
    if node is None or node.text is None or node.text_length <= len(node.text):
        return node.text if node is not None else None
    return await scene.platform.text(key, 0, -1)


def _set_back(ref: str) -> Back:
    def back(old: Any, _: Any) -> list[Step] | str:
        return "what it held could not be read" if old is None else [Step(do="set", on=ref, value=old)]

    return back


def _number(scene: Scene, target: Resolved) -> Aspect:
    async def look() -> float | None:
        node = await scene.again(target.node.key)
        return node.number if node is not None else None

    return Aspect(target.words, look, _set_back(target.ref))


def _cell(scene: Scene, target: Resolved) -> Aspect:
    """A sheet's cell: its formula where it has one, else its number, else its text."""

    async def look() -> tuple[str, str, float | None]:
        assert target.table is not None
        assert target.place is not None
        node = await scene.platform.cell(target.table, *target.place)
        return node.formula, node.text or "", await scene.platform.cell_number(target.table, *target.place)

    return Aspect(target.words, look, lambda old, _: _cell_back(target.ref, *old))


def _cell_back(ref: str, formula: str, text: str, number: float | None) -> list[Step] | str:
    """What is typed into a cell is taken for a number where it looks like one, and a number shows rounded."""
    if formula or not _NUMBER.fullmatch(text):
        if not formula and text[:1] in _SPOKEN_FOR:
            return "typed again, its text would be taken for a formula"
        return [Step(do="set", on=ref, value=formula or text)]
    if number is None:
        return "whether it held a number or a text, and which digits, cannot be known"
    if number == 0 and float(text) != 0:
        return "it held a text that would come back as a number"
    return [Step(do="set", on=ref, value=text if float(text) == number else repr(number))]


def _switched(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    if target is None:
        return UNKNOWN
    if target.node.role == "radio":
        return _radio(scene, target)

    async def look() -> str | None:
        node = await scene.again(target.node.key)
        return switch(node) if node is not None else None

    def back(old: Any, _: Any) -> list[Step] | str:
        if old not in ("on", "off"):
            return f"it was {old or 'not there'}, which no step brings back"
        return [Step(do="check" if old == "on" else "uncheck", on=target.ref)]

    return Aspect(target.words, look, back)


def _radio(scene: Scene, target: Resolved) -> Aspect:
    """Which of a group of radio buttons is on."""
    base = scene.bases.get(target.window.key)
    group = [n for n in base.nodes.values() if n.role == "radio" and n.parent == target.node.parent] if base else []

    async def look() -> str | None:
        live = await scene.platform.refresh([node.key for node in group])
        return next((key for key, node in live.items() if node is not None and switch(node) == "on"), None)

    def back(old: Any, _: Any) -> list[Step] | str:
        ref = scene.world.refs.known(old) if old else None
        return [Step(do="check", on=ref)] if ref else "no button of its group was on before"

    return Aspect(target.words, look, back)


def _pressed(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    """A press or click does what the application likes; of a switch it is known."""
    plain = (step.button or "left", step.count or 1, step.mods) == ("left", 1, None)
    if target is None or not plain or target.node.role not in _SWITCHES:
        return UNKNOWN
    return _switched(scene, step, target)


def _opened(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    if target is None:
        return UNKNOWN

    async def look() -> bool | None:
        node = await scene.again(target.node.key)
        return await is_open(scene, node) if node is not None else None

    def back(old: Any, _: Any) -> list[Step] | str:
        if old is None:
            return "whether it was open is not known"
        return [Step(do="expand" if old else "collapse", on=target.ref)]

    return Aspect(target.words, look, back)


def _selected(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    if target is None:
        return UNKNOWN
    if step.items is not None:
        return UNKNOWN if target.node.role in ("menu", "menubar") else _chosen(scene, step, target)
    if isinstance(step.range, tuple):
        return _characters(scene, target)
    return _cells(scene, target)


def _chosen(scene: Scene, step: Step, target: Resolved) -> Aspect:
    """The names of the selected items; of a table, the first text of each selected row."""

    async def look() -> tuple[str, ...]:
        if target.node.can(Ability.TABLE):
            return await _rows(scene, target)
        node = await scene.again(target.node.key)
        if node is not None and node.role == "combobox" and node.text:
            return (node.text,)
        tree = await scene.platform.read(target.node.key, ReadLimits(hidden=True, depth=8))
        items = [n for n in tree.nodes.values() if n.role in _CHOSEN and n.key != tree.root]
        return tuple(said(tree, item) for item in items if item.states & (State.SELECTED | State.CHECKED))

    def back(old: Any, _: Any) -> list[Step] | str:
        if not old or not all(old):
            return "nothing was selected before, and no step selects nothing"
        return [Step(do="select", on=target.ref, items=list(old))]

    return Aspect(target.words, look, back)


async def _rows(scene: Scene, target: Resolved) -> tuple[str, ...]:
    grid = await scene.platform.grid(target.node.key, None, ReadLimits(rows=1))
    view = None if grid.spreadsheet else (0, 0, grid.rows, grid.columns)
    grid = await scene.platform.grid(target.node.key, view, ReadLimits(rows=_ROWS_MOST))
    first: dict[int, str] = {}
    for cell in grid.cells:
        if cell.selected:
            first.setdefault(cell.row, cell.text)
    return tuple(first.values())


def _characters(scene: Scene, target: Resolved) -> Aspect:
    def back(old: Any, _: Any) -> list[Step] | str:
        return "what was selected is not known" if old is None else [Step(do="select", on=target.ref, range=old)]

    return Aspect(target.words, lambda: scene.platform.selection(target.node.key), back)


def _cells(scene: Scene, target: Resolved) -> Aspect:
    """The sheet's cursor or selected range, as its name box tells it."""

    async def look() -> str | None:
        base = scene.bases.get(target.window.key)
        boxes = [n for n in base.nodes.values() if n.role == "textbox" and _is_area(n.text or "")] if base else []
        live = await scene.platform.refresh([box.key for box in boxes[:1]])
        return next((node.text for node in live.values() if node is not None), None)

    def back(old: Any, _: Any) -> list[Step] | str:
        if not old or not _is_area(old):
            return "which cells were selected before is not known"
        return [Step(do="select", on=target.ref, range=old)]

    return Aspect(target.words, look, back)


def _is_area(text: str) -> bool:
    first, _, last = text.partition(":")
    return text[:1].isalpha() and parse_place(first) is not None and (not last or parse_place(last) is not None)


def _scrolled(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    """Scroll bars tell where they are, and can be set; without them nothing is exact."""
    if target is None:
        return UNKNOWN
    base = scene.bases.get(target.window.key)
    bars = _bars(base.nodes, target.node) if base is not None else []
    if not bars:
        return "no scroll bar tells how far it was scrolled"

    async def look() -> tuple[tuple[str, float | None], ...]:
        live = await scene.platform.refresh([bar.key for bar in bars])
        return tuple((key, node.number if node is not None else None) for key, node in live.items())

    def back(old: Any, now: Any) -> list[Step] | str:
        moved = [(key, number) for (key, number), (_, other) in zip(old, now, strict=True) if number != other]
        refs = [(scene.world.refs.known(key), number) for key, number in moved]
        if any(ref is None or number is None for ref, number in refs):
            return "its scroll bar cannot be set"
        return [Step(do="set", on=ref, value=number) for ref, number in refs if ref is not None]

    return Aspect(target.words, look, back)


def _bars(nodes: Mapping[str, Node], node: Node) -> list[Node]:
    """The scroll bars beside it or beside what holds it, nearest first."""
    current: Node | None = node
    while current is not None:
        near = [nodes[key] for key in current.children if key in nodes and nodes[key].role == "scrollbar"]
        bars = [bar for bar in near if bar.can(Ability.VALUE) and bar.number is not None]
        if bars:
            return bars
        current = nodes.get(current.parent or "")
    return []


def _focused(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    async def look() -> str | None:
        node = await scene.platform.focused()
        window = scene.world.active(await scene.world.windows())
        return scene.world.refs.bind(node, window.key) if node is not None else None

    def back(old: Any, _: Any) -> list[Step] | str:
        return [Step(do="focus", on=old)] if old else "what had the focus before is not known"

    return Aspect(target.words if target else "", look, back)


def _clipboard(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    def back(old: Any, _: Any) -> list[Step] | str:
        return [Step(do="clipboard", op="write", value=old)] if old is not None else "it held no text before"

    return Aspect("clipboard", scene.platform.read_clipboard, back)


def _windowed(scene: Scene, step: Step, target: Resolved | None) -> Aspect | str:
    """A window's place, whether it is minimised, and which window is active."""
    if step.op == "close" or not isinstance(step.on, str):
        return "a closed window does not come back" if step.op == "close" else UNKNOWN
    name = step.on

    async def look() -> tuple[str, tuple[int, ...], bool, str]:
        window = await scene.world.window(name)
        found = await scene.world.windows()
        active = next((scene.world.refs.window_ref(w.key) for w in found if w.active and not w.popup), "")
        return scene.world.refs.window_ref(window.key), tuple(window.frame or window.bounds), window.minimised, active

    return Aspect(name, look, lambda old, now: _window_back(step, old, now))


def _window_back(step: Step, old: Any, now: Any) -> list[Step]:
    """Place first, then whether it is minimised, at last which window is active."""
    (ref, was, minimised, active), (_, place, hidden, front) = old, now
    steps: list[Step] = []
    if was != place and not minimised and not hidden:
        if step.op in ("maximise", "restore"):
            steps.append(Step(do="window", on=ref, op="restore" if step.op == "maximise" else "maximise"))
        else:
            ops = [op for op, differs in (("move", was[:2] != place[:2]), ("resize", was[2:] != place[2:])) if differs]
            steps += [Step(do="window", on=ref, op=op, rect=was) for op in ops]
    if minimised != hidden:
        steps.append(Step(do="window", on=ref, op="minimise" if minimised else "restore"))
    if active and (active != front or steps):
        steps.append(Step(do="window", on=active, op="activate"))
    return steps


_ASPECTS: dict[str, Callable[[Scene, Step, Resolved | None], Aspect | str]] = {
    "set": _written, "append": _written, "type": _written, "check": _switched, "uncheck": _switched,
    "press": _pressed, "click": _pressed, "expand": _opened, "collapse": _opened, "select": _selected,
    "scroll": _scrolled, "window": _windowed, "clipboard": _clipboard, "focus": _focused,
}  # fmt: skip
