"""``deskhand zoom``: a part of a picture, larger."""

from __future__ import annotations

from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, drive
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
from deskhand.cli.screenshot import numbers
from deskhand.types.requests import ZoomRequest


def zoom(  # noqa: PLR0917 - typer calls it by name
    lease: Annotated[str, typer.Argument(help="l3: the picture.")],
    rect: Annotated[str, typer.Argument(metavar="X,Y,W,H", help="The part, in that picture's pixels.")],
    out: OutOption = DEFAULT_FILE,
    marks: MarksOption = False,
    max_pixels: PixelsOption = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look at a part of a picture, at most four times larger than it is on the desktop."""
    with told(as_json):
        check_out(out, as_json)
        size = {"max_pixels": max_pixels, "max_bytes": WHOLE}
        request = asked(ZoomRequest, {"lease": lease, "rect": numbers(rect), "marks": marks, **size})
        show_picture(drive(desktop, "zoom", lambda remote: remote.zoom(request)), out, as_json)
