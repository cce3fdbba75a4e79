"""What Chromium adds to its tabs' titles, and what titles end like that by themselves."""

from __future__ import annotations

import pytest

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.chromium import Chromium
from deskhand.platforms.linux.atspi.raw import Raw

FRAME, TAB = 23, 37


def tab(name: str, bits: int = 0) -> Raw:
    return Raw(":1.1/tab", ":1.1/frame", TAB, bits, name)


@pytest.mark.parametrize(
    ("told", "title"),
    [
        ("News - Memory usage - 33.3 MB", "News"),
        ("News - High memory usage - 1.2 GB", "News"),
        ("News - 80 MB freed up", "News"),
        ("Backup - Files - 25 MB", "Backup - Files - 25 MB"),
        ("Backup - Files - 25 MB - Memory usage - 33.3 MB", "Backup - Files - 25 MB"),
        ("News", "News"),
    ],
)
def test_only_what_chromium_adds_is_cut_from_a_tabs_title(told: str, title: str) -> None:
    assert Chromium().name(tab(told)) == title


def test_other_languages_words_are_learned_from_the_tab_in_front() -> None:
    quirks, behind = Chromium(), tab("Wetter - Arbeitsspeichernutzung - 12 MB")
    assert quirks.name(behind) == "Wetter - Arbeitsspeichernutzung - 12 MB"
    frame = Raw(":1.1/frame", None, FRAME, 0, "Heute - Chromium")
    front = tab("Heute - Arbeitsspeichernutzung - 33,3 MB", words.SELECTED)
    quirks.recast({":1.1/frame": frame, ":1.1/tab": front})
    assert quirks.name(front) == "Heute"
    assert quirks.name(behind) == "Wetter"


def test_a_page_in_front_that_is_called_so_teaches_nothing() -> None:
    quirks = Chromium()
    frame = Raw(":1.1/frame", None, FRAME, 0, "Backup - Files - 25 MB - Chromium")
    front = tab("Backup - Files - 25 MB", words.SELECTED)
    quirks.recast({":1.1/frame": frame, ":1.1/tab": front})
    assert quirks.name(front) == "Backup - Files - 25 MB"
