"""``expect``: assertions that wait, woken by what applications announce."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import overload

from deskhand.desktop.semantics.quoting import quote
from deskhand.library.failures import ExpectationFailed
from deskhand.library.locators import Locator, shown_text
from deskhand.library.queries import Text, shown, words
from deskhand.library.windows import Window
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import TEXT_HEAD
from deskhand.types.results import ElementInfo

_NUMBER = 1e-9
_Check = Callable[[ElementInfo], bool]
_LOOKED = ("not_found", "window_gone", "stale_ref")


class LocatorExpectation:
    """What a locator's element is to be like within ``timeout`` seconds (default: the connection's).

    Every method raises ``ExpectationFailed``, an ``AssertionError``, that tells what was there instead.
    """

    def __init__(self, locator: Locator) -> None:
        self._locator = locator

    async def to_have_value(self, value: Text | float, *, timeout: float | None = None) -> None:
        """It holds exactly this text or number; a pattern is searched for in its text."""
        said = str(value) if isinstance(value, int | float) else shown(value)
        await self._element(f"to hold {said}", lambda found: _holds(found, value), timeout)

    async def to_have_text(self, text: Text, *, timeout: float | None = None) -> None:
        """It shows exactly this: its text where it holds one, else its name."""
        await self._element(f"to show {shown(text)}", lambda found: _shows(found, text), timeout)

    async def to_contain_text(self, text: str, *, timeout: float | None = None) -> None:
        """It shows this somewhere, as written."""
        await self._element(f"to contain {quote(text)}", lambda found: text in shown_text(found), timeout)

    async def to_be_checked(self, *, timeout: float | None = None) -> None:
        """It is on."""
        await self._element("to be on", lambda found: "on" in found.states, timeout)

    async def to_be_unchecked(self, *, timeout: float | None = None) -> None:
        """It is off."""
        await self._element("to be off", lambda found: not {"on", "mixed"} & set(found.states), timeout)

    async def to_be_enabled(self, *, timeout: float | None = None) -> None:
        """It can be used."""
        await self._element("to be enabled", lambda found: "disabled" not in found.states, timeout)

    async def to_be_disabled(self, *, timeout: float | None = None) -> None:
        """It cannot be used."""
        await self._element("to be disabled", lambda found: "disabled" in found.states, timeout)

    async def to_be_focused(self, *, timeout: float | None = None) -> None:
        """It has the keyboard focus."""
        await self._element("to have the focus", lambda found: "focused" in found.states, timeout)

    async def to_be_selected(self, *, timeout: float | None = None) -> None:
        """It is selected: a tab, an item, a row."""
        await self._element("to be selected", lambda found: "selected" in found.states, timeout)

    async def to_be_expanded(self, *, timeout: float | None = None) -> None:
        """It is open."""
        await self._element("to be expanded", lambda found: "expanded" in found.states, timeout)

    async def to_be_visible(self, *, timeout: float | None = None) -> None:
        """One that fits is there; scrolled away is still visible."""
        await self._element("to be visible", lambda _: True, timeout)

    async def to_be_gone(self, *, timeout: float | None = None) -> None:
        """None that fits is there, or its window has closed."""
        await self._counted("to be gone", lambda count: count == 0, timeout)

    async def to_have_count(self, count: int, *, timeout: float | None = None) -> None:
        """So many fit."""
        await self._counted(f"to be {count}", lambda found: found == count, timeout)

    async def _element(self, wanted: str, check: _Check, timeout: float | None) -> None:
        async def look() -> bool | None:
            found = await self._locator._one()
            return True if found is not None and check(found) else None

        if not await self._until(look, timeout):
            raise self._failed(wanted, await self._instead())

    async def _counted(self, wanted: str, check: Callable[[int], bool], timeout: float | None) -> None:
        async def look() -> bool | None:
            return True if check(len(await self._there())) else None

        if not await self._until(look, timeout):
            there = [words(each) for each in await self._there()]
            raise self._failed(wanted, f"{len(there)}: {', '.join(there)}" if there else "none")

    async def _there(self) -> list[ElementInfo]:
        try:
            return await self._locator.all()
        except DeskhandError as error:
            if error.code in _LOOKED:
                return []
            raise

    async def _until(self, look: Callable[[], Awaitable[bool | None]], timeout: float | None) -> bool:
        link = self._locator._scope.link
        return await link.until(look, link.ends(timeout)) is not None

    async def _instead(self) -> str:
        try:
            found = await self._locator.element(timeout=0)
            return words(found) + ("" if _whole(found) else f"; of its {found.length} characters {TEXT_HEAD} were read")
        except DeskhandError as error:
            return error.message

    def _failed(self, wanted: str, found: str) -> ExpectationFailed:
        message = f"expected {self._locator} {wanted}; found {found}"
        return ExpectationFailed("expectation_failed", message, expected=wanted, found=found)


class WindowExpectation:
    """What a window is to be like within ``timeout`` seconds."""

    def __init__(self, window: Window) -> None:
        self._window = window

    async def to_be_open(self, *, timeout: float | None = None) -> None:
        """It is there."""
        await self._until("to be open", True, timeout)

    async def to_be_gone(self, *, timeout: float | None = None) -> None:
        """It has closed."""
        await self._until("to be gone", False, timeout)

    async def to_have_title(self, title: Text, *, timeout: float | None = None) -> None:
        """Its title is this; a pattern is searched for."""
        link = self._window.link

        async def look() -> bool | None:
            found = await self._window._one()
            return True if found is not None and _is(title, found.title) else None

        if not await link.until(look, link.ends(timeout)):
            raise await self._failed(f"to have the title {shown(title)}")

    async def _until(self, wanted: str, there: bool, timeout: float | None) -> None:
        link = self._window.link

        async def look() -> bool | None:
            return True if await self._window.is_open() == there else None

        if not await link.until(look, link.ends(timeout)):
            raise await self._failed(wanted)

    async def _failed(self, wanted: str) -> ExpectationFailed:
        windows = (await self._window.link.apps()).windows
        found = ", ".join(f"{each.ref} {quote(each.title)}" for each in windows) or "no window"
        message = f"expected {self._window.words} {wanted}; found {found}"
        return ExpectationFailed("expectation_failed", message, expected=wanted, found=found)


def _is(wanted: Text, text: str) -> bool:
    return wanted.search(text) is not None if isinstance(wanted, re.Pattern) else wanted == text


def _shows(found: ElementInfo, wanted: Text) -> bool:
    return _whole(found) and _is(wanted, shown_text(found))


def _holds(found: ElementInfo, wanted: Text | float) -> bool:
    if isinstance(wanted, int | float):
        return _number(found.value, wanted)
    return found.value is not None and _whole(found) and _is(wanted, shown_text(found))


def _number(value: str | float | None, wanted: float) -> bool:
    try:
        return value is not None and abs(float(value) - wanted) < _NUMBER
    except ValueError:
        return False


def _whole(found: ElementInfo) -> bool:
    """Whether all of its text was read; the beginning of a long one proves nothing about the whole."""
    return not isinstance(found.value, str) or len(found.value) < TEXT_HEAD or found.length <= len(found.value)


@overload
def expect(what: Locator) -> LocatorExpectation: ...


@overload
def expect(what: Window) -> WindowExpectation: ...


def expect(what: Locator | Window) -> LocatorExpectation | WindowExpectation:
    """``await expect(locator).to_have_value("x")``: waits until it is so, or tells what is there instead."""
    return LocatorExpectation(what) if isinstance(what, Locator) else WindowExpectation(what)
