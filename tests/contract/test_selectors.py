"""A selector stands wherever an element does, and means exactly one."""

from __future__ import annotations

from typing import Any

import pytest

from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.geometry import Rect
from deskhand.types.requests import ScreenshotRequest
from tests.contract.sessions import Session

NAME = {"role": "textbox", "name": "Name"}


def session() -> Session:
    left = fake.group("Left", fake.button("Go"), fake.button("Stop"))
    right = fake.group("Right", fake.button("Go"), fake.button("Other"))
    window = fake.window("Form", fake.menubar(fake.menu("File", fake.menuitem("Quit")), fake.menu("Edit")),
                         fake.textbox("Name", "old"), left, right, at=Rect(0, 0, 640, 600))  # fmt: skip
    return Session(FakePlatform(window))


async def test_selectors_are_observed_and_pictured() -> None:
    desk = session()
    assert 'textbox "Name" = "old"' in (await desk.observe(target=NAME)).text
    shot = await desk.desktop.screenshot(ScreenshotRequest.model_validate({"target": NAME}))
    assert 'textbox "Name"' in shot.text


async def test_find_and_selectors_look_inside_of_an_element() -> None:
    desk = session()
    right = {"role": "group", "name": "Right"}
    found = await desk.find("", **{"in": right})
    assert [e.name for e in found.matches if e.role == "button"] == ["Go", "Other"]
    ref = next(e.ref for e in (await desk.observe()).elements if e.name == "Right")
    result = await desk.act({"do": "press", "on": {"role": "button", "name": "Go", "in": ref}})
    assert result.failure is None
    assert desk.platform.journal[-1].split()[1] == found.matches[1].ref or "click" in desk.platform.journal[-1]


STEPS: list[dict[str, Any]] = [
    {"do": "drag", "on": {"name": "Stop"}, "to": {"name": "Other"}},
    {"do": "wait", "for": "value", "on": NAME, "is": "old", "timeout": 1},
    {"do": "wait", "for": "window", "on": {"name": "Form"}, "timeout": 1},
    {"do": "set", "on": NAME, "value": "new", "expect": {"for": "value", "on": NAME, "is": "new"}},
    {"do": "menu", "path": ["File", "Quit"], "in": NAME},
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step['do']} {step.get('for', '')}")
async def test_steps_take_selectors(step: dict[str, Any]) -> None:
    result = await session().act(step)
    assert result.failure is None, result.text
