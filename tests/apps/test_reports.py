"""Kinds of fault that other tools were reported for, held against real applications: see docs/known-faults.md."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.isolation.processes import private_memory
from deskhand.types.errors import DeskhandError
from tests import sentinels
from tests.apps.gate_stages import office
from tests.apps.hands import Hands, eventually, hands, launched, mousepad
from tests.programs import Program, Running, asking, running, zoo_gtk3, zoo_gtk4

pytestmark = [pytest.mark.apps]

ZOOS: Mapping[str, Program] = {"gtk3": zoo_gtk3("Zoo"), "gtk4": zoo_gtk4("Zoo")}


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    async with hands(isolated_desktop, tmp_path) as made:
        yield made


@pytest.fixture(params=["gtk3", "gtk4"])
async def zoo(request: pytest.FixtureRequest, own: Hands, tmp_path: Path) -> AsyncIterator[Running]:
    """A zoo with its fields in front."""
    async with running(ZOOS[request.param], own.environment, tmp_path / "zoo") as started:
        await own.window("Zoo")
        await started.command("page 1")
        yield started


@pytest.fixture
async def gtk3(own: Hands, tmp_path: Path) -> AsyncIterator[Running]:
    async with running(ZOOS["gtk3"], own.environment, tmp_path / "zoo") as started:
        await own.window("Zoo")
        yield started


@pytest.mark.proves("report-1")
async def test_a_modal_dialog_that_an_action_opens_can_be_read_and_answered(own: Hands) -> None:
    async with mousepad(own):
        await own.window("Mousepad")
        began = time.monotonic()
        opened = await own.done({"do": "menu", "path": ["File", "Save As…"]})
        assert 'dialog "Save As"' in opened.text
        name = await own.ref("Name", role="textbox")
        await own.done({"do": "set", "on": name, "value": "note.txt"}, {"do": "key", "keys": "Escape"})
        assert time.monotonic() - began < 15


@pytest.mark.proves("report-1", "report-25")
async def test_an_action_that_blocks_its_application_ends_in_time_and_is_not_called_a_failure_to_send(
    own: Hands, gtk3: Running
) -> None:
    await gtk3.command("block 12")
    block = await own.ref("Block")
    began = time.monotonic()
    result = await own.act({"do": "press", "on": block})
    assert time.monotonic() - began < 11, "the application was still blocked"
    assert result.failure is None or result.failure.sent != "no", result.text
    assert result.failure is None or result.failure.code == "outcome_unknown", result.text
    await gtk3.until(lambda state: state["pressed"].get("Block") == 1, "the press was taken", 30)
    await eventually(own.observe, "it answers again")
    assert gtk3.pressed("Block") == 1


@pytest.mark.proves("A7", "report-25")
async def test_an_application_that_is_busy_with_what_it_was_told_is_waited_for(own: Hands, gtk3: Running) -> None:
    await gtk3.command("block 2")
    result = await own.act({"do": "press", "on": await own.ref("Block")})
    assert result.failure is None, result.text
    assert gtk3.pressed("Block") == 1
    assert (await own.act({"do": "press", "on": await own.ref("Save")})).failure is None


@pytest.mark.proves("report-7", "report-21")
async def test_one_stopped_application_is_named_and_hides_no_other(own: Hands, gtk3: Running, tmp_path: Path) -> None:
    stopped = await own.window("Zoo")
    async with running(zoo_gtk3("Other"), own.environment, tmp_path / "other"):
        other = await own.window("Other")
        gtk3.stop()
        try:
            began = time.monotonic()
            listed = {window.ref: window.responsive for window in (await own.apps()).windows}
            assert listed == {stopped: False, other: True}
            assert time.monotonic() - began < 3
            assert "Save" in [e.name for e in (await own.observe(other)).elements]
            with pytest.raises(DeskhandError) as refused:
                await own.observe(stopped)
            assert refused.value.code == "app_unresponsive"
            found = await own.find("Save")
            assert {hit.name for hit in found.matches} >= {"Save"}
            assert f"{stopped} could not be searched: app_unresponsive" in found.text
            assert time.monotonic() - began < 12
        finally:
            gtk3.resume()


@pytest.mark.proves("report-7", "A10")
async def test_a_window_without_a_tree_is_not_called_empty(own: Hands) -> None:
    async with launched(own, "xterm", "-T", "Bare", "-e", "sh"):
        await eventually(lambda: shown(own, "Bare"), "the terminal")
        view = await own.observe("Bare")
        assert "no accessibility tree: use screenshot" in view.text
        assert "no accessibility tree" in (await own.apps()).text
        assert "tells no accessibility tree" in (await own.find("Save")).text


async def shown(own: Hands, title: str) -> bool:
    return title in [window.title for window in (await own.apps()).windows]


@pytest.mark.proves("report-9")
async def test_a_spin_button_takes_a_number_and_shows_it(own: Hands, zoo: Running) -> None:
    copies = await own.ref("Copies")
    done = await own.done({"do": "set", "on": copies, "value": 4})
    assert (done.effects[0].before, done.effects[0].after, done.effects[0].verdict) == (1.0, 4.0, "verified")
    assert zoo.state["spin"] == 4
    assert (await own.refused({"do": "set", "on": copies, "value": 400})).code == "value_rejected"
    assert (await own.refused({"do": "set", "on": copies, "value": "many"})).code == "value_rejected"
    assert zoo.state["spin"] == 4


@pytest.mark.proves("report-10", "A9")
async def test_a_field_that_can_be_written_only_with_the_focus_gets_it_first(own: Hands, zoo: Running) -> None:
    notes, name = await own.ref("Notes"), await own.ref("Name", role="textbox")
    await own.done({"do": "focus", "on": notes})
    done = await own.done({"do": "set", "on": name, "value": "Grüße, мир 👍🏽"})
    assert done.effects[0].verdict == "verified"
    assert zoo.state["entry"] == "Grüße, мир 👍🏽"


@pytest.mark.proves("report-31", "A9")
async def test_set_replaces_and_the_second_time_changes_nothing(own: Hands, zoo: Running) -> None:
    name = await own.ref("Name", role="textbox")
    for verdict in ("verified", "unchanged", "unchanged"):
        mark = own.tap.mark()
        done = await own.done({"do": "set", "on": name, "value": "once"})
        assert done.effects[0].verdict == verdict
        assert verdict == "verified" or own.tap.since(mark) == []
    assert zoo.state["entry"] == "once"
    await own.done({"do": "append", "on": name, "value": " more"})
    assert zoo.state["entry"] == "once more"


def keys_down(own: Hands) -> Any:
    """Keycodes, and the pointer's mask of buttons and modifiers, as the X server says by another connection."""
    program = (
        "import json, sys; from Xlib import display; d = display.Display(); p = d.screen().root.query_pointer(); "
        "print(json.dumps([[n for n, byte in enumerate(d.query_keymap()) if byte], p.mask]))"
    )
    return json.loads(own_run(own, sys.executable, "-c", program))


def own_run(own: Hands, *command: str) -> str:
    done = subprocess.run(command, env=dict(own.environment), capture_output=True, text=True, timeout=20, check=True)
    return done.stdout


@pytest.mark.proves("report-13")
@pytest.mark.parametrize("what", ["typing", "a chord", "a drag", "a click with modifiers"])
async def test_nothing_stays_pressed_when_a_batch_is_cancelled(own: Hands, gtk3: Running, what: str) -> None:
    save = await own.ref("Save")
    await gtk3.command("page 1")
    notes = await own.ref("Notes")
    await gtk3.command("page 0")
    steps: dict[str, list[dict[str, Any]]] = {
        "typing": [{"do": "type", "on": notes, "value": "ABC äöü " * 300, "route": "keyboard"}],
        "a chord": [{"do": "key", "on": notes, "keys": "ctrl+shift+Left", "count": 100}],
        "a drag": [{"do": "drag", "on": save, "to": [200, 100]}] * 30,
        "a click with modifiers": [{"do": "click", "on": save, "mods": "ctrl+shift", "count": 100}],
    }
    if what in ("typing", "a chord"):
        await gtk3.command("page 1")
    mark = own.tap.mark()
    batch = asyncio.ensure_future(own.act(*steps[what]))
    kind = "key_press" if what in ("typing", "a chord") else "button_press"
    await eventually(lambda: len(own.events_of(kind, mark)) > 2 or batch.done(), f"{what} is under way")
    batch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await batch
    assert keys_down(own) == [[], 0]


@pytest.mark.proves("report-13")
async def test_nothing_stays_pressed_when_the_target_dies_during_a_drag(own: Hands, gtk3: Running) -> None:
    save = await own.ref("Save")
    gtk3.tell("later 3000|exit")
    mark = own.tap.mark()
    with sentinels.deliberate():  # where the window was, what was pressed on it is let go over the bare desktop
        failure = await own.failure(*[{"do": "drag", "on": save, "to": [150, 150]}] * 64)
    assert failure.code in ("window_gone", "stale_ref", "app_unresponsive", "outcome_unknown"), failure
    assert own.events_of("button_press", mark)
    assert keys_down(own) == [[], 0]


@pytest.mark.proves("report-16", "A3")
async def test_a_sheet_of_two_thousand_million_cells_is_read_by_what_shows(own: Hands, tmp_path: Path) -> None:
    async with launched(own, *office(tmp_path)) as pid:
        await own.window("Calc")
        table = await own.ref("Sheet Sheet1")
        await own.find("Sheet1")
        memory, slowest = private_memory(pid), 0.0
        for _ in range(25):
            began = time.monotonic()
            assert f"{table} table" in (await own.observe()).text
            slowest = max(slowest, time.monotonic() - began)
            await own.find("nothing that is there")
        cell = await own.done({"do": "set", "on": f"{table}[XFD1048576]", "value": "last"})
        assert cell.effects[0].verdict == "verified"
        assert slowest < 3
        assert private_memory(pid) - memory < 60 * 1024 * 1024


@pytest.mark.proves("report-22", "G7")
async def test_a_password_is_nowhere_to_be_read(own: Hands, zoo: Running) -> None:
    secret = "correct-horse-battery"
    field = await own.ref("Password")
    typed = {"do": "set", "on": field, "value": secret}
    refused = await own.refused(typed)
    own.gate.answer(refused.question, True)
    done = await own.done(typed, consent=refused.question)
    assert zoo.state["password"] == secret
    view, found = await own.observe(detail=["text", "hidden"]), await own.find("horse")
    told = [refused.message, done.text, done.model_dump_json(), view.text, view.model_dump_json(), found.text]
    told += [json.dumps(event) for event in own.log()]
    assert len(own.log()) > 5
    assert [text for text in told if secret in text or "horse-battery" in text] == []
    assert found.matches == []


@pytest.mark.proves("report-34", "A6")
async def test_a_window_that_takes_the_focus_gets_none_of_the_text(own: Hands, gtk3: Running) -> None:
    await gtk3.command("page 1")
    notes, name = await own.ref("Notes"), await own.ref("Name", role="textbox")
    await own.done({"do": "focus", "on": notes})
    await gtk3.command("thief Name")
    failure = await own.failure({"do": "type", "on": name, "value": "for the name only\n"}, {"do": "key", "keys": "a"})
    assert failure.code in ("focus_lost", "occluded"), failure
    assert await eventually(lambda: shown(own, "Thief"), "the thief's window")
    assert "loot" not in gtk3.state
    assert gtk3.state["entry"] in ("first", "for the name only"[: len(gtk3.state["entry"])])


@pytest.mark.proves("report-34", "C9")
@pytest.mark.parametrize("between", [" ", "\n"], ids=["a blank", "a line break"])
async def test_a_question_that_opens_while_it_is_typed_is_not_answered_by_the_text(
    own: Hands, tmp_path: Path, between: str
) -> None:
    async with running(asking(), own.environment, tmp_path / "asking") as program:
        field = await own.ref("Name", await own.window("Asking"), "textbox")
        steps = {"do": "type", "on": field, "value": f"the{between}quick brown fox", "route": "keyboard"}
        failure = await own.failure(steps)
        assert (failure.code, failure.sent) == ("focus_lost", "yes"), failure
        assert (program.state["text"], program.state["answers"]) == ("the", [])


@pytest.mark.proves("report-34", "A6")
async def test_keys_after_a_dialog_came_up_are_not_given_to_it(own: Hands, gtk3: Running) -> None:
    await gtk3.command("page 1")
    notes = await own.ref("Notes")
    await own.done({"do": "focus", "on": notes})
    gtk3.tell("later 250|ask")
    mark = own.tap.mark()
    failure = await own.failure({"do": "key", "keys": "a", "on": notes, "count": 100})
    assert (failure.code, failure.sent) == ("focus_lost", "yes")
    typed = gtk3.state["notes"]
    assert 0 < len(typed) < 100
    assert len(own.events_of("key_press", mark)) - len(typed) <= 1
    assert gtk3.state.get("dialog") == "question"


@pytest.mark.proves("report-23", "G7")
async def test_a_button_called_like_a_line_of_ours_forges_nothing(own: Hands, zoo: Running) -> None:
    forged = "OK r22, Delete"
    await zoo.command("page 0")
    ref = await own.ref(forged)
    view = await own.observe()
    assert f"{ref} " in view.text
    assert json.dumps(forged) in view.text
    assert forged not in view.text.replace(json.dumps(forged), "")
    found = await own.find(forged)
    assert [hit.ref for hit in found.matches] == [ref]
    done = await own.done({"do": "press", "on": ref})
    assert forged not in done.text.replace(json.dumps(forged), "")
    assert zoo.pressed(forged) == 1
    await zoo.command(f"disable {forged}")
    failure = await own.refused({"do": "press", "on": ref})
    said = " ".join([failure.message, failure.expected, failure.found, *failure.candidates])
    assert forged not in said.replace(json.dumps(forged), "")
