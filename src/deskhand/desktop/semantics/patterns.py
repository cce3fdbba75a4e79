"""Regular expressions bounded in time: what might take for ever is searched by a process that can be ended."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from functools import lru_cache
from types import TracebackType

from deskhand.types.errors import DeskhandError

SECONDS = 1.0
"""Seconds that one search may take."""
_STARTING = 10.0
"""Seconds that the process has to be there."""
_REPEATS = re.compile(r"[*+?{]")
_BACKWARD = re.compile(r"\\[1-9]|\(\?P=")
_LONGEST = 5000
"""Characters of a text that one repeat is let loose on in this process."""
_ANSWER_MOST = 1 << 24
_CHILD = """\
import json, re, sys
pattern = re.compile(json.loads(sys.stdin.readline()))
print("ready", flush=True)
for line in sys.stdin:
    print(json.dumps([pattern.search(text) is not None for text in json.loads(line)]), flush=True)"""


async def searched(pattern: str, texts: Sequence[str]) -> list[bool]:
    """Whether each text holds a match. Raises ``invalid_request`` for one that takes more than a second."""
    async with Searcher(pattern) as searcher:
        return await searcher.search(texts)


class Searcher:
    """One regular expression, searched for as often as it takes; at most one process serves it until the end."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._child: Process | None = None

    async def __aenter__(self) -> Searcher:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def search(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text holds a match. Raises ``invalid_request`` for a pattern that takes too long."""
        if all(safe(self._pattern, text) for text in texts):
            return [re.search(self._pattern, text) is not None for text in texts]
        child = self._child or await self._start()
        said = await self._asked(child, list(texts), SECONDS)
        if said is None:
            message = "the regular expression takes too long; write a simpler one, or match contains"
            raise DeskhandError("invalid_request", message)
        found: list[bool] = json.loads(said)
        return found

    async def _start(self) -> Process:
        try:
            self._child = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", "-c", _CHILD, stdin=PIPE, stdout=PIPE, limit=_ANSWER_MOST
            )
        except OSError as error:
            raise DeskhandError("internal", f"no process for the regular expression: {error.strerror}") from error
        if await self._asked(self._child, self._pattern, _STARTING) is None:
            raise DeskhandError("internal", "the process for the regular expression did not start; try again")
        return self._child

    async def _asked(self, child: Process, question: object, seconds: float) -> bytes | None:
        """Its answer; None, and it is ended, where it gives none in time."""
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                child.stdin.write(json.dumps(question).encode() + b"\n")
                await child.stdin.drain()
                said = await child.stdout.readline()
        except (TimeoutError, ConnectionError):
            said = b""
        if not said:
            await self._end()
        return said or None

    async def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None and child.returncode is None:
            child.kill()
            await child.wait()


def safe(pattern: str, text: str) -> bool:
    """Whether it can be searched for in this process."""
    return len(text) <= _LONGEST and _plain(pattern)


@lru_cache(maxsize=256)
def _plain(pattern: str) -> bool:
    """At most one repeat, of what has no alternatives, nothing referred back to: at most the text's length squared."""
    repeats = len(_REPEATS.findall(pattern))
    return repeats == 0 or (repeats == 1 and "|" not in pattern and not _BACKWARD.search(pattern))
