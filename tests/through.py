"""One desktop, reached on several ways: in process, through its owner's socket, and through an MCP server's two doors.

The session stays in the test's process, so that a test can look into it and break what is below; an owner in the same
process serves it. MCP servers are the product's own command, and they outlive the event loops of tests: each lives
with its client in a thread, and meets one test's owner after the other as it meets owners that are started anew.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator
from mcp_types import CallToolResult, TextContent

from deskhand.daemon.client import attach
from deskhand.daemon.locks import OwnerLock
from deskhand.daemon.operations import Operations
from deskhand.daemon.protocol import Hello, Question
from deskhand.daemon.server import Owner, OwnerSettings
from deskhand.desktop.session import DesktopSession
from deskhand.mcp_server.http import token_in
from deskhand.mcp_server.switches import Switches
from deskhand.mcp_server.tools import desk_tools
from deskhand.remote import McpDesktop, connect_http, connect_stdio
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Desktop
from deskhand.types.requests import ChangesRequest

WAYS = ("process", "owner", "stdio", "http")
PATIENCE = 30.0
COMMAND = (sys.executable, "-m", "deskhand", "mcp", "--structured")
"""Whatever is asked, each structured result is held against its schema, and what programs get is the same."""


def outside() -> dict[str, str]:
    """What a server needs to know of this process to find the same desktops; an SDK hands on little else."""
    return {name: os.environ[name] for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "TMPDIR") if name in os.environ}


class NoQuestions:
    """Nothing waits for a person."""

    def pending(self) -> list[Question]:
        return []

    def answer(self, question: str, agree: bool) -> Question:
        raise DeskhandError("not_found", f"{question} does not wait")

    def withdraw(self, question: str) -> None:
        """There is none."""

    def drop_without(self, windows: Collection[str]) -> None:
        """There is none."""


@asynccontextmanager
async def owned(session: DesktopSession, folder: Path) -> AsyncIterator[None]:
    """While this lasts, the session is the desktop in ``folder``, served by an owner of this process."""
    operations = Operations(session, NoQuestions(), session.platform.release_all, record=session._recorder.record)
    owner, ready = Owner("through", folder, operations, OwnerSettings()), asyncio.Event()
    with OwnerLock(folder):
        serving = asyncio.create_task(owner.serve(ready.set))
        await asyncio.wait({serving, waiting := asyncio.create_task(ready.wait())}, return_when="FIRST_COMPLETED")
        waiting.cancel()
        try:
            yield
        finally:
            owner.stop()
            await serving


class Conforming:
    """A client under whose every call the structured result is held against the tool's schema (report 27)."""

    def __init__(self, client: Any) -> None:
        self._client = client
        tools = desk_tools(Switches(structured=True))
        self._schemas = {tool.name: Draft202012Validator(tool.output_schema or {}) for tool in tools}

    async def call_tool(self, tool: str, *arguments: Any, **more: Any) -> CallToolResult:
        result: CallToolResult = await self._client.call_tool(tool, *arguments, **more)
        assert result.structured_content is not None, tool
        self._schemas[tool].validate(result.structured_content)
        [said] = [part.text for part in result.content if isinstance(part, TextContent)]
        assert result.structured_content["text"] == said
        assert bool(result.is_error) == (result.structured_content.get("failure") is not None), tool
        return result


class Far:
    """An MCP server for the desktop called ``name``, and a client of it in a thread of their own."""

    def __init__(self, way: str, name: str, environment: Mapping[str, str], folder: Path) -> None:
        self._connect = {"stdio": _stdio, "http": _http}[way](name, environment, folder)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"far-{way}", daemon=True)
        self._thread.start()
        self._over = asyncio.Event()
        self._connected: asyncio.Future[McpDesktop] = self._loop.create_future()
        self._life = asyncio.run_coroutine_threadsafe(self._live(), self._loop)

    async def _live(self) -> None:
        try:
            async with self._connect as far:
                far._client = cast(Any, Conforming(far._client))
                self._connected.set_result(far)
                await self._over.wait()
        except BaseException as error:
            if not self._connected.done():
                self._connected.set_exception(error)
            raise

    async def ask(self, operation: str, request: Any) -> Any:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._ask(operation, request), self._loop))

    async def _ask(self, operation: str, request: Any) -> Any:
        far = await asyncio.shield(self._connected)
        return await getattr(far, operation)(request)

    async def meets_its_owner(self) -> None:
        """A server may have to see first that the owner of the test before has ended."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                await self.ask("changes", ChangesRequest())
                return
            except DeskhandError as error:
                if error.code != "desktop_unavailable" or time.monotonic() > end:
                    raise

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._life.result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()


@asynccontextmanager
async def _stdio(name: str, environment: Mapping[str, str], folder: Path) -> AsyncIterator[McpDesktop]:
    """Through a pipe."""
    said = [f"{key}={value}" for key, value in environment.items()]
    async with connect_stdio(["env", *said, *COMMAND, "--desktop", name]) as far:
        yield far


@asynccontextmanager
async def _http(name: str, environment: Mapping[str, str], folder: Path) -> AsyncIterator[McpDesktop]:
    """Through HTTP on loopback."""
    async with served(name, environment, folder) as (url, token), connect_http(url, token) as far:
        yield far


@asynccontextmanager
async def served(name: str, environment: Mapping[str, str], folder: Path) -> AsyncIterator[tuple[str, str]]:
    """The address and the token of a server over HTTP."""
    token = folder / "token"
    command = [*COMMAND, "--desktop", name, "--http", "0", "--token-file", str(token)]
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **environment}, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            said = (await process.stderr.readline()).decode()
        found = re.match(r"serving (http://\S+);", said)
        assert found is not None, said
        yield found[1], token_in(token)
    finally:
        process.terminate()
        await process.communicate()


class Faces:
    """The MCP servers of one desktop, each started when it is first asked for."""

    def __init__(self, name: str, environment: Mapping[str, str], folder: Path) -> None:
        self._far: dict[str, Far] = {}
        self._made = partial(Far, name=name, environment=environment, folder=folder)

    def __contains__(self, way: str) -> bool:
        return way in self._far

    def far(self, way: str) -> Far:
        if way not in self._far:
            self._far[way] = self._made(way)
        return self._far[way]

    @property
    def any(self) -> bool:
        return bool(self._far)

    def close(self) -> None:
        while self._far:
            self._far.popitem()[1].close()


class Reaching:
    """How one test reaches its sessions. The owner is that of the session asked last: most tests have one."""

    def __init__(self, way: str, folder: Path, faces: Faces) -> None:
        self._way, self._folder, self._faces = way, folder, faces
        self._session: DesktopSession | None = None
        self._stack = AsyncExitStack()
        self._lock = asyncio.Lock()
        self._ask: Any = None

    def placed(self, session: DesktopSession) -> Desktop:
        """The session as it is reached."""
        return session if self._way == "process" else cast(Desktop, _Reached(self, session))

    async def ask(self, session: DesktopSession, operation: str, request: Any) -> Any:
        async with self._lock:
            if self._session is not session:
                await self.close()
                self._session = session
                await self._stack.enter_async_context(owned(session, self._folder))
                self._ask = await self._asking()
        return await self._ask(operation, request)

    async def _asking(self) -> Any:
        if self._way != "owner":
            far = self._faces.far(self._way)
            await far.meets_its_owner()
            return far.ask
        near = await attach(self._folder, Hello(client="test", session="test"))
        assert near is not None
        self._stack.push_async_callback(near.close)
        return lambda operation, request: getattr(near, operation)(request)

    async def close(self) -> None:
        """Let the session go."""
        self._session = None
        await self._stack.aclose()

    async def end(self) -> None:
        """Let the session go, and the servers."""
        if self._faces.any:
            await asyncio.to_thread(self._faces.close)
        await self.close()


class _Reached:
    """The contract over a ``Reaching``."""

    def __init__(self, reaching: Reaching, session: DesktopSession) -> None:
        self._reaching, self._session = reaching, session

    def __getattr__(self, operation: str) -> Callable[[Any], Any]:
        return partial(self._reaching.ask, self._session, operation)
