"""The clipboard as GTK programs hold and see it.

``clipboard_gtk.py own FOLDER [PRIMARY]``, ``clipboard_gtk.py read [PRIMARY]``.

``own`` offers every file of FOLDER, whose name is its type (``image%2Fpng``), until it is killed. ``read`` prints, as
JSON, size and SHA-256 of every form of the content. Run by the system's Python.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from urllib.parse import unquote

import gi


def own(folder: Path, selection: str) -> None:
    """GTK 4 as the owner."""
    gi.require_version("Gdk", "4.0")
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gdk, GLib, Gtk

    Gtk.init()
    offers = [
        Gdk.ContentProvider.new_for_bytes(unquote(path.name), GLib.Bytes.new(path.read_bytes()))
        for path in sorted(folder.iterdir())
    ]
    display = Gdk.Display.get_default()
    board = display.get_primary_clipboard() if selection == "PRIMARY" else display.get_clipboard()
    board.set_content(Gdk.ContentProvider.new_union(offers))
    display.sync()
    print("mine", flush=True)
    GLib.MainLoop().run()


def read(selection: str) -> None:
    """GTK 3 as the reader."""
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
    if sys.argv[1] == "own":
        own(Path(sys.argv[2]), (sys.argv[3:] or ["CLIPBOARD"])[0])
    else:
        read((sys.argv[2:] or ["CLIPBOARD"])[0])
