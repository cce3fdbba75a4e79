"""The usual GTK4 widgets, telling what was done to them: ``zoo_gtk4.py STATE [TITLE]``.

State file and commands are those of ``zoo_gtk3.py`` as far as they are here: ``page`` does nothing (there is one page),
``replace enable disable show hide rename freeze quit exit``, and ``ask`` for a modal dialog.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

BUTTONS = ("Save", "Delete", "OK r22, Delete", "Disabled", "Hidden", "Replaced", "Renamed")


class Zoo:
    """The window, its state and its commands."""

    def __init__(self, path: str, title: str) -> None:
        self.path = path
        self.state: dict[str, Any] = {"ready": False, "commands": 0, "error": "", "pressed": {}, "closed": []}
        self.named: dict[str, Gtk.Widget] = {}
        self.loop = GLib.MainLoop()
        self.window = Gtk.Window(title=title)
        self.window.set_default_size(560, 820)
        self.window.connect("close-request", self._closing)
        self.box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        self._buttons()
        self._fields()
        self._choices()
        self.window.set_child(self.box)
        self.window.present()

    def put(self, **values: Any) -> None:
        self.state.update(values)
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.state, file)
        os.rename(self.path + ".new", self.path)

    # -- widgets ---------------------------------------------------------------------------------------------
    def _button(self, name: str) -> Gtk.Button:
        button = Gtk.Button(label=name)
        button.connect("clicked", self._pressed, name)
        self.named[name] = button
        return button

    def _pressed(self, _: Gtk.Button, name: str) -> None:
        counts = self.state["pressed"]
        self.put(pressed={**counts, name: counts.get(name, 0) + 1})

    def _buttons(self) -> None:
        for name in BUTTONS:
            self.box.append(self._button(name))
        self.named["Disabled"].set_sensitive(False)
        self.named["Hidden"].set_visible(False)
        toggle, check = Gtk.ToggleButton(label="Bold"), Gtk.CheckButton(label="Wrap lines")
        toggle.connect("toggled", lambda source: self.put(toggle=source.get_active()))
        check.connect("toggled", lambda source: self.put(check=source.get_active()))
        self.box.append(toggle)
        self.box.append(check)

    def _labelled(self, name: str, field: Gtk.Widget) -> None:
        row, label = Gtk.Box(spacing=6), Gtk.Label(label=name)
        label.set_mnemonic_widget(field)
        field.set_hexpand(True)
        row.append(label)
        row.append(field)
        self.box.append(row)
        self.named[name] = field

    def _fields(self) -> None:
        entry, secret = Gtk.Entry(text="first"), Gtk.PasswordEntry()
        entry.connect("changed", lambda source: self.put(entry=source.get_text()))
        secret.connect("changed", lambda source: self.put(password=source.get_text()))
        spin = Gtk.SpinButton.new_with_range(1, 99, 1)
        spin.connect("value-changed", lambda source: self.put(spin=source.get_value()))
        slider = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
        slider.connect("value-changed", lambda source: self.put(slider=source.get_value()))
        notes = Gtk.TextView(height_request=80)
        notes.get_buffer().connect("changed", self._notes_changed)
        fields = {"Name": entry, "Password": secret, "Copies": spin, "Volume": slider, "Notes": notes}
        for name, field in fields.items():
            self._labelled(name, field)
        self.state.update(entry="first", spin=1.0, slider=0.0)

    def _notes_changed(self, buffer: Gtk.TextBuffer) -> None:
        self.put(notes=buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True))

    def _choices(self) -> None:
        fonts = ["Arial", "Courier", "Times"]
        drop = Gtk.DropDown.new_from_strings(fonts)
        drop.connect("notify::selected", lambda source, _: self.put(combo=fonts[source.get_selected()]))
        self._labelled("Font", drop)
        names = ["Apple", "Banana", "Cherry"]
        fruit = Gtk.ListBox()
        for name in names:
            fruit.append(Gtk.Label(label=name, xalign=0))
        fruit.connect("row-selected", lambda _, row: self.put(fruit=names[row.get_index()] if row else None))
        self._labelled("Fruit", fruit)

    def _closing(self, _: Gtk.Window) -> bool:
        self.put(closed=[self.window.get_title()])
        self.loop.quit()
        return False

    # -- commands --------------------------------------------------------------------------------------------
    def do(self, line: str) -> None:
        """Carry out one command line."""
        name, _, rest = line.partition(" ")
        try:
            COMMANDS[name](self, *rest.split("|") if rest else ())
        except (KeyError, ValueError, TypeError) as error:
            self.put(error=f"{line}: {error!r}")
        self.put(commands=self.state["commands"] + 1)

    def page(self, place: str) -> None:
        """There is one page."""

    def replace(self, name: str) -> None:
        """A new object with the same label at the same place."""
        old = self.named[name]
        new = self._button(name)
        self.box.insert_child_after(new, old)
        self.box.remove(old)

    def rename(self, name: str, label: str) -> None:
        self.named[name].set_label(label)

    def enable(self, name: str) -> None:
        self.named[name].set_sensitive(True)

    def disable(self, name: str) -> None:
        self.named[name].set_sensitive(False)

    def show(self, name: str) -> None:
        self.named[name].set_visible(True)

    def hide(self, name: str) -> None:
        self.named[name].set_visible(False)

    def freeze(self, seconds: str) -> None:
        """Block the main loop: nothing is answered meanwhile."""
        time.sleep(float(seconds))

    def quit(self) -> None:
        self.loop.quit()

    def exit(self) -> None:
        """End at once, in the middle of whatever it is."""
        os._exit(0)

    def ask(self) -> None:
        """A modal dialog in front of the window."""
        talk = Gtk.Window(title="Question", transient_for=self.window, modal=True)
        talk.set_child(Gtk.Button(label="Understood"))
        talk.present()

    def read_commands(self) -> None:
        """Feed stdin's lines; its end changes nothing."""
        lines = bytearray()

        def ready(source: int, condition: GLib.IOCondition) -> bool:
            data = os.read(source, 65536)
            lines.extend(data)
            while (end := lines.find(b"\n")) >= 0:
                line = lines[:end].decode("utf-8")
                del lines[: end + 1]
                self.do(line)
            return bool(data)

        GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, ready)


COMMANDS: dict[str, Callable[..., None]] = {
    "page": Zoo.page, "replace": Zoo.replace, "rename": Zoo.rename, "enable": Zoo.enable, "disable": Zoo.disable,
    "show": Zoo.show, "hide": Zoo.hide, "freeze": Zoo.freeze, "quit": Zoo.quit,
    "exit": Zoo.exit, "ask": Zoo.ask,
}  # fmt: skip


def main() -> None:
    """Run until the window is closed."""
    zoo = Zoo(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "Zoo GTK4")
    zoo.read_commands()
    GLib.idle_add(lambda: zoo.put(ready=True, pid=os.getpid()))
    zoo.loop.run()


if __name__ == "__main__":
    main()
