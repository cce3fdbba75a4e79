"""The library for programs without an event loop: ``with deskhand.sync.connect() as desktop: …``."""

from deskhand.library.failures import BatchStopped, ExpectationFailed
from deskhand.library.sync import Desktop, Locator, LocatorExpectation, Window, WindowExpectation, connect, expect
from deskhand.types.errors import DeskhandError

__all__ = [
    "BatchStopped",
    "DeskhandError",
    "Desktop",
    "ExpectationFailed",
    "Locator",
    "LocatorExpectation",
    "Window",
    "WindowExpectation",
    "connect",
    "expect",
]
