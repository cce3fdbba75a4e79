"""The few XKB requests that exact typing needs; python-xlib has no XKB of its own.

Wire formats: The X Keyboard Extension, protocol specification 1.0, appendix D.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from Xlib.protocol import rq

from deskhand.types.errors import DeskhandError

USE_CORE_KEYBOARD = 0x100
LOCK_MASK, NUM_LOCK_MASK = 0x02, 0x10
_NEW_KEYBOARD, _MAP, _STATE, _GROUP = 0x01, 0x02, 0x04, 0x10
_KEY_TYPES, _KEY_SYMS, _MODIFIER_MAP = 1, 2, 4


class _UseExtension(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(0), rq.RequestLength(), rq.Card16("wanted_major"), rq.Card16("wanted_minor")
    )
    _reply = rq.Struct(
        rq.ReplyCode(), rq.Card8("supported"), rq.Card16("sequence_number"), rq.ReplyLength(),
        rq.Card16("server_major"), rq.Card16("server_minor"), rq.Pad(20),
    )  # fmt: skip


class _SelectEvents(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(1), rq.RequestLength(), rq.Card16("device"), rq.Card16("affected"),
        rq.Card16("clear"), rq.Card16("all"), rq.Card16("affected_map"), rq.Card16("map"), rq.Binary("details"),
    )  # fmt: skip


class _GetState(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength(), rq.Card16("device"), rq.Pad(2))
    _reply = rq.Struct(
        rq.ReplyCode(), rq.Card8("device"), rq.Card16("sequence_number"), rq.ReplyLength(),
        rq.Card8("mods"), rq.Card8("base_mods"), rq.Card8("latched_mods"), rq.Card8("locked_mods"),
        rq.Card8("group"), rq.Card8("locked_group"), rq.Int16("base_group"), rq.Int16("latched_group"),
        rq.Card8("compat_state"), rq.Card8("grab_mods"), rq.Card8("compat_grab_mods"), rq.Card8("lookup_mods"),
        rq.Card8("compat_lookup_mods"), rq.Pad(1), rq.Card16("buttons"), rq.Pad(6),
    )  # fmt: skip


class _LatchLockState(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(5), rq.RequestLength(), rq.Card16("device"),
        rq.Card8("affect_locks"), rq.Card8("locks"), rq.Bool("lock_group"), rq.Card8("group_lock"),
        rq.Card8("affect_latches"), rq.Card8("latches"), rq.Pad(1), rq.Bool("latch_group"), rq.Card16("group_latch"),
    )  # fmt: skip


class _GetMap(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(8), rq.RequestLength(), rq.Card16("device"), rq.Card16("full"),
        rq.Card16("partial"), rq.Pad(18),
    )  # fmt: skip
    _reply = rq.Struct(
        rq.ReplyCode(), rq.Card8("device"), rq.Card16("sequence_number"), rq.ReplyLength(), rq.Pad(2),
        rq.Card8("min_keycode"), rq.Card8("max_keycode"), rq.Card16("present"),
        rq.Card8("first_type"), rq.Card8("n_types"), rq.Card8("total_types"),
        rq.Card8("first_sym"), rq.Card16("total_syms"), rq.Card8("n_syms"),
        rq.Pad(10), rq.Card8("first_modmap"), rq.Card8("n_modmap"), rq.Card8("total_modmap"), rq.Pad(6),
        rq.Binary("data"),
    )  # fmt: skip


class _SetMap(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(9), rq.RequestLength(), rq.Card16("device"), rq.Card16("present"),
        rq.Card16("flags"), rq.Card8("min_keycode"), rq.Card8("max_keycode"), rq.Pad(2),
        rq.Card8("first_sym"), rq.Card8("n_syms"), rq.Card16("total_syms"), rq.Pad(18), rq.Binary("data"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeyboardState:
    """Modifiers by how they came to be on (real modifier masks), and the layout group in force (from 0)."""

    base: int
    latched: int
    locked: int
    group: int


@dataclass(frozen=True, slots=True)
class KeyType:
    """Which modifiers choose which level. ``levels`` maps a level to the real modifier masks that reach it."""

    mask: int
    levels: dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Key:
    """A keycode's symbols, by group and level, with a key type a group."""

    code: int
    groups: tuple[tuple[int, ...], ...]
    types: tuple[int, ...]
    out_of_range: int  # the group info byte's two high bits and redirect
    wire: bytes = b""  # as the protocol carries it

    @property
    def spare(self) -> bool:
        """Whether the layout leaves this keycode without any symbol."""
        return not any(symbol for group in self.groups for symbol in group)

    def effective_group(self, group: int) -> int:
        """The group this key uses when the keyboard is in ``group``; -1 when it has none."""
        count = len(self.groups)
        if count == 0 or group < count:
            return group if count else -1
        how = self.out_of_range & 0xC0
        if how == 0x40:
            return count - 1
        if how == 0x80:
            wanted = (self.out_of_range >> 4) & 0x03
            return wanted if wanted < count else 0
        return group % count


@dataclass(frozen=True, slots=True)
class Keymap:
    """The server's keyboard map as XKB tells it."""

    keys: dict[int, Key]
    types: tuple[KeyType, ...]
    modifiers: dict[int, int]  # keycode: real modifier mask
    span: tuple[int, int] = (8, 255)  # lowest and highest keycode

    def spare_codes(self) -> list[int]:
        """Keycodes without symbols and without a modifier, lowest first."""
        return [code for code, key in sorted(self.keys.items()) if key.spare and not self.modifiers.get(code)]

    def depends_on(self, code: int, group: int) -> int:
        """The real modifiers that choose this keycode's level in ``group``."""
        key = self.keys[code]
        chosen = key.effective_group(group)
        return self.types[key.types[chosen]].mask if chosen >= 0 else 0

    def placements(self, group: int) -> Iterator[tuple[int, int, int, int]]:
        """Every ``(symbol, keycode, level, modifiers)`` that can be typed in ``group``, easiest level first."""
        for level in range(8):
            for code, key in sorted(self.keys.items()):
                chosen = key.effective_group(group)
                if chosen < 0 or level >= len(key.groups[chosen]) or not key.groups[chosen][level]:
                    continue
                for mask in self.types[key.types[chosen]].levels.get(level, ()):
                    yield key.groups[chosen][level], code, level, mask


class Xkb:
    """XKB requests over one python-xlib display."""

    def __init__(self, display: Any) -> None:
        found = display.query_extension("XKEYBOARD")
        if found is None or not found.present:
            raise DeskhandError("desktop_unavailable", "this X server has no XKEYBOARD extension; typing needs it")
        self._display, self._opcode = display.display, found.major_opcode
        self.event = int(found.first_event)
        """The type of all XKB events."""
        _UseExtension(self._display, opcode=self._opcode, wanted_major=1, wanted_minor=0)

    def watch(self, on: bool) -> None:
        """Be told, or no more, when the keyboard map or the group changes."""
        whole = _NEW_KEYBOARD | _MAP
        _SelectEvents(
            self._display, opcode=self._opcode, device=USE_CORE_KEYBOARD, affected=whole | _STATE,
            clear=0 if on else whole | _STATE, all=whole if on else 0, affected_map=0xFF, map=0xFF if on else 0,
            details=struct.pack("=HH", _GROUP, _GROUP) if on else b"",
        )  # fmt: skip

    def state(self) -> KeyboardState:
        """Modifiers and group in force now."""
        got = _GetState(self._display, opcode=self._opcode, device=USE_CORE_KEYBOARD)
        return KeyboardState(got.base_mods, got.latched_mods, got.locked_mods, got.group)

    def set_locks(self, affected: int, locked: int) -> None:
        """Lock (or unlock) the modifiers of ``affected`` and drop every latch."""
        _LatchLockState(
            self._display, opcode=self._opcode, device=USE_CORE_KEYBOARD, affect_locks=affected, locks=locked,
            lock_group=0, group_lock=0, affect_latches=0xFF, latches=0, latch_group=0, group_latch=0,
        )  # fmt: skip

    def keymap(self) -> Keymap:
        """The keyboard map in force now."""
        full = _KEY_TYPES | _KEY_SYMS | _MODIFIER_MAP
        got = _GetMap(self._display, opcode=self._opcode, device=USE_CORE_KEYBOARD, full=full, partial=0)
        types, offset = _parse_types(got.data, got.n_types)
        keys, offset = _parse_keys(got.data, offset, got.first_sym, got.n_syms)
        pairs = got.data[offset : offset + 2 * got.total_modmap]
        modifiers = dict(zip(pairs[::2], pairs[1::2], strict=True))
        return Keymap(keys, types, modifiers, (got.min_keycode, got.max_keycode))

    def write_keys(self, entries: Mapping[int, bytes], now: Keymap) -> None:
        """Replace keys by their wire form, all in one change: every client is told once, and reads the map once.

        The keys between them are written as they are in ``now``; the caller keeps other clients from writing meanwhile.
        """
        first, last = min(entries), max(entries)
        wires = [entries.get(code, now.keys[code].wire) for code in range(first, last + 1)]
        _SetMap(
            self._display, opcode=self._opcode, device=USE_CORE_KEYBOARD, present=_KEY_SYMS, flags=0,
            min_keycode=now.span[0], max_keycode=now.span[1], first_sym=first, n_syms=last - first + 1,
            total_syms=sum(len(wire) - 8 for wire in wires) // 4, data=b"".join(wires),
        )  # fmt: skip


def single(symbol: int) -> bytes:
    """The wire form of a key that gives ``symbol`` in every group and with any modifier."""
    return struct.pack("=4BBBHI", 0, 0, 0, 0, 1, 1, 1, symbol)


def _parse_types(data: bytes, count: int) -> tuple[tuple[KeyType, ...], int]:
    types, offset = [], 0
    for _ in range(count):
        mask, _real, _virtual, _levels, entries, preserve = struct.unpack_from("=BBHBB?x", data, offset)
        offset += 8
        levels: dict[int, list[int]] = {0: [0]}
        for number in range(entries):
            active, entry_mask, level = struct.unpack_from("=?BB", data, offset + 8 * number)
            if active:
                levels.setdefault(level, []).append(entry_mask)
        types.append(KeyType(mask, {level: tuple(sorted(masks, key=_cost)) for level, masks in levels.items()}))
        offset += entries * (12 if preserve else 8)
    return tuple(types), offset


def _cost(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask


def _parse_keys(data: bytes, offset: int, first: int, count: int) -> tuple[dict[int, Key], int]:
    keys: dict[int, Key] = {}
    for code in range(first, first + count):
        *indices, info, width, total = struct.unpack_from("=4BBBH", data, offset)
        symbols = struct.unpack_from(f"={total}I", data, offset + 8)
        groups = tuple(symbols[width * number : width * (number + 1)] for number in range(info & 0x0F))
        end = offset + 8 + 4 * total
        keys[code] = Key(code, groups, tuple(indices[: len(groups)]), info & 0xF0, data[offset:end])
        offset = end
    return keys, offset
