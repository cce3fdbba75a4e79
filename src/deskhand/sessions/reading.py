"""Reading records back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskhand.sessions.places import day_files
from deskhand.sessions.recorder import SCHEMA


def events(folder: Path) -> Iterator[dict[str, Any]]:
    """All events of one desktop, oldest first. What a crash or a full disk cut short is one ``unreadable`` event."""
    for path in day_files(folder):
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                yield _event(line, path, number)


def _event(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except ValueError:
        return {"event": "unreadable", "file": path.name, "line": number}
    if not isinstance(event, dict):
        return {"event": "unreadable", "file": path.name, "line": number}
    if event.get("schema") != SCHEMA:
        return {"event": "unreadable", "file": path.name, "line": number, "schema": event.get("schema")}
    return event


def erase(folder: Path) -> int:
    """Remove all records of one desktop; how many files there were."""
    files = day_files(folder)
    for path in files:
        path.unlink(missing_ok=True)
    return len(files)
