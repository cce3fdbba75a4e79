"""The report: one HTML file that needs nothing else, pictures inside."""

from __future__ import annotations

import base64
import html
import io
from importlib.resources import files
from pathlib import Path
from string import Template

from PIL import Image

from deskhand.cli.demonstration.colouring import words
from deskhand.cli.demonstration.journal import Journal, Phase, Step

_QUALITY = 82
_OUTCOMES = {"done": "done", "refused": "refused by the gate", "failed": "failed"}


def write_report(path: Path, journal: Journal) -> None:
    """Write it, with the folders above it. Raises ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(journal), encoding="utf-8")


def page(journal: Journal) -> str:
    """The whole file."""
    template = Template((files("deskhand.cli.demonstration") / "report.html").read_text(encoding="utf-8"))
    return template.substitute(
        state="failed" if journal.failure else "good",
        verdict=html.escape(
            journal.failure or "The file is right, byte for byte, and nothing was done without consent."
        ),
        day=html.escape(journal.day),
        facts="".join(_fact(name, value) for name, value in journal.facts.items()),
        note=html.escape(journal.note),
        rows="".join(_row(number, phase) for number, phase in enumerate(journal.phases, 1)),
        together=_cells(journal.phases),
        opening=f"{journal.opening_tokens:,}",
        phases="".join(_phase(number, phase) for number, phase in enumerate(journal.phases, 1)),
    )


def _fact(name: str, value: str) -> str:
    return f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>"


def _row(number: int, phase: Phase) -> str:
    return f'<tr><th scope="row"><a href="#phase-{number}">{html.escape(phase.title)}</a></th>{_cells([phase])}</tr>'


def _cells(phases: list[Phase]) -> str:
    calls, tokens = sum(phase.calls for phase in phases), sum(phase.tokens for phase in phases)
    if not calls:
        return "<td>–</td><td>–</td><td>–</td>"
    return f"<td>{calls}</td><td>{tokens:,}</td><td>{sum(phase.seconds for phase in phases):.1f}</td>"


def _phase(number: int, phase: Phase) -> str:
    steps = "".join(_step(step) for step in phase.steps)
    return f'<section id="phase-{number}"><h2><span>{number}</span>{html.escape(phase.title)}</h2>{steps}</section>'


def _step(step: Step) -> str:
    return (
        f'<article class="{step.outcome}" id="step-{step.number}">'
        f"<header><h3>{step.number}. {html.escape(step.title)}</h3><p>{html.escape(step.why)}</p></header>"
        f'<div class="told"><h4>Asked</h4><pre class="asked">{html.escape(chr(10).join(step.asked))}</pre>'
        f"<h4>Came back</h4><pre>{_lines(step.answer)}</pre>"
        f'<p class="took"><b>{_OUTCOMES[step.outcome]}</b> · {step.took}</p></div>{_picture(step)}</article>'
    )


def _lines(answer: str) -> str:
    return "\n".join("".join(_word(kind, word) for kind, word in words(line)) for line in answer.splitlines())


def _word(kind: str, word: str) -> str:
    return f'<i class="{kind}">{html.escape(word)}</i>' if kind else html.escape(word)


def _picture(step: Step) -> str:
    if step.picture is None:
        return ""
    about = f"The desktop after step {step.number}"
    return (
        f'<label class="shot"><input type="checkbox" aria-label="Enlarge">'
        f'<img alt="{about}" title="{about}; click to enlarge" src="{_inline(step.picture)}"></label>'
    )


def _inline(picture: bytes) -> str:
    """The picture as a data address, a fifth of the PNG's size."""
    small = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").save(small, "WEBP", quality=_QUALITY)
    return f"data:image/webp;base64,{base64.b64encode(small.getvalue()).decode()}"
