"""The layout guard: the desktop held against a picture, before the first event and before each that follows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from deskhand.desktop.act.placing import Placed
from deskhand.desktop.picturing import Photographer
from deskhand.desktop.pixels.layout import Layout, Surface, differences, refocused
from deskhand.desktop.pixels.leases import Lease
from deskhand.desktop.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point
from deskhand.types.nodes import Window

PRESSING = frozenset({"click", "down", "up", "drag"})
"""Actions that may give the focus away."""
_ACTIVATES, _PASSES, _LOOK = 0.5, 0.3, 0.05
"""Seconds that a window which was clicked on has to come to the front, that a popup has to go, between two looks."""


class LayoutGuard:
    """One batch's. Raises ``layout_changed``, ``focus_lost``, ``cancelled``; nothing of the action has been sent then.

    ``yields``: the person's own mouse and keys stop the batch.
    """

    def __init__(self, world: World, camera: Photographer, lease: Lease, *, yields: bool) -> None:
        self._world, self._camera, self._lease, self._yields = world, camera, lease, yields
        self._under: dict[Point, str | None] = {}
        self._focus = lease.layout.focus  # None: not known, or given away by an action since
        # windows that keys may go to: the picture's own; of a picture of more the active one, those clicked on
        own = lease.window is not None and lease.layout.active is not None
        self._meant = {lease.window if own else lease.layout.active}
        self._hands = world.platform.hands_of_others
        self.dragging = False  # whether a button is down between actions: what is dragged is a surface of its own

    async def whole(self, actions: Sequence[Placed]) -> None:
        """All that the picture takes for granted, before anything is sent."""
        typed_first = next((a.keys for a in actions if a.keys or a.action.do in PRESSING), False)
        now = await self._settled(typed_first)
        changed = differences(self._lease.layout, now)
        if not changed and typed_first and (moved := self._refocused(self._lease.layout, now)):
            changed = [moved]
        if changed:
            raise self.refusal(changed)
        if typed_first and self._lease.window is not None and now.active not in self._meant:
            raise self._elsewhere(now)
        for action in actions:
            for point in action.points:
                self._under[point] = await self._reached(point, now)

    def _refocused(self, then: Layout, now: Layout) -> str:
        """How the focus has moved; the refs that are named count as told."""
        moved = refocused(then, now)
        self._world.refs.publish(
            each.ref for each in (then.focus, now.focus) if moved and each is not None and each.ref
        )
        return moved

    async def _settled(self, focus: bool, action: Placed | None = None) -> Layout:
        """The layout now. A list of completions, a menu that came and went: what is just going is waited for."""
        ends = time.monotonic() + _PASSES
        while True:
            serial, now = self._world.platform.events.serial, await self._camera.layout(focus=focus)
            new = [surface for surface in now.surfaces if self._lease.layout.surface(surface.key) is None]
            in_the_way = [each for each in new if each.popup and not (action and self._let_be(each, action))]
            if not in_the_way or (rest := ends - time.monotonic()) <= 0:
                return now
            await self._world.platform.events.changed(serial, min(rest, _LOOK))

    async def _reached(self, point: Point, now: Layout) -> str | None:
        """The surface there. What passes by and was not in the picture takes no click, but for a tooltip."""
        top = await self._world.platform.window_at(*point)
        if top is not None and now.surface(top) is None and not await self._goes(top):
            raise self.refusal([f"a notification lies at {point.x},{point.y} of the desktop"])
        return top

    async def admit(self, action: Placed, *, first: bool) -> None:
        """Right before an action: what it is about to reach is what the picture showed there."""
        self.require_hands_off()
        if first:
            return await self.whole([action])
        now = await self._settled(action.keys and self._focus is not None, action)
        new = [surface for surface in now.surfaces if self._lease.layout.surface(surface.key) is None]
        if opened := [surface.words for surface in new if not self._let_be(surface, action)]:
            raise self.refusal([f"{words} has opened" for words in opened])
        if now.screen != self._lease.layout.screen:
            raise self.refusal(differences(self._lease.layout, now))
        for point in action.points:
            await self._same_place(point, now)
        if action.keys:
            await self._same_receiver(now)
        return None

    def aside(self, window: Window | None) -> str:
        """In words that it is another window than the one of the picture; empty where it is not."""
        if window is None or self._lease.window in (None, window.key):
            return ""
        shown = self._world.refs.window_ref(self._lease.window or "")
        return f"it lies in {self._world.window_name(window)}, which covers {shown} there"

    def _let_be(self, surface: Surface, action: Placed) -> bool:
        """A drag's own icon; for keys the list of completions below a field."""
        meant = {each.pid for key in self._meant if (each := self._lease.layout.surface(key)) is not None}
        return surface.minimised or (surface.popup and (self.dragging or (action.keys and surface.pid in meant)))

    async def clear(self, point: Point) -> None:
        """With the pointer there and at rest: what is there now gets the click."""
        top = await self._world.platform.window_at(*point)
        if top != self._under.get(point):
            raise self.refusal([f"another surface lies at {point.x},{point.y} of the desktop"])

    def pressed(self, action: Placed) -> None:
        """A click brings its window to the front; keys may go there from now on, and nowhere else.

        By the picture of a window they go to it alone, whatever else was clicked on.
        """
        self._focus = None
        if self._lease.window is not None:
            return
        clicked = {self._under.get(point) for point in action.points[-1:]}
        managed = {key for key in clicked if (each := self._lease.layout.surface(key)) is not None and not each.popup}
        self._meant = managed or self._meant

    async def _same_place(self, point: Point, now: Layout) -> None:
        key, top = self._under.get(point), await self._world.platform.window_at(*point)
        then, surface = self._lease.layout.surface(key), now.surface(key)
        if top != key and not self.dragging and not await self._goes(top):
            over = now.surface(top)
            was = then.words if then is not None else "the desktop"
            raise self.refusal([f"{over.words if over else 'the desktop'} lies at the point now, was {was}"])
        if then is not None and (surface is None or surface.bounds != then.bounds):
            raise self.refusal([f"{then.words} {'has closed' if surface is None else 'has moved'}"])

    async def _goes(self, top: str | None) -> bool:
        """Whether it goes with the pointer, as a tooltip does."""
        windows = await self._world.windows(recent=True)
        return any(
            window.key == top and (window.role == "tooltip" or (window.role == "dnd" and self.dragging))
            for window in windows
        )

    async def _same_receiver(self, now: Layout) -> None:
        """Keys go where they are meant to; a window that was clicked on has a moment to come to the front."""
        ends = time.monotonic() + _ACTIVATES
        while now.active not in self._meant and time.monotonic() < ends:
            await self._world.platform.events.changed(self._world.platform.events.serial, _LOOK)
            now = await self._camera.layout(focus=False)
        moved = self._refocused(replace(self._lease.layout, focus=self._focus), now)
        self._focus = None  # keys may move it
        if now.active not in self._meant and self._lease.window is not None:
            raise self._elsewhere(now)
        if now.active not in self._meant or moved:
            message = "the keys would go elsewhere than the picture showed or the actions clicked on"
            raise DeskhandError("focus_lost", message, target=self._lease.id, found=moved or _active(now))

    def _elsewhere(self, now: Layout) -> DeskhandError:
        """Keys by the picture of one window would go to another."""
        assert self._lease.window is not None
        shown = self._world.refs.window_ref(self._lease.window)
        message = (
            f"no key was sent: {self._lease.id} is a picture of {shown}, and another window has the focus; "
            f'first click into {shown}, or act {{"do": "window", "on": "{shown}", "op": "activate"}}'
        )
        return DeskhandError("focus_lost", message, target=self._lease.id, found=_active(now))

    def require_hands_off(self) -> None:
        """Raises ``cancelled`` when the person has taken over; longer gestures ask now and then."""
        if self._yields and self._world.platform.hands_of_others != self._hands:
            message = "the person uses mouse or keyboard; wait, then look again before going on"
            raise DeskhandError("cancelled", message, target=self._lease.id)

    def refusal(self, changed: Sequence[str]) -> DeskhandError:
        """Nothing is sent: this is not as the picture had it."""
        message = "the desktop is not as the picture had it; a new picture with its own lease is here"
        return DeskhandError("layout_changed", message, target=self._lease.id, found="; ".join(changed))


def _active(now: Layout) -> str:
    active = now.surface(now.active)
    return f"{active.words if active else 'no window'} is active"
