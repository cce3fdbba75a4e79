"""What every toolkit does unless its own file says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.raw import SCREEN, SPEAK_BY_NAME, Numbers, Raw
from deskhand.platforms.linux.atspi.scaling import scaled
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Ability, State

_NOWHERE_ELSE = Point(0, 0)


@dataclass(frozen=True, slots=True)
class Home:
    """Where a window's elements are drawn: its origin, and the rectangles of its process's popups."""

    origin: Point
    popups: tuple[Rect, ...] = ()
    surface: int = 0  # the system's id of the window
    scale: float = 1.0  # root pixels per pixel that the toolkit tells
    shift: Point = _NOWHERE_ELSE  # what a place is off, scaled, because the window's own was rounded

    def root(self, told: Rect) -> Rect:
        """A place that the toolkit tells, in root pixels but for the frame it counts from."""
        return scaled(told, self.scale, self.shift)


@dataclass(frozen=True, slots=True)
class Pages:
    """A document that shows in parts: its key, how many pages lie above the first that shows, how many it has, and
    the first and last element that show of it."""

    key: str
    above: int
    total: int
    first: str
    last: str


class Quirks:
    """The usual behaviour (GTK3 is the model). ``frame``: the coordinate frame whose extents can be trusted."""

    frame = SCREEN
    cached = False
    """Whether reads begin with ``Cache.GetItems``; on LibreOffice it kills the application."""

    hidden_cached = False
    """Whether reads of a whole window do that tell what does not show, too."""

    menus_unmapped = False
    """Whether what is in a closed menu lies nowhere, so that it need not be asked for its place."""

    scales = False
    """Whether it tells places in pixels of its own where its windows are drawn larger (200 %)."""

    fixed_interfaces = False
    """Whether an element's interfaces follow from its class, and stay: then they are asked once."""

    ancestors_only_clip = False
    """Whether an element read alone needs no more of its ancestors than their roles and bounds."""

    ancestors_able = True
    """Whether it needs what can be asked of them; always where that is fixed, for it is remembered."""

    fixed_roles = False
    """Whether its role does."""
    piecemeal = False
    """Whether properties must be asked for one by one."""

    click_first = False
    """Whether a real click is surer or faster than an action."""

    alt_first = False
    """Whether Alt must have come to its widgets before the key that is pressed with it."""

    web = False
    """Whether it shows documents whose parts out of view belong to what is told of them."""

    chosen_in_menu = False
    """Whether a combo box holds a menu that knows what is chosen, and says nothing itself."""

    def clicked(self, raw: Raw) -> bool:
        """Whether a real click is surer or faster than an action of this element."""
        return self.click_first

    def fleeting(self, raw: Raw) -> bool:
        """Whether the toolkit now and then makes a new object for this same element."""
        return False

    numbers_text = False
    """Whether a paragraph's text begins with its list's number or bullet, and is not set while it does."""

    pages_written = False
    """Whether words that stand right in a page are told by the page's own text alone."""

    heads_at_once = False
    """Whether a text may be asked for past its end, and is told up to there."""

    numbers_together = False
    """Whether the number, the least and the most may be asked for in one."""

    tabs_orphaned = False
    """Whether the page of a tab behind another says, asked anew, that it is in nothing."""

    front_embedded = False
    """Whether a window says which page is in front, by what it embeds."""

    edges_untold = False
    """Whether places count from within the edges that it draws around a window, whose size leaves them out, too."""

    veils = False
    """Whether what lies in something hidden says all the same that it shows."""

    combo_named_by_value = False
    """Whether a combo box is called by what it holds; its name is then its label's."""

    def __init__(self, toolkit: str) -> None:
        self.toolkit = toolkit

    bars_wrapped = False
    """Whether a scrolled area has any role, and its scroll bars boxes of their own."""

    lengths_in_bytes = True
    """Whether the length of an inserted text is told in bytes; in UTF-16 units otherwise."""

    plane = 0x10FFFF
    """The highest character that it takes through the accessibility bus; what lies beyond must be typed."""

    cells_outlive_rows = False
    """Whether a cell's object may be told where its row has gone and another one is."""

    menus_inside = False
    """Whether menus and lists that drop are drawn in their window, and stay open when an item is done by its action."""

    dialogs_unlisted = False
    """Whether dialogs of another toolkit in the same process are told among no children of the application."""

    menus_by_surface = False
    """Whether a menu says in no way that it is open: it may be while its process has a popup on the screen."""

    popups_unlisted = False
    """Whether context menus stand in no list of windows and are known from their announcement alone."""

    def known(self, raw: Raw, above: Raw | None) -> Raw:
        """The element as what it is, where the toolkit tells less or something else; ``above`` it stands."""
        return raw

    def surfaced(self, raw: Raw, popups: tuple[Rect, ...]) -> Raw:
        """The same, where only the popups of its process tell whether it is on the screen."""
        return raw

    def known_whole(self, raw: Raw) -> Raw:
        """The same, once text, value and label have been read.

        A terminal's text is its whole screen; the empty lines below the last one say nothing (measured with VTE).
        """
        if raw.role != "terminal" or raw.text is None or raw.text_length > len(raw.text):
            return raw
        screen = raw.text.rstrip("\n")
        return replace(raw, text=screen, text_length=len(screen))

    def stacked(self, raw: Raw) -> bool:
        """Whether it is a page of a pile of which only one shows though all say that they do."""
        return False

    def behind(self, page: Raw, told: str | None) -> bool:
        """Whether a document is one of a tab behind another.

        ``told``: what it says now that it is in (``tabs_orphaned``), or what its window embeds (``front_embedded``).
        """
        return False

    def shows(self, raw: Raw) -> bool:
        """Whether the toolkit says that it is on screen (or can be scrolled to)."""
        return raw.bit(words.SHOWING)

    def bits_show(self, bits: int) -> bool:
        """The same, from the state bits alone."""
        return bool(bits & words.SHOWING)

    def input_line(self, raws: Mapping[str, Raw]) -> str | None:
        """Key of what shows the content of a sheet's active cell, None where there is none."""
        return None

    def recast(self, raws: Mapping[str, Raw]) -> Mapping[str, Raw]:
        """Elements that the toolkit gives another role than what they are, put right."""
        return raws

    def pages(self, raws: Mapping[str, Raw]) -> Pages | None:
        """The document of several pages that is being read, None where there is none."""
        return None

    def closed(self, raw: Raw, above: Raw | None) -> bool:
        """Whether it is a menu known to be closed, so that none of its items need be asked whether they show.

        ``above`` is its parent, None where it is read by itself.
        """
        return False

    def disabled(self, raw: Raw) -> bool:
        """Whether it takes no input now."""
        return not raw.bit(words.ENABLED | words.SENSITIVE)

    def usable(self, raw: Raw) -> Ability:
        """Of what it claims to offer, what it really does."""
        return raw.abilities

    def numbers(self, raw: Raw) -> Numbers | None:
        """Its number with the least and the most."""
        return raw.value

    def doubted(self, raw: Raw) -> State:
        """States that it tells wrongly, whether it has them or not."""
        return State.NONE

    def tells_text(self, raw: Raw) -> bool:
        """Whether its text says anything that its name and its children do not."""
        return not (raw.name and raw.role in SPEAK_BY_NAME)

    def whole(self, raw: Raw) -> bool:
        """Whether what was read of it is all that is inside."""
        return False

    def name(self, raw: Raw) -> str:
        """Its accessible name, cleaned of what the toolkit adds."""
        return raw.name.strip()

    def actions(self, raw: Raw) -> tuple[str, ...]:
        """The actions that can be called with an effect on the element itself."""
        return raw.actions

    def shift(self, real: Rect, told: Rect | None, scale: float) -> Point:
        """What must be added to the scaled places of what lies in a window at ``real``; ``told`` is its own, scaled.

        GTK 3 divides a window's place and cuts it.
        """
        x, y = (place - int(int(place / scale) * scale) for place in (real.x, real.y))
        return Point(x, y)

    def place(self, raws: Mapping[str, Raw], home: Home) -> dict[str, Rect | None]:
        """Bounds in root pixels of every element just read."""
        return {key: raw.bounds for key, raw in raws.items()}
