"""Fleeting elements found again: some toolkits make a new object for the same element (field experience: LibreOffice's
sidebar, Qt's item views). Only a match that is unique on both sides keeps its ref; anything else gets a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from deskhand.desktop.semantics.refs import RefTable
from deskhand.types.nodes import Ability, Node

Identity = tuple[tuple[str, str], ...]


def follow(refs: RefTable, before: Mapping[str, Node], after: Mapping[str, Node]) -> None:
    """Move refs of fleeting elements of one window from objects that are gone to their unique successors."""
    gone = _unique({key: n for key, n in before.items() if key not in after and refs.known(key)}, before)
    come = _unique({key: n for key, n in after.items() if key not in before and not refs.known(key)}, after)
    for identity, old in gone.items():
        new = come.get(identity)
        if new is not None:
            refs.rebind(old, new)


def _unique(some: Mapping[str, Node], every: Mapping[str, Node]) -> dict[Identity, str]:
    """Keys of fleeting elements by identity, where no other element of the tree shares it."""
    wanted = {key: _identity(node, every) for key, node in some.items() if node.can(Ability.FLEETING)}
    if not wanted:
        return {}
    counted = Counter(_identity(node, every) for node in every.values())
    return {identity: key for key, identity in wanted.items() if counted[identity] == 1}


def _identity(node: Node, every: Mapping[str, Node]) -> Identity:
    """Roles, names and descriptions from the element up to its window."""
    chain = []
    current: Node | None = node
    while current is not None and current.parent is not None:
        chain.append((current.role, current.name or current.description))
        current = every.get(current.parent)
    return tuple(chain)
