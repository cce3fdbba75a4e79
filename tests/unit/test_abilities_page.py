"""The table of abilities is whole, and its page in the documentation is made from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.abilities_table import ABILITIES, ROWS, SUBJECTS, applications, page

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_the_table() -> None:
    assert (DOCS / "abilities.md").read_text() == page(), (
        "run: python -m tests.apps.abilities_table > docs/abilities.md"
    )


def test_the_page_of_applications_is_the_table() -> None:
    made = "python -m tests.apps.abilities_table applications > docs/applications.md"
    assert (DOCS / "applications.md").read_text() == applications(), f"run: {made}"


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_every_step_stands_in_the_table_of_every_application(subject: object) -> None:
    rows = [row for row in ROWS if row.subject == subject.name]  # type: ignore[attr-defined]
    assert set(ABILITIES) - {ability for row in rows for ability in row.abilities} == set()


def test_what_cannot_be_done_has_a_reason_a_fallback_and_a_code() -> None:
    for row in ROWS:
        assert bool(row.reason) == bool(row.fallback) == (row.gap or row.refusal is not None), row.id


def test_no_two_rows_are_called_alike() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS)
