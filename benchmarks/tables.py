"""Figures as tables for a terminal, and as the block of docs/benchmarks.md."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Acted, Felt, Figures, Looked

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
LOOKED = (
    "window", "elements", "by pyatspi", "read ms", "pyatspi ms", "times", "view ms", "times", "calls", "tokens",
)  # fmt: skip
ACTED = ("act", "steps", "ms", "pyatspi ms", "times", "calls a step", "reads a step")
FELT = ("a key until the text changes", "pairs", "alone ms", "observed ms", "times", "views")
Row = tuple[str, ...]


def show(figures: Figures) -> None:
    """Print them."""
    console = Console(width=None if sys.stdout.isatty() else 140)
    for heads, rows in (
        (LOOKED, [_looked(row) for row in figures.looked]),
        (ACTED, [_acted(r) for r in figures.acted]),
        (FELT, [_felt(row) for row in figures.felt]),
    ):
        table = Table(*heads[:1])
        for head in heads[1:]:
            table.add_column(head, justify="right")
        for row in rows:
            table.add_row(*row)
        if rows:
            console.print(table)
    for line in _words(figures):
        console.print(line, highlight=False)


def write(figures: Figures) -> None:
    """Put them into the page."""
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    parts = [_markdown(LOOKED, [_looked(row) for row in figures.looked]),
             _markdown(ACTED, [_acted(row) for row in figures.acted]),
             _markdown(FELT, [_felt(row) for row in figures.felt]), "\n".join(_words(figures))]  # fmt: skip
    PAGE.write_text(f"{head}{BEGIN}\n\n" + "\n\n".join(parts) + f"\n\n{END}{tail}")


def _words(figures: Figures) -> list[str]:
    mean = f"geometric mean {figures.mean:.1f} times; " if figures.mean is not None else ""
    lines = [f"{mean}{figures.rounds} rounds; {figures.machine}"]
    for row in figures.looked:
        lines += [f"{row.name}: only deskhand saw {', '.join(row.only_ours)}"] if row.only_ours else []
        lines += [f"{row.name}: only pyatspi saw {', '.join(row.only_peer)}"] if row.only_peer else []
    return lines + [f"MISSED: {miss}" for miss in figures.misses]


def _looked(row: Looked) -> Row:
    name = row.name if row.counted else f"{row.name} (apart)"
    return (
        name, _count(row.nodes, row.cells), _count(row.peer_nodes, row.peer_cells), f"{row.read_ms:.1f}",
        f"{row.peer_ms:.1f}", f"{row.ratio:.1f}", f"{row.view_ms:.1f}", f"{row.view_ratio:.1f}",
        f"{row.calls} ({row.first_calls})", str(row.tokens),
    )  # fmt: skip


def _count(nodes: int, cells: int) -> str:
    return f"{nodes} + {cells} cells" if cells else str(nodes)


def _acted(row: Acted) -> Row:
    peer = ("–", "–") if row.peer_ms is None or row.ratio is None else (f"{row.peer_ms:.0f}", f"{row.ratio:.1f}")
    return (row.name, str(row.steps), f"{row.ours_ms:.0f}", *peer, f"{row.calls:.0f}", f"{row.reads:.1f}")


def _felt(row: Felt) -> Row:
    return (
        row.name, str(row.pairs), f"{row.alone_ms:.1f}", f"{row.watched_ms:.1f}", f"{row.ratio:.2f}", str(row.views)
    )  # fmt: skip


def _markdown(heads: Row, rows: Sequence[Row]) -> str:
    lines = [heads, tuple("---" if n == 0 else "---:" for n in range(len(heads))), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
