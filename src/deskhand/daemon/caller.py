"""Who is asking: set by the owner around each call, read by the gate that binds questions to sessions."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """A client as the owner knows it.

    ``client`` is shown to people (``input_busy`` names it); ``session`` says which calls belong together: consent
    given to one session is of no use to another. ``person`` marks a client behind which a person sits at a terminal.
    ``call`` is unique among all calls that the owner takes; 0 outside of one.
    """

    client: str = "in-process"
    session: str = "in-process"
    person: bool = False
    call: int = 0


CALLER: ContextVar[Caller] = ContextVar("deskhand_caller", default=Caller())  # noqa: B039 - frozen
