"""The examples run as they stand, each on a real application in an isolated desktop of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.apps]
ROOT = Path(__file__).parents[2]
DESKHAND = str(Path(sys.executable).with_name("deskhand"))


async def run(folder: Path, *command: str) -> str:
    """What an example prints; its records and settings stay in ``folder``."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DESKHAND_", "XDG_", "DISPLAY"))}
    environment = {
        **kept, "XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config"),
        "DESKHAND": DESKHAND,
    }  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 0, said.decode()
    return said.decode()


async def test_fill_a_dialog(tmp_path: Path) -> None:
    said = await run(tmp_path, sys.executable, "examples/fill_a_dialog.py", str(tmp_path / "note.txt"))
    assert said.splitlines()[-1].endswith("note.txt: Milk, bread, coffee.")
    assert (tmp_path / "note.txt").read_text(encoding="utf-8") == "Milk, bread, coffee.\n"


async def test_read_a_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "sales.fods").write_text(sheet([["Name", "Qty"], ["Tea", "3"], ["Süßholz, fein", "12"]]))
    said = await run(tmp_path, sys.executable, "examples/read_a_spreadsheet.py", str(tmp_path / "sales.fods"))
    assert said.splitlines()[-3:] == ["Name,Qty", "Tea,3", '"Süßholz, fein",12']


async def test_a_pytest_test_of_a_gui(tmp_path: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider")
    said = await run(tmp_path, sys.executable, "-m", "pytest", *options, "examples/test_calculator.py")
    assert "2 passed" in said


async def test_an_agents_loop(tmp_path: Path) -> None:
    said = await run(tmp_path, sys.executable, "examples/agent_loop.py")
    assert said.splitlines()[-1] == "done: The quick brown fox"
    assert '"" -> "The" verified' in said


async def test_read_a_text_file_as_a_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("Name,Qty\nTea,3\n")
    said = await run(tmp_path, sys.executable, "examples/read_a_spreadsheet.py", str(tmp_path / "sales.csv"))
    assert said.splitlines()[-2:] == ["Name,Qty", "Tea,3"]


async def test_a_shell_script(tmp_path: Path) -> None:
    said = await run(tmp_path, "examples/shell.sh")
    assert 'textbox = "hello from a shell" focused in w1' in said
    assert said.splitlines()[-1] == "closing unsaved work needs a person's consent"


def sheet(rows: list[list[str]]) -> str:
    """A flat OpenDocument spreadsheet."""
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    body = "".join(f"<table:table-row>{''.join(cell.format(text) for text in row)}</table:table-row>" for row in rows)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    kind = 'office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {spaces} {kind}><office:body><office:spreadsheet>'
        f'<table:table table:name="Sales">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document>"
    )
