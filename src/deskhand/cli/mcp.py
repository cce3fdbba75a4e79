"""``deskhand mcp``: the MCP server over stdio."""

from __future__ import annotations

import asyncio
import os
import secrets
from typing import Annotated

import typer

from deskhand.cli.configuration import load_settings
from deskhand.cli.output import told
from deskhand.daemon.keeping import Reach
from deskhand.daemon.protocol import Hello
from deskhand.daemon.reaching import Chosen, choice
from deskhand.mcp_server.purity import Wire, diverted
from deskhand.types.errors import DeskhandError


def mcp(
    desktop: Annotated[
        str | None,
        typer.Option(help="here, new, or an isolated desktop's name. Default: here if there is one, else new."),
    ] = None,
    no_skill: Annotated[bool, typer.Option("--no-skill", help="Do not serve the skill.")] = False,
) -> None:
    """Serve a desktop to an MCP client over stdin and stdout."""
    with diverted() as wire, told():
        settings = load_settings(os.environ, {"mcp": {"desktop": desktop, "skill": False if no_skill else None}})
        chosen = Chosen(choice(settings.mcp.desktop, os.environ, otherwise="new"))
        asyncio.run(serve(chosen, wire, skill=settings.mcp.skill))


async def serve(chosen: Chosen, wire: Wire, *, skill: bool) -> None:
    """Serve until the client closes its side. A desktop that cannot be had is told in the instructions."""
    from deskhand.mcp_server.server import build_server  # noqa: PLC0415 - the SDK takes half a second to import

    name = f"deskhand mcp {os.getpid()}"
    reach = Reach(chosen.place, Hello(client=name, session=f"{name}-{secrets.token_hex(8)}"))
    try:
        server = build_server(await _about(chosen, reach), reach, skill=skill)
        wire.restore()  # the server claims it in the next breath, and keeps it from everybody else
        await server.run_stdio_async()
    finally:
        await reach.close()
        await chosen.close()


async def _about(chosen: Chosen, reach: Reach) -> str:
    try:
        about = await chosen.about()
        await reach.desktop()
    except DeskhandError as error:
        return f"No desktop can be driven now: {error}. To find out why: deskhand doctor. Each call tries again."
    return about
