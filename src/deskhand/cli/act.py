"""``deskhand act``: steps, as words or as JSON."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from deskhand.cli.driving import DesktopOption, JsonOption, asked, asker, drive
from deskhand.cli.output import code_of, print_json, told
from deskhand.cli.stepwords import read_steps
from deskhand.daemon import consent as consenting
from deskhand.desktop.semantics.quoting import quote
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest
from deskhand.types.results import ActResult, Failure
from deskhand.types.steps import Selector
from deskhand.types.words import ROLES

HELP = """\
Do steps in order; stop at the first that fails.

Each argument is one step: a verb, its target, its value. A target is a ref (r12, r70[B7], w3), an element's name
(Save, "Save As…"), role:name (button:Save), a role alone (textbox:) or a selector as JSON. What has blanks, or would
be read as something else, stands in quotes.

  deskhand act 'press button:Save' 'set r7 "two words"' 'key ctrl+s'

One step alone needs no quotes around it:  deskhand act press r5

JSON as the contract has it works as well: an argument, - for stdin, @file. See docs/cli.md.
"""


def act(  # noqa: PLR0917 - typer calls it by name
    steps: Annotated[list[str], typer.Argument(metavar="STEP…", help="Steps; JSON; - for stdin; @file.")],
    since: Annotated[str | None, typer.Option(help="s12: print what changed since that view.")] = None,
    consent: Annotated[str | None, typer.Option(metavar="ID", help="A question that was allowed.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds for all of it, at most 50.")] = None,
    on_failure: Annotated[str | None, typer.Option(help="stop, or undo what can be undone.")] = None,
    desktop: DesktopOption = None,
    as_json: JsonOption = False,
) -> None:
    """Do steps in order; stop at the first that fails."""
    with told(as_json):
        values = {"since": since, "consent": consent, "timeout": timeout, "on_failure": on_failure}
        request = asked(ActRequest, {"steps": read_steps(steps, sys.stdin), **values})
        parts = _done(request, desktop)
        _print(parts, as_json)
    failure = parts[-1].failure
    raise typer.Exit(code_of(failure.code) if failure else 0)


def _done(request: ActRequest, desktop: str | None) -> list[ActResult]:
    """The batch's results. What was not found is told with what else the words could have meant."""
    try:
        parts = drive(desktop, "act", lambda remote: consenting.act(remote, request, asker()))
    except DeskhandError as error:
        raise replace(error, message=hinted(Failure.of(error), request).message) from error
    last = parts[-1]
    if last.failure is None:
        return parts
    failure = hinted(last.failure, request)
    hint = failure.message.removeprefix(last.failure.message).replace("; ", "\nhint: ", 1)
    return [*parts[:-1], last.model_copy(update={"failure": failure, "text": last.text + hint})]


def hinted(failure: Failure, request: ActRequest) -> Failure:
    """A failure to find an element by a name that is a role's: ``textbox`` is a name, ``textbox:`` a role."""
    if failure.code != "not_found":
        return failure
    meant = (step.on for step in request.steps if isinstance(step.on, Selector) and step.on.role is None)
    for name in (selector.name for selector in meant if selector.name is not None):
        if name in ROLES and quote(name) in f"{failure.target} {failure.message}":
            hint = (
                f"; {quote(name)} was read as an element's name: write {name}: for any {name}, or {name}:NAME for one"
            )
            return failure.model_copy(update={"message": failure.message + hint})
    return failure


def _print(parts: list[ActResult], as_json: bool) -> None:
    if as_json:
        print_json(consenting.joined(parts).model_dump(mode="json", by_alias=True))
        return
    for part in parts:
        print(part.text)
