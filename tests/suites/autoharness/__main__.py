"""Run the harness's runner catalogue through ``input``, and count: ``make autoharness``.

It runs in the harness's own Python (scripts/tools); of deskhand it knows the command alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from socket import socket
from typing import Any

from autoharness.contracts import CatalogEntry, load_catalog
from autoharness.driver import run_catalog

from tests.suites.autoharness.adapter import DeskhandAdapter, Probed
from tests.suites.autoharness.counting import Count
from tests.suites.autoharness.desk import ALLOWED, SIZE, Desk

ROOT = Path(__file__).parents[3]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, report, and say the count last; 0 only where every case passed in every repetition."""
    asked = _parsed(arguments)
    entries = [
        entry for entry in _catalogue(asked.own) if not asked.only or any(part in entry.id for part in asked.only)
    ]
    if not entries:
        raise SystemExit(f"no case is called {' or '.join(asked.only)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the desktop is stopped on the way out
    print(f"cua-auto-harness {version('cua-auto-harness')}: {len(entries)} cases, {asked.reps} times each")
    print(f"an isolated desktop of {SIZE}; words: {asked.style}; the gate asks about all but {', '.join(ALLOWED)}")
    count = Count.of(_ran(entries, asked), len(entries), asked.reps)
    for failure in count.failures:
        print(f"not passed: {failure}")
    print(count.line(asked.style), flush=True)
    return 0 if count.whole else 1


def _ran(entries: Sequence[CatalogEntry], asked: argparse.Namespace) -> Mapping[str, Any]:
    with tempfile.TemporaryDirectory(prefix="deskhand-autoharness-") as folder:
        adapter = _adapter(Path(folder), asked)
        try:
            result: Mapping[str, Any] = run_catalog(adapter, entries, _report(asked), reps_override=asked.reps)
        finally:
            adapter.teardown()
    _tell_times(adapter.backend.took)
    return result


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make autoharness", description="Every runner case of cua-auto-harness.")
    parser.add_argument("--reps", type=int, default=3, help="repetitions of each case (3)")
    parser.add_argument("--only", nargs="+", default=[], metavar="PART", help="cases with this in their name")
    parser.add_argument("--style", choices=["gpt", "claude"], default="gpt", help="the words that are used (gpt)")
    parser.add_argument("--own", action="store_true", help="our own cases of keys beside the harness's 100")
    parser.add_argument("--report", type=Path, help="folder for verdicts, events and pictures")
    return parser.parse_args(arguments)


def _catalogue(own: bool) -> list[CatalogEntry]:
    theirs = list(load_catalog(str(files("autoharness").joinpath("catalogs", "runner"))))
    return [*theirs, *load_catalog(str(Path(__file__).with_name("keys.json")))] if own else theirs


def _report(asked: argparse.Namespace) -> Path:
    """Where verdicts go: the cache folder, where those of the run before make room, unless another is named."""
    if asked.report is not None:
        return Path(asked.report)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "deskhand" / "autoharness" / str(asked.style)
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def _adapter(folder: Path, asked: argparse.Namespace) -> Probed:
    desk = Desk(f"autoharness-{os.getpid()}", folder, ROOT / ".venv" / "bin" / "deskhand", asked.style)
    probe, raw = _free_ports()
    return Probed(DeskhandAdapter(desk, asked.style, folder), probe_port=probe, raw_port=raw, name="deskhand")


def _free_ports() -> tuple[int, int]:
    with socket() as one, socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _tell_times(took: Sequence[float]) -> None:
    if len(took) > 1:
        ninth = statistics.quantiles(took, n=10)[-1]
        print(f"input: {len(took)} calls, median {statistics.median(took):.2f} s, nine in ten within {ninth:.2f} s")


if __name__ == "__main__":
    raise SystemExit(main())
