"""LibreOffice Impress: slides in their panel, shapes and their text, notes, the sidebar, dialogs."""

from __future__ import annotations

from pathlib import Path

from tests.apps.subjects import flat_odf as odf
from tests.apps.subjects.documents import context_menu, dialog, leave, paragraph, saved
from tests.apps.subjects.flat_odf import Shape
from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

TITLE = "abilities.fodp"
SLIDES = [("Plan of the year", ["one", "two", "three"]), ("Numbers", ["first", "second"]), ("Thanks", ["bye"])]
TRICKY = '1st -- "quoted" (c) teh i ... TWo ½ ß日'


async def prepare(stage: Stage) -> None:
    """Three slides of a title, an outline and a box, with notes."""
    odf.write_slides(stage.home / TITLE, SLIDES)
    await stage.open(file=TITLE)


subject = Subject("impress", "LibreOffice", prepare, title="LibreOffice Impress", first=FirstView(950, 1.0))


async def kept(stage: Stage, slide: int, name: str, text: str) -> Shape:
    """A shape of the saved file (slides count from 1), once it holds this text."""

    def look(path: Path) -> Shape | None:
        return next((s for s in odf.slides(path)[slide - 1] if s.name == name), None)

    found = await saved(stage, stage.home / TITLE, look, lambda shape: shape is not None and shape.text == text)
    assert found is not None
    return found


async def box(stage: Stage) -> Shape:
    """The box of the first slide as it is saved."""
    found = await saved(stage, stage.home / TITLE, odf.slides, bool)
    return next(shape for shape in found[0] if shape.name == "Box 1")


async def to_slide(stage: Stage, number: int) -> str:
    """The slides panel, with a slide selected and shown."""
    panel = await stage.ref("listbox", window=stage.window)
    await stage.do("select", on=panel, items=[f"Slide {number}"], verdict=None)
    await stage.shows("panel", f"PageShape: Slide {number}")
    return panel


async def shape(stage: Stage, name: str) -> str:
    """A shape's ref, while nothing is written in."""
    await stage.do("key", on=await stage.ref("document", window=stage.window), keys="Escape", count=2, verdict=None)
    return await stage.ref("group", name, window=stage.window)


async def slide_count(stage: Stage, wanted: int) -> None:
    await saved(stage, stage.home / TITLE, odf.slides, lambda slides: len(slides) == wanted)


async def off_the_toolbar(stage: Stage) -> None:
    """Away from a button, so that its tooltip goes."""
    await stage.do("hover", on=await stage.ref("listitem", "Slide 1"), verdict=None)


async def written(stage: Stage, text: str) -> Seen | None:
    """A paragraph as its application tells it."""
    found = await stage.witness.elements(stage.pid, "paragraph")
    return next((seen for seen in found if text in seen.text), None)


@subject.row("press", "Duplicate Slide and Delete Slide in the toolbar", "the slides in the saved file")
async def press(stage: Stage) -> None:
    await to_slide(stage, 3)
    await stage.do("press", on=await stage.ref("button", "Duplicate Slide"), verdict=None)
    await slide_count(stage, 4)
    await stage.do("press", on=await stage.ref("button", "Delete Slide"), verdict=None)
    await slide_count(stage, 3)
    await to_slide(stage, 1)
    await off_the_toolbar(stage)


@subject.row("click", "a shape: it is selected; a slide in the panel", "shape and slide (AT-SPI)")
async def click(stage: Stage) -> None:
    await to_slide(stage, 1)
    await stage.do("click", on=await shape(stage, "Box 1"), verdict=None)
    await stage.shows("panel", "Box 1", "selected")
    await stage.do("click", on=await stage.ref("listitem", "Slide 2"), verdict=None)
    await stage.shows("panel", "Slide 2", "selected")
    await to_slide(stage, 1)


@subject.row("click", "the right button on a slide: its context menu", "the popup (X11)")
async def click_right(stage: Stage) -> None:
    await context_menu(stage, await stage.ref("listitem", "Slide 1"), "Duplicate Slide")


@subject.row("set", "a title and a line of the outline: text that Impress corrects when it is typed", "the saved file")
async def set_texts(stage: Stage) -> None:
    await to_slide(stage, 1)
    await stage.do("set", on=await paragraph(stage, "Plan of the year"), value=TRICKY)
    await stage.do("set", on=await paragraph(stage, "two"), value="zwei -- ß")
    await stage.do("set", on=await paragraph(stage, "zwei"), value="zwei -- ß", verdict="unchanged")
    await kept(stage, 1, "Title 1", TRICKY)
    await kept(stage, 1, "Outline 1", "one\nzwei -- ß\nthree")
    await stage.do("set", on=await paragraph(stage, "1st"), value="Plan of the year")
    await stage.do("set", on=await paragraph(stage, "zwei"), value="two")


@subject.row("set", "the notes of a slide", "the saved file")
async def set_notes(stage: Stage) -> None:
    await to_slide(stage, 1)
    await stage.do("menu", path=["View", "Notes"], verdict=None)
    await stage.do("set", on=await paragraph(stage, "note 1"), value="remember -- 1st")
    await saved(stage, stage.home / TITLE, odf.notes, lambda notes: notes[0] == "remember -- 1st")
    await stage.do("menu", path=["View", "Normal"], verdict=None)
    await stage.shows("panel", "PageShape: Slide 1")
    await off_the_toolbar(stage)


@subject.row("append", "to a line of the outline", "the saved file")
async def append(stage: Stage) -> None:
    await to_slide(stage, 2)
    await stage.do("append", on=await paragraph(stage, "second"), value=' -- "added"')
    await kept(stage, 2, "Outline 2", 'first\nsecond -- "added"')


@subject.row("type", "two lines into the outline, which Impress would correct", "the saved file")
async def type_text(stage: Stage) -> None:
    await to_slide(stage, 3)
    ref = await paragraph(stage, "bye")
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("key", keys="End", verdict=None)
    await stage.do("type", value=' teh -- "x"\nsecond -- TWo')
    await kept(stage, 3, "Outline 3", 'bye teh -- "x"\nsecond -- TWo')


@subject.row("key", "Page_Down and Page_Up go from slide to slide", "the slide (AT-SPI)")
async def key(stage: Stage) -> None:
    await to_slide(stage, 1)
    await shape(stage, "Box 1")
    await stage.do("key", keys="Next", verdict=None)
    await stage.shows("panel", "PageShape: Slide 2")
    await stage.do("key", keys="Prior", verdict=None)
    await stage.shows("panel", "PageShape: Slide 1")


@subject.row("select", "a slide by its name", "the slide (AT-SPI)")
async def select_slide(stage: Stage) -> None:
    panel = await to_slide(stage, 1)
    await stage.do("select", on=panel, items=["Slide 2"])
    await stage.shows("panel", "PageShape: Slide 2")
    await stage.do("select", on=panel, items=["Slide 2"], verdict="unchanged")
    await to_slide(stage, 1)


@subject.row("select", "an item of a combo box that tells what it holds only while open", "its list (AT-SPI)")
async def select_combo(stage: Stage) -> None:
    await to_slide(stage, 2)
    await shape(stage, "Box 2")
    background = await stage.ref("combobox", "Background")
    await stage.do("select", on=background, items=["Color"])
    await stage.do("select", on=background, items=["Color"], verdict="unchanged")
    await stage.do("expand", on=background)
    await stage.shows("table cell", "Color", "selected")
    await stage.do("collapse", on=background)
    await stage.do("set", on=background, value="None")


@subject.row("select", "a layout in the sidebar's list", "the list (AT-SPI)")
async def select_layout(stage: Stage) -> None:
    await to_slide(stage, 3)
    await shape(stage, "Box 3")
    layouts = await stage.ref("list", "Layouts")
    await stage.do("select", on=layouts, items=["Title Only"], verdict=None)
    await stage.shows("list item", "Title Only", "selected")


@subject.row("select", "characters of a line", "typing replaces just these (the saved file)")
async def select_characters(stage: Stage) -> None:
    await to_slide(stage, 1)
    ref = await paragraph(stage, "three")
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("select", on=await paragraph(stage, "three"), range=[0, 2])
    await stage.do("type", value="ww")
    await kept(stage, 1, "Outline 1", "one\ntwo\nwwree")
    await stage.do("set", on=await paragraph(stage, "wwree"), value="three")


@subject.row("check", "Master Objects in the sidebar", "the box (AT-SPI)")
async def check(stage: Stage) -> None:
    await to_slide(stage, 1)
    await shape(stage, "Box 1")
    objects = await stage.ref("checkbox", "Master Objects")
    await stage.do("uncheck", on=objects)
    await stage.do("check", on=objects)
    await stage.shows("check box", "Master Objects", "checked")
    await stage.do("check", on=objects, verdict="unchanged")


@subject.row("uncheck", "Master Objects in the sidebar; Grid in the toolbar", "box and toggle (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await to_slide(stage, 1)
    await shape(stage, "Box 1")
    objects = await stage.ref("checkbox", "Master Objects")
    await stage.do("uncheck", on=objects)
    await stage.shows("check box", "Master Objects", without="checked")
    await stage.do("check", on=objects)
    grid = await stage.ref("toggle", "Grid")
    await stage.do("check", on=grid, verdict=None)
    await stage.do("uncheck", on=grid)
    await stage.shows("toggle button", "Grid", without="checked")
    await off_the_toolbar(stage)


@subject.row("expand", "the Slide menu; a section of the sidebar", "its popup (X11); what shows in it (AT-SPI)")
async def expand(stage: Stage) -> None:
    await to_slide(stage, 1)
    await shape(stage, "Box 1")
    menu = await stage.ref("menu", "Slide")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    section = await stage.ref("toggle", "Layouts")
    await stage.do("collapse", on=section)
    await stage.gone("list", "Layouts")
    await stage.do("expand", on=section)
    await stage.shows("list", "Layouts")


@subject.row("collapse", "the Slide menu", "no popup is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "Slide")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("focus", "a line of the outline: it is written in from there", "the caret (AT-SPI)")
async def focus(stage: Stage) -> None:
    await to_slide(stage, 1)
    await shape(stage, "Box 1")
    await stage.do("focus", on=await paragraph(stage, "two"))
    await stage.until(
        lambda: written(stage, "two"), lambda seen: seen is not None and "focused" in seen.states, "the caret is in two"
    )
    await shape(stage, "Box 1")


@subject.row("scroll", "the slide by the wheel: the next one comes", "the slide (AT-SPI)")
async def scroll(stage: Stage) -> None:
    await to_slide(stage, 1)
    document = await stage.ref("document", window=stage.window)
    await stage.do("scroll", on=document, by=[0, 1600], verdict=None)
    await stage.gone("panel", "PageShape: Slide 1")
    await to_slide(stage, 1)


@subject.row("menu", "Slide > New Slide; Edit > Undo", "the slides in the saved file")
async def menu(stage: Stage) -> None:
    await to_slide(stage, 3)
    await stage.do("menu", path=["Slide", "New Slide"], verdict=None)
    await slide_count(stage, 4)
    await stage.do("press", on=await stage.ref("button", "Undo"), verdict=None)
    await slide_count(stage, 3)
    await off_the_toolbar(stage)


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Slide", "Slide of Gold"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    await stage.popups(False)


@subject.row("window", "move, maximise, restore, minimise, activate; a dialog closed", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, TITLE)
    await dialog(stage, "Slide Show Settings", "Slide Show", "Slide Show Settings…")
    await stage.do("window", on="Slide Show Settings", op="close")
    await dialog_gone(stage, "Slide Show Settings")


@subject.row("open", "the application by name: its template dialog, left", "windows (X11); one process only")
async def open_again(stage: Stage) -> None:
    await stage.do("open", app="LibreOffice Impress", verdict=None)
    await stage.window_is("Select a Template", lambda c: True, "the template dialog")
    view = await stage.view("Select a Template")
    assert '"Beehive"' in view.text
    await leave(stage, "Select a Template", "Close")
    assert len({c.pid for c in await stage.witness.clients()}) == 1
    await stage.do("window", on="Untitled 1 - LibreOffice Impress", op="close", verdict=None)
    await dialog_gone(stage, "Untitled 1")
    await stage.do("window", on=stage.window, op="activate", verdict=None)


@subject.row("wait", "for a line's text, for a window that does not come", "the saved file")
async def wait(stage: Stage) -> None:
    await to_slide(stage, 2)
    ref = await paragraph(stage, "Numbers")
    result = await stage.act(
        {"do": "set", "on": ref, "value": "Figures"},
        {"do": "wait", "for": "value", "on": ref, "is": "Figures"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.done == 2, result.text
    assert result.failure is not None
    assert result.failure.code == "wait_timeout"
    await kept(stage, 2, "Title 2", "Figures")


@subject.row("expect", "a file's content after ctrl+S", "the saved file")
async def expect(stage: Stage) -> None:
    await to_slide(stage, 1)
    await stage.do("set", on=await paragraph(stage, "box 1"), value="box 1 unheard of")
    wanted = {"file": {"path": TITLE, "contains": "unheard of"}}
    await stage.do("key", keys="ctrl+s", verdict=None, expect=wanted)
    await kept(stage, 1, "Box 1", "box 1 unheard of")


@subject.row("hover", "a shape", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    await to_slide(stage, 1)
    await stage.do("hover", on=await shape(stage, "Box 1"), verdict=None)
    x, y, w, h = (await stage.shows("panel", "Box 1")).bounds
    pointer = await stage.witness.pointer()
    assert x <= pointer[0] < x + w
    assert y <= pointer[1] < y + h + 30  # LibreOffice tells what is its own one menu bar too high


@subject.row("drag", "a shape to another place", "its place in the saved file")
async def drag(stage: Stage) -> None:
    await to_slide(stage, 1)
    before = await box(stage)
    ref = await shape(stage, "Box 1")
    await stage.do("click", on=ref, verdict=None)
    await stage.do("drag", on=ref, to=[-60, 80], verdict=None)
    after = await saved(
        stage, stage.home / TITLE,
        lambda path: next(s for s in odf.slides(path)[0] if s.name == "Box 1"), lambda s: s.y > before.y + 1,
    )  # fmt: skip
    assert after.x < before.x - 1
    await shape(stage, "Box 1")


@subject.row("invoke", "the Slide menu's own action", "its popup is on the screen (X11)")
async def invoke(stage: Stage) -> None:
    menu = await stage.ref("menu", "Slide")
    await stage.do("invoke", on=menu, action="click", verdict="changed")
    await stage.popups(True)
    await stage.do("collapse", on=menu)


@subject.cannot(
    "set", "a line of a shape to two lines", "a line break would make two paragraphs of one", "`type` with Return",
    "value_rejected",
)  # fmt: skip
async def set_lines(stage: Stage) -> None:
    await to_slide(stage, 1)
    failure = await stage.refused("set", on=await paragraph(stage, "one"), value="a\nb")
    assert failure.code == "value_rejected"
    await kept(stage, 1, "Outline 1", "one\ntwo\nthree")


@subject.refuses("check", "a shape", "it is neither on nor off", "`click` it", "unsupported_action")
async def check_a_shape(stage: Stage) -> None:
    await to_slide(stage, 1)
    assert (await stage.refused("check", on=await shape(stage, "Box 1"))).code == "unsupported_action"
