"""Leave nothing of a desktop that has ended: processes, sockets, locks, mounts, the cgroup and the folder."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import time
from pathlib import Path

from deskhand.isolation import processes
from deskhand.isolation.document_locks import locks_of, remove_locks
from deskhand.isolation.limits import group_members, remove_group
from deskhand.isolation.messages import Record, noted_outside, read_record
from deskhand.isolation.places import all_desktops_locked, hold

X_SOCKETS = Path("/tmp/.X11-unix")
MNT_DETACH = 2
REMOVALS = 20
"""Attempts at removing a folder into which a client outside may still be writing."""
SCREEN_SECONDS = 1.0
"""How long the X server gets to remove its own socket."""


def sweep(folder: Path, root: int | None) -> None:
    """Remove all that is left of the desktop in ``folder``. Called by whoever holds its lock.

    Args:
        folder: the desktop's folder.
        root: this process, when it is the subreaper of everything inside; None after a crash.
    """
    record = read_record(folder)
    screen = {record.screen} if record else set()
    everything = processes.freeze(lambda: _inside(record, root) - screen) | (_inside(record, root) & screen)
    sockets = processes.listening_paths(everything) | noted_outside(folder, "sockets")
    locks = locks_of(everything, folder) | noted_outside(folder, "locks")
    processes.kill_until_gone(lambda: _inside(record, root) - screen)
    _end_screen(everything & screen)
    for path in sockets:
        processes.remove_dead_socket(path)
    remove_locks(locks, folder)
    if record:
        _remove_screen(record)
        remove_group(Path(record.group) if record.group else None)
    remove_folder(folder)


def _inside(record: Record | None, root: int | None) -> set[int]:
    """Everything that runs inside: found by descent, cgroup or token, never by a pid written down before."""
    found = processes.descendants(root) if root else set()
    if record:
        found |= group_members(Path(record.group)) if record.group else set()
        found |= processes.carrying(record.wish.token) if root is None else set()
    return found - {os.getpid()}


def _end_screen(screen: set[int]) -> None:
    """The X server ends last, and is asked politely, so that it removes its own socket."""
    processes.send(screen, signal.SIGTERM)
    deadline = time.monotonic() + SCREEN_SECONDS
    while any(processes.alive(pid) for pid in screen):
        processes.reap()
        time.sleep(0.01)
        if time.monotonic() > deadline:
            processes.send(screen, signal.SIGKILL)


def _remove_screen(record: Record) -> None:
    number = record.display.removeprefix(":")
    if not number.isdigit():
        return
    processes.remove_dead_socket(X_SOCKETS / f"X{number}")
    lock = Path(f"/tmp/.X{number}-lock")
    try:
        if lock.read_text().strip() == str(record.screen):
            lock.unlink()
    except FileNotFoundError:
        return


def remove_folder(folder: Path) -> None:
    """Remove the folder, never reaching through a mount that something inside made. Raises ``OSError``."""
    for mount in _mounts_below(folder):
        ctypes.CDLL(None).umount2(os.fsencode(mount), MNT_DETACH)
    if left := _mounts_below(folder):
        raise OSError(f"{left[0]} is still mounted; unmount it, then remove {folder}")
    for attempt in range(REMOVALS):
        if not folder.exists():
            return
        try:
            shutil.rmtree(folder)
        except OSError:  # something outside wrote or removed just now
            if attempt == REMOVALS - 1:
                raise
            time.sleep(0.02)


def _mounts_below(folder: Path) -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text(errors="replace").splitlines()
    points = (line.split()[4].encode().decode("unicode_escape") for line in lines)
    return sorted((point for point in points if point.startswith(f"{folder}/")), reverse=True)


def reclaim(desktops: Path) -> dict[str, str]:
    """Sweep every folder that nobody holds any more: what a crash of keeper and sentinel left.

    Returns:
        The names found, each with what keeps it from being swept (empty: it is gone).
    """
    found = {}
    with all_desktops_locked(desktops):
        for folder in sorted(desktops.iterdir()):
            try:
                if reclaim_one(folder):
                    found[folder.name] = ""
            except OSError as error:
                found[folder.name] = str(error)
    return found


def reclaim_one(folder: Path) -> bool:
    """Sweep the folder if nobody holds it. Called with all desktops locked."""
    try:
        descriptor = hold(folder)
    except (FileNotFoundError, NotADirectoryError):
        return False
    if descriptor is None:
        return False
    try:
        sweep(folder, None)
    finally:
        os.close(descriptor)
    return True
