"""What a platform reads: windows, nodes of the accessibility tree, tables.

Everything here is already normalised: roles are ARIA's where ARIA has one, states are one vocabulary for all
toolkits, bounds are root pixels. Nothing here knows a toolkit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Flag, auto

from deskhand.types.geometry import Rect

TEXT_HEAD = 2000
"""How many characters of an element's text a tree read carries; ``text_length`` tells the whole."""


class State(Flag):
    """States of an element, one vocabulary for all toolkits."""

    NONE = 0
    ACTIVE = auto()
    CHECKABLE = auto()
    CHECKED = auto()
    MIXED = auto()
    DEFAULT = auto()
    DISABLED = auto()
    EDITABLE = auto()
    EXPANDABLE = auto()
    EXPANDED = auto()
    FOCUSABLE = auto()
    FOCUSED = auto()
    HAS_POPUP = auto()
    INVALID = auto()
    MODAL = auto()
    MULTILINE = auto()
    MULTISELECTABLE = auto()
    PRESSED = auto()
    PROTECTED = auto()  # a password: its text is never read
    READONLY = auto()
    REQUIRED = auto()
    SELECTABLE = auto()
    SELECTED = auto()
    SHOWING = auto()  # on screen or scrollable to; what a toolkit hides has it not
    BUSY = auto()


class Ability(Flag):
    """What can be asked of an element through its platform."""

    NONE = 0
    ACTION = auto()  # ``actions`` can be done
    TEXT = auto()  # its text can be read
    EDIT_TEXT = auto()  # its text can be written
    VALUE = auto()  # its number can be set
    SELECTION = auto()  # its children can be selected
    TABLE = auto()  # it has rows and columns
    COMPONENT = auto()  # it has bounds and takes the focus
    CLICK_FIRST = auto()  # a real click is surer or faster than its action
    FLEETING = auto()  # its toolkit now and then makes a new object for the same element
    ON_POPUP = auto()  # it is drawn on a popup (a menu, a drop-down list, a popover), not on its window
    SHIELDED = auto()  # its application heeds no press in its first half second, lest somebody presses it unseen
    COMMITS = auto()  # its application takes what is typed into it for good only when the focus leaves it
    MENUS_INSIDE = auto()  # menus are drawn in its window, over what lies there, and stay open after an item's action
    MISSELECTS = auto()  # asked for a range of its text it says that it selects it, and selects another one
    ECHOES = auto()  # it may show a number that it is given, and go back a moment later
    VIRTUAL = auto()  # its children are too many to list; read it as a table


@dataclass(frozen=True, slots=True)
class Node:
    """One element as just read.

    ``key`` is the platform's native id: unique while the application lives, never reused by another element.
    ``text`` holds the first ``TEXT_HEAD`` characters of the content (None where it has no text, or is protected).
    ``toolkit`` is ``gtk3 gtk4 qt gecko chromium libreoffice swing fake …``, for quirks and advice only.
    """

    key: str
    parent: str | None
    role: str
    name: str = ""
    states: State = State.NONE
    bounds: Rect | None = None
    visible: Rect | None = None  # the part of ``bounds`` that ancestors leave to be seen; empty: scrolled away
    text: str | None = None
    text_length: int = 0
    number: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    actions: tuple[str, ...] = ()
    abilities: Ability = Ability.NONE
    child_count: int = 0
    index: int = -1  # place among its parent's children
    description: str = ""
    placeholder: str = ""
    toolkit: str = ""
    children: tuple[str, ...] = ()
    labelled_by: str | None = None  # key of the label it takes its name from
    beyond: tuple[int, int] | None = None  # a document's pages above and below what shows; -1: a part of one
    formula: str = ""  # of a spreadsheet's cell that was asked for by itself, with its ``=``; ``text`` is what it gives
    written: str = ""  # a page's own words, U+FFFC for each child between them, where no child tells them

    def has(self, state: State) -> bool:
        """Whether all of ``state`` is set."""
        return (self.states & state) == state

    def can(self, ability: Ability) -> bool:
        """Whether all of ``ability`` is offered."""
        return (self.abilities & ability) == ability


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table. Rows and columns count from 0; ``name`` is its address (``B7``) where it has one."""

    row: int
    column: int
    text: str
    key: str | None = None
    selected: bool = False
    bounds: Rect | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """The visible (or asked-for) part of a table. Ranges are half open and count from 0."""

    key: str
    rows: int
    columns: int
    view: tuple[int, int, int, int]  # first row, first column, last row + 1, last column + 1
    cells: tuple[Cell, ...] = ()
    heads: tuple[str, ...] = ()  # of the columns of ``view``; A, B, C … for a spreadsheet
    spreadsheet: bool = False
    used: tuple[int, int] | None = None  # rows, columns that hold something, where known


@dataclass(frozen=True, slots=True)
class Tree:
    """One window's (or subtree's) nodes, root first, parents before children.

    ``complete`` is False where the deadline, a cap or a failing element cut the read; ``notes`` says what and why
    (unavailable is not empty). ``grids`` holds the tables that were read by range.
    """

    root: str
    nodes: Mapping[str, Node]
    grids: Mapping[str, Grid] = field(default_factory=dict)
    complete: bool = True
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    calls: int = 0  # round trips to the application
    hidden: int = 0  # elements that the toolkit says do not show, left out


@dataclass(frozen=True, slots=True)
class Window:
    """A top-level surface: a window, dialog, popup or menu.

    ``key`` is the platform's native window id. ``root`` is the key of its accessible root, None where it offers
    none. ``stack`` counts from the bottom (0); the highest is on top. ``popup`` marks surfaces that the window
    manager does not manage. ``responsive`` is False while the application does not answer.
    """

    key: str
    title: str
    app: str
    pid: int
    bounds: Rect
    root: str | None = None
    role: str = "window"
    active: bool = False
    minimised: bool = False
    modal: bool = False
    popup: bool = False
    stack: int = 0
    owner: str | None = None  # key of the window it belongs to (transient for)
    responsive: bool = True
    toolkit: str = ""
    frame: Rect | None = None  # with the window manager's decoration, where it differs


@dataclass(frozen=True, slots=True)
class Application:
    """What can be opened: a desktop entry. ``command`` is its argument list without file arguments."""

    id: str
    name: str
    command: tuple[str, ...]
    mime_types: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    startup_class: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen capture: rows of red, green, blue bytes. ``bounds`` in root pixels; ``scale`` of its pixels per root
    pixel, which is not 1 where a system counts in points."""

    pixels: bytes
    bounds: Rect
    width: int
    height: int

    @property
    def scale(self) -> float:
        """Its own pixels per root pixel."""
        return self.width / self.bounds.w
