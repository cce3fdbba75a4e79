"""Falkon (Qt WebEngine, Qt 5.15): a Chromium without its own shell, embedded in a Qt window; the page's script judges.

Stands for all programs that embed Chromium; the binary of Electron itself is in no package archive.
"""

from __future__ import annotations

from tests.apps.subjects.browser import FORM, did, field, has_focus, pages, told
from tests.apps.subjects.operating import operate_window
from tests.apps.subjects.page_server import PageServer
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.viewing import tells_all


async def prepare(stage: Stage) -> None:
    """The form in the only tab."""
    server = stage.memory["pages"] = PageServer()
    stage.leaving.append(server.stop)
    await stage.open(app="falkon", url=server.url(FORM))
    await told(stage, lambda state: state.get("page") == f"/{FORM}", "the form is there")


subject = Subject("falkon", "Qt WebEngine", prepare, title="Falkon", first=FirstView(400, 0.95))
OWN = "the page's own script"


async def ref(stage: Stage, role: str, name: str) -> str:
    """The page's element, with the page scrolled to its start where it is not in view."""
    if pages(stage).state["top"]:
        await stage.do("key", keys="ctrl+Home", verdict=None)
        await told(stage, lambda state: state["top"] == 0, "the page's start")
    return await stage.ref(role, name)


@subject.row("observe", "the window's controls and the page's", "a walk by pyatspi")
async def observe(stage: Stage) -> None:
    view = await tells_all(stage, "falkon")
    assert view.coverage > 0.9


@subject.row("set", "a field, letters outside of ASCII", OWN)
async def set_text(stage: Stage) -> None:
    name = await ref(stage, "textbox", "First name")
    await stage.do("set", on=name, value="Grüße, 日本")
    await field(stage, "first", "Grüße, 日本")
    await stage.do("set", on=name, value="Grüße, 日本", verdict="unchanged")


@subject.lacks(
    "set", "a number field", "the refusal, `value_rejected`", "Qt tells a number that it does not take",
    "`type` it, or `key` Up and Down",
)  # fmt: skip
async def set_number(stage: Stage) -> None:
    result = await stage.act({"do": "set", "on": await ref(stage, "spinbutton", "Guests"), "value": 5})
    assert result.failure is not None, result.text
    assert result.failure.code == "value_rejected"


@subject.row("append", "to a field", OWN)
async def append(stage: Stage) -> None:
    name = await ref(stage, "textbox", "Last name")
    await stage.do("set", on=name, value="Miller", verdict=None)
    await stage.do("append", on=name, value="-Grün")
    await field(stage, "last", "Miller-Grün")


@subject.row("type", "into a field", OWN)
async def type_text(stage: Stage) -> None:
    await stage.do("type", on=await ref(stage, "textbox", "Telephone"), value="+43 1ß")
    await field(stage, "tel", "+43 1ß")


@subject.row("key", "Up in a number field", OWN)
async def key(stage: Stage) -> None:
    await stage.do("key", on=await ref(stage, "spinbutton", "Guests"), keys="Up", verdict=None)
    await field(stage, "guests", "3")


@subject.row("click", "a radio button, with the pointer", OWN)
async def click(stage: Stage) -> None:
    await stage.do("click", on=await ref(stage, "radio", "Large"), verdict=None)
    await field(stage, "size", "large")


@subject.row("check", "a check box", OWN)
async def check(stage: Stage) -> None:
    box = await ref(stage, "checkbox", "Newsletter")
    await stage.do("check", on=box)
    await field(stage, "news", True)
    await stage.do("check", on=box, verdict="unchanged")


@subject.row("uncheck", "a check box", OWN)
async def uncheck(stage: Stage) -> None:
    await stage.do("uncheck", on=await ref(stage, "checkbox", "Terms"))
    await field(stage, "terms", False)


@subject.row("focus", "two fields, one after the other", OWN)
async def focus(stage: Stage) -> None:
    for name, called in (("E-mail", "email"), ("Telephone", "tel")):
        await stage.do("focus", on=await ref(stage, "textbox", name), verdict=None)
        await has_focus(stage, called)


@subject.row("select", "characters of a field; typing replaces just them", OWN)
async def select(stage: Stage) -> None:
    name = await ref(stage, "textbox", "First name")
    await stage.do("set", on=name, value="one two three", verdict=None)
    await stage.do("select", on=name, range=[4, 7], verdict=None)
    await stage.do("type", value="2", verdict=None)
    await field(stage, "first", "one 2 three")


@subject.row("scroll", "the page, with the pointer over one of its texts", OWN)
async def scroll(stage: Stage) -> None:
    await stage.do("scroll", on=await ref(stage, "radio", "Medium"), by=[0, 300], verdict=None)
    await told(stage, lambda state: state["top"] > 100, "it went down")


@subject.row("press", "a button of the page that had to be scrolled to", OWN)
async def press(stage: Stage) -> None:
    if not pages(stage).state["top"]:
        await stage.do("scroll", on=await ref(stage, "radio", "Medium"), by=[0, 1200], verdict=None)

    async def look() -> list[str]:
        return [e.ref for e in (await stage.view()).elements if (e.role, e.name) == ("button", "Count")]

    await stage.do("press", on=(await stage.until(look, bool, "the button"))[0], verdict=None)
    await did(stage, "click Count")


@subject.row("expand", "the main menu, a button's", "an open menu (X11)")
async def expand(stage: Stage) -> None:
    button = await stage.ref("button", "Main Menu")
    await stage.do("press", on=button, verdict=None)
    await stage.popups(True)
    await stage.do("key", keys="Escape", verdict=None)
    await stage.popups(False)


@subject.refuses("collapse", "a field", "a text field has no levels", "`scroll` it", "unsupported_action")
async def collapse(stage: Stage) -> None:
    assert (await stage.refused("collapse", on=await ref(stage, "textbox", "First name"))).code == "unsupported_action"


@subject.cannot(
    "menu", "File > Print", "the browser hides its menu bar", "press its button, then the item", "not_found",
)  # fmt: skip
async def menu(stage: Stage) -> None:
    assert (await stage.refused("menu", path=["File", "Print..."])).code == "not_found"


@subject.row("window", "move, maximise, restore, minimise, activate", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "Falkon")


@subject.row("open", "another page while it runs", "its tab (AT-SPI), no second window (X11)")
async def open_page(stage: Stage) -> None:
    await stage.do("open", app="falkon", url=pages(stage).url("widgets.html"), verdict=None)
    await told(stage, lambda state: state["page"] == "/widgets.html", "the other page")
    assert len(await stage.witness.clients()) == 1
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.window_is("Registration", lambda window: window.active, "the form is in front again")


@subject.row("wait", "for a value, for a window that does not come", "the page's own script; `wait_timeout`")
async def wait(stage: Stage) -> None:
    await stage.until(lambda: stage.client("Registration"), bool, "the form")
    name = await ref(stage, "textbox", "First name")
    result = await stage.act(
        {"do": "set", "on": name, "value": "soon"},
        {"do": "wait", "for": "value", "on": name, "is": "soon"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.failure is not None
    assert (result.done, result.failure.code) == (2, "wait_timeout")
    await field(stage, "first", "soon")
