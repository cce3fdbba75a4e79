"""An application that tells one bare node is not an empty application."""

from __future__ import annotations

import pytest

from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from tests.contract.sessions import Session

SWITCH = "--force-renderer-accessibility"


@pytest.mark.proves("report-5")
async def test_one_bare_node_is_accessibility_off_with_the_remedy_and_never_no_match() -> None:
    session = Session(FakePlatform(fake.window("Bare")))
    view = await session.observe()
    assert "accessibility_off" in view.text.splitlines()[0]
    assert SWITCH in view.text
    found = await session.find("Save")
    assert "accessibility_off" in found.text
    assert SWITCH in found.text
    result = await session.act({"do": "press", "on": {"role": "button", "name": "Save"}})
    assert result.failure is not None, result.text
    assert result.failure.code == "accessibility_off"
    assert result.failure.sent == "no"
    assert SWITCH in result.text
