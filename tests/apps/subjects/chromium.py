"""Chromium (Blink): a form, and a page of widgets."""

from __future__ import annotations

from tests.apps.subjects import browser
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

APP = "chromium"


async def prepare(stage: Stage) -> None:
    stage.memory["stay"] = "Cancel"
    stage.memory["brand"] = "Chromium"
    await browser.prepare(stage, APP)


subject = Subject("chromium", "Chromium", prepare, title="Chromium", first=FirstView(850, 0.95))
browser.declare(subject)
subject.refuses(
    "menu", "File > Print", "the browser has no menu bar", "press its button, then the item", "not_found"
)(browser.menu_bar)  # fmt: skip
