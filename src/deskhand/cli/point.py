"""``deskhand point``: what lies under a pixel, or under the pointer."""

from __future__ import annotations

from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, drive
from deskhand.cli.output import print_result, told
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import PointRequest


def point(
    place: Annotated[list[str], typer.Argument(metavar="X Y|cursor", help="Root pixels, or the word cursor.")],
    lease: Annotated[str | None, typer.Option(help="l3: in the pixels of this picture.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell the element under a point, what holds it and what is near."""
    with told(as_json):
        request = asked(PointRequest, {**_values(place), "lease": lease})
        print_result(drive(desktop, "point", lambda remote: remote.point(request)), as_json)


def _values(place: list[str]) -> dict[str, object]:
    if place == ["cursor"]:
        return {"cursor": True}
    numbers = [part for word in place for part in word.split(",") if part]
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        raise DeskhandError("invalid_request", "write two numbers, X Y, or the word cursor")
    return {"x": int(numbers[0]), "y": int(numbers[1])}
