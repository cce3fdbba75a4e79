"""An isolated desktop, known by deskhand's command line alone: its shell, and its MCP server's ``input``."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import shlex
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters

SIZE = "1920x1080"
MEMORY_MB = 1500
WHOLE = 4_000_000
"""More pixels than the desktop has: such a picture is not scaled."""
ALLOWED = ("unknown_focus",)
"""Risks that need no question here: the harness's window tells no focus, and an Enter or a letter might do anything."""
_LEASE = re.compile(r"lease (\S+): .*, (\d+)x(\d+) @(-?\d+),(-?\d+),(\d+),(\d+)")
_ENDED = "\x1eended "


@dataclass(frozen=True, slots=True)
class Picture:
    """What ``screenshot`` gave: its lease, its size in pixels, what part of the desktop it shows, and itself."""

    lease: str
    width: int
    height: int
    bounds: tuple[int, int, int, int]
    data: bytes

    def place(self, x: int, y: int) -> tuple[int, int]:
        """The picture's pixel in which a root pixel lies."""
        left, top, width, height = self.bounds
        return int((x - left + 0.5) * self.width / width), int((y - top + 0.5) * self.height / height)


class Refused(Exception):
    """A tool's answer is an error. The text is what a model would read."""


class Desk:
    """One desktop. ``folder`` holds its settings and records; nothing of the person's own is touched."""

    def __init__(self, name: str, folder: Path, deskhand: Path, style: str) -> None:
        self.name, self._folder, self._deskhand, self._style = name, folder, deskhand, style
        self._shell: subprocess.Popen[str] | None = None
        self._tools: Tools | None = None

    @property
    def environment(self) -> dict[str, str]:
        """As the person's, with settings and records apart, and none of deskhand's settings in variables."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DESKHAND_")}
        return {**kept, **{f"XDG_{what}_HOME": str(self._folder / what.casefold()) for what in ("CONFIG", "STATE")}}

    def start(self) -> None:
        """Settings, desktop, shell, server. Raises ``RuntimeError`` where the desktop does not start."""
        settings = self._folder / "config" / "deskhand" / "config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(f"[desktops.{self.name}.gate]\nallow = {list(ALLOWED)}\n", encoding="utf-8")
        self._run("start", self.name, "--size", SIZE, "--home", "own", "--memory", str(MEMORY_MB))
        with (self._folder / "shell.log").open("w", encoding="utf-8") as log:
            self._shell = subprocess.Popen(
                [self._deskhand, "desktop", "exec", self.name, "--", "sh"], env=self.environment, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            )  # fmt: skip
        server = [str(self._deskhand), "mcp", "--desktop", self.name, "--input-style", self._style]
        self._tools = Tools(server, self.environment)

    def stop(self) -> None:
        """Server, shell, owner, desktop. Twice is as good as once."""
        tools, shell, self._tools, self._shell = self._tools, self._shell, None, None
        try:
            if tools is not None:
                tools.stop()
        finally:
            if shell is not None:
                self._run("stop", self.name)
                shell.wait(10)

    def _run(self, *words: str) -> str:
        ran = subprocess.run(
            [self._deskhand, "desktop", *words], env=self.environment, text=True, capture_output=True, check=False
        )
        if ran.returncode:
            raise RuntimeError(f"deskhand desktop {' '.join(words)}: {ran.stderr.strip()}")
        return ran.stdout

    def run(self, command: str) -> tuple[int, str]:
        """A command in the desktop: its exit code, and what it printed."""
        assert self._shell is not None
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"sh -c {shlex.quote(command)} </dev/null; printf '\\036ended %s\\n' $?\n")
        self._shell.stdin.flush()
        printed = ""
        while _ENDED not in printed:
            line = self._shell.stdout.readline()
            if not line:
                raise RuntimeError("the desktop's shell has ended")
            printed += line
        said, _, code = printed.partition(_ENDED)
        return int(code), said

    def look(self, **how: Any) -> Picture:
        """``screenshot`` of the whole desktop."""
        assert self._tools is not None
        text, data = self._tools.call("screenshot", how)
        found = _LEASE.search(text)
        if found is None:
            raise Refused(f"a picture without a lease: {text}")
        width, height, *bounds = (int(number) for number in found.groups()[1:])
        left, top, across, down = bounds
        return Picture(found[1], width, height, (left, top, across, down), data)

    def input(self, lease: str, actions: Sequence[Mapping[str, Any]]) -> str:
        """``input``: what it tells. Raises ``Refused`` where it is an error."""
        assert self._tools is not None
        return self._tools.call("input", {"lease": lease, "actions": [*actions]})[0]


class Tools:
    """An MCP session with the official client, in a thread of its own: the harness calls, and waits."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._server = StdioServerParameters(command=command[0], args=[*command[1:]], env=dict(environment))
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._client: asyncio.Future[Client] = self._loop.create_future()
        self._life = asyncio.run_coroutine_threadsafe(self._live(), self._loop)

    async def _live(self) -> None:
        async with Client(self._server) as client:
            self._client.set_result(client)
            await self._ending.wait()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[str, bytes]:
        """Its text and its picture, empty where there is none. Raises ``Refused``."""
        if self._life.done():
            self._life.result()
        return asyncio.run_coroutine_threadsafe(self._call(tool, dict(arguments)), self._loop).result(120.0)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> tuple[str, bytes]:
        result: Any = await (await self._client).call_tool(tool, arguments)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        if result.is_error:
            raise Refused(text)
        pictures = [part.data for part in result.content if part.type == "image"]
        return text, base64.b64decode(pictures[0]) if pictures else b""

    def stop(self) -> None:
        """End the server by closing its stdin."""
        self._loop.call_soon_threadsafe(self._ending.set)
        self._life.result(30.0)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10.0)
