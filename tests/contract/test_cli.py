"""The commands of the contract as a person and a script use them, against an owner of "here"."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deskhand.cli.main import app
from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.naming import as_called, command_name
from tests.contract.test_owner_commands import COMMAND, at_a_terminal, environment, remote

__all__ = ["environment", "remote"]
Environment = dict[str, str]


async def run(environment: Environment, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command that has no terminal."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, env={**environment, "DESKHAND_SESSION": "script"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(stdin.encode()), 60)
    return process.returncode or 0, out.decode(), err.decode()


@pytest.mark.proves("A1")
async def test_what_a_command_prints_is_the_contracts_lines_or_the_typed_result(
    remote: RemoteDesktop, environment: Environment
) -> None:
    code, said, _ = await run(environment, "observe")
    assert code == 0
    assert said.splitlines()[0].endswith('"Fake"')
    assert '1 button "Save"' in said
    typed = json.loads((await run(environment, "observe", "--json"))[1])
    assert typed["window"] == "w1"
    assert typed["text"].splitlines()[1:] == said.splitlines()[1:]


async def test_steps_come_as_words_and_from_stdin(remote: RemoteDesktop, environment: Environment) -> None:
    assert (await run(environment, "act", "press", "Save"))[:2] == (0, "done 1 of 1\n")
    assert (await run(environment, "act", "press button:Save", "key ctrl+s"))[:2] == (0, "done 2 of 2\n")
    lines = "# twice\npress Save\npress Save\n"
    assert (await run(environment, "act", "-", stdin=lines))[:2] == (0, "done 2 of 2\n")
    assert (await run(environment, "act", '[{"do": "press", "on": {"name": "Save"}}]'))[:2] == (0, "done 1 of 1\n")


@pytest.mark.proves("B1", "B2", "B3")
async def test_a_picture_is_written_and_its_lease_taken_and_a_new_one_comes_with_a_refusal(
    remote: RemoteDesktop, environment: Environment, tmp_path: Path
) -> None:
    picture = tmp_path / "one.png"
    code, said, _ = await run(environment, "screenshot", "-o", str(picture))
    assert (code, picture.read_bytes()[:4]) == (0, b"\x89PNG")
    lease = said.split()[1].rstrip(":")
    assert said.startswith("lease l")
    assert (await run(environment, "input", lease, "click 0,0", "type two words"))[:2] == (0, "done 2 of 2\n")
    assert (await run(environment, "zoom", lease, "0,0,1,1", "-o", str(tmp_path / "near.png")))[0] == 0
    code, said, _ = await run(environment, "input", "moved", "click 0,0", "-o", str(tmp_path / "new.png"))
    assert code != 0
    assert said.startswith("stopped at 1 of 1: layout_changed")
    assert said.endswith(f"written to {tmp_path / 'new.png'}\n")
    assert (tmp_path / "new.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.proves("B1")
async def test_whoever_names_a_file_gets_a_picture_of_its_kind_or_is_told_that_there_is_none(
    remote: RemoteDesktop, environment: Environment, tmp_path: Path
) -> None:
    photo, after = tmp_path / "one.jpg", tmp_path / "after.png"
    assert (await run(environment, "screenshot", "-o", str(photo)))[0] == 0
    assert photo.read_bytes()[:3] == b"\xff\xd8\xff"
    code, said, _ = await run(environment, "input", "l1", "click 0,0", "-o", str(after))
    assert (code, said.splitlines()[0], said.splitlines()[-1]) == (0, "done 1 of 1", f"written to {after}")
    assert after.read_bytes()[:4] == b"\x89PNG"
    after.unlink()
    typed = json.loads(
        (await run(environment, "input", "l1", "click 0,0", "screenshot", "-o", str(after), "--json"))[1]
    )
    assert (typed["file"], after.is_file(), "image" in typed["picture"]) == (str(after), True, False)
    after.unlink()
    code, said, _ = await run(environment, "input", "broken", "click 0,0", "-o", str(after))
    assert (code, said.splitlines()[-1]) == (1, f"no picture came: {after} is not written")
    assert (
        json.loads((await run(environment, "input", "broken", "click 0,0", "--json", "-o", str(after)))[1])["file"]
        is None
    )
    assert not after.exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-o", "one.webp"], "pictures are written as .png or .jpg, not as .webp"),
        (["-o", "-", "--json"], "-o - and --json both want stdout; write the picture into a file"),
        (["-o", "."], ". is a folder; name a file in it"),
        (["-o", "nowhere/one.png"], "cannot write nowhere/one.png: there is no folder nowhere"),
    ],
)
def test_a_picture_that_could_not_be_written_is_not_taken(words: list[str], complaint: str) -> None:
    for command in (["screenshot"], ["zoom", "l1", "0,0,1,1"], ["input", "l1", "click 1,1"]):
        said = CliRunner().invoke(app, [*command, *words])
        assert said.exit_code == 2
        assert complaint in said.output


@pytest.mark.proves("C9", "report-37")
async def test_a_pipe_gives_no_consent_and_what_a_person_allowed_is_done_by_the_same_command(
    remote: RemoteDesktop, environment: Environment
) -> None:
    code, said, err = await run(environment, "act", "press", "Delete")
    assert (code, said) == (5, "")
    [question] = [question.id for question in await remote.pending()]
    assert err.startswith('confirmation_required: step 1 press on button "Delete"')
    assert f"{command_name()} approve {question}" in err
    assert (await asyncio.to_thread(at_a_terminal, environment, "y\n", "approve", question))[0] == 0
    assert (await run(environment, "act", "press", "Delete"))[:2] == (0, "done 1 of 1\n")
    assert (await run(environment, "act", "press", "Delete"))[0] == 5


@pytest.mark.proves("C9")
async def test_at_a_terminal_the_person_is_asked(remote: RemoteDesktop, environment: Environment) -> None:
    code, said = await asyncio.to_thread(at_a_terminal, environment, "n\n", "act", "press", "Delete")
    assert code == 6
    assert 'press on button "Delete" in "Fake": deletes something' in said
    assert said.splitlines()[-1] == "confirmation_declined: the user declined; nothing was sent"
    code, said = await asyncio.to_thread(at_a_terminal, environment, "y\n", "act", "press", "Delete")
    assert (code, said.splitlines()[-1]) == (0, "done 1 of 1")


@pytest.mark.proves("C9")
async def test_a_step_that_proves_risky_only_then_is_asked_about_then(
    remote: RemoteDesktop, environment: Environment
) -> None:
    code, said, err = await run(environment, "act", "press Save", "press Surprise")
    stopped = "stopped at 2 of 2: confirmation_required, input no\n"
    assert (code, said, err) == (5, f"{stopped}to go on, do the steps from 2 on again: they are judged anew\n", "")
    assert (await run(environment, "act", "press Surprise"))[0] == 5
    await approve(environment, (await remote.pending())[-1].id)
    assert (await run(environment, "act", "press Surprise"))[:2] == (0, "done 1 of 1\n")
    code, said = await asyncio.to_thread(at_a_terminal, environment, "n\n", "act", "press Save", "press Surprise")
    assert code in (5, 6)


@pytest.mark.proves("C9", "report-37")
async def test_the_question_named_after_a_stop_is_for_what_is_left(
    remote: RemoteDesktop, environment: Environment
) -> None:
    steps = ("press Save", "press Surprise", "press Delete")
    await run(environment, "act", *steps)
    await approve(environment, (await remote.pending())[-1].id)
    code, said, _ = await run(environment, "act", *steps)
    assert code == 5
    named = re.search(r"approve (q\d+) -d fake - then do the steps from 2 on again$", said.strip())
    assert named is not None, said
    [question] = await remote.pending()
    assert question.id == named[1]
    assert question.text.splitlines()[0].endswith("wants to do 2 steps, of which 1 can do harm. Allow?")


@pytest.mark.proves("C9", "B2")
async def test_actions_go_on_after_the_question_with_the_lease_of_the_picture_that_is_true_by_then(
    remote: RemoteDesktop, environment: Environment
) -> None:
    code, said, _ = await run(environment, "input", "l1", "click 0,0", "click 1,0", "type late")
    assert code == 5
    assert re.search(r"to go on, send the actions from 2 on again with lease l\d+: they are judged anew$", said.strip())
    actions = ("click 0,0", "click 1,0", "key ctrl+q")
    await run(environment, "input", "l1", *actions)
    await approve(environment, (await remote.pending())[-1].id)
    code, said, _ = await run(environment, "input", "l1", *actions)
    assert code == 5
    named = re.search(r"approve (q\d+) -d fake - then send the actions from 2 on again with lease l\d+$", said.strip())
    assert named is not None, said
    assert named[1] in {question.id for question in await remote.pending()}


async def approve(environment: Environment, question: str) -> None:
    assert (await asyncio.to_thread(at_a_terminal, environment, "y\n", "approve", question))[0] == 0


async def test_errors_are_one_line_and_with_json_one_object(remote: RemoteDesktop, environment: Environment) -> None:
    code, said, err = await run(environment, "act", "press", "r77")
    assert (code, said, err) == (1, "", "unknown_ref: no such ref\n")
    code, said, err = await run(environment, "act", "press", "r77", "--json")
    failure = json.loads(said)["failure"]
    assert (code, err) == (1, "")
    assert (failure["code"], failure["sent"], failure["target"]) == ("unknown_ref", "no", "r77")


@pytest.mark.proves("report-35")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["obsrve"], "invalid_request: no such command 'obsrve'"),
        (["observe", "--budgt", "3"], "invalid_request: no such option: --budgt"),
        (["observe", "--budget", "3"], 'invalid_request: "budget": must be greater than or equal to 50'),
        (["act"], "invalid_request: missing argument 'STEP…'"),
        (["act", "set r7"], "invalid_request: step 1: set needs value"),
        (["act", "set r7 two words"], 'invalid_request: "words" is too much'),
        (["point", "here"], "invalid_request: write two numbers, X Y, or the word cursor"),
        (["observe", "{role"], "invalid_request: this selector is not JSON"),
        (["observe", "--desktop", "new"], "invalid_request: a new desktop would end with this command"),
        (["desktop", "start", "--memory", "-4"], "invalid_request: --memory is a number of MB"),
        (["daemon", "--allow", "foo"], 'invalid_request: the flags: gate.allow: there is no risk "foo"'),
        (["mcp", "--channels", "tree,foo"], 'invalid_request: the flags: mcp.channels: there is no channel "foo"'),
        (["mcp", "--profile", "tiny"], 'invalid_request: the flags: mcp.profile: there is no profile "tiny"'),
        (["completion", "tcsh"], "invalid_request: there is a script for bash, zsh, fish"),
    ],
)
async def test_a_wrong_command_is_one_line_and_exit_code_2(
    environment: Environment, arguments: list[str], said: str
) -> None:
    code, out, err = await run(environment, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith(said)


async def test_without_a_desktop_the_mcp_server_says_so_and_fails(environment: Environment) -> None:
    code, out, err = await run(environment, "mcp", "--desktop", "nope")
    assert (code, out) == (3, "")
    assert err.startswith('desktop_unavailable: no desktop "nope" is running; run: ')


async def test_nothing_to_tell_is_told(environment: Environment) -> None:
    assert (await run(environment, "desktop", "list"))[:2] == (0, "no desktops\n")
    assert (await run(environment, "log", "show"))[:2] == (0, "nothing recorded\n")
    assert (await run(environment, "daemon", "--status")) == (0, "", "no owner runs\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
async def test_a_shells_completion_script_is_printed(environment: Environment, shell: str) -> None:
    code, said, _ = await run(environment, "completion", shell)
    assert code == 0
    assert f"_DESKHAND_COMPLETE=complete_{shell}" in said


async def test_commands_options_and_desktops_are_completed(environment: Environment) -> None:
    async def completed(line: str) -> list[str]:
        asks = {"_DESKHAND_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
        return (await run({**environment, **asks}))[1].split()

    assert await completed("deskhand ob") == ["observe"]
    assert "--since" in await completed("deskhand observe --s")
    assert await completed("deskhand observe --desktop ") == ["here", "default"]


def test_a_command_that_a_message_names_can_be_typed_as_it_stands() -> None:
    text = 'run: deskhand doctor; "deskhand doctor" in /opt/deskhand and deskhand itself'
    said = 'run: ./bin/deskhand doctor; "deskhand doctor" in /opt/deskhand and deskhand itself'
    assert as_called(text, "./bin/deskhand") == said


async def test_what_who_reads_the_output_has_gone_is_no_traceback(environment: Environment) -> None:
    line = " ".join((*COMMAND[:1], "-m", "deskhand", "--help", "|", "true"))
    process = await asyncio.create_subprocess_shell(
        line, env=environment, stderr=subprocess.PIPE, cwd=Path(os.sep), executable="/bin/bash"
    )
    assert (await process.communicate())[1] == b""
