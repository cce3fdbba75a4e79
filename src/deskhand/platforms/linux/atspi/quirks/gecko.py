"""Firefox and Thunderbird (measured with Firefox 153): report 8 (what is claimed but cannot be done), report 11.

Its cache lacks the page, so it is walked. VISIBLE without SHOWING means scrolled away inside of a page, but closed or
hidden in the browser's own controls. EditableText is claimed by sections and labels. A label's name contains what its
field holds; its own words stand in its text only, U+FFFC marking the field.
"""

from __future__ import annotations

from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.browser import Browser, is_gtk
from deskhand.platforms.linux.atspi.raw import Numbers, Raw
from deskhand.types.nodes import Ability, State

_LABEL, _TEXT = 29, 61


class Gecko(Browser):
    """Gecko's tree through ATK."""

    pages_written = True
    front_embedded = True
    fixed_interfaces = True  # an object's class is made for them, as in all that goes through ATK

    def __init__(self, app: str = "") -> None:
        super().__init__("gecko")
        self._deaf = app.casefold() == "thunderbird"  # its windows' own fields are a page's: they answer alike (153)

    def known(self, raw: Raw, above: Raw | None = None) -> Raw:
        """A document that is written in and holds nothing but text is a field (measured: a plain message's body)."""
        raw = super().known(raw, above)
        written = raw.number in words.DOCUMENT_ROLES and raw.bit(words.EDITABLE) and raw.child_count == 0
        return replace(raw, number=_TEXT) if written else raw

    def shows(self, raw: Raw) -> bool:
        """In a page what is laid out; elsewhere what is on the screen."""
        return raw.bit(words.SHOWING | words.VISIBLE) if raw.page else raw.bit(words.SHOWING)

    def behind(self, page: Raw, told: str | None) -> bool:
        """The page of another tab is laid out, too; right after the tabs were changed it also shows (measured)."""
        return not page.bit(words.SHOWING) or told not in (None, page.key)

    def closed(self, raw: Raw, above: Raw | None) -> bool:
        """A closed select shows its chosen item, as a child without a place."""
        if is_gtk(raw):
            return super().closed(raw, above)
        return raw.role == "combobox" and not raw.bit(words.EXPANDED)

    def usable(self, raw: Raw) -> Ability:
        """EditableText only on the browser's own fields: in a page it answers "done" and does nothing.

        A number or an item that is set there reaches no script of the page: no event is fired.
        """
        if is_gtk(raw):
            return raw.abilities
        takes = raw.bit(words.EDITABLE) and not raw.page and not self._deaf
        false = Ability.NONE if takes else Ability.EDIT_TEXT
        if raw.page and raw.role in ("spinbutton", "combobox", "menu", "listbox"):
            false |= Ability.VALUE | Ability.SELECTION
        return raw.abilities & ~false

    def numbers(self, raw: Raw) -> Numbers | None:
        """The parts of a date tell 0; what they show is in their text."""
        if raw.role != "spinbutton" or not raw.page or raw.value is None:
            return raw.value
        shown = raw.text or ""
        return (float(shown), *raw.value[1:]) if shown.isascii() and shown.isdigit() else None

    def doubted(self, raw: Raw) -> State:
        """A page's select never says that it is open: its items show elsewhere, in a menu of the browser's own."""
        return State.EXPANDABLE | State.EXPANDED if raw.page and raw.role == "combobox" else State.NONE

    def tells_text(self, raw: Raw) -> bool:
        """Also a named label's, whose name is no good."""
        return super().tells_text(raw) or _wraps(raw)

    def name(self, raw: Raw) -> str:
        """Not a label's that has a field inside."""
        return "" if _wraps(raw) else super().name(raw)


def _wraps(raw: Raw) -> bool:
    return raw.number == _LABEL and raw.child_count > 0
