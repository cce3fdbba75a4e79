"""What a label orders: the risks of a button, menu item or link by its words alone."""

from __future__ import annotations

import re

from deskhand.policy import words
from deskhand.policy.labels import is_cjk, leads, plain, says, trails
from deskhand.policy.risks import Risk

_ARTICLES = (
    "the", "all", "selected", "this", "current", "these", "my", "your", "any", "every", "die", "den", "das", "alle",
    "ausgewählte", "ausgewählten", "aktuelle", "le", "la", "les", "l'", "el", "los", "las", "del", "toutes", "tous",
    "todas", "todos", "todo", "toutes les", "tous les", "todas las", "todos los", "all the",
)  # fmt: skip
_AND = re.compile(r"\s*[;&]\s+|\s+(?:&|and|then|und|et|y)\s+")
"""What stands between two orders of one label."""
_IN_DOCUMENTS = frozenset(["sparkline group"]) | frozenset(
    [
        "comment",
        "comments",
        "contents",
        "selection",
        "link",
        "links",
        "markierung",
        "la sélection",
        "la selección",
        "le lien",
        "lien",
        "enlace",
        "选区",
        "链接",
        "row",
        "rows",
        "column",
        "columns",
        "cell",
        "cells",
        "line",
        "lines",
        "word",
        "words",
        "character",
        "characters",
        "space",
        "spaces",
        "style",
        "styles",
        "background",
        "duplicates",
        "zeilen",
        "zeile",
        "spalten",
        "spalte",
        "zellen",
        "zelle",
        "wort",
        "zeichen",
        "lignes",
        "ligne",
        "colonnes",
        "colonne",
        "cellules",
        "mot",
        "filas",
        "fila",
        "columnas",
        "columna",
        "celdas",
        "celda",
        "palabra",
        "行",
        "列",
        "单元格",
    ]
)
"""Harmless to delete only where it can be undone: in a document. Elsewhere a row may be a record."""


def order_risks(label: str, *, editing: bool = False) -> set[Risk]:
    """The risks of doing what ``label`` says. ``editing``: in a program that edits documents, with an undo."""
    text = plain(label)
    found = {risk for part in _parts(text) for risk in _part_risks(part, editing)}
    searches = any(leads(text, word) for word in words.SEARCHES)  # what "Find and Replace" replaces is text
    return found - {"overwrite"} if searches else found


def _parts(text: str) -> list[str]:
    """A label, and where it orders several things ("Save and quit", "Yes, delete it") each of them by itself."""
    return [part for part in dict.fromkeys([text, _bare(text), *map(_bare, _AND.split(text))]) if part]


def _bare(text: str) -> str:
    """Without what is drawn around the words (arrows, crosses, brackets) and what only stresses them."""
    drawn = text.strip("".join({char for char in text if not (char.isalnum() or char in "'’")}))
    if not drawn:
        return text
    while (word := next((w for w in words.STRESSING if leads(drawn, w) and drawn != w), None)) is not None:
        drawn = drawn[len(word) :].strip(" ,:-")
    return drawn


def _part_risks(text: str, editing: bool) -> set[Risk]:
    if _turned(text):
        return set()
    found = {risk for risk in words.LEADING if _leading(text, risk, editing)}
    found |= {risk for risk in words.TRAILING if _trailing(text, risk, editing)}
    found |= {risk for risk, phrases in words.EXACT.items() if text in phrases and not (editing and text == "format")}
    return found - {"send"} if found & {"delete", "pay"} else found


def is_bare_order(label: str) -> bool:
    """Whether the whole label is one of the risky phrases, with no object: what content is seldom called."""
    text = plain(label)
    return any(text in phrases for table in (words.LEADING, words.EXACT) for phrases in table.values())


def _turned(text: str) -> bool:
    if any(leads(text, phrase) for phrase in words.STILL):
        return False
    return any(leads(text, phrase) for phrase in words.TURNED)


def _leading(text: str, risk: Risk, editing: bool) -> bool:
    for phrase in words.LEADING[risk]:
        if leads(text, phrase) and _harms(risk, phrase, text[len(phrase) :].strip(), editing):
            return True
        if is_cjk(phrase) and text.endswith(phrase) and _harms(risk, phrase, text[: -len(phrase)], editing):
            return not text.startswith(("已", "最近"))  # "deleted", "recently deleted": places, not orders
    return False


def _trailing(text: str, risk: Risk, editing: bool) -> bool:
    return any(
        trails(text, phrase) and _harms(risk, phrase, text[: -len(phrase)].strip(), editing)
        for phrase in words.TRAILING[risk]
    )


def _harms(risk: Risk, phrase: str, rest: str, editing: bool) -> bool:
    rest = _without_article(rest.strip(" -:"))
    if phrase in words.NARROW:
        return not rest or any(leads(rest, word) for word in words.NARROW[phrase])
    if not rest:
        return True
    harmless = [word for word in words.HARMLESS_OBJECTS[risk] if editing or word not in _IN_DOCUMENTS]
    return not any(leads(rest, word) or trails(rest, word) for word in harmless)


def _without_article(rest: str) -> str:
    for article in sorted(_ARTICLES, key=len, reverse=True):
        if leads(rest, article):
            return rest[len(article) :].strip()
    return rest


def closes(label: str) -> bool:
    """Whether it closes a window, tab or document."""
    text = plain(label)
    return (
        text in words.CLOSES or text.startswith(("close ", "fermer ", "cerrar ", "关闭")) or text.endswith(" schließen")
    )


def goes_ahead(label: str) -> bool:
    """Whether it means "do what this dialog asks"."""
    text = plain(label)
    return text in words.GO_AHEAD or any(
        leads(text, word) for word in ("yes", "ja", "oui", "sí", "continue", "confirm")
    )


def saves(label: str) -> bool:
    """Whether it saves: which loses nothing, but may overwrite."""
    return any(leads(plain(label), word) for word in words.SAVES)


def says_no(label: str) -> bool:
    """Whether it is a plain no."""
    return plain(label) in words.SAY_NO


def asked_by(text: str) -> set[Risk]:
    """The risks that a dialog's text speaks of."""
    low = text.casefold()
    return {risk for risk, phrases in words.DIALOG_SAYS.items() if says(low, phrases)}
