"""Asking ahead: what one read of a window asked, the next one asks again all at once, before it knows anything.

Every answer is still given by the application during the read that uses it; only the waiting for one level of the
tree before the next is asked falls away. What has changed since is asked for as on the first read.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Any

from deskhand.platforms.linux.atspi.bus import ATSPI, PROPERTIES, PROPERTY_NAMES, AccessibilityBus
from deskhand.platforms.linux.atspi.line import Answer, values

Question = tuple[Any, ...]
"""Bus name, path, interface, member, signature, and what is sent with it."""
REMEMBERED = 64
"""How many reads are remembered by what they asked."""
LONGEST = 8000
"""Questions of one read that are remembered."""


class Asker:
    """Questions to applications."""

    def __init__(self, bus: AccessibilityBus) -> None:
        self.bus = bus

    def post(self, *question: Any) -> asyncio.Future[Answer]:
        """Send one with all that are posted in the same turn of the loop."""
        return self.bus.post(*question)

    async def values(self, *question: Any) -> list[Any]:
        """All values of the answer. Raises ``Gone`` or ``Refused``."""
        return values(await self.post(*question))

    async def call(self, *question: Any) -> Any:
        """The first value of the answer, None where it has none. Raises ``Gone`` or ``Refused``."""
        said = values(await self.post(*question))
        return said[0] if said else None

    async def get(self, app: str, path: str, interface: str, name: str) -> Any:
        """One property."""
        return (await self.call(app, path, PROPERTIES, "Get", "ss", ATSPI + interface, name)).value

    async def get_all(self, app: str, path: str, interface: str) -> dict[str, Any]:
        """All properties of an interface, unpacked; one by one from applications that want it so."""
        if app in self.bus.piecemeal:
            names = PROPERTY_NAMES[interface]
            said = await asyncio.gather(*(self.get(app, path, interface, name) for name in names))
            return dict(zip(names, said, strict=True))
        found = await self.call(app, path, PROPERTIES, "GetAll", "s", ATSPI + interface)
        return {name: variant.value for name, variant in found.items()}


class AskerAhead(Asker):
    """The questions of one read. ``expected`` are posted at once; each of their answers is used once."""

    def __init__(self, bus: AccessibilityBus, expected: Iterable[Question]) -> None:
        super().__init__(bus)
        asked = list(expected)
        hung = {app for app in {question[0] for question in asked} if bus.hung(app)}
        self._ahead = {question: bus.post(*question) for question in asked if question[0] not in hung}
        self._asked: list[Question] = []

    def post(self, *question: Any) -> asyncio.Future[Answer]:
        """The answer that is on its way already, else a new question."""
        self._asked.append(question)
        return self._ahead.pop(question, None) or self.bus.post(*question)

    def drop(self) -> None:
        """Give up what was not needed; what has not been sent yet never is."""
        for answer in self._ahead.values():
            answer.cancel()

    @property
    def asked(self) -> tuple[Question, ...]:
        """What this read needed to know, each question once."""
        return tuple(dict.fromkeys(self._asked[:LONGEST]))


class Memory:
    """What the last reads asked, by what was read."""

    def __init__(self) -> None:
        self._asked: OrderedDict[Hashable, tuple[Question, ...]] = OrderedDict()

    def expected(self, what: Hashable) -> tuple[Question, ...]:
        """What its last read asked; nothing before its first."""
        return self._asked.get(what, ())

    def remember(self, what: Hashable, asked: tuple[Question, ...]) -> None:
        """For the next read of it."""
        self._asked[what] = asked
        self._asked.move_to_end(what)
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)

    def forget(self, app: str) -> None:
        """What was read of an application that left, by the bus name in the questions."""
        gone = [what for what, asked in self._asked.items() if asked and all(question[0] == app for question in asked)]
        for what in gone:
            del self._asked[what]
