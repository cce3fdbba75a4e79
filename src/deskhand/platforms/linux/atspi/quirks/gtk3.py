"""GTK3 through atk-bridge: report 1 (a modal dialog opened by an action), areas that tell nothing of what they hold.

A handler that runs a dialog's own main loop keeps atk-bridge inside of its dispatch (measured with Mousepad's File >
Save As): nothing is answered until the dialog is closed. So buttons and menu items are clicked, not asked.

What an application draws by itself is a childless panel that takes the focus (measured: Thunar's icon view and compact
view, whose files nobody can read through the bus): it is a canvas, so that it is said and looked at.
"""

from __future__ import annotations

from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.base import Quirks
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.nodes import Ability

_PANEL, _CANVAS = 39, 6
_LAYERS, _ICON, _LIST_BOX, _LIST_ITEM = 30, 26, 98, 32


class Gtk3(Quirks):
    """As usual but for actions that may block."""

    click_first = True
    cached = False  # holds hundreds of hidden menu items and may lack others: a pruned walk is as fast, and complete
    hidden_cached = True  # where those are wanted; atk-bridge puts an item together when it is asked, so it is as true
    menus_unmapped = True
    combo_named_by_value = True
    scales = True
    ancestors_only_clip = True
    fixed_interfaces = True
    fixed_roles = True  # set when it is made; a change would be announced by object:property-change:accessible-role

    def __init__(self, toolkit: str = "gtk3") -> None:
        super().__init__(toolkit)

    def clicked(self, raw: Raw) -> bool:
        """An expander is deaf beside its arrow and label (measured in Impress's sidebar), and opens no dialog."""
        return not (raw.role == "toggle" and raw.bit(words.EXPANDABLE))

    def fleeting(self, raw: Raw) -> bool:
        """A file dialog's places are rows made anew whenever volumes or bookmarks are looked at."""
        return raw.role == "listitem"

    def known(self, raw: Raw, above: Raw | None) -> Raw:
        """What takes the focus and holds nothing is drawn by the application itself; an icon view is a list."""
        if raw.number == _LAYERS and raw.bit(words.FOCUSABLE) and Ability.SELECTION in raw.abilities:
            return replace(raw, number=_LIST_BOX)
        if raw.number == _ICON and raw.bit(words.SELECTABLE) and above is not None and above.number == _LIST_BOX:
            return replace(raw, number=_LIST_ITEM)
        drawn = raw.number == _PANEL and raw.child_count == 0 and raw.bit(words.FOCUSABLE)
        return replace(raw, number=_CANVAS) if drawn else raw

    def usable(self, raw: Raw) -> Ability:
        """A terminal (VTE) answers what it was asked to select, and selects other characters."""
        return super().usable(raw) | (Ability.MISSELECTS if raw.role == "terminal" else Ability.NONE)

    def known_whole(self, raw: Raw) -> Raw:
        """An icon view's item is called by its text."""
        if raw.number == _LIST_ITEM and not raw.name and raw.text:
            return replace(raw, name=raw.text, text=None, text_length=0)
        return super().known_whole(raw)

    def closed(self, raw: Raw, above: Raw | None) -> bool:
        """An open menu is SELECTED; LibreOffice has 280 items in closed ones.

        A context menu is never SELECTED: it is the only thing in a window of its own (report 20).
        """
        alone = above is not None and above.role == "window"
        return raw.role == "menu" and not alone and not raw.bit(words.SELECTED)
