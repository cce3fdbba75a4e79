"""open: started or attached, and waited for until its window can be read."""

from __future__ import annotations

import asyncio
import os.path
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.world import World
from deskhand.platforms.base import Platform
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Application, State, Window
from deskhand.types.protocols import Launcher
from deskhand.types.requests import OpenRequest

_READABLE_NODES = 3
_LOOK_EVERY = 0.3
_STABLE = 0.15
SHOWN = 2.5
"""Seconds without a new window after which one that names the file is taken for it."""
TREELESS = 4.0
"""Seconds after which a window that offers no tree is taken for one that has none."""
PAGE = 5.0
"""Seconds that a page is waited for, once the window that was to show it can be read."""
_TINY = 50  # pixels of width below which a window is a toolkit's own device
_STARTING = frozenset({"app_unresponsive", "window_gone"})
"""What reading a window may raise while its application starts: it is busy, or that was a splash window."""
_PASSING = frozenset({"splash", "notification", "tooltip", "dock", "desktop"})


@dataclass(frozen=True, slots=True)
class Opened:
    """The window that can be read now."""

    window: Window
    words: str
    started: bool
    pid: int


class Opener:
    """Opens applications, files and URLs with the desktop's own launcher."""

    def __init__(self, world: World, launcher: Launcher) -> None:
        self._world, self._launcher = world, launcher

    @property
    def _platform(self) -> Platform:
        return self._world.platform

    @property
    def environment(self) -> Mapping[str, str]:
        """The desktop's own variables."""
        return self._launcher.environment

    def path(self, said: str) -> Path:
        """A path as the desktop's own user means it: ``~`` and relative paths start at the desktop's home."""
        home = Path(self._launcher.environment.get("HOME", "/"))
        return home / said.removeprefix("~/") if said != "~" else home

    async def open(self, request: OpenRequest, sending: Callable[[], None]) -> Opened:
        """Attach to a running application's window when only its name is given, else start it."""
        if (running := await self._running(request)) is not None:
            sending()
            await self._platform.window_operation(running.key, "activate")
            return Opened(running, self._world.window_words(running), False, running.pid)
        command = await self._command(request)
        known = {window.key: window.title for window in await self._world.windows()}
        sending()
        pid = await self._launcher.launch(command)
        return await self._appears(request, known, pid)

    async def _running(self, request: OpenRequest) -> Window | None:
        app = request.app
        if app is None or request.file is not None or request.url is not None:
            return None
        entry = await self._platform.application(app)
        names = {app.casefold(), *(_called(entry) if entry else ())}
        found = [w for w in await self._world.windows() if not w.popup and w.app.casefold() in names]
        return next((w for w in found if w.active), found[-1] if found else None)

    async def _command(self, request: OpenRequest) -> list[str]:
        if request.file is not None:
            path = self.path(request.file)
            # os.path's answers no for what can be no path, such as a name that is too long; Path's raises
            if not await asyncio.to_thread(os.path.exists, path):
                raise DeskhandError("not_found", f"no file {quote(str(path))}", target=request.file)
            return await self._platform.command_for(app=request.app, file=str(path))
        return await self._platform.command_for(app=request.app, url=request.url)

    async def _appears(self, request: OpenRequest, known: dict[str, str], pid: int) -> Opened:
        """The first new (or, for a file in a running application, retitled) window that can be read."""
        ends = time.monotonic() + request.timeout
        seen: Window | None = None
        since = time.monotonic()
        while time.monotonic() < ends:
            serial = self._platform.events.serial
            window = await self._fresh(request, known)
            if window is None and time.monotonic() - since > SHOWN and (there := await self._shows(request, known)):
                return Opened(there, self._world.window_words(there), False, there.pid)
            if window is not None:
                since, seen = (since if seen is not None and seen.key == window.key else time.monotonic()), window
                if window.root is None and window.responsive and time.monotonic() - since > TREELESS:
                    return Opened(window, self._world.window_words(window), True, pid)
                if await self._readable(window, request, since) and (
                    stable := await self._stable(request, known, window)
                ):
                    return Opened(stable, self._world.window_words(stable), True, pid)
            await self._platform.events.changed(serial, _LOOK_EVERY)
        raise self._failed(request, seen)

    async def _shows(self, request: OpenRequest, known: Mapping[str, str]) -> Window | None:
        """The window that showed the file already: some applications then open nothing new."""
        name = Path(request.file).name if request.file else None
        there = [w for w in await self._world.windows() if w.key in known and not w.popup]
        windows = [w for w in there if name and name in w.title]
        return next((w for w in windows if w.active), windows[-1] if windows else None)

    async def view(self, window: Window, seconds: float) -> Snapshot:
        """The opened window read; one that is busy again, as many are right after they show, is waited for."""
        ends = time.monotonic() + seconds
        while True:
            serial = self._platform.events.serial
            try:
                return await self._world.snapshot(window)
            except DeskhandError as error:
                if error.code != "app_unresponsive" or time.monotonic() >= ends:
                    raise
            await self._platform.events.changed(serial, _LOOK_EVERY)

    async def _fresh(self, request: OpenRequest, known: dict[str, str]) -> Window | None:
        """The topmost window that was not there before, or shows the file or page in a running application."""
        what = request.file or request.url
        for window in reversed(await self._world.windows()):
            fresh = window.key not in known or (what and known[window.key] != window.title)
            if fresh and not window.popup and window.role not in _PASSING and window.bounds.w > _TINY:
                return window
        return None

    async def _stable(self, request: OpenRequest, known: dict[str, str], window: Window) -> Window | None:
        """The window once nothing changes: start-up windows come and go."""
        await self._platform.events.quiet(_STABLE, 3.0)
        latest = await self._fresh(request, known)
        return latest if latest is not None and latest.key == window.key else None

    async def _readable(self, window: Window, request: OpenRequest, since: float) -> bool:
        """Whether its tree says more than its frame: a toolkit may offer only that for a while."""
        if window.root is None or not window.responsive:
            return False
        try:
            snapshot = await self._world.snapshot(window)
        except DeskhandError as error:
            if error.code not in _STARTING:
                raise
            return False
        readable = len(snapshot.nodes) >= _READABLE_NODES and bool(snapshot.items)
        return readable and (request.url is None or not _loads(snapshot) or time.monotonic() - since > PAGE)

    def _failed(self, request: OpenRequest, seen: Window | None) -> DeskhandError:
        what = quote(request.file or request.url or request.app or "")
        if seen is None:
            message = f"{what} was started, but no window came within {request.timeout:g} s"
            return DeskhandError("launch_failed", message, sent="yes")
        if not seen.responsive:
            message = f"{what} has a window but does not answer within {request.timeout:g} s"
            return DeskhandError("app_unresponsive", message, sent="yes", found=self._world.window_words(seen))
        message = f"{what} has a window but tells no accessibility tree; use screenshot"
        return DeskhandError("accessibility_off", message, sent="yes", found=self._world.window_words(seen))


def _called(entry: Application) -> set[str]:
    """What its windows may call their application: many use the id of their desktop entry (org.inkscape.Inkscape)."""
    program = entry.command[0].rpartition("/")[2]
    names = (entry.name, program, entry.startup_class, entry.id, entry.id.removesuffix(".desktop"))
    return {name.casefold() for name in names}


def _loads(snapshot: Snapshot) -> bool:
    """Whether no page is there yet, or none that has come to its end."""
    pages = [node for node in snapshot.nodes.values() if node.role == "document" and node.text]
    return all(page.has(State.BUSY) or (page.text or "").startswith("about:") for page in pages)
