"""A browser's page that is not told yet is waited for, once, and said to be missing after that."""

from __future__ import annotations

import pytest

from deskhand.platforms.base import ReadLimits
from deskhand.platforms.linux import pages
from deskhand.platforms.linux.feed import ChangeFeed
from deskhand.platforms.linux.pages import NOT_TOLD, PageWait
from deskhand.types.nodes import Node, Tree

ROOT = ":1.1/window"


def tree(*nodes: Node) -> Tree:
    whole = (Node(ROOT, None, "window"), Node(":1.1/tabs", ROOT, "tablist"), *nodes)
    return Tree(ROOT, {node.key: node for node in whole})


EMPTY = tree(Node(":1.1/page", ROOT, "document"))
TOLD = tree(Node(":1.1/page", ROOT, "document", child_count=3))
ADDRESS = tree(Node(":1.1/page", ROOT, "document", text="http://127.0.0.1/"))
DIALOG = Tree(ROOT, {ROOT: Node(ROOT, None, "window")})


class Browser:
    """Tells one tree after the other; each read changes something, as a page that is coming does."""

    def __init__(self, *trees: Tree, web: bool = True) -> None:
        self.trees, self.told, self.events, self._web = list(trees), 0, ChangeFeed(), web

    async def read(self, root: str, limits: ReadLimits) -> Tree:
        self.told += 1
        self.events.announce()
        return self.trees.pop(0) if len(self.trees) > 1 else self.trees[0]

    def web(self, key: str) -> bool:
        return self._web


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PAGE_SECONDS", 0.2)
    monkeypatch.setattr(pages, "LOOK", 0.02)


@pytest.mark.proves("report-5")
@pytest.mark.parametrize("before", [tree(), EMPTY], ids=["no document", "an empty one"])
@pytest.mark.parametrize("after", [TOLD, ADDRESS], ids=["filled", "with an address"])
async def test_a_page_told_a_moment_later_is_in_the_first_view(before: Tree, after: Tree) -> None:
    browser = Browser(before, before, after)
    assert await PageWait(browser, browser.events).read(ROOT, ReadLimits()) is after
    assert browser.told == 3


@pytest.mark.proves("report-5")
@pytest.mark.parametrize("never", [tree(), EMPTY], ids=["no document", "an empty one"])
async def test_a_page_that_is_not_told_is_said_to_be_missing_and_waited_for_once(never: Tree) -> None:
    browser = Browser(never)
    wait = PageWait(browser, browser.events)
    assert (await wait.read(ROOT, ReadLimits())).notes == (NOT_TOLD,)
    told = browser.told
    assert told > 1
    assert (await wait.read(ROOT, ReadLimits())).notes == (NOT_TOLD,)
    assert browser.told == told + 1


@pytest.mark.parametrize(
    "browser",
    [Browser(TOLD), Browser(DIALOG), Browser(EMPTY, web=False)],
    ids=["a page", "a window without tabs", "no browser"],
)
async def test_nothing_else_is_read_twice(browser: Browser) -> None:
    assert not (await PageWait(browser, browser.events).read(ROOT, ReadLimits())).notes
    assert browser.told == 1
