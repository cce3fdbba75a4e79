"""``python -m benchmarks.peers``: measure beside the peers, print, and say whether what must hold does."""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import load
from benchmarks.peers import report
from benchmarks.peers.calamity import calamity
from benchmarks.peers.contenders import Contender, Xa11y
from benchmarks.peers.costs import Alive, costs, defined, held
from benchmarks.peers.figures import CUA, PEERS, PYATSPI, XA11Y, Compared
from benchmarks.peers.pictures import WHOLE, photograph
from benchmarks.peers.rounds import JOBS, act, dump, look
from benchmarks.peers.stage import APPLICATIONS, Stage, peers, stage, subjects

ROOT = Path(__file__).parents[2]
COSTS, CALAMITY = "costs", "calamity"


def main() -> int:
    """Exit code 1 when a bound is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.peers", description="deskhand beside its peers, on live windows")
    parser.add_argument(
        "parts", nargs="*", help=f"of {', '.join(APPLICATIONS)} (or the beginning), costs, calamity; else all"
    )
    parser.add_argument("--peers", default="", help=f"of {', '.join(PEERS)}, with commas; all when left out")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    parser.add_argument("--write", nargs="?", const="", help="write Markdown and SVG into docs/, or into this folder")
    said = parser.parse_args()
    run = asyncio.run(measure(said.parts, peers(said.peers.split(",") if said.peers else []), said.rounds))
    print(run.model_dump_json(indent=1) if said.json else report.markdown(run))
    if said.write is not None:
        print("written:", *report.write(run, Path(said.write) if said.write else None))
    return 1 if [bound for bound in run.bounds if not bound.holds] else 0


async def measure(parts: Sequence[str], names: Sequence[str], rounds: int) -> Compared:
    """All on one desktop; the calamity on another, afterwards."""
    folder = fetched()
    run = Compared(
        cores=os.cpu_count() or 1,
        load_before=load(),
        load_after=0,
        rounds=rounds,
        niceness=os.nice(0),
        versions=versions(folder, names),
    )
    applications = [part for part in parts if part not in {COSTS, CALAMITY}]
    async with stage(folder) as desktop:
        if applications or not parts or COSTS in parts:
            await _on(desktop, run, parts, applications, names)
    if XA11Y in names and (not parts or CALAMITY in parts):
        run.calamity = await calamity(folder)
    run.load_after = load()
    return run


async def _on(desktop: Stage, run: Compared, parts: Sequence[str], wanted: Sequence[str], names: Sequence[str]) -> None:
    playing = await _started(desktop, names)
    alive, window = list[Alive](), None
    try:
        for subject in subjects(wanted or ([] if not parts else ["Mousepad"])):
            window = await desktop.open(subject)
            alive.append(Alive.of(subject.name, window))
            run.observed += await look(desktop, playing, subject.name, window, run.rounds)
            run.pictured += await photograph(playing, subject.name, window, run.rounds)
            xa11y = playing.get(XA11Y)
            if isinstance(xa11y, Xa11y) and subject.name != "Calc":
                run.dumped.append(await dump(desktop, xa11y, subject.name, window, run.rounds))
            if subject.name in JOBS:
                run.acted += await act(desktop, playing, JOBS[subject.name], run.rounds)
        run.pictured += await photograph(playing, WHOLE, None, run.rounds)
        run.survived = [one.survived() for one in alive]
        run.defined = await defined(playing)
        holding = await held(playing)
    finally:
        for contender in playing.values():
            await contender.stop()
    if (not parts or COSTS in parts) and alive:
        first = await desktop.window(alive[0].name)
        run.costs = await costs(desktop, names, first, min(run.rounds, 5), holding)


async def _started(desktop: Stage, names: Sequence[str]) -> dict[str, Contender]:
    playing = {name: desktop.contender(name) for name in names}
    for contender in playing.values():
        await contender.start()
        if isinstance(contender, Xa11y):
            await contender.library()
    return playing


def fetched() -> Path:
    """The folder of the peers, fetched if it must be."""
    done = subprocess.run([str(ROOT / "scripts" / "peers")], check=True, stdout=subprocess.PIPE, text=True)
    return Path(done.stdout.strip())


def versions(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """What was compared, as it was installed."""
    pins = dict(line.split(" ")[0].split("==") for line in _lock() if "==" in line)
    return {name: pins[name] if name in {CUA, XA11Y} else _own(name) for name in names}


def _lock() -> list[str]:
    return (ROOT / "benchmarks" / "peers" / "requirements.lock").read_text().splitlines()


def _own(name: str) -> str:
    if name == PYATSPI:
        asked = ["dpkg-query", "-W", "-f", "${Version}", "python3-pyatspi"]
        return subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
