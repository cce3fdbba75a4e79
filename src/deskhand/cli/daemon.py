"""``deskhand daemon``: be the owner of a desktop. The composition root: here the rooms are introduced to each other."""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from deskhand import isolation
from deskhand.cli.configuration import Settings, load_settings
from deskhand.cli.output import print_json, told
from deskhand.daemon.counters import FileCounters
from deskhand.daemon.debts import DebtFile
from deskhand.daemon.locks import OwnerLock
from deskhand.daemon.operations import Operations
from deskhand.daemon.protocol import Hello
from deskhand.daemon.reaching import choice, here_folder, owners, running_places
from deskhand.daemon.running import Closing, note_failure, run_owner
from deskhand.daemon.server import Owner, OwnerSettings
from deskhand.desktop.session import DesktopSession
from deskhand.platforms.base import Platform
from deskhand.policy.gate import DefaultGate
from deskhand.sessions.places import records_folder
from deskhand.sessions.recorder import FileRecorder, NoRecorder
from deskhand.types.errors import DeskhandError
from deskhand.types.protocols import Launcher

log = logging.getLogger(__name__)
PLATFORM = "deskhand.platforms.linux.platform:LinuxPlatform"

Desktop = Annotated[str, typer.Option("--desktop", "-d", help="here, or an isolated desktop's name.")]


def daemon(  # noqa: PLR0917 - typer calls it by name
    desktop: Desktop = "here",
    idle: Annotated[float | None, typer.Option(help="End after so many seconds without a client.")] = None,
    allow: Annotated[list[str] | None, typer.Option(help="A risk that needs no question; may be repeated.")] = None,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no record.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Tell about the running owners, as JSON, and end.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End the running owner of this desktop.")] = False,
) -> None:
    """Own a desktop: serve it to all clients. Started on demand; seldom by hand."""
    with told():
        if status:
            asyncio.run(_tell())
            return
        if stop:
            _stop(choice(desktop, os.environ, otherwise=desktop))
            return
        flags: dict[str, dict[str, Any]] = {"owner": {"idle": idle}, "gate": {"allow": allow or None},
                 "record": {"enabled": False if no_record else None}}  # fmt: skip
        code = own(choice(desktop, os.environ, otherwise=desktop), flags)
    raise typer.Exit(code)


def own(name: str, flags: Mapping[str, Mapping[str, Any]]) -> int:
    """Be the owner until idle or told to end; the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    return asyncio.run(_own(name, flags))


async def _own(name: str, flags: Mapping[str, Mapping[str, Any]]) -> int:
    nested = None if name == "here" else isolation.attach(name)
    folder = here_folder(os.environ) if nested is None else nested.folder

    try:
        settings = load_settings(os.environ, flags)
    except DeskhandError as error:
        note_failure(folder, error)
        raise

    async def build() -> tuple[Owner, Closing]:
        return await compose(name, folder, settings, nested)

    return await run_owner(folder, build)


async def compose(
    name: str, folder: Path, settings: Settings, nested: isolation.NestedDesktop | None
) -> tuple[Owner, Closing]:
    """An owner with all its parts: counters, recorder, gate, launcher, platform, desktop; and what closes them."""
    counters = FileCounters(folder)
    recorder = _recorder(name, settings)
    rules = settings.gate_of(name)
    gate = DefaultGate(counters, recorder, rules.allow, rules.deny)
    launcher: Launcher = isolation.HereLauncher() if nested is None else _held(nested)
    debts = DebtFile(folder)
    platform: Healing = named(PLATFORM)(launcher.environment, debts.note)
    await platform.start()
    await _heal(platform, debts)
    desktop = DesktopSession(
        platform, gate=gate, recorder=recorder, launcher=launcher, counters=counters, yields=settings.input.yields
    )
    times = OwnerSettings(idle=settings.owner.idle, patience=settings.owner.patience)

    async def windows() -> frozenset[str]:
        return frozenset(window.key for window in await platform.windows())

    operations = Operations(
        desktop,
        gate,
        platform.release_all,
        lambda: recorder.trouble,
        record=recorder.record,
        windows=windows,
        patience=times.patience,
        call=times.call,
    )

    async def close() -> None:
        await platform.close()
        debts.settle()
        counters.close()
        if isinstance(recorder, FileRecorder):
            recorder.close()

    return Owner(name, folder, operations, times), close


class Healing(Platform, Protocol):
    """A platform that can give back what another process borrowed."""

    async def pay_back(self, state: str) -> None:
        """Release and restore what ``state`` says."""
        ...


async def _heal(platform: Healing, debts: DebtFile) -> None:
    """Release what a killed owner held down, and give back what it had borrowed."""
    owed = debts.left()
    if owed is None:
        return
    try:
        await platform.pay_back(owed)
    except DeskhandError as error:
        log.warning("what the last owner borrowed could not be given back: %s", error)
    debts.settle()


def _recorder(name: str, settings: Settings) -> FileRecorder | NoRecorder:
    if not settings.record.enabled:
        return NoRecorder()
    return FileRecorder(records_folder(os.environ) / name, name, settings.record.days)


def _held(nested: isolation.NestedDesktop) -> isolation.NestedDesktop:
    """A desktop that lives as long as it is used is used by its owner; one that is tied to a server is not."""
    if nested.record.wish.linger:
        nested.hold()
    return nested


def named(path: str) -> Any:
    """What ``package.module:name`` names. Raises ``internal`` when it is not installed."""
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise DeskhandError("internal", f"cannot load {path}: {error}; install deskhand again") from error


async def _tell() -> None:
    found = await owners(_hello())
    if not found:
        print("no owner runs", file=sys.stderr)
    for remote in found:
        print_json((await remote.status()).model_dump(mode="json"))
        await remote.close()


def _stop(name: str) -> None:
    place = next((place for place in running_places(name)), None)
    pid = OwnerLock(place.folder).holder() if place is not None else None  # by its lock: it may be of another version
    if pid is None:
        raise DeskhandError("desktop_unavailable", f"no owner runs for {name}")
    os.kill(pid, signal.SIGTERM)


def _hello() -> Hello:
    return Hello(client="deskhand daemon", session=f"cli-{os.getpid()}")


if __name__ == "__main__":
    typer.run(daemon)
