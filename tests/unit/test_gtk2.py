"""GTK2's menus: their items show while they lie on a popup of their process, and only then."""

from __future__ import annotations

import pytest

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks import quirks_for
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.geometry import Rect

POPUP = Rect(202, 147, 299, 586)
MENU_ITEM = 35
QUIRKS = quirks_for("GAIL", "2.24.33", "gimp-2.10")


def item(bounds: Rect, bits: int = words.VISIBLE) -> Raw:
    return Raw(":1.5/item", ":1.5/menu", MENU_ITEM, bits, "New...", bounds=bounds)


@pytest.mark.proves("report-20")
def test_an_item_on_a_popup_of_its_process_shows() -> None:
    assert QUIRKS.surfaced(item(Rect(204, 150, 295, 25)), (POPUP,)).bit(words.SHOWING)


@pytest.mark.parametrize(
    ("bounds", "popups"),
    [
        pytest.param(Rect(204, 150, 295, 25), (), id="its menu has closed, its place is the one that it had"),
        pytest.param(Rect(350, 150, 240, 25), (POPUP,), id="another menu is open where it lay"),
        pytest.param(Rect(-(2**31), -(2**31), 1, 1), (POPUP,), id="it was never drawn"),
    ],
)
def test_any_other_item_does_not_and_has_no_place(bounds: Rect, popups: tuple[Rect, ...]) -> None:
    said = QUIRKS.surfaced(item(bounds), popups)
    assert not said.bit(words.SHOWING)
    assert said.bounds is None


def test_an_item_that_is_not_offered_does_not_show_on_a_popup() -> None:
    assert not QUIRKS.surfaced(item(Rect(204, 150, 295, 25), bits=0), (POPUP,)).bit(words.SHOWING)
