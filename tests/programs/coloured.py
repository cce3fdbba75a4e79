"""A window with buttons of one plain colour each: ``coloured.py STATE gtk3|gtk4|qt6``.

Where a button shows is seen in a picture by its colour alone. The state file tells how often each was pressed.
GTK needs the system's Python, Qt needs PySide6.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

COLOURS = {"Red": "#d02020", "Green": "#20a020", "Blue": "#2020d0", "Violet": "#a020a0", "Teal": "#208080"}
PLACES = {"Red": (10, 12), "Green": (150, 40), "Blue": (37, 101), "Violet": (211, 133), "Teal": (91, 203)}
SIZES = {"Red": (100, 40), "Green": (61, 33), "Blue": (120, 50), "Violet": (45, 45), "Teal": (77, 31)}
TITLE = "Coloured"
WIDTH, HEIGHT = 330, 260


class State:
    """What has been pressed, written after every change."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.pressed = dict.fromkeys(COLOURS, 0)

    def press(self, name: str) -> None:
        self.pressed[name] += 1
        self.write()

    def write(self, *_: object) -> None:
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump({"ready": True, "pressed": self.pressed}, file)
        os.rename(self.path + ".new", self.path)


def gtk(version: str, state: State) -> None:
    """GTK 3 or 4."""
    import gi

    gi.require_version("Gtk", version)
    gi.require_version("Gdk", version)
    from gi.repository import Gdk, GLib, Gtk

    style = "button { border: none; box-shadow: none; outline: none; border-radius: 0; padding: 0; }"
    style += "button { min-height: 0; min-width: 0; }"
    for name, colour in COLOURS.items():
        style += f" #{name}, #{name}:hover, #{name}:active, #{name}:focus {{ background: {colour}; color: white; }}"
    sheet = Gtk.CssProvider()
    sheet.load_from_data(style.encode())
    add = Gtk.StyleContext.add_provider_for_display if version == "4.0" else Gtk.StyleContext.add_provider_for_screen
    add(Gdk.Display.get_default() if version == "4.0" else Gdk.Screen.get_default(), sheet, 900)
    window, fixed = Gtk.Window(title=TITLE), Gtk.Fixed()
    window.set_default_size(WIDTH, HEIGHT)
    for name, place in PLACES.items():
        button: Any = Gtk.Button(label=name, name=name)
        button.set_size_request(*SIZES[name])
        button.connect("clicked", lambda _, pressed=name: state.press(pressed))
        fixed.put(button, *place)
    window.set_child(fixed) if version == "4.0" else window.add(fixed)
    window.present() if version == "4.0" else window.show_all()
    loop = GLib.MainLoop()
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, lambda *_: loop.quit())
    GLib.idle_add(state.write)
    loop.run()


def qt(state: State) -> None:
    """Qt 6."""
    from PySide6.QtCore import QSocketNotifier, QTimer
    from PySide6.QtWidgets import QApplication, QPushButton, QWidget

    application, window = QApplication(["coloured"]), QWidget()
    window.setWindowTitle(TITLE)
    window.resize(WIDTH, HEIGHT)
    for name, place in PLACES.items():
        button = QPushButton(name, window)
        button.setStyleSheet(f"border: none; background: {COLOURS[name]}; color: white;")
        button.setGeometry(*place, *SIZES[name])
        button.clicked.connect(_pressing(state, name))
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(application.quit)
    window.show()
    QTimer.singleShot(0, state.write)
    application.exec()


def _pressing(state: State, name: str) -> Callable[[], None]:
    return lambda: state.press(name)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kept = State(sys.argv[1])
    qt(kept) if sys.argv[2] == "qt6" else gtk("3.0" if sys.argv[2] == "gtk3" else "4.0", kept)
