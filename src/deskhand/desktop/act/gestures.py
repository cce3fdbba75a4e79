"""What a hand does, action by action: the verbs of ``input``. Each asks gate and layout guard before it sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise

from deskhand.desktop.act import writing
from deskhand.desktop.act.evidence import PATIENCE as ANSWERED
from deskhand.desktop.act.evidence import (
    Before,
    Outcome,
    answered,
    before,
    elsewhere,
    is_answer,
    watched,
    windows_note,
)
from deskhand.desktop.act.placing import Placed, There, judged, place_of, there
from deskhand.desktop.act.pressing import onto, rest_over, unshielded
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.act.standing import LayoutGuard
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point
from deskhand.types.nodes import Window

PATIENCE, BETWEEN, PASSING_BY = 0.5, 0.15, 0.1
"""Seconds in which the effect of a batch's last action is looked for, of those before it, of moving the pointer."""
STRIDE, PAUSE = 24, 0.008
"""Root pixels and seconds between two places of a drag: what is dragged over sees it come."""
_TAKEN_UP = 0.05
"""Seconds that toolkits need to take a button and the first pixels for a drag."""
REST = 0.05
"""Seconds that the pointer rests before it presses: what comes up under it is seen before it is pressed."""
WAIT = 1.0
"""Seconds of a wait that names none."""
_PAUSE_LOOK = 0.1


@dataclass
class Hand:
    """What the actions of one batch share. ``planned``: what lay at their points when the batch began, by number."""

    scene: Scene
    guard: LayoutGuard
    planned: Mapping[int, There] = field(default_factory=dict)
    grasped: tuple[There, Before] | None = None  # what a button that is down went down on, and how all was before
    start: Point | None = None  # where that was

    def patience(self, action: Placed, lies: There | None = None) -> float:
        """Seconds for evidence; a dialog that is answered is to be gone before anything else is done or shown."""
        if action.action.do == "click" and lies is not None and lies.target is not None and is_answer(lies.target):
            return ANSWERED
        return PASSING_BY if action.action.do == "move" else PATIENCE if self.scene.last else BETWEEN

    async def ready(self, action: Placed, lies: There) -> Before:
        """The gate's and the guard's word, then the state right before dispatch."""
        self._same_element(action, lies)
        place = None if action.keys else await place_of(self.scene, action, lies)
        try:
            await self.scene.permit(judged(self.scene, action, lies), lies.target, place=place)
        except DeskhandError as error:
            await self._worth_asking(action, error)
            raise
        was = await before(self.scene, lies.node)
        await self.guard.admit(action, first=self.scene.index == 1)
        return was

    async def _worth_asking(self, action: Placed, asked: DeskhandError) -> None:
        """Nobody is asked about what would not be done: what has changed is told instead of the question."""
        if asked.code != "confirmation_required":
            return
        try:
            await self.guard.admit(action, first=self.scene.index == 1)
        except DeskhandError:
            self.scene.gate.withdraw(asked.question)
            raise

    def _same_element(self, action: Placed, lies: There) -> None:
        """What an earlier action has put there, a question in a page for one, was not in the picture."""
        planned = self.planned.get(self.scene.index)
        if planned is not None and not planned.same(lies):
            raise self.guard.refusal([f"{lies.words} lies at {action.where}, was {planned.words}"])

    async def unchanged(self, action: Placed, lies: There) -> None:
        """With the pointer there and at rest: what comes up under it is neither what was judged nor what was seen."""
        await self.guard.clear(action.points[0])
        if lies.target is None:
            return
        node = (await self.scene.platform.refresh([lies.target.node.key])).get(lies.target.node.key)
        now = await there(self.scene, action.points[0])
        as_judged = node is not None and (node.role, node.name) == (lies.target.node.role, lies.target.node.name)
        if not as_judged or not lies.same(now):
            raise self.guard.refusal([f"{now.words} has come up at {action.where}, was {lies.words}"])

    async def evidence(self, action: Placed, lies: There, was: Before) -> Outcome:
        """What came of it."""
        outcome = await self._seen(action, lies, was)
        if outcome.verdict == "unverifiable" and action.action.do != "move":
            moved = _moved(self.scene, was, await self.scene.world.windows())
            outcome = replace(outcome, verdict="changed", note=moved) if moved else outcome
        aside = "" if action.keys else self.guard.aside(lies.window)
        return replace(outcome, note="; ".join(part for part in (aside, outcome.note) if part))

    async def _seen(self, action: Placed, lies: There, was: Before) -> Outcome:
        scene, where, patience = self.scene, action.where, self.patience(action, lies)
        if lies.target is not None:
            outcome = await watched(scene, lies.target, was, patience)
            return replace(outcome, target=" ".join(part for part in (where, outcome.target) if part))
        await (answered(scene, was.serial, patience) if action.keys else scene.settle(was.serial, patience))
        window = lies.window
        where = " ".join(
            part for part in (where, scene.world.window_name(window) if window is not None else "") if part
        )
        if note := windows_note(scene, was.windows, await scene.world.windows()):
            return Outcome(where, "changed", note=note)
        found = await elsewhere(scene, where, window) if window is not None and window.root is not None else None
        return found or Outcome(where, "unverifiable")


def _moved(scene: Scene, was: Before, now: Sequence[Window]) -> str:
    """Windows that are elsewhere, or of another size."""
    places = {window.key: window.frame or window.bounds for window in now}
    return "; ".join(
        f"{scene.world.window_name(window)} is at {','.join(map(str, places[window.key]))}"
        for window in was.windows
        if places.get(window.key, window.frame or window.bounds) != (window.frame or window.bounds)
    )


async def click(hand: Hand, action: Placed) -> Outcome:
    """A click of any button, once, twice or three times, with modifiers held."""
    scene, said, point = hand.scene, action.action, action.points[0]
    # what comes shortly after a click may be counted with it, as a double click that nobody asked for or as none
    await asyncio.sleep(scene.clicked.left(point, said.count or 1))
    lies = await there(scene, point)
    if lies.target is not None:
        await unshielded(scene, lies.target)
    was = await hand.ready(action, lies)
    scene.sending("pointer")
    async with holding(scene, said.mods):
        await onto(scene, point)
        if (said.count or 1) > 1:
            await _to_front(scene, lies.window)
        await asyncio.sleep(REST)
        await hand.unchanged(action, lies)
        for _ in range(said.count or 1):
            await scene.platform.press_button(said.button or "left", True)
            await scene.platform.press_button(said.button or "left", False)
    scene.clicked.was(point)
    hand.guard.pressed(action)
    return await hand.evidence(action, lies, was)


async def _to_front(scene: Scene, window: Window | None) -> None:
    """Of several clicks the first one may be lost in bringing its window to the front."""
    if window is not None and not window.active and not window.popup:
        serial = scene.platform.events.serial
        await scene.platform.window_operation(window.key, "activate")
        await scene.settle(serial, BETWEEN)


async def move(hand: Hand, action: Placed) -> Outcome:
    """The pointer goes there, with what it holds."""
    if hand.grasped is not None:
        return await _carried(hand, action)
    lies = await there(hand.scene, action.points[0])
    was = await hand.ready(action, lies)
    hand.scene.sending("pointer")
    async with holding(hand.scene, action.action.mods):
        await hand.scene.platform.move_pointer(*action.points[0])
    return await hand.evidence(action, lies, was)


async def _carried(hand: Hand, action: Placed) -> Outcome:
    """While a button is down nothing is read: to the application the hand would rest, and that means something."""
    await hand.guard.admit(action, first=False)
    hand.scene.sending("pointer")
    await _along(hand, (await hand.scene.platform.pointer(), action.points[0]))
    return Outcome(action.where, "unverifiable")


async def drag(hand: Hand, action: Placed) -> Outcome:
    """Press at the first point, go along the path, release at the last."""
    scene, button = hand.scene, action.action.button or "left"
    lies = await there(scene, action.points[0])
    was = await hand.ready(action, lies)
    scene.sending("pointer")
    async with holding(scene, action.action.mods):
        await scene.platform.move_pointer(*action.points[0])
        await asyncio.sleep(REST)
        await hand.unchanged(action, lies)
        await scene.platform.press_button(button, True)
        try:
            await _along(hand, action.points)
            await rest_over(scene, action.points[-1])
        except BaseException:
            await scene.platform.move_pointer(*action.points[0])  # let go of where it was taken up, not where it is
            raise
        finally:
            await scene.platform.press_button(button, False)
            scene.clicked.was(action.points[0])
    hand.guard.pressed(action)
    return await hand.evidence(action, lies, was)


async def _along(hand: Hand, path: Sequence[Point]) -> None:
    for begin, end in pairwise(path):
        far = max(abs(end.x - begin.x), abs(end.y - begin.y))
        parts = max(4, -(-far // STRIDE))
        for part in range(1, parts + 1):
            hand.guard.require_hands_off()
            hand.scene.require_time()
            x = begin.x + (end.x - begin.x) * part // parts
            await hand.scene.platform.move_pointer(x, begin.y + (end.y - begin.y) * part // parts)
            await asyncio.sleep(_TAKEN_UP if part == 1 and begin is path[0] else PAUSE)


async def down(hand: Hand, action: Placed) -> Outcome:
    """A button or keys go down and stay so until ``up``, or until the batch ends."""
    if action.keys:
        return await _turned(hand, action, True)
    return await _button(hand, action, True)


async def up(hand: Hand, action: Placed) -> Outcome:
    """What went down comes up."""
    if action.keys:
        return await _turned(hand, action, False)
    return await _button(hand, action, False)


async def _button(hand: Hand, action: Placed, pressed: bool) -> Outcome:
    scene = hand.scene
    if not pressed and hand.grasped is not None:
        return await _let_go(hand, action)
    if not action.points:
        raise DeskhandError("invalid_request", f"{action.action.do} needs a place: no action before it names one")
    at = action.points[0]
    await asyncio.sleep(scene.clicked.left(at))
    lies = await there(scene, at)
    was = await hand.ready(action, lies)
    scene.sending("pointer")
    await scene.platform.move_pointer(*at)
    await asyncio.sleep(REST)
    await hand.unchanged(action, lies)
    await scene.platform.press_button(action.action.button or "left", pressed)
    hand.guard.pressed(action)
    if pressed:
        hand.grasped, hand.start, hand.guard.dragging = (lies, was), at, True
        return Outcome(action.where, "unverifiable")
    return await hand.evidence(action, lies, was)


async def _let_go(hand: Hand, action: Placed) -> Outcome:
    """What the button went down on tells what came of it."""
    assert hand.grasped is not None
    (lies, was), scene = hand.grasped, hand.scene
    await hand.guard.admit(action, first=False)
    scene.sending("pointer")
    if action.points:
        await _along(hand, (await scene.platform.pointer(), action.points[0]))
    await scene.platform.press_button(action.action.button or "left", False)
    hand.grasped, hand.guard.dragging = None, False
    scene.clicked.was(await scene.platform.pointer())
    hand.guard.pressed(action)
    return await hand.evidence(action, lies, was)


async def _turned(hand: Hand, action: Placed, pressed: bool) -> Outcome:
    assert action.action.keys is not None
    window = await _listening(hand)
    was = await hand.ready(action, There(window))
    hand.scene.sending("keyboard")
    await hand.scene.platform.press_chord(action.action.keys, pressed)
    return Outcome("", "unverifiable") if pressed else await hand.evidence(action, There(window), was)


async def _listening(hand: Hand) -> Window:
    """The window that gets the keys, remembered as it is: what they change in it is told."""
    window = await hand.scene.world.window(None)
    await hand.scene.remember(window)
    return window


async def scroll(hand: Hand, action: Placed) -> Outcome:
    """The wheel, over a point."""
    scene, notches = hand.scene, action.action.notches
    assert notches is not None
    lies = await there(scene, action.points[0])
    was = await hand.ready(action, lies)
    scene.sending("pointer")
    async with holding(scene, action.action.mods):
        await scene.platform.move_pointer(*action.points[0])
        await scene.platform.wheel(*notches)
    return await hand.evidence(action, lies, was)


async def key(hand: Hand, action: Placed) -> Outcome:
    """A chord, once or more often, or held for a while."""
    if action.action.seconds is not None or action.held:
        return await _held(hand, action)
    await _listening(hand)
    await hand.guard.admit(action, first=hand.scene.index == 1)
    return await writing.key(hand.scene, action.step)


async def _held(hand: Hand, action: Placed) -> Outcome:
    """For a while, or beside keys that an earlier action keeps down."""
    keys, window = action.action.keys, await _listening(hand)
    assert keys is not None
    was = await hand.ready(action, There(window))
    hand.scene.sending("keyboard")
    for number in range(action.action.count or 1):
        if number:
            await hand.guard.admit(action, first=False)
        await hand.scene.platform.press_chord(keys, True)
        try:
            await _pause(hand, action.action.seconds or 0.0, action)
        finally:
            await hand.scene.platform.press_chord(keys, False)
    return await hand.evidence(action, There(window), was)


async def type_text(hand: Hand, action: Placed) -> Outcome:
    """Exact Unicode by keystrokes where the focus is."""
    await _listening(hand)
    await hand.guard.admit(action, first=hand.scene.index == 1)
    return await _given_way(hand, writing.type_text(hand.scene, action.step))


async def _given_way(hand: Hand, work: Awaitable[Outcome]) -> Outcome:
    """Do it, unless a person takes over: then it ends where it is."""
    loop, scope = asyncio.get_running_loop(), asyncio.timeout(None)
    watching = loop.create_task(_person(hand, lambda: scope.reschedule(loop.time())))
    try:
        async with scope:
            return await work
    except TimeoutError:
        if scope.expired():
            hand.guard.require_hands_off()
        raise
    finally:
        watching.cancel()


async def _person(hand: Hand, stop: Callable[[], None]) -> None:
    """Call ``stop`` when a person takes over."""
    while True:
        try:
            hand.guard.require_hands_off()
        except DeskhandError:
            return stop()
        await asyncio.sleep(_PAUSE_LOOK)


async def wait(hand: Hand, action: Placed) -> Outcome:
    """Time passes; a person who takes over ends it."""
    seconds = action.action.seconds or WAIT
    await _pause(hand, seconds)
    return Outcome(f"{seconds:g} s", "unchanged")


async def _pause(hand: Hand, seconds: float, holding: Placed | None = None) -> None:
    """Time passes. A key that is held repeats itself: it is let go when it would go elsewhere."""
    loop = asyncio.get_running_loop()
    ends = loop.time() + seconds
    while (left := ends - loop.time()) > 0:
        hand.guard.require_hands_off()
        hand.scene.require_time()
        if holding is not None:
            await hand.guard.admit(holding, first=False)
        await asyncio.sleep(min(left, _PAUSE_LOOK))


async def screenshot(hand: Hand, action: Placed) -> Outcome:
    """The picture itself is taken when all is told."""
    return Outcome("", "unchanged")


@asynccontextmanager
async def holding(scene: Scene, mods: str | None) -> AsyncIterator[None]:
    """Modifiers held meanwhile, released whatever happens."""
    if not mods:
        yield
        return
    await scene.platform.press_chord(mods, True)
    try:
        yield
    finally:
        await scene.platform.press_chord(mods, False)


Gesture = Callable[[Hand, Placed], Awaitable[Outcome]]
GESTURES: dict[str, Gesture] = {
    "move": move, "click": click, "down": down, "up": up, "drag": drag, "scroll": scroll, "key": key,
    "type": type_text, "wait": wait, "screenshot": screenshot,
}  # fmt: skip


async def perform(hand: Hand, action: Placed) -> Outcome:
    """One action. Raises what the gate, the guard and the platform raise."""
    hand.scene.require_time()
    return await GESTURES[action.action.do](hand, action)
