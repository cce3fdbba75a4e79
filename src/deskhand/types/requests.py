"""What callers ask: one frozen model per operation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from deskhand.types.actions import Action
from deskhand.types.steps import MAX_STEPS, Asked, Number32, Step, Target, check_opened
from deskhand.types.words import role_named, state_named

Detail = Literal["text", "bounds", "actions", "hidden", "rows"]


class AppsRequest(Asked):
    """``openable``: also list what can be opened, filtered by ``query``."""

    openable: bool = True
    query: str | None = None


class ObserveRequest(Asked):
    """``target``: window, element or application; the active window when left out. ``budget`` in tokens.

    ``first`` and ``last`` page long text by character offsets, with ``detail`` ``text`` on one element.
    """

    target: Target | None = None
    since: str | None = None
    budget: int = Field(default=2000, ge=50, le=50_000)
    detail: list[Detail] = []
    first: int | None = Field(default=None, alias="from", ge=0, le=2**31 - 1)
    last: int | None = Field(default=None, alias="to", ge=0, le=2**31 - 1)


class FindRequest(Asked):
    """Elements whose name, text or value contains ``query`` (case folded), in ``within`` (default: all windows)."""

    query: str = ""
    role: str | None = None
    state: str | None = None
    within: Target | None = Field(default=None, alias="in")
    limit: int = Field(default=20, ge=1, le=200)
    cursor: str | None = None

    @field_validator("role")
    @classmethod
    def _known_role(cls, role: str | None) -> str | None:
        return role_named(role) if role is not None else None

    @field_validator("state")
    @classmethod
    def _known_state(cls, state: str | None) -> str | None:
        return state_named(state) if state is not None else None


class ActRequest(Asked):
    """A batch. ``consent`` is the id of an approved question for exactly these steps. ``on_failure``: ``undo`` puts
    back what can be, when a step fails."""

    steps: list[Step] = Field(min_length=1, max_length=MAX_STEPS)
    since: str | None = None
    consent: str | None = None
    timeout: float = Field(default=50.0, gt=0, le=50)
    on_failure: Literal["stop", "undo"] = "stop"


MOST_PIXELS, LONGEST_SIDE, MOST_BYTES = 1_150_000, 1568, 1_000_000
"""Of a picture: what models are shown without its being scaled down on the way to them (then places that they name
would be another picture's: https://docs.claude.com/en/docs/build-with-claude/vision), and what ends no session."""


class _Pictured(Asked):
    """``marks`` draws each element's ref on it. ``max_pixels`` and ``max_bytes`` bound the picture."""

    marks: bool = False
    max_pixels: int = Field(default=MOST_PIXELS, ge=10_000, le=20_000_000)
    max_bytes: int = Field(default=MOST_BYTES, ge=20_000, le=20_000_000)

    @property
    def max_side(self) -> int:
        """The longer side in pixels; whoever is shown more pixels than usual is shown any shape of them."""
        return LONGEST_SIDE if self.max_pixels <= MOST_PIXELS else self.max_pixels


class ScreenshotRequest(_Pictured):
    """``target``: a window or element, or ``region`` (x, y, width, height in root pixels), or ``monitor`` (counted from
    the left, from 1); else the whole desktop."""

    target: Target | None = None
    region: tuple[Number32, Number32, Number32, Number32] | None = None
    monitor: int | None = Field(default=None, ge=1, le=64)

    @model_validator(mode="after")
    def _one_place(self) -> ScreenshotRequest:
        if sum(place is not None for place in (self.target, self.region, self.monitor)) > 1:
            raise ValueError("screenshot takes one of target, region and monitor")
        return self


class ZoomRequest(_Pictured):
    """A part of an earlier picture, seen larger. ``rect``: x, y, width, height in the pixels of ``lease``'s picture."""

    lease: str
    rect: tuple[Number32, Number32, Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]


class InputRequest(Asked):
    """Pointer and keyboard in the frame of the picture that ``lease`` came with.

    ``consent`` is the id of an approved question for exactly these actions.
    """

    lease: str
    actions: list[Action] = Field(min_length=1, max_length=MAX_STEPS)
    consent: str | None = None
    timeout: float = Field(default=50.0, gt=0, le=50)

    @model_validator(mode="after")
    def _a_picture_ends_it(self) -> InputRequest:
        if any(action.do == "screenshot" for action in self.actions[:-1]):
            raise ValueError("a screenshot comes last; send what follows it with its new lease")
        return self


class PointRequest(Asked):
    """A point in root pixels, or in the frame of ``lease``'s picture, or ``cursor``: where the pointer is."""

    x: Number32 | None = None
    y: Number32 | None = None
    cursor: bool = False
    lease: str | None = None

    @model_validator(mode="after")
    def _one_place(self) -> PointRequest:
        if self.cursor and (self.x is not None or self.y is not None or self.lease is not None):
            raise ValueError("point takes x and y (in the pixels of lease), or cursor alone")
        if not self.cursor and (self.x is None or self.y is None):
            raise ValueError("point needs x and y in root pixels, or cursor: true")
        return self


class ChangesRequest(Asked):
    """Wait until more has changed than ``after`` (a ``serial`` of an earlier answer); without it, answer at once."""

    after: int | None = None
    timeout: float = Field(default=5.0, ge=0, le=45)


class OpenRequest(Asked):
    """An application's name, a file or a URL; a file or URL with a name is opened in that application."""

    app: str | None = None
    file: str | None = None
    url: str | None = None
    timeout: float = Field(default=30.0, gt=0, le=50)
    consent: str | None = None

    @model_validator(mode="after")
    def _names_one_thing(self) -> OpenRequest:
        check_opened(self.app, self.file, self.url)
        return self


class AnswerRequest(Asked):
    """A person's answer to a pending question."""

    question: str
    agree: bool


class WithdrawRequest(Asked):
    """A session's own question that nobody need answer any more: another one has taken its place."""

    question: str


Request = (
    AppsRequest
    | ObserveRequest
    | FindRequest
    | ActRequest
    | PointRequest
    | ScreenshotRequest
    | ZoomRequest
    | InputRequest
    | OpenRequest
    | AnswerRequest
    | WithdrawRequest
    | ChangesRequest
)
