"""Date and time fields of pages: a frame around number fields, one for each part.

What they hold together is told as HTML writes it (``2026-01-31``, ``13:05``, ``2026-01-31T13:05``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.dates import Part, composed


def told(raws: Mapping[str, Raw]) -> dict[str, Raw]:
    """Date fields among these, with what they hold as their text."""
    parts: dict[str, list[Raw]] = {}
    for raw in raws.values():
        if raw.role == "spinbutton" and (field := _field(raw, raws)) is not None:
            parts.setdefault(field.key, []).append(raw)
    found = {key: composed([_part(raw) for raw in each]) for key, each in parts.items()}
    return {key: replace(raws[key], text=text, text_length=len(text)) for key, text in found.items()}


def _part(raw: Raw) -> Part:
    current, _least, most = raw.value or (None, None, None)
    return Part(raw.name, current, raw.text or "", most or None)


def _field(raw: Raw, raws: Mapping[str, Raw]) -> Raw | None:
    above = raws.get(raw.parent or "")
    while above is not None and above.number != words.DATE_ROLE:
        above = raws.get(above.parent or "")
    return above
