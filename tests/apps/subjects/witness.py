"""Witnesses of what an application's own state is; they share no code with deskhand."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.apps.x11_rig import SYSTEM_PYTHON

_HERE = Path(__file__).parent
_PATIENCE = 20.0


@dataclass(frozen=True)
class Seen:
    """An element as its application tells it to the witness."""

    role: str
    name: str
    states: frozenset[str]
    place: tuple[str, str]
    text: str = ""
    number: float | None = None
    bounds: tuple[int, ...] = ()
    selection: tuple[int, ...] = ()
    caret: int = -1

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Seen:
        return cls(
            said["role"], said["name"], frozenset(said["states"]), tuple(said["place"]), said.get("text", ""),
            said.get("number"), tuple(said.get("bounds", ())), tuple(said.get("selection", ())), said.get("caret", -1),
        )  # fmt: skip


@dataclass(frozen=True)
class Client:
    """A window as the window manager tells it."""

    xid: int
    title: str
    pid: int
    states: frozenset[str]
    bounds: tuple[int, int, int, int]
    active: bool
    frame: tuple[int, ...]


@dataclass
class Witness:
    """Two running programs that answer questions."""

    environment: Mapping[str, str]
    _running: dict[str, Process] = field(default_factory=dict)

    async def start(self) -> None:
        for name, python in (("tree", SYSTEM_PYTHON), ("screen", sys.executable)):
            program = str(_HERE / f"witness_{name}.py")
            self._running[name] = await asyncio.create_subprocess_exec(
                python, program, env=dict(self.environment), stdin=PIPE, stdout=PIPE, limit=2**24
            )

    async def stop(self) -> None:
        for process in self._running.values():
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _ask(self, name: str, *question: object) -> Any:
        process = self._running[name]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(question).encode() + b"\n")
        line = await asyncio.wait_for(process.stdout.readline(), _PATIENCE)
        said = json.loads(line)
        assert "answer" in said, said
        return said["answer"]

    async def elements(self, pid: int, role: str | None = None, name: str | None = None) -> list[Seen]:
        """Everything that shows in the windows of a process; of a ``role``, and called so, only where given."""
        return [Seen.of(said) for said in await self._ask("tree", "tree", pid, role, name)]

    async def cell(self, table: Seen, row: int, column: int) -> Seen:
        """A table's cell; rows and columns count from 0."""
        return Seen.of(await self._ask("tree", "cell", table.place, row, column))

    async def answers(self, pid: int) -> bool:
        """Whether the process answers on the accessibility bus."""
        return bool(await self._ask("tree", "answers", pid))

    async def clients(self) -> list[Client]:
        """Managed windows."""
        return [
            Client(
                c["xid"],
                c["title"],
                c["pid"],
                frozenset(c["states"]),
                tuple(c["bounds"]),
                c["active"],
                tuple(c["frame"]),
            )
            for c in await self._ask("screen", "clients")
        ]

    async def popups(self) -> list[tuple[int, ...]]:
        """Places of open menus and popovers."""
        return [tuple(place) for place in await self._ask("screen", "popups")]

    async def tooltips(self) -> list[tuple[int, ...]]:
        """Places of tooltips."""
        return [tuple(place) for place in await self._ask("screen", "tooltips")]

    async def held(self) -> list[str]:
        """Keys and buttons that are down."""
        return list(await self._ask("screen", "held"))

    async def pointer(self) -> tuple[int, ...]:
        """Where the pointer is."""
        return tuple(await self._ask("screen", "pointer"))

    async def pixel(self, x: int, y: int) -> tuple[int, ...]:
        """Red, green and blue, 0 to 255, of what is drawn at a point of the screen."""
        return tuple(await self._ask("screen", "pixel", x, y))
