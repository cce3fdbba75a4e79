"""Regular expressions bounded in time: what might take for ever is searched by a process that can be ended."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

from deskhand.types.errors import DeskhandError

SECONDS = 1.0
_REPEATS = re.compile(r"[*+?{]")
_BACKWARD = re.compile(r"\\[1-9]|\(\?P=")
_LONGEST = 5000
"""Characters of a text that one repeat is let loose on in this process."""
_CHILD = """\
import json, re, sys
pattern, texts = json.load(sys.stdin)
print(json.dumps([re.search(pattern, text) is not None for text in texts]))"""


def searched(pattern: str, texts: Sequence[str]) -> list[bool]:
    """Whether each text holds a match. Raises ``invalid_request`` for one that takes more than a second."""
    if _plain(pattern) and all(len(text) <= _LONGEST for text in texts):
        return [re.search(pattern, text) is not None for text in texts]
    try:
        ran = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD], input=json.dumps([pattern, list(texts)]), text=True,
            capture_output=True, timeout=SECONDS, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        message = "the regular expression takes too long; write a simpler one, or match contains"
        raise DeskhandError("invalid_request", message) from error
    found: list[bool] = json.loads(ran.stdout)
    return found


def _plain(pattern: str) -> bool:
    """At most one repeat, of what has no alternatives, nothing referred back to: at most the text's length squared."""
    repeats = len(_REPEATS.findall(pattern))
    return repeats == 0 or (repeats == 1 and "|" not in pattern and not _BACKWARD.search(pattern))
