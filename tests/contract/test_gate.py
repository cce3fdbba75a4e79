"""The gate in its place: a whole desktop session over an in-memory platform. What is asked about is not sent."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from deskhand.daemon.caller import CALLER, Caller
from deskhand.desktop.session import DesktopSession
from deskhand.platforms.fake import (
    FakePlatform,
    FakeWindow,
    Widget,
    button,
    checkbox,
    dialog,
    group,
    label,
    menu,
    menubar,
    menuitem,
    password,
    radio,
    textarea,
    textbox,
    window,
)
from deskhand.policy.gate import DefaultGate
from deskhand.sessions.places import day_files
from deskhand.sessions.recorder import FileRecorder
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest, FindRequest, InputRequest, ObserveRequest, ScreenshotRequest
from deskhand.types.results import ActResult, InputResult


class CountingIds:
    def __init__(self) -> None:
        self.numbers: dict[str, int] = defaultdict(int)

    def next(self, kind: str) -> int:
        self.numbers[kind] += 1
        return self.numbers[kind]

    def issued(self, kind: str) -> int:
        return self.numbers[kind]


class NoLauncher:
    environment: Mapping[str, str] = {}

    async def launch(self, command: Sequence[str], directory: str | None = None) -> int:
        raise DeskhandError("launch_failed", "nothing can be started here")


class Scene:
    """An editor with an edited document, and a session on it. ``done`` lists what the application really did."""

    def __init__(self, folder: Path) -> None:
        self.done: list[str] = []
        self.field = textarea("Text", "draft")
        self.secret = password("Password")
        items = [self._item("Save", "ctrl+s"), self._item("Close"), self._item("Quit", "ctrl+q"), self._item("Reload")]
        self.main = window(
            "*draft.txt - Editor", menubar(menu("File", *items)), self.field, textbox("Title"), self.secret,
            button("Delete", self._did("Delete")), button("Bold", self._did("Bold")),
            button("Italic", self._did("Italic")),
            accelerators={"ctrl+w": self._did("ctrl+w")}, on_close=self._closing,
        )  # fmt: skip
        self.platform = FakePlatform(self.main, app="editor")
        self.folder = folder
        self.recorder = FileRecorder(folder, "fake")
        counters = CountingIds()
        self.gate = DefaultGate(counters, self.recorder)
        self.session = DesktopSession(
            self.platform, gate=self.gate, recorder=self.recorder, launcher=NoLauncher(), counters=counters
        )

    def _did(self, what: str) -> Any:
        return lambda: self.done.append(what)

    def _item(self, name: str, accelerator: str = "") -> Widget:
        return menuitem(name, self._did(name), accelerator)

    def _closing(self) -> bool:
        self.done.append("closed")
        return True

    def ask(self, text: str, *names: str, default: str = "") -> FakeWindow:
        buttons = [button(name, self._did(name), default=name == default) for name in names]
        shown = self.platform.add(dialog("Question", label(text), textbox("Name"), *buttons), "editor", self.main)
        shown.focus = shown.root.children[1]
        return shown

    def focus(self, widget: Widget) -> None:
        self.main.focus = widget

    async def act(self, *steps: Mapping[str, Any], consent: str | None = None) -> ActResult:
        return await self.session.act(ActRequest.model_validate({"steps": list(steps), "consent": consent}))

    async def input(self, *actions: Mapping[str, Any], consent: str | None = None) -> InputResult:
        picture = await self.session.screenshot(ScreenshotRequest(max_pixels=2_000_000))
        return await self.session.input(
            InputRequest.model_validate({"lease": picture.lease, "actions": list(actions), "consent": consent})
        )

    def record(self) -> str:
        return "".join(path.read_text() for path in day_files(self.folder))


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    token = CALLER.set(Caller("test", "test", call=1))
    scene = Scene(tmp_path / "records")
    yield scene
    CALLER.reset(token)


def on(name: str, role: str = "button", **more: Any) -> dict[str, Any]:
    return {"on": {"role": role, "name": name, **more}}


def widget(scene: Scene, name: str) -> Widget:
    return next(child for child in scene.main.root.children if child.name == name)


EXISTS = "A file named “a.txt” already exists. Do you want to replace it?"
SAVE = "Save changes to “draft.txt” before closing?"

RISKY_MAIN: dict[str, dict[str, Any]] = {
    "press": {"do": "press", **on("Delete")},
    "click": {"do": "click", **on("Delete")},
    "double click": {"do": "double_click", **on("Delete")},
    "invoke": {"do": "invoke", "action": "click", **on("Delete")},
    "quit by accelerator": {"do": "key", "keys": "ctrl+q"},
    "quit by menu": {"do": "menu", "path": ["File", "Quit"]},
    "close by accelerator": {"do": "key", "keys": "ctrl+w"},
    "close by alt+F4": {"do": "key", "keys": "alt+F4"},
    "close by menu": {"do": "menu", "path": ["File", "Close"]},
    "reload by menu": {"do": "menu", "path": ["File", "Reload"]},
    "close by window": {"do": "window", "on": "editor", "op": "close"},
    "password": {"do": "set", "value": "hunter2 and more", **on("Password", "textbox")},
    "password typed": {"do": "type", "value": "hunter2 and more", **on("Password", "textbox")},
}


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize("name", RISKY_MAIN)
async def test_a_risky_step_is_refused_before_anything_is_sent(scene: Scene, name: str) -> None:
    with pytest.raises(DeskhandError) as raised:
        await scene.act(RISKY_MAIN[name])
    assert (raised.value.code, raised.value.sent) == ("confirmation_required", "no")
    assert raised.value.question == "q1"
    assert (scene.done, scene.platform.journal) == ([], [])


@pytest.mark.proves("C9")
@pytest.mark.parametrize("name", [name for name in RISKY_MAIN if "password" not in name])
async def test_the_same_step_is_done_once_it_was_agreed_to(scene: Scene, name: str) -> None:
    request = ActRequest.model_validate({"steps": [RISKY_MAIN[name]]})
    question = (await scene.session.judge(request)).question
    assert scene.platform.journal == []
    scene.gate.answer(question, True)
    result = await scene.session.act(request.model_copy(update={"consent": question}))
    assert result.failure is None, result.text
    assert scene.done != []


@pytest.mark.proves("C9")
@pytest.mark.parametrize(
    ("text", "names", "default", "step"),
    [
        (EXISTS, ("Cancel", "Replace"), "Replace", {"do": "key", "keys": "Return"}),
        (EXISTS, ("Cancel", "Replace"), "", {"do": "key", "keys": "Return"}),
        (EXISTS, ("Cancel", "Replace"), "", {"do": "press", **on("Replace")}),
        (EXISTS, ("No", "Yes"), "", {"do": "press", **on("Yes")}),
        (SAVE, ("No", "Cancel", "Yes"), "", {"do": "press", **on("No")}),
        (SAVE, ("Don't Save", "Cancel", "Save"), "", {"do": "click", **on("Don't Save")}),
        (SAVE, ("Don't Save", "Cancel", "Save"), "Don't Save", {"do": "key", "keys": "KP_Enter"}),
        ("Delete 3 files?", ("Cancel", "OK"), "OK", {"do": "type", "value": "x\n"}),
    ],
)
async def test_a_dialogs_dangerous_answer_is_refused(
    scene: Scene, text: str, names: tuple[str, ...], default: str, step: dict[str, Any]
) -> None:
    scene.ask(text, *names, default=default)
    with pytest.raises(DeskhandError, match="confirmation_required"):
        await scene.act(step)
    assert (scene.done, scene.platform.journal) == ([], [])


@pytest.mark.proves("C9")
@pytest.mark.parametrize("keys", ["Return", "space"])
async def test_keys_are_judged_by_the_focused_button(scene: Scene, keys: str) -> None:
    shown = scene.ask("What now?", "Keep", "Delete")
    shown.focus = shown.root.children[3]
    with pytest.raises(DeskhandError, match="confirmation_required"):
        await scene.act({"do": "key", "keys": keys})
    assert (scene.done, scene.platform.journal) == ([], [])


HARMLESS: dict[str, dict[str, Any]] = {
    "press": {"do": "press", **on("Bold")},
    "click": {"do": "click", **on("Bold")},
    "save by accelerator": {"do": "key", "keys": "ctrl+s"},
    "save by menu": {"do": "menu", "path": ["File", "Save"]},
    "type": {"do": "type", "value": "delete, quit\npay", **on("Text", "textbox")},
    "set": {"do": "set", "value": "Delete", **on("Title", "textbox")},
    "return in text": {"do": "key", "keys": "Return", **on("Text", "textbox")},
    "delete in text": {"do": "key", "keys": "Delete", **on("Text", "textbox")},
}


@pytest.mark.proves("C9")
@pytest.mark.parametrize("name", HARMLESS)
async def test_a_harmless_step_is_done_unasked(scene: Scene, name: str) -> None:
    result = await scene.act(HARMLESS[name])
    assert result.failure is None, result.text
    assert scene.platform.journal
    assert scene.gate.pending() == []


@pytest.mark.proves("C9")
@pytest.mark.parametrize(
    ("text", "names", "answer"), [(EXISTS, ("Cancel", "Replace"), "Cancel"), (SAVE, ("No", "Save"), "Save")]
)
async def test_a_dialogs_harmless_answer_is_given_unasked(
    scene: Scene, text: str, names: tuple[str, ...], answer: str
) -> None:
    scene.ask(text, *names)
    result = await scene.act({"do": "press", **on(answer)})
    assert result.failure is None, result.text
    assert scene.done == [answer]


@pytest.mark.proves("C9")
async def test_a_step_that_proves_risky_only_then_stops_the_batch(scene: Scene) -> None:
    def ask_back() -> None:
        scene.done.append("Bold")
        scene.ask("Delete it?", "Cancel", "OK", default="OK")

    next(widget for widget in scene.main.root.children if widget.name == "Bold").on_press = ask_back
    result = await scene.act(
        {"do": "press", **on("Bold")}, {"do": "key", "keys": "Return"}, {"do": "press", **on("OK")}
    )
    assert result.failure is not None
    assert (result.failure.code, result.done) == ("confirmation_required", 1)
    assert result.failure.question in {question.id for question in scene.gate.pending()}
    assert scene.done == ["Bold"]


@pytest.mark.proves("C9")
@pytest.mark.parametrize(
    "step",
    [
        {"do": "key", "keys": "Return", **on("Title", "textbox")},
        {"do": "type", "value": "a\n", **on("Title", "textbox")},
        {"do": "set", "value": "a\n", **on("Title", "textbox")},
    ],
)
async def test_enter_is_judged_by_the_default_button_that_there_is_now(scene: Scene, step: dict[str, Any]) -> None:
    def make_delete_the_default() -> None:
        scene.done.append("Bold")
        widget(scene, "Delete").default = True

    widget(scene, "Bold").on_press = make_delete_the_default
    result = await scene.act({"do": "press", **on("Bold")}, step)
    assert result.failure is not None
    assert (result.failure.code, scene.done) == ("confirmation_required", ["Bold"])


@pytest.mark.proves("C9")
@pytest.mark.parametrize("by_offset", [False, True])
async def test_a_drag_is_judged_by_what_lies_where_it_ends(scene: Scene, by_offset: bool) -> None:
    italic, trash = widget(scene, "Italic"), widget(scene, "Bold")
    trash.name = "Trash"
    view = await scene.session.find(FindRequest(query="Trash"))
    [ref] = [match.ref for match in view.matches]
    offset = trash.bounds.centre.x - italic.bounds.centre.x, trash.bounds.centre.y - italic.bounds.centre.y
    step = {"do": "drag", "to": offset if by_offset else ref, **on("Italic")}
    judged = await scene.session.judge(ActRequest.model_validate({"steps": [step]}))
    assert (judged.verdict, len(judged.risks)) == ("ask", 1)


@pytest.mark.proves("C9")
async def test_what_was_seen_before_does_not_stand_in_for_what_is_there(scene: Scene) -> None:
    seen = await scene.session.observe(ObserveRequest())
    widget(scene, "Delete").default = True
    steps = [{"do": "key", "keys": "Return", **on("Title", "textbox")}]
    result = await scene.session.act(ActRequest.model_validate({"steps": steps, "since": seen.snapshot}))
    assert result.failure is not None
    assert (result.failure.code, scene.done) == ("confirmation_required", [])


@pytest.mark.proves("C9", "report-37")
async def test_consent_is_not_for_an_element_that_took_its_place(scene: Scene) -> None:
    """The same step, the same name; another button by the time it is dispatched."""

    def replace_delete() -> None:
        scene.done.append("Bold")
        old, new = widget(scene, "Delete"), widget(scene, "Italic")
        old.name, new.name = new.name, old.name

    widget(scene, "Bold").on_press = replace_delete
    request = ActRequest.model_validate({"steps": [{"do": "press", **on("Bold")}, RISKY_MAIN["press"]]})
    question = (await scene.session.judge(request)).question
    scene.gate.answer(question, True)
    result = await scene.session.act(request.model_copy(update={"consent": question}))
    assert result.failure is not None
    assert (result.failure.code, scene.done) == ("confirmation_required", ["Bold"])
    assert result.failure.question not in ("", question)


@pytest.mark.proves("C9", "report-37")
async def test_consent_does_not_fit_other_steps(scene: Scene) -> None:
    request = ActRequest.model_validate({"steps": [RISKY_MAIN["press"]]})
    question = (await scene.session.judge(request)).question
    scene.gate.answer(question, True)
    with pytest.raises(DeskhandError) as refused:
        await scene.act(RISKY_MAIN["quit by accelerator"], consent=question)
    assert (refused.value.code, refused.value.question != question) == ("confirmation_required", True)
    assert (scene.done, scene.platform.journal) == ([], [])


@pytest.mark.proves("C9", "G7", "report-22")
async def test_a_password_that_was_agreed_to_is_not_in_the_record(scene: Scene) -> None:
    request = ActRequest.model_validate({"steps": [RISKY_MAIN["password"]]})
    question = (await scene.session.judge(request)).question
    scene.gate.answer(question, True)
    result = await scene.session.act(request.model_copy(update={"consent": question}))
    assert scene.secret.text == "hunter2 and more", result.text
    assert "hunter2" not in scene.record()
    assert "hunter2" not in result.model_dump_json()


@pytest.mark.proves("C11")
async def test_every_step_is_recorded_before_and_after(scene: Scene) -> None:
    await scene.act(HARMLESS["press"], HARMLESS["set"])
    names = [json.loads(line)["event"] for line in scene.record().splitlines()]
    assert names[0] == "call"
    assert names.count("step") >= 2
    assert names.count("effect") == 2
    dispatched = [json.loads(line) for line in scene.record().splitlines() if '"event": "dispatch"' in line]
    assert [(event["step"].get("value"), event["element"]["name"]) for event in dispatched] == [
        (None, "Bold"),
        ("Delete", "Title"),
    ]
    assert names[-1] == "result"
    last = json.loads(scene.record().splitlines()[-1])
    assert '-> "Delete" verified' in last["text"]  # a field that is no secret


@pytest.mark.proves("C11")
async def test_a_full_disk_stops_no_step_and_is_told(tmp_path: Path, scene: Scene) -> None:
    scene.recorder.record("first")
    scene.recorder.close()
    [today] = day_files(scene.folder)
    today.unlink()
    today.symlink_to("/dev/full")
    result = await scene.act(HARMLESS["press"])
    assert (result.failure, scene.done) == (None, ["Bold"])
    assert "free some space" in scene.recorder.trouble


@pytest.mark.proves("C9")
@pytest.mark.parametrize(("keys", "asked"), [("alt+d", True), ("alt+k", False), ("Return", True), ("Tab", False)])
async def test_in_a_dialogs_field_keys_are_judged_by_all_its_buttons(scene: Scene, keys: str, asked: bool) -> None:
    scene.ask("What is to be done?", "Keep", "Discard")
    request = ActRequest.model_validate({"steps": [{"do": "key", "keys": keys}]})
    assert (await scene.session.judge(request)).verdict == ("ask" if asked else "allow")
    assert scene.platform.journal == []


@pytest.mark.proves("C9", "report-37")
@pytest.mark.parametrize(
    "step",
    [
        {"do": "key", "keys": "Return", **on("Title", "textbox")},
        {"do": "type", "value": "hello\n", **on("Title", "textbox")},
        {"do": "key", "keys": "alt+d", **on("Title", "textbox")},
    ],
    ids=["Return beside Send", "a line break beside Send", "the mnemonic of Delete"],
)
async def test_a_windows_own_buttons_are_not_pressed_by_keys_unasked(scene: Scene, step: dict[str, Any]) -> None:
    widget(scene, "Bold").name = "Send"
    with pytest.raises(DeskhandError) as raised:
        await scene.act(step)
    assert raised.value.code == "confirmation_required"
    assert scene.done == []


@pytest.mark.proves("C9")
async def test_a_window_behind_its_own_question_is_not_closed_and_nobody_is_asked(scene: Scene) -> None:
    scene.ask(SAVE, "Cancel", "Don't Save", "Save")
    close = {"do": "window", "on": "*draft.txt - Editor", "op": "close"}
    for call in (scene.session.judge, scene.session.act):
        with pytest.raises(DeskhandError) as refused:
            await call(ActRequest.model_validate({"steps": [close]}))
        assert (refused.value.code, refused.value.found) == ("occluded", '"Question"')
        assert "answer that dialog first" in refused.value.message
    assert scene.gate.pending() == []
    assert scene.done == []


@pytest.mark.proves("C9", "report-37")
async def test_a_key_that_is_repeated_is_judged_again_where_the_focus_has_moved(scene: Scene) -> None:
    def move_on() -> None:
        scene.done.append("Bold")
        scene.focus(widget(scene, "Delete"))

    widget(scene, "Bold").on_press = move_on
    result = await scene.act({"do": "key", "keys": "space", "count": 2, **on("Bold")})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("confirmation_required", "yes")
    assert scene.done == ["Bold"]


@pytest.mark.parametrize("tick", [checkbox, radio])
@pytest.mark.parametrize("step", [{"do": "key", "keys": "Return"}, {"do": "type", "value": "\n"}])
async def test_enter_where_a_page_is_ticked_sends_its_form_and_is_asked_about(
    scene: Scene, tick: Callable[[str], Widget], step: Mapping[str, str]
) -> None:
    ticked = tick("I am sure")
    form = group("Account", ticked, button("Delete account"), role="form")
    page = scene.platform.add(window("Shop", group("Shop", form, role="document")), "editor")
    page.focus = ticked
    with pytest.raises(DeskhandError, match="deletes something") as asked:
        await scene.act(step)
    assert asked.value.code == "confirmation_required"
    assert scene.platform.journal == []
