"""press, click, hover, drag, invoke, check, uncheck, expand, collapse, focus."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from deskhand.desktop.act.cells import go_to_cell, in_sheet, is_sheet_cell, wheel_to_row
from deskhand.desktop.act.evidence import Before, Outcome, before, switch, watched
from deskhand.desktop.act.guard import click_point
from deskhand.desktop.act.levels import close_popup, is_open, leave_menus
from deskhand.desktop.act.looking import Looks
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.semantics import roles
from deskhand.desktop.targets import Resolved, parse_place
from deskhand.platforms.base import MouseButton, ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point
from deskhand.types.nodes import Ability, Node, State
from deskhand.types.steps import Selector, Step

_DEFAULT_ACTIONS = (
    "click", "press", "activate", "toggle", "jump", "open", "Press", "Toggle", "doDefault", "default.activate",
)  # fmt: skip
_TURNS_A_ROW = "expand or contract"
"""GTK3's action of a tree's row; a click would only select the row."""
_OPENERS = (_TURNS_A_ROW, "expand", "toggle", "activate", "click", "press", "Show Menu", "ShowMenu", "Press")
_CLICK_DOES_SOMETHING = roles.SPEAKING | {"menu", "tab", "columnheader", "slider", "scrollbar"}
"""Clicking these does more than giving them the focus."""
_TURNED_BY_KEYS = frozenset({"cell", "treeitem"})
_DRAG_TAKEN = 0.15
_TAKEN_UP = 2
"""Seconds, and after which of eight moves: what is dragged is taken up by another process than the one that gets the
moves (a browser's page)."""
_SHIELD = 0.55
"""Seconds in which the buttons of a browser's dialog that has just come heed no press (Chromium: 0.5)."""
FOCUS_SECONDS = 1.2
_SAME_PLACE = 2
"""Pixels within which an element made anew lies where it lay."""
_DRAGGED = 12
"""Pixels by which a pointer has been dragged, not just shaken (Qt: more than 10)."""
_OVER = 0.08
"""Seconds that a drag rests over its end, three times (GTK3's drag and drop asks its target by messages)."""

_TOOLTIP_GOES, _TOOLTIP_LOOK = 1.0, 0.03
"""Seconds that a tooltip has to go in, and between two looks at it: not every toolkit announces that."""


async def press(scene: Scene, step: Step) -> Outcome:
    """The default action by the accessibility bus; a real click where it offers none."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    return await press_target(scene, step, target, _DEFAULT_ACTIONS)


async def press_target(
    scene: Scene, step: Step, target: Resolved, wanted: tuple[str, ...], earlier: Before | None = None
) -> Outcome:
    """Press what has been admitted, by the first of the ``wanted`` actions that it has.

    ``earlier`` is the state to compare with where the press ends something begun before.
    """
    action = next((name for name in wanted if name in target.node.actions), None)
    if action not in (None, _TURNS_A_ROW) and step.route is None and _better_clicked(target.node):
        action = None
    if step.route == "keyboard" or (action is None and step.route == "accessibility"):
        raise DeskhandError("unsupported_action", f"{target.words} cannot be pressed by that route", target=target.ref)
    await unshielded(scene, target)
    was = replace(earlier, node=target.node) if earlier else await before(scene, target.node)
    if action is None or step.route == "pointer":
        await click_at(scene, target)
    else:
        await leave_menus(scene, target)
        scene.sending("accessibility")
        await scene.platform.do_action(target.node.key, action)
    return await watched(scene, target, was)


async def unshielded(scene: Scene, target: Resolved) -> None:
    """Nothing tells how long a shielded button has shown, so that its time is waited for."""
    if target.node.can(Ability.SHIELDED):
        await asyncio.sleep(min(_SHIELD, scene.left))


def _better_clicked(node: Node) -> bool:
    """Whether its toolkit says so; a menu is opened by its action, so that the pointer need not travel."""
    if node.role == "cell":
        return True  # a click selects its row; its action, if any, activates or edits it
    return node.can(Ability.CLICK_FIRST) and node.role != "menu" and click_point(node) is not None


async def click(scene: Scene, step: Step) -> Outcome:
    """A real pointer click."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    await unshielded(scene, target)
    was = await before(scene, target.node)
    await click_at(scene, target, step.button or "left", step.count or 1, step.mods)
    return await watched(scene, target, was)


async def click_at(
    scene: Scene, target: Resolved, button: MouseButton = "left", count: int = 1, mods: str | None = None
) -> None:
    """Click in the middle of what shows. Modifiers are released whatever happens."""
    target = await _reached(scene, target)
    # toolkits may count a click shortly before with these; no event tells when not
    await asyncio.sleep(scene.clicked.left(click_point(target.node), count))
    point = await place_now(scene, target)
    scene.sending("pointer")
    if mods:  # first: a keyboard that lacks one refuses before anything is sent
        await scene.platform.press_chord(mods, True)
    try:
        if target.node.can(Ability.ON_POPUP):  # a menu of Qt under a pointer that does not move takes no click
            point = _beside(point, await scene.platform.pointer(), target.node)
            await scene.platform.move_pointer(point.x + 1, point.y)
        await onto(scene, point)
        for _ in range(count):
            await scene.platform.press_button(button, True)
            await scene.platform.press_button(button, False)
        scene.clicked.was(point)
    finally:
        if mods:
            await scene.platform.press_chord(mods, False)


async def onto(scene: Scene, point: Point) -> None:
    """The pointer goes there; where it is already, from a pixel beside.

    What a popover has covered GTK 4 finds below the pointer again only when that moves (measured: under load, a click
    on a menu's button right after its popover had been closed by a key went nowhere).
    """
    if await scene.platform.pointer() == point:
        await scene.platform.move_pointer(point.x + 1, point.y)
    await scene.platform.move_pointer(*point)


def _beside(point: Point, pointer: Point, node: Node) -> Point:
    """Another point of an item of a menu that has opened under the pointer: Qt waits for it to be dragged as far."""
    near = abs(point.x - pointer.x) + abs(point.y - pointer.y) <= _DRAGGED
    room = node.bounds is not None and node.bounds.w > 4 * _DRAGGED
    return Point(point.x + _DRAGGED + 2, point.y) if near and room else point


async def _reached(scene: Scene, target: Resolved) -> Resolved:
    """A cell that is scrolled away comes into view under the table's cursor."""
    if target.table is None or target.place is None or click_point(target.node) is not None:
        return target
    if is_sheet_cell(target) or not await wheel_to_row(scene, target):
        await go_to_cell(scene, target)
    scene.aside = "scrolled into view"
    return replace(target, node=await scene.platform.cell(target.table, *target.place))


async def place_now(scene: Scene, target: Resolved) -> Point:
    """Where the pointer has to go, looked up right before it goes there. Raises ``hidden``, ``occluded``."""
    now = await scene.guard.confirm(target, passing=True)
    if not await scene.guard.below_tooltip(now):
        return _point(now)
    await _shake_off(scene, now)
    return _point(await scene.guard.confirm(target))


async def _shake_off(scene: Scene, target: Resolved) -> None:
    """A tooltip goes when the pointer leaves what it tells about, also onto the tooltip itself."""
    scene.sending("pointer")
    await scene.platform.move_pointer(*_point(target))
    ends = time.monotonic() + min(_TOOLTIP_GOES, scene.left)
    while await scene.guard.below_tooltip(target) and (rest := ends - time.monotonic()) > 0:
        serial = scene.platform.events.serial
        await scene.platform.events.changed(serial, min(rest, _TOOLTIP_LOOK))


def _point(target: Resolved) -> Point:
    point = click_point(target.node)
    if point is None:
        raise DeskhandError("hidden", f"{target.words} has no place on the screen", target=target.ref)
    return point


async def hover(scene: Scene, step: Step) -> Outcome:
    """The pointer rests on it."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    was = await before(scene, target.node)
    point = await place_now(scene, target)
    scene.sending("pointer")
    await scene.platform.move_pointer(*point)
    return await watched(scene, target, was)


async def drag(scene: Scene, step: Step) -> Outcome:
    """Press on it, move to another element or by an offset in pixels, release."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    onto = None if isinstance(step.to, tuple) else await _admitted_end(scene, step)
    was = await before(scene, target.node)
    start = await place_now(scene, target)  # its end may have been scrolled into view, and it out of it
    end = await place_now(scene, onto) if onto is not None else await _offset(scene, step, target, start)
    scene.sending("pointer")
    await scene.platform.move_pointer(*start)
    await scene.platform.press_button("left", True)
    try:
        for part in range(1, 9):
            x = start.x + (end.x - start.x) * part // 8
            await scene.platform.move_pointer(x, start.y + (end.y - start.y) * part // 8)
            if part == _TAKEN_UP:
                await asyncio.sleep(_DRAG_TAKEN)
        await rest_over(scene, end)
    finally:
        await scene.platform.press_button("left", False)
        scene.clicked.was(start)
    outcome = await watched(scene, target, was)
    return replace(outcome, verdict="changed") if outcome.verdict == "verified" and outcome.bare else outcome


async def rest_over(scene: Scene, end: Point) -> None:
    """Stay where it ends as a hand does: what is dragged over answers that it takes it before the button is let go."""
    for x in (end.x + 1, end.x):
        await asyncio.sleep(_OVER)
        await scene.platform.move_pointer(x, end.y)
    await asyncio.sleep(_OVER)


async def _admitted_end(scene: Scene, step: Step) -> Resolved:
    assert isinstance(step.to, str | Selector)
    return await scene.guard.admit(await scene.resolver.resolve(step.to))


async def _offset(scene: Scene, step: Step, target: Resolved, start: Point) -> Point:
    """Where a drag by pixels ends. Raises ``hidden`` beyond the screen: the pointer would stop at its edge."""
    assert isinstance(step.to, tuple)
    end, screen = Point(start.x + step.to[0], start.y + step.to[1]), await scene.platform.screen()
    if not screen.contains(*end):
        message = f"{target.words} would be dragged beyond the screen's edge; give a smaller offset"
        found = f"{end.x},{end.y} on a screen of {screen.w}x{screen.h}"
        raise DeskhandError("hidden", message, sent=scene.sent, target=target.ref, found=found)
    return end


async def invoke(scene: Scene, step: Step) -> Outcome:
    """Another action that the element lists."""
    assert step.on is not None
    assert step.action is not None
    target = await scene.admit(step, step.on)
    if step.action not in target.node.actions:
        found = ", ".join(target.node.actions) or "none"
        raise DeskhandError("unsupported_action", f"{target.words} has no such action", target=target.ref, found=found)
    was = await before(scene, target.node)
    scene.sending("accessibility")
    await scene.platform.do_action(target.node.key, step.action)
    return await watched(scene, target, was)


async def check(scene: Scene, step: Step) -> Outcome:
    """On."""
    return await _switch_to(scene, step, "on")


async def uncheck(scene: Scene, step: Step) -> Outcome:
    """Off."""
    return await _switch_to(scene, step, "off")


async def _switch_to(scene: Scene, step: Step, wanted: str) -> Outcome:
    assert step.on is not None
    target = await scene.admit(step, step.on)
    node = target.node
    if not (node.has(State.CHECKABLE) or node.role in ("toggle", "checkbox", "switch", "radio")):
        raise DeskhandError("unsupported_action", f"{target.words} is neither on nor off", target=target.ref)
    if switch(node) == wanted:
        return Outcome(target.words, "unchanged", note=f"already {wanted}")
    was = await before(scene, node)
    outcome = await press_target(scene, step, target, _DEFAULT_ACTIONS, was)
    now = await scene.again(node.key)
    if now is not None and switch(node) == "mixed" and switch(now) not in ("mixed", wanted):  # on comes after off
        again = await scene.guard.admit(replace(target, node=now))
        outcome = replace(await press_target(scene, step, again, _DEFAULT_ACTIONS, was), before="mixed")
        now = await scene.again(node.key)
    return _must_hold(outcome, target, now, wanted)


def _must_hold(outcome: Outcome, target: Resolved, now: Node | None, wanted: str) -> Outcome:
    if now is not None and switch(now) != wanted:
        raise DeskhandError(
            "value_rejected", f"{target.words} did not turn {wanted}", sent="yes", target=target.ref,
            expected=wanted, found=switch(now),
        )  # fmt: skip
    return outcome


async def expand(scene: Scene, step: Step) -> Outcome:
    """Expanded."""
    return await _open_to(scene, step, True)


async def collapse(scene: Scene, step: Step) -> Outcome:
    """Collapsed."""
    return await _open_to(scene, step, False)


async def _open_to(scene: Scene, step: Step, wanted: bool) -> Outcome:
    assert step.on is not None
    target = await scene.admit(step, step.on, covered=wanted)  # what is open may lie under its own list
    node, word = target.node, "expanded" if wanted else "collapsed"
    if await is_open(scene, node) is wanted:
        return Outcome(target.words, "unchanged", note=f"already {word}")
    if not node.has(State.EXPANDABLE) and node.role not in ("menu", "combobox", "button", "toggle", "treeitem"):
        raise DeskhandError("unsupported_action", f"{target.words} cannot be {word}", target=target.ref)
    if not wanted and node.role in ("menu", "combobox"):
        await close_popup(scene, node, target.window)  # pressing an open menu does nothing
        outcome = Outcome(target.words, "unchanged")
    elif node.role in _TURNED_BY_KEYS and not set(_OPENERS) & set(node.actions):
        outcome = await _turned(scene, target, "Right" if wanted else "Left")
    else:
        target = target if wanted else await scene.guard.admit(target)
        outcome = await press_target(scene, step, target, _OPENERS)
    now = await scene.guard.again(target)
    if now is not None and await is_open(scene, now) is wanted:
        was = "collapsed" if wanted else "expanded"
        return Outcome(target.words, "verified", was, word, outcome.note, bare=True)
    return outcome


async def _turned(scene: Scene, target: Resolved, keys: str) -> Outcome:
    """A row of a tree that offers no action for it: the key that opens or closes the row in front of the cursor."""
    await click_at(scene, await scene.guard.admit(target))
    await scene.settle(scene.platform.events.serial)
    was = await before(scene, (await scene.guard.admit(target)).node)
    scene.sending("keyboard")
    await scene.platform.press_chord(keys)
    await scene.settle(was.serial)
    return Outcome(target.words, "unchanged")


async def focus(scene: Scene, step: Step) -> Outcome:
    """The keyboard focus is on it."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    if target.node.has(State.FOCUSED) and target.window.active:
        return Outcome(target.words, "unchanged", note="already focused")
    await give_focus(scene, target)
    return Outcome(target.words, "verified", note="focused")


async def give_focus(scene: Scene, target: Resolved) -> None:
    """Focus through the toolkit, else by a click; ``focus_lost`` when it has it not in the end."""
    if is_sheet_cell(target):
        await go_to_cell(scene, target)
        return
    if await has_focus(scene, target):
        return
    if not target.window.active:
        scene.sending("accessibility")
        await scene.platform.window_operation(target.window.key, "activate")
    if target.node.can(Ability.VIRTUAL) and (cell := await _cursor_cell(scene, target)) is not None:
        target, focusable = cell, True  # a click into the sheet would move its cursor
    else:
        focusable = not _click_does_more(target.node)
    if await _asked_to_focus(scene, target) and await _focus_arrives(scene, target):
        return
    if not focusable:
        message = f"{target.words} does not take the focus, and a click would do more; press it, or key Tab"
        raise DeskhandError("unsupported_action", message, sent=scene.sent, target=target.ref)
    await click_at(scene, target)
    if not await _focus_arrives(scene, target):
        raise DeskhandError("focus_lost", f"{target.words} does not take the focus", sent="yes", target=target.ref)


def _click_does_more(node: Node) -> bool:
    """Whether a click does more than giving the focus; of a combo box without a field it opens the list."""
    chooses = node.role == "combobox" and not node.has(State.EDITABLE)
    return chooses or node.role in _CLICK_DOES_SOMETHING


async def _cursor_cell(scene: Scene, target: Resolved) -> Resolved | None:
    """The cell of a spreadsheet that its cursor is on; None for other tables.

    While something else has the focus, only the name box tells. Raises ``focus_lost`` where nothing does.
    """
    grid = await scene.platform.grid(target.node.key, None, ReadLimits(rows=1, columns=1))
    if not grid.spreadsheet:
        return None
    base = scene.bases.get(target.window.key)
    texts = [n.text or "" for n in base.nodes.values() if n.role == "textbox"] if base else []
    addresses = [text.partition(":")[0] for text in texts]
    place = next((found for text in addresses if text[:1].isalpha() and (found := parse_place(text))), None)
    if place is None:
        message = f"where the cursor of {target.words} is, nothing tells; click one of its cells"
        raise DeskhandError("focus_lost", message, sent=scene.sent, target=target.ref)
    return replace(target, node=await scene.platform.cell(target.node.key, *place), table=target.node.key, place=place)


async def _asked_to_focus(scene: Scene, target: Resolved) -> bool:
    """Ask the toolkit; False where it offers no way (GTK 4.8), and then nothing was sent."""
    sent, route = scene.sent, scene.route
    scene.sending("accessibility")
    try:
        await scene.platform.focus(target.node.key)
    except DeskhandError as error:
        if error.code != "unsupported_action":
            raise
        scene.sent, scene.route = sent, route
        return False
    return True


async def _focus_arrives(scene: Scene, target: Resolved) -> bool:
    ends, looks = time.monotonic() + min(FOCUS_SECONDS, scene.left), Looks(scene.platform.events)
    while not await has_focus(scene, target):
        serial, rest = scene.platform.events.serial, ends - time.monotonic()
        if rest <= 0:
            return False
        await looks.again(serial, min(rest, FOCUS_SECONDS / 4))
    return True


async def has_focus(scene: Scene, target: Resolved) -> bool:
    """Whether keys would go to it now: its window is active and the element, or one inside of it, has the focus."""
    active = next((w for w in await scene.world.windows() if w.active), None)
    if active is None or active.key != target.window.key:
        return False
    focused = await scene.platform.focused()
    if focused is None:
        return False
    if is_sheet_cell(target):
        live = await scene.again(target.node.key)
        return live is not None and live.has(State.FOCUSED) and in_sheet(focused, target.table, target.node.key)
    if target.node.can(Ability.VIRTUAL) and in_sheet(focused, target.node.key, ""):
        return True
    return (
        _made_anew(focused, target.node)
        or focused.key == target.node.key
        or await _is_inside(scene, focused, target.node.key)
        or await _shares_focus(scene, focused, target.node.key)
    )


async def still_there(scene: Scene, target: Resolved | None) -> None:
    """Right before the keys: they still go where they were meant, and judged, to go (report 34)."""
    if target is not None and not await has_focus(scene, target):
        active = scene.world.active(await scene.world.windows())
        raise DeskhandError(
            "focus_lost", f"{target.words} lost the focus before a key was sent; look again", sent=scene.sent,
            target=target.ref, found=scene.world.window_words(active),
        )  # fmt: skip


async def _shares_focus(scene: Scene, focused: Node, key: str) -> bool:
    """Whether it has the focus with what it lies in: a combo box of Qt 5 and its field both say so."""
    if focused.role != "combobox":
        return False
    now = await scene.again(key)
    return now is not None and now.has(State.FOCUSED) and await _is_inside(scene, now, focused.key)


def _made_anew(focused: Node, node: Node) -> bool:
    """Whether the focused object is the same element under another key: alike, and in the same place."""
    if not focused.can(Ability.FLEETING) or (focused.role, focused.name) != (node.role, node.name):
        return False
    if focused.bounds is None or node.bounds is None:
        return focused.bounds == node.bounds
    return all(abs(one - other) <= _SAME_PLACE for one, other in zip(focused.bounds, node.bounds, strict=True))


async def _is_inside(scene: Scene, node: Node, key: str) -> bool:
    seen = 0
    current: Node | None = node
    while current is not None and current.parent and seen < 30:
        if current.parent == key:
            return True
        current = await scene.again(current.parent)
        seen += 1
    return False
