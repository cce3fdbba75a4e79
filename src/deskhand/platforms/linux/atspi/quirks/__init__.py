"""Oddities of toolkits, one small file each, chosen by what the application says of itself."""

from __future__ import annotations

from deskhand.platforms.linux.atspi.quirks.base import Quirks
from deskhand.platforms.linux.atspi.quirks.chromium import Chromium
from deskhand.platforms.linux.atspi.quirks.gecko import Gecko
from deskhand.platforms.linux.atspi.quirks.gtk2 import Gtk2
from deskhand.platforms.linux.atspi.quirks.gtk3 import Gtk3
from deskhand.platforms.linux.atspi.quirks.gtk4 import Gtk4
from deskhand.platforms.linux.atspi.quirks.libreoffice import LibreOffice
from deskhand.platforms.linux.atspi.quirks.qt import Qt
from deskhand.platforms.linux.atspi.quirks.swing import Swing


def quirks_for(toolkit: str, version: str, app: str) -> Quirks:
    """The oddities of one application, by its toolkit's name and version and its own name."""
    if app.lower().startswith(("soffice", "libreoffice")):
        return LibreOffice()
    if toolkit.lower() == "gtk" and version.startswith("4"):
        return Gtk4()
    if toolkit.lower() == "gtk" and version.startswith("3"):
        return Gtk3()
    if toolkit == "GAIL":
        return Gtk2()
    if toolkit.lower() == "chromium":
        return Chromium()
    if toolkit.lower() == "qt":
        return Qt()
    if toolkit == "J2SE-access-bridge":
        return Swing()
    if toolkit.lower() == "gecko":
        return Gecko(app)
    return Quirks(_short_name(toolkit, version))


def _short_name(toolkit: str, version: str) -> str:
    name = toolkit.lower()
    if name == "gtk":
        return f"gtk{version.partition('.')[0]}"
    return name
