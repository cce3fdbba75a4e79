"""The sync face is what the async one says it is, and importing either costs an owner nothing."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import deskhand
import deskhand.sync
from deskhand.library import sync
from deskhand.library.desktop import Desktop
from deskhand.library.expecting import LocatorExpectation, WindowExpectation
from deskhand.library.link import leased
from deskhand.library.locators import Locator
from deskhand.library.windows import Window
from deskhand.types.results import InputResult, ScreenshotResult

ROOT = Path(__file__).parents[2]


def test_the_sync_face_is_as_it_would_be_written_today() -> None:
    said = subprocess.run(
        [sys.executable, ROOT / "scripts" / "mirror_sync.py", "--check"], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stdout


PAIRS: list[tuple[type, type]] = [
    (Desktop, sync.Desktop), (Window, sync.Window), (Locator, sync.Locator),
    (LocatorExpectation, sync.LocatorExpectation), (WindowExpectation, sync.WindowExpectation),
]  # fmt: skip
WITHIN = {"link", "scope", "seen", "words"}
"""What locators ask of where they look (``Scope``): the sync ones have an async one inside that does."""


def public(face: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(face) if not name.startswith("_")} - WITHIN


@pytest.mark.parametrize(("here", "there"), PAIRS, ids=lambda face: face.__name__)
def test_both_faces_have_the_same_methods_with_the_same_parameters(here: type, there: type) -> None:
    assert public(there) == public(here)
    for name in public(here):
        method, mirror = getattr(here, name), getattr(there, name)
        if not callable(method):
            continue
        assert not inspect.iscoroutinefunction(mirror)
        assert inspect.signature(mirror).parameters.keys() == inspect.signature(method).parameters.keys(), name


def test_a_picture_prints_as_its_line_and_stands_for_its_lease() -> None:
    line = "lease l3: the desktop, 1280x1024 @0,0,1280,1024"
    picture = ScreenshotResult(
        text=line, image="A" * 90_000, width=1280, height=1024, bounds=(0, 0, 1280, 1024), lease="l3"
    )
    assert (str(picture), repr(picture)) == (line, f"<ScreenshotResult {line}>")
    brought = InputResult(text=f"done 1 of 1, 5 ms\n{line}", done=1, total=1, seconds=0.1, picture=picture)
    assert repr(brought) == "<InputResult done 1 of 1, 5 ms>"
    assert (leased(picture), leased("l3")) == ("l3", "l3")


def test_an_owner_does_not_import_the_library() -> None:
    code = "import sys, deskhand.cli.daemon; print([m for m in sys.modules if m.startswith('deskhand.library')])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "[]\n"


def test_every_public_name_is_there() -> None:
    assert all(getattr(deskhand, name) is not None for name in deskhand.__all__)
    assert all(getattr(deskhand.sync, name) is not None for name in deskhand.sync.__all__)
