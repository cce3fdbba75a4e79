"""Whether the file is right: its bytes against a text made from the demo's own source, not from what was read."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from deskhand.cli.demonstration.document import Order, totals
from deskhand.types.errors import DeskhandError


def expected_note(document: str, orders: Sequence[Order], day: datetime.date) -> bytes:
    """Every byte of the note that has to be there in the end."""
    lines = [f"Summary of {document}, {day.isoformat()}", "", f"Rows: {len(orders)}"]
    lines += [f"{name}: {value}" for name, value in totals(orders).items()]
    return ("\n".join(lines) + "\n").encode()


def verify(path: Path, expected: bytes) -> str:
    """Compare the file with what has to be in it; one line that says so.

    Raises:
        DeskhandError: ``expectation_failed``, with the first place where they differ.
    """
    try:
        found = path.read_bytes()
    except OSError as error:
        raise DeskhandError("expectation_failed", f"{path.name} cannot be read: {error.strerror}") from error
    if found != expected:
        raise DeskhandError("expectation_failed", f"{path.name} is not right: {_difference(expected, found)}")
    return f"{path.name}: {len(found)} bytes, every one as expected"


def _difference(expected: bytes, found: bytes) -> str:
    pairs = zip(expected, found, strict=False)
    at = next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(expected), len(found)))
    line = expected[:at].count(b"\n") + 1
    return f"line {line}, byte {at}: expected {_excerpt(expected, at)}, found {_excerpt(found, at)}"


def _excerpt(data: bytes, at: int) -> str:
    return repr(data[at : at + 16].decode(errors="replace")) if at < len(data) else "the end of the file"
