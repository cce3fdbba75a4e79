"""The MCP server as the official client sees it, over stdio, in both of the protocol's eras."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.client.stdio import StdioServerParameters
from mcp_types import (
    CallToolResult,
    ElicitRequestParams,
    ElicitResult,
    ImageContent,
    Implementation,
    TextContent,
    TextResourceContents,
)

from deskhand.daemon.client import attach
from deskhand.daemon.naming import command_name
from deskhand.daemon.protocol import Hello
from tests.contract.forking import forked
from tests.contract.test_owner import ended, until

ERAS = ("auto", "legacy")
DELETE = {"do": "press", "on": {"role": "button", "name": "Delete"}}
SAVE = {"do": "press", "on": {"role": "button", "name": "Save"}}
SURPRISE = {"do": "press", "on": {"role": "button", "name": "Surprise"}}


class Person:
    """Answers elicitations, and remembers what was asked."""

    def __init__(self, action: str = "accept", allow: bool = True) -> None:
        self.asked: list[str] = []
        self._action = action
        self._allow = allow

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        content = {"allow": self._allow} if self._action == "accept" else None
        return ElicitResult.model_validate({"action": self._action, "content": content})


def server_for(folder: Path, *more: str) -> StdioServerParameters:
    command, *arguments = forked("tests.contract.fake_mcp", str(folder), *more)
    return StdioServerParameters(command=command, args=arguments)


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Path]:
    folder = tmp_path / "d"
    folder.mkdir(mode=0o700)
    yield folder
    await end_owner(folder)


async def end_owner(folder: Path) -> None:
    """End the owner process of the desktop in ``folder``, where one runs."""
    remote = await attach(folder, Hello(client="end", session="end"))
    if remote is not None:
        os.kill(remote.welcome.pid, signal.SIGTERM)
        await until(lambda: ended(remote.welcome.pid))
        await remote.close()


@asynccontextmanager
async def connected(
    folder: Path, person: Person | None = None, mode: str = "auto", *more: str
) -> AsyncIterator[Client]:
    async with Client(server_for(folder, *more), elicitation_callback=person, mode=mode) as client:
        yield client


@asynccontextmanager
async def called(folder: Path, name: str) -> AsyncIterator[Client]:
    """A client of this name."""
    async with Client(server_for(folder), client_info=Implementation(name=name, version="1")) as client:
        yield client


def text_of(result: CallToolResult) -> str:
    assert result.structured_content is None
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def journal(folder: Path) -> str:
    path = folder / "journal"
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize("mode", ERAS)
async def test_the_instructions_begin_with_the_desktop(folder: Path, mode: str) -> None:
    async with connected(folder, mode=mode) as client:
        assert (client.instructions or "").splitlines()[0] == 'Drives the isolated desktop "fake" (10x10).'


NAMES = ["apps", "observe", "find", "act", "point", "screenshot", "zoom", "input", "open"]


@pytest.mark.proves("report-26")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_tools_are_these_in_this_order_and_say_what_they_may_do(folder: Path, mode: str) -> None:
    async with connected(folder, mode=mode) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == NAMES
    looking = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
    assert looking == {"apps", "observe", "find", "point", "screenshot", "zoom"}
    assert [t.name for t in tools if t.annotations and t.annotations.destructive_hint] == ["act", "input"]
    for tool in tools:
        assert tool.input_schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & set(tool.input_schema)
        assert tool.output_schema is None
        assert tool.title


async def test_two_servers_on_one_desktop_see_the_same_refs(folder: Path) -> None:
    async with connected(folder) as one, connected(folder) as two:
        first, second = [text_of(await each.call_tool("observe", {})) for each in (one, two)]
    assert first.splitlines()[1:] == second.splitlines()[1:]
    assert first.splitlines()[0] != second.splitlines()[0]  # each observation is a snapshot of its own


@pytest.mark.parametrize("mode", ERAS)
async def test_harmless_steps_are_done_unasked(folder: Path, mode: str) -> None:
    person = Person()
    async with connected(folder, person, mode) as client:
        result = await client.call_tool("act", {"steps": [SAVE, {"do": "type", "value": "hello"}]})
    assert (text_of(result), result.is_error, person.asked) == ("done 2 of 2", False, [])
    assert "press Save" in journal(folder)


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize("mode", ERAS)
async def test_one_question_lists_every_risky_step_and_yes_does_them(folder: Path, mode: str) -> None:
    person = Person()
    async with connected(folder, person, mode) as client:
        result = await client.call_tool("act", {"steps": [SAVE, DELETE, {"do": "key", "keys": "ctrl+q"}]})
    assert text_of(result) == "done 3 of 3"
    assert len(person.asked) == 1
    assert "3 steps, of which 2 can do harm" in person.asked[0]
    assert 'step 2 press on button "Delete" in "Fake": deletes something' in person.asked[0]
    assert 'step 3 key "ctrl+q" on textbox "Name" in "Fake": ends an application' in person.asked[0]
    assert "press Delete" in journal(folder)


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("person", [Person("decline"), Person("accept", allow=False)])
async def test_no_means_that_nothing_is_sent(folder: Path, mode: str, person: Person) -> None:
    async with connected(folder, person, mode) as client:
        result = await client.call_tool("act", {"steps": [SAVE, DELETE]})
    assert result.is_error
    assert text_of(result).startswith("confirmation_declined: ")
    assert journal(folder) == ""


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize("mode", ERAS)
async def test_a_question_that_nobody_answers_is_no_refusal_by_the_user_and_can_be_answered_later(
    folder: Path, mode: str
) -> None:
    async with connected(folder, Person("cancel"), mode) as client:
        result = await client.call_tool("act", {"steps": [DELETE]})
        assert result.is_error
        said = text_of(result)
        assert said.startswith("confirmation_required: ")
        assert "nobody answered the question; nothing was sent; input no\nask your user to run: " in said
        assert journal(folder) == ""
        await answer_from_a_terminal(folder, re.findall(r"approve (q\d+)", said)[0])
        assert text_of(await client.call_tool("act", {"steps": [DELETE]})) == "done 1 of 1"


async def test_a_client_is_answered_while_its_desktop_is_still_being_started(folder: Path) -> None:
    (folder / "slow").touch()
    async with connected(folder) as client:
        first = (client.instructions or "").splitlines()[0]
        assert first == "The desktop is still being started; the first call waits for it."
        call = asyncio.create_task(client.call_tool("act", {"steps": [SAVE]}))
        await client.list_tools()
        assert not call.done()
        (folder / "slow").unlink()
        assert text_of(await call) == "done 1 of 1"


async def test_what_is_not_valid_is_refused_at_once_while_the_desktop_starts(folder: Path) -> None:
    (folder / "slow").touch()
    async with connected(folder) as client, asyncio.timeout(10):
        result = await client.call_tool("act", {"steps": [{"do": "fly"}]})
        assert text_of(result).startswith("invalid_request: ")
        (folder / "slow").unlink()


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_that_cannot_ask_gets_a_refusal_that_names_the_command(folder: Path, mode: str) -> None:
    async with connected(folder, None, mode) as client:
        first = await client.call_tool("act", {"steps": [DELETE]})
        assert first.is_error
        assert text_of(first).startswith("confirmation_required: ")
        assert journal(folder) == ""
        question = re.findall(r"deskhand approve (q\d+)", text_of(first))[0]
        await answer_from_a_terminal(folder, question)
        assert text_of(await client.call_tool("act", {"steps": [DELETE]})) == "done 1 of 1"
        again = await client.call_tool("act", {"steps": [DELETE]})
        assert text_of(again).startswith("confirmation_required: ")
    assert journal(folder).count("press Delete") == 1


@pytest.mark.proves("report-37")
async def test_consent_given_to_one_server_is_of_no_use_to_another(folder: Path) -> None:
    async with connected(folder) as asked, connected(folder) as other:
        refusal = text_of(await asked.call_tool("act", {"steps": [DELETE]}))
        await answer_from_a_terminal(folder, re.findall(r"q\d+", refusal)[0])
        stolen = await other.call_tool("act", {"steps": [DELETE]})
        assert text_of(stolen).startswith("confirmation_required: ")
        assert journal(folder) == ""
        assert text_of(await asked.call_tool("act", {"steps": [DELETE]})) == "done 1 of 1"


async def answer_from_a_terminal(folder: Path, question: str, agree: bool = True) -> None:
    remote = await attach(folder, Hello(client="deskhand approve", session="approve", person=True))
    assert remote is not None
    await remote.answer(question, agree)
    await remote.close()


@pytest.mark.proves("C9")
@pytest.mark.parametrize("mode", ERAS)
async def test_a_step_that_proves_risky_only_then_stops_the_batch(folder: Path, mode: str) -> None:
    person = Person()
    async with connected(folder, person, mode) as client:
        result = await client.call_tool("act", {"steps": [SAVE, SURPRISE, {"do": "type", "value": "late"}]})
    assert result.is_error
    assert "stopped at 2 of 3: confirmation_required" in text_of(result)
    assert "send the steps from 2 on again" in text_of(result)
    assert person.asked == []
    assert "press Save" in journal(folder)
    assert "late" not in journal(folder)
    assert "Delete" not in journal(folder)


@pytest.mark.proves("C9", "B2")
@pytest.mark.parametrize("asks", [True, False])
async def test_actions_that_prove_risky_only_then_name_the_lease_and_the_way_on(folder: Path, asks: bool) -> None:
    actions = [
        {"type": "click", "x": 0, "y": 0},
        {"type": "click", "x": 1, "y": 0},
        {"type": "keypress", "keys": ["a"]},
    ]
    async with connected(folder, Person() if asks else None) as client:
        said = text_of(await client.call_tool("input", {"lease": "l1", "actions": actions}))
        assert "stopped at 2 of 3: confirmation_required" in said
        way = re.search(r"send the actions from 2 on again with lease (l\d+): ", said)
        assert way is not None, said
        assert said.endswith("the user will be asked first" if asks else "they are judged anew")
    assert journal(folder).count("click Save") == 1


async def test_without_elicitation_such_a_stop_names_the_command(folder: Path) -> None:
    async with connected(folder) as client:
        result = await client.call_tool("act", {"steps": [SAVE, SURPRISE]})
        assert text_of(result).endswith("send the steps from 2 on again: they are judged anew")
        question = re.findall(r"deskhand approve (q\d+)", text_of(await client.call_tool("act", {"steps": [SURPRISE]})))
        await answer_from_a_terminal(folder, question[0])
        assert text_of(await client.call_tool("act", {"steps": [SURPRISE]})) == "done 1 of 1"


@pytest.mark.proves("report-13", "report-28")
@pytest.mark.parametrize("mode", ERAS)
async def test_cancelling_a_call_cancels_the_batch_and_releases_keys(folder: Path, mode: str) -> None:
    steps = [
        {"do": "key", "keys": "shift"},
        {"do": "wait", "for": "settled", "timeout": 40},
        {"do": "type", "value": "late"},
    ]
    async with connected(folder, mode=mode) as client:
        call = asyncio.create_task(client.call_tool("act", {"steps": steps}))
        await until(lambda: "begin" in journal(folder))
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await until(lambda: journal(folder).rstrip().endswith("up shift"), 5)
        assert not (await client.call_tool("observe", {})).is_error
    assert "late" not in journal(folder)


@pytest.mark.proves("report-28")
@pytest.mark.parametrize("mode", ERAS)
async def test_a_long_call_sends_progress(folder: Path, mode: str) -> None:
    told: list[tuple[float, str | None]] = []

    async def seen(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async with connected(folder, mode=mode) as client:
        steps = [{"do": "wait", "for": "settled", "timeout": 0.5}]
        await client.call_tool("act", {"steps": steps}, progress_callback=seen)
    assert told
    assert told[0][1] == "act is running"


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("act", {}, "steps"),
    ("act", {"steps": []}, "give 1 to 64"),
    ("act", {"steps": [SAVE] * 65}, "holds 65; give 1 to 64"),
    ("act", {"steps": [{"do": "press"}]}, "press needs on"),
    ("act", {"steps": [{"do": "fly"}]}, 'step 1: "do"'),
    ("act", {"steps": [SAVE, {"do": "set", "on": "r1"}]}, "step 2: set needs value"),
    ("act", {"steps": [{"do": "press", "on": "r1", "colour": "red"}]}, "colour"),
    ("act", {"steps": "press it"}, "steps"),
    ("observe", {"budget": "many"}, "budget"),
    ("observe", {"nonsense": 1}, "nonsense"),
    ("open", {}, "open needs app, file or url"),
    ("open", {"url": "a", "file": "b"}, "file or url, not both"),
    ("find", {"limit": 0}, "limit"),
    ("no_such_tool", {}, "there are apps, observe"),
]


async def test_bad_arguments_are_one_line_that_names_what_is_wrong(folder: Path) -> None:
    async with connected(folder) as client:
        for tool, arguments, said in WRONG:
            result = await client.call_tool(tool, arguments)
            text = text_of(result)
            assert result.is_error, (tool, arguments)
            assert text.startswith("invalid_request: "), text
            assert said in text, text
            assert "\n" not in text, text
            assert "pydantic" not in text, text
    assert journal(folder) == ""


async def test_steps_sent_as_json_in_a_string_are_understood(folder: Path) -> None:
    async with connected(folder) as client:
        assert text_of(await client.call_tool("act", {"steps": json.dumps([SAVE])})) == "done 1 of 1"


async def test_errors_are_results_in_the_contracts_own_line(folder: Path) -> None:
    async with connected(folder) as client:
        unknown = await client.call_tool("act", {"steps": [{"do": "press", "on": "r999"}]})
        assert unknown.is_error
        assert text_of(unknown) == 'unknown_ref: no such ref; target "r999"; input no'
        broken = await client.call_tool("apps", {"query": "raise"})
        assert text_of(broken).startswith("internal: RuntimeError")
        assert "Traceback" not in text_of(broken)


async def test_a_screenshot_is_text_and_an_image(folder: Path) -> None:
    async with connected(folder) as client:
        content = (await client.call_tool("screenshot", {})).content
    assert [type(part) for part in content] == [TextContent, ImageContent]


@pytest.mark.proves("B3", "report-30")
async def test_a_picture_that_is_not_true_any_more_brings_a_new_one_with_the_refusal(folder: Path) -> None:
    click = {"type": "click", "x": 0, "y": 0}
    async with connected(folder) as client:
        refused = await client.call_tool("input", {"lease": "moved", "actions": [click]})
        assert refused.is_error
        assert [type(part) for part in refused.content] == [TextContent, ImageContent], text_of(refused)
        assert text_of(refused).splitlines()[1].startswith("lease l")
        done = await client.call_tool("input", {"lease": "l1", "actions": json.dumps([click])})
        assert (text_of(done), done.is_error) == ("done 1 of 1", False)


@pytest.mark.proves("C9", "B2")
async def test_what_a_hand_does_at_risk_is_asked_about_before_it_is_done(folder: Path) -> None:
    asked = Person(allow=False)
    async with connected(folder, asked) as client:
        quits = {"lease": "l1", "actions": [{"type": "keypress", "keys": ["CTRL", "Q"]}]}
        result = await client.call_tool("input", quits)
    assert result.is_error
    assert text_of(result).startswith("confirmation_declined")
    assert len(asked.asked) == 1


@pytest.mark.proves("B2")
@pytest.mark.parametrize(("name", "word"), [("claude-code", "left_click"), ("codex", "double_click")])
async def test_a_client_is_shown_the_words_that_its_model_is_used_to(folder: Path, name: str, word: str) -> None:
    async with called(folder, name) as client:
        tool = next(tool for tool in (await client.list_tools()).tools if tool.name == "input")
    verbs = tool.input_schema["properties"]["actions"]["items"]["properties"]
    assert word in verbs["action" if name == "claude-code" else "type"]["enum"]


async def test_the_server_starts_a_new_owner_when_the_old_one_was_killed(folder: Path) -> None:
    async with connected(folder) as client:
        before = text_of(await client.call_tool("find", {"query": "Save"}))
        remote = await attach(folder, Hello(client="k", session="k"))
        assert remote is not None
        os.kill(remote.welcome.pid, signal.SIGKILL)
        await until(lambda: not remote.alive)
        after = await client.call_tool("find", {"query": "Save"})
        assert not after.is_error
        assert text_of(after) != before  # the ref of the old owner is not used again


@pytest.mark.proves("report-18", "report-35")
async def test_without_a_desktop_it_says_so_and_tries_again(folder: Path) -> None:
    (folder / "none").touch()
    async with connected(folder) as client:
        assert "No desktop can be driven now: desktop_unavailable: no display" in (client.instructions or "")
        refused = await client.call_tool("observe", {})
        assert text_of(refused) == f"desktop_unavailable: no display; run: {command_name()} doctor; input no"
        (folder / "none").unlink()
        assert not (await client.call_tool("observe", {})).is_error


async def test_the_skill_is_a_resource_and_a_prompt_and_can_be_left_out(folder: Path) -> None:
    async with connected(folder) as client:
        [content] = (await client.read_resource("skill://deskhand/SKILL.md")).contents
        assert isinstance(content, TextResourceContents)
        assert content.text.startswith("---\nname: deskhand\n")
        prompt = (await client.get_prompt("deskhand")).messages[0].content
        assert isinstance(prompt, TextContent)
        assert prompt.text in content.text
    async with connected(folder, None, "auto", "--no-skill") as client:
        assert (await client.list_resources()).resources == []
        assert "skill" not in (client.instructions or "")


@pytest.mark.proves("report-26")
def test_stdout_carries_protocol_only(folder: Path) -> None:
    process = subprocess.Popen(
        forked("tests.contract.fake_mcp", str(folder)),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
         "clientInfo": {"name": "t", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "observe", "arguments": {}}},
    ]  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
    lines = [process.stdout.readline() for _ in range(2)]
    rest, errors = process.communicate(timeout=20)
    assert [json.loads(line)["id"] for line in lines] == [1, 2]
    assert rest == ""
    assert errors.count("noise by a child") >= 2
    assert process.returncode == 0
