"""GTK4's own AT-SPI back end (4.8): report 3 (bounds), report 8 (actions), class names given as names.

Measured with Calculator, in the pixels: places and sizes are those of a widget's content, without its padding and
border (a key of 63x44 is told as the 55x40 within), and count from the window's content: where no compositor lets the
window have a shadow, edges of 5 pixels all around are missing from them. Those are known from the window's size, the
padding of a widget from nothing.
Measured with Text Editor (libadwaita 1.2): a tab is a widget without a role, called by its class; every page of a stack
says that it is visible, with the bounds it had when it last was; a button's name holds its label and its text,
mnemonic and all (``"_Retry Retry"``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.base import Home, Quirks
from deskhand.platforms.linux.atspi.raw import WINDOW, Raw
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Ability, Node

_WIDGET, _SCROLLBAR = 20, 48
_ROLES = {"AdwTab": 37, "AdwTabBox": 38, "AdwTabBar": 63, "GtkRange": 48}
"""Role numbers of widgets that are known by their class only. A tab bar that is folded away has no height, but its tabs
keep theirs: as a bar it hides what it holds."""
_PAGE = "GtkStackPage"
_PADDED, _PADDING = frozenset({"button", "toggle", "combobox"}), (10, 5)
"""What is drawn larger than told, by how much at most: Adwaita's buttons (measured: a key of Calculator 4 and 2)."""
_BEHIND = frozenset({"window", "dialog", "generic", "group", "toolbar"})
"""What may be told where such padding shows."""
_HUMPS = re.compile(r"([A-Z][a-z0-9]+){2,}")
_CALLED = frozenset({"label", "button", "toggle", "link", "menuitem", "listitem"})
"""Roles that have names of their own, which may look like a class's."""
_CLASS_NAME = re.compile(r"(Gtk|Adw|Gd|Hdy)[A-Z]\w+|\w+(View|Gizmo|Button|Widget|Box|Row|Display|Window)")


class Gtk4(Quirks):
    """SHOWING and ENABLED are only set on windows; every widget offers the actions of its whole window."""

    frame = WINDOW
    scales = True
    edges_untold = True
    veils = True
    cached = True  # a fifth of the calls, a third of the time (measured: Calculator 534 to 100 calls)
    numbers_together = True
    ancestors_able = False
    fixed_roles = True  # GtkAccessible: a role cannot be changed once it is set
    click_first = True  # an activated button waits 250 ms (GtkButton's activate timeout) before it acts

    def __init__(self) -> None:
        super().__init__("gtk4")

    def known(self, raw: Raw, above: Raw | None) -> Raw:
        """Widgets without a role that are something to everybody else."""
        if raw.number == _SCROLLBAR and not raw.abilities & Ability.VALUE:
            return replace(raw, number=_WIDGET)  # its GtkRange has the number
        number = _ROLES.get(raw.name) if raw.number == _WIDGET else None
        return replace(raw, number=number) if number is not None else raw

    def stacked(self, raw: Raw) -> bool:
        """A page of a GtkStack."""
        return raw.name == _PAGE

    def shows(self, raw: Raw) -> bool:
        """VISIBLE is all it tells below a window."""
        return raw.bit(words.VISIBLE)

    def bits_show(self, bits: int) -> bool:
        """VISIBLE is all it tells below a window."""
        return bool(bits & words.VISIBLE)

    def disabled(self, raw: Raw) -> bool:
        """SENSITIVE is all it tells below a window."""
        return not raw.bit(words.SENSITIVE)

    def name(self, raw: Raw) -> str:
        """A widget without a label is called by its class; a button's label is said twice (``"7 7"``)."""
        name = raw.name.strip()
        if _CLASS_NAME.fullmatch(name) or (raw.role not in _CALLED and _HUMPS.fullmatch(name)):
            return ""
        first, gap, second = name[: len(name) // 2], name[len(name) // 2 :][:1], name[len(name) // 2 + 1 :]
        return second if gap == " " and second in (first, first.replace("_", "", 1)) else name

    def actions(self, raw: Raw) -> tuple[str, ...]:
        """Only the widget's own; ``win.close`` and the like belong to the window, wherever they are listed."""
        return raw.actions if raw.number in words.FRAME_ROLES else tuple(a for a in raw.actions if "." not in a)

    def shift(self, real: Rect, told: Rect | None, scale: float) -> Point:
        """Places count from the window, whose own is not told."""
        return Point(0, 0)

    def place(self, raws: Mapping[str, Raw], home: Home) -> dict[str, Rect | None]:
        """Extents count from the window's own corner, whatever frame is asked for.

        What lies in a popover is told as if the popover lay over its button: it is known by its surface's size.
        """
        shifts: dict[str, Point] = {}
        placed: dict[str, Rect | None] = {}
        for key, raw in raws.items():  # parents come before children
            shift = shifts.get(raw.parent or "", home.origin)
            shifts[key] = shift = _popover_shift(raw, home.popups) or shift
            placed[key] = raw.bounds.moved(*shift) if raw.bounds else None
        return placed


def padded_at(nodes: Iterable[Node], hit: Node, x: int, y: int) -> list[Node]:
    """Buttons whose untold padding may be what shows at a point where ``hit`` alone is told, the nearest first."""
    if hit.toolkit != "gtk4" or hit.role not in _BEHIND:
        return []
    near = []
    for node in nodes:
        rect = node.visible if node.visible is not None else node.bounds
        if node.role in _PADDED and rect is not None and not rect.empty:
            across = max(rect.x - x, 0, x - (rect.x + rect.w - 1))
            down = max(rect.y - y, 0, y - (rect.y + rect.h - 1))
            near += [(across + down, node)] if across <= _PADDING[0] and down <= _PADDING[1] else []
    return [node for _, node in sorted(near, key=lambda pair: pair[0])]


def _popover_shift(raw: Raw, popups: tuple[Rect, ...]) -> Point | None:
    if raw.parent is None or raw.bounds is None:
        return None
    surface = next((p for p in popups if abs(p.w - raw.bounds.w) <= 1 and abs(p.h - raw.bounds.h) <= 1), None)
    return Point(surface.x - raw.bounds.x, surface.y - raw.bounds.y) if surface else None
