"""``deskhand demo`` as a person runs it: right to the last byte, a report that needs nothing else, nothing left."""

from __future__ import annotations

import datetime
import html
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from deskhand import isolation

pytestmark = [pytest.mark.apps]

COMMAND = [str(Path(sys.executable).with_name("deskhand")), "demo"]
LONGEST = 120.0
"""Seconds; it takes about ten."""
CALLS = 13


@dataclass(frozen=True)
class Ended:
    """A demo that has ended."""

    pid: int
    code: int
    out: str
    err: str
    report: Path
    days: tuple[str, str]

    @property
    def name(self) -> str:
        return f"demo-{self.pid}"

    def notes(self) -> list[str]:
        """What the note may say: a demo may begin before midnight and end after it."""
        return [
            f"Summary of orders.ods, {day}\n\nRows: 8\nQuantity: 770\nNet: 2294.60\nTax: 458.92\nTotal: 2753.52\n"
            for day in self.days
        ]


def begin(folder: Path, *options: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS")}
    return subprocess.Popen(
        [*COMMAND, *options], cwd=folder, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def run(folder: Path, *options: str) -> Ended:
    before = datetime.date.today().isoformat()
    process = begin(folder, *options)
    out, err = process.communicate(timeout=LONGEST)
    days = (before, datetime.date.today().isoformat())
    return Ended(process.pid, process.returncode, out, err, folder / "demo-report" / "index.html", days)


def running(name: str) -> list[str]:
    """Command lines of all processes that belong to the desktop of this name, and its folder."""
    found = [str(path) for path in isolation.desktops_folder().glob(f"{name}*")]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue  # ended meanwhile, or another user's
        if re.search(rb"\b" + name.encode() + rb"\b", words):
            found.append(words.split(b"\0")[0].decode())
    return found


def eventually(condition: Callable[[], bool], what: Callable[[], object], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what()
        time.sleep(0.05)


def assert_nothing_left(name: str) -> None:
    eventually(lambda: not running(name), lambda: running(name))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """One demo for all tests that only look at it."""
    return run(tmp_path_factory.mktemp("demo"))


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Ended]:
    """A demo whose desktop goes on; the test ends with it."""
    demo = run(tmp_path, "--keep")
    yield demo
    stopped = subprocess.run([COMMAND[0], "desktop", "stop", demo.name], capture_output=True, text=True, check=False)
    assert stopped.returncode == 0, stopped.stderr
    assert_nothing_left(demo.name)


@pytest.mark.proves("A1", "A3", "A5", "A9")
def test_the_demo_succeeds_and_leaves_nothing(ended: Ended) -> None:
    assert (ended.code, ended.err) == (0, ""), ended.out
    assert "The note is right, byte for byte." in ended.out
    assert_nothing_left(ended.name)


@pytest.mark.proves("A5")
def test_the_file_is_right_to_the_last_byte_and_the_desktop_that_is_kept_has_it(kept: Ended) -> None:
    assert kept.code == 0, kept.out + kept.err
    home = Path(isolation.attach(kept.name).environment["HOME"])
    assert (home / "summary.txt").read_bytes() in [note.encode() for note in kept.notes()]
    assert f"deskhand mcp --desktop {kept.name}" in kept.out
    assert f"deskhand desktop stop {kept.name}" in kept.out


def test_what_is_printed_is_plain_when_piped_and_fits_a_hundred_columns(ended: Ended) -> None:
    assert "\x1b" not in ended.out
    assert "\r" not in ended.out
    lines = [line for line in ended.out.splitlines() if not line.startswith("✓")]  # the last one holds a path
    assert max(map(len, lines)) <= 100
    assert '13 "Total",,,2753.52' in ended.out


@pytest.mark.proves("G7", "report-37")
def test_what_needs_consent_is_refused_and_nothing_is_sent(ended: Ended) -> None:
    words = " ".join(ended.out.split())
    assert "loses unsaved changes, also where the application asks once more; nothing was sent; input no" in words
    assert "stopped at 3 of 3: confirmation_required, input no" in words
    assert words.count("refused, as it has to be") == 2
    assert words.count("every one as expected") == 2


def test_the_report_holds_all_steps_and_pictures_and_needs_nothing_else(ended: Ended) -> None:
    report = ended.report.read_text(encoding="utf-8")
    assert len(re.findall(r'<article class="(?:done|refused)"', report)) == CALLS + 2
    assert report.count('src="data:image/webp;base64,') == CALLS
    outside = r"""(?:https?:)?//[a-z]|url\(|@import|<script|src="(?!data:)|href="(?!#|data:)"""
    assert not re.findall(outside, re.sub(r'base64,[^"]*', "", report))
    assert any(html.escape(note) in report for note in ended.notes())


@pytest.mark.proves("report-39")
@pytest.mark.parametrize("when", ["Desktop demo-", " 3  Open Mousepad", " 6  Fill in"])
def test_interrupted_at_any_time_it_leaves_nothing(tmp_path: Path, when: str) -> None:
    process = begin(tmp_path)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(when):
            break
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 130, err
    assert err == "deskhand: stopped; the desktop has ended\n"
    assert_nothing_left(f"demo-{process.pid}")
    assert not (tmp_path / "demo-report").exists()


@pytest.mark.proves("report-39")
def test_killed_it_leaves_nothing(tmp_path: Path) -> None:
    process = begin(tmp_path)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(" 4  Put the note"):
            break
    process.kill()
    process.communicate(timeout=LONGEST)
    assert_nothing_left(f"demo-{process.pid}")
