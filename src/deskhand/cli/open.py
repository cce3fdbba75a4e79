"""``deskhand open``: an application, a file or a URL."""

from __future__ import annotations

from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, asker, drive
from deskhand.cli.output import print_result, told
from deskhand.cli.stepwords import absolute, opened
from deskhand.daemon import consent as consenting
from deskhand.types.requests import OpenRequest


def open_(  # noqa: PLR0917 - typer calls it by name
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[APP] [FILE|URL]", help="A URL has ://, a path a /; all else is an application."),
    ] = None,
    app: Annotated[str | None, typer.Option(help="An application's name.")] = None,
    file: Annotated[str | None, typer.Option(help="A file, with the application that it belongs to.")] = None,
    url: Annotated[str | None, typer.Option(help="A URL.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds, default 30.")] = None,
    consent: Annotated[str | None, typer.Option(metavar="ID", help="A question that was allowed.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start or attach, wait until its window can be read, and print its view."""
    with told(as_json):
        given = opened(what) if what else {}
        values = {"app": app, "file": file and absolute(file), "url": url}
        given |= {key: value for key, value in values.items() if value is not None}
        request = asked(OpenRequest, {**given, "timeout": timeout, "consent": consent})
        print_result(drive(desktop, "open", lambda remote: consenting.open_(remote, request, asker())), as_json)
