"""What the steps of one batch share: the world, the guard, the gate, what was seen before, whether input was sent."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from deskhand.desktop.act.guard import Guard
from deskhand.desktop.act.planning import Place, Planner
from deskhand.desktop.opening import Opener
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolved, Resolver
from deskhand.desktop.world import World
from deskhand.platforms.base import Platform
from deskhand.types.errors import DeskhandError, Sent
from deskhand.types.geometry import Point
from deskhand.types.nodes import Node, Window
from deskhand.types.protocols import Gate, PlannedStep, Recorder
from deskhand.types.steps import Step, Target

QUIET = 0.06
"""Seconds without any announced change after which a batch's last step has settled."""
BETWEEN = 0.025
"""The same between steps: whatever comes later, the next step's guard and the batch's end look at it live."""
SETTLE = 2.0
CHEAP = 0.12
"""Seconds of a read that may be repeated before each step of a batch."""
POINTER_ONLY = frozenset({"click", "hover", "drag", "scroll"})
REACT = 0.4
"""Seconds within which something is expected to be announced after an input."""


DOUBLE_CLICK = 0.45
"""Seconds within which toolkits take two clicks for one double click (GTK: 0.4)."""
_BUSY = 0.1
NEAR = 16
"""Pixels from the first click within which they do, and some more."""


@dataclass
class LastClick:
    """The latest click on the desktop: what follows it shortly on the same spot would open what it lies on."""

    point: Point | None = None
    at: float = 0.0

    def was(self, point: Point) -> None:
        """One has just been made."""
        self.point, self.at = point, time.monotonic()

    def left(self, point: Point | None, count: int = 1) -> float:
        """Seconds until ``count`` clicks there are what they are meant to be.

        A single one need not wait elsewhere. Several must, wherever they are: GTK 3 does not count a press shortly
        after one at another place with the next (gtkgesturemultipress.c forgets the button with the count). Its time
        runs from when the application gets to the press: a busy one needs some more.
        """
        if point is None or self.point is None:
            return 0.0
        far = max(abs(point.x - self.point.x), abs(point.y - self.point.y)) > NEAR
        apart = DOUBLE_CLICK + (_BUSY if count > 1 else 0.0)
        return 0.0 if far and count == 1 else max(0.0, self.at + apart - time.monotonic())


@dataclass
class Scene:
    """State of one batch. ``bases`` holds, per window key, the last snapshot taken before or during the batch."""

    world: World
    resolver: Resolver
    guard: Guard
    planner: Planner
    gate: Gate
    recorder: Recorder
    opener: Opener
    ends: float
    clicked: LastClick = field(default_factory=LastClick)
    consent: str | None = None
    digest: str = ""
    sent: Sent = "no"
    earlier: Sent = "no"  # what ``sent`` was before the latest dispatch of the step
    bases: dict[str, Snapshot] = field(default_factory=dict)
    firsts: dict[str, Snapshot] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)  # windows whose base is from before an earlier step of the batch
    known: set[str] = field(default_factory=set)  # keys of the windows that were open before the first step
    route: str = ""
    index: int = 0
    last: bool = True  # whether no step comes after this one
    activated: tuple[int, str] = (0, "")  # the step that brought a window to the front, and that window's key
    by_hand: bool = False  # whether keys do what a hand's would: under the Caps Lock that was pressed before
    aside: str = ""  # what was done for the step beside the step itself
    notice: Callable[[Scene, Step, Resolved | None], Awaitable[None]] | None = None  # told right before each dispatch

    @property
    def platform(self) -> Platform:
        """The hands."""
        return self.world.platform

    @property
    def left(self) -> float:
        """Seconds that the call still has. Raises ``wait_timeout`` when there are none."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise DeskhandError(
                "wait_timeout", "the call's time is over; send the remaining steps again", sent=self.sent
            )
        return left

    def begin(self, index: int) -> None:
        """A step begins: nothing of it has been sent."""
        self.index, self.sent, self.route, self.aside = index, "no", "", ""
        self.earlier = "no"

    def require_time(self) -> None:
        """Raises ``wait_timeout`` when the call has no time left."""
        _ = self.left

    async def admit(self, step: Step, target: Target, *, covered: bool = True) -> Resolved:
        """Resolve, guard, remember the window as it is, ask the gate. Nothing has been sent when this raises."""
        found = await self.resolver.resolve(target)
        if step.do in POINTER_ONLY and step.route not in (None, "pointer"):
            raise DeskhandError("unsupported_action", f"{step.do} goes by the pointer only", target=found.ref)
        found = await self.guard.admit(found, covered=covered and step.route != "accessibility")
        self.aside = "scrolled into view" if found.scrolled else self.aside
        taken = await self._remembered(found.window)
        await self.permit(step, found, taken)
        return found

    async def permit(
        self,
        step: Step,
        target: Resolved | None,
        taken: dict[str, Snapshot] | None = None,
        place: Place | None = None,
    ) -> PlannedStep:
        """The gate's last word, right before dispatch. ``taken``: snapshots taken a moment ago for this step."""
        plan = await self.planner.plan(self.index, step, target, self.bases, live=True, taken=taken, place=place)
        judgement = await self.gate.permits(plan, self.consent, self.digest)
        if judgement.verdict == "deny":
            raise DeskhandError("policy_denied", judgement.text or "the policy forbids this step", sent=self.sent)
        if judgement.verdict == "ask":
            raise DeskhandError("confirmation_required", judgement.text, question=judgement.question)
        if self.notice is not None:
            await self.notice(self, step, target)
        self.recorder.record("dispatch", index=self.index, step=step, element=plan.element)
        return plan

    async def _remembered(self, window: Window) -> dict[str, Snapshot]:
        """Remember the window; its snapshot, where that had to be taken for it."""
        earlier = self.bases.get(window.key)
        latest = await self.remember(window)
        return {window.key: latest} if latest is not None and latest is not earlier else {}

    async def remember(self, window: Window) -> Snapshot | None:
        """A snapshot of the window before anything is sent to it, as the base of effects and diff."""
        if window.root is not None and (window.key not in self.bases or self._outdated(window.key)):
            self.bases[window.key] = await self.world.snapshot(window)
            self.firsts.setdefault(window.key, self.bases[window.key])
            self.stale.discard(window.key)
        return self.bases.get(window.key)

    def _outdated(self, key: str) -> bool:
        """Whether an earlier step came after the base, and it is cheap to take a new one."""
        return key in self.stale and self.bases[key].seconds < CHEAP

    def sending(self, route: str) -> None:
        """From here on input reaches the desktop."""
        self.route = route
        self.world.sent()
        self.earlier, self.sent = self.sent, "yes"
        self.recorder.record("input", step=self.index, route=route)

    def delivered(self) -> None:
        """Keys have gone out: whatever fails from here on, input was sent."""
        self.earlier = self.sent

    async def settle(self, serial: int, react: float = REACT) -> None:
        """Wait for the first announced change after ``serial``, then until nothing more is announced."""
        if await self.platform.events.changed(serial, min(react, self.left)):
            await self.quiet()

    async def quiet(self) -> None:
        """Wait until nothing more is announced."""
        await self.platform.events.quiet(QUIET if self.last else BETWEEN, min(SETTLE, self.left))

    async def again(self, key: str) -> Node | None:
        """An element read again; None when it is gone."""
        return (await self.platform.refresh([key])).get(key)

    async def again_all(self, *keys: str) -> dict[str, Node | None]:
        """Elements read again at once: what holds them all is asked only once."""
        return await self.platform.refresh(list(dict.fromkeys(keys)))
