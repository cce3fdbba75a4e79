"""Running the clients' own programs, each with a home of its own and no account."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.outside import DESKHAND, bare_environment

LONGEST = 120.0
"""Seconds; each takes some five on an idle machine."""
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that has ended."""

    code: int | None
    out: str
    err: str


async def run(home: Path, *command: str, folder: Path | None = None, more: Mapping[str, str] = NOTHING) -> Ran:
    """Run a program as somebody at ``home`` would, in ``folder`` (else there)."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder or home, env=bare_environment(home, **more), stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        out, err = await asyncio.wait_for(process.communicate(), LONGEST)
    except TimeoutError:
        process.terminate()
        raise
    return Ran(process.returncode, out.decode(), err.decode())


async def done(home: Path, *command: str, folder: Path | None = None, more: Mapping[str, str] = NOTHING) -> str:
    """What a program that must go well prints."""
    ran = await run(home, *command, folder=folder, more=more)
    assert ran.code == 0, f"{command}: {ran.out}\n{ran.err}"
    return ran.out


async def configured(home: Path, client: str, desktop: str) -> str:
    """What ``--print-config`` prints for a client."""
    return await done(home, str(DESKHAND), "mcp", "--print-config", client, "--desktop", desktop)


def written(path: Path, content: Mapping[str, object] | str) -> Path:
    """A settings file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path
