"""``deskhand approve``: a person answers a question from a terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Annotated

import typer

from deskhand.cli.driving import OnlyOption, forget_typed
from deskhand.cli.output import told
from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.protocol import Hello, Question
from deskhand.daemon.reaching import choice, owners
from deskhand.types.errors import DeskhandError


def approve(
    question: Annotated[str | None, typer.Argument(help="The question's id; left out: list what waits.")] = None,
    desktop: OnlyOption = None,
    decline: Annotated[bool, typer.Option("--no", help="Answer no.")] = False,
) -> None:
    """Answer a question of the gate. Agreeing needs a terminal, with a person at it."""
    with told():
        asyncio.run(_approve(question, desktop, decline))


async def _approve(wanted: str | None, desktop: str | None, decline: bool) -> None:
    found = await owners(
        Hello(client="deskhand approve", session=f"approve-{os.getpid()}", person=True), _named(desktop)
    )
    try:
        waiting = [(remote, question) for remote in found for question in await remote.pending()]
        if wanted is None:
            _list(waiting)
        else:
            await _settle(wanted, waiting, decline, desktop)
    finally:
        for remote in found:
            await remote.close()


def _named(desktop: str | None) -> str | None:
    """Inside of an isolated desktop, ``here`` is that one."""
    return choice(desktop, os.environ, desktop) if desktop else None


def _list(waiting: list[tuple[RemoteDesktop, Question]]) -> None:
    if not waiting:
        print("no question waits")
    for remote, question in waiting:
        print(f"{question.id} on {remote.welcome.desktop}, {question.seconds_left:.0f} s left\n{question.text}\n")


async def _settle(wanted: str, waiting: list[tuple[RemoteDesktop, Question]], decline: bool, on: str | None) -> None:
    matching = [(remote, question) for remote, question in waiting if question.id == wanted]
    if not matching:
        where = f" on {on}" if on else ""
        raise DeskhandError("not_found", f"no question {wanted} waits{where}; list them with: deskhand approve")
    if len(matching) > 1:
        names = ", ".join(remote.welcome.desktop for remote, _ in matching)
        raise DeskhandError("ambiguous_target", f"{wanted} waits on several desktops; add -d, one of {names}")
    remote, question = matching[0]
    agree = not decline and _agreed(question)
    await remote.answer(question.id, agree)
    done = "allowed, once" if agree else "declined"
    print(f"{done}: {question.id} on {remote.welcome.desktop}, {'; '.join(question.risks)}")


def _agreed(question: Question) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise DeskhandError("policy_denied", "agreeing needs a terminal: run this yourself, not through a program")
    forget_typed()
    print(question.text)
    return typer.confirm("Allow?", default=False)
