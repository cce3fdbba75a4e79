"""The environment of everything that runs inside a desktop: little of the outside, and nothing of its session."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from deskhand.isolation.messages import Home, Wish
from deskhand.isolation.places import BASE

PASSED = re.compile(
    r"PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|USER|LOGNAME|SHELL|HOME|XDG_DATA_DIRS|JAVA_HOME|SSL_CERT_(FILE|DIR)"
    r"|(https?|ftp|all|no)_proxy|(HTTPS?|FTP|ALL|NO)_PROXY"
)
"""What comes in from outside. Displays, buses, sessions, input methods and everything unknown stay out."""

TOOLKITS = {
    "GDK_BACKEND": "x11",
    "GTK_MODULES": "gail:atk-bridge",
    "GNOME_ACCESSIBILITY": "1",
    "QT_ACCESSIBILITY": "1",
    "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "QT_QPA_PLATFORM": "xcb",
    "SAL_USE_VCLPLUGIN": "gtk3",
    "GSETTINGS_BACKEND": "memory",
    "GSK_RENDERER": "cairo",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GIO_USE_VFS": "local",
    "GVFS_DISABLE_FUSE": "1",
    "MOZ_CRASHREPORTER_DISABLE": "1",
    "GTK_USE_PORTAL": "0",
    "XDG_SESSION_TYPE": "x11",
}

FIREFOX, THUNDERBIRD = "profiles/firefox", "profiles/thunderbird"
"""Folders of a desktop's own profiles, below the desktop's."""

ATK_WRAPPER = "usr/share/java/java-atk-wrapper.jar"
ATK_LIBRARIES = ("usr/lib/*/jni/libatk-wrapper.so", "usr/lib/jni/libatk-wrapper.so", "usr/lib64/libatk-wrapper.so")
"""What puts Java programs on the accessibility bus, below the root of the file system."""


def java_options(root: Path = Path("/")) -> dict[str, str]:
    """The variable that lets Swing use its ATK wrapper; empty where jar or library is not installed.

    A class that is named but cannot be loaded ends every Java program with a window. The jar goes behind the boot class
    path, because a program's own class path would replace one that the environment gives.
    """
    jar = root / ATK_WRAPPER
    if not jar.is_file() or not any(found for place in ATK_LIBRARIES for found in root.glob(place)):
        return {}
    wrapper = "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper"
    return {"JAVA_TOOL_OPTIONS": f"-Xbootclasspath/a:{jar} {wrapper}"}


def engine_options() -> dict[str, str]:
    """What the Chromium inside of Qt's web views must be told: they take no switch from their program's command line.

    Without the first it tells no tree of its pages (measured: Falkon, Qt 5.15); as root it ends with its sandbox on.
    """
    readable = {"QTWEBENGINE_CHROMIUM_FLAGS": "--force-renderer-accessibility"}
    return readable | ({"QTWEBENGINE_DISABLE_SANDBOX": "1"} if os.geteuid() == 0 else {})


def prepare_folders(wish: Wish) -> None:
    """Make the desktop's own folders and the settings that pin fonts and switch animations off."""
    folder = Path(wish.folder)
    for name in ("run", "tmp", "logs", "config", "config/gtk-3.0", "config/gtk-4.0", "profiles", FIREFOX, THUNDERBIRD):
        (folder / name).mkdir(mode=0o700, exist_ok=True)
    if wish.home != "shared":
        _prepare_home(folder / "home")
    files = resources.files("deskhand.isolation") / "files"
    for source, target in (("gtk.ini", "gtk-3.0/settings.ini"), ("gtk.ini", "gtk-4.0/settings.ini"),
                           ("fonts.conf", "fonts.conf"), ("openbox.xml", "openbox.xml"),
                           ("firefox.js", f"../{FIREFOX}/user.js"),
                           ("thunderbird.js", f"../{THUNDERBIRD}/user.js")):  # fmt: skip
        (folder / "config" / target).write_bytes((files / source).read_bytes())


def _prepare_home(home: Path) -> None:
    """An empty home; LibreOffice is told that it has been started before, so that no tip stands over the document."""
    for name in ("", ".config", ".cache", ".local", ".local/share", ".local/state"):
        (home / name).mkdir(mode=0o700, exist_ok=True)
    profile = home / ".config" / "libreoffice" / "4" / "user"
    profile.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = resources.files("deskhand.isolation") / "files" / "libreoffice.xcu"
    target = profile / "registrymodifications.xcu"
    if not target.exists():
        target.write_bytes(settings.read_bytes())


def inner_environment(wish: Wish, outside: Mapping[str, str]) -> dict[str, str]:
    """The variables known before the display and the buses are up."""
    folder = Path(wish.folder)
    inside = {name: value for name, value in outside.items() if PASSED.fullmatch(name)}
    inside |= TOOLKITS | java_options() | engine_options()
    inside.setdefault("LANG", "C.UTF-8")
    inside.setdefault("PATH", os.defpath)
    inside.setdefault("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    inside |= {
        "DESKHAND_DESKTOP": wish.name,
        BASE: str(folder.parent.parent),
        "DESKHAND_TOKEN": wish.token,
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "XDG_CONFIG_DIRS": f"{folder / 'config'}:{outside.get('XDG_CONFIG_DIRS') or '/etc/xdg'}",
        "XAUTHORITY": str(folder / "run" / "xauthority"),
        "ICEAUTHORITY": str(folder / "run" / "iceauthority"),
        "TMPDIR": str(folder / "tmp"),
        "FONTCONFIG_FILE": str(folder / "config" / "fonts.conf"),
    }
    inside |= _home(wish.home, folder / "home", outside)
    return inside | wish.environment


def _home(kind: Home, folder: Path, outside: Mapping[str, str]) -> dict[str, str]:
    if kind == "own":
        return _own_home(folder)
    shared = _shared_home(outside)
    if kind == "shared":
        return shared
    # Settings of its own: a single-instance application with the user's profile would answer on the user's screen.
    theirs = shared.get("XDG_DATA_HOME") or f"{shared['HOME']}/.local/share"
    found = outside.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return _own_home(folder) | {"HOME": shared["HOME"], "XDG_DATA_DIRS": f"{theirs}:{found}"}


def _own_home(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
    }


def _shared_home(outside: Mapping[str, str]) -> dict[str, str]:
    names = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    home = {"HOME": outside.get("HOME") or os.path.expanduser("~")}
    return home | {name: outside[name] for name in names if outside.get(name)}


def program(name: str, environment: Mapping[str, str] | None = None, *places: str) -> str | None:
    """The full path of a program on ``PATH`` or in one of ``places`` (folders); None where there is none."""
    path = (environment or os.environ).get("PATH", os.defpath)
    return shutil.which(name, path=os.pathsep.join((path, "/usr/bin", *places)))
