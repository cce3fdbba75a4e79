"""Nested desktops: each with its own display, buses, window manager, limits and keeper."""

from deskhand.isolation.arrangement import Arrangement
from deskhand.isolation.buses import Accessibility, accessibility_of
from deskhand.isolation.here import HereLauncher
from deskhand.isolation.limits import available as available_limit
from deskhand.isolation.messages import Exit, Home, LimitKind, Record, Status
from deskhand.isolation.nested import NestedDesktop, attach, list_desktops, obtain, start
from deskhand.isolation.places import base_folder, desktops_folder
from deskhand.isolation.sweep import reclaim

__all__ = [
    "Accessibility",
    "Arrangement",
    "Exit",
    "HereLauncher",
    "Home",
    "LimitKind",
    "NestedDesktop",
    "Record",
    "Status",
    "accessibility_of",
    "attach",
    "available_limit",
    "base_folder",
    "desktops_folder",
    "list_desktops",
    "obtain",
    "reclaim",
    "start",
]
