"""Interleaved rounds: looks, whole trees and presses, each contender in turn, another first in each round."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.peers.contenders import Contender, Ours, Seen, Xa11y
from benchmarks.peers.figures import OURS, XA11Y, Acted, Dumped, Observed, ms, times
from benchmarks.peers.stage import Stage
from deskhand.types.nodes import State, Tree, Window

Playing = Mapping[str, Contender]


def turns(names: Sequence[str], rounds: int) -> list[list[str]]:
    """Who is next, round by round: all of them, each round beginning with another."""
    order = list(names)
    return [order[n % len(order) :] + order[: n % len(order)] for n in range(rounds)]


async def look(stage: Stage, playing: Playing, name: str, window: Window, rounds: int) -> list[Observed]:
    """All look at one window. The first look of each is not counted: it may still be learning."""
    taking = {n: c for n, c in playing.items() if not (n == XA11Y and name == "Calc")}
    seen: dict[str, list[Seen]] = {n: [] for n in taking}
    for contender in taking.values():
        await contender.look(window)
    for turn in turns(list(taking), rounds):
        for one in turn:
            seen[one].append(await taking[one].look(window))
    cells = [cell.text for grid in (await stage.tree(window)).grids.values() for cell in grid.cells if cell.text]
    return [_observed(name, n, seen[n], seen[OURS], cells) for n in taking]


def _observed(name: str, peer: str, seen: Sequence[Seen], ours: Sequence[Seen], cells: Sequence[str]) -> Observed:
    last = max(seen, key=lambda one: one.nodes)
    cut = sum(bool(one.note.startswith("truncated")) for one in seen)
    note = f"{cut} of {len(seen)} looks truncated" if cut else last.note
    missing = [text for text in cells if text not in last.text] if peer == OURS else []
    return Observed(
        application=name, peer=peer, ms=ms(s.seconds for s in seen), nodes=last.nodes, tokens=last.tokens,
        times=times([s.seconds for s in ours], [s.seconds for s in seen]), cells=len(cells) if peer == OURS else 0,
        note=f"{len(missing)} visible cells are missing" if missing else note,
    )  # fmt: skip


async def dump(stage: Stage, peer: Xa11y, name: str, window: Window, rounds: int) -> Dumped:
    """Whole trees, hidden elements too, library to library."""
    first = (await _whole(stage, window, False))[0]
    cells = [cell for grid in (await stage.tree(window, hidden=True)).grids.values() for cell in grid.cells]
    ours, full, theirs = [], [], []
    nodes = peer_nodes = 0
    for _ in range(rounds):
        seconds, nodes = await _whole(stage, window, False)
        ours.append(seconds)
        seconds, peer_nodes = await peer.tree(window)
        theirs.append(seconds)
        full.append((await _whole(stage, window, True))[0])
    return Dumped(
        application=name,
        nodes=nodes,
        cells=len(cells),
        peer_nodes=peer_nodes, first_ms=ms([first]), ours_ms=ms(ours), peer_ms=ms(theirs),
        with_actions_ms=ms(full), times=times(ours, theirs), actions_times=times(full, theirs),
    )  # fmt: skip


async def _whole(stage: Stage, window: Window, actions: bool) -> tuple[float, int]:
    started = time.perf_counter()
    tree = await stage.tree(window, hidden=True, actions=actions)
    return time.perf_counter() - started, len(tree.nodes)


@dataclass(frozen=True, slots=True)
class Job:
    """Ten elements to press in a window, and how it must be afterwards."""

    application: str
    title: str
    names: tuple[str, ...]

    def expected(self, before: Mapping[str, bool] | str, count: int) -> Mapping[str, bool] | str:
        """What pressing the first ``count`` makes of it: text grows, boxes turn."""
        if isinstance(before, str):
            return before + "".join(self.names[:count])
        pressed = Counter(self.names[:count])
        return {name: on ^ bool(pressed[name] % 2) for name, on in before.items()}

    def state(self, tree: Tree) -> Mapping[str, bool] | str:
        """How it is: the text that it holds, or which boxes are on."""
        if self.application == "Calculator":
            return next(n.text or "" for n in tree.nodes.values() if n.role == "textbox" and n.has(State.EDITABLE))
        boxes = [n for n in tree.nodes.values() if n.role == "checkbox" and n.name in self.names]
        return {node.name: node.has(State.CHECKED) for node in boxes}


_BOXES = (
    "Show line numbers", "Display whitespace", "Display line endings", "Highlight current line",
    "Highlight matching brackets", "Wrap long lines", "Long line margin at column:", "Use system monospace font",
)  # fmt: skip
JOBS = {
    "Mousepad": Job("Mousepad", "Mousepad Preferences", (*_BOXES, *_BOXES[:2])),
    "Calculator": Job("Calculator", "Calculator", tuple("1234567890")),
}


async def act(stage: Stage, playing: Playing, job: Job, rounds: int) -> list[Acted]:
    """One press and ten of them, by every way of every contender; what it did is looked up after each."""
    ours = playing[OURS]
    assert isinstance(ours, Ours)
    if job.application == "Mousepad":
        await ours.do({"do": "menu", "path": ["Edit", "Preferences…"], "in": "Mousepad"})
    window = await stage.window(job.title)
    rows: list[Acted] = []
    for count in (1, len(job.names)):
        rows += await _pressed(stage, playing, job, window, count, rounds)
    if job.application == "Mousepad":
        await ours.do({"do": "window", "on": job.title, "op": "close"})
    return rows


async def _pressed(  # noqa: PLR0917
    stage: Stage, playing: Playing, job: Job, window: Window, count: int, rounds: int
) -> list[Acted]:
    ways = [(n, way) for n, c in playing.items() for way in c.ways if count > 1 or way != "run_steps"]
    seconds: dict[tuple[str, str], list[float]] = {way: [] for way in ways}
    done = Counter[tuple[str, str]]()
    for turn in turns(list(playing), rounds + 1):
        for name, way in sorted(ways, key=lambda pair: turn.index(pair[0])):
            before = await _prepared(stage, playing, job, window)
            await playing[name].aim(window, job.names)
            took = await playing[name].press(way, count)
            await stage.platform.events.quiet(0.3, 3.0)
            seconds[name, way].append(took)
            done[name, way] += job.state(await stage.tree(window)) == job.expected(before, count)
    ours = seconds[OURS, "act"]
    return [
        Acted(
            application=job.application,
            peer=n,
            way=w,
            steps=count,
            ms=ms(seconds[n, w][1:]),
            tells=playing[n].ways[w],
            times=times(ours[1:], seconds[n, w][1:]),
            done=done[n, w],
            rounds=len(seconds[n, w]),
        )
        for n, w in ways
    ]


async def _prepared(stage: Stage, playing: Playing, job: Job, window: Window) -> Mapping[str, bool] | str:
    """Digits would run out of room: clear them. How the window is before the press."""
    before = job.state(await stage.tree(window))
    ours = playing[OURS]
    if isinstance(before, str) and before and isinstance(ours, Ours):
        await ours.do({"do": "key", "keys": "Escape"})
        before = job.state(await stage.tree(window))
    return before
