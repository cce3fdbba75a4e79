"""What a locator looks for, and how it says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from deskhand.desktop.semantics import matching, roles
from deskhand.desktop.semantics.quoting import quote
from deskhand.types.results import ElementInfo

Text = str | re.Pattern[str]
"""A text is compared whole, case and spaces aside; a compiled pattern is searched for."""
Kind = Literal["role", "text", "label"]


def same(wanted: Text, text: str, exact: bool) -> bool:
    """Whether ``text`` is what was wanted; where not ``exact``, whether it contains it."""
    if isinstance(wanted, re.Pattern):
        return wanted.search(text) is not None
    if exact:
        return matching.normal(wanted) == matching.normal(text)
    return matching.text_matches(wanted, text, "contains")


def shown(wanted: Text) -> str:
    """``"Save"`` or ``/Sa.e/``."""
    return f"/{wanted.pattern}/" if isinstance(wanted, re.Pattern) else quote(wanted)


@dataclass(frozen=True, slots=True)
class Query:
    """``role`` with or without a name; ``text``: anything that shows it; ``label``: the field that is called so."""

    kind: Kind
    role: str = ""
    name: Text | None = None
    exact: bool = True

    def fits(self, element: ElementInfo) -> bool:
        """Whether an element is one of those that are meant."""
        if self.kind == "role":
            return element.role == self.role and self._named(element.name, element.hint)
        if self.kind == "label":
            return element.role in roles.FIELDS and self._named(element.name, element.hint)
        value = element.value if isinstance(element.value, str) else ""
        return self._named(element.name, value)

    def _named(self, *texts: str) -> bool:
        return self.name is None or any(same(self.name, text, self.exact) for text in texts if text)

    def __str__(self) -> str:
        name = shown(self.name) if self.name is not None else ""
        if self.kind == "role":
            return f"{self.role} {name}".strip()
        return f"{self.kind} {name}"


def words(element: ElementInfo) -> str:
    """``r5 button "Save" disabled``; plain text is in quotes alone."""
    if not element.ref:
        return quote(element.name)
    value = f"= {quote(str(element.value)[:80])}" if element.value is not None else ""
    name = quote(element.name) if element.name else ""
    return " ".join(part for part in (element.ref, element.role, name, value, *element.states) if part)
