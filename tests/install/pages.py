"""The commands that a page tells its readers to type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")
_PROGRAMS = re.compile(r"(deskhand|make|pipx|uvx?|pip|claude|codex|gemini|source|sudo|apt-get|git)\s+\S|\S*/bin/\S")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language as written, and its text."""

    language: str
    text: str

    @property
    def commands(self) -> list[str]:
        """Each line of a shell's block, without what is told beside it."""
        assert self.language == "sh"
        return [re.sub(r"\s+# .*$", "", line) for line in self.text.splitlines() if line.strip()]


def blocks(page: Path) -> list[Block]:
    """All fenced blocks, in order."""
    return [Block(language, text) for language, text in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def spoken(page: Path) -> list[str]:
    """Commands in running text: what stands in backquotes and begins with a program's name and a word."""
    prose = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [span for span in _SPAN.findall(prose) if _PROGRAMS.match(span)]
