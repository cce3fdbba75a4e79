"""Settings: one TOML file, then ``DESKHAND_*`` variables, then flags. A wrong key is one line that says what to do."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import Field, ValidationError

from deskhand.mcp_server.switches import CHANNELS, Channel, Profile, StyleChoice, Switches
from deskhand.policy.risks import Risk
from deskhand.types.errors import DeskhandError
from deskhand.types.steps import Strict


class GateSettings(Strict):
    """Risks that need no question (``allow``), and risks that are refused outright (``deny``)."""

    allow: list[Risk] = []
    deny: list[Risk] = []


class RecordSettings(Strict):
    """Whether to record, and for how many days records are kept."""

    enabled: bool = True
    days: int = Field(default=14, ge=1, le=3650)


class OwnerTimes(Strict):
    """Seconds: ``idle`` until an unused owner ends; ``patience`` that a batch waits for its turn."""

    idle: float = Field(default=600.0, gt=0)
    patience: float = Field(default=20.0, gt=0, le=45)


class McpSettings(Strict):
    """The MCP server's defaults: which ``desktop``, and what is shown of the contract (see ``Switches``)."""

    desktop: str | None = None
    skill: bool = True
    channels: list[Channel] = Field(default=[*CHANNELS], min_length=1)
    profile: Profile = "full"
    structured: bool = False
    input_style: StyleChoice = "auto"

    @property
    def switches(self) -> Switches:
        """The same, as the server takes it."""
        return Switches(frozenset(self.channels), self.profile, self.skill, self.structured, self.input_style)


class InputSettings(Strict):
    """``yields``: a person who uses mouse or keyboard of the same desktop stops what ``input`` is doing there."""

    yields: bool = True


class PerDesktop(Strict):
    """What is different on one desktop."""

    gate: GateSettings = GateSettings()


class Settings(Strict):
    """Everything that can be set."""

    gate: GateSettings = GateSettings()
    record: RecordSettings = RecordSettings()
    owner: OwnerTimes = OwnerTimes()
    mcp: McpSettings = McpSettings()
    input: InputSettings = InputSettings()
    desktops: dict[str, PerDesktop] = {}

    def gate_of(self, desktop: str) -> GateSettings:
        """The gate's settings on one desktop: its own ones in addition to the general ones."""
        own = self.desktops.get(desktop, PerDesktop()).gate
        return GateSettings(allow=[*self.gate.allow, *own.allow], deny=[*self.gate.deny, *own.deny])


_SECTIONS: Mapping[str, type[Strict]] = {
    "gate": GateSettings, "record": RecordSettings, "owner": OwnerTimes, "mcp": McpSettings, "input": InputSettings,
}  # fmt: skip
_NAMES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "allow": ("risk", get_args(Risk)), "deny": ("risk", get_args(Risk)), "channels": ("channel", CHANNELS),
    "profile": ("profile", get_args(Profile)), "input_style": ("style", get_args(StyleChoice)),
}  # fmt: skip
"""What the values of a key are called, and which there are."""


def settings_file(environment: Mapping[str, str]) -> Path:
    """Where the TOML file is looked for."""
    base = environment.get("XDG_CONFIG_HOME", "")
    folder = Path(base) if base.startswith("/") else Path(environment.get("HOME", "/nonexistent")) / ".config"
    return folder / "deskhand" / "config.toml"


def load_settings(environment: Mapping[str, str], flags: Mapping[str, Mapping[str, Any]] | None = None) -> Settings:
    """The settings in force.

    Args:
        environment: the process's variables.
        flags: section to key to value, as given on the command line; None values are ignored.

    Raises:
        DeskhandError: ``invalid_request``, one line that names the place and what to do.
    """
    path = settings_file(environment)
    data = _checked(_file(path), str(path))
    for section, values in _variables(environment).items():
        data = _merged(data, section, values)
    for section, given in (flags or {}).items():
        data = _merged(data, section, {key: value for key, value in given.items() if value is not None})
    return _validated(data, "the flags")


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DeskhandError("invalid_request", f"{path} is not TOML: {error}; mend or remove it") from error
    except OSError as error:
        raise DeskhandError(
            "invalid_request", f"{path} cannot be read: {error.strerror}; mend its permissions"
        ) from error


def _checked(data: dict[str, Any], place: str) -> dict[str, Any]:
    _validated(data, place)
    return data


def _validated(data: Mapping[str, Any], place: str) -> Settings:
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        raise DeskhandError("invalid_request", f"{place}: {_complaint(error)}") from error


def _complaint(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    where = [str(part) for part in problem["loc"]]
    named = [part for part in where if not part.isdigit()]
    if problem["type"] == "literal_error" and named[-1] in _NAMES:
        kind, names = _NAMES[named[-1]]
        given = json.dumps(problem["input"], ensure_ascii=False)
        return f"{'.'.join(named)}: there is no {kind} {given}; there are {', '.join(names)}"
    if problem["type"] == "too_short":
        kind, names = _NAMES[named[-1]]
        return f"{'.'.join(named)}: name at least one {kind}; there are {', '.join(names)}"
    if problem["type"] == "extra_forbidden":
        return f"there is no key {'.'.join(where)}; there are {', '.join(_keys_beside(where))}"
    return f"{'.'.join(where)}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"


def _keys_beside(where: list[str]) -> list[str]:
    model: type[Strict] = Settings
    if where[0] == "desktops":
        model = PerDesktop if len(where) == 3 else GateSettings
    elif len(where) > 1:
        model = _SECTIONS.get(where[0], Settings)
    return list(model.model_fields)


def _variables(environment: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """``DESKHAND_GATE_ALLOW=overwrite,quit`` is ``gate.allow``."""
    found: dict[str, dict[str, Any]] = {}
    for variable in sorted(environment):
        section, _, key = variable.removeprefix("DESKHAND_").lower().partition("_")
        if not variable.startswith("DESKHAND_") or section not in _SECTIONS or not key:
            continue
        value = _typed(_SECTIONS[section], key, environment[variable], variable)
        _validated({section: {key: value}}, variable)
        found.setdefault(section, {})[key] = value
    return found


def _typed(model: type[Strict], key: str, text: str, variable: str) -> Any:
    if key not in model.model_fields:
        names = ", ".join(variable[: len(variable) - len(key)] + name.upper() for name in model.model_fields)
        raise DeskhandError("invalid_request", f"there is no setting {variable}; there are {names}")
    if get_origin(model.model_fields[key].annotation) is list:
        return listed(text)
    return text


def listed(text: str) -> list[str]:
    """The names in ``overwrite,quit``."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _merged(data: Mapping[str, Any], section: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, section: {**data.get(section, {}), **values}}
