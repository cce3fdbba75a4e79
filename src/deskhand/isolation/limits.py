"""The memory limit of everything inside a desktop: a cgroup where one can be made, else a watchdog.

``RLIMIT_AS`` is not used: it bounds address space, and kills Chromium.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deskhand.isolation.messages import LimitKind
from deskhand.isolation.processes import private_memory, send
from deskhand.types.errors import DeskhandError

CGROUPS = Path("/sys/fs/cgroup")
MEGABYTE = 1024 * 1024
DEFAULT_MB, LEAST_MB = 4096, 64
"""What a desktop may take where nothing is said; what it takes to
start, with nothing in it (measured at 1280x1024: 32 are enough, 24 are not)."""


@dataclass(frozen=True)
class Limit:
    """The limit in force. ``group`` is the cgroup's folder, None for a watchdog or no limit."""

    kind: LimitKind
    megabytes: int
    group: Path | None = None

    def enter(self) -> None:
        """Move the calling process into the group; called between fork and exec."""
        if self.group is not None:
            with open(self.group / "cgroup.procs", "w", encoding="ascii") as file:
                file.write("0")

    def members(self) -> set[int]:
        """The processes in the group."""
        return group_members(self.group) if self.group else set()

    def used_mb(self, inside: Iterable[int]) -> int:
        """Memory of all that runs inside, in MB."""
        return sum(private_memory(pid) for pid in inside) // MEGABYTE

    def killed(self) -> int:
        """How many processes the kernel killed at the limit."""
        if self.group is None:
            return 0
        name = "memory.events" if self.kind == "cgroup2" else "memory.oom_control"
        fields = dict(line.split() for line in (self.group / name).read_text().splitlines())
        return int(fields.get("oom_kill", 0))


def default_megabytes() -> int:
    """4 GB, or three quarters of a smaller machine."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEGABYTE
    return min(DEFAULT_MB, total * 3 // 4)


def require_enough(megabytes: int | None) -> None:
    """Raises ``invalid_request`` for a limit under which no desktop comes up."""
    if megabytes is not None and (megabytes < 0 or 0 < megabytes < LEAST_MB):
        said = f"{megabytes} MB are too few: a desktop takes {LEAST_MB} by itself, applications more; 0 is no limit"
        raise DeskhandError("invalid_request", said)


def impose(kind: LimitKind | str, megabytes: int, label: str) -> Limit:
    """Make the strongest limit to be had here (``auto``), or the one asked for.

    Raises:
        OSError: the kind asked for cannot be had.
    """
    if kind == "none" or megabytes <= 0:
        return Limit("none", 0)
    if kind in ("auto", "cgroup2") and (group := _version_2(megabytes, label, kind == "cgroup2")):
        return Limit("cgroup2", megabytes, group)
    if kind in ("auto", "cgroup1") and (group := _version_1(megabytes, label, kind == "cgroup1")):
        return Limit("cgroup1", megabytes, group)
    return Limit("watchdog", megabytes)


def available() -> LimitKind:
    """The kind of limit that a desktop started now would get; makes a group and removes it again."""
    limit = impose("auto", 64, f"deskhand-try-{os.getpid()}")
    remove_group(limit.group)
    return limit.kind


def _own_groups() -> dict[str, str]:
    """Controllers (``memory``; empty for version 2) to this process's path in their hierarchy."""
    found: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        found |= {name: path for name in controllers.split(",")}
    return found


def _version_2(megabytes: int, label: str, required: bool) -> Path | None:
    """A group beside our own (a group with processes can have no controlled child), where memory is delegated."""
    own = CGROUPS / _own_groups().get("", "/").lstrip("/")
    parent = own.parent if own != CGROUPS else own
    try:
        if "memory" not in (parent / "cgroup.subtree_control").read_text().split():
            raise OSError(f"memory is not delegated in {parent}")
        group = parent / label
        group.mkdir()
        return _configured(group, {"memory.max": megabytes * MEGABYTE, "memory.swap.max": 0}, "memory.max")
    except OSError:
        if required:
            raise
        return None


def _version_1(megabytes: int, label: str, required: bool) -> Path | None:
    root = CGROUPS / "memory"
    parent = root / _own_groups().get("memory", "/").lstrip("/")
    group = (parent if parent.is_dir() else root) / label
    amount = megabytes * MEGABYTE
    try:
        group.mkdir()
        names = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
        return _configured(group, dict.fromkeys(names, amount), names[0])
    except OSError:
        if required:
            raise
        return None


def _configured(group: Path, values: dict[str, int], needed: str) -> Path:
    """Write the limits; only ``needed`` must exist (swap is not always accounted)."""
    try:
        for name, value in values.items():
            if name == needed or (group / name).exists():
                (group / name).write_text(str(value))
        if not os.access(group / "cgroup.procs", os.W_OK):
            raise PermissionError(f"cannot move processes into {group}")
    except OSError:
        group.rmdir()
        raise
    return group


def group_members(group: Path) -> set[int]:
    """Processes in a cgroup; none where it is gone."""
    try:
        return {int(line) for line in (group / "cgroup.procs").read_text().split()}
    except OSError:
        return set()


def remove_group(group: Path | None, seconds: float = 2.0) -> bool:
    """Remove an empty group; the kernel may need a moment after the last process. Whether it is gone."""
    if group is None:
        return True
    deadline = time.monotonic() + seconds
    while group.is_dir():
        try:
            group.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
    return True


def kill_largest(inside: Iterable[int], spared: Iterable[int], limit: Limit) -> int | None:
    """The watchdog's one look: over the limit, the largest program is killed. Its pid, or None."""
    sizes = {pid: private_memory(pid) for pid in inside}
    if limit.kind != "watchdog" or sum(sizes.values()) <= limit.megabytes * MEGABYTE:
        return None
    candidates = set(sizes) - set(spared)
    largest = max(candidates, key=lambda pid: sizes[pid], default=None)
    if largest is not None:
        send([largest], signal.SIGKILL)
    return largest
