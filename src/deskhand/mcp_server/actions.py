"""The actions of ``input`` as two kinds of models are used to say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deskhand.mcp_server.switches import Style

INPUT = """\
Mouse and keyboard, up to 64 actions in order, in the pixels of the picture that lease came with. Nothing is sent \
where windows, their places or the focus are not as the picture had them: the answer then names what changed and has a \
new picture and lease. Stops at what the picture did not show (a dialog, a menu or list that opened: its items take \
the next call); returns effects, windows, what changed."""
_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}
_PAIR = {"type": "array", "items": _WHOLE}
_GPT: dict[str, Any] = {
    "type": "object",
    "required": ["type"],
    "properties": {
        "type": {
            "enum": [
                "click", "double_click", "triple_click", "move", "drag", "scroll", "keypress", "type", "wait",
                "mouse_down", "mouse_up", "key_down", "key_up", "screenshot",
            ]
        },
        "x": _WHOLE,
        "y": _WHOLE,
        "button": {"enum": ["left", "right", "wheel", "back", "forward"]},
        "keys": {"type": "array", "items": _TEXT},
        "path": {"type": "array", "items": {"type": "object", "properties": {"x": _WHOLE, "y": _WHOLE}}},
        "scroll_x": _WHOLE,
        "scroll_y": _WHOLE,
        "text": _TEXT,
        "seconds": {"type": "number"},
    },
}  # fmt: skip
_CLAUDE: dict[str, Any] = {
    "type": "object",
    "required": ["action"],
    "properties": {
        "action": {
            "enum": [
                "left_click", "right_click", "middle_click", "double_click", "triple_click", "back_click",
                "forward_click", "mouse_move", "left_click_drag", "drag", "left_mouse_down", "left_mouse_up",
                "mouse_down", "mouse_up", "scroll", "key", "hold_key", "type", "wait", "screenshot",
            ]
        },
        "coordinate": _PAIR,
        "start_coordinate": _PAIR,
        "path": {"type": "array", "items": _PAIR},
        "button": {"enum": ["left", "right", "middle", "back", "forward"]},
        "text": _TEXT,
        "scroll_direction": {"enum": ["up", "down", "left", "right"]},
        "scroll_amount": _WHOLE,
        "duration": {"type": "number"},
        "repeat": _WHOLE,
    },
}  # fmt: skip
ACTIONS: Mapping[Style, dict[str, Any]] = {"gpt": _GPT, "claude": _CLAUDE}
SAID: Mapping[Style, str] = {
    "gpt": "keys: pressed together by keypress (held for seconds), else held during the mouse action. "
    "scroll_x, scroll_y: pixels, 100 a notch. screenshot comes last.",
    "claude": "text: what to type, the chord of key and hold_key (ctrl+s), else keys held during the mouse action. "
    "path: of drag. button: of drag, mouse_down, mouse_up. scroll_amount: notches. duration: seconds. "
    "screenshot comes last.",
}
