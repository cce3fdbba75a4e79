"""What is no text goes nowhere, whatever the route; and what was sent is said to be sent."""

from __future__ import annotations

import pytest

from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from tests.contract.sessions import Session


def editor() -> Session:
    window = fake.window("Editor", fake.textbox("Name", "old"), fake.textarea("Notes", "old"), fake.checkbox("Wrap"))
    return Session(FakePlatform(window))


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "bell\x07", "lone\rreturn", "\x1b[2J", "\x85", "\ufffe"])
@pytest.mark.parametrize("verb", ["set", "append", "type"])
@pytest.mark.parametrize("route", [None, "accessibility", "keyboard"])
async def test_what_is_no_text_is_refused_before_the_first_step(text: str, verb: str, route: str | None) -> None:
    session = editor()
    step = {"do": verb, "on": {"name": "Notes", "role": "textbox"}, "value": text}
    with pytest.raises(DeskhandError) as refused:
        await session.act({"do": "check", "on": {"name": "Wrap"}}, {**step, **({"route": route} if route else {})})
    assert (refused.value.code, refused.value.sent) == ("unsendable_text", "no")
    assert refused.value.message.startswith("step 2: U+")
    assert session.platform.journal == []


async def test_lines_that_end_as_in_windows_are_lines() -> None:
    session = editor()
    done = await session.act({"do": "set", "on": {"name": "Notes", "role": "textbox"}, "value": "a\r\nb"})
    assert (done.effects[0].after, done.effects[0].verdict) == ('"a\\nb"', "verified")


@pytest.mark.parametrize("verb", ["set", "append"])
async def test_a_text_refused_after_a_chord_does_not_hide_the_chord(verb: str) -> None:
    session = editor()
    session.platform.faults.fail("type_text", DeskhandError("unsendable_text", "this keyboard has no key for it"))
    step = {"do": verb, "on": {"name": "Name", "role": "textbox"}, "value": "ж", "route": "keyboard"}
    stopped = await session.act(step)
    assert stopped.failure is not None
    assert (stopped.failure.code, stopped.failure.sent) == ("unsendable_text", "yes")
