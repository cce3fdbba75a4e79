"""``deskhand log show|erase``: the record of what was done."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import Annotated, Any

import typer

from deskhand.cli.output import print_json, told
from deskhand.desktop.semantics.quoting import quote_cut
from deskhand.sessions.places import records_folder
from deskhand.sessions.reading import erase as erase_records
from deskhand.sessions.reading import events
from deskhand.types.errors import DeskhandError

app = typer.Typer(help="Show or erase the record of what was done.", no_args_is_help=True)
_HEAD = ("schema", "n", "at", "pid", "desktop", "event", "client")

Which = Annotated[str | None, typer.Option("--desktop", help="Only this desktop's.")]


@app.command()
def show(
    desktop: Which = None,
    last: Annotated[int, typer.Option(help="How many events at most.", min=1)] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print the events as they are.")] = False,
) -> None:
    """Show the last events, oldest first."""
    with told(as_json):
        for folder in _folders(desktop):
            for event in deque(events(folder), maxlen=last):
                print_json(event) if as_json else print(_line(event))


@app.command()
def erase(desktop: Which = None) -> None:
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


def _line(event: dict[str, Any]) -> str:
    rest = " ".join(f"{key}={quote_cut(str(value), 200)}" for key, value in event.items() if key not in _HEAD)
    return f"{event.get('at', '')} {event.get('desktop', '')} {event.get('event')} {rest}".strip()
