"""GTK3 through atk-bridge: report 1 (a modal dialog opened by an action).

A handler that runs a dialog's own main loop keeps atk-bridge inside of its dispatch (measured with Mousepad's File >
Save As): nothing is answered until the dialog is closed. So buttons and menu items are clicked, not asked.
"""

from __future__ import annotations

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.base import Quirks
from deskhand.platforms.linux.atspi.raw import Raw


class Gtk3(Quirks):
    """As usual but for actions that may block."""

    click_first = True
    cached = False  # holds hundreds of hidden menu items and may lack others: a pruned walk is as fast, and complete
    combo_named_by_value = True

    def __init__(self, toolkit: str = "gtk3") -> None:
        super().__init__(toolkit)

    def fleeting(self, raw: Raw) -> bool:
        """A file dialog's places are rows made anew whenever volumes or bookmarks are looked at."""
        return raw.role == "listitem"

    def closed(self, raw: Raw) -> bool:
        """An open menu is SELECTED; LibreOffice has 280 items in closed ones."""
        return raw.role == "menu" and not raw.bit(words.SELECTED)
