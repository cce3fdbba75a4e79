"""One call from the terminal: which desktop, its owner reached, the call made, a person asked, the answer printed."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import termios
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from pydantic import ValidationError

from deskhand import isolation
from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.consent import Ask
from deskhand.daemon.protocol import Hello
from deskhand.daemon.reaching import DEFAULT, Chosen, choice
from deskhand.daemon.starting import reach
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Judgement
from deskhand.types.steps import Selector, Strict, Target, explain

_R = TypeVar("_R")
_Request = TypeVar("_Request", bound=Strict)


def desktop_names(incomplete: str) -> list[str]:
    """For the shell: the desktops that can be named."""
    names = ["here", *(desktop.name for desktop in isolation.list_desktops())]
    return [name for name in dict.fromkeys([*names, DEFAULT]) if name.startswith(incomplete)]


DesktopOption = Annotated[
    str | None,
    typer.Option(
        "--desktop", "-d", metavar="here|NAME", autocompletion=desktop_names,
        help="Which desktop. Left out: here where there is a display, else the isolated desktop 'default', "
        "started if absent.",
    ),
]  # fmt: skip
OnlyOption = Annotated[
    str | None,
    typer.Option("--desktop", "-d", metavar="here|NAME", autocompletion=desktop_names, help="Only this desktop."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the typed result; errors too, on stdout.")]
InOption = Annotated[str | None, typer.Option("--in", metavar="TARGET", help="Only in this window or element.")]


def drive(desktop: str | None, command: str, work: Callable[[RemoteDesktop], Awaitable[_R]]) -> _R:
    """Do ``work`` with the desktop that is meant; its owner is started where there is none."""
    return asyncio.run(_driven(desktop, command, work))


async def _driven(desktop: str | None, command: str, work: Callable[[RemoteDesktop], Awaitable[_R]]) -> _R:
    name = choice(desktop, os.environ, otherwise=DEFAULT)
    if name == "new":
        raise DeskhandError(
            "invalid_request", "a new desktop would end with this command; run: deskhand desktop start NAME"
        )
    chosen = Chosen(name)
    place = await chosen.place()
    if desktop is None and chosen.beside:
        others = ", ".join(chosen.beside)
        print(f"started desktop {place.name}; also running: {others}; name one with --desktop", file=sys.stderr)
    remote = await reach(place, Hello(client=f"deskhand {command}", session=session_name()))
    try:
        return await work(remote)
    finally:
        await remote.close()


def session_name() -> str:
    """Commands of one terminal (or one script's session) belong together: consent given to one serves the next."""
    if given := os.environ.get("DESKHAND_SESSION"):
        return given
    leader = os.getsid(0)
    return f"terminal-{leader}-{_started(leader)}"


def _started(pid: int) -> str:
    """When a process began, in the kernel's ticks: process ids come round again."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except OSError:
        return "gone"


def asker() -> Ask | None:
    """Asks the person at the terminal; None where there is none: a pipe gives no consent."""
    return _ask if sys.stdin.isatty() and sys.stderr.isatty() else None


def forget_typed() -> None:
    """What was typed before a question is no answer to it: a pasted command brings its next lines with it."""
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


async def _ask(judgement: Judgement) -> bool:
    forget_typed()
    print(judgement.text, file=sys.stderr)
    print("Allow? [y/N]: ", end="", file=sys.stderr, flush=True)
    return (await _typed_line()).strip().lower() in ("y", "yes")


async def _typed_line() -> str:
    """What is typed; Ctrl+C ends the wait, as it would not in a thread."""
    loop, typed = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(sys.stdin.fileno())
    return sys.stdin.readline()


def asked(request: type[_Request], values: Mapping[str, Any]) -> _Request:
    """The typed request. Raises ``invalid_request``, one line that says what to write instead."""
    try:
        return request.model_validate({key: value for key, value in values.items() if value is not None})
    except ValidationError as error:
        raise DeskhandError("invalid_request", explain(error)) from error


def target(text: str | None) -> Target | None:
    """A ref, a window's title, an application's name, or a selector as JSON."""
    if text is None or not text.startswith("{"):
        return text
    try:
        return asked(Selector, json.loads(text))
    except ValueError as error:
        raise DeskhandError("invalid_request", f"this selector is not JSON: {error}") from error


def words(texts: Sequence[str]) -> str:
    """A query or title that was typed without quotes."""
    return " ".join(texts)
