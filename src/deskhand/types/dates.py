"""Dates and times as HTML writes them, and the parts of a field that takes them one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ORDER = ("year", "month", "day", "hour", "minute", "second")
_MOST = {12: "month", 31: "day", 23: "hour", 59: "minute"}
_WRITTEN = re.compile(r"(?:(\d{4,6})-(\d{2})(?:-(\d{2}))?)?T?(?:(\d{2}):(\d{2})(?::(\d{2}))?)?")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a field: its name, its number and text where known, and its maximum."""

    name: str
    number: float | None
    text: str
    most: float | None


def kinds(parts: Sequence[Part]) -> list[str]:
    """What each part of a field is, by its maximum, else by its English name; empty for one that is unknown."""
    found: list[str] = []
    for part in parts:
        called = next((word for word in part.name.casefold().split() if word in _ORDER), "")
        kind = called if part.most is None else _MOST.get(int(part.most), "year" if part.most > 999 else called)
        found.append("second" if kind == "minute" and "minute" in found else kind)
    return found


def composed(parts: Sequence[Part]) -> str:
    """What the parts hold together; empty while one of them is empty, or where they are no date or time."""
    held = {}
    for kind, part in zip(kinds(parts), parts, strict=True):
        if part.number is None and not part.text.isdigit():
            return ""
        held[kind] = int(part.text) if part.text.isdigit() or part.number is None else int(part.number)
    return written(held)


def written(held: dict[str, int]) -> str:
    """``{"year": 2026, "month": 1, "day": 31}`` → ``2026-01-31``."""
    date = "-".join(f"{held[kind]:0{4 if kind == 'year' else 2}}" for kind in _ORDER[:3] if kind in held)
    time = ":".join(f"{held[kind]:02}" for kind in _ORDER[3:] if kind in held)
    return "T".join(part for part in (date, time) if part)


def taken_apart(value: str) -> dict[str, int]:
    """``2026-01-31`` → ``{"year": 2026, "month": 1, "day": 31}``; empty for what is no date or time."""
    match = _WRITTEN.fullmatch(value.strip().replace(" ", "T"))
    groups = match.groups() if match else ()
    return {kind: int(said) for kind, said in zip(_ORDER, groups, strict=False) if said is not None}
