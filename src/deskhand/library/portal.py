"""A thread with an event loop, for programs that have none."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

_R = TypeVar("_R")


class Portal:
    """Runs coroutines in a loop of its own thread; use it from one thread or from many."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="deskhand", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _R]) -> _R:
        """Its result. Interrupted (Ctrl+C), the work is cancelled, and its keys are released."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
