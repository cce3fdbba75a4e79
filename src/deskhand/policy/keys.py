"""Reading chords: ``ctrl+shift+s``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deskhand.types.keynames import MODIFIERS, sequence, x_name

_HELD = {"Control": "ctrl", "Shift": "shift", "Alt": "alt", "Super": "super", "Hyper": "super", "ISO": "altgr"}
"""Modifiers by the beginning of X's names of them."""
_KEYS = {
    "return": "enter", "kp_enter": "enter", "kp-enter": "enter", "linefeed": "enter", "iso_enter": "enter",
    "3270_enter": "enter", "kp_space": "space", "kp_delete": "delete", "kp_tab": "tab", "kp_up": "up",
    "kp_down": "down", "kp_left": "left", "kp_right": "right", "kp_home": "home", "kp_end": "end",
    "\n": "enter", "\r": "enter", " ": "space",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chord:
    """Modifiers (``ctrl alt shift super altgr``) and a key in lower case (``enter space delete a f4``)."""

    mods: frozenset[str]
    key: str

    def only(self, *mods: str) -> bool:
        """Whether exactly these modifiers are held."""
        return self.mods == frozenset(mods)


def chords(keys: str) -> list[Chord]:
    """The chords of a ``key`` step, in order; several are parted by spaces. ``ctrl + q`` is one."""
    return [_chord(part) for part in sequence(keys)]


def _chord(text: str) -> Chord:
    parts = [part or "+" for part in re.split(r"\+(?!$)", text)]
    held = [MODIFIERS[part.lower()] for part in parts if part.lower() in MODIFIERS]
    rest = [part for part in parts if part.lower() not in MODIFIERS]
    key = x_name(rest[-1]).casefold() if rest else ""
    return Chord(frozenset(_HELD[name.partition("_")[0]] for name in held), _KEYS.get(key, key))
