"""A desktop for Python programs, async."""

from __future__ import annotations

import inspect
import os
import secrets
import sys
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from deskhand.daemon import consent
from deskhand.daemon.keeping import Reach
from deskhand.daemon.protocol import Hello
from deskhand.daemon.reaching import DEFAULT, Chosen, choice
from deskhand.library.link import Link, asked, leased
from deskhand.library.locators import Finding, Scope
from deskhand.library.queries import Text
from deskhand.library.windows import Window
from deskhand.types.requests import (
    AppsRequest,
    Detail,
    FindRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
    ZoomRequest,
)
from deskhand.types.results import (
    ActResult,
    AppsResult,
    FindResult,
    InputResult,
    Judgement,
    PointResult,
    ScreenshotResult,
    View,
)
from deskhand.types.steps import Target

OnConfirmation = Callable[[Judgement], bool | Awaitable[bool]]
"""Gets the gate's question (``text``, ``risks``) and answers it; only True is a yes."""


class Desktop(Finding):
    """A connected desktop. Locators made of it look in the active window; ``window`` names another one.

    Every method raises ``DeskhandError`` and nothing else. Times are seconds, places root pixels.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    @property
    def scope(self) -> Scope:
        """Searches in the active window."""
        return _Active(self._link)

    # -- looking -------------------------------------------------------------------------------------------------
    async def apps(self, query: str | None = None, *, openable: bool = True) -> AppsResult:
        """Windows, front first, and what can be opened, filtered by ``query``."""
        desktop = await self._link.reach.desktop()
        return await desktop.apps(asked(AppsRequest, openable=openable, query=query))

    async def observe(
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
        values = {"from": first, "to": last, "detail": list(detail)}
        request = asked(ObserveRequest, target=target, since=since, budget=budget, **values)
        return await (await self._link.reach.desktop()).observe(request)

    async def find(
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
        request = asked(FindRequest, query=query, role=role, state=state, within=within, limit=limit, cursor=cursor)
        return await (await self._link.reach.desktop()).find(request)

    async def point(
        self,
        x: int | None = None,
        y: int | None = None,
        *,
        cursor: bool = False,
        lease: str | ScreenshotResult | None = None,
    ) -> PointResult:
        """What lies under a point of the screen or, with ``lease``, of that picture; or under the pointer."""
        request = asked(PointRequest, x=x, y=y, cursor=cursor, lease=leased(lease) if lease is not None else None)
        return await (await self._link.reach.desktop()).point(request)

    async def screenshot(self, target: Target | None = None, *, max_pixels: int | None = None) -> bytes:
        """A picture of the desktop, a window or an element: the bare PNG. ``look`` gives one to act in."""
        return await self._link.picture(asked(ScreenshotRequest, target=target, max_pixels=max_pixels))

    async def look(
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
        place = {"target": target, "region": region, "monitor": monitor}
        request = asked(ScreenshotRequest, **place, marks=marks, max_pixels=max_pixels)
        return await (await self._link.reach.desktop()).screenshot(request)

    async def zoom(
        self,
        lease: str | ScreenshotResult,
        rect: tuple[int, int, int, int],
        *,
        marks: bool = False,
        max_pixels: int | None = None,
    ) -> ScreenshotResult:
        """A part of a picture, at most four times larger; ``rect`` in that picture's pixels."""
        request = asked(ZoomRequest, lease=leased(lease), rect=rect, marks=marks, max_pixels=max_pixels)
        return await (await self._link.reach.desktop()).zoom(request)

    def window(self, title: Text, *, exact: bool = False) -> Window:
        """The window of this title (or with this in its title), or of this application."""
        return Window(self._link, title, exact)

    # -- acting --------------------------------------------------------------------------------------------------
    async def act(
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
        return await self._link.act(steps, since=since, timeout=timeout, on_failure=on_failure)

    async def input(
        self, lease: str | ScreenshotResult, *actions: Mapping[str, Any], timeout: float = 50.0
    ) -> InputResult:
        """Mouse and keyboard in a picture's pixels: ``input(picture, {"do": "click", "at": (10, 20)}, …)``.

        Raises:
            BatchStopped: it ended early; its ``result`` tells what was done and, where the desktop is not as the
                picture had it, brings a new ``picture``.
        """
        return await self._link.input(leased(lease), actions, timeout=timeout)

    async def open(
        self,
        app: str | None = None,
        *,
        file: str | Path | None = None,
        url: str | None = None,
        timeout: float = 30.0,
    ) -> Window:
        """Start or attach, wait until its window can be read, and give that window."""
        request = asked(OpenRequest, app=app, file=_absolute(file), url=url, timeout=timeout)
        result = await consent.open_(await self._link.reach.desktop(), request, self._link.ask)
        return Window(self._link, result.title, ref=result.window)

    async def key(self, keys: str, *, count: int = 1) -> ActResult:
        """Press a chord where the focus is."""
        return await self._link.act([{"do": "key", "keys": keys, "count": count}])

    async def type(self, text: str) -> ActResult:
        """Type where the focus is."""
        return await self._link.act([{"do": "type", "value": text}])

    async def read_clipboard(self) -> str:
        """The clipboard's text."""
        result = await self._link.act([{"do": "clipboard", "op": "read"}])
        return result.effects[0].read or ""

    async def write_clipboard(self, text: str) -> None:
        """Put a text on the clipboard."""
        await self._link.act([{"do": "clipboard", "op": "write", "value": text}])


class _Active:
    """The active window as a scope."""

    words = "the active window"

    def __init__(self, link: Link) -> None:
        self.link = link

    async def seen(self) -> View:
        return await self.link.view(None)


@asynccontextmanager
async def connect(
    desktop: str | None = None, *, on_confirmation: OnConfirmation | None = None, timeout: float = 5.0
) -> AsyncIterator[Desktop]:
    """A connected desktop; its owner is started where there is none.

    Args:
        desktop: ``here`` (this session's own), ``new`` (an isolated one that ends with the block), ``default`` (an
            isolated one, started if absent, that lives on for a while), or the name of one that runs. Left out:
            ``here`` where there is a display, else ``default``.
        on_confirmation: answers the gate's questions; left out, what needs a person's consent is refused.
        timeout: how many seconds locators and ``expect`` wait where they are not told otherwise.

    Raises:
        DeskhandError: ``desktop_unavailable`` with the cause and the remedy.
    """
    chosen = Chosen(choice(desktop, os.environ, otherwise=DEFAULT))
    name = f"{Path(sys.argv[0]).name or 'python'} {os.getpid()}"
    reach = Reach(chosen.place, Hello(client=name, session=f"{name}-{secrets.token_hex(8)}"))
    try:
        await reach.desktop()
        if desktop is None and chosen.beside:
            others = ", ".join(chosen.beside)
            warnings.warn(
                f"started desktop {DEFAULT}; also running: {others}; connect to one by its name", stacklevel=3
            )
        yield Desktop(Link(reach, _ask(on_confirmation), timeout))
    finally:
        await reach.close()
        await chosen.close()


def _absolute(file: str | Path | None) -> str | None:
    """As this program means it: the owner has another working directory."""
    return None if file is None else str(Path(file).expanduser().absolute())


def _ask(answer: OnConfirmation | None) -> consent.Ask | None:
    if answer is None:
        return None

    async def ask(judgement: Judgement) -> bool:
        said = answer(judgement)
        return (await said if inspect.isawaitable(said) else said) is True

    return ask
