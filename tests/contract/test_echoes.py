"""Sliders that show what they are given and go back (a player's): only those are watched for it."""

from __future__ import annotations

import asyncio

import pytest

from deskhand.desktop.act import writing
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from tests.contract.sessions import Session


async def test_a_slider_that_goes_back_has_not_taken_its_value() -> None:
    place = fake.slider("Place", 10, echoes=True)
    platform = FakePlatform(fake.window("Player", place))

    def plays_on() -> None:
        place.number = 11.0
        platform.world.changed()

    place.on_change = lambda: asyncio.get_running_loop().call_later(writing.ECHO / 4, plays_on) and None
    session = Session(platform)
    result = await session.act({"do": "set", "on": await session.ref("Place"), "value": 90})
    assert result.failure is not None, result.text
    assert (result.failure.code, result.failure.found) == ("value_rejected", "11.0")


async def test_another_slider_is_not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "ECHO", 40.0)
    session = Session(FakePlatform(fake.window("Mixer", fake.slider("Volume", 10))))
    async with asyncio.timeout(20):
        result = await session.act({"do": "set", "on": await session.ref("Volume"), "value": 90})
    assert [effect.verdict for effect in result.effects] == ["verified"]
