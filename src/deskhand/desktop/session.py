"""``DesktopSession``: the contract over one platform. Built with a gate, a recorder, a launcher and counters."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from deskhand.desktop.act.engine import Engine
from deskhand.desktop.finding import Hit, hit_line, info, near_misses, search
from deskhand.desktop.opening import Opener
from deskhand.desktop.pointing import point
from deskhand.desktop.semantics.diff import changes, diff_lines, said
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.projection import Projection, header, project
from deskhand.desktop.semantics.quoting import quote, tokens
from deskhand.desktop.semantics.refs import is_element_ref
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolved, Resolver
from deskhand.desktop.world import World
from deskhand.platforms.base import Platform, ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Grid, Window
from deskhand.types.protocols import Counters, Gate, Launcher, Recorder
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    ChangesRequest,
    FindRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
)
from deskhand.types.results import (
    ActResult,
    AppsResult,
    Changes,
    Failure,
    FindResult,
    Judgement,
    OpenResult,
    PointResult,
    Result,
    ScreenshotResult,
    TableInfo,
    View,
)
from deskhand.types.steps import Selector, Step

R = TypeVar("R", bound=Result)
_OPENABLE_SHOWN = 60
_TEXT_PAGE = 8000
_LEAST = 20  # tokens of lines however small the budget is


class DesktopSession:
    """One desktop's state — refs, snapshots — and operations. Its owner process holds exactly one."""

    def __init__(
        self, platform: Platform, *, gate: Gate, recorder: Recorder, launcher: Launcher, counters: Counters
    ) -> None:
        self.platform = platform
        self._recorder = recorder
        self._world = World(platform, counters)
        self._resolver = Resolver(self._world)
        self._opener = Opener(self._world, launcher)
        self._engine = Engine(self._world, gate, recorder, self._opener)

    async def _recorded(self, name: str, request: Any, do: Callable[[], Awaitable[R]]) -> R:
        """Write the call before and its end after, whatever the end is."""
        said = request.model_dump(mode="json", by_alias=True, exclude_none=True)
        self._recorder.record("call", operation=name, request=said)
        try:
            result = await do()
        except DeskhandError as error:
            self._recorder.record("error", operation=name, failure=Failure.of(error).model_dump())
            raise
        self._recorder.record("result", operation=name, text=result.text)
        return result

    # -- looking -----------------------------------------------------------------------------------------------------
    async def apps(self, request: AppsRequest) -> AppsResult:
        """Windows, front first, and what can be opened."""
        return await self._recorded("apps", request, lambda: self._apps(request))

    async def _apps(self, request: AppsRequest) -> AppsResult:
        windows = [w for w in reversed(await self._world.windows()) if not w.popup]
        lines = [self._app_line(window) for window in windows] or ["no window is open"]
        names: list[str] = []
        if request.openable:
            wanted = (request.query or "").casefold()
            names = [app.name for app in await self.platform.applications() if wanted in app.name.casefold()]
            shown = ", ".join(quote(name) for name in names[:_OPENABLE_SHOWN])
            more = f", … {len(names) - _OPENABLE_SHOWN} more" if len(names) > _OPENABLE_SHOWN else ""
            lines.append(f"openable: {shown}{more}")
        typed = [self._world.window_line(window) for window in windows]
        return AppsResult(text="\n".join(lines), windows=typed, openable=names)

    def _app_line(self, window: Window) -> str:
        place = ",".join(str(n) for n in window.frame or window.bounds)
        tree = "" if window.root or not window.responsive else "; no accessibility tree"
        return f"{self._world.window_words(window)}; app {quote(window.app)} pid {window.pid} @{place}{tree}"

    async def observe(self, request: ObserveRequest) -> View:
        """The view of a window or of what is below one element."""
        return await self._recorded("observe", request, lambda: self._observe(request))

    async def _observe(self, request: ObserveRequest) -> View:
        if isinstance(request.target, Selector) or (request.target and is_element_ref(request.target)):
            return await self._observe_element(request, await self._resolver.resolve(request.target))
        limits = _limits(request)
        window = await self._world.window(request.target)
        snapshot = await self._world.snapshot(window, limits)
        if request.since is not None:
            return self._since(snapshot, self._world.snapshots.get(request.since), request.budget)
        return self._view(snapshot, project(snapshot, request.budget, request.detail))

    def _view(self, snapshot: Snapshot, projection: Projection) -> View:
        self._world.refs.publish(projection.said)
        return _view(snapshot, projection)

    def _since(self, snapshot: Snapshot, base: Snapshot, budget: int) -> View:
        if base.window.key != snapshot.window.key:
            message = f"{base.id} is of {base.ref}, not of {snapshot.ref}"
            raise DeskhandError("invalid_request", message, target=base.id)
        head = [f"diff {base.id} -> {snapshot.id}", header(snapshot, 0, [])]
        lines = diff_lines(changes(base.flat, snapshot.flat), max(_LEAST, budget - sum(map(tokens, head))))
        self._world.refs.publish(said(lines))
        cut = lines[-1:] != [] and lines[-1].startswith("…")
        return _view(snapshot, Projection("\n".join([*head, *(lines or ["no change"])]), frozenset(), cut))

    async def _observe_element(self, request: ObserveRequest, target: Resolved) -> View:
        if request.first is not None or request.last is not None:
            return await self._text_page(request, target)
        snapshot = await self._world.subtree(target.window, target.ref.partition("[")[0], _limits(request))
        return self._view(snapshot, project(snapshot, request.budget, request.detail))

    async def _text_page(self, request: ObserveRequest, target: Resolved) -> View:
        """Characters ``from`` to ``to`` of a long text, whole."""
        first = request.first or 0
        last = min(request.last if request.last is not None else first + _TEXT_PAGE, first + _TEXT_PAGE)
        text = await self.platform.text(target.node.key, first, last)
        left = max(0, target.node.text_length - first - len(text))
        snapshot = await self._world.subtree(target.window, target.ref.partition("[")[0])
        line = f"{target.words} text {first}..{first + len(text)} of {target.node.text_length}: {quote(text)}"
        return _view(snapshot, Projection(line + (f"+{left}" if left else ""), frozenset(), left > 0))

    async def find(self, request: FindRequest) -> FindResult:
        """Matches over all windows (or one), closed menus included."""
        return await self._recorded("find", request, lambda: self._find(request))

    async def _find(self, request: FindRequest) -> FindResult:
        snapshots, unread = await self._searched(request)
        hits = sorted((hit for s in snapshots for hit in search(s, request)), key=lambda hit: -hit.score)
        start = _cursor(request.cursor)
        page = hits[start : start + request.limit]
        rest = len(hits) - start - len(page)
        near = [hit for s in snapshots for hit in near_misses(s, request)] if not hits and request.query else []
        lines = [hit_line(hit) for hit in page] or ["nothing matches"]
        lines += [f"near: {hit_line(hit)}" for hit in near]
        self._world.refs.publish(hit.item.ref for hit in (*page, *near) if hit.item.ref)
        cursor = str(start + len(page)) if rest > 0 else None
        lines += [f"… {rest} more: cursor {quote(cursor)}"] if cursor else []
        return FindResult(text="\n".join(lines + unread), matches=_infos(page), near=_infos(near), cursor=cursor)

    async def _searched(self, request: FindRequest) -> tuple[list[Snapshot], list[str]]:
        """Snapshots of the windows to search, hidden parts included; windows that could not be read are told."""
        if isinstance(request.within, Selector) or (request.within and is_element_ref(request.within)):
            target = await self._resolver.resolve(request.within)
            limits = ReadLimits(hidden=True)
            return [await self._world.subtree(target.window, target.ref.partition("[")[0], limits)], []
        if request.within is not None:
            return [await self._world.snapshot(await self._world.window(request.within), ReadLimits(hidden=True))], []
        snapshots, unread = [], []
        for window in reversed(await self._world.windows()):
            if window.popup:
                continue
            if window.root is None and window.responsive:
                unread.append(f"{self._world.refs.bind_window(window.key)} tells no accessibility tree")
                continue
            try:
                snapshots.append(await self._world.snapshot(window, ReadLimits(hidden=True)))
            except DeskhandError as error:
                unread.append(f"{self._world.refs.bind_window(window.key)} could not be searched: {error.code}")
        return snapshots, unread

    async def point(self, request: PointRequest) -> PointResult:
        """What lies under root pixels or under the pointer."""
        return await self._recorded("point", request, lambda: point(self._world, request))

    async def screenshot(self, request: ScreenshotRequest) -> ScreenshotResult:
        """A picture of the desktop, a window or an element."""
        return await self._recorded("screenshot", request, lambda: self._screenshot(request))

    async def _screenshot(self, request: ScreenshotRequest) -> ScreenshotResult:
        bounds, words = await self._area(request)
        picture = await self.platform.capture(bounds, request.max_pixels)
        scale = "" if picture.scale == 1.0 else f", scale {picture.scale:.3f}"
        place = ",".join(str(n) for n in picture.bounds)
        return ScreenshotResult(
            text=f"screenshot of {words}: {picture.width}x{picture.height} @{place}{scale}",
            png=base64.b64encode(picture.png).decode(), width=picture.width, height=picture.height,
            bounds=picture.bounds, scale=picture.scale,
        )  # fmt: skip

    async def _area(self, request: ScreenshotRequest) -> tuple[Rect | None, str]:
        target = request.target
        if target is None:
            return None, "the desktop"
        if isinstance(target, Selector) or is_element_ref(target):
            found = await self._resolver.resolve(target)
            return found.node.visible or found.node.bounds, found.words
        window = await self._world.window(target)
        return window.frame or window.bounds, self._world.window_words(window)

    async def changes(self, request: ChangesRequest) -> Changes:
        """Wait for something to change; what an application does not announce is not waited for."""
        events = self.platform.events
        if request.after is not None:
            await events.changed(request.after, request.timeout)
        return Changes(serial=events.serial)

    # -- acting ------------------------------------------------------------------------------------------------------
    async def judge(self, request: ActRequest | OpenRequest) -> Judgement:
        """What the gate says, without side effects."""
        if isinstance(request, OpenRequest):
            request = _as_batch(request)
        return await self._engine.judge(request)

    async def act(self, request: ActRequest) -> ActResult:
        """Ordered steps."""
        return await self._recorded("act", request, lambda: self._engine.act(request))

    async def open(self, request: OpenRequest) -> OpenResult:
        """Start or attach, and wait until the window can be read; the result carries its view."""
        return await self._recorded("open", request, lambda: self._open(request))

    async def _open(self, request: OpenRequest) -> OpenResult:
        result = await self._engine.act(_as_batch(request))
        if result.failure is not None:
            raise result.failure.error()
        ref = result.effects[0].note.split()[1]
        window = next((w for w in result.windows if w.ref == ref), None)
        if window is None:
            raise DeskhandError("window_gone", f"{ref} opened and closed again; call apps", sent="yes")
        started = result.effects[0].note.startswith("started")
        snapshot = await self._world.snapshot(await self._world.window(window.ref))
        text = f"{result.effects[0].note}\n{self._view(snapshot, project(snapshot, 2000)).text}"
        return OpenResult(text=text, window=window.ref, title=window.title, started=started, pid=window.pid)


def _as_batch(request: OpenRequest) -> ActRequest:
    step = Step(do="open", app=request.app, file=request.file, url=request.url)
    return ActRequest(steps=[step], consent=request.consent, timeout=request.timeout)


def _limits(request: ObserveRequest) -> ReadLimits:
    limits = ReadLimits(hidden="hidden" in request.detail, actions="actions" in request.detail)
    return replace(limits, rows=500, columns=200) if "rows" in request.detail else limits


def _view(snapshot: Snapshot, projection: Projection) -> View:
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


def _infos(hits: list[Hit]) -> list[Any]:
    return [info(hit.item, hit.path) for hit in hits if hit.item.ref]


def _cursor(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdigit():
        raise DeskhandError("invalid_request", f"{quote(cursor)} is no cursor; use the one that find gave")
    return int(cursor)
