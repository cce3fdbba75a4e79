"""``deskhand screenshot``: a picture into a file."""

from __future__ import annotations

from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, drive, target
from deskhand.cli.output import told
from deskhand.cli.pictures import (
    DEFAULT_FILE,
    WHOLE,
    MarksOption,
    OutOption,
    PixelsOption,
    check_out,
    show_picture,
)
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ScreenshotRequest


def screenshot(  # noqa: PLR0917 - typer calls it by name
    what: Annotated[
        str | None, typer.Argument(metavar="[TARGET]", help="A window or element; left out: the whole desktop.")
    ] = None,
    out: OutOption = DEFAULT_FILE,
    region: Annotated[str | None, typer.Option(metavar="X,Y,W,H", help="This part of the screen.")] = None,
    monitor: Annotated[int | None, typer.Option(metavar="N", help="This monitor, counted from the left.")] = None,
    marks: MarksOption = False,
    max_pixels: PixelsOption = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a picture of a window, an element, or the whole desktop."""
    with told(as_json):
        check_out(out, as_json)
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
