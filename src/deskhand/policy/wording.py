"""Deskhand's own words about a step. Whatever an application says stands in JSON quotes."""

from __future__ import annotations

from deskhand.desktop.semantics.quoting import SHORT_TEXT, quote_cut
from deskhand.types.nodes import Node
from deskhand.types.protocols import PlannedStep
from deskhand.types.steps import Selector, Step


def quoted(text: str) -> str:
    """A JSON string of at most 80 characters of ``text``."""
    return quote_cut(text, SHORT_TEXT)


def described(plan: PlannedStep, *, secret: bool) -> str:
    """One line: number, verb, what is meant. ``secret``: the value is left out."""
    parts = [f"step {plan.index}", plan.step.do, *_own(plan.step, secret), *_target(plan)]
    if plan.window is not None:
        parts += ["in", quoted(plan.window.title)]
    return " ".join(part for part in parts if part)


def _own(step: Step, secret: bool) -> list[str]:
    """What the step itself carries: keys, a path, a value, a file. The caller's words, quoted like any other."""
    said: list[str] = []
    if step.keys is not None:
        said.append("keys" if secret else quoted(step.keys))
    if step.value is not None:
        said.append("a value" if secret else quoted(str(step.value)))
    if step.path is not None:
        said.append(" > ".join(quoted(part) for part in step.path))
    said += [quoted(part) for part in (step.op, step.action, step.app, step.file, step.url) if part is not None]
    return said


def _target(plan: PlannedStep) -> list[str]:
    if plan.element is not None:
        return ["on", plan.element.role, quoted(plan.element.name)]
    if isinstance(plan.step.on, Selector):
        return ["on", plan.step.on.role or "element", quoted(plan.step.on.name or "")]
    if plan.step.do in ("key", "type"):
        return ["with the focus unknown"]
    return []


def name_of(node: Node | None) -> str:
    """What a person would call it: its name, else its description, else its placeholder."""
    return "" if node is None else node.name or node.description or node.placeholder
