"""Locks beside the user's documents: known by the process that holds the document and the profile that they name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deskhand.isolation.document_locks import locks_of, remove_locks

_DESKTOP = "/run/user/0/deskhand-0/desktops/my desk"


def written(document: Path, profile: str) -> Path:
    """A document and the lock beside it, as LibreOffice names and fills it."""
    document.write_text("text")
    lock = document.with_name(f".~lock.{document.name}#")
    lock.write_text(f",root,machine,30.11.2026 21:51,file://{profile}/.config/libreoffice/4;")
    return lock


@pytest.mark.proves("report-39")
def test_only_locks_of_the_desktops_own_profile_beside_open_documents_are_removed(tmp_path: Path) -> None:
    mine = written(tmp_path / "mine ü,#.ods", _DESKTOP.replace(" ", "%20") + "/home")
    users = written(tmp_path / "users.ods", "/home/me")
    closed = written(tmp_path / "closed.ods", _DESKTOP.replace(" ", "%20") + "/home")
    with (tmp_path / "mine ü,#.ods").open(), (tmp_path / "users.ods").open():
        found = locks_of([os.getpid()], Path(_DESKTOP))
    assert found == {mine}
    remove_locks({mine, users}, Path(_DESKTOP))
    assert [lock.exists() for lock in (mine, users, closed)] == [False, True, True]


@pytest.mark.proves("report-39")
def test_what_somebody_else_locked_meanwhile_stays(tmp_path: Path) -> None:
    lock = written(tmp_path / "a.odt", _DESKTOP.replace(" ", "%20") + "/home")
    with (tmp_path / "a.odt").open():
        found = locks_of([os.getpid()], Path(_DESKTOP))
    (tmp_path / "elsewhere").write_text(lock.read_text())
    lock.write_text(",me,machine,30.11.2026 22:00,file:///home/me/.config/libreoffice/4;")
    remove_locks(found, Path(_DESKTOP))
    assert lock.exists()
    lock.unlink()
    lock.symlink_to(tmp_path / "elsewhere")
    remove_locks(found, Path(_DESKTOP))
    assert lock.is_symlink()
