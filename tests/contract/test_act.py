"""Batches over the fake desktop: guard, effects, diffs, refusals that send nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from pydantic import ValidationError

from deskhand.platforms import fake
from deskhand.platforms.base import ReadLimits
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node, Tree
from deskhand.types.requests import OpenRequest
from tests.contract.sessions import Session


def editor(**more: object) -> tuple[Session, FakePlatform]:
    platform = FakePlatform(
        fake.window(
            "Editor", fake.textbox("Name", "old"), fake.password("Password", "hunter2"), fake.checkbox("Wrap"),
            fake.spin("Copies", 1, 1, 99), fake.button("Save"), fake.button("Idle", inert=True),
            fake.combobox("Font", ["Sans", "Serif"], "Sans"), fake.listbox("Fruit", ["Apple", "Pear"]),
        )
    )  # fmt: skip
    return Session(platform), platform


@pytest.mark.proves("A5", "A7", "G2")
async def test_effects_are_told_with_what_was_before_and_what_is_now() -> None:
    session, _ = editor()
    name, wrap = await session.ref("Name"), await session.ref("Wrap")
    done = await session.act({"do": "set", "on": name, "value": "new"}, {"do": "check", "on": wrap})
    assert done.failure is None
    assert [(e.before, e.after, e.verdict) for e in done.effects] == [
        ('"old"', '"new"', "verified"),
        ("off", "on", "verified"),
    ]
    assert f'~ {name} textbox "Name" = "new"' in done.text
    assert f'~ {wrap} checkbox "Wrap" on' in done.text


@pytest.mark.proves("report-31")
async def test_setting_the_same_text_twice_sends_nothing_the_second_time() -> None:
    session, platform = editor()
    name = await session.ref("Name")
    await session.act({"do": "set", "on": name, "value": "once"})
    before = list(platform.journal)
    again = await session.act({"do": "set", "on": name, "value": "once"})
    assert again.effects[0].verdict == "unchanged"
    assert platform.journal == before
    assert (await session.observe()).text.count('"once"') == 1


@pytest.mark.proves("report-9")
async def test_a_spin_button_takes_its_value_and_is_read_back() -> None:
    session, _platform = editor()
    copies = await session.ref("Copies")
    done = await session.act({"do": "set", "on": copies, "value": 4})
    assert (done.effects[0].after, done.effects[0].verdict) == (4.0, "verified")
    refused = await session.act({"do": "set", "on": copies, "value": 400})
    assert refused.failure is not None
    assert (refused.failure.code, refused.failure.sent) == ("value_rejected", "no")


@pytest.mark.proves("report-22", "G7")
async def test_a_password_is_written_and_never_read_or_told() -> None:
    session, _platform = editor()
    secret = await session.ref("Password")
    done = await session.act({"do": "set", "on": secret, "value": "s3cret!"})
    assert done.effects[0].verdict == "unverifiable"
    view = await session.observe(detail=["text", "hidden", "actions"])
    found = await session.find("s3cret!")
    assert "s3cret!" not in done.text + view.text + found.text
    assert "hunter2" not in done.text + view.text + found.text
    with pytest.raises(DeskhandError):
        await session.observe(target=secret, **{"from": 0, "to": 5})


async def test_a_button_that_does_nothing_is_unverifiable_not_done() -> None:
    session, _ = editor()
    done = await session.act({"do": "press", "on": await session.ref("Idle")})
    assert done.effects[0].verdict == "unverifiable"


async def test_an_application_that_announces_a_change_with_every_answer_is_not_asked_without_end() -> None:
    session, platform = editor()
    idle, looks, answered = await session.ref("Idle"), list[Sequence[str]](), platform.refresh

    async def refresh(keys: Sequence[str]) -> dict[str, Node | None]:
        looks.append(keys)
        platform.world.feed.announce()
        return await answered(keys)

    platform.refresh = refresh  # type: ignore[method-assign]
    done = await session.act({"do": "press", "on": idle})
    assert done.effects[0].verdict == "unverifiable"
    assert 10 < len(looks) < 80


@pytest.mark.parametrize("announced_since", [False, True], ids=["nothing since", "something since"])
async def test_what_has_just_been_read_is_read_again_only_after_a_change(announced_since: bool) -> None:
    total, button, reads = fake.textbox("Sum", "0"), fake.button("Count"), list[str]()
    platform = FakePlatform(fake.window("Editor", fake.textbox("Name"), total, button))
    session, read = Session(platform), platform.read

    def press() -> None:
        reads.clear()
        total.text = "1"
        platform.world.changed()

    button.on_press = press
    count = await session.ref("Count")

    async def counted(root: str, limits: ReadLimits) -> Tree:
        reads.append(root)
        tree = await read(root, limits)
        if announced_since:
            platform.world.feed.announce()
        return tree

    platform.read = counted  # type: ignore[method-assign]
    done = await session.act({"do": "press", "on": count})
    assert done.effects[0].verdict == "changed"
    assert 'textbox "Sum" = "1"' in done.text
    assert len(reads) == 1 + announced_since  # to find the effect, and to tell


@pytest.mark.proves("A6")
@pytest.mark.parametrize("verb", ["press", "click"])
@pytest.mark.parametrize("trouble", ["stale_ref", "disabled", "hidden", "occluded"])
async def test_a_refused_target_gets_no_input(verb: str, trouble: str) -> None:
    save = fake.button("Save")
    window = fake.window("Editor", save, fake.button("Other"), at=Rect(0, 0, 400, 300))
    platform = FakePlatform(window)
    session = Session(platform)
    ref = await session.ref("Save")
    if trouble == "stale_ref":
        platform.replace(save)
    elif trouble == "disabled":
        save.enabled = False
    elif trouble == "hidden":
        save.visible = False
    else:
        platform.add(fake.window("Cover", fake.button("Above"), at=Rect(0, 0, 400, 300)), app="cover")
    platform.world.changed()
    refused = await session.act({"do": verb, "on": ref}, {"do": "press", "on": ref})
    assert refused.failure is not None
    assert (refused.failure.code, refused.failure.sent, refused.done) == (trouble, "no", 0)
    assert platform.journal == []
    assert save.presses == 0
    assert f"stopped at 1 of 2: {trouble} {ref}, input no" in refused.text


@pytest.mark.parametrize("to", [[-5000, 0], [0, 5000], [5000, 5000]])
async def test_a_drag_that_would_end_beyond_the_screen_is_refused(to: list[int]) -> None:
    session, platform = editor()
    refused = await session.act({"do": "drag", "on": await session.ref("Save"), "to": to})
    assert refused.failure is not None, refused.text
    assert (refused.failure.code, refused.failure.sent) == ("hidden", "no")
    assert "on a screen of" in (refused.failure.found or "")
    assert platform.journal == []


@pytest.mark.proves("A5")
async def test_a_target_that_is_enabled_a_moment_later_is_waited_for() -> None:
    save = fake.button("Save", enabled=False)
    platform = FakePlatform(fake.window("Editor", save))
    session = Session(platform)
    ref = await session.ref("Save")

    def enable() -> None:
        save.enabled = True
        platform.world.changed()

    asyncio.get_running_loop().call_later(0.15, enable)
    assert (await session.act({"do": "press", "on": ref})).failure is None
    assert save.presses == 1


async def test_a_long_value_is_told_with_what_was_cut() -> None:
    session, _ = editor()
    done = await session.act({"do": "set", "on": await session.ref("Name"), "value": "a" * 100})
    assert f'-> "{"a" * 80}"+20 verified' in done.text


@pytest.mark.proves("A6")
async def test_a_stale_ref_names_what_was_expected_and_what_to_try() -> None:
    save = fake.button("Save")
    platform = FakePlatform(fake.window("Editor", save))
    session = Session(platform)
    ref = await session.ref("Save")
    platform.replace(save)
    refused = (await session.act({"do": "press", "on": ref})).failure
    assert refused is not None
    new = await session.ref("Save")
    assert new != ref
    assert (refused.expected, refused.candidates) == ('button "Save"', [f'{new} button "Save"'])


async def test_a_batch_stops_at_the_first_failure_and_tells_what_was_done() -> None:
    session, _ = editor()
    name = await session.ref("Name")
    stopped = await session.act(
        {"do": "set", "on": name, "value": "a"},
        {"do": "press", "on": {"name": "None"}},
        {"do": "set", "on": name, "value": "b"},
    )
    assert (stopped.done, stopped.total) == (1, 3)
    assert stopped.failure is not None
    assert stopped.failure.code == "not_found"
    assert '= "a"' in (await session.observe()).text


@pytest.mark.parametrize(
    "steps",
    [[{"do": "press", "on": "r1"}] * 65, [], [{"do": "fly"}], [{"do": "press"}], [{"do": "set", "on": "r1"}]],
    ids=["65 steps", "none", "no such verb", "no target", "no value"],
)
async def test_a_malformed_batch_is_refused_before_its_first_step(steps: list[dict[str, str]]) -> None:
    session, platform = editor()
    await session.observe()
    with pytest.raises(ValidationError):
        await session.act(*steps)
    assert platform.journal == []


async def test_a_failed_expectation_stops_the_batch_and_says_that_input_was_sent() -> None:
    session, _ = editor()
    name = await session.ref("Name")
    expect = {"for": "value", "on": name, "is": "other", "timeout": 0.2}
    stopped = await session.act({"do": "set", "on": name, "value": "new", "expect": expect})
    assert stopped.failure is not None
    assert (stopped.failure.code, stopped.failure.sent) == ("expectation_failed", "yes")


@pytest.mark.proves("report-7", "report-21")
async def test_a_hung_application_is_told_and_hides_no_other() -> None:
    platform = FakePlatform(fake.window("One", fake.button("A")), app="one")
    platform.add(fake.window("Two", fake.button("B")), app="two")
    session = Session(platform)
    platform.faults.freeze("one")
    with pytest.raises(DeskhandError) as refused:
        await session.observe(target="One")
    assert refused.value.code == "app_unresponsive"
    assert '"B"' in (await session.observe(target="Two")).text
    found = await session.find("B")
    assert [e.name for e in found.matches] == ["B"]
    assert "could not be searched: app_unresponsive" in found.text


async def test_a_modal_dialog_in_front_takes_the_place_of_its_window() -> None:
    save = fake.button("Save")
    window = fake.window("Editor", save)
    platform = FakePlatform(window)
    session = Session(platform)
    ref = await session.ref("Save")
    platform.add(fake.dialog("Sure?", fake.button("OK")), owner=window)
    refused = await session.act({"do": "press", "on": ref})
    assert refused.failure is not None
    assert (refused.failure.code, refused.failure.sent) == ("occluded", "no")
    assert save.presses == 0
    view = await session.observe(target="Editor")
    assert 'dialog "Sure?"' in view.text.splitlines()[0]


@pytest.mark.proves("A4")
async def test_find_reaches_closed_menus_and_names_near_misses() -> None:
    bar = fake.menubar(fake.menu("File", fake.menuitem("Save As…"), fake.menuitem("Quit")))
    session = Session(FakePlatform(fake.window("Editor", bar, fake.button("Print"))))
    found = await session.find("save as")
    assert [(e.name, "hidden" in e.states) for e in found.matches] == [("Save As…", True)]
    near = await session.find("Prnt")
    assert not near.matches
    assert [e.name for e in near.near] == ["Print"]
    pages = await session.find("", limit=2)
    assert pages.cursor is not None


@pytest.mark.proves("A2")
async def test_refs_stay_through_a_hundred_observations_and_are_never_reused() -> None:
    session, platform = editor()
    first = {e.name: e.ref for e in (await session.observe()).elements}
    for _ in range(100):
        platform.world.changed()
        assert {e.name: e.ref for e in (await session.observe()).elements} == first
    highest = session.counters.issued("r")
    platform.add(fake.window("Other", fake.button("New")), app="other")
    assert int((await session.ref("New"))[1:]) > highest


async def test_the_gate_sees_every_step_with_its_element_before_it_is_done() -> None:
    session, _platform = editor()
    save = await session.ref("Save")
    await session.act({"do": "press", "on": save})
    judged = session.gate.judged[-1]
    assert [p.element.name for p in judged if p.element] == ["Save"]
    assert [p.element.name for p in session.gate.permitted if p.element] == ["Save"]


async def test_every_call_and_step_is_recorded_before_and_after() -> None:
    session, _ = editor()
    save = await session.ref("Save")
    session.recorder.events.clear()
    await session.act({"do": "press", "on": save})
    names = [name for name, _ in session.recorder.events]
    assert names == ["call", "step", "dispatch", "input", "effect", "result"]


@pytest.mark.proves("A6")
@pytest.mark.parametrize("look", ["nothing", "another refused step", "a batch elsewhere"])
async def test_what_deskhand_reads_for_itself_does_not_make_a_renamed_element_pass(look: str) -> None:
    save = fake.button("Save")
    platform = FakePlatform(fake.window("Editor", save, fake.checkbox("Wrap")))
    session = Session(platform)
    ref, wrap = await session.ref("Save"), await session.ref("Wrap")
    save.name = "Delete everything"
    platform.world.changed()
    if look == "another refused step":
        await session.act({"do": "press", "on": ref})
    elif look == "a batch elsewhere":
        wrapped = await session.act({"do": "wait", "for": "element", "on": wrap})
        assert wrapped.failure is None
    refused = (await session.act({"do": "press", "on": ref})).failure
    assert refused is not None
    assert (refused.code, refused.sent, refused.expected) == ("stale_ref", "no", 'button "Save"')
    assert refused.found == 'button "Delete everything"'
    assert save.presses == 0
    await session.observe()
    assert (await session.act({"do": "press", "on": ref})).failure is None


async def test_a_name_that_changes_can_be_waited_for() -> None:
    status = fake.button("Loading")
    platform = FakePlatform(fake.window("Editor", status))
    session = Session(platform)
    ref = await session.ref("Loading")
    status.name = "Loaded"
    platform.world.changed()
    done = await session.act({"do": "wait", "for": "text", "on": ref, "is": "Loaded"})
    assert done.failure is None


@pytest.mark.proves("A5", "report-14")
async def test_an_expectation_that_held_before_is_no_evidence() -> None:
    session, _ = editor()
    idle, name = await session.ref("Idle"), await session.ref("Name")
    before = {"for": "value", "on": name, "is": "old"}
    done = await session.act({"do": "press", "on": idle, "expect": before})
    assert done.effects[0].verdict == "unverifiable"
    assert "(as before)" in done.effects[0].note
    settled = await session.act({"do": "press", "on": idle, "expect": {"for": "settled"}})
    assert settled.effects[0].verdict == "unverifiable"


@pytest.mark.proves("report-14")
async def test_another_applications_window_does_not_verify_a_press() -> None:
    button = fake.button("Save")
    platform = FakePlatform(fake.window("Editor", button, at=Rect(0, 0, 300, 300)), app="editor")
    note = fake.window("Notice", fake.button("OK"), at=Rect(400, 400, 100, 100))
    button.on_press = lambda: platform.add(note, app="other")
    session = Session(platform)
    done = await session.act({"do": "press", "on": await session.ref("Save")})
    assert "opened w" in done.effects[0].note
    assert done.effects[0].verdict == "changed"


@pytest.mark.proves("A6")
@pytest.mark.parametrize("verb", ["click", "hover"])
async def test_the_pointer_is_never_sent_by_another_route(verb: str) -> None:
    session, platform = editor()
    save = await session.ref("Save")
    refused = await session.act({"do": verb, "on": save, "route": "accessibility"})
    assert refused.failure is not None
    assert (refused.failure.code, refused.failure.sent) == ("unsupported_action", "no")
    assert platform.journal == []


@pytest.mark.proves("A6", "report-15")
async def test_an_open_menu_of_the_same_application_covers_what_lies_under_it() -> None:
    items = [fake.menuitem(f"Item {number}") for number in range(12)]
    under = fake.button("Under")
    bar = fake.menubar(fake.menu("File", *items), fake.menu("Edit"))
    window = fake.window("Editor", bar, under, at=Rect(0, 0, 150, 400))
    platform = FakePlatform(window)
    session = Session(platform)
    ref = await session.ref("Under")
    menu = window.find("File", "menu")
    platform.world.open_popup(menu)
    platform.world.changed()
    before = list(platform.journal)
    refused = await session.act({"do": "click", "on": ref})
    assert refused.failure is not None
    assert (refused.failure.code, refused.failure.sent) == ("occluded", "no")
    assert platform.journal == before
    assert all(item.presses == 0 for item in items)


@pytest.mark.proves("report-25")
async def test_a_display_that_dies_at_the_end_does_not_hide_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    session, platform = editor()
    name = await session.ref("Name")

    async def gone() -> None:
        raise DeskhandError("desktop_unavailable", "the display is gone")

    monkeypatch.setattr(platform, "release_all", gone)
    done = await session.act({"do": "set", "on": name, "value": "new"})
    assert [(e.after, e.verdict) for e in done.effects] == [('"new"', "verified")]
    assert done.failure is not None
    assert (done.failure.code, done.failure.sent) == ("desktop_unavailable", "yes")


async def test_numbers_that_are_none_are_refused_before_the_first_step() -> None:
    session, platform = editor()
    copies = await session.ref("Copies")
    for value in (float("inf"), float("nan")):
        step = {"do": "set", "on": copies, "value": value}
        with pytest.raises(ValidationError):
            await session.act(step)
    assert platform.journal == []


async def test_a_target_that_can_mean_nothing_is_refused_before_the_first_step() -> None:
    session, platform = editor()
    name = await session.ref("Name")
    with pytest.raises(DeskhandError) as refused:
        await session.act({"do": "set", "on": name, "value": "a"}, {"do": "press", "on": "="})
    assert (refused.value.code, refused.value.sent) == ("invalid_request", "no")
    assert refused.value.message.startswith("step 2: ")
    assert platform.journal == []
    assert '= "old"' in (await session.observe()).text


@pytest.mark.proves("A5")
async def test_what_is_read_from_the_clipboard_comes_whole() -> None:
    session, platform = editor()
    held = "word " * 600
    await platform.write_clipboard(held)
    read = await session.act({"do": "clipboard", "op": "read"})
    assert read.effects[0].read == held
    assert held in read.text


@pytest.mark.parametrize(
    "expect",
    [{"for": "gone"}, {"for": "window"}, {"for": "value", "on": "r1"}, {"for": "text", "on": "w1"}, {"for": "enabled"}],
)
async def test_an_expectation_that_says_too_little_is_refused_before_the_first_step(expect: dict[str, str]) -> None:
    session, platform = editor()
    with pytest.raises(ValidationError, match="expect for"):
        await session.act({"do": "press", "on": {"name": "Save"}, "expect": expect})
    assert platform.journal == []


async def test_a_defect_in_a_step_hides_nothing_that_was_done_and_is_undone() -> None:
    session, platform = editor()
    name = await session.ref("Name")

    def break_down() -> None:
        raise AssertionError("a defect")

    platform.faults.before("set_number", break_down)
    steps = ({"do": "set", "on": name, "value": "new"}, {"do": "set", "on": {"name": "Copies"}, "value": 4})
    stopped = await session.act(*steps, on_failure="undo")
    assert stopped.failure is not None
    assert (stopped.failure.code, stopped.failure.sent, stopped.done) == ("internal", "yes", 1)
    assert stopped.effects[0].after == '"new"'
    assert stopped.undoing is not None
    assert stopped.undoing.effects[-1].step == 1
    assert '= "old"' in (await session.observe()).text
    assert [name for name, _ in session.recorder.events].count("stopped") == 1


@pytest.mark.proves("C9")
async def test_two_clicks_are_no_double_click_and_open_nothing() -> None:
    button, opened = fake.button("run.sh"), list[str]()
    button.on_activate = lambda: opened.append("run.sh")
    session = Session(fake.FakePlatform(fake.window("Files", button)))
    click = {"do": "click", "on": {"name": "run.sh"}}
    await session.act(click, click)
    await session.act(click)
    assert opened == []
    await session.act({**click, "count": 2})
    assert opened == ["run.sh"]


@pytest.mark.proves("C9")
@pytest.mark.parametrize("way", ["act", "input"])
async def test_a_double_click_right_after_a_click_elsewhere_is_one(way: str) -> None:
    files = [fake.button("other.sh"), fake.button("run.sh")]
    opened = list[str]()
    files[1].on_activate = lambda: opened.append("run.sh")
    session = Session(fake.FakePlatform(fake.window("Files", *files)))
    if way == "act":
        before = {"do": "click", "on": {"name": "other.sh"}}
        await session.act(before, {"do": "click", "on": {"name": "run.sh"}, "count": 2})
    else:
        other, run = (list(each.bounds.centre) for each in files)
        picture = await session.look(max_pixels=2_000_000)
        await session.input(picture, {"do": "click", "at": other}, {"do": "click", "at": run, "count": 2})
    assert opened == ["run.sh"]


@pytest.mark.parametrize("verb", ["click", "hover", "press"])
async def test_what_lies_beyond_the_screens_edge_is_not_clicked_at_the_edge(verb: str) -> None:
    platform = fake.FakePlatform(
        fake.window("Editor", fake.button("Save"), fake.button("Quit later"), at=Rect(100, 740, 400, 300)),
        screen=Rect(0, 0, 1024, 768),
    )
    session = Session(platform)
    route = {"route": "pointer"} if verb == "press" else {}
    steps = {"do": verb, "on": {"role": "button", "name": "Quit later"}, **route}
    result = await session.act(steps)
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("hidden", "no")
    assert "screen" in result.failure.message
    assert platform.journal == []


async def test_a_name_too_long_for_a_file_is_that_of_no_file() -> None:
    session, _ = editor()
    step = {"do": "hover", "on": await session.ref("Save"), "expect": {"file": {"path": "a" * 5000}, "timeout": 0.1}}
    result = await session.act(step)
    assert result.failure is not None
    assert result.failure.code == "expectation_failed"
    with pytest.raises(DeskhandError) as refused:
        await session.desktop.open(OpenRequest(file="a" * 5000))
    assert refused.value.code == "not_found"


@pytest.mark.parametrize(
    ("value", "verdict"), [("enabled", "on"), ("Off", "off"), (0, "off"), ("banana", "value_rejected")]
)
async def test_a_switch_is_set_by_words_that_mean_on_or_off_and_by_no_other(value: object, verdict: str) -> None:
    session, _ = editor()
    wrap = await session.ref("Wrap")
    await session.act({"do": "set", "on": wrap, "value": "off" if verdict == "on" else "on"})
    result = await session.act({"do": "set", "on": wrap, "value": value})
    told = result.failure.code if result.failure is not None else str(result.effects[0].after)
    assert told == verdict
