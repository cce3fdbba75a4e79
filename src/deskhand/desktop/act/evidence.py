"""Effects by evidence: what an element holds before and after, windows that came and went, what else changed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deskhand.desktop.act.looking import Looks
from deskhand.desktop.act.scene import REACT, Scene
from deskhand.desktop.semantics import roles
from deskhand.desktop.semantics.diff import Change, changes
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.quoting import quote_cut
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolved
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Ability, Node, State, Window
from deskhand.types.results import Verdict

PATIENCE = 1.2
"""Seconds after which a press that shows no effect is called unchanged."""
KEY_PATIENCE = 0.5
SILENT = 0.1
"""Seconds of silence in which a key that has been read would have been answered (measured in GNOME Text Editor,
LibreOffice, Chromium, Firefox: of 73 keys, dialogs and menus among them, what was announced at all was announced before
the application had read the key and answered a question, or within 5 ms after)."""
LOOK = 0.15
"""Seconds of silence after which the whole window is read for what nobody announced."""
POPUP_CLOSED = "a menu or popup closed, nothing else was seen to change"
_CLOSES = 0.5
"""Seconds within which a dialog closes that has been answered, after the first change (GTK 3's file chooser: 0.4)."""
_EDITORS = 3
"""How many editors of a window are looked at beside the focus."""
_TWO_STATES = frozenset(
    {"checkbox", "radio", "toggle", "switch", "menuitemcheckbox", "menuitemradio", "tab", "listitem", "option",
     "treeitem", "cell", "row"}
)  # fmt: skip
Reading = str | float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one step did. ``before`` and ``after`` are said where they differ in kind from None."""

    target: str
    verdict: Verdict
    before: Reading = None
    after: Reading = None
    note: str = ""
    bare: bool = False  # before and after are deskhand's own words (on, off), not the application's text
    read: str | None = None  # what the step was to read, whole


@dataclass(frozen=True, slots=True)
class Before:
    """The state right before an input."""

    serial: int
    windows: tuple[Window, ...]
    node: Node | None = None
    focus: Node | None = None
    selections: Mapping[str, tuple[int, int] | None] = field(default_factory=dict)  # by the key of a text


async def before(scene: Scene, node: Node | None = None) -> Before:
    """Take it right before dispatch."""
    windows = await scene.world.windows(recent=True)
    focus = await scene.platform.focused()
    texts = {text.key: text for text in (*_editors(scene, windows), *([focus] if focus else []))}
    chosen = {key: await _selection(scene, text) for key, text in texts.items()}
    return Before(scene.platform.events.serial, tuple(windows), node, focus, chosen)


def _editors(scene: Scene, windows: Iterable[Window]) -> list[Node]:
    """Texts whose selection a step may change though the focus is elsewhere: find bars do that to editors."""
    active = next((w.key for w in windows if w.active), "")
    base = scene.bases.get(active)
    nodes = base.nodes.values() if base else ()
    wanted = State.EDITABLE | State.MULTILINE | State.SHOWING
    return [node for node in nodes if node.has(wanted) and node.role == "textbox"][:_EDITORS]


async def _selection(scene: Scene, text: Node | None) -> tuple[int, int] | None:
    """What is selected in a text that may be read."""
    if text is None or not text.can(Ability.TEXT) or text.has(State.PROTECTED):
        return None
    return await scene.platform.selection(text.key)


def reading(node: Node | None) -> Reading:
    """What an element holds: text, number, or on/off. None where it holds nothing, or a secret."""
    if node is None or node.has(State.PROTECTED):
        return None
    if node.role in _TWO_STATES:
        return switch(node)
    if node.number is not None and node.role in roles.NUMERIC:
        return node.number
    if node.role in roles.VALUED or node.has(State.EDITABLE):
        return node.text
    return "expanded" if node.has(State.EXPANDED) else "collapsed" if node.has(State.EXPANDABLE) else None


def switch(node: Node) -> str:
    """``on``, ``off`` or ``mixed``."""
    if node.has(State.MIXED):
        return "mixed"
    on = State.CHECKED | State.PRESSED | State.SELECTED
    return "on" if node.states & on else "off"


def is_bare(node: Node | None) -> bool:
    """Whether ``reading`` gives deskhand's own words."""
    return node is not None and (
        node.role in _TWO_STATES or not (node.role in roles.VALUED or node.has(State.EDITABLE))
    )


async def watched(
    scene: Scene, target: Resolved, was: Before, patience: float = PATIENCE, *, by_keys: bool = False
) -> Outcome:
    """The effect of a press or click: looked for until found, or until ``patience`` seconds are over.

    A button may do more than what is seen first, and that is waited for: a click beside an open popup closes that, and
    the button of a dialog the dialog. The target, the windows and the focus are looked at again after every announced
    change; the whole window only when all is quiet. Where nothing is found it is not said that nothing was done: a file
    saved or a mail sent need not show, and who believes that nothing was done does it again.

    ``by_keys``: what has read its keys and announces nothing at all is not waited for longer.
    """
    watch = _Watch(scene, target, was, time.monotonic() + min(patience, scene.left), by_keys)
    while (found := await watch.look()) is None:
        pass
    return found


class _Watch:
    """Looks for an effect, again after every announced change and once all is quiet, until ``ends``."""

    def __init__(self, scene: Scene, target: Resolved, was: Before, ends: float, by_keys: bool) -> None:
        self._scene, self._target, self._was, self._ends = scene, target, was, ends
        self._by_keys, self._read, self._searched = by_keys, False, was.serial
        self._looks = Looks(scene.platform.events)
        self._weak = Outcome(target.words, "unverifiable")  # what stands if nothing better is seen in time

    async def look(self) -> Outcome | None:
        """One look and the wait after it; None while it is too early to tell."""
        serial, began = self._scene.platform.events.serial, time.monotonic()
        seen = await self._again()
        if (spent := time.monotonic() - began) > LOOK:
            self._ends += spent  # it was busy, and will show what it was busy with
        if seen is not None:
            if seen.verdict == "verified" or not _more_may_come(self._scene, self._target, seen):
                await self._scene.quiet()
                return await self._again() or Outcome(self._target.words, "changed")
            self._soon(seen)
        if await self._more(serial):
            self._read = False
            return None
        return await self._silent(serial)

    async def _again(self) -> Outcome | None:
        return await _effect(self._scene, self._target, self._was)

    def _unheard(self, serial: int) -> bool:
        """Whether nothing at all has been announced since keys were sent."""
        return self._by_keys and serial == self._was.serial

    async def _more(self, serial: int) -> bool:
        """Whether anything is announced while there is time to wait for it."""
        rest = self._ends - time.monotonic()
        pause = SILENT / 2 if self._read else SILENT if self._unheard(serial) else LOOK
        return rest > 0 and await self._looks.again(serial, min(rest, pause))

    async def _silent(self, serial: int) -> Outcome | None:
        """All is quiet, or the time is over: the whole window is read where anything had been announced."""
        if serial > self._searched:
            found = await elsewhere(self._scene, self._target.words, self._target.window)
            if found is not None and not _more_may_come(self._scene, self._target, found):
                return found
            if found is not None:
                self._soon(found if found.note or not self._weak.note else self._weak)
        self._searched = serial
        if self._read or time.monotonic() >= self._ends:
            return await self._again() or self._weak
        self._read = self._unheard(serial) and await self._scene.platform.has_read()
        return None

    def _soon(self, weak: Outcome) -> None:
        """It stands, unless more comes within a moment."""
        self._weak, self._ends = weak, min(self._ends, time.monotonic() + _CLOSES)


async def answered(scene: Scene, serial: int, seconds: float = REACT) -> None:
    """As ``Scene.settle`` after keys: what has read them and announces nothing at all is not waited for longer."""
    events = scene.platform.events
    if await events.changed(serial, min(SILENT, seconds, scene.left)) or not await scene.platform.has_read():
        await scene.settle(serial, seconds)
    elif await events.changed(serial, min(SILENT / 2, scene.left)):
        await scene.quiet()


def _more_may_come(scene: Scene, target: Resolved, found: Outcome) -> bool:
    """Whether it is most likely not all that the input does."""
    if scene.route == "keyboard" or _in_popup(scene, target):
        return False
    return found.note == POPUP_CLOSED or is_answer(target)


def is_answer(target: Resolved) -> bool:
    """Whether it is a button of a dialog, which closes most often when it is pressed."""
    return target.node.role == "button" and target.window.role == "dialog"


async def _effect(scene: Scene, target: Resolved, was: Before) -> Outcome | None:
    windows = await scene.world.windows()
    note = windows_note(scene, was.windows, windows)
    closed = _closed(target.window, windows)
    old = reading(was.node)
    focus = was.focus if old is None else None  # what holds nothing tells nothing: then the focus will be asked
    seen = {} if closed else await scene.again_all(target.node.key, *([focus.key] if focus else []))
    now = seen.get(target.node.key)
    new = reading(now)
    if now is not None and old != new:
        return Outcome(target.words, "verified", old, new, note, bare=is_bare(now))
    if note:
        mine = concerns(target.window, was.windows, windows)
        return Outcome(target.words, "verified" if mine else "changed", note=note)
    noted = None if closed else await _focus_note(scene, target, was, seen)
    return Outcome(target.words, "changed", note=noted) if noted is not None else None


async def _focus_note(scene: Scene, target: Resolved, was: Before, seen: Mapping[str, Node | None]) -> str | None:
    """What happened in the text that had the focus: ``r7: "1" -> "12"``, or what is selected in it or an editor.

    ``seen`` is what has just been read.
    """
    focus = was.focus
    now = await _now(scene, focus.key, seen) if focus is not None else None
    old, new = reading(focus), reading(now)
    if focus is not None and now is not None and old != new and isinstance(new, str):
        ref = scene.world.refs.bind(focus, target.window.key)
        return f"{ref}: {quote_cut(str(old or ''), 40)} -> {quote_cut(new, 40)}"
    for key, earlier in was.selections.items():
        chosen = await _selection(scene, await _now(scene, key, seen))
        if chosen is not None and chosen != earlier:
            return f"selected {chosen[0]}..{chosen[1]}"
    return None


async def _now(scene: Scene, key: str, seen: Mapping[str, Node | None]) -> Node | None:
    return seen[key] if key in seen else await scene.again(key)


async def elsewhere(scene: Scene, words: str, window: Window) -> Outcome | None:
    """``changed`` when anything in the window differs from the last snapshot of it."""
    base = scene.bases.get(window.key)
    if base is None:
        return None
    try:
        latest = await scene.world.snapshot(window)
    except DeskhandError as error:
        if error.code != "window_gone":
            raise
        return None  # it is just closing: the list of windows will tell
    scene.bases[window.key] = latest
    stale = window.key in scene.stale
    scene.stale.discard(window.key)
    different = [c for c in changes(base.flat, latest.flat) if not _only_focus(c.before, c.after)]
    if not different and base.window.title == latest.window.title:
        return None
    closed = base.window.title == latest.window.title and all(_of_popup(base, latest, each) for each in different)
    if stale:  # an earlier step of the batch may have done it
        return Outcome(words, "unverifiable", note="the window changed, perhaps by an earlier step")
    return Outcome(words, "changed", note=POPUP_CLOSED if closed else "")


def _of_popup(base: Snapshot, latest: Snapshot, change: Change) -> bool:
    """Whether it is something of a menu or popup that is gone, or the menu that is closed now."""
    if change.before is None or (change.after is not None and change.before.role != "menu"):
        return False
    line = _ancestry(base, change.before.key)
    own = bool(line) and line[-1].key == base.window.root
    return any(node.role == "menu" for node in line) or (
        not own and line[-1:] != [] and line[-1].key not in latest.nodes
    )


def _in_popup(scene: Scene, target: Resolved) -> bool:
    """Whether it lies in a menu or popup itself, which closes when it is done."""
    base = scene.bases.get(target.window.key)
    line = _ancestry(base, target.node.key) if base is not None else []
    return any(node.role == "menu" for node in line) or (line[-1:] != [] and line[-1].key != target.window.root)


def _ancestry(base: Snapshot, key: str) -> list[Node]:
    """An element and what holds it, up to the root of its tree."""
    line: list[Node] = []
    current = base.nodes.get(key)
    while current is not None and current not in line:
        line.append(current)
        current = base.nodes.get(current.parent or "")
    return line


def _only_focus(old: Item | None, new: Item | None) -> bool:
    """Whether two items differ in nothing but the focus."""
    if old is None or new is None:
        return False
    plain = (old.name, old.value, old.hint, old.grid and old.grid.cells)
    states = set(old.states) ^ set(new.states)
    return plain == (new.name, new.value, new.hint, new.grid and new.grid.cells) and states <= {"focused"}


def windows_note(scene: Scene, old: Iterable[Window], new: Iterable[Window]) -> str:
    """``opened w5 dialog "Save As"; closed w4``, empty where neither."""
    before_keys, after = {w.key for w in old}, [w for w in new if not w.popup]
    opened = [f"opened {scene.world.window_words(w)}" for w in after if w.key not in before_keys]
    left = {w.key for w in after}
    closed = [f"closed {scene.world.refs.window_ref(w.key)}" for w in old if not w.popup and w.key not in left]
    return "; ".join(opened + closed)


def concerns(window: Window, old: Iterable[Window], new: Iterable[Window]) -> bool:
    """Whether any window that came or went is of the same process, or belongs to this window."""
    before_keys, after_keys = {w.key for w in old}, {w.key for w in new}
    moved = [w for w in (*old, *new) if (w.key in before_keys) != (w.key in after_keys)]
    return any(w.pid == window.pid != 0 or w.owner == window.key for w in moved)


def _closed(window: Window, windows: Iterable[Window]) -> bool:
    return all(other.key != window.key for other in windows)
