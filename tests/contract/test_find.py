"""find: pages that stay right while the desktop changes, roles and states by any name, bounded patterns."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pydantic import ValidationError

from deskhand.desktop.searching import EXPIRES
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform, FakeWindow, Widget
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import FindRequest
from deskhand.types.steps import Selector
from tests.contract.sessions import Session


def crowd(count: int = 30) -> tuple[Session, FakeWindow]:
    window = fake.window("Crowd", *(fake.button(f"Item {n}") for n in range(count)))
    return Session(FakePlatform(window)), window


def names(result: Any) -> list[str]:
    return [e.name for e in result.matches]


@pytest.mark.proves("A4")
async def test_pages_repeat_nothing_and_leave_nothing_out_while_the_desktop_changes() -> None:
    session, window = crowd()
    told: list[str] = []
    page = await session.find("item", limit=7)
    told += names(page)
    for gone in range(20):
        if page.cursor is None:
            break
        session.platform.remove(next(w for w in window.root.walk() if w.name == told[gone]))
        added = Widget("button", f"Item new {len(told)}", actions=("click",))
        session.platform.world.append(window.root, added)
        page = await session.find("item", limit=7, cursor=page.cursor)
        told += names(page)
    assert len(told) == len(set(told))
    there = {w.name for w in window.root.walk() if w.name.startswith("Item")}
    assert there - set(told) <= {added.name}


async def test_a_page_that_is_asked_for_again_is_told_again() -> None:
    session, _ = crowd()
    first = await session.find("item", limit=5)
    pages = [await session.desktop.find(FindRequest(cursor=first.cursor, limit=5)) for _ in range(2)]
    assert names(pages[0]) == names(pages[1])
    assert pages[0].cursor == pages[1].cursor


@pytest.mark.parametrize("cursor", ["2", "s99.1", "", "s1"])
async def test_a_cursor_that_is_not_kept_says_so(cursor: str) -> None:
    session, _ = crowd()
    with pytest.raises(DeskhandError) as raised:
        await session.find("item", cursor=cursor)
    assert raised.value.code == "snapshot_expired"
    assert "find again" in raised.value.message


async def test_a_cursor_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    session, _ = crowd()
    page = await session.find("item", limit=5)
    now = time.monotonic()
    monkeypatch.setattr("deskhand.desktop.searching.time.monotonic", lambda: now + EXPIRES + 1)
    with pytest.raises(DeskhandError, match="not kept"):
        await session.desktop.find(FindRequest(cursor=page.cursor))


async def test_a_cursor_is_for_its_own_search() -> None:
    session, _ = crowd()
    page = await session.find("item", limit=5)
    with pytest.raises(DeskhandError) as raised:
        await session.find("other", cursor=page.cursor)
    assert raised.value.code == "invalid_request"


@pytest.mark.parametrize(
    ("said", "meant"),
    [("push button", "button"), ("Entry", "textbox"), ("check box", "checkbox"), ("combo_box", "combobox"),
     ("page tab", "tab"), ("button", "button"), ("radio button", "radio"), ("hyperlink", "link")],
)  # fmt: skip
def test_roles_are_known_by_their_other_names(said: str, meant: str) -> None:
    assert FindRequest(role=said).role == meant
    assert Selector(role=said).role == meant


@pytest.mark.parametrize(("said", "near"), [("buton", "button"), ("textbx", "textbox"), ("menu-bat", "menubar")])
def test_an_unknown_role_names_near_ones(said: str, near: str) -> None:
    with pytest.raises(ValidationError, match=near):
        FindRequest(role=said)


def test_an_unknown_state_names_near_ones() -> None:
    with pytest.raises(ValidationError, match="disabled"):
        FindRequest(state="disabeld")
    assert FindRequest(state="checked").state == "on"


async def test_states_that_views_leave_unsaid_can_be_asked_for() -> None:
    tree = fake.tree("Places", fake.treeitem("Home", fake.treeitem("Docs")), fake.treeitem("Bin"))
    window = fake.window("Form", fake.checkbox("Wrap"), fake.checkbox("Bold", on=True), tree,
                         fake.button("Save", enabled=False), fake.textbox("Name"))  # fmt: skip
    session = Session(FakePlatform(window))
    for state, role, expected in (
        ("off", "checkbox", ["Wrap"]), ("on", "checkbox", ["Bold"]), ("collapsed", "treeitem", ["Home"]),
        ("disabled", "button", ["Save"]), ("enabled", "button", []), ("editable", "textbox", ["Name"]),
    ):  # fmt: skip
        found = await session.find("", role=role, state=state)
        assert names(found) == expected, state


def test_every_role_that_a_platform_tells_can_be_asked_for() -> None:
    from deskhand.desktop.semantics import roles
    from deskhand.platforms.linux.atspi.vocabulary import ROLES
    from deskhand.types.words import ROLES as KNOWN

    ours = roles.INTERACTIVE | roles.TEXTUAL | roles.GROUPING | roles.SECTIONS
    assert set(ROLES.values()) - KNOWN == set()
    assert ours - KNOWN == set()


@pytest.mark.proves("report-1")
@pytest.mark.parametrize("pattern", [r"(a+)+!", r"(a|a)*!", r"([a-z]+)*!"])
async def test_a_pattern_that_would_take_for_ever_is_refused(pattern: str) -> None:
    session = Session(FakePlatform(fake.window("Long", fake.button("a" * 60), fake.button("b"))))
    started = time.monotonic()
    with pytest.raises(DeskhandError, match="takes too long"):
        await session.act({"do": "press", "on": {"name": pattern, "match": "regex"}})
    assert time.monotonic() - started < 8
    assert session.platform.journal == []


async def test_patterns_find_what_they_mean() -> None:
    session, _ = crowd()
    result = await session.act({"do": "press", "on": {"name": "^Item (7|70)$", "match": "regex"}})
    assert result.failure is None
    result = await session.act({"do": "press", "on": {"name": r"^(It)em 1?3 *$", "match": "regex", "nth": 2}})
    assert result.failure is None
    assert '"Item 13"' in result.effects[0].target
