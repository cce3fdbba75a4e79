"""What changes between a look and an input: levels of a menu, windows that come to the front, things that move."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast
from unittest.mock import AsyncMock

import pytest

from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.keeping import Reach
from deskhand.desktop.act.prose import _share_alike as share_alike
from deskhand.desktop.act.scene import Scene as ActScene
from deskhand.desktop.world import World
from deskhand.library.failures import BatchStopped
from deskhand.library.link import Link
from deskhand.library.windows import Window
from deskhand.platforms import fake
from deskhand.platforms.base import WindowOperation
from deskhand.platforms.fake import FakePlatform, FakeWindow, Widget
from deskhand.platforms.fake.model import Rewrite
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node, State
from deskhand.types.requests import ActRequest
from deskhand.types.results import ActResult
from tests.contract.sessions import Counting, Session
from tests.contract.test_gate import Scene, scene

__all__ = ["scene"]


def add_button(scene: Scene, name: str, expandable: bool) -> Widget:
    made = fake.button(name, lambda: scene.done.append(name), expandable=expandable)
    return scene.platform.world.append(scene.main.root, made)


@pytest.mark.proves("C9")
async def test_a_menu_path_presses_no_button_that_opens_nothing(scene: Scene) -> None:
    add_button(scene, "Bolder", expandable=False)
    result = await scene.act({"do": "menu", "path": ["Bolder", "Nothing"]})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("not_found", "no")
    assert (scene.done, scene.platform.journal) == ([], [])


@pytest.mark.proves("C9")
async def test_a_button_on_a_menu_path_is_judged_as_pressed(scene: Scene) -> None:
    add_button(scene, "Delete permanently", expandable=True)
    with pytest.raises(DeskhandError) as refused:
        await scene.act({"do": "menu", "path": ["Delete permanently", "Nothing"]})
    assert (refused.value.code, refused.value.sent) == ("confirmation_required", "no")
    assert (scene.done, scene.platform.journal) == ([], [])


@pytest.mark.proves("C9")
async def test_an_item_without_a_submenu_is_not_pressed_on_the_way(scene: Scene) -> None:
    result = await scene.act({"do": "menu", "path": ["File", "Save", "Nothing"]})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent, scene.done) == ("unsupported_action", "yes", [])


@pytest.mark.proves("C9")
async def test_every_level_that_is_no_menu_is_asked_about_before_it_is_opened() -> None:
    opener = fake.combobox("Delete", ["One", "Two"])
    platform = FakePlatform(fake.window("Editor", opener))
    session = Session(platform)
    await session.act({"do": "menu", "path": ["Delete", "Three"]})
    assert [plan.element.name for plan in session.gate.permitted if plan.element] == ["Delete"]


class Claiming(FakePlatform):
    """Its elements called in ``claims`` say that they have the focus, whatever window is in front."""

    claims: tuple[str, ...] = ()
    thief: Callable[[], object] = staticmethod(lambda: None)  # what happens right after a window operation

    async def window_operation(self, key: str, operation: WindowOperation, bounds: Rect | None = None) -> None:
        await super().window_operation(key, operation, bounds)
        self.thief()

    async def refresh(self, keys: Sequence[str]) -> dict[str, Node | None]:
        found = await super().refresh(keys)
        return {key: self._claiming(node) for key, node in found.items()}

    def _claiming(self, node: Node | None) -> Node | None:
        return replace(node, states=node.states | State.FOCUSED) if node and node.name in self.claims else node


class Crossed:
    """A window to act in, and another that comes to the front when ``to_front`` is called."""

    def __init__(self, *content: Widget) -> None:
        self.field = fake.textbox("Elsewhere")
        self.other = fake.window("Other", self.field, at=Rect(600, 0, 480, 640))
        self.main = fake.window("Editor", *content)
        self.platform = Claiming(self.main, app="editor")
        self.session = Session(self.platform)

    def to_front(self) -> FakeWindow:
        self.other.focus = self.field
        return self.platform.add(self.other, "other")


@pytest.mark.proves("report-34")
async def test_what_follows_a_return_is_not_typed_into_the_window_that_it_opened() -> None:
    text = Widget("paragraph", "", text="", editable=True, focusable=True)
    crossed = Crossed(text)
    text.on_activate = crossed.to_front
    result = await crossed.session.act({"do": "type", "value": "one\ntwo"})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("focus_lost", "yes")
    assert (text.text, crossed.field.text) == ("one", "")


@pytest.mark.proves("report-34")
async def test_a_dates_digits_go_to_its_own_window_only() -> None:
    most = {"Year": 9999, "Month": 12, "Day": 31}
    parts = [fake.spin(name, 0, 0, high) for name, high in most.items()]
    date = Widget("textbox", "When", list(parts), text="", focusable=True)
    for part in parts:
        part.text = ""
        part.on_change = lambda: setattr(date, "text", "-".join(each.text or "" for each in parts))
    crossed = Crossed(date)
    crossed.platform.claims = tuple(most)
    crossed.to_front()
    when = {"role": "textbox", "name": "When", "in": "Editor"}
    result = await crossed.session.act({"do": "set", "on": when, "value": "2026-05-04"})
    assert (result.failure, crossed.field.text, date.text) == (None, "", "2026-05-04")


def listed(count: int) -> Crossed:
    """A scrolled list of buttons of which four show."""
    return Crossed(fake.scroll_area(*(fake.button(f"Item {number}") for number in range(count)), height=120))


def named(name: str) -> dict[str, str]:
    return {"role": "button", "name": name}


@pytest.mark.proves("A6")
async def test_a_drag_begins_where_its_element_lies_once_the_end_is_in_view() -> None:
    crossed = listed(6)
    third, last = crossed.main.find("Item 3"), crossed.main.find("Item 5")
    result = await crossed.session.act({"do": "drag", "on": named("Item 3"), "to": named("Item 5")})
    assert result.failure is None
    moves = [line for line in crossed.platform.journal if line.startswith("move")]
    assert (moves[0], moves[-1]) == tuple(f"move {w.bounds.centre.x},{w.bounds.centre.y}" for w in (third, last))


@pytest.mark.proves("A6")
async def test_nothing_is_picked_up_when_the_end_scrolled_the_start_away() -> None:
    crossed = listed(30)
    result = await crossed.session.act({"do": "drag", "on": named("Item 0"), "to": named("Item 29")})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("hidden", "no")
    assert "left down" not in crossed.platform.journal


@pytest.mark.proves("A6")
@pytest.mark.parametrize("step", [{"do": "hover"}, {"do": "scroll", "by": [0, 120]}])
async def test_the_pointer_goes_where_the_element_lies_by_then(step: dict[str, object]) -> None:
    crossed = Crossed(fake.button("Save"))
    save = crossed.main.find("Save")

    def move() -> None:
        crossed.main.bounds = Rect(100, 300, 480, 640)
        crossed.platform.world.changed()

    crossed.session.gate.then.append(move)
    await crossed.session.act({**step, "on": named("Save")})
    centre = save.bounds.centre
    assert centre.y > 300
    assert crossed.platform.journal[0] == f"move {centre.x},{centre.y}"


@pytest.mark.proves("A7")
@pytest.mark.parametrize(("rewrite", "kept"), [(fake.at_most(3), "abc"), (fake.upper_case, "ABCDE")])
async def test_typed_text_that_a_field_did_not_keep_is_not_called_verified(rewrite: Rewrite, kept: str) -> None:
    crossed = Crossed(fake.textbox("Code", "", rewrite=rewrite))
    result = await crossed.session.act({"do": "type", "on": {"role": "textbox", "name": "Code"}, "value": "abcde"})
    assert [(e.verdict, e.after) for e in result.effects] == [("changed", f'"{kept}"')]
    assert "made something else of it" in result.effects[0].note


TO_FRONT = {"do": "window", "on": "Editor", "op": "activate"}


def stolen() -> Crossed:
    """Whenever the editor is brought to the front, the other window comes right back."""
    crossed = Crossed(fake.textbox("Name"))
    other = crossed.to_front()
    crossed.platform.thief = lambda: crossed.platform.world.activate(other)
    return crossed


@pytest.mark.proves("report-34")
@pytest.mark.parametrize("step", [{"do": "type", "value": "abc"}, {"do": "key", "keys": "a"}])
async def test_keys_go_only_to_the_window_that_was_brought_to_the_front(step: dict[str, object]) -> None:
    crossed = stolen()
    result = await crossed.session.act(TO_FRONT, step)
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent, result.done) == ("focus_lost", "no", 1)
    assert crossed.field.text == ""


class Near(Reach):
    """Reaches the session's own desktop, here in the process."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.judge, self.apps = session.desktop.judge, session.desktop.apps
        self.observe, self.changes = session.desktop.observe, session.desktop.changes

    async def desktop(self) -> RemoteDesktop:
        return cast(RemoteDesktop, self)

    async def act(self, request: ActRequest, told: object) -> ActResult:
        return await self._session.desktop.act(request)


@pytest.mark.proves("report-34")
async def test_a_window_of_the_library_gets_its_keys_or_nobody_does() -> None:
    crossed = stolen()
    window = Window(Link(Near(crossed.session), None), "Editor")
    with pytest.raises(BatchStopped):
        await window.type("abc")
    with pytest.raises(BatchStopped):
        await window.key("a")
    assert crossed.field.text == ""
    crossed.platform.thief = lambda: None
    assert ((await window.type("abc")).do, crossed.main.find("Name").text) == ("type", "abc")


@pytest.mark.proves("report-34")
async def test_what_is_appended_by_keys_goes_to_its_field_only() -> None:
    crossed = Crossed(fake.textbox("Name", "old"))
    crossed.platform.faults.before("press_chord", crossed.to_front)
    name = {"role": "textbox", "name": "Name"}
    result = await crossed.session.act({"do": "append", "on": name, "value": "er", "route": "keyboard"})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("focus_lost", "yes")
    assert crossed.field.text == ""


async def test_a_number_is_stepped_only_while_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slider = Widget("slider", "Volume", number=0.0, minimum=0.0, maximum=100.0, actions=("increment",))
    slider.on_press = lambda: setattr(slider, "number", (slider.number or 0.0) + 1)
    crossed = Crossed(slider)
    monkeypatch.setattr(crossed.platform, "set_number", AsyncMock())

    def left(scene: ActScene) -> float:
        if slider.presses >= 5:
            raise DeskhandError("wait_timeout", "the call's time is over", sent=scene.sent)
        return 5.0

    monkeypatch.setattr(ActScene, "left", property(left))
    result = await crossed.session.act({"do": "set", "on": {"role": "slider", "name": "Volume"}, "value": 80})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent, slider.presses) == ("wait_timeout", "yes", 5)


@pytest.mark.proves("report-11")
async def test_a_slider_that_goes_back_to_what_is_played_was_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Widget("slider", "Place", number=7.0, minimum=0.0, maximum=100.0)
    crossed = Crossed(place)

    async def echo(key: str, number: float) -> None:
        place.number = number
        asyncio.get_running_loop().call_later(0.1, lambda: setattr(place, "number", 8.0))

    monkeypatch.setattr(crossed.platform, "set_number", echo)
    result = await crossed.session.act({"do": "set", "on": {"role": "slider", "name": "Place"}, "value": 80})
    assert result.failure is not None, result.text
    assert (result.failure.code, result.failure.found) == ("value_rejected", "8.0")
    assert "click or drag it" in result.failure.message


def with_menu() -> Crossed:
    return Crossed(fake.menubar(fake.menu("File", fake.menuitem("Save"))))


MISSING = {"do": "menu", "path": ["File", "Nothing"], "in": "Editor"}


async def test_a_menu_that_could_not_be_closed_does_not_hide_what_went_wrong() -> None:
    crossed = with_menu()
    crossed.platform.faults.fail("press_chord", DeskhandError("desktop_unavailable", "the display is gone"))
    result = await crossed.session.act(MISSING)
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert [data for event, data in crossed.session.recorder.events if event == "left_open"]


async def test_the_key_that_closes_a_menu_is_recorded_as_input() -> None:
    crossed = with_menu()
    await crossed.session.act(MISSING)
    assert [data["route"] for event, data in crossed.session.recorder.events if event == "input"] == [
        "accessibility",
        "keyboard",
    ]


@pytest.mark.proves("report-34")
async def test_a_menu_is_not_closed_by_a_key_that_another_window_would_get() -> None:
    crossed = with_menu()
    menu, world = crossed.main.find("File", "menu"), crossed.platform.world

    async def opened(key: str, action: str) -> None:
        crossed.to_front()
        world.open_popup(menu)

    crossed.platform.do_action = opened  # type: ignore[method-assign]
    result = await crossed.session.act(MISSING)
    assert result.failure is not None
    assert (result.failure.code, [line for line in crossed.platform.journal if "Escape" in line]) == ("not_found", [])


async def test_the_open_list_of_another_application_is_not_taken_for_ones_own() -> None:
    crossed = Crossed(Widget("combobox", "Font", actions=("press",), checked=True, focusable=True))
    other, world = crossed.to_front(), crossed.platform.world
    rows = world.append(other.root, fake.table("Rows", ["Name"], [["Sans"]]))
    world.activate(crossed.main)
    world.windows.append(FakeWindow(rows, other.bounds, popup=True, owner=other, key="list", app=other.app))
    result = await crossed.session.act({"do": "collapse", "on": {"role": "combobox", "name": "Font", "in": "Editor"}})
    assert (result.failure, crossed.platform.journal) == (None, [])


@pytest.mark.proves("G1")
async def test_a_list_of_windows_from_before_an_input_does_not_serve_after_it() -> None:
    crossed = Crossed(fake.button("Save"))
    world = World(crossed.platform, Counting())
    crossed.platform.faults.before("windows", world.sent)
    await world.windows()
    crossed.platform.faults.before("windows", crossed.to_front)
    assert [window.title for window in await world.windows(recent=True)] == ["Editor", "Other"]


@pytest.mark.parametrize("count", [3, 5000])
async def test_a_correction_in_a_long_paragraph_is_taken_back(count: int) -> None:
    text = Widget("paragraph", "", text="", editable=True, focusable=True)
    text.on_activate = lambda: setattr(text, "text", "A" + (text.text or "")[1:])
    wanted = "abc " * count
    result = await Crossed(text).session.act({"do": "type", "value": wanted + "\n"})
    assert ([effect.verdict for effect in result.effects], text.text) == (["verified"], wanted)


def test_comparing_long_paragraphs_takes_no_time_to_speak_of() -> None:
    started = time.process_time()
    assert share_alike("".join(map(chr, range(200, 20200))), "".join(map(chr, range(20200, 200, -1)))) < 0.1
    assert share_alike("ab" * 20000, "ba" * 20000) > 0
    assert time.process_time() - started < 2
