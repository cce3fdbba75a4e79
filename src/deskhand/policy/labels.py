"""Reading labels: bringing them to one form, and matching phrases at word boundaries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_SHORTCUT = re.compile(r"\t.*$|\s{2,}(?:(?:ctrl|alt|shift|super|meta|cmd)\+)*\S{1,9}$", re.IGNORECASE)
_MNEMONIC_LETTER = re.compile(r"\s*\(\s*[_&]?[a-z0-9]\s*\)", re.IGNORECASE)  # 删除(D)
_ICON_NAME = re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+)+$")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})
_EDGES = " .…:!?*\u00a0"


def plain(label: str) -> str:
    """A label in comparable form: folded case, no mnemonics, no ellipsis, no shortcut, single spaces."""
    text = unicodedata.normalize("NFKC", label).translate(_QUOTES).casefold()
    text = "".join(char for char in text if unicodedata.category(char) != "Cf" or char == "\u200d")
    text = _MNEMONIC_LETTER.sub("", _SHORTCUT.sub("", text))
    if _ICON_NAME.match(text):
        text = text.removesuffix("-symbolic").replace("-", " ")
    text = re.sub(r"(?<![\w])[_&](?=\w)|(?<=\w)[_&](?=\w)", "", text)
    return " ".join(text.split()).strip(_EDGES)


def is_cjk(text: str) -> bool:
    """Whether the text is written without spaces between words."""
    return any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" for char in text)


def leads(text: str, phrase: str) -> bool:
    """Whether ``text`` begins with ``phrase`` as whole words (anywhere at the start for scripts without spaces)."""
    if not text.startswith(phrase):
        return False
    rest = text[len(phrase) :]
    return not rest or is_cjk(phrase) or not (rest[0].isalnum() or rest[0] in "_'-")


def trails(text: str, phrase: str) -> bool:
    """Whether ``text`` ends with ``phrase`` as whole words: where verbs stand last (German)."""
    if not text.endswith(phrase):
        return False
    before = text[: len(text) - len(phrase)]
    return not before or not (before[-1].isalnum() or before[-1] in "_'-")


def says(text: str, phrases: Iterable[str]) -> bool:
    """Whether any phrase stands in ``text`` as whole words."""
    return any(_stands(text, phrase) for phrase in phrases)


def _stands(text: str, phrase: str) -> bool:
    if is_cjk(phrase):
        return phrase in text
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None
