"""Desktop entry files: their syntax, their rules of visibility, their command lines.

Source: freedesktop.org, Desktop Entry Specification 1.5.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from deskhand.types.errors import DeskhandError

_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\", ";": ";"}
_QUOTABLE = '"`$\\'
_FILE_CODES = {"f", "F", "u", "U"}
_DROPPED_CODES = set("dDnNvm")


@dataclass(frozen=True, slots=True)
class Entry:
    """One application's desktop entry, with names in the user's language and untranslated."""

    id: str
    path: str
    name: str
    plain_name: str
    generic_names: tuple[str, ...]
    exec: tuple[str, ...]
    icon: str
    startup_class: str
    mime_types: tuple[str, ...]
    keywords: tuple[str, ...]
    terminal: bool
    listed: bool
    directory: str


def read_section(text: str, section: str = "Desktop Entry") -> dict[str, str]:
    """The raw values of one section, by key; the first of equal keys counts."""
    found: dict[str, str] = {}
    inside = False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped == f"[{section}]"
        elif inside and "=" in stripped and not stripped.startswith("#"):
            key, _, value = stripped.partition("=")
            found.setdefault(key.strip(), value.strip())
    return found


def unescaped(value: str) -> str:
    r"""A string value with ``\s \n \t \r \\`` put in."""
    return "".join(_unescape(value))


def _unescape(value: str) -> Iterator[str]:
    characters = iter(value)
    for character in characters:
        if character == "\\":
            following = next(characters, "")
            yield _ESCAPES.get(following, "\\" + following)
        else:
            yield character


def as_list(value: str) -> tuple[str, ...]:
    r"""A list value: items between semicolons, ``\;`` being one that belongs to the item."""
    items = value.replace("\\;", "\0").split(";")
    return tuple(unescaped(item).replace("\0", ";").strip() for item in items if item.strip())


def locales(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Key suffixes to try, most telling first: ``de_AT@euro``, ``de_AT``, ``de@euro``, ``de``."""
    said = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    said, _, modifier = said.partition("@")
    language, _, country = said.split(".")[0].partition("_")
    if language in ("", "C", "POSIX"):
        return ()
    both = f"{language}_{country}" if country else ""
    tries = [f"{both}@{modifier}" if both and modifier else "", both, f"{language}@{modifier}" if modifier else ""]
    return tuple(one for one in [*tries, language] if one)


def localised(values: Mapping[str, str], key: str, suffixes: Sequence[str]) -> str:
    """The value in the user's language, untranslated where there is none."""
    for suffix in suffixes:
        if values.get(f"{key}[{suffix}]"):
            return values[f"{key}[{suffix}]"]
    return values.get(key, "")


def parse_entry(entry_id: str, path: Path, environment: Mapping[str, str]) -> Entry | None:
    """Read one file. None where it is no application, is hidden, is not installed, or cannot be read."""
    try:
        values = read_section(path.read_text("utf-8", errors="replace"))
    except OSError:
        return None  # a dangling link or an unreadable file offers nothing to open
    command = split_exec(unescaped(values.get("Exec", "")))
    if values.get("Type") != "Application" or _true(values, "Hidden") or not command:
        return None
    program = unescaped(values.get("TryExec", ""))
    if (program and not find_program(program, environment)) or not find_program(command[0], environment):
        return None
    return _entry(entry_id, path, values, command, environment)


def _entry(
    entry_id: str, path: Path, values: Mapping[str, str], command: tuple[str, ...], environment: Mapping[str, str]
) -> Entry:
    suffixes = locales(environment)
    generic = {unescaped(localised(values, "GenericName", tongue)) for tongue in (suffixes, ())}
    return Entry(
        id=entry_id,
        path=str(path),
        name=unescaped(localised(values, "Name", suffixes)),
        plain_name=unescaped(values.get("Name", "")),
        generic_names=tuple(sorted(generic - {""})),
        exec=command,
        icon=unescaped(localised(values, "Icon", suffixes)),
        startup_class=unescaped(values.get("StartupWMClass", "")),
        mime_types=as_list(values.get("MimeType", "")),
        keywords=as_list(localised(values, "Keywords", suffixes)),
        terminal=_true(values, "Terminal"),
        listed=not _true(values, "NoDisplay") and _shown_here(values, environment),
        directory=unescaped(values.get("Path", "")),
    )


def _true(values: Mapping[str, str], key: str) -> bool:
    return values.get(key, "").lower() in ("true", "1")


def _shown_here(values: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    desktops = [name for name in environment.get("XDG_CURRENT_DESKTOP", "").split(":") if name]
    only, never = as_list(values.get("OnlyShowIn", "")), as_list(values.get("NotShowIn", ""))
    for desktop in desktops:
        if desktop in only:
            return True
        if desktop in never:
            return False
    return not only


def find_program(name: str, environment: Mapping[str, str]) -> str | None:
    """The executable that ``name`` means in this environment's PATH."""
    if "/" in name:
        return name if os.access(name, os.X_OK) and not Path(name).is_dir() else None
    for folder in environment.get("PATH", os.defpath).split(os.pathsep):
        candidate = Path(folder or ".") / name
        if os.access(candidate, os.X_OK) and not candidate.is_dir():
            return str(candidate)
    return None


def split_exec(value: str) -> tuple[str, ...]:
    """The arguments of an ``Exec`` value; empty where its quotes do not close."""
    arguments: list[str] = []
    current: str | None = None
    quoted = False
    characters = iter(value)
    for character in characters:
        if quoted and character == "\\":
            following = next(characters, "")
            current = (current or "") + (following if following in _QUOTABLE else "\\" + following)
        elif character == '"':
            quoted, current = not quoted, current or ""
        elif character in " \t\n" and not quoted:
            if current is not None:
                arguments.append(current)
            current = None
        else:
            current = (current or "") + character
    if quoted:
        return ()
    return tuple(arguments if current is None else [*arguments, current])


def plain_command(entry: Entry) -> tuple[str, ...]:
    """The command line without any file."""
    return expand(entry, (), ())


def expand(entry: Entry, files: Sequence[str], urls: Sequence[str]) -> tuple[str, ...]:
    """The command line with files (paths) and urls in the places of its field codes.

    Raises ``invalid_request`` where the application takes one thing at a time, or files only.
    """
    codes = {argument[1] for argument in entry.exec if len(argument) == 2 and argument[0] == "%"} & _FILE_CODES
    things = _things(entry, codes, files, urls)
    arguments: list[str] = []
    for argument in entry.exec:
        arguments += _expanded(entry, argument, things)
    if things and not any(f"%{code}" in argument for argument in entry.exec for code in _FILE_CODES):
        arguments += things  # it says nothing of files: given at the end, as other launchers do
    return tuple(arguments)


def _things(entry: Entry, codes: set[str], files: Sequence[str], urls: Sequence[str]) -> list[str]:
    things = [*files, *(_local(url) or url for url in urls)]
    remote = [url for url in urls if _local(url) is None]
    if remote and codes and not codes & {"u", "U"}:
        raise DeskhandError("invalid_request", f'"{entry.name}" opens files, not addresses like {remote[0]}')
    if len(things) > 1 and codes and not codes & {"F", "U"}:
        raise DeskhandError("invalid_request", f'"{entry.name}" opens one file at a time; open them one by one')
    return things


def _local(url: str) -> str | None:
    parts = urlsplit(url)
    return unquote(parts.path) if parts.scheme == "file" and parts.netloc in ("", "localhost") else None


def _expanded(entry: Entry, argument: str, things: Sequence[str]) -> list[str]:
    if argument in ("%F", "%U"):
        return list(things)
    if argument in ("%f", "%u"):
        return list(things[:1])
    if argument == "%i":
        return ["--icon", entry.icon] if entry.icon else []
    if len(argument) == 2 and argument[0] == "%" and argument[1] in _DROPPED_CODES:
        return []
    return [_inline(entry, argument, things)]


def _inline(entry: Entry, argument: str, things: Sequence[str]) -> str:
    first = things[0] if things else ""
    values = {"c": entry.name, "k": entry.path, "%": "%", "f": first, "u": first, "i": ""}
    parts, characters = [], iter(argument)
    for character in characters:
        parts.append(values.get(next(characters, ""), "") if character == "%" else character)
    return "".join(parts)
