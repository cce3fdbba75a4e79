"""Whose call it is: what one client was allowed is of no use to another (report 37)."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.connection import Connection
from mcp.server.mcpserver import Context
from mcp.server.session import ServerSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.keeping import Reaches

Faced = Context[Reaches, object]
_NAME = "deskhand.session"


async def desktop_of(ctx: Faced) -> RemoteDesktop:
    """The desktop as this call's session reaches it: over HTTP several clients share one server."""
    return await ctx.request_context.lifespan_context.desktop(session_of(ctx), lasts(ctx))


def session_of(ctx: Context[Reaches, Any]) -> str:
    """The session that the call belongs to; it is let go with the client's connection.

    At the other end of a pipe there is one client. Over HTTP it is what the handshake began; without a handshake
    nothing tells one client's requests from another's (headers are the client's own words), so each is a session.
    """
    if ctx.headers is None:
        return ""
    connection = _connection(ctx)
    if _NAME not in connection.state:
        connection.state[_NAME] = secrets.token_hex(16)
        connection.exit_stack.push_async_callback(ctx.request_context.lifespan_context.end, connection.state[_NAME])
    return str(connection.state[_NAME])


def lasts(ctx: Faced) -> bool:
    """Whether the session outlives the call, so that a consent given in between can serve the next."""
    return ctx.headers is None or ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS


def at_end(ctx: Faced, work: Callable[[], Awaitable[None]]) -> None:
    """Do something when the session is over, before its desktop is let go."""
    _connection(ctx).exit_stack.push_async_callback(work)


def _connection(ctx: Context[Reaches, Any]) -> Connection:
    """The SDK's record of whom it serves: made by it for each session, or for each request where there is none."""
    session: ServerSession = ctx.session
    return session._connection  # it has no public name yet
