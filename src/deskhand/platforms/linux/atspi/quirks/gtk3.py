"""GTK3 through atk-bridge: report 1 (a modal dialog opened by an action).

A handler that runs a dialog's own main loop keeps atk-bridge inside of its dispatch (measured with Mousepad's File >
Save As): nothing is answered until the dialog is closed. So buttons and menu items are clicked, not asked.
"""

from __future__ import annotations

from deskhand.platforms.linux.atspi.quirks.base import Quirks


class Gtk3(Quirks):
    """As usual but for actions that may block."""

    blocking = True

    def __init__(self) -> None:
        super().__init__("gtk3")
