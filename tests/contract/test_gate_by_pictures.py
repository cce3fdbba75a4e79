"""The gate before ``input``: places in a picture and keys are judged by the elements that they reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.requests import InputRequest
from deskhand.types.results import InputResult
from tests.contract.test_gate import Scene, scene, widget

__all__ = ["scene"]


@pytest.mark.proves("C9", "B2")
async def test_a_click_in_a_picture_is_judged_by_what_it_reaches(scene: Scene) -> None:
    at = scene.main.find("Delete").bounds.centre
    with pytest.raises(DeskhandError) as refused:
        await scene.input({"do": "click", "at": at})
    assert (refused.value.code, refused.value.sent) == ("confirmation_required", "no")
    assert 'button "Delete"' in refused.value.message
    assert scene.done == []
    harmless = await scene.input({"do": "click", "at": scene.main.find("Bold").bounds.centre})
    assert (harmless.failure, scene.done) == (None, ["Bold"])


@pytest.mark.proves("C9", "B2")
async def test_consent_for_a_click_in_a_picture_is_for_what_the_question_named(scene: Scene) -> None:
    delete = {"do": "click", "at": scene.main.find("Delete").bounds.centre}
    with pytest.raises(DeskhandError) as refused:
        await scene.input(delete)
    scene.gate.answer(refused.value.question, True)
    assert (await scene.input(delete, consent=refused.value.question)).failure is None
    assert scene.done == ["Delete"]
    with pytest.raises(DeskhandError):
        await scene.input(delete, consent=refused.value.question)
    assert scene.done == ["Delete"]


@pytest.mark.proves("C9", "B2")
async def test_keys_and_text_in_a_picture_are_judged_by_the_focus(scene: Scene) -> None:
    scene.focus(scene.secret)
    quits = [{"do": do, "keys": "ctrl+q"} for do in ("key", "down")]
    for action in ({"do": "type", "text": "hunter22"}, *quits):
        with pytest.raises(DeskhandError) as refused:
            await scene.input(action)
        assert refused.value.code == "confirmation_required", action
    assert scene.done == []
    assert scene.secret.text == ""


@pytest.mark.proves("G7", "report-22")
async def test_what_is_typed_in_a_picture_into_a_password_field_is_in_no_record(scene: Scene) -> None:
    scene.focus(scene.secret)
    typed = {"do": "type", "text": "hunter22 swordfish"}
    with pytest.raises(DeskhandError) as refused:
        await scene.input(typed)
    scene.gate.answer(refused.value.question, True)
    result = await scene.input(typed, consent=refused.value.question)
    assert (result.failure, scene.secret.text) == (None, "hunter22 swordfish")
    assert "swordfish" not in scene.record()
    assert "swordfish" not in result.text


@pytest.mark.proves("C9", "B2")
async def test_actions_that_stop_for_consent_say_with_which_lease_the_rest_is_sent(scene: Scene) -> None:
    widget(scene, "Bold").on_press = lambda: scene.focus(widget(scene, "Delete"))
    bold, italic = (scene.main.find(name).bounds.centre for name in ("Bold", "Italic"))
    actions: list[dict[str, Any]] = [
        {"do": "click", "at": bold}, {"do": "key", "keys": "space"}, {"do": "click", "at": italic},
    ]  # fmt: skip
    stopped = await scene.input(*actions)
    assert stopped.failure is not None
    assert (stopped.failure.code, stopped.done, stopped.failure.sent) == ("confirmation_required", 1, "no")
    assert 'button "Delete"' in stopped.failure.message
    assert stopped.picture is not None
    assert stopped.rest == stopped.picture.lease
    rest = InputRequest.model_validate({"lease": stopped.rest, "actions": actions[1:]})
    question = (await scene.session.judge(rest)).question
    scene.gate.answer(question, True)
    result = await scene.session.input(rest.model_copy(update={"consent": question}))
    assert (result.failure, result.done, scene.done) == (None, 2, ["Delete", "Italic"])


@pytest.mark.proves("B2")
async def test_the_rest_is_not_sent_unseen_where_it_would_mean_something_else(scene: Scene) -> None:
    bold, italic = (scene.main.find(name).bounds.centre for name in ("Bold", "Italic"))
    click: dict[str, Any] = {"do": "click", "at": bold}
    space: dict[str, Any] = {"do": "key", "keys": "space"}

    async def stopped(*actions: Mapping[str, Any]) -> InputResult:
        scene.focus(scene.field)
        result = await scene.input(*actions)
        assert result.failure is not None
        assert (result.failure.code, result.picture is not None) == ("confirmation_required", True), result.text
        return result

    widget(scene, "Bold").on_press = lambda: scene.focus(widget(scene, "Delete"))
    assert (await stopped(click, space, {"do": "click", "at": italic})).rest != ""
    assert (await stopped({"do": "move", "at": bold}, click, space, {"do": "up"})).rest == ""  # where was the pointer?
    assert (await stopped({"do": "down", "keys": "shift"}, click, space)).rest == ""  # shift is not held any more

    def replaced() -> None:
        scene.focus(widget(scene, "Delete"))
        italics = widget(scene, "Italic")
        italics.name = "Everything"
        scene.platform.replace(italics)

    widget(scene, "Bold").on_press = replaced
    assert (await stopped(click, space, {"do": "click", "at": italic})).rest == ""
    assert scene.done == []


@pytest.mark.proves("C9", "B2")
async def test_nobody_is_asked_about_what_would_not_be_done(scene: Scene) -> None:
    def surprise() -> None:
        scene.focus(widget(scene, "Delete"))
        scene.ask("Really?", "Yes", "No")

    widget(scene, "Bold").on_press = surprise
    at = scene.main.find("Bold").bounds.centre
    stopped = await scene.input({"do": "click", "at": at}, {"do": "down", "keys": "space"})
    assert stopped.failure is not None
    assert (stopped.failure.code, scene.gate.pending()) == ("layout_changed", [])


@pytest.mark.proves("C9", "B2")
async def test_keys_that_are_held_make_chords_of_those_that_follow(scene: Scene) -> None:
    with pytest.raises(DeskhandError) as refused:
        await scene.input({"do": "down", "keys": "ctrl"}, {"do": "key", "keys": "q"})
    assert (refused.value.code, scene.done) == ("confirmation_required", [])
    with pytest.raises(DeskhandError, match="ctrl is held, so that text would be shortcuts"):
        await scene.input({"do": "down", "keys": "ctrl"}, {"do": "type", "text": "q"})
    let_go = [{"do": "down", "keys": "ctrl"}, {"do": "up", "keys": "ctrl"}, {"do": "key", "keys": "b"}]
    harmless = await scene.input(*let_go)
    assert harmless.failure is None


@pytest.mark.proves("C9", "B2")
async def test_a_click_on_the_frame_of_a_window_with_unsaved_work_is_asked_about(scene: Scene) -> None:
    x, y, w, h = scene.main.bounds
    scene.main.frame = Rect(x, y, w, h + 20)  # a frame of which only the lower edge shows
    at = (x + w - 10, y + h + 10)
    for action in ({"do": "click", "at": at}, {"do": "down", "at": at}):
        with pytest.raises(DeskhandError) as refused:
            await scene.input(action)
        assert refused.value.code == "confirmation_required"
    assert scene.done == []


@pytest.mark.proves("C9", "B2")
async def test_a_press_and_its_release_elsewhere_are_judged_as_a_drag(scene: Scene) -> None:
    bold, delete = scene.main.find("Bold").bounds.centre, scene.main.find("Delete").bounds.centre
    for middle in ([], [{"do": "move", "at": delete}]):
        with pytest.raises(DeskhandError) as refused:
            await scene.input({"do": "down", "at": bold}, *middle, {"do": "up", "at": delete})
        assert refused.value.code == "confirmation_required"
    with pytest.raises(DeskhandError):  # let go with the batch, it is dropped there all the same
        await scene.input({"do": "down", "at": bold}, {"do": "move", "at": delete})
    with pytest.raises(DeskhandError):
        await scene.input({"do": "drag", "path": [bold, delete], "button": "middle"})
    assert scene.done == []


@pytest.mark.proves("C9", "B2")
async def test_consent_is_for_as_long_as_was_asked(scene: Scene) -> None:
    held = {"do": "key", "keys": "ctrl+q"}
    with pytest.raises(DeskhandError) as refused:
        await scene.input(held)
    scene.gate.answer(refused.value.question, True)
    with pytest.raises(DeskhandError) as again:
        await scene.input({**held, "seconds": 0.3}, consent=refused.value.question)
    assert (again.value.code, scene.done) == ("confirmation_required", [])


@pytest.mark.proves("G7", "report-22")
async def test_a_password_spelled_key_by_key_is_in_no_answer_and_no_record(scene: Scene) -> None:
    scene.focus(scene.secret)
    keys = [action for key in "swordx" for action in ({"do": "down", "keys": key}, {"do": "up", "keys": key})]
    with pytest.raises(DeskhandError) as refused:
        await scene.input(*keys)
    scene.gate.answer(refused.value.question, True)
    result = await scene.input(*keys, consent=refused.value.question)
    assert "down s" not in result.text
    assert '"target":"s"' not in scene.record().replace(" ", "")
