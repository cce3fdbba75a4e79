"""Windows, found by title or application at the moment of use."""

from __future__ import annotations

from deskhand.desktop.semantics.matching import listed
from deskhand.desktop.semantics.quoting import quote
from deskhand.library.link import LONGEST, Link
from deskhand.library.locators import Finding, Scope
from deskhand.library.queries import Text, same, shown
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ScreenshotRequest
from deskhand.types.results import Effect, View, WindowLine


class Window(Finding):
    """A window: by its ref, or by a title (or part of one) or an application's name, looked up at each use."""

    def __init__(self, link: Link, title: Text, exact: bool = False, ref: str = "") -> None:
        self._link = link
        self._title = title
        self._exact = exact
        self._ref = ref

    @property
    def link(self) -> Link:
        """The connection."""
        return self._link

    @property
    def scope(self) -> Scope:
        """Searches in this window, its popups included."""
        return self

    @property
    def words(self) -> str:
        """How errors name it."""
        return f"window {self._ref or shown(self._title)}"

    def __repr__(self) -> str:
        return f"<Window {self.words}>"

    # -- looking -------------------------------------------------------------------------------------------------
    async def info(self, *, timeout: float | None = None) -> WindowLine:
        """The window, waited for.

        Raises:
            DeskhandError: ``not_found`` with the windows that are there, ``ambiguous_target`` where several fit.
        """
        found = await self._link.until(self._one, self._link.ends(timeout))
        if found is None:
            raise await self._missing()
        return found

    async def is_open(self) -> bool:
        """Whether it is there right now."""
        return bool(await self._matching())

    async def seen(self) -> View:
        """Everything in it."""
        found = await self._one()
        if found is None:
            raise await self._missing()
        return await self._link.view(found.ref)

    async def observe(self, *, timeout: float | None = None) -> View:
        """Its view, as every face gives it."""
        return await self._link.view((await self.info(timeout=timeout)).ref)

    async def screenshot(self, *, timeout: float | None = None) -> bytes:
        """Its picture, PNG."""
        target = (await self.info(timeout=timeout)).ref
        return await self._link.picture(ScreenshotRequest(target=target))

    # -- acting --------------------------------------------------------------------------------------------------
    async def menu(self, *path: str, timeout: float | None = None) -> Effect:
        """Choose from its menu bar: ``menu("File", "Save As…")``."""
        window = (await self.info(timeout=timeout)).ref
        return await self._step({"do": "menu", "path": list(path), "in": window})

    async def key(self, keys: str, *, count: int = 1, timeout: float | None = None) -> Effect:
        """Bring it to the front and press a chord such as ``"ctrl+s"`` where its focus is."""
        return await self._in_front({"do": "key", "keys": keys, "count": count}, timeout)

    async def type(self, text: str, *, timeout: float | None = None) -> Effect:
        """Bring it to the front and type where its focus is."""
        return await self._in_front({"do": "type", "value": text}, timeout)

    async def activate(self, *, timeout: float | None = None) -> Effect:
        """Bring it to the front."""
        return await self._operate("activate", timeout)

    async def close(self, *, timeout: float | None = None) -> Effect:
        """Close it, as its close button does: it may ask to save."""
        return await self._operate("close", timeout)

    async def minimise(self, *, timeout: float | None = None) -> Effect:
        """Put it away."""
        return await self._operate("minimise", timeout)

    async def maximise(self, *, timeout: float | None = None) -> Effect:
        """Give it the whole screen."""
        return await self._operate("maximise", timeout)

    async def restore(self, *, timeout: float | None = None) -> Effect:
        """Give it its ordinary size."""
        return await self._operate("restore", timeout)

    async def move(
        self, x: int, y: int, width: int | None = None, height: int | None = None, *, timeout: float | None = None
    ) -> Effect:
        """Place it, in root pixels, its frame included; with ``width`` and ``height`` it gets that size, too."""
        window = (await self.info(timeout=timeout)).ref
        rect = [number for number in (x, y, width, height) if number is not None]
        return await self._step({"do": "window", "on": window, "op": "move", "rect": rect})

    # -- inside --------------------------------------------------------------------------------------------------
    async def _operate(self, operation: str, timeout: float | None) -> Effect:
        window = (await self.info(timeout=timeout)).ref
        return await self._step({"do": "window", "on": window, "op": operation})

    async def _in_front(self, step: dict[str, object], timeout: float | None) -> Effect:
        """One batch: nothing is sent where the window is not in front by then."""
        first = {"do": "window", "on": (await self.info(timeout=timeout)).ref, "op": "activate"}
        return (await self._link.act([first, step], timeout=LONGEST)).effects[-1]

    async def _step(self, step: dict[str, object]) -> Effect:
        return (await self._link.act([step], timeout=LONGEST)).effects[0]

    async def _matching(self) -> list[WindowLine]:
        windows = (await self._link.apps()).windows
        if self._ref:
            return [each for each in windows if each.ref == self._ref]
        whole = [each for each in windows if same(self._title, each.title, True) or same(self._title, each.app, True)]
        return whole or ([] if self._exact else [each for each in windows if same(self._title, each.title, False)])

    async def _one(self) -> WindowLine | None:
        found = await self._matching()
        if len(found) > 1:
            said = f"{len(found)} windows are {self.words}; give the whole title, or close the others"
            candidates = [f"{each.ref} {quote(each.title)}" for each in found]
            raise DeskhandError("ambiguous_target", said, candidates=candidates)
        return found[0] if found else None

    async def _missing(self) -> DeskhandError:
        windows = (await self._link.apps()).windows
        there = listed([each.title for each in windows]) or "no window"
        return DeskhandError("not_found", f"there is no {self.words}; found {there}", found=there)
