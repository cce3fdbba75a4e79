"""Windows are moved and resized as ``apps`` tells them, and the effect says where they are then."""

from __future__ import annotations

import pytest

from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.platforms.fake.platform import LEAST_SIDE
from deskhand.types.geometry import Rect
from tests.contract.sessions import Session


@pytest.mark.proves("A5", "A6")
@pytest.mark.parametrize(
    ("op", "rect", "verdict", "change"),
    [
        ("move", [30, 40], "verified", "0,0,600,400 -> 30,40,600,400"),
        ("move", [30, 40, 500, 300], "verified", "0,0,600,400 -> 30,40,500,300"),
        ("resize", [0, 0, 500, 300], "verified", "0,0,600,400 -> 0,0,500,300"),
        ("move", [0, 0], "unchanged", "0,0,600,400"),
        ("resize", [0, 0, 5, 300], "changed", f"0,0,600,400 -> 0,0,{LEAST_SIDE},300; asked for 0,0,5,300"),
    ],
)
async def test_a_window_goes_where_it_is_told_and_the_effect_says_where_it_is(
    op: str, rect: list[int], verdict: str, change: str
) -> None:
    session = Session(FakePlatform(fake.window("Notes", fake.toggle("Pin"), at=Rect(0, 0, 600, 400)), app="notes"))
    result = await session.act({"do": "window", "on": "Notes", "op": op, "rect": rect})
    assert (result.failure, result.effects[0].verdict) == (None, verdict)
    assert change in result.text
