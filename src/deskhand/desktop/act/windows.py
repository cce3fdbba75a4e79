"""window, open, wait."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.desktop.act.conditions import Condition, await_condition
from deskhand.desktop.act.evidence import Outcome, before, windows_note
from deskhand.desktop.act.guard import dialog_before
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.world import World
from deskhand.platforms.base import WindowOperation
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Window
from deskhand.types.requests import OpenRequest
from deskhand.types.results import Verdict
from deskhand.types.steps import Step

_OPERATIONS: dict[str, WindowOperation] = {op: op for op in
    ("activate", "close", "minimise", "maximise", "restore", "move", "resize")}  # fmt: skip


async def window(scene: Scene, step: Step) -> Outcome:
    """Ask the window manager, and see it happen."""
    if not isinstance(step.on, str):
        raise DeskhandError("invalid_request", "window takes a window's ref or an application's name")
    target = await scene.world.window(step.on)
    await scene.remember(target)
    await require_closable(scene.world, step)
    await scene.permit(step, None)
    words = f"{scene.world.refs.bind_window(target.key)} {quote(target.title)}"
    was = await before(scene)
    operation, goal = _operation(step), _goal(step, target)
    scene.activated = (scene.index, target.key) if operation == "activate" else scene.activated
    if operation == "activate" and target.active and not target.minimised:
        return Outcome(words, "unchanged", note="already active")
    scene.sending("api")
    await scene.platform.window_operation(target.key, operation, goal)
    await scene.settle(was.serial)
    return await _seen(scene, words, target, step, was.windows)


async def require_closable(world: World, step: Step) -> None:
    """A window that waits for the answer to its dialog is not closed: nothing is to be asked about that first.

    Raises:
        DeskhandError: ``occluded`` with the dialog in front.
    """
    if step.do != "window" or step.op != "close" or not isinstance(step.on, str):
        return
    try:
        target = await world.window(step.on)
    except DeskhandError:
        return  # the step itself says what is wrong with its window
    if (front := await dialog_before(world, target)) is not None:
        said = f"{world.window_words(front)} is in front of {world.window_words(target)}; answer that dialog first"
        raise DeskhandError("occluded", said, target=world.refs.bind_window(target.key), found=quote(front.title))


def _operation(step: Step) -> WindowOperation:
    """A move that tells a size gives it that, too."""
    if step.op not in _OPERATIONS:
        raise DeskhandError("invalid_request", f"no window operation {quote(step.op or '')}")
    return "resize" if step.op == "move" and step.rect is not None and len(step.rect) == 4 else _OPERATIONS[step.op]


def _frame(window: Window) -> Rect:
    """The window as ``apps`` tells it."""
    return window.frame or window.bounds


def _goal(step: Step, target: Window) -> Rect | None:
    """The frame that is asked for; left as large as it is where only a place is given."""
    if step.rect is None:
        return None
    return Rect(*step.rect) if len(step.rect) == 4 else Rect(*step.rect, *_frame(target)[2:])


async def _seen(scene: Scene, words: str, target: Window, step: Step, old: tuple[Window, ...]) -> Outcome:
    operation = _OPERATIONS[step.op or ""]
    found = await scene.world.windows()
    now = next((w for w in found if w.key == target.key), None)
    note = windows_note(scene, old, found)
    if operation == "close":
        return Outcome(words, "verified" if now is None else "changed" if note else "unchanged", note=note)
    if now is None:
        raise DeskhandError("window_gone", f"{words} closed meanwhile", sent="yes")
    if step.rect is not None:
        return _placed(words, _frame(target), _frame(now), step.rect)
    done = {
        "activate": now.active, "minimise": now.minimised, "restore": not now.minimised,
        "maximise": now.bounds != target.bounds,
    }[operation]  # fmt: skip
    return Outcome(words, "verified" if done else "unchanged", note=note or (operation if done else ""))


def _placed(words: str, before: Rect, now: Rect, asked: Sequence[int]) -> Outcome:
    """Where it is now, which need not be where it was to be: windows have least sizes, terminals whole cells."""
    there = all(abs(is_ - wanted) <= 1 for is_, wanted in zip(now, asked, strict=False))
    verdict: Verdict = "unchanged" if now == before else "verified" if there else "changed"
    said = ",".join(map(str, before)), ",".join(map(str, now))
    note = "" if there else f"asked for {','.join(map(str, asked))}"
    return Outcome(words, verdict, *said, note=note, bare=True)


async def open_step(scene: Scene, step: Step) -> Outcome:
    """Start or attach, and wait until the window can be read."""
    await scene.permit(step, None)
    request = OpenRequest(app=step.app, file=step.file, url=step.url, timeout=min(30.0, scene.left))
    opened = await scene.opener.open(request, lambda: scene.sending("api"))
    verb = "started" if opened.started else "attached"
    return Outcome(quote(step.file or step.url or step.app or ""), "verified", note=f"{verb} {opened.words}")


async def wait(scene: Scene, step: Step) -> Outcome:
    """Until a condition holds; ``wait_timeout`` when it does not."""
    assert step.condition is not None
    condition = Condition(step.condition, step.on, step.awaited, step.match or "exact", step.timeout or 10.0)
    held = await await_condition(scene, condition)
    return Outcome(condition.words(), "verified", note=held)
