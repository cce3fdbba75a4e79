"""Setting a spreadsheet's cells: numbers by the value interface, anything else typed where the cursor was put."""

from __future__ import annotations

import re
import time

from deskhand.desktop.act.evidence import Outcome, before
from deskhand.desktop.act.looking import Looks
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.targets import Resolved, parse_place
from deskhand.platforms.base import ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Ability, Node, State
from deskhand.types.steps import Step

_ARRIVES, _LOOK = 2.0, 0.15
"""Seconds within which the cursor must arrive, and between two looks at it."""
_TURNS_MOST, _ROWS_A_NOTCH = 40, 3
EDIT_MODE = "F2"
_LAST_ROW = 1_048_575
_FIELDS = frozenset({"textbox", "combobox", "spinbutton"})
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


async def set_cell(scene: Scene, step: Step, target: Resolved) -> Outcome:
    """Put a value into one cell and read it back; what the application made of it is told."""
    wanted, old = _as_typed(step), target.node.text or ""
    if old == wanted and not target.node.formula:
        return Outcome(target.words, "unchanged", old, old)
    if "\n" in wanted or "\t" in wanted:
        raise DeskhandError("value_rejected", "a cell takes one line without tabs", target=target.ref)
    was = await before(scene, target.node)
    await go_to_cell(scene, target)
    scene.sending("keyboard")
    if not wanted:
        await scene.platform.press_chord("Delete")
        await step_aside_and_back(scene, target)
    else:
        await scene.platform.type_text(wanted)
        scene.delivered()
        # Delete drops what auto-completion proposes behind the cursor; where it proposes nothing, nothing happens.
        await scene.platform.press_chord("Delete")
        await scene.platform.press_chord("Return")
    await scene.settle(was.serial)
    return await _read_back(scene, target, old, wanted)


def _as_typed(step: Step) -> str:
    value = step.value
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


async def go_to_cell(scene: Scene, target: Resolved) -> None:
    """Put the sheet's cursor on a cell and prove that it is there. Raises ``focus_lost`` before any key."""
    if not target.window.active:
        scene.sending("accessibility")
        await scene.platform.window_operation(target.window.key, "activate")
    serial = scene.platform.events.serial
    scene.sending("accessibility")
    await scene.platform.focus(target.node.key)
    await scene.settle(serial)
    if is_sheet_cell(target):
        await _leave_field(scene, target)
    await _prove_cursor(scene, target)
    if is_sheet_cell(target):
        await step_aside_and_back(scene, target)
        await _prove_cursor(scene, target)


async def _leave_field(scene: Scene, target: Resolved) -> None:
    """A field of a toolbar that has the focus keeps the keys, wherever the cursor is put: Escape gives them back.

    Measured on LibreOffice 7.4's name box, which nothing that the accessibility bus offers takes the focus from.
    """
    now = await scene.platform.focused()
    if now is None or now.role not in _FIELDS or in_sheet(now, target.table, target.node.key):
        return
    serial = scene.platform.events.serial
    scene.sending("keyboard")
    await scene.platform.press_chord("Escape")
    scene.delivered()
    await scene.settle(serial)


async def wheel_to_row(scene: Scene, target: Resolved) -> bool:
    """Turn the wheel over a table until a row shows; False where turning it moves nothing."""
    assert target.table is not None
    assert target.place is not None
    table = (await scene.platform.refresh([target.table])).get(target.table)
    area = (table.visible or table.bounds) if table else None
    if area is None or area.empty:
        return False
    scene.sending("pointer")
    await scene.platform.move_pointer(*area.centre)
    seen = None
    for _ in range(_TURNS_MOST):
        first, _, last, _ = (await scene.platform.grid(target.table, None, ReadLimits())).view
        if first <= target.place[0] < last - 1 or (first, last) == seen:
            return first <= target.place[0] < last
        seen, serial = (first, last), scene.platform.events.serial
        away = target.place[0] - (first + last) // 2
        await scene.platform.wheel(0, round(away / _ROWS_A_NOTCH) or (1 if away > 0 else -1))
        await scene.settle(serial)
    return False


async def _prove_cursor(scene: Scene, target: Resolved) -> None:
    """The cursor on the cell, at once or after what is still to be drawn. Raises ``focus_lost``."""
    assert target.table is not None
    assert target.place is not None
    ends, looks = time.monotonic() + min(_ARRIVES, scene.left), Looks(scene.platform.events)
    while True:
        serial = scene.platform.events.serial
        cell, now = await scene.platform.cell(target.table, *target.place), await scene.platform.focused()
        # A sheet keeps the focus for itself and marks the cell under its cursor as focused, too.
        if cell.has(State.FOCUSED) and now is not None and in_sheet(now, target.table, cell.key):
            return
        if time.monotonic() >= ends:
            break
        await looks.again(serial, _LOOK)
    found = f"{now.role} {quote(now.name)}" if now else "unknown"
    raise DeskhandError(
        "focus_lost", f"the cursor is not on {target.words}", sent="yes", target=target.ref,
        expected=target.node.name, found=found,
    )  # fmt: skip


def is_sheet_cell(target: Resolved) -> bool:
    """Whether it is a spreadsheet's cell: those are called by their address."""
    place = target.place
    return (
        place is not None
        and target.node.can(Ability.TEXT)
        and target.node.name[:1].isalpha()
        and parse_place(target.node.name) == place
    )


async def step_aside_and_back(scene: Scene, target: Resolved) -> None:
    """Move the cursor to a neighbour and back, as a person's keys would.

    A cursor that was put by the accessibility bus leaves earlier selections as they are (Delete would empty them all)
    and the view where it was; and a cell that was emptied tells its old text until the cursor has left it (measured:
    LibreOffice 7.4).
    """
    assert target.place is not None
    serial = scene.platform.events.serial
    scene.sending("keyboard")
    for keys in ("Down", "Up") if target.place[0] < _LAST_ROW else ("Up", "Down"):
        await scene.platform.press_chord(keys)
    scene.delivered()
    await scene.settle(serial)


def in_sheet(focus: Node, table: str | None, cell: str) -> bool:
    """Whether keys go to the sheet. Calc's input line mirrors the cell as a paragraph, and the pane around all may
    claim the focus with it; a field that really has it (name box, find bar) is a textbox."""
    return focus.key in (table, cell) or focus.role in ("paragraph", "generic")


async def append_to_cell(scene: Scene, step: Step, target: Resolved) -> Outcome:
    """Add at the end of what a cell holds, in its edit mode: a formula grows, a number gets more digits."""
    more, old = _as_typed(step), target.node.text or ""
    if not more or "\n" in more or "\t" in more:
        raise DeskhandError("value_rejected", "a cell takes one line without tabs", target=target.ref)
    was = await before(scene, target.node)
    await go_to_cell(scene, target)
    scene.sending("keyboard")
    await scene.platform.press_chord(EDIT_MODE)
    scene.delivered()
    await scene.settle(scene.platform.events.serial)
    await scene.platform.type_text(more)
    await scene.platform.press_chord("Return")
    await scene.settle(was.serial)
    return await _read_back(scene, target, old, old + more)


async def _read_back(scene: Scene, target: Resolved, old: str, wanted: str) -> Outcome:
    assert target.table is not None
    assert target.place is not None
    now: Node = await scene.platform.cell(target.table, *target.place)
    held = now.text or ""
    if held == wanted or _same_number(held, wanted):
        note = "replaced a formula" if target.node.formula and not now.formula else ""
        return Outcome(target.words, "verified", old, held, note)
    if wanted.startswith("="):
        return Outcome(
            target.words, "changed" if held != old else "unverifiable", old, held, note="entered as a formula"
        )
    if held == old:
        raise DeskhandError(
            "value_rejected", f"{target.words} kept what it held", sent="yes", target=target.ref,
            expected=quote(wanted), found=quote(held),
        )  # fmt: skip
    return Outcome(target.words, "changed", old, held, note="the application shows it its own way")


def _same_number(held: str, wanted: str) -> bool:
    return bool(_NUMBER.fullmatch(held) and _NUMBER.fullmatch(wanted)) and float(held) == float(wanted)
