"""D-Bus method calls as bytes, for the few types that questions to applications have.

Source: D-Bus Specification 0.43, "Message Format". The serial stands between the two parts that are returned, so that a
call can be made before it is known when it is sent.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from dbus_fast import Variant

from deskhand.types.errors import DeskhandError

_CALL, _NO_REPLY, _PROTOCOL = 1, 1, 1
_NUMBERS, _NAMES = frozenset({"", "i", "ii", "u"}), frozenset({"s", "ss"})
_PROPERTIES = "org.freedesktop.DBus.Properties"
_PATH, _INTERFACE, _MEMBER, _DESTINATION, _SIGNATURE = 1, 2, 3, 6, 8


def method_call(  # noqa: PLR0917 - a call has as many parts
    destination: str,
    path: str,
    interface: str,
    member: str,
    signature: str,
    body: Sequence[Any],
    *,
    silent: bool = False,
) -> tuple[bytes, bytes]:
    """What stands before the serial, and what after it. Raises ``ValueError`` for a type that is not known here,
    ``unsendable_text`` for what is no D-Bus string.
    """
    if not silent and (signature in _NUMBERS or (interface == _PROPERTIES and signature in _NAMES)):
        return _asked_often(destination, path, interface, member, signature, tuple(body))
    return _marshalled(destination, path, interface, member, signature, body, silent)


@lru_cache(maxsize=16384)
def _asked_often(  # noqa: PLR0917
    destination: str, path: str, interface: str, member: str, signature: str, body: tuple[Any, ...]
) -> tuple[bytes, bytes]:
    """What reads ask again and again, all of it small."""
    return _marshalled(destination, path, interface, member, signature, body)


def _marshalled(  # noqa: PLR0917
    destination: str, path: str, interface: str, member: str, signature: str, body: Sequence[Any], silent: bool = False
) -> tuple[bytes, bytes]:
    out = bytearray()
    for kind, value in zip(signature, body, strict=True):
        _append(out, kind, value)
    head = struct.pack("<BBBBI", ord("l"), _CALL, _NO_REPLY if silent else 0, _PROTOCOL, len(out))
    return head, _fields(destination, path, interface, member, signature) + out


def _fields(destination: str, path: str, interface: str, member: str, signature: str) -> bytes:
    """The array of header fields with its length, padded to where the body begins. It starts at offset 12 of 16."""
    out = bytearray()
    for code, kind, value in (
        (_PATH, "o", path), (_INTERFACE, "s", interface), (_MEMBER, "s", member), (_DESTINATION, "s", destination),
        (_SIGNATURE, "g", signature),
    ):  # fmt: skip
        if value:
            _pad(out, 8)
            out += bytes((code, 1, ord(kind), 0))
            _append(out, kind, value)
    length = struct.pack("<I", len(out))
    _pad(out, 8)
    return length + bytes(out)


def _append(out: bytearray, kind: str, value: Any) -> None:
    if kind in "so":
        data = _text(str(value))
        _pad(out, 4)
        out += struct.pack("<I", len(data)) + data + b"\0"
    elif kind == "g":
        out += bytes((len(value),)) + str(value).encode() + b"\0"
    elif kind in "iu":
        _pad(out, 4)
        out += struct.pack("<i" if kind == "i" else "<I", value)
    elif kind == "b":
        _pad(out, 4)
        out += struct.pack("<I", bool(value))
    elif kind == "d":
        _pad(out, 8)
        out += struct.pack("<d", value)
    elif kind == "v" and isinstance(value, Variant) and len(value.signature) == 1:
        _append(out, "g", value.signature)
        _append(out, value.signature, value.value)
    else:
        raise ValueError(f"D-Bus type {kind!r} cannot be sent")


def _text(value: str) -> bytes:
    """A bus hangs up on whoever sends it what is no D-Bus string."""
    try:
        data = value.encode()
    except UnicodeEncodeError as error:
        raise DeskhandError("unsendable_text", "lone surrogates are no text; take them out") from error
    if b"\0" in data:
        raise DeskhandError("unsendable_text", "a text with U+0000 cannot be sent; take it out")
    return data


def _pad(out: bytearray, size: int) -> None:
    out += b"\0" * (-len(out) % size)
