"""``--platform``: over which platforms conformance runs; ``--through``: on which ways sessions are reached."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from deskhand.daemon.reaching import here_folder
from deskhand.platforms.fake import FakePlatform
from deskhand.types.requests import ChangesRequest
from tests.conftest import ways_of
from tests.contract import golden, sessions
from tests.through import WAYS, Faces, Reaching

PLATFORMS = {"fake": ("zoo",), "linux": ("gtk3", "gtk4")}
"""Each platform with the programs that the suite drives on it."""

ON_EVERY_WAY = {f"test_{name}" for name in ("golden", "point", "texts", "pages")}
OVER_HTTP = {f"test_{name}" for name in ("act", "find", "selectors", "undo", "clipboard", "cells_found")}
"""Modules that run on every way, or also over HTTP, without being asked; all others do so on ``--through`` each."""


def drives_a_session(module: object) -> bool:
    """Whether the tests of a module can be run on every way to a desktop."""
    return golden.lines in vars(module).values() or sessions.Session in vars(module).values()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if drives_a_session(metafunc.module):
        name = metafunc.module.__name__.rpartition(".")[2]
        otherwise = WAYS if name in ON_EVERY_WAY else ("process", *(["http"] if name in OVER_HTTP else []))
        metafunc.parametrize("reached", ways_of(metafunc.config, *otherwise), indirect=True)
    if "program_name" in metafunc.fixturenames:
        names = metafunc.config.getoption("--platform") or list(PLATFORMS)
        pairs = [(name, program) for name in names for program in PLATFORMS[name]]
        metafunc.parametrize(("platform_name", "program_name"), pairs, ids=["-".join(pair) for pair in pairs])


@pytest.fixture(scope="session")
def faces() -> Iterator[Callable[[], tuple[Path, Faces]]]:
    """The folder of a desktop, and the MCP servers that know no other; made when first asked for."""
    made: list[Faces] = []
    folders: list[Path] = []

    @functools.cache
    def make() -> tuple[Path, Faces]:
        runtime = Path(tempfile.mkdtemp(prefix="dh-"))  # a socket's path is short
        folders.append(runtime)
        environment = {"XDG_RUNTIME_DIR": str(runtime), "DISPLAY": ":through", "HOME": str(runtime)}
        made.append(Faces("here", environment, runtime))
        return here_folder(environment), made[0]

    yield make
    for each in made:
        each.close()
    for folder in folders:
        shutil.rmtree(folder)


@pytest.fixture(autouse=True)
async def reached(request: pytest.FixtureRequest, faces: Callable[[], tuple[Path, Faces]]) -> AsyncIterator[None]:
    """How the test's sessions are reached."""
    way = getattr(request, "param", "process")
    if way == "process":
        yield
        return
    folder, servers = faces()
    reaching = Reaching(way, folder, servers)
    if way not in servers:  # what starts with the first test is none of its work
        await reaching.ask(sessions.Session(FakePlatform()).near, "changes", ChangesRequest())
    sessions.WAY.append(reaching.placed)
    yield
    sessions.WAY.pop()
    await reaching.close()
