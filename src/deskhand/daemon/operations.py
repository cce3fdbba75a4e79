"""What the owner does for a call: find the operation, wait for the turn, keep the deadline."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress

from pydantic import ValidationError

from deskhand.daemon.caller import CALLER
from deskhand.daemon.protocol import EXCLUSIVE, OPERATIONS, Nothing, Question, QuestionList, Questions, Refusal
from deskhand.daemon.turns import InputQueue
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Desktop
from deskhand.types.requests import ActRequest, AnswerRequest, InputRequest, OpenRequest, WithdrawRequest
from deskhand.types.results import Result
from deskhand.types.steps import Strict, explain

_LEAST = 1.0  # seconds that a batch gets even after a long wait for its turn
_GRACE = 1.0  # seconds beyond the call's own deadline, for the desktop to stop by itself and say where


class Operations:
    """The operations of one desktop.

    ``release`` is called after a batch that was cancelled or ran out of time: keys are always released.
    ``trouble`` tells what keeps the record from being written; ``record`` writes calls that were refused outside.
    ``windows`` gives the keys of those that are open.
    """

    def __init__(
        self,
        desktop: Desktop,
        questions: Questions,
        release: Callable[[], Awaitable[None]],
        trouble: Callable[[], str] = lambda: "",
        *,
        record: Callable[..., None] = lambda event, **data: None,
        windows: Callable[[], Awaitable[Collection[str]]] | None = None,
        patience: float = 20.0,
        call: float = 50.0,
    ) -> None:
        self.desktop = desktop
        self.questions = questions
        self.turns = InputQueue()
        self.trouble = trouble
        self._record = record
        self._windows = windows
        self._release = release
        self._patience = patience
        self._call = call
        self._told = ""

    async def run(self, op: str, data: dict[str, object]) -> Strict:
        """Do one operation. Raises ``DeskhandError``; a cancellation has released all keys when it gets out."""
        request = parsed(op, data)
        if op in EXCLUSIVE:
            return self._with_trouble(await self._exclusive(op, request))
        return self._with_trouble(await self._timed(self._looking(op, request), self._call + _GRACE, "no"))

    def _with_trouble(self, result: Strict) -> Strict:
        """What keeps the record from being written is told in one result, not in each."""
        trouble = self.trouble()
        if not isinstance(result, Result) or trouble == self._told:
            return result
        self._told = trouble
        if trouble in result.text:
            return result
        return result.model_copy(update={"text": f"{result.text}\nnote: {trouble}"})

    async def _looking(self, op: str, request: Strict) -> Strict:
        if op == "answer":
            return self._answer(request)
        if op == "refused":
            return self._refused(request)
        if op == "withdraw":
            assert isinstance(request, WithdrawRequest)
            self.questions.withdraw(request.question)
            return Nothing()
        if op == "pending":
            return await self._pending()
        name = "judge" if op.startswith("judge_") else op
        return await _called(self.desktop, name, request)

    async def _pending(self) -> QuestionList:
        """What still can be done; a display that does not answer keeps no question from being listed."""
        if self._windows is not None and self.questions.pending():
            with suppress(DeskhandError):
                self.questions.drop_without(await self._windows())
        return QuestionList(questions=self.questions.pending())

    def _answer(self, request: Strict) -> Question:
        assert isinstance(request, AnswerRequest)
        return self.questions.answer(request.question, request.agree)

    def _refused(self, request: Strict) -> Nothing:
        assert isinstance(request, Refusal)
        self._record("call", operation=request.operation, request=request.request)
        self._record("error", operation=request.operation, failure=request.failure.model_dump())
        return Nothing()

    async def _exclusive(self, op: str, request: Strict) -> Strict:
        assert isinstance(request, ActRequest | OpenRequest | InputRequest)
        start = time.monotonic()
        patience = min(self._patience, request.timeout)
        async with self.turns.turn(CALLER.get().client, patience):
            left = max(_LEAST, min(request.timeout, self._call) - (time.monotonic() - start))
            request = request.model_copy(update={"timeout": left})
            return await self._released(_called(self.desktop, op, request), left + _GRACE)

    async def _released(self, call: Awaitable[Strict], seconds: float) -> Strict:
        """The call's result; whatever else happens, no key stays down."""
        try:
            return await self._timed(call, seconds, "unknown")
        except BaseException:
            await asyncio.shield(asyncio.ensure_future(self._release()))
            raise

    async def _timed(self, call: Awaitable[Strict], seconds: float, sent: str) -> Strict:
        try:
            async with asyncio.timeout(seconds):
                return await call
        except TimeoutError:
            raise DeskhandError(
                "wait_timeout",
                f"the call was ended after {seconds:.0f} s; look again before going on",
                sent="no" if sent == "no" else "unknown",
            ) from None


async def _called(desktop: Desktop, name: str, request: Strict) -> Strict:
    result = await getattr(desktop, name)(request)
    assert isinstance(result, Strict)
    return result


def parsed(op: str, data: dict[str, object]) -> Strict:
    """The typed request of an operation.

    Raises:
        DeskhandError: ``invalid_request`` for an operation or a field that does not exist.
    """
    if op not in OPERATIONS:
        known = ", ".join(OPERATIONS)
        raise DeskhandError("invalid_request", f"there is no operation {json.dumps(op)}; there are {known}")
    try:
        return OPERATIONS[op][0].model_validate(data)
    except ValidationError as error:
        raise DeskhandError("invalid_request", explain(error)) from error
