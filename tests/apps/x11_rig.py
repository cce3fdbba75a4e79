"""What the X11 tests share: a Mousepad of their own, and witnesses that share no code with deskhand."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.connection import XThread
from deskhand.platforms.linux.x11.input import InputDevice
from deskhand.platforms.linux.x11.surfaces import Surface
from deskhand.platforms.linux.x11.windows import WindowSource

SYSTEM_PYTHON = "/usr/bin/python3"
PATIENCE = 15.0

# argument: a process id; prints the first text of two lines or more that it shows, as JSON
_READ_TEXT = """
import json, sys, pyatspi
def walk(node, depth=0):
    yield node
    if depth < 12:
        for index in range(min(node.childCount, 100)):
            child = node.getChildAtIndex(index)
            if child is not None:
                yield from walk(child, depth + 1)
for app in pyatspi.Registry.getDesktop(0):
    if app is not None and app.get_process_id() == int(sys.argv[1]):
        for node in walk(app):
            if node.getRole() == pyatspi.ROLE_TEXT and node.getState().contains(pyatspi.STATE_MULTI_LINE):
                print(json.dumps(node.queryText().getText(0, -1)))
                sys.exit(0)
sys.exit("no text found")
"""


def needs(*programs: str) -> None:
    """Fail plainly where a program that the test needs is not installed."""
    missing = [name for name in programs if shutil.which(name) is None]
    assert not missing, f"install {', '.join(missing)}"


async def eventually(holds: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Poll until ``holds()`` is true; fail with ``what`` when it never was.

    A witness that cannot read yet (an application that is just starting) is asked again.
    """
    deadline = time.monotonic() + patience
    trouble = ""
    while True:
        try:
            found = holds()
            if asyncio.iscoroutine(found):
                found = await found
        except AssertionError as problem:
            found, trouble = None, str(problem)
        if found:
            return found
        assert time.monotonic() < deadline, f"never happened: {what} {trouble}"
        await asyncio.sleep(0.02)


@dataclass
class Rig:
    """Hands and eyes on one isolated desktop, with independent witnesses."""

    desktop: NestedDesktop
    thread: XThread
    windows: WindowSource
    hands: InputDevice

    @property
    def display(self) -> str:
        return self.desktop.environment["DISPLAY"]

    def run(self, *command: str) -> str:
        """Run a program inside the desktop and return what it prints."""
        done = subprocess.run(
            command, env=dict(self.desktop.environment), capture_output=True, text=True, timeout=30, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def layout(self, name: str) -> None:
        """Choose the keyboard layout."""
        needs("setxkbmap")
        self.run("setxkbmap", "-layout", name)

    def keyboard_map(self) -> str:
        """The whole keyboard map, as xkbcomp reads it."""
        needs("xkbcomp")
        return self.run("xkbcomp", self.display, "-")

    def keys_down(self) -> list[int]:
        """Keycodes that the server says are pressed."""
        pressed = json.loads(self.witness("list(server.query_keymap())"))
        return [code for code in range(256) if pressed[code // 8] & (1 << code % 8)]

    def witness(self, question: str) -> str:
        """Ask the X server by python-xlib alone, in a process of its own: an expression with ``server`` in it."""
        program = f"import json; from Xlib import X, display; server = display.Display(); print(json.dumps({question}))"
        return self.run(sys.executable, "-c", program)

    async def surface(self, wanted: Callable[[Surface], bool], what: str) -> Surface:
        """The first surface that is wanted, waited for."""

        async def look() -> Surface | None:
            return next((one for one in await self.windows.surfaces() if wanted(one)), None)

        found: Surface = await eventually(look, what)
        return found


@asynccontextmanager
async def rig(desktop: NestedDesktop) -> AsyncIterator[Rig]:
    """Connect to an isolated desktop; afterwards the layout is ``us`` and nothing is held."""
    thread = XThread(desktop.environment["DISPLAY"], desktop.environment.get("XAUTHORITY"))
    await thread.start()
    made = Rig(desktop, thread, WindowSource(thread), InputDevice(thread))
    try:
        yield made
    finally:
        await made.hands.release_all()
        made.layout("us")
        await thread.close()


@dataclass
class Editor:
    """A running Mousepad."""

    rig: Rig
    pid: int
    surface: Surface

    def text(self) -> str:
        """Its text as pyatspi reads it."""
        said: str = json.loads(self.rig.run(SYSTEM_PYTHON, "-c", _READ_TEXT, str(self.pid)))
        return said

    async def activate(self) -> None:
        assert await self.rig.windows.operate(self.surface.xid, "activate")

    async def empty(self) -> None:
        """Take all text out, by its own keys."""
        await self.activate()
        await self.rig.hands.chord("ctrl+a")
        await self.rig.hands.chord("Delete")
        await eventually(lambda: self.text() == "", "an empty editor")


@asynccontextmanager
async def mousepad(made: Rig, *arguments: str) -> AsyncIterator[Editor]:
    """Start a Mousepad of its own, active and readable; it is killed afterwards."""
    needs("mousepad")
    pid = await made.desktop.launch(["mousepad", "--disable-server", *arguments])
    try:
        surface = await made.surface(lambda one: one.pid == pid and not one.popup, "Mousepad's window")
        editor = Editor(made, pid, surface)
        await editor.activate()
        await eventually(lambda: editor.text() == "", "Mousepad's text can be read")
        yield editor
    finally:
        end(pid)
        await eventually(lambda: not Path(f"/proc/{pid}").exists() or _zombie(pid), "Mousepad's end")


def _zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def end(pid: int) -> None:
    """Kill a process that may have ended already, or be stopped."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@asynccontextmanager
async def plain_window(made: Rig, *arguments: str) -> AsyncIterator[int]:
    """A bare window (see ``tests/programs/plain_x11.py``); gives its id."""
    program = Path(__file__).parents[1] / "programs/plain_x11.py"
    running = await asyncio.create_subprocess_exec(
        sys.executable, str(program), *arguments,
        env=dict(made.desktop.environment), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert running.stdout is not None
    try:
        yield int(await asyncio.wait_for(running.stdout.readline(), PATIENCE))
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()
