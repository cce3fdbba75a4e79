"""What is remembered is bounded; no id is used twice, and what was told is refused for what it is."""

from __future__ import annotations

import pytest

from deskhand.desktop.semantics import refs, snapshots
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from tests.contract.sessions import Session


@pytest.mark.proves("A2")
async def test_elements_that_are_gone_and_were_never_told_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs, "MOST", 300)
    window = fake.window("List", *(fake.button(f"Item {n}") for n in range(40)))
    session = Session(FakePlatform(window))
    table = session.near._world.refs
    table._crowded = 300
    first = await session.observe(budget=20_000)
    told = first.elements[0].ref
    given: set[str] = {e.ref for e in first.elements}
    for _ in range(60):
        for widget in list(window.root.walk())[1:]:
            session.platform.replace(widget)
        view = await session.observe(budget=60)
        fresh = {e.ref for e in view.elements}
        assert not fresh & given, "an id was given out twice"
        given |= fresh
    assert len(given) > 2000
    assert len(table._seen) < 800
    assert len(table._refs) < 800
    result = await session.act({"do": "press", "on": told})
    assert result.failure is not None
    assert result.failure.code == "stale_ref", "what was told is refused for what it is"


async def test_refs_of_what_is_still_there_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs, "MOST", 50)
    session = Session(FakePlatform(fake.window("List", *(fake.button(f"Item {n}") for n in range(100)))))
    session.near._world.refs._crowded = 50
    first = {e.name: e.ref for e in (await session.observe()).elements}
    for _ in range(5):
        assert {e.name: e.ref for e in (await session.observe()).elements} == first


async def test_large_snapshots_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "ELEMENTS", 1000)
    session = Session(FakePlatform(fake.window("List", *(fake.button(f"Item {n}") for n in range(100)))))
    first = (await session.observe()).snapshot
    for _ in range(7):
        last = (await session.observe()).snapshot
    await session.observe(since=first)
    for _ in range(10):
        last = (await session.observe()).snapshot
    with pytest.raises(DeskhandError) as raised:
        await session.observe(since=first)
    assert raised.value.code == "snapshot_expired"
    assert "no change" in (await session.observe(since=last)).text
