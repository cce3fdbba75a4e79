"""Bad days: what dies, hangs or fills up gives its typed error, and nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deskhand.isolation import NestedDesktop, processes
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.sessions.recorder import FileRecorder
from deskhand.types.errors import DeskhandError
from tests.apps.hands import Hands, eventually, hands
from tests.conftest import StartDesktop
from tests.programs import Program, Running, running, zoo_gtk3, zoo_gtk4

pytestmark = [pytest.mark.apps]

ZOOS: Mapping[str, Program] = {"gtk3": zoo_gtk3("Zoo"), "gtk4": zoo_gtk4("Zoo")}
COMMAND = [str(Path(sys.executable).with_name("deskhand"))]


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    async with hands(isolated_desktop, tmp_path) as made:
        yield made


@pytest.fixture(params=["gtk3", "gtk4"])
async def zoo(request: pytest.FixtureRequest, own: Hands, tmp_path: Path) -> AsyncIterator[Running]:
    """A zoo with its fields in front."""
    async with running(ZOOS[request.param], own.environment, tmp_path / "zoo") as started:
        await own.window("Zoo")
        await started.command("page 1")
        yield started


@pytest.mark.proves("A5", "A7")
async def test_an_application_that_exits_in_the_middle_stops_the_batch_and_nothing_else(
    own: Hands, tmp_path: Path
) -> None:
    async with running(zoo_gtk3("Other"), own.environment, tmp_path / "other") as other:
        save = await own.ref("Save", await own.window("Other"))
        async with running(zoo_gtk3("Zoo"), own.environment, tmp_path / "zoo") as doomed:
            volume = await volume_of(own, doomed)
            steps = [{"do": "set", "on": volume, "value": number} for number in range(1, 64)]
            batch = asyncio.create_task(own.act(*steps))
            await eventually(lambda: "effect" in [event["event"] for event in own.log()], "the first step is done")
            doomed.tell("exit")
            stopped = await batch
            assert stopped.failure is not None
            assert stopped.failure.code in ("window_gone", "stale_ref", "outcome_unknown"), stopped.text
            assert 0 < stopped.done < 63
            assert doomed.state["slider"] in (stopped.done, stopped.done + 1)
            assert f"stopped at {stopped.done + 1} of 63" in stopped.text
        await own.done({"do": "click", "on": save})
        assert other.pressed("Save") == 1
    events = [event["event"] for event in own.log()]
    assert events.count("effect") == stopped.done + 1
    assert events.count("stopped") == 1


async def volume_of(own: Hands, zoo: Running) -> str:
    await zoo.command("page 1")
    return await own.ref("Volume", await own.window("Zoo"))


@contextmanager
def stopped_before(own: Hands, zoo: Running, call: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The application is stopped right before this call of the platform: after the guard, before it arrives."""
    really = getattr(own.platform, call)

    async def late(*arguments: Any, **more: Any) -> Any:
        zoo.stop()
        return await really(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(own.platform, call, late)
        yield
    zoo.resume()


@pytest.mark.proves("A5", "report-25")
async def test_a_press_that_meets_a_stopped_application_is_done_once(
    own: Hands, zoo: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    await zoo.command("page 0")
    save = await own.ref("Save")
    with stopped_before(own, zoo, "press_button", monkeypatch):
        began = time.monotonic()
        failure = await own.failure({"do": "click", "on": save}, {"do": "click", "on": save})
        assert time.monotonic() - began < 20
        assert (failure.code, failure.sent, zoo.pressed("Save")) == ("outcome_unknown", "yes", 0)
    await zoo.until(lambda state: state["pressed"].get("Save") == 1, "the click is carried out")
    await eventually(own.observe, "it answers again")
    await own.done({"do": "click", "on": save})
    assert zoo.pressed("Save") == 2


@pytest.mark.proves("A5", "report-25", "report-31")
async def test_a_write_that_meets_a_stopped_application_is_not_repeated(
    own: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(ZOOS["gtk3"], own.environment, tmp_path / "zoo") as zoo:
        await own.window("Zoo")
        await zoo.command("page 1")
        name = await own.ref("Name", role="textbox")
        with stopped_before(own, zoo, "_write", monkeypatch):
            failure = await own.failure({"do": "append", "on": name, "value": " once"})
            assert (failure.code, failure.sent) == ("outcome_unknown", "unknown")
        await zoo.until(lambda state: state["entry"] == "first once", "the write is carried out")
        with stopped_before(own, zoo, "_write", monkeypatch):
            failure = await own.failure({"do": "set", "on": name, "value": "whole"})
            assert (failure.code, failure.sent) == ("outcome_unknown", "unknown")
        await zoo.until(lambda state: state["entry"] == "whole", "the write is carried out")
        again = await own.done({"do": "set", "on": name, "value": "whole"})
        assert again.effects[0].verdict == "unchanged"
        assert zoo.state["entry"] == "whole"


@pytest.mark.proves("A6", "report-21")
async def test_a_stopped_application_gets_no_input_at_all(own: Hands, zoo: Running) -> None:
    name = await own.ref("Name", role="textbox")
    zoo.stop()
    try:
        for step in (
            {"do": "click", "on": name}, {"do": "set", "on": name, "value": "x"},
            {"do": "type", "on": name, "value": "x"},
        ):  # fmt: skip
            assert (await own.refused(step)).code == "app_unresponsive", step
    finally:
        zoo.resume()
    await eventually(own.observe, "it answers again")
    assert zoo.state["entry"] == "first"


@contextmanager
def file_limit(size: int) -> Iterator[None]:
    """No file of this process grows beyond ``size`` bytes: to whoever writes it is a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.proves("C11", "report-36")
async def test_a_full_disk_is_told_and_stops_no_work(isolated_desktop: NestedDesktop, tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path / "records", "full")
    async with (
        hands(isolated_desktop, tmp_path, recorder) as own,
        running(ZOOS["gtk3"], own.environment, tmp_path / "zoo") as zoo,
    ):
        await own.window("Zoo")
        save = await own.ref("Save")
        with file_limit(sum(len(str(event)) for event in own.log()) // 2):
            done = await own.done({"do": "click", "on": save})
            assert "note: the record cannot be written" in done.text
            assert zoo.pressed("Save") == 1
        after = await own.done({"do": "click", "on": save})
        assert "cannot be written" not in after.text
        assert zoo.pressed("Save") == 2
    first = next(event for event in own.log() if "lost" in event)
    assert first["lost"] > 3


@pytest.mark.proves("report-18")
@pytest.mark.parametrize("environment", [{}, {"DISPLAY": ":4711"}], ids=["none", "wrong"])
async def test_no_display_is_told_with_its_remedy(environment: dict[str, str]) -> None:
    with pytest.raises(DeskhandError) as refused:
        await LinuxPlatform(environment).start()
    assert (refused.value.code, refused.value.sent) == ("desktop_unavailable", "no")
    assert "DISPLAY" in refused.value.message or ":4711" in refused.value.message


@pytest.mark.proves("report-18", "report-35")
@pytest.mark.parametrize("missing", ["bus", "accessibility"])
async def test_no_bus_is_told_in_time(isolated_desktop: NestedDesktop, tmp_path: Path, missing: str) -> None:
    environment = dict(isolated_desktop.environment)
    environment["AT_SPI_BUS_ADDRESS"] = f"unix:path={tmp_path}/nothing"
    if missing == "bus":
        del environment["AT_SPI_BUS_ADDRESS"]
        environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={tmp_path}/nothing"
    platform, began = LinuxPlatform(environment), time.monotonic()
    try:
        with pytest.raises(DeskhandError) as refused:
            await platform.start()
    finally:
        await platform.close()
    assert refused.value.code in ("accessibility_off", "desktop_unavailable")
    assert time.monotonic() - began < 12


@pytest.mark.proves("report-18")
@pytest.mark.parametrize("victim", ["the screen", "the accessibility bus"])
async def test_what_dies_below_a_session_gives_its_typed_error(
    start_desktop: StartDesktop, tmp_path: Path, victim: str
) -> None:
    desktop = start_desktop()
    async with hands(desktop, tmp_path) as own, running(ZOOS["gtk3"], own.environment, tmp_path / "zoo"):
        await own.window("Zoo")
        save = await own.ref("Save")
        kill(desktop, "Xvfb" if victim == "the screen" else "dbus-daemon")
        for call in (own.observe, own.apps, lambda: own.done({"do": "click", "on": save})):
            with pytest.raises(DeskhandError) as refused:
                await eventually_fails(call)
            assert refused.value.code in (
                "desktop_unavailable", "accessibility_off", "window_gone", "not_found", "app_unresponsive",
            )  # fmt: skip


async def eventually_fails(call: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        await call()
    raise AssertionError("nothing was noticed")


def kill(desktop: NestedDesktop, program: str) -> None:
    """Kill a part of this desktop, found by its token, so that no other process can be meant."""
    carrying = processes.carrying(desktop.record.wish.token) | {desktop.record.screen}
    found = [pid for pid in carrying if Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() == program]
    assert found, f"no {program} runs"
    processes.send(found, signal.SIGKILL)


NOISY = """[Desktop Entry]
Type=Application
Name=Noisy Pad
Exec=sh -c "echo a banner on standard output; echo '{}'; exec mousepad --disable-server"
"""


@pytest.mark.proves("report-26")
def test_what_an_opened_program_prints_does_not_reach_the_protocol(start_desktop: StartDesktop, tmp_path: Path) -> None:
    entry = tmp_path / "applications/noisy.desktop"
    entry.parent.mkdir()
    entry.write_text(NOISY, encoding="utf-8")
    desktop = start_desktop(environment={"XDG_DATA_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"})
    calls: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
         "clientInfo": {"name": "t", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "open", "arguments": {"app": "Noisy Pad"}}},
    ]  # fmt: skip
    with subprocess.Popen(
        [*COMMAND, "mcp", "--desktop", desktop.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines(json.dumps({"jsonrpc": "2.0", **call}) + "\n" for call in calls)
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        rest, _ = server.communicate(timeout=20)
    assert [answer["id"] for answer in answers] == [1, 2]
    assert "Mousepad" in json.dumps(answers[1])
    assert rest == ""


@pytest.mark.proves("report-35")
def test_without_a_display_the_command_says_one_line() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "DESKHAND_DESKTOP")}
    command = [*COMMAND, "daemon", "--desktop", "here"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
