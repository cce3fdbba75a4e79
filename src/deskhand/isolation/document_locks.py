"""Lock files that LibreOffice puts beside the user's documents, removed with the desktop that they are of.

It leaves ``.~lock.NAME#`` behind unless it is quit from within (*measured*, 7.4: on SIGTERM it is gone within 20 ms and
has removed nothing), and whoever opens the document next is told that it is in use. Each names the profile that locked:
one in the desktop's own folder was made inside of it, whatever else works on the user's files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from deskhand.isolation import processes

_LONGEST = 4096
"""Bytes of a lock file: a line with who, where, when, and the profile."""
_DELETED = " (deleted)"


def locks_of(pids: Iterable[int], folder: Path) -> set[Path]:
    """The lock files beside the documents that these processes hold open, made by profiles in ``folder``."""
    beside = {_beside(path) for pid in pids for path in processes.open_paths(pid) if not path.is_relative_to(folder)}
    return {lock for lock in beside if _is_of(lock, folder)}


def remove_locks(locks: Iterable[Path], folder: Path) -> None:
    """Remove those that are still of ``folder``'s profiles; what somebody else has locked meanwhile stays."""
    for lock in locks:
        if _is_of(lock, folder):
            lock.unlink(missing_ok=True)


def _beside(document: Path) -> Path:
    return document.with_name(f".~lock.{document.name.removesuffix(_DELETED)}#")


def _is_of(lock: Path, folder: Path) -> bool:
    try:
        found = lock.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid() or found.st_size > _LONGEST:
            return False
        said = lock.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return False
    profile = urlsplit(said.strip().removesuffix(";").rpartition(",")[2])
    return profile.scheme == "file" and Path(unquote(profile.path)).is_relative_to(folder)
