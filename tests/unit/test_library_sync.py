"""The sync face is what the async one says it is, and importing either costs an owner nothing."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import deskhand
import deskhand.sync
from deskhand.library import sync
from deskhand.library.desktop import Desktop
from deskhand.library.expecting import LocatorExpectation, WindowExpectation
from deskhand.library.locators import Locator
from deskhand.library.windows import Window

ROOT = Path(__file__).parents[2]


def test_the_sync_face_is_as_it_would_be_written_today() -> None:
    said = subprocess.run(
        [sys.executable, ROOT / "scripts" / "mirror_sync.py", "--check"], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stdout


def test_every_public_method_has_its_mirror_with_the_same_parameters() -> None:
    pairs: list[tuple[type, type]] = [
        (Desktop, sync.Desktop), (Window, sync.Window), (Locator, sync.Locator),
        (LocatorExpectation, sync.LocatorExpectation), (WindowExpectation, sync.WindowExpectation),
    ]  # fmt: skip
    for here, there in pairs:
        methods = inspect.getmembers(here, inspect.iscoroutinefunction)
        assert methods
        for name, method in methods:
            if name.startswith("_") or name == "look":
                continue
            mirror = getattr(there, name)
            assert not inspect.iscoroutinefunction(mirror)
            assert inspect.signature(mirror).parameters.keys() == inspect.signature(method).parameters.keys()


def test_an_owner_does_not_import_the_library() -> None:
    code = "import sys, deskhand.cli.daemon; print([m for m in sys.modules if m.startswith('deskhand.library')])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "[]\n"


def test_every_public_name_is_there() -> None:
    assert all(getattr(deskhand, name) is not None for name in deskhand.__all__)
    assert all(getattr(deskhand.sync, name) is not None for name in deskhand.sync.__all__)
