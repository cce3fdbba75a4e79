"""Rows of the table: what each application's elements can be asked to do, and what shows that it was done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from deskhand.types.errors import ErrorCode
from tests.apps.subjects.stage import Stage

Deed = Callable[[Stage], Awaitable[None]]


@dataclass(frozen=True)
class Row:
    """``deed`` in words, ``witness`` what of the application's own state shows it.

    A row that cannot be done has a ``reason`` and a ``fallback``; its ``run`` proves that the refusal is typed and that
    nothing was sent.
    """

    subject: str
    ability: str
    deed: str
    witness: str
    run: Deed
    reason: str = ""
    fallback: str = ""
    refusal: ErrorCode | None = None

    @property
    def id(self) -> str:
        return f"{self.subject}-{self.ability}-{self.run.__name__}"


@dataclass
class Subject:
    """An application with its rows; ``prepare`` opens it."""

    name: str
    toolkit: str
    prepare: Deed
    rest: Deed | None = None  # what brings it back to where every row starts
    rows: list[Row] = field(default_factory=list)

    def row(self, ability: str, deed: str, witness: str) -> Callable[[Deed], Deed]:
        """Declare a row that is done by the decorated function."""

        def declare(run: Deed) -> Deed:
            self.rows.append(Row(self.name, ability, deed, witness, run))
            return run

        return declare

    def cannot(self, ability: str, deed: str, reason: str, fallback: str, refusal: ErrorCode) -> Callable[[Deed], Deed]:
        """Declare a row that is refused; the decorated function proves how."""

        def declare(run: Deed) -> Deed:
            self.rows.append(Row(self.name, ability, deed, "nothing is sent", run, reason, fallback, refusal))
            return run

        return declare
