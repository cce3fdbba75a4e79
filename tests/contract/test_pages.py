"""Long text by pages: every character once, whole, with the next call told."""

from __future__ import annotations

import json
import re

import pytest

from deskhand.desktop.semantics.quoting import tokens
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from tests.contract.sessions import Session

TEXT = "".join(f'{n}: Привет 日本語 👍🏽 e\u0301 👩\u200d👧 "quoted" \\ and\ttabs\n' for n in range(600))


def book() -> Session:
    return Session(FakePlatform(fake.window("Book", fake.textarea("Page", TEXT), fake.password("Secret", "hunter2"))))


@pytest.mark.proves("A1", "report-24")
@pytest.mark.parametrize("budget", [80, 700, 2000])
async def test_pages_put_together_are_the_text(budget: int) -> None:
    session = book()
    ref, said, first = await session.ref("Page"), "", 0
    while True:
        view = await session.observe(target=ref, detail=["text"], budget=budget, **{"from": first})
        assert tokens(view.text) <= budget
        line = next(line for line in view.text.splitlines() if " text " in line)
        assert f" text {first}.." in line
        said += json.loads(line[line.index(": ") + 2 :])
        go_on = re.search(r"from (\d+)$", view.text)
        if go_on is None:
            break
        first = int(go_on[1])
        if budget == 80 and first > 2000:
            said += TEXT[first:]
            break
    assert said == TEXT


async def test_no_page_begins_with_what_belongs_to_the_character_before() -> None:
    session = book()
    ref, first = await session.ref("Page"), 0
    for _ in range(40):
        view = await session.observe(target=ref, detail=["text"], budget=75, **{"from": first})
        first = int(re.findall(r"from (\d+)$", view.text)[0])
        assert TEXT[first] not in "\u0301\u200d\U0001f3fd"
        assert TEXT[first - 1] != "\u200d"


async def test_a_view_that_cuts_a_text_says_what_to_call() -> None:
    session = book()
    view = await session.observe()
    assert "+n is cut: detail text" in view.text
    whole = await session.observe(target=await session.ref("Page"), detail=["text"])
    assert "0 above" in whole.text
    assert "; go on: observe r1, detail text, from " in whole.text


async def test_what_was_asked_for_and_no_more_is_told() -> None:
    session = book()
    view = await session.observe(target=await session.ref("Page"), detail=["text"], **{"from": 3, "to": 9})
    assert f'text 3..9 of {len(TEXT)}: "Привет"' in view.text
    assert f"… 3 above, {len(TEXT) - 9} below; go on:" in view.text


async def test_beyond_the_end_is_refused_and_a_secret_is_not_read() -> None:
    session = book()
    with pytest.raises(DeskhandError, match="ask from 0 to"):
        await session.observe(target=await session.ref("Page"), **{"from": 10**6})
    with pytest.raises(DeskhandError, match="a secret"):
        await session.observe(target=await session.ref("Secret"), **{"from": 0})
