"""Trees without end, and applications that are there twice, read through the Linux platform."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.base import ReadLimits
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.platforms.subject import Subject
from tests import programs

LIMITS = ReadLimits(seconds=5, nodes=300, depth=40)


@pytest.fixture
async def platform(isolated_desktop: NestedDesktop) -> AsyncIterator[LinuxPlatform]:
    made = LinuxPlatform(isolated_desktop.environment)
    await made.start()
    yield made
    await made.close()


@pytest.mark.proves("report-19")
@pytest.mark.parametrize("shape", ["cycle", "self", "deep"])
async def test_a_tree_without_end_is_read_to_a_bound_and_said_to_be_cut(
    platform: LinuxPlatform, isolated_desktop: NestedDesktop, tmp_path: Path, shape: str
) -> None:
    async with programs.running(programs.cyclic(shape), isolated_desktop.environment, tmp_path) as program:
        tree = await Subject(platform, program, "Cyclic").tree(LIMITS)
        assert 1 <= len(tree.nodes) <= LIMITS.depth + 1
        assert not tree.complete
        assert tree.notes
        assert program.state["asked"] < 20 * LIMITS.depth


@pytest.mark.proves("report-2")
async def test_the_full_one_of_two_registrations_is_read(
    platform: LinuxPlatform, isolated_desktop: NestedDesktop, tmp_path: Path
) -> None:
    async with programs.running(programs.twice(), isolated_desktop.environment, tmp_path) as program:
        button = await Subject(platform, program, "Cyclic").find("button", "Level 2")
        assert button.name == "Level 2"
