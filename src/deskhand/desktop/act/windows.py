"""window, open, wait."""

from __future__ import annotations

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
from deskhand.types.steps import Step, WindowOp

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
    operation = _operation(step.op)
    scene.activated = (scene.index, target.key) if operation == "activate" else scene.activated
    if operation == "activate" and target.active and not target.minimised:
        return Outcome(words, "unchanged", note="already active")
    scene.sending("api")
    await scene.platform.window_operation(target.key, operation, Rect(*step.rect) if step.rect else None)
    await scene.settle(was.serial)
    return await _seen(scene, words, target, operation, was.windows)


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


def _operation(op: str | None) -> WindowOperation:
    if op not in _OPERATIONS:
        raise DeskhandError("invalid_request", f"no window operation {quote(op or '')}")
    return _OPERATIONS[op]


async def _seen(scene: Scene, words: str, target: Window, operation: WindowOp, old: tuple[Window, ...]) -> Outcome:
    found = await scene.world.windows()
    now = next((w for w in found if w.key == target.key), None)
    note = windows_note(scene, old, found)
    if operation == "close":
        return Outcome(words, "verified" if now is None else "changed" if note else "unchanged", note=note)
    if now is None:
        raise DeskhandError("window_gone", f"{words} closed meanwhile", sent="yes")
    done = {
        "activate": now.active, "minimise": now.minimised, "restore": not now.minimised,
        "maximise": now.bounds != target.bounds, "move": now.bounds != target.bounds,
        "resize": now.bounds != target.bounds,
    }[operation]  # fmt: skip
    return Outcome(words, "verified" if done else "unchanged", note=note or (operation if done else ""))


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
