"""Results as a client gets them: text and images, errors in the contract's own line."""

from __future__ import annotations

from mcp_types import CallToolResult, ImageContent, TextContent

from deskhand.desktop.semantics.quoting import quote_cut
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Failure, Result, ScreenshotResult

_LONG = 200


def answered(result: Result) -> CallToolResult:
    """A result's lines, with the picture where it has one."""
    content: list[TextContent | ImageContent] = [TextContent(text=result.text)]
    if isinstance(result, ScreenshotResult):
        content.append(ImageContent(data=result.png, mime_type="image/png"))
    return CallToolResult(content=[*content])


def refused(failure: Failure | DeskhandError, more: str = "") -> CallToolResult:
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
        more = f"ask your user to run: deskhand approve {failure.question}  then send the same steps again"
    return failed_text("; ".join(parts) + (f"\n{more}" if more else ""))


def _evidence(failure: Failure) -> list[tuple[str, str]]:
    return [("expected", failure.expected), ("found", failure.found)]


def failed_text(text: str) -> CallToolResult:
    """Lines that tell of a failure."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)
