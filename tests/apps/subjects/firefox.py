"""Firefox ESR (Gecko): a form, and a page of widgets."""

from __future__ import annotations

from tests.apps.subjects import browser
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

APP = "firefox-esr"


async def prepare(stage: Stage) -> None:
    stage.memory["stay"] = "Stay on page"
    stage.memory["brand"] = "Mozilla Firefox"
    await browser.prepare(stage, APP)


subject = Subject("firefox", "Gecko", prepare, title="Firefox ESR", first=FirstView(850, 1.0))
browser.declare(subject)
subject.refuses(
    "menu", "File > Print", "the browser hides its menu bar", "press its button, then the item", "not_found"
)(browser.menu_bar)  # fmt: skip
