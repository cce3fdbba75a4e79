"""One element as AT-SPI tells it, and the questions that read it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, TypeVar

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.asking import Asker
from deskhand.platforms.linux.atspi.bus import ATSPI, PROPERTIES, PROPERTY_NAMES, Refused, join_key, split_key
from deskhand.platforms.linux.atspi.fixed import Fixed
from deskhand.platforms.linux.atspi.line import Answer, values
from deskhand.types.geometry import Rect
from deskhand.types.nodes import TEXT_HEAD, Ability

VALUE_ROLES = frozenset({"slider", "spinbutton", "scrollbar", "progressbar", "meter"})
"""Roles whose number is worth a question."""
SPEAK_BY_NAME = frozenset(
    {"label", "menu", "menuitem", "menuitemcheckbox", "menuitemradio", "button", "toggle", "checkbox", "radio", "tab",
     "link", "heading", "tooltip", "separator"}
)  # fmt: skip
_LABELLED = frozenset({"textbox", "combobox", "spinbutton", "slider", "listbox", "list", "table", "tree", "treegrid"})
_HINTED = frozenset({"textbox", "combobox"})
_LABELLED_BY, _FLOWS_TO, _FLOWS_FROM, _EMBEDS = 2, 10, 11, 13
_PADDED = re.compile("([\U00010000-\U0010ffff])\ufeff")
"""Firefox counts UTF-16 units, and fills up letters outside of the first 65,536 with a mark of its own."""
_MENU_LEVELS, _ITEMS_MOST = 2, 400
SCREEN, WINDOW = 0, 1
ACTIONS_MOST = 20
WRITTEN_MOST = 20_000
"""Characters of a page's own words that are read."""
T = TypeVar("T")
Asked = asyncio.Future[Answer]
Posed = Callable[[], Awaitable[T]]
"""A question that has been sent; called and awaited, it gives the answer."""
Told = Mapping[str, Any]
"""Properties by name, each a D-Bus variant."""
Numbers = tuple[float, float, float]
"""Current, least, most; the last two are 0 where they are not set."""
Said = tuple[str | None, int]
"""The head of a text, None where it is not told, and how long all of it is."""


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
    value: Numbers | None = None
    actions: tuple[str, ...] = ()
    labelled_by: str | None = None
    index: int = -1
    children: tuple[str, ...] = ()
    beyond: tuple[int, int] | None = None
    written: str = ""  # a page's own words between its children (U+FFFC each); its ``text`` is its address
    page: bool = False  # inside of a document that scrolls, such as a web page

    @property
    def role(self) -> str:
        """Its ARIA role."""
        return words.ROLES.get(self.number, "generic")

    def bit(self, mask: int) -> bool:
        """Whether any of these state bits is set."""
        return bool(self.bits & mask)


class Asking(Protocol):
    """What one toolkit need not, or must, be asked about an element."""

    web: bool
    chosen_in_menu: bool
    pages_written: bool
    heads_at_once: bool
    numbers_together: bool

    def tells_text(self, raw: Raw) -> bool:
        """Whether its text is worth a question."""
        ...


class Questions:
    """Reads elements. What is *posed* has been sent when the method returns, and is *taken* later.

    So all questions of a level are on their way before the first answer is awaited, without a task for each.
    """

    def __init__(self, asker: Asker, fixed: Fixed | None = None) -> None:
        self.asker = asker
        self.fixed = fixed or Fixed()

    # -- whole elements ------------------------------------------------------------------------------------------------
    async def element(self, key: str, parent: str | None, frame: int, index: int = -1) -> Raw | None:
        """Name, role, states, interfaces, bounds; None when the element is gone. ``frame``: SCREEN or WINDOW."""
        return await self.pose_element(key, parent, frame, index)()

    async def elements(self, asked: Iterable[tuple[str, str | None, int]], frame: int) -> list[Raw | None]:
        """Several at once: of each its key, its parent and its place among the parent's children."""
        return await taken([self.pose_element(key, parent, frame, index) for key, parent, index in asked])

    def pose_element(
        self, key: str, parent: str | None, frame: int, index: int, *,
        able: bool = True, drawn: bool = True, page: bool = False,
    ) -> Posed[Raw | None]:  # fmt: skip
        """One element whole; without what can be asked of it unless ``able``, without its place unless ``drawn``."""
        app, path = split_key(key)
        post, accessible = self.asker.post, ATSPI + "Accessible"
        number, abilities = self.fixed.numbers.get(key), self.fixed.abilities.get(key)
        abilities = Ability.NONE if abilities is None and not able else abilities
        said, states = self._pose_properties(key, "Accessible"), post(app, path, accessible, "GetState")
        role = post(app, path, accessible, "GetRole") if number is None else number
        interfaces = post(app, path, accessible, "GetInterfaces") if abilities is None else abilities
        bounds = self.pose_bounds(key, frame) if drawn else _nowhere
        return lambda: self._element((key, parent, index, page), (said, states, role, interfaces), bounds)

    async def _element(
        self,
        known: tuple[str, str | None, int, bool],
        answers: tuple[Posed[Told], Asked, Asked | int, Asked | Ability],
        bounds: Posed[Rect | None],
    ) -> Raw | None:
        try:
            said, states = await answers[0](), values(await answers[1])[0]
            number = answers[2] if isinstance(answers[2], int) else int(values(await answers[2])[0])
            abilities = await _abilities(answers[3])
        except Refused:
            return None
        key, parent, index, page = known
        self.fixed.learn(key, number, abilities)
        return Raw(
            key, parent, number, _bits(states), _told(said, "Name", ""), _told(said, "Description", ""),
            int(_told(said, "ChildCount", 0)), dict(_told(said, "Attributes", {})), abilities, await bounds(),
            index=index, page=page,
        )  # fmt: skip

    async def frames(self, asked: Sequence[tuple[str, str | None]], frame: int) -> list[Raw]:
        """Of elements (each with its parent) only what clips what lies in them: role and bounds."""
        bounds = [self.pose_bounds(key, frame) for key, _ in asked]
        numbers = [self.fixed.numbers.get(key) for key, _ in asked]
        roles = [
            None if known is not None else self._accessible(key, "GetRole")
            for (key, _), known in zip(asked, numbers, strict=True)
        ]
        found = []
        for (key, parent), place, known, role in zip(asked, bounds, numbers, roles, strict=True):
            try:
                number = int(values(await role)[0]) if role is not None else known or 0
            except Refused:
                continue
            found.append(Raw(key, parent, number, 0, "", bounds=await place()))
        return found

    def pose_hidden(self, key: str, parent: str | None, index: int, page: bool) -> Posed[Raw | None]:
        """What did not show when last seen: its states and how many children it has; None when it is gone."""
        app, path = split_key(key)
        states = self._accessible(key, "GetState")
        count = self.asker.post(app, path, PROPERTIES, "Get", "ss", ATSPI + "Accessible", "ChildCount")

        async def take() -> Raw | None:
            try:
                bits, children = _bits(values(await states)[0]), int(values(await count)[0].value)
            except Refused:
                return None
            return Raw(key, parent, 0, bits, "", child_count=children, index=index, page=page)

        return take

    def pose_placed(self, raw: Raw, frame: int, *, drawn: bool = True) -> Posed[Raw | None]:
        """An element known but for its place; a field's attributes carry its placeholder. Unless ``drawn`` it has none.

        Where it has not told how many children it has (-1), it is asked.
        """
        bounds = self.pose_bounds(raw.key, frame) if drawn else _nowhere
        said = self._pose_properties(raw.key, "Accessible") if raw.role in _HINTED else None
        count = self._pose_property(raw, "Accessible", "ChildCount") if raw.child_count < 0 else None
        return lambda: self._placed(raw, bounds, said, count)

    async def _placed(
        self, raw: Raw, bounds: Posed[Rect | None], said: Posed[Told] | None, count: Asked | None
    ) -> Raw | None:
        try:
            attributes = dict(_told(await said(), "Attributes", {})) if said is not None else raw.attributes
            children = int(values(await count)[0].value) if count is not None else raw.child_count
        except Refused:
            return None
        place = await bounds()
        if place is None and said is None and count is None:
            return raw
        return replace(raw, child_count=children, bounds=place, attributes=attributes)

    # -- single things -------------------------------------------------------------------------------------------------
    async def bits(self, key: str) -> int:
        """The 64 state bits."""
        return await self.pose_bits(key)()

    def pose_bits(self, key: str) -> Posed[int]:
        """The same."""
        asked = self._accessible(key, "GetState")

        async def take() -> int:
            return _bits(values(await asked)[0])

        return take

    async def bounds(self, key: str, frame: int) -> Rect | None:
        """Extents in the asked frame; None where it has none or claims a size below 0."""
        return await self.pose_bounds(key, frame)()

    def pose_bounds(self, key: str, frame: int) -> Posed[Rect | None]:
        """The same."""
        app, path = split_key(key)
        asked = self.asker.post(app, path, ATSPI + "Component", "GetExtents", "u", frame)

        async def take() -> Rect | None:
            try:
                x, y, w, h = values(await asked)[0]
            except Refused:
                return None
            return Rect(x, y, w, h) if w >= 0 and h >= 0 else None

        return take

    async def parent(self, key: str) -> str | None:
        """Key of its parent, None where it tells none."""
        try:
            return join_key(await self.asker.get(*split_key(key), "Accessible", "Parent"))
        except Refused:
            return None

    async def embedded(self, key: str) -> str | None:
        """Key of what a window says that it embeds, None where it tells none."""
        try:
            relations = values(await self._accessible(key, "GetRelationSet"))[0]
        except Refused:
            return None
        return next((join_key(target) for kind, targets in relations if kind == _EMBEDS for target in targets), None)

    async def flows(self, key: str) -> tuple[bool, bool]:
        """Whether a text flows from something before it, and to something after it."""
        try:
            kinds = {kind for kind, _ in values(await self._accessible(key, "GetRelationSet"))[0]}
        except Refused:
            return False, False
        return _FLOWS_FROM in kinds, _FLOWS_TO in kinds

    async def children(self, key: str) -> tuple[str, ...]:
        """Keys of its children, as the application lists them."""
        return await self.pose_children(key)()

    def pose_children(self, key: str) -> Posed[tuple[str, ...]]:
        """The same."""
        asked = self._accessible(key, "GetChildren")

        async def take() -> tuple[str, ...]:
            try:
                return tuple(join_key(child) for child in values(await asked)[0])
            except Refused:
                return ()

        return take

    async def text(self, key: str, first: int, last: int) -> str:
        """Characters ``first`` to ``last``. Raises ``Refused``."""
        return await self.pose_text(key, first, last)()

    def pose_text(self, key: str, first: int, last: int) -> Posed[str]:
        """The same."""
        app, path = split_key(key)
        asked = self.asker.post(app, path, ATSPI + "Text", "GetText", "ii", first, last)

        async def take() -> str:
            return _PADDED.sub(r"\1", str(values(await asked)[0]))

        return take

    async def text_length(self, key: str) -> int:
        """How many characters its text has."""
        return int(await self.asker.get(*split_key(key), "Text", "CharacterCount"))

    def _accessible(self, key: str, member: str) -> Asked:
        app, path = split_key(key)
        return self.asker.post(app, path, ATSPI + "Accessible", member)

    # -- what only some elements have ----------------------------------------------------------------------------------
    async def details(self, raws: Sequence[Raw], quirks: Asking, actions: bool = False) -> list[Raw]:
        """What only some elements have: text, value, label, and on request the names of their actions."""
        web = asyncio.gather(*(self._of_page(raw, quirks) for raw in raws if _is_of_page(raw, quirks)))
        spoken = [self._pose_length(raw, quirks) if _speaks(raw, quirks) else None for raw in raws]
        numbers = [self._pose_numbers(raw, quirks) if _counts(raw) else None for raw in raws]
        labels = [self._accessible(raw.key, "GetRelationSet") if _labelled(raw) else None for raw in raws]
        acts = [self._pose_property(raw, "Action", "NActions") if actions and _acts(raw) else None for raw in raws]
        texts = [await take() if take is not None else None for take in spoken]
        names = [await self._pose_actions(raw, count) for raw, count in zip(raws, acts, strict=True)]
        told = {raw.key: raw for raw in await web}
        return [
            await _detailed(told.get(raw.key, raw), text, number, label, acted)
            for raw, text, number, label, acted in zip(raws, texts, numbers, labels, names, strict=True)
        ]

    async def _of_page(self, raw: Raw, quirks: Asking) -> Raw:
        """What only pages tell: a page its address, a combo box what is chosen, a field its placeholder."""
        if raw.number in words.DOCUMENT_ROLES:
            if not quirks.pages_written:
                return _holding(raw, await self._address(raw.key))
            address, written = await asyncio.gather(self._address(raw.key), self._written(raw.key))
            return replace(_holding(raw, address), written=written)
        if quirks.web:
            raw = replace(raw, attributes=raw.attributes | await self._attributes(raw.key))
        return _holding(raw, await self._chosen(raw.key)) if _chooses(raw, quirks) else raw

    async def _written(self, key: str) -> str:
        try:
            return await self.text(key, 0, min(await self.text_length(key), WRITTEN_MOST))
        except Refused:
            return ""

    async def _address(self, key: str) -> str | None:
        try:
            said = await self.asker.call(*split_key(key), ATSPI + "Document", "GetAttributes")
        except Refused:
            return None
        return str(said.get("URI") or said.get("DocURL") or "") or None

    async def _chosen(self, key: str) -> str | None:
        """The name of what is selected in the menu inside of a combo box, in a group of it too.

        Told by the items' states: ``GetSelectedChild`` aborts Firefox where the menu has gone with its page.
        """
        level = await self.children(key)
        for _ in range(_MENU_LEVELS):
            level = await self._below(level)
            if (chosen := await self._selected(level)) is not None:
                return str(await self.asker.get(*split_key(chosen), "Accessible", "Name"))
        return None

    async def _below(self, keys: Sequence[str]) -> tuple[str, ...]:
        listed = await taken([self.pose_children(key) for key in keys])
        return tuple(key for children in listed for key in children)[:_ITEMS_MOST]

    async def _selected(self, keys: Sequence[str]) -> str | None:
        for key, take in [(key, self.pose_bits(key)) for key in keys]:
            try:
                if await take() & words.SELECTED:
                    return key
            except Refused:
                continue  # it has just gone
        return None

    async def _attributes(self, key: str) -> dict[str, str]:
        try:
            said = dict(values(await self._accessible(key, "GetAttributes"))[0])
        except Refused:
            return {}
        return {"placeholder-text": said["placeholder"], **said} if "placeholder" in said else said

    def _pose_property(self, raw: Raw, interface: str, name: str) -> Asked:
        app, path = split_key(raw.key)
        return self.asker.post(app, path, PROPERTIES, "Get", "ss", ATSPI + interface, name)

    def _pose_properties(self, key: str, interface: str) -> Posed[Told]:
        """All properties of an interface; what is read of them one by one where the application wants it so."""
        app, path = split_key(key)
        if app not in self.asker.bus.piecemeal:
            return partial(_together, self.asker.post(app, path, PROPERTIES, "GetAll", "s", ATSPI + interface))
        names = PROPERTY_NAMES[interface]
        posed = [self.asker.post(app, path, PROPERTIES, "Get", "ss", ATSPI + interface, name) for name in names]
        return partial(_one_by_one, names, posed)

    def _pose_numbers(self, raw: Raw, quirks: Asking) -> Posed[Numbers | None]:
        """One by one: GetAll aborts Firefox where one of them is not set (a progress bar without an end)."""
        if quirks.numbers_together:
            return partial(_numbers, self._pose_properties(raw.key, "Value"))
        return partial(_value, [self._pose_property(raw, "Value", name) for name in PROPERTY_NAMES["Value"]])

    def _pose_length(self, raw: Raw, quirks: Asking) -> Posed[Posed[Said] | None]:
        """How long its text is, which is then asked for; both in one where a head may be asked for at once."""
        if quirks.heads_at_once:
            return partial(self._headed, raw.key, self.pose_text(raw.key, 0, TEXT_HEAD))
        return partial(self._pose_head, raw.key, self._pose_property(raw, "Text", "CharacterCount"))

    async def _headed(self, key: str, head: Posed[str]) -> Posed[Said]:
        return partial(self._measured, key, head)

    async def _measured(self, key: str, head: Posed[str]) -> Said:
        try:
            text = await head()
            return text, len(text) if len(text) < TEXT_HEAD else await self.text_length(key)
        except Refused:
            return None, 0

    async def _pose_head(self, key: str, length: Asked) -> Posed[Said] | None:
        """The head of its text; LibreOffice answers "" when the end lies past the text."""
        try:
            size = int(values(await length)[0].value)
        except Refused:
            return None
        return partial(_head, size, self.pose_text(key, 0, min(size, TEXT_HEAD)) if size > 0 else None)

    async def _pose_actions(self, raw: Raw, count: Asked | None) -> list[Asked]:
        """GetActions would name them in the user's language."""
        app, path = split_key(raw.key)
        try:
            number = min(int(values(await count)[0].value), ACTIONS_MOST) if count is not None else 0
        except Refused:
            return []
        return [self.asker.post(app, path, ATSPI + "Action", "GetName", "i", n) for n in range(number)]


async def taken(posed: Sequence[Posed[T]]) -> list[T]:
    """The answers of all, in order."""
    return [await take() for take in posed]


async def _nowhere() -> Rect | None:
    """Where something is that is not drawn."""
    return None


async def _together(answer: Asked) -> Told:
    return dict(values(await answer)[0])


async def _one_by_one(names: Sequence[str], answers: Sequence[Asked]) -> Told:
    return {name: values(await answer)[0] for name, answer in zip(names, answers, strict=True)}


async def _abilities(said: Asked | Ability) -> Ability:
    return said if isinstance(said, Ability) else words.abilities(tuple(values(await said)[0]))


def _bits(states: Sequence[int]) -> int:
    return int(states[0]) | int(states[1]) << 32


def _told(said: Mapping[str, Any], name: str, otherwise: Any) -> Any:
    variant = said.get(name)
    return otherwise if variant is None or variant.value is None else variant.value


def _chooses(raw: Raw, quirks: Asking) -> bool:
    """Whether what it holds is told by what is chosen inside of it."""
    return quirks.chosen_in_menu and raw.role == "combobox" and not raw.bit(words.EDITABLE)


def _is_of_page(raw: Raw, quirks: Asking) -> bool:
    hinted = quirks.web and raw.role in _HINTED
    return hinted or _chooses(raw, quirks) or (quirks.web and raw.number in words.DOCUMENT_ROLES)


def _holding(raw: Raw, text: str | None) -> Raw:
    return replace(raw, text=text, text_length=len(text or ""))


def _speaks(raw: Raw, quirks: Asking) -> bool:
    """Whether its text says more than its name; a password's is never asked for."""
    if not raw.abilities & Ability.TEXT or raw.number == words.PASSWORD_ROLE:
        return False
    by_parts = _chooses(raw, quirks) or (quirks.web and raw.number in words.DOCUMENT_ROLES)
    return not by_parts and quirks.tells_text(raw)


def _counts(raw: Raw) -> bool:
    return bool(raw.abilities & Ability.VALUE) and raw.role in VALUE_ROLES


def _labelled(raw: Raw) -> bool:
    return raw.role in _LABELLED and (not raw.name or raw.role == "combobox")


def _acts(raw: Raw) -> bool:
    return bool(raw.abilities & Ability.ACTION)


async def _detailed(
    raw: Raw,
    text: Posed[Said] | None,
    number: Posed[Numbers | None] | None,
    label: Asked | None,
    names: list[Asked],
) -> Raw:
    if text is None and number is None and label is None and not names:
        return raw
    said, length = await text() if text is not None else (raw.text, raw.text_length)
    return replace(
        raw, text=said, text_length=length, value=await number() if number else None, labelled_by=await _label(label),
        actions=await _names(names),
    )  # fmt: skip


async def _head(size: int, text: Posed[str] | None) -> Said:
    try:
        head = await text() if text is not None else ""
        return head, size if size > TEXT_HEAD else len(head)  # Qt and Java count in UTF-16
    except Refused:
        return None, 0


async def _numbers(take: Posed[Told]) -> Numbers | None:
    try:
        said = await take()
    except Refused:
        return None
    current, least, most = (_told(said, name, None) for name in PROPERTY_NAMES["Value"])
    return None if current is None else (float(current), float(least or 0.0), float(most or 0.0))


async def _value(asked: list[Asked]) -> Numbers | None:
    current, least, most = [await _number(answer) for answer in asked]
    return None if current is None else (current, least or 0.0, most or 0.0)


async def _number(asked: Asked) -> float | None:
    try:
        return float(values(await asked)[0].value)
    except Refused:
        return None


async def _label(asked: Asked | None) -> str | None:
    try:
        relations = values(await asked)[0] if asked is not None else ()
    except Refused:
        return None
    return next((join_key(targets[0]) for kind, targets in relations if kind == _LABELLED_BY and targets), None)


async def _names(asked: Sequence[Asked]) -> tuple[str, ...]:
    try:
        return tuple([str(values(await answer)[0]) for answer in asked])
    except Refused:
        return ()
