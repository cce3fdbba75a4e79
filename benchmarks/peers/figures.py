"""What is measured beside the peers, as data, and what must hold of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel

from benchmarks.figures import middle, ratio

OURS, CUA, XA11Y, PYATSPI = "deskhand", "cua-driver", "xa11y", "pyatspi"
PEERS = (OURS, CUA, XA11Y, PYATSPI)
DUMP_TIMES, TEN_STEPS_TIMES, PRESS_TIMES, CALC_TIMES = 10.0, 5.0, 1.0, 1.0
DUMPED_ON = ("Mousepad", "Calculator", "Chromium")


class Observed(BaseModel):
    """One peer's look at one window. Medians in milliseconds; ``times`` is how many times deskhand's it is."""

    application: str
    peer: str
    ms: float
    times: float
    nodes: int
    cells: int = 0
    tokens: int | None = None
    note: str = ""


class Dumped(BaseModel):
    """Every element of a window, hidden ones too, by deskhand's platform and by xa11y's ``tree``."""

    application: str
    nodes: int
    cells: int
    peer_nodes: int
    ours_ms: float
    first_ms: float
    with_actions_ms: float
    peer_ms: float
    times: float
    actions_times: float

    @property
    def even(self) -> float:
        """What share of xa11y's nodes deskhand has read, its cells among them; at most 1."""
        return min(1.0, (self.nodes + self.cells) / self.peer_nodes)


class Pictured(BaseModel):
    """One peer's picture of a window or of the desktop, at full size, encoded as it comes."""

    of: str
    peer: str
    ms: float
    times: float
    width: int
    height: int
    form: str
    kilobytes: int


class Acted(BaseModel):
    """Presses done in one way. ``done`` of ``rounds``: how often the application was afterwards as it should be."""

    application: str
    peer: str
    way: str
    steps: int
    ms: float
    times: float
    done: int
    rounds: int
    tells: str


class Defined(BaseModel):
    """What a model is given before it has done anything."""

    peer: str
    tools: int
    tokens: int
    schema_tokens: int


class Cost(BaseModel):
    """What a running peer takes. ``ready_ms`` until the tools are listed, ``look_ms`` until a window is told."""

    peer: str
    ready_ms: float | None
    look_ms: float
    rss_mb: float
    processes: int
    idle_percent: float


class Survived(BaseModel):
    """One application before and after all rounds of all peers. Memory is resident, in MB."""

    application: str
    same: bool
    before_mb: float
    after_mb: float


class Calamity(BaseModel):
    """xa11y's dump of a Calc window on a desktop of its own, under a memory limit."""

    limit_mb: int
    limit: str
    before_mb: int
    peak_mb: int
    seconds: float
    alive: bool
    killed: int
    said: str


class Bound(BaseModel):
    """One line of what must hold, with what was found."""

    words: str
    wanted: str
    found: str
    holds: bool


class Compared(BaseModel):
    """A whole run."""

    cores: int
    load_before: float
    load_after: float
    rounds: int
    niceness: int = 0
    versions: dict[str, str]
    observed: list[Observed] = []
    dumped: list[Dumped] = []
    pictured: list[Pictured] = []
    acted: list[Acted] = []
    defined: list[Defined] = []
    costs: list[Cost] = []
    survived: list[Survived] = []
    calamity: Calamity | None = None

    @property
    def bounds(self) -> list[Bound]:
        """What must hold, as far as it was measured."""
        return [*_dumps(self.dumped), *_calc(self.observed), *_presses(self.acted), *_tens(self.acted)]


def times(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How many times as long as ours the other took: the median of each round's own ratio."""
    return ratio(ours, theirs)


def ms(seconds: Iterable[float]) -> float:
    """Their median in milliseconds."""
    return middle(list(seconds))


def _dumps(rows: Iterable[Dumped]) -> Iterator[Bound]:
    for row in rows:
        if row.application in DUMPED_ON:
            fair = row.times * row.even
            yield Bound(
                words=f"{row.application}: the whole tree, beside {XA11Y}'s dump",
                wanted=f"at least {DUMP_TIMES:g} times as fast at equal nodes",
                found=f"{fair:.1f} times" + (f" (as it is {row.times:.1f})" if row.even < 1 else ""),
                holds=fair >= DUMP_TIMES,
            )


def _calc(rows: Sequence[Observed]) -> Iterator[Bound]:
    ours = next((r for r in rows if r.application == "Calc" and r.peer == OURS), None)
    theirs = next((r for r in rows if r.application == "Calc" and r.peer == CUA), None)
    if ours and theirs:
        yield Bound(
            words=f"Calc: observe with all {ours.cells} visible used cells, beside {CUA}'s without them",
            wanted=f"at most {CALC_TIMES:.1f} of its time",
            found=f"{1 / theirs.times:.2f} of its time" + (f"; {ours.note}" if ours.note else ""),
            holds=1 / theirs.times <= CALC_TIMES and not ours.note and ours.cells > 0,
        )


def _presses(rows: Sequence[Acted]) -> Iterator[Bound]:
    for row in rows:
        if row.peer == CUA and row.steps == 1:
            yield Bound(
                words=f"{row.application}: a guarded press with effect and diff, beside {CUA}'s click",
                wanted="faster",
                found=f"{row.times:.1f} times as fast",
                holds=row.times > PRESS_TIMES and _sure(rows, row),
            )  # fmt: skip


def _tens(rows: Sequence[Acted]) -> Iterator[Bound]:
    for application in dict.fromkeys(row.application for row in rows):
        ways = [r for r in rows if r.application == application and r.peer == CUA and r.steps == 10]
        if ways:
            best = min(ways, key=lambda row: row.times)
            yield Bound(
                words=f"{application}: ten steps in one call, beside {CUA}'s faster way ({best.way})",
                wanted=f"at least {TEN_STEPS_TIMES:g} times as fast",
                found=f"{best.times:.1f} times",
                holds=best.times >= TEN_STEPS_TIMES and _sure(rows, best),
            )


def _sure(rows: Sequence[Acted], row: Acted) -> bool:
    """Whether ours did what it said in every round."""
    ours = [r for r in rows if r.application == row.application and r.peer == OURS and r.steps == row.steps]
    return bool(ours) and all(r.done == r.rounds for r in ours)
