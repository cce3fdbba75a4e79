"""An agent's loop without a model: look, decide, act, look at what changed, until the goal is reached.

Where ``decide`` stands, a model would read the lines and answer with steps.

Usage: python examples/agent_loop.py
"""

import asyncio
from typing import Any

import deskhand
from deskhand.types.results import View

GOAL = "The quick brown fox"
Step = dict[str, Any]


def decide(view: View) -> list[Step]:
    """The next steps; none when the goal is reached."""
    editor = next(element for element in view.elements if element.role == "textbox")
    held = str(editor.value or "")
    if held == GOAL:
        return []
    word = GOAL[len(held) :].lstrip().split(" ")[0]
    return [{"do": "append", "on": editor.ref, "value": f" {word}" if held else word}]


async def main() -> None:
    """Work on an isolated desktop until the goal is reached, at most ten rounds."""
    async with deskhand.connect("new") as desktop:
        window = await desktop.open("mousepad")
        for _ in range(10):
            view = await window.observe()
            steps = decide(view)
            if not steps:
                print("done: " + GOAL)
                return
            try:
                print((await desktop.act(*steps, since=view.snapshot)).text)
            except deskhand.BatchStopped as stopped:  # the lines say why; look again and go on
                print(stopped.result.text)
    raise SystemExit("not done in ten rounds")


if __name__ == "__main__":
    asyncio.run(main())
