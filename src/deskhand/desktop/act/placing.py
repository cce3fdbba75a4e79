"""Actions of ``input`` placed on the desktop: where they go in root pixels, and the step that the gate judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deskhand.desktop.act.planning import Place
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.pixels.frames import Frame
from deskhand.desktop.pointing import Under, holder, under
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.targets import Resolved
from deskhand.types.actions import Action
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point
from deskhand.types.keynames import x_name
from deskhand.types.nodes import Node, Window
from deskhand.types.steps import Step

_SHIFTS = frozenset({x_name("shift"), "Shift_L", "Shift_R"})
_CLICK = 4
"""Root pixels between press and release that toolkits still take for a click."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An action with its points in root pixels. ``step`` says the same in the words of ``act``."""

    action: Action
    points: tuple[Point, ...]
    step: Step
    held: tuple[str, ...] = ()  # keys that earlier actions keep down
    end: Point | None = None  # where what a ``down`` takes up is let go

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
    """All actions. Raises ``invalid_request`` for a point beyond the picture's edge, and for text under held keys."""
    found, held, last = list[Placed](), list[str](), tuple[Point, ...]()
    ends = _ends(actions, frame)
    for index, action in enumerate(actions, 1):
        points = tuple(frame.root(at) for at in action.points)
        if action.do in ("down", "up") and action.keys is None:
            points = points or last  # where the pointer is by then
        last = points[-1:] or last
        if action.do == "type" and {x_name(key) for key in held} - _SHIFTS:
            message = f"action {index}: {'+'.join(held)} is held, so that text would be shortcuts; send it up first"
            raise DeskhandError("invalid_request", message)
        end = ends.get(index) if points else None
        found.append(Placed(action, points, _step(action, points, held, end), tuple(held), end))
        _hold(action, held)
    return found


def _ends(actions: Sequence[Action], frame: Frame) -> dict[int, Point]:
    """Where what each ``down`` takes up is let go, by its number: both together are a drag."""
    ends, begun, last = dict[int, Point](), 0, None
    for index, action in enumerate(actions, 1):
        last = frame.root(action.points[-1]) if action.points else last
        if action.do == "down" and action.keys is None:
            begun = index
        elif action.do == "up" and action.keys is None and begun and last is not None:
            ends[begun], begun = last, 0
    if begun and last is not None:
        ends[begun] = last  # what is not let go by itself is let go with the batch
    return ends


def _hold(action: Action, held: list[str]) -> None:
    """Keep count of the keys that are down between actions, whatever they are called."""
    for key in (action.keys or "").split("+") if action.do in ("down", "up") and action.keys else ():
        name = key.strip()
        held[:] = [each for each in held if x_name(each) != x_name(name)]
        held += [name] if action.do == "down" else []


def stands_alone(actions: Sequence[Placed], done: int) -> bool:
    """Whether what is left after ``done`` actions means the same by itself: nothing is held, no place is taken over."""
    if done == len(actions):
        return True
    left = [each for each in actions[done:] if each.points]
    pressed = _down([each.action for each in actions[:done]])
    return not pressed and not actions[done].held and (not left or bool(left[0].action.points))


def _down(actions: Sequence[Action]) -> bool:
    """Whether a button is down after these."""
    down = set[str]()
    for action in actions:
        if action.do in ("down", "up") and action.keys is None:
            name = action.button or "left"
            down = down | {name} if action.do == "down" else down - {name}
    return bool(down)


def _step(action: Action, points: Sequence[Point], held: Sequence[str], end: Point | None) -> Step:
    """What the gate judges: it knows the steps of ``act``. Keys that are held make chords of those that follow."""
    on = f"{points[0].x},{points[0].y}" if points else None
    if action.do == "key" or (action.do in ("down", "up") and action.keys is not None):
        assert action.keys is not None
        keys = action.keys if action.do == "up" else "+".join([*held, action.keys])
        return Step(do="key", keys=keys, count=action.count)
    if action.do == "type":
        return Step(do="type", value=action.text, route="keyboard")
    if end is not None and action.button in (None, "left") and _far(points[0], end):
        return Step(do="drag", on=on, to=(end.x - points[0].x, end.y - points[0].y))
    if action.do in ("click", "down", "up") or (action.do == "drag" and action.button not in (None, "left")):
        return Step(do="click", on=on or "pointer", button=action.button, count=action.count, mods=action.mods)
    if action.do == "drag":
        return Step(do="drag", on=on, to=(points[-1].x - points[0].x, points[-1].y - points[0].y))
    if action.do == "scroll":
        return Step(do="scroll", on=on, by=action.notches)
    return Step(do="hover", on=on) if action.do == "move" else Step.model_validate({"do": "wait", "for": "settled"})


def _far(one: Point, other: Point) -> bool:
    """Whether a press here and a release there are more than a click."""
    return max(abs(one.x - other.x), abs(one.y - other.y)) > _CLICK


@dataclass(frozen=True, slots=True)
class There:
    """What lies at a point: its window, and the element where its application tells of one."""

    window: Window | None = None
    target: Resolved | None = None
    framed: bool = False  # on the window manager's frame around the window, where its buttons are

    @property
    def node(self) -> Node | None:
        """The element alone."""
        return self.target.node if self.target is not None else None

    def same(self, other: There) -> bool:
        """Whether it is the same element; toolkits make new objects for one, which lie where it lay."""
        one, two = self.node, other.node
        if one is None or two is None:
            return two is None  # what was not told and is there now has just come up
        return one.key == two.key or (one.role, one.name, one.bounds) == (two.role, two.name, two.bounds)

    @property
    def words(self) -> str:
        """The element as errors name it."""
        return self.target.words if self.target is not None else "nothing that is told"


async def there(scene: Scene, at: Point) -> There:
    """What lies at a point now; its window is remembered as it is, for what is told at the end."""
    found = await scene.world.windows(recent=True)
    top = await scene.platform.window_at(*at)
    surface = next((window for window in found if window.key == top), None)
    window = holder(surface, found) if surface is not None else None
    framed = window is not None and surface is window and window.frame is not None and not window.bounds.contains(*at)
    if window is not None and not window.responsive:
        message = f"{scene.world.window_name(window)} does not answer; it would do later what is sent now"
        raise DeskhandError("app_unresponsive", message, sent=scene.sent)
    if window is None or window.root is None or framed:
        return There(window, framed=framed)
    snapshot = await scene.remember(window)
    assert snapshot is not None
    lies = await under(scene.world, snapshot, at)
    if lies.cell is None and lies.key is not None and lies.key not in snapshot.nodes:  # come up since, as a menu does
        snapshot = await scene.world.snapshot(window)
        lies = await under(scene.world, snapshot, at)
    node = lies.cell or (snapshot.nodes.get(lies.item.key) if lies.item is not None else None)
    if node is None or lies.item is None:
        return There(window)
    scene.world.refs.publish([lies.item.ref] if lies.item.ref else [])
    return There(window, Resolved(node, window, _words(lies, node), lies.ref))


def _words(lies: Under, node: Node) -> str:
    """``r12 button "Save"``, ``r70[3,2] cell "old.txt"``; a cell that is called by its address is not named twice."""
    name = "" if lies.ref.endswith(f"[{node.name}]") else node.name
    return " ".join(part for part in (lies.ref, node.role, quote(name) if name else "") if part)


def judged(scene: Scene, action: Placed, lies: There) -> Step:
    """The step for the gate: whoever clicks on a window's frame may hit the button that closes it."""
    if lies.framed and lies.window is not None and action.action.do in ("click", "down", "up"):
        return Step(do="window", on=scene.world.refs.bind_window(lies.window.key), op="close")
    return action.step


async def place_of(scene: Scene, action: Placed, lies: There) -> Place:
    """The same for the gate; of a drag also what it ends on."""
    end = action.points[-1] if action.action.do == "drag" else action.end
    return Place(lies.window, (await there(scene, end)).node if end is not None else None)
