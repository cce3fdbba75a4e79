"""Programs of the tests started by a fork of one process that has imported what they need: a hundred starts add up.

``forked("tests.contract.fake_owner", …)`` is a command like any other: a small launcher hands its descriptors, its
arguments, environment and folder to that process, passes signals on, and ends with the program's exit code. The
program ends with its launcher, too, and the process that forks with the tests.
"""

from __future__ import annotations

import array
import functools
import json
import os
import random
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAMS = ("tests.contract.fake_mcp", "tests.contract.fake_owner")
_LAUNCHER = Path(__file__).parents[1] / "programs/launcher.py"
_HEAD = struct.Struct("<I")
_STARTED: list[subprocess.Popen[bytes]] = []


FORKING: list[str] = []
"""In what was forked: the socket of the process that forked it."""


@functools.cache
def _server() -> str:
    """The socket of this process's forking process, which lives as long as its standard input is kept open."""
    if FORKING:
        return FORKING[0]
    path = f"{tempfile.mkdtemp(prefix='dh-fork-')}/socket"
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.contract.forking", path], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    _STARTED.append(process)
    return path


def forked(module: str, *arguments: str) -> list[str]:
    """The command that runs one of ``PROGRAMS``."""
    assert module in PROGRAMS
    return [sys.executable, "-I", "-S", str(_LAUNCHER), _server(), module, *arguments]


@dataclass(frozen=True)
class _Started:
    """A program that runs, and the launcher that waits for it."""

    pid: int
    launcher: socket.socket


class _Forking:
    """Forks a program for each launcher."""

    def __init__(self, path: str) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(path)
        self._listening.listen(64)
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, _Started] = {}
        self._ended, wake = socket.socketpair()
        wake.setblocking(False)
        signal.set_wakeup_fd(wake.fileno())
        self._wake = wake
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Until standard input ends, with all that runs."""
        for source in (self._listening, self._ended, sys.stdin):
            self._selector.register(source, selectors.EVENT_READ)
        print("ready", flush=True)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is self._listening:
                    self._start(self._listening.accept()[0])
                elif key.fileobj is self._ended:
                    self._ended.recv(64)
                    self._reap()
                else:
                    self._abandoned(key.data)

    def _start(self, launcher: socket.socket) -> None:
        asked, descriptors = _received(launcher)
        pid = os.fork()
        if pid == 0:
            _become(asked, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        launcher.sendall(_HEAD.pack(pid))
        self._running[pid] = _Started(pid, launcher)
        self._selector.register(launcher, selectors.EVENT_READ, pid)

    def _reap(self) -> None:
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            launcher = self._running.pop(pid).launcher
            self._selector.unregister(launcher)
            with launcher:
                try:
                    launcher.sendall(_HEAD.pack(os.waitstatus_to_exitcode(status) & 0xFF))
                except BrokenPipeError:
                    continue  # the launcher was killed

    def _abandoned(self, pid: int) -> None:
        """Its launcher was killed."""
        if pid in self._running:
            os.kill(pid, signal.SIGKILL)


def _received(launcher: socket.socket) -> tuple[Mapping[str, Any], list[int]]:
    numbers = array.array("i", [0, 0, 0])
    head, extra, _, _ = launcher.recvmsg(_HEAD.size, socket.CMSG_SPACE(len(numbers) * numbers.itemsize))
    numbers = array.array("i", extra[0][2])
    (left,), said = _HEAD.unpack(head), b""
    while left > len(said):
        said += launcher.recv(left - len(said))
    return json.loads(said), list(numbers)


def _become(asked: Mapping[str, Any], descriptors: list[int]) -> None:
    """In the fork: the program itself; never returns."""
    code: int | None = None
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        os.closerange(3, 256)
        os.environ.clear()
        os.environ.update(asked["environment"])
        os.chdir(asked["folder"])
        random.seed()
        sys.argv = [asked["module"], *asked["arguments"]]
        code = int(sys.modules[asked["module"]].main() or 0)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        if code is None:
            sys.excepthook(*sys.exc_info())  # as the interpreter would
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1 if code is None else code)


def main() -> None:
    """The forking process."""
    for module in PROGRAMS:
        import_module(module)
    import_module("tests.contract.forking").FORKING.append(sys.argv[1])
    _Forking(sys.argv[1]).serve()


if __name__ == "__main__":
    main()
