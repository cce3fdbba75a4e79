"""GNOME Calculator (GTK4): buttons, an entry, a history, a popover menu, a dialog of switches and choices."""

from __future__ import annotations

from tests.apps.subjects.operating import operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

PREFERENCES = "Preferences"
LONG = "1+" * 60 + "1"


async def prepare(stage: Stage) -> None:
    """The only window, in its basic mode."""
    await stage.open(app="calculator")


subject = Subject("calculator", "GTK4", prepare, title="GNOME Calculator", first=FirstView(200, 0.95))


async def entry(stage: Stage) -> str:
    return await stage.ref("textbox", window=stage.window)


async def display(stage: Stage) -> Seen:
    return await stage.shows("text box")


async def shows(stage: Stage, text: str) -> None:
    await stage.until(lambda: display(stage), lambda seen: seen.text == text, f"the entry shows {text!r}")


async def cleared(stage: Stage) -> str:
    """The entry, empty and focused."""
    ref = await entry(stage)
    await stage.do("set", on=ref, value="", verdict=None)
    await stage.do("focus", on=ref, verdict=None)
    return ref


async def preferences(stage: Stage) -> None:
    await stage.do("menu", path=["Primary menu", "Preferences"], expect={"for": "window", "on": PREFERENCES})


async def leave_preferences(stage: Stage) -> None:
    await stage.do("key", keys="Escape")
    await stage.until(lambda: stage.client(PREFERENCES), lambda client: client is None, "the preferences closed")


@subject.row("press", "7 × 6 =", "the entry's text (AT-SPI)")
async def press(stage: Stage) -> None:
    await cleared(stage)
    keys = [await stage.ref("button", name) for name in "7×6="]
    for key, text in zip(keys, ("7", "7×", "7×6", "42"), strict=True):
        effect = await stage.do("press", on=key, verdict="changed")
        await shows(stage, text)
        assert text in effect.note


@subject.row("click", "1, 2, then Clear with the pointer", "the entry's text (AT-SPI)")
async def click(stage: Stage) -> None:
    await cleared(stage)
    for name, text in (("1", "1"), ("2", "12"), ("Clear Display", "")):
        await stage.do("click", on=await stage.ref("button", name), verdict="changed")
        await shows(stage, text)


@subject.row("set", "a term, pressed to its result", "the entry's text (AT-SPI)")
async def set_term(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("set", on=ref, value="12+30")
    await shows(stage, "12+30")
    await stage.do("set", on=ref, value="12+30", verdict="unchanged")
    await stage.do("key", on=ref, keys="Return")
    await shows(stage, "42")


@subject.row("set", "the number of decimals, a spin button", "its number after reopening (AT-SPI)")
async def set_number(stage: Stage) -> None:
    await preferences(stage)
    spin = await stage.ref("spinbutton")
    await stage.do("set", on=spin, value=4)
    await stage.do("set", on=spin, value=4, verdict="unchanged")
    assert (await stage.refused("set", on=spin, value=4000)).code == "value_rejected"
    await leave_preferences(stage)
    await preferences(stage)
    await stage.until(lambda: stage.seen("spin button"), lambda seen: seen is not None and seen.number == 4, "4")
    await stage.do("set", on=await stage.ref("spinbutton"), value=9)
    await leave_preferences(stage)


@subject.row("append", "+1 to a term", "the entry's text (AT-SPI)")
async def append(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("set", on=ref, value="41")
    await stage.do("append", on=ref, value="+1")
    await shows(stage, "41+1")


@subject.row("type", "a term with Return", "its result in the entry (AT-SPI)")
async def type_text(stage: Stage) -> None:
    await stage.do("type", on=await cleared(stage), value="2^10\n", verdict="changed")
    await shows(stage, "1024")


@subject.row("key", "Escape clears", "the entry is empty (AT-SPI)")
async def key(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("set", on=ref, value="99")
    await stage.do("key", on=ref, keys="Escape")
    await shows(stage, "")


@subject.row("select", "characters 0 to 2 of the entry", "typing replaces just these (AT-SPI)")
async def select_text(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("set", on=ref, value="12345")
    await stage.do("select", on=ref, range=[0, 2])
    await stage.do("type", value="9")
    await shows(stage, "9345")


@subject.row("select", "an item of a combo box that holds it only while open", "the result of sin (AT-SPI)")
async def select_item(stage: Stage) -> None:
    await preferences(stage)
    units = await stage.ref("combobox", "Angle units")
    await stage.do("select", on=units, items=["Radians"])
    await stage.do("select", on=units, items=["Radians"], verdict="unchanged")
    await leave_preferences(stage)
    await stage.do("type", on=await cleared(stage), value="sin (π/2)\n", verdict=None)
    await shows(stage, "1")
    await preferences(stage)
    await stage.do("set", on=await stage.ref("combobox", "Angle units"), value="Degrees")
    await leave_preferences(stage)


@subject.row("check", "Trailing zeroes", "how a result is written (AT-SPI)")
async def check(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", "Trailing zeroes")
    await stage.do("check", on=box)
    await stage.do("check", on=box, verdict="unchanged")
    await leave_preferences(stage)
    await stage.do("type", on=await cleared(stage), value="1/4\n", verdict="changed")
    await shows(stage, "0.250000000")


@subject.row("uncheck", "Trailing zeroes", "how a result is written (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", "Trailing zeroes")
    await stage.do("check", on=box, verdict=None)
    await stage.do("uncheck", on=box)
    await leave_preferences(stage)
    await stage.do("type", on=await cleared(stage), value="1/4\n", verdict="changed")
    await shows(stage, "0.25")


@subject.row("expand", "the primary menu, a popover", "its surface is on the screen (X11)")
async def expand(stage: Stage) -> None:
    menu = await stage.ref("button", "Primary menu")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("expand", on=menu, verdict="unchanged")
    await stage.do("collapse", on=menu)


@subject.row("collapse", "the primary menu, a popover", "no popup is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("button", "Primary menu")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)
    await stage.do("collapse", on=menu, verdict="unchanged")


@subject.row("focus", "the entry, after Tab has left it", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("key", keys="shift+Tab", verdict=None)
    await stage.shows("text box", None, without="focused")
    await stage.do("focus", on=ref)
    await stage.shows("text box", None, "focused")
    await stage.do("focus", on=ref, verdict="unchanged")


@subject.cannot(
    "focus", "a digit's button", "GTK 4.8 lets nobody else move its focus, and a click would press the button",
    "`key` Tab, or `press` it", "unsupported_action",
)  # fmt: skip
async def focus_a_button(stage: Stage) -> None:
    await cleared(stage)
    assert (await stage.refused("focus", on=await stage.ref("button", "7"))).code == "unsupported_action"
    await shows(stage, "")


async def _first_line(stage: Stage) -> int:
    """Where the history's first line lies, in pixels from the window's top."""
    return (await stage.shows("list item")).bounds[1]


@subject.row("scroll", "the history of past results, up and to its end", "where its first line lies (AT-SPI)")
async def scroll(stage: Stage) -> None:
    ref = await cleared(stage)
    for n in range(8):
        await stage.do("type", on=ref, value=f"{n}+1\n", verdict=None)
    history = await stage.ref("list")
    await stage.do("scroll", on=history, to="bottom", verdict=None)
    low = await _first_line(stage)
    await stage.do("scroll", on=history, by=[0, -80])
    middle = await _first_line(stage)
    assert middle > low
    await stage.do("scroll", on=history, to="bottom")
    assert await _first_line(stage) == low


@subject.row("menu", "the mode button: Advanced, then Basic", "the keys that show (AT-SPI)")
async def menu(stage: Stage) -> None:
    await stage.do("menu", path=["Basic", "Advanced"])
    await stage.shows("label", "cos")
    await stage.do("menu", path=["Advanced", "Basic"])
    await stage.gone("label", "cos")


@subject.row("window", "move, maximise, restore, minimise, activate, close", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "Calculator")
    await preferences(stage)
    await stage.do("window", on=PREFERENCES, op="close")
    await stage.until(lambda: stage.client(PREFERENCES), lambda client: client is None, "the preferences closed")


@subject.row("open", "the application by name while it runs", "no second window (X11)")
async def open_again(stage: Stage) -> None:
    effect = await stage.do("open", app="calculator")
    assert "attached" in effect.note
    assert len(await stage.witness.clients()) == 1


@subject.row("wait", "for the result of a term", "the entry's text (AT-SPI)")
async def wait(stage: Stage) -> None:
    ref = await cleared(stage)
    result = await stage.act(
        {"do": "type", "on": ref, "value": "6*7\n"}, {"do": "wait", "for": "value", "on": ref, "is": "42"}
    )
    assert result.failure is None, result.text
    await shows(stage, "42")


@subject.row("expect", "a result, and one that is not so", "the entry's text (AT-SPI)")
async def expect(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("type", on=ref, value="6*7\n", expect={"for": "value", "on": ref, "is": "42"})
    await shows(stage, "42")
    wrong = {"for": "value", "on": ref, "is": "43", "timeout": 0.3}
    result = await stage.act({"do": "key", "on": ref, "keys": "End", "expect": wrong})
    assert result.failure is not None
    assert result.failure.code == "expectation_failed"
    assert "42" in result.failure.found


@subject.row("hover", "a button", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    await stage.do("hover", on=await stage.ref("button", "5"), verdict=None)
    window = await stage.window_is("Calculator", lambda c: True, "the window")
    key = await stage.shows("button", "5 5")
    inside = [key.bounds[0] + window.bounds[0], key.bounds[1] + window.bounds[1]]
    pointer = await stage.witness.pointer()
    assert all(0 <= pointer[n] - inside[n] - 5 < key.bounds[n + 2] + 10 for n in (0, 1))


@subject.row("drag", "over the entry's text", "typing replaces what was dragged over (AT-SPI)")
async def drag(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("set", on=ref, value=LONG)
    await stage.do("drag", on=ref, to=[-100, 0], verdict="changed")
    await stage.do("type", value="5")
    await stage.until(lambda: display(stage), lambda seen: 0 < len(seen.text) < len(LONG) - 3, "a shorter text")


@subject.row("invoke", "a button's own action", "the entry's text (AT-SPI)")
async def invoke(stage: Stage) -> None:
    await cleared(stage)
    key = await stage.ref("button", "8")
    await stage.do("invoke", on=key, action="click", verdict="changed")
    await shows(stage, "8")
    assert (await stage.refused("invoke", on=key, action="explode")).code == "unsupported_action"


@subject.row("clipboard", "written, pasted; copied, read", "the entry's text (AT-SPI)")
async def clipboard(stage: Stage) -> None:
    ref = await cleared(stage)
    await stage.do("clipboard", op="write", value="17+4")
    await stage.do("key", on=ref, keys="ctrl+v")
    await shows(stage, "17+4")
    await stage.do("key", on=ref, keys="ctrl+a", verdict=None)
    await stage.do("key", on=ref, keys="ctrl+c", verdict=None)
    assert (await stage.do("clipboard", op="read")).after == '"17+4"'


@subject.refuses("check", "a button", "it is neither on nor off", "`press` it", "unsupported_action")
async def check_a_button(stage: Stage) -> None:
    assert (await stage.refused("check", on=await stage.ref("button", "7"))).code == "unsupported_action"


@subject.refuses("set", "the field that shows units", "it is read-only", "`set` the entry above it", "value_rejected")
async def set_read_only(stage: Stage) -> None:
    field = await stage.ref("textbox", nth=1)
    assert (await stage.refused("set", on=field, value="1")).code == "value_rejected"
