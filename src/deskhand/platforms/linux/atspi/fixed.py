"""What need not be asked again of an element: what its toolkit never changes while the element lives.

Interfaces follow from an object's class in every toolkit that goes through ATK (libatspi keeps them for good, too);
roles do in GTK and LibreOffice. Everything else is asked on every read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deskhand.types.nodes import Ability

MOST = 60_000
_NOT_YET = frozenset({0, 67})
"""Roles that say nothing. A GTK3 list has one until it gets its rows (measured in Xarchiver), and may announce its own
before the answer to an earlier question has been taken in."""


_ONCE = frozenset({"GetRole", "GetInterfaces"})


@dataclass
class Fixed:
    """Of one application, by key. ``roles`` and ``interfaces``: whether its toolkit never changes them."""

    roles: bool = False
    interfaces: bool = False
    numbers: dict[str, int] = field(default_factory=dict)
    abilities: dict[str, Ability] = field(default_factory=dict)
    mute: set[str] = field(default_factory=set)  # cells and parts of cells that have no text interface
    hidden: set[str] = field(default_factory=set)  # what did not show when last seen: asked for that first

    def learn(self, key: str, number: int, abilities: Ability) -> None:
        """Remember what is fixed of an element."""
        if len(self.numbers) + len(self.abilities) > MOST:
            self.numbers.clear()
            self.abilities.clear()
        if self.roles and number not in _NOT_YET:
            self.numbers[key] = number
        if self.interfaces:
            self.abilities[key] = abilities

    def silent(self, key: str) -> None:
        """It has refused to tell a text."""
        if self.interfaces:
            self.mute = self.mute if len(self.mute) < MOST else set()
            self.mute.add(key)

    def saw(self, shown: set[str], hidden: set[str]) -> None:
        """What a walk has found to show, and what not."""
        self.hidden = ((self.hidden - shown) if len(self.hidden) < MOST else set()) | hidden

    def leaves(self, question: Sequence[Any]) -> bool:
        """Whether a read that comes to this element would ask this of it (bus name, path, interface, member)."""
        member = question[3]
        if member not in _ONCE:
            return True
        key = question[0] + question[1]
        return key not in self.hidden and key not in (self.numbers if member == "GetRole" else self.abilities)

    def forget(self, key: str) -> None:
        """It has announced that it is another thing now."""
        self.numbers.pop(key, None)
        self.abilities.pop(key, None)
