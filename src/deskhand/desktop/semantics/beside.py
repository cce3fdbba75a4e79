"""Nameless fields named by the label that stands beside them, where the toolkit does not say what labels what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node

if TYPE_CHECKING:
    from deskhand.desktop.semantics.outline import Item

_FIELDS = frozenset({"textbox", "combobox", "spinbutton", "slider", "listbox"})
_NEAR = 40
"""Pixels between a label's end and its field at the most."""


def name_fields(items: list[Item], nodes: Mapping[str, Node], bind: Callable[[Node, str], str]) -> list[Item]:
    """The items of one container, nameless fields called by the labels before them, and those labels folded away.

    A label ends with a colon and ends on the field's line, shortly before it. ``bind`` is told each name given.
    """
    labels = {item.key: nodes[item.key].bounds for item in items if _is_label(item)}
    given: dict[str, str] = {}  # key of a field: key of its label
    for item in items:
        if item.role in _FIELDS and item.ref and not item.name and item.bounds:
            free = {key: box for key, box in labels.items() if box and key not in given.values()}
            gaps = {key: item.bounds.x - (box.x + box.w) for key, box in free.items() if _leads(box, item.bounds)}
            if gaps:
                given[item.key] = min(gaps, key=lambda key: gaps[key])
    names = {item.key: item.name.rstrip(": ") for item in items if item.key in given.values()}
    for field in given:
        bind(nodes[field], names[given[field]])
    return [
        replace(item, name=names[given[item.key]], hint="") if item.key in given else item
        for item in items
        if item.key not in names
    ]


def _is_label(item: Item) -> bool:
    return item.ref is None and item.role == "" and item.name.endswith(":") and item.name != ":"


def _leads(label: Rect, field: Rect) -> bool:
    gap = field.x - (label.x + label.w)
    return -2 <= gap <= _NEAR and field.y <= label.centre.y <= field.y + field.h
