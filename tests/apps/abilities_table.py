"""The table of what can be done in which application, and ``docs/abilities.md`` made of it.

``python -m tests.apps.abilities_table > docs/abilities.md``
"""

from __future__ import annotations

from tests.apps.subjects import (
    calc,
    calculator,
    chromium,
    featherpad,
    file_dialog,
    firefox,
    gedit,
    impress,
    mousepad,
    qt,
    swing,
    text_editor,
    thunar,
    writer,
)
from tests.apps.subjects.row import Row, Subject

SUBJECTS: tuple[Subject, ...] = (
    mousepad.subject,
    calculator.subject,
    calc.subject,
    writer.subject,
    impress.subject,
    file_dialog.subject,
    gedit.subject,
    text_editor.subject,
    thunar.subject,
    qt.subject,
    swing.subject,
    featherpad.subject,
    chromium.subject,
    firefox.subject,
)
ROWS: tuple[Row, ...] = tuple(row for subject in SUBJECTS for row in subject.rows)
ABILITIES = (
    "press", "click", "set", "append", "type", "key", "select", "check", "uncheck", "expand", "collapse", "focus",
    "scroll", "menu", "window", "open", "wait",
)  # fmt: skip
MORE = ("expect", "hover", "drag", "invoke", "clipboard")
"""Steps and fields that stand in the table where they make sense."""
_TITLES = {
    "mousepad": "Mousepad", "calculator": "GNOME Calculator", "calc": "LibreOffice Calc",
    "writer": "LibreOffice Writer", "impress": "LibreOffice Impress",
    "file-dialog": "GTK file dialog", "gedit": "gedit", "text-editor": "GNOME Text Editor", "thunar": "Thunar",
    "qt": "The Qt zoo (PySide6)", "swing": "The Swing zoo", "featherpad": "FeatherPad",
    "chromium": "Chromium", "firefox": "Firefox ESR",
}  # fmt: skip


def page() -> str:
    """``docs/abilities.md``: what is done in each application, what shows it, and what cannot be done."""
    lines = [
        "# What can be done where", "",
        "Every row is a test on the real application (`tests/apps/test_abilities.py`). Its judge is the application's",
        "own state: saved bytes, the window manager, or its accessibility tree read by another program. Made from the",
        "table by `python -m tests.apps.abilities_table > docs/abilities.md`.",
    ]  # fmt: skip
    for subject in SUBJECTS:
        lines += ["", f"## {_TITLES[subject.name]} ({subject.toolkit})", ""]
        lines += ["| step | what is done | what shows it |", "|---|---|---|"]
        ordered = sorted(subject.rows, key=lambda row: (*ABILITIES, *MORE).index(row.ability))
        lines += [_line(row) for row in ordered]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    if row.refusal is None:
        return f"| `{row.ability}` | {row.deed} | {row.witness} |"
    return f"| `{row.ability}` | {row.deed}: **no** (`{row.refusal}`), {row.reason} | instead: {row.fallback} |"


if __name__ == "__main__":
    print(page(), end="")
