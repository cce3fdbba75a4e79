"""Which characters are text: what no route writes, whatever it would make of it."""

from __future__ import annotations

import unicodedata

from deskhand.types.errors import DeskhandError


def sendable(character: str) -> bool:
    """Whether it is text: no controls but newline and tab, no surrogates, no non-characters."""
    code = ord(character)
    if character in "\n\t":
        return True
    if unicodedata.category(character) in ("Cc", "Cs"):
        return False
    return not (0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE)


def require_sendable(text: str, where: str = "") -> None:
    """Raises ``unsendable_text`` for the first character that is none; ``\\r\\n`` is a newline."""
    for place, character in enumerate(plain_lines(text)):
        if not sendable(character):
            said = f"{where}U+{ord(character):04X} (character {place + 1}) is no text; take it out, nothing was sent"
            raise DeskhandError("unsendable_text", said)


def plain_lines(text: str) -> str:
    """The text with ``\\n`` at its lines' ends."""
    return text.replace("\r\n", "\n")
