"""What is refused emits nothing: the X server saw no event, the application's own state is what it was."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.types.geometry import Rect
from tests.apps.hands import Hands, Step, eventually, hands
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
        {"do": "drag", "on": ref, "to": [3, 3]}, {"do": "focus", "on": ref},
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


async def screen_bounds(own: Hands, ref: str) -> Rect:
    """Where an element is, in root pixels."""
    view = await own.observe(detail=["bounds"])
    bounds = next(e.bounds for e in view.elements if e.ref == ref)
    assert bounds is not None
    return Rect(*bounds)


@pytest.mark.proves("report-15")
async def test_an_element_below_another_applications_window_gets_no_input(
    own: Hands, zoo: Running, tmp_path: Path
) -> None:
    ref = await own.ref("Save", "Zoo")
    place = await screen_bounds(own, ref)
    async with running(zoo_gtk3("Above"), own.environment, tmp_path / "above") as above:
        await above.command(f"cover {place.x - 20}|{place.y - 20}|{place.w + 40}|{place.h + 40}")
        await eventually(lambda: covered_by(own, place), "the cover lies over it")
        await assert_refused(own, zoo, "occluded", on_a_button(ref))
        failure = await own.refused({"do": "click", "on": ref})
        assert '"Cover"' in failure.message
        assert above.pressed("Cover button") == 0


async def covered_by(own: Hands, place: Rect) -> bool:
    windows = {window.key: window.title for window in await own.platform.windows()}
    return windows.get(await own.platform.window_at(*place.centre) or "") == "Cover"


async def test_nothing_goes_behind_a_modal_dialog(own: Hands, zoo: Running) -> None:
    button = await own.ref("Save", "Zoo")
    await zoo.command("ask")
    await own.window("Question")
    await assert_refused(own, zoo, "occluded", on_a_button(button))


async def test_nothing_goes_to_a_minimised_window(own: Hands, zoo: Running) -> None:
    button, window = await own.ref("Save"), await own.window("Zoo")
    await own.done({"do": "window", "on": window, "op": "minimise"})
    await assert_refused(own, zoo, "hidden", on_a_button(button))


async def test_nothing_goes_to_a_window_that_has_closed(own: Hands, zoo: Running) -> None:
    button, window = await own.ref("Save"), await own.window("Zoo")
    zoo.end()
    await eventually(lambda: gone(own, window), "the window has gone")
    for step in (*on_a_button(button), *on_a_field(button), {"do": "window", "on": window, "op": "maximise"}):
        assert (await own.refused(step)).code == "window_gone", step
    assert (await own.refused({"do": "menu", "path": ["File", "New"], "in": window})).code == "window_gone"


async def gone(own: Hands, ref: str) -> bool:
    return ref not in [window.ref for window in (await own.apps()).windows]


async def test_unknown_refs_and_targets_that_are_none_get_no_input(own: Hands, zoo: Running) -> None:
    button, before = await own.ref("Save"), told(zoo)
    for target, code in (
        ("r99999", "unknown_ref"), ("r0", "invalid_request"), ("Save", "invalid_request"),
        ("button", "invalid_request"), (f"{button}[x y]", "invalid_request"), ("r99999[B7]", "unknown_ref"),
        (f"{button}[1,1]", "not_found"), (f"{button}[B7]", "not_found"),
    ):  # fmt: skip
        for step in (*on_a_button(target), *on_a_field(target)):
            assert (await own.refused(step)).code == code, step
    assert (await own.refused({"do": "window", "on": "w99999", "op": "close"})).code == "unknown_ref"
    selector = {"role": "button", "name": "Sav"}
    assert (await own.refused({"do": "click", "on": selector})).code == "not_found"
    assert told(zoo) == before


async def test_a_drag_onto_nothing_picks_nothing_up(own: Hands, zoo: Running) -> None:
    ref, before = await own.ref("Save"), told(zoo)
    for onto, code in (("r99999", "unknown_ref"), ("Save", "invalid_request")):
        assert (await own.refused({"do": "drag", "on": ref, "to": onto})).code == code
    await zoo.command("disable Renamed")
    failure = await own.refused({"do": "drag", "on": ref, "to": await own.ref("Renamed")})
    assert failure.code == "disabled"
    assert told(zoo) == before


async def test_what_does_not_fit_the_element_is_refused_before_input(own: Hands, zoo: Running) -> None:
    button, before = await own.ref("Save"), told(zoo)
    for step, code in (
        ({"do": "set", "on": button, "value": "x"}, "unsupported_action"),
        ({"do": "append", "on": button, "value": "x"}, "unsupported_action"),
        ({"do": "check", "on": button}, "unsupported_action"),
        ({"do": "select", "on": button, "items": ["x"]}, "not_found"),
        ({"do": "invoke", "on": button, "action": "fly"}, "unsupported_action"),
        ({"do": "key", "keys": "ctrl+nonsense"}, "invalid_request"),
    ):  # fmt: skip
        failure = await own.refused(step)
        assert failure.code == code, (step, failure)
    assert told(zoo) == before


@pytest.fixture
async def lists(own: Hands, tmp_path: Path) -> AsyncIterator[Running]:
    """The GTK3 zoo's page of lists and tables."""
    async with running(ZOOS["gtk3"], own.environment, tmp_path / "zoo") as started:
        await own.window("Zoo")
        await started.command("page 2")
        yield started


async def test_a_cell_outside_of_its_table_gets_no_input(own: Hands, lists: Running) -> None:
    table, before = await own.ref("Files"), told(lists)
    for index in ("4,1", "99", "1,4", "D1", "A99", "ZZZ1"):
        for verb in ("press", "click", "hover", "focus"):
            failure = await own.refused({"do": verb, "on": f"{table}[{index}]"})
            assert failure.code == "not_found", (index, verb, failure)
        assert (await own.refused({"do": "set", "on": f"{table}[{index}]", "value": "x"})).code == "not_found"
    for index in ("0,1", "0", "-1", "A0", "Files", ""):
        assert (await own.refused({"do": "click", "on": f"{table}[{index}]"})).code == "invalid_request", index
    assert told(lists) == before


async def test_an_item_that_is_not_there_is_not_selected(own: Hands, lists: Running) -> None:
    fruit, before = await own.ref("Fruit"), told(lists)
    failure = await own.refused({"do": "select", "on": fruit, "items": ["Durian"]})
    assert failure.code == "not_found"
    assert told(lists) == before


async def test_a_menu_path_that_does_not_exist_chooses_nothing(own: Hands, lists: Running) -> None:
    before = told(lists)
    assert (await own.refused({"do": "menu", "path": ["Fiel", "New"]})).code == "not_found"
    failure = await own.failure({"do": "menu", "path": ["File", "Newt"]})
    assert (failure.code, failure.sent) == ("not_found", "yes")  # the menu was opened and closed again
    assert told(lists) == before
    assert not [window for window in await own.platform.windows() if window.popup]
