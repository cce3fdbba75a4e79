"""The Qt 6 zoo (PySide6): all widgets that a Qt application is made of."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.apps.subjects import zoo
from tests.apps.subjects.operating import open_by_letter
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.zoo import OWN, page, tells

PROGRAM = Path(__file__).parents[2] / "programs" / "zoo_qt.py"


async def prepare(stage: Stage) -> None:
    """The zoo, opened by its name."""
    install(stage.home)
    await stage.open(app="zoo-qt")


def install(home: Path) -> None:
    """An entry for it."""
    zoo.install(home, "zoo-qt", f"{sys.executable} {PROGRAM} {{state}}")


subject = Subject("qt", "Qt 6", prepare, title="The Qt zoo (PySide6)", first=FirstView(200, 0.95))
zoo.declare(subject)


@subject.row("set", "a number with a fraction, a date, the text of an editable combo box", OWN)
async def set_more(stage: Stage) -> None:
    await page(stage, "Fields")
    await stage.do("set", on=await stage.ref("spinbutton", "Ratio"), value=2.5)
    await tells(stage, "double", 2.5)
    await stage.do("set", on=await stage.ref("spinbutton", "Day"), value="2025-02-03")
    await tells(stage, "date", "2025-02-03")
    await stage.do("set", on=await stage.ref("combobox", "Size"), value="99")
    await tells(stage, "size", "99")


@subject.row("key", "alt+F opens the File menu, which stays open", "an open menu (X11)")
async def key_letter(stage: Stage) -> None:
    await open_by_letter(stage)


@subject.row("expand", "a combo box; a row of a tree, and collapsed again", OWN)
async def expand(stage: Stage) -> None:
    await page(stage, "Fields")
    combo = await stage.ref("combobox", "Font")
    await stage.do("expand", on=combo)
    await stage.popups(True)
    await stage.do("collapse", on=combo)
    await stage.popups(False)
    await page(stage, "Lists")
    tree = await stage.ref("table", "Places")
    await stage.do("expand", on=f"{tree}[1]")
    await tells(stage, "expanded", "Europe")
    await stage.do("expand", on=f"{tree}[1]", verdict="unchanged")
    await stage.do("collapse", on=f"{tree}[1]")
    await tells(stage, "expanded", None)
    await below_collapsed(stage, tree)


async def below_collapsed(stage: Stage, tree: str) -> None:
    """Qt tells "France" as the second row now, which is "Asia": it is neither said nor touched."""
    view = await stage.view()
    assert '"France"' not in view.text
    assert "rows that cannot be read" in view.text
    assert (await stage.refused("click", on=f"{tree}[2]")).code == "not_found"
    await stage.do("expand", on=f"{tree}[1]")
    assert '4 "Asia"' in (await stage.view()).text
    await stage.do("collapse", on=f"{tree}[1]")


@subject.row("select", "a row of a tree; a range of cells; an item of an editable combo box", OWN)
async def select_more(stage: Stage) -> None:
    await page(stage, "Lists")
    await stage.do("select", on=await stage.ref("table", "Places"), items=["Europe"])
    await tells(stage, "place", ["Europe"])
    await page(stage, "Table")
    table = await stage.ref("table", "Stock")
    await stage.do("scroll", on=table, to="top", verdict=None)
    await stage.do("select", on=table, range="2,1:3,2")
    await tells(stage, "cells", [[1, 0], [1, 1], [2, 0], [2, 1]])
    await page(stage, "Fields")
    await stage.do("select", on=await stage.ref("combobox", "Size"), items=["10"])
    await tells(stage, "size", "10")


@subject.row("press", "the head of a column", OWN)
async def press_head(stage: Stage) -> None:
    await page(stage, "Table")
    await stage.do("press", on=await stage.ref("columnheader", "Price"), verdict=None)
    await tells(stage, "header", 2)


@subject.row("scroll", "a list to its end and back; a table", "what shows (AT-SPI)")
async def scroll_views(stage: Stage) -> None:
    await page(stage, "Lists")
    fruit = await stage.ref("list", "Fruit")
    await stage.do("scroll", on=fruit, to="bottom")
    assert '"Fruit 40"' in (await stage.view()).text
    await stage.do("scroll", on=fruit, to="top")
    assert '"Apple"' in (await stage.view()).text


@subject.row("drag", "an item of one list to another", OWN)
async def drag(stage: Stage) -> None:
    await page(stage, "Ground")
    shelf, basket = await stage.ref("table", "Shelf"), await stage.ref("list", "Basket")
    await stage.do("drag", on=f"{shelf}[2]", to=basket, verdict=None)
    await tells(stage, "basket", ["Nail"])
