"""The line to the accessibility bus: what it never sends, and how it comes back."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from deskhand.platforms.linux.atspi.bus import AccessibilityBus
from deskhand.platforms.linux.atspi.wire import method_call
from deskhand.types.errors import DeskhandError

BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


@pytest.fixture
def address() -> Iterator[str]:
    """A message bus of the test's own."""
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True
    )
    assert daemon.stdout is not None
    yield daemon.stdout.readline().strip()
    daemon.terminate()
    daemon.wait()


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_what_makes_a_bus_hang_up_is_not_sent(text: str) -> None:
    with pytest.raises(DeskhandError) as refused:
        method_call(":1.1", "/a", "org.a11y.atspi.EditableText", "SetTextContents", "s", [text])
    assert (refused.value.code, refused.value.sent) == ("unsendable_text", "no")


async def test_a_line_that_was_lost_is_opened_anew_by_the_next_call(address: str) -> None:
    bus = AccessibilityBus({"AT_SPI_BUS_ADDRESS": address})
    await bus.connect()
    try:
        identity = await bus.call(*BUS, "GetId")
        assert bus._lines is not None
        bus._lines.close()
        assert await bus.call(*BUS, "GetId") == identity
        bus._lines.close()
        async with bus.bounded("org.freedesktop.DBus", 4.0):
            assert (await bus.post(*BUS, "GetId")) == [identity]
    finally:
        bus.disconnect()
