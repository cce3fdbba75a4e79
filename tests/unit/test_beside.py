"""Nameless fields are called by the label that stands before them."""

from __future__ import annotations

from deskhand.desktop.semantics.beside import name_fields
from deskhand.desktop.semantics.outline import Item
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node


def _named(label: str, label_at: Rect, field_at: Rect) -> list[Item]:
    nodes = {"l": Node("l", None, "label", label, bounds=label_at), "f": Node("f", None, "textbox", bounds=field_at)}
    items = [Item("f", "r1", "textbox", bounds=field_at), Item("l", None, "", label)]
    return name_fields(items, nodes, lambda node, name: "r1")


def test_a_label_that_ends_before_a_field_on_its_line_names_it_and_is_not_said_twice() -> None:
    assert [item.name for item in _named("Find:", Rect(0, 5, 40, 20), Rect(50, 0, 100, 34))] == ["Find"]


def test_a_label_far_away_on_another_line_or_without_a_colon_names_nothing() -> None:
    field = Rect(150, 0, 100, 34)
    for label, place in (
        ("Find:", Rect(0, 5, 40, 20)), ("Find:", Rect(100, 60, 40, 20)), ("Found", Rect(100, 5, 40, 20)),
        ("Find:", Rect(260, 5, 40, 20)),
    ):  # fmt: skip
        assert [item.name for item in _named(label, place, field)] == ["", label]
