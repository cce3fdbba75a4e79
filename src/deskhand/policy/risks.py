"""The kinds of harm that are asked about."""

from __future__ import annotations

from typing import Literal, get_args

Risk = Literal[
    "delete",
    "overwrite",
    "send",
    "pay",
    "credentials",
    "close_unsaved",
    "quit",
    "install",
    "power",
    "shell",
    "unknown_focus",
]
RISKS: tuple[str, ...] = get_args(Risk)

MEANING: dict[Risk, str] = {
    "delete": "deletes something",
    "overwrite": "overwrites a file",
    "send": "sends something to others",
    "pay": "pays or orders",
    "credentials": "enters a password",
    "close_unsaved": "loses unsaved changes",
    "quit": "ends an application",
    "install": "installs or removes software",
    "power": "ends the session or the machine",
    "shell": "runs a command",
    "unknown_focus": "sends keys while it is not known what has the focus",
}
"""Each risk as a person reads it in the question."""
