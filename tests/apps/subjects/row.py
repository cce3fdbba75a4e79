"""Rows of the table: what each application's elements can be asked to do, and what shows that it was done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from deskhand.types.errors import ErrorCode
from deskhand.types.results import View
from tests.apps.subjects.stage import Stage

Deed = Callable[[Stage], Awaitable[None]]


@dataclass(frozen=True)
class FirstView:
    """What the view costs with which work begins, right after ``prepare``: tokens (o200k), rounded to 50, and coverage.

    ``coverage`` is the share of the window's area that the tree describes, 0 to 1, rounded to a twentieth.
    """

    tokens: int
    coverage: float


@dataclass(frozen=True)
class Row:
    """``deed`` in words, ``witness`` what of the application's own state shows it.

    A row that cannot be done has a ``reason`` and a ``fallback``; its ``run`` proves that the refusal is typed and that
    nothing was sent or, without a ``refusal``, that what is lacking is told. A ``gap`` is what one could wish for.
    """

    subject: str
    ability: str
    deed: str
    witness: str
    run: Deed
    reason: str = ""
    fallback: str = ""
    refusal: ErrorCode | None = None
    gap: bool = False
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.subject}-{self.ability}-{self.run.__name__}"

    @property
    def abilities(self) -> tuple[str, ...]:
        """Every step that it shows."""
        return (self.ability, *self.also)


async def _active(stage: Stage) -> View:
    return await stage.view()


@dataclass
class Subject:
    """An application with its rows; ``prepare`` opens it, ``look`` takes the view whose figures ``first`` gives."""

    name: str
    toolkit: str
    prepare: Deed
    rows: list[Row] = field(default_factory=list)
    first: FirstView | None = None
    title: str = ""
    look: Callable[[Stage], Awaitable[View]] = _active

    def row(self, ability: str, deed: str, witness: str, *, also: tuple[str, ...] = ()) -> Callable[[Deed], Deed]:
        """Declare a row that is done by the decorated function; ``also``: further steps that it shows."""
        return self._declared(lambda run: Row(self.name, ability, deed, witness, run, also=also))

    def cannot(self, ability: str, deed: str, reason: str, fallback: str, refusal: ErrorCode) -> Callable[[Deed], Deed]:
        """Declare a gap: a row that is refused; the decorated function proves how."""
        return self._declared(
            lambda run: Row(self.name, ability, deed, "nothing is sent", run, reason, fallback, refusal, gap=True)
        )

    def refuses(
        self, ability: str, deed: str, reason: str, fallback: str, refusal: ErrorCode
    ) -> Callable[[Deed], Deed]:
        """Declare a row that is refused because it makes no sense; the decorated function proves how."""
        return self._declared(
            lambda run: Row(self.name, ability, deed, "nothing is sent", run, reason, fallback, refusal)
        )

    def lacks(self, ability: str, deed: str, witness: str, reason: str, fallback: str) -> Callable[[Deed], Deed]:
        """Declare a gap that no refusal tells; the decorated function proves that it is told, and the fallback."""
        return self._declared(lambda run: Row(self.name, ability, deed, witness, run, reason, fallback, gap=True))

    def _declared(self, row: Callable[[Deed], Row]) -> Callable[[Deed], Deed]:
        def declare(run: Deed) -> Deed:
            self.rows.append(row(run))
            return run

        return declare
