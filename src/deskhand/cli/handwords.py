"""Actions of ``input`` as a person types them: ``click 10,20 count=2``, ``key ctrl+s``, ``type two words``; JSON."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from deskhand.desktop.semantics.quoting import quote
from deskhand.types.errors import DeskhandError

_PAIR = re.compile(r"-?\d+,-?\d+")
_FIELD = re.compile(r"(button|count|mods|seconds)=(.+)", re.DOTALL)
_TAKES: Mapping[str, str] = {"key": "keys", "wait": "seconds", "down": "keys", "up": "keys"}


def read_actions(arguments: Sequence[str]) -> list[dict[str, Any]]:
    """The actions that arguments mean, one each. Raises ``invalid_request`` that says what to write instead."""
    return [action for text in arguments for action in _read(text)]


def _read(text: str) -> list[dict[str, Any]]:
    if text.lstrip()[:1] not in ("{", "["):
        return [_said(text)]
    try:
        data = json.loads(text)
    except ValueError as error:
        raise DeskhandError("invalid_request", f"this is not JSON: {error}") from error
    return data if isinstance(data, list) else [data]


def _text(said: str) -> str:
    """As it stands; one pair of quotes around all of it keeps the blanks at its ends."""
    if len(said) > 1 and said[0] == said[-1] and said[0] in "\"'" and said[0] not in said[1:-1]:
        return said[1:-1]
    return said


def _said(text: str) -> dict[str, Any]:
    if text.split(None, 1)[:1] == ["type"]:
        return {"do": "type", "text": _text(text.strip()[len("type") :].strip())}
    try:
        verb, *words = shlex.split(text) or [""]
    except ValueError as error:
        raise DeskhandError("invalid_request", f"{quote(text)}: {error}") from error
    action: dict[str, Any] = {"do": verb}
    fields = [found for word in words if (found := _FIELD.fullmatch(word))]
    action |= {found[1]: _number(found[2]) for found in fields}
    _place(action, [word for word in words if not _FIELD.fullmatch(word)])
    return action


def _number(text: str) -> Any:
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


def _place(action: dict[str, Any], words: Sequence[str]) -> None:
    pairs = [tuple(int(part) for part in word.split(",")) for word in words if _PAIR.fullmatch(word)]
    rest = [word for word in words if not _PAIR.fullmatch(word)]
    if action["do"] == "drag":
        action["path"] = pairs
    elif pairs:
        action["at"] = pairs[0]
    if action["do"] == "scroll" and len(pairs) == 2:
        action["notches"] = pairs[1]
    if rest and action["do"] in _TAKES:
        action[_TAKES[action["do"]]] = _number(rest[0]) if action["do"] == "wait" else " ".join(rest)
    elif rest:
        raise DeskhandError("invalid_request", f"{quote(' '.join(rest))}: write places as X,Y and fields as name=value")
