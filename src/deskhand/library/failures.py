"""What the library raises. All of it is a ``DeskhandError``."""

from __future__ import annotations

from deskhand.types.errors import DeskhandError
from deskhand.types.results import ActResult, Failure


class BatchStopped(DeskhandError):
    """A batch that stopped before its end. ``result`` tells what was done; its ``text`` is the contract's lines."""

    def __init__(self, failure: Failure, result: ActResult) -> None:
        super().__init__(**failure.model_dump())
        self.result = result

    def __str__(self) -> str:
        return f"{self.code}: {self.result.text}"


class ExpectationFailed(DeskhandError, AssertionError):
    """``expect`` waited and what it was to see did not come; the message tells what was there instead."""

    def __str__(self) -> str:
        return self.message
