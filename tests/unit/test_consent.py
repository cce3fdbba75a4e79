"""What a client does about the gate: whatever becomes of its questions, what was done is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from deskhand.daemon import consent
from deskhand.daemon.client import RemoteDesktop
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest
from deskhand.types.results import ActResult, Failure, Judgement

BATCH = ActRequest.model_validate({"steps": [{"do": "key", "keys": "a"}, {"do": "key", "keys": "ctrl+q"}]})
STOPPED = ActResult(
    text="1 key verified\nstopped at 2 of 2", done=1, total=2, seconds=0,
    failure=Failure.of(DeskhandError("confirmation_required", "quits", sent="no", question="q1")),
)  # fmt: skip


class Leaving:
    """A desktop whose owner ends right after the batch."""

    welcome = SimpleNamespace(desktop="fake")

    async def act(self, request: ActRequest, told: Any = None) -> ActResult:
        return STOPPED

    async def withdraw(self, question: str) -> None:
        raise DeskhandError("desktop_unavailable", "the owner of this desktop has ended; connect again")

    async def judge(self, request: ActRequest) -> Judgement:
        raise DeskhandError("desktop_unavailable", "the owner of this desktop has ended; connect again")

    async def refused(self, *what: Any) -> None:
        """It cannot be told any more."""


@pytest.mark.proves("report-25")
@pytest.mark.parametrize("asks", [True, False])
async def test_what_was_done_is_told_though_the_owner_has_ended_since(asks: bool) -> None:
    async def ask(judgement: Any) -> bool:
        return True

    request = BATCH.model_copy(update={"consent": "q0"})
    [told] = await consent.act(cast(RemoteDesktop, Leaving()), request, ask if asks else None)
    assert told.done == 1
    assert told.text.startswith("1 key verified\n")


class Dying(Leaving):
    """One whose owner ends in the middle of the rest."""

    async def act(self, request: ActRequest, told: Any = None) -> ActResult:
        if len(request.steps) == 2:
            return STOPPED
        raise DeskhandError("desktop_unavailable", "the owner ended", sent="unknown")

    async def withdraw(self, question: str) -> None:
        """It did."""

    async def judge(self, request: ActRequest) -> Judgement:
        return Judgement(verdict="allow", digest="d")


@pytest.mark.proves("report-25")
async def test_what_was_done_is_told_though_the_rest_was_lost() -> None:
    async def ask(judgement: Any) -> bool:
        return True

    request = BATCH.model_copy(update={"consent": "q0"})
    [told] = await consent.act(cast(RemoteDesktop, Dying()), request, ask)
    assert told.text.startswith("1 key verified\n")
    assert told.failure is not None
    assert (told.done, told.failure.code, told.failure.sent) == (1, "desktop_unavailable", "unknown")
