"""Which kind a file is, and which application opens that kind by default.

Sources: freedesktop.org, Shared MIME-info Database 0.21 (globs2, subclasses) and Association between MIME types and
applications 1.0.1 (mimeapps.list, mimeinfo.cache).
"""

from __future__ import annotations

import fnmatch
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deskhand.platforms.linux.desktop_entries import as_list, read_section

_SNIFFED = 4096  # bytes


def data_folders(environment: Mapping[str, str]) -> list[Path]:
    """Data directories, the user's own first."""
    own = environment.get("XDG_DATA_HOME") or _home(environment, ".local/share")
    shared = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [Path(folder) for folder in [own, *shared.split(":")] if folder]


def config_folders(environment: Mapping[str, str]) -> list[Path]:
    """Configuration directories, the user's own first."""
    own = environment.get("XDG_CONFIG_HOME") or _home(environment, ".config")
    shared = environment.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return [Path(folder) for folder in [own, *shared.split(":")] if folder]


def _home(environment: Mapping[str, str], below: str) -> str:
    return f"{environment['HOME']}/{below}" if environment.get("HOME") else ""


def mime_type(path: str, environment: Mapping[str, str]) -> str:
    """The MIME type of a file by its name, then by a look whether it is text."""
    place = Path(path)
    if place.is_dir():
        return "inode/directory"
    found = _by_glob(place.name, environment) or mimetypes.guess_type(place.name)[0]
    return found or ("text/plain" if _is_text(place) else "application/octet-stream")


def _by_glob(name: str, environment: Mapping[str, str]) -> str | None:
    best: tuple[int, int, str] = (-1, 0, "")
    for weight, kind, pattern, sensitive in _globs(environment):
        hit = fnmatch.fnmatchcase(name, pattern) or (
            not sensitive and fnmatch.fnmatchcase(name.lower(), pattern.lower())
        )
        if hit and (weight, len(pattern)) > best[:2]:
            best = (weight, len(pattern), kind)
    return best[2] or None


def _globs(environment: Mapping[str, str]) -> Iterator[tuple[int, str, str, bool]]:
    for folder in data_folders(environment):
        for line in _lines(folder / "mime/globs2"):
            weight, kind, pattern, *flags = line.split(":")
            yield int(weight), kind, pattern, "cs" in flags


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return []  # optional by the specification
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _is_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_SNIFFED)
    except OSError:
        return False
    if b"\0" in head:
        return False
    return len(head) - len(head.decode("utf-8", errors="ignore").encode()) < 4  # a character may be cut at the end


def with_parents(kind: str, environment: Mapping[str, str]) -> list[str]:
    """The type and what it is a kind of, nearest first: ``text/csv`` is ``text/plain`` too."""
    parents: dict[str, list[str]] = {}
    for folder in data_folders(environment):
        for line in _lines(folder / "mime/subclasses"):
            child, _, parent = line.partition(" ")
            parents.setdefault(child, []).append(parent.strip())
    found = [kind]
    for one in found:
        found += [parent for parent in parents.get(one, []) if parent not in found]
    if kind.startswith("text/") and "text/plain" not in found:
        found.append("text/plain")
    return found


def handlers(kind: str, declared: Mapping[str, Sequence[str]], environment: Mapping[str, str]) -> list[str]:
    """Desktop entry ids that open exactly ``kind``, best first. ``declared``: entry id to its own MIME types."""
    chosen: list[str] = []
    added: list[str] = []
    removed: set[str] = set()
    for path in _association_files(environment):
        text = "\n".join(_lines(path))
        chosen += as_list(read_section(text, "Default Applications").get(kind, ""))
        added += [one for one in as_list(read_section(text, "Added Associations").get(kind, "")) if one not in removed]
        removed |= set(as_list(read_section(text, "Removed Associations").get(kind, "")))
    cached = [one for path in _caches(environment) for one in as_list(_cache(path).get(kind, ""))]
    own = [entry for entry, kinds in declared.items() if kind in kinds]
    associated = [*added, *(one for one in [*cached, *own] if one not in removed)]
    return [one for one in dict.fromkeys([*chosen, *associated]) if one in declared]


def _association_files(environment: Mapping[str, str]) -> Iterator[Path]:
    desktops = [name.lower() for name in environment.get("XDG_CURRENT_DESKTOP", "").split(":") if name]
    names = [*(f"{desktop}-mimeapps.list" for desktop in desktops), "mimeapps.list"]
    folders = [*config_folders(environment), *(folder / "applications" for folder in data_folders(environment))]
    for folder in folders:
        yield from (folder / name for name in names)


def _caches(environment: Mapping[str, str]) -> list[Path]:
    return [folder / "applications/mimeinfo.cache" for folder in data_folders(environment)]


def _cache(path: Path) -> dict[str, str]:
    return read_section("\n".join(_lines(path)), "MIME Cache")
