"""A thread that does jobs one after the other, and that a hung job cannot keep the process from ending."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """One daemon thread with a queue. An executor's threads are joined at exit, however long they hang."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Queue a job; its future holds what it returns or raises."""
        done: Future[T] = Future()
        self._jobs.put((job, done))
        return done

    def end(self) -> None:
        """End the thread after what is queued."""
        self._jobs.put(None)

    def _work(self) -> None:
        while True:
            task = self._jobs.get()
            if task is None:
                return
            job, done = task
            if done.set_running_or_notify_cancel():
                _settle(job, done)


def _settle(job: Callable[[], T], done: Future[T]) -> None:
    try:
        result = job()
    except BaseException as problem:  # noqa: BLE001 - not swallowed: whoever waits for the future gets it
        done.set_exception(problem)
    else:
        done.set_result(result)
