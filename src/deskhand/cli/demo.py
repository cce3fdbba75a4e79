"""``deskhand demo``: the main job on real applications, as an agent does it, checked and reported."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer


def demo(
    report: Annotated[Path, typer.Option(help="Where the HTML report goes.")] = Path("demo-report/index.html"),
    keep: Annotated[bool, typer.Option("--keep", help="Leave the desktop running, and name it.")] = False,
) -> None:
    """Show the main job on real applications, in an isolated desktop, and check that it is right."""
    try:
        from deskhand.cli.demonstration.performance import perform  # noqa: PLC0415 - takes half a second to import

        good = asyncio.run(perform(report, keep=keep))
    except KeyboardInterrupt:
        print("deskhand: stopped" + ("" if keep else "; the desktop has ended"), file=sys.stderr)
        raise typer.Exit(130) from None
    if not good:
        raise typer.Exit(1)
