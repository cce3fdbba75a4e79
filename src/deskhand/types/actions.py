"""The actions of ``input``: pointer and keyboard in a picture's own pixels, in one form whoever's words were used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from deskhand.types.dialects import translate
from deskhand.types.steps import Asked, Number32, check_mods

ActionVerb = Literal["move", "click", "down", "up", "drag", "scroll", "key", "type", "wait", "screenshot"]
Button = Literal["left", "middle", "right", "back", "forward"]
Pixel = tuple[Number32, Number32]
"""x, y in the picture's pixels."""

PATH_MOST = 256
NOTCHES_MOST = 100
_PLACED = frozenset({"click", "drag", "move", "scroll"})
_FIELDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    # verb: (required, optional)
    "move": (frozenset({"at"}), frozenset({"mods"})),
    "click": (frozenset({"at"}), frozenset({"button", "count", "mods"})),
    "down": (frozenset(), frozenset({"at", "button", "keys"})),
    "up": (frozenset(), frozenset({"at", "button", "keys"})),
    "drag": (frozenset({"path"}), frozenset({"button", "mods"})),
    "scroll": (frozenset({"at", "notches"}), frozenset({"mods"})),
    "key": (frozenset({"keys"}), frozenset({"count", "seconds"})),
    "type": (frozenset({"text"}), frozenset()),
    "wait": (frozenset(), frozenset({"seconds"})),
    "screenshot": (frozenset(), frozenset()),
}


class Action(Asked):
    """One action. ``notches`` of the wheel: right and down are positive. ``keys`` is a chord such as ``ctrl+s``.

    ``key`` with ``seconds`` holds the chord so long. ``down`` and ``up`` press and release a mouse button, or ``keys``.
    ``screenshot`` may only come last: the result then carries a picture with a new lease.
    """

    do: ActionVerb
    at: Pixel | None = None
    button: Button | None = None
    count: int | None = Field(default=None, ge=1, le=100)
    mods: str | None = None
    path: Annotated[list[Pixel], Field(min_length=2, max_length=PATH_MOST)] | None = None
    notches: tuple[
        Annotated[int, Field(ge=-NOTCHES_MOST, le=NOTCHES_MOST)],
        Annotated[int, Field(ge=-NOTCHES_MOST, le=NOTCHES_MOST)],
    ] | None = None  # fmt: skip
    keys: str | None = Field(default=None, min_length=1)
    text: str | None = Field(default=None, min_length=1)
    seconds: float | None = Field(default=None, gt=0, le=40)

    @model_validator(mode="before")
    @classmethod
    def _in_our_words(cls, data: Any) -> Any:
        return translate(data) if isinstance(data, Mapping) else data

    @model_validator(mode="after")
    def _fields_fit_the_verb(self) -> Action:
        check_mods(self.mods)
        required, optional = _FIELDS[self.do]
        given = {name for name in type(self).model_fields if name != "do" and getattr(self, name) is not None}
        if missing := sorted(required - given):
            raise ValueError(f"{self.do} needs {', '.join(missing)}")
        if extra := sorted(given - required - optional):
            raise ValueError(f"{self.do} takes no {', '.join(extra)}")
        if self.keys is not None and self.do in ("down", "up") and (self.at or self.button):
            raise ValueError(f"{self.do} takes keys, or a button and its place")
        if self.do == "click" and (self.count or 1) > 3:
            raise ValueError("click takes count 1, 2 or 3; send more clicks as actions of their own")
        if self.notches == (0, 0):
            raise ValueError(f"{self.do} would do nothing; say how many notches")
        if self.do == "key" and self.seconds is not None and self.count is not None:
            raise ValueError("key takes count or seconds, not both")
        return self

    @property
    def points(self) -> list[Pixel]:
        """Where in the picture the pointer will go."""
        return [*([self.at] if self.at is not None else []), *(self.path or [])]
