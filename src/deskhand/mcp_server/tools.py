"""The tools' bodies. Each gets its whole request as one validated model."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.resolve import Resolve
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import PrivateAttr, ValidationError

from deskhand.daemon import consent
from deskhand.daemon.client import Told
from deskhand.daemon.naming import approval
from deskhand.daemon.protocol import Progress
from deskhand.mcp_server.answers import Answer, answered, refused, stopped
from deskhand.mcp_server.confirming import NO_WAY, Judged, Outcome, can_ask, confirm, judge, settled, withdraw
from deskhand.mcp_server.schemas import SOUGHT, Face, output_schema, shown
from deskhand.mcp_server.switches import CHANNELS, Channel, Switches
from deskhand.mcp_server.whose import Faced, desktop_of, session_of
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
    FindResult,
    InputResult,
    Judgement,
    OpenResult,
    PointResult,
    ScreenshotResult,
    View,
)
from deskhand.types.steps import Strict, explain
from deskhand.types.typed import TYPED

log = logging.getLogger(__name__)
_R = TypeVar("_R")
_Batch = TypeVar("_Batch", ActRequest, OpenRequest, InputRequest)


async def apps(request: AppsRequest, ctx: Faced) -> CallToolResult:
    """Windows and what can be opened."""
    desktop = await desktop_of(ctx)
    return answered(await _told(ctx, lambda told: desktop.apps(request, told)))


async def observe(request: ObserveRequest, ctx: Faced) -> CallToolResult:
    """A window's view."""
    desktop = await desktop_of(ctx)
    return answered(await _told(ctx, lambda told: desktop.observe(request, told)))


async def find(request: FindRequest, ctx: Faced) -> CallToolResult:
    """Matching elements."""
    desktop = await desktop_of(ctx)
    return answered(await _told(ctx, lambda told: desktop.find(request, told)))


async def point(request: PointRequest, ctx: Faced) -> CallToolResult:
    """What lies under a point."""
    desktop = await desktop_of(ctx)
    return answered(await _told(ctx, lambda told: desktop.point(request, told)))


async def screenshot(request: ScreenshotRequest, ctx: Faced) -> CallToolResult:
    """A picture."""
    desktop = await desktop_of(ctx)
    return answered(await _told(ctx, lambda told: desktop.screenshot(request, told)))


async def act(
    request: ActRequest,
    ctx: Faced,
    judged: Annotated[Judged, Resolve(judge)],
    outcome: Annotated[Outcome, Resolve(confirm)],
) -> CallToolResult:
    """Steps, with the consent that they need."""
    request = _ready(request, judged, await settled(request, judged, outcome))
    result = await _told(ctx, lambda told: judged.desktop.act(request, told))
    return await _ended(result, ctx, judged, lambda: consent.rest(judged.desktop, request, result))


async def zoom(request: ZoomRequest, ctx: Faced) -> CallToolResult:
    """A part of a picture."""
    desktop = await desktop_of(ctx)
    return answered(await _told(ctx, lambda told: desktop.zoom(request, told)))


async def input_(
    request: InputRequest,
    ctx: Faced,
    judged: Annotated[Judged, Resolve(judge)],
    outcome: Annotated[Outcome, Resolve(confirm)],
) -> CallToolResult:
    """Pointer and keyboard, with the consent that they need."""
    request = _ready(request, judged, await settled(request, judged, outcome))
    result = await _told(ctx, lambda told: judged.desktop.input(request, told))
    return await _ended(result, ctx, judged, lambda: consent.rest_of_input(judged.desktop, request, result))


async def open_(
    request: OpenRequest,
    ctx: Faced,
    judged: Annotated[Judged, Resolve(judge)],
    outcome: Annotated[Outcome, Resolve(confirm)],
) -> CallToolResult:
    """Start or attach, with the consent that it needs."""
    request = _ready(request, judged, await settled(request, judged, outcome))
    return answered(await _told(ctx, lambda told: judged.desktop.open(request, told)))


async def judge_act(request: ActRequest, ctx: Faced) -> CallToolResult:
    """What the gate says of steps."""
    return answered(await (await desktop_of(ctx)).judge(request))


async def judge_open(request: OpenRequest, ctx: Faced) -> CallToolResult:
    """What the gate says of opening something."""
    return answered(await (await desktop_of(ctx)).judge(request))


async def judge_input(request: InputRequest, ctx: Faced) -> CallToolResult:
    """What the gate says of what a hand is to do."""
    return answered(await (await desktop_of(ctx)).judge(request))


async def changes(request: ChangesRequest, ctx: Faced) -> CallToolResult:
    """Wait for a change."""
    return answered(await (await desktop_of(ctx)).changes(request))


def _ready(request: _Batch, judged: Judged, given: str | None) -> _Batch:
    """The request as it is sent: with its consent, and less the time that went before."""
    left = max(1.0, request.timeout - judged.seconds)
    return request.model_copy(update={"consent": given, "timeout": left})


async def _ended(
    result: ActResult, ctx: Faced, judged: Judged, rest: Callable[[], Awaitable[consent.Rest]]
) -> CallToolResult:
    """A batch's answer; ``rest`` is asked where it stopped for want of consent."""
    if result.failure is None:
        return answered(result)
    if not consent.wanted(result):
        return stopped(result.text, result)
    return stopped(await _with_way_on(result, await rest(), judged, can_ask(ctx)), result)


async def _with_way_on(result: ActResult, left: consent.Rest, judged: Judged, asks: bool) -> str:
    """The lines of a batch of which a step proved risky only when its turn came: also how to go on with the rest."""
    if not judged.lasts:
        await _withdrawn(judged, result, left)
    if not judged.lasts and not asks:
        return f"{result.text}\n{NO_WAY}"
    if asks:
        return f"{result.text}\n{left.again()}: the user will be asked first"
    if left.question is None:
        return f"{result.text}\n{left.again()}: they are judged anew"
    command = approval(left.question, judged.desktop.welcome.desktop)
    return f"{result.text}\nask your user to run: {command}  then {left.again()}"


async def _withdrawn(judged: Judged, result: ActResult, left: consent.Rest) -> None:
    """Without a session, no question outlives the call."""
    assert result.failure is not None
    for question in filter(None, {result.failure.question, left.question}):
        await withdraw(judged.desktop, question)


async def _told(ctx: Faced, call: Callable[[Told], Awaitable[_R]]) -> _R:
    """The call's result; its signs of life go to the client as progress meanwhile."""
    signs: asyncio.Queue[Progress] = asyncio.Queue()
    pump = asyncio.create_task(_pump(ctx, signs))
    try:
        return await call(signs.put_nowait)
    finally:
        pump.cancel()


async def _pump(ctx: Faced, signs: asyncio.Queue[Progress]) -> None:
    while True:
        sign = await signs.get()
        await ctx.report_progress(sign.seconds, None, sign.note)


class DeskTool(Tool):
    """A tool whose arguments are checked against its request model, and whose every failure is one of our lines."""

    _request: type[Strict] = PrivateAttr()
    _schema: dict[str, Any] | None = PrivateAttr(None)
    _channels: frozenset[Channel] = PrivateAttr(frozenset(CHANNELS))

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """None where text is all that is promised."""
        return self._schema

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """Check, run, and tell: as lines, with the typed result for whoever asks for it."""
        answer = await self._answer(arguments, context, convert_result)
        if not isinstance(answer, Answer):
            return answer  # a question to the user
        answer = answer if "tree" in self._channels else answer.without_view()
        return answer.as_asked(structured=self._schema is not None, typed=wants_typed(context))

    async def _answer(self, arguments: dict[str, Any], context: Any, convert_result: bool) -> Any:
        try:
            request = self._request.model_validate(unpacked(arguments))
        except ValidationError as error:
            return await _invalid(self.name, explain(error), context)
        if "apis" not in self._channels and _through_apis(request):
            return await _invalid(self.name, 'the route "api" is switched off here; leave route out', context)
        try:
            with context.request_context.lifespan_context.in_use(session_of(context)):
                return await super().run({"request": request}, context, convert_result)
        except UnexpectedToolError as error:
            return _failed(self.name, error.__cause__)
        except ToolError as error:  # the SDK's own refusal of a malformed answer: no answer is a no
            log.warning("%s: %s", self.name, error)
            return refused(
                DeskhandError("confirmation_declined", "the client's answer was malformed; nothing was sent")
            )


def wants_typed(context: Any) -> bool:
    """Whether the call comes from a program that asks for the typed result."""
    return context is not None and (context.request_context.meta or {}).get(TYPED) is True


async def _invalid(tool: str, message: str, context: Any) -> Answer:
    """A call that is not valid is in the record like any other, where there is a desktop; none is started for it."""
    error, reaches = DeskhandError("invalid_request", message), context.request_context.lifespan_context
    try:
        with reaches.in_use(session_of(context)):
            await (await desktop_of(context)).refused(tool, error) if reaches.reached else None
    except DeskhandError as trouble:
        log.warning("a refused %s is not in the record: %s", tool, trouble)
    return refused(error)


def _through_apis(request: Strict) -> bool:
    return isinstance(request, ActRequest) and any(step.route == "api" for step in request.steps)


def _failed(name: str, cause: BaseException | None) -> Answer:
    if isinstance(cause, DeskhandError):
        return refused(cause)
    log.error("%s failed", name, exc_info=cause)
    return refused(DeskhandError("internal", f"{type(cause).__name__} in {name}; see the server's log", "unknown"))


_NESTED = frozenset({"steps", "detail", "target", "in", "actions", "region", "rect"})
"""Arguments that are lists or objects."""


def unpacked(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as meant: some clients send lists and objects as JSON in a string."""
    return {name: _unpacked(value) if name in _NESTED else value
            for name, value in arguments.items() if value is not None}  # fmt: skip


def _unpacked(value: Any) -> Any:
    if not (isinstance(value, str) and value.lstrip()[:1] in ("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


_BODIES: Mapping[str, tuple[Callable[..., Any], type[Strict], type[Strict]]] = {
    "apps": (apps, AppsRequest, AppsResult),
    "observe": (observe, ObserveRequest, View),
    "find": (find, FindRequest, FindResult),
    "act": (act, ActRequest, ActResult),
    "point": (point, PointRequest, PointResult),
    "screenshot": (screenshot, ScreenshotRequest, ScreenshotResult),
    "zoom": (zoom, ZoomRequest, ScreenshotResult),
    "input": (input_, InputRequest, InputResult),
    "open": (open_, OpenRequest, OpenResult),
    "judge_act": (judge_act, ActRequest, Judgement),
    "judge_open": (judge_open, OpenRequest, Judgement),
    "judge_input": (judge_input, InputRequest, Judgement),
    "changes": (changes, ChangesRequest, Changes),
}


def desk_tools(switches: Switches) -> list[Tool]:
    """The tools that are there, in the order in which they are listed."""
    return [_tool(face, switches) for face in shown(switches)]


def _tool(face: Face, switches: Switches) -> Tool:
    body, request, result = _BODIES[face.name]
    tool = DeskTool.from_function(
        body,
        name=face.name,
        title=face.title,
        description=face.description,
        annotations=_annotations(face),
        meta={SOUGHT: face.sought} if face.sought else None,
        structured_output=False,
    )
    assert isinstance(tool, DeskTool)
    tool.parameters = face.schema
    tool._request = request
    tool._schema = output_schema(result) if switches.structured else None
    tool._channels = switches.channels
    return tool


def _annotations(face: Face) -> ToolAnnotations:
    if face.looks:
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ToolAnnotations(read_only_hint=False, destructive_hint=face.name in ("act", "input"))
