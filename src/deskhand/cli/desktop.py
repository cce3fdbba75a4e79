"""``deskhand desktop start|list|resize|stop|exec``: isolated desktops."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any

import typer

from deskhand import isolation
from deskhand.cli.commands import OPTIONS
from deskhand.cli.output import print_json, told
from deskhand.desktop.act.running import TOKEN
from deskhand.desktop.semantics.quoting import quote
from deskhand.isolation import Arrangement, NestedDesktop
from deskhand.isolation.arrangement import MOST
from deskhand.isolation.attached import run_attached
from deskhand.types.errors import DeskhandError

app = typer.Typer(help="Start, list, resize, stop and use isolated desktops.", no_args_is_help=True, **OPTIONS)

Name = Annotated[str, typer.Argument(help="The desktop's name.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Monitors = Annotated[
    str | None,
    typer.Option(help="How many, or their sizes from the left: 1280x1024,1920x1080. They can be changed by resize."),
]
Primary = Annotated[int | None, typer.Option(help="Which monitor is the primary one, counted from the left.")]
SIZE = "1280x1024"
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*(M|MB|MIB|G|GB|GIB)?", re.IGNORECASE)


@app.command()
def start(  # noqa: PLR0917 - typer calls it by name
    name: Name = "default",
    size: Annotated[
        str | None, typer.Option(help=f"Width and height in pixels, of each monitor; left out: {SIZE}.")
    ] = None,
    monitors: Monitors = None,
    primary: Primary = None,
    home: Annotated[
        str,
        typer.Option(
            help="files: your files, settings of its own; own: an empty home, removed with it; shared: yours."
        ),
    ] = "files",
    memory: Annotated[
        str | None, typer.Option(metavar="MB", help="Memory limit of everything inside: 2000, 2GB; 0 for none.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Start a desktop; it stays until it is stopped."""
    with told(as_json):
        if monitors is None and primary is not None:
            raise DeskhandError("invalid_request", "--primary needs --monitors")
        arranged = _arrangement(monitors, size, primary or 1) if monitors is not None else None
        limit = _megabytes(memory) if memory is not None else None
        work = isolation.start(name, _size(size or SIZE), _home(home), memory_mb=limit, monitors=arranged)
        desktop = asyncio.run(work)
        print_json(_told(desktop)) if as_json else print(_line(desktop))


@app.command()
def resize(
    name: Name,
    size: Annotated[str, typer.Argument(help="Width and height in pixels, of each monitor.")] = "",
    monitors: Monitors = None,
    primary: Primary = None,
    as_json: Json = False,
) -> None:
    """Give a running desktop another size or, where it was started with --monitors, other monitors."""
    with told(as_json):
        if not size and monitors is None:
            raise DeskhandError("invalid_request", "tell the new size, for example 1920x1080, or --monitors")
        desktop = _running(name)
        now = desktop.record.monitors
        asyncio.run(desktop.resize(_arrangement(monitors or "1", size, primary, now)))
        print_json(_told(desktop)) if as_json else print(_line(desktop))


def _arrangement(monitors: str, size: str | None, primary: int | None, now: Arrangement | None = None) -> Arrangement:
    """``2``: so many, each as large as ``size``, else as they are ``now``, further ones as the last of them; or
    ``1280x1024,1920x1080``. ``primary`` left out: as it is now, where there is such a one."""
    if not monitors.isdecimal():
        if size:
            said = f"--monitors {monitors} tells every size already: leave {size} out, or give --monitors a number"
            raise DeskhandError("invalid_request", said)
        sizes = [_size(part.strip(), "--monitors") for part in monitors.split(",")]
    else:
        kept = now.sizes if now is not None and not size else (_size(size or SIZE),)
        sizes = [kept[min(place, len(kept) - 1)] for place in range(min(int(monitors), MOST + 1))]
    standing = now.primary if now is not None and now.primary <= len(sizes) else 1
    return Arrangement.of(*sizes, primary=standing if primary is None else primary)


def _megabytes(text: str) -> int:
    """``2000``, ``2000MB``, ``2GB``."""
    found = _MEMORY.fullmatch(text.strip())
    if found is None:
        raise DeskhandError("invalid_request", "--memory is a number of MB such as 2000, or 2GB; 0 for no limit")
    return int(float(found[1]) * (1024 if (found[2] or "M")[0] in "Gg" else 1))


def _home(text: str) -> isolation.Home:
    kinds: dict[str, isolation.Home] = {"files": "files", "own": "own", "shared": "shared"}
    if text not in kinds:
        raise DeskhandError("invalid_request", "--home is files, own or shared")
    return kinds[text]


def _size(text: str, option: str = "") -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        many = "a number, or sizes from the left, for example 1280x1024,1920x1080"
        said = f"{option} is {many}" if option else "a size is WIDTHxHEIGHT, for example 1280x1024"
        raise DeskhandError("invalid_request", f"{said}; {quote(text)} is not")
    return int(width), int(height)


def _told(desktop: NestedDesktop) -> dict[str, Any]:
    record = desktop.record
    inner = {key: value for key, value in desktop.environment.items() if key != TOKEN}  # who has it can pass for inside
    return {
        "name": desktop.name, "display": record.display, "size": record.monitors.size, "home": record.wish.home,
        "limit": record.limit, "memory_mb": record.wish.memory_mb, "keeper": record.pid, "folder": str(desktop.folder),
        "seconds": record.seconds, "environment": inner, "monitors": record.monitors.places,
        "primary": record.monitors.primary,
    }  # fmt: skip


def _line(desktop: NestedDesktop) -> str:
    record = desktop.record
    limit = "no memory limit" if record.limit == "none" else f"{record.wish.memory_mb} MB by {record.limit}"
    home = record.wish.home
    return f"{desktop.name} on {record.display}, {record.monitors}, home {home}, {limit}, keeper {record.pid}"


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the running desktops."""
    with told(as_json):
        desktops = isolation.list_desktops()
        if as_json:
            print_json([_told(desktop) for desktop in desktops])
            return
        print("\n".join(_line(desktop) for desktop in desktops) or "no desktops")


@app.command()
def stop(name: Name = "default", as_json: Json = False) -> None:
    """Stop a desktop and everything in it; nothing is left behind."""
    with told(as_json):
        asyncio.run(_running(name).stop())
        print_json({"stopped": name}) if as_json else print(f"{name} stopped")


def _running(name: str) -> NestedDesktop:
    running = {desktop.name: desktop for desktop in isolation.list_desktops()}
    if name not in running:
        there = ", ".join(running) or "none"
        raise DeskhandError("desktop_unavailable", f"no desktop {quote(name)} is running", found=there)
    return running[name]


@app.command("exec", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
def exec_(
    name: Name,
    command: Annotated[list[str], typer.Argument(help="-- and the command with its arguments.")],
) -> None:
    """Run a command inside, attached to this terminal; its exit code is passed on (127: it cannot be started)."""
    with told(exit_code=127):
        words = command[1:] if command[:1] == ["--"] else command
        raise typer.Exit(run_attached(isolation.attach(name), words))
