"""The scripted agent: what a model would do, with its reasons, by the tools alone."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from deskhand.cli.demonstration.checking import verify
from deskhand.cli.demonstration.hands import Answer, Hands
from deskhand.cli.demonstration.journal import Audience, Journal, Outcome, Phase, Step
from deskhand.cli.demonstration.reading import element_ref, grid_rows, named_rows, window_ref
from deskhand.desktop.semantics.quoting import tokens
from deskhand.types.errors import DeskhandError

DOCUMENT = "orders.ods"
NOTE = "summary.txt"
BESIDE = [600, 300, 640, 500]
"""Where the note goes, in pixels of the desktop: x, y, width, height."""
GATED = "confirmation_required"


class Agent:
    """Does the main job, then tries what it must not do.

    Args:
        hands: the tools.
        journal: where each step is written.
        audience: who is told.
        home: the desktop's home, where both files are.
        expected: the bytes that the note has to have.
    """

    def __init__(self, hands: Hands, journal: Journal, audience: Audience, home: Path, expected: bytes) -> None:
        self._hands, self._journal, self._audience = hands, journal, audience
        self._home, self._expected = home, expected
        self._window = self._text = ""

    async def run(self, day: datetime.date, *, leave_open: bool = False) -> None:
        """All phases. Raises ``DeskhandError`` at the first step that does not do what it was to do.

        Args:
            day: the note's date.
            leave_open: leave both applications as they are in the end.
        """
        rows = await self._read()
        await self._write(_summary(rows, day))
        await self._save()
        self._phase("Verify the file")
        await self._verify(
            "Compare the file, byte for byte",
            "What it has to say is computed from the source data, not from what was read.",
        )
        await self._misbehave(leave_open)

    async def _read(self) -> dict[int, list[str]]:
        self._phase("Read the spreadsheet")
        why = "Its totals are formulas without results: only LibreOffice can compute them."
        view = await self._call(
            "Open the orders in LibreOffice Calc", why, "open", {"app": "LibreOffice Calc", "file": f"~/{DOCUMENT}"}
        )
        why = "The table alone is enough, and much less to read than the whole window."
        asked = {"target": element_ref(view, "table")}
        return grid_rows(await self._call("Look at the cells", why, "observe", asked))

    async def _write(self, summary: str) -> None:
        self._phase("Write the note")
        view = await self._call(
            "Open Mousepad", "The summary goes into a plain text note.", "open", {"app": "mousepad"}
        )
        self._window, self._text = window_ref(view), element_ref(view, "textbox")
        await self._act(
            "Put the note beside the table, and write the summary",
            "set replaces the whole text, and reads it back.",
            {"do": "window", "on": self._window, "op": "move", "rect": BESIDE},
            {"do": "set", "on": self._text, "value": summary},
        )

    async def _save(self) -> None:
        self._phase("Save it through menu and dialog")
        dialog = await self._act(
            "File > Save As…",
            "One step walks the whole menu; it counts as done only if the dialog appears.",
            {"do": "menu", "path": ["File", "Save As…"], "expect": {"for": "window", "on": "Save As"}},
        )
        await self._act(
            "Fill in the name and press Save",
            "Two steps in one call; the second counts as done only if the file is on disk.",
            {"do": "set", "on": element_ref(dialog, "textbox", "Name"), "value": NOTE},
            {"do": "press", "on": element_ref(dialog, "button", "Save"), "expect": {"file": {"path": f"~/{NOTE}"}}},
        )

    async def _misbehave(self, leave_open: bool) -> None:
        self._phase("Try what needs a person's consent")
        why = "Now there is something that could be lost."
        await self._act("Change the note", why, {"do": "append", "on": self._text, "value": "Not saved yet\n"})
        why = "That would lose the change: the gate has to stop it before anything is sent."
        await self._act("Close the changed note", why, self._closing, gated=True)
        await self._overwrite()
        await self._verify("Compare the file again", "Refused means that nothing was sent: the file is as it was.")
        why = "The change was only for show."
        await self._act("Undo the change", why, {"do": "key", "keys": "ctrl+z", "on": self._text})
        if not leave_open:
            await self._close()

    async def _close(self) -> None:
        why = "The very step that was refused. Now nothing would be lost, so nobody is asked."
        await self._act("Close the note", why, self._closing)
        why = "It was only read; nothing is lost here either."
        await self._act("Close the spreadsheet", why, {"do": "window", "on": DOCUMENT, "op": "close"})

    @property
    def _closing(self) -> Mapping[str, Any]:
        return {"do": "window", "on": self._window, "op": "close"}

    async def _overwrite(self) -> None:
        await self._act(
            "Save over the file that is there",
            "Opening the dialog and pressing Save are harmless, and done; Replace is not, and stops the batch.",
            {"do": "menu", "path": ["File", "Save As…"], "expect": {"for": "window", "on": "Save As"}},
            {"do": "press", "on": {"role": "button", "name": "Save"}},
            {"do": "press", "on": {"role": "button", "name": "Replace"}},
            gated=True,
        )
        cancel = {"do": "press", "on": {"role": "button", "name": "Cancel"}}
        await self._act("Cancel both dialogs", "No consent, no overwriting.", cancel, cancel)

    def _phase(self, title: str) -> None:
        self._journal.phases.append(Phase(title))
        self._audience.phase(len(self._journal.phases), title)

    async def _act(self, title: str, why: str, *steps: Mapping[str, Any], gated: bool = False) -> str:
        return await self._call(title, why, "act", {"steps": list(steps)}, gated=gated)

    async def _call(self, title: str, why: str, tool: str, arguments: Mapping[str, Any], gated: bool = False) -> str:
        """Tell, call, take a picture, write down. ``gated``: the gate has to refuse it."""
        number, asked = len(self._journal.steps) + 1, said(tool, arguments)
        self._audience.begins(number, title, why, asked)
        with self._audience.waiting("waiting for the answer"):
            answer = await self._hands.call(tool, arguments)
        right = GATED in answer.text if gated and answer.failed else not (gated or answer.failed)
        outcome: Outcome = "failed" if not right else "refused" if gated else "done"
        count = tokens(answer.text)
        picture = await self._hands.picture()
        self._ended(Step(number, title, why, asked, answer.text, outcome, answer.seconds, count, picture))
        if not right:
            raise _failed(number, title, answer)
        return answer.text

    async def _verify(self, title: str, why: str) -> None:
        number, asked = len(self._journal.steps) + 1, (f"read the bytes of ~/{NOTE} from disk",)
        self._audience.begins(number, title, why, asked)
        try:
            line = verify(self._home / NOTE, self._expected)
        except DeskhandError as error:
            self._ended(Step(number, title, why, asked, error.message, "failed", call=False))
            raise
        self._ended(Step(number, title, why, asked, line, "done", call=False))

    def _ended(self, step: Step) -> None:
        self._journal.phases[-1].steps.append(step)
        self._audience.ended(step)


def _failed(number: int, title: str, answer: Answer) -> DeskhandError:
    what = answer.text.partition("\n")[0] if answer.failed else "the gate let it pass without anybody's consent"
    return DeskhandError("expectation_failed", f"step {number}, {title}: {what}")


def said(tool: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """A call as a person reads it: the steps of a batch a line each."""
    if tool != "act":
        return (f"{tool} {_words(arguments)}",)
    steps: Sequence[Mapping[str, Any]] = arguments["steps"]
    return tuple(f"act {_words(step)}" if n == 0 else f"    {_words(step)}" for n, step in enumerate(steps))


def _words(fields: Mapping[str, Any]) -> str:
    parts = [json.dumps(value, ensure_ascii=False) if name != "do" else str(value) for name, value in fields.items()]
    return " ".join(part if name == "do" else f"{name}={part}" for name, part in zip(fields, parts, strict=True))


def _summary(rows: dict[int, list[str]], day: datetime.date) -> str:
    """The note, from what was read."""
    named = named_rows(rows)
    items = [number for number in rows if 1 < number < next(n for n, cells in rows.items() if cells[0] == "Net")]
    amounts = {name: f"{Decimal(named[name][3]):.2f}" for name in ("Net", "Tax", "Total")}
    values = {"Rows": len(items), "Quantity": named["Net"][1], **amounts}
    return f"Summary of {DOCUMENT}, {day}\n\n" + "".join(f"{name}: {value}\n" for name, value in values.items())
