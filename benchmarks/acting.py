"""act against pyatspi on Mousepad's preferences: one step, ten, and twenty in one call."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.figures import Acted, middle, ratio
from benchmarks.rig import SUBJECTS, Rig
from deskhand.types.requests import ActRequest, ObserveRequest
from deskhand.types.results import ActResult, ElementInfo

DIALOG = "Mousepad Preferences"
MARGIN = "Long line margin at column:"
BOXES = (
    "Show line numbers", "Display whitespace", "Display line endings", "Highlight current line",
    "Highlight matching brackets", "Wrap long lines",
)  # fmt: skip
Steps = list[dict[str, Any]]


async def act(rig: Rig, rounds: int) -> list[Acted]:
    """Open the dialog, and measure."""
    if not [w for w in await rig.platform.windows() if SUBJECTS[0].title in w.title]:
        await rig.open(SUBJECTS[0])
    opened: Steps = [{"do": "menu", "path": ["Edit", "Preferences…"], "in": "Mousepad",
               "expect": {"for": "window", "on": DIALOG}}]  # fmt: skip
    await _run(rig, opened)
    refs = {info.name or info.role: info for info in await _elements(rig)}
    margin = _switched(refs, [MARGIN], True)
    await _run(rig, margin)  # only then its number can be set
    rows = [
        await _both(rig, "check a box", rounds, _Boxes(refs, BOXES[:1])),
        await _both(rig, "set a number", rounds, _Number(refs)),
        await _both(rig, "ten steps", rounds, _Ten(refs)),
        await _ours(rig, "twenty steps in one call", rounds, _Twenty(refs)),
    ]
    await _run(rig, [{"do": "window", "on": DIALOG, "op": "close"}])
    return rows


async def _elements(rig: Rig) -> Sequence[ElementInfo]:
    return (await rig.session.observe(ObserveRequest(target=DIALOG))).elements


@dataclass(frozen=True, slots=True)
class _Run:
    """One call: its seconds, and what it asked of the application."""

    seconds: float
    calls: int
    reads: int
    result: ActResult


async def _run(rig: Rig, steps: Steps) -> _Run:
    """What is not done whole is no figure."""
    calls, reads, started = rig.platform.bus.calls, rig.platform.reader.reads, time.perf_counter()
    result = await rig.session.act(ActRequest.model_validate({"steps": steps}))
    seconds = time.perf_counter() - started
    if result.failure is not None:
        raise RuntimeError(result.text)
    return _Run(seconds, rig.platform.bus.calls - calls, rig.platform.reader.reads - reads, result)


class _Boxes:
    """Some check boxes on, or off again."""

    def __init__(self, refs: Mapping[str, ElementInfo], names: Sequence[str]) -> None:
        self._refs, self._names = refs, names

    def steps(self, on: bool) -> Steps:
        return _switched(self._refs, self._names, on)

    def theirs(self, on: bool) -> Steps:
        do = "check" if on else "uncheck"
        return [{"do": do, "role": "check box", "name": name} for name in self._names]


class _Number:
    """The margin's column: another, and back."""

    def __init__(self, refs: Mapping[str, ElementInfo]) -> None:
        self._ref = refs["spinbutton"].ref

    def steps(self, on: bool) -> Steps:
        return [{"do": "set", "on": self._ref, "value": 72 if on else 80}]

    def theirs(self, on: bool) -> Steps:
        return [{"do": "number", "role": "spin button", "name": "", "value": 72.0 if on else 80.0}]


class _Ten:
    """Six boxes and four numbers."""

    def __init__(self, refs: Mapping[str, ElementInfo]) -> None:
        self._boxes, self._number = _Boxes(refs, BOXES), _Number(refs)

    def steps(self, on: bool) -> Steps:
        both = [*self._number.steps(True), *self._number.steps(False)]
        return [*self._boxes.steps(on)[:3], *both, *self._boxes.steps(on)[3:], *both]

    def theirs(self, on: bool) -> Steps:
        both = [*self._number.theirs(True), *self._number.theirs(False)]
        return [*self._boxes.theirs(on)[:3], *both, *self._boxes.theirs(on)[3:], *both]


class _Twenty:
    """Twelve times a box, four numbers, two choices from a list, two tabs."""

    def __init__(self, refs: Mapping[str, ElementInfo]) -> None:
        self._boxes, self._number = _Boxes(refs, BOXES), _Number(refs)
        self._tabs = next(info.ref for info in refs.values() if info.role == "tablist")
        self._list = next(info.ref for info in refs.values() if info.role == "combobox")

    def steps(self, on: bool) -> Steps:
        numbers = [*self._number.steps(True), *self._number.steps(False)]
        chosen = [{"do": "select", "on": self._list, "items": [item]} for item in ("Classic", "none")]
        tabs = [{"do": "select", "on": self._tabs, "items": [item]} for item in ("Editor", "View")]
        return [*self._boxes.steps(on), *numbers, *chosen, *self._boxes.steps(not on), *numbers, *tabs]


async def _both(rig: Rig, name: str, rounds: int, job: _Boxes | _Number | _Ten) -> Acted:
    """Ours does it and pyatspi undoes it, then the other way round."""
    runs, theirs = [], []
    for turn in range(rounds):
        runs.append(await _run(rig, job.steps(True)))
        await rig.peer.walk(DIALOG)  # it knows its elements before its time runs, as refs are known to us
        theirs.append(await rig.peer.act(DIALOG, job.theirs(False)))
        if turn == 0 and runs[0].result.total == 1:
            assert runs[0].result.effects[0].verdict == "verified", runs[0].result.text
    row = _row(name, runs)
    seconds = [run.seconds for run in runs]
    return row.model_copy(update={"peer_ms": middle(theirs), "ratio": ratio(seconds, theirs)})


async def _ours(rig: Rig, name: str, rounds: int, job: _Twenty) -> Acted:
    return _row(name, [await _run(rig, job.steps(turn % 2 == 0)) for turn in range(rounds)])


def _row(name: str, runs: Sequence[_Run]) -> Acted:
    steps = runs[-1].result.total
    return Acted(
        name=name, steps=steps, ours_ms=middle([run.seconds for run in runs]), peer_ms=None, ratio=None,
        calls=runs[-1].calls / steps, reads=runs[-1].reads / steps,
    )  # fmt: skip


def _switched(refs: Mapping[str, ElementInfo], names: Sequence[str], on: bool) -> Steps:
    return [{"do": "check" if on else "uncheck", "on": refs[name].ref} for name in names]
