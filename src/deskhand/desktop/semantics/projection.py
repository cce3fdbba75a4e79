"""A snapshot as text under a token budget: first everything, then less of what is long, never silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deskhand.desktop.semantics.lines import Limits, Line, render
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.quoting import quote, tokens
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.types.nodes import TEXT_HEAD
from deskhand.types.requests import Detail

_STEPS = (
    Limits(),
    Limits(text=40, editor=200, rows=20, group=30),
    Limits(text=30, editor=80, rows=8, group=8, columns=12),
    Limits(text=20, editor=40, rows=3, group=0, columns=8, sections=False),
)
POOR_COVERAGE = 0.35


@dataclass(frozen=True, slots=True)
class Projection:
    """The lines of a view; ``said`` holds the refs of the elements that stand in them."""

    text: str
    said: frozenset[str]
    truncated: bool

    @property
    def shown(self) -> int:
        """How many elements with a ref are said."""
        return len(self.said)


def project(snapshot: Snapshot, budget: int, detail: Sequence[Detail] = ()) -> Projection:
    """The view of a snapshot in about ``budget`` tokens; ``detail`` adds bounds, actions, longer text, more rows."""
    step, lines = _shortened(snapshot.items, budget, detail)
    kept = _fit(lines, budget)
    items = (snapshot.flat.get(key) for line in kept for key in line.keys)
    said = frozenset(item.ref for item in items if item and item.ref)
    notes = [note for note in (_cut_note(step, len(lines) - len(kept)),) if note]
    text = "\n".join([header(snapshot, len(said), notes), *(line.text for line in kept)])
    return Projection(text, said, bool(notes))


def _shortened(items: tuple[Item, ...], budget: int, detail: Sequence[Detail]) -> tuple[int, list[Line]]:
    """The mildest step of shortening that fits, or the hardest."""
    lines: list[Line] = []
    for step, limits in enumerate(_STEPS):
        lines = render(items, _detailed(limits, detail))
        if sum(tokens(line.text) for line in lines) <= budget:
            return step, lines
    return len(_STEPS), lines


def _detailed(limits: Limits, detail: Sequence[Detail]) -> Limits:
    if "text" in detail:
        limits = replace(limits, text=TEXT_HEAD, editor=TEXT_HEAD)
    if "rows" in detail:
        limits = replace(limits, rows=10_000)
    return replace(limits, bounds="bounds" in detail, actions="actions" in detail)


def _fit(lines: list[Line], budget: int) -> list[Line]:
    spent = 0
    for n, line in enumerate(lines):
        spent += tokens(line.text)
        if spent > budget and n:
            return lines[:n]
    return lines


def _cut_note(step: int, cut: int) -> str:
    if cut:
        return f"{cut} lines cut: observe one ref, find, or raise budget"
    return "shortened to the budget" if step else ""


def header(snapshot: Snapshot, shown: int, notes: list[str]) -> str:
    """``s12 w3 "title" active; 63/1902`` and what is notable."""
    window = snapshot.window
    states = [word for word, holds in _window_states(snapshot) if holds]
    parts = [" ".join([snapshot.id, snapshot.ref, quote(window.title), *states]), f"{shown}/{snapshot.total}"]
    if snapshot.coverage < POOR_COVERAGE:
        parts += [f"coverage {snapshot.coverage:.2f}", "advice screenshot"]
    return "; ".join([*parts, *snapshot.notes, *notes])


def _window_states(snapshot: Snapshot) -> list[tuple[str, bool]]:
    window = snapshot.window
    return [
        ("active", window.active), ("modal", window.modal), ("minimised", window.minimised),
        ("unresponsive", not window.responsive),
    ]  # fmt: skip
