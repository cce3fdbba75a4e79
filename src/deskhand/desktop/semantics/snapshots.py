"""Snapshots: what one read of a window saw, kept for a while as a base for diffs."""

from __future__ import annotations

from collections import ChainMap, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from deskhand.desktop.semantics.outline import Item
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Grid, Node, Window
from deskhand.types.protocols import Counters

KEPT = 200
"""Snapshots kept, of a size that a usual window has."""
ELEMENTS = 200_000
"""Elements in all of them: of very large windows fewer are kept."""
FEWEST = 8
"""Snapshots that are kept, however large they are."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One window (with its popups) as read. ``items`` is the outline; ``total`` counts hidden elements too."""

    id: str
    window: Window
    ref: str
    nodes: Mapping[str, Node]
    grids: Mapping[str, Grid]
    items: tuple[Item, ...]
    total: int
    complete: bool = True
    notes: tuple[str, ...] = ()
    coverage: float = 1.0
    seconds: float = 0.0  # that the read took
    flat: Mapping[str, Item] = field(default_factory=dict)  # every item of the outline by its id

    @property
    def bare(self) -> bool:
        """Whether its application tells nothing but that there is a window (report 5)."""
        return self.total <= 1


class SnapshotStore:
    """The latest snapshots of a desktop, as far as they find room."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self._held = 0  # elements

    def new_id(self) -> str:
        """The next snapshot id."""
        return f"s{self._counters.next('s')}"

    def keep(self, snapshot: Snapshot) -> Snapshot:
        """Store it, dropping the oldest."""
        self._kept[snapshot.id] = snapshot
        self._held += len(snapshot.nodes)
        while len(self._kept) > KEPT or (self._held > ELEMENTS and len(self._kept) > FEWEST):
            self._held -= len(self._kept.popitem(last=False)[1].nodes)
        return snapshot

    def before(self, base: Snapshot) -> Mapping[str, Item]:
        """What earlier snapshots of the same window held, each item as it was last."""
        ids = list(self._kept)
        older = ids[: ids.index(base.id)] if base.id in self._kept else []
        kept = (self._kept[id] for id in reversed(older))
        return ChainMap(*(dict(each.flat) for each in kept if each.window.key == base.window.key))

    def get(self, id: str) -> Snapshot:
        """One by its id. Raises ``snapshot_expired``."""
        if id not in self._kept:
            raise DeskhandError("snapshot_expired", f"snapshot {id} is not kept any more; observe again", target=id)
        return self._kept[id]
