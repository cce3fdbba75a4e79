"""What every text editor is asked alike, its file's bytes and its selection being the witnesses."""

from __future__ import annotations

from dataclasses import dataclass

from deskhand.types.results import Effect
from tests.apps.subjects.row import Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

LINES = "".join(f"line {n} of many words\n" for n in range(200))
NOTE = "note.txt"
LONG_WORD = "wholelinewordwholelinewordwholelinewordwholelinewordwholelineword"


@dataclass(frozen=True)
class Editor:
    """An editor whose only window shows ``NOTE``. ``role``: of its text, as the witness says it."""

    role: str
    thumb: tuple[str, str | None] = ("scroll bar", None)  # what tells how far the text is scrolled

    async def ref(self, stage: Stage) -> str:
        return await stage.ref("textbox", window=stage.window)

    async def area(self, stage: Stage) -> Seen:
        return await stage.shows(self.role)

    async def holds(self, stage: Stage, text: str) -> None:
        await stage.until(lambda: self.area(stage), lambda seen: seen.text == text, f"the editor holds {text[:40]!r}")

    async def fresh(self, stage: Stage, text: str) -> str:
        """The editor's ref, with this text in it and the focus on it."""
        ref = await self.ref(stage)
        await stage.do("set", on=ref, value=text, verdict=None)
        await stage.do("focus", on=ref, verdict=None)
        return ref

    async def saved(self, stage: Stage) -> bytes:
        """The note's bytes after ctrl+S, without the line end that the editor adds."""
        await stage.do("key", on=await self.ref(stage), keys="ctrl+s", verdict=None)
        await stage.window_is(NOTE, lambda window: window.title.startswith(NOTE), "the note is saved")
        return (stage.home / NOTE).read_bytes().removesuffix(b"\n")

    async def offset(self, stage: Stage) -> float:
        """How far the text is scrolled down, in pixels."""
        role, name = self.thumb
        numbers = [e.number for e in await stage.witness.elements(stage.pid, role) if name in (None, e.name)]
        return max(number or 0.0 for number in numbers)


def declare(subject: Subject, editor: Editor) -> None:
    """Add the rows of an editor to its application's."""
    _writing(subject, editor)
    _typing(subject, editor)
    _pointing(subject, editor)
    _waiting(subject, editor)


def _writing(subject: Subject, editor: Editor) -> None:
    @subject.row("set", "three lines with letters outside of ASCII, saved by ctrl+S", "the file's bytes")
    async def set_lines(stage: Stage) -> None:
        text = "Grüße, 日本語\n\tЖ 👍🏽\nend"
        await stage.do("set", on=await editor.ref(stage), value=text)
        assert await editor.saved(stage) == text.encode()
        await stage.do("set", on=await editor.ref(stage), value=text, verdict="unchanged")

    @subject.row("set", "5,000 characters in 100 lines, then nothing", "the file's bytes")
    async def set_much(stage: Stage) -> None:
        text = "".join(f"{n:04} {'x' * 44}\n" for n in range(100))
        await stage.do("set", on=await editor.ref(stage), value=text)
        assert await editor.saved(stage) == text.encode()
        await stage.do("set", on=await editor.ref(stage), value="")
        await editor.holds(stage, "")

    @subject.row("append", "a second line", "the file's bytes")
    async def append(stage: Stage) -> None:
        ref = await editor.fresh(stage, "one")
        await stage.do("append", on=ref, value="\ntwo ß")
        assert await editor.saved(stage) == "one\ntwo ß".encode()

    @subject.row("clipboard", "written, pasted; copied, read", "the editor's text (AT-SPI)")
    async def clipboard(stage: Stage) -> None:
        ref = await editor.fresh(stage, "")
        await stage.do("clipboard", op="write", value="päste")
        await stage.do("key", on=ref, keys="ctrl+v")
        await editor.holds(stage, "päste")
        await stage.do("set", on=ref, value="copied")
        await stage.do("key", on=ref, keys="ctrl+a", verdict=None)
        await stage.do("key", on=ref, keys="ctrl+c", verdict=None)
        read: Effect = await stage.do("clipboard", op="read")
        assert read.after == '"copied"'


def _typing(subject: Subject, editor: Editor) -> None:
    @subject.row("type", "letters outside of the layout at the caret", "the file's bytes")
    async def type_text(stage: Stage) -> None:
        ref = await editor.fresh(stage, "[]")
        await stage.do("select", on=ref, range=[1, 1])
        await stage.do("type", value="Zß👍日\tx")
        assert await editor.saved(stage) == "[Zß👍日\tx]".encode()

    @subject.row("key", "ctrl+A, then Delete", "the editor is empty (AT-SPI)")
    async def key(stage: Stage) -> None:
        ref = await editor.fresh(stage, "away with it")
        await stage.do("key", on=ref, keys="ctrl+a", verdict="changed")
        await stage.do("key", keys="Delete")
        await editor.holds(stage, "")

    @subject.row("select", "characters 4 to 7", "the selection (AT-SPI); typing replaces just it")
    async def select_text(stage: Stage) -> None:
        ref = await editor.fresh(stage, "one two three")
        await stage.do("select", on=ref, range=[4, 7])
        assert (await editor.area(stage)).selection == (4, 7)
        await stage.do("type", value="2")
        await editor.holds(stage, "one 2 three")


def _pointing(subject: Subject, editor: Editor) -> None:
    @subject.row("click", "a double click into a word", "the word is selected (AT-SPI)")
    async def click_word(stage: Stage) -> None:
        ref = await editor.fresh(stage, "\n".join([LONG_WORD] * 40))
        await stage.do("select", on=ref, range=[0, 0], verdict=None)
        await stage.do("click", on=ref, count=2, verdict="changed")
        await stage.until(
            lambda: editor.area(stage), lambda s: s.selection[1] - s.selection[0] == len(LONG_WORD), "a word"
        )

    @subject.row("drag", "from the editor's middle to the left", "characters are selected (AT-SPI)")
    async def drag(stage: Stage) -> None:
        ref = await editor.fresh(stage, "\n".join(["m" * 80] * 40))
        await stage.do("drag", on=ref, to=[-120, 0], verdict="changed")
        await stage.until(lambda: editor.area(stage), lambda s: s.selection[1] > s.selection[0], "a selection")

    @subject.row("scroll", "the editor to its end, up by 200 pixels, to its start", "how far it is scrolled (AT-SPI)")
    async def scroll(stage: Stage) -> None:
        ref = await editor.fresh(stage, LINES)
        await stage.do("select", on=ref, range=[0, 0], verdict=None)
        await stage.do("scroll", on=ref, to="top", verdict=None)
        await stage.do("scroll", on=ref, to="bottom")
        low = await editor.offset(stage)
        assert low > 1000
        await stage.do("scroll", on=ref, by=[0, -200])
        assert low - 1500 < await editor.offset(stage) < low
        await stage.do("scroll", on=ref, to="top")
        assert await editor.offset(stage) == 0
        await stage.do("scroll", on=ref, to="top", verdict="unchanged")


def _waiting(subject: Subject, editor: Editor) -> None:
    @subject.row("wait", "for a text, for a window that does not come", "the editor's text (AT-SPI); `wait_timeout`")
    async def wait(stage: Stage) -> None:
        ref = await editor.fresh(stage, "soon")
        result = await stage.act(
            {"do": "append", "on": ref, "value": " later"},
            {"do": "wait", "for": "value", "on": ref, "is": "later", "match": "contains"},
            {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
        )
        assert result.done == 2
        assert result.failure is not None
        assert result.failure.code == "wait_timeout"
        await editor.holds(stage, "soon later")

    @subject.row("expect", "a file's content after ctrl+S, and one that is not so", "the file's bytes")
    async def expect(stage: Stage) -> None:
        ref = await editor.fresh(stage, "kept")
        await stage.do("key", on=ref, keys="ctrl+s", expect={"file": {"path": NOTE, "contains": "kept"}})
        assert (stage.home / NOTE).read_text().strip() == "kept"
        wrong = {"file": {"path": NOTE, "contains": "lost"}, "timeout": 0.3}
        result = await stage.act({"do": "key", "on": ref, "keys": "Home", "expect": wrong})
        assert result.failure is not None
        assert result.failure.code == "expectation_failed"

    @subject.refuses(
        "check", "the editor", "a text field is neither on nor off", "`set` what it holds", "unsupported_action"
    )
    async def check_text(stage: Stage) -> None:
        assert (await stage.refused("check", on=await editor.ref(stage))).code == "unsupported_action"

    @subject.refuses(
        "expand", "the editor", "a text field has no levels", "`scroll` it, or `observe` it by `from` and `to`",
        "unsupported_action",
    )  # fmt: skip
    async def expand_text(stage: Stage) -> None:
        assert (await stage.refused("expand", on=await editor.ref(stage))).code == "unsupported_action"
