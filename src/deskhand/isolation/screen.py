"""The X server of a desktop, its cookie, and the window manager."""

from __future__ import annotations

import os
import secrets
import select
import socket
import struct
from collections.abc import Mapping
from pathlib import Path

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import DisplayError
from Xlib.protocol.event import ClientMessage

from deskhand.isolation.messages import VIEWS, Wish
from deskhand.isolation.reaper import Reaper
from deskhand.isolation.servers import SPARED, announced, needed, until
from deskhand.types.errors import DeskhandError

FAMILY_LOCAL, FAMILY_WILD = 256, 65535
COOKIE = b"MIT-MAGIC-COOKIE-1"
ANSWER_SECONDS = 0.1


def _field(data: bytes) -> bytes:
    return struct.pack(">H", len(data)) + data


def write_authority(path: Path, cookie: bytes, number: str = "") -> None:
    """Write the X cookie: for any display, and by this machine's name for clients that know no wildcard."""
    entries = [(FAMILY_WILD, b"", b"")]
    if number:
        entries.insert(0, (FAMILY_LOCAL, socket.gethostname().encode(), number.encode()))
    data = b"".join(
        struct.pack(">H", family) + _field(address) + _field(display) + _field(COOKIE) + _field(cookie)
        for family, address, display in entries
    )
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)


async def start_screen(reaper: Reaper, environment: dict[str, str], wish: Wish) -> int:
    """Start the X server on a free display, put ``DISPLAY`` into ``environment``, and return its pid.

    One whose monitors can be arranged starts with the first one of them.
    """
    authority = Path(environment["XAUTHORITY"])
    cookie = secrets.token_bytes(16)
    write_authority(authority, cookie)
    name, server = ("Xvnc", _xvnc) if wish.movable else ("Xvfb", _xvfb)
    common = ["-dpi", "96", "-nolisten", "tcp", "-auth", str(authority), "-noreset", "-displayfd"]
    pid, number = await announced(reaper, name, [*server(environment, wish), *common], environment, score=SPARED)
    write_authority(authority, cookie, number)
    environment["DISPLAY"] = f":{number}"
    return pid


def _xvfb(environment: Mapping[str, str], wish: Wish) -> list[str]:
    width, height = wish.monitors.size
    return [needed("Xvfb", "xvfb", environment), "-screen", "0", f"{width}x{height}x24"]


def _xvnc(environment: Mapping[str, str], wish: Wish) -> list[str]:
    """Nobody gets in by a network: the only door is a socket in the desktop's folder, for this user alone."""
    width, height = wish.monitors.sizes[0]
    return [
        needed("Xvnc", "tigervnc-standalone-server", environment), "-geometry", f"{width}x{height}", "-depth", "24",
        "-rfbport", "-1", "-rfbunixpath", str(Path(wish.folder) / VIEWS), "-rfbunixmode", "0600",
        "-SecurityTypes", "None", "-AcceptSetDesktopSize", "-AlwaysShared", "-desktop", wish.name,
    ]  # fmt: skip


def start_window_manager(reaper: Reaper, environment: Mapping[str, str], folder: Path) -> int:
    """Start openbox with deskhand's own settings; its pid."""
    command = [
        needed("openbox", "openbox", environment),
        "--sm-disable",
        "--config-file",
        str(folder / "config/openbox.xml"),
    ]
    return reaper.start(command, environment, score=SPARED)


async def window_manager_ready(environment: Mapping[str, str]) -> None:
    """Wait until a window manager manages the display."""
    await until(lambda: _managed(environment), "openbox did not become ready")


def opened(environment: Mapping[str, str]) -> Display:
    """A connection to the display. Raises ``desktop_unavailable``."""
    os.environ["XAUTHORITY"] = environment["XAUTHORITY"]  # python-xlib reads the cookie's place from there
    try:
        return Display(environment["DISPLAY"])
    except DisplayError as error:
        raise DeskhandError("desktop_unavailable", f"the display does not answer: {error}") from error


def _managed(environment: Mapping[str, str]) -> bool:
    """Whether it answers: openbox tells that it is there before it is, and may lose a window that is mapped then."""
    display = opened(environment)
    try:
        atom = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
        present = display.screen().root.get_full_property(atom, Xatom.WINDOW) is not None
        return present and _answers(display)
    finally:
        display.close()


def _answers(display: Display) -> bool:
    """Whether the window manager tells, within ``ANSWER_SECONDS``, which frame it would give to a window."""
    root, asked = display.screen().root, display.intern_atom("_NET_REQUEST_FRAME_EXTENTS")
    window = root.create_window(-10, -10, 1, 1, 0, display.screen().root_depth, event_mask=X.PropertyChangeMask)
    question = ClientMessage(window=window, client_type=asked, data=(32, [0] * 5))
    root.send_event(question, X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    display.flush()
    select.select([display.fileno()], [], [], ANSWER_SECONDS)
    return window.get_full_property(display.intern_atom("_NET_FRAME_EXTENTS"), Xatom.CARDINAL) is not None
