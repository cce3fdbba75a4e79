"""The layout guard: a desktop that is not as the picture had it takes no input; one that is takes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deskhand.desktop.act import gestures, scene
from deskhand.desktop.session import DesktopSession
from deskhand.platforms import fake
from deskhand.platforms.base import ReadLimits
from deskhand.platforms.fake import FakeApp, FakePlatform
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Tree
from deskhand.types.requests import AppsRequest, ZoomRequest
from deskhand.types.results import ScreenshotResult
from tests.contract.sessions import NoLauncher, Session
from tests.contract.test_input import WHOLE, click, desk, looked, middle, window

Change = Callable[[Session], object]


def _moved(session: Session) -> None:
    window(session, "Notes").bounds = window(session, "Notes").bounds.moved(1, 0)


def _resized(session: Session) -> None:
    x, y, w, h = window(session, "Notes").bounds
    window(session, "Notes").bounds = Rect(x, y, w, h + 1)


def _closed(session: Session) -> None:
    session.platform.world.remove(window(session, "Notes"))


def _minimised(session: Session) -> None:
    session.platform.world.minimise(window(session, "Notes"))


def _opened(session: Session) -> None:
    session.platform.add(fake.window("News", at=Rect(900, 700, 100, 80)), app="news")


def _dialog(session: Session) -> None:
    session.platform.add(fake.dialog("Save?", fake.button("No")), owner=window(session, "Form"))


def _popup(session: Session) -> None:
    session.platform.world.open_popup(window(session, "Form").find("File"))


def _other_active(session: Session) -> None:
    session.platform.world.activate(window(session, "Notes"))


def _screen(session: Session) -> None:
    session.platform.world.screen = Rect(0, 0, 1920, 1080)


def _monitors(session: Session) -> None:
    session.platform.world.monitors = [Rect(0, 0, 640, 1024), Rect(640, 0, 640, 1024)]


CHANGES: dict[str, tuple[Change, str]] = {
    "moved": (_moved, "is at 641,0,600,300, was at 640,0,600,300"), "resized": (_resized, "is at 640,0,600,301"),
    "closed": (_closed, '"Notes" has closed'), "minimised": (_minimised, '"Notes" is minimised now'),
    "opened": (_opened, '"News" has opened'), "dialog": (_dialog, '"Save?" has opened'),
    "popup": (_popup, "a menu or popup"), "active": (_other_active, '"Notes" is active, was'),
    "screen": (_screen, "the desktop is 1920x1080"),
    "monitors": (_monitors, "monitors"),
}  # fmt: skip


@pytest.mark.proves("B3", "report-15", "report-30")
@pytest.mark.parametrize("name", CHANGES)
async def test_what_changed_since_the_picture_is_named_and_nothing_is_sent(name: str) -> None:
    session = Session(desk())
    picture, at = await looked(session), middle(session, "Bold")
    change, words = CHANGES[name]
    change(session)
    sent = list(session.platform.journal)
    result = await session.input(picture, click(at), {"type": "type", "text": "x"})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent, result.done) == ("layout_changed", "no", 0)
    assert words in result.failure.found
    assert session.platform.journal == sent
    assert result.picture is not None
    assert result.picture.text in result.text


@pytest.mark.proves("B3", "report-15")
@pytest.mark.parametrize("goes", [True, False])
async def test_a_popup_that_is_just_going_is_waited_for(goes: bool) -> None:
    session = Session(desk())
    picture, at = await looked(session), middle(session, "Ask")
    _popup(session)
    if goes:
        asyncio.get_running_loop().call_later(0.1, session.platform.world.close_popups)
    result = await session.input(picture, click(at))
    assert (result.failure is None) is goes, result.text


@pytest.mark.proves("B3", "report-15")
async def test_windows_that_touch_are_not_restacked_unseen_and_those_apart_may_be() -> None:
    for places, refused in (((Rect(0, 0, 300, 300), Rect(100, 100, 300, 300)), True), (
        (Rect(0, 0, 300, 300), Rect(400, 400, 300, 300)), False)):  # fmt: skip
        session = Session(filled([*places, Rect(800, 600, 200, 200)]))
        picture = await looked(session)
        world = session.platform.world
        world.windows[0], world.windows[1] = world.windows[1], world.windows[0]
        result = await session.input(picture, {"do": "move", "at": [850, 650]})
        assert (result.failure is not None) is refused, result.text


@pytest.mark.proves("B3")
async def test_the_new_picture_that_a_refusal_brings_serves_at_once() -> None:
    session = Session(desk())
    picture = await looked(session)
    _opened(session)
    session.platform.world.activate(window(session, "Form"))
    refused = await session.input(picture, click(middle(session, "Bold")))
    assert refused.picture is not None
    at = middle(session, "Bold")
    assert (await session.input(refused.picture, click(at))).effects[0].after == "on"


@pytest.mark.proves("B3", "report-34")
async def test_keys_are_refused_where_the_focus_has_moved_within_its_window() -> None:
    session = Session(desk())
    await session.act({"do": "focus", "on": {"name": "Name"}})
    picture = await looked(session)
    await session.act({"do": "focus", "on": {"name": "Place"}})
    sent = list(session.platform.journal)
    result = await session.input(picture, {"type": "type", "text": "x"})
    assert result.failure is not None
    place, name = await session.ref("Place"), await session.ref("Name")
    assert result.failure.found == f'the keyboard focus is on {place} textbox "Place", was on {name} textbox "Name"'
    assert session.platform.journal == sent
    again = await session.input(picture, click(middle(session, "Name")), {"type": "type", "text": "x"})
    assert again.failure is None  # what a click focuses need not have had the focus


@pytest.mark.proves("B3", "report-34")
async def test_what_opens_by_an_action_ends_the_batch_before_the_next_one() -> None:
    session = Session(desk())
    actions = (click(middle(session, "Ask")), click(middle(session, "Bold")))
    result = await session.input(await looked(session), *actions)
    assert result.failure is not None
    assert (result.done, result.failure.code, result.failure.sent) == (1, "layout_changed", "no")
    assert '"Really?" has opened' in result.failure.found
    assert '"Really?"' in result.text
    assert not window(session, "Form").find("Bold").checked
    assert result.picture is not None


@pytest.mark.proves("B3", "report-34")
async def test_keys_do_not_follow_a_window_that_comes_to_the_front_by_itself() -> None:
    session = Session(desk())
    picture, at = await looked(session), middle(session, "Name")
    other = partial(session.platform.world.activate, window(session, "Notes"))
    session.gate.then = [lambda: asyncio.get_running_loop().call_later(0.2, other)]
    typed = {"type": "type", "text": "secret"}
    result = await session.input(picture, click(at), {"type": "wait", "seconds": 0.5}, typed)
    assert result.failure is not None
    assert (result.failure.code, result.done) == ("focus_lost", 2)
    assert window(session, "Notes").find("Line").text == ""


@pytest.mark.proves("B3", "report-34")
@pytest.mark.parametrize("target", ["window", "element"])
async def test_keys_by_the_picture_of_a_window_go_to_that_window_or_nowhere(target: str) -> None:
    session = Session(desk())
    notes, line = window(session, "Notes"), middle(session, "Line")
    ref = next(w.ref for w in (await session.desktop.apps(AppsRequest())).windows if w.title == "Notes")
    picture = await session.look(target=ref if target == "window" else {"name": "Line", "in": ref}, max_pixels=WHOLE)
    sent = list(session.platform.journal)
    typed = {"type": "type", "text": "hello"}
    result = await session.input(picture, typed)
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("focus_lost", "no")
    assert result.failure.found.endswith('"Form" is active')
    assert f'"on": "{ref}", "op": "activate"' in result.failure.message
    assert session.platform.journal == sent
    assert result.picture is not None
    x, y, _, _ = result.picture.bounds
    again = await session.input(result.picture, click(Point(line.x - x, line.y - y)), typed)
    assert (again.failure, notes.find("Line").text) == (None, "hello")


@pytest.mark.proves("B3", "report-34")
async def test_a_click_on_what_covers_the_window_of_a_picture_is_told_as_that_and_takes_no_keys_along() -> None:
    session = Session(desk())
    window(session, "Form").bounds = Rect(600, 0, 400, 200)
    session.platform.world.changed()
    ref = next(w.ref for w in (await session.desktop.apps(AppsRequest())).windows if w.title == "Notes")
    picture = await session.look(target=ref, max_pixels=WHOLE)
    assert "partly covered by" in picture.text
    at = middle(session, "Name")
    actions = (click(Point(at.x - 640, at.y)), {"type": "type", "text": "hello"})
    result = await session.input(picture, *actions)
    assert f'"Form", which covers {ref} there' in result.effects[0].note
    assert result.failure is not None
    assert (result.done, result.failure.code) == (1, "focus_lost")
    assert window(session, "Form").find("Name").text == ""


@pytest.mark.proves("B3", "report-34")
async def test_what_has_come_up_at_a_point_is_named_as_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(desk())
    picture = await looked(session)
    _popup(session)
    at = middle(session, "Open…")
    session.platform.world.close_popups()
    monkeypatch.setattr(scene, "CHEAP", 0.0)  # as of a large window, which is not read anew before each action
    result = await session.input(picture, click(middle(session, "File")), click(at))
    assert result.failure is not None
    assert result.failure.code == "layout_changed"
    assert 'menuitem "Open…" lies at' in result.failure.found


@pytest.mark.proves("B3")
async def test_a_click_that_brings_its_own_window_to_the_front_goes_on_there() -> None:
    session = Session(desk())
    actions = (click(middle(session, "Line")), {"type": "type", "text": "kept"}, click(middle(session, "Pin")))
    result = await session.input(await looked(session), *actions)
    assert (result.failure, result.done) == (None, 3)
    assert window(session, "Notes").find("Line").text == "kept"


@pytest.mark.proves("B2")
@pytest.mark.parametrize("yields", [True, False])
async def test_a_person_who_takes_over_ends_the_batch_where_they_are_let(yields: bool) -> None:
    session = Session(desk())
    desktop = DesktopSession(
        session.platform, gate=session.gate, recorder=session.recorder, launcher=NoLauncher(),
        counters=session.counters, yields=yields,
    )  # fmt: skip
    session.desktop = desktop

    def person() -> None:
        session.platform.world.hands_of_others += 1

    picture, at = await looked(session), middle(session, "Bold")
    session.gate.then = [person]
    result = await session.input(picture, click(at), click(middle(session, "Name")))
    if not yields:
        assert (result.failure, result.done) == (None, 2)
        return
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent, result.done) == ("cancelled", "no", 0)
    assert result.picture is not None


@pytest.mark.proves("B3")
async def test_zoom_into_a_picture_that_is_not_true_any_more_is_refused() -> None:
    session = Session(desk())
    picture = await looked(session)
    _moved(session)
    with pytest.raises(Exception, match="layout_changed"):
        await session.desktop.zoom(ZoomRequest(lease=picture.lease, rect=(0, 0, 10, 10)))


@pytest.mark.proves("B3")
async def test_another_element_at_a_point_ends_the_batch_though_no_window_opened() -> None:
    session = Session(desk())
    form = window(session, "Form")
    at = middle(session, "Delete all")

    def reflow() -> None:
        form.root.children.insert(1, form.root.children.pop())
        session.platform.world.changed()

    form.find("Ask").on_press = reflow
    result = await session.input(await looked(session), click(middle(session, "Ask")), click(at))
    assert result.failure is not None, result.text
    assert (result.done, result.failure.code) == (1, "layout_changed")
    assert "was r" in result.failure.found
    assert 'button "Delete all"' in result.failure.found


@pytest.mark.proves("B2", "B3")
async def test_what_is_dragged_is_no_popup_and_nothing_is_read_while_a_button_is_down() -> None:
    session = Session(desk())
    name, place = middle(session, "Name"), middle(session, "Place")
    icon = fake.window("", at=Rect(place.x - 5, place.y - 5, 20, 20), popup=True)
    session.gate.then = [
        lambda: asyncio.get_running_loop().call_later(0.05, session.platform.world.windows.append, icon)
    ]
    session.platform.world.adopt(icon.root, None)
    icon.key = "icon"
    reads: list[str] = []
    read = session.platform.read

    async def counted(root: str, limits: ReadLimits) -> Tree:
        if session.platform.world.buttons:
            reads.append(root)
        return await read(root, limits)

    session.platform.read = counted  # type: ignore[method-assign]
    hand: list[dict[str, Any]] = [{"do": "down", "at": name}, {"do": "wait", "seconds": 0.2}]
    result = await session.input(await looked(session), *hand, {"do": "move", "at": place}, {"do": "up", "at": place})
    assert (result.failure, result.done) == (None, 4), result.text
    assert reads == []


@pytest.mark.proves("B3", "C9")
async def test_what_comes_up_under_the_resting_pointer_is_not_clicked() -> None:
    session = Session(desk())
    bold, world = window(session, "Form").find("Bold"), session.platform.world
    move = session.platform.move_pointer

    async def hovered(x: int, y: int) -> None:
        await move(x, y)
        bold.name = "Delete all files"
        world.changed()

    picture, at = await looked(session), middle(session, "Bold")
    session.platform.move_pointer = hovered  # type: ignore[method-assign]
    result = await session.input(picture, click(at))
    assert result.failure is not None
    assert result.failure.code == "layout_changed"
    assert not any("down" in line for line in session.platform.journal)


@pytest.mark.proves("B3", "report-21")
async def test_an_application_that_does_not_answer_gets_nothing_that_it_would_do_later() -> None:
    session = Session(desk())
    picture, at = await looked(session), middle(session, "Pin")
    window(session, "Notes").app.frozen = True
    with pytest.raises(DeskhandError) as refused:
        await session.input(picture, click(at))
    assert (refused.value.code, session.platform.journal) == ("app_unresponsive", [])


@pytest.mark.proves("B3", "report-34")
@pytest.mark.parametrize("first", [{"do": "wait", "seconds": 0.1}, {"do": "move", "at": [300, 200]}])
async def test_the_focus_is_held_against_the_picture_whatever_comes_before_the_first_key(first: dict[str, Any]) -> None:
    session = Session(desk())
    await session.act({"do": "focus", "on": {"name": "Name"}})
    picture = await looked(session)
    await session.act({"do": "focus", "on": {"name": "Place"}})
    result = await session.input(picture, first, {"do": "type", "text": "x"})
    assert result.failure is not None, result.text
    assert window(session, "Form").find("Place").text == ""


@pytest.mark.proves("B2", "report-25")
async def test_a_picture_that_fails_does_not_hide_what_was_done() -> None:
    session = Session(desk())
    picture, at = await looked(session), middle(session, "Bold")
    session.gate.then = [
        lambda: session.platform.faults.fail("capture", DeskhandError("desktop_unavailable", "no display"))
    ]
    result = await session.input(picture, click(at), {"do": "screenshot"})
    assert (result.failure, result.done, result.picture) == (None, 2, None)
    assert "no picture: desktop_unavailable" in result.text


@pytest.mark.proves("B3")
async def test_what_is_dragged_goes_back_where_it_was_taken_up_when_the_batch_is_stopped() -> None:
    session = Session(desk())
    name, place = middle(session, "Name"), middle(session, "Place")
    session.gate.then = [lambda: asyncio.get_running_loop().call_later(0.4, _opened, session)]
    hand: list[dict[str, Any]] = [{"do": "down", "at": name}, {"do": "move", "at": place}, {"do": "wait", "seconds": 1}]
    result = await session.input(await looked(session), *hand, {"do": "up", "at": place})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("layout_changed", "yes")
    assert session.platform.world.pointer == name
    assert session.platform.world.buttons == set()


@pytest.mark.proves("B3")
async def test_a_notification_elsewhere_is_let_be_and_one_at_the_point_is_not_clicked() -> None:
    session = Session(desk())
    picture, at = await looked(session), middle(session, "Bold")
    note = fake.window("", at=Rect(1100, 900, 100, 60), popup=True, kind="notification")
    world, note.key = session.platform.world, "note"
    world.adopt(note.root, None)
    note.app = FakeApp("news", 4000)
    world.windows.append(note)
    first = await session.input(picture, {"do": "move", "at": at})
    assert first.failure is None, first.text
    note.bounds = Rect(at.x - 20, at.y - 10, 100, 60)
    refused = await session.input(picture, {"do": "click", "at": at})
    assert refused.failure is not None
    assert refused.failure.code == "layout_changed"


@pytest.mark.proves("B1")
async def test_a_picture_says_what_covers_its_window_and_none_is_taken_of_a_minimised_one() -> None:
    session = Session(desk())
    session.platform.add(fake.window("Over", at=Rect(700, 20, 200, 100)), app="over")
    assert "partly covered by w" in (await session.look(target="Notes")).text
    assert "covered" not in (await session.look(target="Over")).text
    session.platform.world.minimise(window(session, "Notes"))
    with pytest.raises(DeskhandError) as refused:
        await session.look(target="Notes")
    assert refused.value.code == "hidden"
    assert '"op": "restore"' in refused.value.message


@pytest.mark.proves("B2")
async def test_waits_that_do_not_fit_are_refused_before_anything() -> None:
    session = Session(desk())
    waits = [{"do": "wait", "seconds": 30}, {"do": "key", "keys": "a", "seconds": 30}]
    with pytest.raises(DeskhandError, match="takes 60 s of the 46 s") as refused:
        await session.input(await looked(session), *waits)
    assert (refused.value.code, session.platform.journal) == ("invalid_request", [])


# -- any layout --------------------------------------------------------------------------------------------------
rects = st.builds(
    Rect, st.integers(-200, 1200), st.integers(-200, 900), st.integers(40, 900), st.integers(40, 700)
)  # fmt: skip
layouts = st.lists(rects, min_size=1, max_size=5)
MANY = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


def filled(rects: list[Rect]) -> FakePlatform:
    platform = FakePlatform()
    for number, rect in enumerate(rects):
        platform.add(fake.window(f"W{number}", fake.toggle(f"T{number}"), at=rect), app=f"app{number}")
    return platform


async def pictured(session: Session, data: Any) -> tuple[ScreenshotResult, dict[str, int]]:
    """A small picture of some part of the desktop (its lease binds all of it), and a place in it."""
    x, y = data.draw(st.integers(0, 1260)), data.draw(st.integers(0, 1000))
    return await session.look(region=(x, y, 20, 20)), {"x": data.draw(st.integers(0, 19)), "y": 10}


@pytest.mark.proves("B3")
@MANY
@given(rects=layouts, data=st.data())
async def test_no_layout_that_stayed_as_it_was_is_refused(
    monkeypatch: pytest.MonkeyPatch, rects: list[Rect], data: Any
) -> None:
    monkeypatch.setattr(gestures, "PASSING_BY", 0.005)  # nothing comes of it, 200 times
    session = Session(filled(rects))
    picture, at = await pictured(session, data)
    result = await session.input(picture, {"type": "move", **at})
    assert result.failure is None, result.text
    assert "move" in session.platform.journal[-1]


@pytest.mark.proves("B3")
@MANY
@given(rects=layouts, data=st.data())
async def test_no_layout_that_changed_is_accepted(rects: list[Rect], data: Any) -> None:
    session = Session(filled(rects))
    picture, at = await pictured(session, data)
    _changed_somehow(session, data)
    sent = list(session.platform.journal)
    result = await session.input(picture, {"type": "click", **at})
    assert result.failure is not None
    assert (result.failure.code, session.platform.journal) == ("layout_changed", sent)


def _changed_somehow(session: Session, data: Any) -> None:
    world = session.platform.world
    one = data.draw(st.sampled_from(world.windows))
    kind = data.draw(st.sampled_from(["move", "size", "close", "minimise", "open", "raise", "screen"]))
    if kind == "raise" and (len(world.windows) == 1 or world.windows[-1] is one):
        kind = "open"
    x, y, w, h = one.bounds
    by = data.draw(st.integers(1, 300)) * data.draw(st.sampled_from([1, -1]))
    if kind == "move":
        one.bounds = one.bounds.moved(by, 0) if data.draw(st.booleans()) else one.bounds.moved(0, by)
    elif kind == "size":
        one.bounds = Rect(x, y, w + abs(by), h) if data.draw(st.booleans()) else Rect(x, y, w, h + abs(by))
    elif kind == "close":
        world.remove(one)
    elif kind == "minimise":
        world.minimise(one)
    elif kind == "open":
        session.platform.add(fake.window("New", at=data.draw(rects)), app="new")
    elif kind == "raise":
        world.activate(one)
    else:
        world.screen = Rect(0, 0, 1280 + abs(by), 1024)
