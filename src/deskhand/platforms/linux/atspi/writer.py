"""Acts on elements through AT-SPI. What timed out after it was sent is ``outcome_unknown``: it may yet be done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dbus_fast import Variant

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.bus import (
    ATSPI,
    CALL_SECONDS,
    PROPERTIES,
    AccessibilityBus,
    Gone,
    Refused,
    split_key,
)
from deskhand.types.errors import DeskhandError

_SCROLL_ANYWHERE = 6
_NUMBER_MOST = 40
"""Characters that the number of a list's item has at the most."""
_NEVER_EMPTY = frozenset({"combobox", "menu", "menubar", "tablist"})
"""One of their items is always chosen; emptied, they take applications by surprise (measured: Mousepad crashes)."""


class ElementWriter:
    """The element half of ``Platform``'s acting methods."""

    def __init__(self, bus: AccessibilityBus) -> None:
        self._bus = bus

    async def _write(self, key: str, interface: str, member: str, signature: str = "", *body: Any) -> Any:
        """One call that changes something. Never retried."""
        app, path = split_key(key)
        if self._bus.hung(app):
            await self._bus.ask(app, path, "Accessible", "GetRole")  # raises app_unresponsive: nothing was sent
        try:
            async with self._bus.bounded(app, CALL_SECONDS):
                return await self._bus.call(app, path, interface, member, signature, *body)
        except DeskhandError as error:
            if error.code != "app_unresponsive":
                raise
            message = f"{error.message}; what was asked may still be done when it wakes: read it again, do not repeat"
            raise DeskhandError("outcome_unknown", message, sent="unknown") from error
        except Gone as error:
            raise DeskhandError("window_gone", "the application left while it was asked", sent="unknown") from error
        except Refused as error:
            raise await self._refused(key, f"{member} was refused", error) from error

    async def _refused(self, key: str, what: str, error: Refused) -> DeskhandError:
        """A refusal by an element that is gone is another thing than one by an element that cannot."""
        app, path = split_key(key)
        try:
            await self._bus.ask(app, path, "Accessible", "GetRole")
        except (Refused, Gone):
            return DeskhandError("stale_ref", "the element is gone; observe again")
        return DeskhandError("unsupported_action", f"{what} ({error.args[0]})")

    async def do_action(self, key: str, action: str) -> None:
        """Do an action by its untranslated name."""
        index = await self._action_index(key, action)
        if not await self._write(key, ATSPI + "Action", "DoAction", "i", index):
            raise DeskhandError("unsupported_action", f"the application would not do {action!r}", sent="unknown")

    async def _action_index(self, key: str, action: str) -> int:
        app, path = split_key(key)
        try:
            async with self._bus.bounded(app, CALL_SECONDS):
                count = int(await self._bus.get(app, path, "Action", "NActions"))
                for index in range(count):
                    if await self._bus.call(app, path, ATSPI + "Action", "GetName", "i", index) == action:
                        return index
        except Gone as error:
            raise DeskhandError("window_gone", "the application left") from error
        except Refused as error:
            raise await self._refused(key, "it has no actions", error) from error
        raise DeskhandError("unsupported_action", f"it has no action {action!r}")

    async def set_text(self, key: str, text: str) -> int:
        """Replace the whole text; how many characters in front of it were kept."""
        if not await self._write(key, ATSPI + "EditableText", "SetTextContents", "s", text):
            raise DeskhandError("value_rejected", "the field would not take the text")
        return 0

    async def set_behind_number(self, key: str, old: str, text: str) -> int:
        """Replace what stands behind the first run of a text; the length of that run.

        For a text of which SetTextContents changed nothing, because its first run is not the application's to give.
        """
        app, path = split_key(key)
        try:
            _, _, end = await self._bus.values(app, path, ATSPI + "Text", "GetAttributeRun", "ib", 0, False)
        except Gone as error:
            raise DeskhandError("window_gone", "the application left while it was asked", sent="unknown") from error
        except Refused as error:
            raise await self._refused(key, "its first run is not told", error) from error
        kept = int(end) if end >= 0 else len(old)
        if not 0 < kept <= min(len(old), _NUMBER_MOST):
            raise DeskhandError("value_rejected", "the text is not to be changed", sent="yes")
        await self.replace_text(key, kept, len(old), text.removeprefix(old[:kept]))
        return kept

    async def replace_text(self, key: str, first: int, last: int, text: str) -> None:
        """Put text in the place of characters."""
        deleted = first == last or await self._write(key, ATSPI + "EditableText", "DeleteText", "ii", first, last)
        if not deleted:
            raise DeskhandError("value_rejected", "the field would not take the text")
        if text:
            await self.insert_text(key, first, text)

    async def insert_text(self, key: str, offset: int, text: str, in_bytes: bool = True) -> None:
        """Insert at a character offset (-1: the end). AT-SPI's length counts bytes in GTK, UTF-16 units in Qt."""
        if offset < 0:
            offset = await self._length(key)
        size = len(text.encode()) if in_bytes else len(text.encode("utf-16-le")) // 2
        if not await self._write(key, ATSPI + "EditableText", "InsertText", "isi", offset, text, size):
            raise DeskhandError("value_rejected", "the field would not take the text")

    async def _length(self, key: str) -> int:
        app, path = split_key(key)
        try:
            async with self._bus.bounded(app, CALL_SECONDS):
                return int(await self._bus.get(app, path, "Text", "CharacterCount"))
        except Gone as error:
            raise DeskhandError("window_gone", "the application left") from error
        except Refused as error:
            raise await self._refused(key, "it tells no length", error) from error

    async def set_number(self, key: str, number: float) -> None:
        """Set ``Value.CurrentValue``."""
        await self._write(key, PROPERTIES, "Set", "ssv", ATSPI + "Value", "CurrentValue", Variant("d", number))

    async def focus(self, key: str) -> None:
        """Give it the keyboard focus."""
        if not await self._write(key, ATSPI + "Component", "GrabFocus"):
            raise DeskhandError("unsupported_action", "it takes no focus")

    async def select_children(self, key: str, indices: Iterable[int], extend: bool = False) -> None:
        """Select children by their place."""
        if not extend and await self._role(key) not in _NEVER_EMPTY:
            await self._write(key, ATSPI + "Selection", "ClearSelection")
        for index in indices:
            chosen = await self._write(key, ATSPI + "Selection", "SelectChild", "i", index)
            if not chosen and not await self._select_row(key, index):
                raise DeskhandError("unsupported_action", f"child {index} cannot be selected", sent="yes")

    async def _role(self, key: str) -> str:
        app, path = split_key(key)
        try:
            return words.ROLES.get(int(await self._bus.ask(app, path, "Accessible", "GetRole")), "")
        except (Refused, Gone) as error:
            raise DeskhandError("stale_ref", "the element is gone; observe again") from error

    async def _select_row(self, key: str, index: int) -> bool:
        """GTK3's tree views select no child, only rows."""
        app, path = split_key(key)
        try:
            row = int(await self._bus.ask(app, path, "Table", "GetRowAtIndex", "i", index))
        except (Refused, Gone):
            return False
        return row >= 0 and bool(await self._write(key, ATSPI + "Table", "AddRowSelection", "i", row))

    async def select_text(self, key: str, first: int, last: int) -> None:
        """Select characters; the caret ends at ``last``."""
        text = ATSPI + "Text"
        if first == last:
            await self._write(key, text, "SetCaretOffset", "i", last)
            return
        await self._write(key, text, "SetSelection", "iii", 0, first, last)
        if await self.selection(key) != (first, last):
            # GTK 4.8 does it and never answers; it clears the selection where SetSelection finds none.
            await self._bus.tell(*split_key(key), text, "AddSelection", "ii", first, last)

    async def selection(self, key: str) -> tuple[int, int] | None:
        """Offsets of the first selected stretch of text, or the caret twice."""
        app, path = split_key(key)
        try:
            async with self._bus.bounded(app, CALL_SECONDS):
                if int(await self._bus.call(app, path, ATSPI + "Text", "GetNSelections")) > 0:
                    first, last = await self._bus.values(app, path, ATSPI + "Text", "GetSelection", "i", 0)
                    return int(first), int(last)
                caret = int(await self._bus.get(app, path, "Text", "CaretOffset"))
        except (Refused, Gone):
            return None
        return (caret, caret) if caret >= 0 else None

    async def scroll_to(self, key: str) -> bool:
        """Scroll it into view; False where the toolkit offers no way."""
        try:
            return bool(await self._write(key, ATSPI + "Component", "ScrollTo", "u", _SCROLL_ANYWHERE))
        except DeskhandError as error:
            if error.code == "unsupported_action":
                return False
            raise
