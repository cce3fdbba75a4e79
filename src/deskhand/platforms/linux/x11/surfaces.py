"""Top-level surfaces: windows as the window manager lists them, and popups that it does not manage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from Xlib import X

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.platforms.linux.x11.properties import EVERY_DESKTOP, Inquiry, Property, read_properties
from deskhand.types.geometry import Rect

_PROPERTIES = (
    "_NET_WM_NAME", "WM_NAME", "WM_CLASS", "_NET_WM_PID", "_NET_WM_STATE", "WM_STATE", "WM_TRANSIENT_FOR",
    "_NET_WM_WINDOW_TYPE", "_GTK_FRAME_EXTENTS", "_NET_FRAME_EXTENTS", "WM_CLIENT_LEADER", "_NET_WM_DESKTOP",
)  # fmt: skip
_ROOT_PROPERTIES = ("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST", "_NET_ACTIVE_WINDOW", "_NET_CURRENT_DESKTOP")
_ICONIC = 3


@dataclass(frozen=True, slots=True)
class Surface:
    """A top-level surface. Rectangles are in root pixels.

    ``bounds`` is the client's own window, shadow included; ``frame`` what the user sees as the window: with the window
    manager's decoration, without a client-side shadow (``shadow``: left, right, top, bottom). ``popup`` is
    override-redirect. ``stack`` counts from the bottom. ``kind`` is the EWMH type in lower case (``normal``,
    ``dialog``, ``popup_menu``, ``tooltip`` …), empty where none is said. ``outer`` is the child of the root that holds
    it. ``pid`` is 0 where unknown.
    """

    xid: int
    outer: int
    title: str
    pid: int
    instance: str
    class_name: str
    bounds: Rect
    frame: Rect
    shadow: tuple[int, int, int, int]
    popup: bool
    minimised: bool
    maximised: bool
    modal: bool
    active: bool
    transient_for: int | None
    leader: int | None
    kind: str
    stack: int


@dataclass(frozen=True, slots=True)
class _Outer:
    """A child of the root window, as the server tells it."""

    xid: int
    bounds: Rect
    viewable: bool
    popup: bool
    drawable: bool


@dataclass(frozen=True, slots=True)
class _Now:
    """What the window manager says of the moment."""

    active: int
    desktop: int | None

    def elsewhere(self, desktop: int | None) -> bool:
        """Whether a window of this virtual desktop is out of sight."""
        return None not in (desktop, self.desktop) and desktop not in (self.desktop, EVERY_DESKTOP)


def read_surfaces(connection: Connection) -> list[Surface]:
    """All surfaces, bottom first. Three round trips, whatever their number."""
    root = connection.root.id
    inquiry = Inquiry(connection)
    asked_tree, asked_size = inquiry.tree(root), inquiry.geometry(root)
    facts = read_properties(connection, [root], _ROOT_PROPERTIES)[root]
    children = [child.id for child in inquiry.answer(asked_tree).children]
    size = inquiry.answer(asked_size)  # python-xlib remembers the one that it found when it connected
    screen = Rect(0, 0, size.width, size.height)
    outers = _read_outers(connection, children)
    clients = _clients(connection, facts, outers)
    owners = _owners(connection, clients)
    shown = [
        outer.xid
        for outer in outers.values()
        if outer.xid not in owners.values() and outer.viewable and outer.drawable and _on_screen(screen, outer)
    ]
    now = _Now(_first(facts["_NET_ACTIVE_WINDOW"]) or 0, _first(facts["_NET_CURRENT_DESKTOP"]))
    found = _describe(connection, [*clients, *shown], owners, outers, now)
    place = {xid: number for number, xid in enumerate(children)}
    order = {xid: number for number, xid in enumerate(clients)}
    found.sort(key=lambda s: (not s["minimised"], place.get(s["outer"], -1), order.get(s["xid"], 0)))
    return [Surface(stack=number, **row) for number, row in enumerate(found)]


def window_at(connection: Connection, x: int, y: int) -> int | None:
    """The surface that would get a click at this point, None for the bare root.

    The server's own answer: stacking, bounding and input shapes count. A decoration answers for its client.
    """
    hit = connection.root.translate_coords(connection.root, x, y).child
    if not hit:
        return None
    outer = int(getattr(hit, "id", hit))
    facts = read_properties(connection, [connection.root.id], _ROOT_PROPERTIES)[connection.root.id]
    outers = _read_outers(connection, [outer])
    clients = _clients(connection, facts, outers)
    for client, holder in _owners(connection, clients).items():
        if holder == outer:
            return client
    return outer


def _read_outers(connection: Connection, xids: Iterable[int]) -> dict[int, _Outer]:
    inquiry = Inquiry(connection)
    asked = [(xid, inquiry.attributes(xid), inquiry.geometry(xid)) for xid in xids]
    found = {}
    for xid, attributes, geometry in asked:
        facts, place = inquiry.answer(attributes), inquiry.answer(geometry)
        if facts is None or place is None:
            continue
        border = 2 * place.border_width
        bounds = Rect(place.x, place.y, place.width + border, place.height + border)
        drawable = facts.win_class != X.InputOnly
        found[xid] = _Outer(xid, bounds, facts.map_state == X.IsViewable, bool(facts.override_redirect), drawable)
    return found


def _on_screen(screen: Rect, outer: _Outer) -> bool:
    """Whether it can be seen: 1×1 and off-screen windows are toolkits' own devices."""
    seen = outer.bounds.intersect(screen)
    return not seen.empty and outer.bounds.w > 1 and outer.bounds.h > 1


def _clients(connection: Connection, facts: Mapping[str, Property], outers: Mapping[int, _Outer]) -> list[int]:
    """Managed windows, bottom first; without an EWMH manager, the windows that carry ``WM_STATE``."""
    listed = facts["_NET_CLIENT_LIST_STACKING"].numbers or facts["_NET_CLIENT_LIST"].numbers
    if listed or facts["_NET_CLIENT_LIST"].format:
        return list(dict.fromkeys(listed))
    return _clients_by_state(connection, outers)


def _clients_by_state(connection: Connection, outers: Iterable[int]) -> list[int]:
    inquiry = Inquiry(connection)
    level, found = list(outers), []
    for _ in range(3):
        states = read_properties(connection, level, ["WM_STATE"])
        trees = {xid: inquiry.tree(xid) for xid in level if not states[xid]["WM_STATE"].format}
        found += [xid for xid in level if states[xid]["WM_STATE"].format]
        answers = [inquiry.answer(asked) for asked in trees.values()]
        level = [child.id for answer in answers if answer is not None for child in answer.children]
    return found


def _owners(connection: Connection, clients: Iterable[int]) -> dict[int, int]:
    """For each client the child of the root that holds it (itself where it is not reparented)."""
    inquiry, root = Inquiry(connection), connection.root.id
    climbing = {client: client for client in clients}
    settled: dict[int, int] = {}
    for _ in range(8):
        asked = {client: inquiry.tree(node) for client, node in climbing.items()}
        climbing_on = {}
        for client, request in asked.items():
            answer = inquiry.answer(request)
            if answer is None or not answer.parent:
                continue
            if answer.parent.id == root:
                settled[client] = climbing[client]
            else:
                climbing_on[client] = answer.parent.id
        climbing = climbing_on
        if not climbing:
            break
    return settled


def _describe(
    connection: Connection,
    xids: Iterable[int],
    owners: Mapping[int, int],
    outers: Mapping[int, _Outer],
    now: _Now,
) -> list[dict[str, Any]]:
    wanted = list(dict.fromkeys(xids))
    inquiry = Inquiry(connection)
    places = {xid: (inquiry.geometry(xid), inquiry.origin(xid)) for xid in wanted}
    facts = read_properties(connection, wanted, _PROPERTIES)
    kinds = _atom_names(connection, facts)
    pids = _true_pids(connection, [xid for xid in wanted if not facts[xid]["_NET_WM_PID"].numbers])
    rows = []
    for xid in wanted:
        geometry, origin = (inquiry.answer(asked) for asked in places[xid])
        if geometry is None or origin is None:
            continue
        bounds = Rect(origin.x, origin.y, geometry.width, geometry.height)
        outer = outers.get(owners.get(xid, xid))
        row = _row(connection, facts[xid], kinds, bounds)
        row["minimised"] = row["minimised"] or now.elsewhere(_first(facts[xid]["_NET_WM_DESKTOP"]))
        row["pid"] = row["pid"] or pids.get(xid, 0)
        row["frame"] = _frame(bounds, row["shadow"], outer if outer and outer.xid != xid else None)
        row["popup"] = outer is not None and outer.popup and outer.xid == xid
        rows.append({**row, "xid": xid, "outer": owners.get(xid, xid), "active": xid == now.active})
    return rows


def _row(connection: Connection, facts: Mapping[str, Property], kinds: Mapping[int, str], at: Rect) -> dict[str, Any]:
    instance, _, class_name = facts["WM_CLASS"].text.partition("\0")
    states = {kinds.get(number, "") for number in facts["_NET_WM_STATE"].numbers}
    types = [kinds.get(number, "") for number in facts["_NET_WM_WINDOW_TYPE"].numbers]
    shadow = facts["_GTK_FRAME_EXTENTS"].numbers
    transient = _first(facts["WM_TRANSIENT_FOR"])
    return {
        "title": (facts["_NET_WM_NAME"] if facts["_NET_WM_NAME"].value else facts["WM_NAME"]).text,
        "pid": _first(facts["_NET_WM_PID"]) or 0,
        "instance": instance,
        "class_name": class_name.split("\0")[0],
        "bounds": at,
        "shadow": (shadow[0], shadow[1], shadow[2], shadow[3]) if len(shadow) == 4 else (0, 0, 0, 0),
        "minimised": "_NET_WM_STATE_HIDDEN" in states or _first(facts["WM_STATE"]) == _ICONIC,
        "maximised": {"_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"} <= states,
        "modal": "_NET_WM_STATE_MODAL" in states,
        "transient_for": transient if transient not in (0, connection.root.id) else None,
        "leader": _first(facts["WM_CLIENT_LEADER"]),
        "kind": types[0].removeprefix("_NET_WM_WINDOW_TYPE_").lower() if types else "",
    }


def _frame(bounds: Rect, shadow: tuple[int, int, int, int], decoration: _Outer | None) -> Rect:
    if decoration is not None and decoration.viewable and not any(shadow):
        return decoration.bounds
    left, right, top, bottom = shadow
    return Rect(bounds.x + left, bounds.y + top, bounds.w - left - right, bounds.h - top - bottom)


def _first(fact: Property) -> int | None:
    return fact.numbers[0] if fact.numbers else None


def _atom_names(connection: Connection, facts: Mapping[int, Mapping[str, Property]]) -> dict[int, str]:
    numbers = {
        number
        for row in facts.values()
        for name in ("_NET_WM_STATE", "_NET_WM_WINDOW_TYPE")
        for number in row[name].numbers
    }
    return {number: connection.atom_name(number) for number in numbers}


def _true_pids(connection: Connection, xids: Iterable[int]) -> dict[int, int]:
    """Process ids that the server knows, for windows that do not say theirs."""
    found: dict[int, int] = {}
    if not connection.display.has_extension("X-Resource"):
        return found
    for xid in xids:
        for answer in connection.display.res_query_client_ids([{"client": xid, "mask": 2}]).ids:
            if answer.value:
                found[xid] = int(answer.value[0])
    return found
