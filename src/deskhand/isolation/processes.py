"""Processes: who descends from whom, what they listen on, and how they are started, reaped and ended."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LISTENING = 0x10000
"""The flag of an accepting socket in ``/proc/net/unix``."""


def become_subreaper() -> None:
    """Orphans among our descendants become our children, whatever forks in between. Raises ``OSError``."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent(number: signal.Signals) -> None:
    """Get this signal when the parent dies. Raises ``OSError``."""
    _prctl(PR_SET_PDEATHSIG, number)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def parents() -> dict[int, int]:
    """Every process of the machine with its parent."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := _stat_fields(int(entry))):
            found[int(entry)] = int(fields[1])
    return found


def _stat_fields(pid: int) -> list[str]:
    """Fields of ``/proc/PID/stat`` after the name: state, parent, … Empty for one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def descendants(root: int) -> set[int]:
    """All processes below ``root``, zombies included, itself excluded."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        fresh = [pid for pid in children.get(waiting.pop(), ()) if pid not in found]
        found.update(fresh)
        waiting.extend(fresh)
    return found


def alive(pid: int) -> bool:
    """Whether the process runs (a zombie does not)."""
    fields = _stat_fields(pid) if pid > 0 else []
    return bool(fields) and fields[0] not in "ZX"


def carrying(token: str) -> set[int]:
    """Processes of this user whose starting environment carries the desktop's token."""
    mark = f"DESKHAND_TOKEN={token}".encode()
    return {pid for pid in parents() if pid != os.getpid() and mark in _environ(pid).split(b"\0")}


def _environ(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def private_memory(pid: int) -> int:
    """Resident bytes that are not shared with files or other processes; 0 for one that is gone."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """Signal each; one that is gone already is well."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def reap() -> dict[int, int]:
    """Collect all dead children: pid to exit code, or 128 + signal."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        code = os.waitstatus_to_exitcode(status)
        ended[pid] = code if code >= 0 else 128 - code


def freeze(find: Callable[[], set[int]]) -> set[int]:
    """Stop all that ``find`` finds, again until it finds nobody new: then nothing inside changes any more."""
    frozen: set[int] = set()
    while fresh := find() - frozen:
        send(fresh, signal.SIGSTOP)
        frozen |= fresh
    return frozen


def kill_until_gone(find: Callable[[], set[int]], seconds: float = 5.0) -> set[int]:
    """Kill all that ``find`` finds until it finds nobody alive; what would not die is returned."""
    deadline = time.monotonic() + seconds
    while True:
        reap()
        left = {pid for pid in find() if alive(pid)}
        if not left or time.monotonic() > deadline:
            return left
        send(left, signal.SIGKILL)
        time.sleep(0.01)


def listening_paths(pids: Iterable[int]) -> set[Path]:
    """Paths of the UNIX sockets on which these processes listen."""
    inodes: set[str] = set()
    for pid in pids:
        inodes |= _socket_inodes(pid)
    return {path for inode, path in _bound_sockets().items() if inode in inodes}


def open_paths(pid: int) -> set[Path]:
    """Paths of the files that the process holds open; of one that is gone or not ours, none."""
    return {Path(link) for link in _open_links(pid) if link.startswith("/")}


def _socket_inodes(pid: int) -> set[str]:
    return {link[8:-1] for link in _open_links(pid) if link.startswith("socket:[")}


def _open_links(pid: int) -> set[str]:
    found = set()
    try:
        for entry in os.scandir(f"/proc/{pid}/fd"):
            found.add(os.readlink(entry.path))
    except OSError:
        return found
    return found


def _bound_sockets() -> dict[str, Path]:
    found = {}
    for line in Path("/proc/net/unix").read_text(errors="replace").splitlines()[1:]:
        fields = line.split(maxsplit=7)
        if len(fields) == 8 and fields[7].startswith("/") and int(fields[3], 16) & LISTENING:
            found[fields[6]] = Path(fields[7])
    return found


def remove_dead_socket(path: Path) -> None:
    """Unlink a socket that nobody listens on any more and that is ours."""
    try:
        found = path.lstat()
        if stat.S_ISSOCK(found.st_mode) and found.st_uid == os.getuid() and not _answers(path):
            path.unlink()
    except FileNotFoundError:
        return


def _answers(path: Path) -> bool:
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_UNIX, kind) as probe:
            probe.settimeout(0.5)
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                return False
            except OSError:
                continue
            return True
    return True
