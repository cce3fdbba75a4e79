"""The zoo of ``platforms/conformance.py`` on the fake desktop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform, Widget
from deskhand.types.geometry import Rect

TITLE = "Zoo"
BUTTONS = ("Save", "Delete", "OK r22, Delete", "Disabled", "Hidden", "Replaced", "Renamed")


class FakeZoo:
    """The application: its widgets tell what was done to them, not the platform's reading of them."""

    def __init__(self) -> None:
        self.named: dict[str, Widget] = {name: fake.button(name) for name in BUTTONS}
        self.named["Disabled"].enabled = False
        self.named["Hidden"].visible = False
        self.new = fake.menuitem("New")
        self.pages = fake.tabs(("Buttons", self._buttons()), ("Fields", self._fields()), ("Lists", self._lists()))
        window = fake.window(TITLE, fake.menubar(fake.menu("File", self.new)), self.pages, at=Rect(50, 40, 640, 800))
        self.platform = FakePlatform(window, app="zoo")

    def _buttons(self) -> list[Widget]:
        self.wrap = fake.checkbox("Wrap lines")
        idle = fake.button("Does nothing", inert=True)
        return [*self.named.values(), idle, fake.toggle("Bold"), self.wrap]

    def _fields(self) -> list[Widget]:
        self.entry, self.secret = fake.textbox("Name", "first"), fake.password("Password")
        self.notes, self.spin = fake.textarea("Notes"), fake.spin("Copies", 1, 1, 99)
        self.slider = fake.slider("Volume")
        return [self.entry, self.secret, self.notes, self.spin, self.slider]

    def _lists(self) -> list[Widget]:
        self.fruit = fake.listbox("Fruit", ["Apple", "Banana", "Cherry"])
        rows = [("a.txt", "12", "today"), ("b.txt", "34", "monday"), ("c.txt", "56", "june")]
        self.area = fake.scroll_area(*[fake.button(f"Item {number}") for number in range(1, 201)])
        return [self.fruit, fake.table("Files", ["File", "Size", "Date"], rows), self.area]

    @property
    def state(self) -> dict[str, Any]:
        presses = {name: widget.presses for name, widget in self.named.items() if widget.presses}
        chosen = [item.name for item in self.fruit.children if item.selected]
        return {
            "pressed": presses | ({"New": self.new.presses} if self.new.presses else {}),
            "check": self.wrap.checked,
            "entry": self.entry.text,
            "password": self.secret.text,
            "notes": self.notes.text,
            "spin": self.spin.number,
            "slider": self.slider.number,
            "fruit": chosen[0] if chosen else None,
            "scrolled": self.area.scrolled,
        }

    async def until(self, met: Callable[[dict[str, Any]], bool], what: str = "") -> dict[str, Any]:
        await asyncio.sleep(0)
        assert met(self.state), f"no {what}: {self.state}"
        return self.state

    async def command(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        arguments = rest.split("|")
        commands: dict[str, Callable[..., None]] = {
            "page": self.page, "replace": self.replace, "rename": self.rename, "cover": self.cover,
        }  # fmt: skip
        commands[name](*arguments)
        self.platform.world.changed()

    def page(self, place: str) -> None:
        for number, tab in enumerate(self.pages.children):
            tab.selected = number == int(place)

    def replace(self, name: str) -> None:
        self.platform.replace(self.named[name])

    def rename(self, name: str, label: str) -> None:
        self.named[name].name = label

    def cover(self, x: str, y: str, w: str, h: str) -> None:
        self.named["Cover button"] = fake.button("Cover button")
        self.platform.add(
            fake.window("Cover", self.named["Cover button"], at=Rect(int(x), int(y), int(w), int(h))), "cover"
        )

    def stop(self) -> None:
        self.platform.faults.freeze("zoo")

    def resume(self) -> None:
        self.platform.faults.resume("zoo")
