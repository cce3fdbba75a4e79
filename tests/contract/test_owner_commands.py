"""``deskhand approve``, ``daemon`` and ``log`` as a person uses them, against an owner of "here"."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.naming import command_name
from deskhand.daemon.protocol import Hello
from deskhand.daemon.reaching import here_folder
from deskhand.daemon.starting import reach
from deskhand.types.requests import ActRequest
from tests.contract.fake_owner import place
from tests.contract.test_owner import ended, until

COMMAND = (sys.executable, "-c", "from deskhand.cli.main import main; main()")
HARM = 'step 1 press on button "Delete" in "Fake": deletes something'
DELETE = ActRequest.model_validate({"steps": [{"do": "press", "on": {"role": "button", "name": "Delete"}}]})


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DESKHAND_", "XDG_"))}
    with tempfile.TemporaryDirectory(prefix="deskhand-") as run:  # a socket's path is short
        yield {**kept, "DISPLAY": ":4242", "XDG_RUNTIME_DIR": run, "XDG_STATE_HOME": str(tmp_path / "state"),
               "XDG_CONFIG_HOME": str(tmp_path / "config")}  # fmt: skip


@pytest.fixture
async def remote(environment: dict[str, str]) -> AsyncIterator[RemoteDesktop]:
    where = replace(place(here_folder(environment), idle=0.3), name="here")
    remote = await reach(where, Hello(client="an agent", session="agent"))
    yield remote
    await remote.close()
    if not ended(remote.welcome.pid):
        os.kill(remote.welcome.pid, signal.SIGTERM)
    await until(lambda: ended(remote.welcome.pid))


async def deskhand(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    """Run the command without a terminal: its exit code and all it said."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(process.communicate(), 20)
    return process.returncode or 0, said.decode()


def at_a_terminal(environment: dict[str, str], typed: str, *arguments: str, ahead: str = "") -> tuple[int, str]:
    """Run the command at a terminal of its own: somebody types ``ahead`` before the question, ``typed`` when asked."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [*COMMAND, *arguments], environment)
    os.write(terminal, ahead.encode())
    said, deadline = "", time.monotonic() + 20
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.5)[0]:
            continue
        try:
            said += os.read(terminal, 4096).decode()
        except OSError:  # the other side has closed
            break
        if typed and said.endswith("[y/N]: "):
            os.write(terminal, typed.encode())
            typed = ""
    else:
        os.kill(pid, signal.SIGKILL)  # not reaped yet: the id is still its own
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), said


@pytest.mark.proves("C9", "report-37")
async def test_a_person_at_a_terminal_says_yes_and_the_steps_are_done_once(
    remote: RemoteDesktop, environment: dict[str, str]
) -> None:
    question = (await remote.judge(DELETE)).question
    code, said = await asyncio.to_thread(at_a_terminal, environment, "y\n", "approve", question)
    assert (code, said.splitlines()[-1]) == (0, f"allowed, once: {question} on fake, {HARM}")
    assert 'press on button "Delete"' in said
    assert (await remote.act(DELETE)).failure is None
    again = await remote.act(DELETE)
    assert again.failure is not None
    assert again.failure.code == "confirmation_required"


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize("command", ["approve", "act"])
async def test_what_was_typed_before_the_question_is_no_answer(
    remote: RemoteDesktop, environment: dict[str, str], command: str
) -> None:
    steps = ["press Delete"] if command == "act" else [(await remote.judge(DELETE)).question]
    _, said = await asyncio.to_thread(at_a_terminal, environment, "n\n", command, *steps, ahead="y\n")
    assert "declined" in said.splitlines()[-1]
    assert [question.id for question in await remote.pending()] == []


async def test_a_person_at_a_terminal_says_no(remote: RemoteDesktop, environment: dict[str, str]) -> None:
    question = (await remote.judge(DELETE)).question
    _, said = await asyncio.to_thread(at_a_terminal, environment, "n\n", "approve", question)
    assert said.splitlines()[-1] == f"declined: {question} on fake, {HARM}"
    assert await remote.pending() == []


@pytest.mark.proves("C9")
async def test_a_program_cannot_say_yes_but_may_say_no(remote: RemoteDesktop, environment: dict[str, str]) -> None:
    question = (await remote.judge(DELETE)).question
    code, said = await deskhand(environment, "approve", question)
    assert code == 6
    assert said.strip() == "policy_denied: agreeing needs a terminal: run this yourself, not through a program"
    assert [waiting.id for waiting in await remote.pending()] == [question]
    assert await deskhand(environment, "approve", question, "--no") == (0, f"declined: {question} on fake, {HARM}\n")
    assert await remote.pending() == []


async def test_what_waits_is_listed(remote: RemoteDesktop, environment: dict[str, str]) -> None:
    assert await deskhand(environment, "approve") == (0, "no question waits\n")
    question = (await remote.judge(DELETE)).question
    code, said = await deskhand(environment, "approve")
    assert code == 0
    assert said.startswith(f"{question} on fake, ")
    assert "an agent wants to do a step that can do harm. Allow?" in said


async def test_an_id_that_does_not_wait_is_one_line(remote: RemoteDesktop, environment: dict[str, str]) -> None:
    code, said = await deskhand(environment, "approve", "q77")
    assert (code, said) == (
        1,
        f"not_found: no question q77 waits; list them with: {command_name()} approve\n",
    )


async def test_the_desktop_may_be_named_before_the_command_and_by_one_letter(
    remote: RemoteDesktop, environment: dict[str, str]
) -> None:
    question = (await remote.judge(DELETE)).question
    for words in (("-d", "here", "approve"), ("approve", "-d", "here")):
        assert (await deskhand(environment, *words))[1].startswith(f"{question} on fake, ")
    for words in (("-d", "attic", "approve"), ("approve", "--desktop", "attic")):
        assert await deskhand(environment, *words) == (0, "no question waits\n")
    folder = Path(environment["XDG_STATE_HOME"]) / "deskhand" / "records" / "attic"
    folder.mkdir(parents=True)
    event = {"schema": 1, "n": 1, "at": 1.5, "pid": 1, "desktop": "attic", "event": "call"}
    (folder / "2026-01-01.jsonl").write_text(json.dumps(event) + "\n")
    assert "attic call" in (await deskhand(environment, "-d", "attic", "log", "show"))[1]
    assert await deskhand(environment, "-d", "here", "log", "show") == (0, "nothing recorded\n")
    code, said = await deskhand(environment, "-d", "attic", "desktop", "stop")
    assert (code, said.split(":")[0]) == (2, "invalid_request")


async def test_a_pending_question_keeps_the_owner_alive(remote: RemoteDesktop, environment: dict[str, str]) -> None:
    question = (await remote.judge(DELETE)).question
    await remote.close()
    started = time.monotonic()
    await until(lambda: time.monotonic() - started > 1.0)  # more than three times its idle time
    assert not ended(remote.welcome.pid)
    assert (await deskhand(environment, "approve", question, "--no"))[0] == 0
    await until(lambda: ended(remote.welcome.pid))


async def test_the_owner_tells_its_status_and_ends_when_told(
    remote: RemoteDesktop, environment: dict[str, str]
) -> None:
    code, said = await deskhand(environment, "daemon", "--status")
    assert code == 0
    status = json.loads(said)
    assert (status["desktop"], status["pid"], status["trouble"]) == ("fake", remote.welcome.pid, "")
    assert "an agent" in status["clients"]
    assert await deskhand(environment, "daemon", "--desktop", "here", "--stop") == (0, "")
    await until(lambda: ended(remote.welcome.pid))


async def test_without_an_owner_there_is_none_to_stop(environment: dict[str, str]) -> None:
    code, said = await deskhand(environment, "daemon", "--desktop", "here", "--stop")
    assert (code, said) == (3, "desktop_unavailable: no owner runs for here\n")


@pytest.mark.proves("report-35")
async def test_a_broken_configuration_is_one_line(environment: dict[str, str]) -> None:
    folder = Path(environment["XDG_CONFIG_HOME"]) / "deskhand"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("[gate]\nalow = []\n")
    for command in ("mcp", "daemon"):
        code, said = await deskhand(environment, command)
        assert code in (2, 3)
        assert said.count("\n") == 1, said
        assert "there is no key gate.alow; there are allow, deny" in said


async def test_records_are_shown_and_erased(environment: dict[str, str]) -> None:
    folder = Path(environment["XDG_STATE_HOME"]) / "deskhand" / "records" / "lab"
    folder.mkdir(parents=True)
    event = {"schema": 1, "n": 1, "at": 1.5, "pid": 1, "desktop": "lab", "event": "call", "operation": "act \u202e"}
    (folder / "2026-01-01.jsonl").write_text(json.dumps(event) + "\n")
    other = folder.parent / "attic"
    other.mkdir()
    later = {**event, "at": 2.5, "desktop": "attic"}
    (other / "2026-01-01.jsonl").write_text(json.dumps(later) + "\n")
    lines = (await deskhand({**environment, "TZ": "UTC"}, "log", "show"))[1].splitlines()
    said = 'call operation="act \\u202e"'
    assert lines == [f"1970-01-01 00:00:01.500 lab {said}", f"1970-01-01 00:00:02.500 attic {said}"]
    assert await deskhand({**environment, "TZ": "UTC"}, "log", "show", "--last", "1") == (0, lines[1] + "\n")
    code, said = await deskhand(environment, "log", "show", "--desktop", "lab", "--json")
    assert (code, json.loads(said)) == (0, event)
    assert await deskhand(environment, "log", "erase") == (0, "erased 2 files\n")
    assert await deskhand(environment, "log", "show") == (0, "nothing recorded\n")
    assert (await deskhand(environment, "log", "show", "--desktop", "../x"))[0] == 2
