"""Steps: what each verb takes, what models say instead, and what a refusal tells them to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deskhand.desktop.targets import parse_place
from deskhand.types.requests import ActRequest, FindRequest, ObserveRequest
from deskhand.types.steps import FIELDS, MAX_STEPS, Expect, Selector, Step, explain

EXAMPLES: dict[str, dict[str, Any]] = {
    "press": {"on": "r1"},
    "click": {"on": "r1", "button": "right", "count": 2, "mods": "ctrl"},
    "hover": {"on": "r1"},
    "set": {"on": "r70[B7]", "value": 42},
    "append": {"on": "r1", "value": "more"},
    "type": {"value": "text", "on": "r1"},
    "key": {"keys": "ctrl+s", "on": "r1", "count": 3},
    "select": {"on": "r1", "items": ["Arial"]},
    "check": {"on": "r1"},
    "uncheck": {"on": "r1"},
    "expand": {"on": "r1"},
    "collapse": {"on": "r1"},
    "focus": {"on": "r1"},
    "scroll": {"on": "r1", "to": "bottom"},
    "drag": {"on": "r1", "to": "r2"},
    "menu": {"path": ["File", "Save As…"], "in": "w3"},
    "invoke": {"on": "r1", "action": "expand or contract"},
    "window": {"on": "w3", "op": "resize", "rect": [0, 0, 640, 480]},
    "clipboard": {"op": "write", "value": "x"},
    "open": {"app": "mousepad"},
    "wait": {"for": "value", "on": "r1", "is": "done", "match": "contains", "timeout": 5},
}
FITTING = {
    "on": "r1", "value": "v", "keys": "a", "items": ["i"], "range": "B2:D9", "button": "left", "count": 1,
    "mods": "ctrl", "to": "top", "by": [0, 5], "path": ["File"], "in": "w1", "action": "a", "op": "activate",
    "rect": [0, 0, 1, 1], "app": "a", "file": "/f", "url": "http://u", "for": "settled", "is": "x", "match": "exact",
    "timeout": 1,
}  # fmt: skip
NAMES = {"in": "within", "for": "condition", "is": "awaited"}
HABITS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"do": "set", "on": "r1", "text": "x"}, {"do": "set", "on": "r1", "value": "x"}),
    ({"do": "fill", "ref": "r1", "text": "x"}, {"do": "set", "on": "r1", "value": "x"}),
    ({"do": "type", "text": "x"}, {"do": "type", "value": "x"}),
    ({"do": "hotkey", "keys": "ctrl+s"}, {"do": "key", "keys": "ctrl+s"}),
    ({"do": "press_key", "key": "Enter"}, {"do": "key", "keys": "Enter"}),
    ({"do": "press", "keys": "ctrl+s"}, {"do": "key", "keys": "ctrl+s"}),
    ({"do": "double_click", "on": "r1"}, {"do": "click", "on": "r1", "count": 2}),
    ({"do": "right_click", "target": "r1"}, {"do": "click", "on": "r1", "button": "right"}),
    ({"do": "toggle", "on": "r1"}, {"do": "press", "on": "r1"}),
    ({"do": "launch", "app": "mousepad"}, {"do": "open", "app": "mousepad"}),
    ({"do": "window", "on": "w1", "op": "minimize"}, {"do": "window", "on": "w1", "op": "minimise"}),
]
REFUSED: list[tuple[Any, str]] = [
    ({"steps": [{"do": "press", "on": "r1"}, {"do": "press"}]}, "step 2: press needs on"),
    ({"steps": [{"do": "wait"}]}, "step 1: wait needs for"),
    ({"steps": [{"do": "press", "on": "r1", "value": "x"}]}, "step 1: press takes no value"),
    ({"steps": [{"do": "scroll", "on": "r1"}]}, "step 1: scroll needs exactly one of to, by"),
    ({"steps": [{"do": "open", "file": "a", "url": "u"}]}, "step 1: open takes file or url, not both"),
    ({"steps": [{"do": "open"}]}, "step 1: open needs app, file or url"),
    ({"steps": [{"do": "select", "on": "r1", "items": ["a"], "range": "A1"}]}, "needs exactly one of items, range"),
    ({"steps": [{"do": "window", "on": "w1", "op": "move"}]}, "step 1: window move needs rect [x, y], or [x, y, w, h]"),
    (
        {"steps": [{"do": "window", "on": "w1", "op": "resize", "rect": [1, 2]}]},
        "window resize needs rect [x, y, w, h]",
    ),
    ({"steps": [{"do": "window", "on": "w1", "op": "close", "rect": [1, 2]}]}, "step 1: window close takes no rect"),
    ({"steps": [{"do": "window", "on": "w1", "op": "move", "rect": [1, 2, 0, 5]}]}, "w and h of rect are at least 1"),
    ({"steps": [{"do": "window", "on": "w1", "op": "shake"}]}, "step 1: window op is one of activate, close"),
    ({"steps": [{"do": "clipboard", "op": "write"}]}, "step 1: clipboard write needs a value"),
    ({"steps": [{"do": "wait", "for": "value", "on": "r1"}]}, 'step 1: wait for value needs "is"'),
    ({"steps": [{"do": "wait", "for": "gone"}]}, 'step 1: wait for gone needs "on"'),
    ({"steps": [{"do": "prss", "on": "r1"}]}, 'step 1: "do": write one of'),
    ({"steps": [{"do": "prss", "on": "r1"}]}, 'did you mean "press"?'),
    ({"steps": [{"on": "r1"}]}, 'step 1: "do": is missing; add it'),
    ({"steps": [{"do": "press", "on": "r1", "tiemout": 1}]}, 'there is no field "tiemout"; did you mean "timeout"?'),
    ({"steps": [{"do": "press", "on": {"nmae": "Save"}}]}, 'step 1: "on": there is no field "nmae"'),
    ({"steps": [{"do": "press", "on": {}}]}, 'step 1: "on": a selector needs role or name'),
    ({"steps": [{"do": "press", "on": {"name": "(", "match": "regex"}}]}, "not a regular expression"),
    ({"steps": [{"do": "press", "on": {"name": "a{99999999999999999999}", "match": "regex"}}]}, "not a regular"),
    ({"steps": [{"do": "click", "on": "r1", "count": 0}]}, 'step 1: "count": must be greater than or equal to 1'),
    (
        {"steps": [{"do": "click", "on": "r1", "button": "rite"}]},
        "write one of 'left', 'middle', 'right', 'back' or 'forward'",
    ),
    ({"steps": [{"do": "set", "on": "r1", "value": [1]}]}, 'step 1: "value": must be a valid string or a valid number'),
    ({"steps": [{"do": "press", "on": "r1", "expect": {}}]}, 'step 1: "expect": expect needs "for", "file"'),
    ({"steps": [{"do": "press", "on": "r1"}] * 65}, '"steps": holds 65; give 1 to 64, split a longer batch'),
    ({"steps": []}, '"steps": holds 0; give 1 to 64'),
    ({"steps": "press"}, '"steps": must be a list of objects'),
    ({"steps": ["press r1"]}, 'step 1: write an object such as {"do": "press", "on": "r12"}'),
    ({"steps": [{"do": "press"}, {"do": "fly"}]}, "(and 1 more)"),
    ({}, '"steps": is missing; add it'),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELD = st.sampled_from(["do", *FITTING, "text", "ref", "target", "key", "expect", "route", "role", "name"])
STEPLIKE = st.dictionaries(FIELD, JSON | st.sampled_from([*FIELDS, *map(str, FITTING.values())]), max_size=6)


def refusal(request: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        ActRequest.model_validate(request)
    return explain(caught.value)


def test_every_verb_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(FIELDS)


@pytest.mark.proves("A4")
@pytest.mark.parametrize("verb", FIELDS)
def test_a_verb_takes_its_fields(verb: str) -> None:
    step = Step.model_validate({"do": verb, **EXAMPLES[verb]})
    given = {NAMES.get(name, name) for name in EXAMPLES[verb]}
    assert step.do == verb
    assert given <= {*FIELDS[verb][0], *FIELDS[verb][1]}
    assert {name for name in given if getattr(step, name) is None} == set()


@pytest.mark.proves("A4")
@pytest.mark.parametrize("verb", FIELDS)
def test_a_verb_refuses_to_miss_what_it_needs(verb: str) -> None:
    for required in FIELDS[verb][0]:
        spoken = next((spoken for spoken, name in NAMES.items() if name == required), required)
        without = {name: value for name, value in EXAMPLES[verb].items() if name != spoken}
        assert refusal({"steps": [{"do": verb, **without}]}) == f"step 1: {verb} needs {spoken}"


@pytest.mark.proves("A4")
@pytest.mark.parametrize("verb", FIELDS)
def test_a_verb_refuses_every_field_of_others(verb: str) -> None:
    own = {*FIELDS[verb][0], *FIELDS[verb][1]}
    for name in (name for name in FITTING if NAMES.get(name, name) not in own):
        if verb == "press" and name == "keys":
            continue  # means the verb key, see HABITS
        said = refusal({"steps": [{"do": verb, **EXAMPLES[verb], name: FITTING[name]}]})
        assert said == f"step 1: {verb} takes no {name}"


@pytest.mark.parametrize(("said", "meant"), HABITS, ids=str)
def test_what_models_say_is_taken_as_what_it_means(said: dict[str, Any], meant: dict[str, Any]) -> None:
    assert Step.model_validate(said) == Step.model_validate(meant)


def test_expect_and_route_go_with_every_verb() -> None:
    for verb, fields in EXAMPLES.items():
        step = Step.model_validate({"do": verb, **fields, "expect": {"for": "settled"}, "route": "keyboard"})
        assert step.expect == Expect.model_validate({"for": "settled"})
        assert step.route == "keyboard"


def test_a_target_is_a_ref_or_a_selector() -> None:
    by_ref = Step.model_validate({"do": "press", "on": "r70[3,2]"})
    by_name = Step.model_validate({"do": "press", "on": {"role": "button", "name": "Save", "in": "w3", "nth": 1}})
    assert by_ref.on == "r70[3,2]"
    assert by_name.on == Selector.model_validate({"role": "button", "name": "Save", "in": "w3", "nth": 1})


def test_a_batch_of_the_most_steps_is_taken() -> None:
    batch = ActRequest.model_validate({"steps": [{"do": "press", "on": "r1"}] * MAX_STEPS})
    assert len(batch.steps) == MAX_STEPS


def test_a_step_prints_and_reads_back_the_same() -> None:
    for verb, fields in EXAMPLES.items():
        step = Step.model_validate({"do": verb, **fields})
        again = step.model_dump(mode="json", by_alias=True, exclude_none=True)
        assert Step.model_validate(again) == step


@pytest.mark.proves("report-35")
@pytest.mark.parametrize(("request_", "line"), REFUSED, ids=lambda part: part if isinstance(part, str) else "")
def test_a_refusal_says_which_step_and_what_to_do(request_: Any, line: str) -> None:
    said = refusal(request_)
    assert line in said
    assert "\n" not in said
    assert "Input should" not in said


def test_a_refusal_repeats_no_value() -> None:
    said = refusal(
        {"steps": [{"do": "set", "on": "r1", "value": ["hunter2"]}, {"do": "type", "value": {"hunter2": 1}}]}
    )
    assert "hunter2" not in said


def test_a_refusal_cannot_be_made_to_forge_lines() -> None:
    said = refusal({"steps": [{"do": "press", "on": "r1", "x\ndone 1 of 1\u202e": 1}]})
    assert said.isprintable()


@pytest.mark.proves("A4")
@given(JSON | st.fixed_dictionaries({"steps": st.lists(STEPLIKE | JSON, max_size=3)}))
def test_any_json_is_taken_or_refused_in_one_line(request_: Any) -> None:
    try:
        ActRequest.model_validate(request_)
    except ValidationError as error:
        said = explain(error)
        assert said
        assert said.isprintable()
        assert len(said) <= 400


@pytest.mark.parametrize("mods", ["Return", "ctrl+q", "Delete", "hyperdrive", "", "ctrl+"])
def test_no_key_but_a_modifier_is_held_during_a_click(mods: str) -> None:
    with pytest.raises(ValidationError, match="mods are ctrl"):
        Step.model_validate({"do": "click", "on": "r1", "mods": mods})


@pytest.mark.parametrize("odd", ["\0", "a\0b", "\ud800", "\udfff!"])
@pytest.mark.parametrize(
    "made",
    [
        lambda odd: Step.model_validate({"do": "press", "on": {"role": "button", "name": odd}}),
        lambda odd: Step.model_validate({"do": "press", "on": odd}),
        lambda odd: Step.model_validate({"do": "menu", "path": ["File", odd]}),
        lambda odd: Step.model_validate({"do": "hover", "on": "r1", "expect": {"file": {"path": odd}}}),
        lambda odd: Step.model_validate(
            {"do": "hover", "on": "r1", "expect": {"file": {"path": "a", "contains": odd}}}
        ),
        lambda odd: FindRequest.model_validate({"query": "a", "role": odd}),
        lambda odd: ObserveRequest.model_validate({"target": odd}),
    ],
)
def test_what_is_no_text_names_nothing_and_is_refused_in_readable_words(
    made: Callable[[str], object], odd: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        made(odd)
    explain(refused.value).encode()


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 10**30])
@pytest.mark.parametrize(
    "step",
    [
        {"do": "scroll", "on": "r1", "by": [0, 0]}, {"do": "drag", "on": "r1", "to": [0, 0]},
        {"do": "select", "on": "r1", "range": [0, 0]}, {"do": "window", "on": "w1", "op": "move", "rect": [0, 0, 1, 1]},
    ],
)  # fmt: skip
def test_no_number_is_sent_that_toolkits_and_displays_cannot_take(step: dict[str, Any], number: int) -> None:
    Step.model_validate(step)
    with pytest.raises(ValidationError):
        Step.model_validate(
            {key: [number, *held[1:]] if isinstance(held, list) else held for key, held in step.items()}
        )


@pytest.mark.parametrize("index", ["99999999999", "1,99999999999", "１", "B７"])
def test_a_place_beyond_every_table_is_none(index: str) -> None:
    assert parse_place(index) is None
