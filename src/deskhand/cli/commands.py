"""Which commands there are. Each is imported when it is called: a look at one window needs no doctor and no owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

OPTIONS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
    "rich_markup_mode": None,
}
"""How every command behaves."""
_PLACES = {
    "apps": "apps:apps", "observe": "observe:observe", "find": "find:find", "act": "act:act", "point": "point:point",
    "open": "open:open_", "screenshot": "screenshot:screenshot", "zoom": "zoom:zoom",
    "input": "input:input_", "approve": "approve:approve", "log": "log:app",
    "desktop": "desktop:app", "mcp": "mcp:mcp", "doctor": "doctor:doctor", "demo": "demo:demo",
    "daemon": "daemon:daemon", "completion": "completion:completion", "stats": "stats:stats",
}  # fmt: skip
"""In the order in which the help lists them: the file, and the function or group in it."""
DRIVING = tuple(name for name in _PLACES if name not in ("desktop", "doctor", "demo", "completion"))
"""Those that take ``--desktop``."""


class Commands(Mapping[str, Any]):
    """By name; made when asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Raises ``KeyError`` for a name that is no command's."""
        place = _PLACES[name]
        if name not in self._made:
            self._made[name] = _made(name, *place.split(":"))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


class LazyGroup(TyperGroup):
    """The group of all commands."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands: Any = Commands()


def _made(name: str, file: str, attribute: str) -> Any:
    module = import_module(f"deskhand.cli.{file}")
    found: typer.Typer | Callable[..., None] = getattr(module, attribute)
    if isinstance(found, typer.Typer):
        alone = found
    else:
        alone = typer.Typer(**OPTIONS)
        alone.command(name, help=getattr(module, "HELP", None))(found)
    command = get_command(alone)
    command.name = name
    return command
