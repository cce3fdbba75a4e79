"""What browsers must be told when they start, or their windows cannot be read: report 5.

Chromium, and every program built on it (Electron too), builds no accessibility tree of its pages unless an assistive
technology runs or it is told to by a switch; as root it does not start at all with its sandbox on.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from deskhand.isolation.environment import program

_CHROMIUM = frozenset(
    {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "google-chrome-beta", "chrome",
     "brave-browser", "brave", "microsoft-edge", "microsoft-edge-stable", "vivaldi", "vivaldi-stable", "opera"}
)  # fmt: skip
_GECKO = dict.fromkeys(("firefox", "firefox-esr", "firefox-bin", "librewolf", "waterfox"), "firefox") | dict.fromkeys(
    ("thunderbird", "thunderbird-bin", "betterbird"), "thunderbird"
)
"""Programs of Mozilla's kind with the profile that an isolated desktop has for them."""
_MARKS = ("chrome_100_percent.pak", "v8_context_snapshot.bin", "snapshot_blob.bin")
"""Files that lie beside the binary of every program built on Chromium."""
_READABLE = ("--force-renderer-accessibility",)
_AS_ROOT = ("--no-sandbox", "--test-type")
"""The second keeps the bar away that warns of the first."""
_UNATTENDED = (
    "--no-first-run", "--no-default-browser-check", "--password-store=basic", "--disable-search-engine-choice-screen",
    "--hide-crash-restore-bubble",
)  # fmt: skip
"""No welcome, no question before the first page, no wait for a keyring that nobody unlocks."""
_PROFILED = frozenset({"--user-data-dir", "--profile", "-profile", "-P", "-p", "--ProfileManager"})


def switched(command: Sequence[str], environment: Mapping[str, str], profiles: Path | None = None) -> list[str]:
    """The command with the switches that a browser needs; any other command as it is.

    Args:
        command: the program and its arguments.
        environment: where the program is looked for.
        profiles: the folder of an isolated desktop's profiles; there nothing is asked that only a person would answer.
    """
    if not command:
        return []
    wanted = _wanted(command[0], environment, profiles)
    given = {argument.partition("=")[0] for argument in command[1:]}
    own = given & _PROFILED
    fresh = [w for w in wanted if (name := w[0].partition("=")[0]) not in given and not (own and name in _PROFILED)]
    return [command[0], *(part for switch in fresh for part in switch), *command[1:]]


def _wanted(name: str, environment: Mapping[str, str], profiles: Path | None) -> list[tuple[str, ...]]:
    called = Path(name).name
    if called in _GECKO:
        return [("--profile", str(profiles / _GECKO[called]))] if profiles is not None else []
    if not is_chromium(name, environment):
        return []
    wanted = [*_READABLE, *(_AS_ROOT if os.geteuid() == 0 else ())]
    if profiles is not None and called in _CHROMIUM:
        wanted += [*_UNATTENDED, f"--user-data-dir={profiles / called}"]
    return [(switch,) for switch in wanted]


def is_chromium(name: str, environment: Mapping[str, str]) -> bool:
    """Whether it is Chromium or built on it: by its name, or by what lies beside its binary."""
    if Path(name).name in _CHROMIUM:
        return True
    found = program(name, environment)
    folder = Path(found).resolve().parent if found else None
    return folder is not None and any((folder / mark).exists() for mark in _MARKS)
