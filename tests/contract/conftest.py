"""``--platform``: which platforms the conformance suite runs over."""

from __future__ import annotations

import pytest

PLATFORMS = {"fake": ("zoo",), "linux": ("gtk3", "gtk4")}
"""Each platform with the programs that the suite drives on it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--platform", action="append", choices=list(PLATFORMS), help="run the conformance suite over this platform only"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "program_name" in metafunc.fixturenames:
        names = metafunc.config.getoption("--platform") or list(PLATFORMS)
        pairs = [(name, program) for name in names for program in PLATFORMS[name]]
        metafunc.parametrize(("platform_name", "program_name"), pairs, ids=["-".join(pair) for pair in pairs])
