"""Long text by pages: whole characters, as many as the budget holds, and what is left above and below told."""

from __future__ import annotations

import unicodedata

from deskhand.desktop.finding import view_of
from deskhand.desktop.semantics.budget import outside
from deskhand.desktop.semantics.projection import Projection, header
from deskhand.desktop.semantics.quoting import quote, tokens
from deskhand.desktop.targets import Resolved
from deskhand.desktop.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import TEXT_HEAD, Ability, Node, State
from deskhand.types.requests import ObserveRequest
from deskhand.types.results import View

_AHEAD = 8
"""Characters that are read for each token of the budget; no text says more with one."""
_AROUND = 45
"""Tokens kept for what stands around the text."""
_JOINER = "\u200d"


def long_text(node: Node, request: ObserveRequest) -> bool:
    """Whether all of its text is asked for, and a view cannot hold it."""
    return "text" in request.detail and node.text_length > TEXT_HEAD and not node.has(State.PROTECTED)


async def text_page(world: World, request: ObserveRequest, target: Resolved) -> View:
    """Characters ``from`` to ``to`` of an element's text, or as many of them as the budget holds."""
    node = target.node
    _require_text(target)
    whole, first = node.text_length, request.first or 0
    if first > whole:
        message = f"{target.words} has {whole} characters; ask from 0 to {whole}"
        raise DeskhandError("invalid_request", message, target=target.ref)
    snapshot = await world.subtree(target.window, target.ref.partition("[")[0])
    head = header(snapshot, 1, [])
    room = request.budget - tokens(head) - tokens(outside(target.words)) - _AROUND
    last = min(whole, first + max(room, 1) * _AHEAD, whole if request.last is None else max(first, request.last))
    text = await world.platform.text(node.key, first, min(whole, last + 2))
    text = text[: _fitting(text, last - first, room)]
    last = first + len(text)
    line = f"{target.words} text {first}..{last} of {whole}: {quote(text)}"
    world.refs.publish([target.ref])
    lines = [head, line, *_way_on(target, first, last)]
    return view_of(snapshot, Projection("\n".join(lines), frozenset({target.ref}), last < whole))


def _require_text(target: Resolved) -> None:
    node = target.node
    if node.has(State.PROTECTED):
        raise DeskhandError("unsupported_action", f"{target.words} holds a secret: it is not read", target=target.ref)
    if node.text is None or not node.can(Ability.TEXT):
        raise DeskhandError("unsupported_action", f"{target.words} has no text to page through", target=target.ref)


def _way_on(target: Resolved, first: int, last: int) -> list[str]:
    """What is left, and the call that goes on."""
    left = target.node.text_length - last
    if not first and left <= 0:
        return []
    go_on = f"; go on: observe {target.ref}, detail text, from {last}" if left > 0 else ""
    return [f"… {first} above, {max(0, left)} below{go_on}"]


def _fitting(text: str, most: int, room: int) -> int:
    """How many characters fit, at least one; never between a character and what is combined with it."""
    low, high = 1, max(1, min(most, len(text)))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(quote(text[:middle])) <= room else (low, middle - 1)
    end = low
    while 0 < end < len(text) and _continues(text, end):
        end -= 1
    return end or low


def _continues(text: str, at: int) -> bool:
    """Whether the character at an offset belongs to the one before it."""
    char = text[at]
    modifies = unicodedata.category(char) in ("Mn", "Me", "Mc") or "\U0001f3fb" <= char <= "\U0001f3ff"
    return modifies or _JOINER in (char, text[at - 1])
