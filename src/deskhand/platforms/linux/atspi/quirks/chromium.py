"""Chromium and Electron (measured with 156): report 5 (one bare node), report 11 (echoes), report 20 (select popups).

VISIBLE is what a page lays out, SHOWING only what is scrolled into view: pages are read whole. A text holds what is
written, with U+FFFC for each embedded child: wrappers' texts are left out, and a text without U+FFFC makes looking
below it needless. Entries offer no EditableText. ``Cache.GetItems`` is fast (228 items in 7 ms) and right for the
browser's own controls, but lacks the page: what it lacks is walked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.browser import Browser, is_gtk
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.nodes import Ability

_ADDED = re.compile(r" - (?P<words>[^-]+) - [\d.,]+\s?[KMGT]?B$| - [\d.,]+\s?[KMGT]?B freed up$")
"""What may stand behind a tab's title; a title may end so, too."""
_MEMORY = frozenset({"Memory usage", "High memory usage"})
"""What Chromium says there in English; in other languages it is learned from the tab in front."""
_WRITTEN = frozenset({"textbox", "paragraph", "link", "heading", "listitem", "button", "blockquote", "cell", "term"})
"""Roles whose text says more than their name, or says that nothing else is inside."""


_FRAME = 23


class Chromium(Browser):
    """Blink's tree through ATK."""

    cached = True
    heads_at_once = True
    tabs_orphaned = True
    fixed_interfaces = True  # its objects are made anew when their interfaces change; roles are not fixed

    def __init__(self) -> None:
        super().__init__("chromium")
        self._memory = set(_MEMORY)

    def shows(self, raw: Raw) -> bool:
        """VISIBLE also tells of what is scrolled away, and not of what is hidden."""
        return super().shows(raw) if is_gtk(raw) else raw.bit(words.VISIBLE)

    def behind(self, page: Raw, told: str | None) -> bool:
        """The page of another tab is in nothing, though it says that it shows."""
        return told is None or told.endswith("/null")

    def bits_show(self, bits: int) -> bool:
        """The same, from the state bits alone."""
        return bool(bits & words.VISIBLE)

    def usable(self, raw: Raw) -> Ability:
        """A select's menu and a bar of tabs select nothing when asked; the parts of a date take no number."""
        if raw.role in ("menu", "tablist") and not is_gtk(raw):
            return raw.abilities & ~Ability.SELECTION
        part = raw.role == "spinbutton" and not raw.bit(words.EDITABLE) and not is_gtk(raw)
        return raw.abilities & ~Ability.VALUE if part else raw.abilities

    def disabled(self, raw: Raw) -> bool:
        """What can only be read is not ENABLED either."""
        return super().disabled(raw) and not raw.bit(words.READ_ONLY)

    def name(self, raw: Raw) -> str:
        """A tab's without the memory that its page uses, which is told a moment later and changes."""
        name = super().name(raw)
        added = _ADDED.search(name) if raw.role == "tab" and not raw.page else None
        return name[: added.start()] if added and added["words"] in (None, *self._memory) else name

    def recast(self, raws: Mapping[str, Raw]) -> Mapping[str, Raw]:
        """Buttons of the browser's own dialogs are shielded: what comes within 500 ms of their showing is not heeded.

        The tab in front teaches what is added to tabs: it is called as the window, but for that.
        """
        title = next((raw.name for raw in raws.values() if raw.number == _FRAME), "")
        front = [raw for raw in raws.values() if raw.role == "tab" and raw.bit(words.SELECTED) and not raw.page]
        for added in [found for raw in front if (found := _ADDED.search(raw.name)) and found["words"]]:
            if title.startswith(f"{added.string[: added.start()]} - ") and not title.startswith(added.string):
                self._memory.add(added["words"])
        return {key: _shielded(raw) if _is_in_dialog(raw, raws) else raw for key, raw in raws.items()}

    def tells_text(self, raw: Raw) -> bool:
        """Wrappers hold nothing but U+FFFC."""
        return super().tells_text(raw) if is_gtk(raw) else raw.role in _WRITTEN

    def whole(self, raw: Raw) -> bool:
        """Without U+FFFC in its text there is nothing but that text inside."""
        written = raw.role in _WRITTEN and not is_gtk(raw)
        return written and bool(raw.text) and words.EMBEDDED not in (raw.text or "")


def _shielded(raw: Raw) -> Raw:
    return replace(raw, abilities=raw.abilities | Ability.SHIELDED)


def _is_in_dialog(raw: Raw, raws: Mapping[str, Raw]) -> bool:
    """Whether it is a button inside of a dialog of the browser's own, not of a page."""
    above = raws.get(raw.parent or "") if raw.role == "button" and not raw.page and not is_gtk(raw) else None
    while above is not None and above.number not in words.DIALOG_ROLES:
        above = raws.get(above.parent or "")
    return above is not None
