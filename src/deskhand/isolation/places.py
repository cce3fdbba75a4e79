"""Where desktops keep their state: names, folders, and the lock that proves a desktop is alive.

A desktop's folder is ``$XDG_RUNTIME_DIR/deskhand-UID/desktops/NAME`` (``/tmp`` where there is no runtime directory),
mode 0700. Its keeper and sentinel hold a ``flock`` on the folder itself: a folder that nobody holds is what a crash
left, and is reclaimed.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from deskhand.types.errors import DeskhandError

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?")
BASE = "DESKHAND_BASE_DIR"
"""The variable that tells programs inside a desktop where the desktops are."""
RESERVED = frozenset({"here", "new"})
LONGEST_SOCKET = 107
"""Bytes in a UNIX socket's path on Linux."""


def checked_name(name: str) -> str:
    """The name itself. Raises ``invalid_request`` for one that cannot be a desktop's."""
    if name in RESERVED:
        raise DeskhandError("invalid_request", f'"{name}" is a reserved word; choose another name for the desktop')
    if not NAME.fullmatch(name):
        rule = "1 to 40 letters, digits, '.', '_' or '-', with a letter or digit at both ends"
        raise DeskhandError("invalid_request", f"a desktop's name is {rule}")
    return name


def base_folder(outside: Mapping[str, str] | None = None) -> Path:
    """The user's folder for running desktops, not created yet; seen from inside a desktop, the same one."""
    outside = os.environ if outside is None else outside
    if outside.get(BASE):
        return Path(outside[BASE])
    return _runtime_folder(outside.get("XDG_RUNTIME_DIR", "")) / f"deskhand-{os.getuid()}"


def _runtime_folder(wanted: str) -> Path:
    path = Path(wanted)
    if wanted and path.is_absolute() and path.is_dir() and path.stat().st_uid == os.getuid():
        return path
    return Path("/tmp")


def desktops_folder(outside: Mapping[str, str] | None = None) -> Path:
    """The folder that holds all desktops, created and checked to be the user's alone."""
    base = base_folder(outside)
    for folder in (base, base / "desktops"):
        private_folder(folder)
    return base / "desktops"


def desktop_folder(name: str, outside: Mapping[str, str] | None = None) -> Path:
    """The folder of one desktop, not created yet."""
    folder = desktops_folder(outside) / checked_name(name)
    require_short(folder / "run/at-spi/bus_9999")
    return folder


def require_short(socket: Path) -> None:
    """Raises ``desktop_unavailable`` for a path that no socket can have."""
    if len(os.fsencode(socket)) > LONGEST_SOCKET:
        message = f"{socket.parent} is too long for sockets; set a shorter XDG_RUNTIME_DIR"
        raise DeskhandError("desktop_unavailable", message)


def private_folder(folder: Path) -> None:
    """Create it with mode 0700, or check that it is ours alone. Raises ``desktop_unavailable``."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    except OSError as error:
        raise DeskhandError("desktop_unavailable", f"cannot create {folder}: {error.strerror}") from error
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise DeskhandError("desktop_unavailable", f"{folder} is not a folder; remove it")
    if found.st_uid != os.getuid():
        raise DeskhandError("desktop_unavailable", f"{folder} belongs to another user; set XDG_RUNTIME_DIR to your own")
    if found.st_mode & 0o077:
        raise DeskhandError("desktop_unavailable", f"{folder} is open to other users; run: chmod 700 {folder}")


def hold(folder: Path) -> int | None:
    """Take the folder's lock; the open descriptor that holds it, or None where another process does.

    Raises ``FileNotFoundError`` where there is no such folder.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


@contextmanager
def all_desktops_locked(folder: Path) -> Iterator[None]:
    """Only one process at a time claims or reclaims desktops in ``folder``."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
