"""Actions of ``input`` placed on the desktop: where they go in root pixels, and the step that the gate judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deskhand.desktop.act.planning import Place
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.pixels.frames import Frame
from deskhand.desktop.pointing import holder, under
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.targets import Resolved
from deskhand.types.actions import Action
from deskhand.types.geometry import Point
from deskhand.types.nodes import Node, Window
from deskhand.types.steps import Step


@dataclass(frozen=True, slots=True)
class Placed:
    """An action with its points in root pixels. ``step`` says the same in the words of ``act``."""

    action: Action
    points: tuple[Point, ...]
    step: Step

    @property
    def keys(self) -> bool:
        """Whether it goes to what has the focus."""
        return self.action.do in ("key", "type") or (self.action.do in ("down", "up") and self.action.keys is not None)

    @property
    def where(self) -> str:
        """As effects tell it, in the picture's pixels."""
        points = self.action.points
        ends = [points[0], points[-1]] if len(points) > 1 else points
        return " to ".join(f"{x},{y}" for x, y in ends)


def placed(actions: Sequence[Action], frame: Frame) -> list[Placed]:
    """All actions. Raises ``invalid_request`` for a point beyond the picture's edge."""
    return [_placed(action, frame) for action in actions]


def _placed(action: Action, frame: Frame) -> Placed:
    points = tuple(frame.root(at) for at in action.points)
    return Placed(action, points, _step(action, points))


def _step(action: Action, points: Sequence[Point]) -> Step:
    """What the gate judges: it knows the steps of ``act``."""
    on = f"{points[0].x},{points[0].y}" if points else None
    if action.do == "key" or (action.do in ("down", "up") and action.keys is not None):
        return Step(do="key", keys=action.keys, count=action.count)
    if action.do == "type":
        return Step(do="type", value=action.text, route="keyboard")
    if action.do in ("click", "down", "up"):
        return Step(do="click", on=on or "pointer", button=action.button, count=action.count, mods=action.mods)
    if action.do == "drag":
        return Step(do="drag", on=on, to=(points[-1].x - points[0].x, points[-1].y - points[0].y))
    if action.do == "scroll":
        return Step(do="scroll", on=on, by=action.notches)
    return Step(do="hover", on=on) if action.do == "move" else Step.model_validate({"do": "wait", "for": "settled"})


@dataclass(frozen=True, slots=True)
class There:
    """What lies at a point: its window, and the element where its application tells of one."""

    window: Window | None = None
    target: Resolved | None = None

    @property
    def node(self) -> Node | None:
        """The element alone."""
        return self.target.node if self.target is not None else None


async def there(scene: Scene, at: Point) -> There:
    """What lies at a point now; its window is remembered as it is, for what is told at the end."""
    found = await scene.world.windows(recent=True)
    top = await scene.platform.window_at(*at)
    surface = next((window for window in found if window.key == top), None)
    window = holder(surface, found) if surface is not None else None
    if window is None or window.root is None or not window.responsive:
        return There(window)
    snapshot = await scene.remember(window)
    assert snapshot is not None
    lies = await under(scene.world, snapshot, at)
    node = lies.cell or (snapshot.nodes.get(lies.item.key) if lies.item is not None else None)
    if node is None or lies.item is None:
        return There(window)
    ref = lies.item.ref or ""
    scene.world.refs.publish([ref] if ref else [])
    words = " ".join(part for part in (ref, node.role, quote(node.name) if node.name else "") if part)
    return There(window, Resolved(node, window, words, ref))


async def place_of(scene: Scene, action: Placed, lies: There) -> Place:
    """The same for the gate; of a drag also what it ends on."""
    if action.action.do != "drag":
        return Place(lies.window)
    return Place(lies.window, (await there(scene, action.points[-1])).node)
