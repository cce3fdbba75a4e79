"""Characters to keysyms, names to keys, text to keystrokes: without a display."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.platforms.linux.x11 import keysyms
from deskhand.platforms.linux.x11.keyboard import Debts
from deskhand.platforms.linux.x11.layout import BATCH, Batch, Layout, chord
from deskhand.platforms.linux.x11.xkb import NUM_LOCK_MASK, Key, Keymap, KeyType
from deskhand.types.errors import DeskhandError
from deskhand.types.keynames import sequence
from deskhand.types.texts import sendable

SHIFT, SHIFT_CODE, ALTGR_CODE = 0x01, 50, 108
ONE = KeyType(0, {0: (0,)})
TWO = KeyType(SHIFT, {0: (0,), 1: (SHIFT,)})
FOUR = KeyType(SHIFT | 0x80, {0: (0,), 1: (SHIFT,), 2: (0x80,), 3: (SHIFT | 0x80,)})
SPARE_CODES = (90, 93, 97)


def layout(*rows: tuple[int, tuple[int, ...]]) -> Layout:
    """A small keyboard: given keys, both shifts, Return, Tab and three spare codes."""
    fixed = (
        (SHIFT_CODE, (0xFFE1,)), (ALTGR_CODE, (0xFE03,)), (37, (0xFFE3,)), (36, (0xFF0D,)), (23, (0xFF09,)),
    )  # fmt: skip
    types = {1: 0, 2: 1, 4: 2}
    keys = {code: Key(code, (symbols,), (types[len(symbols)],), 0) for code, symbols in (*fixed, *rows)}
    keys |= {code: Key(code, (), (), 0) for code in SPARE_CODES}
    return Layout(Keymap(keys, (ONE, TWO, FOUR), {SHIFT_CODE: SHIFT, ALTGR_CODE: 0x80, 37: 0x04}), 0)


GERMAN = ((38, (ord("a"), ord("A"))), (24, (ord("q"), ord("Q"), ord("@"), 0x07D9)), (20, (0xDF, ord("?"))))


def typed(plan: list[Batch], board: Layout) -> str:
    """What a client would read: each stroke by the map in force in its batch."""
    said = []
    by_stroke = {stroke: character for character, stroke in board.characters.items()}
    for batch in plan:
        for stroke in batch.strokes:
            symbol = batch.borrow.get(stroke.code)
            if symbol is None and stroke.code in (36, 23):
                symbol = 0
                said.append("\n" if stroke.code == 36 else "\t")
            elif symbol is None:
                said.append(by_stroke[stroke])
            else:
                said.append(keysyms.character_of(symbol) or "?")
    return "".join(said)


@pytest.mark.proves("A9")
@given(st.text().filter(lambda text: all(sendable(character) for character in text)))
def test_any_sendable_text_is_planned_exactly(text: str) -> None:
    board = layout(*GERMAN)
    plan = board.batches(text)
    assert typed(plan, board) == text
    assert all(len(batch.strokes) <= BATCH and len(batch.borrow) <= len(SPARE_CODES) for batch in plan)


@pytest.mark.proves("A9")
@given(st.characters(exclude_categories=("Cc", "Cs", "Cn")))
def test_a_character_and_its_keysym_are_the_same_thing(character: str) -> None:
    assert keysyms.character_of(keysyms.symbol_of(character)) == character


@pytest.mark.proves("A9", "report-12")
@pytest.mark.parametrize("character", ["\0", "\x07", "\x1b", "\r", "\x7f", "\x85", "\ud800", "\ufffe", "\U0010ffff"])
def test_what_no_key_types_is_unsendable(character: str) -> None:
    assert not sendable(character)
    with pytest.raises(DeskhandError) as refused:
        layout(*GERMAN).batches("fine " + character)
    assert refused.value.code == "unsendable_text"


@pytest.mark.proves("A9")
def test_own_keys_are_used_with_their_modifiers_and_nothing_is_borrowed() -> None:
    (batch,) = layout(*GERMAN).batches("aA@ß\n\t")
    assert not batch.borrow
    assert [(stroke.code, stroke.holding) for stroke in batch.strokes] == [
        (38, ()), (38, (SHIFT_CODE,)), (24, (ALTGR_CODE,)), (20, ()), (36, ()), (23, ()),
    ]  # fmt: skip


@pytest.mark.proves("B2")
@pytest.mark.parametrize(("numbers", "there"), [(True, "kp_7"), (False, "kp_home")])
def test_a_key_of_the_keypad_is_pressed_as_num_lock_stands_and_borrowed_otherwise(numbers: bool, there: str) -> None:
    pad = KeyType(NUM_LOCK_MASK | SHIFT, {0: (0,), 1: (NUM_LOCK_MASK,)})
    keys = {79: Key(79, ((0xFF95, 0xFFB7),), (0,), 0), **{code: Key(code, (), (), 0) for code in SPARE_CODES}}
    board = Layout(Keymap(keys, (pad,), {}), 0, numbers)
    for name in ("kp_7", "kp_home"):
        made = chord(name, board)
        borrowed = {SPARE_CODES[0]: keysyms.key_named(name)}
        assert (made.codes, made.borrow) == (((79,), {}) if name == there else ((SPARE_CODES[0],), borrowed))


@pytest.mark.proves("A9")
def test_a_keyboard_without_spare_keys_refuses_foreign_text_only() -> None:
    board = layout(*GERMAN)
    full = Keymap({c: k for c, k in board.keymap.keys.items() if c not in SPARE_CODES}, (ONE, TWO, FOUR), {})
    bare = Layout(full, 0)
    assert bare.batches("a")
    with pytest.raises(DeskhandError) as refused:
        bare.batches("a日")
    assert refused.value.code == "unsendable_text"


@pytest.mark.parametrize(
    ("symbol", "character"),
    [
        (0x06C1, "а"), (0x06E1, "А"), (0x06A3, "ё"), (0x06B3, "Ё"), (0x06DD, "щ"), (0x06B4, "Є"), (0x06AD, "ґ"),
        (0x07E1, "α"), (0x07C1, "Α"), (0x07F3, "ς"), (0x07F2, "σ"), (0x07D2, "Σ"), (0x07B1, "ά"),
        (0x01B1, "ą"), (0x01E6, "ć"), (0x02A1, "Ħ"), (0x0CE0, "א"), (0x0DA1, "ก"), (0x05C7, "ا"),
        (0x20AC, "€"), (0x13BD, "œ"), (0x0AD2, "“"), (0x01000431, "б"), (0xE4, "ä"),
    ],
)  # fmt: skip
def test_the_keysyms_of_real_layouts_are_known(symbol: int, character: str) -> None:
    assert keysyms.character_of(symbol) == character


@pytest.mark.parametrize("symbol", [0xFF0D, 0xFE50, 0xFE51, 0xFFE1, 0xFFB5, 0, 0x1008FF13])
def test_function_dead_and_keypad_keys_are_no_characters(symbol: int) -> None:
    assert keysyms.character_of(symbol) is None


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("Return", 0xFF0D), ("Enter", 0xFF0D), ("enter", 0xFF0D), ("Esc", 0xFF1B), ("Escape", 0xFF1B), ("Tab", 0xFF09),
        ("F5", 0xFFC2), ("f12", 0xFFC9), ("PageDown", 0xFF56), ("page_up", 0xFF55), ("Up", 0xFF52),
        ("ArrowLeft", 0xFF51),
        ("plus", ord("+")), ("minus", ord("-")), ("+", ord("+")), ("kp_7", 0xFFB7), ("KP_Add", 0xFFAB),
        ("kp_enter", 0xFF8D),
        ("space", 0x20), ("Delete", 0xFFFF), ("BackSpace", 0xFF08), ("Backspace", 0xFF08), ("home", 0xFF50),
        ("s", ord("s")),
        ("ß", 0xDF), ("日", 0x010065E5), ("Menu", 0xFF67), ("ctrl", 0xFFE3), ("win", 0xFFEB), ("altgr", 0xFE03),
        ("XF86AudioPlay", 0x1008FF14), ("MediaPlayPause", 0x1008FF14), ("volumeup", 0x1008FF13),
        ("XF86Back", 0x1008FF26),
        ("numpad0", 0xFFB0), ("NumpadEnter", 0xFF8D), ("num_7", 0xFFB7), ("kp_page_up", 0xFF9A), ("NumLock", 0xFF7F),
        ("scroll_lock", 0xFF14), ("F24", 0xFFD5), ("ISO_Left_Tab", 0xFE20),
    ],
)  # fmt: skip
def test_keys_are_known_by_the_names_people_give_them(name: str, symbol: int) -> None:
    assert keysyms.key_named(name) == symbol


@pytest.mark.parametrize(
    "name", ["Retrun", "F99", "", "kp_", "hyperspace", "\x07", "NoSymbol", "VoidSymbol", "number", "XF86"]
)
def test_a_name_that_means_no_key_is_an_invalid_request(name: str) -> None:
    with pytest.raises(DeskhandError) as refused:
        keysyms.key_named(name)
    assert refused.value.code == "invalid_request"


@pytest.mark.parametrize(
    ("keys", "parts"),
    [
        ("ctrl+s", (("ctrl",), "s")), ("Ctrl+Shift+S", (("ctrl", "shift"), "S")), ("ctrl++", (("ctrl",), "+")),
        ("+", ((), "+")), ("F5", ((), "F5")), ("ctrl + s", (("ctrl",), "s")), ("alt", ((), "alt")), (" ", ((), " ")),
    ],
)  # fmt: skip
def test_chords_are_split_as_they_are_meant(keys: str, parts: tuple[tuple[str, ...], str]) -> None:
    assert keysyms.split_chord(keys) == parts


@pytest.mark.parametrize(
    ("keys", "held"),
    [("alt+f", "alt"), ("ctrl+AltRight+x", "ctrl+altright"), ("alt+shift", "alt+shift"), ("alt", "alt"), ("ctrl+s", ""),
     ("f", ""), ("altgr+e", "")],
)  # fmt: skip
def test_what_is_held_with_alt_is_known(keys: str, held: str) -> None:
    assert keysyms.with_alt(keys) == held


@pytest.mark.parametrize("keys", ["", "ctrl+", "s+ctrl", "+s", "ctrl++s", "a+b"])
def test_what_is_no_chord_is_refused(keys: str) -> None:
    with pytest.raises(DeskhandError) as refused:
        chord(keys, layout(*GERMAN))
    assert refused.value.code == "invalid_request"


def test_a_chord_presses_modifiers_first_and_a_shifted_key_with_its_shift() -> None:
    assert chord("ctrl+a", layout(*GERMAN)).codes == (37, 38)
    assert chord("Ctrl+A", layout(*GERMAN)).codes == (37, 38), "people write the letter in capitals"
    assert chord("A", layout(*GERMAN)).codes == (SHIFT_CODE, 38)
    assert chord("ctrl+?", layout(*GERMAN)).codes == (37, SHIFT_CODE, 20)


def test_a_chord_s_key_that_the_layout_lacks_is_borrowed() -> None:
    made = chord("ctrl+z", layout(*GERMAN))
    assert made.codes == (37, SPARE_CODES[0])
    assert made.borrow == {SPARE_CODES[0]: ord("z")}


@pytest.mark.proves("report-13")
def test_the_note_of_debts_survives_being_written_down() -> None:
    debts = Debts({93: b"\1\2", 97: b""}, {93: (0x41, 0x42)}, (37, 50), (1,), 2)
    assert Debts.from_json(debts.to_json()) == debts


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"keycodes": 3}', "nonsense"])
def test_a_broken_note_is_refused(line: str) -> None:
    with pytest.raises(DeskhandError) as refused:
        Debts.from_json(line)
    assert refused.value.code == "invalid_request"


@pytest.mark.parametrize(
    ("info", "group", "effective"), [(0x00, 3, 1), (0x40, 3, 1), (0x80, 3, 0), (0x90, 3, 1), (0, 1, 1)]
)
def test_a_group_that_a_key_lacks_becomes_one_that_it_has(info: int, group: int, effective: int) -> None:
    assert Key(24, ((1,), (2,)), (0, 0), info).effective_group(group) == effective


NAMES = {
    0xFFE3: ("ctrl", "CTRL", "Control", "ControlLeft", "ctrl_l", "Control_L", "lctrl"),
    0xFFE4: ("ControlRight", "ctrl_r", "Control_R", "ctrlright"),
    0xFFE2: ("ShiftRight", "Shift_R", "shift_r"),
    0xFFEA: ("AltRight", "alt_r", "optionright"),
    0xFFEB: ("CMD", "Meta", "win", "SUPER", "OSLeft", "cmd_l"),
    0xFFE9: ("OPTION", "alt", "AltLeft"),
    0xFE03: ("altgr", "AltGraph", "ISO_Level3_Shift", "alt_gr"),
    0xFF0D: ("Return", "ENTER", "enter"),
    0xFF8D: ("KP_Enter", "kp_enter", "NumpadEnter", "numpad_enter"),
    0xFFAB: ("kp_add", "NumpadAdd", "KP_Add", "numpad_plus"),
    0xFFB7: ("kp_7", "KP_7", "Numpad7", "num7", "kp7"),
    0xFFAE: ("kp_decimal", "NumpadDecimal", "kp_period"),
    0xFF54: ("Down", "ARROWDOWN", "ArrowDown", "down_arrow"),
    0xFF56: ("Page_Down", "Next", "PAGEDOWN", "pgdn", "PageDown"),
    0xFF55: ("Page_Up", "Prior", "PAGEUP"),
    0xFF61: ("PrintScreen", "Print", "prtsc", "print_screen"),
    0xFF67: ("ContextMenu", "Menu", "apps"),
    0xFF7F: ("NumLock", "Num_Lock", "num_lock"),
    0xFF14: ("Scroll_Lock", "ScrollLock", "scroll_lock"),
    0xFFE5: ("CapsLock", "Caps_Lock", "caps_lock"),
    0xFFBE: ("F1", "f1"), 0xFFD5: ("F24", "f24"),
    0x1008FF13: ("XF86AudioRaiseVolume", "AudioVolumeUp", "volumeup", "volume_up", "xf86audioraisevolume"),
    0x1008FF11: ("XF86AudioLowerVolume", "AudioVolumeDown"), 0x1008FF12: ("XF86AudioMute", "mute", "AudioVolumeMute"),
    0x1008FF14: ("XF86AudioPlay", "MediaPlayPause", "playpause"), 0x1008FF17: ("MediaTrackNext", "nexttrack"),
    0x1008FF16: ("MediaTrackPrevious", "prevtrack"), 0x1008FF02: ("XF86MonBrightnessUp", "BrightnessUp"),
    0x1008FF03: ("BrightnessDown",), 0x1008FF26: ("BrowserBack", "XF86Back"),
    ord("a"): ("a", "KeyA"), ord("5"): ("5", "Digit5"), ord("+"): ("plus", "+"), ord("["): ("BracketLeft", "["),
    ord("A"): ("A",),
}  # fmt: skip


@pytest.mark.proves("B2")
@pytest.mark.parametrize(("symbol", "name"), [(symbol, name) for symbol, names in NAMES.items() for name in names])
def test_keys_are_known_by_all_names_that_models_give_them(symbol: int, name: str) -> None:
    assert keysyms.key_named(name) == symbol


@pytest.mark.proves("B2")
def test_chords_parted_by_blanks_are_pressed_one_after_the_other() -> None:
    assert sequence("a b ctrl+c") == ["a", "b", "ctrl+c"]
    assert sequence("ctrl + q  Return") == ["ctrl+q", "Return"]
    assert sequence("ctrl++ +") == ["ctrl++", "+"]
    assert sequence(" ") == [" "]
    with pytest.raises(DeskhandError, match="no key is called"):
        chord("a b", layout())
