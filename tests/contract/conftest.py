"""``--platform``: which platforms the conformance suite runs over."""

from __future__ import annotations

import pytest

PLATFORMS = ("fake", "linux")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--platform", action="append", choices=PLATFORMS, help="run the conformance suite over this platform only"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "platform_name" in metafunc.fixturenames:
        metafunc.parametrize("platform_name", metafunc.config.getoption("--platform") or PLATFORMS)
