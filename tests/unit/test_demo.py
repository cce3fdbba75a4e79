"""The demo's parts: that it tells wrong from right, reads lines as a model would, and needs nothing for its report."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from typer.testing import CliRunner

from deskhand import isolation
from deskhand.cli.demonstration.checking import expected_note, verify
from deskhand.cli.demonstration.document import ORDERS, Order, totals, write_document
from deskhand.cli.demonstration.hands import Answer, Hands
from deskhand.cli.demonstration.journal import Journal, Phase, Step
from deskhand.cli.demonstration.performance import server_environment
from deskhand.cli.demonstration.reading import element_ref, grid_rows, named_rows, window_ref
from deskhand.cli.demonstration.report import page
from deskhand.cli.demonstration.script import Agent
from deskhand.cli.main import app
from deskhand.types.errors import DeskhandError

DAY = datetime.date(2026, 11, 30)
VIEW = """\
started w2 "orders.ods - LibreOffice Calc" active
s4 w2 "orders.ods - LibreOffice Calc" active; 100/867
r9 menubar: r1 "File", r2 "Edit"
r3 table "Sheet Orders" 1048576x16384 used A1:D13 view A1:M46 focused
# A,B,C,D
1 "Item","Quantity","Price","Amount"
2* "Notebook, \\"A5\\"",120,3.45,414
11 "Net",770,,2294.6
12 "Tax",,,458.92
r20 button "Save"
"""


def test_totals_are_those_of_the_orders() -> None:
    orders = [Order("Pen", 3, Decimal("1.10")), Order("Ink", 2, Decimal("0.35"))]
    assert totals(orders) == {"Quantity": "5", "Net": "4.00", "Tax": "0.80", "Total": "4.80"}


def test_the_note_is_known_to_the_last_byte() -> None:
    assert expected_note("orders.ods", ORDERS, DAY) == (
        b"Summary of orders.ods, 2026-11-30\n\nRows: 8\nQuantity: 770\nNet: 2294.60\nTax: 458.92\nTotal: 2753.52\n"
    )


def test_the_document_holds_formulas_and_no_results(tmp_path: Path) -> None:
    write_document(tmp_path / "orders.ods")
    with zipfile.ZipFile(tmp_path / "orders.ods") as archive:
        assert archive.infolist()[0].filename == "mimetype"
        content = archive.read("content.xml").decode()
    ElementTree.fromstring(content)
    formulas = [cell for cell in re.findall(r"<table:table-cell[^>]*>", content) if "table:formula" in cell]
    assert len(formulas) == len(ORDERS) + 4
    assert not [cell for cell in formulas if "office:value" in cell]


def test_a_right_file_passes(tmp_path: Path) -> None:
    note = tmp_path / "summary.txt"
    note.write_bytes(b"Total: 1\n")
    assert verify(note, b"Total: 1\n") == "summary.txt: 9 bytes, every one as expected"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (b"Total: 2\n", "line 1, byte 7: expected '1\\n', found '2\\n'"),
        (b"Total: 1", "line 1, byte 8: expected '\\n', found the end of the file"),
        (b"Total: 1\n\n", "line 2, byte 9: expected the end of the file, found '\\n'"),
        (b"Total: 1\r\n", "line 1, byte 8"),
        (b"", "line 1, byte 0"),
        (None, "cannot be read"),
    ],
)
def test_a_wrong_file_fails_and_is_told_where(tmp_path: Path, found: bytes | None, said: str) -> None:
    note = tmp_path / "summary.txt"
    if found is not None:
        note.write_bytes(found)
    with pytest.raises(DeskhandError, match="expectation_failed") as failure:
        verify(note, b"Total: 1\n")
    assert said in failure.value.message


def test_refs_and_cells_are_taken_out_of_lines() -> None:
    assert window_ref(VIEW) == "w2"
    assert element_ref(VIEW, "table") == "r3"
    assert element_ref(VIEW, "button", "Save") == "r20"
    rows = grid_rows(VIEW)
    assert list(rows) == [1, 2, 11, 12]
    assert rows[2] == ['Notebook, "A5"', "120", "3.45", "414"]
    assert named_rows(rows)["Net"] == ["Net", "770", "", "2294.6"]
    assert named_rows(rows)["Tax"] == ["Tax", "", "", "458.92"]


def test_what_a_view_does_not_hold_is_not_found() -> None:
    with pytest.raises(DeskhandError, match='button "Open"'):
        element_ref(VIEW, "button", "Open")


class FakeHands(Hands):
    """Answers from a list, one answer a call."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        return self._answers.pop(0)

    async def picture(self) -> bytes | None:
        return None


class Silent:
    """An audience that listens."""

    def phase(self, number: int, title: str) -> None:
        pass

    def begins(self, number: int, title: str, why: str, asked: tuple[str, ...]) -> None:
        pass

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        yield

    def ended(self, step: Step) -> None:
        pass


SHEET = f'{VIEW.partition("r20")[0]}13 "Total",,,2753.52\n'
EDITOR = 'started w3 "Untitled 1 - Mousepad" active\ns9 w3 "Untitled 1 - Mousepad" active; 2/9\nr30 textbox focused'
DIALOG = 'done 1 of 1, 9 ms\ns11 w4 "Save As" active modal; 2/9\nr40 textbox "Name" = ""\nr41 button "Save" disabled'
UP_TO_SAVING = tuple(Answer(text, False, 0.1) for text in (SHEET, SHEET, EDITOR, "done 2 of 2", DIALOG, "done 2 of 2"))


def agent(home: Path, *answers: Answer) -> tuple[Agent, Journal]:
    journal = Journal(DAY.isoformat())
    return Agent(FakeHands(*answers), journal, Silent(), home, expected_note("orders.ods", ORDERS, DAY)), journal


async def test_a_file_that_is_not_right_ends_the_demo(tmp_path: Path) -> None:
    (tmp_path / "summary.txt").write_bytes(expected_note("orders.ods", ORDERS, DAY).replace(b"2753.52", b"2753.53"))
    runner, journal = agent(tmp_path, *UP_TO_SAVING)
    with pytest.raises(DeskhandError, match=r"summary\.txt is not right: line 7"):
        await runner.run(DAY)
    assert journal.steps[-1].outcome == "failed"


async def test_a_call_that_fails_ends_the_demo_and_is_named(tmp_path: Path) -> None:
    refused = Answer("not_found: no file; input no\nmore", True, 0.1)
    runner, journal = agent(tmp_path, refused)
    with pytest.raises(DeskhandError, match=r"step 1, .*: not_found: no file; input no$"):
        await runner.run(DAY)
    assert [step.outcome for step in journal.steps] == ["failed"]


@pytest.mark.parametrize(
    "answer", [Answer("done 1 of 1", False, 0.1), Answer("internal: broken; input unknown", True, 0.1)]
)
async def test_only_the_gates_refusal_counts_as_refused(tmp_path: Path, answer: Answer) -> None:
    (tmp_path / "summary.txt").write_bytes(expected_note("orders.ods", ORDERS, DAY))
    runner, journal = agent(tmp_path, *UP_TO_SAVING, Answer("done 1 of 1", False, 0.1), answer)
    with pytest.raises(DeskhandError, match="step 9, Close the changed note"):
        await runner.run(DAY)
    assert journal.steps[-1].outcome == "failed"


def journal_with_a_picture() -> Journal:
    picture = io.BytesIO()
    Image.new("RGB", (8, 6), "navy").save(picture, "PNG")
    journal = Journal(DAY.isoformat(), note="Total: 1 < 2\n")
    answer = '1 set r3 textbox: "" -> "<script>alert(1)</script> $day" verified'
    journal.phases.append(
        Phase("Write", [Step(1, "Set", "Why", ("act set",), answer, "done", 1, 9, picture.getvalue())])
    )
    return journal


def test_the_report_needs_nothing_else_and_what_an_application_says_is_only_text() -> None:
    text = page(journal_with_a_picture())
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; $day" in text
    assert "Total: 1 &lt; 2" in text
    assert text.count("data:image/webp;base64,") == 1
    outside = r"""(?:https?:)?//[a-z]|url\(|@import|src="(?!data:)|href="(?!#|data:)"""
    assert not re.findall(outside, re.sub(r"base64,[^\"]*", "", text))


def test_the_report_of_a_failed_demo_says_why() -> None:
    journal = journal_with_a_picture()
    journal.failure = 'step 1: "<b>"'
    assert '<p class="verdict failed">step 1: &quot;&lt;b&gt;&quot;</p>' in page(journal)


def test_nobodys_configuration_decides_what_the_demo_may_do() -> None:
    inside = {"XDG_CONFIG_HOME": "/in/config", "XDG_STATE_HOME": "/in/state", "HOME": "/in"}
    ours = {"DESKHAND_GATE_ALLOW": "overwrite", "XDG_CONFIG_HOME": "/ours", "HOME": "/home/me", "PATH": "/bin"}
    expected = {"HOME": "/home/me", "PATH": "/bin", "XDG_CONFIG_HOME": "/in/config", "XDG_STATE_HOME": "/in/state"}
    assert server_environment(ours, inside) == expected


@pytest.mark.proves("report-35")
def test_a_demo_without_a_desktop_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def start(*_: object, **__: object) -> None:
        raise DeskhandError("desktop_unavailable", "Xvfb is missing; run: deskhand doctor")

    monkeypatch.setattr(isolation, "start", start)
    ended = CliRunner().invoke(app, ["demo", "--report", str(tmp_path / "index.html")])
    assert ended.exit_code == 1
    assert ended.stderr == "✗ deskhand demo: desktop_unavailable: Xvfb is missing; run: deskhand doctor\n"
    assert not (tmp_path / "index.html").exists()
