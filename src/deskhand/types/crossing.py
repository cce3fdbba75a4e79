"""A request as it goes to another process: what its caller said, and no more."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest
from deskhand.types.texts import require_sendable


def crossing(request: BaseModel) -> dict[str, Any]:
    """The request as JSON values. What was left out stays left out: it may mean something else than its default.

    Raises:
        DeskhandError: ``unsendable_text`` for lone surrogates, which no JSON carries: a connection would break of them.
    """
    data = request.model_dump(mode="python", by_alias=True, exclude_unset=True, exclude_none=True)
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        _refuse(request)
    return data


def _refuse(request: BaseModel) -> None:
    for index, step in enumerate(request.steps if isinstance(request, ActRequest) else (), 1):
        if isinstance(step.value, str):
            require_sendable(step.value, f"step {index}: ")
    raise DeskhandError("unsendable_text", "a lone surrogate is no text; take it out, nothing was sent")
