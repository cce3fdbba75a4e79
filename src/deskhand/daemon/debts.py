"""What an owner holds and has borrowed from its desktop, written down so that the next owner can give it back."""

from __future__ import annotations

import os
from pathlib import Path

FILE_NAME = "owner.debts"


class DebtFile:
    """One line in the desktop's folder, replaced with every change; removed by an owner that ends in order."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._fresh = folder / f"{FILE_NAME}.new"

    def note(self, line: str) -> None:
        """Write down what is owed now. Called from the platform's input thread, before it is owed."""
        handle = os.open(self._fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)
        os.replace(self._fresh, self._path)

    def left(self) -> str | None:
        """What an earlier owner left owing; None when it ended in order."""
        try:
            return self._path.read_text() or None
        except FileNotFoundError:
            return None

    def settle(self) -> None:
        """Nothing is owed any more."""
        self._path.unlink(missing_ok=True)
