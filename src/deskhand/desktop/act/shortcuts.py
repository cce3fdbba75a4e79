"""Shortcuts that an application did not know, and took as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deskhand.desktop.act.evidence import Outcome
from deskhand.types.keynames import x_name

_HELD = frozenset({"Control", "Alt", "Super", "Hyper"})
"""Modifiers that make a shortcut of a letter, and no other letter."""


def as_typed(outcome: Outcome, chords: Sequence[str]) -> Outcome:
    """Not ``verified`` where the text has grown by just the letters of the chords: then nothing but that was done.

    Measured: GTK 3 and 4 heed no Super where they know no such shortcut, and type the letter.
    """
    old, new = outcome.before, outcome.after
    if outcome.bare or not (isinstance(old, str) and isinstance(new, str)) or not all(map(_is_shortcut, chords)):
        return outcome
    letters = "".join(_key(chord) for chord in chords)
    if _inserted(old, new).casefold() != letters.casefold():
        return outcome
    other = any(chord.casefold().lstrip().startswith(("cmd", "command")) for chord in chords)
    usual = "; what cmd does elsewhere, ctrl does here" if other else ""
    note = f"the application took it as text{usual}"
    return replace(outcome, verdict="changed", note="; ".join(part for part in (note, outcome.note) if part))


def _key(chord: str) -> str:
    return chord.rpartition("+")[2].strip()


def _mods(chord: str) -> set[str]:
    return {x_name(part).partition("_")[0] for part in chord.split("+")[:-1]}


def _is_shortcut(chord: str) -> bool:
    return len(_key(chord)) == 1 and bool(_HELD & _mods(chord))


def _inserted(old: str, new: str) -> str:
    """What stands in the new text between what both begin with and what both end with."""
    start = _alike(old, new)
    return new[start : len(new) - _alike(old[start:][::-1], new[start:][::-1])]


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
