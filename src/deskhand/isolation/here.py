"""The user's own session, as a launcher: programs start where the user sees them."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Mapping, Sequence

from deskhand.isolation.switches import switched
from deskhand.types.errors import DeskhandError

AT_ONCE = 0.3
"""Seconds within which an error counts as a failed launch."""


class HereLauncher:
    """Starts programs in the environment of the user's own session; satisfies ``types.protocols.Launcher``."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = dict(os.environ if environment is None else environment)
        self._waiting: set[asyncio.Task[int]] = set()

    @property
    def environment(self) -> Mapping[str, str]:
        """The session's variables."""
        return dict(self._environment)

    async def launch(self, command: Sequence[str], directory: str | None = None) -> int:
        """Start detached and return the pid. Raises ``launch_failed``."""
        if not command:
            raise DeskhandError("invalid_request", "no command given")
        with tempfile.TemporaryFile() as log:
            try:
                process = await asyncio.create_subprocess_exec(
                    *switched(command, self._environment), env=self._environment, cwd=directory, start_new_session=True,
                    stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
                )  # fmt: skip
            except OSError as error:
                raise DeskhandError("launch_failed", f"cannot start {command[0]}: {error}") from error
            ended = asyncio.ensure_future(process.wait())
            self._waiting.add(ended)
            ended.add_done_callback(self._waiting.discard)
            done, _ = await asyncio.wait({ended}, timeout=AT_ONCE)
            if done and ended.result() != 0:
                log.seek(0)
                said = log.read()[-400:].decode(errors="replace").strip().replace("\n", " | ")
                raise DeskhandError("launch_failed", f"{command[0]} ended at once with code {ended.result()}: {said}")
        return process.pid
