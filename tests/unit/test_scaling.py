"""Toolkits that draw larger than they tell: the scale is found, and places are put right."""

from __future__ import annotations

import pytest

from deskhand.platforms.linux.atspi.quirks.gtk3 import Gtk3
from deskhand.platforms.linux.atspi.quirks.gtk4 import Gtk4
from deskhand.platforms.linux.atspi.quirks.qt import Qt
from deskhand.platforms.linux.atspi.scaling import Scales, scale_of, scaled, unscaled, within_edges
from deskhand.types.geometry import Point, Rect


@pytest.mark.proves("report-29")
@pytest.mark.parametrize(
    ("told", "real", "scale"),
    [
        ((635, 477, 330, 260), (635, 477, 330, 260), 1.0),
        ((1, 10, 700, 500), (1, 20, 1400, 1000), 2.0),
        ((0, 0, 355, 486), (617, 364, 365, 496), 1.0),  # edges that are not told
        ((0, 0, 355, 486), (435, 129, 730, 992), 2.0),
        ((234, 163, 332, 273), (469, 327, 662, 545), 2.0),  # rounded outwards
        ((10, 10, 401, 300), (15, 15, 602, 450), 1.5),
        ((0, 0, 100, 100), (0, 0, 330, 260), None),
        ((0, 0, 355, 498), (435, 129, 730, 942), None),  # just being resized
        ((0, 0, 0, 0), (0, 0, 330, 260), None),
        ((5, 5, 1270, 700), (0, 0, 1280, 740), None),
    ],
)
def test_the_scale_is_the_ratio_of_both_sizes(
    told: tuple[int, int, int, int], real: tuple[int, int, int, int], scale: float | None
) -> None:
    assert scale_of(Rect(*told), [Rect(*real)]) == scale


@pytest.mark.proves("report-3", "report-29")
@pytest.mark.parametrize(
    ("told", "real", "scale", "begins"),
    [
        ((0, 0, 355, 486), (457, 164, 365, 496), 1.0, (462, 169)),
        ((0, 0, 710, 972), (435, 129, 730, 992), 2.0, (445, 139)),
        ((0, 0, 365, 496), (457, 164, 365, 496), 1.0, (457, 164)),
        ((0, 0, 355, 498), (457, 164, 400, 500), 1.0, (457, 164)),  # just being resized
    ],
)
def test_a_window_that_leaves_out_its_edges_begins_within_them(
    told: tuple[int, int, int, int], real: tuple[int, int, int, int], scale: float, begins: tuple[int, int]
) -> None:
    assert within_edges(Rect(*told), Rect(*real), scale) == begins


@pytest.mark.proves("report-29")
def test_a_scale_that_is_known_changes_only_when_it_is_found_twice_in_a_row() -> None:
    scales = Scales()
    assert scales.of(7) == 1.0
    scales.note(7, 1.0)
    scales.note(7, 2.0)  # a window that is just being maximised
    scales.note(7, 1.0)
    scales.note(7, 2.0)
    assert scales.of(7) == 1.0
    scales.note(7, 2.0)
    assert scales.of(7) == 2.0
    scales.forget([8])
    assert scales.of(7) == 1.0


@pytest.mark.proves("report-29")
def test_places_that_were_rounded_with_their_window_are_put_right() -> None:
    window = Rect(470, 347, 660, 520)
    assert scaled(Rect(245, 185, 100, 40), 2.0, Gtk3().shift(window, None, 2.0)) == Rect(490, 371, 200, 80)
    assert scaled(Rect(245, 186, 100, 40), 2.0, Qt().shift(window, Rect(470, 348, 660, 520), 2.0)) == Rect(
        490, 371, 200, 80
    )
    assert Gtk4().shift(window, None, 2.0) == Point(0, 0)


@pytest.mark.proves("report-29")
def test_what_is_scrolled_away_stays_where_the_toolkit_says_and_sizes_come_back() -> None:
    nowhere = Rect(-2147483648, -2147483648, 10, 10)
    assert scaled(nowhere, 2.0) == nowhere
    assert unscaled(scaled(Rect(10, 20, 30, 40), 2.0), 2.0) == Rect(10, 20, 30, 40)
