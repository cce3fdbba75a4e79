"""find as an operation: pages that stay right while the desktop changes, near misses, windows not searched."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from deskhand.desktop.finding import Hit, hit_line, info, near_misses, search
from deskhand.desktop.semantics.budget import DEFAULT, cut, fit, refs_in
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.semantics.refs import is_element_ref
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolver
from deskhand.desktop.world import REMEDY, World
from deskhand.platforms.base import ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import FindRequest
from deskhand.types.results import ElementInfo, FindResult
from deskhand.types.steps import Selector

KEPT = 50
"""Searches that can be continued."""
EXPIRES = 600.0
"""Seconds after which one cannot."""
_UNREAD_SAID, _NEAR_SAID = 4, 5
_TAIL = 60
"""Tokens kept for what stands below the matches."""


@dataclass
class _Search:
    """A search that goes on: what it is for, in which order its matches came, and which each page told."""

    request: FindRequest
    order: list[str]
    pages: list[set[str]] = field(default_factory=list)
    used: float = field(default_factory=time.monotonic)

    @property
    def told(self) -> set[str]:
        """What all pages so far have told."""
        return set[str]().union(*self.pages)


class Finder:
    """Finds, page by page: no page repeats what an earlier one told, and nothing that is still there is left out."""

    def __init__(self, world: World, resolver: Resolver) -> None:
        self._world, self._resolver = world, resolver
        self._searches: OrderedDict[str, _Search] = OrderedDict()

    async def find(self, request: FindRequest) -> FindResult:
        """One page. Raises ``snapshot_expired`` for a cursor that is not kept any more."""
        name, search_ = self._continued(request) if request.cursor is not None else ("", None)
        asked = search_.request if search_ is not None else request
        snapshots, unread = await self._searched(asked)
        found = sorted((hit for s in snapshots for hit in search(s, asked)), key=lambda hit: -hit.score)
        search_ = search_ or _Search(request, [hit.id for hit in found])
        left = _left(search_, found)
        page, lines = _page(left, request.limit)
        lines = lines or [f"nothing {'more ' if search_.pages else ''}matches"]
        search_.pages.append({hit.id for hit in page})
        rest = len(left) - len(page)
        near = _near(snapshots, asked) if not found else []
        cursor = self._keep(name, search_) if rest else None
        lines += [f"… {rest} more: cursor {quote(cursor)}"] if cursor else []
        lines += [f"near: {hit_line(hit)}" for hit in near]
        self._world.refs.publish(refs_in(lines))
        return FindResult(text="\n".join(lines + _told(unread)), matches=_infos(page), near=_infos(near), cursor=cursor)

    def _continued(self, request: FindRequest) -> tuple[str, _Search]:
        assert request.cursor is not None
        now = time.monotonic()
        for name in [name for name, one in self._searches.items() if now - one.used > EXPIRES]:
            del self._searches[name]
        name, _, page = request.cursor.partition(".")
        found = self._searches.get(name)
        if found is None or not page.isdecimal() or not 0 < int(page) <= len(found.pages):
            message = f"the cursor {quote(request.cursor[:40])} is not kept any more; find again without it"
            raise DeskhandError("snapshot_expired", message, target=request.cursor[:40])
        given = {name for name in ("query", "role", "state", "within") if name in request.model_fields_set}
        if any(getattr(request, name) != getattr(found.request, name) for name in given):
            message = "the cursor belongs to another search; give it alone, or find again without it"
            raise DeskhandError("invalid_request", message, target=request.cursor[:40])
        del found.pages[int(page) :]  # a page that is asked for again is told again
        return name, found

    def _keep(self, name: str, search_: _Search) -> str:
        """The search's cursor: its name, and how many pages have been told."""
        name = name or self._world.snapshots.new_id()
        search_.used = time.monotonic()
        self._searches[name] = search_
        self._searches.move_to_end(name)
        while len(self._searches) > KEPT:
            self._searches.popitem(last=False)
        return f"{name}.{len(search_.pages)}"

    async def _searched(self, request: FindRequest) -> tuple[list[Snapshot], list[str]]:
        """Snapshots of the windows to search, hidden parts included; windows that could not be read are told."""
        limits = ReadLimits(hidden=True)
        if isinstance(request.within, Selector) or (request.within and is_element_ref(request.within)):
            target = await self._resolver.resolve(request.within)
            return [await self._world.subtree(target.window, target.ref.partition("[")[0], limits)], []
        if request.within is not None:
            return [await self._world.snapshot(await self._world.window(request.within), limits)], []
        snapshots, unread = [], []
        for window in reversed(await self._world.windows()):
            if window.popup:
                continue
            if window.root is None and window.responsive:
                unread.append(f"{self._world.refs.bind_window(window.key)} tells no accessibility tree")
                continue
            try:
                snapshots.append(await self._world.snapshot(window, limits))
                if snapshots[-1].bare:
                    unread.append(f"{snapshots[-1].ref} is bare: accessibility_off, {REMEDY}")
            except DeskhandError as error:
                unread.append(f"{self._world.refs.bind_window(window.key)} could not be searched: {error.code}")
        return snapshots, unread


def _near(snapshots: Sequence[Snapshot], request: FindRequest) -> list[Hit]:
    if not request.query:
        return []
    rated = sorted((hit for s in snapshots for hit in near_misses(s, request)), key=lambda hit: -hit.score)
    return rated[:_NEAR_SAID]


def _left(search_: _Search, found: Sequence[Hit]) -> list[Hit]:
    """What has not been told and is there: in the order of the first page, what came later last."""
    told, order = search_.told, set(search_.order)
    there = {hit.id: hit for hit in found if hit.id not in told}
    known = [there[name] for name in search_.order if name in there]
    return known + [hit for name, hit in there.items() if name not in order]


def _page(left: Sequence[Hit], limit: int) -> tuple[list[Hit], list[str]]:
    """The matches that fit into one answer, with their lines; at least one."""
    lines = [hit_line(hit) for hit in left[:limit]]
    kept, _ = fit(lines, DEFAULT - _TAIL * 3)
    return list(left[: len(kept)]), kept


def _told(unread: Sequence[str]) -> list[str]:
    lines = [cut(line, _TAIL // 2) for line in unread[:_UNREAD_SAID]]
    return [*lines, f"… {len(unread) - _UNREAD_SAID} more windows not searched"] if unread[_UNREAD_SAID:] else lines


def _infos(hits: Sequence[Hit]) -> list[ElementInfo]:
    return [info(hit.item, hit.path) for hit in hits if hit.item.ref]
