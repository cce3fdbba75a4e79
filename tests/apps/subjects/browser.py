"""What is asked of every browser alike; the pages' own scripts are the judges, by way of the server they came from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deskhand.types.results import Effect
from tests.apps.subjects.operating import operate_window
from tests.apps.subjects.page_server import PageServer
from tests.apps.subjects.row import Subject
from tests.apps.subjects.stage import Stage

FORM, WIDGETS = "form.html", "widgets.html"


def pages(stage: Stage) -> PageServer:
    server: PageServer = stage.memory["pages"]
    return server


async def prepare(stage: Stage, app: str) -> None:
    """The browser with the form in its only tab."""
    stage.memory["app"] = app
    server = stage.memory["pages"] = PageServer()
    stage.leaving.append(server.stop)
    await stage.open(app=app, url=server.url(FORM))
    await told(stage, lambda state: state.get("page") == f"/{FORM}", "the form is there")


async def told(stage: Stage, holds: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
    """Wait until the page tells its server so."""

    async def look() -> dict[str, Any]:
        return pages(stage).state

    return await stage.until(look, holds, what)


async def field(stage: Stage, name: str, value: object) -> None:
    await told(stage, lambda state: state["fields"].get(name) == value, f"{name} holds {value!r}")


async def has_focus(stage: Stage, name: str) -> None:
    await told(stage, lambda state: state["focus"] == name, f"{name} has the focus")


async def went_to(stage: Stage, anchor: str) -> None:
    await told(stage, lambda state: state["page"].endswith(anchor), f"the link to {anchor} was followed")


async def did(stage: Stage, what: str) -> None:
    await told(stage, lambda state: what in state["done"][-4:], f"the page heard {what!r}")


async def on_page(stage: Stage, page: str) -> None:
    """Have this page in front; fresh where another one was."""
    if not pages(stage).state["page"].startswith(f"/{page}"):
        await go(stage, page)


async def go(stage: Stage, page: str) -> None:
    """By the address bar, as a person does it; never the same address, so that no browser has it ready before."""
    stage.memory["gone"] = stage.memory.get("gone", 0) + 1
    pages(stage).state = {"page": "", "done": []}
    await stage.do("key", keys="ctrl+l", verdict=None)
    await stage.until(
        stage.platform.focused, lambda node: node is not None and "address" in node.name.casefold(), "the address"
    )
    await stage.do("type", value=f"{pages(stage).url(page)}?{stage.memory['gone']}", verdict=None)
    await stage.do("key", keys="Return", verdict=None)
    await told(stage, lambda state: state["page"] == f"/{page}" and "load" in state["done"], page)
    await stage.do("wait", **{"for": "settled"}, verdict=None)


async def named(stage: Stage, name: str, *roles: str) -> str:
    """The ref of the element whose name begins so, waited for."""

    async def look() -> list[str]:
        view = await stage.view(stage.window)
        found = [e for e in view.elements if e.name.startswith(name) and (not roles or e.role in roles)]
        return [e.ref for e in sorted(found, key=lambda e: len(e.name))]

    return (await stage.until(look, bool, f"an element {name!r}"))[0]


async def document(stage: Stage) -> str:
    return await stage.ref("document", window=stage.window)


async def act_on(stage: Stage, verb: str, name: str, verdict: str | None = "verified", **fields: Any) -> Effect:
    return await stage.do(verb, on=await named(stage, name), verdict=verdict, **fields)


async def press_count(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "press", "Count", verdict=None)
    await did(stage, "click Count")


async def click_below(stage: Stage) -> None:
    await on_page(stage, FORM)
    await stage.do("scroll", on=await document(stage), to="top", verdict=None)
    effect = await act_on(stage, "click", "Contact", verdict="changed")
    assert "scrolled into view" in effect.note
    await went_to(stage, "#contact")


async def click_cell(stage: Stage) -> None:
    await on_page(stage, FORM)
    table = await named(stage, "Sales")
    view = await stage.view(stage.window)
    assert '\n3 "South",22,17,10,49\n' in view.text, view.text
    await stage.do("click", on=f"{table}[3,2]", verdict=None)
    await did(stage, "click 22")


async def set_text(stage: Stage) -> None:
    await on_page(stage, FORM)
    text = "Grüße, 日本語 👍🏽"
    await act_on(stage, "set", "First name", value=text)
    await field(stage, "first", text)
    await act_on(stage, "set", "First name", value=text, verdict="unchanged")
    await act_on(stage, "set", "Comments", value="one\ntwo")
    await field(stage, "comments", "one\ntwo")
    await act_on(stage, "set", "First name", value="")
    await field(stage, "first", "")


async def set_numbers(stage: Stage) -> None:
    await on_page(stage, FORM)
    for guests, volume in ((5, 75), (2, 30)):
        await act_on(stage, "set", "Guests", value=guests)
        await field(stage, "guests", str(guests))
        await act_on(stage, "set", "Volume", value=volume)
        await field(stage, "volume", str(volume))


async def set_date(stage: Stage) -> None:
    await on_page(stage, FORM)
    arrival = await named(stage, "Arrival", "textbox")
    await stage.do("set", on=arrival, value="2027-03-04")
    await field(stage, "arrival", "2027-03-04")
    await stage.do("set", on=await named(stage, "Month", "spinbutton"), value=7)
    await field(stage, "arrival", "2027-07-04")
    await stage.do("set", on=arrival, value="2026-01-15")
    await field(stage, "arrival", "2026-01-15")


async def set_password(stage: Stage) -> None:
    await on_page(stage, FORM)
    effect = await act_on(stage, "set", "Password", value="s3cret-word", verdict="unverifiable")
    await field(stage, "password", "s3cret-word")
    view = await stage.view(stage.window)
    assert "s3cret" not in view.text + view.model_dump_json() + effect.model_dump_json()
    await act_on(stage, "set", "Password", value="", verdict="unverifiable")
    await field(stage, "password", "")


async def append(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "set", "Last name", value="Miller", verdict=None)
    await act_on(stage, "append", "Last name", value="-Grün")
    await field(stage, "last", "Miller-Grün")


async def type_text(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "set", "Telephone", value="", verdict=None)
    await act_on(stage, "type", "Telephone", value="+43 1ß")
    await field(stage, "tel", "+43 1ß")


async def key(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "set", "Search", value="away", verdict=None)
    await act_on(stage, "key", "Search", keys="ctrl+a", verdict=None)
    await stage.do("key", keys="Delete", verdict=None)
    await field(stage, "search", "")


async def select_characters(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "set", "Search", value="one two three", verdict=None)
    await act_on(stage, "select", "Search", range=[4, 7])
    await stage.do("type", value="2", verdict=None)
    await field(stage, "search", "one 2 three")


async def select_of_combo(stage: Stage) -> None:
    await on_page(stage, FORM)
    for country in ("Chile", "Austria"):
        await act_on(stage, "select", "Country", items=[country])
        await field(stage, "country", country)
    await act_on(stage, "set", "Country", value="Belgium")
    await field(stage, "country", "Belgium")
    await act_on(stage, "select", "Country", items=["Belgium"], verdict="unchanged")


async def select_several(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "select", "Toppings", items=["Ham", "Onions"])
    await field(stage, "toppings", ["Ham", "Onions"])


async def check(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "uncheck", "Newsletter", verdict=None)
    await act_on(stage, "check", "Newsletter")
    await field(stage, "news", True)
    await act_on(stage, "check", "Newsletter", verdict="unchanged")
    for size in ("Medium", "Small"):
        await act_on(stage, "check", size)
        await field(stage, "size", size.lower())


async def uncheck(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "check", "Terms", verdict=None)
    await act_on(stage, "uncheck", "Terms")
    await field(stage, "terms", False)


async def focus(stage: Stage) -> None:
    await on_page(stage, FORM)
    await act_on(stage, "focus", "Comments")
    await has_focus(stage, "comments")
    await act_on(stage, "focus", "E-mail")
    await has_focus(stage, "email")


async def scroll(stage: Stage) -> None:
    await on_page(stage, FORM)
    page = await document(stage)
    await stage.do("scroll", on=page, to="top", verdict=None)
    await stage.do("scroll", on=page, by=[0, 120])
    await told(stage, lambda state: 20 < state["top"] < 400, "it went down a little")
    await stage.do("scroll", on=page, to="bottom")
    low = (await told(stage, lambda state: state["top"] > 400, "it is at the end"))["top"]
    await stage.do("scroll", on=page, to="bottom", verdict="unchanged")
    await stage.do("scroll", on=page, to="top")
    await told(stage, lambda state: state["top"] == 0 < low, "it is at the start")
    await act_on(stage, "scroll", "Contact", to="view")
    await told(stage, lambda state: state["top"] > 0, "the last link is in view")


async def read_only(stage: Stage) -> None:
    await on_page(stage, FORM)
    failure = await stage.refused("set", on=await named(stage, "Member number"), value="x")
    assert failure.code == "value_rejected"
    failure = await stage.refused("set", on=await named(stage, "Discount"), value="x")
    assert failure.code == "disabled"


async def select_row(stage: Stage) -> None:
    await on_page(stage, FORM)
    failure = await stage.refused("select", on=await named(stage, "Sales"), items=["South"])
    assert failure.code == "unsupported_action"


async def menu_bar(stage: Stage) -> None:
    failure = await stage.refused("menu", path=["File", "Print…"])
    assert failure.code == "not_found"


async def choose_file(stage: Stage) -> None:
    await on_page(stage, FORM)
    for name in ("note.txt", "other.txt"):
        (stage.home / name).write_text("words\n")
    before = {client.xid for client in await stage.witness.clients()}
    for button, chosen in (("Open", ["other.txt"]), ("Cancel", ["other.txt"])):
        await act_on(stage, "press", "Attachment")
        await stage.do(
            "wait", **{"for": "settled"}, verdict=None
        )  # a list that is still filled forgets what is selected
        view = await stage.view()
        files = next(e.ref for e in view.elements if e.role == "table" and e.name == "Files")
        name = "other.txt" if button == "Open" else "note.txt"
        await stage.do("select", on=files, items=[name])
        await stage.do("press", on=await stage.ref("button", button))
        await field(stage, "file", chosen)
        await stage.until(stage.witness.clients, lambda found: {c.xid for c in found} == before, "the dialog closed")


async def hover(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "hover", "Rest here", verdict="changed")
    await did(stage, "hover")
    await act_on(stage, "hover", "Letter", verdict=None)


async def drag(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "drag", "Parcel", to=await named(stage, "Basket"), verdict="changed")
    await did(stage, "answer dropped")
    await act_on(stage, "drag", "Level", to=[40, 0], verdict="changed")
    await told(stage, lambda state: int(state["fields"]["level"]) > 50, "the slider followed")


async def expand(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "expand", "More options")
    await did(stage, "opened")
    await act_on(stage, "expand", "More options", verdict="unchanged")
    assert "A hidden paragraph" in (await stage.view(stage.window)).text
    await act_on(stage, "collapse", "More options", verdict=None)


async def collapse(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "expand", "More options", verdict=None)
    await act_on(stage, "collapse", "More options")
    await did(stage, "closed")
    assert "A hidden paragraph" not in (await stage.view(stage.window)).text


async def press_menu(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "press", "Actions")
    await act_on(stage, "press", "Print page", verdict=None)
    await did(stage, "answer Print page")


async def select_page_tab(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    for name, said in (("Week", "The week is full."), ("Day", "Today is quiet.")):
        await act_on(stage, "select", "Views", items=[name])
        assert said in (await stage.view(stage.window)).text


async def select_of_list(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "select", "Towns", items=["Town 30"])
    await did(stage, "click Town 30")
    effect = await act_on(stage, "click", "Town 38")
    assert "scrolled into view" in effect.note
    await did(stage, "click Town 38")


async def editable(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "set", "Letter", value="Dear you")
    await did(stage, "letter Dear you")
    await act_on(stage, "set", "Letter", value="Dear all")


async def wait(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    result = await stage.act(
        {"do": "press", "on": await named(stage, "Later")},
        {"do": "wait", "for": "text", "on": await named(stage, "Answer"), "is": "later", "match": "contains"},
    )
    assert result.failure is None, result.text
    await did(stage, "answer later")


async def dialogs(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "press", "Alert", verdict="changed")
    assert "Mind the gap" in (await stage.view(stage.window)).text
    await act_on(stage, "press", "OK", verdict=None)
    await did(stage, "answer alerted")
    for button, answer in (("OK", "true"), ("Cancel", "false")):
        await act_on(stage, "press", "Confirm", verdict="changed")
        await act_on(stage, "press", button, verdict=None)
        await did(stage, f"answer {answer}")
    await act_on(stage, "press", "Prompt", verdict="changed")
    await stage.do("key", keys="ctrl+a", verdict=None)
    await stage.do("type", value="Wien", verdict=None)
    await act_on(stage, "press", "OK", verdict=None)
    await did(stage, "answer Wien")


async def leave_guarded(stage: Stage) -> None:
    await on_page(stage, WIDGETS)
    await act_on(stage, "click", "Guard leaving", verdict=None)  # a page may only ask those who touched it
    await did(stage, "answer guarded")
    await stage.do("key", keys="ctrl+r", verdict="changed")
    await act_on(stage, "press", stage.memory["stay"], verdict=None)
    assert pages(stage).state["done"][-1] != "load"
    await stage.do("key", keys="ctrl+r", verdict="changed")
    pages(stage).state["done"].clear()
    await stage.do("key", keys="Return", verdict=None)
    await did(stage, "load")


async def open_page(stage: Stage) -> None:
    await on_page(stage, FORM)
    opened = await stage.open(app=stage.memory["app"], url=pages(stage).url(WIDGETS))
    assert opened.title.startswith("Widgets")
    await told(stage, lambda state: state["page"] == f"/{WIDGETS}", "the page was asked for")
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.window_is("Registration", lambda window: window.active, "the first tab again")
    pages(stage).state["page"] = f"/{FORM}"


async def tabs(stage: Stage) -> None:
    await on_page(stage, FORM)
    opened = await stage.open(app=stage.memory["app"], url=pages(stage).url(WIDGETS))
    assert opened.title.startswith("Widgets")
    await told(stage, lambda state: state["page"] == f"/{WIDGETS}", "the page was asked for")
    await stage.do("press", on=await named(stage, "Registration", "tab"))
    await stage.window_is("Registration", lambda window: window.active, "the first tab")
    await stage.do("select", on=await browser_tabs(stage), items=["Widgets"])
    await stage.window_is("Widgets", lambda window: window.active, "the second tab")
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.window_is("Registration", lambda window: window.active, "the first tab again")
    pages(stage).state["page"] = f"/{FORM}"


async def browser_tabs(stage: Stage) -> str:
    return await stage.ref("tablist", "", window=stage.window)


async def window(stage: Stage) -> None:
    await operate_window(stage, stage.memory["brand"])


def declare(subject: Subject) -> None:
    """The rows that are the same in every browser."""
    for ability, deed, witness, run in (
        ("press", "a button of a page", "the page's script", press_count),
        ("press", "a menu of the page's own, and an item of it", "the page's script", press_menu),
        ("press", "OK, Cancel and a text in alert, confirm and prompt", "the page's script", dialogs),
        ("press", "Cancel, then Return, when leaving a page that minds", "the page's script", leave_guarded),
        ("press", "a button that opens a file dialog; a file is chosen there", "the page's script", choose_file),
        ("click", "a link far below the fold", "the page's address", click_below),
        ("click", "a cell of a table below the fold, by row and column", "the page's script", click_cell),
        ("set", "texts with letters outside of ASCII, of lines, and nothing", "the field's value", set_text),
        ("set", "a number field and a slider", "the fields' values", set_numbers),
        ("set", "a date, and its month alone", "the field's value", set_date),
        ("set", "a password, which is never told", "the field's value", set_password),
        ("set", "an editable part of the page", "the page's script", editable),
        ("append", "at the end of a field", "the field's value", append),
        ("type", "into an empty field", "the field's value", type_text),
        ("key", "ctrl+A, then Delete", "the field's value", key),
        ("select", "characters 4 to 7 of a field", "typing replaces just them", select_characters),
        ("select", "an item of a closed combo box, in one step", "the field's value", select_of_combo),
        ("select", "two items of a list", "the field's value", select_several),
        ("select", "an item that is scrolled away in a list", "the page's script", select_of_list),
        ("select", "a tab of the page", "what the page shows", select_page_tab),
        ("select", "a tab of the browser; another is pressed", "the window's title (X11)", tabs),
        ("check", "a box and radio buttons", "the fields' values", check),
        ("uncheck", "a box", "the field's value", uncheck),
        ("expand", "details with a summary", "the page's script", expand),
        ("collapse", "details with a summary", "the page's script", collapse),
        ("focus", "two fields", "the page's active element", focus),
        ("scroll", "the page: a little, to its end, its start, a link into view", "the page's offset", scroll),
        ("hover", "what shows a tip", "the page's script", hover),
        ("drag", "onto a place that takes drops; the thumb of a slider", "the page's script", drag),
        ("open", "an address in the running browser", "the window's title (X11), the page's script", open_page),
        ("window", "move, maximise, restore, minimise, activate", "the window manager", window),
        ("wait", "for a text that comes later", "the page's script", wait),
    ):
        subject.row(ability, deed, witness)(run)
    subject.refuses(
        "set", "a field that is read-only or disabled", "the page forbids it", "what enables it", "value_rejected"
    )(read_only)
    subject.cannot(
        "select", "a row of a page's table", "pages' tables have no selection", "click one of its cells",
        "unsupported_action",
    )(select_row)  # fmt: skip
