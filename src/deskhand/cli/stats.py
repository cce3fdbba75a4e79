"""``deskhand stats``: what the records say of how desktops were used."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from deskhand.cli.driving import OnlyOption
from deskhand.cli.output import print_json, told
from deskhand.sessions.places import records_folder
from deskhand.sessions.reading import events
from deskhand.sessions.statistics import Statistics, count
from deskhand.types.errors import DeskhandError

_FOLLOWERS = 12
_DAY = 86400


def stats(
    desktop: OnlyOption = None,
    days: Annotated[float, typer.Option(min=0, help="Only the last days.")] = 14,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Tell channel shares, batch sizes, refusals per 1,000 calls, and what follows an error."""
    with told(as_json):
        oldest = time.time() - days * _DAY
        found = count(_since(folder, oldest) for folder in _folders(desktop))
        print_json(found.typed()) if as_json else print("\n".join(_lines(found)))


def _folders(desktop: str | None) -> list[Path]:
    base = records_folder(os.environ)
    there = sorted(path for path in base.iterdir() if path.is_dir()) if base.is_dir() else []
    if desktop is None:
        return there
    if desktop not in [path.name for path in there]:
        raise DeskhandError("not_found", f"nothing is recorded of {desktop}", candidates=[p.name for p in there])
    return [base / desktop]


def _since(folder: Path, oldest: float) -> Iterator[Mapping[str, Any]]:
    return (event for event in events(folder) if float(event.get("at", oldest)) >= oldest)


def _lines(found: Statistics) -> Iterator[str]:
    total = found.calls.total()
    if not total:
        yield "nothing is recorded"
        return
    yield f"{total} calls: {_shares(found.calls)}"
    yield f"channels: {_shares(found.channels)}"
    yield f"input by: {_shares(found.routes)}"
    yield f"effects: {_shares(found.verdicts)}"
    if found.batches:
        yield _batches(found.batches)
    yield f"refusals per 1,000 calls: {_per_thousand(found.refusals, total)}"
    yield f"failures after input per 1,000 calls: {_per_thousand(found.failures, total)}"
    for (code, what), times in found.followers.most_common(_FOLLOWERS):
        yield f"after {code}: {what}, {times}x"
    medians = {name: sorted(spent)[len(spent) // 2] for name, spent in found.seconds.items()}
    yield "median seconds: " + ", ".join(f"{name} {spent:.2f}" for name, spent in sorted(medians.items()))
    if found.unreadable:
        yield f"{found.unreadable} lines of the records cannot be read"


def _per_thousand(found: Counter[str], calls: int) -> str:
    if not found:
        return "none"
    each = ", ".join(f"{code} {1000 * number / calls:.0f}" for code, number in found.most_common())
    return f"{1000 * found.total() / calls:.0f} ({each})"


def _batches(sizes: list[int]) -> str:
    many = sum(size > 1 for size in sizes) / len(sizes)
    mean = sum(sizes) / len(sizes)
    return f"batches: {len(sizes)}, {mean:.1f} steps on average, at most {max(sizes)}; {many:.0%} of more than one"


def _shares(found: Counter[str]) -> str:
    total = found.total()
    return ", ".join(f"{name} {number / total:.0%}" for name, number in found.most_common()) or "none"
