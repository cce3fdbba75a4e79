"""The end of a batch as lines: what was done, why it stopped, the windows, what is different now."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deskhand.desktop.act.scene import Scene
from deskhand.desktop.semantics.budget import DEFAULT, cut
from deskhand.desktop.semantics.diff import changes, diff_lines, said
from deskhand.desktop.semantics.projection import project
from deskhand.desktop.semantics.quoting import number, quote, quote_cut, tokens
from deskhand.desktop.semantics.refs import is_element_ref, is_window_ref
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Window
from deskhand.types.results import ActResult, Effect, Failure, NotUndone, Undoing, WindowLine
from deskhand.types.steps import Step

NEW_WINDOW_BUDGET = 900
"""Tokens for the view of a window that the batch opened: no observe is needed after it."""
WINDOWS_SAID, WINDOWS_TOLD = 12, 8
"""Windows that the windows line names, and those whose view or diff is told."""
_HEAD, _EFFECTS, _EFFECT, _UNDONE, _TROUBLE, _LEAST = 350, 700, 60, 300, 40, 60
"""Tokens of the parts of a report."""
READ, _READ = 4000, 900
"""Characters, and tokens, of all that the steps were to read; the typed result has it whole."""


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
    seconds = time.monotonic() - report.started
    report = replace(report, effects=_read_within(report.effects))
    lines = _deeds(report, seconds)
    after = await _after(report, DEFAULT - sum(tokens(line) + 1 for line in lines) - _TROUBLE)
    lines += after.lines
    if trouble := report.scene.recorder.trouble:
        lines.append(f"note: {cut(trouble, _TROUBLE)}")
    return ActResult(
        text="\n".join(lines), done=len(report.effects), total=len(report.steps), seconds=seconds,
        effects=report.effects, failure=report.failure, undoing=report.undoing, snapshot=after.snapshot,
        windows=after.windows, diff=after.diff,
    )  # fmt: skip


def _deeds(report: Report, seconds: float) -> list[str]:
    """What was done, and why it stopped; of very many steps those in the middle that need no word."""
    effects = _shortened([(effect_line(effect), effect) for effect in report.effects])
    lines = [cut(_head(report, seconds), _HEAD), *effects]
    if report.undoing is not None and report.undoing.of:
        lines.append(cut(undoing_line(report.undoing), _UNDONE))
    return lines


def _read_within(effects: list[Effect]) -> list[Effect]:
    """What was read, cut inside its string so that all of it together keeps its own budget."""
    number = sum(effect.read is not None for effect in effects)
    return [
        effect if effect.read is None else effect.model_copy(update={"after": _cut_read(effect.read, _READ // number)})
        for effect in effects
    ]


def _cut_read(text: str, budget: int) -> str:
    """The longest beginning that costs no more, with what is left out as ``+n``."""
    low, high = 0, min(len(text), READ)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(quote_cut(text, middle)) <= budget else (low, middle - 1)
    return quote_cut(text, low)


def _shortened(lines: list[tuple[str, Effect]]) -> list[str]:
    """All lines where they fit; else those of steps that were not simply verified, and the last ones."""
    if sum(_cost(line, effect) for line, effect in lines) <= _EFFECTS:
        return [line for line, _ in lines]
    notable = [n for n, (_, effect) in enumerate(lines) if effect.read is not None]
    notable += [n for n, (_, effect) in enumerate(lines) if effect.verdict != "verified" or effect.note]
    chosen, spent = set[int](), 0
    for place in dict.fromkeys([len(lines) - 1, 0, *notable, *reversed(range(len(lines)))]):
        spent += min(_cost(*lines[place]), _EFFECT + 1)
        if spent > _EFFECTS:
            break
        chosen.add(place)
    left = [effect for n, (_, effect) in enumerate(lines) if n not in chosen]
    plain = all(effect.verdict == "verified" for effect in left)
    said = [
        line if effect.read is not None else cut(line, _EFFECT)
        for line, effect in map(lines.__getitem__, sorted(chosen))
    ]
    return [*said, f"… {len(left)} more steps done{', all verified' if plain else ''}"] if left else said


def _cost(line: str, effect: Effect) -> int:
    """Tokens of a line; what was read is paid for from a budget of its own."""
    return tokens(line) + 1 - (tokens(str(effect.after)) if effect.read is not None else 0)


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


async def _after(report: Report, budget: int) -> _After:
    scene = report.scene
    try:
        windows = [w for w in await scene.world.windows() if not w.popup]
    except DeskhandError as error:
        return _After([cut(f"windows: unknown ({error.code}: {error.message})", _HEAD)], [], None, [])
    lines, diff = [windows_line(scene, windows)], list[str]()
    latest: Snapshot | None = None
    # What stands behind a modal dialog waits for it: its owner is read when the dialog is answered.
    waiting = {w.owner for w in windows if w.modal and w.owner}
    told = [w for w in reversed(windows) if w.key not in waiting and _is_told(scene, w)]
    for told_of, window in enumerate(told):
        if told_of >= WINDOWS_TOLD or (room := budget - sum(tokens(line) + 1 for line in lines)) < _LEAST:
            lines.append("… more windows are different: observe them")
            break
        said_, changed, snapshot = await _window(scene, window, room)
        lines += said_
        diff += changed
        latest = snapshot if snapshot is not None and (window.active or latest is None) else latest
    return _After(lines, diff, latest.id if latest else None, [scene.world.window_line(w) for w in windows])


def windows_line(scene: Scene, windows: Sequence[Window]) -> str:
    """``windows: w3 "sales.ods" active, w4 "Save As"``, front first; of very many the first ones."""
    shown = [scene.world.window_words(w) for w in reversed(windows[-WINDOWS_SAID:])]
    more = f", … {len(windows) - WINDOWS_SAID} more: apps" if len(windows) > WINDOWS_SAID else ""
    return cut(f"windows: {', '.join(shown)}", _HEAD) + more


def _is_told(scene: Scene, window: Window) -> bool:
    """Whether it was touched by the batch, or opened while it was done."""
    return window.key in scene.firsts or window.key not in scene.known


async def _window(scene: Scene, window: Window, room: int) -> tuple[list[str], list[str], Snapshot | None]:
    """Lines on one window: the diff where it was known before, its view where the batch opened it."""
    try:
        snapshot = await scene.world.latest(window)
    except DeskhandError as error:
        return [f"{scene.world.refs.bind_window(window.key)} could not be read: {error.code}"], [], None
    first = scene.firsts.get(window.key)
    if first is None:
        view = project(snapshot, min(NEW_WINDOW_BUDGET, room))
        scene.world.refs.publish(view.said)
        return [view.text], [], snapshot
    found = changes(first.flat, snapshot.flat)
    changed = diff_lines(found, room, lambda: scene.world.snapshots.before(first))
    scene.world.refs.publish(said(changed))
    head = f"diff {first.id} -> {snapshot.id}"
    return ([head, *changed] if changed else [f"{head}: no change"]), changed, snapshot
