"""``python -m benchmarks``: measure, print, and say whether what must hold does."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from benchmarks import tables
from benchmarks.acting import act
from benchmarks.figures import Figures, Looked, load
from benchmarks.latency import latency
from benchmarks.looking import look
from benchmarks.rig import Subject, chosen, rig


def main() -> int:
    """Exit code 1 when a bound is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="deskhand against pyatspi on the same live windows")
    parser.add_argument(
        "names", nargs="*", help="applications (parts of their names), act or latency; all when none is named"
    )
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--write", action="store_true", help="also put the figures into docs/benchmarks.md")
    said = parser.parse_args()
    figures = asyncio.run(measure(said.names, said.rounds))
    if said.json:
        print(figures.model_dump_json(indent=1))
    else:
        tables.show(figures)
    if said.write:
        tables.write(figures)
    return 1 if figures.misses else 0


async def measure(names: list[str], rounds: int) -> Figures:
    """Each application on a desktop of its own, so that none slows another down."""
    before = load()
    wanted = [name for name in names if name not in ("act", "latency")]
    looked = [await _looked(subject, rounds) for subject in (chosen(wanted) if wanted or not names else ())]
    acted = []
    if not names or "act" in names:
        async with rig() as desktop:
            acted = await act(desktop, rounds)
    felt = await latency() if not names or "latency" in names else []
    return Figures(
        cores=os.cpu_count() or 1, load_before=before, load_after=load(), rounds=rounds, looked=looked, acted=acted,
        felt=felt,
    )  # fmt: skip


async def _looked(subject: Subject, rounds: int) -> Looked:
    async with rig() as desktop:
        return await look(desktop, subject, rounds)


if __name__ == "__main__":
    sys.exit(main())
