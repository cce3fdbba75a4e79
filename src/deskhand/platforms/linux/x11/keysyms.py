"""Characters, key names and X keysyms.

Keysym numbering: X Window System Protocol, appendix A. Ranges that copy an old character set are decoded by it.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from Xlib import XK
from Xlib.keysymdef import xf86, xkb

from deskhand.types.errors import DeskhandError
from deskhand.types.keynames import MODIFIERS, x_name
from deskhand.types.texts import sendable

UNICODE_OFFSET = 0x01000000
RETURN, TAB = 0xFF0D, 0xFF09

_LEGACY_SETS = {
    0x01: "iso8859-2", 0x02: "iso8859-3", 0x03: "iso8859-4", 0x05: "iso8859-6", 0x06: "koi8-u", 0x0C: "iso8859-8",
    0x0D: "iso8859-11",
}  # fmt: skip
# Greek differs from ISO 8859-7 below 0xC0; Serbian and Byelorussian letters from KOI8-U.
_LEGACY_SINGLES = {
    0x06A1: "ђ", 0x06A2: "ѓ", 0x06A5: "ѕ", 0x06A8: "ј", 0x06A9: "љ", 0x06AA: "њ", 0x06AB: "ћ", 0x06AC: "ќ", 0x06AE: "ў",
    0x06AF: "џ", 0x06B0: "№", 0x06B1: "Ђ", 0x06B2: "Ѓ", 0x06B5: "Ѕ", 0x06B8: "Ј", 0x06B9: "Љ", 0x06BA: "Њ", 0x06BB: "Ћ",
    0x06BC: "Ќ", 0x06BE: "Ў", 0x06BF: "Џ",
    0x07A1: "Ά", 0x07A2: "Έ", 0x07A3: "Ή", 0x07A4: "Ί", 0x07A5: "Ϊ", 0x07A7: "Ό", 0x07A8: "Ύ", 0x07A9: "Ϋ", 0x07AB: "Ώ",
    0x07B1: "ά", 0x07B2: "έ", 0x07B3: "ή", 0x07B4: "ί", 0x07B5: "ϊ", 0x07B6: "ΐ", 0x07B7: "ό", 0x07B8: "ύ", 0x07B9: "ϋ",
    0x07BA: "ΰ", 0x07BB: "ώ", 0x07D2: "Σ", 0x07F2: "σ", 0x07F3: "ς",
    0x0AA9: "—", 0x0AAA: "–", 0x0AAE: "…", 0x0AC9: "™", 0x0AD0: "‘", 0x0AD1: "’", 0x0AD2: "“", 0x0AD3: "”", 0x0AFD: "‚",
    0x0AFE: "„", 0x13BC: "Œ", 0x13BD: "œ", 0x13BE: "Ÿ", 0x20AC: "€",
}  # fmt: skip
_SKIPPED = {0x06A6: "і", 0x06A7: "ї", 0x06A4: "є", 0x06B4: "Є", 0x06B6: "І", 0x06B7: "Ї", 0x06A3: "ё", 0x06B3: "Ё"}


def character_of(symbol: int) -> str | None:
    """The character that a keysym types, None for one that types none (or is not known here)."""
    if 0x20 <= symbol <= 0x7E or 0xA0 <= symbol <= 0xFF:
        return chr(symbol)
    if UNICODE_OFFSET + 0x100 <= symbol <= UNICODE_OFFSET + 0x10FFFF:
        return chr(symbol - UNICODE_OFFSET)
    if symbol in _LEGACY_SINGLES or symbol in _SKIPPED:
        return _LEGACY_SINGLES.get(symbol) or _SKIPPED[symbol]
    return _from_set(symbol)


def _from_set(symbol: int) -> str | None:
    page, low = symbol >> 8, symbol & 0xFF
    if page == 0x07 and low >= 0xC1:
        # ISO 8859-7 has a gap at 0xD2; capital and small sigma around it stand in the singles
        codec: str | None = "iso8859-7"
    elif page == 0x06 and low < 0xC0:
        codec = "koi8-u" if low in (0xAD, 0xBD) else None
    else:
        codec = _LEGACY_SETS.get(page)
    if codec is None or low < 0xA1:
        return None
    character = bytes([low]).decode(codec, errors="ignore")
    return character if character and unicodedata.category(character)[0] in "LMNPS" else None


def symbol_of(character: str) -> int:
    """The keysym that types this character. Raises ``unsendable_text`` for what no key can type."""
    code = ord(character)
    if character == "\n":
        return RETURN
    if character == "\t":
        return TAB
    if not sendable(character):
        raise DeskhandError(
            "unsendable_text",
            f"U+{code:04X} cannot be typed: take it out",
        )
    return code if code <= 0xFF else UNICODE_OFFSET + code


_MISTAKEN = frozenset({0x07AE, 0xFEF5, 0xFEF7, 0xFEF9, 0xFEFB, 0xFEFF, 0xFF20, *range(0xFE50, 0xFE94)})
"""Characters whose keys do not give them everywhere (measured over all scripts in GTK 3, GTK 4 and Qt 6).

GTK 3 keeps 16 bits of a keysym: it takes U+FF20 for Compose and U+FE50 to U+FE93 for dead keys. Qt 6 follows the
Compose table, which splits the Arabic ligatures, and drops U+FEFF.
"""


def mistaken(text: str) -> bool:
    """Whether some toolkits take the keys of this text for something else: pasting is surer."""
    return any(ord(character) in _MISTAKEN for character in text)


def key_named(name: str) -> int:
    """The keysym of a key as people name it: ``Return``, ``Esc``, ``F5``, ``PageDown``, ``kp_7``, ``s``, ``ß``.

    Raises ``invalid_request`` for a name that means no key.
    """
    if len(name) == 1 and sendable(name):
        return symbol_of(name)
    known, exact = x_name(name), _by_name()
    if len(known) == 1 and sendable(known):
        return symbol_of(known)
    symbol = exact.get(known) or _by_small_name().get(known.lower())
    if symbol is None:
        raise DeskhandError(
            "invalid_request", f'no key is called "{name}"; name keys like ctrl+s, Return, F5, PageDown, kp_7'
        )
    return symbol


@cache
def _by_name() -> dict[str, int]:
    """Every key that X has a name for."""
    named = {name: symbol for name, symbol in vars(XK).items() if name.startswith("XK_")}
    named |= {name: symbol for group in (xkb, xf86) for name, symbol in vars(group).items() if name.startswith("XK_")}
    return {name.removeprefix("XK_").replace("XF86_", "XF86"): int(symbol) for name, symbol in named.items()}


@cache
def _by_small_name() -> dict[str, int]:
    """The same in lower case; where two differ by that alone, what is small is meant."""
    return {name.lower(): symbol for name, symbol in sorted(_by_name().items(), key=lambda item: item[0].islower())}


def split_chord(keys: str) -> tuple[tuple[str, ...], str]:
    """A chord as (modifier names, key name): ``ctrl++`` is control and plus; a lone modifier is its own key."""
    parts = _parts(keys.strip() or keys)
    *before, last = parts
    unknown = [name for name in before if name.lower() not in MODIFIERS]
    if unknown or not last:
        raise DeskhandError(
            "invalid_request",
            f'"{keys}" is no chord: modifiers (ctrl, shift, alt, altgr, super) joined by + before one key',
        )
    return tuple(name.lower() for name in before), last


def with_alt(keys: str) -> str:
    """The modifiers of a chord that has Alt among them, as a chord; empty for any other."""
    modifiers, name = split_chord(keys)
    held = [*modifiers, name] if name.lower() in MODIFIERS else list(modifiers)
    return "+".join(held) if any(MODIFIERS[each.lower()] in ("Alt_L", "Alt_R") for each in held) else ""


def _parts(keys: str) -> list[str]:
    if keys == "+" or keys.isspace():
        return [keys]
    if keys.endswith("++"):
        return [*keys[:-2].split("+"), "+"]
    return [part.strip() for part in keys.split("+")]
