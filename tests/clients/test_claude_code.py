"""Claude Code, with a scripted model behind it, does an errand in Mousepad through ``deskhand mcp``."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image

from deskhand.isolation import NestedDesktop
from deskhand.mcp_server.schemas import shown
from deskhand.mcp_server.switches import Switches
from tests.clients.endpoint import Came, Script, Use, serving
from tests.clients.programs import configured, done, written

pytestmark = [pytest.mark.apps]

QUIET = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ANTHROPIC_API_KEY": "none"}
"""Variables that keep it from talking to anybody but the endpoint."""
FACES = [face for face in shown(Switches(input_style="claude")) if face.listed]
"""In the words that a client of this name is shown."""
TOOLS = [face.name for face in FACES]
TEXT = "Grüße aus der Ferne"


def use(tool: str, **arguments: object) -> Use:
    return Use(f"mcp__deskhand__{tool}", arguments)


def act(*steps: Mapping[str, object]) -> Use:
    return use("act", steps=list(steps))


def ref(came: Came, what: str) -> str:
    found = re.search(rf"(r\d+) {what}", came.text)
    assert found, f"{what} is not in {came.text}"
    return found[1]


def errand(seen: dict[str, Came]) -> Script:
    """Find the tools, write, look; press what is disabled and what is gone; close unsaved work."""
    names = ",".join(f"mcp__deskhand__{name}" for name in TOOLS)
    seen["sought"] = yield Use("ToolSearch", {"query": "GUI automation", "max_results": 5})
    seen["search"] = yield Use("ToolSearch", {"query": f"select:{names}", "max_results": len(TOOLS)})
    seen["open"] = yield use("open", app="mousepad")
    seen["write"] = yield act({"do": "set", "on": ref(seen["open"], "textbox"), "value": TEXT})
    seen["look"] = yield use("observe")
    seen["picture"] = yield use("screenshot")
    yield act({"do": "menu", "path": ["Search", "Find and Replace..."]})  # it makes three dots of ours
    dialog = yield use("observe")
    seen["disabled"] = yield act({"do": "press", "on": ref(dialog, '"Replace" disabled')})
    close = {"do": "press", "on": ref(dialog, '"Close"')}
    yield act(close)
    seen["gone"] = yield act(close)
    seen["risky"] = yield act({"do": "window", "on": "mousepad", "op": "close"})
    seen["after"] = yield use("observe")
    return "That is all."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("claude")


@pytest.mark.proves("report-27", "report-37")
async def test_it_finds_the_tools_acts_is_refused_and_is_handed_lines_and_pictures_themselves(
    home: Path, fresh_desktop: NestedDesktop
) -> None:
    settings = written(home / "mcp.json", await configured(home, "json", fresh_desktop.name))
    seen: dict[str, Came] = {}
    with serving(errand(seen)) as (address, model):
        said = await done(
            home, "claude", "-p", "Write a note.", "--mcp-config", str(settings), "--strict-mcp-config",
            "--allowedTools", "mcp__deskhand", more={**QUIET, "ANTHROPIC_BASE_URL": address},
        )  # fmt: skip
    assert model.failure is None
    assert said.strip() == "That is all."
    assert {"act", "observe", "open"} <= found(seen["sought"])  # by who knows nothing of deskhand
    assert found(seen["search"]) == {*TOOLS}
    the_tools_are_given_as_they_are(seen["open"], fresh_desktop.name)
    what_was_done_is_told_in_our_lines(seen)
    the_picture_is_the_picture(seen["picture"])
    what_cannot_be_is_refused_with_the_way_on(seen)
    nobody_allowed_the_closing(seen["risky"], seen["after"], fresh_desktop)


def found(search: Came) -> set[str]:
    """Our tools among those that a search gave."""
    names = [block["tool_name"] for block in search.blocks if block["type"] == "tool_reference"]
    return {name.removeprefix("mcp__deskhand__") for name in names if name.startswith("mcp__deskhand__")}


def the_tools_are_given_as_they_are(first: Came, desktop: str) -> None:
    given = {tool["name"]: tool for tool in first.request["tools"]}
    for face in FACES:
        tool = given[f"mcp__deskhand__{face.name}"]
        assert tool["description"] == face.description.replace("…", "...")
        assert json.dumps(tool["input_schema"]) == json.dumps(face.schema, ensure_ascii=False).replace("…", "...")
    told = json.dumps(first.request, ensure_ascii=False)
    assert f'Drives the isolated desktop \\"{desktop}\\" (1280x1024).' in told.replace("\\\\", "\\")
    assert "How to work well here: resource skill://deskhand/SKILL.md, prompt deskhand." in told  # not cut short


def what_was_done_is_told_in_our_lines(seen: dict[str, Came]) -> None:
    assert re.match(r'started w\d+ "Untitled 1 - Mousepad" active\ns\d+ w', seen["open"].text)
    assert f'textbox: "" -> "{TEXT}" verified (accessibility)' in seen["write"].text
    assert seen["write"].text.startswith("done 1 of 1, ")
    assert f'textbox = "{TEXT}" focused' in seen["look"].text
    assert not any(seen[name].is_error for name in ("open", "write", "look", "picture"))


def the_picture_is_the_picture(came: Came) -> None:
    told = re.search(r"(\d+)x(\d+) @0,0,1280,1024", came.text)
    assert told
    [source] = came.images
    assert source["media_type"] == "image/png"
    picture = Image.open(io.BytesIO(base64.b64decode(source["data"])))
    assert picture.size == (int(told[1]), int(told[2]))
    colours = picture.convert("RGB").getcolors(1 << 24)
    assert colours
    assert len(colours) > 50  # an application, not an empty screen


def what_cannot_be_is_refused_with_the_way_on(seen: dict[str, Came]) -> None:
    assert seen["disabled"].is_error
    assert seen["disabled"].text.startswith("stopped at 1 of 1: disabled r")
    assert seen["gone"].is_error
    assert seen["gone"].text.startswith("stopped at 1 of 1: window_gone r")
    assert all("input no" in seen[name].text for name in ("disabled", "gone"))


def nobody_allowed_the_closing(risky: Came, after: Came, desktop: NestedDesktop) -> None:
    """Without its user Claude Code answers our question with a cancellation; a person can still allow the steps."""
    assert risky.is_error
    assert risky.text.startswith("confirmation_required: ")
    assert "nobody answered the question; nothing was sent; input no" in risky.text
    assert re.search(r"ask your user to run: \S*deskhand approve q\d+", risky.text)
    assert f'textbox = "{TEXT}"' in after.text
    windows = subprocess.run(
        ["xwininfo", "-root", "-tree"], env=dict(desktop.environment), capture_output=True, text=True, check=True
    ).stdout
    assert '"*Untitled 1 - Mousepad"' in windows


async def test_what_is_printed_for_it_connects(home: Path, fresh_desktop: NestedDesktop) -> None:
    command = await configured(home, "claude", fresh_desktop.name)
    await done(home, "sh", "-c", command, more=QUIET)
    listed = await done(home, "claude", "mcp", "list", more={**QUIET, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"})
    assert re.search(rf"^deskhand: .* mcp --desktop {fresh_desktop.name} - . Connected$", listed, re.MULTILINE), listed
