"""The default gate: judges batches, keeps the questions, honours consent once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from deskhand.daemon.caller import CALLER, Caller
from deskhand.daemon.protocol import Question
from deskhand.desktop.semantics.secrecy import takes_secret
from deskhand.policy.binding import Bound
from deskhand.policy.closing import Closings, may_ask
from deskhand.policy.judging import risks_of
from deskhand.policy.risks import MEANING, RISKS, Risk
from deskhand.policy.wording import described
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Counters, PlannedStep, Recorder
from deskhand.types.results import Judgement

EXPIRES = 600.0
"""Seconds that a question waits, and that a given consent may be used."""
_AND_ITS_QUESTION = ", also where the application asks once more"
_MOST = 200  # settled questions remembered


@dataclass(slots=True)
class _Asked:
    """A question with what it covers: which risks of which step on what element, of one batch, in one session."""

    id: str
    digest: str
    session: str
    client: str
    text: str
    lines: list[str]
    covers: dict[int, frozenset[Risk]]
    bound: dict[int, Bound]
    since: float
    state: str = "pending"
    user: object = None  # the call that uses the consent
    last: int = field(default=-1)


class DefaultGate:
    """Implements ``types.protocols.Gate`` and ``daemon.protocol.Questions``.

    Args:
        counters: hands out question ids.
        recorder: every judgement that is not "allow", and every answer, becomes an event.
        allow: risks that need no question on this desktop.
        deny: risks that are refused outright.
        clock: seconds, monotonic.

    Raises:
        DeskhandError: ``invalid_request`` for a risk that does not exist.
    """

    def __init__(
        self,
        counters: Counters,
        recorder: Recorder,
        allow: Collection[str] = (),
        deny: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._counters = counters
        self._recorder = recorder
        self._allow = frozenset(known_risks(allow))
        self._deny = frozenset(known_risks(deny))
        self._clock = clock
        self._asked: dict[str, _Asked] = {}
        self._closings = Closings(clock)

    async def judge(self, plan: Sequence[PlannedStep], digest: str) -> Judgement:
        """Judge a whole batch before its first step."""
        found = {step.index: self._open_risks(step, later=step is not plan[0]) for step in plan}
        risky = [step for step in plan if found[step.index]]
        if not risky:
            return Judgement(verdict="allow", digest=digest, text="")
        if any(found[step.index] & self._deny for step in risky):
            return self._denied(risky, found, digest)
        asked = self._same(digest, found) or self._ask(risky, found, digest, len(plan))
        return _judgement(asked)

    async def permits(self, step: PlannedStep, consent: str | None, digest: str) -> Judgement:
        """Judge one step again right before it is dispatched."""
        risks = frozenset(risks_of(step)) - self._allow
        if not risks:
            return Judgement(verdict="allow", digest=digest, text="")
        found = {step.index: risks}
        if risks & self._deny:
            return self._denied([step], found, digest)
        if self._closings.used(step, risks, CALLER.get().session):
            self._recorder.record("judged", verdict="allow", digest=digest, covered=_recorded(step, risks))
            return Judgement(verdict="allow", digest=digest, text="")
        for given in [consent] if consent else self._given(digest):
            if self._consents(given, digest, step, risks):
                return Judgement(verdict="allow", digest=digest, question=given, text="")
        asked = self._same(digest, found, live=step) or self._ask([step], found, digest, 1)
        return _judgement(asked).model_copy(update={"text": "; ".join(asked.lines)})

    def withdraw(self, question: str) -> None:
        """Drop a question that waits, where it is the caller's own."""
        asked = self._asked.get(question)
        if asked is not None and asked.state == "pending" and asked.session == CALLER.get().session:
            del self._asked[question]
            self._recorder.record("withdrawn", question=question, digest=asked.digest)

    def drop_without(self, windows: Collection[str]) -> None:
        """Drop those that wait for steps on windows that are not among these any more: they can not be done."""
        for asked in [asked for asked in self._asked.values() if asked.state == "pending"]:
            if any(bound.window is not None and bound.window not in windows for bound in asked.bound.values()):
                del self._asked[asked.id]
                self._recorder.record("withdrawn", question=asked.id, digest=asked.digest)

    def pending(self) -> list[Question]:
        """Questions without an answer, oldest first."""
        self._lapse()
        return [self._question(asked) for asked in self._asked.values() if asked.state == "pending"]

    def answer(self, question: str, agree: bool) -> Question:
        """Settle a question: by the session that was asked, or by a person at a terminal.

        Raises:
            DeskhandError: ``not_found`` when it is unknown, lapsed or settled; ``policy_denied`` when another
                session's program answers.
        """
        self._lapse()
        asked = self._asked.get(question)
        if asked is None or asked.state != "pending":
            raise DeskhandError(
                "not_found", f"no question {question[:20]!r} waits; see: deskhand approve", target=question
            )
        caller = CALLER.get()
        if asked.session != caller.session and not caller.person:
            raise DeskhandError("policy_denied", f"{question} was asked by another session; only its user may answer")
        asked.state = "agreed" if agree else "declined"
        asked.since = self._clock()
        self._recorder.record("answer", question=question, agree=agree, digest=asked.digest)
        return self._question(asked)

    def _open_risks(self, step: PlannedStep, later: bool = False) -> frozenset[Risk]:
        risks = frozenset(risks_of(step, later=later)) - self._allow
        return frozenset() if self._closings.covers(step, risks, CALLER.get().session) else risks

    def _denied(self, risky: Sequence[PlannedStep], found: dict[int, frozenset[Risk]], digest: str) -> Judgement:
        lines = [_line(step, found[step.index]) for step in risky]
        told = [_recorded(step, found[step.index]) for step in risky]
        self._recorder.record("judged", verdict="deny", digest=digest, risks=told)
        text = "this desktop's configuration denies: " + "; ".join(lines)
        return Judgement(verdict="deny", digest=digest, risks=lines, text=text)

    def _same(self, digest: str, found: dict[int, frozenset[Risk]], live: PlannedStep | None = None) -> _Asked | None:
        """The session's own open question, or unused consent, for the same batch with the same risks.

        ``live``: only a question that waits, and that was asked of this step's element.
        """
        self._lapse()
        session = CALLER.get().session
        needs = {index: risks for index, risks in found.items() if risks}
        for asked in self._asked.values():
            mine = (asked.digest, asked.session) == (digest, session)
            open_ = asked.state == "pending" or (asked.state == "agreed" and asked.user is None and live is None)
            fits = live is None or (live.index in asked.bound and asked.bound[live.index].holds(live))
            if mine and open_ and fits and _covered(needs, asked.covers):
                return asked
        return None

    def _ask(self, risky: Sequence[PlannedStep], found: dict[int, frozenset[Risk]], digest: str, total: int) -> _Asked:
        caller = CALLER.get()
        lines = [_line(step, found[step.index]) for step in risky]
        covers = {step.index: found[step.index] for step in risky}
        bound = {step.index: Bound.of(step) for step in risky}
        text = _question_text(caller, lines, total)
        name = f"q{self._counters.next('q')}"
        asked = _Asked(name, digest, caller.session, caller.client, text, lines, covers, bound, self._clock())
        self._asked[name] = asked
        told = [_recorded(step, found[step.index]) for step in risky]
        self._recorder.record("judged", verdict="ask", question=name, digest=digest, risks=told)
        return asked

    def _given(self, digest: str) -> list[str]:
        """Consents that this session was given for this batch, where the caller names none."""
        mine = ("agreed", digest, CALLER.get().session)
        return [a.id for a in self._asked.values() if (a.state, a.digest, a.session) == mine]

    def _consents(self, consent: str, digest: str, step: PlannedStep, risks: frozenset[Risk]) -> bool:
        """Whether it is for this batch, this step's risks and its element, and is used by one call only, forward."""
        self._lapse()
        asked = self._asked.get(consent)
        caller = CALLER.get()
        if asked is None or (asked.state, asked.digest, asked.session) != ("agreed", digest, caller.session):
            return False
        user = caller.call or asyncio.current_task()
        bound = asked.bound.get(step.index)
        if bound is None or not bound.holds(step) or not _covered({step.index: risks}, asked.covers):
            return False
        if (asked.user is not None and asked.user != user) or step.index < asked.last:
            return False
        asked.user, asked.last = user, step.index
        if "close_unsaved" in risks:
            self._closings.agreed(step, caller.session)
        return True

    def _lapse(self) -> None:
        now = self._clock()
        settled = [name for name, asked in self._asked.items() if asked.state != "pending"]
        old = {name for name, asked in self._asked.items() if now - asked.since >= EXPIRES}
        for name in old | set(settled[:-_MOST]):
            del self._asked[name]

    def _question(self, asked: _Asked) -> Question:
        return Question.model_validate(
            {
                "id": asked.id,
                "text": asked.text,
                "risks": asked.lines,
                "client": asked.client,
                "state": asked.state,
                "seconds_left": max(0.0, EXPIRES - (self._clock() - asked.since)),
            }
        )


def known_risks(names: Collection[str]) -> list[Risk]:
    """The names as risks. Raises ``invalid_request`` for one that is none."""
    known: dict[str, Risk] = {risk: risk for risk in MEANING}
    for name in names:
        if name not in known:
            raise DeskhandError("invalid_request", f"there is no risk {name!r}; there are {', '.join(RISKS)}")
    return [known[name] for name in names]


def _covered(needs: dict[int, frozenset[Risk]], covers: dict[int, frozenset[Risk]]) -> bool:
    return all(risks <= covers.get(index, frozenset()) for index, risks in needs.items())


def _judgement(asked: _Asked) -> Judgement:
    verdict = "allow" if asked.state == "agreed" else "ask"
    return Judgement.model_validate(
        {"verdict": verdict, "question": asked.id, "digest": asked.digest, "risks": asked.lines, "text": asked.text}
    )


def _line(step: PlannedStep, risks: frozenset[Risk]) -> str:
    secret = "credentials" in risks or takes_secret(step.element)
    meanings = ", ".join(MEANING[risk] for risk in sorted(risks, key=RISKS.index))
    covered = _AND_ITS_QUESTION if "close_unsaved" in risks and may_ask(step) else ""
    return f"{described(step, secret=secret)}: {meanings}{covered}"


def _recorded(step: PlannedStep, risks: frozenset[Risk]) -> str:
    """The line as the record has it: what a step writes is told by its own event, once it is known where it goes."""
    return _line(replace(step, step=step.step.model_copy(update={"value": None})), risks)


def _question_text(caller: Caller, lines: list[str], total: int) -> str:
    """Without the question's id: asked twice, it is word for word the same question."""
    many = f"{total} steps, of which {len(lines)} can do harm" if total > 1 else "a step that can do harm"
    head = f"{caller.client} wants to do {many}. Allow?"
    return "\n".join((head, *lines))
