"""How this program was called, so that the commands which messages name can be typed as they stand."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

_NAMED = re.compile(r'("(?:[^"\\]|\\.)*")|(?<![\w/.-])deskhand(?= (?:approve|daemon|demo|desktop|doctor|log|mcp)\b)')


def command_name() -> str:
    """``deskhand`` where the shell finds it, else a path, or ``PYTHON -m deskhand``, that runs it from here."""
    called = Path(sys.argv[0])
    if called.name == "deskhand":
        return _short(str(called))
    beside = Path(sys.executable).with_name("deskhand")
    return _short(str(beside)) if beside.is_file() else f"{sys.executable} -m deskhand"


def _short(path: str) -> str:
    found = shutil.which("deskhand")
    return "deskhand" if found and os.path.exists(path) and os.path.samefile(found, path) else path


def approval(question: str, desktop: str) -> str:
    """The command with which a person allows it, exact whatever else waits: ids count up on each desktop by itself."""
    return as_called(f"deskhand approve {question}{f' -d {desktop}' if desktop else ''}")


def as_called(text: str, name: str | None = None) -> str:
    """Our own words with the commands in them as they can be typed here; what stands in quotes is left alone."""
    called = name or command_name()
    return _NAMED.sub(lambda found: found[1] or called, text)
