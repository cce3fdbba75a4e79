"""Every platform passes the same suite."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from deskhand.platforms import conformance
from deskhand.platforms.conformance import CHECKS, Check
from deskhand.platforms.subject import Subject
from tests import programs
from tests.contract import fake_zoo

LINUX = "deskhand.platforms.linux.platform"
NOT_IN_GTK4: dict[Check, str] = {
    conformance.what_does_not_show_is_read_only_when_asked_for: "no menu bar",
    conformance.an_open_menu_is_a_window_of_its_own: "no menu bar",
    conformance.the_window_at_a_point_is_the_one_that_covers: "no second window",
    conformance.a_table_is_read_by_range: "no table",
    conformance.the_wheel_scrolls_and_bounds_follow: "no scrolled area",
}


@asynccontextmanager
async def fake_subject() -> AsyncIterator[Subject]:
    zoo = fake_zoo.FakeZoo()
    await zoo.platform.start()
    yield Subject(zoo.platform, zoo, fake_zoo.TITLE)
    await zoo.platform.close()


@asynccontextmanager
async def linux_subject(request: pytest.FixtureRequest, program_name: str, folder: Path) -> AsyncIterator[Subject]:
    from deskhand.platforms.linux.platform import LinuxPlatform

    desktop = request.getfixturevalue("isolated_desktop")
    program = {"gtk3": programs.zoo_gtk3, "gtk4": programs.zoo_gtk4}[program_name]("Zoo")
    async with programs.running(program, desktop.environment, folder) as zoo:
        platform = LinuxPlatform(desktop.environment)
        await platform.start()
        try:
            yield Subject(platform, zoo, "Zoo")
        finally:
            await platform.close()


@pytest.fixture
async def subject(
    request: pytest.FixtureRequest, platform_name: str, program_name: str, check: Check, tmp_path: Path
) -> AsyncIterator[Subject]:
    if program_name == "gtk4" and check in NOT_IN_GTK4:
        pytest.skip(f"the GTK4 program has {NOT_IN_GTK4[check]}")
    if platform_name == "linux" and importlib.util.find_spec(LINUX) is None:
        pytest.skip(f"{LINUX} does not exist yet")
    made = fake_subject() if platform_name == "fake" else linux_subject(request, program_name, tmp_path)
    async with made as each:
        yield each


@pytest.mark.proves("A3", "A4", "report-7", "report-9", "report-12", "report-13", "report-15", "report-20", "report-21")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_a_platform_behaves(subject: Subject, check: Check) -> None:
    if CHECKS[check] not in subject.platform.capabilities:
        pytest.skip(f"{subject.platform.name} cannot: {CHECKS[check]}")
    await check(subject)


def test_every_check_of_the_suite_is_run() -> None:
    written = {
        each
        for name, each in inspect.getmembers(conformance, inspect.iscoroutinefunction)
        if list(inspect.signature(each).parameters) == ["subject"] and not name.startswith("_")
    }
    assert written == set(CHECKS)
