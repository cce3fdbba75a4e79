"""What everything of one connection shares: the owner, whom to ask, and how long to wait."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from deskhand.daemon import consent
from deskhand.daemon.keeping import Reach
from deskhand.library.failures import BatchStopped
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    ChangesRequest,
    InputRequest,
    ObserveRequest,
    ScreenshotRequest,
)
from deskhand.types.results import ActResult, AppsResult, InputResult, ScreenshotResult, View
from deskhand.types.steps import Strict, explain

BREATH = 0.02
"""Seconds in which several changes become one look."""
LOOK_EVERY = 0.5
"""Seconds between two looks while nothing is announced: some changes are announced by nobody."""
WHOLE = 50_000
"""Tokens: a view is asked for whole, its elements are what is wanted."""
WHOLE_PICTURE = 20_000_000
"""Bytes: a program takes a PNG of any size."""
LONGEST = 50.0
_R = TypeVar("_R")
_Request = TypeVar("_Request", bound=Strict)


def asked(request: type[_Request], **values: Any) -> _Request:
    """The typed request. Raises ``invalid_request``."""
    try:
        return request.model_validate({key: value for key, value in values.items() if value is not None})
    except ValidationError as error:
        raise DeskhandError("invalid_request", explain(error)) from error


def leased(picture: str | ScreenshotResult) -> str:
    """The lease of a picture; a lease is one already."""
    return picture.lease if isinstance(picture, ScreenshotResult) else picture


@dataclass
class Link:
    """One connection. ``timeout``: seconds that locators and ``expect`` wait where the caller says nothing else."""

    reach: Reach
    ask: consent.Ask | None
    timeout: float = 5.0

    async def apps(self) -> AppsResult:
        """Open windows, without what can be opened."""
        return await (await self.reach.desktop()).apps(AppsRequest(openable=False))

    async def view(self, target: str | None) -> View:
        """Everything in a window or below an element."""
        request = ObserveRequest(target=target, budget=WHOLE)
        return await (await self.reach.desktop()).observe(request)

    async def act(self, steps: Sequence[Mapping[str, Any]], **more: Any) -> ActResult:
        """Do steps. Raises ``BatchStopped`` where they end early."""
        request = asked(ActRequest, steps=list(steps), **more)
        parts = await consent.act(await self.reach.desktop(), request, self.ask)
        result = consent.joined(parts)
        if result.failure is not None:
            raise BatchStopped(result.failure, result)
        return result

    async def input(self, lease: str, actions: Sequence[Mapping[str, Any]], **more: Any) -> InputResult:
        """Mouse and keyboard. Raises ``BatchStopped`` where they end early."""
        request = asked(InputRequest, lease=lease, actions=list(actions), **more)
        result = await consent.input_(await self.reach.desktop(), request, self.ask)
        if result.failure is not None:
            raise BatchStopped(result.failure, result)
        return result

    async def picture(self, request: ScreenshotRequest) -> bytes:
        """A picture, PNG."""
        whole = request.model_copy(update={"max_bytes": WHOLE_PICTURE})
        return base64.b64decode((await (await self.reach.desktop()).screenshot(whole)).image)

    def ends(self, timeout: float | None) -> float:
        """When to give up, on ``time.monotonic``'s clock."""
        return time.monotonic() + (self.timeout if timeout is None else timeout)

    async def until(self, look: Callable[[], Awaitable[_R | None]], ends: float) -> _R | None:
        """What ``look`` finds, asked again after each change until ``ends``; None when it never found anything."""
        desktop = await self.reach.desktop()
        serial = (await desktop.changes(ChangesRequest())).serial
        while True:
            found = await look()
            left = ends - time.monotonic()
            if found is not None or left <= 0:
                return found
            serial = (await desktop.changes(ChangesRequest(after=serial, timeout=min(left, LOOK_EVERY)))).serial
            await asyncio.sleep(BREATH)

    async def pause(self, ends: float) -> None:
        """Let something change, at most until ``ends``."""
        desktop = await self.reach.desktop()
        serial = (await desktop.changes(ChangesRequest())).serial
        left = min(LOOK_EVERY, max(0.0, ends - time.monotonic()))
        await desktop.changes(ChangesRequest(after=serial, timeout=left))
