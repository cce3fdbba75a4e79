"""Names that models bring from other tools mean what they seem to mean."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from deskhand.types.habits import translate_habits
from deskhand.types.steps import FIELDS, Step, Verb

MEANT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"do": "fill", "element": "r1", "text": "x"}, {"do": "set", "on": "r1", "value": "x"}),
    ({"do": "clear", "on": "r1"}, {"do": "set", "on": "r1", "value": ""}),
    ({"do": "input_text", "ref": "r1", "text": "x"}, {"do": "type", "on": "r1", "value": "x"}),
    ({"do": "type", "text": "x"}, {"do": "type", "value": "x"}),
    ({"do": "hotkey", "keys": ["ctrl", "s"]}, {"do": "key", "keys": "ctrl+s"}),
    ({"do": "keypress", "keys": "Return"}, {"do": "key", "keys": "Return"}),
    ({"do": "press_key", "key": "Tab"}, {"do": "key", "keys": "Tab"}),
    ({"do": "key", "text": "ctrl+a"}, {"do": "key", "keys": "ctrl+a"}),
    ({"do": "press", "keys": "ctrl+s"}, {"do": "key", "keys": "ctrl+s"}),
    ({"do": "press", "target": "r1"}, {"do": "press", "on": "r1"}),
    ({"do": "left_click", "ref": "r1"}, {"do": "click", "on": "r1"}),
    ({"do": "tap", "ref": "r1"}, {"do": "click", "on": "r1"}),
    ({"do": "double_click", "ref": "r1"}, {"do": "click", "on": "r1", "count": 2}),
    ({"do": "right_click", "ref": "r1"}, {"do": "click", "on": "r1", "button": "right"}),
    ({"do": "click", "ref": "r1", "modifiers": ["ctrl"]}, {"do": "click", "on": "r1", "mods": "ctrl"}),
    ({"do": "browser_click", "ref": "r1"}, {"do": "click", "on": "r1"}),
    ({"do": "select_option", "ref": "r1", "values": ["A"]}, {"do": "select", "on": "r1", "items": ["A"]}),
    ({"do": "select", "on": "r1", "value": "A"}, {"do": "select", "on": "r1", "items": ["A"]}),
    ({"do": "select", "on": "r1", "items": "A"}, {"do": "select", "on": "r1", "items": ["A"]}),
    ({"do": "mouse_move", "ref": "r1"}, {"do": "hover", "on": "r1"}),
    ({"do": "drag_and_drop", "on": "r1", "destination": "r2"}, {"do": "drag", "on": "r1", "to": "r2"}),
    ({"do": "scroll", "on": "r1", "direction": "down"}, {"do": "scroll", "on": "r1", "by": [0, 120]}),
    ({"do": "scroll", "on": "r1", "direction": "up", "amount": 5}, {"do": "scroll", "on": "r1", "by": [0, -200]}),
    ({"do": "scroll_into_view", "on": "r1"}, {"do": "scroll", "on": "r1", "to": "view"}),
    ({"do": "navigate", "url": "https://a.b"}, {"do": "open", "url": "https://a.b"}),
    ({"do": "goto", "value": "https://a.b"}, {"do": "open", "url": "https://a.b"}),
    ({"do": "launch", "application": "gedit"}, {"do": "open", "app": "gedit"}),
    ({"do": "open_file", "filename": "/a"}, {"do": "open", "file": "/a"}),
    ({"do": "wait_for", "for": "element", "on": "r1"}, {"do": "wait", "for": "element", "on": "r1"}),
    ({"do": "wait_for", "text": "Saved", "on": "w1"}, {"do": "wait", "for": "text", "is": "Saved", "on": "w1"}),
    ({"do": "sleep", "seconds": 2}, {"do": "wait", "for": "settled", "timeout": 2}),
    ({"do": "switch_window", "on": "w2"}, {"do": "window", "on": "w2", "op": "activate"}),
    ({"do": "focus", "on": "w2"}, {"do": "window", "on": "w2", "op": "activate"}),
    ({"do": "window", "on": "w2", "op": "maximize"}, {"do": "window", "on": "w2", "op": "maximise"}),
    ({"do": "set_clipboard", "text": "x"}, {"do": "clipboard", "op": "write", "value": "x"}),
    ({"action": "click", "ref": "r1"}, {"do": "click", "on": "r1"}),
    ({"type": "double_click", "ref": "r1"}, {"do": "click", "on": "r1", "count": 2}),
    ({"do": "Press", "on": "r1"}, {"do": "press", "on": "r1"}),
]


@pytest.mark.parametrize(("said", "meant"), MEANT, ids=lambda step: str(step)[:60])
def test_a_habit_is_understood(said: dict[str, Any], meant: dict[str, Any]) -> None:
    assert Step.model_validate(said) == Step.model_validate(meant)


@pytest.mark.parametrize("verb", get_args(Verb))
def test_the_contracts_own_words_stay_as_they_are(verb: str) -> None:
    step = {"do": verb, **dict.fromkeys(FIELDS[verb][0], "r1")}
    assert translate_habits(step)["do"] == verb


@pytest.mark.parametrize("said", [{"do": "left_click", "coordinate": [1, 2]}, {"do": "screenshot"}, {"do": "dance"}])
def test_what_has_no_meaning_here_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Step.model_validate(said)
