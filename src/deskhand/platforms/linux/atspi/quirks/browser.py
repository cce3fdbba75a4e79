"""What both browsers do: pages, and GTK3's dialogs in the same process (the file chooser; measured with Chromium 156).

A GTK dialog is told among no children of the application, but announces that it shows, and tells its parts as in any
program of GTK3; its elements say so by an attribute.
"""

from __future__ import annotations

from deskhand.platforms.linux.atspi.quirks.gtk3 import Gtk3
from deskhand.platforms.linux.atspi.raw import Raw


def is_gtk(raw: Raw) -> bool:
    """Whether an element belongs to a dialog of GTK's."""
    return raw.attributes.get("toolkit") == "gtk"


class Browser(Gtk3):
    """GTK3 as far as an element is of GTK, else as usual."""

    web = True
    chosen_in_menu = True
    dialogs_unlisted = True
    combo_named_by_value = False
    ancestors_only_clip = False
    fixed_roles = False
    hidden_cached = menus_unmapped = False  # not measured, and pages have menus of their own

    def clicked(self, raw: Raw) -> bool:
        """Only in GTK's dialogs."""
        return is_gtk(raw) and super().clicked(raw)

    def fleeting(self, raw: Raw) -> bool:
        """Only in GTK's dialogs."""
        return is_gtk(raw) and super().fleeting(raw)

    def known(self, raw: Raw, above: Raw | None = None) -> Raw:
        """Only in GTK's dialogs."""
        return super().known(raw, above) if is_gtk(raw) else raw

    def closed(self, raw: Raw, above: Raw | None) -> bool:
        """Only in GTK's dialogs."""
        return is_gtk(raw) and super().closed(raw, above)
