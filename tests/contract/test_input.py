"""input: pointer and keyboard in a picture's frame, judged by what they reach, told with evidence."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform, FakeWindow
from deskhand.platforms.fake.layout import cell_bounds
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect
from deskhand.types.requests import AppsRequest, InputRequest, PointRequest, ScreenshotRequest, ZoomRequest
from deskhand.types.results import ScreenshotResult
from tests.contract.sessions import Session

WHOLE = 2_000_000
"""Pixels: no picture of the fake screen is scaled down."""


def desk(screen: Rect | None = None) -> FakePlatform:
    """A form in front, and notes beside it."""
    notes = fake.window("Notes", fake.textbox("Line", ""), fake.toggle("Pin"), at=Rect(640, 0, 600, 300))
    platform = FakePlatform(notes, app="notes", **({"screen": screen} if screen is not None else {}))

    def ask() -> None:
        platform.add(fake.dialog("Really?", fake.button("No")), owner=form)

    form = fake.window(
        "Form", fake.menubar(fake.menu("File", fake.menuitem("Open…"))), fake.toggle("Bold"), fake.textbox("Name", ""),
        fake.textbox("Place", ""), fake.button("Ask", ask), fake.slider("Level", 10), fake.button("Delete all"),
        fake.combobox("Font", ["Sans", "Serif"], "Sans"), at=Rect(0, 0, 600, 500),
    )  # fmt: skip
    platform.add(form, app="form")
    return platform


def middle(session: Session, name: str) -> Point:
    """The middle of a widget, in root pixels."""
    found = (w for window in session.platform.world.windows for w in window.root.walk() if w.name == name)
    return next(found).bounds.centre


def window(session: Session, title: str) -> FakeWindow:
    return next(each for each in session.platform.world.windows if each.title == title)


def click(point: Point, **more: Any) -> dict[str, Any]:
    return {"type": "click", "x": point.x, "y": point.y, **more}


async def until(holds: Callable[[], bool]) -> bool:
    """Whether it has come to hold, within a second."""
    ends = asyncio.get_running_loop().time() + 1
    for _ in iter(lambda: holds() or asyncio.get_running_loop().time() > ends, True):
        await asyncio.sleep(0)
    return holds()


async def looked(session: Session) -> ScreenshotResult:
    return await session.look(max_pixels=WHOLE)


# -- what is done ------------------------------------------------------------------------------------------------
@pytest.mark.proves("B2", "A7")
async def test_a_click_in_the_picture_reaches_what_lies_there_and_tells_its_effect() -> None:
    session = Session(desk())
    at = middle(session, "Bold")
    result = await session.input(await looked(session), click(at))
    effect = result.effects[0]
    assert effect.target.startswith(f"{at.x},{at.y} r")
    assert (effect.before, effect.after, effect.verdict, effect.route) == ("off", "on", "verified", "pointer")
    assert 'toggle "Bold" on' in result.text
    assert result.text.splitlines()[2].startswith("windows: ")


@pytest.mark.proves("B2")
@pytest.mark.parametrize("language", ["gpt", "claude"])
async def test_both_languages_do_the_same(language: str) -> None:
    session = Session(desk())
    name, level = middle(session, "Name"), middle(session, "Level")
    said: dict[str, list[dict[str, Any]]] = {
        "gpt": [
            click(name), {"type": "type", "text": "Zoë"}, {"type": "keypress", "keys": ["CTRL", "A"]},
            {"type": "double_click", "x": name.x, "y": name.y}, {"type": "move", "x": level.x, "y": level.y},
            {"type": "scroll", "x": level.x, "y": level.y, "scroll_x": 0, "scroll_y": -200},
            {"type": "click", "x": level.x, "y": level.y, "button": "right", "keys": ["SHIFT"]},
            {"type": "drag", "path": [{"x": name.x, "y": name.y}, {"x": name.x + 40, "y": name.y}]},
            {"type": "wait", "ms": 10},
        ],
        "claude": [
            {"action": "left_click", "coordinate": list(name)}, {"action": "type", "text": "Zoë"},
            {"action": "key", "text": "ctrl+a"}, {"action": "double_click", "coordinate": list(name)},
            {"action": "mouse_move", "coordinate": list(level)},
            {"action": "scroll", "coordinate": list(level), "scroll_direction": "up", "scroll_amount": 2},
            {"action": "right_click", "coordinate": list(level), "text": "shift"},
            {"action": "left_click_drag", "start_coordinate": list(name), "coordinate": [name.x + 40, name.y]},
            {"action": "wait", "duration": 0.01},
        ],
    }  # fmt: skip
    result = await session.input(await looked(session), *said[language])
    assert result.failure is None
    assert result.done == len(said[language])
    sent = [line.casefold() for line in session.platform.journal if not line.startswith("move")]
    assert sent == [
        "left down", "left up", "type 'zoë'", "key ctrl+a", "left down", "left up", "left down", "left up",
        "wheel 0,-2", "key shift down", "right down", "right up", "key shift up", "left down", "left up",
    ]  # fmt: skip


@pytest.mark.proves("B2", "A7")
@pytest.mark.parametrize("action", [{"type": "keypress", "keys": ["Shift_L"]}, {"type": "key_up", "keys": ["ctrl"]}])
async def test_a_key_that_its_application_has_read_in_silence_is_not_waited_for(action: dict[str, Any]) -> None:
    session, waited = Session(desk()), list[float]()
    events, changed = session.platform.events, session.platform.events.changed

    async def noted(after: int, timeout: float) -> bool:
        came = await changed(after, timeout)
        waited.append(0.0 if came else timeout)
        return came

    picture = await looked(session)
    events.changed = noted  # type: ignore[method-assign]
    result = await session.input(picture, action)
    assert (result.failure, result.effects[0].verdict) == (None, "unverifiable")
    assert 0 < sum(waited) < 0.2


@pytest.mark.proves("B2", "A7")
async def test_what_a_key_does_a_moment_later_is_told_all_the_same() -> None:
    session = Session(desk())
    bold = window(session, "Form").find("Bold")

    def late() -> None:
        bold.checked = True
        session.platform.world.changed()

    window(session, "Form").accelerators = {"ctrl+b": lambda: asyncio.get_running_loop().call_later(0.08, late)}
    result = await session.input(await looked(session), {"type": "keypress", "keys": ["ctrl", "b"]})
    assert (result.effects[0].verdict, bold.checked) == ("verified", True)


@pytest.mark.proves("B2")
async def test_caps_lock_pressed_by_the_hand_makes_capitals_of_what_the_hand_types_next() -> None:
    session = Session(desk())
    lock = {"type": "keypress", "keys": ["caps_lock"]}
    await session.input(await looked(session), click(middle(session, "Name")), lock, {"type": "type", "text": "ab"})
    await session.act({"do": "type", "value": "cd"})
    await session.input(await looked(session), lock)
    result = await session.input(await looked(session), {"type": "type", "text": "ef"})
    assert result.effects[0].after == '"ABcdef"'


@pytest.mark.proves("B2", "A7")
async def test_a_cell_is_told_by_its_row_and_column() -> None:
    session = Session(
        FakePlatform(fake.window("Folder", fake.table("Files", ["Name", "Size"], [("a", "1"), ("b", "2")])))
    )
    table = window(session, "Folder").find("Files")
    effect = (await session.input(await looked(session), click(cell_bounds(table, (1, 0)).centre))).effects[0]
    assert f"{await session.ref('Files')}[2,1] cell" in effect.target


@pytest.mark.proves("B2", "A7")
async def test_a_click_that_only_closed_a_popup_is_told_as_that() -> None:
    session = Session(desk())
    world = session.platform.world
    world.open_popup(window(session, "Form").find("File"))
    effect = (await session.input(await looked(session), click(middle(session, "Ask")))).effects[0]
    assert not any(each.popup for each in world.windows)
    assert (effect.verdict, effect.note) == ("changed", "a menu or popup closed, nothing else was seen to change")


@pytest.mark.proves("B2", "A7")
async def test_an_answered_dialog_is_gone_before_the_answer_and_its_picture() -> None:
    session = Session(desk())
    world = session.platform.world
    saved = fake.button("Save")

    def save() -> None:
        saved.name = "Saving…"
        asyncio.get_running_loop().call_later(0.3, world.remove, dialog)

    saved.on_press = save
    dialog = session.platform.add(fake.dialog("Save?", fake.textbox("Path", ""), saved), owner=window(session, "Form"))
    ref = next(w.ref for w in (await session.desktop.apps(AppsRequest())).windows if w.title == "Save?")
    actions = ({"type": "type", "text": "a"}, click(middle(session, "Save")), {"do": "screenshot"})
    result = await session.input(await looked(session), *actions)
    assert (result.effects[1].verdict, result.effects[1].note) == ("verified", f"closed {ref}")
    assert "Save?" not in result.text.partition("windows: ")[2].partition("\n")[0]


@pytest.mark.proves("B2", "A7")
@pytest.mark.parametrize("way", ["act", "input"])
async def test_a_shortcut_that_was_taken_as_text_is_not_verified(way: str) -> None:
    session = Session(desk())
    await session.act({"do": "set", "on": {"name": "Name"}, "value": "x"}, {"do": "focus", "on": {"name": "Name"}})
    if way == "act":
        effect = (await session.act({"do": "key", "keys": "super+b"})).effects[0]
    else:
        effect = (await session.input(await looked(session), {"do": "key", "keys": "super+b"})).effects[0]
    assert (effect.before, effect.after, effect.verdict) == ('"x"', '"xb"', "changed")
    assert "took it as text" in effect.note


@pytest.mark.proves("B2")
@pytest.mark.parametrize("language", ["gpt", "claude"])
async def test_both_languages_drag_along_a_path_and_hold_any_button(language: str) -> None:
    session = Session(desk())
    x, y = middle(session, "Level")
    path = [[x, y], [x + 8, y], [x + 8, y + 4]]
    said: dict[str, list[dict[str, Any]]] = {
        "gpt": [
            {"type": "drag", "path": [{"x": x, "y": y} for x, y in path], "button": "right", "keys": ["CTRL"]},
            {"type": "mouse_down", "x": x, "y": y, "button": "wheel"}, {"type": "move", "x": x + 5, "y": y},
            {"type": "mouse_up", "x": x + 5, "y": y, "button": "wheel"},
        ],
        "claude": [
            {"action": "drag", "path": path, "button": "right", "text": "ctrl"},
            {"action": "mouse_down", "coordinate": [x, y], "button": "middle"},
            {"action": "mouse_move", "coordinate": [x + 5, y]},
            {"action": "mouse_up", "coordinate": [x + 5, y], "button": "middle"},
        ],
    }  # fmt: skip
    result = await session.input(await looked(session), *said[language])
    assert (result.failure, result.done) == (None, 4)
    assert [line.casefold() for line in session.platform.journal if not line.startswith("move")] == [
        "key ctrl down", "right down", "right up", "key ctrl up", "middle down", "middle up",
    ]  # fmt: skip


@pytest.mark.proves("B2", "report-13")
async def test_what_went_down_and_was_not_let_go_comes_up_with_the_batch() -> None:
    session = Session(desk())
    at = middle(session, "Level")
    down = {"type": "mouse_down", "x": at.x, "y": at.y}
    await session.input(await looked(session), {"type": "key_down", "keys": ["shift"]}, down)
    assert session.platform.world.buttons == set()
    assert session.platform.world.held == []


@pytest.mark.proves("B2", "report-13")
async def test_a_batch_that_is_cancelled_in_a_drag_holds_nothing() -> None:
    session = Session(desk())
    at = middle(session, "Level")
    path = [{"x": at.x, "y": at.y}, {"x": at.x + 500, "y": at.y + 400}]
    picture = await looked(session)
    running = asyncio.create_task(session.input(picture, {"type": "drag", "path": path, "keys": ["ctrl"]}))
    assert await until(lambda: "left" in session.platform.world.buttons)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (session.platform.world.buttons, session.platform.world.held) == (set(), [])


@pytest.mark.proves("B2")
async def test_a_picture_is_there_when_it_is_asked_for_and_serves_the_next_call() -> None:
    session = Session(desk())
    first = await session.input(await looked(session), click(middle(session, "Bold")), {"type": "screenshot"})
    assert first.picture is not None
    again = await session.input(first.picture, click(middle(session, "Bold")))
    assert (again.failure, again.effects[0].after) == (None, "off")


@pytest.mark.proves("B4")
async def test_refs_and_diff_bases_live_on_beside_pictures_and_their_clicks() -> None:
    session = Session(desk())
    view = await session.observe(target="Form")
    bold = next(e.ref for e in view.elements if e.name == "Bold")
    await session.input(await looked(session), click(middle(session, "Bold")))
    assert bold in (await session.observe(target="Form", since=view.snapshot)).text
    pressed = await session.act({"do": "uncheck", "on": bold})
    assert pressed.effects[0].verdict == "verified"


@pytest.mark.proves("B4")
async def test_what_a_click_changed_is_told_as_a_diff() -> None:
    session = Session(desk())
    result = await session.input(await looked(session), click(middle(session, "Bold")))
    assert any(line.startswith("~") and "Bold" in line for line in result.diff)


# -- the frame ---------------------------------------------------------------------------------------------------
@pytest.mark.proves("B1", "report-4")
@pytest.mark.parametrize("most", [WHOLE, 60_000, 20_000])
async def test_places_in_a_scaled_picture_of_a_window_are_those_of_the_picture(most: int) -> None:
    session = Session(desk())
    at, picture = middle(session, "Bold"), await session.look(target="Form", max_pixels=most)
    inside = [round((at.x - picture.bounds[0]) * picture.scale), round((at.y - picture.bounds[1]) * picture.scale)]
    result = await session.input(picture, {"action": "left_click", "coordinate": inside})
    assert result.effects[0].after == "on"


@pytest.mark.proves("B1", "report-29")
async def test_a_screen_left_of_the_first_has_negative_places() -> None:
    session = Session(desk(Rect(-1280, -200, 2560, 1224)))
    notes = window(session, "Notes")
    notes.bounds = notes.bounds.moved(-1900, -190)
    await session.act({"do": "window", "on": "Notes", "op": "activate"})
    await session.observe(target="Notes")
    picture = await session.look(max_pixels=4_000_000)
    assert picture.bounds == (-1280, -200, 2560, 1224)
    at = middle(session, "Pin")
    assert at.x < 0
    assert at.y < 0
    result = await session.input(picture, click(Point(at.x + 1280, at.y + 200)))
    assert (result.effects[0].after, session.platform.world.pointer) == ("on", at)


@pytest.mark.proves("B1", "report-29")
@pytest.mark.parametrize("screen", [Rect(0, 0, 2560, 622), Rect(0, 0, 700, 2400), Rect(-1280, 0, 2560, 1024)], ids=str)
async def test_no_picture_is_longer_than_models_are_shown_and_its_places_are_its_own(screen: Rect) -> None:
    session = Session(desk(screen))
    picture, at = await session.look(), middle(session, "Bold")
    assert max(picture.width, picture.height) <= 1568
    assert picture.width * picture.height <= 1_150_000
    assert f"scale {picture.scale:.3f}" in picture.text
    inside = Point(int((at.x - screen.x + 0.5) * picture.scale), int((at.y - screen.y + 0.5) * picture.scale))
    assert (await session.input(picture, click(inside))).effects[0].after == "on"
    hit = session.platform.world.pointer
    assert max(abs(hit.x - at.x), abs(hit.y - at.y)) <= 1
    strip = await session.desktop.zoom(ZoomRequest(lease=picture.lease, rect=(0, 0, picture.width, 40)))
    assert max(strip.width, strip.height) <= 1568
    whole = await session.look(max_pixels=4_000_000)
    assert (whole.width, whole.height) == (screen.w, screen.h)


@pytest.mark.proves("B1", "report-29")
async def test_one_of_several_monitors_is_shown_alone() -> None:
    session = Session(desk(Rect(-1280, 0, 2560, 1024)))
    left, right = Rect(-1280, 0, 1280, 800), Rect(0, 0, 1280, 1024)
    session.platform.world.monitors = [right, left]
    whole = await session.look()
    assert whole.text.endswith("; 2 monitors: 1 @-1280,0,1280,800, 2 @0,0,1280,1024 primary")
    first, second = await session.look(monitor=1), await session.look(monitor=2, max_pixels=WHOLE)
    assert (Rect(*first.bounds), Rect(*second.bounds)) == (left, right)
    assert second.text == f"lease {second.lease}: monitor 2 of 2, 1280x1024 @0,0,1280,1024"
    assert (await session.input(second, click(middle(session, "Bold")))).effects[0].after == "on"
    with pytest.raises(DeskhandError, match="no monitor 3: this desktop has 2 monitors, counted from the left"):
        await session.look(monitor=3)
    with pytest.raises(ValueError, match="one of target, region and monitor"):
        ScreenshotRequest(monitor=1, target="Form")


@pytest.mark.proves("B1")
async def test_zoom_shows_a_part_larger_and_its_places_are_its_own() -> None:
    session = Session(desk())
    at, picture = middle(session, "Bold"), await looked(session)
    rect = (at.x - 20, at.y - 10, 40, 20)
    near = await session.desktop.zoom(ZoomRequest(lease=picture.lease, rect=rect))
    assert (near.bounds, near.width, near.height, near.scale) == (rect, 160, 80, 4.0)
    result = await session.input(near, {"type": "click", "x": 81, "y": 41})
    assert (result.effects[0].after, session.platform.world.pointer) == ("on", at)


@pytest.mark.proves("A8", "B1")
async def test_point_takes_the_pixels_of_a_picture() -> None:
    session = Session(desk())
    picture, at = await session.look(target="Form", max_pixels=60_000), middle(session, "Bold")
    x, y = (at.x - picture.bounds[0]) * picture.scale, (at.y - picture.bounds[1]) * picture.scale
    found = await session.desktop.point(PointRequest(x=round(x), y=round(y), lease=picture.lease))
    assert found.element is not None
    assert found.element.name == "Bold"
    form = window(session, "Form")
    form.bounds = form.bounds.moved(300, 300)
    with pytest.raises(DeskhandError) as stale:
        await session.desktop.point(PointRequest(x=round(x), y=round(y), lease=picture.lease))
    assert stale.value.code == "layout_changed"
    assert '"Form" is at 300,300,' in stale.value.found


@pytest.mark.proves("B1")
async def test_a_place_beyond_the_picture_is_refused() -> None:
    session = Session(desk())
    picture = await session.look()
    with pytest.raises(DeskhandError, match="outside of the picture") as refused:
        await session.input(picture, {"type": "click", "x": picture.width, "y": 3})
    assert (refused.value.code, session.platform.journal) == ("invalid_request", [])


@pytest.mark.proves("B1")
async def test_marks_are_the_refs_of_what_shows_and_can_be_acted_on() -> None:
    session = Session(desk())
    marked, plain = await session.look(target="Form", marks=True), await session.look(target="Form")
    view = await session.observe(target="Form")
    bold = next(e.ref for e in view.elements if e.name == "Bold")
    assert bold in marked.marks
    assert marked.image != plain.image
    assert Image.open(io.BytesIO(base64.b64decode(marked.image))).size == (marked.width, marked.height)
    assert (await session.act({"do": "press", "on": bold})).effects[0].after == "on"


@pytest.mark.proves("B1", "report-24")
async def test_a_picture_keeps_within_its_pixels_and_bytes() -> None:
    session = Session(desk())
    picture = await session.look(max_pixels=300_000, max_bytes=20_000)
    assert picture.width * picture.height <= 300_000
    assert len(base64.b64decode(picture.image)) <= 20_000
    assert f"scale {picture.scale:.3f}" in picture.text


# -- refused before anything ----------------------------------------------------------------------------------------
@pytest.mark.proves("B2")
@pytest.mark.parametrize(
    ("action", "complaint"),
    [
        ({"type": "click"}, "click needs at"),
        ({"type": "click", "x": 1, "y": 1, "notches": [0, 1]}, "click takes no notches"),
        ({"action": "left_clik", "coordinate": [1, 1]}, "click"),
        ({"type": "drag", "path": [{"x": 1, "y": 1}]}, "path"),
        ({"type": "click", "x": 1, "y": 1, "keys": ["q"]}, "mods are ctrl"),
        ({"type": "wait", "seconds": 99}, "seconds"),
    ],
)
async def test_what_is_no_action_is_refused(action: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        InputRequest.model_validate({"lease": "l1", "actions": [action]})


@pytest.mark.proves("B3")
async def test_a_lease_that_never_was_and_one_that_is_too_old_are_told_apart() -> None:
    session = Session(desk())
    first = await session.look(max_pixels=10_000)
    for _ in range(64):
        await session.look(max_pixels=10_000)
    for lease, code in (("l999", "invalid_request"), ("r1", "invalid_request"), (first.lease, "lease_expired")):
        with pytest.raises(DeskhandError) as refused:
            await session.input(lease, click(Point(3, 3)))
        assert refused.value.code == code
    assert session.platform.journal == []


@pytest.mark.proves("B2", "report-12")
async def test_text_that_cannot_be_sent_is_refused_before_anything() -> None:
    session = Session(desk())
    with pytest.raises(DeskhandError) as refused:
        await session.input(await looked(session), click(middle(session, "Name")), {"type": "type", "text": "a\x01"})
    assert (refused.value.code, session.platform.journal) == ("unsendable_text", [])


# -- the gate ------------------------------------------------------------------------------------------------------
@pytest.mark.proves("C9", "B2")
async def test_the_gate_is_told_what_each_point_reaches() -> None:
    session = Session(desk())
    actions = (click(middle(session, "Delete all")), click(middle(session, "Name")), {"type": "type", "text": "x"})
    await session.input(await looked(session), *actions)
    judged = [(p.step.do, p.element.name if p.element else "") for p in session.gate.judged[-1]]
    assert judged[:2] == [("click", "Delete all"), ("click", "Name")]
    assert [p.element.name for p in session.gate.permitted if p.element is not None] == ["Delete all", "Name", "Name"]
