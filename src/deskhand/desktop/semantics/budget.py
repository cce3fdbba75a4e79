"""Lines under a budget of tokens: what does not fit is left out, counted, and never cut inside of a string."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deskhand.desktop.semantics.quoting import tokens

DEFAULT = 2000
"""Tokens that an answer has at most unless more is asked for (report 24)."""
CUT = " …"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_REF = re.compile(r"(?<![\w.])r[1-9]\d*(?![\w.])")
_PLACE = re.compile(r", | ")


def fit(lines: Sequence[str], budget: int) -> tuple[list[str], int]:
    """The first lines that fit, and how many are left out. At least a part of the first one is kept."""
    kept: list[str] = []
    for number, line in enumerate(lines):
        cost = tokens(line) + 1
        if cost > budget:
            return (kept, len(lines) - number) if kept else ([cut(line, budget)], len(lines) - 1)
        kept.append(line)
        budget -= cost
    return kept, 0


def cut(line: str, budget: int) -> str:
    """A line of at most about ``budget`` tokens, cut between its parts, outside of every string."""
    if tokens(line) <= budget:
        return line
    ends = [place.start() for place in _PLACE.finditer(_blank(line))]
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(line[: ends[middle - 1]]) < budget else (low, middle - 1)
    return line[: ends[low - 1]] + CUT if low else CUT.strip()


def _blank(line: str) -> str:
    """The line with its strings blotted out, as long as before."""
    return _STRING.sub(lambda found: "x" * len(found[0]), line)


def outside(text: str) -> str:
    """What deskhand itself says in a text: all that stands outside of strings."""
    return _STRING.sub('""', text)


def refs_in(lines: Iterable[str]) -> set[str]:
    """The element refs that stand in lines; what an application writes into its names is none."""
    return {ref for line in lines for ref in _REF.findall(outside(line))}
