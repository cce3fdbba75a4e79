"""The batch: judged whole, then step by step until the first failure; effects, windows and diff told once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from deskhand.desktop.act import pressing, selecting, windows, writing
from deskhand.desktop.act.conditions import await_expectation, holds_already
from deskhand.desktop.act.evidence import Outcome
from deskhand.desktop.act.guard import Guard
from deskhand.desktop.act.menus import menu
from deskhand.desktop.act.planning import Planner, digest
from deskhand.desktop.act.report import READ, Report, tell
from deskhand.desktop.act.scene import LastClick, Scene
from deskhand.desktop.act.undoing import Memories, undo
from deskhand.desktop.opening import Opener
from deskhand.desktop.semantics.quoting import SHORT_TEXT, quote_cut
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolver
from deskhand.desktop.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Gate, Recorder
from deskhand.types.requests import ActRequest, InputRequest
from deskhand.types.results import ActResult, Effect, Failure, Judgement, Undoing
from deskhand.types.steps import Step
from deskhand.types.texts import require_sendable

TELLING = 4.0
"""Seconds of a call that are kept for telling what was done."""
UNDOING = 0.25
"""Share of a call's time that is kept for undoing, where that is asked for."""
log = logging.getLogger(__name__)
Verb = Callable[[Scene, Step], Awaitable[Outcome]]
VERBS: dict[str, Verb] = {
    "press": pressing.press, "click": pressing.click, "hover": pressing.hover, "drag": pressing.drag,
    "invoke": pressing.invoke, "check": pressing.check, "uncheck": pressing.uncheck, "expand": pressing.expand,
    "collapse": pressing.collapse, "focus": pressing.focus, "set": writing.set_value, "append": writing.append,
    "type": writing.type_text, "key": writing.key, "clipboard": writing.clipboard, "select": selecting.select,
    "scroll": selecting.scroll, "menu": menu, "window": windows.window, "open": windows.open_step,
    "wait": windows.wait,
}  # fmt: skip


_WRITE = frozenset({"set", "append", "type"})
_BEFORE_INPUT = frozenset({"invalid_request", "unsendable_text"})


@dataclass
class _Progress:
    effects: list[Effect] = field(default_factory=list)
    failure: Failure | None = None
    memories: Memories | None = None  # where what was done is to be undone after a failure
    undoing: Undoing | None = None


class Engine:
    """Carries out batches on one desktop. One at a time: the owner's queue sees to that."""

    def __init__(self, world: World, gate: Gate, recorder: Recorder, opener: Opener) -> None:
        self._world, self._gate, self._recorder, self._opener = world, gate, recorder, opener
        self._resolver = Resolver(world)
        self._planner = Planner(world, self._resolver)
        self._clicked = LastClick()

    async def judge(self, request: ActRequest) -> Judgement:
        """What the gate says of the whole batch. No application is touched."""
        await windows.require_closable(self._world, request.steps[0])  # later ones may follow the dialog's answer
        plan = await self._planner.plan_batch(request.steps, {})
        return await self._gate.judge(plan, digest(plan))

    async def act(self, request: ActRequest) -> ActResult:
        """Judge, do, tell. Every key is released however it ends."""
        started = time.monotonic()
        for index, step in enumerate(request.steps, 1):
            _require_text(step, f"step {index}: ")
        seen = self._base(request)
        await windows.require_closable(self._world, request.steps[0])
        plan = await self._planner.plan_batch(request.steps, seen)
        bound = digest(plan)
        judgement = await self._gate.judge(plan, bound)  # consent that is not for this batch, or used, keeps all back
        if judgement.verdict != "allow":
            raise refusal(judgement)
        scene = self.scene(request, seen, bound, started + _doing(request))
        scene.known = {window.key for window in await self._world.windows(recent=True)}
        progress = _Progress(memories=Memories() if request.on_failure == "undo" else None)
        try:
            await self._steps(scene, request.steps, progress)
            await self._undo(scene, progress, request, started)
        finally:
            await self._release(progress)
        report = Report(scene, request.steps, progress.effects, progress.failure, started, progress.undoing)
        return await tell(report)

    async def _release(self, progress: _Progress) -> None:
        """Release every key. A display that is gone holds none, and must not hide what the steps did."""
        try:
            await asyncio.shield(self._world.platform.release_all())
        except DeskhandError as error:
            self._recorder.record("release", failure=Failure.of(error).model_dump())
            if progress.failure is None:
                error.sent = "yes" if progress.effects else error.sent
                progress.failure = Failure.of(error)

    def _base(self, request: ActRequest) -> dict[str, Snapshot]:
        if request.since is None:
            return {}
        base = self._world.snapshots.get(request.since)
        return {base.window.key: base}

    def scene(self, request: ActRequest | InputRequest, seen: dict[str, Snapshot], bound: str, ends: float) -> Scene:
        """What the steps of one batch share. ``ends``: when the last of them must be over (monotonic seconds)."""
        return Scene(
            self._world, self._resolver, Guard(self._world), self._planner, self._gate, self._recorder, self._opener,
            ends, self._clicked, request.consent, bound, bases=dict(seen), firsts=dict(seen),
        )  # fmt: skip

    async def _steps(self, scene: Scene, steps: list[Step], progress: _Progress) -> None:
        for index, step in enumerate(steps, 1):
            scene.begin(index)
            scene.last = index == len(steps)
            scene.stale |= set(scene.bases) if index > 1 else set()
            self._recorder.record("step", index=index, step=step.model_dump(by_alias=True, exclude_none=True))
            try:
                progress.effects.append(await as_failure(scene, self._remembered(scene, step, progress.memories)))
            except DeskhandError as error:
                progress.failure = failed(scene, step, error)
                self._recorder.record("stopped", index=index, failure=progress.failure.model_dump())
                return
            self._recorder.record("effect", effect=progress.effects[-1].model_dump(exclude={"read"}))

    async def _remembered(self, scene: Scene, step: Step, memories: Memories | None) -> Effect:
        """One step; how what it changes was before is kept where it may have to be undone."""
        if memories is None:
            return await self._one(scene, step)
        memories.begin(scene.index, step)
        scene.notice = memories.take
        effect = await self._one(scene, step)
        await memories.finish(scene.sent, effect.verdict)
        return effect

    async def _undo(self, scene: Scene, progress: _Progress, request: ActRequest, started: float) -> None:
        """After a failure, where it is asked for: with no consent but what the gate gives to each undoing step."""
        if progress.failure is None or progress.memories is None:
            return
        await progress.memories.fail(progress.failure.sent)
        scene.last = True
        scene.notice, scene.consent, scene.digest = None, None, f"{scene.digest} undone"
        scene.ends = started + max(request.timeout - TELLING, request.timeout / 2)
        scene.stale |= set(scene.bases)
        progress.undoing = await undo(
            scene, progress.memories, lambda scene, step: as_failure(scene, self._one(scene, step))
        )

    async def _one(self, scene: Scene, step: Step) -> Effect:
        scene.require_time()
        _require_text(step)
        held_before = step.expect is not None and await holds_already(scene, step.expect)
        outcome = await VERBS[step.do](scene, step)
        note = "; ".join(part for part in (outcome.note, scene.aside) if part)
        if step.expect is not None:
            held = await await_expectation(scene, step.expect)
            told = f"expected {held}" + (" (as before)" if held_before else "")
            note = "; ".join(part for part in (note, told) if part)
            outcome = outcome if held_before else _confirmed(outcome)
        bare = outcome.bare
        return Effect(
            step=scene.index, do=step.do, target=outcome.target, before=said(outcome.before, bare),
            after=said(outcome.after, bare) if outcome.read is None else quote_cut(outcome.read, READ),
            verdict=outcome.verdict, route=scene.route, note=note, read=outcome.read,
        )  # fmt: skip


def _doing(request: ActRequest) -> float:
    """Seconds that the steps may take."""
    most = max(request.timeout - TELLING, request.timeout / 2)
    return most - (request.timeout * UNDOING if request.on_failure == "undo" else 0.0)


def _require_text(step: Step, where: str = "") -> None:
    """What goes into a document, whatever the route, is text. Raises ``unsendable_text`` before anything is sent."""
    if step.do in _WRITE and isinstance(step.value, str):
        require_sendable(step.value, where)


async def as_failure(scene: Scene, work: Awaitable[Effect]) -> Effect:
    """A defect in one step fails that step: what was done before it is told, recorded and undone all the same."""
    try:
        return await work
    except DeskhandError:
        raise
    except Exception as error:
        log.exception("a defect in step %d", scene.index)
        message = f"a defect of deskhand ({type(error).__name__}); look before you repeat the step"
        raise DeskhandError("internal", message, scene.sent) from error


def _confirmed(outcome: Outcome) -> Outcome:
    """An expectation that did not hold before and does now is evidence for what the step itself could not show."""
    if outcome.verdict == "verified":
        return outcome
    return replace(outcome, verdict="verified")


def said(value: str | float | None, bare: bool) -> str | float | None:
    """A value as effects tell it: an application's text in a string, cut."""
    return value if bare or not isinstance(value, str) else quote_cut(value, SHORT_TEXT)


def failed(scene: Scene, step: Step, error: DeskhandError) -> Failure:
    """The error as told: an error after input was sent never claims that none was."""
    if error.code in _BEFORE_INPUT and error.sent == "no":
        scene.sent = scene.earlier  # the platform found it out before it sent anything
    if scene.sent != "no" and error.code in ("app_unresponsive", "desktop_unavailable"):
        error = _unknown(scene, error)
    if error.sent == "no":
        error.sent = scene.sent
    if not error.target and isinstance(step.on, str):
        error.target = step.on
    return Failure.of(error)


def _unknown(scene: Scene, error: DeskhandError) -> DeskhandError:
    """Delivery and what is read afterwards are told apart (report 25): what may have been done is not done again."""
    real = scene.route in ("pointer", "keyboard")  # the X server has taken it, whoever does not answer
    message = f"sent by {scene.route}, but its effect could not be read: {error.message}; look again, do not repeat it"
    return DeskhandError("outcome_unknown", message, "yes" if real else "unknown", error.target)


def refusal(judgement: Judgement) -> DeskhandError:
    """Why nothing of a batch is done."""
    if judgement.verdict == "deny":
        return DeskhandError("policy_denied", judgement.text or "the policy forbids this")
    return DeskhandError("confirmation_required", judgement.text, question=judgement.question)
