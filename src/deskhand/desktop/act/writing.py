"""set, append, type, key, clipboard. Set is not append; what was written is read back."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from deskhand.desktop.act.cells import append_to_cell, is_sheet_cell, set_cell
from deskhand.desktop.act.dates import date_parts, set_date
from deskhand.desktop.act.evidence import (
    KEY_PATIENCE,
    Before,
    Outcome,
    answered,
    before,
    elsewhere,
    reading,
    watched,
    windows_note,
)
from deskhand.desktop.act.looking import Looks
from deskhand.desktop.act.pressing import FOCUS_SECONDS, check, give_focus, still_there, uncheck
from deskhand.desktop.act.prose import add_paragraphs, append_prose, is_prose, require_lines, set_prose, type_prose
from deskhand.desktop.act.scene import REACT, Scene
from deskhand.desktop.act.selecting import select_items
from deskhand.desktop.act.shortcuts import as_typed
from deskhand.desktop.semantics import roles
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.targets import Resolved
from deskhand.platforms.base import ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.keynames import sequence, x_name
from deskhand.types.nodes import Ability, Node, State
from deskhand.types.steps import Step
from deskhand.types.texts import plain_lines

Write = Callable[[Scene, Step, Resolved, str], Awaitable[Outcome]]
SELECT_ALL = "ctrl+a"
LONG = 200
"""Characters from which on text is rather pasted than typed, where it may be."""
_MOVES = frozenset(
    {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "page_up", "page_down", "tab", "prior", "next"}
)
"""Keys that only move the focus or a cursor, wherever it has come to."""
_ON = ("1", "1.0", "true", "on", "yes", "checked", "enabled", "selected", "pressed", "active")
_OFF = ("0", "0.0", "-0.0", "false", "off", "no", "unchecked", "disabled", "unselected", "inactive", "none", "")
PRESSED = 0.15
"""Seconds within which a key that presses something shows what it did, before it is pressed again."""
KEEPING = 2.0
"""Seconds that an application has to show what it was given."""
ECHO = 0.4
"""Seconds within which a slider that only shows what was written goes back (VLC's place: 0.25 s)."""
_OTHERWISE = "the application made something else of it"
_STEPS_MOST = 400
"""Steps by which a number is brought to its value where it takes none."""


async def set_value(scene: Scene, step: Step) -> Outcome:
    """Replace what it holds, by the surest route; nothing is sent when it holds that already."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    if is_sheet_cell(target):
        return await set_cell(scene, step, target)
    if target.place is not None and not target.node.can(Ability.EDIT_TEXT):
        raise DeskhandError("unsupported_action", f"{target.words} is no cell to write in", target=target.ref)
    if (parts := await date_parts(scene, target, step.value)) is not None:
        return await set_date(scene, step, target, parts)
    if target.node.role in ("checkbox", "toggle", "switch"):
        return await (check if _truth(step.value, target) else uncheck)(scene, step)
    if target.node.role in roles.NUMERIC and target.node.can(Ability.VALUE):
        return await _set_number(scene, step, target)
    if target.node.role == "combobox" and not target.node.has(State.EDITABLE):
        entry = await _entry_in(scene, target)
        if entry is None:
            return await select_items(scene, step, target, [str(step.value)])
        target = entry
    if is_prose(target.node) and step.route in (None, "accessibility"):
        return await _paragraphs(scene, step, target, set_prose)
    return await _set_text(scene, step, target, as_text(step.value))


async def _paragraphs(scene: Scene, step: Step, target: Resolved, write: Write) -> Outcome:
    """A paragraph's own line, and further lines as paragraphs behind it."""
    text = as_text(step.value)
    require_lines(step, target, text)
    line, *more = text.split("\n")
    first = await write(scene, step, target, line)
    if not more:
        return first
    await give_focus(scene, target)
    return await add_paragraphs(scene, target, more, first)


async def _entry_in(scene: Scene, target: Resolved) -> Resolved | None:
    """The field of a combo box that can be written in; None where it only offers its items."""
    tree = await scene.platform.read(target.node.key, ReadLimits(depth=3))
    fields = (n for n in tree.nodes.values() if n.role == "textbox" and n.has(State.EDITABLE | State.SHOWING))
    field = next(fields, None)
    return replace(target, node=field) if field is not None else None


def as_text(value: str | float | None) -> str:
    """A step's value as it is to be written: 3.0 is ``3``, lines end with ``\\n``."""
    return str(int(value)) if isinstance(value, float) and value == int(value) else plain_lines(str(value))


def _truth(value: object, target: Resolved) -> bool:
    """What is to be on or off. Raises ``value_rejected`` for a word that means neither: nothing was sent."""
    said = str(value).strip().casefold()
    if said not in (*_ON, *_OFF):
        message = f'{target.words} is on or off; set it "on" or "off"'
        raise DeskhandError("value_rejected", message, target=target.ref, expected="on or off")
    return said in _ON


async def _set_number(scene: Scene, step: Step, target: Resolved) -> Outcome:
    node, wanted = target.node, _number(step, target)
    if node.number == wanted:
        return Outcome(target.words, "unchanged", node.number, node.number)
    _in_range(target, wanted)
    was = await before(scene, node)
    scene.sending("accessibility")
    await scene.platform.set_number(node.key, wanted)
    await scene.settle(was.serial)
    now = _there(target, await scene.again(node.key))
    if now.number == node.number:
        now = await _stepped(scene, target, wanted)
    elif node.can(Ability.ECHOES):
        now = await _kept(scene, target, now)
    if now.number is None or not _near(now.number, wanted):
        found = str(now.number)
        advice = "; click or drag it" if now.role == "slider" else ""
        message = f"{target.words} holds {found}{advice}"
        raise DeskhandError("value_rejected", message, sent="yes", target=target.ref, expected=str(wanted), found=found)
    return Outcome(target.words, "verified", node.number, now.number)


async def _kept(scene: Scene, target: Resolved, written: Node) -> Node:
    """A slider once it has had time to go back: a player's follows what is played, and what is written is an echo."""
    ends = time.monotonic() + min(ECHO, scene.left)
    now = written
    while now.number == written.number and (left := ends - time.monotonic()) > 0:
        await scene.platform.events.changed(scene.platform.events.serial, left)
        now = _there(target, await scene.again(target.node.key))
    old, new = target.node.number or 0.0, written.number or 0.0
    went_back = now.number is not None and abs(now.number - old) < abs(now.number - new)
    return now if went_back else written


def _near(number: float, wanted: float) -> bool:
    return abs(number - wanted) <= 1e-6 * max(1.0, abs(wanted))


async def _stepped(scene: Scene, target: Resolved, wanted: float) -> Node:
    """A number that takes no value goes there by its own actions: one step is measured, the rest are counted."""
    now = _there(target, await scene.again(target.node.key))
    up = next((name for name in now.actions if name.casefold() in ("increment", "increase")), None)
    down = next((name for name in now.actions if name.casefold() in ("decrement", "decrease")), None)
    action = up if now.number is not None and wanted > now.number else down
    if action is None or now.number is None:
        return now
    first = await _nudged(scene, target, action, 1)
    step = (first.number or 0.0) - now.number
    left = round((wanted - (first.number or 0.0)) / step) if step else 0
    return await _nudged(scene, target, action, left) if 0 < left <= _STEPS_MOST else first


async def _nudged(scene: Scene, target: Resolved, action: str, count: int) -> Node:
    serial = scene.platform.events.serial
    scene.sending("accessibility")
    for _ in range(count):
        scene.require_time()
        await scene.platform.do_action(target.node.key, action)
    await scene.settle(serial)
    return _there(target, await scene.again(target.node.key))


def _there(target: Resolved, now: Node | None) -> Node:
    """What was written to, read again; an element that went meanwhile may have taken it or not."""
    if now is None:
        message = f"{target.words} went away while it was written; look again before going on"
        raise DeskhandError("outcome_unknown", message, "unknown", target.ref)
    return now


def _number(step: Step, target: Resolved) -> float:
    try:
        return float(step.value if step.value is not None else "")
    except ValueError as error:
        raise DeskhandError("value_rejected", f"{target.words} takes a number", target=target.ref) from error


def _in_range(target: Resolved, wanted: float) -> None:
    low, high = target.node.minimum, target.node.maximum
    if low is not None and high is not None and low < high and not low <= wanted <= high:
        message = f"{target.words} takes {low:g} to {high:g}"
        raise DeskhandError("value_rejected", message, target=target.ref, expected=f"{low:g}..{high:g}")


async def _set_text(scene: Scene, step: Step, target: Resolved, text: str) -> Outcome:
    node = _writable(target)
    if await _whole(scene, node) == text and not node.has(State.PROTECTED):
        return Outcome(target.words, "unchanged", node.text, node.text)
    was = await before(scene, node)
    if step.route in (None, "accessibility", "api") and await _written(scene, target, text):
        return await _read_back(scene, target, was, text)
    if step.route == "accessibility":
        raise DeskhandError("unsupported_action", f"{target.words} cannot be written that way", target=target.ref)
    await give_focus(scene, target)
    scene.sending("keyboard")
    await scene.platform.press_chord(SELECT_ALL)
    scene.delivered()
    await still_there(scene, target)
    await (_enter(scene, step, target, text) if text else scene.platform.press_chord("Delete"))
    return await _read_back(scene, target, was, text)


async def _enter(scene: Scene, step: Step, target: Resolved | None, text: str) -> None:
    """Put text where the focus is: pasted where that is surer, by keystrokes otherwise and where keys are asked for."""
    if step.route is None and target is not None and _better_pasted(scene, step, target.node, text):
        if await scene.platform.paste_text(text):
            return
        await still_there(scene, target)
    await scene.platform.type_text(text, locked=scene.by_hand)


def _better_pasted(scene: Scene, step: Step, node: Node, text: str) -> bool:
    """Long text, characters that keys are mistaken for, and lines that are content, not presses of Return."""
    several = "\n" in text or "\t" in text
    if node.role != "textbox" or not node.has(State.EDITABLE) or node.has(State.PROTECTED):
        return False
    if several and not node.has(State.MULTILINE):
        return False
    return len(text) >= LONG or (several and step.do != "type") or scene.platform.mistaken(text)


def _writable(target: Resolved) -> Node:
    node = target.node
    if node.role == "terminal":
        message = f"{target.words} shows what a program prints, it holds no text to write: type into it"
        raise DeskhandError("unsupported_action", message, target=target.ref)
    if not node.has(State.EDITABLE) and node.role not in roles.EDITABLE:
        raise DeskhandError("unsupported_action", f"{target.words} holds no text to set", target=target.ref)
    if node.role == "textbox" and not node.has(State.EDITABLE):
        raise DeskhandError("value_rejected", f"{target.words} is read-only", target=target.ref)
    return node


async def _whole(scene: Scene, node: Node) -> str | None:
    """All of its text, also where a read carried only the head."""
    if node.text is None or node.text_length <= len(node.text):
        return node.text
    return await scene.platform.text(node.key, 0, -1)


async def _written(scene: Scene, target: Resolved, text: str) -> bool:
    """Write through the accessibility bus; some fields take text only with the focus: report 10."""
    for attempt in range(2):
        node = target.node if attempt == 0 else await scene.again(target.node.key)
        if node is not None and node.can(Ability.EDIT_TEXT):
            scene.sending("accessibility")
            try:
                await scene.platform.set_text(node.key, text)
                return True
            except DeskhandError as error:
                if error.code not in ("unsupported_action", "value_rejected"):
                    raise
        if attempt == 0:
            await give_focus(scene, target)
    return False


async def _read_back(scene: Scene, target: Resolved, was: Before, text: str) -> Outcome:
    await scene.settle(was.serial)
    held = None if target.node.has(State.PROTECTED) else await _holding(scene, target, text)
    note = windows_note(scene, was.windows, await scene.world.windows())
    if target.node.has(State.PROTECTED):
        return Outcome(target.words, "unverifiable", note="a secret is not read back")
    now = await scene.again(target.node.key)
    if held == text or _same_number(now, text):
        note = "; ".join(part for part in (note, _commits(now)) if part)
        if held == text or now is None:
            return Outcome(target.words, "verified", target.node.text, held, note)
        return Outcome(target.words, "verified", target.node.number, now.number, note)
    raise DeskhandError(
        "value_rejected", f"{target.words} did not keep what was written", sent="yes", target=target.ref,
        expected=quote(text[:80]), found=quote((held or "")[:80]),
    )  # fmt: skip


async def _holding(scene: Scene, target: Resolved, text: str) -> str | None:
    """What the element holds: ``text``, or what it held last when it did not come to hold that in time."""
    ends, looks = time.monotonic() + min(KEEPING, scene.left), Looks(scene.platform.events)
    while True:
        serial = scene.platform.events.serial
        held = await _whole(scene, _there(target, await scene.again(target.node.key)))
        rest = ends - time.monotonic()
        if held == text or rest <= 0 or not await looks.again(serial, min(rest, REACT)):
            return held


def _same_number(node: Node | None, text: str) -> bool:
    """Whether a number field holds it, however it writes it."""
    if node is None or node.role != "spinbutton" or node.number is None:
        return False
    try:
        return float(text) == node.number
    except ValueError:
        return False


def _commits(node: Node | None) -> str:
    """What is typed is held, and the page's scripts have heard every key; whether they keep it shows only then."""
    pending = node is not None and node.can(Ability.COMMITS) and node.has(State.FOCUSED)
    return "committed when the focus leaves it" if pending else ""


async def append(scene: Scene, step: Step) -> Outcome:
    """Add at the end."""
    assert step.on is not None
    target = await scene.admit(step, step.on)
    if is_sheet_cell(target):
        return await append_to_cell(scene, step, target)
    if is_prose(target.node) and step.route in (None, "accessibility"):
        return await _paragraphs(scene, step, target, append_prose)
    node, more = _writable(target), as_text(step.value)
    old = await _whole(scene, node) or ""
    was = await before(scene, node)
    if step.route not in (None, "accessibility") or not await _inserted(scene, node, more):
        await give_focus(scene, target)
        scene.sending("keyboard")
        await scene.platform.press_chord("ctrl+End")
        scene.delivered()
        await still_there(scene, target)
        await _enter(scene, step, target, more)
    return await _read_back(scene, target, was, old + more)


async def _inserted(scene: Scene, node: Node, more: str) -> bool:
    """Insert through the accessibility bus; False where it takes none, or not these characters."""
    if not node.can(Ability.EDIT_TEXT):
        return False
    scene.sending("accessibility")
    try:
        await scene.platform.insert_text(node.key, -1, more)
    except DeskhandError as error:
        if error.code != "unsupported_action":
            raise
        return False
    return True


async def type_text(scene: Scene, step: Step) -> Outcome:
    """Keystrokes where the focus is, or on a target that gets it first."""
    text = as_text(step.value)
    target, was = await _at_the_keys(scene, step)
    if step.route is None and was.focus is not None and target is not None and is_prose(was.focus):
        return await type_prose(scene, replace(target, node=was.focus), text)
    scene.sending("keyboard")
    await _enter(scene, step, target, text)
    return await _typed(scene, target, was, text)


async def _where_told(scene: Scene) -> Resolved | None:
    """What has the focus, in the window that the step before has brought to the front, where it has done that."""
    told, key = scene.activated
    ends = time.monotonic() + min(FOCUS_SECONDS, scene.left)
    while told == scene.index - 1 and told and not await _in_front(scene, key):
        serial, rest = scene.platform.events.serial, ends - time.monotonic()
        if rest <= 0:
            break
        await scene.platform.events.changed(serial, min(rest, FOCUS_SECONDS / 4))
    await _as_activated(scene, None)
    return await focused(scene)


async def _in_front(scene: Scene, key: str) -> bool:
    return scene.world.active(await scene.world.windows()).key == key


async def _as_activated(scene: Scene, step: Step | None) -> None:
    """Keys that follow on bringing a window to the front are meant for it alone; ``on`` sees to its own window."""
    told, key = scene.activated
    if not told or told != scene.index - 1 or (step is not None and step.on is not None):
        return
    active = scene.world.active(await scene.world.windows())
    if active.key != key:
        message = "the window that was brought to the front is not in front; look again, no key was sent"
        raise DeskhandError("focus_lost", message, sent=scene.sent, found=scene.world.window_words(active))


async def focused(scene: Scene) -> Resolved | None:
    """The element that has the focus, as a target; None where it cannot be known."""
    window = await scene.world.window(None)
    await scene.remember(window)
    node = await scene.platform.focused()
    if node is None:
        return None
    ref = scene.world.refs.bind(node, window.key)
    words = " ".join(part for part in (ref, node.role, quote(node.name) if node.name else "") if part)
    return Resolved(node, window, words, ref)


async def _typed(scene: Scene, target: Resolved | None, was: Before, text: str) -> Outcome:
    await scene.settle(was.serial)
    if target is None:
        window = await scene.world.window(None)
        return await elsewhere(scene, "", window) or Outcome("", "unverifiable", note="the focus is not known")
    now = await scene.again(target.node.key)
    old, new = reading(was.node), reading(now)
    if target.node.has(State.PROTECTED):
        return Outcome(target.words, "unverifiable", note="a secret is not read back")
    if isinstance(new, str) and new != old and text.rstrip("\n\t") in new:
        return Outcome(target.words, "verified", old, new)
    if is_prose(target.node) and isinstance(new, str) and new != old:
        return Outcome(target.words, "changed", old, new, note=_OTHERWISE)
    outcome = await watched(scene, target, was)
    told = outcome.verdict == "verified" and isinstance(outcome.after, str) and not outcome.bare
    if told and not await _keeps(scene, target, text):
        return replace(outcome, verdict="changed", note="; ".join(part for part in (_OTHERWISE, outcome.note) if part))
    return outcome


async def _keeps(scene: Scene, target: Resolved, text: str) -> bool:
    """Whether it holds what was typed: fields cut what is too long, and write in capitals."""
    now = await scene.again(target.node.key)
    held = await _whole(scene, now) if now is not None else None
    return text.rstrip("\n\t") in (held or "").replace("\xa0", " ")  # browsers keep spaces at an end as these


async def _at_the_keys(scene: Scene, step: Step) -> tuple[Resolved | None, Before]:
    """What the keys go to, with the focus and the gate's word, and how all was before."""
    target = await scene.admit(step, step.on) if step.on is not None else await _where_told(scene)
    if step.on is not None and target is not None:
        await give_focus(scene, target)
    elif step.on is None:
        await scene.permit(step, None)
    was = await before(scene, target.node if target else None)
    await _as_activated(scene, step)
    await still_there(scene, target)
    return target, was


async def key(scene: Scene, step: Step) -> Outcome:
    """Chords where the focus is, or on a target that gets it first."""
    assert step.keys is not None
    target, was = await _at_the_keys(scene, step)
    active, last, serial = scene.world.active(was.windows).key, was.focus, was.serial
    chords = sequence(step.keys) * (step.count or 1)
    for number, chord in enumerate(chords):
        if number:
            await _had_its_turn(scene, chords[number - 1], last, serial)
            focus = await scene.platform.focused()
            await _same_window(scene, active)
            last = await _judged_again(scene, step, chord, last, focus)
        serial = scene.platform.events.serial
        scene.sending("keyboard")
        await scene.platform.press_chord(chord)
    if target is None:
        await answered(scene, was.serial)
        note = windows_note(scene, was.windows, await scene.world.windows())
        return Outcome("", "verified" if note else "unverifiable", note=note or "the focus is not known")
    return as_typed(await watched(scene, target, was, KEY_PATIENCE, by_keys=True), chords)


def _presses(chord: str) -> bool:
    """Whether its key may do more than move the focus or a cursor."""
    return x_name(chord.rpartition("+")[2].strip()).casefold() not in _MOVES


async def _had_its_turn(scene: Scene, chord: str, last: Node | None, serial: int) -> None:
    """Wait for what a key did that may have pressed something: keys reach an application beside its other questions."""
    if _presses(chord) and not (last is not None and last.has(State.EDITABLE)):
        await scene.settle(serial, PRESSED)


async def _judged_again(scene: Scene, step: Step, chord: str, last: Node | None, focus: Node | None) -> Node | None:
    """Between chords: what got the focus by the chord before was not what the gate has judged."""
    if _presses(chord) and (last and last.key) != (focus and focus.key):
        window = await scene.world.window(None)
        await scene.permit(step, Resolved(focus, window, "", "") if focus is not None else None)
    return focus


async def _same_window(scene: Scene, key: str) -> None:
    """Between chords: a window that has come to the front gets none of them."""
    active = scene.world.active(await scene.world.windows())
    if active.key != key:
        message = "another window came to the front between the keys; the rest was not sent"
        raise DeskhandError("focus_lost", message, sent="yes", found=scene.world.window_words(active))


async def clipboard(scene: Scene, step: Step) -> Outcome:
    """Read or write the clipboard's text."""
    if step.op == "read":
        held = await scene.platform.read_clipboard()
        return Outcome("clipboard", "verified", after=held or "", read=held or "")
    await scene.permit(step, None)
    old = await scene.platform.read_clipboard()
    wanted = step.value if isinstance(step.value, str) else as_text(step.value)
    scene.sending("api")
    await scene.platform.write_clipboard(wanted)
    now = await scene.platform.read_clipboard()
    note = f"held {len(old)} characters before" if old else ""  # what the user had there is told to who reads it only
    if now == wanted:
        return Outcome("clipboard", "verified", after=now, note=note)
    note = "; ".join(part for part in (note, f"holds {len(now or '')} other characters") if part)
    return Outcome("clipboard", "changed", note=note)
