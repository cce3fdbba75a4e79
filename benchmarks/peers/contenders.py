"""deskhand and its peers behind one face: look at a window, press elements of it, tell what they are."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmarks.looking import tokens
from benchmarks.peer import Peer
from benchmarks.peers.figures import CUA, OURS, PYATSPI, XA11Y
from benchmarks.peers.processes import family
from benchmarks.peers.stdio import Answered, Server
from deskhand.daemon.locks import OwnerLock
from deskhand.isolation import NestedDesktop
from deskhand.types.nodes import Window

_SCRIPT = Path(__file__).with_name("xa11y_peer.py")
_ENDING = 15.0
_UNSCALED = 16_000_000
_PRESSABLE = ("check box", "push button", "button")


@dataclass(frozen=True, slots=True)
class Seen:
    """One look. ``tokens`` of what a model is given of it; None where there is no such text."""

    seconds: float
    nodes: int
    text: str = ""
    note: str = ""

    @property
    def tokens(self) -> int | None:
        """By the o200k vocabulary."""
        return tokens(self.text) if self.text else None


class Contender(Protocol):
    """One of those compared. ``ways`` are its ways to press, each with what it tells afterwards."""

    name: str
    ways: Mapping[str, str]

    async def start(self) -> None:
        """Start its processes."""
        ...

    async def look(self, window: Window) -> Seen:
        """Look at a window as its documentation says a model should, without a picture."""
        ...

    async def aim(self, window: Window, names: Sequence[str]) -> None:
        """Find what will be pressed; not timed."""
        ...

    async def press(self, way: str, count: int) -> float:
        """Press the first ``count`` of them in order; seconds."""
        ...

    def pids(self) -> set[int]:
        """All of its processes."""
        ...

    async def stop(self) -> None:
        """End all of them."""
        ...


class Ours:
    """``deskhand mcp`` on the desktop, with the owner process that it starts."""

    name = OURS
    ways: Mapping[str, str] = {"act": "effect, diff, windows"}

    def __init__(self, desktop: NestedDesktop) -> None:
        self._desktop, self._refs = desktop, list[str]()
        self._lock = OwnerLock(desktop.folder)

    async def start(self) -> None:
        command = Path(sys.executable).with_name("deskhand")
        own = {**os.environ, "XDG_STATE_HOME": str(self._desktop.folder / "records")}
        self.server = await Server.start([str(command), "mcp", "--desktop", self._desktop.name], own)

    async def look(self, window: Window) -> Seen:
        said = await self.server.call("observe", target=window.title)
        shown = re.search(r"; (\d+)/\d+", said.text.split("\n", 1)[0])
        assert shown is not None, said.text[:200]
        return Seen(said.seconds, int(shown[1]), said.text)

    async def photo(self, window: Window | None) -> Answered:
        """A picture at full size, with its lease."""
        size = {"max_pixels": _UNSCALED, "max_bytes": _UNSCALED}
        return await self.server.call("screenshot", **({"target": window.title} if window else {}), **size)

    async def aim(self, window: Window, names: Sequence[str]) -> None:
        text = (await self.look(window)).text
        self._refs = [self._ref(text, name) for name in names]

    @staticmethod
    def _ref(text: str, name: str) -> str:
        found = re.search(rf"\b(r\d+)(?: [a-z]+)? {re.escape(json.dumps(name, ensure_ascii=False))}", text)
        assert found is not None, f"{name} is not in: {text[:2000]}"
        return found[1]

    async def press(self, way: str, count: int) -> float:
        return (await self.do(*({"do": "press", "on": ref} for ref in self._refs[:count]))).seconds

    async def do(self, *steps: Mapping[str, Any]) -> Answered:
        """A batch that must be done whole."""
        said = await self.server.call("act", steps=list(steps))
        if not said.text.startswith(f"done {len(steps)} of "):
            raise RuntimeError(said.text)
        return said

    def pids(self) -> set[int]:
        owner = self._lock.holder()
        return family(self.server.pid) | (family(owner) if owner else set())

    async def stop(self) -> None:
        """The owner too, which would live on for minutes."""
        await self.server.stop()
        owner = self._lock.holder()
        if owner:
            os.kill(owner, signal.SIGTERM)
            await asyncio.to_thread(self._released)

    def _released(self) -> None:
        """Wait until nobody owns the desktop."""
        ends = time.monotonic() + _ENDING
        while self._lock.holder():
            if time.monotonic() > ends:
                raise TimeoutError("the owner did not end")
            time.sleep(0.02)


class Cua:
    """``cua-driver mcp``: its tree without its picture, its clicks by element."""

    name = CUA
    ways: Mapping[str, str] = {"clicks, a call each": "nothing", "run_steps": "diff"}

    def __init__(self, program: Path, environment: Mapping[str, str]) -> None:
        self._command = [str(program), "mcp"]
        self._environment = {**environment, "CUA_TELEMETRY_ENABLED": "false"}
        self._window: dict[str, int] = {}
        self._rows, self._snapshot = list[int](), ""

    async def start(self) -> None:
        self.server = await Server.start(self._command, self._environment)

    async def look(self, window: Window) -> Seen:
        said = await self._state(window)
        told = said.structured
        note = f"truncated: {told.get('truncation_reason', 'elements')}" if told.get("truncated") else ""
        return Seen(said.seconds, int(told["total_element_count"]), said.text, note)

    async def photo(self, window: Window | None) -> Answered:
        """A picture at full size that actions can refer to, without the tree."""
        if window is None:
            return await self.server.call("get_desktop_state")
        known = await self._named(window)
        more: dict[str, Any] = {"include_accessibility_tree": False, "max_image_dimension": 0}
        return await self.server.call("get_window_state", **known, **more)

    async def _state(self, window: Window, **more: Any) -> Answered:
        self._window = await self._named(window)
        said = await self.server.call("get_window_state", **self._window, include_screenshot=False, **more)
        self._snapshot = str(said.structured["snapshot_id"])
        return said

    async def _named(self, window: Window) -> dict[str, int]:
        """Its numbers for the window; asking for them is not part of a look's time."""
        told = (await self.server.call("list_windows", pid=window.pid)).structured["windows"]
        found = next(w for w in told if w["title"] == window.title)
        return {"pid": found["pid"], "window_id": found["window_id"]}

    async def aim(self, window: Window, names: Sequence[str]) -> None:
        told = (await self._state(window, tree_format="elements")).structured["elements"]
        labels = {e["label"]: e["element_index"] for e in reversed(told) if e["role"] in _PRESSABLE}
        self._rows = [int(labels.get(name, labels.get(f"{name} {name}", -1))) for name in names]
        assert -1 not in self._rows, f"{names} among {sorted(labels)}"

    async def press(self, way: str, count: int) -> float:
        clicks = [
            {"pid": self._window["pid"], "element_token": f"{self._snapshot}:{row}"} for row in self._rows[:count]
        ]
        if way == "run_steps":
            return await self._batch([{"tool": "click", "args": click} for click in clicks])
        return sum([(await self.server.call("click", **click)).seconds for click in clicks])

    async def _batch(self, steps: Sequence[Mapping[str, Any]]) -> float:
        said = await self.server.call("run_steps", steps=list(steps), observe={}, **self._window)
        fresh = re.search(r"snapshot_id=(s\w+)", said.text)  # it has looked, so the tokens before it are dead
        assert fresh is not None, said.text
        self._snapshot = fresh[1]
        return said.seconds

    def pids(self) -> set[int]:
        return family(self.server.pid)

    async def stop(self) -> None:
        await self.server.stop()


class Xa11y:
    """``xa11y mcp`` for looks, its Python library for the bare tree and for presses (the faster way to press)."""

    name = XA11Y
    ways: Mapping[str, str] = {"press on held elements": "nothing"}

    def __init__(self, python: Path, environment: Mapping[str, str]) -> None:
        self._python, self._environment = python, dict(environment)

    async def start(self) -> None:
        self.server = await Server.start([str(self._python.with_name("xa11y")), "mcp"], self._environment)

    async def look(self, window: Window) -> Seen:
        said = await self.server.call("tree", pid=window.pid, max_depth=64)
        told = json.loads(said.text)
        return Seen(said.seconds, said.text.count('"role":'), said.text, _cut(told["truncated"]))

    async def library(self) -> None:
        """Start its Python library beside the server."""
        self.script = await Peer.start(self._environment, script=_SCRIPT, python=str(self._python))

    async def tree(self, window: Window) -> tuple[float, int]:
        """Seconds and nodes of the bare tree."""
        said = await self.script.ask("tree", pid=window.pid, title=window.title)
        return float(said["seconds"]), int(said["nodes"])

    async def aim(self, window: Window, names: Sequence[str]) -> None:
        role = "button" if len(names[0]) == 1 else "check_box"
        await self.script.ask("hold", pid=window.pid, role=role, names=list(names))

    async def press(self, way: str, count: int) -> float:
        return float((await self.script.ask("press", first=count))["seconds"])

    def pids(self) -> set[int]:
        return family(self.server.pid)

    async def stop(self) -> None:
        await self.server.stop()
        if hasattr(self, "script"):
            await self.script.stop()


def _cut(told: Mapping[str, Any]) -> str:
    return "truncated" if told["by_depth"] or told["by_node_limit"] else ""


class Pyatspi:
    """A process of the system's Python with the walk that a competent user of pyatspi writes."""

    name = PYATSPI
    ways: Mapping[str, str] = {"doAction, then a walk": "another walk"}

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._window: Window | None = None
        self._steps = list[dict[str, str]]()

    async def start(self) -> None:
        self.peer = await Peer.start(self._environment)

    async def look(self, window: Window) -> Seen:
        walked = await self.peer.walk(window.title)
        cells = sum(len(node.get("cells", ())) for node in walked.nodes)
        return Seen(walked.seconds, len(walked.nodes), note=f"and {cells} cells" if cells else "")

    async def aim(self, window: Window, names: Sequence[str]) -> None:
        nodes = (await self.peer.walk(window.title)).nodes
        known = {str(n["name"]): str(n["role"]) for n in reversed(nodes) if n["role"] in _PRESSABLE}
        full = [name if name in known else f"{name} {name}" for name in names]
        self._window = window
        self._steps = [{"do": "press", "role": known[name], "name": name} for name in full]

    async def press(self, way: str, count: int) -> float:
        assert self._window is not None
        return await self.peer.act(self._window.title, self._steps[:count])

    def pids(self) -> set[int]:
        return family(self.peer.pid)

    async def stop(self) -> None:
        await self.peer.stop()
