"""What callers get: ``text`` is what a model reads (the lines of docs/contract.md), the rest is the same, typed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deskhand.types.errors import DeskhandError, ErrorCode, Sent
from deskhand.types.steps import Strict

Verdict = Literal["verified", "changed", "unchanged", "unverifiable"]


class Failure(Strict):
    """A ``DeskhandError`` as it crosses a boundary."""

    code: ErrorCode
    message: str
    sent: Sent = "no"
    target: str = ""
    expected: str = ""
    found: str = ""
    candidates: list[str] = []
    question: str = ""
    desktop: str = ""

    @classmethod
    def of(cls, error: DeskhandError) -> Failure:
        """The same error as data."""
        return cls(**{name: getattr(error, name) for name in cls.model_fields})

    def error(self) -> DeskhandError:
        """The same data as an error to raise."""
        return DeskhandError(**self.model_dump())


class Result(Strict):
    """Base of all results. ``text``: the printed lines, no trailing newline; ``print`` shows them."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text.partition(chr(10))[0]}>"


class WindowLine(Strict):
    """A window as ``apps`` tells it. ``bounds``: x, y, width, height in root pixels. ``coverage``: see View."""

    ref: str
    title: str
    app: str
    pid: int
    active: bool
    minimised: bool = False
    responsive: bool = True
    bounds: tuple[int, int, int, int]
    role: str = "window"


class AppsResult(Result):
    """Windows, front first, and what can be opened."""

    windows: list[WindowLine] = []
    openable: list[str] = []


class ElementInfo(Strict):
    """One element, typed. ``length``: characters of its text, of which ``value`` may be only the beginning."""

    ref: str
    role: str
    name: str = ""
    value: str | float | None = None
    states: list[str] = []
    bounds: tuple[int, int, int, int] | None = None
    path: list[str] = []
    length: int = 0
    hint: str = ""


class TableInfo(Strict):
    """What shows of a table. ``cells`` row by row, beginning at ``first`` (row, column, both from 0)."""

    ref: str
    name: str = ""
    rows: int
    columns: int
    first: tuple[int, int] = (0, 0)
    heads: list[str] = []
    cells: list[list[str]] = []


class View(Result):
    """An observation. ``coverage`` 0–1: how much of the window's area the tree describes; ``truncated``: lines
    were left out for the budget; ``complete``: the tree could be read whole; ``texts``: what stands there and is no
    element to act on."""

    snapshot: str
    window: str
    title: str = ""
    shown: int = 0
    total: int = 0
    coverage: float = 1.0
    complete: bool = True
    truncated: bool = False
    elements: list[ElementInfo] = []
    texts: list[str] = []
    tables: list[TableInfo] = []


class Changes(Strict):
    """``serial`` counts up with every change that applications or windows announced."""

    serial: int


class FindResult(Result):
    """Matches, best first. ``cursor`` continues the list; ``near`` holds near misses when nothing matched."""

    matches: list[ElementInfo] = []
    near: list[ElementInfo] = []
    cursor: str | None = None


class Effect(Strict):
    """What one step did, with its evidence. ``before`` and ``after`` as they are printed; ``read``: what the step was
    to read (the clipboard), whole."""

    step: int
    do: str
    target: str = ""
    before: str | float | None = None
    after: str | float | None = None
    verdict: Verdict
    route: str = ""
    note: str = ""
    read: str | None = None


class NotUndone(Strict):
    """A step that was done and stays done, with why."""

    step: int
    do: str
    target: str = ""
    why: str


class Undoing(Strict):
    """What ``on_failure: undo`` did: ``of`` steps had changed something; ``effects`` of those that were put back, last
    first; ``left`` are the others. ``step`` is the number of the step that was undone."""

    of: int
    effects: list[Effect] = []
    left: list[NotUndone] = []


class ActResult(Result):
    """``failure`` is None when all steps were done; ``snapshot`` is the state after. ``done`` counts steps done before
    the failure, also those that were undone after it: see ``undoing``."""

    done: int
    total: int
    seconds: float
    effects: list[Effect] = []
    failure: Failure | None = None
    undoing: Undoing | None = None
    snapshot: str | None = None
    windows: list[WindowLine] = []
    diff: list[str] = []


class ScreenshotResult(Result):
    """``image`` is base64 of ``mime``'s kind; ``bounds`` in root pixels; ``scale`` picture pixels per root pixel.

    ``lease`` binds what was on the desktop: ``input`` and ``zoom`` take it, with places in this picture's own pixels.
    """

    image: str
    mime: str = "image/png"
    width: int
    height: int
    bounds: tuple[int, int, int, int]
    scale: float = 1.0
    lease: str = ""
    marks: list[str] = []


class InputResult(ActResult):
    """``effects`` has one for each action done. ``picture`` is there where it was asked for, or where what the lease
    says is not true any more: then it shows what is. ``rest``: the lease with which what is left can be sent as it is,
    once a person has allowed it; empty where the picture must be looked at first."""

    picture: ScreenshotResult | None = None
    rest: str = ""


class PointResult(Result):
    """What lies at a point of the screen. ``window`` is empty where none is, ``element`` None where nothing accessible
    is, its ``ref`` empty for plain text. ``ancestors`` outermost first; ``near`` nearest first."""

    x: int
    y: int
    window: str = ""
    title: str = ""
    element: ElementInfo | None = None
    ancestors: list[ElementInfo] = []
    near: list[ElementInfo] = []
    snapshot: str | None = None
    coverage: float = 0.0


class OpenResult(Result):
    """The window that was opened or attached."""

    window: str
    title: str
    started: bool
    pid: int


class Judgement(Strict):
    """What the gate says of a whole batch.

    ``question`` is the id under which the decision waits; ``digest`` binds it to steps and targets; ``risks`` says,
    one line each, what is risky about which step.
    """

    verdict: Literal["allow", "ask", "deny"]
    question: str = ""
    digest: str = ""
    risks: list[str] = []
    text: str = Field(default="", description="the question as a person reads it")
