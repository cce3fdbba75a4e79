"""A desktop somewhere else in this machine: the contract ``Desktop`` over the owner's socket."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from deskhand.daemon.protocol import (
    EXCLUSIVE,
    OPERATIONS,
    OWNER_MESSAGES,
    Call,
    Cancel,
    Fault,
    Hello,
    Nothing,
    Progress,
    Question,
    QuestionList,
    Refusal,
    Refused,
    Reply,
    Status,
    Welcome,
    judging,
)
from deskhand.daemon.wire import packed, read_frame
from deskhand.types.crossing import crossing
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import (
    ActRequest,
    AnswerRequest,
    AppsRequest,
    ChangesRequest,
    FindRequest,
    InputRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
    WithdrawRequest,
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

log = logging.getLogger(__name__)
Told = Callable[[Progress], None]
"""Called with each sign of life of a long call."""
_R = TypeVar("_R", bound=Strict)
_GREETING = 10.0
_PATIENCE = 60.0  # seconds; the owner ends every call earlier, so this is for an owner that hangs


class RemoteDesktop:
    """The ``Desktop`` of an owner process. Any number of calls may run at once.

    Every method raises ``DeskhandError``: what the owner raised; ``desktop_unavailable`` when the owner ended before
    an operation that only looks; ``outcome_unknown`` when it ended during one that sends input.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, welcome: Welcome) -> None:
        self.welcome = welcome
        self._writer = writer
        self._waiting: dict[int, tuple[asyncio.Future[Reply], Told | None]] = {}
        self._last = 0
        self._closed = False
        self._listener = asyncio.create_task(self._listen(reader))

    @property
    def alive(self) -> bool:
        """Whether the owner still listens, as far as is known."""
        return not self._closed

    async def apps(self, request: AppsRequest, told: Told | None = None) -> AppsResult:
        """Running windows and what can be opened."""
        return await self._call("apps", request, AppsResult, told)

    async def observe(self, request: ObserveRequest, told: Told | None = None) -> View:
        """The view of a window or subtree."""
        return await self._call("observe", request, View, told)

    async def find(self, request: FindRequest, told: Told | None = None) -> FindResult:
        """Matching elements."""
        return await self._call("find", request, FindResult, told)

    async def point(self, request: PointRequest, told: Told | None = None) -> PointResult:
        """What lies under a point."""
        return await self._call("point", request, PointResult, told)

    async def judge(self, request: ActRequest | OpenRequest | InputRequest, told: Told | None = None) -> Judgement:
        """What the gate says of the batch."""
        return await self._call(judging(request), request, Judgement, told)

    async def act(self, request: ActRequest, told: Told | None = None) -> ActResult:
        """Ordered steps."""
        return await self._call("act", request, ActResult, told)

    async def screenshot(self, request: ScreenshotRequest, told: Told | None = None) -> ScreenshotResult:
        """A picture."""
        return await self._call("screenshot", request, ScreenshotResult, told)

    async def zoom(self, request: ZoomRequest, told: Told | None = None) -> ScreenshotResult:
        """A part of a picture, larger."""
        return await self._call("zoom", request, ScreenshotResult, told)

    async def input(self, request: InputRequest, told: Told | None = None) -> InputResult:
        """Pointer and keyboard in a picture's frame."""
        return await self._call("input", request, InputResult, told)

    async def open(self, request: OpenRequest, told: Told | None = None) -> OpenResult:
        """Start or attach."""
        return await self._call("open", request, OpenResult, told)

    async def changes(self, request: ChangesRequest, told: Told | None = None) -> Changes:
        """Wait for something to change."""
        return await self._call("changes", request, Changes, told)

    async def answer(self, question: str, agree: bool) -> Question:
        """Settle a pending question."""
        return await self._call("answer", AnswerRequest(question=question, agree=agree), Question)

    async def withdraw(self, question: str) -> None:
        """Drop a question of this session that waits; one that is settled or gone is well."""
        await self._call("withdraw", WithdrawRequest(question=question), Nothing)

    async def pending(self) -> list[Question]:
        """Questions that wait for a person."""
        return (await self._call("pending", Nothing(), QuestionList)).questions

    async def refused(self, operation: str, error: DeskhandError, request: BaseModel | None = None) -> None:
        """Have a call in the record that was refused before it was sent. What cannot be told is logged."""
        try:
            said = crossing(request) if request is not None else {}
            await self._call("refused", Refusal(operation=operation, request=said, failure=Failure.of(error)), Nothing)
        except DeskhandError as trouble:
            log.warning("a refused %s is not in the record: %s", operation, trouble)

    async def status(self) -> Status:
        """The owner as it is now."""
        return await self._call("status", Nothing(), Status)

    async def close(self) -> None:
        """End the connection; calls in flight are cancelled by the owner."""
        self._closed = True
        self._listener.cancel()
        self._writer.close()
        await asyncio.gather(self._listener, return_exceptions=True)
        self._fail_all("the connection was closed")

    async def _call(self, op: str, request: BaseModel, result: type[_R], told: Told | None = None) -> _R:
        data = crossing(request)
        if self._closed:
            raise DeskhandError("desktop_unavailable", "the owner of this desktop has ended; connect again")
        assert OPERATIONS[op][1] is result
        self._last += 1
        number = self._last
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (future, told)
        try:
            self._send(Call(id=number, op=op, request=data))
            async with asyncio.timeout(_PATIENCE):
                return result.model_validate((await future).result)
        except _OwnerGone as error:
            raise _gone(op, str(error)) from error
        except asyncio.CancelledError:
            self._cancel(number)
            raise
        except TimeoutError:
            self._cancel(number)
            raise _silent(op) from None
        finally:
            self._waiting.pop(number, None)

    def _send(self, message: BaseModel) -> None:
        self._writer.write(packed(message))

    def _cancel(self, number: int) -> None:
        if not self._closed:
            self._send(Cancel(id=number))  # written without a pause: we may be inside a cancelled scope

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        reason = "the owner of this desktop ended"
        try:
            while (frame := await read_frame(reader)) is not None:
                self._take(OWNER_MESSAGES.validate_json(frame))
        except (ValidationError, DeskhandError) as error:
            log.warning("the owner sent what is no message of ours: %s", error)
            reason = "the owner of this desktop broke the protocol"
        finally:
            self._closed = True
            self._writer.close()
            self._fail_all(reason)

    def _take(self, message: BaseModel) -> None:
        if not isinstance(message, Reply | Fault | Progress):
            return
        future, told = self._waiting.get(message.id, (None, None))
        if isinstance(message, Progress):
            if told is not None:
                told(message)
        elif future is not None and not future.done():
            if isinstance(message, Reply):
                future.set_result(message)
            else:
                future.set_exception(self._error(message.failure))

    def _error(self, failure: Failure) -> DeskhandError:
        """As raised here: a question is answered on the desktop that asks it."""
        where = self.welcome.desktop if failure.question else ""
        return failure.model_copy(update={"desktop": where}).error()

    def _fail_all(self, reason: str) -> None:
        for future, _ in self._waiting.values():
            if not future.done():
                future.set_exception(_OwnerGone(reason))


class _OwnerGone(Exception):
    """The connection broke while a call was in flight."""


def _gone(op: str, reason: str) -> DeskhandError:
    if op in EXCLUSIVE:
        return DeskhandError("outcome_unknown", f"{reason} during {op}; look again before going on", "unknown")
    return DeskhandError("desktop_unavailable", f"{reason}; the next call starts a new one")


def _silent(op: str) -> DeskhandError:
    if op in EXCLUSIVE:
        return DeskhandError("outcome_unknown", "the owner does not answer; look again before going on", "unknown")
    return DeskhandError("desktop_unavailable", "the owner of this desktop does not answer")


async def attach(folder: Path, hello: Hello) -> RemoteDesktop | None:
    """A connection to the owner of the desktop in ``folder``; None where none listens.

    Raises:
        DeskhandError: the owner's refusal (other version), or ``desktop_unavailable`` when it does not greet.
    """
    streams = await _streams(folder / "owner.sock")
    if streams is None:
        return None
    reader, writer = streams
    writer.write(packed(hello))
    try:
        async with asyncio.timeout(_GREETING):
            frame = await read_frame(reader)
    except TimeoutError:
        writer.close()
        raise DeskhandError("desktop_unavailable", "the owner of this desktop does not greet; end it") from None
    if frame is None:  # it ended just now
        writer.close()
        return None
    return _greeted(reader, writer, frame)


def _greeted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: bytes) -> RemoteDesktop:
    try:
        greeting = OWNER_MESSAGES.validate_json(frame)
    except ValidationError as error:
        writer.close()
        raise DeskhandError("desktop_unavailable", "the owner of this desktop speaks another protocol") from error
    if isinstance(greeting, Welcome):
        return RemoteDesktop(reader, writer, greeting)
    writer.close()
    if isinstance(greeting, Refused):
        raise greeting.failure.error()
    raise DeskhandError("desktop_unavailable", "the owner of this desktop did not greet")


async def _streams(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(made, str(path))
        return await asyncio.open_unix_connection(sock=made)
    except (FileNotFoundError, ConnectionError):
        made.close()
        return None
    except OSError as error:
        made.close()
        raise DeskhandError("desktop_unavailable", f"cannot reach {path}: {error}") from error
