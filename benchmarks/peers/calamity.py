"""xa11y's dump of a Calc window: on a desktop of its own, since a sheet has 2,147,483,647 children to be asked for."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from benchmarks.peers.contenders import Xa11y
from benchmarks.peers.figures import XA11Y, Calamity
from benchmarks.peers.processes import born
from benchmarks.peers.stage import Stage, stage, subjects

LIMIT_MB = 1500
LONGEST = 90.0
_EVERY = 0.2


async def calamity(folder: Path) -> Calamity:
    """Start it, and watch the memory of the desktop until it answers, the application dies, or the time is over."""
    async with stage(folder, LIMIT_MB) as desktop:
        window = await desktop.open(subjects(["Calc"])[-1])
        pid, started = window.pid, born(window.pid)
        before = (await desktop.desktop.status()).memory_mb
        peer = desktop.contender(XA11Y)
        assert isinstance(peer, Xa11y)
        await peer.start()
        await peer.library()
        began = time.perf_counter()
        asked = asyncio.create_task(peer.tree(window))
        try:
            peak = await _watched(desktop, asked, pid)
            seconds = time.perf_counter() - began
            said = await _said(asked)
        finally:
            await peer.stop()
        status = await desktop.desktop.status()
        return Calamity(
            limit_mb=LIMIT_MB, limit=status.limit, before_mb=before, peak_mb=peak, seconds=seconds, said=said,
            alive=bool(started) and born(pid) == started, killed=status.killed,
        )  # fmt: skip


async def _watched(desktop: Stage, asked: asyncio.Task[tuple[float, int]], pid: int) -> int:
    peak, ends = 0, time.perf_counter() + LONGEST
    while born(pid) and not asked.done() and time.perf_counter() < ends:
        peak = max(peak, (await desktop.desktop.status()).memory_mb)
        await asyncio.wait([asked], timeout=_EVERY)
    return peak


async def _said(asked: asyncio.Task[tuple[float, int]]) -> str:
    """What came of it; an answer may still follow the application's end."""
    await asyncio.wait([asked], timeout=5.0)
    if not asked.done():
        asked.cancel()
        await asyncio.wait([asked])
        return "no answer"
    error = asked.exception()
    return str(error) if error else f"{asked.result()[1]} nodes"
