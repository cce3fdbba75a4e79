"""The two ways in which models say what a pointer and a keyboard do, and what they mean here.

``{"type": "click", "x": 10, "y": 20, "button": "left"}`` as OpenAI's computer use has it (``click double_click scroll
type wait keypress drag move screenshot``), ``{"action": "left_click", "coordinate": [10, 20]}`` as Anthropic's has it
(``computer_20250124``), with words for what only the other can say: ``drag`` along a ``path``, ``mouse_down`` and
``mouse_up`` of any ``button``. Which one a tool's schema shows is a matter of taste; both are always understood.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

PIXELS_A_NOTCH = 100
"""Pixels of ``scroll_x`` and ``scroll_y`` that are one notch of a wheel."""
_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_BUTTONS = {"wheel": "middle", "1": "left", "2": "middle", "3": "right"}
Said = dict[str, Any]
_GPT = frozenset(
    {"click", "double_click", "triple_click", "move", "drag", "scroll", "keypress", "key", "type", "wait", "mouse_down",
     "mouse_up", "key_down", "key_up", "down", "up", "screenshot"}
)  # fmt: skip


def translate(data: Mapping[str, Any]) -> Said:
    """An action in our own form. What is in neither language is left as it is, to be refused by name."""
    said = {key: value for key, value in data.items() if value is not None}
    if "do" in said:
        return said
    named = next((name for name in ("action", "type") if isinstance(said.get(name), str)), None)
    if named is None:
        raise ValueError('say what to do, as in {"type": "click", "x": 120, "y": 48}')
    verb, other = said.pop(named).strip().casefold(), _CLAUDE if named == "type" else _GPT
    mine = _GPT if named == "type" else _CLAUDE
    if verb not in mine and verb not in other:
        raise ValueError(_no_verb(verb, sorted(mine), named))
    _rename(said, "coordinate", "at")
    _require_places(said)
    as_gpt = (verb in mine) == (named == "type")
    return _gpt(said, verb) if as_gpt else _claude(_placed(said), verb)


def _no_verb(verb: str, verbs: Sequence[str], named: str) -> str:
    near = difflib.get_close_matches(verb, verbs, 1, 0.6)
    way = f'did you mean "{near[0]}"?' if near else f"take {', '.join(verbs)}"
    return f'"{named}": there is no such action; {way}'


def _require_places(said: Said) -> None:
    """What names places, and what they look like. Raises ``ValueError`` for other shapes."""
    if ("x" in said) != ("y" in said):
        raise ValueError('"x" and "y" go together, whole pixels, as in "x": 120, "y": 48')
    for name in ("at", "start_coordinate"):
        if name in said and not (isinstance(said[name], list | tuple) and len(said[name]) == 2):
            raise ValueError(f'"{"coordinate" if name == "at" else name}" is two whole numbers, as in [120, 48]')


# -- x and y, keys as lists ----------------------------------------------------------------------------------------
def _gpt(said: Said, verb: str) -> Said:
    if verb in ("double_click", "triple_click"):
        said["count"], verb = (2 if verb == "double_click" else 3), "click"
    verb = {"keypress": "key", "mouse_down": "down", "mouse_up": "up", "key_down": "down", "key_up": "up"}.get(
        verb, verb
    )
    said = {"do": verb, **_placed(said)}
    if verb in ("click", "move", "drag", "scroll"):
        _rename(said, "keys", "mods")
    for name in ("keys", "mods"):
        if isinstance(said.get(name), list):
            said[name] = "+".join(str(key) for key in said[name])
    if isinstance(said.get("path"), list):
        said["path"] = [_pair(point) for point in said["path"]]
    if isinstance(said.get("button"), str):
        said["button"] = _BUTTONS.get(said["button"], said["button"])
    return _timed(_scrolled(said) if verb == "scroll" else said)


def _placed(said: Said) -> Said:
    if "x" in said and "y" in said:
        said["at"] = (said.pop("x"), said.pop("y"))
    return said


def _pair(point: Any) -> Any:
    return (point["x"], point["y"]) if isinstance(point, Mapping) and {"x", "y"} <= set(point) else point


def _scrolled(said: Said) -> Said:
    across, down = said.pop("scroll_x", 0), said.pop("scroll_y", 0)
    if "notches" not in said and isinstance(across, int | float) and isinstance(down, int | float):
        said["notches"] = (_notches(across), _notches(down))
    return said


def _notches(pixels: float) -> int:
    """Whole notches; the smallest turn is one."""
    whole = round(pixels / PIXELS_A_NOTCH)
    return whole if whole or not pixels else (1 if pixels > 0 else -1)


def _timed(said: Said) -> Said:
    _rename(said, "duration", "seconds")
    if isinstance(said.get("ms"), int | float):
        said["seconds"] = said.pop("ms") / 1000
    return said


# -- coordinate and text -------------------------------------------------------------------------------------------
def _pointed(verb: str) -> Callable[[Said], Said]:
    def say(said: Said) -> Said:
        _rename(said, "text", "mods")
        return {"do": verb, **said}

    return say


def _clicked(count: int = 1, button: str = "left") -> Callable[[Said], Said]:
    def say(said: Said) -> Said:
        _rename(said, "text", "mods")
        more: Said = {"button": button} if button != "left" else {}
        return {"do": "click", **({"count": count} if count > 1 else {}), **more, **said}

    return say


def _dragged(said: Said) -> Said:
    _rename(said, "text", "mods")
    if "start_coordinate" in said and "at" in said:
        said["path"] = [said.pop("start_coordinate"), said.pop("at")]
    if "path" not in said:
        raise ValueError('left_click_drag needs "start_coordinate" and "coordinate"')
    return {"do": "drag", **said}


def _turned(said: Said) -> Said:
    _rename(said, "text", "mods")
    way, amount = _DIRECTIONS.get(str(said.get("scroll_direction")).casefold()), said.get("scroll_amount", 3)
    if "scroll_direction" in said and way is None:
        raise ValueError('"scroll_direction" is up, down, left or right')
    if not isinstance(amount, int):
        raise ValueError('"scroll_amount" is a whole number of notches, as in 3')
    if way is not None and isinstance(amount, int) and "notches" not in said:
        said = {key: value for key, value in said.items() if key not in ("scroll_direction", "scroll_amount")}
        said["notches"] = (way[0] * amount, way[1] * amount)
    return {"do": "scroll", **said}


def _pressed(said: Said) -> Said:
    _rename(said, "text", "keys")
    _rename(said, "repeat", "count")
    return {"do": "key", **said}


def _plain(verb: str) -> Callable[[Said], Said]:
    return lambda said: {"do": verb, **said}


_CLAUDE: Mapping[str, Callable[[Said], Said]] = {
    "left_click": _clicked(), "right_click": _clicked(1, "right"), "middle_click": _clicked(1, "middle"),
    "back_click": _clicked(1, "back"), "forward_click": _clicked(1, "forward"),
    "double_click": _clicked(2), "triple_click": _clicked(3), "left_click_drag": _dragged, "scroll": _turned,
    "key": _pressed, "hold_key": _pressed,
    "mouse_move": _pointed("move"), "drag": _pointed("drag"),
    "left_mouse_down": lambda said: {"do": "down", **said}, "mouse_down": lambda said: {"do": "down", **said},
    "left_mouse_up": lambda said: {"do": "up", **said}, "mouse_up": lambda said: {"do": "up", **said},
    "type": _plain("type"), "wait": _plain("wait"), "screenshot": _plain("screenshot"),
}  # fmt: skip


def _claude(said: Said, verb: str) -> Said:
    _rename(said, "coordinate", "at")
    say = _CLAUDE.get(verb)
    return _timed(say(said) if say is not None else {"do": verb, **said})


def _rename(said: Said, other: str, name: str) -> None:
    if other in said and name not in said:
        said[name] = said.pop(other)
