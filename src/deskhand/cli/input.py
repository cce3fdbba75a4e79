"""``deskhand input``: mouse and keyboard in a picture's pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, asker, drive
from deskhand.cli.handwords import read_actions
from deskhand.cli.output import code_of, print_json, told
from deskhand.cli.screenshot import write_picture
from deskhand.daemon import consent as consenting
from deskhand.types.requests import InputRequest

HELP = """\
Use mouse and keyboard in the pixels of a picture.

LEASE is what the screenshot's first line names (l3). Each argument is one action:

  deskhand input l3 'click 120,48' 'type two words' 'key ctrl+s'

click X,Y button=right count=2 mods=ctrl · move X,Y · drag X,Y X,Y · scroll X,Y 0,3 (notches: right, down) ·
key ctrl+s · type TEXT · wait 0.5 · screenshot (comes last). JSON works as well. Nothing is sent where the desktop is
not as the picture had it: what changed is named, and a new picture is written.
"""


def input_(  # noqa: PLR0917 - typer calls it by name
    lease: Annotated[str, typer.Argument(help="l3: the picture whose pixels are meant.")],
    actions: Annotated[list[str], typer.Argument(metavar="ACTION…", help="Actions in words, or JSON.")],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where a new picture goes.")
    ] = "screenshot.png",
    timeout: Annotated[float | None, typer.Option(help="Seconds for all of it, at most 50.")] = None,
    consent: Annotated[str | None, typer.Option(metavar="ID", help="A question that was allowed.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Use mouse and keyboard in the pixels of a picture."""
    with told(as_json):
        values = {"lease": lease, "actions": read_actions(actions), "timeout": timeout, "consent": consent}
        request = asked(InputRequest, values)
        result = drive(desktop, "input", lambda remote: consenting.input_(remote, request, asker()))
        if result.picture is not None:
            write_picture(result.picture, Path(out))
        if as_json:
            print_json(result.model_dump(mode="json", by_alias=True, exclude={"picture": {"image"}}))
        else:
            print(result.text + (f"\nwritten to {out}" if result.picture is not None else ""))
    raise typer.Exit(code_of(result.failure.code) if result.failure else 0)
