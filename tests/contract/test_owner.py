"""One owner per desktop: refs, ids and input exist once, whoever asks, and whoever is killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import stat
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from deskhand.daemon.client import RemoteDesktop, attach
from deskhand.daemon.locks import OwnerLock
from deskhand.daemon.protocol import Hello, Progress
from deskhand.daemon.starting import Place, reach
from deskhand.daemon.wire import packed, read_frame
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest, AppsRequest, FindRequest, ObserveRequest
from deskhand.types.steps import Step
from tests.contract.fake_owner import place

FIND_SAVE = FindRequest(query="Save")


def hello(client: str = "one") -> Hello:
    return Hello(client=client, session=client)


def batch(*values: str, hold: float = 0.0, on: str | None = None) -> ActRequest:
    typed = [Step(do="type", value=value, on=on) for value in values]
    held = [Step.model_validate({"do": "wait", "for": "settled", "timeout": hold})] if hold else []
    return ActRequest(steps=[*typed, *held])


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true"
        await asyncio.sleep(0.01)


def ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "d"
    folder.mkdir(mode=0o700)
    return folder


@asynccontextmanager
async def client(where: Place, name: str = "one") -> AsyncIterator[RemoteDesktop]:
    remote = await reach(where, hello(name))
    try:
        yield remote
    finally:
        await remote.close()


@pytest.fixture
async def where(folder: Path) -> AsyncIterator[Place]:
    yield place(folder)
    remote = await attach(folder, hello("end"))
    if remote is not None:
        os.kill(remote.welcome.pid, signal.SIGTERM)
        await until(lambda: ended(remote.welcome.pid))
        await remote.close()


def journal(where: Place) -> list[str]:
    path = where.folder / "journal"
    return path.read_text().splitlines() if path.exists() else []


async def test_two_clients_of_one_desktop_see_the_same_refs(where: Place) -> None:
    async with client(where, "one") as one, client(where, "two") as two:
        assert (await one.find(FIND_SAVE)).text == (await two.find(FIND_SAVE)).text
        assert one.welcome.pid == two.welcome.pid


async def test_clients_that_start_at_the_same_moment_get_one_owner(where: Place) -> None:
    remotes = await asyncio.gather(*(reach(where, hello(f"c{number}")) for number in range(5)))
    assert len({remote.welcome.pid for remote in remotes}) == 1
    for remote in remotes:
        await remote.close()


async def test_batches_of_two_clients_never_interleave(where: Place) -> None:
    async with client(where, "one") as one, client(where, "two") as two:
        batches = [batch("a", "b", "c", hold=0.02) for _ in range(6)]
        await asyncio.gather(*((one, two)[number % 2].act(each) for number, each in enumerate(batches)))
    lines = journal(where)
    assert len(lines) == 6 * 5
    for start in range(0, len(lines), 5):
        assert len({line.split()[0] for line in lines[start : start + 5]}) == 1


async def test_turns_are_taken_first_come_first_served(where: Place) -> None:
    async with client(where) as remote:
        first = asyncio.create_task(remote.act(batch("first", hold=0.5)))
        await until(lambda: bool(journal(where)))
        rest = [asyncio.create_task(remote.act(batch(f"v{number}"))) for number in range(5)]
        await asyncio.gather(first, *rest)
    typed = [line.split()[2] for line in journal(where) if " type " in line]
    assert typed == ["first", "v0", "v1", "v2", "v3", "v4"]


async def test_who_waits_too_long_is_told_who_holds_the_input(folder: Path) -> None:
    where = place(folder, patience=0.2)
    async with client(where, "holder") as one, client(where, "waiter") as two:
        holding = asyncio.create_task(one.act(batch("x", hold=30)))
        await until(lambda: bool(journal(where)))
        with pytest.raises(DeskhandError) as raised:
            await two.act(batch("y"))
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
        os.kill(one.welcome.pid, signal.SIGTERM)
        await until(lambda: ended(one.welcome.pid))
    assert (raised.value.code, raised.value.found, raised.value.sent) == ("input_busy", "holder", "no")
    assert '"holder"' in raised.value.message
    assert "waiter" not in " ".join(journal(where))


async def test_looking_goes_on_while_a_batch_is_running(where: Place) -> None:
    async with client(where) as remote:
        acting = asyncio.create_task(remote.act(batch("x", hold=20)))
        await until(lambda: bool(journal(where)))
        assert (await remote.observe(ObserveRequest())).snapshot == "s1"
        assert not acting.done()
        acting.cancel()
        await asyncio.gather(acting, return_exceptions=True)


@pytest.mark.proves("report-13")
async def test_a_cancelled_batch_releases_its_keys_and_sends_no_more(where: Place) -> None:
    steps = [Step(do="key", keys="shift"), *batch("x", hold=30).steps[1:], Step(do="type", value="late")]
    async with client(where) as remote:
        acting = asyncio.create_task(remote.act(ActRequest(steps=steps)))
        await until(lambda: any("begin" in line for line in journal(where)))
        acting.cancel()
        await until(lambda: journal(where)[-1] == "one up shift")
        assert (await remote.status()).holder == ""
    assert not any("late" in line for line in journal(where))


@pytest.mark.proves("report-13")
async def test_the_batch_of_a_client_that_vanishes_is_cancelled(where: Place) -> None:
    steps = [Step(do="key", keys="shift"), *batch("x", hold=30).steps[1:], Step(do="type", value="late")]
    async with client(where, "stays") as stays:
        vanishing = await reach(where, hello("vanishes"))
        acting = asyncio.create_task(vanishing.act(ActRequest(steps=steps)))
        await until(lambda: any("begin" in line for line in journal(where)))
        await vanishing.close()
        with pytest.raises(DeskhandError, match="outcome_unknown"):
            await acting
        await until(lambda: "vanishes up shift" in journal(where))
        assert (await stays.act(batch("mine"))).done == 1
        assert (await stays.status()).clients == ["stays"]
    assert not any("late" in line for line in journal(where))


@pytest.mark.proves("report-36")
async def test_ids_survive_a_killed_owner_without_reuse(where: Place) -> None:
    seen: list[int] = []
    for _ in range(3):
        async with client(where) as remote:
            for name in ("a", "b", "c"):
                text = (await remote.find(FindRequest(query=name))).text
                seen.append(int(re.findall(r"r(\d+)", text)[0]))
            os.kill(remote.welcome.pid, signal.SIGKILL)
            await until(lambda: not remote.alive)
    assert len(set(seen)) == len(seen)
    assert seen == sorted(seen)


async def test_an_orderly_restart_leaves_no_gap_in_the_ids(where: Place) -> None:
    async with client(where) as remote:
        assert (await remote.find(FIND_SAVE)).text.startswith("r1 ")
        os.kill(remote.welcome.pid, signal.SIGTERM)
        await until(lambda: not remote.alive)
        await until(lambda: ended(remote.welcome.pid))
    async with client(where) as remote:
        assert (await remote.find(FIND_SAVE)).text.startswith("r2 ")


@pytest.mark.proves("report-25")
async def test_an_owner_killed_during_a_batch_leaves_the_outcome_unknown(where: Place) -> None:
    async with client(where) as remote:
        acting = asyncio.create_task(remote.act(batch("x", hold=30)))
        looking = asyncio.create_task(remote.observe(ObserveRequest()))
        await until(lambda: bool(journal(where)))
        await looking
        os.kill(remote.welcome.pid, signal.SIGKILL)
        with pytest.raises(DeskhandError) as raised:
            await acting
        assert (raised.value.code, raised.value.sent) == ("outcome_unknown", "unknown")
        with pytest.raises(DeskhandError, match="desktop_unavailable"):
            await remote.observe(ObserveRequest())


@pytest.mark.proves("report-13")
async def test_an_owner_that_is_told_to_end_releases_keys_and_leaves_nothing(where: Place) -> None:
    async with client(where) as remote:
        steps = [Step(do="key", keys="shift"), *batch("x", hold=30).steps[1:]]
        acting = asyncio.create_task(remote.act(ActRequest(steps=steps)))
        await until(lambda: any("begin" in line for line in journal(where)))
        os.kill(remote.welcome.pid, signal.SIGTERM)
        await asyncio.gather(acting, return_exceptions=True)
        await until(lambda: ended(remote.welcome.pid))
    assert journal(where)[-1] == "one up shift"
    assert not (where.folder / "owner.sock").exists()
    OwnerLock(where.folder).acquire()


async def test_an_unused_owner_ends_by_itself(folder: Path) -> None:
    where = place(folder, idle=0.2)
    async with client(where) as remote:
        pid = remote.welcome.pid
        await asyncio.sleep(0)
    await until(lambda: ended(pid))
    assert not (folder / "owner.sock").exists()


async def test_a_connected_client_keeps_the_owner_alive(folder: Path) -> None:
    where = place(folder, idle=0.1)
    async with client(where) as remote:
        started = time.monotonic()
        await until(lambda: time.monotonic() - started > 0.5)
        assert (await remote.status()).pid == remote.welcome.pid
    await until(lambda: ended(remote.welcome.pid))


async def test_the_owner_of_a_desktop_that_is_gone_ends(folder: Path) -> None:
    async with client(place(folder)) as remote:
        (folder / "owner.sock").unlink()
        await until(lambda: ended(remote.welcome.pid))


async def test_a_second_owner_is_refused(folder: Path) -> None:
    with OwnerLock(folder), pytest.raises(DeskhandError) as raised:
        OwnerLock(folder).acquire()
    assert raised.value.code == "desktop_unavailable"
    assert str(os.getpid()) in raised.value.message


@pytest.mark.proves("report-18", "report-35")
async def test_an_owner_that_cannot_start_says_why(folder: Path) -> None:
    (folder / "broken").touch()
    with pytest.raises(DeskhandError) as raised:
        await reach(place(folder), hello())
    assert str(raised.value) == "desktop_unavailable: no display; run: deskhand doctor"


async def test_an_owner_that_crashes_at_once_is_told_with_its_log(folder: Path) -> None:
    crashing = replace(place(folder), command=("false",))
    with pytest.raises(DeskhandError, match=r"code 1; see .*owner\.log"):
        await reach(crashing, hello())


async def test_without_an_owner_and_without_starting_one_it_is_unavailable(where: Place) -> None:
    with pytest.raises(DeskhandError, match="no owner runs"):
        await reach(where, hello(), start=False)


async def test_the_socket_is_private(where: Place) -> None:
    async with client(where):
        mode = (where.folder / "owner.sock").stat().st_mode
    assert stat.S_IMODE(mode) == 0o700


@pytest.mark.parametrize("wrong", [{"protocol": 99}, {"version": "9.9"}])
async def test_a_client_of_another_version_is_told_so(where: Place, wrong: dict[str, object]) -> None:
    async with client(where):
        with pytest.raises(DeskhandError) as raised:
            await attach(where.folder, hello("other").model_copy(update=wrong))
    assert raised.value.code == "desktop_unavailable"
    assert "this client is" in raised.value.message


@pytest.mark.parametrize(
    "frame",
    [
        b"\x00\x00\x00\x04nope",
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x10{",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x00\x00\x00\x00",
        b"",
    ],
)
async def test_broken_frames_end_that_connection_only(where: Place, frame: bytes) -> None:
    async with client(where) as remote:
        for greeted in (False, True):
            reader, writer = await asyncio.open_unix_connection(str(where.folder / "owner.sock"))
            if greeted:
                writer.write(packed(hello("broken")))
                await read_frame(reader)
            writer.write(frame)
            writer.write_eof()
            async with asyncio.timeout(5):
                while await read_frame(reader) is not None:
                    pass
            writer.close()
        assert (await remote.apps(AppsRequest())).openable == ["Fake"]
        await until_clients(remote, ["one"])


async def until_clients(remote: RemoteDesktop, clients: list[str]) -> None:
    deadline = time.monotonic() + 5
    while (await remote.status()).clients != clients:
        assert time.monotonic() < deadline


@pytest.mark.proves("report-24")
async def test_a_result_too_large_is_an_error_and_the_connection_lives(where: Place) -> None:
    async with client(where) as remote:
        with pytest.raises(DeskhandError, match="too large"):
            await remote.find(FindRequest(query="huge"))
        assert (await remote.find(FIND_SAVE)).text


async def test_a_defect_in_the_owner_is_internal_and_harms_no_other_call(where: Place) -> None:
    async with client(where) as remote:
        with pytest.raises(DeskhandError, match="internal: RuntimeError"):
            await remote.apps(AppsRequest(query="raise"))
        assert (await remote.apps(AppsRequest())).openable == ["Fake"]


async def test_a_long_call_gives_signs_of_life(where: Place) -> None:
    told: list[Progress] = []
    async with client(where) as remote:
        await remote.act(batch("x", hold=0.4), told.append)
    assert told
    assert told[-1].seconds > 0
    assert told[-1].note == "act is running"


async def test_an_error_crosses_with_all_it_says(where: Place) -> None:
    async with client(where) as remote:
        with pytest.raises(DeskhandError) as raised:
            await remote.act(batch("x", on="r999"))
    assert (raised.value.code, raised.value.target, raised.value.sent) == ("unknown_ref", "r999", "no")


async def test_another_users_process_is_not_served(where: Place) -> None:
    async with client(where):
        if os.getuid() != 0:
            pytest.skip("only root can become somebody else")
        where.folder.chmod(0o755)
        (where.folder / "owner.sock").chmod(0o777)
        for parent in takewhile(lambda above: above != Path(tempfile.gettempdir()), where.folder.parents):
            parent.chmod(0o755)
        pid = os.fork()
        if pid == 0:
            os.setuid(65534)
            os._exit(answer_of_a_stranger(str(where.folder / "owner.sock")))
        _, status = await asyncio.to_thread(os.waitpid, pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def answer_of_a_stranger(path: str) -> int:
    """0 when the owner closes without a word."""
    try:
        stranger = socket.socket(socket.AF_UNIX)
        stranger.connect(path)
        stranger.sendall(packed(hello("stranger")))
        return 0 if stranger.recv(1) == b"" else 1
    except ConnectionError:
        return 0
    except OSError:
        return 2
