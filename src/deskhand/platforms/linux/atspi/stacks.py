"""Piles of pages of which only one shows, told apart by asking what is at their middle (report 3, report 8).

Where all pages of a pile say that they show, the toolkit's own hit test knows better: it finds only what is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.bus import ATSPI, Refused, join_key, split_key
from deskhand.platforms.linux.atspi.quirks.base import Quirks
from deskhand.platforms.linux.atspi.raw import Questions, Raw

_DEEPEST = 40


def veiled(raw: Raw) -> Raw:
    """The element as one that does not show."""
    return replace(raw, bits=raw.bits & ~(words.SHOWING | words.VISIBLE))


class StackReader:
    """Finds the pages that are covered by their siblings."""

    def __init__(self, ask: Questions) -> None:
        self._bus, self._ask = ask.asker, ask

    async def covered(self, quirks: Quirks, level: Sequence[Raw], above: Mapping[str, Raw]) -> set[str]:
        """Keys of those of a level's elements that do not show though they say so. ``above``: all that is known."""
        piles: dict[str, list[str]] = {}
        for raw in level:
            if raw.parent is not None and quirks.stacked(raw):
                piles.setdefault(raw.parent, []).append(raw.key)
        found: set[str] = set()
        for parent, pages in piles.items():
            if len(pages) > 1 and parent in above:
                top = await self._climb(above[parent], frozenset(pages), quirks.frame, above)
                found |= set(pages) - {top} if top in pages else set()
        return found

    async def veil(self, quirks: Quirks, chain: Mapping[str, Raw]) -> dict[str, Raw]:
        """Elements read with their ancestors; pages below another page do not show, nor does what is in them."""
        found = await self._without_tabs_behind(quirks, chain) if quirks.web else dict(chain)
        for page in [raw for raw in chain.values() if quirks.stacked(raw) and raw.parent in chain]:
            climbed = await self._climb(chain[page.parent or ""], frozenset({page.key}), quirks.frame, chain)
            if climbed == page.parent:
                found[page.key] = veiled(page)
        return found

    async def _without_tabs_behind(self, quirks: Quirks, chain: Mapping[str, Raw]) -> dict[str, Raw]:
        """Pages of a browser's other tabs say that they show, too: a click on them would go to the one in front."""
        documents = [raw for raw in chain.values() if raw.number in words.DOCUMENT_ROLES and not raw.page]
        behind = {raw.key for raw in documents if quirks.behind(raw, await self._told_of(quirks, raw, chain))}
        for key, raw in chain.items():  # parents come before children
            if raw.parent in behind:
                behind.add(key)
        return {key: veiled(raw) if key in behind else raw for key, raw in chain.items()}

    async def _told_of(self, quirks: Quirks, page: Raw, chain: Mapping[str, Raw]) -> str | None:
        """What tells whether a page is in front, asked now."""
        if quirks.tabs_orphaned:
            return await self._ask.parent(page.key)
        if not quirks.front_embedded:
            return None
        top = page
        while (above := chain.get(top.parent or "")) is not None:
            top = above
        return await self._ask.embedded(top.key)

    async def _climb(self, pile: Raw, pages: frozenset[str], frame: int, known: Mapping[str, Raw]) -> str | None:
        """From what is drawn in the middle of the pile up to one of the pages, or to the pile itself past others.

        None where nothing there tells. GTK4 lists the pages as children in its cache only (``GetChildren`` leaves them
        out), but every page is the parent of what it holds.
        """
        if pile.bounds is None or pile.bounds.empty:
            return None
        app, path = split_key(pile.key)
        x, y = pile.bounds.centre
        try:
            found = await self._bus.call(app, path, ATSPI + "Component", "GetAccessibleAtPoint", "iiu", x, y, frame)
        except Refused:
            return None
        key: str | None = join_key(found)
        for _ in range(_DEEPEST):
            if key is None or key.endswith("/null"):
                return None
            if key in pages or key == pile.key:
                return key
            key = known[key].parent if key in known else await self._ask.parent(key)
        return None
