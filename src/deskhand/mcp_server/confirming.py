"""The gate at the tool's door: the batch is judged, and its user asked, before the tool's body runs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from functools import partial

from mcp.server.mcpserver.resolve import (
    AcceptedElicitation,
    CancelledElicitation,
    DeclinedElicitation,
    Elicit,
    Resolve,
)
from pydantic import BaseModel, Field
from typing_extensions import Annotated  # noqa: UP035 - the SDK reads its marker from this one and typing's alike

from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.protocol import sending
from deskhand.mcp_server.whose import Faced, at_end, desktop_of, lasts
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest, InputRequest, OpenRequest
from deskhand.types.results import Judgement


class Confirmation(BaseModel):
    """The one question that a user is asked."""

    allow: bool = Field(title="Allow", description="Yes: do all of these steps. No: do none.")


class Unasked(Enum):
    """Why no question was put."""

    NOT_NEEDED = "not needed"
    CANNOT_ASK = "the client cannot ask its user"


NO_WAY = (
    "this client cannot ask its user, and without a session nothing can be allowed for its next call: "
    "connect with a client that supports elicitation, or that begins with initialize"
)
ASK_AGAIN = "the same steps sent again are asked about again"


@dataclass(frozen=True, slots=True)
class Judged:
    """A request with what the gate says of it."""

    judgement: Judgement
    desktop: RemoteDesktop
    lasts: bool  # whether consent given at a terminal can serve the client's next call
    seconds: float = 0.0  # that reaching the desktop and judging took: they belong to the call's own time


Outcome = AcceptedElicitation[Confirmation] | DeclinedElicitation | CancelledElicitation


async def judge(request: ActRequest | OpenRequest | InputRequest, ctx: Faced) -> Judged:
    """What the gate says; nothing is touched."""
    since = time.monotonic()
    desktop = await desktop_of(ctx)  # which may still be starting
    try:
        judgement = await desktop.judge(request)
    except DeskhandError as error:
        await desktop.refused(sending(request), error, request)
        raise
    return Judged(judgement, desktop, lasts(ctx), time.monotonic() - since)


async def confirm(judged: Annotated[Judged, Resolve(judge)], ctx: Faced) -> Elicit[Confirmation] | Unasked:
    """The question, where there is one and the client can put it."""
    if judged.judgement.verdict != "ask":
        return Unasked.NOT_NEEDED
    if not judged.lasts:  # what is asked again after the answer is another question: this one waits for nobody
        at_end(ctx, partial(withdraw, judged.desktop, judged.judgement.question))
    return Elicit(judged.judgement.text, Confirmation) if can_ask(ctx) else Unasked.CANNOT_ASK


def can_ask(ctx: Faced) -> bool:
    """Whether the client said that it can show its user a form."""
    capabilities = ctx.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


async def settled(request: ActRequest | OpenRequest | InputRequest, judged: Judged, outcome: Outcome) -> str | None:
    """The consent to act with; None where none is needed. A refusal is recorded: the call itself never comes.

    Raises:
        DeskhandError: ``policy_denied``, ``confirmation_required`` (no way to ask, or nobody answered),
            ``confirmation_declined``.
    """
    try:
        return await _settled(judged, outcome)
    except DeskhandError as error:
        await judged.desktop.refused(sending(request), error, request)
        raise


async def _settled(judged: Judged, outcome: Outcome) -> str | None:
    judgement = judged.judgement
    if judgement.verdict == "deny":
        raise DeskhandError("policy_denied", judgement.text)
    if judgement.verdict == "allow":
        return judgement.question or None
    if isinstance(outcome, CancelledElicitation):  # what clients without a user say, and users who close the question
        raise _unanswered(judged, asked=True)
    agreed = False
    if isinstance(outcome, AcceptedElicitation):
        data: object = outcome.data
        if data is Unasked.CANNOT_ASK:
            raise _unanswered(judged)
        agreed = isinstance(data, Confirmation) and data.allow
    await _answer(judged.desktop, judgement.question, agreed)
    if not agreed:
        raise DeskhandError("confirmation_declined", "the user declined; nothing was sent. Do not try it another way")
    return judgement.question


async def withdraw(desktop: RemoteDesktop, question: str) -> None:
    """Nobody's answer could serve any call now, so it is not shown to a person either."""
    await desktop.withdraw(question)


async def _answer(desktop: RemoteDesktop, question: str, agreed: bool) -> None:
    try:
        await desktop.answer(question, agreed)
    except DeskhandError as error:
        if error.code != "not_found":  # settled meanwhile from a terminal: the owner knows how
            raise


def _unanswered(judged: Judged, *, asked: bool = False) -> DeskhandError:
    """The refusal where no user has decided: the client cannot ask, or was asked and answers for nobody."""
    risks = "; ".join(judged.judgement.risks)
    said = f"{risks}; {'nobody answered the question; ' if asked else ''}nothing was sent"
    if judged.lasts:
        where = judged.desktop.welcome.desktop
        return DeskhandError("confirmation_required", said, question=judged.judgement.question, desktop=where)
    return DeskhandError("confirmation_required", f"{said}; {ASK_AGAIN if asked else NO_WAY}")
