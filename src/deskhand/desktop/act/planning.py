"""Steps as the gate sees them: with the element, its dialog and its surroundings; and the digest that binds consent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deskhand.desktop.act.openers import path_start
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolved, Resolver
from deskhand.desktop.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Node, State, Window
from deskhand.types.protocols import PlannedStep
from deskhand.types.steps import Selector, Step, Target

_KEYBOARD = frozenset({"key", "type"})
_WRITERS = frozenset({"set", "append"})
_DIALOGS = frozenset({"dialog", "alert", "alertdialog"})
_BUTTONS = frozenset({"button", "toggle"})
_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
_SUBMITTING = frozenset({"checkbox", "radio", "switch", "slider"})
"""What sends a page's form by Enter, though nothing is written in it."""
_BORDERS = frozenset({"document", "window", "dialog", "alert"})
_ITEMS = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio"})
_DIALOG_TEXT = 500


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the screen: its window, None where there is none, and the element where a drag ends."""

    window: Window | None
    onto: Node | None = None

    @property
    def extra(self) -> dict[str, Node]:
        """As the gate is told of it."""
        return {"to": self.onto} if self.onto is not None else {}


class Planner:
    """Resolves steps without side effects, as far as they can be resolved before they are done."""

    def __init__(self, world: World, resolver: Resolver) -> None:
        self._world, self._resolver = world, resolver

    async def plan_batch(self, steps: Sequence[Step], seen: dict[str, Snapshot]) -> list[PlannedStep]:
        """All steps; a target that does not exist yet (it may appear by an earlier step) is left out.

        ``seen`` gathers one snapshot per window, for whoever needs the state before the first step. Raises
        ``invalid_request`` for a target that can never mean anything: then nothing of the batch is done.
        """
        read: dict[str, Snapshot] = {}  # one read of a window serves all selectors
        live = await self._resolver.live([step.on for step in steps])
        early = [await self._early(index, step, read, live) for index, step in enumerate(steps, 1)]
        taken: dict[str, Snapshot] = {}
        return [
            await self.plan(n, step, found, seen, taken=taken)
            for n, (step, found) in enumerate(zip(steps, early, strict=True), 1)
        ]

    async def _early(
        self, index: int, step: Step, read: dict[str, Snapshot], live: Mapping[str, Node | None]
    ) -> Resolved | None:
        """What a step means now. No ref becomes known while a batch runs: one that is not keeps all of it back."""
        try:
            for target in (step.on, step.to, step.within, step.expect and step.expect.on):
                self._resolver.require_known(target)
            if step.on is None or step.do in ("window", "wait"):
                return None
            return await self._resolver.resolve(step.on, seen=read, live=live)
        except DeskhandError as error:
            if error.code in ("invalid_request", "unknown_ref"):
                raise replace(error, message=f"step {index}: {error.message}") from error
            return None  # judged again, resolved, right before it would be dispatched

    async def plan(
        self,
        index: int,
        step: Step,
        target: Resolved | None,
        seen: dict[str, Snapshot],
        *,
        live: bool = False,
        taken: dict[str, Snapshot] | None = None,
        place: Place | None = None,
    ) -> PlannedStep:
        """One step with all that the gate may want to know. ``seen`` spares reads of windows already read.

        ``live``: it is about to be dispatched; where Enter or a mnemonic could press something, it is read anew.
        ``taken``: snapshots taken for this very moment, which serve where one must be new; those read are added.
        ``place``: where on the screen it goes, if it is no element that it means.
        """
        window = target.window if target else place.window if place else await self._window(step)
        element = target.node if target else None
        if step.do in _KEYBOARD and step.on is None:
            element = await self._world.platform.focused()
        extra = place.extra if place else await self._onto(step, element)
        if window is None or window.root is None or not window.responsive:
            return PlannedStep(index, step, element, window, extra=extra)
        fresh = is_dialog(window) or (live and types_keys(step) and not _sheet(window, element))
        taken = {} if taken is None else taken
        if window.key in taken and _holds(taken[window.key], element):
            snapshot = taken[window.key]
        else:
            snapshot = await self._snapshot(window, element, seen, fresh)
            taken |= {window.key: snapshot} if fresh else {}
        if step.do in _KEYBOARD and step.on is None:
            element = _chosen_item(snapshot) or element
        return PlannedStep(
            index, step, element, window, _default(snapshot, element), _context(snapshot, element),
            _peers(step, snapshot, element), _dialog_text(snapshot), extra | _around(step, snapshot, element),
        )  # fmt: skip

    async def _onto(self, step: Step, element: Node | None) -> dict[str, Node]:
        """What a drag ends on, as far as it is there already."""
        if step.do != "drag" or step.to is None:
            return {}
        try:
            onto = (await self._resolver.resolve(step.to)).node if isinstance(step.to, str | Selector) else None
            onto = await self._under(element, step.to) if isinstance(step.to, tuple) else onto
        except DeskhandError:
            return {}  # the guard refuses it before anything is sent
        return {"to": onto} if onto is not None else {}

    async def _under(self, element: Node | None, offset: tuple[int, int]) -> Node | None:
        """What lies at an offset from the middle of what is dragged."""
        if element is None or not element.has(State.SHOWING):
            return None  # nothing is dragged from where it does not show; the guard refuses it
        bounds = element.visible or element.bounds
        if bounds is None:
            return None
        key = await self._world.platform.at_point(bounds.centre.x + offset[0], bounds.centre.y + offset[1])
        return (await self._world.platform.refresh([key])).get(key) if key is not None else None

    async def _snapshot(self, window: Window, element: Node | None, seen: dict[str, Snapshot], fresh: bool) -> Snapshot:
        known = seen.get(window.key)
        if known is None or fresh or not _holds(known, element):
            known = await self._world.snapshot(window)
            seen.setdefault(window.key, known)
        return known

    async def _window(self, step: Step) -> Window | None:
        named: Target | None = step.on if step.do == "window" and isinstance(step.on, str) else step.within
        named = step.on.within if isinstance(step.on, Selector) else named
        try:
            return await self._resolver.window_in(named)
        except DeskhandError:
            return None


def _chosen_item(snapshot: Snapshot) -> Node | None:
    """The item of an open menu that keys would press: some browsers say that their page keeps the focus."""
    chosen = [
        node
        for node in snapshot.nodes.values()
        if node.role in _ITEMS and node.has(State.SHOWING) and node.states & (State.SELECTED | State.FOCUSED)
    ]
    return chosen[-1] if chosen else None


def _level(step: Step, snapshot: Snapshot) -> dict[str, Node]:
    """What a menu path begins with: where that is a button, it will be pressed."""
    item = path_start(snapshot, step.path) if step.path else None
    return {"level": snapshot.nodes[item.key]} if item is not None else {}


def _holds(snapshot: Snapshot, element: Node | None) -> bool:
    """Whether an element, or what it lies in, is in a snapshot."""
    return element is None or element.key in snapshot.nodes or element.parent in snapshot.nodes


def types_keys(step: Step) -> bool:
    """Whether it presses keys that may do more than write: line breaks and tabs in a text are keys, too."""
    if step.do in _KEYBOARD:
        return True
    return step.do in _WRITERS and (step.route == "keyboard" or any(char in str(step.value) for char in "\n\r\t"))


def is_dialog(window: Window) -> bool:
    """Whether its buttons answer a question: what has one as its default is pressed by Enter."""
    return window.modal or window.role in _DIALOGS


def _sheet(window: Window, element: Node | None) -> bool:
    """Whether the keys go to a sheet in its own window: it has no default button, and a whole read takes long."""
    return element is not None and element.toolkit == "libreoffice" and not is_dialog(window)


def digest(plan: Sequence[PlannedStep]) -> str:
    """Binds an answer to these steps on these elements; anything else has another digest."""
    said = [
        (p.step.model_dump(mode="json", by_alias=True, exclude_none=True), _identity(p.element),
         _identity(p.extra.get("to")), p.window.key if p.window else None)
        for p in plan
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _identity(node: Node | None) -> tuple[str, str, str] | None:
    return (node.key, node.role, node.name) if node else None


def _default(snapshot: Snapshot, element: Node | None) -> Node | None:
    """What Enter presses: of several (every form of a page has one) the nearest; in a page none of another form."""
    marked = [node for node in snapshot.nodes.values() if node.has(State.DEFAULT)]
    if element is None or not marked:
        return marked[0] if marked else None
    above = _around_element(snapshot, element)
    far = {node.key: _distance(above, _above(snapshot, node.key)) for node in marked}
    nearest = min(marked, key=lambda node: far[node.key])
    form = next((place for place, key in enumerate(above) if _role(snapshot, key) == "form"), len(above))
    return None if _in_page(snapshot, above) and far[nearest.key] > form else nearest


def _distance(above: Sequence[str], other: Sequence[str]) -> int:
    """How many ancestors up what both have in common lies; beyond the last where nothing does."""
    return next((place for place, key in enumerate(above) if key in other), len(above) + 1)


def _role(snapshot: Snapshot, key: str) -> str:
    return snapshot.nodes[key].role if key in snapshot.nodes else ""


def _in_page(snapshot: Snapshot, above: Sequence[str]) -> bool:
    return any(_role(snapshot, key) == "document" for key in above)


def _around_element(snapshot: Snapshot, element: Node) -> list[str]:
    """Ancestors of an element, which may have been read after the snapshot; nearest first."""
    parent = element.parent or ""
    return _above(snapshot, element.key) or [parent, *_above(snapshot, parent)]


def _context(snapshot: Snapshot, element: Node | None) -> tuple[str, ...]:
    """Names of the ancestors, nearest first."""
    names = []
    node = snapshot.nodes.get(element.parent or "") if element else None
    while node is not None:
        if node.name:
            names.append(node.name)
        node = snapshot.nodes.get(node.parent or "")
    return tuple(names)


def _peers(step: Step, snapshot: Snapshot, element: Node | None) -> tuple[str, ...]:
    """Names of the buttons that Enter or a mnemonic may press: all of a dialog, elsewhere those beside a field."""
    own = element.key if element else None
    buttons = [i for i in snapshot.flat.values() if i.role in _BUTTONS and i.name and i.key != own]
    if not is_dialog(snapshot.window):
        holder = _holder(step, snapshot, element, [i.key for i in buttons])
        buttons = [i for i in buttons if holder is not None and holder in _above(snapshot, i.key)]
    return tuple(i.name for i in buttons)


def _holder(step: Step, snapshot: Snapshot, element: Node | None, buttons: Sequence[str]) -> str | None:
    """What holds a field together with what it is sent by: its form, else the nearest that has a button."""
    if element is None or not _submits(step, snapshot, element):
        return None
    above = _around_element(snapshot, element)
    form = next((key for key in above if _role(snapshot, key) == "form"), None)
    if form is not None:
        return form
    holding = {key for button in buttons for key in _above(snapshot, button)}
    return next((key for key in above if key in holding), None)


def _above(snapshot: Snapshot, key: str) -> list[str]:
    """Keys of the ancestors, nearest first, up to the page or window."""
    found: list[str] = []
    node = snapshot.nodes.get(key)
    while node is not None and node.parent and node.parent not in found and node.role not in _BORDERS:
        found.append(node.parent)
        node = snapshot.nodes.get(node.parent)
    return found


def _around(step: Step, snapshot: Snapshot, element: Node | None) -> dict[str, Any]:
    """What else the window has that the step may press."""
    return {**_level(step, snapshot), **_mnemonics(step, snapshot), **_page(step, snapshot, element)}


def _submits(step: Step, snapshot: Snapshot, element: Node) -> bool:
    """Whether Enter in it may press a button beside: in a field, and in a page on a box to tick, too."""
    if element.role in _FIELDS:
        return True
    ticked = element.role in _SUBMITTING and types_keys(step)
    return ticked and _in_page(snapshot, _around_element(snapshot, element))


def _page(step: Step, snapshot: Snapshot, element: Node | None) -> dict[str, bool]:
    """Whether it lies in a page, where Enter presses its form's button."""
    if element is None or not _submits(step, snapshot, element):
        return {}
    return {"page": True} if _in_page(snapshot, _around_element(snapshot, element)) else {}


def _mnemonics(step: Step, snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """What Alt and a letter may press in a window that is no dialog: its buttons, and its menus, which come first."""
    if step.do != "key" or is_dialog(snapshot.window):
        return {}
    shown = [i for i in snapshot.flat.values() if i.name]
    return {
        "buttons": tuple(i.name for i in shown if i.role in _BUTTONS),
        "menus": tuple(i.name for i in shown if i.role == "menu"),
    }


def _dialog_text(snapshot: Snapshot) -> str:
    if not is_dialog(snapshot.window):
        return ""
    return " ".join(item.name for item in snapshot.flat.values() if item.ref is None)[:_DIALOG_TEXT]
