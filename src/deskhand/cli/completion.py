"""``deskhand completion``: what a shell needs to complete commands, options and desktops' names."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]  # typer's own, not marked as exported

from deskhand.cli.output import told
from deskhand.types.errors import DeskhandError

COMPLETE = "_DESKHAND_COMPLETE"
"""The variable by which a shell asks for completions."""
SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
) -> None:
    """Print the completion script of a shell; for bash: source <(deskhand completion bash)."""
    with told():
        if shell not in SHELLS:
            raise DeskhandError("invalid_request", f"there is a script for {', '.join(SHELLS)}")
        print(get_completion_script(prog_name="deskhand", complete_var=COMPLETE, shell=shell))
