"""Kinds of fault that are Qt's and Java's own: how they come to the accessibility bus, and what they tell there."""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.atspi.bus import ATSPI, split_key
from tests.apps.hands import Hands, hands, launched
from tests.programs import Program, compiled, running, zoo_qt, zoo_swing

pytestmark = [pytest.mark.apps]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("swing"))


@pytest.fixture(params=["qt", "swing"])
def zoo(request: pytest.FixtureRequest, classes: Path) -> Program:
    return zoo_qt("Zoo") if request.param == "qt" else zoo_swing(classes, "Zoo")


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    async with hands(isolated_desktop, tmp_path) as made:
        yield made


def root_property(environment: Mapping[str, str]) -> str:
    command = ["xprop", "-root", "AT_SPI_BUS"]
    return subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=True).stdout


@pytest.mark.proves("report-6", "A1")
async def test_a_qt5_application_can_be_read_as_soon_as_it_is_open(own: Hands) -> None:
    """Qt 5 takes the bus's address from the root window alone: see docs/decisions/0030-qt5-root-property.md."""
    assert own.environment["AT_SPI_BUS_ADDRESS"] in root_property(own.environment)
    async with launched(own, "true"):  # whatever is opened below ends with this
        opened = await own.open(app="featherpad")
        view = await own.observe(opened.window)
    assert [e.name for e in view.elements if e.role == "button"], view.text
    assert any(e.role == "textbox" for e in view.elements), view.text


@pytest.mark.proves("report-17", "A5")
async def test_actions_keep_their_untranslated_names(own: Hands, tmp_path: Path) -> None:
    async with running(zoo_qt("Zoo", "de"), own.environment, tmp_path / "zoo") as program:
        assert program.state["translated"]
        await own.window("Zoo")
        save = await own.ref("Save")
        key = own.session._world.refs.told(save).key
        listed = await own.platform.bus.call(*split_key(key), ATSPI + "Action", "GetActions")
        spoken = {name: description for name, description, _ in listed}["Press"]
        assert spoken != "Triggers the action", "Qt did not translate what it says of it"
        failure = await own.refused({"do": "invoke", "on": save, "action": spoken})
        assert failure.found.split(", ")[0] == "Press"
        await own.done({"do": "invoke", "on": save, "action": "Press"})
        await program.until(lambda state: state["pressed"].get("Save") == 1, "the press")


@pytest.mark.proves("report-22", "G7")
async def test_a_password_is_nowhere_to_be_read(own: Hands, zoo: Program, tmp_path: Path) -> None:
    secret = "correct-horse-battery"
    async with running(zoo, own.environment, tmp_path / "zoo") as program:
        await own.window("Zoo")
        await program.command("page 1")
        field = await own.ref("Password", role="textbox")
        typed = {"do": "set", "on": field, "value": secret}
        refused = await own.refused(typed)
        own.gate.answer(refused.question, True)
        done = await own.done(typed, consent=refused.question)
        await program.until(lambda state: state["password"] == secret, "the password")
        view, found = await own.observe(detail=["text", "hidden"]), await own.find("horse")
    told = [refused.message, done.text, done.model_dump_json(), view.text, view.model_dump_json(), found.text]
    told += [json.dumps(event) for event in own.log()]
    assert [text for text in told if secret in text or "horse-battery" in text] == []
    assert found.matches == []
