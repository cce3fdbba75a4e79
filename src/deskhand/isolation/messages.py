"""What a keeper writes down about its desktop, and what it is asked over its socket."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from deskhand.isolation.arrangement import Arrangement
from deskhand.types.errors import ErrorCode

RECORD = "keeper.json"
SOCKET = "keeper.sock"
VIEWS = "screen.sock"
"""Where an RFB client gets in, in a desktop whose monitors can be arranged."""
Outside = Literal["sockets", "locks"]
"""What is made outside of a desktop's folder and removed with it; the name of the file in it that notes them."""
LONGEST_MESSAGE = 200_000
"""Bytes of one message: a sequenced packet under the kernel's default buffer."""

Home = Literal["files", "own", "shared"]
"""``files``: the user's files, settings of the desktop's own; ``own``: an empty home; ``shared``: all the user's."""
LimitKind = Literal["cgroup2", "cgroup1", "watchdog", "none"]


_ONE_MONITOR = Arrangement(sizes=((1280, 1024),))


class _Frozen(BaseModel):
    """Keepers live longer than the program that started them: what a newer or older one says beside is let be."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Wish(_Frozen):
    """What is to be started. ``linger`` None: for ever; else seconds to live after the last lease was closed.

    ``movable``: on a server whose monitors can be arranged anew, any number of them, of any size.
    """

    name: str
    folder: str
    token: str
    monitors: Arrangement = _ONE_MONITOR
    movable: bool = False
    home: Home = "own"
    memory_mb: int = 0
    limit: LimitKind | Literal["auto"] = "auto"
    linger: float | None = None
    environment: dict[str, str] = {}  # wins over everything


class Record(_Frozen):
    """One desktop as its keeper knows it; ``ready`` once everything in it answers. ``monitors`` are those of now."""

    wish: Wish
    monitors: Arrangement = _ONE_MONITOR
    pid: int = 0
    sentinel: int = 0
    ready: bool = False
    started: float = 0.0
    seconds: float = 0.0
    display: str = ""
    screen: int = 0  # pid of the X server
    limit: LimitKind = "none"
    group: str = ""  # the cgroup's folder
    environment: dict[str, str] = {}

    @model_validator(mode="before")
    @classmethod
    def _monitors_as_wished(cls, said: Any) -> Any:
        """Records of before there were several monitors have the size of the one in their wish."""
        if not isinstance(said, dict) or "monitors" in said or not isinstance(said.get("wish"), dict):
            return said
        wish = said["wish"]
        size = wish.get("size")
        wished = wish.get("monitors") or ({"sizes": [size]} if size is not None else None)
        return said if wished is None else {**said, "monitors": wished, "wish": {**wish, "monitors": wished}}


class Exit(_Frozen):
    """A program that ended: exit code, or 128 + signal."""

    pid: int
    code: int


class Status(_Frozen):
    """How the desktop fares. Memory in MB, of everything inside."""

    running: dict[int, str] = {}
    ended: tuple[Exit, ...] = ()
    leases: int = 0
    memory_mb: int = 0
    limit: LimitKind = "none"
    killed: int = 0  # programs killed by the memory limit


class Request(_Frozen):
    """One message to the keeper. ``run`` brings three descriptors and stays connected until its program ends.

    Sent with what differs from the defaults alone, so that an older keeper understands what it can do.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    do: Literal["launch", "run", "signal", "lease", "status", "resize", "stop"]
    command: tuple[str, ...] = ()
    directory: str | None = None
    environment: dict[str, str] = {}
    signal: int = 0
    monitors: Arrangement | None = None  # that ``resize`` asks for


class Reply(_Frozen):
    """One message from the keeper."""

    error: ErrorCode | None = None
    message: str = ""
    pid: int = 0
    exit: int | None = None
    status: Status | None = None


def read_record(folder: Path) -> Record | None:
    """The desktop's record, as far as it is understood; None where there is none yet, or it is none at all."""
    try:
        said = json.loads((folder / RECORD).read_bytes())
        return Record.model_validate(said)
    except ValidationError as error:
        return _as_far_as_understood(said, [place["loc"] for place in error.errors()])
    except (OSError, ValueError):
        return None


def _as_far_as_understood(said: Any, strange: Iterable[tuple[int | str, ...]]) -> Record | None:
    """Without what another version means by words of its own."""
    if not isinstance(said, dict) or not isinstance(said.get("wish"), dict):
        return None
    places = [place[:2] if place[:1] == ("wish",) else place[:1] for place in strange]
    wish = {name: value for name, value in said["wish"].items() if ("wish", name) not in places}
    rest = {name: value for name, value in said.items() if (name,) not in places}
    try:
        return Record.model_validate({**rest, "wish": wish})
    except ValidationError:
        return None


def write_record(record: Record) -> None:
    """Replace the record as a whole."""
    folder = Path(record.wish.folder)
    fresh = folder / (RECORD + ".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(record.model_dump_json())
    fresh.replace(folder / RECORD)


def note_outside(folder: Path, kind: Outside, paths: Iterable[Path]) -> None:
    """Add what was made outside the desktop's folder to what is removed with it."""
    with (folder / kind).open("ab") as file:
        file.writelines(os.fsencode(path) + b"\0" for path in paths)


def noted_outside(folder: Path, kind: Outside) -> set[Path]:
    """What was noted so far."""
    try:
        text = (folder / kind).read_bytes()
    except FileNotFoundError:
        return set()
    return {Path(os.fsdecode(path)) for path in text.split(b"\0") if path}
