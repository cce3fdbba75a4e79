"""A pytest test of a GUI: ``python -m pytest examples/test_calculator.py``."""

from collections.abc import Iterator

import pytest

from deskhand.sync import Desktop, ExpectationFailed, Window, connect, expect


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    with connect("new") as desktop:
        yield desktop


@pytest.fixture
def calculator(desktop: Desktop) -> Window:
    window = desktop.open("gnome-calculator")
    window.key("Escape")
    return window


def test_two_numbers_are_added(calculator: Window) -> None:
    for button in ("1", "2", "+", "3", "="):
        calculator.get_by_role("button", name=button).press()
    expect(calculator.get_by_text("15")).to_be_visible()


def test_what_is_wrong_is_told_with_what_is_there(calculator: Window) -> None:
    with pytest.raises(ExpectationFailed, match=r'expected button "π squared" in window .* to be visible; found'):
        expect(calculator.get_by_role("button", name="π squared")).to_be_visible(timeout=0.5)
