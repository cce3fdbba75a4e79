"""``deskhand mcp``: the MCP server over stdio, or over HTTP on loopback."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deskhand.cli.configuration import listed, load_settings
from deskhand.cli.output import EXIT_CODES, told
from deskhand.daemon.keeping import Reaches
from deskhand.daemon.naming import as_called
from deskhand.daemon.protocol import Hello
from deskhand.daemon.reaching import Chosen, choice
from deskhand.mcp_server.clients import CLIENTS
from deskhand.mcp_server.purity import Wire, diverted
from deskhand.mcp_server.switches import Switches
from deskhand.types.errors import DeskhandError

if TYPE_CHECKING:
    from deskhand.mcp_server.server import DeskServer

log = logging.getLogger(__name__)

STARTING_SECONDS = 0.5
"""How long the first answer waits for a desktop, once all else is ready."""
ENDING_SECONDS = 10.0


def mcp(  # noqa: PLR0917 - options of the command line
    desktop: Annotated[
        str | None,
        typer.Option(
            "--desktop", "-d", help="here, new, or an isolated desktop's name. Default: here if there is one, else new."
        ),
    ] = None,
    http: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Serve over HTTP on this port of 127.0.0.1 (0: a free one).")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="Where the bearer token for --http is kept; made if absent.")
    ] = None,
    print_config: Annotated[
        str | None, typer.Option(help=f"Print what to paste for a client, and end: {', '.join(CLIENTS)}.")
    ] = None,
    channels: Annotated[
        str | None, typer.Option(metavar="tree,pixels,apis", help="Only these ways to an application.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="base|full", help="base: apps, observe, find, act, open. Default: full.")
    ] = None,
    structured: Annotated[
        bool, typer.Option("--structured", help="Add output schemas and structuredContent, for programs and code mode.")
    ] = False,
    input_style: Annotated[
        str | None,
        typer.Option(metavar="gpt|claude|auto", help="In whose words input is described. Default: by the client."),
    ] = None,
    no_skill: Annotated[bool, typer.Option("--no-skill", help="Do not serve the skill.")] = False,
) -> None:
    """Serve a desktop to an MCP client over stdin and stdout, or to several over HTTP."""
    flags = {
        "desktop": desktop, "skill": False if no_skill else None, "structured": structured or None,
        "channels": listed(channels) if channels is not None else None, "profile": profile, "input_style": input_style,
    }  # fmt: skip
    if print_config is not None:
        with told():
            _print_config(print_config, desktop, load_settings({}, {"mcp": flags}).mcp.switches)
        return
    with diverted() as wire, told():
        settings = load_settings(os.environ, {"mcp": flags}).mcp
        chosen = Chosen(choice(settings.desktop, os.environ, otherwise="new"))
        if http is None:
            reached = asyncio.run(serve(chosen, wire, settings.switches))
        else:
            reached = asyncio.run(serve_over_http(chosen, http, token_file, settings.switches))
    raise typer.Exit(0 if reached else EXIT_CODES["desktop_unavailable"])


def _print_config(client: str, desktop: str | None, switches: Switches) -> None:
    """What to paste goes to stdout, where it goes to stderr."""
    if client not in CLIENTS:
        raise DeskhandError("invalid_request", f"{client} is not known; there are {', '.join(CLIENTS)}")
    program = shutil.which(sys.argv[0])
    command = [os.path.abspath(program)] if program else [sys.executable, "-m", "deskhand"]
    print(f"{CLIENTS[client].where}:", file=sys.stderr)
    print(CLIENTS[client].text([*command, "mcp", "--desktop", desktop or "new", *switches.given]))


async def serve(chosen: Chosen, wire: Wire, switches: Switches) -> bool:
    """Serve until the client closes its side; whether there ever was a desktop.

    One that cannot be had is told on stderr and in the instructions, and each call tries again. One that takes long
    to start does so while the client is answered: what a client asks first, some await for two seconds only.
    """
    reaches = Reaches(chosen.place, _hello)
    starting = asyncio.create_task(_about(chosen, reaches))
    try:
        build_server = await asyncio.to_thread(_server_builder)
        server = build_server(await _in_time(starting), reaches, switches)
        wire.restore()  # the server claims it in the next breath, and keeps it from everybody else
        await server.run_stdio_async()
        return reaches.reached
    finally:
        await _ended(starting)
        await reaches.close()
        await chosen.close()


def _server_builder() -> Callable[..., DeskServer]:
    from deskhand.mcp_server.server import build_server  # noqa: PLC0415 - the SDK takes half a second to import

    return build_server


async def _in_time(starting: asyncio.Task[str]) -> str:
    await asyncio.wait({starting}, timeout=STARTING_SECONDS)
    if starting.done():
        return starting.result()
    starting.add_done_callback(_failure_told)
    return "The desktop is still being started; the first call waits for it."


def _failure_told(starting: asyncio.Task[str]) -> None:
    """What failed with an error of ours was told by itself; nobody awaits this task for any other."""
    if not starting.cancelled() and (error := starting.exception()) is not None:
        log.error("starting the desktop failed; each call tries again", exc_info=error)


async def _ended(starting: asyncio.Task[str]) -> None:
    """A client that left while its desktop started: what is there of it is known then, and can be ended."""
    await asyncio.wait({starting}, timeout=ENDING_SECONDS)
    starting.cancel()


async def serve_over_http(chosen: Chosen, port: int, token_file: Path | None, switches: Switches) -> bool:
    """Serve any number of clients that have the token, until interrupted; whether there ever was a desktop."""
    from deskhand.mcp_server import http  # noqa: PLC0415 - the SDK takes half a second to import
    from deskhand.mcp_server.server import build_server  # noqa: PLC0415

    path = token_file or http.token_file(os.environ)
    token, listener = http.token_in(path), http.listening(port)
    reaches = Reaches(chosen.place, _hello)
    try:
        server = build_server(await _about(chosen, reaches), reaches, switches)
        address = f"http://{http.HOST}:{listener.getsockname()[1]}{http.PATH}"
        print(f"serving {address}; its bearer token is in {path}", file=sys.stderr, flush=True)
        await http.serve_http(server, listener, token)
        return reaches.reached
    finally:
        listener.close()
        await reaches.close()
        await chosen.close()


def _hello() -> Hello:
    name = f"deskhand mcp {os.getpid()}"
    return Hello(client=name, session=f"{name}-{secrets.token_hex(8)}")


async def _about(chosen: Chosen, reaches: Reaches) -> str:
    try:
        about = await chosen.about()
        await reaches.desktop()
    except DeskhandError as error:
        print(as_called(str(error)), file=sys.stderr)
        return as_called(
            f"No desktop can be driven now: {error}. To find out why: deskhand doctor. Each call tries again."
        )
    return about
