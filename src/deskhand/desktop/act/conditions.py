"""Conditions waited for and expected: on windows, elements, values, files, processes, the clipboard.

Waiting is on announced changes; a slow look every quarter second covers what is announced by nobody.
"""

from __future__ import annotations

import asyncio
import os.path
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from stat import S_ISREG

from deskhand.desktop.act.evidence import reading
from deskhand.desktop.act.looking import Looks
from deskhand.desktop.act.running import running_names
from deskhand.desktop.act.scene import QUIET, Scene
from deskhand.desktop.semantics import matching
from deskhand.desktop.semantics.patterns import Searcher, searched
from deskhand.desktop.semantics.quoting import quote, quote_cut
from deskhand.desktop.semantics.refs import is_element_ref, is_window_ref
from deskhand.desktop.targets import Resolved
from deskhand.platforms.base import ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Ability, State, Window
from deskhand.types.steps import Expect, Match, Selector, Target, WaitFor

LOOK_EVERY = 0.25
_WINDOWS_SAID = 8
FILE_MOST = 64 << 20
FRESH = 2_000_000_000
"""Nanoseconds within which a file may be written again and tell the same time."""


@dataclass(frozen=True, slots=True)
class Condition:
    """As in a ``wait`` step; ``timeout`` in seconds."""

    kind: WaitFor
    on: Target | None
    awaited: str | float | bool | None
    match: Match
    timeout: float
    searcher: Searcher | None = None  # of a regular expression, for as long as it is waited for

    def words(self) -> str:
        """How effects and errors name it."""
        on = self.on.model_dump_json(by_alias=True, exclude_none=True) if isinstance(self.on, Selector) else self.on
        shown = on if on is None or on[:1] in "{" or on[:1] in "rw" else quote(on)
        value = f" {quote(str(self.awaited))}" if self.awaited is not None else ""
        return f"{self.kind}{' ' + shown if shown else ''}{value}"


async def await_condition(scene: Scene, condition: Condition) -> str:
    """Wait until it holds; a note on what held. Raises ``wait_timeout`` with what was found instead."""
    if condition.kind == "settled":
        if await scene.platform.events.quiet(max(QUIET, 0.2), min(condition.timeout, scene.left)):
            return "settled"
        raise DeskhandError("wait_timeout", "changes went on all the time", sent=scene.sent)
    async with Searcher(str(condition.awaited)) as searcher:
        waited = replace(condition, searcher=searcher)
        held, note = await _until(scene, condition.timeout, lambda: _holds(scene, waited))
    if held:
        return note
    raise DeskhandError(
        "wait_timeout", f"{condition.words()} did not come within {condition.timeout:g} s", sent=scene.sent, found=note
    )


async def _until(scene: Scene, timeout: float, look: Callable[[], Awaitable[tuple[bool, str]]]) -> tuple[bool, str]:
    ends, looks = time.monotonic() + min(timeout, scene.left), Looks(scene.platform.events)
    while True:
        serial = scene.platform.events.serial
        held, note = await look()
        rest = ends - time.monotonic()
        if held or rest <= 0:
            return held, note
        await looks.again(serial, min(LOOK_EVERY, rest))


async def _holds(scene: Scene, condition: Condition) -> tuple[bool, str]:
    if condition.kind in ("window", "closed"):
        return await _window_holds(scene, condition)
    if condition.kind == "text":
        return await _text_holds(scene, condition)
    try:
        assert condition.on is not None
        found = await scene.resolver.resolve(condition.on, renamed=condition.kind != "gone")
    except DeskhandError as error:
        absent = error.code in ("not_found", "stale_ref", "window_gone")
        if not absent and error.code != "ambiguous_target":
            raise
        return condition.kind == "gone" and absent, error.found or error.code
    return await _element_holds(condition, found)


async def _element_holds(condition: Condition, found: Resolved) -> tuple[bool, str]:
    node = found.node
    shows = node.has(State.SHOWING)
    if condition.kind in ("element", "gone"):
        return shows == (condition.kind == "element"), found.words
    if condition.kind == "enabled":
        return not node.has(State.DISABLED), found.words
    if condition.kind == "focused":
        return node.has(State.FOCUSED), found.words
    if node.has(State.PROTECTED):
        raise DeskhandError("unsupported_action", f"{found.words} holds a secret: it is not read", target=found.ref)
    cell = node.role == "cell" and not isinstance(condition.awaited, bool)
    held = node.text if cell else reading(node)
    return await _same(
        condition, held
    ), f"{found.words} = {quote_cut(str(held), 80) if held is not None else 'nothing'}"


async def _same(condition: Condition, held: str | float | None) -> bool:
    wanted = condition.awaited
    if isinstance(wanted, bool):
        return held == ("on" if wanted else "off")
    if isinstance(held, float):
        try:
            return abs(held - float(wanted or 0)) < 1e-9
        except ValueError:
            return False
    return held is not None and any(await _matching(condition, str(wanted), [held], condition.match))


async def _matching(condition: Condition, wanted: str, texts: Sequence[str], match: Match) -> list[bool]:
    """Which of the texts are what is awaited."""
    if match != "regex":
        return [matching.text_matches(wanted, text, match) for text in texts]
    if condition.searcher is not None and wanted == condition.awaited:
        return await condition.searcher.search(texts)
    return await searched(wanted, texts)


async def _window_holds(scene: Scene, condition: Condition) -> tuple[bool, str]:
    windows = [w for w in await scene.world.windows() if not w.popup]
    named = Selector(name=condition.on) if isinstance(condition.on, str) else condition.on
    wanted, asked = (named.name or "", named.match) if named is not None else ("", condition.match)
    asked = condition.match if isinstance(condition.on, str) else asked
    match: Match = "contains" if asked == "exact" else asked
    if is_window_ref(wanted):
        there = [w for w in windows if scene.world.refs.window_ref(w.key) == wanted]
        if not there and condition.kind == "closed":
            scene.world.refs.require_window(wanted)
    else:
        fits = await _matching(condition, wanted, [w.title for w in windows], match)
        there = [w for w, fit in zip(windows, fits, strict=True) if fit or wanted.casefold() == w.app.casefold()]
    if condition.kind == "closed":
        return not there, _some(scene, there) or "closed"
    ready = [w for w in there if w.root is not None]
    return bool(ready), _some(scene, ready or windows)


def _some(scene: Scene, windows: list[Window]) -> str:
    more = f", … {len(windows) - _WINDOWS_SAID} more" if len(windows) > _WINDOWS_SAID else ""
    return ", ".join(scene.world.window_words(w) for w in windows[-_WINDOWS_SAID:]) + more


async def _text_holds(scene: Scene, condition: Condition) -> tuple[bool, str]:
    """Any text in a window (``on`` a window) or in an element contains what is awaited."""
    wanted = str(condition.awaited)
    match: Match = "contains" if condition.match == "exact" else condition.match
    if isinstance(condition.on, str) and not is_element_ref(condition.on):
        snapshot = await scene.world.snapshot(await scene.world.window(condition.on))
        texts = [part for i in snapshot.flat.values() for part in (i.name, i.value) if isinstance(part, str)]
        texts += [cell.text for grid in snapshot.grids.values() for cell in grid.cells]
    else:
        assert condition.on is not None
        found = await scene.resolver.resolve(condition.on, renamed=True)
        texts = [found.node.name, found.node.text or "", *await _inside(scene, found)]
    return any(await _matching(condition, wanted, texts, match)), "not in the text"


async def _inside(scene: Scene, found: Resolved) -> list[str]:
    """What the parts of an element say; secrets are never read."""
    if not found.node.child_count or found.node.can(Ability.VIRTUAL):
        return []
    tree = await scene.platform.read(found.node.key, ReadLimits())
    return [text for node in tree.nodes.values() for text in (node.name, node.text) if text]


async def holds_already(scene: Scene, expect: Expect) -> bool:
    """Whether all of it holds before the step: then it is no evidence of what the step did."""
    for asked, check in ((expect.file, _file), (expect.clipboard, _clipboard), (expect.process, _process)):
        if asked is not None and not (await check(scene, expect))[0]:
            return False
    if expect.condition is None:
        return True
    if expect.condition == "settled":
        return True  # quiet says nothing about the step
    return (await _holds(scene, Condition(expect.condition, expect.on, expect.value, expect.match, 0.0)))[0]


async def await_expectation(scene: Scene, expect: Expect) -> str:
    """What a step was to achieve; a note on what held. Raises ``expectation_failed``."""
    notes = []
    file = partial(_file, looked=_Looked())
    for asked, check in ((expect.file, file), (expect.clipboard, _clipboard), (expect.process, _process)):
        if asked is not None:
            notes.append(_must(*await _until(scene, expect.timeout, partial(check, scene, expect)), scene))
    if expect.condition is not None:
        condition = Condition(expect.condition, expect.on, expect.value, expect.match, expect.timeout)
        try:
            notes.append(await await_condition(scene, condition))
        except DeskhandError as error:
            message, found = f"expected {condition.words()}", error.found or error.message
            raise DeskhandError("expectation_failed", message, scene.sent, found=found) from error
    return "; ".join(note for note in notes if note)


def _must(held: bool, note: str, scene: Scene) -> str:
    if not held:
        raise DeskhandError("expectation_failed", f"expected {note}", scene.sent)
    return note


@dataclass
class _Looked:
    """A file as it was when it was read last, and what was found."""

    stamp: tuple[int, ...] | None = None
    held: bool = False


async def _file(scene: Scene, expect: Expect, looked: _Looked | None = None) -> tuple[bool, str]:
    assert expect.file is not None
    path = scene.opener.path(expect.file.path)
    words = f"file {quote(str(path))}"
    if expect.file.contains is None:
        return await asyncio.to_thread(os.path.isfile, path), words
    wanted = expect.file.contains.encode()
    try:
        held = await asyncio.to_thread(_file_contains, path, wanted, looked or _Looked())
    except OSError:
        held = False
    return held, f"{words} with {quote(expect.file.contains[:80])}"


def _file_contains(path: Path, wanted: bytes, looked: _Looked) -> bool:
    """Whether a regular file holds some bytes; of a very large one the first ``FILE_MOST`` are looked at.

    It is read again only when it is another than it was, or was written a moment ago: clocks of files are coarse.
    """
    now = path.stat()
    stamp = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
    if stamp == looked.stamp:
        return looked.held
    looked.held = S_ISREG(now.st_mode) and _holding_bytes(path, wanted)
    looked.stamp = stamp if time.time_ns() - now.st_ctime_ns > FRESH else None
    return looked.held


def _holding_bytes(path: Path, wanted: bytes) -> bool:
    with path.open("rb") as file:
        return wanted in file.read(FILE_MOST)


async def _clipboard(scene: Scene, expect: Expect) -> tuple[bool, str]:
    assert expect.clipboard is not None
    words = f"clipboard {quote(expect.clipboard.value[:80])}"
    try:
        async with asyncio.timeout(min(expect.timeout, scene.left)):
            held = await scene.platform.read_clipboard()
    except TimeoutError:
        return False, f"{words}; the program that owns it does not answer"
    return held == expect.clipboard.value, words


async def _process(scene: Scene, expect: Expect) -> tuple[bool, str]:
    assert expect.process is not None
    names = await asyncio.to_thread(running_names, scene.opener.environment)
    wanted = expect.process.name
    words = f"process {quote(wanted)}{' gone' if expect.process.gone else ''}"
    return (wanted in names) != expect.process.gone, words
