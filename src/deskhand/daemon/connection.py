"""One client's connection: greeted once, then any number of calls at the same time."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from deskhand import __version__
from deskhand.daemon.caller import CALLER, Caller
from deskhand.daemon.protocol import (
    CLIENT_MESSAGES,
    PROTOCOL,
    Call,
    Fault,
    Hello,
    Progress,
    Refused,
    Reply,
    Welcome,
)
from deskhand.daemon.wire import packed, read_frame
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Failure

if TYPE_CHECKING:
    from deskhand.daemon.server import Owner

log = logging.getLogger(__name__)
_GREETING = 10.0  # seconds that a client may take to say who it is


class Connection:
    """Reads calls, runs each as a task, writes replies. When the client vanishes, its calls are cancelled."""

    def __init__(self, owner: Owner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.caller = Caller(client="unknown", session="unknown")
        self._owner = owner
        self._reader = reader
        self._writer = writer
        self._calls: dict[int, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Until the client closes, breaks the protocol, or the owner ends."""
        try:
            if await self._greet():
                await self._listen()
        finally:
            await self._cancel_all()
            self._writer.close()

    async def _greet(self) -> bool:
        try:
            async with asyncio.timeout(_GREETING):
                frame = await read_frame(self._reader)
        except TimeoutError:
            return False
        if frame is None:
            return False
        refusal = self._accept_hello(frame)
        if refusal is not None:
            await self._send(Refused(failure=Failure.of(refusal)))
            return False
        owner, pid = self._owner, self._owner.status().pid
        await self._send(Welcome(desktop=owner.name, about=owner.about, pid=pid))
        return True

    def _accept_hello(self, frame: bytes) -> DeskhandError | None:
        try:
            hello = Hello.model_validate_json(frame)
        except ValidationError:
            return DeskhandError("invalid_request", "the first message must be a hello of deskhand's own protocol")
        if (hello.protocol, hello.version) != (PROTOCOL, __version__):
            return self._mismatch(hello)
        self.caller = Caller(hello.client, hello.session, hello.person)
        return None

    def _mismatch(self, hello: Hello) -> DeskhandError:
        return DeskhandError(
            "desktop_unavailable",
            f"this desktop's owner (process {self._owner.status().pid}) is deskhand {__version__}, protocol {PROTOCOL};"
            f" this client is {hello.version}, protocol {hello.protocol}; run: deskhand daemon --desktop"
            f" {self._owner.name} --stop  (the next client starts a new one)",
        )

    async def _listen(self) -> None:
        while True:
            try:
                frame = await read_frame(self._reader)
                if frame is None:
                    return
                message = CLIENT_MESSAGES.validate_json(frame)
            except (ValidationError, DeskhandError) as error:
                await self._complain(error)
                return
            if isinstance(message, Call):
                self._begin(message)
            elif message.id in self._calls:
                self._calls[message.id].cancel()

    async def _complain(self, error: ValidationError | DeskhandError) -> None:
        """A client that breaks the framing cannot be trusted to be in step: say so and end."""
        wrong = error if isinstance(error, DeskhandError) else DeskhandError("invalid_request", "not a message of ours")
        log.warning("%s: %s", self.caller.client, wrong)
        await self._send(Fault(id=0, failure=Failure.of(wrong)))

    def _begin(self, call: Call) -> None:
        task = asyncio.create_task(self._run(call))
        self._calls[call.id] = task
        task.add_done_callback(lambda _: self._calls.pop(call.id, None))

    async def _run(self, call: Call) -> None:
        CALLER.set(replace(self.caller, call=self._owner.next_call()))
        beat = asyncio.create_task(self._beat(call))
        try:
            answer = await self._answer(call)
        finally:
            beat.cancel()
        await self._send(answer)

    async def _answer(self, call: Call) -> Reply | Fault:
        try:
            if call.op == "status":
                result: BaseModel = self._owner.status()
            else:
                result = await self._owner.operations.run(call.op, call.request)
            return Reply(id=call.id, result=result.model_dump(mode="json", by_alias=True))
        except DeskhandError as error:
            return Fault(id=call.id, failure=Failure.of(error))
        except asyncio.CancelledError:
            cancelled = DeskhandError("cancelled", "the call was cancelled; keys are released", sent="unknown")
            return Fault(id=call.id, failure=Failure.of(cancelled))
        except Exception as error:
            log.exception("%s failed", call.op)
            broken = DeskhandError("internal", f"{type(error).__name__} in the owner; see its log", sent="unknown")
            return Fault(id=call.id, failure=Failure.of(broken))

    async def _beat(self, call: Call) -> None:
        start = time.monotonic()
        while True:
            await asyncio.sleep(self._owner.settings.beat)
            seconds = round(time.monotonic() - start, 1)
            await self._send(Progress(id=call.id, seconds=seconds, note=self._note(call.op)))

    def _note(self, op: str) -> str:
        holder = self._owner.operations.turns.holder
        if op in ("act", "open") and holder and holder != self.caller.client:
            return f"waiting for input, held by {holder}"
        return f"{op} is running"

    async def _send(self, message: BaseModel) -> None:
        try:
            self._writer.write(self._packed(message))
            await self._writer.drain()
        except (ConnectionError, RuntimeError) as error:
            log.info("%s is gone: %s", self.caller.client, error)

    def _packed(self, message: BaseModel) -> bytes:
        try:
            return packed(message)
        except DeskhandError as error:
            number: Any = getattr(message, "id", 0)
            return packed(Fault(id=int(number), failure=Failure.of(error)))

    async def _cancel_all(self) -> None:
        tasks = list(self._calls.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
