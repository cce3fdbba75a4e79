"""The table of what can be done in which application, and ``docs/abilities.md`` made of it.

``python -m tests.apps.abilities_table > docs/abilities.md``
"""

from __future__ import annotations

from tests.apps.subjects import calc, calculator, mousepad
from tests.apps.subjects.row import Row, Subject

SUBJECTS: tuple[Subject, ...] = (mousepad.subject, calculator.subject, calc.subject)
ROWS: tuple[Row, ...] = tuple(row for subject in SUBJECTS for row in subject.rows)
ABILITIES = (
    "press", "click", "set", "append", "type", "key", "select", "check", "uncheck", "expand", "collapse", "focus",
    "scroll", "menu", "window", "open", "wait", "expect", "hover", "drag", "invoke", "clipboard",
)  # fmt: skip
