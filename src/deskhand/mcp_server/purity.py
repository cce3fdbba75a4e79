"""Stdout of a stdio server carries protocol only: everything else, children included, goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Wire:
    """The real stdout, kept away from whoever prints until the server takes it."""

    def __init__(self) -> None:
        self._saved = os.dup(1)  # not inherited by children

    def divert(self) -> None:
        """From now on descriptor 1 is stderr (or nothing, where there is no stderr)."""
        sys.stdout.flush()
        try:
            os.dup2(2, 1)
        except OSError:
            sink = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sink, 1)
            os.close(sink)

    def restore(self) -> None:
        """Give descriptor 1 back, for the server to claim at once."""
        os.dup2(self._saved, 1)


@contextmanager
def diverted() -> Iterator[Wire]:
    """Nothing printed inside reaches stdout."""
    wire = Wire()
    wire.divert()
    try:
        yield wire
    finally:
        wire.divert()
