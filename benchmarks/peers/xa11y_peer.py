"""Run by the peers' own Python: xa11y as its documentation shows it, timed where it runs.

One JSON command a line on stdin, one JSON answer a line on stdout. Finding the application and its window is not
counted, nor is counting the nodes.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import xa11y


class Windows:
    """Finds windows, and keeps the elements to be pressed so that pressing them costs no search."""

    def __init__(self) -> None:
        self.held: list[Any] = []

    def tree(self, pid: int, title: str) -> dict[str, Any]:
        """The whole tree of a window: role, name, value, children of each element."""
        window = next(w for w in xa11y.App.by_pid(pid).windows() if w.name == title)
        started = time.perf_counter()
        tree = window.tree()
        seconds = time.perf_counter() - started
        return {"seconds": seconds, "nodes": count(tree)}

    def hold(self, pid: int, role: str, names: list[str]) -> dict[str, Any]:
        """Find what is to be pressed."""
        found = {e.name: e for e in reversed(xa11y.App.by_pid(pid).locator(role).elements())}
        self.held = [found.get(name) or found[f"{name} {name}"] for name in names]
        return {"held": len(self.held)}

    def press(self, first: int) -> dict[str, Any]:
        """Press the first of them, in order."""
        started = time.perf_counter()
        for element in self.held[:first]:
            element.press()
        return {"seconds": time.perf_counter() - started}


def count(tree: dict[str, Any]) -> int:
    """How many elements it has."""
    waiting, found = [tree], 0
    while waiting:
        waiting += waiting.pop()["children"]
        found += 1
    return found


def main() -> None:
    """Answer commands until stdin ends."""
    windows = Windows()
    for line in sys.stdin:
        command = json.loads(line)
        op = command.pop("op")
        try:
            answer = getattr(windows, op)(**command)
        except xa11y.XA11yError as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
