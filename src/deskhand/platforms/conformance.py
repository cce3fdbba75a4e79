"""The suite that any platform must pass: one function per behaviour, named by it.

A check drives a ``Subject``: a platform that is started, and an application on it which tells *by itself* what was
done to it (``Application.state``), so that no platform is judged by its own word. The application is a zoo of widgets
on four pages (``command("page 0")`` …):

- page 0: buttons ``Save``, ``Delete``, ``OK r22, Delete``, ``Disabled``, ``Hidden``, ``Replaced``, ``Renamed``,
  ``Does nothing``; a toggle ``Bold``, a check box ``Wrap lines``;
- page 1: text fields ``Name`` (state ``entry``), ``Password`` (``password``), ``Notes`` (``notes``, many lines), a spin
  button ``Copies`` (``spin``, 1–99), a slider ``Volume`` (``slider``, 0–100);
- page 2: a list ``Fruit`` (``fruit``), a table ``Files`` of 3 × 3, a scrolled area of buttons
  ``Item 1`` … ``Item 200``;
- a menu bar with ``File`` holding ``New``.

``state["pressed"]`` counts presses by name. Commands: ``page n``, ``replace NAME``, ``rename NAME|NEW``, ``show NAME``,
``cover x|y|w|h`` (another window, with a button, there) and ``uncover``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from deskhand.platforms.base import Capability, ReadLimits
from deskhand.platforms.subject import PATIENCE, Subject, centre, pick, refusal_of, refused
from deskhand.types.nodes import Ability, Grid, Node, State, Window

FORGED = "OK r22, Delete"
SCRIPTS = "Spaß Привет 日本語 👍🏽 {}~^"
SECRET = "hunter2"
LISTS = ("listbox", "list")
"""What toolkits call a list of choices."""

Check = Callable[[Subject], Awaitable[None]]


# -- looking -----------------------------------------------------------------------------------------------------
async def a_window_is_listed_with_its_process_bounds_and_root(subject: Subject) -> None:
    """A window is listed with its process bounds and root."""
    window = await subject.window()
    assert window.pid > 0
    assert window.key
    assert not window.bounds.empty
    assert window.responsive


async def windows_are_listed_bottom_first(subject: Subject) -> None:
    """Windows are listed bottom first."""
    await subject.window()
    stacks = [each.stack for each in await subject.platform.windows()]
    assert stacks == sorted(stacks)
    assert len(set(stacks)) == len(stacks)


async def a_tree_has_its_root_first_and_parents_before_children(subject: Subject) -> None:
    """A tree has its root first and parents before children."""
    tree = await subject.tree()
    seen: set[str] = set()
    for key, node in tree.nodes.items():
        assert key == node.key
        assert node.parent in seen or key == tree.root, f"{node.role} {node.name!r} stands before its parent"
        seen.add(key)
    assert next(iter(tree.nodes)) == tree.root


async def parents_and_children_agree(subject: Subject) -> None:
    """Parents and children agree."""
    tree = await subject.tree()
    for node in tree.nodes.values():
        for child in node.children:  # what does not show may be listed, and is not read
            assert child not in tree.nodes or tree.nodes[child].parent == node.key
        if node.key != tree.root and node.parent is not None:
            assert node.key in tree.nodes[node.parent].children, f"{node.name!r} is not among its parent's children"
        assert node.child_count >= len(node.children)


async def what_does_not_show_is_read_only_when_asked_for(subject: Subject) -> None:
    """What does not show is read only when asked for."""
    await subject.find("button", "Save")
    assert pick(await subject.tree(), "button", "Hidden") is None
    everything = await subject.tree(ReadLimits(hidden=True))
    assert pick(everything, "menuitem", "New") is not None
    shown = [node for node in (await subject.tree()).nodes.values() if node.name == "New"]
    assert shown == []


async def states_tell_disabled_from_enabled(subject: Subject) -> None:
    """States tell disabled from enabled."""
    assert (await subject.find("button", "Disabled")).has(State.DISABLED)
    assert not (await subject.find("button", "Save")).has(State.DISABLED)


async def names_are_given_verbatim_however_hostile(subject: Subject) -> None:
    """Names are given verbatim however hostile."""
    assert (await subject.find("button", FORGED)).name == FORGED


async def a_cut_read_says_that_it_is_cut(subject: Subject) -> None:
    """A cut read says that it is cut."""
    whole = await subject.tree()
    cut = await subject.tree(ReadLimits(nodes=5))
    assert whole.complete, whole.notes
    assert len(cut.nodes) <= 5
    assert not cut.complete
    assert cut.notes


async def elements_are_read_again_by_key(subject: Subject) -> None:
    """Elements are read again by key."""
    button = await subject.find("button", "Save")
    again = await subject.platform.refresh([button.key])
    node = again[button.key]
    assert node is not None
    assert (node.key, node.role, node.name) == (button.key, button.role, button.name)


async def a_replaced_element_is_gone_and_its_successor_has_another_key(subject: Subject) -> None:
    """A replaced element is gone and its successor has another key."""
    old = await subject.find("button", "Replaced")
    await subject.application.command("replace Replaced")
    new = await subject.find("button", "Replaced")
    assert new.key != old.key
    assert (await subject.platform.refresh([old.key]))[old.key] is None
    await refused(subject.platform.do_action(old.key, old.actions[0]), "stale_ref")
    assert subject.application.state["pressed"].get("Replaced", 0) == 0


async def a_renamed_element_keeps_its_key(subject: Subject) -> None:
    """A renamed element keeps its key."""
    old = await subject.find("button", "Renamed")
    await subject.application.command("rename Renamed|Other")
    node = await subject.live(old.key, lambda node: node.name == "Other", "the new name")
    assert node.key == old.key


async def long_text_is_read_by_range(subject: Subject) -> None:
    """Long text is read by range."""
    await subject.application.command("page 1")
    field = await subject.find("textbox", "Notes")
    await subject.platform.set_text(field.key, "one\ntwo\nthree")
    await subject.application.until(lambda state: state.get("notes") == "one\ntwo\nthree", "the text")
    assert await subject.platform.text(field.key, 4, 7) == "two"
    assert await subject.platform.text(field.key, 8, -1) == "three"


async def the_text_of_a_password_is_never_read(subject: Subject) -> None:
    """The text of a password is never read."""
    field = await _into(subject, "Password")
    assert field.has(State.PROTECTED)
    await subject.platform.type_text(SECRET)
    await subject.application.until(lambda state: state.get("password") == SECRET, "the password")
    node = (await subject.platform.refresh([field.key]))[field.key]
    tree = await subject.tree(ReadLimits(hidden=True))
    assert node is not None
    assert node.text is None
    assert SECRET not in repr(node)
    assert SECRET not in repr(tree)
    await refused(subject.platform.text(field.key, 0, -1), "unsupported_action")


# -- points and pixels -------------------------------------------------------------------------------------------
async def bounds_lie_where_a_click_lands(subject: Subject) -> None:
    """Bounds lie where a click lands."""
    for name in ("Save", FORGED, "Delete"):
        await subject.click(centre(await subject.find("button", name)))
        await subject.application.until(_pressed(name), f"the press of {name!r}")
    assert all(subject.application.state["pressed"][name] == 1 for name in ("Save", FORGED, "Delete"))


async def the_pointer_is_where_it_was_moved(subject: Subject) -> None:
    """The pointer is where it was moved."""
    for name in ("Save", "Delete"):
        spot = centre(await subject.find("button", name))
        await subject.platform.move_pointer(*spot)
        assert await subject.platform.pointer() == spot


async def the_deepest_element_is_found_at_a_point(subject: Subject) -> None:
    """The deepest element is found at a point."""
    button = await subject.find("button", "Save")
    key = await subject.platform.at_point(*centre(button))
    assert key is not None
    tree = await subject.tree()
    chain = [key]
    while (node := tree.nodes.get(chain[-1])) is not None and node.parent is not None:
        chain.append(node.parent)
    assert button.key in chain


async def the_window_at_a_point_is_the_one_that_covers(subject: Subject) -> None:
    """The window at a point is the one that covers."""
    window = await subject.window()
    spot = centre(await subject.find("button", "Save"))
    assert await subject.platform.window_at(*spot) == window.key
    await subject.application.command(f"cover {spot.x - 30}|{spot.y - 20}|60|40")

    async def covered() -> bool | None:
        return await subject.platform.window_at(*spot) not in (window.key, None) or None

    await subject.eventually(covered, "the covering window")
    await subject.click(spot)
    await subject.application.until(_pressed("Cover button"), "the press of the covering window")
    assert subject.application.state["pressed"].get("Save", 0) == 0


async def a_capture_has_the_size_that_was_asked_for(subject: Subject) -> None:
    """A capture has the size that was asked for."""
    bounds = (await subject.find("button", "Save")).bounds
    picture = await subject.platform.capture(bounds)
    assert picture.bounds == bounds
    assert (picture.width, picture.height) == (round(bounds.w * picture.scale), round(bounds.h * picture.scale))
    assert len(picture.pixels) == 3 * picture.width * picture.height


# -- acting on elements ------------------------------------------------------------------------------------------
async def an_action_reaches_the_application(subject: Subject) -> None:
    """An action reaches the application."""
    button = await subject.find("button", "Save")
    assert button.can(Ability.ACTION)
    await subject.platform.do_action(button.key, button.actions[0])
    await subject.application.until(_pressed("Save"), "the press")
    assert subject.application.state["pressed"]["Save"] == 1


async def an_action_that_is_not_offered_is_refused(subject: Subject) -> None:
    """An action that is not offered is refused."""
    button = await subject.find("button", "Save")
    await refused(subject.platform.do_action(button.key, "no such action"), "unsupported_action")
    assert subject.application.state["pressed"].get("Save", 0) == 0


async def a_toggled_box_tells_its_state(subject: Subject) -> None:
    """A toggled box tells its state."""
    box = await subject.find("checkbox", "Wrap lines")
    assert not box.has(State.CHECKED)
    await _switch(subject, box)
    await subject.application.until(lambda state: state.get("check") is True, "the check mark")
    await subject.live(box.key, lambda node: node.has(State.CHECKED), "the state checked")


async def set_text_replaces_and_insert_text_inserts(subject: Subject) -> None:
    """Set text replaces and insert text inserts."""
    await subject.application.command("page 1")
    field = await subject.find("textbox", "Name")
    await subject.platform.set_text(field.key, SCRIPTS)
    await subject.application.until(lambda state: state["entry"] == SCRIPTS, "the text")
    await subject.platform.insert_text(field.key, -1, "!")
    await subject.application.until(lambda state: state["entry"] == SCRIPTS + "!", "the longer text")
    await subject.platform.insert_text(field.key, 0, ">")
    await subject.application.until(lambda state: state["entry"] == f">{SCRIPTS}!", "the longest text")


async def a_range_of_text_is_replaced(subject: Subject) -> None:
    """A range of text is replaced."""
    await subject.application.command("page 1")
    field = await subject.find("textbox", "Notes")
    await subject.platform.set_text(field.key, "one\ntwo\nthree")
    await subject.application.until(lambda state: state.get("notes") == "one\ntwo\nthree", "the text")
    await subject.platform.replace_text(field.key, 4, 7, SCRIPTS)
    await subject.application.until(lambda state: state.get("notes") == f"one\n{SCRIPTS}\nthree", "the new middle")
    await subject.platform.replace_text(field.key, 0, 4, "")
    await subject.application.until(lambda state: state.get("notes") == f"{SCRIPTS}\nthree", "the text without a line")


async def a_number_is_set_by_value(subject: Subject) -> None:
    """A number is set by value."""
    await subject.application.command("page 1")
    for role, name, key in (("spinbutton", "Copies", "spin"), ("slider", "Volume", "slider")):
        field = await subject.find(role, name)
        assert field.can(Ability.VALUE)
        await subject.platform.set_number(field.key, 42)
        await subject.application.until(lambda state, key=key: state[key] == 42, f"{name} at 42")  # type: ignore[misc]
        await subject.live(field.key, lambda node: node.number == 42, f"{name} reading 42")


async def an_item_is_selected_through_its_list(subject: Subject) -> None:
    """An item is selected through its list."""
    await subject.application.command("page 2")
    fruit = await subject.find(LISTS, "Fruit")
    assert fruit.can(Ability.SELECTION)
    await subject.platform.select_children(fruit.key, [1])
    await subject.application.until(lambda state: state.get("fruit") == "Banana", "the selection")


async def a_table_is_read_by_range(subject: Subject) -> None:
    """A table is read by range."""
    await subject.application.command("page 2")
    files = await subject.find("table", "Files")
    grid = await subject.platform.grid(files.key, (1, 0, 3, 2), ReadLimits())
    assert (grid.rows, grid.columns) == (3, 3)
    assert _texts(grid) == {(1, 0): "b.txt", (1, 1): "34", (2, 0): "c.txt", (2, 1): "56"}
    cell = await subject.platform.cell(files.key, 2, 1)
    assert "56" in (cell.text, cell.name)


async def focus_is_given_and_told(subject: Subject) -> None:
    """Focus is given and told."""
    await subject.application.command("page 1")
    field = await subject.find("textbox", "Notes")
    refusal = await refusal_of(subject.platform.focus(field.key))
    if refusal is not None:  # a toolkit may offer no way; then it is said, and the pointer gives the focus
        assert refusal.code == "unsupported_action"
        await subject.click(centre(field))

    async def focused() -> bool | None:
        node = await subject.platform.focused()
        return (node is not None and node.key == field.key) or None

    await subject.eventually(focused, "the focus")


# -- input -------------------------------------------------------------------------------------------------------
async def typed_text_arrives_exactly(subject: Subject) -> None:
    """Typed text arrives exactly."""
    await _into(subject)
    await subject.platform.press_chord("ctrl+a")
    await subject.platform.type_text(SCRIPTS)
    await subject.application.until(lambda state: state["entry"] == SCRIPTS, "the typed text")


async def caps_lock_bends_text_only_where_it_is_to(subject: Subject) -> None:
    """Caps Lock bends text only where it is to."""
    await _into(subject)
    await subject.platform.press_chord("ctrl+a")
    await subject.platform.press_chord("caps_lock")
    await subject.platform.type_text("ab")
    await subject.platform.type_text("cd", locked=True)
    await subject.platform.press_chord("caps_lock")
    await subject.platform.type_text("ef", locked=True)
    await subject.application.until(lambda state: state["entry"] == "abCDef", "capitals in the middle")


async def selected_text_is_typed_over(subject: Subject) -> None:
    """Selected text is typed over."""
    field = await _into(subject)
    await subject.platform.select_text(field.key, 0, 2)
    await subject.platform.type_text("X")
    await subject.application.until(lambda state: state["entry"] == "Xrst", "the replaced selection")


async def a_held_key_is_released(subject: Subject) -> None:
    """A held key is released."""
    await _into(subject)
    await subject.platform.press_chord("ctrl+a")
    await subject.platform.press_chord("shift", True)
    await subject.platform.release_all()
    await subject.platform.type_text("a")
    await subject.application.until(lambda state: state["entry"] == "a", "a small letter")


async def text_that_no_key_can_send_is_refused_before_the_first_key(subject: Subject) -> None:
    """Text that no key can send is refused before the first key."""
    await _into(subject)
    await refused(subject.platform.type_text("ab\x00c"), "unsendable_text")
    assert subject.application.state["entry"] == "first"


async def the_wheel_scrolls_and_bounds_follow(subject: Subject) -> None:
    """The wheel scrolls and bounds follow."""
    await subject.application.command("page 2")
    item = await subject.find("button", "Item 2")
    await subject.platform.move_pointer(*centre(item))
    await subject.platform.wheel(0, 2)
    await subject.application.until(lambda state: state.get("scrolled", 0) > 0, "scrolling")
    before = item.bounds
    assert before is not None
    await subject.live(item.key, lambda node: node.bounds is not None and node.bounds.y < before.y, "moved bounds")


async def an_open_menu_is_a_window_of_its_own(subject: Subject) -> None:
    """An open menu is a window of its own."""
    menu = await subject.find("menu", "File")
    known = {window.key for window in await subject.platform.windows()}
    await subject.click(centre(menu))

    async def opened() -> Window | None:
        return next((each for each in await subject.platform.windows() if each.key not in known), None)

    popup = await subject.eventually(opened, "the menu's window")
    assert popup.popup
    item = await subject.find("menuitem", "New")
    await subject.click(centre(item))
    await subject.application.until(_pressed("New"), "the choice")


async def the_clipboard_gives_back_what_it_was_given(subject: Subject) -> None:
    """The clipboard gives back what it was given."""
    await subject.platform.write_clipboard(SCRIPTS)
    assert await subject.platform.read_clipboard() == SCRIPTS


async def a_window_is_moved_and_its_elements_with_it(subject: Subject) -> None:
    """A window is moved and its elements with it."""
    window = await subject.window()
    before = window.frame or window.bounds
    goal = before.moved(37, 23)
    await subject.platform.window_operation(window.key, "move", goal)

    async def moved() -> bool | None:
        now = await subject.window()
        return (now.frame or now.bounds) == goal or None

    await subject.eventually(moved, "the moved window")
    await subject.click(centre(await subject.find("button", "Save")))
    await subject.application.until(_pressed("Save"), "the press at the new place")


# -- changes and bad days ----------------------------------------------------------------------------------------
async def every_change_is_announced(subject: Subject) -> None:
    """Every change is announced."""
    box = await subject.find("checkbox", "Wrap lines")
    await subject.platform.events.quiet(0.1, PATIENCE)
    serial = subject.platform.events.serial
    assert not await subject.platform.events.changed(serial, 0.05)
    await _switch(subject, box)
    assert await subject.platform.events.changed(serial, PATIENCE)
    assert await subject.platform.events.quiet(0.05, PATIENCE)


async def an_application_that_does_not_answer_costs_bounded_time(subject: Subject) -> None:
    """An application that does not answer costs bounded time."""
    button = await subject.find("button", "Save")
    root = (await subject.window()).root
    assert root is not None
    loop = asyncio.get_running_loop()
    subject.application.stop()
    try:
        began = loop.time()
        await refused(subject.platform.read(root, ReadLimits(seconds=1.0)), "app_unresponsive")
        await refused(subject.platform.refresh([button.key]), "app_unresponsive")
        listed = await subject.platform.windows()
        assert loop.time() - began < 2 * PATIENCE
        assert not next(each for each in listed if each.title == subject.title).responsive
    finally:
        subject.application.resume()
    assert await subject.find("button", "Save")


async def what_was_sent_to_a_stopped_application_is_unknown_and_done_at_most_once(subject: Subject) -> None:
    """What was sent to a stopped application is unknown and done at most once."""
    button = await subject.find("button", "Save")
    subject.application.stop()
    try:
        error = await refused(
            subject.platform.do_action(button.key, button.actions[0]), "outcome_unknown", "app_unresponsive"
        )
    finally:
        subject.application.resume()
    if error.code == "outcome_unknown":
        assert error.sent == "unknown"
    else:
        assert error.sent == "no"
    await subject.application.command("rename Renamed|Awake")
    assert subject.application.state["pressed"].get("Save", 0) <= (1 if error.sent == "unknown" else 0)


async def an_unknown_key_is_stale_and_an_unknown_window_is_gone(subject: Subject) -> None:
    """An unknown key is stale and an unknown window is gone."""
    await refused(subject.platform.read("no such key", ReadLimits()), "stale_ref", "window_gone")
    await refused(subject.platform.window_operation("no such window", "activate"), "window_gone")
    assert await subject.platform.refresh(["no such key"]) == {"no such key": None}


async def _switch(subject: Subject, box: Node) -> None:
    """By its action, or by a click where the toolkit offers none."""
    if box.actions:
        await subject.platform.do_action(box.key, box.actions[0])
    else:
        await subject.click(centre(box))


async def _into(subject: Subject, name: str = "Name") -> Node:
    await subject.application.command("page 1")
    field = await subject.find("textbox", name)
    await subject.click(centre(field))
    return await subject.live(field.key, lambda node: node.has(State.FOCUSED), "the focus")


def _pressed(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda state: bool(state["pressed"].get(name))


def _texts(grid: Grid) -> dict[tuple[int, int], str]:
    return {(cell.row, cell.column): cell.text for cell in grid.cells}


CHECKS: dict[Check, Capability] = {
    a_window_is_listed_with_its_process_bounds_and_root: Capability.TREE,
    windows_are_listed_bottom_first: Capability.STACKING,
    a_tree_has_its_root_first_and_parents_before_children: Capability.TREE,
    parents_and_children_agree: Capability.TREE,
    what_does_not_show_is_read_only_when_asked_for: Capability.TREE,
    states_tell_disabled_from_enabled: Capability.TREE,
    names_are_given_verbatim_however_hostile: Capability.TREE,
    a_cut_read_says_that_it_is_cut: Capability.TREE,
    elements_are_read_again_by_key: Capability.TREE,
    a_replaced_element_is_gone_and_its_successor_has_another_key: Capability.TREE,
    a_renamed_element_keeps_its_key: Capability.TREE,
    long_text_is_read_by_range: Capability.TREE,
    the_text_of_a_password_is_never_read: Capability.KEYBOARD,
    bounds_lie_where_a_click_lands: Capability.POINTER,
    the_pointer_is_where_it_was_moved: Capability.POINTER,
    the_deepest_element_is_found_at_a_point: Capability.TREE,
    the_window_at_a_point_is_the_one_that_covers: Capability.POINTER | Capability.STACKING,
    a_capture_has_the_size_that_was_asked_for: Capability.CAPTURE,
    an_action_reaches_the_application: Capability.TREE,
    an_action_that_is_not_offered_is_refused: Capability.TREE,
    a_toggled_box_tells_its_state: Capability.TREE,
    set_text_replaces_and_insert_text_inserts: Capability.TREE,
    a_range_of_text_is_replaced: Capability.TREE,
    a_number_is_set_by_value: Capability.TREE,
    an_item_is_selected_through_its_list: Capability.TREE,
    a_table_is_read_by_range: Capability.TREE,
    focus_is_given_and_told: Capability.TREE,
    typed_text_arrives_exactly: Capability.KEYBOARD,
    caps_lock_bends_text_only_where_it_is_to: Capability.KEYBOARD,
    selected_text_is_typed_over: Capability.KEYBOARD,
    a_held_key_is_released: Capability.KEYBOARD,
    text_that_no_key_can_send_is_refused_before_the_first_key: Capability.KEYBOARD,
    the_wheel_scrolls_and_bounds_follow: Capability.POINTER,
    an_open_menu_is_a_window_of_its_own: Capability.POINTER | Capability.STACKING,
    the_clipboard_gives_back_what_it_was_given: Capability.CLIPBOARD,
    a_window_is_moved_and_its_elements_with_it: Capability.WINDOW_OPS | Capability.POINTER,
    every_change_is_announced: Capability.EVENTS,
    an_application_that_does_not_answer_costs_bounded_time: Capability.TREE,
    what_was_sent_to_a_stopped_application_is_unknown_and_done_at_most_once: Capability.TREE,
    an_unknown_key_is_stale_and_an_unknown_window_is_gone: Capability.TREE,
}
"""Every check with what a platform must be capable of for it to apply."""
