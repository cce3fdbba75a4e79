"""select, scroll, menu."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from deskhand.desktop.act.cells import go_to_cell
from deskhand.desktop.act.evidence import Outcome, before, reading, switch
from deskhand.desktop.act.levels import ITEMS, close_popup, dropped_items, is_open, said
from deskhand.desktop.act.pressing import click_at, give_focus, place_now, press_target
from deskhand.desktop.act.scene import QUIET, SETTLE, Scene
from deskhand.desktop.semantics import matching
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.targets import Resolved, parse_place, still_says
from deskhand.platforms.base import ReadLimits
from deskhand.types.errors import DeskhandError, ErrorCode
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Ability, Cell, Grid, Node, State, Tree
from deskhand.types.steps import Step

_ITEM_ROLES = frozenset(
    {"listitem", "option", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem", "row", "radio"}
)
_WHEEL_STEP = 40
"""Pixels that one wheel notch is taken for."""
_WHEEL_MOST, _WHEEL_FASTER = 60, 4
_DRAWN = 0.4
"""Seconds after a turn of the wheel in which what moved tells where it lies."""
_DROPS_WITHIN, _DROPS_BY_KEY, _LOOK_EVERY = 1.5, 0.4, 0.1
"""Seconds within which a combo box must show its items, and how often they are looked for."""
_ROWS_MOST = 500
"""Rows of a table among which a name is looked for."""
_PRESSES = ("click", "press", "activate", "toggle", "select", "Press")


async def select(scene: Scene, step: Step) -> Outcome:
    """Items by name, characters by offsets, cells by range."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    if step.items is not None:
        return await select_items(scene, step, target, step.items)
    if isinstance(step.range, tuple):
        return await _select_text(scene, target, *step.range)
    return await _select_cells(scene, target, step.range or "")


async def select_items(scene: Scene, step: Step, target: Resolved, names: list[str]) -> Outcome:
    """Select children by name, through the container's selection, else by pressing the item."""
    if target.node.can(Ability.VIRTUAL):
        return await _select_row(scene, step, target, names)
    tree = await scene.platform.read(target.node.key, ReadLimits(hidden=True, depth=8))
    if target.node.role == "combobox" and not any(node.can(Ability.SELECTION) for node in _holders(tree)):
        return await _drop_and_pick(scene, step, target, names)
    items = [_item(tree, target, name) for name in names]
    was = await before(scene, target.node)
    holder = tree.nodes.get(items[0].parent or "") or target.node
    for node in (target.node, holder):
        if node.can(Ability.SELECTION) and all(item.index >= 0 for item in items):
            if not await _chooses(scene, node, [item.index for item in items]):
                continue
            await scene.settle(was.serial)
            if (outcome := await _selected(scene, target, items, names)) is not None:
                return outcome
    if target.node.role == "combobox":
        return await _drop_and_pick(scene, step, target, names)
    return await _press_item(scene, step, target, items, names)


async def _chooses(scene: Scene, node: Node, indices: list[int]) -> bool:
    """Ask a container for its children; False where it has none of these places, or takes none (Swing's trees)."""
    sent, route = scene.sent, scene.route
    scene.sending("accessibility")
    try:
        await scene.platform.select_children(node.key, indices)
    except DeskhandError as error:
        if error.code != "unsupported_action" and (error.code, error.sent) != ("not_found", "no"):
            raise
        if error.sent == "no":
            scene.sent, scene.route = sent, route
        return False
    return True


def _holders(tree: Tree) -> list[Node]:
    """What may hold the items to select: the element itself and menus or lists below it that have several."""
    return [node for node in tree.nodes.values() if node.key == tree.root or node.child_count > 1]


async def _drop_and_pick(scene: Scene, step: Step, target: Resolved, names: list[str]) -> Outcome:
    """Open a combo box that shows its items only then, and click one; what it holds afterwards is read back."""
    if len(names) != 1:
        raise DeskhandError("unsupported_action", f"{target.words} holds one item at a time", target=target.ref)
    old = await _face(scene, target)
    if matching.same_item(names[0], old):
        return Outcome(target.words, "unchanged", old, old)
    await open_combo(scene, target)
    items = await dropped_items(scene, target.node.key)
    found = [node for node, text in items if matching.same_item(names[0], text)]
    if len(found) != 1:
        await close_popup(scene, target.node, target.window)
        raise DeskhandError(
            "ambiguous_target" if found else "not_found", f"{target.words} has {len(found)} items {quote(names[0])}",
            sent=scene.sent, target=target.ref, found=matching.listed([text for _, text in items]),
        )  # fmt: skip
    old = old or next((text for node, text in items if node.has(State.SELECTED)), "")
    if matching.same_item(names[0], old):
        await close_popup(scene, target.node, target.window)
        return Outcome(target.words, "unchanged", old, old)
    item = replace(target, node=found[0], words=f"{target.words} {quote(names[0])}")
    serial = scene.platform.events.serial
    await click_at(scene, await scene.guard.admit(item))
    await scene.settle(serial)
    new = await _face(scene, target) or await _chosen_in_list(scene, target)
    held = matching.same_item(names[0], new)
    return Outcome(target.words, "verified" if held else "changed" if new != old else "unchanged", old, new)


async def _chosen_in_list(scene: Scene, target: Resolved) -> str:
    """What a combo box has chosen that tells it in its open list only: looked up there."""
    await open_combo(scene, target)
    items = await dropped_items(scene, target.node.key)
    await close_popup(scene, target.node, target.window)
    return next((text for node, text in items if node.has(State.SELECTED)), "")


async def open_combo(scene: Scene, target: Resolved) -> None:
    """Open a closed combo box and wait until its items show. Raises ``unsupported_action``."""
    if await is_open(scene, target.node):
        return
    await click_at(scene, target)
    if not await _drops(scene, target, _DROPS_BY_KEY if target.node.has(State.EDITABLE) else _DROPS_WITHIN):
        scene.sending("keyboard")  # a click into the text of an editable one only puts the caret there
        await scene.platform.press_chord("alt+Down")
        if not await _drops(scene, target, _DROPS_WITHIN):
            message = f"{target.words} shows no items when it is pressed"
            raise DeskhandError("unsupported_action", message, sent="yes", target=target.ref)
    await scene.platform.events.quiet(QUIET, min(SETTLE, scene.left))  # popovers grow until they are quiet


async def _drops(scene: Scene, target: Resolved, patience: float) -> bool:
    """Whether its items show within so many seconds."""
    ends = time.monotonic() + min(patience, scene.left)
    while not await dropped_items(scene, target.node.key):
        serial = scene.platform.events.serial
        if time.monotonic() > ends:
            return False
        await scene.platform.events.changed(serial, _LOOK_EVERY)
    return True


async def _face(scene: Scene, target: Resolved) -> str:
    """What a closed combo box shows as its choice."""
    node = await scene.again(target.node.key)
    if node is not None and isinstance(held := reading(node), str) and held:
        return held
    tree = await scene.platform.read(target.node.key, ReadLimits(depth=14))
    items = [item for item in tree.nodes.values() if item.role in ITEMS and item.key != tree.root]
    return said(tree, items[0]) if items else ""


def _item(tree: Tree, target: Resolved, name: str) -> Node:
    items = [node for node in tree.nodes.values() if node.role in _ITEM_ROLES and node.key != tree.root]
    found = [node for node in items if matching.same_item(name, said(tree, node))]
    if len(found) == 1:
        return found[0]
    code: ErrorCode = "ambiguous_target" if found else "not_found"
    listed = matching.listed([said(tree, node) for node in items])
    message = f"{target.words} has {len(found) or 'no'} items called {quote(name)}"
    raise DeskhandError(code, message, target=target.ref, found=listed)


async def _selected(scene: Scene, target: Resolved, items: list[Node], names: list[str]) -> Outcome | None:
    """The outcome where the selection shows in the items or in what the container holds; None where not."""
    live = await scene.platform.refresh([item.key for item in items])
    now = await scene.again(target.node.key)
    old, new = reading(target.node), reading(now)
    if isinstance(new, str) and len(names) == 1 and matching.same_item(names[0], new):
        return Outcome(target.words, "unchanged" if new == old else "verified", old, new)
    if target.node.role == "combobox" and isinstance(new, str):
        return None  # an item chosen in its list alone (Qt) is not yet the box's
    if all(node is not None and switch(node) == "on" for node in live.values()):
        was_on = all(switch(item) == "on" for item in items)
        return Outcome(target.words, "unchanged" if was_on else "verified", note=f"selected {matching.listed(names)}")
    return None


async def _press_item(scene: Scene, step: Step, target: Resolved, items: list[Node], names: list[str]) -> Outcome:
    if len(items) > 1 or (target.node.role == "listbox" and target.node.has(State.MULTISELECTABLE)):
        return await _click_items(scene, step, target, items)
    live = await scene.again(items[0].key)
    if live is None or not live.has(State.SHOWING):
        raise DeskhandError("hidden", f"the item does not show; expand {target.words} first", target=target.ref)
    item = replace(target, node=live, words=f"{target.words} {quote(live.name or names[0])}")
    return await press_target(scene, step, await scene.guard.admit(item), _PRESSES)


async def _click_items(scene: Scene, step: Step, target: Resolved, items: list[Node]) -> Outcome:
    """Several items of a list that takes no selection from outside: a click, and clicks with ctrl."""
    if not target.node.has(State.MULTISELECTABLE) or step.route not in (None, "pointer"):
        raise DeskhandError("unsupported_action", f"{target.words} selects one item at a time", target=target.ref)
    names = [item.name for item in items]
    for number, item in enumerate(items):
        serial = scene.platform.events.serial
        admitted = await scene.guard.admit(replace(target, node=item, words=f"{target.words} {quote(item.name)}"))
        await click_at(scene, admitted, mods="ctrl" if number else None)
        await scene.settle(serial)
    return await _selected(scene, target, items, names) or Outcome(target.words, "unverifiable")


async def _select_row(scene: Scene, step: Step, target: Resolved, names: list[str]) -> Outcome:
    """A row of a table by the text of any of its cells: through its selection, else by clicks."""
    selects = target.node.can(Ability.SELECTION)
    if not selects and step.route not in (None, "pointer"):
        message = f"rows of {target.words} are selected by the pointer only"
        raise DeskhandError("unsupported_action", message, target=target.ref)
    grid = await _whole_table(scene, target)
    cells = [_row_of(grid, target, name) for name in names]
    was = await before(scene, target.node)
    for number, cell in enumerate(cells):
        node = await _still_in_row(scene, target, cell)
        if selects:
            scene.sending("accessibility")
            await scene.platform.select_children(target.node.key, [node.index], extend=number > 0)
            continue
        if not node.has(State.SELECTABLE):
            message = f"rows of {target.words} cannot be selected; click one of its cells"
            raise DeskhandError("unsupported_action", message, sent=scene.sent, target=target.ref)
        place = replace(target, node=node, words=f"{target.words} {quote(cell.text)}", table=target.node.key,
                        place=(cell.row, cell.column))  # fmt: skip
        await click_at(scene, await scene.guard.admit(place), mods="ctrl" if number else None)
    await scene.settle(was.serial)
    if not _hold(await _whole_table(scene, target), names):
        message = f"{target.words} did not select {'these rows' if len(names) > 1 else 'the row'} alone; look again"
        raise DeskhandError("unsupported_action", message, sent="yes", target=target.ref)
    return Outcome(target.words, "verified", note=f"selected {matching.listed(names)}")


async def _still_in_row(scene: Scene, target: Resolved, cell: Cell) -> Node:
    """The cell, read again right before its row is selected by its number: rows come and go."""
    if cell.key is None:
        raise DeskhandError("unsupported_action", f"rows of {target.words} cannot be reached", target=target.ref)
    node = await scene.platform.cell(target.node.key, cell.row, cell.column)
    if not still_says(node, cell.text):
        raise DeskhandError(
            "stale_ref", f"rows of {target.words} moved meanwhile; look again", scene.sent, target.ref,
            expected=quote(cell.text), found=quote(node.text or node.name),
        )  # fmt: skip
    return node


def _row_of(grid: Grid, target: Resolved, name: str) -> Cell:
    """The one row that a name means, by the cell that says it. Raises ``not_found`` or ``ambiguous_target``."""
    found = {cell.row: cell for cell in grid.cells if matching.same_item(name, cell.text)}
    if len(found) == 1:
        return next(iter(found.values()))
    code: ErrorCode = "ambiguous_target" if found else "not_found"
    message = f"{len(found) or 'no'} rows of {target.words} say {quote(name)}"
    texts = matching.listed([cell.text for cell in grid.cells if cell.text])
    raise DeskhandError(code, message, target=target.ref, found=texts)


def _hold(grid: Grid, names: Sequence[str]) -> bool:
    """Whether the selected rows are those that hold these names, one each, and no others."""
    chosen = {cell.row for cell in grid.cells if cell.selected}
    said = [{cell.row for cell in grid.cells if matching.same_item(name, cell.text)} & chosen for name in names]
    return all(len(rows) == 1 for rows in said) and set().union(*said) == chosen


async def _whole_table(scene: Scene, target: Resolved) -> Grid:
    """Also the rows that are scrolled away, as far as they can be read; of a sheet only what shows."""
    limits = ReadLimits(rows=_ROWS_MOST)
    shown = await scene.platform.grid(target.node.key, None, limits)
    if shown.spreadsheet:
        return shown
    return await scene.platform.grid(target.node.key, (0, 0, shown.rows, shown.columns), limits)


async def _select_text(scene: Scene, target: Resolved, first: int, last: int) -> Outcome:
    if target.node.can(Ability.MISSELECTS):
        message = f"{target.words} tells a wrong selection: read its text in a view, or drag over it"
        raise DeskhandError("unsupported_action", message, target=target.ref)
    if not target.node.can(Ability.TEXT) or not 0 <= first <= last <= target.node.text_length:
        message = f"{target.words} has {target.node.text_length} characters"
        raise DeskhandError("value_rejected", message, target=target.ref, found=f"0..{target.node.text_length}")
    was = await before(scene, target.node)
    scene.sending("accessibility")
    await scene.platform.select_text(target.node.key, first, last)
    await scene.settle(was.serial)
    chosen = await scene.platform.selection(target.node.key)
    if chosen != (first, last):
        raise DeskhandError(
            "value_rejected", f"{target.words} did not take the selection", sent="yes", target=target.ref,
            expected=f"{first}..{last}", found=str(chosen),
        )  # fmt: skip
    return Outcome(target.words, "verified", note=f"selected {first}..{last}")


async def _select_cells(scene: Scene, target: Resolved, area: str) -> Outcome:
    """Cells from one corner to the other: the cursor on the first, then extended by shifted arrows."""
    first, _, last = area.partition(":")
    start, end = parse_place(first), parse_place(last or first)
    if start is None or end is None or not target.node.can(Ability.TABLE):
        raise DeskhandError("invalid_request", f"{quote(area)} is no range of cells; use B2:D9", target=target.ref)
    down, right = end[0] - start[0], end[1] - start[1]
    if max(abs(down), abs(right)) > 500:
        raise DeskhandError("unsupported_action", "a range of more than 500 rows or columns", target=target.ref)
    corner = await _corner(scene, target, first, start)
    if not await _is_sheet(scene, target):
        await click_at(scene, corner)
        await click_at(scene, await _corner(scene, target, last or first, end), mods="shift" if start != end else None)
        return await _cells_selected(scene, target, area, start, end)
    await go_to_cell(scene, corner)
    scene.sending("keyboard")
    for keys, count in ((_arrow(down, "Down", "Up"), abs(down)), (_arrow(right, "Right", "Left"), abs(right))):
        for _ in range(count):
            await scene.platform.press_chord(f"shift+{keys}")
    return await _cells_selected(scene, target, area, start, end)


async def _corner(scene: Scene, target: Resolved, said: str, place: tuple[int, int]) -> Resolved:
    node = await scene.platform.cell(target.node.key, *place)
    return replace(target, node=node, words=f"{target.words}[{said}]", table=target.node.key, place=place)


async def _is_sheet(scene: Scene, target: Resolved) -> bool:
    return (await scene.platform.grid(target.node.key, None, ReadLimits(rows=1, columns=1))).spreadsheet


def _arrow(distance: int, forward: str, back: str) -> str:
    return forward if distance >= 0 else back


async def _cells_selected(
    scene: Scene, target: Resolved, area: str, start: tuple[int, int], end: tuple[int, int]
) -> Outcome:
    await scene.platform.events.quiet(0.06, min(1.0, scene.left))
    corners = [await scene.platform.cell(target.node.key, *place) for place in dict.fromkeys((start, end))]
    alone = start == end
    if all(node.states & (State.SELECTED | State.FOCUSED) for node in corners) or alone:
        return Outcome(target.words, "verified", note=f"selected {area}")
    return Outcome(target.words, "unverifiable", note=f"selected {area}")


async def scroll(scene: Scene, step: Step) -> Outcome:
    """Into view, to an end, or by pixels with the wheel."""
    assert step.on is not None
    if step.to == "view":
        return await _into_view(scene, step)
    if step.to is not None and step.to not in ("top", "bottom"):
        raise DeskhandError("invalid_request", 'scroll to "top", "bottom" or "view", or by [dx, dy]')
    target = await scene.admit(step, step.on)
    start = await _fingerprint(scene, target)
    point = await place_now(scene, target)
    scene.sending("pointer")
    await scene.platform.move_pointer(*point)
    dx, dy = step.by or (0, (-1 if step.to == "top" else 1) * _WHEEL_STEP * 20)
    moved = await _turn(scene, target, round(dx / _WHEEL_STEP), round(dy / _WHEEL_STEP), step.by is None)
    end = await _fingerprint(scene, target)
    if moved and start != end:
        return Outcome(target.words, "verified")
    if await _tells_places(scene, target):
        return Outcome(target.words, "unchanged")
    return Outcome(target.words, "unverifiable", note="nothing tells where it has scrolled to; look at a screenshot")


async def _tells_places(scene: Scene, target: Resolved) -> bool:
    """Whether scrolling would show in the tree: by what lies inside, or by a bar beside it."""
    tree = await scene.platform.read(target.window.root or target.node.key, ReadLimits())
    inside = tree.nodes.get(target.node.key)
    bars = any(node.role == "scrollbar" for node in tree.nodes.values())
    return bars or target.node.key in tree.grids or (inside is not None and bool(inside.children))


async def _turn(scene: Scene, target: Resolved, dx: int, dy: int, to_end: bool) -> bool:
    """Turn the wheel once, or until nothing moves any more."""
    moved = False
    for turn in range(_WHEEL_MOST if to_end else 1):
        seen, serial = await _fingerprint(scene, target), scene.platform.events.serial
        faster = min(2**turn, _WHEEL_FASTER)  # long documents: each turn goes further than the one before
        await scene.platform.wheel(dx * faster, dy * faster)
        await scene.settle(serial, react=0.25)
        if not await _moves(scene, target, seen):
            return moved
        moved = True
    return moved


async def _moves(scene: Scene, target: Resolved, seen: object) -> bool:
    """Whether anything lies elsewhere now; browsers tell of it when their page is drawn anew, a moment later."""
    ends = time.monotonic() + min(_DRAWN, scene.left)
    while await _fingerprint(scene, target) == seen:
        rest = ends - time.monotonic()
        if rest <= 0:
            return False
        await scene.platform.events.changed(scene.platform.events.serial, min(rest, _DRAWN / 4))
    return True


async def _fingerprint(scene: Scene, target: Resolved) -> object:
    """Where things inside lie and what shows: events announce nothing about scrolling."""
    if target.node.can(Ability.VIRTUAL):
        corner = await scene.platform.grid(target.node.key, None, ReadLimits(rows=1, columns=1))
        if corner.spreadsheet:  # it moves by whole cells
            return corner.view
    tree = await scene.platform.read(target.window.root or target.node.key, ReadLimits())
    grids = tuple(grid.view for grid in tree.grids.values())
    return grids, tuple((_lasting(node), node.bounds, node.number) for node in tree.nodes.values())


def _lasting(node: Node) -> str:
    """What tells an element from others also where its toolkit makes a new object at every read."""
    return f"{node.role} {node.name}" if node.can(Ability.FLEETING) else node.key


async def _into_view(scene: Scene, step: Step) -> Outcome:
    assert step.on is not None
    found = await scene.resolver.resolve(step.on)
    visible = found.node.visible
    if visible is not None and not visible.empty and visible == found.node.bounds:
        return Outcome(found.words, "unchanged", note="already in view")
    await scene.permit(step, found)
    scene.sending("accessibility")
    now = await scene.guard.scrolled(found)
    if now is None or _unseen(now):
        await give_focus(scene, found)
        now = await scene.guard.again(found)
    if now is not None and _unseen(now):
        now = await _wheeled(scene, replace(found, node=now))
    if now is None or _unseen(now):
        raise DeskhandError("unsupported_action", f"{found.words} could not be scrolled into view", target=found.ref)
    return Outcome(found.words, "verified", note="in view")


async def _wheeled(scene: Scene, found: Resolved) -> Node | None:
    """Turn the wheel over what shows around it until it shows, too, or nothing moves (Swing: no bar takes a number)."""
    area, node = await _around(scene, found.node), found.node
    if area is None:
        return node
    scene.sending("pointer")
    await scene.platform.move_pointer(*area.centre)
    notch = 0  # pixels that one turn moves it by, measured
    for _ in range(_WHEEL_MOST):
        if node.bounds is None or not _unseen(node):
            break
        serial, away = scene.platform.events.serial, node.bounds.centre.y - area.centre.y
        turns = max(1, abs(away) // notch) if notch else 1
        await scene.platform.wheel(0, turns if away > 0 else -turns)
        await scene.settle(serial, react=0.25)
        again = await scene.guard.again(found)
        if again is None or again.bounds is None or again.bounds == node.bounds:
            return again
        notch = max(1, abs(again.bounds.y - node.bounds.y) // turns)
        node = again
    return node


async def _around(scene: Scene, node: Node) -> Rect | None:
    """The nearest part of the window around an element that shows."""
    above: Node | None = node
    while above is not None and above.parent:
        above = await scene.again(above.parent)
        if above is not None and above.visible is not None and not above.visible.empty:
            return above.visible
    return None


def _unseen(node: Node) -> bool:
    return node.visible is None or node.visible.empty
