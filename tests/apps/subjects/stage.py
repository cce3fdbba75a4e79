"""One application on an isolated desktop of its own, driven as every client drives it: through the contract."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from deskhand.desktop.session import DesktopSession
from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.protocols import Desktop
from deskhand.types.requests import ActRequest, FindRequest, ObserveRequest, OpenRequest
from deskhand.types.results import ActResult, Effect, Failure, OpenResult, View
from tests.apps.subjects.witness import Client, Seen, Witness
from tests.contract.sessions import Counting, OpenGate
from tests.through import Faces, Reaching, outside

T = TypeVar("T")
PATIENCE = 6.0
FIRST_PAUSE, LAST_PAUSE = 0.04, 0.3
"""Seconds between two looks of the witness."""


class NoRecord:
    """Writes nothing."""

    trouble = ""

    def record(self, event: str, **data: Any) -> None:
        """Nothing."""


@dataclass
class Stage:
    """The desktop, the session that drives it, and witnesses of what happened."""

    desktop: NestedDesktop
    platform: LinuxPlatform
    near: DesktopSession
    session: Desktop  # the same as it is reached
    witness: Witness
    reaching: Reaching
    pid: int = 0
    window: str = ""
    first: View | None = None  # the view with which work begins
    leaving: list[Callable[[], None]] = field(default_factory=list)  # what a subject ends with the stage
    memory: dict[str, Any] = field(default_factory=dict)  # what one subject keeps between its rows

    @classmethod
    async def start(cls, desktop: NestedDesktop, way: str = "process") -> Stage:
        """``way``: how the session is reached, see ``tests/through.py``."""
        platform = LinuxPlatform(desktop.environment)
        await platform.start()
        session = DesktopSession(platform, gate=OpenGate(), recorder=NoRecord(), launcher=desktop, counters=Counting())
        reaching = Reaching(way, desktop.folder, Faces(desktop.name, outside(), desktop.folder))
        stage = cls(desktop, platform, session, reaching.placed(session), Witness(desktop.environment), reaching)
        await stage.witness.start()
        return stage

    async def stop(self) -> None:
        for leave in self.leaving:
            leave()
        await self.witness.stop()
        await self.reaching.end()
        await self.platform.close()

    @property
    def home(self) -> Path:
        return Path(self.desktop.environment["HOME"])

    # -- acting ----------------------------------------------------------------------------------------------------
    async def open(self, **what: str) -> OpenResult:
        opened = await self.session.open(OpenRequest.model_validate(what))
        self.pid, self.window = opened.pid, opened.window
        windows = await self.witness.clients()
        self.pid = next((c.pid for c in windows if c.title == opened.title), opened.pid)
        return opened

    async def act(self, *steps: dict[str, Any], **more: Any) -> ActResult:
        return await self.session.act(ActRequest.model_validate({"steps": list(steps), **more}))

    async def do(self, verb: str, *, verdict: str | None = "verified", **fields: Any) -> Effect:
        """One step that must be done; its verdict must be the one expected (None: any)."""
        result = await self.act({"do": verb, **fields})
        assert result.failure is None, result.text
        effect = result.effects[0]
        assert verdict is None or effect.verdict == verdict, result.text
        return effect

    async def refused(self, verb: str, **fields: Any) -> Failure:
        """One step that must be refused before anything is sent."""
        result = await self.act({"do": verb, **fields})
        assert result.failure is not None, result.text
        assert result.failure.sent == "no", result.text
        return result.failure

    # -- looking ---------------------------------------------------------------------------------------------------
    async def view(self, target: str | None = None) -> View:
        return await self.session.observe(ObserveRequest(target=target, budget=20_000))

    async def ref(self, role: str, name: str | None = None, *, window: str | None = None, nth: int = 0) -> str:
        """The ref of what shows with this role and name (or hint), in the active window unless said otherwise."""
        view = await self.view(window)
        found = [e.ref for e in view.elements if e.role == role and (name is None or e.name == name)]
        if not found and name is not None:
            lines = [line for line in view.text.replace(", r", "\n r").splitlines() if f'("{name}' in line]
            found = [word for line in lines for word in line.split()[:2] if word[:1] == "r" and word[1:].isdigit()]
        assert len(found) > nth, f"no {role} {name!r} in\n{view.text}"
        return found[nth]

    async def find(self, query: str, role: str | None = None) -> str:
        """The ref of the best match, closed menus included."""
        result = await self.session.find(FindRequest(query=query, role=role))
        assert result.matches, result.text
        return result.matches[0].ref

    # -- witnessing ------------------------------------------------------------------------------------------------
    async def seen(self, role: str, name: str | None = None, *, nth: int = 0) -> Seen | None:
        """The element as the application tells the witness, None while it does not show."""
        found = await self.witness.elements(self.pid, role, name)
        return found[nth] if len(found) > nth else None

    async def until(self, look: Callable[[], Awaitable[T]], holds: Callable[[T], object], what: str) -> T:
        """Poll the witness until it agrees; fail with what it says instead."""
        deadline, pause = time.monotonic() + PATIENCE, FIRST_PAUSE
        while not holds(said := await look()):
            assert time.monotonic() < deadline, f"never happened: {what}; the application says {said!r}"
            await asyncio.sleep(
                pause
            )  # the witness walks a whole tree: looks that come too often slow what they wait for
            pause = min(LAST_PAUSE, pause * 1.5)
        return said

    async def shows(self, role: str, name: str | None = None, *states: str, without: str = "", nth: int = 0) -> Seen:
        """Wait until the witness sees the element, in these states and not in ``without``."""

        def holds(seen: Seen | None) -> bool:
            return seen is not None and set(states) <= seen.states and without not in seen.states

        found = await self.until(
            lambda: self.seen(role, name, nth=nth), holds, f"{role} {name!r} {' '.join(states)} not {without}"
        )
        assert found is not None
        return found

    async def gone(self, role: str, name: str | None = None) -> None:
        """Wait until the witness does not see it."""
        await self.until(lambda: self.seen(role, name), lambda seen: seen is None, f"no {role} {name!r}")

    async def client(self, title: str) -> Client | None:
        """The managed window whose title contains this."""
        return next((c for c in await self.witness.clients() if title in c.title), None)

    async def window_is(self, title: str, holds: Callable[[Client], object], what: str) -> Client:
        """Wait until the window manager agrees."""
        found = await self.until(lambda: self.client(title), lambda c: c is not None and holds(c), what)
        assert found is not None
        return found

    async def popups(self, wanted: bool) -> list[tuple[int, ...]]:
        """Wait until there are menus or popovers open, or none."""
        return await self.until(self.witness.popups, lambda found: bool(found) == wanted, f"popups: {wanted}")

    async def at_rest(self) -> None:
        """Nothing may be left behind: no open menu, no pressed key, and the application answers."""
        if await self.witness.popups():
            await self.platform.move_pointer(0, 0)  # a tooltip goes with the pointer, a menu stays
        await self.popups(False)
        assert await self.witness.held() == []
        assert await self.witness.answers(self.pid)
