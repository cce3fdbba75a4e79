"""on_failure: undo on real applications: what the applications themselves hold afterwards is what they held before."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.apps.abilities_table import SUBJECTS
from tests.apps.subjects import calc, mousepad
from tests.apps.theatre import Theatre

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
BY_NAME = {subject.name: subject for subject in SUBJECTS}
FAILS = {"do": "press", "on": {"role": "button", "name": "There is no such button"}}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(request: pytest.FixtureRequest) -> AsyncIterator[Theatre]:
    made = Theatre(BY_NAME[request.param])
    yield made
    await made.close()


@pytest.mark.proves("A7")
@pytest.mark.parametrize("theatre", ["mousepad"], indirect=True, scope="module")
async def test_an_editor_holds_what_it_held(theatre: Theatre) -> None:
    stage = await theatre.set()
    await mousepad.fresh(stage, "one two three")
    editor = await stage.ref("textbox")
    await stage.do("clipboard", op="write", value="kept")

    result = await stage.act(
        {"do": "append", "on": editor, "value": " four"}, {"do": "type", "on": editor, "value": "!"},
        {"do": "select", "on": editor, "range": [0, 3]}, {"do": "clipboard", "op": "write", "value": "other"},
        {"do": "key", "keys": "shift+Right"},
        {"do": "window", "on": stage.window, "op": "move", "rect": [50, 60, 640, 480]}, FAILS, on_failure="undo",
    )  # fmt: skip

    assert result.failure is not None
    assert result.failure.code == "not_found", result.text
    assert result.undoing is not None
    assert [(left.step, left.do) for left in result.undoing.left if left.do == "key"] == [(5, "key")], result.text
    seen = await stage.seen("text")
    assert seen is not None
    text = (await stage.view()).text
    assert '"one two three"' in text, result.text
    assert (await stage.act({"do": "clipboard", "op": "read"})).effects[0].after == '"kept"'


@pytest.mark.proves("A7")
@pytest.mark.parametrize("theatre", ["calc"], indirect=True, scope="module")
async def test_a_sheets_cells_hold_what_they_held_formulas_too(theatre: Theatre) -> None:
    stage = await theatre.set()
    sheet = await calc.sheet(stage)
    await stage.do("set", on=f"{sheet}[L40]", value=4)
    await stage.do("set", on=f"{sheet}[M40]", value="=L40*2", verdict=None)
    await stage.until(lambda: calc.seen_cell(stage, 39, 12), lambda text: text == "8", "the formula is there")

    await stage.do("set", on=f"{sheet}[O40]", value=3.14159265, verdict=None)
    await stage.do("set", on=f"{sheet}[P40]", value="'12", verdict=None)

    result = await stage.act(
        {"do": "set", "on": f"{sheet}[P40]", "value": "other"}, {"do": "set", "on": f"{sheet}[O40]", "value": 7},
        {"do": "set", "on": f"{sheet}[L40]", "value": 7}, {"do": "set", "on": f"{sheet}[M40]", "value": "plain"},
        {"do": "set", "on": f"{sheet}[N40]", "value": "new"}, FAILS, on_failure="undo",
    )  # fmt: skip

    assert result.undoing is not None
    assert [(left.step, left.why) for left in result.undoing.left] == [
        (1, "it held a text that would come back as a number")
    ], result.text
    await stage.do("set", on=f"{sheet}[N40]", value="=O40*1000000", verdict=None)
    await stage.until(lambda: calc.seen_cell(stage, 39, 13), lambda text: text[:6] == "314159", "all digits are back")
    await stage.do("set", on=f"{sheet}[L40]", value=5)
    await stage.until(lambda: calc.seen_cell(stage, 39, 12), lambda text: text == "10", "the formula is there again")
