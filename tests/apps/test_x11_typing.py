"""Exact text on any layout, nothing stuck, the keyboard map as it was: on a real Mousepad, read back by pyatspi."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.input import restore_keymap
from deskhand.types.errors import DeskhandError
from tests.apps.x11_rig import Editor, eventually, mousepad, rig
from tests.tap import EventTap

pytestmark = [pytest.mark.apps]

GREETINGS = "Привет Spaß 日本語 👍🏽"
ALL_SORTS = GREETINGS + " e\u0301 ^`´~@#{}[]|\\ €àéçÀÜ \t<>?/\nline 2: ΑΩ άώ שלום مرحبا ไทย ﷽ 👩\u200d👩\u200d👧 ½ “x”"


@pytest.fixture
async def editor(isolated_desktop: NestedDesktop) -> AsyncIterator[Editor]:
    async with rig(isolated_desktop) as made, mousepad(made) as started:
        yield started


@pytest.mark.proves("A9", "report-12", "report-39")
@pytest.mark.parametrize("layout", ["us", "de", "fr", "ru", "us,ru"])
async def test_any_text_arrives_exactly_on_any_layout(editor: Editor, layout: str) -> None:
    editor.rig.layout(layout)
    before = editor.rig.keyboard_map()

    await editor.rig.hands.type_text(ALL_SORTS)

    assert editor.text() == ALL_SORTS
    assert editor.rig.keyboard_map() == before
    assert editor.rig.keys_down() == []


@pytest.mark.proves("A9", "report-12")
async def test_long_chinese_text_with_more_characters_than_spare_keys_arrives_exactly(editor: Editor) -> None:
    text = "".join(chr(0x4E00 + 7 * number) for number in range(400)) * 2

    await editor.rig.hands.type_text(text)

    assert editor.text() == text


@pytest.mark.proves("A9")
async def test_caps_lock_changes_nothing_and_stays_on(editor: Editor) -> None:
    await editor.rig.hands.chord("CapsLock")

    await editor.rig.hands.type_text("Ab Привет ß")
    locked = _led(editor, 1)
    await editor.rig.hands.chord("CapsLock")

    assert editor.text() == "Ab Привет ß"
    assert locked
    assert not _led(editor, 1)


@pytest.mark.proves("A9")
async def test_a_held_modifier_does_not_bend_the_text_and_is_held_afterwards(editor: Editor) -> None:
    await editor.rig.hands.chord("shift", down=True)
    await editor.rig.hands.type_text("abc 日本")
    shift = editor.rig.keys_down()
    await editor.rig.hands.release_all()

    assert editor.text() == "abc 日本"
    assert len(shift) == 1
    assert editor.rig.keys_down() == []


@pytest.mark.proves("A9", "report-12")
@pytest.mark.parametrize("text", ["good\x07", "\ud800", "a\x00b", "\x1b[2J", "\ufffe", "lone\rreturn"])
async def test_what_no_key_can_type_is_refused_before_the_first_key(editor: Editor, text: str) -> None:
    with EventTap(editor.rig.desktop.environment) as tap:
        mark = tap.mark()
        with pytest.raises(DeskhandError) as refused:
            await editor.rig.hands.type_text(text)
        assert tap.since(mark) == []
    assert (refused.value.code, refused.value.sent) == ("unsendable_text", "no")


@pytest.mark.proves("A6")
@pytest.mark.parametrize("keys", ["ctrl+nonsense", "hyperspace+s", "", "ctrl+", "Retrun"])
async def test_an_unknown_chord_is_refused_before_anything_is_sent(editor: Editor, keys: str) -> None:
    with EventTap(editor.rig.desktop.environment) as tap:
        mark = tap.mark()
        with pytest.raises(DeskhandError) as refused:
            await editor.rig.hands.chord(keys)
        assert tap.since(mark) == []
    assert (refused.value.code, refused.value.sent) == ("invalid_request", "no")


@pytest.mark.proves("report-12")
@pytest.mark.parametrize("layout", ["us", "ru", "fr"])
async def test_chords_mean_the_same_on_a_layout_without_latin_letters(editor: Editor, layout: str) -> None:
    editor.rig.layout(layout)
    before = editor.rig.keyboard_map()
    await editor.rig.hands.type_text("один two")

    await editor.rig.hands.chord("ctrl+a")
    await editor.rig.hands.chord("ctrl+x")
    await eventually(lambda: editor.text() == "", "cut away")
    await editor.rig.hands.chord("Ctrl+V")
    await editor.rig.hands.chord("ctrl+v")

    await eventually(lambda: editor.text() == "один two" * 2, "pasted twice")
    assert editor.rig.keyboard_map() == before


@pytest.mark.proves("report-13", "report-39")
async def test_cancelling_in_mid_text_leaves_no_key_down_and_the_map_as_it_was(editor: Editor) -> None:
    before = editor.rig.keyboard_map()
    text = "".join(chr(0x4E00 + number) for number in range(2000)) + "ABCDEF" * 500

    with EventTap(editor.rig.desktop.environment) as tap:
        mark = tap.mark()
        typing = asyncio.ensure_future(editor.rig.hands.type_text(text))
        await eventually(lambda: len(tap.since(mark)) > 50, "typing is under way")
        typing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await typing
        sent = tap.since(mark)
        pressed, released = (
            sorted(event.detail for event in sent if event.kind == kind) for kind in ("key_press", "key_release")
        )

    assert pressed == released
    assert 0 < len(pressed) < len(text)
    assert editor.rig.keys_down() == []
    assert editor.rig.keyboard_map() == before
    assert text.startswith(editor.text())


@pytest.mark.proves("report-13")
async def test_releasing_everything_stops_what_is_being_typed(editor: Editor) -> None:
    before, text = editor.rig.keyboard_map(), "not to the end. 日本語 " * 500
    with EventTap(editor.rig.desktop.environment) as tap:
        mark = tap.mark()
        typing = asyncio.ensure_future(editor.rig.hands.type_text(text))
        await eventually(lambda: len(tap.since(mark)) > 50, "typing is under way")
        await editor.rig.hands.release_all()
        with pytest.raises(DeskhandError) as stopped:
            await typing

    assert (stopped.value.code, stopped.value.sent) == ("cancelled", "yes")
    assert editor.rig.keys_down() == []
    assert editor.rig.keyboard_map() == before
    assert text.startswith(editor.text())


@pytest.mark.proves("report-13", "report-39")
async def test_a_keyboard_map_left_by_a_killed_typist_is_healed_from_its_note(editor: Editor, tmp_path: Path) -> None:
    before, note = editor.rig.keyboard_map(), tmp_path / "debts.json"
    async with typist(editor, note, _TYPES_FOR_EVER):
        await eventually(lambda: len(editor.text()) > 20, "the other process types")
    assert editor.rig.keyboard_map() != before

    await restore_keymap(editor.rig.thread, note.read_text())

    assert editor.rig.keyboard_map() == before
    assert editor.rig.keys_down() == []


@pytest.mark.proves("report-13", "report-39")
async def test_keys_left_down_by_a_killed_typist_are_released_from_its_note(editor: Editor, tmp_path: Path) -> None:
    note = tmp_path / "debts.json"
    async with typist(editor, note, _HOLDS_FOR_EVER):
        await eventually(lambda: len(editor.rig.keys_down()) == 2, "the other process holds two keys")
    assert len(editor.rig.keys_down()) == 2

    await restore_keymap(editor.rig.thread, note.read_text())

    assert editor.rig.keys_down() == []


@asynccontextmanager
async def typist(editor: Editor, note: Path, deed: str) -> AsyncIterator[None]:
    """Another process at the keyboard, killed at the end as it stands."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _TYPIST + deed, editor.rig.display, str(note), env=dict(editor.rig.desktop.environment)
    )
    try:
        yield
    finally:
        running.send_signal(signal.SIGKILL)
        await running.wait()


_TYPIST = """
import asyncio, os, sys
from deskhand.platforms.linux.x11.connection import XThread
from deskhand.platforms.linux.x11.input import InputDevice
def keep(line):
    with open(sys.argv[2] + ".new", "w") as file:
        file.write(line)
    os.replace(sys.argv[2] + ".new", sys.argv[2])
hands = InputDevice(XThread(sys.argv[1]), keep)
"""
_TYPES_FOR_EVER = """
async def main():
    while True:
        await hands.type_text("".join(chr(0x4E00 + number) for number in range(3000)))
asyncio.run(main())
"""
_HOLDS_FOR_EVER = """
async def main():
    await hands.chord("ctrl+shift", down=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


@pytest.mark.proves("report-21", "A6")
async def test_an_application_that_does_not_answer_gets_no_key(editor: Editor) -> None:
    os.kill(editor.pid, signal.SIGSTOP)
    try:
        with EventTap(editor.rig.desktop.environment) as tap:
            mark, began = tap.mark(), time.monotonic()
            with pytest.raises(DeskhandError) as refused:
                await editor.rig.hands.type_text("for nobody")
            assert tap.since(mark) == []
    finally:
        os.kill(editor.pid, signal.SIGCONT)

    assert (refused.value.code, refused.value.sent) == ("app_unresponsive", "no")
    assert time.monotonic() - began < 10
    assert editor.text() == ""


@pytest.mark.proves("report-34", "A6")
async def test_not_one_key_lands_in_a_window_that_takes_the_focus_meanwhile(editor: Editor) -> None:
    text = "all of this is for the first window. " * 200
    async with mousepad(editor.rig) as other:
        await editor.activate()
        typing = asyncio.ensure_future(editor.rig.hands.type_text(text))
        with EventTap(editor.rig.desktop.environment) as tap:
            mark = tap.mark()
            await eventually(lambda: len(tap.since(mark)) > 20, "typing is under way")
        editor.rig.run(sys.executable, "-c", _STEAL_FOCUS, editor.rig.display, str(other.surface.xid))
        with pytest.raises(DeskhandError) as stopped:
            await typing
        assert other.text() == ""

    assert (stopped.value.code, stopped.value.sent) == ("focus_lost", "yes")
    typed = editor.text()
    assert 0 < len(typed) < len(text)
    assert text.startswith(typed)


_STEAL_FOCUS = """
import sys
from Xlib import X, display
server = display.Display(sys.argv[1])
server.create_resource_object("window", int(sys.argv[2])).set_input_focus(X.RevertToParent, X.CurrentTime)
server.sync()
"""


@pytest.mark.proves("A6")
async def test_text_is_refused_when_no_window_has_the_focus(isolated_desktop: NestedDesktop) -> None:
    async with rig(isolated_desktop) as made:
        async with mousepad(made):
            pass
        with EventTap(made.desktop.environment) as tap:
            mark = tap.mark()
            with pytest.raises(DeskhandError) as refused:
                await made.hands.type_text("into the void")
            assert tap.since(mark) == []
    assert (refused.value.code, refused.value.sent) == ("focus_lost", "no")


@pytest.mark.proves("report-13")
async def test_release_all_lets_go_of_every_key_and_button(editor: Editor) -> None:
    hands = editor.rig.hands
    await hands.move(*editor.surface.bounds.centre)
    with EventTap(editor.rig.desktop.environment) as tap:
        mark = tap.mark()
        await hands.chord("ctrl+shift", down=True)
        await hands.button("left", True)
        assert len(hands.held()) == 3
        await hands.release_all()
        kinds = [(event.kind, event.detail) for event in tap.since(mark)]

    assert hands.held() == ()
    assert editor.rig.keys_down() == []
    assert len([kind for kind, _ in kinds if kind.endswith("press")]) == 3
    assert len([kind for kind, _ in kinds if kind.endswith("release")]) == 3


async def test_the_wheel_turns_by_notches_in_all_directions(editor: Editor) -> None:
    await editor.rig.hands.move(*editor.surface.bounds.centre)
    with EventTap(editor.rig.desktop.environment) as tap:
        mark = tap.mark()
        await editor.rig.hands.wheel(1, 2)
        await editor.rig.hands.wheel(-1, -1)
        turned = [event.detail for event in tap.since(mark) if event.kind == "button_press"]

    assert sorted(turned) == [4, 5, 5, 6, 7]


def _led(editor: Editor, number: int) -> bool:
    return bool(int(editor.rig.witness("server.get_keyboard_control().led_mask")) & number)
