"""A deskhand in a process of its own: it opens an application, and observes it in a loop when told.

``python -m benchmarks.watching DESKTOP``: on stdin a line ``open NAME``, ``go`` or ``halt``, each answered by a line.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio import StreamReader, StreamReaderProtocol

from benchmarks.rig import Rig, chosen, session_on
from deskhand import isolation
from deskhand.types.requests import ActRequest, ObserveRequest


class Watcher:
    """Observes one window again and again while it is told to; counts its views."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._title: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._going = False
        self.views = 0

    async def open(self, name: str) -> None:
        """Open an application of the benchmarks, its text field focused."""
        window = await self._rig.open(chosen([name])[0])
        self._title = window.title
        view = await self._rig.session.observe(ObserveRequest(target=window.title))
        field = next(element.ref for element in view.elements if element.role == "textbox")
        step = {"do": "focus", "on": field}
        result = await self._rig.session.act(ActRequest.model_validate({"steps": [step]}))
        if result.failure is not None:
            raise RuntimeError(result.text)

    async def go(self) -> None:
        """Begin; the first view is under way when this returns."""
        self._going = True
        self._task = asyncio.create_task(self._loop())
        await asyncio.sleep(0)

    async def halt(self) -> None:
        """End with the view that is under way."""
        self._going = False
        if self._task is not None:
            await self._task

    async def _loop(self) -> None:
        while self._going:
            await self._rig.session.observe(ObserveRequest(target=self._title))
            self.views += 1


async def main(name: str) -> None:
    """Serve until stdin ends."""
    lines = StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: StreamReaderProtocol(lines), sys.stdin)
    desktop = isolation.attach(name)
    async with session_on(desktop) as (platform, session):
        watcher = Watcher(Rig(desktop, platform, session))
        while line := (await lines.readline()).decode():
            word, _, rest = line.strip().partition(" ")
            await {"go": watcher.go, "halt": watcher.halt}[word]() if word != "open" else await watcher.open(rest)
            print(watcher.views, flush=True)
        await watcher.halt()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
