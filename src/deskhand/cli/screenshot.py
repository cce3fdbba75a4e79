"""``deskhand screenshot``: a picture into a file."""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, drive, target
from deskhand.cli.output import print_json, print_result, told
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ScreenshotRequest
from deskhand.types.results import ScreenshotResult


def screenshot(
    what: Annotated[
        str | None, typer.Argument(metavar="[TARGET]", help="A window or element; left out: the whole desktop.")
    ] = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where the PNG goes; - for stdout.")
    ] = "screenshot.png",
    max_pixels: Annotated[int | None, typer.Option(help="Scale it down to at most so many pixels.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a picture of a window, an element, or the whole desktop."""
    with told(as_json):
        request = asked(ScreenshotRequest, {"target": target(what), "max_pixels": max_pixels})
        result = drive(desktop, "screenshot", lambda remote: remote.screenshot(request))
        if out == "-":
            sys.stdout.buffer.write(base64.b64decode(result.image))
            return
        _write(result, Path(out))
        if as_json:
            print_json({**result.model_dump(mode="json", exclude={"image"}), "file": out})
        else:
            print_result(result, False)
            print(f"written to {out}")


def _write(result: ScreenshotResult, path: Path) -> None:
    try:
        path.write_bytes(base64.b64decode(result.image))
    except OSError as error:
        raise DeskhandError("invalid_request", f"cannot write {path}: {error.strerror}") from error
