"""The layout of a desktop: what a picture of it takes for granted, and what of that is true no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from deskhand.desktop.semantics.quoting import SHORT_TEXT, quote_cut
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node, Window

PASSING = frozenset({"tooltip", "dnd", "notification"})
"""Surfaces that come and go and say nothing of what is below and beside them."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A top-level surface. ``words`` name it as it was called when it was looked at."""

    key: str
    words: str
    bounds: Rect
    minimised: bool = False
    popup: bool = False
    pid: int = 0


@dataclass(frozen=True, slots=True)
class Focus:
    """What gets the keys, as far as it can be told apart from another element. ``called``: as views name it."""

    key: str
    role: str
    name: str
    bounds: Rect | None
    ref: str = ""
    called: str = ""

    @classmethod
    def of(cls, node: Node, ref: str = "", called: str = "") -> Focus:
        """The identity of an element."""
        return cls(node.key, node.role, node.name, node.bounds, ref, called or node.name)

    def same(self, other: Focus) -> bool:
        """Toolkits make new objects for the same element: then role, name and place tell."""
        return self.key == other.key or (self.role, self.name, self.bounds) == (other.role, other.name, other.bounds)

    @property
    def words(self) -> str:
        """``r7 textbox "Name"``."""
        name = quote_cut(self.called, SHORT_TEXT) if self.called else ""
        return " ".join(part for part in (self.ref, self.role, name) if part)


@dataclass(frozen=True, slots=True)
class Layout:
    """``monitors``: the primary one first. ``surfaces`` bottom first, without what passes; ``active`` is a surface's
    key. ``focus`` None: not known."""

    screen: Rect
    monitors: tuple[Rect, ...]
    surfaces: tuple[Surface, ...]
    active: str | None
    focus: Focus | None = None

    @property
    def from_the_left(self) -> list[Rect]:
        """The monitors as they are counted: from the left, those above one another from the top."""
        return sorted(self.monitors)

    def surface(self, key: str | None) -> Surface | None:
        """One by its key."""
        return next((surface for surface in self.surfaces if surface.key == key), None)


def surface_of(window: Window, words: str) -> Surface:
    """A window as the layout has it: with its decoration, for that takes clicks too."""
    return Surface(window.key, words, window.frame or window.bounds, window.minimised, window.popup, window.pid)


def lasting(windows: Iterable[Window]) -> list[Window]:
    """All but what passes."""
    return [window for window in windows if window.role not in PASSING]


def differences(then: Layout, now: Layout) -> list[str]:
    """What is not as it was, in words; nothing where the desktop is as the picture has it."""
    said = [*_desktop(then, now), *_came_and_went(then, now), *_moved(then, now)]
    said += [] if said else _stacked(then.surfaces, now.surfaces)
    return [*said, *_active(then, now)]


def refocused(then: Layout, now: Layout) -> str:
    """How the focus has moved within its window; empty where it has not, or where it is not known."""
    if then.focus is None or now.focus is None or then.focus.same(now.focus):
        return ""
    return f"the keyboard focus is on {now.focus.words}, was on {then.focus.words}"


def _desktop(then: Layout, now: Layout) -> Iterator[str]:
    if then.screen != now.screen:
        yield f"the desktop is {_size(now.screen)}, was {_size(then.screen)}"
    elif then.monitors != now.monitors:
        yield f"there are {len(now.monitors)} monitors in other places, were {len(then.monitors)}"


def _size(rect: Rect) -> str:
    return f"{rect.w}x{rect.h} from {rect.x},{rect.y}"


def _came_and_went(then: Layout, now: Layout) -> Iterator[str]:
    before, after = {s.key for s in then.surfaces}, {s.key for s in now.surfaces}
    yield from (
        f"{surface.words} has closed" for surface in then.surfaces if surface.key not in after and not surface.minimised
    )
    yield from (
        f"{surface.words} has opened" for surface in now.surfaces if surface.key not in before and not surface.minimised
    )


def _moved(then: Layout, now: Layout) -> Iterator[str]:
    for old in then.surfaces:
        new = now.surface(old.key)
        if new is None or (old.bounds, old.minimised) == (new.bounds, new.minimised):
            continue
        if old.minimised != new.minimised:
            yield f"{old.words} is {'' if new.minimised else 'not '}minimised now"
        elif not new.minimised:
            yield f"{old.words} is at {_place(new.bounds)}, was at {_place(old.bounds)}"


def _place(rect: Rect) -> str:
    return ",".join(str(number) for number in rect)


def _stacked(then: Sequence[Surface], now: Sequence[Surface]) -> Iterator[str]:
    """Of what does not touch it is all the same which lies above the other."""
    place = {surface.key: number for number, surface in enumerate(then)}
    shown = [surface for surface in now if not surface.minimised and surface.key in place]
    for number, upper in enumerate(shown):
        for lower in shown[:number]:
            if place[upper.key] < place[lower.key] and not upper.bounds.intersect(lower.bounds).empty:
                yield f"{upper.words} lies above {lower.words}"
                return


def _active(then: Layout, now: Layout) -> Iterator[str]:
    if then.active == now.active:
        return
    old, new = then.surface(then.active), now.surface(now.active)
    yield f"{new.words if new else 'no window'} is active, was {old.words if old else 'none'}"
