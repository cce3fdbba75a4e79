"""One element as AT-SPI tells it, and the questions that read it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.bus import ATSPI, AccessibilityBus, Refused, join_key, split_key
from deskhand.types.geometry import Rect
from deskhand.types.nodes import TEXT_HEAD, Ability

VALUE_ROLES = frozenset({"slider", "spinbutton", "scrollbar", "progressbar", "meter"})
"""Roles whose number is worth a question."""
_NAMED_ROLES_SPEAK_BY_NAME = frozenset(
    {"label", "menu", "menuitem", "menuitemcheckbox", "menuitemradio", "button", "toggle", "checkbox", "radio", "tab",
     "link", "heading", "tooltip", "separator"}
)  # fmt: skip
_LABELLED = frozenset({"textbox", "combobox", "spinbutton", "slider", "listbox", "list", "table", "tree", "treegrid"})
_HINTED = frozenset({"textbox", "combobox"})
_LABELLED_BY, _FLOWS_TO, _FLOWS_FROM = 2, 10, 11
SCREEN, WINDOW = 0, 1


@dataclass(frozen=True, slots=True)
class Raw:
    """An element before quirks: role number and state bits as sent, bounds in the toolkit's own frame."""

    key: str
    parent: str | None
    number: int
    bits: int
    name: str
    description: str = ""
    child_count: int = 0
    attributes: dict[str, str] = field(default_factory=dict)
    abilities: Ability = Ability.NONE
    bounds: Rect | None = None
    text: str | None = None
    text_length: int = 0
    value: tuple[float, float, float] | None = None
    actions: tuple[str, ...] = ()
    labelled_by: str | None = None
    index: int = -1
    children: tuple[str, ...] = ()
    beyond: tuple[int, int] | None = None

    @property
    def role(self) -> str:
        """Its ARIA role."""
        return words.ROLES.get(self.number, "generic")

    def bit(self, mask: int) -> bool:
        """Whether any of these state bits is set."""
        return bool(self.bits & mask)


class Questions:
    """Reads single elements. All questions about one element are sent before the first answer is awaited."""

    def __init__(self, bus: AccessibilityBus) -> None:
        self._bus = bus

    async def bits(self, key: str) -> int:
        """The 64 state bits."""
        low, high = await self._accessible(key, "GetState")
        return int(low) | int(high) << 32

    async def element(self, key: str, parent: str | None, frame: int, index: int = -1) -> Raw | None:
        """Name, role, states, interfaces, bounds; None when the element is gone. ``frame``: SCREEN or WINDOW."""
        app, path = split_key(key)
        try:
            said, number, bits, interfaces, bounds = await asyncio.gather(
                self._bus.get_all(app, path, "Accessible"), self._accessible(key, "GetRole"), self.bits(key),
                self._accessible(key, "GetInterfaces"), self.bounds(key, frame),
            )  # fmt: skip
        except Refused:
            return None
        return Raw(
            key, parent, int(number), bits, str(said.get("Name") or ""), str(said.get("Description") or ""),
            int(said.get("ChildCount") or 0), dict(said.get("Attributes") or {}), words.abilities(interfaces), bounds,
            index=index,
        )  # fmt: skip

    async def placed(self, raw: Raw, frame: int) -> Raw:
        """An element known but for its bounds; a field's attributes carry its placeholder."""
        app, path = split_key(raw.key)
        if raw.role not in _HINTED:
            return replace(raw, bounds=await self.bounds(raw.key, frame))
        bounds, said = await asyncio.gather(self.bounds(raw.key, frame), self._bus.get_all(app, path, "Accessible"))
        return replace(raw, bounds=bounds, attributes=dict(said.get("Attributes") or {}))

    async def bounds(self, key: str, frame: int) -> Rect | None:
        """Extents in the asked frame; None where it has none or claims a size below 0."""
        app, path = split_key(key)
        try:
            x, y, w, h = await self._bus.call(app, path, ATSPI + "Component", "GetExtents", "u", frame)
        except Refused:
            return None
        return Rect(x, y, w, h) if w >= 0 and h >= 0 else None

    async def detail(self, raw: Raw, actions: bool = False) -> Raw:
        """What only some elements have: text, value, label, and on request the names of its actions."""
        text, value, label, names = await asyncio.gather(
            self._head(raw), self._value(raw), self._label(raw), self._actions(raw, actions)
        )
        return replace(raw, text=text[0], text_length=text[1], value=value, labelled_by=label, actions=names)

    async def parent(self, key: str) -> str | None:
        """Key of its parent, None where it tells none."""
        try:
            return join_key(await self._bus.get(*split_key(key), "Accessible", "Parent"))
        except Refused:
            return None

    async def flows(self, key: str) -> tuple[bool, bool]:
        """Whether a text flows from something before it, and to something after it."""
        try:
            kinds = {kind for kind, _ in await self._accessible(key, "GetRelationSet")}
        except Refused:
            return False, False
        return _FLOWS_FROM in kinds, _FLOWS_TO in kinds

    async def children(self, key: str) -> tuple[str, ...]:
        """Keys of its children, as the application lists them."""
        try:
            return tuple(join_key(child) for child in await self._accessible(key, "GetChildren"))
        except Refused:
            return ()

    async def text(self, key: str, first: int, last: int) -> str:
        """Characters ``first`` to ``last``."""
        app, path = split_key(key)
        return str(await self._bus.call(app, path, ATSPI + "Text", "GetText", "ii", first, last))

    async def text_length(self, key: str) -> int:
        """How many characters its text has."""
        return int(await self._bus.get(*split_key(key), "Text", "CharacterCount"))

    async def _accessible(self, key: str, member: str) -> Any:
        app, path = split_key(key)
        return await self._bus.call(app, path, ATSPI + "Accessible", member)

    async def _head(self, raw: Raw) -> tuple[str | None, int]:
        if not raw.abilities & Ability.TEXT or raw.number == words.PASSWORD_ROLE:
            return None, 0
        if raw.name and raw.role in _NAMED_ROLES_SPEAK_BY_NAME:
            return None, 0
        try:
            # LibreOffice answers "" when the end lies past the text, so the length is asked first.
            length = await self.text_length(raw.key)
            return (await self.text(raw.key, 0, min(length, TEXT_HEAD)) if length > 0 else ""), max(0, length)
        except Refused:
            return None, 0

    async def _value(self, raw: Raw) -> tuple[float, float, float] | None:
        if not raw.abilities & Ability.VALUE or raw.role not in VALUE_ROLES:
            return None
        try:
            said = await self._bus.get_all(*split_key(raw.key), "Value")
        except Refused:
            return None
        return float(said["CurrentValue"]), float(said["MinimumValue"]), float(said["MaximumValue"])

    async def _label(self, raw: Raw) -> str | None:
        if raw.role not in _LABELLED or (raw.name and raw.role != "combobox"):
            return None
        try:
            relations = await self._accessible(raw.key, "GetRelationSet")
        except Refused:
            return None
        return next((join_key(targets[0]) for kind, targets in relations if kind == _LABELLED_BY and targets), None)

    async def _actions(self, raw: Raw, wanted: bool) -> tuple[str, ...]:
        if not wanted or not raw.abilities & Ability.ACTION:
            return ()
        app, path = split_key(raw.key)
        try:
            # GetActions would name them in the user's language.
            count = int(await self._bus.get(app, path, "Action", "NActions"))
            asked = [self._bus.call(app, path, ATSPI + "Action", "GetName", "i", n) for n in range(min(count, 20))]
            return tuple(str(name) for name in await asyncio.gather(*asked))
        except Refused:
            return ()
