"""Typed errors. Each says what happened, whether input was sent, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

ErrorCode = Literal[
    "unknown_ref",
    "stale_ref",
    "snapshot_expired",
    "lease_expired",
    "ambiguous_target",
    "not_found",
    "disabled",
    "hidden",
    "occluded",
    "unsupported_action",
    "value_rejected",
    "expectation_failed",
    "focus_lost",
    "layout_changed",
    "window_gone",
    "app_unresponsive",
    "accessibility_off",
    "desktop_unavailable",
    "launch_failed",
    "input_busy",
    "input_failed",
    "outcome_unknown",
    "unsendable_text",
    "wait_timeout",
    "policy_denied",
    "confirmation_required",
    "confirmation_declined",
    "invalid_request",
    "cancelled",
    "internal",
]
ERROR_CODES: tuple[str, ...] = get_args(ErrorCode)

Sent = Literal["no", "yes", "unknown"]
"""Whether input reached the desktop."""


@dataclass
class DeskhandError(Exception):
    """The one error type that crosses rooms.

    Attributes:
        code: one of ``ERROR_CODES``.
        message: what happened and what to do, one line; application text in it is JSON-quoted by whoever prints.
        sent: whether input was sent before the error.
        target: the ref or window that was meant, as the caller wrote it.
        expected: what was believed to be there.
        found: what is there instead.
        candidates: refs (with role and name) worth trying.
        question: the id of the pending question for ``confirmation_required``.
        desktop: the desktop on which that question waits, where a client told it.
    """

    code: ErrorCode
    message: str
    sent: Sent = "no"
    target: str = ""
    expected: str = ""
    found: str = ""
    candidates: list[str] = field(default_factory=list)
    question: str = ""
    desktop: str = ""

    def __str__(self) -> str:
        tried = ", ".join(each for each in self.candidates if each not in self.message)
        return f"{self.code}: {self.message}" + (f"; try {tried}" if tried else "")
