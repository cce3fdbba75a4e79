"""``DesktopSession``: the contract over one platform. Built with a gate, a recorder, a launcher and counters."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from deskhand.desktop.act.engine import Engine
from deskhand.desktop.act.inputting import InputEngine
from deskhand.desktop.finding import view_of
from deskhand.desktop.opening import Opener
from deskhand.desktop.paging import long_text, text_page
from deskhand.desktop.picturing import Photographer
from deskhand.desktop.pointing import point
from deskhand.desktop.searching import Finder
from deskhand.desktop.semantics.budget import DEFAULT, cut, fit
from deskhand.desktop.semantics.diff import changes, diff_lines, said
from deskhand.desktop.semantics.gridcells import cell_item
from deskhand.desktop.semantics.lines import Limits, say
from deskhand.desktop.semantics.projection import Projection, header, project
from deskhand.desktop.semantics.quoting import quote, tokens
from deskhand.desktop.semantics.refs import is_element_ref
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolved, Resolver
from deskhand.desktop.world import World
from deskhand.platforms.base import Platform, ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Window
from deskhand.types.protocols import Counters, Gate, Launcher, Recorder
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    ChangesRequest,
    FindRequest,
    InputRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
    ZoomRequest,
)
from deskhand.types.results import (
    ActResult,
    AppsResult,
    Changes,
    Failure,
    FindResult,
    InputResult,
    Judgement,
    OpenResult,
    PointResult,
    Result,
    ScreenshotResult,
    View,
)
from deskhand.types.steps import Selector, Step

R = TypeVar("R", bound=Result)
_OPENABLE_SHOWN = 60
_WINDOWS, _NOTES = 1400, 100
"""Tokens for the windows of ``apps``, and for what stands around the rest."""
_LEAST = 20  # tokens of lines however small the budget is


class DesktopSession:
    """One desktop's state — refs, snapshots — and operations. Its owner process holds exactly one."""

    def __init__(
        self,
        platform: Platform,
        *,
        gate: Gate,
        recorder: Recorder,
        launcher: Launcher,
        counters: Counters,
        yields: bool = True,
    ) -> None:
        self.platform = platform
        self._recorder = recorder
        self._world = World(platform, counters)
        self._resolver = Resolver(self._world)
        self._finder = Finder(self._world, self._resolver)
        self._opener = Opener(self._world, launcher)
        self._engine = Engine(self._world, gate, recorder, self._opener)
        self._camera = Photographer(self._world, self._resolver, counters)
        self._input = InputEngine(self._world, self._engine, self._camera, gate, recorder, yields=yields)

    async def _recorded(self, name: str, request: Any, do: Callable[[], Awaitable[R]]) -> R:
        """Write the call before and its end after, whatever the end is."""
        said = request.model_dump(mode="json", by_alias=True, exclude_none=True)
        self._recorder.record("call", operation=name, request=said)
        try:
            result = await do()
        except DeskhandError as error:
            self._recorder.record("error", operation=name, failure=Failure.of(error).model_dump())
            raise
        self._recorder.record("result", operation=name, text=_recordable(result))
        return result

    # -- looking -----------------------------------------------------------------------------------------------------
    async def apps(self, request: AppsRequest) -> AppsResult:
        """Windows, front first, and what can be opened."""
        return await self._recorded("apps", request, lambda: self._apps(request))

    async def _apps(self, request: AppsRequest) -> AppsResult:
        windows = [w for w in reversed(await self._world.windows()) if not w.popup]
        lines, left = fit([self._app_line(window) for window in windows] or ["no window is open"], _WINDOWS)
        lines += [f"… {left} more windows: observe takes a title or an application's name"] if left else []
        names: list[str] = []
        if request.openable:
            wanted = (request.query or "").casefold()
            names = [app.name for app in await self.platform.applications() if wanted in app.name.casefold()]
            shown = ", ".join(quote(name) for name in names[:_OPENABLE_SHOWN])
            more = f", … {len(names) - _OPENABLE_SHOWN} more" if len(names) > _OPENABLE_SHOWN else ""
            lines.append(cut(f"openable: {shown}", DEFAULT - _WINDOWS - _NOTES) + more)
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
        return view_of(snapshot, projection)

    def _since(self, snapshot: Snapshot, base: Snapshot, budget: int) -> View:
        if base.window.key != snapshot.window.key:
            message = f"{base.id} is of {base.ref}, not of {snapshot.ref}"
            raise DeskhandError("invalid_request", message, target=base.id)
        head = [f"diff {base.id} -> {snapshot.id}", header(snapshot, 0, [])]
        found, room = changes(base.flat, snapshot.flat), max(_LEAST, budget - sum(map(tokens, head)))
        lines = diff_lines(found, room, lambda: self._world.snapshots.before(base))
        self._world.refs.publish(said(lines))
        cut = lines[-1:] != [] and lines[-1].startswith("…")
        return view_of(snapshot, Projection("\n".join([*head, *(lines or ["no change"])]), frozenset(), cut))

    async def _observe_element(self, request: ObserveRequest, target: Resolved) -> View:
        if request.first is not None or request.last is not None or long_text(target.node, request):
            return await text_page(self._world, request, target)
        snapshot = await self._world.subtree(target.window, target.ref.partition("[")[0], _limits(request))
        if target.table is not None:
            text = "\n".join((header(snapshot, 1, []), say(cell_item(target.node, target.ref), Limits())))
            return view_of(snapshot, Projection(text, frozenset(), False))
        return self._view(snapshot, project(snapshot, request.budget, request.detail))

    async def find(self, request: FindRequest) -> FindResult:
        """Matches over all windows (or one), closed menus included."""
        return await self._recorded("find", request, lambda: self._finder.find(request))

    async def point(self, request: PointRequest) -> PointResult:
        """What lies under root pixels, under a pixel of a picture, or under the pointer."""
        return await self._recorded("point", request, lambda: self._pointed(request))

    async def _pointed(self, request: PointRequest) -> PointResult:
        if request.lease is not None:
            lease = await self._camera.standing(request.lease)
            at = lease.frame.root((request.x or 0, request.y or 0))
            request = PointRequest(x=at.x, y=at.y)
        return await point(self._world, request)

    async def screenshot(self, request: ScreenshotRequest) -> ScreenshotResult:
        """A picture of the desktop, a window, an element or a region, with a lease."""
        return await self._recorded("screenshot", request, lambda: self._camera.screenshot(request))

    async def zoom(self, request: ZoomRequest) -> ScreenshotResult:
        """A part of a picture, larger."""
        return await self._recorded("zoom", request, lambda: self._camera.zoom(request))

    async def changes(self, request: ChangesRequest) -> Changes:
        """Wait for something to change; what an application does not announce is not waited for."""
        events = self.platform.events
        if request.after is not None:
            await events.changed(request.after, request.timeout)
        return Changes(serial=events.serial)

    # -- acting ------------------------------------------------------------------------------------------------------
    async def judge(self, request: ActRequest | OpenRequest | InputRequest) -> Judgement:
        """What the gate says, without side effects."""
        if isinstance(request, InputRequest):
            return await self._input.judge(request)
        if isinstance(request, OpenRequest):
            request = _as_batch(request)
        return await self._engine.judge(request)

    async def act(self, request: ActRequest) -> ActResult:
        """Ordered steps."""
        return await self._recorded("act", request, lambda: self._engine.act(request))

    async def input(self, request: InputRequest) -> InputResult:
        """Pointer and keyboard in a picture's frame."""
        return await self._recorded("input", request, lambda: self._input.input(request))

    async def open(self, request: OpenRequest) -> OpenResult:
        """Start or attach, and wait until the window can be read; the result carries its view."""
        return await self._recorded("open", request, lambda: self._open(request))

    async def _open(self, request: OpenRequest) -> OpenResult:
        ends = time.monotonic() + request.timeout
        result = await self._engine.act(_as_batch(request))
        if result.failure is not None:
            raise result.failure.error()
        ref = result.effects[0].note.split()[1]
        window = next((w for w in result.windows if w.ref == ref), None)
        if window is None:
            raise DeskhandError("window_gone", f"{ref} opened and closed again; call apps", sent="yes")
        started = result.effects[0].note.startswith("started")
        snapshot = await self._opener.view(await self._world.window(window.ref), ends - time.monotonic())
        text = f"{result.effects[0].note}\n{self._view(snapshot, project(snapshot, DEFAULT - _NOTES)).text}"
        return OpenResult(text=text, window=window.ref, title=window.title, started=started, pid=window.pid)


def _as_batch(request: OpenRequest) -> ActRequest:
    step = Step(do="open", app=request.app, file=request.file, url=request.url)
    return ActRequest(steps=[step], consent=request.consent, timeout=request.timeout)


def _limits(request: ObserveRequest) -> ReadLimits:
    limits = ReadLimits(hidden="hidden" in request.detail, actions="actions" in request.detail)
    return replace(limits, rows=500, columns=200) if "rows" in request.detail else limits


def _recordable(result: Result) -> str:
    """A result's text without what is on the clipboard, which the record does not collect."""
    text = result.text
    for effect in result.effects if isinstance(result, ActResult) else ():
        if effect.do == "clipboard" and isinstance(effect.after, str) and effect.after != '""':
            text = text.replace(effect.after, '"[withheld]"')
    return text
