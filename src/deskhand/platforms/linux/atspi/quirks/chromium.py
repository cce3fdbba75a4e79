"""Chromium through ATK: its objects are made anew when their interfaces change, so those are fixed; roles are not."""

from __future__ import annotations

from deskhand.platforms.linux.atspi.quirks.base import Quirks


class Chromium(Quirks):
    """As usual."""

    fixed_interfaces = True

    def __init__(self) -> None:
        super().__init__("chromium")
