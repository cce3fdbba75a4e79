"""Untrusted text framed: whatever an application says stands inside a JSON string, or is a bare number in a cell."""

from __future__ import annotations

import json
import re
import unicodedata

SHORT_TEXT = 80
"""Characters of a text that a view shows; what is cut is told as ``+n``."""
TITLE = 120
"""Characters of a window's title that are said."""
LITTLE = 4
"""What is said costs no more than saying that so many characters were cut."""
_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_DENSE = "\u2e80-\u9fff\uac00-\ud7af"  # Chinese, Japanese, Korean
_WORD = re.compile(rf"\d{{1,3}}|[A-Za-z]{{1,9}}|[{_DENSE}]{{1,2}}|[^\W\d_A-Za-z{_DENSE}]{{1,4}}|[^\w\s]|_|[ ]{{2,64}}")
_NO_WORD = re.compile(r"[A-Za-z]{24,}")


def quote(text: str) -> str:
    """A JSON string in which control, bidirectional and zero-width characters are escaped."""
    plain = json.dumps(text, ensure_ascii=False)
    if plain.isascii() and plain.isprintable():
        return plain
    return "".join(_escape(char) if unicodedata.category(char) in _ESCAPED else char for char in plain)


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[i : i + 2]):04x}" for i in range(0, len(units), 2))


def quote_cut(text: str, limit: int, length: int | None = None) -> str:
    """As ``quote``, cut to ``limit`` characters; ``+n`` tells how many of ``length`` are left out."""
    whole = len(text) if length is None else max(length, len(text))
    if whole <= limit + LITTLE and len(text) == whole:
        return quote(text)
    return f"{quote(text[:limit])}+{whole - limit}"


def cell(text: str) -> str:
    """A table's cell: empty, a number verbatim, or a JSON string."""
    if text == "" or _NUMBER.fullmatch(text):
        return text
    return quote_cut(text, SHORT_TEXT)


def number(value: float) -> str:
    """A value without a trailing ``.0``."""
    return f"{value:.6g}" if value != int(value) or abs(value) > 1e15 else str(int(value))


def tokens(text: str) -> int:
    """Roughly how many tokens a model reads (within about a tenth of o200k_base on views)."""
    no_words = sum(len(found) for found in _NO_WORD.findall(text))
    astral = sum(char > "\uffff" for char in text) if not text.isascii() else 0
    return len(_WORD.findall(text)) + no_words * 2 // 5 + astral // 2
