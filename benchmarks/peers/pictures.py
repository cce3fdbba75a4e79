"""Pictures beside the peer that takes some: of a window, and of the whole desktop, at full size."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence

from PIL import Image

from benchmarks.peers.contenders import Contender, Cua, Ours
from benchmarks.peers.figures import OURS, Pictured, ms, times
from benchmarks.peers.rounds import turns
from benchmarks.peers.stdio import Answered
from deskhand.types.nodes import Window

WHOLE = "the desktop"


async def photograph(playing: Mapping[str, Contender], of: str, window: Window | None, rounds: int) -> list[Pictured]:
    """All that take pictures, in turn; the first of each is not counted. ``window`` None: the whole desktop."""
    taking = {name: one for name, one in playing.items() if isinstance(one, Ours | Cua)}
    shots: dict[str, list[Answered]] = {name: [] for name in taking}
    for contender in taking.values():
        await contender.photo(window)
    for turn in turns(list(taking), rounds):
        for name in turn:
            shots[name].append(await taking[name].photo(window))
    ours = shots.get(OURS, [])
    return [_pictured(of, name, taken, ours) for name, taken in shots.items()]


def _pictured(of: str, peer: str, taken: Sequence[Answered], ours: Sequence[Answered]) -> Pictured:
    data = base64.b64decode(next(part["data"] for part in taken[-1].result["content"] if part["type"] == "image"))
    image = Image.open(io.BytesIO(data))
    return Pictured(
        of=of, peer=peer, ms=ms(one.seconds for one in taken),
        times=times([one.seconds for one in ours], [one.seconds for one in taken]) if ours else 1.0,
        width=image.width, height=image.height, form=image.format or "", kilobytes=len(data) // 1000,
    )  # fmt: skip
