"""What toolkits tell of an element, put right before anything is made of it."""

from __future__ import annotations

from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.fixed import Fixed
from deskhand.platforms.linux.atspi.quirks.chromium import Chromium
from deskhand.platforms.linux.atspi.quirks.gecko import Gecko
from deskhand.platforms.linux.atspi.quirks.gtk2 import Gtk2
from deskhand.platforms.linux.atspi.quirks.gtk3 import Gtk3
from deskhand.platforms.linux.atspi.quirks.libreoffice import LibreOffice
from deskhand.platforms.linux.atspi.quirks.qt import Qt
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.nodes import Ability, State

UNKNOWN, TABLE, PANE, ICON, TERMINAL, DOCUMENT, SLIDER = 67, 55, 30, 26, 60, 95, 51
CHECKED, MIXED = 1 << 4, 1 << 32


def test_a_role_that_says_nothing_is_asked_for_again_and_another_one_is_not() -> None:
    fixed, role = Fixed(roles=True, interfaces=True), (":1.7", "/list", "org.a11y.atspi.Accessible", "GetRole")
    fixed.learn(":1.7/list", UNKNOWN, Ability.TABLE)
    assert fixed.leaves(role)
    fixed.learn(":1.7/list", TABLE, Ability.TABLE)
    assert not fixed.leaves(role)


def test_only_plain_gtk3_is_asked_for_its_cache_where_what_is_hidden_is_wanted() -> None:
    assert Gtk3().hidden_cached
    assert not any(made.hidden_cached for made in (LibreOffice(), Gtk2(), Gecko("firefox"), Chromium(), Qt()))
    assert not LibreOffice().cached


def test_what_is_neither_on_nor_off_is_mixed_alone() -> None:
    assert words.states(CHECKED | MIXED) == State.MIXED
    assert words.states(CHECKED) == State.CHECKED


def test_an_icon_view_is_a_list_whose_items_are_called_by_their_text() -> None:
    pane = Gtk3().known(Raw("pane", None, PANE, words.FOCUSABLE, "", abilities=Ability.SELECTION), None)
    icon = Raw("icon", "pane", ICON, words.SELECTABLE, "", text="Page 2", text_length=6)
    item = Gtk3().known_whole(Gtk3().known(icon, pane))
    assert (pane.role, item.role, item.name, item.text) == ("listbox", "listitem", "Page 2", None)
    assert Gtk3().known(icon, replace(pane, number=PANE)).role == "img"


def test_a_terminals_screen_ends_with_its_last_line() -> None:
    screen = Raw("screen", None, TERMINAL, 0, "Terminal", text="$ ls\n\n$ \n\n\n", text_length=11)
    assert Gtk3().known_whole(screen).text == "$ ls\n\n$ "
    part = replace(screen, text_length=5000)
    assert Gtk3().known_whole(part) == part


def test_only_a_slider_of_qt_may_go_back() -> None:
    slider = Raw("slider", None, SLIDER, 0, "Place", abilities=Ability.VALUE)
    assert Qt().usable(slider) == Ability.VALUE | Ability.ECHOES
    assert Gtk3().usable(slider) == Ability.VALUE
    assert Qt().usable(replace(slider, number=TABLE)) == Ability.VALUE


def test_a_terminal_selects_other_characters_than_it_says() -> None:
    screen = Raw("screen", None, TERMINAL, 0, "Terminal", abilities=Ability.TEXT)
    assert Gtk3().usable(screen) == Ability.TEXT | Ability.MISSELECTS
    assert Gtk3().usable(replace(screen, number=TABLE)) == Ability.TEXT


def test_a_page_that_shows_is_behind_where_its_window_embeds_another() -> None:
    shown = Raw("page", "frame", DOCUMENT, words.SHOWING, "Behind")
    hidden = replace(shown, bits=0)
    assert [Gecko().behind(page, told) for page in (shown, hidden) for told in (None, "page", "other")] == [
        False, False, True, True, True, True,
    ]  # fmt: skip
