"""Names, folders and locks of desktops."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deskhand.isolation import places, sweep
from deskhand.types.errors import DeskhandError


@pytest.mark.parametrize("name", ["default", "a", "Work-2", "a.b_c", "x" * 40])
def test_a_plain_name_is_taken(name: str) -> None:
    assert places.checked_name(name) == name


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../up", "a/b", "-rf", "a-", "x" * 41, "a b", "a\n", "é", "new", "here", "a\0b", ".hidden"]
)
def test_a_name_that_could_do_harm_is_refused(name: str) -> None:
    with pytest.raises(DeskhandError) as caught:
        places.checked_name(name)
    assert caught.value.code == "invalid_request"


def test_the_folder_is_private_and_below_the_runtime_directory(tmp_path: Path) -> None:
    folder = places.desktops_folder({"XDG_RUNTIME_DIR": str(tmp_path)})
    assert folder == tmp_path / f"deskhand-{os.getuid()}" / "desktops"
    assert {path.stat().st_mode & 0o777 for path in (folder, folder.parent)} == {0o700}


@pytest.mark.parametrize("runtime", ["", "relative", "/nonesuch/place"])
def test_without_a_runtime_directory_it_lies_in_tmp(runtime: str) -> None:
    assert places.base_folder({"XDG_RUNTIME_DIR": runtime}) == Path(f"/tmp/deskhand-{os.getuid()}")


def test_a_folder_open_to_others_is_refused(tmp_path: Path) -> None:
    base = places.base_folder({"XDG_RUNTIME_DIR": str(tmp_path)})
    base.mkdir(mode=0o700)
    base.chmod(0o755)
    with pytest.raises(DeskhandError, match="chmod 700"):
        places.desktops_folder({"XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_link_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    places.base_folder({"XDG_RUNTIME_DIR": str(tmp_path)}).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DeskhandError, match="not a folder"):
        places.desktops_folder({"XDG_RUNTIME_DIR": str(tmp_path)})


@pytest.mark.skipif(os.getuid() != 0, reason="needs to give a folder away")
def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    base = places.base_folder({"XDG_RUNTIME_DIR": str(tmp_path)})
    base.mkdir(mode=0o700)
    os.chown(base, 65534, 65534)
    with pytest.raises(DeskhandError, match="another user"):
        places.desktops_folder({"XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_path_too_long_for_sockets_is_refused_before_anything_starts(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60)
    deep.mkdir()
    with pytest.raises(DeskhandError, match="shorter XDG_RUNTIME_DIR"):
        places.desktop_folder("x" * 40, {"XDG_RUNTIME_DIR": str(deep)})


def test_only_one_holds_a_folder(tmp_path: Path) -> None:
    held = places.hold(tmp_path)
    assert held is not None
    assert places.hold(tmp_path) is None
    os.close(held)
    again = places.hold(tmp_path)
    assert again is not None
    os.close(again)


@pytest.mark.proves("report-39")
def test_a_folder_that_nobody_holds_is_reclaimed_and_a_held_one_is_not(tmp_path: Path) -> None:
    for name in ("dead", "living"):
        (tmp_path / name / "home").mkdir(parents=True)
    held = places.hold(tmp_path / "living")
    assert held is not None
    assert sweep.reclaim(tmp_path) == {"dead": ""}
    assert [path.name for path in tmp_path.iterdir()] == ["living"]
    os.close(held)


def test_sweeping_does_not_reach_through_links(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "letter").write_text("dear")
    folder = tmp_path / "desktop"
    folder.mkdir()
    (folder / "home").symlink_to(kept)
    sweep.sweep(folder, None)
    assert not folder.exists()
    assert (kept / "letter").read_text() == "dear"
