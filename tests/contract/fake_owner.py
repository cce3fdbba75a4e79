"""An owner process over a ``FakeDesktop``: ``tests.contract.fake_owner FOLDER IDLE PATIENCE``."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from deskhand.daemon.counters import FileCounters
from deskhand.daemon.operations import Operations
from deskhand.daemon.running import Closing, run_owner
from deskhand.daemon.server import Owner, OwnerSettings
from deskhand.daemon.starting import Place
from deskhand.policy.gate import DefaultGate
from deskhand.sessions.recorder import FileRecorder
from deskhand.types.errors import DeskhandError
from tests.contract.fake_desktop import FakeDesktop
from tests.contract.forking import forked


def place(folder: Path, idle: float = 60, patience: float = 20) -> Place:
    command = forked("tests.contract.fake_owner", str(folder), str(idle), str(patience))
    return Place("fake", folder, tuple(command), dict(os.environ))


def main() -> int:
    return run(Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))


def run(folder: Path, idle: float, patience: float) -> int:
    async def build() -> tuple[Owner, Closing]:
        if (folder / "broken").exists():
            raise DeskhandError("desktop_unavailable", "no display; run: deskhand doctor")
        counters = FileCounters(folder)
        recorder = FileRecorder(folder / "records", "fake")
        gate = DefaultGate(counters, recorder)
        desktop = FakeDesktop(gate, recorder, counters, folder / "journal")
        settings = OwnerSettings(idle=idle, patience=patience, beat=0.05)
        operations = Operations(
            desktop, gate, desktop.release_all, lambda: recorder.trouble, record=recorder.record, patience=patience
        )

        async def close() -> None:
            await desktop.release_all()
            counters.close()
            recorder.close()

        return Owner("fake", folder, operations, settings), close

    return asyncio.run(run_owner(folder, build))
