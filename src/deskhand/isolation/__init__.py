"""Nested desktops: each with its own display, buses, window manager, limits and keeper."""

from deskhand.isolation.here import HereLauncher
from deskhand.isolation.messages import Exit, Home, LimitKind, Record, Status
from deskhand.isolation.nested import NestedDesktop, attach, list_desktops, obtain, start

__all__ = [
    "Exit",
    "HereLauncher",
    "Home",
    "LimitKind",
    "NestedDesktop",
    "Record",
    "Status",
    "attach",
    "list_desktops",
    "obtain",
    "start",
]
