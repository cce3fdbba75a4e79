"""What is measured, as data: medians over interleaved rounds, and ratios of the same rounds."""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Sequence

from pydantic import BaseModel

MEAN_AT_LEAST, NONE_BELOW = 8.0, 2.0
TWENTY_STEPS_AT_MOST = 2.0
FELT_AT_MOST = 1.25


class Looked(BaseModel):
    """One window read by both. Times are medians in milliseconds; ratios are medians of each round's own."""

    name: str
    counted: bool
    nodes: int
    cells: int
    peer_nodes: int
    peer_cells: int
    only_ours: list[str]
    only_peer: list[str]
    read_ms: float
    view_ms: float
    peer_ms: float
    ratio: float
    view_ratio: float
    calls: int
    first_calls: int
    tokens: int


class Acted(BaseModel):
    """One batch done by both. Times are medians in milliseconds; ``calls`` and ``reads`` are of one step."""

    name: str
    steps: int
    ours_ms: float
    peer_ms: float | None
    ratio: float | None
    calls: float
    reads: float


class Felt(BaseModel):
    """A key until the text has changed: medians in milliseconds, the median of the pairs' ratios, views meanwhile."""

    name: str
    pairs: int
    alone_ms: float
    watched_ms: float
    ratio: float
    views: int


class Figures(BaseModel):
    """A whole run."""

    cores: int
    load_before: float
    load_after: float
    rounds: int
    looked: list[Looked]
    acted: list[Acted]
    felt: list[Felt] = []

    @property
    def mean(self) -> float | None:
        """The geometric mean of the counted ratios."""
        ratios = [row.ratio for row in self.looked if row.counted]
        return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios)) if ratios else None

    @property
    def machine(self) -> str:
        """``2 cores, loaded``: words that say how far the times can be compared."""
        return machine(self.cores, self.load_before, self.load_after)

    @property
    def misses(self) -> list[str]:
        """What does not hold of what must."""
        found = []
        if self.mean is not None and self.mean < MEAN_AT_LEAST:
            found.append(f"the geometric mean is {self.mean:.1f}, not {MEAN_AT_LEAST:g}")
        found += [f"{r.name} is {r.ratio:.1f} times as fast" for r in self.looked if r.counted and r.ratio < NONE_BELOW]
        found += [
            f"{row.name} takes {row.ours_ms / 1000:.2f} s"
            for row in self.acted
            if row.steps >= 20 and row.ours_ms > TWENTY_STEPS_AT_MOST * 1000
        ]
        found += [f"a key in {f.name} takes {f.ratio:.2f} times as long" for f in self.felt if f.ratio > FELT_AT_MOST]
        return found


def machine(cores: int, before: float, after: float) -> str:
    """``2 cores, loaded (load 4.1 to 3.0)``: words that say how far the times can be compared."""
    busy = max(before, after) / cores
    word = "idle" if busy < 0.6 else "busy" if busy < 1.5 else "loaded"
    return f"{cores} cores, {word} (load {before:.1f} to {after:.1f})"


def load() -> float:
    """The load average of the last minute."""
    return os.getloadavg()[0]


def middle(seconds: Sequence[float]) -> float:
    """Their median in milliseconds."""
    return statistics.median(seconds) * 1000


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of each round's own ratio: load that comes and goes meets both of a round alike."""
    return statistics.median(their / our for our, their in zip(ours, theirs, strict=True))
