"""The fake desktop behaves like a real one: what it lets through in tests, a real one lets through."""

from __future__ import annotations

import asyncio

import pytest

from deskhand.platforms.base import ReadLimits
from deskhand.platforms.fake import (
    FakePlatform,
    Widget,
    at_most,
    button,
    check_item,
    checkbox,
    combobox,
    dialog,
    label,
    listbox,
    menu,
    menubar,
    menuitem,
    password,
    radio,
    refuse,
    scroll_area,
    slider,
    spin,
    spreadsheet,
    table,
    tabs,
    textarea,
    textbox,
    tree,
    treeitem,
    upper_case,
    window,
)
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import State


async def click(desk: FakePlatform, widget: Widget) -> None:
    await desk.move_pointer(*widget.bounds.centre)
    await desk.press_button("left", True)
    await desk.press_button("left", False)


async def read(desk: FakePlatform, **limits: bool) -> set[str]:
    """Names of what shows in all windows."""
    names: set[str] = set()
    for each in await desk.windows():
        assert each.root is not None
        names |= {node.name for node in (await desk.read(each.root, ReadLimits(**limits))).nodes.values()}
    return names


async def code(call: asyncio.Future[None] | object) -> str:
    with pytest.raises(DeskhandError) as caught:
        await call  # type: ignore[misc]
    return caught.value.code


async def test_a_click_presses_what_lies_on_top() -> None:
    below, above = button("Below"), button("Above")
    desk = FakePlatform(window("Back", below), window("Front", above))
    await click(desk, below)
    assert (below.presses, above.presses) == (0, 1)


async def test_a_click_on_a_window_raises_it() -> None:
    left, right = window("Left", button("A"), at=Rect(-200, 0, 190, 300)), window("Right", button("B"))
    desk = FakePlatform(left, right, screen=Rect(-200, 0, 1480, 1024))
    await click(desk, left.find("A"))
    assert [each.title for each in await desk.windows()] == ["Right", "Left"]
    assert (await desk.windows())[-1].active
    assert left.find("A").presses == 1


async def test_a_modal_dialog_takes_the_input_of_its_owner() -> None:
    owner = window("Main", button("Save"), textbox("Name"), at=Rect(0, 0, 900, 640))
    desk = FakePlatform(owner)
    question = desk.add(dialog("Sure?", button("Yes", default=True), at=Rect(400, 300, 200, 100)), owner=owner)
    save = owner.find("Save")
    await desk.move_pointer(5, save.bounds.y + 5)
    await desk.press_button("left", True)
    await desk.press_button("left", False)
    await desk.type_text("x")
    assert save.presses == 0
    assert owner.find("Name").text == ""
    assert desk.world.active is question


async def test_enter_presses_the_default_button_and_alt_f4_closes() -> None:
    owner = window("Main")
    desk = FakePlatform(owner)
    question = desk.add(dialog("Name?", textbox("Name"), button("No"), button("Yes", default=True)), owner=owner)
    await desk.press_chord("Return")
    assert question.find("Yes").presses == 1
    await desk.press_chord("alt+F4")
    assert [each.title for each in await desk.windows()] == ["Main"]


async def test_an_application_may_keep_its_window_open() -> None:
    desk = FakePlatform(window("Unsaved", on_close=lambda: False))
    await desk.press_chord("alt+F4")
    assert len(await desk.windows()) == 1


async def test_keys_edit_the_focused_text() -> None:
    field = textbox("Name", "old")
    desk = FakePlatform(window("Main", field))
    await desk.press_chord("ctrl+a")
    await desk.type_text("new text")
    await desk.press_chord("BackSpace")
    assert field.text == "new tex"
    await desk.write_clipboard("Привет")
    await desk.press_chord("ctrl+a")
    await desk.press_chord("ctrl+v")
    assert field.text == "Привет"


async def test_tab_walks_through_what_can_be_focused() -> None:
    fields = [textbox("A"), button("Off", enabled=False), textbox("B")]
    desk = FakePlatform(window("Main", *fields))
    await desk.press_chord("Tab")
    await desk.type_text("b")
    await desk.press_chord("shift+Tab")
    await desk.type_text("a")
    assert (fields[0].text, fields[2].text) == ("a", "b")


async def test_enter_in_a_text_area_is_a_line_break() -> None:
    notes = textarea("Notes", "")
    desk = FakePlatform(window("Main", notes, button("OK", default=True)))
    await desk.type_text("one\ntwo")
    assert notes.text == "one\ntwo"


async def test_menus_open_as_windows_and_close_after_a_choice() -> None:
    save, deep, grid = menuitem("Save", accelerator="ctrl+s"), menuitem("Deep"), check_item("Grid")
    main = window("Main", menubar(menu("File", save, menu("More", deep), grid)), textbox("Name"))
    desk = FakePlatform(main)
    await click(desk, main.find("File"))
    await click(desk, main.find("More"))
    assert [each.popup for each in await desk.windows()] == [False, True, True]
    await click(desk, deep)
    assert deep.presses == 1
    assert len(await desk.windows()) == 1
    await desk.press_chord("ctrl+s")
    assert save.presses == 1


async def test_closed_menus_are_read_only_when_asked_for() -> None:
    desk = FakePlatform(window("Main", menubar(menu("File", menuitem("Save")))))
    assert "Save" not in await read(desk)
    assert "Save" in await read(desk, hidden=True)


async def test_a_click_beside_an_open_menu_only_closes_it() -> None:
    main = window("Main", menubar(menu("File", menuitem("Save"))), label("x"), label("y"), button("Go"))
    desk = FakePlatform(main)
    await click(desk, main.find("File"))
    await click(desk, main.find("Go"))
    assert main.find("Go").presses == 0
    await click(desk, main.find("Go"))
    assert main.find("Go").presses == 1


async def test_a_combo_chooses_from_a_popup() -> None:
    fonts = combobox("Font", ["Arial", "Times"], "Arial")
    desk = FakePlatform(window("Main", fonts))
    await desk.do_action(fonts.key, "press")
    await click(desk, fonts.find("Times"))
    assert fonts.text == "Times"
    assert len(await desk.windows()) == 1


async def test_lists_trees_tabs_and_radios_select() -> None:
    fruit = listbox("Fruit", ["Apple", "Pear"], multi=True)
    places = tree("Places", treeitem("Europe", treeitem("France")))
    pages = tabs(("One", [button("First")]), ("Two", [button("Second")]))
    red, blue = radio("Red", True), radio("Blue")
    desk = FakePlatform(window("Main", fruit, places, red, blue, pages))
    await desk.select_children(fruit.key, [0, 1])
    assert [item.selected for item in fruit.children] == [True, True]
    await desk.do_action(places.children[0].key, "expand or contract")
    await click(desk, places.find("France"))
    assert places.find("France").selected
    await click(desk, pages.find("Two"))
    assert {"Second", "France"} <= await read(desk)
    assert "First" not in await read(desk)
    await click(desk, blue)
    assert (red.checked, blue.checked) == (False, True)


async def test_numbers_stay_within_their_limits() -> None:
    copies, volume = spin("Copies", 1, 1, 99), slider("Volume", 0)
    desk = FakePlatform(window("Main", copies, volume))
    await desk.set_number(copies.key, 500)
    assert (copies.number, copies.text) == (99, "99")
    await click(desk, volume)
    assert 45 <= (volume.number or 0) <= 55


async def test_a_spreadsheet_of_a_million_rows_stores_used_cells_only() -> None:
    sheet = spreadsheet("Sheet1", {(0, 0): "Name"})
    desk = FakePlatform(window("Calc", sheet))
    await desk.focus((await desk.cell(sheet.key, 1_048_575, 2)).key)
    await desk.type_text("42\n")
    assert sheet.sheet is not None
    assert sheet.sheet.cells == {(0, 0): "Name", (1_048_575, 2): "42"}
    grid = await desk.grid(sheet.key, None, ReadLimits())
    assert (grid.rows, grid.view[2], grid.heads[2]) == (1_048_576, 1_048_576, "C")
    assert len(grid.cells) < 200
    assert (await desk.cell(sheet.key, 6, 1)).name == "B7"


async def test_a_table_is_selected_by_click() -> None:
    files = table("Files", ["File", "Size"], [["a", "1"], ["b", "2"]])
    desk = FakePlatform(window("Main", files))
    bounds = (await desk.cell(files.key, 1, 0)).bounds
    assert bounds is not None
    await desk.move_pointer(*bounds.centre)
    await desk.press_button("left", True)
    await desk.press_button("left", False)
    assert (await desk.cell(files.key, 1, 0)).has(State.SELECTED)


async def test_what_is_scrolled_away_is_read_but_not_seen() -> None:
    area = scroll_area(*[button(f"Item {number}") for number in range(50)], height=100)
    last = area.find("Item 49")
    desk = FakePlatform(window("Main", area))
    node = (await desk.refresh([last.key]))[last.key]
    assert node is not None
    assert node.visible is not None
    assert node.visible.empty
    assert await desk.scroll_to(last.key)
    await click(desk, last)
    assert last.presses == 1


@pytest.mark.proves("report-22")
async def test_a_password_is_in_no_reading_and_not_in_the_journal() -> None:
    secret = password("Password")
    desk = FakePlatform(window("Main", secret))
    await desk.type_text("hunter2")
    await desk.set_text(secret.key, "hunter2")
    read_whole = await desk.read(secret.key, ReadLimits(hidden=True))
    assert "hunter2" not in repr(read_whole) + repr(desk.journal) + repr(await desk.focused())
    assert await code(desk.text(secret.key, 0, -1)) == "unsupported_action"
    assert secret.text == "hunter2"


async def test_fields_may_cut_change_or_refuse_what_they_get() -> None:
    short, loud, fixed = (
        textbox("Short", rewrite=at_most(3)), textbox("Loud", rewrite=upper_case), textbox("Fixed", "x", rewrite=refuse)
    )  # fmt: skip
    desk = FakePlatform(window("Main", short, loud, fixed))
    for field in (short, loud, fixed):
        await desk.set_text(field.key, "abcde")
    assert (short.text, loud.text, fixed.text) == ("abc", "ABCDE", "x")


@pytest.mark.proves("report-10")
async def test_a_field_may_be_writable_only_with_the_focus() -> None:
    first, shy = textbox("First"), textbox("Shy", edit_when_focused=True)
    desk = FakePlatform(window("Main", first, shy))
    assert await code(desk.set_text(shy.key, "x")) == "unsupported_action"
    await desk.focus(shy.key)
    await desk.set_text(shy.key, "x")
    assert shy.text == "x"


async def test_an_inert_button_says_yes_and_does_nothing() -> None:
    dead = button("Dead", inert=True)
    desk = FakePlatform(window("Main", dead))
    await desk.do_action(dead.key, "click")
    assert dead.presses == 0


async def test_refused_calls_leave_the_journal_empty() -> None:
    save = button("Save")
    desk = FakePlatform(window("Main", save))
    old = save.key
    desk.replace(save)
    assert await code(desk.do_action(old, "click")) == "stale_ref"
    assert await code(desk.type_text("a\x00")) == "unsendable_text"
    assert await code(desk.do_action(save.key, "fly")) == "unsupported_action"
    assert desk.journal == []


@pytest.mark.proves("report-21", "report-25")
async def test_what_waits_in_a_frozen_application_is_done_once_it_wakes() -> None:
    save = button("Save")
    desk = FakePlatform(window("Main", save), app="editor")
    desk.add(window("Other", button("Fine")), "other")
    desk.faults.freeze("editor")
    assert await code(desk.do_action(save.key, "click")) == "outcome_unknown"
    assert await code(desk.refresh([save.key])) == "app_unresponsive"
    assert [each.responsive for each in await desk.windows()] == [False, True]
    assert save.presses == 0
    desk.faults.resume("editor")
    assert save.presses == 1


async def test_a_refusing_application_loses_what_is_sent() -> None:
    save = button("Save")
    desk = FakePlatform(window("Main", save), app="editor")
    desk.faults.freeze("editor", refusing=True)
    assert await code(desk.do_action(save.key, "click")) == "app_unresponsive"
    desk.faults.resume("editor")
    assert save.presses == 0


async def test_a_window_may_close_in_the_middle_of_a_call() -> None:
    save = button("Save")
    main = window("Main", save)
    desk = FakePlatform(main)
    desk.faults.before("read", lambda: desk.world.remove(main))
    assert await code(desk.read(main.root.key, ReadLimits())) == "stale_ref"
    assert await desk.refresh([save.key]) == {save.key: None}


async def test_an_action_may_open_a_window_some_ticks_later() -> None:
    desk = FakePlatform(window("Main", button("Go")))
    desk.after(3, lambda: desk.add(window("Late")))
    desk.world.tick(2)
    assert len(await desk.windows()) == 1
    desk.world.tick()
    assert len(await desk.windows()) == 2


async def test_ticks_may_be_turns_of_the_loop_and_wake_who_waits() -> None:
    desk = FakePlatform(window("Main"))
    desk.world.auto_tick = True
    serial = desk.events.serial
    desk.after(5, lambda: desk.add(window("Late")))
    assert await desk.events.changed(serial, 5)
    assert len(await desk.windows()) == 2


async def test_nothing_changing_is_quiet_and_a_change_is_not() -> None:
    box = checkbox("Wrap")
    desk = FakePlatform(window("Main", box))
    assert await desk.events.quiet(0.01, 1)
    serial = desk.events.serial
    assert not await desk.events.changed(serial, 0.01)
    await desk.do_action(box.key, "click")
    assert await desk.events.changed(serial, 0)


async def test_a_volatile_element_is_a_new_object_at_every_read() -> None:
    cell = button("Cell", volatile=True)
    main = window("Main", cell)
    desk = FakePlatform(main)
    keys = {key for _ in range(3) for key in (await desk.read(main.root.key, ReadLimits())).nodes}
    assert len(keys) == 4  # the window, and three cells


@pytest.mark.proves("report-7", "report-19")
async def test_cycles_end_and_unreadable_elements_are_said() -> None:
    ring, broken = button("Ring"), button("Broken", unreadable=True)
    main = window("Main", ring, broken)
    desk = FakePlatform(main)
    ring.children.append(main.root)
    read_tree = await desk.read(main.root.key, ReadLimits())
    assert {node.name for node in read_tree.nodes.values()} == {"Main", "Ring"}
    assert not read_tree.complete
    assert len(read_tree.notes) == 2


async def test_held_keys_are_released_on_close() -> None:
    desk = FakePlatform(window("Main", textbox("Name")))
    await desk.press_chord("ctrl+shift", True)
    await desk.press_button("left", True)
    await desk.close()
    assert desk.world.held == []
    assert desk.world.buttons == set()
    assert {"key ctrl up", "key shift up", "left up"} <= set(desk.journal)
