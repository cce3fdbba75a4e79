"""Leases: what was on the desktop when a picture was taken."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from deskhand.desktop.pixels.frames import Frame
from deskhand.desktop.pixels.layout import Layout
from deskhand.desktop.semantics.quoting import quote
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Counters
from deskhand.types.requests import ScreenshotRequest

KEPT = 64
"""Leases that are kept, the latest ones."""


@dataclass(frozen=True, slots=True)
class Lease:
    """``asked`` is what the picture was taken for: the same is shown again where the lease holds no more.

    ``window``: key of the window that it shows, whole or in part; None where it shows the desktop or a region of it.
    """

    id: str
    frame: Frame
    layout: Layout
    asked: ScreenshotRequest
    enlarge: int = 1  # how much larger than the desktop it may be
    window: str | None = None


class LeaseStore:
    """The latest leases of a desktop."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._kept: OrderedDict[str, Lease] = OrderedDict()

    def keep(
        self, frame: Frame, layout: Layout, asked: ScreenshotRequest, enlarge: int = 1, window: str | None = None
    ) -> Lease:
        """A new lease; the oldest goes."""
        lease = Lease(f"l{self._counters.next('l')}", frame, layout, asked, enlarge, window)
        self._kept[lease.id] = lease
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return lease

    def get(self, id: str) -> Lease:
        """One by its id. Raises ``lease_expired``; ``invalid_request`` for what was never a lease."""
        if id in self._kept:
            return self._kept[id]
        number = id[1:]
        if id[:1] == "l" and number.isdecimal() and 0 < int(number) <= self._counters.issued("l"):
            raise DeskhandError("lease_expired", f"lease {id} is not kept any more; take a new screenshot", target=id)
        if id[:1] == "l" and number.isdecimal():
            raise DeskhandError("invalid_request", f"{id} was never given out; take a screenshot", target=id)
        message = f"{quote(id)} is no lease; take a screenshot: its first line tells its own, l and a number"
        raise DeskhandError("invalid_request", message, target=id)
