"""2,000 characters of all scripts by keystrokes alone, in three toolkits, on any layout, in any state of the keyboard.

How long it took is printed (``pytest -s``).
"""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.keysyms import mistaken
from deskhand.platforms.linux.x11.layout import BATCH
from deskhand.types.texts import sendable
from tests.apps.text_fields import TOOLKITS, TextField, mixed_text, text_field
from tests.apps.x11_rig import SYSTEM_PYTHON, Rig, eventually, rig

pytestmark = [pytest.mark.apps]

LAYOUTS = {"us": 0, "de": 0, "fr": 0, "ru": 0, "us,ru": 1}
"""Layouts, with the group that is locked."""

CAPS = {"gtk3": ((False, True), (False, True)), "gtk4": ((True,), (False,)), "qt6": ((False,), (True,))}
"""CapsLock off and on; in two toolkits, to save time, by turns."""

_LOCK_GROUP = """
import ctypes, sys
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))
x11.XkbLockGroup(display, 0x100, int(sys.argv[1]))
x11.XSync(display, 0)
"""
_STATE = """
import ctypes
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
state = (ctypes.c_ubyte * 18)()
x11.XkbGetState(ctypes.c_void_p(x11.XOpenDisplay(None)), 0x100, state)
print(*state[:2], *state[8:12])
"""


@pytest.fixture
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(isolated_desktop) as one:
        yield one


@pytest.fixture(params=TOOLKITS)
async def field(made: Rig, request: pytest.FixtureRequest) -> AsyncIterator[TextField]:
    async with text_field(made, request.param) as started:
        yield started


def arrange(made: Rig, layout: str, group: int) -> None:
    made.layout(layout)
    made.run(SYSTEM_PYTHON, "-c", _LOCK_GROUP, str(group))


def keyboard(made: Rig) -> tuple[str, str, str]:
    """Map, core modifier map, and the group and modifiers in force: nothing of it may differ afterwards."""
    modifiers = made.witness("[list(row) for row in server.get_modifier_mapping()]")
    return made.keyboard_map(), modifiers, made.run(SYSTEM_PYTHON, "-c", _STATE)


@pytest.mark.proves("A9", "report-12", "report-39")
async def test_two_thousand_characters_arrive_exactly_by_keystrokes(field: TextField) -> None:
    text = mixed_text()
    for number, (layout, group) in enumerate(LAYOUTS.items()):
        for caps in CAPS[field.toolkit][number % 2]:
            arrange(field.rig, layout, group)
            if caps:
                await field.rig.hands.chord("CapsLock")
            before, began = keyboard(field.rig), time.monotonic()

            await field.rig.hands.type_text(text)

            print(f"{layout} group {group + 1} caps {caps}: {len(text)} characters in {time.monotonic() - began:.2f} s")
            assert await field.text() == text, (layout, caps)
            assert keyboard(field.rig) == before, (layout, caps)
            assert field.rig.keys_down() == []
            if caps:
                await field.rig.hands.chord("CapsLock")
            await field.clear()


TYPABLE = st.characters().filter(
    lambda one: sendable(one) and not mistaken(one) and unicodedata.category(one) != "Cn" and one not in "\u2028\u2029"
)


@pytest.mark.proves("A9", "report-12")
async def test_any_text_at_all_arrives_exactly(field: TextField) -> None:
    loop = asyncio.get_running_loop()

    @settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.text(st.one_of(TYPABLE, st.sampled_from("ab^`´~¨ß\n\t ")), max_size=60), st.sampled_from(list(LAYOUTS)))
    def arrives(text: str, layout: str) -> None:
        assert asyncio.run_coroutine_threadsafe(_typed(field, layout, text), loop).result(30) == text

    await asyncio.to_thread(arrives)


async def _typed(field: TextField, layout: str, text: str) -> str:
    await asyncio.to_thread(arrange, field.rig, layout, LAYOUTS[layout])
    await field.clear()
    await field.rig.hands.type_text(text)
    return await field.text()


@pytest.mark.proves("A9", "report-12")
@pytest.mark.parametrize("option", ["caps:shiftlock", "caps:internal", "numpad:mac", "shift:both_capslock"])
async def test_locks_of_all_kinds_change_nothing_and_stay(made: Rig, option: str) -> None:
    text = "Ab 12 Привет ß 日本 ^~"
    async with text_field(made, "gtk3") as field:
        made.run("setxkbmap", "-layout", "us", "-option", "", "-option", option)
        await made.hands.chord("CapsLock")
        await made.hands.chord("NumLock")
        before = keyboard(made)
        try:
            await made.hands.type_text(text)
            assert await field.text() == text
            assert keyboard(made) == before
        finally:
            await made.hands.chord("NumLock")
            await made.hands.chord("CapsLock")
            made.run("setxkbmap", "-layout", "us", "-option", "")


@pytest.mark.proves("A9", "report-13")
@pytest.mark.parametrize("key", ["Shift_L", "ISO_Level3_Shift", "Control_L", "x"])
async def test_a_key_that_somebody_else_holds_does_not_bend_the_text(made: Rig, key: str) -> None:
    made.layout("de")
    text = "abxX {äÖ} 日本 x"
    async with text_field(made, "gtk3") as field:
        made.witness(_PRESS.format(key=key))
        await eventually(lambda: len(made.keys_down()) == 1, "somebody else holds a key")

        await made.hands.type_text(text)

        typed = await field.text()
        assert typed.lstrip("x") == text  # what the held key itself had typed stands before it


_PRESS = (
    "(__import__('Xlib.ext.xtest', fromlist=['*']).fake_input(server, X.KeyPress, server.keysym_to_keycode("
    "__import__('Xlib.XK', fromlist=['*']).string_to_keysym('{key}') or 0xfe03)), server.sync())[1]"
)


@pytest.mark.proves("A9")
async def test_a_layout_that_changes_under_a_text_bends_only_what_the_application_had_not_read(made: Rig) -> None:
    text = "qwertz Ünder ^ 日本 [] " * 80
    async with text_field(made, "gtk3") as field:
        arrange(made, "us,ru", 0)
        typing = asyncio.ensure_future(made.hands.type_text(text))

        async def half() -> bool:
            return len(await field.text()) > 500

        await eventually(half, "a part of the text")
        await asyncio.to_thread(made.layout, "fr")
        await typing

        typed = await field.text()
        assert _alike(typed, text) + _alike(typed[::-1], text[::-1]) >= len(text) - BATCH
        assert made.keyboard_map() == _fresh(made, "fr")


def _fresh(made: Rig, layout: str) -> str:
    made.layout(layout)
    return made.keyboard_map()


def _alike(one: str, other: str) -> int:
    """Characters until the first difference."""
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
