"""What a consent was given for: the element of each step as the question showed it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deskhand.desktop.semantics import matching
from deskhand.policy.judging import risks_of
from deskhand.policy.wording import name_of
from deskhand.types.nodes import Ability, Node
from deskhand.types.protocols import PlannedStep
from deskhand.types.steps import Selector

_ANYWHERE = frozenset({"open", "clipboard", "wait"})
"""Verbs that mean no window."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A step's element, what a drag ends on, and their window, when the question was asked. ``None``: not there yet."""

    element: Node | None
    onto: Node | None
    window: str | None

    @classmethod
    def of(cls, plan: PlannedStep) -> Bound:
        """What the plan's step is bound to."""
        onto = plan.extra.get("to")
        element = None if plan.step.path else plan.element  # a menu path is bound by its names, level by level
        window = None if plan.step.do in _ANYWHERE or plan.window is None else plan.window.key
        return cls(element, onto if isinstance(onto, Node) else None, window)

    def holds(self, plan: PlannedStep) -> bool:
        """Whether the step about to be dispatched is on what the question showed."""
        live = Bound.of(plan)
        if live.window != self.window:
            return False
        if self.onto is not None and not _same(self.onto, live.onto):
            return False
        if self.element is not None and _same(self.element, live.element):
            return True
        if plan.step.on is None and plan.step.do in ("key", "type"):
            return _whatever_has_the_focus(plan)
        return self.element is None and _as_shown(plan, plan.element)


def _same(asked: Node, live: Node | None) -> bool:
    if live is None:
        return False
    remade = asked.can(Ability.FLEETING) and (asked.role, asked.name, asked.index) == (live.role, live.name, live.index)
    return asked.key == live.key or remade


def _whatever_has_the_focus(plan: PlannedStep) -> bool:
    """Whether the keys do what they do wherever the focus is: Ctrl+Q quits from every field."""
    return risks_of(plan) <= risks_of(replace(plan, element=None, default=None, peers=()))


def _as_shown(plan: PlannedStep, live: Node | None) -> bool:
    """Whether the element that was not there yet is the one that the question named, by its role and name."""
    if live is None:
        return True
    on, path = plan.step.on, plan.step.path
    if isinstance(on, Selector):
        return on.role in (None, live.role) and (on.name is None or not name_of(live) or _named(on, name_of(live)))
    return path is not None and any(matching.same_item(name, name_of(live) or live.text or "") for name in path)


def _named(selector: Selector, name: str) -> bool:
    wanted = selector.name or ""
    alike = selector.match == "exact" and matching.normal(wanted) == matching.normal(name)
    return alike or matching.text_matches(wanted, name, selector.match)
