"""Which items of a list or tree are in view: the rest is counted above and below, not said."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deskhand.desktop.semantics.outline import Item

LISTS = frozenset({"list", "listbox", "tree", "treegrid"})
"""Of these the visible range is said; everything else is given whole, what is off-view marked so."""
_AWAY = "offscreen"
_KEPT = frozenset({"focused", "selected"})


@dataclass(frozen=True, slots=True)
class Range:
    """The items to say, and how many there are before and after them."""

    items: tuple[Item, ...]
    above: int = 0
    below: int = 0
    listed: bool = True

    @property
    def words(self) -> str:
        """``… 12 above, 300 below``, empty where all is said."""
        if not self.listed:
            return f"… {self.above + self.below} more" if self.above + self.below else ""
        parts = [f"{count} {side}" for count, side in ((self.above, "above"), (self.below, "below")) if count]
        return f"… {', '.join(parts)}" if parts else ""


def in_view(holder: Item, most: int) -> Range:
    """At most ``most`` items from the first that shows to the last; chosen ones that are scrolled away are said too."""
    items = holder.children
    shown = [number for number, item in enumerate(items) if _AWAY not in item.states]
    if holder.role not in LISTS or not shown or _AWAY in holder.states:
        first, last = 0, len(items)
    else:
        first, last = shown[0], shown[-1] + 1
    if last - first > most:
        first, last = _around(items, first, last, most)
    chosen = [n for n, item in enumerate(items) if not first <= n < last and _KEPT & set(item.states)][:3]
    before, after = [n for n in chosen if n < first], [n for n in chosen if n >= last]
    told = tuple(items[n] for n in (*before, *range(first, last), *after))
    return Range(told, first - len(before), len(items) - last - len(after), holder.role in LISTS)


def _around(items: tuple[Item, ...], first: int, last: int, most: int) -> tuple[int, int]:
    """``most`` items around the one with the focus, else the first ones."""
    focus = next((n for n in range(first, last) if "focused" in items[n].states), first)
    start = max(first, min(focus - most // 2, last - most)) if focus >= first + most else first
    return start, start + most


def flattened(items: tuple[Item, ...], depth: int = 0) -> list[tuple[int, Item]]:
    """Rows of a tree in the order in which they are drawn, with their depth."""
    rows: list[tuple[int, Item]] = []
    for item in items:
        rows.append((depth, item))
        rows += flattened(item.children, depth + 1)
    return rows


def tree_rows(holder: Item, most: int) -> tuple[list[tuple[int, Item]], Range]:
    """A tree's rows that are in view, with their depth."""
    rows = flattened(holder.children)
    view = in_view(replace(holder, children=tuple(item for _, item in rows)), most)
    said = {item.id for item in view.items}
    return [(depth, item) for depth, item in rows if item.id in said], view
