"""What all tests share: isolated desktops, started exactly as the product starts them."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from deskhand import isolation
from deskhand.isolation import NestedDesktop
from tests import sentinels
from tests.through import WAYS

Result = TypeVar("Result")

MEMORY_MB = 3000
"""Limit of everything that a test runs inside a desktop."""

OPTIONS: Mapping[str, Any] = {"memory_mb": MEMORY_MB, "tied": True, "environment": {"LC_ALL": "C.UTF-8"}}
"""What tests start desktops with: limited, ending with the run, and in one language on every machine."""

LONGEST = ("tests/apps/test_libreoffice_survives", "tests/install/", "tests/suites/", "tests/apps/test_pointer_hits")
"""What is run first, so that no runner sits on it alone when the others have done."""

StartDesktop = Callable[..., NestedDesktop]


async def begun(name: str, **options: Any) -> NestedDesktop:
    """A desktop with a sentinel on it. Takes what ``isolation.start`` takes, over ``OPTIONS``."""
    desktop = await isolation.start(name, **{**OPTIONS, **options})
    sentinels.watch(desktop.name, desktop.environment)
    return desktop


def apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run it in a thread and a loop of its own, so that any test may call it, with a loop or without."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--through",
        action="append",
        choices=WAYS,
        help="reach desktops on this way only: all rows, all of the contract",
    )
    parser.addoption(
        "--platform",
        action="append",
        choices=["fake", "linux"],
        help="run the conformance suite over this platform only",
    )
    parser.addoption("--views", type=int, default=24, help="how often an application at work is looked at for harm")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    """What a test sends reaches no window that it does not mean, on no desktop."""
    try:
        yield
    except BaseException:
        sentinels.leaked()  # it has failed; the next test answers for itself alone
        raise
    sentinels.silent()


def ways_of(config: pytest.Config, *otherwise: str) -> list[str]:
    """The ways to a desktop that were asked for, else ``otherwise``."""
    return list(config.getoption("--through") or otherwise)


@pytest.hookimpl(tryfirst=True)  # before the runners look at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Several runners at once: a file's tests share its fixtures and stay together, each application's apart."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    for item in items:
        place = item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(f"{place} {_application(item)}".strip()))


def pytest_collection_finish() -> None:
    """What has been imported and collected stays: looking through it for garbage took a tenth of a runner's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


class Ends:
    """When each of several runners ended its last test: who waits long for the others has been given too little."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What failed is known by its own name, without its group, so that it can be run again."""
        report.nodeid = report.nodeid.partition("@tests/")[0]
        if runner := getattr(report, "worker_id", ""):
            self._last[runner] = max(report.stop, self._last.get(runner, 0.0))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        waited = {runner: max(self._last.values()) - ended for runner, ended in sorted(self._last.items())}
        if waited:
            said = ", ".join(f"{runner} {seconds:.0f} s" for runner, seconds in waited.items())
            terminalreporter.write_line(f"Runners waited for the last one: {said}")


def pytest_configure(config: pytest.Config) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:  # a runner's report must be of the test that it was told to run
        config.pluginmanager.register(Ends())


def _application(item: pytest.Item) -> str:
    callspec = getattr(item, "callspec", None)
    return str(callspec.params.get("theatre", "")) if callspec is not None else ""


@pytest.fixture(scope="session")
def isolated_desktop() -> Iterator[NestedDesktop]:
    """One desktop for the whole run; a test closes the applications it opened.

    It is bound to no event loop, and ends with this process, also when that is killed.
    """
    desktop = apart(begun(f"tests-{os.getpid()}"))
    yield desktop
    apart(desktop.stop())


@pytest.fixture
def start_desktop() -> Iterator[StartDesktop]:
    """Starts fresh desktops, which end with the test; takes what ``isolation.start`` takes."""
    started: list[NestedDesktop] = []
    numbers = itertools.count(1)

    def start(name: str | None = None, **options: Any) -> NestedDesktop:
        name = name or f"test-{os.getpid()}-{next(numbers)}"
        started.append(apart(begun(name, **options)))
        return started[-1]

    yield start
    for desktop in started:
        apart(desktop.stop())


@pytest.fixture
def fresh_desktop(start_desktop: StartDesktop) -> NestedDesktop:
    """A desktop of the test's own."""
    return start_desktop()
