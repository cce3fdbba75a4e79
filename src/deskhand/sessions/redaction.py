"""What must not reach the record: what stands in, or goes into, a field that is protected.

A request comes in before its targets are resolved, so the values in it are held back whole; the event of each step,
which carries the resolved element, tells the value unless the element is protected or not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Flag
from typing import Any

from pydantic import BaseModel

from deskhand.types.nodes import Node, State

WITHHELD = "[withheld]"
LATER = "[told by the step's own event]"
_SHORTEST = 4  # characters; masking shorter secrets everywhere would blacken the record
_SECRETS = 64  # how many secrets are remembered, in memory only
_VALUES = frozenset(
    {"value", "keys", "before", "after", "text", "awaited", "is", "contains", "found", "expected", "note"}
)
_CARRIERS = frozenset({"set", "append", "type", "key", "clipboard"})


class Redactor:
    """Turns event data into plain JSON values without secrets; remembers secrets to mask them elsewhere."""

    def __init__(self) -> None:
        self._secrets: list[str] = []

    def clean(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The event's data, redacted."""
        known = "element" in data
        element = data.get("element")
        secret = is_secret(element) or (known and element is None and _typed_blind(data))
        plain = {key: _plain(value) for key, value in data.items()}
        if secret:
            self._remember(plain)
            plain = {key: _without_values(value, key) for key, value in plain.items()}
        elif not known:
            plain = {key: _held_back(value) for key, value in plain.items()}
        return {key: self._masked(value) for key, value in plain.items()}

    def _remember(self, value: Any, key: str = "") -> None:
        if isinstance(value, Mapping):
            for name, part in value.items():
                self._remember(part, name)
        elif isinstance(value, list):
            for part in value:
                self._remember(part, key)
        elif key in ("value", "is") and len(str(value)) >= _SHORTEST and str(value) not in self._secrets:
            self._secrets = [*self._secrets[1 - _SECRETS :], str(value)]

    def _masked(self, value: Any) -> Any:
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, WITHHELD)
            return value
        if isinstance(value, Mapping):
            return {key: self._masked(part) for key, part in value.items()}
        return [self._masked(part) for part in value] if isinstance(value, list) else value


def is_secret(element: object) -> bool:
    """Whether the event is about a protected element."""
    if isinstance(element, Node):
        return element.has(State.PROTECTED)
    if isinstance(element, Mapping):
        return "PROTECTED" in str(element.get("states", "")).upper()
    return False


def _typed_blind(data: Mapping[str, Any]) -> bool:
    """Whether text goes where it is not known what has the focus: it may be a password field."""
    step = data.get("step")
    verb = step.get("do") if isinstance(step, Mapping) else getattr(step, "do", None)
    return verb in ("type", "key")


def _without_values(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_values(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_values(part, key) for part in value]
    return WITHHELD if key in _VALUES and value not in (None, "") else value


def _held_back(value: Any) -> Any:
    """The steps of a request without what they carry."""
    if isinstance(value, list):
        return [_held_back(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    if value.get("do") in _CARRIERS:
        return {key: LATER if key in ("value", "keys", "expect") else part for key, part in value.items()}
    return {key: _held_back(part) for key, part in value.items()}


def _plain(value: Any) -> Any:
    """Anything as JSON values; what has no other form as its ``repr``."""
    if value is None or isinstance(value, str | int | float | bool):
        return value.name if isinstance(value, Flag) else value
    if isinstance(value, Node):  # its text is content, which the record does not collect
        return {"key": value.key, "role": value.role, "name": value.name, "states": value.states.name or ""}
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, Flag):
        return value.name or ""
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes):
        return [_plain(part) for part in value]
    return f"{len(value)} bytes" if isinstance(value, bytes) else repr(value)
