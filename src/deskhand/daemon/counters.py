"""Ids that count up and are never reused: a block is written down, safely, before the first of it is handed out."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from deskhand.types.errors import DeskhandError

_NUMBERS = TypeAdapter(dict[str, int])
FILE_NAME = "counters.json"
BLOCK = 512
"""How many numbers one write reserves; what a killed owner leaves of them is skipped, not reused."""
ONE_BY_ONE = frozenset({"q"})
"""Kinds that people read and type: rare enough to be written down one by one, so that none is skipped."""


class FileCounters:
    """The ``Counters`` of one desktop, kept in its folder. Only the process that holds the lock may use it.

    Raises:
        DeskhandError: ``internal`` when the file cannot be read or written; no id is handed out then.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._reserved = self._load()
        self._issued = dict(self._reserved)

    def next(self, kind: str) -> int:
        """The next number of ``kind``, from 1."""
        number = self._issued.get(kind, 0) + 1
        if number > self._reserved.get(kind, 0):
            last = number if kind in ONE_BY_ONE else number + BLOCK - 1
            self._save({**self._reserved, kind: last})
        self._issued[kind] = number
        return number

    def issued(self, kind: str) -> int:
        """The highest number that may have been handed out, by this process or an earlier one."""
        return self._issued.get(kind, 0)

    def close(self) -> None:
        """Give back what was reserved and not used, so that an orderly restart leaves no gap."""
        self._save(dict(self._issued))

    def _load(self) -> dict[str, int]:
        try:
            return _NUMBERS.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError) as error:
            said = f"cannot read {self._path} ({type(error).__name__}); stop this desktop and start it again"
            raise DeskhandError("internal", said) from error

    def _save(self, numbers: dict[str, int]) -> None:
        fresh = self._path.with_suffix(".new")
        try:
            with open(fresh, "w", opener=_private) as file:
                json.dump(numbers, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, self._path)
            _sync_folder(self._path.parent)
        except OSError as error:
            raise DeskhandError("internal", f"cannot write {self._path}: {error}; free some space") from error
        self._reserved = numbers


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
