"""What tests need from outside, where ``scripts/tools`` put it: wheels, uv, pipx, Node, MCP clients, a harness."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DESKHAND = Path(sys.prefix) / "bin" / "deskhand"


@dataclass(frozen=True, slots=True)
class Outside:
    """The folder of one set of versions."""

    folder: Path

    @property
    def wheels(self) -> Path:
        """Everything that deskhand depends on, to run and to be built."""
        return self.folder / "wheels"

    @property
    def harness(self) -> Path:
        """The Python that has cua-auto-harness."""
        return self.folder / "autoharness" / "bin" / "python"

    @property
    def path(self) -> str:
        """``PATH`` with uv, pipx, Node and the clients before what the machine has."""
        own = (self.folder / "npm" / "node_modules" / ".bin", self.folder / "python" / "bin")
        return os.pathsep.join([*map(str, own), os.defpath])


def outside() -> Outside:
    """What was fetched. Without it tests fail, and say what to run."""
    folder = Path(sys.prefix) / "deskhand-tools"
    assert (folder / "complete").is_file(), "what these tests need from outside is not there: run scripts/tools"
    return Outside(folder.resolve())


def bare_environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of somebody who has just logged in without a display.

    ``home`` is empty, or has what a test put there; records and settings go into it. Isolated desktops are found where
    this run has them.
    """
    kept = {name: os.environ[name] for name in ("XDG_RUNTIME_DIR", "SSL_CERT_FILE") if name in os.environ}
    return {**kept, "HOME": str(home), "PATH": outside().path, "LANG": "C.UTF-8", "TERM": "dumb", **more}
