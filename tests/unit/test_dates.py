"""Dates put together from the parts of a field, and taken apart for them."""

from __future__ import annotations

import pytest

from deskhand.types.dates import Part, composed, kinds, taken_apart


def parts(*held: tuple[str, float | None, str, float | None]) -> list[Part]:
    return [Part(*one) for one in held]


def test_parts_are_known_by_their_maximum_whatever_they_are_called() -> None:
    field = parts(("Monat", 3, "", 12), ("Tag", 4, "", 31), ("Jahr", 2027, "", 275760))
    assert kinds(field) == ["month", "day", "year"]
    assert composed(field) == "2027-03-04"


def test_parts_without_a_maximum_are_known_by_their_names_and_read_by_their_texts() -> None:
    assert composed(parts(("Month", 0, "01", None), ("Day", 0, "15", None), ("Year", 0, "2026", None))) == "2026-01-15"


def test_a_field_with_an_empty_part_holds_nothing() -> None:
    assert composed(parts(("Month", None, "mm", 12), ("Day", 4, "", 31))) == ""


@pytest.mark.parametrize("said", ["2026-01-31", "13:05", "2026-01-31T13:05", "2026-01"])
def test_what_is_taken_apart_is_put_together_again(said: str) -> None:
    mosts = {"year": 275760.0, "month": 12.0, "day": 31.0, "hour": 23.0, "minute": 59.0}
    held = taken_apart(said)
    assert composed([Part("", number, "", mosts[kind]) for kind, number in held.items()]) == said


def test_what_is_no_date_is_not_taken_for_one() -> None:
    assert taken_apart("31 January") == {}
    assert taken_apart("") == {}
