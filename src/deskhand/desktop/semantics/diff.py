"""What changed between two snapshots, one line an element: ``+`` came, ``-`` went, ``~`` is different."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from deskhand.desktop.semantics.budget import DEFAULT, fit, refs_in
from deskhand.desktop.semantics.lines import OUT, Limits, address, grid_lines, say
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.quoting import cell
from deskhand.types.nodes import Grid

MAX_LINES = 40
MAX_GONE = 12
"""More elements than this that went, or came back as they were, are only counted: a dialog hides a page."""


@dataclass(frozen=True, slots=True)
class Change:
    """One changed element. ``before`` or ``after`` is None where it came or went."""

    key: str
    before: Item | None
    after: Item | None


def changes(before: Mapping[str, Item], after: Mapping[str, Item]) -> list[Change]:
    """In the order of the later state, what went last. What an element holds does not make it different."""
    found = [Change(key, before.get(key), item) for key, item in after.items() if _differs(before.get(key), item)]
    return found + [Change(key, item, None) for key, item in before.items() if key not in after]


def _differs(before: Item | None, after: Item) -> bool:
    if before is None:
        return True
    if after.grid is not None and before.grid is not None:
        return _bare(before) != _bare(after) or before.grid.cells != after.grid.cells
    return _bare(before) != _bare(after)


def _bare(item: Item) -> Item:
    """What is compared: that it was scrolled out of view or into it makes it no other."""
    return replace(item, children=(), grid=None, states=tuple(word for word in item.states if word != OUT))


def diff_lines(
    found: list[Change], budget: int = DEFAULT, earlier: Callable[[], Mapping[str, Item]] | None = None
) -> list[str]:
    """Printed changes, at most ``MAX_LINES`` and ``budget`` tokens, the rest counted.

    ``earlier``: what there was before the first of the two snapshots, by id, where that is known.
    """
    limits, lines = Limits(), []
    gone = [change for change in found if change.after is None]
    back = _back(found, earlier)
    many = len(gone) > MAX_GONE
    told = [change for change in found if change.key not in back and not (many and change.after is None)]
    for change in told:
        lines += _lines(change, limits)
        if len(lines) > MAX_LINES:
            break
    kept, left = fit(lines[:MAX_LINES], budget)
    rest = len(told) - len(kept) if len(kept) < len(lines) else 0
    more = [f"… {max(rest, left, 1)} more changes: observe"] if left or rest else []
    counted = [f"+ {len(back)} elements, back as they were"] if back else []
    return [*kept, *more, *counted, *([f"- {len(gone)} elements"] if many else [])]


def _back(found: Sequence[Change], earlier: Callable[[], Mapping[str, Item]] | None) -> frozenset[str]:
    """Those that had only been away, by the same ref; what a toolkit made anew has a ref of its own to be told."""
    came = [change for change in found if change.before is None]
    if earlier is None or len(came) <= MAX_GONE:
        return frozenset()
    known = earlier()
    back = {c.key for c in came if c.after is not None and c.key in known and not _differs(known[c.key], c.after)}
    return frozenset(back if len(back) > MAX_GONE else ())


def said(lines: Iterable[str]) -> set[str]:
    """The refs of the elements that printed lines tell of as being there."""
    return refs_in(line for line in lines if line[:1] in ("+", "~"))


def _lines(change: Change, limits: Limits) -> list[str]:
    if change.after is None:
        assert change.before is not None
        return [f"- {say(change.before, limits)}"]
    if change.before is None:
        return [f"+ {say(change.after, limits)}"]
    if change.after.grid is not None and change.before.grid is not None:
        return _grid_lines(change.before, change.after, limits)
    return [f"~ {say(change.after, limits)}"]


def _grid_lines(before: Item, after: Item, limits: Limits) -> list[str]:
    assert before.grid is not None
    assert after.grid is not None
    lines = [] if _bare(before) == _bare(after) else [f"~ {say(after, limits)}"]
    old, new = _contents(before.grid), _contents(after.grid)
    if before.grid.view != after.grid.view:
        return [f"~ {grid_lines(after, after.grid, limits)[0]}"]
    places = sorted(set(old) | set(new))
    changed = [place for place in places if old.get(place) != new.get(place)]
    return lines + [f"~ {after.ref}[{address(after.grid, p)}] {cell(new.get(p, '')) or quote_empty()}" for p in changed]


def quote_empty() -> str:
    """How an emptied cell is said."""
    return '""'


def _contents(grid: Grid) -> dict[tuple[int, int], str]:
    return {(one.row, one.column): one.text for one in grid.cells if one.text}
