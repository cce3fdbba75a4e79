"""Frames on the owner's socket: four bytes of length, big endian, then that many bytes of JSON."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel

from deskhand.types.errors import DeskhandError

MAX_FRAME = 32 * 1024 * 1024
"""Bytes. The largest honest frame is a picture of several screens in base64."""
_HEAD = 4


def packed(message: BaseModel) -> bytes:
    """A message as one frame.

    Raises:
        DeskhandError: ``invalid_request`` when it is larger than ``MAX_FRAME``.
    """
    body = message.model_dump_json(by_alias=True).encode()
    if len(body) > MAX_FRAME:
        raise DeskhandError("invalid_request", f"a message of {len(body)} bytes is too large; ask for less at once")
    return len(body).to_bytes(_HEAD, "big") + body


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """The next frame's body; None when the other side has closed, cleanly or in the middle of a frame.

    Raises:
        DeskhandError: ``invalid_request`` for a frame announced larger than ``MAX_FRAME`` (nothing of it is read).
    """
    try:
        size = int.from_bytes(await reader.readexactly(_HEAD), "big")
        if size > MAX_FRAME:
            raise DeskhandError("invalid_request", f"a frame of {size} bytes was announced; {MAX_FRAME} is the most")
        return await reader.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
