"""What the records say of how a desktop was used: channels, batches, refusals, and what follows an error."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

CHANNELS: Mapping[str, str] = {
    "apps": "tree", "observe": "tree", "find": "tree", "act": "tree", "point": "tree",
    "open": "apis", "screenshot": "pixels", "zoom": "pixels", "input": "pixels",
}  # fmt: skip
"""The channel that each operation belongs to, in the words of ``deskhand mcp --channels``."""
_BATCHED: Mapping[str, str] = {"act": "steps", "input": "actions"}
"""Operations that take several things to do, and what they call them."""


@dataclass
class _Open:
    """A call that has not ended yet."""

    operation: str
    request: Any
    at: float
    number: Any = None  # among all calls of its owner


@dataclass
class _Trail:
    """What one client does: its call in flight, and the error that it has just met."""

    calls: list[_Open] = field(default_factory=list)
    failed: tuple[str, _Open] | None = None


@dataclass
class Statistics:
    """Counts over one or more records. ``seconds``: durations of calls by operation."""

    calls: Counter[str] = field(default_factory=Counter)
    clients: Counter[str] = field(default_factory=Counter)
    routes: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)  # nothing was sent
    failures: Counter[str] = field(default_factory=Counter)  # after input was sent, or may have been
    batches: list[int] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    followers: Counter[tuple[str, str]] = field(default_factory=Counter)
    unreadable: int = 0

    @property
    def channels(self) -> Counter[str]:
        """Calls by channel."""
        found: Counter[str] = Counter()
        for operation, count in self.calls.items():
            found[CHANNELS.get(operation, "other")] += count
        return found

    def typed(self) -> dict[str, Any]:
        """All of it for programs."""
        total = self.calls.total() or 1
        return {
            "calls": dict(self.calls), "clients": dict(self.clients), "channels": dict(self.channels),
            "routes": dict(self.routes), "effects": dict(self.verdicts), "batches": _spread(self.batches),
            "refusals_per_1000_calls": {code: round(1000 * n / total, 1) for code, n in self.refusals.items()},
            "failures_per_1000_calls": {code: round(1000 * n / total, 1) for code, n in self.failures.items()},
            "after_an_error": [
                {"error": code, "next": what, "count": count} for (code, what), count in self.followers.most_common()
            ],
            "seconds": {name: _spread(found) for name, found in self.seconds.items()}, "unreadable": self.unreadable,
        }  # fmt: skip


def _spread(found: list[int] | list[float]) -> dict[str, float]:
    if not found:
        return {}
    whole = [float(each) for each in found]
    return {
        "count": len(whole), "median": round(statistics.median(whole), 3), "mean": round(statistics.fmean(whole), 3),
        "largest": round(max(whole), 3),
    }  # fmt: skip


def count(records: Iterable[Iterable[Mapping[str, Any]]]) -> Statistics:
    """Count over several desktops' records, each oldest first."""
    found = Statistics()
    for record in records:
        trails: dict[str, _Trail] = {}
        for event in record:
            _take(found, trails.setdefault(str(event.get("client", "")), _Trail()), event)
        for trail in trails.values():
            if trail.failed is not None:
                found.followers[(trail.failed[0], "nothing more")] += 1
    return found


def _take(found: Statistics, trail: _Trail, event: Mapping[str, Any]) -> None:
    match event.get("event"):
        case "call":
            _called(found, trail, event)
        case "result" | "error":
            _ended(found, trail, event)
        case "stopped":
            _failed(found, trail, event)
        case "input":
            found.routes[str(event.get("route", ""))] += 1
        case "effect":
            found.verdicts[str(event.get("effect", {}).get("verdict", ""))] += 1
        case "unreadable":
            found.unreadable += 1


def _called(found: Statistics, trail: _Trail, event: Mapping[str, Any]) -> None:
    call = _Open(str(event.get("operation")), event.get("request"), float(event.get("at", 0.0)), event.get("call"))
    found.calls[call.operation] += 1
    found.clients[str(event.get("client", ""))] += 1
    if call.operation in _BATCHED and isinstance(call.request, Mapping):
        found.batches.append(len(call.request.get(_BATCHED[call.operation], ())))
    if trail.failed is not None:
        code, earlier = trail.failed
        found.followers[(code, _follows(earlier, call))] += 1
        trail.failed = None
    trail.calls.append(call)


def _follows(earlier: _Open, call: _Open) -> str:
    """The same call again is what a caller should hardly ever do after an error."""
    if call.operation != earlier.operation:
        return call.operation
    same = _asked(call.request) == _asked(earlier.request)
    return f"the same {call.operation} again" if same else f"another {call.operation}"


def _asked(request: Any) -> Any:
    """What was asked for, whatever time was left for it and whoever had agreed."""
    if not isinstance(request, Mapping):
        return request
    return {name: value for name, value in request.items() if name not in ("timeout", "consent")}


def _ended(found: Statistics, trail: _Trail, event: Mapping[str, Any]) -> None:
    operation = str(event.get("operation"))
    call = _call_of(trail, event, operation)
    if call is None:
        return  # it began before the record did
    trail.calls.remove(call)
    found.seconds.setdefault(operation, []).append(max(0.0, float(event.get("at", 0.0)) - call.at))
    if event.get("event") == "error":
        _fail(found, trail, event, call)


def _failed(found: Statistics, trail: _Trail, event: Mapping[str, Any]) -> None:
    """A batch that stopped is a result with a failure in it."""
    call = _call_of(trail, event)
    if call is not None:
        _fail(found, trail, event, call)


def _call_of(trail: _Trail, event: Mapping[str, Any], operation: str = "") -> _Open | None:
    """The call in flight that an event belongs to: by the call's number, where the record has it."""
    number = event.get("call")
    numbered = [call for call in trail.calls if number is not None and call.number == number]
    named = [call for call in trail.calls if call.number is None and operation in ("", call.operation)]
    return next(iter([*reversed(numbered), *reversed(named)]), None)


def _fail(found: Statistics, trail: _Trail, event: Mapping[str, Any], call: _Open) -> None:
    failure = event.get("failure", {})
    code = str(failure.get("code", "unknown"))
    (found.refusals if failure.get("sent", "no") == "no" else found.failures)[code] += 1
    trail.failed = (code, call)
