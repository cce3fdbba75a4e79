"""Small real programs for tests, and the client that starts them, commands them and asks what they saw.

A program writes its whole state as JSON into a file, so a test asks the APPLICATION what happened, not the
accessibility tree. ``async with running(zoo_gtk3(), environment, folder) as zoo: await zoo.command("replace Save")``.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).parent
SYSTEM_PYTHON = "/usr/bin/python3"
MEMORY = 4 * 1024**3
"""Bytes of address space that a program may take."""
PATIENCE = 20.0
"""Seconds until a condition that does not come true fails the test."""


@dataclass(frozen=True)
class Program:
    """How to start one: the interpreter, the file, arguments after the state file."""

    name: str
    interpreter: str = SYSTEM_PYTHON
    arguments: tuple[str, ...] = ()
    start: tuple[str, ...] = ()  # what comes after the interpreter instead of a Python file

    def command(self, state: Path) -> list[str]:
        """The argument list, limited in memory."""
        limit = ["prlimit", f"--as={MEMORY}", "--"]
        own = self.interpreter == sys.executable  # has the tests' package at hand, the system's has not
        program = ["-m", f"tests.programs.{self.name}"] if own else [str(HERE / f"{self.name}.py")]
        return [*limit, self.interpreter, *(self.start or program), str(state), *self.arguments]


def zoo_gtk3(title: str = "Zoo GTK3") -> Program:
    """Every GTK3 widget."""
    return Program("zoo_gtk3", arguments=(title,))


def zoo_gtk4(title: str = "Zoo GTK4") -> Program:
    """The usual GTK4 widgets."""
    return Program("zoo_gtk4", arguments=(title,))


def zoo_qt(title: str = "Zoo Qt", locale: str = "") -> Program:
    """The usual Qt 6 widgets; with a ``locale`` (``de``) Qt speaks that language."""
    return Program("zoo_qt", interpreter=sys.executable, arguments=(title, locale))


def zoo_swing(classes: Path, title: str = "Zoo Swing") -> Program:
    """The usual Swing components, from the folder that ``compiled`` gave."""
    return Program("ZooSwing", "java", (title,), ("-Xmx256m", "-cp", str(classes), "ZooSwing"))


def compiled(folder: Path) -> Path:
    """A folder in ``folder`` with the classes of the Swing zoo."""
    classes = folder / "classes"
    command = ["javac", "-encoding", "UTF-8", "-d", str(classes), str(HERE / "ZooSwing.java")]
    subprocess.run(command, check=True, timeout=120, capture_output=True)
    return classes


def cyclic(shape: str = "cycle") -> Program:
    """An accessible tree without end: ``cycle``, ``self`` or ``deep``."""
    return Program("cyclic", interpreter=sys.executable, arguments=(shape,))


def asking() -> Program:
    """A field of GTK3 that opens a question, with Yes as its default answer, while it is typed into."""
    return Program("asking_gtk3")


def twice() -> Program:
    """An application that is registered twice, once empty."""
    return Program("twice", interpreter=sys.executable)


class ProgramFailed(AssertionError):
    """The program ended, or did not do in time what it was to do."""


@dataclass
class Running:
    """A started program."""

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    @property
    def state(self) -> dict[str, Any]:
        """What the application says of itself right now; empty before it is up."""
        try:
            loaded: dict[str, Any] = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return loaded

    async def until(
        self, met: Callable[[dict[str, Any]], bool], what: str = "a state", patience: float = PATIENCE
    ) -> dict[str, Any]:
        """Wait until the state meets a condition and return it. Raises ``ProgramFailed``."""
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while not met(state := self.state):
            if self.process.poll() is not None:
                raise ProgramFailed(f"ended with {self.process.returncode} before {what}: {self.said()}")
            if loop.time() > end:
                raise ProgramFailed(f"no {what} after {patience} s; state {state}; {self.said()}")
            await asyncio.sleep(0.01)
        return state

    async def command(self, line: str) -> dict[str, Any]:
        """Give a command and wait until it was carried out."""
        done = self.state["commands"]
        self.tell(line)
        state = await self.until(lambda now: now["commands"] > done, f"answer to {line!r}")
        if state["error"]:
            raise ProgramFailed(state["error"])
        return state

    def tell(self, line: str) -> None:
        """Give a command and do not wait."""
        stream: IO[bytes] | None = self.process.stdin
        assert stream is not None
        stream.write(line.encode() + b"\n")
        stream.flush()

    def pressed(self, name: str) -> int:
        """How often the application saw this button pressed."""
        return int(self.state["pressed"].get(name, 0))

    def said(self) -> str:
        """What it wrote to its error stream."""
        return (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")[-2000:]

    def stop(self) -> None:
        """Suspend the process: it answers nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """End it, whatever state it is in."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()


def start(program: Program, environment: Mapping[str, str], folder: Path) -> Running:
    """Start it inside a desktop's environment; its files stand in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "state.json").unlink(missing_ok=True)  # an earlier run's
    with (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            program.command(folder / "state.json"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=errors, env=dict(environment), start_new_session=True,
            cwd=HERE.parent.parent,
        )  # fmt: skip
    return Running(process, folder)


@asynccontextmanager
async def running(program: Program, environment: Mapping[str, str], folder: Path) -> AsyncIterator[Running]:
    """A program that is up, and is ended afterwards."""
    started = start(program, environment, folder)
    try:
        await started.until(lambda state: bool(state.get("ready")), f"{program.name} being ready")
        yield started
    finally:
        started.end()
