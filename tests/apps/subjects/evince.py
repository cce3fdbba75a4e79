"""Evince (GTK3): a document viewer; its pages' text is in the tree, its side pane has thumbnails."""

from __future__ import annotations

from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.pdf import write_pdf
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

PAGES = 8
TITLE = "report.pdf"
PAGE = "the page's number (AT-SPI)"


async def prepare(stage: Stage) -> None:
    """A document of eight pages."""
    pages = [(f"Annual report {number}", f"page {number} about apples") for number in range(1, PAGES + 1)]
    write_pdf(stage.home / TITLE, pages)
    await stage.open(app="evince", file=str(stage.home / TITLE))


subject = Subject("evince", "GTK3", prepare, title="Evince", first=FirstView(100, 1.0))


async def page_is(stage: Stage, number: int) -> None:
    await stage.until(lambda: stage.shows("text"), lambda seen: seen.text == str(number), f"page {number}")


async def to_page(stage: Stage, number: int) -> None:
    field = await stage.ref("textbox", "page-label-entry")
    await stage.do("set", on=field, value=str(number), verdict=None)
    await stage.do("key", on=field, keys="Return", verdict=None)
    await page_is(stage, number)


async def side_pane(stage: Stage, wanted: bool) -> None:
    toggle = await stage.ref("toggle", "Side pane")
    await stage.do("check" if wanted else "uncheck", on=toggle, verdict=None)


async def find_bar(stage: Stage, wanted: bool) -> None:
    await stage.do("check" if wanted else "uncheck", on=await stage.ref("toggle", "Find"), verdict=None)


@subject.row(
    "observe", "the text of the pages that show", "pixels of a page and its text (AT-SPI)", also=("set", "key")
)
async def read(stage: Stage) -> None:
    await to_page(stage, 3)
    view = await stage.view()
    assert '"Annual report 3\\npage 3 about apples"' in view.text
    assert "Annual report 1" not in view.text
    await to_page(stage, 1)
    assert '"Annual report 1\\npage 1 about apples"' in (await stage.view()).text


@subject.row(
    "type", "words into the find bar, and more of them", f"{PAGE}; the list of hits (AT-SPI)", also=("append", "wait")
)
async def search(stage: Stage) -> None:
    await to_page(stage, 1)
    await find_bar(stage, True)
    field = await stage.ref("textbox", "Search")
    await stage.do("type", on=field, value="page")
    await stage.do("append", on=field, value=" 5")
    await stage.do("wait", **{"for": "value", "on": await stage.ref("textbox", "page-label-entry"), "is": "4"})
    await page_is(stage, 4)  # the hit on page 5 is in the middle
    assert '"5 page 5 about apples 5"' in (await stage.view()).text
    await find_bar(stage, False)


@subject.row("select", "a page by its thumbnail", PAGE)
async def thumbnail(stage: Stage) -> None:
    await to_page(stage, 1)
    await side_pane(stage, True)
    thumbnails = await stage.ref("listbox")
    await stage.do("select", on=thumbnails, items=["2"])
    await page_is(stage, 2)
    await side_pane(stage, False)


@subject.row("check", "the side pane and one of its kinds", "what the pane shows (AT-SPI)", also=("uncheck",))
async def check(stage: Stage) -> None:
    pane = await stage.ref("toggle", "Side pane")
    await stage.do("check", on=pane)
    await stage.do("check", on=await stage.ref("radio", "Bookmarks"))
    await stage.shows("radio button", None, "checked", nth=2)
    await stage.do("check", on=await stage.ref("radio", "Thumbnails"))
    await stage.shows("layered pane")
    await stage.do("uncheck", on=pane)
    await stage.gone("layered pane")


async def dark(stage: Stage, wanted: bool) -> None:
    """Wait until the first page is drawn dark, or light."""
    x, y, w, h = (await stage.shows("document frame")).bounds
    spot = (x + w // 2, y + h // 2)
    await stage.until(lambda: stage.witness.pixel(*spot), lambda rgb: (sum(rgb) < 100) is wanted, f"dark: {wanted}")


async def night_mode(stage: Stage) -> str:
    await stage.do("expand", on=await stage.ref("toggle", "File options"), verdict=None)
    return await stage.ref("checkbox", "Night Mode")


@subject.row("press", "Night Mode in the menu of options", "the colour of the page (X11)", also=("expand", "collapse"))
async def night(stage: Stage) -> None:
    await to_page(stage, 1)
    await dark(stage, False)
    await stage.do("press", on=await night_mode(stage), verdict=None)
    await stage.do("collapse", on=await stage.ref("toggle", "File options"), verdict=None)
    await dark(stage, True)


@subject.lacks(
    "check", "an item of the menu of options", "`value_rejected`; the colour of the page (X11)",
    "the items can be pressed, but GTK3 never tells whether they are on", "`press` it and look at what it does",
)  # fmt: skip
async def check_item(stage: Stage) -> None:
    result = await stage.act({"do": "check", "on": await night_mode(stage)})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("value_rejected", "yes")
    await stage.do("collapse", on=await stage.ref("toggle", "File options"), verdict=None)
    await dark(stage, False)


@subject.row("scroll", "the document to its end and its start", PAGE)
async def scroll(stage: Stage) -> None:
    await to_page(stage, 1)
    document = await stage.ref("document")
    await stage.do("scroll", on=document, to="bottom", verdict=None)
    await page_is(stage, PAGES)
    await stage.do("scroll", on=document, to="top", verdict=None)
    await page_is(stage, 1)


@subject.row("clipboard", "all of the text, copied", "the clipboard")
async def clipboard(stage: Stage) -> None:
    await to_page(stage, 1)
    await stage.do("key", on=await stage.ref("document"), keys="ctrl+a", verdict=None)
    await stage.do("key", keys="ctrl+c", verdict=None)
    copied = str((await stage.do("clipboard", op="read")).after)
    assert "Annual report 1" in copied


@subject.row("click", "Find, and the cross of the pane", "the find bar (AT-SPI)", also=("focus",))
async def click(stage: Stage) -> None:
    await stage.do("click", on=await stage.ref("toggle", "Find"))
    await stage.shows("text", None, "focused", nth=3)
    await stage.do("focus", on=await stage.ref("textbox", "page-label-entry"))
    await stage.shows("text", None, "focused")
    await find_bar(stage, False)


@subject.refuses("menu", "File > Print", "it has no menu bar", "press File options, then the item", "not_found")
async def menu(stage: Stage) -> None:
    assert (await stage.refused("menu", path=["File", "Print"])).code == "not_found"


@subject.row("window", "move, maximise, restore, minimise, activate", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, TITLE)


@subject.row("open", "another document, closed again", "its window (X11)")
async def open_other(stage: Stage) -> None:
    write_pdf(stage.home / "other.pdf", [("Another",)])
    await stage.do("open", app="evince", file=str(stage.home / "other.pdf"), verdict=None)
    await stage.window_is("other.pdf", lambda c: c.active, "the other document")
    assert '"Another"' in (await stage.view("other.pdf")).text
    await stage.do("window", on="other.pdf", op="close")
    await dialog_gone(stage, "other.pdf")
