"""One closing, one question: who agreed to lose unsaved changes is not asked again by the application's own dialog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from deskhand.policy.pressing import DIALOGS
from deskhand.policy.risks import Risk
from deskhand.types.nodes import Window
from deskhand.types.protocols import PlannedStep

LASTS = 300.0
"""Seconds that an agreed closing covers the dialog that follows: a model takes its time to answer it."""


@dataclass(frozen=True, slots=True)
class _Closing:
    session: str
    window: str
    pid: int
    since: float


class Closings:
    """Closings that were agreed to and are under way. ``clock``: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._under_way: list[_Closing] = []

    def agreed(self, step: PlannedStep, session: str) -> None:
        """A step with consent to lose unsaved changes is being dispatched."""
        window = step.window
        if window is not None and may_ask(step):
            self._under_way.append(_Closing(session, window.key, window.pid, self._clock()))

    def covers(self, step: PlannedStep, risks: frozenset[Risk], session: str) -> bool:
        """Whether the step answers the dialog that asks, once more, what was agreed to."""
        return self._found(step, risks, session) is not None

    def used(self, step: PlannedStep, risks: frozenset[Risk], session: str) -> bool:
        """The same, and from now on it covers nothing more."""
        found = self._found(step, risks, session)
        if found is not None:
            self._under_way.remove(found)
        return found is not None

    def _found(self, step: PlannedStep, risks: frozenset[Risk], session: str) -> _Closing | None:
        now = self._clock()
        self._under_way = [each for each in self._under_way if now - each.since < LASTS]
        dialog = step.window
        if dialog is None or dialog.role not in DIALOGS or risks != {"close_unsaved"}:
            return None
        return next((each for each in self._under_way if each.session == session and _asks_of(dialog, each)), None)


def may_ask(step: PlannedStep) -> bool:
    """Whether the application may answer the step with a question of its own; a dialog's button answers one."""
    return step.window is not None and step.window.role not in DIALOGS


def _asks_of(dialog: Window, closing: _Closing) -> bool:
    """Whether the dialog says that it belongs to the window being closed: one that says nothing may be another's."""
    return dialog.pid == closing.pid and dialog.owner == closing.window
