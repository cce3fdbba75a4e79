"""Text fields of three toolkits that tell what they hold, and the text that is worst to type."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.apps.x11_rig import PATIENCE, SYSTEM_PYTHON, Rig

PROGRAM = Path(__file__).parents[1] / "programs/text_field.py"
TOOLKITS = ("gtk3", "gtk4", "qt6")
SCRIPTS = (
    "Spaß àéîõü ÀÉÎÕÜ çÇ ñ Łódź řeka ő İı œŒ æ ø å Ð þ “x” „y“ ‚z‘ … – — € £ ¥ ½ § ° ",
    "Привет, мир! Ёжик ещё ґєії Љубав ћ ў Καλημέρα κόσμε ΑΩ άώ ΐ ΰ ᾳ ἀ ς σ ",
    "مرحبا بالعالم ﷽ ٣٤ لا שָׁלוֹם עולם สวัสดีชาวโลก ไทย नमस्ते दुनिया क्षि ",
    "日本語の文章 漢字 かな カナ 中文测试 繁體字 안녕하세요 세계 한글 ",
    "👍🏽 👩\u200d👩\u200d👧 🇩🇪🇫🇷 😀 ☺\ufe0f 🏳\ufe0f\u200d🌈 ^ ` ´ ~ ¨ ° ¸ ˇ e\u0301 n\u0303 ",
    "@#{}[]|\\<>?/!\"$%&'()*+,-.:;=_`~ 0123456789 \t|\n",
)


def mixed_text(length: int = 2000) -> str:
    """``length`` characters of all scripts, emoji, dead keys, tabs and lines; the same every time."""
    dice, text = random.Random(5), "".join(SCRIPTS)
    words = [word for part in SCRIPTS for word in part.split(" ") if word]
    while len(text) < length:
        text += dice.choice(words) + dice.choice("  \n\t ")
    return text[: length - 1] + "."


@dataclass
class TextField:
    """A running text field, active."""

    rig: Rig
    process: asyncio.subprocess.Process
    toolkit: str

    async def text(self, command: str = "read") -> str:
        """What it holds, as it says itself."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command.encode() + b"\n")
        said: str = json.loads(await asyncio.wait_for(self.process.stdout.readline(), PATIENCE))
        return said

    async def clear(self) -> None:
        """Empty it."""
        assert await self.text("clear") == ""


@asynccontextmanager
async def text_field(made: Rig, toolkit: str, *more: str) -> AsyncIterator[TextField]:
    """Start one; it is killed afterwards."""
    python = sys.executable if toolkit == "qt6" else SYSTEM_PYTHON
    quiet = {"QT_LOGGING_RULES": "qt.text.font.db=false"}
    process = await asyncio.create_subprocess_exec(
        python, str(PROGRAM), toolkit, *more, env={**made.desktop.environment, **quiet},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 24,
    )  # fmt: skip
    try:
        window = await made.surface(lambda one: one.pid == process.pid and not one.popup, f"a field of {toolkit}")
        assert await made.windows.operate(window.xid, "activate")
        yield TextField(made, process, toolkit)
    finally:
        process.kill()
        await process.wait()
