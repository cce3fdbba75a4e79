"""Programs whose nature decides what a step does there. Told by the window's application name, or class."""

from __future__ import annotations

import re

from deskhand.policy.risks import Risk
from deskhand.types.nodes import Window

TERMINALS = frozenset(
    [
        "gnome-terminal",
        "gnome-terminal-server",
        "xterm",
        "uxterm",
        "konsole",
        "xfce4-terminal",
        "terminator",
        "tilix",
        "alacritty",
        "kitty",
        "lxterminal",
        "mate-terminal",
        "qterminal",
        "rxvt",
        "urxvt",
        "st",
        "foot",
        "footclient",
        "wezterm",
        "wezterm-gui",
        "ptyxis",
        "kgx",
        "guake",
        "yakuake",
        "cool-retro-term",
        "deepin-terminal",
        "sakura",
        "terminology",
        "tilda",
        "roxterm",
        "rio",
        "ghostty",
        "hyper",
        "tabby",
        "warp",
        "terminal",
        "gnome-console",
        "console",
        "eterm",
        "aterm",
        "mlterm",
        "xfce4-appfinder",
        "krunner",
        "gmrun",
        "rofi",
        "dmenu",
        "cmd",
        "powershell",
        "pwsh",
        "windowsterminal",
        "iterm2",
        "putty",
        "x-terminal-emulator",
    ]
)
FILE_MANAGERS = frozenset(
    [
        "nautilus",
        "files",
        "thunar",
        "dolphin",
        "nemo",
        "caja",
        "pcmanfm",
        "pcmanfm-qt",
        "spacefm",
        "doublecmd",
        "krusader",
        "ranger",
        "konqueror",
        "finder",
        "explorer",
        "deepin-file-manager",
        "io.elementary.files",
        "rox-filer",
        "xfdesktop",
        "nemo-desktop",
        "caja-desktop",
        "ding",
    ]
)
EDITORS = frozenset(
    [
        "mousepad",
        "gedit",
        "gnome-text-editor",
        "texteditor",
        "text-editor",
        "kate",
        "kwrite",
        "xed",
        "pluma",
        "geany",
        "leafpad",
        "l3afpad",
        "featherpad",
        "notepad",
        "notepadqq",
        "abiword",
        "gnumeric",
        "libreoffice",
        "soffice",
        "calc",
        "localc",
        "lowriter",
        "loimpress",
        "lodraw",
        "libreoffice-calc",
        "libreoffice-writer",
        "libreoffice-impress",
        "libreoffice-draw",
        "code",
        "codium",
        "vscodium",
        "emacs",
        "gvim",
        "sublime_text",
        "focuswriter",
        "ghostwriter",
        "texstudio",
        "texmaker",
        "onlyoffice",
        "wps",
        "et",
        "wpp",
    ]
)
CALCULATORS = frozenset(
    [
        "gnome-calculator",
        "calculator",
        "kcalc",
        "galculator",
        "qalculate",
        "qalculate-gtk",
        "mate-calc",
        "speedcrunch",
        "xcalc",
    ]
)
MAILERS = frozenset(
    [
        "thunderbird",
        "evolution",
        "geary",
        "kmail",
        "outlook",
        "claws-mail",
        "sylpheed",
        "slack",
        "discord",
        "telegram",
        "telegram-desktop",
        "signal",
        "signal-desktop",
        "element",
        "fractal",
        "polari",
        "pidgin",
        "hexchat",
        "teams",
        "whatsapp",
        "dino",
        "gajim",
    ]
)


_RUNNABLE = (".desktop", ".sh", ".run", ".appimage", ".exe", ".bat", ".cmd", ".jar", ".py", ".bin", ".command", ".ps1")
_PACKAGES = (".deb", ".rpm", ".flatpakref", ".flatpak", ".snap", ".msi", ".pkg", ".dmg", ".apk")


def file_risks(name: str) -> set[Risk]:
    """The risks of opening a file of this name."""
    low = name.casefold().strip()
    found: set[Risk] = {"install"} if low.endswith(_PACKAGES) else set()
    return found | {"shell"} if low.endswith(_RUNNABLE) else found


def names_of(window: Window | None) -> frozenset[str]:
    """The window's program as comparable names: ``org.gnome.Nautilus`` is also ``nautilus``."""
    if window is None:
        return frozenset()
    name = window.app.casefold().strip()
    parts = {name, name.rsplit(".", 1)[-1], name.rsplit("/", 1)[-1], name.replace(" ", "-")}
    if name.startswith(("libreoffice", "soffice")):
        parts.add("libreoffice")
    return frozenset(parts)


def is_terminal(window: Window | None) -> bool:
    """Whether what is typed there is run."""
    return bool(names_of(window) & TERMINALS)


def is_file_manager(window: Window | None) -> bool:
    """Whether its lists hold files."""
    return bool(names_of(window) & FILE_MANAGERS)


def is_editor(window: Window | None) -> bool:
    """Whether deleting there means deleting what is selected in a document, which can be undone."""
    return bool(names_of(window) & EDITORS)


def is_calculator(window: Window | None) -> bool:
    """Whether Delete and Clear are keys of a calculator."""
    return bool(names_of(window) & CALCULATORS)


def is_mailer(window: Window | None) -> bool:
    """Whether Enter or Ctrl+Enter may send a message."""
    return bool(names_of(window) & MAILERS)


_CELL = re.compile(r"^\$?[A-Z]{1,3}\$?\d{1,7}$")


def is_cell_address(name: str) -> bool:
    """Whether it is the name of a spreadsheet's cell."""
    return _CELL.match(name) is not None
