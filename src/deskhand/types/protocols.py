"""The seams between rooms: whoever builds a desktop hands these in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from deskhand.types.nodes import Node, Window
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    ChangesRequest,
    FindRequest,
    InputRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
    ZoomRequest,
)
from deskhand.types.results import (
    ActResult,
    AppsResult,
    Changes,
    FindResult,
    InputResult,
    Judgement,
    OpenResult,
    PointResult,
    ScreenshotResult,
    View,
)
from deskhand.types.steps import Step


class Desktop(Protocol):
    """The contract. Every method raises ``DeskhandError`` and nothing else."""

    async def apps(self, request: AppsRequest) -> AppsResult:
        """Running windows and what can be opened."""
        ...

    async def observe(self, request: ObserveRequest) -> View:
        """The view of a window or subtree; with ``since``, only what changed."""
        ...

    async def find(self, request: FindRequest) -> FindResult:
        """Matching elements, also folded and off-view ones."""
        ...

    async def point(self, request: PointRequest) -> PointResult:
        """What lies under root pixels or under the pointer, what holds it and what is near."""
        ...

    async def judge(self, request: ActRequest | OpenRequest | InputRequest) -> Judgement:
        """What the gate says of the batch, without side effects on applications."""
        ...

    async def act(self, request: ActRequest) -> ActResult:
        """Ordered steps. A batch that stops is a result with ``failure``; nothing is sent for an invalid one."""
        ...

    async def screenshot(self, request: ScreenshotRequest) -> ScreenshotResult:
        """A picture of a window, an element or the whole desktop, with a lease."""
        ...

    async def zoom(self, request: ZoomRequest) -> ScreenshotResult:
        """A part of a picture again, larger, with a lease of its own. Raises ``lease_expired``, ``layout_changed``."""
        ...

    async def input(self, request: InputRequest) -> InputResult:
        """Pointer and keyboard in a picture's frame. Nothing is sent where the desktop is not as the picture had it."""
        ...

    async def changes(self, request: ChangesRequest) -> Changes:
        """Wait for something to change, bounded; nothing is read and nothing recorded."""
        ...

    async def open(self, request: OpenRequest) -> OpenResult:
        """Start or attach, and wait until the window can be read."""
        ...


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step with what it was resolved to, as the gate sees it.

    ``element`` is the target; for keys it is the focused element (None: unknown, which counts as risky for keys that
    can do harm). ``default`` is the dialog's default button, which Enter would press. ``context`` holds the names of
    the ancestors, nearest first; ``peers`` the names of the buttons beside it; ``dialog_text`` what the dialog says.
    """

    index: int
    step: Step
    element: Node | None = None
    window: Window | None = None
    default: Node | None = None
    context: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    dialog_text: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


class Gate(Protocol):
    """Policy before dispatch, outside the model, on every route."""

    async def judge(self, plan: Sequence[PlannedStep], digest: str) -> Judgement:
        """Judge a whole batch; ``ask`` registers the question under a new id."""
        ...

    async def permits(self, step: PlannedStep, consent: str | None, digest: str) -> Judgement:
        """Asked again right before each dispatch. ``consent`` is honoured only when approved for this digest and
        this step's risk was part of the question."""
        ...

    def withdraw(self, question: str) -> None:
        """Drop a question that waits and is not going to be asked."""
        ...


class Recorder(Protocol):
    """Writes what happens. Raises nothing into the caller: a full disk is told once and noted in results."""

    def record(self, event: str, **data: Any) -> None:
        """One event; the recorder redacts, stamps and writes it before returning."""
        ...

    @property
    def trouble(self) -> str:
        """Empty, or what keeps the record from being written."""
        ...


class Launcher(Protocol):
    """Starts programs inside the desktop's environment (display, buses, limits)."""

    async def launch(self, command: Sequence[str], directory: str | None = None) -> int:
        """Start detached and return the pid. Raises ``DeskhandError`` ``launch_failed``."""
        ...

    @property
    def environment(self) -> Mapping[str, str]:
        """The desktop's environment variables."""
        ...


class Counters(Protocol):
    """Ids that count up per desktop and are never reused, also after the owner restarts."""

    def next(self, kind: str) -> int:
        """The next number of ``kind`` (``r w s l q``); persisted before it is handed out."""
        ...

    def issued(self, kind: str) -> int:
        """The highest number ever handed out, 0 for none."""
        ...
