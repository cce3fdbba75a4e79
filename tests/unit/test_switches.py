"""What browsers are told when a desktop starts them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deskhand.isolation.switches import switched

ENVIRONMENT = {"PATH": os.defpath}


@pytest.mark.proves("report-5")
def test_chromium_is_told_to_be_readable_and_given_a_profile_of_its_desktop(tmp_path: Path) -> None:
    told = switched(["/usr/bin/chromium", "http://here/"], ENVIRONMENT, tmp_path)
    assert told[0] == "/usr/bin/chromium"
    assert told[-1] == "http://here/"
    assert "--force-renderer-accessibility" in told
    assert f"--user-data-dir={tmp_path / 'chromium'}" in told
    assert ("--no-sandbox" in told) == (os.geteuid() == 0)


def test_a_switch_that_was_given_is_not_given_again(tmp_path: Path) -> None:
    told = switched(["chromium", "--user-data-dir=/mine", "--no-first-run"], ENVIRONMENT, tmp_path)
    assert [one for one in told if one.startswith("--user-data-dir")] == ["--user-data-dir=/mine"]
    assert told.count("--no-first-run") == 1


def test_outside_of_isolated_desktops_a_browser_keeps_the_users_profile_and_questions() -> None:
    told = switched(["google-chrome"], ENVIRONMENT)
    assert "--force-renderer-accessibility" in told
    assert not [one for one in told if one.startswith(("--user-data-dir", "--password-store", "--no-first-run"))]
    assert switched(["firefox"], ENVIRONMENT) == ["firefox"]


@pytest.mark.proves("report-5")
def test_what_is_built_on_chromium_is_known_by_the_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("#!/bin/sh\n")
    (tmp_path / "notes").chmod(0o700)
    assert switched([str(tmp_path / "notes")], ENVIRONMENT, tmp_path) == [str(tmp_path / "notes")]
    (tmp_path / "chrome_100_percent.pak").touch()
    assert "--force-renderer-accessibility" in switched([str(tmp_path / "notes")], ENVIRONMENT, tmp_path)


def test_a_mail_program_never_opens_the_users_own_mail_on_an_isolated_desktop(tmp_path: Path) -> None:
    told = switched(["/usr/bin/thunderbird", "-compose"], ENVIRONMENT, tmp_path)
    assert told == ["/usr/bin/thunderbird", "--profile", str(tmp_path / "thunderbird"), "-compose"]
    assert switched(["thunderbird"], ENVIRONMENT) == ["thunderbird"]


def test_firefox_gets_the_profile_of_its_desktop_unless_another_is_named(tmp_path: Path) -> None:
    assert switched(["firefox-esr", "u"], ENVIRONMENT, tmp_path) == [
        "firefox-esr", "--profile", str(tmp_path / "firefox"), "u",
    ]  # fmt: skip
    assert switched(["firefox", "-P", "work"], ENVIRONMENT, tmp_path) == ["firefox", "-P", "work"]
