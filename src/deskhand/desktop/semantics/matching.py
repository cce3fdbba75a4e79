"""Names compared the way people say them, and elements found by them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from deskhand.desktop.semantics import roles
from deskhand.desktop.semantics.gridcells import all_cells
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.patterns import safe, searched
from deskhand.desktop.semantics.quoting import SHORT_TEXT, quote_cut
from deskhand.desktop.semantics.refs import is_element_ref, is_window_ref
from deskhand.types.errors import DeskhandError, ErrorCode
from deskhand.types.steps import Match, Selector
from deskhand.types.words import likeness

CANDIDATES = 5


def normal(name: str) -> str:
    """Case, spaces, a trailing colon and the two ways to write an ellipsis do not matter."""
    plain = name.replace("…", "...").casefold()
    return " ".join(plain.split()).rstrip(":").rstrip()


def same_item(wanted: str, name: str) -> bool:
    """Whether a menu or list item is the one called ``wanted``; a missing ellipsis is forgiven."""
    return normal(wanted).rstrip(".") == normal(name).rstrip(".")


def text_matches(wanted: str, text: str, match: Match) -> bool:
    """``exact`` (as written), ``contains`` (case folded), ``regex`` (searched; False where that may take for ever)."""
    if match == "regex":
        return safe(wanted, text) and re.search(wanted, text) is not None
    return wanted.casefold() in text.casefold() if match == "contains" else wanted == text


def item_words(item: Item) -> str:
    """``r88 button "Save"``, as candidates and effects name an element."""
    hint = f"({quote_cut(item.hint, SHORT_TEXT)})" if item.hint and not item.name else ""
    return " ".join(
        part for part in (item.ref, item.role, quote_cut(item.name, SHORT_TEXT) if item.name else "", hint) if part
    )


async def select(selector: Selector, items: Collection[Item], *, below: str | None = None) -> Item:
    """The one item that a selector means, else the one cell; ``below``: the ref of what holds them, which is none.

    Raises ``not_found`` or ``ambiguous_target`` with candidates.
    """
    named = await _fitting(selector, [item for item in items if item.ref and item.ref != below])
    named = named or await _fitting(selector, all_cells(items))
    if selector.nth is not None:
        if len(named) >= selector.nth:
            return named[selector.nth - 1]
    elif len(named) == 1:
        return named[0]
    code: ErrorCode = "ambiguous_target" if named else "not_found"
    said = (
        f"{len(named)} elements are {selector_words(selector)}" if named else f"there is no {selector_words(selector)}"
    )
    candidates = [item_words(item) for item in named[:CANDIDATES]] or _alike(selector, items)
    raise DeskhandError(code, said, candidates=candidates)


def selector_words(selector: Selector) -> str:
    """A selector as a person says it: ``button "Save" in w3``, ``element with "ave" in its name``."""
    role, name, within = selector.role or "element", "", ""
    if selector.name is not None:
        said = quote_cut(selector.name, SHORT_TEXT)
        name = {
            "exact": said if selector.role else f"called {said}",
            "contains": f"with {said} in its name",
            "regex": f"matching {said}",
        }[selector.match]
    if (place := selector.within) is not None:
        named = is_element_ref(place) or is_window_ref(place)
        within = f"in {place if named else quote_cut(place, SHORT_TEXT)}"
    number = f"number {selector.nth}" if selector.nth is not None else ""
    return " ".join(part for part in (role, name, number, within) if part)


def _alike(selector: Selector, items: Iterable[Item]) -> list[str]:
    """Elements whose name or hint resembles what was asked for, likeliest first."""
    wanted = normal(selector.name or selector.role or "")
    rated = [
        (
            max(likeness(wanted, normal(text)) for text in (item.name, item.hint, "" if selector.name else item.role)),
            item,
        )
        for item in items
        if item.ref
    ]
    rated.sort(key=lambda pair: -pair[0])
    return [item_words(item) for score, item in rated[:CANDIDATES] if score > 0]


async def _fitting(selector: Selector, items: Sequence[Item]) -> list[Item]:
    items = [item for item in items if selector.role in (None, item.role)]
    if selector.name is None or selector.match != "regex":
        return [item for item in items if selector.name is None or _fits(selector, selector.name, item)]
    found = await searched(selector.name, [_called(item) for item in items])
    return [item for item, holds in zip(items, found, strict=True) if holds]


def _fits(selector: Selector, wanted: str, item: Item) -> bool:
    name = _called(item)
    return text_matches(wanted, name, selector.match) or (selector.match == "exact" and normal(wanted) == normal(name))


def _called(item: Item) -> str:
    """What it is called by: its name, its hint, or what is written there."""
    written = item.value if item.role in roles.PROSE and isinstance(item.value, str) else ""
    return item.name or item.hint or written


def near(role: str, name: str, items: Iterable[Item]) -> list[str]:
    """What is worth trying instead of something that is gone: the same role and name first, then the same name."""
    refs = [item for item in items if item.ref and name and normal(item.name) == normal(name)]
    refs.sort(key=lambda item: item.role != role)
    return [item_words(item) for item in refs[:CANDIDATES]]


def listed(names: Sequence[str]) -> str:
    """Names of what there is instead, quoted, for an error's ``found``."""
    shown = ", ".join(quote_cut(name, SHORT_TEXT) for name in names[:20] if name)
    return shown + (f", … {len(names) - 20} more" if len(names) > 20 else "")
