"""The ``deskhand`` command. Each command registers itself with one line at the end of this file."""

from __future__ import annotations

from typing import Annotated

import typer

import deskhand
from deskhand.cli import approve, daemon, demo, desktop, doctor, log, mcp

app = typer.Typer(
    name="deskhand",
    help="A pair of hands on a real desktop, for any agent.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"deskhand {deskhand.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A pair of hands on a real desktop, for any agent."""


def main() -> None:
    """Entry point of the installed command."""
    app()


app.add_typer(desktop.app, name="desktop")
app.command("doctor")(doctor.doctor)
app.command("mcp")(mcp.mcp)
app.command("daemon")(daemon.daemon)
app.command("demo")(demo.demo)
app.command("approve")(approve.approve)
app.add_typer(log.app, name="log")
