"""Refused steps on Mousepad, the file dialog and LibreOffice Calc, and malformed calls: nothing is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from deskhand.daemon.operations import Operations
from deskhand.isolation import NestedDesktop
from deskhand.types.errors import DeskhandError
from tests.apps import gate_stages as stages
from tests.apps.gate_stages import office, said, witness
from tests.apps.hands import Hands, Step, eventually, hands, launched, mousepad
from tests.apps.test_refusals import covered_by, screen_bounds
from tests.programs import running, zoo_gtk3

pytestmark = [pytest.mark.apps, pytest.mark.proves("A6")]


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    async with hands(isolated_desktop, tmp_path) as made:
        yield made


def on_an_editor(ref: str) -> list[Step]:
    return [
        {"do": "set", "on": ref, "value": "new"}, {"do": "append", "on": ref, "value": "new"},
        {"do": "type", "on": ref, "value": "new"}, {"do": "key", "on": ref, "keys": "a"}, {"do": "click", "on": ref},
        {"do": "select", "on": ref, "range": [0, 1]}, {"do": "drag", "on": ref, "to": [40, 10]},
    ]  # fmt: skip


async def test_the_editor_behind_a_file_dialog_gets_no_input(own: Hands, tmp_path: Path) -> None:
    file = tmp_path / "kept.txt"
    file.write_text(stages.KEPT, encoding="utf-8")
    async with mousepad(own, str(file)) as pid:
        editor = await own.ref("", await own.window("kept.txt"), "textbox")
        await own.done({"do": "menu", "path": ["File", "Save As…"]})
        await own.window("Save As")
        look = witness(own, pid, file)
        before = said(await look())
        for step in on_an_editor(editor):
            failure = await own.refused(step)
            assert (failure.code, '"Save As"' in failure.message) == ("occluded", True), (step, failure)
        await own.done({"do": "set", "on": {"role": "textbox", "name": "Name"}, "value": ""})
        await eventually(lambda: save_is_disabled(own), "the dialog does not take an empty name")
        for verb in ("press", "click"):
            failure = await own.refused({"do": verb, "on": {"role": "button", "name": "Save"}})
            assert failure.code == "disabled", failure
        await own.done({"do": "set", "on": {"role": "textbox", "name": "Name"}, "value": "kept.txt"})
        assert said(await look()) == before


async def save_is_disabled(own: Hands) -> bool:
    return any(e.name == "Save" and "disabled" in e.states for e in (await own.observe()).elements)


@pytest.mark.proves("report-15")
async def test_an_editor_that_is_covered_or_minimised_gets_no_input(own: Hands, tmp_path: Path) -> None:
    async with mousepad(own) as pid, running(zoo_gtk3("Above"), own.environment, tmp_path / "above") as above:
        window = await own.window("Mousepad")
        await own.done({"do": "window", "on": window, "op": "activate"})
        editor, look = await own.ref("", window, "textbox"), witness(own, pid)
        place = await screen_bounds(own, editor)
        await above.command(f"cover {place.x}|{place.y}|{place.w}|{place.h}")
        await eventually(lambda: covered_by(own, place), "the cover lies over it")
        before = said(await look())
        for step in on_an_editor(editor):
            assert (await own.refused(step)).code == "occluded", step
        assert said(await look()) == before
        assert above.pressed("Cover button") == 0
        await above.command("uncover")
        await own.done({"do": "window", "on": window, "op": "minimise"})
        for step in on_an_editor(editor):
            assert (await own.refused(step)).code == "hidden", step


async def test_a_menu_item_that_is_disabled_is_not_chosen(own: Hands) -> None:
    async with mousepad(own) as pid:
        await own.window("Mousepad")
        look = witness(own, pid)
        before = said(await look())
        failure = await own.failure({"do": "menu", "path": ["Edit", "Undo"]})
        assert (failure.code, failure.sent) == ("disabled", "yes")  # the menu was opened, and closed again
        assert said(await look()) == before
        assert not [window for window in await own.platform.windows() if window.popup]


async def test_cells_that_do_not_exist_and_values_that_do_not_fit_are_refused(own: Hands, tmp_path: Path) -> None:
    async with launched(own, *office(tmp_path)) as pid:
        await own.window("Calc")
        table, look = await own.ref("Sheet Sheet1"), witness(own, pid)
        before = said(await look())
        for index, code in (
            ("XFE1", "not_found"), ("A1048577", "not_found"), ("ZZZ9", "not_found"), ("1048577,1", "not_found"),
            ("1,16385", "not_found"), ("A0", "invalid_request"), ("B", "invalid_request"), ("", "invalid_request"),
            ("B2:D9", "invalid_request"), ("Sheet1.B2", "invalid_request"),
        ):  # fmt: skip
            for step in ({"do": "set", "value": "x"}, {"do": "click"}, {"do": "type", "value": "x"}, {"do": "press"}):
                failure = await own.refused({**step, "on": f"{table}[{index}]"})
                assert failure.code == code, (index, step, failure)
        for value in ("two\nlines", "a\ttab"):
            failure = await own.refused({"do": "set", "on": f"{table}[B2]", "value": value})
            assert failure.code == "value_rejected"
        for name in ("Move To Home", "Paste"):
            failure = await own.refused({"do": "click", "on": {"role": "button", "name": name}})
            assert failure.code == "disabled", (name, failure)
        assert said(await look()) == before


MALFORMED: dict[str, Any] = {
    "65 steps": [{"do": "press", "on": "r1"}] * 65, "no steps": [], "no list": {"do": "press", "on": "r1"},
    "no such verb": [{"do": "fly", "on": "r1"}], "no target": [{"do": "press"}],
    "no value": [{"do": "set", "on": "r1"}],
    "a fourth button": [{"do": "click", "on": "r1", "button": "fourth"}], "no end": [{"do": "drag", "on": "r1"}],
    "no path": [{"do": "menu", "path": []}], "nothing to select": [{"do": "select", "on": "r1"}],
    "no times": [{"do": "key", "keys": "a", "count": 0}], "a key held": [{"do": "click", "on": "r1", "mods": "Return"}],
    "bad after good": [{"do": "key", "keys": "a"}, {"do": "type"}], "no operation": [{"do": "window", "on": "w1"}],
    "an unknown field": [{"do": "press", "on": "r1", "force": True}],
    "no place": [{"do": "window", "on": "w1", "op": "move"}],
}  # fmt: skip


@pytest.mark.parametrize("what", MALFORMED)
async def test_a_call_that_is_not_well_formed_sends_nothing(own: Hands, tmp_path: Path, what: str) -> None:
    async with running(zoo_gtk3("Zoo"), own.environment, tmp_path / "zoo") as zoo:
        await own.window("Zoo")
        await own.observe()
        before, mark = dict(zoo.state), own.tap.mark()
        operations = Operations(own.session, own.gate, own.platform.release_all)
        with pytest.raises(DeskhandError) as refused:
            await operations.run("act", {"steps": MALFORMED[what]})
        assert (refused.value.code, refused.value.sent) == ("invalid_request", "no")
        assert len(refused.value.message.splitlines()) == 1
        assert own.tap.since(mark) == []
        assert zoo.state == before
