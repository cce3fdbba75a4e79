"""Xarchiver (GTK3): a file archiver with a menu bar, a toolbar, a tree of folders, a list of files, and dialogs."""

from __future__ import annotations

import asyncio
import tarfile
from pathlib import Path

from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

FILES = 60
EXTRACT, PREFERENCES, TITLE = "Extract files", "Preferences", "kept.tar.gz"
LABEL = "the window's own count (AT-SPI)"


def archive(stage: Stage) -> Path:
    return stage.home / "kept.tar.gz"


async def prepare(stage: Stage) -> None:
    """An archive of many files and a folder in a folder."""
    (stage.home / "sub" / "inner").mkdir(parents=True)
    (stage.home / "sub" / "inner" / "deep.txt").write_text("deep")
    names = [f"f{number:02}.txt" for number in range(FILES)]
    for name in names:
        (stage.home / name).write_text(name * 10)
    with tarfile.open(archive(stage), "w:gz") as made:
        for name in ("sub", *names):
            made.add(stage.home / name, name)
    await stage.open(app="xarchiver", file=str(archive(stage)))


subject = Subject("archiver", "GTK3", prepare, title="Xarchiver", first=FirstView(450, 1.0))


async def files(stage: Stage) -> str:
    """The list's ref; the table before it is the tree of folders."""
    return await stage.ref("table", nth=1, window=stage.window)


async def counts(stage: Stage, part: str) -> None:
    """Wait until one of the window's labels says this."""

    async def said() -> list[str]:
        return [e.text or e.name for e in await stage.witness.elements(stage.pid, "label")]

    await stage.until(said, lambda labels: any(part in label for label in labels), f"a label says {part!r}")


async def located(stage: Stage, folder: str) -> None:
    await stage.until(lambda: stage.shows("text"), lambda seen: seen.text == folder, f"the location is {folder!r}")


async def there(stage: Stage, path: Path, text: str) -> None:
    def read() -> str:
        return path.read_text() if path.exists() else ""

    async def content() -> str:
        return await asyncio.to_thread(read)

    await stage.until(content, lambda found: found == text, f"{path.name} holds {text!r}")


@subject.row(
    "press", "Extract; its dialog is filled in and answered", "the files", also=("set", "append", "uncheck", "wait")
)
async def extract(stage: Stage) -> None:
    (stage.home / "out ß").mkdir()
    result = await stage.act(
        {"do": "press", "on": await stage.ref("button", "Extract")},
        {"do": "wait", "for": "window", "on": EXTRACT},
        {"do": "set", "on": {"role": "textbox", "nth": 1, "in": EXTRACT}, "value": str(stage.home / "out")},
        {"do": "append", "on": {"role": "textbox", "nth": 1, "in": EXTRACT}, "value": " ß"},
        {"do": "uncheck", "on": {"role": "checkbox", "name": "Ensure a containing directory"}},
        {"do": "press", "on": {"role": "button", "name": "Extract", "in": EXTRACT}},
        {"do": "wait", "for": "closed", "on": EXTRACT},
    )
    assert result.failure is None, result.text
    await there(stage, stage.home / "out ß" / "f07.txt", "f07.txt" * 10)
    await there(stage, stage.home / "out ß" / "sub" / "inner" / "deep.txt", "deep")


@subject.row("select", "two files by their names, one of them far below", LABEL)
async def select(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("select", on=table, items=["f03.txt", "f50.txt"])
    await counts(stage, "2 files selected")
    await stage.do("select", on=table, items=["f07.txt"])
    await counts(stage, "1 file selected (70.0 Bytes)")


@subject.row("key", "ctrl+A, then the list has the focus", f"{LABEL}; who is focused (AT-SPI)", also=("focus",))
async def key(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("focus", on=await stage.ref("textbox", "Location"), verdict=None)
    await stage.shows("text", None, "focused")
    await stage.do("focus", on=table)
    await stage.shows("text", None, without="focused")
    await stage.do("key", on=table, keys="ctrl+a", verdict=None)
    await counts(stage, f"{FILES} files and 1 dir selected")


@subject.row("click", "a double click on a folder's row that is scrolled away, then Up", "the location (AT-SPI)")
async def click(stage: Stage) -> None:
    await stage.do("select", on=await files(stage), items=["f00.txt"], verdict=None)  # of several it opens none
    await stage.do("scroll", on=await files(stage), to="bottom", verdict=None)
    await stage.do("click", on=f"{await files(stage)}[1]", count=2, verdict=None)
    await located(stage, "sub/")
    await stage.do("press", on=await stage.ref("button", "Up"), verdict=None)
    await located(stage, "")


@subject.row(
    "expand", "a folder of the tree, and collapsed again", "the tree's second row (AT-SPI)", also=("collapse",)
)
async def expand(stage: Stage) -> None:
    async def second() -> str:
        return (await stage.witness.cell(await stage.shows("tree table"), 1, 0)).text

    tree = await stage.ref("table")
    await stage.do("collapse", on=f"{tree}[1]", verdict=None)
    await stage.do("expand", on=f"{tree}[1]")
    await stage.until(second, lambda text: text == "inner", "the folder is open")
    await stage.do("expand", on=f"{tree}[1]", verdict="unchanged")
    await stage.do("collapse", on=f"{tree}[1]")


async def _offset(stage: Stage) -> float:
    bars = [e.number or 0.0 for e in await stage.witness.elements(stage.pid, "scroll bar")]
    return max(bars)


@subject.row("scroll", "the list to its end, to its start", "the scroll bar's number (AT-SPI)")
async def scroll(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("scroll", on=table, to="top", verdict=None)
    await stage.do("scroll", on=table, to="bottom")
    assert await _offset(stage) > 300
    await stage.do("scroll", on=table, to="top")
    assert await _offset(stage) == 0


@subject.row("menu", "Action > Delete, and its question answered", "the names in the archive", also=("expect",))
async def delete(stage: Stage) -> None:
    await stage.do("select", on=await files(stage), items=["f59.txt"], verdict=None)
    await stage.do("menu", path=["Action", "Delete"], expect={"for": "window", "on": "Question"}, verdict=None)
    await stage.do("press", on=await stage.ref("button", "OK"), verdict=None)

    async def names() -> list[str]:
        try:
            with tarfile.open(archive(stage)) as held:
                return held.getnames()
        except (tarfile.ReadError, EOFError):
            return ["f59.txt"]  # it is being written

    await stage.until(names, lambda held: "f59.txt" not in held and "f58.txt" in held, "it is deleted")
    await counts(stage, f"{FILES - 1} files and 1 dir")


@subject.row(
    "check", "a section of the preferences, an icon; a box in it", "the box (AT-SPI)", also=("select", "uncheck")
)
async def preferences(stage: Stage) -> None:
    await stage.do("menu", path=["Action", "Preferences"], verdict=None)
    await stage.window_is(PREFERENCES, lambda c: c.active, "the dialog")
    await stage.do("select", on=await stage.ref("listbox"), items=["Advanced"])
    box = await stage.ref("checkbox", "Save window geometry")
    await stage.do("check", on=box)
    await stage.shows("check box", "Save window geometry", "checked")
    await stage.do("uncheck", on=box)
    await stage.shows("check box", "Save window geometry", without="checked")
    await stage.do("press", on=await stage.ref("button", "Cancel"), verdict=None)
    await dialog_gone(stage, PREFERENCES)


@subject.row("type", "the name of a new archive, with its ending; the dialog is left", "the field's text (AT-SPI)")
async def type_name(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("button", "New"), verdict=None)
    await stage.window_is("Create a new archive", lambda c: c.active, "the dialog")
    field = await stage.ref("textbox", "Name")
    await stage.do("key", on=field, keys="ctrl+a", verdict=None)
    await stage.do("type", on=field, value="Größe Ж.tar")

    async def texts() -> list[str]:
        return [e.text for e in await stage.witness.elements(stage.pid, "text")]

    await stage.until(texts, lambda said: "Größe Ж.tar" in said, "the name")
    await stage.do("press", on=await stage.ref("button", "Cancel"), verdict=None)
    await dialog_gone(stage, "Create a new archive")


@subject.row("window", "move, resize, maximise, restore, minimise, activate", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, TITLE)


@subject.row("open", "another archive, in a tab; the first tab; the other one closed", "the window's title (X11)")
async def open_other(stage: Stage) -> None:
    with tarfile.open(stage.home / "other.tar", "w") as made:
        made.add(stage.home / "f01.txt", "f01.txt")
    await stage.do("open", app="xarchiver", file=str(stage.home / "other.tar"), verdict=None)
    await stage.window_is("other.tar", lambda c: c.active, "the other archive")
    tabs = await stage.ref("tablist")
    await stage.do("select", on=tabs, items=[TITLE])
    await stage.window_is(TITLE, lambda c: c.active, "the first archive")
    await stage.do("select", on=tabs, items=["other.tar"])
    await stage.do("menu", path=["Archive", "Close"], verdict=None)
    await stage.window_is(TITLE, lambda c: c.active, "the first archive")
    await stage.gone("page tab", "other.tar")
