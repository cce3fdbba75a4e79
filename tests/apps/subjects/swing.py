"""The Swing zoo (OpenJDK, the ATK wrapper), compiled into the desktop's own home."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.apps.subjects import zoo
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.zoo import OWN, once, page, tells
from tests.programs import compiled


async def prepare(stage: Stage) -> None:
    """The zoo, opened by its name."""
    await asyncio.to_thread(install, stage.home)
    await stage.open(app="Zoo Swing")


def install(home: Path) -> None:
    """An entry for it, and its classes."""
    zoo.install(home, "Zoo Swing", f"java -Xmx256m -cp {compiled(home)} ZooSwing {{state}}")


subject = Subject("swing", "Swing, OpenJDK 17", prepare, title="The Swing zoo", first=FirstView(150, 0.95))
zoo.declare(subject)


@subject.cannot(
    "click", "an item of a menu", "Java tells it a wrong place", "`press` the item, or `menu` with its path", "hidden"
)
async def click_item(stage: Stage) -> None:
    await stage.do("expand", on=await stage.ref("menu", "File"))
    assert (await stage.refused("click", on=await stage.ref("menuitem", "Send"))).code == "hidden"
    covered = await stage.refused("press", on=await stage.ref("button", "Reload"))
    assert covered.code == "occluded"
    await once(stage, "Send", stage.do("press", on=await stage.ref("menuitem", "Send"), verdict=None))
    await stage.gone("menu item", "Send")


@subject.row("expand", "a node of a tree, a combo box, and collapsed again", OWN)
async def expand(stage: Stage) -> None:
    await page(stage, "Fields")
    font = await stage.ref("combobox")
    await stage.do("expand", on=font)
    await stage.shows("label", "Times")
    await stage.do("collapse", on=font)
    await stage.gone("label", "Times")
    await page(stage, "Lists")
    await stage.do("expand", on={"role": "treeitem", "name": "Europe"})
    await tells(stage, "expanded", "Europe")
    await stage.do("expand", on={"role": "treeitem", "name": "Europe"}, verdict="unchanged")
    await stage.do("collapse", on={"role": "treeitem", "name": "Europe"})
    await tells(stage, "expanded", None)


@subject.row("select", "a node of a tree", OWN)
async def select_node(stage: Stage) -> None:
    await page(stage, "Lists")
    await stage.do("select", on=await stage.ref("tree", "Places"), items=["Asia"])
    await tells(stage, "place", "Asia")


@subject.row("scroll", "a list to its end and back", "what shows (AT-SPI)")
async def scroll_list(stage: Stage) -> None:
    await page(stage, "Lists")
    fruit = await stage.ref("list", "Fruit")
    await stage.do("scroll", on=fruit, to="bottom")
    assert '"Fruit 40"' in (await stage.view()).text
    await stage.do("scroll", on=fruit, to="top")
    assert '"Apple"' in (await stage.view()).text


@subject.row("drag", "selected text from one field to another", OWN)
async def drag(stage: Stage) -> None:
    await page(stage, "Ground")
    shelf = await stage.ref("textbox", "Shelf")
    await stage.do("set", on=shelf, value="Hammer " * 16, verdict=None)
    await stage.do("focus", on=shelf, verdict=None)
    await stage.do("select", on=shelf, range=[0, 112])
    await stage.do("drag", on=shelf, to=await stage.ref("textbox", "Basket"), verdict=None)
    await tells(stage, "basket", "Hammer " * 16)
