"""The keeper of one desktop, and the sentinel above it that leaves nothing behind.

``python -m deskhand.isolation.keeper`` reads a wish from stdin and becomes two processes: the sentinel, subreaper of
everything inside, which only waits and sweeps; and below it the keeper, which owns the desktop. However the keeper
ends, the sentinel then kills and removes what is left. Should the sentinel die first, the keeper ends the desktop and
sweeps by itself.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from deskhand.isolation import processes
from deskhand.isolation.messages import Wish
from deskhand.isolation.sweep import sweep
from deskhand.isolation.tenancy import Tenancy
from deskhand.types.errors import DeskhandError


def main() -> None:
    """Entry point: ``keeper FOLDER_FD READY_FD`` with the wish on stdin."""
    folder_lock, ready = int(sys.argv[1]), int(sys.argv[2])
    wish = Wish.model_validate_json(sys.stdin.buffer.read())
    if os.fork():
        os._exit(0)  # the sentinel is nobody's child, so that nobody has to wait for it
    os.setsid()
    _quiet(Path(wish.folder) / "keeper.log")
    for descriptor in (folder_lock, ready):
        os.set_inheritable(descriptor, False)
    processes.become_subreaper()
    _sentinel(wish, ready)


def _quiet(log: Path) -> None:
    """Let go of whoever started us: no terminal, no pipes, no folder."""
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (written, 1), (written, 2)):
        os.dup2(source, target)
    os.close(nothing)
    os.close(written)


def _sentinel(wish: Wish, ready: int) -> None:
    sentinel = os.getpid()
    keeper = os.fork()
    if keeper == 0:
        os._exit(_keep(wish, sentinel, ready))
    os.close(ready)
    signal.signal(signal.SIGTERM, lambda *_: processes.send([keeper], signal.SIGTERM))
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.wait()[0] != keeper:
        continue
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sweep(Path(wish.folder), sentinel)
    os._exit(0)


def _keep(wish: Wish, sentinel: int, ready: int) -> int:
    processes.end_with_parent(signal.SIGTERM)
    processes.become_subreaper()
    code = 0
    try:
        if os.getppid() != sentinel:
            raise DeskhandError("cancelled", "the sentinel has gone")
        asyncio.run(Tenancy(wish, sentinel).live(ready))
    except DeskhandError as error:
        code = 1
        _say(ready, f"{error.message}{_last_words(Path(wish.folder) / 'keeper.log')}")
    if os.getppid() != sentinel:
        sweep(Path(wish.folder), os.getpid())
    return code


def _last_words(log: Path) -> str:
    """The end of what the desktop's servers complained of, on one line."""
    said = " | ".join(log.read_text(errors="replace").split("\n"))[-300:].strip(" |")
    return f"; last words: {said}" if said else ""


def _say(ready: int, line: str) -> None:
    try:
        os.write(ready, line.encode())
    except OSError:
        return  # already told that it was ready, or nobody listens


if __name__ == "__main__":
    main()
