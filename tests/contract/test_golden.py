"""Every kind of line against the golden file: a change of what models read is seen and meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.golden import lines

GOLDEN = Path(__file__).parents[1] / "golden" / "lines.txt"


@pytest.mark.proves("A1", "A3", "A4", "A7", "report-23")
async def test_every_kind_of_line_is_as_written() -> None:
    assert await lines() == GOLDEN.read_text(), "python -m tests.contract.golden > tests/golden/lines.txt"


def test_no_application_text_stands_outside_of_a_string() -> None:
    text = GOLDEN.read_text()
    assert "hunter2" not in text
    assert "\u202e" not in text
    outside = "".join(part for line in text.splitlines() for part in line.split('"')[::2])
    assert "orders" not in outside
