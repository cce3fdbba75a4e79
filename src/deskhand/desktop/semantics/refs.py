"""Refs: short names for elements and windows, never reused, never moved to another element."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Node
from deskhand.types.protocols import Counters

_REF = re.compile(r"[rw][1-9]\d*")


MOST = 50_000
"""Elements remembered before those are forgotten that are gone and were never told; ids count on all the same."""
TOLD_MOST = 50_000
"""Told elements remembered of windows that have closed: the latest ones."""


@dataclass(frozen=True, slots=True)
class Told:
    """An element as it was seen, or told to the caller: the belief that the guard holds against the live state."""

    ref: str
    key: str
    window: str
    role: str
    name: str
    native_name: str


class RefTable:
    """Refs of one desktop. Elements by platform key, windows by platform key; both directions."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._refs: dict[str, str] = {}
        self._seen: dict[str, Told] = {}
        self._told: dict[str, Told] = {}
        self._windows: dict[str, str] = {}
        self._window_keys: dict[str, str] = {}
        self._closed: dict[str, str] = {}
        self._crowded = MOST

    def bind(self, node: Node, window: str, name: str | None = None) -> str:
        """The element's ref, a new one at its first sight; ``name`` is the name that a caller would be told.

        What a caller believes changes by ``publish`` alone: deskhand's own reads must not let a changed element pass.
        """
        ref = self._refs.get(node.key)
        if ref is None:
            ref = self._refs[node.key] = f"r{self._counters.next('r')}"
        self._seen[ref] = Told(ref, node.key, window, node.role, node.name if name is None else name, node.name)
        return ref

    def publish(self, refs: Iterable[str]) -> None:
        """These have been told to the caller as they were last seen."""
        for ref in refs:
            if ref in self._seen:
                self._told[ref] = self._seen[ref]

    @property
    def crowded(self) -> bool:
        """Whether it is time to forget what is gone."""
        return len(self._seen) > self._crowded

    def forget(self, there: Set[str]) -> None:
        """Forget elements that are not ``there`` (keys of what the latest reads saw).

        What was told is kept, so that it is refused for what it is; of closed windows the latest ``TOLD_MOST``. No id
        is ever given out again: they are counted, not looked up.
        """
        closed = [ref for ref, told in self._told.items() if told.window not in self._windows]
        for ref in closed[: max(0, len(closed) - TOLD_MOST)]:
            del self._told[ref]
        gone = [ref for ref, seen in self._seen.items() if seen.key not in there and ref not in self._told]
        for ref in gone:
            key = self._seen.pop(ref).key
            if self._refs.get(key) == ref:
                del self._refs[key]
        self._crowded = max(MOST, 2 * len(self._seen))

    def rebind(self, old: str, new: str) -> None:
        """Let a ref follow its element to the object that its toolkit made anew. Only for a proven, unique match."""
        ref = self._refs.pop(old)
        self._refs[new] = ref
        for known in (self._seen, self._told):
            if ref in known:
                known[ref] = replace(known[ref], key=new)

    def bind_window(self, key: str) -> str:
        """The window's ref, a new one at its first sight."""
        ref = self._windows.get(key)
        if ref is None:
            ref = self._windows[key] = f"w{self._counters.next('w')}"
            self._window_keys[ref] = key
        return ref

    def retire_windows(self, alive: set[str]) -> None:
        """Forget windows that are gone: the system may give their id to another window."""
        for key in [key for key in self._windows if key not in alive]:
            self._closed[key] = self._windows.pop(key)

    def require_window(self, ref: str) -> None:
        """Raises ``unknown_ref`` for a window ref that was never given out."""
        if ref not in self._window_keys:
            raise self._unknown(ref)

    def window_ref(self, key: str) -> str:
        """The ref that an open or lately closed window has or had."""
        return self._windows.get(key) or self._closed.get(key) or self.bind_window(key)

    def known(self, key: str) -> str | None:
        """The ref that an element already has."""
        return self._refs.get(key)

    def told(self, ref: str) -> Told:
        """What the caller was last told of a ref; what was seen where that is nothing. Raises ``unknown_ref``."""
        return self._told.get(ref) or self.seen(ref)

    def seen(self, ref: str) -> Told:
        """What was last seen of a ref. Raises ``unknown_ref``."""
        found = self._seen.get(ref)
        if found is None:
            raise self._unknown(ref)
        return found

    def window_key(self, ref: str) -> str:
        """The platform key of a window ref. Raises ``unknown_ref``, or ``window_gone`` for one that has closed."""
        key = self._window_keys.get(ref)
        if key is None:
            raise self._unknown(ref)
        if self._windows.get(key) != ref:
            raise DeskhandError(
                "window_gone", f"window {ref} has closed; call apps for those that are open", target=ref
            )
        return key

    def _unknown(self, ref: str) -> DeskhandError:
        issued = bool(_REF.fullmatch(ref)) and int(ref[1:]) <= self._counters.issued(ref[0])
        why = (
            "is not known any more, or from before this desktop's owner restarted" if issued else "was never given out"
        )
        return DeskhandError("unknown_ref", f"{ref} {why}; observe or find again", target=ref)


def is_element_ref(target: str) -> bool:
    """Whether it looks like ``r12`` or ``r12[…]``."""
    return bool(re.fullmatch(r"r[1-9]\d*(\[[^\]]*\])?", target))


def is_window_ref(target: str) -> bool:
    """Whether it looks like ``w3``."""
    return bool(re.fullmatch(r"w[1-9]\d*", target))
