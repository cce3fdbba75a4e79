"""Windows that journal what reaches them (``tests/programs/journal_x11.py``), as tests use them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from deskhand.types.geometry import Point, Rect

PATIENCE = 10.0
_PROGRAM = Path(__file__).parents[1] / "programs/journal_x11.py"


@dataclass(frozen=True, slots=True)
class Reached:
    """One event: ``detail`` is the button or keycode, ``symbol`` the keysym of a key, coordinates are root pixels."""

    kind: str
    detail: int
    x: int
    y: int
    state: int
    symbol: int

    @property
    def at(self) -> Point:
        """Where the pointer was."""
        return Point(self.x, self.y)


@dataclass
class Journal:
    """A running window."""

    title: str
    place: Rect
    process: asyncio.subprocess.Process
    marks: int = 0

    async def read(self) -> list[Reached]:
        """All that has reached it since it was last read; what the server has sent by now is in it."""
        assert self.process.stdin is not None
        self.marks += 1
        self.process.stdin.write(f"{self.marks}\n".encode())
        events: list[Reached] = []
        while "mark" not in (line := json.loads(await self._line())):
            events.append(Reached(**line))
        return events

    async def _line(self) -> bytes:
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)
        assert line, "the journalling window has ended"
        return line

    async def buttons(self) -> list[Reached]:
        """Presses of buttons since it was last read."""
        return [event for event in await self.read() if event.kind == "button_press"]


@asynccontextmanager
async def journal(
    environment: Mapping[str, str], title: str, place: Rect, *, focus: bool = False
) -> AsyncIterator[Journal]:
    """A window at ``place``; it is killed afterwards."""
    options = ["focus"] if focus else []
    running = await asyncio.create_subprocess_exec(
        sys.executable, str(_PROGRAM), title, *(str(number) for number in place), *options, env=dict(environment),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    made = Journal(title, place, running)
    try:
        int(await made._line())
        yield made
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()
