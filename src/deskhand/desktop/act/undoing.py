"""``on_failure: undo``: what can be put back is, last first; what cannot is named with why.

Each undoing step is a step like any other: resolved, guarded, put before the gate, recorded, verified. Nothing is put
back onto a value that has changed since the step that is undone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from deskhand.desktop.act.aspects import UNKNOWN, Aspect, aspect_of
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.targets import Resolved
from deskhand.types.errors import DeskhandError, Sent
from deskhand.types.results import Effect, NotUndone, Undoing
from deskhand.types.steps import Step

HARMLESS = frozenset({"hover", "wait"})
"""Nothing of these is left to undo."""
UNSHOWN = "what it changed is not seen"
UNSEEN = object()
"""What a step leaves, before it has been looked at."""
Do = Callable[[Scene, Step], Awaitable[Effect]]


@dataclass
class Memory:
    """What one step changes, and how that was before it and after it. ``why`` it cannot be undone, where so."""

    index: int
    step: Step
    words: str = ""
    aspect: Aspect | None = None
    before: Any = None
    after: Any = UNSEEN
    why: str = UNKNOWN


@dataclass
class Memories:
    """The memories of a batch, oldest first."""

    kept: list[Memory] = field(default_factory=list)

    def begin(self, index: int, step: Step) -> None:
        """A step is about to be done."""
        self.kept.append(Memory(index, step, step.on if isinstance(step.on, str) else ""))

    async def take(self, scene: Scene, step: Step, target: Resolved | None) -> None:
        """Right before dispatch: how it is now. What cannot be looked at stops nothing; it is not undone then."""
        memory = self.kept[-1]
        if memory.aspect is not None or memory.step is not step:
            return
        try:
            if target is None and step.do == "type" and step.on is None:
                target = await _focus(scene)
            found = aspect_of(scene, step, target)
            memory.words = target.words if target is not None else memory.words
            if isinstance(found, str):
                memory.why = found
                return
            memory.before, memory.aspect, memory.why = await found.look(), found, ""
        except DeskhandError as error:
            memory.why = f"how it was before could not be read: {error.code}"

    async def finish(self, sent: Sent, verdict: str = "") -> None:
        """After the step: how it is now. ``verdict`` of its effect; a press may have done what does not show."""
        memory = self.kept[-1]
        if sent == "no" or _harmless(memory.step) or (verdict == "unchanged" and memory.aspect is not None):
            self.kept.pop()
            return
        if memory.aspect is None:
            memory.after = None
            return
        try:
            memory.after = await memory.aspect.look()
            if memory.after == memory.before and verdict in ("verified", "changed"):
                memory.aspect, memory.why = None, UNSHOWN
        except DeskhandError as error:
            memory.after, memory.aspect = None, None
            memory.why = f"how it is after the step could not be read: {error.code}"

    async def fail(self, sent: Sent) -> None:
        """The step that was begun has failed, and ``sent`` input or not."""
        if not self.kept or self.kept[-1].after is not UNSEEN:
            return
        if sent == "no":
            self.kept.pop()
        elif sent == "unknown":
            self.kept[-1].aspect, self.kept[-1].why = None, "whether it was done is not known"
        else:
            await self.finish(sent)


def _harmless(step: Step) -> bool:
    return step.do in HARMLESS or (step.do == "clipboard" and step.op == "read")


async def _focus(scene: Scene) -> Resolved | None:
    """The element that keys without a target go to."""
    node = await scene.platform.focused()
    if node is None:
        return None
    window = scene.world.active(await scene.world.windows())
    ref = scene.world.refs.bind(node, window.key)
    return Resolved(node, window, f"{ref} {node.role}", ref)


async def undo(scene: Scene, memories: Memories, do: Do) -> Undoing:
    """Put back what can be, last first. Raises nothing: what goes wrong is told of the step that it concerns."""
    effects: list[Effect] = []
    left: list[NotUndone] = []
    for memory in reversed(memories.kept):
        try:
            told = await _one(scene, memory, do)
        except DeskhandError as error:
            if error.question:
                scene.gate.withdraw(error.question)  # nobody is going to be asked: the batch is over
            told = f"{error.code}: {error.message}"
        except ValidationError:
            told = "no step can put back what was there"
        if isinstance(told, str):
            left.append(NotUndone(step=memory.index, do=memory.step.do, target=memory.words, why=told))
            scene.recorder.record("not undone", index=memory.index, why=told)
        else:
            effects.append(told)
    return Undoing(of=len(memories.kept), effects=effects, left=left)


async def _one(scene: Scene, memory: Memory, do: Do) -> Effect | str:
    aspect = memory.aspect
    if aspect is None:
        return memory.why
    now = await aspect.look()
    if now == memory.before:
        return Effect(step=memory.index, do=memory.step.do, target=memory.words, verdict="unchanged",
                      note="as it was before")  # fmt: skip
    if now != memory.after:
        return "it has changed since"
    steps = aspect.back(memory.before, memory.after)
    if isinstance(steps, str) or not steps:
        return steps if isinstance(steps, str) else UNKNOWN
    effect = await _all(scene, memory, steps, do)
    held = await aspect.look()
    if held != memory.before:
        return "it did not go back to what it was"
    return _discreet(memory.step, effect.model_copy(update={"verdict": "verified"}))


def _discreet(step: Step, effect: Effect) -> Effect:
    """The user's own clipboard comes back untold."""
    return effect.model_copy(update={"before": None, "after": None, "note": ""}) if step.do == "clipboard" else effect


async def _all(scene: Scene, memory: Memory, steps: list[Step], do: Do) -> Effect:
    """The steps that put one step back; the last one's effect speaks for them."""
    for step in steps:
        scene.begin(memory.index)
        scene.recorder.record("undo", index=memory.index, step=step.model_dump(by_alias=True, exclude_none=True))
        effect = await do(scene, step)
        scene.recorder.record("effect", effect=effect.model_dump())
    return effect
