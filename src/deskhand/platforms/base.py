"""The contract of a platform: read trees and windows, act on elements, send input, capture, tell of changes.

A platform knows no refs, no snapshots and no policy. Keys are its native ids. Every call has a deadline of its own and
raises ``DeskhandError`` (``app_unresponsive``, ``window_gone``, ``stale_ref``, ``unsupported_action``,
``outcome_unknown``, ``unsendable_text``, ``desktop_unavailable``), never a library's exception.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Literal, Protocol

from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Application, Grid, Node, Picture, Tree, Window


class Capability(Flag):
    """What a platform can do at all; what it cannot is refused as ``unsupported_action`` before input."""

    NONE = 0
    TREE = auto()
    EVENTS = auto()
    POINTER = auto()
    KEYBOARD = auto()
    CAPTURE = auto()
    STACKING = auto()
    WINDOW_OPS = auto()
    CLIPBOARD = auto()
    APPLICATIONS = auto()


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Bounds of one tree read. ``hidden`` also walks what the toolkit says is not showing (closed menus)."""

    seconds: float = 4.0
    nodes: int = 6000
    depth: int = 80
    hidden: bool = False
    rows: int = 60  # of a table's visible range
    columns: int = 26
    actions: bool = False  # also read the names of actions


MouseButton = Literal["left", "middle", "right", "back", "forward"]
WindowOperation = Literal["activate", "close", "minimise", "maximise", "restore", "move", "resize"]


class EventFeed(Protocol):
    """Changes as the system announces them, coalesced to a counter: waits are on events, never on time alone."""

    @property
    def serial(self) -> int:
        """Counts up with every change announced (accessibility and window events)."""
        ...

    async def changed(self, after: int, timeout: float) -> bool:
        """Wait until ``serial`` exceeds ``after``; False when ``timeout`` seconds passed first."""
        ...

    async def quiet(self, period: float, timeout: float) -> bool:
        """Wait until nothing was announced for ``period`` seconds; False when ``timeout`` passed first."""
        ...


class Platform(Protocol):
    """One system's hands and eyes. All coordinates are root pixels, all times seconds."""

    name: str
    capabilities: Capability

    @property
    def events(self) -> EventFeed:
        """What changed, as the system announces it."""
        ...

    async def start(self) -> None:
        """Connect; raises ``desktop_unavailable`` with the cause and the remedy."""
        ...

    async def close(self) -> None:
        """Release every held key and button, then disconnect."""
        ...

    # -- looking ---------------------------------------------------------------------------------------------
    async def windows(self) -> list[Window]:
        """All top-level surfaces, bottom first, popups and minimised ones included."""
        ...

    async def read(self, root: str, limits: ReadLimits) -> Tree:
        """The tree below ``root`` (an element key; a window's ``root``)."""
        ...

    async def refresh(self, keys: Sequence[str]) -> dict[str, Node | None]:
        """The same elements read again, live; None for one that no longer exists.

        ``children`` and grids are not read. Raises ``app_unresponsive`` when the application does not answer.
        """
        ...

    async def text(self, key: str, first: int, last: int) -> str:
        """Characters ``first`` to ``last`` (half open; -1: to the end). Refused for protected elements."""
        ...

    async def grid(self, key: str, view: tuple[int, int, int, int] | None, limits: ReadLimits) -> Grid:
        """A table's cells in ``view`` (first row, first column, last row + 1, last column + 1); None: what shows."""
        ...

    async def cell(self, key: str, row: int, column: int) -> Node:
        """One cell of a table as an element, whether visible or not."""
        ...

    async def cell_number(self, key: str, row: int, column: int) -> float | None:
        """The number behind what a spreadsheet's cell shows, 0 for a text; None where it tells none."""
        ...

    async def at_point(self, x: int, y: int) -> str | None:
        """Key of the deepest element at a point of the topmost window there, None where nothing accessible is."""
        ...

    async def window_at(self, x: int, y: int) -> str | None:
        """Key of the topmost window that would get a click at this point (input shapes respected)."""
        ...

    async def screen(self) -> Rect:
        """The root's whole area; the pointer goes no further."""
        ...

    async def monitors(self) -> list[Rect]:
        """The part of ``screen`` that each monitor shows, the primary one first."""
        ...

    async def pointer(self) -> Point:
        """Where the pointer is."""
        ...

    async def focused(self) -> Node | None:
        """The element that gets keystrokes now, None where it cannot be known."""
        ...

    async def capture(self, bounds: Rect | None) -> Picture:
        """The screen's pixels, cut to ``bounds``; ``invalid_request`` where nothing of them is on the screen."""
        ...

    @property
    def hands_of_others(self) -> int:
        """How many events other devices than this platform's own have sent: the person's mouse and keyboard.

        Counts from the first time it is asked for; stays 0 where a system cannot tell them apart.
        """
        ...

    async def applications(self) -> list[Application]:
        """What can be started on this system."""
        ...

    async def application(self, name: str) -> Application | None:
        """The application that a person means by ``name``; None where nothing or several things are meant."""
        ...

    async def command_for(
        self, *, app: str | None = None, file: str | None = None, url: str | None = None
    ) -> list[str]:
        """The argument list that opens it. Raises ``not_found`` or ``ambiguous_target`` with candidates."""
        ...

    # -- acting on elements (no pointer, no keys) -------------------------------------------------------------
    # A call that timed out after it was sent raises ``outcome_unknown``: it may still be carried out.
    async def do_action(self, key: str, action: str) -> None:
        """Do one of ``Node.actions`` by its untranslated name."""
        ...

    async def set_text(self, key: str, text: str) -> int:
        """Replace the whole text; how many characters in front of it the application keeps (a list's number)."""
        ...

    async def insert_text(self, key: str, offset: int, text: str) -> None:
        """Insert at a character offset (-1: at the end)."""
        ...

    async def replace_text(self, key: str, first: int, last: int, text: str) -> None:
        """Put ``text`` in the place of the characters ``first`` to ``last`` (half open)."""
        ...

    async def set_number(self, key: str, number: float) -> None:
        """Set the value of a spin button, slider, scroll bar."""
        ...

    async def focus(self, key: str) -> None:
        """Give it the keyboard focus."""
        ...

    async def select_children(self, key: str, indices: Iterable[int], extend: bool = False) -> None:
        """Select children by index, replacing the selection unless ``extend``."""
        ...

    async def select_text(self, key: str, first: int, last: int) -> None:
        """Select characters ``first`` to ``last`` (half open) and put the caret at ``last``."""
        ...

    async def selection(self, key: str) -> tuple[int, int] | None:
        """First and last character offset of the selected text, the caret twice where nothing is selected."""
        ...

    async def scroll_to(self, key: str) -> bool:
        """Scroll it into view through the toolkit; False where the toolkit offers no way."""
        ...

    # -- input --------------------------------------------------------------------------------------------------
    async def move_pointer(self, x: int, y: int) -> None:
        """Move the pointer."""
        ...

    async def press_button(self, button: MouseButton, down: bool) -> None:
        """Press or release a mouse button where the pointer is."""
        ...

    async def wheel(self, dx: int, dy: int) -> None:
        """Turn the wheel by whole notches; positive ``dy`` scrolls down, positive ``dx`` right."""
        ...

    async def type_text(self, text: str, *, locked: bool = False) -> None:
        """Exact Unicode by keystrokes, on any layout; ``unsendable_text`` before the first key otherwise.

        ``locked``: as a hand types. A Caps Lock that was pressed through this platform makes capitals; one that
        somebody else has pressed changes nothing, either way.
        """
        ...

    async def paste_text(self, text: str) -> bool:
        """Put ``text`` where the focus is through the clipboard, which is afterwards as it was, in all its forms.

        False when the text did not get there: the clipboard cannot be kept (more than 16 MB, an owner that does not
        answer), or the application did not ask for what was to be pasted. ``unsendable_text`` as ``type_text``.
        """
        ...

    def mistaken(self, text: str) -> bool:
        """Whether some applications take the keystrokes of ``text`` for something else."""
        ...

    async def press_chord(self, keys: str, down: bool | None = None) -> None:
        """Press and release a chord (``ctrl+shift+s``); ``down`` True or False only presses or releases it."""
        ...

    async def has_read(self, window: str | None = None) -> bool:
        """Whether the application behind a window (None: the one with the focus) has by now read all input sent to it.

        False where it has not within a tenth of a second, and where it cannot be asked.
        """
        ...

    async def release_all(self) -> None:
        """Release every key and button this platform still holds."""
        ...

    # -- windows ---------------------------------------------------------------------------------------------
    async def window_operation(self, key: str, operation: WindowOperation, bounds: Rect | None = None) -> None:
        """Ask the window manager. ``bounds`` as a window is told (its ``frame``, where there is one): ``move`` uses the
        place, ``resize`` all of it; the window may take another one all the same."""
        ...

    async def read_clipboard(self) -> str | None:
        """The clipboard's text, None where it holds none."""
        ...

    async def write_clipboard(self, text: str) -> None:
        """Make ``text`` the clipboard's content."""
        ...
