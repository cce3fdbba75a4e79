"""The environment inside a desktop, the X cookie, and what doctor says of what is missing."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from Xlib import xauth

from deskhand.cli import checks
from deskhand.isolation.environment import THUNDERBIRD, inner_environment, java_options, prepare_folders
from deskhand.isolation.messages import Home, Wish
from deskhand.isolation.screen import write_authority

OUTSIDE = {
    "HOME": "/home/someone", "PATH": "/usr/bin", "LANG": "de_DE.UTF-8", "LC_TIME": "fr_FR.UTF-8",
    "XDG_CONFIG_HOME": "/c", "DISPLAY": ":9", "WAYLAND_DISPLAY": "w", "DBUS_SESSION_BUS_ADDRESS": "x", 
    "AT_SPI_BUS_ADDRESS": "x", "XAUTHORITY": "/x", "XDG_RUNTIME_DIR": "/run/user/1", "GTK_IM_MODULE": "ibus",
    "NO_AT_BRIDGE": "1",
    "API_KEY": "secret", "SESSION_MANAGER": "x", "XDG_SESSION_TYPE": "wayland", "GDK_BACKEND": "wayland",
    "TMPDIR": "/elsewhere",
}  # fmt: skip


def wish(folder: Path, home: Home) -> Wish:
    return Wish(name="one", folder=str(folder), token="t", home=home)


def test_of_the_outside_only_what_is_known_comes_in(tmp_path: Path) -> None:
    inside = inner_environment(wish(tmp_path, "own"), OUTSIDE)
    assert (inside["LANG"], inside["LC_TIME"], inside["PATH"]) == ("de_DE.UTF-8", "fr_FR.UTF-8", "/usr/bin")
    absent = {"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "GTK_IM_MODULE", 
              "NO_AT_BRIDGE",              "API_KEY", "SESSION_MANAGER"}  # fmt: skip
    assert absent & set(inside) == set()
    assert (inside["XDG_SESSION_TYPE"], inside["GDK_BACKEND"]) == ("x11", "x11")


def test_everything_temporary_lies_in_the_desktops_folder(tmp_path: Path) -> None:
    inside = inner_environment(wish(tmp_path, "own"), OUTSIDE)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XAUTHORITY", "TMPDIR"):
        assert Path(inside[name]).is_relative_to(tmp_path), name


def test_a_shared_home_keeps_the_users_places(tmp_path: Path) -> None:
    inside = inner_environment(wish(tmp_path, "shared"), OUTSIDE)
    assert (inside["HOME"], inside["XDG_CONFIG_HOME"]) == ("/home/someone", "/c")
    assert Path(inside["XDG_RUNTIME_DIR"]).is_relative_to(tmp_path)


def test_files_are_the_users_and_settings_are_not(tmp_path: Path) -> None:
    inside = inner_environment(wish(tmp_path, "files"), OUTSIDE)
    assert inside["HOME"] == "/home/someone"
    assert Path(inside["XDG_CONFIG_HOME"]).is_relative_to(tmp_path)
    assert inside["XDG_DATA_DIRS"].split(":")[0] in ("/home/someone/.local/share", OUTSIDE.get("XDG_DATA_HOME"))


@pytest.mark.parametrize("home", ["files", "own", "shared"])
def test_folders_are_private_and_settings_are_there(tmp_path: Path, home: Home) -> None:
    prepare_folders(wish(tmp_path, home))
    assert (tmp_path / "run").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "home").exists() == (home != "shared")
    assert "keybind" not in (tmp_path / "config/openbox.xml").read_text(), "no key is taken from applications"
    assert (tmp_path / "config/gtk-3.0/settings.ini").exists()


def test_without_a_language_text_is_still_unicode(tmp_path: Path) -> None:
    assert inner_environment(wish(tmp_path, "own"), {})["LANG"] == "C.UTF-8"


@pytest.mark.parametrize("library", ["usr/lib/x86_64-linux-gnu/jni", "usr/lib/jni"])
def test_java_is_told_of_the_wrapper_only_where_it_can_be_loaded(tmp_path: Path, library: str) -> None:
    assert java_options(tmp_path) == {}
    jar = tmp_path / "usr/share/java/java-atk-wrapper.jar"
    jar.parent.mkdir(parents=True)
    jar.touch()
    assert java_options(tmp_path) == {}, "a wrapper without its library ends every Java program with a window"
    (tmp_path / library).mkdir(parents=True)
    (tmp_path / library / "libatk-wrapper.so").touch()
    assert f"-Xbootclasspath/a:{jar}" in java_options(tmp_path)["JAVA_TOOL_OPTIONS"]


@pytest.mark.proves("report-5")
def test_chromium_inside_of_qt_is_told_to_be_readable(tmp_path: Path) -> None:
    inside = inner_environment(wish(tmp_path, "own"), {})
    assert "--force-renderer-accessibility" in inside["QTWEBENGINE_CHROMIUM_FLAGS"]
    assert ("QTWEBENGINE_DISABLE_SANDBOX" in inside) == (os.geteuid() == 0)


def test_a_mail_program_has_a_profile_of_its_desktop_that_asks_nothing(tmp_path: Path) -> None:
    prepare_folders(wish(tmp_path, "files"))
    assert "mail.shell.checkDefaultClient" in (tmp_path / THUNDERBIRD / "user.js").read_text()


def test_the_cookie_is_private_and_found_by_python_xlib(tmp_path: Path) -> None:
    path = tmp_path / "xauthority"
    write_authority(path, b"0123456789abcdef", "7")
    assert path.stat().st_mode & 0o777 == 0o600
    entries = xauth.Xauthority(str(path)).entries
    assert [(family, number, data) for family, _, number, _, data in entries] == [
        (xauth.FamilyLocal, b"7", b"0123456789abcdef"),
        (struct.unpack(">H", b"\xff\xff")[0], b"", b"0123456789abcdef"),
    ]


@pytest.mark.proves("report-18")
def test_doctor_names_the_missing_program_and_the_command_that_mends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "PROGRAMS", (("sh", "dash"), ("nonesuch-server", "nonesuch-package")))
    found = checks.system_packages()
    assert not found.ok
    assert found.needed
    assert found.found == "missing: nonesuch-server"
    assert found.mend.endswith("apt-get install -y nonesuch-package")


async def test_doctor_needs_no_display_of_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert [(check.ok, check.needed) for check in await checks.here()] == [(True, False)]


async def test_doctor_says_when_the_users_display_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":65000")
    (found,) = await checks.here()
    assert not found.ok
    assert ":65000 does not answer" in found.found
