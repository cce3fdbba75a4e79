"""What processes take, from ``/proc``: resident memory, processor time, and whether one is still the same."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from deskhand.isolation.processes import descendants

MEGABYTE = 1024 * 1024
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> set[int]:
    """A process with all below it."""
    return {pid, *descendants(pid)}


def resident(pids: Iterable[int]) -> float:
    """Resident memory in MB, summed (what processes share counts for each); one that is gone counts nothing."""
    return sum(int(fields[21]) for pid in pids if (fields := _fields(pid))) * _PAGE / MEGABYTE


def spent(pids: Iterable[int]) -> float:
    """Seconds of processor time so far, summed."""
    return sum(int(fields[11]) + int(fields[12]) for pid in pids if (fields := _fields(pid))) / _TICKS


def born(pid: int) -> str:
    """When it started, in the kernel's ticks: two processes that had one pid differ in it. Empty when it is gone."""
    fields = _fields(pid)
    return fields[19] if fields and fields[0] not in "ZX" else ""


def _fields(pid: int) -> list[str]:
    """The fields of ``/proc/PID/stat`` after the name."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
