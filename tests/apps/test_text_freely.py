"""The same text through the contract, by whatever way is surest: exact, told truthfully, nothing borrowed kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.policy.gate import DefaultGate
from deskhand.sessions.recorder import NoRecorder
from tests.apps.hands import Hands, eventually, hands
from tests.apps.text_fields import TextField, mixed_text, text_field
from tests.apps.x11_rig import Rig, rig
from tests.contract.sessions import Counting

pytestmark = [pytest.mark.apps]

BOX = {"role": "textbox"}
LINES = "def one():\n    return 1\n\n\tindented ＠ 日本\n"


@pytest.fixture
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(isolated_desktop) as one:
        yield one


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    gate = DefaultGate(Counting(), NoRecorder(), ("unknown_focus",))  # lines into a field without a name
    async with hands(isolated_desktop, tmp_path, gate=gate) as one:
        yield one


async def readable(own: Hands) -> None:
    """The text field is in the active window's view."""

    async def look() -> bool:
        return any(element.role == "textbox" for element in (await own.observe()).elements)

    await eventually(look, "a text field")


@pytest.fixture(params=("gtk3", "gtk4"))
async def field(made: Rig, request: pytest.FixtureRequest) -> AsyncIterator[TextField]:
    async with text_field(made, request.param) as started:
        yield started


@pytest.mark.proves("A9", "report-12", "report-31", "report-39")
async def test_long_and_many_lined_text_arrives_exactly_once(field: TextField, own: Hands) -> None:
    text = mixed_text()
    await readable(own)
    field.rig.layout("fr")
    await own.done({"do": "clipboard", "op": "write", "value": "the user's"})
    before = field.rig.keyboard_map()

    typed = await own.done({"do": "type", "on": BOX, "value": text})
    assert await field.text() == text
    assert typed.effects[0].verdict == "verified"

    appended = await own.done({"do": "append", "on": BOX, "value": LINES})
    assert await field.text() == text + LINES
    assert appended.effects[0].verdict == "verified"

    replaced = await own.done({"do": "set", "on": BOX, "value": LINES * 3})
    assert await field.text() == LINES * 3
    assert replaced.effects[0].verdict == "verified"

    by_keys = await own.done({"do": "set", "on": BOX, "value": "a\nb Ж ^", "route": "keyboard"})
    assert await field.text() == "a\nb Ж ^"
    assert by_keys.effects[0].verdict == "verified"

    held = await own.done({"do": "clipboard", "op": "read"})
    assert held.effects[0].read == "the user's"
    assert field.rig.keyboard_map() == before


@pytest.mark.proves("A9", "A7")
@pytest.mark.parametrize("toolkit", ["gtk4"])
async def test_a_field_that_changes_what_it_is_given_is_not_called_done(made: Rig, own: Hands, toolkit: str) -> None:
    async with text_field(made, toolkit, "single") as field:
        await readable(own)
        failure = await own.failure({"do": "set", "on": BOX, "value": "more than eight"})
        assert failure.code == "value_rejected"
        assert failure.sent == "yes"
        assert failure.found == '"more tha"'
        assert await field.text() == "more tha"
