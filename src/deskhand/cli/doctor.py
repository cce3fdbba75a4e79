"""``deskhand doctor``: what is missing, and the command that mends it."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

import typer

from deskhand.cli import checks
from deskhand.cli.checks import Check
from deskhand.cli.output import print_json


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Tell what is missing and the command that mends it; exit code 1 when something needed is."""
    found = asyncio.run(_examine())
    healthy = all(check.ok for check in found if check.needed)
    if as_json:
        print_json({"ok": healthy, "checks": [asdict(check) for check in found], "paths": checks.paths()})
    else:
        _print(found, healthy)
    raise typer.Exit(0 if healthy else 1)


async def _examine() -> list[Check]:
    return [
        checks.python(),
        checks.python_packages(),
        checks.settings(),
        checks.system_packages(),
        checks.leftovers(),
        *await checks.trial(),
        checks.memory_limit(),
        *await checks.here(),
        checks.several_monitors(),
        checks.applications(),
    ]


def _print(found: list[Check], healthy: bool) -> None:
    for check in found:
        mark = "ok     " if check.ok else ("MISSING" if check.needed else "absent ")
        print(f"{mark} {check.name}: {check.found}")
        if not check.ok and check.mend:
            print(f"        {check.mend}")
    print("paths")
    for name, path in checks.paths().items():
        print(f"        {name}: {path}")
    print("Isolated desktops work here." if healthy else "Something needed is missing; run the commands above.")
