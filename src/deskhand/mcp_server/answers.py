"""Results as a client gets them: text and images, errors in the contract's own line."""

from __future__ import annotations

from typing import Any

from mcp_types import CallToolResult, ImageContent, TextContent
from pydantic import PrivateAttr

from deskhand.daemon.naming import approval, as_called
from deskhand.desktop.semantics.budget import cut
from deskhand.desktop.semantics.quoting import quote_cut
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Failure, InputResult, OpenResult, Result, ScreenshotResult
from deskhand.types.steps import Strict
from deskhand.types.typed import FAILURE, RESULT

_LONG = 200
_MOST = 1500
"""Tokens that an error has at most."""


class Answer(CallToolResult):
    """What a client gets, with the typed result or failure that it was made from."""

    _typed: Strict | None = PrivateAttr(None)

    @classmethod
    def of(cls, text: str, typed: Strict | None, *, failed: bool = False) -> Answer:
        """Lines, and a picture where there is one."""
        said = as_called(text) if failed else text
        content: list[TextContent | ImageContent] = [TextContent(text=said)]
        if (picture := _picture(typed)) is not None:
            content.append(ImageContent(data=picture.image, mime_type=picture.mime))
        made = cls(content=[*content], is_error=failed)
        made._typed = typed
        return made

    def as_asked(self, *, structured: bool, typed: bool) -> Answer:
        """In the form that the server promises and the caller asked for."""
        answer = self.structured() if structured else self
        return answer.with_typed() if typed else answer

    def with_typed(self) -> Answer:
        """The same for a program: the typed result in ``_meta``, the text unchanged."""
        key = FAILURE if isinstance(self._typed, Failure) else RESULT
        return self.model_copy(update={"meta": {key: self._dumped()}}) if self._typed is not None else self

    def structured(self) -> Answer:
        """The same with ``structuredContent`` that has everything but the picture, errors too."""
        first = self.content[0]
        text = {"text": first.text} if isinstance(first, TextContent) else {}
        held = {"failure": self._dumped()} if isinstance(self._typed, Failure) else self._dumped()
        return self.model_copy(update={"structured_content": {**held, **text}})

    def _dumped(self) -> dict[str, Any]:
        if self._typed is None:
            return {}
        return self._typed.model_dump(mode="json", by_alias=True, exclude={"image": True, "picture": {"image"}})

    def without_view(self) -> Answer:
        """The same without the tree below the first line."""
        if not isinstance(self._typed, OpenResult):
            return self
        first = self._typed.text.partition("\n")[0]
        return answered(self._typed.model_copy(update={"text": first}))


def answered(result: Strict) -> Answer:
    """A result's lines, with the picture where it has one."""
    text = result.text if isinstance(result, Result) else result.model_dump_json(by_alias=True)
    return Answer.of(text, result)


def _picture(result: Strict | None) -> ScreenshotResult | None:
    return (
        result.picture if isinstance(result, InputResult) else result if isinstance(result, ScreenshotResult) else None
    )


def refused(failure: Failure | DeskhandError, more: str = "") -> Answer:
    """An error as a result: ``code: message``, what was meant and found, what to try."""
    failure = Failure.of(failure) if isinstance(failure, DeskhandError) else failure
    parts = [f"{failure.code}: {failure.message}"]
    if failure.target:
        parts.append(f"target {quote_cut(failure.target, _LONG)}")
    parts.append(f"input {failure.sent}")
    parts += [f"{name} {quote_cut(text, _LONG)}" for name, text in _evidence(failure) if text]
    if failure.candidates:
        parts.append("try " + ", ".join(failure.candidates))
    if failure.question and not more:
        more = f"ask your user to run: {approval(failure.question, failure.desktop)}  then send the same steps again"
    return Answer.of(cut("; ".join(parts), _MOST) + (f"\n{more}" if more else ""), failure, failed=True)


def _evidence(failure: Failure) -> list[tuple[str, str]]:
    return [("expected", failure.expected), ("found", failure.found)]


def stopped(text: str, result: Result) -> Answer:
    """A batch that stopped: its lines, with the way on."""
    return Answer.of(text, result, failed=True)
