"""What goes wrong on command: frozen applications, replaced elements, things that happen in the middle of a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from deskhand.platforms.fake.model import Effect, FakeApp
from deskhand.platforms.fake.world import World
from deskhand.types.errors import DeskhandError


@dataclass(eq=False)
class Faults:
    """Failure injection.

    ``before("read", effect)`` runs ``effect`` once when the next ``read`` begins: close a window there and it closes
    in the middle of the call, or raise a ``DeskhandError`` for the call to fail.
    """

    world: World
    hooks: list[tuple[str, Effect]] = field(default_factory=list)

    def before(self, call: str, effect: Effect) -> None:
        """Do something once, when the next call of this name begins."""
        self.hooks.append((call, effect))

    def fail(self, call: str, error: DeskhandError) -> None:
        """Make the next call of this name raise."""

        def throw() -> None:
            raise error

        self.before(call, throw)

    def freeze(self, app: str, refusing: bool = False) -> None:
        """The application stops answering; ``refusing``: what is sent meanwhile is lost, not carried out later."""
        frozen = self.world.apps[app]
        frozen.frozen, frozen.refusing = True, refusing
        self.world.feed.announce()

    def resume(self, app: str) -> None:
        """It answers again, and first carries out what waited."""
        woken = self.world.apps[app]
        woken.frozen = False
        pending, woken.pending = woken.pending, []
        for effect in pending:
            effect()
        self.world.changed()

    def begin(self, call: str) -> None:
        """A call begins: what was to happen before it happens now."""
        for hook in [each for each in self.hooks if each[0] == call][:1]:
            self.hooks.remove(hook)
            hook[1]()


def unresponsive(app: FakeApp) -> DeskhandError:
    """The error of a read that got no answer."""
    return DeskhandError(
        "app_unresponsive", f"{app.name!r} does not answer; wait or end it, other applications can be used"
    )


def must_answer(app: FakeApp) -> None:
    """Raise where the application does not answer reads."""
    if app.frozen:
        raise unresponsive(app)


def perform(app: FakeApp, effect: Callable[[], object]) -> None:
    """Carry out what was sent, or let it wait in a frozen application and say that nobody knows."""
    if not app.frozen:
        effect()
        return
    if app.refusing:
        raise unresponsive(app)
    app.pending.append(effect)
    raise DeskhandError(
        "outcome_unknown", f"{app.name!r} did not answer in time; read it again before you repeat", sent="unknown"
    )


def deliver(app: FakeApp | None, effect: Callable[[], object]) -> None:
    """Hand input over as a display server does: a frozen application finds it when it wakes."""
    if app is not None and app.frozen:
        if not app.refusing:
            app.pending.append(effect)
        return
    effect()
