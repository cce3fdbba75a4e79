"""A run as Markdown: the method, tables, what holds and what does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.figures import machine
from benchmarks.peers.drawing import chart
from benchmarks.peers.figures import (
    Acted,
    Bound,
    Calamity,
    Compared,
    Cost,
    Defined,
    Dumped,
    Observed,
    Pictured,
    Survived,
)

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
PICTURE = "peers.svg"
DUMPED = ("window", "nodes", "xa11y's", "deskhand", "its first", "xa11y", "times", "with actions", "times")
OBSERVED = ("window", "by", "ms", "times", "elements", "tokens", "note")
PICTURED = ("picture of", "by", "ms", "times", "size", "encoded as", "kB")
ACTED = ("window", "by", "way", "steps", "ms", "times", "done", "tells afterwards")
DEFINED = ("by", "tools", "tokens", "name, description, input schema alone")
COSTS = ("by", "tools listed", "first window", "processes", "resident MB", "idle")
SURVIVED = ("application", "same process", "MB before", "MB after")
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"
Row = tuple[str, ...]

METHOD = """\
All are at the same live windows of one isolated desktop, in turn, another first in each round; each one's first
look and first press are not counted. Times are medians in milliseconds; *times* is how many times as long as
deskhand the peer took, the median of each round's own ratio (below 1.0: the peer was faster). deskhand, cua-driver
and xa11y are spoken to as MCP servers over stdio by the same plain client; tokens are of the text that a model is
given (o200k).

- **observe**: `observe` (list of windows, read, refs, lines, at its usual budget); `get_window_state` without its
  picture (its usual 250 elements and time budget; a look cut by these is told); `tree` of xa11y's server at its
  full depth; pyatspi's walk of what shows, without any text for a model.
- **whole tree**: in one process each, no server: deskhand's platform with hidden elements (role, name, description,
  states, interfaces, bounds, text, number of each; with the actions' names in the second column), xa11y's `tree`
  (role, name, value). deskhand's are later looks at the window, its first is told apart. What lies in a closed menu
  of GTK3 is nowhere, and not asked for its place. xa11y's dump of a Calc window is not among them: see below.
- **screenshot**: the same window, then the whole desktop, at full size, from the call to the answer that carries the
  picture: deskhand's `screenshot` (with the layout of the desktop before and after, which its lease holds; a window
  with its decoration, as it shows on the screen), cua-driver's `get_window_state` without its tree (the window's own
  pixels) and `get_desktop_state`. Each encodes as it likes: its form and its size are told.
- **act**: the same elements pressed. deskhand: one call of `act` with guard, gate, record, effect of each step, and
  a diff. cua-driver: `click` by element tokens that are known, nothing read between, or all in one `run_steps` with
  its look at the end. xa11y: `press` of elements that are held. pyatspi: `doAction`, then a walk. Finding the
  elements is not timed. *done*: how often the application was afterwards as it should be, looked up by another
  reader.
- **costs**: cold starts (no owner process of deskhand's left), until the tools are listed, and until one window is
  told. Resident memory after all rounds, all processes of each summed (deskhand: server and owner). Idle: processor
  time while nothing is asked for ten seconds."""


def machine_line(run: Compared) -> str:
    """Rounds, machine, load, versions."""
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    nice = f", all of this at niceness {run.niceness}" if run.niceness else ""
    return f"{run.rounds} rounds; {machine(run.cores, run.load_before, run.load_after)}{nice}; {versions}"


def markdown(run: Compared, picture: str | None = None) -> str:
    """The whole report; ``picture``: the address of its drawing."""
    parts = [machine_line(run), METHOD, _bounds(run.bounds)]
    if picture and run.observed:
        parts.append(f"![observe beside the peers]({picture})")
    tables = (
        _table("whole tree", DUMPED, map(_dumped, run.dumped)),
        _table("observe", OBSERVED, map(_observed, run.observed)),
        _table("screenshot", PICTURED, map(_pictured, run.pictured)),
        _table("act", ACTED, map(_acted, run.acted)),
        _table("definitions", DEFINED, map(_defined, run.defined)),
        _table("costs", COSTS, map(_cost, run.costs)),
        _table("what survived", SURVIVED, map(_survived, run.survived)),
    )
    parts += [*tables, _calamity(run.calamity) if run.calamity else ""]
    return "\n\n".join(part for part in parts if part)


def write(run: Compared, folder: Path | None) -> list[Path]:
    """Into docs/benchmarks.md with its picture beside it, or as two files into another folder."""
    to = folder or PAGE.parent
    to.mkdir(parents=True, exist_ok=True)
    picture = to / PICTURE
    picture.write_text(chart(run.observed), encoding="utf-8")
    page = PAGE if folder is None else to / "peers.md"
    text = markdown(run, PICTURE)
    page.write_text(placed(page.read_text(), text) if folder is None else f"# Beside the peers\n\n{text}\n")
    return [page, picture]


def placed(page: str, text: str) -> str:
    """The page with this between its marks."""
    head, rest = page.split(BEGIN)
    return f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}"


def _table(name: str, heads: Row, rows: Iterable[Row]) -> str:
    lines = list(rows)
    if not lines:
        return ""
    ruled = tuple("---:" if _numeric([line[n] for line in lines]) else "---" for n in range(len(heads)))
    drawn = "\n".join(f"| {' | '.join(line)} |" for line in (heads, ruled, *lines))
    return f"**{name[0].upper()}{name[1:]}**\n\n{drawn}"


def _numeric(column: Sequence[str]) -> bool:
    return all(not cell or cell[0].isdigit() or cell == "–" for cell in column)


def _bounds(bounds: Sequence[Bound]) -> str:
    rows = [(b.words, b.wanted, b.found, "holds" if b.holds else "**does not hold**") for b in bounds]
    return _table("what must hold", ("what", "wanted", "found", ""), rows)


def _dumped(row: Dumped) -> Row:
    figures = (row.ours_ms, row.first_ms, row.peer_ms, row.times, row.with_actions_ms, row.actions_times)
    return (row.application, str(row.nodes), str(row.peer_nodes), *(f"{figure:.1f}" for figure in figures))


def _observed(row: Observed) -> Row:
    elements = f"{row.nodes} + {row.cells} cells" if row.cells else str(row.nodes)
    told = "–" if row.tokens is None else str(row.tokens)
    return (row.application, row.peer, f"{row.ms:.1f}", f"{row.times:.1f}", elements, told, row.note)


def _pictured(row: Pictured) -> Row:
    size = f"{row.width}x{row.height}"
    return (row.of, row.peer, f"{row.ms:.1f}", f"{row.times:.1f}", size, row.form, str(row.kilobytes))


def _acted(row: Acted) -> Row:
    return (row.application, row.peer, row.way, str(row.steps), f"{row.ms:.0f}", f"{row.times:.1f}",
            f"{row.done} of {row.rounds}", row.tells)  # fmt: skip


def _defined(row: Defined) -> Row:
    return (row.peer, str(row.tools), str(row.tokens), str(row.schema_tokens))


def _cost(row: Cost) -> Row:
    ready = "–" if row.ready_ms is None else f"{row.ready_ms:.0f}"
    return (row.peer, ready, f"{row.look_ms:.0f}", str(row.processes), f"{row.rss_mb:.0f}", f"{row.idle_percent:.1f} %")


def _survived(row: Survived) -> Row:
    return (row.application, "yes" if row.same else "**no**", f"{row.before_mb:.0f}", f"{row.after_mb:.0f}")


def _calamity(row: Calamity) -> str:
    end = "LibreOffice lived" if row.alive else "LibreOffice died"
    by = f"; the desktop's memory limit killed {row.killed}" if row.killed else ""
    said = f"; xa11y said: `{row.said}`" if row.said else ""
    return (
        f"**xa11y's dump of a Calc window**, on a desktop of its own limited to {row.limit_mb} MB ({row.limit}): "
        f"memory went from {row.before_mb} to {row.peak_mb} MB within {row.seconds:.0f} s; {end}{by}{said}."
    )
