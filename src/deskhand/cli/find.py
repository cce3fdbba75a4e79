"""``deskhand find``: elements by name, text or value."""

from __future__ import annotations

from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, InOption, JsonOption, asked, drive, target, words
from deskhand.cli.output import print_result, told
from deskhand.types.requests import FindRequest


def find(  # noqa: PLR0917 - typer calls it by name
    query: Annotated[list[str] | None, typer.Argument(help="What its name, text or value contains.")] = None,
    role: Annotated[str | None, typer.Option(help="Only this role: button, textbox, menuitem …")] = None,
    state: Annotated[str | None, typer.Option(help="Only in this state: disabled, on, selected …")] = None,
    within: InOption = None,
    limit: Annotated[int | None, typer.Option(help="How many at most, default 20.")] = None,
    cursor: Annotated[str | None, typer.Option(help="Goes on where an earlier answer ended.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find elements in all windows, closed menus too; exit code 1 when nothing matches."""
    with told(as_json):
        said = words(query) if query else None  # with a cursor, what is left out is as it was
        values = {"query": said, "role": role, "state": state, "in": target(within), "limit": limit}
        request = asked(FindRequest, {**values, "cursor": cursor})
        result = drive(desktop, "find", lambda remote: remote.find(request))
        print_result(result, as_json)
    raise typer.Exit(0 if result.matches else 1)
