"""What is refused emits nothing: the X server saw no event, the application's own state is what it was."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from deskhand.isolation import NestedDesktop
from tests.apps.hands import Hands, Step, hands
from tests.programs import Program, Running, running, zoo_gtk3, zoo_gtk4

pytestmark = [pytest.mark.apps, pytest.mark.proves("A6")]

ZOOS: Mapping[str, Program] = {"gtk3": zoo_gtk3("Zoo"), "gtk4": zoo_gtk4("Zoo")}


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    async with hands(isolated_desktop, tmp_path) as made:
        yield made


@pytest.fixture(params=["gtk3", "gtk4"])
async def zoo(request: pytest.FixtureRequest, own: Hands, tmp_path: Path) -> AsyncIterator[Running]:
    async with running(ZOOS[request.param], own.environment, tmp_path / "zoo") as started:
        await own.window("Zoo")
        yield started


def on_a_button(ref: str) -> list[Step]:
    """Every step that makes sense on a button."""
    return [
        {"do": "press", "on": ref}, {"do": "press", "on": ref, "route": "pointer"}, {"do": "click", "on": ref},
        {"do": "click", "on": ref, "button": "right", "mods": "ctrl"}, {"do": "hover", "on": ref},
        {"do": "drag", "on": ref, "to": [30, 30]}, {"do": "focus", "on": ref},
        {"do": "key", "keys": "space", "on": ref}, {"do": "type", "value": " ", "on": ref},
        {"do": "invoke", "on": ref, "action": "click"},
    ]  # fmt: skip


def on_a_field(ref: str) -> list[Step]:
    """Every step that makes sense on a text field."""
    return [
        {"do": "set", "on": ref, "value": "new"}, {"do": "append", "on": ref, "value": "new"},
        {"do": "type", "on": ref, "value": "new"}, {"do": "key", "on": ref, "keys": "ctrl+a"},
        {"do": "click", "on": ref}, {"do": "select", "on": ref, "range": [0, 2]},
    ]  # fmt: skip


def told(zoo: Running) -> dict[str, Any]:
    """The application's state but for the count of the test's own commands."""
    return {name: value for name, value in zoo.state.items() if name != "commands"}


async def assert_refused(own: Hands, zoo: Running, code: str, steps: list[Step]) -> None:
    """Each step, alone and before a second one, is refused with ``code`` and changes nothing."""
    before = told(zoo)
    for step in steps:
        failure = await own.refused(step, {"do": "key", "keys": "Escape"})
        assert failure.code == code, (step, failure)
        assert failure.message
    assert told(zoo) == before


async def field(own: Hands, zoo: Running) -> str:
    """The text field called Name, on the page that shows."""
    await zoo.command("page 1")
    return await own.ref("Name", role="textbox")


async def test_the_tap_sees_a_deliberate_click_and_key(own: Hands, zoo: Running) -> None:
    save = await own.ref("Save")
    mark = own.tap.mark()
    await own.done({"do": "click", "on": save})
    assert [event.kind for event in own.tap.since(mark)] == ["motion", "button_press", "button_release"]
    assert zoo.pressed("Save") == 1
    name, mark = await field(own, zoo), own.tap.mark()
    await own.done({"do": "type", "on": name, "value": "x"})
    assert [event.kind for event in own.tap.since(mark)][-2:] == ["key_press", "key_release"]
    assert "x" in zoo.state["entry"]


async def test_a_replaced_element_gets_no_input(own: Hands, zoo: Running) -> None:
    ref = await own.ref("Replaced")
    await zoo.command("replace Replaced")
    await assert_refused(own, zoo, "stale_ref", on_a_button(ref))
    assert zoo.pressed("Replaced") == 0


async def test_a_renamed_element_gets_no_input(own: Hands, zoo: Running) -> None:
    ref = await own.ref("Renamed")
    await zoo.command("rename Renamed|Delete everything")
    await assert_refused(own, zoo, "stale_ref", on_a_button(ref))


@pytest.mark.parametrize(("command", "code"), [("disable", "disabled"), ("hide", "hidden")])
async def test_a_button_that_cannot_be_pressed_gets_no_input(own: Hands, zoo: Running, command: str, code: str) -> None:
    ref = await own.ref("Save")
    await zoo.command(f"{command} Save")
    await assert_refused(own, zoo, code, on_a_button(ref))


@pytest.mark.parametrize(("command", "code"), [("disable", "disabled"), ("hide", "hidden")])
async def test_a_field_that_cannot_be_written_gets_no_input(own: Hands, zoo: Running, command: str, code: str) -> None:
    ref = await field(own, zoo)
    await zoo.command(f"{command} Name")
    await assert_refused(own, zoo, code, on_a_field(ref))
