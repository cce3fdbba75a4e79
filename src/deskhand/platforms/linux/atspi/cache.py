"""``Cache.GetItems``: one call for names, roles, states and parents of a whole application — checked, never trusted.

It may be missing, and it may be incomplete (measured: gedit 205 of 535), so a parent's children are taken from it only
where their number is the one that the parent tells; and it is never asked of LibreOffice, which it kills.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.asking import Asker
from deskhand.platforms.linux.atspi.bus import ATSPI, Refused, join_key
from deskhand.platforms.linux.atspi.raw import Raw

_PATH = "/org/a11y/atspi/cache"


@dataclass(frozen=True)
class CachedItems:
    """What one application's cache told at one moment."""

    raws: Mapping[str, Raw] = field(default_factory=dict)
    children: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def children_of(self, raw: Raw) -> tuple[str, ...] | None:
        """Keys of its children in order; None where the cache does not hold all of them."""
        known = self.children.get(raw.key, ())
        return known if known and len(known) == raw.child_count else None


async def cached_items(asker: Asker, app: str) -> CachedItems:
    """Ask one application for its cache; empty where it has none."""
    try:
        items = await asker.call(app, _PATH, ATSPI + "Cache", "GetItems")
    except Refused:
        return CachedItems()
    raws = {raw.key: raw for item in items if (raw := _raw(item)) is not None}
    children: dict[str, list[Raw]] = {}
    for raw in raws.values():
        if raw.parent is not None and raw.index >= 0:
            children.setdefault(raw.parent, []).append(raw)
    ordered = {key: tuple(r.key for r in sorted(found, key=lambda r: r.index)) for key, found in children.items()}
    return CachedItems(raws, {key: found for key, found in ordered.items() if _in_order(children[key])})


def _raw(item: Any) -> Raw | None:
    """One item; None for one of an older shape. What manages its descendants (GTK3's menus) counts its children -1."""
    if len(item) != 10 or not isinstance(item[3], int):
        return None
    reference, _application, parent, index, count, interfaces, name, role, description, states = item
    bits = int(states[0]) | int(states[1]) << 32
    return Raw(
        join_key(reference), join_key(parent), int(role), bits, str(name), str(description), max(-1, int(count)),
        abilities=words.abilities(tuple(interfaces)), index=int(index),
    )  # fmt: skip


def _in_order(siblings: list[Raw]) -> bool:
    """Whether their places are 0, 1, 2 …: anything else is a cache that lags behind."""
    return sorted(raw.index for raw in siblings) == list(range(len(siblings)))
