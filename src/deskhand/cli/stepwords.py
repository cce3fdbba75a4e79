"""Steps as a person types them: ``press r5``, ``set "Name" "two words"``, ``key ctrl+s``; and as JSON.

One step is a verb, what it needs in the order of ``ORDER``, and further fields as ``name=value``. A word may be bare,
or in double quotes (JSON's escapes), or in single quotes (as it stands). What is quoted is always text: a quoted
target is an element's name, never a ref; ``name=value`` in quotes is no field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, get_args

from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.semantics.refs import is_element_ref, is_window_ref
from deskhand.types.errors import DeskhandError
from deskhand.types.habits import translate_habits
from deskhand.types.steps import FIELDS, Verb

ORDER: Mapping[str, tuple[str, ...]] = {
    "press": ("on",), "click": ("on",), "hover": ("on",), "check": ("on",), "uncheck": ("on",), "expand": ("on",),
    "collapse": ("on",), "focus": ("on",), "set": ("on", "value"), "append": ("on", "value"), "type": ("value",),
    "key": ("keys",), "select": ("on", "items*"), "scroll": ("on", "to"), "drag": ("on", "to"), "menu": ("path*",),
    "invoke": ("on", "action"), "window": ("op", "on", "rect"), "clipboard": ("op", "value"), "open": ("what",),
    "wait": ("for", "on", "is"),
}  # fmt: skip
"""The words of each verb; ``*`` takes all that are left."""
_NUMBERS = ("by", "rect", "range", "to")
_SPOKEN = {"within": "in", "condition": "for", "awaited": "is"}
_FIELD = re.compile(r"([a-z]+)=")
_ROLE = re.compile(r"([a-z]+):(?!//)(.*)", re.DOTALL)
_HEAD = re.compile(r"[a-z]+[:=](?=\S)")
_LIST = re.compile(r"-?\d+(,-?\d+)+")
_WORD = re.compile(r"""[a-z]+=(?=[{\[])|[^\s"']+""")


@dataclass(frozen=True, slots=True)
class Word:
    """``text`` of which the first ``bare`` characters stood outside of quotes; ``data`` where it was JSON."""

    text: str
    bare: int
    data: Any = None

    @property
    def quoted(self) -> bool:
        """Whether it begins with a quote: it is text and nothing else."""
        return self.bare == 0 and self.data is None

    def after(self, count: int) -> Word:
        """Without its first characters."""
        return Word(self.text[count:], max(0, self.bare - count), self.data)


def read_steps(arguments: Sequence[str], stdin: TextIO) -> list[dict[str, Any]]:
    """The steps that arguments mean: words, JSON, ``-`` for stdin, ``@file``. Raises ``invalid_request``."""
    if len(arguments) > 1 and arguments[0] in (*ORDER, *_habits()):
        words = [_from_shell(text) for text in arguments[1:]]
        return [_step(arguments[0], words)]
    return [step for text in arguments for step in _read(text, stdin)]


def _habits() -> tuple[str, ...]:
    return ("fill", "hotkey", "double_click", "right_click", "toggle", "launch")


def _from_shell(text: str) -> Word:
    """A word whose quotes the shell has taken away: with a blank in it, it was quoted."""
    if text[:1] in ("{", "["):
        return Word("", 0, _json(text))
    if not text or not re.search(r"\s", text):
        return Word(text, len(text))
    head = _HEAD.match(text)
    return Word(text, head.end() if head else 0)


def _read(text: str, stdin: TextIO) -> list[dict[str, Any]]:
    if text == "-":
        return _many(stdin.read())
    if text.startswith("@"):
        try:
            return _many(Path(text[1:]).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise DeskhandError("invalid_request", f"cannot read {text[1:]}: {error}") from error
    return _many(text) if text.lstrip()[:1] in ("{", "[") else [parse(text)]


def _many(text: str) -> list[dict[str, Any]]:
    """JSON: a list of steps, one step, or an object with ``steps``; else one step a line, ``#`` begins a comment."""
    if text.lstrip()[:1] not in ("{", "["):
        lines = (line.strip() for line in text.splitlines())
        return [parse(line) for line in lines if line and not line.startswith("#")]
    data = _json(text)
    steps = data.get("steps", [data]) if isinstance(data, dict) else data
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise DeskhandError("invalid_request", 'steps are a JSON list of objects such as {"do": "press", "on": "r12"}')
    return steps


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise DeskhandError("invalid_request", f"this is not JSON: {error}") from error


def parse(text: str) -> dict[str, Any]:
    """One step in words. Raises ``invalid_request`` that says what to write instead."""
    verb, *words = list(_words(text)) or [Word("", 0)]
    return _step(verb.text, words)


def _words(text: str) -> Iterator[Word]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        word, at = _word(text, at)
        yield word


def _word(text: str, at: int) -> tuple[Word, int]:
    said, bare = "", 0
    while at < len(text) and not text[at].isspace():
        if text[at] in "{[" and (not said or said.endswith("=")):
            data, at = _decoded(text, at)
            return Word(said, len(said), data), at
        if text[at] in "\"'":
            piece, at = _quoted(text, at)
        else:
            found = _WORD.match(text, at)
            assert found is not None
            piece, at = found[0], found.end()
            bare += len(piece) if bare == len(said) else 0
        said += piece
    return Word(said, bare), at


def _quoted(text: str, at: int) -> tuple[str, int]:
    if text[at] == "'":
        end = text.find("'", at + 1)
        if end < 0:
            raise DeskhandError("invalid_request", f"a single quote is not closed in {quote(text)}")
        return text[at + 1 : end], end + 1
    value, end = _decoded(text, at)
    return str(value), end


def _decoded(text: str, at: int) -> tuple[Any, int]:
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, at)
    except ValueError as error:
        raise DeskhandError(
            "invalid_request", f"{quote(text[at:])} is no JSON ({error}); is a quote or bracket not closed?"
        ) from error


def _step(verb: str, words: list[Word]) -> dict[str, Any]:
    step: dict[str, Any] = translate_habits({"do": verb})
    name = step["do"]
    if name not in ORDER:
        raise DeskhandError("invalid_request", f"{quote(verb)} is no verb; there are {', '.join(get_args(Verb))}")
    fields = {_SPOKEN.get(field, field) for part in FIELDS[name] for field in part} | {"expect", "route"}
    places: list[Word] = []
    for word in words:
        found = _FIELD.match(word.text)
        if found and found.end() <= word.bare and found[1] in fields:
            step[found[1]] = _value(step, found[1], word.after(found.end()))
        else:
            places.append(word)
    _place(step, places)
    return step


def _place(step: dict[str, Any], words: list[Word]) -> None:
    """Put words where they belong by their order."""
    left = list(words)
    for place in ORDER[step["do"]]:
        if not left:
            return
        if place.endswith("*"):
            step[place[:-1]] = [word.text for word in left]
            return
        if place == "what":
            step |= opened([word.text for word in left])
            return
        step[place] = _value(step, place, left.pop(0))
    if left:
        wanted = " ".join(name.upper() for name in ORDER[step["do"]])
        said = quote(" ".join(word.text for word in left))
        raise DeskhandError(
            "invalid_request", f"{said} is too much; write: {step['do']} {wanted}, and quote what has blanks"
        )


def _value(step: Mapping[str, Any], field: str, word: Word) -> Any:
    if word.data is not None:
        return word.data
    if field == "file":
        return absolute(word.text)
    if field == "on" and not _of_a_window(step):
        return _target(word)
    if word.quoted or field not in _NUMBERS:
        return {"true": True, "false": False}.get(word.text, word.text) if field == "is" else word.text
    if _LIST.fullmatch(word.text):
        return [int(part) for part in word.text.split(",")]
    if field == "to" and not is_element_ref(word.text) and word.text not in ("top", "bottom", "view"):
        raise DeskhandError(
            "invalid_request", f"{quote(word.text)}: write a ref such as r12, x,y, or top, bottom, view"
        )
    return word.text


def _of_a_window(step: Mapping[str, Any]) -> bool:
    """Whether ``on`` is a window, which is named by its ref, its title or its application."""
    return step["do"] == "window" or step.get("for") in ("window", "closed")


def _target(word: Word) -> Any:
    if word.quoted:
        return {"name": word.text}
    if is_element_ref(word.text) or is_window_ref(word.text):
        return word.text
    role = _ROLE.fullmatch(word.text)
    if role and role.end(1) < word.bare:
        return {"role": role[1], "name": role[2]} if role[2] else {"role": role[1]}
    return {"name": word.text.removeprefix(":")}


def opened(words: Sequence[str]) -> dict[str, str]:
    """What is to be opened: a URL has ``://``, a path a ``/``; all else, and what stands before, is an application."""
    *before, last = words
    if "://" in last:
        return _with_app(before) | {"url": last}
    if "/" in last:
        return _with_app(before) | {"file": absolute(last)}
    return {"app": " ".join(words)}


def _with_app(words: Sequence[str]) -> dict[str, str]:
    return {"app": " ".join(words)} if words else {}


def absolute(path: str) -> str:
    """A path as the shell's user means it: the owner of a desktop has another working directory."""
    return str(Path(path).expanduser().absolute())
