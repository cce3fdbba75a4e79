"""deskhand gives any agent a pair of hands on a real desktop.

``deskhand.connect`` and ``deskhand.expect`` are for async programs, ``deskhand.sync`` for all others.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deskhand import sync
    from deskhand.library.desktop import Desktop, connect
    from deskhand.library.expecting import expect
    from deskhand.library.failures import BatchStopped, ExpectationFailed
    from deskhand.library.locators import Locator
    from deskhand.library.windows import Window
    from deskhand.types.errors import DeskhandError

__version__ = "0.1.0"
__all__ = [
    "BatchStopped",
    "DeskhandError",
    "Desktop",
    "ExpectationFailed",
    "Locator",
    "Window",
    "__version__",
    "connect",
    "expect",
    "sync",
]
_HOMES = {
    "BatchStopped": "deskhand.library.failures",
    "DeskhandError": "deskhand.types.errors",
    "Desktop": "deskhand.library.desktop",
    "ExpectationFailed": "deskhand.library.failures",
    "Locator": "deskhand.library.locators",
    "Window": "deskhand.library.windows",
    "connect": "deskhand.library.desktop",
    "expect": "deskhand.library.expecting",
}
"""Where each name is at home; it is imported when first used, so that an owner need not."""


def __getattr__(name: str) -> Any:
    if name == "sync":
        return importlib.import_module("deskhand.sync")
    if name not in _HOMES:
        raise AttributeError(f"module 'deskhand' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
