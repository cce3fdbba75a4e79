"""Builders: a desktop in a few readable lines.

``window("Editor", button("Save", on_press=save), textbox("Name", "x"))`` makes a window to be added with
``FakePlatform.add``. Every builder returns the live widget, so a test can keep it and look at it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deskhand.platforms.fake.model import DIALOG_BOUNDS, WINDOW_BOUNDS, CellAddress, Effect, FakeWindow, Sheet, Widget
from deskhand.types.geometry import Rect


def window(title: str, *content: Widget, at: Rect = WINDOW_BOUNDS, **more: Any) -> FakeWindow:
    """A top-level window; ``more`` are fields of ``FakeWindow`` (``accelerators``, ``on_close``, ``modal`` …)."""
    root = Widget("window", title, list(content))
    return FakeWindow(root, bounds=at, title=title, **more)


def dialog(title: str, *content: Widget, at: Rect = DIALOG_BOUNDS, modal: bool = True) -> FakeWindow:
    """A dialog; modal ones take all input of the window that owns them."""
    return FakeWindow(Widget("dialog", title, list(content)), bounds=at, title=title, modal=modal)


def button(name: str, on_press: Effect | None = None, **more: Any) -> Widget:
    """A push button; ``default=True`` is what Enter presses, ``inert=True`` does nothing though it says yes."""
    return Widget("button", name, actions=("click",), focusable=True, on_press=on_press, **more)


def toggle(name: str, on: bool = False, **more: Any) -> Widget:
    """A button that stays down."""
    return Widget("toggle", name, actions=("click",), focusable=True, checkable=True, checked=on, **more)


def checkbox(name: str, on: bool = False, **more: Any) -> Widget:
    """A check box."""
    return Widget("checkbox", name, actions=("click",), focusable=True, checkable=True, checked=on, **more)


def radio(name: str, on: bool = False, **more: Any) -> Widget:
    """A radio button; its siblings of the same role are its group."""
    return Widget("radio", name, actions=("click",), focusable=True, checkable=True, checked=on, **more)


def label(text: str, **more: Any) -> Widget:
    """Static text."""
    return Widget("label", text, text=text, **more)


def group(name: str, *content: Widget, role: str = "group", **more: Any) -> Widget:
    """A container; ``role`` may be ``toolbar``, ``radiogroup`` …"""
    return Widget(role, name, list(content), **more)


def textbox(name: str, text: str = "", **more: Any) -> Widget:
    """One line of text. ``rewrite=`` decides what it keeps (see ``at_most``, ``upper_case``, ``refuse``)."""
    return Widget("textbox", name, text=text, editable=True, focusable=True, actions=("activate",), **more)


def textarea(name: str, text: str = "", **more: Any) -> Widget:
    """Many lines of text; Enter is a line break."""
    return Widget("textbox", name, text=text, editable=True, focusable=True, multiline=True, **more)


def password(name: str, text: str = "", **more: Any) -> Widget:
    """A field whose text no platform reads."""
    return Widget("textbox", name, text=text, editable=True, focusable=True, protected=True, **more)


def at_most(length: int) -> Callable[[str, str], str]:
    """A field that cuts what is too long."""
    return lambda old, wanted: wanted[:length]


def upper_case(old: str, wanted: str) -> str:
    """A field that upper-cases what it is given."""
    return wanted.upper()


def refuse(old: str, wanted: str) -> str:
    """A field that silently keeps what it had."""
    return old


def spin(name: str, number: float = 0, low: float = 0, high: float = 100, step: float = 1, **more: Any) -> Widget:
    """A spin button: a number and the same as text."""
    return Widget(
        "spinbutton", name, text=_number(number), number=float(number), minimum=low, maximum=high, step=step,
        editable=True, focusable=True, **more,
    )  # fmt: skip


def slider(name: str, number: float = 0, low: float = 0, high: float = 100, step: float = 1, **more: Any) -> Widget:
    """A slider."""
    return Widget("slider", name, number=float(number), minimum=low, maximum=high, step=step, focusable=True, **more)


def option(name: str, selected: bool = False, **more: Any) -> Widget:
    """An entry of a list or combo."""
    return Widget("option", name, selectable=True, selected=selected, **more)


def combobox(name: str, options: Sequence[str], chosen: str | None = None, **more: Any) -> Widget:
    """A combo box; its options stand in a list that shows as a window of its own while it is open."""
    items = Widget("listbox", name, [option(text, text == chosen) for text in options])
    return Widget(
        "combobox", name, [items], text=chosen or "", actions=("press",), focusable=True, expandable=True, **more
    )


def listbox(name: str, items: Sequence[str], multi: bool = False, **more: Any) -> Widget:
    """A list whose items are selected by click, by key or through the list."""
    return Widget("listbox", name, [option(text) for text in items], focusable=True, multiselectable=multi, **more)


def tree(name: str, *items: Widget, **more: Any) -> Widget:
    """A tree of ``treeitem`` widgets."""
    return Widget("tree", name, list(items), focusable=True, **more)


def treeitem(name: str, *items: Widget, expanded: bool = False) -> Widget:
    """A row of a tree; with ``items`` it can be expanded."""
    actions = ("activate", "expand or contract") if items else ("activate",)
    return Widget(
        "treeitem", name, list(items), actions=actions, selectable=True, expandable=bool(items), expanded=expanded
    )


def tabs(*pages: tuple[str, Sequence[Widget]]) -> Widget:
    """A tab list; only the content of the selected tab shows, the first one's to begin with."""
    content = [
        Widget("tab", name, list(page), selectable=True, selected=place == 0, focusable=True)
        for place, (name, page) in enumerate(pages)
    ]
    return Widget("tablist", "", content)


def scroll_area(*content: Widget, height: int = 120, name: str = "") -> Widget:
    """A viewport of ``height`` pixels over content that may be taller."""
    return Widget("scrollarea", name, list(content), viewport=height)


def menubar(*menus: Widget) -> Widget:
    """A menu bar of ``menu`` widgets."""
    return Widget("menubar", "", list(menus))


def menu(name: str, *items: Widget) -> Widget:
    """A menu or submenu; while open it is a popup window of its own."""
    return Widget("menu", name, list(items), actions=("click",), selectable=True)


def menuitem(name: str, on_press: Effect | None = None, accelerator: str = "", **more: Any) -> Widget:
    """An entry of a menu; ``accelerator`` (``ctrl+s``) presses it from anywhere in its window."""
    return Widget(
        "menuitem", name, actions=("click",), selectable=True, on_press=on_press, accelerator=accelerator, **more
    )


def check_item(name: str, on: bool = False, **more: Any) -> Widget:
    """A menu entry with a check mark."""
    return Widget("menuitemcheckbox", name, actions=("click",), checkable=True, checked=on, **more)


def table(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]], **more: Any) -> Widget:
    """A table of text; its rows are selected by click."""
    cells = {(row, column): text for row, texts in enumerate(rows) for column, text in enumerate(texts)}
    sheet = Sheet(len(rows), len(heads), cells, tuple(heads))
    return Widget("table", name, sheet=sheet, focusable=True, **more)


def spreadsheet(
    name: str,
    cells: Mapping[CellAddress, str] | None = None,
    rows: int = 1_048_576,
    columns: int = 16_384,
    **more: Any,
) -> Widget:
    """A spreadsheet: cells are typed into, Enter and Tab commit; only used cells are stored."""
    sheet = Sheet(rows, columns, dict(cells or {}), spreadsheet=True)
    return Widget("table", name, sheet=sheet, focusable=True, **more)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
