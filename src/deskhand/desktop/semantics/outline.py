"""The outline: a tree cut to what carries meaning, before any budget.

Unnamed wrappers fold into their parent, a label folds into what it labels, an unnamed field takes the name of the
wrapper around it, what has no area does not exist. Folding never changes which ref means what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from deskhand.desktop.semantics import roles
from deskhand.desktop.semantics.beside import name_fields
from deskhand.desktop.semantics.refs import RefTable
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Grid, Node, State

EMBEDDED = "\ufffc"
"""Stands in a text where a child is embedded."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing worth saying. ``ref`` is None for plain text. ``value`` is text or number; ``length`` of the text."""

    key: str = field(compare=False)
    ref: str | None
    role: str
    name: str = ""
    value: str | float | None = None
    length: int = 0
    states: tuple[str, ...] = ()
    hint: str = ""
    children: tuple[Item, ...] = ()
    grid: Grid | None = None
    beyond: tuple[int, int] | None = None  # pages of a document above and below what shows
    expandable: bool = False
    bounds: Rect | None = field(default=None, compare=False)
    actions: tuple[str, ...] = field(default=(), compare=False)

    @property
    def id(self) -> str:
        """What stays the same while the element is the same: its ref, for plain text its key."""
        return self.ref or self.key


_STATE_WORDS: tuple[tuple[State, str], ...] = (
    (State.MIXED, "mixed"), (State.CHECKED, "on"), (State.PRESSED, "on"), (State.SELECTED, "selected"),
    (State.EXPANDED, "expanded"), (State.DISABLED, "disabled"), (State.FOCUSED, "focused"), (State.DEFAULT, "default"),
    (State.INVALID, "invalid"), (State.REQUIRED, "required"), (State.BUSY, "busy"), (State.PROTECTED, "password"),
)  # fmt: skip


def outline(
    root: str, nodes: Mapping[str, Node], grids: Mapping[str, Grid], refs: RefTable, window: str
) -> tuple[Item, ...]:
    """The items of a read tree, in document order; refs are bound here, before any cut."""
    items = _Builder(nodes, grids, refs, window, nodes[root].name).below(nodes[root])
    return _told_apart(items, nodes)


def _told_apart(items: tuple[Item, ...], nodes: Mapping[str, Node]) -> tuple[Item, ...]:
    """Buttons of one name are told apart by what their application says that they are for."""
    names = Counter((i.role, i.name) for i in flatten(items).values() if i.ref and i.name and i.role in roles.WRAPPERS)
    twice = {both for both, number in names.items() if number > 1}
    return _hinted(items, nodes, twice) if twice else items


def _hinted(items: tuple[Item, ...], nodes: Mapping[str, Node], twice: set[tuple[str, str]]) -> tuple[Item, ...]:
    said = []
    for item in items:
        hint = item.hint
        if (item.role, item.name) in twice and item.ref and not hint:
            hint = nodes[item.key].description
        below = _hinted(item.children, nodes, twice)
        said.append(replace(item, hint="" if hint == item.name else hint, children=below))
    return tuple(said)


def flatten(items: tuple[Item, ...]) -> dict[str, Item]:
    """Every item by its id."""
    flat: dict[str, Item] = {}
    for item in items:
        flat[item.id] = item
        flat |= flatten(item.children)
    return flat


def state_words(node: Node) -> tuple[str, ...]:
    """States worth saying, in a fixed order; defaults are not said."""
    words = [word for state, word in _STATE_WORDS if node.has(state)]
    if node.role == "textbox" and not node.has(State.EDITABLE):
        words.append("readonly")
    if not node.has(State.SHOWING):
        words.append("hidden")
    elif node.visible is not None and node.visible.empty:
        words.append("offscreen")
    return tuple(dict.fromkeys(word for word in words if word not in roles.UNSAID.get(node.role, ())))


class _Builder:
    def __init__(
        self, nodes: Mapping[str, Node], grids: Mapping[str, Grid], refs: RefTable, window: str, title: str
    ) -> None:
        self._nodes, self._grids, self._refs, self._window, self._title = nodes, grids, refs, window, title
        self._folded = {node.labelled_by for node in nodes.values() if node.labelled_by}

    def below(self, node: Node) -> tuple[Item, ...]:
        """Items of all children; a text that only repeats the name of what it stands beside is not said twice."""
        found = [item for n, key in enumerate(node.children) for item in self._nth(node, n, key)]
        found += _pieces(node, len(node.children))
        found = name_fields(found, self._nodes, lambda field, name: self._refs.bind(field, self._window, name))
        names = {item.name for item in found if item.ref} | {node.name}
        return tuple(item for item in found if item.ref or item.role or item.name.rstrip(":") not in names)

    def _nth(self, node: Node, n: int, key: str) -> list[Item]:
        """A child, after the piece of text that stands before it."""
        return [*_pieces(node, n), *(self._items(self._nodes[key]) if key in self._nodes else ())]

    def _items(self, node: Node) -> tuple[Item, ...]:
        if _is_gone(node) or node.role in roles.SILENT:
            return ()
        if node.key in self._folded:
            return tuple(item for item in self.below(node) if item.ref)  # a page's label has its field inside
        if node.key in self._grids:
            return self._grid(node)
        if node.role in roles.SPEAKING:
            return self._speaking(node)
        children = self.below(node)
        if _is_object(node):
            return (self._item(node, node.name, children=children),)
        if node.role in roles.INTERACTIVE:
            return self._interactive(node, children)
        if node.role in roles.TEXTUAL:
            return self._text(node, children)
        return self._container(node, children)

    def _grid(self, node: Node) -> tuple[Item, ...]:
        item = self._item(node, node.name, grid=self._grids[node.key])
        inner = (one for one in self.below(node) if one.ref)  # texts stand in the cells
        return (replace(item, role="table"), *inner)  # also a tree that is read by rows: it is said so

    def _speaking(self, node: Node) -> tuple[Item, ...]:
        """Buttons and the like: what they contain is their face, not content of its own."""
        inner = self.below(node)
        if _wraps_the_same(node, inner):
            return inner
        said = [text for item in inner for text in _texts(item)]
        name = node.name or " ".join(said)
        hint = " ".join(text for text in said if text not in name) or ("" if name else node.description)
        elements = tuple(item for item in inner if item.ref)
        return (self._item(node, name, hint=hint, children=elements),)

    def _interactive(self, node: Node, children: tuple[Item, ...]) -> tuple[Item, ...]:
        if node.role == "tab":
            return self._tab(node, children)
        hint = node.placeholder or (node.description if not node.name else "")
        inner = children if node.role not in roles.ATOMIC else tuple(i for i in children if i.ref)
        return (self._item(node, node.name, hint=hint, children=inner),)

    def _tab(self, node: Node, children: tuple[Item, ...]) -> tuple[Item, ...]:
        """A tab holds its page: the page stands beside it. A tab that is not drawn is no tab."""
        if not node.name and node.bounds is None:
            return children
        if node.name or not self._is_face(node):
            return (self._item(node, node.name), *children)
        name = " ".join(text for item in children for text in _texts(item))
        return (self._item(node, name, children=tuple(item for item in children if item.ref)),)

    def _is_face(self, node: Node) -> bool:
        """Whether all that it contains is drawn on it."""
        inner = [self._nodes[key].bounds for key in node.children if key in self._nodes]
        return node.bounds is not None and all(
            node.bounds.intersect(part) == part for part in inner if part and not part.empty
        )

    def _text(self, node: Node, children: tuple[Item, ...]) -> tuple[Item, ...]:
        if node.role in roles.PROSE and node.has(State.EDITABLE):
            inner = tuple(item for item in children if item.ref)
            return (self._item(node, node.name, children=inner),)
        said = node.name if EMBEDDED in (node.text or "") else node.text or node.name
        if not said:
            return children
        role = node.role if node.role not in roles.PLAIN else ""
        length = max(node.text_length, len(said))
        inner = tuple(item for item in children if item.ref)
        return (Item(node.key, None, role, said, length=length, states=state_words(node)), *inner)

    def _container(self, node: Node, children: tuple[Item, ...]) -> tuple[Item, ...]:
        """A named or grouping container is said; any other gives its children away, with its name if one lacks it."""
        if node.role == "tablist":
            return self._tablist(node, children)
        if node.role == "document" and node.has(State.EDITABLE) and any(_is_written(item) for item in children):
            return (self._item(node, node.name, children=children),)
        if node.role == "document" and node.has(State.FOCUSABLE) and _is_read(children):
            return (self._item(node, node.name, children=children),)
        if not children and node.text and EMBEDDED not in node.text and node.role != "document":
            children = (Item(node.key, None, "", node.text, length=max(node.text_length, len(node.text))),)
        if node.role == "document" and node.text:
            return (self._document(node), *children)
        if node.role in roles.BARS and len(children) == 1 and children[0].ref:
            return self._lend_name(node, children)
        if node.role == "status" and not children:
            return self._text(node, ())
        if node.role in roles.GROUPING and children:
            return (self._item(node, node.name, children=children),)
        if not node.name or not children or node.name == self._title:
            return _lend_hint(node, children)
        if (
            node.role in roles.SECTIONS
            and sum(1 for item in children if item.ref and item.name) > 0 < len(children) - 1
        ):
            return (self._item(node, node.name, children=children),)
        return self._lend_name(node, children)

    def _document(self, node: Node) -> Item:
        """A page: its address, and its name where the window's title does not say it."""
        return self._item(node, "" if node.name in self._title else node.name)

    def _tablist(self, node: Node, children: tuple[Item, ...]) -> tuple[Item, ...]:
        tabs = tuple(item for item in children if item.role == "tab")
        rest = tuple(item for item in children if item.role != "tab")
        return (self._item(node, node.name, children=tabs), *rest) if tabs else rest

    def _lend_name(self, node: Node, children: tuple[Item, ...]) -> tuple[Item, ...]:
        """The first nameless element inside takes the wrapper's name."""
        nameless = next(
            (n for n, item in enumerate(children) if item.ref and not item.name and not item.children), None
        )
        if nameless is None or any(item.ref and item.name for item in children):
            return children
        lent = replace(children[nameless], name=node.name, hint="")
        self._refs.bind(self._nodes[lent.key], self._window, node.name)
        return (*children[:nameless], lent, *children[nameless + 1 :])

    def _item(
        self, node: Node, name: str, hint: str = "", children: tuple[Item, ...] = (), grid: Grid | None = None
    ) -> Item:
        ref = self._refs.bind(node, self._window, name)
        value, length = _value(node, name)
        hint = "" if hint == name else hint
        role = "group" if node.role == "generic" else node.role
        said = (node.key, ref, role, name, value, length, state_words(node), hint, children, grid)
        return Item(
            *said, node.beyond, node.has(State.EXPANDABLE), bounds=node.bounds, actions=node.actions
        )  # fmt: skip


def _lend_hint(node: Node, children: tuple[Item, ...]) -> tuple[Item, ...]:
    """The only element inside of a nameless wrapper is for what the wrapper says it is for."""
    only = children[0] if len(children) == 1 else None
    silent = only is not None and only.ref and not only.name and not only.hint and not only.children
    return (replace(only, hint=node.description),) if only and silent and node.description else children


def _is_object(node: Node) -> bool:
    """A shape or picture that lies in a document and can be selected there."""
    return node.role in roles.DRAWN and node.has(State.EDITABLE | State.SELECTABLE)


def _is_read(children: tuple[Item, ...]) -> bool:
    """Texts alone, so that only what holds them can be scrolled or copied from."""
    return bool(children) and not any(item.ref for item in flatten(children).values())


def _is_written(item: Item) -> bool:
    """Text or an object of a document, as opposed to the cells and fields that it may hold."""
    return item.ref is not None and (item.role in roles.PROSE or item.role in roles.DRAWN)


def _pieces(node: Node, n: int) -> list[Item]:
    """The words of a wrapper's text before its child number ``n`` (after the last one for their count)."""
    text = node.written or (node.text if EMBEDDED in (node.text or "") else "")
    if not text or node.has(State.EDITABLE):
        return []
    pieces = text.split(EMBEDDED)
    said = pieces[n].strip() if len(pieces) == len(node.children) + 1 else ""
    return [Item(f"{node.key}#{n}", None, "", said, length=len(said))] if any(map(str.isalnum, said)) else []


def _is_gone(node: Node) -> bool:
    """No area of its own; a bar without area hides what it holds, other wrappers may let it overflow."""
    if node.bounds is None or not node.bounds.empty or not node.has(State.SHOWING):
        return False
    return not node.children or node.role in roles.BARS or node.role in roles.SPEAKING


def _wraps_the_same(node: Node, inner: tuple[Item, ...]) -> bool:
    """Whether it is a wrapper around the real button: nameless, or of the same name and not the one to be used."""
    if node.role not in roles.WRAPPERS or not any(item.ref for item in inner):
        return False
    if not node.name:
        return True
    first = inner[0]
    return first.role in roles.WRAPPERS and first.name == node.name and not node.has(State.FOCUSABLE)


def _value(node: Node, name: str) -> tuple[str | float | None, int]:
    if node.has(State.PROTECTED):
        return None, 0
    if node.number is not None and node.role in roles.NUMERIC:
        return node.number, 0
    valued = roles.VALUED | {"spinbutton"}
    if node.role in valued and node.text is not None and (node.text != name or node.role in roles.PROSE):
        return node.text, node.text_length
    return None, 0


def _texts(item: Item) -> list[str]:
    own = [item.name] if item.name and item.ref is None else []
    return own + [text for child in item.children for text in _texts(child)]
