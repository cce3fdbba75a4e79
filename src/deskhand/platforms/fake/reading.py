"""Widgets as the nodes, trees and grids that a platform gives."""

from __future__ import annotations

from dataclasses import replace

from deskhand.platforms.base import ReadLimits
from deskhand.platforms.fake.layout import cell_bounds, shown_range
from deskhand.platforms.fake.model import CellAddress, FakeWindow, Sheet, Widget
from deskhand.platforms.fake.pointer import visible_part
from deskhand.platforms.fake.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import TEXT_HEAD, Ability, Cell, Grid, Node, State, Tree, Window

TOOLKIT = "fake"


def cell_key(table: Widget, address: CellAddress) -> str:
    """The key of a cell."""
    return f"{table.key}#{address[0]},{address[1]}"


def column_name(column: int) -> str:
    """``A`` for 0, ``AA`` for 26."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def node_of(world: World, widget: Widget, actions: bool = True) -> Node:
    """One widget as just read; the names of its actions only where asked for."""
    text = None if widget.protected else widget.text
    return Node(
        key=widget.key,
        parent=widget.parent.key if widget.parent is not None else None,
        role=widget.role,
        name=widget.name,
        states=states_of(world, widget),
        bounds=widget.bounds,
        visible=visible_part(world, widget),
        text=text[:TEXT_HEAD] if text is not None else None,
        text_length=len(text or ""),
        number=widget.number,
        minimum=widget.minimum,
        maximum=widget.maximum,
        actions=widget.actions if actions else (),
        abilities=_abilities(world, widget),
        child_count=_child_count(widget),
        index=widget.parent.children.index(widget) if widget.parent and widget in widget.parent.children else -1,
        description=widget.description,
        placeholder=widget.placeholder,
        toolkit=TOOLKIT,
        children=tuple(child.key for child in widget.children),
    )


def _child_count(widget: Widget) -> int:
    return widget.sheet.rows * widget.sheet.columns if widget.sheet is not None else len(widget.children)


def states_of(world: World, widget: Widget) -> State:
    """A widget's states in the one vocabulary."""
    window = world.top_level(widget)
    flags = {
        State.SHOWING: world.showing(widget),
        State.DISABLED: not widget.enabled,
        State.FOCUSABLE: widget.focusable,
        State.FOCUSED: window is not None and window is world.active and window.focus is widget,
        State.EDITABLE: widget.editable and widget.enabled,
        State.MULTILINE: widget.multiline,
        State.PROTECTED: widget.protected,
        State.CHECKABLE: widget.checkable,
        State.CHECKED: widget.checked,
        State.PRESSED: widget.role == "toggle" and widget.checked,
        State.SELECTABLE: widget.selectable,
        State.SELECTED: widget.selected,
        State.MULTISELECTABLE: widget.multiselectable,
        State.EXPANDABLE: widget.expandable,
        State.EXPANDED: widget.expanded,
        State.DEFAULT: widget.default,
        State.HAS_POPUP: widget.role in ("menu", "combobox"),
        State.MODAL: window is not None and widget is window.root and window.modal,
        State.ACTIVE: window is not None and widget is window.root and window is world.active,
    }
    states = State.NONE
    for state, given in flags.items():
        states |= state if given else State.NONE
    return states


def _abilities(world: World, widget: Widget) -> Ability:
    writable = widget.editable and widget.enabled
    if widget.edit_when_focused:
        writable = writable and State.FOCUSED in states_of(world, widget)
    holds_choices = widget.role in ("listbox", "combobox", "tablist", "tree", "table", "menu", "menubar")
    flags = {
        Ability.ACTION: bool(widget.actions),
        Ability.TEXT: widget.text is not None,
        Ability.EDIT_TEXT: writable and widget.text is not None,
        Ability.VALUE: widget.number is not None,
        Ability.SELECTION: holds_choices,
        Ability.TABLE: widget.sheet is not None,
        Ability.VIRTUAL: widget.sheet is not None and widget.sheet.spreadsheet,
        Ability.COMPONENT: True,
        Ability.ECHOES: widget.echoes,
        Ability.ON_POPUP: widget.parent is not None and widget.parent.role in ("menu", "combobox"),
    }
    abilities = Ability.NONE
    for ability, given in flags.items():
        abilities |= ability if given else Ability.NONE
    return abilities


def tree_of(world: World, root: Widget, limits: ReadLimits) -> Tree:
    """The tree below a widget within its limits; what was cut is said."""
    reader = _Reader(world, limits)
    reader.read(root)
    nodes = {
        key: replace(node, children=tuple(child for child in node.children if child in reader.nodes))
        for key, node in reader.nodes.items()
    }
    notes = tuple(dict.fromkeys(reader.notes))
    return Tree(root.key, nodes, reader.grids, not notes, notes, calls=1, hidden=reader.hidden)


class _Reader:
    """Collects nodes breadth by breadth; a widget met again is not read again."""

    def __init__(self, world: World, limits: ReadLimits) -> None:
        self.world = world
        self.limits = limits
        self.nodes: dict[str, Node] = {}
        self.grids: dict[str, Grid] = {}
        self.notes: list[str] = []
        self.hidden = 0

    def read(self, root: Widget) -> None:
        level = [root]
        for _ in range(self.limits.depth):
            level = [child for widget in level if self._take(widget) for child in self._below(widget)]
            if not level:
                return
        self.notes.append(f"cut at depth {self.limits.depth}")

    def _below(self, widget: Widget) -> list[Widget]:
        if any(child.key in self.nodes for child in widget.children):
            self.notes.append("an element is its own ancestor; it was read once")
        fresh = [child for child in widget.children if child.key not in self.nodes]
        shown = [child for child in fresh if self.limits.hidden or self.world.showing(child)]
        self.hidden += len(fresh) - len(shown)
        return shown

    def _take(self, widget: Widget) -> bool:
        if widget.unreadable:
            self.notes.append("an element could not be read")
            return False
        if len(self.nodes) >= self.limits.nodes:
            self.notes.append(f"cut at {self.limits.nodes} elements")
            return False
        if widget.volatile:
            self.world.rekey(widget)
        self.nodes[widget.key] = node_of(self.world, widget, self.limits.actions)
        if widget.sheet is not None:
            self.grids[widget.key] = grid_of(widget, None, self.limits)
        return True


def grid_of(table: Widget, view: tuple[int, int, int, int] | None, limits: ReadLimits) -> Grid:
    """A range of a table, cut to the limits and to the table's end."""
    sheet = table.sheet
    if sheet is None:
        raise DeskhandError("unsupported_action", "this element is not a table; read it as an element")
    first_row, first_column, last_row, last_column = view or shown_range(table)
    last_row = min(last_row, sheet.rows, first_row + limits.rows)
    last_column = min(last_column, sheet.columns, first_column + limits.columns)
    cells = tuple(
        cell_of(table, (row, column))
        for row in range(first_row, last_row)
        for column in range(first_column, last_column)
    )
    return Grid(
        table.key, sheet.rows, sheet.columns, (first_row, first_column, last_row, last_column), cells,
        _heads(table, first_column, last_column), sheet.spreadsheet, _used(table),
    )  # fmt: skip


def cell_of(table: Widget, address: CellAddress) -> Cell:
    """One cell of a grid."""
    sheet = table.sheet
    assert sheet is not None
    text = sheet.cells.get(address, "")
    picked = address in sheet.selected
    return Cell(*address, text, cell_key(table, address), picked, cell_bounds(table, address))


def _heads(table: Widget, first: int, last: int) -> tuple[str, ...]:
    sheet = table.sheet
    assert sheet is not None
    return sheet.heads[first:last] if sheet.heads else tuple(column_name(each) for each in range(first, last))


def _used(table: Widget) -> tuple[int, int]:
    sheet = table.sheet
    assert sheet is not None
    rows = max((row + 1 for row, _ in sheet.cells), default=0)
    return rows, max((column + 1 for _, column in sheet.cells), default=0)


def cell_node(world: World, table: Widget, address: CellAddress) -> Node:
    """One cell as an element."""
    sheet = table.sheet
    assert sheet is not None
    text = sheet.cells.get(address, "")
    current = address == sheet.cursor and State.FOCUSED in states_of(world, table)
    states = State.SHOWING | State.SELECTABLE | State.FOCUSABLE
    states |= State.SELECTED if address in sheet.selected else State.NONE
    states |= State.FOCUSED if current else State.NONE
    name = f"{column_name(address[1])}{address[0] + 1}" if sheet.spreadsheet else text
    return Node(
        cell_key(table, address), table.key, "cell", name, states,
        bounds=cell_bounds(table, address), text=text, text_length=len(text),
        abilities=Ability.TEXT | Ability.COMPONENT, index=address[0] * sheet.columns + address[1], toolkit=TOOLKIT,
    )  # fmt: skip


def cell_number(sheet: Sheet, address: CellAddress) -> float:
    """What a cell counts as: a text is 0, also one that looks like a number."""
    try:
        return 0.0 if address in sheet.texts else float(sheet.cells.get(address, ""))
    except ValueError:
        return 0.0


def window_of(world: World, window: FakeWindow, stack: int) -> Window:
    """One surface as just listed."""
    return Window(
        frame=window.frame,
        key=window.key,
        title="" if window.popup else window.title,
        app=window.app.name,
        pid=window.app.pid,
        bounds=window.bounds,
        root=window.root.key if window.accessible else None,
        role=window.kind or ("menu" if window.popup else window.root.role),
        active=window is world.active,
        minimised=window.minimised,
        modal=window.modal,
        popup=window.popup,
        stack=stack,
        owner=window.owner.key if window.owner is not None else None,
        responsive=not window.app.frozen,
        toolkit=TOOLKIT,
    )
