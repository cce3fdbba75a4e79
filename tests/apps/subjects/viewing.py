"""What a view tells, held against a walk of the same tree by pyatspi, which shares no code with deskhand."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from deskhand.types.results import View
from tests.apps.subjects.stage import Stage
from tests.apps.x11_rig import SYSTEM_PYTHON

_WALK = Path(__file__).parents[1] / "pyatspi_walk.py"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


async def tells_all(stage: Stage, application: str, *, pages: bool = False) -> View:
    """Every element that can be used and shows has a ref in the view, every label's words are said; the view.

    ``application``: as it calls itself on the accessibility bus. ``pages``: what is scrolled away in a page counts.
    """
    await stage.platform.events.quiet(0.3, 3.0)
    view = await stage.view()
    title = next(window.title for window in (await stage.witness.clients()) if window.active)
    walked = await _walked(stage, application, title, *(["pages"] if pages else []))
    refs = {stage.near._world.refs.told(element.ref).key for element in view.elements}
    usable = [one for one in walked if one["interactive"]]
    missing = [one for one in usable if one["key"] not in refs]
    assert len(usable) >= 4, walked
    assert not missing, f"{missing}\n{view.text}"
    said = [json.loads(found) for found in _STRING.findall(view.text)]
    spoken = [one for one in walked if one["role"] == "label" and "spin button" not in one["path"]]
    labels = {str(one["text"] or one["name"]).strip() for one in spoken}  # a spin button's say its number again
    unsaid = [label for label in labels - {""} if not any(label[:80].rstrip(":") in one for one in said)]
    assert not unsaid, f"{unsaid}\n{view.text}"
    return view


async def _walked(stage: Stage, *arguments: str) -> list[dict[str, Any]]:
    walk = await asyncio.create_subprocess_exec(
        SYSTEM_PYTHON, str(_WALK), *arguments, env=dict(stage.desktop.environment), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await asyncio.wait_for(walk.communicate(), 40)
    assert walk.returncode == 0
    return [json.loads(line) for line in printed.splitlines()]
