"""``deskhand apps``: windows, and what can be opened."""

from __future__ import annotations

from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, drive
from deskhand.cli.output import print_result, told
from deskhand.types.requests import AppsRequest


def apps(
    query: Annotated[str | None, typer.Argument(help="Filters what can be opened.")] = None,
    openable: Annotated[bool, typer.Option(help="Also list what can be opened.")] = True,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """List windows, front first, and what can be opened."""
    with told(as_json):
        request = AppsRequest(openable=openable, query=query)
        print_result(drive(desktop, "apps", lambda remote: remote.apps(request)), as_json)
