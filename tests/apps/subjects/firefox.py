"""Firefox ESR (Gecko): a form, and a page of widgets."""

from __future__ import annotations

from tests.apps.subjects import browser
from tests.apps.subjects.row import Subject
from tests.apps.subjects.stage import Stage

APP = "firefox-esr"


async def prepare(stage: Stage) -> None:
    stage.memory["stay"] = "Stay on page"
    stage.memory["brand"] = "Mozilla Firefox"
    await browser.prepare(stage, APP)


subject = Subject("firefox", "Gecko", prepare)
browser.declare(subject)
subject.cannot(
    "menu", "File > Print", "the browser hides its menu bar", "press its button, then the item", "not_found"
)(browser.menu_bar)  # fmt: skip
