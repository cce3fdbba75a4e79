"""LibreOffice Writer: paragraphs, lists and tables of a document, toolbars, dialogs of tabs, lists and spin buttons."""

from __future__ import annotations

from pathlib import Path

from deskhand.types.results import Effect
from tests.apps.subjects import flat_odf as odf
from tests.apps.subjects.documents import context_menu, dialog, leave, paragraph, saved
from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

TITLE = "abilities.fodt"
LINES = (
    "bold here", "click me", "set me", "set twice", "append to me", "type here", "keys here", "select some words",
    "focus me", "spaced out", "upper case", "drag over me", "corrected", "clip this", "expect this", "hover me",
)  # fmt: skip
TRICKY = '1st -- "quoted" (c) teh i ... TWo ½ ß日👍'


async def prepare(stage: Stage) -> None:
    """A page of headings, paragraphs, a list and a table."""
    blocks = [odf.heading("The heading"), *map(odf.paragraph, LINES), odf.bullets("first item", "second item")]
    rows = [["Who", "For", "Note"], ["Ada", "3", ""], ["Björn", "2", "one\ntwo"]]
    odf.write_text(stage.home / TITLE, *blocks, odf.table("Votes", rows), odf.paragraph("the end"))
    await stage.open(file=TITLE)


subject = Subject("writer", "LibreOffice", prepare, title="LibreOffice Writer", first=FirstView(800, 1.0))


def file(stage: Stage) -> Path:
    return stage.home / TITLE


async def holds(stage: Stage, text: str) -> list[str]:
    """All paragraphs of the saved file, one of which is this."""
    return await saved(stage, file(stage), odf.paragraphs, lambda found: text in found)


async def select_all_of(stage: Stage, text: str) -> str:
    ref = await paragraph(stage, text)
    await stage.do("select", on=ref, range=[0, len(text)], verdict=None)
    return ref


async def witnessed(stage: Stage, text: str) -> Seen:
    """A paragraph as its application tells it."""
    found = await stage.witness.elements(stage.pid, "paragraph")
    return next(seen for seen in found if text in seen.text)


async def has_caret(stage: Stage, text: str) -> None:
    await stage.until(lambda: witnessed(stage, text), lambda seen: "focused" in seen.states, f"the caret is in {text}")


@subject.row("press", "Bold on selected characters, and off again", "the bold text in the saved file")
async def press(stage: Stage) -> None:
    await stage.do("select", on=await paragraph(stage, "bold here"), range=[0, 4])
    await stage.shows("toggle button", "Bold", without="checked")  # the toolbar comes after the heading that was left
    await stage.do("press", on=await stage.ref("toggle", "Bold"))
    await saved(stage, file(stage), odf.bold, lambda text: text == "bold")
    await stage.do("press", on=await stage.ref("toggle", "Bold"))
    await saved(stage, file(stage), odf.bold, lambda text: text == "")
    ref = await paragraph(stage, "bold here")
    await stage.do("hover", on=ref, verdict=None)  # away from the button's tooltip
    await stage.do("key", on=ref, keys="End", verdict=None)  # with a selection, Insert Table… would convert it


@subject.row("click", "a paragraph; a double click into a word", "its caret and selection (AT-SPI)")
async def click(stage: Stage) -> None:
    ref = await paragraph(stage, "click me")
    await stage.do("click", on=ref, verdict=None)
    await has_caret(stage, "click me")
    cell = f"{await stage.ref('table')}[A1]"
    await stage.do("click", on=cell, count=2, verdict=None)
    await stage.do("key", keys="Home", verdict=None)
    await has_caret(stage, "Who")


@subject.row("click", "the right button on a paragraph: its context menu", "the popup (X11)")
async def click_right(stage: Stage) -> None:
    await context_menu(stage, await paragraph(stage, "click me"), "Paste")


@subject.row("set", "a paragraph, a heading: text that Writer corrects when it is typed", "the saved file")
async def set_paragraph(stage: Stage) -> None:
    before = await holds(stage, "set me")
    await stage.do("set", on=await paragraph(stage, "set me"), value=TRICKY)
    await stage.do("set", on=await paragraph(stage, "The heading"), value="A heading -- really")
    after = await holds(stage, TRICKY)
    exchanged = {"set me": TRICKY, "The heading": "A heading -- really"}
    assert after == [exchanged.get(text, text) for text in before]
    await stage.do("set", on=await paragraph(stage, "A heading"), value="The heading")


@subject.row("set", "the same text twice: the second time nothing changes", "the saved file")
async def set_twice(stage: Stage) -> None:
    ref = await paragraph(stage, "set twice")
    await stage.do("set", on=ref, value="once")
    await stage.do("set", on=ref, value="once", verdict="unchanged")
    assert (await holds(stage, "once")).count("once") == 1
    await stage.do("set", on=ref, value="")
    await saved(stage, file(stage), odf.paragraphs, lambda found: "once" not in found)


@subject.row("set", "an item of a list, with its bullet and without", "the saved file")
async def set_item(stage: Stage) -> None:
    ref = await paragraph(stage, "first item")
    effect = await stage.do("set", on=ref, value="set item -- 1st")
    assert str(effect.after).endswith('set item -- 1st"')
    await stage.do("set", on=ref, value="set item -- 1st", verdict="unchanged")
    shown = next(e.value for e in (await stage.view(stage.window)).elements if e.ref == ref)
    assert shown != "set item -- 1st", "the bullet is shown"
    await stage.do("set", on=ref, value=str(shown).replace("1st", "2nd"))
    found = await holds(stage, "set item -- 2nd")
    assert "second item" in found
    await stage.do("append", on=ref, value="!")
    await holds(stage, "set item -- 2nd!")


@subject.row("set", "cells of a table, an empty one too", "the saved file")
async def set_cells(stage: Stage) -> None:
    table = await stage.ref("table")
    for place, value in (("B2", 42), ("2,3", '-- "new"'), ("A3", "")):
        await stage.do("set", on=f"{table}[{place}]", value=value)
    found = await saved(stage, file(stage), odf.cells, lambda cells: cells[1][2] != "")
    assert found == [["Who", "For", "Note"], ["Ada", "42", '-- "new"'], ["", "2", "one\ntwo"]]
    await stage.do("set", on=f"{table}[A3]", value="Björn")


@subject.row("set", "spin buttons and a name in a dialog: Insert Table", "the spin buttons (AT-SPI)")
async def set_number(stage: Stage) -> None:
    await dialog(stage, "Insert Table", "Table", "Insert Table…")
    await stage.do("set", on=await stage.ref("spinbutton", "Rows"), value=5)
    await stage.do("set", on=await stage.ref("textbox", "Name"), value="Neu")
    assert (await stage.shows("spin button", nth=0)).number == 5
    await leave(stage, "Insert Table")


@subject.row("append", "to a paragraph", "the saved file")
async def append(stage: Stage) -> None:
    await stage.do("append", on=await paragraph(stage, "append to me"), value=' -- "1st"')
    await holds(stage, 'append to me -- "1st"')


@subject.row("set", "lines: each becomes a paragraph, as by Return", "the saved file")
async def set_lines(stage: Stage) -> None:
    ref = await paragraph(stage, "append to me")
    await stage.refused("append", on=ref, value="a\nb", route="accessibility")
    await stage.do("append", on=ref, value='\nDear Sir,\n\nteh -- "first"\tone')
    found = await holds(stage, "Dear Sir,")
    at = found.index("Dear Sir,")
    assert found[at - 1].startswith("append to me")
    assert found[at + 1 : at + 3] == ["", 'teh -- "first"\tone']
    await stage.do("set", on=await paragraph(stage, "Dear Sir,"), value="Dear Madam,\nhello")
    found = await holds(stage, "Dear Madam,")
    at = found.index("Dear Madam,")
    assert found[at + 1 : at + 3] == ["hello", ""]


@subject.row("type", "text that Writer corrects, two paragraphs and words it would complete", "the saved file")
async def type_text(stage: Stage) -> None:
    ref = await paragraph(stage, "type here")
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("key", keys="End", verdict=None)
    await stage.do("type", on=ref, value=f" {TRICKY}\ncorrec\nteh -- TWo\n")
    found = await holds(stage, "correc")
    at = found.index("correc")
    assert found[at - 1 : at + 3] == [f"type here {TRICKY}", "correc", "teh -- TWo", ""]


@subject.row("type", "after a toggle of the toolbar was pressed: keys still go to the text", "the saved file")
async def type_after_press(stage: Stage) -> None:
    ref = await paragraph(stage, "focus me")
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("key", keys="End", verdict=None)
    for _ in range(2):
        await stage.do("press", on=await stage.ref("toggle", "Italic"))
    effect = await stage.do("type", value=" more")
    assert effect.target.startswith(ref), effect
    assert "focus me more" in await holds(stage, "focus me more")


@subject.row("type", "from cell to cell by Tab", "the saved file")
async def type_in_cells(stage: Stage) -> None:
    table = await stage.ref("table")
    await stage.do("set", on=f"{table}[A2]", value="", verdict=None)
    await stage.do("set", on=f"{table}[B2]", value="", verdict=None)
    await stage.do("type", on=f"{table}[A2]", value='teh "x"\tTWo --')
    found = await saved(stage, file(stage), odf.cells, lambda cells: cells[1][1] != "")
    assert found[1][:2] == ['teh "x"', "TWo --"]


@subject.row("type", "by keystrokes alone: what Writer makes of them is told as changed", "the saved file")
async def type_by_keys(stage: Stage) -> None:
    ref = await paragraph(stage, "corrected")
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("key", keys="End", verdict=None)
    effect = await stage.do("type", on=ref, value=' -- "x" ', route="keyboard", verdict="changed")
    found = await saved(stage, file(stage), odf.paragraphs, lambda all_of: "corrected" not in all_of)
    held = next(text for text in found if text.startswith("corrected"))
    assert held != 'corrected -- "x" '
    assert str(effect.after) == f'"{held}"'


@subject.row("key", "ctrl+End, shift+Home, Delete, ctrl+Z", "the saved file")
async def key(stage: Stage) -> None:
    ref = await paragraph(stage, "keys here")
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("key", keys="End", verdict=None)
    await stage.do("key", keys="shift+Left", count=4, verdict=None)
    await stage.do("key", keys="Delete")
    await holds(stage, "keys ")
    await stage.do("key", keys="ctrl+z")
    await holds(stage, "keys here")


@subject.row("select", "characters 7 to 11", "the selection (AT-SPI); typing replaces just it")
async def select_characters(stage: Stage) -> None:
    await stage.do("select", on=await paragraph(stage, "select some words"), range=[7, 11])
    await stage.until(
        lambda: witnessed(stage, "select some words"), lambda seen: seen.selection == (7, 11), "7 to 11 are selected"
    )
    await stage.do("type", value="few")
    await holds(stage, "select few words")


@subject.row("select", "a tab, an item of a combo box: line spacing", "the style in the saved file")
async def select_item(stage: Stage) -> None:
    await stage.do("click", on=await paragraph(stage, "spaced out"), verdict=None)
    await dialog(stage, "Paragraph", "Format", "Paragraph…")
    await stage.do("press", on=await stage.ref("tab", "Text Flow"))
    await stage.shows("page tab", "Text Flow", "selected")
    await stage.do("select", on=await stage.ref("tablist", nth=1), items=["Indents & Spacing"], verdict=None)
    await stage.do("select", on=await stage.ref("combobox"), items=["Double"])
    await stage.do("select", on=await stage.ref("combobox"), items=["Double"], verdict="unchanged")
    await leave(stage, "Paragraph", "OK")
    await saved(
        stage, file(stage), lambda path: odf.property_of(path, "spaced out", "fo", "line-height"), lambda v: v == "200%"
    )


@subject.row("select", "a row of a list: a table's style", "the row (AT-SPI)")
async def select_row(stage: Stage) -> None:
    await dialog(stage, "Insert Table", "Table", "Insert Table…")
    await stage.do("select", on=await stage.ref("table"), items=["Elegant"])
    await stage.shows("table cell", "Elegant", "selected")
    await leave(stage, "Insert Table")


@subject.row("check", "Formatting Marks in the toolbar; a box in a dialog", "toggle and box (AT-SPI)")
async def check(stage: Stage) -> None:
    marks = await stage.ref("toggle", "Formatting Marks")
    await stage.do("check", on=marks)
    await stage.shows("toggle button", "Formatting Marks", "checked")
    await stage.do("check", on=marks, verdict="unchanged")
    await stage.do("uncheck", on=marks)
    await dialog(stage, "Insert Table", "Table", "Insert Table…")
    await stage.do("check", on=await stage.ref("checkbox", "Heading"))
    await stage.shows("check box", "Heading", "checked")
    await leave(stage, "Insert Table")


@subject.row("uncheck", "a box in a dialog", "the box (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await dialog(stage, "Insert Table", "Table", "Insert Table…")
    await stage.do("check", on=await stage.ref("checkbox", "Heading"), verdict=None)
    await stage.do("uncheck", on=await stage.ref("checkbox", "Heading"))
    await stage.shows("check box", "Heading", without="checked")
    await leave(stage, "Insert Table")


@subject.row("expand", "the Format menu; a combo box of a dialog", "its popup is on the screen (X11)")
async def expand(stage: Stage) -> None:
    menu = await stage.ref("menu", "Format")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await dialog(stage, "Paragraph", "Format", "Paragraph…")
    box = await stage.ref("combobox")
    await stage.do("expand", on=box)
    await stage.popups(True)
    await stage.do("collapse", on=box)
    await stage.popups(False)
    await leave(stage, "Paragraph")


@subject.row("collapse", "the Format menu", "no popup is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "Format")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("focus", "one paragraph, then another", "who has the caret (AT-SPI)")
async def focus(stage: Stage) -> None:
    for text in ("focus me", "click me"):
        await stage.do("focus", on=await paragraph(stage, text))
        await has_caret(stage, text)


@subject.row("scroll", "a document of thirty pages to its end and back", "what shows of it (AT-SPI)")
async def scroll(stage: Stage) -> None:
    long = [odf.paragraph(f"line {n} " + "of many words " * 12) for n in range(700)]
    odf.write_text(stage.home / "long.fodt", *long)
    await stage.do("open", file="long.fodt")
    title = "long.fodt - LibreOffice Writer"
    document = await stage.ref("document", window=title)
    view = await stage.view(title)
    assert "… 0 pages above" in view.text
    await stage.do("scroll", on=document, by=[0, 2000])
    await stage.until(lambda: shown(stage), lambda texts: "line 0 " not in texts, "the first line is scrolled away")
    await stage.do("scroll", on=document, to="top")
    await stage.until(lambda: shown(stage), lambda texts: "line 0 " in texts, "the first line shows")
    await stage.do("window", on=title, op="close")
    await dialog_gone(stage, "long.fodt")
    await stage.do("window", on=stage.window, op="activate", verdict=None)


async def shown(stage: Stage) -> str:
    return "\n".join(seen.text for seen in await stage.witness.elements(stage.pid, "paragraph"))


@subject.row("menu", "Format > Text > UPPERCASE, level by level", "the saved file")
async def menu(stage: Stage) -> None:
    await select_all_of(stage, "upper case")
    await stage.do("menu", path=["Format", "Text", "UPPERCASE"], verdict=None)
    await holds(stage, "UPPER CASE")


@subject.row("menu", "Edit > Find and Replace…: Replace All", "the saved file")
async def replace_all(stage: Stage) -> None:
    before = await holds(stage, "second item")
    await dialog(stage, "Find and Replace", "Edit", "Find and Replace…")
    await stage.do("set", on=await stage.ref("textbox", "Find"), value="second item")
    await stage.do("set", on=await stage.ref("textbox", "Replace"), value="replaced item")
    await stage.do("press", on=await stage.ref("button", "Replace All"), verdict=None)
    await stage.do("press", on=await stage.ref("button", "Close"), verdict=None)
    await dialog_gone(stage, "Find and Replace")
    after = await holds(stage, "replaced item")
    assert after == [text.replace("second item", "replaced item") for text in before]


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Format", "Text of Gold"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    await stage.popups(False)


@subject.row("window", "move, maximise, restore, minimise, activate; a dialog closed", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, TITLE)
    await dialog(stage, "Word Count", "Tools", "Word Count…")
    await stage.do("window", on="Word Count", op="close")
    await dialog_gone(stage, "Word Count")


@subject.row("open", "a second document", "its window; one process only (X11)")
async def open_again(stage: Stage) -> None:
    odf.write_text(stage.home / "second.fodt", odf.paragraph("two"))
    await stage.do("open", file="second.fodt")
    await stage.window_is("second.fodt", lambda c: True, "its window")
    assert len({c.pid for c in await stage.witness.clients()}) == 1
    await stage.do("window", on="second.fodt - LibreOffice Writer", op="close")
    await dialog_gone(stage, "second.fodt")
    await stage.do("window", on=stage.window, op="activate", verdict=None)


@subject.row("wait", "for a paragraph's text, for a window that does not come", "the saved file")
async def wait(stage: Stage) -> None:
    ref = await paragraph(stage, "expect this")
    result = await stage.act(
        {"do": "set", "on": ref, "value": "expect that"},
        {"do": "wait", "for": "value", "on": ref, "is": "expect that"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.done == 2, result.text
    assert result.failure is not None
    assert result.failure.code == "wait_timeout"
    await holds(stage, "expect that")


@subject.row("expect", "a file's content after ctrl+S, and one that is not so", "the saved file")
async def expect(stage: Stage) -> None:
    ref = await paragraph(stage, "the end")
    await stage.do("append", on=ref, value=" unheard of")
    wanted = {"file": {"path": TITLE, "contains": "unheard of"}}
    await stage.do("key", on=ref, keys="ctrl+s", verdict=None, expect=wanted)
    assert "the end unheard of" in odf.paragraphs(file(stage))
    result = await stage.act({"do": "key", "on": ref, "keys": "ctrl+s", "expect": _not_so()})
    assert result.failure is not None
    assert result.failure.code == "expectation_failed"


def _not_so() -> dict[str, object]:
    return {"file": {"path": TITLE, "contains": "nothing of the kind"}, "timeout": 0.3}


@subject.row("hover", "a paragraph", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    ref = await paragraph(stage, "hover me")
    await stage.do("hover", on=ref, verdict=None)
    x, y, w, h = (await witnessed(stage, "hover me")).bounds
    pointer = await stage.witness.pointer()
    assert x <= pointer[0] < x + w
    assert y <= pointer[1] < y + h + 30  # LibreOffice tells what is its own one menu bar too high


@subject.row("drag", "over a paragraph's text", "characters are selected (AT-SPI)")
async def drag(stage: Stage) -> None:
    ref = await paragraph(stage, "drag over me")
    await stage.do("drag", on=ref, to=[-390, 0], verdict=None)
    await stage.until(
        lambda: witnessed(stage, "drag over me"), lambda seen: seen.selection[1] > seen.selection[0], "a selection"
    )
    await stage.do("key", keys="Home", verdict=None)


@subject.row("invoke", "the Format menu's own action", "its popup is on the screen (X11)")
async def invoke(stage: Stage) -> None:
    menu = await stage.ref("menu", "Format")
    await stage.do("invoke", on=menu, action="click", verdict="changed")
    await stage.popups(True)
    await stage.do("collapse", on=menu)


@subject.row("clipboard", "written, pasted; copied, read", "the saved file")
async def clipboard(stage: Stage) -> None:
    ref = await paragraph(stage, "clip this")
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("key", keys="End", verdict=None)
    await stage.do("clipboard", op="write", value=" päste")
    await stage.do("key", keys="ctrl+v", verdict=None)
    await holds(stage, "clip this päste")
    await stage.do("select", on=ref, range=[0, 4], verdict=None)
    await stage.do("key", keys="ctrl+c", verdict=None)
    read: Effect = await stage.do("clipboard", op="read")
    assert read.after == '"clip"'


@subject.cannot(
    "set", "a cell of two paragraphs", "a cell's ref means its one paragraph", "`click` the cell and `type`",
    "unsupported_action",
)  # fmt: skip
async def set_two(stage: Stage) -> None:
    failure = await stage.refused("set", on=f"{await stage.ref('table')}[C3]", value="gone?")
    assert failure.code == "unsupported_action"
    found = await saved(stage, file(stage), odf.cells, lambda cells: True)
    assert found[2][2] == "one\ntwo"


@subject.refuses(
    "check", "a paragraph", "it is neither on nor off", "`select` it and `press` a toggle", "unsupported_action",
)  # fmt: skip
async def check_a_paragraph(stage: Stage) -> None:
    assert (await stage.refused("check", on=await paragraph(stage, "hover me"))).code == "unsupported_action"


@subject.refuses(
    "expand", "a heading", "Writer shows all that is below it", "`scroll` the document", "unsupported_action"
)  # fmt: skip
async def expand_a_heading(stage: Stage) -> None:
    assert (await stage.refused("expand", on=await paragraph(stage, "The heading"))).code == "unsupported_action"
