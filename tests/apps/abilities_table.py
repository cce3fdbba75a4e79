"""The table of what can be done in which application, and ``docs/abilities.md`` made of it.

``python -m tests.apps.abilities_table > docs/abilities.md``, and ``docs/applications.md`` by
``python -m tests.apps.abilities_table applications > docs/applications.md``
"""

from __future__ import annotations

import sys

from tests.apps.subjects import (
    archiver,
    calc,
    calculator,
    chromium,
    evince,
    falkon,
    featherpad,
    file_dialog,
    firefox,
    gedit,
    gimp,
    impress,
    inkscape,
    mousepad,
    pictures,
    qt,
    settings,
    swing,
    terminal,
    text_editor,
    thunar,
    thunderbird,
    vlc,
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
    terminal.subject,
    archiver.subject,
    settings.subject,
    evince.subject,
    pictures.subject,
    gimp.subject,
    inkscape.subject,
    vlc.subject,
    thunderbird.subject,
    falkon.subject,
)
ROWS: tuple[Row, ...] = tuple(row for subject in SUBJECTS for row in subject.rows)
ABILITIES = (
    "press", "click", "set", "append", "type", "key", "select", "check", "uncheck", "expand", "collapse", "focus",
    "scroll", "menu", "window", "open", "wait",
)  # fmt: skip
MORE = ("expect", "hover", "drag", "invoke", "clipboard", "observe", "gate")
"""Steps, fields, views and judgements of the gate that stand in the table where they make sense."""


def page() -> str:
    """``docs/abilities.md``: what is done in each application, what shows it, and what cannot be done."""
    lines = [
        "# What can be done where", "",
        "Every row is a test on the real application (`tests/apps/test_abilities.py`). Its judge is the application's",
        "own state: saved bytes, the window manager, or its accessibility tree read by another program. Made from the",
        "table by `python -m tests.apps.abilities_table > docs/abilities.md`.",
    ]  # fmt: skip
    for subject in SUBJECTS:
        lines += ["", f"## {subject.title} ({subject.toolkit})", ""]
        lines += ["| step | what is done | what shows it |", "|---|---|---|"]
        ordered = sorted(subject.rows, key=lambda row: (*ABILITIES, *MORE).index(row.ability))
        lines += [_line(row) for row in ordered]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    steps = " ".join(f"`{ability}`" for ability in row.abilities)
    if not row.reason:
        return f"| {steps} | {row.deed} | {row.witness} |"
    code = f" (`{row.refusal}`)" if row.refusal is not None else ""
    return f"| {steps} | {row.deed}: **no**{code}, {row.reason} | instead: {row.fallback} |"


def applications() -> str:
    """``docs/applications.md``: of each application what its first view costs, what works, and its known gaps."""
    lines = [
        "# Applications", "",
        "What is known of each application that the tests drive, as Debian 12 ships it. The first view is the whole of",
        "the window that work begins with; tokens are o200k's, rounded to 50. Coverage is the share of its area",
        "that the tree describes; below a third, a view says so and advises a `screenshot`. What works is",
        "shown row by row in [abilities](abilities.md). Made from the same table by",
        "`python -m tests.apps.abilities_table applications > docs/applications.md`.",
    ]  # fmt: skip
    for subject in SUBJECTS:
        lines += ["", f"## {subject.title}", "", *_section(subject)]
    return "\n".join(lines) + "\n"


def _section(subject: Subject) -> list[str]:
    known = {ability for row in subject.rows if not row.reason for ability in row.abilities}
    works = " ".join(f"`{ability}`" for ability in (*ABILITIES, *MORE) if ability in known)
    first, gaps = subject.first, [row for row in subject.rows if row.gap]
    cost = f"about {first.tokens} tokens, coverage {first.coverage:.0%}" if first else "not measured"
    lines = [f"- Toolkit: {subject.toolkit}", f"- First view: {cost}", f"- Works: {works}"]
    if not gaps:
        return [*lines, "- Known gaps: none"]
    return [*lines, "- Known gaps:", *(f"  - {_gap(row)}" for row in gaps)]


def _gap(row: Row) -> str:
    code = f" (`{row.refusal}`)" if row.refusal is not None else ""
    return f"`{row.ability}` {row.deed}{code}: {row.reason}. Instead: {row.fallback}."


if __name__ == "__main__":
    print(applications() if sys.argv[1:] == ["applications"] else page(), end="")
