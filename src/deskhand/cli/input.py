"""``deskhand input``: mouse and keyboard in a picture's pixels."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, asker, drive
from deskhand.cli.handwords import read_actions
from deskhand.cli.output import code_of, print_json, told
from deskhand.cli.pictures import DEFAULT_FILE, check_out, print_lines, write_picture
from deskhand.daemon import consent as consenting
from deskhand.types.requests import InputRequest
from deskhand.types.results import InputResult

HELP = """\
Use mouse and keyboard in the pixels of a picture.

LEASE is what the screenshot's first line names (l3). Each argument is one action:

  deskhand input l3 'click 120,48' 'type two words' 'key ctrl+s'

click X,Y button=right count=2 mods=ctrl+shift · move X,Y · drag X,Y X,Y … · scroll X,Y RIGHT,DOWN (notches) ·
key ctrl+s count=2, key shift seconds=1 (held) · type TEXT · down X,Y, up X,Y (a button), down shift, up shift ·
wait 0.5 · screenshot (comes last). button: left middle right back forward. JSON works as well.

Nothing is sent where the desktop is not as the picture had it: what changed is named, and a new picture is written.
-o FILE asks for a picture of what it looks like afterwards, too.
"""


def input_(  # noqa: PLR0917 - typer calls it by name
    lease: Annotated[str, typer.Argument(help="l3: the picture whose pixels are meant.")],
    actions: Annotated[list[str], typer.Argument(metavar="ACTION…", help="Actions in words, or JSON.")],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help=f"A picture at the end, into this file; left out, what comes is {DEFAULT_FILE}.",
        ),
    ] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds for all of it, at most 50.")] = None,
    consent: Annotated[str | None, typer.Option(metavar="ID", help="A question that was allowed.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Use mouse and keyboard in the pixels of a picture."""
    with told(as_json):
        check_out(out or DEFAULT_FILE, as_json)
        values = {"lease": lease, "actions": _ending(read_actions(actions), out), "timeout": timeout}
        request = asked(InputRequest, {**values, "consent": consent})
        result = drive(desktop, "input", lambda remote: consenting.input_(remote, request, asker()))
        _show(result, out, as_json)
    raise typer.Exit(code_of(result.failure.code) if result.failure else 0)


def _ending(actions: list[dict[str, Any]], out: str | None) -> list[dict[str, Any]]:
    """Who names a file wants a picture in it."""
    last = actions[-1] if actions else {"do": "screenshot"}
    pictured = isinstance(last, dict) and "screenshot" in (last.get("do"), last.get("type"), last.get("action"))
    return actions if pictured or out is None else [*actions, {"do": "screenshot"}]


def _show(result: InputResult, out: str | None, as_json: bool) -> None:
    """The lines, and which file was written; a file that was named and not written is told: it may be an old one."""
    picture, file = result.picture, out or DEFAULT_FILE
    if picture is not None:
        write_picture(picture, file)
    written = {"file": file if picture is not None else None} if out or picture is not None else {}
    if as_json:
        print_json({**result.model_dump(mode="json", by_alias=True, exclude={"picture": {"image"}}), **written})
        return
    missing = f"\nno picture came: {out} is not written" if out and picture is None else ""
    print_lines(f"{result.text}{missing}", file, picture is not None)
