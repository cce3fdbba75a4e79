"""What can be opened on this system, what a person's name for it means, and what opens a file or an address."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from deskhand.platforms.linux import mime
from deskhand.platforms.linux.desktop_entries import Entry, expand, find_program, parse_entry, plain_command
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Application
from deskhand.types.words import likeness

_TERMINALS = (("x-terminal-emulator", "-e"), ("xterm", "-e"), ("gnome-terminal", "--"), ("konsole", "-e"))
_CANDIDATES = 8


class Catalogue:
    """The applications that an environment offers (``XDG_DATA_DIRS``, ``PATH``, ``LANG`` … of that environment)."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._entries: dict[str, Entry] = {}
        self._seen: tuple[tuple[str, int], ...] | None = None

    def entries(self) -> list[Application]:
        """What a menu would list, by name. Read anew when a folder of entries has changed."""
        listed = [entry for entry in self._all().values() if entry.listed]
        return [_application(entry) for entry in sorted(listed, key=lambda e: (e.name.casefold(), e.id))]

    def match(self, name: str) -> Application:
        """The application that a person calls ``name``.

        Tried in this order, ignoring case: its id or name; its window class; its program or generic name; a name that
        has all the words; a name that contains it. Raises ``ambiguous_target`` or ``not_found``, with candidates.
        """
        wanted = " ".join(name.casefold().split())
        if not wanted:
            raise DeskhandError("invalid_request", "which application? give its name")
        entries = list(self._all().values())
        for means in _MEANINGS:
            found = [entry for entry in entries if means(entry, wanted)]
            found = [entry for entry in found if entry.listed] or found
            if len(found) == 1:
                return _application(found[0])
            if found:
                raise _ambiguous(name, found)
        raise self._not_found(name, entries)

    def for_file(self, path: str) -> Application:
        """The default application of a file's type. Raises ``not_found`` for no such file or none that opens it."""
        if not os.path.exists(path):
            raise DeskhandError("not_found", f"there is no file {path}; check the path")
        kind = mime.mime_type(path, self._environment)
        entry = self._handler(mime.with_parents(kind, self._environment))
        if entry is None:
            raise DeskhandError("not_found", f"no application here opens {kind} ({path}); name one with app")
        return _application(entry)

    def for_url(self, url: str) -> Application:
        """The application that handles an address. Raises ``invalid_request`` or ``not_found``."""
        parts = urlsplit(url)
        if not parts.scheme:
            raise DeskhandError("invalid_request", f"{url} is no address; begin it with https:// or file://")
        if parts.scheme == "file":
            return self.for_file(unquote(parts.path))
        kinds = [f"x-scheme-handler/{parts.scheme.lower()}"]
        entry = self._handler([*kinds, "text/html"] if parts.scheme in ("http", "https") else kinds)
        if entry is None:
            raise DeskhandError("not_found", f"no application here handles {parts.scheme}: addresses; install one")
        return _application(entry)

    def command_line(
        self, app: Application, files: Sequence[str] = (), urls: Sequence[str] = ()
    ) -> tuple[str, ...]:  # fmt: skip
        """The arguments that start ``app`` with these files (paths) and addresses.

        Raises ``invalid_request`` for what it does not take, ``launch_failed`` where there is no terminal for it.
        """
        entry = self._all().get(app.id)
        if entry is None:
            return (*app.command, *files, *urls)
        return (*self._terminal(entry), *expand(entry, files, urls))

    def _terminal(self, entry: Entry) -> tuple[str, ...]:
        if not entry.terminal:
            return ()
        for program, flag in _TERMINALS:
            if find_program(program, self._environment):
                return program, flag
        raise DeskhandError("launch_failed", f'"{entry.name}" runs in a terminal and none is installed; install xterm')

    def _handler(self, kinds: Sequence[str]) -> Entry | None:
        entries = self._all()
        declared = {entry.id: entry.mime_types for entry in entries.values()}
        for kind in kinds:
            for entry_id in mime.handlers(kind, declared, self._environment):
                return entries[entry_id]
        return None

    def _all(self) -> dict[str, Entry]:
        folders = [folder / "applications" for folder in mime.data_folders(self._environment)]
        seen = tuple(_stamps(folders))
        if seen != self._seen:
            self._entries, self._seen = _read(folders, self._environment), seen
        return self._entries

    def _not_found(self, name: str, entries: Sequence[Entry]) -> DeskhandError:
        rated = sorted({(-_nearness(entry, name), entry.name) for entry in entries if entry.listed})
        near = [called for nearness, called in rated[:_CANDIDATES] if nearness < 0]
        return DeskhandError(
            "not_found", f'no application here is called "{name}"; see what apps lists', target=name, candidates=near
        )


def _nearness(entry: Entry, name: str) -> float:
    """To its whole name, a word of it, or its program."""
    called = (*_names(entry), *(word for said in _names(entry) for word in said.split()), Path(entry.exec[0]).name)
    return max(likeness(name, each) for each in called)


def _ambiguous(name: str, found: Sequence[Entry]) -> DeskhandError:
    names = [entry.name for entry in found]
    telling = [entry.name if names.count(entry.name) == 1 else entry.id for entry in found]
    return DeskhandError(
        "ambiguous_target",
        f'"{name}" may mean {len(found)} applications; say the whole name',
        target=name,
        candidates=sorted(telling)[:_CANDIDATES],
    )


def _stamps(folders: Sequence[Path]) -> Iterator[tuple[str, int]]:
    for folder in folders:
        for place in [folder, *sorted(path for path in folder.glob("*") if path.is_dir())]:
            if place.exists():
                yield str(place), place.stat().st_mtime_ns


def _read(folders: Sequence[Path], environment: Mapping[str, str]) -> dict[str, Entry]:
    """All entries; a file in an earlier folder hides those of its id in later ones, also where it is hidden itself."""
    found: dict[str, Entry | None] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.desktop")):
            entry_id = "-".join(path.relative_to(folder).parts)
            if entry_id not in found:
                found[entry_id] = parse_entry(entry_id, path, environment)
    return {entry_id: entry for entry_id, entry in found.items() if entry is not None}


def _application(entry: Entry) -> Application:
    return Application(
        entry.id, entry.name, plain_command(entry), entry.mime_types, entry.keywords, entry.startup_class
    )  # fmt: skip


def _names(entry: Entry) -> set[str]:
    return {" ".join(name.casefold().split()) for name in (entry.name, entry.plain_name)}


def _is_named(entry: Entry, wanted: str) -> bool:
    return wanted in _names(entry) | {entry.id.casefold(), entry.id.casefold().removesuffix(".desktop")}


def _has_class(entry: Entry, wanted: str) -> bool:
    return entry.startup_class.casefold() == wanted


def _runs(entry: Entry, wanted: str) -> bool:
    generic = {" ".join(name.casefold().split()) for name in entry.generic_names}
    return Path(entry.exec[0]).name.casefold() == wanted or wanted in generic


def _has_words(entry: Entry, wanted: str) -> bool:
    return any(set(wanted.split()) <= set(name.split()) for name in _names(entry))


def _contains(entry: Entry, wanted: str) -> bool:
    return any(wanted in name for name in _names(entry))


_MEANINGS: tuple[Callable[[Entry, str], bool], ...] = (_is_named, _has_class, _runs, _has_words, _contains)
