"""From text and chords to keystrokes: what the layout has, what must be borrowed, in which batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from deskhand.platforms.linux.x11 import keysyms
from deskhand.platforms.linux.x11.xkb import NUM_LOCK_MASK, Keymap
from deskhand.types.errors import DeskhandError

_HOLDABLE = {0xFFE1, 0xFFE2, 0xFE03, 0xFF7E, 0xFE11}
"""Shift_L, Shift_R, ISO_Level3_Shift, Mode_switch, ISO_Level5_Shift: modifiers that only shift levels."""

PRESSING = " \n\t"
"""Characters of a text that do more than write where something else has got the focus."""
BATCH = 64
"""Keystrokes between two looks at the receiving client."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One key with the keys to be held while it is pressed."""

    code: int
    holding: tuple[int, ...] = ()
    presses: bool = False  # whether it presses a button where one has the focus


@dataclass(frozen=True, slots=True)
class Batch:
    """Keystrokes that one keyboard map serves. ``borrow`` maps spare keycodes to the keysyms they must carry."""

    borrow: Mapping[int, int]
    strokes: tuple[Stroke, ...]


@dataclass
class Layout:
    """The keyboard map seen from the characters it can type in ``group``. ``numbers``: NumLock is on."""

    keymap: Keymap
    group: int
    numbers: bool = False
    characters: dict[str, Stroke] = field(default_factory=dict)
    symbols: dict[int, Stroke] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shifts = self._shift_keys()
        for symbol, code, _level, mask in self.keymap.placements(self.group):
            if self.keymap.depends_on(code, self.group) & NUM_LOCK_MASK:
                if mask == (NUM_LOCK_MASK if self.numbers else 0):  # as it is, without our doing
                    self.symbols.setdefault(symbol, Stroke(code))
                continue
            holding = _held_for(mask, shifts)
            if holding is None or (self.keymap.modifiers.get(code) and mask):
                continue
            stroke = Stroke(code, holding)
            self.symbols.setdefault(symbol, stroke)
            if character := keysyms.character_of(symbol):
                self.characters.setdefault(character, stroke)

    def _shift_keys(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for code, mask in sorted(self.keymap.modifiers.items()):
            key = self.keymap.keys.get(code)
            chosen = key.effective_group(self.group) if key else -1
            if key and chosen >= 0 and key.groups[chosen][0] in _HOLDABLE and mask.bit_count() == 1:
                found.setdefault(mask, code)
        return found

    def key(self, symbol: int) -> Stroke | None:
        """How to press a keysym: by its own key, by its character, or None where the layout lacks it."""
        character = keysyms.character_of(symbol)
        return self.symbols.get(symbol) or (self.characters.get(character) if character else None)

    def batches(self, text: str) -> list[Batch]:
        """Plan ``text``. Raises ``unsendable_text`` before anything is typed."""
        wanted = [(character, keysyms.symbol_of(character)) for character in text]
        spares = self.keymap.spare_codes()
        foreign = [pair for pair in wanted if not self._own(pair)]
        if foreign and not spares:
            raise DeskhandError(
                "unsendable_text",
                "the keyboard layout lacks some of this text and has no spare key; use set or the clipboard",
            )
        return list(self._plan(wanted, spares))

    def _own(self, pair: tuple[str, int]) -> Stroke | None:
        return self.characters.get(pair[0]) or self.symbols.get(pair[1])

    def _plan(self, wanted: list[tuple[str, int]], spares: list[int]) -> Iterator[Batch]:
        given: dict[int, int] = {}  # symbol: spare keycode
        strokes: list[Stroke] = []
        for pair in wanted:
            stroke = self._own(pair)
            full = stroke is None and pair[1] not in given and len(given) == len(spares)
            if full or len(strokes) >= BATCH:
                yield Batch(_inverted(given), tuple(strokes))
                given, strokes = ({} if full else given), []
            if stroke is None and pair[1] not in given:
                given[pair[1]] = spares[len(given)]
            strokes.append(replace(stroke or Stroke(given[pair[1]]), presses=pair[0] in PRESSING))
        if strokes:
            yield Batch(_inverted(given), tuple(strokes))


def _inverted(given: Mapping[int, int]) -> dict[int, int]:
    return {code: symbol for symbol, code in given.items()}


def _held_for(mask: int, shifts: Mapping[int, int]) -> tuple[int, ...] | None:
    codes = []
    for bit in range(8):
        if mask & (1 << bit):
            if 1 << bit not in shifts:
                return None
            codes.append(shifts[1 << bit])
    return tuple(codes)


@dataclass(frozen=True, slots=True)
class Chord:
    """A chord ready to press: ``codes`` in pressing order; ``borrow`` as in ``Batch``."""

    name: str
    codes: tuple[int, ...]
    borrow: Mapping[int, int]


def chord(keys: str, layout: Layout) -> Chord:
    """Resolve ``ctrl+shift+s``. Raises ``invalid_request`` for unknown names, ``unsendable_text`` for a key that this
    keyboard cannot send."""
    modifiers, name = keysyms.split_chord(keys)
    if modifiers and len(name) == 1:
        name = name.lower()  # "Ctrl+S" is how people write control and s
    symbols = [keysyms.key_named(modifier) for modifier in modifiers]
    held = [_pressable(symbol, layout).code for symbol in symbols]
    symbol = keysyms.key_named(name)
    stroke, borrow = layout.key(symbol), {}
    if stroke is None:
        spare = next(iter(layout.keymap.spare_codes()), None)
        if spare is None:
            raise _no_such_key(name)
        stroke, borrow = Stroke(spare), {spare: symbol}
    codes = dict.fromkeys([*held, *stroke.holding, stroke.code])
    return Chord(keys, tuple(codes), borrow)


def _pressable(symbol: int, layout: Layout) -> Stroke:
    stroke = layout.key(symbol)
    if stroke is None:
        raise _no_such_key(f"modifier {symbol:#x}")
    return stroke


def _no_such_key(name: str) -> DeskhandError:
    return DeskhandError("unsendable_text", f"this keyboard has no key for {name} and none to spare")
