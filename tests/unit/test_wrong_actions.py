"""Actions that are wrong: one line says which one, what is wrong with it, and what is right."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from deskhand.types.requests import InputRequest
from deskhand.types.steps import explain

FIRST = {"type": "click", "x": 1, "y": 2}
WRONG: list[tuple[Any, str]] = [
    ({"type": "clik", "x": 1, "y": 2}, '"type": there is no such action; did you mean "click"?'),
    ({"action": "left_clik", "coordinate": [1, 2]}, '"action": there is no such action; did you mean "left_click"?'),
    ({"action": "cursor_position"}, '"action": there is no such action; take back_click, double_click, '),
    ({"x": 1, "y": 2}, 'say what to do, as in {"type": "click", "x": 120, "y": 48}'),
    ({"type": "click", "x": 1}, '"x" and "y" go together'),
    ({"action": "left_click", "coordinate": "1,2"}, '"coordinate" is two whole numbers, as in [120, 48]'),
    ({"action": "left_click", "coordinate": [1]}, '"coordinate" is two whole numbers, as in [120, 48]'),
    ({"action": "left_click_drag", "coordinate": [1, 2]}, 'needs "start_coordinate" and "coordinate"'),
    ({"type": "type", "value": "x"}, '"value": there is no field "value"; remove it'),
    ({"type": "keypress", "key": "a"}, 'did you mean "keys"?'),
    ({"action": "scroll", "coordinate": [1, 2], "scroll_direction": "off"}, "is up, down, left or right"),
    ({"type": "drag", "path": [[1, 2]]}, '"path": holds 1; give 2'),
    ({"type": "wait", "seconds": "2s"}, '"seconds": must be a number, without a unit'),
]  # fmt: skip


@pytest.mark.proves("report-35", "B2")
@pytest.mark.parametrize(("action", "said"), WRONG, ids=str)
def test_what_is_wrong_with_an_action_is_said_in_one_line(action: Any, said: str) -> None:
    with pytest.raises(ValidationError) as wrong:
        InputRequest.model_validate({"lease": "l1", "actions": [FIRST, action]})
    line = explain(wrong.value)
    assert line.startswith("action 2: ")
    assert said in line
    assert "\n" not in line


@pytest.mark.proves("B2")
@pytest.mark.parametrize("action", [
    {"type": "left_click", "x": 1, "y": 2}, {"action": "click", "coordinate": [1, 2]},
    {"type": "click", "coordinate": [1, 2]}, {"action": "left_click", "x": 1, "y": 2},
    {"type": "left_click", "coordinate": ["1", "2"]},
], ids=str)  # fmt: skip
def test_words_of_the_other_language_mean_what_they_mean_there(action: Any) -> None:
    request = InputRequest.model_validate({"lease": "l1", "actions": [action]})
    assert (request.actions[0].do, request.actions[0].at) == ("click", (1, 2))
