"""The pyatspi process that is measured beside deskhand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("pyatspi_peer.py")
PYTHON = "/usr/bin/python3"
"""The system's own: pyatspi is a system package."""
_LONGEST = 64 * 1024 * 1024
_SECONDS = 120.0
_ENDING = 10.0


@dataclass(frozen=True, slots=True)
class Walked:
    """What one walk found, and the seconds that it took."""

    seconds: float
    nodes: tuple[Mapping[str, Any], ...]


class Peer:
    """Talks to one pyatspi process inside of a desktop."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, environment: Mapping[str, str], script: Path = SCRIPT, python: str = PYTHON) -> Peer:
        """Start it with a desktop's environment; another script that is spoken to alike may be named."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            python, str(script), stdin=pipe, stdout=pipe, env=dict(environment), limit=_LONGEST
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The process that was started."""
        return self._process.pid

    async def walk(self, title: str) -> Walked:
        """Everything that shows in the window of this title."""
        said = await self.ask("walk", title=title)
        return Walked(said["seconds"], tuple(said["nodes"]))

    async def act(self, title: str, steps: Sequence[Mapping[str, Any]]) -> float:
        """Seconds for the steps, each followed by a read of the window."""
        return float((await self.ask("act", title=title, steps=list(steps)))["seconds"])

    async def ask(self, op: str, **command: Any) -> dict[str, Any]:
        """One command and its answer. Raises ``RuntimeError`` when the process tells an error, or ends."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"op": op, **command}).encode() + b"\n")
        async with asyncio.timeout(_SECONDS):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the peer's process ended while it was asked to {op}")
        said: dict[str, Any] = json.loads(line)
        if "error" in said:
            raise RuntimeError(f"{op}: {said['error']}")
        return said

    async def stop(self) -> None:
        """End it by closing its stdin, and wait; one that stays is killed."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _ENDING)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
