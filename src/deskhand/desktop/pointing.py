"""point: what lies under a pixel, what holds it, and what lies near it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from deskhand.desktop.finding import info
from deskhand.desktop.semantics import roles
from deskhand.desktop.semantics.diff import quote_empty
from deskhand.desktop.semantics.lines import Limits, address, say
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.projection import POOR_COVERAGE
from deskhand.desktop.semantics.quoting import cell as cell_words
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Grid, Node, Window
from deskhand.types.requests import PointRequest
from deskhand.types.results import ElementInfo, PointResult

NEAR_MOST = 6
"""Neighbours that are told."""
NEAR_WITHIN = 300
"""Pixels from the point within which an element is near."""
_CLIMB_MOST = 80


@dataclass(frozen=True, slots=True)
class Under:
    """What lies under the point: an item of the outline, or a cell of its table; ``chain`` goes up from it.

    ``key``: the element itself, which may be folded into the item.
    """

    item: Item | None = None
    cell: Node | None = None
    place: tuple[int, int] = (0, 0)
    chain: tuple[str, ...] = ()
    key: str | None = None

    @property
    def ref(self) -> str:
        """Of the item, or of the cell: ``r70[3,2]``."""
        if self.item is None or not self.item.ref:
            return ""
        grid = self.item.grid if self.cell is not None else None
        return f"{self.item.ref}[{address(grid, self.place)}]" if grid is not None else self.item.ref


async def point(world: World, request: PointRequest) -> PointResult:
    """The element under root pixels or under the pointer. Raises ``app_unresponsive`` where its window hangs."""
    at = await world.platform.pointer() if request.cursor else Point(request.x or 0, request.y or 0)
    found = await world.windows()
    top = await world.platform.window_at(*at)
    surface = next((window for window in found if window.key == top), None)
    window = holder(surface, found) if surface is not None else None
    if window is None:
        return PointResult(text=f"point {at.x},{at.y}: no window is there", x=at.x, y=at.y)
    snapshot = await world.snapshot(window)
    return _result(world, snapshot, at, await under(world, snapshot, at))


def holder(surface: Window, found: list[Window]) -> Window | None:
    """The window itself; for a popup the window that it belongs to."""
    if not surface.popup:
        return surface
    owners = [w for w in found if not w.popup and (w.key == surface.owner or w.pid == surface.pid != 0)]
    owners.sort(key=lambda w: (w.key == surface.owner, w.active, w.stack))
    return owners[-1] if owners else None


async def under(world: World, snapshot: Snapshot, at: Point) -> Under:
    """The deepest thing there that a view says; what is folded away speaks through what it is folded into."""
    key = await world.platform.at_point(*at)
    chain = await _chain(world, snapshot, key) if key is not None else ()
    items = {item.key: item for item in snapshot.flat.values()}
    for number, link in enumerate(chain):
        item = items.get(link)
        if item is None:
            continue
        if item.grid is None:
            return Under(item, chain=chain[number:], key=key)
        place, node = await _cell(world, item.grid, at)
        return Under(item, node, place, chain[number:], key)
    return Under(chain=chain, key=key)


async def _chain(world: World, snapshot: Snapshot, key: str) -> tuple[str, ...]:
    """Keys from an element up to its window; what the snapshot lacks (cells) is asked for."""
    chain: list[str] = []
    current: str | None = key
    while current is not None and current not in chain and len(chain) < _CLIMB_MOST:
        chain.append(current)
        node = snapshot.nodes.get(current) or (await world.platform.refresh([current])).get(current)
        current = node.parent if node is not None else None
    return tuple(chain)


async def _cell(world: World, grid: Grid, at: Point) -> tuple[tuple[int, int], Node | None]:
    """The cell at a point: halved down to it, for each cell that is asked for costs its application memory."""
    row = await _halved(world, grid, at, 0)
    column = await _halved(world, grid, at, 1)
    if row is None or column is None:
        return (0, 0), None
    node = await _at(world, grid, row, column)
    bounds = node.bounds if node is not None else None
    return (row, column), node if bounds is not None and bounds.contains(*at) else None


async def _halved(world: World, grid: Grid, at: Point, axis: int) -> int | None:
    """The last row (axis 0) or column (axis 1) of the view that begins at or before the point."""
    low, high = grid.view[axis], grid.view[axis + 2]
    while high - low > 1:
        middle = (low + high) // 2
        place = (middle, grid.view[1]) if axis == 0 else (grid.view[0], middle)
        node = await _at(world, grid, *place)
        if node is None or node.bounds is None:
            return None
        begins, wanted = (node.bounds.y, at.y) if axis == 0 else (node.bounds.x, at.x)
        low, high = (middle, high) if begins <= wanted else (low, middle)
    return low if high > low else None


async def _at(world: World, grid: Grid, row: int, column: int) -> Node | None:
    try:
        return await world.platform.cell(grid.key, row, column)
    except DeskhandError as error:
        if error.code != "not_found":
            raise
        return None


def _result(world: World, snapshot: Snapshot, at: Point, under: Under) -> PointResult:
    items = {item.key: item for item in snapshot.flat.values()}
    holders = [items[key] for key in reversed(under.chain[1:]) if key in items and items[key].ref]
    holders += [under.item] if under.cell is not None and under.item is not None else []
    near = _near(snapshot.nodes, snapshot.flat.values(), at, {i.id for i in (*holders, under.item) if i is not None})
    told = [*holders, *near, *([under.item] if under.item is not None else [])]
    world.refs.publish(item.ref for item in told if item.ref)
    head = f"point {at.x},{at.y} in {world.window_words(snapshot.window)}"
    return PointResult(
        text=_lines(head, _own_line(snapshot, under), holders, near), x=at.x, y=at.y, window=snapshot.ref,
        title=snapshot.window.title, element=_element(under), ancestors=[info(item) for item in holders],
        near=[info(item) for item in near], snapshot=snapshot.id, coverage=snapshot.coverage,
    )  # fmt: skip


def _near(nodes: Mapping[str, Node], items: Iterable[Item], at: Point, beside: set[str]) -> list[Item]:
    """The nearest elements that show, nearest first; not what holds the point."""
    rated = []
    for item in items:
        rect = _shown(nodes.get(item.key))
        if item.ref and item.id not in beside and rect is not None and item.role not in roles.BARS:
            distance = _distance(rect, at)
            if 0 < distance <= NEAR_WITHIN:
                rated.append((distance, item))
    return [item for _, item in sorted(rated, key=lambda pair: pair[0])[:NEAR_MOST]]


def _shown(node: Node | None) -> Rect | None:
    rect = (node.visible if node.visible is not None else node.bounds) if node is not None else None
    return rect if rect is not None and not rect.empty else None


def _distance(rect: Rect, at: Point) -> int:
    """Pixels between a point and a rectangle, along the longer way; 0 inside."""
    across = max(rect.x - at.x, 0, at.x - (rect.x + rect.w - 1))
    down = max(rect.y - at.y, 0, at.y - (rect.y + rect.h - 1))
    return max(across, down)


def _lines(head: str, own: str, holders: list[Item], near: list[Item]) -> str:
    lines, bare = [head, own], Limits()
    if holders:
        lines.append("in: " + " > ".join(say(item, bare) for item in holders))
    if near:
        lines.append("near: " + ", ".join(say(item, bare) for item in near))
    return "\n".join(lines)


def _own_line(snapshot: Snapshot, under: Under) -> str:
    if under.item is None or not (under.item.ref or under.item.name):
        poor = snapshot.coverage < POOR_COVERAGE or not snapshot.items
        return f"nothing accessible is there; {'take a screenshot' if poor else 'it is the window itself'}"
    if under.cell is not None and under.item.grid is not None:
        place = ",".join(str(n) for n in under.cell.bounds or ())
        held = cell_words(under.cell.text or "") or quote_empty()
        return f"{under.ref} {held} @{place}"
    return say(under.item, Limits(bounds=True))


def _element(under: Under) -> ElementInfo | None:
    if under.item is None:
        return None
    if under.cell is None:
        return info(under.item)
    bounds, value = under.cell.bounds, under.cell.text or ""
    return ElementInfo(ref=under.ref, role="cell", value=value, bounds=bounds)
