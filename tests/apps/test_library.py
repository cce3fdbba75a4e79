"""The library on a real editor: locators that wait, refuse what is not one, and tell what they found instead."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import deskhand
from deskhand import BatchStopped, DeskhandError, Desktop, ExpectationFailed, Window, expect
from deskhand.types.results import Judgement

pytestmark = [pytest.mark.apps]


class Person:
    """Says yes or no to the gate's questions, and remembers them."""

    def __init__(self) -> None:
        self.agrees = True
        self.asked: list[str] = []

    def __call__(self, question: Judgement) -> bool:
        self.asked.append(question.text)
        return self.agrees


@pytest.fixture
def person() -> Person:
    return Person()


@pytest.fixture
async def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, person: Person) -> AsyncIterator[Desktop]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    async with deskhand.connect("new", on_confirmation=person) as connected:
        yield connected


@pytest.fixture
async def editor(desktop: Desktop) -> Window:
    return await desktop.open("mousepad")


@pytest.mark.proves("A5", "A6", "C9")
async def test_an_editor_is_driven_by_locators_alone(desktop: Desktop, editor: Window, person: Person) -> None:
    text = editor.get_by_role("textbox").first
    assert (await text.fill("one")).verdict == "verified"
    await expect(text).to_have_value("one")
    assert (await text.append(" two")).after == '"one two"'
    await expect(text).to_have_text(re.compile("two$"))
    await expect(text).to_contain_text("one t")
    await expect(text).to_be_focused()
    assert await text.value() == "one two"

    await refusals_tell_what_is_there(desktop, editor)
    await waiting_ends_when_it_has_come(desktop, editor)
    await one_closing_is_one_question(desktop, editor, person)


async def refusals_tell_what_is_there(desktop: Desktop, editor: Window) -> None:
    with pytest.raises(DeskhandError, match=r'not_found: there is no button "Nope" in window .*; found "File"'):
        await editor.get_by_role("button", name="Nope").press(timeout=0.3)
    with pytest.raises(DeskhandError, match="6 elements are menu") as several:
        await editor.get_by_role("menu").press()
    assert several.value.code == "ambiguous_target"
    assert 'menu "File"' in several.value.candidates[0]
    held = r'expected textbox in window .* to hold "x"; found r\d+ textbox = "one two"'
    with pytest.raises(ExpectationFailed, match=held):
        await expect(editor.get_by_role("textbox")).to_have_value("x", timeout=0.3)
    with pytest.raises(DeskhandError, match='there is no window "Nowhere"; found'):
        await desktop.window("Nowhere").info(timeout=0.2)
    with pytest.raises(BatchStopped) as stopped:
        await desktop.act({"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.2})
    assert (stopped.value.code, stopped.value.sent, stopped.value.result.done) == ("wait_timeout", "no", 0)
    with pytest.raises(DeskhandError, match="invalid_request"):
        await desktop.act({"do": "pres", "on": "r1"})


async def waiting_ends_when_it_has_come(desktop: Desktop, editor: Window) -> None:
    about = desktop.window("About Mousepad")
    assert not await about.is_open()
    waiting = asyncio.create_task(about.get_by_role("button", name="Close").press(timeout=10))
    began = time.monotonic()
    await editor.menu("Help", "About")
    assert (await waiting).verdict in ("verified", "changed")
    assert time.monotonic() - began < 8
    await expect(about).to_be_gone()
    await expect(editor).to_be_open()


async def one_closing_is_one_question(desktop: Desktop, editor: Window, person: Person) -> None:
    person.agrees = False
    with pytest.raises(DeskhandError, match="confirmation_declined"):
        await editor.close()
    assert await editor.is_open()
    person.agrees = True
    await editor.close()
    await desktop.window("Save Changes").get_by_role("button", name="Don't Save").press()
    await expect(editor).to_be_gone()
    assert len(person.asked) == 2, person.asked


@pytest.mark.proves("C9")
async def test_without_anybody_to_ask_what_can_do_harm_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    async with deskhand.connect("new") as desktop:
        editor = await desktop.open("mousepad")
        await editor.get_by_role("textbox").fill("mine")
        with pytest.raises(DeskhandError) as refused:
            await editor.close()
        assert refused.value.code == "confirmation_required"
        assert refused.value.question.startswith("q")
        assert await editor.is_open()
