"""Where a command's picture goes: a file of the kind that its name says, or stdout."""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path
from typing import Annotated

import typer

from deskhand.cli.output import print_json
from deskhand.types.errors import DeskhandError
from deskhand.types.results import ScreenshotResult

STDOUT = "-"
WHOLE = 20_000_000
"""Bytes: what goes into a file need not be small."""
DEFAULT_FILE = "screenshot.png"
OutOption = Annotated[
    str, typer.Option("--out", "-o", metavar="FILE", help="Where it goes: .png or .jpg, - for stdout.")
]
PixelsOption = Annotated[
    int | None, typer.Option("--max-pixels", help="At most so many, instead of 1150000 with no side over 1568.")
]
MarksOption = Annotated[bool, typer.Option("--marks", help="Draw each element's ref on it.")]
_KINDS = {"": "image/png", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}


def check_out(out: str, as_json: bool) -> None:
    """Before anything is done. Raises ``invalid_request`` for a place where the picture could not go as it is meant."""
    if out == STDOUT and as_json:
        raise DeskhandError("invalid_request", "-o - and --json both want stdout; write the picture into a file")
    if out == STDOUT:
        return
    file = Path(out)
    if file.suffix.lower() not in _KINDS:
        raise DeskhandError("invalid_request", f"pictures are written as .png or .jpg, not as {file.suffix}")
    if file.is_dir():
        raise DeskhandError("invalid_request", f"{out} is a folder; name a file in it")
    if not file.parent.is_dir():
        raise DeskhandError("invalid_request", f"cannot write {out}: there is no folder {file.parent}")


def show_picture(result: ScreenshotResult, out: str, as_json: bool) -> None:
    """The picture goes where it is to go, its lines to stdout (to stderr where the picture is there)."""
    write_picture(result, out)
    if as_json:
        print_json({**result.model_dump(mode="json", exclude={"image"}), "file": out})
    else:
        print_lines(result.text, out, True)


def print_lines(text: str, out: str, written: bool) -> None:
    """Lines for people, and what was written where."""
    if out == STDOUT:
        print(text, file=sys.stderr)
    else:
        print(f"{text}\nwritten to {out}" if written else text)


def write_picture(result: ScreenshotResult, out: str) -> None:
    """As the kind of picture that the name says. Raises ``invalid_request`` where the file cannot be written."""
    data = _as_kind(result, "image/png" if out == STDOUT else _KINDS[Path(out).suffix.lower()])
    if out == STDOUT:
        sys.stdout.buffer.write(data)
        return
    try:
        Path(out).write_bytes(data)
    except OSError as error:
        raise DeskhandError("invalid_request", f"cannot write {out}: {error.strerror}") from error


def _as_kind(result: ScreenshotResult, kind: str) -> bytes:
    data = base64.b64decode(result.image)
    if result.mime == kind:
        return data
    from PIL import Image  # noqa: PLC0415 - most commands have no use for it

    made = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").save(made, kind.removeprefix("image/").upper(), quality=90)
    return made.getvalue()
