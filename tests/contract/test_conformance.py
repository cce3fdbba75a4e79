"""Every platform passes the same suite."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from deskhand.platforms import conformance
from deskhand.platforms.conformance import CHECKS, Check, Subject
from tests import programs
from tests.contract import fake_zoo

LINUX = "deskhand.platforms.linux.platform"


@asynccontextmanager
async def fake_subject() -> AsyncIterator[Subject]:
    zoo = fake_zoo.FakeZoo()
    await zoo.platform.start()
    yield Subject(zoo.platform, zoo, fake_zoo.TITLE)
    await zoo.platform.close()


@asynccontextmanager
async def linux_subject(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Subject]:
    from deskhand.platforms.linux.platform import LinuxPlatform

    desktop = request.getfixturevalue("isolated_desktop")
    program = programs.zoo_gtk3("Zoo")
    async with programs.running(program, desktop.environment, folder) as zoo:
        platform = LinuxPlatform(desktop.environment)
        await platform.start()
        try:
            yield Subject(platform, zoo, "Zoo")
        finally:
            await platform.close()


@pytest.fixture
async def subject(request: pytest.FixtureRequest, platform_name: str, tmp_path: Path) -> AsyncIterator[Subject]:
    if platform_name == "linux" and importlib.util.find_spec(LINUX) is None:
        pytest.skip(f"{LINUX} does not exist yet")
    made = fake_subject() if platform_name == "fake" else linux_subject(request, tmp_path)
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
