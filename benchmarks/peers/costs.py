"""Definitions, start-up, memory, idle processor time; and what survived."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.looking import tokens
from benchmarks.peers.contenders import Contender, Cua, Ours, Xa11y
from benchmarks.peers.figures import Cost, Defined, Survived, ms
from benchmarks.peers.processes import born, resident, spent
from benchmarks.peers.rounds import turns
from benchmarks.peers.stage import Stage
from deskhand.types.nodes import Window

IDLE_SECONDS = 10.0
OF_A_SCHEMA = ("name", "description", "inputSchema")
OF_A_TOOL = (*OF_A_SCHEMA, "title", "outputSchema", "annotations", "icons", "_meta")
"""What MCP knows of a tool; a client passes over what else a server sends."""


async def defined(playing: Mapping[str, Contender]) -> list[Defined]:
    """The compact JSON of ``tools/list`` by the fields that MCP knows, and by those without which nothing is called."""
    rows = []
    for name, contender in playing.items():
        if isinstance(contender, Ours | Cua | Xa11y):
            tools = (await contender.server.ask("tools/list")).result["tools"]
            whole, bare = compact(cut(tools, OF_A_TOOL)), compact(cut(tools, OF_A_SCHEMA))
            rows.append(Defined(peer=name, tools=len(tools), tokens=whole, schema_tokens=bare))
    return rows


def cut(tools: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> list[dict[str, Any]]:
    """Each tool with these fields alone, in the server's own order."""
    return [{key: value for key, value in tool.items() if key in fields} for tool in tools]


def compact(said: Any) -> int:
    """Tokens of it as JSON without spaces, letters as they are."""
    return tokens(json.dumps(said, separators=(",", ":"), ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Held:
    """What one contender's processes hold and spend while nothing is asked of them."""

    rss_mb: float
    processes: int
    idle_percent: float


async def held(playing: Mapping[str, Contender]) -> dict[str, Held]:
    """All at the same time: the same desktop, the same quiet."""
    pids = {name: contender.pids() for name, contender in playing.items()}
    before, started = {name: spent(of) for name, of in pids.items()}, time.perf_counter()
    await asyncio.sleep(IDLE_SECONDS)  # what is measured is that this time passes
    seconds = time.perf_counter() - started
    return {name: Held(resident(of), len(of), (spent(of) - before[name]) / seconds * 100) for name, of in pids.items()}


async def costs(
    stage: Stage, names: Sequence[str], window: Window, rounds: int, holding: Mapping[str, Held]
) -> list[Cost]:
    """Cold starts in turn: until the tools are listed, and until a window is told."""
    ready: dict[str, list[float]] = {name: [] for name in names}
    looked: dict[str, list[float]] = {name: [] for name in names}
    for turn in turns(names, rounds):
        for name in turn:
            listed, told = await _started(stage.contender(name), window)
            ready[name] += [listed] if listed is not None else []
            looked[name].append(told)
    return [
        Cost(
            peer=n,
            ready_ms=ms(ready[n]) if ready[n] else None,
            look_ms=ms(looked[n]),
            rss_mb=holding[n].rss_mb,
            processes=holding[n].processes,
            idle_percent=holding[n].idle_percent,
        )
        for n in names
    ]


async def _started(contender: Contender, window: Window) -> tuple[float | None, float]:
    started = time.perf_counter()
    await contender.start()
    try:
        ready = None
        if isinstance(contender, Ours | Cua | Xa11y):
            await contender.server.ask("tools/list")
            ready = time.perf_counter() - started
        await contender.look(window)
        return ready, time.perf_counter() - started
    finally:
        await contender.stop()


@dataclass(frozen=True, slots=True)
class Alive:
    """An application as it was when it had opened."""

    name: str
    pid: int
    born: str
    rss_mb: float

    @classmethod
    def of(cls, name: str, window: Window) -> Alive:
        """As it is now."""
        return cls(name, window.pid, born(window.pid), resident([window.pid]))

    def survived(self) -> Survived:
        """Whether the same process lives, and what it holds now."""
        return Survived(
            application=self.name, same=bool(self.born) and born(self.pid) == self.born, before_mb=self.rss_mb,
            after_mb=resident([self.pid]),
        )  # fmt: skip
