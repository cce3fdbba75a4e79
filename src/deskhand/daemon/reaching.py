"""Which desktop a command means, and how its owner is reached: ``here``, ``new``, or a name."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deskhand import isolation
from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.protocol import Hello
from deskhand.daemon.starting import Place, reach
from deskhand.desktop.semantics.quoting import quote
from deskhand.isolation import places
from deskhand.types.errors import DeskhandError

DEFAULT = "default"
LINGER = 600.0
"""Seconds that a desktop which a command started lives without a client."""


class Chosen:
    """The desktop that a command drives. A ``new`` one is started when first asked for, and ends with this process.

    Args:
        name: ``here``, ``new``, or a desktop's name.
        flags: more arguments for the owner, should it have to be started.
    """

    def __init__(self, name: str, flags: Sequence[str] = ()) -> None:
        self._name = name
        self._flags = tuple(flags)
        self._new: isolation.NestedDesktop | None = None
        self._starting = asyncio.Lock()
        self.beside: tuple[str, ...] = ()
        """Desktops that ran already when ``default`` was started: one of them may have been meant."""

    async def place(self) -> Place:
        """Where its owner lives. Raises ``desktop_unavailable`` with the remedy."""
        if self._name == "here":
            return Place("here", here_folder(os.environ), owner_command("here", self._flags))
        nested = await self._nested()
        return Place(nested.name, nested.folder, owner_command(nested.name, self._flags))

    async def about(self) -> str:
        """One sentence on which desktop it is."""
        if self._name == "here":
            return f"Drives the user's own desktop ({os.environ.get('DISPLAY', 'no display')})."
        nested = await self._nested()
        return f"Drives the isolated desktop {quote(nested.name)} ({nested.record.monitors})."

    async def _nested(self) -> isolation.NestedDesktop:
        if self._name == "new":
            return await self._own()
        if self._name == DEFAULT:
            return await self._default()
        return isolation.attach(self._name)

    async def _default(self) -> isolation.NestedDesktop:
        there = tuple(desktop.name for desktop in isolation.list_desktops())
        desktop = await isolation.obtain(DEFAULT, home="files", linger=LINGER)
        self.beside = () if DEFAULT in there else there
        return desktop

    async def _own(self) -> isolation.NestedDesktop:
        async with self._starting:  # asked for twice at once, there is one
            if self._new is None:
                self._new = await isolation.start(home="files", tied=True)
                return self._new
        if self._new.name not in {desktop.name for desktop in isolation.list_desktops()}:
            # not replaced by another one: refs of the old would silently mean something else there
            raise DeskhandError("desktop_unavailable", "the desktop of this server has ended; restart the server")
        return self._new

    async def close(self) -> None:
        """End a desktop that was started for this process alone."""
        if self._new is not None:
            await self._new.stop()


def owner_command(name: str, flags: Sequence[str] = ()) -> tuple[str, ...]:
    """How the owner of a desktop is started."""
    return (sys.executable, "-m", "deskhand.cli.daemon", "--desktop", name, *flags)


def has_display(environment: Mapping[str, str]) -> bool:
    """Whether there is a desktop here."""
    return bool(environment.get("DISPLAY"))


def here_folder(environment: Mapping[str, str]) -> Path:
    """The folder of this session's own desktop, mode 0700. Raises ``desktop_unavailable`` where there is no display."""
    if not has_display(environment):
        raise DeskhandError("desktop_unavailable", "there is no display here (DISPLAY is not set); use --desktop new")
    display = re.sub(r"\.\d+$", "", environment["DISPLAY"])
    base = places.base_folder(environment)
    folder = base / "here" / (re.sub(r"[^A-Za-z0-9.-]+", "_", display).strip("_") or "display")
    places.require_short(folder / "owner.sock")
    for path in (base, base / "here", folder):
        places.private_folder(path)
    return folder


def choice(name: str | None, environment: Mapping[str, str], otherwise: str) -> str:
    """The desktop that is meant: the one named, else ``here`` where there is a display, else ``otherwise``.

    Inside an isolated desktop, ``here`` is that desktop: it has one owner, by whichever name it is called.
    """
    name = name or ("here" if has_display(environment) else otherwise)
    return environment.get("DESKHAND_DESKTOP", name) if name == "here" else name


async def owners(hello: Hello, name: str | None = None) -> list[RemoteDesktop]:
    """Connections to the owners that run now (of the desktop ``name`` only); none is started."""
    found: list[RemoteDesktop] = []
    for place in running_places(name):
        try:
            found.append(await reach(place, hello, start=False))
        except DeskhandError as error:
            if error.code != "desktop_unavailable":
                raise
    return found


def running_places(name: str | None) -> list[Place]:
    """The desktops that run now (the one called ``name`` only), whether or not they have an owner."""
    here = [Place("here", here_folder(os.environ), ())] if has_display(os.environ) else []
    nested = [Place(desktop.name, desktop.folder, ()) for desktop in isolation.list_desktops()]
    return [place for place in (*here, *nested) if name in (None, place.name)]
