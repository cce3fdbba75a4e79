"""Names that models reach for, and what they mean here.

Looked at: Playwright MCP (``browser_click``, ``browser_type``, ``browser_press_key`` …), Anthropic's computer use
(``left_click``, ``type``, ``key``, ``scroll`` …), OpenAI's computer use (``double_click``, ``keypress``, ``wait`` …).
What needs a place on the screen (``coordinate``) has no meaning here and is refused as any unknown field is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_VERBS: dict[str, tuple[str, dict[str, Any]]] = {
    "fill": ("set", {}), "set_value": ("set", {}), "set_text": ("set", {}), "clear": ("set", {"value": ""}),
    "write": ("type", {}), "type_text": ("type", {}), "input_text": ("type", {}), "press_sequentially": ("type", {}),
    "send_keys": ("type", {}), "insert_text": ("append", {}),
    "hotkey": ("key", {}), "press_key": ("key", {}), "keypress": ("key", {}), "key_press": ("key", {}),
    "shortcut": ("key", {}), "keys": ("key", {}),
    "left_click": ("click", {}), "tap": ("click", {}), "double_click": ("click", {"count": 2}),
    "dblclick": ("click", {"count": 2}), "doubleclick": ("click", {"count": 2}),
    "triple_click": ("click", {"count": 3}),
    "right_click": ("click", {"button": "right"}), "context_click": ("click", {"button": "right"}),
    "middle_click": ("click", {"button": "middle"}), "toggle": ("press", {}), "activate": ("press", {}),
    "move": ("hover", {}), "mouse_move": ("hover", {}), "move_to": ("hover", {}),
    "drag_to": ("drag", {}), "drag_and_drop": ("drag", {}), "left_click_drag": ("drag", {}),
    "select_option": ("select", {}), "choose": ("select", {}), "pick": ("select", {}),
    "scroll_to": ("scroll", {"to": "view"}), "scroll_into_view": ("scroll", {"to": "view"}),
    "tick": ("check", {}), "untick": ("uncheck", {}), "open_menu": ("menu", {}), "menu_select": ("menu", {}),
    "launch": ("open", {}), "start": ("open", {}), "open_app": ("open", {}), "open_application": ("open", {}),
    "open_file": ("open", {}), "navigate": ("open", {}), "goto": ("open", {}), "open_url": ("open", {}),
    "wait_for": ("wait", {}), "sleep": ("wait", {"for": "settled"}), "action": ("invoke", {}),
    "copy_to_clipboard": ("clipboard", {"op": "write"}), "set_clipboard": ("clipboard", {"op": "write"}),
    "get_clipboard": ("clipboard", {"op": "read"}), "read_clipboard": ("clipboard", {"op": "read"}),
    "close_window": ("window", {"op": "close"}), "activate_window": ("window", {"op": "activate"}),
    "switch_window": ("window", {"op": "activate"}), "focus_window": ("window", {"op": "activate"}),
}  # fmt: skip
_FIELDS: tuple[tuple[str, str], ...] = (
    ("text", "value"), ("content", "value"), ("string", "value"), ("ref", "on"), ("target", "on"), ("element", "on"),
    ("selector", "on"), ("id", "on"), ("key", "keys"), ("hotkey", "keys"), ("shortcut", "keys"), ("combo", "keys"),
    ("modifiers", "mods"), ("option", "items"), ("options", "items"), ("values", "items"), ("item", "items"),
    ("clicks", "count"), ("click_count", "count"), ("times", "count"), ("repeat", "count"),
    ("destination", "to"), ("application", "app"), ("app_name", "app"), ("uri", "url"),
    ("filename", "file"), ("seconds", "timeout"), ("time", "timeout"), ("duration", "timeout"),
    ("condition", "for"), ("window", "in"), ("within", "in"),
)  # fmt: skip
"""Other names of fields; the first that a step has is taken."""
_SPELLED = {"minimize": "minimise", "maximize": "maximise", "unminimize": "restore", "unmaximize": "restore",
            "focus": "activate", "raise": "activate", "get": "read", "set": "write"}  # fmt: skip
_TAKES_TEXT = {"open_app": "app", "open_application": "app", "launch": "app", "start": "app", "open_file": "file",
               "navigate": "url", "goto": "url", "open_url": "url"}  # fmt: skip
"""Where a bare value of these verbs belongs."""
_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_AMOUNT = 3
"""Notches of a scroll that names a direction alone."""
_NOTCH = 40  # pixels


def translate_habits(data: Mapping[str, Any]) -> dict[str, Any]:
    """A step as it is meant: other names of verbs and fields become the contract's."""
    step = dict(data)
    for other in ("action", "type"):
        if "do" not in step and isinstance(step.get(other), str):
            step["do"] = step.pop(other)
    said = step["do"].strip().casefold().replace("-", "_") if isinstance(step.get("do"), str) else None
    if said is None:
        return step
    verb, more = _VERBS.get(said.removeprefix("browser_"), (said.removeprefix("browser_"), {}))
    step = {**more, **step, "do": _verb(verb, step)}
    _rename(step)
    _place_value(said, step)
    _respell(step)
    return step


def _verb(verb: str, step: Mapping[str, Any]) -> str:
    """A press of keys is a chord; focusing a window is no focusing of an element."""
    if verb == "press" and ({"keys", "key"} & set(step)):
        return "key"
    target = step.get("on", step.get("ref", step.get("target")))
    if verb == "focus" and isinstance(target, str) and target[:1] == "w" and target[1:].isdigit():
        return "window"
    return verb


def _rename(step: dict[str, Any]) -> None:
    for habit, name in _FIELDS:
        if habit in step and name not in step and not (habit == "window" and step["do"] == "wait"):
            step[name] = step.pop(habit)


def _place_value(said: str, step: dict[str, Any]) -> None:
    """A value that belongs into another field of its verb."""
    do = step["do"]
    if said in _TAKES_TEXT and "value" in step and not {"app", "file", "url"} & set(step):
        step[_TAKES_TEXT[said]] = step.pop("value")
    if do == "select" and "value" in step and not {"items", "range"} & set(step):
        step["items"] = [step.pop("value")]
    if do == "key" and "value" in step and "keys" not in step:
        step["keys"] = step.pop("value")
    if do == "wait" and "value" in step and "is" not in step:
        step["is"] = step.pop("value")
        step.setdefault("for", "text")
    if do == "window" and said == "focus":
        step["op"] = "activate"
    if do == "scroll" and isinstance(step.get("direction"), str):
        _scroll(step)


def _scroll(step: dict[str, Any]) -> None:
    direction = _DIRECTIONS.get(step["direction"].casefold())
    amount = step.get("amount", _AMOUNT)
    if direction is not None and isinstance(amount, int | float) and "by" not in step and "to" not in step:
        del step["direction"]
        step.pop("amount", None)
        step["by"] = [round(part * amount * _NOTCH) for part in direction]


def _respell(step: dict[str, Any]) -> None:
    if step["do"] in ("window", "clipboard") and isinstance(step.get("op"), str):
        step["op"] = _SPELLED.get(step["op"], step["op"])
    if isinstance(step.get("keys"), list) and all(isinstance(key, str) for key in step["keys"]):
        step["keys"] = "+".join(step["keys"])
    if isinstance(step.get("mods"), list) and all(isinstance(key, str) for key in step["mods"]):
        step["mods"] = "+".join(step["mods"])
    if isinstance(step.get("items"), str):
        step["items"] = [step["items"]]
