"""Steps that can do harm, on real applications: none is sent unasked, by the X server's and the application's word."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from deskhand.isolation import NestedDesktop
from tests.apps import gate_stages as stages
from tests.apps.gate_stages import Stage, said
from tests.apps.hands import Hands, Step, hands

pytestmark = [pytest.mark.apps]


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    async with hands(isolated_desktop, tmp_path) as made:
        yield made


def on(name: str, **step: Any) -> Step:
    """A step on the one button of this name."""
    return {"on": {"role": "button", "name": name}, **step}


def key(keys: str) -> Step:
    return {"do": "key", "keys": keys}


def menu(*path: str) -> Step:
    return {"do": "menu", "path": list(path)}


PASSWORD = {"role": "textbox", "name": "Password"}
RISKY: Mapping[str, tuple[Stage, list[Step]]] = {
    "a delete button, GTK3": (stages.zoo_page(0), [
        on("Delete", do="click"), on("Delete", do="press"), on("Delete", do="press", route="accessibility"),
        on("Delete", do="press", route="pointer"), on("Delete", do="click", count=2),
        on("Delete", do="click", mods="ctrl+shift"), on("Delete", do="key", keys="Return"),
        on("Delete", do="key", keys="space"), on("Delete", do="type", value=" "),
        on("Delete", do="invoke", action="click"),
    ]),
    "a delete button, GTK4": (stages.gtk4, [
        on("Delete", do="click"), on("Delete", do="press"), on("Delete", do="key", keys="KP_Enter"),
        on("Delete", do="key", keys="space"),
    ]),
    "a question about deleting": (stages.prompt("Ask delete", "Delete"), [
        on("Delete", do="press"), on("Delete", do="click"), key("Return"), key("space"), key("alt+d"),
    ]),
    "a question about replacing": (stages.prompt("Ask overwrite", "Replace"), [
        on("Replace", do="press"), key("Return"),
    ]),
    "a question about saving": (stages.prompt("Ask close", "Save"), [
        on("Close without saving", do="press"), on("Close without saving", do="click"),
        on("Close without saving", do="key", keys="space"),
    ]),
    "a password field": (stages.zoo_page(1), [
        {"do": "set", "on": PASSWORD, "value": "hunter2"}, {"do": "type", "on": PASSWORD, "value": "hunter2"},
        {"do": "append", "on": PASSWORD, "value": "hunter2"}, {"do": "key", "on": PASSWORD, "keys": "h"},
    ]),
    "an edited text": (stages.changed_text, [
        key("ctrl+q"), key("Control_L + q"), key("ctrl+w"), key("alt+F4"), menu("File", "Close Tab"),
        menu("File", "Close Window"), menu("File", "Quit"), menu("File", "Reload"), menu("File", "Clear History"),
        {"do": "window", "on": "Mousepad", "op": "close"},
    ]),
    "Mousepad asks whether to save": (stages.asked_to_save, [
        on("Don't Save", do="press"), on("Don't Save", do="click"), on("Don't Save", do="key", keys="Return"),
        key("alt+d"),
    ]),
    "the file dialog asks whether to replace": (stages.overwriting, [
        on("Replace", do="press"), on("Replace", do="click"), on("Replace", do="key", keys="Return"), key("alt+r"),
    ]),
    "an edited sheet": (stages.sheet, [key("ctrl+q"), menu("File", "Exit LibreOffice")]),
    "LibreOffice asks whether to save": (stages.asked_to_save_sheet, [
        on("Don’t Save", do="press"), on("Don’t Save", do="click"), on("Don’t Save", do="key", keys="space"),
        key("alt+n"),
    ]),
    "a calculator": (stages.calculator, [key("ctrl+q"), key("cmd+q")]),
    "a shell": (stages.shell, [
        {"do": "type", "value": "touch made-by-the-shell\n"}, key("Return"), key("ctrl+d"),
        {"do": "type", "value": "x"},
    ]),
}  # fmt: skip


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize("name", RISKY)
async def test_no_risky_step_is_sent_unasked(own: Hands, tmp_path: Path, name: str) -> None:
    stage, steps = RISKY[name]
    async with stage(own, tmp_path) as look:
        before = said(await look())
        for step in steps:
            failure = await own.refused(step)
            assert (failure.code, bool(failure.question)) == ("confirmation_required", True), (step, failure)
            assert said(await look()) == before, step


@pytest.mark.proves("C9", "report-37")
async def test_a_risky_step_in_the_middle_of_a_batch_keeps_the_whole_batch_back(own: Hands, tmp_path: Path) -> None:
    async with stages.zoo_page(0)(own, tmp_path) as look:
        before = said(await look())
        failure = await own.refused(on("Save", do="click"), on("Delete", do="click"), on("Save", do="press"))
        assert failure.code == "confirmation_required"
        assert 'step 2 click on button "Delete"' in failure.message
        assert said(await look()) == before


def test_there_are_more_than_forty_of_them() -> None:
    assert sum(len(steps) for _, steps in RISKY.values()) >= 40
