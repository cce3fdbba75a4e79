"""How much of a window the tree describes, so that a caller knows when to look at pixels instead."""

from __future__ import annotations

from collections.abc import Mapping

from deskhand.types.geometry import Rect
from deskhand.types.nodes import Ability, Node

_POINTS = 24
_OPAQUE = frozenset({"canvas", "generic", "img", "window", "group", "document"})


def coverage(root: str, nodes: Mapping[str, Node], bounds: Rect) -> float:
    """The share (0–1) of a 24×24 raster of the window that lies on a described element.

    A point counts as described unless the deepest element there is the window itself or a childless, nameless,
    textless area: such areas are drawn by the application in a way that the tree does not tell.
    """
    if bounds.empty:
        return 1.0
    rects = [(node, node.visible or node.bounds) for node in nodes.values()]
    described = 0
    for row in range(_POINTS):
        y = bounds.y + (2 * row + 1) * bounds.h // (2 * _POINTS)
        for column in range(_POINTS):
            x = bounds.x + (2 * column + 1) * bounds.w // (2 * _POINTS)
            described += _described(root, rects, x, y)
    return described / (_POINTS * _POINTS)


def _described(root: str, rects: list[tuple[Node, Rect | None]], x: int, y: int) -> bool:
    deepest = next((node for node, rect in reversed(rects) if rect and rect.contains(x, y)), None)
    if deepest is None or (deepest.key == root and not deepest.children):
        return False
    silent = deepest.role in _OPAQUE and not deepest.name and not deepest.text
    return not silent or deepest.child_count > 0 or deepest.can(Ability.VIRTUAL)
