"""Reading chords: ``ctrl+shift+s``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MODIFIERS = {
    "ctrl": "ctrl", "control": "ctrl", "strg": "ctrl", "alt": "alt", "option": "alt", "shift": "shift",
    "super": "super", "meta": "super", "win": "super", "windows": "super", "cmd": "super", "command": "super",
    "hyper": "super", "altgr": "altgr", "control_l": "ctrl", "control_r": "ctrl", "shift_l": "shift",
    "shift_r": "shift", "alt_l": "alt", "alt_r": "alt", "super_l": "super", "super_r": "super",
}  # fmt: skip
_KEYS = {
    "return": "enter", "kp_enter": "enter", "kp-enter": "enter",
    "linefeed": "enter", "iso_enter": "enter", "3270_enter": "enter", "spacebar": "space", "kp_space": "space",
    "del": "delete", "kp_delete": "delete", "back": "backspace", "esc": "escape",
    "\n": "enter", "\r": "enter", " ": "space",
}  # fmt: skip
_ON_THE_PAD = re.compile(r"^(numpad_?|num_?(?!lock))")


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
    joined = re.sub(r"(?<=\S)\s*\+\s*(?=\S)", "+", keys)
    return [_chord(part) for part in joined.split()] or ([_chord(keys)] if keys else [])


def _chord(text: str) -> Chord:
    parts = [part or "+" for part in re.split(r"\+(?!$)", text)]
    names = [part.casefold() for part in parts]
    mods = frozenset(_MODIFIERS[name] for name in names if name in _MODIFIERS)
    rest = [name for name in names if name not in _MODIFIERS]
    key = _ON_THE_PAD.sub("kp_", rest[-1]) if rest else ""
    return Chord(mods, _KEYS.get(key, key))
