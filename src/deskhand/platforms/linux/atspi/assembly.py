"""Raw elements into nodes: states told one way, names cleaned, bounds placed and clipped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from operator import or_

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.base import Home, Quirks
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Ability, Node, State

_POP_OUT = frozenset({"menu", "combobox", "window", "dialog", "tooltip", "alert"})
"""Roles whose children may lie outside of them, on a surface of their own."""
_DROPS = frozenset({"menu", "combobox"})
"""Roles whose children are drawn on a popup."""
_MENU_BUTTONS = frozenset({"button", "toggle"})
_ITEMS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio"})
"""What is drawn on a popup where it hangs below one of the ``_MENU_BUTTONS``."""
_CHECKED = frozenset({7, 8, 44, 45})
_STATES = (State.SHOWING, State.DISABLED, State.PROTECTED, State.EDITABLE, State.CHECKABLE)
"""What ``_states`` finds out beside the bits, in its order."""
_BESIDE = (
    Ability.VIRTUAL, Ability.CLICK_FIRST, Ability.MENUS_INSIDE, Ability.FLEETING, Ability.COMMITS, Ability.ON_POPUP,
)  # fmt: skip
"""What ``_abilities`` finds out beside what can be used, in its order."""


def assemble(
    quirks: Quirks,
    raws: Mapping[str, Raw],
    places: Mapping[str, Rect | None],
    is_table: Callable[[Raw], bool],
    popups: Sequence[Rect] = (),
) -> dict[str, Node]:
    """Nodes of all ``raws`` (parents first); what fills one of the ``popups`` is clipped by nothing around it."""
    clips: dict[str, Rect | None] = {}
    nodes: dict[str, Node] = {}
    raised: dict[str, bool] = {}
    for key, raw in raws.items():
        place = places[key]
        popped = place is not None and any(_same(place, popup) for popup in popups)
        above = raws.get(raw.parent or "")
        dropped = above is not None and _drops(above, raw)
        raised[key] = popped or dropped or raised.get(raw.parent or "", False)
        visible = place if popped or dropped else _clip(place, clips.get(raw.parent or ""))
        clips[key] = _clip_for_children(raw, place, visible, clips)
        veiled = quirks.veils and raw.parent in nodes and not nodes[raw.parent].has(State.SHOWING)
        states = _states(quirks, raw) & ~State.SHOWING if veiled else _states(quirks, raw)
        abilities = _abilities(quirks, raw, is_table(raw), raised[key])
        nodes[key] = _node(quirks, raw, raws, (place, visible), states, abilities)
    return nodes


def _drops(above: Raw, raw: Raw) -> bool:
    """Whether the element lies on the popup of what is above it."""
    return above.role in _DROPS or (above.role in _MENU_BUTTONS and raw.role in _ITEMS)


def _same(one: Rect, other: Rect) -> bool:
    return all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True))


def _clip(bounds: Rect | None, clip: Rect | None) -> Rect | None:
    return bounds.intersect(clip) if bounds and clip else bounds


def _clip_for_children(
    raw: Raw, bounds: Rect | None, visible: Rect | None, clips: Mapping[str, Rect | None]
) -> Rect | None:
    if raw.role in _POP_OUT and raw.number not in words.FRAME_ROLES:
        return None
    inherited = clips.get(raw.parent or "")
    # A tab holds its page as a child, though it is only the tab's label that it bounds; so do rows of a tree.
    if bounds is None or raw.role in ("tab", "treeitem") or (bounds.empty and raw.role == "generic"):
        return inherited
    return visible


def _node(  # noqa: PLR0917
    quirks: Quirks, raw: Raw, raws: Mapping[str, Raw], places: tuple[Rect | None, Rect | None], states: State,
    abilities: Ability,
) -> Node:  # fmt: skip
    label = raws.get(raw.labelled_by or "")
    number, minimum, maximum = quirks.numbers(raw) or (None, None, None)
    name, text = _name_and_text(quirks, raw, label)
    return Node(
        raw.key, raw.parent, raw.role, name, states,
        *places, text, raw.text_length or len(text or ""), number, minimum, maximum, quirks.actions(raw),
        abilities, max(0, raw.child_count), raw.index,
        raw.description, raw.attributes.get("placeholder-text", ""), quirks.toolkit, raw.children,
        raw.labelled_by if label else None, raw.beyond, words.formula(raw.attributes), raw.written,
    )  # fmt: skip


def _abilities(quirks: Quirks, raw: Raw, table: bool, raised: bool) -> Ability:
    return _able(
        quirks.usable(raw), table, quirks.clicked(raw), quirks.menus_inside, quirks.fleeting(raw),
        raw.page and raw.bit(words.EDITABLE), raised,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _able(usable: Ability, *more: bool) -> Ability:
    """Adding up flags is slow, and few sums are ever made."""
    held = [ability for holds, ability in zip(more, _BESIDE, strict=True) if holds]
    return reduce(or_, held, usable)


def _name_and_text(quirks: Quirks, raw: Raw, label: Raw | None) -> tuple[str, str | None]:
    """GTK3 calls a combo box by what it holds: that is its value, its label is its name."""
    own, lent = quirks.name(raw), quirks.name(label).rstrip(":") if label else ""
    if quirks.combo_named_by_value and raw.role == "combobox" and own and raw.text is None:
        return lent, own
    return own or lent, raw.text


def _states(quirks: Quirks, raw: Raw) -> State:
    return _stated(
        raw.bits, quirks.doubted(raw), quirks.shows(raw), quirks.disabled(raw) and raw.bits != words.DEFUNCT,
        raw.number == words.PASSWORD_ROLE, raw.number == words.DATE_ROLE and not raw.bit(words.READ_ONLY),
        raw.number in _CHECKED,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _stated(bits: int, doubted: State, *more: bool) -> State:
    """As ``_able``."""
    held = [state for holds, state in zip(more, _STATES, strict=True) if holds]
    return reduce(or_, held, words.states(bits) & ~(State.SHOWING | doubted))


def in_root_pixels(raws: Mapping[str, Raw], home: Home) -> Mapping[str, Raw]:
    """All elements with their places as large as they are drawn."""
    if home.scale == 1.0:
        return raws
    return {key: replace(raw, bounds=home.root(raw.bounds)) if raw.bounds else raw for key, raw in raws.items()}
