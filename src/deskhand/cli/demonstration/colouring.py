"""What the words of a line are, for colours on a terminal and in the report alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

_KINDS = (
    ("string", r'"(?:[^"\\]|\\.)*"(?:\+\d+)?'),
    ("ref", r"\b[rwsq]\d+\b(?:\[[A-Z]+\d+\])?"),
    ("good", r"\bverified\b|\bas expected\b"),
    ("weak", r"\b(?:unchanged|unverifiable)\b"),
    ("bad", r"\b(?:confirmation_required|stopped at|is not right|input (?:no|unknown)|nothing was sent)\b"),
    ("mark", r"^ *[+~-] "),
)
_WORDS = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS))


def words(line: str) -> Iterator[tuple[str, str]]:
    """The line in pieces, each with its kind (empty for the plain ones)."""
    at = 0
    for found in _WORDS.finditer(line):
        if found.start() > at:
            yield "", line[at : found.start()]
        yield found.lastgroup or "", found[0]
        at = found.end()
    if at < len(line):
        yield "", line[at:]
