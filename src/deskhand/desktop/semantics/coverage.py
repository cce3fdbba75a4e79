"""How much of a window the tree describes, so that a caller knows when to look at pixels instead."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from deskhand.types.geometry import Rect
from deskhand.types.nodes import Ability, Node

_POINTS = 24
_OPAQUE = frozenset({"canvas", "generic", "img", "window", "group", "document"})


_WITH_VIEWPORT = frozenset({"textbox", "list", "listbox", "table", "tree"})


def coverage(root: str, nodes: Mapping[str, Node], bounds: Rect) -> float:
    """The share (0–1) of a 24×24 raster of the window that lies on a described element.

    A point counts as described unless the deepest element there is the window itself or a childless, nameless,
    textless area: such areas are drawn by the application in a way that the tree does not tell.
    """
    if bounds.empty:
        return 1.0
    columns = [bounds.x + (2 * n + 1) * bounds.w // (2 * _POINTS) for n in range(_POINTS)]
    rows = [bounds.y + (2 * n + 1) * bounds.h // (2 * _POINTS) for n in range(_POINTS)]
    told = [[False] * _POINTS for _ in rows]
    for node in nodes.values():  # the deeper come later
        if (rect := node.visible or node.bounds) is not None:
            left, right = bisect_left(columns, rect.x), bisect_left(columns, rect.x + rect.w)
            for row in told[bisect_left(rows, rect.y) : bisect_left(rows, rect.y + rect.h)]:
                row[left:right] = [_tells(root, node, nodes)] * max(0, right - left)
    return sum(map(sum, told)) / (_POINTS * _POINTS)


def _tells(root: str, node: Node, nodes: Mapping[str, Node]) -> bool:
    if node.key == root and not node.children:
        return False
    silent = node.role in _OPAQUE and not node.name and not node.text
    above = nodes.get(node.parent or "")
    if node.role == "generic" and above is not None and above.role in _WITH_VIEWPORT:
        return True  # the area that Qt draws their content on
    return not silent or node.child_count > 0 or node.can(Ability.VIRTUAL)
