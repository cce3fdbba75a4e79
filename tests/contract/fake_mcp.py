"""``deskhand mcp`` over a ``FakeDesktop``, with everything around it printing: run with a folder as argument."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from deskhand.cli.mcp import serve, serve_over_http
from deskhand.daemon.reaching import Chosen
from deskhand.daemon.starting import Place
from deskhand.mcp_server.purity import diverted
from deskhand.mcp_server.switches import Switches
from deskhand.types.errors import DeskhandError
from tests.contract.fake_owner import place


class NoisyChosen(Chosen):
    """Prints on every road to stdout, as children and careless libraries do."""

    def __init__(self, folder: Path) -> None:
        super().__init__("fake")
        self._folder = folder

    async def place(self) -> Place:
        make_noise()
        while (self._folder / "slow").exists():  # noqa: ASYNC110 - another process removes it
            await asyncio.sleep(0.01)
        if (self._folder / "none").exists():
            raise DeskhandError("desktop_unavailable", "no display; run: deskhand doctor")
        return place(self._folder)

    async def about(self) -> str:
        make_noise()
        return 'Drives the isolated desktop "fake" (10x10).'


def make_noise() -> None:
    print("noise by print", flush=True)
    os.write(1, b"noise by descriptor\n")
    subprocess.run(["sh", "-c", "echo noise by a child"], check=True)


def main() -> None:
    with diverted() as wire:
        folder = Path(sys.argv[1])
        switches = Switches(skill="--no-skill" not in sys.argv, structured="--structured" in sys.argv)
        if "--http" in sys.argv:
            asyncio.run(serve_over_http(NoisyChosen(folder), 0, folder / "token", switches))
        else:
            asyncio.run(serve(NoisyChosen(folder), wire, switches))
