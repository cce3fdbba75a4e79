"""The steps of ``act`` as every face takes them: validated whole before the first is done."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from deskhand.types.habits import translate_habits
from deskhand.types.keynames import MODIFIERS
from deskhand.types.words import role_named

MAX_STEPS = 64

Verb = Literal[
    "press", "click", "hover", "set", "append", "type", "key", "select", "check", "uncheck", "expand", "collapse",
    "focus", "scroll", "drag", "menu", "invoke", "window", "clipboard", "open", "wait",
]  # fmt: skip
Route = Literal["accessibility", "pointer", "keyboard", "api"]
WaitFor = Literal["window", "closed", "element", "gone", "value", "text", "enabled", "focused", "settled"]
Match = Literal["exact", "contains", "regex"]
WindowOp = Literal["activate", "close", "minimise", "maximise", "restore", "move", "resize"]


PATTERN_MOST = 500
_NO_NAME = re.compile("[\\0\ud800-\udfff]")
_WRITTEN = frozenset({"value", "text", "content", "string"})
"""Fields of what is written."""
Number32 = Annotated[int, Field(ge=-(2**31), le=2**31 - 1)]
"""Whatever counts pixels, characters or rows: toolkits and displays take no more."""


class Strict(BaseModel):
    """Base of all that crosses a boundary: frozen, unknown keys refused, ``in``/``for``/``is`` by their real names."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Asked(Strict):
    """Base of all that callers ask."""

    @model_validator(mode="before")
    @classmethod
    def _names_are_text(cls, data: Any) -> Any:
        """What names or addresses something can be said everywhere. What is written is judged where it is sent."""
        if isinstance(data, Mapping):
            for key, held in data.items():
                for text in held if isinstance(held, list | tuple) else (key, held):
                    if isinstance(text, str) and key not in _WRITTEN and (found := _NO_NAME.search(text)):
                        raise ValueError(f"U+{ord(found[0]):04X} is no text; take it out")
        return data


class Selector(Asked):
    """Names exactly one element: ``{"role": "button", "name": "Save", "match": "exact", "in": "w3", "nth": 1}``."""

    role: str | None = None
    name: str | None = None
    match: Match = "exact"
    within: str | None = Field(default=None, alias="in")
    nth: int | None = Field(default=None, ge=1)

    @field_validator("role")
    @classmethod
    def _known_role(cls, role: str | None) -> str | None:
        return role_named(role) if role is not None else None

    @model_validator(mode="after")
    def _names_something(self) -> Selector:
        if self.role is None and self.name is None:
            raise ValueError("a selector needs role or name")
        if self.match == "regex" and self.name is not None:
            compiled(self.name)
        return self


Target = Annotated[str, Field(min_length=1)] | Selector
"""``"r12"``, ``"r70[B7]"``, ``"r70[3,2]"``, ``"w3"``, an application's name, or a selector."""


class FileCondition(Asked):
    """A file that must exist, holding ``contains`` where given."""

    path: str
    contains: str | None = None


class ClipboardCondition(Asked):
    """The clipboard's text must be this."""

    value: str = Field(alias="is")


class ProcessCondition(Asked):
    """A process of this name runs, or has ended where ``gone``."""

    name: str
    gone: bool = False


class Expect(Asked):
    """What a step is to achieve: a condition as in ``wait``, or a file, the clipboard, a process."""

    condition: WaitFor | None = Field(default=None, alias="for")
    on: Target | None = None
    value: str | float | bool | None = Field(default=None, alias="is")
    match: Match = "exact"
    timeout: float = Field(default=5.0, gt=0, le=45)
    file: FileCondition | None = None
    clipboard: ClipboardCondition | None = None
    process: ProcessCondition | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Expect:
        if not (self.condition or self.file or self.clipboard or self.process):
            raise ValueError('expect needs "for", "file", "clipboard" or "process"')
        _check_condition("expect", self.condition, self.on, self.value, self.match)
        return self


class Step(Asked):
    """One step. Which fields a verb takes stands in ``FIELDS``; anything else is refused before the batch starts."""

    do: Verb
    on: Target | None = None
    value: str | float | int | None = None
    keys: str | None = None
    items: list[str] | None = None
    range: str | tuple[Number32, Number32] | None = None
    button: Literal["left", "middle", "right", "back", "forward"] | None = None
    count: int | None = Field(default=None, ge=1, le=100)
    mods: str | None = None
    to: str | Selector | tuple[Number32, Number32] | None = None
    by: tuple[Number32, Number32] | None = None
    path: list[str] | None = Field(default=None, min_length=1)
    within: Target | None = Field(default=None, alias="in")
    action: str | None = None
    op: str | None = None
    rect: tuple[Number32, Number32, Number32, Number32] | tuple[Number32, Number32] | None = None
    app: str | None = None
    file: str | None = None
    url: str | None = None
    condition: WaitFor | None = Field(default=None, alias="for")
    awaited: str | float | bool | None = Field(default=None, alias="is")
    match: Match | None = None
    timeout: float | None = Field(default=None, gt=0, le=45)
    expect: Expect | None = None
    route: Route | None = None

    @model_validator(mode="before")
    @classmethod
    def _accept_habits(cls, data: Any) -> Any:
        return translate_habits(data) if isinstance(data, Mapping) else data

    @model_validator(mode="after")
    def _fields_fit_the_verb(self) -> Step:
        check_mods(self.mods)
        required, optional = FIELDS[self.do]
        if isinstance(self.value, float) and not math.isfinite(self.value):
            raise ValueError("value must be a finite number")
        given = {name for name in type(self).model_fields if getattr(self, name) is not None}
        given -= {"do", "expect", "route"}
        _refuse_missing(self.do, [name for name in required if name not in given])
        _refuse_extra(self.do, sorted(given - set(required) - set(optional)))
        _check_alternatives(self)
        return self


FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # verb: (required, optional); ``expect`` and ``route`` go with every verb
    "press": (("on",), ()),
    "click": (("on",), ("button", "count", "mods")),
    "hover": (("on",), ()),
    "set": (("on", "value"), ()),
    "append": (("on", "value"), ()),
    "type": (("value",), ("on",)),
    "key": (("keys",), ("on", "count")),
    "select": (("on",), ("items", "range")),
    "check": (("on",), ()),
    "uncheck": (("on",), ()),
    "expand": (("on",), ()),
    "collapse": (("on",), ()),
    "focus": (("on",), ()),
    "scroll": (("on",), ("to", "by")),
    "drag": (("on", "to"), ()),
    "menu": (("path",), ("within",)),
    "invoke": (("on", "action"), ()),
    "window": (("on", "op"), ("rect",)),
    "clipboard": (("op",), ("value",)),
    "open": ((), ("app", "file", "url")),
    "wait": (("condition",), ("on", "awaited", "match", "timeout")),
}
_SPOKEN = {"within": "in", "condition": "for", "awaited": "is"}
_OPS: dict[str, tuple[str, ...]] = {"window": get_args(WindowOp), "clipboard": ("read", "write")}


def compiled(pattern: str) -> re.Pattern[str]:
    """A regular expression, or ``ValueError`` that says what is wrong with it."""
    if len(pattern) > PATTERN_MOST:
        raise ValueError(f"a regular expression has at most {PATTERN_MOST} characters")
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"not a regular expression: {error}") from error


def _refuse_missing(verb: str, missing: list[str]) -> None:
    if missing:
        raise ValueError(f"{verb} needs {', '.join(_SPOKEN.get(name, name) for name in missing)}")


def _refuse_extra(verb: str, extra: list[str]) -> None:
    if extra:
        raise ValueError(f"{verb} takes no {', '.join(_SPOKEN.get(name, name) for name in extra)}")


def check_mods(mods: str | None) -> None:
    """Raises ``ValueError`` for what is no modifier. Any other key held during a click would be a chord in disguise."""
    if mods is not None and any(part.strip().lower() not in MODIFIERS for part in mods.split("+")):
        raise ValueError("mods are ctrl, shift, alt, super joined by +")


def _exactly_one(step: Step, *names: str) -> None:
    if sum(getattr(step, name) is not None for name in names) != 1:
        raise ValueError(f"{step.do} needs exactly one of {', '.join(names)}")


def check_opened(app: str | None, file: str | None, url: str | None) -> None:
    """An application, a file or a URL; not both of these. Raises ``ValueError``."""
    if app is None and file is None and url is None:
        raise ValueError("open needs app, file or url")
    if file is not None and url is not None:
        raise ValueError("open takes file or url, not both")


def _check_alternatives(step: Step) -> None:
    one_of: dict[str, tuple[str, ...]] = {
        "select": ("items", "range"), "scroll": ("to", "by"),
    }  # fmt: skip
    if step.do in one_of:
        _exactly_one(step, *one_of[step.do])
    if step.do == "open":
        check_opened(step.app, step.file, step.url)
    if step.do in _OPS and step.op not in _OPS[step.do]:
        raise ValueError(f"{step.do} op is one of {', '.join(_OPS[step.do])}")
    if step.do == "window":
        _check_rect(step.op, step.rect)
    if step.do == "clipboard" and (step.op == "write") != (step.value is not None):
        raise ValueError("clipboard write needs a value, read takes none")
    if step.do == "scroll" and step.to not in (None, "top", "bottom", "view"):
        raise ValueError("scroll to top, bottom or view")
    if step.do == "wait":
        _check_condition("wait", step.condition, step.on, step.awaited, step.match)


def _check_rect(op: str | None, rect: Sequence[int] | None) -> None:
    """Raises ``ValueError``."""
    if op == "move" and rect is None:
        raise ValueError("window move needs rect [x, y], or [x, y, w, h]")
    if op == "resize" and (rect is None or len(rect) != 4):
        raise ValueError("window resize needs rect [x, y, w, h]")
    if op not in ("move", "resize") and rect is not None:
        raise ValueError(f"window {op} takes no rect")
    if rect is not None and any(side < 1 for side in rect[2:]):
        raise ValueError("window: w and h of rect are at least 1")


def _check_condition(
    verb: str, condition: WaitFor | None, on: Target | None, awaited: str | float | bool | None, match: Match | None
) -> None:
    """What is waited for says of what, and which value. Raises ``ValueError``."""
    if condition in ("value", "text") and awaited is None:
        raise ValueError(f'{verb} for {condition} needs "is"')
    if condition not in (None, "settled") and on is None:
        raise ValueError(f'{verb} for {condition} needs "on"')
    if condition is None and (on is not None or awaited is not None):
        raise ValueError(f'{verb} with "on" or "is" needs "for"')
    if match == "regex" and isinstance(awaited, str):
        compiled(awaited)


_LINE = 400
"""Characters that an explanation has at most."""


def explain(error: ValidationError) -> str:
    """One readable line: which step (from 1), which field, and what to write instead.

    Values that were given are not repeated (one may be a password); what is quoted of a request is JSON-quoted.
    """
    found = error.errors(include_url=False)
    first = _place(found[0])
    same = [each for each in found if _place(each) == first]
    more = len({_place(each) for each in found}) - 1
    line = f"{_where(first)}{_remedy(same)}" + (f" (and {more} more)" if more else "")
    line = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)
    return line if len(line) <= _LINE else line[: _LINE - 1] + "…"


def _place(error: ErrorDetails) -> tuple[int | str, ...]:
    """The step's number and the field's name; deeper than that are pydantic's own words for a union's members."""
    place = error["loc"]
    return tuple(place[:3] if place[:1] in (("steps",), ("actions",)) else place[:1])


def _where(place: tuple[int | str, ...]) -> str:
    step = f"{str(place[0])[:-1]} {place[1] + 1}: " if len(place) > 1 and isinstance(place[1], int) else ""
    field = place[-1] if place and isinstance(place[-1], str) else ""
    return step + (f"{json.dumps(field, ensure_ascii=False)}: " if field else "")


def _remedy(errors: Sequence[ErrorDetails]) -> str:
    """What to do about the errors of one place; a rule of ours says more than a type that did not fit."""
    telling = ("value_error", "extra_forbidden", "literal_error")
    error = min(errors, key=lambda each: telling.index(each["type"]) if each["type"] in telling else len(telling))
    context = error.get("ctx", {})
    if error["type"] == "value_error":
        return str(context.get("error", error["msg"]))
    if error["type"] == "extra_forbidden":
        return _unknown_field(str(error["loc"][-1]), _OF_ACTIONS if error["loc"][0] == "actions" else _OF_STEPS)
    if error["type"] == "literal_error":
        return f"write one of {context.get('expected', '')}{_nearest(error)}"
    if error["type"] == "missing":
        return "is missing; add it"
    if error["type"] in ("too_long", "too_short") and error["loc"] in (("steps",), ("actions",)):
        return f"holds {context.get('actual_length')}; give 1 to {MAX_STEPS}, split a longer batch"
    if error["type"] in ("model_type", "model_attributes_type", "dict_type") and error["loc"][:1] == ("actions",):
        return 'write an object such as {"do": "click", "at": [120, 48]}'
    if error["type"] in ("model_type", "model_attributes_type", "dict_type"):
        return 'write an object such as {"do": "press", "on": "r12"}'
    if error["type"] == "list_type" and error["loc"] in (("steps",), ("actions",)):
        return "must be a list of objects; write [{…}]"
    if error["type"] in ("too_short", "too_long"):
        return f"holds {context.get('actual_length')}; give {context.get('min_length') or context.get('max_length')}"
    if error["type"].endswith("_parsing"):
        return "must be a number, without a unit"
    return _types(errors)


def _unknown_field(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {json.dumps(near[0])}?" if near else "remove it"
    return f"there is no field {json.dumps(name, ensure_ascii=False)}; {hint}"


_OF_STEPS = sorted({_SPOKEN.get(field, field) for fields in FIELDS.values() for part in fields for field in part})
_OF_ACTIONS = (
    "x", "y", "coordinate", "start_coordinate", "button", "keys", "path", "scroll_x", "scroll_y", "text", "seconds",
    "duration", "scroll_direction", "scroll_amount", "repeat", "at", "count", "mods", "notches",
)  # fmt: skip
"""What actions have, in the words of either language."""


def _nearest(error: ErrorDetails) -> str:
    given = error["input"]
    near = difflib.get_close_matches(given, get_args(Verb), 1) if isinstance(given, str) else []
    return f"; did you mean {json.dumps(near[0])}?" if near and error["loc"][-1] == "do" else ""


def _types(errors: Sequence[ErrorDetails]) -> str:
    said = dict.fromkeys(each["msg"].removeprefix("Input should be ").lower() for each in errors)
    return "must be " + " or ".join(said)
