"""What commands share: one line for an error, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from deskhand.types.errors import DeskhandError

EXIT_CODES = {"invalid_request": 2, "desktop_unavailable": 3, "launch_failed": 4}
"""Exit codes by error; every other error is 1."""


@contextmanager
def told(as_json: bool = False, exit_code: int | None = None) -> Iterator[None]:
    """Print a ``DeskhandError`` as one line (or one JSON object) on stderr and exit with its code, or ``exit_code``."""
    try:
        yield
    except DeskhandError as error:
        line = json.dumps({"error": error.code, "message": error.message}) if as_json else f"deskhand: {error}"
        print(line, file=sys.stderr)
        raise typer.Exit(exit_code or EXIT_CODES.get(error.code, 1)) from error


def print_json(value: Any) -> None:
    """One JSON value on stdout."""
    print(json.dumps(value, ensure_ascii=False))
