"""Date and time fields that take their parts one by one: each part gets the focus and its digits, then all is read."""

from __future__ import annotations

from dataclasses import replace

from deskhand.desktop.act.evidence import Outcome, before
from deskhand.desktop.act.pressing import give_focus, still_there
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.targets import Resolved
from deskhand.platforms.base import ReadLimits
from deskhand.types.dates import Part, kinds, taken_apart
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Node
from deskhand.types.steps import Step

Parts = list[tuple[Node, str]]


async def date_parts(scene: Scene, target: Resolved, value: object) -> Parts | None:
    """The parts of a date field with the digits that each is to get; None for other fields and other values."""
    wanted = taken_apart(str(value))
    if target.node.role != "textbox" or not target.node.child_count or not wanted:
        return None
    tree = await scene.platform.read(target.node.key, ReadLimits())
    fields = [node for node in tree.nodes.values() if node.role == "spinbutton"]
    found = kinds([Part(node.name, node.number, node.text or "", node.maximum or None) for node in fields])
    if not fields or set(found) != set(wanted):
        return None
    return [(node, _digits(kind, wanted[kind])) for node, kind in zip(fields, found, strict=True)]


def _digits(kind: str, number: int) -> str:
    return f"{number:0{4 if kind == 'year' else 2}}"


async def set_date(scene: Scene, step: Step, target: Resolved, parts: Parts) -> Outcome:
    """Type every part where it belongs, whatever their order on the screen."""
    if step.route not in (None, "keyboard"):
        message = f"{target.words} takes its parts by the keyboard only"
        raise DeskhandError("unsupported_action", message, target=target.ref)
    old = await _held(scene, target)
    if old == str(step.value):
        return Outcome(target.words, "unchanged", old, old)
    was = await before(scene, target.node)
    for node, digits in parts:
        part = replace(target, node=node)
        await give_focus(scene, part)
        await still_there(scene, part)
        scene.sending("keyboard")
        await scene.platform.type_text(digits)
    await scene.settle(was.serial)
    new = await _held(scene, target)
    if taken_apart(new) != taken_apart(str(step.value)):
        raise DeskhandError(
            "value_rejected", f"{target.words} did not keep that date", sent="yes", target=target.ref,
            expected=str(step.value), found=new or "nothing",
        )  # fmt: skip
    return Outcome(target.words, "verified", old, new)


async def _held(scene: Scene, target: Resolved) -> str:
    tree = await scene.platform.read(target.node.key, ReadLimits())
    return tree.nodes[tree.root].text or ""
