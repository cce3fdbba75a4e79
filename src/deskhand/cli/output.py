"""What commands share: lines for people, one JSON value for programs, one line and a code for an error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from deskhand.daemon.naming import as_called
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Failure, Result

EXIT_CODES = {
    "invalid_request": 2,
    "desktop_unavailable": 3,
    "launch_failed": 4,
    "confirmation_required": 5,
    "confirmation_declined": 6,
    "policy_denied": 6,
    "outcome_unknown": 7,
}
"""Exit codes by error; every other error is 1. docs/cli.md tells them."""
INTERRUPTED = 130


@contextmanager
def told(as_json: bool = False, exit_code: int | None = None) -> Iterator[None]:
    """Print a ``DeskhandError`` as ``code: message`` on stderr (as JSON: on stdout) and exit with its code."""
    try:
        yield
    except DeskhandError as error:
        print_failure(Failure.of(error), as_json)
        raise typer.Exit(exit_code or code_of(error.code)) from error


def code_of(code: str) -> int:
    """The exit code of an error."""
    return EXIT_CODES.get(code, 1)


def print_failure(failure: Failure, as_json: bool) -> None:
    """``{"failure": {…}}`` on stdout, or one line on stderr."""
    failure = failure.model_copy(update={"message": as_called(failure.message)})
    if as_json:
        print_json({"failure": failure.model_dump(mode="json", exclude_defaults=True) | {"sent": failure.sent}})
        return
    tried = f"; try {', '.join(failure.candidates)}" if failure.candidates else ""
    found = f"; found {failure.found}" if failure.found else ""
    print(f"{failure.code}: {failure.message}{found}{tried}".replace("\n", " "), file=sys.stderr)


def print_result(result: Result, as_json: bool) -> None:
    """The contract's lines, or the typed result."""
    if as_json:
        print_json(result.model_dump(mode="json", by_alias=True))
    else:
        print(result.text)


def print_json(value: Any) -> None:
    """One JSON value on stdout."""
    print(json.dumps(value, ensure_ascii=False))
