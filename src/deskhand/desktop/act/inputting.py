"""``input``: pointer and keyboard in a picture's frame, held against its lease, judged by what they reach."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from dataclasses import dataclass, field

from deskhand.desktop.act.engine import TELLING, Engine, as_failure, failed, refusal, said
from deskhand.desktop.act.gestures import WAIT, Hand, perform
from deskhand.desktop.act.placing import Placed, There, judged, place_of, placed, stands_alone, there
from deskhand.desktop.act.planning import digest
from deskhand.desktop.act.report import Report, tell
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.act.standing import LayoutGuard
from deskhand.desktop.picturing import Photographer
from deskhand.desktop.pixels.leases import Lease
from deskhand.desktop.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Gate, PlannedStep, Recorder
from deskhand.types.requests import InputRequest
from deskhand.types.results import ActResult, Effect, Failure, InputResult, Judgement, ScreenshotResult
from deskhand.types.texts import require_sendable

_LOOK_AGAIN = frozenset({"layout_changed", "focus_lost", "cancelled", "window_gone"})
"""Failures after which what shows is told by a new picture."""


@dataclass
class _Progress:
    effects: list[Effect] = field(default_factory=list)
    failure: Failure | None = None


class InputEngine:
    """Carries out what a hand is to do. One batch at a time: the owner's queue sees to that."""

    def __init__(
        self, world: World, engine: Engine, camera: Photographer, gate: Gate, recorder: Recorder, *, yields: bool
    ) -> None:
        self._world, self._engine, self._camera = world, engine, camera
        self._gate, self._recorder, self._yields = gate, recorder, yields

    async def judge(self, request: InputRequest) -> Judgement:
        """What the gate says. A lease that does not hold is no question: ``input`` itself refuses, with a picture."""
        lease, actions = self._checked(request)
        try:
            await self._guard(lease).whole(actions)
        except DeskhandError as error:
            if error.code not in _LOOK_AGAIN:
                raise
            return Judgement(verdict="allow")
        scene = self._engine.scene(request, {}, "", time.monotonic() + request.timeout)
        plan, _ = await self._plan(scene, actions)
        return await self._gate.judge(plan, _bound(plan, actions))

    async def input(self, request: InputRequest) -> InputResult:
        """Guard, judge, do, tell. Every key and button is released however it ends."""
        started = time.monotonic()
        lease, actions = self._checked(request)
        scene = self._engine.scene(request, {}, "", started + _doing(request))
        scene.by_hand = True
        hand, progress = Hand(scene, self._guard(lease)), _Progress()
        scene.known = {window.key for window in await self._world.windows()}
        try:
            if await self._admitted(hand, actions, progress):
                await self._actions(hand, actions, progress)
        finally:
            await self._release(progress)
        told = await tell(Report(
            scene, [action.step for action in actions], progress.effects, progress.failure, started
        ))  # fmt: skip
        return await self._told(request, hand, lease, actions, told)

    def _checked(self, request: InputRequest) -> tuple[Lease, list[Placed]]:
        lease = self._camera.leases.get(request.lease)
        for index, action in enumerate(request.actions, 1):
            if action.text is not None:
                require_sendable(action.text, f"action {index}: ")
        if (rests := sum(action.seconds or WAIT * (action.do == "wait") for action in request.actions)) > _doing(
            request
        ):
            message = f"waiting and holding takes {rests:g} s of the {_doing(request):g} s that the actions have"
            raise DeskhandError("invalid_request", f"{message}; send fewer at once")
        return lease, placed(request.actions, lease.frame)

    def _guard(self, lease: Lease) -> LayoutGuard:
        return LayoutGuard(self._world, self._camera, lease, yields=self._yields)

    async def _plan(self, scene: Scene, actions: list[Placed]) -> tuple[list[PlannedStep], dict[int, There]]:
        """What the gate judges, and what lies at the points now, by the action's number."""
        plan, lying = list[PlannedStep](), dict[int, There]()
        for index, action in enumerate(actions, 1):
            if not action.points:
                plan.append(await scene.planner.plan(index, action.step, None, scene.bases))
                continue
            lies = lying[index] = await there(scene, action.points[0])
            place, step = await place_of(scene, action, lies), judged(scene, action, lies)
            plan.append(await scene.planner.plan(index, step, lies.target, scene.bases, place=place))
        return plan, lying

    async def _admitted(self, hand: Hand, actions: list[Placed], progress: _Progress) -> bool:
        """Whether the desktop is as the picture had it, and the gate lets the whole batch begin."""
        scene = hand.scene
        try:
            await hand.guard.whole(actions)
        except DeskhandError as error:
            if error.code not in _LOOK_AGAIN:
                raise
            progress.failure = Failure.of(error)
            self._recorder.record("stopped", index=1, failure=progress.failure.model_dump())
            return False
        plan, hand.planned = await self._plan(scene, actions)
        scene.digest = _bound(plan, actions)
        judgement = await self._gate.judge(plan, scene.digest)
        if judgement.verdict != "allow":
            raise refusal(judgement)
        return True

    async def _actions(self, hand: Hand, actions: list[Placed], progress: _Progress) -> None:
        scene = hand.scene
        for index, action in enumerate(actions, 1):
            scene.begin(index)
            scene.last = all(each.action.do == "screenshot" for each in actions[index:])  # which shows what came of it
            scene.stale |= set(scene.bases) if index > 1 else set()
            self._recorder.record("step", index=index, step=action.action.model_dump(exclude_none=True))
            try:
                progress.effects.append(await as_failure(scene, _effect(hand, action)))
            except DeskhandError as error:
                progress.failure = await self._let_go(hand, failed(scene, action.step, error))
                self._recorder.record("stopped", index=index, failure=progress.failure.model_dump())
                return
            self._recorder.record("effect", effect=progress.effects[-1].model_dump())

    async def _let_go(self, hand: Hand, failure: Failure) -> Failure:
        """What is being dragged goes back to where it was taken up: nobody asked for a drop where the hand is now."""
        if hand.grasped is None or not hand.start:
            return failure
        try:
            await self._world.platform.move_pointer(*hand.start)
        except DeskhandError as error:
            self._recorder.record("release", failure=Failure.of(error).model_dump())
        return failure.model_copy(update={"sent": "yes"})

    async def _release(self, progress: _Progress) -> None:
        """A display that is gone holds no key, and must not hide what was done."""
        try:
            await asyncio.shield(self._world.platform.release_all())
        except DeskhandError as error:
            self._recorder.record("release", failure=Failure.of(error).model_dump())
            progress.failure = progress.failure or Failure.of(error)

    async def _picture(self, lease: Lease) -> tuple[ScreenshotResult | None, str]:
        """Delivery and what is looked at afterwards are told apart: what was done is told, picture or not."""
        try:
            return await self._camera.again(lease), ""
        except DeskhandError as error:
            return None, f"no picture: {error.code}, {error.message}"

    async def _told(
        self, request: InputRequest, hand: Hand, lease: Lease, actions: list[Placed], told: ActResult
    ) -> InputResult:
        failure, picture, trouble, rest = told.failure, None, "", ""
        asked = failure is None and request.actions[-1].do == "screenshot"
        if asked or (failure is not None and (failure.code in _LOOK_AGAIN or _stopped_within(told))):
            picture, trouble = await self._picture(lease)
        if failure is not None and failure.code == "confirmation_required":
            rest = await self._rest(hand, lease, actions, told, picture)
        text = "\n".join([told.text, *([picture.text] if picture is not None else []), *([trouble] if trouble else [])])
        return InputResult(**{**dict(told), "text": text}, picture=picture, rest=rest)

    async def _rest(
        self, hand: Hand, lease: Lease, actions: list[Placed], told: ActResult, picture: ScreenshotResult | None
    ) -> str:
        """The lease with which what is left means the same: nothing is held, nothing opened, nothing moved."""
        if picture is None:
            return "" if _stopped_within(told) else lease.id
        now = self._camera.leases.get(picture.lease)
        opened = [surface for surface in now.layout.surfaces if lease.layout.surface(surface.key) is None]
        if opened or now.frame != lease.frame or not stands_alone(actions, told.done):
            return ""
        return now.id if await self._as_planned(hand, actions, told.done + 1) else ""

    async def _as_planned(self, hand: Hand, actions: list[Placed], first: int) -> bool:
        """Whether at the points of what is left lies what lay there when the batch began."""
        left = [(index, actions[index - 1]) for index in hand.planned if index >= first]
        try:
            return all([hand.planned[index].same(await there(hand.scene, each.points[0])) for index, each in left])
        except DeskhandError as error:
            if error.code == "desktop_unavailable":
                raise
            return False  # who cannot be read is looked at first


def _stopped_within(told: ActResult) -> bool:
    """Whether it stopped for want of consent after something had been sent."""
    failure = told.failure
    return failure is not None and failure.code == "confirmation_required" and (told.done > 0 or failure.sent != "no")


def _bound(plan: list[PlannedStep], actions: list[Placed]) -> str:
    """Binds consent to how long, how often and along what, too."""
    said = [(action.action.model_dump(mode="json"), action.points) for action in actions]
    return hashlib.sha256((digest(plan) + json.dumps(said)).encode()).hexdigest()


def _doing(request: InputRequest) -> float:
    """Seconds that the actions may take."""
    return max(request.timeout - TELLING, request.timeout / 2)


async def _effect(hand: Hand, action: Placed) -> Effect:
    outcome = await perform(hand, action)
    scene = hand.scene
    note = "; ".join(part for part in (outcome.note, scene.aside) if part)
    return Effect(
        step=scene.index, do=action.action.do, target=outcome.target, before=said(outcome.before, outcome.bare),
        after=said(outcome.after, outcome.bare), verdict=outcome.verdict, route=scene.route, note=note,
    )  # fmt: skip
