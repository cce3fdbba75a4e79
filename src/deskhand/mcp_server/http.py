"""The server over Streamable HTTP: loopback only, a bearer token, and every request bounded (report 40).

Browsers cannot be used against it: a page's requests carry an ``Origin``, and a name that a page has bound to 127.0.0.1
(DNS rebinding) is not a ``Host`` that we answer to.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import secrets
import socket
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from deskhand.mcp_server.server import DeskServer
from deskhand.types.errors import DeskhandError

PATH = "/mcp"
HOST = "127.0.0.1"
BODY_MOST = 1024 * 1024
"""Bytes of a request's body; 64 long steps are far below."""
CONNECTIONS_MOST = 64
SECONDS = 10.0
"""How long a client may take to send its headers, and then its body."""
_NAMES = ("127.0.0.1", "localhost", "[::1]")
_TOKEN_LEAST = 16
_BACKLOG = 256


class Guard:
    """Lets a request through that comes from this machine, was not sent by a web page, and carries the token."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = {f"{name}:{port}" for name in _NAMES}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on with a body that is bounded in size and time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        try:
            body = await _body(receive)
        except _Refused as refused:
            await refused.response(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        if headers.get("host", "").lower() not in self._hosts:
            return _answer(421, "this server answers to its own loopback address only")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._origins:
            return _answer(403, "requests of web pages are refused")
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self._token):
            return _answer(401, "send the bearer token of this server", {"WWW-Authenticate": "Bearer"})
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > BODY_MOST:
            return _answer(413, f"a request has at most {BODY_MOST} bytes")
        return None


class _Refused(Exception):
    """The body cannot be taken."""

    def __init__(self, response: PlainTextResponse) -> None:
        super().__init__(response.status_code)
        self.response = response


def _answer(status: int, text: str, headers: Mapping[str, str] | None = None) -> PlainTextResponse:
    return PlainTextResponse(text + "\n", status, {"Connection": "close", **(headers or {})})


async def _body(receive: Receive) -> bytes:
    """The whole body. Raises ``_Refused`` for one that is too large, too slow or broken off."""
    body = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise _Refused(_answer(400, "the request was broken off"))
                body += message.get("body", b"")
                if len(body) > BODY_MOST:
                    raise _Refused(_answer(413, f"a request has at most {BODY_MOST} bytes"))
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise _Refused(_answer(408, f"the request did not come within {SECONDS:g} s")) from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read, then what still comes (the end of the connection)."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again


class BoundedProtocol(H11Protocol):
    """Closes a connection on which no whole request head comes in time: uvicorn itself waits for ever."""

    def connection_made(self, transport: Any) -> None:
        """Begin to count."""
        super().connection_made(transport)
        self._patience = self.loop.call_later(SECONDS, self._too_slow)

    def _too_slow(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting."""
        self._patience.cancel()
        super().connection_lost(exc)


def listening(port: int) -> socket.socket:
    """A socket on loopback; port 0 takes a free one. Raises ``desktop_unavailable`` where it is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        message = f"port {port} cannot be listened on: {error.strerror}; choose another with --http"
        raise DeskhandError("desktop_unavailable", message) from error
    return listener


async def serve_http(server: DeskServer, listener: socket.socket, token: str) -> None:
    """Serve until interrupted."""
    app = server.streamable_http_app(
        streamable_http_path=PATH, max_request_body_size=BODY_MOST, max_sessions=CONNECTIONS_MOST
    )
    port = listener.getsockname()[1]
    config = uvicorn.Config(
        Guard(app, token, port), http=BoundedProtocol, ws="none", limit_concurrency=CONNECTIONS_MOST,
        timeout_keep_alive=30, timeout_graceful_shutdown=2, log_level=logging.WARNING, access_log=False,
        server_header=False, h11_max_incomplete_event_size=64 * 1024,
    )  # fmt: skip
    await uvicorn.Server(config).serve([listener])


def token_file(environment: Mapping[str, str]) -> Path:
    """Where the token of this user's servers is kept."""
    state = environment.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path(environment.get("HOME", "/")) / ".local" / "state"
    return base / "deskhand" / "mcp-token"


def token_in(path: Path) -> str:
    """The token in a file that only its user can read; made where there is none yet.

    Raises:
        DeskhandError: ``invalid_request`` for a file that others can read or that holds no token.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise DeskhandError("invalid_request", f"{path} cannot be written: {error.strerror}") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        token = secrets.token_urlsafe(32)
        file.write(token + "\n")
    return token


def _read(path: Path) -> str:
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise DeskhandError("invalid_request", f"others can read {path}; run: chmod 600 {path}")
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise DeskhandError("invalid_request", f"{path} cannot be read: {error}") from error
    if len(token) < _TOKEN_LEAST:
        raise DeskhandError("invalid_request", f"{path} holds no token of {_TOKEN_LEAST} characters; remove it")
    return token
