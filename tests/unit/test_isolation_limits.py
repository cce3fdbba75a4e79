"""Memory limits: which kind is made where, and whom the watchdog kills. The cgroup file systems are folders here."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from pathlib import Path

import pytest

from deskhand.isolation import limits
from deskhand.isolation.limits import MEGABYTE, Limit


@pytest.fixture
def cgroups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no cgroups yet, this process at ``/user/session``."""
    monkeypatch.setattr(limits, "CGROUPS", tmp_path)
    monkeypatch.setattr(limits, "_own_groups", lambda: {"": "/user/session", "memory": "/user/session"})
    return tmp_path


def kernel_fills(monkeypatch: pytest.MonkeyPatch, *files: str) -> None:
    """Make ``mkdir`` of a group create its control files, as the kernel does."""
    plain = Path.mkdir

    def mkdir(path: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        plain(path, mode, parents, exist_ok)
        for name in (*files, "cgroup.procs"):
            (path / name).write_text("")

    monkeypatch.setattr(Path, "mkdir", mkdir)


def test_version_2_is_taken_where_memory_is_delegated(cgroups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cgroups / "user/session").mkdir(parents=True)
    (cgroups / "user/cgroup.subtree_control").write_text("cpu memory pids\n")
    kernel_fills(monkeypatch, "memory.max", "memory.swap.max")
    limit = limits.impose("auto", 100, "desk")
    assert limit == Limit("cgroup2", 100, cgroups / "user/desk")
    assert (cgroups / "user/desk/memory.max").read_text() == str(100 * MEGABYTE)
    assert (cgroups / "user/desk/memory.swap.max").read_text() == "0"


def test_version_1_is_taken_where_version_2_has_no_memory(cgroups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cgroups / "memory/user/session").mkdir(parents=True)
    kernel_fills(monkeypatch, "memory.limit_in_bytes")
    limit = limits.impose("auto", 100, "desk")
    assert limit == Limit("cgroup1", 100, cgroups / "memory/user/session/desk")
    assert (cgroups / "memory/user/session/desk/memory.limit_in_bytes").read_text() == str(100 * MEGABYTE)


def test_without_cgroups_a_watchdog_stands_in(cgroups: Path) -> None:
    assert limits.impose("auto", 100, "desk") == Limit("watchdog", 100)


def test_a_kind_that_was_asked_for_and_cannot_be_had_is_an_error(cgroups: Path) -> None:
    with pytest.raises(OSError, match="user"):
        limits.impose("cgroup2", 100, "desk")


def test_no_limit_is_no_limit(cgroups: Path) -> None:
    assert limits.impose("auto", 0, "desk") == Limit("none", 0)


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Who was killed; process N holds N megabytes."""
    victims: list[int] = []

    def note(pids: Iterable[int], number: signal.Signals) -> None:
        assert number is signal.SIGKILL
        victims.extend(pids)

    monkeypatch.setattr(limits, "private_memory", lambda pid: pid * MEGABYTE)
    monkeypatch.setattr(limits, "send", note)
    return victims


def test_under_the_limit_nobody_is_killed(killed: list[int]) -> None:
    assert limits.kill_largest([10, 20, 30], [], Limit("watchdog", 60)) is None
    assert killed == []


def test_over_the_limit_the_largest_is_killed(killed: list[int]) -> None:
    assert limits.kill_largest([10, 20, 31], [], Limit("watchdog", 60)) == 31
    assert killed == [31]


def test_what_the_desktop_rests_on_is_spared(killed: list[int]) -> None:
    assert limits.kill_largest([10, 20, 31], [31], Limit("watchdog", 60)) == 20
    assert killed == [20]


def test_where_a_cgroup_limits_the_watchdog_sleeps(killed: list[int]) -> None:
    assert limits.kill_largest([100], [], Limit("cgroup1", 60, Path("/nonesuch"))) is None
    assert killed == []
