"""The desktop as its callers know it: windows with refs, snapshots of them, and targets resolved to elements."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deskhand.desktop.semantics.coverage import coverage
from deskhand.desktop.semantics.outline import Item, flatten, outline
from deskhand.desktop.semantics.quoting import TITLE, quote, quote_cut
from deskhand.desktop.semantics.refinding import follow
from deskhand.desktop.semantics.refs import RefTable
from deskhand.desktop.semantics.snapshots import Snapshot, SnapshotStore
from deskhand.platforms.base import Platform, ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Grid, Node, Tree, Window
from deskhand.types.protocols import Counters
from deskhand.types.results import WindowLine

CANDIDATES = 8
"""Windows that an error names."""
RECENT = 0.05
"""Seconds for which a list of windows, or what was read of one, may serve again; what is about to be sent to is
always looked at anew."""


@dataclass(frozen=True, slots=True)
class _Read:
    """Trees of a window and its popups merged."""

    nodes: dict[str, Node]
    grids: dict[str, Grid]
    items: tuple[Item, ...]
    hidden: int
    complete: bool
    notes: tuple[str, ...]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list of windows, with the feed's serial and the time when it was asked for."""

    windows: tuple[Window, ...]
    serial: int
    at: float

    def serves(self, serial: int) -> bool:
        return serial == self.serial and time.monotonic() - self.at < RECENT


@dataclass(frozen=True, slots=True)
class _Taken:
    """A snapshot, with the feed's serial and how often input had been sent when it began, and when it was whole."""

    snapshot: Snapshot
    serial: int
    epoch: int
    at: float

    def serves(self, window: Window, serial: int, epoch: int) -> bool:
        fresh = (serial, epoch) == (self.serial, self.epoch) and time.monotonic() - self.at < RECENT
        return fresh and self.snapshot.window == window


REMEDY = "open it anew, or start it with --force-renderer-accessibility (Chromium, Electron)"
"""What gives a window a tree that has none."""


class World:
    """Reads windows into snapshots and keeps refs. One per desktop."""

    def __init__(self, platform: Platform, counters: Counters) -> None:
        self.platform = platform
        self.refs = RefTable(counters)
        self.snapshots = SnapshotStore(counters)
        self._latest: dict[str, dict[str, Node]] = {}
        self._listed: _Listed | None = None
        self._taken: _Taken | None = None
        self._epoch = 0  # how often input was sent

    async def windows(self, *, recent: bool = False) -> list[Window]:
        """All surfaces, bottom first; refs of closed ones are retired, new ones bound.

        ``recent``: a list made within the last moments serves where nothing has been sent or announced since.
        """
        if recent and self._listed is not None and self._listed.serves(self.platform.events.serial):
            return list(self._listed.windows)
        self._listed, serial, at, epoch = None, self.platform.events.serial, time.monotonic(), self._epoch
        found = await self.platform.windows()
        self._listed = _Listed(tuple(found), serial, at) if epoch == self._epoch else None
        alive = {window.key for window in found}
        self.refs.retire_windows(alive)
        for key in [key for key in self._latest if key not in alive]:
            del self._latest[key]
        for window in found:
            if not window.popup:
                self.refs.bind_window(window.key)
        return found

    def sent(self) -> None:
        """Input has been sent: what was known of the windows may be so no longer."""
        self._listed = None
        self._epoch += 1

    async def window(self, target: str | None) -> Window:
        """The window that ``w3``, an application's name, a title, or nothing (the active one) means."""
        found = await self.windows()
        if target is None:
            return self.active(found)
        if target in {self.refs.bind_window(w.key) for w in found if not w.popup}:
            key = self.refs.window_key(target)
            return next(w for w in found if w.key == key)
        if target[:1] == "w" and target[1:].isdigit():
            self.refs.window_key(target)  # raises why it is not there
        return self._named(target, found)

    def active(self, found: Sequence[Window]) -> Window:
        """The active window, else the topmost one."""
        ordinary = [w for w in found if not w.popup and not w.minimised]
        chosen = next((w for w in ordinary if w.active), None) or (ordinary[-1] if ordinary else None)
        if chosen is None:
            raise DeskhandError("not_found", "no window is open; open an application first")
        return chosen

    def _named(self, name: str, found: Sequence[Window]) -> Window:
        wanted = name.casefold()
        ordinary = [w for w in found if not w.popup]
        exact = [w for w in ordinary if wanted in (w.app.casefold(), w.title.casefold())]
        matches = exact or [w for w in ordinary if wanted in w.app.casefold() or wanted in w.title.casefold()]
        if not matches:
            raise DeskhandError(
                "not_found", f"no window or application is called {quote(name)}", target=name,
                candidates=self._candidates(ordinary),
            )  # fmt: skip
        if len({w.pid for w in matches}) > 1:
            candidates = self._candidates(matches)
            message = f"{quote(name)} means several windows; name one by its ref"
            raise DeskhandError("ambiguous_target", message, target=name, candidates=candidates)
        return next((w for w in matches if w.active), matches[-1])

    def _candidates(self, windows: Sequence[Window]) -> list[str]:
        """Windows worth naming in an error, front first; of very many the first ones."""
        return [self.window_words(w) for w in reversed(windows[-CANDIDATES:])]

    def window_words(self, window: Window) -> str:
        """``w3 "title" active`` as the windows line and candidates say it."""
        states = [w for w, h in (("active", window.active), ("minimised", window.minimised),
                                 ("unresponsive", not window.responsive)) if h]  # fmt: skip
        return " ".join([self.window_name(window), *states])

    def window_name(self, window: Window) -> str:
        """``w3 dialog "title"``, whatever its state."""
        role = [] if window.role in ("window", "normal") else [window.role]
        return " ".join([self.refs.bind_window(window.key), *role, quote_cut(window.title, TITLE)])

    def window_line(self, window: Window) -> WindowLine:
        """A window, typed."""
        return WindowLine(
            ref=self.refs.bind_window(window.key), title=window.title, app=window.app, pid=window.pid,
            active=window.active, minimised=window.minimised, responsive=window.responsive,
            bounds=window.frame or window.bounds, role=window.role,
        )  # fmt: skip

    async def snapshot(self, window: Window, limits: ReadLimits | None = None) -> Snapshot:
        """Read a window with its popups. Raises ``app_unresponsive``, ``accessibility_off``."""
        serial, epoch = self.platform.events.serial, self._epoch
        found = await self.windows(recent=True)
        current = next((w for w in found if w.key == window.key), None)
        if current is None:
            raise DeskhandError("window_gone", f"window {quote(window.title)} has closed")
        read = await self._read(current, _popups(current, found), limits or ReadLimits())
        modal = next((w for w in found if w.owner == current.key and w.role == "dialog" and w.key != current.key), None)
        notes = (f"dialog {self.window_words(modal)} is in front", *read.notes) if modal else read.notes
        share = coverage(current.root or "", read.nodes, current.frame or current.bounds)
        taken = self.snapshots.keep(
            Snapshot(
                self.snapshots.new_id(), current, self.refs.bind_window(current.key), read.nodes, read.grids,
                read.items, len(read.nodes) + read.hidden, read.complete, notes, share, read.seconds,
                flatten(read.items),
            )
        )  # fmt: skip
        self._taken = _Taken(taken, serial, epoch, time.monotonic()) if limits is None else None
        return taken

    async def latest(self, window: Window) -> Snapshot:
        """``snapshot``; or the last one, where it was taken a moment ago and nothing was sent or announced since."""
        if self._taken is not None and self._taken.serves(window, self.platform.events.serial, self._epoch):
            return self._taken.snapshot
        return await self.snapshot(window)

    async def _read(self, window: Window, popups: list[Window], limits: ReadLimits) -> _Read:
        if not window.responsive:
            raise DeskhandError(
                "app_unresponsive", f"{quote(window.title)} does not answer; its process may be stopped"
            )
        if window.root is None:
            # A window without a tree is not an empty window: what is unavailable is said.
            note = f"no accessibility tree: use screenshot, or {REMEDY}"
            return _Read({}, {}, (), 0, False, (note,))
        roots = [window.root, *(p.root for p in popups if p.root)]
        trees = [await self.platform.read(root, limits) for root in dict.fromkeys(roots)]
        return self._merge(trees, window)

    def _merge(self, trees: list[Tree], window: Window) -> _Read:
        nodes: dict[str, Node] = {}
        grids: dict[str, Grid] = {}
        items: tuple[Item, ...] = ()
        read = {key: node for tree in trees for key, node in tree.nodes.items()}
        follow(self.refs, self._latest.get(window.key, {}), read)
        self._latest[window.key] = read
        if self.refs.crowded:
            self.refs.forget({key for nodes in self._latest.values() for key in nodes})
        for tree in trees:
            fresh = {key: node for key, node in tree.nodes.items() if key not in nodes}
            nodes |= fresh
            grids |= tree.grids
            if tree.root in fresh:
                items += outline(tree.root, nodes, grids, self.refs, window.key)
        notes = tuple(note for tree in trees for note in tree.notes)
        if len(read) == 1 and not any(tree.hidden for tree in trees):
            notes = (f"accessibility_off: nothing but a bare window is told; use screenshot, or {REMEDY}", *notes)
        whole, seconds = all(tree.complete for tree in trees), sum(tree.seconds for tree in trees)
        return _Read(nodes, grids, items, sum(t.hidden for t in trees), whole, notes, seconds)

    async def subtree(self, window: Window, ref: str, limits: ReadLimits | None = None) -> Snapshot:
        """Read below one element only; the snapshot's items are that element's."""
        told = self.refs.told(ref)
        tree = await self.platform.read(told.key, limits or ReadLimits())
        top = replace(tree.nodes[tree.root], parent=None)
        nodes = {"": replace(top, key="", role="generic", name="", children=(tree.root,)), **tree.nodes}
        items = outline("", nodes, tree.grids, self.refs, window.key)
        return self.snapshots.keep(
            Snapshot(
                self.snapshots.new_id(), window, self.refs.bind_window(window.key), tree.nodes, tree.grids, items,
                len(tree.nodes) + tree.hidden, tree.complete, tree.notes, 1.0, tree.seconds, flatten(items),
            )
        )  # fmt: skip


def _popups(window: Window, found: Sequence[Window]) -> list[Window]:
    return [w for w in found if w.popup and w.pid == window.pid and w.key != window.key]
