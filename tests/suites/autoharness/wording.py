"""The harness's canonical actions in the words of ``input``, as either kind of model says them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from autoharness.adapters import UnsupportedActionError
from autoharness.contracts import Action

Style = Literal["gpt", "claude"]
Said = dict[str, Any]
Place = Callable[[int, int], tuple[int, int]]
"""Where a root pixel is in the picture, in whole pixels, as a model would name it."""

NOTCH = 100
"""``scroll_x`` and ``scroll_y`` count pixels; this many are a notch."""
_COUNTED = {1: "click", 2: "double_click", 3: "triple_click"}


def said(action: Action, style: Style, place: Place) -> list[Said]:
    """An action as it is sent: of ``input``'s actions one, or several where that style has no single word for it.

    Raises:
        UnsupportedActionError: ``input`` has no such action.
    """
    words = _WORDS[style].get(action.kind)
    if words is None:
        raise UnsupportedActionError(f"input has no words for {action.kind}")
    return words(action, place)


# -- x and y, keys as lists ------------------------------------------------------------------------------------------
def _gpt_at(action: Action, place: Place) -> Said:
    x, y = place(action.x, action.y)
    return {"x": x, "y": y}


def _gpt_click(action: Action, place: Place) -> list[Said]:
    button = {"middle": "wheel"}.get(action.button, action.button)
    return [{"type": _COUNTED[action.count], **_gpt_at(action, place), "button": button, **_held(action, "keys", list)}]


def _gpt_button(verb: str) -> Callable[[Action, Place], list[Said]]:
    return lambda action, place: [{"type": verb, **_gpt_at(action, place), "button": action.button}]


def _gpt_drag(action: Action, place: Place) -> list[Said]:
    path = [dict(zip("xy", place(*point), strict=True)) for point in action.path]
    return [{"type": "drag", "path": path, "button": action.button, **_held(action, "keys", list)}]


def _gpt_scroll(action: Action, place: Place) -> list[Said]:
    turned = {"scroll_x": NOTCH * action.dx_ticks, "scroll_y": NOTCH * action.dy_ticks}
    return [{"type": "scroll", **_gpt_at(action, place), **turned, **_held(action, "keys", list)}]


# -- coordinate and text ---------------------------------------------------------------------------------------------
def _claude_click(action: Action, place: Place) -> list[Said]:
    verb = _COUNTED[action.count] if action.count > 1 else f"{action.button}_click"
    return [{"action": verb, "coordinate": [*place(action.x, action.y)], **_held(action, "text", "+".join)}]


def _claude_button(way: str) -> Callable[[Action, Place], list[Said]]:
    def say(action: Action, place: Place) -> list[Said]:
        left = action.button == "left"
        verb: Said = {"action": f"left_mouse_{way}"} if left else {"action": f"mouse_{way}", "button": action.button}
        return [{**verb, "coordinate": [*place(action.x, action.y)]}]

    return say


def _claude_drag(action: Action, place: Place) -> list[Said]:
    path = [[*place(*point)] for point in action.path]
    held = _held(action, "text", "+".join)
    if len(path) > 2 or action.button != "left":
        return [{"action": "drag", "path": path, "button": action.button, **held}]
    return [{"action": "left_click_drag", "start_coordinate": path[0], "coordinate": path[-1], **held}]


def _claude_scroll(action: Action, place: Place) -> list[Said]:
    """One action for each axis: a direction is one of four."""
    ways = [("down" if action.dy_ticks > 0 else "up", abs(action.dy_ticks)),
            ("right" if action.dx_ticks > 0 else "left", abs(action.dx_ticks))]  # fmt: skip
    at = {"coordinate": [*place(action.x, action.y)], **_held(action, "text", "+".join)}
    return [{"action": "scroll", **at, "scroll_direction": way, "scroll_amount": most} for way, most in ways if most]


def _held(action: Action, name: str, joined: Callable[[list[str]], Any]) -> Said:
    return {name: joined(action.modifiers)} if action.modifiers else {}


_Words = Mapping[str, Callable[[Action, Place], list[Said]]]
_GPT: _Words = {
    "click": _gpt_click, "button_press": _gpt_button("mouse_down"), "button_release": _gpt_button("mouse_up"),
    "drag": _gpt_drag, "scroll": _gpt_scroll,
    "move": lambda action, place: [{"type": "move", **_gpt_at(action, place)}],
    "key_chord": lambda action, _: [{"type": "keypress", "keys": action.keys}],
    "type_text": lambda action, _: [{"type": "type", "text": action.text}],
    "wait": lambda action, _: [{"type": "wait", "seconds": action.seconds}],
}  # fmt: skip
_CLAUDE: _Words = {
    "click": _claude_click, "button_press": _claude_button("down"), "button_release": _claude_button("up"),
    "drag": _claude_drag, "scroll": _claude_scroll,
    "move": lambda action, place: [{"action": "mouse_move", "coordinate": [*place(action.x, action.y)]}],
    "key_chord": lambda action, _: [{"action": "key", "text": "+".join(action.keys)}],
    "type_text": lambda action, _: [{"action": "type", "text": action.text}],
    "wait": lambda action, _: [{"action": "wait", "duration": action.seconds}],
}  # fmt: skip
_WORDS: Mapping[Style, _Words] = {"gpt": _GPT, "claude": _CLAUDE}
