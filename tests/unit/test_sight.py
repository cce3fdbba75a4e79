"""When a picture of a window may be believed: its application has drawn what it was to draw."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from deskhand.platforms.linux.sight import at_rest

WORKS = {
    "sleeps": "import time; print(flush=True); time.sleep(60)",
    "is woken often": "import time; print(flush=True)\nwhile True: time.sleep(0.02)",
    "is busy": "print(flush=True)\nwhile True: pass",
}


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, "-c", WORKS[request.param]], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        started.stdout.readline()
        yield started
        started.kill()


@pytest.mark.proves("report-16")
@pytest.mark.parametrize(
    ("process", "rests"), [("sleeps", True), ("is woken often", True), ("is busy", False)], indirect=["process"]
)
async def test_what_sleeps_again_and_again_has_drawn_and_what_computes_has_not(
    process: subprocess.Popen[str], rests: bool
) -> None:
    assert await at_rest(process.pid) is rests
