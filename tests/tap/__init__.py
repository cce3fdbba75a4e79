"""An event tap that shares nothing with deskhand: what the X server itself says was sent to it."""

from tests.tap.client import EventTap, Tapped

__all__ = ["EventTap", "Tapped"]
