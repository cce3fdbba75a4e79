"""Actions of the command line's ``input``, in words and as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from deskhand.cli.handwords import read_actions
from deskhand.types.actions import Action
from deskhand.types.errors import DeskhandError

SAID: dict[str, dict[str, Any]] = {
    "click 120,48": {"do": "click", "at": (120, 48)},
    "click 1,2 button=right count=2 mods=ctrl+shift":
        {"do": "click", "at": (1, 2), "button": "right", "count": 2, "mods": "ctrl+shift"},
    "move 3,4": {"do": "move", "at": (3, 4)},
    "drag 1,1 5,5 9,1": {"do": "drag", "path": [(1, 1), (5, 5), (9, 1)]},
    "scroll 5,6 0,-3": {"do": "scroll", "at": (5, 6), "notches": (0, -3)},
    "key ctrl+s": {"do": "key", "keys": "ctrl+s"},
    "key Down count=3": {"do": "key", "keys": "Down", "count": 3},
    "key shift seconds=0.5": {"do": "key", "keys": "shift", "seconds": 0.5},
    "type two  words": {"do": "type", "text": "two  words"},
    "type '  kept  '": {"do": "type", "text": "  kept  "},
    'type count=3 "x"': {"do": "type", "text": 'count=3 "x"'},
    "wait 0.5": {"do": "wait", "seconds": 0.5},
    "down 7,8 button=middle": {"do": "down", "at": (7, 8), "button": "middle"},
    "up shift": {"do": "up", "keys": "shift"},
    "screenshot": {"do": "screenshot"},
    '{"type": "click", "x": 1, "y": 2}': {"type": "click", "x": 1, "y": 2},
}  # fmt: skip


@pytest.mark.proves("B2")
@pytest.mark.parametrize("words", SAID)
def test_words_mean_what_they_say(words: str) -> None:
    [action] = read_actions([words])
    assert action == SAID[words]
    assert Action.model_validate(action)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [("click Save", "write places as X,Y"), ("click 'a", "quotation"), ("[{", "this is not JSON")],
)
def test_what_cannot_be_read_is_told(words: str, complaint: str) -> None:
    with pytest.raises(DeskhandError, match=complaint) as refused:
        read_actions([words])
    assert refused.value.code == "invalid_request"
