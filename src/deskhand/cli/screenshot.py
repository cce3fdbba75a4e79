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

WHOLE = 20_000_000
"""Bytes: what goes into a file need not be small."""
OutOption = Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where the PNG goes; - for stdout.")]
PixelsOption = Annotated[
    int | None, typer.Option("--max-pixels", help="At most so many, instead of 1150000 with no side over 1568.")
]
MarksOption = Annotated[bool, typer.Option("--marks", help="Draw each element's ref on it.")]


def screenshot(  # noqa: PLR0917 - typer calls it by name
    what: Annotated[
        str | None, typer.Argument(metavar="[TARGET]", help="A window or element; left out: the whole desktop.")
    ] = None,
    out: OutOption = "screenshot.png",
    region: Annotated[str | None, typer.Option(metavar="X,Y,W,H", help="This part of the screen.")] = None,
    monitor: Annotated[int | None, typer.Option(metavar="N", help="This monitor, counted from the left.")] = None,
    marks: MarksOption = False,
    max_pixels: PixelsOption = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a picture of a window, an element, or the whole desktop."""
    with told(as_json):
        place = {"target": target(what), "region": numbers(region), "monitor": monitor}
        size = {"max_pixels": max_pixels, "max_bytes": WHOLE}
        request = asked(ScreenshotRequest, {**place, **size, "marks": marks})
        show_picture(drive(desktop, "screenshot", lambda remote: remote.screenshot(request)), out, as_json)


def numbers(text: str | None) -> list[int] | None:
    """``10,20,300,200``. Raises ``invalid_request`` for anything else."""
    if text is None:
        return None
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != 4:
        raise DeskhandError("invalid_request", "write four numbers: X,Y,W,H")
    return found


def show_picture(result: ScreenshotResult, out: str, as_json: bool) -> None:
    """The picture goes into its file, the lines to stdout."""
    if out == "-":
        sys.stdout.buffer.write(base64.b64decode(result.image))
        return
    write_picture(result, Path(out))
    if as_json:
        print_json({**result.model_dump(mode="json", exclude={"image"}), "file": out})
    else:
        print_result(result, False)
        print(f"written to {out}")


def write_picture(result: ScreenshotResult, path: Path) -> None:
    """Raises ``invalid_request`` where the file cannot be written."""
    try:
        path.write_bytes(base64.b64decode(result.image))
    except OSError as error:
        raise DeskhandError("invalid_request", f"cannot write {path}: {error.strerror}") from error
