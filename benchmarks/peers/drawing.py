"""A bar chart as SVG text: how long each contender looks at each window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from benchmarks.peers.figures import PEERS, Observed

COLOURS = dict(zip(PEERS, ("#2563eb", "#f59e0b", "#dc2626", "#6b7280"), strict=True))
WIDTH, LEFT, RIGHT, BAR, GAP = 760, 110, 90, 14, 12


def chart(rows: Sequence[Observed]) -> str:
    """One group of bars for each window, on a logarithmic scale of milliseconds from 1."""
    widest = max((row.ms for row in rows), default=1.0)
    parts, y, last = [_legend()], 48, ""
    for row in rows:
        if row.application != last:
            y, last = y + GAP, row.application
            parts.append(_text(LEFT - 8, y + BAR - 3, row.application, "end"))
        parts.append(_bar(row, y, widest))
        y += BAR + 2
    style = "font-family:system-ui,sans-serif;font-size:12px"
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + GAP}" style="{style}">'
    return "\n".join([frame, f'<rect width="{WIDTH}" height="{y + GAP}" fill="#ffffff"/>', *parts, "</svg>", ""])


def length(milliseconds: float, widest: float) -> float:
    """Pixels of a bar: none at 1 ms, all there are at the widest."""
    if widest <= 1:
        return 0.0
    return max(0.0, math.log(max(milliseconds, 1.0)) / math.log(widest)) * (WIDTH - LEFT - RIGHT)


def _bar(row: Observed, y: int, widest: float) -> str:
    wide = length(row.ms, widest)
    bar = f'<rect x="{LEFT}" y="{y}" width="{wide:.1f}" height="{BAR}" fill="{COLOURS[row.peer]}"/>'
    return bar + _text(LEFT + wide + 4, y + BAR - 3, f"{row.ms:.0f} ms", "start")


def _legend() -> str:
    parts = [_text(8, 18, "observe: milliseconds, logarithmic, less is better", "start")]
    for n, (name, colour) in enumerate(COLOURS.items()):
        x = LEFT + n * 130
        parts.append(
            f'<rect x="{x}" y="30" width="12" height="12" fill="{colour}"/>' + _text(x + 16, 40, name, "start")
        )
    return "".join(parts)


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" fill="#111827">{escape(words)}</text>'
