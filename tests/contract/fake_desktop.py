"""A desktop without a system: it implements ``Desktop``, keeps refs, and writes down whatever "input" it gets."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from deskhand.daemon.caller import CALLER
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node, State, Window
from deskhand.types.protocols import Counters, Gate, PlannedStep, Recorder
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
    Effect,
    Failure,
    FindResult,
    InputResult,
    Judgement,
    OpenResult,
    PointResult,
    ScreenshotResult,
    View,
)
from deskhand.types.steps import Selector, Step

NAMES = ("Save", "Delete", "Name", "Password")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"  # one black pixel


class FakeDesktop:
    """Elements are known by name. ``journal`` gets one line for each thing sent: ``client verb target``.

    ``wait`` for ``settled`` holds the input for its timeout. ``press`` on "Surprise" proves risky only at dispatch:
    its label turns into "Delete" then. ``key`` holds "shift" down until the batch ends.
    """

    def __init__(self, gate: Gate, recorder: Recorder, counters: Counters, journal: Path) -> None:
        self._gate = gate
        self._recorder = recorder
        self._counters = counters
        self._journal = journal
        self._refs: dict[str, str] = {}
        self._held = False

    async def apps(self, request: AppsRequest) -> AppsResult:
        if request.query == "raise":
            raise RuntimeError("a defect")
        return AppsResult(text=f'{self._ref("window", "w")} "Fake"', openable=["Fake"])

    async def observe(self, request: ObserveRequest) -> View:
        window, snapshot = self._ref("window", "w"), f"s{self._counters.next('s')}"
        lines = [f"{self._ref(name)} button {json.dumps(name)}" for name in NAMES]
        return View(text="\n".join((f'{snapshot} {window} "Fake"', *lines)), snapshot=snapshot, window=window)

    async def find(self, request: FindRequest) -> FindResult:
        if request.query == "huge":
            return FindResult(text="x" * 40_000_000)
        return FindResult(text=f"{self._ref(request.query)} button {json.dumps(request.query)}")

    async def point(self, request: PointRequest) -> PointResult:
        return PointResult(text="point 1,1: no window is there", x=request.x or 0, y=request.y or 0)

    async def judge(self, request: ActRequest | OpenRequest | InputRequest) -> Judgement:
        if isinstance(request, InputRequest):
            request = _as_steps(request)
        plan = self._plan(request)
        return await self._gate.judge(plan, digest_of(plan))

    async def act(self, request: ActRequest) -> ActResult:
        self._recorder.record("call", op="act", request=request)
        plan = self._plan(request)
        digest = digest_of(plan)
        effects: list[Effect] = []
        try:
            for planned in plan:
                await self._do(planned, request.consent, digest)
                effects.append(Effect(step=planned.index, do=planned.step.do, verdict="verified"))
        except DeskhandError as error:
            text = f"stopped at {len(effects) + 1} of {len(plan)}: {error.code}, input {error.sent}"
            return ActResult(
                text=text, done=len(effects), total=len(plan), seconds=0, effects=effects, failure=Failure.of(error)
            )
        finally:
            await asyncio.shield(self.release_all())
        return ActResult(text=f"done {len(plan)} of {len(plan)}", done=len(plan), total=len(plan), seconds=0)

    async def screenshot(self, request: ScreenshotRequest) -> ScreenshotResult:
        lease = f"l{self._counters.next('l')}"
        return ScreenshotResult(
            text=f'lease {lease}: w1 "Fake", 1x1', image=PNG, width=1, height=1, bounds=(0, 0, 1, 1), lease=lease
        )

    async def zoom(self, request: ZoomRequest) -> ScreenshotResult:
        return await self.screenshot(ScreenshotRequest())

    async def input(self, request: InputRequest) -> InputResult:
        """As steps: a click at 0,0 is one on "Save", any other on "Surprise"; a lease ``moved`` holds no more, under
        ``broken`` nothing can be sent; a picture comes last."""
        if request.lease == "broken":
            broken = Failure(code="input_failed", message="the display takes no input")
            return InputResult(text="stopped at 1 of 1: input_failed", done=0, total=1, seconds=0, failure=broken)
        if request.lease == "moved":
            failure = Failure(code="layout_changed", message="the desktop is not as the picture had it")
            picture = await self.screenshot(ScreenshotRequest())
            return InputResult(
                text=f"stopped at 1 of 1: layout_changed, input no\n{picture.text}", done=0, total=1, seconds=0,
                failure=failure, picture=picture,
            )  # fmt: skip
        done = await self.act(_as_steps(request))
        if done.failure is None and request.actions[-1].do == "screenshot":
            picture = await self.screenshot(ScreenshotRequest())
            return InputResult(**{**dict(done), "text": f"{done.text}\n{picture.text}"}, picture=picture)
        asked = done.failure is not None and done.failure.code == "confirmation_required"
        return InputResult(**dict(done), rest=(await self.screenshot(ScreenshotRequest())).lease if asked else "")

    async def changes(self, request: ChangesRequest) -> Changes:
        return Changes(serial=1)

    async def open(self, request: OpenRequest) -> OpenResult:
        plan = self._plan(request)
        for planned in plan:
            await self._do(planned, request.consent, digest_of(plan))
        return OpenResult(text='opened w1 "Fake"', window="w1", title="Fake", started=True, pid=1)

    async def release_all(self) -> None:
        if self._held:
            self._held = False
            self._write("up", "shift")

    async def _do(self, planned: PlannedStep, consent: str | None, digest: str) -> None:
        shown = self._at_dispatch(planned)
        judgement = await self._gate.permits(shown, consent, digest)
        if judgement.verdict != "allow":
            raise DeskhandError("confirmation_required", judgement.text, question=judgement.question)
        step = planned.step
        self._recorder.record("step", phase="before", step=step, element=shown.element)
        if step.do == "wait":
            self._write("begin", step.do)
            await asyncio.sleep(step.timeout or 0)
        if step.do == "key":
            self._held = True
            self._write("down", "shift")
        self._write(step.do, str(step.value or step.keys or shown.element.name if shown.element else step.do))
        self._recorder.record("step", phase="after", step=step, element=shown.element)

    def _at_dispatch(self, planned: PlannedStep) -> PlannedStep:
        if planned.element is None or planned.element.name != "Surprise":
            return planned
        return PlannedStep(planned.index, planned.step, element("Delete"), window("Fake"))

    def _write(self, verb: str, what: str) -> None:
        with self._journal.open("a") as file:
            file.write(f"{CALLER.get().client} {verb} {what}\n")

    def _ref(self, name: str, kind: str = "r") -> str:
        if name not in self._refs:
            self._refs[name] = f"{kind}{self._counters.next(kind)}"
        return self._refs[name]

    def _plan(self, request: ActRequest | OpenRequest) -> list[PlannedStep]:
        if isinstance(request, OpenRequest):
            step = Step(do="open", app=request.app, file=request.file, url=request.url)
            return [PlannedStep(1, step)]
        return [
            PlannedStep(index, step, self._meant(step), window("Fake")) for index, step in enumerate(request.steps, 1)
        ]

    def _meant(self, step: Step) -> Node | None:
        if isinstance(step.on, Selector):
            return element(step.on.name or "")
        names = {ref: name for name, ref in self._refs.items()}
        if step.on is not None and step.on not in names:
            raise DeskhandError("unknown_ref", "no such ref", target=step.on)
        return element(names[step.on]) if step.on is not None else element("Name", "textbox")


def element(name: str, role: str = "button") -> Node:
    secret = State.PROTECTED if name == "Password" else State.NONE
    return Node(key=name, parent=None, role="textbox" if secret else role, name=name, states=secret)


def window(title: str, app: str = "fake", role: str = "window") -> Window:
    return Window(key="1", title=title, app=app, pid=1, bounds=Rect(0, 0, 10, 10), role=role)


def digest_of(plan: Sequence[PlannedStep]) -> str:
    said = "|".join(f"{p.index}{p.step.model_dump_json()}{p.element.key if p.element else ''}" for p in plan)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _as_steps(request: InputRequest) -> ActRequest:
    steps = [
        Step(do="key", keys=action.keys) if action.keys else Step(do="type", value=action.text)
        if action.text is not None
        else Step(do="click", on=Selector(name="Save" if action.at in (None, (0, 0)) else "Surprise"))
        for action in request.actions if action.do != "screenshot"
    ]  # fmt: skip
    return ActRequest(steps=steps, consent=request.consent, timeout=request.timeout)
