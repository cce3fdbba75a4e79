"""``deskhand log show|erase``: the record of what was done."""

from __future__ import annotations

import heapq
import os
from collections import deque
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from deskhand.cli.commands import OPTIONS
from deskhand.cli.driving import OnlyOption
from deskhand.cli.output import print_json, told
from deskhand.desktop.semantics.quoting import quote_cut
from deskhand.sessions.places import records_folder
from deskhand.sessions.reading import erase as erase_records
from deskhand.sessions.reading import events
from deskhand.types.errors import DeskhandError

app = typer.Typer(help="Show or erase the record of what was done.", no_args_is_help=True, **OPTIONS)
_HEAD = ("schema", "n", "at", "pid", "desktop", "event", "client")


@app.command()
def show(
    desktop: OnlyOption = None,
    last: Annotated[int, typer.Option(help="How many events at most.", min=1)] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print the events as they are.")] = False,
) -> None:
    """Show the last events of all desktops, oldest first."""
    with told(as_json):
        found = heapq.merge(*(events(folder) for folder in _folders(desktop)), key=_stamp)
        shown = list(deque(found, maxlen=last))
        for event in shown:
            print_json(event) if as_json else print(_line(event))
        if not shown and not as_json:
            print("nothing recorded")


@app.command()
def erase(desktop: OnlyOption = None) -> None:
    """Erase records."""
    with told():
        files = sum(erase_records(folder) for folder in _folders(desktop))
        print(f"erased {files} file{'' if files == 1 else 's'}")


def _folders(desktop: str | None) -> list[Path]:
    base = records_folder(os.environ)
    if desktop is not None and (base / desktop).parent != base:
        raise DeskhandError("invalid_request", "a desktop's name holds no /")
    if desktop is not None:
        return [base / desktop]
    return sorted(path for path in base.iterdir() if path.is_dir()) if base.is_dir() else []


def _stamp(event: dict[str, Any]) -> float:
    """Seconds since 1970; what cannot be read has none and comes first."""
    at = event.get("at")
    return float(at) if isinstance(at, int | float) else 0.0


def _when(event: dict[str, Any]) -> str:
    """In this machine's own time."""
    stamp = _stamp(event)
    return datetime.fromtimestamp(stamp).isoformat(sep=" ", timespec="milliseconds") if stamp else "unknown time"


def _line(event: dict[str, Any]) -> str:
    rest = " ".join(f"{key}={quote_cut(str(value), 200)}" for key, value in event.items() if key not in _HEAD)
    return f"{_when(event)} {event.get('desktop', '')} {event.get('event')} {rest}".strip()
