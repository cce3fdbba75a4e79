"""The end of a batch as lines: what was done, why it stopped, the windows, what is different now."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from deskhand.desktop.act.scene import Scene
from deskhand.desktop.semantics.diff import changes, diff_lines, said
from deskhand.desktop.semantics.projection import project
from deskhand.desktop.semantics.quoting import number, quote
from deskhand.desktop.semantics.refs import is_element_ref, is_window_ref
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Window
from deskhand.types.results import ActResult, Effect, Failure, NotUndone, Undoing, WindowLine
from deskhand.types.steps import Step

NEW_WINDOW_BUDGET = 900
"""Tokens for the view of a window that the batch opened: no observe is needed after it."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be told."""

    scene: Scene
    steps: Sequence[Step]
    effects: list[Effect]
    failure: Failure | None
    started: float  # by the monotonic clock
    undoing: Undoing | None = None


@dataclass(frozen=True, slots=True)
class _After:
    """The state after the batch: lines, and the snapshot of the window that is active now."""

    lines: list[str]
    diff: list[str]
    snapshot: str | None
    windows: list[WindowLine]


async def tell(report: Report) -> ActResult:
    """One refresh of what was touched. A refresh that fails is told apart from the steps, which were done."""
    after = await _after(report)
    seconds = time.monotonic() - report.started
    lines = [_head(report, seconds), *(effect_line(effect) for effect in report.effects)]
    lines += [undoing_line(report.undoing)] if report.undoing is not None and report.undoing.of else []
    lines += after.lines
    if trouble := report.scene.recorder.trouble:
        lines.append(f"note: {trouble}")
    return ActResult(
        text="\n".join(lines), done=len(report.effects), total=len(report.steps), seconds=seconds,
        effects=report.effects, failure=report.failure, undoing=report.undoing, snapshot=after.snapshot,
        windows=after.windows, diff=after.diff,
    )  # fmt: skip


def _head(report: Report, seconds: float) -> str:
    done, total = len(report.effects), len(report.steps)
    if report.failure is None:
        return f"done {done} of {total}, {seconds * 1000:.0f} ms"
    return failure_line(report.failure, done + 1, total)


def failure_line(failure: Failure, step: int, total: int) -> str:
    """``stopped at 2 of 3: stale_ref r23, input no; expected …; found …; try …``."""
    named = is_element_ref(failure.target) or is_window_ref(failure.target)
    target = f" {failure.target if named else quote(failure.target)}" if failure.target else ""
    parts = [f"stopped at {step} of {total}: {failure.code}{target}, input {failure.sent}"]
    parts += [f"expected {failure.expected}"] if failure.expected else []
    parts += [f"found {failure.found}"] if failure.found else []
    parts += [f"try {', '.join(failure.candidates)}"] if failure.candidates else []
    parts.append(failure.message)
    return "; ".join(parts)  # which question to answer is told by the faces: they ask about all that is left to do


def effect_line(effect: Effect) -> str:
    """``1 set r70[B7]: "" -> "42" verified (keyboard)``."""
    said = _change(effect)
    target = f" {effect.target}" if effect.target else ""
    route = f" ({effect.route})" if effect.route else ""
    return f"{effect.step} {effect.do}{target}{': ' + said if said else ''} {effect.verdict}{route}"


def undoing_line(undoing: Undoing) -> str:
    """``undone 2 of 3: 3 set …; not undone: 1 press r5 button "Save" (its effect is not known to be reversible)``."""
    undone = "; ".join(effect_line(effect) for effect in undoing.effects)
    left = "; ".join(_left(each) for each in undoing.left)
    head = f"undone {len(undoing.effects)} of {undoing.of}"
    return "; ".join([f"{head}: {undone}" if undone else head, *([f"not undone: {left}"] if left else [])])


def _left(left: NotUndone) -> str:
    return f"{left.step} {left.do}{' ' + left.target if left.target else ''} ({left.why})"


def _change(effect: Effect) -> str:
    parts = []
    if effect.before is not None and effect.after is not None and effect.before != effect.after:
        parts.append(f"{_value(effect.before)} -> {_value(effect.after)}")
    elif effect.after is not None:
        parts.append(_value(effect.after))
    return "; ".join([*parts, *([effect.note] if effect.note else [])])


def _value(value: str | float) -> str:
    return number(value) if isinstance(value, float) else value


async def _after(report: Report) -> _After:
    scene = report.scene
    try:
        windows = [w for w in await scene.world.windows() if not w.popup]
    except DeskhandError as error:
        return _After([f"windows: unknown ({error.code}: {error.message})"], [], None, [])
    lines = [f"windows: {', '.join(scene.world.window_words(w) for w in reversed(windows))}"]
    diff: list[str] = []
    latest: Snapshot | None = None
    # What stands behind a modal dialog waits for it: its owner is read when the dialog is answered.
    waiting = {w.owner for w in windows if w.modal and w.owner}
    for window in [w for w in windows if w.key not in waiting]:
        told, changed, snapshot = await _window(scene, window)
        lines += told
        diff += changed
        latest = snapshot if snapshot is not None and (window.active or latest is None) else latest
    return _After(lines, diff, latest.id if latest else None, [scene.world.window_line(w) for w in windows])


async def _window(scene: Scene, window: Window) -> tuple[list[str], list[str], Snapshot | None]:
    """Lines on one window: the diff where it was known before, its view where the batch opened it."""
    first = scene.firsts.get(window.key)
    if first is None and window.key in scene.known:
        return [], [], None
    try:
        snapshot = await scene.world.snapshot(window)
    except DeskhandError as error:
        return [f"{scene.world.refs.bind_window(window.key)} could not be read: {error.code}"], [], None
    if first is None:
        view = project(snapshot, NEW_WINDOW_BUDGET)
        scene.world.refs.publish(view.said)
        return [view.text], [], snapshot
    found = changes(first.flat, snapshot.flat)
    changed = diff_lines(found)
    scene.world.refs.publish(said(found))
    head = f"diff {first.id} -> {snapshot.id}"
    return ([head, *changed] if changed else [f"{head}: no change"]), changed, snapshot
