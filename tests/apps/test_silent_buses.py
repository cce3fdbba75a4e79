"""Buses that take connections and never answer: bounded, typed, and ``doctor`` names them with the remedy."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from deskhand.isolation import NestedDesktop
from tests.apps.test_bad_days import COMMAND

pytestmark = [pytest.mark.apps]
WHO = {"session": "the session bus", "accessibility": "the accessibility bus"}


@asynccontextmanager
async def silent(path: Path) -> AsyncIterator[str]:
    """A bus's address at which everybody is let in and nobody is ever answered."""
    held: list[asyncio.StreamWriter] = []
    server = await asyncio.start_unix_server(lambda _, writer: held.append(writer), path)
    try:
        yield f"unix:path={path}"
    finally:
        server.close()
        for writer in held:
            writer.close()


def with_bus(desktop: NestedDesktop, tmp_path: Path, which: str, address: str) -> dict[str, str]:
    """The environment of a program on a desktop one of whose buses is silent; with folders of its own."""
    run = tmp_path / "r"
    run.mkdir(mode=0o700, parents=True)
    kept = {key: value for key, value in desktop.environment.items() if not key.startswith("DESKHAND_")}
    own = {"XDG_RUNTIME_DIR": str(run), "XDG_STATE_HOME": str(tmp_path / "state")}
    if which == "accessibility":
        return {**kept, **own, "AT_SPI_BUS_ADDRESS": address}
    del kept["AT_SPI_BUS_ADDRESS"]
    return {**kept, **own, "DBUS_SESSION_BUS_ADDRESS": address}


async def said_by(environment: Mapping[str, str], *arguments: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, env=environment, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode or 0, out.decode(), err.decode()


async def both(desktop: NestedDesktop, tmp_path: Path, *arguments: str) -> dict[str, tuple[int, str, str]]:
    """What a command says with either bus silent, at the same time."""
    async with silent(tmp_path / "b") as address:
        said = [said_by(with_bus(desktop, tmp_path / which[0], which, address), *arguments) for which in WHO]
        return dict(zip(WHO, await asyncio.gather(*said), strict=True))


@pytest.mark.proves("report-18")
async def test_a_silent_bus_is_named_in_time(isolated_desktop: NestedDesktop, tmp_path: Path) -> None:
    began = time.monotonic()
    said = await both(isolated_desktop, tmp_path, "observe", "--desktop", "here")
    assert time.monotonic() - began < 25
    for which, (code, _, err) in said.items():
        assert err.startswith(f"accessibility_off: {WHO[which]} accepts connections and does not answer")
        assert "doctor" in err
        assert (code, err.count("\n")) == (1, 1)


@pytest.mark.proves("report-18")
async def test_doctor_names_a_silent_bus_and_what_mends_it(isolated_desktop: NestedDesktop, tmp_path: Path) -> None:
    mends = {"session": "systemctl --user restart dbus", "accessibility": "systemctl --user restart at-spi-dbus-bus"}
    for which, (_, out, _) in (await both(isolated_desktop, tmp_path, "doctor", "--json")).items():
        checks = json.loads(out)["checks"]
        found = next(check for check in checks if check["name"] == "your own accessibility bus")
        assert not found["ok"]
        assert found["found"].startswith(f"{WHO[which]} accepts connections and does not answer")
        assert found["mend"].startswith(mends[which])
