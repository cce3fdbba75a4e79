"""The clipboard as a GTK 3 program sees it: ``clipboard_gtk.py [PRIMARY]``.

Prints, as JSON, size and SHA-256 of every form of the content. Run by the system's Python.
"""

from __future__ import annotations

import hashlib
import json
import sys

import gi


def read(selection: str) -> None:
    """Ask for every form that its owner names."""
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, Gtk

    Gtk.init([])
    board = Gtk.Clipboard.get(Gdk.atom_intern(selection, False))
    found, targets = board.wait_for_targets()
    held = {}
    for target in targets if found else []:
        if target.name() in ("TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS"):
            continue
        content = board.wait_for_contents(target)
        data = content.get_data() if content is not None else b""
        held[target.name()] = [len(data), hashlib.sha256(data).hexdigest()]
    print(json.dumps(held))


if __name__ == "__main__":
    read((sys.argv[1:] or ["CLIPBOARD"])[0])
