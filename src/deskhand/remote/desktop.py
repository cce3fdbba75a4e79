"""``McpDesktop``: the contract ``Desktop`` over MCP with typed results. Where the desktop is makes no difference."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

import anyio
import httpx2
from mcp import Client, MCPError
from mcp.client.session import ClientRequestContext, ElicitationFnT
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ElicitRequestParams, ElicitResult, ImageContent, RequestParamsMeta, TextContent
from pydantic import ValidationError

from deskhand.daemon.protocol import EXCLUSIVE, judging
from deskhand.daemon.wire import MAX_FRAME
from deskhand.types.crossing import crossing
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    ChangesRequest,
    FindRequest,
    InputRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
    ZoomRequest,
)
from deskhand.types.results import (
    ActResult,
    AppsResult,
    Changes,
    Failure,
    FindResult,
    InputResult,
    Judgement,
    OpenResult,
    PointResult,
    ScreenshotResult,
    View,
)
from deskhand.types.steps import Strict
from deskhand.types.typed import FAILURE, RESULT, TYPED

Ask = Callable[[str], Awaitable[bool]]
"""Gets the gate's question as a person reads it; only True is a yes."""
_PATIENCE = 60.0  # seconds; the server ends every call earlier
_LARGEST = 2 * MAX_FRAME
"""Bytes of one answer: as much as an owner tells, quoted once more. The SDK's own 1 MiB is less than a picture."""
_SENDS = EXCLUSIVE
_WITH_SESSION = "legacy"
"""The protocol's form with a session: what a person allows at the desktop's terminal serves the next call."""
_R = TypeVar("_R", bound=Strict)


class McpDesktop:
    """The ``Desktop`` of an MCP server of deskhand.

    Every method raises ``DeskhandError``: the owner's own; ``desktop_unavailable`` when the connection broke before
    something that only looks; ``outcome_unknown`` when it broke during something that sends input.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    async def apps(self, request: AppsRequest) -> AppsResult:
        """Running windows and what can be opened."""
        return await self._call("apps", request, AppsResult)

    async def observe(self, request: ObserveRequest) -> View:
        """The view of a window or subtree."""
        return await self._call("observe", request, View)

    async def find(self, request: FindRequest) -> FindResult:
        """Matching elements."""
        return await self._call("find", request, FindResult)

    async def point(self, request: PointRequest) -> PointResult:
        """What lies under a point."""
        return await self._call("point", request, PointResult)

    async def judge(self, request: ActRequest | OpenRequest | InputRequest) -> Judgement:
        """What the gate says of the batch."""
        return await self._call(judging(request), request, Judgement)

    async def act(self, request: ActRequest) -> ActResult:
        """Ordered steps; the server asks for consent by elicitation."""
        return await self._call("act", request, ActResult)

    async def screenshot(self, request: ScreenshotRequest) -> ScreenshotResult:
        """A picture."""
        return await self._call("screenshot", request, ScreenshotResult)

    async def zoom(self, request: ZoomRequest) -> ScreenshotResult:
        """A part of a picture, larger."""
        return await self._call("zoom", request, ScreenshotResult)

    async def input(self, request: InputRequest) -> InputResult:
        """Pointer and keyboard in a picture's frame."""
        return await self._call("input", request, InputResult)

    async def open(self, request: OpenRequest) -> OpenResult:
        """Start or attach."""
        return await self._call("open", request, OpenResult)

    async def changes(self, request: ChangesRequest) -> Changes:
        """Wait for a change."""
        return await self._call("changes", request, Changes)

    async def _call(self, tool: str, request: Strict, result: type[_R]) -> _R:
        arguments = crossing(request)
        try:
            answer = await self._client.call_tool(
                tool, arguments, _PATIENCE, meta=cast(RequestParamsMeta, {TYPED: True})
            )
        except (MCPError, httpx2.HTTPError, anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            raise _broken(tool, error) from error
        return _typed(tool, answer, result)


def _typed(tool: str, answer: CallToolResult, result: type[_R]) -> _R:
    meta: dict[str, Any] = dict(answer.meta or {})
    try:
        if FAILURE in meta:
            raise Failure.model_validate(meta[FAILURE]).error()
        if RESULT in meta:
            return result.model_validate(_with_picture(meta[RESULT], answer))
    except ValidationError as error:
        message = "the server's typed result cannot be read; is it another version of deskhand?"
        raise DeskhandError("desktop_unavailable", message) from error
    said = next((part.text for part in answer.content if isinstance(part, TextContent)), "nothing")
    message = f"the server gives no typed results ({said[:200]}); is it deskhand?"
    raise DeskhandError("outcome_unknown" if tool in _SENDS else "desktop_unavailable", message)


def _with_picture(data: dict[str, Any], answer: CallToolResult) -> dict[str, Any]:
    """The picture is no part of the typed result: it comes once, as what it is."""
    image = next((part for part in answer.content if isinstance(part, ImageContent)), None)
    if image is None:
        return data
    if data.get("picture") is not None:
        return {**data, "picture": {**data["picture"], "image": image.data}}
    return {**data, "image": image.data}


def _broken(tool: str, error: Exception) -> DeskhandError:
    said = f"the connection to the server broke ({error})"
    if tool in _SENDS:
        return DeskhandError("outcome_unknown", f"{said} during {tool}; look again before going on", "unknown")
    return DeskhandError("desktop_unavailable", f"{said}; connect again")


@asynccontextmanager
async def connect_http(url: str, token: str, ask: Ask | None = None) -> AsyncIterator[McpDesktop]:
    """The desktop that a server at ``url`` drives.

    Args:
        url: such as ``http://127.0.0.1:8765/mcp``.
        token: the server's bearer token.
        ask: answers the gate's questions; without it everything that needs consent is refused.
    """
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=_PATIENCE) as http:
        transport = streamable_http_client(url, http_client=http, max_sse_event_size=_LARGEST)
        async with Client(transport, elicitation_callback=_asking(ask), mode=_WITH_SESSION) as client:
            yield McpDesktop(client)


@asynccontextmanager
async def connect_stdio(command: Sequence[str], ask: Ask | None = None) -> AsyncIterator[McpDesktop]:
    """The desktop that a server started by ``command`` drives (``["ssh", "host", "deskhand", "mcp"]``)."""
    server = StdioServerParameters(command=command[0], args=[*command[1:]])
    async with Client(server, elicitation_callback=_asking(ask)) as client:
        yield McpDesktop(client)


def _asking(ask: Ask | None) -> ElicitationFnT | None:
    if ask is None:
        return None

    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"allow": await ask(params.message) is True})

    return answer
