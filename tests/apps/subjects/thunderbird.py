"""Thunderbird (Gecko): a message is written; a mail server on loopback is the judge of what was sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskhand.desktop.session import DesktopSession
from deskhand.policy.gate import DefaultGate
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.requests import ActRequest
from tests.apps.subjects.mail_server import MailServer
from tests.apps.subjects.operating import operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import NoRecord, Stage
from tests.apps.subjects.viewing import tells_all
from tests.contract.sessions import Counting

WRITE = "Write: "
_ACCOUNTS = """
user_pref("mail.accountmanager.accounts", "account1,account2");
user_pref("mail.accountmanager.defaultaccount", "account2");
user_pref("mail.accountmanager.localfoldersserver", "server1");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.account.account2.server", "server2");
user_pref("mail.account.account2.identities", "id1");
user_pref("mail.identity.id1.fullName", "Ada");
user_pref("mail.identity.id1.useremail", "ada@example.test");
user_pref("mail.identity.id1.valid", true);
user_pref("mail.identity.id1.smtpServer", "smtp1");
user_pref("mail.identity.id1.compose_html", false);
user_pref("mail.identity.id1.fcc", false);
user_pref("mail.server.server1.type", "none");
user_pref("mail.server.server1.hostname", "Local Folders");
user_pref("mail.server.server1.name", "Local Folders");
user_pref("mail.server.server1.userName", "nobody");
user_pref("mail.server.server1.directory-rel", "[ProfD]Mail/Local Folders");
user_pref("mail.server.server2.type", "pop3");
user_pref("mail.server.server2.hostname", "127.0.0.1");
user_pref("mail.server.server2.port", 9);
user_pref("mail.server.server2.name", "ada@example.test");
user_pref("mail.server.server2.userName", "ada");
user_pref("mail.server.server2.check_new_mail", false);
user_pref("mail.server.server2.login_at_startup", false);
user_pref("mail.smtpservers", "smtp1");
user_pref("mail.smtpserver.smtp1.hostname", "127.0.0.1");
user_pref("mail.smtpserver.smtp1.port", {port});
user_pref("mail.smtpserver.smtp1.authMethod", 1);
user_pref("mail.smtpserver.smtp1.try_ssl", 0);
user_pref("mail.smtp.defaultserver", "smtp1");
"""


async def prepare(stage: Stage) -> None:
    """An account whose mail goes to a server of the test's own, and a new message."""
    server = stage.memory["mail"] = MailServer()
    stage.leaving.append(server.stop)
    profile = Path(stage.desktop.record.wish.folder) / "profiles/thunderbird/user.js"
    profile.write_text(profile.read_text() + _ACCOUNTS.replace("{port}", str(server.port)))
    await stage.open(app="thunderbird")
    await message(stage)


async def message(stage: Stage) -> None:
    """A new message, in the window that is in front."""
    if await stage.client(WRITE) is None:
        await stage.do("window", on="Mozilla Thunderbird", op="activate", verdict=None)
        await stage.do("key", keys="ctrl+n", expect={"for": "window", "on": WRITE}, verdict=None)
    stage.window = (await stage.view(WRITE)).window
    await stage.do("window", on=stage.window, op="activate", verdict=None)


subject = Subject("thunderbird", "Gecko", prepare, title="Thunderbird", first=FirstView(150, 0.95))
SUBJECT = "the field's text (AT-SPI)"


async def field(stage: Stage, name: str = "Subject", text: str | None = None) -> str:
    """A field's ref, with this in it."""
    await message(stage)
    ref = await stage.ref("textbox", name)
    if text is not None:
        await stage.do("set", on=ref, value=text, verdict=None)
    return ref


async def holds(stage: Stage, text: str, name: str = "Subject") -> None:
    await stage.until(lambda: stage.seen("entry", name), lambda seen: seen is not None and seen.text == text, text)


@subject.row("observe", "the message's window: all fields, buttons and menus", "a walk by pyatspi")
async def observe(stage: Stage) -> None:
    view = await tells_all(stage, "Thunderbird")
    assert view.coverage > 0.9


@subject.row("set", "the subject, letters outside of ASCII", SUBJECT)
async def set_subject(stage: Stage) -> None:
    ref = await field(stage, text="x")
    await stage.do("set", on=ref, value="Grüße, 日本")
    await holds(stage, "Grüße, 日本")
    await stage.do("set", on=ref, value="Grüße, 日本", verdict="unchanged")


@subject.row("append", "to the subject", SUBJECT)
async def append(stage: Stage) -> None:
    await stage.do("append", on=await field(stage, text="one"), value=" two")
    await holds(stage, "one two")


@subject.row("key", "ctrl+A, then Delete in the subject", SUBJECT)
async def key(stage: Stage) -> None:
    await stage.do("key", on=await field(stage, text="away"), keys="ctrl+a", verdict=None)
    await stage.do("key", keys="Delete")
    await holds(stage, "")


@subject.row("select", "characters of the subject; typing replaces just them", SUBJECT)
async def select(stage: Stage) -> None:
    await stage.do("select", on=await field(stage, text="one two three"), range=[4, 7])
    await stage.do("type", value="2", verdict=None)
    await holds(stage, "one 2 three")


@subject.row("press", "Cc: a field for it shows", "the field (AT-SPI)")
async def press(stage: Stage) -> None:
    await message(stage)
    await stage.do("press", on=await stage.ref("button", "Cc"), verdict=None)
    await stage.shows("entry", "Cc")


@subject.row("click", "the subject's field", "who is focused (AT-SPI)")
async def click(stage: Stage) -> None:
    await stage.do("focus", on=await field(stage, "To"), verdict=None)
    await stage.do("click", on=await field(stage), verdict=None)
    await stage.shows("entry", "Subject", "focused")


@subject.row("focus", "the receiver's field, then the subject's", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    subject_field = await field(stage)
    for name, ref in (("To", await field(stage, "To")), ("Subject", subject_field)):
        await stage.do("focus", on=ref, verdict=None)
        await stage.shows("entry", name, "focused")


@subject.row("check", "the contacts' side bar, a button that stays down", "the button is pressed (AT-SPI)")
async def check(stage: Stage) -> None:
    await message(stage)
    button = await stage.ref("toggle", "Contacts")
    await stage.do("check", on=button)
    await stage.shows("toggle button", "Contacts", "pressed")
    await stage.do("check", on=button, verdict="unchanged")


@subject.row("uncheck", "the contacts' side bar", "the button is not pressed (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await message(stage)
    button = await stage.ref("toggle", "Contacts")
    await stage.do("check", on=button, verdict=None)
    await stage.do("uncheck", on=button)
    await stage.shows("toggle button", "Contacts", without="pressed")


@subject.row("expand", "a menu", "an open menu (X11)")
async def expand(stage: Stage) -> None:
    await message(stage)
    menu = await stage.ref("menu", "Edit")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu, verdict=None)


@subject.row("collapse", "a menu", "no open menu (X11)")
async def collapse(stage: Stage) -> None:
    await message(stage)
    menu = await stage.ref("menu", "View")
    await stage.do("expand", on=menu)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("menu", "View > Contacts Sidebar, twice", "the button that stays down (AT-SPI)")
async def menu(stage: Stage) -> None:
    await message(stage)
    await stage.do("menu", path=["View", "Contacts Sidebar"], verdict=None)
    await stage.shows("toggle button", "Contacts", "pressed")
    await stage.do("menu", path=["View", "Contacts Sidebar"], verdict=None)
    await stage.shows("toggle button", "Contacts", without="pressed")


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    await message(stage)
    result = await stage.act({"do": "menu", "path": ["Edit", "Nothing"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    await stage.popups(False)


@subject.row("type", "the message, letters outside of the layout", "its paragraph (AT-SPI)")
async def type_text(stage: Stage) -> None:
    await message(stage)
    await stage.do("type", on=await body(stage), value="Dear Zoë, 日本", verdict=None)

    async def look() -> list[str]:
        return [seen.text or seen.name for seen in await stage.witness.elements(stage.pid)]

    await stage.until(look, lambda told: any("Dear Zoë, 日本" in text for text in told), "the text")


async def body(stage: Stage) -> str:
    return await stage.ref("textbox", "Message body")


@subject.lacks(
    "scroll", "a long message", "its picture (pixels)", "its tree is one text that tells no places: `unverifiable`",
    "`screenshot`",
)  # fmt: skip
async def scroll(stage: Stage) -> None:
    await message(stage)
    text = "\n".join(f"line {n}" for n in range(90))
    await stage.do("set", on=await body(stage), value=text, verdict=None)
    before = await picture(stage)
    await stage.do("scroll", on=await body(stage), by=[0, -900], verdict="unverifiable")
    await stage.until(lambda: picture(stage), lambda now: now != before, "another part of it shows")


async def picture(stage: Stage) -> bytes:
    """The left margin of the message's first lines, where no caret blinks."""
    bounds = (await stage.shows("document web", "Message body")).bounds
    return (await stage.platform.capture(Rect(bounds[0], bounds[1], 120, 200))).pixels


@subject.row("press", "Send, with the gate that every desktop has by default", "the mail server got nothing")
async def press_send_is_held(stage: Stage) -> None:
    await ready(stage, "held")
    gate = DefaultGate(Counting(), NoRecord())
    guarded = DesktopSession(
        stage.platform, gate=gate, recorder=NoRecord(), launcher=stage.desktop, counters=Counting()
    )
    step = {"do": "press", "on": {"role": "button", "name": "Send", "in": "Write: "}}
    for wanted in (step, {"do": "key", "keys": "ctrl+Return"}):
        with pytest.raises(DeskhandError) as held:
            await guarded.act(ActRequest.model_validate({"steps": [wanted]}))
        assert (held.value.code, held.value.sent) == ("confirmation_required", "no")
    assert stage.memory["mail"].mails == []
    assert await stage.client(WRITE) is not None


@subject.row("press", "Send, allowed", "the mail, at the server")
async def press_send(stage: Stage) -> None:
    await ready(stage, "Grüße")
    await stage.do("press", on=await stage.ref("button", "Send"), verdict=None)

    async def look() -> list[str]:
        mails: list[str] = stage.memory["mail"].mails
        return mails

    await stage.until(look, lambda mails: any("To: zoe@example.test" in mail for mail in mails), "the mail")
    await stage.until(lambda: stage.client(WRITE), lambda client: client is None, "its window has closed")


async def ready(stage: Stage, text: str) -> None:
    """A message that could be sent."""
    await stage.do("set", on=await field(stage, text=text), value=text, verdict=None)
    if await stage.seen("entry", "To") is not None and await _unaddressed(stage):
        await stage.do("type", on=await field(stage, "To"), value="zoe@example.test\t", verdict=None)
    await stage.do("wait", **{"for": "enabled"}, on={"role": "button", "name": "Send"}, verdict=None)


async def _unaddressed(stage: Stage) -> bool:
    view = await stage.view(WRITE)
    return "zoe@example.test" not in view.text


@subject.row("window", "move, maximise, restore, minimise, activate; closed, it asks about what was written",
             "the window's X11 state")  # fmt: skip
async def window(stage: Stage) -> None:
    await message(stage)
    await operate_window(stage, WRITE)
    await stage.do("type", on=await body(stage), value="not saved", verdict=None)
    await stage.do("window", on=stage.window, op="close", verdict=None)
    await stage.do("press", on={"role": "button", "name": "Discard changes", "match": "contains"}, verdict=None)
    await stage.until(lambda: stage.client(WRITE), lambda client: client is None, "it has closed")


@subject.row("open", "the application by name while it runs", "no further window (X11)")
async def open_again(stage: Stage) -> None:
    before = len(await stage.witness.clients())
    assert "attached" in (await stage.do("open", app="thunderbird", verdict=None)).note
    assert len(await stage.witness.clients()) == before


@subject.row("wait", "for a value, for a window that does not come", "the field's text (AT-SPI); `wait_timeout`")
async def wait(stage: Stage) -> None:
    ref = await field(stage, text="soon")
    result = await stage.act(
        {"do": "append", "on": ref, "value": " later"},
        {"do": "wait", "for": "value", "on": ref, "is": "later", "match": "contains"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.failure is not None
    assert (result.done, result.failure.code) == (2, "wait_timeout")
    await holds(stage, "soon later")
