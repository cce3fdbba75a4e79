"""A snapshot as text under a token budget: first everything, then less of what is long, never silently."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deskhand.desktop.semantics.budget import cut, fit, outside, refs_in
from deskhand.desktop.semantics.lines import Limits, render
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.quoting import TITLE, quote_cut, tokens
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.types.nodes import TEXT_HEAD
from deskhand.types.requests import Detail

_STEPS = (
    Limits(),
    Limits(text=40, editor=200, rows=20, group=30),
    Limits(text=30, editor=80, rows=8, group=8, columns=12),
    Limits(text=20, editor=40, rows=3, group=0, columns=8, sections=False),
)
POOR_COVERAGE = 0.6
_NOTE, _LEAST = 30, 20
"""Tokens kept for notes in the header, and for lines however small the budget is."""
_HEADER = 200
"""Tokens that a header has at most."""
_CUT_TEXT = re.compile(r'""\+\d')


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
    room = budget - tokens(header(snapshot, len(snapshot.nodes), [])) - _NOTE
    step, lines = _shortened(snapshot.items, room, detail)
    kept, left = fit(lines, max(room, _LEAST))
    said = frozenset(refs_in(kept) & set(snapshot.flat))
    notes = [note for note in (_cut_note(step, left), _text_note(kept, detail)) if note]
    return Projection("\n".join([header(snapshot, len(said), notes), *kept]), said, bool(step or left))


def _shortened(items: tuple[Item, ...], budget: int, detail: Sequence[Detail]) -> tuple[int, list[str]]:
    """The mildest step of shortening that fits, or the hardest."""
    lines: list[str] = []
    for step, limits in enumerate(_STEPS):
        lines = render(items, _detailed(limits, detail))
        if sum(tokens(line) + 1 for line in lines) <= budget:
            return step, lines
    return len(_STEPS), lines


def _detailed(limits: Limits, detail: Sequence[Detail]) -> Limits:
    if "text" in detail:
        limits = replace(limits, text=TEXT_HEAD, editor=TEXT_HEAD)
    if "rows" in detail:
        limits = replace(limits, rows=10_000)
    return replace(limits, bounds="bounds" in detail, actions="actions" in detail)


def _cut_note(step: int, cut: int) -> str:
    if cut:
        return f"{cut} lines cut: observe one ref, find, or raise budget"
    return "shortened to the budget" if step else ""


def _text_note(kept: Sequence[str], detail: Sequence[Detail]) -> str:
    """What to call for texts of which a part is not said."""
    if not any(_CUT_TEXT.search(outside(line)) for line in kept):
        return ""
    return "+n is cut: observe its ref, detail text, from n" if "text" in detail else "+n is cut: detail text"


def header(snapshot: Snapshot, shown: int, notes: list[str]) -> str:
    """``s12 w3 "title" active; 63/1902`` and what is notable."""
    window = snapshot.window
    states = [word for word, holds in _window_states(snapshot) if holds]
    parts = [
        " ".join([snapshot.id, snapshot.ref, quote_cut(window.title, TITLE), *states]),
        f"{shown}/{snapshot.total}",
    ]
    if snapshot.coverage < POOR_COVERAGE:
        parts += [f"coverage {snapshot.coverage:.2f}", "advice screenshot"]
    return cut("; ".join([*parts, *snapshot.notes, *notes]), _HEADER)


def _window_states(snapshot: Snapshot) -> list[tuple[str, bool]]:
    window = snapshot.window
    return [
        ("active", window.active), ("modal", window.modal), ("minimised", window.minimised),
        ("unresponsive", not window.responsive),
    ]  # fmt: skip
