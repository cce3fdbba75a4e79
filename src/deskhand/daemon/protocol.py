"""The messages between the owner and its clients, versioned. Types only; ``wire`` carries them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field, TypeAdapter

from deskhand import __version__
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

PROTOCOL = 2
"""Counts up with every change of a message's meaning."""


class Question(Strict):
    """A decision that waits for a person. ``seconds_left``: until it lapses, unanswered means refused."""

    id: str
    text: str
    risks: list[str] = []
    client: str = ""
    state: Literal["pending", "agreed", "declined"] = "pending"
    seconds_left: float = 0.0


class Questions(Protocol):
    """What a gate keeps for people: open questions and their answers."""

    def pending(self) -> list[Question]:
        """Questions without an answer, oldest first."""
        ...

    def answer(self, question: str, agree: bool) -> Question:
        """Settle one. Raises ``DeskhandError``: ``not_found`` (unknown, lapsed, settled) or ``policy_denied``."""
        ...

    def withdraw(self, question: str) -> None:
        """Drop one that waits, where it is the caller's own."""
        ...

    def drop_without(self, windows: Collection[str]) -> None:
        """Drop those that wait for steps on windows that are not among these any more: they can not be done."""
        ...


class Hello(Strict):
    """A client's first message."""

    kind: Literal["hello"] = "hello"
    protocol: int = PROTOCOL
    version: str = __version__
    client: str = "client"
    session: str
    person: bool = False


class Welcome(Strict):
    """The owner's answer to a hello that it accepts. ``size``: the screen in pixels, where known."""

    kind: Literal["welcome"] = "welcome"
    protocol: int = PROTOCOL
    version: str = __version__
    desktop: str
    about: str = ""
    pid: int


class Refused(Strict):
    """The owner's answer to a hello that it does not accept; the connection ends."""

    kind: Literal["refused"] = "refused"
    failure: Failure


class Call(Strict):
    """One operation. ``id`` is the client's, unique among its calls in flight."""

    kind: Literal["call"] = "call"
    id: int
    op: str
    request: dict[str, Any] = {}


class Cancel(Strict):
    """Stop the call ``id``; its reply (``cancelled``, or the result that came first) still follows."""

    kind: Literal["cancel"] = "cancel"
    id: int


class Reply(Strict):
    """A call's result."""

    kind: Literal["reply"] = "reply"
    id: int
    result: dict[str, Any]


class Fault(Strict):
    """A call's error. ``id`` 0: of the connection itself."""

    kind: Literal["fault"] = "fault"
    id: int
    failure: Failure


class Progress(Strict):
    """Sign of life of a long call: seconds since it came in, and what it does (deskhand's own words)."""

    kind: Literal["progress"] = "progress"
    id: int
    seconds: float
    note: str = ""


class Nothing(Strict):
    """The request of operations that take none."""


class QuestionList(Strict):
    """All pending questions."""

    questions: list[Question] = []


class Status(Strict):
    """The owner as it is now."""

    desktop: str
    pid: int
    version: str = __version__
    clients: list[str] = []
    holder: str = ""
    waiting: int = 0
    pending: int = 0
    trouble: str = ""


class Refusal(Strict):
    """A call that was refused before it came to the owner (no consent, no valid request), for the record."""

    operation: str
    request: dict[str, Any] = {}
    failure: Failure


FromClient = Annotated[Call | Cancel, Field(discriminator="kind")]
FromOwner = Annotated[Welcome | Refused | Reply | Fault | Progress, Field(discriminator="kind")]
CLIENT_MESSAGES: TypeAdapter[Call | Cancel] = TypeAdapter(FromClient)
OWNER_MESSAGES: TypeAdapter[Welcome | Refused | Reply | Fault | Progress] = TypeAdapter(FromOwner)

OPERATIONS: dict[str, tuple[type[Strict], type[Strict]]] = {
    "apps": (AppsRequest, AppsResult),
    "observe": (ObserveRequest, View),
    "find": (FindRequest, FindResult),
    "point": (PointRequest, PointResult),
    "judge_act": (ActRequest, Judgement),
    "judge_open": (OpenRequest, Judgement),
    "judge_input": (InputRequest, Judgement),
    "act": (ActRequest, ActResult),
    "open": (OpenRequest, OpenResult),
    "screenshot": (ScreenshotRequest, ScreenshotResult),
    "zoom": (ZoomRequest, ScreenshotResult),
    "input": (InputRequest, InputResult),
    "changes": (ChangesRequest, Changes),
    "answer": (AnswerRequest, Question),
    "withdraw": (WithdrawRequest, Nothing),
    "pending": (Nothing, QuestionList),
    "status": (Nothing, Status),
    "refused": (Refusal, Nothing),
}
"""Operation to the types of its request and its result."""
EXCLUSIVE = frozenset({"act", "open", "input"})
"""Operations that send input: one at a time."""


def judging(request: ActRequest | OpenRequest | InputRequest) -> str:
    """The operation that judges a batch."""
    return f"judge_{sending(request)}"


def sending(request: ActRequest | OpenRequest | InputRequest) -> str:
    """The operation that a batch belongs to."""
    if isinstance(request, ActRequest):
        return "act"
    return "open" if isinstance(request, OpenRequest) else "input"
