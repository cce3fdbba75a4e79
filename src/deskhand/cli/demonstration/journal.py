"""What happened, for the screen and the report: phases, and the steps in them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

Outcome = Literal["done", "refused", "failed"]
"""``refused``: the gate said no, and was meant to."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the agent.

    Args:
        number: counts through the whole demo, from 1.
        title: what it does.
        why: the agent's reason.
        asked: the call, as one line a piece.
        answer: the lines that came back.
        seconds: that the call took.
        tokens: that a model would have read of the answer, roughly.
        picture: the desktop after it (PNG), where one was taken.
        call: whether it was a call of a tool.
    """

    number: int
    title: str
    why: str
    asked: tuple[str, ...]
    answer: str
    outcome: Outcome
    seconds: float = 0.0
    tokens: int = 0
    picture: bytes | None = None
    call: bool = True

    @property
    def took(self) -> str:
        """Time and tokens, in words."""
        if not self.call:
            return "on disk, outside of the tools"
        time = f"{self.seconds:.1f} s" if self.seconds >= 1 else f"{self.seconds * 1000:.0f} ms"
        return f"{time}, {self.tokens:,} tokens to read"


@dataclass(slots=True)
class Phase:
    """Some steps with one aim."""

    title: str
    steps: list[Step] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """Calls of tools."""
        return sum(step.call for step in self.steps)

    @property
    def tokens(self) -> int:
        """Tokens read."""
        return sum(step.tokens for step in self.steps)

    @property
    def seconds(self) -> float:
        """Seconds that its calls took."""
        return sum(step.seconds for step in self.steps)


@dataclass(slots=True)
class Journal:
    """The whole demo. ``failure``: why it did not succeed, one line; empty when it did."""

    day: str
    phases: list[Phase] = field(default_factory=list)
    opening_tokens: int = 0
    note: str = ""
    failure: str = ""
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def steps(self) -> list[Step]:
        """All steps, in their order."""
        return [step for phase in self.phases for step in phase.steps]


class Audience(Protocol):
    """Who is told while it happens."""

    def phase(self, number: int, title: str) -> None:
        """A phase begins."""

    def begins(self, number: int, title: str, why: str, asked: tuple[str, ...]) -> None:
        """A step begins."""

    def waiting(self, what: str) -> AbstractContextManager[None]:
        """Something takes its time."""

    def ended(self, step: Step) -> None:
        """A step has ended."""
