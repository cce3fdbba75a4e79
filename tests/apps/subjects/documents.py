"""What is done alike in LibreOffice's documents of text and slides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from xml.etree.ElementTree import ParseError

from tests.apps.subjects.operating import dialog_gone
from tests.apps.subjects.stage import Stage

T = TypeVar("T")


async def paragraph(stage: Stage, text: str) -> str:
    """The ref of the one paragraph or heading that holds this text."""
    view = await stage.view(stage.window)
    found = [e.ref for e in view.elements if e.role in ("paragraph", "heading") and text in str(e.value)]
    assert len(found) == 1, f"{len(found)} paragraphs hold {text!r} in\n{view.text}"
    return found[0]


async def saved(stage: Stage, path: Path, read: Callable[[Path], T], holds: Callable[[T], object]) -> T:
    """What the file holds once it has been saved by ctrl+S and ``holds`` agrees."""
    await stage.do("window", on=stage.window, op="activate", verdict=None)
    await stage.do("key", keys="ctrl+s", verdict=None)

    async def look() -> T | None:
        try:
            return read(path)
        except ParseError:
            return None  # it is being written

    found = await stage.until(look, lambda said: said is not None and holds(said), f"{path.name} is saved")
    assert found is not None
    return found


async def dialog(stage: Stage, title: str, *path: str) -> None:
    """A dialog opened by a menu of the document."""
    await stage.do("menu", path=list(path), expect={"for": "window", "on": title})


async def leave(stage: Stage, title: str, button: str = "Cancel") -> None:
    """A dialog left by one of its buttons."""
    await stage.do("press", on=await stage.ref("button", button))
    await dialog_gone(stage, title)


async def context_menu(stage: Stage, ref: str, item: str) -> None:
    """A context menu opened by the right button: the item shows in it; closed again."""
    await stage.do("click", on=ref, button="right", verdict=None)
    await stage.popups(True)
    assert f'"{item}"' in (await stage.view()).text
    await stage.do("key", keys="Escape", verdict=None)
    await stage.popups(False)
