"""The ``deskhand`` command. Each command has one line in ``commands``."""

from __future__ import annotations

import os
import sys
from typing import Annotated, cast

import typer

import deskhand
from deskhand.cli.commands import DRIVING, OPTIONS, LazyGroup
from deskhand.cli.completion import COMPLETE
from deskhand.cli.output import INTERRUPTED, code_of, print_failure
from deskhand.daemon.naming import as_called, command_name
from deskhand.types.results import Failure

app = typer.Typer(
    name="deskhand",
    help="A pair of hands on a real desktop, for any agent.",
    cls=LazyGroup,
    no_args_is_help=True,
    **OPTIONS | {"add_completion": True},
)
_Refusal = cast("type[Exception]", typer.BadParameter.__mro__[2])
"""What typer raises for words that make no command (click's, or typer's own copy of it)."""


def _version(wanted: bool) -> None:
    if wanted:
        print(f"deskhand {deskhand.__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    desktop: Annotated[
        str | None,
        typer.Option("--desktop", "-d", metavar="here|NAME", help="Which desktop; may stand after the command, too."),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A pair of hands on a real desktop, for any agent."""
    command = context.invoked_subcommand
    if desktop is None or command is None:
        return
    if command not in DRIVING:
        raise typer.BadParameter(f"{command} takes no --desktop; {', '.join(DRIVING)} do")
    said: dict[str, object] = {"desktop": desktop}
    context.default_map = {command: said | {"show": said, "erase": said}}  # the last two are log's own commands


def main() -> None:
    """Entry point of the installed command. A usage error is one line, as every other."""
    try:
        code = app(standalone_mode=False, prog_name=_name(), complete_var=COMPLETE)
    except typer.Abort:
        code = _stopped()
    except KeyboardInterrupt:
        code = _stopped()
    except _Refusal as error:
        code = _usage(error)
    except BrokenPipeError:  # whoever read the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _name() -> str:
    """As it was called; a shell that asks for completions knows it by its own name."""
    return "deskhand" if COMPLETE in os.environ else command_name()


def _stopped() -> int:
    print("cancelled: stopped; input that was under way may have been sent", file=sys.stderr)
    return INTERRUPTED


def _usage(error: Exception) -> int:
    said = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help
        print(said)
        return 0
    said = said.replace("\n", " ")
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "deskhand")
    message = f"{said[:1].lower()}{said[1:]}; see: {as_called(path)} --help"
    print_failure(Failure(code="invalid_request", message=message), "--json" in sys.argv)
    return code_of("invalid_request")
