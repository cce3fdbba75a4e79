"""find: over everything a window holds, also folded and closed parts, best match first, with near misses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deskhand.desktop.semantics import matching, roles
from deskhand.desktop.semantics.gridcells import CELL, cell_items
from deskhand.desktop.semantics.lines import Limits, say
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.projection import Projection
from deskhand.desktop.semantics.quoting import quote_cut
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.types.nodes import Grid
from deskhand.types.requests import FindRequest
from deskhand.types.results import ElementInfo, TableInfo, View
from deskhand.types.words import likeness

_TWO_STATES = frozenset({"checkbox", "radio", "toggle", "switch", "menuitemcheckbox", "menuitemradio"})
_NEAR_MOST = 5
_PATH_MOST, _PATH_NAME = 6, 40
"""Names of holders that are said, the nearest ones, and their characters."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A match with the names of what holds it, outermost first."""

    item: Item
    path: tuple[str, ...]
    window: str
    score: float

    @property
    def id(self) -> str:
        """What stays the same while it is the same element of the same window."""
        return f"{self.window} {self.item.id}"


def search(snapshot: Snapshot, request: FindRequest) -> list[Hit]:
    """All matches in one snapshot."""
    walk = _walk(snapshot.items, ())
    hits = [Hit(item, path, snapshot.ref, _score(item, request)) for item, path in walk if _admits(item, request)]
    return [hit for hit in hits if hit.score > 0]


def near_misses(snapshot: Snapshot, request: FindRequest) -> list[Hit]:
    """What resembles the query when nothing matches it."""
    wanted = matching.normal(request.query)
    rated = [
        Hit(item, path, snapshot.ref, likeness(wanted, matching.normal(item.name or item.hint)))
        for item, path in _walk(snapshot.items, ())
        if item.ref and (item.name or item.hint)
    ]
    return sorted((hit for hit in rated if hit.score > 0), key=lambda hit: -hit.score)[:_NEAR_MOST]


def _walk(items: Iterable[Item], path: tuple[str, ...]) -> Iterable[tuple[Item, tuple[str, ...]]]:
    for item in items:
        yield item, path
        below = (*path, item.name) if item.name else path
        yield from ((cell, below) for cell in cell_items(item))
        yield from _walk(item.children, below)


def _admits(item: Item, request: FindRequest) -> bool:
    if request.role is not None and item.role != request.role:
        return False
    return request.state is None or _is(item, request.state)


def _is(item: Item, state: str) -> bool:
    """Whether it is in a state; some are said by their absence."""
    unsaid: dict[str, bool] = {
        "off": item.role in _TWO_STATES and not {"on", "mixed"} & set(item.states),
        "collapsed": item.expandable and "expanded" not in item.states,
        "enabled": "disabled" not in item.states,
        "editable": item.role in roles.EDITABLE and not {"readonly", "disabled"} & set(item.states),
        "showing": not {"hidden", "offscreen"} & set(item.states),
    }
    return unsaid.get(state, state in item.states)


def _score(item: Item, request: FindRequest) -> float:
    wanted = matching.normal(request.query)
    if not wanted:
        return 1.0 if item.ref and (item.role != CELL or request.role == CELL) else 0.0
    name = matching.normal(item.name)
    if name == wanted:
        return 3.0
    if name.startswith(wanted):
        return 2.0
    held = item.value if isinstance(item.value, str) else ""
    return 1.0 if any(wanted in matching.normal(text) for text in (name, item.hint, held)) else 0.0


def hit_line(hit: Hit, limits: Limits | None = None) -> str:
    """``r88 button "Save" in w5 "Dialog" > "Buttons"``; a cell is ``r70[B7] cell "North"``."""
    path = " > ".join(quote_cut(name, _PATH_NAME) for name in hit.path[-_PATH_MOST:])
    return f"{say(hit.item, limits or Limits())} in {hit.window}{' ' + path if path else ''}"


def info(item: Item, path: Sequence[str] = ()) -> ElementInfo:
    """An element, typed."""
    return ElementInfo(
        ref=item.ref or "", role=item.role, name=item.name, value=item.value, states=list(item.states),
        bounds=item.bounds, path=list(path), length=item.length, hint=item.hint,
    )  # fmt: skip


def view_of(snapshot: Snapshot, projection: Projection) -> View:
    """A view, typed."""
    return View(
        text=projection.text, snapshot=snapshot.id, window=snapshot.ref, title=snapshot.window.title,
        shown=projection.shown, total=snapshot.total, coverage=snapshot.coverage, complete=snapshot.complete,
        truncated=projection.truncated, elements=[info(item) for item in snapshot.flat.values() if item.ref],
        texts=[item.name for item in snapshot.flat.values() if not item.ref],
        tables=[_table(item, item.grid) for item in snapshot.flat.values() if item.grid and item.ref],
    )  # fmt: skip


def _table(item: Item, grid: Grid) -> TableInfo:
    top, left = grid.view[:2]
    bottom = max((cell.row + 1 for cell in grid.cells), default=top)
    right = max((cell.column + 1 for cell in grid.cells), default=left)
    texts = {(cell.row, cell.column): cell.text for cell in grid.cells}
    rows = [[texts.get((row, column), "") for column in range(left, right)] for row in range(top, bottom)]
    return TableInfo(
        ref=item.ref or "", name=item.name, rows=grid.rows, columns=grid.columns, first=(top, left),
        heads=list(grid.heads), cells=rows,
    )  # fmt: skip
