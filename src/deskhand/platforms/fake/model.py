"""What the fake desktop is made of: applications, windows and widgets that change in place.

Nothing here answers a caller; ``reading`` turns widgets into nodes, ``toolkit`` makes them behave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from deskhand.types.geometry import Rect

Effect = Callable[[], object]
"""What an application does when something happens to a widget; called with nothing, its result is ignored."""

Rewrite = Callable[[str, str], str]
"""(old, wanted) -> what a field really keeps."""

CellAddress = tuple[int, int]

NOWHERE = Rect(0, 0, 0, 0)
WINDOW_BOUNDS = Rect(0, 0, 480, 640)
DIALOG_BOUNDS = Rect(40, 60, 360, 240)
SCREEN = Rect(0, 0, 1280, 1024)


def accept(old: str, wanted: str) -> str:
    """A field that keeps what it is given."""
    return wanted


@dataclass(eq=False)
class Sheet:
    """Contents of a table or spreadsheet: only used cells are stored. ``origin`` is the first row and column shown."""

    rows: int
    columns: int
    cells: dict[CellAddress, str] = field(default_factory=dict)
    heads: tuple[str, ...] = ()
    spreadsheet: bool = False
    cursor: CellAddress = (0, 0)
    selected: set[CellAddress] = field(default_factory=set)
    origin: CellAddress = (0, 0)
    editing: str | None = None  # keystrokes not yet committed
    texts: set[CellAddress] = field(default_factory=set)  # cells in which digits are text


@dataclass(eq=False)
class Widget:
    """One element, alive. ``bounds`` are relative to its surface's origin; see ``layout``."""

    role: str
    name: str = ""
    children: list[Widget] = field(default_factory=list)
    text: str | None = None
    number: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    step: float = 1.0
    description: str = ""
    placeholder: str = ""
    actions: tuple[str, ...] = ()
    enabled: bool = True
    visible: bool = True
    focusable: bool = False
    editable: bool = False
    multiline: bool = False
    protected: bool = False
    checkable: bool = False
    checked: bool = False
    selectable: bool = False
    selected: bool = False
    multiselectable: bool = False
    expandable: bool = False
    expanded: bool = False
    default: bool = False
    inert: bool = False  # says yes to an action and does nothing
    echoes: bool = False  # may go back a moment after it was given a number
    volatile: bool = False  # a new object at every tree read
    unreadable: bool = False  # fails when it is read
    edit_when_focused: bool = False  # offers its text for writing only while it has the focus
    accelerator: str = ""
    viewport: int | None = None  # height in pixels of a scroll area
    scrolled: int = 0  # pixels scrolled down
    sheet: Sheet | None = None
    rewrite: Rewrite = accept
    on_press: Effect | None = None
    on_change: Effect | None = None
    on_activate: Effect | None = None
    # what a live desktop fills in
    key: str = ""
    parent: Widget | None = None
    bounds: Rect = NOWHERE
    presses: int = 0
    caret: int = 0
    anchor: int = 0

    def walk(self) -> Iterator[Widget]:
        """Itself and all below, parents first; a widget met again is not walked again."""
        seen: set[int] = set()
        stack = [self]
        while stack:
            widget = stack.pop()
            if id(widget) not in seen:
                seen.add(id(widget))
                yield widget
                stack.extend(reversed(widget.children))

    def chain(self) -> Iterator[Widget]:
        """Itself and its ancestors, nearest first."""
        widget: Widget | None = self
        seen: set[int] = set()
        while widget is not None and id(widget) not in seen:
            seen.add(id(widget))
            yield widget
            widget = widget.parent

    def find(self, name: str, role: str | None = None) -> Widget:
        """The first widget below with this name (and role); ``LookupError`` where there is none."""
        for widget in self.walk():
            if widget.name == name and role in (None, widget.role):
                return widget
        raise LookupError(f"no {role or 'widget'} called {name!r} below {self.name!r}")

    @property
    def selection(self) -> tuple[int, int]:
        """The selected characters, half open."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)


@dataclass(eq=False)
class FakeApp:
    """A running application. While ``frozen`` it answers nothing; what reaches it waits in ``pending``.

    ``refusing``: what is sent while frozen is lost with ``app_unresponsive`` instead of waiting.
    """

    name: str
    pid: int
    frozen: bool = False
    refusing: bool = False
    pending: list[Effect] = field(default_factory=list)


@dataclass(eq=False)
class FakeWindow:
    """A surface. For an open menu or combo, ``root`` is the widget whose children it shows and ``popup`` is set."""

    root: Widget
    bounds: Rect = WINDOW_BOUNDS
    title: str = ""
    modal: bool = False
    popup: bool = False
    minimised: bool = False
    accessible: bool = True
    owner: FakeWindow | None = None
    on_close: Callable[[], bool] | None = None  # False: the application keeps the window open
    accelerators: dict[str, Effect] = field(default_factory=dict)
    key: str = ""
    app: FakeApp = field(default_factory=lambda: FakeApp("", 0))
    focus: Widget | None = None
    restored: Rect | None = None  # bounds before it was maximised
    kind: str = ""  # of a popup that is no menu: tooltip, notification
    frame: Rect | None = None  # with the window manager's decoration

    def find(self, name: str, role: str | None = None) -> Widget:
        """The first widget with this name (and role)."""
        return self.root.find(name, role)
