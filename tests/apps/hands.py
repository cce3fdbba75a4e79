"""The whole product on an isolated desktop, in process, with the X server's own word on what was sent beside it."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskhand.desktop.session import DesktopSession
from deskhand.isolation import NestedDesktop, processes
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.policy.gate import DefaultGate
from deskhand.sessions.places import day_files
from deskhand.sessions.recorder import FileRecorder
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Recorder
from deskhand.types.requests import ActRequest, AppsRequest, FindRequest, ObserveRequest, OpenRequest
from deskhand.types.results import ActResult, AppsResult, Failure, FindResult, OpenResult, View
from tests.contract.sessions import Counting
from tests.tap import EventTap, Tapped

PATIENCE = 15.0

Step = Mapping[str, Any]


@dataclass
class Hands:
    """A session with the product's own gate and recorder, and the tap."""

    desktop: NestedDesktop
    platform: LinuxPlatform
    gate: DefaultGate
    session: DesktopSession
    tap: EventTap
    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        return self.desktop.environment

    async def observe(self, target: str | None = None, **request: Any) -> View:
        return await self.session.observe(ObserveRequest.model_validate({"target": target, **request}))

    async def find(self, query: str, **request: Any) -> FindResult:
        return await self.session.find(FindRequest.model_validate({"query": query, **request}))

    async def apps(self) -> AppsResult:
        return await self.session.apps(AppsRequest(openable=False))

    async def open(self, **request: Any) -> OpenResult:
        return await self.session.open(OpenRequest.model_validate(request))

    async def act(self, *steps: Step, **request: Any) -> ActResult:
        return await self.session.act(ActRequest.model_validate({"steps": list(steps), **request}))

    async def done(self, *steps: Step, **request: Any) -> ActResult:
        """A batch that must go through."""
        result = await self.act(*steps, **request)
        assert result.failure is None, result.text
        return result

    async def refused(self, *steps: Step, **request: Any) -> Failure:
        """A batch of which not even the first step may be sent: the failure, and the X server saw nothing."""
        mark = self.tap.mark()
        failure = await self.failure(*steps, **request)
        assert self.tap.since(mark) == [], f"{steps}: {failure}"
        assert failure.sent == "no", failure
        return failure

    async def failure(self, *steps: Step, **request: Any) -> Failure:
        """The failure that a batch ends with."""
        try:
            result = await self.act(*steps, **request)
        except DeskhandError as error:
            return Failure.of(error)
        assert result.failure is not None, f"went through: {result.text}"
        return result.failure

    async def ref(self, name: str, window: str | None = None, role: str | None = None) -> str:
        """The ref of the one element of this name, waited for."""

        async def look() -> list[str]:
            view = await self.observe(window)
            return [e.ref for e in view.elements if e.name == name and role in (None, e.role)]

        refs: list[str] = await eventually(look, f"an element {name!r}")
        assert len(refs) == 1, f"{name}: {refs} in {(await self.observe(window)).text}"
        return refs[0]

    async def window(self, title: str) -> str:
        """The ref of the window with this in its title, once it can be read."""

        async def look() -> str | None:
            found = [w.ref for w in (await self.apps()).windows if title in w.title]
            if not found or not (await self.observe(found[0])).elements:
                return None
            return found[0]

        ref: str = await eventually(look, f"a window {title!r}")
        return ref

    def events_of(self, kind: str, mark: int) -> list[Tapped]:
        return [event for event in self.tap.since(mark) if event.kind == kind]

    def log(self) -> list[dict[str, Any]]:
        """The record, as it stands on the disk."""
        lines = [line for file in day_files(self.folder) for line in file.read_text(encoding="utf-8").splitlines()]
        return [json.loads(line) for line in lines]


@asynccontextmanager
async def hands(
    desktop: NestedDesktop, folder: Path, recorder: Recorder | None = None, gate: DefaultGate | None = None
) -> AsyncIterator[Hands]:
    """Connect to a desktop as its owner does; afterwards everything is released."""
    platform, counters = LinuxPlatform(desktop.environment), Counting()
    records = folder / "records"
    recorder = recorder or FileRecorder(records, desktop.name)
    gate = gate or DefaultGate(counters, recorder)
    await platform.start()
    session = DesktopSession(platform, gate=gate, recorder=recorder, launcher=desktop, counters=counters)
    try:
        with EventTap(desktop.environment) as tap:
            yield Hands(desktop, platform, gate, session, tap, records)
    finally:
        await platform.close()
        if isinstance(recorder, FileRecorder):
            recorder.close()
        gc.collect()  # sockets that python-xlib drops on a dead display are closed here, not in the middle of a parse


async def eventually(look: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Poll until ``look()`` gives something true, and return it; what cannot be read yet is asked again."""
    deadline, trouble = time.monotonic() + patience, ""
    while True:
        try:
            found = look()
            found = await found if asyncio.iscoroutine(found) else found
        except DeskhandError as error:
            found, trouble = None, str(error)
        if found:
            return found
        assert time.monotonic() < deadline, f"never happened: {what} {trouble}"
        await asyncio.sleep(0.03)


def end(desktop: NestedDesktop, pid: int) -> None:
    """Kill what a desktop launched, and nothing else: process ids come round again."""
    if pid in processes.carrying(desktop.record.wish.token):
        processes.send([pid], signal.SIGKILL)


@asynccontextmanager
async def mousepad(own: Hands, *arguments: str) -> AsyncIterator[int]:
    """A Mousepad of the test's own; its process id."""
    async with launched(own, "mousepad", "--disable-server", *arguments) as pid:
        yield pid


@asynccontextmanager
async def launched(own: Hands, *command: str) -> AsyncIterator[int]:
    """A program inside the desktop, ended afterwards with what it started."""
    before = processes.carrying(own.desktop.record.wish.token)
    pid = await own.desktop.launch(list(command))
    try:
        yield pid
    finally:
        for each in processes.carrying(own.desktop.record.wish.token) - before:
            end(own.desktop, each)
        await eventually(lambda: not os.path.exists(f"/proc/{pid}") or _zombie(pid), f"the end of {command[0]}")


def _zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
