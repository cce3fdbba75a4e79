"""What ``deskhand doctor`` looks at: one function a finding, each with the command that mends it."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

from Xlib.display import Display
from Xlib.error import DisplayConnectionError, DisplayError, XauthError

from deskhand import isolation
from deskhand.cli.configuration import load_settings, settings_file
from deskhand.isolation import available_limit, base_folder
from deskhand.sessions.places import records_folder
from deskhand.types.errors import DeskhandError

PROGRAMS = (
    ("Xvfb", "xvfb"),
    ("dbus-daemon", "dbus"),
    ("at-spi-bus-launcher", "at-spi2-core"),
    ("at-spi2-registryd", "at-spi2-core"),
    ("openbox", "openbox"),
)
"""What an isolated desktop consists of: program and Debian package."""
APPLICATIONS = (
    ("mousepad", "mousepad"),
    ("gnome-calculator", "gnome-calculator"),
    ("soffice", "libreoffice-calc libreoffice-gtk3"),
)
"""What ``make demo`` and the tests drive."""
FOLDERS = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/bin")
LIMITS = {
    "cgroup2": "cgroup v2",
    "cgroup1": "cgroup v1",
    "watchdog": "a watchdog on resident memory (no cgroup can be made here)",
    "none": "none",
}


@dataclass(frozen=True)
class Check:
    """One finding. ``needed``: without it deskhand cannot work here. ``mend``: the command that mends it."""

    name: str
    ok: bool
    found: str
    needed: bool = True
    mend: str = ""


def install(*packages: str) -> str:
    """The command that installs Debian packages, as this user."""
    return ("" if os.getuid() == 0 else "sudo ") + "apt-get install -y " + " ".join(dict.fromkeys(packages))


def python() -> Check:
    """The interpreter's version."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    return Check("python", sys.version_info >= (3, 11), version, mend=install("python3.11"))


def python_packages() -> Check:
    """Everything that deskhand itself declares."""
    declared = importlib.metadata.requires("deskhand") or []
    names = [re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in declared if "extra ==" not in line]
    missing = [name for name in names if not _has_package(name)]
    mend = f"{sys.executable} -m pip install {' '.join(missing)}"
    return _listed("python packages", missing, f"{len(names)} present", mend)


def _has_package(name: str) -> bool:
    try:
        return bool(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False


def _listed(name: str, missing: list[str], all_well: str, mend: str, needed: bool = True) -> Check:
    if not missing:
        return Check(name, True, all_well, needed)
    return Check(name, False, "missing: " + ", ".join(missing), needed, mend)


def _programs(name: str, wanted: tuple[tuple[str, str], ...], needed: bool) -> Check:
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *FOLDERS))
    missing = [(program, package) for program, package in wanted if not shutil.which(program, path=path)]
    packages = [package for _, package in missing]
    return _listed(name, [program for program, _ in missing], "all present", install(*packages), needed)


def system_packages() -> Check:
    """The programs of an isolated desktop."""
    return _programs("isolated desktop's programs", PROGRAMS, True)


def several_monitors() -> Check:
    """What a desktop with several monitors needs besides."""
    return _programs("desktops with several monitors", (("Xvnc", "tigervnc-standalone-server"),), False)


def applications() -> Check:
    """The applications of the demo and the tests."""
    return _programs("demo and test applications", APPLICATIONS, False)


async def trial() -> list[Check]:
    """Start an isolated desktop, ask its buses, stop it."""
    begun = time.monotonic()
    try:
        desktop = await isolation.start(f"doctor-{os.getpid()}", tied=True)
    except DeskhandError as error:
        return [Check("isolated desktop", False, error.message, mend=_mend_trial(error.message))]
    seconds = time.monotonic() - begun
    try:
        return [
            Check("isolated desktop", True, f"ready in {seconds:.2f} s on {desktop.record.display}"),
            await _accessibility("its accessibility bus", desktop.environment, True),
        ]
    finally:
        await desktop.stop()


def _mend_trial(message: str) -> str:
    if package := re.search(r"apt-get install (\S+)", message):
        return install(package.group(1))
    said = re.search(r"run: ([^;]+)", message)
    return said.group(1) if said else ""


async def _accessibility(name: str, environment: Mapping[str, str], needed: bool) -> Check:
    mend = "gsettings set org.gnome.desktop.interface toolkit-accessibility true"
    try:
        found = await isolation.accessibility_of(environment)
    except DeskhandError as error:
        return Check(name, False, error.message, needed, _mend_bus(error.message))
    if not found.enabled:
        return Check(name, False, "answers, but accessibility is switched off", needed, mend)
    registry = "registry answers" if found.registry else "registry not started yet"
    return Check(
        name, found.registry or not needed, f"answers, accessibility on, {registry}", needed, install("at-spi2-core")
    )


def _mend_bus(message: str) -> str:
    """A bus that is there and silent wants to be started again; one that is not there to be installed."""
    if "not answer" not in message:
        return install("dbus", "at-spi2-core")
    if "session bus" in message:
        return "systemctl --user restart dbus   # or log out and in; applications lose their connection"
    return "systemctl --user restart at-spi-dbus-bus   # or: pkill -u $USER at-spi-bus-laun; it starts again by itself"


def leftovers() -> Check:
    """What a crash left and what keeps it from being swept."""
    try:
        found = isolation.reclaim(isolation.desktops_folder())
    except DeskhandError as error:
        return Check("left by crashes", False, error.message, mend=_mend_trial(error.message))
    stuck = [f"{name} ({reason})" for name, reason in found.items() if reason]
    swept = ", ".join(name for name, reason in found.items() if not reason)
    return Check("left by crashes", not stuck, ", ".join(stuck) or (f"swept: {swept}" if swept else "nothing"), False)


def memory_limit() -> Check:
    """The kind of memory limit that a desktop gets here."""
    return Check("memory limit", True, LIMITS[available_limit()], needed=False)


async def here() -> list[Check]:
    """The user's own display and session; isolated desktops do without."""
    shown = os.environ.get("DISPLAY")
    if not shown:
        return [Check("your own display", True, "none (DISPLAY is not set); isolated desktops do without", False)]
    try:
        Display(shown).close()
    except (DisplayError, DisplayConnectionError, XauthError, OSError, OverflowError) as error:
        mend = "unset DISPLAY   # or set DISPLAY and XAUTHORITY to a display that runs"
        return [Check("your own display", False, f"{shown} does not answer: {error}", False, mend)]
    return [
        Check("your own display", True, f"{shown} answers", False),
        await _accessibility("your own accessibility bus", os.environ, False),
    ]


def settings() -> Check:
    """Whether the configuration can be read."""
    path = settings_file(os.environ)
    try:
        load_settings(os.environ)
    except DeskhandError as error:
        variable = re.search(r"DESKHAND_[A-Z_]+", error.message)
        mend = f"unset {variable.group()}" if variable else f"${{EDITOR:-nano}} {path}"
        return Check("configuration", False, error.message, mend=mend)
    return Check("configuration", True, "well" if path.exists() else "none, the defaults stand")


def paths() -> dict[str, str]:
    """Where things are kept."""
    return {
        "state": str(base_folder()),
        "config": str(settings_file(os.environ)),
        "records": str(records_folder(os.environ)),
    }
