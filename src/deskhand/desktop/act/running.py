"""Which processes run on a desktop, by every name that a person may call them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

TOKEN = "DESKHAND_TOKEN"
"""The variable that all processes of an isolated desktop carry."""


def running_names(environment: Mapping[str, str]) -> set[str]:
    """Short names, executables' and programs' file names; of an isolated desktop only what runs inside of it."""
    token = environment.get(TOKEN)
    names: set[str] = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if token is None or f"{TOKEN}={token}\0".encode() in (process / "environ").read_bytes() + b"\0":
                names |= _names(process)
        except OSError:
            continue  # it ended while we looked, or is another user's
    return names


def _names(process: Path) -> set[str]:
    """The kernel cuts a short name to 15 characters, so the command line is looked at, too."""
    words = (process / "cmdline").read_bytes().split(b"\0")
    programs = {Path(word.decode(errors="replace")).name for word in words[:2] if word and not word.startswith(b"-")}
    return {(process / "comm").read_text().strip(), *programs}
