"""Run a program inside a desktop with this process's terminal, as a child of the keeper."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Sequence
from types import FrameType

from deskhand.isolation.messages import LONGEST_MESSAGE, Request
from deskhand.isolation.nested import NestedDesktop, connect, exchange, told
from deskhand.types.errors import DeskhandError

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGWINCH)
PASSED = ("TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES")


def run_attached(desktop: NestedDesktop, command: Sequence[str], streams: Sequence[int] = (0, 1, 2)) -> int:
    """Run it to its end with these descriptors as its streams, and return its exit code. Blocks.

    Signals to this process are passed on; when this process dies, the program gets SIGHUP. Called from the main thread.
    Raises ``launch_failed``; ``desktop_unavailable`` when the desktop ends first.
    """
    terminal = {name: os.environ[name] for name in PASSED if name in os.environ}
    request = Request(do="run", command=tuple(command), directory=os.getcwd(), environment=terminal)
    with connect(desktop.folder) as endpoint:
        signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)  # none may come between the start and its handler
        before = {number: signal.signal(number, _passing_on(endpoint)) for number in FORWARDED}
        try:
            exchange(endpoint, request, streams)
            endpoint.settimeout(None)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
            return _exit_code(endpoint)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
            for number, handler in before.items():
                signal.signal(number, handler)


def _passing_on(endpoint: socket.socket) -> Callable[[int, FrameType | None], None]:
    def pass_on(number: int, _: FrameType | None) -> None:
        endpoint.send(Request(do="signal", signal=number).model_dump_json(exclude_defaults=True).encode())

    return pass_on


def _exit_code(endpoint: socket.socket) -> int:
    try:
        reply = told(endpoint.recv(LONGEST_MESSAGE))
    except OSError as error:
        raise DeskhandError("desktop_unavailable", "the desktop has ended") from error
    if reply.exit is None:
        raise DeskhandError("internal", "the keeper told no exit code")
    return reply.exit
