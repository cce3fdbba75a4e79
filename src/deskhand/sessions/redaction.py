"""What must not reach the record: what stands in, or goes into, a field that is protected.

A request comes in before its targets are resolved, so the values in it are held back whole; the event of each step,
which carries the resolved element, tells the value unless the element is protected or not known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Flag
from typing import Any

from pydantic import BaseModel

from deskhand.desktop.semantics.quoting import SHORT_TEXT, quote_cut
from deskhand.desktop.semantics.secrecy import names_secret, takes_secret
from deskhand.types.nodes import Node

WITHHELD = "[withheld]"
LATER = "[told by the step's own event]"
_SHORTEST = 4  # characters; shorter secrets are masked as whole values only, else they would blacken the record
_LINES = frozenset({"failure", "message", "text"})  # where the gate's lines are said again
_CALLS = 64  # how many calls are remembered
_SECRETS = 64  # how many secrets are remembered, in memory only
_VALUES = frozenset(
    {
        *("value", "keys", "before", "after", "text", "awaited", "is", "contains", "found", "expected", "note"),
        "message",
    }
)
_CLIPBOARD = frozenset({"value", "before", "after", "read"})
_AWAITED = frozenset({"is", "awaited", "contains"})
_CARRIERS = frozenset({"set", "append", "type", "key", "down", "up", "clipboard"})
_CARRIED = ("value", "text", "keys", "expect")


@dataclass
class _Call:
    """What the steps of a request carry, what of it no event has told yet, and which went into something protected."""

    held: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    hidden: set[object] = field(default_factory=set)  # numbers of steps

    def tell(self, values: Iterable[str]) -> None:
        """Values that went to where everybody may see them."""
        for value in values:
            if value in self.untold:
                self.untold.remove(value)


class Redactor:
    """Turns event data into plain JSON values without secrets; remembers secrets to mask them elsewhere."""

    def __init__(self) -> None:
        self._secrets: list[str] = []
        self._calls: dict[object, _Call] = {}  # the latest ones, looks beside a batch among them
        self._targets: set[str] = set()  # what callers called protected elements

    def clean(self, data: Mapping[str, Any], call: object = None) -> dict[str, Any]:
        """The event's data, redacted. ``call``: to which it belongs, where several are under way."""
        plain = {key: _plain(value) for key, value in data.items()}
        state = self._state(call, plain)
        if "element" in data:
            plain = self._told(plain, data["element"], state)
        elif _number(plain) in state.hidden:
            plain = {key: _without_values(value, key) for key, value in plain.items()}
        else:
            plain = {key: self._conditions(_held_back(value), set(state.held)) for key, value in plain.items()}
        plain = {key: _unquoted(value, state.untold) if key in _LINES else value for key, value in plain.items()}
        return {key: self._masked(_without_clipboard(value), key) for key, value in plain.items()}

    def _state(self, call: object, plain: Mapping[str, Any]) -> _Call:
        """What is known of the call that the event belongs to; its request begins it anew."""
        if "request" in plain:
            carried = list(_carried(plain["request"]))
            self._calls.pop(call, None)
            self._calls[call] = _Call(carried, list(carried))
            self._calls = dict(list(self._calls.items())[-_CALLS:])
        return self._calls.setdefault(call, _Call())

    def _told(self, plain: dict[str, Any], element: object, state: _Call) -> dict[str, Any]:
        """An event that knows its element: with its values, unless they are secret."""
        step = plain.get("step")
        step = step if isinstance(step, Mapping) else {}
        if is_secret(element) or (element is None and step.get("do") in ("type", "key")):
            self._remember(plain)  # typed where it is not known what has the focus, it may be a password
            if is_secret(element) and "on" in step:
                self._targets.add(str(step["on"]))
        elif not _copied(step, state.held):
            state.tell(_carried(step))
            others = set(state.held) - set(_carried(step))
            return {key: self._conditions(value, others) for key, value in plain.items()}
        state.hidden.add(_number(plain))
        state.hidden.discard(None)
        return {key: _without_values(value, key) for key, value in plain.items()}

    def _conditions(self, value: Any, held: set[str]) -> Any:
        """Without what is waited for or expected, where that is held back, or stands in a protected element."""
        if isinstance(value, list):
            return [self._conditions(part, held) for part in value]
        if not isinstance(value, Mapping):
            return value
        on = value.get("on")
        protected = str(on) in self._targets or (isinstance(on, Mapping) and is_secret(on))
        return {
            key: WITHHELD if key in _AWAITED and (protected or str(part) in held) else self._conditions(part, held)
            for key, part in value.items()
        }

    def _remember(self, value: Any, key: str = "") -> None:
        if isinstance(value, Mapping):
            for name, part in value.items():
                self._remember(part, name)
        elif isinstance(value, list):
            for part in value:
                self._remember(part, key)
        elif key in ("value", "is") and value not in (None, "") and str(value) not in self._secrets:
            self._secrets = [*self._secrets[1 - _SECRETS :], str(value)]

    def _masked(self, value: Any, key: str) -> Any:
        if isinstance(value, Mapping):
            return {name: self._masked(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [self._masked(part, key) for part in value]
        if isinstance(value, str):
            for secret in self._secrets:
                value = _without(value, secret, key)
            return value
        return WITHHELD if key in _VALUES and _is_number(value) and str(value) in self._secrets else value


def _copied(step: Mapping[str, Any], held: Sequence[str]) -> bool:
    """Whether it puts on the clipboard what another step of the request carries, perhaps into a password field."""
    return step.get("do") == "clipboard" and held.count(str(step.get("value", ""))) > 1


def _unquoted(value: Any, untold: Sequence[str]) -> Any:
    """Without what the gate's lines quote of steps that were not done: nobody knows where it would have gone."""
    if isinstance(value, Mapping):
        return {key: _unquoted(part, untold) if key in _LINES else part for key, part in value.items()}
    if isinstance(value, str):
        for held in untold:
            value = value.replace(quote_cut(held, SHORT_TEXT), json.dumps(WITHHELD))
    return value


def is_secret(element: object) -> bool:
    """Whether the event is about a protected element: by its state, or by its name."""
    if isinstance(element, Node):
        return takes_secret(element)
    if isinstance(element, Mapping):
        named = names_secret(str(element.get("role") or ""), str(element.get("name") or ""))
        return named or "PROTECTED" in str(element.get("states", "")).upper()
    return False


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _without(text: str, secret: str, key: str) -> str:
    """A long secret is masked wherever it stands; a short one where it is the whole value, quoted or not."""
    quoted = json.dumps(secret, ensure_ascii=False)
    if len(secret) >= _SHORTEST:
        for form in (secret, quoted[1:-1], quote_cut(secret, SHORT_TEXT)):  # as it is, in JSON, cut as effects are
            text = text.replace(form, WITHHELD)
        return text
    if key not in _VALUES:
        return text
    return WITHHELD if text == secret else text.replace(quoted, json.dumps(WITHHELD))


def _number(plain: Mapping[str, Any]) -> int | None:
    """The number of the step that the event tells about, but not of one that only begins."""
    effect = plain.get("effect")
    known = "element" in plain or "step" not in plain
    found = effect.get("step") if isinstance(effect, Mapping) else plain.get("index") if known else None
    return found if isinstance(found, int) else None


def _carried(value: Any) -> Iterator[str]:
    """The values that steps carry."""
    if isinstance(value, list):
        for part in value:
            yield from _carried(part)
    elif isinstance(value, Mapping):
        if value.get("do") in _CARRIERS:
            yield from (str(value[name]) for name in ("value", "text") if value.get(name) not in (None, ""))
        for part in value.values():
            yield from _carried(part)


def _without_values(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_values(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_values(part, key) for part in value]
    return WITHHELD if key in _VALUES and value not in (None, "") else value


def _without_clipboard(value: Any) -> Any:
    """Without what was, is, or comes on the clipboard: it is the user's, whoever put it there."""
    if isinstance(value, list):
        return [_without_clipboard(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    plain = {key: _without_clipboard(part) for key, part in value.items()}
    if value.get("do") != "clipboard":
        return plain
    return {key: WITHHELD if key in _CLIPBOARD and part not in (None, "") else part for key, part in plain.items()}


def _held_back(value: Any) -> Any:
    """The steps of a request without what they carry."""
    if isinstance(value, list):
        return [_held_back(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    if value.get("do") in _CARRIERS:
        return {key: LATER if key in _CARRIED else part for key, part in value.items()}
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
