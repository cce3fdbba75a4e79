"""What a client does about the gate: whatever becomes of its questions, what was done is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from deskhand.daemon import consent
from deskhand.daemon.client import RemoteDesktop
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest
from deskhand.types.results import ActResult, Failure

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

    judge = refused = withdraw


@pytest.mark.proves("report-25")
@pytest.mark.parametrize("asks", [True, False])
async def test_what_was_done_is_told_though_the_owner_has_ended_since(asks: bool) -> None:
    async def ask(judgement: Any) -> bool:
        return True

    request = BATCH.model_copy(update={"consent": "q0"})
    [told] = await consent.act(cast(RemoteDesktop, Leaving()), request, ask if asks else None)
    assert told.done == 1
    assert told.text.startswith("1 key verified\n")
