"""A ``DesktopSession`` over the fake desktop, with a gate, a recorder and counters made for tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deskhand.desktop.session import DesktopSession
from deskhand.platforms.fake import FakePlatform
from deskhand.types.protocols import Desktop, PlannedStep
from deskhand.types.requests import ActRequest, FindRequest, InputRequest, ObserveRequest, ScreenshotRequest
from deskhand.types.results import ActResult, FindResult, InputResult, Judgement, ScreenshotResult, View


class Counting:
    """Counters in memory."""

    def __init__(self) -> None:
        self._issued: dict[str, int] = {}

    def next(self, kind: str) -> int:
        self._issued[kind] = self._issued.get(kind, 0) + 1
        return self._issued[kind]

    def issued(self, kind: str) -> int:
        return self._issued.get(kind, 0)


class OpenGate:
    """Allows everything, and remembers what it was asked."""

    def __init__(self) -> None:
        self.judged: list[Sequence[PlannedStep]] = []
        self.permitted: list[PlannedStep] = []
        self.then: list[Callable[[], object]] = []  # what happens once right after the next step was permitted
        self.withdrawn: list[str] = []

    async def judge(self, plan: Sequence[PlannedStep], digest: str) -> Judgement:
        self.judged.append(plan)
        return Judgement(verdict="allow", digest=digest)

    async def permits(self, step: PlannedStep, consent: str | None, digest: str) -> Judgement:
        self.permitted.append(step)
        while self.then:
            self.then.pop()()
        return Judgement(verdict="allow", digest=digest)

    def withdraw(self, question: str) -> None:
        self.withdrawn.append(question)


class Remembering:
    """A recorder in memory."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.trouble = ""

    def record(self, event: str, **data: Any) -> None:
        self.events.append((event, data))


class NoLauncher:
    """Nothing can be started here."""

    environment: Mapping[str, str] = {"HOME": "/home/somebody"}

    async def launch(self, command: Sequence[str], directory: str | None = None) -> int:
        raise AssertionError(f"nothing was to be started, but {command}")


def _itself(session: DesktopSession) -> Desktop:
    return session


WAY: list[Callable[[DesktopSession], Desktop]] = [_itself]
"""How sessions are reached, the last one now: each test runs in process and from far (``conftest.py``)."""


class Session:
    """The session and its parts, with short ways to ask. ``desktop`` is reached on the test's way; ``near`` is it."""

    def __init__(self, platform: FakePlatform) -> None:
        self.platform, self.gate, self.recorder, self.counters = platform, OpenGate(), Remembering(), Counting()
        self.near = DesktopSession(
            platform, gate=self.gate, recorder=self.recorder, launcher=NoLauncher(), counters=self.counters
        )
        self.desktop: Desktop = WAY[-1](self.near)

    async def observe(self, **request: Any) -> View:
        return await self.desktop.observe(ObserveRequest.model_validate(request))

    async def find(self, query: str, **request: Any) -> FindResult:
        return await self.desktop.find(FindRequest.model_validate({"query": query, **request}))

    async def act(self, *steps: Mapping[str, Any], **request: Any) -> ActResult:
        return await self.desktop.act(ActRequest.model_validate({"steps": list(steps), **request}))

    async def look(self, **request: Any) -> ScreenshotResult:
        return await self.desktop.screenshot(ScreenshotRequest.model_validate(request))

    async def input(self, lease: ScreenshotResult | str, *actions: Mapping[str, Any], **request: Any) -> InputResult:
        """Actions in the frame of a picture."""
        name = lease if isinstance(lease, str) else lease.lease
        return await self.desktop.input(
            InputRequest.model_validate({"lease": name, "actions": list(actions), **request})
        )

    async def ref(self, name: str, role: str | None = None) -> str:
        """The ref of the one element of this name in the active window."""
        view = await self.observe()
        refs = [e.ref for e in view.elements if e.name == name and role in (None, e.role)]
        assert len(refs) == 1, f"{name}: {refs} in\n{view.text}"
        return refs[0]
