"""A window with nothing but a text area, which tells what it holds: ``text_field.py gtk3|gtk4|qt6 [single]``.

Commands come as lines on stdin; each is answered by one line of JSON on stdout: ``read`` tells the text, ``clear``
empties it. GTK needs the system's Python, Qt needs PySide6.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

TITLE = "Text field"


def answer(line: str, read: Callable[[], str], clear: Callable[[], None]) -> None:
    """Do one command."""
    if line.strip() == "clear":
        clear()
    print(json.dumps(read()), flush=True)


def gtk(version: str, single: bool) -> None:
    """GTK 3 or 4."""
    import gi

    gi.require_version("Gtk", version)
    from gi.repository import GLib, Gtk

    window, area = Gtk.Window(title=TITLE), Gtk.Entry() if single else Gtk.TextView()
    buffer = area if single else area.get_buffer()
    if single:
        area.set_max_length(8)
    window.set_default_size(500, 300)
    window.set_child(area) if version == "4.0" else window.add(area)

    def read() -> str:
        if single:
            return str(area.get_text())
        return str(buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True))

    loop = GLib.MainLoop()

    def heard(*_: Any) -> bool:
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        answer(line, read, lambda: buffer.set_text("") if single else buffer.set_text("", -1))
        return True

    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, heard)
    window.present() if version == "4.0" else window.show_all()
    area.grab_focus()
    loop.run()


def qt(single: bool) -> None:
    """Qt 6."""
    from PySide6.QtCore import QSocketNotifier
    from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

    application = QApplication(["text-field"])
    area = QLineEdit() if single else QPlainTextEdit()

    def read() -> str:
        if isinstance(area, QLineEdit):
            return area.text()
        return area.document().toRawText().replace("\u2029", "\n")  # toPlainText makes spaces of no-break spaces

    def heard() -> None:
        line = sys.stdin.readline()
        if not line:
            application.quit()
        else:
            answer(line, read, area.clear)

    area.setWindowTitle(TITLE)
    area.resize(500, 300)
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(heard)
    area.show()
    application.exec()


if __name__ == "__main__":
    alone = sys.argv[2:] == ["single"]
    qt(alone) if sys.argv[1] == "qt6" else gtk("3.0" if sys.argv[1] == "gtk3" else "4.0", alone)
