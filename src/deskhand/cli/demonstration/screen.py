"""The demo on a terminal: readable at 100 columns, plain when piped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from deskhand.cli.demonstration.colouring import words
from deskhand.cli.demonstration.journal import Journal, Phase, Step

WIDTH = 100
LINES = 24
"""Lines of an answer that are shown; the report has them all."""
FIRST_LINES = 6
"""The same of a window that was opened: its head is enough."""
_INDENT = 4
_STYLES = {
    "": "", "string": "green", "ref": "cyan", "good": "bold green", "weak": "yellow", "bad": "bold yellow",
    "mark": "magenta",
}  # fmt: skip
_MARKS = {"done": ("✓", "bold green"), "refused": ("⊘", "bold yellow"), "failed": ("✗", "bold red")}
_ELEMENT = re.compile(r"^[+~-]? *(?:r\d+|(?!windows)[a-z]+:) ")


def console() -> Console:
    """Stdout, never wider than what can be read; no control codes when it is not a terminal."""
    plain = Console(highlight=False)
    return Console(highlight=False, width=min(plain.width, WIDTH) if plain.is_terminal else WIDTH)


class Screen:
    """An audience that prints."""

    def __init__(self, out: Console) -> None:
        self._out = out

    def say(self, text: str) -> None:
        """A line of the demo's own."""
        self._out.print(Text(text, style="dim"))

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Show that something takes its time; on a terminal only."""
        if not self._out.is_terminal:
            yield
            return
        with self._out.status(Text(what, style="dim")):
            yield

    def phase(self, number: int, title: str) -> None:
        """A rule with the phase's title."""
        self._out.print()
        self._out.print(Rule(Text(f"{number}  {title}", style="bold"), align="left", style="dim"))

    def begins(self, number: int, title: str, why: str, asked: tuple[str, ...]) -> None:
        """What is about to be done and why, and the call itself."""
        self._out.print()
        self._out.print(Text.assemble((f"{number:>2}  ", "bold blue"), (title, "bold")))
        self._indented(Text(why, style="italic"))
        for line in asked:
            mark = "  " if line.startswith(" ") else "→ "
            self._indented(Text(mark + line, style="blue"))

    def ended(self, step: Step) -> None:
        """The lines that came back, and what they took."""
        lines = step.answer.splitlines()
        limit = FIRST_LINES if step.asked[0].startswith("open ") and len(lines) > LINES else LINES
        for line in lines[:limit]:
            self._indented(coloured(line), crop=bool(_ELEMENT.match(line)))
        if len(lines) > limit:
            self._indented(Text(f"… {len(lines) - limit} more lines, all in the report", style="dim"))
        mark, style = _MARKS[step.outcome]
        self._indented(Text.assemble((f"{mark} ", style), (_took(step), "dim")))

    def _indented(self, text: Text, crop: bool = False) -> None:
        width = self._out.width - _INDENT
        if crop:
            text.truncate(width, overflow="ellipsis")
        for number, line in enumerate(text.wrap(self._out, width - (0 if crop else 2))):
            line.rstrip()
            self._out.print(Text(" " * (_INDENT if number == 0 else _INDENT + 2)) + line, soft_wrap=True)

    def table(self, journal: Journal) -> None:
        """What it all took, phase by phase."""
        self._out.print()
        table = Table(title=None, box=None, padding=(0, 2, 0, 0), header_style="bold", show_footer=True)
        table.add_column("Phase", "Together")
        for head, total in zip(("Calls", "Tokens read", "Seconds"), _sums(journal.phases), strict=True):
            table.add_column(head, total, justify="right")
        for number, phase in enumerate(journal.phases, 1):
            table.add_row(f"{number}  {phase.title}", *_sums([phase]))
        self._out.print(table)
        self.say(
            f"Tokens: what a model would have read, counted roughly. Instructions and tool definitions, read once: "
            f"{journal.opening_tokens:,}."
        )

    def verdict(self, good: str, bad: str) -> None:
        """How it ended: one line, on stderr when it is bad."""
        self._out.print()
        if bad:
            Console(stderr=True, highlight=False).print(
                Text(f"✗ deskhand demo: {bad}", style="bold red"), soft_wrap=True
            )
        else:
            self._out.print(Text(f"✓ {good}", style="bold green"), soft_wrap=True)


def coloured(line: str) -> Text:
    """A line of an answer in colours."""
    return Text.assemble(*((word, _STYLES[kind]) for kind, word in words(line)))


def _took(step: Step) -> str:
    return f"refused, as it has to be; {step.took}" if step.outcome == "refused" else step.took


def _sums(phases: list[Phase]) -> Iterator[str]:
    calls = sum(phase.calls for phase in phases)
    yield f"{calls}" if calls else "–"
    yield f"{sum(phase.tokens for phase in phases):,}" if calls else "–"
    yield f"{sum(phase.seconds for phase in phases):.1f}" if calls else "–"
