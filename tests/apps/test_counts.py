"""How often applications are asked: a look and a guarded step cost so many round trips and reads, and no more."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.base import ReadLimits
from deskhand.types.requests import ObserveRequest
from tests.apps.subjects.stage import Stage

pytestmark = pytest.mark.apps
FIXTURE = Path(__file__).parents[1] / "fixtures" / "mixed.fods"
LOOKS: dict[str, tuple[list[str], str, int, int]] = {
    # command, part of the title, round trips of the first look and of the next; measured, and a tenth more
    "Mousepad": (["mousepad"], "Mousepad", 140, 85),
    "Calculator": (["gnome-calculator"], "Calculator", 560, 115),
    "Text Editor": (["gnome-text-editor"], "Text Editor", 650, 129),
    "Thunar": (["thunar"], "Thunar", 490, 280),
    "Calc": (["soffice", "--norestore", "mixed.fods"], "LibreOffice Calc", 2700, 1200),
}
ONE_STEP_CALLS, ONE_STEP_READS = 720, 4
STEP_CALLS, STEP_READS = 300, 1.3
"""Of each of many steps in one call."""
PREFERENCES = "Mousepad Preferences"
BOXES = ("Show line numbers", "Display whitespace", "Display line endings", "Highlight matching brackets")


async def opened(stage: Stage, command: list[str], title: str) -> str:
    """The root of the application's window, once nothing changes in it."""
    await stage.desktop.launch(command, str(stage.home))
    for _ in range(150):
        found = [w.root for w in await stage.platform.windows() if title in w.title and w.root and not w.popup]
        if found and await stage.platform.events.quiet(1.0, 10.0):
            return str(found[-1])
        await stage.platform.events.changed(stage.platform.events.serial, 0.2)
    raise AssertionError(f"no window {title}")


@pytest.mark.proves("A1")
async def test_a_look_costs_so_many_round_trips_and_the_next_one_fewer(fresh_desktop: NestedDesktop) -> None:
    stage = await Stage.start(fresh_desktop)
    shutil.copy(FIXTURE, stage.home / "mixed.fods")
    too_many = []
    for name, (command, title, at_first, then) in LOOKS.items():
        root = await opened(stage, command, title)
        first = again = await stage.platform.read(root, ReadLimits())
        for _ in range(3):  # a first look makes some toolkits complete their trees
            again = await stage.platform.read(root, ReadLimits())
        too_many += [f"{name}: {first.calls} at first"] if first.calls > at_first else []
        too_many += [f"{name}: {again.calls} then"] if again.calls > then else []
    await stage.stop()
    assert not too_many


async def test_a_guarded_step_costs_so_many_round_trips_and_reads(fresh_desktop: NestedDesktop) -> None:
    stage = await Stage.start(fresh_desktop)
    await opened(stage, ["mousepad"], "Mousepad")
    await stage.do("menu", path=["Edit", "Preferences…"], expect={"for": "window", "on": PREFERENCES})
    refs = {e.name: e.ref for e in (await stage.session.observe(ObserveRequest(target=PREFERENCES))).elements}
    once = [{"do": "check", "on": refs[BOXES[0]]}]
    many = [{"do": do, "on": refs[name]} for do in ("uncheck", "check", "uncheck") for name in BOXES]
    calls, reads = await cost(stage, once)
    assert (calls <= ONE_STEP_CALLS, reads <= ONE_STEP_READS) == (True, True), (calls, reads)
    calls, reads = await cost(stage, many)
    assert (calls <= STEP_CALLS, reads <= STEP_READS) == (True, True), (calls, reads)
    await stage.stop()


async def cost(stage: Stage, steps: list[dict[str, Any]]) -> tuple[float, float]:
    """Round trips and reads of a step, of steps that are all done in one call."""
    calls, reads = stage.platform.bus.calls, stage.platform.reader.reads
    result = await stage.act(*steps)
    assert result.failure is None, result.text
    done = len(steps)
    return (stage.platform.bus.calls - calls) / done, (stage.platform.reader.reads - reads) / done
