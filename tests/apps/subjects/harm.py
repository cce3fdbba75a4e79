"""Whether looking harms: an application is observed again and again while it works, and then looked at itself."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.apps.subjects.stage import Stage

WARM = 40
"""Views after which what an application keeps for its readers (objects, strings) has been made; half of fewer."""
DEEDS = 6
"""How often it must at least have had something to do meanwhile."""
_EVERY = 0.05
"""Seconds between two keys: twenty a second, faster than a person types."""


@dataclass(frozen=True)
class Life:
    """A process: when it began (ticks since boot), its own memory in kilobytes; of a JVM what is alive in its heap."""

    began: int
    memory: int

    @classmethod
    def of(cls, pid: int) -> Life:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return cls(int(stat[19]), _heap(pid) if Path(f"/proc/{pid}/exe").resolve().name == "java" else _anonymous(pid))


def _anonymous(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("RssAnon:")).split()[1])


def _heap(pid: int) -> int:
    """The process grows until its garbage is collected; the histogram of its objects collects it first."""
    told = subprocess.run(
        ["jcmd", str(pid), "GC.class_histogram"], capture_output=True, text=True, timeout=30, check=True
    )
    return int(told.stdout.splitlines()[-1].split()[2]) // 1024


@dataclass(frozen=True)
class Observed:
    """Before (after ``WARM`` views) and after; how often it had something to do meanwhile, and whether it typed."""

    before: Life
    after: Life
    deeds: int
    typed: bool


async def observed_at_work(stage: Stage, times: int) -> Observed:
    """Observe the active window ``times`` times while it types (where it has a field) or redraws under the pointer."""
    field = await _field(stage)
    async with _at_work(stage, typing=field is not None) as deeds:
        warm = min(WARM, times // 2)
        for _ in range(warm):
            await stage.view()
        before = await asyncio.to_thread(Life.of, stage.pid)
        for _ in range(times - warm):
            await stage.view()
        while len(deeds) < DEEDS:
            await stage.view()
        return Observed(before, await asyncio.to_thread(Life.of, stage.pid), len(deeds), field is not None)


async def _field(stage: Stage) -> str | None:
    """A field of one line that has the focus now; None where there is none that takes it."""
    view = await stage.view()
    for element in view.elements:
        if element.role == "textbox" and not {"readonly", "disabled", "password"} & set(element.states):
            result = await stage.act({"do": "focus", "on": element.ref})
            if result.failure is None:
                return element.ref
    return None


@asynccontextmanager
async def _at_work(stage: Stage, typing: bool) -> AsyncIterator[list[int]]:
    deeds: list[int] = []
    over = asyncio.Event()
    task = asyncio.create_task(_type(stage, deeds, over) if typing else _hover(stage, deeds, over))
    try:
        yield deeds
    finally:
        over.set()
        await task
        await stage.platform.release_all()


async def _type(stage: Stage, deeds: list[int], over: asyncio.Event) -> None:
    """A letter, and away with it: nothing stays, and no list of what it may begin."""
    while not over.is_set():
        for key in ("a", "BackSpace"):
            await stage.platform.press_chord(key)
            deeds.append(1)
            await asyncio.sleep(_EVERY)


async def _hover(stage: Stage, deeds: list[int], over: asyncio.Event) -> None:
    """Over the active window, from one end to the other."""
    active = next(client for client in await stage.witness.clients() if client.active)
    x, y, w, h = active.bounds
    for step in itertools.cycle(range(1, 40)):
        if over.is_set():
            return
        await stage.platform.move_pointer(x + w * step // 40, y + h * step // 40)
        deeds.append(1)
        await asyncio.sleep(_EVERY)
