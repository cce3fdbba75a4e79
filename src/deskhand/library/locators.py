"""Locators: what is meant is looked up at the moment of use, waited for, and must be one element."""

from __future__ import annotations

import time
from typing import Any, Literal, Protocol

from deskhand.desktop.semantics.matching import listed
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.targets import parse_place
from deskhand.library.failures import BatchStopped
from deskhand.library.link import LONGEST, Link
from deskhand.library.queries import Query, Text, words
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Effect, ElementInfo, TableInfo, View
from deskhand.types.words import role_named

AGAIN = frozenset({"stale_ref", "not_found", "disabled", "hidden", "occluded", "focus_lost", "layout_changed"})
"""Refusals after which a locator looks again: nothing was sent, and a moment later it may be well."""
_SHOWN = 8
_LEAST = 0.1


class Scope(Protocol):
    """Where a locator looks: the active window, a window, or another locator's element."""

    @property
    def link(self) -> Link:
        """The connection."""
        ...

    async def seen(self) -> View:
        """What is there now. Raises ``not_found`` where the scope itself is not there."""
        ...

    @property
    def words(self) -> str:
        """How errors name it."""
        ...


class Finding:
    """The ways to find an element inside of something."""

    @property
    def scope(self) -> Scope:
        """What is searched."""
        raise NotImplementedError

    def get_by_role(self, role: str, *, name: Text | None = None, exact: bool = True) -> Locator:
        """By role (``button textbox checkbox combobox menuitem tab table …``), with its name where given.

        Raises:
            DeskhandError: ``invalid_request`` at once for a role that there is not, naming near ones.
        """
        return Locator(self.scope, Query("role", _role(role), name, exact))

    def get_by_text(self, text: Text, *, exact: bool = True) -> Locator:
        """By what it shows: an element's name or value, or plain text."""
        return Locator(self.scope, Query("text", "", text, exact))

    def get_by_label(self, label: Text, *, exact: bool = True) -> Locator:
        """A field by the label that it has."""
        return Locator(self.scope, Query("label", "", label, exact))


class Locator(Finding):
    """One element, described. Nothing is looked up until it is used; each use looks anew.

    Where several elements fit, a use is refused with ``ambiguous_target`` and their list: narrow it with a name, a
    scope, ``first`` or ``nth``. Where none fits yet, it is waited for. All times are seconds.
    """

    def __init__(self, scope: Scope, query: Query, index: int | None = None, cell: str = "") -> None:
        self._scope = scope
        self._query = query
        self._index = index
        self._cell = cell

    # -- narrowing -----------------------------------------------------------------------------------------------
    @property
    def scope(self) -> Scope:
        """Searches inside of this locator's element."""
        return _Inside(self)

    @property
    def first(self) -> Locator:
        """The first that fits, in the window's order."""
        return self.nth(0)

    @property
    def last(self) -> Locator:
        """The last that fits."""
        return self.nth(-1)

    def nth(self, index: int) -> Locator:
        """The one at ``index`` (from 0; -1 is the last) of those that fit."""
        return Locator(self._scope, self._query, index, self._cell)

    def cell(self, place: str) -> Locator:
        """A cell of this table: ``"B7"``, or ``"3,2"`` for row and column, both from 1."""
        if parse_place(place) is None:
            raise DeskhandError("invalid_request", f"{quote(place)} is no cell; write B7, or row,column")
        return Locator(self._scope, self._query, self._index, place)

    def __str__(self) -> str:
        index = "" if self._index is None else f" number {self._index}"
        cell = f" cell {self._cell}" if self._cell else ""
        return f"{self._query}{index}{cell} in {self._scope.words}"

    def __repr__(self) -> str:
        return f"<Locator {self}>"

    # -- looking -------------------------------------------------------------------------------------------------
    async def element(self, *, timeout: float | None = None) -> ElementInfo:
        """The one element, waited for.

        Raises:
            DeskhandError: ``not_found`` with what is there instead, ``ambiguous_target`` with what fits.
        """
        link = self._scope.link
        found = await link.until(self._one, link.ends(timeout))
        if found is None:
            raise await self._missing()
        return found

    async def all(self) -> list[ElementInfo]:
        """What fits right now; nothing is waited for."""
        return (await self._matching())[0]

    async def count(self) -> int:
        """How many fit right now."""
        return len(await self.all())

    async def value(self, *, timeout: float | None = None) -> str | float | None:
        """What it holds: text or number; None where it holds neither."""
        return (await self.element(timeout=timeout)).value

    async def text(self, *, timeout: float | None = None) -> str:
        """What it shows: its text where it holds one, else its name."""
        return shown_text(await self.element(timeout=timeout))

    async def is_visible(self) -> bool:
        """Whether one that fits shows right now (scrolled away is still visible)."""
        return await self.count() > 0

    async def is_enabled(self, *, timeout: float | None = None) -> bool:
        """Whether it can be used."""
        return "disabled" not in (await self.element(timeout=timeout)).states

    async def is_checked(self, *, timeout: float | None = None) -> bool:
        """Whether a checkbox, radio button, switch or toggle is on."""
        return "on" in (await self.element(timeout=timeout)).states

    async def table(self, *, timeout: float | None = None) -> TableInfo:
        """What shows of this table, its cells as rows of texts."""
        ref = (await whole_table(self).element(timeout=timeout)).ref
        found = next((table for table in (await self._scope.seen()).tables if table.ref == ref), None)
        if found is None:
            raise DeskhandError("unsupported_action", f"{self} is no table whose cells can be read", target=ref)
        return found

    # -- acting --------------------------------------------------------------------------------------------------
    async def press(self, *, timeout: float | None = None) -> Effect:
        """Its default action, as a person would press it."""
        return await self._do("press", timeout)

    async def click(
        self,
        *,
        button: Literal["left", "middle", "right"] = "left",
        count: int = 1,
        mods: str | None = None,
        timeout: float | None = None,
    ) -> Effect:
        """A real pointer click; ``mods`` such as ``"ctrl+shift"`` are held meanwhile."""
        return await self._do("click", timeout, button=button, count=count, mods=mods)

    async def hover(self, *, timeout: float | None = None) -> Effect:
        """Rest the pointer on it."""
        return await self._do("hover", timeout)

    async def fill(self, value: str | float, *, timeout: float | None = None) -> Effect:
        """Replace what it holds: text, number, date, slider, cell."""
        return await self._do("set", timeout, value=value)

    async def set(self, value: str | float, *, timeout: float | None = None) -> Effect:
        """The contract's word for ``fill``."""
        return await self.fill(value, timeout=timeout)

    async def append(self, value: str, *, timeout: float | None = None) -> Effect:
        """Add at the end of what it holds."""
        return await self._do("append", timeout, value=value)

    async def type(self, text: str, *, timeout: float | None = None) -> Effect:
        """Give it the focus and type, exact Unicode."""
        return await self._do("type", timeout, value=text)

    async def key(self, keys: str, *, count: int = 1, timeout: float | None = None) -> Effect:
        """Give it the focus and press a chord such as ``"ctrl+s"``."""
        return await self._do("key", timeout, keys=keys, count=count)

    async def select(
        self,
        *items: str,
        range: str | tuple[int, int] | None = None,
        timeout: float | None = None,
    ) -> Effect:
        """Select items by name, cells (``range="B2:D9"``) or text (``range=(0, 5)``, characters)."""
        return await self._do("select", timeout, items=list(items) or None, range=range)

    async def check(self, *, timeout: float | None = None) -> Effect:
        """Have it on."""
        return await self._do("check", timeout)

    async def uncheck(self, *, timeout: float | None = None) -> Effect:
        """Have it off."""
        return await self._do("uncheck", timeout)

    async def expand(self, *, timeout: float | None = None) -> Effect:
        """Have it open."""
        return await self._do("expand", timeout)

    async def collapse(self, *, timeout: float | None = None) -> Effect:
        """Have it closed."""
        return await self._do("collapse", timeout)

    async def focus(self, *, timeout: float | None = None) -> Effect:
        """Give it the keyboard focus."""
        return await self._do("focus", timeout)

    async def scroll(
        self,
        to: Literal["top", "bottom", "view"] | None = None,
        *,
        by: tuple[int, int] | None = None,
        timeout: float | None = None,
    ) -> Effect:
        """Scroll into view, to an end, or by pixels (right, down)."""
        wanted = to if to is not None or by is not None else "view"
        return await self._do("scroll", timeout, to=wanted, by=by)

    async def drag(self, to: Locator | tuple[int, int], *, timeout: float | None = None) -> Effect:
        """Drag it onto another element, or by so many pixels (right, down)."""
        end = await to._target(timeout) if isinstance(to, Locator) else to
        return await self._do("drag", timeout, to=end)

    async def invoke(self, action: str, *, timeout: float | None = None) -> Effect:
        """Another action that the element lists."""
        return await self._do("invoke", timeout, action=action)

    # -- inside --------------------------------------------------------------------------------------------------
    async def _matching(self) -> tuple[list[ElementInfo], View]:
        view = await self._scope.seen()
        texts = (
            [ElementInfo(ref="", role="text", name=text) for text in view.texts] if self._query.kind == "text" else []
        )
        there = [element for element in (*view.elements, *texts) if "hidden" not in element.states]
        found = [element for element in there if self._query.fits(element)]
        if self._cell:
            found = [_cell_of(element, self._cell, view) for element in found]
        if self._index is not None:
            found = found[self._index :][:1] if self._index >= -len(found) else []
        return found, view

    async def _one(self) -> ElementInfo | None:
        try:
            found, _ = await self._matching()
        except DeskhandError as error:
            if error.code in ("not_found", "window_gone", "stale_ref"):
                return None
            raise
        if len(found) > 1:
            said = f"{len(found)} elements are {self}; name it more closely, or take first or nth"
            raise DeskhandError("ambiguous_target", said, candidates=[words(each) for each in found[:_SHOWN]])
        return found[0] if found else None

    async def _missing(self) -> DeskhandError:
        _, view = await self._matching()  # raises what is missing where the scope itself is
        alike = [words(each) for each in view.elements if each.role == self._query.role][:_SHOWN]
        named = listed([each.name for each in view.elements if each.name])
        found = ", ".join(alike) or named or "nothing"
        said = f"there is no {self}; found {found}"
        return DeskhandError("not_found", said, target=str(self._query), found=found, candidates=alike)

    async def _target(self, timeout: float | None) -> str:
        found = await self.element(timeout=timeout)
        if not found.ref:
            raise DeskhandError("unsupported_action", f"{words(found)} is plain text: nothing can be done to it")
        return found.ref

    async def _do(self, verb: str, timeout: float | None, **fields: Any) -> Effect:
        link = self._scope.link
        ends = link.ends(timeout)
        while True:
            ref = await self._target(max(0.0, ends - time.monotonic()))
            step = {"do": verb, "on": ref, **{name: value for name, value in fields.items() if value is not None}}
            try:
                return (await link.act([step], timeout=LONGEST)).effects[0]
            except BatchStopped as error:
                if error.sent != "no" or error.code not in AGAIN or time.monotonic() >= ends:
                    raise
            await link.pause(ends)


class _Inside:
    """A locator's element as a scope."""

    def __init__(self, holder: Locator) -> None:
        self._holder = holder

    @property
    def link(self) -> Link:
        return self._holder._scope.link

    @property
    def words(self) -> str:
        return str(self._holder)

    async def seen(self) -> View:
        found = await self._holder._one()
        if found is None or not found.ref:
            raise await self._holder._missing()
        view = await self.link.view(found.ref)
        inner = [element for element in view.elements if element.ref != found.ref]
        return view.model_copy(update={"elements": inner})


def _role(said: str) -> str:
    try:
        return role_named(said)
    except ValueError as error:
        raise DeskhandError("invalid_request", str(error)) from error


def whole_table(locator: Locator) -> Locator:
    """The table of a cell."""
    return Locator(locator._scope, locator._query, locator._index)


def _cell_of(table: ElementInfo, place: str, view: View) -> ElementInfo:
    """A cell as an element; its value is None where it does not show."""
    at = parse_place(place)
    shown = next((each for each in view.tables if each.ref == table.ref), None)
    assert at is not None
    value: str | None = None
    if shown is not None:
        row, column = at[0] - shown.first[0], at[1] - shown.first[1]
        inside = 0 <= row < len(shown.cells) and 0 <= column < len(shown.cells[row])
        value = shown.cells[row][column] if inside else None
    return ElementInfo(ref=f"{table.ref}[{place}]", role="cell", name=place, value=value)


def shown_text(element: ElementInfo) -> str:
    """What a person reads in it."""
    if element.value is None:
        return element.name
    return element.value if isinstance(element.value, str) else f"{element.value:g}"
