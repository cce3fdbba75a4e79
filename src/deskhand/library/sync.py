"""Desktops for Python programs, without ``async``. Written by ``scripts/mirror_sync.py``; do not edit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, overload

from deskhand.library import desktop as _desktop
from deskhand.library import expecting as _expecting
from deskhand.library import locators as _locators
from deskhand.library import windows as _windows
from deskhand.library.portal import Portal
from deskhand.library.queries import Text
from deskhand.types.requests import Detail
from deskhand.types.results import (
    ActResult,
    AppsResult,
    Effect,
    ElementInfo,
    FindResult,
    InputResult,
    Judgement,
    PointResult,
    ScreenshotResult,
    TableInfo,
    View,
    WindowLine,
)
from deskhand.types.steps import Target


class Finding:
    """The ways to find an element inside of something."""

    def __init__(self, portal: Portal, it: _locators.Finding) -> None:
        self._portal = portal
        self._it = it

    def get_by_role(self, role: str, *, name: Text | None = None, exact: bool = True) -> Locator:
        """By role (``button textbox checkbox combobox menuitem tab table …``), with its name where given.

        Raises:
            DeskhandError: ``invalid_request`` at once for a role that there is not, naming near ones.
        """
        return Locator(self._portal, self._it.get_by_role(role, name=name, exact=exact))

    def get_by_text(self, text: Text, *, exact: bool = True) -> Locator:
        """By what it shows: an element's name or value, or plain text."""
        return Locator(self._portal, self._it.get_by_text(text, exact=exact))

    def get_by_label(self, label: Text, *, exact: bool = True) -> Locator:
        """A field by the label that it has."""
        return Locator(self._portal, self._it.get_by_label(label, exact=exact))


class Locator(Finding):
    """One element, described. Nothing is looked up until it is used; each use looks anew.

    Where several elements fit, a use is refused with ``ambiguous_target`` and their list: narrow it with a name, a
    scope, ``first`` or ``nth``. Where none fits yet, it is waited for. All times are seconds.
    """

    _it: _locators.Locator

    def __init__(self, portal: Portal, it: _locators.Locator) -> None:
        super().__init__(portal, it)

    @property
    def first(self) -> Locator:
        """The first that fits, in the window's order."""
        return Locator(self._portal, self._it.first)

    @property
    def last(self) -> Locator:
        """The last that fits."""
        return Locator(self._portal, self._it.last)

    def nth(self, index: int) -> Locator:
        """The one at ``index`` (from 0; -1 is the last) of those that fit."""
        return Locator(self._portal, self._it.nth(index))

    def cell(self, place: str) -> Locator:
        """A cell of this table: ``"B7"``, or ``"3,2"`` for row and column, both from 1."""
        return Locator(self._portal, self._it.cell(place))

    def __str__(self) -> str:
        return str(self._it)

    def __repr__(self) -> str:
        return repr(self._it)

    def element(self, *, timeout: float | None = None) -> ElementInfo:
        """The one element, waited for.

        Raises:
            DeskhandError: ``not_found`` with what is there instead, ``ambiguous_target`` with what fits.
        """
        return self._portal.run(self._it.element(timeout=timeout))

    def all(self) -> list[ElementInfo]:
        """What fits right now; nothing is waited for."""
        return self._portal.run(self._it.all())

    def count(self) -> int:
        """How many fit right now."""
        return self._portal.run(self._it.count())

    def value(self, *, timeout: float | None = None) -> str | float | None:
        """What it holds: text or number; None where it holds neither."""
        return self._portal.run(self._it.value(timeout=timeout))

    def text(self, *, timeout: float | None = None) -> str:
        """What it shows: its text where it holds one, else its name."""
        return self._portal.run(self._it.text(timeout=timeout))

    def is_visible(self) -> bool:
        """Whether one that fits shows right now (scrolled away is still visible)."""
        return self._portal.run(self._it.is_visible())

    def is_enabled(self, *, timeout: float | None = None) -> bool:
        """Whether it can be used."""
        return self._portal.run(self._it.is_enabled(timeout=timeout))

    def is_checked(self, *, timeout: float | None = None) -> bool:
        """Whether a checkbox, radio button, switch or toggle is on."""
        return self._portal.run(self._it.is_checked(timeout=timeout))

    def table(self, *, timeout: float | None = None) -> TableInfo:
        """What shows of this table, its cells as rows of texts."""
        return self._portal.run(self._it.table(timeout=timeout))

    def press(self, *, timeout: float | None = None) -> Effect:
        """Its default action, as a person would press it."""
        return self._portal.run(self._it.press(timeout=timeout))

    def click(
        self,
        *,
        button: Literal["left", "middle", "right"] = "left",
        count: int = 1,
        mods: str | None = None,
        timeout: float | None = None,
    ) -> Effect:
        """A real pointer click; ``mods`` such as ``"ctrl+shift"`` are held meanwhile."""
        return self._portal.run(self._it.click(button=button, count=count, mods=mods, timeout=timeout))

    def hover(self, *, timeout: float | None = None) -> Effect:
        """Rest the pointer on it."""
        return self._portal.run(self._it.hover(timeout=timeout))

    def fill(self, value: str | float, *, timeout: float | None = None) -> Effect:
        """Replace what it holds: text, number, date, slider, cell."""
        return self._portal.run(self._it.fill(value, timeout=timeout))

    def set(self, value: str | float, *, timeout: float | None = None) -> Effect:
        """The contract's word for ``fill``."""
        return self._portal.run(self._it.set(value, timeout=timeout))

    def append(self, value: str, *, timeout: float | None = None) -> Effect:
        """Add at the end of what it holds."""
        return self._portal.run(self._it.append(value, timeout=timeout))

    def type(self, text: str, *, timeout: float | None = None) -> Effect:
        """Give it the focus and type, exact Unicode."""
        return self._portal.run(self._it.type(text, timeout=timeout))

    def key(self, keys: str, *, count: int = 1, timeout: float | None = None) -> Effect:
        """Give it the focus and press a chord such as ``"ctrl+s"``."""
        return self._portal.run(self._it.key(keys, count=count, timeout=timeout))

    def select(self, *items: str, range: str | tuple[int, int] | None = None, timeout: float | None = None) -> Effect:
        """Select items by name, cells (``range="B2:D9"``) or text (``range=(0, 5)``, characters)."""
        return self._portal.run(self._it.select(*items, range=range, timeout=timeout))

    def check(self, *, timeout: float | None = None) -> Effect:
        """Have it on."""
        return self._portal.run(self._it.check(timeout=timeout))

    def uncheck(self, *, timeout: float | None = None) -> Effect:
        """Have it off."""
        return self._portal.run(self._it.uncheck(timeout=timeout))

    def expand(self, *, timeout: float | None = None) -> Effect:
        """Have it open."""
        return self._portal.run(self._it.expand(timeout=timeout))

    def collapse(self, *, timeout: float | None = None) -> Effect:
        """Have it closed."""
        return self._portal.run(self._it.collapse(timeout=timeout))

    def focus(self, *, timeout: float | None = None) -> Effect:
        """Give it the keyboard focus."""
        return self._portal.run(self._it.focus(timeout=timeout))

    def scroll(
        self,
        to: Literal["top", "bottom", "view"] | None = None,
        *,
        by: tuple[int, int] | None = None,
        timeout: float | None = None,
    ) -> Effect:
        """Scroll into view, to an end, or by pixels (right, down)."""
        return self._portal.run(self._it.scroll(to, by=by, timeout=timeout))

    def drag(self, to: Locator | tuple[int, int], *, timeout: float | None = None) -> Effect:
        """Drag it onto another element, or by so many pixels (right, down)."""
        return self._portal.run(self._it.drag(to._it if isinstance(to, Locator) else to, timeout=timeout))

    def invoke(self, action: str, *, timeout: float | None = None) -> Effect:
        """Another action that the element lists."""
        return self._portal.run(self._it.invoke(action, timeout=timeout))


class Window(Finding):
    """A window: by its ref, or by a title (or part of one) or an application's name, looked up at each use."""

    _it: _windows.Window

    def __init__(self, portal: Portal, it: _windows.Window) -> None:
        super().__init__(portal, it)

    def __repr__(self) -> str:
        return repr(self._it)

    def info(self, *, timeout: float | None = None) -> WindowLine:
        """The window, waited for.

        Raises:
            DeskhandError: ``not_found`` with the windows that are there, ``ambiguous_target`` where several fit.
        """
        return self._portal.run(self._it.info(timeout=timeout))

    def is_open(self) -> bool:
        """Whether it is there right now."""
        return self._portal.run(self._it.is_open())

    def observe(self, *, timeout: float | None = None) -> View:
        """Its view, as every face gives it."""
        return self._portal.run(self._it.observe(timeout=timeout))

    def screenshot(self, *, timeout: float | None = None) -> bytes:
        """Its picture, PNG."""
        return self._portal.run(self._it.screenshot(timeout=timeout))

    def menu(self, *path: str, timeout: float | None = None) -> Effect:
        """Choose from its menu bar: ``menu("File", "Save As…")``."""
        return self._portal.run(self._it.menu(*path, timeout=timeout))

    def key(self, keys: str, *, count: int = 1, timeout: float | None = None) -> Effect:
        """Bring it to the front and press a chord such as ``"ctrl+s"`` where its focus is."""
        return self._portal.run(self._it.key(keys, count=count, timeout=timeout))

    def type(self, text: str, *, timeout: float | None = None) -> Effect:
        """Bring it to the front and type where its focus is."""
        return self._portal.run(self._it.type(text, timeout=timeout))

    def activate(self, *, timeout: float | None = None) -> Effect:
        """Bring it to the front."""
        return self._portal.run(self._it.activate(timeout=timeout))

    def close(self, *, timeout: float | None = None) -> Effect:
        """Close it, as its close button does: it may ask to save."""
        return self._portal.run(self._it.close(timeout=timeout))

    def minimise(self, *, timeout: float | None = None) -> Effect:
        """Put it away."""
        return self._portal.run(self._it.minimise(timeout=timeout))

    def maximise(self, *, timeout: float | None = None) -> Effect:
        """Give it the whole screen."""
        return self._portal.run(self._it.maximise(timeout=timeout))

    def restore(self, *, timeout: float | None = None) -> Effect:
        """Give it its ordinary size."""
        return self._portal.run(self._it.restore(timeout=timeout))

    def move(
        self, x: int, y: int, width: int | None = None, height: int | None = None, *, timeout: float | None = None
    ) -> Effect:
        """Place it, in root pixels, its frame included; with ``width`` and ``height`` it gets that size, too."""
        return self._portal.run(self._it.move(x, y, width, height, timeout=timeout))


class Desktop(Finding):
    """A connected desktop. Locators made of it look in the active window; ``window`` names another one.

    Every method raises ``DeskhandError`` and nothing else. Times are seconds, places root pixels.
    """

    _it: _desktop.Desktop

    def __init__(self, portal: Portal, it: _desktop.Desktop) -> None:
        super().__init__(portal, it)

    def apps(self, query: str | None = None, *, openable: bool = True) -> AppsResult:
        """Windows, front first, and what can be opened, filtered by ``query``."""
        return self._portal.run(self._it.apps(query, openable=openable))

    def observe(
        self,
        target: Target | None = None,
        *,
        since: str | None = None,
        budget: int = 2000,
        detail: Sequence[Detail] = (),
        first: int | None = None,
        last: int | None = None,
    ) -> View:
        """The view of a window, an application or what is below an element; with ``since`` only what changed."""
        return self._portal.run(
            self._it.observe(target, since=since, budget=budget, detail=detail, first=first, last=last)
        )

    def find(
        self,
        query: str = "",
        *,
        role: str | None = None,
        state: str | None = None,
        within: Target | None = None,
        limit: int = 20,
        cursor: str | None = None,
    ) -> FindResult:
        """Elements whose name, text or value contains ``query``, in all windows, closed menus too."""
        return self._portal.run(self._it.find(query, role=role, state=state, within=within, limit=limit, cursor=cursor))

    def point(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        cursor: bool = False,
        lease: str | ScreenshotResult | None = None,
    ) -> PointResult:
        """What lies under a point of the screen or, with ``lease``, of that picture; or under the pointer."""
        return self._portal.run(self._it.point(x, y, cursor=cursor, lease=lease))

    def screenshot(self, target: Target | None = None, *, max_pixels: int | None = None) -> bytes:
        """A picture of the desktop, a window or an element: the bare PNG. ``look`` gives one to act in."""
        return self._portal.run(self._it.screenshot(target, max_pixels=max_pixels))

    def look(
        self,
        target: Target | None = None,
        *,
        region: tuple[int, int, int, int] | None = None,
        monitor: int | None = None,
        marks: bool = False,
        max_pixels: int | None = None,
    ) -> ScreenshotResult:
        """A picture as models are shown it, which ``input``, ``zoom`` and ``point`` take, or its ``lease``.

        ``region`` in root pixels; ``monitor`` counts from the left; ``marks`` draws each element's ref on it.
        """
        return self._portal.run(
            self._it.look(target, region=region, monitor=monitor, marks=marks, max_pixels=max_pixels)
        )

    def zoom(
        self,
        lease: str | ScreenshotResult,
        rect: tuple[int, int, int, int],
        *,
        marks: bool = False,
        max_pixels: int | None = None,
    ) -> ScreenshotResult:
        """A part of a picture, at most four times larger; ``rect`` in that picture's pixels."""
        return self._portal.run(self._it.zoom(lease, rect, marks=marks, max_pixels=max_pixels))

    def window(self, title: Text, *, exact: bool = False) -> Window:
        """The window of this title (or with this in its title), or of this application."""
        return Window(self._portal, self._it.window(title, exact=exact))

    def act(
        self,
        *steps: Mapping[str, Any],
        since: str | None = None,
        timeout: float = 50.0,
        on_failure: Literal["stop", "undo"] | None = None,
    ) -> ActResult:
        """Up to 64 steps of the contract in one call: ``act({"do": "press", "on": "r5"}, …)``.

        Raises:
            BatchStopped: it ended early; its ``result`` tells what was done, why it stopped and whether input was sent.
        """
        return self._portal.run(self._it.act(*steps, since=since, timeout=timeout, on_failure=on_failure))

    def input(self, lease: str | ScreenshotResult, *actions: Mapping[str, Any], timeout: float = 50.0) -> InputResult:
        """Mouse and keyboard in a picture's pixels: ``input(picture, {"do": "click", "at": (10, 20)}, …)``.

        Raises:
            BatchStopped: it ended early; its ``result`` tells what was done and, where the desktop is not as the
                picture had it, brings a new ``picture``.
        """
        return self._portal.run(self._it.input(lease, *actions, timeout=timeout))

    def open(
        self, app: str | None = None, *, file: str | Path | None = None, url: str | None = None, timeout: float = 30.0
    ) -> Window:
        """Start or attach, wait until its window can be read, and give that window."""
        return Window(self._portal, self._portal.run(self._it.open(app, file=file, url=url, timeout=timeout)))

    def key(self, keys: str, *, count: int = 1) -> ActResult:
        """Press a chord where the focus is."""
        return self._portal.run(self._it.key(keys, count=count))

    def type(self, text: str) -> ActResult:
        """Type where the focus is."""
        return self._portal.run(self._it.type(text))

    def read_clipboard(self) -> str:
        """The clipboard's text."""
        return self._portal.run(self._it.read_clipboard())

    def write_clipboard(self, text: str) -> None:
        """Put a text on the clipboard."""
        self._portal.run(self._it.write_clipboard(text))


class LocatorExpectation:
    """What a locator's element is to be like within ``timeout`` seconds (default: the connection's).

    Every method raises ``ExpectationFailed``, an ``AssertionError``, that tells what was there instead.
    """

    def __init__(self, portal: Portal, it: _expecting.LocatorExpectation) -> None:
        self._portal = portal
        self._it = it

    def to_have_value(self, value: Text | float, *, timeout: float | None = None) -> None:
        """It holds exactly this text or number; a pattern is searched for in its text."""
        self._portal.run(self._it.to_have_value(value, timeout=timeout))

    def to_have_text(self, text: Text, *, timeout: float | None = None) -> None:
        """It shows exactly this: its text where it holds one, else its name."""
        self._portal.run(self._it.to_have_text(text, timeout=timeout))

    def to_contain_text(self, text: str, *, timeout: float | None = None) -> None:
        """It shows this somewhere, as written."""
        self._portal.run(self._it.to_contain_text(text, timeout=timeout))

    def to_be_checked(self, *, timeout: float | None = None) -> None:
        """It is on."""
        self._portal.run(self._it.to_be_checked(timeout=timeout))

    def to_be_unchecked(self, *, timeout: float | None = None) -> None:
        """It is off."""
        self._portal.run(self._it.to_be_unchecked(timeout=timeout))

    def to_be_enabled(self, *, timeout: float | None = None) -> None:
        """It can be used."""
        self._portal.run(self._it.to_be_enabled(timeout=timeout))

    def to_be_disabled(self, *, timeout: float | None = None) -> None:
        """It cannot be used."""
        self._portal.run(self._it.to_be_disabled(timeout=timeout))

    def to_be_focused(self, *, timeout: float | None = None) -> None:
        """It has the keyboard focus."""
        self._portal.run(self._it.to_be_focused(timeout=timeout))

    def to_be_selected(self, *, timeout: float | None = None) -> None:
        """It is selected: a tab, an item, a row."""
        self._portal.run(self._it.to_be_selected(timeout=timeout))

    def to_be_expanded(self, *, timeout: float | None = None) -> None:
        """It is open."""
        self._portal.run(self._it.to_be_expanded(timeout=timeout))

    def to_be_visible(self, *, timeout: float | None = None) -> None:
        """One that fits is there; scrolled away is still visible."""
        self._portal.run(self._it.to_be_visible(timeout=timeout))

    def to_be_gone(self, *, timeout: float | None = None) -> None:
        """None that fits is there, or its window has closed."""
        self._portal.run(self._it.to_be_gone(timeout=timeout))

    def to_have_count(self, count: int, *, timeout: float | None = None) -> None:
        """So many fit."""
        self._portal.run(self._it.to_have_count(count, timeout=timeout))


class WindowExpectation:
    """What a window is to be like within ``timeout`` seconds."""

    def __init__(self, portal: Portal, it: _expecting.WindowExpectation) -> None:
        self._portal = portal
        self._it = it

    def to_be_open(self, *, timeout: float | None = None) -> None:
        """It is there."""
        self._portal.run(self._it.to_be_open(timeout=timeout))

    def to_be_gone(self, *, timeout: float | None = None) -> None:
        """It has closed."""
        self._portal.run(self._it.to_be_gone(timeout=timeout))

    def to_have_title(self, title: Text, *, timeout: float | None = None) -> None:
        """Its title is this; a pattern is searched for."""
        self._portal.run(self._it.to_have_title(title, timeout=timeout))


@overload
def expect(what: Locator) -> LocatorExpectation: ...


@overload
def expect(what: Window) -> WindowExpectation: ...


def expect(what: Locator | Window) -> LocatorExpectation | WindowExpectation:
    """``expect(locator).to_have_value("x")``: waits until it is so, or tells what is there instead."""
    if isinstance(what, Locator):
        return LocatorExpectation(what._portal, _expecting.LocatorExpectation(what._it))
    return WindowExpectation(what._portal, _expecting.WindowExpectation(what._it))


@contextmanager
def connect(
    desktop: str | None = None,
    *,
    on_confirmation: Callable[[Judgement], bool] | None = None,
    timeout: float = 5.0,
) -> Iterator[Desktop]:
    """A connected desktop, as ``deskhand.connect`` gives it; ``on_confirmation`` is called in a thread of its own."""
    portal = Portal()
    try:
        context = _desktop.connect(desktop, on_confirmation=_apart(on_confirmation), timeout=timeout)
        inner = portal.run(context.__aenter__())
        try:
            yield Desktop(portal, inner)
        finally:
            portal.run(context.__aexit__(None, None, None))
    finally:
        portal.close()


def _apart(answer: Callable[[Judgement], bool] | None) -> _desktop.OnConfirmation | None:
    """A callback that may block (``input()``) without holding up the connection."""
    if answer is None:
        return None
    return lambda judgement: asyncio.to_thread(answer, judgement)
