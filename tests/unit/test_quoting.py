"""What an application says is framed: it can forge no line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.desktop.semantics.quoting import LITTLE, cell, quote, quote_cut


@pytest.mark.proves("report-23")
@given(st.text())
def test_a_quoted_text_is_one_printable_json_string(text: str) -> None:
    quoted = quote(text)
    assert json.loads(quoted) == text
    assert "\n" not in quoted
    assert all(char not in quoted for char in "\u202e\u200b\u2028\x1b\x07")


@given(st.text(min_size=1), st.integers(1, 40))
def test_what_is_cut_is_counted(text: str, limit: int) -> None:
    shown, _, cut = (
        quote_cut(text, limit).rpartition("+") if len(text) > limit + LITTLE else (quote_cut(text, limit), "", "0")
    )
    assert len(json.loads(shown)) + int(cut) == len(text)


def test_numbers_stand_bare_in_cells_and_anything_else_is_quoted() -> None:
    assert [cell(text) for text in ("", "12", "-3.50", "1,5", "007", "1e5", "x")] == [
        "", "12", "-3.50", '"1,5"', "007", '"1e5"', '"x"',
    ]  # fmt: skip
