"""``deskhand observe``: the view of a window or of what is below one element."""

from __future__ import annotations

from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, drive, target
from deskhand.cli.output import print_result, told
from deskhand.types.requests import ObserveRequest


def observe(  # noqa: PLR0917 - typer calls it by name
    what: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help="w3, r12, an application or a title; left out: the active window."),
    ] = None,
    since: Annotated[str | None, typer.Option(help="s12: only what changed since that view.")] = None,
    budget: Annotated[int | None, typer.Option(help="Tokens, default 2000.")] = None,
    detail: Annotated[
        list[str] | None, typer.Option("--detail", help="text, bounds, actions, hidden or rows; may be repeated.")
    ] = None,
    first: Annotated[int | None, typer.Option("--from", help="Of a long text: the first character.")] = None,
    last: Annotated[int | None, typer.Option("--to", help="Of a long text: up to this character.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look at a window, or at what is below one element."""
    with told(as_json):
        values = {"target": target(what), "since": since, "budget": budget, "detail": _parts(detail), "from": first}
        request = asked(ObserveRequest, {**values, "to": last})
        print_result(drive(desktop, "observe", lambda remote: remote.observe(request)), as_json)


def _parts(detail: list[str] | None) -> list[str] | None:
    return [part for each in detail for part in each.split(",")] if detail else None
