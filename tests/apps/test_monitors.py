"""Isolated desktops with several monitors, and with a size that changes while they run."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from deskhand.isolation import Arrangement, NestedDesktop
from deskhand.isolation.messages import VIEWS
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from tests.conftest import StartDesktop, apart, begun

pytestmark = [pytest.mark.apps]

COMMAND = str(Path(sys.executable).with_name("deskhand"))
TWO = Arrangement.of((1280, 1024), (1280, 1024), primary=2)
_ASK = """
import json
from Xlib import display
root = display.Display().screen().root
told = root.xrandr_get_monitors().monitors
size = root.get_geometry()
print(json.dumps({"size": [size.width, size.height], "monitors": sorted(
    [m.x, m.y, m.width_in_pixels, m.height_in_pixels, m.primary] for m in told)}))
"""


@pytest.fixture(scope="module")
def desktop() -> Iterator[NestedDesktop]:
    """One desktop whose monitors the tests of this file arrange."""
    made = apart(begun(f"monitors-{os.getpid()}", monitors=TWO))
    yield made
    apart(made.stop())


def server(desktop: NestedDesktop) -> dict[str, list[object]]:
    """What the X server itself says of its size and monitors."""
    environment = {**os.environ, **desktop.environment}
    told = subprocess.run(
        [sys.executable, "-c", _ASK], env=environment, capture_output=True, text=True, timeout=30, check=True
    )
    said: dict[str, list[object]] = json.loads(told.stdout)
    return said


@pytest.mark.proves("D1", "report-29")
async def test_a_second_monitor_stands_left_of_the_primary_one(desktop: NestedDesktop) -> None:
    await desktop.resize(TWO)
    assert server(desktop) == {
        "size": [2560, 1024],
        "monitors": [[0, 0, 1280, 1024, 0], [1280, 0, 1280, 1024, 1]],
    }


@pytest.mark.proves("D1", "B1")
async def test_monitors_and_pictures_follow_while_the_desktop_runs(desktop: NestedDesktop) -> None:
    platform = LinuxPlatform(desktop.environment)
    await platform.start()
    for sizes in (((1280, 1024),), ((800, 600), (1920, 1080)), ((1280, 1024), (640, 480), (1024, 768))):
        wanted = Arrangement.of(*sizes, primary=len(sizes))
        await desktop.resize(wanted)
        told = server(desktop)
        assert told["size"] == list(wanted.size)
        assert told["monitors"] == [
            [*place, int(number == wanted.primary)] for number, place in enumerate(wanted.places, 1)
        ]
        assert await platform.screen() == Rect(0, 0, *wanted.size)
        assert (await platform.monitors())[0] == wanted.places[-1]
        assert set(await platform.monitors()) == set(wanted.places)
        assert (await platform.capture(None)).bounds == Rect(0, 0, *wanted.size)
    await platform.close()


@pytest.mark.proves("report-40")
def test_its_only_door_is_for_this_user_alone(desktop: NestedDesktop) -> None:
    door = desktop.folder / VIEWS
    assert stat.S_IMODE(door.stat().st_mode) == 0o600
    assert stat.S_IMODE(desktop.folder.stat().st_mode) == 0o700
    inodes = {link[8:-1] for link in _links(desktop.record.screen) if link.startswith("socket:[")}
    listening = [
        line.split()
        for name in ("tcp", "tcp6", "udp", "udp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    assert [fields for fields in listening if fields[9] in inodes] == []


def _links(pid: int) -> list[str]:
    """What its descriptors stand for; one that closes meanwhile for nothing."""
    found = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(os.readlink(entry))
    return found


@pytest.mark.proves("D1")
async def test_a_desktop_of_one_fixed_monitor_can_only_become_smaller(start_desktop: StartDesktop) -> None:
    fixed = start_desktop(size=(1280, 1024))
    for size in ((1024, 768), (1280, 1024), (1024, 768)):
        await fixed.resize(Arrangement.of(size))
        told = server(fixed)
        assert told["size"] == list(size)
        assert told["monitors"] == [[0, 0, *size, 0]]
    for refused in (Arrangement.of((1920, 1080)), Arrangement.of((800, 600), (800, 600))):
        with pytest.raises(DeskhandError, match="--monitors") as refusal:
            await fixed.resize(refused)
        assert refusal.value.code == "invalid_request"
    assert server(fixed)["size"] == [1024, 768]


@pytest.mark.proves("D1")
def test_the_command_line_arranges_them(desktop: NestedDesktop) -> None:
    command = [COMMAND, "desktop", "resize", desktop.name]
    told = subprocess.run(
        [*command, "--monitors", "1024x768,1280x1024", "--primary", "2"],
        capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    assert "1024x768+1280x1024, primary 2" in told.stdout
    assert server(desktop)["monitors"] == [[0, 0, 1024, 768, 0], [1024, 0, 1280, 1024, 1]]
    more = subprocess.run([*command, "--monitors", "3"], capture_output=True, text=True, timeout=30, check=True)
    assert "1024x768+1280x1024+1280x1024, primary 2" in more.stdout
    for wrong in (
        ["800x600", "--monitors", "800x600,800x600"],
        ["20x20"],
        ["--monitors", "800x600", "--primary", "2"],
        ["wide"],
        [],
    ):
        refused = subprocess.run([*command, *wrong], capture_output=True, text=True, timeout=30, check=False)
        assert refused.returncode == 2, wrong
        assert refused.stderr.startswith("invalid_request: "), wrong
