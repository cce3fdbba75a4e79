"""A batch done with the consent that it needs: judged first, its user asked, then sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from deskhand.daemon.client import RemoteDesktop, Told
from deskhand.daemon.naming import approval
from deskhand.daemon.protocol import sending
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest, InputRequest, OpenRequest
from deskhand.types.results import ActResult, Failure, InputResult, Judgement, OpenResult

Ask = Callable[[Judgement], Awaitable[bool]]
"""Puts a question to the user; True only for a yes."""
_Batch = TypeVar("_Batch", ActRequest, OpenRequest, InputRequest)
_Stopped = TypeVar("_Stopped", bound=ActResult)


async def consented(desktop: RemoteDesktop, request: _Batch, ask: Ask | None) -> _Batch:
    """The request with its consent. A consent that the caller names is taken as it is.

    Raises:
        DeskhandError: ``policy_denied``, ``confirmation_declined``, or ``confirmation_required`` where nobody can be
            asked (``ask`` None); nothing was sent.
    """
    if request.consent is not None:
        return request
    try:
        return await _consented(desktop, request, ask)
    except DeskhandError as error:
        await desktop.refused(sending(request), error, request)
        raise


async def _consented(desktop: RemoteDesktop, request: _Batch, ask: Ask | None) -> _Batch:
    judgement = await desktop.judge(request)
    if judgement.verdict == "deny":
        raise DeskhandError("policy_denied", judgement.text)
    if judgement.verdict == "allow":
        return request.model_copy(update={"consent": judgement.question or None})
    if ask is None:
        raise required(judgement, desktop.welcome.desktop)
    agreed = await ask(judgement)
    await _answered(desktop, judgement.question, agreed)
    if not agreed:
        raise DeskhandError("confirmation_declined", "the user declined; nothing was sent")
    return request.model_copy(update={"consent": judgement.question})


async def _answered(desktop: RemoteDesktop, question: str, agreed: bool) -> None:
    try:
        await desktop.answer(question, agreed)
    except DeskhandError as error:
        if error.code != "not_found":  # settled meanwhile by deskhand approve: the owner knows how
            raise


def required(judgement: Judgement, desktop: str) -> DeskhandError:
    """The refusal where nobody can be asked, with the command that answers."""
    said = f"{'; '.join(judgement.risks)}; nothing was sent; {way_on(Rest(1, judgement.question), desktop)}"
    return DeskhandError("confirmation_required", said, question=judgement.question, desktop=desktop)


async def act(
    desktop: RemoteDesktop, request: ActRequest, ask: Ask | None, told: Told | None = None
) -> list[ActResult]:
    """Do a batch; where a step proves risky only when its turn comes, ask and go on with the rest.

    The results, one for each part that was sent; the last one tells how it ended. Raises ``DeskhandError`` when
    nothing at all was sent.
    """
    results = [await desktop.act(await consented(desktop, request, ask), told)]
    goes_on = ask is not None and request.on_failure == "stop"  # what was undone cannot be gone on from
    while goes_on and wanted(results[-1]) and len(results) <= len(request.steps):
        done = sum(result.done for result in results)
        left = request.model_copy(update={"steps": request.steps[done:], "consent": None})
        try:
            await _superseded(desktop, results[-1])
            results.append(await desktop.act(await consented(desktop, left, ask), told))
        except DeskhandError as error:
            return [*results[:-1], _ended(results[-1], error)]
    if wanted(results[-1]):
        done = sum(result.done for result in results[:-1])
        left = request.model_copy(update={"steps": request.steps[done:]})
        results[-1] = _to_go_on(results[-1], await rest(desktop, left, results[-1]), done, desktop.welcome.desktop)
    return results


def _to_go_on(result: _Stopped, left: Rest, before: int, desktop: str) -> _Stopped:
    assert result.failure is not None
    text = f"{result.text}\n{way_on(replace(left, first=before + left.first), desktop)}"
    failure = result.failure.model_copy(update={"question": left.question or "", "desktop": desktop})
    return result.model_copy(update={"failure": failure, "text": text})


def wanted(result: ActResult) -> bool:
    """Whether it stopped at a step that proved risky only when its turn came."""
    return result.failure is not None and result.failure.code == "confirmation_required"


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left to do of a batch that stopped for want of consent."""

    first: int  # the step to begin again with, from 1
    question: str | None  # what a person can allow for exactly these; None: they are asked about when their turn comes
    lease: str = ""  # of ``input``: the picture in whose pixels they mean the same
    seen: bool = True  # of ``input``: False where the new picture must be looked at first

    def again(self, send: str = "send") -> str:
        """What is to be sent, as whoever sends it is told."""
        if not self.seen:
            return f"look at the new picture, then {send} what is left, from {self.first} on, in its pixels"
        noun, lease = ("actions", f" with lease {self.lease}") if self.lease else ("steps", "")
        which = f"all {noun}" if self.first == 1 else f"the {noun} from {self.first} on"
        return f"{send} {which} again{lease}"


async def rest(desktop: RemoteDesktop, request: ActRequest, result: ActResult) -> Rest:
    """Judge what is left: consent is for one batch, so the question that stopped this one serves no other."""
    undone = result.undoing is not None and bool(result.undoing.effects)
    done = 0 if undone else result.done
    if done == 0 and result.failure is not None and result.failure.question:
        return Rest(1, result.failure.question)
    left = request.model_copy(update={"steps": request.steps[done:], "consent": None})
    try:
        await _superseded(desktop, result)
        return Rest(done + 1, (await desktop.judge(left)).question or None)
    except DeskhandError:  # what was done is told all the same; sending the rest says what is wrong with it
        return Rest(done + 1, None)


async def _superseded(desktop: RemoteDesktop, result: ActResult) -> None:
    """Two questions about the same steps would wait, of which only the one for what is left is of use."""
    if result.failure is not None and result.failure.question:
        await desktop.withdraw(result.failure.question)


def way_on(left: Rest, desktop: str) -> str:
    """What a person does about it, for whoever reads it at a terminal or in a program's error."""
    again = "do the same again" if left.first == 1 and left.seen else left.again("send" if left.lease else "do")
    if left.question is None:
        return f"to go on, {again}: they are judged anew"
    return f"a person allows it with: {approval(left.question, desktop)} - then {again}"


def _ended(result: _Stopped, error: DeskhandError) -> _Stopped:
    """A part after which the user said no, or the rest could not be sent."""
    assert result.failure is not None
    sent = result.failure.sent if error.sent == "no" else error.sent
    failure = Failure.of(error).model_copy(update={"sent": sent})
    return result.model_copy(update={"failure": failure, "text": f"{result.text}\n{error}"})


def joined(parts: Sequence[_Stopped]) -> _Stopped:
    """One result of a batch, also of one that went on after a question."""
    if len(parts) == 1:
        return parts[0]
    before = 0
    effects = []
    for part in parts:
        effects += [effect.model_copy(update={"step": effect.step + before}) for effect in part.effects]
        before += part.done
    return parts[-1].model_copy(
        update={
            "text": "\n".join(part.text for part in parts), "done": before, "total": parts[0].total,
            "seconds": sum(part.seconds for part in parts), "effects": effects,
        }
    )  # fmt: skip


async def open_(desktop: RemoteDesktop, request: OpenRequest, ask: Ask | None, told: Told | None = None) -> OpenResult:
    """Open something, with the consent that it needs."""
    return await desktop.open(await consented(desktop, request, ask), told)


async def input_(
    desktop: RemoteDesktop, request: InputRequest, ask: Ask | None, told: Told | None = None
) -> InputResult:
    """Pointer and keyboard, with the consent that they need; asked about and gone on with as ``act`` does it.

    What is left is only gone on with where it means the same in the picture that is true by then.
    """
    result = await desktop.input(await consented(desktop, request, ask), told)
    for _ in request.actions:
        if ask is None or not wanted(result) or not result.rest:
            break
        try:
            await _superseded(desktop, result)
            part = await desktop.input(await consented(desktop, _left(request, result), ask), told)
        except DeskhandError as error:
            return _ended(result, error)
        result = joined([result, part])
    if not wanted(result):
        return result
    return _to_go_on(result, await rest_of_input(desktop, request, result), 0, desktop.welcome.desktop)


def _left(request: InputRequest, result: InputResult) -> InputRequest:
    left = request.actions[result.done :]
    return request.model_copy(update={"actions": left, "lease": result.rest, "consent": None})


async def rest_of_input(desktop: RemoteDesktop, request: InputRequest, result: InputResult) -> Rest:
    """The same of actions: consent is for what is left, in the picture that is true now."""
    if result.done == 0 and result.rest == request.lease and result.failure is not None and result.failure.question:
        return Rest(1, result.failure.question, result.rest)
    try:
        await _superseded(desktop, result)
        if not result.rest:
            return Rest(result.done + 1, None, seen=False)
        return Rest(result.done + 1, (await desktop.judge(_left(request, result))).question or None, result.rest)
    except DeskhandError:  # as above
        return Rest(result.done + 1, None, result.rest, seen=bool(result.rest))
