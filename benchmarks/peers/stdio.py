"""The same plain MCP client for every server, so that no peer is measured through a better one."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_LONGEST = 64 * 1024 * 1024
_SECONDS = 120.0
VERSION = "2025-06-18"


@dataclass(frozen=True, slots=True)
class Answered:
    """One call's answer, and the seconds from the request's first byte to the answer's last."""

    seconds: float
    result: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All that a model is given of it, pictures apart."""
        return "".join(part.get("text", "") for part in self.result.get("content", ()))

    @property
    def structured(self) -> Mapping[str, Any]:
        """Its ``structuredContent``, empty where there is none."""
        found: Mapping[str, Any] = self.result.get("structuredContent") or {}
        return found


class Server:
    """A server's process, spoken to in JSON lines."""

    def __init__(self, process: asyncio.subprocess.Process, started: float) -> None:
        self._process, self._last = process, 0
        self.started = started

    @property
    def pid(self) -> int:
        """The process that was started."""
        return self._process.pid

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str]) -> Server:
        """Start it, and shake hands."""
        started, pipe = time.perf_counter(), asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, env=dict(environment), limit=_LONGEST
        )
        server = cls(process, started)
        await server.ask(
            "initialize", protocolVersion=VERSION, capabilities={}, clientInfo={"name": "benchmark", "version": "1"}
        )
        await server._send({"method": "notifications/initialized"})
        return server

    async def call(self, tool: str, **arguments: Any) -> Answered:
        """Call a tool. Raises ``RuntimeError`` with what the server says when it refuses."""
        answered = await self.ask("tools/call", name=tool, arguments=arguments)
        if answered.result.get("isError"):
            raise RuntimeError(f"{tool}: {answered.text[:500]}")
        return answered

    async def ask(self, method: str, **parameters: Any) -> Answered:
        """One request and its answer; what else the server tells is passed over."""
        self._last += 1
        started = time.perf_counter()
        await self._send({"id": self._last, "method": method, "params": parameters})
        while (said := await self._line()).get("id") != self._last:
            continue
        seconds = time.perf_counter() - started
        if "error" in said:
            raise RuntimeError(f"{method}: {said['error']}")
        return Answered(seconds, said["result"])

    async def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        await self._process.stdin.drain()

    async def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        async with asyncio.timeout(_SECONDS):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the server ended while it was asked")
        said: dict[str, Any] = json.loads(line)
        return said

    async def stop(self) -> None:
        """End it by closing its stdin; one that stays is terminated."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 10.0)
        except TimeoutError:
            self._process.terminate()
            await self._process.wait()
