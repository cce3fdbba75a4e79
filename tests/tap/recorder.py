"""The tap's process: journals every core device event of a display by the RECORD extension.

It prints one JSON line an event. A line on standard input is a mark: the process sends the server a request that is
recorded among the events, and prints ``{"mark": line}`` when that request comes by. So everything that the server
processed before the mark was asked for stands before it in the output.
"""

from __future__ import annotations

import json
import struct
import sys
import threading
from typing import Any

from Xlib import X, display
from Xlib.ext import record
from Xlib.protocol import rq

_NO_OPERATION = 127
_KINDS = {
    X.KeyPress: "key_press",
    X.KeyRelease: "key_release",
    X.ButtonPress: "button_press",
    X.ButtonRelease: "button_release",
    X.MotionNotify: "motion",
}
_EVENT = rq.EventField(None)


class Recorder:
    """Two connections, as the RECORD protocol wants: one asks, one receives."""

    def __init__(self, name: str) -> None:
        self.control, self.data = display.Display(name), display.Display(name)
        self.lock = threading.Lock()
        self.marks: list[str] = []
        self.context = self.control.record_create_context(0, [record.AllClients], [_ranges()])
        self.control.sync()
        self.base = self.control.display.info.resource_id_base

    def run(self) -> None:
        """Record until standard input ends."""
        threading.Thread(target=self.serve_marks, daemon=True).start()
        self.data.record_enable_context(self.context, self.receive)

    def serve_marks(self) -> None:
        """Turn each input line into a request that is recorded in its place."""
        for line in sys.stdin:
            with self.lock:
                self.marks.append(line.strip())
            self.control.no_operation()
            self.control.sync()
        self.control.record_disable_context(self.context)
        self.control.sync()

    def receive(self, reply: Any) -> None:
        """Print what the server says."""
        if reply.category == record.StartOfData:
            say({"ready": True})
        elif reply.category == record.FromServer:
            self.print_events(reply.data)
        elif reply.category == record.FromClient and reply.id_base == self.base:
            with self.lock:
                marks, self.marks = self.marks, []
            for mark in marks:
                say({"mark": mark})

    def print_events(self, data: bytes) -> None:
        """Print the device events in one reply."""
        while data:
            event, data = _EVENT.parse_binary_value(data, self.data.display, None, None)
            if event.type in _KINDS:
                say({
                    "kind": _KINDS[event.type], "detail": event.detail, "x": event.root_x, "y": event.root_y,
                    "state": event.state,
                })  # fmt: skip


def _ranges() -> dict[str, Any]:
    nothing = (0, 0)
    return {
        "core_requests": (_NO_OPERATION, _NO_OPERATION), "core_replies": nothing, "ext_requests": (0, 0, 0, 0),
        "ext_replies": (0, 0, 0, 0), "delivered_events": nothing, "device_events": (X.KeyPress, X.MotionNotify),
        "errors": nothing, "client_started": False, "client_died": False,
    }  # fmt: skip


def say(line: dict[str, Any]) -> None:
    """One line of output, at once."""
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    try:
        Recorder(sys.argv[1]).run()
    except (struct.error, OSError) as problem:
        say({"broken": str(problem)})
        raise
