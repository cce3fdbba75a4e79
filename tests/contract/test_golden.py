"""Every kind of line against the golden file: a change of what models read is seen and meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.contract.golden import lines

GOLDEN = Path(__file__).parents[1] / "golden" / "lines.txt"


def renumbered(text: str) -> str:
    """Snapshots by the order in which they are told: where a batch is judged first, that looks too, and counts."""
    seen: dict[str, str] = {}
    return re.sub(r"\bs\d+\b", lambda found: seen.setdefault(found[0], f"s#{len(seen) + 1}"), text)


@pytest.mark.proves("A1", "A3", "A4", "A7", "report-23")
async def test_every_kind_of_line_is_as_written() -> None:
    assert renumbered(await lines()) == renumbered(GOLDEN.read_text()), (
        "python -m tests.contract.golden > tests/golden/lines.txt"
    )


def test_no_application_text_stands_outside_of_a_string() -> None:
    text = GOLDEN.read_text()
    assert "hunter2" not in text
    assert "\u202e" not in text
    outside = "".join(part for line in text.splitlines() for part in line.split('"')[::2])
    assert "orders" not in outside
