"""Keys of every kind, struck and held, on layouts that have them and on layouts that do not."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11 import keysyms
from deskhand.types.geometry import Rect
from tests.apps.journals import Journal, journal
from tests.apps.x11_rig import Rig, eventually, rig

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]

KEYPAD = [f"kp_{digit}" for digit in range(10)]
KEYPAD += ["kp_enter", "kp_add", "kp_subtract", "kp_multiply", "kp_divide", "kp_decimal", "kp_equal", "kp_separator"]
MEDIA = [
    "volumeup", "volumedown", "mute", "playpause", "MediaTrackNext", "MediaTrackPrevious", "MediaStop",
    "BrightnessUp", "BrightnessDown", "XF86AudioMicMute", "BrowserBack", "XF86Calculator",
]  # fmt: skip
LOCKS = ["CapsLock", "NumLock", "Scroll_Lock"]
FUNCTIONS = [f"F{number}" for number in range(1, 25)]
SIDES = ["ctrl_l", "ControlRight", "Shift_L", "ShiftRight", "alt", "super", "MetaRight", "altgr"]
OTHERS = ["Page_Down", "Prior", "PrintScreen", "ContextMenu", "Pause", "Insert", "Help", "Undo", "é", "本", "ß", "a"]
ALL = [*KEYPAD, *MEDIA, *LOCKS, *FUNCTIONS, *SIDES, *OTHERS]
BORROWED = ["XF86AudioMedia", "本", "F24", "kp_separator"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[tuple[Rig, Journal]]:
    """Hands, and a window with the focus that journals its keys."""
    async with rig(isolated_desktop) as hands:
        place = Rect(50, 60, 300, 200)
        async with journal(isolated_desktop.environment, "Keys", place, focus=True) as window:
            yield hands, window


async def reached(window: Journal, kind: str, symbol: int) -> None:
    """Wait until the window got this key, and no other one's press after it."""
    seen: list[tuple[str, int]] = []

    async def look() -> bool:
        seen.extend((event.kind, event.symbol) for event in await window.read())
        return (kind, symbol) in seen

    await eventually(look, f"{kind} of {symbol:#x}; seen {seen}", 3.0)


def meant(name: str) -> set[int]:
    """What the window may read: a layout may give a modifier by the name of what it does there."""
    symbol = keysyms.key_named(name)
    return {symbol, 0xFFEA, 0xFE03} if symbol in (0xFFEA, 0xFE03) else {symbol}


@pytest.mark.proves("B2", "report-12")
@pytest.mark.parametrize("layout", ["us", "de"])
async def test_every_key_is_struck_and_nothing_stays(made: tuple[Rig, Journal], layout: str) -> None:
    hands, window = made
    hands.layout(layout)
    before = hands.keyboard_map()
    missed = []
    for name in ALL:
        await window.read()
        for _ in range(2 if name in LOCKS else 1):
            await hands.hands.chord(name)
        events = await window.read()
        pressed = [event.symbol for event in events if event.kind == "key_press"]
        if not meant(name) & set(pressed):
            missed.append((name, [hex(symbol) for symbol in pressed]))
    assert missed == []
    assert hands.keys_down() == []
    assert hands.keyboard_map() == before


@pytest.mark.proves("B2", "report-13")
@pytest.mark.parametrize("layout", ["us", "de"])
async def test_every_key_can_be_held_and_let_go(made: tuple[Rig, Journal], layout: str) -> None:
    hands, window = made
    hands.layout(layout)
    before = hands.keyboard_map()
    for name in [*BORROWED, "kp_5", "F13", "volumeup", "a", "ShiftRight", "ctrl+volumeup"]:
        symbol = keysyms.key_named(name.rpartition("+")[2])
        await window.read()
        await hands.hands.chord(name, down=True)
        await reached(window, "key_press", symbol)
        assert hands.keys_down() != [], name
        await hands.hands.chord(name, down=False)
        await reached(window, "key_release", symbol)
        assert hands.keys_down() == [], name
        assert hands.keyboard_map() == before, name


@pytest.mark.proves("B2", "report-13")
async def test_a_borrowed_key_stays_what_it_is_while_others_are_typed_and_all_comes_back(
    made: tuple[Rig, Journal],
) -> None:
    hands, window = made
    hands.layout("us")
    before = hands.keyboard_map()
    await window.read()
    await hands.hands.chord("本", down=True)
    await hands.hands.chord("é")
    await hands.hands.type_text("ñ")
    await hands.hands.chord("語", down=True)
    pressed = [event.symbol for event in await window.read() if event.kind == "key_press"]
    assert [symbol for number, symbol in enumerate(pressed) if symbol not in pressed[:number]] == [
        0x0100672C, 0xE9, 0xF1, 0x01008A9E,
    ]  # fmt: skip
    assert len(hands.keys_down()) == 2
    assert hands.keyboard_map() != before
    await hands.hands.release_all()
    assert hands.keys_down() == []
    assert hands.keyboard_map() == before
