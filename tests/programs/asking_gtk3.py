"""A field that asks, at its third character, whether everything is to be deleted, with Yes as the default answer.

``asking_gtk3.py STATE``: STATE gets, as JSON, what the field holds and which answers were given. Run by the system's
Python.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

TITLE = "Asking"


def main() -> None:
    """Show the window until it is closed."""
    state: dict[str, Any] = {"ready": True, "commands": 0, "error": "", "text": "", "answers": []}
    window, entry = Gtk.Window(title=TITLE), Gtk.Entry()
    entry.get_accessible().set_name("Name")

    def tell() -> None:
        with open(f"{sys.argv[1]}.new", "w", encoding="utf-8") as file:
            json.dump(state, file)
        os.replace(f"{sys.argv[1]}.new", sys.argv[1])

    def answered(dialog: Any, answer: int) -> None:
        state["answers"].append("yes" if answer == Gtk.ResponseType.YES else "no")
        dialog.destroy()
        tell()

    def changed(_: Any) -> None:
        state["text"] = entry.get_text()
        tell()
        if len(state["text"]) == 3:
            dialog = Gtk.MessageDialog(transient_for=window, modal=True, text="Delete everything?")
            dialog.add_buttons("_Yes", Gtk.ResponseType.YES, "_No", Gtk.ResponseType.NO)
            dialog.set_default_response(Gtk.ResponseType.YES)
            dialog.connect("response", answered)
            dialog.show_all()

    entry.connect("changed", changed)
    window.connect("destroy", Gtk.main_quit)
    window.add(entry)
    window.show_all()
    tell()
    Gtk.main()


main()
